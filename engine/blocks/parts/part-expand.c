/* Conditions, loops and numbered names in the texts of parts.
 *
 * They are gone before a line is read: "for k in 1:2: p[k].v ~ R*p[k].i" is the lines
 * "p1.v ~ R*p1.i" and "p2.v ~ R*p2.i". A text of equations has loops and elements of its own; there
 * only what is of parts is written out.
 */
#include "blocks/parts/part-private.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

#define MAX_LINES 1000 /* that one line may stand for */
#define MAX_NESTING 10

static const char *
skip_blanks (const char *at)
{
  while (*at == ' ' || *at == '\t')
    at++;
  return at;
}

/* The word at @at, of @length; not "" where it is 0. */
static gsize
measure_word (const char *at)
{
  gsize length = 0;

  while (weir_part_is_name_char (at[length]))
    length++;
  return g_ascii_isdigit (*at) ? 0 : length;
}

static gboolean
is_word (const char *at, gsize length, const char *word)
{
  return length == strlen (word) && strncmp (at, word, length) == 0;
}

/* Behind the text in quotes that begins at @at. */
static const char *
skip_text (const char *at)
{
  const char *end = strchr (at + 1, '"');

  return end != NULL ? end + 1 : at + strlen (at);
}

/* --- Whole numbers --------------------------------------------------------------------------- */

/* "n", "n-1", "2+1": up to one of @ends, which stays. FALSE: it is none. */
static gboolean
take_whole (const WeirPartReading *r, const char **at, const char *ends, int *whole)
{
  double sum = 0, sign = 1;
  const char *p = skip_blanks (*at);

  for (;;)
    {
      gsize length = measure_word (p);
      g_autofree char *name = g_strndup (p, length);
      double term;
      char *end;

      if (length > 0 && !weir_part_reading_find_number (r, name, &term))
        return FALSE;
      if (length == 0)
        {
          if (!g_ascii_isdigit (*p))
            return FALSE;
          term = (double) g_ascii_strtoull (p, &end, 10);
          length = (gsize) (end - p);
        }
      sum += sign * term;
      p = skip_blanks (p + length);
      if (*p != '+' && *p != '-')
        break;
      sign = *p == '-' ? -1 : 1;
      p = skip_blanks (p + 1);
    }
  if (*p == '\0' || strchr (ends, *p) == NULL || !(fabs (sum) < 1e6) || sum != floor (sum))
    return FALSE;
  *whole = (int) sum;
  *at = p;
  return TRUE;
}

/* --- Elements -------------------------------------------------------------------------------- */

static void
note_element (WeirPartReading *r, const char *name, const char *element)
{
  GPtrArray *elements = g_hash_table_lookup (r->arrays, name);

  if (elements == NULL)
    {
      elements = g_ptr_array_new ();
      g_hash_table_insert (r->arrays, (gpointer) g_intern_string (name), elements);
    }
  if (!g_ptr_array_find (elements, element, NULL))
    g_ptr_array_add (elements, (gpointer) element);
}

GHashTable *
weir_part_arrays_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_ptr_array_unref);
}

/* "sum(i)", "sum(p.i)": the text instead; NULL if it is not of elements. @at: behind "sum". */
static char *
dup_sum (const WeirPartReading *r, const char *at, const char **end)
{
  const char *p = skip_blanks (at), *behind;
  gsize length;
  g_autofree char *name = NULL;
  const GPtrArray *elements;
  GString *sum;

  if (*p != '(')
    return NULL;
  p = skip_blanks (p + 1);
  length = measure_word (p);
  name = g_strndup (p, length);
  elements = g_hash_table_lookup (r->arrays, name);
  behind = p + length;
  p = behind + strcspn (behind, ") +-*/(");
  if (elements == NULL || *skip_blanks (p) != ')')
    return NULL;
  *end = skip_blanks (p) + 1;
  sum = g_string_new ("(");
  for (guint i = 0; i < elements->len; i++)
    g_string_append_printf (sum, "%s%s%.*s", i > 0 ? " + " : "", (char *) elements->pdata[i],
                            (int) (p - behind), behind);
  g_string_append_c (sum, ')');
  return g_string_free (sum, FALSE);
}

/* Does the line begin with the declaration of what may have a number? */
static gboolean
declares_elements (const WeirPartReading *r, const char *line)
{
  gsize length = measure_word (line);

  return is_word (line, length, "pin") || is_word (line, length, "through")
         || is_word (line, length, "across")
         || (r->report == NULL
             && (is_word (line, length, "variable") || is_word (line, length, "input")
                 || is_word (line, length, "output")));
}

/* @line with the elements called as they are. (transfer full) */
static char *
dup_named (WeirPartReading *r, const char *line)
{
  GString *named = g_string_new (NULL);
  gboolean declares = declares_elements (r, line);
  guint n_words = 0;

  for (const char *at = line; *at != '\0';)
    {
      const char *end = at + 1;
      gsize length = measure_word (at);
      int number;

      if (*at == '#')
        end = at + strlen (at);
      else if (*at == '"')
        end = skip_text (at);
      else if (g_ascii_isdigit (*at))
        while (weir_part_is_name_char (*end) || *end == '.')
          end++;
      if (length > 0)
        {
          g_autofree char *name = g_strndup (at, length);
          const char *index = at + length + 1;
          g_autofree char *sum = strcmp (name, "sum") == 0 ? dup_sum (r, at + length, &end) : NULL;

          n_words++;
          if (sum != NULL)
            {
              g_string_append (named, sum);
              at = end;
              continue;
            }
          end = at + length;
          if (*end == '[' && ((declares && n_words == 2) || g_hash_table_contains (r->arrays, name))
              && take_whole (r, &index, "]", &number))
            {
              g_autofree char *element = g_strdup_printf ("%s%d", name, number);

              if (declares && n_words == 2)
                note_element (r, name, g_intern_string (element));
              g_string_append (named, element);
              at = index + 1;
              continue;
            }
        }
      g_string_append_len (named, at, end - at);
      at = end;
    }
  return g_string_free (named, FALSE);
}

static gboolean
mentions_elements (const WeirPartReading *r, const char *line)
{
  for (const char *at = line; *at != '\0' && *at != '#';)
    {
      gsize length = measure_word (at);
      g_autofree char *name = g_strndup (at, length);

      if (length > 0 && at[length] == '[' && g_hash_table_contains (r->arrays, name))
        return TRUE;
      at = *at == '"' ? skip_text (at) : at + MAX (length, 1);
    }
  return FALSE;
}

/* --- Conditions and loops -------------------------------------------------------------------- */

/* "if heated: LINE", "if not heated: LINE"; NULL: it is none. */
static const char *
skip_condition (const char *line, char **name, gboolean *is_not)
{
  const char *at = skip_blanks (line + strlen ("if"));
  gsize length = measure_word (at);

  if (!is_word (line, measure_word (line), "if"))
    return NULL;
  *is_not = is_word (at, length, "not");
  if (*is_not)
    {
      at = skip_blanks (at + length);
      length = measure_word (at);
    }
  *name = g_strndup (at, length);
  at = skip_blanks (at + length);
  if (length > 0 && *at == ':' && at[1] != '=')
    return skip_blanks (at + 1);
  g_clear_pointer (name, g_free);
  return NULL;
}

/* @line with @number wherever the word @name stands. (transfer full) */
static char *
dup_with_number (const char *line, const char *name, int number)
{
  GString *text = g_string_new (NULL);

  for (const char *at = line; *at != '\0';)
    {
      gsize length = measure_word (at);
      const char *end = *at == '"' ? skip_text (at) : at + MAX (length, 1);

      if (*at == '#')
        end = at + strlen (at);
      if (g_ascii_isdigit (*at))
        while (weir_part_is_name_char (*end))
          end++;
      if (length > 0 && is_word (at, length, name))
        g_string_append_printf (text, "%d", number);
      else
        g_string_append_len (text, at, end - at);
      at = end;
    }
  return g_string_free (text, FALSE);
}

static gboolean read_nested (WeirPartReading *r, const char *line, guint depth);

/* `for k in FROM:TO: LINE`; @is_loop: (out) is it one? */
static gboolean
read_loop (WeirPartReading *r, const char *line, guint depth, gboolean *is_loop)
{
  const char *at = skip_blanks (line + strlen ("for"));
  gsize length = measure_word (at);
  g_autofree char *name = g_strndup (at, length);
  const char *in = skip_blanks (at + length);
  int from, to;

  *is_loop = FALSE;
  if (length == 0 || !is_word (in, measure_word (in), "in"))
    return TRUE;
  at = in + strlen ("in");
  if (!take_whole (r, &at, ":", &from) || (at++, !take_whole (r, &at, ":", &to)))
    {
      *is_loop = r->report == NULL;
      return !*is_loop
             || weir_part_reading_fail (r,
                                        N_ ("a loop is written 'for k in 1:n: LINE', with counts "
                                            "that stand before it."));
    }
  at = skip_blanks (at + 1);
  if (r->report != NULL && !mentions_elements (r, at))
    {
      g_autofree char *word = g_strndup (at, measure_word (at));

      if (!weir_part_word_is_own (word))
        return TRUE;
    }
  *is_loop = TRUE;
  for (int k = from; k <= to; k++)
    {
      g_autofree char *inner = dup_with_number (at, name, k);

      if (!read_nested (r, inner, depth + 1))
        return FALSE;
    }
  return TRUE;
}

/* Of what stands under a condition that does not hold the type has the parameters; the part of a
 * block has nothing of it. */
static gboolean
read_absent (WeirPartReading *r, const char *line)
{
  gsize length = measure_word (line), n_meaning = r->meaning->len;
  gboolean is_read;

  if (r->report != NULL || r->arguments != NULL
      || !(is_word (line, length, "parameter") || is_word (line, length, "start")
           || is_word (line, length, "constant")))
    return TRUE;
  is_read = weir_part_reading_read_plain (r, line);
  g_string_truncate (r->meaning, n_meaning);
  return is_read;
}

static gboolean
read_nested (WeirPartReading *r, const char *line, guint depth)
{
  g_autofree char *condition = NULL;
  g_autofree char *named = NULL;
  gboolean is_not, is_loop;
  const char *rest = skip_condition (line, &condition, &is_not);
  double value;

  if (depth > MAX_NESTING)
    return weir_part_reading_fail (r, N_ ("loops and conditions may be nested %d deep."),
                                   MAX_NESTING);
  if (rest != NULL && weir_part_reading_find_number (r, condition, &value))
    return (value != 0) != is_not ? read_nested (r, rest, depth + 1) : read_absent (r, rest);
  if (rest != NULL && r->report == NULL)
    return weir_part_reading_fail (r, N_ ("there is no option '%s' before it."), condition);
  if (is_word (line, measure_word (line), "for"))
    {
      gboolean is_read = read_loop (r, line, depth, &is_loop);

      if (is_loop || !is_read)
        return is_read;
    }
  if (++r->n_lines > MAX_LINES)
    return weir_part_reading_fail (r, N_ ("the line stands for more than %d lines."), MAX_LINES);
  named = dup_named (r, line);
  return weir_part_reading_read_plain (r, named);
}

gboolean
weir_part_reading_read_line (WeirPartReading *r, const char *line)
{
  r->n_lines = 0;
  return read_nested (r, line, 0);
}

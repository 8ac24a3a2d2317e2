/* Lines of the equation language in the texts of parts: to pieces, of which those that are names
 * are put behind the path of the block, and those at pins are what its network makes of them.
 */
#include "blocks/parts/part-private.h"

#include <string.h>

#include "base/text.h"
#include "equations/text/syntax.h"

/* "p.v" */
static gboolean
find_at_pin (const WeirPartType *part, const char *name, WeirPiece *piece)
{
  const char *dot = strchr (name, '.');
  guint pin = dot != NULL ? weir_part_type_find_pin (part, name, (gsize) (dot - name))
                          : WEIR_NO_PIN;
  const WeirDomain *domain;

  if (pin == WEIR_NO_PIN)
    return FALSE;
  domain = g_array_index (part->pins, WeirPinSpec, pin).domain;
  *piece = (WeirPiece) { WEIR_PIECE_POTENTIAL, NULL, pin };
  if (strcmp (dot + 1, domain->potential) == 0)
    return TRUE;
  piece->kind = WEIR_PIECE_FLOW;
  return strcmp (dot + 1, domain->flow) == 0;
}

static const char *
skip_word (const char *at)
{
  while (weir_part_is_name_char (*at) || (*at == '.' && (g_ascii_isalpha (at[1]) || at[1] == '_')))
    at++;
  return at;
}

static const char *
skip_number (const char *at)
{
  while (g_ascii_isdigit (*at) || *at == '.')
    at++;
  if ((*at == 'e' || *at == 'E')
      && (g_ascii_isdigit (at[1]) || ((at[1] == '-' || at[1] == '+') && g_ascii_isdigit (at[2]))))
    for (at += 2; g_ascii_isdigit (*at);)
      at++;
  return at;
}

static void
add_literal (GArray *pieces, GString *literal)
{
  WeirPiece piece = { WEIR_PIECE_LITERAL, weir_part_keep (literal->str), 0 };

  if (literal->len > 0)
    g_array_append_val (pieces, piece);
  g_string_truncate (literal, 0);
}

/* A name right within D ( ) is kept as a value of its own. */
static void
note_derivative (WeirPartType *part, const GString *literal, const WeirPiece *piece)
{
  if (!g_str_has_suffix (literal->str, "D("))
    return;
  if (piece->kind == WEIR_PIECE_ACROSS)
    g_array_index (part->acrosses, WeirAcross, piece->index).is_kept = TRUE;
  for (guint i = 0; piece->kind == WEIR_PIECE_OWN && i < part->throughs->len; i++)
    {
      WeirThrough *through = &g_array_index (part->throughs, WeirThrough, i);

      through->is_kept = through->is_kept || strcmp (through->name, piece->text) == 0;
    }
}

/* Is the word of the language where it stands, behind @literal and before @after, and no name? */
static gboolean
is_of_language (const char *word, const char *after, gboolean is_first)
{
  static const char *const first[] = { "history", "noise", "override", "extends", NULL };
  guint least, most;
  WeirOp op;

  while (*after == ' ' || *after == '\t')
    after++;
  return weir_word_is_reserved (word)
         || (*after == '(' && weir_op_find_function (word, &op, &least, &most))
         || (is_first && weir_part_is_name_char (*after) && g_strv_contains (first, word));
}

gboolean
weir_part_reading_read_equation (WeirPartReading *r, const char *line)
{
  GArray *pieces = g_array_new (FALSE, FALSE, sizeof (WeirPiece));
  g_autoptr (GString) literal = g_string_new (NULL);
  const char *at = line;

  while (*at != '\0' && *at != '#')
    {
      const char *end = at + 1;
      WeirPiece piece;
      g_autofree char *word = NULL;

      if (*at == '"')
        end = strchr (at + 1, '"') != NULL ? strchr (at + 1, '"') + 1 : at + strlen (at);
      else if (g_ascii_isdigit (*at))
        end = skip_number (at);
      else if (weir_part_is_name_char (*at))
        end = skip_word (at);
      word = g_strndup (at, (gsize) (end - at));
      if (weir_part_is_name_char (*at) && !g_ascii_isdigit (*at)
          && (find_at_pin (r->part, word, &piece) || weir_part_find_own (r->part, word, &piece)))
        {
          note_derivative (r->part, literal, &piece);
          if (piece.kind == WEIR_PIECE_POTENTIAL && *end == ')'
              && g_str_has_suffix (literal->str, "D("))
            {
              g_string_truncate (literal, literal->len - strlen ("D("));
              piece.kind = WEIR_PIECE_RATE;
              end++;
            }
          piece.text = g_intern_string (word);
          add_literal (pieces, literal);
          g_array_append_val (pieces, piece);
        }
      else if (weir_part_is_name_char (*at) && !g_ascii_isdigit (*at)
               && !is_of_language (word, end, at == line))
        {
          /* A text of equations need not declare what it names. */
          if (r->report == NULL)
            {
              weir_part_reading_fail (r, N_ ("there is no '%s'; declare it: variable %s."), word,
                                      word);
              g_array_unref (pieces);
              return FALSE;
            }
          piece = (WeirPiece) { WEIR_PIECE_OWN, g_intern_string (word), 0 };
          add_literal (pieces, literal);
          g_array_append_val (pieces, piece);
        }
      else
        g_string_append (literal, word);
      at = end;
    }
  add_literal (pieces, literal);
  g_ptr_array_add (r->part->lines, pieces);
  return TRUE;
}

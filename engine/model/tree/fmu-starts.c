/* Values at the start, of FMUs. See fmu-starts.h. */
#include "model/tree/fmu-starts.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

#define MAX_LISTED 64 /* elements of a list that is shown whole */

static const char *const switched[] = { "false", "true", NULL };

/* --- Texts ----------------------------------------------------------------------------------- */

/* One of them: where it is in the whole, up to what parts it from the next. */
typedef struct {
  const char *begin, *end;
  const char *equals; /* NULL: it is none */
} Piece;

static const char *
skip_blanks (const char *p)
{
  while (g_ascii_isspace (*p))
    p++;
  return p;
}

/* Behind the quote that ends the text, or where all ends. */
static const char *
skip_quoted (const char *p)
{
  for (p++; *p != '\0' && *p != '"'; p++)
    if (*p == '\\' && p[1] != '\0')
      p++;
  return *p == '"' ? p + 1 : p;
}

/* The piece that begins at @p; a name may have an equals sign in it, so that the last counts that
 * is not in quotes. */
static Piece
find_piece (const char *p)
{
  Piece piece = { p, p, NULL };

  while (*p != '\0' && *p != ';' && *p != '\n')
    {
      if (*p != '=')
        {
          p++;
          continue;
        }
      piece.equals = p++;
      if (*skip_blanks (p) == '"')
        p = skip_quoted (skip_blanks (p));
    }
  piece.end = p;
  return piece;
}

static char *
dup_stripped (const char *begin, const char *end)
{
  return g_strstrip (g_strndup (begin, (gsize) (end - begin)));
}

static gboolean
is_of (const Piece *piece, const char *variable)
{
  g_autofree char *name = piece->equals != NULL ? dup_stripped (piece->begin, piece->equals) : NULL;

  return name != NULL && g_str_equal (name, variable);
}

/* As it stands there; the last counts. NULL: there is none. (transfer full) */
static char *
dup_value (const char *text, const char *variable)
{
  char *value = NULL;

  for (const char *p = text; *p != '\0';)
    {
      Piece piece = find_piece (p);

      if (is_of (&piece, variable))
        {
          g_free (value);
          value = dup_stripped (piece.equals + 1, piece.end);
        }
      p = *piece.end != '\0' ? piece.end + 1 : piece.end;
    }
  return value;
}

/* @text with @value, as it stands there, for a variable; NULL: without. (transfer full) */
static char *
put_value (const char *text, const char *variable, const char *value)
{
  const char *between = strchr (text, '\n') != NULL ? "\n" : "; ";
  GString *changed = g_string_new (NULL);
  gboolean is_told = value == NULL;

  for (const char *p = text; *p != '\0';)
    {
      Piece piece = find_piece (p);
      g_autofree char *own = dup_stripped (piece.begin, piece.end);
      gboolean is_other = !is_of (&piece, variable);

      p = *piece.end != '\0' ? piece.end + 1 : piece.end;
      if (*own == '\0' || (!is_other && is_told))
        continue;
      g_string_append (changed, changed->len > 0 ? between : "");
      if (is_other)
        g_string_append (changed, own);
      else
        g_string_append_printf (changed, "%s = %s", variable, value);
      is_told |= !is_other;
    }
  if (!is_told)
    g_string_append_printf (changed, "%s%s = %s", changed->len > 0 ? between : "", variable, value);
  return g_string_free (changed, FALSE);
}

char *
weir_fmu_starts_quote (const char *text)
{
  GString *quoted = g_string_new ("\"");

  for (const char *p = text; *p != '\0'; p++)
    if (*p == '\n')
      g_string_append (quoted, "\\n");
    else if (*p == '"' || *p == '\\')
      g_string_append_printf (quoted, "\\%c", *p);
    else
      g_string_append_c (quoted, *p);
  g_string_append_c (quoted, '"');
  return g_string_free (quoted, FALSE);
}

/* What is in no quotes stays as it is. (transfer full) */
static char *
unquote (const char *value)
{
  GString *text = g_string_new (NULL);

  if (*value != '"')
    {
      g_string_append (text, value);
      return g_string_free (text, FALSE);
    }
  for (const char *p = value + 1; *p != '\0' && *p != '"'; p++)
    {
      gboolean is_escaped = *p == '\\' && p[1] != '\0';

      p += is_escaped;
      g_string_append_c (text, is_escaped && *p == 'n' ? '\n' : *p);
    }
  return g_string_free (text, FALSE);
}

/* --- Values ---------------------------------------------------------------------------------- */

static gboolean
has_words (const WeirFmuVariable *variable)
{
  return variable->traits.type == WEIR_FMU_BOOLEAN
         || (variable->traits.type == WEIR_FMU_ENUMERATION && variable->traits.n_items > 0);
}

static gboolean
is_text (const WeirFmuVariable *variable)
{
  return variable->traits.type == WEIR_FMU_STRING || variable->traits.type == WEIR_FMU_BINARY;
}

/* Of the words of a Boolean or an enumeration. */
static gboolean
find_word (const WeirFmuVariable *variable, const char *word, double *value)
{
  for (guint i = 0; switched[i] != NULL && variable->traits.type == WEIR_FMU_BOOLEAN; i++)
    if (g_str_equal (word, switched[i]))
      {
        *value = i;
        return TRUE;
      }
  for (guint i = 0; i < variable->traits.n_items; i++)
    if (g_str_equal (word, variable->traits.items[i].name))
      {
        *value = (double) variable->traits.items[i].value;
        return TRUE;
      }
  return FALSE;
}

/* NULL: it is none of them. */
static const char *
find_word_of (const WeirFmuVariable *variable, double value)
{
  if (variable->traits.type == WEIR_FMU_BOOLEAN)
    return switched[value != 0];
  for (guint i = 0; i < variable->traits.n_items; i++)
    if ((double) variable->traits.items[i].value == value)
      return variable->traits.items[i].name;
  return NULL;
}

/* "true", "[true, false]", "second". NULL: it is not of words alone. (transfer full) */
static double *
parse_words (const WeirFmuVariable *variable, const char *value, guint *n)
{
  gsize length = strlen (value);
  gboolean is_list = *value == '[' && value[length - 1] == ']';
  g_autofree char *inside = is_list ? g_strndup (value + 1, length - 2) : unquote (value);
  g_auto (GStrv) words = g_strsplit (inside, is_list ? "," : "\n", -1);
  g_autofree double *values = NULL;

  *n = g_strv_length (words);
  values = g_new0 (double, *n + 1);
  for (guint i = 0; i < *n; i++)
    {
      g_autofree char *word = unquote (g_strstrip (words[i]));

      if (!find_word (variable, word, &values[i]))
        return NULL;
    }
  return *n > 0 ? g_steal_pointer (&values) : NULL;
}

static gboolean
read_bytes (const char *digits, WeirFmuText *text)
{
  gsize length = strlen (digits);
  char *bytes;

  if (length % 2 != 0 || strspn (digits, "0123456789abcdefABCDEF") != length)
    return FALSE;
  text->size = length / 2;
  text->data = bytes = g_malloc0 (text->size + 1);
  for (gsize i = 0; i < text->size; i++)
    bytes[i] = (char) (g_ascii_xdigit_value (digits[2 * i]) << 4
                       | g_ascii_xdigit_value (digits[2 * i + 1]));
  return TRUE;
}

static gboolean
read_text (const WeirFmuVariable *variable, const char *value, WeirFmuStart *start, GError **error)
{
  g_autofree char *text = unquote (value);

  if (variable->n_dimensions > 0)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "\"%s\" is a list of texts, to which no values can be given.",
                      variable->name);
      return FALSE;
    }
  if (variable->traits.type == WEIR_FMU_STRING)
    {
      start->text.size = strlen (text);
      start->text.data = g_steal_pointer (&text);
      return TRUE;
    }
  if (read_bytes (text, &start->text))
    return TRUE;
  weir_error_set (error, WEIR_ERROR_INVALID,
                  "\"%s\" takes bytes, which are written as pairs of hexadecimal digits.",
                  variable->name);
  return FALSE;
}

/* @v: or WEIR_FMU_NONE. */
static gboolean
read_value (const WeirFmuDescription *d, guint v, const char *value, WeirFmuStart *start,
            GError **error)
{
  const WeirFmuVariable *variable = v != WEIR_FMU_NONE ? &d->variables[v] : NULL;
  double *values = NULL;

  if (variable != NULL && is_text (variable))
    return read_text (variable, value, start, error);
  if (variable != NULL && has_words (variable) && *value != '\0')
    values = parse_words (variable, value, &start->n_values);
  if (values == NULL)
    values = weir_value_parse (value, &start->n_values, error);
  start->values = values;
  return values != NULL;
}

typedef WeirFmuStart Start;

static void
start_clear (gpointer data)
{
  WeirFmuStart *start = data;

  g_free ((char *) start->variable);
  g_free ((double *) start->values);
  g_free ((char *) start->text.data);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Start, start_clear)

GArray *
weir_fmu_starts_read (const char *text, const WeirFmuDescription *d, GError **error)
{
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (WeirFmuStart));

  g_array_set_clear_func (starts, start_clear);
  for (const char *p = text; *p != '\0';)
    {
      Piece piece = find_piece (p);
      g_autofree char *whole = dup_stripped (piece.begin, piece.end), *value = NULL;
      WeirFmuStart start = { 0 };

      p = *piece.end != '\0' ? piece.end + 1 : piece.end;
      if (*whole == '\0')
        continue;
      if (piece.equals == NULL)
        {
          weir_error_set (error, WEIR_ERROR_INVALID,
                          "\"%s\" gives no value at the start: write it as \"mass = 2\".", whole);
          return NULL;
        }
      value = dup_stripped (piece.equals + 1, piece.end);
      start.variable = dup_stripped (piece.begin, piece.equals);
      if (!read_value (d, weir_fmu_description_find (d, start.variable), value, &start, error))
        {
          start_clear (&start);
          return NULL;
        }
      g_array_append_val (starts, start);
    }
  return g_steal_pointer (&starts);
}

/* --- Parameters ------------------------------------------------------------------------------ */

/* A state whose start is the file's to say, or to propose. */
static gboolean
is_begun (const WeirFmuVariable *variable)
{
  return variable->derivative != WEIR_FMU_NONE && variable->alias_of == WEIR_FMU_NONE
         && variable->causality != WEIR_FMU_INPUT
         && (variable->initial == WEIR_FMU_EXACT || variable->initial == WEIR_FMU_APPROX);
}

static gboolean
is_listed (const WeirFmuVariable *variable)
{
  gboolean is_parameter = variable->causality == WEIR_FMU_PARAMETER
                          || variable->causality == WEIR_FMU_STRUCTURAL_PARAMETER;

  return (is_parameter || is_begun (variable)) && variable->n_start > 0 && variable->n_clocks == 0
         && variable->size <= MAX_LISTED && !(is_text (variable) && variable->n_dimensions > 0);
}

static char *
dup_list (const double *values, guint n, gsize size)
{
  g_autofree double *all = g_new (double, size);

  for (gsize i = 0; i < size; i++)
    all[i] = values[n == size ? i : 0];
  return weir_value_to_string (all, (guint) size);
}

static char *
dup_digits (const WeirFmuText *text)
{
  GString *digits = g_string_new (NULL);

  for (gsize i = 0; i < text->size; i++)
    g_string_append_printf (digits, "%02x", (guchar) text->data[i]);
  return g_string_free (digits, FALSE);
}

/* As a field shows it. (transfer full) */
static char *
dup_default (const WeirFmuVariable *variable)
{
  const char *word;

  if (variable->traits.type == WEIR_FMU_STRING)
    return g_strdup (variable->start_texts[0].data);
  if (variable->traits.type == WEIR_FMU_BINARY)
    return dup_digits (&variable->start_texts[0]);
  word = has_words (variable) && variable->size == 1 ? find_word_of (variable, variable->start[0])
                                                     : NULL;
  return word != NULL ? g_strdup (word)
                      : dup_list (variable->start, variable->n_start, variable->size);
}

static const char *const *
list_items (const WeirFmuVariable *variable)
{
  const char **names = g_new0 (const char *, variable->traits.n_items + 1);

  for (guint i = 0; i < variable->traits.n_items; i++)
    names[i] = variable->traits.items[i].name;
  return names;
}

static WeirValueKind
get_kind (const WeirFmuVariable *variable)
{
  if (is_text (variable))
    return WEIR_VALUE_TEXT;
  if (variable->size > 1)
    return WEIR_VALUE_VECTOR;
  if (has_words (variable) && find_word_of (variable, variable->start[0]) != NULL)
    return WEIR_VALUE_CHOICE;
  return weir_fmu_type_is_float (variable->traits.type) ? WEIR_VALUE_NUMBER : WEIR_VALUE_INTEGER;
}

/* Appends those that are states, or those that are not. */
static void
list_some (const WeirFmuDescription *d, gboolean are_states, GArray *parameters)
{
  const WeirFmuDescription *base = weir_fmu_description_get_base (d);

  for (guint v = 0; v < d->n_variables; v++)
    {
      const WeirFmuVariable *variable = &d->variables[v];
      const WeirFmuTraits *traits = &variable->traits;
      WeirParameterSpec spec = { .name = variable->name,
                                 .label = variable->name,
                                 .unit = traits->unit,
                                 .help = variable->description,
                                 .minimum = isnan (traits->min) ? (double) -INFINITY : traits->min,
                                 .maximum = isnan (traits->max) ? (double) INFINITY : traits->max,
                                 .is_initial = are_states,
                                 .is_literal = TRUE };

      if (!is_listed (variable) || (variable->derivative != WEIR_FMU_NONE) != are_states)
        continue;
      spec.kind = get_kind (variable);
      /* Of what decides on sizes the file's own, whatever the sizes are here. */
      spec.default_text = dup_default (
          variable->causality == WEIR_FMU_STRUCTURAL_PARAMETER ? &base->variables[v] : variable);
      if (spec.kind == WEIR_VALUE_CHOICE)
        spec.choices = traits->type == WEIR_FMU_BOOLEAN ? switched : list_items (variable);
      if (spec.kind == WEIR_VALUE_TEXT)
        {
          spec.minimum = 0; /* of its length */
          spec.maximum = INFINITY;
        }
      else if (variable->variability == WEIR_FMU_TUNABLE
               && variable->causality == WEIR_FMU_PARAMETER)
        spec.tunable = variable->name;
      g_array_append_val (parameters, spec);
    }
}

GArray *
weir_fmu_list_parameters (const WeirFmuDescription *d)
{
  GArray *parameters = g_array_new (FALSE, FALSE, sizeof (WeirParameterSpec));

  list_some (d, FALSE, parameters);
  list_some (d, TRUE, parameters);
  return parameters;
}

char *
weir_fmu_starts_dup (const char *text, const WeirFmuDescription *d, const WeirParameterSpec *spec)
{
  const char *word = NULL;
  g_autofree char *value = dup_value (text, spec->name);
  g_autofree double *values = NULL;
  guint v, n = 0;

  if (value == NULL)
    return g_strdup (spec->default_text);
  if (spec->kind == WEIR_VALUE_TEXT)
    return unquote (value);
  v = weir_fmu_description_find (d, spec->name);
  if (spec->kind == WEIR_VALUE_CHOICE)
    values = weir_value_parse (value, &n, NULL);
  if (n == 1 && v != WEIR_FMU_NONE)
    word = find_word_of (&d->variables[v], values[0]);
  if (word != NULL)
    return g_strdup (word);
  return spec->kind == WEIR_VALUE_CHOICE ? unquote (value) : g_steal_pointer (&value);
}

/* All elements. NULL: the text makes no sense. (transfer full) */
static double *
dup_numbers (const WeirFmuDescription *d, const WeirParameterSpec *spec, const char *value)
{
  guint v = weir_fmu_description_find (d, spec->name);
  g_auto (Start) start = { 0 };
  gsize size = d->variables[v].size;
  double *numbers;

  if (!read_value (d, v, value, &start, NULL) || start.values == NULL
      || (start.n_values != 1 && start.n_values != size))
    return NULL;
  numbers = g_new (double, size);
  for (gsize i = 0; i < size; i++)
    numbers[i] = start.values[start.n_values == 1 ? 0 : i];
  return numbers;
}

double *
weir_fmu_starts_dup_numbers (const char *text, const WeirFmuDescription *d,
                             const WeirParameterSpec *spec, guint *size)
{
  g_autofree char *value = dup_value (text, spec->name);

  if (spec->kind == WEIR_VALUE_TEXT)
    return NULL;
  *size = (guint) d->variables[weir_fmu_description_find (d, spec->name)].size;
  return dup_numbers (d, spec, value != NULL ? value : spec->default_text);
}

static const WeirParameterSpec *
find_spec (const GArray *parameters, const char *name)
{
  for (guint i = 0; i < parameters->len; i++)
    if (g_str_equal (g_array_index (parameters, WeirParameterSpec, i).name, name))
      return &g_array_index (parameters, WeirParameterSpec, i);
  return NULL;
}

/* The next from @p on, which it moves, that is not of a run alone. (transfer full), or NULL */
static char *
dup_next_of_start (const WeirFmuDescription *d, const GArray *parameters, const char **p)
{
  while (**p != '\0')
    {
      Piece piece = find_piece (*p);
      g_autofree char *whole = dup_stripped (piece.begin, piece.end);
      const WeirParameterSpec *spec = NULL;
      g_autofree char *name = NULL, *value = NULL;
      g_autofree double *numbers = NULL;

      *p = *piece.end != '\0' ? piece.end + 1 : piece.end;
      if (piece.equals != NULL)
        {
          name = dup_stripped (piece.begin, piece.equals);
          value = dup_stripped (piece.equals + 1, piece.end);
          spec = find_spec (parameters, name);
        }
      if (spec != NULL && spec->tunable != NULL)
        numbers = dup_numbers (d, spec, value);
      if (numbers == NULL && *whole != '\0')
        return g_steal_pointer (&whole);
    }
  return NULL;
}

gboolean
weir_fmu_starts_equal_but_tuned (const char *a, const char *b, const WeirFmuDescription *d,
                                 const GArray *parameters)
{
  gboolean are_same = TRUE, goes_on = TRUE;

  while (goes_on)
    {
      g_autofree char *next_a = dup_next_of_start (d, parameters, &a);
      g_autofree char *next_b = dup_next_of_start (d, parameters, &b);

      are_same = g_strcmp0 (next_a, next_b) == 0;
      goes_on = are_same && next_a != NULL;
    }
  return are_same;
}

/* As it stands among the others. (transfer full) */
static char *
dup_written (const WeirParameterSpec *spec, const char *value)
{
  gboolean is_word = g_ascii_isalpha (*value) || *value == '_';

  for (const char *p = value; *p != '\0'; p++)
    is_word &= g_ascii_isalnum (*p) || *p == '_';
  return spec->kind == WEIR_VALUE_TEXT || (spec->kind == WEIR_VALUE_CHOICE && !is_word)
             ? weir_fmu_starts_quote (value)
             : g_strdup (value);
}

static gboolean
has_size (const WeirFmuDescription *d, const WeirFmuStart *start, GError **error)
{
  const WeirFmuVariable *variable = &d->variables[weir_fmu_description_find (d, start->variable)];

  if (start->text.data != NULL || start->n_values == 1 || start->n_values == variable->size)
    return TRUE;
  weir_error_set (error, WEIR_ERROR_INVALID, "\"%s\" has %u values, but is to start with %u.",
                  variable->name, (guint) variable->size, start->n_values);
  return FALSE;
}

char *
weir_fmu_starts_change (const char *text, const WeirFmuDescription *d,
                        const WeirParameterSpec *spec, const char *value, GError **error)
{
  g_autofree char *written = NULL, *one = NULL;
  gboolean is_default = value == NULL || g_str_equal (value, spec->default_text);
  g_autoptr (GArray) starts = NULL;

  if (!is_default && !weir_parameter_spec_check (spec, value, error))
    return NULL;
  written = is_default ? NULL : dup_written (spec, value);
  one = put_value ("", spec->name, written);
  starts = weir_fmu_starts_read (one, d, error);
  if (starts == NULL
      || (starts->len > 0 && !has_size (d, &g_array_index (starts, WeirFmuStart, 0), error)))
    return NULL;
  return put_value (text, spec->name, written);
}

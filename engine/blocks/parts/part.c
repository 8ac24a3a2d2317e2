/* Reading the texts of parts. See part.h. */
#include "blocks/parts/part.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

typedef struct {
  const char *at; /* in the line */
  int line;
  const char *group;
  WeirPartType *part; /* the open one, or NULL */
  GPtrArray *parts;
  GError **error;
} Reading;

/* --- Words ----------------------------------------------------------------------------------- */

/* FALSE, with an error that names the part and the line. */
static gboolean G_GNUC_PRINTF (2, 3) fail (const Reading *r, const char *format, ...)
{
  g_autofree char *problem = NULL;
  va_list args;

  va_start (args, format);
  problem = g_strdup_vprintf (format, args);
  va_end (args);
  weir_error_set (r->error, WEIR_ERROR_INVALID, "Part %s, line %d: %s",
                  r->part != NULL ? r->part->type.name : "?", r->line, problem);
  return FALSE;
}

static void
skip_blanks (Reading *r)
{
  while (*r->at == ' ' || *r->at == '\t')
    r->at++;
}

static gboolean
is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == '_' || (guchar) c >= 0x80;
}

/* "" if there is none here. Interned. */
static const char *
take_name (Reading *r)
{
  const char *start;
  g_autofree char *name = NULL;

  skip_blanks (r);
  start = r->at;
  while (is_name_char (*r->at))
    r->at++;
  name = g_strndup (start, (gsize) (r->at - start));
  return g_intern_string (name);
}

static gboolean
take_mark (Reading *r, const char *mark)
{
  skip_blanks (r);
  if (!g_str_has_prefix (r->at, mark))
    return FALSE;
  r->at += strlen (mark);
  return TRUE;
}

/* Of a text in quotes; NULL if there is none here. Interned. */
static const char *
take_text (Reading *r)
{
  const char *end;
  g_autofree char *text = NULL;

  skip_blanks (r);
  end = *r->at == '"' ? strchr (r->at + 1, '"') : NULL;
  if (end == NULL)
    return NULL;
  text = g_strndup (r->at + 1, (gsize) (end - r->at - 1));
  r->at = end + 1;
  return g_intern_string (text);
}

/* Up to one of @ends, without blanks around. Interned. */
static const char *
take_until (Reading *r, const char *ends)
{
  gsize length = strcspn (r->at, ends);
  g_autofree char *text = g_strstrip (g_strndup (r->at, length));

  r->at += length;
  return g_intern_string (text);
}

/* --- What a part declares -------------------------------------------------------------------- */

static guint
find_pin (const WeirPartType *part, const char *name, gsize length)
{
  for (guint i = 0; i < part->pins->len; i++)
    {
      const char *pin = g_array_index (part->pins, WeirPinSpec, i).name;

      if (strlen (pin) == length && strncmp (pin, name, length) == 0)
        return i;
    }
  return WEIR_NO_PIN;
}

static gboolean
take_pin (Reading *r, guint *pin)
{
  const char *name = take_name (r);

  *pin = find_pin (r->part, name, strlen (name));
  return *pin != WEIR_NO_PIN || fail (r, "there is no pin '%s'.", name);
}

static gboolean
read_pin (Reading *r)
{
  static const char *const sides[] = { "left", "right", "top", "bottom", NULL };
  WeirPinSpec pin = { .name = take_name (r) };
  const char *domain, *side;

  if (!take_mark (r, ":"))
    return fail (r, "a pin is written 'pin p: electrical left'.");
  domain = take_name (r);
  pin.domain = weir_domain_find (domain);
  if (pin.domain == NULL)
    return fail (r, "there is no domain '%s'.", domain);
  side = take_name (r);
  while (pin.side < WEIR_SIDE_BOTTOM && strcmp (sides[pin.side], side) != 0)
    pin.side++;
  g_array_append_val (r->part->pins, pin);
  return TRUE;
}

/* `through i: p -> n`, `through Q: p`; `across v: p - n`, `across T: p`. */
static gboolean
read_between (Reading *r, gboolean is_through)
{
  WeirThrough through = { take_name (r), WEIR_NO_PIN, WEIR_NO_PIN, FALSE };
  WeirAcross across;

  if (!take_mark (r, ":"))
    return fail (r, "a colon is missing after '%s'.", through.name);
  if (!take_pin (r, &through.from)
      || (take_mark (r, is_through ? "->" : "-") && !take_pin (r, &through.to)))
    return FALSE;
  across = (WeirAcross) { through.name, through.from, through.to, FALSE };
  if (is_through)
    g_array_append_val (r->part->throughs, through);
  else
    g_array_append_val (r->part->acrosses, across);
  return TRUE;
}

/* `fixes p n`, `drives p`, `stores p n v0`, `joins p n` */
static gboolean
read_role (Reading *r, const char *word)
{
  WeirPartRole role = { WEIR_ROLE_FIXES, WEIR_NO_PIN, WEIR_NO_PIN, NULL };
  const char *name;

  if (word[0] == 'd')
    role.kind = WEIR_ROLE_DRIVES;
  else if (word[0] == 's')
    role.kind = WEIR_ROLE_STORES;
  else if (word[0] == 'j')
    role.kind = WEIR_ROLE_JOINS;
  if (!take_pin (r, &role.from))
    return FALSE;
  name = take_name (r);
  role.to = find_pin (r->part, name, strlen (name));
  role.start = role.to != WEIR_NO_PIN ? take_name (r) : name;
  g_array_append_val (r->part->roles, role);
  return TRUE;
}

static gboolean
read_name (Reading *r, GArray *names)
{
  WeirPartName name = { take_name (r), NULL };

  name.unit = take_text (r);
  g_array_append_val (names, name);
  return TRUE;
}

/* `NAME [> LEAST] = DEFAULT ["UNIT"] [# LABEL: HELP]` */
static gboolean
read_parameter (Reading *r, gboolean is_tunable, gboolean is_initial)
{
  WeirParameterSpec spec = { .name = take_name (r), .minimum = -INFINITY, .maximum = INFINITY };

  spec.kind = WEIR_VALUE_NUMBER;
  if (take_mark (r, ">"))
    {
      spec.exclusive_minimum = !take_mark (r, "=");
      spec.minimum = g_ascii_strtod (take_until (r, "="), NULL);
    }
  if (!take_mark (r, "="))
    return fail (r, "parameter '%s' has no value.", spec.name);
  skip_blanks (r);
  spec.default_text = take_until (r, "\"#");
  spec.unit = take_text (r);
  spec.label = spec.name;
  spec.help = "";
  if (take_mark (r, "#"))
    {
      spec.label = take_until (r, ":");
      spec.help = take_mark (r, ":") ? take_until (r, "") : "";
    }
  spec.tunable = is_tunable ? spec.name : NULL;
  spec.is_initial = is_initial;
  g_array_append_val (r->part->parameters, spec);
  return TRUE;
}

/* --- Lines of equations ---------------------------------------------------------------------- */

static gboolean
has_name (const GArray *names, const char *name)
{
  for (guint i = 0; i < names->len; i++)
    if (strcmp (g_array_index (names, WeirPartName, i).name, name) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
find_own (const WeirPartType *part, const char *name, WeirPiece *piece)
{
  for (guint i = 0; i < part->parameters->len; i++)
    {
      const WeirParameterSpec *spec = &g_array_index (part->parameters, WeirParameterSpec, i);

      if (strcmp (spec->name, name) != 0)
        continue;
      *piece = (WeirPiece) { spec->tunable != NULL ? WEIR_PIECE_OWN : WEIR_PIECE_VALUE, spec->name,
                             i };
      return TRUE;
    }
  for (guint i = 0; i < part->acrosses->len; i++)
    if (strcmp (g_array_index (part->acrosses, WeirAcross, i).name, name) == 0)
      {
        *piece = (WeirPiece) { WEIR_PIECE_ACROSS, name, i };
        return TRUE;
      }
  for (guint i = 0; i < part->throughs->len; i++)
    if (strcmp (g_array_index (part->throughs, WeirThrough, i).name, name) == 0)
      {
        *piece = (WeirPiece) { WEIR_PIECE_OWN, name, 0 };
        return TRUE;
      }
  *piece = (WeirPiece) { WEIR_PIECE_OWN, name, 0 };
  return has_name (part->variables, name) || has_name (part->inputs, name)
         || has_name (part->outputs, name);
}

/* "p.v" */
static gboolean
find_at_pin (const WeirPartType *part, const char *name, WeirPiece *piece)
{
  const char *dot = strchr (name, '.');
  guint pin = dot != NULL ? find_pin (part, name, (gsize) (dot - name)) : WEIR_NO_PIN;
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
  while (is_name_char (*at) || (*at == '.' && (g_ascii_isalpha (at[1]) || at[1] == '_')))
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
  WeirPiece piece = { WEIR_PIECE_LITERAL, g_intern_string (literal->str), 0 };

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

static gboolean
read_equation (Reading *r, const char *line)
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
      else if (is_name_char (*at))
        end = skip_word (at);
      word = g_strndup (at, (gsize) (end - at));
      if (is_name_char (*at) && !g_ascii_isdigit (*at)
          && (find_at_pin (r->part, word, &piece) || find_own (r->part, word, &piece)))
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
      else
        g_string_append (literal, word);
      at = end;
    }
  add_literal (pieces, literal);
  g_ptr_array_add (r->part->lines, pieces);
  return TRUE;
}

/* --- Parts ----------------------------------------------------------------------------------- */

static void
list_names (const GArray *names, GArray *ports)
{
  for (guint i = 0; i < names->len; i++)
    {
      const WeirPartName *name = &g_array_index (names, WeirPartName, i);
      WeirPortSpec port = { name->name, 1, name->unit };

      g_array_append_val (ports, port);
    }
}

static void
list_inputs (const WeirArguments *arguments, GArray *ports)
{
  list_names (weir_arguments_get_type (arguments)->part->inputs, ports);
}

static void
list_outputs (const WeirArguments *arguments, GArray *ports)
{
  list_names (weir_arguments_get_type (arguments)->part->outputs, ports);
}

static void
list_pins (const WeirArguments *arguments, GArray *pins)
{
  const WeirPartType *part = weir_arguments_get_type (arguments)->part;

  g_array_append_vals (pins, part->pins->data, part->pins->len);
}

static gboolean
begin_part (Reading *r)
{
  WeirPartType *part = g_new0 (WeirPartType, 1);

  part->type.name = take_name (r);
  r->part = part;
  part->type.title = take_text (r);
  part->prefix = take_name (r);
  part->type.category = r->group;
  part->type.summary = "";
  part->type.list_inputs = list_inputs;
  part->type.list_outputs = list_outputs;
  part->type.list_pins = list_pins;
  part->type.part = part;
  part->reference = part->equal[0] = part->equal[1] = WEIR_NO_PIN;
  part->pins = g_array_new (FALSE, FALSE, sizeof (WeirPinSpec));
  part->throughs = g_array_new (FALSE, FALSE, sizeof (WeirThrough));
  part->acrosses = g_array_new (FALSE, FALSE, sizeof (WeirAcross));
  part->roles = g_array_new (FALSE, FALSE, sizeof (WeirPartRole));
  part->parameters = g_array_new (FALSE, FALSE, sizeof (WeirParameterSpec));
  part->inputs = g_array_new (FALSE, FALSE, sizeof (WeirPartName));
  part->outputs = g_array_new (FALSE, FALSE, sizeof (WeirPartName));
  part->variables = g_array_new (FALSE, FALSE, sizeof (WeirPartName));
  part->lines = g_ptr_array_new ();
  g_ptr_array_add (r->parts, part);
  if (r->group == NULL || part->type.title == NULL)
    return fail (r, "a part stands in a group, and has a title in quotes.");
  return TRUE;
}

/* What the first word of a line says; FALSE after a problem. */
static gboolean
read_line (Reading *r, const char *line)
{
  const char *word;

  r->at = line;
  word = take_name (r);
  if (strcmp (word, "group") == 0)
    r->group = take_text (r);
  else if (strcmp (word, "part") == 0)
    return begin_part (r);
  else if (r->part == NULL)
    return fail (r, "'%s' stands before any part.", word);
  else if (strcmp (word, "help") == 0)
    r->part->type.summary = take_text (r);
  else if (strcmp (word, "pin") == 0)
    return read_pin (r);
  else if (strcmp (word, "reference") == 0)
    return take_pin (r, &r->part->reference);
  else if (strcmp (word, "equal") == 0)
    return take_pin (r, &r->part->equal[0]) && take_pin (r, &r->part->equal[1]);
  else if (strcmp (word, "fixes") == 0 || strcmp (word, "drives") == 0
           || strcmp (word, "stores") == 0 || strcmp (word, "joins") == 0)
    return read_role (r, word);
  else if (strcmp (word, "through") == 0 || strcmp (word, "across") == 0)
    return read_between (r, word[0] == 't');
  else if (strcmp (word, "parameter") == 0 || strcmp (word, "start") == 0
           || strcmp (word, "constant") == 0)
    return read_parameter (r, word[0] == 'p', word[0] == 's');
  else if (strcmp (word, "input") == 0)
    return read_name (r, r->part->inputs);
  else if (strcmp (word, "output") == 0)
    return read_name (r, r->part->outputs);
  else if (strcmp (word, "variable") == 0)
    return read_name (r, r->part->variables);
  else
    return read_equation (r, line);
  return TRUE;
}

GPtrArray *
weir_parts_parse (const char *text, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();
  Reading r = { .parts = parts, .error = error };

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strstrip (lines[i]);

      r.line = (int) i + 1;
      if (line[0] != '\0' && line[0] != '#' && !read_line (&r, line))
        return NULL;
    }
  for (guint i = 0; i < parts->len; i++)
    {
      WeirPartType *part = g_ptr_array_index (parts, i);

      part->type.parameters = (const WeirParameterSpec *) (gpointer) part->parameters->data;
      part->type.n_parameters = part->parameters->len;
    }
  return g_steal_pointer (&parts);
}

/* Reading the texts of parts. See part.h. */
#include "blocks/parts/part.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

#define DIGEST_DIGITS 16

typedef struct {
  const char *file;     /* or NULL */
  const char *at;       /* in the line */
  int line, first_line; /* of the file; of the open part */
  const char *group;
  WeirPartType *part; /* the open one, or NULL */
  GPtrArray *parts;
  GPtrArray *domains; /* of const WeirDomain: that the text declares */
  GString *text;      /* of the open part */
  GString *meaning;   /* of it: what its digest is of */
  GError **error;
} Reading;

/* --- Words ----------------------------------------------------------------------------------- */

/* FALSE, with an error that names the part and the line. @format: N_(). */
static gboolean G_GNUC_PRINTF (2, 3) fail (const Reading *r, const char *format, ...)
{
  const char *part = r->part != NULL ? r->part->name : "?";
  g_autoptr (WeirMessage) problem = NULL;
  va_list args;

  va_start (args, format);
  problem = weir_message_new_valist (format, args);
  va_end (args);
  if (r->file != NULL)
    weir_error_set (r->error, WEIR_ERROR_INVALID, "%s:%d: part %s: %s", r->file, r->line, part,
                    weir_message_get_text (problem));
  else
    weir_error_set (r->error, WEIR_ERROR_INVALID, "Part %s, line %d: %s", part, r->line,
                    weir_message_get_text (problem));
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
  return *pin != WEIR_NO_PIN || fail (r, N_ ("there is no pin '%s'."), name);
}

static gboolean
has_name (const GArray *names, const char *name)
{
  for (guint i = 0; i < names->len; i++)
    if (strcmp (g_array_index (names, WeirPartName, i).name, name) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_declared (const WeirPartType *part, const char *name)
{
  for (guint i = 0; i < part->parameters->len; i++)
    if (strcmp (g_array_index (part->parameters, WeirParameterSpec, i).name, name) == 0)
      return TRUE;
  for (guint i = 0; i < part->acrosses->len; i++)
    if (strcmp (g_array_index (part->acrosses, WeirAcross, i).name, name) == 0)
      return TRUE;
  for (guint i = 0; i < part->throughs->len; i++)
    if (strcmp (g_array_index (part->throughs, WeirThrough, i).name, name) == 0)
      return TRUE;
  return find_pin (part, name, strlen (name)) != WEIR_NO_PIN || has_name (part->variables, name)
         || has_name (part->inputs, name) || has_name (part->outputs, name);
}

/* What is declared, by a name of its own. */
static gboolean
take_new_name (Reading *r, const char **name)
{
  *name = take_name (r);
  if (**name == '\0' || g_ascii_isdigit (**name))
    return fail (r, N_ ("a name is missing: letters, digits and '_', a letter first."));
  return !is_declared (r->part, *name) || fail (r, N_ ("there is a '%s' already."), *name);
}

static const WeirDomain *
find_domain (const Reading *r, const char *name)
{
  for (guint i = 0; i < r->domains->len; i++)
    {
      const WeirDomain *domain = g_ptr_array_index (r->domains, i);

      if (strcmp (domain->name, name) == 0)
        return domain;
    }
  return weir_domain_find (name);
}

/* `domain acoustic: p "Pa", q "m^3/s"` */
static gboolean
read_domain (Reading *r)
{
  WeirDomain domain = { .name = take_name (r) };

  if (find_domain (r, domain.name) != NULL)
    return fail (r, N_ ("there is a domain '%s' already."), domain.name);
  if (take_mark (r, ":"))
    {
      domain.potential = take_name (r);
      domain.potential_unit = take_text (r);
    }
  if (take_mark (r, ","))
    {
      domain.flow = take_name (r);
      domain.flow_unit = take_text (r);
    }
  if (domain.name[0] == '\0' || domain.potential_unit == NULL || domain.flow_unit == NULL
      || domain.potential[0] == '\0' || domain.flow[0] == '\0'
      || strcmp (domain.potential, domain.flow) == 0)
    return fail (r, N_ ("a domain is written 'domain acoustic: p \"Pa\", q \"m^3/s\"'."));
  g_ptr_array_add (r->domains, (gpointer) weir_domain_declare (&domain));
  return TRUE;
}

/* A part's text says what its pins' domains are, if they are not built in. */
static void
note_domain (Reading *r, const WeirDomain *domain)
{
  g_autofree char *line = NULL;

  if (weir_domain_find (domain->name) != NULL)
    return;
  line = g_strdup_printf ("domain %s: %s \"%s\", %s \"%s\"\n", domain->name, domain->potential,
                          domain->potential_unit, domain->flow, domain->flow_unit);
  if (strstr (r->text->str, line) == NULL)
    g_string_prepend (r->text, line);
}

static gboolean
read_pin (Reading *r)
{
  static const char *const sides[] = { "left", "right", "top", "bottom", NULL };
  WeirPinSpec pin = { NULL };
  const char *domain, *side;

  if (!take_new_name (r, &pin.name))
    return FALSE;
  if (!take_mark (r, ":"))
    return fail (r, N_ ("a pin is written 'pin p: electrical left'."));
  domain = take_name (r);
  pin.domain = find_domain (r, domain);
  if (pin.domain == NULL)
    return fail (r, N_ ("there is no domain '%s'."), domain);
  note_domain (r, pin.domain);
  side = take_name (r);
  while (sides[pin.side] != NULL && strcmp (sides[pin.side], side) != 0)
    pin.side++;
  if (sides[pin.side] == NULL)
    return fail (r, N_ ("a pin is at the left, right, top or bottom, but not at '%s'."), side);
  g_array_append_val (r->part->pins, pin);
  return TRUE;
}

/* `through i: p -> n`, `through Q: p`; `across v: p - n`, `across T: p`. */
static gboolean
read_between (Reading *r, gboolean is_through)
{
  WeirThrough through = { NULL, WEIR_NO_PIN, WEIR_NO_PIN, FALSE };
  const GArray *pins = r->part->pins;
  WeirAcross across;

  if (!take_new_name (r, &through.name))
    return FALSE;
  if (!take_mark (r, ":"))
    return fail (r, N_ ("a colon is missing after '%s'."), through.name);
  if (!take_pin (r, &through.from)
      || (take_mark (r, is_through ? "->" : "-") && !take_pin (r, &through.to)))
    return FALSE;
  if (through.to != WEIR_NO_PIN
      && g_array_index (pins, WeirPinSpec, through.from).domain
             != g_array_index (pins, WeirPinSpec, through.to).domain)
    return fail (r, N_ ("the pins of '%s' are of two domains."), through.name);
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
  if (role.kind != WEIR_ROLE_STORES && role.start[0] != '\0')
    return fail (r, N_ ("there is no pin '%s'."), role.start);
  g_array_append_val (r->part->roles, role);
  return TRUE;
}

static gboolean
read_name (Reading *r, GArray *names)
{
  WeirPartName name = { NULL };

  if (!take_new_name (r, &name.name))
    return FALSE;
  name.unit = take_text (r);
  g_array_append_val (names, name);
  return TRUE;
}

static gboolean
parse_number (const char *text, double *number)
{
  char *end;

  *number = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*number);
}

/* The least value of a parameter and its default. */
static gboolean
read_limits (Reading *r, WeirParameterSpec *spec)
{
  g_autoptr (WeirMessage) expected = NULL;

  if (take_mark (r, ">"))
    {
      const char *least;

      spec->exclusive_minimum = !take_mark (r, "=");
      least = take_until (r, "=");
      if (!parse_number (least, &spec->minimum))
        return fail (r, N_ ("'%s' is no number."), least);
    }
  if (!take_mark (r, "="))
    return fail (r, N_ ("parameter '%s' has no value."), spec->name);
  skip_blanks (r);
  spec->default_text = take_until (r, "\"#");
  if (weir_parameter_spec_check (spec, spec->default_text, NULL))
    return TRUE;
  expected = weir_parameter_spec_dup_expectation (spec);
  return fail (r, N_ ("parameter '%s' is '%s', but must be %s."), spec->name, spec->default_text,
               weir_message_get_text (expected));
}

/* `NAME [> LEAST] = DEFAULT ["UNIT"] [# LABEL: HELP]` */
static gboolean
read_parameter (Reading *r, gboolean is_tunable, gboolean is_initial)
{
  WeirParameterSpec spec = { .minimum = -INFINITY, .maximum = INFINITY };

  spec.kind = WEIR_VALUE_NUMBER;
  if (!take_new_name (r, &spec.name))
    return FALSE;
  spec.label = spec.name;
  spec.help = "";
  if (!read_limits (r, &spec))
    return FALSE;
  spec.unit = take_text (r);
  g_string_append_printf (r->meaning, "%s %s%g \"%s\"\n", spec.name,
                          spec.exclusive_minimum ? ">" : ">=", spec.minimum,
                          spec.unit != NULL ? spec.unit : "");
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
is_parameter (const char *word)
{
  return strcmp (word, "parameter") == 0 || strcmp (word, "start") == 0
         || strcmp (word, "constant") == 0;
}

static gboolean
begin_part (Reading *r)
{
  WeirPartType *part = g_new0 (WeirPartType, 1);
  gboolean is_new = TRUE;

  r->first_line = r->line;
  part->name = part->type.name = take_name (r);
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
  for (guint i = 0; i < r->parts->len; i++)
    if (((WeirPartType *) g_ptr_array_index (r->parts, i))->name == part->name)
      is_new = FALSE;
  g_ptr_array_add (r->parts, part);
  if (!g_ascii_isalpha (part->name[0]))
    return fail (r, N_ ("a name is missing: letters, digits and '_', a letter first."));
  if (r->group == NULL || part->type.title == NULL)
    return fail (r, N_ ("a part stands in a group, and has a title in quotes."));
  if (!is_new)
    return fail (r, N_ ("there is a '%s' already."), part->name);
  if (part->prefix[0] == '\0')
    part->prefix = part->name;
  g_string_printf (r->text, "group \"%s\"\n", r->group);
  g_string_truncate (r->meaning, 0);
  return TRUE;
}

/* What stores says where it starts. */
static gboolean
check_roles (const WeirPartType *part, const char **name)
{
  for (guint i = 0; i < part->roles->len; i++)
    {
      const WeirPartRole *role = &g_array_index (part->roles, WeirPartRole, i);

      *name = role->start;
      if (role->kind == WEIR_ROLE_STORES
          && weir_block_type_find_parameter (&part->type, role->start) == NULL)
        return FALSE;
    }
  return TRUE;
}

/* The open part is whole. */
static gboolean
end_part (Reading *r)
{
  WeirPartType *part = r->part;
  g_autofree char *digest = NULL;
  const char *start = NULL;
  int line = r->line;

  if (part == NULL)
    return TRUE;
  r->line = r->first_line;
  if (part->pins->len == 0)
    return fail (r, N_ ("it has no pins."));
  part->type.parameters = (const WeirParameterSpec *) (gpointer) part->parameters->data;
  part->type.n_parameters = part->parameters->len;
  if (!check_roles (part, &start))
    return fail (r, N_ ("there is no start '%s', from which it stores."), start);
  r->line = line;
  part->text = g_strdup (r->text->str);
  digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, r->meaning->str, -1);
  part->digest = g_strndup (digest, DIGEST_DIGITS);
  return TRUE;
}

/* A line of the open part, for its text, and for its digest what computes. */
static void
note_line (Reading *r, const char *word, const char *line)
{
  static const char *const silent[] = { "help", "part", "group", NULL };
  g_autofree char *bare = g_strndup (line, strcspn (line, "#"));

  g_string_append_printf (r->text, "%s%s\n", strcmp (word, "part") == 0 ? "" : "  ", line);
  if (is_parameter (word))
    g_string_append_printf (r->meaning, "%s ", word); /* the rest without its default */
  else if (!g_strv_contains (silent, word))
    g_string_append_printf (r->meaning, "%s\n", g_strchomp (bare));
}

/* A line within a part; FALSE after a problem. */
static gboolean
read_own_line (Reading *r, const char *word, const char *line)
{
  note_line (r, word, line);
  if (strcmp (word, "help") == 0)
    {
      r->part->type.summary = take_text (r);
      return r->part->type.summary != NULL || fail (r, N_ ("help is a sentence in quotes."));
    }
  if (strcmp (word, "pin") == 0)
    return read_pin (r);
  if (strcmp (word, "reference") == 0)
    return take_pin (r, &r->part->reference);
  if (strcmp (word, "equal") == 0)
    return take_pin (r, &r->part->equal[0]) && take_pin (r, &r->part->equal[1]);
  if (strcmp (word, "fixes") == 0 || strcmp (word, "drives") == 0 || strcmp (word, "stores") == 0
      || strcmp (word, "joins") == 0)
    return read_role (r, word);
  if (strcmp (word, "through") == 0 || strcmp (word, "across") == 0)
    return read_between (r, word[0] == 't');
  if (is_parameter (word))
    return read_parameter (r, word[0] == 'p', word[0] == 's');
  if (strcmp (word, "input") == 0)
    return read_name (r, r->part->inputs);
  if (strcmp (word, "output") == 0)
    return read_name (r, r->part->outputs);
  if (strcmp (word, "variable") == 0)
    return read_name (r, r->part->variables);
  return read_equation (r, line);
}

/* What the first word of a line says; FALSE after a problem. */
static gboolean
read_line (Reading *r, const char *line)
{
  const char *word;

  r->at = line;
  word = take_name (r);
  if (strcmp (word, "group") == 0)
    {
      r->group = take_text (r);
      return r->group != NULL || fail (r, N_ ("a group has a title in quotes."));
    }
  if (strcmp (word, "domain") == 0)
    return read_domain (r);
  if (strcmp (word, "part") == 0)
    {
      if (!end_part (r) || !begin_part (r))
        return FALSE;
      note_line (r, word, line);
      return TRUE;
    }
  if (r->part == NULL)
    return fail (r, N_ ("'%s' stands before any part."), word);
  return read_own_line (r, word, line);
}

static gboolean
read_all (Reading *r, char **lines)
{
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strstrip (lines[i]);

      r->line = (int) i + 1;
      if (line[0] != '\0' && line[0] != '#' && !read_line (r, line))
        return FALSE;
    }
  return end_part (r);
}

void
weir_part_type_free (WeirPartType *self)
{
  GArray *const lists[] = { self->pins,       self->throughs, self->acrosses, self->roles,
                            self->parameters, self->inputs,   self->outputs,  self->variables };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    g_array_unref (lists[i]);
  for (guint i = 0; i < self->lines->len; i++)
    g_array_unref (g_ptr_array_index (self->lines, i));
  g_ptr_array_unref (self->lines);
  g_free ((char *) self->text);
  g_free ((char *) self->digest);
  g_free (self);
}

static void
free_part (gpointer part, G_GNUC_UNUSED gpointer data)
{
  weir_part_type_free (part);
}

GPtrArray *
weir_parts_parse (const char *text, const char *file, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();
  g_autoptr (GPtrArray) domains = g_ptr_array_new ();
  g_autoptr (GString) own = g_string_new (NULL);
  g_autoptr (GString) meaning = g_string_new (NULL);
  Reading r = { .file = file,
                .parts = parts,
                .domains = domains,
                .text = own,
                .meaning = meaning,
                .error = error };

  if (read_all (&r, lines))
    return g_steal_pointer (&parts);
  g_ptr_array_foreach (parts, free_part, NULL);
  return NULL;
}

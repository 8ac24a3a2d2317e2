/* Reading the texts of parts. See part.h. */
#include "blocks/parts/part-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/sync.h"
#include "base/text.h"

#define DIGEST_DIGITS 16
#define MAX_COUNT 100 /* of what a part repeats */

/* --- Words ----------------------------------------------------------------------------------- */

/* FALSE, with an error that names the part and the line. */
gboolean
weir_part_reading_fail (WeirPartReading *r, const char *format, ...)
{
  const char *part = r->part != NULL ? r->part->name : "?";
  g_autoptr (WeirMessage) problem = NULL;
  va_list args;

  if (r->report != NULL && r->failed_line == r->line)
    return FALSE;
  r->failed_line = r->line;
  va_start (args, format);
  problem = weir_message_new_valist (format, args);
  va_end (args);
  if (r->report != NULL)
    weir_report_add_message (r->report, WEIR_SEVERITY_ERROR, "EQ01", r->line,
                             weir_message_join (weir_message_new (N_ ("Model: line %d"), r->line),
                                                ": ", weir_message_ref (problem)));
  else if (r->file != NULL)
    weir_error_set (r->error, WEIR_ERROR_INVALID, "%s:%d: part %s: %s", r->file, r->line, part,
                    weir_message_get_text (problem));
  else
    weir_error_set (r->error, WEIR_ERROR_INVALID, "Part %s, line %d: %s", part, r->line,
                    weir_message_get_text (problem));
  return FALSE;
}

static void
skip_blanks (WeirPartReading *r)
{
  while (*r->at == ' ' || *r->at == '\t')
    r->at++;
}

/* "" if there is none here. Interned. */
static const char *
take_name (WeirPartReading *r)
{
  const char *start;
  g_autofree char *name = NULL;

  skip_blanks (r);
  start = r->at;
  while (weir_part_is_name_char (*r->at))
    r->at++;
  name = g_strndup (start, (gsize) (r->at - start));
  return g_intern_string (name);
}

static gboolean
take_mark (WeirPartReading *r, const char *mark)
{
  skip_blanks (r);
  if (!g_str_has_prefix (r->at, mark))
    return FALSE;
  r->at += strlen (mark);
  return TRUE;
}

/* Of a text in quotes; NULL if there is none here. Interned. */
static const char *
take_text (WeirPartReading *r)
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
take_until (WeirPartReading *r, const char *ends)
{
  gsize length = strcspn (r->at, ends);
  g_autofree char *text = g_strstrip (g_strndup (r->at, length));

  r->at += length;
  return g_intern_string (text);
}

/* --- What a part declares -------------------------------------------------------------------- */

guint
weir_part_type_find_pin (const WeirPartType *part, const char *name, gsize length)
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
take_pin (WeirPartReading *r, guint *pin)
{
  const char *name = take_name (r);

  *pin = weir_part_type_find_pin (r->part, name, strlen (name));
  return *pin != WEIR_NO_PIN || weir_part_reading_fail (r, N_ ("there is no pin '%s'."), name);
}

gboolean
weir_part_names_have (const GArray *names, const char *name)
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
  return weir_part_type_find_pin (part, name, strlen (name)) != WEIR_NO_PIN
         || weir_part_names_have (part->variables, name)
         || weir_part_names_have (part->inputs, name) || weir_part_names_have (part->outputs, name);
}

/* What is declared, by a name of its own. */
static gboolean
take_new_name (WeirPartReading *r, const char **name)
{
  *name = take_name (r);
  if (**name == '\0' || g_ascii_isdigit (**name))
    return weir_part_reading_fail (
        r, N_ ("a name is missing: letters, digits and '_', a letter first."));
  return !is_declared (r->part, *name)
         || weir_part_reading_fail (r, N_ ("there is a '%s' already."), *name);
}

static const WeirDomain *
find_domain (const WeirPartReading *r, const char *name)
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
read_domain (WeirPartReading *r)
{
  WeirDomain domain = { .name = take_name (r) };

  if (find_domain (r, domain.name) != NULL)
    return weir_part_reading_fail (r, N_ ("there is a domain '%s' already."), domain.name);
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
    return weir_part_reading_fail (
        r, N_ ("a domain is written 'domain acoustic: p \"Pa\", q \"m^3/s\"'."));
  g_ptr_array_add (r->domains, (gpointer) weir_domain_declare (&domain));
  return TRUE;
}

/* A part's text says what its pins' domains are, if they are not built in. */
static void
note_domain (WeirPartReading *r, const WeirDomain *domain)
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
read_pin (WeirPartReading *r)
{
  static const char *const sides[] = { "left", "right", "top", "bottom", NULL };
  WeirPinSpec pin = { NULL };
  const char *domain, *side;

  if (!take_new_name (r, &pin.name))
    return FALSE;
  if (!take_mark (r, ":"))
    return weir_part_reading_fail (r, N_ ("a pin is written 'pin p: electrical left'."));
  domain = take_name (r);
  pin.domain = find_domain (r, domain);
  if (pin.domain == NULL)
    return weir_part_reading_fail (r, N_ ("there is no domain '%s'."), domain);
  note_domain (r, pin.domain);
  side = take_name (r);
  /* In a text of equations the pins stand by turns at the left and at the right, if nobody says. */
  if (r->report != NULL && side[0] == '\0')
    side = sides[r->part->pins->len % 2];
  while (sides[pin.side] != NULL && strcmp (sides[pin.side], side) != 0)
    pin.side++;
  if (sides[pin.side] == NULL)
    return weir_part_reading_fail (
        r, N_ ("a pin is at the left, right, top or bottom, but not at '%s'."), side);
  g_array_append_val (r->part->pins, pin);
  return TRUE;
}

/* `through i: p -> n`, `through Q: p`; `across v: p - n`, `across T: p`. */
static gboolean
read_between (WeirPartReading *r, gboolean is_through)
{
  WeirThrough through = { NULL, WEIR_NO_PIN, WEIR_NO_PIN, FALSE };
  const GArray *pins = r->part->pins;
  WeirAcross across;

  if (!take_new_name (r, &through.name))
    return FALSE;
  if (!take_mark (r, ":"))
    return weir_part_reading_fail (r, N_ ("a colon is missing after '%s'."), through.name);
  if (!take_pin (r, &through.from)
      || (take_mark (r, is_through ? "->" : "-") && !take_pin (r, &through.to)))
    return FALSE;
  if (through.to != WEIR_NO_PIN
      && g_array_index (pins, WeirPinSpec, through.from).domain
             != g_array_index (pins, WeirPinSpec, through.to).domain)
    return weir_part_reading_fail (r, N_ ("the pins of '%s' are of two domains."), through.name);
  across = (WeirAcross) { through.name, through.from, through.to, FALSE };
  if (is_through)
    g_array_append_val (r->part->throughs, through);
  else
    g_array_append_val (r->part->acrosses, across);
  return TRUE;
}

/* `fixes p n`, `drives p`, `stores p n v0`, `joins p n` */
static gboolean
read_role (WeirPartReading *r, const char *word)
{
  WeirPartRole role = { WEIR_ROLE_FIXES, WEIR_NO_PIN, WEIR_NO_PIN, NULL, 0 };
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
  role.to = weir_part_type_find_pin (r->part, name, strlen (name));
  role.start = role.to != WEIR_NO_PIN ? take_name (r) : name;
  if (role.kind != WEIR_ROLE_STORES && role.start[0] != '\0')
    return weir_part_reading_fail (r, N_ ("there is no pin '%s'."), role.start);
  if (role.kind == WEIR_ROLE_STORES && r->find != NULL)
    {
      if (!r->find (role.start, &role.value, r->data))
        return weir_part_reading_fail (r, N_ ("there is no start '%s', from which it stores."),
                                       role.start);
      role.start = NULL;
    }
  g_array_append_val (r->part->roles, role);
  return TRUE;
}

static gboolean
read_name (WeirPartReading *r, GArray *names)
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
read_limits (WeirPartReading *r, WeirParameterSpec *spec)
{
  g_autoptr (WeirMessage) expected = NULL;

  if (take_mark (r, ">"))
    {
      const char *least;

      spec->exclusive_minimum = !take_mark (r, "=");
      least = take_until (r, "=");
      if (!parse_number (least, &spec->minimum))
        return weir_part_reading_fail (r, N_ ("'%s' is no number."), least);
    }
  if (!take_mark (r, "="))
    return weir_part_reading_fail (r, N_ ("parameter '%s' has no value."), spec->name);
  skip_blanks (r);
  spec->default_text = take_until (r, "\"#");
  if (weir_parameter_spec_check (spec, spec->default_text, NULL))
    return TRUE;
  expected = weir_parameter_spec_dup_expectation (spec);
  return weir_part_reading_fail (r, N_ ("parameter '%s' is '%s', but must be %s."), spec->name,
                                 spec->default_text, weir_message_get_text (expected));
}

/* `# LABEL: HELP` */
static void
read_label (WeirPartReading *r, WeirParameterSpec *spec)
{
  spec->label = spec->name;
  spec->help = "";
  if (!take_mark (r, "#"))
    return;
  spec->label = take_until (r, ":");
  spec->help = take_mark (r, ":") ? take_until (r, "") : "";
}

/* `NAME [> LEAST] = DEFAULT ["UNIT"] [outer NAME] [# LABEL: HELP]` */
static gboolean
read_parameter (WeirPartReading *r, gboolean is_tunable, gboolean is_initial)
{
  WeirParameterSpec spec = { .minimum = -INFINITY, .maximum = INFINITY };

  spec.kind = WEIR_VALUE_NUMBER;
  if (!take_new_name (r, &spec.name))
    return FALSE;
  if (!read_limits (r, &spec))
    return FALSE;
  spec.unit = take_text (r);
  g_string_append_printf (r->meaning, "%s %s%g \"%s\"\n", spec.name,
                          spec.exclusive_minimum ? ">" : ">=", spec.minimum,
                          spec.unit != NULL ? spec.unit : "");
  if (take_mark (r, "outer "))
    {
      spec.outer = take_name (r);
      if (spec.outer[0] == '\0')
        return weir_part_reading_fail (r, N_ ("a name is missing after 'outer'."));
    }
  read_label (r, &spec);
  spec.tunable = is_tunable ? spec.name : NULL;
  spec.is_initial = spec.may_be_free = is_initial;
  g_array_append_val (r->part->parameters, spec);
  return TRUE;
}

/* `option NAME`, `count NAME = DEFAULT`, each with `# LABEL: HELP`. They are no part of what is
 * computed: that is what they make of the lines. */
static gboolean
read_choice (WeirPartReading *r, gboolean is_count)
{
  static const char *const no_yes[] = { "no", "yes", NULL };
  WeirParameterSpec spec = { .kind = WEIR_VALUE_CHOICE, .default_text = "no", .choices = no_yes };

  if (!take_new_name (r, &spec.name))
    return FALSE;
  if (is_count)
    {
      spec = (WeirParameterSpec) { .name = spec.name,
                                   .kind = WEIR_VALUE_INTEGER,
                                   .minimum = 1,
                                   .maximum = MAX_COUNT,
                                   .is_literal = TRUE };
      if (!take_mark (r, "="))
        return weir_part_reading_fail (r, N_ ("a count is written 'count n = 3'."));
      skip_blanks (r);
      spec.default_text = take_until (r, "#");
      if (!weir_parameter_spec_check (&spec, spec.default_text, NULL))
        return weir_part_reading_fail (r, N_ ("a count is written 'count n = 3'."));
    }
  read_label (r, &spec);
  r->part->is_shaped = TRUE;
  g_array_append_val (r->part->parameters, spec);
  return TRUE;
}

gboolean
weir_part_reading_find_number (const WeirPartReading *r, const char *name, double *number)
{
  const WeirParameterSpec *spec = NULL;

  if (r->find != NULL)
    return r->find (name, number, r->data);
  for (guint i = 0; i < r->part->parameters->len; i++)
    if (strcmp (g_array_index (r->part->parameters, WeirParameterSpec, i).name, name) == 0)
      spec = &g_array_index (r->part->parameters, WeirParameterSpec, i);
  if (spec == NULL || (spec->kind != WEIR_VALUE_CHOICE && spec->kind != WEIR_VALUE_INTEGER))
    return FALSE;
  if (spec->kind == WEIR_VALUE_CHOICE)
    *number = r->arguments != NULL ? (double) weir_arguments_get_choice (r->arguments, name)
                                   : (double) r->has_all;
  else
    *number = r->arguments != NULL ? (double) weir_arguments_get_integer (r->arguments, name)
                                   : g_ascii_strtod (spec->default_text, NULL);
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
  list_names (weir_arguments_get_part (arguments)->inputs, ports);
}

static void
list_outputs (const WeirArguments *arguments, GArray *ports)
{
  list_names (weir_arguments_get_part (arguments)->outputs, ports);
}

static void
list_pins (const WeirArguments *arguments, GArray *pins)
{
  const WeirPartType *part = weir_arguments_get_part (arguments);

  g_array_append_vals (pins, part->pins->data, part->pins->len);
}

static gboolean
is_parameter (const char *word)
{
  return strcmp (word, "parameter") == 0 || strcmp (word, "start") == 0
         || strcmp (word, "constant") == 0;
}

WeirPartType *
weir_part_type_alloc (const char *name)
{
  WeirPartType *part = g_new0 (WeirPartType, 1);

  part->name = part->type.name = name;
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
  part->absent = g_ptr_array_new ();
  return part;
}

static gboolean
begin_part (WeirPartReading *r)
{
  WeirPartType *part;
  gboolean is_new = TRUE;

  r->first_line = r->line;
  r->part = part = weir_part_type_alloc (take_name (r));
  part->type.title = take_text (r);
  part->prefix = take_name (r);
  part->type.category = r->group;
  for (guint i = 0; i < r->parts->len; i++)
    if (((WeirPartType *) g_ptr_array_index (r->parts, i))->name == part->name)
      is_new = FALSE;
  g_ptr_array_add (r->parts, part);
  if (!g_ascii_isalpha (part->name[0]))
    return weir_part_reading_fail (
        r, N_ ("a name is missing: letters, digits and '_', a letter first."));
  if (r->group == NULL || part->type.title == NULL)
    return weir_part_reading_fail (r, N_ ("a part stands in a group, and has a title in quotes."));
  if (!is_new)
    return weir_part_reading_fail (r, N_ ("there is a '%s' already."), part->name);
  if (part->prefix[0] == '\0')
    part->prefix = part->name;
  g_string_printf (r->text, "group \"%s\"\n", r->group);
  g_string_truncate (r->meaning, 0);
  g_hash_table_remove_all (r->arrays);
  return TRUE;
}

/* Of a block whose part is shaped by its options and counts. */
static void
check_block (const WeirArguments *arguments, WeirDiagnostics *diagnostics, const char *path,
             guint32 block, int line)
{
  const WeirPartType *part = weir_arguments_get_part (arguments);

  if (part->problem != NULL)
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "PAR02", path, block, 0, line, "%s",
                          part->problem);
}

gboolean
weir_part_reading_check_reference (WeirPartReading *r, const WeirPartType *part)
{
  for (guint i = 0; part->reference != WEIR_NO_PIN && i < part->throughs->len; i++)
    {
      const WeirThrough *through = &g_array_index (part->throughs, WeirThrough, i);

      if (through->from == part->reference || through->to == part->reference)
        return weir_part_reading_fail (
            r,
            N_ ("pin '%s' is the reference: what flows into it is what is left, so that no through "
                "may lead there."),
            g_array_index (part->pins, WeirPinSpec, part->reference).name);
    }
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
end_part (WeirPartReading *r)
{
  WeirPartType *part = r->part;
  g_autofree char *digest = NULL;
  const char *start = NULL;
  int line = r->line;

  if (part == NULL)
    return TRUE;
  r->line = r->first_line;
  if (part->pins->len == 0)
    return weir_part_reading_fail (r, N_ ("it has no pins."));
  part->type.parameters = (const WeirParameterSpec *) (gpointer) part->parameters->data;
  part->type.n_parameters = part->parameters->len;
  if (!check_roles (part, &start))
    return weir_part_reading_fail (r, N_ ("there is no start '%s', from which it stores."), start);
  if (!weir_part_reading_check_reference (r, part))
    return FALSE;
  r->line = line;
  if (part->is_shaped)
    part->type.check = check_block;
  part->text = g_strdup (r->text->str);
  digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, r->meaning->str, -1);
  part->digest = g_strndup (digest, DIGEST_DIGITS);
  return TRUE;
}

/* What computes in a line of the open part, for its digest. */
static void
note_meaning (WeirPartReading *r, const char *word, const char *line)
{
  static const char *const silent[] = { "help", "part", "group", "option", "count", NULL };
  g_autofree char *bare = g_strndup (line, strcspn (line, "#"));

  if (is_parameter (word))
    g_string_append_printf (r->meaning, "%s ", word); /* the rest without its default */
  else if (!g_strv_contains (silent, word))
    g_string_append_printf (r->meaning, "%s\n", g_strchomp (bare));
}

gboolean
weir_part_word_is_own (const char *word)
{
  static const char *const words[] = { "domain", "pin",   "reference", "equal",  "fixes", "drives",
                                       "stores", "joins", "through",   "across", NULL };

  return g_strv_contains (words, word);
}

gboolean
weir_part_reading_read_plain (WeirPartReading *r, const char *line)
{
  const char *word;

  r->at = line;
  word = take_name (r);
  skip_blanks (r);
  if (r->report != NULL)
    {
      /* A name of the text may be called like a word of parts: "drives ~ 2*u". */
      gboolean is_own = weir_part_word_is_own (word) && weir_part_is_name_char (*r->at);
      gboolean is_pin = strcmp (word, "pin") == 0 || strcmp (word, "domain") == 0;

      if (!is_own && r->phase == WEIR_PART_REST)
        g_string_append_printf (r->rest, "%s; ", line);
      if (!is_own || r->phase != (is_pin ? WEIR_PART_PINS : WEIR_PART_OWN))
        return TRUE;
    }
  note_meaning (r, word, line);
  if (strcmp (word, "domain") == 0)
    return read_domain (r);
  if (strcmp (word, "help") == 0)
    {
      r->part->type.summary = take_text (r);
      return r->part->type.summary != NULL
             || weir_part_reading_fail (r, N_ ("help is a sentence in quotes."));
    }
  if (strcmp (word, "pin") == 0)
    return read_pin (r);
  if (strcmp (word, "reference") == 0)
    {
      r->reference_line = r->line;
      return take_pin (r, &r->part->reference);
    }
  if (strcmp (word, "equal") == 0)
    return take_pin (r, &r->part->equal[0]) && take_pin (r, &r->part->equal[1]);
  if (strcmp (word, "fixes") == 0 || strcmp (word, "drives") == 0 || strcmp (word, "stores") == 0
      || strcmp (word, "joins") == 0)
    return read_role (r, word);
  if (strcmp (word, "through") == 0 || strcmp (word, "across") == 0)
    return read_between (r, word[0] == 't');
  if (strcmp (word, "option") == 0 || strcmp (word, "count") == 0)
    return read_choice (r, word[0] == 'c');
  if (is_parameter (word))
    return read_parameter (r, word[0] == 'p', word[0] == 's');
  if (strcmp (word, "input") == 0)
    return read_name (r, r->part->inputs);
  if (strcmp (word, "output") == 0)
    return read_name (r, r->part->outputs);
  if (strcmp (word, "variable") == 0)
    return read_name (r, r->part->variables);
  return weir_part_reading_read_equation (r, line);
}

/* What the first word of a line says; FALSE after a problem. */
static gboolean
read_line (WeirPartReading *r, const char *line)
{
  const char *word;

  r->at = line;
  word = take_name (r);
  if (strcmp (word, "group") == 0)
    {
      r->group = take_text (r);
      return r->group != NULL || weir_part_reading_fail (r, N_ ("a group has a title in quotes."));
    }
  if (strcmp (word, "domain") == 0)
    return read_domain (r);
  if (strcmp (word, "part") == 0)
    {
      if (!end_part (r) || !begin_part (r))
        return FALSE;
      g_string_append_printf (r->text, "%s\n", line);
      return TRUE;
    }
  if (r->part == NULL)
    return weir_part_reading_fail (r, N_ ("'%s' stands before any part."), word);
  g_string_append_printf (r->text, "  %s\n", line);
  return weir_part_reading_read_line (r, line);
}

static gboolean
read_all (WeirPartReading *r, char **lines)
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
  g_ptr_array_unref (self->absent);
  g_free ((char *) self->text);
  g_free ((char *) self->digest);
  g_free (self->problem);
  g_free (self);
}

static void
free_part (gpointer part, G_GNUC_UNUSED gpointer data)
{
  weir_part_type_free (part);
}

/* @as: in what it is read otherwise. */
static GPtrArray *
parse (const char *text, WeirPartReading as, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();
  g_autoptr (GPtrArray) domains = g_ptr_array_new ();
  g_autoptr (GString) own = g_string_new (NULL);
  g_autoptr (GString) meaning = g_string_new (NULL);
  g_autoptr (GHashTable) arrays = weir_part_arrays_new ();
  WeirPartReading r = as;

  r.parts = parts;
  r.domains = domains;
  r.text = own;
  r.meaning = meaning;
  r.arrays = arrays;
  r.error = error;
  if (read_all (&r, lines))
    return g_steal_pointer (&parts);
  g_ptr_array_foreach (parts, free_part, NULL);
  return NULL;
}

/* Can all be read that an option may bring? */
static gboolean
check_options (const char *text, const char *file, const GPtrArray *parts, GError **error)
{
  gboolean has_options = FALSE;
  g_autoptr (GPtrArray) again = NULL;

  for (guint i = 0; i < parts->len; i++)
    has_options = has_options || ((const WeirPartType *) parts->pdata[i])->is_shaped;
  if (!has_options)
    return TRUE;
  again = parse (text, (WeirPartReading) { .file = file, .has_all = TRUE }, error);
  if (again != NULL)
    g_ptr_array_foreach (again, free_part, NULL);
  return again != NULL;
}

GPtrArray *
weir_parts_parse (const char *text, const char *file, GError **error)
{
  g_autoptr (GPtrArray) parts = parse (text, (WeirPartReading) { .file = file }, error);

  if (parts == NULL || check_options (text, file, parts, error))
    return g_steal_pointer (&parts);
  g_ptr_array_foreach (parts, free_part, NULL);
  return NULL;
}

/* --- Parts by what their blocks say ---------------------------------------------------------- */

/* The text was read with all options and with none; another choice may still make no sense, and
 * then the part is what it is by default, with the problem. What it would have with all options is
 * told apart from what nobody has. */
static WeirPartType *
shape (const WeirArguments *arguments)
{
  const WeirPartType *whole = weir_arguments_get_type (arguments)->part;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray)
      parts = parse (whole->text, (WeirPartReading) { .arguments = arguments }, &error);
  g_autoptr (GPtrArray) all = parse (whole->text, (WeirPartReading) { .has_all = TRUE }, NULL);
  WeirPartType *part;

  if (parts == NULL)
    parts = parse (whole->text, (WeirPartReading) { .file = NULL }, NULL);
  g_assert (parts != NULL && parts->len == 1 && all != NULL && all->len == 1);
  part = parts->pdata[0];
  part->problem = error != NULL ? g_strdup (weir_error_get_text (error)) : NULL;
  for (guint i = 0; i < ((WeirPartType *) all->pdata[0])->pins->len; i++)
    {
      const char *name = g_array_index (((WeirPartType *) all->pdata[0])->pins, WeirPinSpec, i)
                             .name;

      if (weir_part_type_find_pin (part, name, strlen (name)) == WEIR_NO_PIN)
        g_ptr_array_add (part->absent, (gpointer) name);
    }
  weir_part_type_free (all->pdata[0]);
  return part;
}

/* Of each choice one, for good: most blocks of a type make the same. */
static gpointer
find_shape (const WeirArguments *arguments)
{
  static GMutex mutex;
  static GHashTable *shapes; /* type and choices to WeirPartType */
  const WeirBlockType *type = weir_arguments_get_type (arguments);
  g_autoptr (GString) key = g_string_new (type->name);
  WeirPartType *part;

  for (guint i = 0; i < type->n_parameters; i++)
    if (type->parameters[i].kind == WEIR_VALUE_CHOICE)
      g_string_append_printf (key, " %s",
                              weir_arguments_get_text (arguments, type->parameters[i].name));
    else if (type->parameters[i].kind == WEIR_VALUE_INTEGER)
      g_string_append_printf (
          key, " %d", (int) weir_arguments_get_integer (arguments, type->parameters[i].name));
  weir_sync_lock (&mutex);
  if (shapes == NULL)
    shapes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  part = g_hash_table_lookup (shapes, key->str);
  if (part == NULL)
    {
      part = shape (arguments);
      g_hash_table_insert (shapes, g_strdup (key->str), part);
    }
  weir_sync_unlock (&mutex);
  return part;
}

static void
keep_shape (G_GNUC_UNUSED gpointer part)
{
}

const WeirPartType *
weir_arguments_get_part (const WeirArguments *self)
{
  const WeirBlockType *type = weir_arguments_get_type (self);

  if (type->find_part != NULL)
    return type->find_part (self);
  if (type->part == NULL || !type->part->is_shaped)
    return type->part;
  return weir_arguments_get_derived (self, find_shape, keep_shape);
}

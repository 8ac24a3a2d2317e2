/* What the lines of a part declare: domains, pins, flows and differences, parameters, signals. */
#include "blocks/parts/part-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

#define MAX_COUNT 100 /* of what a part repeats */

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

gboolean
weir_part_reading_take_pin (WeirPartReading *r, guint *pin)
{
  const char *name = weir_part_take_name (r);

  *pin = weir_part_type_find_pin (r->part, name, strlen (name));
  return *pin != WEIR_NO_PIN || weir_part_reading_fail (r, N_ ("there is no pin '%s'."), name);
}

static gboolean
is_declared (const WeirPartType *part, const char *name)
{
  WeirPiece piece;

  return weir_part_find_own (part, name, &piece)
         || weir_part_type_find_pin (part, name, strlen (name)) != WEIR_NO_PIN;
}

/* What is declared, by a name of its own. */
static gboolean
take_new_name (WeirPartReading *r, const char **name)
{
  *name = weir_part_take_name (r);
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
gboolean
weir_part_reading_read_domain (WeirPartReading *r)
{
  WeirDomain domain = { .name = weir_part_take_name (r) };

  if (find_domain (r, domain.name) != NULL)
    return weir_part_reading_fail (r, N_ ("there is a domain '%s' already."), domain.name);
  if (weir_part_take_mark (r, ":"))
    {
      domain.potential = weir_part_take_name (r);
      domain.potential_unit = weir_part_take_text (r);
    }
  if (weir_part_take_mark (r, ","))
    {
      domain.flow = weir_part_take_name (r);
      domain.flow_unit = weir_part_take_text (r);
    }
  if (domain.name[0] == '\0' || domain.potential_unit == NULL || domain.flow_unit == NULL
      || domain.potential[0] == '\0' || domain.flow[0] == '\0'
      || strcmp (domain.potential, domain.flow) == 0)
    return weir_part_reading_fail (
        r, N_ ("a domain is written 'domain acoustic: p \"Pa\", q \"m^3/s\"'."));
  g_ptr_array_add (r->domains, (gpointer) weir_domain_declare (&domain));
  return TRUE;
}

const WeirDomain *
weir_domain_parse (const char *text)
{
  g_autoptr (GPtrArray) domains = g_ptr_array_new ();
  WeirPartReading r = { .at = text, .domains = domains };

  if (!weir_part_reading_read_domain (&r))
    return NULL;
  weir_part_skip_blanks (&r);
  return *r.at == '\0' ? g_ptr_array_index (domains, 0) : NULL;
}

const WeirDomain *
weir_arguments_get_domain (const WeirArguments *self)
{
  const char *name = weir_arguments_get_text (self, "domain");

  return strcmp (name, WEIR_DOMAIN_DECLARED) == 0
             ? weir_domain_parse (weir_arguments_get_text (self, "declaration"))
             : weir_domain_find (name);
}

/* A part's text says what its pins' domains are, if they are not built in. */
static void
note_domain (WeirPartReading *r, const WeirDomain *domain)
{
  g_autofree char *line = NULL, *declared = NULL;

  if (weir_domain_find (domain->name) != NULL)
    return;
  declared = weir_domain_dup_text (domain);
  line = g_strdup_printf ("domain %s\n", declared);
  if (strstr (r->text->str, line) == NULL)
    g_string_prepend (r->text, line);
}

gboolean
weir_part_reading_read_pin (WeirPartReading *r)
{
  static const char *const sides[] = { "left", "right", "top", "bottom", NULL };
  WeirPinSpec pin = { NULL };
  const char *domain, *side;

  if (!take_new_name (r, &pin.name))
    return FALSE;
  if (!weir_part_take_mark (r, ":"))
    return weir_part_reading_fail (r, N_ ("a pin is written 'pin p: electrical left'."));
  domain = weir_part_take_name (r);
  pin.domain = find_domain (r, domain);
  if (pin.domain == NULL)
    return weir_part_reading_fail (r, N_ ("there is no domain '%s'."), domain);
  note_domain (r, pin.domain);
  side = weir_part_take_name (r);
  /* In a text of equations the pins stand by turns at the left and at the right, if nobody says. */
  if (r->report != NULL && side[0] == '\0')
    side = sides[r->part->pins->len % 2];
  while (sides[pin.side] != NULL && strcmp (sides[pin.side], side) != 0)
    pin.side++;
  if (sides[pin.side] == NULL)
    return weir_part_reading_fail (
        r, N_ ("a pin is at the left, right, top or bottom, but not at '%s'."), side);
  g_array_append_val (r->part->pins, pin);
  if (r->pin_lines != NULL)
    g_array_append_val (r->pin_lines, r->line);
  return TRUE;
}

/* `through i: p -> n`, `through Q: p`; `across v: p - n`, `across T: p`. */
gboolean
weir_part_reading_read_between (WeirPartReading *r, gboolean is_through)
{
  WeirThrough through = { NULL, WEIR_NO_PIN, WEIR_NO_PIN, FALSE };
  const GArray *pins = r->part->pins;
  WeirAcross across;

  if (!take_new_name (r, &through.name))
    return FALSE;
  if (!weir_part_take_mark (r, ":"))
    return weir_part_reading_fail (r, N_ ("a colon is missing after '%s'."), through.name);
  if (!weir_part_reading_take_pin (r, &through.from)
      || (weir_part_take_mark (r, is_through ? "->" : "-")
          && !weir_part_reading_take_pin (r, &through.to)))
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

/* What a role names is nothing that the part has. */
gboolean
weir_part_reading_fail_role (WeirPartReading *r, const WeirPartRole *role)
{
  return role->kind == WEIR_ROLE_STORES
             ? weir_part_reading_fail (r, N_ ("there is no start '%s', from which it stores."),
                                       role->name)
             : weir_part_reading_fail (r, N_ ("there is no parameter '%s', which it carries."),
                                       role->name);
}

/* `fixes p n`, `drives p`, `stores p n v0`, `joins p n`, `carries a rho` */
gboolean
weir_part_reading_read_role (WeirPartReading *r, const char *word)
{
  WeirPartRole role = { WEIR_ROLE_FIXES, WEIR_NO_PIN, WEIR_NO_PIN, NULL, NULL, 0 };
  gboolean has_number;
  const char *name;

  if (word[0] == 'd')
    role.kind = WEIR_ROLE_DRIVES;
  else if (word[0] == 's')
    role.kind = WEIR_ROLE_STORES;
  else if (word[0] == 'j')
    role.kind = WEIR_ROLE_JOINS;
  else if (word[0] == 'c')
    role.kind = WEIR_ROLE_CARRIES;
  has_number = role.kind == WEIR_ROLE_STORES || role.kind == WEIR_ROLE_CARRIES;
  if (!weir_part_reading_take_pin (r, &role.from))
    return FALSE;
  name = weir_part_take_name (r);
  role.to = weir_part_type_find_pin (r->part, name, strlen (name));
  role.start = role.to != WEIR_NO_PIN ? weir_part_take_name (r) : name;
  role.name = role.start;
  if (!has_number && role.start[0] != '\0')
    return weir_part_reading_fail (r, N_ ("there is no pin '%s'."), role.start);
  if (has_number && r->find != NULL)
    {
      if (!r->find (role.name, &role.value, r->data))
        return weir_part_reading_fail_role (r, &role);
      role.start = NULL;
    }
  g_array_append_val (r->part->roles, role);
  return TRUE;
}

gboolean
weir_part_reading_read_name (WeirPartReading *r, GArray *names)
{
  WeirPartName name = { NULL };

  if (!take_new_name (r, &name.name))
    return FALSE;
  name.unit = weir_part_take_text (r);
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

  if (weir_part_take_mark (r, ">"))
    {
      const char *least;

      spec->exclusive_minimum = !weir_part_take_mark (r, "=");
      least = weir_part_take_until (r, "=");
      if (!parse_number (least, &spec->minimum))
        return weir_part_reading_fail (r, N_ ("'%s' is no number."), least);
    }
  if (!weir_part_take_mark (r, "="))
    return weir_part_reading_fail (r, N_ ("parameter '%s' has no value."), spec->name);
  weir_part_skip_blanks (r);
  spec->default_text = weir_part_take_until (r, "\"#");
  if (spec->default_text[0] == '[')
    {
      g_auto (GStrv) words = g_strsplit (spec->default_text, " ", -1);
      g_autofree char *joined = g_strjoinv ("", words);

      /* In records of parts values have no blanks. */
      spec->kind = WEIR_VALUE_VECTOR;
      spec->default_text = g_intern_string (joined);
    }
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
  if (!weir_part_take_mark (r, "#"))
    return;
  spec->label = weir_part_take_until (r, ":");
  spec->help = weir_part_take_mark (r, ":") ? weir_part_take_until (r, "") : "";
}

/* `NAME [> LEAST] = DEFAULT ["UNIT"] [outer NAME] [# LABEL: HELP]` */
gboolean
weir_part_reading_read_parameter (WeirPartReading *r, gboolean is_tunable, gboolean is_initial)
{
  WeirParameterSpec spec = { .minimum = -INFINITY, .maximum = INFINITY };

  spec.kind = WEIR_VALUE_NUMBER;
  if (!take_new_name (r, &spec.name))
    return FALSE;
  if (!read_limits (r, &spec))
    return FALSE;
  if (spec.kind == WEIR_VALUE_VECTOR && (is_tunable || is_initial))
    return weir_part_reading_fail (r, N_ ("a list of numbers is a constant, but '%s' is none."),
                                   spec.name);
  spec.unit = weir_part_take_text (r);
  g_string_append_printf (r->meaning, "%s %s%g \"%s\"\n", spec.name,
                          spec.exclusive_minimum ? ">" : ">=", spec.minimum,
                          spec.unit != NULL ? spec.unit : "");
  if (weir_part_take_mark (r, "outer "))
    {
      spec.outer = weir_part_take_name (r);
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
gboolean
weir_part_reading_read_choice (WeirPartReading *r, gboolean is_count)
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
      if (!weir_part_take_mark (r, "="))
        return weir_part_reading_fail (r, N_ ("a count is written 'count n = 3'."));
      weir_part_skip_blanks (r);
      spec.default_text = weir_part_take_until (r, "#");
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

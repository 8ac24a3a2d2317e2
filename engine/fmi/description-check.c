/* The rules that a description must keep: what may go together, and that the structure of the model
 * is whole. What is against them is told as a warning, and what the standard would have there is
 * taken, as long as there is something that one can take.
 */
#include "fmi/description-private.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

#define VARIABLE(r, i) (&g_array_index ((r)->variables, WeirFmuVariable, i))
#define WARN(r, v, code, ...) weir_fmu_warn_of (r, code, (v)->name, (v)->line, __VA_ARGS__)

/* --- Facts ----------------------------------------------------------------------------------- */

/* A file may have a hundred thousand variables of a type with as many items: what is asked of each
 * variable is looked up. */
static char *
dup_display_unit (const char *unit, const char *name)
{
  return g_strconcat ("unit ", unit, "\n", name, NULL);
}

static char *
dup_item (guint type, gint64 value)
{
  return g_strdup_printf ("item %u %" G_GINT64_FORMAT, type, value);
}

static void
note_facts (WeirFmuReading *r)
{
  for (guint i = 0; i < r->units->len; i++)
    {
      const WeirFmuUnit *unit = &g_array_index (r->units, WeirFmuUnit, i);

      for (guint k = 0; k < unit->n_display_units; k++)
        g_hash_table_add (r->facts, dup_display_unit (unit->name, unit->display_units[k].name));
    }
  for (guint i = 0; i < r->types->len; i++)
    {
      const WeirFmuTraits *traits = &g_array_index (r->types, WeirFmuDeclaredType, i).traits;

      for (guint k = 0; k < traits->n_items; k++)
        g_hash_table_add (r->facts, dup_item (i, traits->items[k].value));
    }
}

/* --- Causality, variability, initial --------------------------------------------------------- */

enum {
  EXACT = 1 << WEIR_FMU_EXACT,
  APPROX = 1 << WEIR_FMU_APPROX,
  CALCULATED = 1 << WEIR_FMU_CALCULATED,
  NONE = 1 << WEIR_FMU_NO_INITIAL,
};

/* The values that "initial" may have: the tables of the standard, section 2.2.7 of 2.0 and 2.4.7.5
 * of 3.0. 0: the two do not go together. */
static guint
get_initials (WeirFmuCausality causality, WeirFmuVariability variability)
{
  static const guint8 initials[WEIR_FMU_N_CAUSALITIES][WEIR_FMU_N_VARIABILITIES] = {
    /* constant, fixed, tunable, discrete, continuous */
    [WEIR_FMU_PARAMETER] = { 0, EXACT, EXACT, 0, 0 },
    [WEIR_FMU_STRUCTURAL_PARAMETER] = { 0, EXACT, EXACT, 0, 0 },
    [WEIR_FMU_CALCULATED_PARAMETER] = { 0, CALCULATED | APPROX, CALCULATED | APPROX, 0, 0 },
    [WEIR_FMU_INPUT] = { 0, 0, 0, NONE, NONE },
    [WEIR_FMU_OUTPUT] = { EXACT, 0, 0, CALCULATED | EXACT | APPROX, CALCULATED | EXACT | APPROX },
    [WEIR_FMU_LOCAL] = { EXACT, CALCULATED | APPROX, CALCULATED | APPROX,
                         CALCULATED | EXACT | APPROX, CALCULATED | EXACT | APPROX },
    [WEIR_FMU_INDEPENDENT] = { 0, 0, 0, 0, NONE },
  };

  return initials[causality][variability];
}

static WeirFmuVariability
get_default_variability (const WeirFmuVariable *variable)
{
  switch (variable->causality)
    {
    case WEIR_FMU_PARAMETER:
    case WEIR_FMU_CALCULATED_PARAMETER:
    case WEIR_FMU_STRUCTURAL_PARAMETER:
      return WEIR_FMU_FIXED;
    case WEIR_FMU_INPUT:
    case WEIR_FMU_OUTPUT:
    case WEIR_FMU_LOCAL:
    case WEIR_FMU_INDEPENDENT:
      return weir_fmu_type_is_float (variable->traits.type) ? WEIR_FMU_CONTINUOUS
                                                            : WEIR_FMU_DISCRETE;
    case WEIR_FMU_N_CAUSALITIES:
    default:
      g_return_val_if_reached (WEIR_FMU_DISCRETE);
    }
}

static WeirFmuInitial
get_default_initial (guint initials)
{
  return initials & NONE         ? WEIR_FMU_NO_INITIAL
         : initials & CALCULATED ? WEIR_FMU_CALCULATED
                                 : WEIR_FMU_EXACT;
}

static void
check_kinds (WeirFmuReading *r, WeirFmuVariable *v)
{
  WeirFmuVariability otherwise = get_default_variability (v);
  gboolean is_said = v->variability != WEIR_FMU_N_VARIABILITIES;
  guint initials;

  /* 2.0 takes what is not said for continuous, whatever it is. */
  if (!is_said && r->d->version == 2 && otherwise != WEIR_FMU_CONTINUOUS)
    WARN (r, v, "FMU10",
          N_ ("The variability is not said, which means continuous in FMI 2.0 and cannot be here; "
              "it is "
              "taken for %s."),
          weir_fmu_variability_get_name (otherwise));
  if (!is_said)
    v->variability = otherwise;
  if (v->variability == WEIR_FMU_CONTINUOUS && !weir_fmu_type_is_float (v->traits.type))
    {
      WARN (r, v, "FMU10", N_ ("A variable of type %s cannot be continuous; it is taken for %s."),
            weir_fmu_type_get_name (v->traits.type), weir_fmu_variability_get_name (otherwise));
      v->variability = otherwise;
    }
  if (get_initials (v->causality, v->variability) == 0)
    {
      WARN (r, v, "FMU10",
            N_ ("The variable is %s and %s, which do not go together; it is taken for %s."),
            weir_fmu_causality_get_name (v->causality),
            weir_fmu_variability_get_name (v->variability),
            weir_fmu_variability_get_name (otherwise));
      v->variability = v->causality == WEIR_FMU_INDEPENDENT ? WEIR_FMU_CONTINUOUS : otherwise;
    }
  initials = get_initials (v->causality, v->variability);
  if (v->initial == WEIR_FMU_N_INITIALS)
    v->initial = get_default_initial (initials);
  else if ((initials & 1u << v->initial) == 0)
    {
      WeirFmuInitial initial = get_default_initial (initials);

      /* 3.0 says that an input is exact, 2.0 that it says nothing: the same. */
      if (v->causality != WEIR_FMU_INPUT || v->initial != WEIR_FMU_EXACT)
        WARN (r, v, "FMU10",
              N_ ("initial=\"%s\" does not go with %s and %s; it is taken for \"%s\"."),
              weir_fmu_initial_get_name (v->initial), weir_fmu_causality_get_name (v->causality),
              weir_fmu_variability_get_name (v->variability), weir_fmu_initial_get_name (initial));
      v->initial = initial;
    }
}

/* --- Start values and limits ----------------------------------------------------------------- */

static void
check_start (WeirFmuReading *r, WeirFmuVariable *v)
{
  gboolean is_needed = v->initial == WEIR_FMU_EXACT || v->initial == WEIR_FMU_APPROX
                       || v->causality == WEIR_FMU_INPUT;

  if (v->traits.type == WEIR_FMU_CLOCK || v->size == 0)
    return;
  if (is_needed && v->n_start == 0)
    WARN (r, v, "FMU11", N_ ("The start value is missing."));
  else if (v->initial == WEIR_FMU_CALCULATED && v->n_start > 0)
    WARN (r, v, "FMU11", N_ ("What is calculated at the start has a start value all the same."));
  else if (v->causality == WEIR_FMU_INDEPENDENT && v->n_start > 0)
    WARN (r, v, "FMU11", N_ ("Time has a start value."));
}

static gboolean
is_item (WeirFmuReading *r, const WeirFmuVariable *v, double value)
{
  g_autofree char *fact = NULL;

  if (fabs (value) > 9007199254740992.0) /* 2^53: no longer the number that was written */
    return TRUE;
  fact = dup_item (v->declared_type, (gint64) value);
  return g_hash_table_contains (r->facts, fact);
}

static void
check_limits (WeirFmuReading *r, WeirFmuVariable *v)
{
  WeirFmuTraits *traits = &v->traits;

  if (traits->min > traits->max)
    WARN (r, v, "FMU16", N_ ("The minimum, %.15g, is above the maximum, %.15g."), traits->min,
          traits->max);
  if (traits->nominal <= 0)
    {
      WARN (r, v, "FMU16",
            N_ ("The nominal value is %.15g, but must be positive; its size counts."),
            traits->nominal);
      traits->nominal = traits->nominal < 0 ? -traits->nominal : (double) NAN;
    }
  for (guint i = 0; v->start != NULL && i < v->n_start; i++)
    {
      double start = v->start[i];

      if (start < traits->min || start > traits->max)
        WARN (r, v, "FMU16", N_ ("The start value %.15g is outside of %.15g to %.15g."), start,
              isnan (traits->min) ? -(double) INFINITY : traits->min,
              isnan (traits->max) ? (double) INFINITY : traits->max);
      else if (traits->n_items > 0 && !is_item (r, v, start))
        WARN (r, v, "FMU23", N_ ("The start value %.15g is none of the enumeration's items."),
              start);
      else
        continue;
      break; /* one of an array says enough */
    }
}

/* --- Units and clocks ------------------------------------------------------------------------ */

static gboolean
has_display_unit (WeirFmuReading *r, const char *unit, const char *name)
{
  g_autofree char *fact = dup_display_unit (unit, name);

  return g_hash_table_contains (r->facts, fact) || strcmp (unit, name) == 0; /* as it is */
}

static void
check_unit (WeirFmuReading *r, WeirFmuVariable *v)
{
  const WeirFmuTraits *traits = &v->traits;
  guint i = traits->unit != NULL ? weir_fmu_description_find_unit (r->d, traits->unit)
                                 : WEIR_FMU_NONE;

  if (traits->unit != NULL && i == WEIR_FMU_NONE)
    WARN (r, v, "FMU12", N_ ("The unit \"%s\" is not defined."), traits->unit);
  else if (traits->display_unit != NULL && i == WEIR_FMU_NONE)
    WARN (r, v, "FMU12", N_ ("There is a unit to show, \"%s\", but none that it is a form of."),
          traits->display_unit);
  else if (traits->display_unit != NULL
           && !has_display_unit (r, traits->unit, traits->display_unit))
    WARN (r, v, "FMU12", N_ ("The unit to show, \"%s\", is not defined with \"%s\"."),
          traits->display_unit, traits->unit);
}

static void
check_clock (WeirFmuReading *r, WeirFmuVariable *v)
{
  static const WeirFmuClock unknown = {
    .interval = WEIR_FMU_INTERVAL_TRIGGERED, .period = NAN, .shift = NAN, .priority = G_MAXUINT
  };
  const WeirFmuClock *clock = v->traits.clock;

  if (v->traits.type != WEIR_FMU_CLOCK)
    return;
  if (clock == NULL)
    {
      WARN (r, v, "FMU20",
            N_ ("The clock does not say its \"intervalVariability\"; it is taken for triggered."));
      v->traits.clock = &unknown;
      return;
    }
  if (clock->interval == WEIR_FMU_INTERVAL_CONSTANT && !(clock->period > 0)
      && (clock->resolution == 0 || clock->period_ticks == 0))
    WARN (r, v, "FMU20",
          N_ ("A %s clock needs \"intervalDecimal\", or \"intervalCounter\" and \"resolution\"."),
          weir_fmu_interval_get_name (clock->interval));
  if (clock->interval != WEIR_FMU_INTERVAL_TRIGGERED && v->causality == WEIR_FMU_OUTPUT)
    WARN (r, v, "FMU20", N_ ("A clock that is an output must be triggered, and is %s."),
          weir_fmu_interval_get_name (clock->interval));
}

/* --- Names ----------------------------------------------------------------------------------- */

/* Behind a name in quotation marks, or NULL. */
static const char *
skip_quoted (const char *p)
{
  for (p++; *p != '\0' && *p != '\''; p++)
    if (*p == '\\' && p[1] != '\0')
      p++;
  return *p == '\'' ? p + 1 : NULL;
}

/* Behind indices ("[1,2]"), if there are any, or NULL. */
static const char *
skip_indices (const char *p)
{
  if (*p != '[')
    return p;
  do
    {
      gsize n = strspn (p + 1, "0123456789");

      if (n == 0)
        return NULL;
      p += n + 1;
    }
  while (*p == ',');
  return *p == ']' ? p + 1 : NULL;
}

/* Behind a path of names with dots, or NULL. */
static const char *
skip_path (const char *p)
{
  for (;;)
    {
      if (*p == '\'')
        p = skip_quoted (p);
      else if (g_ascii_isalpha (*p) || *p == '_')
        while (g_ascii_isalnum (*p) || *p == '_')
          p++;
      else
        return NULL;
      p = p != NULL ? skip_indices (p) : NULL;
      if (p == NULL || *p != '.')
        return p;
      p++;
    }
}

/* The grammar of structured names: a path, or der(path) or der(path,2). */
static gboolean
is_structured (const char *name)
{
  const char *end;

  if (!g_str_has_prefix (name, "der("))
    return (end = skip_path (name)) != NULL && *end == '\0';
  end = skip_path (name + 4);
  if (end != NULL && *end == ',')
    end += 1 + strspn (end + 1, "0123456789");
  return end != NULL && strcmp (end, ")") == 0;
}

static void
check_name (WeirFmuReading *r, WeirFmuVariable *v)
{
  if (strpbrk (v->name, "\t\r\n") != NULL)
    WARN (r, v, "FMU21", N_ ("The name has a line break or a tab in it."));
  else if (r->d->has_structured_names && !is_structured (v->name))
    WARN (r, v, "FMU21",
          N_ ("The names are said to be structured, but this one is not written so."));
}

void
weir_fmu_check_variables (WeirFmuReading *r)
{
  guint n_times = 0;

  if (!r->has_variables || r->variables->len == 0)
    weir_diagnostics_add (r->diagnostics, WEIR_SEVERITY_ERROR, "FMU04", NULL, 0, 0, 0,
                          "The description has no variables.");
  note_facts (r);
  for (guint i = 0; i < r->variables->len; i++)
    {
      WeirFmuVariable *v = VARIABLE (r, i);

      n_times += v->causality == WEIR_FMU_INDEPENDENT;
      check_kinds (r, v);
      check_start (r, v);
      check_limits (r, v);
      check_unit (r, v);
      check_clock (r, v);
      check_name (r, v);
    }
  if (n_times > 1 || (n_times == 0 && r->d->version == 3))
    weir_diagnostics_add (r->diagnostics, WEIR_SEVERITY_WARNING, "FMU18", NULL, 0, 0,
                          r->d->time != WEIR_FMU_NONE ? VARIABLE (r, r->d->time)->line : 0,
                          "One variable must be \"independent\", which is time; there are %u.",
                          n_times);
}

/* --- The structure --------------------------------------------------------------------------- */

/* How often each variable is in a list: not, once, more often. */
static guint8 *
count_members (WeirFmuReading *r, WeirFmuUnknowns list)
{
  guint8 *n = g_new0 (guint8, r->variables->len + 1);

  for (guint i = 0; i < r->unknowns[list]->len; i++)
    {
      const WeirFmuUnknown *unknown = &g_array_index (r->unknowns[list], WeirFmuUnknown, i);

      if (n[unknown->variable] == 1)
        weir_fmu_warn_of (r, "FMU14", VARIABLE (r, unknown->variable)->name, unknown->line,
                          "The structure lists the variable twice.");
      n[unknown->variable] = MIN (n[unknown->variable] + 1, 2);
    }
  return n;
}

static void
check_outputs (WeirFmuReading *r)
{
  g_autofree guint8 *n = count_members (r, WEIR_FMU_OUTPUTS);

  for (guint i = 0; i < r->variables->len; i++)
    {
      WeirFmuVariable *v = VARIABLE (r, i);
      gboolean is_output = v->causality == WEIR_FMU_OUTPUT
                           && (r->d->version == 2 || v->alias_of == WEIR_FMU_NONE);

      if (is_output && n[i] == 0)
        WARN (r, v, "FMU14",
              N_ ("The structure does not list this output; it is taken to depend on everything."));
      else if (n[i] > 0 && v->causality != WEIR_FMU_OUTPUT)
        WARN (r, v, "FMU14", N_ ("The structure lists it as an output, but it is %s."),
              weir_fmu_causality_get_name (v->causality));
    }
}

/* A derivative is of a state, both are numbers of the same shape. */
static void
check_derivatives (WeirFmuReading *r)
{
  g_autofree guint8 *n = count_members (r, WEIR_FMU_DERIVATIVES);
  gboolean is_needed = r->d->modes[WEIR_FMU_MODEL_EXCHANGE].is_offered;
  GArray *unknowns = r->unknowns[WEIR_FMU_DERIVATIVES];
  guint n_kept = 0;

  for (guint i = 0; i < unknowns->len; i++)
    {
      WeirFmuUnknown unknown = g_array_index (unknowns, WeirFmuUnknown, i);
      WeirFmuVariable *v = VARIABLE (r, unknown.variable);
      WeirFmuVariable *state = v->derivative_of != WEIR_FMU_NONE ? VARIABLE (r, v->derivative_of)
                                                                 : NULL;

      if (state == NULL || !weir_fmu_type_is_float (v->traits.type)
          || state->traits.type != v->traits.type || state->size != v->size)
        {
          weir_diagnostics_add (
              r->diagnostics, is_needed ? WEIR_SEVERITY_ERROR : WEIR_SEVERITY_WARNING, "FMU14",
              v->name, 0, 0, v->line,
              state == NULL
                  ? N_ ("The structure lists it as the derivative of a state, but it does "
                        "not say of which, by \"derivative\".")
                  : N_ ("It is the derivative of a state, but they differ in type or size."));
          continue;
        }
      state->derivative = unknown.variable;
      r->d->n_states += v->size;
      g_array_index (unknowns, WeirFmuUnknown, n_kept++) = unknown;
    }
  g_array_set_size (unknowns, n_kept);
}

static void
check_indicators (WeirFmuReading *r)
{
  g_autofree guint8 *n = count_members (r, WEIR_FMU_EVENT_INDICATORS);

  for (guint i = 0; i < r->variables->len; i++)
    if (n[i] > 0)
      {
        WeirFmuVariable *v = VARIABLE (r, i);

        if (!weir_fmu_type_is_float (v->traits.type))
          weir_fmu_complain_of (r, "FMU14", v->name, v->line,
                                "An event indicator must be a real number, but it is %s.",
                                weir_fmu_type_get_name (v->traits.type));
        r->d->n_indicators += v->size;
      }
}

/* What is to be found at the start: outputs and parameters that are calculated, states and
 * derivatives that are not given. */
static gboolean *
list_initial_unknowns (WeirFmuReading *r)
{
  gboolean *is_expected = g_new0 (gboolean, r->variables->len + 1);

  for (guint i = 0; i < r->variables->len; i++)
    {
      const WeirFmuVariable *v = VARIABLE (r, i);
      gboolean is_calculated = v->initial == WEIR_FMU_CALCULATED || v->initial == WEIR_FMU_APPROX;

      is_expected[i] = v->traits.type != WEIR_FMU_CLOCK
                       && ((v->causality == WEIR_FMU_OUTPUT && is_calculated && v->n_clocks == 0)
                           || v->causality == WEIR_FMU_CALCULATED_PARAMETER);
    }
  for (guint i = 0; i < r->unknowns[WEIR_FMU_DERIVATIVES]->len; i++)
    {
      guint derivative = g_array_index (r->unknowns[WEIR_FMU_DERIVATIVES], WeirFmuUnknown, i)
                             .variable;
      guint both[2] = { derivative, VARIABLE (r, derivative)->derivative_of };

      for (guint k = 0; k < 2; k++)
        is_expected[both[k]] |= VARIABLE (r, both[k])->initial == WEIR_FMU_CALCULATED
                                || VARIABLE (r, both[k])->initial == WEIR_FMU_APPROX;
    }
  return is_expected;
}

static void
check_initial_unknowns (WeirFmuReading *r)
{
  g_autofree guint8 *n = count_members (r, WEIR_FMU_INITIAL_UNKNOWNS);
  g_autofree gboolean *is_expected = list_initial_unknowns (r);

  for (guint i = 0; i < r->variables->len; i++)
    {
      WeirFmuVariable *v = VARIABLE (r, i);

      if (is_expected[i] && n[i] == 0)
        WARN (r, v, "FMU14",
              N_ ("It is unknown at the start, but the structure does not list it among the "
                  "initial unknowns."));
      else if (!is_expected[i] && n[i] > 0)
        WARN (r, v, "FMU14",
              N_ ("The structure lists it among the initial unknowns, but it is none."));
    }
}

static void
check_clocked_states (WeirFmuReading *r)
{
  g_autofree guint8 *n = count_members (r, WEIR_FMU_CLOCKED_STATES);

  for (guint i = 0; i < r->variables->len; i++)
    if (n[i] > 0 && (VARIABLE (r, i)->previous == WEIR_FMU_NONE || VARIABLE (r, i)->n_clocks == 0))
      WARN (r, VARIABLE (r, i), "FMU14",
            N_ ("The structure lists it as a clocked state, but it has no \"previous\" or no "
                "\"clocks\"."));
}

void
weir_fmu_check_structure (WeirFmuReading *r)
{
  gboolean is_any = FALSE;

  for (guint i = 0; i < WEIR_FMU_N_MODES; i++)
    is_any |= r->d->modes[i].is_offered;
  if (!is_any)
    weir_diagnostics_add (r->diagnostics, WEIR_SEVERITY_ERROR, "FMU07", NULL, 0, 0, 0,
                          "The FMU offers neither model exchange nor co-simulation.");
  if (!r->has_structure)
    weir_diagnostics_add (r->diagnostics, WEIR_SEVERITY_WARNING, "FMU14", NULL, 0, 0, 0,
                          "The description has no <ModelStructure>.");
  check_outputs (r);
  check_derivatives (r);
  check_clocked_states (r);
  check_indicators (r);
  check_initial_unknowns (r);
}

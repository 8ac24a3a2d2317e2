/* Building a leaf from the description of an FMU. See leaf.h.
 *
 * All that its functions need is laid out as plain numbers in the leaf's data: variables by what
 * becomes of them, entries under the numbers that the engine gives them.
 */
#include "fmi/leaf-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"

#define MAX_PORTS 20000 /* and parameters: tickets are numbered by 16 bits */

/* What an unknown depends on. */
typedef struct {
  gboolean time, states;
  GArray *inputs; /* guint32: numbers of continuous inputs, ascending */
} Needs;

typedef struct {
  guint variable;
  Needs needs;
  gboolean is_taken;
} Output;

typedef struct {
  const WeirFmuDescription *description;
  const WeirFmuLeafOptions *options;
  WeirLeafBuilder *b;
  WeirFmuLeafData head;
  GArray *clocks, *texts, *variables, *entries, *clocked, *numbers; /* of the data */
  guint *groups;   /* by variable: of what is clocked, the group that holds it */
  guint *input_of; /* by variable: its number among the continuous inputs, */
  guint *state_of; /* or its first value among the states; WEIR_FMU_NONE: it is none */
  WeirTicket epoch;
  guint n_names; /* of entries that have none of their own */
} Making;

/* --- Variables ------------------------------------------------------------------------------- */

static gboolean
is_number (WeirFmuType type)
{
  return type != WEIR_FMU_STRING && type != WEIR_FMU_BINARY && type != WEIR_FMU_CLOCK;
}

gboolean
weir_fmu_leaf_has_port (const WeirFmuDescription *description, const WeirFmuVariable *variable)
{
  return (weir_fmu_leaf_has (description, variable) && variable->causality != WEIR_FMU_PARAMETER)
         || weir_fmu_clock_is_trigger (variable) || weir_fmu_clock_is_output (variable)
         || weir_fmu_is_clocked (variable, WEIR_FMU_INPUT)
         || weir_fmu_is_clocked (variable, WEIR_FMU_OUTPUT)
         || weir_fmu_leaf_has_text_port (variable);
}

gboolean
weir_fmu_leaf_has (G_GNUC_UNUSED const WeirFmuDescription *description,
                   const WeirFmuVariable *variable)
{
  return is_number (variable->traits.type) && variable->n_clocks == 0
         && (variable->causality == WEIR_FMU_INPUT || variable->causality == WEIR_FMU_OUTPUT
             || (variable->causality == WEIR_FMU_PARAMETER && variable->n_start > 0));
}

/* The variable that an alias stands for. */
static guint
resolve (const Making *m, guint v)
{
  guint other = m->description->variables[v].alias_of;

  return other != WEIR_FMU_NONE ? other : v;
}

/* (transfer full) */
static double *
dup_start (const Making *m, guint v, GError **error)
{
  return weir_fmu_leaf_dup_start (m->description, m->options, v, error);
}

static guint
add_variable (Making *m, guint v, guint place, guint first)
{
  const WeirFmuVariable *variable = &m->description->variables[v];
  WeirFmuPlaceOfValue item = { .type = variable->traits.type,
                               .reference = variable->reference,
                               .size = (guint32) variable->size,
                               .place = place,
                               .first = first };

  g_array_append_val (m->variables, item);
  return item.size;
}

/* --- Refusals -------------------------------------------------------------------------------- */

static gboolean
refuse (const Making *m, GError **error, const char *why)
{
  weir_error_set (error, WEIR_ERROR_INVALID, "%s: %s", m->options->name, weir_phrase (why));
  return FALSE;
}

static gboolean
check (const Making *m, GError **error)
{
  const WeirFmuDescription *d = m->description;
  const WeirFmuModeInfo *mode = &d->modes[WEIR_FMU_MODEL_EXCHANGE];
  gsize n = 0;

  if (!mode->is_offered)
    return refuse (m, error,
                   N_ ("the FMU offers no model exchange, which is what joins a model's equations; "
                       "FMUs for co-simulation alone are not run yet."));
  if (mode->needs_execution_tool)
    return refuse (m, error,
                   N_ ("the FMU needs the tool that made it (needsExecutionTool), which is not "
                       "started from here."));
  for (guint v = 0; v < d->n_variables; v++)
    n += weir_fmu_leaf_has (d, &d->variables[v]) || weir_fmu_leaf_has_port (d, &d->variables[v]);
  if (n > MAX_PORTS)
    return refuse (m, error, N_ ("the FMU has more than 20000 inputs, outputs and parameters."));
  for (guint k = 0; k < m->options->n_starts; k++)
    {
      guint v = weir_fmu_description_find (d, m->options->starts[k].variable);

      if (v == WEIR_FMU_NONE
          || !(weir_fmu_leaf_has (d, &d->variables[v]) || m->state_of[v] != WEIR_FMU_NONE
               || weir_fmu_is_clocked (&d->variables[v], WEIR_FMU_INPUT)
               || d->variables[v].causality == WEIR_FMU_STRUCTURAL_PARAMETER
               || weir_fmu_leaf_takes_text (&d->variables[v])))
        {
          weir_error_set (error, WEIR_ERROR_INVALID,
                          "%s: there is no parameter, input or state \"%s\" that could be given a "
                          "value at the start.",
                          m->options->name, m->options->starts[k].variable);
          return FALSE;
        }
    }
  return TRUE;
}

/* --- Inputs, parameters, states -------------------------------------------------------------- */

static gboolean
is_continuous (const WeirFmuVariable *variable)
{
  return variable->variability == WEIR_FMU_CONTINUOUS
         && weir_fmu_type_is_float (variable->traits.type);
}

/* Which part of the data a variable belongs to, in the order of the data; -1: none. */
enum { FLOATS, MIXED, LATCHED, TUNABLE, FIXED, N_PARTS, OF_CLOCKS = N_PARTS, TEXTS };

static int
classify (const Making *m, const WeirFmuVariable *variable)
{
  if (weir_fmu_clock_is_trigger (variable) || weir_fmu_is_clocked (variable, WEIR_FMU_INPUT))
    return OF_CLOCKS;
  if (weir_fmu_leaf_has_text_port (variable) && variable->causality == WEIR_FMU_INPUT)
    return TEXTS;
  if (!weir_fmu_leaf_has (m->description, variable) || variable->causality == WEIR_FMU_OUTPUT)
    return -1;
  if (variable->causality == WEIR_FMU_PARAMETER)
    return variable->variability == WEIR_FMU_TUNABLE ? TUNABLE : FIXED;
  if (!is_continuous (variable))
    return LATCHED;
  return variable->traits.type == WEIR_FMU_FLOAT64 ? FLOATS : MIXED;
}

static void
add_text_input (Making *m, guint v)
{
  const WeirFmuVariable *variable = &m->description->variables[v];
  WeirFmuTextPort port = weir_fmu_text_port (variable);
  WeirInput in = weir_leaf_add_abstract_input (
      m->b, variable->name, G_VARIANT_TYPE (weir_fmu_text_get_type (variable->traits.type)));

  weir_leaf_set_abstract_input_default (m->b, in,
                                        weir_fmu_text_new_start (m->description, m->options, v));
  port.place = in.i;
  g_array_append_val (m->texts, port);
}

/* Ports and parameters, in the order of the file. @places: by variable. */
static gboolean
add_ports (Making *m, guint *places, GError **error)
{
  const WeirFmuDescription *d = m->description;

  for (guint v = 0; v < d->n_variables; v++)
    {
      const WeirFmuVariable *variable = &d->variables[v];
      int part = classify (m, variable);
      g_autofree double *start = NULL;

      if (part == TEXTS)
        add_text_input (m, v);
      if (part < 0 || part == TEXTS)
        continue;
      start = dup_start (m, v, error);
      if (start == NULL)
        return FALSE;
      if (part < TUNABLE || part == OF_CLOCKS)
        {
          WeirInput in = weir_leaf_add_input (m->b, variable->name, (guint) variable->size);

          weir_leaf_set_input_default (m->b, in, start);
          places[v] = in.i;
        }
      else
        places[v] = weir_leaf_add_parameter (m->b, variable->name, start, (guint) variable->size).i;
    }
  return TRUE;
}

static void
place_variables (Making *m, const guint *places)
{
  const WeirFmuDescription *d = m->description;
  guint n[N_PARTS] = { 0 }, n_inputs = 0, first = 0, latched = 0;

  for (int part = 0; part < N_PARTS; part++)
    for (guint v = 0; v < d->n_variables; v++)
      {
        if (classify (m, &d->variables[v]) != part)
          continue;
        n[part]++;
        if (part <= MIXED)
          {
            m->input_of[v] = n_inputs++;
            first += add_variable (m, v, places[v], first);
            if (part == FLOATS)
              m->head.n_input_values = first;
          }
        else
          latched += add_variable (m, v, places[v], latched) * (part <= TUNABLE);
        if (part == LATCHED || part == TUNABLE)
          m->head.n_latch = latched;
      }
  m->head.n_inputs = n[FLOATS];
  m->head.n_mixed = n[MIXED];
  m->head.n_latched = n[LATCHED];
  m->head.n_tunable = n[TUNABLE];
  m->head.n_parameters = n[TUNABLE] + n[FIXED];
}

/* Where the states are. FALSE: more than one derivative is of no state, as @error says. */
static gboolean
find_states (Making *m, GError **error)
{
  const WeirFmuDescription *d = m->description;
  guint n = 0;

  for (guint i = 0; i < d->n_unknowns[WEIR_FMU_DERIVATIVES]; i++)
    {
      guint derivative = d->unknowns[WEIR_FMU_DERIVATIVES][i].variable;
      guint state = d->variables[derivative].derivative_of;

      if (state == WEIR_FMU_NONE)
        return refuse (m, error, N_ ("a derivative of the FMU does not say of which state it is."));
      m->state_of[state] = n;
      n += (guint) d->variables[state].size;
    }
  for (guint v = 0; v < d->n_variables; v++)
    if (resolve (m, v) != v)
      m->state_of[v] = m->state_of[resolve (m, v)];
  m->head.n_states = n;
  m->head.n_indicators = (guint32) d->n_indicators;
  return TRUE;
}

/* Where the description says none, a state is of the size 1. The FMU may say otherwise at events.
 */
static void
set_nominals (Making *m)
{
  const WeirFmuDescription *d = m->description;
  g_autofree double *nominals = g_new (double, m->head.n_states);
  gboolean is_any = FALSE;
  WeirGroup group;

  for (guint i = 0; i < d->n_unknowns[WEIR_FMU_DERIVATIVES]; i++)
    {
      guint v = d->variables[d->unknowns[WEIR_FMU_DERIVATIVES][i].variable].derivative_of;
      double nominal = d->variables[v].traits.nominal;
      gboolean is_said = isfinite (nominal) && nominal > 0;

      is_any |= is_said && nominal != 1;
      for (gsize k = 0; k < d->variables[v].size; k++)
        nominals[m->state_of[v] + k] = is_said ? nominal : 1;
    }
  if (is_any)
    weir_leaf_set_state_nominals (m->b, nominals);
  group = weir_leaf_add_discrete_state (m->b, "nominals", nominals, m->head.n_states);
  weir_leaf_set_nominals_group (m->b, group);
  m->head.nominals = group.i;
}

static gboolean
add_states (Making *m, GPtrArray *names, GError **error)
{
  const WeirFmuDescription *d = m->description;
  g_autofree double *initial = g_new0 (double, m->head.n_states + 1);

  for (guint i = 0; i < d->n_unknowns[WEIR_FMU_DERIVATIVES]; i++)
    {
      guint v = d->variables[d->unknowns[WEIR_FMU_DERIVATIVES][i].variable].derivative_of;
      const WeirFmuVariable *variable = &d->variables[v];
      g_autofree double *start = dup_start (m, v, error);

      if (start == NULL)
        return FALSE;
      memcpy (initial + m->state_of[v], start, variable->size * sizeof *start);
      for (gsize k = 0; k < variable->size; k++)
        g_ptr_array_add (names, variable->size == 1 ? g_strdup (variable->name)
                                                    : g_strdup_printf ("%s[%" G_GSIZE_FORMAT "]",
                                                                       variable->name, k + 1));
      /* Of one that is approximate the FMU sets out from it. */
      if ((variable->initial == WEIR_FMU_EXACT || variable->initial == WEIR_FMU_APPROX)
          && variable->traits.type == WEIR_FMU_FLOAT64)
        {
          add_variable (m, v, 0, m->state_of[v]);
          m->head.n_starts++;
        }
    }
  g_ptr_array_add (names, NULL);
  if (m->head.n_states == 0)
    return TRUE;
  weir_leaf_set_continuous_state (m->b, 0, 0, m->head.n_states, initial);
  weir_leaf_name_states (m->b, (const char *const *) names->pdata);
  set_nominals (m);
  return TRUE;
}

/* Of text inputs, in their order. */
static void
add_text_latches (Making *m)
{
  guint n = 0;

  for (guint v = 0; v < m->description->n_variables; v++)
    if (classify (m, &m->description->variables[v]) == TEXTS)
      {
        g_autofree char *name = g_strconcat ("latch of ", m->description->variables[v].name, NULL);

        g_array_index (m->texts, WeirFmuTextPort, n++)
            .latch = weir_leaf_add_abstract_state (
                         m->b, name, weir_fmu_text_new_start (m->description, m->options, v))
                         .i;
      }
  m->head.n_text_inputs = n;
}

static void
add_hidden_states (Making *m)
{
  double none = INFINITY;
  g_autofree double *latch = g_new0 (double, m->head.n_latch + 1);
  WeirGroup epoch = weir_leaf_add_abstract_state (m->b, "epoch", g_variant_new_uint64 (0));

  weir_leaf_set_keeping (m->b, epoch, &weir_fmu_epoch_keeping);
  m->epoch = weir_group_ticket (m->b, epoch);
  m->head.epoch = epoch.i;
  m->head.next = weir_leaf_add_discrete_state (m->b, "next time", &none, 1).i;
  if (m->head.n_latch > 0)
    m->head.latch = weir_leaf_add_discrete_state (m->b, "latch", latch, m->head.n_latch).i;
  add_text_latches (m);
}

/* --- Clocks ---------------------------------------------------------------------------------- */

/* What holds an output between its ticks. */
static gboolean
add_group (Making *m, guint v, GError **error)
{
  const WeirFmuVariable *variable = &m->description->variables[v];
  g_autofree double *start = dup_start (m, v, error);

  if (start != NULL)
    m->groups[v] =
        weir_leaf_add_discrete_state (m->b, variable->name, start, (guint) variable->size).i;
  return start != NULL;
}

static void
add_ticks (Making *m)
{
  g_autofree double *ticks = NULL;
  guint n = 0;

  for (guint v = 0; v < m->description->n_variables; v++)
    n += weir_fmu_clock_is_timed (&m->description->variables[v]);
  if (n == 0)
    return;
  ticks = g_new0 (double, n *WEIR_FMU_TICK_N);
  for (guint i = 0; i < n; i++)
    ticks[i * WEIR_FMU_TICK_N + WEIR_FMU_TICK_NEXT] = INFINITY;
  m->head.ticks = weir_leaf_add_discrete_state (m->b, "ticks", ticks, n * WEIR_FMU_TICK_N).i;
}

/* @places: of inputs; those of outputs are their groups. */
static gboolean
add_clocks (Making *m, guint *places, GError **error)
{
  const WeirFmuDescription *d = m->description;
  WeirFmuClocks clocks;

  add_ticks (m);
  for (guint clocked = 0; clocked <= 1; clocked++)
    for (guint v = 0; v < d->n_variables; v++)
      if (clocked ? weir_fmu_is_clocked (&d->variables[v], WEIR_FMU_OUTPUT)
                  : weir_fmu_clock_is_output (&d->variables[v]))
        {
          if (!add_group (m, v, error))
            return FALSE;
          places[v] = m->groups[v];
        }
  clocks = weir_fmu_clocks_list (d, places, m->head.n_latch, m->clocks, m->clocked, m->numbers);
  m->head.n_latch += clocks.n_triggers;
  m->head.n_timed = clocks.n_timed;
  m->head.n_triggers = clocks.n_triggers;
  m->head.n_clock_outputs = clocks.n_clock_outputs;
  m->head.n_clocked_inputs = clocks.n_clocked_inputs;
  m->head.n_clocked_outputs = clocks.n_clocked_outputs;
  return TRUE;
}

/* --- Dependencies ---------------------------------------------------------------------------- */

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint32 left = *(const guint32 *) a, right = *(const guint32 *) b;

  return (left > right) - (left < right);
}

static void
needs_clear (Needs *needs)
{
  g_clear_pointer (&needs->inputs, g_array_unref);
}

static void
add_input (Needs *needs, guint32 input)
{
  for (guint i = 0; i < needs->inputs->len; i++)
    if (g_array_index (needs->inputs, guint32, i) == input)
      return;
  g_array_append_val (needs->inputs, input);
}

static void
add_everything (const Making *m, Needs *needs)
{
  needs->time = TRUE;
  needs->states = m->head.n_states > 0;
  g_array_set_size (needs->inputs, 0);
  for (guint32 i = 0; i < m->head.n_inputs + m->head.n_mixed; i++)
    g_array_append_val (needs->inputs, i);
}

static gboolean
is_reliable (const Making *m)
{
  const WeirFmuVerdict *verdict = m->options->verdict;

  return verdict == NULL || (verdict->repeats && verdict->ignores_order);
}

/* What was proven, whatever the file says. What is not reliable moves with time and states too. */
static void
add_proven (const Making *m, guint unknown, Needs *needs)
{
  const WeirFmuVerdict *verdict = m->options->verdict;

  for (guint i = 0; verdict != NULL && i < verdict->n_edges; i++)
    {
      guint v = verdict->edges[i].known;

      if (verdict->edges[i].unknown != unknown)
        continue;
      if (v == WEIR_FMU_NONE)
        needs->time = TRUE;
      else if (m->state_of[v] != WEIR_FMU_NONE)
        needs->states = TRUE;
      else if (m->input_of[resolve (m, v)] != WEIR_FMU_NONE)
        add_input (needs, m->input_of[resolve (m, v)]);
    }
  needs->time |= !is_reliable (m);
  needs->states |= !is_reliable (m) && m->head.n_states > 0;
}

/* Parameters, and what changes at events only, are behind the epoch. */
static void
add_needs (const Making *m, const WeirFmuUnknown *unknown, Needs *needs)
{
  if (needs->inputs == NULL)
    needs->inputs = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (unknown == NULL || unknown->dependencies == NULL)
    add_everything (m, needs);
  for (guint i = 0; unknown != NULL && unknown->dependencies != NULL && i < unknown->n_dependencies;
       i++)
    {
      guint v = unknown->dependencies[i];

      if (m->description->variables[v].causality == WEIR_FMU_INDEPENDENT)
        needs->time = TRUE;
      else if (m->state_of[v] != WEIR_FMU_NONE)
        needs->states = TRUE;
      else if (m->input_of[resolve (m, v)] != WEIR_FMU_NONE)
        add_input (needs, m->input_of[resolve (m, v)]);
    }
  if (unknown != NULL)
    add_proven (m, unknown->variable, needs);
  /* It is a state, whatever else is said. */
  if (unknown != NULL && m->state_of[unknown->variable] != WEIR_FMU_NONE)
    needs->states = TRUE;
  g_array_sort (needs->inputs, compare_numbers);
}

static gboolean
needs_equal (const Needs *a, const Needs *b)
{
  return a->time == b->time && a->states == b->states && a->inputs->len == b->inputs->len
         && (a->inputs->len == 0
             || memcmp (a->inputs->data, b->inputs->data, a->inputs->len * sizeof (guint32)) == 0);
}

/* (transfer full), of WeirTicket, with its end. */
static GArray *
list_tickets (const Making *m, const Needs *needs)
{
  GArray *tickets = g_array_new (FALSE, FALSE, sizeof (WeirTicket));
  const WeirTicket time = WEIR_TIME, states = WEIR_XC, parameters = WEIR_PN,
                   end = { WEIR_TICKET_END };

  g_array_append_val (tickets, m->epoch);
  if (m->head.n_parameters > 0)
    g_array_append_val (tickets, parameters);
  if (needs->time)
    g_array_append_val (tickets, time);
  if (needs->states)
    g_array_append_val (tickets, states);
  for (guint i = 0; i < needs->inputs->len; i++)
    {
      guint32 number = g_array_index (needs->inputs, guint32, i);
      guint32 place = g_array_index (m->variables, WeirFmuPlaceOfValue, number).place;
      WeirTicket ticket = weir_input_ticket (m->b, (WeirInput) { (guint16) place });

      g_array_append_val (tickets, ticket);
    }
  g_array_append_val (tickets, end);
  return tickets;
}

/* --- Entries --------------------------------------------------------------------------------- */

static int
compare_types (gconstpointer a, gconstpointer b, gpointer data)
{
  const WeirFmuVariable *variables = data;
  guint left = *(const guint *) a, right = *(const guint *) b;
  guint type_left = variables[left].traits.type, type_right = variables[right].traits.type;

  if (type_left != type_right)
    return type_left < type_right ? -1 : 1;
  return (left > right) - (left < right);
}

/* An entry that gets @got (guint, sorted by type) and needs @needs, to be declared next. */
static WeirFmuLeafEntry *
add_entry (Making *m, WeirFmuEntryKind kind, guint size, const Needs *needs, GArray *got)
{
  WeirFmuLeafEntry e = { .kind = kind, .size = size };

  if (needs != NULL)
    {
      e.uses_time = needs->time;
      e.uses_states = needs->states;
      e.inputs = m->numbers->len;
      e.n_inputs = needs->inputs->len;
      g_array_append_vals (m->numbers, needs->inputs->data, needs->inputs->len);
    }
  if (got != NULL)
    {
      guint first = 0;

      e.variables = m->variables->len;
      e.n_variables = got->len;
      e.refs = m->numbers->len;
      for (guint i = 0; i < got->len; i++)
        {
          guint v = g_array_index (got, guint, i);
          guint32 reference = m->description->variables[v].reference;

          first += add_variable (m, v, 0, first);
          g_array_append_val (m->numbers, reference);
        }
    }
  g_array_append_val (m->entries, e);
  return &g_array_index (m->entries, WeirFmuLeafEntry, m->entries->len - 1);
}

/* An entry of an FMU that does not give the same again is computed at each request. */
static void
doubt (Making *m, WeirTicket entry)
{
  if (!is_reliable (m))
    weir_leaf_disable_caching_by_default (m->b, entry);
}

/* First of all, so that its size is found. */
static void
add_held (Making *m)
{
  Needs needs = { 0 };
  g_autoptr (GArray) tickets = NULL;
  guint size = 1 + m->head.n_states;

  for (guint i = 0; i < m->head.n_inputs + m->head.n_mixed; i++)
    size += g_array_index (m->variables, WeirFmuPlaceOfValue, i).size;
  add_needs (m, NULL, &needs);
  tickets = list_tickets (m, &needs);
  add_entry (m, WEIR_FMU_ENTRY_HELD, size, &needs, NULL);
  weir_leaf_add_cache_entry (m->b, "held by the FMU", size, weir_fmu_leaf_calc,
                             (const WeirTicket *) (void *) tickets->data);
  needs_clear (&needs);
}

static void
add_derivatives (Making *m, const char *const *names)
{
  const WeirFmuDescription *d = m->description;
  g_autoptr (GArray) got = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) tickets = NULL;
  Needs needs = { 0 };

  if (m->head.n_states == 0)
    return;
  for (guint i = 0; i < d->n_unknowns[WEIR_FMU_DERIVATIVES]; i++)
    {
      add_needs (m, &d->unknowns[WEIR_FMU_DERIVATIVES][i], &needs);
      g_array_append_val (got, d->unknowns[WEIR_FMU_DERIVATIVES][i].variable);
    }
  tickets = list_tickets (m, &needs);
  add_entry (m, WEIR_FMU_ENTRY_DERIVATIVES, m->head.n_states, &needs, got);
  weir_leaf_set_derivatives (m->b, weir_fmu_leaf_calc, (const WeirTicket *) (void *) tickets->data);
  weir_leaf_name_elements (m->b, WEIR_XCDOT, names, NULL);
  doubt (m, WEIR_XCDOT);
  needs_clear (&needs);
}

/* 2.0 says how many there are, and no more: they depend on everything. */
static void
add_indicators (Making *m)
{
  const WeirFmuDescription *d = m->description;
  g_autoptr (GArray) got = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) tickets = NULL;
  Needs needs = { 0 };
  WeirCached z;

  if (m->head.n_indicators == 0)
    return;
  if (d->n_unknowns[WEIR_FMU_EVENT_INDICATORS] == 0)
    add_needs (m, NULL, &needs);
  for (guint i = 0; i < d->n_unknowns[WEIR_FMU_EVENT_INDICATORS]; i++)
    {
      add_needs (m, &d->unknowns[WEIR_FMU_EVENT_INDICATORS][i], &needs);
      g_array_append_val (got, d->unknowns[WEIR_FMU_EVENT_INDICATORS][i].variable);
    }
  tickets = list_tickets (m, &needs);
  add_entry (m, WEIR_FMU_ENTRY_INDICATORS, m->head.n_indicators, &needs, got);
  z = weir_leaf_add_cache_entry (m->b, "event indicators", m->head.n_indicators, weir_fmu_leaf_calc,
                                 (const WeirTicket *) (void *) tickets->data);
  doubt (m, weir_cached_ticket (m->b, z));
  weir_leaf_add_unrestricted_update (m->b, weir_on_change_of_sign (z, WEIR_CROSSES),
                                     weir_fmu_leaf_meet_event);
  needs_clear (&needs);
}

/* At the very instant at which a signal goes up, and where it goes down to be met again. */
static void
add_triggers (Making *m)
{
  g_autoptr (GArray) tickets = g_array_new (FALSE, FALSE, sizeof (WeirTicket));
  const WeirTicket end = { WEIR_TICKET_END };
  WeirTicket ticket;
  WeirCached left;

  if (m->head.n_triggers == 0)
    return;
  ticket = weir_group_ticket (m->b, (WeirGroup) { (guint16) m->head.latch });
  g_array_append_val (tickets, ticket);
  for (guint i = 0; i < m->head.n_triggers; i++)
    {
      guint32 place = g_array_index (m->clocked, WeirFmuLeafClocked, i).value.place;

      ticket = weir_input_ticket (m->b, (WeirInput) { (guint16) place });
      g_array_append_val (tickets, ticket);
    }
  g_array_append_val (tickets, end);
  add_entry (m, WEIR_FMU_ENTRY_TRIGGERS, m->head.n_triggers, NULL, NULL);
  left = weir_leaf_add_cache_entry (m->b, "triggers", m->head.n_triggers, weir_fmu_leaf_calc,
                                    (const WeirTicket *) (void *) tickets->data);
  weir_leaf_add_unrestricted_update (m->b, weir_on_change_of_sign (left, WEIR_FALLING),
                                     weir_fmu_leaf_meet_event);
}

static const WeirFmuUnknown *
find_output (const Making *m, guint v)
{
  const WeirFmuDescription *d = m->description;

  for (guint i = 0; i < d->n_unknowns[WEIR_FMU_OUTPUTS]; i++)
    if (d->unknowns[WEIR_FMU_OUTPUTS][i].variable == v)
      return &d->unknowns[WEIR_FMU_OUTPUTS][i];
  return NULL;
}

/* One entry of all outputs that need what the first does; @cached: its number. */
static void
add_values (Making *m, GArray *outputs, const Output *first, const GArray *got, guint *entry)
{
  g_autoptr (GArray) tickets = list_tickets (m, &first->needs);
  g_autofree char *name = g_strdup_printf ("outputs %u", ++m->n_names);
  WeirFmuLeafEntry *e;
  guint size = 0;

  for (guint i = 0; i < got->len; i++)
    size += (guint) m->description->variables[g_array_index (got, guint, i)].size;
  e = add_entry (m, WEIR_FMU_ENTRY_VALUES, size, &first->needs, (GArray *) got);
  e->from = weir_leaf_add_cache_entry (m->b, name, size, weir_fmu_leaf_calc,
                                       (const WeirTicket *) (void *) tickets->data)
                .i;
  doubt (m, weir_cached_ticket (m->b, (WeirCached) { (guint16) e->from }));
  *entry = m->entries->len - 1;
  for (guint i = 0; i < outputs->len; i++)
    {
      Output *output = &g_array_index (outputs, Output, i);

      output->is_taken |= needs_equal (&output->needs, &first->needs);
    }
}

static void
add_output_of_state (Making *m, const WeirFmuVariable *variable, guint state)
{
  guint size = (guint) variable->size;
  WeirFmuLeafEntry *e;

  if (size == m->head.n_states)
    {
      weir_leaf_add_output_window (m->b, variable->name, WEIR_XC);
      return;
    }
  e = add_entry (m, WEIR_FMU_ENTRY_STATE, size, NULL, NULL);
  e->first = state;
  weir_leaf_add_output (m->b, variable->name, size, weir_fmu_leaf_calc, WEIR_DEPENDS (WEIR_XC));
}

/* Each has an entry of its own. */
static void
add_text_output (Making *m, guint v)
{
  const WeirFmuVariable *variable = &m->description->variables[v];
  const GVariantType *type = G_VARIANT_TYPE (weir_fmu_text_get_type (variable->traits.type));
  WeirFmuTextPort port = weir_fmu_text_port (variable);
  g_autofree char *name = g_strdup_printf ("outputs %u", ++m->n_names);
  g_autoptr (GArray) tickets = NULL;
  Needs needs = { 0 };
  WeirTicket ticket;

  add_needs (m, find_output (m, v), &needs);
  tickets = list_tickets (m, &needs);
  add_entry (m, WEIR_FMU_ENTRY_TEXT, 0, &needs, NULL)->first = m->head.n_text_outputs++;
  g_array_append_val (m->texts, port);
  ticket = weir_cached_ticket (
      m->b, weir_leaf_add_abstract_cache_entry (m->b, name, type, weir_fmu_leaf_calc_text,
                                                (const WeirTicket *) (void *) tickets->data));
  doubt (m, ticket);
  weir_leaf_add_output_window (m->b, variable->name, ticket);
  needs_clear (&needs);
}

/* Outputs whose needs are equal: where each is in their entry. */
static void
add_outputs (Making *m)
{
  const WeirFmuDescription *d = m->description;
  g_autoptr (GArray) outputs = g_array_new (FALSE, TRUE, sizeof (Output));
  g_autofree guint *entry_of = g_new0 (guint, d->n_variables + 1);
  g_autofree guint *first_of = g_new0 (guint, d->n_variables + 1);

  for (guint v = 0; v < d->n_variables; v++)
    if (weir_fmu_leaf_has (d, &d->variables[v]) && d->variables[v].causality == WEIR_FMU_OUTPUT
        && m->state_of[v] == WEIR_FMU_NONE)
      {
        Output output = { .variable = v };

        add_needs (m, find_output (m, v), &output.needs);
        g_array_append_val (outputs, output);
      }
  for (guint i = 0; i < outputs->len; i++)
    {
      Output *first = &g_array_index (outputs, Output, i);
      g_autoptr (GArray) got = g_array_new (FALSE, FALSE, sizeof (guint));
      guint entry, at = 0;

      if (first->is_taken)
        continue;
      for (guint k = i; k < outputs->len; k++)
        if (needs_equal (&g_array_index (outputs, Output, k).needs, &first->needs))
          g_array_append_val (got, g_array_index (outputs, Output, k).variable);
      g_array_sort_with_data (got, compare_types, (gpointer) d->variables);
      add_values (m, outputs, first, got, &entry);
      for (guint k = 0; k < got->len; k++)
        {
          guint v = g_array_index (got, guint, k);

          entry_of[v] = entry;
          first_of[v] = at;
          at += (guint) d->variables[v].size;
        }
    }
  for (guint v = 0; v < d->n_variables; v++)
    {
      const WeirFmuVariable *variable = &d->variables[v];
      const WeirFmuLeafEntry *values;
      WeirTicket ticket;
      WeirFmuLeafEntry *e;
      guint32 from;

      if (weir_fmu_clock_is_output (variable) || weir_fmu_is_clocked (variable, WEIR_FMU_OUTPUT))
        weir_leaf_add_output_window (
            m->b, variable->name, weir_group_ticket (m->b, (WeirGroup) { (guint16) m->groups[v] }));
      if (weir_fmu_leaf_has_text_port (variable) && variable->causality == WEIR_FMU_OUTPUT)
        add_text_output (m, v);
      if (!weir_fmu_leaf_has (d, variable) || variable->causality != WEIR_FMU_OUTPUT)
        continue;
      if (m->state_of[v] != WEIR_FMU_NONE)
        {
          add_output_of_state (m, variable, m->state_of[v]);
          continue;
        }
      values = &g_array_index (m->entries, WeirFmuLeafEntry, entry_of[v]);
      from = values->from;
      ticket = weir_cached_ticket (m->b, (WeirCached) { (guint16) from });
      if (values->n_variables == 1)
        {
          weir_leaf_add_output_window (m->b, variable->name, ticket);
          continue;
        }
      e = add_entry (m, WEIR_FMU_ENTRY_SLICE, (guint) variable->size, NULL, NULL);
      e->from = from;
      e->first = first_of[v];
      weir_leaf_add_output (m->b, variable->name, (guint) variable->size, weir_fmu_leaf_calc,
                            WEIR_DEPENDS (ticket));
    }
  for (guint i = 0; i < outputs->len; i++)
    needs_clear (&g_array_index (outputs, Output, i).needs);
}

/* --- All together ---------------------------------------------------------------------------- */

static void
keep_binary (Making *m, const char *const *state_names)
{
  const WeirFmuDescription *d = m->description;
  const WeirFmuLeafOptions *options = m->options;
  const WeirFmuModeInfo *mode = &d->modes[WEIR_FMU_MODEL_EXCHANGE];
  g_autofree guint32 *inputs = g_new (guint32, m->head.n_inputs + 1);
  g_autoptr (GPtrArray) input_names = g_ptr_array_new ();
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (GArray) structure = NULL;
  g_auto (WeirFmuTexts) texts = { 0 };
  g_autofree char *text = NULL;
  gboolean can_save = mode->can_get_and_set_state
                      && (options->verdict == NULL || options->verdict->restores);
  WeirFmuBinary binary = {
    .folder = options->folder,
    .name = options->name,
    .identifier = mode->identifier,
    .token = d->token,
    .version = (guint) d->version,
    .mode = WEIR_FMU_MODEL_EXCHANGE,
    .n_states = m->head.n_states,
    .n_indicators = m->head.n_indicators,
    .state_names = m->head.n_states > 0 ? state_names : NULL,
    .inputs = inputs,
    .n_inputs = m->head.n_inputs,
    .n_input_values = m->head.n_input_values,
    .can_save = can_save,
    .can_serialize = can_save && mode->can_serialize_state,
    .can_differentiate = mode->has_directional_derivatives,
    .needs_completed_step = mode->needs_completed_step,
  };

  for (guint v = 0; v < d->n_variables; v++)
    if (m->input_of[v] != WEIR_FMU_NONE && m->input_of[v] < m->head.n_inputs)
      {
        inputs[m->input_of[v]] = d->variables[v].reference;
        g_ptr_array_add (input_names, (char *) d->variables[v].name);
      }
  g_ptr_array_add (input_names, NULL);
  binary.input_names = (const char *const *) input_names->pdata;
  text = g_strdup_printf ("%s|%s|%s|%d|%s|%d|%.17g|%" G_GUINT64_FORMAT "|%d",
                          options->checksum != NULL ? options->checksum : "", d->token,
                          mode->identifier, d->version, options->name,
                          (int) options->instance.place, options->instance.limit,
                          options->instance.memory_limit, can_save);
  g_checksum_update (sum, (const guchar *) text, -1);
  weir_fmu_leaf_add_texts_to_checksum (options, sum);
  weir_fmu_leaf_list_texts (d, options, &texts, &binary);
  structure = weir_fmu_leaf_list_structure (d);
  binary.structure = (const WeirFmuStructural *) (gpointer) structure->data;
  binary.n_structure = structure->len;
  weir_fmu_leaf_add_structure_to_checksum (&binary, sum);
  g_strlcpy (m->head.key, g_checksum_get_string (sum), sizeof m->head.key);
  weir_fmu_leaf_keep_binary (m->head.key, &binary, options->archive, &options->instance);
}

static void
set_data (Making *m)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  m->head.n_variables = m->variables->len;
  m->head.n_entries = m->entries->len;
  m->head.n_numbers = m->numbers->len;
  m->head.needs_completed_step = m->description->modes[WEIR_FMU_MODEL_EXCHANGE]
                                     .needs_completed_step;
  g_byte_array_append (bytes, (const guint8 *) &m->head, sizeof m->head);
  g_byte_array_append (bytes, (const guint8 *) m->clocks->data,
                       m->clocks->len * (guint) sizeof (WeirFmuLeafClock));
  g_byte_array_append (bytes, (const guint8 *) m->texts->data,
                       m->texts->len * (guint) sizeof (WeirFmuTextPort));
  g_byte_array_append (bytes, (const guint8 *) m->variables->data,
                       m->variables->len * (guint) sizeof (WeirFmuPlaceOfValue));
  g_byte_array_append (bytes, (const guint8 *) m->entries->data,
                       m->entries->len * (guint) sizeof (WeirFmuLeafEntry));
  g_byte_array_append (bytes, (const guint8 *) m->clocked->data,
                       m->clocked->len * (guint) sizeof (WeirFmuLeafClocked));
  g_byte_array_append (bytes, (const guint8 *) m->numbers->data,
                       m->numbers->len * (guint) sizeof (guint32));
  weir_leaf_set_data (m->b, bytes->data, bytes->len);
}

static gboolean
make (Making *m, GError **error)
{
  guint n = m->description->n_variables;
  g_autofree guint *places = g_new0 (guint, n + 1);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  if (!find_states (m, error) || !check (m, error) || !add_ports (m, places, error))
    return FALSE;
  place_variables (m, places);
  if (!add_states (m, names, error) || !add_clocks (m, places, error))
    return FALSE;
  keep_binary (m, (const char *const *) names->pdata);
  add_hidden_states (m);
  add_held (m);
  add_derivatives (m, (const char *const *) names->pdata);
  weir_leaf_add_unrestricted_update (m->b, weir_on_initialization (), weir_fmu_leaf_start);
  weir_leaf_add_unrestricted_update (m->b, weir_at_times (weir_fmu_leaf_next_time),
                                     weir_fmu_leaf_meet_event);
  add_indicators (m);
  add_triggers (m);
  if (m->head.n_latch > 0 || m->head.n_text_inputs > 0
      || m->description->modes[WEIR_FMU_MODEL_EXCHANGE].needs_completed_step)
    weir_leaf_add_unrestricted_update (m->b, weir_on_each_step (), weir_fmu_leaf_end_step);
  add_outputs (m);
  set_data (m);
  return TRUE;
}

WeirSystem *
weir_fmu_leaf_new (const WeirFmuDescription *description, const WeirFmuLeafOptions *options,
                   GError **error)
{
  guint n = description->n_variables;
  g_autoptr (GArray) variables = g_array_new (FALSE, FALSE, sizeof (WeirFmuPlaceOfValue));
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (WeirFmuLeafEntry));
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) clocks = g_array_new (FALSE, TRUE, sizeof (WeirFmuLeafClock));
  g_autoptr (GArray) texts = g_array_new (FALSE, TRUE, sizeof (WeirFmuTextPort));
  g_autoptr (GArray) clocked = g_array_new (FALSE, FALSE, sizeof (WeirFmuLeafClocked));
  g_autofree guint *groups = g_new0 (guint, n + 1);
  g_autofree guint *input_of = g_new (guint, n + 1);
  g_autofree guint *state_of = g_new (guint, n + 1);
  Making m = { .description = description,
               .options = options,
               .clocks = clocks,
               .texts = texts,
               .variables = variables,
               .entries = entries,
               .clocked = clocked,
               .numbers = numbers,
               .groups = groups,
               .input_of = input_of,
               .state_of = state_of };
  WeirSystem *system;
  gboolean is_made;

  for (guint v = 0; v <= n; v++)
    input_of[v] = state_of[v] = WEIR_FMU_NONE;
  m.b = weir_leaf_builder_new ("FMU");
  weir_leaf_own_names (m.b);
  is_made = make (&m, error);
  system = weir_leaf_builder_build (m.b);
  if (!is_made)
    g_clear_pointer (&system, weir_system_unref);
  return system;
}

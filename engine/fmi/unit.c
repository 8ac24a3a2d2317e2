/* Building a unit from the description of an FMU. See unit.h. */
#include "fmi/unit-private.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"

#define MAX_PORTS 20000 /* and parameters: tickets are numbered by 16 bits */

typedef struct {
  const WeirFmuDescription *description;
  const WeirFmuLeafOptions *options;
  WeirFmuUnitData *unit;
  WeirLeafBuilder *b;
  guint *input_of; /* by variable: its input; WEIR_FMU_NONE: it is none */
  guint *places;   /* by variable: of a port, its first value in u or y */
} Making;

static void
group_clear (gpointer data)
{
  WeirFmuUnitGroup *group = data;

  g_array_unref (group->refs);
  g_array_unref (group->places);
}

static void
unit_free (gpointer data)
{
  WeirFmuUnitData *self = data;

  for (guint i = 0; i < WEIR_FMU_UNIT_N_LISTS; i++)
    g_array_unref (self->lists[i]);
  g_array_unref (self->parameters);
  g_array_unref (self->values);
  g_array_unref (self->starts);
  g_array_unref (self->timed);
  g_array_unref (self->clocked);
  g_array_unref (self->numbers);
  g_array_unref (self->held);
  g_array_unref (self->text_inputs);
  g_array_unref (self->text_outputs);
  g_ptr_array_unref (self->text_input_starts);
  g_ptr_array_unref (self->text_output_starts);
  g_array_unref (self->text_input_of);
  g_array_unref (self->text_output_of);
  g_array_unref (self->input_of);
  g_array_unref (self->output_of);
  weir_fmu_description_unref (self->description);
  weir_fmu_binary_clear (&self->binary);
  g_clear_pointer (&self->archive, weir_fmu_archive_unref);
  g_mutex_clear (&self->mutex);
  g_free (self->start_needs);
  g_free (self);
}

static WeirFmuUnitData *
unit_new (const WeirFmuDescription *description)
{
  WeirFmuUnitData *self = g_new0 (WeirFmuUnitData, 1);

  self->description = weir_fmu_description_ref ((WeirFmuDescription *) description);
  g_mutex_init (&self->mutex);
  for (guint i = 0; i < WEIR_FMU_UNIT_N_LISTS; i++)
    {
      self->lists[i] = g_array_new (FALSE, FALSE, sizeof (WeirFmuUnitGroup));
      g_array_set_clear_func (self->lists[i], group_clear);
    }
  self->text_inputs = g_array_new (FALSE, FALSE, sizeof (WeirFmuTextPort));
  self->text_outputs = g_array_new (FALSE, FALSE, sizeof (WeirFmuTextPort));
  self->text_input_starts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  self->text_output_starts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  self->text_input_of = g_array_new (FALSE, FALSE, sizeof (guint));
  self->text_output_of = g_array_new (FALSE, FALSE, sizeof (guint));
  self->parameters = g_array_new (FALSE, FALSE, sizeof (WeirFmuUnitParameter));
  self->values = g_array_new (FALSE, FALSE, sizeof (double));
  self->starts = g_array_new (FALSE, FALSE, sizeof (double));
  self->timed = g_array_new (FALSE, TRUE, sizeof (WeirFmuLeafClock));
  self->clocked = g_array_new (FALSE, FALSE, sizeof (WeirFmuLeafClocked));
  self->numbers = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->held = g_array_new (FALSE, FALSE, sizeof (double));
  self->input_of = g_array_new (FALSE, FALSE, sizeof (guint));
  self->output_of = g_array_new (FALSE, FALSE, sizeof (guint));
  return self;
}

/* --- Refusals -------------------------------------------------------------------------------- */

static gboolean
refuse (const Making *m, GError **error, const char *why)
{
  weir_error_set (error, WEIR_ERROR_INVALID, "%s: %s", m->options->name, weir_phrase (why));
  return FALSE;
}

/* Whether the FMU takes a start for it, from a caller that chooses one. */
static gboolean
takes_start (const Making *m, guint v)
{
  const WeirFmuVariable *variable;

  if (v == WEIR_FMU_NONE)
    return FALSE;
  variable = &m->description->variables[v];
  if (variable->causality == WEIR_FMU_INPUT || variable->causality == WEIR_FMU_PARAMETER)
    return weir_fmu_leaf_has (m->description, variable)
           || weir_fmu_is_clocked (variable, WEIR_FMU_INPUT) || weir_fmu_leaf_takes_text (variable);
  if (weir_fmu_leaf_takes_text (variable))
    return TRUE;
  return variable->traits.type != WEIR_FMU_STRING && variable->traits.type != WEIR_FMU_BINARY
         && variable->traits.type != WEIR_FMU_CLOCK && variable->n_start > 0
         && variable->variability != WEIR_FMU_CONSTANT
         && (variable->initial == WEIR_FMU_EXACT || variable->initial == WEIR_FMU_APPROX);
}

static gboolean
check (const Making *m, GError **error)
{
  const WeirFmuDescription *d = m->description;
  const WeirFmuModeInfo *mode = &d->modes[WEIR_FMU_CO_SIMULATION];
  gsize n = 0;

  if (!mode->is_offered)
    return refuse (m, error, N_ ("the FMU offers no co-simulation."));
  for (guint v = 0; v < d->n_variables; v++)
    {
      if (d->variables[v].traits.type == WEIR_FMU_CLOCK && !mode->has_event_mode)
        return refuse (m, error,
                       N_ ("the FMU has clocks, which tick in event mode, and offers none in "
                           "co-simulation."));
      n += weir_fmu_leaf_has (d, &d->variables[v]) || weir_fmu_leaf_has_port (d, &d->variables[v]);
    }
  if (n > MAX_PORTS)
    return refuse (m, error, N_ ("the FMU has more than 20000 inputs, outputs and parameters."));
  for (guint k = 0; k < m->options->n_starts; k++)
    if (!takes_start (m, weir_fmu_description_find (d, m->options->starts[k].variable)))
      {
        weir_error_set (
            error, WEIR_ERROR_INVALID,
            "%s: there is no parameter, input or state \"%s\" that could be given a value "
            "at the start.",
            m->options->name, m->options->starts[k].variable);
        return FALSE;
      }
  return TRUE;
}

/* --- Ports and parameters -------------------------------------------------------------------- */

/* The variable's values are those from @first on. */
static void
add_to_list (Making *m, WeirFmuUnitList list, guint v, guint first)
{
  const WeirFmuVariable *variable = &m->description->variables[v];
  GArray *groups = m->unit->lists[list];
  WeirFmuUnitGroup *group = NULL;
  guint32 reference = variable->reference;

  for (guint i = 0; i < groups->len && group == NULL; i++)
    if (g_array_index (groups, WeirFmuUnitGroup, i).type == variable->traits.type)
      group = &g_array_index (groups, WeirFmuUnitGroup, i);
  if (group == NULL)
    {
      WeirFmuUnitGroup new = { variable->traits.type, g_array_new (FALSE, FALSE, sizeof (guint32)),
                               g_array_new (FALSE, FALSE, sizeof (guint)) };

      g_array_append_val (groups, new);
      group = &g_array_index (groups, WeirFmuUnitGroup, groups->len - 1);
    }
  g_array_append_val (group->refs, reference);
  for (guint k = 0; k < variable->size; k++)
    {
      guint place = first + k;

      g_array_append_val (group->places, place);
    }
}

static void
add_input (Making *m, guint v, const double *start)
{
  const WeirFmuVariable *variable = &m->description->variables[v];
  gboolean is_continuous = variable->variability == WEIR_FMU_CONTINUOUS
                           && weir_fmu_type_is_float (variable->traits.type);
  WeirInput in = weir_leaf_add_input (m->b, variable->name, (guint) variable->size);
  guint port = in.i;

  weir_leaf_set_input_default (m->b, in, start);
  if (weir_fmu_leaf_has (m->description, variable)) /* else it is told at ticks alone */
    add_to_list (m, is_continuous ? WEIR_FMU_UNIT_CONTINUOUS : WEIR_FMU_UNIT_DISCRETE, v,
                 m->unit->n_u);
  m->places[v] = m->unit->n_u;
  for (guint k = 0; k < variable->size; k++)
    g_array_append_val (m->unit->input_of, port);
  m->unit->n_u += (guint) variable->size;
  m->input_of[v] = port;
}

static void
add_text (Making *m, guint v, gboolean is_input)
{
  const WeirFmuVariable *variable = &m->description->variables[v];
  const GVariantType *type = G_VARIANT_TYPE (weir_fmu_text_get_type (variable->traits.type));
  GVariant *start = g_variant_ref_sink (weir_fmu_text_new_start (m->description, m->options, v));
  WeirFmuTextPort text = weir_fmu_text_port (variable);
  guint port;

  if (is_input)
    {
      WeirInput in = weir_leaf_add_abstract_input (m->b, variable->name, type);

      weir_leaf_set_abstract_input_default (m->b, in, start);
      port = m->input_of[v] = in.i;
    }
  else
    port = weir_leaf_add_abstract_unit_output (m->b, variable->name, start).i;
  g_array_append_val (is_input ? m->unit->text_inputs : m->unit->text_outputs, text);
  g_array_append_val (is_input ? m->unit->text_input_of : m->unit->text_output_of, port);
  g_ptr_array_add (is_input ? m->unit->text_input_starts : m->unit->text_output_starts, start);
}

static void
add_parameter (Making *m, guint v, const double *start)
{
  const WeirFmuVariable *variable = &m->description->variables[v];
  WeirFmuUnitParameter parameter = { variable->name, m->unit->values->len, (guint) variable->size };

  weir_leaf_add_parameter (m->b, variable->name, start, parameter.size);
  add_to_list (
      m, variable->variability == WEIR_FMU_TUNABLE ? WEIR_FMU_UNIT_TUNABLE : WEIR_FMU_UNIT_FIXED, v,
      parameter.first);
  g_array_append_vals (m->unit->values, start, parameter.size);
  g_array_append_val (m->unit->parameters, parameter);
}

/* Inputs and parameters, and other variables whose start was chosen. */
static gboolean
add_inputs (Making *m, GError **error)
{
  const WeirFmuDescription *d = m->description;

  for (guint v = 0; v < d->n_variables; v++)
    {
      const WeirFmuVariable *variable = &d->variables[v];
      gboolean is_chosen = FALSE;
      g_autofree double *start = NULL;

      if (variable->causality == WEIR_FMU_STRUCTURAL_PARAMETER)
        continue;
      if (weir_fmu_leaf_has_text_port (variable))
        {
          if (variable->causality == WEIR_FMU_INPUT)
            add_text (m, v, TRUE);
          continue;
        }
      for (guint k = 0; k < m->options->n_starts && !is_chosen; k++)
        is_chosen = m->options->starts[k].text.data == NULL
                    && weir_fmu_description_find (d, m->options->starts[k].variable) == v;
      if (variable->causality == WEIR_FMU_INPUT ? !weir_fmu_leaf_has_port (d, variable)
                                                : !is_chosen
                                                      && !(variable->causality == WEIR_FMU_PARAMETER
                                                           && weir_fmu_leaf_has (d, variable)))
        continue;
      start = weir_fmu_leaf_dup_start (d, m->options, v, error);
      if (start == NULL)
        return FALSE;
      if (variable->causality == WEIR_FMU_INPUT)
        add_input (m, v, start);
      else if (variable->causality == WEIR_FMU_PARAMETER)
        {
          if (!g_str_equal (variable->name, WEIR_UNIT_ACTIVITY)) /* taken: it keeps its start */
            add_parameter (m, v, start);
        }
      else
        {
          add_to_list (m, WEIR_FMU_UNIT_STARTS, v, m->unit->starts->len);
          g_array_append_vals (m->unit->starts, start, (guint) variable->size);
        }
    }
  for (guint v = 0; v < d->n_variables; v++)
    if (m->input_of[v] != WEIR_FMU_NONE)
      m->unit->n_inputs = m->input_of[v] + 1;
  return TRUE;
}

static gboolean
add_outputs (Making *m, GError **error)
{
  const WeirFmuDescription *d = m->description;

  for (guint v = 0; v < d->n_variables; v++)
    {
      const WeirFmuVariable *variable = &d->variables[v];
      g_autofree double *start = NULL;
      guint port;

      if (!weir_fmu_leaf_has_port (d, variable) || variable->causality != WEIR_FMU_OUTPUT)
        continue;
      if (weir_fmu_leaf_has_text_port (variable))
        {
          add_text (m, v, FALSE);
          continue;
        }
      start = weir_fmu_leaf_dup_start (d, m->options, v, error);
      if (start == NULL)
        return FALSE;
      port = weir_leaf_add_unit_output (m->b, variable->name, (guint) variable->size, start).i;
      if (weir_fmu_leaf_has (d, variable)) /* else it is taken at ticks alone */
        add_to_list (m, WEIR_FMU_UNIT_OUTPUTS, v, m->unit->n_y);
      m->places[v] = m->unit->n_y;
      for (guint k = 0; k < variable->size; k++)
        g_array_append_val (m->unit->output_of, port);
      m->unit->n_y += (guint) variable->size;
    }
  return TRUE;
}

static gboolean
list_clocks (Making *m, GError **error)
{
  WeirFmuUnitData *unit = m->unit;
  const WeirFmuDescription *d = m->description;

  unit->clocks = weir_fmu_clocks_list (d, m->places, 0, unit->timed, unit->clocked, unit->numbers);
  unit->clocks.timed = (const WeirFmuLeafClock *) (gpointer) unit->timed->data;
  unit->clocks.clocked = (const WeirFmuLeafClocked *) (gpointer) unit->clocked->data;
  unit->clocks.numbers = (const guint32 *) (gpointer) unit->numbers->data;
  for (guint clocked = 0; clocked <= 1; clocked++)
    for (guint v = 0; v < d->n_variables; v++)
      if (clocked ? weir_fmu_is_clocked (&d->variables[v], WEIR_FMU_OUTPUT)
                  : weir_fmu_clock_is_output (&d->variables[v]))
        {
          g_autofree double *start = weir_fmu_leaf_dup_start (d, m->options, v, error);

          if (start == NULL)
            return FALSE;
          g_array_append_vals (unit->held, start, (guint) d->variables[v].size);
        }
  return TRUE;
}

/* --- What depends on what at the start ------------------------------------------------------- */

static const WeirFmuUnknown *
find_unknown (const WeirFmuDescription *d, WeirFmuUnknowns list, guint v)
{
  for (guint i = 0; i < d->n_unknowns[list]; i++)
    if (d->unknowns[list][i].variable == v)
      return &d->unknowns[list][i];
  return NULL;
}

static guint
resolve (const WeirFmuDescription *d, guint v)
{
  return d->variables[v].alias_of != WEIR_FMU_NONE ? d->variables[v].alias_of : v;
}

/* As the file says of the initialisation, or of later on; of what it says nothing, everything. */
static void
find_start_needs (Making *m)
{
  const WeirFmuDescription *d = m->description;
  WeirFmuUnitData *unit = m->unit;
  guint n = unit->n_inputs, n_outputs = 0, port = 0;

  for (guint v = 0; v < d->n_variables; v++)
    n_outputs += weir_fmu_leaf_has_port (d, &d->variables[v])
                 && d->variables[v].causality == WEIR_FMU_OUTPUT;
  if (n == 0 || n_outputs == 0)
    return;
  unit->start_needs = g_new0 (guint64, weir_bits_n_words (n_outputs * n));
  for (guint v = 0; v < d->n_variables; v++)
    {
      const WeirFmuVariable *variable = &d->variables[v];
      const WeirFmuUnknown *unknown;

      if (!weir_fmu_leaf_has_port (d, variable) || variable->causality != WEIR_FMU_OUTPUT)
        continue;
      unknown = find_unknown (d, WEIR_FMU_INITIAL_UNKNOWNS, v);
      if (unknown == NULL)
        unknown = find_unknown (d, WEIR_FMU_OUTPUTS, v);
      if (unknown == NULL || unknown->dependencies == NULL)
        for (guint i = 0; i < n; i++)
          weir_bit_set (unit->start_needs, port * n + i);
      else
        for (guint i = 0; i < unknown->n_dependencies; i++)
          {
            guint in = m->input_of[resolve (d, unknown->dependencies[i])];

            if (in != WEIR_FMU_NONE)
              weir_bit_set (unit->start_needs, port * n + in);
          }
      port++;
    }
}

/* The port of value @i of @n numbers, behind which texts come. */
static guint
get_port (const GArray *numbers, guint n, const GArray *texts, guint i)
{
  return i < n ? g_array_index (numbers, guint, i) : g_array_index (texts, guint, i - n);
}

static gboolean
starts_with (gpointer data, guint in, guint out)
{
  const WeirFmuUnitData *self = data;
  guint input = get_port (self->input_of, self->n_u, self->text_input_of, in);
  guint output = get_port (self->output_of, self->n_y, self->text_output_of, out);

  return weir_bit (self->start_needs, output * self->n_inputs + input);
}

/* --- All together ---------------------------------------------------------------------------- */

static void
set_binary (Making *m)
{
  const WeirFmuDescription *d = m->description;
  const WeirFmuLeafOptions *options = m->options;
  const WeirFmuModeInfo *mode = &d->modes[WEIR_FMU_CO_SIMULATION];
  g_autofree guint32 *inputs = g_new (guint32, m->unit->n_inputs + 1);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GArray) structure = weir_fmu_leaf_list_structure (d);
  g_auto (WeirFmuTexts) texts = { 0 };
  WeirFmuBinary binary = {
    .folder = options->folder,
    .name = options->name,
    .identifier = mode->identifier,
    .token = d->token,
    .version = (guint) d->version,
    .mode = WEIR_FMU_CO_SIMULATION,
    .inputs = inputs,
    .can_save = mode->can_get_and_set_state,
    .can_serialize = mode->can_get_and_set_state && mode->can_serialize_state,
    .can_differentiate = mode->has_directional_derivatives,
    .event_mode_used = mode->has_event_mode,
    .early_return_allowed = mode->has_event_mode || mode->might_return_early,
  };

  for (guint v = 0; v < d->n_variables; v++)
    if (m->input_of[v] != WEIR_FMU_NONE && weir_fmu_leaf_has (d, &d->variables[v]))
      {
        inputs[binary.n_inputs++] = d->variables[v].reference;
        g_ptr_array_add (names, (char *) d->variables[v].name);
      }
  g_ptr_array_add (names, NULL);
  binary.input_names = (const char *const *) names->pdata;
  weir_fmu_leaf_list_texts (d, options, &texts, &binary);
  binary.structure = (const WeirFmuStructural *) (gpointer) structure->data;
  binary.n_structure = structure->len;
  weir_fmu_binary_copy (&m->unit->binary, &binary);
  m->unit->archive = options->archive != NULL ? weir_fmu_archive_ref (options->archive) : NULL;
  m->unit->options = options->instance;
  m->unit->can_vary_step = mode->can_vary_step;
  m->unit->has_event_mode = mode->has_event_mode;
  m->unit->fixed_step = mode->fixed_step;
}

/* What tells two such units apart beside their ports. */
static void
set_identity (Making *m)
{
  const WeirFmuLeafOptions *options = m->options;
  const WeirFmuBinary *binary = &m->unit->binary;
  g_autofree char *text = g_strdup_printf (
      "%s|%s|%s|%u|%s|%d", options->checksum != NULL ? options->checksum : "", binary->token,
      binary->identifier, binary->version, options->name, (int) options->instance.place);
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  const char *digest;

  g_checksum_update (sum, (const guchar *) text, -1);
  g_checksum_update (sum, (const guchar *) m->unit->starts->data,
                     (gssize) (m->unit->starts->len * sizeof (double)));
  weir_fmu_leaf_add_texts_to_checksum (options, sum);
  weir_fmu_leaf_add_structure_to_checksum (binary, sum);
  digest = g_checksum_get_string (sum);
  weir_leaf_set_data (m->b, digest, strlen (digest) + 1);
}

static void
set_class (Making *m, guint n_steps)
{
  WeirFmuUnitData *unit = m->unit;

  unit->unit_class = (WeirUnitClass) {
    .name = "FMU",
    .abilities = WEIR_UNIT_RESTORES | WEIR_UNIT_ANY_THREAD,
    .starts_with = starts_with,
  };
  if (unit->can_vary_step)
    unit->unit_class.abilities |= WEIR_UNIT_VARIABLE_STEP;
  if (m->options->verdict != NULL && m->options->verdict->repeats_steps)
    unit->unit_class.abilities |= WEIR_UNIT_REPEATS_BITS;
  if (unit->options.place == WEIR_FMU_IN_WORKER)
    unit->unit_class.abilities |= WEIR_UNIT_STOPS;
  weir_fmu_unit_set_functions (&unit->unit_class);
  weir_leaf_set_unit (m->b, &unit->unit_class, unit, unit_free, n_steps, m->options->place);
  weir_leaf_set_unit_activity (m->b, m->options->activity);
}

WeirSystem *
weir_fmu_unit_new (const WeirFmuDescription *description, const WeirFmuLeafOptions *options,
                   guint n_steps, GError **error)
{
  guint n = description->n_variables;
  g_autofree guint *input_of = g_new (guint, n + 1);
  g_autofree guint *places = g_new0 (guint, n + 1);
  Making m = {
    .description = description, .options = options, .input_of = input_of, .places = places
  };
  WeirSystem *system;
  gboolean is_made;

  for (guint v = 0; v <= n; v++)
    input_of[v] = WEIR_FMU_NONE;
  m.unit = unit_new (description);
  m.b = weir_leaf_builder_new ("FMU");
  is_made = check (&m, error) && add_inputs (&m, error);
  if (is_made)
    {
      set_binary (&m);
      set_class (&m, n_steps);
      set_identity (&m);
      is_made = add_outputs (&m, error) && list_clocks (&m, error);
      find_start_needs (&m);
    }
  else
    unit_free (m.unit);
  system = weir_leaf_builder_build (m.b);
  if (!is_made)
    g_clear_pointer (&system, weir_system_unref);
  return system;
}

/* A system as a unit. See inner.h. */
#include "cosim/inner.h"

#include "cosim/cosim-private.h"

#include <string.h>

#include "base/status.h"
#include "system/evaluation/eval.h"
#include "system/layout/layout.h"
#include "system/structure/leaf.h"
#include "system/structure/unit-maker.h"

/* A port within that is an output of the unit. */
typedef struct {
  WeirNode node;
  gboolean is_input;
  guint16 index;
  guint size;
} Port;

/* A parameter within, which is one of the unit. */
typedef struct {
  WeirNode node;
  WeirParameter parameter;
  guint offset, size; /* in the values of all */
} Slot;

typedef struct {
  WeirSystem *system;
  WeirSimulatorOptions options;
  GArray *ports;     /* Port: beside the system's outputs */
  GHashTable *slots; /* Slot, owned, by the name of the unit's parameter */
  guint n_values;    /* of all parameters */
} Inner;

typedef struct {
  const Inner *inner;
  WeirContext *context;
  WeirSimulator *simulator;
  double *values;    /* of the parameters, as they were set */
  gboolean *are_set; /* by value */
} Instance;

static void
free_inner (gpointer data)
{
  Inner *self = data;

  weir_system_unref (self->system);
  g_array_unref (self->ports);
  g_hash_table_unref (self->slots);
  g_free (self);
}

/* Is what output @out shows at once a matter of input @in? They count values of ports. */
static gboolean
starts_with (gpointer data, guint in, guint out)
{
  const WeirSystem *system = ((Inner *) data)->system;
  WeirInput input = { 0 };
  WeirOutput output = { 0 };

  for (; in >= weir_system_get_input_size (system, input); input.i++)
    in -= weir_system_get_input_size (system, input);
  for (; output.i < weir_system_get_n_outputs (system)
         && out >= weir_system_get_output_size (system, output);
       output.i++)
    out -= weir_system_get_output_size (system, output);
  if (output.i == weir_system_get_n_outputs (system))
    return FALSE; /* a port within: nobody's input */
  return weir_system_has_direct_feedthrough (system, input, output);
}

static void
free_instance (gpointer instance)
{
  Instance *self = instance;

  weir_simulator_free (self->simulator);
  weir_context_free (self->context);
  g_free (self->values);
  g_free (self->are_set);
  g_free (self);
}

static gpointer
make (gpointer data, GError **error)
{
  const Inner *inner = data;
  Instance *self = g_new0 (Instance, 1);

  self->inner = inner;
  self->context = weir_system_create_context (inner->system);
  self->values = g_new0 (double, inner->n_values);
  self->are_set = g_new0 (gboolean, inner->n_values);
  self->simulator = weir_simulator_new (inner->system, self->context, &inner->options, error);
  if (self->simulator != NULL)
    return self;
  free_instance (self);
  return NULL;
}

/* Inputs that are as they were change nothing, so that integration need not start again. */
static void
set_inputs (Instance *self, const double *u)
{
  WeirSystem *system = self->inner->system;

  for (guint i = 0; i < weir_system_get_n_inputs (system); i++)
    {
      WeirInput in = { (guint16) i };
      guint size = weir_system_get_input_size (system, in);

      if (!weir_context_is_input_fixed (self->context, WEIR_ROOT, in)
          || memcmp (weir_eval_input (system, self->context, WEIR_ROOT, in), u, size * sizeof *u)
                 != 0)
        weir_context_fix_input (self->context, WEIR_ROOT, in, u);
      u += size;
    }
}

static gboolean
take_value (Instance *self, const double *value, guint size, double **y, GError **error)
{
  const char *why;

  if (value != NULL)
    {
      memcpy (*y, value, size * sizeof **y);
      *y += size;
      return TRUE;
    }
  why = weir_context_get_failure (self->context);
  g_set_error (error, WEIR_ERROR, WEIR_ERROR_FAILED, "%s",
               why != NULL ? why : "its outputs cannot be computed");
  return FALSE;
}

static gboolean
get_outputs (Instance *self, double *y, GError **error)
{
  WeirSystem *system = self->inner->system;

  for (guint i = 0; i < weir_system_get_n_outputs (system); i++)
    {
      WeirOutput out = { (guint16) i };

      if (!take_value (self, weir_eval_output (system, self->context, WEIR_ROOT, out),
                       weir_system_get_output_size (system, out), &y, error))
        return FALSE;
    }
  for (guint i = 0; i < self->inner->ports->len; i++)
    {
      const Port *port = &g_array_index (self->inner->ports, Port, i);

      if (!take_value (self,
                       port->is_input ? weir_eval_input (system, self->context, port->node,
                                                         (WeirInput) { port->index })
                                      : weir_eval_output (system, self->context, port->node,
                                                          (WeirOutput) { port->index }),
                       port->size, &y, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
set_parameter (gpointer instance, const char *path, const double *values, guint n, GError **error)
{
  Instance *self = instance;
  const Slot *slot = g_hash_table_lookup (self->inner->slots, path);

  g_return_val_if_fail (slot != NULL && n == slot->size, FALSE);

  memcpy (self->values + slot->offset, values, n * sizeof *values);
  self->are_set[slot->offset] = TRUE;
  weir_context_set_parameter (self->context, slot->node, slot->parameter, values);
  return TRUE;
}

/* Starting anew gives every source its first value, but parameters stay as they were set. */
static void
reset (Instance *self)
{
  GHashTableIter iter;
  gpointer value;

  weir_context_reset (self->context);
  g_hash_table_iter_init (&iter, self->inner->slots);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Slot *slot = value;

      if (self->are_set[slot->offset])
        weir_context_set_parameter (self->context, slot->node, slot->parameter,
                                    self->values + slot->offset);
    }
}

static gboolean
initialize (gpointer instance, double t, const double *u, double *y, GError **error)
{
  Instance *self = instance;

  weir_context_begin_change (self->context);
  reset (self);
  weir_context_set_time (self->context, t);
  weir_context_end_change (self->context);
  set_inputs (self, u);
  return weir_simulator_initialize (self->simulator, error) && get_outputs (self, y, error);
}

/* Updates due at the end wait for the next step, whose inputs are those of that instant. */
static gboolean
step (gpointer instance, double t, double end, const double *u, double *y, double *reached,
      GError **error)
{
  Instance *self = instance;

  set_inputs (self, u);
  if (!weir_simulator_advance_to (self->simulator, end, error))
    return FALSE;
  if (weir_simulator_is_terminated (self->simulator))
    *reached = weir_context_get_time (self->context);
  return get_outputs (self, y, error);
}

static GBytes *
save (gpointer instance, GError **error)
{
  return weir_simulator_save (((Instance *) instance)->simulator, error);
}

static gboolean
restore (gpointer instance, GBytes *bytes, GError **error)
{
  return weir_simulator_load (((Instance *) instance)->simulator, bytes, error);
}

static void
set_caching (gpointer instance, gboolean enabled)
{
  weir_context_set_caching (((Instance *) instance)->context, enabled);
}

static void
set_cancel (gpointer instance, const gint *cancel)
{
  weir_simulator_set_cancel (((Instance *) instance)->simulator, cancel);
}

#define INNER_CLASS(ABILITIES)                                                                     \
  {                                                                                                \
    .name = "Subsystem",                                                                           \
    .abilities = WEIR_UNIT_RESTORES | WEIR_UNIT_VARIABLE_STEP | WEIR_UNIT_ANY_THREAD               \
                 | WEIR_UNIT_STOPS | (ABILITIES),                                                  \
    .starts_with = starts_with, .make = make, .initialize = initialize, .step = step,              \
    .save = save, .restore = restore, .set_parameter = set_parameter, .set_caching = set_caching,  \
    .set_cancel = set_cancel, .free = free_instance,                                               \
  }

/* With an explicit method, a run that is restored goes on with the same bits (simulator.h). */
static const WeirUnitClass explicit_class = INNER_CLASS (WEIR_UNIT_REPEATS_BITS);
static const WeirUnitClass other_class = INNER_CLASS (0);

static gboolean
is_explicit (const char *solver)
{
  static const char *const names[] = {
    "dormand-prince", "bogacki-shampine", "rk4", "heun", "euler", NULL
  };

  return g_strv_contains (names, solver);
}

/* What tells two such units apart beside their ports. */
typedef struct {
  WeirFingerprint system;
  double relative_tolerance, absolute_tolerance, step, max_step, event_tolerance;
  char solver[32];
} Identity;

static gboolean
check_port (const char *kind, const char *name, guint size, GError **error)
{
  if (size > 0)
    return TRUE;
  g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
               "%s '%s' of a unit carries no numbers, and units exchange only those.", kind, name);
  return FALSE;
}

static gboolean
check_ports (WeirSystem *system, GError **error)
{
  for (guint i = 0; i < weir_system_get_n_inputs (system); i++)
    {
      WeirInput in = { (guint16) i };

      if (!check_port ("Input", weir_system_get_input_name (system, in),
                       weir_system_get_input_size (system, in), error))
        return FALSE;
    }
  for (guint i = 0; i < weir_system_get_n_outputs (system); i++)
    {
      WeirOutput out = { (guint16) i };

      if (!check_port ("Output", weir_system_get_output_name (system, out),
                       weir_system_get_output_size (system, out), error))
        return FALSE;
    }
  return TRUE;
}

/* --- The leaf -------------------------------------------------------------------------------- */

static void
add_ports (WeirLeafBuilder *b, WeirSystem *system)
{
  for (guint i = 0; i < weir_system_get_n_inputs (system); i++)
    {
      WeirInput in = { (guint16) i };

      weir_leaf_add_input (b, weir_system_get_input_name (system, in),
                           weir_system_get_input_size (system, in));
    }
  for (guint i = 0; i < weir_system_get_n_outputs (system); i++)
    {
      WeirOutput out = { (guint16) i };

      weir_leaf_add_unit_output (b, weir_system_get_output_name (system, out),
                                 weir_system_get_output_size (system, out), NULL);
    }
}

/* A port within that carries numbers is an output; what is not there, or carries none, is left
 * out. */
static void
add_inner_port (WeirLeafBuilder *b, Inner *inner, const char *path)
{
  WeirLayout *layout = weir_system_get_layout (inner->system);
  const char *dot = strrchr (path, '.');
  g_autofree char *block = dot != NULL ? g_strndup (path, (gsize) (dot - path)) : g_strdup ("");
  const char *name = dot != NULL ? dot + 1 : path;
  Port port = { 0 };
  WeirInput in;
  WeirOutput out;

  if (!weir_layout_find_node (layout, block, &port.node))
    return;
  if (weir_layout_find_output (layout, port.node, name, &out))
    {
      port.index = out.i;
      port.size = weir_layout_get_output_size (layout, port.node, out);
    }
  else if (weir_layout_find_input (layout, port.node, name, &in))
    {
      port.is_input = TRUE;
      port.index = in.i;
      port.size = weir_layout_get_input_size (layout, port.node, in);
    }
  if (port.size == 0)
    return;
  g_array_append_val (inner->ports, port);
  weir_leaf_add_unit_output (b, path, port.size, NULL);
}

/* Its parameters of numbers are those of all within, called by their paths. */
static void
add_parameters (WeirLeafBuilder *b, Inner *inner)
{
  WeirLayout *layout = weir_system_get_layout (inner->system);
  g_autoptr (WeirContext) context = weir_system_create_context (inner->system);

  for (guint32 n = 0; n < weir_layout_get_n_nodes (layout); n++)
    for (guint k = 0; k < weir_layout_get_n_parameters (layout, (WeirNode) { n }); k++)
      {
        WeirParameter parameter = { (guint16) k };
        guint size = weir_layout_get_parameter_size (layout, (WeirNode) { n }, parameter);
        const char *name = weir_layout_get_parameter_name (layout, (WeirNode) { n }, parameter);
        g_autofree char *block = weir_layout_dup_path (layout, (WeirNode) { n });
        char *path = *block != '\0' ? g_strconcat (block, ".", name, NULL) : g_strdup (name);
        Slot slot = { { n }, parameter, inner->n_values, size };

        if (size == 0 || !g_hash_table_insert (inner->slots, path, g_memdup2 (&slot, sizeof slot)))
          continue;
        weir_leaf_add_parameter (b, path,
                                 weir_context_get_parameter (context, slot.node, parameter), size);
        inner->n_values += size;
      }
}

static WeirSystem *
build (WeirSystem *system, const WeirSimulatorOptions *options, guint n_steps, int place,
       const char *const *ports, GError **error)
{
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirSimulator) simulator = NULL;
  Identity identity = { .system = weir_layout_get_fingerprint (weir_system_get_layout (system)) };
  WeirLeafBuilder *b;
  Inner *inner;

  if (!check_ports (system, error))
    return NULL;
  simulator = weir_simulator_new (system, context, options, error);
  if (simulator == NULL)
    return NULL;
  inner = g_new0 (Inner, 1);
  inner->system = weir_system_ref (system);
  inner->ports = g_array_new (FALSE, FALSE, sizeof (Port));
  inner->slots = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  inner->options = *options;
  inner->options.solver = options->solver != NULL ? weir_solver_find (options->solver)->name : NULL;
  g_strlcpy (identity.solver, options->solver != NULL ? options->solver : "auto",
             sizeof identity.solver);
  identity.relative_tolerance = options->relative_tolerance;
  identity.absolute_tolerance = options->absolute_tolerance;
  identity.step = options->step;
  identity.max_step = options->max_step;
  identity.event_tolerance = options->event_tolerance;

  b = weir_leaf_builder_new ("Subsystem");
  weir_leaf_set_data (b, &identity, sizeof identity);
  weir_leaf_set_unit (b, is_explicit (identity.solver) ? &explicit_class : &other_class, inner,
                      free_inner, n_steps, place);
  add_ports (b, system);
  for (; *ports != NULL; ports++)
    add_inner_port (b, inner, *ports);
  add_parameters (b, inner);
  return weir_leaf_builder_build (b);
}

WeirSystem *
weir_inner_unit_new (WeirSystem *system, const WeirSimulatorOptions *options, guint n_steps,
                     int place, GError **error)
{
  static const char *const none[] = { NULL };

  return build (system, options, n_steps, place, none, error);
}

WeirSystem *
weir_inner_unit_make (WeirSystem *system, const WeirUnitRequest *request, GError **error)
{
  WeirSimulatorOptions options;

  weir_simulator_options_init (&options);
  options.solver = request->solver;
  options.relative_tolerance = request->relative_tolerance;
  options.absolute_tolerance = request->absolute_tolerance;
  options.step = request->step;
  options.max_step = request->max_step;
  return build (system, &options, request->n_steps, request->place, request->ports, error);
}

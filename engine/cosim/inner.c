/* A system as a unit. See inner.h. */
#include "cosim/inner.h"

#include <string.h>

#include "system/evaluation/eval.h"
#include "system/structure/leaf.h"

typedef struct {
  WeirSystem *system;
  WeirSimulatorOptions options;
} Inner;

typedef struct {
  const Inner *inner;
  WeirContext *context;
  WeirSimulator *simulator;
} Instance;

static void
free_inner (gpointer data)
{
  Inner *self = data;

  weir_system_unref (self->system);
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
  for (; out >= weir_system_get_output_size (system, output); output.i++)
    out -= weir_system_get_output_size (system, output);
  return weir_system_has_direct_feedthrough (system, input, output);
}

static gpointer
make (gpointer data, GError **error)
{
  const Inner *inner = data;
  Instance *self = g_new0 (Instance, 1);

  self->inner = inner;
  self->context = weir_system_create_context (inner->system);
  self->simulator = weir_simulator_new (inner->system, self->context, &inner->options, error);
  if (self->simulator != NULL)
    return self;
  weir_context_free (self->context);
  g_free (self);
  return NULL;
}

static void
free_instance (gpointer instance)
{
  Instance *self = instance;

  weir_simulator_free (self->simulator);
  weir_context_free (self->context);
  g_free (self);
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
get_outputs (Instance *self, double *y, GError **error)
{
  WeirSystem *system = self->inner->system;

  for (guint i = 0; i < weir_system_get_n_outputs (system); i++)
    {
      WeirOutput out = { (guint16) i };
      guint size = weir_system_get_output_size (system, out);
      const double *value = weir_eval_output (system, self->context, WEIR_ROOT, out);

      if (value == NULL)
        {
          const char *why = weir_context_get_failure (self->context);

          g_set_error (error, WEIR_ERROR, WEIR_ERROR_FAILED, "%s",
                       why != NULL ? why : "its outputs cannot be computed");
          return FALSE;
        }
      memcpy (y, value, size * sizeof *y);
      y += size;
    }
  return TRUE;
}

static gboolean
initialize (gpointer instance, double t, const double *u, double *y, GError **error)
{
  Instance *self = instance;

  weir_context_begin_change (self->context);
  weir_context_reset (self->context);
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
    .save = save, .restore = restore, .set_caching = set_caching, .set_cancel = set_cancel,        \
    .free = free_instance,                                                                         \
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

WeirSystem *
weir_inner_unit_new (WeirSystem *system, const WeirSimulatorOptions *options, guint n_steps,
                     int place, GError **error)
{
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirSimulator) simulator = NULL;
  Identity identity = { .system = weir_layout_get_fingerprint (weir_system_get_layout (system)) };
  WeirLeafBuilder *b;
  Inner *inner;

  for (guint i = 0; i < weir_system_get_n_inputs (system); i++)
    if (weir_system_get_input_size (system, (WeirInput) { (guint16) i }) == 0)
      {
        g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                     "Input '%s' of a unit carries no numbers, and units exchange only those.",
                     weir_system_get_input_name (system, (WeirInput) { (guint16) i }));
        return NULL;
      }
  for (guint i = 0; i < weir_system_get_n_outputs (system); i++)
    if (weir_system_get_output_size (system, (WeirOutput) { (guint16) i }) == 0)
      {
        g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                     "Output '%s' of a unit carries no numbers, and units exchange only those.",
                     weir_system_get_output_name (system, (WeirOutput) { (guint16) i }));
        return NULL;
      }
  simulator = weir_simulator_new (system, context, options, error);
  if (simulator == NULL)
    return NULL;
  inner = g_new0 (Inner, 1);
  inner->system = weir_system_ref (system);
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
  for (guint i = 0; i < weir_system_get_n_inputs (system); i++)
    {
      WeirInput in = { (guint16) i };

      weir_leaf_add_input (b, weir_system_get_input_name (system, in),
                           weir_system_get_input_size (system, in));
    }
  weir_leaf_set_unit (b, is_explicit (identity.solver) ? &explicit_class : &other_class, inner,
                      free_inner, n_steps, place);
  for (guint i = 0; i < weir_system_get_n_outputs (system); i++)
    {
      WeirOutput out = { (guint16) i };

      weir_leaf_add_unit_output (b, weir_system_get_output_name (system, out),
                                 weir_system_get_output_size (system, out), NULL);
    }
  return weir_leaf_builder_build (b);
}

/* Units that count: y := f (inputs) + 1 at each step, and the five of them that are wired in a
 * round: S1 and S2 to S3, S3 and S4 to S5, S5 back to S1 and S2. */
#pragma once

#include <gio/gio.h>
#include <string.h>

#include "base/status.h"
#include "cosim/cosim.h"
#include "system/evaluation/calc.h"
#include "system/evaluation/eval.h"
#include "system/structure/diagram.h"
#include "system/structure/leaf.h"

typedef struct {
  gulong delay;                         /* us; at most so long a step takes */
  void (*in_step) (gpointer, double t); /* called in each step; NULL: nothing */
  gpointer data;
  const char *fails; /* in the step from fails_at on */
  double fails_at;
  gboolean starts_with_input; /* y at the start is u + 1 */
} CounterData;

typedef struct {
  const CounterData *data;
  double y;
  guint32 random;
} Counter;

static inline gboolean
counter_starts_with (gpointer data, guint in, guint out)
{
  return ((const CounterData *) data)->starts_with_input && in == 0 && out == 0;
}

static inline gpointer
counter_make (gpointer data, GError **error)
{
  Counter *self = g_new0 (Counter, 1);

  self->data = data;
  self->random = g_random_int ();
  return self;
}

static inline gboolean
counter_initialize (gpointer instance, double t, const double *u, double *y, GError **error)
{
  Counter *self = instance;

  self->y = self->data->starts_with_input ? u[0] + 1 : 0;
  y[0] = self->y;
  return TRUE;
}

static inline gboolean
counter_step (gpointer instance, double t, double end, const double *u, double *y, double *reached,
              GError **error)
{
  Counter *self = instance;

  if (self->data->delay > 0)
    {
      self->random = self->random * 1664525u + 1013904223u;
      g_usleep (self->random % self->data->delay);
    }
  if (self->data->in_step != NULL)
    self->data->in_step (self->data->data, t);
  if (self->data->fails != NULL && t >= self->data->fails_at)
    {
      g_set_error_literal (error, WEIR_ERROR, WEIR_ERROR_FAILED, self->data->fails);
      return FALSE;
    }
  y[0] = self->y = u[0] + 1;
  return TRUE;
}

static inline GBytes *
counter_save (gpointer instance, GError **error)
{
  return g_bytes_new (&((Counter *) instance)->y, sizeof (double));
}

static inline gboolean
counter_restore (gpointer instance, GBytes *bytes, GError **error)
{
  memcpy (&((Counter *) instance)->y, g_bytes_get_data (bytes, NULL), sizeof (double));
  return TRUE;
}

static const WeirUnitClass counter_class = {
  .name = "Counter",
  .abilities = WEIR_UNIT_RESTORES | WEIR_UNIT_REPEATS_BITS | WEIR_UNIT_VARIABLE_STEP
               | WEIR_UNIT_ANY_THREAD | WEIR_UNIT_STOPS,
  .starts_with = counter_starts_with,
  .make = counter_make,
  .initialize = counter_initialize,
  .step = counter_step,
  .save = counter_save,
  .restore = counter_restore,
  .free = g_free,
};

static inline WeirSystem *
counter_new_of (const WeirUnitClass *class, const CounterData *data, guint n_steps, int place)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Counter");
  WeirInput u = weir_leaf_add_input (b, "u", 1);

  weir_leaf_set_input_default (b, u, &(double) { 0 });
  weir_leaf_set_unit (b, class, (gpointer) data, NULL, n_steps, place);
  weir_leaf_add_unit_output (b, "y", 1, NULL);
  return weir_leaf_builder_build (b);
}

static inline WeirSystem *
counter_new (const CounterData *data)
{
  return counter_new_of (&counter_class, data, 1, 0);
}

static inline WeirStatus
calc_sum (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_input (c, (WeirInput) { 0 })[0] + weir_calc_input (c, (WeirInput) { 1 })[0];
  return WEIR_OK;
}

static inline WeirStatus
calc_max (const WeirCalc *c, double *y)
{
  y[0] = MAX (weir_calc_input (c, (WeirInput) { 0 })[0], weir_calc_input (c, (WeirInput) { 1 })[0]);
  return WEIR_OK;
}

/* What two signals become on a wire. */
static inline WeirSystem *
joint_new (WeirCalcFunc calc)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Joint");

  weir_leaf_add_input (b, "a", 1);
  weir_leaf_add_input (b, "b", 1);
  weir_leaf_add_output (b, "y", 1, calc, WEIR_DEPENDS (WEIR_ALL_INPUTS));
  return weir_leaf_builder_build (b);
}

/* @data: of five units. @order: in which they are added, so that their numbers differ. */
static inline WeirSystem *
five_new (const CounterData *data, WeirCalcFunc joint, gboolean has_feedback, const guint *order)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  GError *error = NULL;
  WeirSystem *root;

  for (guint k = 0; k < 5; k++)
    {
      guint i = order != NULL ? order[k] : k;
      g_autofree char *name = g_strdup_printf ("S%u", i + 1);
      g_autoptr (WeirSystem) unit = counter_new (&data[i]);

      weir_diagram_builder_add (b, name, unit);
    }
  for (guint k = 3; k <= 5; k += 2)
    {
      g_autofree char *name = g_strdup_printf ("J%u", k);
      g_autofree char *to = g_strdup_printf ("S%u", k);
      g_autofree char *from_a = g_strdup_printf ("S%u", k - 2);
      g_autofree char *from_b = g_strdup_printf ("S%u", k - 1);
      g_autoptr (WeirSystem) leaf = joint_new (joint);

      weir_diagram_builder_add (b, name, leaf);
      weir_diagram_builder_connect_by_name (b, from_a, "y", name, "a");
      weir_diagram_builder_connect_by_name (b, from_b, "y", name, "b");
      weir_diagram_builder_connect_by_name (b, name, "y", to, "u");
    }
  for (guint k = 1; k <= 2 && has_feedback; k++)
    weir_diagram_builder_connect_by_name (b, "S5", "y", k == 1 ? "S1" : "S2", "u");
  root = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return root;
}

typedef struct {
  WeirSystem *root;
  WeirContext *context;
  WeirSimulator *simulator;
  WeirCosim *cosim;
} Run;

static inline void
run_begin (Run *self, WeirSystem *root, double step, WeirStepSchedulingType type, guint threads)
{
  WeirSimulatorOptions options;
  GError *error = NULL;

  weir_cosim_provide ();
  weir_simulator_options_init (&options);
  options.communication_step = step;
  options.schedule = type;
  options.threads = threads;
  options.solver = "rk4";
  options.step = 0.125;
  self->root = root;
  self->context = weir_system_create_context (root);
  self->simulator = weir_simulator_new (root, self->context, &options, &error);
  g_assert_no_error (error);
  self->cosim = weir_cosim_get (self->simulator);
  g_assert_nonnull (self->cosim);
}

static inline void
run_to (Run *self, double t)
{
  GError *error = NULL;

  weir_simulator_advance_to (self->simulator, t, &error);
  g_assert_no_error (error);
}

static inline double
run_get (Run *self, const char *path)
{
  WeirLayout *layout = weir_system_get_layout (self->root);
  const double *value;
  WeirNode node;

  g_assert_true (weir_layout_find_node (layout, path, &node));
  value = weir_eval_output (self->root, self->context, node, (WeirOutput) { 0 });
  g_assert_nonnull (value);
  return value[0];
}

static inline void
run_end (Run *self)
{
  weir_simulator_free (self->simulator);
  weir_context_free (self->context);
  weir_system_unref (self->root);
}

static inline void
run_check (Run *self, guint k, const int *expected)
{
  run_to (self, k);
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *path = g_strdup_printf ("S%u", i + 1);

      if (run_get (self, path) != expected[i])
        g_error ("%s after step %u is %g, not %d", path, k, run_get (self, path), expected[i]);
    }
}

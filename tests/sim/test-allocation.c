/* After initialisation a run allocates nothing. */
#include "../counting-malloc.h"
#include "models.h"
#include "sim/recorder.h"

static WeirStatus
record (WeirSimulator *simulator, WeirPhase phase, gpointer data)
{
  return weir_recorder_record (data, weir_simulator_get_context (simulator), phase);
}

static WeirSystem *
tenths_new (double period)
{
  return counter_new (period, 0);
}

static void
test_steps (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  WeirSystem *(*const makers[]) (double) = { driven_new, sampled_loop_new, tenths_new };
  static const char *const ports[][2] = { { "plant.y", NULL },
                                          { "plant.y", NULL },
                                          { "Sn", NULL } };

  if (!can_count ())
    {
      g_test_skip ("allocations cannot be counted here");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (makers); i++)
    {
      g_autoptr (WeirSystem) system = makers[i](0.1);
      g_autoptr (WeirContext) context = weir_system_create_context (system);
      WeirSimulatorOptions options = options_for (info->name, 1e-6);
      g_autoptr (WeirSimulator) simulator = NULL;
      g_autoptr (WeirRecorder) recorder = weir_recorder_new (system, ports[i], FALSE, NULL);
      guint64 before;
      gsize n_rows;
      gboolean ok;

      options.step = 0.05;
      simulator = weir_simulator_new (system, context, &options, NULL);
      weir_simulator_set_monitor (simulator, record, recorder);
      /* The first steps make CVODE's own set-up, masks of change events and the first chunks. */
      g_assert_true (weir_simulator_advance_to (simulator, 0.5, NULL));
      n_rows = weir_recorder_get_n_rows (recorder);
      before = n_allocations;
      ok = weir_simulator_advance_to (simulator, 2, NULL);
      before = n_allocations - before;
      g_assert_true (ok);
      g_assert_cmpuint (weir_recorder_get_n_rows (recorder), >, n_rows + 10);
      g_assert_cmpuint (weir_recorder_get_n_rows (recorder), <, 1024); /* no new chunk */
      g_assert_cmpuint (before, ==, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const WeirSolverInfo *info = weir_solver_get (i);
      g_autofree char *path = g_strdup_printf ("/sim/allocation/steps/%s", info->name);

      g_test_add_data_func (path, info, test_steps);
    }
  return g_test_run ();
}

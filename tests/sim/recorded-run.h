/* A run whose rows and phases are recorded, for the tests of the simulator. */
#pragma once

#include "models.h"
#include "sim/recorder.h"

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  WeirSimulator *simulator;
  WeirRecorder *recorder;
  GString *log; /* what happened, one letter each */
} Run;

static inline WeirStatus
record (WeirSimulator *simulator, WeirPhase phase, gpointer data)
{
  Run *run = data;

  g_string_append_c (run->log, "ISMPF"[phase]);
  return weir_recorder_record (run->recorder, weir_simulator_get_context (simulator), phase);
}

/* Takes over @system. @port: to record, or NULL. */
static inline void
run_init_with_step (Run *run, WeirSystem *system, const char *solver, double step, const char *port,
                    gboolean both)
{
  WeirSimulatorOptions options = options_for (solver, 1e-9);
  const char *ports[] = { port, NULL };
  g_autoptr (GError) error = NULL;

  options.step = step;
  run->system = system;
  run->context = weir_system_create_context (system);
  run->recorder = weir_recorder_new (system, ports, both, &error);
  g_assert_no_error (error);
  run->simulator = weir_simulator_new (system, run->context, &options, &error);
  g_assert_no_error (error);
  run->log = g_string_new (NULL);
  weir_simulator_set_monitor (run->simulator, record, run);
}

static inline void
run_init (Run *run, WeirSystem *system, const char *solver, const char *port, gboolean both)
{
  run_init_with_step (run, system, solver, 0, port, both);
}

static inline void
run_clear (Run *run)
{
  weir_simulator_free (run->simulator);
  weir_recorder_unref (run->recorder);
  weir_context_free (run->context);
  weir_system_unref (run->system);
  g_string_free (run->log, TRUE);
}

static inline void
advance (Run *run, double until)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (weir_simulator_advance_to (run->simulator, until, &error));
  g_assert_no_error (error);
}

static inline void
assert_rows (Run *run, guint n, const double *times, const double *values)
{
  g_assert_cmpuint (weir_recorder_get_n_rows (run->recorder), ==, n);
  for (guint i = 0; i < n; i++)
    {
      if (times != NULL)
        g_assert_cmpfloat (weir_recorder_get_time (run->recorder, i), ==, times[i]);
      g_assert_cmpfloat (weir_recorder_get_value (run->recorder, 0, i), ==, values[i]);
    }
}

/* Runs at once. See whole-run.h. */
#include "library/whole-run.h"

#include "base/error.h"
#include "base/status.h"
#include "library/run-settings.h"
#include "model/completion/completion.h"
#include "sim/port.h"
#include "system/evaluation/eval.h"

/* A port that was chosen earlier may be gone from the model since. (transfer full) */
static WeirRecorder *
recorder_new (WeirSystem *system, const char *const *ports)
{
  g_autoptr (GPtrArray) known = g_ptr_array_new ();

  for (guint i = 0; ports[i] != NULL; i++)
    {
      const char *const one[] = { ports[i], NULL };
      g_autoptr (WeirRecorder) tried = weir_recorder_new (system, one, FALSE, NULL);

      if (tried != NULL)
        g_ptr_array_add (known, (gpointer) ports[i]);
    }
  g_ptr_array_add (known, NULL);
  return weir_recorder_new (system, (const char *const *) known->pdata, FALSE, NULL);
}

WeirRecorder *
weir_model_run_whole (WeirModel *model, const char *const *ports, const gint *cancel,
                      GError **error)
{
  g_autoptr (WeirCompletion) completion = weir_model_get_derived (model, &weir_derived_completion);
  WeirSystem *system = weir_completion_get_system (completion);
  g_autoptr (WeirContext) context = NULL;
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (WeirRecorder) recorder = NULL;
  WeirSimulatorOptions options;
  double stop_time;

  if (system == NULL || !weir_model_get_run_settings (model, &options, &stop_time))
    {
      weir_error_set (error, WEIR_ERROR_INVALID, "the model has errors");
      return NULL;
    }
  weir_simulator_options_set_for_plots (&options, stop_time);
  recorder = recorder_new (system, ports);
  weir_recorder_set_budget (recorder, options.record_memory, options.record_thins);
  context = weir_system_create_context (system);
  simulator = weir_simulator_new (system, context, &options, error);
  if (simulator == NULL)
    return NULL;
  weir_simulator_set_monitor (simulator, weir_recorder_monitor, recorder);
  weir_simulator_set_cancel (simulator, cancel);
  if (weir_simulator_initialize (simulator, error)
      && weir_simulator_advance_to (simulator, stop_time, error))
    weir_recorder_end (recorder, context);
  return g_steal_pointer (&recorder);
}

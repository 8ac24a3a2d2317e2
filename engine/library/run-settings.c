/* Settings to options. See run-settings.h. */
#include "library/run-settings.h"

#include "model/tree/settings.h"

gboolean
weir_model_get_run_settings (const WeirModel *model, WeirSimulatorOptions *options,
                             double *stop_time)
{
  const char *solver = weir_model_get_setting (model, "solver");
  const char *schedule = weir_model_get_setting (model, "schedule");
  const WeirSolverInfo *info = solver != NULL ? weir_solver_find (solver) : NULL;
  guint n;
  const WeirParameterSpec *specs = weir_settings_get_specs (&n);

  weir_simulator_options_init (options);
  if (solver != NULL)
    options->solver = info != NULL ? info->name : solver;
  for (guint i = 0; i < n; i++)
    if (specs[i].kind == WEIR_VALUE_NUMBER || specs[i].kind == WEIR_VALUE_INTEGER)
      weir_simulator_options_set (options, specs[i].name,
                                  weir_model_get_setting_number (model, specs[i].name));
  if (schedule != NULL)
    weir_step_scheduling_type_find (schedule, &options->schedule);
  options->record_thins = weir_model_thins_results (model);
  if (stop_time != NULL)
    *stop_time = weir_model_get_setting_number (model, "stop-time");
  return solver == NULL || info != NULL;
}

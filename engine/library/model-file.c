/* A model read and completed. See model-file.h. */
#include "library/model-file.h"

#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "model/tree/settings.h"

struct _WeirModelFile {
  WeirModel *model;
  WeirSystem *system;
};

WeirModelFile *
weir_model_file_open (const char *path, WeirDiagnostics *diagnostics)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirModel) model = weir_model_read_file (file, diagnostics);
  WeirSystem *system = model != NULL ? weir_model_complete (model, diagnostics) : NULL;
  WeirModelFile *self;

  if (model != NULL)
    weir_diagnostics_set_file (diagnostics, path);
  if (system == NULL)
    return NULL;
  self = g_new0 (WeirModelFile, 1);
  self->model = g_steal_pointer (&model);
  self->system = system;
  return self;
}

void
weir_model_file_free (WeirModelFile *self)
{
  weir_system_unref (self->system);
  weir_model_unref (self->model);
  g_free (self);
}

WeirSystem *
weir_model_file_get_system (const WeirModelFile *self)
{
  return self->system;
}

void
weir_model_file_get_options (const WeirModelFile *self, WeirSimulatorOptions *options,
                             double *stop_time)
{
  const char *solver = weir_model_get_setting (self->model, "solver");
  guint n;
  const WeirParameterSpec *specs = weir_settings_get_specs (&n);

  weir_simulator_options_init (options);
  if (solver != NULL) /* there is such a one: completion has seen to that */
    options->solver = weir_solver_find (solver)->name;
  for (guint i = 0; i < n; i++)
    if (specs[i].kind == WEIR_VALUE_NUMBER || specs[i].kind == WEIR_VALUE_INTEGER)
      weir_simulator_options_set (options, specs[i].name,
                                  weir_model_get_setting_number (self->model, specs[i].name));
  options->record_thins = weir_model_thins_results (self->model);
  if (stop_time != NULL)
    *stop_time = weir_model_get_setting_number (self->model, "stop-time");
}

char **
weir_model_file_dup_recorded_ports (const WeirModelFile *self)
{
  return weir_model_dup_recorded_ports (self->model);
}

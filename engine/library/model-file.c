/* A model read and completed. See model-file.h. */
#include "library/model-file.h"

#include "library/run-settings.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"

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
  weir_model_get_run_settings (self->model, options, stop_time);
}

char **
weir_model_file_dup_recorded_ports (const WeirModelFile *self)
{
  return weir_model_dup_recorded_ports (self->model);
}

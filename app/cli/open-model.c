/* The model of a command: read, changed as the command line says, completed. */
#include "cli/cli-private.h"

#include "model/completion.h"
#include "model/xml.h"

void
weir_cli_print (const WeirDiagnostics *diagnostics, const char *file, gboolean to_stderr)
{
  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    {
      WeirDiagnostic diagnostic = *weir_diagnostics_get (diagnostics, i);
      g_autofree char *line = NULL;

      diagnostic.file = (char *) file; /* as the user named it */
      line = weir_diagnostic_to_string (&diagnostic);
      if (to_stderr)
        g_printerr ("%s\n", line);
      else
        g_print ("%s\n", line);
    }
}

WeirModel *
weir_cli_read (const char *name, WeirDiagnostics *diagnostics)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (name);
  WeirModel *model = weir_model_read_file (file, diagnostics);

  if (model == NULL)
    weir_cli_print (diagnostics, name, FALSE);
  return model;
}

WeirSystem *
weir_cli_complete (WeirModel *model, const char *file)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirSystem *system = weir_model_complete (model, diagnostics);

  weir_cli_print (diagnostics, file, system != NULL);
  return system;
}

void
weir_cli_model_clear (WeirCliModel *self)
{
  g_clear_pointer (&self->model, weir_model_unref);
  g_clear_pointer (&self->system, weir_system_unref);
}

WeirExit
weir_cli_model_open (WeirCliModel *self, const char *file, const WeirRunOptions *options)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) read = weir_cli_read (file, diagnostics);

  *self = (WeirCliModel) { .file = file };
  if (read == NULL)
    return WEIR_EXIT_MODEL;
  self->model = weir_run_options_apply (options, read);
  if (self->model == NULL)
    return WEIR_EXIT_USAGE;
  self->system = weir_cli_complete (self->model, file);
  if (self->system == NULL)
    return WEIR_EXIT_MODEL;
  return weir_run_options_resolve (options, self->model, &self->simulator_options, &self->stop_time,
                                   &self->rate)
             ? WEIR_EXIT_OK
             : WEIR_EXIT_USAGE;
}

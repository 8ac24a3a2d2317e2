/* The model of a command: read, changed as the command line says, completed. */
#include "cli/cli-private.h"

#include <string.h>

#include "base/file.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "system/layout/units.h"

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
        weir_cli_tell ("%s\n", line);
      else
        weir_cli_say ("%s\n", line);
    }
}

static WeirModel *
read_standard_input (WeirDiagnostics *diagnostics)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = weir_file_read_standard_input (WEIR_FILE_MODEL, &error);

  if (bytes == NULL)
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "FIL01", "", 0, 0, 0, "%s.",
                          error->message);
  return bytes != NULL ? weir_model_read_bytes (bytes, "-", diagnostics) : NULL;
}

WeirModel *
weir_cli_read (const char *name, WeirDiagnostics *diagnostics)
{
  g_autoptr (GFile) file = NULL;
  WeirModel *model;

  if (strcmp (name, "-") == 0)
    model = read_standard_input (diagnostics);
  else
    {
      file = g_file_new_for_commandline_arg (name);
      model = weir_model_read_file (file, diagnostics);
    }
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

/* Whether @model has no errors. */
static gboolean
is_whole (WeirModel *model)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);

  return system != NULL;
}

/* Completes the model. What is wrong with it is a matter of the file, unless the model was well as
 * it was read: then it is one of --set, and FALSE. */
static gboolean
complete (WeirCliModel *self, WeirModel *read, const WeirRunOptions *options)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autofree char *assignments = NULL;

  self->system = weir_model_complete (self->model, diagnostics);
  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    self->is_untrusted |= strcmp (weir_diagnostics_get (diagnostics, i)->code, WEIR_UNTRUSTED_CODE)
                          == 0;
  if (self->system != NULL || options->set == NULL || !is_whole (read))
    {
      weir_cli_print (diagnostics, self->file, self->system != NULL);
      return TRUE;
    }
  assignments = g_strjoinv (", ", options->set);
  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (diagnostics, i);

      if (d->severity == WEIR_SEVERITY_ERROR)
        weir_cli_complain ("--set %s: %s%s%s", assignments, d->path, d->path[0] != '\0' ? ": " : "",
                           d->text);
    }
  return FALSE;
}

WeirExit
weir_cli_model_open (WeirCliModel *self, const char *file, const WeirRunOptions *options)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) read = weir_cli_read (file, diagnostics);
  g_autoptr (GArray) units = NULL;

  *self = (WeirCliModel) { .file = file };
  if (read == NULL)
    return WEIR_EXIT_MODEL;
  weir_cli_print (diagnostics, file, TRUE);
  self->model = weir_run_options_apply (options, read);
  if (self->model == NULL)
    return WEIR_EXIT_USAGE;
  if (!complete (self, read, options))
    return WEIR_EXIT_USAGE;
  if (self->system == NULL || self->is_untrusted)
    return WEIR_EXIT_MODEL;
  units = weir_system_list_units (self->system);
  self->has_units = units->len > 0;
  return weir_run_options_resolve (options, self->model, &self->simulator_options, &self->stop_time,
                                   &self->rate);
}

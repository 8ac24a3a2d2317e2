/* `weir generate`: a model as C that runs without the program. */
#include "cli/cli-private.h"

#include "generate/generate.h"

typedef struct {
  WeirRunOptions run;
  char **log;
  char *out, *prefix;
} Options;

static void
options_clear (Options *self)
{
  weir_run_options_clear (&self->run);
  g_strfreev (self->log);
  g_free (self->out);
  g_free (self->prefix);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static WeirExit
generate (const WeirCliModel *opened, const Options *options)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) ports = weir_cli_list_ports (opened->model, opened->system,
                                              (const char *const *) options->log);
  g_autofree char *name = g_path_get_basename (opened->file);
  g_autoptr (WeirGenerated) files = NULL;
  WeirSimulatorOptions run = opened->simulator_options;
  char *dot = strrchr (name, '.');

  if (ports == NULL)
    return WEIR_EXIT_USAGE;
  if (dot != NULL && dot != name)
    *dot = '\0';
  if (!weir_run_options_has (&options->run, "solver") && !weir_generate_has_solver (run.solver))
    run.solver = "rk4";
  files = weir_generate (opened->system, options->prefix != NULL ? options->prefix : name, &run,
                         (const char *const *) ports, diagnostics);
  weir_cli_print (diagnostics, opened->file, FALSE);
  if (files == NULL)
    return WEIR_EXIT_MODEL;
  if (!weir_generated_write (files, options->out, &error))
    {
      weir_cli_complain ("--out: %s", error->message);
      return WEIR_EXIT_RUN;
    }
  weir_cli_tell ("%s: %u files in %s, with %s; make -C %s builds them\n", opened->file,
                 weir_generated_get_n_files (files), options->out, run.solver, options->out);
  return WEIR_EXIT_OK;
}

WeirExit
weir_cli_generate (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_auto (WeirCliModel) opened = { 0 };
  const GOptionEntry more[] = {
    { "out", 'o', 0, G_OPTION_ARG_FILENAME, &options.out, "Write the files into this folder",
      "FOLDER" },
    { "prefix", 0, 0, G_OPTION_ARG_STRING, &options.prefix,
      "What names in the code begin with; else that of the file", "NAME" },
    { "log", 'l', 0, G_OPTION_ARG_FILENAME_ARRAY, &options.log,
      "Record this port, such as plant.theta, or all outputs that match; may be repeated",
      "PATTERN" },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *entries = weir_run_options_get_entries (&options.run, more);
  WeirExit status;

  if (!weir_cli_parse (
          &argc, &argv, "FILE --out FOLDER",
          "Writes the model as C11 that needs nothing but a compiler: the model, what "
          "runs it, a main and a Makefile.\n"
          "make -C FOLDER builds FOLDER/run, and FOLDER/run T prints what weir run "
          "FILE --until T prints.\n"
          "Exit status: 0 fine, 1 the model has errors or cannot be written so, 2 wrong "
          "usage, 3 a file cannot be written.",
          entries, 1, 1))
    return WEIR_EXIT_USAGE;
  if (options.out == NULL)
    {
      weir_cli_complain ("generate needs --out FOLDER, where the files go");
      return WEIR_EXIT_USAGE;
    }
  status = weir_cli_model_open (&opened, argv[1], &options.run);
  return status == WEIR_EXIT_OK ? generate (&opened, &options) : status;
}

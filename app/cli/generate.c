/* `weir generate`: a model as C that runs without the program; `weir export`: as an FMU, or a model
 * of FMUs as a package of SSP. */
#include "cli/cli-private.h"

#include <string.h>

#include "base/file.h"
#include "generate/generate.h"
#include "model/structures/structures.h"

typedef struct {
  WeirRunOptions run;
  char **log;
  char *out, *prefix, *fmu, *ssp;
} Options;

static void
options_clear (Options *self)
{
  weir_run_options_clear (&self->run);
  g_strfreev (self->log);
  g_free (self->out);
  g_free (self->prefix);
  g_free (self->fmu);
  g_free (self->ssp);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* "pendulum" of "models/pendulum.weir"; unless it was named. (transfer full) */
static char *
dup_prefix (const char *file, const Options *options)
{
  char *name = options->prefix != NULL ? g_strdup (options->prefix) : g_path_get_basename (file);
  char *dot = options->prefix != NULL ? NULL : strrchr (name, '.');

  if (dot != NULL && dot != name)
    *dot = '\0';
  return name;
}

/* Those of the model; where nobody chose a solver that generated code has, Dormand and Prince's. */
static WeirSimulatorOptions
choose_options (const WeirCliModel *opened, const Options *options)
{
  WeirSimulatorOptions run = opened->simulator_options;

  if (!weir_run_options_has (&options->run, "solver") && !weir_generate_has_solver (run.solver))
    run.solver = "dormand-prince";
  return run;
}

static WeirExit
generate (const WeirCliModel *opened, const Options *options)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) ports = weir_cli_list_ports (opened->model, opened->system,
                                              (const char *const *) options->log);
  g_autofree char *prefix = dup_prefix (opened->file, options);
  g_autoptr (WeirGenerated) files = NULL;
  WeirSimulatorOptions run = choose_options (opened, options);

  if (ports == NULL)
    return WEIR_EXIT_USAGE;
  files = weir_generate (opened->system, prefix, &run, (const char *const *) ports, diagnostics);
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

/* --- FMUs ------------------------------------------------------------------------------------ */

static WeirExit export(const WeirCliModel *opened, const Options *options, guint version)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) ports = weir_cli_list_ports (opened->model, opened->system,
                                              (const char *const *) options->log);
  g_autofree char *prefix = dup_prefix (opened->file, options);
  g_autoptr (GHashTable) units = weir_generate_list_units (opened->model, opened->system);
  g_autofree char *note = NULL;
  WeirSimulatorOptions run = choose_options (opened, options);
  gboolean ok;

  if (ports == NULL)
    return WEIR_EXIT_USAGE;
  ok = weir_generate_fmu (opened->system, prefix, &run, (const char *const *) ports, units, version,
                          opened->stop_time, options->out, &note, diagnostics, &error);
  weir_cli_print (diagnostics, opened->file, FALSE);
  if (ok)
    weir_cli_tell ("%s: an FMU of FMI %u.0, with %s%s%s\n", options->out, version, run.solver,
                   note != NULL ? "; " : "", note != NULL ? note : "");
  else if (error != NULL)
    weir_cli_complain ("--out: %s", error->message);
  return ok ? WEIR_EXIT_OK : error != NULL ? WEIR_EXIT_RUN : WEIR_EXIT_MODEL;
}

/* Nothing is completed for that: files of FMUs are put together. */
static WeirExit
export_package (const char *name, const Options *options)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_cli_read (name, diagnostics);
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (options->out);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (model == NULL)
    return WEIR_EXIT_MODEL;
  bytes = weir_structure_write (model, options->ssp[0] == '2' ? 2 : 1, &error);
  if (bytes == NULL)
    {
      weir_cli_say ("%s: %s\n", name, error->message);
      return WEIR_EXIT_MODEL;
    }
  if (!weir_file_write_to (file, bytes, &error))
    {
      weir_cli_complain ("--out: %s", error->message);
      return WEIR_EXIT_RUN;
    }
  weir_cli_tell ("%s: a package of SSP %s.0\n", options->out, options->ssp);
  return WEIR_EXIT_OK;
}

static gboolean
is_version (const char *text, const char *first, const char *second)
{
  return g_strcmp0 (text, first) == 0 || g_strcmp0 (text, second) == 0;
}

WeirExit
weir_cli_export (int argc, char **argv)
{
  static const char *const fmus[] = { "fmu", NULL }, *const packages[] = { "ssp", NULL };
  g_auto (Options) options = { 0 };
  g_auto (WeirCliModel) opened = { 0 };
  const GOptionEntry more[] = {
    { "fmu", 0, 0, G_OPTION_ARG_STRING, &options.fmu, "The version of FMI: 2 or 3", "VERSION" },
    { "ssp", 0, 0, G_OPTION_ARG_STRING, &options.ssp,
      "Write a model of FMUs as a package of this version of SSP: 1 or 2", "VERSION" },
    { "out", 'o', 0, G_OPTION_ARG_FILENAME, &options.out, "Write the FMU or package here", "FILE" },
    { "prefix", 0, 0, G_OPTION_ARG_STRING, &options.prefix,
      "What names in the code begin with; else that of the file", "NAME" },
    { "log", 'l', 0, G_OPTION_ARG_FILENAME_ARRAY, &options.log,
      "Make this port an output, such as plant.theta, or all outputs that match; may be repeated",
      "PATTERN" },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *entries = weir_run_options_get_entries (&options.run, more);
  WeirExit status;

  if (!weir_cli_parse (
          &argc, &argv, "FILE --fmu 2|3 --out FILE.fmu | FILE --ssp 1|2 --out FILE.ssp",
          "Writes the model as an FMU for other tools: co-simulation with its own "
          "solver, model exchange\nwithout one, with sources, and with a library for "
          "this machine where there is a C compiler.\n"
          "Its outputs are what weir run would record.\n"
          "With --ssp a model that consists of FMU blocks, Subsystems of them, gains and biases "
          "is\n"
          "written with their files as a package for other tools.\n"
          "Exit status: 0 fine, 1 the model has errors or cannot be written so, 2 wrong "
          "usage, 3 the file cannot be written.",
          entries, 1, 1))
    return WEIR_EXIT_USAGE;
  if (options.out == NULL || (options.fmu != NULL) == (options.ssp != NULL)
      || (options.fmu != NULL && !is_version (options.fmu, "2", "3"))
      || (options.ssp != NULL && !is_version (options.ssp, "1", "2")))
    {
      weir_cli_complain ("export needs --fmu 2 or --fmu 3, or --ssp 1 or --ssp 2, and --out FILE");
      return WEIR_EXIT_USAGE;
    }
  if (!weir_cli_check_ending ("--out", options.out,
                              options.ssp != NULL ? "packages are" : "FMUs are",
                              options.ssp != NULL ? packages : fmus))
    return WEIR_EXIT_USAGE;
  if (options.ssp != NULL)
    return export_package (argv[1], &options);
  status = weir_cli_model_open (&opened, argv[1], &options.run);
  return status == WEIR_EXIT_OK ? export(&opened, &options, options.fmu[0] == '2' ? 2 : 3) : status;
}

/* The table of commands, and what the program does with its arguments. */
#include "cli/cli-private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/litter.h"
#include "base/text.h"
#include "config.h"
#include "cosim/cosim.h"

static const WeirCommand commands[] = {
  { "run", "FILE [OPTION...]", "simulate a model and write what its scopes see", weir_cli_run },
  { "check", "FILE...", "print every problem of models and FMUs", weir_cli_check },
  { "verify", "FILE [OPTION...]", "run with and without cache and compare every bit",
    weir_cli_verify },
  { "audit", "FILE [OPTION...]", "compare what calculations read with what they declare",
    weir_cli_audit },
  { "explain", "FILE PATH", "what a source invalidates, what a value depends on",
    weir_cli_explain },
  { "solve", "FILE [--set PATH=VALUE]", "solve equations without time, with residuals",
    weir_cli_solve },
  { "generate", "FILE --out FOLDER", "write a model as C that runs by itself", weir_cli_generate },
  { "export", "FILE --fmu 2|3 --out F", "write a model as an FMU, or --ssp 1|2 as a package",
    weir_cli_export },
  { "lesson", "FILE...", "walk through lessons and check what they promise", weir_cli_lesson },
  { "linearize", "FILE [OPTION...]", "A, B, C, D and poles at an operating point",
    weir_cli_linearize },
  { "measure", "FILE [OPTION...]", "figures of the signals of a run, or of a CSV file",
    weir_cli_measure },
  { "study", "FILE [OPTION...]", "make many runs, as a study says, and keep what they give",
    weir_cli_study },
  { "info", "FILE [OPTION...]", "describe a model, or an FMU", weir_cli_info },
  { "diff", "A B", "what differs between two models, by block", weir_cli_diff },
  { "render", "FILE --out F.svg", "draw the diagram as SVG, PDF or PNG", weir_cli_render },
  { "blocks", "[NAME]", "list the block types, or describe one", weir_cli_blocks },
  { "help", "[PAGE]", "print a page of the help, search it, write it as HTML", weir_cli_help },
};

static void
print_usage (void)
{
  g_print ("Usage:\n"
           "  weir [FILE...]             open the editor\n"
           "  weir COMMAND [OPTION...]   work without a window\n"
           "\n"
           "Commands:\n");
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *usage = g_strconcat (commands[i].name, " ", commands[i].arguments, NULL);

      g_print ("  %-23s  %s\n", usage, commands[i].summary);
    }
  g_print ("\n"
           "Options:\n"
           "  --help                   this text; weir COMMAND --help explains a command\n"
           "  --version                the version\n"
           "\n"
           "Exit status: 0 fine; 1 the model has errors, differs or cannot be read;\n"
           "2 wrong usage; 3 the run failed or its results cannot be written.\n");
}

/* Does the command draw, as it is called? */
static gboolean
draws (const WeirCommand *command, int argc, char **argv)
{
  if (command->run == weir_cli_render)
    return TRUE;
  for (int i = 0; command->run == weir_cli_linearize && i < argc; i++)
    if (weir_cli_is_picture (argv[i]))
      return TRUE;
  for (int i = 0; command->run == weir_cli_run && i < argc && strcmp (argv[i], "--") != 0; i++)
    if (strcmp (argv[i], "--plot") == 0 || g_str_has_prefix (argv[i], "--plot="))
      return TRUE;
  return FALSE;
}

static const WeirCommand *
find_command (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (commands[i].name, name) == 0)
      return &commands[i];
  return NULL;
}

/* A word that is neither a command nor a file is a mistyped command. */
static gboolean
is_mistyped_command (const char *argument)
{
  return g_ascii_isalpha (argument[0]) && strpbrk (argument, "./:") == NULL
         && !g_file_test (argument, G_FILE_TEST_EXISTS);
}

/* Text goes out as UTF-8 in every locale: names in models are UTF-8, and scripts read this. Nothing
 * that a model or the name of a file holds reaches the terminal as an order to it. */
static void
put (FILE *stream, const char *text)
{
  g_autofree char *shown = weir_text_escape_within_lines (text);

  fputs (shown, stream);
}

static void
put_out (const char *text)
{
  put (stdout, text);
}

static void
put_err (const char *text)
{
  fflush (stdout);
  put (stderr, text);
}

/* A standard stream that the caller closed would give its number to the next file that is opened,
 * and results would be printed into that. What takes its place here fails as the closed one does.
 */
static void
occupy_standard_streams (void)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl (fd, F_GETFD) < 0 && open ("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
      return;
}

/* What was printed may still fail to arrive: half a result is no result. */
static WeirExit
finish_output (WeirExit status)
{
  if (fflush (stdout) == 0 && !ferror (stdout))
    return status;
  weir_cli_complain ("standard output cannot be written: %s", g_strerror (errno));
  return status == WEIR_EXIT_OK ? WEIR_EXIT_RUN : status;
}

static WeirExit
run_command (int argc, char **argv, gboolean *handled)
{
  const char *first = argc > 1 ? argv[1] : "";
  const WeirCommand *command = find_command (first);

  *handled = command == NULL || weir_cli_get_painter () != NULL || !draws (command, argc, argv);
  if (!*handled)
    return WEIR_EXIT_OK;
  if (command != NULL && command->run == weir_cli_help && argc == 2)
    print_usage (); /* the list of pages follows */
  if (command != NULL)
    return command->run (argc - 1, argv + 1);
  if (strcmp (first, "--help") == 0 || strcmp (first, "-h") == 0)
    {
      print_usage ();
      return WEIR_EXIT_OK;
    }
  if (strcmp (first, "--version") == 0)
    {
      g_print ("weir " WEIR_VERSION "\n");
      return WEIR_EXIT_OK;
    }
  if (is_mistyped_command (first))
    {
      weir_cli_complain ("there is no command and no file \"%s\"; see weir --help", first);
      return WEIR_EXIT_USAGE;
    }
  *handled = FALSE;
  return WEIR_EXIT_OK;
}

int
weir_cli_main (int argc, char **argv, const WeirCliPainter *with, gboolean *handled)
{
  weir_cli_set_painter (with);
  g_set_print_handler (put_out);
  g_set_printerr_handler (put_err);
  occupy_standard_streams ();
  weir_litter_remove ();
  weir_cosim_provide ();
  return (int) finish_output (run_command (argc, argv, handled));
}

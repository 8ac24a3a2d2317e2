/* Comparing a run of generated code with that of the model. See generate.h. */
#include "generate/generate-private.h"

#include <glib/gstdio.h>

#include "sim/recorder.h"
#include "sim/results.h"
#include "system/evaluation/eval.h"

/* --- The model's own run --------------------------------------------------------------------- */

GBytes *
weir_generate_run (WeirSystem *root, const WeirSimulatorOptions *options, const char *const *ports,
                   double stop_time, GError **error)
{
  g_autoptr (WeirContext) context = weir_system_create_context (root);
  g_autoptr (WeirRecorder) recorder = weir_recorder_new (root, ports, FALSE, error);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();

  if (recorder == NULL)
    return NULL;
  simulator = weir_simulator_new (root, context, options, error);
  if (simulator == NULL)
    return NULL;
  weir_simulator_set_monitor (simulator, weir_recorder_monitor, recorder);
  if (weir_simulator_initialize (simulator, NULL))
    weir_simulator_advance_to (simulator, stop_time, NULL);
  weir_recorder_end (recorder, context);
  if (!weir_results_write (weir_result_format_find ("x.csv"), recorder, NULL, stream, error)
      || !g_output_stream_close (stream, NULL, error))
    return NULL;
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
}

/* --- The other ------------------------------------------------------------------------------- */

gboolean
weir_generate_spawn (const char *folder, const char *command, char **output, char **complaint,
                     int *status, GError **error)
{
  g_auto (GStrv) words = NULL;

  return g_shell_parse_argv (command, NULL, &words, error)
         && g_spawn_sync (folder, words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, output, complaint,
                          status, error);
}

const char *
weir_generate_get_compiler (void)
{
  const char *compiler = g_getenv ("CC");

  return compiler != NULL && *compiler != '\0' ? compiler : "cc";
}

static gboolean
compile (const char *folder, const char *name, GError **error)
{
  const char *compiler = weir_generate_get_compiler (), *flags = g_getenv ("CFLAGS");
  g_autofree char *command = NULL, *complaint = NULL;
  g_autoptr (GError) why = NULL;
  int status = 0;

  command = g_strdup_printf ("%s " WEIR_GENERATE_EXACT
                             " %s -o run main.c %s.c weir-simulator.c -lm",
                             compiler, flags != NULL ? flags : "-O0", name);
  if (!weir_generate_spawn (folder, command, NULL, &complaint, &status, &why))
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_FAILED,
                   "the C compiler \"%s\" cannot be started: %s; install one, or name it in the "
                   "environment's CC",
                   compiler, why->message);
      return FALSE;
    }
  if (status == 0)
    return TRUE;
  g_set_error (error, WEIR_ERROR, WEIR_ERROR_FAILED,
               "the C compiler \"%s\" does not take the generated code: %.*s", compiler, 1000,
               complaint);
  return FALSE;
}

void
weir_generate_remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

static char *
run_generated (const WeirGenerated *files, const char *folder, double stop_time, GError **error)
{
  const char *header = weir_generated_get_name (files, 0);
  g_autofree char *name = g_strndup (header, strlen (header) - 2);
  g_autofree char *command = NULL, *output = NULL, *complaint = NULL;
  char time[G_ASCII_DTOSTR_BUF_SIZE];
  int status;

  weir_number_to_text (stop_time, time);
  command = g_strdup_printf ("./run %s", time);
  return weir_generated_write (files, folder, error) && compile (folder, name, error)
                 && weir_generate_spawn (folder, command, &output, &complaint, &status, error)
             ? g_steal_pointer (&output)
             : NULL;
}

/* --- Comparing ------------------------------------------------------------------------------- */

static void
compare_rows (const char *names, const char *own, const char *other, WeirGenerateVerdict *verdict)
{
  g_auto (GStrv) heads = g_strsplit (names, ",", -1);
  g_auto (GStrv) a = g_strsplit (own, ",", -1);
  g_auto (GStrv) b = g_strsplit (other, ",", -1);

  for (guint i = 0; a[i] != NULL && b[i] != NULL; i++, verdict->n_compared++)
    if (strcmp (a[i], b[i]) != 0)
      {
        verdict->where = g_strdup_printf ("at t = %s s %s is %s, but %s in generated code", a[0],
                                          heads[i], a[i], b[i]);
        return;
      }
}

static void
compare (const char *own, const char *other, WeirGenerateVerdict *verdict)
{
  g_auto (GStrv) a = g_strsplit (own, "\n", -1);
  g_auto (GStrv) b = g_strsplit (other, "\n", -1);
  guint i = 0;

  for (; a[i] != NULL && b[i] != NULL && verdict->where == NULL; i++)
    compare_rows (a[0], a[i], b[i], verdict);
  if (verdict->where == NULL && (a[i] != NULL || b[i] != NULL))
    verdict->where = g_strdup_printf ("%s goes on after %s s, the other does not",
                                      a[i] != NULL ? "the model" : "generated code",
                                      i > 0 ? a[i - 1] : "0");
  verdict->is_identical = verdict->where == NULL;
}

gboolean
weir_generate_verify (WeirSystem *root, const WeirSimulatorOptions *options,
                      const char *const *ports, double stop_time, WeirGenerateVerdict *verdict,
                      WeirDiagnostics *diagnostics, GError **error)
{
  g_autoptr (WeirGenerated) files = weir_generate (root, "model", options, ports, diagnostics);
  g_autofree char *folder = NULL, *other = NULL;
  g_autoptr (GBytes) own = NULL;
  g_autofree char *text = NULL;

  *verdict = (WeirGenerateVerdict) { 0 };
  if (files == NULL || (folder = g_dir_make_tmp ("weir-XXXXXX", error)) == NULL)
    return FALSE;
  own = weir_generate_run (root, options, ports, stop_time, error);
  if (own != NULL)
    other = run_generated (files, folder, stop_time, error);
  weir_generate_remove_folder (folder);
  if (other == NULL)
    return FALSE;
  text = g_strndup (g_bytes_get_data (own, NULL), g_bytes_get_size (own));
  compare (text, other, verdict);
  return TRUE;
}

void
weir_generate_verdict_clear (WeirGenerateVerdict *verdict)
{
  g_clear_pointer (&verdict->where, g_free);
}

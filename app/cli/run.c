/* `weir run`: simulates a model and writes what was recorded.
 *
 * Standard output carries one kind of result: the report if --stats asks for it, else the recorded
 * signals as CSV if no file was asked for. `--out -` asks for the CSV there by name.
 */
#include "cli/cli-private.h"

#include <errno.h>
#include <gio/gunixoutputstream.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/trace.h"
#include "base/file.h"
#include "base/text.h"
#include "sim/pacer.h"
#include "sim/recorder.h"
#include "native/native.h"
#include "sim/results.h"
#include "system/evaluation/eval.h"

typedef enum { STATS_NONE, STATS_TABLE, STATS_JSON } StatsFormat;

typedef struct {
  WeirRunOptions run;
  char **log;
  char *out, *plot, *stats, *record;
  WeirCheckpoint checkpoint;
  WeirAbsences absences;
  gboolean both, no_cache, no_native, progress, record_all;
} Options;

static void
options_clear (Options *self)
{
  weir_run_options_clear (&self->run);
  g_strfreev (self->log);
  g_free (self->out);
  g_free (self->plot);
  g_free (self->stats);
  g_free (self->record);
  weir_checkpoint_clear (&self->checkpoint);
  weir_absences_clear (&self->absences);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* --- Running --------------------------------------------------------------------------------- */

typedef struct {
  WeirRecorder *recorder;
  double stop_time;
  gboolean with_progress, is_terminal;
  double start_time;  /* s */
  gint64 start;       /* us, monotonic */
  gint64 last_report; /* us */
  int last_percent;
} Run;

#define PROGRESS_INTERVAL (G_USEC_PER_SEC / 10)
#define MAX_SLEEP (G_USEC_PER_SEC / 20) /* of a paced run, so that an interrupt is heeded */

/* On a terminal one line that renews itself; in a file a line for each tenth of the way. */
static void
report_progress (Run *run, double time)
{
  int percent = run->stop_time > 0 ? (int) (100.0 * time / run->stop_time) : 100;
  gint64 now = g_get_monotonic_time ();

  if (run->is_terminal ? now - run->last_report < PROGRESS_INTERVAL && percent < 100
                       : percent / 10 == run->last_percent / 10)
    return;
  if (percent == run->last_percent)
    return;
  run->last_report = now;
  run->last_percent = percent;
  if (!run->is_terminal)
    g_printerr ("%d %%\n", percent);
  else if (run->start > 0 && now - run->start > G_USEC_PER_SEC && time > run->start_time
           && percent < 100)
    {
      double speed = (time - run->start_time) / (double) (now - run->start) * G_USEC_PER_SEC;
      double left = (run->stop_time - time) / speed;

      fprintf (stderr, "\r%3d %%, %.0f %s left   ", percent, left < 120 ? left : left / 60,
               left < 120 ? "s" : "min");
    }
  else
    fprintf (stderr, "\r%3d %%                  ", percent);
}

static WeirStatus
record (WeirSimulator *simulator, WeirPhase phase, gpointer data)
{
  Run *run = data;

  if (run->with_progress)
    report_progress (run, weir_context_get_time (weir_simulator_get_context (simulator)));
  return weir_recorder_monitor (simulator, phase, run->recorder);
}

/* An interrupt ends the run; what was recorded until then is written. */
static gint is_interrupted, is_cancelled;
static gint ends_step_first; /* a checkpoint is to be written: the step is completed, unless
                                somebody insists */

static void
interrupt (G_GNUC_UNUSED int number)
{
  if (!g_atomic_int_get (&ends_step_first) || g_atomic_int_get (&is_interrupted))
    g_atomic_int_set (&is_cancelled, 1);
  g_atomic_int_set (&is_interrupted, 1);
}

/* What asks a program to end: at the keyboard, by a terminal that is closed, by whoever shuts the
 * machine down. One that is ignored, as nohup does, stays so. */
static const int ends[] = { SIGINT, SIGTERM, SIGHUP };

static void
listen_to_ends (gboolean listens)
{
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      struct sigaction old, action = { .sa_handler = listens ? interrupt : SIG_DFL };

      if (sigaction (ends[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction (ends[i], &action, NULL);
    }
}

/* To the stop time, with the wall clock where it is asked for. */
static gboolean
advance (WeirSimulator *simulator, WeirPacer *pacer, WeirCheckpoint *checkpoint, double stop_time,
         GError **error)
{
  WeirContext *context = weir_simulator_get_context (simulator);
  gboolean done = FALSE;

  while (!done)
    {
      gint64 now = g_get_monotonic_time (), due;

      for (; (due = weir_pacer_look (pacer, weir_context_get_time (context), now)) > now
             && !g_atomic_int_get (&is_interrupted);
           now = g_get_monotonic_time ())
        g_usleep ((gulong) MIN (due - now, MAX_SLEEP));
      if (!weir_simulator_step (simulator, stop_time, &done, error))
        return FALSE;
      if (!weir_checkpoint_look (checkpoint, simulator, done || g_atomic_int_get (&is_interrupted),
                                 error))
        return FALSE;
      if (!done && g_atomic_int_get (&is_interrupted) && g_atomic_int_get (&ends_step_first))
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the run was stopped at t = %g",
                       weir_context_get_time (context));
          return FALSE;
        }
    }
  return TRUE;
}

/* --- Results --------------------------------------------------------------------------------- */

typedef struct {
  const WeirResultFormat *format;
  WeirRecorder *recorder;
} Results;

/* (transfer full) */
static GStrv
dup_shown_names (WeirRecorder *recorder)
{
  guint n = weir_recorder_get_n_signals (recorder);
  GStrv names = g_new0 (char *, n + 1);

  for (guint s = 0; s < n; s++)
    names[s] = weir_text_escape (weir_recorder_get_signal_name (recorder, s));
  return names;
}

/* What reads a file finds its signals by their names, to the byte; a terminal would obey what is in
 * them. */
static gboolean
write_rows (int fd, gpointer data, GError **error)
{
  const Results *results = data;
  g_autoptr (GOutputStream) stream = g_unix_output_stream_new (fd, FALSE);
  g_auto (GStrv) shown = isatty (fd) ? dup_shown_names (results->recorder) : NULL;

  return weir_results_write (results->format, results->recorder, (const char *const *) shown,
                             stream, error);
}

static gboolean
write_recorded (WeirRecorder *recorder, const char *out, GError **error)
{
  const WeirResultFormat *format = weir_result_format_find (out);
  Results results = { format != NULL ? format : weir_result_format_get (0), recorder };

  if (weir_cli_is_standard_output (out))
    return write_rows (STDOUT_FILENO, &results, error);
  return weir_file_write_with (out, 0666, write_rows, &results, error);
}

static gboolean
write_results (const Options *options, WeirRecorder *recorder)
{
  const char *out = options->out;
  g_autoptr (GError) error = NULL;

  if (out == NULL && options->plot == NULL && options->stats == NULL)
    out = "-";
  if (out != NULL && !write_recorded (recorder, out, &error))
    {
      weir_cli_complain ("--out: %s", error->message);
      return FALSE;
    }
  if (options->plot != NULL
      && !weir_cli_get_painter ()->write_plot (recorder, options->plot, &error))
    {
      weir_cli_complain ("--plot: %s", error->message);
      return FALSE;
    }
  return TRUE;
}

static gboolean
write_change_log (const Options *options, const char *file, WeirContext *context)
{
  g_autoptr (WeirChangeLog) log = weir_context_stop_log (context);
  g_autofree char *model = g_path_get_basename (file);
  g_autoptr (WeirTrace) trace = weir_trace_new (log, model);
  g_autoptr (GError) error = NULL;

  if (!weir_trace_save (trace, options->record, &error))
    {
      weir_cli_complain ("--record: %s", error->message);
      return FALSE;
    }
  if (weir_trace_get_n_lost (trace) > 0)
    weir_cli_complain ("--record %s: %" G_GUINT64_FORMAT
                       " older records were given up for newer ones",
                       options->record, weir_trace_get_n_lost (trace));
  return TRUE;
}

/* --- The command ----------------------------------------------------------------------------- */

static WeirExit
simulate (const WeirCliModel *opened, Options *options, StatsFormat stats)
{
  const char *file = opened->file;
  WeirSystem *system = opened->system;
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (WeirContext) context = NULL;
  g_autoptr (WeirRecorder) recorder = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) ports = NULL;
  g_autofree char *notice = NULL;
  Run run = { .with_progress = options->progress,
              .stop_time = opened->stop_time,
              .is_terminal = isatty (STDERR_FILENO) != 0,
              .last_percent = -10 /* so that 0 % is news */ };
  WeirPacer pacer = { .rate = opened->rate };
  WeirSimulatorOptions simulator_options = opened->simulator_options;
  WeirRunReport report = { .file = file, .options = &opened->simulator_options };
  gint64 start;
  gboolean ok;

  ports = weir_cli_list_ports (opened->model, system, (const char *const *) options->log);
  if (ports == NULL)
    return WEIR_EXIT_USAGE;
  recorder = weir_recorder_new (system, (const char *const *) ports, options->both, &error);
  if (recorder == NULL)
    {
      weir_cli_complain ("--log: %s", error->message);
      return WEIR_EXIT_USAGE;
    }
  weir_recorder_set_budget (recorder, simulator_options.record_memory,
                            simulator_options.record_thins);
  if (options->no_native)
    weir_native_set_on (FALSE);
  context = weir_system_create_context (system);
  weir_context_set_caching (context, !options->no_cache);
  if (options->record != NULL)
    weir_context_start_log (context, options->record_all ? WEIR_LOG_MODE_ALL : WEIR_LOG_MODE_EVENTS,
                            0);
  if (opened->has_units && simulator_options.record_interval == 0)
    simulator_options.record_interval = simulator_options.communication_step;
  else if (options->plot != NULL && !options->both)
    weir_simulator_options_set_for_plots (&simulator_options, opened->stop_time);
  simulator = weir_simulator_new (system, context, &simulator_options, &error);
  if (simulator == NULL)
    {
      weir_cli_complain ("%s: %s", file, error->message);
      return WEIR_EXIT_USAGE;
    }
  if (!weir_absences_apply (&options->absences, simulator))
    return WEIR_EXIT_USAGE;
  if (!weir_checkpoint_check_set (&options->checkpoint, simulator, opened->model,
                                  (const char *const *) options->run.set))
    return WEIR_EXIT_USAGE;
  run.recorder = recorder;
  weir_simulator_set_monitor (simulator, record, &run);
  weir_simulator_set_cancel (simulator, &is_cancelled);
  g_atomic_int_set (&ends_step_first, options->checkpoint.file != NULL);
  listen_to_ends (TRUE);

  start = run.start = g_get_monotonic_time ();
  ok = weir_checkpoint_begin (&options->checkpoint, simulator, opened->model,
                              (const char *const *) options->run.set, &error);
  run.start_time = weir_context_get_time (context);
  if (ok)
    {
      weir_context_set_caching (context, !options->no_cache);
      ok = advance (simulator, &pacer, &options->checkpoint, run.stop_time, &error);
    }
  weir_recorder_end (recorder, context);
  notice = weir_recorder_dup_notice (recorder);
  report.wall_time = (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC;
  if (run.with_progress && run.is_terminal)
    g_printerr ("\n");
  listen_to_ends (FALSE);
  for (guint i = 0; i < weir_simulator_get_n_notes (simulator); i++)
    weir_cli_tell ("%s: %s\n", file, weir_simulator_get_note (simulator, i)->text);
  for (guint i = 0; i < weir_simulator_get_n_troubles (simulator); i++)
    {
      const WeirTrouble *trouble = weir_simulator_get_trouble (simulator, i);

      if (trouble->severity != WEIR_SEVERITY_ERROR)
        weir_cli_tell ("%s: warning: %s\n", file, trouble->text);
    }
  if (notice != NULL)
    weir_cli_tell ("%s: %s\n", file, notice);
  if (!ok)
    weir_cli_complain ("%s: %s", file, error->message);

  /* What was recorded until a failure is worth as much. */
  if (options->record != NULL && !write_change_log (options, file, context))
    return WEIR_EXIT_RUN;
  if ((ok || weir_recorder_get_n_rows (recorder) > 0) && !write_results (options, recorder))
    return WEIR_EXIT_RUN;
  report.simulator = simulator;
  report.stop_time = run.stop_time;
  report.n_rows = weir_recorder_get_n_rows (recorder);
  if (stats == STATS_TABLE)
    weir_run_report_print_table (&report);
  else if (stats == STATS_JSON)
    weir_run_report_print_json (&report);
  return ok ? WEIR_EXIT_OK : WEIR_EXIT_RUN;
}

/* Of all formats; ends in NULL. (transfer container) */
static const char **
list_endings (void)
{
  GPtrArray *endings = g_ptr_array_new ();

  for (guint i = 0; i < weir_result_format_get_n (); i++)
    for (const char *const *suffixes = weir_result_format_get_suffixes (weir_result_format_get (i));
         *suffixes != NULL; suffixes++)
      g_ptr_array_add (endings, (gpointer) *suffixes);
  g_ptr_array_add (endings, NULL);
  return (const char **) g_ptr_array_free (endings, FALSE);
}

/* Refuses what cannot be written before anything is computed. */
static gboolean
check_files (const Options *options, const char *model)
{
  static const char *const plots[] = { "png", "svg", "pdf", NULL };
  g_autofree const char **endings = list_endings ();
  const WeirCliFile files[] = {
    { "the model", model, FALSE },         { "--restore", options->checkpoint.restore, FALSE },
    { "--out", options->out, TRUE },       { "--plot", options->plot, TRUE },
    { "--record", options->record, TRUE }, { "--checkpoint", options->checkpoint.file, TRUE },
  };

  if (!weir_cli_check_ending ("--out", options->out, "results are", endings)
      || !weir_cli_check_ending ("--plot", options->plot, "plots are", plots))
    return FALSE;
  if (options->stats != NULL && weir_cli_is_standard_output (options->out))
    {
      weir_cli_complain ("--stats and --out %s would mix two results; name a file for one of them",
                         options->out);
      return FALSE;
    }
  if (options->record_all && options->record == NULL)
    {
      weir_cli_complain ("--record-all stores more with --record, which names the file");
      return FALSE;
    }
  return weir_cli_check_outputs (files, G_N_ELEMENTS (files));
}

static gboolean
parse_stats (const char *text, StatsFormat *format)
{
  *format = text == NULL                  ? STATS_NONE
            : strcmp (text, "json") == 0  ? STATS_JSON
            : strcmp (text, "table") == 0 ? STATS_TABLE
                                          : STATS_NONE;
  if (text == NULL || *format != STATS_NONE)
    return TRUE;
  weir_cli_complain ("--stats=%s: the report is a table or json", text);
  return FALSE;
}

/* GLib would take the word after a plain --stats for its value. */
static char **
spell_out_stats (int argc, char **argv)
{
  static char as_table[] = "--stats=table";
  char **spelled = g_new0 (char *, argc + 1);

  for (int i = 0; i < argc; i++)
    spelled[i] = strcmp (argv[i], "--stats") == 0 ? as_table : argv[i];
  return spelled;
}

static const char description[] =
    "Without --log, every scope and every output of the model is recorded: at publish instants,\n"
    "as it is before the updates of that instant, and after each accepted step in between.\n"
    "Of a model with units of co-simulation: every output of a unit, at each instant of their\n"
    "communication.\n"
    "Without --out, --plot and --stats the results go to standard output, as CSV.\n"
    "Exit status: 0 fine, 1 the model has errors, 2 wrong usage, 3 the run failed.";

WeirExit
weir_cli_run (int argc, char **original)
{
  g_auto (Options) options = { 0 };
  g_autofree char *suffixes = weir_result_formats_dup_suffixes ("|");
  g_autofree char *out_name = g_strconcat ("FILE", suffixes, NULL);
  const GOptionEntry more[] = {
    { "log", 'l', 0, G_OPTION_ARG_FILENAME_ARRAY, &options.log,
      "Record this port, such as plant.theta, or all outputs that match; may be repeated",
      "PATTERN" },
    { "out", 'o', 0, G_OPTION_ARG_FILENAME, &options.out,
      "Write the results here; - is standard "
      "output",
      out_name },
    { "both", 0, 0, G_OPTION_ARG_NONE, &options.both,
      "Record the values after each update too, and a column phase", NULL },
    { "plot", 0, 0, G_OPTION_ARG_FILENAME, &options.plot, "Draw the results",
      "FILE.png|.svg|.pdf" },
    { "no-cache", 0, 0, G_OPTION_ARG_NONE, &options.no_cache, "Compute everything at every request",
      NULL },
    { "no-native", 0, 0, G_OPTION_ARG_NONE, &options.no_native,
      "Make no code at run time; the results are the same, later", NULL },
    { "stats", 0, 0, G_OPTION_ARG_STRING, &options.stats,
      "Print what the run and its cache did; a table, or JSON", "table|json" },
    { "record", 0, 0, G_OPTION_ARG_FILENAME, &options.record,
      "Write what changed, in which order and why, for looking at the cache afterwards", "FILE" },
    { "record-all", 0, 0, G_OPTION_ARG_NONE, &options.record_all,
      "With --record, store every evaluation too, with its duration and whether it gave a new "
      "value",
      NULL },
    { "checkpoint", 0, 0, G_OPTION_ARG_FILENAME, &options.checkpoint.file,
      "Save the run, to continue it later: at its end, or when it is interrupted", "FILE" },
    { "checkpoint-at", 0, 0, G_OPTION_ARG_STRING, &options.checkpoint.at,
      "Save it at the end of the first step at or after this simulated time instead, in seconds",
      "T" },
    { "restore", 0, 0, G_OPTION_ARG_FILENAME, &options.checkpoint.restore,
      "Continue a saved run of this model, with the values of parameters that it has and those "
      "that --set gives",
      "FILE" },
    { "off", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.absences.off,
      "Switch a unit off, at a time or between two: it makes no steps, and begins anew when it "
      "comes "
      "back; may be repeated",
      "UNIT[@FROM[..UNTIL]]" },
    { "ignore", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.absences.ignored,
      "The same of a unit that goes on making its steps, which nobody sees",
      "UNIT[@FROM[..UNTIL]]" },
    { "progress", 0, 0, G_OPTION_ARG_NONE, &options.progress, "Tell how far the run is", NULL },
    { 0 },
  };
  g_autofree GOptionEntry *entries = weir_run_options_get_entries (&options.run, more);
  g_autofree char **spelled = spell_out_stats (argc, original);
  char **argv = spelled;
  g_auto (WeirCliModel) opened = { 0 };
  StatsFormat stats;
  WeirExit status;

  if (!weir_cli_parse (&argc, &argv, "FILE", description, entries, 1, 1)
      || !parse_stats (options.stats, &stats) || !check_files (&options, argv[1])
      || !weir_checkpoint_check (&options.checkpoint))
    return WEIR_EXIT_USAGE;
  status = weir_cli_model_open (&opened, argv[1], &options.run);
  return status == WEIR_EXIT_OK ? simulate (&opened, &options, stats) : status;
}

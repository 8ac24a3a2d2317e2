/* `weir measure`: figures of the signals that a run of a model gives, or that a CSV file holds.
 *
 * Everything is printed in one of three forms, as a table for people, CSV or JSON, from the same
 * rows: a signal, a word, some numbers.
 */
#include "cli/bounds.h"
#include "cli/cli-private.h"

#include <math.h>
#include <string.h>

#include "analysis/figures.h"
#include "base/text.h"
#include "blocks/library/registry.h"
#include "model/completion/completion.h"
#include "numerics/number.h"
#include "sim/recorder.h"
#include "sim/result-file.h"
#include "system/evaluation/eval.h"

#define MAX_WORDS 2
#define MAX_NUMBERS 7

typedef struct {
  WeirRunOptions run;
  char **signals, **held, **bound_texts;
  char *from, *to, *initial, *final, *rise, *band, *peaks, *harmonics, *phase, *window, *stretch;
  gboolean spectrum, bounds, json, csv;

  WeirTimeRange range;
  WeirStepLevels levels;
  WeirSpectrumOptions spectrum_options;
  double swing;
  guint n_harmonics;
} Options;

static void
options_clear (Options *self)
{
  weir_run_options_clear (&self->run);
  g_strfreev (self->signals);
  g_strfreev (self->held);
  g_strfreev (self->bound_texts);
  g_free (self->from);
  g_free (self->to);
  g_free (self->initial);
  g_free (self->final);
  g_free (self->rise);
  g_free (self->band);
  g_free (self->peaks);
  g_free (self->harmonics);
  g_free (self->phase);
  g_free (self->window);
  g_free (self->stretch);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* --- What was recorded ----------------------------------------------------------------------- */

typedef struct {
  char *name;
  WeirMeasure *measure;
} Signal;

static void
clear_signal (gpointer data)
{
  Signal *signal = data;

  g_free (signal->name);
  weir_measure_free (signal->measure);
}

typedef struct {
  const char *file;
  WeirResultFile *table;
  GArray *signals; /* Signal */
  GArray *bounds;  /* WeirCliBound, that they are to keep */
  GArray *rows;    /* Row */
  GPtrArray *notes;
  gboolean is_kept; /* each bound is */
} Results;

static void
results_clear (Results *self)
{
  g_clear_pointer (&self->signals, g_array_unref);
  g_clear_pointer (&self->bounds, g_array_unref);
  g_clear_pointer (&self->table, weir_result_file_free);
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Results, results_clear)

static gboolean
matches (char **patterns, const char *name)
{
  for (; patterns != NULL && *patterns != NULL; patterns++)
    if (g_pattern_match_simple (*patterns, name))
      return TRUE;
  return FALSE;
}

static void
add_signal (Results *self, const char *name, WeirMeasure *measure)
{
  Signal signal = { g_strdup (name), measure };

  g_array_append_val (self->signals, signal);
}

static WeirExit
read_table (Results *self, const Options *options)
{
  g_autoptr (GError) error = NULL;

  self->table = weir_result_file_read (self->file, &error);
  if (self->table == NULL)
    {
      weir_cli_complain ("%s", error->message);
      return WEIR_EXIT_MODEL;
    }
  for (guint i = 0; i < weir_result_file_get_n_signals (self->table); i++)
    {
      const char *name = weir_result_file_get_name (self->table, i);

      if (options->signals == NULL || matches (options->signals, name))
        add_signal (self, name,
                    weir_measure_new_for_arrays (
                        weir_result_file_get_n_rows (self->table),
                        weir_result_file_get_times (self->table),
                        weir_result_file_get_values (self->table, i),
                        matches (options->held, name) ? WEIR_BETWEEN_HELD : WEIR_BETWEEN_LINES));
    }
  if (self->signals->len == 0)
    {
      weir_cli_complain ("--signal: %s has no such column", self->file);
      return WEIR_EXIT_USAGE;
    }
  if (options->bounds)
    {
      weir_cli_complain ("--bounds: no bounds are saved with a table; give --bound");
      return WEIR_EXIT_USAGE;
    }
  return WEIR_EXIT_OK;
}

static gboolean
judges (const Options *self)
{
  return self->bounds || self->bound_texts != NULL;
}

/* The ports that are to be recorded. NULL after saying why not. (transfer full) */
static char **
list_ports (Results *self, const WeirCliModel *opened, const Options *options)
{
  if (!judges (options))
    return weir_cli_list_ports (opened->model, opened->system,
                                (const char *const *) options->signals);
  if (options->bounds)
    weir_cli_add_saved_bounds (self->bounds, opened->model);
  if (self->bounds->len == 0)
    {
      weir_cli_complain ("%s: no bounds are saved with the model; draw them in a plot (Bounds in "
                         "its menu), or give --bound",
                         self->file);
      return NULL;
    }
  return weir_cli_bounds_dup_ports (self->bounds);
}

static WeirExit
run_model (Results *self, const Options *options)
{
  g_auto (WeirCliModel) opened = { 0 };
  g_autoptr (WeirContext) context = NULL;
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (WeirRecorder) recorder = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) ports = NULL;
  WeirExit status = weir_cli_model_open (&opened, self->file, &options->run);

  if (status != WEIR_EXIT_OK)
    return status;
  ports = list_ports (self, &opened, options);
  if (ports == NULL)
    return WEIR_EXIT_USAGE;
  recorder = weir_recorder_new (opened.system, (const char *const *) ports, FALSE, &error);
  if (recorder == NULL)
    {
      weir_cli_complain (judges (options) ? "a bound: %s" : "--signal: %s", error->message);
      return judges (options) ? WEIR_EXIT_MODEL : WEIR_EXIT_USAGE;
    }
  if (weir_recorder_get_n_signals (recorder) == 0)
    {
      weir_cli_complain ("%s: no scope shows a signal; name one with --signal", self->file);
      return WEIR_EXIT_USAGE;
    }
  weir_recorder_set_budget (recorder, opened.simulator_options.record_memory,
                            opened.simulator_options.record_thins);
  weir_simulator_options_set_for_figures (&opened.simulator_options, opened.stop_time);
  context = weir_system_create_context (opened.system);
  simulator = weir_simulator_new (opened.system, context, &opened.simulator_options, &error);
  if (simulator == NULL)
    {
      weir_cli_complain ("%s: %s", self->file, error->message);
      return WEIR_EXIT_USAGE;
    }
  weir_simulator_set_monitor (simulator, weir_recorder_monitor, recorder);
  if (!weir_simulator_initialize (simulator, &error)
      || !weir_simulator_advance_to (simulator, opened.stop_time, &error))
    {
      weir_cli_complain ("%s: %s", self->file, error->message);
      return WEIR_EXIT_RUN;
    }
  weir_recorder_end (recorder, context);
  for (guint i = 0; i < weir_recorder_get_n_signals (recorder); i++)
    {
      const char *name = weir_recorder_get_signal_name (recorder, i);

      add_signal (self, name,
                  weir_measure_new_for_signal (recorder, i,
                                               weir_model_is_signal_held (opened.model, name)
                                                   ? WEIR_BETWEEN_HELD_BEFORE
                                                   : WEIR_BETWEEN_LINES));
    }
  return WEIR_EXIT_OK;
}

/* --- What is found --------------------------------------------------------------------------- */

/* What stands in a row of the result. */
typedef struct {
  const char *key;                  /* of JSON, for the list; NULL: one number to a word */
  int words_width, digits;          /* in characters, of a table */
  const char *words[MAX_WORDS + 1]; /* what the first columns are */
  const char *numbers[MAX_NUMBERS + 1];
} Shape;

static const Shape figures_shape = { NULL, 14, 10, { "figure" }, { "value" } };
static const Shape peaks_shape = { "peaks", 14, 10, { "kind" }, { "time", "value" } };
static const Shape harmonics_shape = {
  "harmonics", 14, 10, { NULL }, { "harmonic", "amplitude", "phase" }
};
static const Shape spectrum_shape = {
  "spectrum", 14, 10, { NULL }, { "frequency", "amplitude", "density" }
};
static const Shape bounds_shape = { "bounds",
                                    7,
                                    5,
                                    { "side", "verdict" },
                                    { "from", "to", "value_from", "value_to", "broken_at", "worst",
                                      "worst_at" } };

typedef struct {
  guint signal;
  const char *words[MAX_WORDS];
  double numbers[MAX_NUMBERS];
} Row;

static void
add_row (Results *self, guint signal, const char *word, double a, double b, double c)
{
  Row row = { signal, { word }, { a, b, c } };

  g_array_append_val (self->rows, row);
}

static void
add_note (Results *self, const char *name, const char *why)
{
  if (why != NULL)
    g_ptr_array_add (self->notes, g_strdup_printf ("%s: %s", name, why));
}

static void
find_figures (Results *self, const Options *options, guint i, const WeirMeasure *other)
{
  const Signal *signal = &g_array_index (self->signals, Signal, i);
  WeirFigures figures;

  if (!weir_figures_find (signal->measure, options->range, &options->levels, other, &figures))
    {
      add_note (self, signal->name, figures.why_not[WEIR_FIGURES_RANGE]);
      return;
    }
  for (guint k = 0; k < WEIR_N_FIGURES; k++)
    if ((k != WEIR_FIGURE_GAPS || figures.values[k] > 0)
        && (k != WEIR_FIGURE_PHASE || other != NULL))
      add_row (self, i, weir_figure_get_info ((WeirFigure) k)->key, figures.values[k], 0, 0);
  add_note (self, signal->name, figures.why_not[WEIR_FIGURES_STEP]);
  if (figures.why_not[WEIR_FIGURES_STEP] != figures.why_not[WEIR_FIGURES_PERIOD])
    add_note (self, signal->name, figures.why_not[WEIR_FIGURES_PERIOD]);
  if (figures.why_no_phase != figures.why_not[WEIR_FIGURES_PERIOD])
    add_note (self, signal->name, figures.why_no_phase);
}

static void
find_peaks (Results *self, const Options *options, guint i)
{
  const Signal *signal = &g_array_index (self->signals, Signal, i);
  g_autoptr (GArray)
      peaks = weir_measure_list_peaks (signal->measure, options->range, options->swing);

  for (guint k = 0; k < peaks->len; k++)
    {
      WeirPeak peak = g_array_index (peaks, WeirPeak, k);

      add_row (self, i, peak.is_maximum ? "maximum" : "minimum", peak.time, peak.value, 0);
    }
  if (peaks->len == 0)
    add_note (self, signal->name, "there is no peak of this swing in the range");
}

static void
find_harmonics (Results *self, const Options *options, guint i)
{
  const Signal *signal = &g_array_index (self->signals, Signal, i);
  g_autofree WeirHarmonic *harmonics = g_new0 (WeirHarmonic, options->n_harmonics);
  WeirPeriodFigures period;

  if (!weir_measure_get_period (signal->measure, options->range, &period)
      || !weir_measure_get_harmonics (signal->measure, &period, options->n_harmonics, harmonics))
    {
      add_note (self, signal->name, "the signal has no whole period in the range");
      return;
    }
  for (guint k = 0; k < options->n_harmonics; k++)
    add_row (self, i, NULL, k + 1, harmonics[k].amplitude, harmonics[k].phase);
}

static void
find_spectrum (Results *self, const Options *options, guint i)
{
  const Signal *signal = &g_array_index (self->signals, Signal, i);
  g_autoptr (WeirSpectrum) spectrum = weir_measure_get_spectrum (signal->measure, options->range,
                                                                 &options->spectrum_options);

  if (spectrum == NULL)
    {
      add_note (self, signal->name, "the range has fewer than two samples, or a gap");
      return;
    }
  for (gsize k = 0; k < spectrum->n_frequencies; k++)
    add_row (self, i, NULL, spectrum->frequencies[k], spectrum->amplitudes[k],
             spectrum->densities[k]);
}

/* How a signal keeps what it is to keep; what it does not is told too. */
static void
find_verdicts (Results *self, guint i)
{
  static const char *const states[] = {
    [WEIR_BOUND_KEPT] = "kept", [WEIR_BOUND_BROKEN] = "broken", [WEIR_BOUND_UNSEEN] = "unseen"
  };
  const Signal *signal = &g_array_index (self->signals, Signal, i);

  for (guint k = 0; k < self->bounds->len; k++)
    {
      const WeirCliBound *wanted = &g_array_index (self->bounds, WeirCliBound, k);
      const WeirBound *bound = &wanted->bound;
      WeirBoundVerdict verdict;
      Row row;

      if (!g_str_equal (wanted->signal, signal->name))
        continue;
      verdict = weir_bound_check (bound, signal->measure);
      row = (Row) { i,
                    { bound->is_upper ? "upper" : "lower", states[verdict.state] },
                    { bound->from, bound->to, bound->values[0], bound->values[1], verdict.broken_at,
                      verdict.worst, verdict.worst_at } };
      g_array_append_val (self->rows, row);
      self->is_kept &= verdict.state == WEIR_BOUND_KEPT;
      if (verdict.state == WEIR_BOUND_BROKEN)
        g_ptr_array_add (self->notes,
                         g_strdup_printf ("%s: %s its bound from %.6g s on, by %.6g at most",
                                          signal->name, bound->is_upper ? "above" : "below",
                                          verdict.broken_at, verdict.worst));
      else if (verdict.state == WEIR_BOUND_UNSEEN)
        add_note (self, signal->name, "no bound is broken, but one was not seen in full");
    }
}

/* --- Printing -------------------------------------------------------------------------------- */

static void
print_words (const Shape *shape, const char *const words[MAX_WORDS])
{
  if (shape->words[0] == NULL)
    g_print ("  %-*s", shape->words_width, "");
  for (guint i = 0; shape->words[i] != NULL; i++)
    g_print ("  %-*s", shape->words_width, words[i]);
}

static void
print_table (const Results *self, const Shape *shape)
{
  int width = shape->digits + 6; /* of a number */
  guint before = G_MAXUINT;

  for (guint k = 0; k < self->rows->len; k++)
    {
      const Row *row = &g_array_index (self->rows, Row, k);

      if (row->signal != before)
        {
          weir_cli_say (before == G_MAXUINT ? "%s\n" : "\n%s\n",
                        g_array_index (self->signals, Signal, row->signal).name);
          if (shape->key != NULL)
            {
              print_words (shape, shape->words);
              for (guint i = 0; shape->numbers[i] != NULL; i++)
                g_print ("  %*s", width, shape->numbers[i]);
              g_print ("\n");
            }
        }
      before = row->signal;
      print_words (shape, row->words);
      for (guint i = 0; shape->numbers[i] != NULL; i++)
        if (isnan (row->numbers[i]))
          g_print ("  %*s", width, "-");
        else
          g_print ("  %*.*g", width, shape->digits, row->numbers[i]);
      g_print ("\n");
    }
}

static void
print_csv (const Results *self, const Shape *shape)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_print ("signal");
  for (guint i = 0; shape->words[i] != NULL; i++)
    g_print (",%s", shape->words[i]);
  for (guint i = 0; shape->numbers[i] != NULL; i++)
    g_print (",%s", shape->numbers[i]);
  g_print ("\n");
  for (guint k = 0; k < self->rows->len; k++)
    {
      const Row *row = &g_array_index (self->rows, Row, k);
      g_autoptr (GString) line = g_string_new (NULL);

      weir_csv_append_field (line, g_array_index (self->signals, Signal, row->signal).name);
      for (guint i = 0; shape->words[i] != NULL; i++)
        g_string_append_printf (line, ",%s", row->words[i]);
      for (guint i = 0; shape->numbers[i] != NULL; i++)
        g_string_append_printf (
            line, ",%s",
            isnan (row->numbers[i]) ? "" : weir_number_to_text (row->numbers[i], text));
      weir_cli_say ("%s\n", line->str);
    }
}

/* The rows of a signal: members of its object, or a list of objects. */
static void
append_rows (const Results *self, const Shape *shape, guint signal, GString *json)
{
  gboolean is_first = TRUE;

  if (shape->key != NULL)
    g_string_append_printf (json, ", \"%s\": [", shape->key);
  for (guint k = 0; k < self->rows->len; k++)
    {
      const Row *row = &g_array_index (self->rows, Row, k);

      if (row->signal != signal)
        continue;
      if (shape->key == NULL)
        {
          g_string_append_printf (json, ", \"%s\": ", row->words[0]);
          weir_json_append_number (json, row->numbers[0]);
          continue;
        }
      g_string_append (json, is_first ? "\n     {" : ",\n     {");
      is_first = FALSE;
      for (guint i = 0; shape->words[i] != NULL; i++)
        g_string_append_printf (json, "\"%s\": \"%s\", ", shape->words[i], row->words[i]);
      for (guint i = 0; shape->numbers[i] != NULL; i++)
        {
          g_string_append_printf (json, "%s\"%s\": ", i > 0 ? ", " : "", shape->numbers[i]);
          weir_json_append_number (json, row->numbers[i]);
        }
      g_string_append_c (json, '}');
    }
  if (shape->key != NULL)
    g_string_append_c (json, ']');
}

static void
print_json (const Results *self, const Shape *shape)
{
  g_autoptr (GString) json = g_string_new ("{\n  \"file\": ");

  weir_json_append_string (json, self->file);
  g_string_append (json, ",\n  \"signals\": [");
  for (guint i = 0; i < self->signals->len; i++)
    {
      g_string_append (json, i > 0 ? ",\n    {\"name\": " : "\n    {\"name\": ");
      weir_json_append_string (json, g_array_index (self->signals, Signal, i).name);
      append_rows (self, shape, i, json);
      g_string_append_c (json, '}');
    }
  g_string_append (json, "],\n  \"notes\": ");
  weir_json_append_strings (json, self->notes);
  g_string_append (json, "\n}\n");
  g_print ("%s", json->str);
}

/* --- The command ----------------------------------------------------------------------------- */

static gboolean
is_table (const char *file)
{
  static const char *const ends[] = { ".csv", ".tsv", ".txt", ".mat", ".h5", ".hdf5" };
  g_autofree char *folded = g_ascii_strdown (file, -1);

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (g_str_has_suffix (folded, ends[i]))
      return TRUE;
  return FALSE;
}

/* @text: NULL leaves @value as it is. */
static gboolean
parse (const char *option, const char *text, guint n, double *values)
{
  guint size = 0;
  g_autofree double *numbers = text != NULL ? weir_value_parse (text, &size, NULL) : NULL;

  if (text == NULL)
    return TRUE;
  if (numbers == NULL || size != n)
    {
      weir_cli_complain (n == 1 ? "%s: \"%s\" is not a number"
                                : "%s: \"%s\" are not two numbers, such as [0.1, 0.9]",
                         option, text);
      return FALSE;
    }
  memcpy (values, numbers, n * sizeof *values);
  return TRUE;
}

static gboolean
check_options (Options *self)
{
  double rise[] = { 0.1, 0.9 }, stretch = 0, n_harmonics = 0;

  self->range = WEIR_ALL_TIME;
  self->levels = WEIR_STEP_LEVELS;
  self->spectrum_options.window = WEIR_WINDOW_HANN;
  if (!parse ("--from", self->from, 1, &self->range.from)
      || !parse ("--to", self->to, 1, &self->range.to)
      || !parse ("--initial", self->initial, 1, &self->levels.initial)
      || !parse ("--final", self->final, 1, &self->levels.final)
      || !parse ("--rise", self->rise, 2, rise)
      || !parse ("--band", self->band, 1, &self->levels.band)
      || !parse ("--peaks", self->peaks, 1, &self->swing)
      || !parse ("--harmonics", self->harmonics, 1, &n_harmonics)
      || !parse ("--stretch", self->stretch, 1, &stretch))
    return FALSE;
  self->levels.low = rise[0];
  self->levels.high = rise[1];
  if (self->window != NULL
      && !weir_spectrum_window_find (self->window, &self->spectrum_options.window))
    weir_cli_complain ("--window %s: windows are box, hann, hamming, blackman, flat-top",
                       self->window);
  else if (self->json && self->csv)
    weir_cli_complain ("--json and --csv exclude each other");
  else if ((self->peaks != NULL) + (self->harmonics != NULL) + self->spectrum + judges (self) > 1)
    weir_cli_complain ("--peaks, --harmonics, --spectrum and bounds exclude each other");
  else if (judges (self) && (self->from != NULL || self->to != NULL || self->signals != NULL))
    weir_cli_complain ("a bound has its own times and its own signal: --from, --to and --signal do "
                       "not go with it");
  else if (self->peaks != NULL && !(self->swing > 0))
    weir_cli_complain ("--peaks %s: a swing is above 0", self->peaks);
  else if (self->harmonics != NULL && !(n_harmonics >= 1 && n_harmonics <= 1000))
    weir_cli_complain ("--harmonics %s: a number from 1 to 1000 is expected", self->harmonics);
  else if (self->stretch != NULL && !(stretch >= 2))
    weir_cli_complain ("--stretch %s: a stretch has at least two samples", self->stretch);
  else if (!(self->range.from <= self->range.to))
    weir_cli_complain ("--from %s is after --to %s", self->from, self->to);
  else if (!(self->levels.low < self->levels.high) || !(self->levels.band > 0))
    weir_cli_complain ("--rise goes from a smaller part of the step to a larger one, and --band is "
                       "above 0");
  else
    {
      self->n_harmonics = (guint) n_harmonics;
      self->spectrum_options.n = (gsize) stretch;
      return TRUE;
    }
  return FALSE;
}

/* Is there a signal for each bound? */
static gboolean
check_signals (Results *self)
{
  for (guint k = 0; k < self->bounds->len; k++)
    {
      const char *name = g_array_index (self->bounds, WeirCliBound, k).signal;
      gboolean is_found = FALSE;

      for (guint i = 0; i < self->signals->len && !is_found; i++)
        is_found = g_str_equal (g_array_index (self->signals, Signal, i).name, name);
      if (!is_found)
        {
          weir_cli_complain ("%s: there is no signal %s, which has a bound", self->file, name);
          return FALSE;
        }
    }
  return TRUE;
}

static WeirExit
find_all (Results *self, const Options *options)
{
  const WeirMeasure *other = NULL;

  for (guint i = 0; options->phase != NULL && i < self->signals->len; i++)
    if (strcmp (g_array_index (self->signals, Signal, i).name, options->phase) == 0)
      other = g_array_index (self->signals, Signal, i).measure;
  if (options->phase != NULL && other == NULL)
    {
      weir_cli_complain ("--phase %s: this is none of the signals that are measured",
                         options->phase);
      return WEIR_EXIT_USAGE;
    }
  if (!check_signals (self))
    return WEIR_EXIT_MODEL;
  for (guint i = 0; i < self->signals->len; i++)
    if (judges (options))
      find_verdicts (self, i);
    else if (options->peaks != NULL)
      find_peaks (self, options, i);
    else if (options->harmonics != NULL)
      find_harmonics (self, options, i);
    else if (options->spectrum)
      find_spectrum (self, options, i);
    else
      find_figures (self, options, i, other);
  return WEIR_EXIT_OK;
}

static const char description[] =
    "Prints figures of each signal: statistics weighted by time, figures of a step from the\n"
    "first value (or --initial) to the last (or --final), period, duty and distortion. FILE is\n"
    "a model, which is run, a CSV file with a header and times in its first column, or a MAT or\n"
    "HDF5 file with a vector \"time\" or \"t\". A figure\n"
    "that a signal does not have is left out, and a sentence on standard error says why.\n"
    "With --bounds or --bound it says instead whether signals keep their bounds.\n"
    "Exit status: 0 fine, 1 the file cannot be read, or a bound is broken or was not seen in\n"
    "full, 2 wrong usage, 3 the run failed.";

WeirExit
weir_cli_measure (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  const GOptionEntry more[] = {
    { "signal", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.signals,
      "A port such as Motor.speed, a column, or a pattern; may be repeated", "NAME" },
    { "from", 0, 0, G_OPTION_ARG_STRING, &options.from, "Measure from this time on, in seconds",
      "T" },
    { "to", 0, 0, G_OPTION_ARG_STRING, &options.to, "Measure up to this time, in seconds", "T" },
    { "initial", 0, 0, G_OPTION_ARG_STRING, &options.initial, "The value before the step", "Y" },
    { "final", 0, 0, G_OPTION_ARG_STRING, &options.final, "The value after the step", "Y" },
    { "rise", 0, 0, G_OPTION_ARG_STRING, &options.rise,
      "Parts of the step between which it rises: \"[0.1, 0.9]\"", "PARTS" },
    { "band", 0, 0, G_OPTION_ARG_STRING, &options.band,
      "Part of the step that a settled signal stays within: 0.02", "PART" },
    { "phase", 0, 0, G_OPTION_ARG_STRING, &options.phase, "Add the phase to this signal", "NAME" },
    { "peaks", 0, 0, G_OPTION_ARG_STRING, &options.peaks,
      "List maxima and minima that stand out by this much instead", "SWING" },
    { "harmonics", 0, 0, G_OPTION_ARG_STRING, &options.harmonics,
      "List so many harmonics instead: amplitude, and phase in degrees", "N" },
    { "spectrum", 0, 0, G_OPTION_ARG_NONE, &options.spectrum,
      "Print amplitude and power density over frequency (Hz) instead", NULL },
    { "window", 0, 0, G_OPTION_ARG_STRING, &options.window,
      "With --spectrum: box, hann (default), hamming, blackman, flat-top", "NAME" },
    { "stretch", 0, 0, G_OPTION_ARG_STRING, &options.stretch,
      "With --spectrum: samples of a stretch, whose powers are averaged", "N" },
    { "bounds", 0, 0, G_OPTION_ARG_NONE, &options.bounds,
      "Judge instead whether signals keep the bounds that are saved with the model", NULL },
    { "bound", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.bound_texts,
      "A bound to keep: \"upper FROM TO A B NAME\" or \"lower ...\", a line from the value A at "
      "FROM to B at TO; may be repeated",
      "TEXT" },
    { "held", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.held,
      "A column (or pattern) that is held between samples; may be repeated", "NAME" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.json, "Print JSON", NULL },
    { "csv", 0, 0, G_OPTION_ARG_NONE, &options.csv, "Print CSV", NULL },
    { 0 },
  };
  g_autofree GOptionEntry *entries = weir_run_options_get_entries (&options.run, more);
  g_auto (Results) results = { 0 };
  const Shape *shape;
  WeirExit status;

  if (!weir_cli_parse (&argc, &argv, "FILE", description, entries, 1, 1)
      || !check_options (&options))
    return WEIR_EXIT_USAGE;
  shape = options.peaks != NULL       ? &peaks_shape
          : options.harmonics != NULL ? &harmonics_shape
          : options.spectrum          ? &spectrum_shape
          : judges (&options)         ? &bounds_shape
                                      : &figures_shape;
  results.file = argv[1];
  results.signals = g_array_new (FALSE, FALSE, sizeof (Signal));
  g_array_set_clear_func (results.signals, clear_signal);
  results.bounds = weir_cli_bounds_new ();
  results.rows = g_array_new (FALSE, FALSE, sizeof (Row));
  results.is_kept = TRUE;
  if (!weir_cli_add_bounds (results.bounds, options.bound_texts))
    return WEIR_EXIT_USAGE;
  results.notes = g_ptr_array_new_with_free_func (g_free);
  status = is_table (results.file) ? read_table (&results, &options)
                                   : run_model (&results, &options);
  if (status == WEIR_EXIT_OK)
    status = find_all (&results, &options);
  if (status != WEIR_EXIT_OK)
    return status;
  for (guint i = 0; i < results.notes->len; i++)
    weir_cli_tell ("%s: %s\n", results.file, (const char *) results.notes->pdata[i]);
  if (options.json)
    print_json (&results, shape);
  else if (options.csv)
    print_csv (&results, shape);
  else
    print_table (&results, shape);
  return results.is_kept ? WEIR_EXIT_OK : WEIR_EXIT_MODEL;
}

/* `weir study`: many runs of a model, as a file *.weirstudy says.
 *
 * Results go to a file beside the study; the same command again goes on where one was interrupted.
 * What they say together is printed in one of three forms.
 */
#include "cli/cli-private.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "numerics/number.h"
#include "study/search.h"
#include "study/summary.h"

typedef struct {
  int threads;
  char *points, *results, *out, *verify, *residuals;
  char **merge;
  gboolean no_cache, pin, unpin, json, csv, progress;
  double cache_size;

  guint64 first, last;
  double share;
} Options;

static void
options_clear (Options *self)
{
  g_free (self->points);
  g_free (self->results);
  g_free (self->out);
  g_free (self->verify);
  g_free (self->residuals);
  g_strfreev (self->merge);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* --- Options --------------------------------------------------------------------------------- */

/* "A-B", or "A". */
static gboolean
parse_points (Options *self, guint64 n)
{
  g_auto (GStrv) ends = NULL;

  self->first = 0;
  self->last = n - 1;
  if (self->points == NULL)
    return TRUE;
  ends = g_strsplit (self->points, "-", 2);
  if (ends[0] != NULL && g_ascii_string_to_unsigned (ends[0], 10, 0, n - 1, &self->first, NULL))
    {
      self->last = self->first;
      if (ends[1] == NULL
          || g_ascii_string_to_unsigned (ends[1], 10, self->first, n - 1, &self->last, NULL))
        return TRUE;
    }
  weir_cli_complain (
      "--points %s: the first and the last point are needed, such as 0-99; there are "
      "points 0 to %" G_GUINT64_FORMAT,
      self->points, n - 1);
  return FALSE;
}

static gboolean
parse_share (Options *self)
{
  char *end;

  if (self->verify == NULL)
    return TRUE;
  self->share = g_ascii_strtod (self->verify, &end);
  if (end != self->verify && *end == '\0' && self->share >= 0 && self->share <= 1)
    return TRUE;
  weir_cli_complain ("--verify %s: the part of the cached runs to make again is from 0 to 1",
                     self->verify);
  return FALSE;
}

static gboolean
check_options (Options *self, const WeirStudy *study)
{
  if (self->threads < 0)
    {
      weir_cli_complain ("--threads: %d is not a number of threads, which is 0 or more",
                         self->threads);
      return FALSE;
    }
  if (!(self->cache_size >= 0))
    {
      weir_cli_complain ("--cache-size: %g is no size in MiB", self->cache_size);
      return FALSE;
    }
  if (weir_study_is_search (study) && self->points != NULL)
    {
      weir_cli_complain ("--points: what a search asks for follows from what it was given before; "
                         "leave it out");
      return FALSE;
    }
  if (self->residuals != NULL && study->method != WEIR_POINTS_FIT)
    {
      weir_cli_complain ("--residuals: the study is no fit");
      return FALSE;
    }
  if (self->merge != NULL && weir_study_is_search (study))
    {
      weir_cli_complain ("--merge: a search has one file of results");
      return FALSE;
    }
  if ((self->pin || self->unpin) && self->no_cache)
    {
      weir_cli_complain ("--pin and --unpin are about the cache, which --no-cache does without");
      return FALSE;
    }
  if (self->verify != NULL && self->no_cache)
    {
      weir_cli_complain ("--verify compares with the cache, which --no-cache does without");
      return FALSE;
    }
  return parse_share (self) && parse_points (self, weir_study_get_n_points (study));
}

/* Before anything is computed. */
static gboolean
check_endings (const Options *self)
{
  static const char *const tables[] = { "csv", NULL };
  g_autofree const char **endings = weir_study_formats_list_suffixes ();

  return weir_cli_check_ending ("--out", self->out, "results of a study are", endings)
         && weir_cli_check_ending ("--residuals", self->residuals, "residuals are", tables);
}

/* "filter.weirstudy" has its results in "filter.results". */
static char *
dup_results_path (const char *file)
{
  g_autofree char *stem = g_str_has_suffix (file, ".weirstudy")
                              ? g_strndup (file, strlen (file) - strlen (".weirstudy"))
                              : g_strdup (file);

  return g_strconcat (stem, ".results", NULL);
}

/* --- Running --------------------------------------------------------------------------------- */

static gint is_interrupted;

static void
interrupt (G_GNUC_UNUSED int number)
{
  g_atomic_int_set (&is_interrupted, 1);
}

static void
listen_to_ends (gboolean listens)
{
  static const int ends[] = { SIGINT, SIGTERM, SIGHUP };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      struct sigaction old, action = { .sa_handler = listens ? interrupt : SIG_DFL };

      if (sigaction (ends[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction (ends[i], &action, NULL);
    }
}

typedef struct {
  gboolean is_terminal;
  guint64 last_tenth;
} Shown;

/* On a terminal one line that renews itself; in a file a line for each tenth of the way. */
static void
show_progress (const WeirStudyProgress *progress, gpointer data)
{
  Shown *shown = data;
  guint64 n = MAX (progress->n, 1), tenth = 10 * progress->n_ended / n;
  double left = fmax (weir_study_progress_get_left (progress), 0);

  if (!shown->is_terminal && tenth == shown->last_tenth)
    return;
  shown->last_tenth = tenth;
  if (!shown->is_terminal)
    g_printerr ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " points\n", progress->n_ended,
                progress->n);
  else
    fprintf (stderr, "\r%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " points, %.0f %s left      ",
             progress->n_ended, progress->n, left < 120 ? left : left / 60,
             left < 120 ? "s" : "min");
}

/* Why runs were not known: they are compared with those of the same points that were. */
static void
tell_misses (const char *file, const WeirStudyProgress *p)
{
  static const char *const reasons[WEIR_N_RUN_PARTS + 1] = {
    [WEIR_RUN_PART_PROGRAM] = "the program or its libraries are others",
    [WEIR_RUN_PART_PROCESSOR] = "the processor is of another class",
    [WEIR_RUN_PART_STRUCTURE] = "the model's structure is another",
    [WEIR_RUN_PART_SETTINGS] = "run settings are others",
    [WEIR_RUN_PART_SIGNALS] = "other signals are recorded",
    [WEIR_RUN_PART_VALUES] = "values of the model are others",
    [WEIR_N_RUN_PARTS] = "no run of these points is known",
  };

  for (guint part = 0; part <= WEIR_N_RUN_PARTS; part++)
    if (p->n_missed[part] > 0)
      weir_cli_tell ("%s: %" G_GUINT64_FORMAT " not in the cache: %s%s%s\n", file,
                     p->n_missed[part], reasons[part],
                     part == WEIR_RUN_PART_VALUES && p->changed[0] != '\0' ? ": " : "",
                     part == WEIR_RUN_PART_VALUES ? p->changed : "");
}

static void
tell_progress (const char *file, const WeirStudyProgress *p, const WeirStudySubject *subject)
{
  weir_cli_tell ("%s: %" G_GUINT64_FORMAT " %s in %.3g s: %" G_GUINT64_FORMAT
                 " computed, %" G_GUINT64_FORMAT " from the cache, %" G_GUINT64_FORMAT
                 " worked out anew from it, %" G_GUINT64_FORMAT " there before\n",
                 file, p->n_ended, p->n_ended == 1 ? "point" : "points", p->seconds, p->n_computed,
                 p->n_cached, p->n_worked_out, p->n_kept);
  if (p->seconds_saved >= 0.01)
    weir_cli_tell ("%s: the cache saved %.3g s of computing\n", file, p->seconds_saved);
  tell_misses (file, p);
  if (p->n_verified > 0)
    weir_cli_tell ("%s: %" G_GUINT64_FORMAT " cached runs were made again, %" G_GUINT64_FORMAT
                   " differ\n",
                   file, p->n_verified, p->n_differing);
  if (weir_study_subject_get_rebuild_reason (subject) != NULL)
    weir_cli_tell ("%s: every point builds the model anew: %s\n", file,
                   weir_study_subject_get_rebuild_reason (subject));
}

static WeirRunCache *
open_cache (const char *file, const Options *options, const WeirStudySubject *subject)
{
  g_autoptr (GError) error = NULL;
  WeirRunCache *cache;

  if (options->no_cache)
    return NULL;
  if (weir_study_subject_get_uncached_reason (subject) != NULL)
    {
      weir_cli_tell ("%s: runs are not cached: %s\n", file,
                     weir_study_subject_get_uncached_reason (subject));
      return NULL;
    }
  cache = weir_run_cache_new (NULL, options->cache_size, &error);
  if (cache == NULL)
    weir_cli_tell ("%s: runs are not cached: %s\n", file, error->message);
  else if (options->unpin)
    weir_run_cache_unpin (cache, NULL);
  return cache;
}

/* @search: (out) (nullable) (transfer full) of a search. */
static WeirExit
run_study (const Options *options, const WeirStudy *study, const WeirStudySubject *subject,
           WeirStudyStore *store, WeirStudySearch **search)
{
  g_autoptr (WeirRunCache) cache = open_cache (study->file, options, subject);
  g_autoptr (GError) error = NULL;
  Shown shown = { isatty (STDERR_FILENO) != 0, 0 };
  WeirStudyRunOptions run;
  WeirStudyProgress progress;
  gboolean ok;

  weir_study_run_options_init (&run, study);
  run.threads = (guint) options->threads;
  run.first = options->first;
  run.last = options->last;
  run.cache = cache;
  run.pins = options->pin;
  run.verified_share = options->share;
  run.cancel = &is_interrupted;
  if (options->progress || shown.is_terminal)
    run.progress = show_progress;
  run.data = &shown;
  listen_to_ends (TRUE);
  if (weir_study_is_search (study))
    *search = weir_study_search (study, subject, store, &run, &progress, &error);
  ok = weir_study_is_search (study)
           ? *search != NULL
           : weir_study_run (study, subject, store, &run, &progress, &error);
  listen_to_ends (FALSE);
  if (run.progress != NULL && shown.is_terminal)
    g_printerr ("\n");
  tell_progress (study->file, &progress, subject);
  if (!weir_study_subject_is_model_unchanged (subject))
    weir_cli_tell (
        "%s: warning: %s was changed meanwhile; these results are of the model as it was. "
        "The same command again makes those runs anew that the change reaches\n",
        study->file, weir_study_subject_get_model_path (subject));
  if (!ok)
    {
      weir_cli_complain ("%s: %s; what was written stays, and the same command again goes on from "
                         "there",
                         study->file, error->message);
      return WEIR_EXIT_RUN;
    }
  if (progress.n_differing == 0)
    return WEIR_EXIT_OK;
  weir_cli_complain ("%s: point %" G_GINT64_FORMAT " gave other bits when it was made again: a "
                     "prerequisite of its run is missing from its key",
                     study->file, progress.first_differing);
  return WEIR_EXIT_MODEL;
}

/* --- Shards ---------------------------------------------------------------------------------- */

static WeirExit
merge (const Options *options, const WeirStudy *study, WeirStudyStore *store)
{
  for (guint i = 0; options->merge[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      guint64 n_taken, n_other;

      if (!weir_study_store_merge (store, options->merge[i], &n_taken, &n_other, &error))
        {
          weir_cli_complain ("--merge: %s", error->message);
          return WEIR_EXIT_RUN;
        }
      weir_cli_tell ("%s: %" G_GUINT64_FORMAT " points taken\n", options->merge[i], n_taken);
      if (n_other > 0)
        weir_cli_tell ("%s: warning: %" G_GUINT64_FORMAT
                       " points have other bits there under the same key; they stay as they were\n",
                       options->merge[i], n_other);
    }
  if (weir_study_store_get_n_processors (store) > 1)
    weir_cli_tell ("%s: warning: processors of %u classes have computed these points; their last "
                   "bits may differ\n",
                   study->file, weir_study_store_get_n_processors (store));
  return WEIR_EXIT_OK;
}

/* --- Results --------------------------------------------------------------------------------- */

typedef struct {
  const WeirStudyFormat *format;
  WeirStudyStore *store;
  guint64 first, last;
} Rows;

static gboolean
write_rows (int fd, gpointer data, GError **error)
{
  const Rows *rows = data;

  return rows->format->write (rows->store, rows->first, rows->last, fd, error);
}

static gboolean
write_out (const Options *options, WeirStudyStore *store)
{
  Rows rows = { NULL, store, options->first, options->last };
  g_autoptr (GError) error = NULL;

  if (options->out == NULL)
    return TRUE;
  rows.format = weir_study_format_find (options->out);
  if (rows.format == NULL)
    rows.format = &weir_study_formats[0];
  if (weir_cli_is_standard_output (options->out)
          ? fflush (stdout) == 0 && write_rows (STDOUT_FILENO, &rows, &error)
          : weir_file_write_with (options->out, 0666, write_rows, &rows, &error))
    return TRUE;
  weir_cli_complain ("--out: %s", error != NULL ? error->message : "standard output");
  return FALSE;
}

/* --- Searches -------------------------------------------------------------------------------- */

static void
tell_starts (const WeirStudy *study, const WeirStudySearch *search)
{
  const char *what = study->method == WEIR_POINTS_FIT
                         ? "sum of squares"
                         : weir_study_get_figure (study, study->objective.place)->name;

  for (guint i = 0; i < search->n_starts; i++)
    {
      const WeirSearchStart *start = &search->starts[i];

      if (start->point < 0)
        weir_cli_tell ("%s: start %u: none of its %" G_GUINT64_FORMAT " points has a value\n",
                       study->file, i + 1, start->n_points);
      else
        weir_cli_tell ("%s: start %u: %s = %.10g at point %" G_GINT64_FORMAT
                       ", %s after %" G_GUINT64_FORMAT " points%s\n",
                       study->file, i + 1, what, start->value, start->point,
                       strcmp (start->outcome, "spent") == 0 ? "still searching" : "settled",
                       start->n_points, start->excess > 0 ? ", beyond its constraints" : "");
    }
  for (guint i = 0; i < search->warnings->len; i++)
    weir_cli_tell ("%s: warning: %s\n", study->file,
                   weir_message_get_text (search->warnings->pdata[i]));
}

typedef struct {
  const WeirStudy *study;
  WeirListing *listing;
} Found;

static gboolean
add_best_figures (const WeirPointResult *result, gpointer data)
{
  const Found *found = data;

  for (guint i = 0; i < found->study->figures->len; i++)
    {
      const char *words[] = { weir_study_get_figure (found->study, i)->name };

      weir_listing_add (found->listing, words, &result->figures[i]);
    }
  return FALSE;
}

static void
list_optimum (WeirListing *listing, const WeirStudy *study, WeirStudyStore *store,
              const WeirSearchStart *best)
{
  static const WeirListingShape shape = { "optimum", { "name", NULL }, { "value", NULL } };
  Found found = { study, listing };

  weir_listing_init (listing, study->file, &shape);
  for (guint k = 0; k < study->parameters->len; k++)
    {
      const char *words[] = { weir_study_get_parameter (study, k)->name };

      weir_listing_add (listing, words, &best->values[k]);
    }
  weir_study_store_foreach (store, (guint64) best->point, (guint64) best->point, FALSE,
                            add_best_figures, &found, NULL);
}

static void
list_fit (WeirListing *listing, const WeirStudy *study, const WeirStudySearch *search,
          const WeirSearchStart *best)
{
  static const WeirListingShape shape = { "fit",
                                          { "name", NULL },
                                          { "value", "error", "low", "high", NULL } };
  const char *sum[] = { "sum_of_squares" }, *deviation[] = { "residual_deviation" };
  const double squares[] = { best->value, NAN, NAN, NAN };
  const double spread[] = { search->deviation, NAN, NAN, NAN };

  weir_listing_init (listing, study->file, &shape);
  for (guint k = 0; k < study->parameters->len; k++)
    {
      const char *words[] = { weir_study_get_parameter (study, k)->name };
      const WeirFittedParameter *fitted = &search->fitted[k];
      const double numbers[] = { best->values[k], fitted->error, fitted->low, fitted->high };

      weir_listing_add (listing, words, numbers);
    }
  weir_listing_add (listing, sum, squares);
  weir_listing_add (listing, deviation, spread);
}

static WeirExit
print_search (const Options *options, const WeirStudy *study, WeirStudyStore *store,
              const WeirStudySearch *search)
{
  g_auto (WeirListing) listing = { 0 };
  const WeirSearchStart *best = &search->starts[search->best];

  tell_starts (study, search);
  if (search->best == search->n_starts)
    {
      weir_cli_complain ("%s: no point has a value: runs fail, or lack what the search looks at; "
                         "see why with --out",
                         study->file);
      return WEIR_EXIT_RUN;
    }
  if (study->method == WEIR_POINTS_FIT)
    list_fit (&listing, study, search, best);
  else
    list_optimum (&listing, study, store, best);
  if (!weir_cli_is_standard_output (options->out)
      && !weir_cli_is_standard_output (options->residuals))
    weir_listing_print (&listing, options->json, options->csv);
  if (best->excess == 0)
    return WEIR_EXIT_OK;
  weir_cli_complain ("%s: no point keeps within all constraints; this one exceeds them least",
                     study->file);
  return WEIR_EXIT_RUN;
}

static GBytes *
dup_residuals (const WeirStudy *study, const WeirMeasured *measured, const WeirStudySearch *search)
{
  GString *text = g_string_new ("signal,time,measured,fitted,residual\n");

  for (guint i = 0; i < search->n_residuals; i++)
    {
      const WeirStudyMatch *match = &g_array_index (study->matches, WeirStudyMatch,
                                                    weir_measured_get_match (measured, i));
      double residual = search->residuals[i], value = weir_measured_get_value (measured, i);
      double deviation = isnan (match->deviation) ? 1 : match->deviation;
      const double numbers[] = { weir_measured_get_time (measured, i), value,
                                 value + residual * deviation, residual };

      weir_csv_append_field (text, match->port);
      for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
        {
          char number[G_ASCII_DTOSTR_BUF_SIZE];

          g_string_append_printf (text, ",%s", weir_number_to_text (numbers[k], number));
        }
      g_string_append_c (text, '\n');
    }
  return g_string_free_to_bytes (text);
}

static gboolean
write_residuals (const Options *options, const WeirStudy *study, const WeirStudySubject *subject,
                 const WeirStudySearch *search)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (options->residuals == NULL || search->residuals == NULL)
    return TRUE;
  bytes = dup_residuals (study, weir_study_subject_get_measured (subject), search);
  if (weir_cli_is_standard_output (options->residuals))
    weir_cli_say ("%.*s", (int) g_bytes_get_size (bytes),
                  (const char *) g_bytes_get_data (bytes, NULL));
  else if (!weir_file_write (options->residuals, bytes, 0666, &error))
    weir_cli_complain ("--residuals: %s", error->message);
  return error == NULL;
}

/* --- Figures --------------------------------------------------------------------------------- */

static const WeirListingShape statistics_shape = { "figures",
                                                   { "figure", "statistic", NULL },
                                                   { "value", "low", "high", NULL } };

static void
add_estimate (WeirListing *listing, const char *figure, const char *what, double value,
              WeirInterval interval)
{
  const char *words[] = { figure, what };
  const double numbers[] = { value, interval.low, interval.high };

  weir_listing_add (listing, words, numbers);
}

static void
add_statistic (WeirListing *listing, const char *figure, const char *what, double value)
{
  add_estimate (listing, figure, what, value, (WeirInterval) { NAN, NAN });
}

static void
add_influences (WeirListing *listing, const WeirStudy *study, const WeirStudySummary *summary,
                guint f)
{
  const char *figure = weir_study_get_figure (study, f)->name;
  const WeirInterval none = { NAN, NAN };

  for (guint k = 0; summary->influences != NULL && k < summary->n_parameters; k++)
    {
      const WeirInfluence *influence = &summary->influences[f * summary->n_parameters + k];
      const char *name = weir_study_get_parameter (study, k)->name;
      const struct {
        WeirPointsMethod method;
        const char *what;
        double value;
        WeirInterval interval;
      } numbers[] = {
        { WEIR_POINTS_INDICES, "first_index", influence->first, influence->of_first },
        { WEIR_POINTS_INDICES, "total_index", influence->total, influence->of_total },
        { WEIR_POINTS_MORRIS, "mean_effect", influence->mean, none },
        { WEIR_POINTS_MORRIS, "mean_absolute_effect", influence->absolute_mean, none },
        { WEIR_POINTS_MORRIS, "deviation_of_effect", influence->deviation, none },
        { WEIR_POINTS_LOCAL, "derivative", influence->mean, none },
      };

      for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
        if (numbers[i].method == study->method)
          {
            g_autofree char *what = g_strdup_printf ("%s_of_%s", numbers[i].what, name);

            add_estimate (listing, figure, what, numbers[i].value, numbers[i].interval);
          }
    }
}

static void
add_figure (WeirListing *listing, const WeirStudy *study, const WeirStudySummary *summary, guint f)
{
  const WeirFigureSummary *s = &summary->figures[f];
  const char *name = weir_study_get_figure (study, f)->name;

  add_statistic (listing, name, "points", (double) s->n);
  if (s->n_missing > 0)
    add_statistic (listing, name, "points_without", (double) s->n_missing);
  add_estimate (listing, name, "mean", s->mean, s->of_mean);
  add_estimate (listing, name, "deviation", s->deviation, s->of_deviation);
  add_statistic (listing, name, "min", s->least);
  add_estimate (listing, name, "p5", s->p5, s->of_p5);
  add_estimate (listing, name, "median", s->median, s->of_median);
  add_estimate (listing, name, "p95", s->p95, s->of_p95);
  add_statistic (listing, name, "max", s->most);
  if (!isnan (s->below_most))
    {
      add_statistic (listing, name, "part_below_max", s->below_most);
      add_statistic (listing, name, "part_within", s->within);
    }
  add_influences (listing, study, summary, f);
}

typedef struct {
  const char *file;
  guint n;
} Failures;

#define MOST_FAILURES 5

static gboolean
tell_failure (const WeirPointResult *result, gpointer data)
{
  Failures *failures = data;

  if (result->status == WEIR_POINT_FAILED && failures->n++ < MOST_FAILURES)
    weir_cli_tell ("%s: point %" G_GUINT64_FORMAT " failed: %s\n", failures->file, result->i,
                   result->reason != NULL ? weir_message_get_text (result->reason) : "");
  return failures->n <= MOST_FAILURES;
}

static WeirExit
print_summary (const Options *options, const WeirStudy *study, WeirStudyStore *store)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirStudySummary)
      summary = weir_study_summary_new (study, store, options->first, options->last, &error);
  g_auto (WeirListing) listing = { 0 };
  Failures failures = { study->file, 0 };

  if (summary == NULL)
    {
      weir_cli_complain ("%s", error->message);
      return WEIR_EXIT_RUN;
    }
  if (summary->n_failed > 0)
    {
      weir_study_store_foreach (store, options->first, options->last, FALSE, tell_failure,
                                &failures, NULL);
      weir_cli_tell ("%s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " points failed\n",
                     study->file, summary->n_failed, summary->n_points);
    }
  weir_listing_init (&listing, study->file, &statistics_shape);
  for (guint f = 0; f < summary->n_figures; f++)
    {
      if (summary->figures[f].n_missing > summary->n_failed)
        weir_cli_tell ("%s: %" G_GUINT64_FORMAT " points have no %s: it is not a number there\n",
                       study->file, summary->figures[f].n_missing - summary->n_failed,
                       weir_study_get_figure (study, f)->name);
      add_figure (&listing, study, summary, f);
    }
  if (!weir_cli_is_standard_output (options->out))
    weir_listing_print (&listing, options->json, options->csv);
  return WEIR_EXIT_OK;
}

/* --- The command ----------------------------------------------------------------------------- */

static const char description[] =
    "Makes the runs that a study asks for, keeps what it says of each in a file of results, and\n"
    "prints statistics of its figures, or what it searched for: the optimum or the fit.\n"
    "The same command again goes on where one was interrupted. Runs whose prerequisites did not\n"
    "change are not made again.";

static WeirExit
work (Options *options, WeirStudy *study, WeirStudySubject *subject)
{
  g_autofree char *path = options->results != NULL ? g_strdup (options->results)
                                                   : dup_results_path (study->file);
  const WeirCliFile files[] = {
    { "the study", study->file, FALSE },
    { "the model", weir_study_subject_get_model_path (subject), FALSE },
    { "--results", path, TRUE },
    { "--out", options->out, TRUE },
    { "--residuals", options->residuals, TRUE },
  };
  g_autoptr (WeirStudyStore) store = NULL;
  g_autoptr (WeirStudySearch) search = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *note = NULL;
  WeirExit status, printed;

  if (!weir_cli_check_outputs (files, G_N_ELEMENTS (files)))
    return WEIR_EXIT_USAGE;
  store = weir_study_store_new (path, study, &note, &error);
  if (store == NULL)
    {
      weir_cli_complain ("%s", error->message);
      return WEIR_EXIT_RUN;
    }
  if (note != NULL)
    weir_cli_tell ("%s\n", note);
  status = options->merge != NULL ? merge (options, study, store)
                                  : run_study (options, study, subject, store, &search);
  if (status == WEIR_EXIT_RUN)
    return status;
  printed = search != NULL ? print_search (options, study, store, search)
                           : print_summary (options, study, store);
  if (!write_out (options, store)
      || (search != NULL && !write_residuals (options, study, subject, search)))
    return WEIR_EXIT_RUN;
  return status != WEIR_EXIT_OK ? status : printed;
}

WeirExit
weir_cli_study (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  const GOptionEntry entries[] = {
    { "threads", 0, 0, G_OPTION_ARG_INT, &options.threads,
      "Let so many threads make runs; 0, the default, is as many as there are processors. Results "
      "are the same",
      "N" },
    { "points", 0, 0, G_OPTION_ARG_STRING, &options.points,
      "Make the runs of these points only, such as 0-99", "A-B" },
    { "results", 0, 0, G_OPTION_ARG_FILENAME, &options.results,
      "The file of results; by default beside the study, ending in .results", "FILE" },
    { "out", 0, 0, G_OPTION_ARG_FILENAME, &options.out,
      "Write points with parameters and figures as CSV, or with series too as HDF5; - is standard "
      "output",
      "FILE.csv|.h5|.hdf5" },
    { "residuals", 0, 0, G_OPTION_ARG_FILENAME, &options.residuals,
      "Write what a fit leaves: time, measured and fitted values as CSV; - is standard output",
      "FILE.csv" },
    { "merge", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.merge,
      "Make no runs, but take over the points of this file of results; may be repeated", "FILE" },
    { "no-cache", 0, 0, G_OPTION_ARG_NONE, &options.no_cache,
      "Make every run, whatever is known of it", NULL },
    { "verify", 0, 0, G_OPTION_ARG_STRING, &options.verify,
      "Make this part of the cached runs again, 0 to 1, and compare every bit", "SHARE" },
    { "cache-size", 0, 0, G_OPTION_ARG_DOUBLE, &options.cache_size,
      "What the cache of runs may take; by default 1024", "MIB" },
    { "pin", 0, 0, G_OPTION_ARG_NONE, &options.pin,
      "The cache does not give up the runs of this study, as far as there is room", NULL },
    { "unpin", 0, 0, G_OPTION_ARG_NONE, &options.unpin,
      "First let the cache give up again whatever was pinned, of all studies", NULL },
    { "progress", 0, 0, G_OPTION_ARG_NONE, &options.progress,
      "Tell how far it is, with the time that is left", NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options.json, "Print JSON", NULL },
    { "csv", 0, 0, G_OPTION_ARG_NONE, &options.csv, "Print CSV", NULL },
    { 0 },
  };
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirStudy) study = NULL;
  g_autoptr (WeirStudySubject) subject = NULL;

  if (!weir_cli_parse (&argc, &argv, "FILE", description, entries, 1, 1)
      || !check_endings (&options))
    return WEIR_EXIT_USAGE;
  study = weir_study_read_file (argv[1], diagnostics);
  if (study == NULL)
    {
      weir_cli_print (diagnostics, argv[1], FALSE);
      return WEIR_EXIT_MODEL;
    }
  if (!check_options (&options, study))
    return WEIR_EXIT_USAGE;
  subject = weir_study_subject_new (study, diagnostics);
  if (subject == NULL)
    {
      for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
        {
          g_autofree char *line = weir_diagnostic_to_string (weir_diagnostics_get (diagnostics, i));

          weir_cli_say ("%s\n", line);
        }
      return WEIR_EXIT_MODEL;
    }
  return work (&options, study, subject);
}

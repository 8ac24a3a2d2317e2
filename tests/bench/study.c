/* Rows of studies: 10 000 runs of Van der Pol with other values by two threads, by one, and one run
 * after another; a run that the cache knows; writing results. Before anything is timed the figures
 * of both ways are compared by their bytes.
 */
#include "bench.h"

#include <string.h>

#include <glib/gstdio.h>

#include "study/run.h"

#define N 10000
#define N_FIGURES 10

static const char model_text[] =
    "<weir version='1'><settings><setting name='solver' value='rk4'/>"
    "<setting name='step' value='0.01'/><setting name='record-interval' value='0.5'/>"
    "<setting name='stop-time' value='10'/></settings><diagram>"
    "<block id='1' type='Integrator' name='x' x='0' y='0'><parameter name='initial' value='1'/>"
    "</block><block id='2' type='Integrator' name='v' x='0' y='0'/>"
    "<block id='3' type='Product' name='square' x='0' y='0'/>"
    "<block id='4' type='Gain' name='mu' x='0' y='0'/>"
    "<block id='5' type='Product' name='friction' x='0' y='0'/>"
    "<block id='6' type='Sum' name='a' x='0' y='0'><parameter name='signs' value='+--'/></block>"
    "<wire id='7' from='2.y' to='1.u'/><wire id='8' from='1.y' to='3.in1'/>"
    "<wire id='9' from='1.y' to='3.in2'/><wire id='10' from='2.y' to='4.u'/>"
    "<wire id='11' from='3.y' to='5.in1'/><wire id='12' from='4.y' to='5.in2'/>"
    "<wire id='13' from='4.y' to='6.in1'/><wire id='14' from='5.y' to='6.in2'/>"
    "<wire id='15' from='1.y' to='6.in3'/><wire id='16' from='6.y' to='2.u'/>"
    "</diagram></weir>";

typedef struct {
  char *folder;
  WeirStudy *study;
  WeirStudySubject *subject;
  WeirStudyStore *store;
  WeirRunCache *cache;
  WeirStudyRunOptions options;
  char *results;
  double figures[N]; /* the first of each point */
} Bench;

static void
fail (const GError *error)
{
  if (error != NULL)
    g_error ("%s", error->message);
}

static void
write_file (const Bench *self, const char *name, const char *text, char **path)
{
  g_autoptr (GError) error = NULL;

  *path = g_build_filename (self->folder, name, NULL);
  g_file_set_contents (*path, text, -1, &error);
  fail (error);
}

static void
remove_database (const char *path)
{
  static const char *const ends[] = { "", "-wal", "-shm" };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *whole = g_strconcat (path, ends[i], NULL);

      g_unlink (whole);
    }
}

static void
open_store (Bench *self)
{
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->store, weir_study_store_free);
  remove_database (self->results);
  self->store = weir_study_store_new (self->results, self->study, NULL, &error);
  fail (error);
}

static void
bench_init (Bench *self, guint n_figures)
{
  g_autofree char *model = NULL, *path = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  self->folder = g_dir_make_tmp ("weir-bench-XXXXXX", NULL);
  self->results = g_build_filename (self->folder, "r.results", NULL);
  g_string_append_printf (
      text,
      "<study version='1' model='m.weir'><points method='random' n='%d'>"
      "<parameter path='mu.gain' name='mu' from='0.5' to='1.5'/></points><keep>",
      N);
  for (guint i = 0; i < n_figures; i++)
    g_string_append_printf (text, "<figure name='f%u' what='final' of='x.y'/>", i);
  g_string_append (text, "</keep></study>");
  write_file (self, "m.weir", model_text, &model);
  write_file (self, "s.weirstudy", text->str, &path);
  self->study = weir_study_read_file (path, diagnostics);
  if (self->study != NULL)
    self->subject = weir_study_subject_new (self->study, diagnostics);
  if (self->subject == NULL)
    g_error ("%s", weir_diagnostics_get (diagnostics, 0)->text);
  weir_study_run_options_init (&self->options, self->study);
  self->options.threads = 1;
  open_store (self);
}

static void
bench_clear (Bench *self)
{
  g_autoptr (GDir) dir = g_dir_open (self->folder, 0, NULL);
  const char *name;

  weir_study_store_free (self->store);
  weir_run_cache_free (self->cache);
  weir_study_subject_free (self->subject);
  weir_study_free (self->study);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (self->folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (self->folder);
  g_free (self->folder);
  g_free (self->results);
}

static gboolean
take (const WeirPointResult *result, gpointer data)
{
  Bench *self = data;

  self->figures[result->i] = result->figures[0];
  return TRUE;
}

/* The whole study, into an empty file of results. */
static void
run (gpointer data, guint64 n)
{
  Bench *self = data;
  g_autoptr (GError) error = NULL;

  for (guint64 i = 0; i < n; i++)
    {
      WeirStudyProgress progress;

      open_store (self);
      weir_study_run (self->study, self->subject, self->store, &self->options, &progress, &error);
      fail (error);
      bench_sink = (double) progress.n_computed;
    }
}

static void
compare (guint threads, gboolean is_separate, BenchResult *result)
{
  g_autofree Bench *a = g_new0 (Bench, 1);
  g_autofree Bench *b = g_new0 (Bench, 1);
  BenchVariant variants[] = { { .run = run, .data = a }, { .run = run, .data = b } };

  bench_init (a, 1);
  bench_init (b, 1);
  a->options.threads = threads;
  b->options.is_separate = is_separate;
  run (a, 1);
  run (b, 1);
  weir_study_store_foreach (a->store, 0, N, FALSE, take, a, NULL);
  weir_study_store_foreach (b->store, 0, N, FALSE, take, b, NULL);
  if (memcmp (a->figures, b->figures, sizeof a->figures) != 0)
    g_error ("Figures differ.");
  bench_compare (variants, G_N_ELEMENTS (variants), result);
  result->value *= 1e-3 / N;
  result->reference *= 1e-3 / N;
  result->best_value *= 1e-3 / N;
  result->best_reference *= 1e-3 / N;
  bench_clear (a);
  bench_clear (b);
}

static void
measure_threads (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  compare (2, FALSE, result);
}

static void
measure_together (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  compare (1, TRUE, result);
}

static void
measure_one (Bench *self, void (*func) (gpointer data, guint64 n), BenchResult *result)
{
  BenchVariant variant = { .run = func, .data = self };

  bench_compare (&variant, 1, result);
  result->value *= 1e-3 / N;
  result->best_value *= 1e-3 / N;
  bench_clear (self);
}

static void
measure_hit (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  g_autofree Bench *self = g_new0 (Bench, 1);
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  bench_init (self, 1);
  path = g_build_filename (self->folder, "runs.db", NULL);
  self->cache = self->options.cache = weir_run_cache_new (path, 0, &error);
  fail (error);
  run (self, 1);
  measure_one (self, run, result);
}

static void
put (gpointer data, guint64 n)
{
  Bench *self = data;
  const double value = 1, figures[N_FIGURES] = { 2 };
  const guint8 key[WEIR_RUN_KEY_SIZE] = { 3 };
  g_autoptr (GError) error = NULL;

  for (guint64 i = 0; i < n; i++)
    {
      open_store (self);
      for (guint k = 0; k < N; k++)
        {
          const WeirPointResult result = {
            .i = k, .key = key, .values = &value, .figures = figures
          };

          if (k % 500 == 0)
            weir_study_store_begin (self->store, &error);
          weir_study_store_put (self->store, &result, &error);
          if (k % 500 == 499)
            weir_study_store_commit (self->store, &error);
          fail (error);
        }
    }
}

static void
measure_store (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  g_autofree Bench *self = g_new0 (Bench, 1);

  bench_init (self, N_FIGURES);
  measure_one (self, put, result);
}

const BenchRow bench_study_rows[] = {
  { "study-10k", "a run of 10 000, with its results, by two threads; by one", "us", BENCH_FASTER_BY,
    1.9, measure_threads, 0 },
  { "study-10k-together", "the same by one thread; one run after another", "us", BENCH_FASTER_BY, 6,
    measure_together, 0 },
  { "study-cache-hit", "a run that the cache knows", "us", BENCH_VALUE_AT_MOST, 20, measure_hit,
    0 },
  { "study-store", "writing a run of ten figures, a commit every 500", "us", BENCH_VALUE_AT_MOST,
    20, measure_store, 0 },
  { .name = NULL },
};

/* Sampling: variants in turn, about a millisecond a sample, until the medians hold still.
 *
 * A variant gets one unmeasured sample first. Rounds end when the medians of the two halves of the
 * rounds agree within 2 % for every variant, and at the latest when the time for a row is spent.
 */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#define SAMPLE_NS 1e6
#define MIN_ROUNDS 15
#define MAX_ROUNDS 400
#define TOLERANCE 0.02

volatile double bench_sink;

static gboolean is_quick;

void
bench_set_quick (gboolean quick)
{
  is_quick = quick;
}

gboolean
bench_is_quick (void)
{
  return is_quick;
}

static double
now_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec * 1e9 + (double) t.tv_nsec;
}

static double
time_sample (const BenchVariant *v)
{
  double start = now_ns ();

  v->run (v->data, v->n);
  return (now_ns () - start) / (double) v->n;
}

/* What a sample takes, in ns. What seems long enough is looked at again: the first call of all, or
 * another process in between, would else leave so few calls to a sample that their beginning and
 * the clock are measured, in all samples of this process. */
static double
time_shortly (const BenchVariant *v)
{
  double spent = time_sample (v) * (double) v->n;

  for (guint i = 0; i < 3 && spent >= SAMPLE_NS / 4 && spent < 100 * SAMPLE_NS; i++)
    spent = MIN (spent, time_sample (v) * (double) v->n);
  return spent;
}

/* Also warms the variant up. */
static void
calibrate (BenchVariant *v)
{
  double start = now_ns (), spent;

  v->n = 1;
  while ((spent = time_shortly (v)) < SAMPLE_NS / 4 && now_ns () - start < 1e9)
    v->n *= 2;
  v->n = MAX ((guint64) ((double) v->n * SAMPLE_NS / spent), 1);
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static double
median (const double *samples, guint n)
{
  g_autofree double *sorted = g_memdup2 (samples, n * sizeof *samples);

  qsort (sorted, n, sizeof *sorted, compare_doubles);
  return n % 2 != 0 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
}

static gboolean
is_stable (double (*samples)[MAX_ROUNDS], guint n_variants, guint rounds)
{
  for (guint v = 0; v < n_variants; v++)
    {
      double early = median (samples[v], rounds / 2);
      double late = median (samples[v] + rounds / 2, rounds - rounds / 2);

      if (fabs (early - late) > TOLERANCE * late)
        return FALSE;
    }
  return TRUE;
}

void
bench_sample (BenchVariant *variants, guint n)
{
  double (*samples)[MAX_ROUNDS] = g_malloc (n * sizeof *samples);
  double start = now_ns (), limit = is_quick ? 0.6e9 : 4e9;
  guint rounds = 0;

  for (guint v = 0; v < n; v++)
    calibrate (&variants[v]);
  do
    {
      for (guint v = 0; v < n; v++)
        samples[v][rounds] = time_sample (&variants[v]);
      rounds++;
    }
  while (rounds < MAX_ROUNDS && now_ns () - start < limit
         && (rounds < MIN_ROUNDS || !is_stable (samples, n, rounds)));
  for (guint v = 0; v < n; v++)
    {
      variants[v].median = median (samples[v], rounds);
      variants[v].best = samples[v][0];
      for (guint r = 1; r < rounds; r++)
        variants[v].best = MIN (variants[v].best, samples[v][r]);
    }
  g_free (samples);
}

void
bench_compare (BenchVariant *variants, guint n, BenchResult *result)
{
  guint fastest = 1;

  bench_sample (variants, n);
  result->value = variants[0].median;
  result->best_value = variants[0].best;
  for (guint v = 2; v < n; v++)
    if (variants[v].median < variants[fastest].median)
      fastest = v;
  if (n > 1)
    {
      result->reference = variants[fastest].median;
      result->best_reference = variants[fastest].best;
    }
}

/* Rows of single evaluations: hits in several memory layouts, and a miss of one operation. */
#include "bench.h"
#include "diagrams.h"

#include <string.h>

#include "reference/hit.h"
#include "reference/rhs.h"
#include "system/evaluation/eval.h"
#include "system/evaluation/value-list.h"

/* --- Hits ------------------------------------------------------------------------------------ */

#define N_ENTRIES 100000
#define N_LAYOUTS 3

/* Which entries are read, in turn. */
static const struct {
  const char *name;
  guint32 n_reads, n_entries;
  gboolean is_in_cache;
} patterns[] = {
  { "one entry", 1000, 1, TRUE },
  { "1 000 at random", 1000, 1000, TRUE },
  { "20 000 reads of 7 000", 20000, 7000, TRUE },
  { "100 000 at random", N_ENTRIES, N_ENTRIES, FALSE },
};

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  WeirValueList *list; /* of what is read */
  double *read;        /* what it gave */
  guint64 *flags;      /* the reference's own */
  double *values;
  guint32 *index;
  gsize n;
} Hits;

/* As whoever reads many values does: a list that was made beforehand, then each value of it. */
static void
run_hits (gpointer data, guint64 n)
{
  const Hits *h = data;
  guint64 sum = 0;

  for (guint64 i = 0; i < n; i++)
    {
      if (weir_eval_list (h->list, h->context, h->read) != WEIR_OK)
        g_error ("%s", weir_context_get_failure (h->context));
      for (gsize k = 0; k < h->n; k++)
        {
          guint64 bits;

          memcpy (&bits, &h->read[k], sizeof bits);
          sum += bits;
        }
    }
  bench_sink = (double) sum;
}

/* A call for each value. */
static void
run_single_hits (gpointer data, guint64 n)
{
  const Hits *h = data;
  WeirSystem *system = h->system;
  WeirContext *context = h->context;
  const guint32 *index = h->index;
  gsize n_reads = h->n;
  guint64 sum = 0;

  for (guint64 i = 0; i < n; i++)
    for (gsize k = 0; k < n_reads; k++)
      {
        const double *value = weir_eval_entry (system, context, (WeirEntry) { index[k] });
        guint64 bits;

        memcpy (&bits, value, sizeof bits);
        sum += bits;
      }
  bench_sink = (double) sum;
}

static void
run_hits_reference (gpointer data, guint64 n)
{
  const Hits *h = data;
  guint64 sum = 0;

  for (guint64 i = 0; i < n; i++)
    sum += reference_hits (h->flags, h->values, h->index, h->n);
  bench_sink = (double) sum;
}

/* Both sides read the same values. */
static void
hits_init (Hits *h, WeirSystem *system, const WeirContext *context)
{
  h->system = system;
  h->context = weir_context_clone (context);
  h->list = NULL;
  h->flags = g_new0 (guint64, N_ENTRIES / 64 + 1);
  h->values = g_new (double, N_ENTRIES);
  h->read = g_new (double, N_ENTRIES);
  h->index = g_new (guint32, N_ENTRIES);
  for (guint32 e = 0; e < N_ENTRIES; e++)
    h->values[e] = *weir_context_peek (h->context, (WeirEntry) { e });
}

static void
hits_clear (Hits *h)
{
  weir_context_free (h->context);
  weir_value_list_free (h->list);
  g_free (h->read);
  g_free (h->flags);
  g_free (h->values);
  g_free (h->index);
}

static void
choose_reads (Hits *h, guint32 n_reads, guint32 n_entries, GRand *rand)
{
  g_autofree WeirEntry *entries = g_new (WeirEntry, n_reads);

  h->n = n_reads;
  for (guint32 k = 0; k < n_reads; k++)
    {
      h->index[k] = n_entries == 1 ? 777 : (guint32) g_rand_int_range (rand, 0, (gint32) n_entries);
      entries[k].i = h->index[k];
    }
  weir_value_list_free (h->list);
  h->list = weir_value_list_new_of_entries (h->system, entries, n_reads);
}

/* All patterns of the row in all layouts; the worst ratio counts. The times are per read. What the
 * product reads many values by is a list (the recorder at every row), so this is what is measured:
 * one call a reading, all its checks and its copying included. The reference is a test and a load
 * for each value, without a call. Beside it in the note: the same reads by a call each, as for a
 * value that is read alone. @row->size: are they those that fit into the processor's cache? */
static void
measure_hits (const BenchRow *row, BenchResult *result)
{
  BenchGraph *graph = bench_graph_new (BENCH_FOREST, N_ENTRIES);
  WeirSystem *system = bench_graph_system_new (graph);
  WeirContext *context = weir_system_create_context (system);
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (GString) note = g_string_new (NULL);
  Hits layouts[N_LAYOUTS];
  gpointer gaps[N_LAYOUTS];
  BenchVariant variants[3 * N_LAYOUTS];

  for (guint32 e = 0; e < N_ENTRIES; e++)
    weir_eval_entry (system, context, (WeirEntry) { e });
  for (guint l = 0; l < N_LAYOUTS; l++)
    {
      gaps[l] = g_malloc (1 + l * 12345); /* no two contexts lie alike */
      hits_init (&layouts[l], system, context);
      variants[3 * l] = (BenchVariant) { run_hits, &layouts[l], 0, 0, 0 };
      variants[3 * l + 1] = (BenchVariant) { run_hits_reference, &layouts[l], 0, 0, 0 };
      variants[3 * l + 2] = (BenchVariant) { run_single_hits, &layouts[l], 0, 0, 0 };
    }
  for (guint p = 0; p < G_N_ELEMENTS (patterns); p++)
    {
      double worst = 0, worst_single = 0, reads = patterns[p].n_reads;

      if (patterns[p].is_in_cache != (row->size != 0))
        continue;
      for (guint l = 0; l < N_LAYOUTS; l++)
        choose_reads (&layouts[l], patterns[p].n_reads, patterns[p].n_entries, rand);
      bench_sample (variants, G_N_ELEMENTS (variants));
      for (guint l = 0; l < N_LAYOUTS; l++)
        {
          const BenchVariant *own = &variants[3 * l], *plain = own + 1, *single = own + 2;

          worst = MAX (worst, own->median / plain->median);
          worst_single = MAX (worst_single, single->median / plain->median);
          if (result->value == 0 || own->median / plain->median > result->value / result->reference)
            *result = (BenchResult) { own->median / reads, plain->median / reads, own->best / reads,
                                      plain->best / reads, NULL };
        }
      g_string_append_printf (note, "%s%s %.2f (by single calls %.2f)", note->len > 0 ? ", " : "",
                              patterns[p].name, worst, worst_single);
    }
  result->note = g_string_free (g_steal_pointer (&note), FALSE);
  for (guint l = 0; l < N_LAYOUTS; l++)
    {
      hits_clear (&layouts[l]);
      g_free (gaps[l]);
    }
  weir_context_free (context);
  weir_system_unref (system);
  bench_graph_free (graph);
}

/* --- A miss ---------------------------------------------------------------------------------- */

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  double k;
  double (*function) (double k, double u);
} Miss;

static void
run_miss (gpointer data, guint64 n)
{
  Miss *m = data;
  double sum = 0;

  for (guint64 i = 0; i < n; i++)
    {
      m->k += 1e-6;
      weir_context_set_parameter (m->context, bench_child (0), (WeirParameter) { 0 }, &m->k);
      sum += *weir_eval_entry (m->system, m->context, (WeirEntry) { 0 });
    }
  bench_sink = sum;
}

static void
run_miss_reference (gpointer data, guint64 n)
{
  Miss *m = data;
  double sum = 0;

  for (guint64 i = 0; i < n; i++)
    {
      m->k += 1e-6;
      sum += m->function (m->k, 2.5);
    }
  bench_sink = sum;
}

static void
measure_miss (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  BenchGraph *graph = bench_graph_new (BENCH_FOREST, 1);
  WeirSystem *system = bench_graph_system_new (graph);
  Miss engine = { system, weir_system_create_context (system), 1, NULL };
  Miss reference = { NULL, NULL, 1, reference_gain };
  BenchVariant variants[] = { { run_miss, &engine, 0, 0, 0 },
                              { run_miss_reference, &reference, 0, 0, 0 } };
  double value, expected;

  weir_context_set_time (engine.context, 2.5);
  run_miss (&engine, 7);
  value = bench_sink;
  run_miss_reference (&reference, 7);
  expected = bench_sink;
  if (memcmp (&value, &expected, sizeof value) != 0)
    g_error ("A recomputed value differs from its reference.");
  bench_compare (variants, 2, result);
  weir_context_free (engine.context);
  weir_system_unref (system);
  bench_graph_free (graph);
}

const BenchRow bench_eval_rows[] = {
  { "eval-hit", "read up-to-date entries by a list, in cache; the worst of several layouts", "ns",
    BENCH_RATIO_AT_MOST, 2, measure_hits, TRUE },
  { "eval-hit-100k", "the same, 100 000 entries at random", "ns", BENCH_RATIO_AT_MOST, 3,
    measure_hits, FALSE },
  { "eval-miss", "change a parameter, recompute one operation", "ns", BENCH_OVER_AT_MOST, 12,
    measure_miss, 0 },
  { NULL },
};

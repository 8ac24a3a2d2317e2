/* Rows of right-hand sides: Van der Pol and the chain of 1 000 masses.
 *
 * Before anything is timed, the values of both sides are compared byte by byte. Each repetition
 * moves the state a little, so that nothing can be reused.
 */
#include "bench.h"
#include "base/crew.h"
#include "diagrams.h"

#include <math.h>
#include <string.h>

#include "reference/mixed.h"
#include "reference/rhs.h"
#include "system/context/inspection.h"
#include "system/evaluation/eval.h"

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  guint32 n; /* states */
  double *x, *xdot;
} Engine;

static void
run_engine (gpointer data, guint64 n)
{
  Engine *e = data;

  for (guint64 i = 0; i < n; i++)
    {
      e->x[i & 1] += 1e-9;
      if (weir_eval_rhs (e->system, e->context, 0, e->x, e->xdot) != WEIR_OK)
        g_error ("%s", weir_context_get_failure (e->context));
    }
  bench_sink = e->xdot[0];
}

static void
engine_init (Engine *e, WeirSystem *system, guint32 n)
{
  e->system = system;
  e->context = weir_system_create_context (system);
  e->n = n;
  e->x = g_new0 (double, n);
  e->xdot = g_new0 (double, n);
}

static void
engine_clear (Engine *e)
{
  weir_context_free (e->context);
  weir_system_unref (e->system);
  g_free (e->x);
  g_free (e->xdot);
}

/* The first difference between the engine's and the reference's derivatives ends the program. */
static void
check_equal (const Engine *e, const double *xdot)
{
  if (memcmp (e->xdot, xdot, e->n * sizeof *xdot) != 0)
    g_error ("The right-hand side differs from its reference.");
}

/* --- Van der Pol ----------------------------------------------------------------------------- */

typedef struct {
  void (*function) (double mu, const double *x, double *xdot);
  double mu, x[2], xdot[2];
} VanDerPol;

static void
run_van_der_pol (gpointer data, guint64 n)
{
  VanDerPol *r = data;

  for (guint64 i = 0; i < n; i++)
    {
      r->x[i & 1] += 1e-9;
      r->function (r->mu, r->x, r->xdot);
    }
  bench_sink = r->xdot[0];
}

static void
measure_van_der_pol (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  VanDerPol reference = { reference_van_der_pol, 1.5, { 1.8, -0.4 }, { 0, 0 } };
  Engine e;
  BenchVariant variants[] = { { run_engine, &e, 0, 0, 0 },
                              { run_van_der_pol, &reference, 0, 0, 0 } };

  engine_init (&e, bench_van_der_pol_new (reference.mu), 2);
  memcpy (e.x, reference.x, sizeof reference.x);
  run_engine (&e, 5);
  run_van_der_pol (&reference, 5);
  check_equal (&e, reference.xdot);
  bench_compare (variants, 2, result);
  engine_clear (&e);
}

/* --- The chain ------------------------------------------------------------------------------- */

#define N_MASSES 1000

typedef struct {
  void (*function) (guint32 n, const double *k, const double *c, const double *x, double *xdot);
  double k[N_MASSES], c[N_MASSES];
  double x[2 * N_MASSES], xdot[2 * N_MASSES];
} Chain;

static void
run_chain (gpointer data, guint64 n)
{
  Chain *r = data;

  for (guint64 i = 0; i < n; i++)
    {
      r->x[i & 1] += 1e-9;
      r->function (N_MASSES, r->k, r->c, r->x, r->xdot);
    }
  bench_sink = r->xdot[0];
}

/* Every entry was computed once per right-hand side since the counters were cleared. */
static void
check_counters (const Engine *e, guint64 n)
{
  guint n_entries = weir_layout_get_n_entries (weir_system_get_layout (e->system));
  g_autofree WeirCounters *counters = g_new (WeirCounters, n_entries);

  weir_context_read_counters (e->context, counters);
  for (guint i = 0; i < n_entries; i++)
    if (counters[i].first + counters[i].stale != n)
      g_error ("Entry %u was computed %" G_GUINT64_FORMAT " times instead of %" G_GUINT64_FORMAT
               ".",
               i, counters[i].first + counters[i].stale, n);
}

static void
measure_chain (const BenchRow *row, BenchResult *result)
{
  g_autofree Chain *leaf_order = g_new0 (Chain, 1), *split = g_new0 (Chain, 1);
  Engine e;
  BenchVariant variants[] = { { run_engine, &e, 0, 0, 0 },
                              { run_chain, leaf_order, 0, 0, 0 },
                              { run_chain, split, 0, 0, 0 } };

  leaf_order->function = reference_chain_leaf_order;
  split->function = reference_chain_split;
  for (guint i = 0; i < N_MASSES; i++)
    {
      leaf_order->k[i] = split->k[i] = 3 + i % 7 * 0.25;
      leaf_order->c[i] = split->c[i] = 0.1 + i % 5 * 0.01;
      leaf_order->x[2 * i] = split->x[i] = 1e-3 * (i * 7919 % 1000);
      leaf_order->x[2 * i + 1] = split->x[N_MASSES + i] = 1e-3 * (i * 104729 % 1000);
    }
  engine_init (&e, bench_chain_new (N_MASSES, leaf_order->k, leaf_order->c), 2 * N_MASSES);
  weir_context_set_pull_only (e.context, row->size != 0);
  memcpy (e.x, leaf_order->x, sizeof leaf_order->x);
  run_engine (&e, 5);
  run_chain (leaf_order, 5);
  check_equal (&e, leaf_order->xdot);
  weir_context_clear_counters (e.context);
  run_engine (&e, 100);
  check_counters (&e, 100);
  bench_compare (variants, 3, result);
  result->note = g_strdup (variants[1].median < variants[2].median
                               ? "faster reference: leaf order"
                               : "faster reference: positions and velocities apart");
  engine_clear (&e);
}

/* --- Several threads ------------------------------------------------------------------------- */

static void
run_on_two (gpointer data, guint64 n)
{
  weir_crew_threads = 2;
  run_engine (data, n);
}

static void
run_on_one (gpointer data, guint64 n)
{
  weir_crew_threads = 1;
  run_engine (data, n);
}

static void
measure_threads (const BenchRow *row, BenchResult *result)
{
  guint n = row->size, before = weir_crew_threads;
  g_autofree double *k = g_new (double, n);
  g_autofree double *c = g_new (double, n);
  Engine e;
  BenchVariant variants[] = { { run_on_two, &e, 0, 0, 0 }, { run_on_one, &e, 0, 0, 0 } };
  g_autofree double *one = NULL;

  for (guint i = 0; i < n; i++)
    {
      k[i] = 3 + i % 7 * 0.25;
      c[i] = 0.1 + i % 5 * 0.01;
    }
  engine_init (&e, bench_chain_new (n, k, c), 2 * n);
  for (guint i = 0; i < 2 * n; i++)
    e.x[i] = 1e-3 * (i * 7919 % 1000);
  run_on_one (&e, 2);
  one = g_memdup2 (e.xdot, 2 * n * sizeof (double));
  e.x[0] = 0;
  e.x[1] = 1e-3 * 919;
  run_on_two (&e, 2);
  check_equal (&e, one);
  bench_compare (variants, 2, result);
  weir_crew_threads = before;
  engine_clear (&e);
}

/* --- A random diagram ------------------------------------------------------------------------ */

typedef struct {
  const ReferenceMixed *diagram;
  double *x, *xdot;
} Mixed;

static void
run_mixed (gpointer data, guint64 n)
{
  Mixed *m = data;

  for (guint64 i = 0; i < n; i++)
    {
      m->x[i & 1] += 1e-9;
      m->diagram->calc (m->x, m->xdot);
    }
  bench_sink = m->xdot[0];
}

static void
measure_mixed (const BenchRow *row, BenchResult *result)
{
  Mixed mixed = { row->size == 50    ? &reference_mixed_50
                  : row->size == 200 ? &reference_mixed_200
                                     : &reference_mixed };
  guint n = mixed.diagram->n_states;
  Engine e;
  BenchVariant variants[] = { { run_engine, &e, 0, 0, 0 }, { run_mixed, &mixed, 0, 0, 0 } };

  mixed.x = g_new (double, n);
  mixed.xdot = g_new0 (double, n);
  for (guint i = 0; i < n; i++)
    mixed.x[i] = 0.25 + 0.5 * (i * 7919 % 1000) / 1000;
  engine_init (&e, bench_mixed_new (mixed.diagram), n);
  memcpy (e.x, mixed.x, n * sizeof *e.x);
  run_engine (&e, 5);
  run_mixed (&mixed, 5);
  check_equal (&e, mixed.xdot);
  bench_compare (variants, 2, result);
  result->note = g_strdup_printf ("%u entries",
                                  weir_layout_get_n_entries (weir_system_get_layout (e.system)));
  engine_clear (&e);
  g_free (mixed.x);
  g_free (mixed.xdot);
}

/* --- Equations ------------------------------------------------------------------------------- */

typedef struct {
  guint n;
  double *x, *xdot;
} Rod;

static void
run_rod (gpointer data, guint64 n)
{
  Rod *rod = data;

  for (guint64 i = 0; i < n; i++)
    {
      rod->x[i & 1] += 1e-9;
      reference_rod (rod->n, (rod->n + 1.0) * (rod->n + 1.0), rod->x, rod->xdot);
    }
  bench_sink = rod->xdot[0];
}

static void
measure_equations (const BenchRow *row, BenchResult *result)
{
  Engine e;
  Rod rod = { row->size, NULL, NULL };
  BenchVariant variants[] = { { run_engine, &e, 0, 0, 0 }, { run_rod, &rod, 0, 0, 0 } };

  engine_init (&e, bench_rod_of_equations_new (row->size), row->size);
  memcpy (e.x, weir_context_get_state (e.context), row->size * sizeof *e.x);
  rod.x = g_memdup2 (e.x, row->size * sizeof *e.x);
  rod.xdot = g_new0 (double, row->size);
  run_engine (&e, 5);
  run_rod (&rod, 5);
  /* The language may sum in another order. */
  for (guint i = 0; i < row->size; i++)
    if (!(fabs (e.xdot[i] - rod.xdot[i]) <= 1e-14 * (row->size + 1.0) * (row->size + 1.0)))
      g_error ("The derivative of x%u is %.17g, but %.17g by hand.", i, e.xdot[i], rod.xdot[i]);
  bench_compare (variants, 2, result);
  engine_clear (&e);
  g_free (rod.x);
  g_free (rod.xdot);
}

const BenchRow bench_rhs_rows[] = {
  { "rhs-vdp", "right-hand side of Van der Pol, 8 blocks", "ns", BENCH_OVER_AT_MOST, 17,
    measure_van_der_pol, 0 },
  { "rhs-chain", "right-hand side of 1 000 masses, 5 000 blocks", "ns", BENCH_RATIO_AT_MOST, 1.3,
    measure_chain, FALSE },
  { "rhs-chain-pull", "the same by lazy pull", "ns", BENCH_RATIO_AT_MOST, 70, measure_chain, TRUE },
  { "parallel-rhs-30k", "right-hand side of 30 000 masses on two threads; on one", "ns",
    BENCH_FASTER_BY, 1.8, measure_threads, 30000 },
  { "rhs-50", "right-hand side of a random diagram, 50 blocks of 15 kinds", "ns",
    BENCH_RATIO_AT_MOST, 1.3, measure_mixed, 50 },
  { "rhs-200", "right-hand side of a random diagram, 200 blocks of 15 kinds", "ns",
    BENCH_RATIO_AT_MOST, 1.3, measure_mixed, 200 },
  { "rhs-mixed", "right-hand side of a random diagram, 5 000 blocks of 15 kinds", "ns",
    BENCH_RATIO_AT_MOST, 1.1, measure_mixed, 0 },
  { "equations-rhs-1000", "right-hand side of an Equations block, a rod of 1 000 states", "ns",
    BENCH_RATIO_AT_MOST, 1.5, measure_equations, 1000 },
  { NULL },
};

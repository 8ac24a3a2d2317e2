/* Rows of the change log: what logging costs.
 *
 * A run is right-hand sides with steps and requests in between, as an explicit method makes them:
 * four trials, each the state moved along the last derivatives, then an accepted step and one
 * output. The reference is the same run with logging off. Before anything is timed, both are run
 * and compared by bytes. The ring is full after a moment, so that its overflow is part of the cost.
 */
#include "bench.h"
#include "diagrams.h"

#include <math.h>
#include <string.h>

#include "system/observation/change-log.h"
#include "system/structure/diagram.h"
#include "system/evaluation/eval.h"
#include "system/evaluation/calc.h"
#include "system/structure/leaf.h"

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  guint32 n; /* states */
  double time;
  double *x, *trial, *xdot, *sum;
} Run;

static void
run_steps (gpointer data, guint64 n)
{
  static const double weights[] = { 1, 2, 2, 1 }, nodes[] = { 0, 0.5, 0.5, 1 };
  const double h = 1e-4;
  Run *r = data;

  for (guint64 i = 0; i < n; i++)
    {
      weir_context_set_phase (r->context, WEIR_LOG_PHASE_INTEGRATION);
      memcpy (r->trial, r->x, r->n * sizeof *r->x);
      memset (r->sum, 0, r->n * sizeof *r->sum);
      for (guint s = 0; s < 4; s++)
        {
          double step = s < 3 ? h * nodes[s + 1] : 0;

          if (weir_eval_rhs (r->system, r->context, r->time + h * nodes[s], r->trial, r->xdot)
              != WEIR_OK)
            g_error ("%s", weir_context_get_failure (r->context));
          for (guint32 k = 0; k < r->n; k++)
            {
              r->sum[k] += weights[s] * r->xdot[k];
              r->trial[k] = r->x[k] + step * r->xdot[k];
            }
        }
      for (guint32 k = 0; k < r->n; k++)
        r->x[k] += h / 6 * r->sum[k];
      r->time += h;
      weir_context_set_time_and_state (r->context, r->time, r->x);
      weir_context_set_phase (r->context, WEIR_LOG_PHASE_MONITOR);
      bench_sink = weir_eval_entry (r->system, r->context, (WeirEntry) { 0 })[0];
    }
  bench_sink = r->x[0];
}

static void
run_init (Run *r, WeirSystem *system)
{
  r->system = weir_system_ref (system);
  r->context = weir_system_create_context (system);
  r->n = weir_layout_get_n_states (weir_system_get_layout (system));
  r->time = 0;
  r->x = g_memdup2 (weir_context_get_state (r->context), r->n * sizeof (double));
  r->trial = g_new0 (double, r->n);
  r->xdot = g_new0 (double, r->n);
  r->sum = g_new0 (double, r->n);
}

static void
run_clear (Run *r)
{
  weir_context_free (r->context);
  weir_system_unref (r->system);
  g_free (r->x);
  g_free (r->trial);
  g_free (r->xdot);
  g_free (r->sum);
}

/* --- The pendulum ---------------------------------------------------------------------------- */

static WeirStatus
pendulum_gravity (const WeirCalc *c, double *torque)
{
  *torque = -9.81 * sin (weir_calc_q (c)[0]);
  return WEIR_OK;
}

static WeirStatus
pendulum_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_v (c)[0];
  xdot[1] = weir_calc_cached (c, (WeirCached) { 0 })[0] - 0.1 * xdot[0];
  return WEIR_OK;
}

WEIR_KERNEL_1 (to_degrees, u, 57.29577951308232 * u)

/* A pendulum of 1 m and 1 kg, let go at 90 degrees, and a block that shows its angle in degrees. */
static WeirSystem *
pendulum_new (void)
{
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  WeirLeafBuilder *b = weir_leaf_builder_new ("Pendulum");
  WeirLeafBuilder *shown = weir_leaf_builder_new ("Degrees");
  g_autoptr (WeirSystem) pendulum = NULL, degrees = NULL;
  WeirInput u = weir_leaf_add_input (shown, "u", 1);
  const double x0[] = { 1.5707963267948966, 0 };
  WeirCached gravity;

  weir_leaf_set_continuous_state (b, 1, 1, 0, x0);
  gravity = weir_leaf_add_cache_entry (b, "gravity", 1, pendulum_gravity, WEIR_DEPENDS (WEIR_Q));
  weir_leaf_set_derivatives (b, pendulum_xcdot,
                             WEIR_DEPENDS (WEIR_V, weir_cached_ticket (b, gravity)));
  weir_leaf_add_output_window (b, "theta", WEIR_Q);
  pendulum = weir_leaf_builder_build (b);
  weir_leaf_add_output_kernel (shown, "y", 1, to_degrees, 0,
                               WEIR_DEPENDS (weir_input_ticket (shown, u)));
  degrees = weir_leaf_builder_build (shown);
  weir_diagram_builder_add (d, "pendulum", pendulum);
  weir_diagram_builder_add (d, "degrees", degrees);
  weir_diagram_builder_connect_by_name (d, "pendulum", "theta", "degrees", "u");
  return weir_diagram_builder_build (d, NULL);
}

/* --- Rows ------------------------------------------------------------------------------------ */

static WeirSystem *
chain_new (void)
{
  enum { N_MASSES = 1000 };
  double k[N_MASSES], c[N_MASSES];

  for (guint i = 0; i < N_MASSES; i++)
    {
      k[i] = 3 + i % 7 * 0.25;
      c[i] = 0.1 + i % 5 * 0.01;
    }
  return bench_chain_new (N_MASSES, k, c);
}

enum { PENDULUM = 0, CHAIN = 1, EVERYTHING = 2 };

static void
measure_record (const BenchRow *row, BenchResult *result)
{
  g_autoptr (WeirSystem) system = row->size & CHAIN ? chain_new () : pendulum_new ();
  Run logged, plain;
  BenchVariant variants[] = { { run_steps, &logged, 0, 0, 0 }, { run_steps, &plain, 0, 0, 0 } };
  g_autoptr (WeirChangeLog) log = NULL;

  run_init (&logged, system);
  run_init (&plain, system);
  logged.x[0] = plain.x[0] = 1;
  weir_context_start_log (logged.context,
                          row->size & EVERYTHING ? WEIR_LOG_MODE_ALL : WEIR_LOG_MODE_EVENTS, 0);
  run_steps (&logged, 20);
  run_steps (&plain, 20);
  if (memcmp (logged.x, plain.x, plain.n * sizeof *plain.x) != 0)
    g_error ("Logging changed the run.");
  bench_compare (variants, 2, result);
  log = weir_context_stop_log (logged.context);
  result->note = g_strdup_printf ("%" G_GUINT64_FORMAT " older records given up",
                                  weir_change_log_get_n_lost (log));
  run_clear (&logged);
  run_clear (&plain);
}

const BenchRow bench_record_rows[] = {
  { "record-pendulum", "a step of a pendulum, events and requests recorded", "ns",
    BENCH_RATIO_AT_MOST, 1.15, measure_record, PENDULUM },
  { "record-chain", "a step of 1 000 masses, events and requests recorded", "ns",
    BENCH_RATIO_AT_MOST, 1.15, measure_record, CHAIN },
  { "record-full", "a step of 1 000 masses, every evaluation recorded", "ns", BENCH_RATIO_AT_MOST,
    3, measure_record, CHAIN | EVERYTHING },
  { NULL },
};

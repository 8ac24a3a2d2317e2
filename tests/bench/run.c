/* Rows of whole runs: the chain of 1 000 masses with CVODE and with Dormand-Prince, vector
 * operations, stiff diffusion and reactions, a sampled controller, and allocations while stepping.
 *
 * A repetition is a whole run from the same start. Where a reference does the same arithmetic, the
 * final states are compared before anything is timed.
 */
#include "bench.h"
#include "../counting-malloc.h"
#include "diagrams.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "reference/rhs.h"
#include "reference/run.h"
#include "sim/sundials-private.h"
#include "sim/simulator.h"
#include "system/evaluation/calc.h"
#include "system/structure/leaf.h"
#include "system/evaluation/eval.h"

#define N_MASSES 1000
#define CHAIN_TIME 2.0 /* s */
#define TOLERANCE 1e-6

/* --- Runs of the engine ---------------------------------------------------------------------- */

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  WeirSimulator *simulator;
  double *start; /* states */
  guint n;
  double until; /* s */
} Run;

static void
run_init_within (Run *run, WeirSystem *system, const char *solver, const double *start,
                 double until, double relative, double absolute)
{
  WeirSimulatorOptions options;
  g_autoptr (GError) error = NULL;

  weir_simulator_options_init (&options);
  options.solver = solver;
  options.relative_tolerance = relative;
  options.absolute_tolerance = absolute;
  run->system = system;
  run->context = weir_system_create_context (system);
  run->n = weir_layout_get_n_states (weir_system_get_layout (system));
  run->start = g_memdup2 (start != NULL ? start : weir_context_get_state (run->context),
                          run->n * sizeof *start);
  run->until = until;
  run->simulator = weir_simulator_new (system, run->context, &options, &error);
  if (run->simulator == NULL)
    g_error ("%s", error->message);
}

static void
run_init (Run *run, WeirSystem *system, const char *solver, const double *start, double until)
{
  run_init_within (run, system, solver, start, until, TOLERANCE, TOLERANCE);
}

static void
run_whole (gpointer data, guint64 n)
{
  Run *run = data;
  g_autoptr (GError) error = NULL;

  for (guint64 i = 0; i < n; i++)
    {
      weir_context_set_time (run->context, 0);
      weir_context_set_state (run->context, run->start);
      if (!weir_simulator_initialize (run->simulator, &error)
          || !weir_simulator_advance_to (run->simulator, run->until, &error))
        g_error ("%s", error->message);
    }
  bench_sink = weir_context_get_state (run->context)[0];
}

static void
run_clear (Run *run)
{
  weir_simulator_free (run->simulator);
  weir_context_free (run->context);
  weir_system_unref (run->system);
  g_free (run->start);
}

static void
check_same_state (const Run *run, const double *x)
{
  if (memcmp (weir_context_get_state (run->context), x, run->n * sizeof *x) != 0)
    g_error ("The final state differs from the reference's.");
}

/* --- The chain ------------------------------------------------------------------------------- */

typedef struct {
  double k[N_MASSES], c[N_MASSES], start[2 * N_MASSES];
} ChainData;

static ChainData *
chain_data_new (void)
{
  ChainData *chain = g_new0 (ChainData, 1);

  for (guint i = 0; i < N_MASSES; i++)
    {
      chain->k[i] = 3 + i % 7 * 0.25;
      chain->c[i] = 0.01 * (i % 5);
      chain->start[2 * i] = sin (0.1 * i);
    }
  return chain;
}

/* CVODE by hand, with our vector operations or the packaged ones. */
typedef struct {
  ChainData *chain;
  gboolean is_packaged;
  double x[2 * N_MASSES];
} Cvode;

static int
cvode_rhs (G_GNUC_UNUSED realtype t, N_Vector x, N_Vector xdot, void *data)
{
  const ChainData *chain = data;

  reference_chain_leaf_order (N_MASSES, chain->k, chain->c, N_VGetArrayPointer (x),
                              N_VGetArrayPointer (xdot));
  return 0;
}

static void
run_cvode (gpointer data, guint64 n)
{
  Cvode *c = data;

  for (guint64 i = 0; i < n; i++)
    {
      SUNContext sundials;
      SUNNonlinearSolver nonlinear;
      N_Vector x;
      void *cvode;
      double t = 0;

      memcpy (c->x, c->chain->start, sizeof c->x);
      SUNContext_Create (NULL, &sundials);
      x = c->is_packaged ? N_VMake_Serial (2 * N_MASSES, c->x, sundials)
                         : weir_nvector_new (2 * N_MASSES, c->x, sundials);
      cvode = CVodeCreate (CV_ADAMS, sundials);
      nonlinear = SUNNonlinSol_FixedPoint (x, 0, sundials);
      CVodeInit (cvode, cvode_rhs, 0, x);
      CVodeSStolerances (cvode, TOLERANCE, TOLERANCE);
      CVodeSetUserData (cvode, c->chain);
      CVodeSetNonlinearSolver (cvode, nonlinear);
      while (t < CHAIN_TIME)
        {
          CVodeSetStopTime (cvode, CHAIN_TIME);
          if (CVode (cvode, CHAIN_TIME, x, &t, CV_ONE_STEP) < 0)
            g_error ("CVODE failed.");
        }
      CVodeFree (&cvode);
      SUNNonlinSolFree (nonlinear);
      N_VDestroy (x);
      SUNContext_Free (&sundials);
    }
  bench_sink = c->x[0];
}

static void
measure_chain (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  g_autofree ChainData *chain = chain_data_new ();
  g_autofree Cvode *reference = g_new0 (Cvode, 1);
  Run run;
  BenchVariant variants[] = { { run_whole, &run, 0, 0, 0 }, { run_cvode, reference, 0, 0, 0 } };

  reference->chain = chain;
  run_init (&run, bench_chain_new (N_MASSES, chain->k, chain->c), "cvode-adams", chain->start,
            CHAIN_TIME);
  run_whole (&run, 1);
  run_cvode (reference, 1);
  check_same_state (&run, reference->x);
  bench_compare (variants, 2, result);
  run_clear (&run);
}

/* The same integrator on the chain as one block, whose derivatives are the reference's. */
static const ChainData *one_block;

static WeirStatus
chain_xcdot (const WeirCalc *c, double *xdot)
{
  reference_chain_leaf_order (N_MASSES, one_block->k, one_block->c, weir_calc_z (c), xdot);
  return WEIR_OK;
}

static void
measure_chain_rk (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  g_autofree ChainData *chain = chain_data_new ();
  WeirLeafBuilder *b = weir_leaf_builder_new ("Chain");
  Run run, reference;
  BenchVariant variants[] = { { run_whole, &run, 0, 0, 0 }, { run_whole, &reference, 0, 0, 0 } };

  one_block = chain;
  weir_leaf_set_continuous_state (b, 0, 0, 2 * N_MASSES, chain->start);
  weir_leaf_set_derivatives (b, chain_xcdot, WEIR_DEPENDS (WEIR_Z));
  run_init (&reference, weir_leaf_builder_build (b), "dormand-prince", NULL, CHAIN_TIME);
  run_init (&run, bench_chain_new (N_MASSES, chain->k, chain->c), "dormand-prince", chain->start,
            CHAIN_TIME);
  run_whole (&run, 1);
  run_whole (&reference, 1);
  check_same_state (&run, weir_context_get_state (reference.context));
  bench_compare (variants, 2, result);
  run_clear (&run);
  run_clear (&reference);
}

static void
measure_nvector (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  g_autofree ChainData *chain = chain_data_new ();
  g_autofree Cvode *own = g_new0 (Cvode, 1), *packaged = g_new0 (Cvode, 1);
  BenchVariant variants[] = { { run_cvode, own, 0, 0, 0 }, { run_cvode, packaged, 0, 0, 0 } };

  own->chain = packaged->chain = chain;
  packaged->is_packaged = TRUE;
  bench_compare (variants, 2, result);
}

/* --- Small models ---------------------------------------------------------------------------- */

typedef struct {
  ReferenceRhs rhs;
  guint n;
  double start[REFERENCE_MAX_STATES], x[REFERENCE_MAX_STATES];
  double until, relative, absolute;
  guint64 steps;
} Small;

static void
run_small (gpointer data, guint64 n)
{
  Small *small = data;

  for (guint64 i = 0; i < n; i++)
    {
      memcpy (small->x, small->start, sizeof small->x);
      small->steps = reference_dormand_prince (small->rhs, small->n, small->x, small->until,
                                               small->relative, small->absolute);
    }
  bench_sink = small->x[0];
}

enum { VAN_DER_POL, PENDULUM, LORENZ };

/* Sums are in another order by hand, so that ends agree as far as the tolerance goes. */
static void
measure_small (const BenchRow *row, BenchResult *result)
{
  static const ReferenceRhs functions[] = { reference_run_van_der_pol, reference_run_pendulum,
                                            reference_run_lorenz };
  WeirSimulatorOptions options;
  Small small = { .rhs = functions[row->size], .until = row->size == LORENZ ? 5.0 : 20.0 };
  Run run;
  BenchVariant variants[] = { { run_whole, &run, 0, 0, 0 }, { run_small, &small, 0, 0, 0 } };

  weir_simulator_options_init (&options);
  small.relative = options.relative_tolerance;
  small.absolute = options.absolute_tolerance;
  run_init_within (&run,
                   row->size == VAN_DER_POL ? bench_van_der_pol_new (1.5)
                   : row->size == PENDULUM  ? bench_pendulum_new ()
                                            : bench_lorenz_new (),
                   "dormand-prince", NULL, small.until, small.relative, small.absolute);
  small.n = run.n;
  memcpy (small.start, run.start, run.n * sizeof (double));
  run_whole (&run, 1);
  run_small (&small, 1);
  for (guint i = 0; i < run.n; i++)
    if (!(fabs (weir_context_get_state (run.context)[i] - small.x[i]) < 1e-4))
      g_error ("The run ends at %.17g, by hand at %.17g.", weir_context_get_state (run.context)[i],
               small.x[i]);
  result->note = g_strdup_printf ("%" G_GUINT64_FORMAT " steps, by hand %" G_GUINT64_FORMAT,
                                  weir_simulator_get_statistics (run.simulator)->steps,
                                  small.steps);
  bench_compare (variants, 2, result);
  run_clear (&run);
}

/* --- Diffusion ------------------------------------------------------------------------------- */

static void
run_steps (gpointer data, guint64 n)
{
  Run *run = data;
  g_autoptr (GError) error = NULL;
  guint64 done = 0;

  while (done < n)
    {
      gboolean is_end = FALSE;

      if (weir_context_get_time (run->context) >= run->until)
        {
          weir_context_set_time (run->context, 0);
          weir_context_set_state (run->context, run->start);
          if (!weir_simulator_initialize (run->simulator, &error))
            g_error ("%s", error->message);
        }
      if (!weir_simulator_step (run->simulator, run->until, &is_end, &error))
        g_error ("%s", error->message);
      done++;
    }
}

static void
measure_diffusion (const BenchRow *row, BenchResult *result)
{
  Run large, small;
  BenchVariant variants[] = { { run_steps, &large, 0, 0, 0 }, { run_steps, &small, 0, 0, 0 } };

  run_init (&large, bench_rod_new (row->size), "cvode-bdf", NULL, 0.1);
  run_init (&small, bench_rod_new (row->size / 10), "cvode-bdf", NULL, 0.1);
  run_whole (&large, 1);
  run_whole (&small, 1);
  result->note = g_strdup_printf ("%" G_GUINT64_FORMAT " steps, %" G_GUINT64_FORMAT
                                  " Jacobians, %" G_GUINT64_FORMAT " right-hand sides",
                                  weir_simulator_get_statistics (large.simulator)->steps,
                                  weir_simulator_get_statistics (large.simulator)->jacobians,
                                  weir_simulator_get_statistics (large.simulator)->rhs_calls);
  bench_compare (variants, 2, result);
  run_clear (&large);
  run_clear (&small);
}

/* A step of the rod as one Equations block against one of it as blocks. */
static void
measure_stiff_equations (const BenchRow *row, BenchResult *result)
{
  Run one, many;
  BenchVariant variants[] = { { run_steps, &one, 0, 0, 0 }, { run_steps, &many, 0, 0, 0 } };

  run_init (&one, bench_rod_of_equations_new (row->size), "cvode-bdf", NULL, 0.1);
  run_init (&many, bench_rod_new (row->size), "cvode-bdf", NULL, 0.1);
  run_whole (&one, 1);
  run_whole (&many, 1);
  for (guint i = 0; i < one.n; i++)
    if (!(fabs (weir_context_get_state (one.context)[i] - weir_context_get_state (many.context)[i])
          < 1e-4))
      g_error ("The equations and the blocks end at different states.");
  result->note = g_strdup_printf ("%" G_GUINT64_FORMAT " steps, %" G_GUINT64_FORMAT
                                  " Jacobians, %" G_GUINT64_FORMAT " right-hand sides",
                                  weir_simulator_get_statistics (one.simulator)->steps,
                                  weir_simulator_get_statistics (one.simulator)->jacobians,
                                  weir_simulator_get_statistics (one.simulator)->rhs_calls);
  bench_compare (variants, 2, result);
  run_clear (&one);
  run_clear (&many);
}

/* --- Robertson's reactions ------------------------------------------------------------------- */

static WeirStatus
robertson_xcdot (const WeirCalc *c, double *xdot)
{
  const double *y = weir_calc_z (c);

  xdot[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
  xdot[2] = 3e7 * y[1] * y[1];
  xdot[1] = -xdot[0] - xdot[2];
  return WEIR_OK;
}

static WeirSystem *
robertson_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Robertson");

  weir_leaf_set_continuous_state (b, 0, 0, 3, (double[]) { 1, 0, 0 });
  weir_leaf_set_derivatives (b, robertson_xcdot, WEIR_DEPENDS (WEIR_Z));
  return weir_leaf_builder_build (b);
}

/* As the example has it: the choice is to be seen early. */
static void
measure_robertson (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  static const char *const solvers[] = { "auto", "cvode-bdf" };
  Run runs[2];
  BenchVariant variants[] = { { run_whole, &runs[0], 0, 0, 0 }, { run_whole, &runs[1], 0, 0, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      run_init_within (&runs[i], robertson_new (), solvers[i], NULL, 400, 1e-9, 1e-14);
      run_whole (&runs[i], 1);
    }
  result->note = g_strdup_printf ("%" G_GUINT64_FORMAT " steps, BDF %" G_GUINT64_FORMAT,
                                  weir_simulator_get_statistics (runs[0].simulator)->steps,
                                  weir_simulator_get_statistics (runs[1].simulator)->steps);
  bench_compare (variants, 2, result);
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    run_clear (&runs[i]);
}

/* --- A sampled controller -------------------------------------------------------------------- */

static void
measure_sampled (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  static const char *const solvers[] = { "dormand-prince", "auto" };
  const double until = 5;
  guint64 restarts = 0;

  result->value = 0;
  for (guint i = 0; i < G_N_ELEMENTS (solvers); i++)
    {
      Run run;
      const WeirSimulatorStatistics *statistics;

      run_init (&run, bench_sampled_new (1e-3), solvers[i], NULL, until);
      run_whole (&run, 1);
      statistics = weir_simulator_get_statistics (run.simulator);
      result->value = MAX (result->value, (double) statistics->steps / (until * 1000));
      restarts += statistics->reinitialisations;
      run_clear (&run);
    }
  result->best_value = result->value;
  result->reference = result->best_reference = NAN;
  result->note = g_strdup_printf ("%" G_GUINT64_FORMAT " restarts", restarts);
}

/* --- Allocations ----------------------------------------------------------------------------- */

#define N_FEW 400 /* masses: every solver takes as many states */

static void
measure_allocations (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  g_autofree ChainData *chain = chain_data_new ();
  double worst = 0;

  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const char *solver = weir_solver_get (i)->name;
      Run run;
      guint64 before, steps;

      run_init (&run, bench_chain_new (N_FEW, chain->k, chain->c), solver, chain->start, 1);
      if (!weir_simulator_advance_to (run.simulator, 0.5, NULL))
        g_error ("%s failed.", solver);
      steps = weir_simulator_get_statistics (run.simulator)->steps;
      before = n_allocations;
      if (!weir_simulator_advance_to (run.simulator, 1, NULL))
        g_error ("%s failed.", solver);
      before = n_allocations - before;
      steps = weir_simulator_get_statistics (run.simulator)->steps - steps;
      if ((double) before / (double) steps > worst)
        {
          worst = (double) before / (double) steps;
          g_free (result->note);
          result->note = g_strdup (solver);
        }
      run_clear (&run);
    }
  result->value = result->best_value = worst;
  result->reference = result->best_reference = NAN;
}

const BenchRow bench_run_rows[] = {
  { "run-chain", "CVODE Adams over the chain of 1 000 masses", "ns", BENCH_RATIO_AT_MOST, 1.10,
    measure_chain, 0 },
  { "run-chain-rk", "Dormand-Prince over the chain of 1 000 masses", "ns", BENCH_RATIO_AT_MOST, 1.0,
    measure_chain_rk, 0 },
  { "run-vdp", "Dormand-Prince over Van der Pol, 8 blocks", "ns", BENCH_RATIO_AT_MOST, 2.5,
    measure_small, VAN_DER_POL },
  { "run-pendulum", "Dormand-Prince over a pendulum, 6 blocks", "ns", BENCH_RATIO_AT_MOST, 2.5,
    measure_small, PENDULUM },
  { "run-lorenz", "Dormand-Prince over Lorenz's model, 12 blocks", "ns", BENCH_RATIO_AT_MOST, 2.5,
    measure_small, LORENZ },
  { "nvector-1000", "CVODE Adams by hand, our vector operations", "ns", BENCH_RATIO_AT_MOST, 0.25,
    measure_nvector, 0 },
  { "diffusion-10k", "a step of stiff diffusion against a tenth of the states", "ns",
    BENCH_RATIO_AT_MOST, 15, measure_diffusion, 10000 },
  { "diffusion-100k", "a step of stiff diffusion against a tenth of the states", "ns",
    BENCH_RATIO_AT_MOST, 15, measure_diffusion, 100000 },
  { "equations-stiff-1000", "a step of a stiff Equations block of 1 000 states against blocks",
    "ns", BENCH_RATIO_AT_MOST, 2, measure_stiff_equations, 1000 },
  { "auto-robertson", "Robertson's reactions by the automatic choice against CVODE BDF", "ns",
    BENCH_RATIO_AT_MOST, 2, measure_robertson, 0 },
  { "sampled-1khz", "steps per sample of a 1 kHz controller", "steps", BENCH_VALUE_AT_MOST, 1.001,
    measure_sampled, 0 },
  { "steps-alloc", "heap allocations per step, the worst solver", "", BENCH_VALUE_AT_MOST, 0,
    measure_allocations, 0 },
  { NULL },
};

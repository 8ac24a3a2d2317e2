/* Rows of FMUs: what an instance adds to a call. The FMU is the driven oscillator of the tests
 * (tests/fmi/fmus/oscillator.c), of 2.0; an evaluation sets time, states and input, and gets
 * derivatives and output.
 */
#include "bench.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include "fmi/abi.h"
#include "fmi/instance.h"

#define FOLDER WEIR_BENCH_FMUS "/oscillator-2"

typedef struct {
  WeirFmuInstance *instance;
  WeirFmi2 fmi; /* the bare functions */
  WeirFmiComponent component;
  WeirFmi2Callbacks callbacks;
  double time, x[2], u, xdot[2], y;
} Evaluation;

static const guint32 u_ref = 6, y_ref = 7;

/* --- Through an instance --------------------------------------------------------------------- */

static void
evaluate_instance (gpointer data, guint64 n)
{
  Evaluation *e = data;
  WeirFmuValues output = { WEIR_FMU_FLOAT64, &y_ref, 1, &e->y, 1 };

  for (guint64 i = 0; i < n; i++)
    {
      WeirFmuEvaluation request = {
        .time = e->time, .x = e->x, .u = &e->u, .xdot = e->xdot, .outputs = &output, .n_outputs = 1
      };

      e->time += 1e-6;
      e->x[0] += 1e-9;
      e->u += 1e-9;
      if (weir_fmu_instance_evaluate (e->instance, &request, NULL) != WEIR_FMU_DONE)
        g_error ("The FMU does not answer.");
      bench_sink = e->xdot[1] + e->y;
    }
}

static WeirFmuInstance *
start (WeirFmuPlace place)
{
  WeirFmuBinary binary = { .folder = FOLDER,
                           .name = "oscillator",
                           .identifier = "oscillator",
                           .token = "{weir-test-oscillator}",
                           .version = 2,
                           .mode = WEIR_FMU_MODEL_EXCHANGE,
                           .n_states = 2,
                           .inputs = &u_ref,
                           .n_inputs = 1,
                           .n_input_values = 1 };
  WeirFmuOptions options = weir_fmu_default_options;
  g_autoptr (GError) error = NULL;
  WeirFmuInstance *instance;
  WeirFmuUpdate update;

  options.place = place;
  instance = weir_fmu_instance_new (&binary, &options, &error);
  if (instance == NULL
      || !weir_fmu_instance_enter_initialization (instance, 0, (double) INFINITY, 0, &error)
      || !weir_fmu_instance_exit_initialization (instance, &error)
      || !weir_fmu_instance_update_discrete (instance, &update, &error)
      || !weir_fmu_instance_enter_continuous_mode (instance, &error))
    g_error ("%s", error->message);
  return instance;
}

/* --- Bare ------------------------------------------------------------------------------------ */

static void
evaluate_bare (gpointer data, guint64 n)
{
  Evaluation *e = data;

  for (guint64 i = 0; i < n; i++)
    {
      gboolean is_right;

      e->time += 1e-6;
      e->x[0] += 1e-9;
      e->u += 1e-9;
      is_right = e->fmi.SetTime (e->component, e->time) == WEIR_FMI_OK;
      is_right &= e->fmi.SetContinuousStates (e->component, e->x, 2) == WEIR_FMI_OK;
      is_right &= e->fmi.SetReal (e->component, &u_ref, 1, &e->u) == WEIR_FMI_OK;
      is_right &= e->fmi.GetDerivatives (e->component, e->xdot, 2) == WEIR_FMI_OK;
      is_right &= e->fmi.GetReal (e->component, &y_ref, 1, &e->y) == WEIR_FMI_OK;
      if (!is_right)
        g_error ("The FMU does not answer.");
      bench_sink = e->xdot[1] + e->y;
    }
}

static void
load_bare (Evaluation *e)
{
  g_autofree char *path = g_build_filename (FOLDER, "binaries", weir_fmu_get_platform (2),
                                            "oscillator.so", NULL);
  void *handle = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  WeirFmi2EventInfo info;

  if (handle == NULL)
    g_error ("%s", dlerror ());
#define LOOK_UP(kind, result, name, parameters)                                                    \
  {                                                                                                \
    void *symbol = dlsym (handle, "fmi2" #name);                                                   \
                                                                                                   \
    memcpy (&e->fmi.name, &symbol, sizeof symbol);                                                 \
  }
  WEIR_FMI2_FUNCTIONS (LOOK_UP)
#undef LOOK_UP
  e->component = e->fmi.Instantiate ("bare", WEIR_FMI2_MODEL_EXCHANGE, "{weir-test-oscillator}", "",
                                     &e->callbacks, FALSE, FALSE);
  e->fmi.SetupExperiment (e->component, FALSE, 0, 0, FALSE, 0);
  e->fmi.EnterInitializationMode (e->component);
  e->fmi.ExitInitializationMode (e->component);
  e->fmi.NewDiscreteStates (e->component, &info);
  e->fmi.EnterContinuousTimeMode (e->component);
}

/* --- Rows ------------------------------------------------------------------------------------ */

static void
measure (WeirFmuPlace place, BenchResult *result)
{
  Evaluation e = { .x = { 2, 0 } }, bare = e;
  BenchVariant variants[] = { { evaluate_instance, &e }, { evaluate_bare, &bare } };

  e.instance = start (place);
  load_bare (&bare);
  bench_compare (variants, G_N_ELEMENTS (variants), result);
  weir_fmu_instance_free (e.instance);
  bare.fmi.FreeInstance (bare.component);
}

static void
measure_call (const BenchRow *row, BenchResult *result)
{
  measure (WEIR_FMU_IN_PROCESS, result);
}

static void
measure_worker (const BenchRow *row, BenchResult *result)
{
  measure (WEIR_FMU_IN_WORKER, result);
}

const BenchRow bench_fmu_rows[] = {
  { "fmu-call", "an evaluation of an FMU in the process; reference: its bare functions", "ns",
    BENCH_RATIO_AT_MOST, 1.5, measure_call, 0 },
  { "fmu-worker", "an evaluation of an FMU in a worker: one trip; target: on a free core", "ns",
    BENCH_VALUE_AT_MOST, 2500, measure_worker, 0 },
  { NULL },
};

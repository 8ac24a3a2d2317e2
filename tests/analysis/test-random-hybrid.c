/* Random hybrid models from the library's blocks, with periodic, timed and crossing events, resets,
 * delays, random numbers and algebraic loops: cached equals uncached to the bit with every solver,
 * whether the run gets through or is ended with a report. The seed is printed. */
#include "../random-models.h"
#include "../seeds.h"
#include "analysis/verify.h"
#include "blocks/library/registry.h"
#include "system/evaluation/event.h"
#include "system/structure/diagram.h"
#include <string.h>

/* For each solver. A sanitizer sees the same code in fewer. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define N_MODELS 4
#else
#define N_MODELS 12
#endif
#define MAX_BLOCKS 40
#define STOP 1.5        /* s */
#define MAX_STEPS 20000 /* some slide along a jump that no event tells of, with short steps */

static const RandomKind kinds[] = {
  { "Lag", { "time-constant", "0.3" }, TRUE },
  { "Lag", { "time-constant", "0.05" }, TRUE },
  { "Integrator", { "initial", "0.5" }, TRUE },
  { "SecondOrderLag", { NULL }, TRUE },
  { "UnitDelay", { "period", "0.1" }, TRUE },
  { "UnitDelay", { "period", "0.07", "offset", "0.03" }, TRUE },
  { "ZeroOrderHold", { "period", "0.05" }, FALSE },
  { "TransportDelay", { "delay", "0.13" }, TRUE },
  { "Gain", { "gain", "-0.7" }, FALSE },
  { "Sum", { "signs", "+-" }, FALSE },
  { "Product", { NULL }, FALSE },
  { "MinMax", { NULL }, FALSE },
  { "Abs", { NULL }, FALSE },
  { "Saturation", { NULL }, FALSE },
  { "DeadZone", { NULL }, FALSE },
  { "Relay", { "on", "0.3", "off", "-0.2" }, FALSE },
  { "Compare", { NULL }, FALSE },
  { "Sign", { NULL }, FALSE },
  { "Switch", { NULL }, FALSE },
  { "RateLimiter", { NULL }, TRUE },
  { "Quantizer", { NULL }, FALSE },
  { "EdgeDetector", { NULL }, FALSE },
  { "HitCrossing", { NULL }, FALSE },
  { "LimitedIntegrator", { NULL }, TRUE },
  { "PID", { NULL }, FALSE },
  { "DiscretePID", { NULL }, FALSE },
  { "BouncingBall", { "height", "0.6" }, TRUE },
  { "Pendulum", { NULL }, TRUE },
  { "Pulse", { "period", "0.21" }, TRUE },
  { "Sine", { "frequency", "1.7" }, TRUE },
  { "Step", { "time", "0.4" }, TRUE },
  { "Sawtooth", { NULL }, TRUE },
  { "UniformRandom", { NULL }, TRUE },
  { "Counter", { "period", "0.05" }, TRUE },
  { "Guess", { "value", "0.2" }, FALSE },
  { "ADC", { "period", "0.03" }, TRUE },
  { "DAC", { "period", "0.04", "bits", "3" }, TRUE },
  { "Backlash", { "gap", "0.4" }, FALSE },
  { "DiscreteFilter", { "period", "0.02", "order", "3" }, TRUE },
  { "DiscreteZeroPoleGain", { "zeros", "[0.2]", "poles", "[0.3+0.4i, 0.3-0.4i]" }, TRUE },
  { "Filter", { "design", "chebyshev", "order", "4" }, TRUE },
  { "Filter", { "response", "highpass" }, FALSE },
  { "FlipFlop", { "kind", "toggle" }, TRUE },
  { "FIR", { "period", "0.05" }, FALSE },
  { "FirstOrderHold", { "period", "0.06" }, TRUE },
  { "LookupTable2D", { NULL }, FALSE },
  { "LookupTable2D", { "interpolation", "previous" }, FALSE },
  { "Memory", { NULL }, TRUE },
  { "Modulo", { "modulus", "0.6" }, FALSE },
  { "MultiportSwitch", { NULL }, FALSE },
  { "PRBS", { "period", "0.09" }, TRUE },
  { "Spectrum", { "period", "0.01", "size", "16" }, TRUE },
  { "TappedDelay", { "length", "1" }, TRUE },
  { "VariableDelay", { "minimum", "0.05", "maximum", "0.3", "points", "32" }, TRUE },
  { "ZeroPoleGain", { "zeros", "[-2, i, -i]", "poles", "[-1+2i, -1-2i, -3]" }, FALSE },
};

/* Each input is wired to some block, to one with state three times out of four: some loops remain,
 * which are solved. Inputs of the first block of all kinds come from a sine. */
static WeirSystem *
model_new (GRand *rand)
{
  guint n = (guint) g_rand_int_range (rand, 6, MAX_BLOCKS);
  RandomModel model = random_model_begin ();
  const RandomKind *chosen[MAX_BLOCKS];
  guint n_inputs[MAX_BLOCKS];

  weir_diagram_builder_set_solves_loops (model.builder, TRUE);
  for (guint i = 0; i < n; i++)
    {
      /* The first few have state. */
      do
        chosen[i] = &kinds[g_rand_int_range (rand, 0, G_N_ELEMENTS (kinds))];
      while (i < 3 && !chosen[i]->is_state);
      random_model_add (&model, chosen[i], &n_inputs[i]);
    }
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < n_inputs[i]; k++)
      {
        gboolean wants_state = g_rand_int_range (rand, 0, 10) != 0;
        guint from;

        do
          from = (guint) g_rand_int_range (rand, 0, (gint32) n);
        while (wants_state && !chosen[from]->is_state && !(from < i && !chosen[i]->is_state));
        random_model_wire (&model, from, i, k);
      }
  return random_model_end (&model);
}

static void
test_random (gconstpointer data)
{
  const WeirSolverInfo *solver = data;
  guint n_through = 0, n_events = 0;

  get_test_seed (71);
  for (guint i = 0; i < N_MODELS; i++)
    {
      guint32 seed = g_rand_int (test_rand);
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autoptr (WeirSystem) system = model_new (rand);
      WeirSimulatorOptions options;
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;
      WeirVerifyResult result;

      weir_simulator_options_init (&options);
      options.solver = solver->name;
      options.relative_tolerance = 1e-5;
      options.absolute_tolerance = 1e-8;
      options.step = 0.01;
      options.max_steps = MAX_STEPS;
      options.max_crossings = 200;
      n_events += weir_system_get_n_events (system);
      if (!weir_verify (system, &options, STOP, NULL, &result, &error))
        {
          g_test_message ("%s, seed %u: %s", solver->name, seed, error->message);
          continue;
        }
      text = weir_verify_result_to_string (&result);
      if (!result.identical)
        g_error ("%s, seed %u: %s", solver->name, seed, text);
      g_assert_cmpuint (result.n_compared, >, 0);
      n_through++;
      weir_verify_result_clear (&result);
    }
  g_test_message ("%s: %u of %u runs got through, %u events", solver->name, n_through, N_MODELS,
                  n_events);
  g_assert_cmpuint (n_through, >=, N_MODELS / 4);
  g_assert_cmpuint (n_events, >, N_MODELS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      g_autofree char *path = g_strconcat ("/analysis/random-hybrid/", weir_solver_get (i)->name,
                                           NULL);

      g_test_add_data_func (path, weir_solver_get (i), test_random);
    }
  return g_test_run ();
}

/* Blocks that jump or watch for crossings: dead zones, detectors, limits of rates, switches. */
#include "run-fixture.h"

/* --- Discontinuities ------------------------------------------------------------------------- */

static void
test_discontinuities (void)
{
  g_auto (Block) zone = block_new ("DeadZone", PAIRS ("start", "-1", "end", "2"), SCALAR);
  g_auto (Block) quantizer = block_new ("Quantizer", PAIRS ("interval", "0.5"), SCALAR);

  g_assert_cmpfloat (of (&zone, -3), ==, -2);
  g_assert_cmpfloat (of (&zone, 1.5), ==, 0);
  g_assert_cmpfloat (of (&zone, 2.5), ==, 0.5);
  g_assert_cmpfloat (of (&quantizer, 0.2), ==, 0);
  g_assert_cmpfloat (of (&quantizer, 0.3), ==, 0.5);
  g_assert_cmpfloat (of (&quantizer, -1.3), ==, -1.5);
}

/* Rounding a ramp to levels of 1/2 from 0 to 3: the area under the stairs, each step located. */
static void
test_quantizer_in_run (void)
{
  Run run = { NULL };

  add (&run, "Ramp", "Ramp", NULL);
  add (&run, "Quantizer", "Quantizer", NULL);
  add (&run, "Integral", "Integrator", NULL);
  wire (&run, "Ramp", "y", "Quantizer", "u");
  wire (&run, "Quantizer", "y", "Integral", "u");
  start (&run, NULL);
  advance (&run, 3.25);
  g_assert_cmpfloat_with_epsilon (value (&run, "Integral"), 0.5 * (0.5 + 1 + 1.5 + 2 + 2.5 + 3),
                                  1e-11);
  run_clear (&run);
}

/* A step of 2 with rate 1 and time constant T: straight to 2 - T, then with T: at 2 exactly never,
 * but within T exp (-1) a time T later. */
static void
test_rate_limiter (void)
{
  const double tau = 0.1;
  Run run = driven ("Constant", PAIRS ("value", "2"), "RateLimiter", PAIRS ("time-constant", "0.1"),
                    "u");

  advance (&run, 1);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 1, SOLVED);
  advance (&run, 2 - tau);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 2 - tau, SOLVED);
  advance (&run, 2);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 2 - tau * exp (-1.0), SOLVED);
  run_clear (&run);
}

/* --- Detectors ------------------------------------------------------------------------------- */

/* A sine of 1 Hz rises through 1/2 at t = 1/12 of each second and falls through it at 5/12. */
static void
test_hit_crossing (void)
{
  static const struct {
    const char *direction;
    double count, last;
  } cases[] = {
    { "rising", 3, 2 + 1.0 / 12 },
    { "falling", 2, 1 + 5.0 / 12 },
    { "both", 5, 2 + 1.0 / 12 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Run run = driven ("Sine", NULL, "HitCrossing",
                        PAIRS ("level", "0.5", "direction", cases[i].direction), "u");

      advance (&run, 2.25);
      g_assert_cmpfloat (value_of (&run, "Block", 0), ==, cases[i].count);
      g_assert_cmpfloat_with_epsilon (value_of (&run, "Block", 1), cases[i].last, 1e-12);
      run_clear (&run);
    }
}

/* A pulse is true from 0.5 n to 0.5 n + 0.25; sampled every 0.1 it turns true at 0.5, 1.0, ... */
static void
test_edge_detector (void)
{
  Run run = driven ("Pulse", PAIRS ("period", "0.5", "delay", "0.5"), "EdgeDetector", NULL, "u");

  for (guint n = 0; n < 40; n++)
    {
      advance (&run, (n + 0.5) * 0.1);
      g_assert_cmpfloat (value (&run, "Block"), ==, n > 0 && n % 5 == 0 ? 1 : 0);
    }
  run_clear (&run);
}

/* The ramp rises above 1.5 at t = 1.5; what is told is the message. A run whose input is above from
 * the start ends there. */
static void
test_stop (void)
{
  Run run = driven ("Ramp", NULL, "Stop", PAIRS ("level", "1.5", "message", "high enough"), "u");

  advance (&run, 10);
  g_assert_true (weir_simulator_is_terminated (run.simulator));
  g_assert_cmpfloat_with_epsilon (weir_context_get_time (run.context), 1.5, 1e-12);
  g_assert_cmpuint (weir_simulator_get_n_notes (run.simulator), ==, 1);
  g_assert_nonnull (strstr (weir_simulator_get_note (run.simulator, 0)->text, "high enough"));
  run_clear (&run);

  run = driven (UNIT, "Stop", NULL, "u");
  advance (&run, 10);
  g_assert_true (weir_simulator_is_terminated (run.simulator));
  g_assert_cmpfloat (weir_context_get_time (run.context), ==, 0);
  run_clear (&run);
}

/* The control counts up in steps of 1 and stands on the threshold, 2, exactly from 0.2 to 0.3. */
static void
test_on_the_threshold (void)
{
  static const struct {
    const char *type, *parameter, *text;
    double y[4];
  } cases[] = {
    { "Compare", "relation", ">=", { 0, 0, 1, 1 } },
    { "Compare", "relation", ">", { 0, 0, 0, 1 } },
    { "Compare", "relation", "<", { 1, 1, 0, 0 } },
    { "Compare", "relation", "<=", { 1, 1, 1, 0 } },
    { "Switch", "criterion", ">=", { 5, 5, 4, 4 } },
    { "Switch", "criterion", ">", { 5, 5, 5, 4 } },
    { "Switch", "criterion", "!=", { 4, 4, 5, 4 } },
  };

  for (gsize i = 0; i < 2 * G_N_ELEMENTS (cases); i++)
    {
      gboolean is_falling = i >= G_N_ELEMENTS (cases);
      guint k = i % G_N_ELEMENTS (cases);
      Run run = { NULL };

      add (&run, "Count", "Counter",
           PAIRS ("period", "0.1", "gain", "1", "offset", "0.1", "initial", is_falling ? "3" : "0",
                  "increment", is_falling ? "-1" : "1"));
      add (&run, "Block", cases[k].type,
           PAIRS (cases[k].parameter, cases[k].text, "threshold", "2"));
      add (&run, "Four", "Constant", PAIRS ("value", "4"));
      add (&run, "Five", "Constant", PAIRS ("value", "5"));
      if (g_str_equal (cases[k].type, "Switch"))
        {
          wire (&run, "Count", "y", "Block", "control");
          wire (&run, "Four", "y", "Block", "in1");
          wire (&run, "Five", "y", "Block", "in2");
        }
      else
        wire (&run, "Count", "y", "Block", "u");
      start (&run, NULL);
      for (guint n = 0; n < 4; n++)
        {
          advance (&run, n * 0.1 + 0.05);
          g_test_message ("%s %s, step %u%s", cases[k].type, cases[k].text, n,
                          is_falling ? " down" : "");
          g_assert_cmpfloat (value (&run, "Block"), ==, cases[k].y[is_falling ? 3 - n : n]);
        }
      run_clear (&run);
    }
}

/* A switch between 1 and -2 by a sine of period 1: the integral over a period is -1/2, exactly if
 * no step goes across a crossing. */
static void
test_switch_in_run (void)
{
  Run run = { NULL };

  add (&run, "Sine", "Sine", NULL);
  add (&run, "One", "Constant", PAIRS ("value", "1"));
  add (&run, "Two", "Constant", PAIRS ("value", "-2"));
  add (&run, "Switch", "Switch", PAIRS ("criterion", ">"));
  add (&run, "Integral", "Integrator", NULL);
  wire (&run, "Sine", "y", "Switch", "control");
  wire (&run, "One", "y", "Switch", "in1");
  wire (&run, "Two", "y", "Switch", "in2");
  wire (&run, "Switch", "y", "Integral", "u");
  start (&run, NULL);
  advance (&run, 3.25);
  g_assert_cmpfloat_with_epsilon (value (&run, "Integral"), 3 * -0.5 + 0.25, 1e-11);
  run_clear (&run);
}

/* --- Routing --------------------------------------------------------------------------------- */

static void
test_demux (void)
{
  g_auto (Block) block = block_new ("Demux", PAIRS ("sizes", "[2, 1]"), (const guint[]) { 3 });

  weir_context_fix_input (block.context, WEIR_ROOT, (WeirInput) { 0 },
                          (const double[]) { 1, 2, 3 });
  g_assert_cmpfloat (block_eval (&block, 0)[0], ==, 1);
  g_assert_cmpfloat (block_eval (&block, 0)[1], ==, 2);
  g_assert_cmpfloat (block_eval (&block, 1)[0], ==, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/discontinuities/discontinuities", test_discontinuities);
  g_test_add_func ("/blocks/discontinuities/quantizer-in-run", test_quantizer_in_run);
  g_test_add_func ("/blocks/discontinuities/rate-limiter", test_rate_limiter);
  g_test_add_func ("/blocks/discontinuities/hit-crossing", test_hit_crossing);
  g_test_add_func ("/blocks/discontinuities/edge-detector", test_edge_detector);
  g_test_add_func ("/blocks/discontinuities/stop", test_stop);
  g_test_add_func ("/blocks/discontinuities/on-the-threshold", test_on_the_threshold);
  g_test_add_func ("/blocks/discontinuities/switch-in-run", test_switch_in_run);
  g_test_add_func ("/blocks/discontinuities/demux", test_demux);
  return g_test_run ();
}

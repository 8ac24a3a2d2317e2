/* Blocks with events, in runs: against closed forms. */
#include "run-fixture.h"

/* From 10 m with restitution e: the first fall takes t1 = sqrt (2 h / g), and all bounces together
 * t1 2 e / (1 - e), so that it rests from t1 (1 + e) / (1 - e) on: 12.8505881063 s for e = 0.8.
 * What a bounce of 1e-9 m/s still has before it is 2e-9 / (g (1 - e)), a nanosecond. */
static void
test_ball (gconstpointer solver)
{
  /* A multistep method loses sight of bounces lower than its tolerance. */
  double off = g_str_has_prefix (solver, "cvode") ? 1e-4 : 2e-9;
  double t1 = sqrt (20 / 9.81);
  Run run = { NULL };

  add (&run, "Ball", "BouncingBall", NULL);
  start (&run, solver);
  advance (&run, t1 * (1 + 0.8));
  /* At the top of the first flight the height is e^2 10. */
  g_assert_cmpfloat_with_epsilon (value (&run, "Ball"), 0.8 * 0.8 * 10, 1e-6);
  g_assert_cmpfloat_with_epsilon (t1 * 9, 12.8505881063, 1e-10);
  advance (&run, t1 * 9 - off);
  g_assert_cmpuint (weir_simulator_get_n_notes (run.simulator), ==, 0);
  advance (&run, t1 * 9 + off);
  g_assert_cmpuint (weir_simulator_get_n_notes (run.simulator), ==, 1);
  advance (&run, 15);
  g_assert_cmpfloat (value (&run, "Ball"), ==, 0);
  g_assert_cmpuint (weir_simulator_get_n_notes (run.simulator), ==, 1);
  g_assert_true (
      g_str_has_prefix (weir_simulator_get_note (run.simulator, 0)->text, "Ball at t = "));
  g_assert_nonnull (strstr (weir_simulator_get_note (run.simulator, 0)->text, "came to rest"));
  run_clear (&run);
}

/* x' = -sign (x) from 1: a report with block, count and interval, at t = 1. */
static void
test_chattering (gconstpointer solver)
{
  g_autoptr (GError) error = NULL;
  Run run = { NULL };

  add (&run, "X", "Integrator", PAIRS ("initial", "1"));
  add (&run, "Sign", "Sign", NULL);
  add (&run, "Minus", "Gain", PAIRS ("gain", "-1"));
  wire (&run, "X", "y", "Sign", "u");
  wire (&run, "Sign", "y", "Minus", "u");
  wire (&run, "Minus", "y", "X", "u");
  start (&run, solver);
  g_assert_false (weir_simulator_advance_to (run.simulator, 5, &error));
  g_assert_true (
      g_str_has_prefix (error->message, "Sign: 1001 zero crossings (Sign:crossing) within "));
  g_assert_cmpfloat_with_epsilon (weir_context_get_time (run.context), 1, 1e-6);
  g_assert_cmpfloat_with_epsilon (value (&run, "X"), 0, 1e-9);
  run_clear (&run);
}

/* x' = 2 relay (-x) - 1 with hysteresis at +-h: x runs between the points at slope 1, a period of 4
 * h. */
static void
test_relay (void)
{
  Run run = { NULL };

  add (&run, "X", "Integrator", PAIRS ("initial", "0"));
  add (&run, "Minus", "Gain", PAIRS ("gain", "-1"));
  add (&run, "Relay", "Relay",
       PAIRS ("switch-on", "0.5", "switch-off", "-0.5", "on", "1", "off", "-1"));
  wire (&run, "X", "y", "Minus", "u");
  wire (&run, "Minus", "y", "Relay", "u");
  wire (&run, "Relay", "y", "X", "u");
  start (&run, NULL);
  /* Off at first: down to -0.5, then up and down: at 0.5 + 2 k periods again -0.5. */
  for (guint k = 0; k < 10; k++)
    {
      advance (&run, 0.5 + 2 * k + 0.25);
      g_assert_cmpfloat_with_epsilon (value (&run, "X"), -0.25, 1e-11);
      advance (&run, 0.5 + 2 * k + 1.25);
      g_assert_cmpfloat_with_epsilon (value (&run, "X"), 0.25, 1e-11);
    }
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->crossings, >=, 20);
  run_clear (&run);
}

/* The integral of sign (sin 2 pi t) is a triangle; of a comparison of it with 1/2, it grows by a
 * third of each second. The sine begins on zero. */
static void
test_sign_and_compare (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "Sine", "Sine", NULL);
  add (&run, "Sign", "Sign", NULL);
  add (&run, "Compare", "Compare", PAIRS ("relation", "<", "threshold", "0.5"));
  add (&run, "Triangle", "Integrator", NULL);
  add (&run, "Share", "Integrator", NULL);
  wire (&run, "Sine", "y", "Sign", "u");
  wire (&run, "Sine", "y", "Compare", "u");
  wire (&run, "Sign", "y", "Triangle", "u");
  wire (&run, "Compare", "y", "Share", "u");
  start (&run, solver);
  advance (&run, 0.5);
  g_assert_cmpfloat_with_epsilon (value (&run, "Triangle"), 0.5, 1e-9);
  advance (&run, 0.75);
  g_assert_cmpfloat_with_epsilon (value (&run, "Triangle"), 0.25, 1e-9);
  advance (&run, 3);
  g_assert_cmpfloat_with_epsilon (value (&run, "Triangle"), 0, 1e-9);
  g_assert_cmpfloat_with_epsilon (value (&run, "Share"), 3 * 2 / 3., 1e-8);
  run_clear (&run);
}

/* z' = 3 from 0 stands at 1 from 1/3 on until the input turns at t = 2; a reset at t = 4 puts it
 * back. */
static void
test_limited_integrator (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "U", "Step", PAIRS ("time", "2", "before", "3", "after", "-0.5"));
  add (&run, "Reset", "Step", PAIRS ("time", "4", "before", "-1", "after", "1"));
  add (&run, "Z", "LimitedIntegrator", NULL);
  wire (&run, "U", "y", "Z", "u");
  wire (&run, "Reset", "y", "Z", "reset");
  start (&run, solver);
  advance (&run, 0.25);
  g_assert_cmpfloat_with_epsilon (value (&run, "Z"), 0.75, 1e-9);
  advance (&run, 1.9);
  g_assert_cmpfloat (value (&run, "Z"), ==, 1);
  advance (&run, 3);
  g_assert_cmpfloat_with_epsilon (value (&run, "Z"), 0.5, 1e-9);
  advance (&run, 4.5);
  g_assert_cmpfloat_with_epsilon (value (&run, "Z"), -0.25, 1e-9);
  advance (&run, 10);
  g_assert_cmpfloat (value (&run, "Z"), ==, -1);
  run_clear (&run);
}

/* z' = 1 begins where the signal says, 2 - t, and again at the reset at t = 1.25; held within the
 * limits both times. */
static void
test_start_signal (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "U", "Constant", PAIRS ("value", "-1"));
  add (&run, "Start", "Ramp", PAIRS ("start", "0", "slope", "-1", "initial", "2"));
  add (&run, "Reset", "Step", PAIRS ("time", "1.25", "before", "-1", "after", "1"));
  add (&run, "Z", "LimitedIntegrator", NULL);
  wire (&run, "U", "y", "Z", "u");
  wire (&run, "Reset", "y", "Z", "reset");
  wire (&run, "Start", "y", "Z", "start");
  start (&run, solver);
  advance (&run, 0.5);
  g_assert_cmpfloat_with_epsilon (value (&run, "Z"), 0.5, 1e-9);
  advance (&run, 1.5);
  g_assert_cmpfloat_with_epsilon (value (&run, "Z"), 0.75 - 0.25, 1e-9);
  advance (&run, 5);
  g_assert_cmpfloat (value (&run, "Z"), ==, -1);
  run_clear (&run);
}

/* Edges end the solver's steps: the integral of a pulse is exact, and no trial step is rejected. */
static void
test_edges (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "Pulse", "Pulse",
       PAIRS ("amplitude", "2", "period", "0.3", "duty", "40", "delay", "0.1"));
  add (&run, "Z", "Integrator", NULL);
  wire (&run, "Pulse", "y", "Z", "u");
  start (&run, solver);
  advance (&run, 3.1);
  g_assert_cmpfloat_with_epsilon (value (&run, "Z"), 10 * 0.3 * 0.4 * 2, 1e-9);
  if (!g_str_has_prefix (solver, "cvode"))
    g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->rejected_steps, ==, 0);
  g_assert_cmpuint (weir_simulator_get_event_count (run.simulator, 0), ==, 21);
  run_clear (&run);
}

/* The integral of |sin 2 pi t| over a second is 2 / pi; of sin held at 1/2 above, 0.5 / 3 plus two
 * flanks below zero it is that of the sine: known from elementary integrals. */
static void
test_kinks (gconstpointer solver)
{
  double a = G_PI / 6;
  Run run = { NULL };

  add (&run, "Sine", "Sine", NULL);
  add (&run, "Abs", "Abs", NULL);
  add (&run, "Saturation", "Saturation", PAIRS ("lower", "-2", "upper", "0.5"));
  add (&run, "A", "Integrator", NULL);
  add (&run, "S", "Integrator", NULL);
  wire (&run, "Sine", "y", "Abs", "u");
  wire (&run, "Sine", "y", "Saturation", "u");
  wire (&run, "Abs", "y", "A", "u");
  wire (&run, "Saturation", "y", "S", "u");
  start (&run, solver);
  advance (&run, 1);
  g_assert_cmpfloat_with_epsilon (value (&run, "A"), 2 / G_PI, 1e-7);
  /* Flanks: 2 (1 - cos a), top: 0.5 (pi - 2 a), lower half: -2; all over 2 pi. */
  g_assert_cmpfloat_with_epsilon (
      value (&run, "S"), (2 * (1 - cos (a)) + 0.5 * (G_PI - 2 * a) - 2) / (2 * G_PI), 1e-7);
  run_clear (&run);
}

/* Steps of 0.07 from 0.14 end on zero exactly, and the next goes on through it. */
static void
test_landing (void)
{
  static const struct {
    const char *type, *name, *text;
    double falling[2], rising[2]; /* before it lands, and after it has left */
  } cases[] = {
    { "Compare", "relation", ">=", { 1, 0 }, { 0, 1 } },
    { "Compare", "relation", ">", { 1, 0 }, { 0, 1 } },
    { "Compare", "relation", "<", { 0, 1 }, { 1, 0 } },
    { "Compare", "relation", "<=", { 0, 1 }, { 1, 0 } },
    { "Quantizer", "rounding", "down", { 0, -0.5 }, { -0.5, 0 } },
    { "Quantizer", "rounding", "up", { 0.5, 0 }, { 0, 0.5 } },
    { "Sign", NULL, NULL, { 1, -1 }, { -1, 1 } },
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++)
    {
      guint k = i / 2;
      gboolean falls = i % 2 == 0;
      const double *expected = falls ? cases[k].falling : cases[k].rising;
      Run run = { NULL };

      add (&run, "Slope", "Constant", PAIRS ("value", falls ? "-1" : "1"));
      add (&run, "X", "Integrator", PAIRS ("initial", falls ? "0.14" : "-0.14"));
      add (&run, "Block", cases[k].type,
           cases[k].name != NULL ? PAIRS (cases[k].name, cases[k].text) : NULL);
      add (&run, "Sum", "Integrator", NULL);
      wire (&run, "Slope", "y", "X", "u");
      wire (&run, "X", "y", "Block", "u");
      wire (&run, "Block", "y", "Sum", "u");
      start (&run, "euler");
      advance (&run, 0.07);
      g_assert_cmpfloat (value (&run, "Block"), ==, expected[0]);
      advance (&run, 0.14);
      g_assert_cmpfloat (value (&run, "X"), ==, 0);
      advance (&run, 0.35);
      g_test_message ("%s %s, %s", cases[k].type, cases[k].text, falls ? "falling" : "rising");
      g_assert_cmpfloat (value (&run, "Block"), ==, expected[1]);
      g_assert_cmpfloat_with_epsilon (value (&run, "Sum"), 0.14 * expected[0] + 0.21 * expected[1],
                                      1e-12);
      run_clear (&run);
    }
}

int
main (int argc, char **argv)
{
  static const char *const solvers[] = { "auto", "bogacki-shampine", "cvode-adams", "cvode-bdf" };
  static const struct {
    const char *name;
    GTestDataFunc test;
  } tests[] = {
    { "ball", test_ball },
    { "chattering", test_chattering },
    { "sign-and-compare", test_sign_and_compare },
    { "limited-integrator", test_limited_integrator },
    { "start-signal", test_start_signal },
    { "edges", test_edges },
    { "kinks", test_kinks },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    for (guint k = 0; k < G_N_ELEMENTS (solvers); k++)
      {
        g_autofree char *path = g_strdup_printf ("/blocks/hybrid/%s/%s", tests[i].name, solvers[k]);

        g_test_add_data_func (path, solvers[k], tests[i].test);
      }
  g_test_add_func ("/blocks/hybrid/relay", test_relay);
  g_test_add_func ("/blocks/hybrid/landing", test_landing);
  return g_test_run ();
}

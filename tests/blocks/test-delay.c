/* Transport delays: of what is smooth, of what jumps, within a loop, and when their room is full.
 */
#include "run-fixture.h"

/* A sine, 0.3 s later; before that the initial value. Of points T / 64 apart the cubic's error is
 * (3 / 128) h^4 (2 pi)^4 = 2e-8, a little more where rows are uneven. */
static void
test_delay_smooth (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "Sine", "Sine", NULL);
  add (&run, "Block", "TransportDelay", PAIRS ("delay", "0.3", "initial", "5"));
  add (&run, "Lag", "Lag", NULL);
  wire (&run, "Sine", "y", "Block", "u");
  wire (&run, "Block", "y", "Lag", "u");
  start (&run, solver);
  advance (&run, 0.29);
  g_assert_cmpfloat (value (&run, "Block"), ==, 5);
  for (double t = 0.31; t < 3; t += 0.17)
    {
      advance (&run, t);
      g_assert_cmpfloat_with_epsilon (value (&run, "Block"), sin (2 * G_PI * (t - 0.3)), 3e-8);
    }
  run_clear (&run);
}

/* Jumps of all kinds arrive sharp and on time: the integral of a delayed pulse, whose jumps are
 * known to time, and of a delayed counter, whose jumps are updates, is exact; but for a multistep
 * method, which starts again behind each. */
static void
test_delay_jumps (gconstpointer solver)
{
  gboolean is_multistep = g_str_has_prefix (solver, "cvode") || g_str_equal (solver, "ida");
  double tolerance = is_multistep ? 1e-7 : 1e-9;
  Run run = { NULL };

  add (&run, "Pulse", "Pulse", PAIRS ("period", "0.7", "duty", "50", "amplitude", "2"));
  add (&run, "Count", "Counter", PAIRS ("period", "0.31", "offset", "0.31", "gain", "1"));
  add (&run, "A", "TransportDelay", PAIRS ("delay", "1.1"));
  add (&run, "B", "TransportDelay", PAIRS ("delay", "1.1"));
  add (&run, "IA", "Integrator", NULL);
  add (&run, "IB", "Integrator", NULL);
  wire (&run, "Pulse", "y", "A", "u");
  wire (&run, "Count", "y", "B", "u");
  wire (&run, "A", "y", "IA", "u");
  wire (&run, "B", "y", "IB", "u");
  start (&run, solver);
  advance (&run, 1.1 + 2.0);
  /* Two pulses of 0.35 and, from 1.4 on, 0.35 of the third's: all of it. */
  g_assert_cmpfloat_with_epsilon (value (&run, "IA"), 2 * 3 * 0.35, tolerance);
  /* Sum over n = 1..6 of what is left of 2 s after 0.31 n. */
  g_assert_cmpfloat_with_epsilon (value (&run, "IB"), 6 * 2.0 - 0.31 * 21, tolerance);
  run_clear (&run);
}

/* x' = -x (t - 1) with x = 1 until 0: by the method of steps 1 - t, then 1 - t + (t - 1)^2 / 2,
 * then less (t - 2)^3 / 6, and so on. */
static void
test_delay_loop (gconstpointer solver)
{
  Run run = { NULL };
  guint order = weir_solver_find (solver)->order; /* steps of 1/64 at most */

  add (&run, "X", "Integrator", PAIRS ("initial", "1"));
  add (&run, "Delay", "TransportDelay", PAIRS ("delay", "1", "initial", "1"));
  add (&run, "Minus", "Gain", PAIRS ("gain", "-1"));
  wire (&run, "X", "y", "Delay", "u");
  wire (&run, "Delay", "y", "Minus", "u");
  wire (&run, "Minus", "y", "X", "u");
  start (&run, solver);
  for (double t = 0.5; t <= 4; t += 0.5)
    {
      double x = 1, factor = -1;

      for (guint k = 1; t > k - 1.0; k++, factor /= -(double) k)
        x += factor * pow (t - k + 1, k);
      advance (&run, t);
      g_assert_cmpfloat_with_epsilon (value (&run, "X"), x,
                                      order == 1   ? 0.02
                                      : order == 2 ? 5e-5
                                                   : 1e-6);
    }
  run_clear (&run);
}

/* More jumps than there are points are refused with a sentence. */
static void
test_delay_full (void)
{
  Run run = driven ("Counter", PAIRS ("period", "0.01"), "TransportDelay",
                    PAIRS ("delay", "1", "points", "8"), "u");
  g_autoptr (GError) error = NULL;

  g_assert_false (weir_simulator_advance_to (run.simulator, 2, &error));
  g_assert_nonnull (strstr (error->message, "Block"));
  g_assert_nonnull (strstr (error->message, "jumps too often within the delay of 1 s for its 8"));
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/delay/full", test_delay_full);
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const char *solver = weir_solver_get (i)->name;
      g_autofree char *smooth = g_strdup_printf ("/blocks/delay/smooth/%s", solver);
      g_autofree char *jumps = g_strdup_printf ("/blocks/delay/jumps/%s", solver);
      g_autofree char *loop = g_strdup_printf ("/blocks/delay/loop/%s", solver);

      g_test_add_data_func (smooth, solver, test_delay_smooth);
      g_test_add_data_func (jumps, solver, test_delay_jumps);
      g_test_add_data_func (loop, solver, test_delay_loop);
    }
  return g_test_run ();
}

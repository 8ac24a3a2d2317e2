/* What an Equations block solves for from where the last step ended: equations of several solutions
 * keep to the one that the run is on, and how they are run changes no bit of it.
 */
#include "analysis/verify.h"
#include "equations-fixture.h"
#include "native/native.h"

static const char *const solvers[] = { "dormand-prince", "cvode-bdf" };

/* Two folds, at u = -+2 / (3 sqrt (3)): x keeps to its branch until that ends. */
#define FOLDS "u ~ sin(t)\nx^3 - x ~ u\nguess x = -1\nD(s) ~ x\ninitial s = 0\noutput x, s"
/* An angle that goes on turning: any multiple of pi would do. */
#define ANGLE "sin(p - 3*t) ~ 0\nguess p = 0\nD(s) ~ p - s\ninitial s = 0\noutput p, s"
/* Four bars of which the frame is the shortest: both cranks turn all the way round (Grashof). */
#define BARS                                                                                       \
  "parameter r1 = 1, r2 = 2, r3 = 2.5, r4 = 2\nq ~ 2*t\n"                                          \
  "r2*cos(q) + r3*cos(c) ~ r1 + r4*cos(b)\nr2*sin(q) + r3*sin(c) ~ r4*sin(b)\n"                    \
  "guess c = 0.6\nguess b = 1\nD(s) ~ b - s\ninitial s = 0\noutput b, c, s"

static const char *const texts[] = { FOLDS, ANGLE, BARS };

/* The roots of x^3 - x = u on the branch above (@sign 1) or below (-1), by Viete and by cosh. */
static double
calc_branch (double u, double sign)
{
  double share = sign * u * 1.5 * sqrt (3);

  return sign * 2 / sqrt (3) * (share > 1 ? cosh (acosh (share) / 3) : cos (acos (share) / 3));
}

/* With u going up and down: below until u is 0.385, above until it is -0.385, and so on. */
static void
test_hysteresis (void)
{
  static const struct {
    double time, sign;
  } points[] = { { 0.3, -1 }, { 0.5, 1 },  { 3, 1 },    { 3.4, 1 }, { 3.6, -1 },
                 { 6, -1 },   { 6.6, -1 }, { 6.75, 1 }, { 9.6, 1 }, { 9.9, -1 } };

  for (guint s = 0; s < G_N_ELEMENTS (solvers); s++)
    {
      g_auto (Run) run = run_new (FOLDS, solvers[s]);

      for (guint i = 0; i < G_N_ELEMENTS (points); i++)
        {
          advance (&run, points[i].time);
          g_assert_cmpfloat_with_epsilon (value (&run, "x"),
                                          calc_branch (sin (points[i].time), points[i].sign), 1e-9);
        }
    }
}

static void
test_turning (void)
{
  for (guint s = 0; s < G_N_ELEMENTS (solvers); s++)
    {
      g_auto (Run) angle = run_new (ANGLE, solvers[s]);
      g_auto (Run) bars = run_new (BARS, solvers[s]);
      double first;

      advance (&angle, 20);
      g_assert_cmpfloat_with_epsilon (value (&angle, "p"), 60, 1e-9);
      first = value (&bars, "b");
      for (guint turn = 1; turn <= 3; turn++)
        {
          advance (&bars, turn * G_PI);
          g_assert_cmpfloat_with_epsilon (value (&bars, "b"), first + 2 * G_PI * turn, 1e-9);
        }
    }
}

/* Whose only solution is 3 t. */
#define ONE "p^3 + p ~ 27*t^3 + 3*t\nguess p = 0\nD(s) ~ p - s\ninitial s = 0\noutput p, s"

/* To move the start is no event, and restarts no solver: the steps are those of the same equation
 * with its solution written out. */
static void
test_steps (void)
{
  for (guint s = 0; s < G_N_ELEMENTS (solvers); s++)
    {
      g_auto (Run) solved = run_new (ONE, solvers[s]);
      g_auto (Run)
          given = run_new ("p ~ 3*t\nD(s) ~ p - s\ninitial s = 0\noutput p, s", solvers[s]);
      const WeirSimulatorStatistics *a, *b;

      advance (&solved, 20);
      advance (&given, 20);
      a = weir_simulator_get_statistics (solved.simulator);
      b = weir_simulator_get_statistics (given.simulator);
      g_assert_cmpuint (a->steps, ==, b->steps);
      g_assert_cmpuint (a->rejected_steps, ==, b->rejected_steps);
      g_assert_cmpuint (a->discrete_updates + a->event_iterations, ==,
                        b->discrete_updates + b->event_iterations);
      g_assert_cmpfloat_with_epsilon (value (&solved, "s"), value (&given, "s"), 1e-9);
    }
}

static void
test_cached (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    for (guint s = 0; s < G_N_ELEMENTS (solvers); s++)
      {
        g_auto (Block) block = block_new ("Equations", PAIRS ("equations", texts[i]), NULL);
        g_autofree char *sentence = NULL;
        g_autoptr (GError) error = NULL;
        WeirSimulatorOptions options;
        WeirVerifyResult result;

        weir_simulator_options_init (&options);
        options.solver = solvers[s];
        weir_verify (block.system, &options, 7, NULL, &result, &error);
        g_assert_no_error (error);
        sentence = weir_verify_result_to_string (&result);
        g_test_message ("%s", sentence);
        g_assert_true (result.identical);
        weir_verify_result_clear (&result);
      }
}

/* As a program, and as code of the machine. */
static void
test_native (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      double s[2];

      for (guint k = 0; k < 2; k++)
        {
          gboolean was_on = weir_native_is_on ();
          g_auto (Run) run = { 0 };

          weir_native_set_on (k == 1);
          run = run_new (texts[i], solvers[0]);
          advance (&run, 7);
          s[k] = value (&run, "s");
          weir_native_set_on (was_on);
        }
      g_assert_cmpfloat (s[0], ==, s[1]);
    }
}

/* A run that is saved on a branch which no guess leads to goes on there, and one whose context is
 * copied too; both to the bit. */
static void
test_saved (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto (Run) run = run_new (texts[i], solvers[0]);
      g_auto (Run) other = run_new (texts[i], solvers[0]);
      g_autoptr (WeirContext) copy = NULL;
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;

      advance (&run, 3.4);
      copy = weir_context_clone (run.block.context);
      bytes = weir_simulator_save (run.simulator, &error);
      g_assert_no_error (error);
      weir_simulator_load (other.simulator, bytes, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (value (&other, "s"), ==, value (&run, "s"));
      for (guint out = 0; out < 2; out++)
        g_assert_cmpfloat (
            *weir_eval_output (run.block.system, copy, (WeirNode) { 0 }, (WeirOutput) { out }), ==,
            block_eval (&run.block, out)[0]);
      advance (&run, 7);
      advance (&other, 7);
      for (guint out = 0; out < 2; out++)
        g_assert_cmpfloat (block_eval (&other.block, out)[0], ==, block_eval (&run.block, out)[0]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/equations-starts/hysteresis", test_hysteresis);
  g_test_add_func ("/blocks/equations-starts/turning", test_turning);
  g_test_add_func ("/blocks/equations-starts/steps", test_steps);
  g_test_add_func ("/blocks/equations-starts/cached", test_cached);
  g_test_add_func ("/blocks/equations-starts/native", test_native);
  g_test_add_func ("/blocks/equations-starts/saved", test_saved);
  return g_test_run ();
}

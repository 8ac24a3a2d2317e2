/* Sizes of states that the tolerance is multiplied by.
 *
 * Reference: a model in which every state is counted in units of 2^-20 of another's makes the same
 * steps when that is said to be its size, and its states are those of the other times 2^-20, to the
 * bit: powers of two change no rounding.
 */
#include <math.h>
#include <string.h>

#include "sim/simulator.h"
#include "system/evaluation/calc.h"
#include "system/evaluation/eval.h"
#include "system/layout/layout.h"

#define SMALL 0x1p-20

/* x' = -50 (x - s cos t), y' = x - y, with s = 1 or SMALL. */
static WeirStatus
follow (const WeirCalc *c, double *out)
{
  const double *x = weir_calc_xc (c);
  double s = weir_calc_parameter (c, (WeirParameter) { 0 })[0];

  out[0] = -50 * (x[0] - s * cos (weir_calc_time (c)));
  out[1] = x[0] - x[1];
  return WEIR_OK;
}

static WeirSystem *
follower (double size, gboolean is_said)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Follower");
  WeirTicket p = weir_parameter_ticket (b, weir_leaf_add_parameter (b, "s", &size, 1));
  double zeros[2] = { 0, 0 }, nominals[2] = { size, size };

  weir_leaf_set_continuous_state (b, 0, 0, 2, zeros);
  if (is_said)
    weir_leaf_set_state_nominals (b, nominals);
  weir_leaf_set_derivatives (b, follow, WEIR_DEPENDS (WEIR_TIME, WEIR_XC, p));
  weir_leaf_add_output_window (b, "y", WEIR_XC);
  return weir_leaf_builder_build (b);
}

/* The same leaf, which says so by a group: from the start, by an update then, or at 2 s. */
typedef enum { FROM_START, AT_START, LATER } When;

static WeirStatus
shrink (G_GNUC_UNUSED const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = next[1] = SMALL;
  return WEIR_OK;
}

static WeirSystem *
changing (When when)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Changing");
  const double small = SMALL, zeros[2] = { 0, 0 }, ones[2] = { 1, 1 }, smalls[2] = { SMALL, SMALL };
  WeirTicket p = weir_parameter_ticket (b, weir_leaf_add_parameter (b, "s", &small, 1));
  WeirGroup sizes;

  weir_leaf_set_continuous_state (b, 0, 0, 2, zeros);
  sizes = weir_leaf_add_discrete_state (b, "sizes", when == FROM_START ? smalls : ones, 2);
  weir_leaf_set_nominals_group (b, sizes);
  if (when == AT_START)
    weir_leaf_add_update (b, weir_on_initialization (), sizes, shrink);
  else if (when == LATER)
    weir_leaf_add_update (b, weir_every (100, 2), sizes, shrink);
  weir_leaf_set_derivatives (b, follow, WEIR_DEPENDS (WEIR_TIME, WEIR_XC, p));
  weir_leaf_add_output_window (b, "y", WEIR_XC);
  return weir_leaf_builder_build (b);
}

static void
run (WeirSystem *system, const char *solver, double *x, guint64 *n_steps)
{
  WeirSimulatorOptions options;
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;

  weir_simulator_options_init (&options);
  options.solver = solver;
  options.relative_tolerance = 0x1p-20;
  options.absolute_tolerance = 0x1p-20;
  simulator = weir_simulator_new (system, context, &options, &error);
  g_assert_no_error (error);
  g_assert_true (weir_simulator_initialize (simulator, &error)
                 && weir_simulator_advance_to (simulator, 4, &error));
  memcpy (x, weir_context_get_state (context), 2 * sizeof *x);
  *n_steps = weir_simulator_get_statistics (simulator)->steps;
}

static void
test_sizes (void)
{
  static const char *const solvers[] = { "dormand-prince", "bogacki-shampine", "radau", "cvode-bdf",
                                         "cvode-adams",    "arkode-dirk",      "ida",   "auto" };
  g_autoptr (WeirSystem) plain = follower (1, FALSE);
  g_autoptr (WeirSystem) small = follower (SMALL, TRUE);
  g_autoptr (WeirSystem) silent = follower (SMALL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (solvers); i++)
    {
      double x[3][2];
      guint64 n[3];

      run (plain, solvers[i], x[0], &n[0]);
      run (small, solvers[i], x[1], &n[1]);
      run (silent, solvers[i], x[2], &n[2]);
      g_test_message ("%s: %" G_GUINT64_FORMAT " steps, %" G_GUINT64_FORMAT " where nobody says",
                      solvers[i], n[0], n[2]);
      g_assert_cmpuint (n[1], ==, n[0]);
      g_assert_true (x[1][0] == SMALL * x[0][0] && x[1][1] == SMALL * x[0][1]);
      g_assert_cmpuint (n[2], <, n[0]); /* all of it is below the tolerance */
    }
}

/* Said at present: as if it had been said before, and from an event on. There nothing else changes,
 * so that a solver goes on as it was unless it hears of it. */
static void
test_changing (void)
{
  static const char *const solvers[] = { "dormand-prince", "bogacki-shampine", "radau", "cvode-bdf",
                                         "cvode-adams",    "arkode-dirk",      "ida",   "auto" };
  g_autoptr (WeirSystem) small = follower (SMALL, TRUE);
  g_autoptr (WeirSystem) silent = follower (SMALL, FALSE);
  g_autoptr (WeirSystem) from_start = changing (FROM_START);
  g_autoptr (WeirSystem) at_start = changing (AT_START);
  g_autoptr (WeirSystem) later = changing (LATER);

  for (guint i = 0; i < G_N_ELEMENTS (solvers); i++)
    {
      double x[5][2];
      guint64 n[5];

      run (small, solvers[i], x[0], &n[0]);
      run (silent, solvers[i], x[1], &n[1]);
      run (from_start, solvers[i], x[2], &n[2]);
      run (at_start, solvers[i], x[3], &n[3]);
      run (later, solvers[i], x[4], &n[4]);
      g_test_message ("%s: %" G_GUINT64_FORMAT " steps, %" G_GUINT64_FORMAT
                      " where nobody says, %" G_GUINT64_FORMAT " where it is said in the middle",
                      solvers[i], n[0], n[1], n[4]);
      g_assert_true (memcmp (x[2], x[0], sizeof x[0]) == 0 && n[2] == n[0]);
      g_assert_true (memcmp (x[3], x[0], sizeof x[0]) == 0 && n[3] == n[0]);
      g_assert_cmpuint (n[4], >, n[1]);
      g_assert_cmpuint (n[4], <, n[0]);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/nominals/sizes", test_sizes);
  g_test_add_func ("/sim/nominals/changing", test_changing);
  return g_test_run ();
}

/* Known problems with published solutions, stiff and not, by the solvers that are for them; and
 * when the automatic choice takes which method.
 *
 * Solutions: Mazzia and Magherini, Test Set for Initial Value Problem Solvers, Bari 2008 (Robertson
 * to 1e11 s, HIRES, Van der Pol, Pleiades); Hairer, Norsett & Wanner, Solving Ordinary Differential
 * Equations I, II.0 (Arenstorf, which is periodic). */
#include "models.h"

#define MAX_STATES 28

static double van_der_pol_mu;

static WeirStatus
van_der_pol_xcdot (const WeirCalc *c, double *xdot)
{
  const double *y = weir_calc_z (c);

  xdot[0] = y[1];
  xdot[1] = van_der_pol_mu * (1 - y[0] * y[0]) * y[1] - y[0];
  return WEIR_OK;
}

static WeirStatus
hires_xcdot (const WeirCalc *c, double *xdot)
{
  const double *y = weir_calc_z (c);
  double fast = 280 * y[5] * y[7];

  xdot[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
  xdot[1] = 1.71 * y[0] - 8.75 * y[1];
  xdot[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
  xdot[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
  xdot[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
  xdot[5] = -fast + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
  xdot[6] = fast - 1.81 * y[6];
  xdot[7] = -fast + 1.81 * y[6];
  return WEIR_OK;
}

/* Seven stars in a plane, star i of mass i + 1: x, y, then their rates. */
static WeirStatus
pleiades_xcdot (const WeirCalc *c, double *xdot)
{
  const double *x = weir_calc_z (c), *y = x + 7;

  memcpy (xdot, x + 14, 14 * sizeof *xdot);
  for (guint i = 0; i < 7; i++)
    {
      double ax = 0, ay = 0;

      for (guint j = 0; j < 7; j++)
        {
          double dx = x[j] - x[i], dy = y[j] - y[i], distance = hypot (dx, dy);

          if (j == i)
            continue;
          ax += (j + 1) * dx / (distance * distance * distance);
          ay += (j + 1) * dy / (distance * distance * distance);
        }
      xdot[14 + i] = ax;
      xdot[21 + i] = ay;
    }
  return WEIR_OK;
}

/* A satellite between earth and moon, in their frame. */
static WeirStatus
arenstorf_xcdot (const WeirCalc *c, double *xdot)
{
  const double *y = weir_calc_z (c), moon = 0.012277471, earth = 1 - moon;
  double to_earth = pow (hypot (y[0] + moon, y[1]), 3);
  double to_moon = pow (hypot (y[0] - earth, y[1]), 3);

  xdot[0] = y[2];
  xdot[1] = y[3];
  xdot[2] = y[0] + 2 * y[3] - earth * (y[0] + moon) / to_earth - moon * (y[0] - earth) / to_moon;
  xdot[3] = y[1] - 2 * y[2] - earth * y[1] / to_earth - moon * y[1] / to_moon;
  return WEIR_OK;
}

#define N_MASSES 1000

/* A chain of masses between walls, slightly damped, its springs of seven kinds: x, then v. */
static WeirStatus
chain_xcdot (const WeirCalc *c, double *xdot)
{
  const double *x = weir_calc_z (c), *v = x + N_MASSES;

  for (guint i = 0; i < N_MASSES; i++)
    {
      double left = i > 0 ? x[i - 1] : 0, right = i + 1 < N_MASSES ? x[i + 1] : 0;

      xdot[i] = v[i];
      xdot[N_MASSES + i] = (3 + i % 7 * 0.25) * (left - 2 * x[i] + right) - 0.01 * (i % 5) * v[i];
    }
  return WEIR_OK;
}

static WeirSystem *
chain_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Chain");
  double start[2 * N_MASSES] = { 0 };

  for (guint i = 0; i < N_MASSES; i++)
    start[i] = sin (0.1 * i);
  weir_leaf_set_continuous_state (b, 0, 0, 2 * N_MASSES, start);
  weir_leaf_set_derivatives (b, chain_xcdot, WEIR_DEPENDS (WEIR_Z));
  return weir_leaf_builder_build (b);
}

typedef struct {
  const char *name;
  WeirCalcFunc xcdot;
  guint n;
  double start[MAX_STATES];
  double until;  /* s */
  guint n_right; /* states whose end is known */
  double right[MAX_STATES];
  double absolute; /* tolerance, as a part of the relative one */
  double most;     /* tolerances that the end may be off, as a part of what it is: errors of all
                      steps, as the problem amplifies them */
  gboolean is_stiff;
} Problem;

static const Problem problems[] = {
  { "robertson",
    robertson_xcdot,
    3,
    { 1, 0, 0 },
    1e11,
    3,
    { 0.2083340149701255e-07, 0.8333360770334713e-13, 0.9999999791665050 },
    1e-10,
    10,
    TRUE },
  { "van-der-pol",
    van_der_pol_xcdot,
    2,
    { 2, 0 },
    2000,
    2,
    { 1.706167732170483, -8.928097010247975e-4 },
    1e-3,
    50,
    TRUE },
  { "hires",
    hires_xcdot,
    8,
    { 1, 0, 0, 0, 0, 0, 0, 0.0057 },
    321.8122,
    8,
    { 0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2,
      0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2 },
    1e-4,
    50,
    TRUE },
  { "pleiades",
    pleiades_xcdot,
    28,
    { 3, 3, -1, -3, 2, -2, 2, 3, -3, 2, 0, 0, -4, 4, 0, 0, 0, 0, 0, 1.75, -1.5, 0, 0, 0, -1.25, 1 },
    3,
    14,
    { 0.3706139143970502, 0.3237284092057233e1, -0.3222559032418324e1, 0.6597091455775310,
      0.3425581707156584, 0.1562172101400631e1, -0.7003092922212495, -0.3943437585517392e1,
      -0.3271380973972550e1, 0.5225081843456543e1, -0.2590612434977470e1, 0.1198213693392275e1,
      -0.2429682344935824, 0.1091449240428980e1 },
    1,
    10000,
    FALSE },
  { "arenstorf",
    arenstorf_xcdot,
    4,
    { 0.994, 0, 0, -2.00158510637908252240537862224 },
    17.0652165601579625588917206249,
    1,
    { 0.994 },
    1,
    30000,
    FALSE },
};

static const Problem *
find_problem (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (problems); i++)
    if (g_str_equal (problems[i].name, name))
      return &problems[i];
  g_assert_not_reached ();
}

static WeirSystem *
problem_new (const Problem *problem)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Problem");

  van_der_pol_mu = 1000;
  weir_leaf_set_continuous_state (b, 0, 0, problem->n, problem->start);
  weir_leaf_set_derivatives (b, problem->xcdot, WEIR_DEPENDS (WEIR_Z));
  return weir_leaf_builder_build (b);
}

static WeirSimulatorOptions
options_of (const Problem *problem, const char *solver, double tolerance)
{
  WeirSimulatorOptions options = options_for (solver, tolerance);

  options.absolute_tolerance = tolerance * problem->absolute;
  return options;
}

typedef struct {
  const Problem *problem;
  const char *solver;
} Case;

static void
test_published (gconstpointer data)
{
  const Case *test = data;
  const Problem *problem = test->problem;
  g_autoptr (WeirSystem) system = problem_new (problem);

  for (double tolerance = 1e-5; tolerance > 1e-10; tolerance *= 1e-2)
    {
      WeirSimulatorOptions options = options_of (problem, test->solver, tolerance);
      WeirSimulatorStatistics statistics;
      double x[MAX_STATES], worst = 0;

      integrate (system, &options, problem->until, x, &statistics);
      for (guint i = 0; i < problem->n_right; i++)
        worst = MAX (worst, fabs (x[i] / problem->right[i] - 1));
      g_test_message ("%s, tolerance %g: off by %.2g = %.3g tolerances, %u steps, %u rejected, %u "
                      "derivatives, %u Jacobians",
                      test->solver, tolerance, worst, worst / tolerance, (guint) statistics.steps,
                      (guint) statistics.rejected_steps, (guint) statistics.rhs_calls,
                      (guint) statistics.jacobians);
      /* At 1e-5 the orbits have too few digits left. */
      if (problem->is_stiff || tolerance < 1e-6)
        g_assert_cmpfloat (worst, <, problem->most * tolerance);
    }
}

/* --- The automatic choice -------------------------------------------------------------------- */

static void
count_steps (const Problem *problem, const char *solver, double tolerance,
             WeirSimulatorStatistics *statistics)
{
  g_autoptr (WeirSystem) system = problem_new (problem);
  WeirSimulatorOptions options = options_of (problem, solver, tolerance);
  double x[MAX_STATES];

  integrate (system, &options, problem->until, x, statistics);
}

/* No more than BDF from the start takes, but for what it takes to see that it is needed. */
static void
test_early (void)
{
  for (double tolerance = 1e-3; tolerance > 1e-10; tolerance /= 10)
    for (guint i = 0; i < G_N_ELEMENTS (problems); i++)
      {
        WeirSimulatorStatistics chosen, bdf;

        if (!problems[i].is_stiff)
          continue;
        count_steps (&problems[i], "auto", tolerance, &chosen);
        count_steps (&problems[i], "cvode-bdf", tolerance, &bdf);
        g_test_message ("%s, tolerance %g: %u steps, BDF %u", problems[i].name, tolerance,
                        (guint) chosen.steps, (guint) bdf.steps);
        g_assert_cmpuint (chosen.jacobians, >, 0);
        g_assert_cmpuint (chosen.steps, <, bdf.steps + bdf.steps / 4 + 100);
      }
}

/* Neither where nothing is stiff but much is fast, nor where samples cut the steps. */
static void
test_stays_large (void)
{
  g_autoptr (WeirSystem) chain = chain_new ();
  g_autoptr (WeirSystem) loop = sampled_loop_new (0.01);
  static double x[2 * N_MASSES];

  for (double tolerance = 1e-2; tolerance > 1e-11; tolerance /= 10)
    for (guint i = 0; i < 2; i++)
      {
        WeirSimulatorOptions options = options_for ("auto", tolerance);
        WeirSimulatorStatistics statistics;

        options.absolute_tolerance = tolerance;
        integrate (i == 0 ? chain : loop, &options, 20, x, &statistics);
        g_test_message ("%s, tolerance %g: %u steps, %u Jacobians", i == 0 ? "chain" : "loop",
                        tolerance, (guint) statistics.steps, (guint) statistics.jacobians);
        g_assert_cmpuint (statistics.jacobians, ==, 0);
      }
}

/* Nothing is gained where nothing is stiff: not once in all these. */
static void
test_stays (void)
{
  for (double tolerance = 1e-2; tolerance > 1e-11; tolerance /= 10)
    for (guint i = 0; i < G_N_ELEMENTS (problems); i++)
      {
        WeirSimulatorStatistics chosen, explicit;

        if (problems[i].is_stiff)
          continue;
        count_steps (&problems[i], "auto", tolerance, &chosen);
        count_steps (&problems[i], "dormand-prince", tolerance, &explicit);
        g_assert_cmpuint (chosen.jacobians, ==, 0);
        g_assert_cmpuint (chosen.rhs_calls, ==, explicit.rhs_calls);
        g_assert_cmpuint (chosen.steps, ==, explicit.steps);
      }
}

/* The slow parts of the cycle are stiff, the leaps between them are not: there and back in each,
 * five times in two periods of 1 614.3 s, and never with more steps than either method alone. */
static void
test_back (void)
{
  Problem problem = *find_problem ("van-der-pol");
  WeirSimulatorStatistics chosen, bdf;

  problem.until = 2 * 1614.28;
  count_steps (&problem, "auto", 1e-6, &chosen);
  count_steps (&problem, "cvode-bdf", 1e-6, &bdf);
  g_test_message ("%u steps, %u changes; BDF %u", (guint) chosen.steps,
                  (guint) chosen.reinitialisations, (guint) bdf.steps);
  g_assert_cmpuint (chosen.reinitialisations, >=, 5);
  g_assert_cmpuint (chosen.reinitialisations, <=, 10);
  g_assert_cmpuint (chosen.steps, <, bdf.steps);
}

static void
test_uncached (void)
{
  g_autoptr (WeirSystem) system = problem_new (find_problem ("van-der-pol"));
  WeirSimulatorOptions options = options_for ("auto", 1e-6);
  g_autoptr (WeirContext) cached = weir_system_create_context (system);
  g_autoptr (WeirContext) uncached = weir_system_create_context (system);
  g_autoptr (WeirSimulator) a = weir_simulator_new (system, cached, &options, NULL);
  g_autoptr (WeirSimulator) b = weir_simulator_new (system, uncached, &options, NULL);

  weir_context_set_caching (uncached, FALSE);
  for (gboolean done = FALSE; !done;)
    {
      gboolean too;

      g_assert_true (weir_simulator_step (a, 1700, &done, NULL));
      g_assert_true (weir_simulator_step (b, 1700, &too, NULL));
      g_assert_cmpfloat (weir_context_get_time (cached), ==, weir_context_get_time (uncached));
      g_assert_cmpmem (weir_context_get_state (cached), 2 * sizeof (double),
                       weir_context_get_state (uncached), 2 * sizeof (double));
    }
  g_assert_cmpuint (weir_simulator_get_statistics (a)->reinitialisations, >, 2);
}

/* Saved at @n steps: the same bits where Dormand-Prince is at work, however far the search for
 * stiffness is; the same method where BDF is. */
static void
assert_continues (guint n)
{
  g_autoptr (WeirSystem) system = problem_new (find_problem ("robertson"));
  WeirSimulatorOptions options = options_of (find_problem ("robertson"), "auto", 1e-8);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirContext) other = weir_system_create_context (system);
  g_autoptr (WeirSimulator) whole = weir_simulator_new (system, context, &options, NULL);
  g_autoptr (WeirSimulator) rest = weir_simulator_new (system, other, &options, NULL);
  g_autoptr (GBytes) saved = NULL;
  g_autoptr (GError) error = NULL;
  gboolean was_implicit, done;
  guint64 steps;

  for (guint i = 0; i < n; i++)
    g_assert_true (weir_simulator_step (whole, 40, &done, NULL));
  was_implicit = weir_simulator_get_statistics (whole)->jacobians > 0;
  saved = weir_simulator_save (whole, &error);
  g_assert_no_error (error);
  g_assert_true (weir_simulator_load (rest, saved, &error));
  g_assert_no_error (error);
  steps = weir_simulator_get_statistics (whole)->steps;
  g_assert_true (weir_simulator_advance_to (whole, 40, NULL));
  g_assert_true (weir_simulator_advance_to (rest, 40, NULL));
  if (!was_implicit)
    {
      g_assert_cmpmem (weir_context_get_state (other), 3 * sizeof (double),
                       weir_context_get_state (context), 3 * sizeof (double));
      return;
    }
  g_assert_cmpuint (weir_simulator_get_statistics (rest)->steps - steps, <,
                    2 * (weir_simulator_get_statistics (whole)->steps - steps) + 100);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat (
        fabs (weir_context_get_state (other)[i] / weir_context_get_state (context)[i] - 1), <,
        1e-6);
  /* Dormand-Prince would have had to see that the model is stiff: a change more. */
  g_assert_cmpuint (weir_simulator_get_statistics (rest)->reinitialisations, <=,
                    weir_simulator_get_statistics (whole)->reinitialisations + 1);
}

static void
test_checkpoint (void)
{
  for (guint n = 1; n < 300; n += 3)
    assert_continues (n);
}

int
main (int argc, char **argv)
{
  static const char *const stiff[] = { "auto", "cvode-bdf", "radau" };
  static const char *const smooth[] = { "auto", "dop853", "dormand-prince" };
  static Case cases[G_N_ELEMENTS (problems) * G_N_ELEMENTS (stiff)];
  guint n = 0;

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (problems); i++)
    for (guint j = 0; j < G_N_ELEMENTS (stiff); j++)
      {
        const char *solver = (problems[i].is_stiff ? stiff : smooth)[j];
        g_autofree char *path = g_strdup_printf ("/sim/problems/%s/%s", problems[i].name, solver);

        cases[n] = (Case) { &problems[i], solver };
        g_test_add_data_func (path, &cases[n++], test_published);
      }
  g_test_add_func ("/sim/problems/auto/early", test_early);
  g_test_add_func ("/sim/problems/auto/stays-explicit", test_stays);
  g_test_add_func ("/sim/problems/auto/stays-explicit-large", test_stays_large);
  g_test_add_func ("/sim/problems/auto/back", test_back);
  g_test_add_func ("/sim/problems/auto/uncached", test_uncached);
  g_test_add_func ("/sim/problems/auto/checkpoint", test_checkpoint);
  return g_test_run ();
}

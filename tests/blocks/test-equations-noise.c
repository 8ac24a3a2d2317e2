/* White noise and jumps in Equations blocks, against what is known of the processes. Seeds are
 * fixed; bounds are four standard deviations of what is estimated. */
#include "block-fixture.h"
#include "sim/simulator.h"

typedef struct {
  Block block;
  WeirSimulator *simulator;
} Run;

static Run
run_new (const char *text, const char *solver, double step)
{
  WeirSimulatorOptions options;
  g_autoptr (GError) error = NULL;
  Run run = { block_new ("Equations", PAIRS ("equations", text), NULL), NULL };

  weir_simulator_options_init (&options);
  options.solver = solver;
  options.step = step;
  run.simulator = weir_simulator_new (run.block.system, run.block.context, &options, &error);
  g_assert_no_error (error);
  return run;
}

static void
run_clear (Run *run)
{
  weir_simulator_free (run->simulator);
  block_clear (&run->block);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static void
advance (Run *run, double until)
{
  g_autoptr (GError) error = NULL;

  weir_simulator_advance_to (run->simulator, until, &error);
  g_assert_no_error (error);
}

static const double *
values (Run *run, const char *name)
{
  WeirOutput out;

  g_assert_true (weir_system_find_output (run->block.system, name, &out));
  return block_eval (&run->block, out.i);
}

static double
mean (const double *x, guint n)
{
  double sum = 0.0;

  for (guint i = 0; i < n; i++)
    sum += x[i];
  return sum / n;
}

static double
variance (const double *x, guint n)
{
  double m = mean (x, n), sum = 0.0;

  for (guint i = 0; i < n; i++)
    sum += (x[i] - m) * (x[i] - m);
  return sum / (n - 1);
}

/* dx = -theta x dt + sigma dW has the stationary variance sigma^2 / (2 theta); the method of Euler
 * and Maruyama with steps h that of x (1 - theta h) + sigma sqrt (h) xi: sigma^2 / (2 theta -
 * theta^2 h). A variance of n normal numbers has the deviation v sqrt (2 / n). */
static void
test_ornstein_uhlenbeck (void)
{
  static const guint n = 1000;
  g_auto (Run) run = run_new ("noise 0.02, 11\nbrownian w[1000]\nparameter theta = 2, sigma = 0.6\n"
                              "for i in 1:1000: D(x[i]) ~ -theta*x[i] + sigma*w[i]\n"
                              "initial x = 0\noutput x",
                              "euler", 0.02);
  double expected = 0.36 / (4.0 - 4.0 * 0.02);

  advance (&run, 5.0);
  g_assert_cmpfloat_with_epsilon (mean (values (&run, "x"), n), 0.0, 4.0 * sqrt (expected / n));
  g_assert_cmpfloat_with_epsilon (variance (values (&run, "x"), n), expected,
                                  4.0 * expected * sqrt (2.0 / n));
}

/* With steps of Euler's method it is that of Euler and Maruyama, number for number. */
static void
test_euler_maruyama (void)
{
  g_auto (Run) run = run_new ("noise 0.125, 5\nbrownian w\nD(x) ~ 0.5*x + 0.3*x*w; D(W) ~ w\n"
                              "initial x = 2; initial W = 0",
                              "euler", 0.125);
  double x = 2.0, W = 0.0;

  for (guint k = 1; k <= 40; k++)
    {
      double increment;

      advance (&run, 0.125 * k);
      increment = values (&run, "W")[0] - W;
      W = values (&run, "W")[0];
      x += 0.125 * 0.5 * x + 0.3 * x * increment;
      g_assert_cmpfloat_with_epsilon (values (&run, "x")[0], x, 1e-12 * fabs (x));
    }
  g_assert_cmpfloat (W, !=, 0.0);
}

/* dx = mu x dt + s x dW is x0 exp ((mu - s^2/2) T + s W(T)): the mean distance at T is of order
 * sqrt (h). Steps 16 times as small make it 4 times as small. */
static void
test_strong_order (void)
{
  static const double steps[] = { 1.0 / 16, 1.0 / 256 };
  static const guint n = 400;
  double distance[2];

  for (guint k = 0; k < 2; k++)
    {
      g_autofree char *text = g_strdup_printf (
          "noise 1/%g, 3\nbrownian w[400]\n"
          "for i in 1:400: D(x[i]) ~ 0.5*x[i] + 0.8*x[i]*w[i]\n"
          "for i in 1:400: D(W[i]) ~ w[i]\ninitial x = 1; initial W = 0\noutput x, W",
          1.0 / steps[k]);
      g_auto (Run) run = run_new (text, "euler", steps[k]);
      const double *x, *W;

      advance (&run, 1.0);
      x = values (&run, "x");
      W = values (&run, "W");
      g_assert_cmpfloat_with_epsilon (variance (W, n), 1.0, 4.0 * sqrt (2.0 / n));
      distance[k] = 0.0;
      for (guint i = 0; i < n; i++)
        distance[k] += fabs (x[i] - exp (0.5 - 0.32 + 0.8 * W[i])) / n;
    }
  /* Each mean distance has a relative deviation of about 1 / sqrt (n). */
  g_assert_cmpfloat (distance[0] / distance[1], >, 4.0 * (1.0 - 4.0 * sqrt (2.0 / n)));
  g_assert_cmpfloat (distance[0] / distance[1], <, 4.0 * (1.0 + 4.0 * sqrt (2.0 / n)));
}

/* Ito's integral whatever the solver: the mean of the same is exp (mu T), not that of Stratonovich,
 * which is exp ((mu + s^2/2) T). Its variance is exp (2 mu T) (exp (s^2 T) - 1). */
static void
test_ito (void)
{
  static const guint n = 1000;
  g_auto (Run) run = run_new ("noise 0.01, 8\nbrownian w[1000]\n"
                              "for i in 1:1000: D(x[i]) ~ 0.25*x[i] + x[i]*w[i]\n"
                              "initial x = 1\noutput x",
                              "rk4", 0.01);
  double deviation = exp (0.25) * sqrt ((exp (1.0) - 1.0) / n);

  advance (&run, 1.0);
  g_assert_cmpfloat_with_epsilon (mean (values (&run, "x"), n), exp (0.25), 4.0 * deviation);
  g_assert_cmpfloat (exp (0.75) - exp (0.25), >, 8.0 * deviation); /* the test can tell */
}

/* Counts of a Poisson process in windows of length 1: mean and variance are the rate. */
static void
test_poisson (void)
{
  enum { N = 400 };
  double counts[N], before = 0.0;
  g_auto (Run) run = run_new ("noise 1, 21\nparameter rate = 3\nwhen jump(rate): n := pre(n) + 1\n"
                              "initial n = 0\ny ~ n",
                              "dormand-prince", 0.0);

  for (guint i = 0; i < N; i++)
    {
      advance (&run, i + 1.0);
      counts[i] = values (&run, "n")[0] - before;
      before = values (&run, "n")[0];
    }
  g_assert_cmpfloat_with_epsilon (mean (counts, N), 3.0, 4.0 * sqrt (3.0 / N));
  /* The variance of a sample variance of Poisson counts: (2 m^2 + m) / n. */
  g_assert_cmpfloat_with_epsilon (variance (counts, N), 3.0, 4.0 * sqrt ((18.0 + 3.0) / N));
}

/* A rate that depends on the state: of N0 each lives on with exp (-mu t), so that their number is
 * binomial. */
static void
test_decay (void)
{
  double p = exp (-0.7), n0 = 400.0;
  g_auto (Run) run = run_new ("parameter mu = 0.7\nwhen jump(mu*n): n := pre(n) - 1\n"
                              "initial n = 400\ny ~ n",
                              "dormand-prince", 0.0);

  advance (&run, 1.0);
  g_assert_cmpfloat_with_epsilon (values (&run, "n")[0], n0 * p, 4.0 * sqrt (n0 * p * (1.0 - p)));
  advance (&run, 30.0);
  g_assert_cmpfloat (values (&run, "n")[0], ==, 0.0); /* and the rate is 0 from then on */
}

/* The order of lines changes no number; another seed changes all. */
static void
test_streams (void)
{
  static const char *const texts[] = {
    "noise 0.1, 4\nbrownian v, w\nD(x) ~ v - x; D(y) ~ w + v; initial x = 0; initial y = 0\n"
    "when jump(2): n := pre(n) + 1\ninitial n = 0",
    "when jump(2): n := pre(n) + 1\ninitial n = 0; initial y = 0\nD(y) ~ w + v\nbrownian w\n"
    "D(x) ~ v - x; initial x = 0\nbrownian v\nnoise 0.1, 4",
    "noise 0.1, 5\nbrownian v, w\nD(x) ~ v - x; D(y) ~ w + v; initial x = 0; initial y = 0\n"
    "when jump(2): n := pre(n) + 1\ninitial n = 0",
  };
  double x[3], y[3];

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto (Run) run = run_new (texts[i], "dormand-prince", 0.0);

      advance (&run, 3.05);
      x[i] = values (&run, "x")[0];
      y[i] = values (&run, "y")[0];
    }
  g_assert_cmpmem (&x[0], sizeof x[0], &x[1], sizeof x[1]);
  g_assert_cmpmem (&y[0], sizeof y[0], &y[1], sizeof y[1]);
  g_assert_cmpfloat (x[0], !=, x[2]);
  g_assert_cmpfloat (y[0], !=, y[2]);
  g_assert_cmpfloat (x[0], !=, y[0]);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/equations-noise/ornstein-uhlenbeck", test_ornstein_uhlenbeck);
  g_test_add_func ("/blocks/equations-noise/euler-maruyama", test_euler_maruyama);
  g_test_add_func ("/blocks/equations-noise/strong-order", test_strong_order);
  g_test_add_func ("/blocks/equations-noise/ito", test_ito);
  g_test_add_func ("/blocks/equations-noise/poisson", test_poisson);
  g_test_add_func ("/blocks/equations-noise/decay", test_decay);
  g_test_add_func ("/blocks/equations-noise/streams", test_streams);
  return g_test_run ();
}

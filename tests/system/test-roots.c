/* Systems of equations that are hard to solve, as algebraic loops y = u + f (u): of the collection
 * of More, Garbow and Hillstrom (Testing unconstrained optimization software, 1981), from its
 * starts and from ten times as far. What is asserted needs no published digits: f is zero at the
 * solution. */
#include "loop-blocks.h"

#define MAX_UNKNOWNS 10

static void
rosenbrock (G_GNUC_UNUSED guint n, const double *x, double *f)
{
  f[0] = 1 - x[0];
  f[1] = 10 * (x[1] - x[0] * x[0]);
}

/* The Jacobian is singular at the solution. */
static void
powell_singular (G_GNUC_UNUSED guint n, const double *x, double *f)
{
  f[0] = x[0] + 10 * x[1];
  f[1] = sqrt (5) * (x[2] - x[3]);
  f[2] = (x[1] - 2 * x[2]) * (x[1] - 2 * x[2]);
  f[3] = sqrt (10) * (x[0] - x[3]) * (x[0] - x[3]);
}

/* The unknowns are 1.1e-5 and 9.1. */
static void
powell_badly_scaled (G_GNUC_UNUSED guint n, const double *x, double *f)
{
  f[0] = 1e4 * x[0] * x[1] - 1;
  f[1] = exp (-x[0]) + exp (-x[1]) - 1.0001;
}

static void
wood (G_GNUC_UNUSED guint n, const double *x, double *f)
{
  double a = x[1] - x[0] * x[0], b = x[3] - x[2] * x[2];

  f[0] = -200 * x[0] * a - (1 - x[0]);
  f[1] = 200 * a + 20.2 * (x[1] - 1) + 19.8 * (x[3] - 1);
  f[2] = -180 * x[2] * b - (1 - x[2]);
  f[3] = 180 * b + 20.2 * (x[3] - 1) + 19.8 * (x[1] - 1);
}

static void
helical_valley (G_GNUC_UNUSED guint n, const double *x, double *f)
{
  f[0] = 10 * (x[2] - 10 * atan2 (x[1], x[0]) / (2 * G_PI));
  f[1] = 10 * (hypot (x[0], x[1]) - 1);
  f[2] = x[2];
}

static void
brown_almost_linear (guint n, const double *x, double *f)
{
  double sum = -(double) (n + 1), product = 1;

  for (guint i = 0; i < n; i++)
    {
      sum += x[i];
      product *= x[i];
    }
  for (guint i = 0; i + 1 < n; i++)
    f[i] = x[i] + sum;
  f[n - 1] = product - 1;
}

static void
trigonometric (guint n, const double *x, double *f)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += cos (x[i]);
  for (guint i = 0; i < n; i++)
    f[i] = n - sum + (i + 1) * (1 - cos (x[i])) - sin (x[i]);
}

static void
broyden_tridiagonal (guint n, const double *x, double *f)
{
  for (guint i = 0; i < n; i++)
    f[i] = (3 - 2 * x[i]) * x[i] - (i > 0 ? x[i - 1] : 0) - 2 * (i + 1 < n ? x[i + 1] : 0) + 1;
}

/* u'' = (u + t + 1)^3 / 2, u (0) = u (1) = 0, by differences. */
static void
boundary_value (guint n, const double *x, double *f)
{
  double h = 1.0 / (n + 1);

  for (guint i = 0; i < n; i++)
    f[i] = 2 * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < n ? x[i + 1] : 0)
           + h * h * pow (x[i] + (i + 1) * h + 1, 3) / 2;
}

/* Double root: Newton's method halves the distance at each step. */
static void
square (G_GNUC_UNUSED guint n, const double *x, double *f)
{
  f[0] = (x[0] - 3) * (x[0] - 3);
}

/* Newton's method alone diverges from |x| > 1.4. */
static void
arc_tangent (G_GNUC_UNUSED guint n, const double *x, double *f)
{
  f[0] = atan (x[0]);
}

typedef struct {
  const char *name;
  void (*f) (guint n, const double *x, double *f);
  guint n;
  double start[MAX_UNKNOWNS];
  gboolean not_from_far; /* ten times as far there is a minimum of |f| on the way that is none of
                            f's zeros */
} Problem;

#define ALL(x)                                                                                     \
  {                                                                                                \
    x, x, x, x, x, x, x, x, x, x                                                                   \
  }
static const Problem problems[] = {
  { "rosenbrock", rosenbrock, 2, { -1.2, 1 }, FALSE },
  { "powell-singular", powell_singular, 4, { 3, -1, 0, 1 }, FALSE },
  { "powell-badly-scaled", powell_badly_scaled, 2, { 0, 1 }, FALSE },
  { "wood", wood, 4, { -3, -1, -3, -1 }, FALSE },
  { "helical-valley", helical_valley, 3, { -1, 0, 0 }, FALSE },
  { "brown-almost-linear", brown_almost_linear, 10, ALL (0.5), FALSE },
  { "trigonometric", trigonometric, 10, ALL (0.1), TRUE },
  { "broyden-tridiagonal", broyden_tridiagonal, 10, ALL (-1), FALSE },
  { "boundary-value", boundary_value, 10, ALL (-0.1), FALSE },
  { "double-root", square, 1, { 1 }, FALSE },
  { "arc-tangent", arc_tangent, 1, { 3 }, FALSE },
};

static WeirStatus
calc (const WeirCalc *c, double *y)
{
  const Problem *problem = *(const Problem *const *) weir_calc_data (c);
  const double *u = weir_calc_input (c, (WeirInput) { 0 });

  problem->f (problem->n, u, y);
  for (guint i = 0; i < problem->n; i++)
    y[i] += u[i];
  return WEIR_OK;
}

static void
solve (const Problem *problem, double factor)
{
  WeirLeafBuilder *b = weir_leaf_builder_new (problem->name);
  WeirInput u = weir_leaf_add_input (b, "u", problem->n);
  WeirOutput y = weir_leaf_add_output (b, "y", problem->n, calc,
                                       WEIR_DEPENDS (weir_input_ticket (b, u)));
  double start[MAX_UNKNOWNS], z[MAX_UNKNOWNS], f[MAX_UNKNOWNS];
  g_autoptr (WeirSystem) root = NULL;
  g_autoptr (WeirContext) context = NULL;

  for (guint i = 0; i < problem->n; i++)
    start[i] = factor * problem->start[i];
  weir_leaf_set_data (b, &problem, sizeof problem);
  weir_leaf_set_output_guess (b, y, start);
  root = self_loop_new (weir_leaf_builder_build (b), "u");
  context = weir_system_create_context (root);
  /* And again where the first search ended. */
  for (guint k = 0; k < 2; k++)
    {
      if (weir_context_move_starts (root, context) != WEIR_OK)
        g_error ("%s, %g times as far: %s", problem->name, factor,
                 weir_context_get_failure (context));
      weir_context_get_loop_starts (context, z);
      problem->f (problem->n, z, f);
      for (guint i = 0; i < problem->n; i++)
        g_assert_cmpfloat_with_epsilon (f[i], 0, 1e-10);
    }
}

static void
test_problem (gconstpointer data)
{
  const Problem *problem = data;

  solve (problem, 1);
  if (!problem->not_from_far)
    solve (problem, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (problems); i++)
    {
      g_autofree char *path = g_strconcat ("/system/roots/", problems[i].name, NULL);

      g_test_add_data_func (path, &problems[i], test_problem);
    }
  return g_test_run ();
}

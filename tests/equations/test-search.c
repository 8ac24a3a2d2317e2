/* Solutions found from far away: the problems of Moré, Garbow and Hillstrom ("Testing unconstrained
 * optimization software", ACM TOMS 7, 1981) that have a solution in closed form, from their
 * standard start and from farther out, and some from electronics. */
#include "equations/compile/equations.h"

#include <math.h>

/* The Brown almost-linear problem, n = 5: a solution is x[i] = 1. */
#define BROWN(guess)                                                                               \
  "for i in 1:4: x[i] + sum(x) ~ 6\nproduct(x) ~ 1\nvariable x[5]\nguess x = " guess "*ones(5)\n"
/* Broyden's tridiagonal problem, n = 5, as it is printed. */
#define BROYDEN(guess)                                                                             \
  "(3 - 2*x[1])*x[1] - 2*x[2] ~ -1\nfor i in 2:4: (3 - 2*x[i])*x[i] - x[i-1] - 2*x[i+1] ~ -1\n"    \
  "(3 - 2*x[5])*x[5] - x[4] ~ -1\nvariable x[5]\nguess x = " guess "*ones(5)\n"

static void
test_problems (void)
{
  static const struct {
    const char *text, *name;
    double expected, tolerance; /* NAN: the residuals must vanish */
  } cases[] = {
    /* Rosenbrock: (1, 1). Its first equation alone gives x, so both are put into one. */
    { "10*(y - x^2) + (1 - x) ~ 0; 10*(y - x^2) - (1 - x) ~ 0; guess x = -1.2; guess y = 1", "y", 1,
      1e-12 },
    { "10*(y - x^2) + (1 - x) ~ 0; 10*(y - x^2) - (1 - x) ~ 0; guess x = -120; guess y = 100", "y",
      1, 1e-12 },
    /* Helical valley: (1, 0, 0). */
    { "10*(z - 10*(atan(y/x)/(2*3.141592653589793) + (if x < 0 then 0.5 else 0))) ~ 0\n"
      "10*(sqrt(x^2 + y^2) - 1) ~ y*z\nz ~ y^3; guess x = 1.3; guess y = 0.2; guess z = 0.1",
      "x", 1, 1e-12 },
    /* Wood: (1, 1, 1, 1). */
    { "-200*a*(b - a^2) - (1 - a) ~ 0; 200*(b - a^2) + 20.2*(b - 1) + 19.8*(d - 1) ~ 0\n"
      "-180*c*(d - c^2) - (1 - c) ~ 0; 180*(d - c^2) + 20.2*(d - 1) + 19.8*(b - 1) ~ 0\n"
      "guess a = 1.5; guess b = 2; guess c = 1.2; guess d = 0.8",
      "c", 1, 1e-12 },
    { BROWN ("0.5"), "x", NAN, 1e-12 },
    { BROWN ("50"), "x", NAN, 1e-12 },
    { BROYDEN ("-1"), "x", NAN, 1e-12 },
    { BROYDEN ("-100"), "x", NAN, 1e-12 },
    /* A diode at 5 V through 100 Ohm, sought from 5 V, where its current is 1e72 A: Newton's method
     * alone would need a step of kT/q for each factor e. */
    { "parameter k = 1\n1e-12*(exp(v/0.02585) - 1) ~ k*(5 - v)/100; guess v = 5", "v", NAN, 1e-12 },
    { "1e-12*(exp(v/0.02585) - 1) ~ (5 - v)/100; guess v = 0", "v", NAN, 1e-12 },
    { "atan(x) ~ 0; guess x = 150", "x", 0, 1e-12 },
    { "log(x) ~ 2; guess x = 40", "x", 7.38905609893065, 1e-12 },
    { "x^3 - 2*x + 2 ~ 0; guess x = 0.1", "x", -1.7692923542386314, 1e-12 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      WeirReport report = { diagnostics, "plant", 3, 1 };
      g_autoptr (WeirEquations) equations = weir_equations_new (cases[i].text, NULL, &report);
      double largest = 0;

      if (equations == NULL)
        g_error ("%s\n%s", cases[i].text, weir_diagnostics_get (diagnostics, 0)->text);
      if (!isnan (cases[i].expected))
        {
          g_assert_cmpfloat_with_epsilon (weir_equations_find (equations, cases[i].name)->value[0],
                                          cases[i].expected, cases[i].tolerance);
          continue;
        }
      {
        g_autofree double *residuals = weir_equations_dup_start_residuals (equations);

        for (guint j = 0; j < equations->starts->len; j++)
          largest = fmax (largest, fabs (residuals[j]));
      }
      if (!(largest <= cases[i].tolerance))
        g_error ("%s: off by %g", cases[i].text, largest);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/equations/search/problems", test_problems);
  return g_test_run ();
}

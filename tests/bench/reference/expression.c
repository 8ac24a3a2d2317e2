/* References of compiled equation programs. See expression.h; the texts are in ../equations.c. */
#include "reference/expression.h"

#include <math.h>

static inline double
polynomial (double x, double y)
{
  return 1 + x * (2 + x * (3 + x * (4 + x * (5 + x * (6 + y * x))))) + y * y * y - 2 * x * (y * y);
}

static inline double
transcendental (double x, double y)
{
  return exp (-(x * x)) * sin (3 * y) + log (1 + x * x) / sqrt (1 + y * y);
}

static inline double
branching (double x, double y)
{
  return x > 0 ? (y > 0.5 ? x * y : x - y * y) : y < -0.5 ? exp (x) : sin (x * y);
}

double
reference_expression (unsigned which, double x, double y)
{
  return which == 0 ? polynomial (x, y) : which == 1 ? transcendental (x, y) : branching (x, y);
}

void
reference_expression_wide (unsigned which, const double *x, const double *y, double *out, size_t n)
{
  if (which == 0)
    for (size_t i = 0; i < n; i++)
      out[i] = polynomial (x[i], y[i]);
  else if (which == 1)
    for (size_t i = 0; i < n; i++)
      out[i] = transcendental (x[i], y[i]);
  else
    for (size_t i = 0; i < n; i++)
      out[i] = branching (x[i], y[i]);
}

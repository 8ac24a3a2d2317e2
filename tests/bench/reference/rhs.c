/* Reference right-hand sides. See rhs.h. */
#include "reference/rhs.h"

void
reference_van_der_pol (double mu, const double *x, double *xdot)
{
  xdot[0] = x[1];
  xdot[1] = mu * ((1 - x[0] * x[0]) * x[1]) - x[0];
}

void
reference_chain_leaf_order (uint32_t n, const double *restrict k, const double *restrict c,
                            const double *restrict x, double *restrict xdot)
{
#define FORCE(j) (k[j] * x[2 * (j)])
#define ROW(i, left, right)                                                                        \
  (xdot[2 * (i)] = x[2 * (i) + 1], xdot[2 * (i) + 1] = FORCE (left) - FORCE (i) - FORCE (i)        \
                                                       + FORCE (right) - c[i] * x[2 * (i) + 1])
  uint32_t last = n - 1;

  ROW (0, 0, 1);
  for (uint32_t i = 1; i < last; i++)
    ROW (i, i - 1, i + 1);
  ROW (last, last - 1, last);
#undef ROW
#undef FORCE
}

void
reference_chain_split (uint32_t n, const double *restrict k, const double *restrict c,
                       const double *restrict x, double *restrict xdot)
{
  const double *restrict p = x, *restrict v = x + n;
  double *restrict a = xdot + n;
  uint32_t last = n - 1;

#define FORCE(j) (k[j] * p[j])
#define ROW(i, left, right)                                                                        \
  (a[i] = FORCE (left) - FORCE (i) - FORCE (i) + FORCE (right) - c[i] * v[i])
  for (uint32_t i = 0; i < n; i++)
    xdot[i] = v[i];
  ROW (0, 0, 1);
  for (uint32_t i = 1; i < last; i++)
    ROW (i, i - 1, i + 1);
  ROW (last, last - 1, last);
#undef ROW
#undef FORCE
}

double
reference_gain (double k, double u)
{
  return k * u;
}

void
reference_rod (uint32_t n, double k, const double *x, double *xdot)
{
  for (uint32_t i = 0; i < n; i++)
    {
      double left = i > 0 ? x[i - 1] : 0, right = i + 1 < n ? x[i + 1] : 0;

      xdot[i] = k * (left - 2 * x[i] + right);
    }
}

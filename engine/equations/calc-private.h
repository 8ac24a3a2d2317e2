/* What each operation computes: one definition for folding constants, scalar and wide programs,
 * so that all give the same bits. Comparisons and logic give 1 or 0; any number but 0 is true.
 */
#pragma once

#include <glib.h>
#include <math.h>

#include "base/random.h"

G_BEGIN_DECLS

#define WEIR_POWER_LIMIT 16 /* whole exponents up to this are products */

static inline double
weir_calc_sign (double a)
{
  return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a;
}

/* Not a number stays not a number. */
static inline double
weir_calc_min (double a, double b)
{
  return a < b || a != a ? a : b;
}

static inline double
weir_calc_max (double a, double b)
{
  return a > b || a != a ? a : b;
}

/* The remainder with the sign of b. */
static inline double
weir_calc_mod (double a, double b)
{
  return a - b * floor (a / b);
}

/* Of what is no whole number from 0 to 2^53 the part below is cut off. */
static inline double
weir_calc_random (double seed, double n)
{
  if (!(fabs (seed) <= 0x1p53 && fabs (n) <= 0x1p53))
    return NAN;
  return weir_random_uniform ((guint64) (gint64) seed, (guint64) (gint64) n, 0);
}

/* a^n by squaring, from the highest bit of n down. */
static inline double
weir_calc_whole_power (double a, guint n)
{
  double power = a;
  guint bit = 1;

  while (bit * 2 <= n)
    bit *= 2;
  for (bit /= 2; bit > 0; bit /= 2)
    {
      power *= power;
      if ((n & bit) != 0)
        power *= a;
    }
  return power;
}

static inline double
weir_calc_pow (double a, double b)
{
  double whole = floor (b);

  if (whole == b && b != 0.0 && b <= WEIR_POWER_LIMIT && b >= -WEIR_POWER_LIMIT)
    return b > 0.0 ? weir_calc_whole_power (a, (guint) b)
                   : 1.0 / weir_calc_whole_power (a, (guint) -b);
  if (b == 0.5)
    return sqrt (a);
  return pow (a, b);
}

G_END_DECLS

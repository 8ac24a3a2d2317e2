/* Logarithm and power to base 2, off by less than 1e-8, which is far more than the length of a step
 * needs. They are sums, products and a division, so that they give the same bits on every machine,
 * for one number as for many at once. Thread: *any*.
 */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* @x: finite, at least DBL_MIN */
static inline double
weir_log2 (double x)
{
  const guint64 root_of_half = G_GUINT64_CONSTANT (0x3fe6a09e667f3bcd);
  const double digits = 0x1p52, of_2 = 2.8853900817779268; /* 2 / ln 2 */
  guint64 bits, power, as_double;
  double s, z, exponent;

  memcpy (&bits, &x, sizeof bits);
  power = (bits - root_of_half + (G_GUINT64_CONSTANT (1023) << 52)) >> 52; /* + 1023 */
  bits -= (power - 1023) << 52;
  memcpy (&x, &bits, sizeof x); /* from the root of 1/2 to that of 2 */
  as_double = power | G_GUINT64_CONSTANT (0x4330000000000000);
  memcpy (&exponent, &as_double, sizeof exponent);
  exponent -= digits + 1023;
  s = (x - 1) / (x + 1); /* ln x = 2 artanh s */
  z = s * s;
  return exponent + of_2 * s * (1 + z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9)))));
}

/* @y: from -1000 to 1000 */
static inline double
weir_exp2 (double y)
{
  const double to_integer = 0x1.8p52, ln_2 = 0.69314718055994531;
  double rounded = y + to_integer, f = (y - (rounded - to_integer)) * ln_2, power, scale;
  guint64 bits;

  memcpy (&bits, &rounded, sizeof bits);
  bits = (bits + 1023) << 52;
  memcpy (&scale, &bits, sizeof scale);
  power = 1.0 / 120 + f * (1.0 / 720 + f * (1.0 / 5040));
  power = 1 + f * (1 + f * (1.0 / 2 + f * (1.0 / 6 + f * (1.0 / 24 + f * power))));
  return scale * power;
}

/* x^a y^b; @x, @y: as of weir_log2() */
static inline double
weir_product_of_powers (double x, double a, double y, double b)
{
  return weir_exp2 (a * weir_log2 (x) + b * weir_log2 (y));
}

G_END_DECLS

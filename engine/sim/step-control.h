/* How long error-controlled steps are, and those of explicit Runge-Kutta methods, as Hairer,
 * Norsett & Wanner, Solving Ordinary Differential Equations I, II.4: local error in the weighted
 * RMS norm, step factor with PI stabilisation, and their first step. What runs one member and what
 * runs many share this, so that both take the same steps.
 */
#pragma once

#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/butcher.h"
#include "sim/solver-private.h"

G_BEGIN_DECLS

#define WEIR_FAILED_FACTOR 0.25 /* of one step to the next, after a trial without a value */
#define WEIR_SAFETY 0.9
#define WEIR_MIN_FACTOR 0.2
#define WEIR_MAX_FACTOR 10.0
#define WEIR_BETA 0.04 /* of the PI controller */

typedef struct {
  double h;            /* s; what error control would like to take next; 0 = not chosen yet */
  double error_before; /* norm of the last accepted step */
  double exponent;     /* of the norm */
} WeirStepControl;

/* --- Powers ---------------------------------------------------------------------------------- */

/* Logarithm and power to base 2, off by less than 1e-8: far more than the length of a step needs,
 * for which they are all that a power takes. They are sums and products, so that they give the same
 * bits on every machine, and a fifth of what pow() takes, which would be half of what an ensemble
 * does for a member's step. */

/* @x: finite, at least DBL_MIN */
static inline double
weir_step_log2 (double x)
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
weir_step_exp2 (double y)
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

/* --- Lengths --------------------------------------------------------------------------------- */

/* A step, as its limits leave it. */
typedef struct {
  double h;         /* s */
  double floor;     /* s; what is shorter than that says nothing */
  gboolean reaches; /* does it end at the limit? Also one that would end shortly before. */
  gboolean is_cut;  /* much shorter than it could be, so that it says nothing against longer ones */
} WeirStepLength;

/* Of a step from @t that the error would let be @h long, and that may lead to @t_max. */
static inline WeirStepLength
weir_limit_step (double t, double h, double t_max, double max_step)
{
  double left = t_max - t;
  double wanted = MIN (h, max_step);
  gboolean reaches = wanted * (1 + WEIR_STRETCH) >= left && left <= max_step * (1 + WEIR_STRETCH);
  double taken = reaches ? left : MIN (wanted, left);

  return (WeirStepLength) { taken, MAX (16 * DBL_EPSILON * fabs (t), DBL_MIN), reaches,
                            taken < 0.95 * wanted };
}

static inline void
weir_step_control_init (WeirStepControl *self, const WeirButcherTable *table)
{
  self->h = 0;
  self->error_before = 1e-4;
  self->exponent = 1 / (double) (table->error_order + 1) - 0.75 * WEIR_BETA;
}

/* @norm: above 1, or NaN */
static inline void
weir_step_control_reject (WeirStepControl *self, const WeirStepLength *trial, double norm)
{
  double factor = WEIR_MIN_FACTOR;

  if (isfinite (norm))
    factor = MAX (factor, WEIR_SAFETY * weir_step_exp2 (-self->exponent * weir_step_log2 (norm)));
  self->h = trial->h * factor;
}

static inline void
weir_step_control_accept (WeirStepControl *self, const WeirStepLength *trial, double norm,
                          gboolean was_rejected)
{
  double exponent = WEIR_BETA * weir_step_log2 (self->error_before)
                    - self->exponent * weir_step_log2 (MAX (norm, 1e-10));
  double factor = WEIR_SAFETY * weir_step_exp2 (exponent);

  factor = CLAMP (factor, WEIR_MIN_FACTOR, was_rejected ? 1.0 : WEIR_MAX_FACTOR);
  /* A step cut short by its limit says nothing against the longer one. */
  self->h = trial->is_cut ? MAX (self->h, trial->h * factor) : trial->h * factor;
  self->error_before = MAX (norm, 1e-4);
}

/* How far to look for the bend of a solution whose state and derivative have these norms. */
static inline double
weir_first_probe (double size, double slope, double most)
{
  double h = size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope;

  return MIN (h, most);
}

/* @bend: what the derivative changed by over @probe, by norm, per second */
static inline double
weir_first_step (double probe, double slope, double bend, guint order, double most)
{
  double h;

  if (MAX (slope, bend) <= 1e-15)
    h = MAX (1e-6, probe * 1e-3);
  else
    h = pow (0.01 / MAX (slope, bend), 1.0 / order);
  return MIN (MIN (100 * probe, h), most);
}

G_END_DECLS

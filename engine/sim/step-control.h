/* How long error-controlled steps are, and those of explicit Runge-Kutta methods, as Hairer,
 * Norsett & Wanner, Solving Ordinary Differential Equations I, II.4: local error in the weighted
 * RMS norm, step factor with PI stabilisation, and their first step. What runs one member and what
 * runs many share this, so that both take the same steps.
 */
#pragma once

#include <float.h>
#include <math.h>

#include "numerics/power.h"
#include "sim/butcher.h"
#include "sim/solver-private.h"

G_BEGIN_DECLS

#define WEIR_FAILED_FACTOR 0.25 /* of one step to the next, after a trial without a value */
#define WEIR_SAFETY 0.9
#define WEIR_MIN_FACTOR 0.2
#define WEIR_MAX_FACTOR 10.0
#define WEIR_BETA 0.04        /* of the PI controller */
#define WEIR_LEAST_NORM 1e-10 /* that it tells from nothing */

typedef struct {
  double h;            /* s; what error control would like to take next; 0 = not chosen yet */
  double error_before; /* norm of the last accepted step */
  double exponent;     /* of the norm */
} WeirStepControl;

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
    factor = MAX (factor, WEIR_SAFETY * weir_exp2 (-self->exponent * weir_log2 (norm)));
  self->h = trial->h * factor;
}

/* @power: weir_product_of_powers() of the norm before, by WEIR_BETA, and of @norm or, where that is
 * less, WEIR_LEAST_NORM, by the exponent's negative. */
static inline void
weir_step_control_accept_by (WeirStepControl *self, const WeirStepLength *trial, double norm,
                             double power, gboolean was_rejected)
{
  double factor = CLAMP (WEIR_SAFETY * power, WEIR_MIN_FACTOR,
                         was_rejected ? 1.0 : WEIR_MAX_FACTOR);

  /* A step cut short by its limit says nothing against the longer one. */
  self->h = trial->is_cut ? MAX (self->h, trial->h * factor) : trial->h * factor;
  self->error_before = MAX (norm, 1e-4);
}

static inline void
weir_step_control_accept (WeirStepControl *self, const WeirStepLength *trial, double norm,
                          gboolean was_rejected)
{
  double power = weir_product_of_powers (self->error_before, WEIR_BETA, MAX (norm, WEIR_LEAST_NORM),
                                         -self->exponent);

  weir_step_control_accept_by (self, trial, norm, power, was_rejected);
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

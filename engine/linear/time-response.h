/* What comes out of a linear system of one input and one output after a step of height 1, or an
 * impulse of area 1, at time 0.
 *
 * Continuous ones go on exactly from row to row (matrix exponential) and figures are found between
 * the rows as exactly; sampled ones have a row for each tick, and hold their values from one to the
 * next (their impulse is one tick of height 1). Delays are exact where they are whole parts of the
 * longest one; figures are then interpolated. Thread: *any*.
 */
#pragma once

#include "linear/state-space.h"

G_BEGIN_DECLS

typedef struct {
  gboolean is_settling;   /* does it come to rest? Without: what follows is NAN */
  double first, final;    /* at 0, and where it comes to rest */
  double rise;            /* s: from a tenth of the way to nine tenths, each when first reached */
  double settling;        /* s: |y - final| is at most 2 % of the way from then on */
  double overshoot;       /* % of the way, beyond it */
  double undershoot;      /* % of the way, on the other side */
  double undershoot_time; /* s: of that; NAN: there is none */
  double peak, peak_time; /* NAN: it creeps there */
} WeirLinearStepFigures;

typedef struct {
  guint n;
  double *times, *values; /* n each; held in between where the system is sampled */
  gboolean is_held;
  WeirLinearStepFigures figures; /* of a step: from 0 to where it comes to rest */
} WeirTimeResponse;

/* @until: s; 0: until it has settled, or shows that it does not. NULL: an impulse passes straight
 * through a delay, there is no curve of it. (transfer full) */
WeirTimeResponse *weir_time_response_new (const WeirLinear *linear, gboolean is_impulse,
                                          double until);
void weir_time_response_free (WeirTimeResponse *self);

/* What a step of 1 comes to in the long run, if it comes to rest: G (0); INFINITY: it never does.
 */
double weir_linear_get_dc_gain (const WeirLinear *linear);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirTimeResponse, weir_time_response_free)

G_END_DECLS

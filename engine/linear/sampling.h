/* What a continuous system is in steps of a period.
 *
 * Thread: *any*.
 */
#pragma once

#include "linear/state-space.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_SAMPLING_HOLD,   /* exact, where inputs are held from step to step */
  WEIR_SAMPLING_RAMP,   /* exact, where they go straight from one value to the next */
  WEIR_SAMPLING_TUSTIN, /* the trapezoidal rule: s = 2 (z - 1) / (h (z + 1)) */
  WEIR_N_SAMPLINGS,
} WeirSampling;

/* @omega: with Tustin's rule, where its response is that of the continuous system (rad/s, below
 * pi / period); 0: it is stretched everywhere. NULL: Tustin's rule has no value for such poles, or
 * there are delays. (transfer full) */
WeirLinear *weir_linear_sample (const WeirLinear *self, WeirSampling sampling, double period,
                                double omega);

G_END_DECLS

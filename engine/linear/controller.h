/* Controllers that feed states back: a regulator for weights or for poles, an estimator of the
 * states for noise or for poles, of a linear system or of its samples.
 *
 *   u = -K x^,   x^' = A x^ + B u + L (y - C x^ - D u)
 *
 * or in steps of a period, the next x^ in place of its derivative. Thread: *any*.
 */
#pragma once

#include "linear/design.h"

G_BEGIN_DECLS

/* Of numbers as typed: one, on the diagonal; n, the diagonal; n by n. NULL: others. (transfer full)
 */
WeirMatrix *weir_weight_new (const double *values, guint size, guint n);
/* Of n numbers, or n pairs of real and imaginary part. NULL: others. (transfer full) */
double complex *weir_poles_new (const double *values, guint size, guint n);

typedef struct {
  const WeirMatrix *q, *r;              /* weights of states and inputs, */
  const double complex *loop_poles;     /* or the poles of A - B K */
  const WeirMatrix *w, *v;              /* disturbances of the states, noise of the outputs, */
  const double complex *observer_poles; /* or the poles of A - L C */
  gboolean by_poles;
} WeirControllerWish;

typedef struct {
  WeirLinear *plant; /* what they are for */
  WeirMatrix *k, *l;
  WeirMatrix *x; /* x0' X x0 is what the way from x0 costs by those weights; NULL: by poles */
} WeirController;

/* NULL and @error where there is none. (transfer full) */
WeirController *weir_controller_new (const WeirLinear *plant, const WeirControllerWish *wish,
                                     GError **error);
void weir_controller_free (WeirController *self);
/* The estimator's A, of x^; and its B, of u and y. (transfer full) */
WeirMatrix *weir_controller_make_a (const WeirController *self);
WeirMatrix *weir_controller_make_b (const WeirController *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirController, weir_controller_free)

G_END_DECLS

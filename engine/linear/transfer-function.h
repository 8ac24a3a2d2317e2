/* A linear system of one input and one output as a quotient of polynomials in s, or in z.
 *
 * Thread: *any*.
 */
#pragma once

#include "linear/state-space.h"

G_BEGIN_DECLS

/* Coefficients, highest power first; the denominator begins with 1. What cancels stays. */
typedef struct {
  guint numerator_degree, denominator_degree;
  double *numerator, *denominator; /* degree + 1 each */
} WeirTransferFunction;

/* The polynomials of its zeros and poles. NULL: there are delays or several rates, which make none
 * of finite order, or a value that is not finite. (transfer full) */
WeirTransferFunction *weir_transfer_function_new (const WeirLinear *linear);
void weir_transfer_function_free (WeirTransferFunction *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirTransferFunction, weir_transfer_function_free)

G_END_DECLS

/* Linearisation at an operating point:
 *
 *   dx' = A dx + B du,  dy = C dx + D du
 *
 * Every number is the limit of central differences over a range of increments, extrapolated
 * (Ridders, Adv. Eng. Software 4, 1982) as far as its own estimate of the error falls; columns of A
 * that share no row are moved together. Discrete states are held. Where the model has a kink at the
 * point, a number is the mean of the slopes on both sides, and a note says so.
 *
 * Thread: *owner*.
 */
#pragma once

#include "analysis/operating-point.h"

G_BEGIN_DECLS

typedef struct {
  guint n_states, n_inputs, n_outputs;
  guint32 *states;             /* n_states: their places in the whole state vector */
  double *a;                   /* n_states by n_states, row by row, as all of these */
  double *b;                   /* n_states by n_inputs */
  double *c;                   /* n_outputs by n_states */
  double *d;                   /* n_outputs by n_inputs */
  double *xdot, *y;            /* at the point: n_states and n_outputs values */
  double *poles_re, *poles_im; /* n_states each: the eigenvalues of A, by falling real part */
  double
      error; /* the largest estimated error of a number, as part of the largest in its matrix row */
  guint n_left_out; /* states that are on no way from an input to an output */
  GPtrArray *notes; /* char *: what is odd at this point */
} WeirLinearization;

/* @keeps_all: keep states that no chosen input reaches or that reach no chosen output; without
 * inputs or without outputs all are kept anyway. NULL and @error if the model has no value at the
 * point, or has too many states. */
WeirLinearization *weir_linearize (WeirOperatingPoint *point, gboolean keeps_all, GError **error);
void weir_linearization_free (WeirLinearization *self);

/* What each output comes to per unit of each input in the long run: D - C A^-1 B, n_outputs by
 * n_inputs. FALSE where A is singular: an output would grow without end. */
gboolean weir_linearization_get_gain (const WeirLinearization *self, double *gain);

/* The Jacobian at any (@x, @u), row by row: @a n_states by n_states, @b n_states by n_inputs, @c
 * n_outputs by n_states, @d n_outputs by n_inputs, all zero beforehand; NULL = not wanted. @errors:
 * for each row of A and B, then of C and D, at least its largest estimated error goes there; zero
 * beforehand; or NULL.
 * @notes: (element-type utf8) kinks are noted there; or NULL. */
gboolean weir_operating_point_differentiate (WeirOperatingPoint *point, const double *x,
                                             const double *u, double *a, double *b, double *c,
                                             double *d, double *errors, GPtrArray *notes,
                                             GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirLinearization, weir_linearization_free)

G_END_DECLS

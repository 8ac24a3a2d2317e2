/* The values of many contexts of one layout at once: members as one more dimension of what kernels
 * stream over.
 *
 * A wide evaluation has a row of lanes, a multiple of 8, for each value that it knows: what lane l
 * has of value i is at [i * width + l], and so it is in the vectors of states and derivatives that
 * it is given. A lane is loaded from a context, whose sources it copies. Each lane gets the bits
 * that its context would give alone: the same kernels in the same order. Calculations that are no
 * kernels are called lane by lane, on the context that was loaded. There is no wide form of lazy
 * calculations, abstract values and loops.
 *
 * Nothing is checked and nothing is counted: whether a lane's values are finite is for who asks.
 *
 * Thread: *owner*.
 */
#pragma once

#include "system/context/context.h"
#include "system/layout/reach.h"
#include "system/structure/system.h"

G_BEGIN_DECLS

typedef struct _WeirWide WeirWide;

/* What it takes for the derivatives and for the values at @n_ports ports. @width: lanes; a multiple
 * of 8. NULL and @obstacle, the entry that has no wide form (WEIR_NO_INDEX: there are no
 * derivatives). */
WeirWide *weir_wide_new (WeirSystem *root, const WeirPort *ports, guint n_ports, guint width,
                         WeirEntry *obstacle);
void weir_wide_free (WeirWide *self);

/* Bytes a lane takes of one with these ports, or 0 as above. */
gsize weir_wide_get_lane_size (const WeirWide *self);

/* Are some calculations made lane by lane? */
gboolean weir_wide_is_mixed (const WeirWide *self);

/* Takes up all of @context, borrowed, but its time and state. FALSE: something is unusual about it
 * (an input fixed against its wiring or without a value, caching switched off, a watcher), so that
 * it is to be evaluated alone. */
gboolean weir_wide_load (WeirWide *self, guint lane, WeirContext *context);
/* @to becomes what @from is, which is given up. */
void weir_wide_move_lane (WeirWide *self, guint from, guint to);
/* Gives the context up; all its entries are out of date. Until then it is not to be touched. */
void weir_wide_unload (WeirWide *self, guint lane);
/* The lane's context, to be set and evaluated at will until it is given back. */
WeirContext *weir_wide_borrow (WeirWide *self, guint lane);
void weir_wide_give_back (WeirWide *self, guint lane);
/* Has a calculation of the lane given no value, since this was asked last? */
gboolean weir_wide_take_failure (WeirWide *self, guint lane);

/* xdot = f(t, x) in lanes [first, first + n). @t: width times. @x, @xdot: a row for each state. */
void weir_wide_rhs (WeirWide *self, const double *t, const double *x, double *xdot, guint first,
                    guint n);

/* Computes what is at the ports in lanes [first, first + n); the same vectors, unchanged, are to be
 * given to the next. */
void weir_wide_outputs (WeirWide *self, const double *t, const double *x, guint first, guint n);
/* The row of element @element at port @port after that. */
const double *weir_wide_get_output (const WeirWide *self, guint port, guint element,
                                    const double *t, const double *x);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirWide, weir_wide_free)

G_END_DECLS

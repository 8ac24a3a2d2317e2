/* The past of values, kept as declared state, so that checkpoints, verify and every solver know it.
 *
 * The state is a count, then that many rows, oldest first: the time, the order of the break that
 * begins there (0 = none), and the values then. Rows are kept at the ends of steps, not much nearer
 * to each other than the delay divided by twice the number of points. Where the values break off
 * (they jump, or a derivative does) there are two rows for one instant, and nothing is interpolated
 * across: in between, what is read is the cubic through the four nearest rows of one side, whose
 * error is of the fourth order.
 *
 * A break comes back when the delay is over. In a loop it is then smoother by one derivative, so
 * that it is passed on WEIR_PAST_MAX_ORDER times at most. Thread: the descriptor is *immutable*.
 */
#pragma once

#include "blocks/types/family-private.h"

G_BEGIN_DECLS

#define WEIR_PAST_MAX_ORDER 6
#define WEIR_PAST_DEFAULT_POINTS 64

typedef struct {
  double delay;     /* the longest, s */
  guint32 size;     /* values in a row */
  guint32 n_points; /* steps within the delay, at least */
  guint32 capacity; /* rows */
  guint32
      filler; /* 0: the data of a leaf have no holes, as its fingerprint is taken of every byte */
} WeirPast;

WeirPast weir_past_make (double delay, guint32 size, guint32 n_points);
/* Whether it is of a size that may be, and its steps of a length that is more than none; else a
 * sentence. To be asked before the following. */
gboolean weir_past_check (const WeirPast *self, GError **error);
/* Doubles of the state; it starts as zeros. */
gsize weir_past_get_n_numbers (const WeirPast *self);

/* Element @from and the @n - 1 after it at the time @then, as seen at @t. FALSE, and nothing is
 * written, if that is before the first row. */
gboolean weir_past_read (const WeirPast *self, const double *past, double t, double then,
                         guint32 from, guint32 n, double *values);
/* The same, where @then may be as late as @t; @now: the @n values at @t. Near to it, what is read
 * is the polynomial through them and the last three rows. */
gboolean weir_past_read_until (const WeirPast *self, const double *past, double t, double then,
                               guint32 from, guint32 n, const double *now, double *values);
/* The first row's values; NULL if there is no row yet. */
const double *weir_past_get_first (const WeirPast *self, const double *past);
/* The next instant after @after at which a break comes back after the whole delay; infinity
 * = none. */
double weir_past_find_break (const WeirPast *self, const double *past, double after);
/* The next instant after @after at which a step should end that may read what it is about to keep:
 * steps grow from nearly nothing behind each break; infinity = none. */
double weir_past_find_short_step (const WeirPast *self, const double *past, double after);
/* How far @then is behind (positive) or before the nearest instant with a break. */
double weir_past_get_distance (const WeirPast *self, const double *past, double then);
/* The order of the break that comes back at @t, 1 being a jump; 0 = none. */
guint weir_past_get_order (const WeirPast *self, const double *past, double t);

/* A publish that does nothing: its period ends steps, so that there are rows enough. */
WeirStatus weir_past_end_step (const WeirCalc *c, gint64 n);
/* For an update on both sides of each step: keeps @values, of now. @order: of the break that comes
 * back now, 0 = none. */
WeirStatus weir_past_keep (const WeirPast *self, const WeirCalc *c, const double *values,
                           guint order, double *past);

G_END_DECLS

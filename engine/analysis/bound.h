/* Bounds that a signal is to keep: a line over a stretch of time that it is not to go above, or
 * below, and the envelope of a step that is made of such lines. As text: "upper FROM TO A B NAME",
 * straight from value A at the time FROM (s) to B at TO; the signal's name may have blanks.
 *
 * A signal that touches a bound keeps it. Thread: *any*, checking the measure's *owner*.
 */
#pragma once

#include "analysis/measure.h"

G_BEGIN_DECLS

typedef struct {
  gboolean is_upper;
  double from, to; /* s; infinite: as far as there are samples; then both values are the same */
  double values[2];
} WeirBound;

typedef enum {
  WEIR_BOUND_KEPT,
  WEIR_BOUND_BROKEN,
  WEIR_BOUND_UNSEEN, /* not broken, but the samples do not reach over its time, or have a gap */
} WeirBoundState;

typedef struct {
  WeirBoundState state;
  double broken_at;       /* s: first beyond; NAN: never */
  double worst, worst_at; /* how far beyond at most (below 0: the least room left), and when (s);
                             NAN: nothing was seen */
} WeirBoundVerdict;

/* Is it one: from before to, finite values, the same ones if a time is infinite? */
gboolean weir_bound_is_sound (const WeirBound *self);
gboolean weir_bound_equal (const WeirBound *a, const WeirBound *b);
/* @signal: (out): its name, within @line. FALSE: it is no sound bound. */
gboolean weir_bound_parse (const char *line, WeirBound *self, const char **signal);
/* (transfer full) */
char *weir_bound_to_text (const WeirBound *self, const char *signal);

/* Values are taken between samples as the signal's are. */
WeirBoundVerdict weir_bound_check (const WeirBound *self, const WeirMeasure *measure);

#define WEIR_N_ENVELOPE_BOUNDS 5

/* What a step from y0 to yf is to keep that begins at @start: not @undershoot (part of the step)
 * beyond y0; from @rise_time on beyond @levels->high of the step; at most @overshoot (part) beyond
 * yf; from @settling_time on within @levels->band; up to @end. Times in s from @start on. */
void weir_bound_make_envelope (const WeirStepLevels *levels, double start, double end,
                               double rise_time, double settling_time, double overshoot,
                               double undershoot, WeirBound bounds[WEIR_N_ENVELOPE_BOUNDS]);

G_END_DECLS

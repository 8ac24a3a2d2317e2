/* Zero crossings of the witnesses of a run: sampled over each accepted step and located on the
 * solver's dense output.
 *
 * Each element of a witness has a side, the sign it last had. It crosses where its sign becomes the
 * other, or where it lands on zero. An element without a side (it was zero at the start, or an
 * event put it onto zero) takes the first sign it gets without crossing, unless it goes on the way
 * that it crossed before its event put it there. So nothing fires twice at a located point, and
 * what comes back through the surface later fires again.
 *
 * Thread: *owner*.
 */
#pragma once

#include "sim/solver-private.h"
#include "system/evaluation/event.h"

G_BEGIN_DECLS

typedef struct _WeirCrossings WeirCrossings;

/* A witness touches zero as it turns. */
typedef struct {
  WeirEntry witness;
  double time;  /* s */
  double value; /* its distance from zero there */
  double error; /* what the tolerances cannot tell apart */
} WeirGraze;

/* NULL where no event of the tree is triggered by a crossing. @tolerance: s; 0 = a hundred units of
 * rounding of the time and the step. */
WeirCrossings *weir_crossings_new (WeirProblem *problem, double tolerance);
void weir_crossings_free (WeirCrossings *self);

/* Takes up the sides at the context's time and state. */
gboolean weir_crossings_start (WeirCrossings *self, GError **error);
/* Updates are about to answer what crossed. */
void weir_crossings_note_rates (WeirCrossings *self);
/* The context jumped: @found tells whether anything crossed by that. */
gboolean weir_crossings_compare (WeirCrossings *self, gboolean *found, GError **error);
/* Looks over the solver's last step, from @t to @end (without a solver: only time advanced). If
 * something crossed, @end becomes the time of the first crossing and @x (n states) the state there.
 */
gboolean weir_crossings_scan (WeirCrossings *self, WeirSolver *solver, double t, double *end,
                              double *x, gboolean *found, GError **error);
/* Where the next step had better end, as things go at @t, where the last step that was looked over
 * ended: before something crosses that breaks steps, a kink or jump that no step should be made
 * across, or from nearby just after it. INFINITY: nothing does soon. */
double weir_crossings_predict_break (const WeirCrossings *self, double t);
/* Where the solver's last step, from @t, should have ended: before something crosses in it that
 * breaks steps and was not foreseen. INFINITY: nothing does, or so early that it does no harm. @x:
 * n states to work with. */
gboolean weir_crossings_find_break (WeirCrossings *self, WeirSolver *solver, double t, double *x,
                                    double *at, GError **error);
/* In the step that was just looked over a witness changed so fast that it may have crossed unseen
 * between @begin and @end (s). FALSE if none did. */
gboolean weir_crossings_get_doubt (const WeirCrossings *self, WeirEntry *witness, double *begin,
                                   double *end);
/* In that step a witness turned so near to zero that the tolerances decide whether it crosses: the
 * first time in the run that an element of it does. FALSE if none did. */
gboolean weir_crossings_get_graze (const WeirCrossings *self, WeirGraze *graze);
/* The event whose crossings pile up at the end of that step: @n of them within @length (s); or with
 * @is_sent_back the last was answered, and yet its witness went on. G_MAXUINT = none. */
guint weir_crossings_get_pile (const WeirCrossings *self, guint *n, double *length,
                               gboolean *is_sent_back);
/* The sides, for a checkpoint. (transfer full; floating) */
GVariant *weir_crossings_save (const WeirCrossings *self);
/* Can it be taken up here? */
gboolean weir_crossings_fits (const WeirCrossings *self, GVariant *saved);
void weir_crossings_load (WeirCrossings *self, GVariant *saved);

/* What the last of these found: by element of the event's witness, -1 falling, 1 rising, 0 none.
 * NULL if it does not concern event @i. */
const gint8 *weir_crossings_get_directions (const WeirCrossings *self, guint i);
/* To how many seconds a crossing at @t in a step of @h is located. */
double weir_crossings_get_tolerance (const WeirCrossings *self, double t, double h);

G_END_DECLS

/* How far a step with error control may go at most, beside what the user said: error control sees
 * the derivatives at a few instants of each step, and what repeats itself between them deceives it.
 *
 * Thread: *owner*.
 */
#pragma once

#include "sim/solver-private.h"

G_BEGIN_DECLS

typedef struct _WeirPace WeirPace;

/* NULL where nothing limits the steps. @has_witnesses: crossings are looked for. */
WeirPace *weir_pace_new (WeirProblem *problem, gboolean has_witnesses);
void weir_pace_free (WeirPace *self);
/* The run begins, or goes on from somewhere else. */
void weir_pace_restart (WeirPace *self);
/* The longest step (s) from the context's time and state; INFINITY = any. @length: s, of the whole
 * run. @has_jumped: the state or something that it depends on jumped since the last call. */
double weir_pace_get_longest (WeirPace *self, double length, gboolean has_jumped);

/* For a checkpoint. (transfer full; floating) */
GVariant *weir_pace_save (const WeirPace *self);
/* FALSE if it does not fit. */
gboolean weir_pace_load (WeirPace *self, GVariant *saved);

G_END_DECLS

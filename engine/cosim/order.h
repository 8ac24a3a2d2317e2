/* What a schedule makes of the units of a model, for people: who steps after whom, whose values
 * come late, which list has the fewest late ones, and what schedules differ in.
 *
 * Units are numbered as in cosim.h; WEIR_COSIM_REST is the rest of the model.
 *
 * Thread: *owner* of the simulator, or none is needed.
 */
#pragma once

#include "cosim/cosim.h"

G_BEGIN_DECLS

/* Is there anything in the rest of the model that has states or events? */
gboolean weir_cosim_has_rest (const WeirCosim *self);

/* In a cascade: 0 of a unit that nobody precedes, else one more than the highest of those that do.
 */
guint weir_cosim_get_level (const WeirCosim *self, guint i);

/* What one gives another that sees it an instant late in a cascade: against the list, or marked. */
typedef struct {
  guint from, to;
} WeirCosimLink;
/* (element-type WeirCosimLink) In the order of the list. (transfer full) */
GArray *weir_cosim_list_late (const WeirCosim *self);

/* Inputs, of units and of blocks of the rest, some of what they see being an instant late by the
 * present schedule and list. (element-type WeirInputPlace) (transfer full) */
GArray *weir_cosim_list_late_inputs (const WeirCosim *self);

/* A list with the fewest late links, and how many those are: the best there is of up to 16 who
 * stand in it, of more one that is near it. Of equal ones, that nearest to the present list comes
 * first. @list: n_units + 1, as weir_cosim_set_list() takes it. */
guint weir_cosim_suggest_list (const WeirCosim *self, guint *list);

/* The chain of units, and the rest, that a communication step has to wait for where all make a step
 * in it: each must end before the next begins, by the schedule. @took: what a step of each takes,
 * n_units + 1, the rest's last; in any unit of time. @path: (out) n_units + 1 places; the chain's
 * @n first ones. How long it takes. */
double weir_cosim_find_critical_path (const WeirCosim *self, const double *took, guint *path,
                                      guint *n);

/* An output of a unit in two runs that differ in their schedule alone. */
typedef struct {
  guint unit, output; /* element of its outputs */
  double difference;  /* the greatest; and that in parts of the greatest value */
  double relative;
  double time; /* of it, s ... */
  double a, b; /* ... and the values there */
} WeirCosimDifference;

/* Both runs, in step, from 0 to @stop_time. @differences: (element-type WeirCosimDifference), of
 * each element of every unit. FALSE and @error if a run failed or was stopped. Thread: *any*. */
gboolean weir_cosim_compare (WeirSystem *root, const WeirSimulatorOptions *options,
                             double stop_time, WeirStepSchedulingType a, WeirStepSchedulingType b,
                             const gint *cancel, GArray *differences, GError **error);

G_END_DECLS

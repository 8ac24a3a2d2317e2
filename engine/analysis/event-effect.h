/* What is one change event good for? A run is repeated from where it was stored, once as it was and
 * once with that event marking nothing out of date, and both are compared: whatever differs needed
 * the event.
 *
 * Both runs evaluate what the run itself evaluated. At the end of each step that both take alike, a
 * copy of each is asked for every value; the runs themselves are left alone. Thread: *owner*.
 */
#pragma once

#include "sim/session.h"

G_BEGIN_DECLS

typedef struct {
  char *path;           /* "Gain: output y", "Tank: continuous state [0]" */
  gboolean is_output;   /* of a port; else a state, or a value within a block */
  double time;          /* s; where it differed first ... */
  double with, without; /* ... and what it was there */
  double largest;       /* |with - without| of all times; NAN = one of them was no number */
} WeirEffectDifference;

typedef struct {
  GArray *differences; /* WeirEffectDifference, states first, then in the order of evaluation */
  guint64 n_values;    /* compared */
  guint n_steps;       /* after the event */
  double from, until;  /* s; compared between */
  double steps_differ_from; /* s; where the solver chose another step; NAN = nowhere */
  char *failure;            /* of the run without the event, a sentence; NULL = none */
} WeirEventEffect;

/* Frees what it holds. */
void weir_event_effect_clear (WeirEventEffect *self);

/* @options, @stop_time, @recorded_ports (port paths): of the run that was logged. @stored:
 * WeirStoredRun; NULL = the run began with the model's own values. @event: EVENT or JOINT of its
 * log. @max_steps: followed after the event; 0 = to the end. @cancel: as in
 * weir_simulator_set_cancel(). FALSE and
 * @error also if the event did not come again, as after edits that nothing was stored since. */
gboolean weir_find_event_effect (WeirSystem *root, const WeirSimulatorOptions *options,
                                 double stop_time, const char *const *recorded_ports,
                                 const GArray *stored, const WeirLogRecord *event, guint max_steps,
                                 const gint *cancel, WeirEventEffect *result, GError **error);

G_END_DECLS

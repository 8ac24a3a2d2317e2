/* The master of a model with units: which unit steps when, on which thread, and what it sees.
 *
 * The units stand in a list, and so does the rest of the model, which the simulator integrates as
 * one: it stands last unless it is moved. Unit A *precedes* B where A stands before B and A's
 * outputs feed B's inputs, directly or through algebra.
 *
 * Full parallel: each step begins with the values of its communication instant, wherever they come
 * from. Cascading parallel: one task of a unit is to set its inputs, step, and get its outputs; it
 * begins when the tasks of those that precede it have ended, and waits for nobody else. A value
 * that comes along the list is the new one, a value against it that of the communication instant.
 * Units that precede the rest write their new outputs before the rest advances; those that the rest
 * precedes begin when it has arrived, and see its states and the time as they are there. With
 * several rates only the units take part whose steps begin at the instant: one whose step goes on
 * holds nobody up, and along the list gives what that step arrived at.
 *
 * Algebra on a wire belongs to the unit that it leads to: it is evaluated in that unit's task, by
 * the engine, in a context of the task's own in which the sources of the value are set.
 *
 * Steps may be longer than the communication step, which is then the shortest: a power of two of
 * them, beginning at a multiple of its length, as long as what each unit gives is, to a tolerance,
 * what those that it feeds have supposed of it: the value held, or on the line or parabola. If all
 * units can go back, a step that is too long is made again; else the next is shorter.
 *
 * Results do not depend on the number of threads: each task reads what those that precede it have
 * written, and what was the case when the step began. A change of type or list holds from the next
 * communication step.
 *
 * Thread: the simulator's *owner*.
 */
#pragma once

#include "base/visibility.h"
#include "sim/simulator.h"

WEIR_BEGIN_DECLS

typedef struct _WeirCosim WeirCosim;

/* Lets simulators of models with units have a master from here on. At the start of a program. */
void weir_cosim_provide (void);

/* The master of the simulator; NULL if its model has no units. (transfer none) */
WeirCosim *weir_cosim_get (WeirSimulator *simulator);

/* The units, in the order of the tree. (transfer none) */
guint weir_cosim_get_n_units (const WeirCosim *self);
const char *weir_cosim_get_path (const WeirCosim *self, guint i);
gboolean weir_cosim_find (const WeirCosim *self, const char *path, guint *i);
WeirNode weir_cosim_get_node (const WeirCosim *self, guint i);
/* How many communication steps one of its own is. */
guint weir_cosim_get_n_steps (const WeirCosim *self, guint i);

WeirStepSchedulingType weir_cosim_get_step_scheduling_type (const WeirCosim *self);
/* FALSE and @error if there is no such type. */
gboolean weir_cosim_set_step_scheduling_type (WeirCosim *self, WeirStepSchedulingType type,
                                              GError **error);

/* Stands for the rest among units. */
#define WEIR_COSIM_REST (G_MAXUINT)

/* Who stands at place @k of the list, 0 to n_units: a unit or WEIR_COSIM_REST. */
guint weir_cosim_get_at (const WeirCosim *self, guint k);
/* @list: n_units + 1 of them, each once. */
gboolean weir_cosim_set_list (WeirCosim *self, const guint *list, GError **error);

/* Do @a's outputs reach @b's inputs; and does @a stand before @b too? Either may be the rest. */
gboolean weir_cosim_feeds (const WeirCosim *self, guint a, guint b);
gboolean weir_cosim_precedes (const WeirCosim *self, guint a, guint b);

/* At most so many run at a time; 0 = as many as the machine has processors. */
void weir_cosim_set_threads (WeirCosim *self, guint n);

/* The last step of a unit: when it began and ended (monotonic, us) and on which thread, 0 being the
 * run's own. FALSE: it has made none. */
typedef struct {
  gint64 begin, end;
  guint thread;
  double t, t_end; /* s */
} WeirCosimStep;
gboolean weir_cosim_get_step (WeirCosim *self, guint i, WeirCosimStep *step);

/* Whether a unit takes part (unit.h), from its next step on: a parameter of its leaf in the run's
 * context, which others may set too. */
void weir_cosim_set_activity (WeirCosim *self, guint i, WeirUnitActivity activity);
WeirUnitActivity weir_cosim_get_activity (const WeirCosim *self, guint i);
/* Every step of the unit that begins from @from on, before @until (s), is made so, in every run; of
 * several the last that was said counts. */
void weir_cosim_plan_activity (WeirCosim *self, guint i, double from, double until,
                               WeirUnitActivity activity);

/* Steps of units since the run began: those of one instant count once. */
typedef struct {
  guint64 steps, rejected;  /* that were made again, shorter */
  double shortest, longest; /* s; 0: none */
  guint64 reserved[4];
} WeirCosimStatistics;
void weir_cosim_get_statistics (const WeirCosim *self, WeirCosimStatistics *statistics);

/* What it gave last (borrowed): n_y values. */
const double *weir_cosim_get_outputs (WeirCosim *self, guint i, guint *n);

WEIR_END_DECLS

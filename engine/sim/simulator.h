/* Advancing a context through time: events and continuous integration.
 *
 * One step: updates due now (all read x-minus, results applied together), continuous advance from
 * x-plus to the next event, boundary or solver step, then publish of what is due there (x-minus of
 * the updates that follow). Event n of a period is at offset + n * period, never accumulated. A
 * zero crossing within the solver's step is located on its dense output and ends the step there.
 * What updates make cross at their own instant follows at once (event iteration). The simulator
 * owns time and the state vector; leaves see views. It never allocates per step, except for notes.
 *
 * Thread: *owner*.
 */
#pragma once

#include "base/visibility.h"
#include "sim/master.h"
#include "sim/trouble.h"
#include "system/context/context.h"
#include "system/structure/leaf.h"
#include "system/structure/system.h"

WEIR_BEGIN_DECLS

/* One of the solvers there are. */
typedef struct {
  const char *name; /* "dormand-prince", "cvode-bdf", ... */
  const char *title;
  const char *help; /* one sentence */
  guint order;
  gboolean is_adaptive;
} WeirSolverInfo;

/* The solvers that there are, the default first; static. Thread: *any*. */
guint weir_solver_get_n (void);
const WeirSolverInfo *weir_solver_get (guint i);
const WeirSolverInfo *weir_solver_find (const char *name); /* NULL if unknown */

/* How a run is made; weir_simulator_options_init() sets the defaults. */
struct _WeirSimulatorOptions {
  const char *solver;        /* NULL = "auto" */
  double relative_tolerance; /* default 1e-6; becomes the context's accuracy */
  double absolute_tolerance; /* default 1e-9 */
  double step;               /* of fixed-step methods, and of a model without continuous state whose
                                signals follow time; 0 = a hundredth of the stop time, at most
                                0.01 s */
  double max_step;           /* s; 0 = what the model asks for: of methods with error control a part
                                of a turn of what drives it (leaf.h), and a fiftieth of the run
                                where crossings are looked for */
  double event_tolerance;    /* s; to what zero crossings are located; 0 = 100 units of rounding */
  guint max_crossings; /* of one block in a row, with next to no time between them, before the run
                          fails with a report; default 1000 */
  guint max_event_iterations; /* at one instant; default 100 */
  guint64 max_steps;          /* of the run; default 0 = no limit */
  guint max_stalled_steps; /* in a row that get almost nowhere, while many trials fail, before the
                              run fails with a report, and a thousand times as many while none fail;
                              default 1000, 0 = no limit */
  double record_interval;  /* s; weir_simulator_is_sample() then tells t0, each multiple of it after
                              t0, and the end; 0 = every instant. Alters no bit of the solution:
                              what lies within a step is read off the solver's dense output. */
  double record_gap;       /* s; a step that is longer is shown to the monitor within as well, no
                              less often than this (unless the method keeps its step), and where
                              it begins if something jumped there.
                              That is worked out on a copy of the context: the run counts and
                              computes the same with and without. 0 = never. Of no effect with a
                              record interval */
  double record_memory;    /* MiB, of whoever records the run, and */
  gboolean record_thins;   /* what he does beyond: see weir_recorder_set_budget() */
  gboolean skips_initialization_events;
  guint threads;             /* of a model with units; 0 = as many as the machine has processors.
                                Alters no bit */
  double communication_step; /* s; of a model with units: between two instants at which they
                                exchange values; 0 = 0.01 */
  WeirStepSchedulingType schedule; /* of those units */
  guint rest_place; /* in their list the rest stands before those of a greater place; 0 = last */
  double longest_communication_step; /* s; if greater than the communication step, that is the
                                        shortest, and they are as long as their tolerance allows:
                                        twice, four times, ... of it; 0 = always it */
  double communication_tolerance;    /* default 1e-3: how far what units give may be, when a step
                                        ends, from what the others have supposed in it; relative
                                        to its size, where that is above 1 */
  guint64 reserved[3];               /* 0: what is to come */
};

/* Sets every option to its default. */
void weir_simulator_options_init (WeirSimulatorOptions *options);
/* Sets the option that goes by this name in model files ("max-step", "record-interval", ...; all
 * that are numbers). FALSE: there is no such option. */
gboolean weir_simulator_options_set (WeirSimulatorOptions *options, const char *setting,
                                     double value);

/* For who compares steps: the monitor is shown every instant of the run, and nothing between them.
 */
void weir_simulator_options_set_each_instant (WeirSimulatorOptions *options);

/* For results that are drawn: sets the record gap to a 500th of the run, so that curves are curves
 * and jumps are steep where the solver takes long steps. */
void weir_simulator_options_set_for_plots (WeirSimulatorOptions *options, double stop_time);
/* For figures of what is recorded, such as peaks: likewise, to a 5000th. */
void weir_simulator_options_set_for_figures (WeirSimulatorOptions *options, double stop_time);

/* discrete_updates, unrestricted_updates, resets and publishes count handlers that did something;
 * crossings the instants at which something crossed zero; event_iterations the rounds of updates
 * that followed from updates of the same instant; reinitialisations restarts of a multistep solver
 * after the first. Lengths of steps: s; 0 before the first. */
typedef struct {
  guint64 steps, rejected_steps, rhs_calls, jacobians, discrete_updates, publishes,
      reinitialisations;
  guint64 unrestricted_updates, resets, crossings, event_iterations;
  double last_step, shortest_step, longest_step;
} WeirSimulatorStatistics;

/* Where a run's time goes, in seconds of wall time, estimated from samples. Those of Jacobians are
 * within those of the solver, as are those right-hand sides that Jacobians take. */
typedef struct {
  double solver;    /* steps, with their right-hand sides and Jacobians */
  double rhs;       /* right-hand sides */
  double jacobians; /* computing them; not the linear systems */
  double crossings; /* looking for them */
  double events;    /* handlers, and what follows from them */
  double monitor;   /* recording */
} WeirSimulatorTimes;

/* Where a monitor is called. The context is consistent and may be evaluated. A monitor returns
 * WEIR_OK, WEIR_TERMINATE to end the run, or WEIR_FAILED after a failed evaluation. */
typedef enum {
  WEIR_PHASE_INITIAL, /* t0, before any update */
  WEIR_PHASE_STEP,    /* an accepted step that ended at no event */
  WEIR_PHASE_MINUS,   /* at an event time, before its updates (x-minus); publish instant */
  WEIR_PHASE_PLUS,    /* right after the updates (x-plus) */
  WEIR_PHASE_FINAL,   /* the stop time, if no event falls on it */
  WEIR_PHASE_SAMPLE,  /* within an accepted step, at a multiple of the record interval */
  WEIR_PHASE_WITHIN,  /* where a step longer than the record gap begins, or within it */
} WeirPhase;
typedef WeirStatus (*WeirMonitorFunc) (WeirSimulator *simulator, WeirPhase phase, gpointer data);

/* @context: (transfer none) must outlive the simulator. NULL and @error for an unknown solver or
 * options that make no sense. */
WeirSimulator *weir_simulator_new (WeirSystem *root, WeirContext *context,
                                   const WeirSimulatorOptions *options, GError **error);
void weir_simulator_free (WeirSimulator *self);
void weir_simulator_set_monitor (WeirSimulator *self, WeirMonitorFunc monitor, gpointer data);

/* @cancel: when it becomes non-zero (atomically, from any thread) the step in progress ends with
 * G_IO_ERROR_CANCELLED; the context keeps the last accepted state. NULL = none. */
void weir_simulator_set_cancel (WeirSimulator *self, const gint *cancel);

/* Between two calls, parameters, inputs, states and the accuracy of the context may be set: its
 * change events tell of it, and integration restarts from there. Time may not. */

/* Takes up the context's time as t0 and forgets what went before. Initialisation events run here,
 * then publishes due at t0; other updates due at t0 run at the start of the first step. */
gboolean weir_simulator_initialize (WeirSimulator *self, GError **error);
/* Advances until @boundary (s, >= now). TRUE at the boundary or when a handler ended the run.
 * Updates due at the boundary are left pending; a boundary at the present time executes what is
 * pending. */
gboolean weir_simulator_advance_to (WeirSimulator *self, double boundary, GError **error);
/* One step of the solver, at most to @boundary. @done: the boundary was reached, or a handler ended
 * the run. */
gboolean weir_simulator_step (WeirSimulator *self, double boundary, gboolean *done, GError **error);
/* Runs every forced event of the tree with @action (publish or an update) now. */
gboolean weir_simulator_force (WeirSimulator *self, WeirAction action, GError **error);

/* The whole run between two steps, for a file or another process: the context, when events fall,
 * which sides witnesses are on, what the solver remembers, statistics and notes. Random numbers and
 * delays are states of the context. Saving changes nothing. NULL and @error if the last step was
 * not completed. */
GBytes *weir_simulator_save (WeirSimulator *self, GError **error);
/* Continues such a run in place of weir_simulator_initialize(). With an explicit method the steps
 * that follow are those of the uninterrupted run, to the bit; a multistep or implicit method starts
 * anew, within its tolerance, and so does one other than that of the run saved. Values of
 * parameters are those saved; to give others, set them.
 * FALSE, @error and @self unchanged where the bytes are no checkpoint, cut short, damaged, or of
 * another model. */
gboolean weir_simulator_load (WeirSimulator *self, GBytes *bytes, GError **error);

/* Who steps the units of the model; NULL if it has none. (transfer none) */
WeirMaster *weir_simulator_get_master (WeirSimulator *self);

/* How often event @i (weir_system_get_event()) did something. */
guint64 weir_simulator_get_event_count (WeirSimulator *self, guint i);
/* What handlers told: "Ball at t = 12.85: came to rest"; where one ended the run, that is the last.
 * Of a run that was loaded only the sentences of before are known. (transfer none) */
guint weir_simulator_get_n_notes (WeirSimulator *self);
WeirTrouble *weir_simulator_get_note (WeirSimulator *self, guint i);

/* What went wrong since the run was initialised: warnings in the order in which they came; where it
 * failed, why is the last, of severity error, with the sentence of its GError. (transfer none) */
guint weir_simulator_get_n_troubles (WeirSimulator *self);
WeirTrouble *weir_simulator_get_trouble (WeirSimulator *self, guint i);
/* Lists a warning: the first of its kind about a value, and a hundred in all; for monitors too.
 * What may help is added. @trouble: (transfer full) */
void weir_simulator_warn (WeirSimulator *self, WeirTrouble *trouble);

/* In a monitor: is this an instant that a recorder takes? TRUE at all without a record interval. */
gboolean weir_simulator_is_sample (WeirSimulator *self);

/* What it was made with, and what it has done so far; statistics and context are borrowed and live.
 * In a monitor at WEIR_PHASE_WITHIN the context is a copy, valid until the monitor returns. */
WeirContext *weir_simulator_get_context (WeirSimulator *self);
WeirSystem *weir_simulator_get_system (WeirSimulator *self);
const WeirSimulatorStatistics *weir_simulator_get_statistics (WeirSimulator *self);
WeirSimulatorTimes weir_simulator_get_times (WeirSimulator *self);
/* The state whose error estimate was the largest in the last step, which is what keeps the steps
 * short; G_MAXUINT where that is not known: steps are fixed, or there are none yet. */
guint weir_simulator_find_limiting_state (WeirSimulator *self);
/* "plant.pendulum.v[0]": where state @i of the whole vector lives. (transfer full) */
char *weir_simulator_dup_state_name (WeirSimulator *self, guint i);
/* Has a handler asked the run to end? */
gboolean weir_simulator_is_terminated (WeirSimulator *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirSimulator, weir_simulator_free)

WEIR_END_DECLS

/* What the simulator's files share: simulator.c steps, simulator-events.c runs the events.
 *
 * Invariants between steps: the context holds the last accepted time and state; every event's time
 * is at or after it; those that are due are updates not yet executed, all due at this very time.
 */
#pragma once

#include "sim/schedule.h"
#include "sim/simulator.h"
#include "sim/solver-private.h"
#include "system/evaluation/event.h"
#include <math.h>

G_BEGIN_DECLS

typedef struct {
  WeirDeclaredEvent declared;
  gint64 n;                          /* index of the next occurrence */
  double time;                       /* s; its time; INFINITY: not known beforehand */
  gboolean is_due;                   /* an update that waits for the next step */
  guint64 count;                     /* occurrences that did something */
  guint n_close;                     /* crossings in a row with next to no time between them */
  double first_close, last_crossing; /* s; of those */
} WeirSimulatorEvent;

/* Beside the whole run, so short a time is none. */
#define WEIR_NO_PROGRESS 1e-12

/* Where a number of steps began that are looked at together. */
typedef struct {
  guint64 steps, rejected;
  double time; /* s */
} WeirStretch;

typedef struct {
  WeirStretch stretch, long_stretch;
} WeirProgress;

/* A witness that may have crossed unseen. */
typedef struct {
  WeirEntry witness;
  guint64 n;         /* steps */
  double begin, end; /* s; the first place */
} WeirDoubt;

/* What was saved last, if it is small (simulator-checkpoint.c). */
typedef struct _WeirRemembered WeirRemembered;
void weir_remembered_free (WeirRemembered *self); /* (nullable) */

struct _WeirSimulator {
  WeirSystem *root;
  WeirContext *context; /* borrowed */
  WeirSimulatorOptions options;
  WeirProblem problem;
  WeirSolver *solver; /* NULL without continuous state */
  WeirSimulatorStatistics statistics;
  WeirStopwatch solver_stopwatch, crossing_stopwatch, event_stopwatch, monitor_stopwatch;
  WeirMonitorFunc monitor;
  gpointer monitor_data;

  WeirSimulatorEvent *events;
  guint n_events;
  WeirUpdates *updates;
  WeirCrossings *crossings;   /* NULL without witnesses */
  WeirPace *pace;             /* NULL: nothing but the user limits the steps */
  WeirPoleWatch *poles;       /* NULL: no solver that keeps its step */
  WeirMaster *master;         /* NULL: the model has no units */
  double communication_step;  /* s */
  gint64 communication;       /* index of the communication instant reached last */
  gboolean has_begun;         /* the units' steps from there */
  double *start_state;        /* n states */
  double *derivatives;        /* before the updates; n states */
  double *x_event;            /* at a crossing; n states */
  double *x_sample;           /* at an instant within a step; n states */
  double *nominals;           /* of the states at present; NULL: they never change */
  WeirContext *shown;         /* what the monitor looks at instead of the context; NULL as a rule */
  GPtrArray *notes;           /* WeirTrouble */
  WeirRemembered *remembered; /* what was saved last */
  GArray *doubts;             /* WeirDoubt */
  GPtrArray *troubles;        /* WeirTrouble */
  WeirFailureCause cause;     /* for what the step in hand fails */

  double start;          /* s; t0 */
  double horizon;        /* s; from there to where the run is to get. Only tells when to give up */
  gboolean follows_time; /* some value changes with time alone */
  double time;           /* s; to notice that somebody else moved it */
  guint64 n_changes;     /* change events of the context that are the run's own, or taken up */
  double step_taken;     /* s */
  WeirProgress progress;
  guint64 next_sample; /* index of the first instant of the record interval not yet met */
  gboolean is_sample;  /* the present instant is one of them, or the end */
  gboolean is_initialized, is_terminated, needs_restart, is_solver_used;
  gboolean is_at_start; /* initialising: timed events at t0 are still to come */
  gboolean has_due;     /* some event is due */
  gboolean has_crossed; /* the step ended at a crossing */
  gboolean is_changed;  /* something may have jumped without an event */
  gboolean has_jumped;  /* something may have jumped where the step began */
  gboolean has_step_updates, has_step_publishes, has_timed, has_sides;
};

/* FALSE and @error for an unknown solver or numbers that make no sense. */
gboolean weir_simulator_options_check (const WeirSimulatorOptions *options, GError **error);
/* Sets @error to the context's own sentence. Returns FALSE. */
gboolean weir_simulator_fail (WeirSimulator *self, const char *what, GError **error);

/* What a run consists of, by its root, options and problem. FALSE and @error if there is no memory
 * for it. */
gboolean weir_simulator_make_parts (WeirSimulator *self, GError **error);
/* Notes, doubts and troubles of the run before. simulator-troubles.c */
void weir_simulator_forget_remarks (WeirSimulator *self);
/* Notes what the block at @path says, with the time. @message: taken over. simulator-events.c */
void weir_simulator_note (WeirSimulator *self, WeirTroubleKind kind, WeirSeverity severity,
                          const char *path, WeirMessage *message);
/* Lists why the run cannot go on, if it was not just stopped. simulator-troubles.c */
void weir_simulator_note_failure (WeirSimulator *self, const GError *error);
/* Takes up what was changed in the context since the run last looked: integration restarts. */
void weir_simulator_take_up_changes (WeirSimulator *self);
/* What changed until now is the run's own doing. */
void weir_simulator_own_changes (WeirSimulator *self);
/* Drops the failure and what came after @time, to which the run goes back. */
void weir_simulator_keep_troubles (WeirSimulator *self, double time);
/* Warns that @witness may have crossed zero unseen: once for each, with a count. */
void weir_simulator_doubt_crossings (WeirSimulator *self, WeirEntry witness, double begin,
                                     double end);
/* Warns that the tolerances decide whether a witness crosses. */
void weir_simulator_doubt_graze (WeirSimulator *self, const WeirGraze *graze);
/* Warns that a fixed step passed over a pole. */
void weir_simulator_doubt_step (WeirSimulator *self, const WeirPole *pole);
/* Blames a block, for events. */
void weir_simulator_set_cause_node (WeirSimulator *self, WeirTroubleKind kind, WeirNode node);

/* FALSE and @error where the run has taken as many steps as it may. */
gboolean weir_simulator_check_limit (WeirSimulator *self, GError **error);
/* Calls the monitor. */
gboolean weir_simulator_show (WeirSimulator *self, WeirPhase phase, GError **error);
/* Shows the instants of the record interval within the step from @begin to @end, on the solver's
 * dense output. The context is left at the last of them. */
gboolean weir_simulator_show_samples (WeirSimulator *self, double begin, double end,
                                      GError **error);
/* Shows the inside of a step that is longer than the record gap, on copies of the context. */
gboolean weir_simulator_show_within (WeirSimulator *self, double begin, double end, GError **error);

/* Tells where the run is to get. FALSE and @error where an interval is so short that it would not.
 */
gboolean weir_simulator_set_horizon (WeirSimulator *self, double boundary, GError **error);

/* Of event @i, whose leaf has given its next instant: FALSE where that one and many before it are
 * so close that the run would get nowhere. */
gboolean weir_simulator_check_recurrence (WeirSimulator *self, guint i, GError **error);
/* Counts the step just made; FALSE and @error where the run stalls. */
gboolean weir_simulator_count_step (WeirSimulator *self, GError **error);
/* Steps are looked at for stalling from here on. */
void weir_simulator_begin_progress (WeirSimulator *self);
/* The same of any run: counts a step of @h; where the run is at @time, do its last steps, since
 * @since, get it nowhere? @most: max_stalled_steps. */
static inline void
weir_statistics_count_step (WeirSimulatorStatistics *statistics, double h)
{
  statistics->steps++;
  statistics->last_step = h;
  statistics->longest_step = MAX (statistics->longest_step, h);
  if (statistics->steps == 1 || h < statistics->shortest_step)
    statistics->shortest_step = h;
}
void weir_progress_begin (WeirProgress *self, const WeirSimulatorStatistics *statistics,
                          double time);
gboolean weir_progress_is_stalled (WeirProgress *self, const WeirSimulatorStatistics *statistics,
                                   double time, guint most, double horizon, WeirStretch *since);

/* After a step was looked over for crossings: notes where some may have been missed; FALSE and
 * @error where they pile up. */
gboolean weir_simulator_judge_crossings (WeirSimulator *self, GError **error);
void weir_simulator_list_events (WeirSimulator *self);
/* Initialisation events, times of the first events, publishes at t0. */
gboolean weir_simulator_begin_events (WeirSimulator *self, GError **error);
/* Runs the publishes of this instant and marks its updates as due. */
gboolean weir_simulator_meet_events (WeirSimulator *self, GError **error);
/* How large states are now, where leaves say so: whether it is other than it was. The solver has to
 * restart to see it. */
gboolean weir_simulator_take_nominals (WeirSimulator *self);
/* Executes what is due, and what follows from that at the same instant; has the solver restart if
 * the derivative jumped. @any: something was due or done. */
gboolean weir_simulator_execute_updates (WeirSimulator *self, gboolean *any, GError **error);
/* Runs what keeps the past, at the end of a step or where the next one begins (@is_begin). */
gboolean weir_simulator_keep_past (WeirSimulator *self, gboolean is_begin, GError **error);
/* Runs the forced events of that kind. */
gboolean weir_simulator_run_forced (WeirSimulator *self, WeirAction action, GError **error);
/* simulator-master.c: makes who steps the model's units, if it has any. */
gboolean weir_simulator_make_master (WeirSimulator *self, GError **error);
gboolean weir_simulator_begin_master (WeirSimulator *self, GError **error);
/* At a communication instant, where the units' next steps begin, and where they end: values of the
 * context change. */
gboolean weir_simulator_begin_exchange (WeirSimulator *self, GError **error);
gboolean weir_simulator_end_exchange (WeirSimulator *self, GError **error);
/* When the units' steps end (s). */
double weir_simulator_get_communication_time (const WeirSimulator *self);
/* (transfer full; floating) */
GVariant *weir_simulator_save_master (WeirSimulator *self, GError **error);
/* Before anything is changed: can what was saved of it be read? */
gboolean weir_simulator_can_load_master (WeirSimulator *self, GVariant *saved, GError **error);
gboolean weir_simulator_load_master (WeirSimulator *self, GVariant *saved, GError **error);

/* @is_timed: a leaf gave that time. */
double weir_simulator_get_next_event_time (const WeirSimulator *self, gboolean *is_timed);

G_END_DECLS

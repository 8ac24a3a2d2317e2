/* A run in the background: one thread that owns a context, with commands in and samples out.
 *
 * The interface never touches the context. Commands are queued and applied at step boundaries;
 * samples arrive in append-only columns whose published length any thread may read; counters, flags
 * and status come as a snapshot, renewed at most 30 times a second. Signal "changed" (coalesced, on
 * the main context that was the default when the session was made): state or snapshot changed.
 *
 * Thread: all functions *main*, unless marked.
 */
#pragma once

#include <gio/gio.h>

#include "sim/breakpoint.h"
#include "sim/journal.h"
#include "sim/master.h"
#include "sim/recorder.h"
#include "sim/simulator.h"
#include "system/observation/change-log.h"

G_BEGIN_DECLS

#define WEIR_TYPE_SESSION (weir_session_get_type ())
G_DECLARE_FINAL_TYPE (WeirSession, weir_session, WEIR, SESSION, GObject)

typedef enum {
  WEIR_SESSION_IDLE, /* made, not started */
  WEIR_SESSION_RUNNING,
  WEIR_SESSION_PAUSED,
  WEIR_SESSION_FINISHED, /* reached the stop time, or a handler ended the run */
  WEIR_SESSION_STOPPED,  /* by command */
  WEIR_SESSION_FAILED,
} WeirSessionState;

typedef struct {
  WeirSessionState state;
  double time, stop_time; /* s */
  double rate;            /* simulated seconds per wall second it is held to; 0 = not held */
  double remaining; /* s of wall time until the stop time, as it went of late; -1 = not known */
  guint64 n_events;
  gboolean caching;
  WeirSimulatorStatistics statistics;
  WeirSimulatorTimes times;
  guint limiting_state; /* that keeps the steps short; G_MAXUINT: not known */
  guint n_events_declared;
  const guint64 *event_counts; /* by weir_system_get_event(): how often each did something */
  guint n_entries;
  const WeirCounters *counters; /* one per entry, in plan order */
  const guint64 *flags;         /* out-of-date bits, 64 a word */
  const guint64 *disabled;      /* per-entry caching switched off */
  const guint64 *held;          /* entries before whose computation the run pauses */
  const float *mean_ns;         /* sampled time per calculation; 0 = none yet */
  const guint64 *same; /* by entry: calculations, but for the first, that gave the same bytes as the
                          one before; NULL: not known, as only logs of every evaluation tell */
  double mean_sweep_ns; /* sampled time that a change event takes to mark; 0 = none yet */
  guint n_sources;
  const guint64 *source_last; /* by source: number of its last event, 0 = none yet */
  gboolean is_logging;        /* change events */
  gboolean is_past;           /* a moment of a log: there is nothing to switch */
  guint64 n_logged,
      n_given_up;       /* records so far; of them those that newer ones took the place of */
  gboolean is_at_break; /* PAUSED, within a step, as `hit` says; the step goes on with the run */
  WeirBreakHit hit;
  guint break_serial, n_breakpoints; /* the list in force: see weir_session_set_breakpoints() */
  const guint64 *break_counts;       /* of each, in order: how often it was met */
  guint shown_serial, n_shown;       /* the list in force: see weir_session_set_shown() */
  const guint8 *has_value;           /* of each port, in order: whether its value is known */
  const double *values;              /* of all ports, one after the other, as large as they are */
  double values_time;                /* s; when they held: during a step where it began */
  guint n_troubles;                  /* what went wrong so far: warnings as they came, and ... */
  WeirTrouble *const *troubles;      /* ... last why the run failed; as long as the snapshot */
  guint n_notes;                     /* what blocks said so far; who ended the run, last */
  WeirTrouble *const *notes;         /* as long as the snapshot */
  guint n_units;                     /* of co-simulation */
  const WeirUnitWork *unit_work;
} WeirSnapshot;

/* What became of going back. */
typedef enum {
  WEIR_STEP_BACK_DONE,
  WEIR_STEP_BACK_BUSY,     /* the run goes on */
  WEIR_STEP_BACK_IN_STEP,  /* it pauses within a step */
  WEIR_STEP_BACK_AT_START, /* there is no step before */
  WEIR_STEP_BACK_UNKNOWN,  /* what was kept of the run begins here */
} WeirStepBack;

/* A port of a block whose value is wanted while a run goes on. */
typedef struct {
  WeirNode node;
  gboolean is_input;
  guint index;      /* of the input or output */
  gboolean is_rate; /* by how much the value changes in a second, while no event happens */
} WeirShownPort;

/* A run as it was between two steps, from which it can be repeated. */
typedef struct {
  guint64 n_events; /* change events until then */
  double time;      /* s */
  GBytes *context;  /* before initialisation: the context alone; else NULL */
  GBytes *run;      /* later: see weir_simulator_save(); else NULL */
} WeirStoredRun;

GArray *weir_stored_runs_copy (const GArray *stored); /* WeirStoredRun; (transfer full) */
void weir_stored_runs_free (GArray *stored);

/* What was recorded of a run, and what repeating it takes. */
typedef struct {
  WeirChangeLog *log;
  GArray *stored; /* WeirStoredRun, the earliest first */
} WeirRunLog;

void weir_run_log_free (WeirRunLog *self);

/* @recorded_ports: paths of ports to record from the start ("plant.theta"). @rate: simulated
 * seconds per wall second; 0 = as fast as possible. NULL and @error if an option or path makes no
 * sense. */
WeirSession *weir_session_new (WeirSystem *root, const WeirSimulatorOptions *options,
                               double stop_time, double rate, const char *const *recorded_ports,
                               GError **error);

void weir_session_run (WeirSession *self); /* start or continue */
/* The same, but pauses at @time (s), which becomes the end of a step, if that is before the stop
 * time. */
void weir_session_run_until (WeirSession *self, double time);
void weir_session_pause (WeirSession *self);
void weir_session_step (WeirSession *self);           /* one solver step, then pause */
void weir_session_steps (WeirSession *self, guint n); /* so many, then pause */
/* Takes the run back by @n steps, or to its start if it has made fewer, and pauses there; also when
 * it had ended. States, events and what was recorded are those of then; values of parameters stay
 * as they are. The run is repeated from the last moment before that was kept (some are kept of
 * every run), so it is the very step with an explicit method, and one within the tolerance with a
 * multistep or implicit one. The step at which a run failed counts. */
WeirStepBack weir_session_step_back (WeirSession *self, guint n);
void weir_session_stop (WeirSession *self); /* takes effect within 100 ms */

/* Applied at the next step boundary. @path: of the leaf. @value: copied. */
void weir_session_set_parameter (WeirSession *self, const char *path, const char *parameter,
                                 const double *value, guint size);
void weir_session_set_caching (WeirSession *self, gboolean enabled);
void weir_session_set_entry_caching (WeirSession *self, guint entry, gboolean enabled);

/* Logs change events from now on, forgetting what was logged before; as weir_context_start_log().
 * Alters nothing that the run computes. */
void weir_session_start_log (WeirSession *self, WeirLogMode mode, gsize capacity);
/* Ends the log, which is handed over. */
void weir_session_stop_log (WeirSession *self);
/* Asks for what was logged so far; logging goes on. */
void weir_session_request_log (WeirSession *self);
/* What was handed over since the last call, after "changed": when asked for, when stopped, and when
 * the run ended. NULL: nothing new. (transfer full) */
WeirRunLog *weir_session_take_log (WeirSession *self);

/* What the run is to pause at (breakpoint.h); at once, even where it is paused within a step.
 * @list: copied.
 * @errors: (nullable) as for weir_breakpoints_new(). Returns the number that snapshots name the
 * list by. Values that go on being set meanwhile take effect when the step is over. */
guint weir_session_set_breakpoints (WeirSession *self, const GArray *list, GPtrArray *errors);
/* Whether the run is to pause before the entry is computed. When it goes on from there, the entry
 * is. */
void weir_session_set_entry_held (WeirSession *self, guint entry, gboolean held);

/* Which values snapshots tell from now on; also when the run has ended. They are worked out on a
 * copy of the context, so that nothing the run computes or counts is altered. What is out of date
 * is computed there; what cannot be computed has no value. @ports: copied; those of abstract
 * signals have no value. Returns the number that snapshots name the list by. */
guint weir_session_set_shown (WeirSession *self, const WeirShownPort *ports, guint n);

/* @rate: simulated seconds per wall second from here on; 0 = as fast as possible. */
void weir_session_set_rate (WeirSession *self, double rate);

/* Adds a port to record from now on; its column index, or -1 and @error. */
int weir_session_record_port (WeirSession *self, const char *port_path, GError **error);

WeirSystem *weir_session_get_system (WeirSession *self);
WeirLayout *weir_session_get_layout (WeirSession *self);
/* What is done to the run, for others that repeat it; another one once it was taken back.
 * (transfer none) */
WeirJournal *weir_session_get_journal (WeirSession *self);
WeirRecorder *weir_session_get_recorder (WeirSession *self);
/* The newest snapshot; valid until the next call. (transfer none) */
const WeirSnapshot *weir_session_get_snapshot (WeirSession *self);
WeirSessionState weir_session_get_state (WeirSession *self);
/* TRUE while no run goes on and every command so far has been applied: the snapshot shows what they
 * did. */
gboolean weir_session_is_settled (WeirSession *self);
/* The run as it is between two steps, as weir_simulator_save(); it stays as it is. NULL and @error
 * before its first step, while it goes on, and where it ended within a step. (transfer full) */
GBytes *weir_session_save (WeirSession *self, GError **error);
/* Why the run failed, or NULL. */
const GError *weir_session_get_failure (WeirSession *self);
/* Waits until the thread has ended; for tests and the command line. */
void weir_session_join (WeirSession *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirRunLog, weir_run_log_free)

G_END_DECLS

/* A run as its two sides see it: the session (main) and the thread that owns the context.
 *
 * Until the thread exists, its part belongs to main. Commands travel through one queue; results
 * through three snapshot buffers of which the thread fills one, main reads one, and the third is
 * the newest complete one. The lock guards only the queue, the swap of buffers, and the state.
 */
#pragma once

#include "sim/breakpoint.h"
#include "sim/journal.h"
#include "sim/pacer.h"
#include "sim/recorder-ports.h"
#include "sim/session.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_COMMAND_RUN, /* to the stop time, or until a time given */
  WEIR_COMMAND_PAUSE,
  WEIR_COMMAND_STEP,
  WEIR_COMMAND_STEP_BACK,
  WEIR_COMMAND_STOP,
  WEIR_COMMAND_SET_PARAMETER,
  WEIR_COMMAND_SET_CACHING,
  WEIR_COMMAND_SET_ENTRY_CACHING,
  WEIR_COMMAND_ADD_LOG,
  WEIR_COMMAND_SET_RATE,
  WEIR_COMMAND_START_LOG,
  WEIR_COMMAND_STOP_LOG,
  WEIR_COMMAND_HAND_OVER_LOG,
  WEIR_COMMAND_SET_BREAKPOINTS,
  WEIR_COMMAND_SET_ENTRY_HELD,
  WEIR_COMMAND_SET_SHOWN,
} WeirCommandKind;

typedef struct {
  WeirCommandKind kind;
  WeirNode node; /* of a parameter */
  WeirParameter parameter;
  guint size;
  double *value;                /* owned */
  WeirEntry entry;              /* whose caching, or what is held */
  gboolean enabled;             /* caching; held */
  WeirBreakpoints *breakpoints; /* owned */
  guint serial;                 /* of that list */
  GArray *shown;                /* WeirShownPort; owned */
  double rate;                  /* simulated seconds per second */
  double until;                 /* s; of a run */
  guint64 n_steps;              /* to make; where to go back to */
  WeirRecorderPort *port;
  WeirLogMode record_mode;
  gsize capacity; /* records */
} WeirCommand;

typedef struct {
  WeirSnapshot snapshot; /* points to the following */
  WeirCounters *counters;
  guint64 *flags, *disabled, *held, *source_last, *event_counts;
  guint64 *break_counts; /* n_break_counts, or NULL */
  guint n_break_counts;
  float *mean_ns;
  GArray *values;      /* double */
  GArray *has_value;   /* guint8 */
  GPtrArray *troubles; /* WeirTrouble, owned */
  GPtrArray *notes;    /* the same */
  GArray *unit_work;   /* WeirUnitWork */
} WeirSnapshotBuffer;

/* A run as it was after so many steps. session-history.c */
typedef struct {
  guint64 n_steps;
  gsize n_rows;       /* recorded by then */
  gboolean is_needed; /* a run repeated from an earlier one would not come by here */
  GBytes *run;        /* weir_simulator_save() */
} WeirKeptStep;

/* The values that are shown, as they were found last. session-values.c */
typedef struct {
  GArray *ports; /* WeirShownPort; NULL: none were ever wanted */
  guint serial;  /* of that list */
  GArray *values, *has_value;
  double time; /* s */
} WeirShownValues;

typedef struct {
  /* Immutable. */
  WeirSystem *root;
  WeirLayout *layout;
  double stop_time; /* s */
  gsize n_words;    /* of flags */
  WeirJournal *journal;

  /* The thread's. */
  WeirContext *context;
  WeirSimulator *simulator;
  WeirRecorder *recorder;
  guint64 *disabled;            /* bits; kept in step with the context */
  guint64 *held;                /* the same */
  WeirBreakpoints *breakpoints; /* NULL: none were ever set */
  guint break_serial;           /* of that list */
  GPtrArray *retired;    /* WeirBreakpoints that were replaced, kept until the step is over */
  guint64 n_releases;    /* pauses before held entries */
  WeirBreakHit hit;      /* where it pauses, or paused last */
  gboolean is_at_break;  /* it pauses for that */
  gboolean is_in_step;   /* within a step of the simulator, or its initialisation */
  WeirSessionState mode; /* RUNNING or PAUSED; the end state once there is one */
  guint64 steps_left;    /* after which it pauses; 0 = it does not */
  guint64 n_steps;       /* made so far */
  GArray *kept;          /* WeirKeptStep, the earliest first */
  guint64 next_kept;     /* step after which the run is kept anyway */
  guint64 kept_distance;
  gint64 keep_after;     /* us, monotonic; before that only if it is needed */
  gboolean is_repeating; /* steps made before; pauses nowhere */
  gboolean is_initialized;
  double until;         /* s; the run pauses there if that is before the stop time */
  double boundary;      /* s; what the last step was made towards */
  gboolean is_dirty;    /* something happened since the last snapshot */
  gint64 next_snapshot; /* us, monotonic: not before */
  WeirPacer pacer;
  double speed;      /* simulated seconds per second, of late; 0 = not known yet */
  double speed_time; /* s; where its measurement began ... */
  gint64 speed_wall; /* us, monotonic; ... and when; 0 = it begins with the next snapshot */
  GArray *taken;     /* WeirCommand being applied */
  guint64 n_applied; /* commands */
  WeirSnapshotBuffer *filling;
  WeirShownValues shown;
  GArray *stored;      /* WeirStoredRun; NULL while nothing is logged. session-log.c */
  guint64 next_stored; /* change events: a run is stored from this many on */

  /* Shared, under the lock. */
  GMutex lock;
  GCond wake;
  GArray *commands; /* WeirCommand */
  WeirSessionState state;
  gboolean has_ended; /* the thread takes no more commands */
  GError *failure;
  WeirSnapshotBuffer *newest;
  gboolean is_newest_unread;
  WeirRunLog *handed_over;     /* the newest log that was not taken yet */
  guint64 n_sent, n_published; /* commands: sent, and applied when the newest snapshot was made */

  /* Atomic. */
  gint n_pending; /* commands */
  gint cancel;

  GSource *changed;            /* becomes ready when there is something new */
  WeirSnapshotBuffer *reading; /* main's */
  WeirSnapshotBuffer buffers[3];
} WeirRun;

struct _WeirSession {
  GObject parent_instance;
  WeirRun run;
  GThread *thread;
  guint n_break_lists, n_shown_lists; /* sent */
};

/* session.c. Takes over @command. Thread: *main*. */
void weir_session_send (WeirSession *self, WeirCommand *command);

/* session-history.c. Thread: the context's owner. */
/* Between steps: keeps the run, if it is time to or @needed. */
void weir_run_keep (WeirRun *self, gboolean needed);
/* The latest that was kept of @n_steps steps or fewer; NULL: none. */
const WeirKeptStep *weir_run_find_kept (const WeirRun *self, guint64 n_steps);
/* The recorder has no more rows than what was kept there. */
gboolean weir_run_go_back (WeirRun *self, guint64 n_steps, GError **error);
void weir_run_clear_kept (WeirRun *self);

/* session-values.c: replaces the list, which is taken. Thread: the context's owner. */
void weir_run_set_shown (WeirRun *self, GArray *ports, guint serial);
/* Finds the values anew, unless a step is under way, and puts them into a snapshot. */
void weir_run_fill_values (WeirRun *self, WeirSnapshotBuffer *buffer);
void weir_run_clear_values (WeirRun *self);

/* The thread: starts with a command in the queue, ends with a final state. */
gpointer weir_run_thread (gpointer run);

/* session-apply.c. Thread: the context's owner. */
/* Applies one command. */
void weir_run_apply (WeirRun *self, WeirCommand *command);
/* Takes the end state of a failure: stopped if that is what ended the step. */
void weir_run_end_with_error (WeirRun *self, GError *error);
/* Between steps: lists of breakpoints that were replaced within one. */
void weir_run_drop_retired (WeirRun *self);
void weir_command_clear (WeirCommand *command);

/* session-snapshot.c. Thread: the context's owner. */
/* Fills a snapshot, makes it the newest and tells main. */
void weir_run_publish (WeirRun *self);
/* The same when the thread has done all that it does. From then on whoever has joined it owns the
 * run. */
void weir_run_publish_end (WeirRun *self);

/* session-log.c. Thread: the context's owner. */
void weir_run_apply_log (WeirRun *self, const WeirCommand *command);
/* Between two steps: stores the run if it is time to. @changed: it was changed from outside. */
void weir_run_store (WeirRun *self, gboolean changed);
/* The run has ended: what was recorded is handed over. */
void weir_run_end_log (WeirRun *self);
void weir_run_clear_log (WeirRun *self);

G_END_DECLS

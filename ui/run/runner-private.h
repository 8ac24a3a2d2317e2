/* The inside of WeirRunner, for its files: runner.c steers runs, runner-start.c makes them,
 * runner-instant.c repeats them as values are edited, runner-verify.c compares them. */
#pragma once

#include "model/completion/parameters.h"
#include "run/runner.h"

G_BEGIN_DECLS

typedef struct _WeirVerification WeirVerification;
typedef struct _WeirInstantRun WeirInstantRun;

/* What is done with a run once it is there. */
typedef struct {
  enum {
    WEIR_START_IDLE, /* it waits to begin */
    WEIR_START_RUN,
    WEIR_START_UNTIL,
    WEIR_START_STEPS,
  } kind;
  double until; /* s */
  guint n_steps;
} WeirStart;

struct _WeirRunner {
  GObject parent;
  WeirDocument *document;
  gulong document_handler;
  WeirSession *session;
  WeirModel *started;         /* the model that the session was made from */
  WeirModel *model;           /* the same with the parameters handed over since */
  WeirParameters *parameters; /* of @model, once they were needed; or NULL */
  gulong session_handler;
  GPtrArray *extra_logs; /* port paths chosen by the user */
  GArray *breakpoints;   /* WeirBreakpoint */
  guint break_serial;    /* of that list in the session */
  gboolean caching;

  /* runner-start.c */
  WeirModel *wanted;  /* a run of it starts; NULL = none does */
  WeirStart start;    /* what follows then */
  gboolean is_making; /* a thread makes a session, of the wanted model or an earlier one */

  /* runner-instant.c */
  gboolean is_instant;           /* edits of values are followed at once */
  double instant_limit;          /* s, that a run may take for it */
  double instant_took;           /* s; the last of them; -1: there was none since the session */
  gboolean instant_failed;       /* the last of them */
  WeirModel *instant_wanted;     /* the next is of this; NULL: none is wanted */
  WeirInstantRun *instant_run;   /* the one that goes on, or NULL; borrowed from its task */
  WeirModel *instant_model;      /* of the results; or NULL */
  WeirRecorder *instant_results; /* or NULL: the session's hold */

  /* runner-verify.c */
  WeirVerification *verification; /* the one that goes on, or NULL; borrowed from its task */
  gboolean verifies_runs;
  gboolean verifies_again;   /* when the verification that goes on has ended */
  gboolean is_following;     /* that verification repeats what is done to a run */
  gboolean edited_meanwhile; /* it is of an earlier model */
  WeirVerifyResult *result;  /* of the newest verification, or NULL */
  char *chains[2];           /* of a difference, uncached and cached; or NULL */
  gboolean is_result_told;   /* and not told to be out of date since */
};

/* runner.c */

/* The settings of any model; weir_runner_read_settings() reads those of the document's. */
gboolean weir_runner_read_model_settings (WeirModel *model, WeirSimulatorOptions *options,
                                          double *stop_time, GError **error);
/* Emits "message". */
void weir_runner_tell (WeirRunner *self, const char *text);
/* Emits "state-changed". */
void weir_runner_note_state (WeirRunner *self);
/* The newest run is another one, made from @model. */
void weir_runner_set_session (WeirRunner *self, WeirSession *session, WeirModel *model);
/* The document was edited in @aspects: the run takes up what it can. */
void weir_runner_follow (WeirRunner *self, WeirAspects aspects);
/* Does it with the newest run. */
void weir_runner_steer (WeirRunner *self, WeirStart start);
/* Does the document differ from what was started in ways that only another run takes up? */
gboolean weir_runner_has_other_structure (WeirRunner *self);

/* runner-start.c */

/* A run of the document as it is, in place of one that starts or goes on; of one that starts
 * already, only what follows is another. */
void weir_runner_start (WeirRunner *self, WeirStart start);
void weir_runner_cancel_start (WeirRunner *self);

/* Emits "results-changed". */
void weir_runner_tell_results (WeirRunner *self);

/* runner-instant.c */

/* The document was edited: repeats the whole run if that can be done at once. */
void weir_runner_follow_instantly (WeirRunner *self);
/* The results are those of the session, which is another or goes on. */
void weir_runner_drop_instant (WeirRunner *self);

/* runner-verify.c */

/* Follows the newest run, which has begun or gone back, where runs are to be verified. */
void weir_runner_verify_beside (WeirRunner *self);
/* The document was edited in more than layout and metadata: results are of an earlier model. */
void weir_runner_outdate_verification (WeirRunner *self);
/* Stops what goes on and forgets what was found, when the runner goes. */
void weir_runner_remove_verification (WeirRunner *self);

G_END_DECLS

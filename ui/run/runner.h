/* WeirRunner: the runs of one document: starts the current model in the background, steers it, and
 * checks that caching changes nothing.
 *
 * A run keeps the model it started with; edits of tunable parameters are handed to it as they are
 * made. It is made in a thread from the model as it was when the run was asked for: until then
 * nothing waits, the session is the one before, and what is asked for next is done once it is
 * there. Properties: "session" (WeirSession, the newest run or NULL; notifies), "verifying"
 * (boolean), "caching" (boolean, of the newest and the next run). Signals: "problems"
 * (WeirDiagnostics) after each attempt to start, empty or not; "message" (text) for a toast;
 * "verified" (gboolean identical, text): the result, or text NULL when an edit made the last one
 * stale; "state-changed": the session's state or snapshot changed, or there is another session;
 * "results-changed": weir_runner_get_results() gives others than a new session brings.
 * Thread: *main*.
 */
#pragma once

#include <gio/gio.h>

#include "analysis/verify.h"
#include "model/document/document.h"
#include "sim/session.h"
#include "sim/breakpoint.h"

G_BEGIN_DECLS

#define WEIR_TYPE_RUNNER (weir_runner_get_type ())
G_DECLARE_FINAL_TYPE (WeirRunner, weir_runner, WEIR, RUNNER, GObject)

WeirRunner *weir_runner_new (WeirDocument *document);

void weir_runner_run (WeirRunner *self); /* starts, or continues a paused run */
/* The same, but pauses at @time (s). */
void weir_runner_run_until (WeirRunner *self, double time);
/* A new run that has not begun; one that goes on is stopped. */
void weir_runner_begin (WeirRunner *self);
void weir_runner_pause (WeirRunner *self);
void weir_runner_step (WeirRunner *self);           /* starts paused if nothing runs */
void weir_runner_steps (WeirRunner *self, guint n); /* the same, so many */
/* Takes the newest run back by so many steps, as weir_session_step_back(). Where that cannot be, a
 * "message" says why. */
void weir_runner_step_back (WeirRunner *self, guint n);
void weir_runner_stop (WeirRunner *self);
/* A run was asked for and is not there yet. "problems", and perhaps "message", tell why if it never
 * comes; weir_runner_stop() gives it up. */
gboolean weir_runner_is_starting (WeirRunner *self);
gboolean weir_runner_is_active (WeirRunner *self); /* running or paused */

void weir_runner_set_caching (WeirRunner *self, gboolean enabled);
gboolean weir_runner_get_caching (WeirRunner *self);

/* Records a port ("plant.theta") from now on and in later runs. TRUE: it was not yet among them,
 * and no run goes on, so that there is nothing of it until the next one. */
gboolean weir_runner_add_log (WeirRunner *self, const char *port_path);
/* Forgets all ports that were added; the run that goes on keeps them. */
void weir_runner_clear_logs (WeirRunner *self);
/* Those ports from the next run on, as the model keeps them. */
void weir_runner_set_logs (WeirRunner *self, const char *const *port_paths);
/* Those that were added. NULL-terminated. (transfer full) */
GStrv weir_runner_dup_added_logs (WeirRunner *self);

/* What runs pause at: the model's, handed to the run that goes on as they are
 * edited.
 * @serial: (nullable) what the session's snapshots name this list by. (transfer none) */
const GArray *weir_runner_get_breakpoints (WeirRunner *self, guint *serial);
/* The ports that the newest run records, NULL at the end; those of a next run before it. (transfer
 * full) */
GStrv weir_runner_dup_logs (WeirRunner *self);

/* Whether each run that starts is verified beside it, in lockstep in a thread of its own, which
 * takes parameters that are edited meanwhile, pauses and the end at the same steps as the run. */
void weir_runner_set_verifies_runs (WeirRunner *self, gboolean verifies);
gboolean weir_runner_get_verifies_runs (WeirRunner *self);
/* How much of the verification that goes on has been compared and found identical, 0..1. */
double weir_runner_get_verify_progress (WeirRunner *self);

/* What the newest verification found in full; NULL before the first and while one goes on. Valid
 * until the next begins. (transfer none) */
const WeirVerifyResult *weir_runner_get_verify_result (WeirRunner *self);
/* For whom the value that differs was computed last, in words (analysis/request-chain.h); NULL
 * where that is not known. */
const char *weir_runner_get_verify_chain (WeirRunner *self, gboolean cached);
/* Runs cached against uncached in a thread of its own; "verified" tells the result. */
void weir_runner_verify (WeirRunner *self);
void weir_runner_cancel_verify (WeirRunner *self);
gboolean weir_runner_is_verifying (WeirRunner *self);

/* Whether edits of values repeat the whole run behind the scenes, while no run goes on and the last
 * one took less than a second; never of models with FMUs. Such runs are none to anyone else: only
 * their results are seen. Default FALSE. */
void weir_runner_set_instant (WeirRunner *self, gboolean is_instant);
/* For tests: how long (s) the last one may have taken. */
void weir_runner_set_instant_limit (WeirRunner *self, double seconds);
/* What was recorded of the newest run, or of its repetition with the values of now. NULL before the
 * first. (transfer none) */
WeirRecorder *weir_runner_get_results (WeirRunner *self);

/* The run settings of the document's model, the model's defaults where it says nothing. */
gboolean weir_runner_read_settings (WeirRunner *self, WeirSimulatorOptions *options,
                                    double *stop_time, GError **error);

/* The newest run; NULL before the first. (transfer none) */
WeirSession *weir_runner_get_session (WeirRunner *self);
/* TRUE while a run goes on whose model has been edited in ways that only the next run takes up. */
gboolean weir_runner_is_outdated (WeirRunner *self);
/* The model it was made from. (transfer none) */
WeirModel *weir_runner_get_session_model (WeirRunner *self);

/* --- Breakpoints of a model: kept with it as metadata, so that they are saved, undone and passed
 * on with it, and change nothing that a run depends on. */

/* WeirBreakpoint; empty where there are none or the text is damaged. (transfer full) */
GArray *weir_model_dup_breakpoints (WeirModel *model);
/* Makes @list the document's, as one undo step; edits in a row are one. @label: of that step. */
void weir_document_set_breakpoints (WeirDocument *document, const GArray *list, const char *label);

G_END_DECLS

/* A model being edited: the current model, its undo chain, its file.
 *
 * Undo is a chain of models. How results are looked at (WEIR_ASPECT_PLOTS) is no part of it: an
 * edit of that alone is no step and nothing unsaved, and stays through undo and redo. Signals:
 * "changed" (WeirAspects aspects) after every change of the current model, undo and redo included;
 * "merge-ended" after weir_document_end_merge() ended one; "completed" (see below); notify for the
 * properties. Thread: *main*.
 */
#pragma once

#include <gio/gio.h>

#include "model/completion/completion.h"
#include "model/files/recovery.h"
#include "model/tree/patch.h"
#include "system/structure/system.h"

G_BEGIN_DECLS

#define WEIR_TYPE_DOCUMENT (weir_document_get_type ())
G_DECLARE_FINAL_TYPE (WeirDocument, weir_document, WEIR, DOCUMENT, GObject)

/* Properties: "file" (GFile), "modified", "can-undo", "can-redo" (booleans), "title" (file name or
 * "Untitled"). */
WeirDocument *weir_document_new (void);

WeirModel *weir_document_get_model (WeirDocument *self); /* (transfer none) */
GFile *weir_document_get_file (WeirDocument *self);
gboolean weir_document_get_modified (WeirDocument *self);

/* Applies @patch as one undo step called @label ("Move 2 blocks", translated). Consecutive edits
 * with the same non-NULL @merge_key are one step, until weir_document_end_merge(). FALSE and @error
 * if the patch makes no sense; nothing has changed then. */
gboolean weir_document_edit (WeirDocument *self, const WeirPatch *patch, const char *label,
                             const char *merge_key, GError **error);
void weir_document_end_merge (WeirDocument *self);
/* May the next edit join the last one? As long as a hand drags something. */
gboolean weir_document_is_merging (WeirDocument *self);
/* Gives a parameter the text @value (NULL: the type's default) in every model of the undo chain and
 * in what counts as saved, as if it had been so from the beginning: nothing to undo, nothing to
 * save. For what is shown, not edited: only before the document has a file. A model without the
 * block @id stays as it is. FALSE and
 * @error as weir_document_edit(). */
gboolean weir_document_preset (WeirDocument *self, guint32 id, const char *parameter,
                               const char *value, GError **error);

gboolean weir_document_can_undo (WeirDocument *self);
gboolean weir_document_can_redo (WeirDocument *self);
const char *weir_document_get_undo_label (WeirDocument *self); /* NULL if none */
const char *weir_document_get_redo_label (WeirDocument *self);
void weir_document_undo (WeirDocument *self);
void weir_document_redo (WeirDocument *self);

/* Replaces the model, forgetting undo. On a file that cannot be read: FALSE, @diagnostics say why,
 * and the document is as before. What is in another format than ours (model/structures) begins a
 * document without a file. */
gboolean weir_document_load (WeirDocument *self, GFile *file, WeirDiagnostics *diagnostics);
/* Begins a new document without a file from a copy of @file. */
gboolean weir_document_load_template (WeirDocument *self, GFile *file,
                                      WeirDiagnostics *diagnostics);
/* The same of @model. */
void weir_document_begin (WeirDocument *self, WeirModel *model);
gboolean weir_document_save (WeirDocument *self, GFile *file, GError **error);

/* Keeps unsaved changes for recovery from now on: written at most @milliseconds after the first
 * change that is not kept yet, in another thread; removed when the document is saved, is as in its
 * file again, or is closed. */
void weir_document_set_autosave (WeirDocument *self, guint milliseconds);
/* Opens what a crash left behind: the document's own file as the last saved state, and what was
 * kept as one edit of it called @label. A document that has a file keeps it, and what was kept is
 * one more edit: give it only what is of that file. What was kept becomes this document's own.
 * FALSE as weir_document_load. */
gboolean weir_document_recover (WeirDocument *self, WeirRecovery *recovery, const char *label,
                                WeirDiagnostics *diagnostics);

/* Whether the file holds other bytes than were last read or written here. Signal "file-changed"
 * tells that it does, or that the file has gone or come back, soon after it came to be so. */
gboolean weir_document_is_file_changed (WeirDocument *self);
/* Whether the file was deleted, moved or renamed, as far as was heard: the document then counts as
 * modified, for it is nowhere else. */
gboolean weir_document_is_file_gone (WeirDocument *self);
/* Looks now, where nothing may have been heard: on a network, or if the folder went away. */
void weir_document_look_at_file (WeirDocument *self);

/* --- Beside the main thread ------------------------------------------------------------------- */

/* What is read in a thread from here on has its result of @kind with it (derived.h), made in that
 * thread: for what is needed as soon as the model is here. @kind lives on. */
void weir_document_set_needed (WeirDocument *self, WeirDerivedKind *kind);
/* Files read in a thread, as above. The document is as before until weir_document_load_finish(),
 * which takes what was read; edits until then are lost where weir_document_load() would lose them.
 * The newest counts: what was asked for before something else was read or saved is not taken any
 * more. @progress: (nullable) set, atomically, to how many thousandths are read; it lives until the
 * callback. */
void weir_document_load_async (WeirDocument *self, GFile *file, GCancellable *cancellable,
                               gint *progress, GAsyncReadyCallback callback, gpointer data);
void weir_document_load_template_async (WeirDocument *self, GFile *file, GCancellable *cancellable,
                                        gint *progress, GAsyncReadyCallback callback,
                                        gpointer data);
/* Reads the document's own file again: one edit called @label, after which nothing is modified. */
void weir_document_reload_async (WeirDocument *self, const char *label, GCancellable *cancellable,
                                 gint *progress, GAsyncReadyCallback callback, gpointer data);
/* What was kept stays where it is until it is taken. @recovery: copied. */
void weir_document_recover_async (WeirDocument *self, WeirRecovery *recovery, const char *label,
                                  GCancellable *cancellable, gint *progress,
                                  GAsyncReadyCallback callback, gpointer data);
/* In the callback. FALSE with diagnostics, which say why; cancelled or not the newest, without. */
gboolean weir_document_load_finish (WeirDocument *self, GAsyncResult *result,
                                    WeirDiagnostics *diagnostics);

/* --- Completion ------------------------------------------------------------------------------ */

/* The completed system of the current model and its diagnostics, kept until an edit of names,
 * values, structure or settings. Waits for it; one that is under way is not made twice.
 * @diagnostics: (out) (nullable) (transfer full). (transfer full), NULL with errors. */
WeirSystem *weir_document_complete (WeirDocument *self, WeirDiagnostics **diagnostics);
/* Asks for the same from a thread. Signal "completed" tells, in the main thread, that it is there
 * for the model that is current then; of several requests the newest counts. It is emitted at once
 * where it is there already. */
void weir_document_request_completion (WeirDocument *self);
/* Calls @func once the model that is current then is completed: now if it is, and after "completed"
 * where that was requested; of several calls of the same for the same object the last. Not if
 * @object is gone by then. */
void weir_document_when_completed (WeirDocument *self, void (*func) (gpointer object),
                                   gpointer object);
/* The same as weir_document_complete() if it is there: FALSE, and nothing is made, if not. @system,
 * @diagnostics: (out) (nullable) (transfer full); @system is NULL with errors. */
gboolean weir_document_peek_completion (WeirDocument *self, WeirSystem **system,
                                        WeirDiagnostics **diagnostics);
/* For those who complete a model of this document in a thread of their own, by
 * weir_model_get_derived(): what they found, as above; and afterwards what of it the current model
 * can share, where @completed was it only then. */
void weir_document_show_completion (WeirDocument *self, const WeirCompletion *completion,
                                    WeirSystem **system, WeirDiagnostics **diagnostics);
void weir_document_keep_completion (WeirDocument *self, WeirModel *completed);

G_END_DECLS

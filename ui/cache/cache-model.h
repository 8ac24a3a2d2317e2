/* WeirCacheModel: what is known about the cache of the model in the editor, for every view of it.
 *
 * It unites the structure (which entries there are, who notifies whom), the blocks of the document,
 * and the figures of the run. While a run goes on, the structure is the run's; otherwise the run's
 * as long as the document has not been changed in structure since it began, else that of the
 * document, completed when somebody asks. So questions about structure have an answer before any
 * run, and figures are never shown for another structure than the one they were counted in. Nothing
 * here touches the run's context.
 *
 * Signals: "structure-changed": layout, blocks and entries are other ones; "figures-changed": the
 * run has told something new. Thread: *main*.
 */
#pragma once

#include "model/document/document.h"
#include "sim/session.h"
#include "system/change/explain.h"

G_BEGIN_DECLS

#define WEIR_TYPE_CACHE_MODEL (weir_cache_model_get_type ())
G_DECLARE_FINAL_TYPE (WeirCacheModel, weir_cache_model, WEIR, CACHE_MODEL, GObject)

WeirCacheModel *weir_cache_model_new (WeirDocument *document);

/* @model: what the session runs. Both NULL: there is no run. */
void weir_cache_model_set_session (WeirCacheModel *self, WeirSession *session, WeirModel *model);

/* FALSE while the document has errors and there is no run: then there is nothing to know. Also
 * until the document is completed, which it asks for and "structure-changed" tells. The functions
 * below call it. */
gboolean weir_cache_model_ensure (WeirCacheModel *self);

WeirLayout *weir_cache_model_get_layout (WeirCacheModel *self); /* (transfer none), or NULL */
WeirExplainer *
weir_cache_model_get_explainer (WeirCacheModel *self); /* the same; made when first asked for */
WeirSystem *weir_cache_model_get_system (WeirCacheModel *self); /* the same; of the document, once
                                                                   it is completed */
WeirSession *
weir_cache_model_get_session (WeirCacheModel *self); /* the same; only with its figures */
WeirSession *
weir_cache_model_peek_session (WeirCacheModel *self); /* even if its structure is another one */
/* The run's newest, or those of a log; NULL if there are no figures for this structure. Valid
 * until the next call, by anyone: get it once and pass it on. */
const WeirSnapshot *weir_cache_model_get_snapshot (WeirCacheModel *self);

/* Shows a moment or a stretch of a log in place of the run's newest figures, in every view,
 * until it is called again or the structure changes. @snapshot: fits the layout; borrowed until
 * then; NULL = the run's.
 * @caption: what it is, in a sentence. */
void weir_cache_model_set_logged (WeirCacheModel *self, const WeirSnapshot *snapshot,
                                  const char *caption);
/* That sentence; NULL while the run's figures are shown. */
const char *weir_cache_model_get_logged (WeirCacheModel *self);

/* The flags of @snapshot as explaining takes them; without one those before any run. Valid until
 * the next call, and as long as @snapshot is. */
const WeirFlags *weir_cache_model_get_flags (WeirCacheModel *self, const WeirSnapshot *snapshot);

/* The place of a block in the tree; of 0 the root. FALSE if it is none of its own (a note, a
 * virtual block). */
gboolean weir_cache_model_find_node (WeirCacheModel *self, guint32 block, WeirNode *node);
/* The id of the block that a node belongs to: its own, or that of the nearest around it; 0 = the
 * root. */
guint32 weir_cache_model_get_block (WeirCacheModel *self, WeirNode node);

/* "Whole model", or the path of the node. (transfer full) */
char *weir_cache_model_dup_node_title (WeirCacheModel *self, WeirNode node);
/* "Gain: output y". (transfer full) */
char *weir_cache_model_dup_entry_title (WeirCacheModel *self, WeirEntry entry);
/* "Gain: input u", "time". (transfer full) */
char *weir_cache_model_dup_tracker_title (WeirCacheModel *self, guint32 tracker);
/* "Gain: parameter k", "time and state": what an event changed. (transfer full) */
char *weir_cache_model_dup_source_title (WeirCacheModel *self, WeirSource source);

G_END_DECLS

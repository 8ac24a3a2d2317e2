/* Results derived from a model, kept with it by kind.
 *
 * A kind says which aspects of an edit it survives; one that names none is dropped by every edit.
 * Applying a patch hands what survives on to the new model, so that moving a block rebuilds
 * nothing. A result is made when it is asked for, published once (of two threads one makes it and
 * the other waits), and shared: it must not be changed. What a long chain of undo holds is kept
 * small by dropping the results of old models.
 *
 * Thread: *any*.
 */
#pragma once

#include "model/tree/patch.h"
#include "system/structure/system.h"

G_BEGIN_DECLS

typedef struct {
  const char *name;
  WeirAspects survives;                /* edits of these aspects alone leave the result as it is */
  gpointer (*make) (WeirModel *model); /* (transfer full), never NULL */
  gpointer (*ref) (gpointer result);
  void (*unref) (gpointer result);
  gint n_made; /* atomic: how often make() was called, for tests and the curious */
} WeirDerivedKind;

/* The result, made if there is none. (transfer full) */
gpointer weir_model_get_derived (WeirModel *model, WeirDerivedKind *kind);
/* The result, or @fallback if there is none: nothing is made. (transfer full), of the result */
gpointer weir_model_peek_derived (WeirModel *model, WeirDerivedKind *kind, gpointer fallback);
/* Hands on what survives an edit of @aspects from the model before it to the one after, which
 * weir_model_apply() does by itself: for what was made since. */
void weir_model_hand_on_derived (WeirModel *from, WeirModel *to, WeirAspects aspects);
/* Of a model that is old. It may be asked again, and makes anew. _aside: what is dropped is freed
 * in another thread, as that may take long. */
void weir_model_drop_derived (WeirModel *model);
void weir_model_drop_derived_aside (WeirModel *model);

G_END_DECLS

/* Results derived from a model, kept with it by kind.
 *
 * A kind says which aspects of an edit it survives; one that names none is dropped by every edit.
 * Applying a patch hands what survives on to the new model, so that moving a block rebuilds
 * nothing. A result is made when it is asked for, published once (of two threads the first wins),
 * and shared: it must not be changed. What a long chain of undo holds is kept small by dropping the
 * results of old models.
 *
 * Thread: *any*.
 */
#pragma once

#include "model/patch.h"
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
/* Of a model that is old. It may be asked again, and makes anew. */
void weir_model_drop_derived (WeirModel *model);

/* --- The kinds of this layer ----------------------------------------------------------------- */

/* The completed system and what was found on the way. Survives layout and metadata. */
typedef struct _WeirCompletion WeirCompletion;
extern WeirDerivedKind weir_derived_completion;
WeirSystem *
weir_completion_get_system (const WeirCompletion *self); /* NULL with errors. (transfer none) */
const WeirDiagnostics *
weir_completion_get_diagnostics (const WeirCompletion *self); /* (transfer none) */
WeirCompletion *weir_completion_ref (WeirCompletion *self);
void weir_completion_unref (WeirCompletion *self);

/* What weir_model_dup_signal_sizes() gives: survives values and settings too, and names but those
 * of ports, which are structure. */
extern WeirDerivedKind weir_derived_signal_sizes;

/* The leaf systems of the last completion by type, parameters and sizes: survives every edit,
 * because its keys are all that a leaf is made of. */
extern WeirDerivedKind weir_derived_leaves;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirCompletion, weir_completion_unref)

G_END_DECLS

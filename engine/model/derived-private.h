/* What the rest of the layer needs of derived results. */
#pragma once

#include "model/derived.h"
#include "model/model-private.h"

G_BEGIN_DECLS

/* Hands on to @to what survives an edit of @aspects. @to: seen by nobody else yet. */
void weir_model_inherit_derived (WeirModel *to, WeirModel *from, WeirAspects aspects);

/* Leaf systems that were built before. Thread: *any*. */
typedef struct _WeirLeaves WeirLeaves;
void weir_leaves_unref (WeirLeaves *self);
/* NULL if there is none. (transfer full) */
WeirSystem *weir_leaves_find (WeirLeaves *self, const char *type, const WeirTexts *parameters,
                              const guint *sizes, guint n_sizes);
void weir_leaves_add (WeirLeaves *self, const char *type, WeirTexts *parameters, const guint *sizes,
                      guint n_sizes, WeirSystem *system);
/* How many were added since the model was read. */
guint weir_leaves_get_n_added (WeirLeaves *self);
/* Forgets what has been neither added nor found since the last sweep. */
void weir_leaves_sweep (WeirLeaves *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirLeaves, weir_leaves_unref)

G_END_DECLS

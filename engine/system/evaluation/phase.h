/* The phases that leaves declare (weir_leaf_set_phases()), as the simulator sees them: which of
 * them matter to what it computes, and where they stand.
 *
 * Thread: the context's *owner*.
 */
#pragma once

#include "system/context/context.h"
#include "system/structure/system.h"

G_BEGIN_DECLS

typedef enum {
  /* The state's derivatives depend on them, or what is kept of the past at each step. */
  WEIR_PHASES_OF_STEPS,
  /* Witnesses of crossings depend on them, other than through states. */
  WEIR_PHASES_OF_WITNESSES,
} WeirPhaseUse;

typedef struct _WeirPhases WeirPhases;

/* NULL where no such leaf has any. */
WeirPhases *weir_phases_new (WeirSystem *root, WeirPhaseUse use);
void weir_phases_free (WeirPhases *self);
guint weir_phases_get_n (const WeirPhases *self);
/* Whose they are, in their order: WeirNode::i. (transfer none) */
const guint32 *weir_phases_get_nodes (const WeirPhases *self, guint *n_nodes);
/* Where they stand at a trial time and state (@x: n_states values), n values. The accepted time and
 * state are left as they are. FALSE where one has no value there. */
gboolean weir_phases_calc_at (const WeirPhases *self, WeirContext *context, double time,
                              const double *x, double *phases);

G_END_DECLS

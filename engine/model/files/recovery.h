/* Recovery: what was not saved when the program ended without being asked to.
 *
 * Each open document keeps a *slot*: a file in the user's state folder to which its unsaved model
 * is written as it changes. A slot's file is a whole model file, readable like any other, with a
 * comment at its end that names the document's own file. A lock held by the process tells live
 * slots from those that a crash left behind; the kernel lets go of it however the process ends.
 */
#pragma once

#include <gio/gio.h>

#include "model/tree/model.h"

G_BEGIN_DECLS

/* What a crash left behind. */
typedef struct {
  GFile *kept;     /* the whole model file */
  GFile *origin;   /* the document's file; NULL if it was never saved */
  GDateTime *time; /* when it was kept */
} WeirRecovery;

void weir_recovery_free (WeirRecovery *self);
WeirRecovery *weir_recovery_copy (const WeirRecovery *self); /* (transfer full) */

/* What no living process keeps, oldest first. Elements belong to the array. Thread: *main*.
 * (transfer full) */
GPtrArray *weir_recovery_list (void);
/* Removes what was left behind, for good. */
void weir_recovery_discard (WeirRecovery *self);

typedef struct _WeirRecoverySlot WeirRecoverySlot;

/* Thread: *main*. (transfer full) */
WeirRecoverySlot *weir_recovery_slot_new (void);
/* Also empties the slot: who closes a document in order has nothing to recover. */
void weir_recovery_slot_free (WeirRecoverySlot *self);

/* Writes @model, as seen from the folder of @origin, to the slot in a thread of its own; of several
 * writes the last one counts. A write that fails is told once in the program's log and tried again
 * with the next. */
void weir_recovery_slot_write (WeirRecoverySlot *self, WeirModel *model, GFile *origin);
/* Removes the slot's file; a write that has not ended does not bring it back. */
void weir_recovery_slot_clear (WeirRecoverySlot *self);
/* Makes what was left behind this slot's own, in one step: it is never on disk twice or not
 * at all. */
gboolean weir_recovery_slot_adopt (WeirRecoverySlot *self, WeirRecovery *recovery, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirRecovery, weir_recovery_free)

G_END_DECLS

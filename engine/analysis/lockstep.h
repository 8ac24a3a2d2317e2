/* Verifying (verify.h) a run that others have a hand in: beside it, as it goes on, or with some of
 * its entries never cached.
 *
 * Thread: *owner*; the two contexts live within the call.
 */
#pragma once

#include "analysis/verify.h"
#include "sim/journal.h"

G_BEGIN_DECLS

/* weir_verify() of a run with all that is done to it: both sides follow @journal, and end where the
 * run does; NULL: an undisturbed run. @progress (nullable): set atomically, from this thread, to
 * how much of the time until @stop_time has been compared, in thousandths. */
gboolean weir_verify_beside (WeirSystem *root, const WeirSimulatorOptions *options,
                             double stop_time, WeirJournal *journal, gint *cancel, gint *progress,
                             WeirVerifyResult *result, GError **error);

/* weir_verify() with some entries not cached on the cached side either. @except: as for
 * weir_context_set_forgotten(). */
gboolean weir_verify_without (WeirSystem *root, const WeirSimulatorOptions *options,
                              double stop_time, const guint64 *except, gint *cancel,
                              WeirVerifyResult *result, GError **error);

G_END_DECLS

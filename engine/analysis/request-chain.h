/* For whom a value was computed last before a difference, with caching and without: the chain of
 * evaluations.
 *
 * Both runs are made once more up to the step in which they differ, logged in full. After each
 * step the values that no other reads are asked for, as scopes do; so whatever is computed is
 * computed for one of those, or for the run itself. Thread: *owner*; all contexts live within the
 * call.
 */
#pragma once

#include "analysis/verify.h"
#include "sim/journal.h"
#include "system/observation/change-log.h"

G_BEGIN_DECLS

typedef struct {
  gboolean is_known; /* it was computed within what was logged */
  GArray *entries; /* guint32: the value, for whom it was computed, for whom that, ...; the last is
                      what was asked for. Empty if it was not computed */
  double time;     /* in force, s */
  WeirLogPhase phase;
  WeirLogReason reason;
} WeirRequestChain;

typedef struct {
  WeirRequestChain cached, uncached;
} WeirDifferenceChains;

/* Of the faulty entry of @result, else of the value that differs. FALSE and @error if @result is
 * not of a difference, names no value, or a run fails before it; then there is nothing to clear.
 * @journal: (nullable) as weir_verify_beside() was given it. */
gboolean weir_find_difference_chains (WeirSystem *root, const WeirSimulatorOptions *options,
                                      double stop_time, WeirJournal *journal,
                                      const WeirVerifyResult *result, gint *cancel,
                                      WeirDifferenceChains *chains, GError **error);
void weir_difference_chains_clear (WeirDifferenceChains *self);
/* "Total:y, for Tank:time derivatives, for time derivatives (t = 0.02, out of date)". (transfer
 * full) */
char *weir_request_chain_to_string (const WeirRequestChain *self, const WeirLayout *layout);

G_END_DECLS

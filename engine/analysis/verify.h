/* Running cached and uncached in lockstep and comparing every bit.
 *
 * Two contexts of one system advance by the same simulator steps, one with caching, one without.
 * Of units of co-simulation the uncached side steps one after the other, on one thread.
 * After every step each state and each entry's value is compared by bytes; at the first difference
 * the entries are searched in plan order for the first that differs while all its prerequisites
 * agree: the guilty one. Thread: *owner*; the two contexts live within the call.
 */
#pragma once

#include "base/visibility.h"
#include "sim/simulator.h"

WEIR_BEGIN_DECLS

/* Whether a run with caching and one without are the same. */
typedef struct {
  gboolean identical;
  guint64 n_compared; /* values of 8 bytes */
  guint64 n_steps;
  guint64 cached_hits, uncached_hits; /* uncached_hits is 0 */
  guint64
      cached_calculations; /* made with caching, where every value is looked at after each step */
  double time;             /* of the first difference, s */
  char *where;             /* entry or state path of the first difference */
  char *faulty_entry;      /* entry whose declaration is to blame, or NULL */
  gboolean is_impure;      /* no declaration can help: it gives other bits from the same sources */
  double cached, uncached; /* the two values */
  guint64 n_ulps;          /* doubles from one to the other */
  guint64 reserved[8];     /* 0: what is to come */
} WeirVerifyResult;

/* @cancel: checked every step, may be NULL. FALSE and @error if the run itself failed. */
gboolean weir_verify (WeirSystem *root, const WeirSimulatorOptions *options, double stop_time,
                      gint *cancel, WeirVerifyResult *result, GError **error);
void weir_verify_result_clear (WeirVerifyResult *result);
/* "identical, 12 408 values compared", or the first difference in a sentence. (transfer full) */
char *weir_verify_result_to_string (const WeirVerifyResult *result);

WEIR_END_DECLS

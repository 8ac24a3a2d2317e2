/* The smallest set of entries whose caching makes a run differ, found by leaving subsets uncached.
 *
 * Each trial is a lockstep run (verify.h) in which a set of entries, and with them all that
 * declares to read them, is out of date at the start of every request. Halving finds the first
 * guilty entry, then, with that one left uncached, the next, until a run is identical: about log2 n
 * runs for each. No entry of the result can be left out. An entry that declares to read a guilty
 * one is uncached with it, so a fault of its own shows when that one is mended; the audit (audit.h)
 * names both at once.
 *
 * Thread: *owner*; all contexts live within the call.
 */
#pragma once

#include "analysis/verify.h"

G_BEGIN_DECLS

typedef struct {
  WeirVerifyResult first; /* of the run as it is; identical: there was nothing to search for */
  gboolean
      is_explained; /* FALSE: it differs even with nothing cached, so a calculation keeps memory */
  GArray *entries;  /* WeirEntry, in plan order */
  GPtrArray *paths; /* their paths, likewise */
  guint n_entries;  /* of the model */
  guint n_runs;     /* lockstep runs made */
} WeirBisection;

/* @cancel: checked every step, may be NULL. FALSE and @error if the run itself failed; @result then
 * has nothing to clear. */
gboolean weir_bisect_caching (WeirSystem *root, const WeirSimulatorOptions *options,
                              double stop_time, gint *cancel, WeirBisection *result,
                              GError **error);
void weir_bisection_clear (WeirBisection *self);
/* "2 of 200 entries are to blame: a:y, b:y; without caching them the runs are identical (19 runs)".
 * (transfer full) */
char *weir_bisection_to_string (const WeirBisection *self);

G_END_DECLS

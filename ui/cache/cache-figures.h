/* The figures of cache entries in a run's snapshot, and how they are written.
 *
 * Everything is derived from the engine's counters; nothing is estimated but times, which are means
 * of samples. Thread: *any*.
 */
#pragma once

#include "paint/drawing/badge.h"
#include "sim/session.h"

G_BEGIN_DECLS

WeirBadge weir_cache_get_badge (const WeirSnapshot *snapshot, guint entry);
guint64 weir_cache_get_misses (const WeirCounters *counters);
double weir_cache_get_rate (const WeirCounters *counters); /* of hits, 0..1; NAN without requests */
/* How many change events reached the entry while it was out of date already, so that nothing was
 * lost by them. FALSE if the counters do not tell, as caching was off in between. */
gboolean weir_cache_get_unused (const WeirSnapshot *snapshot, guint entry, guint64 *unused);
double weir_cache_get_spent_ns (const WeirSnapshot *snapshot, guint entry); /* computing */
double weir_cache_get_saved_ns (const WeirSnapshot *snapshot, guint entry); /* by hits */

typedef struct {
  guint64 hits, misses, invalidations;
  double spent_ns, saved_ns;
} WeirCacheTotals;

void weir_cache_totals_add (WeirCacheTotals *totals, const WeirSnapshot *snapshot, guint entry);
WeirCacheTotals weir_cache_get_totals (const WeirSnapshot *snapshot); /* NULL: all 0 */

/* "93.4 %", or an en dash without requests. (transfer full) */
char *weir_cache_format_rate (guint64 hits, guint64 misses);
/* With thousands apart: "12 408". (transfer full) */
char *weir_cache_format_count (guint64 count);
/* In at most five characters: "12 k". (transfer full) */
char *weir_cache_format_short (double count);
/* "180 ns", "1.8 µs", or an en dash for nothing. (transfer full) */
char *weir_cache_format_time (double ns);

G_END_DECLS

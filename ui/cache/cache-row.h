/* WeirCacheRow: the place of one entry in the cache table: its number and its names. Its changing
 * figures are read from the newest snapshot. Thread: *main*. */
#pragma once

#include <glib-object.h>

#include "sim/session.h"

G_BEGIN_DECLS

#define WEIR_TYPE_CACHE_ROW (weir_cache_row_get_type ())
G_DECLARE_FINAL_TYPE (WeirCacheRow, weir_cache_row, WEIR, CACHE_ROW, GObject)

WeirCacheRow *weir_cache_row_new (WeirLayout *layout, guint entry);
guint weir_cache_row_get_entry (WeirCacheRow *self);
const char *weir_cache_row_get_title (WeirCacheRow *self); /* "plant.gain: y" */
const char *weir_cache_row_get_key (WeirCacheRow *self);   /* the same, folded for searching */
const char *weir_cache_row_get_block (WeirCacheRow *self); /* "plant.gain" */

typedef enum {
  WEIR_CACHE_NEVER,    /* not computed yet */
  WEIR_CACHE_FRESH,
  WEIR_CACHE_STALE,
  WEIR_CACHE_DISABLED, /* recomputed at each request */
} WeirCacheState;

/* Figures of an entry in a snapshot. */
WeirCacheState weir_cache_state (const WeirSnapshot *snapshot, guint entry);
guint64 weir_cache_misses (const WeirCounters *counters);
double weir_cache_hit_rate (const WeirCounters *counters); /* 0..1; NAN without requests */
/* "93.4 %", or an en dash without requests. (transfer full) */
char *weir_cache_format_rate (guint64 hits, guint64 misses);
/* With thousands apart: "12 408". (transfer full) */
char *weir_cache_format_count (guint64 count);
/* "180 ns", "1.8 µs", or an en dash. (transfer full) */
char *weir_cache_format_time (double ns);

G_END_DECLS

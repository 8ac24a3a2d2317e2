/* The rows and columns of the cache table: titles, what each says about an entry, how it sorts.
 *
 * One table of columns serves the cells, sorting and export, so that they cannot differ. Thread:
 * *main*.
 */
#pragma once

#include "cache/cache-model.h"

G_BEGIN_DECLS

/* The place of one entry in the table: its number and its names. Its changing figures are read
 * from the newest snapshot. */
#define WEIR_TYPE_CACHE_ROW (weir_cache_row_get_type ())
G_DECLARE_FINAL_TYPE (WeirCacheRow, weir_cache_row, WEIR, CACHE_ROW, GObject)

WeirCacheRow *weir_cache_row_new (WeirLayout *layout, guint entry);
guint weir_cache_row_get_entry (WeirCacheRow *self);
const char *weir_cache_row_get_title (WeirCacheRow *self); /* "plant.gain: y" */
const char *weir_cache_row_get_key (WeirCacheRow *self);   /* the same, folded for searching */

typedef enum {
  WEIR_COLUMN_ENTRY,
  WEIR_COLUMN_STATE,
  WEIR_COLUMN_CACHED,
  WEIR_COLUMN_HELD,
  WEIR_COLUMN_BREAK,
  WEIR_COLUMN_HITS,
  WEIR_COLUMN_MISSES,
  WEIR_COLUMN_RATE,
  WEIR_COLUMN_INVALIDATIONS,
  WEIR_COLUMN_UNUSED,
  WEIR_COLUMN_MEAN,
  WEIR_COLUMN_SAVED,
  WEIR_COLUMN_EVENT,
  WEIR_COLUMN_KIND,
  WEIR_COLUMN_READS,
  WEIR_COLUMN_FIRST,
  WEIR_COLUMN_STALE,
  WEIR_COLUMN_DISABLED,
  WEIR_COLUMN_SAME,
  WEIR_COLUMN_SPENT,
  WEIR_COLUMN_SERIAL,
  WEIR_N_COLUMNS,
} WeirColumn;

/* What the cells are written from. */
typedef struct {
  WeirLayout *layout;           /* borrowed */
  const WeirSnapshot *snapshot; /* borrowed */
  const guint64 *last_events;   /* by entry */
  const guint64 *breakpoints;   /* bits by entry; NULL = none */
} WeirColumnData;

const char *weir_column_get_title (WeirColumn column);
const char *weir_column_get_tooltip (WeirColumn column);
gboolean weir_column_is_text (WeirColumn column); /* aligned to the left, sorted as text */
gboolean weir_column_is_shown_at_first (WeirColumn column);
gboolean weir_column_is_switch (WeirColumn column);
gboolean weir_column_is_on (WeirColumn column, const WeirColumnData *data,
                            guint entry); /* of a switch */

/* As shown. (transfer full) */
char *weir_column_dup_text (WeirColumn column, const WeirColumnData *data, WeirCacheRow *row);
/* What a column that is no text sorts by. */
double weir_column_get_key (WeirColumn column, const WeirColumnData *data, guint entry);

/* A header line and one for each row of @rows (WeirCacheRow), as RFC 4180 has it.
 * (transfer full) */
char *weir_columns_to_csv (const WeirColumnData *data, GListModel *rows);

G_END_DECLS

/* The cells of the cache table: what they are made of, what is written in those in sight, and the
 * order of rows by what they say.
 *
 * Figures change while rows are being sorted, an order must not: it goes by a copy, until that is
 * cleared. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "cache/cache-columns.h"

G_BEGIN_DECLS

typedef struct _WeirCacheCells WeirCacheCells;

/* Whose table it is. */
typedef struct {
  /* FALSE: there are no figures. */
  gboolean (*get_data) (gpointer owner, WeirColumnData *data);
  /* The user switched what a column has of an entry. */
  void (*switched) (gpointer owner, WeirColumn column, guint entry, gboolean is_on);
} WeirCacheCellsOwner;

/* @owner: borrowed; it outlives the cells, and these the table. (transfer full) */
WeirCacheCells *weir_cache_cells_new (const WeirCacheCellsOwner *functions, gpointer owner);
void weir_cache_cells_free (WeirCacheCells *self);

/* A column of them, which can be sorted. (transfer full) */
GtkColumnViewColumn *weir_cache_cells_column_new (WeirCacheCells *self, WeirColumn column);
/* Writes the cells in sight anew. */
void weir_cache_cells_update (WeirCacheCells *self, const WeirColumnData *data);

/* Are rows sorted by figures? */
gboolean weir_cache_cells_have_keys (const WeirCacheCells *self);
void weir_cache_cells_clear_keys (WeirCacheCells *self);

G_END_DECLS

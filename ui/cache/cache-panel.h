/* WeirCachePanel: what the cache of a run holds and does, one row per entry, with totals and
 * switches.
 *
 * Rows are made once per run; from then on the newest snapshot is read when a row is shown or the
 * snapshot is renewed, so that ten thousand entries cost no more than the rows in sight.
 *
 * Signals: "selection-changed" (): the user selected other rows; "explain-entry" (guint entry): a
 * row was activated, or Shift+W pressed on it; "caching-switched" (gboolean): the user switched
 * caching as a whole; "break-switched" (guint entry, gboolean on): whether the run is to pause when
 * an entry was computed. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "cache/cache-model.h"

G_BEGIN_DECLS

#define WEIR_TYPE_CACHE_PANEL (weir_cache_panel_get_type ())
G_DECLARE_FINAL_TYPE (WeirCachePanel, weir_cache_panel, WEIR, CACHE_PANEL, GtkWidget)

/* What it shows; once, if it was made without. */
void weir_cache_panel_set_model (WeirCachePanel *self, WeirCacheModel *model);

/* Totals as shown, over all entries. */
void weir_cache_panel_get_totals (WeirCachePanel *self, guint64 *hits, guint64 *misses,
                                  guint64 *invalidations);

/* The blocks that the selected rows belong to, each once. (transfer full), guint32. */
GArray *weir_cache_panel_list_selected_blocks (WeirCachePanel *self);
/* Selects the rows of these blocks and of all within them, without a signal; the first is scrolled
 * to. */
void weir_cache_panel_select_blocks (WeirCachePanel *self, const guint32 *blocks, guint n);

/* Entries at whose computation the run pauses: bits, 64 a word, of the session shown; NULL = none.
 * Copied. */
void weir_cache_panel_set_breakpoints (WeirCachePanel *self, const guint64 *bits, guint n_entries);

/* The rows as filtered and sorted, every column. (transfer full); NULL without a run. */
char *weir_cache_panel_to_csv (WeirCachePanel *self);

G_END_DECLS

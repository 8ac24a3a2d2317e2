/* WeirCachePanel: what the cache of a run holds and does, one row per entry, with totals and switches.
 *
 * Rows are made once per run; from then on the newest snapshot is read when a row is shown or the
 * snapshot is renewed, so that ten thousand entries cost no more than the rows in sight.
 *
 * Signals: "select-path" (const char *path): the user chose the row of an entry of this block;
 * "caching-switched" (gboolean): the user switched caching as a whole.
 * Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "sim/session.h"

G_BEGIN_DECLS

#define WEIR_TYPE_CACHE_PANEL (weir_cache_panel_get_type ())
G_DECLARE_FINAL_TYPE (WeirCachePanel, weir_cache_panel, WEIR, CACHE_PANEL, GtkWidget)

GtkWidget *weir_cache_panel_new (void);
void weir_cache_panel_set_session (WeirCachePanel *self, WeirSession *session);

/* Totals as shown, over all entries. */
void weir_cache_panel_get_totals (WeirCachePanel *self, guint64 *hits, guint64 *misses,
                                  guint64 *invalidations);

G_END_DECLS

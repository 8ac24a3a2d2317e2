/* What the files of the cache table share: cache-panel.c follows the run and has the
 * selection, cache-panel-cells.c writes the cells and orders by them, cache-panel-widgets.c puts
 * the widgets together.
 */
#pragma once

#include "cache/cache-columns.h"
#include "cache/cache-figures.h"
#include "cache/cache-panel.h"
#include "cache/rate-line.h"

G_BEGIN_DECLS

struct _WeirCachePanel {
  GtkWidget parent;
  GtkWidget *stack; /* "empty" or "table" */
  GtkWidget *caching, *search, *states, *rate, *totals, *view;
  GListStore *rows;
  GtkFilter *filter;
  GtkMultiSelection *selection;
  double *keys[WEIR_N_COLUMNS]; /* by entry: what rows are sorted by; NULL: not asked for */
  GHashTable *cells;            /* GtkListItem in sight -> column + 1 */
  char *wanted;                 /* text of the search, folded */
  WeirCacheModel *model;
  WeirSession *session; /* that switches are for; NULL = none */
  WeirLayout *layout;   /* whose entries the rows are */
  guint64 *last_events; /* by entry */
  guint64 *breakpoints; /* bits by entry; NULL = none */
  gulong caching_handler;
  guint resort;
  gboolean is_selecting; /* for the program, not by the user */
};

/* cache-panel-cells.c */
/* Are the rows those of the structure that all views show? */
gboolean weir_cache_panel_is_shown (WeirCachePanel *self);
/* Are the figures those of a log, not of the run? */
gboolean weir_cache_panel_is_recorded (WeirCachePanel *self);
/* FALSE without a run. */
gboolean weir_cache_panel_get_data (WeirCachePanel *self, WeirColumnData *data);
GtkSorter *weir_cache_panel_sorter_new (WeirCachePanel *self,
                                        WeirColumn column); /* (transfer full) */
gboolean weir_cache_panel_is_ordered_by_figures (WeirCachePanel *self);
void weir_cache_panel_clear_keys (WeirCachePanel *self);
GtkListItemFactory *weir_cache_panel_factory_new (WeirCachePanel *self, WeirColumn column);
void weir_cache_panel_update_cells (WeirCachePanel *self, const WeirColumnData *data);
void weir_cache_panel_set_text (GtkLabel *label, const char *text);

/* cache-panel-widgets.c */
void weir_cache_panel_build (WeirCachePanel *self);

G_END_DECLS

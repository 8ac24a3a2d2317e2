/* WeirCachePanel. See cache-panel.h.
 *
 * The cells in sight are kept in a set; a renewed snapshot rewrites just their texts. Sorting by a
 * changing figure is renewed twice a second at most.
 */
#include "cache/cache-panel.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "cache/cache-figures.h"
#include "cache/cache-row.h"

#define RESORT_MS 500

typedef enum {
  COLUMN_ENTRY,
  COLUMN_STATE,
  COLUMN_HITS,
  COLUMN_MISSES,
  COLUMN_INVALIDATIONS,
  COLUMN_RATE,
  COLUMN_TIME,
  COLUMN_CACHED,
  N_COLUMNS,
} Column;

struct _WeirCachePanel {
  GtkWidget parent;
  GtkWidget *stack; /* "empty" or "table" */
  GtkWidget *caching;
  GtkWidget *search;
  GtkWidget *totals;
  GtkWidget *view;
  GListStore *rows;
  GtkFilter *filter;
  GtkSingleSelection *selection;
  GtkSorter *sorters[N_COLUMNS]; /* borrowed from the columns */
  double *keys[N_COLUMNS];       /* by entry: what rows are sorted by; NULL: not asked for */
  GHashTable *cells;             /* GtkListItem in sight -> column + 1 */
  WeirSession *session;
  gulong changed_handler, caching_handler;
  guint resort;
};

G_DEFINE_FINAL_TYPE (WeirCachePanel, weir_cache_panel, GTK_TYPE_WIDGET)

enum { SIGNAL_SELECT_PATH, SIGNAL_CACHING_SWITCHED, N_SIGNALS };
static guint signals[N_SIGNALS];

static const struct {
  const char *title;
  const char *tooltip;
} columns[N_COLUMNS] = {
  [COLUMN_ENTRY] = { N_ ("Entry"), N_ ("A value that the engine keeps: block and name") },
  [COLUMN_STATE] = { N_ ("State"), N_ ("Whether the value may be used as it is") },
  [COLUMN_HITS] = { N_ ("Hits"), N_ ("Requests answered from the cache") },
  [COLUMN_MISSES] = { N_ ("Misses"), N_ ("Requests that had to compute the value") },
  [COLUMN_INVALIDATIONS]
  = { N_ ("Invalidations"), N_ ("Changes that put the value out of date") },
  [COLUMN_RATE] = { N_ ("Hit Rate"), N_ ("Hits among all requests") },
  [COLUMN_TIME] = { N_ ("Mean Time"), N_ ("Time of one computation, from samples") },
  [COLUMN_CACHED] = { N_ ("Cached"), N_ ("Switch off to compute the value at every request") },
};

static const WeirSnapshot *
get_snapshot (WeirCachePanel *self)
{
  return self->session == NULL ? NULL : weir_session_get_snapshot (self->session);
}

/* --- Cells ------------------------------------------------------------------------------------- */

static const char *
state_markup (WeirBadge badge)
{
  /* Shape as well as colour (Okabe and Ito's). */
  switch (badge)
    {
    case WEIR_BADGE_FRESH:
      return "<span foreground=\"#009E73\">●</span> %s";
    case WEIR_BADGE_STALE:
      return "<span foreground=\"#E69F00\">◐</span> %s";
    case WEIR_BADGE_DISABLED:
      return "<span foreground=\"#CC79A7\">⊘</span> %s";
    case WEIR_BADGE_NEVER:
    default:
      return "<span foreground=\"#888888\">◌</span> %s";
    }
}

static void
set_text (GtkLabel *label, const char *text)
{
  if (strcmp (gtk_label_get_text (label), text) != 0)
    gtk_label_set_text (label, text);
}

static void
update_state (GtkLabel *label, WeirBadge state)
{
  g_autofree char *markup = NULL;
  int shown = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (label), "weir-state")) - 1;

  if (shown == (int) state)
    return;
  g_object_set_data (G_OBJECT (label), "weir-state", GINT_TO_POINTER ((int) state + 1));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  markup = g_markup_printf_escaped (state_markup (state), weir_badge_get_name (state));
#pragma GCC diagnostic pop
  gtk_label_set_markup (label, markup);
}

static void
update_cell (WeirCachePanel *self, GtkListItem *item, Column column, const WeirSnapshot *snapshot)
{
  WeirCacheRow *row = gtk_list_item_get_item (item);
  GtkWidget *child = gtk_list_item_get_child (item);
  guint entry = weir_cache_row_get_entry (row);
  const WeirCounters *counters;
  g_autofree char *text = NULL;

  if (snapshot == NULL || entry >= snapshot->n_entries || snapshot->counters == NULL)
    return;
  counters = &snapshot->counters[entry];
  switch (column)
    {
    case COLUMN_ENTRY:
      text = g_strdup (weir_cache_row_get_title (row));
      gtk_widget_set_tooltip_text (child, text);
      break;
    case COLUMN_STATE:
      update_state (GTK_LABEL (child), weir_cache_get_badge (snapshot, entry));
      return;
    case COLUMN_HITS:
      text = weir_cache_format_count (counters->hits);
      break;
    case COLUMN_MISSES:
      text = weir_cache_format_count (weir_cache_get_misses (counters));
      break;
    case COLUMN_INVALIDATIONS:
      text = weir_cache_format_count (counters->invalidations);
      break;
    case COLUMN_RATE:
      text = weir_cache_format_rate (counters->hits, weir_cache_get_misses (counters));
      break;
    case COLUMN_TIME:
      text = weir_cache_format_time ((double) snapshot->mean_ns[entry]);
      break;
    case COLUMN_CACHED:
      {
        gboolean cached = !((snapshot->disabled[entry / 64] >> (entry % 64)) & 1);
        gulong handler = GPOINTER_TO_SIZE (g_object_get_data (G_OBJECT (child), "weir-handler"));

        gtk_widget_set_sensitive (child, snapshot->caching);
        if (gtk_switch_get_active (GTK_SWITCH (child)) != cached)
          {
            g_signal_handler_block (child, handler);
            gtk_switch_set_active (GTK_SWITCH (child), cached);
            g_signal_handler_unblock (child, handler);
          }
        return;
      }
    case N_COLUMNS:
    default:
      return;
    }
  set_text (GTK_LABEL (child), text);
}

static void
entry_switched (GtkSwitch *toggle, G_GNUC_UNUSED GParamSpec *pspec, GtkListItem *item)
{
  WeirCachePanel *self
      = WEIR_CACHE_PANEL (gtk_widget_get_ancestor (GTK_WIDGET (toggle), WEIR_TYPE_CACHE_PANEL));
  WeirCacheRow *row = gtk_list_item_get_item (item);

  if (self != NULL && self->session != NULL && row != NULL)
    weir_session_set_entry_caching (self->session, weir_cache_row_get_entry (row),
                                    gtk_switch_get_active (toggle));
}

static Column
column_of (GtkListItemFactory *factory)
{
  return (Column) GPOINTER_TO_INT (g_object_get_data (G_OBJECT (factory), "weir-column"));
}

static void
setup_cell (GtkListItemFactory *factory, GtkListItem *item, G_GNUC_UNUSED WeirCachePanel *self)
{
  Column column = column_of (factory);
  GtkWidget *child;

  if (column == COLUMN_CACHED)
    {
      gulong handler;

      child = gtk_switch_new ();
      gtk_widget_set_valign (child, GTK_ALIGN_CENTER);
      gtk_widget_set_halign (child, GTK_ALIGN_CENTER);
      gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      _ ("Cached"), -1);
      handler = g_signal_connect (child, "notify::active", G_CALLBACK (entry_switched), item);
      g_object_set_data (G_OBJECT (child), "weir-handler", GSIZE_TO_POINTER (handler));
    }
  else
    {
      child = gtk_label_new (NULL);
      gtk_label_set_xalign (GTK_LABEL (child),
                            column == COLUMN_ENTRY || column == COLUMN_STATE ? 0 : 1);
      if (column == COLUMN_ENTRY)
        {
          gtk_label_set_ellipsize (GTK_LABEL (child), PANGO_ELLIPSIZE_MIDDLE);
          gtk_label_set_width_chars (GTK_LABEL (child), 18);
        }
      else
        gtk_widget_add_css_class (child, "numeric");
    }
  gtk_list_item_set_child (item, child);
}

static void
bind_cell (GtkListItemFactory *factory, GtkListItem *item, WeirCachePanel *self)
{
  Column column = column_of (factory);

  g_hash_table_insert (self->cells, item, GINT_TO_POINTER ((int) column + 1));
  update_cell (self, item, column, get_snapshot (self));
}

static void
unbind_cell (G_GNUC_UNUSED GtkListItemFactory *factory, GtkListItem *item, WeirCachePanel *self)
{
  g_hash_table_remove (self->cells, item);
}

/* --- Sorting and filtering ------------------------------------------------------------------------ */

typedef struct {
  WeirCachePanel *panel; /* borrowed: the sorter lives within it */
  Column column;
} Sorting;

static double
sort_key (const WeirSnapshot *snapshot, Column column, guint entry)
{
  const WeirCounters *counters = &snapshot->counters[entry];
  double rate;

  switch (column)
    {
    case COLUMN_STATE:
      return (double) weir_cache_get_badge (snapshot, entry);
    case COLUMN_HITS:
      return (double) counters->hits;
    case COLUMN_MISSES:
      return (double) weir_cache_get_misses (counters);
    case COLUMN_INVALIDATIONS:
      return (double) counters->invalidations;
    case COLUMN_RATE:
      rate = weir_cache_get_rate (counters);
      return isnan (rate) ? -1 : rate;
    case COLUMN_TIME:
      return (double) snapshot->mean_ns[entry];
    case COLUMN_CACHED:
      return (snapshot->disabled[entry / 64] >> (entry % 64)) & 1;
    case COLUMN_ENTRY:
    case N_COLUMNS:
    default:
      return 0;
    }
}

/* Figures change while rows are being sorted, an order must not: it goes by a copy. */
static const double *
get_keys (WeirCachePanel *self, Column column, const WeirSnapshot *snapshot)
{
  if (self->keys[column] == NULL)
    {
      self->keys[column] = g_new (double, snapshot->n_entries);
      for (guint e = 0; e < snapshot->n_entries; e++)
        self->keys[column][e] = sort_key (snapshot, column, e);
    }
  return self->keys[column];
}

static gboolean
is_sorted_by_figure (WeirCachePanel *self)
{
  for (Column column = 0; column < N_COLUMNS; column++)
    if (self->keys[column] != NULL)
      return TRUE;
  return FALSE;
}

static void
clear_keys (WeirCachePanel *self)
{
  for (Column column = 0; column < N_COLUMNS; column++)
    g_clear_pointer (&self->keys[column], g_free);
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const Sorting *sorting = data;
  WeirCacheRow *x = (WeirCacheRow *) a, *y = (WeirCacheRow *) b;
  const WeirSnapshot *snapshot = get_snapshot (sorting->panel);
  const double *keys;
  double p, q;

  if (sorting->column == COLUMN_ENTRY)
    return strcmp (weir_cache_row_get_key (x), weir_cache_row_get_key (y));
  if (snapshot == NULL || snapshot->counters == NULL)
    return 0;
  keys = get_keys (sorting->panel, sorting->column, snapshot);
  p = keys[weir_cache_row_get_entry (x)];
  q = keys[weir_cache_row_get_entry (y)];
  return p < q ? -1 : p > q;
}

static gboolean
matches_search (gpointer item, gpointer data)
{
  WeirCachePanel *self = data;
  const char *wanted = gtk_editable_get_text (GTK_EDITABLE (self->search));
  g_autofree char *folded = g_utf8_casefold (wanted, -1);

  return strstr (weir_cache_row_get_key (item), folded) != NULL;
}

static void
search_changed (WeirCachePanel *self)
{
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
}

static gboolean
resort (gpointer data)
{
  WeirCachePanel *self = data;
  GtkSorter *sorter = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view));

  self->resort = 0;
  clear_keys (self);
  gtk_sorter_changed (sorter, GTK_SORTER_CHANGE_DIFFERENT);
  return G_SOURCE_REMOVE;
}

/* --- Following the run --------------------------------------------------------------------------- */

void
weir_cache_panel_get_totals (WeirCachePanel *self, guint64 *hits, guint64 *misses,
                             guint64 *invalidations)
{
  const WeirSnapshot *snapshot = get_snapshot (self);

  *hits = *misses = *invalidations = 0;
  for (guint e = 0; snapshot != NULL && snapshot->counters != NULL && e < snapshot->n_entries; e++)
    {
      *hits += snapshot->counters[e].hits;
      *misses += weir_cache_get_misses (&snapshot->counters[e]);
      *invalidations += snapshot->counters[e].invalidations;
    }
}

static void
update_totals (WeirCachePanel *self, const WeirSnapshot *snapshot)
{
  guint64 hits, misses, invalidations;
  g_autofree char *hits_text = NULL, *misses_text = NULL, *rate = NULL, *invalidations_text = NULL,
                  *events = NULL, *text = NULL;

  weir_cache_panel_get_totals (self, &hits, &misses, &invalidations);
  hits_text = weir_cache_format_count (hits);
  misses_text = weir_cache_format_count (misses);
  rate = weir_cache_format_rate (hits, misses);
  invalidations_text = weir_cache_format_count (invalidations);
  events = weir_cache_format_count (snapshot->n_events);
  /* Translators: totals of the cache table. */
  text = g_strdup_printf (_ ("%s hits · %s misses · hit rate %s · %s invalidations by %s events"),
                          hits_text, misses_text, rate, invalidations_text, events);
  set_text (GTK_LABEL (self->totals), text);
}

static void
session_changed (WeirCachePanel *self)
{
  const WeirSnapshot *snapshot = get_snapshot (self);
  GHashTableIter iter;
  gpointer item, column;

  if (snapshot == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  g_hash_table_iter_init (&iter, self->cells);
  while (g_hash_table_iter_next (&iter, &item, &column))
    update_cell (self, item, (Column) (GPOINTER_TO_INT (column) - 1), snapshot);
  update_totals (self, snapshot);
  if (gtk_switch_get_active (GTK_SWITCH (self->caching)) != snapshot->caching)
    {
      g_signal_handler_block (self->caching, self->caching_handler);
      gtk_switch_set_active (GTK_SWITCH (self->caching), snapshot->caching);
      g_signal_handler_unblock (self->caching, self->caching_handler);
    }
  if (self->resort == 0 && is_sorted_by_figure (self))
    self->resort = g_timeout_add (RESORT_MS, resort, self);
}

static void
caching_switched (WeirCachePanel *self)
{
  g_signal_emit (self, signals[SIGNAL_CACHING_SWITCHED], 0,
                 gtk_switch_get_active (GTK_SWITCH (self->caching)));
}

static void
selection_changed (WeirCachePanel *self)
{
  WeirCacheRow *row = gtk_single_selection_get_selected_item (self->selection);

  if (row != NULL && *weir_cache_row_get_block (row) != '\0')
    g_signal_emit (self, signals[SIGNAL_SELECT_PATH], 0, weir_cache_row_get_block (row));
}

void
weir_cache_panel_set_session (WeirCachePanel *self, WeirSession *session)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_if_fail (WEIR_IS_CACHE_PANEL (self));

  if (self->session != NULL)
    g_clear_signal_handler (&self->changed_handler, self->session);
  g_clear_handle_id (&self->resort, g_source_remove);
  clear_keys (self);
  g_set_object (&self->session, session);
  if (session != NULL)
    {
      WeirLayout *layout = weir_session_get_layout (session);
      guint n = weir_layout_get_n_entries (layout);

      for (guint e = 0; e < n; e++)
        g_ptr_array_add (rows, weir_cache_row_new (layout, e));
      self->changed_handler
          = g_signal_connect_swapped (session, "changed", G_CALLBACK (session_changed), self);
    }
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
                       rows->pdata, rows->len);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), session != NULL ? "table" : "empty");
  session_changed (self);
}

/* --- Life -------------------------------------------------------------------------------------- */

static void
map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (weir_cache_panel_parent_class)->map (widget);
  session_changed (WEIR_CACHE_PANEL (widget));
}

static void
dispose (GObject *object)
{
  WeirCachePanel *self = WEIR_CACHE_PANEL (object);
  GtkWidget *child;

  if (self->session != NULL)
    g_clear_signal_handler (&self->changed_handler, self->session);
  g_clear_handle_id (&self->resort, g_source_remove);
  g_clear_object (&self->session);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  clear_keys (self);
  g_clear_object (&self->rows);
  g_clear_pointer (&self->cells, g_hash_table_unref);
  G_OBJECT_CLASS (weir_cache_panel_parent_class)->dispose (object);
}

static void
weir_cache_panel_class_init (WeirCachePanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  widget_class->map = map;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "weir-cache");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  signals[SIGNAL_SELECT_PATH]
      = g_signal_new ("select-path", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                      NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_CACHING_SWITCHED]
      = g_signal_new ("caching-switched", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                      NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void
add_column (WeirCachePanel *self, Column column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *view_column;
  Sorting *sorting = g_new (Sorting, 1);

  g_object_set_data (G_OBJECT (factory), "weir-column", GINT_TO_POINTER ((int) column));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cell), self);
  view_column = gtk_column_view_column_new (_ (columns[column].title), factory);
  gtk_column_view_column_set_resizable (view_column, TRUE);
  gtk_column_view_column_set_expand (view_column, column == COLUMN_ENTRY);

  *sorting = (Sorting) { self, column };
  self->sorters[column] = GTK_SORTER (gtk_custom_sorter_new (compare_rows, sorting, g_free));
  gtk_column_view_column_set_sorter (view_column, self->sorters[column]);
  g_object_unref (self->sorters[column]);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), view_column);
  g_object_unref (view_column);
}

/* A column has no tooltip in GTK 4.8, but the titles are the children of the view's first child. */
static void
explain_columns (WeirCachePanel *self)
{
  GtkWidget *header = gtk_widget_get_first_child (self->view);
  GtkWidget *title = header == NULL ? NULL : gtk_widget_get_first_child (header);

  for (Column column = 0; column < N_COLUMNS && title != NULL; column++)
    {
      gtk_widget_set_tooltip_text (title, _ (columns[column].tooltip));
      title = gtk_widget_get_next_sibling (title);
    }
}

static GtkWidget *
tool_row_new (WeirCachePanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *label = gtk_label_new_with_mnemonic (_ ("_Caching"));
  GtkEditable *delegate;

  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 6);

  self->caching = gtk_switch_new ();
  gtk_switch_set_active (GTK_SWITCH (self->caching), TRUE);
  gtk_widget_set_valign (self->caching, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (
      self->caching,
      _ ("Off: everything is computed anew at each request; results must stay the same"));
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->caching);
  self->caching_handler = g_signal_connect_swapped (self->caching, "notify::active",
                                                    G_CALLBACK (caching_switched), self);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), self->caching);

  self->search = gtk_search_entry_new ();
  gtk_widget_set_hexpand (self->search, TRUE);
  gtk_widget_set_tooltip_text (self->search, _ ("Show only entries whose name contains this"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filter entries"), -1);
  delegate = gtk_editable_get_delegate (GTK_EDITABLE (self->search));
  if (GTK_IS_TEXT (delegate)) /* GTK 4.8 has no placeholder for search entries */
    gtk_text_set_placeholder_text (GTK_TEXT (delegate), _ ("Filter entries"));
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (search_changed), self);
  gtk_box_append (GTK_BOX (box), self->search);

  return box;
}

static GtkWidget *
totals_row_new (WeirCachePanel *self)
{
  self->totals = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->totals), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->totals), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->totals, "numeric");
  gtk_widget_set_margin_start (self->totals, 12);
  gtk_widget_set_margin_end (self->totals, 12);
  gtk_widget_set_margin_top (self->totals, 3);
  gtk_widget_set_margin_bottom (self->totals, 3);
  return self->totals;
}

static GtkWidget *
empty_state_new (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *title = gtk_label_new (_ ("No Cache Yet"));
  GtkWidget *text = gtk_label_new (
      _ ("Run the model to see which values the engine reuses, which it computes anew, and what "
         "put them out of date."));

  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_vexpand (box, TRUE);
  gtk_widget_add_css_class (title, "title-4");
  gtk_label_set_wrap (GTK_LABEL (text), TRUE);
  gtk_label_set_justify (GTK_LABEL (text), GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (GTK_LABEL (text), 60);
  gtk_widget_add_css_class (text, "dim-label");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), text);
  return box;
}

static void
weir_cache_panel_init (WeirCachePanel *self)
{
  GtkWidget *table = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkFilterListModel *filtered;
  GtkSortListModel *sorted;

  gtk_orientable_set_orientation (
      GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
      GTK_ORIENTATION_VERTICAL);
  self->cells = g_hash_table_new (NULL, NULL);
  self->rows = g_list_store_new (WEIR_TYPE_CACHE_ROW);

  gtk_box_append (GTK_BOX (table), tool_row_new (self));
  gtk_box_append (GTK_BOX (table), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  self->view = gtk_column_view_new (NULL);
  gtk_widget_add_css_class (self->view, "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Cache entries"), -1);
  for (Column column = 0; column < N_COLUMNS; column++)
    add_column (self, column);
  explain_columns (self);

  self->filter = GTK_FILTER (gtk_custom_filter_new (matches_search, self, NULL));
  filtered = gtk_filter_list_model_new (G_LIST_MODEL (g_object_ref (self->rows)), self->filter);
  sorted = gtk_sort_list_model_new (
      G_LIST_MODEL (filtered),
      g_object_ref (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view))));
  gtk_sort_list_model_set_incremental (sorted, TRUE);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (sorted));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  g_signal_connect_swapped (self->selection, "notify::selected-item",
                            G_CALLBACK (selection_changed), self);
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view),
                             GTK_SELECTION_MODEL (self->selection));
  g_object_unref (self->selection); /* the view keeps it */

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (table), scrolled);
  gtk_box_append (GTK_BOX (table), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (table), totals_row_new (self));

  self->stack = gtk_stack_new ();
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_widget_set_hexpand (self->stack, TRUE);
  gtk_stack_add_named (GTK_STACK (self->stack), empty_state_new (), "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), table, "table");
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
}

GtkWidget *
weir_cache_panel_new (void)
{
  return g_object_new (WEIR_TYPE_CACHE_PANEL, NULL);
}

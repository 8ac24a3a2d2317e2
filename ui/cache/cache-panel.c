/* WeirCachePanel. See cache-panel.h.
 *
 * A renewed snapshot rewrites the texts of the cells in sight (cache-cells.h) only. Sorting and
 * filtering by changing figures are renewed twice a second at most.
 */
#include "cache/cache-panel.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "cache/cache-cells.h"
#include "cache/cache-figures.h"
#include "cache/rate-line.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

#define RESORT_MS 500

struct _WeirCachePanel {
  GtkWidget parent;
  GtkWidget *stack; /* "empty" or "table" */
  GtkWidget *caching, *search, *states, *rate, *totals, *view;
  WeirCacheCells *cells;
  GListStore *rows;
  GtkFilter *filter;
  GtkMultiSelection *selection;
  char *wanted; /* text of the search, folded */
  WeirCacheModel *model;
  WeirSession *session; /* that switches are for; NULL = none */
  WeirLayout *layout;   /* whose entries the rows are */
  guint64 *last_events; /* by entry */
  guint64 *breakpoints; /* bits by entry; NULL = none */
  gulong caching_handler;
  guint resort;
  gboolean is_selecting; /* for the program, not by the user */
};

G_DEFINE_FINAL_TYPE (WeirCachePanel, weir_cache_panel, GTK_TYPE_WIDGET)

enum {
  SIGNAL_SELECTION_CHANGED,
  SIGNAL_EXPLAIN_ENTRY,
  SIGNAL_CACHING_SWITCHED,
  SIGNAL_BREAK_SWITCHED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

/* --- What is shown --------------------------------------------------------------------------- */

/* Are the rows those of the structure that all views show? */
static gboolean
is_shown (WeirCachePanel *self)
{
  return self->layout != NULL && weir_cache_model_get_layout (self->model) == self->layout;
}

/* Are the figures those of a log, not of the run? */
static gboolean
is_logged (WeirCachePanel *self)
{
  return self->model != NULL && weir_cache_model_get_logged (self->model) != NULL
         && is_shown (self);
}

/* FALSE without a run. */
static gboolean
get_data (gpointer owner, WeirColumnData *data)
{
  WeirCachePanel *self = owner;
  WeirLayout *session_layout = self->session != NULL ? weir_session_get_layout (self->session)
                                                     : NULL;

  data->snapshot = is_logged (self)        ? weir_cache_model_get_snapshot (self->model)
                   : self->session != NULL ? weir_session_get_snapshot (self->session)
                                           : NULL;
  data->layout = self->layout;
  data->last_events = self->last_events;
  data->breakpoints = self->layout == session_layout ? self->breakpoints : NULL;
  return data->snapshot != NULL && data->snapshot->counters != NULL;
}

/* --- Filtering ------------------------------------------------------------------------------- */

/* The states that can be chosen, after "any state". */
static const WeirBadge filter_states[] = { WEIR_BADGE_FRESH, WEIR_BADGE_STALE, WEIR_BADGE_NEVER,
                                           WEIR_BADGE_DISABLED, WEIR_BADGE_HELD };

static gboolean
matches (gpointer item, gpointer user_data)
{
  WeirCachePanel *self = user_data;
  guint state = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->states));
  WeirColumnData data;

  if (self->wanted[0] != '\0' && strstr (weir_cache_row_get_key (item), self->wanted) == NULL)
    return FALSE;
  return state == 0 || state > G_N_ELEMENTS (filter_states) || !get_data (self, &data)
         || weir_cache_get_badge (data.snapshot, weir_cache_row_get_entry (item))
                == filter_states[state - 1];
}

static void
search_changed (WeirCachePanel *self)
{
  g_free (self->wanted);
  self->wanted = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->search)), -1);
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
}

static void
state_chosen (WeirCachePanel *self)
{
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
}

static gboolean
is_ordered_by_figures (WeirCachePanel *self)
{
  return weir_cache_cells_have_keys (self->cells)
         || gtk_drop_down_get_selected (GTK_DROP_DOWN (self->states)) > 0;
}

static gboolean
resort (gpointer data)
{
  WeirCachePanel *self = data;
  GtkSorter *sorter = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view));

  self->resort = 0;
  weir_cache_cells_clear_keys (self->cells);
  gtk_sorter_changed (sorter, GTK_SORTER_CHANGE_DIFFERENT);
  if (gtk_drop_down_get_selected (GTK_DROP_DOWN (self->states)) > 0)
    gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  return G_SOURCE_REMOVE;
}

/* --- Following the run ----------------------------------------------------------------------- */

void
weir_cache_panel_get_totals (WeirCachePanel *self, guint64 *hits, guint64 *misses,
                             guint64 *invalidations)
{
  WeirColumnData data;
  WeirCacheTotals totals = { 0 };

  if (get_data (self, &data))
    totals = weir_cache_get_totals (data.snapshot);
  *hits = totals.hits;
  *misses = totals.misses;
  *invalidations = totals.invalidations;
}

static void
update_totals (WeirCachePanel *self, const WeirSnapshot *snapshot)
{
  WeirCacheTotals totals = weir_cache_get_totals (snapshot);
  g_autofree char *hits = weir_cache_format_count (totals.hits);
  g_autofree char *misses = weir_cache_format_count (totals.misses);
  g_autofree char *rate = weir_cache_format_rate (totals.hits, totals.misses);
  g_autofree char *invalidations = weir_cache_format_count (totals.invalidations);
  g_autofree char *events = weir_cache_format_count (snapshot->n_events);
  /* Translators: totals of the cache table. */
  g_autofree char *text = g_strdup_printf (
      _ ("%s hits · %s computed · hit rate %s · %s invalidations by %s events"), hits, misses, rate,
      invalidations, events);

  if (is_logged (self))
    {
      g_autofree char *told = g_strconcat (weir_cache_model_get_logged (self->model), " · ", text,
                                           NULL);

      weir_label_set_text (GTK_LABEL (self->totals), told);
      return;
    }
  weir_label_set_text (GTK_LABEL (self->totals), text);
  weir_rate_line_add (WEIR_RATE_LINE (self->rate), totals.hits, totals.hits + totals.misses,
                      g_get_monotonic_time ());
}

static void
update_switch (WeirCachePanel *self, gboolean active)
{
  if (gtk_switch_get_active (GTK_SWITCH (self->caching)) == active)
    return;
  g_signal_handler_block (self->caching, self->caching_handler);
  gtk_switch_set_active (GTK_SWITCH (self->caching), active);
  g_signal_handler_unblock (self->caching, self->caching_handler);
}

static void
caching_switched (WeirCachePanel *self)
{
  g_signal_emit (self, signals[SIGNAL_CACHING_SWITCHED], 0,
                 gtk_switch_get_active (GTK_SWITCH (self->caching)));
}

/* The structure that the table is to be about: of the log, else of the run. */
static WeirLayout *
find_layout (WeirCachePanel *self)
{
  if (weir_cache_model_get_logged (self->model) != NULL)
    return weir_cache_model_get_layout (self->model);
  return self->session != NULL ? weir_session_get_layout (self->session) : NULL;
}

/* Have they the same entries? */
static gboolean
are_alike (WeirLayout *a, WeirLayout *b)
{
  WeirFingerprint fa, fb;

  if (a == NULL || b == NULL)
    return FALSE;
  fa = weir_layout_get_fingerprint (a);
  fb = weir_layout_get_fingerprint (b);
  return fa.low == fb.low && fa.high == fb.high;
}

/* Rows for another structure, or for none. Those of an equal one stay: it is another run. */
static void
take_rows (WeirCachePanel *self)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  WeirLayout *layout = find_layout (self);
  guint n_old = g_list_model_get_n_items (G_LIST_MODEL (self->rows));
  gboolean stay = are_alike (layout, self->layout);

  if (layout == self->layout)
    return;
  g_clear_handle_id (&self->resort, g_source_remove);
  weir_cache_cells_clear_keys (self->cells);
  g_clear_pointer (&self->last_events, g_free);
  g_clear_pointer (&self->breakpoints, g_free);
  g_clear_pointer (&self->layout, weir_layout_unref);
  if (layout != NULL)
    {
      guint n = weir_layout_get_n_entries (layout);

      self->layout = weir_layout_ref (layout);
      self->last_events = g_new0 (guint64, MAX (n, 1));
      for (guint e = 0; e < n && !stay; e++)
        g_ptr_array_add (rows, weir_cache_row_new (layout, e));
    }
  if (!stay)
    {
      /* A table that is not shown would make widgets for its rows all the same. */
      if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
        gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), NULL);
      g_list_store_splice (self->rows, 0, n_old, rows->pdata, rows->len);
    }
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), layout != NULL ? "table" : "empty");
}

static void
figures_changed (WeirCachePanel *self)
{
  WeirExplainer *explainer;
  WeirColumnData data;

  take_rows (self);
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || !get_data (self, &data))
    return;
  explainer = weir_cache_model_get_explainer (self->model);
  if (explainer != NULL && is_shown (self))
    weir_explain_last_events (explainer, data.snapshot->source_last, self->last_events);
  gtk_widget_set_sensitive (self->caching, !is_logged (self));
  weir_cache_cells_update (self->cells, &data);
  update_totals (self, data.snapshot);
  update_switch (self, data.snapshot->caching);
  if (self->resort == 0 && is_ordered_by_figures (self))
    self->resort = g_timeout_add (RESORT_MS, resort, self);
}

/* The table stays that of the last run when the document changes. */
static void
structure_changed (WeirCachePanel *self)
{
  WeirSession *session = weir_cache_model_peek_session (self->model);

  if (session != self->session)
    {
      g_set_object (&self->session, session);
      g_clear_pointer (&self->breakpoints, g_free);
      weir_rate_line_clear (WEIR_RATE_LINE (self->rate));
    }
  figures_changed (self);
}

/* --- Selection ------------------------------------------------------------------------------- */

static guint32
get_block (WeirCachePanel *self, WeirCacheRow *row)
{
  WeirEntryInfo info = weir_layout_get_entry (self->layout,
                                              (WeirEntry) { weir_cache_row_get_entry (row) });

  return is_shown (self) ? weir_cache_model_get_block (self->model, info.node) : 0;
}

GArray *
weir_cache_panel_list_selected_blocks (WeirCachePanel *self)
{
  g_autoptr (GtkBitset) selected = NULL;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GArray *blocks = g_array_new (FALSE, FALSE, sizeof (guint32));
  GtkBitsetIter iter;
  guint position;

  g_return_val_if_fail (WEIR_IS_CACHE_PANEL (self), blocks);

  selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  for (gboolean more = gtk_bitset_iter_init_first (&iter, selected, &position); more;
       more = gtk_bitset_iter_next (&iter, &position))
    {
      g_autoptr (WeirCacheRow)
          row = g_list_model_get_item (G_LIST_MODEL (self->selection), position);
      guint32 block = get_block (self, row);

      if (block != 0 && g_hash_table_add (seen, GUINT_TO_POINTER (block)))
        g_array_append_val (blocks, block);
    }
  return blocks;
}

static gboolean
is_within_any (WeirCachePanel *self, guint32 node, const guint32 *blocks, guint n)
{
  WeirLayout *layout = self->layout;

  for (; node != WEIR_NO_INDEX; node = weir_layout_get_parent (layout, (WeirNode) { node }).i)
    for (guint i = 0; i < n; i++)
      {
        WeirNode around;

        if (weir_cache_model_find_node (self->model, blocks[i], &around) && around.i == node
            && node != 0)
          return TRUE;
      }
  return FALSE;
}

void
weir_cache_panel_select_blocks (WeirCachePanel *self, const guint32 *blocks, guint n)
{
  g_autoptr (GtkBitset) selected = gtk_bitset_new_empty (), all = NULL;
  GListModel *shown;
  guint n_shown;

  g_return_if_fail (WEIR_IS_CACHE_PANEL (self));

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || !is_shown (self))
    return;
  shown = G_LIST_MODEL (self->selection);
  n_shown = g_list_model_get_n_items (shown);
  all = gtk_bitset_new_range (0, n_shown);
  for (guint i = 0; n > 0 && i < n_shown; i++)
    {
      g_autoptr (WeirCacheRow) row = g_list_model_get_item (shown, i);
      WeirEntryInfo info = weir_layout_get_entry (self->layout,
                                                  (WeirEntry) { weir_cache_row_get_entry (row) });

      if (is_within_any (self, info.node.i, blocks, n))
        gtk_bitset_add (selected, i);
    }
  self->is_selecting = TRUE;
  gtk_selection_model_set_selection (GTK_SELECTION_MODEL (self->selection), selected, all);
  self->is_selecting = FALSE;
  if (!gtk_bitset_is_empty (selected))
    gtk_widget_activate_action (self->view, "list.scroll-to-item", "u",
                                gtk_bitset_get_minimum (selected));
}

static void
selection_changed (WeirCachePanel *self)
{
  if (!self->is_selecting)
    g_signal_emit (self, signals[SIGNAL_SELECTION_CHANGED], 0);
}

static void
row_activated (WeirCachePanel *self, guint position)
{
  g_autoptr (WeirCacheRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (row != NULL)
    g_signal_emit (self, signals[SIGNAL_EXPLAIN_ENTRY], 0, weir_cache_row_get_entry (row));
}

static gboolean
explain_selected (GtkWidget *widget, G_GNUC_UNUSED GVariant *arguments, G_GNUC_UNUSED gpointer data)
{
  WeirCachePanel *self = WEIR_CACHE_PANEL (widget);
  g_autoptr (GtkBitset)
      selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));

  if (gtk_bitset_is_empty (selected))
    return FALSE;
  row_activated (self, gtk_bitset_get_minimum (selected));
  return TRUE;
}

/* --- Switches -------------------------------------------------------------------------------- */

static void
entry_switched (gpointer owner, WeirColumn column, guint entry, gboolean is_on)
{
  WeirCachePanel *self = owner;

  if (self->session == NULL)
    return;
  if (column == WEIR_COLUMN_CACHED)
    weir_session_set_entry_caching (self->session, entry, is_on);
  else if (column == WEIR_COLUMN_HELD)
    weir_session_set_entry_held (self->session, entry, is_on);
  else
    g_signal_emit (self, signals[SIGNAL_BREAK_SWITCHED], 0, entry, is_on);
}

static const WeirCacheCellsOwner cells_owner = { get_data, entry_switched };

void
weir_cache_panel_set_breakpoints (WeirCachePanel *self, const guint64 *bits, guint n_entries)
{
  WeirColumnData data;

  g_return_if_fail (WEIR_IS_CACHE_PANEL (self));

  g_clear_pointer (&self->breakpoints, g_free);
  if (bits != NULL && self->layout != NULL && n_entries == weir_layout_get_n_entries (self->layout))
    self->breakpoints = g_memdup2 (bits, (n_entries + 63) / 64 * sizeof *bits);
  if (get_data (self, &data))
    weir_cache_cells_update (self->cells, &data);
}

/* --- Export ---------------------------------------------------------------------------------- */

char *
weir_cache_panel_to_csv (WeirCachePanel *self)
{
  WeirExplainer *explainer;
  WeirColumnData data;

  g_return_val_if_fail (WEIR_IS_CACHE_PANEL (self), NULL);

  if (!get_data (self, &data))
    return NULL;
  explainer = weir_cache_model_get_explainer (self->model);
  if (explainer != NULL && is_shown (self))
    weir_explain_last_events (explainer, data.snapshot->source_last, self->last_events);
  return weir_columns_to_csv (&data, G_LIST_MODEL (self->selection));
}

/* --- Widgets --------------------------------------------------------------------------------- */

/* A column has no tooltip in GTK 4.8, but the titles are the children of the view's first child. */
static void
explain_columns (WeirCachePanel *self)
{
  GtkWidget *header = gtk_widget_get_first_child (self->view);
  GtkWidget *title = header == NULL ? NULL : gtk_widget_get_first_child (header);

  for (WeirColumn column = 0; column < WEIR_N_COLUMNS && title != NULL; column++)
    {
      weir_set_tooltip (title, weir_column_get_tooltip (column));
      title = gtk_widget_get_next_sibling (title);
    }
}

static GtkWidget *
view_new (WeirCachePanel *self, GtkWidget *choices)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->view = gtk_column_view_new (NULL);
  gtk_widget_add_css_class (self->view, "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Cache entries"), -1);
  for (WeirColumn column = 0; column < WEIR_N_COLUMNS; column++)
    {
      g_autoptr (GtkColumnViewColumn)
          view_column = weir_cache_cells_column_new (self->cells, column);
      GtkWidget *choice = gtk_check_button_new_with_label (weir_column_get_title (column));

      gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), view_column);
      weir_set_tooltip (choice, weir_column_get_tooltip (column));
      g_object_bind_property (view_column, "visible", choice, "active",
                              G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
      if (column != WEIR_COLUMN_ENTRY)
        gtk_box_append (GTK_BOX (choices), choice);
      else
        g_object_unref (g_object_ref_sink (choice));
    }
  explain_columns (self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static GtkWidget *
columns_button_new (GtkWidget **choices)
{
  GtkWidget *button = gtk_menu_button_new (), *popover = gtk_popover_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  *choices = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), *choices);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 400);
  gtk_popover_set_child (GTK_POPOVER (popover), scrolled);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-symbolic");
  weir_set_tooltip (button, _ ("Choose columns"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Choose columns"), -1);
  return button;
}

static GtkWidget *
search_new (void)
{
  GtkWidget *search = gtk_search_entry_new ();
  GtkEditable *delegate = gtk_editable_get_delegate (GTK_EDITABLE (search));

  gtk_widget_set_hexpand (search, TRUE);
  weir_set_tooltip (search, _ ("Show only entries whose name contains this"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filter entries"), -1);
  if (GTK_IS_TEXT (delegate)) /* GTK 4.8 has no placeholder for search entries */
    gtk_text_set_placeholder_text (GTK_TEXT (delegate), _ ("Filter entries"));
  return search;
}

static GtkWidget *
states_new (void)
{
  const char *names[] = { _ ("any state"),
                          weir_badge_get_name (WEIR_BADGE_FRESH),
                          weir_badge_get_name (WEIR_BADGE_STALE),
                          weir_badge_get_name (WEIR_BADGE_NEVER),
                          weir_badge_get_name (WEIR_BADGE_DISABLED),
                          weir_badge_get_name (WEIR_BADGE_HELD),
                          NULL };
  GtkWidget *states = gtk_drop_down_new_from_strings (names);

  weir_set_tooltip (states, _ ("Show only entries in this state"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (states), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("State"), -1);
  return states;
}

static GtkWidget *
tool_row_new (WeirCachePanel *self, GtkWidget **choices)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *label = gtk_label_new_with_mnemonic (_ ("_Caching"));

  weir_set_margins (box, 12, 6);
  self->caching = gtk_switch_new ();
  gtk_switch_set_active (GTK_SWITCH (self->caching), TRUE);
  gtk_widget_set_valign (self->caching, GTK_ALIGN_CENTER);
  weir_set_tooltip (
      self->caching,
      _ ("Off: everything is computed anew at each request; results must stay the same"));
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->caching);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), self->caching);
  self->search = search_new ();
  gtk_box_append (GTK_BOX (box), self->search);
  self->states = states_new ();
  gtk_box_append (GTK_BOX (box), self->states);
  gtk_box_append (GTK_BOX (box), weir_icon_button_new ("document-save-symbolic", "win.export-cache",
                                                       _ ("Export the Table…")));
  gtk_box_append (GTK_BOX (box), columns_button_new (choices));
  return weir_sideways_new (box);
}

static GtkWidget *
totals_row_new (WeirCachePanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->totals = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->totals), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->totals), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->totals, TRUE);
  gtk_widget_add_css_class (self->totals, "numeric");
  self->rate = weir_rate_line_new ();
  gtk_widget_set_valign (self->rate, GTK_ALIGN_CENTER);
  weir_set_tooltip (self->rate, _ ("The hit rate of late, from 0 to 100 %"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->rate), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("The hit rate of late, from 0 to 100 %"), -1);
  gtk_box_append (GTK_BOX (box), self->totals);
  gtk_box_append (GTK_BOX (box), self->rate);
  weir_set_margins (box, 12, 3);
  return box;
}

static GtkWidget *
empty_state_new (void)
{
  return weir_empty_page_new (
      _ ("No Cache Yet"),
      _ ("Run the model to see which values the engine reuses, which it computes anew, and what "
         "put them out of date."),
      NULL);
}

static void
build (WeirCachePanel *self)
{
  GtkWidget *table = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *choices;

  gtk_orientable_set_orientation (
      GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
  gtk_box_append (GTK_BOX (table), tool_row_new (self, &choices));
  gtk_box_append (GTK_BOX (table), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (table), view_new (self, choices));
  gtk_box_append (GTK_BOX (table), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (table), totals_row_new (self));

  self->stack = gtk_stack_new ();
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_widget_set_hexpand (self->stack, TRUE);
  gtk_stack_add_named (GTK_STACK (self->stack), empty_state_new (), "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), table, "table");
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
map (GtkWidget *widget)
{
  WeirCachePanel *self = WEIR_CACHE_PANEL (widget);

  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), GTK_SELECTION_MODEL (self->selection));
  GTK_WIDGET_CLASS (weir_cache_panel_parent_class)->map (widget);
  figures_changed (self);
}

static void
dispose (GObject *object)
{
  WeirCachePanel *self = WEIR_CACHE_PANEL (object);
  GtkWidget *child;

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_handle_id (&self->resort, g_source_remove);
  g_clear_object (&self->session);
  g_clear_pointer (&self->layout, weir_layout_unref);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->last_events, g_free);
  g_clear_pointer (&self->breakpoints, g_free);
  g_clear_pointer (&self->wanted, g_free);
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);
  g_clear_object (&self->model);
  g_clear_pointer (&self->cells, weir_cache_cells_free);
  G_OBJECT_CLASS (weir_cache_panel_parent_class)->dispose (object);
}

static void
weir_cache_panel_class_init (WeirCachePanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  widget_class->map = map;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "weir-cache");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  signals[SIGNAL_SELECTION_CHANGED] = g_signal_new ("selection-changed", type, G_SIGNAL_RUN_LAST, 0,
                                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_EXPLAIN_ENTRY] = g_signal_new ("explain-entry", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                                NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SIGNAL_BREAK_SWITCHED] = g_signal_new ("break-switched", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                                 NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT,
                                                 G_TYPE_BOOLEAN);
  signals[SIGNAL_CACHING_SWITCHED] = g_signal_new ("caching-switched", type, G_SIGNAL_RUN_LAST, 0,
                                                   NULL, NULL, NULL, G_TYPE_NONE, 1,
                                                   G_TYPE_BOOLEAN);
}

static void
weir_cache_panel_init (WeirCachePanel *self)
{
  GtkFilterListModel *filtered;
  GtkSortListModel *sorted;

  self->cells = weir_cache_cells_new (&cells_owner, self);
  self->rows = g_list_store_new (WEIR_TYPE_CACHE_ROW);
  self->wanted = g_strdup ("");
  build (self);

  self->filter = GTK_FILTER (gtk_custom_filter_new (matches, self, NULL));
  filtered = gtk_filter_list_model_new (G_LIST_MODEL (g_object_ref (self->rows)), self->filter);
  sorted = gtk_sort_list_model_new (
      G_LIST_MODEL (filtered),
      g_object_ref (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view))));
  gtk_sort_list_model_set_incremental (sorted, TRUE);
  self->selection = gtk_multi_selection_new (G_LIST_MODEL (sorted));
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), GTK_SELECTION_MODEL (self->selection));

  self->caching_handler = g_signal_connect_swapped (self->caching, "notify::active",
                                                    G_CALLBACK (caching_switched), self);
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (search_changed), self);
  g_signal_connect_swapped (self->states, "notify::selected", G_CALLBACK (state_chosen), self);
  g_signal_connect_swapped (self->selection, "selection-changed", G_CALLBACK (selection_changed),
                            self);
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (row_activated), self);
  {
    GtkEventController *keys = gtk_shortcut_controller_new ();

    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (keys),
        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_w, GDK_SHIFT_MASK),
                          gtk_callback_action_new (explain_selected, NULL, NULL)));
    gtk_widget_add_controller (GTK_WIDGET (self), keys);
  }
}

void
weir_cache_panel_set_model (WeirCachePanel *self, WeirCacheModel *model)
{
  g_return_if_fail (WEIR_IS_CACHE_PANEL (self) && self->model == NULL);

  self->model = g_object_ref (model);
  g_signal_connect_swapped (model, "structure-changed", G_CALLBACK (structure_changed), self);
  g_signal_connect_swapped (model, "figures-changed", G_CALLBACK (figures_changed), self);
}

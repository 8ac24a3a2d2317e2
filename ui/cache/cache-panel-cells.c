/* The cells of the cache table, and the order by what they say. See cache-panel-private.h. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "cache/cache-panel-private.h"
#include "widgets/tooltips.h"

/* --- What the cells are written from --------------------------------------------------------- */

gboolean
weir_cache_panel_is_shown (WeirCachePanel *self)
{
  return self->layout != NULL && weir_cache_model_get_layout (self->model) == self->layout;
}

gboolean
weir_cache_panel_is_recorded (WeirCachePanel *self)
{
  return self->model != NULL && weir_cache_model_get_logged (self->model) != NULL
         && weir_cache_panel_is_shown (self);
}

gboolean
weir_cache_panel_get_data (WeirCachePanel *self, WeirColumnData *data)
{
  WeirLayout *session_layout = self->session != NULL ? weir_session_get_layout (self->session)
                                                     : NULL;

  data->snapshot = weir_cache_panel_is_recorded (self) ? weir_cache_model_get_snapshot (self->model)
                   : self->session != NULL             ? weir_session_get_snapshot (self->session)
                                                       : NULL;
  data->layout = self->layout;
  data->last_events = self->last_events;
  data->breakpoints = self->layout == session_layout ? self->breakpoints : NULL;
  return data->snapshot != NULL && data->snapshot->counters != NULL;
}

/* --- Sorting --------------------------------------------------------------------------------- */

typedef struct {
  WeirCachePanel *panel; /* borrowed: the sorter lives within it */
  WeirColumn column;
} Sorting;

/* Figures change while rows are being sorted, an order must not: it goes by a copy. */
static const double *
get_keys (WeirCachePanel *self, WeirColumn column)
{
  WeirColumnData data;

  if (self->keys[column] == NULL && weir_cache_panel_get_data (self, &data))
    {
      self->keys[column] = g_new (double, MAX (data.snapshot->n_entries, 1));
      for (guint e = 0; e < data.snapshot->n_entries; e++)
        self->keys[column][e] = weir_column_get_key (column, &data, e);
    }
  return self->keys[column];
}

gboolean
weir_cache_panel_is_ordered_by_figures (WeirCachePanel *self)
{
  for (WeirColumn column = 0; column < WEIR_N_COLUMNS; column++)
    if (self->keys[column] != NULL)
      return TRUE;
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (self->states)) > 0;
}

void
weir_cache_panel_clear_keys (WeirCachePanel *self)
{
  for (WeirColumn column = 0; column < WEIR_N_COLUMNS; column++)
    g_clear_pointer (&self->keys[column], g_free);
}

static int
compare_texts (WeirCachePanel *self, WeirColumn column, WeirCacheRow *x, WeirCacheRow *y)
{
  g_autofree char *a = NULL, *b = NULL;
  WeirColumnData data;

  if (column == WEIR_COLUMN_ENTRY)
    return strcmp (weir_cache_row_get_key (x), weir_cache_row_get_key (y));
  if (!weir_cache_panel_get_data (self, &data))
    return 0;
  a = weir_column_dup_text (column, &data, x);
  b = weir_column_dup_text (column, &data, y);
  return g_utf8_collate (a, b);
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const Sorting *sorting = data;
  WeirCacheRow *x = (WeirCacheRow *) a, *y = (WeirCacheRow *) b;
  const double *keys;
  double p, q;

  if (weir_column_is_text (sorting->column))
    return compare_texts (sorting->panel, sorting->column, x, y);
  keys = get_keys (sorting->panel, sorting->column);
  if (keys == NULL)
    return 0;
  p = keys[weir_cache_row_get_entry (x)];
  q = keys[weir_cache_row_get_entry (y)];
  return p < q ? -1 : p > q;
}

GtkSorter *
weir_cache_panel_sorter_new (WeirCachePanel *self, WeirColumn column)
{
  Sorting *sorting = g_new (Sorting, 1);

  *sorting = (Sorting) { self, column };
  return GTK_SORTER (gtk_custom_sorter_new (compare_rows, sorting, g_free));
}

/* --- Writing them ---------------------------------------------------------------------------- */

void
weir_cache_panel_set_text (GtkLabel *label, const char *text)
{
  if (strcmp (gtk_label_get_text (label), text) == 0)
    return;
  gtk_label_set_text (label, text);
  /* What may be shortened says it in full. */
  if (gtk_label_get_ellipsize (label) != PANGO_ELLIPSIZE_NONE)
    weir_set_tooltip (GTK_WIDGET (label), text);
}

/* Shape as well as colour. */
static const char *
state_markup (WeirBadge badge)
{
  switch (badge)
    {
    case WEIR_BADGE_FRESH:
      return "<span foreground=\"#009E73\">●</span> %s";
    case WEIR_BADGE_STALE:
      return "<span foreground=\"#E69F00\">◐</span> %s";
    case WEIR_BADGE_DISABLED:
      return "<span foreground=\"#CC79A7\">⊘</span> %s";
    case WEIR_BADGE_HELD:
      return "<span foreground=\"#0072B2\">⊟</span> %s";
    case WEIR_BADGE_NONE:
    case WEIR_BADGE_NEVER:
    case WEIR_BADGE_COMPUTING:
    case WEIR_BADGE_FAULT:
    case WEIR_N_BADGES:
    default:
      return "<span foreground=\"#888888\">◌</span> %s";
    }
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
update_switch (GtkWidget *toggle, WeirColumn column, const WeirColumnData *data, guint entry)
{
  gboolean is_on = weir_column_is_on (column, data, entry);
  gulong handler = GPOINTER_TO_SIZE (g_object_get_data (G_OBJECT (toggle), "weir-handler"));

  gtk_widget_set_sensitive (toggle,
                            !data->snapshot->is_past
                                && (column != WEIR_COLUMN_CACHED || data->snapshot->caching));
  if (gtk_switch_get_active (GTK_SWITCH (toggle)) == is_on)
    return;
  g_signal_handler_block (toggle, handler);
  gtk_switch_set_active (GTK_SWITCH (toggle), is_on);
  g_signal_handler_unblock (toggle, handler);
}

static void
update_cell (GtkListItem *item, WeirColumn column, const WeirColumnData *data)
{
  WeirCacheRow *row = gtk_list_item_get_item (item);
  GtkWidget *child = gtk_list_item_get_child (item);
  guint entry = weir_cache_row_get_entry (row);
  g_autofree char *text = NULL;

  if (entry >= data->snapshot->n_entries)
    return;
  if (column == WEIR_COLUMN_STATE)
    {
      update_state (GTK_LABEL (child), weir_cache_get_badge (data->snapshot, entry));
      return;
    }
  if (weir_column_is_switch (column))
    {
      update_switch (child, column, data, entry);
      return;
    }
  text = weir_column_dup_text (column, data, row);
  weir_cache_panel_set_text (GTK_LABEL (child), text);
  if (weir_column_is_text (column))
    weir_set_tooltip (child, text);
}

void
weir_cache_panel_update_cells (WeirCachePanel *self, const WeirColumnData *data)
{
  GHashTableIter iter;
  gpointer item, column;

  g_hash_table_iter_init (&iter, self->cells);
  while (g_hash_table_iter_next (&iter, &item, &column))
    if (!weir_column_is_text ((WeirColumn) (GPOINTER_TO_INT (column) - 1)))
      update_cell (item, (WeirColumn) (GPOINTER_TO_INT (column) - 1), data);
}

/* --- Making them ----------------------------------------------------------------------------- */

static void
entry_switched (GtkSwitch *toggle, G_GNUC_UNUSED GParamSpec *pspec, GtkListItem *item)
{
  WeirCachePanel *self = g_object_get_data (G_OBJECT (toggle), "weir-panel");
  WeirCacheRow *row = gtk_list_item_get_item (item);
  WeirColumn column = (WeirColumn) GPOINTER_TO_INT (
      g_object_get_data (G_OBJECT (toggle), "weir-column"));
  gboolean is_on = gtk_switch_get_active (toggle);
  guint entry;

  if (self->session == NULL || row == NULL)
    return;
  entry = weir_cache_row_get_entry (row);
  if (column == WEIR_COLUMN_CACHED)
    weir_session_set_entry_caching (self->session, entry, is_on);
  else if (column == WEIR_COLUMN_HELD)
    weir_session_set_entry_held (self->session, entry, is_on);
  else
    g_signal_emit_by_name (self, "break-switched", entry, is_on);
}

static WeirColumn
column_of (GtkListItemFactory *factory)
{
  return (WeirColumn) GPOINTER_TO_INT (g_object_get_data (G_OBJECT (factory), "weir-column"));
}

static GtkWidget *
toggle_new (WeirCachePanel *self, GtkListItem *item, WeirColumn column)
{
  GtkWidget *toggle = gtk_switch_new ();
  gulong handler = g_signal_connect (toggle, "notify::active", G_CALLBACK (entry_switched), item);

  gtk_widget_set_valign (toggle, GTK_ALIGN_CENTER);
  gtk_widget_set_halign (toggle, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (toggle), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  weir_column_get_title (column), -1);
  g_object_set_data (G_OBJECT (toggle), "weir-handler", GSIZE_TO_POINTER (handler));
  g_object_set_data (G_OBJECT (toggle), "weir-panel", self); /* which has the cells */
  g_object_set_data (G_OBJECT (toggle), "weir-column", GINT_TO_POINTER ((int) column));
  return toggle;
}

static void
setup_cell (GtkListItemFactory *factory, GtkListItem *item, WeirCachePanel *self)
{
  WeirColumn column = column_of (factory);
  GtkWidget *child;

  if (weir_column_is_switch (column))
    child = toggle_new (self, item, column);
  else
    {
      child = gtk_label_new (NULL);
      gtk_label_set_xalign (GTK_LABEL (child),
                            weir_column_is_text (column) || column == WEIR_COLUMN_STATE ? 0 : 1);
      if (weir_column_is_text (column))
        {
          gtk_label_set_ellipsize (GTK_LABEL (child), PANGO_ELLIPSIZE_MIDDLE);
          gtk_label_set_width_chars (GTK_LABEL (child), column == WEIR_COLUMN_ENTRY ? 24 : 14);
        }
      else
        gtk_widget_add_css_class (child, "numeric");
    }
  gtk_list_item_set_child (item, child);
}

static void
bind_cell (GtkListItemFactory *factory, GtkListItem *item, WeirCachePanel *self)
{
  WeirColumn column = column_of (factory);
  WeirColumnData data;

  g_hash_table_insert (self->cells, item, GINT_TO_POINTER ((int) column + 1));
  if (weir_cache_panel_get_data (self, &data))
    update_cell (item, column, &data);
}

static void
unbind_cell (G_GNUC_UNUSED GtkListItemFactory *factory, GtkListItem *item, WeirCachePanel *self)
{
  g_hash_table_remove (self->cells, item);
}

GtkListItemFactory *
weir_cache_panel_factory_new (WeirCachePanel *self, WeirColumn column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_object_set_data (G_OBJECT (factory), "weir-column", GINT_TO_POINTER ((int) column));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cell), self);
  return factory;
}

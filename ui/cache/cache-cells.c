/* The cells of the cache table. See cache-cells.h. */
#include "cache/cache-cells.h"

#include <string.h>

#include "cache/cache-figures.h"
#include "widgets/pieces.h"

struct _WeirCacheCells {
  WeirCacheCellsOwner functions;
  gpointer owner;
  double *keys[WEIR_N_COLUMNS]; /* by entry: what rows are sorted by; NULL: not asked for */
  GHashTable *in_sight;         /* GtkListItem -> column + 1 */
};

/* --- Sorting --------------------------------------------------------------------------------- */

typedef struct {
  WeirCacheCells *cells; /* borrowed: the sorter lives as long as the table */
  WeirColumn column;
} Sorting;

static const double *
get_keys (WeirCacheCells *self, WeirColumn column)
{
  WeirColumnData data;

  if (self->keys[column] == NULL && self->functions.get_data (self->owner, &data))
    {
      self->keys[column] = g_new (double, MAX (data.snapshot->n_entries, 1));
      for (guint e = 0; e < data.snapshot->n_entries; e++)
        self->keys[column][e] = weir_column_get_key (column, &data, e);
    }
  return self->keys[column];
}

gboolean
weir_cache_cells_have_keys (const WeirCacheCells *self)
{
  for (WeirColumn column = 0; column < WEIR_N_COLUMNS; column++)
    if (self->keys[column] != NULL)
      return TRUE;
  return FALSE;
}

void
weir_cache_cells_clear_keys (WeirCacheCells *self)
{
  for (WeirColumn column = 0; column < WEIR_N_COLUMNS; column++)
    g_clear_pointer (&self->keys[column], g_free);
}

static int
compare_texts (WeirCacheCells *self, WeirColumn column, WeirCacheRow *x, WeirCacheRow *y)
{
  g_autofree char *a = NULL, *b = NULL;
  WeirColumnData data;

  if (column == WEIR_COLUMN_ENTRY)
    return strcmp (weir_cache_row_get_key (x), weir_cache_row_get_key (y));
  if (!self->functions.get_data (self->owner, &data))
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
    return compare_texts (sorting->cells, sorting->column, x, y);
  keys = get_keys (sorting->cells, sorting->column);
  if (keys == NULL)
    return 0;
  p = keys[weir_cache_row_get_entry (x)];
  q = keys[weir_cache_row_get_entry (y)];
  return p < q ? -1 : p > q;
}

static GtkSorter *
sorter_new (WeirCacheCells *self, WeirColumn column)
{
  Sorting *sorting = g_new (Sorting, 1);

  *sorting = (Sorting) { self, column };
  return GTK_SORTER (gtk_custom_sorter_new (compare_rows, sorting, g_free));
}

/* --- Writing them ---------------------------------------------------------------------------- */

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
  weir_label_set_text (GTK_LABEL (child), text);
}

void
weir_cache_cells_update (WeirCacheCells *self, const WeirColumnData *data)
{
  GHashTableIter iter;
  gpointer item, column;

  g_hash_table_iter_init (&iter, self->in_sight);
  while (g_hash_table_iter_next (&iter, &item, &column))
    if (!weir_column_is_text ((WeirColumn) (GPOINTER_TO_INT (column) - 1)))
      update_cell (item, (WeirColumn) (GPOINTER_TO_INT (column) - 1), data);
}

/* --- Making them ----------------------------------------------------------------------------- */

static void
entry_switched (GtkSwitch *toggle, G_GNUC_UNUSED GParamSpec *pspec, GtkListItem *item)
{
  WeirCacheCells *self = g_object_get_data (G_OBJECT (toggle), "weir-cells");
  WeirCacheRow *row = gtk_list_item_get_item (item);
  WeirColumn column = (WeirColumn) GPOINTER_TO_INT (
      g_object_get_data (G_OBJECT (toggle), "weir-column"));

  if (row != NULL)
    self->functions.switched (self->owner, column, weir_cache_row_get_entry (row),
                              gtk_switch_get_active (toggle));
}

static WeirColumn
column_of (GtkListItemFactory *factory)
{
  return (WeirColumn) GPOINTER_TO_INT (g_object_get_data (G_OBJECT (factory), "weir-column"));
}

static GtkWidget *
toggle_new (WeirCacheCells *self, GtkListItem *item, WeirColumn column)
{
  GtkWidget *toggle = gtk_switch_new ();
  gulong handler = g_signal_connect (toggle, "notify::active", G_CALLBACK (entry_switched), item);

  gtk_widget_set_valign (toggle, GTK_ALIGN_CENTER);
  gtk_widget_set_halign (toggle, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (toggle), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  weir_column_get_title (column), -1);
  g_object_set_data (G_OBJECT (toggle), "weir-handler", GSIZE_TO_POINTER (handler));
  g_object_set_data (G_OBJECT (toggle), "weir-cells", self);
  g_object_set_data (G_OBJECT (toggle), "weir-column", GINT_TO_POINTER ((int) column));
  return toggle;
}

static void
setup_cell (GtkListItemFactory *factory, GtkListItem *item, WeirCacheCells *self)
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
bind_cell (GtkListItemFactory *factory, GtkListItem *item, WeirCacheCells *self)
{
  WeirColumn column = column_of (factory);
  WeirColumnData data;

  g_hash_table_insert (self->in_sight, item, GINT_TO_POINTER ((int) column + 1));
  if (self->functions.get_data (self->owner, &data))
    update_cell (item, column, &data);
}

static void
unbind_cell (G_GNUC_UNUSED GtkListItemFactory *factory, GtkListItem *item, WeirCacheCells *self)
{
  g_hash_table_remove (self->in_sight, item);
}

static GtkListItemFactory *
factory_new (WeirCacheCells *self, WeirColumn column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_object_set_data (G_OBJECT (factory), "weir-column", GINT_TO_POINTER ((int) column));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cell), self);
  return factory;
}

GtkColumnViewColumn *
weir_cache_cells_column_new (WeirCacheCells *self, WeirColumn column)
{
  GtkColumnViewColumn *view_column = gtk_column_view_column_new (weir_column_get_title (column),
                                                                 factory_new (self, column));
  g_autoptr (GtkSorter) sorter = sorter_new (self, column);

  gtk_column_view_column_set_resizable (view_column, TRUE);
  gtk_column_view_column_set_expand (view_column, column == WEIR_COLUMN_ENTRY);
  gtk_column_view_column_set_sorter (view_column, sorter);
  gtk_column_view_column_set_visible (view_column, weir_column_is_shown_at_first (column));
  return view_column;
}

/* --- Life ------------------------------------------------------------------------------------ */

WeirCacheCells *
weir_cache_cells_new (const WeirCacheCellsOwner *functions, gpointer owner)
{
  WeirCacheCells *self = g_new0 (WeirCacheCells, 1);

  self->functions = *functions;
  self->owner = owner;
  self->in_sight = g_hash_table_new (NULL, NULL);
  return self;
}

void
weir_cache_cells_free (WeirCacheCells *self)
{
  if (self == NULL)
    return;
  weir_cache_cells_clear_keys (self);
  g_hash_table_unref (self->in_sight);
  g_free (self);
}

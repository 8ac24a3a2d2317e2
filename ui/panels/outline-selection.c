/* Which rows of the outline are selected, and rows found by what they are about: what those are in
 * is opened on the way. See outline-panel.h.
 */
#include "panels/outline-panel-private.h"

WeirModel *
weir_outline_panel_get_model (WeirOutlinePanel *self)
{
  return weir_document_get_model (self->document);
}

guint
weir_outline_panel_get_n_rows (WeirOutlinePanel *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->tree));
}

/* --- Finding rows ---------------------------------------------------------------------------- */

/* The rows within @parent, NULL = all of the model. */
static GListModel *
get_level (GtkTreeListModel *tree, GtkTreeListRow *parent)
{
  return parent != NULL ? gtk_tree_list_row_get_children (parent)
                        : gtk_tree_list_model_get_model (tree);
}

/* The row of @kind with this id (of a port: of its wire) among the contents of @parent. (transfer
 * full) */
static GtkTreeListRow *
find_row (GtkTreeListModel *tree, GtkTreeListRow *parent, WeirOutlineKind kind, guint32 id)
{
  GListModel *level;

  if (parent != NULL)
    gtk_tree_list_row_set_expanded (parent, TRUE);
  level = get_level (tree, parent);
  for (guint i = 0; level != NULL && i < g_list_model_get_n_items (level); i++)
    {
      g_autoptr (WeirOutlineItem) item = g_list_model_get_item (level, i);
      const WeirOutlineRow *row = weir_outline_item_get_row (item);

      if (row->kind == kind && (kind == WEIR_OUTLINE_PORT ? row->wire : row->id) == id)
        return parent != NULL ? gtk_tree_list_row_get_child_row (parent, i)
                              : gtk_tree_list_model_get_child_row (tree, i);
    }
  return NULL;
}

/* In a tree of WeirOutlineItem of @model. NULL: there is none. (transfer full) */
static GtkTreeListRow *
find_block (GtkTreeListModel *tree, WeirModel *model, guint32 block)
{
  g_autoptr (GArray) place = g_array_new (FALSE, FALSE, sizeof (guint32));
  GtkTreeListRow *row = NULL;

  if (weir_model_find_block (model, block, place) == NULL)
    return NULL;
  g_array_append_val (place, block);
  for (guint i = 0; i < place->len; i++)
    {
      g_autoptr (GtkTreeListRow) outer = g_steal_pointer (&row);

      row = find_row (tree, outer, WEIR_OUTLINE_BLOCK, g_array_index (place, guint32, i));
      if (row == NULL)
        return NULL;
    }
  return row;
}

/* At its source, if it has one. */
static GtkTreeListRow *
find_wire (GtkTreeListModel *tree, WeirModel *model, guint32 wire)
{
  WeirWire *found = weir_model_find_wire (model, wire, NULL);
  g_autoptr (GtkTreeListRow) block = NULL;
  guint32 from;

  if (found == NULL)
    return NULL;
  from = weir_wire_get_from (found).block;
  block = find_block (tree, model, from != 0 ? from : weir_wire_get_to (found).block);
  return block != NULL ? find_row (tree, block, WEIR_OUTLINE_PORT, wire) : NULL;
}

/* --- What is selected ------------------------------------------------------------------------ */

static WeirOutlineItem *
dup_item_at (WeirOutlinePanel *self, guint position)
{
  g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (self->tree), position);

  return row == NULL ? NULL : gtk_tree_list_row_get_item (row);
}

static guint
first_selected (WeirOutlinePanel *self)
{
  g_autoptr (GtkBitset)
      set = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));

  return gtk_bitset_is_empty (set) ? GTK_INVALID_LIST_POSITION : gtk_bitset_get_minimum (set);
}

GArray *
weir_outline_panel_get_blocks (WeirOutlinePanel *self)
{
  g_autoptr (GtkBitset)
      set = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint64 i = 0; i < gtk_bitset_get_size (set); i++)
    {
      g_autoptr (WeirOutlineItem) item = dup_item_at (self, gtk_bitset_get_nth (set, (guint) i));
      const WeirOutlineRow *row = weir_outline_item_get_row (item);

      if (row->kind == WEIR_OUTLINE_BLOCK)
        g_array_append_val (ids, row->id);
    }
  return ids;
}

WeirOutlineItem *
weir_outline_panel_dup_selected (WeirOutlinePanel *self)
{
  guint position = first_selected (self);

  return position != GTK_INVALID_LIST_POSITION ? dup_item_at (self, position) : NULL;
}

gboolean
weir_outline_panel_get_row (WeirOutlinePanel *self, WeirOutlineRow *row)
{
  g_autoptr (WeirOutlineItem) item = weir_outline_panel_dup_selected (self);

  if (item != NULL)
    *row = *weir_outline_item_get_row (item);
  return item != NULL;
}

guint
weir_outline_panel_get_position (WeirOutlinePanel *self)
{
  return first_selected (self);
}

GtkWidget *
weir_outline_panel_find_selected_widget (WeirOutlinePanel *self)
{
  GHashTableIter iter;
  gpointer list_item;

  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &list_item, NULL))
    if (gtk_list_item_get_position (list_item) == first_selected (self))
      return gtk_list_item_get_child (list_item);
  return NULL;
}

/* --- Selecting ------------------------------------------------------------------------------- */

static void
scroll_to (WeirOutlinePanel *self, guint position)
{
  gtk_widget_activate_action (self->view, "list.scroll-to-item", "u", position);
}

void
weir_outline_panel_set_position (WeirOutlinePanel *self, guint position)
{
  guint n = weir_outline_panel_get_n_rows (self);

  if (n > 0 && position != GTK_INVALID_LIST_POSITION)
    gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), MIN (position, n - 1),
                                     TRUE);
}

static void
show_selected (WeirOutlinePanel *self, GtkBitset *set)
{
  g_autoptr (GtkBitset) all = gtk_bitset_new_range (0, weir_outline_panel_get_n_rows (self));

  g_signal_handler_block (self->selection, self->selected_handler);
  gtk_selection_model_set_selection (GTK_SELECTION_MODEL (self->selection), set, all);
  g_signal_handler_unblock (self->selection, self->selected_handler);
  if (!gtk_bitset_is_empty (set))
    scroll_to (self, gtk_bitset_get_minimum (set));
}

void
weir_outline_panel_select_blocks (WeirOutlinePanel *self, const guint32 *blocks, guint n)
{
  g_autoptr (GtkBitset) set = gtk_bitset_new_empty ();

  if (self->is_emitting)
    return;
  /* Opening the level of one may move the rows of those before it: two rounds. */
  for (guint round = 0; round < 2 && n <= WEIR_OUTLINE_N_OPENED; round++)
    {
      gtk_bitset_remove_all (set);
      for (guint i = 0; i < n; i++)
        {
          g_autoptr (GtkTreeListRow)
              row = find_block (self->tree, weir_outline_panel_get_model (self), blocks[i]);

          if (row != NULL)
            gtk_bitset_add (set, gtk_tree_list_row_get_position (row));
        }
    }
  show_selected (self, set);
}

void
weir_outline_panel_select_wire (WeirOutlinePanel *self, guint32 wire)
{
  g_autoptr (GtkBitset) set = gtk_bitset_new_empty ();
  g_autoptr (GtkTreeListRow) found = NULL;
  WeirOutlineRow row;

  /* It has a row at either end; the one chosen stays. */
  if (self->is_emitting
      || (weir_outline_panel_get_row (self, &row) && row.kind == WEIR_OUTLINE_PORT
          && row.wire == wire))
    return;
  found = find_wire (self->tree, weir_outline_panel_get_model (self), wire);
  if (found != NULL)
    gtk_bitset_add (set, gtk_tree_list_row_get_position (found));
  show_selected (self, set);
}

void
weir_outline_panel_focus (WeirOutlinePanel *self)
{
  guint position = first_selected (self);
  GtkWidget *row = NULL;

  if (weir_outline_panel_get_n_rows (self) == 0)
    {
      gtk_widget_grab_focus (GTK_WIDGET (self));
      return;
    }
  if (position != GTK_INVALID_LIST_POSITION)
    {
      scroll_to (self, position);
      row = weir_outline_panel_find_selected_widget (self);
    }
  /* Either the expander or, in a row that cannot be opened, the row around it. */
  if (row == NULL
      || !(gtk_widget_grab_focus (row) || gtk_widget_grab_focus (gtk_widget_get_parent (row))))
    gtk_widget_child_focus (self->view, GTK_DIR_TAB_FORWARD);
}

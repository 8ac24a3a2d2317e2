/* Rows of the outline found by what they are about. What they are in is opened on the way. See
 * outline-panel-private.h.
 */
#include "panels/outline-panel-private.h"

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

GtkTreeListRow *
weir_outline_find_block (GtkTreeListModel *tree, WeirModel *model, guint32 block)
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

GtkTreeListRow *
weir_outline_find_wire (GtkTreeListModel *tree, WeirModel *model, guint32 wire)
{
  WeirWire *found = weir_model_find_wire (model, wire, NULL);
  g_autoptr (GtkTreeListRow) block = NULL;
  guint32 from;

  if (found == NULL)
    return NULL;
  from = weir_wire_get_from (found).block;
  block = weir_outline_find_block (tree, model, from != 0 ? from : weir_wire_get_to (found).block);
  return block != NULL ? find_row (tree, block, WEIR_OUTLINE_PORT, wire) : NULL;
}

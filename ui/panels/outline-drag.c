/* Rows of the outline that are dragged: blocks to another level.
 *
 * Let go on a Subsystem, or on one of its ports, they move into it; on any other row to the level
 * of that row; below the rows to the root. Where they are already, and within themselves, they
 * cannot be let go. What is dragged is the selection, with the row that was taken.
 */
#include "panels/outline-panel-private.h"

static WeirOutlinePanel *
panel_of (GtkWidget *widget)
{
  return WEIR_OUTLINE_PANEL (gtk_widget_get_ancestor (widget, WEIR_TYPE_OUTLINE_PANEL));
}

static gboolean
contains (const GArray *ids, guint32 id)
{
  for (guint i = 0; i < ids->len; i++)
    if (g_array_index (ids, guint32, i) == id)
      return TRUE;
  return FALSE;
}

/* Whether the blocks that are selected can move into the Subsystem @level, 0 = the root. */
static gboolean
can_move_to (WeirOutlinePanel *panel, guint32 level)
{
  g_autoptr (GArray) blocks = weir_outline_panel_get_blocks (panel);
  g_autoptr (GArray) from = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) to = g_array_new (FALSE, FALSE, sizeof (guint32));
  WeirModel *model = weir_outline_panel_get_model (panel);

  if (blocks->len == 0
      || weir_model_find_block (model, g_array_index (blocks, guint32, 0), from) == NULL
      || (level != 0 && weir_model_find_block (model, level, to) == NULL))
    return FALSE;
  for (guint i = 0; i < to->len; i++)
    if (contains (blocks, g_array_index (to, guint32, i)))
      return FALSE;
  return !contains (blocks, level)
         && level != (from->len > 0 ? g_array_index (from, guint32, from->len - 1) : 0);
}

/* What letting go on the row means. */
static guint32
level_of (GtkTreeListRow *row)
{
  g_autoptr (WeirOutlineItem) item = gtk_tree_list_row_get_item (row);
  g_autoptr (GtkTreeListRow) parent = gtk_tree_list_row_get_parent (row);
  g_autoptr (WeirOutlineItem) outer = parent != NULL ? gtk_tree_list_row_get_item (parent) : NULL;
  const WeirOutlineRow *shown = weir_outline_item_get_row (item);
  WeirBlock *block = weir_outline_item_get_block (item);

  if (block != NULL && weir_block_get_diagram (block) != NULL)
    return shown->id;
  if (shown->kind == WEIR_OUTLINE_PORT) /* as its block */
    return level_of (parent);
  return outer != NULL ? weir_outline_item_get_row (outer)->id : 0;
}

/* --- Taking ---------------------------------------------------------------------------------- */

static GdkContentProvider *
prepare (GtkDragSource *source, double x, double y, GtkWidget *expander)
{
  GtkTreeListRow *row = gtk_tree_expander_get_list_row (GTK_TREE_EXPANDER (expander));
  WeirOutlinePanel *panel = panel_of (expander);
  g_autoptr (WeirOutlineItem) item = row != NULL ? gtk_tree_list_row_get_item (row) : NULL;
  g_autoptr (GdkPaintable) picture = NULL;
  g_autoptr (GArray) blocks = NULL;

  if (item == NULL || weir_outline_item_get_row (item)->kind != WEIR_OUTLINE_BLOCK)
    return NULL;
  blocks = weir_outline_panel_get_blocks (panel);
  if (!contains (blocks, weir_outline_item_get_row (item)->id))
    weir_outline_panel_set_position (panel, gtk_tree_list_row_get_position (row));
  picture = gtk_widget_paintable_new (expander);
  gtk_drag_source_set_icon (source, picture, (int) x, (int) y);
  return gdk_content_provider_new_typed (WEIR_TYPE_OUTLINE_PANEL, panel);
}

/* --- Letting go ------------------------------------------------------------------------------ */

static gboolean
let_go (const GValue *value, GtkWidget *widget, guint32 level)
{
  WeirOutlinePanel *panel = panel_of (widget);

  if (g_value_get_object (value) != panel || !can_move_to (panel, level))
    return FALSE;
  g_signal_emit_by_name (panel, "moved", level);
  return TRUE;
}

static GdkDragAction
row_motion (GtkDropTarget *target, double x, double y, GtkWidget *expander)
{
  GtkTreeListRow *row = gtk_tree_expander_get_list_row (GTK_TREE_EXPANDER (expander));

  return row != NULL && can_move_to (panel_of (expander), level_of (row)) ? GDK_ACTION_MOVE : 0;
}

static gboolean
row_drop (GtkDropTarget *target, const GValue *value, double x, double y, GtkWidget *expander)
{
  GtkTreeListRow *row = gtk_tree_expander_get_list_row (GTK_TREE_EXPANDER (expander));

  return row != NULL && let_go (value, expander, level_of (row));
}

static gboolean
is_below_rows (GtkWidget *view, double x, double y)
{
  return gtk_widget_pick (view, x, y, GTK_PICK_DEFAULT) == view;
}

static GdkDragAction
view_motion (GtkDropTarget *target, double x, double y, GtkWidget *view)
{
  return is_below_rows (view, x, y) && can_move_to (panel_of (view), 0) ? GDK_ACTION_MOVE : 0;
}

static gboolean
view_drop (GtkDropTarget *target, const GValue *value, double x, double y, GtkWidget *view)
{
  return is_below_rows (view, x, y) && let_go (value, view, 0);
}

static void
add_target (GtkWidget *widget, GCallback motion, GCallback drop)
{
  GtkDropTarget *target = gtk_drop_target_new (WEIR_TYPE_OUTLINE_PANEL, GDK_ACTION_MOVE);

  g_signal_connect (target, "enter", motion, widget);
  g_signal_connect (target, "motion", motion, widget);
  g_signal_connect (target, "drop", drop, widget);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (target));
}

void
weir_outline_add_row_drag (GtkWidget *expander)
{
  GtkDragSource *source = gtk_drag_source_new ();

  gtk_drag_source_set_actions (source, GDK_ACTION_MOVE);
  g_signal_connect (source, "prepare", G_CALLBACK (prepare), expander);
  gtk_widget_add_controller (expander, GTK_EVENT_CONTROLLER (source));
  add_target (expander, G_CALLBACK (row_motion), G_CALLBACK (row_drop));
}

void
weir_outline_add_view_drop (GtkWidget *view)
{
  add_target (view, G_CALLBACK (view_motion), G_CALLBACK (view_drop));
}

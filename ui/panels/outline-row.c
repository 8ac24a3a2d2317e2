/* A row of the outline: pictogram, name and, where something is wrong, a sign; and dragging it. See
 * outline-row.h.
 */
#include "panels/outline-row.h"

#include <glib/gi18n-lib.h>

#include "blocks/library/registry.h"
#include "panels/outline-panel.h"
#include "widgets/pieces.h"

GtkWidget *
weir_outline_row_new (void)
{
  GtkWidget *expander = gtk_tree_expander_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *icon = weir_block_icon_new (NULL, 30, 20), *name = gtk_label_new (NULL);
  GtkWidget *sign = gtk_image_new ();

  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), sign);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), box);
  return expander;
}

static void
set_class (GtkWidget *widget, const char *css_class, gboolean on)
{
  if (on)
    gtk_widget_add_css_class (widget, css_class);
  else
    gtk_widget_remove_css_class (widget, css_class);
}

void
weir_outline_row_show (GtkListItem *list_item, const WeirOutlineProblems *problems)
{
  GtkWidget *expander = gtk_list_item_get_child (list_item);
  GtkWidget *icon = gtk_widget_get_first_child (
      gtk_tree_expander_get_child (GTK_TREE_EXPANDER (expander)));
  GtkWidget *name = gtk_widget_get_next_sibling (icon), *sign = gtk_widget_get_next_sibling (name);
  g_autoptr (WeirOutlineItem)
      item = gtk_tree_list_row_get_item (gtk_list_item_get_item (list_item));
  const WeirOutlineRow *row = weir_outline_item_get_row (item);
  WeirBlock *block = weir_outline_item_get_block (item);
  const char *type_name = row->kind == WEIR_OUTLINE_BLOCK ? weir_block_get_type_name (block) : NULL;
  const WeirBlockType *type = type_name != NULL ? weir_registry_find (type_name) : NULL;
  g_autofree char *title = weir_outline_item_dup_title (item);
  g_autofree char *description = weir_outline_item_dup_description (item);
  GtkWidget *list_row = gtk_widget_get_parent (expander);
  const char *what = type != NULL ? _ (type->title) : type_name != NULL ? type_name : title;
  WeirSeverity severity;
  g_autofree char *wrong = problems != NULL
                               ? weir_outline_problems_describe (problems, row, &severity)
                               : NULL;
  g_autofree char *tooltip = wrong != NULL ? g_strdup_printf ("%s\n%s", what, wrong)
                                           : g_strdup (what);
  g_autofree char *spoken = wrong != NULL ? g_strdup_printf ("%s. %s", description, wrong)
                                          : g_strdup (description);

  gtk_widget_set_visible (sign, wrong != NULL);
  if (wrong != NULL)
    weir_severity_show (GTK_IMAGE (sign), severity);
  gtk_label_set_text (GTK_LABEL (name), title);
  set_class (name, "dim-label",
             row->kind != WEIR_OUTLINE_BLOCK || weir_block_get_mode (block) != WEIR_BLOCK_ACTIVE);
  set_class (name, "caption", row->kind == WEIR_OUTLINE_PORT);
  gtk_widget_set_visible (icon, row->kind == WEIR_OUTLINE_BLOCK);
  weir_block_icon_set_type (icon, type_name);
  /* To set one asks the window anew what is under the pointer, changed or not. */
  if (g_strcmp0 (gtk_widget_get_tooltip_text (expander), tooltip) != 0)
    gtk_widget_set_tooltip_text (expander, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (expander), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken,
                                  -1);
  if (list_row != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (list_row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    spoken, -1);
}

/* --- Dragging blocks to another level
 * --------------------------------------------------------------
 *
 * Let go on a Subsystem, or on one of its ports, they move into it; on any other row to the level
 * of that row; below the rows to the root. Where they are already, and within themselves, they
 * cannot be let go. What is dragged is the selection, with the row that was taken.
 */

static WeirOutlinePanel *
panel_of (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), "weir-panel"); /* around it */
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
  return gdk_content_provider_new_typed (G_OBJECT_TYPE (panel), panel);
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
add_target (GtkWidget *widget, GtkWidget *panel, GCallback motion, GCallback drop)
{
  GtkDropTarget *target = gtk_drop_target_new (G_OBJECT_TYPE (panel), GDK_ACTION_MOVE);

  g_object_set_data (G_OBJECT (widget), "weir-panel", panel);
  g_signal_connect (target, "enter", motion, widget);
  g_signal_connect (target, "motion", motion, widget);
  g_signal_connect (target, "drop", drop, widget);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (target));
}

void
weir_outline_add_row_drag (GtkWidget *expander, GtkWidget *panel)
{
  GtkDragSource *source = gtk_drag_source_new ();

  gtk_drag_source_set_actions (source, GDK_ACTION_MOVE);
  g_signal_connect (source, "prepare", G_CALLBACK (prepare), expander);
  gtk_widget_add_controller (expander, GTK_EVENT_CONTROLLER (source));
  add_target (expander, panel, G_CALLBACK (row_motion), G_CALLBACK (row_drop));
}

void
weir_outline_add_view_drop (GtkWidget *view, GtkWidget *panel)
{
  add_target (view, panel, G_CALLBACK (view_motion), G_CALLBACK (view_drop));
}

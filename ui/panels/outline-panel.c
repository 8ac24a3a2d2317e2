/* WeirOutlinePanel. See outline-panel.h. */
#include "panels/outline-panel.h"

#include <glib/gi18n-lib.h>

#include "panels/outline-problems.h"
#include "panels/outline-row.h"

#define N_OPENED 500 /* rows that are open at first at most */

struct _WeirOutlinePanel {
  GtkWidget parent;
  WeirDocument *document;
  gulong changed_handler;
  GListStore *roots;
  GtkTreeListModel *tree;
  GtkMultiSelection *selection;
  gulong selected_handler;
  GtkWidget *view, *hint;
  GHashTable *bound;             /* GtkListItem that show a row; borrowed */
  WeirOutlineProblems *problems; /* or NULL */
  gboolean is_emitting;
};

G_DEFINE_FINAL_TYPE (WeirOutlinePanel, weir_outline_panel, GTK_TYPE_WIDGET)

enum {
  SIGNAL_SELECTION_CHANGED,
  SIGNAL_ACTIVATED,
  SIGNAL_KEY,
  SIGNAL_RENAMED,
  SIGNAL_MOVED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

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

static WeirOutlineItem *
dup_selected (WeirOutlinePanel *self)
{
  guint position = first_selected (self);

  return position != GTK_INVALID_LIST_POSITION ? dup_item_at (self, position) : NULL;
}

gboolean
weir_outline_panel_get_row (WeirOutlinePanel *self, WeirOutlineRow *row)
{
  g_autoptr (WeirOutlineItem) item = dup_selected (self);

  if (item != NULL)
    *row = *weir_outline_item_get_row (item);
  return item != NULL;
}

guint
weir_outline_panel_get_position (WeirOutlinePanel *self)
{
  return first_selected (self);
}

static GtkWidget *
find_selected_widget (WeirOutlinePanel *self)
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
  for (guint round = 0; round < 2 && n <= N_OPENED; round++)
    {
      gtk_bitset_remove_all (set);
      for (guint i = 0; i < n; i++)
        {
          g_autoptr (GtkTreeListRow)
              row = find_block (self->tree, weir_document_get_model (self->document), blocks[i]);

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
  found = find_wire (self->tree, weir_document_get_model (self->document), wire);
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
      row = find_selected_widget (self);
    }
  /* Either the expander or, in a row that cannot be opened, the row around it. */
  if (row == NULL
      || !(gtk_widget_grab_focus (row) || gtk_widget_grab_focus (gtk_widget_get_parent (row))))
    gtk_widget_child_focus (self->view, GTK_DIR_TAB_FORWARD);
}

/* --- Asking for another name of the selected block, in a popover at its row ------------------ */

static void
name_entered (GtkEntry *entry, WeirOutlinePanel *self)
{
  g_autofree char *name = g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry)));
  guint32 block = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (entry), "weir-block"));

  gtk_popover_popdown (
      GTK_POPOVER (gtk_widget_get_ancestor (GTK_WIDGET (entry), GTK_TYPE_POPOVER)));
  g_signal_emit_by_name (self, "renamed", block, name);
}

static gboolean
remove_popover (gpointer popover)
{
  gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

static void
popover_closed (GtkWidget *popover, WeirOutlinePanel *self)
{
  weir_outline_panel_focus (self);
  g_idle_add (remove_popover, popover);
}

void
weir_outline_panel_ask_name (WeirOutlinePanel *self)
{
  g_autoptr (WeirOutlineItem) item = dup_selected (self);
  GtkWidget *popover, *entry, *row;
  graphene_rect_t bounds;

  if (item == NULL || weir_outline_item_get_row (item)->kind != WEIR_OUTLINE_BLOCK)
    return;
  popover = gtk_popover_new ();
  entry = gtk_entry_new ();
  gtk_editable_set_text (GTK_EDITABLE (entry),
                         weir_block_get_name (weir_outline_item_get_block (item)));
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Name of the block"), -1);
  g_object_set_data (G_OBJECT (entry), "weir-block",
                     GUINT_TO_POINTER (weir_outline_item_get_row (item)->id));
  g_signal_connect (entry, "activate", G_CALLBACK (name_entered), self);
  gtk_popover_set_child (GTK_POPOVER (popover), entry);
  gtk_widget_set_parent (popover, GTK_WIDGET (self));
  g_signal_connect (popover, "closed", G_CALLBACK (popover_closed), self);
  row = find_selected_widget (self);
  if (row != NULL && gtk_widget_compute_bounds (row, GTK_WIDGET (self), &bounds))
    gtk_popover_set_pointing_to (GTK_POPOVER (popover),
                                 &(GdkRectangle) { (int) bounds.origin.x, (int) bounds.origin.y,
                                                   (int) bounds.size.width,
                                                   (int) bounds.size.height });
  gtk_popover_popup (GTK_POPOVER (popover));
  gtk_widget_grab_focus (entry);
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
  WeirModel *model = weir_document_get_model (panel->document);

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

static void
add_row_drag (GtkWidget *expander, GtkWidget *panel)
{
  GtkDragSource *source = gtk_drag_source_new ();

  gtk_drag_source_set_actions (source, GDK_ACTION_MOVE);
  g_signal_connect (source, "prepare", G_CALLBACK (prepare), expander);
  gtk_widget_add_controller (expander, GTK_EVENT_CONTROLLER (source));
  add_target (expander, panel, G_CALLBACK (row_motion), G_CALLBACK (row_drop));
}

static void
add_view_drop (GtkWidget *view, GtkWidget *panel)
{
  add_target (view, panel, G_CALLBACK (view_motion), G_CALLBACK (view_drop));
}

/* --- Rows ------------------------------------------------------------------------------------ */

/* Anew after every change, since the names of neighbours are in them. */
/* TRUE if its block is another than before. */
static gboolean
follow_row (WeirOutlinePanel *self, GtkListItem *list_item)
{
  g_autoptr (WeirOutlineItem)
      item = gtk_tree_list_row_get_item (gtk_list_item_get_item (list_item));

  return weir_outline_item_follow (item, weir_document_get_model (self->document));
}

static void
show_row (WeirOutlinePanel *self, GtkListItem *list_item)
{
  follow_row (self, list_item);
  weir_outline_row_show (list_item, self->problems);
}

/* Those whose blocks have changed, where no row came or went. */
static void
follow_rows (WeirOutlinePanel *self)
{
  GHashTableIter iter;
  gpointer list_item;

  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &list_item, NULL))
    if (follow_row (self, list_item))
      weir_outline_row_show (list_item, self->problems);
}

static void
refresh_rows (WeirOutlinePanel *self)
{
  GHashTableIter iter;
  gpointer list_item;

  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &list_item, NULL))
    show_row (self, list_item);
}

void
weir_outline_panel_set_diagnostics (WeirOutlinePanel *self, WeirDiagnostics *diagnostics)
{
  g_return_if_fail (WEIR_IS_OUTLINE_PANEL (self));

  if (self->problems == NULL
      && (diagnostics == NULL || weir_diagnostics_get_size (diagnostics) == 0))
    return;
  g_clear_pointer (&self->problems, weir_outline_problems_free);
  if (diagnostics != NULL && weir_diagnostics_get_size (diagnostics) > 0)
    self->problems = weir_outline_problems_new (diagnostics,
                                                weir_document_get_model (self->document));
  refresh_rows (self);
}

static void
setup_row (WeirOutlinePanel *self, GtkListItem *list_item)
{
  GtkWidget *row = weir_outline_row_new ();

  add_row_drag (row, GTK_WIDGET (self));
  gtk_list_item_set_child (list_item, row);
}

static void
bind_row (WeirOutlinePanel *self, GtkListItem *list_item)
{
  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (gtk_list_item_get_child (list_item)),
                                  gtk_list_item_get_item (list_item));
  show_row (self, list_item);
  g_hash_table_add (self->bound, list_item);
}

static void
unbind_row (WeirOutlinePanel *self, GtkListItem *list_item)
{
  g_hash_table_remove (self->bound, list_item);
  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (gtk_list_item_get_child (list_item)), NULL);
}

static GListModel *
create_children (gpointer item, G_GNUC_UNUSED gpointer data)
{
  GListStore *children = weir_outline_item_get_children (item);

  return children == NULL ? NULL : G_LIST_MODEL (g_object_ref (children));
}

/* --- Following the model --------------------------------------------------------------------- */

/* Subsystems show what is in them from the start, unless that is very much. */
static void
open_subsystems (WeirOutlinePanel *self)
{
  for (guint i = 0; i < MIN (weir_outline_panel_get_n_rows (self), N_OPENED); i++)
    {
      g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (self->tree), i);
      g_autoptr (WeirOutlineItem) item = gtk_tree_list_row_get_item (row);

      if (weir_outline_item_get_row (item)->kind == WEIR_OUTLINE_BLOCK
          && weir_block_get_diagram (weir_outline_item_get_block (item)) != NULL)
        gtk_tree_list_row_set_expanded (row, TRUE);
    }
}

/* Something must have the keyboard while there is no row. */
static void
update_empty (WeirOutlinePanel *self)
{
  gboolean is_empty = weir_outline_panel_get_n_rows (self) == 0;
  gboolean had_focus = gtk_widget_has_focus (GTK_WIDGET (self));

  if (had_focus && !is_empty)
    gtk_widget_grab_focus (self->view);
  gtk_widget_set_focusable (GTK_WIDGET (self), is_empty);
  gtk_widget_set_visible (self->hint, is_empty);
}

static void
document_changed (WeirOutlinePanel *self, guint aspects)
{
  if ((aspects & ~(WeirAspects) (WEIR_ASPECT_LAYOUT | WEIR_ASPECT_PLOTS)) == 0)
    return;
  if ((aspects & (WEIR_ASPECT_STRUCTURE | WEIR_ASPECT_NAMES)) == 0)
    {
      follow_rows (self);
      return;
    }
  g_signal_handler_block (self->selection, self->selected_handler);
  weir_outline_update_level (self->roots,
                             weir_model_get_root (weir_document_get_model (self->document)));
  if (aspects == WEIR_ASPECT_ALL)
    open_subsystems (self); /* another model */
  g_signal_handler_unblock (self->selection, self->selected_handler);
  update_empty (self);
  refresh_rows (self);
}

/* --- Selection ------------------------------------------------------------------------------- */

static void
rows_selected (WeirOutlinePanel *self)
{
  self->is_emitting = TRUE;
  g_signal_emit (self, signals[SIGNAL_SELECTION_CHANGED], 0);
  self->is_emitting = FALSE;
}

/* --- Keys ------------------------------------------------------------------------------------ */

/* Opens the row or goes to what is in it; closes it or goes to what it is in. */
static void
step_level (WeirOutlinePanel *self, gboolean inwards)
{
  guint position = weir_outline_panel_get_position (self);
  g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (self->tree), position);
  g_autoptr (GtkTreeListRow) parent = row != NULL ? gtk_tree_list_row_get_parent (row) : NULL;

  if (row == NULL)
    return;
  if (gtk_tree_list_row_get_expanded (row) != inwards && gtk_tree_list_row_is_expandable (row))
    {
      gtk_tree_list_row_set_expanded (row, inwards);
      return;
    }
  if (inwards && gtk_tree_list_row_get_expanded (row))
    weir_outline_panel_set_position (self, position + 1);
  else if (!inwards && parent != NULL)
    weir_outline_panel_set_position (self, gtk_tree_list_row_get_position (parent));
  weir_outline_panel_focus (self);
}

static gboolean
key_pressed (G_GNUC_UNUSED GtkEventControllerKey *keys, guint keyval, G_GNUC_UNUSED guint code,
             GdkModifierType modifiers, WeirOutlinePanel *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  gboolean is_handled = FALSE;

  if (focus != GTK_WIDGET (self) && (focus == NULL || !gtk_widget_is_ancestor (focus, self->view)))
    return FALSE; /* the entry for a name */
  if ((keyval == GDK_KEY_Right || keyval == GDK_KEY_Left)
      && (modifiers & (GDK_CONTROL_MASK | GDK_SHIFT_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) == 0)
    {
      gboolean is_rtl = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;

      step_level (self, (keyval == GDK_KEY_Right) != is_rtl);
      return TRUE;
    }
  g_signal_emit (self, signals[SIGNAL_KEY], 0, keyval,
                 (guint) modifiers
                     & (GDK_CONTROL_MASK | GDK_SHIFT_MASK | GDK_ALT_MASK | GDK_SUPER_MASK),
                 &is_handled);
  return is_handled;
}

static void
row_activated (WeirOutlinePanel *self)
{
  g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  WeirOutlinePanel *self = WEIR_OUTLINE_PANEL (object);
  GtkWidget *child;

  if (self->document != NULL)
    g_clear_signal_handler (&self->changed_handler, self->document);
  if (self->selection != NULL)
    g_clear_signal_handler (&self->selected_handler, self->selection);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->selection);
  g_clear_object (&self->document);
  g_clear_pointer (&self->bound, g_hash_table_unref);
  g_clear_pointer (&self->problems, weir_outline_problems_free);
  G_OBJECT_CLASS (weir_outline_panel_parent_class)->dispose (object);
}

static void
weir_outline_panel_class_init (WeirOutlinePanelClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "weir-outline");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
  signals[SIGNAL_SELECTION_CHANGED] = g_signal_new ("selection-changed", type, G_SIGNAL_RUN_LAST, 0,
                                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_ACTIVATED] = g_signal_new ("activated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                            NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_KEY] = g_signal_new ("key", type, G_SIGNAL_RUN_LAST, 0,
                                      g_signal_accumulator_true_handled, NULL, NULL, G_TYPE_BOOLEAN,
                                      2, G_TYPE_UINT, G_TYPE_UINT);
  signals[SIGNAL_RENAMED] = g_signal_new ("renamed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_STRING);
  signals[SIGNAL_MOVED] = g_signal_new ("moved", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
weir_outline_panel_init (WeirOutlinePanel *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *overlay = gtk_overlay_new ();
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->bound = g_hash_table_new (NULL, NULL);
  g_signal_connect_swapped (factory, "setup", G_CALLBACK (setup_row), self);
  g_signal_connect_swapped (factory, "bind", G_CALLBACK (bind_row), self);
  g_signal_connect_swapped (factory, "unbind", G_CALLBACK (unbind_row), self);
  self->roots = g_list_store_new (WEIR_TYPE_OUTLINE_ITEM);
  self->tree = gtk_tree_list_model_new (G_LIST_MODEL (self->roots), FALSE, FALSE, create_children,
                                        NULL, NULL);
  self->selection = gtk_multi_selection_new (G_LIST_MODEL (self->tree));
  self->selected_handler = g_signal_connect_swapped (self->selection, "selection-changed",
                                                     G_CALLBACK (rows_selected), self);
  self->view = gtk_list_view_new (GTK_SELECTION_MODEL (g_object_ref (self->selection)), factory);
  gtk_widget_add_css_class (self->view, "navigation-sidebar");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Blocks of the model"), -1);
  add_view_drop (self->view, GTK_WIDGET (self));
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (row_activated), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->view);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  self->hint = gtk_label_new (_ ("Nothing here yet.\nPress / to add a block."));
  gtk_label_set_justify (GTK_LABEL (self->hint), GTK_JUSTIFY_CENTER);
  gtk_label_set_wrap (GTK_LABEL (self->hint), TRUE);
  gtk_widget_add_css_class (self->hint, "dim-label");
  gtk_widget_set_can_target (self->hint, FALSE);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), scrolled);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->hint);
  gtk_widget_set_parent (overlay, GTK_WIDGET (self));
}

void
weir_outline_panel_set_document (WeirOutlinePanel *self, WeirDocument *document)
{
  g_return_if_fail (WEIR_IS_OUTLINE_PANEL (self) && self->document == NULL);

  self->document = g_object_ref (document);
  self->changed_handler = g_signal_connect_swapped (document, "changed",
                                                    G_CALLBACK (document_changed), self);
  weir_outline_update_level (self->roots, weir_model_get_root (weir_document_get_model (document)));
  open_subsystems (self);
  update_empty (self);
}

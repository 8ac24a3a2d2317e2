/* WeirOutlinePanel. See outline-panel.h. */
#include "panels/outline-panel-private.h"

#include <glib/gi18n-lib.h>

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

  weir_outline_add_row_drag (row, GTK_WIDGET (self));
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
  for (guint i = 0; i < MIN (weir_outline_panel_get_n_rows (self), WEIR_OUTLINE_N_OPENED); i++)
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
  weir_outline_add_view_drop (self->view, GTK_WIDGET (self));
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

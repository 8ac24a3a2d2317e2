/* WeirOutlinePanel. See outline-panel.h. */
#include "panels/outline-panel.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "blocks/registry.h"
#include "paint/diagram.h"

/* --- Items ------------------------------------------------------------------------------------- */

#define WEIR_TYPE_OUTLINE_ITEM (weir_outline_item_get_type ())
G_DECLARE_FINAL_TYPE (WeirOutlineItem, weir_outline_item, WEIR, OUTLINE_ITEM, GObject)

struct _WeirOutlineItem {
  GObject parent;
  guint32 block;
  char *name, *type;
  GListStore *children; /* of a Subsystem, or NULL */
};

G_DEFINE_FINAL_TYPE (WeirOutlineItem, weir_outline_item, G_TYPE_OBJECT)

enum { PROPERTY_NAME = 1, N_PROPERTIES };
static GParamSpec *item_properties[N_PROPERTIES];

static void
item_get_property (GObject *object, G_GNUC_UNUSED guint id, GValue *value,
                   G_GNUC_UNUSED GParamSpec *pspec)
{
  g_value_set_string (value, WEIR_OUTLINE_ITEM (object)->name);
}

static void
item_finalize (GObject *object)
{
  WeirOutlineItem *self = WEIR_OUTLINE_ITEM (object);

  g_free (self->name);
  g_free (self->type);
  g_clear_object (&self->children);
  G_OBJECT_CLASS (weir_outline_item_parent_class)->finalize (object);
}

static void
weir_outline_item_class_init (WeirOutlineItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = item_get_property;
  object_class->finalize = item_finalize;
  item_properties[PROPERTY_NAME] = g_param_spec_string (
      "name", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, item_properties);
}

static void
weir_outline_item_init (G_GNUC_UNUSED WeirOutlineItem *self)
{
}

/* --- Following the model ---------------------------------------------------------------------------- */

struct _WeirOutlinePanel {
  GtkWidget parent;
  WeirDocument *document;
  gulong changed_handler;
  GListStore *roots;
  GtkTreeListModel *tree;
  GtkSingleSelection *selection;
  gulong selected_handler;
};

G_DEFINE_FINAL_TYPE (WeirOutlinePanel, weir_outline_panel, GTK_TYPE_WIDGET)

enum { SIGNAL_GO_TO, N_SIGNALS };
static guint signals[N_SIGNALS];

static void update_store (GListStore *store, WeirDiagram *diagram);

static void
update_item (WeirOutlineItem *item, WeirBlock *block)
{
  const char *name = weir_block_get_name (block);
  WeirDiagram *inner = weir_block_get_diagram (block);

  if (g_strcmp0 (item->name, name) != 0)
    {
      g_free (item->name);
      item->name = g_strdup (name);
      g_object_notify_by_pspec (G_OBJECT (item), item_properties[PROPERTY_NAME]);
    }
  if (inner != NULL && item->children != NULL)
    update_store (item->children, inner);
}

static WeirOutlineItem *
item_new (WeirBlock *block)
{
  WeirOutlineItem *item = g_object_new (WEIR_TYPE_OUTLINE_ITEM, NULL);

  item->block = weir_block_get_id (block);
  item->type = g_strdup (weir_block_get_type_name (block));
  if (weir_block_get_diagram (block) != NULL)
    item->children = g_list_store_new (WEIR_TYPE_OUTLINE_ITEM);
  update_item (item, block);
  return item;
}

static gboolean
collect (WeirBlock *block, gpointer blocks)
{
  g_ptr_array_add (blocks, block);
  return TRUE;
}

static gboolean
is_item_of (GListStore *store, guint position, WeirBlock *block)
{
  g_autoptr (WeirOutlineItem) item = g_list_model_get_item (G_LIST_MODEL (store), position);

  return item->block == weir_block_get_id (block)
         && g_str_equal (item->type, weir_block_get_type_name (block));
}

/* Only what lies between the first and the last difference is replaced. */
static void
update_store (GListStore *store, WeirDiagram *diagram)
{
  g_autoptr (GPtrArray) blocks = g_ptr_array_new ();
  g_autoptr (GPtrArray) added = g_ptr_array_new_with_free_func (g_object_unref);
  guint n_old = g_list_model_get_n_items (G_LIST_MODEL (store)), n_new, first = 0, tail = 0;

  weir_diagram_foreach_block (diagram, collect, blocks);
  n_new = blocks->len;
  while (first < n_old && first < n_new && is_item_of (store, first, blocks->pdata[first]))
    first++;
  while (tail < n_old - first && tail < n_new - first
         && is_item_of (store, n_old - 1 - tail, blocks->pdata[n_new - 1 - tail]))
    tail++;
  for (guint i = first; i < n_new - tail; i++)
    g_ptr_array_add (added, item_new (blocks->pdata[i]));
  if (added->len > 0 || n_old - first - tail > 0)
    g_list_store_splice (store, first, n_old - first - tail, added->pdata, added->len);
  for (guint i = 0; i < n_new; i++)
    if (i < first || i >= n_new - tail)
      {
        g_autoptr (WeirOutlineItem) item = g_list_model_get_item (G_LIST_MODEL (store), i);

        update_item (item, blocks->pdata[i]);
      }
}

static void
document_changed (WeirOutlinePanel *self, guint aspects)
{
  if ((aspects & (WEIR_ASPECT_NAMES | WEIR_ASPECT_STRUCTURE)) == 0)
    return;
  g_signal_handler_block (self->selection, self->selected_handler);
  update_store (self->roots, weir_model_get_root (weir_document_get_model (self->document)));
  g_signal_handler_unblock (self->selection, self->selected_handler);
}

/* --- Selection ----------------------------------------------------------------------------------- */

static WeirOutlineItem *
dup_item_at (WeirOutlinePanel *self, guint position)
{
  g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (self->tree), position);

  return row == NULL ? NULL : gtk_tree_list_row_get_item (row);
}

static void
row_selected (WeirOutlinePanel *self)
{
  g_autoptr (WeirOutlineItem) item
      = dup_item_at (self, gtk_single_selection_get_selected (self->selection));

  if (item != NULL)
    g_signal_emit (self, signals[SIGNAL_GO_TO], 0, item->block);
}

void
weir_outline_panel_set_selected (WeirOutlinePanel *self, guint32 block)
{
  guint n, found = GTK_INVALID_LIST_POSITION;

  g_return_if_fail (WEIR_IS_OUTLINE_PANEL (self));

  n = block == 0 ? 0 : weir_outline_panel_get_n_rows (self);
  for (guint i = 0; i < n && found == GTK_INVALID_LIST_POSITION; i++)
    {
      g_autoptr (WeirOutlineItem) item = dup_item_at (self, i);

      if (item->block == block)
        found = i;
    }
  g_signal_handler_block (self->selection, self->selected_handler);
  gtk_single_selection_set_selected (self->selection, found);
  g_signal_handler_unblock (self->selection, self->selected_handler);
}

guint
weir_outline_panel_get_n_rows (WeirOutlinePanel *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->tree));
}

/* --- Rows -------------------------------------------------------------------------------------- */

static void
draw_icon (GtkDrawingArea *area, cairo_t *cr, int width, int height, G_GNUC_UNUSED gpointer data)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  const char *type = g_object_get_data (G_OBJECT (area), "weir-type");

  if (type != NULL)
    weir_draw_block_icon (cr, type, width, height,
                          weir_palette_find (adw_style_manager_get_dark (style),
                                             adw_style_manager_get_high_contrast (style)));
}

static void
setup_row (G_GNUC_UNUSED GtkListItemFactory *factory, GtkListItem *list_item,
           G_GNUC_UNUSED gpointer data)
{
  GtkWidget *expander = gtk_tree_expander_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *icon = gtk_drawing_area_new (), *name = gtk_label_new (NULL);

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (icon), 30);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (icon), 20);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (icon), draw_icon, NULL, NULL);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (gtk_widget_queue_draw), icon, G_CONNECT_SWAPPED);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), name);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), box);
  gtk_list_item_set_child (list_item, expander);
}

static void
unbind_name (gpointer binding)
{
  g_binding_unbind (binding);
  g_object_unref (binding);
}

static void
bind_row (G_GNUC_UNUSED GtkListItemFactory *factory, GtkListItem *list_item,
          G_GNUC_UNUSED gpointer data)
{
  GtkTreeListRow *row = gtk_list_item_get_item (list_item);
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (list_item));
  GtkWidget *icon = gtk_widget_get_first_child (gtk_tree_expander_get_child (expander));
  g_autoptr (WeirOutlineItem) item = gtk_tree_list_row_get_item (row);
  const WeirBlockType *type = weir_registry_find (item->type);

  gtk_tree_expander_set_list_row (expander, row);
  g_object_set_data_full (
      G_OBJECT (list_item), "weir-name",
      g_object_ref (g_object_bind_property (item, "name", gtk_widget_get_next_sibling (icon),
                                            "label", G_BINDING_SYNC_CREATE)),
      unbind_name);
  g_object_set_data_full (G_OBJECT (icon), "weir-type", g_strdup (item->type), g_free);
  gtk_widget_set_tooltip_text (GTK_WIDGET (expander), type != NULL ? _ (type->title) : item->type);
  gtk_widget_queue_draw (icon);
}

static void
unbind_row (G_GNUC_UNUSED GtkListItemFactory *factory, GtkListItem *list_item,
            G_GNUC_UNUSED gpointer data)
{
  g_object_set_data (G_OBJECT (list_item), "weir-name", NULL);
  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (gtk_list_item_get_child (list_item)), NULL);
}

static GListModel *
create_children (gpointer item, G_GNUC_UNUSED gpointer data)
{
  GListStore *children = WEIR_OUTLINE_ITEM (item)->children;

  return children == NULL ? NULL : G_LIST_MODEL (g_object_ref (children));
}

/* --- Life -------------------------------------------------------------------------------------- */

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
  G_OBJECT_CLASS (weir_outline_panel_parent_class)->dispose (object);
}

static void
weir_outline_panel_class_init (WeirOutlinePanelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "weir-outline");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
  signals[SIGNAL_GO_TO] = g_signal_new ("go-to", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
weir_outline_panel_init (WeirOutlinePanel *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *view;
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_row), NULL);
  self->roots = g_list_store_new (WEIR_TYPE_OUTLINE_ITEM);
  self->tree = gtk_tree_list_model_new (G_LIST_MODEL (self->roots), FALSE, TRUE, create_children,
                                        NULL, NULL);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (self->tree));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  self->selected_handler = g_signal_connect_swapped (self->selection, "notify::selected",
                                                     G_CALLBACK (row_selected), self);
  view = gtk_list_view_new (GTK_SELECTION_MODEL (g_object_ref (self->selection)), factory);
  gtk_widget_add_css_class (view, "navigation-sidebar");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Blocks of the model"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_parent (scrolled, GTK_WIDGET (self));
}

GtkWidget *
weir_outline_panel_new (WeirDocument *document)
{
  WeirOutlinePanel *self = g_object_new (WEIR_TYPE_OUTLINE_PANEL, NULL);

  self->document = g_object_ref (document);
  self->changed_handler
      = g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed), self);
  update_store (self->roots, weir_model_get_root (weir_document_get_model (document)));
  return GTK_WIDGET (self);
}

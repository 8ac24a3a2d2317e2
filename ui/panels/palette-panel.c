/* WeirPalettePanel. See palette-panel.h. */
#include "panels/palette-panel.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "blocks/registry.h"
#include "paint/diagram.h"
#include "widgets/block-icon.h"

#define ICON_WIDTH 48
#define ICON_HEIGHT 32

struct _WeirPalettePanel {
  GtkWidget parent;
  GtkWidget *search;
  GtkWidget *list;
  char *drop_prefix;
};

G_DEFINE_FINAL_TYPE (WeirPalettePanel, weir_palette_panel, GTK_TYPE_WIDGET)

enum { SIGNAL_ADD_BLOCK, N_SIGNALS };
static guint signals[N_SIGNALS];

static const WeirBlockType *
row_type (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "weir-type");
}

/* --- Rows ------------------------------------------------------------------------------------ */

static GdkContentProvider *
drag_prepare (GtkDragSource *source, G_GNUC_UNUSED double x, G_GNUC_UNUSED double y,
              WeirPalettePanel *self)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (source));
  g_autofree char *text = g_strconcat (self->drop_prefix, row_type (GTK_LIST_BOX_ROW (row))->name,
                                       NULL);

  return gdk_content_provider_new_typed (G_TYPE_STRING, text);
}

static void
drag_begin (GtkDragSource *source, G_GNUC_UNUSED GdkDrag *drag, GtkWidget *icon)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (icon);

  gtk_drag_source_set_icon (source, paintable, ICON_WIDTH / 2, ICON_HEIGHT / 2);
}

static GtkWidget *
row_new (WeirPalettePanel *self, const WeirBlockType *type)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *icon = weir_block_icon_new (type->name, ICON_WIDTH, ICON_HEIGHT),
            *label = gtk_label_new (_ (type->title));
  GtkDragSource *drag = gtk_drag_source_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_NONE);
  gtk_label_set_lines (GTK_LABEL (label), 2);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), label);
  gtk_widget_set_margin_top (box, 3);
  gtk_widget_set_margin_bottom (box, 3);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_widget_set_tooltip_text (row, _ (type->summary));
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ (type->title), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  _ (type->summary), -1);
  g_object_set_data (G_OBJECT (row), "weir-type", (gpointer) type);

  g_signal_connect (drag, "prepare", G_CALLBACK (drag_prepare), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin), icon);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (drag));
  return row;
}

static void
set_header (GtkListBoxRow *row, GtkListBoxRow *before, G_GNUC_UNUSED gpointer data)
{
  GtkWidget *label;

  if (before != NULL && g_str_equal (row_type (row)->category, row_type (before)->category))
    {
      gtk_list_box_row_set_header (row, NULL);
      return;
    }
  label = gtk_label_new (_ (row_type (row)->category));
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_margin_start (label, 9);
  gtk_widget_set_margin_top (label, 9);
  gtk_widget_set_margin_bottom (label, 3);
  gtk_list_box_row_set_header (row, label);
}

/* --- Searching and adding -------------------------------------------------------------------- */

static gboolean
contains (const char *text, const char *folded)
{
  g_autofree char *key = g_utf8_casefold (text, -1);

  return strstr (key, folded) != NULL;
}

static gboolean
matches (GtkListBoxRow *row, gpointer data)
{
  WeirPalettePanel *self = data;
  const WeirBlockType *type = row_type (row);
  g_autofree char *folded = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->search)),
                                             -1);

  return contains (_ (type->title), folded) || contains (type->name, folded)
         || contains (_ (type->summary), folded);
}

static void
search_changed (WeirPalettePanel *self)
{
  gtk_list_box_invalidate_filter (GTK_LIST_BOX (self->list));
}

static void
row_activated (WeirPalettePanel *self, GtkListBoxRow *row)
{
  g_signal_emit (self, signals[SIGNAL_ADD_BLOCK], 0, row_type (row)->name);
}

static GtkListBoxRow *
find_first_match (WeirPalettePanel *self)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i)) != NULL; i++)
    if (gtk_widget_get_child_visible (GTK_WIDGET (row)))
      return row;
  return NULL;
}

/* Return in the search entry adds the first row that is left. Typing is ahead
 * of "search-changed". */
static void
search_activated (WeirPalettePanel *self)
{
  GtkListBoxRow *row;

  search_changed (self);
  row = find_first_match (self);
  if (row != NULL)
    row_activated (self, row);
}

/* Down leads from the search into the list. */
static gboolean
search_key (G_GNUC_UNUSED GtkEventControllerKey *controller, guint key, G_GNUC_UNUSED guint code,
            G_GNUC_UNUSED GdkModifierType state, WeirPalettePanel *self)
{
  GtkListBoxRow *row;

  if (key != GDK_KEY_Down)
    return GDK_EVENT_PROPAGATE;
  search_changed (self);
  row = find_first_match (self);
  if (row != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (row));
  return GDK_EVENT_STOP;
}

void
weir_palette_panel_focus_search (WeirPalettePanel *self)
{
  gtk_widget_grab_focus (self->search);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  WeirPalettePanel *self = WEIR_PALETTE_PANEL (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->drop_prefix, g_free);
  G_OBJECT_CLASS (weir_palette_panel_parent_class)->dispose (object);
}

static void
weir_palette_panel_class_init (WeirPalettePanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  signals[SIGNAL_ADD_BLOCK] = g_signal_new ("add-block", G_TYPE_FROM_CLASS (klass),
                                            G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                            G_TYPE_STRING);
}

/* GTK 4.8 has no placeholder for search entries, but for the text within. */
static void
set_placeholder (GtkWidget *search, const char *text)
{
  GtkEditable *delegate = gtk_editable_get_delegate (GTK_EDITABLE (search));

  if (GTK_IS_TEXT (delegate))
    gtk_text_set_placeholder_text (GTK_TEXT (delegate), text);
}

static void
weir_palette_panel_init (WeirPalettePanel *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *nothing;
  GtkEventController *keys;

  gtk_orientable_set_orientation (
      GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
  self->search = gtk_search_entry_new ();
  gtk_widget_set_margin_start (self->search, 9);
  gtk_widget_set_margin_end (self->search, 9);
  gtk_widget_set_margin_top (self->search, 9);
  gtk_widget_set_margin_bottom (self->search, 6);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Search blocks"), -1);
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (search_changed), self);
  g_signal_connect_swapped (self->search, "activate", G_CALLBACK (search_activated), self);
  keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (search_key), self);
  gtk_widget_add_controller (self->search, keys);
  set_placeholder (self->search, _ ("Search blocks"));
  gtk_widget_set_parent (self->search, GTK_WIDGET (self));

  self->list = gtk_list_box_new ();
  gtk_list_box_set_activate_on_single_click (GTK_LIST_BOX (self->list), FALSE);
  gtk_list_box_set_header_func (GTK_LIST_BOX (self->list), set_header, NULL, NULL);
  gtk_list_box_set_filter_func (GTK_LIST_BOX (self->list), matches, self, NULL);
  gtk_widget_add_css_class (self->list, "navigation-sidebar");
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (row_activated), self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Blocks"), -1);
  nothing = gtk_label_new (_ ("No block has this name"));
  gtk_widget_add_css_class (nothing, "dim-label");
  gtk_widget_set_margin_top (nothing, 18);
  gtk_list_box_set_placeholder (GTK_LIST_BOX (self->list), nothing);
  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    gtk_list_box_append (GTK_LIST_BOX (self->list), row_new (self, weir_registry_get_type (i)));

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_parent (scrolled, GTK_WIDGET (self));
}

GtkWidget *
weir_palette_panel_new (const char *drop_prefix)
{
  WeirPalettePanel *self = g_object_new (WEIR_TYPE_PALETTE_PANEL, NULL);

  self->drop_prefix = g_strdup (drop_prefix);
  return GTK_WIDGET (self);
}

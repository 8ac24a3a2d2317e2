/* Pieces of pages, panels and lists. See pieces.h. */
#include "widgets/pieces.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "paint/drawing/diagram.h"
#include "widgets/look.h"
#include "widgets/tooltips.h"

void
weir_set_margins (GtkWidget *widget, int sides, int ends)
{
  gtk_widget_set_margin_start (widget, sides);
  gtk_widget_set_margin_end (widget, sides);
  gtk_widget_set_margin_top (widget, ends);
  gtk_widget_set_margin_bottom (widget, ends);
}

GtkWidget *
weir_icon_button_new (const char *icon, const char *action, const char *text)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  weir_set_tooltip (button, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  if (action != NULL)
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

/* --- A page without anything ----------------------------------------------------------------- */

#define TEXT_WIDTH 60 /* characters */
#define MARGIN 24     /* pixels at either side */

GtkWidget *
weir_empty_page_new (const char *title, const char *text, GtkWidget *below)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *head = gtk_label_new (title);
  GtkWidget *scroller = gtk_scrolled_window_new (); /* else the narrowest way to write it all is how
                                                       high every window must be */

  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), box);
  weir_set_margins (box, MARGIN, 0);
  gtk_widget_add_css_class (head, "title-4");
  gtk_label_set_wrap (GTK_LABEL (head), TRUE);
  gtk_label_set_justify (GTK_LABEL (head), GTK_JUSTIFY_CENTER);
  gtk_box_append (GTK_BOX (box), head);
  if (text != NULL)
    {
      GtkWidget *label = gtk_label_new (text);

      gtk_widget_add_css_class (label, "dim-label");
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
      gtk_label_set_max_width_chars (GTK_LABEL (label), TEXT_WIDTH);
      gtk_box_append (GTK_BOX (box), label);
    }
  if (below != NULL)
    gtk_box_append (GTK_BOX (box), below);
  return scroller;
}

/* --- Lines in popovers ----------------------------------------------------------------------- */

static void
ask_height (GtkWidget *label)
{
  int width, height;

  gtk_widget_set_size_request (label, -1, -1);
  gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  gtk_widget_measure (label, GTK_ORIENTATION_VERTICAL, width, NULL, &height, NULL, NULL);
  gtk_widget_set_size_request (label, -1, height);
}

GtkWidget *
weir_sideways_new (GtkWidget *child)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), child);
  return scrolled;
}

void
weir_label_wrap_at (GtkLabel *label, int chars)
{
  gtk_label_set_wrap (label, TRUE);
  gtk_label_set_wrap_mode (label, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_width_chars (label, chars);
  gtk_label_set_max_width_chars (label, chars);
  gtk_label_set_xalign (label, 0);
  g_signal_connect (label, "notify::label", G_CALLBACK (ask_height), NULL);
  g_signal_connect (label, "notify::visible", G_CALLBACK (ask_height), NULL);
}

void
weir_label_set_text (GtkLabel *label, const char *text)
{
  if (strcmp (gtk_label_get_text (label), text) == 0)
    return;
  gtk_label_set_text (label, text);
  if (gtk_label_get_ellipsize (label) != PANGO_ELLIPSIZE_NONE)
    weir_set_tooltip (GTK_WIDGET (label), text);
}

GtkWidget *
weir_problem_label_new (int chars)
{
  GtkWidget *problem = gtk_label_new (NULL);

  weir_label_wrap_at (GTK_LABEL (problem), chars);
  gtk_widget_add_css_class (problem, "error");
  gtk_widget_set_visible (problem, FALSE);
  return problem;
}

/* --- A drop-down that can be narrow ---------------------------------------------------------- */

static void
setup (G_GNUC_UNUSED GtkListItemFactory *factory, GtkListItem *item, gpointer shortens)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (shortens != NULL)
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_list_item_set_child (item, label);
}

static void
bind (G_GNUC_UNUSED GtkListItemFactory *factory, GtkListItem *item, gpointer shortens)
{
  const char *text = gtk_string_object_get_string (gtk_list_item_get_item (item));
  GtkWidget *label = gtk_list_item_get_child (item);

  gtk_label_set_text (GTK_LABEL (label), text);
  if (shortens != NULL)
    weir_set_tooltip (label, text);
}

static GtkListItemFactory *
factory_new (gboolean shortens)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup), GINT_TO_POINTER (shortens));
  g_signal_connect (factory, "bind", G_CALLBACK (bind), GINT_TO_POINTER (shortens));
  return factory;
}

void
weir_drop_down_make_narrow (GtkDropDown *choice)
{
  g_autoptr (GtkListItemFactory) button = factory_new (TRUE), list = factory_new (FALSE);

  gtk_drop_down_set_factory (choice, button);
  gtk_drop_down_set_list_factory (choice, list);
}

GtkWidget *
weir_drop_down_new (GtkStringList *strings, const char *label)
{
  GtkWidget *choice = gtk_drop_down_new (
      strings != NULL ? G_LIST_MODEL (strings) : NULL,
      gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string"));

  weir_drop_down_make_narrow (GTK_DROP_DOWN (choice));
  gtk_widget_set_hexpand (choice, TRUE);
  weir_set_tooltip (choice, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (choice), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  return choice;
}

/* --- Pictograms of blocks -------------------------------------------------------------------- */

static void
draw_icon (GtkDrawingArea *icon, cairo_t *cr, int width, int height, G_GNUC_UNUSED gpointer data)
{
  const char *type = g_object_get_data (G_OBJECT (icon), "weir-type");

  if (type != NULL)
    weir_draw_block_icon (cr, type, width, height, weir_look_get_palette ());
}

void
weir_block_icon_set_type (GtkWidget *icon, const char *type)
{
  g_object_set_data_full (G_OBJECT (icon), "weir-type", g_strdup (type), g_free);
  gtk_widget_queue_draw (icon);
}

GtkWidget *
weir_block_icon_new (const char *type, int width, int height)
{
  GtkWidget *icon = gtk_drawing_area_new ();

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (icon), width);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (icon), height);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (icon), draw_icon, NULL, NULL);
  weir_look_follow (icon, G_CALLBACK (gtk_widget_queue_draw));
  weir_block_icon_set_type (icon, type);
  return icon;
}

/* --- How severe problems look ---------------------------------------------------------------- */

static const struct {
  const char *icon, *name, *css_class;
} severities[] = {
  [WEIR_SEVERITY_HINT] = { "dialog-information-symbolic", N_ ("Hint"), "weir-hint" },
  [WEIR_SEVERITY_WARNING] = { "dialog-warning-symbolic", N_ ("Warning"), "warning" },
  [WEIR_SEVERITY_ERROR] = { "dialog-error-symbolic", N_ ("Error"), "error" },
};

const char *
weir_severity_get_name (WeirSeverity severity)
{
  return _ (severities[severity].name);
}

void
weir_severity_show (GtkImage *image, WeirSeverity severity)
{
  gtk_image_set_from_icon_name (image, severities[severity].icon);
  for (guint i = 0; i < G_N_ELEMENTS (severities); i++)
    if (i == (guint) severity)
      gtk_widget_add_css_class (GTK_WIDGET (image), severities[i].css_class);
    else
      gtk_widget_remove_css_class (GTK_WIDGET (image), severities[i].css_class);
}

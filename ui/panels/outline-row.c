/* A row of the outline: pictogram, name and, where something is wrong, a sign. See outline-row.h.
 */
#include "panels/outline-row.h"

#include <glib/gi18n-lib.h>

#include "blocks/library/registry.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

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
  weir_set_tooltip (expander, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (expander), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken,
                                  -1);
  if (list_row != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (list_row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    spoken, -1);
}

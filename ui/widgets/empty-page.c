/* A page without anything. See empty-page.h. */
#include "widgets/empty-page.h"

#include "widgets/margins.h"

#define TEXT_WIDTH 60 /* characters */
#define MARGIN 24     /* pixels at either side */

GtkWidget *
weir_empty_page_new (const char *title, const char *text, GtkWidget *below)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *head = gtk_label_new (title);

  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_vexpand (box, TRUE);
  weir_set_margins (box, MARGIN, 0);
  gtk_widget_add_css_class (head, "title-4");
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
  return box;
}

/* Room around a widget. See margins.h. */
#include "widgets/margins.h"

void
weir_set_margins (GtkWidget *widget, int sides, int ends)
{
  gtk_widget_set_margin_start (widget, sides);
  gtk_widget_set_margin_end (widget, sides);
  gtk_widget_set_margin_top (widget, ends);
  gtk_widget_set_margin_bottom (widget, ends);
}

/* The axes of a plot as a user types them: limits, titles, whether they are logarithmic.
 * Thread: *main*. */
#pragma once

#include "scopes/plot-view.h"

G_BEGIN_DECLS

/* Asks for them in a popover of @parent; an axis without limits follows the data. */
void weir_plot_axes_ask (GtkWidget *parent, WeirPlotView *view);

G_END_DECLS

/* The limits of a plot's axes, typed. Thread: *main*. */
#pragma once

#include "scopes/plot-view.h"

G_BEGIN_DECLS

/* Asks for them in a popover of @parent; an axis without limits follows the data. */
void weir_plot_limits_ask (GtkWidget *parent, WeirPlotView *view);

G_END_DECLS

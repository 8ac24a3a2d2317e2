/* The menu of a plot: a picture of it, what was recorded as a table, an earlier run beneath it.
 *
 * Its items activate actions of the window: export-plot and copy-plot with the plot's key,
 * export-results, and those of the lists of runs and uses. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @key: tells which plot is meant. @is_card: it has the actions of
 * WeirPlotCard. @runs
 * (nullable): a submenu of runs to compare with; @uses (nullable): one of what its curves can be
 * used for; both may change. (transfer full) */
GMenuModel *weir_plot_menu_new (const char *key, gboolean is_card, GMenuModel *runs,
                                GMenuModel *uses);
/* @uses: items whose target is a string; the same with the pair of @signal and that. (transfer
 * full) */
GMenuModel *weir_plot_menu_new_uses (GMenuModel *uses, const char *signal);
/* For the head of a plot. */
GtkWidget *weir_plot_menu_button_new (GMenuModel *menu);
/* Opens @menu at the pointer on a secondary click or a long press on @plot, and by the menu keys.
 * @plot is a child of the widget that the menu is shown by. */
void weir_plot_menu_attach (GtkWidget *plot, GMenuModel *menu);
/* Once, at a position of such a plot. */
void weir_plot_menu_pop_up (GtkWidget *plot, GMenuModel *menu, double x, double y);
/* The key of "plot.apart", an action of @klass. */
void weir_plot_menu_bind_apart (GtkWidgetClass *klass);
/* Takes @popover from its parent once it is closed and its signals are out. */
void weir_popover_unparent_when_closed (GtkWidget *popover);

G_END_DECLS

/* WeirPlotCard: a plot with its head: the title, a toggle per curve that shows or hides it, and
 * buttons.
 *
 * Signal "remove": the user wants these signals plotted no longer; only of a removable card.
 * Thread: *main*.
 */
#pragma once

#include "scopes/plot-view.h"

G_BEGIN_DECLS

#define WEIR_TYPE_PLOT_CARD (weir_plot_card_get_type ())
G_DECLARE_FINAL_TYPE (WeirPlotCard, weir_plot_card, WEIR, PLOT_CARD, GtkWidget)

/* @right: names of the curves that have their axis on the right, as a set; kept (ref) and changed
 * by the reader. @menu: of the plot.
 */
GtkWidget *weir_plot_card_new (const char *title, gboolean removable, GHashTable *right,
                               GMenuModel *menu);
/* (transfer none) */
WeirPlotView *weir_plot_card_get_view (WeirPlotCard *self);
/* @name: of the curve, for people. */
void weir_plot_card_add_signal (WeirPlotCard *self, WeirRecorder *recorder, guint signal,
                                const char *name, WeirCurveStyle style);
/* Beneath the curve just added, what the port called @signal was in an earlier run, called @run;
 * nothing where that recorded no such port. */
void weir_plot_card_add_earlier (WeirPlotCard *self, WeirRecorder *recorder, const char *signal,
                                 const char *run);

G_END_DECLS

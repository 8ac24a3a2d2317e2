/* WeirPlotCard: a plot with its head: the title, a toggle per curve that shows or hides it, and
 * buttons.
 *
 * Signals: "remove": the user wants these signals plotted no longer; only of a removable card;
 * "look-changed": the user looks at it otherwise than before; "time-changed": at another time
 * range; "bounds-checked": verdicts on bounds may be
 * others; "large": it is to be seen alone, or with the others again; "apart": in a window of its
 * own, or with them again. Thread: *main*.
 */
#pragma once

#include "scopes/plot-view.h"
#include "scopes/spectrum-view.h"

G_BEGIN_DECLS

#define WEIR_TYPE_PLOT_CARD (weir_plot_card_get_type ())
G_DECLARE_FINAL_TYPE (WeirPlotCard, weir_plot_card, WEIR, PLOT_CARD, GtkWidget)

/* @look: as weir_plot_card_dup_look() gave it; NULL = as plots begin. @menu: of the plot. */
GtkWidget *weir_plot_card_new (const char *title, gboolean removable, const char *look,
                               GMenuModel *menu);
#define WEIR_PLOT_APART "apart"
/* How it is looked at: a line "right NAME" or "hidden NAME" for each curve whose axis is on the
 * right, or that is hidden, also where no such curve is plotted at present; "time FIRST LAST" (s),
 * "values LOW HIGH" and "right-values LOW HIGH" for an axis whose range is fixed; "log AXIS" and
 * "title AXIS TEXT" (time, values, right) for one that is logarithmic or called otherwise; "cursor
 * Y1 VALUE" and "cursor Y2 VALUE" for cursors at values;
 * "spectrum LOOK" (weir_spectrum_view_dup_look()) if that is seen; "upper FROM TO A B NAME" and
 * "lower ..." (bound.h); "levels Y0 YF LOW HIGH BAND NAME" for a curve whose step is judged
 * otherwise; WEIR_PLOT_APART if it is in a window of its own; "" = as plots begin. (transfer full)
 */
char *weir_plot_card_dup_look (WeirPlotCard *self);
/* (transfer none) */
WeirPlotView *weir_plot_card_get_view (WeirPlotCard *self);
/* NULL: the plot is over time. (transfer none) */
WeirSpectrumView *weir_plot_card_get_spectrum (WeirPlotCard *self);
/* @name: of the curve, for people. */
void weir_plot_card_add_signal (WeirPlotCard *self, WeirRecorder *recorder, guint signal,
                                const char *name, WeirCurveStyle style);
/* Beneath the curve just added, what the port called @signal was in an earlier run, called @run: a
 * signal of that name or of the curve's, or, in a table, of the last part of it. FALSE: there is
 * none. */
gboolean weir_plot_card_add_earlier (WeirPlotCard *self, WeirRecorder *recorder, const char *signal,
                                     const char *run);

/* Shows the time range of @other, as if the user had chosen it here. */
void weir_plot_card_take_time (WeirPlotCard *self, WeirPlotCard *other);
/* Whether it is in a window of its own: is kept with how it is looked at. */
void weir_plot_card_set_apart (WeirPlotCard *self, gboolean apart);
/* How the step of a curve is judged. */
WeirStepLevels weir_plot_card_get_levels (WeirPlotCard *self, guint curve);
void weir_plot_card_set_levels (WeirPlotCard *self, guint curve, const WeirStepLevels *levels);

/* The bounds of a curve, with their verdicts. (element-type WeirJudgedBound) (transfer full) */
GArray *weir_plot_card_dup_bounds (WeirPlotCard *self, guint curve);
/* @bounds: WeirBound */
void weir_plot_card_set_bounds (WeirPlotCard *self, guint curve, const GArray *bounds);
/* There are other samples: "bounds-checked" follows, where there are bounds at all. @signals:
 * (transfer full) WeirFiguresSignal of the curves that can be seen. */
void weir_plot_card_check_bounds (WeirPlotCard *self, GArray *signals);
gboolean weir_plot_card_has_bounds (WeirPlotCard *self);
gboolean weir_plot_card_is_checked (WeirPlotCard *self); /* for tests */

G_END_DECLS

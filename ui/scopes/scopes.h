/* WeirScopes: the live plots of a run, side by side: one per Scope block and one for the other
 * ports that are recorded.
 *
 * It reads the session's recorder by its published length, once per frame and only while the run
 * goes on and the widget is shown; the run never waits for it. One time cursor is shared by all
 * plots. A plot can be in a window of its own, which follows runs also while this widget is not
 * shown, and goes with it. Where a run records nothing it says so; its button there activates
 * "win.add-scope".
 *
 * Signals: "cursor-moved" (double time): the pointer is at this time of a plot; NAN when it left;
 * "remove-chosen": the user wants the signals that no Scope shows plotted no longer; "look-changed"
 * (string name, string text): how a plot is looked at is to be kept in the model under this name
 * (weir_patch_set_plot()); NULL text: as plots begin; "measuring-changed": cursors or figures came
 * or went; "asking-ended": no curve is to be chosen after all.
 * Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "model/tree/model.h"
#include "paint/drawing/picture.h"
#include "sim/session.h"

G_BEGIN_DECLS

#define WEIR_TYPE_SCOPES (weir_scopes_get_type ())
G_DECLARE_FINAL_TYPE (WeirScopes, weir_scopes, WEIR, SCOPES, GtkWidget)

/* The run whose recording is shown; NULL shows the empty state. */
void weir_scopes_set_session (WeirScopes *self, WeirSession *session);
/* The model that the run was made from: tells which signals belong to which Scope. */
void weir_scopes_set_model (WeirScopes *self, WeirModel *model);

/* The model as it is now, which keeps how plots are looked at. */
void weir_scopes_set_looks (WeirScopes *self, WeirModel *model);

/* Of the windows of single plots: the group "win", which does what it does in the window of the
 * model, and the name of that. Before the first plot. */
void weir_scopes_set_actions (WeirScopes *self, GActionGroup *actions);
void weir_scopes_set_model_name (WeirScopes *self, const char *name);

/* What is shown in place of what the run recorded: signals of the same names; NULL: that again.
 * @keeps_shadow: the curves of when this began stay faintly, until weir_scopes_drop_shadows(). */
void weir_scopes_set_results (WeirScopes *self, WeirRecorder *results, gboolean keeps_shadow);
void weir_scopes_drop_shadows (WeirScopes *self);

/* What to compare with: the same signals of an earlier run, called @name, are drawn beneath. NULL =
 * nothing. */
void weir_scopes_set_earlier (WeirScopes *self, WeirRecorder *earlier, const char *name);
/* The runs to choose from, for the plots' menus; before the first plot. */
void weir_scopes_set_runs_menu (WeirScopes *self, GMenuModel *runs);
/* What a curve can be used for, for the plots' menus: items whose target is a string; before the
 * first plot. Chosen, its action has the pair of the signal's name and that. */
void weir_scopes_set_uses (WeirScopes *self, GMenuModel *uses);
/* A click on a curve asks which of those it is to be. */
void weir_scopes_set_asks (WeirScopes *self, gboolean asks);
/* How to draw the plot whose menu has this key, light, with its legend; @data is valid as long as
 * the plot is. FALSE if there is none. */
gboolean weir_scopes_find_picture (WeirScopes *self, const char *key, WeirPictureFunc *draw,
                                   gpointer *data);

/* Brings the plot of the Scope at this path into view. FALSE if there is none. */
gboolean weir_scopes_show_plot (WeirScopes *self, const char *scope);

/* Where the time cursor of all plots is while the pointer is on none; NAN = nowhere. */
void weir_scopes_set_cursor (WeirScopes *self, double time);

/* The cursors that all plots share, to measure with: there, where they were or at a third and two
 * thirds of the first plot; or nowhere. */
void weir_scopes_set_measures (WeirScopes *self, gboolean measures);
gboolean weir_scopes_get_measures (WeirScopes *self);
/* NAN = nowhere. */
double weir_scopes_get_measuring (WeirScopes *self, guint cursor);
/* Where the model keeps it. */
double weir_scopes_read_kept_cursor (WeirModel *model, guint cursor);
/* Whether all plots show the same time range. */
void weir_scopes_set_linked (WeirScopes *self, gboolean linked);
gboolean weir_scopes_get_linked (WeirScopes *self);
/* The table of figures beside the plots. */
void weir_scopes_set_shows_figures (WeirScopes *self, gboolean shows);
gboolean weir_scopes_get_shows_figures (WeirScopes *self);

/* For tests: how many plots there are, and the samples that plot @i has drawn. */
guint weir_scopes_get_n_plots (WeirScopes *self);
gsize weir_scopes_get_n_samples (WeirScopes *self);
/* Of how many curves what there is to compare with has one of the same name. */
guint weir_scopes_get_n_earlier (WeirScopes *self);
/* The window of the plot of the Scope at this path; NULL: it is among the others. */
GtkWindow *weir_scopes_get_window (WeirScopes *self, const char *scope);

G_END_DECLS

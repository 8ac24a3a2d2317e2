/* WeirFiguresPanel: figures of the signals that plots show, as a table: values at the two cursors
 * and their differences, statistics, step figures, what repeats, peaks.
 *
 * Figures are worked out in a thread, however many samples there are; of several requests the
 * newest counts. What a signal does not have is a dash, and a sentence under the table says why.
 * The table can be copied as text and as CSV (Ctrl+C; "figures.copy-text", "figures.copy-csv").
 *
 * Signals: "group-chosen": the user shows other figures; "levels-edited" (uint signal): the user
 * judges its step otherwise (weir_figures_panel_get_edited()); "levels-found": what
 * weir_figures_panel_get_levels() tells may be another. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "analysis/figures.h"
#include "paint/plots/plot.h"

G_BEGIN_DECLS

#define WEIR_TYPE_FIGURES_PANEL (weir_figures_panel_get_type ())
G_DECLARE_FINAL_TYPE (WeirFiguresPanel, weir_figures_panel, WEIR, FIGURES_PANEL, GtkWidget)

/* What is shown of a signal. */
typedef struct {
  char *name;
  WeirRecorder *recorder;
  guint signal;
  WeirBetween between;
  WeirTimeRange range; /* that figures are of */
  WeirStepLevels levels;
  double readings[WEIR_N_CURSORS]; /* at the cursors; NAN: none */
  gboolean is_sample[WEIR_N_CURSORS];
  guint color;         /* of palette->curves */
  gboolean is_earlier; /* of another run */
} WeirFiguresSignal;

/* WeirFiguresSignal, empty. (transfer full) */
GArray *weir_figures_signals_new (void);

GtkWidget *weir_figures_panel_new (void);
/* Shows these from now on; to be called again whenever there are more samples. @signals: (transfer
 * full). @cursors: where they are (s); NAN: nowhere. */
void weir_figures_panel_show (WeirFiguresPanel *self, GArray *signals,
                              const double cursors[WEIR_N_CURSORS]);

/* Which figures are shown: "cursors", "range", "step", "period", "peaks". One that is not known is
 * none of them: nothing changes. */
const char *weir_figures_panel_get_group (WeirFiguresPanel *self);
void weir_figures_panel_set_group (WeirFiguresPanel *self, const char *group);

/* How the step of a signal is judged, as it was edited. */
WeirStepLevels weir_figures_panel_get_edited (WeirFiguresPanel *self, guint signal);
/* FALSE: no levels are to be drawn. Else those of @signal, with the initial and final value that
 * were found. */
gboolean weir_figures_panel_get_levels (WeirFiguresPanel *self, guint *signal,
                                        WeirStepLevels *levels);

/* The table as it is copied. (transfer full) */
char *weir_figures_panel_to_text (WeirFiguresPanel *self, gboolean csv);
/* For tests: are figures found of all that was asked for? */
gboolean weir_figures_panel_is_settled (WeirFiguresPanel *self);

G_END_DECLS

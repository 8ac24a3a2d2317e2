/* WeirSpectrumView: the spectra of the signals of a plot over frequency: amplitudes or power
 * densities, with a window, logarithmic where that is wanted.
 *
 * Spectra are worked out in a thread; of several requests the newest counts. A signal is read at
 * even times over the range that is looked at, in stretches that overlap where there are very many
 * samples; a note under the chart says of what, and what stands out. Thread: *main*.
 *
 * Signal "changed": the user wants them otherwise.
 */
#pragma once

#include "scopes/figures-panel.h"

G_BEGIN_DECLS

#define WEIR_TYPE_SPECTRUM_VIEW (weir_spectrum_view_get_type ())
G_DECLARE_FINAL_TYPE (WeirSpectrumView, weir_spectrum_view, WEIR, SPECTRUM_VIEW, GtkWidget)

/* @title: read out. */
GtkWidget *weir_spectrum_view_new (const char *title);
/* Shows those of these signals from now on; to be called again whenever there are more samples.
 * @signals: (transfer full) WeirFiguresSignal, without figures. */
void weir_spectrum_view_show (WeirSpectrumView *self, GArray *signals);
/* How they are looked at: "amplitude hann linear linear": amplitude or density, the window, axes of
 * frequency and value (linear or log). What is not known is as it begins. */
char *weir_spectrum_view_dup_look (WeirSpectrumView *self);
void weir_spectrum_view_set_look (WeirSpectrumView *self, const char *look);

/* (transfer none) */
GtkWidget *weir_spectrum_view_get_chart_view (WeirSpectrumView *self);
/* For tests: is all found that was asked for? */
gboolean weir_spectrum_view_is_settled (WeirSpectrumView *self);
const char *weir_spectrum_view_get_note (WeirSpectrumView *self);

G_END_DECLS

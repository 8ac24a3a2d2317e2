/* What is measured in the plots of WeirScopes: two cursors that all of them share, and the table of
 * figures. See scopes.h.
 *
 * Where the cursors are and which figures are shown is kept with the model as one look, a few
 * lines, under a name of its own.
 */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "widgets/tooltips.h"

#include "scopes/scopes-private.h"

#define LOOK "measuring" /* what the look is kept under */
#define CURSOR "cursor " /* "cursor A 1.5" */
#define FIGURES "figures "
#define LINKED "linked"
#define TABLE_WIDTH 340 /* px, that the table gets at first */

static void
foreach_card (WeirScopes *self, void (*func) (WeirScopes *self, WeirPlotCard *card, gpointer data),
              gpointer data)
{
  for (guint i = 0; self->plots != NULL && i < self->plots->len; i++)
    if (WEIR_IS_PLOT_CARD (self->plots->pdata[i]))
      func (self, self->plots->pdata[i], data);
}

/* --- How it is kept -------------------------------------------------------------------------- */

static void
keep (WeirScopes *self)
{
  g_autoptr (GString) look = g_string_new (NULL);

  for (guint i = 0; i < WEIR_N_CURSORS; i++)
    if (!isnan (self->measuring[i]))
      {
        char time[G_ASCII_DTOSTR_BUF_SIZE];

        g_string_append_printf (look, "%s" CURSOR "%s %s", look->len > 0 ? "\n" : "",
                                weir_cursor_names[i],
                                g_ascii_dtostr (time, sizeof time, self->measuring[i]));
      }
  if (gtk_widget_get_visible (self->figures))
    g_string_append_printf (look, "%s" FIGURES "%s", look->len > 0 ? "\n" : "",
                            weir_figures_panel_get_group (WEIR_FIGURES_PANEL (self->figures)));
  if (self->is_linked)
    g_string_append (look, look->len > 0 ? "\n" LINKED : LINKED);
  if (g_strcmp0 (self->measuring_look, look->len > 0 ? look->str : NULL) == 0)
    return;
  g_free (self->measuring_look);
  self->measuring_look = look->len > 0 ? g_strdup (look->str) : NULL;
  weir_scopes_tell_look (self, LOOK, self->measuring_look);
}

/* --- Figures --------------------------------------------------------------------------------- */

static WeirTimeRange
get_range (WeirScopes *self, WeirPlot *plot)
{
  WeirTimeRange range;

  if (isnan (self->measuring[0]) || isnan (self->measuring[1]))
    weir_plot_get_range (plot, WEIR_PLOT_TIME, &range.from, &range.to);
  else
    {
      range.from = MIN (self->measuring[0], self->measuring[1]);
      range.to = MAX (self->measuring[0], self->measuring[1]);
    }
  return range;
}

static void
add_curves (WeirScopes *self, WeirPlotCard *card, gpointer list)
{
  WeirPlot *plot = weir_plot_view_get_plot (weir_plot_card_get_view (card));

  for (guint i = 0; i < weir_plot_get_n_curves (plot); i++)
    {
      WeirFiguresSignal signal = { .range = get_range (self, plot),
                                   .levels = weir_plot_card_get_levels (card, i) };

      if (!weir_plot_get_curve_visible (plot, i)
          || !weir_plot_get_signal (plot, i, &signal.recorder, &signal.signal))
        continue;
      weir_recorder_ref (signal.recorder);
      signal.name = g_strdup (weir_plot_get_curve_name (plot, i));
      signal.bounds = weir_plot_card_dup_bounds (card, i);
      signal.color = weir_plot_get_curve_color (plot, i);
      signal.is_earlier = weir_plot_is_earlier (plot, i);
      signal.between = weir_plot_get_curve_style (plot, i) == WEIR_CURVE_STEPS
                           ? WEIR_BETWEEN_HELD_BEFORE
                           : WEIR_BETWEEN_LINES;
      for (guint k = 0; k < WEIR_N_CURSORS; k++)
        if (!weir_plot_read (plot, i, self->measuring[k], &signal.readings[k],
                             &signal.is_sample[k]))
          signal.readings[k] = (double) NAN;
      g_array_append_val ((GArray *) list, signal);
    }
}

static void
refresh_bounds (WeirScopes *self, WeirPlotCard *card, G_GNUC_UNUSED gpointer data)
{
  GArray *list;

  if (!weir_plot_card_has_bounds (card))
    return;
  list = weir_figures_signals_new ();
  add_curves (self, card, list);
  weir_plot_card_check_bounds (card, list);
}

static void
refresh_spectrum (WeirScopes *self, WeirPlotCard *card, G_GNUC_UNUSED gpointer data)
{
  WeirSpectrumView *spectrum = weir_plot_card_get_spectrum (card);
  GArray *list;

  if (spectrum == NULL)
    return;
  list = weir_figures_signals_new ();
  add_curves (self, card, list);
  weir_spectrum_view_show (spectrum, list);
}

static void
refresh_table (WeirScopes *self)
{
  GArray *list;

  if (self->figures == NULL || !gtk_widget_get_visible (self->figures))
    return;
  list = weir_figures_signals_new ();
  foreach_card (self, add_curves, list);
  weir_figures_panel_show (WEIR_FIGURES_PANEL (self->figures), list, self->measuring);
}

/* The tables of plots that are in windows of their own. */
static void
refresh_windows (WeirScopes *self)
{
  GHashTableIter iter;
  gpointer window;

  g_hash_table_iter_init (&iter, self->windows);
  while (g_hash_table_iter_next (&iter, NULL, &window))
    {
      WeirFiguresPanel *figures = weir_plot_window_get_figures (window);
      GtkWidget *card = weir_plot_window_get_plot (window);
      GArray *list;

      if (!gtk_widget_get_visible (GTK_WIDGET (figures)))
        continue;
      list = weir_figures_signals_new ();
      if (WEIR_IS_PLOT_CARD (card))
        add_curves (self, WEIR_PLOT_CARD (card), list);
      weir_figures_panel_show (figures, list, self->measuring);
    }
}

void
weir_scopes_refresh_figures (WeirScopes *self)
{
  foreach_card (self, refresh_spectrum, NULL);
  foreach_card (self, refresh_bounds, NULL);
  refresh_table (self);
  refresh_windows (self);
}

/* --- Levels ---------------------------------------------------------------------------------- */

/* A signal of the table, as its plots have it. */
typedef struct {
  guint wanted, passed;
  WeirPlotCard *only; /* that the table is of; NULL: of all */
  WeirPlotCard *card; /* NULL: not found yet */
  guint curve;
} Place;

static void
find_place (G_GNUC_UNUSED WeirScopes *self, WeirPlotCard *card, gpointer data)
{
  WeirPlot *plot = weir_plot_view_get_plot (weir_plot_card_get_view (card));
  Place *place = data;

  if (place->only != NULL && card != place->only)
    return;
  for (guint i = 0; i < weir_plot_get_n_curves (plot); i++)
    {
      WeirRecorder *recorder;
      guint signal;

      if (weir_plot_get_curve_visible (plot, i)
          && weir_plot_get_signal (plot, i, &recorder, &signal) && place->passed++ == place->wanted)
        {
          place->card = card;
          place->curve = i;
        }
    }
}

static void
clear_levels (G_GNUC_UNUSED WeirScopes *self, WeirPlotCard *card, gpointer only)
{
  WeirPlotView *view = weir_plot_card_get_view (card);

  if (only != NULL && card != only)
    return;
  weir_plot_set_levels (weir_plot_view_get_plot (view), 0, NULL, 0, 0);
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

/* @only: the card that the table is of; NULL: of all. */
static void
show_levels (WeirScopes *self, WeirFiguresPanel *figures, WeirPlotCard *only)
{
  Place place = { .only = only };
  WeirStepLevels levels;
  double step;

  foreach_card (self, clear_levels, only);
  if (!gtk_widget_get_visible (GTK_WIDGET (figures))
      || !weir_figures_panel_get_levels (figures, &place.wanted, &levels))
    return;
  foreach_card (self, find_place, &place);
  if (place.card == NULL)
    return;
  step = levels.final - levels.initial;
  weir_plot_set_levels (weir_plot_view_get_plot (weir_plot_card_get_view (place.card)), place.curve,
                        (const double[]) { levels.initial, levels.final,
                                           levels.initial + levels.low * step,
                                           levels.initial + levels.high * step,
                                           levels.final + levels.band * fabs (step),
                                           levels.final - levels.band * fabs (step) },
                        2, 6);
}

static void
levels_found (WeirScopes *self)
{
  show_levels (self, WEIR_FIGURES_PANEL (self->figures), NULL);
}

/* The card of the window that a table is in; NULL: it is beside the plots, or shows none. */
static WeirPlotCard *
get_card_of (WeirFiguresPanel *figures)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (figures));
  GtkWidget *plot = WEIR_IS_PLOT_WINDOW (root) ? weir_plot_window_get_plot (WEIR_PLOT_WINDOW (root))
                                               : NULL;

  return WEIR_IS_PLOT_CARD (plot) ? WEIR_PLOT_CARD (plot) : NULL;
}

static void
window_levels_found (WeirScopes *self, WeirFiguresPanel *figures)
{
  if (get_card_of (figures) != NULL)
    show_levels (self, figures, get_card_of (figures));
}

static void
levels_edited (WeirScopes *self, guint signal, WeirFiguresPanel *figures)
{
  Place place = { .wanted = signal, .only = get_card_of (figures) };
  WeirStepLevels levels = weir_figures_panel_get_edited (figures, signal);

  foreach_card (self, find_place, &place);
  if (place.card != NULL)
    weir_plot_card_set_levels (place.card, place.curve, &levels);
}

/* --- Cursors --------------------------------------------------------------------------------- */

typedef struct {
  guint cursor;
  double time;
} Move;

static void
show_moved (G_GNUC_UNUSED WeirScopes *self, WeirPlotCard *card, gpointer data)
{
  const Move *move = data;

  weir_plot_view_set_measuring (weir_plot_card_get_view (card), move->cursor, move->time);
}

/* @is_held: it may go on at once. */
static void
move_cursor (WeirScopes *self, guint cursor, double time, gboolean is_held)
{
  gboolean had = weir_scopes_get_measures (self);

  self->measuring[cursor] = time;
  foreach_card (self, show_moved, &(Move) { cursor, time });
  weir_scopes_refresh_figures (self);
  if (!is_held)
    keep (self);
  if (had != weir_scopes_get_measures (self))
    weir_scopes_tell_measuring (self);
}

static void
measuring_moved (G_GNUC_UNUSED WeirPlotView *view, guint cursor, double time, gboolean is_held,
                 WeirScopes *self)
{
  move_cursor (self, cursor, time, is_held);
}

/* --- Time that is linked --------------------------------------------------------------------- */

static void
take_time (G_GNUC_UNUSED WeirScopes *self, WeirPlotCard *card, gpointer other)
{
  if (card != other)
    weir_plot_card_take_time (card, other);
}

static void
time_changed (WeirPlotCard *card, WeirScopes *self)
{
  if (self->is_linked)
    foreach_card (self, take_time, card);
}

static void
find_first_card (G_GNUC_UNUSED WeirScopes *self, WeirPlotCard *card, gpointer first)
{
  if (*(WeirPlotCard **) first == NULL)
    *(WeirPlotCard **) first = card;
}

void
weir_scopes_set_linked (WeirScopes *self, gboolean linked)
{
  WeirPlotCard *first = NULL;

  g_return_if_fail (WEIR_IS_SCOPES (self));

  if (linked == self->is_linked)
    return;
  self->is_linked = linked;
  foreach_card (self, find_first_card, &first);
  if (linked && first != NULL)
    foreach_card (self, take_time, first);
  keep (self);
  weir_scopes_tell_measuring (self);
}

gboolean
weir_scopes_get_linked (WeirScopes *self)
{
  return self->is_linked;
}

/* --- Plots ----------------------------------------------------------------------------------- */

void
weir_scopes_watch_measuring (WeirScopes *self, WeirPlotCard *card)
{
  WeirPlotView *view = weir_plot_card_get_view (card);

  g_signal_connect (card, "time-changed", G_CALLBACK (time_changed), self);
  g_signal_connect_swapped (card, "bounds-checked", G_CALLBACK (refresh_table), self);
  g_signal_connect (view, "measuring-moved", G_CALLBACK (measuring_moved), self);
  for (guint i = 0; i < WEIR_N_CURSORS; i++)
    weir_plot_set_measuring (weir_plot_view_get_plot (view), i, self->measuring[i]);
}

gboolean
weir_scopes_get_measures (WeirScopes *self)
{
  return !isnan (self->measuring[0]) || !isnan (self->measuring[1]);
}

double
weir_scopes_get_measuring (WeirScopes *self, guint cursor)
{
  g_return_val_if_fail (cursor < WEIR_N_CURSORS, (double) NAN);

  return self->measuring[cursor];
}

static void
find_first_range (G_GNUC_UNUSED WeirScopes *self, WeirPlotCard *card, gpointer data)
{
  WeirTimeRange *range = data;

  if (isnan (range->from))
    weir_plot_get_range (weir_plot_view_get_plot (weir_plot_card_get_view (card)), WEIR_PLOT_TIME,
                         &range->from, &range->to);
}

void
weir_scopes_set_measures (WeirScopes *self, gboolean measures)
{
  WeirTimeRange range = { (double) NAN, (double) NAN };

  g_return_if_fail (WEIR_IS_SCOPES (self));

  if (measures == weir_scopes_get_measures (self))
    return;
  foreach_card (self, find_first_range, &range);
  if (isnan (range.from)) /* there is no plot yet */
    range = (WeirTimeRange) { 0, 1 };
  for (guint i = WEIR_N_CURSORS; i-- > 0;) /* keys move the first of them */
    move_cursor (self, i,
                 measures ? range.from + (range.to - range.from) * (i + 1) / (WEIR_N_CURSORS + 1)
                          : (double) NAN,
                 FALSE);
}

/* --- The table ------------------------------------------------------------------------------- */

static void
show_figures (WeirScopes *self, gboolean shows)
{
  gtk_widget_set_visible (self->figures, shows);
  weir_scopes_refresh_figures (self);
  levels_found (self);
  weir_scopes_tell_measuring (self);
}

void
weir_scopes_set_shows_figures (WeirScopes *self, gboolean shows)
{
  g_return_if_fail (WEIR_IS_SCOPES (self));

  if (shows == gtk_widget_get_visible (self->figures))
    return;
  show_figures (self, shows);
  keep (self);
}

gboolean
weir_scopes_get_shows_figures (WeirScopes *self)
{
  return gtk_widget_get_visible (self->figures);
}

static void
window_figures_toggled (WeirScopes *self, G_GNUC_UNUSED GParamSpec *spec, WeirPlotWindow *window)
{
  GtkWidget *plot = weir_plot_window_get_plot (window);

  if (gtk_widget_get_visible (GTK_WIDGET (weir_plot_window_get_figures (window))))
    weir_scopes_refresh_figures (self);
  else if (WEIR_IS_PLOT_CARD (plot))
    clear_levels (self, WEIR_PLOT_CARD (plot), NULL);
}

void
weir_scopes_watch_window (WeirScopes *self, WeirPlotWindow *window)
{
  WeirFiguresPanel *figures = weir_plot_window_get_figures (window);

  weir_figures_panel_set_group (figures,
                                weir_figures_panel_get_group (WEIR_FIGURES_PANEL (self->figures)));
  g_signal_connect_object (window, "notify::shows-figures", G_CALLBACK (window_figures_toggled),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (figures, "levels-found", G_CALLBACK (window_levels_found), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (figures, "levels-edited", G_CALLBACK (levels_edited), self,
                           G_CONNECT_SWAPPED);
}

static double
find_kept_cursor (char **lines, guint cursor)
{
  g_autofree char *begin = g_strconcat (CURSOR, weir_cursor_names[cursor], " ", NULL);
  double time = (double) NAN;

  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], begin))
      time = g_ascii_strtod (lines[i] + strlen (begin), NULL);
  return isfinite (time) ? time : (double) NAN;
}

double
weir_scopes_read_kept_cursor (WeirModel *model, guint cursor)
{
  const char *look = weir_model_get_plot (model, LOOK);
  g_auto (GStrv) lines = g_strsplit (look != NULL ? look : "", "\n", -1);

  return find_kept_cursor (lines, cursor);
}

void
weir_scopes_take_measuring_look (WeirScopes *self)
{
  const char *look = weir_model_get_plot (self->looks, LOOK);
  g_auto (GStrv) lines = NULL;
  gboolean shows = FALSE;

  if (g_strcmp0 (look, self->measuring_look) == 0)
    return;
  g_free (self->measuring_look);
  self->measuring_look = g_strdup (look);
  lines = g_strsplit (look != NULL ? look : "", "\n", -1);
  for (guint k = 0; k < WEIR_N_CURSORS; k++)
    move_cursor (self, k, find_kept_cursor (lines, k), TRUE);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], FIGURES))
      {
        weir_figures_panel_set_group (WEIR_FIGURES_PANEL (self->figures),
                                      lines[i] + strlen (FIGURES));
        shows = TRUE;
      }
  if (self->is_linked != g_strv_contains ((const char *const *) lines, LINKED))
    {
      self->is_linked = !self->is_linked;
      weir_scopes_tell_measuring (self);
    }
  if (shows != gtk_widget_get_visible (self->figures))
    show_figures (self, shows);
}

static GtkWidget *
toggle_new (const char *text, const char *action, const char *tooltip)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (text);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "weir-plot-tool");
  weir_set_tooltip (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  return button;
}

/* There is something to measure. */
static gboolean
has_plots (G_GNUC_UNUSED GBinding *binding, const GValue *page, GValue *visible,
           G_GNUC_UNUSED gpointer data)
{
  g_value_set_boolean (visible, g_strcmp0 (g_value_get_string (page), "plots") == 0);
  return TRUE;
}

void
weir_scopes_add_measuring (WeirScopes *self)
{
  GtkWidget *tools = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);

  for (guint i = 0; i < WEIR_N_CURSORS; i++)
    self->measuring[i] = (double) NAN;
  self->paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  self->figures = weir_figures_panel_new ();
  gtk_widget_set_size_request (self->figures, TABLE_WIDTH, -1);
  gtk_widget_set_visible (self->figures, FALSE);
  gtk_paned_set_start_child (GTK_PANED (self->paned), self->stack);
  gtk_paned_set_end_child (GTK_PANED (self->paned), self->figures);
  gtk_paned_set_resize_end_child (GTK_PANED (self->paned), FALSE);
  gtk_widget_set_hexpand (self->paned, TRUE);
  gtk_widget_set_parent (self->paned, GTK_WIDGET (self));
  gtk_box_append (GTK_BOX (tools),
                  toggle_new ("A|B", "win.measure", _ ("Cursors to Measure With (A, B)")));
  gtk_box_append (GTK_BOX (tools), toggle_new ("Σ", "win.figures", _ ("Table of Figures")));
  gtk_box_append (GTK_BOX (tools),
                  toggle_new ("⟷", "win.link-time", _ ("The Same Time in All Plots")));
  gtk_widget_set_parent (tools, GTK_WIDGET (self));
  g_object_bind_property_full (self->stack, "visible-child-name", tools, "visible",
                               G_BINDING_SYNC_CREATE, has_plots, NULL, NULL, NULL);

  g_signal_connect_swapped (self->figures, "group-chosen", G_CALLBACK (keep), self);
  g_signal_connect_swapped (self->figures, "levels-found", G_CALLBACK (levels_found), self);
  g_signal_connect_swapped (self->figures, "levels-edited", G_CALLBACK (levels_edited), self);
}

/* WeirScopes. See scopes.h.
 *
 * Signals are grouped by the block that they are recorded at: those of a Scope make that Scope's
 * plot, all others share one. Signals that appear while the run goes on join their group.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "scopes/chart-view.h"
#include "scopes/plot-menu.h"
#include "scopes/scopes-private.h"
#include "scopes/signal-name.h"
#include "scopes/xy-view.h"
#include "widgets/pieces.h"

#define CHOSEN ""            /* key of the plot of signals that no Scope shows */
#define CHOSEN_LOOK "chosen" /* what its look is kept under; that of a Scope, under its id */

G_DEFINE_FINAL_TYPE (WeirScopes, weir_scopes, GTK_TYPE_WIDGET)

enum {
  SIGNAL_CURSOR_MOVED,
  SIGNAL_REMOVE_CHOSEN,
  SIGNAL_LOOK_CHANGED,
  SIGNAL_MEASURING_CHANGED,
  SIGNAL_ASKING_ENDED,
  N_SIGNALS,
};
static guint signals[N_SIGNALS];

/* --- Plots ----------------------------------------------------------------------------------- */

static void
show_cursor (WeirScopes *self, double time)
{
  GHashTableIter iter;
  gpointer card;

  g_hash_table_iter_init (&iter, self->cards);
  while (g_hash_table_iter_next (&iter, NULL, &card))
    weir_plot_view_set_cursor (weir_plot_card_get_view (card), time);
  g_hash_table_iter_init (&iter, self->xy_views);
  while (g_hash_table_iter_next (&iter, NULL, &card))
    weir_xy_view_set_cursor (card, time);
}

static void
cursor_moved (WeirScopes *self, double time)
{
  show_cursor (self, isnan (time) ? self->cursor : time);
  g_signal_emit (self, signals[SIGNAL_CURSOR_MOVED], 0, time);
}

void
weir_scopes_set_cursor (WeirScopes *self, double time)
{
  g_return_if_fail (WEIR_IS_SCOPES (self));

  self->cursor = time;
  show_cursor (self, time);
}

/* What was recorded stays recorded; it is only looked at no longer. */
static void
remove_chosen (WeirScopes *self)
{
  GtkWidget *card = g_hash_table_lookup (self->cards, CHOSEN);

  g_hash_table_remove (self->cards, CHOSEN);
  weir_scopes_remove (self, card);
  g_signal_emit (self, signals[SIGNAL_REMOVE_CHOSEN], 0);
}

/* What the look of this plot is kept under; NULL: the model that runs has no such block. (transfer
 * full) */
static char *
dup_look_name (WeirScopes *self, const char *group)
{
  WeirBlock *block;

  if (g_str_equal (group, CHOSEN))
    return g_strdup (CHOSEN_LOOK);
  block = self->model != NULL ? weir_model_find_path (self->model, group) : NULL;
  return block != NULL ? g_strdup_printf ("%u", weir_block_get_id (block)) : NULL;
}

static void
look_changed (WeirPlotCard *card, WeirScopes *self)
{
  GHashTableIter iter;
  gpointer group, other;

  g_hash_table_iter_init (&iter, self->cards);
  while (g_hash_table_iter_next (&iter, &group, &other))
    if (other == card)
      {
        g_autofree char *name = dup_look_name (self, group);
        g_autofree char *text = weir_plot_card_dup_look (card);

        if (name != NULL)
          weir_scopes_tell_look (self, name, *text != '\0' ? text : NULL);
        break;
      }
  weir_scopes_refresh_figures (self);
}

void
weir_scopes_set_looks (WeirScopes *self, WeirModel *model)
{
  g_return_if_fail (WEIR_IS_SCOPES (self));

  weir_model_ref (model);
  g_clear_pointer (&self->looks, weir_model_unref);
  self->looks = model;
  weir_scopes_take_measuring_look (self);
}

void
weir_scopes_tell_look (WeirScopes *self, const char *name, const char *text)
{
  g_signal_emit (self, signals[SIGNAL_LOOK_CHANGED], 0, name, text);
}

void
weir_scopes_tell_measuring (WeirScopes *self)
{
  g_signal_emit (self, signals[SIGNAL_MEASURING_CHANGED], 0);
}

void
weir_scopes_tell_asking (WeirScopes *self)
{
  g_signal_emit (self, signals[SIGNAL_ASKING_ENDED], 0);
}

/* One plot alone, or all of them. */
static void
toggle_large (WeirPlotCard *card, WeirScopes *self)
{
  if (gtk_widget_get_parent (GTK_WIDGET (card)) != self->box)
    return; /* it is alone in its window */
  weir_scopes_show_alone (self, self->is_large ? NULL : GTK_WIDGET (card));
  gtk_widget_grab_focus (GTK_WIDGET (weir_plot_card_get_view (card)));
}

static void
toggle_apart (GtkWidget *plot, WeirScopes *self)
{
  weir_scopes_toggle_apart (self, plot);
}

/* As the model has it, kept under @name. */
static const char *
get_look (WeirScopes *self, const char *name)
{
  return name != NULL && self->looks != NULL ? weir_model_get_plot (self->looks, name) : NULL;
}

static WeirPlotCard *
get_card (WeirScopes *self, const char *scope)
{
  const char *group = scope != NULL ? scope : CHOSEN;
  WeirPlotCard *card = g_hash_table_lookup (self->cards, group);

  if (card == NULL)
    {
      g_autoptr (GMenu) uses = g_menu_new ();
      g_autoptr (GMenuModel) menu = weir_plot_menu_new (
          group, TRUE, self->runs, self->uses != NULL ? G_MENU_MODEL (uses) : NULL);
      g_autofree char *name = dup_look_name (self, group);
      const char *look = get_look (self, name);

      card = WEIR_PLOT_CARD (weir_plot_card_new (scope != NULL ? scope : _ ("Chosen Signals"),
                                                 scope == NULL, look, menu));
      g_signal_connect (card, "look-changed", G_CALLBACK (look_changed), self);
      g_signal_connect_swapped (weir_plot_card_get_view (card), "cursor-moved",
                                G_CALLBACK (cursor_moved), self);
      weir_scopes_watch_measuring (self, card);
      weir_scopes_watch_uses (self, card, uses);
      g_signal_connect_swapped (card, "remove", G_CALLBACK (remove_chosen), self);
      g_signal_connect (card, "large", G_CALLBACK (toggle_large), self);
      g_signal_connect (card, "apart", G_CALLBACK (toggle_apart), self);
      weir_scopes_place (self, GTK_WIDGET (card), group, name, look);
      g_hash_table_insert (self->cards, g_strdup (group), card);
    }
  return card;
}

static void
take_up_xy_signal (WeirScopes *self, WeirRecorder *recorder, guint signal,
                   const WeirSignalName *name)
{
  WeirXyView *view = g_hash_table_lookup (self->xy_views, name->scope);
  void (*set) (WeirXyPlot * plot, guint signal,
               const char *label) = name->xy_axis == 0 ? weir_xy_plot_set_x : weir_xy_plot_set_y;

  if (view == NULL)
    {
      g_autoptr (GMenuModel) menu = weir_plot_menu_new (name->scope, FALSE, self->runs, NULL);
      g_autofree char *look_name = dup_look_name (self, name->scope);

      view = WEIR_XY_VIEW (weir_xy_view_new (name->scope, recorder, menu));
      g_signal_connect (view, "apart", G_CALLBACK (toggle_apart), self);
      g_signal_connect_swapped (view, "cursor-moved", G_CALLBACK (cursor_moved), self);
      weir_scopes_place (self, GTK_WIDGET (view), name->scope, look_name,
                         get_look (self, look_name));
      g_hash_table_insert (self->xy_views, g_strdup (name->scope), view);
    }
  set (weir_xy_view_get_plot (view), signal, name->name);
}

static void
take_up_signals (WeirScopes *self)
{
  WeirRecorder *recorder = weir_session_get_recorder (self->session);
  guint n = weir_recorder_get_n_signals (recorder);

  if (n == 0 && weir_session_get_state (self->session) != WEIR_SESSION_IDLE)
    gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "unrecorded");
  if (self->n_signals == n)
    return;
  for (; self->n_signals < n; self->n_signals++)
    {
      const char *port = weir_recorder_get_signal_name (recorder, self->n_signals);
      g_auto (WeirSignalName) name = weir_signal_name_find (self->model, port);
      WeirPlotCard *card;
      WeirPlot *plot;

      if (name.xy_axis >= 0)
        {
          take_up_xy_signal (self, recorder, self->n_signals, &name);
          continue;
        }
      card = get_card (self, name.scope);
      weir_plot_card_add_signal (card, recorder, self->n_signals, name.name,
                                 name.is_discrete ? WEIR_CURVE_STEPS : WEIR_CURVE_LINE);
      weir_scopes_add_use (self, card, name.name, port);
      plot = weir_plot_view_get_plot (weir_plot_card_get_view (card));
      weir_scopes_show_unit (self, card, weir_plot_get_n_curves (plot) - 1);
      if (self->earlier != NULL)
        weir_plot_card_add_earlier (card, self->earlier, port, self->earlier_name);
    }
  weir_scopes_close_empty (self);
  weir_scopes_show_places (self);
}

/* The time that the axes show at least. Up to the stop time as a rule; while a long run is in its
 * first sixteenth, the next power of two, so that there is something to see. */
static double
get_expected_end (WeirScopes *self)
{
  const WeirSnapshot *snapshot = weir_session_get_snapshot (self->session);
  gsize n = weir_recorder_get_n_rows (weir_session_get_recorder (self->session));
  double time = n == 0 ? 0
                       : weir_recorder_get_time (weir_session_get_recorder (self->session), n - 1);

  if (time <= 0 || time > snapshot->stop_time / 16)
    return snapshot->stop_time;
  return exp2 (ceil (log2 (time)));
}

static void
update_plots (WeirScopes *self)
{
  GHashTableIter iter;
  gpointer card;
  gboolean changed = FALSE;
  double end;

  if (self->session == NULL)
    return;
  take_up_signals (self);
  end = get_expected_end (self);
  g_hash_table_iter_init (&iter, self->cards);
  while (g_hash_table_iter_next (&iter, NULL, &card))
    {
      WeirPlotView *view = weir_plot_card_get_view (card);

      weir_plot_set_expected_range (weir_plot_view_get_plot (view), 0, end);
      changed |= weir_plot_view_update (view);
      if (weir_session_get_state (self->session) != WEIR_SESSION_RUNNING)
        weir_plot_view_describe (view);
    }
  g_hash_table_iter_init (&iter, self->xy_views);
  while (g_hash_table_iter_next (&iter, NULL, &card))
    weir_xy_view_update (card);
  if (changed)
    weir_scopes_refresh_figures (self);
}

/* --- Other results --------------------------------------------------------------------------- */

static void
set_results_of_plot (WeirPlot *plot, WeirRecorder *results, gboolean keeps_shadow)
{
  for (guint i = 0; i < weir_plot_get_n_curves (plot); i++)
    {
      WeirRecorder *before;
      guint signal, found;

      if (!weir_plot_is_earlier (plot, i) && weir_plot_get_signal (plot, i, &before, &signal)
          && before != results
          && weir_recorder_find_signal (results, weir_recorder_get_signal_name (before, signal),
                                        &found))
        weir_plot_set_signal (plot, i, results, found, keeps_shadow);
    }
}

static void
set_results_of_xy_plot (WeirXyPlot *plot, WeirRecorder *results)
{
  WeirRecorder *before;
  guint x, y, found_x, found_y;

  if (weir_xy_plot_get_signals (plot, &before, &x, &y) && before != results
      && weir_recorder_find_signal (results, weir_recorder_get_signal_name (before, x), &found_x)
      && weir_recorder_find_signal (results, weir_recorder_get_signal_name (before, y), &found_y))
    weir_xy_plot_set_recorder (plot, results, found_x, found_y);
}

static void
apply_results (WeirScopes *self, gboolean keeps_shadow)
{
  WeirRecorder *results = self->results != NULL ? self->results
                                                : weir_session_get_recorder (self->session);
  GHashTableIter iter;
  gpointer card;

  g_hash_table_iter_init (&iter, self->cards);
  while (g_hash_table_iter_next (&iter, NULL, &card))
    set_results_of_plot (weir_plot_view_get_plot (weir_plot_card_get_view (card)), results,
                         keeps_shadow);
  g_hash_table_iter_init (&iter, self->xy_views);
  while (g_hash_table_iter_next (&iter, NULL, &card))
    set_results_of_xy_plot (weir_xy_view_get_plot (card), results);
  update_plots (self);
}

void
weir_scopes_set_results (WeirScopes *self, WeirRecorder *results, gboolean keeps_shadow)
{
  g_return_if_fail (WEIR_IS_SCOPES (self));

  if (self->session == NULL || results == self->results)
    return;
  g_clear_pointer (&self->results, weir_recorder_unref);
  if (results != NULL && results != weir_session_get_recorder (self->session))
    self->results = weir_recorder_ref (results);
  apply_results (self, keeps_shadow);
}

void
weir_scopes_drop_shadows (WeirScopes *self)
{
  GHashTableIter iter;
  gpointer card;

  g_return_if_fail (WEIR_IS_SCOPES (self));

  g_hash_table_iter_init (&iter, self->cards);
  while (g_hash_table_iter_next (&iter, NULL, &card))
    {
      weir_plot_drop_shadows (weir_plot_view_get_plot (weir_plot_card_get_view (card)));
      weir_plot_view_update (weir_plot_card_get_view (card));
    }
}

/* --- Following the run ----------------------------------------------------------------------- */

static void
stop_ticking (WeirScopes *self)
{
  if (self->ticking != NULL)
    gtk_widget_remove_tick_callback (self->ticking, self->tick);
  self->ticking = NULL;
}

static gboolean
tick (G_GNUC_UNUSED GtkWidget *widget, G_GNUC_UNUSED GdkFrameClock *clock, gpointer data)
{
  WeirScopes *self = data;

  update_plots (self);
  if (self->session != NULL && weir_session_get_state (self->session) == WEIR_SESSION_RUNNING)
    return G_SOURCE_CONTINUE;
  self->ticking = NULL;
  return G_SOURCE_REMOVE;
}

/* With the frames of a window that is seen: its own, or that of a plot. */
static void
follow (WeirScopes *self)
{
  GtkWidget *seen = weir_scopes_find_seen (self);

  if (seen != self->ticking)
    stop_ticking (self);
  if (self->session == NULL || seen == NULL)
    return;
  update_plots (self);
  if (self->ticking == NULL && weir_session_get_state (self->session) == WEIR_SESSION_RUNNING)
    {
      self->tick = gtk_widget_add_tick_callback (seen, tick, self, NULL);
      self->ticking = seen;
    }
}

void
weir_scopes_set_session (WeirScopes *self, WeirSession *session)
{
  g_return_if_fail (WEIR_IS_SCOPES (self));

  if (self->session != NULL)
    g_clear_signal_handler (&self->changed_handler, self->session);
  if (g_set_object (&self->session, session))
    g_clear_pointer (&self->results, weir_recorder_unref);
  g_hash_table_remove_all (self->cards);
  g_hash_table_remove_all (self->xy_views);
  weir_scopes_remove_all (self);
  self->n_signals = 0;
  self->is_large = FALSE;
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "empty");
  weir_scopes_refresh_figures (self);
  if (session != NULL)
    self->changed_handler = g_signal_connect_swapped (session, "changed", G_CALLBACK (follow),
                                                      self);
  follow (self);
  if (self->results != NULL)
    apply_results (self, FALSE);
}

/* --- Earlier runs, pictures ------------------------------------------------------------------ */

void
weir_scopes_set_earlier (WeirScopes *self, WeirRecorder *earlier, const char *name)
{
  g_return_if_fail (WEIR_IS_SCOPES (self));

  if (earlier == self->earlier && g_strcmp0 (name, self->earlier_name) == 0)
    return;
  g_clear_pointer (&self->earlier, weir_recorder_unref);
  if (earlier != NULL)
    self->earlier = weir_recorder_ref (earlier);
  g_free (self->earlier_name);
  self->earlier_name = g_strdup (name);
  weir_scopes_set_session (self, self->session); /* the plots are made anew */
}

void
weir_scopes_set_runs_menu (WeirScopes *self, GMenuModel *runs)
{
  g_return_if_fail (WEIR_IS_SCOPES (self));

  g_set_object (&self->runs, runs);
}

static void
draw_card (cairo_t *cr, double width, double height, gpointer data)
{
  WeirSpectrumView *spectrum = weir_plot_card_get_spectrum (data);
  WeirPlot *plot = weir_plot_view_get_plot (weir_plot_card_get_view (data));
  double cursor = weir_plot_get_cursor (plot);

  if (spectrum != NULL)
    {
      GtkWidget *view = weir_spectrum_view_get_chart_view (spectrum);

      weir_chart_draw (weir_chart_view_get_chart (WEIR_CHART_VIEW (view)), cr, width, height,
                       weir_palette_get (WEIR_PALETTE_LIGHT));
      return;
    }
  weir_plot_set_cursor (plot, (double) NAN);
  weir_plot_set_legend_at_cursor (plot, FALSE);
  weir_plot_draw (plot, cr, width, height, weir_palette_get (WEIR_PALETTE_LIGHT));
  weir_plot_set_legend_at_cursor (plot, TRUE);
  weir_plot_set_cursor (plot, cursor);
}

static void
draw_xy (cairo_t *cr, double width, double height, gpointer data)
{
  weir_xy_plot_draw (weir_xy_view_get_plot (data), cr, width, height,
                     weir_palette_get (WEIR_PALETTE_LIGHT));
}

gboolean
weir_scopes_find_picture (WeirScopes *self, const char *key, WeirPictureFunc *draw, gpointer *data)
{
  g_return_val_if_fail (WEIR_IS_SCOPES (self), FALSE);

  *draw = draw_card;
  *data = g_hash_table_lookup (self->cards, key);
  if (*data == NULL)
    {
      *draw = draw_xy;
      *data = g_hash_table_lookup (self->xy_views, key);
    }
  return *data != NULL;
}

void
weir_scopes_set_actions (WeirScopes *self, GActionGroup *actions)
{
  g_return_if_fail (WEIR_IS_SCOPES (self));

  g_set_object (&self->actions, actions);
}

void
weir_scopes_set_model_name (WeirScopes *self, const char *name)
{
  g_return_if_fail (WEIR_IS_SCOPES (self));

  g_free (self->model_name);
  self->model_name = g_strdup (name);
}

GtkWindow *
weir_scopes_get_window (WeirScopes *self, const char *scope)
{
  g_return_val_if_fail (WEIR_IS_SCOPES (self), NULL);

  return g_hash_table_lookup (self->windows, scope);
}

/* Scrolls to it when it has its place: one that was not shown before has none yet. */
static gboolean
scroll_to_plot (gpointer data)
{
  GtkWidget *plot = data, *scrolled = gtk_widget_get_ancestor (plot, GTK_TYPE_SCROLLED_WINDOW);
  GtkAllocation place;

  if (scrolled == NULL)
    return G_SOURCE_REMOVE;
  gtk_widget_get_allocation (plot, &place);
  gtk_adjustment_clamp_page (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scrolled)),
                             place.x, place.x + place.width);
  return G_SOURCE_REMOVE;
}

gboolean
weir_scopes_show_plot (WeirScopes *self, const char *scope)
{
  GtkWidget *plot;

  g_return_val_if_fail (WEIR_IS_SCOPES (self), FALSE);

  plot = g_hash_table_lookup (self->cards, scope);
  if (plot != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (weir_plot_card_get_view (WEIR_PLOT_CARD (plot))));
  else
    plot = g_hash_table_lookup (self->xy_views, scope);
  if (plot == NULL)
    return FALSE;
  if (WEIR_IS_XY_VIEW (plot))
    gtk_widget_grab_focus (weir_xy_view_get_area (WEIR_XY_VIEW (plot)));
  if (g_hash_table_contains (self->windows, scope))
    gtk_window_present (g_hash_table_lookup (self->windows, scope));
  g_idle_add_full (G_PRIORITY_LOW, scroll_to_plot, g_object_ref (plot), g_object_unref);
  return TRUE;
}

void
weir_scopes_set_model (WeirScopes *self, WeirModel *model)
{
  g_return_if_fail (WEIR_IS_SCOPES (self));

  if (model != NULL)
    weir_model_ref (model);
  g_clear_pointer (&self->model, weir_model_unref);
  self->model = model;
  weir_scopes_find_units (self);
}

guint
weir_scopes_get_n_plots (WeirScopes *self)
{
  return g_hash_table_size (self->cards) + g_hash_table_size (self->xy_views);
}

guint
weir_scopes_get_n_earlier (WeirScopes *self)
{
  GHashTableIter iter;
  gpointer card;
  guint n = 0;

  g_hash_table_iter_init (&iter, self->cards);
  while (g_hash_table_iter_next (&iter, NULL, &card))
    {
      WeirPlot *plot = weir_plot_view_get_plot (weir_plot_card_get_view (card));

      for (guint i = 0; i < weir_plot_get_n_curves (plot); i++)
        n += weir_plot_is_earlier (plot, i);
    }
  return n;
}

gsize
weir_scopes_get_n_samples (WeirScopes *self)
{
  return self->session == NULL || self->n_signals == 0
             ? 0
             : weir_recorder_get_n_rows (weir_session_get_recorder (self->session));
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (weir_scopes_parent_class)->map (widget);
  follow (WEIR_SCOPES (widget));
}

static void
unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (weir_scopes_parent_class)->unmap (widget);
  follow (WEIR_SCOPES (widget));
}

static void
dispose (GObject *object)
{
  WeirScopes *self = WEIR_SCOPES (object);
  GtkWidget *child;

  if (self->session != NULL)
    g_clear_signal_handler (&self->changed_handler, self->session);
  g_clear_object (&self->session);
  stop_ticking (self);
  weir_scopes_close_windows (self);
  g_clear_pointer (&self->model, weir_model_unref);
  g_clear_pointer (&self->results, weir_recorder_unref);
  g_clear_pointer (&self->earlier, weir_recorder_unref);
  g_clear_pointer (&self->earlier_name, g_free);
  g_clear_object (&self->runs);
  g_clear_object (&self->uses);
  g_clear_pointer (&self->cards, g_hash_table_unref);
  g_clear_pointer (&self->xy_views, g_hash_table_unref);
  g_clear_pointer (&self->units, g_hash_table_unref);
  g_clear_pointer (&self->looks, weir_model_unref);
  g_clear_pointer (&self->measuring_look, g_free);
  self->figures = NULL;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (weir_scopes_parent_class)->dispose (object);
}

static void
weir_scopes_class_init (WeirScopesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  widget_class->map = map;
  widget_class->unmap = unmap;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  signals[SIGNAL_CURSOR_MOVED] = g_signal_new ("cursor-moved", G_TYPE_FROM_CLASS (klass),
                                               G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                               1, G_TYPE_DOUBLE);
  signals[SIGNAL_REMOVE_CHOSEN] = g_signal_new ("remove-chosen", G_TYPE_FROM_CLASS (klass),
                                                G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                                0);
  signals[SIGNAL_LOOK_CHANGED] = g_signal_new ("look-changed", G_TYPE_FROM_CLASS (klass),
                                               G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                               2, G_TYPE_STRING, G_TYPE_STRING);
  signals[SIGNAL_MEASURING_CHANGED] = g_signal_new ("measuring-changed", G_TYPE_FROM_CLASS (klass),
                                                    G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                                    G_TYPE_NONE, 0);
  signals[SIGNAL_ASKING_ENDED] = g_signal_new ("asking-ended", G_TYPE_FROM_CLASS (klass),
                                               G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                               0);
  gtk_widget_class_set_css_name (widget_class, "weir-scopes");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static GtkWidget *
empty_state_new (void)
{
  return weir_empty_page_new (
      _ ("Nothing to Plot Yet"),
      _ ("Run the model. Signals wired to a Scope appear here; choose “Plot This Signal” on any "
         "block to see another."),
      NULL);
}

/* For a run that goes on or has ended, and of which there is nothing to see. */
static GtkWidget *
unrecorded_state_new (void)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (_ ("Add a _Scope and Run"));

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.add-scope");
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_top (button, 6);
  gtk_widget_add_css_class (button, "suggested-action");
  return weir_empty_page_new (
      _ ("This Run Records Nothing"),
      _ ("No signal is wired to a Scope or to an Out block of the top level, so there is nothing "
         "to "
         "plot or to export. Wire one to a Scope, or choose “Plot This Signal” on a block."),
      button);
}

static GtkWidget *
apart_state_new (WeirScopes *self)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (_ ("_Bring Them Back"));

  g_signal_connect_swapped (button, "clicked", G_CALLBACK (weir_scopes_bring_all_back), self);
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_top (button, 6);
  return weir_empty_page_new (_ ("All Plots Are in Windows of Their Own"), NULL, button);
}

static void
weir_scopes_init (WeirScopes *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->cursor = (double) NAN;
  self->cards = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->xy_views = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 1);
  gtk_box_set_homogeneous (GTK_BOX (self->box), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->box);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);

  self->stack = gtk_stack_new ();
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_widget_set_hexpand (self->stack, TRUE);
  gtk_stack_add_named (GTK_STACK (self->stack), empty_state_new (), "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), unrecorded_state_new (), "unrecorded");
  gtk_stack_add_named (GTK_STACK (self->stack), scrolled, "plots");
  gtk_stack_add_named (GTK_STACK (self->stack), apart_state_new (self), "apart");
  weir_scopes_init_windows (self, follow);
  weir_scopes_add_measuring (self);
}

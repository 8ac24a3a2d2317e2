/* Measuring in plots: two cursors that all plots share, by pointer and by keys, and the table of
 * figures beside them.
 */
#include "driver.h"

#include "cache/runs-panel.h"
#include "scopes/chart-view.h"
#include "scopes/figures-panel.h"
#include "scopes/plot-card.h"
#include "scopes/plot-window.h"

/* The step of 4/(s^2 + 2s + 4), as the solver takes it: steps of no one length. */
static const char second_order[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"1\">\n"
    "  <settings>\n    <setting name=\"stop-time\" value=\"20\"/>\n"
    "    <setting name=\"relative-tolerance\" value=\"1e-9\"/>\n"
    "    <setting name=\"absolute-tolerance\" value=\"1e-12\"/>\n  </settings>\n"
    "  <diagram>\n"
    "    <block id=\"1\" type=\"Constant\" name=\"Command\" x=\"0\" y=\"0\"/>\n"
    "    <block id=\"2\" type=\"TransferFunction\" name=\"Plant\" x=\"120\" y=\"0\">\n"
    "      <parameter name=\"numerator\" value=\"4\"/>\n"
    "      <parameter name=\"denominator\" value=\"[1, 2, 4]\"/>\n    </block>\n"
    "    <block id=\"3\" type=\"Scope\" name=\"Scope\" x=\"280\" y=\"0\"/>\n"
    "    <wire id=\"4\" from=\"1.y\" to=\"2.u\"/>\n"
    "    <wire id=\"5\" from=\"2.y\" to=\"3.in1\"/>\n"
    "  </diagram>\n</weir>\n";

/* The same, with its plot looked at so. */
static char *
dup_with_look (const char *look)
{
  g_auto (GStrv) parts = g_strsplit (second_order, "  <diagram>\n", 2);
  g_auto (GStrv) lines = g_strsplit (look, "\n", -1);
  g_autofree char *value = g_strjoinv ("&#10;", lines);

  return g_strconcat (parts[0], "  <plots>\n    <plot name=\"3\" value=\"", value,
                      "\"/>\n  </plots>\n  <diagram>\n", parts[1], NULL);
}

static gboolean
contains_text (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL;
}

static WeirScopes *
scopes_of (WeirEditor *editor)
{
  return WEIR_SCOPES (part_of (editor, WEIR_TYPE_SCOPES));
}

static WeirFiguresPanel *
figures_of (WeirEditor *editor)
{
  return WEIR_FIGURES_PANEL (
      find_of_type (GTK_WIDGET (scopes_of (editor)), WEIR_TYPE_FIGURES_PANEL));
}

static GtkWidget *
view_of (WeirEditor *editor)
{
  return find_of_type (GTK_WIDGET (scopes_of (editor)), WEIR_TYPE_PLOT_VIEW);
}

static WeirPlot *
plot_of (WeirEditor *editor)
{
  return weir_plot_view_get_plot (WEIR_PLOT_VIEW (view_of (editor)));
}

static void
run_to_end (WeirEditor *editor, guint n)
{
  WeirRecorder *recorder;
  double end, value;

  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor)
            && weir_runs_panel_get_n (WEIR_RUNS_PANEL (part_of (editor, WEIR_TYPE_RUNS_PANEL)))
                   == n);
  recorder = weir_session_get_recorder (session_of (editor));
  end = weir_recorder_get_time (recorder, weir_recorder_get_n_rows (recorder) - 1);
  wait_for (weir_plot_get_value_at (plot_of (editor), 0, end, &value)); /* it is all there */
  spin (100);
}

static WeirEditor *
open_text (const char *text)
{
  WeirEditor *editor = editor_open ();
  g_autofree char *path = NULL;
  g_autoptr (GFile) file = NULL;
  int fd = g_file_open_tmp ("weir-XXXXXX.weir", &path, NULL);

  g_assert_true (g_close (fd, NULL));
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  file = g_file_new_for_path (path);
  g_assert_true (weir_editor_open (editor, file));
  weir_host_show_page (WEIR_HOST (editor), "plots");
  g_unlink (path);
  return editor;
}

/* Where a time is in the first plot, on the screen. */
static WeirPoint
time_on_screen (WeirEditor *editor, double time)
{
  double x, y, low, high;

  weir_plot_get_range (plot_of (editor), WEIR_PLOT_LEFT, &low, &high);
  weir_plot_to_position (plot_of (editor), time, (low + high) / 2, &x, &y);
  return on_screen (view_of (editor), x, y);
}

/* The number in the row that begins with @title, in @column of the table as CSV. */
static double
find_figure (WeirEditor *editor, const char *title, guint column)
{
  g_autofree char *csv = NULL;
  g_auto (GStrv) lines = NULL;

  wait_for (weir_figures_panel_is_settled (figures_of (editor)));
  csv = weir_figures_panel_to_text (figures_of (editor), TRUE);
  lines = g_strsplit (csv, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], ",", -1);

      if (g_strcmp0 (cells[0], title) == 0)
        return *cells[column] != '\0' ? g_ascii_strtod (cells[column], NULL) : (double) NAN;
    }
  g_test_message ("no row \"%s\" in\n%s", title, csv);
  g_assert_not_reached ();
}

static void
choose_group (WeirEditor *editor, const char *group)
{
  weir_figures_panel_set_group (figures_of (editor), group);
  wait_for (weir_figures_panel_is_settled (figures_of (editor)));
  spin (100);
}

/* Both cursors come with the button, are dragged by their lines, in all plots at once, and go. */
static void
test_pointer (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  WeirScopes *scopes = scopes_of (editor);
  double first, last, range[2][2];

  run_to_end (editor, 1);
  weir_plot_get_range (plot_of (editor), WEIR_PLOT_TIME, &first, &last);
  click (find_label (GTK_WIDGET (scopes), "A|B"));
  wait_for (weir_scopes_get_measures (scopes));
  g_assert_cmpfloat_with_epsilon (weir_scopes_get_measuring (scopes, 0), first + (last - first) / 3,
                                  1e-9);
  drag (time_on_screen (editor, weir_scopes_get_measuring (scopes, 0)),
        time_on_screen (editor, first + (last - first) / 5));
  g_assert_cmpfloat_with_epsilon (weir_scopes_get_measuring (scopes, 0), first + (last - first) / 5,
                                  (last - first) / 50);
  /* What is seen stays where it is. */
  weir_plot_get_range (plot_of (editor), WEIR_PLOT_TIME, &range[0][0], &range[0][1]);
  g_assert_cmpfloat (range[0][0], ==, first);
  g_assert_cmpfloat (range[0][1], ==, last);
  g_assert_cmpfloat (weir_plot_get_measuring (plot_of (editor), 0), ==,
                     weir_scopes_get_measuring (scopes, 0));
  /* Beside the lines a drag pans. */
  drag (time_on_screen (editor, first + (last - first) / 2),
        time_on_screen (editor, first + (last - first) / 2.5));
  weir_plot_get_range (plot_of (editor), WEIR_PLOT_TIME, &range[1][0], &range[1][1]);
  g_assert_cmpfloat (range[1][0], >, first);
  click (find_label (GTK_WIDGET (scopes), "Σ"));
  wait_for (weir_scopes_get_shows_figures (scopes));
  spin (300);
  picture ("measuring-cursors");
  picture_dark ("measuring-cursors-dark");
  g_assert_cmpfloat (find_figure (editor, "Time (s)", 1), ==,
                     weir_scopes_get_measuring (scopes, 0));
  g_assert_cmpfloat (find_figure (editor, "Time (s)", 3), ==,
                     weir_scopes_get_measuring (scopes, 1) - weir_scopes_get_measuring (scopes, 0));
  click (find_label (GTK_WIDGET (scopes), "A|B"));
  wait_for (!weir_scopes_get_measures (scopes));
  editor_close (editor);
}

static const char *
look_of_scope (WeirEditor *editor)
{
  return weir_model_get_plot (weir_document_get_model (editor->document), "3");
}

/* Where a value is in the first plot, in the middle of its time. */
static WeirPoint
value_on_screen (WeirEditor *editor, double value)
{
  double x, y, low, high;

  weir_plot_get_range (plot_of (editor), WEIR_PLOT_TIME, &low, &high);
  weir_plot_to_position (plot_of (editor), (low + high) / 2, value, &x, &y);
  return on_screen (view_of (editor), x, y);
}

/* Two lines across come by keys, are moved by arrows and dragged, tell their difference, and go;
 * what is seen stays where it is. */
static void
test_values (void)
{
  WeirEditor *editor = open_text (second_order);
  WeirPlot *plot;
  double low, high, range[2];
  g_autofree char *text = NULL;

  run_to_end (editor, 1);
  plot = plot_of (editor);
  text = weir_plot_dup_summary (plot); /* what there is, as long as no cursor is there */
  g_assert_true (g_str_has_prefix (text, "Time from 0 to 20 s. Plant.y from 0 to 1.16"));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (view_of (editor)),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text);
  g_free (text);
  weir_plot_get_range (plot, WEIR_PLOT_LEFT, &low, &high);
  gtk_widget_grab_focus (view_of (editor));
  key ("1");
  wait_for (!isnan (weir_plot_get_value_cursor (plot, 0)));
  g_assert_true (isnan (weir_plot_get_value_difference (plot)));
  key ("2");
  wait_for (!isnan (weir_plot_get_value_cursor (plot, 1)));
  g_assert_cmpfloat_with_epsilon (weir_plot_get_value_cursor (plot, 0), low + (high - low) / 3,
                                  1e-9);
  g_assert_cmpfloat_with_epsilon (weir_plot_get_value_difference (plot), (high - low) / 3, 1e-9);
  key ("Up");
  key ("<Shift>Up");
  wait_for (fabs (weir_plot_get_value_cursor (plot, 1) - (low + (high - low) * (2 / 3. + 0.11)))
            < 1e-9);
  key ("1");
  key ("Down");
  wait_for (fabs (weir_plot_get_value_cursor (plot, 0) - (low + (high - low) * (1 / 3. - 0.01)))
            < 1e-9);
  drag (value_on_screen (editor, weir_plot_get_value_cursor (plot, 0)),
        value_on_screen (editor, low + (high - low) / 5));
  g_assert_cmpfloat_with_epsilon (weir_plot_get_value_cursor (plot, 0), low + (high - low) / 5,
                                  (high - low) / 50);
  weir_plot_get_range (plot, WEIR_PLOT_LEFT, &range[0], &range[1]);
  g_assert_cmpfloat (range[0], ==, low);
  g_assert_cmpfloat (range[1], ==, high);
  point_at (on_screen (view_of (editor), -40, -40)); /* no pointer's line beside them */
  wait_for (isnan (weir_plot_get_cursor (plot)));
  text = g_strdup_printf (
      "Cursor Y1 at %g. Cursor Y2 at %g, difference %g", weir_plot_get_value_cursor (plot, 0),
      weir_plot_get_value_cursor (plot, 1), weir_plot_get_value_difference (plot));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (view_of (editor)),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text);
  picture ("measuring-values");
  picture_dark ("measuring-values-dark");
  /* Kept with the model, and no step of undo. */
  g_assert_true (g_str_has_prefix (look_of_scope (editor), "cursor Y1 "));
  g_assert_nonnull (strstr (look_of_scope (editor), "\ncursor Y2 "));
  g_assert_false (weir_document_can_undo (editor->document));
  key ("Escape");
  wait_for (isnan (weir_plot_get_value_cursor (plot, 0))
            && isnan (weir_plot_get_value_cursor (plot, 1)));
  g_assert_null (look_of_scope (editor));
  gtk_widget_activate_action (view_of (editor), "plot.value-cursors", NULL);
  wait_for (!isnan (weir_plot_get_value_difference (plot)));
  gtk_widget_activate_action (view_of (editor), "plot.value-cursors", NULL);
  wait_for (isnan (weir_plot_get_value_cursor (plot, 0)));
  editor_close (editor);
}

/* They are where the model has them, with the first run; a line that says no number does nothing.
 */
static void
test_values_kept (void)
{
  g_autofree char *text = dup_with_look ("cursor Y1 0.25\ncursor Y2 high");
  WeirEditor *editor = open_text (text);

  run_to_end (editor, 1);
  g_assert_cmpfloat (weir_plot_get_value_cursor (plot_of (editor), 0), ==, 0.25);
  g_assert_true (isnan (weir_plot_get_value_cursor (plot_of (editor), 1)));
  g_assert_false (weir_document_can_undo (editor->document));
  editor_close (editor);
}

/* A key that seeks, and what it finds. */
static void
seek_key (WeirEditor *editor, const char *name)
{
  key (name);
  wait_for (!weir_plot_view_is_seeking (WEIR_PLOT_VIEW (view_of (editor))));
}

/* Keys go from sample to sample, to peaks and to crossings. */
static void
test_keys (void)
{
  WeirEditor *editor = open_text (second_order);
  WeirScopes *scopes = scopes_of (editor);
  double time, next, value, wd = sqrt (3);
  gboolean is_sample;

  run_to_end (editor, 1);
  gtk_widget_grab_focus (view_of (editor));
  point_at (time_on_screen (editor, 0.5));
  key ("a");
  wait_for (weir_scopes_get_measures (scopes));
  time = weir_scopes_get_measuring (scopes, 0);
  g_assert_cmpfloat_with_epsilon (time, 0.5, 0.1);
  g_assert_true (weir_plot_read (plot_of (editor), 0, time, &value, &is_sample));
  g_assert_false (is_sample);
  key ("Right");
  next = weir_scopes_get_measuring (scopes, 0);
  g_assert_cmpfloat (next, >, time);
  g_assert_true (weir_plot_read (plot_of (editor), 0, next, &value, &is_sample));
  g_assert_true (is_sample);
  key ("<Shift>Right");
  key ("<Shift>Left");
  g_assert_cmpfloat (weir_scopes_get_measuring (scopes, 0), ==, next);

  /* The first peak of the step is at pi / wd, a trough at twice that. */
  seek_key (editor, "p");
  g_assert_cmpfloat_with_epsilon (weir_scopes_get_measuring (scopes, 0), G_PI / wd, 0.02);
  key ("b");
  seek_key (editor, "p");
  seek_key (editor, "<Shift>p");
  g_assert_cmpfloat_with_epsilon (weir_scopes_get_measuring (scopes, 0), G_PI / wd, 0.02);
  weir_plot_view_set_measuring (WEIR_PLOT_VIEW (view_of (editor)), 1, 0.01);
  seek_key (editor, "p");
  g_assert_cmpfloat_with_epsilon (weir_scopes_get_measuring (scopes, 1), G_PI / wd, 0.02);
  seek_key (editor, "p");
  g_assert_cmpfloat_with_epsilon (weir_scopes_get_measuring (scopes, 1), 2 * G_PI / wd, 0.02);
  seek_key (editor, "<Shift>x"); /* of the middle between 0 and the peak */
  g_assert_true (
      weir_plot_get_value_at (plot_of (editor), 0, weir_scopes_get_measuring (scopes, 1), &value));
  g_assert_cmpfloat_with_epsilon (value, (1 + exp (-G_PI / wd)) / 2, 1e-3);
  key ("Escape");
  g_assert_false (weir_scopes_get_measures (scopes));
  editor_close (editor);
}

/* Figures of the second-order step: closed forms of damping 0.5 at 2 rad/s. Curves have a sample
 * each 0.04 s or more often, lines between which are off by a few 1e-4. */
static void
test_step (void)
{
  WeirEditor *editor = open_text (second_order);
  WeirStepLevels levels;
  guint signal;

  run_to_end (editor, 1);
  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), "figures", NULL);
  wait_for (weir_scopes_get_shows_figures (scopes_of (editor)));
  choose_group (editor, "step");
  g_assert_cmpfloat_with_epsilon (find_figure (editor, "Rise time (s)", 1), 0.8187864737, 1e-3);
  g_assert_cmpfloat_with_epsilon (find_figure (editor, "Settling time (s)", 1), 4.038174487, 5e-3);
  g_assert_cmpfloat_with_epsilon (find_figure (editor, "Overshoot (%)", 1), 16.30335348, 2e-2);
  g_assert_cmpfloat_with_epsilon (find_figure (editor, "Time of the peak (s)", 1), 1.813799364,
                                  2e-2);
  g_assert_true (weir_figures_panel_get_levels (figures_of (editor), &signal, &levels));
  g_assert_cmpfloat_with_epsilon (levels.final, 1, 1e-6);
  picture ("measuring-step");
  picture_dark ("measuring-step-dark");

  /* It is judged otherwise: against another end value, as is kept with the model. */
  click (find_widget (GTK_WIDGET (figures_of (editor)), has_tooltip, "How the Step Is Judged"));
  spin (300);
  picture ("measuring-levels");
  key ("Tab");
  type_text ("1.1");
  key ("Return");
  wait_for (weir_figures_panel_is_settled (figures_of (editor))
            && weir_figures_panel_get_levels (figures_of (editor), &signal, &levels)
            && levels.final == 1.1);
  key ("Escape");
  g_assert_cmpfloat_with_epsilon (find_figure (editor, "Overshoot (%)", 1),
                                  100 * (1.1630335348 / 1.1 - 1), 2e-2);
  g_assert_nonnull (strstr (weir_model_get_plot (weir_document_get_model (editor->document), "3"),
                            "levels nan 1.1"));
  g_assert_cmpstr (weir_model_get_plot (weir_document_get_model (editor->document), "measuring"),
                   ==, "figures step");
  g_assert_false (weir_document_can_undo (editor->document));

  /* What a signal has not is a dash, and why is said. */
  choose_group (editor, "period");
  g_assert_true (isnan (find_figure (editor, "Period (s)", 1)));
  picture ("measuring-period");
  choose_group (editor, "peaks");
  picture ("measuring-peaks");
  editor_close (editor);
}

/* 2 sin (pi t) + 1 for 10 s. */
static const char sine[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"1\">\n"
    "  <settings>\n    <setting name=\"stop-time\" value=\"10\"/>\n  </settings>\n"
    "  <diagram>\n"
    "    <block id=\"1\" type=\"Sine\" name=\"Sine\" x=\"0\" y=\"0\">\n"
    "      <parameter name=\"amplitude\" value=\"2\"/>\n"
    "      <parameter name=\"frequency\" value=\"0.5\"/>\n"
    "      <parameter name=\"bias\" value=\"1\"/>\n    </block>\n"
    "    <block id=\"3\" type=\"Scope\" name=\"Scope\" x=\"280\" y=\"0\"/>\n"
    "    <wire id=\"5\" from=\"1.y\" to=\"3.in1\"/>\n"
    "  </diagram>\n</weir>\n";

/* The largest value of the first curve of a chart, but for the one at 0. */
static double
find_largest (WeirChart *chart, double *at)
{
  const double *x, *y;
  guint n = weir_chart_get_curve (chart, 0, &x, &y);
  double largest = 0;

  for (guint i = 1; i < n; i++)
    if (y[i] > largest)
      {
        largest = y[i];
        *at = x[i];
      }
  return largest;
}

/* The spectrum of five whole periods: a line of amplitude 2 at 0.5 Hz. Its power density under a
 * Hann window, whose equivalent noise bandwidth is 1.5 lines, is 2 / (1.5 / 10 s). Off by what the
 * last sample adds to the ten seconds, and by lines between samples. */
static void
test_spectrum (void)
{
  WeirEditor *editor = open_text (sine);
  WeirSpectrumView *spectrum;
  WeirChart *chart;
  double at = 0;

  run_to_end (editor, 1);
  gtk_widget_grab_focus (view_of (editor));
  key ("s");
  spectrum = WEIR_SPECTRUM_VIEW (
      find_of_type (GTK_WIDGET (scopes_of (editor)), WEIR_TYPE_SPECTRUM_VIEW));
  chart = weir_chart_view_get_chart (
      WEIR_CHART_VIEW (weir_spectrum_view_get_chart_view (spectrum)));
  wait_for (weir_spectrum_view_is_settled (spectrum) && weir_chart_get_n_curves (chart) == 1);
  g_assert_cmpfloat_with_epsilon (find_largest (chart, &at), 2, 0.02);
  g_assert_cmpfloat_with_epsilon (at, 0.5, 0.01);
  g_assert_nonnull (strstr (weir_spectrum_view_get_note (spectrum), "Sine.y: largest "));
  g_assert_cmpstr (look_of_scope (editor), ==, "spectrum amplitude hann linear linear");
  weir_spectrum_view_set_look (spectrum, "density hann log log");
  wait_for (weir_spectrum_view_is_settled (spectrum));
  g_assert_cmpfloat_with_epsilon (find_largest (chart, &at), 2 / 0.15, 0.2);
  spin (300);
  picture ("measuring-spectrum");
  picture_dark ("measuring-spectrum-dark");
  click (find_widget (GTK_WIDGET (spectrum), has_tooltip, "Window, Quantity"));
  spin (300);
  picture ("measuring-spectrum-settings");
  key ("Escape");

  /* Over time again; nothing is kept of it. */
  gtk_widget_grab_focus (weir_spectrum_view_get_chart_view (spectrum));
  key ("s");
  wait_for (gtk_widget_get_mapped (view_of (editor)));
  g_assert_null (look_of_scope (editor));
  g_assert_false (weir_document_can_undo (editor->document));
  editor_close (editor);
}

/* Between the cursors, weighed by time: over two whole periods of 2 sin (pi t) + 1. */
static void
test_range (void)
{
  WeirEditor *editor = open_text (sine);

  run_to_end (editor, 1);
  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), "figures", NULL);
  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), "measure", NULL);
  g_signal_emit_by_name (view_of (editor), "measuring-moved", 0, 1.0, FALSE);
  g_signal_emit_by_name (view_of (editor), "measuring-moved", 1, 5.0, FALSE);
  choose_group (editor, "range");
  g_assert_cmpfloat_with_epsilon (find_figure (editor, "Mean", 1), 1, 2e-3);
  g_assert_cmpfloat_with_epsilon (find_figure (editor, "RMS", 1), sqrt (3), 2e-3);
  g_assert_cmpfloat_with_epsilon (find_figure (editor, "Standard deviation", 1), sqrt (2), 2e-3);
  g_assert_cmpfloat_with_epsilon (find_figure (editor, "Peak to peak", 1), 4, 2e-3);
  g_signal_emit_by_name (view_of (editor), "measuring-moved", 1, 9.0, FALSE);
  choose_group (editor, "period");
  g_assert_cmpfloat_with_epsilon (find_figure (editor, "Period (s)", 1), 2, 1e-3);
  g_assert_cmpfloat_with_epsilon (find_figure (editor, "Duty", 1), 0.5, 2e-3);
  click (find_label (GTK_WIDGET (scopes_of (editor)), "Σ"));
  wait_for (!weir_scopes_get_shows_figures (scopes_of (editor)));
  editor_close (editor);
}

/* @n: of its columns have curves. */
static void
compare_with_text (WeirEditor *editor, const char *text, guint n)
{
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("weir-XXXXXX.csv", &path, NULL);

  g_assert_true (g_close (fd, NULL));
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), "compare-file", NULL);
  choose_path (path);
  focus_window (GTK_WINDOW (toplevel_of (editor)));
  if (n > 0)
    wait_for (weir_scopes_get_n_earlier (scopes_of (editor)) == n);
  else
    wait_for (find_widget (toplevel_of (editor), contains_text, "No curve is called") != NULL);
  g_unlink (path);
}

/* What was measured is drawn beneath the curve that its column is called as, in figures too. */
static void
test_measured (void)
{
  WeirEditor *editor = open_text (second_order);
  double value;

  run_to_end (editor, 1);
  compare_with_text (editor, "t,speed\n0,0\n1,1\n", 0);
  g_assert_cmpuint (weir_plot_get_n_curves (plot_of (editor)), ==, 1);
  compare_with_text (editor, "t,speed,y\n0,0,0.25\n4,1,0.75\n20,3,1\n", 1);
  g_assert_cmpuint (weir_plot_get_n_curves (plot_of (editor)), ==, 2);
  g_assert_true (
      g_str_has_prefix (weir_plot_get_curve_name (plot_of (editor), 1), "Plant.y (weir-"));
  wait_for (weir_plot_get_value_at (plot_of (editor), 1, 2, &value));
  g_assert_cmpfloat (value, ==, 0.5);
  picture ("measuring-measured");
  g_action_group_change_action_state (G_ACTION_GROUP (editor->actions), "compare-run",
                                      g_variant_new_string (""));
  g_assert_cmpuint (weir_scopes_get_n_earlier (scopes_of (editor)), ==, 0);
  g_action_group_change_action_state (G_ACTION_GROUP (editor->actions), "compare-run",
                                      g_variant_new_string ("file"));
  g_assert_cmpuint (weir_scopes_get_n_earlier (scopes_of (editor)), ==, 1);
  editor_close (editor);
}

static GtkWindow *
wait_for_window (WeirEditor *editor)
{
  GtkWindow *window;

  wait_for ((window = weir_scopes_get_window (scopes_of (editor), "Scope")) != NULL
            && gtk_widget_get_mapped (GTK_WIDGET (window)));
  focus_window (window);
  return window;
}

/* A run that is begun there; its curve comes there. */
static void
run_in_window (WeirEditor *editor, GtkWindow *window, const char *run_key, guint n)
{
  WeirRunsPanel *runs = WEIR_RUNS_PANEL (part_of (editor, WEIR_TYPE_RUNS_PANEL));
  WeirRecorder *recorder;
  WeirPlotView *view;
  double end, value;

  key (run_key);
  wait_for (weir_runs_panel_get_n (runs) == n && run_is_over (editor));
  recorder = weir_session_get_recorder (session_of (editor));
  end = weir_recorder_get_time (recorder, weir_recorder_get_n_rows (recorder) - 1);
  wait_for (find_widget (GTK_WIDGET (window), has_type, &(GType) { WEIR_TYPE_PLOT_VIEW }) != NULL);
  view = WEIR_PLOT_VIEW (find_of_type (GTK_WIDGET (window), WEIR_TYPE_PLOT_VIEW));
  wait_for (weir_plot_get_value_at (weir_plot_view_get_plot (view), 0, end, &value));
  gtk_widget_grab_focus (GTK_WIDGET (view));
}

/* A plot in a window of its own has its tools there, follows runs while the page of plots is not
 * shown, is kept with the model, and goes back when it is closed. */
static void
test_window (void)
{
  WeirEditor *editor = open_text (second_order);
  GtkWindow *window;
  GtkWidget *figures;

  run_to_end (editor, 1);
  gtk_widget_grab_focus (view_of (editor));
  key ("<Shift>Return");
  window = wait_for_window (editor);
  g_assert_cmpstr (look_of_scope (editor), ==, "apart");
  g_assert_false (weir_document_can_undo (editor->document));
  g_assert_nonnull (
      find_label (GTK_WIDGET (scopes_of (editor)), "All Plots Are in Windows of Their Own"));
  point_at (middle_of (find_of_type (GTK_WIDGET (window), WEIR_TYPE_PLOT_VIEW)));
  key ("a");
  wait_for (weir_scopes_get_measures (scopes_of (editor)));
  click (find_label (GTK_WIDGET (window), "Σ"));
  figures = find_of_type (GTK_WIDGET (window), WEIR_TYPE_FIGURES_PANEL);
  weir_figures_panel_set_group (WEIR_FIGURES_PANEL (figures), "step");
  wait_for (weir_figures_panel_is_settled (WEIR_FIGURES_PANEL (figures)));
  g_assert_nonnull (find_label (figures, "Overshoot (%)"));
  g_assert_false (weir_scopes_get_shows_figures (scopes_of (editor)));
  picture ("measuring-window");
  picture_dark ("measuring-window-dark");

  /* The keys of the model's window do there what they do here, but those that close. */
  weir_host_show_page (WEIR_HOST (editor), "problems");
  run_in_window (editor, window, "F5", 2);
  g_assert_true (weir_scopes_get_window (scopes_of (editor), "Scope") == window);
  key ("<Control>w");
  wait_for (weir_scopes_get_window (scopes_of (editor), "Scope") == NULL);
  focus_window (GTK_WINDOW (toplevel_of (editor)));
  weir_host_show_page (WEIR_HOST (editor), "plots");
  wait_for (gtk_widget_get_mapped (view_of (editor)));
  g_assert_null (look_of_scope (editor));
  editor_close (editor);
}

/* It is there again with the first run of a model that keeps it, and goes with its tab. */
static void
test_window_kept (void)
{
  g_autofree char *text = dup_with_look ("apart");
  WeirEditor *editor = open_text (text);
  GtkWindow *window;

  click_canvas (editor);
  key ("F5");
  window = wait_for_window (editor);
  run_in_window (editor, window, "F5", 2);
  focus_window (GTK_WINDOW (toplevel_of (editor)));
  click (find_label (GTK_WIDGET (scopes_of (editor)), "Bring Them Back"));
  wait_for (weir_scopes_get_window (scopes_of (editor), "Scope") == NULL);
  gtk_widget_grab_focus (view_of (editor));
  key ("<Shift>Return");
  wait_for_window (editor);
  editor_close (editor);
  wait_for (find_toplevel (WEIR_TYPE_PLOT_WINDOW) == NULL);
}

static void
hold_control (gboolean down)
{
  XTestFakeKeyEvent (x_display (), XKeysymToKeycode (x_display (), GDK_KEY_Control_L), down,
                     CurrentTime);
  settle ();
}

/* A box, the wheel on an axis, typed limits; each is gone back over. */
static void
test_zoom (void)
{
  WeirEditor *editor = open_text (second_order);
  double time[3][2], value[3][2];
  GtkWidget *entry;
  WeirPoint at;

  run_to_end (editor, 1);
  weir_plot_get_range (plot_of (editor), WEIR_PLOT_TIME, &time[0][0], &time[0][1]);
  weir_plot_get_range (plot_of (editor), WEIR_PLOT_LEFT, &value[0][0], &value[0][1]);
  at = time_on_screen (editor, 5);
  point_at (at);
  hold_control (TRUE);
  drag (at, (WeirPoint) { time_on_screen (editor, 10).x, at.y + 40 });
  hold_control (FALSE);
  weir_plot_get_range (plot_of (editor), WEIR_PLOT_TIME, &time[1][0], &time[1][1]);
  weir_plot_get_range (plot_of (editor), WEIR_PLOT_LEFT, &value[1][0], &value[1][1]);
  g_assert_cmpfloat_with_epsilon (time[1][0], 5, 0.2);
  g_assert_cmpfloat_with_epsilon (time[1][1], 10, 0.2);
  g_assert_cmpfloat_with_epsilon (value[1][1], (value[0][0] + value[0][1]) / 2, 0.05);
  g_assert_cmpfloat (value[1][0], >, value[0][0]);
  key ("BackSpace");
  g_assert_false (weir_plot_is_range_fixed (plot_of (editor), WEIR_PLOT_TIME));
  g_assert_false (weir_plot_is_range_fixed (plot_of (editor), WEIR_PLOT_LEFT));

  /* On the axis of values only values. */
  at = on_screen (view_of (editor), 4, gtk_widget_get_height (view_of (editor)) / 2.0);
  wheel_at (at, -2);
  g_assert_false (weir_plot_is_range_fixed (plot_of (editor), WEIR_PLOT_TIME));
  g_assert_true (weir_plot_is_range_fixed (plot_of (editor), WEIR_PLOT_LEFT));
  key ("BackSpace");
  g_assert_false (weir_plot_is_range_fixed (plot_of (editor), WEIR_PLOT_LEFT));

  gtk_widget_activate_action (view_of (editor), "plot.axes", NULL);
  wait_for (
      (entry = find_widget (GTK_WIDGET (scopes_of (editor)), has_type, &(GType) { GTK_TYPE_ENTRY }))
      != NULL);
  gtk_widget_grab_focus (entry);
  type_text ("2");
  key ("Tab");
  type_text ("6.5");
  picture ("measuring-limits");
  key ("Return");
  wait_for (weir_plot_is_range_fixed (plot_of (editor), WEIR_PLOT_TIME));
  weir_plot_get_range (plot_of (editor), WEIR_PLOT_TIME, &time[2][0], &time[2][1]);
  g_assert_cmpfloat (time[2][0], ==, 2);
  g_assert_cmpfloat (time[2][1], ==, 6.5);
  g_assert_false (weir_plot_is_range_fixed (plot_of (editor), WEIR_PLOT_LEFT));
  editor_close (editor);
}

/* The entries under @widget, in order. */
static void
list_entries (GtkWidget *widget, GPtrArray *entries)
{
  if (GTK_IS_ENTRY (widget) && gtk_widget_get_mapped (widget))
    g_ptr_array_add (entries, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    list_entries (child, entries);
}

/* Axes become logarithmic by keys and are called and limited as typed; all of that is kept with the
 * model, and nothing to undo. */
static void
test_axes (void)
{
  WeirEditor *editor = open_text (second_order);
  const char *const typed[] = { "0.1", "30", "Height (m)" };
  g_autoptr (GPtrArray) entries = g_ptr_array_new ();
  double low, high;

  run_to_end (editor, 1);
  gtk_widget_grab_focus (view_of (editor));
  key ("l");
  wait_for (weir_plot_is_log (plot_of (editor), WEIR_PLOT_LEFT));
  g_assert_nonnull (weir_plot_get_gap_note (plot_of (editor))); /* it begins at 0 */
  key ("<Shift>l");
  wait_for (weir_plot_is_log (plot_of (editor), WEIR_PLOT_TIME));
  g_assert_cmpstr (look_of_scope (editor), ==, "log time\nlog values");
  picture ("measuring-log");
  picture_dark ("measuring-log-dark");
  wheel_at (middle_of (view_of (editor)), -2);
  wait_for (weir_plot_is_range_fixed (plot_of (editor), WEIR_PLOT_TIME));
  weir_plot_get_range (plot_of (editor), WEIR_PLOT_TIME, &low, &high);
  g_assert_cmpfloat (low, >, 0);
  key ("Home");
  key ("<Shift>l");
  wait_for (!weir_plot_is_log (plot_of (editor), WEIR_PLOT_TIME));
  g_assert_cmpstr (look_of_scope (editor), ==, "log values");

  gtk_widget_activate_action (view_of (editor), "plot.axes", NULL);
  wait_for (find_widget (GTK_WIDGET (scopes_of (editor)), has_type, &(GType) { GTK_TYPE_ENTRY })
            != NULL);
  list_entries (GTK_WIDGET (scopes_of (editor)), entries);
  g_assert_cmpuint (entries->len, ==, 6); /* of time, then of values */
  for (guint i = 0; i < G_N_ELEMENTS (typed); i++)
    {
      gtk_widget_grab_focus (entries->pdata[3 + i]);
      type_text (typed[i]);
    }
  picture ("measuring-axes");
  picture_dark ("measuring-axes-dark");
  key ("Return");
  wait_for (weir_plot_get_axis_title (plot_of (editor), WEIR_PLOT_LEFT) != NULL);
  weir_plot_get_range (plot_of (editor), WEIR_PLOT_LEFT, &low, &high);
  g_assert_cmpfloat (low, ==, 0.1);
  g_assert_cmpfloat (high, ==, 30);
  g_assert_cmpstr (look_of_scope (editor), ==,
                   "log values\ntitle values Height (m)\nvalues 0.1 30");
  g_assert_false (weir_document_can_undo (editor->document));

  /* Another run's plots are looked at as those before. */
  run_to_end (editor, 2);
  g_assert_true (weir_plot_is_log (plot_of (editor), WEIR_PLOT_LEFT));
  g_assert_cmpstr (weir_plot_get_axis_title (plot_of (editor), WEIR_PLOT_LEFT), ==, "Height (m)");
  weir_plot_get_range (plot_of (editor), WEIR_PLOT_LEFT, &low, &high);
  g_assert_cmpfloat (low, ==, 0.1);
  editor_close (editor);
}

static WeirPlotCard *
card_of (WeirEditor *editor)
{
  return WEIR_PLOT_CARD (find_of_type (GTK_WIDGET (scopes_of (editor)), WEIR_TYPE_PLOT_CARD));
}

static void
open_bounds (WeirEditor *editor)
{
  gtk_widget_activate_action (view_of (editor), "plot.bounds", NULL);
  wait_for (find_label (GTK_WIDGET (card_of (editor)), "Add a Bound") != NULL);
  spin (200);
}

/* A button of the popover, which has a place of its own on the screen. */
static void
activate_button (GtkWidget *inside)
{
  g_signal_emit_by_name (gtk_widget_get_ancestor (inside, GTK_TYPE_BUTTON), "clicked");
  spin (100);
}

static gboolean
is_said (WeirEditor *editor, const char *verdict)
{
  const char *said = weir_plot_get_verdict (plot_of (editor));

  return weir_plot_card_is_checked (card_of (editor)) && said != NULL
         && g_str_has_prefix (said, verdict);
}

/* A bound that is typed is judged in the plot and in the table, and kept with the model; the step
 * of 4/(s^2 + 2s + 4) goes above 1.1 at 1.420974278 s (closed form, by bisection). Then an envelope
 * of a step that it keeps: overshoot 16.3 %, 90 % after 1.063 s, settled after 4.04 s. */
static void
test_bounds (void)
{
  static const char *const envelope[] = { "1.1", "4.2", "17", "2" };
  WeirEditor *editor = open_text (second_order);
  g_autoptr (GPtrArray) entries = g_ptr_array_new ();
  guint first;

  run_to_end (editor, 1);
  open_bounds (editor);
  activate_button (find_label (GTK_WIDGET (card_of (editor)), "Add a Bound"));
  list_entries (GTK_WIDGET (card_of (editor)), entries);
  gtk_editable_set_text (GTK_EDITABLE (entries->pdata[2]), "1.1");
  picture ("measuring-bounds-editor");
  activate_button (find_label (GTK_WIDGET (card_of (editor)), "Apply"));
  wait_for (is_said (editor, "✗ Plant.y is above its bound at 1.42"));
  g_assert_cmpstr (look_of_scope (editor), ==, "upper -inf inf 1.1 1.1 Plant.y");
  g_assert_false (weir_document_can_undo (editor->document));
  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), "figures", NULL);
  wait_for (weir_scopes_get_shows_figures (scopes_of (editor)));
  choose_group (editor, "bounds");
  wait_for (is_said (editor, "✗"));
  g_assert_cmpfloat_with_epsilon (find_figure (editor, "Plant.y ≤ 1.1", 2), 1.420974278, 2e-3);
  g_assert_cmpfloat_with_epsilon (find_figure (editor, "Plant.y ≤ 1.1", 3),
                                  exp (-G_PI / sqrt (3)) - 0.1, 1e-3);
  picture ("measuring-bounds");
  picture_dark ("measuring-bounds-dark");

  open_bounds (editor);
  activate_button (find_widget (GTK_WIDGET (card_of (editor)), has_tooltip, "Remove This Bound"));
  gtk_expander_set_expanded (
      GTK_EXPANDER (find_of_type (GTK_WIDGET (card_of (editor)), GTK_TYPE_EXPANDER)), TRUE);
  wait_for (find_label (GTK_WIDGET (card_of (editor)), "Add Envelope") != NULL);
  spin (300);
  g_ptr_array_set_size (entries, 0);
  list_entries (GTK_WIDGET (card_of (editor)), entries);
  g_assert_cmpuint (entries->len, >=, G_N_ELEMENTS (envelope));
  first = entries->len - G_N_ELEMENTS (envelope);
  for (guint i = 0; i < G_N_ELEMENTS (envelope); i++)
    gtk_editable_set_text (GTK_EDITABLE (entries->pdata[first + i]), envelope[i]);
  activate_button (find_label (GTK_WIDGET (card_of (editor)), "Add Envelope"));
  picture ("measuring-envelope-editor");
  gtk_widget_activate (gtk_widget_get_ancestor (find_label (GTK_WIDGET (card_of (editor)), "Apply"),
                                                GTK_TYPE_BUTTON));
  wait_for (is_said (editor, "✓ All bounds are kept"));
  g_assert_cmpuint (weir_plot_get_n_bounds (plot_of (editor)), ==, 5);
  picture ("measuring-envelope");
  picture_dark ("measuring-envelope-dark");

  /* The next run is judged anew. */
  set_parameter (editor, "Command", "value", "1.2");
  run_to_end (editor, 2);
  wait_for (is_said (editor, "✗ Plant.y is above its bound"));
  editor_close (editor);
}

/* Time that is linked is the same in all plots, and kept with the model; one plot can be seen
 * alone. */
static void
test_linked (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  GtkWidget *first, *second;
  double range[2][2];

  run_to_end (editor, 1);
  first = find_of_type (GTK_WIDGET (scopes_of (editor)), WEIR_TYPE_PLOT_CARD);
  second = gtk_widget_get_next_sibling (first);
  g_assert_true (WEIR_IS_PLOT_CARD (second));
  click (find_label (GTK_WIDGET (scopes_of (editor)), "⟷"));
  wait_for (weir_scopes_get_linked (scopes_of (editor)));
  wheel_at (middle_of (view_of (editor)), -2);
  wait_for (weir_plot_is_range_fixed (plot_of (editor), WEIR_PLOT_TIME));
  weir_plot_get_range (plot_of (editor), WEIR_PLOT_TIME, &range[0][0], &range[0][1]);
  weir_plot_get_range (weir_plot_view_get_plot (weir_plot_card_get_view (WEIR_PLOT_CARD (second))),
                       WEIR_PLOT_TIME, &range[1][0], &range[1][1]);
  g_assert_cmpfloat (range[0][0], ==, range[1][0]);
  g_assert_cmpfloat (range[0][1], ==, range[1][1]);
  g_assert_cmpstr (weir_model_get_plot (weir_document_get_model (editor->document), "measuring"),
                   ==, "linked");
  gtk_widget_grab_focus (view_of (editor));
  key ("Return");
  wait_for (!gtk_widget_get_visible (second));
  picture ("measuring-large");
  key ("Return");
  wait_for (gtk_widget_get_visible (second));
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/measuring/pointer", test_pointer);
  g_test_add_func ("/window/measuring/values", test_values);
  g_test_add_func ("/window/measuring/values-kept", test_values_kept);
  g_test_add_func ("/window/measuring/keys", test_keys);
  g_test_add_func ("/window/measuring/step", test_step);
  g_test_add_func ("/window/measuring/range", test_range);
  g_test_add_func ("/window/measuring/zoom", test_zoom);
  g_test_add_func ("/window/measuring/axes", test_axes);
  g_test_add_func ("/window/measuring/spectrum", test_spectrum);
  g_test_add_func ("/window/measuring/bounds", test_bounds);
  g_test_add_func ("/window/measuring/linked", test_linked);
  g_test_add_func ("/window/measuring/measured", test_measured);
  g_test_add_func ("/window/measuring/window", test_window);
  g_test_add_func ("/window/measuring/window-kept", test_window_kept);
  return driver_main ();
}

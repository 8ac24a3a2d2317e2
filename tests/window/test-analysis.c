/* The page Analysis: signals are marked on the canvas, and what the page finds of them is read from
 * its table, drawn, checked by simulation and used for controllers.
 */
#include "analysis-table.h"

#include <glib/gstdio.h>

#include "model/tree/analysis-points.h"
#include "scopes/chart-view.h"
#include "scopes/plot-view.h"
#include "scopes/scopes.h"

/* Negative feedback around a transfer function P, behind it D: a gain of 1, or @behind, a type of
 * block, the name of its parameter and its value. */
static WeirEditor *
open_loop_with (const char *numerator, const char *denominator, const char *const behind[3],
                const char *words, const char *look)
{
  static const char *const nothing[] = { "Gain", "gain", "1" };
  const char *const *last = behind != NULL ? behind : nothing;
  g_autofree char *point = words != NULL
                               ? g_strdup_printf ("<meta name=\"analysis-points\" of=\"y\" "
                                                  "value=\"%s\"/>",
                                                  words)
                               : g_strdup ("");
  g_autofree char *xml = g_strdup_printf (
      "<?xml version=\"1.0\"?><weir version=\"1\">%s<diagram>"
      "<block id=\"1\" type=\"Constant\" name=\"R\" x=\"40\" y=\"80\"/>"
      "<block id=\"2\" type=\"Sum\" name=\"E\" x=\"150\" y=\"90\"><parameter name=\"signs\" "
      "value=\"+-\"/></block>"
      "<block id=\"3\" type=\"TransferFunction\" name=\"P\" x=\"260\" y=\"80\" width=\"120\" "
      "height=\"60\">%s<parameter name=\"numerator\" value=\"%s\"/><parameter name=\"denominator\" "
      "value=\"%s\"/></block>"
      "<block id=\"4\" type=\"%s\" name=\"D\" x=\"480\" y=\"85\"><parameter name=\"%s\" "
      "value=\"%s\"/></block>"
      "<wire id=\"91\" from=\"1.y\" to=\"2.in1\"/><wire id=\"92\" from=\"2.y\" to=\"3.u\"/>"
      "<wire id=\"93\" from=\"3.y\" to=\"4.u\"/><wire id=\"94\" from=\"4.y\" to=\"2.in2\"/>"
      "</diagram></weir>",
      look, point, numerator, denominator, last[0], last[1], last[2]);
  WeirEditor *editor = editor_open_text (xml, NULL);

  weir_host_show_page (WEIR_HOST (editor), "analysis");
  return editor;
}

static WeirEditor *
open_loop (const char *numerator, const char *denominator, const char *delay, const char *words,
           const char *look)
{
  const char *const behind[] = { "TransportDelay", "delay", delay };

  return open_loop_with (numerator, denominator, delay != NULL ? behind : NULL, words, look);
}

/* --- Points ----------------------------------------------------------------------------------- */

static gboolean
is_empty (WeirEditor *editor)
{
  return find_full (editor, "Phase margin", 0) == NULL;
}

/* Without a mouse: a wire is opened by a key, and the page is there; undo takes it back. */
static void
test_points (void)
{
  WeirEditor *editor = open_loop ("1", "[1, 3, 2, 0]", NULL, NULL, "");
  guint n = 0;

  g_assert_true (is_empty (editor));
  click_canvas (editor);
  weir_canvas_select_wire (editor->canvas, 93);
  key ("<Shift>o");
  wait_for (!is_empty (editor));
  g_assert_cmpfloat_with_epsilon (read_number (editor, "Gain margin", 0, 0), 6, 1e-8);
  weir_document_undo (editor->document);
  g_assert_null (weir_document_get_undo_label (editor->document));
  key ("o");
  key ("i");
  weir_canvas_get_selected_wires (editor->canvas, &n);
  g_assert_cmpuint (n, ==, 1);
  {
    WeirModel *model = weir_document_get_model (editor->document);
    g_autoptr (GArray) points = weir_model_list_points (model);

    g_assert_cmpuint (points->len, ==, 1);
    g_assert_cmpstr (g_array_index (points, WeirSavedPoint, 0).path, ==, "P.y");
    g_assert_cmpstr (g_array_index (points, WeirSavedPoint, 0).words, ==, "output input");
  }
  editor_close (editor);
}

/* Each picture of an example, light and dark; to be looked at. */
static void
test_pictures (void)
{
  static const char *const looks[] = { "bode",  "nyquist", "nichols", "poles",
                                       "locus", "step",    "impulse" };
  WeirEditor *editor = window_open_example ("position-loop.weir");

  weir_host_show_page (WEIR_HOST (editor), "analysis");
  wait_for (!is_empty (editor));
  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    {
      GtkDropDown *pictures = GTK_DROP_DOWN (
          find_widget (page_of (editor), has_tooltip, "Picture"));
      g_autofree char *name = g_strconcat ("analysis-", looks[i], NULL);
      g_autofree char *expected = g_strdup_printf ("%s open start 0", looks[i]);

      gtk_drop_down_set_selected (pictures, i);
      g_assert_cmpstr (weir_model_get_plot (weir_document_get_model (editor->document), "analysis"),
                       ==, expected);
      spin (100);
      picture (name);
    }
  picture_dark ("analysis-dark");
  editor_close (editor);
}

static gboolean
says (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL;
}

/* What cannot be given is told in a sentence, and no margin is made up. */
static void
test_sentences (void)
{
  static const char *const nothing[] = { "Gain", "gain", "0" };
  static const char *const limit[] = { "Saturation", "upper", "0" };
  static const struct {
    const char *numerator, *denominator;
    const char *const *behind;
    const char *place, *sentence;
    gboolean has_margin; /* of the phase */
  } told[] = {
    { "0.5", "[1, 1]", NULL, "start", "there is no phase margin and no delay margin", FALSE },
    { "0.5", "[1, 1]", NULL, "start", "there is no gain margin", FALSE },
    { "8", "[1, 3, 2, 0]", NULL, "start", "The closed loop is unstable, with 2 poles", TRUE },
    { "[6, 6]", "[1, 4, -5]", NULL, "start",
      "The open loop is unstable, with 1 pole to the right; the closed loop is stable", TRUE },
    { "1", "[1, 0]", nothing, "rest", "no operating point was found", FALSE },
    { "1", "[1, 1]", limit, "start", "kink or jump", FALSE },
    { "[-1, -3]", "[1, 1]", NULL, "start", "does not determine its signals", FALSE },
    { "1", "[1, 1]", nothing, "start", "the signal is constant", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    {
      g_autofree char *look = g_strdup_printf (
          "<plots><plot name=\"analysis\" value=\"bode open %s "
          "0\"/></plots>",
          told[i].place);
      g_autofree char *name = g_strdup_printf ("analysis-told-%u", i);
      WeirEditor *editor = open_loop_with (told[i].numerator, told[i].denominator, told[i].behind,
                                           "output break input", look);

      g_test_message ("%s", told[i].sentence);
      wait_for (find_widget (page_of (editor), says, told[i].sentence) != NULL);
      g_assert_true ((find_full (editor, "Phase margin", 0) != NULL) == told[i].has_margin);
      picture (name);
      editor_close (editor);
    }
}

/* --- Read without eyes and mouse -------------------------------------------------------------- */

static GtkWidget *
chart_of (WeirEditor *editor)
{
  return find_of_type (page_of (editor), WEIR_TYPE_CHART_VIEW);
}

static gboolean
is_told (WeirEditor *editor, const char *text)
{
  const GType type = WEIR_TYPE_CHART_VIEW;
  GtkWidget *view = find_widget (page_of (editor), has_type, &type);
  g_autofree char *summary = view != NULL ? weir_chart_dup_summary (
                                 weir_chart_view_get_chart (WEIR_CHART_VIEW (view)))
                                          : NULL;

  return summary != NULL && strstr (summary, text) != NULL;
}

/* Each picture has a summary, and its points by keys. */
static void
test_read (void)
{
  static const struct {
    const char *title, *told;
  } pictures[] = {
    { "Bode", "Gain margin 6 (15.56 dB) at 1.4142 rad/s" },
    { "Nyquist", "Imaginary part from " },
    { "Nichols", "Phase (°) from -2" },
    { "Poles and Zeros", "Pole -2 +0i" },
    { "Root Locus", "Branches meet at -0.42265, gain 0.3849" },
    { "Step", "Peak 1.1446 at 6.0777 s" },
    { "Impulse", "Closed loop L / (1 + L) from -" },
  };
  WeirEditor *editor = open_loop ("1", "[1, 3, 2, 0]", NULL, "output break input", "");
  WeirChart *chart;

  wait_for (!is_empty (editor));
  click_canvas (editor); /* the pointer is on no point */
  chart = weir_chart_view_get_chart (WEIR_CHART_VIEW (chart_of (editor)));
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    {
      GtkDropDown *choice = GTK_DROP_DOWN (find_widget (page_of (editor), has_tooltip, "Picture"));
      g_autofree char *before = NULL, *after = NULL;

      gtk_drop_down_set_selected (choice, i);
      wait_for (is_told (editor, pictures[i].told));
      before = weir_chart_dup_summary (chart);
      gtk_test_accessible_assert_property (GTK_ACCESSIBLE (chart_of (editor)),
                                           GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, before);
      gtk_test_accessible_assert_property (GTK_ACCESSIBLE (chart_of (editor)),
                                           GTK_ACCESSIBLE_PROPERTY_LABEL, pictures[i].title);
      gtk_widget_grab_focus (chart_of (editor));
      key ("Right");
      key ("Right");
      wait_for ((after = weir_chart_dup_cursor_text (chart)) != NULL);
      g_test_message ("%s: %s", pictures[i].title, after);
      gtk_test_accessible_assert_property (GTK_ACCESSIBLE (chart_of (editor)),
                                           GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, after);
      weir_chart_clear_cursor (chart);
      weir_chart_view_changed (WEIR_CHART_VIEW (chart_of (editor)));
    }
  editor_close (editor);
}

/* --- Operating points ------------------------------------------------------------------------- */

/* x' = u - x, measured as x^2: its slope is 2 x. */
static WeirEditor *
open_square (const char *looks)
{
  g_autofree char *xml = g_strdup_printf (
      "<?xml version=\"1.0\"?><weir version=\"1\"><plots>%s</plots><diagram>"
      "<block id=\"1\" type=\"Step\" name=\"U\" x=\"40\" y=\"80\"><meta "
      "name=\"analysis-points\" of=\"y\" value=\"input\"/></block>"
      "<block id=\"2\" type=\"Integrator\" name=\"X\" x=\"280\" y=\"80\"/>"
      "<block id=\"3\" type=\"Product\" name=\"Q\" x=\"440\" y=\"80\"><meta "
      "name=\"analysis-points\" of=\"y\" value=\"output\"/></block>"
      "<block id=\"4\" type=\"Sum\" name=\"E\" x=\"180\" y=\"80\"><parameter name=\"signs\" "
      "value=\"+-\"/></block>"
      "<block id=\"5\" type=\"Scope\" name=\"Scope\" x=\"560\" y=\"80\"/>"
      "<wire id=\"91\" from=\"1.y\" to=\"4.in1\"/><wire id=\"92\" from=\"2.y\" to=\"4.in2\"/>"
      "<wire id=\"93\" from=\"4.y\" to=\"2.u\"/><wire id=\"94\" from=\"2.y\" to=\"3.in1\"/>"
      "<wire id=\"95\" from=\"2.y\" to=\"3.in2\"/><wire id=\"96\" from=\"3.y\" to=\"5.in1\"/>"
      "</diagram></weir>",
      looks);
  g_autofree char *name = NULL;
  g_autoptr (GFile) file = NULL;
  WeirEditor *editor = editor_open ();
  int made = g_file_open_tmp ("weir-XXXXXX.weir", &name, NULL);

  g_close (made, NULL);
  g_assert_true (g_file_set_contents (name, xml, -1, NULL));
  file = g_file_new_for_path (name);
  g_assert_true (weir_editor_open (editor, file));
  weir_host_show_page (WEIR_HOST (editor), "analysis");
  return editor;
}

static gboolean
has_gain (WeirEditor *editor, double gain)
{
  return find_full (editor, "Gain in the long run", 0) != NULL
         && fabs (read_number (editor, "Gain in the long run", 0, 0) - gain) < 1e-4;
}

/* In the table that opens: the row of that name, what it is to be, and its value. */
static void
fix (WeirEditor *editor, const char *name, guint choice, const char *value)
{
  GtkWidget *button = find_widget (page_of (editor), has_tooltip, "What is fixed at rest"), *cell;
  GtkWidget *grid;
  int column, row;

  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  wait_for ((cell = find_widget (button, has_tooltip, name)) != NULL);
  grid = gtk_widget_get_ancestor (cell, GTK_TYPE_GRID);
  gtk_grid_query_child (GTK_GRID (grid), cell, &column, &row, &column, &column);
  if (value != NULL)
    gtk_editable_set_text (GTK_EDITABLE (gtk_grid_get_child_at (GTK_GRID (grid), 2, row)), value);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (gtk_grid_get_child_at (GTK_GRID (grid), 1, row)),
                              choice);
}

/* At rest with a state that is held, and a source that is found for it; kept with the model, no
 * step of undo. With nothing held the source says where: 0 before its step. */
static void
test_rest (void)
{
  WeirEditor *editor = open_square ("<plot name=\"analysis\" value=\"bode between rest 0\"/>");

  wait_for (find_widget (page_of (editor), says, "the signal is constant") != NULL);
  fix (editor, "X", 1, "3");
  wait_for (find_widget (page_of (editor), says, "no operating point was found") != NULL);
  fix (editor, "U.y", 1, NULL);
  wait_for (has_gain (editor, 6));
  spin (300);
  picture ("analysis-fixed");
  picture_dark ("analysis-fixed-dark");
  g_assert_cmpstr (weir_model_get_plot (weir_document_get_model (editor->document), "trim"), ==,
                   "hold 3 X\nfree U.y");
  g_assert_false (weir_document_can_undo (editor->document));
  fix (editor, "X", 0, NULL);
  fix (editor, "Q.y", 1, "16");
  wait_for (has_gain (editor, 8) || has_gain (editor, -8));
  key ("Escape");
  editor_close (editor);
}

/* Where cursor A stands in the plots: x (2) = 1 - 1 / e after a step at 1; it follows the cursor.
 */
static void
test_at_cursor (void)
{
  WeirEditor *editor = open_square ("<plot name=\"analysis\" value=\"bode between cursor 0\"/>");
  WeirScopes *scopes = WEIR_SCOPES (part_of (editor, WEIR_TYPE_SCOPES));
  GtkWidget *view;

  wait_for (find_widget (page_of (editor), says, "Cursor A stands nowhere") != NULL);
  weir_host_show_page (WEIR_HOST (editor), "plots");
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor) && weir_scopes_get_n_plots (scopes) == 1);
  view = find_of_type (GTK_WIDGET (scopes), WEIR_TYPE_PLOT_VIEW);
  g_signal_emit_by_name (view, "measuring-moved", 0, 2.0, FALSE);
  weir_host_show_page (WEIR_HOST (editor), "analysis");
  wait_for (has_gain (editor, 2 * (1 - exp (-1))));
  g_signal_emit_by_name (view, "measuring-moved", 0, 3.0, FALSE);
  wait_for (has_gain (editor, 2 * (1 - exp (-2))));
  editor_close (editor);
}

/* --- Beside simulation ------------------------------------------------------------------------ */

static void
look_at (WeirEditor *editor, const char *picture, const char *system)
{
  GtkWidget *page = page_of (editor);
  GtkDropDown *pictures = GTK_DROP_DOWN (find_widget (page, has_tooltip, "Picture"));
  GtkDropDown *systems = GTK_DROP_DOWN (find_widget (page, has_tooltip, "What is looked at"));
  static const char *const names[] = { "bode",  "nyquist", "nichols", "poles",
                                       "locus", "step",    "impulse", NULL };
  static const char *const kinds[] = { "between", "open", "sensitivity", "closed", NULL };

  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_equal (names[i], picture))
      gtk_drop_down_set_selected (pictures, i);
  for (guint i = 0; kinds[i] != NULL; i++)
    if (g_str_equal (kinds[i], system))
      gtk_drop_down_set_selected (systems, i);
}

/* The deviation, in percent. */
static double
check (WeirEditor *editor, const char *picture_name, const char *system)
{
  double off;

  look_at (editor, picture_name, system);
  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), "check-by-simulation", NULL);
  wait_for (find_full (editor, "Largest deviation", 0) != NULL);
  off = read_number (editor, "Largest deviation", 0, 0);
  g_test_message ("%s of %s: off by %.3g %%", picture_name, system, off);
  return off;
}

/* A linear model simulated is what its linearisation says, within what is asked of it: 0.1 %. */
static void
test_check (void)
{
  static const char *const systems[] = { "open", "sensitivity", "closed" };
  WeirEditor *editor = open_loop ("1", "[1, 3, 2, 0]", NULL, "output break input", "");

  wait_for (!is_empty (editor));
  for (guint i = 0; i < G_N_ELEMENTS (systems); i++)
    g_assert_cmpfloat (check (editor, "bode", systems[i]), <, 0.1);
  g_assert_cmpfloat (check (editor, "step", "open"), <, 0.1);
  picture ("checked-step");
  g_assert_cmpfloat (check (editor, "nyquist", "open"), <, 0.1);
  picture ("checked-nyquist");
  look_at (editor, "bode", "open");
  picture ("checked");
  picture_dark ("checked-dark");
  set_parameter (editor, "D", "gain", "2");
  wait_for (find_full (editor, "Largest deviation", 0) == NULL);
  editor_close (editor);
}

/* Sampled, at the signal that is held and at the one that is sampled. */
static void
test_check_sampled (void)
{
  static const char *const hold[] = { "ZeroOrderHold", "period", "0.1" };
  static const char *const systems[] = { "open", "closed" };
  WeirEditor *editor = open_loop_with ("1.5", "[1, 1, 0]", hold, "output break input", "");

  wait_for (!is_empty (editor));
  for (guint i = 0; i < G_N_ELEMENTS (systems); i++)
    g_assert_cmpfloat (check (editor, "bode", systems[i]), <, 0.1);
  click_canvas (editor);
  weir_canvas_select_wire (editor->canvas, 93);
  key ("<Shift>o");
  wait_for (find_widget (page_of (editor), has_tooltip, "Picture") == NULL);
  weir_canvas_select_wire (editor->canvas, 94);
  key ("<Shift>o");
  wait_for (find_widget (page_of (editor), has_tooltip, "Picture") != NULL);
  g_assert_cmpfloat (check (editor, "bode", "open"), <, 0.1);
  editor_close (editor);
}

static void
test_check_unstable (void)
{
  WeirEditor *editor = open_loop ("8", "[1, 3, 2, 0]", NULL, "output break input", "");

  wait_for (!is_empty (editor));
  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), "check-by-simulation", NULL);
  wait_for (find_label (toplevel_of (editor),
                        "The model runs with its loop closed, and that is unstable: there is "
                        "nothing to measure.")
            != NULL);
  editor_close (editor);
}

/* A loop with a PID block D, put there as an edit. */
static WeirEditor *
open_with (const char *type, const char *numerator, const char *denominator)
{
  WeirEditor *editor = open_loop (numerator, denominator, NULL, "output break input", "");
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirBlock) controller = weir_block_new (4, type, "D", (WeirPoint) { 480, 85 });
  g_autoptr (WeirBlock) with_gain = weir_block_with_parameter (controller, "i", "1");

  weir_patch_set_block (patch, WEIR_PLACE_ROOT, with_gain);
  g_assert_true (weir_document_edit (editor->document, patch, "PID", NULL, &error));
  return editor;
}

static WeirEditor *
open_with_pid (const char *numerator, const char *denominator)
{
  return open_with ("PID", numerator, denominator);
}

static void
press (WeirEditor *editor, const char *label)
{
  GtkWidget *button = gtk_widget_get_ancestor (find_label (page_of (editor), label),
                                               GTK_TYPE_BUTTON);

  g_signal_emit_by_name (button, "clicked");
}

static void
tune (WeirEditor *editor, const char *tuning)
{
  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), "tune",
                                  g_variant_new_string (tuning));
  wait_for (find_label (page_of (editor), "Apply Tuning") != NULL);
}

static gboolean
has_margin (WeirEditor *editor, double margin, double crossover)
{
  return find_full (editor, "Phase margin", 0) != NULL
         && fabs (read_number (editor, "Phase margin", 0, 0) - margin) < 1e-3
         && fabs (read_number (editor, "Phase margin", 0, 1) - crossover) < 1e-4 * crossover;
}

/* SIMC of 1 / ((s + 1) (.2 s + 1) (.04 s + 1) (.008 s + 1)), from Skogestad's table: 3.716 and 1.1
 * for PI; one step of undo. */
static void
test_tune (void)
{
  WeirEditor *editor = open_with_pid ("1", "[6.4e-5, 0.009984, 0.25792, 1.248, 1]");
  WeirModel *model;
  WeirBlock *pid;
  double margin;

  wait_for (find_full (editor, "Rise time", 0) != NULL);
  margin = read_number (editor, "Phase margin", 0, 0);
  tune (editor, "simc-pi");
  wait_for (fabs (read_number (editor, "Phase margin", 0, 0) - margin) > 1);
  picture ("tuning-preview");
  picture_dark ("tuning-preview-dark");
  g_assert_cmpstr (weir_document_get_undo_label (editor->document), ==, "PID");
  press (editor, "Discard");
  wait_for (fabs (read_number (editor, "Phase margin", 0, 0) - margin) < 1e-9);
  tune (editor, "simc-pi");
  press (editor, "Apply Tuning");
  g_assert_cmpstr (weir_document_get_undo_label (editor->document), ==, "Tune Controller");
  model = weir_document_get_model (editor->document);
  pid = weir_model_find_path (model, "D");
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (weir_block_get_parameter (pid, "p"), NULL), 3.716,
                                  5e-4);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (weir_block_get_parameter (pid, "i"), NULL),
                                  3.716 / 1.1, 1e-3);
  picture ("tuned");
  weir_document_undo (editor->document);
  g_assert_cmpstr (weir_document_get_undo_label (editor->document), ==, "PID");
  tune (editor, "relay-pid");
  press (editor, "Apply Tuning");
  g_assert_cmpstr (weir_document_get_undo_label (editor->document), ==, "Tune Controller");
  editor_close (editor);
}

/* What is asked for is what the loop then has, to the digits that the block's factors have. */
static void
test_targets (gconstpointer type)
{
  static const struct {
    const char *tuning;
    double margin, crossover;
  } asked[] = { { "margin-pid", 50, 2 }, { "margin-pi", 55, 0.6 } };
  WeirEditor *editor = open_with (type, "1", "[1, 3, 2]");
  GtkWidget *page = page_of (editor);

  wait_for (find_full (editor, "Rise time", 0) != NULL);
  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      GtkSpinButton *margin, *crossover;

      tune (editor, asked[i].tuning);
      margin = GTK_SPIN_BUTTON (
          find_widget (page, has_tooltip, "Phase margin that is asked for (degrees)"));
      crossover = GTK_SPIN_BUTTON (
          find_widget (page, has_tooltip, "Crossover that is asked for (rad/s)"));
      gtk_spin_button_set_value (margin, asked[i].margin);
      gtk_spin_button_set_value (crossover, asked[i].crossover);
      wait_for (has_margin (editor, asked[i].margin, asked[i].crossover));
      if (g_str_equal (type, "PID"))
        picture (asked[i].tuning);
      press (editor, "Apply Tuning");
      wait_for (has_margin (editor, asked[i].margin, asked[i].crossover));
    }
  editor_close (editor);
}

/* --- Controllers of states -------------------------------------------------------------------- */

/* Two integrators, driven at U and measured at X. */
static WeirEditor *
open_integrators (const char *start)
{
  g_autofree char *xml = g_strdup_printf (
      "<?xml version=\"1.0\"?><weir version=\"1\"><plots><plot name=\"analysis\" value=\"poles "
      "between start 0\"/></plots><diagram>"
      "<block id=\"1\" type=\"Constant\" name=\"U\" x=\"40\" y=\"80\"><meta "
      "name=\"analysis-points\" of=\"y\" value=\"input\"/><parameter name=\"value\" "
      "value=\"0\"/></block>"
      "<block id=\"2\" type=\"Integrator\" name=\"V\" x=\"240\" y=\"80\"/>"
      "<block id=\"3\" type=\"Integrator\" name=\"X\" x=\"360\" y=\"80\"><meta "
      "name=\"analysis-points\" of=\"y\" value=\"output\"/><parameter name=\"initial\" "
      "value=\"%s\"/></block>"
      "<block id=\"4\" type=\"Scope\" name=\"Scope\" x=\"480\" y=\"80\"/>"
      "<wire id=\"91\" from=\"1.y\" to=\"2.u\"/><wire id=\"92\" from=\"2.y\" to=\"3.u\"/>"
      "<wire id=\"93\" from=\"3.y\" to=\"4.in1\"/></diagram></weir>",
      start);
  WeirEditor *editor = editor_open_text (xml, NULL);

  weir_host_show_page (WEIR_HOST (editor), "analysis");
  wait_for (find_full (editor, "Gain in the long run", 0) != NULL
            || find_label (page_of (editor), "Gain in the long run") != NULL);
  return editor;
}

static void
fill (WeirEditor *editor, const char *field, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (find_widget (page_of (editor), has_tooltip, field)), text);
}

static void
design (WeirEditor *editor, const char *way, double period)
{
  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), "design",
                                  g_variant_new_string (way));
  wait_for (find_label (page_of (editor), "Put It In") != NULL);
  gtk_spin_button_set_value (
      GTK_SPIN_BUTTON (find_widget (page_of (editor), has_tooltip,
                                    "Sample time of the controller (s); 0: continuous")),
      period);
}

/* Is this one of the poles in the table? */
static gboolean
has_pole (WeirEditor *editor, double re, double im)
{
  const char *name = im != 0 ? "Poles" : "Pole";

  for (guint at = 0; find_full (editor, name, at) != NULL; at++)
    if (fabs (read_number (editor, name, at, 0) - re) < 1e-6
        && fabs (read_number (editor, name, at, 1) - im) < 1e-6)
      return TRUE;
  return FALSE;
}

/* K = [1, sqrt 3] for weights of 1, and L = [sqrt 20, 10] for disturbances of 1 on the rate and
 * noise of 0.01: poles (-sqrt 3 +- i) / 2 and -sqrt 5 (1 +- i). The order of the states is V, X. */
static void
test_regulator (void)
{
  WeirEditor *editor = open_integrators ("0");
  WeirModel *model;
  guint n_blocks = weir_diagram_get_n_blocks (root_diagram (editor));

  design (editor, "lqr", 0);
  fill (editor, "Disturbances of the states", "[1, 0]");
  picture ("design");
  {
    g_autofree char *folder = g_dir_make_tmp ("weir-matrices-XXXXXX", NULL);
    g_autofree char *file = g_build_filename (folder, "abcd.csv", NULL);
    g_autofree char *text = NULL;

    g_action_group_activate_action (G_ACTION_GROUP (editor->actions), "save-matrices", NULL);
    choose_path (file);
    wait_for (g_file_get_contents (file, &text, NULL, NULL) && *text != '\0');
    g_assert_cmpstr (text, ==, "A\n0,0\n1,0\nB\n1\n0\nC\n0,1\nD\n0\n");
    g_unlink (file);
    g_rmdir (folder);
  }
  press (editor, "Put It In");
  g_assert_cmpstr (weir_document_get_undo_label (editor->document), ==, "Add Controller");
  wait_for (has_pole (editor, -sqrt (3) / 2, 0.5));
  g_assert_true (has_pole (editor, -sqrt (5), sqrt (5)));
  picture ("designed");
  model = weir_document_get_model (editor->document);
  g_assert_nonnull (weir_model_find_path (model, "Observer"));
  g_assert_nonnull (weir_model_find_path (model, "State Feedback"));
  weir_document_undo (editor->document);
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (editor)), ==, n_blocks);
  g_assert_null (weir_document_get_undo_label (editor->document));
  editor_close (editor);
}

/* Away from zero the controller leaves the model where it is: it starts from the operating point. A
 * text that is none is told where it was typed. */
static void
test_placement (void)
{
  WeirEditor *editor = open_integrators ("3");

  design (editor, "poles", 0);
  fill (editor, "Poles of the loop", "[-1, 2; -1, -2]");
  fill (editor, "Poles of the observer", "[-5]");
  press (editor, "Put It In");
  wait_for (find_label (page_of (editor),
                        "Poles of the observer, “[-5]”: 2 poles are expected, or as many pairs of "
                        "real and imaginary part")
            != NULL);
  fill (editor, "Poles of the observer", "[-5, -6]");
  picture ("design-poles");
  press (editor, "Put It In");
  wait_for (has_pole (editor, -1, 2));
  g_assert_true (has_pole (editor, -5, 0));
  g_assert_true (has_pole (editor, -6, 0));
  g_assert_nonnull (
      weir_model_find_path (weir_document_get_model (editor->document), "Operating Point"));
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  {
    WeirRecorder *results = weir_session_get_recorder (session_of (editor));
    gsize last = weir_recorder_get_n_rows (results) - 1;

    g_assert_cmpfloat_with_epsilon (weir_recorder_get_value (results, 0, last), 3, 1e-6);
  }
  editor_close (editor);
}

/* The same in steps of 0.1 s: scipy 1.17, solve_discrete_are of the samples, eigenvalues of A - B K
 * and A - L C. */
static void
test_sampled_regulator (void)
{
  WeirEditor *editor = open_integrators ("0");

  design (editor, "lqr", 0.1);
  press (editor, "Put It In");
  wait_for (has_pole (editor, 0.915927504339884, 0.045853692377175));
  g_assert_true (has_pole (editor, 0.904870558517597, 0));
  g_assert_true (has_pole (editor, 0.009805825708654, 0));
  editor_close (editor);
}

/* With all its bars, in a window of 1024 by 768, in high contrast too. */
static void
test_narrow (void)
{
  WeirEditor *editor = weir_window_add (weir_window_new (application), weir_editor_new ());
  g_autoptr (GFile) file = example_file ("position-loop.weir");

  gtk_window_set_default_size (GTK_WINDOW (toplevel_of (editor)), 1024, 768);
  weir_window_present (editor);
  g_assert_true (weir_editor_open (editor, file));
  weir_host_show_page (WEIR_HOST (editor), "analysis");
  wait_for (!is_empty (editor));
  tune (editor, "margin-pid");
  picture ("narrow-tuning");
  g_assert_cmpint (gtk_widget_get_width (toplevel_of (editor)), <=, 1024);
  design (editor, "lqr", 0);
  g_assert_null (find_label (page_of (editor), "Apply Tuning"));
  picture ("narrow");
  g_assert_cmpint (gtk_widget_get_width (toplevel_of (editor)), <=, 1024);
  g_object_set (gtk_settings_get_default (), "gtk-theme-name", "HighContrast", NULL);
  picture ("narrow-high-contrast");
  g_assert_cmpint (gtk_widget_get_width (toplevel_of (editor)), <=, 1024);
  g_object_set (gtk_settings_get_default (), "gtk-theme-name", "Default", NULL);
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/analysis/points", test_points);
  g_test_add_func ("/window/analysis/sentences", test_sentences);
  g_test_add_func ("/window/analysis/read", test_read);
  g_test_add_func ("/window/analysis/rest", test_rest);
  g_test_add_func ("/window/analysis/at-cursor", test_at_cursor);
  g_test_add_func ("/window/analysis/check", test_check);
  g_test_add_func ("/window/analysis/check/sampled", test_check_sampled);
  g_test_add_func ("/window/analysis/check/unstable", test_check_unstable);
  g_test_add_func ("/window/analysis/tune", test_tune);
  g_test_add_data_func ("/window/analysis/targets", "PID", test_targets);
  g_test_add_data_func ("/window/analysis/targets-sampled", "DiscretePID", test_targets);
  g_test_add_func ("/window/analysis/design/regulator", test_regulator);
  g_test_add_func ("/window/analysis/design/placement", test_placement);
  g_test_add_func ("/window/analysis/design/sampled", test_sampled_regulator);
  g_test_add_func ("/window/analysis/narrow", test_narrow);
  g_test_add_func ("/window/analysis/pictures", test_pictures);
  return driver_main ();
}

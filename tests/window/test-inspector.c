/* The inspector: units, live tuning, several blocks at once, promoted parameters, text of several
 * lines. */
#include "driver.h"

#include <glib/gstdio.h>

static void
enter (WeirEditor *editor, const char *caption, const char *text)
{
  click (find_field (editor, caption));
  key ("<Control>a");
  type_text (text);
  key ("Return");
}

static const char *
shown (WeirEditor *editor, const char *caption)
{
  return gtk_editable_get_text (GTK_EDITABLE (find_field (editor, caption)));
}

static const char *
parameter (WeirEditor *editor, const char *block, const char *name)
{
  return weir_block_get_parameter (find_block (editor, block), name);
}

static gboolean
is_slider (GtkWidget *widget, gconstpointer name)
{
  return GTK_IS_SCALE (widget) && gtk_widget_get_mapped (widget) && has_tooltip (widget, name);
}

static void
select_only (WeirEditor *editor, const char *block)
{
  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, block)));
  spin (100);
}

/* Not by a click: two in one place within a moment would be a double click. */
static void
to_canvas (WeirEditor *editor)
{
  gtk_widget_grab_focus (GTK_WIDGET (editor->canvas));
  spin (50);
}

/* A unit is converted, a wrong one refused at the field; the button leads back to the default. */
static void
test_units (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");

  select_only (editor, "Pendulum");
  enter (editor, "Length (m)", "50 cm");
  g_assert_cmpstr (parameter (editor, "Pendulum", "length"), ==, "0.5");
  g_assert_cmpstr (shown (editor, "Length (m)"), ==, "0.5");
  click (find_field (editor, "Mass (kg)"));
  key ("<Control>a");
  type_text ("2 m");
  g_assert_nonnull (find_label (part_of (editor, WEIR_TYPE_INSPECTOR),
                                "Mass is in kg, to which “m” cannot be converted."));
  g_assert_true (gtk_test_accessible_has_state (GTK_ACCESSIBLE (find_field (editor, "Mass (kg)")),
                                                GTK_ACCESSIBLE_STATE_INVALID));
  picture ("70-unit-refused");
  key ("Return");
  g_assert_cmpstr (parameter (editor, "Pendulum", "mass"), ==, NULL);
  key ("Escape");
  g_assert_cmpstr (shown (editor, "Mass (kg)"), ==, "1");
  /* Out of its range. */
  key ("<Control>a");
  type_text ("-1");
  g_assert_nonnull (
      find_label (part_of (editor, WEIR_TYPE_INSPECTOR),
                  "Parameter mass is \"-1\", but must be a number greater than 0 kg."));
  key ("Escape");
  click (find_widget (gtk_widget_get_parent (find_field (editor, "Length (m)")), has_tooltip,
                      "Use the Default"));
  g_assert_cmpstr (parameter (editor, "Pendulum", "length"), ==, NULL);
  g_assert_cmpstr (shown (editor, "Length (m)"), ==, "1");
  editor_close (editor);
}

/* A drag of the slider changes the value again and again while the model runs, and is one undo
 * step. */
static void
test_slider (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  GtkWidget *slider;
  WeirPoint at;
  double width;

  set_setting (editor, "stop-time", "1e7");
  weir_document_end_merge (editor->document);
  select_only (editor, "Pendulum");
  gtk_widget_grab_focus (GTK_WIDGET (editor->canvas));
  key ("F5");
  wait_for (weir_runner_is_active (editor->runner));
  slider = find_widget (part_of (editor, WEIR_TYPE_INSPECTOR), is_slider, "Slider of Gravity");
  g_assert_nonnull (slider);
  width = gtk_widget_get_width (slider);
  at = middle_of (slider);
  g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (slider)), ==, 9.81);
  /* The range goes to twice the value, so that its handle is in the middle. */
  drag (at, (WeirPoint) { at.x + width / 4, at.y });
  picture ("71-slider");
  g_assert_nonnull (parameter (editor, "Pendulum", "gravity"));
  g_assert_cmpfloat (g_ascii_strtod (parameter (editor, "Pendulum", "gravity"), NULL), >, 13);
  g_assert_cmpfloat (g_ascii_strtod (parameter (editor, "Pendulum", "gravity"), NULL), <, 17);
  g_assert_false (weir_runner_is_outdated (editor->runner)); /* the run has taken it over */
  g_assert_true (weir_runner_is_active (editor->runner));
  weir_document_undo (editor->document);
  g_assert_null (parameter (editor, "Pendulum", "gravity"));
  g_assert_cmpstr (weir_document_get_undo_label (editor->document), ==, "Change Setting");
  key ("<Shift>F5");
  wait_for (!weir_runner_is_active (editor->runner));
  editor_close (editor);
}

static WeirEditor *
open_text (const char *text)
{
  g_autofree char *path = NULL;
  g_autoptr (GFile) file = NULL;
  WeirEditor *editor = editor_open ();

  g_close (g_file_open_tmp ("inspector-XXXXXX.weir", &path, NULL), NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  file = g_file_new_for_path (path);
  g_assert_true (weir_editor_open (editor, file));
  g_unlink (path);
  return editor;
}

/* A slider of the model's variable, while the model runs in real time: its value flows into a text
 * of equations that nothing declares it in, and the run goes on with it. */
static void
test_variable_slider (void)
{
  static const char elements[] =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"1\"><settings>"
      "<setting name=\"stop-time\" value=\"1e7\"/><setting name=\"real-time-rate\" value=\"1\"/>"
      "<setting name=\"max-step\" value=\"0.01\"/></settings>"
      "<variables><variable name=\"k\" value=\"4\"/></variables><diagram>"
      "<block id=\"1\" type=\"Equations\" name=\"Law\" x=\"80\" y=\"80\"><parameter "
      "name=\"equations\" value=\"D(x) ~ k - x&#10;initial x = 0&#10;y ~ 10*k&#10;output y\"/>"
      "</block><block id=\"2\" type=\"Scope\" name=\"Scope\" x=\"260\" y=\"80\"/>"
      "<wire id=\"3\" from=\"1.y\" to=\"2.in1\"/></diagram></weir>";
  WeirEditor *editor = open_text (elements);
  GtkWidget *slider;
  WeirRecorder *recorder;
  WeirPoint at;
  double width, k;
  const char *value;

  weir_canvas_select_block (editor->canvas, 0);
  spin (100);
  gtk_widget_grab_focus (GTK_WIDGET (editor->canvas));
  key ("F5");
  wait_for (weir_runner_is_active (editor->runner));
  gtk_widget_grab_focus (find_field (editor, "New variable")); /* further down */
  spin (100);
  slider = find_widget (part_of (editor, WEIR_TYPE_INSPECTOR), is_slider, "Slider of k");
  g_assert_nonnull (slider);
  width = gtk_widget_get_width (slider);
  at = middle_of (slider);
  drag (at, (WeirPoint) { at.x + width / 4, at.y });
  picture ("79-variable-slider");
  value = weir_model_get_variable (weir_document_get_model (editor->document), "k");
  k = g_ascii_strtod (value, NULL);
  g_assert_cmpfloat (k, >, 5.0);
  g_assert_cmpfloat (k, <, 7.0);
  g_assert_true (weir_runner_is_active (editor->runner));
  g_assert_false (weir_runner_is_outdated (editor->runner)); /* the run has taken it over */
  spin (300);
  key ("<Shift>F5");
  wait_for (!weir_runner_is_active (editor->runner));
  recorder = weir_session_get_recorder (session_of (editor));
  g_assert_cmpfloat (weir_recorder_get_value (recorder, 0, 0), ==, 40.0);
  g_assert_cmpfloat (weir_recorder_get_value (recorder, 0, weir_recorder_get_n_rows (recorder) - 1),
                     ==, 10 * k);
  weir_document_undo (editor->document); /* the drag is one step */
  g_assert_cmpstr (weir_model_get_variable (weir_document_get_model (editor->document), "k"), ==,
                   "4");
  editor_close (editor);
}

/* Two gains: the field says that they differ, and what is typed goes to both in one step. */
static void
test_several (void)
{
  WeirEditor *editor = editor_open ();

  drag_from_palette (editor, "Gain", 150, 120);
  drag_from_palette (editor, "Gain", 300, 120);
  select_only (editor, "Gain2");
  enter (editor, "Gain", "3");
  to_canvas (editor);
  key ("<Control>a");
  spin (100);
  g_assert_nonnull (find_label (part_of (editor, WEIR_TYPE_INSPECTOR), "2 blocks selected"));
  g_assert_cmpstr (shown (editor, "Gain"), ==, "");
  g_assert_cmpstr (gtk_entry_get_placeholder_text (GTK_ENTRY (find_field (editor, "Gain"))), ==,
                   "Different values");
  /* To go through the field changes nothing. */
  click (find_field (editor, "Gain"));
  to_canvas (editor);
  g_assert_cmpstr (parameter (editor, "Gain2", "gain"), ==, "3");
  key ("<Control>a");
  spin (100);
  enter (editor, "Gain", "7");
  picture ("72-several");
  g_assert_cmpstr (parameter (editor, "Gain", "gain"), ==, "7");
  g_assert_cmpstr (parameter (editor, "Gain2", "gain"), ==, "7");
  weir_document_undo (editor->document);
  g_assert_cmpstr (parameter (editor, "Gain", "gain"), ==, NULL);
  g_assert_cmpstr (parameter (editor, "Gain2", "gain"), ==, "3");
  editor_close (editor);
}

/* What a block inside promotes is shown at its Subsystem, and set there. */
static void
test_promoted (void)
{
  WeirEditor *editor = editor_open ();
  WeirBlock *inner;
  guint32 id, subsystem;

  drag_from_palette (editor, "Gain", 150, 120);
  id = weir_block_get_id (find_block (editor, "Gain"));
  to_canvas (editor);
  key ("<Control>a");
  key ("<Control>g");
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 1);
  subsystem = weir_canvas_get_selected_block (editor->canvas);
  g_assert_cmpuint (subsystem, !=, 0);
  weir_canvas_select_block (editor->canvas, id);
  spin (100);
  click (find_widget (part_of (editor, WEIR_TYPE_INSPECTOR), has_tooltip, "Promote"));
  picture ("73-promote");
  weir_canvas_select_block (editor->canvas, subsystem);
  spin (100);
  enter (editor, "Gain: Gain", "4");
  picture ("74-promoted");
  inner = weir_model_find_block (weir_document_get_model (editor->document), id, NULL);
  g_assert_cmpstr (weir_block_get_parameter (inner, "gain"), ==, "4");
  /* Undone one by one: the value, the promotion. */
  weir_document_undo (editor->document);
  weir_document_undo (editor->document);
  spin (100);
  g_assert_null (find_widget (part_of (editor, WEIR_TYPE_INSPECTOR), is_field, "Gain: Gain"));
  editor_close (editor);
}

/* An expression is shown with what it comes to and where its names were found. */
static void
test_expression (void)
{
  WeirEditor *editor = editor_open ();

  drag_from_palette (editor, "Gain", 150, 120);
  weir_canvas_select_block (editor->canvas, 0);
  spin (100);
  gtk_widget_grab_focus (find_field (editor, "New variable")); /* further down */
  spin (100);
  type_text ("k = 4");
  key ("Return");
  g_assert_cmpstr (weir_model_get_variable (weir_document_get_model (editor->document), "k"), ==,
                   "4");
  g_assert_cmpstr (shown (editor, "k"), ==, "4");
  select_only (editor, "Gain");
  enter (editor, "Gain", "k/8");
  g_assert_cmpstr (parameter (editor, "Gain", "gain"), ==, "k/8");
  g_assert_nonnull (find_label (part_of (editor, WEIR_TYPE_INSPECTOR), "= 0.5 (k = 4)"));
  picture ("78-expression");
  /* An unknown name is told of as it is typed, and is not taken. */
  enter (editor, "Gain", "k*m");
  g_assert_true (gtk_widget_has_css_class (find_field (editor, "Gain"), "error"));
  g_assert_cmpstr (parameter (editor, "Gain", "gain"), ==, "k/8");
  key ("Escape");
  editor_close (editor);
}

/* Equations have room for their lines; a mistake is said as it is typed, with its line. */
static void
test_equations (void)
{
  WeirEditor *editor = editor_open ();
  GtkWidget *view;

  drag_from_palette (editor, "Equations", 150, 120);
  select_only (editor, "Equations");
  view = find_of_type (part_of (editor, WEIR_TYPE_INSPECTOR), GTK_TYPE_TEXT_VIEW);
  click (view);
  key ("<Control>a");
  type_text ("input u");
  key ("Return");
  type_text ("output y");
  key ("Return");
  type_text ("y ~ 2*");
  spin (50);
  picture ("75-equations-wrong");
  g_assert_true (gtk_widget_has_css_class (view, "error"));
  type_text ("u");
  spin (50);
  g_assert_false (gtk_widget_has_css_class (view, "error"));
  key ("F5"); /* a run takes what is typed */
  g_assert_cmpstr (parameter (editor, "Equations", "equations"), ==, "input u\noutput y\ny ~ 2*u");
  picture ("76-equations");
  editor_close (editor);
}

static gboolean
shows_all (GtkWidget *view)
{
  GtkTextIter end;
  int y, height, line;

  gtk_text_buffer_get_end_iter (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), &end);
  gtk_text_view_get_line_yrange (GTK_TEXT_VIEW (view), &end, &y, &height);
  gtk_text_view_buffer_to_window_coords (GTK_TEXT_VIEW (view), GTK_TEXT_WINDOW_WIDGET, 0,
                                         y + height, NULL, &line);
  return y > 0 && line <= gtk_widget_get_height (view);
}

/* A text whose lines are too long for the field has room for what they wrap to, from the start. */
static void
test_long_lines (void)
{
  WeirEditor *editor = editor_open ();
  GtkWidget *view;

  drag_from_palette (editor, "Equations", 150, 120);
  set_parameter (editor, "Equations", "equations",
                 "parameter stiffness = 4, damping = 0.4, mass = 2, offset = 1\n"
                 "mass*D(D(position)) ~ -stiffness*(position - offset) - damping*D(position)\n"
                 "output position");
  select_only (editor, "Equations");
  view = find_of_type (part_of (editor, WEIR_TYPE_INSPECTOR), GTK_TYPE_TEXT_VIEW);
  wait_for (shows_all (view));
  picture ("78-equations-long");
  editor_close (editor);
}

static void
test_dark (void)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  WeirEditor *editor;

  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  editor = window_open_example ("pendulum.weir");
  select_only (editor, "Pendulum");
  click (find_field (editor, "Length (m)"));
  picture ("77-inspector-dark");
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_DEFAULT);
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/inspector/units", test_units);
  g_test_add_func ("/window/inspector/slider", test_slider);
  g_test_add_func ("/window/inspector/variable-slider", test_variable_slider);
  g_test_add_func ("/window/inspector/several", test_several);
  g_test_add_func ("/window/inspector/promoted", test_promoted);
  g_test_add_func ("/window/inspector/expression", test_expression);
  g_test_add_func ("/window/inspector/equations", test_equations);
  g_test_add_func ("/window/inspector/long-lines", test_long_lines);
  g_test_add_func ("/window/inspector/dark", test_dark);
  return driver_main ();
}

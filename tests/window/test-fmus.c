/* FMUs in the window: a package of them is opened, whom one trusts is asked, and it is written
 * again. */
#include "looks.h"

#include <adwaita.h>
#include <glib/gstdio.h>

#include "../fmi/zip.h"
#include "model/tree/unit-settings.h"

static const char ssd[] =
    "<ssd:SystemStructureDescription "
    "xmlns:ssd=\"http://ssp-standard.org/SSP1/SystemStructureDescription\" version=\"1.0\" "
    "name=\"Two\"><ssd:System name=\"Root\"><ssd:Elements>"
    "<ssd:Component name=\"A\" source=\"resources/adder.fmu\" implementation=\"CoSimulation\"/>"
    "<ssd:Component name=\"B\" source=\"resources/adder.fmu\" implementation=\"CoSimulation\"/>"
    "</ssd:Elements><ssd:Connections><ssd:Connection startElement=\"A\" startConnector=\"y\" "
    "endElement=\"B\" endConnector=\"u1\"/></ssd:Connections></ssd:System>"
    "<ssd:DefaultExperiment startTime=\"1\" stopTime=\"4\"/></ssd:SystemStructureDescription>";

#define BANNER "This model holds the program of 1 FMU that you have not trusted. It is not run."

/* "two.ssp" in a folder of its own. (transfer full) */
static GFile *
make_package (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-fmus-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "two.ssp", NULL);
  g_autofree char *fmu = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", "adder-2.fmu", NULL);
  g_autofree char *program = NULL;
  gsize size;
  g_autoptr (GBytes) package = NULL;

  g_assert_true (g_file_get_contents (fmu, &program, &size, NULL));
  {
    const ZipFile files[] = {
      { .name = "SystemStructure.ssd", .text = ssd },
      { .name = "resources/adder.fmu", .text = program, .text_size = size },
    };

    package = zip_make (files, 2, &(ZipEnd) { 0 });
  }
  g_assert_true (g_file_set_contents (path, g_bytes_get_data (package, NULL),
                                      (gssize) g_bytes_get_size (package), NULL));
  return g_file_new_for_path (path);
}

static void
remove_package (GFile *file)
{
  g_autoptr (GFile) folder = g_file_get_parent (file);

  g_assert_true (g_file_delete (file, NULL, NULL));
  g_assert_true (g_file_delete (folder, NULL, NULL));
}

static gboolean
is_note (WeirNote *note, gpointer data)
{
  *(const char **) data = weir_note_get_text (note);
  return FALSE;
}

/* It becomes a model without a file, which saving asks a name for, and which says what could not be
 * kept. */
static void
test_open (void)
{
  WeirEditor *editor = editor_open ();
  g_autoptr (GFile) file = make_package ();
  const char *note = NULL;

  g_assert_true (weir_editor_open (editor, file));
  g_assert_null (weir_document_get_file (editor->document));
  g_assert_false (weir_document_get_modified (editor->document));
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (editor)), ==, 2);
  g_assert_cmpstr (weir_model_get_title (weir_document_get_model (editor->document)), ==, "Two");
  weir_diagram_foreach_note (root_diagram (editor), is_note, &note);
  g_assert_nonnull (strstr (note, "It begins at 1 s"));
  g_assert_null (strstr (note, "resources")); /* nothing else is missing */
  wait_for (find_label (toplevel_of (editor), BANNER) != NULL);
  picture ("95-package");
  editor_close (editor);
  remove_package (file);
}

static void
ask_and_answer (WeirEditor *editor, const char *file, const char *response)
{
  GtkWidget *dialog;

  g_action_group_activate_action (weir_editor_get_actions (editor), "trust-fmus", NULL);
  wait_for ((dialog = find_toplevel (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  g_assert_nonnull (strstr (adw_message_dialog_get_body (ADW_MESSAGE_DIALOG (dialog)), file));
  picture ("96-trust");
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (dialog), response);
  gtk_window_close (GTK_WINDOW (dialog));
  wait_for (find_toplevel (ADW_TYPE_MESSAGE_DIALOG) == NULL);
}

/* Programs of others are run when somebody says so, and not for each value that is dragged. */
static void
assert_not_repeated (WeirEditor *editor)
{
  WeirRecorder *results = weir_runner_get_results (editor->runner);

  weir_runner_set_instant_limit (editor->runner, 1000);
  set_parameter (editor, "A", "u2", "3");
  g_assert_true (weir_model_has_foreign_programs (weir_document_get_model (editor->document)));
  spin (200);
  g_assert_true (weir_runner_get_results (editor->runner) == results);
}

/* Not answered, nothing runs; trusted this time, it runs, and no file says so afterwards. */
static void
test_trust (void)
{
  WeirEditor *editor = editor_open ();
  g_autoptr (GFile) file = make_package ();
  g_autofree char *trusted = g_build_filename (g_get_user_config_dir (), "weir", "trusted-fmus",
                                               NULL);

  g_assert_true (weir_editor_open (editor, file));
  wait_for (find_label (toplevel_of (editor), BANNER) != NULL);
  ask_and_answer (editor, "adder.fmu", "cancel");
  wait_for (find_label (toplevel_of (editor), BANNER) != NULL);
  ask_and_answer (editor, "adder.fmu", "once");
  wait_for (find_label (toplevel_of (editor), BANNER) == NULL);
  g_assert_false (g_file_test (trusted, G_FILE_TEST_EXISTS));
  g_action_group_activate_action (weir_editor_get_actions (editor), "run", NULL);
  wait_for (run_is_over (editor));
  g_assert_cmpint (weir_session_get_state (session_of (editor)), ==, WEIR_SESSION_FINISHED);
  assert_not_repeated (editor);
  editor_close (editor);
  remove_package (file);
}

/* Units that have no setting of their own: marked on the canvas, in the list, switched and moved
 * there, and that undone. */
static void
test_units (void)
{
  WeirEditor *editor = editor_open ();
  g_autoptr (GFile) file = make_package ();
  GtkWidget *page;

  g_assert_true (weir_editor_open (editor, file));
  page = part_of (editor, g_type_from_name ("WeirSchedulePage"));
  for (const char *name = "A"; name != NULL; name = g_str_equal (name, "A") ? "B" : NULL)
    {
      g_autoptr (WeirBlock) bare = weir_block_ref (find_block (editor, name));

      g_assert_true (weir_block_is_unit (bare));
    }
  weir_host_show_page (WEIR_HOST (editor), "schedule");
  wait_for (find_label (page, "Late from") != NULL);
  g_assert_nonnull (find_widget (page, has_tooltip, "Whether A takes part"));
  picture ("97-fmu-units");
  gtk_drop_down_set_selected (
      GTK_DROP_DOWN (find_widget (page, has_tooltip, "Whether A takes part")), WEIR_UNIT_OFF);
  wait_for (weir_block_get_unit_activity (find_block (editor, "A")) == WEIR_UNIT_OFF);
  weir_document_undo (editor->document);
  g_assert_cmpint (weir_block_get_unit_activity (find_block (editor, "A")), ==, WEIR_UNIT_ON);
  wait_for (find_widget (page, has_tooltip, "Move B up") != NULL);
  gtk_widget_activate (find_widget (page, has_tooltip, "Move B up"));
  wait_for (g_strcmp0 (weir_block_get_unit_setting (find_block (editor, "B"), "place"), "1") == 0);
  g_assert_cmpstr (weir_block_get_unit_setting (find_block (editor, "A"), "place"), ==, "2");
  picture ("98-fmu-units-moved");
  weir_document_undo (editor->document);
  g_assert_null (weir_block_get_unit_setting (find_block (editor, "B"), "place"));
  editor->may_close = TRUE;
  editor_close (editor);
  remove_package (file);
}

static void
test_export (void)
{
  WeirEditor *editor = editor_open (), *again;
  g_autoptr (GFile) file = make_package ();
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GFile) written = g_file_get_child (folder, "again.ssp");

  g_assert_true (weir_editor_open (editor, file));
  g_action_group_activate_action (weir_editor_get_actions (editor), "export-structure", NULL);
  choose_path (g_file_peek_path (written));
  wait_for (g_file_query_exists (written, NULL));
  again = editor_open ();
  g_assert_true (weir_editor_open (again, written));
  g_assert_cmpuint (weir_diagram_get_n_wires (root_diagram (again)), ==, 1);
  g_assert_nonnull (find_block (again, "B"));
  editor_close (again);
  editor_close (editor);
  g_assert_true (g_file_delete (written, NULL, NULL));
  remove_package (file);
}

/* --- Parameters ------------------------------------------------------------------------------ */

static const char *
start_of (WeirEditor *editor)
{
  return weir_block_get_parameter (find_block (editor, "Part"), "start");
}

static void
enter (WeirEditor *editor, const char *caption, const char *text)
{
  GtkWidget *field = find_field (editor, caption);

  gtk_widget_grab_focus (field);
  spin (50); /* it scrolls to it */
  click (field);
  key ("<Control>a");
  type_text (text);
  key ("Return");
}

/* A model beside an FMU, which is not trusted: nothing of it runs. @settings, @rest: what else is
 * in it. */
static GFile *
make_model_with (const char *name, const char *mode, const char *settings, const char *rest)
{
  g_autofree char *file = g_strconcat (name, ".fmu", NULL);
  g_autofree char *folder = g_dir_make_tmp ("weir-fmus-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "m.weir", NULL);
  g_autofree char *part = g_build_filename (folder, "part.fmu", NULL);
  g_autofree char *fmu = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", file, NULL);
  g_autofree char *text = g_strdup_printf (
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"3\"><settings><setting "
      "name=\"stop-time\" value=\"3\"/>%s</settings><diagram><block id=\"1\" type=\"FMU\" "
      "name=\"Part\" x=\"80\" y=\"80\"><parameter name=\"file\" value=\"part.fmu\"/><parameter "
      "name=\"mode\" value=\"%s\"/></block>%s</diagram></weir>",
      settings, mode, rest);
  g_autofree char *program = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (fmu, &program, &size, NULL));
  g_assert_true (g_file_set_contents (part, program, (gssize) size, NULL));
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return g_file_new_for_path (path);
}

static GFile *
make_model (const char *name, const char *mode)
{
  return make_model_with (name, mode, "", "");
}

/* What the file says of each is shown and checked; a change is a step that is undone, and the value
 * of the file is none. */
static void
test_parameters (void)
{
  WeirEditor *editor = editor_open ();
  g_autoptr (GFile) file = make_model ("chooser-3", "auto");
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GFile) part = g_file_get_child (folder, "part.fmu");
  GtkWidget *inspector, *gain, *on, *gear;

  g_assert_true (weir_editor_open (editor, file));
  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Part")));
  spin (100);
  inspector = part_of (editor, WEIR_TYPE_INSPECTOR);
  g_assert_nonnull (find_label (inspector, "Parameters of the FMU"));
  gain = find_field (editor, "gain (m)");
  g_assert_cmpstr (
      gtk_widget_get_tooltip_text (gain), ==,
      "How far one turn goes. From 0 m to 10 m. 2 m by default. The FMU takes it at the start "
      "of a run alone.");
  g_assert_cmpstr (gtk_widget_get_tooltip_text (find_field (editor, "trim")), ==,
                   "0 by default. Can change while running.");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (gain)), ==, "2");
  enter (editor, "gain (m)", "350 cm");
  g_assert_cmpstr (start_of (editor), ==, "gain = 3.5");
  enter (editor, "gain (m)", "11");
  g_assert_cmpstr (start_of (editor), ==, "gain = 3.5"); /* beyond its maximum */
  g_assert_nonnull (
      find_label (inspector, "Parameter gain is \"11\", but must be a number from 0 to 10 m."));
  key ("Escape");
  enter (editor, "name", "a; \"b\"");
  g_assert_cmpstr (start_of (editor), ==, "gain = 3.5; name = \"a; \\\"b\\\"\"");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_field (editor, "name"))), ==,
                   "a; \"b\"");
  on = find_field (editor, "on");
  g_assert_true (GTK_IS_SWITCH (on) && gtk_switch_get_active (GTK_SWITCH (on)));
  gtk_widget_grab_focus (on);
  key ("space");
  spin (50);
  gear = find_field (editor, "gear");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (gear), 1);
  picture ("97-parameters");
  g_assert_cmpstr (start_of (editor), ==,
                   "gain = 3.5; name = \"a; \\\"b\\\"\"; on = false; gear = two");
  weir_document_undo (editor->document);
  weir_document_undo (editor->document);
  g_assert_true (gtk_switch_get_active (GTK_SWITCH (find_field (editor, "on"))));
  g_assert_cmpstr (weir_document_get_redo_label (editor->document), ==, "Change on of Part");
  enter (editor, "gain (m)", "2"); /* as the file has it */
  enter (editor, "name", "abc");
  g_assert_null (start_of (editor));
  g_assert_nonnull (find_label (inspector, "Pages of the FMU…"));
  editor_close (editor);
  g_assert_true (g_file_delete (part, NULL, NULL));
  remove_package (file);
}

/* --- While a run goes on --------------------------------------------------------------------- */

static gboolean
is_paused (WeirEditor *editor)
{
  WeirSession *session = weir_runner_get_session (editor->runner);

  return session != NULL && weir_session_get_state (session) == WEIR_SESSION_PAUSED;
}

/* What can be tuned the run takes up where it is, and what is fixed the next one: y is 2 + 3 + 3 +
 * 3 and what is trimmed. */
static void
test_tuned (void)
{
  static const char *const modes[] = { "exchange", "co-simulation" };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      WeirEditor *editor = editor_open ();
      g_autoptr (GFile) file = make_model ("chooser-3", modes[i]);
      g_autoptr (GFile) folder = g_file_get_parent (file);
      g_autoptr (GFile) part = g_file_get_child (folder, "part.fmu");
      WeirRecorder *results;

      g_assert_true (weir_editor_open (editor, file));
      if (i == 0)
        ask_and_answer (editor, "part.fmu", "once");
      weir_runner_add_log (editor->runner, "Part.y");
      weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Part")));
      weir_runner_run_until (editor->runner, 1);
      wait_for (is_paused (editor));
      enter (editor, "trim", "0.25");
      g_assert_false (weir_runner_is_outdated (editor->runner));
      weir_runner_run_until (editor->runner, 2);
      wait_for (is_paused (editor) && weir_session_get_snapshot (session_of (editor))->time >= 2);
      if (i == 0)
        picture ("99-tuned");
      enter (editor, "gain (m)", "4");
      g_assert_true (weir_runner_is_outdated (editor->runner));
      weir_runner_run (editor->runner);
      wait_for (run_is_over (editor));
      results = weir_runner_get_results (editor->runner);
      g_assert_cmpfloat (weir_recorder_get_value (results, 0, 0), ==, 11);
      g_assert_cmpfloat (
          weir_recorder_get_value (results, 0, weir_recorder_get_n_rows (results) - 1), ==, 11.25);
      weir_runner_run (editor->runner);
      wait_for (run_is_over (editor) && weir_runner_get_results (editor->runner) != results);
      results = weir_runner_get_results (editor->runner);
      g_assert_cmpfloat (weir_recorder_get_value (results, 0, 0), ==, 13.25);
      editor_close (editor);
      g_assert_true (g_file_delete (part, NULL, NULL));
      remove_package (file);
    }
}

/* Where a state starts is a field of its own, below those of parameters. */
static void
test_states (void)
{
  WeirEditor *editor = editor_open ();
  g_autoptr (GFile) file = make_model ("ball-2", "auto");
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GFile) part = g_file_get_child (folder, "part.fmu");

  g_assert_true (weir_editor_open (editor, file));
  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Part")));
  spin (100);
  g_assert_nonnull (find_label (part_of (editor, WEIR_TYPE_INSPECTOR), "States at the start"));
  enter (editor, "h", "2.5");
  g_assert_cmpstr (start_of (editor), ==, "h = 2.5");
  picture ("99-states");
  editor_close (editor);
  g_assert_true (g_file_delete (part, NULL, NULL));
  remove_package (file);
}

/* Ports become as wide as a structural parameter says, and what it is in the file is no value of
 * the block's. */
static void
test_sizes (void)
{
  WeirEditor *editor = editor_open ();
  g_autoptr (GFile) file = make_model ("sizer-3", "auto");
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GFile) part = g_file_get_child (folder, "part.fmu");

  g_assert_true (weir_editor_open (editor, file));
  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Part")));
  spin (100);
  g_assert_cmpuint (weir_block_get_port_size (find_block (editor, "Part"), "u", FALSE), ==, 2);
  enter (editor, "n", "3");
  g_assert_cmpstr (start_of (editor), ==, "n = 3");
  g_assert_cmpuint (weir_block_get_port_size (find_block (editor, "Part"), "u", FALSE), ==, 3);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_field (editor, "A"))), ==,
                   "[1, 0, 0, 0, 1, 0, 0, 0, 0]");
  picture ("99-sizes");
  enter (editor, "n", "9");
  g_assert_cmpstr (start_of (editor), ==, "n = 3");
  key ("Escape");
  enter (editor, "n", "2");
  g_assert_null (start_of (editor));
  g_assert_cmpuint (weir_block_get_port_size (find_block (editor, "Part"), "u", FALSE), ==, 2);
  editor_close (editor);
  g_assert_true (g_file_delete (part, NULL, NULL));
  remove_package (file);
}

static guint
count_logged (WeirEditor *editor)
{
  return weir_recorder_get_n_signals (weir_runner_get_results (editor->runner));
}

/* The run that goes on keeps its sizes, also of an FMU that lets them change; that it does is said
 * where they are edited, and the next one has the new ones. */
static void
test_sizes_amid_a_run (void)
{
  WeirEditor *editor = editor_open ();
  g_autoptr (GFile) file = make_model ("resizer-3", "auto");
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GFile) part = g_file_get_child (folder, "part.fmu");
  WeirRecorder *results;

  g_assert_true (weir_editor_open (editor, file));
  ask_and_answer (editor, "part.fmu", "once");
  weir_runner_add_log (editor->runner, "Part.y");
  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Part")));
  weir_runner_run_until (editor->runner, 1);
  wait_for (is_paused (editor));
  gtk_widget_grab_focus (find_field (editor, "n"));
  wait_for (find_label (part_of (editor, WEIR_TYPE_INSPECTOR),
                        "From 1 to 8. 2 by default. Arrays and ports get other sizes by it: the "
                        "next run has them, one that goes on does not.")
            != NULL);
  picture ("99-sizes-told");
  enter (editor, "n", "3");
  g_assert_cmpstr (start_of (editor), ==, "n = 3");
  g_assert_true (weir_runner_is_outdated (editor->runner));
  picture ("99-sizes-amid-a-run");
  weir_runner_run (editor->runner);
  wait_for (run_is_over (editor));
  g_assert_cmpuint (count_logged (editor), ==, 2);
  results = weir_runner_get_results (editor->runner);
  weir_runner_run (editor->runner);
  wait_for (run_is_over (editor) && weir_runner_get_results (editor->runner) != results);
  g_assert_cmpuint (count_logged (editor), ==, 3);
  editor_close (editor);
  g_assert_true (g_file_delete (part, NULL, NULL));
  remove_package (file);
}

/* --- Switched while a run goes on ------------------------------------------------------------ */

#define STEP (1.0 / 1024) /* the ball's own */

static void
run_on (WeirEditor *editor, double time)
{
  weir_runner_run_until (editor->runner, time);
  wait_for (is_paused (editor) && weir_session_get_snapshot (session_of (editor))->time >= time);
}

/* A ball that falls from 1 m by steps of Euler's method has come by STEP^2 g n (n - 1) / 2 down
 * after n of them. */
static void
expect_fall (WeirEditor *editor, double seconds)
{
  WeirRecorder *recorder = weir_session_get_recorder (session_of (editor));
  double n = seconds / STEP, h = 1 - 9.81 * STEP * STEP * n * (n - 1) / 2;

  g_assert_cmpfloat_with_epsilon (
      weir_recorder_get_value (recorder, 0, weir_recorder_get_n_rows (recorder) - 1), h, 1e-12);
}

static void
switch_part (WeirEditor *editor, WeirUnitActivity activity)
{
  GtkWidget *page = part_of (editor, g_type_from_name ("WeirSchedulePage"));

  gtk_drop_down_set_selected (
      GTK_DROP_DOWN (find_widget (page, has_tooltip, "Whether Part takes part")), activity);
  wait_for (weir_block_get_unit_activity (find_block (editor, "Part")) == activity);
  g_assert_false (weir_runner_is_outdated (editor->runner)); /* the run has taken it over */
}

/* Ignored it falls on unseen, and is where it has come to when it is back; off it stays, and falls
 * from the start again. */
static void
test_switched (void)
{
  static const char *const files[] = { "ball-2", "ball-3" };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      WeirEditor *editor = editor_open ();
      g_autoptr (GFile) file = make_model_with (
          files[i], "co-simulation", "<setting name=\"communication-step\" value=\"0.015625\"/>",
          "<block id=\"2\" type=\"Scope\" name=\"Scope\" x=\"280\" y=\"80\"/>"
          "<wire id=\"3\" from=\"1.h\" to=\"2.in1\"/>");
      g_autoptr (GFile) folder = g_file_get_parent (file);
      g_autoptr (GFile) part = g_file_get_child (folder, "part.fmu");
      GtkWidget *toplevel = GTK_WIDGET (toplevel_of (editor)), *page;

      g_assert_true (weir_editor_open (editor, file));
      ask_and_answer (editor, "part.fmu", "once");
      page = part_of (editor, g_type_from_name ("WeirSchedulePage"));
      weir_host_show_page (WEIR_HOST (editor), "schedule");
      wait_for (find_widget (page, has_tooltip, "Whether Part takes part") != NULL);
      run_on (editor, 0.125);
      expect_fall (editor, 0.125);
      switch_part (editor, WEIR_UNIT_IGNORED);
      run_on (editor, 0.25);
      expect_fall (editor, 0.125);
      picture ("99-fmu-ignored");
      switch_part (editor, WEIR_UNIT_ON);
      run_on (editor, 0.375);
      expect_fall (editor, 0.375);
      switch_part (editor, WEIR_UNIT_OFF);
      run_on (editor, 0.4375);
      expect_fall (editor, 0.375);
      picture_dark ("99-fmu-off-dark");
      weir_document_undo (editor->document);
      g_assert_cmpint (weir_block_get_unit_activity (find_block (editor, "Part")), ==,
                       WEIR_UNIT_ON);
      run_on (editor, 0.5625);
      expect_fall (editor, 0.125);
      gtk_window_set_default_size (GTK_WINDOW (toplevel), 1024, 768);
      spin (300);
      assert_readable (page, "99-fmu-back-small");
      picture ("99-fmu-back-small");
      editor->may_close = TRUE;
      editor_close (editor);
      g_assert_true (g_file_delete (part, NULL, NULL));
      remove_package (file);
    }
}

/* --- Looks ----------------------------------------------------------------------------------- */

/* The parameters of an FMU, in a large window and in the smallest: words of others are no reason
 * for it to become wider than a screen. */
static void
look_at_parameters (const char *name)
{
  g_autofree char *small = g_strconcat (name, "-small", NULL);
  WeirEditor *editor;
  g_autoptr (GFile) file = make_model ("chooser-3", "auto");
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GFile) part = g_file_get_child (folder, "part.fmu");
  GtkWidget *toplevel;
  int width, height;

  editor = editor_open ();
  toplevel = GTK_WIDGET (toplevel_of (editor));
  g_assert_true (weir_editor_open (editor, file));
  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Part")));
  spin (100);
  gtk_widget_grab_focus (find_field (editor, "frontLeftSuspension.springStiffnessAtRest"));
  assert_readable (part_of (editor, WEIR_TYPE_INSPECTOR), name);
  picture_dark (name);
  gtk_window_set_default_size (GTK_WINDOW (toplevel), 1024, 768);
  spin (300);
  assert_readable (part_of (editor, WEIR_TYPE_INSPECTOR), small);
  picture (small);
  gtk_widget_measure (toplevel, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (toplevel, GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
  g_assert_cmpint (width, <=, 1024);
  g_assert_cmpint (height, <=, 768);
  editor_close (editor);
  g_assert_true (g_file_delete (part, NULL, NULL));
  remove_package (file);
}

static void
test_looks (void)
{
  speak ("de");
  set_text_scale (2);
  look_at_parameters ("98-parameters-200-de");
  set_text_scale (1);
  speak ("");
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  look_at_parameters ("98-parameters-rtl");
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/fmus/open", test_open);
  g_test_add_func ("/window/fmus/trust", test_trust);
  g_test_add_func ("/window/fmus/units", test_units);
  g_test_add_func ("/window/fmus/export", test_export);
  g_test_add_func ("/window/fmus/parameters", test_parameters);
  g_test_add_func ("/window/fmus/tuned", test_tuned);
  g_test_add_func ("/window/fmus/states", test_states);
  g_test_add_func ("/window/fmus/sizes", test_sizes);
  g_test_add_func ("/window/fmus/sizes-amid-a-run", test_sizes_amid_a_run);
  g_test_add_func ("/window/fmus/switched", test_switched);
  g_test_add_func ("/window/fmus/looks", test_looks);
  return driver_main ();
}

/* FMUs in the window: a package of them is opened, whom one trusts is asked, and it is written
 * again. */
#include "driver.h"

#include <adwaita.h>
#include <glib/gstdio.h>

#include "../fmi/zip.h"

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
ask_and_answer (WeirEditor *editor, const char *response)
{
  GtkWidget *dialog;

  g_action_group_activate_action (weir_editor_get_actions (editor), "trust-fmus", NULL);
  wait_for ((dialog = find_toplevel (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  g_assert_nonnull (
      strstr (adw_message_dialog_get_body (ADW_MESSAGE_DIALOG (dialog)), "adder.fmu"));
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
  ask_and_answer (editor, "cancel");
  wait_for (find_label (toplevel_of (editor), BANNER) != NULL);
  ask_and_answer (editor, "once");
  wait_for (find_label (toplevel_of (editor), BANNER) == NULL);
  g_assert_false (g_file_test (trusted, G_FILE_TEST_EXISTS));
  g_action_group_activate_action (weir_editor_get_actions (editor), "run", NULL);
  wait_for (run_is_over (editor));
  g_assert_cmpint (weir_session_get_state (session_of (editor)), ==, WEIR_SESSION_FINISHED);
  assert_not_repeated (editor);
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/fmus/open", test_open);
  g_test_add_func ("/window/fmus/trust", test_trust);
  g_test_add_func ("/window/fmus/export", test_export);
  return driver_main ();
}

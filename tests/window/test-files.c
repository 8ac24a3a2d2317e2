/* Files: bad ones are refused or listed and nothing is lost, closing asks, names of what was open. */
#include "driver.h"

typedef struct {
  char *folder, *path;
  GFile *file;
} Place;

static void
place_set_up (Place *place, const char *name)
{
  place->folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  place->path = g_build_filename (place->folder, name, NULL);
  place->file = g_file_new_for_path (place->path);
}

static void
place_tear_down (Place *place)
{
  g_unlink (place->path);
  g_rmdir (place->folder);
  g_free (place->folder);
  g_free (place->path);
  g_object_unref (place->file);
}

static void
test_refused (void)
{
  static const struct {
    const char *what, *text;
  } cases[] = {
    { "not XML", "this is no model" },
    { "not a model", "<?xml version=\"1.0\"?>\n<html/>\n" },
    { "a block without a name",
      "<?xml version=\"1.0\"?>\n<weir version=\"1\"><diagram><block id=\"1\" type=\"Gain\" x=\"0\" "
      "y=\"0\"/></diagram></weir>\n" },
  };
  WeirWindow *window = window_open_example ("counter.weir");
  WeirModel *before = weir_document_get_model (window->document);
  Place place;

  place_set_up (&place, "bad.weir");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].what);
      g_assert_true (g_file_set_contents (place.path, cases[i].text, -1, NULL));
      g_assert_false (weir_window_open (window, place.file));
      g_assert_true (weir_document_get_model (window->document) == before);
      g_assert_cmpuint (weir_problem_list_get_n_rows (WEIR_PROBLEM_LIST (window->problems)), ==, 1);
      g_assert_cmpstr (shown_page (window), ==, "problems");
      g_assert_true (gtk_widget_get_visible (window->bar));
      g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (window->bar_text)), "bad.weir"));
    }
  picture ("20-refused");
  place_tear_down (&place);
  window_close (window);
}

/* An unknown block and an unconnected input: opened, listed, kept, not runnable; a row selects its block. */
static void
test_problems (void)
{
  static const char text[]
      = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"1\">\n  <diagram>\n"
        "    <block id=\"1\" type=\"Gain\" name=\"Gain\" x=\"100\" y=\"100\"/>\n"
        "    <block id=\"2\" type=\"Mystery\" name=\"Odd\" x=\"300\" y=\"100\"/>\n"
        "    <wire id=\"3\" from=\"1.y\" to=\"2.u\"/>\n"
        "  </diagram>\n</weir>\n";
  WeirWindow *window = window_open ();
  Place place;
  g_autofree char *saved = NULL;

  place_set_up (&place, "bad.weir");
  g_assert_true (g_file_set_contents (place.path, text, -1, NULL));
  g_assert_true (weir_window_open (window, place.file));
  wait_for (weir_problem_list_get_n_rows (WEIR_PROBLEM_LIST (window->problems)) == 2);
  click_canvas (window);
  key ("F5");
  spin (100);
  g_assert_false (weir_runner_is_active (window->runner));
  g_assert_null (weir_runner_get_session (window->runner));
  g_assert_cmpstr (shown_page (window), ==, "problems");
  picture ("21-problems");
  click (find_label (window->problems, "Odd, line 5"));
  wait_for (weir_canvas_get_selected_block (window->canvas)
            == weir_block_get_id (find_block (window, "Odd")));
  picture ("22-selected");
  click (find_label (window->problems, "Gain, line 4"));
  wait_for (weir_canvas_get_selected_block (window->canvas)
            == weir_block_get_id (find_block (window, "Gain")));

  /* What cannot run is saved unchanged. */
  key ("<Control>s");
  spin (100);
  g_assert_true (g_file_get_contents (place.path, &saved, NULL, NULL));
  g_assert_nonnull (strstr (saved, "Mystery"));
  g_assert_nonnull (strstr (saved, "to=\"2.u\""));
  place_tear_down (&place);
  window_close (window);
}

/* Closing with changes asks; Escape keeps everything, Save saves, Discard closes. */
static void
test_closing_asks (void)
{
  WeirWindow *window = window_open ();
  Place place;
  GtkWidget *dialog;
  g_autoptr (WeirModel) read = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  place_set_up (&place, "kept.weir");
  g_assert_true (weir_document_save (window->document, place.file, NULL));
  drag_from_palette (window, "Gain", 200, 150);
  g_assert_true (weir_document_get_modified (window->document));

  key ("<Control>w");
  wait_for ((dialog = find_toplevel (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  focus_window (GTK_WINDOW (dialog));
  picture ("23-closing");
  key ("Escape");
  wait_for (find_toplevel (ADW_TYPE_MESSAGE_DIALOG) == NULL);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window)));
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (window)), ==, 1);

  focus_window (GTK_WINDOW (window));
  key ("<Control>w");
  wait_for ((dialog = find_toplevel (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  focus_window (GTK_WINDOW (dialog));
  click (find_label (dialog, "Save"));
  wait_for (find_toplevel (WEIR_TYPE_WINDOW) == NULL);
  read = weir_model_read_file (place.file, diagnostics);
  g_assert_nonnull (read);
  g_assert_cmpuint (weir_diagram_get_n_blocks (weir_model_get_root (read)), ==, 1);

  window = window_open ();
  drag_from_palette (window, "Gain", 200, 150);
  key ("<Control>w");
  wait_for ((dialog = find_toplevel (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  focus_window (GTK_WINDOW (dialog));
  click (find_label (dialog, "Discard"));
  wait_for (find_toplevel (WEIR_TYPE_WINDOW) == NULL);
  place_tear_down (&place);
}

/* A file that cannot be written is said, and the changes stay marked as unsaved. */
static void
test_unwritable (void)
{
  WeirWindow *window = window_open ();
  Place place;
  GtkWidget *dialog;

  place_set_up (&place, "gone.weir");
  g_assert_true (weir_document_save (window->document, place.file, NULL));
  drag_from_palette (window, "Gain", 200, 150);
  g_unlink (place.path);
  g_rmdir (place.folder);
  g_assert_true (g_file_set_contents (place.folder, "in the way", -1, NULL));
  key ("<Control>s");
  wait_for ((dialog = find_toplevel (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  picture ("24-not-saved");
  g_assert_true (weir_document_get_modified (window->document));
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_unlink (place.folder);
  place_tear_down (&place);
  window_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/files/refused", test_refused);
  g_test_add_func ("/window/files/problems", test_problems);
  g_test_add_func ("/window/files/closing-asks", test_closing_asks);
  g_test_add_func ("/window/files/unwritable", test_unwritable);
  return driver_main ();
}

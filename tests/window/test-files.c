/* Files: bad ones are refused or listed and nothing is lost, closing asks, names of what
 * was open. */
#include "looks.h"
#include "gui/host/settings.h"
#include "native/native.h"

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
  WeirEditor *editor = window_open_example ("counter.weir");
  WeirModel *before = weir_document_get_model (editor->document);
  Place place;

  place_set_up (&place, "bad.weir");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].what);
      g_assert_true (g_file_set_contents (place.path, cases[i].text, -1, NULL));
      g_assert_false (weir_editor_open (editor, place.file));
      g_assert_true (weir_document_get_model (editor->document) == before);
      g_assert_cmpuint (weir_problem_list_get_n_rows (
                            WEIR_PROBLEM_LIST (part_of (editor, WEIR_TYPE_PROBLEM_LIST))),
                        ==, 1);
      g_assert_cmpstr (shown_page (editor), ==, "problems");
      g_assert_true (gtk_widget_get_visible (editor->bar));
      g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (editor->bar_text)), "bad.weir"));
    }
  picture ("20-refused");
  place_tear_down (&place);
  editor_close (editor);
}

/* A file far down: the bar above shortens where it is, and says it in full when pointed at. */
static void
test_far_down (void)
{
  WeirEditor *editor = editor_open ();
  Place place;
  g_autofree char *below = NULL, *path = NULL;
  g_autoptr (GFile) file = NULL;

  place_set_up (&place,
                "a-folder-whose-name-goes-on-and-on-for-longer-than-any-bar-is-wide-on-a-screen");
  below = g_build_filename (place.path,
                            "and-one-more-of-the-same-kind-that-is-as-long-as-the-first", NULL);
  path = g_build_filename (below, "model.weir", NULL);
  file = g_file_new_for_path (path);
  g_assert_cmpint (g_mkdir_with_parents (below, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "<weir version=\"1\"><diagram/></weir>\n", -1, NULL));
  g_assert_null (gtk_widget_get_tooltip_text (editor->title));
  g_assert_true (weir_editor_open (editor, file));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (editor->title), ==, path);
  assert_readable (GTK_WIDGET (toplevel_of (editor)), "a file far down");
  editor_close (editor);
  g_unlink (path);
  g_rmdir (below);
  g_rmdir (place.path);
  place_tear_down (&place);
}

/* An unknown block and an unconnected input: opened, listed, kept, not runnable; a row selects its
 * block. */
static void
test_problems (void)
{
  static const char text[] =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"1\">\n  <diagram>\n"
      "    <block id=\"1\" type=\"Gain\" name=\"Gain\" x=\"100\" y=\"100\"/>\n"
      "    <block id=\"2\" type=\"Mystery\" name=\"Odd\" x=\"300\" y=\"100\"/>\n"
      "    <wire id=\"3\" from=\"1.y\" to=\"2.u\"/>\n"
      "  </diagram>\n</weir>\n";
  WeirEditor *editor = editor_open ();
  Place place;
  g_autofree char *saved = NULL;

  place_set_up (&place, "bad.weir");
  g_assert_true (g_file_set_contents (place.path, text, -1, NULL));
  g_assert_true (weir_editor_open (editor, place.file));
  wait_for (
      weir_problem_list_get_n_rows (WEIR_PROBLEM_LIST (part_of (editor, WEIR_TYPE_PROBLEM_LIST)))
      == 2);
  click_canvas (editor);
  key ("F5");
  spin (100);
  g_assert_false (weir_runner_is_active (editor->runner));
  g_assert_null (weir_runner_get_session (editor->runner));
  g_assert_cmpstr (shown_page (editor), ==, "problems");
  picture ("21-problems");
  click (find_label (part_of (editor, WEIR_TYPE_PROBLEM_LIST), "Odd · line 5 · NET08"));
  wait_for (weir_canvas_get_selected_block (editor->canvas)
            == weir_block_get_id (find_block (editor, "Odd")));
  picture ("22-selected");
  click (find_label (part_of (editor, WEIR_TYPE_PROBLEM_LIST), "Gain · line 4 · NET02"));
  wait_for (weir_canvas_get_selected_block (editor->canvas)
            == weir_block_get_id (find_block (editor, "Gain")));

  /* What cannot run is saved unchanged. */
  key ("<Control>s");
  spin (100);
  g_assert_true (g_file_get_contents (place.path, &saved, NULL, NULL));
  g_assert_nonnull (strstr (saved, "Mystery"));
  g_assert_nonnull (strstr (saved, "to=\"2.u\""));
  place_tear_down (&place);
  editor_close (editor);
}

/* Closing with changes asks; Escape keeps everything, Save saves, Discard closes. */
static void
test_closing_asks (void)
{
  WeirEditor *editor = editor_open ();
  Place place;
  GtkWidget *dialog;
  g_autoptr (WeirModel) read = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  place_set_up (&place, "kept.weir");
  g_assert_true (weir_document_save (editor->document, place.file, NULL));
  drag_from_palette (editor, "Gain", 200, 150);
  g_assert_true (weir_document_get_modified (editor->document));

  key ("<Control>w");
  wait_for ((dialog = find_toplevel (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  focus_window (GTK_WINDOW (dialog));
  picture ("23-closing");
  key ("Escape");
  wait_for (find_toplevel (ADW_TYPE_MESSAGE_DIALOG) == NULL);
  g_assert_true (gtk_widget_get_mapped (toplevel_of (editor)));
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (editor)), ==, 1);

  focus_window (GTK_WINDOW (toplevel_of (editor)));
  key ("<Control>w");
  wait_for ((dialog = find_toplevel (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  focus_window (GTK_WINDOW (dialog));
  click (find_label (dialog, "Save"));
  wait_for (find_toplevel (WEIR_TYPE_EDITOR) == NULL);
  read = weir_model_read_file (place.file, diagnostics);
  g_assert_nonnull (read);
  g_assert_cmpuint (weir_diagram_get_n_blocks (weir_model_get_root (read)), ==, 1);

  editor = editor_open ();
  drag_from_palette (editor, "Gain", 200, 150);
  key ("<Control>w");
  wait_for ((dialog = find_toplevel (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  focus_window (GTK_WINDOW (dialog));
  click (find_label (dialog, "Discard"));
  wait_for (find_toplevel (WEIR_TYPE_EDITOR) == NULL);
  place_tear_down (&place);
}

/* A file that cannot be written is said, and the changes stay marked as unsaved. */
static void
test_unwritable (void)
{
  WeirEditor *editor = editor_open ();
  Place place;
  GtkWidget *dialog;

  place_set_up (&place, "gone.weir");
  g_assert_true (weir_document_save (editor->document, place.file, NULL));
  drag_from_palette (editor, "Gain", 200, 150);
  g_unlink (place.path);
  g_rmdir (place.folder);
  g_assert_true (g_file_set_contents (place.folder, "in the way", -1, NULL));
  key ("<Control>s");
  wait_for ((dialog = find_toplevel (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  picture ("24-not-saved");
  g_assert_true (weir_document_get_modified (editor->document));
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_unlink (place.folder);
  place_tear_down (&place);
  editor_close (editor);
}

/* --- The welcome page ------------------------------------------------------------------------ */

/* A card opens its example here; a template begins a model without a file. */
static void
test_welcome (void)
{
  WeirEditor *editor = editor_open ();

  weir_editor_show_welcome (editor);
  spin (200);
  picture ("25-welcome");
  g_assert_nonnull (find_label (toplevel_of (editor), "Control loop"));
  click (find_label (toplevel_of (editor), "Oscillator: mass on a spring"));
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 4);
  g_assert_null (weir_document_get_file (editor->document));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (editor->canvas)));
  picture ("26-template");
  editor_close (editor);

  editor = editor_open ();
  weir_editor_show_welcome (editor);
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      ADW_COLOR_SCHEME_FORCE_DARK);
  spin (200);
  picture ("27-welcome-dark");
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_DEFAULT);
  click (find_label (toplevel_of (editor), "New Model"));
  wait_for (gtk_widget_get_mapped (GTK_WIDGET (editor->canvas)));
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (editor)), ==, 0);
  editor_close (editor);
}

/* As the program starts with it: what it hides, and what lies below the window, comes right after
 * its first frame. */
static void
test_welcome_first (void)
{
  WeirEditor *editor = weir_window_add (weir_window_new (application),
                                        weir_editor_new_for_welcome ());
  g_autoptr (GFile) file = example_file ("pendulum.weir");

  weir_editor_show_welcome (editor);
  weir_window_present (editor);
  g_assert_cmpuint (editor->pages->len, ==, 0);
  gtk_test_widget_wait_for_draw (toplevel_of (editor));
  focus_window (GTK_WINDOW (toplevel_of (editor)));
  wait_for (editor->pages->len > 0);
  wait_for (find_label (toplevel_of (editor), "Examples") != NULL);
  g_assert_true (weir_editor_is_welcome (editor));
  picture ("2i-welcome-first");
  click (find_label (toplevel_of (editor), "Source and scope"));
  wait_for (gtk_widget_get_mapped (GTK_WIDGET (editor->canvas)));
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 3);
  g_assert_true (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_INSPECTOR)));
  g_assert_true (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_SCOPES)));
  key ("F5");
  wait_for (weir_runner_get_session (editor->runner) != NULL);
  picture ("2j-from-welcome");
  editor_close (editor);

  /* A file may come before that frame. */
  editor = weir_window_add (weir_window_new (application), weir_editor_new_for_welcome ());
  weir_editor_show_welcome (editor);
  g_assert_true (weir_editor_open (editor, file));
  g_assert_cmpuint (editor->pages->len, >, 0);
  editor_close (editor);
}

/* Asked for over a model it comes in a tab of its own, once; the model stays as it is. */
static void
test_welcome_beside (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir"), *other;
  AdwTabView *tabs = weir_window_get_tabs (weir_window_get_of (editor));

  click_canvas (editor);
  key ("<Alt>Home");
  wait_for (adw_tab_view_get_n_pages (tabs) == 2);
  wait_for (!gtk_widget_get_mapped (GTK_WIDGET (editor->canvas)));
  g_assert_false (weir_editor_is_welcome (editor));
  g_assert_cmpstr (adw_tab_page_get_title (adw_tab_view_get_nth_page (tabs, 1)), ==, "Welcome");
  picture ("2h-welcome-tab");
  key ("<Control><Shift>Tab");
  wait_for (gtk_widget_get_mapped (GTK_WIDGET (editor->canvas)));
  key ("<Alt>Home"); /* there already */
  other = weir_window_get_shown (weir_window_get_of (editor));
  g_assert_true (other != editor);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs), ==, 2);
  key ("<Control>w"); /* without a question */
  wait_for (adw_tab_view_get_n_pages (tabs) == 1);
  wait_for (gtk_widget_get_mapped (GTK_WIDGET (editor->canvas)));
  editor_close (editor);
}

/* --- Others at the file ---------------------------------------------------------------------- */

static const char other_text[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"1\">\n  <diagram>\n"
    "    <block id=\"1\" type=\"Sine\" name=\"Sine\" x=\"0\" y=\"0\"/>\n"
    "    <block id=\"2\" type=\"Scope\" name=\"Scope\" x=\"120\" y=\"0\"/>\n"
    "  </diagram>\n</weir>\n";

/* Said at once, reloaded by a button, given back by undo; saving asks before it replaces. */
static void
test_changed_on_disk (void)
{
  WeirEditor *editor = editor_open ();
  Place place;
  GtkWidget *dialog;
  g_autofree char *saved = NULL, *replaced = NULL;

  place_set_up (&place, "shared.weir");
  g_assert_true (weir_document_save (editor->document, place.file, NULL));
  drag_from_palette (editor, "Gain", 200, 150);
  g_assert_true (g_file_set_contents (place.path, other_text, -1, NULL));
  wait_for (gtk_widget_get_mapped (editor->bar_button));
  picture ("28-changed-on-disk");

  key ("<Control>s");
  wait_for ((dialog = find_toplevel (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  focus_window (GTK_WINDOW (dialog));
  key ("Escape");
  wait_for (find_toplevel (ADW_TYPE_MESSAGE_DIALOG) == NULL);
  g_assert_true (g_file_get_contents (place.path, &saved, NULL, NULL));
  g_assert_cmpstr (saved, ==, other_text);

  focus_window (GTK_WINDOW (toplevel_of (editor)));
  click (editor->bar_button);
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 2);
  g_assert_false (weir_document_get_modified (editor->document));
  g_assert_false (gtk_widget_get_visible (editor->bar));
  click_canvas (editor);
  key ("<Control>z");
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 1);
  find_block (editor, "Gain");

  g_assert_true (
      g_file_set_contents (place.path, "<weir version=\"1\"><diagram/></weir>", -1, NULL));
  key ("<Control>s");
  wait_for ((dialog = find_toplevel (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  focus_window (GTK_WINDOW (dialog));
  picture ("29-replace");
  click (find_label (dialog, "Replace"));
  wait_for (!weir_document_get_modified (editor->document));
  g_assert_true (g_file_get_contents (place.path, &replaced, NULL, NULL));
  g_assert_nonnull (strstr (replaced, "Gain"));
  editor_close (editor);
  place_tear_down (&place);
}

/* A file that is deleted or renamed is told, its tab is marked, closing asks; saving again writes
 * it where it was. */
static void
test_gone (void)
{
  WeirEditor *editor = editor_open ();
  Place place;
  GtkWidget *dialog;
  g_autofree char *elsewhere = NULL;
  AdwTabPage *page;

  place_set_up (&place, "leaving.weir");
  elsewhere = g_build_filename (place.folder, "elsewhere.weir", NULL);
  drag_from_palette (editor, "Gain", 200, 150);
  g_assert_true (weir_document_save (editor->document, place.file, NULL));
  page = adw_tab_view_get_nth_page (weir_window_get_tabs (weir_window_get_of (editor)), 0);
  g_assert_cmpstr (adw_tab_page_get_title (page), ==, "leaving.weir");

  g_assert_cmpint (g_rename (place.path, elsewhere), ==, 0);
  wait_for (gtk_widget_get_mapped (editor->bar_button));
  g_assert_cmpstr (adw_tab_page_get_title (page), ==, "• leaving.weir");
  picture ("2f-gone");
  picture_dark ("2f-gone-dark");
  g_assert_cmpint (g_rename (elsewhere, place.path), ==, 0);
  wait_for (!gtk_widget_get_visible (editor->bar));
  g_assert_cmpstr (adw_tab_page_get_title (page), ==, "leaving.weir");

  /* Asked even before it was noticed. */
  g_unlink (place.path);
  key ("<Control>w");
  wait_for ((dialog = find_toplevel (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  focus_window (GTK_WINDOW (dialog));
  picture ("2g-gone-closing");
  key ("Escape");
  wait_for (find_toplevel (ADW_TYPE_MESSAGE_DIALOG) == NULL);
  focus_window (GTK_WINDOW (toplevel_of (editor)));
  wait_for (gtk_widget_get_mapped (editor->bar_button));
  click (editor->bar_button);
  wait_for (g_file_test (place.path, G_FILE_TEST_EXISTS));
  wait_for (!weir_document_get_modified (editor->document));
  g_assert_false (gtk_widget_get_visible (editor->bar));
  editor_close (editor);
  place_tear_down (&place);
}

/* --- Recovery -------------------------------------------------------------------------------- */

/* What a test that failed left behind would be offered too. */
static void
clear_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
}

/* What a killed process left behind is offered, opened as an unsaved edit, and gone
 * after saving. */
static void
test_recovery (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "weir", "recovery", NULL);
  g_autofree char *kept = g_build_filename (folder, "ended-1.weir", NULL);
  g_autofree char *text = NULL, *uri = NULL;
  g_autoptr (GPtrArray) left = NULL;
  WeirEditor *editor = editor_open ();
  GtkWidget *dialog;
  Place place;

  clear_folder (folder);
  place_set_up (&place, "crashed.weir");
  g_assert_true (weir_document_save (editor->document, place.file, NULL));
  editor_close (editor);
  uri = g_file_get_uri (place.file);
  text = g_strdup_printf ("%s<!-- unsaved changes of %s -->\n", other_text, uri);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (kept, text, -1, NULL));

  editor = editor_open ();
  weir_editor_offer_recovery (editor);
  wait_for ((dialog = find_toplevel (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  focus_window (GTK_WINDOW (dialog));
  picture ("2a-recovery");
  key ("Escape"); /* not now: stays for another time */
  wait_for (find_toplevel (ADW_TYPE_MESSAGE_DIALOG) == NULL);
  g_assert_true (g_file_test (kept, G_FILE_TEST_EXISTS));

  weir_editor_offer_recovery (editor);
  wait_for ((dialog = find_toplevel (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  focus_window (GTK_WINDOW (dialog));
  click (find_label (dialog, "Recover"));
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 2);
  g_assert_true (weir_document_get_modified (editor->document));
  g_assert_true (g_file_equal (weir_document_get_file (editor->document), place.file));
  spin (200);
  focus_window (GTK_WINDOW (toplevel_of (editor)));
  picture ("2b-recovered");
  click_canvas (editor);
  key ("<Control>s");
  wait_for (!weir_document_get_modified (editor->document));
  left = weir_recovery_list ();
  g_assert_cmpuint (left->len, ==, 0);
  editor_close (editor);
  place_tear_down (&place);
}

/* A model that is open again after the start is recovered in its tab, however its file is named. */
static void
test_recovery_one_tab (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "weir", "recovery", NULL);
  g_autofree char *kept = g_build_filename (folder, "ended-1.weir", NULL);
  g_autofree char *text = NULL, *uri = NULL, *link_path = NULL;
  WeirEditor *editor = editor_open ();
  AdwTabView *tabs = weir_window_get_tabs (weir_window_get_of (editor));
  GtkWidget *dialog;
  Place place;

  clear_folder (folder);
  place_set_up (&place, "crashed.weir");
  g_assert_true (weir_document_save (editor->document, place.file, NULL));
  link_path = g_build_filename (place.folder, "link.weir", NULL);
  g_assert_cmpint (symlink (place.path, link_path), ==, 0);
  uri = g_filename_to_uri (link_path, NULL, NULL);
  text = g_strdup_printf ("%s<!-- unsaved changes of %s -->\n", other_text, uri);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (kept, text, -1, NULL));

  weir_editor_offer_recovery (editor);
  wait_for ((dialog = find_toplevel (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  focus_window (GTK_WINDOW (dialog));
  click (find_label (dialog, "Recover"));
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 2);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs), ==, 1);
  g_assert_true (weir_document_get_modified (editor->document));
  g_assert_true (g_file_equal (weir_document_get_file (editor->document), place.file));
  focus_window (GTK_WINDOW (toplevel_of (editor)));
  click_canvas (editor);
  key ("<Control>z");
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 0);
  g_unlink (link_path);
  editor_close (editor);
  clear_folder (folder);
  place_tear_down (&place);
}

/* --- Pictures and paper ---------------------------------------------------------------------- */

static void
text_read (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  const char *mime_type;
  g_autoptr (GInputStream)
      stream = gdk_clipboard_read_finish (GDK_CLIPBOARD (clipboard), result, &mime_type, NULL);

  g_assert_nonnull (stream);
  *(GBytes **) data = g_input_stream_read_bytes (stream, 1 << 20, NULL, NULL);
}

/* The export is what `weir render` writes, byte for byte; the clipboard has it too; a page is
 * printed. */
static void
test_export (void)
{
  WeirEditor *editor = window_open_example ("nested.weir");
  g_autoptr (GFile) example = example_file ("nested.weir");
  g_autofree char *rendered_path = NULL, *exported = NULL, *rendered = NULL, *page = NULL;
  g_autoptr (GSubprocess) render = NULL;
  g_autoptr (GBytes) copied = NULL;
  g_autoptr (GtkPrintOperation) operation = NULL;
  const char *mime_types[] = { "image/svg+xml", NULL };
  gsize n_exported, n_rendered;
  gboolean done = FALSE;
  Place place;

  place_set_up (&place, "picture.svg");
  rendered_path = g_build_filename (place.folder, "rendered.svg", NULL);
  g_assert_true (weir_editor_export (editor, place.file));
  picture ("2c-exported");
  render = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, NULL, g_getenv ("WEIR_PROGRAM"), "render",
                             g_file_peek_path (example), "--out", rendered_path, NULL);
  g_subprocess_wait_check_async (render, NULL, subprocess_done, &done);
  wait_for (done);
  g_assert_true (g_file_get_contents (place.path, &exported, &n_exported, NULL));
  g_assert_true (g_file_get_contents (rendered_path, &rendered, &n_rendered, NULL));
  g_assert_cmpmem (exported, n_exported, rendered, n_rendered);

  key ("<Control><Shift>c");
  gdk_clipboard_read_async (gtk_widget_get_clipboard (toplevel_of (editor)), mime_types,
                            G_PRIORITY_DEFAULT, NULL, text_read, &copied);
  wait_for (copied != NULL);
  g_assert_true (g_str_has_prefix (g_bytes_get_data (copied, NULL), "<?xml"));

  operation = weir_editor_print_new (editor);
  page = g_build_filename (place.folder, "page.pdf", NULL);
  gtk_print_operation_set_export_filename (operation, page);
  g_assert_cmpint (gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_EXPORT,
                                            GTK_WINDOW (toplevel_of (editor)), NULL),
                   ==, GTK_PRINT_OPERATION_RESULT_APPLY);
  g_free (g_steal_pointer (&rendered));
  wait_for (g_file_get_contents (page, &rendered, &n_rendered, NULL) && n_rendered > 1000);
  g_assert_true (g_str_has_prefix (rendered, "%PDF"));
  if (g_getenv ("WEIR_PICTURES") != NULL)
    {
      g_autofree char *copy = g_build_filename (g_getenv ("WEIR_PICTURES"), "page.pdf", NULL);

      g_assert_true (g_file_set_contents (copy, rendered, (gssize) n_rendered, NULL));
    }
  g_unlink (page);
  g_unlink (rendered_path);
  place_tear_down (&place);
  editor_close (editor);
}

/* --- Preferences ----------------------------------------------------------------------------- */

static void
test_preferences (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  GtkWidget *preferences;

  key ("<Control>comma");
  wait_for ((preferences = find_toplevel (ADW_TYPE_PREFERENCES_WINDOW)) != NULL);
  focus_window (GTK_WINDOW (preferences));
  picture ("2d-preferences");
  if (weir_native_is_on ())
    {
      weir_settings_apply (); /* as the program does at its start */
      g_settings_set_boolean (weir_settings_get (), "native-code", FALSE);
      g_assert_false (weir_native_is_on ());
      g_settings_set_boolean (weir_settings_get (), "native-code", TRUE);
      g_assert_true (weir_native_is_on ());
    }
  key ("Escape");
  wait_for (find_toplevel (ADW_TYPE_PREFERENCES_WINDOW) == NULL);
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/files/refused", test_refused);
  g_test_add_func ("/window/files/far-down", test_far_down);
  g_test_add_func ("/window/files/problems", test_problems);
  g_test_add_func ("/window/asks/04-closing", test_closing_asks);
  g_test_add_func ("/window/files/unwritable", test_unwritable);
  g_test_add_func ("/window/files/welcome", test_welcome);
  g_test_add_func ("/window/files/changed-on-disk", test_changed_on_disk);
  g_test_add_func ("/window/files/gone", test_gone);
  g_test_add_func ("/window/files/welcome-first", test_welcome_first);
  g_test_add_func ("/window/files/welcome-beside", test_welcome_beside);
  g_test_add_func ("/window/files/recovery-one-tab", test_recovery_one_tab);
  g_test_add_func ("/window/asks/03-recovery", test_recovery);
  g_test_add_func ("/window/files/export", test_export);
  g_test_add_func ("/window/files/preferences", test_preferences);
  return driver_main ();
}

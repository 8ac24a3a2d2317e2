/* Files dragged in from another program: a second process with a window of its own offers them, as
 * a file manager does; the pointer carries them over.
 */
#include "driver.h"

#define SOURCE_X 1290 /* beside the editor's window */
#define SOURCE_Y 880
#define SOURCE_SIZE 90

/* --- The other program ----------------------------------------------------------------------- */

static GdkContentProvider *
offer_file (G_GNUC_UNUSED GtkDragSource *source, G_GNUC_UNUSED double x, G_GNUC_UNUSED double y,
            GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file);
  g_autofree char *list = g_strconcat (uri, "\r\n", NULL);
  g_autoptr (GBytes) bytes = g_bytes_new (list, strlen (list));

  return gdk_content_provider_new_for_bytes ("text/uri-list", bytes);
}

/* Shows a window that a file can be dragged from, and says so. Runs until it is killed. */
G_NORETURN static void
be_source (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GtkDragSource *source = gtk_drag_source_new ();
  GtkWidget *window, *label;

  gtk_init ();
  window = gtk_window_new ();
  label = gtk_label_new ("file");
  gtk_window_set_decorated (GTK_WINDOW (window), FALSE);
  gtk_window_set_default_size (GTK_WINDOW (window), SOURCE_SIZE, SOURCE_SIZE);
  gtk_window_set_child (GTK_WINDOW (window), label);
  g_signal_connect (source, "prepare", G_CALLBACK (offer_file), file);
  gtk_widget_add_controller (label, GTK_EVENT_CONTROLLER (source));
  gtk_window_present (GTK_WINDOW (window));
  XMoveWindow (x_display (), gdk_x11_surface_get_xid (gtk_native_get_surface (GTK_NATIVE (window))),
               SOURCE_X, SOURCE_Y);
  gtk_test_widget_wait_for_draw (window);
  spin (200);
  g_print ("ready\n");
  for (;;)
    g_main_context_iteration (NULL, TRUE);
}

/* --- The tests ------------------------------------------------------------------------------- */

static char *own_path;

static GSubprocess *
start_source (const char *path)
{
  g_autoptr (GError) error = NULL;
  GSubprocess *process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, own_path,
                                           "--drag-source", path, NULL);
  char ready[6];

  g_assert_no_error (error);
  g_assert_true (g_input_stream_read_all (g_subprocess_get_stdout_pipe (process), ready,
                                          sizeof ready, NULL, NULL, NULL));
  return process;
}

static void
stop_source (GSubprocess *process)
{
  g_subprocess_force_exit (process);
  g_subprocess_wait (process, NULL, NULL);
  g_object_unref (process);
}

static void
drag_to (WeirPoint to)
{
  drag ((WeirPoint) { SOURCE_X + SOURCE_SIZE / 2, SOURCE_Y + SOURCE_SIZE / 2 }, to);
}

/* Onto a diagram that has something in it: what the file holds becomes part of it, one step to
 * undo. Onto the header: another tab. */
static void
test_drop (void)
{
  WeirEditor *editor = editor_open ();
  AdwTabView *tabs = weir_window_get_tabs (weir_window_get_of (editor));
  g_autoptr (GFile) counter = example_file ("counter.weir");
  g_autofree char *path = g_file_get_path (counter);
  GSubprocess *source;

  drag_from_palette (editor, "Sine", 120, 100);
  source = start_source (path);
  drag_to (on_screen (GTK_WIDGET (editor->canvas), 400, 220));
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) > 1);
  picture ("98-dropped");
  find_block (editor, "Counter");
  find_block (editor, "Sine");
  g_assert_cmpstr (weir_document_get_undo_label (editor->document), ==, "Insert counter.weir");
  g_assert_null (weir_document_get_file (editor->document));
  focus_window (GTK_WINDOW (toplevel_of (editor)));
  key ("<Control>z");
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 1);

  drag_to (middle_of (weir_editor_get_header (editor)));
  wait_for (adw_tab_view_get_n_pages (tabs) == 2);
  wait_for (g_file_equal (
      weir_document_get_file (weir_window_get_shown (weir_window_get_of (editor))->document),
      counter));
  stop_source (source);
  editor_close (editor);
}

/* Onto a canvas with nothing in it: the file is opened there. */
static void
test_drop_on_empty (void)
{
  WeirEditor *editor = editor_open ();
  g_autoptr (GFile) counter = example_file ("counter.weir");
  g_autofree char *path = g_file_get_path (counter);
  GSubprocess *source = start_source (path);

  drag_to (on_screen (GTK_WIDGET (editor->canvas), 400, 220));
  wait_for (weir_document_get_file (editor->document) != NULL);
  g_assert_true (g_file_equal (weir_document_get_file (editor->document), counter));
  g_assert_false (weir_document_get_modified (editor->document));
  stop_source (source);
  editor_close (editor);
}

/* An FMU becomes a block where it is dropped, with the ports of its file; nothing of it runs. */
static void
test_drop_fmu (void)
{
  WeirEditor *editor = editor_open ();
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", "ball-3.fmu", NULL);
  GSubprocess *source = start_source (path);
  const WeirBlock *block;

  drag_to (on_screen (GTK_WIDGET (editor->canvas), 400, 220));
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 1);
  block = find_block (editor, "ball_3");
  g_assert_cmpstr (weir_block_get_type_name (block), ==, "FMU");
  g_assert_cmpuint (weir_block_get_port_size (block, "h", TRUE), ==, 1);
  wait_for (find_label (toplevel_of (editor),
                        "This model holds the program of 1 FMU that you have not trusted. It is "
                        "not run.")
            != NULL);
  picture ("98-dropped-fmu");
  weir_document_undo (editor->document);
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (editor)), ==, 0);
  stop_source (source);
  editor->may_close = TRUE;
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  if (argc == 3 && g_str_equal (argv[1], "--drag-source"))
    be_source (argv[2]);
  own_path = argv[0];
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/drop/into-diagram", test_drop);
  g_test_add_func ("/window/drop/on-empty", test_drop_on_empty);
  g_test_add_func ("/window/drop/fmu", test_drop_fmu);
  return driver_main ();
}

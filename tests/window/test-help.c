/* The help in its window: pages, links, search, find, examples that become blocks; by keyboard. */
#include "driver.h"

#include "gui/shell/help-window.h"
#include "panels/help-view.h"

static WeirHelpWindow *
wait_for_help (void)
{
  GtkWidget *window;

  wait_for ((window = find_toplevel (WEIR_TYPE_HELP_WINDOW)) != NULL);
  focus_window (GTK_WINDOW (window));
  return WEIR_HELP_WINDOW (window);
}

static const char *
page_of (WeirHelpWindow *help)
{
  return weir_help_window_get_page (help);
}

static gboolean
contains (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL;
}

static WeirHelpView *
view_of (WeirHelpWindow *help)
{
  return WEIR_HELP_VIEW (find_of_type (GTK_WIDGET (help), WEIR_TYPE_HELP_VIEW));
}

static void
close_help (WeirHelpWindow *help)
{
  focus_window (GTK_WINDOW (help));
  key ("<Control>w");
  wait_for (find_toplevel (WEIR_TYPE_HELP_WINDOW) == NULL);
}

/* F1 without a selection shows the first page; links lead on, Alt+Left and Alt+Right through the
 * history, with the place that a page was left at. */
static void
test_pages (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  WeirHelpWindow *help;
  double position;

  click_canvas (editor);
  key ("F1");
  help = wait_for_help ();
  g_assert_cmpstr (page_of (help), ==, "index");
  picture ("h0-index");
  picture_dark ("h0-index-dark");
  g_signal_emit_by_name (view_of (help), "link", "equations");
  g_assert_cmpstr (page_of (help), ==, "equations");
  spin (200);
  picture ("h1-equations");
  picture_dark ("h1-equations-dark");
  key ("Page_Down");
  wait_for (weir_help_view_get_position (view_of (help)) > 0);
  spin (100);
  position = weir_help_view_get_position (view_of (help));
  key ("<Alt>Left");
  g_assert_cmpstr (page_of (help), ==, "index");
  key ("<Alt>Right");
  g_assert_cmpstr (page_of (help), ==, "equations");
  spin (200);
  g_assert_cmpfloat (fabs (weir_help_view_get_position (view_of (help)) - position), <, 1);
  key ("<Alt>Home");
  g_assert_cmpstr (page_of (help), ==, "index");
  close_help (help);
  editor_close (editor);
}

/* Of the block that is selected: by F1, its context menu and the button in the inspector. */
static void
test_of_block (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  WeirHelpWindow *help;

  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Energy")));
  spin (100);
  key ("F1");
  help = wait_for_help ();
  g_assert_cmpstr (page_of (help), ==, "block:Scope");
  picture ("h2-scope");
  close_help (help);

  focus_window (GTK_WINDOW (toplevel_of (editor)));
  click_button_at (3, block_on_screen (editor, "Pendulum"));
  wait_for (find_label (toplevel_of (editor), "Help on This Block") != NULL);
  picture ("h9-menu");
  key ("h"); /* its mnemonic */
  help = wait_for_help ();
  g_assert_cmpstr (page_of (help), ==, "block:Pendulum");
  picture ("h3-pendulum");
  picture_dark ("h3-pendulum-dark");
  close_help (help);

  focus_window (GTK_WINDOW (toplevel_of (editor)));
  click (find_widget (part_of (editor, WEIR_TYPE_INSPECTOR), has_tooltip, "Help on this block"));
  help = wait_for_help ();
  g_assert_cmpstr (page_of (help), ==, "block:Pendulum");
  g_signal_emit_by_name (view_of (help), "link", "blocks");
  g_assert_cmpstr (page_of (help), ==, "blocks");
  spin (200);
  picture ("h4-blocks");
  close_help (help);
  editor_close (editor);
}

static guint
count_tabs (WeirEditor *editor)
{
  g_autoptr (GPtrArray) all = weir_window_list_all (
      gtk_window_get_application (weir_host_get_toplevel (WEIR_HOST (editor))));

  return all->len;
}

/* An example that has such a block opens beside what is open. */
static void
test_open_example (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  WeirHelpWindow *help = weir_help_window_present (application, "block:StateSpace");

  focus_window (GTK_WINDOW (help));
  g_assert_cmpstr (page_of (help), ==, "block:StateSpace");
  spin (200);
  picture ("h10-state-space");
  picture_dark ("h10-state-space-dark");
  g_signal_emit_by_name (view_of (help), "link", "weir:examples/inverted-pendulum.weir");
  wait_for (count_tabs (editor) == 2);
  wait_for_opening (editor);
  close_help (help);
  editor_close (editor);
}

/* The tours open what they are about: models, lessons and studies. */
static void
test_tours (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  WeirHelpWindow *help = weir_help_window_present (application, "tour-engineer");

  focus_window (GTK_WINDOW (help));
  g_assert_cmpstr (page_of (help), ==, "tour-engineer");
  spin (200);
  picture ("h11-tour");
  picture_dark ("h11-tour-dark");
  g_signal_emit_by_name (view_of (help), "link", "weir:examples/position-loop.weir");
  wait_for (count_tabs (editor) == 2);
  wait_for_opening (editor);
  g_signal_emit_by_name (view_of (help), "link", "weir:examples/tolerances.weirstudy");
  wait_for (count_tabs (editor) == 3);
  weir_help_window_present (application, "tour-teacher");
  spin (200);
  picture ("h12-tour");
  g_signal_emit_by_name (view_of (help), "link", "weir:lessons/01-push-and-pull.lesson");
  wait_for (find_widget (toplevel_of (editor), contains, "Nothing has been computed") != NULL);
  picture ("h13-lesson");
  close_help (help);
  editor_close (editor);
}

/* Over all pages by Ctrl+K, within one by Ctrl+F; blocks are found too. */
static void
test_search (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  WeirHelpWindow *help;
  GtkWidget *bar;

  click_canvas (editor);
  key ("F1");
  help = wait_for_help ();
  key ("<Control>k");
  type_text ("saturation");
  wait_for (find_widget (GTK_WIDGET (help), contains, "Saturation") != NULL);
  spin (200);
  picture ("h5-search");
  key ("Return");
  wait_for (g_str_equal (page_of (help), "block:Saturation"));

  key ("<Control>k");
  type_text ("equation lang");
  spin (300);
  key ("Return");
  wait_for (g_str_equal (page_of (help), "equations"));
  spin (200);

  key ("<Control>f");
  bar = find_of_type (GTK_WIDGET (help), GTK_TYPE_SEARCH_BAR);
  type_text ("EVENT");
  wait_for (find_widget (bar, contains, "1 of ") != NULL);
  spin (200);
  picture ("h6-find");
  picture_dark ("h6-find-dark");
  key ("Return");
  wait_for (find_widget (bar, contains, "2 of ") != NULL);
  key ("<Control><Shift>g");
  wait_for (find_widget (bar, contains, "1 of ") != NULL);
  key ("Escape");
  wait_for (!gtk_search_bar_get_search_mode (GTK_SEARCH_BAR (bar)));
  key ("<Control>k");
  type_text ("qqxyzzy");
  wait_for (find_label (GTK_WIDGET (help), "Nothing Found") != NULL);
  picture ("h7-nothing");
  close_help (help);
  editor_close (editor);
}

static void
text_read (GObject *clipboard, GAsyncResult *result, gpointer text)
{
  *(char **) text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

/* An example is copied, or becomes a block of the model as one undo step. */
static void
test_examples (void)
{
  WeirEditor *editor = editor_open ();
  WeirHelpWindow *help;
  g_autofree char *copied = NULL;
  const char *text;

  click_canvas (editor);
  key ("F1");
  help = wait_for_help ();
  g_signal_emit_by_name (view_of (help), "link", "equations");
  spin (200);
  click (find_widget (GTK_WIDGET (help), has_tooltip, "Copy"));
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (help)), NULL, text_read,
                                 &copied);
  wait_for (copied != NULL);
  click (find_widget (GTK_WIDGET (help), has_tooltip, "Insert as Block"));
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 1);
  text = weir_block_get_parameter (find_block (editor, "Equations"), "equations");
  g_assert_nonnull (text);
  picture ("h8-inserted");
  weir_document_undo (editor->document);
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (editor)), ==, 0);
  close_help (help);
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/help/pages", test_pages);
  g_test_add_func ("/window/help/of-block", test_of_block);
  g_test_add_func ("/window/help/open-example", test_open_example);
  g_test_add_func ("/window/help/tours", test_tours);
  g_test_add_func ("/window/help/search", test_search);
  g_test_add_func ("/window/help/examples", test_examples);
  return driver_main ();
}

/* Several models in one window: tabs, their own undo and runs, and how they close. */
#include "driver.h"

#include "gui/pages/pages.h"
#include "gui/shell/open-files.h"

static AdwTabView *
tabs_of (WeirEditor *editor)
{
  return weir_window_get_tabs (weir_window_get_of (editor));
}

static WeirEditor *
tab (AdwTabView *tabs, int i)
{
  return WEIR_EDITOR (adw_tab_page_get_child (adw_tab_view_get_nth_page (tabs, i)));
}

static WeirEditor *
shown (AdwTabView *tabs)
{
  return WEIR_EDITOR (adw_tab_page_get_child (adw_tab_view_get_selected_page (tabs)));
}

static guint
n_blocks (WeirEditor *editor)
{
  return weir_diagram_get_n_blocks (root_diagram (editor));
}

static guint
count_shells (void)
{
  guint n = 0;

  for (GList *l = gtk_application_get_windows (application); l != NULL; l = l->next)
    n += WEIR_IS_WINDOW (l->data);
  return n;
}

/* Ctrl+T, each tab with its own model, undo and keys; Ctrl+Tab and Alt+1 between them; one
 * clipboard. */
static void
test_keys (void)
{
  WeirEditor *first = editor_open (), *second;
  AdwTabView *tabs = tabs_of (first);

  drag_from_palette (first, "Sine", 300, 200);
  key ("<Control>t");
  wait_for (adw_tab_view_get_n_pages (tabs) == 2);
  second = tab (tabs, 1);
  g_assert_true (shown (tabs) == second);
  g_assert_cmpstr (adw_tab_page_get_title (adw_tab_view_get_nth_page (tabs, 0)), ==, "• Untitled");
  g_assert_cmpstr (adw_tab_page_get_title (adw_tab_view_get_nth_page (tabs, 1)), ==, "Untitled 2");
  picture ("80-tabs");
  picture_dark ("80-tabs-dark");
  drag_from_palette (second, "Gain", 200, 200);
  drag_from_palette (second, "Scope", 340, 200);
  g_assert_cmpuint (n_blocks (first), ==, 1);

  key ("<Control>z");
  wait_for (n_blocks (second) == 1);
  g_assert_cmpuint (n_blocks (first), ==, 1);

  key ("<Control>a");
  key ("<Control>c");
  key ("<Control>Tab");
  wait_for (shown (tabs) == first);
  key ("<Control>v"); /* the canvas has the keyboard, as when this tab was left */
  wait_for (n_blocks (first) == 2);
  find_block (first, "Gain");
  key ("<Control>z");
  wait_for (n_blocks (first) == 1);
  g_assert_cmpuint (n_blocks (second), ==, 1);
  key ("<Control><Shift>Tab");
  wait_for (shown (tabs) == second);
  key ("<Alt>1");
  wait_for (shown (tabs) == first);

  /* What is shown is the header and the actions of the tab. */
  g_assert_true (gtk_widget_get_mapped (weir_editor_get_header (first)));
  g_assert_false (gtk_widget_get_mapped (weir_editor_get_header (second)));
  key ("F9");
  g_assert_false (gtk_widget_get_visible (first->left));
  key ("<Alt>2");
  wait_for (shown (tabs) == second);
  g_assert_false (gtk_widget_get_visible (second->left));
  key ("F9");
  g_assert_true (gtk_widget_get_visible (second->left));
  editor_close (first);
}

/* A run goes on while another tab is shown, and says when it is over. */
static void
test_background_run (void)
{
  WeirEditor *first = window_open_example ("pendulum.weir"), *second;
  AdwTabView *tabs = tabs_of (first);
  AdwTabPage *page = adw_tab_view_get_nth_page (tabs, 0);
  guint64 steps;

  set_setting (first, "stop-time", "1e7");
  click_canvas (first);
  key ("F5");
  wait_for (weir_runner_is_active (first->runner));
  wait_for (adw_tab_page_get_loading (page));
  key ("<Control>t");
  wait_for (adw_tab_view_get_n_pages (tabs) == 2);
  second = tab (tabs, 1);
  g_assert_false (weir_runner_is_active (second->runner));
  g_assert_false (g_action_group_get_action_enabled (weir_editor_get_actions (second), "stop"));
  steps = weir_session_get_snapshot (session_of (first))->statistics.steps;
  wait_for (weir_session_get_snapshot (session_of (first))->statistics.steps > steps);
  picture ("81-tab-runs");
  weir_session_stop (session_of (first));
  wait_for (!weir_runner_is_active (first->runner));
  wait_for (adw_tab_page_get_needs_attention (page));
  g_assert_false (adw_tab_page_get_loading (page));
  key ("<Control>Tab");
  wait_for (shown (tabs) == first);
  g_assert_false (adw_tab_page_get_needs_attention (page));
  editor_close (first);
}

/* A file that is open already is shown, not opened twice, whichever name it is given. */
static void
test_open_once (void)
{
  WeirEditor *first = window_open_example ("pendulum.weir"), *second;
  AdwTabView *tabs = tabs_of (first);
  g_autoptr (GFile) counter = example_file ("counter.weir"),
                    pendulum = example_file ("pendulum.weir");
  g_autofree char *folder = g_dir_make_tmp ("weir-tabs-XXXXXX", NULL);
  g_autofree char *name = g_build_filename (folder, "other-name.weir", NULL);
  g_autofree char *path = g_file_get_path (pendulum);
  g_autoptr (GFile) other_name = g_file_new_for_path (name);

  open_beside (first, counter);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs), ==, 2);
  second = shown (tabs);
  g_assert_nonnull (weir_diagram_find_block_by_name (root_diagram (second), "Counter"));
  open_beside (second, pendulum);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs), ==, 2);
  g_assert_true (shown (tabs) == first);

  g_assert_cmpint (symlink (path, name), ==, 0);
  adw_tab_view_set_selected_page (tabs, adw_tab_view_get_nth_page (tabs, 1));
  open_beside (second, other_name);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs), ==, 2);
  g_assert_true (shown (tabs) == first);

  /* From another window it comes to the front where it is. */
  second = editor_open ();
  open_beside (second, counter);
  g_assert_true (weir_editor_is_pristine (second));
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs_of (second)), ==, 1);
  editor_close (second);
  editor_close (first);
  g_assert_cmpint (g_unlink (name), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static gboolean
label_contains (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL;
}

static GtkWidget *
wait_for_dialog (void)
{
  GtkWidget *dialog;

  wait_for ((dialog = find_toplevel (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  focus_window (GTK_WINDOW (dialog));
  return dialog;
}

/* Ctrl+W asks where something would be lost, and closes the window with its last tab. */
static void
test_close (void)
{
  guint before = count_shells ();
  WeirEditor *first = editor_open (), *second;
  AdwTabView *tabs = tabs_of (first);
  GtkWidget *dialog;

  drag_from_palette (first, "Sine", 300, 200);
  key ("<Control>t");
  wait_for (adw_tab_view_get_n_pages (tabs) == 2);
  second = tab (tabs, 1);
  key ("<Control>w"); /* nothing in it */
  wait_for (adw_tab_view_get_n_pages (tabs) == 1);

  key ("<Control>w");
  dialog = wait_for_dialog ();
  picture ("82-tab-close");
  key ("Escape");
  wait_for (find_toplevel (ADW_TYPE_MESSAGE_DIALOG) == NULL);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs), ==, 1);
  focus_window (GTK_WINDOW (toplevel_of (first)));

  /* Two with changes: one question about both. */
  key ("<Control>t");
  wait_for (adw_tab_view_get_n_pages (tabs) == 2);
  second = shown (tabs);
  drag_from_palette (second, "Scope", 300, 200);
  gtk_window_close (GTK_WINDOW (toplevel_of (first)));
  dialog = wait_for_dialog ();
  g_assert_nonnull (adw_message_dialog_get_extra_child (ADW_MESSAGE_DIALOG (dialog)));
  picture ("83-tabs-close");
  picture_dark ("83-tabs-close-dark");
  key ("Escape");
  wait_for (find_toplevel (ADW_TYPE_MESSAGE_DIALOG) == NULL);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs), ==, 2);

  gtk_window_close (GTK_WINDOW (toplevel_of (first)));
  dialog = wait_for_dialog ();
  click (find_label (dialog, "Discard All"));
  wait_for (count_shells () == before);
}

/* Both are saved, each where it belongs, before the window closes. */
static void
test_save_all (void)
{
  guint before = count_shells ();
  WeirEditor *windows[2];
  AdwTabView *tabs;
  g_autofree char *folder = g_dir_make_tmp ("weir-tabs-XXXXXX", NULL);
  g_autofree char *paths[2] = { g_build_filename (folder, "a.weir", NULL),
                                g_build_filename (folder, "b.weir", NULL) };
  GtkWidget *dialog;

  windows[0] = editor_open ();
  tabs = tabs_of (windows[0]);
  windows[1] = weir_window_add_beside (windows[0], weir_editor_new ());
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GFile) file = g_file_new_for_path (paths[i]);

      g_assert_true (weir_document_save (windows[i]->document, file, NULL));
      weir_window_present (windows[i]);
      drag_from_palette (windows[i], "Sine", 300, 200);
    }
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs), ==, 2);
  gtk_window_close (GTK_WINDOW (toplevel_of (windows[0])));
  dialog = wait_for_dialog ();
  click (find_label (dialog, "Save"));
  wait_for (count_shells () == before);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GFile) file = g_file_new_for_path (paths[i]);
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirModel) model = weir_model_read_file (file, diagnostics);

      g_assert_nonnull (model);
      g_assert_cmpuint (weir_diagram_get_n_blocks (weir_model_get_root (model)), ==, 1);
      g_assert_cmpint (g_unlink (paths[i]), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* A tab moves to a window of its own with everything it is doing, and its old window with it if it
 * was the last one. */
static void
test_move (void)
{
  guint before = count_shells ();
  WeirEditor *first = window_open_example ("pendulum.weir"), *second;
  GtkWidget *window = toplevel_of (first);

  second = weir_window_add_beside (first, weir_editor_new ());
  drag_from_palette (second, "Sine", 300, 200);
  weir_window_present (first);
  set_setting (first, "stop-time", "1e7");
  key ("F5");
  wait_for (weir_runner_is_active (first->runner));
  weir_window_move_to_new (first);
  wait_for (toplevel_of (first) != window && gtk_widget_get_mapped (GTK_WIDGET (first)));
  g_assert_true (toplevel_of (second) == window);
  g_assert_cmpuint (count_shells (), ==, before + 2);
  focus_window (GTK_WINDOW (toplevel_of (first)));
  picture ("84-tab-moved");
  g_assert_true (gtk_widget_get_sensitive (verify_button_of (first)));
  g_assert_true (gtk_widget_get_sensitive (find_widget (toplevel_of (first), has_tooltip, "Stop")));
  g_assert_false (
      gtk_widget_get_sensitive (find_widget (first->header, has_tooltip, "Run or Continue")));
  g_assert_true (weir_runner_is_active (first->runner));
  key ("<Shift>F5");
  wait_for (!weir_runner_is_active (first->runner));
  key ("<Control>z"); /* of its own: the setting */
  g_assert_cmpuint (n_blocks (second), ==, 1);

  adw_tab_view_transfer_page (tabs_of (first), adw_tab_view_get_nth_page (tabs_of (first), 0),
                              tabs_of (second), 1);
  wait_for (count_shells () == before + 1);
  g_assert_true (toplevel_of (first) == window);
  editor_close (first);
}

/* With the pointer: a tab past its neighbour, then out of the window into one of its own. */
static void
test_drag (void)
{
  guint before = count_shells ();
  WeirEditor *first = window_open_example ("pendulum.weir"), *second;
  AdwTabView *tabs = tabs_of (first);
  g_autoptr (GFile) counter = example_file ("counter.weir");
  GtkWidget *window = toplevel_of (first), *bar;
  Window desktop;
  WeirPoint from, to;

  open_beside (first, counter);
  second = shown (tabs);
  bar = find_of_type (window, ADW_TYPE_TAB_BAR);
  spin (300);
  from = middle_of (find_label (bar, "counter.weir"));
  to = middle_of (find_label (bar, "pendulum.weir"));
  drag (from, (WeirPoint) { to.x - 60, to.y });
  wait_for (tab (tabs, 0) == second);
  g_assert_true (shown (tabs) == second);

  spin (300);
  /* Something that takes no drops, as another program's window; the bare root window takes all. */
  desktop = XCreateSimpleWindow (x_display (), DefaultRootWindow (x_display ()), 0, 880, 1400, 120,
                                 0, 0, 0);
  XMapWindow (x_display (), desktop);
  from = middle_of (find_label (bar, "counter.weir"));
  drag (from, (WeirPoint) { from.x, 980 });
  wait_for (toplevel_of (second) != window);
  wait_for (gtk_widget_get_mapped (GTK_WIDGET (second)));
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs), ==, 1);
  g_assert_cmpuint (count_shells (), ==, before + 2);
  focus_window (GTK_WINDOW (toplevel_of (second)));
  click_canvas (second);
  key ("<Control>a");
  key ("Delete");
  wait_for (n_blocks (second) == 0);
  picture ("85-tab-dragged-out");
  XDestroyWindow (x_display (), desktop);
  editor_close (second);
  editor_close (first);
}

/* Two tabs never write to one file. */
static void
test_save_as_open (void)
{
  WeirEditor *first = editor_open (), *second;
  g_autofree char *folder = g_dir_make_tmp ("weir-tabs-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GtkWidget *dialog;

  g_assert_true (weir_document_save (first->document, file, NULL));
  second = weir_window_add_beside (first, weir_editor_new ());
  drag_from_palette (second, "Sine", 300, 200);
  key ("<Control><Shift>s");
  choose_path (path);
  spin (300);
  if (find_toplevel (GTK_TYPE_MESSAGE_DIALOG) == NULL)
    key ("Return"); /* the first one took the completion offered */
  wait_for ((dialog = find_toplevel (GTK_TYPE_MESSAGE_DIALOG)) != NULL);
  focus_window (GTK_WINDOW (dialog));
  click (find_label (dialog, "Replace"));
  dialog = wait_for_dialog ();
  picture ("86-open-elsewhere");
  g_assert_nonnull (find_widget (dialog, label_contains, "another tab"));
  key ("Escape");
  wait_for (find_toplevel (ADW_TYPE_MESSAGE_DIALOG) == NULL);
  g_assert_null (weir_document_get_file (second->document));
  g_assert_cmpuint (n_blocks (first), ==, 0);
  editor_close (first);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* What is open is noted as it comes and goes, for the next start; not while the program ends. */
static void
test_open_files (void)
{
  WeirEditor *first = window_open_example ("pendulum.weir");
  g_autoptr (GFile) pendulum = example_file ("pendulum.weir"),
                    counter = example_file ("counter.weir");
  g_autoptr (GPtrArray) two = NULL, one = NULL, at_end = NULL;

  open_beside (first, counter);
  two = weir_open_files_list ();
  g_assert_cmpuint (two->len, ==, 2);
  g_assert_true (g_file_equal (g_ptr_array_index (two, 0), pendulum));
  g_assert_true (g_file_equal (g_ptr_array_index (two, 1), counter));
  focus_window (GTK_WINDOW (toplevel_of (first)));
  key ("<Control>w");
  wait_for (adw_tab_view_get_n_pages (tabs_of (first)) == 1);
  one = weir_open_files_list ();
  g_assert_cmpuint (one->len, ==, 1);
  g_assert_true (g_file_equal (g_ptr_array_index (one, 0), pendulum));
  key ("<Control>w"); /* the last tab and its window */
  spin (200);
  at_end = weir_open_files_list ();
  g_assert_cmpuint (at_end->len, ==, 1);
}

/* Every page and part of an editor goes with it, whatever was shown, and takes its actions along.
 */
static void
test_parts_go (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  GPtrArray *const all[] = { editor->pages, editor->parts };
  guint n = editor->pages->len + editor->parts->len, k = 0, n_kinds, n_left = 1;
  const WeirPageKind *kinds = weir_pages_get (&n_kinds);
  g_autofree gpointer *left = g_new0 (gpointer, n);
  g_autoptr (GSimpleActionGroup) group = g_object_ref (editor->actions);
  GActionGroup *actions = G_ACTION_GROUP (group);

  g_assert_cmpuint (editor->pages->len, ==, n_kinds);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    for (guint m = 0; m < all[i]->len; m++, k++)
      {
        left[k] = all[i]->pdata[m];
        g_object_add_weak_pointer (left[k], &left[k]);
      }
  for (guint i = 0; i < n_kinds; i++)
    {
      g_assert_nonnull (weir_host_find (WEIR_HOST (editor), kinds[i].get_type ()));
      weir_host_show_page (WEIR_HOST (editor), kinds[i].name);
      spin (50);
    }
  weir_runner_run (editor->runner);
  wait_for (run_is_over (editor));
  g_assert_true (g_action_group_has_action (actions, "export-runs"));
  editor_close (editor);
  for (gint64 patience = g_get_monotonic_time () + PATIENCE_US;
       n_left > 0 && g_get_monotonic_time () < patience; spin (20))
    {
      n_left = 0;
      for (guint i = 0; i < n; i++)
        n_left += left[i] != NULL;
    }
  for (guint i = 0; i < n; i++)
    g_assert_null (left[i]);
  g_assert_false (g_action_group_has_action (actions, "export-runs"));
  g_assert_false (g_action_group_has_action (actions, "slow-motion"));
}

static gboolean
is_on (WeirEditor *editor, const char *action)
{
  g_autoptr (GVariant)
      state = g_action_group_get_action_state (weir_editor_get_actions (editor), action);

  return g_variant_get_boolean (state);
}

static gboolean
has_overlay (WeirEditor *editor, const char *nick)
{
  g_autofree char *overlay = NULL;

  g_object_get (editor->canvas, "overlay", &overlay, NULL);
  return g_strcmp0 (overlay, nick) == 0;
}

/* A new user sees nothing of the cache. Each perspective has its pages, and lies as it was left. */
static void
test_perspectives (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  GtkWidget *inspector = editor->right;

  g_assert_true (is_on (editor, "model-perspective"));
  g_assert_false (gtk_widget_get_visible (verify_button_of (editor)));
  g_assert_false (gtk_stack_page_get_visible (tab_of (editor, WEIR_TYPE_CACHE_PANEL)));
  g_assert_true (gtk_stack_page_get_visible (tab_of (editor, WEIR_TYPE_PROBLEM_LIST)));
  picture ("84-perspective-model");
  key ("<Control><Alt>2");
  wait_for (gtk_widget_get_visible (verify_button_of (editor)));
  g_assert_true (is_on (editor, "cache-perspective"));
  g_assert_false (is_on (editor, "model-perspective"));
  g_assert_true (gtk_stack_page_get_visible (tab_of (editor, WEIR_TYPE_CACHE_PANEL)));
  g_assert_false (gtk_stack_page_get_visible (tab_of (editor, WEIR_TYPE_PROBLEM_LIST)));
  gtk_widget_activate_action (GTK_WIDGET (editor->canvas), "win.overlay", "s", "state");
  key ("<Shift>F9");
  wait_for (!gtk_widget_get_visible (inspector));
  picture ("85-perspective-cache");
  picture_dark ("85-perspective-cache-dark");
  click (find_label (editor->header, "Model"));
  wait_for (is_on (editor, "model-perspective"));
  g_assert_true (has_overlay (editor, "off"));
  g_assert_true (gtk_widget_get_visible (inspector));
  click (find_label (editor->header, "Model")); /* stays what it is */
  g_assert_true (is_on (editor, "model-perspective"));
  weir_host_show_page (WEIR_HOST (editor), "dependencies"); /* brings its perspective */
  g_assert_true (is_on (editor, "cache-perspective"));
  g_assert_true (has_overlay (editor, "state"));
  g_assert_false (gtk_widget_get_visible (inspector));
  g_assert_cmpstr (weir_host_get_shown_page (WEIR_HOST (editor)), ==, "dependencies");
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/tabs/perspectives", test_perspectives);
  g_test_add_func ("/window/tabs/keys", test_keys);
  g_test_add_func ("/window/tabs/background-run", test_background_run);
  g_test_add_func ("/window/tabs/open-once", test_open_once);
  g_test_add_func ("/window/tabs/close", test_close);
  g_test_add_func ("/window/tabs/save-all", test_save_all);
  g_test_add_func ("/window/tabs/move", test_move);
  g_test_add_func ("/window/tabs/drag", test_drag);
  g_test_add_func ("/window/tabs/save-as-open", test_save_as_open);
  g_test_add_func ("/window/tabs/open-files", test_open_files);
  g_test_add_func ("/window/tabs/parts-go", test_parts_go);
  return driver_main ();
}

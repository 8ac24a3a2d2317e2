/* What users of such editors ask for most, in the whole program: the numbered rows of research on
 * the peers about files, runs, feedback and plots. Each test's name carries its row's number. And
 * the keys that were promised.
 */
#include "driver.h"

#include <unistd.h>

#include "panels/palette-panel.h"
#include "scopes/plot-card.h"
#include "scopes/xy-view.h"

/* 5: what was opened or saved is remembered then, not when the program ends well. */
static void
test_recent (void)
{
  WeirEditor *editor = window_open_example ("thermostat.weir");
  GList *items;
  gboolean found = FALSE;

  spin (100);
  items = weir_gui_list_recent ();
  for (GList *l = items; l != NULL; l = l->next)
    found |= g_str_has_suffix (gtk_recent_info_get_uri (l->data), "/thermostat.weir");
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
  g_assert_true (found);
  editor_close (editor);
}

/* 6: what runs is what is shown, saved or not; what is broken does not run at all. */
static void
test_runs_what_is_shown (void)
{
  WeirEditor *editor = window_open_example ("counter.weir");
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirBlock) counter = NULL;
  WeirSession *first;

  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  first = session_of (editor);
  g_assert_cmpfloat (last_value (editor, "Scope.in1"), ==,
                     30); /* ten times the updates at 0, 0.02, 0.04 */
  counter = weir_block_with_parameter (find_block (editor, "Counter"), "gain", "2");
  weir_patch_set_block (patch, WEIR_PLACE_ROOT, counter);
  g_assert_true (weir_document_edit (editor->document, patch, "Gain 2", NULL, NULL));
  key ("F5");
  wait_for (session_of (editor) != first && run_is_over (editor));
  g_assert_cmpfloat (last_value (editor, "Scope.in1"), ==, 6);
  g_assert_true (weir_document_get_modified (editor->document));

  first = session_of (editor);
  {
    g_autoptr (WeirPatch) worse = weir_patch_new ();
    g_autoptr (WeirBlock)
        broken = weir_block_with_parameter (find_block (editor, "Counter"), "gain", "nothing");

    weir_patch_set_block (worse, WEIR_PLACE_ROOT, broken);
    g_assert_true (weir_document_edit (editor->document, worse, "Break it", NULL, NULL));
  }
  key ("F5");
  wait_for (g_str_equal (shown_page (editor), "problems"));
  g_assert_true (session_of (editor) == first); /* nothing was run in its place */
  editor_close (editor);
}

/* 8: a copy of the whole beside: the document stays with its file and its changes. */
static void
test_save_copy (void)
{
  WeirEditor *editor = window_open_example ("counter.weir");
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "weir-copy-XXXXXX.weir", NULL);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GFile) file = NULL, before = g_object_ref (weir_document_get_file (editor->document));
  g_autoptr (WeirModel) copy = NULL;

  close (g_mkstemp (path));
  file = g_file_new_for_path (path);
  weir_canvas_insert (editor->canvas, "Gain", (WeirPoint) { 400, 300 }, FALSE);
  g_assert_true (weir_editor_save_copy_to (editor, file));
  copy = weir_model_read_file (file, diagnostics);
  g_assert_true (weir_model_equal (copy, weir_document_get_model (editor->document)));
  g_assert_true (g_file_equal (weir_document_get_file (editor->document), before));
  g_assert_true (weir_document_get_modified (editor->document));
  g_assert_true (g_action_group_get_action_enabled (weir_editor_get_actions (editor), "save-copy"));
  g_unlink (path);
  editor_close (editor);
}

/* 19: one place for everything: run, stop, save and find from wherever the keyboard is. */
static void
test_no_modes (void)
{
  WeirEditor *editor = window_open_example ("counter.weir");
  GtkWidget *places[] = { part_of (editor, WEIR_TYPE_PALETTE_PANEL),
                          part_of (editor, WEIR_TYPE_OUTLINE_PANEL),
                          part_of (editor, WEIR_TYPE_INSPECTOR),
                          part_of (editor, WEIR_TYPE_CACHE_PANEL), GTK_WIDGET (editor->canvas) };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      WeirSession *before = weir_runner_get_session (editor->runner);

      gtk_widget_child_focus (places[i], GTK_DIR_TAB_FORWARD);
      spin (50);
      key ("F5");
      wait_for (weir_runner_get_session (editor->runner) != before && run_is_over (editor));
    }
  editor_close (editor);
}

static WeirPoint
row_on_screen (WeirEditor *editor, int i)
{
  GtkWidget *list = find_of_type (part_of (editor, WEIR_TYPE_PROBLEM_LIST), GTK_TYPE_LIST_BOX);

  return middle_of (GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), i)));
}

/* 29: resting on a problem marks its block, or the subsystem it is in; resting on the block marks
 * the problem. */
static void
test_problems_point (void)
{
  WeirEditor *editor = window_open_example ("nested.weir");
  guint32 block, inner = 0;
  const WeirDiagnostic *diagnostic;
  GtkWidget *list;

  click_canvas (editor);
  block = weir_canvas_insert (editor->canvas, "Gain", (WeirPoint) { 60, 320 }, FALSE);
  key ("space");
  wait_for (
      weir_problem_list_get_n_rows (WEIR_PROBLEM_LIST (part_of (editor, WEIR_TYPE_PROBLEM_LIST)))
      > 0);
  weir_host_show_page (WEIR_HOST (editor), "problems");
  spin (200);
  diagnostic = weir_problem_list_get (WEIR_PROBLEM_LIST (part_of (editor, WEIR_TYPE_PROBLEM_LIST)),
                                      0);
  g_assert_cmpuint (diagnostic->block, ==, block);
  point_at (row_on_screen (editor, 0));
  g_assert_cmpuint (weir_canvas_get_pointed_problem (editor->canvas), ==, block);
  picture ("a0-problem-pointed");
  point_at (
      block_on_screen (editor, weir_block_get_name (weir_model_find_block (
                                   weir_document_get_model (editor->document), block, NULL))));
  g_assert_cmpuint (weir_canvas_get_pointed_problem (editor->canvas), ==, 0);
  list = find_of_type (part_of (editor, WEIR_TYPE_PROBLEM_LIST), GTK_TYPE_LIST_BOX);
  g_assert_true (gtk_widget_has_css_class (
      GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 0)), "weir-pointed"));
  picture ("a1-block-pointed");

  /* One level down: from above the subsystem is marked, and the row names it. */
  key ("<Control>z");
  for (guint i = 0; i < weir_scene_get_n_blocks (editor->canvas->scene) && inner == 0; i++)
    if (weir_block_get_diagram (weir_scene_get_block (editor->canvas->scene, i)->block) != NULL)
      inner = weir_block_get_id (weir_scene_get_block (editor->canvas->scene, i)->block);
  weir_canvas_set_place (editor->canvas, (WeirPlace) { &inner, 1 });
  block = weir_canvas_insert (editor->canvas, "Gain", (WeirPoint) { 60, 320 }, FALSE);
  weir_canvas_set_place (editor->canvas, WEIR_PLACE_ROOT);
  wait_for (
      weir_problem_list_get_n_rows (WEIR_PROBLEM_LIST (part_of (editor, WEIR_TYPE_PROBLEM_LIST)))
          > 0
      && strchr (
             weir_problem_list_get (WEIR_PROBLEM_LIST (part_of (editor, WEIR_TYPE_PROBLEM_LIST)), 0)
                 ->path,
             '.')
             != NULL);
  spin (200);
  point_at (row_on_screen (editor, 0));
  g_assert_cmpuint (weir_canvas_get_pointed_problem (editor->canvas), ==, inner);
  g_assert_cmpuint (
      weir_problem_list_get (WEIR_PROBLEM_LIST (part_of (editor, WEIR_TYPE_PROBLEM_LIST)), 0)
          ->block,
      ==, block);
  editor_close (editor);
}

/* 32: what is typed in a search, an entry or a note edits that and nothing else. */
static void
test_typing_edits_no_graph (void)
{
  static const char *const keys = "cxwtnpfklmd r";
  WeirEditor *editor = window_open_example ("counter.weir");
  WeirModel *before = weir_document_get_model (editor->document);

  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Counter")));
  key ("<Control><Shift>f");
  type_text (keys);
  key ("BackSpace");
  key ("Delete");
  key ("<Control>a");
  key ("<Control>x");
  g_assert_true (weir_document_get_model (editor->document) == before);
  key ("Escape");
  click_canvas (editor);
  key ("<Control>f");
  spin (200);
  type_text (keys);
  key ("Delete");
  key ("Escape");
  spin (100);
  g_assert_true (weir_document_get_model (editor->document) == before);
  key ("<Control><Shift>p");
  spin (200);
  type_text ("rot");
  key ("Escape");
  spin (100);
  g_assert_true (weir_document_get_model (editor->document) == before);
  editor_close (editor);
}

static WeirPlotCard *
find_card (WeirEditor *editor)
{
  return WEIR_PLOT_CARD (find_of_type (part_of (editor, WEIR_TYPE_SCOPES), WEIR_TYPE_PLOT_CARD));
}

/* 33: a second axis for a signal of another size, asked for where its name stands and kept for the
 * next run; a plot is called what its Scope is; what a plot offers takes one line. */
static void
test_second_axis (void)
{
  WeirEditor *editor = window_open_example ("dc-motor.weir");
  WeirPlot *plot;
  GtkWidget *toggle;
  double low, high, left_low, left_high;

  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  spin (200);
  plot = weir_plot_view_get_plot (weir_plot_card_get_view (find_card (editor)));
  g_assert_false (weir_plot_has_axis (plot, WEIR_PLOT_RIGHT));
  toggle = find_of_type (GTK_WIDGET (find_card (editor)), GTK_TYPE_TOGGLE_BUTTON);
  point_at (middle_of (toggle));
  send_button (3, TRUE);
  press_button (3, FALSE);
  spin (300);
  picture ("a2-axis-menu");
  g_assert_nonnull (find_label (GTK_WIDGET (editor), "Axis on the Right"));
  key ("Down");
  spin (200);
  g_assert_cmpint (weir_plot_get_curve_axis (plot, 0), ==, WEIR_PLOT_RIGHT);
  g_assert_true (weir_plot_has_axis (plot, WEIR_PLOT_RIGHT));
  weir_plot_get_range (plot, WEIR_PLOT_RIGHT, &low, &high);
  g_assert_cmpfloat (low, <, high);
  weir_plot_get_range (plot, WEIR_PLOT_LEFT, &left_low, &left_high);
  picture ("a2-second-axis");
  key ("Down");
  spin (200);
  g_assert_cmpint (weir_plot_get_curve_axis (plot, 0), ==, WEIR_PLOT_RIGHT_2);
  g_assert_false (weir_plot_has_axis (plot, WEIR_PLOT_RIGHT));
  key ("Escape");
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  spin (200);
  plot = weir_plot_view_get_plot (weir_plot_card_get_view (find_card (editor)));
  g_assert_cmpint (weir_plot_get_curve_axis (plot, 0), ==, WEIR_PLOT_RIGHT_2);
  g_assert_cmpint (
      gtk_widget_get_height (gtk_widget_get_first_child (GTK_WIDGET (find_card (editor)))), <, 60);
  editor_close (editor);
}

/* By keys, and as a screen reader has it: what there is, then the point that arrows move. */
static void
read_xy_scope (WeirEditor *editor)
{
  WeirXyView *view = WEIR_XY_VIEW (
      find_of_type (part_of (editor, WEIR_TYPE_SCOPES), WEIR_TYPE_XY_VIEW));
  GtkWidget *area = weir_xy_view_get_area (view);
  g_autofree char *whole = weir_xy_plot_dup_summary (weir_xy_view_get_plot (view)), *at = NULL;
  double end[2], moved[2];

  g_assert_true (g_str_has_prefix (whole, "Oscillator.x from -2.0"));
  g_assert_nonnull (strstr (whole, ". At 30 s: "));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       whole);
  g_assert_true (weir_xy_plot_get_marked (weir_xy_view_get_plot (view), &end[0], &end[1]));
  gtk_widget_grab_focus (area);
  key ("<Shift>Left");
  key ("Right");
  at = weir_xy_plot_dup_summary (weir_xy_view_get_plot (view));
  g_assert_true (g_str_has_prefix (at, "At 27.3 s: "));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       at);
  key ("Escape");
  g_assert_true (weir_xy_plot_get_marked (weir_xy_view_get_plot (view), &moved[0], &moved[1]));
  g_assert_cmpfloat (moved[0], ==, end[0]);
}

/* An orbit: two outputs of a block over one another. */
static void
test_xy_scope (void)
{
  WeirEditor *editor = editor_open ();
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  static const char *const ports[] = { "x", "v" };
  g_autoptr (WeirBlock)
      source = weir_block_new (1, "VanDerPol", "Oscillator", (WeirPoint) { 100, 100 });
  g_autoptr (WeirBlock) scope = weir_block_new (2, "XYScope", "Phases", (WeirPoint) { 320, 100 });
  double ranges[4];

  weir_patch_set_block (patch, WEIR_PLACE_ROOT, source);
  weir_patch_set_block (patch, WEIR_PLACE_ROOT, scope);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (WeirWire)
          wire = weir_wire_new (3 + i, (WeirWireEnd) { .block = 1, .port = ports[i] },
                                (WeirWireEnd) { .block = 2, .port = i == 0 ? "x" : "y" }, NULL, 0);

      weir_patch_set_wire (patch, WEIR_PLACE_ROOT, wire);
    }
  g_assert_true (weir_document_edit (editor->document, patch, "Phases", NULL, NULL));
  set_setting (editor, "stop-time", "30");
  click_canvas (editor);
  key ("space");
  key ("F5");
  wait_for (run_is_over (editor));
  spin (300);
  g_assert_cmpuint (weir_scopes_get_n_plots (WEIR_SCOPES (part_of (editor, WEIR_TYPE_SCOPES))), ==,
                    1);
  g_assert_true (weir_xy_plot_get_ranges (
      weir_xy_view_get_plot (
          WEIR_XY_VIEW (find_of_type (part_of (editor, WEIR_TYPE_SCOPES), WEIR_TYPE_XY_VIEW))),
      ranges));
  /* Its limit cycle reaches 2.00861986. */
  g_assert_cmpfloat_with_epsilon (ranges[1], 2.0086, 0.01);
  g_assert_cmpfloat_with_epsilon (ranges[0], -2.0086, 0.01);
  picture ("a3-xy-scope");
  read_xy_scope (editor);
  editor_close (editor);
}

/* The keys that research promised (section 6), each with what it does. */
static void
test_promised_keys (void)
{
  static const struct {
    const char *title, *keys;
  } promised[] = {
    { "New Model", "<Control>n" },
    { "New Model", "<Control>t" },
    { "Open", "<Control>o" },
    { "Save", "<Control>s" },
    { "Save As", "<Control><Shift>s" },
    { "Print", "<Control>p" },
    { "Close Tab", "<Control>w" },
    { "Quit", "<Control>q" },
    { "New Window", "<Control><Shift>n" },
    { "Preferences", "<Control>comma" },
    { "Keyboard Shortcuts", "<Control>question" },
    { "Help: of the Selected Block, or Its Contents", "F1" },
    { "Welcome Page: Lessons, Examples, Templates", "<Alt>Home" },
    { "Full Screen", "F11" },
    { "Show or Hide Library and Outline", "F9" },
    { "Show or Hide the Inspector", "<Shift>F9" },
    { "Undo", "<Control>z" },
    { "Redo", "<Control><Shift>z" },
    { "Redo", "<Control>y" },
    { "Cut", "<Control>x" },
    { "Copy", "<Control>c" },
    { "Paste", "<Control>v" },
    { "Duplicate", "<Control>d" },
    { "Delete", "Delete" },
    { "Delete", "BackSpace" },
    { "Copy as a Picture", "<Control><Shift>c" },
    { "Select All", "<Control>a" },
    { "Select Nothing", "<Control><Shift>a" },
    { "Select Nothing", "Escape" },
    { "Invert the Selection", "<Control><Shift>i" },
    { "Rename, Label or Edit the Text", "F2" },
    { "Properties", "<Alt>Return" },
    { "Find in All Levels", "<Control>f" },
    { "Next Find", "F3" },
    { "Find Before", "<Shift>F3" },
    { "Add a Block by Name", "slash" },
    { "Add a Block by Name", "<Control>space" },
    { "All Commands", "<Control><Shift>p" },
    { "Make a Subsystem", "<Control>g" },
    { "Expand the Subsystem", "<Control><Shift>g" },
    { "Enter a Subsystem", "Return" },
    { "Leave a Subsystem", "<Alt>Up" },
    { "Back to the Level Before", "<Alt>Left" },
    { "Forward Again", "<Alt>Right" },
    { "Rotate", "<Control>r" },
    { "Rotate Back", "<Control><Shift>r" },
    { "Flip", "<Control>i" },
    { "Comment Out", "<Control><Shift>x" },
    { "Pass Through", "<Control><Shift>y" },
    { "Move the Selection", "Left" },
    { "Follow Wires", "<Control>Left" },
    { "Next or Previous Block", "Tab" },
    { "Wire by Keyboard: Start at the Selection", "c" },
    { "Zoom In", "<Control>equal" },
    { "Zoom In", "<Control>plus" },
    { "Zoom Out", "<Control>minus" },
    { "Zoom to 100 %", "<Control>0" },
    { "Fit Everything", "space" },
    { "Fit the Selection", "f" },
    { "Show the Grid", "<Control>apostrophe" },
    { "Show Names and Labels", "l" },
    { "Show the Overview", "m" },
    { "Run or Continue", "F5" },
    { "Run or Continue", "<Control>Return" },
    { "Stop", "<Shift>F5" },
    { "Pause", "F6" },
    { "One Step", "F8" },
    { "One Step Back", "F7" },
    { "Several Steps", "<Control>F8" },
    { "Open the Tab Closed Last", "<Control><Shift>t" },
    { "Go to the Next or Previous Find While Typing", "<Control>g" },
    { "Go to the Next or Previous Find While Typing", "<Control><Shift>g" },
    { "Show Values on Wires", "v" },
    { "Pause Runs When the Value Is Computed", "F12" },
    { "Show the Breakpoints", "<Shift>F12" },
    { "Main Menu", "F10" },
    { "Context Menu", "<Shift>F10" },
    { "Previous or Next Logged Event", "comma" },
    { "Previous or Next That Reaches the Selection", "<Shift>comma" },
    { "Check the Model", "<Control>b" },
    { "Next Overlay of the Cache", "k" },
    { "Show the Cache Table", "<Control><Shift>k" },
    { "Why Out of Date, Why Up to Date?", "<Shift>w" },
    { "Switch Caching as a Whole", "<Shift>k" },
    { "Verify: Cached Against Uncached", "<Control><Shift>e" },
    { "Put All Overlays Away", "<Shift>Escape" },
  };
  guint n;
  const WeirShortcut *shortcuts = weir_shortcuts_get (&n);

  for (guint i = 0; i < G_N_ELEMENTS (promised); i++)
    {
      gboolean found = FALSE;

      for (guint k = 0; k < n; k++)
        {
          g_auto (GStrv)
              keys = g_strsplit (shortcuts[k].keys != NULL ? shortcuts[k].keys : "", " ", -1);

          found |= g_str_equal (shortcuts[k].title, promised[i].title)
                   && g_strv_contains ((const char *const *) keys, promised[i].keys);
        }
      if (!found)
        g_error ("%s does not \"%s\"", promised[i].keys, promised[i].title);
    }
}

static gboolean
has_own_keys (const char *group)
{
  return g_str_equal (group, "Outline") || g_str_equal (group, "Search")
         || g_str_equal (group, "Plots");
}

/* No key means two things in one place. */
static void
test_keys_are_unique (void)
{
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n;
  const WeirShortcut *shortcuts = weir_shortcuts_get (&n);

  for (guint i = 0; i < n; i++)
    {
      g_auto (GStrv)
          keys = g_strsplit (shortcuts[i].keys != NULL ? shortcuts[i].keys : "", " ", -1);

      for (guint k = 0; keys[k] != NULL; k++)
        {
          guint symbol;
          GdkModifierType held;

          g_autofree char *name = NULL;

          g_assert_true (gtk_accelerator_parse (keys[k], &symbol, &held));
          name = gtk_accelerator_name (gdk_keyval_to_lower (symbol), held);
          /* The outline, a search and a plot have the keyboard to themselves. */
          if (!g_hash_table_add (
                  taken, g_strconcat (has_own_keys (shortcuts[i].group) ? shortcuts[i].group : "",
                                      name, NULL)))
            g_error ("%s (%s) is taken", keys[k], shortcuts[i].title);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/asks/05-recent", test_recent);
  g_test_add_func ("/window/asks/06-runs-what-is-shown", test_runs_what_is_shown);
  g_test_add_func ("/window/asks/08-save-copy", test_save_copy);
  g_test_add_func ("/window/asks/19-no-modes", test_no_modes);
  g_test_add_func ("/window/asks/29-problems-point", test_problems_point);
  g_test_add_func ("/window/asks/32-typing-edits-no-graph", test_typing_edits_no_graph);
  g_test_add_func ("/window/asks/33-second-axis", test_second_axis);
  g_test_add_func ("/window/asks/xy-scope", test_xy_scope);
  g_test_add_func ("/window/asks/promised-keys", test_promised_keys);
  g_test_add_func ("/window/asks/keys-are-unique", test_keys_are_unique);
  return driver_main ();
}

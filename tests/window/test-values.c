/* Values on wires, steps back and forth, finding while typing, a tab opened again. */
#include "driver.h"

#include "cache/runs-panel.h"
#include "canvas/widget/block-node.h"
#include "paint/drawing/diagram.h"

static WeirWire *
find_wire (WeirEditor *editor, const char *from, const char *port)
{
  guint32 id = weir_block_get_id (find_block (editor, from));

  for (guint i = 0; i < weir_scene_get_n_wires (editor->canvas->scene); i++)
    {
      WeirWire *wire = weir_scene_get_wire (editor->canvas->scene, i)->wire;
      WeirWireEnd end = weir_wire_get_from (wire);

      if (end.block == id && g_str_equal (end.port, port))
        return wire;
    }
  g_error ("there is no wire from %s.%s", from, port);
}

static const char *
value_of (WeirEditor *editor, const char *from, const char *port)
{
  GHashTable *values = weir_canvas_get_values (editor->canvas);

  return values == NULL
             ? NULL
             : g_hash_table_lookup (
                 values, GUINT_TO_POINTER (weir_wire_get_id (find_wire (editor, from, port))));
}

static gboolean
has_value (WeirEditor *editor, const char *from, const char *port, const char *value)
{
  return g_strcmp0 (value_of (editor, from, port), value) == 0;
}

static guint64
get_steps (WeirEditor *editor)
{
  return weir_session_get_snapshot (session_of (editor))->statistics.steps;
}

static gboolean
is_settled (WeirEditor *editor)
{
  return session_of (editor) != NULL && weir_session_is_settled (session_of (editor));
}

static GtkWidget *
find_toast (WeirEditor *editor, const char *text)
{
  return find_label (editor->toasts, text);
}

/* V: what each wire carries, at the start, while the run pauses, when it has ended; not after the
 * structure has changed. */
static void
test_values (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  GtkWidget *node;
  char *tooltip;

  click_canvas (editor);
  key ("v");
  wait_for (find_toast (editor, "Wires will show their values once the model runs.") != NULL);
  g_assert_null (weir_canvas_get_values (editor->canvas));

  /* It is let go at 90 degrees: theta = pi / 2. Of the one step from there little is seen. */
  key ("F8");
  wait_for (is_settled (editor) && get_steps (editor) == 1
            && has_value (editor, "Pendulum", "theta", "1.571"));
  node = g_hash_table_lookup (
      editor->canvas->wire_nodes,
      GUINT_TO_POINTER (weir_wire_get_id (find_wire (editor, "Pendulum", "theta"))));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (node), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       "Value: 1.571");
  picture ("v1-values");
  picture_dark ("v1-values-dark");

  set_setting (editor, "stop-time", "1");
  click_canvas (editor);
  key ("<Shift>F5");
  wait_for (!weir_runner_is_active (editor->runner));
  key ("F5");
  wait_for (run_is_over (editor));
  /* From 90 degrees at rest, after a second (113-bit arithmetic): -1.40502731. */
  wait_for (has_value (editor, "Pendulum", "theta", "-1.405"));

  key ("v");
  wait_for (weir_canvas_get_values (editor->canvas) == NULL);
  key ("v");
  wait_for (has_value (editor, "Pendulum", "theta", "-1.405"));
  click_at (block_on_screen (editor, "Pendulum"));
  key ("Delete");
  wait_for (weir_canvas_get_values (editor->canvas) == NULL);
  key ("<Control>z");
  wait_for (has_value (editor, "Pendulum", "theta", "-1.405"));
  tooltip = weir_value_dup_text ((double[]) { 1, -0.0, 12345678.5, 4 }, 4);
  g_assert_cmpstr (tooltip, ==, "[4] 1; 0; 1.235e+07; …");
  g_free (tooltip);
  editor_close (editor);
}

/* Within a Subsystem its inputs are values too. */
static void
test_values_within (void)
{
  WeirEditor *editor = window_open_example ("nested.weir");
  WeirBlock *outer = NULL;
  WeirDiagram *root = root_diagram (editor);
  GHashTable *values;
  guint n_inputs = 0;

  for (guint i = 0; i < weir_scene_get_n_blocks (editor->canvas->scene) && outer == NULL; i++)
    {
      WeirBlock *block = weir_scene_get_block (editor->canvas->scene, i)->block;

      if (weir_block_get_diagram (block) != NULL)
        outer = block;
    }
  g_assert_nonnull (outer);
  g_assert_nonnull (root);
  click_canvas (editor);
  key ("v");
  key ("F8");
  wait_for (is_settled (editor) && weir_canvas_get_values (editor->canvas) != NULL);
  weir_canvas_select_block (editor->canvas, weir_block_get_id (outer));
  key ("Return");
  wait_for (weir_canvas_get_place (editor->canvas).n_ids == 1);
  wait_for (weir_canvas_get_values (editor->canvas) != NULL
            && g_hash_table_size (weir_canvas_get_values (editor->canvas))
                   == weir_scene_get_n_wires (editor->canvas->scene));
  values = weir_canvas_get_values (editor->canvas);
  for (guint i = 0; i < weir_scene_get_n_wires (editor->canvas->scene); i++)
    {
      WeirWire *wire = weir_scene_get_wire (editor->canvas->scene, i)->wire;
      const WeirBlockShape *from = weir_scene_find_block (editor->canvas->scene,
                                                          weir_wire_get_from (wire).block);
      const char *value = g_hash_table_lookup (values, GUINT_TO_POINTER (weir_wire_get_id (wire)));

      n_inputs += g_str_equal (weir_block_get_type_name (from->block), "In");
      g_assert_cmpstr (value, !=, "no value");
    }
  g_assert_cmpuint (n_inputs, >, 0);
  picture ("v2-values-within");
  editor_close (editor);
}

/* F8, Ctrl+F8, F7 and Ctrl+F7; plots end where the run is. */
static void
test_steps (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  gsize rows;

  click_canvas (editor);
  key ("F7");
  wait_for (find_toast (editor, "There is no run yet that could go back.") != NULL);
  key ("F8");
  wait_for (is_settled (editor) && get_steps (editor) == 1);
  key ("<Control>F8"); /* ten, if nothing else was chosen */
  wait_for (is_settled (editor) && get_steps (editor) == 11);
  rows = weir_scopes_get_n_samples (WEIR_SCOPES (part_of (editor, WEIR_TYPE_SCOPES)));
  key ("F7");
  wait_for (is_settled (editor) && get_steps (editor) == 10);
  /* A step is one row, and those within it if it is long. */
  g_assert_cmpuint (weir_scopes_get_n_samples (WEIR_SCOPES (part_of (editor, WEIR_TYPE_SCOPES))), <,
                    rows);
  picture ("v3-step-back");
  key ("<Control>F7");
  wait_for (is_settled (editor) && get_steps (editor) == 0);
  key ("F7");
  wait_for (find_toast (editor, "The run is at its start: there is no step to go back to.")
            != NULL);

  /* From its end a run goes on again. */
  key ("F5");
  wait_for (run_is_over (editor));
  rows = weir_scopes_get_n_samples (WEIR_SCOPES (part_of (editor, WEIR_TYPE_SCOPES)));
  wait_for (weir_runs_panel_get_n (WEIR_RUNS_PANEL (part_of (editor, WEIR_TYPE_RUNS_PANEL))) == 1);
  key ("F7");
  wait_for (weir_runner_is_active (editor->runner) && is_settled (editor));
  wait_for (weir_runs_panel_get_n (WEIR_RUNS_PANEL (part_of (editor, WEIR_TYPE_RUNS_PANEL)))
            == 0); /* not over after all */
  wait_for (weir_scopes_get_n_samples (WEIR_SCOPES (part_of (editor, WEIR_TYPE_SCOPES))) < rows);
  key ("F5");
  wait_for (run_is_over (editor));
  g_assert_cmpuint (weir_scopes_get_n_samples (WEIR_SCOPES (part_of (editor, WEIR_TYPE_SCOPES))),
                    ==, rows);
  wait_for (weir_runs_panel_get_n (WEIR_RUNS_PANEL (part_of (editor, WEIR_TYPE_RUNS_PANEL))) == 1);
  editor_close (editor);
}

/* Ctrl+G goes on among what is found, and the search stays open; elsewhere it makes a subsystem. */
static void
test_find_while_typing (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  guint32 first, second;
  guint n_blocks = weir_diagram_get_n_blocks (root_diagram (editor));

  click_canvas (editor);
  key ("<Control>f");
  spin (100);
  type_text ("scope");
  spin (300);
  key ("<Control>g");
  wait_for (weir_canvas_get_selected_block (editor->canvas) != 0);
  first = weir_canvas_get_selected_block (editor->canvas);
  key ("<Control>g");
  wait_for (weir_canvas_get_selected_block (editor->canvas) != first);
  second = weir_canvas_get_selected_block (editor->canvas);
  picture ("v4-find-next");
  key ("<Control><Shift>g");
  wait_for (weir_canvas_get_selected_block (editor->canvas) == first);
  key ("F3");
  wait_for (weir_canvas_get_selected_block (editor->canvas) == second);
  key ("Escape");
  spin (100);
  g_assert_cmpuint (weir_canvas_get_selected_block (editor->canvas), ==, second);
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (editor)), ==, n_blocks);
  editor_close (editor);
}

/* Ctrl+Shift+T, the last one first. */
static void
test_reopen_tab (void)
{
  WeirEditor *editor = editor_open (), *again;
  AdwTabView *tabs = weir_window_get_tabs (weir_window_get_of (editor));
  g_autoptr (GFile) pendulum = example_file ("pendulum.weir");
  g_autoptr (GFile) counter = example_file ("counter.weir");
  GFile *files[] = { counter, pendulum };

  drag_from_palette (editor, "Sine", 300, 200); /* something that is open */
  open_beside (editor, pendulum);
  open_beside (editor, counter);
  wait_for (adw_tab_view_get_n_pages (tabs) == 3);
  adw_tab_view_close_page (tabs, adw_tab_view_get_nth_page (tabs, 1)); /* the pendulum or ... */
  wait_for (adw_tab_view_get_n_pages (tabs) == 2);
  adw_tab_view_set_selected_page (tabs, adw_tab_view_get_nth_page (tabs, 1));
  key ("<Control>w");
  wait_for (adw_tab_view_get_n_pages (tabs) == 1);
  for (guint i = 0; i < 2; i++)
    {
      key ("<Control><Shift>t");
      wait_for (adw_tab_view_get_n_pages (tabs) == (int) i + 2);
    }
  for (guint i = 0; i < 2; i++)
    {
      again = weir_window_find_file (application, files[i], NULL);
      g_assert_nonnull (again);
    }
  key ("<Control><Shift>t"); /* no more */
  spin (200);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs), ==, 3);
  while (adw_tab_view_get_n_pages (tabs) > 1)
    adw_tab_view_close_page (tabs, adw_tab_view_get_nth_page (tabs, 1));
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/values/wires", test_values);
  g_test_add_func ("/window/values/within", test_values_within);
  g_test_add_func ("/window/values/steps", test_steps);
  g_test_add_func ("/window/values/find-while-typing", test_find_while_typing);
  g_test_add_func ("/window/values/reopen-tab", test_reopen_tab);
  return driver_main ();
}

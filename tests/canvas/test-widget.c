/* The canvas in a window: what real pointer and key events and its actions do to the document, what
 * assistive technology is told, and pictures of its states.
 */
#include "widget-fixture.h"

static void
test_pictures (Fixture *fixture, gconstpointer data)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();

  picture (fixture, "light");
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_DARK);
  spin (300);
  picture (fixture, "dark");
  weir_canvas_select_block (fixture->canvas, EXAMPLE_SUM);
  picture (fixture, "dark-selected");
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_LIGHT);
  spin (300);
  act (fixture, "canvas.select-all");
  picture (fixture, "all-selected");
  act (fixture, "canvas.select-none");
  for (int i = 0; i < 5; i++)
    act (fixture, "canvas.zoom-out");
  g_assert_cmpfloat (weir_canvas_get_zoom (fixture->canvas), <, 0.5);
  picture (fixture, "zoomed-out");
  act (fixture, "canvas.zoom-fit");
}

static void
test_move (Fixture *fixture, gconstpointer data)
{
  WeirPoint before = get_position (fixture, EXAMPLE_SCOPE);
  WeirPoint from = at_block (fixture, EXAMPLE_SCOPE, 0.5, 0.5), after;
  double zoom = weir_canvas_get_zoom (fixture->canvas);

  drag (fixture, 1, from, (WeirPoint) { from.x - 43 * zoom, from.y + 78 * zoom });
  after = get_position (fixture, EXAMPLE_SCOPE);
  g_assert_cmpfloat (after.x, ==, before.x - 40); /* snapped */
  g_assert_cmpfloat (after.y, ==, before.y + 80);
  g_assert_cmpuint (weir_canvas_get_selected_block (fixture->canvas), ==, EXAMPLE_SCOPE);
  g_assert_cmpstr (weir_document_get_undo_label (fixture->document), ==, "Move 1 block");
  picture (fixture, "moved");
  weir_document_undo (fixture->document);
  g_assert_cmpfloat (get_position (fixture, EXAMPLE_SCOPE).y, ==, before.y);
}

static void
test_wire (Fixture *fixture, gconstpointer data)
{
  guint before = weir_diagram_get_n_wires (get_root (fixture));
  WeirPoint from, to;

  weir_canvas_select_wire (fixture->canvas, EXAMPLE_WIRE_GAIN_SUM);
  act (fixture, "canvas.delete");
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, before - 1);
  from = at_block (fixture, EXAMPLE_GAIN, 1, 0.5);
  to = at_block (fixture, EXAMPLE_SUM, 0, 0.5);

  move_pointer (fixture, from);
  xdo (fixture, "mousedown 1");
  move_pointer (fixture, (WeirPoint) { from.x + 20, from.y + 40 });
  picture (fixture, "wiring");
  move_pointer (fixture, at_block (fixture, EXAMPLE_INTEGRATOR, 0, 0.5));
  picture (fixture, "wiring-refused");
  move_pointer (fixture, to);
  picture (fixture, "wiring-target");
  xdo (fixture, "mouseup 1");
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, before);
  g_assert_cmpstr (weir_document_get_undo_label (fixture->document), ==, "Connect Gain to Sum");
}

static void
test_wire_by_keyboard (Fixture *fixture, gconstpointer data)
{
  weir_canvas_select_wire (fixture->canvas, EXAMPLE_WIRE_GAIN_SUM);
  act (fixture, "canvas.delete");
  click (fixture, at_block (fixture, EXAMPLE_GAIN, 0.4, 0.3));
  xdo (fixture, "key c");
  picture (fixture, "keyboard-wiring");
  xdo (fixture, "key Return");
  g_assert_cmpstr (weir_document_get_undo_label (fixture->document), ==, "Connect Gain to Sum");
}

static void
test_delete_takes_wires (Fixture *fixture, gconstpointer data)
{
  /* Two wires come in: which of them to go on with cannot be told. */
  click (fixture, at_block (fixture, EXAMPLE_SUM, 0.5, 0.3));
  g_assert_cmpuint (weir_canvas_get_selected_block (fixture->canvas), ==, EXAMPLE_SUM);
  xdo (fixture, "key Delete");
  g_assert_null (weir_diagram_find_block (get_root (fixture), EXAMPLE_SUM));
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, 3);
  weir_document_undo (fixture->document);
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, 6);
  /* One in, one out: the connection heals. */
  click (fixture, at_block (fixture, EXAMPLE_INTEGRATOR, 0.5, 0.3));
  xdo (fixture, "key Delete");
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, 5);
  g_assert_cmpuint (weir_wire_get_from (
                        weir_diagram_find_wire (get_root (fixture), EXAMPLE_WIRE_INTEGRATOR_PLANT))
                        .block,
                    ==, EXAMPLE_SUM);
  weir_document_undo (fixture->document);
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, 6);
}

static void
test_nudge_merges (Fixture *fixture, gconstpointer data)
{
  WeirPoint before = get_position (fixture, EXAMPLE_GAIN);

  click (fixture, at_block (fixture, EXAMPLE_GAIN, 0.4, 0.3));
  xdo (fixture, "key Down Down shift+Right");
  g_assert_cmpfloat (get_position (fixture, EXAMPLE_GAIN).y, ==, before.y + 20);
  g_assert_cmpfloat (get_position (fixture, EXAMPLE_GAIN).x, ==, before.x + 1);
  weir_document_undo (fixture->document);
  g_assert_cmpfloat (get_position (fixture, EXAMPLE_GAIN).y, ==, before.y);
}

static void
test_clipboard (Fixture *fixture, gconstpointer data)
{
  guint n;

  weir_canvas_select_block (fixture->canvas, EXAMPLE_PLANT);
  act (fixture, "canvas.copy");
  act (fixture, "canvas.paste");
  spin (200);
  g_assert_cmpuint (weir_diagram_get_n_blocks (get_root (fixture)), ==, 7);
  weir_canvas_get_selected (fixture->canvas, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_nonnull (weir_diagram_find_block_by_name (get_root (fixture), "plant2"));
  act (fixture, "canvas.duplicate");
  g_assert_cmpuint (weir_diagram_get_n_blocks (get_root (fixture)), ==, 8);
  picture (fixture, "pasted");
}

static void
test_places (Fixture *fixture, gconstpointer data)
{
  guint n_changes = 0;

  g_signal_connect_swapped (fixture->canvas, "place-changed", G_CALLBACK (g_atomic_int_inc),
                            &n_changes);
  weir_canvas_select_block (fixture->canvas, EXAMPLE_PLANT);
  act (fixture, "canvas.enter");
  g_assert_cmpuint (weir_canvas_get_place (fixture->canvas).n_ids, ==, 1);
  g_assert_cmpuint (n_changes, ==, 1);
  picture (fixture, "inside");
  weir_canvas_select_block (fixture->canvas, EXAMPLE_INNER_GAIN);
  {
    g_autofree char *path = weir_canvas_get_selected_port (fixture->canvas);

    g_assert_cmpstr (path, ==, "plant.Gain.y");
  }
  act (fixture, "canvas.leave");
  g_assert_cmpuint (weir_canvas_get_selected_block (fixture->canvas), ==, EXAMPLE_PLANT);
  /* What is selected may be anywhere. */
  weir_canvas_select_wire (fixture->canvas, EXAMPLE_WIRE_OUT);
  g_assert_cmpuint (weir_canvas_get_place (fixture->canvas).n_ids, ==, 1);
  /* When the place goes, the canvas leaves it. */
  {
    g_autoptr (WeirPatch) patch = weir_patch_new ();

    weir_patch_remove_wire (patch, WEIR_PLACE_ROOT, EXAMPLE_WIRE_INTEGRATOR_PLANT);
    weir_patch_remove_wire (patch, WEIR_PLACE_ROOT, EXAMPLE_WIRE_PLANT_SCOPE);
    weir_patch_remove_wire (patch, WEIR_PLACE_ROOT, EXAMPLE_WIRE_FEEDBACK);
    weir_patch_remove_block (patch, WEIR_PLACE_ROOT, EXAMPLE_PLANT);
    g_assert_true (weir_document_edit (fixture->document, patch, "Remove", NULL, NULL));
  }
  g_assert_cmpuint (weir_canvas_get_place (fixture->canvas).n_ids, ==, 0);
  g_assert_cmpuint (n_changes, ==, 4);
}

static void
test_problems (Fixture *fixture, gconstpointer data)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "NET02", "Sum", EXAMPLE_SUM, 0, 0,
                        "Input in2 is not connected.");
  weir_diagnostics_add (diagnostics, WEIR_SEVERITY_WARNING, "X", "Gain", EXAMPLE_GAIN, 0, 0,
                        "Odd.");
  weir_diagnostics_add (diagnostics, WEIR_SEVERITY_HINT, "Y", "Scope", EXAMPLE_SCOPE, 0, 0,
                        "Fine.");
  weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "NET03", "", 0, EXAMPLE_WIRE_FEEDBACK, 0,
                        "Sizes differ.");
  weir_canvas_set_diagnostics (fixture->canvas, diagnostics);
  picture (fixture, "problems");
  gtk_test_accessible_assert_property (
      find_node (fixture, EXAMPLE_SUM), GTK_ACCESSIBLE_PROPERTY_LABEL,
      "Sum, Sum, input in1 from Gain.y, input in2 from plant.y, output y to Integrator.u. "
      "Input in2 is not connected.");
}

static GtkWidget *
find_part (GtkWidget *parent, const char *name)
{
  for (GtkWidget *child = gtk_widget_get_first_child (parent); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (WEIR_IS_PART_NODE (child)
        && gtk_test_accessible_check_property (GTK_ACCESSIBLE (child),
                                               GTK_ACCESSIBLE_PROPERTY_LABEL, name)
               == NULL)
      return child;
  return NULL;
}

/* Ports and wires are parts of the tree with their connections, state and problems, and follow
 * edits. */
static void
test_accessible_parts (Fixture *fixture, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (fixture->canvas), *wire;
  GtkWidget *sum = find_node (fixture, EXAMPLE_SUM);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  g_assert_nonnull (find_part (sum, "Sum: input in1 from Gain.y"));
  g_assert_nonnull (find_part (sum, "Sum: output y to Integrator.u"));
  wire = find_part (canvas, "Wire from plant.y to Sum.in2");
  g_assert_nonnull (wire);
  g_assert_cmpstr (
      gtk_test_accessible_check_state (GTK_ACCESSIBLE (wire), GTK_ACCESSIBLE_STATE_SELECTED, FALSE),
      ==, NULL);
  weir_canvas_select_wire (fixture->canvas, EXAMPLE_WIRE_FEEDBACK);
  g_assert_cmpstr (
      gtk_test_accessible_check_state (GTK_ACCESSIBLE (wire), GTK_ACCESSIBLE_STATE_SELECTED, TRUE),
      ==, NULL);
  gtk_widget_activate_action (canvas, "canvas.delete", NULL);
  g_assert_null (find_part (canvas, "Wire from plant.y to Sum.in2"));
  g_assert_nonnull (find_part (sum, "Sum: input in2 not connected"));
  weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "NET02", "Sum", EXAMPLE_SUM, 0, 0,
                        "Open.");
  weir_diagnostics_set_subject (diagnostics, "in2");
  weir_canvas_set_diagnostics (fixture->canvas, diagnostics);
  g_assert_nonnull (find_part (sum, "Sum: input in2 not connected. Open."));
}

static void
test_accessible (Fixture *fixture, gconstpointer data)
{
  GtkWidget *node = find_node (fixture, EXAMPLE_PLANT);

  gtk_test_accessible_assert_role (node, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (
      node, GTK_ACCESSIBLE_PROPERTY_LABEL,
      "plant, Subsystem, input u from Integrator.y, output y to Scope.in1 and Sum.in2");
  gtk_test_accessible_assert_property (GTK_WIDGET (fixture->canvas), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Diagram");
  /* Tab goes through the blocks as one reads them, then out. */
  xdo (fixture, "key Tab");
  g_assert_cmpuint (weir_canvas_get_selected_block (fixture->canvas), ==, EXAMPLE_SINE);
  xdo (fixture, "key Tab Tab");
  g_assert_cmpuint (weir_canvas_get_selected_block (fixture->canvas), ==, EXAMPLE_SUM);
  picture (fixture, "focused");
  xdo (fixture, "key shift+Tab");
  g_assert_cmpuint (weir_canvas_get_selected_block (fixture->canvas), ==, EXAMPLE_GAIN);
  gtk_test_accessible_assert_property (GTK_WIDGET (fixture->canvas),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "Gain selected");
  xdo (fixture, "key ctrl+Right ctrl+Right");
  g_assert_cmpuint (weir_canvas_get_selected_block (fixture->canvas), ==, EXAMPLE_INTEGRATOR);
}

static void
test_view (Fixture *fixture, gconstpointer data)
{
  WeirPoint before = at_block (fixture, EXAMPLE_SUM, 0.5, 0.5), after;
  double zoom = weir_canvas_get_zoom (fixture->canvas);

  drag (fixture, 2, (WeirPoint) { 100, 300 }, (WeirPoint) { 160, 330 });
  after = at_block (fixture, EXAMPLE_SUM, 0.5, 0.5);
  g_assert_cmpfloat_with_epsilon (after.x - before.x, 60, 1.5);
  g_assert_cmpfloat_with_epsilon (after.y - before.y, 30, 1.5);

  move_pointer (fixture, after);
  xdo (fixture, "keydown ctrl click 4 keyup ctrl");
  g_assert_cmpfloat_with_epsilon (weir_canvas_get_zoom (fixture->canvas), zoom * 1.25, 1e-9);
  before = at_block (fixture, EXAMPLE_SUM, 0.5, 0.5);
  g_assert_cmpfloat_with_epsilon (after.x, before.x, 2); /* stays under the pointer */

  xdo (fixture, "click 5");
  after = at_block (fixture, EXAMPLE_SUM, 0.5, 0.5);
  g_assert_cmpfloat (after.y, <, before.y - 20);
  xdo (fixture, "key space");
  g_assert_cmpfloat_with_epsilon (weir_canvas_get_zoom (fixture->canvas), zoom, 0.2);
  xdo (fixture, "key ctrl+0");
  g_assert_cmpfloat (weir_canvas_get_zoom (fixture->canvas), ==, 1);
}

static void
test_band_and_escape (Fixture *fixture, gconstpointer data)
{
  WeirPoint a = at_block (fixture, EXAMPLE_SINE, 0, 0), b = at_block (fixture, EXAMPLE_SUM, 1, 1);
  guint n_blocks, n_wires;

  move_pointer (fixture, (WeirPoint) { a.x - 12, a.y - 15 });
  xdo (fixture, "mousedown 1");
  move_pointer (fixture, (WeirPoint) { b.x + 14, b.y + 25 });
  picture (fixture, "band");
  xdo (fixture, "mouseup 1");
  weir_canvas_get_selected (fixture->canvas, &n_blocks);
  weir_canvas_get_selected_wires (fixture->canvas, &n_wires);
  g_assert_cmpuint (n_blocks, ==, 3);
  g_assert_cmpuint (n_wires, ==, 2);
  xdo (fixture, "key Escape");
  weir_canvas_get_selected (fixture->canvas, &n_blocks);
  g_assert_cmpuint (n_blocks, ==, 0);
}

static void
test_quick_insert (Fixture *fixture, gconstpointer data)
{
  picture (fixture, "empty");
  move_pointer (fixture, (WeirPoint) { 300, 200 });
  xdo (fixture, "click --repeat 2 --delay 60 1");
  spin (300);
  xdo (fixture, "type --delay 20 integ");
  spin (300);
  screen_picture ("quick-insert");
  xdo (fixture, "key Return");
  spin (200);
  g_assert_cmpuint (weir_diagram_get_n_blocks (get_root (fixture)), ==, 1);
  g_assert_nonnull (weir_diagram_find_block_by_name (get_root (fixture), "Integrator"));
  g_assert_cmpuint (weir_canvas_get_selected_block (fixture->canvas), !=, 0);
  /* The keys are the canvas's again. */
  xdo (fixture, "key ctrl+d");
  g_assert_cmpuint (weir_diagram_get_n_blocks (get_root (fixture)), ==, 2);
  weir_canvas_add_block (fixture->canvas, "Scope");
  g_assert_cmpuint (weir_diagram_get_n_blocks (get_root (fixture)), ==, 3);
  g_assert_cmpuint (weir_canvas_add_block (fixture->canvas, "NoSuchType"), ==, 0);
  picture (fixture, "inserted");
}

static void
test_rename (Fixture *fixture, gconstpointer data)
{
  click (fixture, at_block (fixture, EXAMPLE_GAIN, 0.4, 0.3));
  xdo (fixture, "key F2");
  spin (200);
  xdo (fixture, "key ctrl+a");
  xdo (fixture, "type --delay 20 Scope");
  spin (100);
  screen_picture ("rename");
  xdo (fixture, "key Return"); /* taken: refused */
  g_assert_nonnull (weir_diagram_find_block_by_name (get_root (fixture), "Gain"));
  xdo (fixture, "type --delay 20 Two");
  xdo (fixture, "key Return");
  g_assert_nonnull (weir_diagram_find_block_by_name (get_root (fixture), "ScopeTwo"));
}

static void
test_menu (Fixture *fixture, gconstpointer data)
{
  move_pointer (fixture, at_block (fixture, EXAMPLE_PLANT, 0.5, 0.3));
  xdo (fixture, "click 3");
  spin (300);
  g_assert_cmpuint (weir_canvas_get_selected_block (fixture->canvas), ==, EXAMPLE_PLANT);
  screen_picture ("menu");
  xdo (fixture, "key Escape");
  spin (100);
}

static void
keep_path (WeirCanvas *canvas, const char *path, char **kept)
{
  g_free (*kept);
  *kept = g_strdup (path);
}

static void
test_plot_port (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;

  g_signal_connect (fixture->canvas, "plot-port", G_CALLBACK (keep_path), &path);
  weir_canvas_select_wire (fixture->canvas, EXAMPLE_WIRE_FEEDBACK);
  act (fixture, "canvas.plot-port");
  g_assert_cmpstr (path, ==, "plant.y");
  weir_canvas_select_block (fixture->canvas, EXAMPLE_SINE);
  act (fixture, "canvas.plot-port");
  g_assert_cmpstr (path, ==, "reference.y");
}

static void
test_branch (Fixture *fixture, gconstpointer data)
{
  WeirPoint wire, to;

  weir_canvas_select_wire (fixture->canvas, EXAMPLE_WIRE_FEEDBACK);
  act (fixture, "canvas.delete");
  to = at_block (fixture, EXAMPLE_SUM, 0.5, 1);
  wire = at_block (fixture, EXAMPLE_PLANT, 1, 0.5);
  wire.x += 20;
  drag (fixture, 3, wire, to);
  g_assert_cmpstr (weir_document_get_undo_label (fixture->document), ==, "Connect plant to Sum");
}

int
main (int argc, char **argv)
{
  init_canvas_test (&argc, &argv);
#define ADD(path, set, test) g_test_add (path, Fixture, NULL, set, test, tear_down)
  ADD ("/canvas/widget/pictures", set_up, test_pictures);
  ADD ("/canvas/widget/move", set_up, test_move);
  ADD ("/canvas/widget/wire", set_up, test_wire);
  ADD ("/canvas/widget/wire-by-keyboard", set_up, test_wire_by_keyboard);
  ADD ("/canvas/widget/branch", set_up, test_branch);
  ADD ("/canvas/widget/delete-takes-wires", set_up, test_delete_takes_wires);
  ADD ("/canvas/widget/nudge-merges", set_up, test_nudge_merges);
  ADD ("/canvas/widget/clipboard", set_up, test_clipboard);
  ADD ("/canvas/widget/places", set_up, test_places);
  ADD ("/canvas/widget/problems", set_up, test_problems);
  ADD ("/canvas/widget/accessible", set_up, test_accessible);
  ADD ("/canvas/widget/accessible-parts", set_up, test_accessible_parts);
  ADD ("/canvas/widget/view", set_up, test_view);
  ADD ("/canvas/widget/band-and-escape", set_up, test_band_and_escape);
  ADD ("/canvas/widget/quick-insert", set_up_empty, test_quick_insert);
  ADD ("/canvas/widget/rename", set_up, test_rename);
  ADD ("/canvas/widget/menu", set_up, test_menu);
  ADD ("/canvas/widget/plot-port", set_up, test_plot_port);
  return g_test_run ();
}

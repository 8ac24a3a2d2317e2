/* The canvas in the whole program: gestures and keys as the X server delivers them. */
#include "driver.h"

#include "blocks/registry.h"
#include "canvas/picker.h"

static WeirPoint
on_canvas (WeirWindow *window, double x, double y)
{
  WeirPoint pixel = weir_viewport_to_pixel (&window->canvas->viewport, (WeirPoint) { x, y });

  return on_screen (GTK_WIDGET (window->canvas), pixel.x, pixel.y);
}

static const WeirDiagram *
shown_diagram (WeirWindow *window)
{
  return weir_scene_get_diagram (window->canvas->scene);
}

static const char *
undo_label (WeirWindow *window)
{
  return weir_document_get_undo_label (window->document);
}

static guint32
source_of (WeirWindow *window, const char *block, const char *port)
{
  guint32 id = weir_block_get_id (find_block (window, block));

  for (guint i = 0; i < weir_scene_get_n_wires (window->canvas->scene); i++)
    {
      WeirWire *wire = weir_scene_get_wire (window->canvas->scene, i)->wire;
      WeirWireEnd to = weir_wire_get_to (wire);

      if (to.block == id && g_strcmp0 (to.port, port) == 0)
        return weir_wire_get_from (wire).block;
    }
  return 0;
}

/* Sine -> Gain -> Scope, built with the keyboard alone: insert by name, walk, wire. */
static WeirWindow *
open_chain (void)
{
  static const char *const types[] = { "Sine", "Gain", "Scope" };
  WeirWindow *window = window_open ();
  WeirPatch *patch = weir_patch_new ();
  guint32 id = 1;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++, id++)
    {
      g_autoptr (WeirBlock) block
          = weir_block_new (id, types[i], types[i], (WeirPoint) { 140.0 * i, 0 });

      weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
    }
  for (guint i = 0; i < 2; i++, id++)
    {
      g_autoptr (WeirWire) wire
          = weir_wire_new (id, (WeirWireEnd) { .block = i + 1, .port = "y" },
                           (WeirWireEnd) { .block = i + 2, .port = i == 0 ? "u" : "in1" }, NULL, 0);

      weir_patch_set_wire (patch, WEIR_PLACE_ROOT, wire);
    }
  g_assert_true (weir_document_edit (window->document, patch, "Chain", NULL, NULL));
  weir_patch_free (patch);
  gtk_widget_activate_action (GTK_WIDGET (window->canvas), "canvas.zoom-100", NULL);
  weir_viewport_center_on (&window->canvas->viewport, (WeirPoint) { 170, 90 });
  weir_canvas_view_changed (window->canvas);
  click_canvas (window);
  return window;
}

/* --- Wires ----------------------------------------------------------------------------------------------- */

static void
test_insert_and_heal (void)
{
  WeirWindow *window = open_chain ();
  guint32 id = weir_canvas_insert (window->canvas, "Integrator", (WeirPoint) { 100, 160 }, FALSE);

  spin (500); /* or it is a double click */
  click_canvas (window);
  point_at (on_canvas (window, 100, 165));
  press_button (1, TRUE);
  point_at (on_canvas (window, 110, 100));
  point_at (on_canvas (window, 100, 34));
  picture ("50-insert-into-wire");
  g_assert_cmpuint (weir_tool_get_insert_wire (window->canvas->tool), ==, 4);
  press_button (1, FALSE);
  g_assert_cmpstr (undo_label (window), ==, "Insert Integrator into wire");
  g_assert_cmpuint (source_of (window, "Gain", "u"), ==, id);
  key ("Delete");
  g_assert_cmpuint (source_of (window, "Gain", "u"), ==, 1);
  key ("<Control>z");
  key ("<Control>z");
  g_assert_cmpuint (source_of (window, "Gain", "u"), ==, 1);
  window_close (window);
}

/* A wire let go where nothing is: a list of what it could end at; typed, chosen, wired. */
static void
test_offer (void)
{
  WeirWindow *window = open_chain ();
  const WeirBlock *added;

  drag (on_canvas (window, 60, 30), on_canvas (window, 140, 150));
  picture ("51-offer");
  type_text ("integ");
  spin (300);
  key ("Return");
  spin (100);
  g_assert_cmpstr (undo_label (window), ==, "Add Integrator");
  added = find_block (window, "Integrator");
  g_assert_cmpuint (source_of (window, "Integrator", "u"), ==, 1);
  g_assert_cmpuint (weir_canvas_get_selected_block (window->canvas), ==, weir_block_get_id (added));

  /* Or left loose, and taken up again. */
  key ("<Control>z");
  drag (on_canvas (window, 60, 30), on_canvas (window, 140, 150));
  for (guint i = 0; i < weir_registry_get_n_types () + 1; i++)
    key ("Down");
  key ("Return");
  spin (100);
  g_assert_cmpstr (undo_label (window), ==, "Add loose wire");
  picture ("52-loose-wire");
  key ("Escape");
  drag (on_canvas (window, 140, 150), on_canvas (window, 280, 30)); /* refused: it is taken */
  g_assert_cmpstr (undo_label (window), ==, "Add loose wire");
  drag (on_canvas (window, 140, 150), on_canvas (window, 200, 170));
  g_assert_cmpstr (undo_label (window), ==, "Disconnect wire");
  window_close (window);
}

static void
test_refused (void)
{
  WeirWindow *window = open_chain ();

  point_at (on_canvas (window, 60, 30));
  press_button (1, TRUE);
  point_at (on_canvas (window, 200, 100));
  point_at (on_canvas (window, 278, 32));
  g_assert_nonnull (weir_tool_get_refusal (window->canvas->tool));
  picture ("53-refused");
  /* Zooming meanwhile keeps the wire; so does panning. */
  XTestFakeKeyEvent (x_display (), XKeysymToKeycode (x_display (), GDK_KEY_Control_L), True, CurrentTime);
  press_button (5, TRUE);
  press_button (5, FALSE);
  XTestFakeKeyEvent (x_display (), XKeysymToKeycode (x_display (), GDK_KEY_Control_L), False, CurrentTime);
  settle ();
  g_assert_cmpfloat (weir_canvas_get_zoom (window->canvas), <, 1);
  press_button (4, TRUE);
  press_button (4, FALSE);
  g_assert_cmpint (weir_tool_get_state (window->canvas->tool), ==, WEIR_TOOL_WIRING);
  key ("Escape");
  press_button (1, FALSE);
  g_assert_cmpint (weir_tool_get_state (window->canvas->tool), ==, WEIR_TOOL_IDLE);
  window_close (window);
}

/* By keyboard alone: a wire is selected, labelled, bent, moved to another port. */
static void
test_wire_by_keyboard (void)
{
  WeirWindow *window = open_chain ();
  guint n;

  weir_canvas_insert (window->canvas, "Scope", (WeirPoint) { 330, 160 }, FALSE);
  spin (500); /* or it is a double click */
  click_canvas (window);
  key ("Tab");
  key ("Tab");
  g_assert_cmpuint (weir_canvas_get_selected_block (window->canvas), ==, 2);
  key ("w");
  key ("w");
  g_assert_cmpuint (weir_canvas_get_selected_wires (window->canvas, &n)[0], ==, 5);
  key ("F2");
  spin (100);
  type_text ("force");
  key ("Return");
  spin (100);
  g_assert_cmpstr (weir_wire_get_label (weir_diagram_find_wire (root_diagram (window), 5)), ==, "force");
  key ("Down");
  key ("Down");
  g_assert_cmpstr (undo_label (window), ==, "Bend wire");
  picture ("54-labelled-and-bent");
  key ("e");
  key ("Tab");
  picture ("55-reconnect-by-keyboard");
  key ("Return");
  g_assert_cmpstr (undo_label (window), ==, "Reconnect wire");
  g_assert_cmpuint (source_of (window, "Scope2", "in1"), ==, 2);
  g_assert_cmpuint (source_of (window, "Scope", "in1"), ==, 0);
  window_close (window);
}

/* --- Arranging --------------------------------------------------------------------------------------------- */

static void
test_guides_and_resize (void)
{
  WeirWindow *window = open_chain ();
  WeirPoint corner;
  WeirRect box;
  guint n;

  point_at (on_canvas (window, 310, 25));
  press_button (1, TRUE);
  point_at (on_canvas (window, 250, 100));
  point_at (on_canvas (window, 172, 148));
  weir_tool_get_guides (window->canvas->tool, &n);
  g_assert_cmpuint (n, >, 0);
  picture ("56-guides");
  press_button (1, FALSE);
  g_assert_cmpfloat (weir_block_get_position (find_block (window, "Scope")).x, ==, 140);

  g_assert_true (weir_tool_get_handles (window->canvas->tool, &box));
  corner = (WeirPoint) { box.x + box.width, box.y + box.height };
  drag (on_canvas (window, corner.x, corner.y), on_canvas (window, corner.x + 58, corner.y + 22));
  g_assert_cmpstr (undo_label (window), ==, "Resize Scope");
  g_assert_cmpfloat (weir_block_get_size (find_block (window, "Scope")).x, ==, 120);
  key ("<Control><Shift>Down");
  g_assert_cmpfloat (weir_block_get_size (find_block (window, "Scope")).y, ==, 100);
  picture ("57-resized");
  window_close (window);
}

static void
test_arrange (void)
{
  WeirWindow *window = open_chain ();

  drag (on_canvas (window, 170, 20), on_canvas (window, 170, 120));
  key ("<Control>a");
  key ("<Shift>b");
  g_assert_cmpstr (undo_label (window), ==, "Align bottom");
  g_assert_cmpfloat (weir_block_get_position (find_block (window, "Sine")).y, ==,
                     weir_block_get_position (find_block (window, "Gain")).y);
  key ("<Control>z");
  key ("<Control><Shift>l");
  g_assert_cmpstr (undo_label (window), ==, "Tidy up");
  picture ("58-tidy");
  window_close (window);
}

/* --- Hierarchy, modes ------------------------------------------------------------------------------------------ */

static void
test_group (void)
{
  WeirWindow *window = open_chain ();

  click_at (on_canvas (window, 160, 20));
  key ("<Control>g");
  g_assert_cmpstr (undo_label (window), ==, "Group 1 block");
  picture ("59-grouped");
  key ("Return");
  g_assert_cmpuint (weir_diagram_get_n_blocks (shown_diagram (window)), ==, 3);
  picture ("60-inside-the-group");
  key ("<Alt>Up");
  key ("<Alt>Left"); /* back inside */
  g_assert_cmpuint (weir_canvas_get_place (window->canvas).n_ids, ==, 1);
  key ("<Alt>Right");
  g_assert_cmpuint (weir_canvas_get_place (window->canvas).n_ids, ==, 0);
  key ("<Alt>Left");
  key ("<Alt>Up");
  key ("<Control><Shift>g");
  g_assert_cmpstr (undo_label (window), ==, "Expand Subsystem");
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (window)), ==, 3);
  window_close (window);
}

static void
test_modes_and_colors (void)
{
  WeirWindow *window = open_chain ();
  AdwStyleManager *style = adw_style_manager_get_default ();

  click_at (on_canvas (window, 160, 20));
  key ("<Control><Shift>x");
  g_assert_cmpint (weir_block_get_mode (find_block (window, "Gain")), ==, WEIR_BLOCK_COMMENTED_OUT);
  key ("<Control><Shift>y");
  g_assert_cmpint (weir_block_get_mode (find_block (window, "Gain")), ==, WEIR_BLOCK_PASSED_THROUGH);
  key ("<Control><Shift>y");
  g_assert_cmpint (weir_block_get_mode (find_block (window, "Gain")), ==, WEIR_BLOCK_ACTIVE);
  key ("<Control><Shift>x");
  click_at (on_canvas (window, 30, 20));
  key ("<Control><Shift>y");
  click_at (on_canvas (window, 310, 20));
  key ("<Control><Shift>p");
  type_text ("color gre");
  spin (300);
  picture ("61-commands");
  key ("Return");
  spin (100);
  g_assert_cmpint (weir_block_get_tint (find_block (window, "Scope")), ==, WEIR_TINT_GREEN);
  /* A frame round two blocks, named as it is made; a note. */
  key ("<Control>a");
  key ("<Shift>n");
  spin (150);
  type_text ("Plant");
  key ("<Control>Return");
  spin (100);
  g_assert_cmpuint (weir_diagram_get_n_notes (root_diagram (window)), ==, 1);
  gtk_widget_activate_action (GTK_WIDGET (window->canvas), "canvas.tint", "s", "blue");
  click_canvas (window);
  point_at (on_canvas (window, 20, 160));
  key ("n");
  spin (150);
  type_text ("check the gain");
  key ("<Control>Return");
  spin (100);
  g_assert_cmpuint (weir_diagram_get_n_notes (root_diagram (window)), ==, 2);
  gtk_widget_activate_action (GTK_WIDGET (window->canvas), "canvas.tint", "s", "yellow");
  click_canvas (window);
  picture ("62-frame-and-note");
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  picture ("63-frame-and-note-dark");
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_DEFAULT);
  window_close (window);
}

/* --- Finding, overview -------------------------------------------------------------------------------------------- */

static void
test_find (void)
{
  WeirWindow *window = window_open_example ("nested.weir");
  GtkWidget *picker;

  click_canvas (window);
  key ("<Control>f");
  spin (100);
  type_text ("gain");
  spin (300);
  picture ("64-find");
  picker = find_of_type (GTK_WIDGET (window->canvas), GTK_TYPE_POPOVER);
  g_assert_true (gtk_widget_get_mapped (picker));
  key ("Return");
  spin (100);
  g_assert_cmpuint (weir_canvas_get_selected_block (window->canvas), !=, 0);
  {
    const WeirBlockShape *shape = weir_scene_find_block (
        window->canvas->scene, weir_canvas_get_selected_block (window->canvas));

    g_assert_nonnull (shape);
    g_assert_true (g_str_has_prefix (weir_block_get_type_name (shape->block), "Gain")
                   || strcasestr (weir_block_get_name (shape->block), "gain") != NULL);
  }
  window_close (window);
}

/* All without the mouse: two blocks chosen, grouped; a note reached and removed; F3 goes on searching. */
static void
test_keyboard_only (void)
{
  WeirWindow *window = open_chain ();
  guint n;

  gtk_widget_grab_focus (GTK_WIDGET (window->canvas));
  key ("Tab");
  key ("x");
  key ("Tab");
  weir_canvas_get_selected (window->canvas, &n);
  g_assert_cmpuint (n, ==, 2);
  key ("<Control>g");
  g_assert_cmpstr (undo_label (window), ==, "Group 2 blocks");
  key ("Escape");
  key ("n");
  spin (150);
  type_text ("note on gain");
  key ("<Control>Return");
  spin (100);
  key ("Escape");
  key ("t");
  g_assert_cmpuint (weir_canvas_get_elements (window->canvas).n_notes, ==, 1);
  key ("<Control>f");
  spin (100);
  type_text ("gain");
  key ("Return");
  spin (100);
  g_assert_cmpuint (weir_canvas_get_place (window->canvas).n_ids, ==, 1); /* the block, inside */
  key ("F3");
  g_assert_cmpuint (weir_canvas_get_place (window->canvas).n_ids, ==, 0); /* the note */
  g_assert_cmpuint (weir_canvas_get_elements (window->canvas).n_notes, ==, 1);
  key ("<Shift>F3");
  g_assert_cmpuint (weir_canvas_get_place (window->canvas).n_ids, ==, 1);
  key ("F3");
  key ("Delete");
  g_assert_cmpuint (weir_diagram_get_n_notes (root_diagram (window)), ==, 0);
  window_close (window);
}

/* Dragging to the edge scrolls on while the pointer rests there; a wire follows. */
static void
test_scroll_at_edge (void)
{
  WeirWindow *window = open_chain ();
  double before = window->canvas->viewport.offset.x;
  double width = gtk_widget_get_width (GTK_WIDGET (window->canvas));

  point_at (on_canvas (window, 60, 30));
  press_button (1, TRUE);
  point_at (on_canvas (window, 200, 120));
  point_at (on_screen (GTK_WIDGET (window->canvas), width - 6, 120));
  wait_for (window->canvas->viewport.offset.x < before - 40);
  g_assert_cmpint (weir_tool_get_state (window->canvas->tool), ==, WEIR_TOOL_WIRING);
  key ("Escape");
  press_button (1, FALSE);
  window_close (window);
}

/* A model of several levels, in disorder, tidied level by level. */
static void
test_tidy_example (void)
{
  WeirWindow *window = window_open_example ("nested.weir");

  click_canvas (window);
  key ("<Control><Shift>l");
  picture ("66-tidy-example");
  weir_canvas_select_block (window->canvas,
                            weir_block_get_id (weir_model_find_path (
                                weir_document_get_model (window->document), "Servo.Plant.Acceleration")));
  key ("<Control><Shift>l");
  picture ("67-tidy-inside");
  for (guint i = 0; i < weir_scene_get_n_blocks (window->canvas->scene); i++)
    for (guint k = 0; k < i; k++)
      g_assert_false (
          weir_rect_intersects (weir_scene_get_block (window->canvas->scene, i)->box,
                                weir_scene_get_block (window->canvas->scene, k)->box));
  window_close (window);
}

/* The overview shows up when not everything can be seen, and a click there goes there. */
static void
test_minimap (void)
{
  WeirWindow *window = open_chain ();
  GtkWidget *minimap = window->canvas->minimap;
  WeirRect visible;
  WeirPoint middle;

  g_assert_false (gtk_widget_get_mapped (minimap));
  for (int i = 0; i < 5; i++)
    key ("<Control>plus");
  spin (100);
  g_assert_true (gtk_widget_get_mapped (minimap));
  picture ("65-overview");
  click_at (on_screen (minimap, WEIR_MINIMAP_WIDTH - 30, WEIR_MINIMAP_HEIGHT / 2.0));
  visible = weir_viewport_get_visible (&window->canvas->viewport);
  middle = weir_rect_get_center (visible);
  g_assert_cmpfloat (middle.x, >, 250); /* near the Scope */
  key ("m");
  spin (50);
  g_assert_false (gtk_widget_get_mapped (minimap));
  key ("m");
  key ("space");
  spin (50);
  g_assert_false (gtk_widget_get_mapped (minimap)); /* all can be seen */
  window_close (window);
}

/* A model dropped on a diagram becomes part of it, as one undo step; what is no model changes nothing. */
static void
test_import (void)
{
  WeirWindow *window = window_open_example ("counter.weir");
  g_autoptr (GFile) file = example_file ("pendulum.weir");
  g_autoptr (GFile) none = example_file ("no-such.weir");
  guint before = weir_diagram_get_n_blocks (root_diagram (window)), n;

  g_assert_true (weir_canvas_import_file (window->canvas, file, (WeirPoint) { 600, 600 }));
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (window)), ==, before + 4);
  g_assert_cmpstr (weir_block_get_type_name (find_block (window, "Pendulum")), ==, "Pendulum");
  weir_canvas_get_selected (window->canvas, &n);
  g_assert_cmpuint (n, ==, 4);
  g_assert_cmpstr (weir_document_get_undo_label (window->document), ==, "Insert pendulum.weir");
  weir_document_undo (window->document);
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (window)), ==, before);
  g_assert_false (weir_document_get_modified (window->document));
  g_assert_false (weir_canvas_import_file (window->canvas, none, (WeirPoint) { 0, 0 }));
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (window)), ==, before);
  window_close (window);
}

/* A formula as one types it: told what is wrong while it is unfinished, shown when it makes sense, drawn and found
 * in the diagram, and edited as text again. */
static void
test_formula (void)
{
  WeirWindow *window = open_chain ();
  GtkWidget *hint, *preview;
  WeirRect box;
  WeirNote *note;
  guint n;

  key ("n");
  spin (200);
  type_text ("w = $\\sqrt{\\frac{k}$");
  hint = find_named (GTK_WIDGET (window->canvas), "note-hint");
  preview = find_named (GTK_WIDGET (window->canvas), "note-preview");
  g_assert_true (gtk_widget_has_css_class (hint, "error"));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (hint)), "\\frac{a}{b}"));
  g_assert_false (gtk_widget_get_mapped (preview));
  picture ("64-formula-unfinished");
  key ("BackSpace");
  type_text ("{m}}$");
  spin (100);
  g_assert_false (gtk_widget_has_css_class (hint, "error"));
  g_assert_true (gtk_widget_get_mapped (preview));
  g_assert_cmpint (gtk_widget_get_height (preview), >, 20);
  picture ("65-formula-preview");
  key ("<Control>Return");
  spin (200);
  n = weir_diagram_get_n_notes (root_diagram (window));
  g_assert_cmpuint (n, ==, 1);
  note = weir_diagram_find_note (root_diagram (window),
                                 weir_canvas_get_elements (window->canvas).notes[0]);
  g_assert_cmpstr (weir_note_get_text (note), ==, "w = $\\sqrt{\\frac{k}{m}}$");
  box = weir_scene_get_note_box (note);
  g_assert_cmpfloat (box.height, >, 24); /* taller than a line of text */
  picture ("66-formula");
  key ("F2");
  spin (200);
  type_text ("$x^2$"); /* all of it was selected */
  key ("<Control>Return");
  spin (100);
  note = weir_diagram_find_note (root_diagram (window),
                                 weir_canvas_get_elements (window->canvas).notes[0]);
  g_assert_cmpstr (weir_note_get_text (note), ==, "$x^2$");
  key ("<Control>z");
  key ("<Control>z");
  g_assert_cmpuint (weir_diagram_get_n_notes (root_diagram (window)), ==, 0);
  window_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/canvas/insert-and-heal", test_insert_and_heal);
  g_test_add_func ("/window/canvas/offer", test_offer);
  g_test_add_func ("/window/canvas/refused", test_refused);
  g_test_add_func ("/window/canvas/wire-by-keyboard", test_wire_by_keyboard);
  g_test_add_func ("/window/canvas/guides-and-resize", test_guides_and_resize);
  g_test_add_func ("/window/canvas/arrange", test_arrange);
  g_test_add_func ("/window/canvas/group", test_group);
  g_test_add_func ("/window/canvas/modes-and-colors", test_modes_and_colors);
  g_test_add_func ("/window/canvas/find", test_find);
  g_test_add_func ("/window/canvas/formula", test_formula);
  g_test_add_func ("/window/canvas/minimap", test_minimap);
  g_test_add_func ("/window/canvas/keyboard-only", test_keyboard_only);
  g_test_add_func ("/window/canvas/scroll-at-edge", test_scroll_at_edge);
  g_test_add_func ("/window/canvas/tidy-example", test_tidy_example);
  g_test_add_func ("/window/canvas/import", test_import);
  return driver_main ();
}

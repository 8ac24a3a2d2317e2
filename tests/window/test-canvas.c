/* The canvas in the whole program: gestures and keys as the X server delivers them. */
#include "driver.h"

#include "blocks/library/registry.h"
#include "canvas/widget/picker.h"

static WeirPoint
on_canvas (WeirEditor *editor, double x, double y)
{
  WeirPoint pixel = weir_viewport_to_pixel (&editor->canvas->viewport, (WeirPoint) { x, y });

  return on_screen (GTK_WIDGET (editor->canvas), pixel.x, pixel.y);
}

static const WeirDiagram *
shown_diagram (WeirEditor *editor)
{
  return weir_scene_get_diagram (editor->canvas->scene);
}

static const char *
undo_label (WeirEditor *editor)
{
  return weir_document_get_undo_label (editor->document);
}

static guint32
source_of (WeirEditor *editor, const char *block, const char *port)
{
  guint32 id = weir_block_get_id (find_block (editor, block));

  for (guint i = 0; i < weir_scene_get_n_wires (editor->canvas->scene); i++)
    {
      WeirWire *wire = weir_scene_get_wire (editor->canvas->scene, i)->wire;
      WeirWireEnd to = weir_wire_get_to (wire);

      if (to.block == id && g_strcmp0 (to.port, port) == 0)
        return weir_wire_get_from (wire).block;
    }
  return 0;
}

/* Sine -> Gain -> Scope, built with the keyboard alone: insert by name, walk, wire. */
static WeirEditor *
open_chain (void)
{
  static const char *const types[] = { "Sine", "Gain", "Scope" };
  WeirEditor *editor = editor_open ();
  WeirPatch *patch = weir_patch_new ();
  guint32 id = 1;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++, id++)
    {
      g_autoptr (WeirBlock)
          block = weir_block_new (id, types[i], types[i], (WeirPoint) { 140.0 * i, 0 });

      weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
    }
  for (guint i = 0; i < 2; i++, id++)
    {
      g_autoptr (WeirWire) wire = weir_wire_new (
          id, (WeirWireEnd) { .block = i + 1, .port = "y" },
          (WeirWireEnd) { .block = i + 2, .port = i == 0 ? "u" : "in1" }, NULL, 0);

      weir_patch_set_wire (patch, WEIR_PLACE_ROOT, wire);
    }
  g_assert_true (weir_document_edit (editor->document, patch, "Chain", NULL, NULL));
  weir_patch_free (patch);
  gtk_widget_activate_action (GTK_WIDGET (editor->canvas), "canvas.zoom-100", NULL);
  weir_viewport_center_on (&editor->canvas->viewport, (WeirPoint) { 170, 90 });
  weir_canvas_view_changed (editor->canvas);
  click_canvas (editor);
  return editor;
}

/* --- Wires ----------------------------------------------------------------------------------- */

static void
test_insert_and_heal (void)
{
  WeirEditor *editor = open_chain ();
  guint32 id = weir_canvas_insert (editor->canvas, "Integrator", (WeirPoint) { 100, 160 }, FALSE);

  spin (500); /* or it is a double click */
  click_canvas (editor);
  point_at (on_canvas (editor, 100, 165));
  send_button (1, TRUE);
  point_at (on_canvas (editor, 110, 100));
  point_at (on_canvas (editor, 100, 34));
  picture ("50-insert-into-wire");
  g_assert_cmpuint (weir_tool_get_insert_wire (editor->canvas->tool), ==, 4);
  press_button (1, FALSE);
  g_assert_cmpstr (undo_label (editor), ==, "Insert Integrator into wire");
  g_assert_cmpuint (source_of (editor, "Gain", "u"), ==, id);
  key ("Delete");
  g_assert_cmpuint (source_of (editor, "Gain", "u"), ==, 1);
  key ("<Control>z");
  key ("<Control>z");
  g_assert_cmpuint (source_of (editor, "Gain", "u"), ==, 1);
  editor_close (editor);
}

/* A wire let go where nothing is: a list of what it could end at; typed, chosen, wired. */
static void
test_offer (void)
{
  WeirEditor *editor = open_chain ();
  const WeirBlock *added;

  drag (on_canvas (editor, 60, 30), on_canvas (editor, 140, 150));
  picture ("51-offer");
  type_text ("integ");
  spin (300);
  key ("Return");
  spin (100);
  g_assert_cmpstr (undo_label (editor), ==, "Add Integrator");
  added = find_block (editor, "Integrator");
  g_assert_cmpuint (source_of (editor, "Integrator", "u"), ==, 1);
  g_assert_cmpuint (weir_canvas_get_selected_block (editor->canvas), ==, weir_block_get_id (added));

  /* Or left loose, and taken up again. */
  key ("<Control>z");
  drag (on_canvas (editor, 60, 30), on_canvas (editor, 140, 150));
  for (guint i = 0; i < weir_registry_get_n_types () + 1; i++)
    key ("Down");
  key ("Return");
  spin (100);
  g_assert_cmpstr (undo_label (editor), ==, "Add loose wire");
  picture ("52-loose-wire");
  key ("Escape");
  drag (on_canvas (editor, 140, 150), on_canvas (editor, 140, 30)); /* refused: it is taken */
  g_assert_cmpstr (undo_label (editor), ==, "Add loose wire");
  drag (on_canvas (editor, 140, 150), on_canvas (editor, 200, 170));
  g_assert_cmpstr (undo_label (editor), ==, "Disconnect wire");
  editor_close (editor);
}

static void
test_refused (void)
{
  WeirEditor *editor = open_chain ();

  point_at (on_canvas (editor, 60, 30));
  send_button (1, TRUE);
  point_at (on_canvas (editor, 200, 100));
  point_at (on_canvas (editor, 138, 32));
  g_assert_nonnull (weir_tool_get_refusal (editor->canvas->tool));
  picture ("53-refused");
  /* Zooming meanwhile keeps the wire; so does panning. */
  XTestFakeKeyEvent (x_display (), XKeysymToKeycode (x_display (), GDK_KEY_Control_L), True,
                     CurrentTime);
  press_button (5, TRUE);
  press_button (5, FALSE);
  XTestFakeKeyEvent (x_display (), XKeysymToKeycode (x_display (), GDK_KEY_Control_L), False,
                     CurrentTime);
  settle ();
  g_assert_cmpfloat (weir_canvas_get_zoom (editor->canvas), <, 1);
  press_button (4, TRUE);
  press_button (4, FALSE);
  g_assert_cmpint (weir_tool_get_state (editor->canvas->tool), ==, WEIR_TOOL_WIRING);
  key ("Escape");
  press_button (1, FALSE);
  g_assert_cmpint (weir_tool_get_state (editor->canvas->tool), ==, WEIR_TOOL_IDLE);
  editor_close (editor);
}

/* By keyboard alone: a wire is selected, labelled, bent, moved to another port. */
static void
test_wire_by_keyboard (void)
{
  WeirEditor *editor = open_chain ();
  guint n;

  weir_canvas_insert (editor->canvas, "Scope", (WeirPoint) { 330, 160 }, FALSE);
  spin (500); /* or it is a double click */
  click_canvas (editor);
  key ("Tab");
  key ("Tab");
  g_assert_cmpuint (weir_canvas_get_selected_block (editor->canvas), ==, 2);
  key ("w");
  key ("w");
  g_assert_cmpuint (weir_canvas_get_selected_wires (editor->canvas, &n)[0], ==, 5);
  key ("F2");
  spin (100);
  type_text ("force");
  key ("Return");
  spin (100);
  g_assert_cmpstr (weir_wire_get_label (weir_diagram_find_wire (root_diagram (editor), 5)), ==,
                   "force");
  key ("Down");
  key ("Down");
  g_assert_cmpstr (undo_label (editor), ==, "Bend wire");
  picture ("54-labelled-and-bent");
  key ("e");
  key ("Tab");
  picture ("55-reconnect-by-keyboard");
  key ("Return");
  g_assert_cmpstr (undo_label (editor), ==, "Reconnect wire");
  g_assert_cmpuint (source_of (editor, "Scope2", "in1"), ==, 2);
  g_assert_cmpuint (source_of (editor, "Scope", "in1"), ==, 0);
  editor_close (editor);
}

/* --- Arranging ------------------------------------------------------------------------------- */

static void
test_guides_and_resize (void)
{
  WeirEditor *editor = open_chain ();
  WeirPoint corner;
  WeirRect box;
  guint n;

  point_at (on_canvas (editor, 310, 25));
  send_button (1, TRUE);
  point_at (on_canvas (editor, 250, 100));
  point_at (on_canvas (editor, 172, 148));
  weir_tool_get_guides (editor->canvas->tool, &n);
  g_assert_cmpuint (n, >, 0);
  picture ("56-guides");
  press_button (1, FALSE);
  g_assert_cmpfloat (weir_block_get_position (find_block (editor, "Scope")).x, ==, 140);

  g_assert_true (weir_tool_get_handles (editor->canvas->tool, &box));
  corner = (WeirPoint) { box.x + box.width, box.y + box.height };
  drag (on_canvas (editor, corner.x, corner.y), on_canvas (editor, corner.x + 58, corner.y + 22));
  g_assert_cmpstr (undo_label (editor), ==, "Resize Scope");
  g_assert_cmpfloat (weir_block_get_size (find_block (editor, "Scope")).x, ==, 120);
  key ("<Control><Shift>Down");
  g_assert_cmpfloat (weir_block_get_size (find_block (editor, "Scope")).y, ==, 100);
  picture ("57-resized");
  editor_close (editor);
}

static void
test_arrange (void)
{
  WeirEditor *editor = open_chain ();

  drag (on_canvas (editor, 170, 20), on_canvas (editor, 170, 120));
  key ("<Control>a");
  key ("<Shift>b");
  g_assert_cmpstr (undo_label (editor), ==, "Align bottom");
  g_assert_cmpfloat (weir_block_get_position (find_block (editor, "Sine")).y, ==,
                     weir_block_get_position (find_block (editor, "Gain")).y);
  key ("<Control>z");
  key ("<Control><Shift>l");
  g_assert_cmpstr (undo_label (editor), ==, "Tidy up");
  picture ("58-tidy");
  editor_close (editor);
}

/* --- Hierarchy, modes ------------------------------------------------------------------------ */

static void
test_group (void)
{
  WeirEditor *editor = open_chain ();

  click_at (on_canvas (editor, 160, 20));
  key ("<Control>g");
  g_assert_cmpstr (undo_label (editor), ==, "Group 1 block");
  picture ("59-grouped");
  key ("Return");
  g_assert_cmpuint (weir_diagram_get_n_blocks (shown_diagram (editor)), ==, 3);
  picture ("60-inside-the-group");
  key ("<Alt>Up");
  key ("<Alt>Left"); /* back inside */
  g_assert_cmpuint (weir_canvas_get_place (editor->canvas).n_ids, ==, 1);
  key ("<Alt>Right");
  g_assert_cmpuint (weir_canvas_get_place (editor->canvas).n_ids, ==, 0);
  key ("<Alt>Left");
  key ("<Alt>Up");
  key ("<Control><Shift>g");
  g_assert_cmpstr (undo_label (editor), ==, "Expand Subsystem");
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (editor)), ==, 3);
  editor_close (editor);
}

static void
test_modes_and_colors (void)
{
  WeirEditor *editor = open_chain ();
  AdwStyleManager *style = adw_style_manager_get_default ();

  click_at (on_canvas (editor, 160, 20));
  key ("<Control><Shift>x");
  g_assert_cmpint (weir_block_get_mode (find_block (editor, "Gain")), ==, WEIR_BLOCK_COMMENTED_OUT);
  key ("<Control><Shift>y");
  g_assert_cmpint (weir_block_get_mode (find_block (editor, "Gain")), ==,
                   WEIR_BLOCK_PASSED_THROUGH);
  key ("<Control><Shift>y");
  g_assert_cmpint (weir_block_get_mode (find_block (editor, "Gain")), ==, WEIR_BLOCK_ACTIVE);
  key ("<Control><Shift>x");
  click_at (on_canvas (editor, 30, 20));
  key ("<Control><Shift>y");
  click_at (on_canvas (editor, 310, 20));
  key ("<Control><Shift>p");
  type_text ("color gre");
  spin (300);
  picture ("61-commands");
  key ("Return");
  spin (100);
  g_assert_cmpint (weir_block_get_tint (find_block (editor, "Scope")), ==, WEIR_TINT_GREEN);
  /* A frame round two blocks, named as it is made; a note. */
  key ("<Control>a");
  key ("<Shift>n");
  spin (150);
  type_text ("Plant");
  key ("<Control>Return");
  spin (100);
  g_assert_cmpuint (weir_diagram_get_n_notes (root_diagram (editor)), ==, 1);
  gtk_widget_activate_action (GTK_WIDGET (editor->canvas), "canvas.tint", "s", "blue");
  click_canvas (editor);
  point_at (on_canvas (editor, 20, 160));
  key ("n");
  spin (150);
  type_text ("check the gain");
  key ("<Control>Return");
  spin (100);
  g_assert_cmpuint (weir_diagram_get_n_notes (root_diagram (editor)), ==, 2);
  gtk_widget_activate_action (GTK_WIDGET (editor->canvas), "canvas.tint", "s", "yellow");
  click_canvas (editor);
  picture ("62-frame-and-note");
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  picture ("63-frame-and-note-dark");
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_DEFAULT);
  editor_close (editor);
}

/* --- Finding, overview ----------------------------------------------------------------------- */

static void
test_find (void)
{
  WeirEditor *editor = window_open_example ("nested.weir");
  GtkWidget *picker;

  click_canvas (editor);
  key ("<Control>f");
  spin (100);
  type_text ("gain");
  spin (300);
  picture ("64-find");
  picker = find_of_type (GTK_WIDGET (editor->canvas), GTK_TYPE_POPOVER);
  g_assert_true (gtk_widget_get_mapped (picker));
  key ("Return");
  spin (100);
  g_assert_cmpuint (weir_canvas_get_selected_block (editor->canvas), !=, 0);
  {
    const WeirBlockShape *shape = weir_scene_find_block (
        editor->canvas->scene, weir_canvas_get_selected_block (editor->canvas));

    g_assert_nonnull (shape);
    g_assert_true (g_str_has_prefix (weir_block_get_type_name (shape->block), "Gain")
                   || strcasestr (weir_block_get_name (shape->block), "gain") != NULL);
  }
  editor_close (editor);
}

static void
test_nothing_found (void)
{
  WeirEditor *editor = window_open_example ("nested.weir");
  GtkWidget *note;

  click_canvas (editor);
  key ("<Control>f");
  spin (100);
  type_text ("gainx");
  wait_for ((note = find_label (GTK_WIDGET (editor->canvas), "Nothing found")) != NULL
            && gtk_widget_get_mapped (note));
  picture ("64-nothing-found");
  key ("BackSpace");
  wait_for (!gtk_widget_get_mapped (note));
  key ("Escape");
  editor_close (editor);
}

/* All without the mouse: two blocks chosen, grouped; a note reached and removed; F3 goes on
 * searching. */
static void
test_keyboard_only (void)
{
  WeirEditor *editor = open_chain ();
  guint n;

  gtk_widget_grab_focus (GTK_WIDGET (editor->canvas));
  key ("Tab");
  key ("x");
  key ("Tab");
  weir_canvas_get_selected (editor->canvas, &n);
  g_assert_cmpuint (n, ==, 2);
  key ("<Control>g");
  g_assert_cmpstr (undo_label (editor), ==, "Group 2 blocks");
  key ("Escape");
  key ("n");
  spin (150);
  type_text ("note on gain");
  key ("<Control>Return");
  spin (100);
  key ("Escape");
  key ("t");
  g_assert_cmpuint (weir_canvas_get_elements (editor->canvas).n_notes, ==, 1);
  key ("<Control>f");
  spin (100);
  type_text ("gain");
  key ("Return");
  spin (100);
  g_assert_cmpuint (weir_canvas_get_place (editor->canvas).n_ids, ==, 1); /* the block, inside */
  key ("F3");
  g_assert_cmpuint (weir_canvas_get_place (editor->canvas).n_ids, ==, 0); /* the note */
  g_assert_cmpuint (weir_canvas_get_elements (editor->canvas).n_notes, ==, 1);
  key ("<Shift>F3");
  g_assert_cmpuint (weir_canvas_get_place (editor->canvas).n_ids, ==, 1);
  key ("F3");
  key ("Delete");
  g_assert_cmpuint (weir_diagram_get_n_notes (root_diagram (editor)), ==, 0);
  editor_close (editor);
}

/* Dragging to the edge scrolls on while the pointer rests there; a wire follows. */
static void
test_scroll_at_edge (void)
{
  WeirEditor *editor = open_chain ();
  double before = editor->canvas->viewport.offset.x;
  double width = gtk_widget_get_width (GTK_WIDGET (editor->canvas));

  point_at (on_canvas (editor, 60, 30));
  send_button (1, TRUE);
  point_at (on_canvas (editor, 200, 120));
  point_at (on_screen (GTK_WIDGET (editor->canvas), width - 6, 120));
  wait_for (editor->canvas->viewport.offset.x < before - 40);
  g_assert_cmpint (weir_tool_get_state (editor->canvas->tool), ==, WEIR_TOOL_WIRING);
  key ("Escape");
  press_button (1, FALSE);
  editor_close (editor);
}

/* A model of several levels, in disorder, tidied level by level. */
static void
test_tidy_example (void)
{
  WeirEditor *editor = window_open_example ("nested.weir");

  click_canvas (editor);
  key ("<Control><Shift>l");
  picture ("66-tidy-example");
  weir_canvas_select_block (
      editor->canvas, weir_block_get_id (weir_model_find_path (
                          weir_document_get_model (editor->document), "Servo.Plant.Acceleration")));
  key ("<Control><Shift>l");
  picture ("67-tidy-inside");
  for (guint i = 0; i < weir_scene_get_n_blocks (editor->canvas->scene); i++)
    for (guint k = 0; k < i; k++)
      g_assert_false (weir_rect_intersects (weir_scene_get_block (editor->canvas->scene, i)->box,
                                            weir_scene_get_block (editor->canvas->scene, k)->box));
  editor_close (editor);
}

/* The overview shows up when not everything can be seen, and a click there goes there. */
static void
test_minimap (void)
{
  WeirEditor *editor = open_chain ();
  GtkWidget *minimap = editor->canvas->minimap;
  WeirRect visible;
  WeirPoint middle;

  g_assert_false (gtk_widget_get_mapped (minimap));
  for (int i = 0; i < 5; i++)
    key ("<Control>plus");
  spin (100);
  g_assert_true (gtk_widget_get_mapped (minimap));
  picture ("65-overview");
  click_at (on_screen (minimap, WEIR_MINIMAP_WIDTH - 30, WEIR_MINIMAP_HEIGHT / 2.0));
  visible = weir_viewport_get_visible (&editor->canvas->viewport);
  middle = weir_rect_get_center (visible);
  g_assert_cmpfloat (middle.x, >, 250); /* near the Scope */
  key ("m");
  spin (50);
  g_assert_false (gtk_widget_get_mapped (minimap));
  key ("m");
  key ("space");
  spin (50);
  g_assert_false (gtk_widget_get_mapped (minimap)); /* all can be seen */
  editor_close (editor);
}

/* An FMU becomes a block with the ports of its file; nothing of it is run. */
static void
test_import_fmu (void)
{
  WeirEditor *editor = window_open_example ("counter.weir");
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", "ball-3.fmu", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_auto (GStrv) outputs = NULL;

  g_assert_true (weir_canvas_import_file (editor->canvas, file, (WeirPoint) { 600, 600 }));
  g_assert_cmpstr (weir_block_get_type_name (find_block (editor, "ball_3")), ==, "FMU");
  outputs = weir_block_dup_outputs (find_block (editor, "ball_3"));
  g_assert_cmpuint (g_strv_length (outputs), ==, 2);
  g_assert_cmpstr (outputs[0], ==, "h");
  g_assert_cmpstr (weir_document_get_undo_label (editor->document), ==, "Add ball_3");
  weir_document_undo (editor->document);
  editor_close (editor);
}

/* A model dropped on a diagram becomes part of it, as one undo step; what is no model changes
 * nothing. */
static void
test_import (void)
{
  WeirEditor *editor = window_open_example ("counter.weir");
  g_autoptr (GFile) file = example_file ("pendulum.weir");
  g_autoptr (GFile) none = example_file ("no-such.weir");
  guint before = weir_diagram_get_n_blocks (root_diagram (editor)), n;

  g_assert_true (weir_canvas_import_file (editor->canvas, file, (WeirPoint) { 600, 600 }));
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (editor)), ==, before + 4);
  g_assert_cmpstr (weir_block_get_type_name (find_block (editor, "Pendulum")), ==, "Pendulum");
  weir_canvas_get_selected (editor->canvas, &n);
  g_assert_cmpuint (n, ==, 4);
  g_assert_cmpstr (weir_document_get_undo_label (editor->document), ==, "Insert pendulum.weir");
  weir_document_undo (editor->document);
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (editor)), ==, before);
  g_assert_false (weir_document_get_modified (editor->document));
  g_assert_false (weir_canvas_import_file (editor->canvas, none, (WeirPoint) { 0, 0 }));
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (editor)), ==, before);
  editor_close (editor);
}

/* A formula as one types it: told what is wrong while it is unfinished, shown when it makes sense,
 * drawn and found in the diagram, and edited as text again. */
static void
test_formula (void)
{
  WeirEditor *editor = open_chain ();
  GtkWidget *hint, *preview;
  WeirRect box;
  WeirNote *note;
  guint n;

  key ("n");
  spin (200);
  type_text ("w = $\\sqrt{\\frac{k}$");
  hint = find_named (GTK_WIDGET (editor->canvas), "note-hint");
  preview = find_named (GTK_WIDGET (editor->canvas), "note-preview");
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
  n = weir_diagram_get_n_notes (root_diagram (editor));
  g_assert_cmpuint (n, ==, 1);
  note = weir_diagram_find_note (root_diagram (editor),
                                 weir_canvas_get_elements (editor->canvas).notes[0]);
  g_assert_cmpstr (weir_note_get_text (note), ==, "w = $\\sqrt{\\frac{k}{m}}$");
  box = weir_scene_get_note_box (note);
  g_assert_cmpfloat (box.height, >, 24); /* taller than a line of text */
  picture ("66-formula");
  key ("F2");
  spin (200);
  type_text ("$x^2$"); /* all of it was selected */
  key ("<Control>Return");
  spin (100);
  note = weir_diagram_find_note (root_diagram (editor),
                                 weir_canvas_get_elements (editor->canvas).notes[0]);
  g_assert_cmpstr (weir_note_get_text (note), ==, "$x^2$");
  key ("<Control>z");
  key ("<Control>z");
  g_assert_cmpuint (weir_diagram_get_n_notes (root_diagram (editor)), ==, 0);
  editor_close (editor);
}

/* Several elements deleted can be had back from the toast, until something else is edited. */
static void
test_undo_toast (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  guint n = weir_diagram_get_n_blocks (root_diagram (editor));

  click_canvas (editor);
  key ("<Control>a");
  key ("Delete");
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 0);
  wait_for (find_label (editor->toasts, "5 elements deleted") != NULL);
  picture ("68-undo-toast");
  click (find_label (editor->toasts, "Undo"));
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == n);

  key ("<Control>a");
  key ("Delete");
  wait_for (find_label (editor->toasts, "5 elements deleted") != NULL);
  key ("n"); /* a note */
  type_text ("x");
  key ("<Control>Return");
  wait_for (find_label (editor->toasts, "5 elements deleted") == NULL);
  editor_close (editor);
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
  g_test_add_func ("/window/canvas/nothing-found", test_nothing_found);
  g_test_add_func ("/window/canvas/formula", test_formula);
  g_test_add_func ("/window/canvas/minimap", test_minimap);
  g_test_add_func ("/window/canvas/keyboard-only", test_keyboard_only);
  g_test_add_func ("/window/canvas/scroll-at-edge", test_scroll_at_edge);
  g_test_add_func ("/window/canvas/tidy-example", test_tidy_example);
  g_test_add_func ("/window/canvas/import", test_import);
  g_test_add_func ("/window/canvas/import-fmu", test_import_fmu);
  g_test_add_func ("/window/canvas/undo-toast", test_undo_toast);
  return driver_main ();
}

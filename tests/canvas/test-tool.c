/* The canvas without a display: viewport, selection, gestures, edits. */
#include <math.h>

#include "canvas/tool/viewport.h"
#include "tool-fixture.h"

static void
test_click (Fixture *fixture, gconstpointer data)
{
  click (fixture, 30, 30, 0);
  g_assert_true (weir_selection_contains (weir_tool_get_selection (fixture->tool),
                                          WEIR_SELECT_BLOCK, EXAMPLE_SINE));
  click (fixture, 370, 20, WEIR_TOOL_EXTEND);
  g_assert_cmpuint (count_selected (fixture, WEIR_SELECT_BLOCK), ==, 2);
  click (fixture, 30, 30, WEIR_TOOL_TOGGLE);
  g_assert_cmpuint (count_selected (fixture, WEIR_SELECT_BLOCK), ==, 1);
  click (fixture, 90, 30, 0); /* a wire */
  g_assert_cmpuint (count_selected (fixture, WEIR_SELECT_BLOCK), ==, 0);
  g_assert_cmpuint (count_selected (fixture, WEIR_SELECT_WIRE), ==, 1);
  click (fixture, 90, 300, 0); /* nothing */
  g_assert_cmpuint (count_selected (fixture, WEIR_SELECT_BLOCK), ==, 0);
  g_assert_cmpuint (count_selected (fixture, WEIR_SELECT_WIRE), ==, 0);
}

static void
test_move (Fixture *fixture, gconstpointer data)
{
  WeirEdit *edit = drag (fixture, 30, 30, 57, 68, 0);
  WeirPoint p;

  apply (fixture, edit, "Move 1 block");
  p = weir_block_get_position (weir_diagram_find_block (get_root (fixture), EXAMPLE_SINE));
  g_assert_cmpfloat (p.x, ==, 30); /* snapped */
  g_assert_cmpfloat (p.y, ==, 40);
  weir_edit_free (drag (fixture, 60, 70, 67, 73, WEIR_TOOL_FREE));
  /* One of two selected takes the other along; Shift keeps to the larger axis. */
  click (fixture, 60, 60, 0);
  click (fixture, 370, 20, WEIR_TOOL_EXTEND);
  edit = drag (fixture, 370, 20, 380, 120, WEIR_TOOL_EXTEND);
  apply (fixture, edit, "Move 2 blocks");
  p = weir_block_get_position (weir_diagram_find_block (get_root (fixture), EXAMPLE_SINE));
  g_assert_cmpfloat (p.x, ==, 30);
  g_assert_cmpfloat (p.y, ==, 140);
}

/* While it lasts nothing is edited, and cancelling leaves no trace. */
static void
test_preview_and_cancel (Fixture *fixture, gconstpointer data)
{
  WeirModel *model = weir_document_get_model (fixture->document);

  weir_tool_press (fixture->tool, (WeirPoint) { 30, 30 }, 0);
  weir_tool_motion (fixture->tool, (WeirPoint) { 130, 230 }, 0);
  g_assert_cmpint (weir_tool_get_state (fixture->tool), ==, WEIR_TOOL_MOVING);
  g_assert_cmpfloat (
      weir_scene_find_block (weir_tool_get_scene (fixture->tool), EXAMPLE_SINE)->box.y, ==, 200);
  g_assert_true (weir_document_get_model (fixture->document) == model);
  g_assert_true (weir_tool_cancel (fixture->tool));
  g_assert_true (weir_tool_get_scene (fixture->tool) == fixture->scene);
  g_assert_null (weir_tool_release (fixture->tool, (WeirPoint) { 130, 230 }, 0));
  g_assert_false (weir_tool_cancel (fixture->tool));
}

static void
test_copy_by_drag (Fixture *fixture, gconstpointer data)
{
  WeirEdit *edit = drag (fixture, 500, 20, 500, 220, WEIR_TOOL_TOGGLE);
  const WeirBlock *copy;

  apply (fixture, edit, "Duplicate 1 block");
  copy = weir_diagram_find_block_by_name (get_root (fixture), "plant2");
  g_assert_nonnull (copy);
  g_assert_cmpuint (weir_diagram_get_n_blocks (weir_block_get_diagram (copy)), ==, 3);
  g_assert_cmpfloat (weir_block_get_position (copy).y, ==, 190);
  g_assert_true (weir_selection_contains (weir_tool_get_selection (fixture->tool),
                                          WEIR_SELECT_BLOCK, weir_block_get_id (copy)));
}

static void
test_band (Fixture *fixture, gconstpointer data)
{
  g_assert_null (drag (fixture, -20, -20, 300, 70, 0));
  g_assert_cmpuint (count_selected (fixture, WEIR_SELECT_BLOCK), ==, 3);
  g_assert_cmpuint (count_selected (fixture, WEIR_SELECT_WIRE), ==, 2);
  g_assert_null (drag (fixture, 650, -20, 740, 80, WEIR_TOOL_EXTEND));
  g_assert_cmpuint (count_selected (fixture, WEIR_SELECT_BLOCK), ==, 4);
}

static void
test_wire (Fixture *fixture, gconstpointer data)
{
  delete_wire (fixture, EXAMPLE_WIRE_GAIN_SUM);
  /* From output to input. */
  apply (fixture, drag (fixture, 180, 30, 241, 33, 0), "Connect Gain to Sum");
  g_assert_cmpuint (find_source (fixture, EXAMPLE_SUM, "in1"), ==, EXAMPLE_GAIN);
  weir_document_undo (fixture->document);
  take (fixture);
  /* From input to output; released on the block's body, whose only legal port it takes. */
  apply (fixture, drag (fixture, 240, 30, 150, 32, 0), "Connect Gain to Sum");
  g_assert_cmpuint (find_source (fixture, EXAMPLE_SUM, "in1"), ==, EXAMPLE_GAIN);
  /* Released in empty space: nothing. */
  g_assert_null (drag (fixture, 180, 30, 210, 150, 0));
  g_assert_cmpint (weir_tool_get_state (fixture->tool), ==, WEIR_TOOL_IDLE);
}

static void
test_refusal (Fixture *fixture, gconstpointer data)
{
  weir_tool_press (fixture->tool, (WeirPoint) { 60, 30 }, 0);
  weir_tool_motion (fixture->tool, (WeirPoint) { 200, 120 }, 0);
  g_assert_null (weir_tool_get_refusal (fixture->tool));
  weir_tool_motion (fixture->tool, (WeirPoint) { 340, 30 }, 0);
  g_assert_cmpstr (weir_tool_get_refusal (fixture->tool), ==,
                   "Integrator: input u is already wired to Sum.");
  g_assert_null (weir_tool_release (fixture->tool, (WeirPoint) { 340, 30 }, 0));
  /* An output is no target of an output. */
  weir_tool_press (fixture->tool, (WeirPoint) { 60, 30 }, 0);
  weir_tool_motion (fixture->tool, (WeirPoint) { 400, 30 }, 0);
  g_assert_cmpstr (weir_tool_get_refusal (fixture->tool), ==, "A wire ends at an input.");
  g_assert_null (weir_tool_release (fixture->tool, (WeirPoint) { 400, 30 }, 0));
}

/* A block that is full gets an input more, in one step; a number of them and a letter for each. */
static void
test_grow (Fixture *fixture, gconstpointer data)
{
  static const struct {
    guint32 block;
    double x, y;
    const char *parameter, *text, *input;
  } cases[] = {
    { EXAMPLE_SCOPE, 680, 30, "inputs", "2", "in2" },
    { EXAMPLE_SUM, 260, 30, "signs", "+-+", "in3" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const WeirBlock *block;

      weir_tool_press (fixture->tool, (WeirPoint) { 60, 30 }, 0);
      weir_tool_motion (fixture->tool, (WeirPoint) { cases[i].x, cases[i].y + 60 }, 0);
      g_assert_false (weir_tool_makes_input (fixture->tool));
      weir_tool_motion (fixture->tool, (WeirPoint) { cases[i].x, cases[i].y }, 0);
      g_assert_true (weir_tool_makes_input (fixture->tool));
      g_assert_cmpstr (weir_tool_get_wire_target (fixture->tool).port, ==, cases[i].input);
      apply (fixture, weir_tool_release (fixture->tool, (WeirPoint) { cases[i].x, cases[i].y }, 0),
             i == 0 ? "Connect reference to Scope" : "Connect reference to Sum");
      block = weir_diagram_find_block (get_root (fixture), cases[i].block);
      g_assert_cmpstr (weir_block_get_parameter (block, cases[i].parameter), ==, cases[i].text);
      g_assert_cmpuint (find_source (fixture, cases[i].block, cases[i].input), ==, EXAMPLE_SINE);
      weir_document_undo (fixture->document);
      take (fixture);
      block = weir_diagram_find_block (get_root (fixture), cases[i].block);
      g_assert_cmpstr (weir_block_get_parameter (block, cases[i].parameter), !=, cases[i].text);
    }

  /* By keyboard it is offered as well; a block of fixed inputs is not. */
  weir_tool_begin_wire (fixture->tool, EXAMPLE_SINE, "y", TRUE);
  g_assert_cmpuint (weir_tool_get_wire_target (fixture->tool).block, !=, 0);
  g_assert_true (weir_tool_makes_input (fixture->tool));
  weir_tool_cancel (fixture->tool);
  g_assert_null (weir_edit_find_new_input (fixture->scene, EXAMPLE_INTEGRATOR, 0));
  delete_wire (fixture, EXAMPLE_WIRE_PLANT_SCOPE);
  g_assert_null (weir_edit_find_new_input (fixture->scene, EXAMPLE_SCOPE, 0)); /* one is free */
}

/* A drag from a wired input takes the wire's end along. */
static void
test_reconnect (Fixture *fixture, gconstpointer data)
{
  delete_wire (fixture, EXAMPLE_WIRE_FEEDBACK);
  apply (fixture, drag (fixture, 660, 30, 260, 50, 0), "Reconnect wire");
  g_assert_cmpuint (find_source (fixture, EXAMPLE_SUM, "in2"), ==, EXAMPLE_PLANT);
  g_assert_cmpuint (find_source (fixture, EXAMPLE_SCOPE, "in1"), ==, 0);
  g_assert_nonnull (weir_diagram_find_wire (get_root (fixture), EXAMPLE_WIRE_PLANT_SCOPE));
}

static void
test_wire_by_clicks (Fixture *fixture, gconstpointer data)
{
  const WeirPoint *bends;
  WeirWire *wire;
  guint n;
  WeirEdit *edit;

  delete_wire (fixture, EXAMPLE_WIRE_FEEDBACK);
  click (fixture, 580, 30, 0);
  g_assert_cmpint (weir_tool_get_state (fixture->tool), ==, WEIR_TOOL_WIRING);
  weir_tool_motion (fixture->tool, (WeirPoint) { 602, 148 }, 0);
  click (fixture, 602, 148, 0); /* a bend */
  edit = weir_tool_press (fixture->tool, (WeirPoint) { 260, 50 }, 0);
  apply (fixture, edit, "Connect plant to Sum");
  wire = weir_scene_get_wire (fixture->scene, weir_scene_get_n_wires (fixture->scene) - 1)->wire;
  bends = weir_wire_get_bends (wire, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpfloat (bends[0].x, ==, 600);
  g_assert_cmpfloat (bends[0].y, ==, 150);
}

static void
test_branch (Fixture *fixture, gconstpointer data)
{
  delete_wire (fixture, EXAMPLE_WIRE_FEEDBACK);
  apply (fixture, drag (fixture, 620, 30, 260, 50, WEIR_TOOL_TOGGLE), "Connect plant to Sum");
  delete_wire (fixture, EXAMPLE_WIRE_PLANT_SCOPE);
  /* From an input onto a wire: its source. */
  apply (fixture, drag (fixture, 660, 30, 430, 31, 0), "Connect Integrator to Scope");
}

static void
test_bend (Fixture *fixture, gconstpointer data)
{
  const WeirPoint *bends;
  guint n;

  apply (fixture, drag (fixture, 90, 30, 95, 92, 0), "Bend wire");
  bends = weir_wire_get_bends (weir_diagram_find_wire (get_root (fixture), EXAMPLE_WIRE_SINE_GAIN),
                               &n);
  g_assert_cmpuint (n, ==, 4);
  g_assert_cmpfloat (bends[1].y, ==, 90);
  /* Bends move with both blocks. */
  {
    static const guint32 both[] = { EXAMPLE_SINE, EXAMPLE_GAIN };
    WeirSite site = { weir_document_get_model (fixture->document), WEIR_PLACE_ROOT };

    apply (fixture,
           weir_edit_move (site, (WeirElements) { .blocks = both, .n_blocks = 2 },
                           (WeirPoint) { 0, 100 }),
           "Move 2 blocks");
  }
  bends = weir_wire_get_bends (weir_diagram_find_wire (get_root (fixture), EXAMPLE_WIRE_SINE_GAIN),
                               &n);
  g_assert_cmpfloat (bends[1].y, ==, 190);
}

static void
test_keyboard_wiring (Fixture *fixture, gconstpointer data)
{
  WeirToolPort target;

  delete_wire (fixture, EXAMPLE_WIRE_GAIN_SUM);
  delete_wire (fixture, EXAMPLE_WIRE_PLANT_SCOPE);
  g_assert_false (weir_tool_begin_wire (fixture->tool, EXAMPLE_GAIN, "nothing", TRUE));
  g_assert_true (weir_tool_begin_wire (fixture->tool, EXAMPLE_GAIN, "y", TRUE));
  target = weir_tool_get_wire_target (fixture->tool);
  g_assert_cmpuint (target.block, ==, EXAMPLE_SUM); /* the next to the right */
  weir_tool_next_target (fixture->tool, 1);
  g_assert_cmpuint (weir_tool_get_wire_target (fixture->tool).block, ==, EXAMPLE_SCOPE);
  weir_tool_next_target (fixture->tool, 1);
  g_assert_cmpuint (weir_tool_get_wire_target (fixture->tool).block, ==, EXAMPLE_SUM);
  weir_tool_next_target (fixture->tool, -1);
  apply (fixture, weir_tool_accept (fixture->tool), "Connect Gain to Scope");
  g_assert_cmpint (weir_tool_get_state (fixture->tool), ==, WEIR_TOOL_IDLE);
}

static void
test_edits (Fixture *fixture, gconstpointer data)
{
  static const guint32 ids[] = { EXAMPLE_SINE };
  WeirSite site = { weir_document_get_model (fixture->document), WEIR_PLACE_ROOT };
  g_autoptr (GError) error = NULL;
  WeirEdit *edit;
  WeirBlock *block;
  WeirPoint at;

  g_assert_null (weir_edit_move (site, (WeirElements) { 0 }, (WeirPoint) { 10, 0 }));
  g_assert_null (
      weir_edit_move (site, (WeirElements) { .blocks = ids, .n_blocks = 1 }, (WeirPoint) { 0, 0 }));
  g_assert_null (weir_edit_add_block (site, "NoSuchType", (WeirPoint) { 0, 0 }));
  g_assert_null (weir_edit_rename (site, EXAMPLE_SINE, "reference"));

  apply (fixture, weir_edit_rotate (site, ids, 1, 1), "Rotate 1 block");
  block = weir_diagram_find_block (get_root (fixture), EXAMPLE_SINE);
  g_assert_cmpint (weir_block_get_rotation (block), ==, WEIR_ROTATION_90);
  site.model = weir_document_get_model (fixture->document);
  apply (fixture, weir_edit_flip (site, ids, 1, FALSE), "Flip 1 block");
  site.model = weir_document_get_model (fixture->document);
  edit = weir_edit_rename (site, EXAMPLE_SINE, "Gain");
  g_assert_false (weir_document_edit (fixture->document, edit->patch, edit->label, NULL, &error));
  g_assert_nonnull (strstr (error->message, "Gain"));
  weir_edit_free (edit);

  /* Renaming an In carries the wires at the Subsystem's port along. */
  {
    static const guint32 plant[] = { EXAMPLE_PLANT };
    WeirSite inside = { site.model, { plant, 1 } };

    apply (fixture, weir_edit_rename (inside, EXAMPLE_IN, "force"), "Rename u to force");
    g_assert_cmpuint (find_source (fixture, EXAMPLE_PLANT, "force"), ==, EXAMPLE_INTEGRATOR);
  }
  /* Where it is full, the next free place. */
  at = weir_edit_find_room (fixture->scene, (WeirPoint) { 60, 60 }, (WeirPoint) { 0, 0 });
  g_assert_false (weir_rect_intersects ((WeirRect) { at.x, at.y, 60, 60 },
                                        weir_scene_find_block (fixture->scene, EXAMPLE_SINE)->box));
  at = weir_edit_find_room (fixture->scene, (WeirPoint) { 60, 60 }, (WeirPoint) { 1003, 1000 });
  g_assert_cmpfloat (at.x, ==, 1000);
}

static void
test_viewport (void)
{
  WeirViewport view;
  WeirPoint pixel = { 300, 100 }, before, after;

  weir_viewport_init (&view);
  view.width = 800;
  view.height = 600;
  weir_viewport_pan (&view, 13, -7);
  before = weir_viewport_to_diagram (&view, pixel);
  for (int i = 0; i < 40; i++)
    weir_viewport_zoom_at (&view, pixel, i % 3 == 0 ? 0.7 : 1.3);
  after = weir_viewport_to_diagram (&view, pixel);
  g_assert_cmpfloat_with_epsilon (after.x, before.x, 1e-9);
  g_assert_cmpfloat_with_epsilon (after.y, before.y, 1e-9);
  weir_viewport_zoom_at (&view, pixel, 1e9);
  g_assert_cmpfloat (view.zoom, ==, WEIR_ZOOM_MAX);
  weir_viewport_set_zoom (&view, 0.9);
  weir_viewport_zoom_step (&view, 1);
  g_assert_cmpfloat (view.zoom, ==, 1);
  weir_viewport_zoom_step (&view, -1);
  g_assert_cmpfloat (view.zoom, ==, 0.8);

  weir_viewport_fit (&view, (WeirRect) { 1000, 1000, 2000, 100 }, 1.5);
  g_assert_cmpfloat_with_epsilon (view.zoom, (800 - 64) / 2000.0, 1e-12);
  after = weir_viewport_to_diagram (&view, (WeirPoint) { 400, 300 });
  g_assert_cmpfloat_with_epsilon (after.x, 2000, 2);
  weir_viewport_fit (&view, (WeirRect) { 0, 0, 10, 10 }, 1.5);
  g_assert_cmpfloat (view.zoom, ==, 1.5);

  weir_viewport_set_zoom (&view, 1);
  weir_viewport_center_on (&view, (WeirPoint) { 0, 0 });
  g_assert_false (weir_viewport_reveal (&view, (WeirRect) { -50, -50, 100, 100 }));
  g_assert_true (weir_viewport_reveal (&view, (WeirRect) { 1000, 0, 100, 100 }));
  g_assert_cmpfloat (weir_viewport_to_pixel (&view, (WeirPoint) { 1100, 0 }).x, <=, 800);
}

static void
test_selection (void)
{
  WeirSelection selection;
  guint n, serial;
  const guint32 *ids;

  weir_selection_init (&selection);
  weir_selection_add (&selection, WEIR_SELECT_BLOCK, 7);
  weir_selection_add (&selection, WEIR_SELECT_BLOCK, 3);
  serial = selection.serial;
  weir_selection_add (&selection, WEIR_SELECT_BLOCK, 3);
  g_assert_cmpuint (selection.serial, ==, serial); /* nothing changed */
  ids = weir_selection_get (&selection, WEIR_SELECT_BLOCK, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (ids[0], ==, 3);
  weir_selection_remove (&selection, WEIR_SELECT_BLOCK, 3);
  weir_selection_add (&selection, WEIR_SELECT_WIRE, 4);
  g_assert_true (weir_selection_contains (&selection, WEIR_SELECT_WIRE, 4));
  weir_selection_prune (&selection, NULL);
  for (WeirSelectKind kind = 0; kind < WEIR_N_SELECT_KINDS; kind++)
    {
      weir_selection_get (&selection, kind, &n);
      g_assert_cmpuint (n, ==, 0);
    }
  serial = selection.serial;
  weir_selection_set_none (&selection);
  g_assert_cmpuint (selection.serial, ==, serial);
  weir_selection_clear_memory (&selection);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)
  ADD ("/canvas/tool/click", test_click);
  ADD ("/canvas/tool/move", test_move);
  ADD ("/canvas/tool/preview-and-cancel", test_preview_and_cancel);
  ADD ("/canvas/tool/copy-by-drag", test_copy_by_drag);
  ADD ("/canvas/tool/band", test_band);
  ADD ("/canvas/tool/wire", test_wire);
  ADD ("/canvas/tool/refusal", test_refusal);
  ADD ("/canvas/tool/grow", test_grow);
  ADD ("/canvas/tool/reconnect", test_reconnect);
  ADD ("/canvas/tool/wire-by-clicks", test_wire_by_clicks);
  ADD ("/canvas/tool/branch", test_branch);
  ADD ("/canvas/tool/bend", test_bend);
  ADD ("/canvas/tool/keyboard-wiring", test_keyboard_wiring);
  ADD ("/canvas/tool/edits", test_edits);
  g_test_add_func ("/canvas/viewport", test_viewport);
  g_test_add_func ("/canvas/selection", test_selection);
  return g_test_run ();
}

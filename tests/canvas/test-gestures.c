/* Gestures of the tool beyond the first: guides, insertion, resizing, ends of wires,
 * offers, notes. */
#include "tool-fixture.h"

static WeirPoint
position_of (Fixture *fixture, guint32 block)
{
  return weir_block_get_position (weir_diagram_find_block (get_root (fixture), block));
}

static WeirSite
site_of (Fixture *fixture)
{
  return (WeirSite) { weir_document_get_model (fixture->document), WEIR_PLACE_ROOT };
}

static guint32
add_block (Fixture *fixture, const char *type, double x, double y)
{
  WeirEdit *edit = weir_edit_add_block (site_of (fixture), type, (WeirPoint) { x, y });
  guint32 id = g_array_index (edit->new_blocks, guint32, 0);
  g_autofree char *label = g_strdup (edit->label);

  apply (fixture, edit, label);
  weir_selection_set_none (weir_tool_get_selection (fixture->tool));
  return id;
}

/* --- Guides ---------------------------------------------------------------------------------- */

static void
press_and_move (Fixture *fixture, double x0, double y0, double x1, double y1, WeirToolModifiers m)
{
  g_assert_null (weir_tool_press (fixture->tool, (WeirPoint) { x0, y0 }, m));
  weir_tool_motion (fixture->tool, (WeirPoint) { (x0 + x1) / 2, (y0 + y1) / 2 }, m);
  weir_tool_motion (fixture->tool, (WeirPoint) { x1, y1 }, m);
}

static void
test_guides (Fixture *fixture, gconstpointer data)
{
  guint32 id = add_block (fixture, "Scope", 0, 303);
  const WeirGuide *guides;
  gboolean vertical = FALSE;
  guint n;

  /* 3 units beside the middle of the Scope at 660: it lines up, and a line says on what. */
  press_and_move (fixture, 30, 330, 30 + 663, 330 + 15, 0);
  guides = weir_tool_get_guides (fixture->tool, &n);
  g_assert_cmpuint (n, >, 0);
  for (guint i = 0; i < n; i++)
    vertical |= guides[i].a.x == guides[i].b.x && guides[i].a.y < 60 && guides[i].b.y > 318;
  g_assert_true (vertical);
  apply (fixture, weir_tool_release (fixture->tool, (WeirPoint) { 693, 345 }, 0), "Move 1 block");
  g_assert_cmpfloat (position_of (fixture, id).x, ==, 660);
  guides = weir_tool_get_guides (fixture->tool, &n);
  g_assert_cmpuint (n, ==, 0);
  /* With Alt it does not. */
  press_and_move (fixture, 690, 345, 693, 445, WEIR_TOOL_FREE);
  weir_tool_get_guides (fixture->tool, &n);
  g_assert_cmpuint (n, ==, 0);
  apply (fixture, weir_tool_release (fixture->tool, (WeirPoint) { 693, 445 }, WEIR_TOOL_FREE),
         "Move 1 block");
  g_assert_cmpfloat (position_of (fixture, id).x, ==, 663);
}

/* Ports of one wire come before everything else: the wire runs straight. */
static void
test_guide_straightens (Fixture *fixture, gconstpointer data)
{
  const WeirWireShape *wire;

  apply (fixture, drag (fixture, 690, 20, 705, 77, 0), "Move 1 block");
  g_assert_cmpfloat (position_of (fixture, EXAMPLE_SCOPE).y, !=, 0);
  apply (fixture, drag (fixture, 700, 80, 700, 25, 0), "Move 1 block");
  wire = weir_scene_find_wire (fixture->scene, EXAMPLE_WIRE_PLANT_SCOPE);
  g_assert_cmpuint (wire->n_points, ==, 2);
}

/* --- Into a wire and out of it --------------------------------------------------------------- */

static void
test_insert (Fixture *fixture, gconstpointer data)
{
  guint32 id = add_block (fixture, "Gain", 600, 300);
  const WeirBlockShape *shape = weir_scene_find_block (fixture->scene, id);
  WeirPoint middle = weir_rect_get_center (shape->box);
  guint before = weir_diagram_get_n_wires (get_root (fixture));

  /* Near the wire from plant to Scope, not quite on it. */
  press_and_move (fixture, middle.x, middle.y, 620, 36, 0);
  g_assert_cmpuint (weir_tool_get_insert_wire (fixture->tool), ==, EXAMPLE_WIRE_PLANT_SCOPE);
  apply (fixture, weir_tool_release (fixture->tool, (WeirPoint) { 620, 36 }, 0),
         "Insert Gain2 into wire");
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, before + 1);
  g_assert_cmpuint (find_source (fixture, EXAMPLE_SCOPE, "in1"), ==, id);
  g_assert_cmpuint (find_source (fixture, id, "u"), ==, EXAMPLE_PLANT);
  g_assert_cmpuint (find_source (fixture, EXAMPLE_SUM, "in2"), ==, EXAMPLE_PLANT); /* the branch */
  /* It was moved so that the wire is straight. */
  g_assert_cmpuint (weir_scene_find_wire (fixture->scene, EXAMPLE_WIRE_PLANT_SCOPE)->n_points, ==,
                    2);
  /* One undo step. */
  weir_document_undo (fixture->document);
  take (fixture);
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, before);
  /* With Alt it only lies there. */
  apply (fixture, drag (fixture, middle.x, middle.y, 620, 30, WEIR_TOOL_FREE), "Move 1 block");
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, before);
}

/* A block without a free output stays beside the wire. */
static void
test_insert_needs_ports (Fixture *fixture, gconstpointer data)
{
  guint32 id = add_block (fixture, "Scope", 600, 300);

  apply (fixture, drag (fixture, 630, 330, 620, 30, 0), "Move 1 block");
  g_assert_cmpuint (find_source (fixture, id, "in1"), ==, 0);
}

static void
test_heal (Fixture *fixture, gconstpointer data)
{
  static const guint32 chain[] = { EXAMPLE_GAIN, EXAMPLE_INTEGRATOR };
  static const guint32 source[] = { EXAMPLE_SINE };

  apply (fixture,
         weir_edit_delete (site_of (fixture), (WeirElements) { .blocks = chain, .n_blocks = 2 }),
         "Delete 2 blocks");
  g_assert_cmpuint (find_source (fixture, EXAMPLE_SUM, "in1"), ==, EXAMPLE_SINE);
  g_assert_cmpuint (find_source (fixture, EXAMPLE_PLANT, "u"), ==, EXAMPLE_SUM);
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, 4);
  /* A source has nothing to heal with. */
  apply (fixture,
         weir_edit_delete (site_of (fixture), (WeirElements) { .blocks = source, .n_blocks = 1 }),
         "Delete reference");
  g_assert_cmpuint (find_source (fixture, EXAMPLE_SUM, "in1"), ==, 0);
}

/* Neighbours in a chain go together: the wire heals over all of them. */
static void
test_heal_neighbours (Fixture *fixture, gconstpointer data)
{
  static const guint32 both[] = { EXAMPLE_INTEGRATOR, EXAMPLE_PLANT };

  apply (fixture,
         weir_edit_delete (site_of (fixture), (WeirElements) { .blocks = both, .n_blocks = 2 }),
         "Delete 2 blocks");
  g_assert_cmpuint (find_source (fixture, EXAMPLE_SCOPE, "in1"), ==, EXAMPLE_SUM);
  g_assert_cmpuint (find_source (fixture, EXAMPLE_SUM, "in2"), ==, EXAMPLE_SUM); /* the loop too */
}

/* --- Ends of wires --------------------------------------------------------------------------- */

static WeirWire *
wire_of (Fixture *fixture, guint32 id)
{
  return weir_diagram_find_wire (get_root (fixture), id);
}

/* An end let go in empty space is kept there, and can be taken up again. */
static void
test_loose_end (Fixture *fixture, gconstpointer data)
{
  const WeirWireShape *shape;

  apply (fixture, drag (fixture, 660, 30, 641, 149, 0), "Disconnect wire");
  shape = weir_scene_find_wire (fixture->scene, EXAMPLE_WIRE_PLANT_SCOPE);
  g_assert_false (shape->to_connected);
  g_assert_cmpfloat (weir_wire_get_to (shape->wire).point.x, ==, 640);
  g_assert_cmpfloat (weir_wire_get_to (shape->wire).point.y, ==, 150);
  apply (fixture, drag (fixture, 640, 150, 661, 31, 0), "Reconnect wire");
  g_assert_cmpuint (weir_wire_get_to (wire_of (fixture, EXAMPLE_WIRE_PLANT_SCOPE)).block, ==,
                    EXAMPLE_SCOPE);
}

/* The start of a wire moves when just that wire is selected; else a new wire begins there. */
static void
test_move_start (Fixture *fixture, gconstpointer data)
{
  click (fixture, 620, 30, 0); /* plant to Scope; also the first part of the feedback */
  weir_selection_set_one (weir_tool_get_selection (fixture->tool), WEIR_SELECT_WIRE,
                          EXAMPLE_WIRE_PLANT_SCOPE);
  weir_tool_press (fixture->tool, (WeirPoint) { 580, 30 }, 0);
  weir_tool_motion (fixture->tool, (WeirPoint) { 500, 100 }, 0);
  g_assert_cmpuint (weir_tool_get_rewired (fixture->tool), ==, EXAMPLE_WIRE_PLANT_SCOPE);
  apply (fixture, weir_tool_release (fixture->tool, (WeirPoint) { 401, 31 }, 0), "Reconnect wire");
  g_assert_cmpuint (find_source (fixture, EXAMPLE_SCOPE, "in1"), ==, EXAMPLE_INTEGRATOR);
  g_assert_cmpuint (find_source (fixture, EXAMPLE_SUM, "in2"), ==, EXAMPLE_PLANT);
  /* Let go where it was: nothing. */
  weir_selection_set_one (weir_tool_get_selection (fixture->tool), WEIR_SELECT_WIRE,
                          EXAMPLE_WIRE_PLANT_SCOPE);
  weir_tool_press (fixture->tool, (WeirPoint) { 400, 30 }, 0);
  weir_tool_motion (fixture->tool, (WeirPoint) { 500, 100 }, 0);
  g_assert_null (weir_tool_release (fixture->tool, (WeirPoint) { 400, 30 }, 0));
}

static void
test_offer (Fixture *fixture, gconstpointer data)
{
  WeirToolOffer offer;
  WeirEdit *edit;

  g_assert_null (drag (fixture, 60, 30, 90, 200, 0));
  offer = weir_tool_get_offer (fixture->tool);
  g_assert_cmpuint (offer.source.block, ==, EXAMPLE_SINE);
  g_assert_cmpstr (offer.source.port, ==, "y");
  g_assert_true (offer.source.is_output);
  g_assert_cmpfloat (offer.point.y, ==, 200);
  g_assert_true (weir_edit_type_fits ("Scope", TRUE));
  g_assert_false (weir_edit_type_fits ("Sine", TRUE));
  g_assert_false (weir_edit_type_fits ("Scope", FALSE));
  edit = weir_edit_add_connected (site_of (fixture), "Scope", offer.source.block, offer.source.port,
                                  TRUE, offer.point);
  apply (fixture, edit, "Add Scope2");
  {
    const WeirBlock *block = weir_diagram_find_block_by_name (get_root (fixture), "Scope2");
    const WeirBlockShape *shape = weir_scene_find_block (fixture->scene, weir_block_get_id (block));

    g_assert_cmpuint (find_source (fixture, weir_block_get_id (block), "in1"), ==, EXAMPLE_SINE);
    g_assert_cmpfloat (shape->ports[0].position.x, ==, 90);
    g_assert_cmpfloat (shape->ports[0].position.y, ==, 200);
  }
  g_assert_null (weir_edit_add_connected (site_of (fixture), "Sine", EXAMPLE_SINE, "y", TRUE,
                                          (WeirPoint) { 0, 0 }));
  /* The next press withdraws it; a refused end makes none. */
  click (fixture, 300, 400, 0);
  g_assert_cmpuint (weir_tool_get_offer (fixture->tool).source.block, ==, 0);
  g_assert_null (drag (fixture, 60, 30, 340, 30, 0));
  g_assert_cmpuint (weir_tool_get_offer (fixture->tool).source.block, ==, 0);
}

/* Ctrl+Shift+click wires the selected block to the one clicked, which is then selected for the
 * next. */
static void
test_connect_by_click (Fixture *fixture, gconstpointer data)
{
  guint32 id = add_block (fixture, "Scope", 200, 200);

  click (fixture, 30, 30, 0);
  g_assert_null (weir_tool_press (fixture->tool, (WeirPoint) { 230, 230 },
                                  WEIR_TOOL_EXTEND | WEIR_TOOL_TOGGLE));
  apply (fixture,
         weir_tool_release (fixture->tool, (WeirPoint) { 230, 230 },
                            WEIR_TOOL_EXTEND | WEIR_TOOL_TOGGLE),
         "Connect reference to Scope2");
  g_assert_cmpuint (find_source (fixture, id, "in1"), ==, EXAMPLE_SINE);
  g_assert_true (
      weir_selection_contains (weir_tool_get_selection (fixture->tool), WEIR_SELECT_BLOCK, id));
}

/* --- Boxes and notes ------------------------------------------------------------------------- */

static void
test_resize (Fixture *fixture, gconstpointer data)
{
  WeirRect box;

  click (fixture, 690, 20, 0);
  g_assert_true (weir_tool_get_handles (fixture->tool, &box));
  g_assert_cmpfloat (box.x, ==, 660);
  /* The lower right corner; the upper left stays. */
  apply (fixture, drag (fixture, box.x + box.width, box.y + box.height, 773, 98, 0),
         "Resize Scope");
  g_assert_cmpfloat (weir_scene_find_block (fixture->scene, EXAMPLE_SCOPE)->box.width, ==, 120);
  g_assert_cmpfloat (weir_scene_find_block (fixture->scene, EXAMPLE_SCOPE)->box.height, ==, 100);
  g_assert_cmpfloat (position_of (fixture, EXAMPLE_SCOPE).x, ==, 660);
  /* The upper left, through the other corner: least size, which stays where it was. */
  apply (fixture, drag (fixture, 660, 0, 900, 300, 0), "Resize Scope");
  g_assert_cmpfloat (weir_scene_find_block (fixture->scene, EXAMPLE_SCOPE)->box.width, ==, 20);
  g_assert_cmpfloat (position_of (fixture, EXAMPLE_SCOPE).x, ==, 760);
  /* Two selected have no handles. */
  click (fixture, 30, 30, WEIR_TOOL_EXTEND);
  g_assert_false (weir_tool_get_handles (fixture->tool, &box));
}

static void
test_notes (Fixture *fixture, gconstpointer data)
{
  WeirNote *note;
  guint32 id;

  apply (fixture, weir_edit_set_note (site_of (fixture), 0, (WeirPoint) { 0, 200 }, "a remark"),
         "Add note");
  g_assert_cmpuint (count_selected (fixture, WEIR_SELECT_NOTE), ==, 1);
  id = weir_selection_get_elements (weir_tool_get_selection (fixture->tool)).notes[0];
  click (fixture, 300, 300, 0);
  click (fixture, 10, 208, 0);
  g_assert_cmpuint (count_selected (fixture, WEIR_SELECT_NOTE), ==, 1);
  apply (fixture, drag (fixture, 10, 208, 58, 268, WEIR_TOOL_FREE), "Move 1 note");
  note = weir_diagram_find_note (get_root (fixture), id);
  g_assert_cmpfloat (weir_note_get_position (note).x, ==, 48);
  g_assert_cmpfloat (weir_note_get_position (note).y, ==, 260);
  apply (fixture, weir_edit_set_note (site_of (fixture), id, (WeirPoint) { 0, 0 }, "better"),
         "Edit note");
  g_assert_cmpstr (weir_note_get_text (weir_diagram_find_note (get_root (fixture), id)), ==,
                   "better");
  g_assert_null (weir_edit_set_note (site_of (fixture), id, (WeirPoint) { 0, 0 }, "better"));
  apply (fixture, weir_edit_set_note (site_of (fixture), id, (WeirPoint) { 0, 0 }, ""),
         "Delete 1 note");
  g_assert_null (weir_diagram_find_note (get_root (fixture), id));
}

/* A frame takes what lies in it along; inside it, a rubber band can be drawn. */
static void
test_frame (Fixture *fixture, gconstpointer data)
{
  WeirPoint sine, sum;
  guint32 id;

  apply (fixture,
         weir_edit_add_frame (site_of (fixture), (WeirRect) { -20, -40, 220, 140 }, "Source"),
         "Add frame");
  id = weir_selection_get_elements (weir_tool_get_selection (fixture->tool)).notes[0];
  click (fixture, 300, 300, 0);
  g_assert_null (drag (fixture, -10, -10, 190, 90, 0));
  g_assert_cmpuint (count_selected (fixture, WEIR_SELECT_BLOCK), ==, 2);
  g_assert_cmpuint (count_selected (fixture, WEIR_SELECT_NOTE), ==, 0);
  click (fixture, 300, 300, 0);
  apply (fixture, drag (fixture, 0, -30, 0, 170, WEIR_TOOL_FREE), "Move 1 note");
  sine = position_of (fixture, EXAMPLE_SINE);
  sum = position_of (fixture, EXAMPLE_SUM);
  g_assert_cmpfloat (sine.y, ==, 200);
  g_assert_cmpfloat (sum.y, ==, 10);
  g_assert_cmpfloat (weir_note_get_position (weir_diagram_find_note (get_root (fixture), id)).y, ==,
                     160);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)
  ADD ("/canvas/gestures/guides", test_guides);
  ADD ("/canvas/gestures/guide-straightens", test_guide_straightens);
  ADD ("/canvas/gestures/insert", test_insert);
  ADD ("/canvas/gestures/insert-needs-ports", test_insert_needs_ports);
  ADD ("/canvas/gestures/heal", test_heal);
  ADD ("/canvas/gestures/heal-neighbours", test_heal_neighbours);
  ADD ("/canvas/gestures/loose-end", test_loose_end);
  ADD ("/canvas/gestures/move-start", test_move_start);
  ADD ("/canvas/gestures/offer", test_offer);
  ADD ("/canvas/gestures/connect-by-click", test_connect_by_click);
  ADD ("/canvas/gestures/resize", test_resize);
  ADD ("/canvas/gestures/notes", test_notes);
  ADD ("/canvas/gestures/frame", test_frame);
  return g_test_run ();
}

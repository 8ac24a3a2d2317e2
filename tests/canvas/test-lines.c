/* Physical lines under the tool: drawn from pin to pin, on one another and to nowhere, refused
 * where domains differ, parted by two-poles, and kept together where one goes. After every edit the
 * scene is compared with one made of nothing. */
#include <math.h>
#include <string.h>

#include "tool-fixture.h"

enum {
  V1 = 1,
  R1,
  C1,
  GROUND,
  MASS,
  LOOP = 10,
};

/* V1.p - R1.p, R1.n - C1.p, C1.n - V1.n are lines 10 to 12. */
static const char circuit[] =
    "<weir version=\"4\"><diagram>"
    "<block id=\"1\" type=\"VoltageSource\" name=\"V1\" x=\"40\" y=\"100\"/>"
    "<block id=\"2\" type=\"Resistor\" name=\"R1\" x=\"120\" y=\"50\"/>"
    "<block id=\"3\" type=\"Capacitor\" name=\"C1\" x=\"240\" y=\"100\" rotation=\"90\"/>"
    "<block id=\"4\" type=\"Ground\" name=\"Ground\" x=\"140\" y=\"240\"/>"
    "<block id=\"5\" type=\"Mass\" name=\"m1\" x=\"400\" y=\"100\"/>"
    "<line id=\"10\" from=\"1.p\" to=\"2.p\"/>"
    "<line id=\"11\" from=\"2.n\" to=\"3.p\"/>"
    "<line id=\"12\" from=\"3.n\" to=\"1.n\"/>"
    "</diagram></weir>";

static void
set_up_circuit (Fixture *fixture, gconstpointer text)
{
  fixture->document = example_document_from (text);
  fixture->tool = weir_tool_new ();
  take (fixture);
}

static WeirSite
site_of (Fixture *fixture)
{
  return (WeirSite) { weir_document_get_model (fixture->document), WEIR_PLACE_ROOT };
}

/* What a scene is that was made edit by edit is what one is that is made at once. */
static void
check_scene (Fixture *fixture)
{
  g_autoptr (WeirScene)
      fresh = weir_scene_new (weir_model_get_root (site_of (fixture).model), NULL);
  guint n = weir_scene_get_n_wires (fresh), n_dots, n_fresh_dots;
  const WeirPoint *dots = weir_scene_get_junctions (fixture->scene, &n_dots, NULL);
  const WeirPoint *fresh_dots = weir_scene_get_junctions (fresh, &n_fresh_dots, NULL);

  g_assert_cmpuint (weir_scene_get_n_wires (fixture->scene), ==, n);
  for (guint i = 0; i < n; i++)
    {
      const WeirWireShape *a = weir_scene_get_wire (fixture->scene, i);
      const WeirWireShape *b = weir_scene_get_wire (fresh, i);

      g_assert_cmpuint (a->node, ==, b->node);
      g_assert_true (a->domain == b->domain);
      g_assert_cmpint (a->is_joined, ==, b->is_joined);
      g_assert_cmpmem (a->points, a->n_points * sizeof *a->points, b->points,
                       b->n_points * sizeof *b->points);
    }
  g_assert_cmpmem (dots, n_dots * sizeof *dots, fresh_dots, n_fresh_dots * sizeof *fresh_dots);
}

static void
apply_checked (Fixture *fixture, WeirEdit *edit, const char *label)
{
  apply (fixture, edit, label);
  check_scene (fixture);
}

static WeirWire *
get_line (Fixture *fixture, guint32 id)
{
  WeirWire *wire = weir_diagram_find_wire (get_root (fixture), id);

  g_assert_nonnull (wire);
  g_assert_true (weir_wire_is_line (wire));
  return wire;
}

static guint32
get_last_wire (Fixture *fixture)
{
  guint n = weir_scene_get_n_wires (fixture->scene);

  return weir_wire_get_id (weir_scene_get_wire (fixture->scene, n - 1)->wire);
}

static void
assert_at (WeirWireEnd end, guint32 block, const char *pin)
{
  g_assert_cmpuint (end.block, ==, block);
  g_assert_cmpstr (end.port, ==, pin);
}

/* From pin to pin, and from a pin to a point of a line: a node with a dot. */
static void
test_drawn (Fixture *fixture, gconstpointer data)
{
  const WeirWireShape *loop = weir_scene_find_wire (fixture->scene, 12);
  const WeirPoint *dots;
  guint n_dots;
  guint32 id;

  g_assert_cmpstr (loop->domain->name, ==, "electrical");
  g_assert_cmpuint (loop->node, ==, 12);
  g_assert_cmpuint (weir_scene_find_wire (fixture->scene, 11)->node, ==, 11);
  g_assert_cmpfloat (loop->points[1].y, ==, 170); /* below both pins, which look down */
  apply_checked (fixture, drag (fixture, 160, 240, 160, 172, 0), "Add line");
  id = get_last_wire (fixture);
  assert_at (weir_wire_get_from (get_line (fixture, id)), GROUND, "p");
  g_assert_cmpuint (weir_wire_get_to (get_line (fixture, id)).line, ==, 12);
  g_assert_cmpuint (weir_scene_find_wire (fixture->scene, id)->node, ==, 12);
  dots = weir_scene_get_junctions (fixture->scene, &n_dots, NULL);
  g_assert_cmpuint (n_dots, ==, 1);
  g_assert_cmpfloat (dots[0].x, ==, 160);
  g_assert_cmpfloat (dots[0].y, ==, 170);

  /* With Ctrl a line begins on a line; let go on a block it ends at its nearest pin. */
  apply_checked (
      fixture, weir_edit_delete (site_of (fixture), (WeirElements) { .wires = &id, .n_wires = 1 }),
      "Delete 1 wire");
  apply_checked (fixture, drag (fixture, 100, 170, 160, 252, WEIR_TOOL_TOGGLE), "Add line");
  id = get_last_wire (fixture);
  g_assert_cmpuint (weir_wire_get_from (get_line (fixture, id)).line, ==, 12);
  assert_at (weir_wire_get_to (get_line (fixture, id)), GROUND, "p");

  /* It is moved itself. */
  apply_checked (fixture, drag (fixture, 160, 252, 200, 292, 0), "Move 1 block");
  weir_document_undo (fixture->document);
  take (fixture);

  /* What it ends on moves: it goes along. */
  apply_checked (fixture, drag (fixture, 260, 130, 300, 190, 0), "Move 1 block");
  weir_document_undo (fixture->document);
  take (fixture);
  check_scene (fixture);
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  const WeirBlockShape *mass = weir_scene_find_block (fixture->scene, MASS);
  const WeirBlockShape *ground = weir_scene_find_block (fixture->scene, GROUND);

  g_assert_null (weir_tool_press (fixture->tool, (WeirPoint) { 180, 70 }, 0));
  weir_tool_motion (fixture->tool, (WeirPoint) { 300, 100 }, 0);
  g_assert_true (weir_tool_is_legal_target (fixture->tool, GROUND, &ground->ports[0]));
  g_assert_false (weir_tool_is_legal_target (fixture->tool, MASS, &mass->ports[0]));
  g_assert_true (weir_tool_is_legal_line (fixture->tool, 12));
  g_assert_false (weir_tool_is_legal_line (fixture->tool, 11)); /* its own node */
  weir_tool_motion (fixture->tool, (WeirPoint) { 400, 120 }, 0);
  g_assert_cmpstr (
      weir_tool_get_refusal (fixture->tool), ==,
      "R1.n is electrical and m1.a is translational: a line joins pins of one domain.");
  weir_tool_motion (fixture->tool, (WeirPoint) { 260, 100 }, 0);
  g_assert_cmpstr (weir_tool_get_refusal (fixture->tool), ==, "R1.n and C1.p are joined already.");
  g_assert_null (weir_tool_release (fixture->tool, (WeirPoint) { 260, 100 }, 0));
}

/* Nor does a line end where signals begin or end. */
static void
test_refused_at_signals (Fixture *fixture, gconstpointer data)
{
  const WeirBlockShape *gain;

  apply_checked (fixture, weir_edit_add_block (site_of (fixture), "Gain", (WeirPoint) { 400, 300 }),
                 "Add Gain");
  gain = weir_scene_find_block (fixture->scene, 13);
  for (guint i = 0; i < gain->n_ports; i++)
    {
      WeirPoint at = gain->ports[i].position;

      g_assert_null (drag (fixture, 180, 70, at.x, at.y, 0));
      g_assert_null (weir_tool_press (fixture->tool, (WeirPoint) { 180, 70 }, 0));
      weir_tool_motion (fixture->tool, (WeirPoint) { at.x, at.y + 40 }, 0);
      weir_tool_motion (fixture->tool, at, 0);
      g_assert_cmpstr (weir_tool_get_refusal (fixture->tool), ==,
                       "A physical line ends at pins and on other physical lines.");
      weir_tool_cancel (fixture->tool);
    }
}

/* Let go where nothing is, parts of that domain are offered; what is chosen leads on. */
static void
test_offered (Fixture *fixture, gconstpointer data)
{
  WeirToolOffer offer;
  const WeirBlockShape *added;
  WeirWireEnd end;

  g_assert_null (drag (fixture, 180, 70, 180, 300, 0));
  offer = weir_tool_get_offer (fixture->tool);
  g_assert_true (offer.source.is_pin);
  end = (WeirWireEnd) { .block = offer.source.block, .port = offer.source.port };
  g_assert_true (weir_edit_type_has_pin ("Inductor", weir_edit_find_domain (fixture->scene, end)));
  g_assert_false (weir_edit_type_has_pin ("Mass", weir_edit_find_domain (fixture->scene, end)));
  g_assert_false (weir_edit_type_has_pin ("Gain", weir_edit_find_domain (fixture->scene, end)));
  apply_checked (fixture,
                 weir_edit_add_part (site_of (fixture), fixture->scene, "Inductor", end, offer.from,
                                     offer.point),
                 "Add L1");
  added = weir_scene_find_block (fixture->scene, 13);
  g_assert_cmpstr (weir_block_get_name (added->block), ==, "L1");
  g_assert_cmpfloat (weir_block_shape_find_port (added, "p", FALSE)->position.y, ==, 300);
  g_assert_cmpfloat (weir_block_shape_find_port (added, "p", FALSE)->normal.y, ==, -1);
  g_assert_cmpfloat (weir_block_shape_find_port (added, "n", FALSE)->position.y, ==, 360);
}

/* A two-pole on a line is in series, however it is turned; where it goes the line is whole. */
static void
test_series (Fixture *fixture, gconstpointer data)
{
  g_autoptr (WeirBlock) loose = weir_block_new (20, "Resistor", "R2", (WeirPoint) { 130, 145 });
  WeirPoint offset;
  guint32 line = weir_edit_find_wire_under (fixture->scene, loose, &offset), added = 20;
  g_autoptr (WeirBlock)
      placed = weir_block_with_position (loose, (WeirPoint) { 130 + offset.x, 145 + offset.y });
  guint n_wires = weir_diagram_get_n_wires (get_root (fixture));
  WeirWire *healed;

  g_assert_cmpuint (line, ==, 12);
  g_assert_cmpfloat (offset.y, ==, 5);
  /* The Ground is on what comes after it, C1.n being the line's start. */
  apply_checked (fixture, drag (fixture, 160, 240, 80, 170, 0), "Add line");
  apply_checked (fixture,
                 weir_edit_insert_into_wire (site_of (fixture), fixture->scene, line, placed),
                 "Insert R2 into line");
  assert_at (weir_wire_get_from (get_line (fixture, 12)), C1, "n");
  assert_at (weir_wire_get_to (get_line (fixture, 12)), 20, "n"); /* it comes from the right */
  assert_at (weir_wire_get_from (get_line (fixture, get_last_wire (fixture))), 20, "p");
  assert_at (weir_wire_get_to (get_line (fixture, get_last_wire (fixture))), V1, "n");
  g_assert_cmpuint (weir_wire_get_to (get_line (fixture, 13)).line, ==, get_last_wire (fixture));

  apply_checked (
      fixture,
      weir_edit_delete (site_of (fixture), (WeirElements) { .blocks = &added, .n_blocks = 1 }),
      "Delete R2");
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, n_wires + 1);
  g_assert_cmpuint (weir_scene_find_wire (fixture->scene, 13)->node, ==, 12);
  healed = get_line (fixture, weir_wire_get_to (get_line (fixture, 13)).line);
  g_assert_cmpuint (weir_wire_get_from (healed).block + weir_wire_get_to (healed).block, ==,
                    C1 + V1);

  /* On an upright piece it stands. */
  {
    g_autoptr (WeirBlock) level = weir_block_new (30, "Resistor", "R3", (WeirPoint) { 230, 65 });
    const WeirWireShape *upright = weir_scene_find_wire (fixture->scene, 11);

    g_assert_cmpfloat (upright->points[1].x, ==, 260);
    line = weir_edit_find_wire_under (fixture->scene, level, &offset);
    g_assert_cmpuint (line, ==, 11);
    apply_checked (fixture,
                   weir_edit_insert_into_wire (site_of (fixture), fixture->scene, line, level),
                   "Insert R3 into line");
    g_assert_cmpuint (
        weir_block_get_rotation (weir_scene_find_block (fixture->scene, 30)->block) % 2, ==, 1);
  }
}

/* Where a line goes that others end on, these stay one node. */
static void
test_healed (Fixture *fixture, gconstpointer data)
{
  guint32 source = V1, loop = 12, ground, second;

  apply_checked (fixture, drag (fixture, 160, 240, 160, 170, 0), "Add line");
  ground = get_last_wire (fixture);

  /* V1 was in series with R1: what it joined is joined, the Ground with it. */
  apply_checked (
      fixture,
      weir_edit_delete (site_of (fixture), (WeirElements) { .blocks = &source, .n_blocks = 1 }),
      "Delete V1");
  g_assert_null (weir_diagram_find_wire (get_root (fixture), 12));
  g_assert_cmpuint (weir_wire_get_to (get_line (fixture, ground)).line, ==, 10);
  assert_at (weir_wire_get_from (get_line (fixture, 10)), C1, "n");
  assert_at (weir_wire_get_to (get_line (fixture, 10)), R1, "p");
  weir_document_undo (fixture->document);
  take (fixture);
  check_scene (fixture);

  /* Alone it is left with a loose end; two are joined with each other. */
  apply_checked (
      fixture,
      weir_edit_delete (site_of (fixture), (WeirElements) { .wires = &loop, .n_wires = 1 }),
      "Delete 1 wire");
  g_assert_cmpuint (weir_wire_get_to (get_line (fixture, ground)).line, ==, 0);
  g_assert_false (weir_scene_find_wire (fixture->scene, ground)->to_connected);
  weir_document_undo (fixture->document);
  take (fixture);
  apply_checked (fixture, drag (fixture, 120, 70, 100, 170, 0), "Add line");
  second = get_last_wire (fixture);
  apply_checked (
      fixture,
      weir_edit_delete (site_of (fixture), (WeirElements) { .wires = &loop, .n_wires = 1 }),
      "Delete 1 wire");
  g_assert_null (weir_diagram_find_wire (get_root (fixture), second));
  assert_at (weir_wire_get_from (get_line (fixture, ground)), GROUND, "p");
  assert_at (weir_wire_get_to (get_line (fixture, ground)), R1, "p");
}

/* R1 is alone between V1 and C1, but C1 between two nodes of three pins is not in series. */
static void
test_parallel_is_not_healed (Fixture *fixture, gconstpointer data)
{
  guint32 capacitor = C1, resistor = R1;
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirBlock) other = weir_block_new (20, "Resistor", "R2", (WeirPoint) { 300, 110 });
  g_autoptr (WeirWire)
      a = weir_line_new (21, (WeirWireEnd) { .block = 20, .port = "p" },
                         (WeirWireEnd) { .line = 11, .point = { 200, 70 } }, NULL, 0);
  g_autoptr (WeirWire)
      b = weir_line_new (22, (WeirWireEnd) { .block = 20, .port = "n" },
                         (WeirWireEnd) { .line = 12, .point = { 200, 170 } }, NULL, 0);

  weir_patch_set_block (patch, WEIR_PLACE_ROOT, other);
  weir_patch_set_wire (patch, WEIR_PLACE_ROOT, a);
  weir_patch_set_wire (patch, WEIR_PLACE_ROOT, b);
  g_assert_true (weir_document_edit (fixture->document, patch, "Add", NULL, NULL));
  take (fixture);
  check_scene (fixture);
  apply_checked (
      fixture,
      weir_edit_delete (site_of (fixture), (WeirElements) { .blocks = &capacitor, .n_blocks = 1 }),
      "Delete C1");
  /* What it was joined with at either side still is: R1.n with R2.p, V1.n with R2.n. */
  g_assert_cmpuint (weir_scene_find_line_at (fixture->scene, R1, "n")->node, ==,
                    weir_scene_find_line_at (fixture->scene, 20, "p")->node);
  g_assert_cmpuint (weir_scene_find_line_at (fixture->scene, V1, "n")->node, ==,
                    weir_scene_find_line_at (fixture->scene, 20, "n")->node);
  g_assert_cmpuint (weir_scene_find_line_at (fixture->scene, 20, "p")->node, !=,
                    weir_scene_find_line_at (fixture->scene, 20, "n")->node);
  apply_checked (
      fixture,
      weir_edit_delete (site_of (fixture), (WeirElements) { .blocks = &resistor, .n_blocks = 1 }),
      "Delete R1");
  g_assert_cmpuint (weir_scene_find_line_at (fixture->scene, V1, "p")->node, ==,
                    weir_scene_find_line_at (fixture->scene, 20, "p")->node);
}

/* What crosses the border of a Subsystem goes through a Pin for each node; expanded, it is as
 * before. */
static void
test_grouped (Fixture *fixture, gconstpointer data)
{
  const guint32 blocks[] = { R1, C1 };
  const WeirBlockShape *subsystem;
  WeirEdit *edit;
  WeirDiagram *inner;
  guint32 id, ground;
  guint n_lines = 0;

  apply_checked (fixture, drag (fixture, 160, 240, 160, 170, 0), "Add line");
  ground = get_last_wire (fixture);
  edit = weir_edit_group (site_of (fixture), (WeirElements) { .blocks = blocks, .n_blocks = 2 });
  id = g_array_index (edit->new_blocks, guint32, 0);
  apply_checked (fixture, edit, "Group 2 blocks");
  subsystem = weir_scene_find_block (fixture->scene, id);
  g_assert_cmpuint (subsystem->n_pins, ==, 2);
  g_assert_true (weir_scene_find_line_at (fixture->scene, V1, "p")
                 == weir_scene_find_line_at (fixture->scene, id,
                                             subsystem->ports[subsystem->n_ports - 2].name));
  g_assert_cmpstr (subsystem->ports[0].domain->name, ==, "electrical");
  g_assert_cmpuint (weir_wire_get_to (get_line (fixture, ground)).line, ==, 12);
  g_assert_cmpuint (weir_scene_find_wire (fixture->scene, 12)->node, ==, 12);
  g_assert_true (weir_scene_find_wire (fixture->scene, 12)->from_connected);
  inner = weir_block_get_diagram (subsystem->block);
  g_assert_cmpuint (weir_diagram_get_n_blocks (inner), ==, 4);
  g_assert_cmpuint (weir_diagram_get_n_wires (inner), ==, 3);
  g_assert_nonnull (weir_diagram_find_wire (inner, 11));

  edit = weir_edit_expand (site_of (fixture), id);
  apply_checked (fixture, edit, "Expand Subsystem");
  for (guint i = 0; i < weir_scene_get_n_wires (fixture->scene); i++)
    n_lines += weir_scene_get_wire (fixture->scene, i)->node != 0;
  g_assert_cmpuint (n_lines, ==, 4);
  g_assert_cmpuint (weir_scene_find_line_at (fixture->scene, V1, "p")->node, ==,
                    weir_scene_find_line_at (fixture->scene, R1, "p")->node);
  g_assert_cmpuint (weir_scene_find_line_at (fixture->scene, V1, "n")->node, ==,
                    weir_scene_find_line_at (fixture->scene, C1, "n")->node);
  g_assert_cmpuint (weir_scene_find_line_at (fixture->scene, GROUND, "p")->node, ==,
                    weir_scene_find_line_at (fixture->scene, C1, "n")->node);
  g_assert_cmpuint (weir_scene_find_line_at (fixture->scene, R1, "p")->node, !=,
                    weir_scene_find_line_at (fixture->scene, R1, "n")->node);
}

/* Line 12 ends at a pin that the Subsystem no longer has; the ground is joined with V1.n by it. */
static const char lost_pin[] =
    "<weir version=\"4\"><diagram>"
    "<block id=\"1\" type=\"VoltageSource\" name=\"V1\" x=\"40\" y=\"100\"/>"
    "<block id=\"4\" type=\"Ground\" name=\"Ground\" x=\"140\" y=\"240\"/>"
    "<block id=\"20\" type=\"Subsystem\" name=\"S\" x=\"240\" y=\"100\"><diagram>"
    "<block id=\"2\" type=\"Resistor\" name=\"R1\" x=\"120\" y=\"50\"/>"
    "<block id=\"21\" type=\"Pin\" name=\"a\" x=\"0\" y=\"50\"/>"
    "<line id=\"22\" from=\"21.p\" to=\"2.p\"/></diagram></block>"
    "<line id=\"10\" from=\"1.p\" to=\"20.a\"/>"
    "<line id=\"12\" from=\"20.lost\" to=\"1.n\"/>"
    "<line id=\"13\" from-x=\"150\" from-y=\"200\" from-line=\"12\" to=\"4.p\"/>"
    "</diagram></weir>";

static void
test_expanded_without_pin (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  apply_checked (fixture, weir_edit_expand (site_of (fixture), 20), "Expand S");
  g_assert_null (weir_scene_find_wire (fixture->scene, 12));
  g_assert_cmpuint (weir_scene_find_line_at (fixture->scene, V1, "p")->node, ==,
                    weir_scene_find_line_at (fixture->scene, R1, "p")->node);
  g_assert_cmpuint (weir_scene_find_line_at (fixture->scene, V1, "n")->node, ==,
                    weir_scene_find_line_at (fixture->scene, GROUND, "p")->node);
  g_assert_null (weir_scene_find_line_at (fixture->scene, R1, "n"));
}

/* A source, what lets through, and the reference, in a domain of the user's own. */
#define ACOUSTIC "acoustic: p \"Pa\", q \"m^3/s\""
#define ACOUSTIC_XML                                                                               \
  "domain acoustic: p &quot;Pa&quot;, q &quot;m^3/s&quot;&#10;pin a: acoustic&#10;"
static const char own_domain[] =
    "<weir version=\"4\"><diagram>"
    "<block id=\"1\" type=\"Equations\" name=\"S\" x=\"40\" y=\"100\"><parameter "
    "name=\"equations\" value=\"" ACOUSTIC_XML "pin b: acoustic&#10;fixes a b&#10;through q: a -> "
    "b&#10;across dp: a - b&#10;dp ~ 10\"/></block>"
    "<block id=\"2\" type=\"Equations\" name=\"H\" x=\"240\" y=\"100\"><parameter "
    "name=\"equations\" value=\"" ACOUSTIC_XML "pin b: acoustic&#10;through q: a -> "
    "b&#10;across dp: a - b&#10;dp ~ 5*q\"/></block>"
    "<block id=\"3\" type=\"Equations\" name=\"X\" x=\"140\" y=\"240\"><parameter "
    "name=\"equations\" value=\"" ACOUSTIC_XML "reference a\"/></block>"
    "<block id=\"4\" type=\"Ground\" name=\"G1\" x=\"400\" y=\"240\"/>"
    "<line id=\"10\" from=\"1.a\" to=\"2.a\"/><line id=\"11\" from=\"1.b\" to=\"2.b\"/>"
    "<line id=\"12\" from=\"1.b\" to=\"3.a\"/></diagram></weir>";

static guint
count_problems (Fixture *fixture, const char *code, WeirSystem **system)
{
  g_autoptr (WeirDiagnostics) problems = NULL;
  guint n = 0;

  *system = weir_document_complete (fixture->document, &problems);
  for (guint i = 0; i < weir_diagnostics_get_size (problems); i++)
    n += g_str_equal (weir_diagnostics_get (problems, i)->code, code);
  return n;
}

/* The pins of the Subsystem declare the domain of what crosses its border, so that it is a network
 * as before and nothing of another domain may be joined with them. */
static void
test_grouped_own_domain (Fixture *fixture, gconstpointer data)
{
  const guint32 horn = 2;
  WeirEdit *edit = weir_edit_group (site_of (fixture),
                                    (WeirElements) { .blocks = &horn, .n_blocks = 1 });
  guint32 id = g_array_index (edit->new_blocks, guint32, 0);
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirSystem) refused = NULL;
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirWire) wrong = NULL;
  g_autoptr (GPtrArray) blocks = NULL;
  const WeirBlockShape *subsystem;
  guint n_pins = 0;

  apply_checked (fixture, edit, "Group 1 block");
  subsystem = weir_scene_find_block (fixture->scene, id);
  g_assert_cmpuint (subsystem->n_pins, ==, 2);
  g_assert_cmpstr (subsystem->ports[0].domain->name, ==, "acoustic");
  blocks = weir_diagram_list_blocks (weir_block_get_diagram (subsystem->block));
  for (guint i = 0; i < blocks->len; i++)
    if (g_str_equal (weir_block_get_type_name (blocks->pdata[i]), "Pin"))
      {
        n_pins++;
        g_assert_cmpstr (weir_block_get_parameter (blocks->pdata[i], "domain"), ==, "declared");
        g_assert_cmpstr (weir_block_get_parameter (blocks->pdata[i], "declaration"), ==, ACOUSTIC);
      }
  g_assert_cmpuint (n_pins, ==, 2);
  g_assert_cmpuint (count_problems (fixture, "LIN01", &system), ==, 0);
  g_assert_nonnull (system);

  wrong = weir_line_new (weir_model_get_next_id (site_of (fixture).model),
                         (WeirWireEnd) { .block = 4, .port = "p" },
                         (WeirWireEnd) { .block = id, .port = subsystem->ports[0].name }, NULL, 0);
  weir_patch_set_wire (patch, WEIR_PLACE_ROOT, wrong);
  g_assert_true (weir_document_edit (fixture->document, patch, "Add", NULL, NULL));
  g_assert_cmpuint (count_problems (fixture, "LIN01", &refused), >, 0);
  g_assert_null (refused);
}

/* By keyboard: the pins of the domain, and no others. */
static void
test_keyboard (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  g_assert_true (weir_tool_begin_wire (fixture->tool, GROUND, "p", FALSE));
  for (int i = 0; i < 10; i++)
    {
      WeirToolPort target = weir_tool_get_wire_target (fixture->tool);

      g_assert_true (target.is_pin);
      g_hash_table_add (seen, GUINT_TO_POINTER (target.block));
      if (target.block == V1 && g_str_equal (target.port, "n"))
        break;
      weir_tool_next_target (fixture->tool, 1);
    }
  g_assert_false (g_hash_table_contains (seen, GUINT_TO_POINTER (MASS)));
  apply_checked (fixture, weir_tool_accept (fixture->tool), "Connect Ground to V1");
}

/* Turned and flipped, a two-pole keeps both pins on one line, and the grid. */
static void
test_turned (Fixture *fixture, gconstpointer data)
{
  for (int quarters = 0; quarters < 8; quarters++)
    {
      g_autoptr (WeirBlock) plain = weir_block_new (1, "Resistor", "R", (WeirPoint) { 100, 100 });
      g_autoptr (WeirBlock) turned = weir_block_with_orientation (
          plain, (WeirRotation) (quarters % 4), quarters >= 4);
      g_autoptr (WeirBlockShape) shape = weir_block_shape_new (turned);
      WeirPoint p = weir_block_shape_find_port (shape, "p", FALSE)->position;
      WeirPoint n = weir_block_shape_find_port (shape, "n", FALSE)->position;

      g_assert_cmpfloat (weir_snap (p.x), ==, p.x);
      g_assert_cmpfloat (weir_snap (p.y), ==, p.y);
      g_assert_true ((p.x == n.x) != (p.y == n.y));
      g_assert_cmpfloat (fabs (p.x - n.x) + fabs (p.y - n.y), ==, 60);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, test) g_test_add (path, Fixture, circuit, set_up_circuit, test, tear_down)
  ADD ("/canvas/lines/drawn", test_drawn);
  ADD ("/canvas/lines/refused", test_refused);
  ADD ("/canvas/lines/refused-at-signals", test_refused_at_signals);
  ADD ("/canvas/lines/offered", test_offered);
  ADD ("/canvas/lines/series", test_series);
  ADD ("/canvas/lines/healed", test_healed);
  ADD ("/canvas/lines/parallel-is-not-healed", test_parallel_is_not_healed);
  ADD ("/canvas/lines/grouped", test_grouped);
  g_test_add ("/canvas/lines/grouped-own-domain", Fixture, own_domain, set_up_circuit,
              test_grouped_own_domain, tear_down);
  g_test_add ("/canvas/lines/expanded-without-pin", Fixture, lost_pin, set_up_circuit,
              test_expanded_without_pin, tear_down);
  ADD ("/canvas/lines/keyboard", test_keyboard);
  ADD ("/canvas/lines/turned", test_turned);
  return g_test_run ();
}

/* Shapes, routes and scenes: numbers, not pixels. */
#include <math.h>

#include "../seeds.h"
#include "../canvas/example.h"
#include "paint/ground/routing.h"
#include "paint/scene/scene.h"

#define assert_point(p, px, py)                                                                    \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_assert_cmpfloat ((p).x, ==, px);                                                             \
    g_assert_cmpfloat ((p).y, ==, py);                                                             \
  }                                                                                                \
  G_STMT_END

static WeirBlockShape *
make_shape (const char *type, WeirRotation rotation, gboolean flipped, const char *parameter,
            const char *text)
{
  g_autoptr (WeirBlock) plain = weir_block_new (1, type, "b", (WeirPoint) { 100, 200 });
  g_autoptr (WeirBlock) turned = weir_block_with_orientation (plain, rotation, flipped);
  g_autoptr (WeirBlock) block = parameter != NULL
                                    ? weir_block_with_parameter (turned, parameter, text)
                                    : weir_block_ref (turned);

  return weir_block_shape_new (block);
}

static void
test_ports (void)
{
  /* A Constant is 60 x 40; its one output is in the middle of a side, looking outward. */
  static const struct {
    WeirRotation rotation;
    gboolean flipped;
    double width, height, x, y, nx, ny;
  } cases[] = {
    { WEIR_ROTATION_0, FALSE, 60, 40, 160, 220, 1, 0 },
    { WEIR_ROTATION_0, TRUE, 60, 40, 100, 220, -1, 0 },
    { WEIR_ROTATION_90, FALSE, 40, 60, 120, 260, 0, 1 },
    { WEIR_ROTATION_180, FALSE, 60, 40, 100, 220, -1, 0 },
    { WEIR_ROTATION_270, FALSE, 40, 60, 120, 200, 0, -1 },
    { WEIR_ROTATION_90, TRUE, 40, 60, 120, 200, 0, -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirBlockShape)
          shape = make_shape ("Constant", cases[i].rotation, cases[i].flipped, NULL, NULL);
      const WeirPortShape *port = weir_block_shape_find_port (shape, "y", TRUE);

      g_assert_nonnull (port);
      g_assert_null (weir_block_shape_find_port (shape, "y", FALSE));
      g_assert_cmpfloat (shape->box.width, ==, cases[i].width);
      g_assert_cmpfloat (shape->box.height, ==, cases[i].height);
      assert_point (port->position, cases[i].x, cases[i].y);
      assert_point (port->normal, cases[i].nx, cases[i].ny);
    }
}

/* Every port of every type in every orientation lies on its outline's box and on the grid, so that
 * ports of snapped blocks line up. */
static void
test_ports_on_grid (void)
{
  for (guint t = 0; t < weir_registry_get_n_types (); t++)
    for (int r = 0; r < 4; r++)
      for (int f = 0; f < 2; f++)
        {
          g_autoptr (WeirBlockShape) shape = make_shape (weir_registry_get_type (t)->name,
                                                         (WeirRotation) r, f == 1, NULL, NULL);
          WeirRect b = shape->box;

          for (guint i = 0; i < shape->n_inputs + shape->n_outputs; i++)
            {
              WeirPoint p = shape->ports[i].position, n = shape->ports[i].normal;

              g_assert_cmpfloat (p.x, ==, weir_snap (p.x));
              g_assert_cmpfloat (p.y, ==, weir_snap (p.y));
              g_assert_cmpfloat (fabs (n.x) + fabs (n.y), ==, 1);
              if (n.x != 0)
                g_assert_cmpfloat (p.x, ==, n.x > 0 ? b.x + b.width : b.x);
              else
                g_assert_cmpfloat (p.y, ==, n.y > 0 ? b.y + b.height : b.y);
            }
        }
}

static void
test_sizes (void)
{
  g_autoptr (WeirBlockShape) round = make_shape ("Sum", WEIR_ROTATION_0, FALSE, "signs", "+-");
  g_autoptr (WeirBlockShape) three = make_shape ("Sum", WEIR_ROTATION_0, FALSE, "signs", "+-+");
  g_autoptr (WeirBlockShape) many = make_shape ("Sum", WEIR_ROTATION_0, FALSE, "signs", "+++++++");
  g_autoptr (WeirBlockShape) wrong = make_shape ("NoSuchType", WEIR_ROTATION_0, FALSE, NULL, NULL);
  g_autoptr (WeirBlock) plain = weir_block_new (1, "Gain", "g", (WeirPoint) { 0, 0 });
  g_autoptr (WeirBlock) sized = weir_block_with_size (plain, (WeirPoint) { 200, 1e9 });
  g_autoptr (WeirBlockShape) own = weir_block_shape_new (sized);

  g_assert_cmpint (round->outline, ==, WEIR_OUTLINE_CIRCLE);
  assert_point (weir_block_shape_find_port (round, "in1", FALSE)->position, 100, 220);
  assert_point (weir_block_shape_find_port (round, "in2", FALSE)->position, 120, 240);
  g_assert_cmpint (round->name_place, ==, WEIR_NAME_ABOVE);
  assert_point (weir_block_shape_find_port (three, "in1", FALSE)->position, 120, 200);
  g_assert_cmpint (three->name_place, ==, WEIR_NAME_BESIDE);
  g_assert_cmpint (many->outline, ==, WEIR_OUTLINE_BOX);
  g_assert_cmpfloat (many->box.height, ==, 160); /* (7 + 1) x 20 */
  g_assert_null (wrong->type);
  g_assert_cmpuint (wrong->n_inputs + wrong->n_outputs, ==, 0);
  g_assert_cmpfloat (own->box.width, ==, 200);
  g_assert_cmpfloat (own->box.height, <=, 4000); /* whatever a file says */
}

static void
test_hits (void)
{
  g_autoptr (WeirBlockShape) sum = make_shape ("Sum", WEIR_ROTATION_0, FALSE, "signs", "+-");
  const WeirPortShape *port;

  g_assert_true (weir_block_shape_hits (sum, (WeirPoint) { 120, 220 }, 0));
  g_assert_false (weir_block_shape_hits (sum, (WeirPoint) { 102, 202 }, 0)); /* off the circle */
  port = weir_block_shape_hit_port (sum, (WeirPoint) { 118, 244 }, 6);
  g_assert_nonnull (port);
  g_assert_cmpstr (port->name, ==, "in2");
  g_assert_null (weir_block_shape_hit_port (sum, (WeirPoint) { 120, 220 }, 6));
}

/* --- Routes ---------------------------------------------------------------------------------- */

static GArray *
route (WeirPoint a, WeirPoint na, WeirPoint b, WeirPoint nb, const WeirPoint *bends, guint n_bends,
       const WeirRect *obstacles, guint n_obstacles)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (WeirPoint));
  WeirRouteEnd from = { a, na }, to = { b, nb };

  weir_route (&from, &to, bends, n_bends, obstacles, n_obstacles, points);
  return points;
}

static WeirPoint
get_point (GArray *points, guint i)
{
  return g_array_index (points, WeirPoint, i);
}

static gboolean
crosses (GArray *points, WeirRect box)
{
  for (guint i = 0; i + 1 < points->len; i++)
    {
      WeirRect segment = weir_rect_from_corners (get_point (points, i), get_point (points, i + 1));

      if (weir_rect_intersects (weir_rect_grow (segment, 1e-9), weir_rect_grow (box, -1e-6)))
        return TRUE;
    }
  return FALSE;
}

static void
check_route (GArray *points, WeirPoint a, WeirPoint na, WeirPoint b, WeirPoint nb)
{
  WeirPoint p, q;

  g_assert_cmpuint (points->len, >=, 2);
  assert_point (get_point (points, 0), a.x, a.y);
  assert_point (get_point (points, points->len - 1), b.x, b.y);
  for (guint i = 0; i + 1 < points->len; i++)
    {
      p = get_point (points, i);
      q = get_point (points, i + 1);
      g_assert_true ((p.x == q.x) != (p.y == q.y));
      if (i > 0)
        {
          WeirPoint o = get_point (points, i - 1);

          g_assert_true ((o.x == p.x) != (p.x == q.x)); /* every corner turns */
        }
    }
  p = get_point (points, 1);
  q = get_point (points, points->len - 2);
  g_assert_cmpfloat ((p.x - a.x) * na.x + (p.y - a.y) * na.y, >, 0);
  g_assert_cmpfloat ((q.x - b.x) * nb.x + (q.y - b.y) * nb.y, >, 0);
}

static const WeirPoint right = { 1, 0 }, left = { -1, 0 }, up = { 0, -1 }, down = { 0, 1 };

static void
test_simple_routes (void)
{
  g_autoptr (GArray) straight = route ((WeirPoint) { 0, 0 }, right, (WeirPoint) { 100, 0 }, left,
                                       NULL, 0, NULL, 0);
  g_autoptr (GArray)
      s = route ((WeirPoint) { 0, 0 }, right, (WeirPoint) { 100, 50 }, left, NULL, 0, NULL, 0);
  g_autoptr (GArray) corner = route ((WeirPoint) { 0, 0 }, right, (WeirPoint) { 100, -50 }, down,
                                     NULL, 0, NULL, 0);

  g_assert_cmpuint (straight->len, ==, 2);
  g_assert_cmpuint (s->len, ==, 4);
  assert_point (get_point (s, 1), 50, 0);
  assert_point (get_point (s, 2), 50, 50);
  g_assert_cmpuint (corner->len, ==, 3);
  assert_point (get_point (corner, 1), 100, 0);
}

/* Feedback from the right side of one block to the left side of one before it goes around both,
 * below. */
static void
test_feedback (void)
{
  WeirRect boxes[2] = { { 200, 0, 60, 60 }, { 0, 0, 60, 60 } };
  WeirPoint a = { 260, 30 }, b = { 0, 30 };
  g_autoptr (GArray) points = route (a, right, b, left, NULL, 0, boxes, 2);

  check_route (points, a, right, b, left);
  g_assert_false (crosses (points, boxes[0]));
  g_assert_false (crosses (points, boxes[1]));
  g_assert_cmpuint (points->len, ==, 6);
  assert_point (get_point (points, 2), 270, 70);
}

static void
test_obstacle (void)
{
  WeirRect boxes[3] = { { 0, 0, 60, 60 }, { 300, 0, 60, 60 }, { 150, -20, 60, 100 } };
  WeirPoint a = { 60, 30 }, b = { 300, 30 };
  g_autoptr (GArray) points = route (a, right, b, left, NULL, 0, boxes, 3);

  check_route (points, a, right, b, left);
  for (int i = 0; i < 3; i++)
    g_assert_false (crosses (points, boxes[i]));
}

/* A wire goes round a name that is wider than its block, and beside one; and where it is pushed
 * aside it is not pushed onto a name. */
static void
test_names (void)
{
  static const char *const name = "a name that is much wider";
  WeirPatch *patch = weir_patch_new ();
  g_autoptr (WeirModel) empty = weir_model_new ();
  g_autoptr (WeirModel) model = NULL;
  g_autoptr (WeirScene) scene = NULL;
  const WeirBlockShape *wide;
  const WeirWireShape *wire;

  example_add_block (patch, WEIR_PLACE_ROOT, 1, "Constant", "a", 0, 0);
  example_add_block (patch, WEIR_PLACE_ROOT, 2, "Scope", "b", 400, 110);
  example_add_block (patch, WEIR_PLACE_ROOT, 3, "Gain", name, 210, 40);
  example_add_wire (patch, WEIR_PLACE_ROOT, 4, 1, "y", 2, "in1");
  model = weir_model_apply (empty, patch, NULL, NULL);
  weir_patch_free (patch);
  g_assert_nonnull (model);
  scene = weir_scene_new (weir_model_get_root (model), NULL);
  wide = weir_scene_find_block (scene, 3);
  wire = weir_scene_find_wire (scene, 4);
  g_assert_cmpfloat (wide->name.width, >, 2 * wide->box.width);
  g_assert_cmpuint (weir_scene_hit_name (scene, weir_rect_get_center (wide->name)), ==, 3);
  g_assert_cmpuint (weir_scene_hit_name (scene, weir_rect_get_center (wide->box)), ==, 0);
  for (guint i = 0; i + 1 < wire->n_points; i++)
    {
      WeirRect segment = weir_rect_from_corners (wire->points[i], wire->points[i + 1]);

      g_assert_false (
          weir_rect_intersects (weir_rect_grow (segment, 0.5), weir_rect_grow (wide->name, -6)));
      g_assert_false (weir_rect_intersects (weir_rect_grow (segment, 0.5), wide->box));
    }
}

static void
test_bends (void)
{
  WeirPoint a = { 0, 0 }, b = { 200, 0 };
  WeirPoint bends[2] = { { 40, 80 }, { 160, 80 } };
  g_autoptr (GArray) points = route (a, right, b, left, bends, 2, NULL, 0);
  g_autoptr (GArray) moved = g_array_new (FALSE, FALSE, sizeof (WeirPoint));
  g_autoptr (GArray) again = NULL;

  check_route (points, a, right, b, left);
  for (int i = 0; i < 2; i++)
    {
      gboolean through = FALSE;

      for (guint k = 0; k + 1 < points->len; k++)
        through |= weir_point_distance_to_segment (bends[i], get_point (points, k),
                                                   get_point (points, k + 1))
                   < 1e-9;
      g_assert_true (through);
    }
  /* Moving the middle leg of an S by hand: the route then goes there. */
  {
    g_autoptr (GArray) s = route (a, right, (WeirPoint) { 200, 60 }, left, NULL, 0, NULL, 0);

    weir_route_move_segment ((const WeirPoint *) (gpointer) s->data, s->len, 1,
                             (WeirPoint) { 30, 99 }, moved);
    g_assert_cmpuint (moved->len, ==, 2);
    assert_point (get_point (moved, 0), 130, 0);
    assert_point (get_point (moved, 1), 130, 60);
    again = route (a, right, (WeirPoint) { 200, 60 }, left,
                   (const WeirPoint *) (gpointer) moved->data, moved->len, NULL, 0);
    g_assert_cmpuint (again->len, ==, 4);
    assert_point (get_point (again, 1), 130, 0);
  }
  /* A straight wire pulled down keeps stubs at both ports. */
  {
    WeirPoint line[2] = { a, b };
    g_autoptr (GArray) pulled = NULL;

    weir_route_move_segment (line, 2, 0, (WeirPoint) { 5, 40 }, moved);
    g_assert_cmpuint (moved->len, ==, 4);
    pulled = route (a, right, b, left, (const WeirPoint *) (gpointer) moved->data, moved->len, NULL,
                    0);
    check_route (pulled, a, right, b, left);
    g_assert_cmpuint (pulled->len, ==, 6);
    assert_point (get_point (pulled, 2), 10, 40);
  }
}

/* Whatever the ends and obstacles, a route is a route; with room between the ends it crosses
 * neither. */
/* Facing ends 20 apart: the middle leg of an S, snapped to the grid, must not land on an end. */
static void
test_close_ends (void)
{
  const WeirRect boxes[] = { { 430, 150, 60, 60 }, { 510, 290, 60, 60 }, { 450, 200, 60, 60 } };
  g_autoptr (GArray) points = route ((WeirPoint) { 490, 180 }, right, (WeirPoint) { 510, 320 },
                                     left, NULL, 0, boxes, 3);

  check_route (points, (WeirPoint) { 490, 180 }, right, (WeirPoint) { 510, 320 }, left);
}

static void
test_random_routes (void)
{
  const WeirPoint normals[4] = { right, down, left, up };
  guint32 seed = get_test_seed (35);
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  for (int i = 0; i < 2000; i++)
    {
      WeirRect boxes[20];
      WeirPoint ends[2], n[2];
      guint n_boxes = (guint) g_rand_int_range (random, 2, 20);
      g_autoptr (GArray) points = NULL;
      g_autoptr (GArray) twin = NULL;

      for (guint k = 0; k < n_boxes; k++)
        boxes[k] = (WeirRect) { weir_snap (g_rand_double_range (random, 0, 600)),
                                weir_snap (g_rand_double_range (random, 0, 400)), 60, 60 };
      for (int k = 0; k < 2; k++)
        {
          n[k] = normals[g_rand_int_range (random, 0, 4)];
          ends[k] = weir_rect_get_center (boxes[k]);
          ends[k].x += 30 * n[k].x;
          ends[k].y += 30 * n[k].y;
        }
      if (weir_rect_intersects (weir_rect_grow (boxes[0], 21), boxes[1]))
        continue;
      points = route (ends[0], n[0], ends[1], n[1], NULL, 0, boxes, n_boxes);
      check_route (points, ends[0], n[0], ends[1], n[1]);
      twin = route (ends[0], n[0], ends[1], n[1], NULL, 0, boxes, n_boxes);
      g_assert_cmpmem (points->data, points->len * sizeof (WeirPoint), twin->data,
                       twin->len * sizeof (WeirPoint));
      g_clear_pointer (&twin, g_array_unref);
      twin = route (ends[0], n[0], ends[1], n[1], NULL, 0, boxes, 2);
      g_assert_false (crosses (twin, boxes[0]));
      g_assert_false (crosses (twin, boxes[1]));
    }
}

/* --- Scenes ---------------------------------------------------------------------------------- */

static void
test_scene (void)
{
  g_autoptr (WeirModel) model = example_model ();
  g_autoptr (WeirScene) scene = weir_scene_new (weir_model_get_root (model), NULL);
  const WeirPoint *junctions;
  WeirHit hit;
  guint n;

  g_assert_cmpuint (weir_scene_get_n_blocks (scene), ==, 6);
  g_assert_cmpuint (weir_scene_get_n_wires (scene), ==, 6);
  junctions = weir_scene_get_junctions (scene, &n, NULL);
  g_assert_cmpuint (n, ==, 1); /* where the feedback leaves */
  assert_point (junctions[0], 590, 30);
  g_assert_true (weir_scene_is_connected (scene, EXAMPLE_SUM, "in2", FALSE));
  g_assert_false (weir_scene_is_connected (scene, EXAMPLE_SUM, "in2", TRUE));
  /* The Subsystem's ports are its In and Out. */
  g_assert_nonnull (
      weir_block_shape_find_port (weir_scene_find_block (scene, EXAMPLE_PLANT), "u", FALSE));

  hit = weir_scene_hit (scene, (WeirPoint) { 30, 30 }, 5);
  g_assert_cmpint (hit.kind, ==, WEIR_HIT_BLOCK);
  g_assert_cmpuint (hit.id, ==, EXAMPLE_SINE);
  hit = weir_scene_hit (scene, (WeirPoint) { 62, 31 }, 5);
  g_assert_cmpint (hit.kind, ==, WEIR_HIT_PORT);
  g_assert_cmpstr (hit.port->name, ==, "y");
  hit = weir_scene_hit (scene, (WeirPoint) { 90, 33 }, 5);
  g_assert_cmpint (hit.kind, ==, WEIR_HIT_WIRE);
  g_assert_cmpuint (hit.id, ==, EXAMPLE_WIRE_SINE_GAIN);
  hit = weir_scene_hit (scene, (WeirPoint) { 90, 200 }, 5);
  g_assert_cmpint (hit.kind, ==, WEIR_HIT_NOTHING);
}

/* After an edit, what did not change is the same object. */
static void
test_sharing (void)
{
  g_autoptr (WeirModel) model = example_model ();
  g_autoptr (WeirScene) before = weir_scene_new (weir_model_get_root (model), NULL);
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirModel) edited = NULL;
  g_autoptr (WeirScene) after = NULL;
  g_autoptr (WeirScene) fresh = NULL;
  WeirBlock *scope = weir_diagram_find_block (weir_model_get_root (model), EXAMPLE_SCOPE);
  g_autoptr (WeirBlock) moved = weir_block_with_position (scope, (WeirPoint) { 660, 300 });

  weir_patch_set_block (patch, WEIR_PLACE_ROOT, moved);
  edited = weir_model_apply (model, patch, NULL, NULL);
  after = weir_scene_new (weir_model_get_root (edited), before);
  fresh = weir_scene_new (weir_model_get_root (edited), NULL);
  g_assert_true (weir_scene_find_block (before, EXAMPLE_SINE)
                 == weir_scene_find_block (after, EXAMPLE_SINE));
  g_assert_true (weir_scene_find_wire (before, EXAMPLE_WIRE_SINE_GAIN)
                 == weir_scene_find_wire (after, EXAMPLE_WIRE_SINE_GAIN));
  g_assert_true (weir_scene_find_wire (before, EXAMPLE_WIRE_PLANT_SCOPE)
                 != weir_scene_find_wire (after, EXAMPLE_WIRE_PLANT_SCOPE));
  /* Sharing changes nothing that can be seen. */
  for (guint i = 0; i < weir_scene_get_n_wires (fresh); i++)
    {
      const WeirWireShape *a = weir_scene_get_wire (after, i), *b = weir_scene_get_wire (fresh, i);

      g_assert_cmpmem (a->points, a->n_points * sizeof (WeirPoint), b->points,
                       b->n_points * sizeof (WeirPoint));
    }
}

static void
test_loose_ends (void)
{
  g_autoptr (WeirModel) model = example_model ();
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirModel) edited = NULL;
  g_autoptr (WeirScene) scene = NULL;
  g_autoptr (WeirWire)
      hanging = weir_wire_new (50, (WeirWireEnd) { .block = EXAMPLE_SINE, .port = "y" },
                               (WeirWireEnd) { .point = { 90, 90 } }, NULL, 0);
  g_autoptr (WeirWire)
      nowhere = weir_wire_new (51, (WeirWireEnd) { .block = EXAMPLE_SINE, .port = "y" },
                               (WeirWireEnd) { .block = EXAMPLE_SCOPE, .port = "in7" }, NULL, 0);
  const WeirWireShape *shape;

  weir_patch_set_wire (patch, WEIR_PLACE_ROOT, hanging);
  weir_patch_set_wire (patch, WEIR_PLACE_ROOT, nowhere);
  edited = weir_model_apply (model, patch, NULL, NULL);
  scene = weir_scene_new (weir_model_get_root (edited), NULL);
  shape = weir_scene_find_wire (scene, 50);
  g_assert_true (shape->from_connected);
  g_assert_false (shape->to_connected);
  assert_point (shape->points[shape->n_points - 1], 90, 90);
  g_assert_false (weir_scene_find_wire (scene, 51)->to_connected);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/geometry/ports", test_ports);
  g_test_add_func ("/paint/geometry/ports-on-grid", test_ports_on_grid);
  g_test_add_func ("/paint/geometry/sizes", test_sizes);
  g_test_add_func ("/paint/geometry/hits", test_hits);
  g_test_add_func ("/paint/routing/simple", test_simple_routes);
  g_test_add_func ("/paint/routing/feedback", test_feedback);
  g_test_add_func ("/paint/routing/obstacle", test_obstacle);
  g_test_add_func ("/paint/routing/names", test_names);
  g_test_add_func ("/paint/routing/bends", test_bends);
  g_test_add_func ("/paint/routing/close-ends", test_close_ends);
  g_test_add_func ("/paint/routing/random", test_random_routes);
  g_test_add_func ("/paint/scene/example", test_scene);
  g_test_add_func ("/paint/scene/sharing", test_sharing);
  g_test_add_func ("/paint/scene/loose-ends", test_loose_ends);
  return g_test_run ();
}

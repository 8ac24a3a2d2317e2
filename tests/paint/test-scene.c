/* Scenes made from the one before, edit after edit, against those made of nothing; and the shelves
 * that they share against a plain list. */
#include <string.h>

#include "../seeds.h"
#include "model/tree/patch.h"
#include "paint/drawing/kept.h"
#include "paint/scene/scene.h"
#include "paint/scene/shapes.h"

/* --- Shelves --------------------------------------------------------------------------------- */

typedef struct {
  gatomicrefcount ref_count;
  guint32 id;
  WeirRect reach, near;
} Thing;

static guint32
thing_get_id (gconstpointer thing)
{
  return ((const Thing *) thing)->id;
}

static WeirRect
thing_get_reach (gconstpointer thing)
{
  return ((const Thing *) thing)->reach;
}

static WeirRect
thing_get_near (gconstpointer thing)
{
  return ((const Thing *) thing)->near;
}

static gpointer
thing_ref (gpointer thing)
{
  g_atomic_ref_count_inc (&((Thing *) thing)->ref_count);
  return thing;
}

static void
thing_unref (gpointer thing)
{
  if (g_atomic_ref_count_dec (&((Thing *) thing)->ref_count))
    g_free (thing);
}

static const WeirShapeKind things = { thing_get_id, thing_get_reach, thing_get_near, thing_ref,
                                      thing_unref };

static Thing *
random_thing (GRand *rand, guint32 id)
{
  Thing *thing = g_new (Thing, 1);

  g_atomic_ref_count_init (&thing->ref_count);
  thing->id = id;
  thing->reach = (WeirRect) { g_rand_int_range (rand, 0, 5000), g_rand_int_range (rand, 0, 5000),
                              g_rand_int_range (rand, 1, 100), g_rand_int_range (rand, 1, 100) };
  thing->near = id % 5 == 0 ? (WeirRect) { 0, 0, 0, 0 } : weir_rect_grow (thing->reach, 50);
  return thing;
}

/* What is in @area by a look at each, and by what the shelves pass over. */
static void
assert_finds (WeirShapes *shapes, WeirRect area)
{
  guint n = weir_shapes_get_size (shapes), reached = 0, near = 0;

  for (guint i = 0; i < n; i++)
    {
      const Thing *thing = weir_shapes_get (shapes, i);

      reached += weir_rect_intersects (thing->reach, area);
      near += thing->near.width > 0 && weir_rect_intersects (thing->near, area);
    }
  for (guint i = weir_shapes_next (shapes, 0, area); i < n;
       i = weir_shapes_next (shapes, i + 1, area))
    reached -= weir_rect_intersects (((const Thing *) weir_shapes_get (shapes, i))->reach, area);
  for (guint i = weir_shapes_next_near (shapes, 0, area); i < n;
       i = weir_shapes_next_near (shapes, i + 1, area))
    {
      const Thing *thing = weir_shapes_get (shapes, i);

      near -= thing->near.width > 0 && weir_rect_intersects (thing->near, area);
    }
  g_assert_cmpuint (reached, ==, 0);
  g_assert_cmpuint (near, ==, 0);
}

typedef struct {
  GHashTable *changed; /* ids, as pointers */
  guint n;
} Changes;

static void
expect_change (gpointer before, gpointer after, gpointer data)
{
  const Thing *thing = before != NULL ? before : after;
  Changes *changes = data;

  g_assert_true (before != after);
  g_assert_true (before == NULL || after == NULL
                 || ((Thing *) before)->id == ((Thing *) after)->id);
  g_assert_true (g_hash_table_contains (changes->changed, GUINT_TO_POINTER (thing->id)));
  changes->n++;
}

/* Some come, some go, some are others; the shapes of before stay what they were. */
static void
change_things (GRand *rand, guint32 ids, WeirShapes *shapes, Thing **plain, GHashTable *changed)
{
  for (gint32 i = g_rand_int_range (rand, 1, 40); i > 0; i--)
    {
      guint32 id = (guint32) g_rand_int_range (rand, 1, (gint32) ids);
      gboolean goes = g_rand_int_range (rand, 0, 3) == 0;

      if (!goes || plain[id] != NULL)
        g_hash_table_add (changed, GUINT_TO_POINTER (id));
      plain[id] = goes ? NULL : random_thing (rand, id);
      if (goes)
        weir_shapes_remove (shapes, id);
      else
        weir_shapes_put (shapes, plain[id]);
    }
}

static void
test_shelves (gconstpointer seed)
{
  enum { IDS = 1000 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (GPOINTER_TO_UINT (seed)));
  g_autofree Thing **plain = g_new0 (Thing *, IDS);
  g_autoptr (WeirShapes) shapes = weir_shapes_new (&things);
  WeirRect reach;

  g_assert_false (weir_shapes_get_reach (shapes, &reach));
  for (guint32 id = 1; id < IDS / 2; id++)
    weir_shapes_put (shapes, plain[id] = random_thing (rand, id));
  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (WeirShapes) before = g_steal_pointer (&shapes);
      g_autoptr (GHashTable) changed = g_hash_table_new (NULL, NULL);
      guint n_before = weir_shapes_get_size (before), i = 0;
      Changes changes = { changed, 0 };

      shapes = weir_shapes_copy (before);
      change_things (rand, IDS, shapes, plain, changed);
      for (guint32 id = 1; id < IDS; id++)
        {
          guint index = G_MAXUINT;

          g_assert_true (weir_shapes_lookup (shapes, id) == plain[id]);
          g_assert_true (weir_shapes_find (shapes, id, &index) == (plain[id] != NULL));
          g_assert_true (plain[id] == NULL
                         || (index == i && weir_shapes_get (shapes, i++) == plain[id]));
        }
      g_assert_cmpuint (weir_shapes_get_size (shapes), ==, i);
      g_assert_cmpuint (weir_shapes_get_size (before), ==, n_before);
      weir_shapes_foreach_change (before, shapes, expect_change, &changes);
      assert_finds (shapes, (WeirRect) { g_rand_int_range (rand, 0, 5000),
                                         g_rand_int_range (rand, 0, 5000), 400, 300 });
    }
}

/* --- Edits ----------------------------------------------------------------------------------- */

#define N_IDS 350 /* of blocks; wires and notes come after them */
#define N_WIRE_IDS 400

static WeirWireEnd
random_end (GRand *rand, WeirDiagram *root, guint32 block, gboolean is_output)
{
  if (weir_diagram_find_block (root, block) == NULL || g_rand_int_range (rand, 0, 20) == 0)
    return (WeirWireEnd) { .point = { g_rand_int_range (rand, 0, 9000), 100 } };
  return (WeirWireEnd) { .block = block,
                         .port = is_output                            ? "y"
                                 : g_rand_int_range (rand, 0, 2) == 0 ? "u"
                                                                      : "in1" };
}

/* Between blocks whose ids, and so whose places, are near one another. */
static void
set_random_wire (GRand *rand, WeirPatch *patch, WeirDiagram *root, guint32 id)
{
  gint32 from = g_rand_int_range (rand, 1, N_IDS);
  gint32 to = g_rand_int_range (rand, MAX (from - 8, 1), MIN (from + 8, N_IDS));
  WeirPoint bend = { 12.5 * from, 300 };
  g_autoptr (WeirWire) wire = weir_wire_new (id, random_end (rand, root, (guint32) from, TRUE),
                                             random_end (rand, root, (guint32) to, FALSE), &bend,
                                             g_rand_int_range (rand, 0, 15) == 0);
  g_autoptr (WeirWire) labelled = weir_wire_with_label (wire, "a signal");

  weir_patch_set_wire (patch, WEIR_PLACE_ROOT,
                       g_rand_int_range (rand, 0, 8) == 0 ? labelled : wire);
}

static void
set_random_block (GRand *rand, WeirPatch *patch, WeirBlock *old, guint32 id)
{
  static const char *const types[] = { "Gain", "Sum", "Integrator", "Scope" };
  g_autofree char *name = g_strdup_printf ("B%u", id);
  WeirPoint at = { 20.0 * (5 * (id / 8) + (guint) g_rand_int_range (rand, 0, 12)),
                   20.0 * g_rand_int_range (rand, 0, 25) };
  g_autoptr (WeirBlock)
      block = old != NULL && g_rand_int_range (rand, 0, 4) > 0
                  ? weir_block_with_position (old, at)
                  : weir_block_new (id, types[g_rand_int_range (rand, 0, 4)], name, at);

  weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
}

static void
change_note (GRand *rand, WeirPatch *patch, WeirDiagram *root, guint32 id)
{
  g_autoptr (WeirNote) note = weir_note_new (
      id, (WeirPoint) { g_rand_int_range (rand, 0, 9000), g_rand_int_range (rand, 0, 500) },
      "a note of this length");

  if (weir_diagram_find_note (root, id) != NULL && g_rand_int_range (rand, 0, 3) == 0)
    weir_patch_remove_note (patch, WEIR_PLACE_ROOT, id);
  else
    weir_patch_set_note (patch, WEIR_PLACE_ROOT, note);
}

static gboolean
remove_wire (WeirWire *wire, gpointer patch)
{
  weir_patch_remove_wire (patch, WEIR_PLACE_ROOT, weir_wire_get_id (wire));
  return TRUE;
}

static void
change_one (GRand *rand, WeirPatch *patch, WeirDiagram *root)
{
  guint32 block = (guint32) g_rand_int_range (rand, 1, N_IDS);
  guint32 wire = N_IDS + (guint32) g_rand_int_range (rand, 0, N_WIRE_IDS);
  WeirBlock *old = weir_diagram_find_block (root, block);

  switch (g_rand_int_range (rand, 0, 8))
    {
    case 0:
      weir_diagram_foreach_wire_at (root, block, remove_wire, patch);
      if (old != NULL)
        weir_patch_remove_block (patch, WEIR_PLACE_ROOT, block);
      break;
    case 1:
      if (weir_diagram_find_wire (root, wire) != NULL)
        weir_patch_remove_wire (patch, WEIR_PLACE_ROOT, wire);
      break;
    case 2:
    case 3:
      set_random_wire (rand, patch, root, wire);
      break;
    case 4:
      change_note (rand, patch, root, N_IDS + N_WIRE_IDS + (guint32) g_rand_int_range (rand, 0, 8));
      break;
    default:
      set_random_block (rand, patch, old, block);
    }
}

/* A few things come, go or become others; or many blocks go elsewhere. (transfer full) */
static WeirModel *
edit_at_random (GRand *rand, WeirModel *model)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  WeirDiagram *root = weir_model_get_root (model);
  WeirModel *edited;

  if (g_rand_int_range (rand, 0, 6) > 0)
    for (gint32 n = g_rand_int_range (rand, 1, 4); n > 0; n--)
      change_one (rand, patch, root);
  else
    for (guint i = 0; i < 60; i++)
      {
        guint32 id = (guint32) g_rand_int_range (rand, 1, N_IDS);

        set_random_block (rand, patch, weir_diagram_find_block (root, id), id);
      }
  edited = weir_model_apply (model, patch, NULL, NULL);
  /* A wire to what goes with the same edit makes none. */
  return edited != NULL ? edited : weir_model_ref (model);
}

static WeirModel *
random_model (GRand *rand)
{
  g_autoptr (WeirModel) empty = weir_model_new (), blocks = NULL;
  g_autoptr (WeirPatch) patch = weir_patch_new (), wires = weir_patch_new ();

  for (guint32 id = 1; id < N_IDS; id++)
    if (g_rand_int_range (rand, 0, 5) > 0)
      set_random_block (rand, patch, NULL, id);
  blocks = weir_model_apply (empty, patch, NULL, NULL);
  for (guint32 id = 0; id < N_WIRE_IDS; id++)
    if (g_rand_int_range (rand, 0, 3) > 0)
      set_random_wire (rand, wires, weir_model_get_root (blocks), N_IDS + id);
  return weir_model_apply (blocks, wires, NULL, NULL);
}

static void
assert_same_elements (WeirScene *a, WeirScene *b)
{
  g_assert_cmpuint (weir_scene_get_n_blocks (a), ==, weir_scene_get_n_blocks (b));
  for (guint i = 0; i < weir_scene_get_n_blocks (a); i++)
    {
      const WeirBlockShape *x = weir_scene_get_block (a, i), *y = weir_scene_get_block (b, i);

      g_assert_true (x->block == y->block);
      g_assert_cmpmem (&x->reach, sizeof x->reach, &y->reach, sizeof y->reach);
    }
  g_assert_cmpuint (weir_scene_get_n_wires (a), ==, weir_scene_get_n_wires (b));
  for (guint i = 0; i < weir_scene_get_n_wires (a); i++)
    {
      const WeirWireShape *x = weir_scene_get_wire (a, i), *y = weir_scene_get_wire (b, i);

      g_assert_true (x->wire == y->wire);
      g_assert_true (x->from_connected == y->from_connected && x->to_connected == y->to_connected);
      g_assert_cmpmem (x->points, x->n_points * sizeof *x->points, y->points,
                       y->n_points * sizeof *y->points);
      g_assert_true ((x->routed != NULL) == (y->routed != NULL));
    }
}

static void
assert_same_scenes (GRand *rand, WeirScene *a, WeirScene *b)
{
  WeirRect reach[2] = { weir_scene_get_reach (a), weir_scene_get_reach (b) };
  const WeirPoint *x, *y;
  guint n, m;

  assert_same_elements (a, b);
  x = weir_scene_get_junctions (a, &n, NULL);
  y = weir_scene_get_junctions (b, &m, NULL);
  g_assert_cmpmem (x, n * sizeof *x, y, m * sizeof *y);
  g_assert_cmpmem (&reach[0], sizeof reach[0], &reach[1], sizeof reach[1]);
  for (guint i = 0; i < 20; i++)
    {
      WeirPoint at = { g_rand_int_range (rand, 0, 9000), g_rand_int_range (rand, 0, 520) };
      WeirHit hits[2] = { weir_scene_hit (a, at, 6), weir_scene_hit (b, at, 6) };

      g_assert_cmpint (hits[0].kind, ==, hits[1].kind);
      g_assert_cmpuint (hits[0].id, ==, hits[1].id);
      g_assert_cmpuint (hits[0].segment, ==, hits[1].segment);
      g_assert_cmpuint (weir_scene_hit_name (a, at), ==, weir_scene_hit_name (b, at));
    }
}

static void
test_edits (gconstpointer seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (GPOINTER_TO_UINT (seed)));
  WeirModel *model = random_model (rand);
  WeirScene *scene = weir_scene_new (weir_model_get_root (model), NULL);

  for (guint edit = 0; edit < 20; edit++)
    {
      WeirModel *next = edit_at_random (rand, model);
      WeirScene *after = weir_scene_new (weir_model_get_root (next), scene);
      g_autoptr (WeirScene) fresh = weir_scene_new (weir_model_get_root (next), NULL);

      assert_same_scenes (rand, after, fresh);
      weir_scene_unref (scene);
      weir_model_unref (model);
      scene = after;
      model = next;
    }
  weir_scene_unref (scene);
  weir_model_unref (model);
}

/* --- Pictures -------------------------------------------------------------------------------- */

#define WIDTH 700
#define HEIGHT 450

static cairo_surface_t *
surface_new (void)
{
  return cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
}

#define ROUNDING 8 /* of a colour on an edge, which is covered otherwise where a clip cuts it */

/* How many pixels differ, roundings aside. */
static guint
count_differences (cairo_surface_t *a, cairo_surface_t *b)
{
  const guchar *x, *y;
  guint n = 0;

  cairo_surface_flush (a);
  cairo_surface_flush (b);
  x = cairo_image_surface_get_data (a);
  y = cairo_image_surface_get_data (b);
  for (int row = 0; row < HEIGHT; row++)
    for (int i = 0; i < WIDTH; i++)
      {
        gsize at = (gsize) row * (gsize) cairo_image_surface_get_stride (a) + 4 * (gsize) i;

        n += ABS (x[at] - y[at]) > ROUNDING || ABS (x[at + 1] - y[at + 1]) > ROUNDING
             || ABS (x[at + 2] - y[at + 2]) > ROUNDING;
      }
  return n;
}

/* A picture kept from edit to edit is the one that is drawn whole. */
static void
test_kept (gconstpointer seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (GPOINTER_TO_UINT (seed)));
  WeirModel *model = random_model (rand);
  WeirScene *scene = weir_scene_new (weir_model_get_root (model), NULL);
  g_autoptr (WeirKept) kept = weir_kept_new ();
  WeirPoint offset = { -40, 20 };
  double zoom = 0.8;

  for (guint edit = 0; edit < 20; edit++)
    {
      WeirModel *next = edit_at_random (rand, model);
      WeirScene *after = weir_scene_new (weir_model_get_root (next), scene);
      cairo_surface_t *surfaces[2] = { surface_new (), surface_new () };
      cairo_t *cr = cairo_create (surfaces[0]);
      WeirDiagramStyle style;

      weir_diagram_style_init (&style, weir_palette_get (WEIR_PALETTE_LIGHT));
      style.clip = (WeirRect) { -offset.x / zoom, -offset.y / zoom, WIDTH / zoom, HEIGHT / zoom };
      style.scale = zoom;
      style.show_grid = TRUE;
      g_assert_true (weir_kept_can (&style));
      weir_kept_draw (kept, cr, after, &style, offset, WIDTH, HEIGHT, 1);
      cairo_destroy (cr);
      cr = cairo_create (surfaces[1]);
      cairo_translate (cr, offset.x, offset.y);
      cairo_scale (cr, zoom, zoom);
      weir_diagram_draw (after, cr, &style);
      cairo_destroy (cr);
      g_assert_cmpuint (count_differences (surfaces[0], surfaces[1]), ==, 0);
      cairo_surface_destroy (surfaces[0]);
      cairo_surface_destroy (surfaces[1]);
      weir_scene_unref (scene);
      weir_model_unref (model);
      scene = after;
      model = next;
    }
  weir_scene_unref (scene);
  weir_model_unref (model);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint seed = 1; seed <= 2; seed++)
    {
      g_autofree char *shelves = g_strdup_printf ("/paint/scene/shelves/%u", seed);
      g_autofree char *pictures = g_strdup_printf ("/paint/scene/kept/%u", seed);
      g_autofree char *edits = g_strdup_printf ("/paint/scene/edits/%u", seed);

      g_test_add_data_func (shelves, GUINT_TO_POINTER (seed), test_shelves);
      g_test_add_data_func (edits, GUINT_TO_POINTER (seed), test_edits);
      g_test_add_data_func (pictures, GUINT_TO_POINTER (seed), test_kept);
    }
  return g_test_run ();
}

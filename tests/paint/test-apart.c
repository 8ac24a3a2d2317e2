/* Wires of different outputs do not lie on one another where there is room beside. */
#include <string.h>

#include "../seeds.h"
#include "model/files/xml.h"
#include "paint/scene/scene.h"

/* The reference goes to the scope by the way that the feedback comes back. */
static const char loop[] =
    "<weir version='1'><diagram>"
    "<block id='1' type='Step' name='Reference' x='40' y='80'/>"
    "<block id='2' type='Sum' name='Error' x='150' y='90'>"
    "<parameter name='signs' value='+-'/></block>"
    "<block id='3' type='Gain' name='Controller' x='240' y='80'/>"
    "<block id='4' type='Integrator' name='Plant' x='360' y='80'/>"
    "<block id='5' type='Scope' name='Scope' x='500' y='80'>"
    "<parameter name='inputs' value='2'/></block>"
    "<wire id='6' from='1.y' to='2.in1'/><wire id='7' from='2.y' to='3.u'/>"
    "<wire id='8' from='3.y' to='4.u'/><wire id='9' from='4.y' to='2.in2'/>"
    "<wire id='10' from='4.y' to='5.in1'/><wire id='11' from='1.y' to='5.in2'/>"
    "</diagram></weir>";

static WeirModel *
read_model (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirModel *model = weir_model_read_bytes (bytes, "test", diagnostics);

  g_assert_nonnull (model);
  return model;
}

static gboolean
is_one_net (const WeirWireShape *a, const WeirWireShape *b)
{
  WeirWireEnd x = weir_wire_get_from (a->wire), y = weir_wire_get_from (b->wire);

  return x.block == y.block && g_strcmp0 (x.port, y.port) == 0;
}

/* How far two segments lie on one another. */
static double
get_overlap (const WeirPoint *a, const WeirPoint *b)
{
  for (int vertical = 0; vertical < 2; vertical++)
    {
      double at[2][2], along[2][2]; /* of a and b, at their ends */

      for (int end = 0; end < 2; end++)
        {
          at[0][end] = vertical ? a[end].x : a[end].y;
          at[1][end] = vertical ? b[end].x : b[end].y;
          along[0][end] = vertical ? a[end].y : a[end].x;
          along[1][end] = vertical ? b[end].y : b[end].x;
        }
      if (at[0][0] == at[0][1] && at[1][0] == at[1][1] && at[0][0] == at[1][0])
        return MAX (MIN (MAX (along[0][0], along[0][1]), MAX (along[1][0], along[1][1]))
                        - MAX (MIN (along[0][0], along[0][1]), MIN (along[1][0], along[1][1])),
                    0);
    }
  return 0;
}

/* Over all pairs of wires of different outputs; as they were routed, or as they are shown. */
static double
sum_overlaps (WeirScene *scene, gboolean as_routed)
{
  double sum = 0;

  for (guint i = 0; i < weir_scene_get_n_wires (scene); i++)
    for (guint k = 0; k < i; k++)
      {
        const WeirWireShape *a = weir_scene_get_wire (scene, i);
        const WeirWireShape *b = weir_scene_get_wire (scene, k);
        const WeirPoint *p = as_routed && a->routed != NULL ? a->routed : a->points;
        const WeirPoint *q = as_routed && b->routed != NULL ? b->routed : b->points;

        if (is_one_net (a, b))
          continue;
        for (guint m = 0; m + 1 < a->n_points; m++)
          for (guint n = 0; n + 1 < b->n_points; n++)
            sum += get_overlap (p + m, q + n);
      }
  return sum;
}

static void
test_loop (void)
{
  g_autoptr (WeirModel) model = read_model (loop);
  g_autoptr (WeirScene) scene = weir_scene_new (weir_model_get_root (model), NULL);
  const WeirWireShape *moved = weir_scene_find_wire (scene, 11);
  guint n;

  g_assert_cmpfloat (sum_overlaps (scene, TRUE), >, 200);
  g_assert_cmpfloat (sum_overlaps (scene, FALSE), ==, 0);
  g_assert_nonnull (moved->routed);
  g_assert_null (weir_scene_find_wire (scene, 9)->routed); /* the first stays */
  weir_scene_get_junctions (scene, &n, NULL);
  g_assert_cmpuint (n, ==, 2); /* no dot where wires of two outputs pass */
}

/* A bend made by hand stays where it was put: the other wire goes out of its way. */
static void
test_bends (void)
{
  g_autoptr (GString) text = g_string_new (loop);
  g_autoptr (WeirModel) plain = read_model (loop), model = NULL;
  g_autoptr (WeirScene) routed = weir_scene_new (weir_model_get_root (plain), NULL), scene = NULL;
  const WeirWireShape *shape = weir_scene_find_wire (routed, 11);
  g_autoptr (GString) bends = g_string_new ("to='5.in2'>");

  for (guint i = 1; i + 1 < shape->n_points; i++)
    g_string_append_printf (bends, "<bend x='%g' y='%g'/>", shape->routed[i].x, shape->routed[i].y);
  g_string_append (bends, "</wire>");
  g_string_replace (text, "to='5.in2'/>", bends->str, 1);
  model = read_model (text->str);
  scene = weir_scene_new (weir_model_get_root (model), NULL);
  g_assert_null (weir_scene_find_wire (scene, 11)->routed);
  g_assert_nonnull (weir_scene_find_wire (scene, 9)->routed);
  g_assert_cmpfloat (sum_overlaps (scene, FALSE), ==, 0);
}

/* In an area of 800 x 500; @is_long: in one as high and as much wider as there are more blocks than
 * 24, with wires between blocks near one another. */
static WeirModel *
random_model (GRand *rand, guint n_blocks, guint n_wires, gboolean has_texts, gboolean is_long)
{
  g_autoptr (GString) text = g_string_new ("<weir version='1'><diagram>");
  gint32 n = (gint32) n_blocks, width = is_long ? 40 * n / 24 : 40;

  for (gint32 i = 1; i <= n; i++)
    g_string_append_printf (text, "<block id='%d' type='%s' name='B%d' x='%d' y='%d'/>", i,
                            i % 3 == 0 ? "Sum" : "Gain", i,
                            20
                                * (is_long ? width * i / n + g_rand_int_range (rand, -6, 7)
                                           : g_rand_int_range (rand, 0, 40)),
                            20 * g_rand_int_range (rand, 0, 25));
  for (guint i = 1; i <= n_wires; i++)
    {
      gint32 to = g_rand_int_range (rand, 1, n + 1);
      gint32 from = is_long ? g_rand_int_range (rand, MAX (to - 6, 1), MIN (to + 6, n) + 1)
                            : g_rand_int_range (rand, 1, n + 1);

      g_string_append_printf (text, "<wire id='%u' from='%d.y' to='%d.%s'%s/>", n_blocks + i, from,
                              to,
                              to % 3 != 0  ? "u"
                              : i % 2 == 0 ? "in1"
                                           : "in2",
                              has_texts && i % 4 == 0 ? " label='a signal'" : "");
    }
  for (guint i = 1; has_texts && i <= 4; i++)
    g_string_append_printf (text, "<note id='%u' x='%d' y='%d'>a note of this length</note>",
                            n_blocks + n_wires + i, g_rand_int_range (rand, 0, 20 * width),
                            g_rand_int_range (rand, 0, 500));
  g_string_append (text, "</diagram></weir>");
  return read_model (text->str);
}

static void
assert_same_wires (WeirScene *first, WeirScene *second)
{
  for (guint i = 0; i < weir_scene_get_n_wires (second); i++)
    {
      const WeirWireShape *a = weir_scene_get_wire (first, i);
      const WeirWireShape *b = weir_scene_get_wire (second, i);

      g_assert_cmpmem (a->points, a->n_points * sizeof (WeirPoint), b->points,
                       b->n_points * sizeof (WeirPoint));
    }
}

/* Ends stay, segments stay upright, nothing is worse than before, and an edit gives what a new
 * scene does. */
static void
test_random (gconstpointer seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (GPOINTER_TO_UINT (seed)));
  double before = 0, after = 0;

  for (guint round = 0; round < 40; round++)
    {
      g_autoptr (WeirModel) model = random_model (rand, 12, 16, FALSE, FALSE), edited = NULL;
      g_autoptr (WeirScene) scene = weir_scene_new (weir_model_get_root (model), NULL);
      g_autoptr (WeirScene) next = NULL, fresh = NULL;
      g_autoptr (WeirPatch) patch = weir_patch_new ();
      g_autoptr (WeirBlock) moved = weir_block_with_position (
          weir_diagram_find_block (weir_model_get_root (model), 3),
          (WeirPoint) { 20 * g_rand_int_range (rand, 0, 40), 100 });

      for (guint i = 0; i < weir_scene_get_n_wires (scene); i++)
        {
          const WeirWireShape *shape = weir_scene_get_wire (scene, i);
          guint last = shape->n_points - 1;

          for (guint k = 0; k < last; k++)
            g_assert_true (shape->points[k].x == shape->points[k + 1].x
                           || shape->points[k].y == shape->points[k + 1].y);
          if (shape->routed == NULL)
            continue;
          g_assert_cmpmem (shape->points, sizeof (WeirPoint), shape->routed, sizeof (WeirPoint));
          g_assert_cmpmem (shape->points + last, sizeof (WeirPoint), shape->routed + last,
                           sizeof (WeirPoint));
        }
      g_assert_cmpfloat (sum_overlaps (scene, FALSE), <=, sum_overlaps (scene, TRUE));
      before += sum_overlaps (scene, TRUE);
      after += sum_overlaps (scene, FALSE);
      weir_patch_set_block (patch, WEIR_PLACE_ROOT, moved);
      edited = weir_model_apply (model, patch, NULL, NULL);
      next = weir_scene_new (weir_model_get_root (edited), scene);
      fresh = weir_scene_new (weir_model_get_root (edited), NULL);
      assert_same_wires (next, fresh);
    }
  g_test_message ("overlaps: %g before, %g after", before, after);
  /* Two wires to one port, and stubs at ports, lie on one another whatever is done. */
  g_assert_cmpfloat (after, <, 0.75 * before);
}

/* A block of the model elsewhere, a wire less or to elsewhere. (transfer full) */
static WeirModel *
edit_at_random (GRand *rand, WeirModel *model, guint n_blocks, guint n_wires)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  WeirDiagram *root = weir_model_get_root (model);
  guint32 block = (guint32) g_rand_int_range (rand, 1, (gint32) n_blocks + 1);
  guint32 id = n_blocks + (guint32) g_rand_int_range (rand, 1, (gint32) n_wires + 1);
  WeirBlock *old = weir_diagram_find_block (root, block);
  WeirPoint at = weir_block_get_position (old);
  g_autoptr (WeirBlock) moved = weir_block_with_position (
      old, (WeirPoint) { at.x + 10 * g_rand_int_range (rand, -12, 13),
                         at.y + 10 * g_rand_int_range (rand, -12, 13) });
  g_autoptr (WeirWire)
      wire = weir_wire_new (id, (WeirWireEnd) { .block = block, .port = "y" },
                            (WeirWireEnd) { .block = 1 + block % n_blocks, .port = "u" }, NULL, 0);

  if (g_rand_int_range (rand, 0, 3) > 0)
    weir_patch_set_block (patch, WEIR_PLACE_ROOT, moved);
  else if (weir_diagram_find_wire (root, id) != NULL)
    weir_patch_remove_wire (patch, WEIR_PLACE_ROOT, id);
  else
    weir_patch_set_wire (patch, WEIR_PLACE_ROOT, wire);
  return weir_model_apply (model, patch, NULL, NULL);
}

/* Scene after scene, each from the one before, is as one from nothing: what an edit leaves alone is
 * really not concerned by it. */
static void
test_edits (gconstpointer has_texts)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (11));

  for (guint round = 0; round < 4; round++)
    {
      /* From a few wires by themselves to many that are in each other's way. */
      guint n_wires = 100 + 40 * round;
      g_autoptr (WeirModel) model = random_model (rand, 120, n_wires, has_texts != NULL, TRUE);
      g_autoptr (WeirScene) scene = weir_scene_new (weir_model_get_root (model), NULL);

      for (guint edit = 0; edit < 20; edit++)
        {
          WeirModel *next = edit_at_random (rand, model, 120, n_wires);
          WeirScene *after = weir_scene_new (weir_model_get_root (next), scene);
          g_autoptr (WeirScene) fresh = weir_scene_new (weir_model_get_root (next), NULL);

          assert_same_wires (after, fresh);
          weir_scene_unref (scene);
          weir_model_unref (model);
          scene = after;
          model = next;
        }
    }
}

/* Rows of five blocks, one below the other, wired from left to right; each Sum has a wire more from
 * the row above. (transfer full) */
static WeirModel *
column_model (guint n_rows)
{
  static const char *const types[] = { "Gain", "Integrator", "Sum", "Gain", "Saturation" };
  g_autoptr (GString) text = g_string_new ("<weir version='1'><diagram>");
  guint wire = 5 * n_rows + 1;

  for (guint i = 0; i < 5 * n_rows; i++)
    g_string_append_printf (text, "<block id='%u' type='%s' name='%s%u' x='%u' y='%u'/>", i + 1,
                            types[i % 5], types[i % 5], 1000 + i, i % 5 * 110, i / 5 * 90);
  for (guint i = 0; i < 5 * n_rows; i++)
    {
      if (i % 5 > 0)
        g_string_append_printf (text, "<wire id='%u' from='%u.y' to='%u.%s'/>", wire++, i, i + 1,
                                i % 5 == 2 ? "in1" : "u");
      if (i % 5 == 2 && i >= 5)
        g_string_append_printf (text, "<wire id='%u' from='%u.y' to='%u.in2'/>", wire++, i - 5,
                                i + 1);
    }
  g_string_append (text, "</diagram></weir>");
  return read_model (text->str);
}

/* Where a wire that makes room for the next goes on down a column, all of it is as in a scene from
 * nothing. */
static void
test_column (void)
{
  enum { N_ROWS = 60, DRAGGED = 5 * 20 + 3, FAR_BELOW = 50 * 90 };
  g_autoptr (WeirModel) model = column_model (N_ROWS);
  g_autoptr (WeirScene) scene = weir_scene_new (weir_model_get_root (model), NULL);
  WeirPoint start = weir_block_get_position (
      weir_diagram_find_block (weir_model_get_root (model), DRAGGED));
  guint n_far = 0;

  for (guint step = 0; step < 60; step++)
    {
      g_autoptr (WeirPatch) patch = weir_patch_new ();
      g_autoptr (WeirBlock) moved = weir_block_with_position (
          weir_diagram_find_block (weir_model_get_root (model), DRAGGED),
          (WeirPoint) { start.x + step % 20 * 10, start.y + step % 9 * 10 });
      WeirModel *next;
      WeirScene *after;
      g_autoptr (WeirScene) fresh = NULL;

      weir_patch_set_block (patch, WEIR_PLACE_ROOT, moved);
      next = weir_model_apply (model, patch, NULL, NULL);
      after = weir_scene_new (weir_model_get_root (next), scene);
      fresh = weir_scene_new (weir_model_get_root (next), NULL);
      assert_same_wires (after, fresh);
      for (guint i = 0; i < weir_scene_get_n_wires (after); i++)
        if (weir_scene_get_wire (after, i)->points[0].y > FAR_BELOW
            && weir_scene_get_wire (after, i) != weir_scene_get_wire (scene, i))
          n_far++;
      weir_scene_unref (scene);
      weir_model_unref (model);
      scene = after;
      model = next;
    }
  g_test_message ("%u wires far below came out otherwise", n_far);
  g_assert_cmpuint (n_far, >, 0); /* or there is no column to go down */
}

/* --- Texts ----------------------------------------------------------------------------------- */

static gboolean
passes (const WeirWireShape *shape, WeirRect box)
{
  for (guint i = 0; i + 1 < shape->n_points; i++)
    if (weir_rect_intersects (
            weir_rect_grow (weir_rect_from_corners (shape->points[i], shape->points[i + 1]), 0.1),
            box))
      return TRUE;
  return FALSE;
}

/* A straight wire goes around a note put on it, and one that would cross the label of another goes
 * beside that. */
static void
test_texts (void)
{
  g_autoptr (WeirModel)
      model = read_model ("<weir version='1'><diagram>"
                          "<block id='1' type='Step' name='Left' x='0' y='100'/>"
                          "<block id='2' type='Gain' name='Right' x='400' y='100'/>"
                          "<block id='3' type='Step' name='Top' x='130' y='-100'/>"
                          "<block id='4' type='Gain' name='Bottom' x='290' y='220'/>"
                          "<wire id='5' from='1.y' to='2.u' label='the measured speed'/>"
                          "<wire id='6' from='3.y' to='4.u'/>"
                          "<block id='7' type='Step' name='Far' x='0' y='500'/>"
                          "<block id='8' type='Gain' name='Away' x='400' y='500'/>"
                          "<wire id='9' from='7.y' to='8.u'/>"
                          "<note id='10' x='180' y='510'>Noted here</note></diagram></weir>");
  g_autoptr (WeirScene) scene = weir_scene_new (weir_model_get_root (model), NULL);
  const WeirWireShape *labelled = weir_scene_find_wire (scene, 5);
  WeirRect label = weir_scene_place_label (labelled->points, labelled->n_points, 90);
  WeirRect note = weir_scene_get_note_box (
      weir_diagram_find_note (weir_model_get_root (model), 10));

  g_assert_false (passes (weir_scene_find_wire (scene, 6), label));
  g_assert_false (passes (weir_scene_find_wire (scene, 9), weir_rect_grow (note, -6)));
  g_assert_cmpuint (labelled->n_points, ==, 2); /* its own label is not in its way */
}

/* What moves texts gives what a new scene does. */
static void
test_random_texts (gconstpointer seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (GPOINTER_TO_UINT (seed)));

  for (guint round = 0; round < 40; round++)
    {
      g_autoptr (WeirModel) model = random_model (rand, 12, 16, TRUE, FALSE);
      g_autoptr (WeirScene) scene = weir_scene_new (weir_model_get_root (model), NULL);

      for (guint edit = 0; edit < 6; edit++)
        {
          WeirPoint to = { g_rand_int_range (rand, 0, 800), g_rand_int_range (rand, 0, 500) };
          WeirDiagram *diagram = weir_model_get_root (model);
          g_autoptr (WeirPatch) patch = weir_patch_new ();
          g_autoptr (WeirModel) old = model;
          g_autoptr (WeirScene) before = scene, fresh = NULL;

          if (edit % 3 == 0)
            {
              g_autoptr (WeirNote)
                  note = weir_note_with_position (weir_diagram_find_note (diagram, 29), to);

              weir_patch_set_note (patch, WEIR_PLACE_ROOT, note);
            }
          else if (edit % 3 == 1)
            {
              WeirWire *plain = weir_diagram_find_wire (diagram, 13 + (guint) round % 16);
              g_autoptr (WeirWire) wire = weir_wire_with_label (
                  plain, weir_wire_get_label (plain)[0] == '\0' ? "another label" : "");

              weir_patch_set_wire (patch, WEIR_PLACE_ROOT, wire);
            }
          else
            {
              g_autoptr (WeirBlock)
                  block = weir_block_with_position (weir_diagram_find_block (diagram, 3), to);

              weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
            }
          model = weir_model_apply (old, patch, NULL, NULL);
          scene = weir_scene_new (weir_model_get_root (model), before);
          fresh = weir_scene_new (weir_model_get_root (model), NULL);
          assert_same_wires (scene, fresh);
        }
    }
}

int
main (int argc, char **argv)
{
  /* A track of the first three can only move onto where another has gone. */
  static const guint32 seeds[] = { 1641820407, 1856631160, 2399239740, 7, 8 };
  /* In the last two a label moves by half a point. */
  static const guint32 seeds_of_texts[] = { 1, 2082334328, 700938707 };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/apart/loop", test_loop);
  g_test_add_func ("/paint/apart/bends", test_bends);
  g_test_add_func ("/paint/apart/texts", test_texts);
  g_test_add_func ("/paint/apart/column", test_column);
  g_test_add_data_func ("/paint/apart/edits", NULL, test_edits);
  g_test_add_data_func ("/paint/apart/edits-texts", GUINT_TO_POINTER (1), test_edits);
  for (guint i = 0; i < G_N_ELEMENTS (seeds_of_texts); i++)
    {
      g_autofree char *path = g_strdup_printf ("/paint/apart/random-texts/%u", i);

      g_test_add_data_func (path, GUINT_TO_POINTER (seeds_of_texts[i]), test_random_texts);
    }
  for (guint i = 0; i < G_N_ELEMENTS (seeds); i++)
    {
      g_autofree char *path = g_strdup_printf ("/paint/apart/random/%u", i);

      g_test_add_data_func (path, GUINT_TO_POINTER (seeds[i]), test_random);
    }
  return g_test_run ();
}

/* The clipboard: copying a selection and pasting it, once and again, anywhere. */
#include "../seeds.h"
#include "helpers.h"

static WeirModel *
example (void)
{
  return model_from_xml ("<block id='1' type='Constant' name='c' x='0' y='0'/>"
                         "<block id='2' type='Gain' name='g' x='100' y='0'/>"
                         "<block id='3' type='Subsystem' name='s' x='200' y='0'><diagram>"
                         "  <block id='4' type='In' name='u' x='0' y='0'/>"
                         "  <block id='5' type='Terminator' name='t' x='9' y='0'/>"
                         "  <wire id='6' from='4.y' to='5.u'/><note id='7' x='0' y='0'>n</note>"
                         "</diagram></block>"
                         "<wire id='8' from='1.y' to='2.u'/>"
                         "<wire id='9' from='2.y' to='3.u'><bend x='150' y='10'/></wire>"
                         "<wire id='10' from='2.y' to-x='300' to-y='300'/>");
}

static WeirDiagram *
copy (WeirModel *model, const guint32 *ids, guint n)
{
  g_autoptr (GBytes) bytes = weir_fragment_write (weir_model_get_root (model), ids, n, NULL, 0);
  g_autoptr (GError) error = NULL;
  WeirDiagram *fragment = weir_fragment_read (bytes, &error);

  g_assert_no_error (error);
  return fragment;
}

static void
test_copy (void)
{
  g_autoptr (WeirModel) model = example ();
  const guint32 two[] = { 3, 2 };
  const guint32 apart[] = { 1, 3, 77 };
  g_autoptr (WeirDiagram) fragment = copy (model, two, 2);
  g_autoptr (WeirDiagram) unwired = copy (model, apart, 3);
  g_autoptr (WeirDiagram) nothing = copy (model, NULL, 0);

  g_assert_cmpuint (weir_diagram_get_n_blocks (fragment), ==, 2);
  g_assert_cmpuint (weir_diagram_get_n_wires (fragment), ==, 2); /* not the one from block 1 */
  g_assert_null (weir_diagram_find_wire (fragment, 8));
  g_assert_cmpuint (weir_diagram_get_n_blocks (unwired), ==, 2);
  g_assert_cmpuint (weir_diagram_get_n_wires (unwired), ==, 0);
  g_assert_cmpuint (weir_diagram_get_n_blocks (nothing), ==, 0);
}

static void
test_paste (void)
{
  WeirModel *model = example ();
  const guint32 all[] = { 1, 2, 3 };
  g_autoptr (WeirDiagram) fragment = copy (model, all, 3);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint round = 1; round <= 3; round++)
    {
      WeirPatch *patch = weir_patch_new ();
      guint32 next_id = weir_model_get_next_id (model);
      g_autofree char *path = NULL;
      const WeirBlock *pasted;
      const WeirWire *wire;

      g_assert_true (weir_fragment_paste (fragment, patch, model, WEIR_PLACE_ROOT,
                                          (WeirPoint) { 10, 20 }, ids, NULL));
      model = apply (model, patch, NULL);
      g_assert_cmpuint (ids->len, ==, 3);
      g_assert_cmpuint (weir_diagram_get_n_blocks (weir_model_get_root (model)), ==,
                        3 * (round + 1));
      pasted = weir_model_find_block (model, g_array_index (ids, guint32, 1), NULL);
      g_assert_cmpstr (weir_block_get_type_name (pasted), ==, "Gain");
      g_assert_cmpfloat (weir_block_get_position (pasted).x, ==, 110);
      g_assert_cmpfloat (weir_block_get_position (pasted).y, ==, 20);
      g_assert_cmpuint (weir_model_get_next_id (model), ==, next_id + 10);
      /* Within the Subsystem nothing moves and names stay. */
      pasted = weir_model_find_block (model, g_array_index (ids, guint32, 2), NULL);
      g_assert_cmpfloat (weir_block_get_position (
                             weir_diagram_find_block_by_name (weir_block_get_diagram (pasted), "t"))
                             .x,
                         ==, 9);
      path = g_strdup_printf ("s%u.t", round + 1);
      g_assert_nonnull (weir_model_find_path (model, path));
      /* Wires follow the blocks, bends move along. */
      for (guint32 id = next_id; id < next_id + 10; id++)
        {
          guint n_bends;

          wire = weir_diagram_find_wire (weir_model_get_root (model), id);
          if (wire == NULL || weir_wire_get_to (wire).block != g_array_index (ids, guint32, 2))
            continue;
          g_assert_cmpuint (weir_wire_get_from (wire).block, ==, g_array_index (ids, guint32, 1));
          g_assert_cmpfloat (weir_wire_get_bends (wire, &n_bends)[0].x, ==, 160);
          id = G_MAXUINT32 - 1;
        }
    }
  weir_model_unref (model);
}

/* Names taken on either side: pasting "g" and "g2" where "g" is. */
static void
test_paste_names (void)
{
  WeirModel *source = model_from_xml ("<block id='1' type='Gain' name='g' x='0' y='0'/>"
                                      "<block id='2' type='Gain' name='g2' x='0' y='0'/>"
                                      "<block id='3' type='Gain' name='g3' x='0' y='0'/>");
  WeirModel *target = model_from_xml ("<block id='1' type='Gain' name='g' x='0' y='0'/>"
                                      "<block id='5' type='Gain' name='g3' x='0' y='0'/>");
  const guint32 all[] = { 1, 2, 3 };
  g_autoptr (WeirDiagram) fragment = copy (source, all, 3);
  WeirPatch *patch = weir_patch_new ();

  g_assert_true (weir_fragment_paste (fragment, patch, target, WEIR_PLACE_ROOT,
                                      (WeirPoint) { 0, 0 }, NULL, NULL));
  target = apply (target, patch, NULL); /* which refuses a name used twice */
  g_assert_cmpuint (weir_diagram_get_n_blocks (weir_model_get_root (target)), ==, 5);
  weir_model_unref (source);
  weir_model_unref (target);
}

static void
test_paste_nowhere (void)
{
  g_autoptr (WeirModel) model = example ();
  const guint32 ids[] = { 2 };
  g_autoptr (WeirDiagram) fragment = copy (model, ids, 1);
  g_autoptr (WeirPatch) patch = weir_patch_new ();

  g_assert_false (weir_fragment_paste (fragment, patch, model, (WeirPlace) { ids, 1 },
                                       (WeirPoint) { 0, 0 }, NULL, NULL));
  g_assert_true (weir_patch_is_empty (patch));
}

static void
test_no_fragment (void)
{
  static const char *const texts[] = { "", "text from elsewhere",
                                       "<weir version=\"1\"><diagram/></weir>",
                                       "<weir-fragment version=\"1\"/>" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (texts[i], strlen (texts[i]));
      g_autoptr (GError) error = NULL;

      g_assert_null (weir_fragment_read (bytes, &error));
      g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FILE);
    }
}

/* Whatever is copied from whatever model can be pasted into whatever other. */
static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (27));

  for (guint round = 0; round < 60; round++)
    {
      g_autoptr (WeirModel) source = random_model (rand, 3 * round + 1);
      WeirModel *target = random_model (rand, 2 * round + 1);
      g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_autoptr (WeirDiagram) fragment = NULL;
      WeirPatch *patch = weir_patch_new ();
      guint n_before = weir_diagram_get_n_blocks (weir_model_get_root (target));

      for (guint32 id = 1; id < weir_model_get_next_id (source); id++)
        if (weir_diagram_find_block (weir_model_get_root (source), id) != NULL
            && g_rand_boolean (rand))
          g_array_append_val (ids, id);
      fragment = copy (source, (const guint32 *) (void *) ids->data, ids->len);
      g_assert_cmpuint (weir_diagram_get_n_blocks (fragment), ==, ids->len);
      g_assert_true (weir_fragment_paste (fragment, patch, target, WEIR_PLACE_ROOT,
                                          (WeirPoint) { 1, 1 }, NULL, NULL));
      target = apply (target, patch, NULL);
      g_assert_cmpuint (weir_diagram_get_n_blocks (weir_model_get_root (target)), ==,
                        n_before + ids->len);
      weir_model_unref (target);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/fragment/copy", test_copy);
  g_test_add_func ("/model/fragment/paste", test_paste);
  g_test_add_func ("/model/fragment/paste-names", test_paste_names);
  g_test_add_func ("/model/fragment/paste-nowhere", test_paste_nowhere);
  g_test_add_func ("/model/fragment/no-fragment", test_no_fragment);
  g_test_add_func ("/model/fragment/random", test_random);
  return g_test_run ();
}

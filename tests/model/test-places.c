/* Elements found anywhere in a model by their id, with the place that they are in. */
#include "helpers.h"

static const char nested[] = "<block id='1' type='Constant' name='Wish' x='0' y='0'/>"
                             "<block id='2' type='Subsystem' name='Outer' x='100' y='0'>"
                             "<diagram>"
                             "<block id='3' type='Subsystem' name='Inner' x='0' y='0'>"
                             "<diagram>"
                             "<block id='4' type='In' name='u' x='0' y='0'/>"
                             "<block id='5' type='Out' name='y' x='100' y='0'/>"
                             "<wire id='20' from='4.y' to='5.u'/>"
                             "<note id='30' x='0' y='90'>innermost</note>"
                             "</diagram></block>"
                             "<wire id='21' from='3.y' to-x='90' to-y='0'/>"
                             "</diagram></block>"
                             "<wire id='22' from='1.y' to-x='90' to-y='0'/>"
                             "<note id='31' x='0' y='90'>outermost</note>";

static void
assert_place (const GArray *place, const guint32 *ids, guint n)
{
  g_assert_cmpmem (place->data, place->len * sizeof (guint32), ids, n * sizeof *ids);
}

static void
test_found (void)
{
  g_autoptr (WeirModel) model = model_from_xml (nested);
  g_autoptr (GArray) place = g_array_new (FALSE, FALSE, sizeof (guint32));
  const guint32 inner[] = { 2, 3 }, outer[] = { 2 };

  g_assert_cmpstr (weir_block_get_name (weir_model_find_block (model, 5, place)), ==, "y");
  assert_place (place, inner, 2);
  g_assert_cmpuint (weir_wire_get_to (weir_model_find_wire (model, 20, place)).block, ==, 5);
  assert_place (place, inner, 2);
  g_assert_cmpuint (weir_wire_get_from (weir_model_find_wire (model, 21, place)).block, ==, 3);
  assert_place (place, outer, 1);
  g_assert_cmpuint (weir_wire_get_from (weir_model_find_wire (model, 22, place)).block, ==, 1);
  assert_place (place, NULL, 0);
  g_assert_cmpstr (weir_note_get_text (weir_model_find_note (model, 30, place)), ==, "innermost");
  assert_place (place, inner, 2);
  g_assert_cmpstr (weir_note_get_text (weir_model_find_note (model, 31, NULL)), ==, "outermost");
}

/* An id belongs to one element of the model; whatever else is asked for is not there. */
static void
test_absent (void)
{
  g_autoptr (WeirModel) model = model_from_xml (nested);
  const guint32 ids[] = { 0, 6, 20, 21, 30, 31, G_MAXUINT32 };

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    g_assert_null (weir_model_find_block (model, ids[i], NULL));
  for (guint32 id = 0; id < 40; id++)
    {
      g_assert_cmpint (weir_model_find_wire (model, id, NULL) != NULL, ==, id >= 20 && id <= 22);
      g_assert_cmpint (weir_model_find_note (model, id, NULL) != NULL, ==, id == 30 || id == 31);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/places/found", test_found);
  g_test_add_func ("/model/places/absent", test_absent);
  return g_test_run ();
}

/* What systems and layouts answer about their structure.
 * Expected names, sizes and types are those declared right here.
 */
#include "blocks.h"

#include "system/observation/watch.h"

#define TYPE G_VARIANT_TYPE_STRING

static WeirStatus
calc_sizes (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_parameter_size (c, (WeirParameter) { 0 });
  y[1] = weir_calc_input_size (c, (WeirInput) { 0 });
  return WEIR_OK;
}

/* Inputs u (2 numbers) and note (text), parameter k (3), groups n (4) and word (text); y: the sizes
 * of k and u. */
static WeirSystem *
sizes_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Sizes");
  WeirInput note;

  weir_leaf_set_input_default (b, weir_leaf_add_input (b, "u", 2), (double[]) { 0, 0 });
  note = weir_leaf_add_abstract_input (b, "note", TYPE);
  weir_leaf_set_abstract_input_default (b, note, g_variant_new_string ("none"));
  weir_leaf_add_parameter (b, "k", (double[]) { 1, 2, 3 }, 3);
  weir_leaf_add_discrete_state (b, "n", (double[]) { 0, 0, 0, 0 }, 4);
  weir_leaf_add_abstract_state (b, "word", g_variant_new_string ("calm"));
  weir_leaf_add_output (b, "y", 2, calc_sizes, WEIR_DEPENDS (WEIR_ALL_PARAMETERS, WEIR_ALL_INPUTS));
  return weir_leaf_builder_build (b);
}

/* Input "in" goes to both of a and b, which are alike; output "out" is b's. */
static WeirSystem *
pair_new (WeirSystem *leaf)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirChild one = weir_diagram_builder_add (b, "a", leaf),
            other = weir_diagram_builder_add (b, "b", leaf);
  WeirInput in = weir_diagram_builder_add_input (b, "in", 2);

  weir_diagram_builder_connect_input (b, in, one, (WeirInput) { 0 });
  weir_diagram_builder_connect_input (b, in, other, (WeirInput) { 0 });
  weir_diagram_builder_add_output (b, "out", other, (WeirOutput) { 0 });
  return weir_diagram_builder_build (b, NULL);
}

static void
test_system (void)
{
  g_autoptr (WeirSystem) leaf = sizes_new (), pair = pair_new (leaf);
  const char *name;

  g_assert_cmpstr (weir_system_get_kind (leaf), ==, "Sizes");
  g_assert_false (weir_system_is_diagram (leaf));
  g_assert_true (weir_system_is_diagram (pair));
  g_assert_cmpuint (weir_system_get_n_children (leaf), ==, 0);
  g_assert_cmpuint (weir_system_get_n_children (pair), ==, 2);
  g_assert_true (weir_system_get_child (pair, 1, &name) == leaf);
  g_assert_cmpstr (name, ==, "b");
  g_assert_cmpuint (weir_system_get_n_inputs (leaf), ==, 2);
  g_assert_cmpstr (weir_system_get_input_name (leaf, (WeirInput) { 1 }), ==, "note");
  g_assert_cmpuint (weir_system_get_input_size (leaf, (WeirInput) { 0 }), ==, 2);
  g_assert_cmpuint (weir_system_get_input_size (leaf, (WeirInput) { 1 }), ==, 0);
  g_assert_cmpuint (weir_system_get_input_size (pair, (WeirInput) { 0 }), ==, 2);
  g_assert_cmpstr (weir_system_get_output_name (pair, (WeirOutput) { 0 }), ==, "out");
  g_assert_cmpuint (weir_system_get_output_size (pair, (WeirOutput) { 0 }), ==, 2);
}

static void
test_layout (void)
{
  g_autoptr (WeirSystem) leaf = sizes_new (), pair = pair_new (leaf);
  WeirLayout *layout = weir_system_get_layout (pair);
  WeirNode b;
  WeirGroup group;
  guint size;

  g_assert_true (weir_layout_find_node (layout, "b", &b));
  g_assert_true (weir_layout_find_group (layout, b, "n", &group, &size));
  g_assert_cmpuint (group.i, ==, 0);
  g_assert_cmpuint (size, ==, 4);
  g_assert_null (weir_layout_get_group_type (layout, b, group));
  g_assert_true (weir_layout_find_group (layout, b, "word", &group, &size));
  g_assert_cmpuint (group.i, ==, 1);
  g_assert_cmpuint (size, ==, 0);
  g_assert_true (g_variant_type_equal (weir_layout_get_group_type (layout, b, group), TYPE));
  g_assert_false (weir_layout_find_group (layout, b, "k", &group, &size)); /* a parameter */
  g_assert_false (weir_layout_find_group (layout, WEIR_ROOT, "n", &group, &size));
}

/* What a calculation is told about sizes, and the abstract value of an input. */
static void
test_values (void)
{
  g_autoptr (WeirSystem) leaf = sizes_new (), pair = pair_new (leaf);
  g_autoptr (WeirContext) context = weir_system_create_context (pair);
  const WeirInput note = { 1 };
  const double *y;
  WeirNode a;

  g_assert_true (weir_layout_find_node (weir_system_get_layout (pair), "a", &a));
  weir_context_fix_input (context, WEIR_ROOT, (WeirInput) { 0 }, (double[]) { 5, 6 });
  y = weir_eval_output (pair, context, WEIR_ROOT, (WeirOutput) { 0 });
  g_assert_nonnull (y);
  g_assert_cmpfloat (y[0], ==, 3);
  g_assert_cmpfloat (y[1], ==, 2);
  g_assert_cmpstr (g_variant_get_string (weir_eval_abstract_input (pair, context, a, note), NULL),
                   ==, "none");
  g_assert_true (
      weir_context_fix_abstract_input (context, a, note, g_variant_new_string ("new"), NULL));
  g_assert_cmpstr (g_variant_get_string (weir_eval_abstract_input (pair, context, a, note), NULL),
                   ==, "new");
}

static void
test_frozen (void)
{
  g_autoptr (WeirSystem) leaf = sizes_new (), pair = pair_new (leaf);
  g_autoptr (WeirContext) context = weir_system_create_context (pair);
  guint n = weir_layout_get_n_entries (weir_system_get_layout (pair));

  g_assert_cmpuint (n, >=, 2);
  for (guint32 held = 0; held < n; held++)
    {
      weir_context_set_entry_held (context, (WeirEntry) { held }, TRUE);
      for (guint32 e = 0; e < n; e++)
        g_assert_cmpint (weir_context_get_entry_held (context, (WeirEntry) { e }), ==, e == held);
      weir_context_set_entry_held (context, (WeirEntry) { held }, FALSE);
      g_assert_false (weir_context_get_entry_held (context, (WeirEntry) { held }));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/queries/system", test_system);
  g_test_add_func ("/system/queries/layout", test_layout);
  g_test_add_func ("/system/queries/values", test_values);
  g_test_add_func ("/system/queries/frozen", test_frozen);
  return g_test_run ();
}

/* Abstract values: parameters, states, inputs, cache entries and outputs that are no doubles. They
 * are sources and entries like any other: invalidated, cached, shown through windows, cloned and
 * refused where the type is wrong.
 */
#include "blocks.h"

/* A leaf with one of everything abstract. words = parameter + "-" + state + "-" + input (cached,
 * "s"); length = its length in bytes (an output of one double); output `words` shows the cache
 * entry, `mood` shows the state. */
enum { N_CALCS = 2 };
static guint n_calls[N_CALCS];

static WeirStatus
calc_words (const WeirCalc *c, GVariant **out)
{
  const char *parameter = g_variant_get_string (
      weir_calc_abstract_parameter (c, (WeirParameter) { 0 }), NULL);
  const char *state = g_variant_get_string (weir_calc_abstract_state (c, (WeirGroup) { 0 }), NULL);
  const char *input = g_variant_get_string (weir_calc_abstract_input (c, (WeirInput) { 0 }), NULL);

  n_calls[0]++;
  *out = g_variant_new_take_string (g_strconcat (parameter, "-", state, "-", input, NULL));
  return WEIR_OK;
}

static WeirStatus
calc_length (const WeirCalc *c, double *out)
{
  n_calls[1]++;
  out[0] = (double) strlen (
      g_variant_get_string (weir_calc_abstract_cached (c, (WeirCached) { 0 }), NULL));
  return WEIR_OK;
}

static WeirSystem *
words_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Words");
  WeirInput u = weir_leaf_add_abstract_input (b, "u", G_VARIANT_TYPE_STRING);
  WeirParameter p = weir_leaf_add_abstract_parameter (b, "p", g_variant_new_string ("p"));
  WeirGroup x = weir_leaf_add_abstract_state (b, "x", g_variant_new_string ("calm"));
  WeirCached words;

  weir_leaf_set_abstract_input_default (b, u, g_variant_new_string ("default"));
  words = weir_leaf_add_abstract_cache_entry (
      b, "words", G_VARIANT_TYPE_STRING, calc_words,
      WEIR_DEPENDS (weir_parameter_ticket (b, p), WEIR_XA, weir_input_ticket (b, u)));
  weir_leaf_add_output (b, "length", 1, calc_length, WEIR_DEPENDS (weir_cached_ticket (b, words)));
  weir_leaf_add_output_window (b, "words", weir_cached_ticket (b, words));
  weir_leaf_add_output_window (b, "mood", weir_group_ticket (b, x));
  return weir_leaf_builder_build (b);
}

static const char *
string_of (GVariant *value)
{
  return value == NULL ? NULL : g_variant_get_string (value, NULL);
}

/* Two of the leaves in a row, within a diagram, within a diagram. */
static WeirSystem *
chain_new (void)
{
  g_autoptr (WeirSystem) words = words_new ();
  g_autoptr (WeirSystem) inner = NULL;
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirChild first = weir_diagram_builder_add (b, "first", words);
  WeirChild second = weir_diagram_builder_add (b, "second", words);
  WeirInput u = weir_diagram_builder_add_abstract_input (b, "u", G_VARIANT_TYPE_STRING);
  WeirChild nested;
  WeirSystem *system;

  weir_diagram_builder_connect_input (b, u, first, (WeirInput) { 0 });
  weir_diagram_builder_connect_by_name (b, "first", "mood", "second", "u");
  weir_diagram_builder_add_output (b, "words", second, (WeirOutput) { 1 });
  inner = weir_diagram_builder_build (b, NULL);
  b = weir_diagram_builder_new ();
  nested = weir_diagram_builder_add (b, "inner", inner);
  weir_diagram_builder_add_output (b, "words", nested, (WeirOutput) { 0 });
  system = weir_diagram_builder_build (b, NULL);
  return system;
}

static void
test_sources (void)
{
  g_autoptr (WeirSystem) system = words_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirGroup x = { 0 };
  WeirParameter p = { 0 };
  WeirInput u = { 0 };
  WeirOutput length = { 0 }, words = { 1 }, mood = { 2 };

  n_calls[0] = n_calls[1] = 0;
  g_assert_cmpfloat (weir_eval_output (system, context, WEIR_ROOT, length)[0], ==,
                     strlen ("p-calm-default"));
  g_assert_cmpstr (string_of (weir_eval_abstract_output (system, context, WEIR_ROOT, words)), ==,
                   "p-calm-default");
  g_assert_cmpuint (n_calls[0], ==, 1);
  g_assert_cmpuint (n_calls[1], ==, 1);

  weir_context_set_time (context, 1); /* nothing here reads it */
  weir_eval_output (system, context, WEIR_ROOT, length);
  g_assert_cmpuint (n_calls[0], ==, 1);

  g_assert_true (weir_context_set_abstract_state (context, WEIR_ROOT, x,
                                                  g_variant_new_string ("merry"), NULL));
  g_assert_cmpstr (string_of (weir_eval_abstract_output (system, context, WEIR_ROOT, mood)), ==,
                   "merry");
  g_assert_cmpuint (n_calls[0], ==, 1); /* a window computes nothing */
  g_assert_cmpstr (string_of (weir_eval_abstract_output (system, context, WEIR_ROOT, words)), ==,
                   "p-merry-default");
  g_assert_true (weir_context_set_abstract_parameter (context, WEIR_ROOT, p,
                                                      g_variant_new_string ("q"), NULL));
  g_assert_true (weir_context_fix_abstract_input (context, WEIR_ROOT, u,
                                                  g_variant_new_string ("fixed"), NULL));
  g_assert_cmpfloat (weir_eval_output (system, context, WEIR_ROOT, length)[0], ==,
                     strlen ("q-merry-fixed"));
  g_assert_cmpuint (n_calls[0], ==, 3);
  g_assert_true (weir_context_fix_abstract_input (context, WEIR_ROOT, u,
                                                  g_variant_new_string ("again"), NULL));
  g_assert_cmpstr (string_of (weir_eval_abstract_output (system, context, WEIR_ROOT, words)), ==,
                   "q-merry-again");
  weir_context_unfix_input (context, WEIR_ROOT, u);
  g_assert_cmpstr (string_of (weir_eval_abstract_output (system, context, WEIR_ROOT, words)), ==,
                   "q-merry-default");
  weir_context_reset (context);
  g_assert_cmpstr (string_of (weir_eval_abstract_output (system, context, WEIR_ROOT, words)), ==,
                   "p-calm-default");
}

static void
test_wrong_type (void)
{
  g_autoptr (WeirSystem) system = chain_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (GError) error = NULL;
  WeirNode second;

  g_assert_true (weir_layout_find_node (weir_system_get_layout (system), "inner.second", &second));
  g_assert_false (weir_context_set_abstract_state (context, second, (WeirGroup) { 0 },
                                                   g_variant_new_int32 (1), &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_MISMATCH);
  g_assert_cmpstr (
      error->message, ==,
      "inner.second: abstract state \"x\" takes an abstract value of type \"s\", not an "
      "abstract value of type \"i\".");
  g_assert_cmpstr (string_of (weir_context_get_abstract_state (context, second, (WeirGroup) { 0 })),
                   ==, "calm");
}

static void
test_nested (void)
{
  g_autoptr (WeirSystem) system = chain_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirContext) clone = NULL;
  WeirNode first;

  g_assert_true (weir_layout_find_node (weir_system_get_layout (system), "inner.first", &first));
  g_assert_cmpstr (
      string_of (weir_eval_abstract_output (system, context, WEIR_ROOT, (WeirOutput) { 0 })), ==,
      "p-calm-calm");
  clone = weir_context_clone (context);
  g_assert_true (weir_context_set_abstract_state (context, first, (WeirGroup) { 0 },
                                                  g_variant_new_string ("cross"), NULL));
  g_assert_cmpstr (
      string_of (weir_eval_abstract_output (system, context, WEIR_ROOT, (WeirOutput) { 0 })), ==,
      "p-calm-cross");
  n_calls[0] = 0;
  g_assert_cmpstr (
      string_of (weir_eval_abstract_output (system, clone, WEIR_ROOT, (WeirOutput) { 0 })), ==,
      "p-calm-calm");
  g_assert_cmpuint (n_calls[0], ==, 0); /* the clone's value was and stays up to date */
}

/* Like the composites of doubles: xa and pa hear of abstract ones only, xd and pn of
 * doubles only. */
static guint n_heard;

static WeirStatus
calc_heard (G_GNUC_UNUSED const WeirCalc *c, double *out)
{
  out[0] = ++n_heard;
  return WEIR_OK;
}

static void
test_composites (void)
{
  const double one = 1, two = 2;
  const struct {
    WeirTicket ticket;
    gboolean hears[4]; /* xd, xa, pn, pa */
  } rows[] = {
    { WEIR_XD, { TRUE, FALSE, FALSE, FALSE } },
    { WEIR_XA, { FALSE, TRUE, FALSE, FALSE } },
    { WEIR_PN, { FALSE, FALSE, TRUE, FALSE } },
    { WEIR_PA, { FALSE, FALSE, FALSE, TRUE } },
    { WEIR_ALL_STATE, { TRUE, TRUE, FALSE, FALSE } },
    { WEIR_ALL_PARAMETERS, { FALSE, FALSE, TRUE, TRUE } },
    { WEIR_CONFIGURATION, { TRUE, TRUE, TRUE, TRUE } },
  };

  for (guint k = 0; k < G_N_ELEMENTS (rows); k++)
    {
      WeirLeafBuilder *b = weir_leaf_builder_new ("Both");
      WeirGroup xd = weir_leaf_add_discrete_state (b, "d", &one, 1);
      WeirGroup xa = weir_leaf_add_abstract_state (b, "a", g_variant_new_byte (1));
      WeirParameter pn = weir_leaf_add_parameter (b, "n", &one, 1);
      WeirParameter pa = weir_leaf_add_abstract_parameter (b, "b", g_variant_new_byte (1));
      g_autoptr (WeirSystem) system = NULL;
      g_autoptr (WeirContext) context = NULL;

      weir_leaf_add_output (b, "y", 1, calc_heard, WEIR_DEPENDS (rows[k].ticket));
      system = weir_leaf_builder_build (b);
      context = weir_system_create_context (system);
      for (guint source = 0; source < 4; source++)
        {
          guint before;

          weir_eval_output (system, context, WEIR_ROOT, (WeirOutput) { 0 });
          before = n_heard;
          if (source == 0)
            weir_context_set_discrete (context, WEIR_ROOT, xd, &two);
          else if (source == 1)
            weir_context_set_abstract_state (context, WEIR_ROOT, xa, g_variant_new_byte (2), NULL);
          else if (source == 2)
            weir_context_set_parameter (context, WEIR_ROOT, pn, &two);
          else
            weir_context_set_abstract_parameter (context, WEIR_ROOT, pa, g_variant_new_byte (2),
                                                 NULL);
          weir_eval_output (system, context, WEIR_ROOT, (WeirOutput) { 0 });
          g_assert_cmpuint (n_heard - before, ==, rows[k].hears[source]);
        }
    }
}

/* All inputs include abstract ones; an output may be listed like the entry that it shows. */
static void
test_listed_ports (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Listed");
  WeirInput u = weir_leaf_add_abstract_input (b, "u", G_VARIANT_TYPE_BYTE);
  WeirGroup x = weir_leaf_add_abstract_state (b, "x", g_variant_new_byte (1));
  WeirOutput shown, first, second;
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;

  weir_leaf_set_abstract_input_default (b, u, g_variant_new_byte (1));
  shown = weir_leaf_add_output_window (b, "shown", weir_group_ticket (b, x));
  first = weir_leaf_add_output (b, "inputs", 1, calc_heard, WEIR_DEPENDS (WEIR_ALL_INPUTS));
  second = weir_leaf_add_output (b, "output", 1, calc_heard,
                                 WEIR_DEPENDS (weir_output_ticket (b, shown)));
  system = weir_leaf_builder_build (b);
  context = weir_system_create_context (system);
  for (guint source = 0; source < 2; source++)
    {
      guint before;

      weir_eval_output (system, context, WEIR_ROOT, first);
      weir_eval_output (system, context, WEIR_ROOT, second);
      if (source == 0)
        weir_context_fix_abstract_input (context, WEIR_ROOT, u, g_variant_new_byte (2), NULL);
      else
        weir_context_set_abstract_state (context, WEIR_ROOT, x, g_variant_new_byte (2), NULL);
      before = n_heard;
      weir_eval_output (system, context, WEIR_ROOT, first);
      g_assert_cmpuint (n_heard - before, ==, source == 0);
      weir_eval_output (system, context, WEIR_ROOT, second);
      g_assert_cmpuint (n_heard - before, ==, 1);
    }
}

static WeirStatus
calc_wrong (G_GNUC_UNUSED const WeirCalc *c, GVariant **out)
{
  *out = g_variant_new_int32 (3);
  return WEIR_OK;
}

static WeirStatus
calc_nothing (G_GNUC_UNUSED const WeirCalc *c, G_GNUC_UNUSED GVariant **out)
{
  return WEIR_OK;
}

static void
check_bad_calculation (WeirAbstractFunc calc, const char *message)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Wrong");
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;

  weir_leaf_add_abstract_output (b, "y", G_VARIANT_TYPE_STRING, calc, WEIR_DEPENDS (WEIR_NOTHING));
  system = weir_leaf_builder_build (b);
  context = weir_system_create_context (system);
  g_assert_null (weir_eval_abstract_output (system, context, WEIR_ROOT, (WeirOutput) { 0 }));
  g_assert_cmpstr (weir_context_get_failure (context), ==, message);
}

static void
test_bad_calculation (void)
{
  check_bad_calculation (calc_wrong, ":y cannot be computed at t = 0 s: its type is \"s\", but the "
                                     "calculation gave \"i\"");
  check_bad_calculation (calc_nothing,
                         ":y cannot be computed at t = 0 s: its type is \"s\", but the "
                         "calculation gave nothing");
}

/* Wires between unlike signals name both ports. */
static void
test_wires (void)
{
  g_autoptr (WeirSystem) words = words_new (), gain = test_gain_new (1);
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (GError) error = NULL;

  weir_diagram_builder_add (b, "words", words);
  weir_diagram_builder_add (b, "gain", gain);
  weir_diagram_builder_connect_by_name (b, "words", "mood", "gain", "u");
  g_assert_null (weir_diagram_builder_build (b, &error));
  g_assert_cmpstr (error->message, ==,
                   "gain: input \"u\" has size 1, but words.mood carries abstract "
                   "values of type \"s\".");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/abstract/sources", test_sources);
  g_test_add_func ("/system/abstract/composites", test_composites);
  g_test_add_func ("/system/abstract/listed-ports", test_listed_ports);
  g_test_add_func ("/system/abstract/nested", test_nested);
  g_test_add_func ("/system/abstract/wrong-type", test_wrong_type);
  g_test_add_func ("/system/abstract/bad-calculation", test_bad_calculation);
  g_test_add_func ("/system/abstract/wires", test_wires);
  return g_test_run ();
}

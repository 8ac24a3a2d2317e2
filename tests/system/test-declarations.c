/* Conformance: the builder. Feedthrough and loops are in test-feedthrough.c, removing is an edit of
 * a model (tests/model).
 */
#include "probe.h"
#include "system/layout/redeclare.h"

static WeirStatus
calc_text (G_GNUC_UNUSED const WeirCalc *c, GVariant **out)
{
  *out = g_variant_new_string ("text");
  return WEIR_OK;
}

/* in: 2 numbers, text "s", number list "ad"; out: the same. */
static WeirSystem *
mixed_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Mixed");

  weir_leaf_add_input (b, "pair", 2);
  weir_leaf_add_abstract_input (b, "text", G_VARIANT_TYPE_STRING);
  weir_leaf_add_abstract_input (b, "list", G_VARIANT_TYPE ("ad"));
  weir_leaf_add_output (b, "pair", 2, probe_calc, WEIR_DEPENDS (WEIR_NOTHING));
  weir_leaf_add_abstract_output (b, "text", G_VARIANT_TYPE_STRING, calc_text,
                                 WEIR_DEPENDS (WEIR_NOTHING));
  weir_leaf_add_abstract_output (b, "list", G_VARIANT_TYPE ("ad"), calc_text,
                                 WEIR_DEPENDS (WEIR_NOTHING));
  weir_leaf_add_output (b, "single", 1, probe_calc, WEIR_DEPENDS (WEIR_NOTHING));
  return weir_leaf_builder_build (b);
}

static void
assert_problem (WeirDiagramBuilder *d, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (weir_diagram_builder_build (d, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, message);
}

/* Every wire between unlike ports is refused, naming both. */
static void
test_unlike_ports (void)
{
  static const struct {
    const char *out, *in, *message;
  } rows[] = {
    { "single", "pair", "b: input \"pair\" has size 2, but a.single has size 1." },
    { "text", "pair",
      "b: input \"pair\" has size 2, but a.text carries abstract values of type \"s\"." },
    { "pair", "text",
      "b: input \"text\" carries abstract values of type \"s\", but a.pair has size 2." },
    { "list", "text",
      "b: input \"text\" carries abstract values of type \"s\", but a.list carries abstract values "
      "of "
      "type \"ad\"." },
    { "none", "text", "a has no output \"none\"." },
    { "text", "none", "b has no input \"none\"." },
  };
  g_autoptr (WeirSystem) mixed = mixed_new ();

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      WeirDiagramBuilder *d = weir_diagram_builder_new ();

      weir_diagram_builder_add (d, "a", mixed);
      weir_diagram_builder_add (d, "b", mixed);
      weir_diagram_builder_connect_by_name (d, "a", rows[i].out, "b", rows[i].in);
      assert_problem (d, rows[i].message);
    }
  {
    WeirDiagramBuilder *d = weir_diagram_builder_new ();
    WeirChild a = weir_diagram_builder_add (d, "a", mixed);

    weir_diagram_builder_connect_input (d, weir_diagram_builder_add_input (d, "u", 3), a,
                                        (WeirInput) { 0 });
    assert_problem (d, "a: input \"pair\" has size 2, but the diagram's input.u has size 3.");
  }
  {
    WeirDiagramBuilder *d = weir_diagram_builder_new ();
    WeirChild a = weir_diagram_builder_add (d, "a", mixed);

    weir_diagram_builder_connect_input (
        d, weir_diagram_builder_add_abstract_input (d, "u", G_VARIANT_TYPE_STRING), a,
        (WeirInput) { 0 });
    assert_problem (
        d, "a: input \"pair\" has size 2, but the diagram's input.u carries abstract values "
           "of type \"s\".");
  }
}

/* Ports of blocks that were never added, an empty diagram, one system in many diagrams. */
static void
test_life_cycle (void)
{
  g_autoptr (WeirSystem) gain = test_gain_new (2), empty = NULL, first = NULL, second = NULL;
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  WeirChild child = weir_diagram_builder_add (d, "gain", gain);
  g_autoptr (WeirContext) context = NULL;

  weir_diagram_builder_connect (d, child, (WeirOutput) { 0 }, (WeirChild) { 5 }, (WeirInput) { 0 });
  assert_problem (d, "There is no block number 5 to wire; 1 were added.");
  d = weir_diagram_builder_new ();
  child = weir_diagram_builder_add (d, "gain", gain);
  weir_diagram_builder_connect (d, child, (WeirOutput) { 3 }, child, (WeirInput) { 0 });
  assert_problem (d, "gain has no output number 3; it has 1.");
  d = weir_diagram_builder_new ();
  weir_diagram_builder_add (d, "gain", gain);
  weir_diagram_builder_connect_by_name (d, "gain", "y", "other", "u");
  assert_problem (d, "There is no block \"other\" to wire.");

  empty = weir_diagram_builder_build (weir_diagram_builder_new (), NULL);
  context = weir_system_create_context (empty);
  g_assert_nonnull (weir_eval_derivatives (empty, context)); /* none, without complaint */
  weir_context_set_time (context, 1);

  d = weir_diagram_builder_new ();
  weir_diagram_builder_add (d, "gain", gain);
  weir_diagram_builder_add (d, "again", gain);
  first = weir_diagram_builder_build (d, NULL);
  d = weir_diagram_builder_new ();
  weir_diagram_builder_add (d, "gain", gain);
  second = weir_diagram_builder_build (d, NULL);
  g_assert_true (weir_system_get_child (first, 1, NULL) == weir_system_get_child (second, 0, NULL));
}

static void
test_port_names (void)
{
  g_autoptr (WeirSystem) gain = test_gain_new (2), add = test_add_new (), fan = NULL;
  WeirDiagramBuilder *d;
  WeirChild a, b;
  WeirInput u;
  g_autoptr (WeirContext) context = NULL;
  static const double three = 3;

  if (g_test_subprocess ())
    {
      WeirLeafBuilder *leaf = weir_leaf_builder_new ("Doubled");

      weir_leaf_add_input (leaf, "u", 1);
      weir_leaf_add_input (leaf, "u", 1);
      return;
    }
  d = weir_diagram_builder_new ();
  weir_diagram_builder_add_input (d, "u", 1);
  weir_diagram_builder_add_input (d, "u", 1);
  assert_problem (d, "Two inputs of the diagram are called \"u\".");

  /* One input of the diagram may feed several. */
  d = weir_diagram_builder_new ();
  a = weir_diagram_builder_add (d, "a", gain);
  b = weir_diagram_builder_add (d, "b", add);
  u = weir_diagram_builder_add_input (d, "u", 1);
  weir_diagram_builder_connect_input (d, u, a, (WeirInput) { 0 });
  weir_diagram_builder_connect_input (d, u, b, (WeirInput) { 0 });
  weir_diagram_builder_connect_by_name (d, "a", "y", "b", "u1");
  weir_diagram_builder_add_output (d, "y", b, (WeirOutput) { 0 });
  fan = weir_diagram_builder_build (d, NULL);
  context = weir_system_create_context (fan);
  weir_context_fix_input (context, WEIR_ROOT, u, &three);
  g_assert_cmpfloat (weir_eval_output (fan, context, WEIR_ROOT, (WeirOutput) { 0 })[0], ==, 9);

  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*Doubled declares \"u\" twice.*");
}

static void
test_wired_twice (void)
{
  g_autoptr (WeirSystem) gain = test_gain_new (2);

  for (guint exported = 0; exported < 2; exported++)
    {
      WeirDiagramBuilder *d = weir_diagram_builder_new ();
      WeirChild a = weir_diagram_builder_add (d, "a", gain);
      WeirChild b = weir_diagram_builder_add (d, "b", gain);

      weir_diagram_builder_connect (d, a, (WeirOutput) { 0 }, b, (WeirInput) { 0 });
      if (exported)
        weir_diagram_builder_connect_input (d, weir_diagram_builder_add_input (d, "w", 1), b,
                                            (WeirInput) { 0 });
      else
        weir_diagram_builder_connect (d, a, (WeirOutput) { 0 }, b, (WeirInput) { 0 });
      assert_problem (d, exported
                             ? "b: input \"u\" is wired twice; the second wire comes from the "
                               "diagram's input.w."
                             : "b: input \"u\" is wired twice; the second wire comes from a.y.");
    }
}

static void
test_names (void)
{
  g_autoptr (WeirSystem) gain = test_gain_new (2);
  static const struct {
    const char *name, *message;
  } rows[] = {
    { "a", "Two blocks of one diagram are called \"a\"." },
    { "", "\"\" is no name for a block: a name is not empty and has no '.'." },
    { "b.c", "\"b.c\" is no name for a block: a name is not empty and has no '.'." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      WeirDiagramBuilder *d = weir_diagram_builder_new ();

      weir_diagram_builder_add (d, "a", gain);
      weir_diagram_builder_add (d, rows[i].name, gain);
      assert_problem (d, rows[i].message);
    }
}

/* Handles and names that the diagram's builder does not have; and a diagram of nothing. */
static void
test_unknown_ends (void)
{
  static const double zero = 0;
  g_autoptr (WeirSystem) gain = test_gain_new (2), empty = NULL;
  g_autoptr (WeirContext) context = NULL;
  g_autoptr (GError) error = NULL;
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  WeirChild a = weir_diagram_builder_add (d, "a", gain);

  weir_diagram_builder_connect_by_name (d, "a", "nope", "b", "u");
  assert_problem (d, "There is no block \"b\" to wire.");
  d = weir_diagram_builder_new ();
  weir_diagram_builder_add (d, "a", gain);
  weir_diagram_builder_connect_by_name (d, "a", "nope", "a", "u");
  assert_problem (d, "a has no output \"nope\".");
  d = weir_diagram_builder_new ();
  weir_diagram_builder_add (d, "a", gain);
  weir_diagram_builder_connect (d, a, (WeirOutput) { 5 }, a, (WeirInput) { 0 });
  assert_problem (d, "a has no output number 5; it has 1.");
  d = weir_diagram_builder_new ();
  weir_diagram_builder_add (d, "a", gain);
  weir_diagram_builder_connect (d, (WeirChild) { 8 }, (WeirOutput) { 0 }, a, (WeirInput) { 0 });
  assert_problem (d, "There is no block number 8 to wire; 1 were added.");

  empty = weir_diagram_builder_build (weir_diagram_builder_new (), &error);
  g_assert_no_error (error);
  context = weir_system_create_context (empty);
  weir_context_set_time (context, 1);
  weir_context_set_state (context, &zero);
  g_assert_cmpuint (weir_layout_get_n_states (weir_system_get_layout (empty)), ==, 0);
}

static WeirStatus
calc_nothing (G_GNUC_UNUSED const WeirCalc *c, double *y)
{
  *y = 0;
  return WEIR_OK;
}

static WeirStatus
update_nothing (G_GNUC_UNUSED const WeirCalc *c, G_GNUC_UNUSED gint64 n, G_GNUC_UNUSED double *next)
{
  return WEIR_OK;
}

/* Mistakes of a leaf's author that no file can make: each ends at the line that makes it. */
static void
test_wrong_declarations (gconstpointer data)
{
  static const char *const messages[] = {
    "*Entry \"y\" of Wrong has an empty list of prerequisites; say WEIR_NOTHING*",
    "*assertion failed*",
    "*assertion failed*",
  };
  const double zero = 0;
  guint row = GPOINTER_TO_UINT (data);
  WeirLeafBuilder *b;
  WeirTicket unknown = { 200 };
  WeirGroup group;

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
      g_test_trap_assert_failed ();
      g_test_trap_assert_stderr (messages[row]);
      return;
    }
  b = weir_leaf_builder_new ("Wrong");
  group = weir_leaf_add_discrete_state (b, "g", &zero, 1);
  if (row == 0)
    weir_leaf_add_output (b, "y", 1, calc_nothing, WEIR_DEPENDS ({ WEIR_TICKET_END }));
  else if (row == 1)
    weir_leaf_add_output (b, "y", 1, calc_nothing, WEIR_DEPENDS (unknown));
  else
    weir_leaf_add_update (b, weir_every (0, 0), group, update_nothing);
}

/* References, not an order of destruction, keep things alive: any order will do. */
static void
test_any_order (void)
{
  WeirSystem *gain = test_gain_new (2), *diagram;
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  WeirContext *context, *clone;
  static const double four = 4;

  weir_diagram_builder_add (d, "gain", gain);
  weir_diagram_builder_free (d); /* before it was built */
  d = weir_diagram_builder_new ();
  weir_diagram_builder_add (d, "gain", gain);
  weir_system_unref (gain);
  diagram = weir_diagram_builder_build (d, NULL);
  context = weir_system_create_context (diagram);
  weir_context_fix_input (context, (WeirNode) { 1 }, (WeirInput) { 0 }, &four);
  g_assert_cmpfloat (weir_eval_output (diagram, context, (WeirNode) { 1 }, (WeirOutput) { 0 })[0],
                     ==, 8);
  weir_system_unref (diagram);
  clone = weir_context_clone (context); /* contexts outlive systems */
  weir_context_free (context);
  weir_context_set_time (clone, 1);
  weir_context_free (clone);
}

/* --- A cycle that the declarations hide ------------------------------------------------------- */

static WeirStatus
calc_ahead (const WeirCalc *c, double *out)
{
  out[0] = weir_calc_cached (c, (WeirCached) { 1 })[0];
  return WEIR_OK;
}

static WeirStatus
calc_behind (const WeirCalc *c, double *out)
{
  out[0] = weir_calc_cached (c, (WeirCached) { 0 })[0];
  return WEIR_OK;
}

static WeirStatus
calc_itself (const WeirCalc *c, double *out)
{
  out[0] = weir_calc_cached (c, (WeirCached) { 2 })[0];
  return WEIR_OK;
}

static void
test_run_time_cycle (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Cyclic");
  WeirTicket first, second, third;
  g_autoptr (WeirSystem) leaf = NULL, system = NULL;
  g_autoptr (WeirContext) context = NULL;
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  WeirEntry entry;

  first = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "first", 1, calc_ahead, WEIR_DEPENDS (WEIR_TIME)));
  second = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "second", 1, calc_behind, WEIR_DEPENDS (first)));
  third = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "third", 1, calc_itself, WEIR_DEPENDS (WEIR_TIME)));
  leaf = weir_leaf_builder_build (b);
  weir_diagram_builder_add (d, "block", leaf);
  system = weir_diagram_builder_build (d, NULL);
  context = weir_system_create_context (system);
  weir_layout_find_entry (weir_context_get_layout (context), (WeirNode) { 1 }, second, &entry);
  g_assert_null (weir_eval_entry (system, context, entry));
  g_assert_cmpstr (
      weir_context_get_failure (context), ==,
      "block:first cannot be computed at t = 0 s: block:first reads block:second, which "
      "depends on block:first: a cycle, closed by a read that is not declared");
  weir_layout_find_entry (weir_context_get_layout (context), (WeirNode) { 1 }, third, &entry);
  g_assert_null (weir_eval_entry (system, context, entry));
  g_assert_cmpstr (
      weir_context_get_failure (context), ==,
      "block:third cannot be computed at t = 0 s: block:third reads block:third: a cycle, "
      "closed by a read that is not declared");
}

static WeirStatus
calc_rest (G_GNUC_UNUSED const WeirCalc *c, double *xcdot)
{
  xcdot[0] = xcdot[1] = 0;
  return WEIR_OK;
}

/* What a copy declares anew is what reaches its entry: q no longer, and v and time from then on. */
static void
test_redeclared (void)
{
  const double x0[] = { 1, 2 };
  const guint16 tickets[] = { WEIR_TICKET_V, WEIR_TICKET_TIME };
  WeirLeafBuilder *b = weir_leaf_builder_new ("Listener");
  g_autoptr (WeirSystem) system = NULL, copy = NULL;
  g_autoptr (WeirContext) context = NULL;
  g_autoptr (GError) error = NULL;
  WeirRedeclaration change = { { 0 }, tickets, G_N_ELEMENTS (tickets) };
  WeirTicket heard;
  WeirEntry entry;

  weir_leaf_set_continuous_state (b, 1, 1, 0, x0);
  weir_leaf_set_derivatives (b, calc_rest, WEIR_DEPENDS (WEIR_NOTHING));
  heard = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "heard", 1, probe_calc, WEIR_DEPENDS (WEIR_Q)));
  system = weir_leaf_builder_build (b);
  g_assert_true (
      weir_layout_find_entry (weir_system_get_layout (system), WEIR_ROOT, heard, &change.entry));
  copy = weir_system_redeclare (system, &change, 1, &error);
  g_assert_no_error (error);
  g_assert_true (weir_layout_find_entry (weir_system_get_layout (copy), WEIR_ROOT, heard, &entry));
  context = weir_system_create_context (copy);

  g_assert_nonnull (weir_eval_entry (copy, context, entry));
  weir_context_set_part (context, WEIR_ROOT, WEIR_STATE_Q, (const double[]) { 3 });
  g_assert_true (weir_context_is_up_to_date (context, entry));
  weir_context_set_part (context, WEIR_ROOT, WEIR_STATE_V, (const double[]) { 4 });
  g_assert_false (weir_context_is_up_to_date (context, entry));
  g_assert_nonnull (weir_eval_entry (copy, context, entry));
  weir_context_set_time (context, 1);
  g_assert_false (weir_context_is_up_to_date (context, entry));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/declarations/unlike-ports", test_unlike_ports);
  g_test_add_func ("/system/declarations/life-cycle", test_life_cycle);
  g_test_add_func ("/system/declarations/port-names", test_port_names);
  g_test_add_func ("/system/declarations/wired-twice", test_wired_twice);
  g_test_add_func ("/system/declarations/names", test_names);
  g_test_add_func ("/system/declarations/unknown-ends", test_unknown_ends);
  g_test_add_data_func ("/system/declarations/no-prerequisites", GUINT_TO_POINTER (0),
                        test_wrong_declarations);
  g_test_add_data_func ("/system/declarations/unknown-ticket", GUINT_TO_POINTER (1),
                        test_wrong_declarations);
  g_test_add_data_func ("/system/declarations/period-0", GUINT_TO_POINTER (2),
                        test_wrong_declarations);
  g_test_add_func ("/system/declarations/any-order", test_any_order);
  g_test_add_func ("/system/declarations/run-time-cycle", test_run_time_cycle);
  g_test_add_func ("/system/declarations/redeclared", test_redeclared);
  return g_test_run ();
}

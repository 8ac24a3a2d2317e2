/* Conformance: direct feedthrough per pair of ports and algebraic loops. Feedthrough is a static
 * walk over declarations: no context, no probing.
 */
#include "../seeds.h"
#include "probe.h"

/* One leaf with @n_inputs inputs u0..., and outputs y0... that declare @depends. */
static WeirSystem *
leaf_new (guint n_inputs, guint n_outputs, const WeirTicket *depends)
{
  static const double one = 1;
  WeirLeafBuilder *b = weir_leaf_builder_new ("Ports");

  for (guint i = 0; i < n_inputs; i++)
    {
      g_autofree char *name = g_strdup_printf ("u%u", i);

      weir_leaf_add_input (b, name, 1);
    }
  weir_leaf_set_continuous_state (b, 1, 0, 0, &one);
  weir_leaf_set_derivatives (b, probe_calc, WEIR_DEPENDS (WEIR_ALL_INPUTS));
  for (guint o = 0; o < n_outputs; o++)
    {
      g_autofree char *name = g_strdup_printf ("y%u", o);

      weir_leaf_add_output (b, name, 1, probe_calc, depends);
    }
  return weir_leaf_builder_build (b);
}

static void
check_all_pairs (WeirSystem *system, gboolean expected)
{
  for (guint16 i = 0; i < weir_system_get_n_inputs (system); i++)
    for (guint16 o = 0; o < weir_system_get_n_outputs (system); o++)
      g_assert_cmpint (
          weir_system_has_direct_feedthrough (system, (WeirInput) { i }, (WeirOutput) { o }), ==,
          expected);
}

/* Without a list everything is presumed, for any number of ports. */
static void
test_default (void)
{
  for (guint n_inputs = 0; n_inputs < 4; n_inputs++)
    for (guint n_outputs = 0; n_outputs < 4; n_outputs++)
      {
        g_autoptr (WeirSystem) leaf = leaf_new (n_inputs, n_outputs, NULL);

        check_all_pairs (leaf, TRUE);
      }
}

static void
test_prerequisites (void)
{
  g_autoptr (WeirSystem) state = leaf_new (2, 2, WEIR_DEPENDS (WEIR_ALL_STATE));
  g_autoptr (WeirSystem) nothing = leaf_new (2, 2, WEIR_DEPENDS (WEIR_NOTHING));
  g_autoptr (WeirSystem) kinematics = leaf_new (2, 2, WEIR_DEPENDS (WEIR_KINEMATICS));
  g_autoptr (WeirSystem) inputs = leaf_new (2, 2, WEIR_DEPENDS (WEIR_ALL_INPUTS, WEIR_TIME));
  g_autoptr (WeirSystem) derivatives = leaf_new (2, 2, WEIR_DEPENDS (WEIR_XCDOT));
  g_autoptr (WeirSystem)
      first = leaf_new (2, 1, WEIR_DEPENDS ((WeirTicket) { WEIR_N_BUILT_IN_TICKETS }, WEIR_Q));

  check_all_pairs (state, FALSE);
  check_all_pairs (nothing, FALSE);
  check_all_pairs (kinematics, FALSE);
  check_all_pairs (inputs, TRUE);
  check_all_pairs (derivatives, TRUE); /* the derivatives read every input */
  g_assert_true (weir_system_has_direct_feedthrough (first, (WeirInput) { 0 }, (WeirOutput) { 0 }));
  g_assert_false (
      weir_system_has_direct_feedthrough (first, (WeirInput) { 1 }, (WeirOutput) { 0 }));
}

static void
test_through_entries (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Chained");
  WeirInput u0 = weir_leaf_add_input (b, "u0", 1);
  WeirTicket first, second, unrelated;
  g_autoptr (WeirSystem) leaf = NULL;

  weir_leaf_add_input (b, "u1", 1);
  first = weir_cached_ticket (b,
                              weir_leaf_add_cache_entry (b, "first", 1, probe_calc,
                                                         WEIR_DEPENDS (weir_input_ticket (b, u0))));
  second = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "second", 1, probe_calc, WEIR_DEPENDS (first, WEIR_TIME)));
  unrelated = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "unrelated", 1, probe_calc, WEIR_DEPENDS (WEIR_TIME)));
  weir_leaf_add_output (b, "y0", 1, probe_calc, WEIR_DEPENDS (second));
  weir_leaf_add_output (b, "y1", 1, probe_calc, WEIR_DEPENDS (unrelated));
  weir_leaf_add_output_window (b, "y2", first);
  leaf = weir_leaf_builder_build (b);
  g_assert_true (weir_system_has_direct_feedthrough (leaf, (WeirInput) { 0 }, (WeirOutput) { 0 }));
  g_assert_false (weir_system_has_direct_feedthrough (leaf, (WeirInput) { 1 }, (WeirOutput) { 0 }));
  g_assert_false (weir_system_has_direct_feedthrough (leaf, (WeirInput) { 0 }, (WeirOutput) { 1 }));
  g_assert_true (weir_system_has_direct_feedthrough (leaf, (WeirInput) { 0 }, (WeirOutput) { 2 }));
}

/* Two paths of ports through one block: u0 -> y0 and u1 -> y1 only. */
static WeirSystem *
two_paths_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Two paths");
  WeirInput u0 = weir_leaf_add_input (b, "u0", 1), u1 = weir_leaf_add_input (b, "u1", 1);

  weir_leaf_add_output (b, "y0", 1, probe_calc, WEIR_DEPENDS (weir_input_ticket (b, u0)));
  weir_leaf_add_output (b, "y1", 1, probe_calc, WEIR_DEPENDS (weir_input_ticket (b, u1)));
  return weir_leaf_builder_build (b);
}

/* @system in @depth diagrams, its ports exported. */
static WeirSystem *
wrap (WeirSystem *system, guint depth)
{
  WeirSystem *wrapped = weir_system_ref (system);

  for (guint d = 0; d < depth; d++)
    {
      WeirDiagramBuilder *b = weir_diagram_builder_new ();
      WeirChild child = weir_diagram_builder_add (b, "inside", wrapped);

      for (guint16 i = 0; i < weir_system_get_n_inputs (wrapped); i++)
        weir_diagram_builder_connect_input (
            b,
            weir_diagram_builder_add_input (
                b, weir_system_get_input_name (wrapped, (WeirInput) { i }), 1),
            child, (WeirInput) { i });
      for (guint16 o = 0; o < weir_system_get_n_outputs (wrapped); o++)
        weir_diagram_builder_add_output (b,
                                         weir_system_get_output_name (wrapped, (WeirOutput) { o }),
                                         child, (WeirOutput) { o });
      weir_system_unref (wrapped);
      wrapped = weir_diagram_builder_build (b, NULL);
    }
  return wrapped;
}

static void
test_diagrams (void)
{
  g_autoptr (WeirSystem) two = two_paths_new ();

  for (guint depth = 0; depth < 4; depth++)
    {
      g_autoptr (WeirSystem) wrapped = wrap (two, depth);

      for (guint16 i = 0; i < 2; i++)
        for (guint16 o = 0; o < 2; o++)
          g_assert_cmpint (
              weir_system_has_direct_feedthrough (wrapped, (WeirInput) { i }, (WeirOutput) { o }),
              ==, i == o);
    }
}

static char *
loop_text (WeirDiagramBuilder *b)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (weir_diagram_builder_build (b, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
  return g_strdup (error->message);
}

/* The text names every port on the way, blocks first, and ends where it began. */
static void
test_text (void)
{
  g_autoptr (WeirSystem) add = test_add_new (), gain = test_gain_new (2), wrapped = wrap (gain, 2);
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autofree char *text = NULL;

  weir_diagram_builder_add (b, "adder", add);
  weir_diagram_builder_add (b, "inner", wrapped);
  weir_diagram_builder_connect_by_name (b, "adder", "y", "inner", "u");
  weir_diagram_builder_connect_by_name (b, "inner", "y", "adder", "u1");
  text = loop_text (b);
  g_assert_cmpstr (
      text, ==,
      "Algebraic loop: inner.u -> inner.y -> adder.u1 -> adder.y -> inner.u. Break it with a "
      "block that has state, such as an Integrator or a Unit delay.");
}

/* Loops are decided between ports, not blocks. */
static void
test_ports_not_blocks (void)
{
  g_autoptr (WeirSystem) two = two_paths_new (), integrator = test_integrator_new (0);

  for (guint depth = 0; depth < 3; depth++)
    {
      g_autoptr (WeirSystem) block = wrap (two, depth);
      g_autoptr (WeirSystem) fine = NULL;
      WeirDiagramBuilder *b = weir_diagram_builder_new ();
      g_autofree char *text = NULL;

      /* A cycle of blocks that is no loop of ports: y0 -> u1. */
      weir_diagram_builder_add (b, "block", block);
      weir_diagram_builder_connect_by_name (b, "block", "y0", "block", "u1");
      fine = weir_diagram_builder_build (b, NULL);
      g_assert_nonnull (fine);
      /* A loop of ports: y0 -> u0. */
      b = weir_diagram_builder_new ();
      weir_diagram_builder_add (b, "block", block);
      weir_diagram_builder_connect_by_name (b, "block", "y0", "block", "u0");
      text = loop_text (b);
      g_assert_nonnull (strstr (text, "block.u0 -> block.y0 -> block.u0"));
      /* Both ports in one cycle. */
      b = weir_diagram_builder_new ();
      weir_diagram_builder_add (b, "block", block);
      weir_diagram_builder_connect_by_name (b, "block", "y0", "block", "u1");
      weir_diagram_builder_connect_by_name (b, "block", "y1", "block", "u0");
      g_free (text);
      text = loop_text (b);
      g_assert_nonnull (strstr (text, "block.u0 -> block.y0 -> block.u1 -> block.y1 -> block.u0"));
    }
  {
    /* Through state there is none. */
    WeirDiagramBuilder *b = weir_diagram_builder_new ();
    g_autoptr (WeirSystem) fine = NULL;

    weir_diagram_builder_add (b, "block", two);
    weir_diagram_builder_add (b, "integrator", integrator);
    weir_diagram_builder_connect_by_name (b, "block", "y0", "integrator", "u");
    weir_diagram_builder_connect_by_name (b, "integrator", "y", "block", "u0");
    fine = weir_diagram_builder_build (b, NULL);
    g_assert_nonnull (fine);
  }
}

/* --- Against a search over what entries read: random leaves, nested and wired at random ------ */

static WeirSystem *
random_leaf (GRand *rand)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Random");
  WeirTicket tickets[3 + 4];
  guint n = 3;

  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("u%u", i);

      tickets[i] = weir_input_ticket (b, weir_leaf_add_input (b, name, 1));
    }
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *name = g_strdup_printf ("y%u", i);
      WeirTicket one = g_rand_int_range (rand, 0, 3) == 0
                           ? WEIR_TIME
                           : tickets[g_rand_int_range (rand, 0, (gint) n)];
      WeirTicket two = g_rand_boolean (rand) ? WEIR_NOTHING
                                             : tickets[g_rand_int_range (rand, 0, (gint) n)];

      tickets[n++] = weir_output_ticket (
          b, weir_leaf_add_output (b, name, 1, probe_calc, WEIR_DEPENDS (one, two)));
    }
  return weir_leaf_builder_build (b);
}

static WeirSystem *
random_diagram (GRand *rand, guint depth)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  guint n = 3;

  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("u%u", i);

      weir_diagram_builder_add_input (b, name, 1);
    }
  for (guint c = 0; c < n; c++)
    {
      g_autofree char *name = g_strdup_printf ("c%u", c);
      g_autoptr (WeirSystem) child = depth > 0 && g_rand_boolean (rand)
                                         ? random_diagram (rand, depth - 1)
                                         : random_leaf (rand);
      WeirChild added = weir_diagram_builder_add (b, name, child);

      for (guint16 i = 0; i < weir_system_get_n_inputs (child); i++)
        if (c > 0 && g_rand_boolean (rand))
          weir_diagram_builder_connect (
              b, (WeirChild) { (guint32) g_rand_int_range (rand, 0, (gint) c) },
              (WeirOutput) { (guint16) g_rand_int_range (rand, 0, 4) }, added, (WeirInput) { i });
        else
          weir_diagram_builder_connect_input (
              b, (WeirInput) { (guint16) g_rand_int_range (rand, 0, 3) }, added, (WeirInput) { i });
    }
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *name = g_strdup_printf ("y%u", i);

      weir_diagram_builder_add_output (
          b, name, (WeirChild) { (guint32) g_rand_int_range (rand, 0, (gint) n) },
          (WeirOutput) { (guint16) g_rand_int_range (rand, 0, 4) });
    }
  return weir_diagram_builder_build (b, NULL);
}

/* Fixing an input of the root marks exactly the outputs that it feeds through to. */
static void
test_random (void)
{
  GRand *rand = g_rand_new_with_seed (get_test_seed (44));

  for (guint k = 0; k < 300; k++)
    {
      g_autoptr (WeirSystem) system = random_diagram (rand, 3);
      g_autoptr (WeirContext) context = weir_system_create_context (system);
      WeirLayout *layout = weir_context_get_layout (context);

      for (guint16 i = 0; i < 3; i++)
        weir_context_fix_input (context, WEIR_ROOT, (WeirInput) { i }, (const double[]) { 1 });
      for (guint16 i = 0; i < 3; i++)
        {
          probe_eval_all (system, context);
          weir_context_fix_input (context, WEIR_ROOT, (WeirInput) { i }, (const double[]) { 2 });
          for (guint16 o = 0; o < 4; o++)
            {
              WeirEntry entry;

              g_assert_true (
                  weir_layout_find_output_entry (layout, WEIR_ROOT, (WeirOutput) { o }, &entry));
              g_assert_cmpint (weir_system_has_direct_feedthrough (system, (WeirInput) { i },
                                                                   (WeirOutput) { o }),
                               ==, !weir_context_is_up_to_date (context, entry));
            }
        }
    }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/feedthrough/default", test_default);
  g_test_add_func ("/system/feedthrough/prerequisites", test_prerequisites);
  g_test_add_func ("/system/feedthrough/through-entries", test_through_entries);
  g_test_add_func ("/system/feedthrough/diagrams", test_diagrams);
  g_test_add_func ("/system/feedthrough/text", test_text);
  g_test_add_func ("/system/feedthrough/ports-not-blocks", test_ports_not_blocks);
  g_test_add_func ("/system/feedthrough/random", test_random);
  return g_test_run ();
}

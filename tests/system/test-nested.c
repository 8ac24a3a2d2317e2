/* Conformance: contexts of nested diagrams.
 *
 * The tree of probe.h: root { a, inner { b, c } }, a chain u -> a -> b -> c -> y.
 */
#include "probe.h"
#include "system/change/walk.h"

#define T(ticket) (1u << WEIR_TICKET_##ticket)
#define SOURCES (T (ALL_SOURCES_EXCEPT_INPUTS) | T (ALL_SOURCES))
#define INPUT (T (ALL_INPUTS) | T (ALL_SOURCES))
#define Q_STATE (T (Q) | T (XC) | T (ALL_STATE) | T (CONFIGURATION) | T (KINEMATICS) | SOURCES)

static const double one = 1, nine = 9;

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  WeirNode a, inner, b, c;
} Tree;

static void
tree_init (Tree *t)
{
  t->system = probe_tree_new ();
  t->context = probe_context_new (t->system);
  t->a = probe_node (t->context, "a");
  t->inner = probe_node (t->context, "inner");
  t->b = probe_node (t->context, "inner.b");
  t->c = probe_node (t->context, "inner.c");
}

static void
tree_clear (Tree *t)
{
  weir_context_free (t->context);
  weir_system_unref (t->system);
}

static void
check_heard (Tree *t, guint32 a, guint32 b, guint32 c)
{
  g_assert_cmphex (probe_heard (t->context, "a"), ==, a);
  g_assert_cmphex (probe_heard (t->context, "inner.b"), ==, b);
  g_assert_cmphex (probe_heard (t->context, "inner.c"), ==, c);
  probe_eval_all (t->system, t->context);
}

/* Time and accuracy are the whole tree's: there is nothing to set them with elsewhere. */
static void
test_time_and_accuracy (void)
{
  const guint32 accuracy = T (ACCURACY) | T (CONFIGURATION) | T (KINEMATICS) | SOURCES;
  Tree t;

  tree_init (&t);
  weir_context_set_time (t.context, 1);
  check_heard (&t, T (TIME) | SOURCES, T (TIME) | SOURCES, T (TIME) | SOURCES);
  weir_context_set_accuracy (t.context, 0.5);
  check_heard (&t, accuracy, accuracy, accuracy);
  tree_clear (&t);
}

/* A change at any level reaches down to the leaves below it, up to what gathers them, and
 * no sibling but through ports. */
static void
test_mutation (void)
{
  const double q2[2] = { 20, 30 }, q3[3] = { 10, 20, 30 };
  WeirEntry inner_xcdot, root_xcdot, a_xcdot;
  double q[3];
  Tree t;

  tree_init (&t);
  inner_xcdot = probe_entry (t.context, "inner", WEIR_XCDOT);
  root_xcdot = probe_entry (t.context, "", WEIR_XCDOT);
  a_xcdot = probe_entry (t.context, "a", WEIR_XCDOT);

  /* q of the diagram inner: its leaves hear, a does not. */
  weir_context_set_part (t.context, t.inner, WEIR_STATE_Q, q2);
  g_assert_false (weir_context_is_up_to_date (t.context, inner_xcdot));
  g_assert_false (weir_context_is_up_to_date (t.context, root_xcdot));
  g_assert_true (weir_context_is_up_to_date (t.context, a_xcdot));
  check_heard (&t, 0, Q_STATE, Q_STATE | INPUT); /* c's input shows b's y, which reads q */
  weir_context_read_part (t.context, WEIR_ROOT, WEIR_STATE_Q, q);
  g_assert_cmpfloat (q[0], ==, 1);
  g_assert_cmpfloat (q[1], ==, 20);
  g_assert_cmpfloat (q[2], ==, 30);

  /* q of the root. */
  weir_context_set_part (t.context, WEIR_ROOT, WEIR_STATE_Q, q3);
  check_heard (&t, Q_STATE, Q_STATE | INPUT, Q_STATE | INPUT);

  /* A leaf's q: up to what gathers it, and along the wires. */
  weir_context_set_part (t.context, t.c, WEIR_STATE_Q, &nine);
  g_assert_true (
      weir_context_is_up_to_date (t.context, probe_entry (t.context, "inner.b", WEIR_XCDOT)));
  g_assert_false (weir_context_is_up_to_date (t.context, root_xcdot));
  check_heard (&t, 0, 0, Q_STATE);

  /* States of a diagram in place. */
  weir_context_change_state (t.context, t.inner)[0] = 7; /* q of b */
  check_heard (&t, 0, Q_STATE | T (V) | T (Z), Q_STATE | T (V) | T (Z) | INPUT);
  g_assert_cmpfloat (weir_context_get_state (t.context)[3], ==, 7);
  tree_clear (&t);
}

/* v and z of a diagram, set together: what listens to either in its leaves hears, q does not. */
static void
test_v_and_z (void)
{
  const double v[2] = { 5, 6 }, z[2] = { 7, 8 };
  const guint32 both = T (V) | T (Z) | T (XC) | T (ALL_STATE) | T (CONFIGURATION) | T (KINEMATICS)
                       | SOURCES;
  guint64 events;
  Tree t;

  tree_init (&t);
  events = weir_context_get_n_events (t.context);
  weir_context_set_v_and_z (t.context, t.inner, v, z);
  g_assert_cmpuint (weir_context_get_n_events (t.context), ==, events + 1);
  check_heard (&t, 0, both, both);
  g_assert_cmpfloat (weir_context_get_state (t.context)[8], ==, 8);
  tree_clear (&t);
}

/* Each tracker hears of one mutation once, though told many times over. */
static void
test_everything_once (void)
{
  g_autoptr (WeirContext) other = NULL;
  WeirEntry gathered;
  guint64 before, events;
  Tree t;

  tree_init (&t);
  gathered = probe_entry (t.context, "inner", WEIR_PNC);
  before = probe_counters (t.context, gathered).invalidations;
  events = weir_context_get_n_events (t.context);
  other = weir_context_clone (t.context);
  g_assert_true (
      weir_context_set_state_and_parameters_from (t.context, WEIR_ROOT, other, WEIR_ROOT, NULL));
  g_assert_cmpuint (weir_context_get_n_events (t.context), ==, events + 1);
  g_assert_cmpuint (probe_counters (t.context, gathered).invalidations, ==, before + 1);
  tree_clear (&t);
}

static void
test_along_the_chain (void)
{
  Tree t;

  tree_init (&t);
  weir_context_set_part (t.context, t.b, WEIR_STATE_Q, &nine);
  check_heard (&t, 0, Q_STATE, INPUT);
  weir_context_fix_input (t.context, WEIR_ROOT, (WeirInput) { 0 }, &nine);
  check_heard (&t, INPUT, INPUT, INPUT);
  tree_clear (&t);
}

static void
test_recalculates (void)
{
  WeirOutput y = { 0 };
  Tree t;

  tree_init (&t);
  g_assert_cmpfloat (weir_eval_output (t.system, t.context, WEIR_ROOT, y)[0], ==, 0 + 1 + 1 + 1);
  weir_context_set_part (t.context, t.b, WEIR_STATE_Q, &nine);
  g_assert_cmpfloat (weir_eval_output (t.system, t.context, WEIR_ROOT, y)[0], ==, 0 + 1 + 9 + 1);
  tree_clear (&t);
}

/* An update of one leaf leaves its siblings' entries valid and unwritten. */
static void
test_updates_are_local (void)
{
  WeirEntry sibling;
  guint64 serial;
  Tree t;

  tree_init (&t);
  sibling = probe_listener (t.context, "inner.c", WEIR_TICKET_XD);
  serial = weir_context_get_serial (t.context, sibling);
  weir_context_set_discrete (t.context, t.b, (WeirGroup) { PROBE_D }, &nine);
  weir_context_set_abstract_state (t.context, t.b, (WeirGroup) { PROBE_A },
                                   g_variant_new_string ("x"), NULL);
  g_assert_true (weir_context_is_up_to_date (t.context, sibling));
  probe_eval_all (t.system, t.context);
  g_assert_cmpuint (weir_context_get_serial (t.context, sibling), ==, serial);
  tree_clear (&t);
}

static void
assert_notifies (WeirWalk *walk, guint32 from, guint32 to)
{
  guint n;
  const guint32 *subscribers = weir_walk_get_subscribers (walk, from, &n);

  for (guint k = 0; k < n; k++)
    if (subscribers[k] == to)
      return;
  g_assert_not_reached ();
}

/* Child input <- sibling output or the parent's input; diagram output <- child output;
 * output <- its cache entry. */
static void
test_port_subscriptions (void)
{
  WeirLayout *layout;
  g_autoptr (WeirWalk) walk = NULL;
  WeirTicket u = {
    WEIR_N_BUILT_IN_TICKETS
  }; /* first item declared, of a probe and of the diagrams */
  WeirTicket inner_y = { WEIR_N_BUILT_IN_TICKETS + 1 }, y, entry;
  const WeirShape *probe;
  Tree t;

  tree_init (&t);
  layout = weir_context_get_layout (t.context);
  walk = weir_walk_new (layout);
  probe = layout->nodes[t.a.i].shape;
  y.i = weir_shape_output (probe, 0)->ticket;
  entry.i = weir_shape_output (probe, 0)->shown;
  g_assert_cmpuint (y.i, !=, entry.i);
  assert_notifies (walk, weir_walk_get_tracker (walk, WEIR_ROOT, u),
                   weir_walk_get_tracker (walk, t.a, u));
  assert_notifies (walk, weir_walk_get_tracker (walk, t.a, y),
                   weir_walk_get_tracker (walk, t.inner, u));
  assert_notifies (walk, weir_walk_get_tracker (walk, t.inner, u),
                   weir_walk_get_tracker (walk, t.b, u));
  assert_notifies (walk, weir_walk_get_tracker (walk, t.b, y),
                   weir_walk_get_tracker (walk, t.c, u));
  assert_notifies (walk, weir_walk_get_tracker (walk, t.c, y),
                   weir_walk_get_tracker (walk, t.inner, inner_y));
  assert_notifies (walk, weir_walk_get_tracker (walk, t.a, entry),
                   weir_walk_get_tracker (walk, t.a, y));
  assert_notifies (walk, weir_walk_get_fixed_tracker (walk, t.c, (WeirInput) { 0 }),
                   weir_walk_get_tracker (walk, t.c, u));
  tree_clear (&t);
}

/* Time travels between whole contexts only; states and parameters between any equal
 * subtrees, and upward from there. */
static void
test_subtree_from_another (void)
{
  g_autoptr (WeirSystem) probe = probe_new ();
  g_autoptr (WeirContext) alone = weir_system_create_context (probe);
  g_autoptr (GError) error = NULL;
  Tree t;

  tree_init (&t);
  weir_context_set_part (alone, WEIR_ROOT, WEIR_STATE_Q, &nine);
  weir_context_set_time (alone, 5);
  g_assert_true (
      weir_context_set_state_and_parameters_from (t.context, t.b, alone, WEIR_ROOT, NULL));
  g_assert_cmpfloat (weir_context_get_time (t.context), ==, 0);
  g_assert_cmpfloat (weir_context_get_state (t.context)[3], ==, 9);
  g_assert_cmphex (probe_heard (t.context, "a"), ==, 0);
  g_assert_false (weir_context_is_up_to_date (t.context, probe_entry (t.context, "", WEIR_XCDOT)));
  g_assert_false (weir_context_set_time_state_and_parameters_from (t.context, alone, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_MISMATCH);
  tree_clear (&t);
}

static void
test_clone (void)
{
  g_autoptr (WeirContext) clone = NULL;
  Tree t;

  tree_init (&t);
  weir_context_set_accuracy (t.context, 0.125);
  clone = weir_context_clone (t.context);
  g_assert_cmpfloat (weir_context_get_accuracy (clone), ==, 0.125);
  weir_context_set_accuracy (clone, 0.5);
  weir_context_set_part (clone, t.c, WEIR_STATE_Q, &nine);
  weir_context_set_abstract_state (clone, t.c, (WeirGroup) { PROBE_A }, g_variant_new_string ("x"),
                                   NULL);
  g_assert_cmpfloat (weir_context_get_accuracy (t.context), ==, 0.125);
  g_assert_cmpfloat (weir_context_get_state (t.context)[6], ==, 1);
  g_assert_cmpstr (
      g_variant_get_string (
          weir_context_get_abstract_state (t.context, t.c, (WeirGroup) { PROBE_A }), NULL),
      ==, "a");
  tree_clear (&t);
}

/* The three ways to hold the wrong context. */
static void
test_wrong_context (void)
{
  g_autoptr (WeirSystem) probe = probe_new (), gain = test_gain_new (1);
  g_autoptr (WeirContext) alone = weir_system_create_context (probe);
  Tree t;

  tree_init (&t);
  g_assert_null (weir_eval_output (probe, t.context, WEIR_ROOT, (WeirOutput) { 0 }));
  g_assert_cmpstr (
      weir_context_get_failure (t.context), ==,
      "the context is of a whole Diagram, of which this Probe is the block \"a\": evaluate "
      "with the whole and name the block");
  g_assert_null (weir_eval_output (t.system, alone, WEIR_ROOT, (WeirOutput) { 0 }));
  g_assert_cmpstr (
      weir_context_get_failure (alone), ==,
      "the context is of a Probe alone, which is the block \"a\" of this Diagram: evaluate "
      "with a context of the whole");
  g_assert_null (weir_eval_output (gain, alone, WEIR_ROOT, (WeirOutput) { 0 }));
  g_assert_nonnull (
      strstr (weir_context_get_failure (alone), "belongs to another system (Probe with"));
  g_assert_null (weir_eval_output (t.system, t.context, t.a, (WeirOutput) { 3 }));
  g_assert_cmpstr (weir_context_get_failure (t.context), ==, "a has no output 3; it has 1: y");
  g_assert_null (weir_eval_input (t.system, t.context, t.inner, (WeirInput) { 1 }));
  g_assert_cmpstr (weir_context_get_failure (t.context), ==, "inner has no input 1; it has 1: u");
  g_assert_null (weir_eval_output (t.system, t.context, (WeirNode) { 77 }, (WeirOutput) { 0 }));
  g_assert_cmpstr (weir_context_get_failure (t.context), ==,
                   "there is no block 77 in this Diagram of 5");
  tree_clear (&t);
}

static void
test_unconnected_inside (void)
{
  g_autoptr (WeirSystem) gain = test_gain_new (2), inner = NULL, root = NULL;
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  g_autoptr (WeirContext) context = NULL;
  WeirNode node;

  weir_diagram_builder_add (d, "gain", gain);
  inner = weir_diagram_builder_build (d, NULL);
  d = weir_diagram_builder_new ();
  weir_diagram_builder_add (d, "inner", inner);
  root = weir_diagram_builder_build (d, NULL);
  context = weir_system_create_context (root);
  node = probe_node (context, "inner.gain");
  g_assert_true (weir_layout_is_input_unconnected (weir_context_get_layout (context), node,
                                                   (WeirInput) { 0 }));
  g_assert_null (weir_eval_input (root, context, node, (WeirInput) { 0 }));
  g_assert_cmpstr (weir_context_get_failure (context), ==,
                   "input \"u\" of inner.gain is neither connected nor fixed");
}

static void
test_fixed_overrides_connection (void)
{
  Tree t;

  tree_init (&t);
  weir_context_fix_input (t.context, t.b, (WeirInput) { 0 }, &nine);
  check_heard (&t, 0, INPUT, INPUT);
  g_assert_cmpfloat (weir_eval_output (t.system, t.context, WEIR_ROOT, (WeirOutput) { 0 })[0], ==,
                     11);
  weir_context_unfix_input (t.context, t.b, (WeirInput) { 0 });
  g_assert_cmpfloat (weir_eval_output (t.system, t.context, WEIR_ROOT, (WeirOutput) { 0 })[0], ==,
                     3);
  /* The diagram's own input, between: everything inside that it feeds. */
  weir_context_fix_input (t.context, t.inner, (WeirInput) { 0 }, &one);
  g_assert_cmpfloat (weir_eval_output (t.system, t.context, WEIR_ROOT, (WeirOutput) { 0 })[0], ==,
                     3);
  weir_context_fix_input (t.context, t.inner, (WeirInput) { 0 }, &nine);
  g_assert_cmpfloat (weir_eval_output (t.system, t.context, WEIR_ROOT, (WeirOutput) { 0 })[0], ==,
                     11);
  tree_clear (&t);
}

static void
test_disable_subtree (void)
{
  Tree t;

  tree_init (&t);
  weir_context_set_node_caching (t.context, t.inner, FALSE);
  for (guint e = 0; e < weir_layout_get_n_entries (weir_context_get_layout (t.context)); e++)
    {
      WeirEntryInfo info = weir_layout_get_entry (weir_context_get_layout (t.context),
                                                  (WeirEntry) { e });

      g_assert_cmpint (weir_context_get_entry_caching (t.context, (WeirEntry) { e }), ==,
                       info.node.i == 0 || info.node.i == t.a.i);
    }
  g_assert_cmpfloat (weir_eval_output (t.system, t.context, WEIR_ROOT, (WeirOutput) { 0 })[0], ==,
                     3);
  weir_context_set_node_caching (t.context, t.b, TRUE);
  g_assert_true (
      weir_context_get_entry_caching (t.context, probe_entry (t.context, "inner.b", WEIR_PE)));
  g_assert_false (
      weir_context_get_entry_caching (t.context, probe_entry (t.context, "inner.c", WEIR_PE)));
  tree_clear (&t);
}

/* A change in one leaf recomputes that leaf's derivatives only. */
static void
test_derivatives_are_reused (void)
{
  WeirEntry a, b;
  guint64 serial_a, serial_b;
  const double *xdot;
  Tree t;

  tree_init (&t);
  a = probe_entry (t.context, "a", WEIR_XCDOT);
  b = probe_entry (t.context, "inner.b", WEIR_XCDOT);
  serial_a = weir_context_get_serial (t.context, a);
  serial_b = weir_context_get_serial (t.context, b);
  weir_context_set_part (t.context, t.c, WEIR_STATE_Z, &nine);
  xdot = weir_eval_derivatives (t.system, t.context);
  g_assert_cmpfloat (xdot[8], ==, -9 + 2); /* c.z' = u - z, u = b.y */
  g_assert_cmpuint (weir_context_get_serial (t.context, a), ==, serial_a);
  g_assert_cmpuint (weir_context_get_serial (t.context, b), ==, serial_b);
  tree_clear (&t);
}

/* Energies and powers of leaves reach the diagrams' sums, through fixed inputs as well. */
static void
test_energies (void)
{
  WeirEntry pnc, pe;
  double value;
  Tree t;

  tree_init (&t);
  pnc = probe_entry (t.context, "", WEIR_PNC);
  pe = probe_entry (t.context, "", WEIR_PE);
  g_assert_cmpint (weir_eval_energy (t.system, t.context, WEIR_ROOT, WEIR_PE, &value), ==, WEIR_OK);
  g_assert_cmpfloat (value, ==, 15); /* three leaves of n q = 5 */
  g_assert_cmpint (weir_eval_energy (t.system, t.context, t.inner, WEIR_PNC, &value), ==, WEIR_OK);
  g_assert_cmpfloat (value, ==, 2 * 1 + 2 * 2);

  weir_context_fix_input (t.context, t.c, (WeirInput) { 0 }, &nine);
  g_assert_false (weir_context_is_up_to_date (t.context, pnc));
  g_assert_true (weir_context_is_up_to_date (t.context, pe));
  g_assert_cmpint (weir_eval_energy (t.system, t.context, t.inner, WEIR_PNC, &value), ==, WEIR_OK);
  g_assert_cmpfloat (value, ==, 2 * 1 + 2 * 9);
  weir_context_set_parameter (t.context, t.a, (WeirParameter) { PROBE_P }, &nine);
  g_assert_cmpint (weir_eval_energy (t.system, t.context, WEIR_ROOT, WEIR_PE, &value), ==, WEIR_OK);
  g_assert_cmpfloat (value, ==, 19);
  tree_clear (&t);
}

/* Root input windows: what a diagram shows is its children's, without a copy. */
static void
test_windows_are_not_copies (void)
{
  g_autoptr (WeirSystem) leaf = NULL, diagram = NULL;
  g_autoptr (WeirContext) context = NULL;
  static const double x[3] = { 1, 2, 3 }, k[2] = { 4, 5 };
  WeirLeafBuilder *b = weir_leaf_builder_new ("Windows");
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  WeirParameter p;
  WeirGroup g;
  WeirChild child;
  WeirTicket tickets[9];
  WeirTicket entry;

  weir_leaf_set_continuous_state (b, 1, 1, 1, x);
  g = weir_leaf_add_discrete_state (b, "d", k, 2);
  p = weir_leaf_add_parameter (b, "k", k, 2);
  entry = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "one", 1, probe_calc, WEIR_DEPENDS (WEIR_NOTHING)));
  weir_leaf_set_derivatives (
      b, probe_calc,
      WEIR_DEPENDS (WEIR_XC)); /* writes the first one only, which nothing here reads */
  memcpy (tickets,
          (WeirTicket[]) { WEIR_TIME, WEIR_ACCURACY, WEIR_Q, WEIR_V, WEIR_Z, WEIR_XC,
                           weir_group_ticket (b, g), weir_parameter_ticket (b, p), entry },
          sizeof tickets);
  for (guint i = 0; i < G_N_ELEMENTS (tickets); i++)
    {
      g_autofree char *name = g_strdup_printf ("y%u", i);

      weir_leaf_add_output_window (b, name, tickets[i]);
    }
  leaf = weir_leaf_builder_build (b);
  child = weir_diagram_builder_add (d, "leaf", leaf);
  for (guint16 i = 0; i < G_N_ELEMENTS (tickets); i++)
    {
      g_autofree char *name = g_strdup_printf ("y%u", i);

      weir_diagram_builder_add_output (d, name, child, (WeirOutput) { i });
    }
  diagram = weir_diagram_builder_build (d, NULL);
  context = weir_system_create_context (diagram);
  weir_context_set_time (context, 7);
  weir_context_set_accuracy (context, 0.5);
  {
    static const double expected[] = { 7, 0.5, 1, 2, 3, 1, 4, 4, 1 };
    WeirNode node = probe_node (context, "leaf");

    for (guint16 i = 0; i < G_N_ELEMENTS (expected); i++)
      {
        const double *shown = weir_eval_output (diagram, context, WEIR_ROOT, (WeirOutput) { i });

        g_assert_cmpfloat (shown[0], ==, expected[i]);
        g_assert_true (shown == weir_eval_output (diagram, context, node, (WeirOutput) { i }));
      }
    g_assert_true (weir_eval_output (diagram, context, WEIR_ROOT, (WeirOutput) { 5 })
                   == weir_context_get_state (context));
    g_assert_true (weir_eval_output (diagram, context, WEIR_ROOT, (WeirOutput) { 7 })
                   == weir_context_get_parameter (context, node, p));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/nested/time-and-accuracy", test_time_and_accuracy);
  g_test_add_func ("/system/nested/mutation", test_mutation);
  g_test_add_func ("/system/nested/v-and-z", test_v_and_z);
  g_test_add_func ("/system/nested/everything-once", test_everything_once);
  g_test_add_func ("/system/nested/along-the-chain", test_along_the_chain);
  g_test_add_func ("/system/nested/recalculates", test_recalculates);
  g_test_add_func ("/system/nested/updates-are-local", test_updates_are_local);
  g_test_add_func ("/system/nested/port-subscriptions", test_port_subscriptions);
  g_test_add_func ("/system/nested/rows-51-and-52-subtree-from-another", test_subtree_from_another);
  g_test_add_func ("/system/nested/clone", test_clone);
  g_test_add_func ("/system/nested/wrong-context", test_wrong_context);
  g_test_add_func ("/system/nested/unconnected-inside", test_unconnected_inside);
  g_test_add_func ("/system/nested/fixed-overrides-connection", test_fixed_overrides_connection);
  g_test_add_func ("/system/nested/disable-subtree", test_disable_subtree);
  g_test_add_func ("/system/nested/derivatives-are-reused", test_derivatives_are_reused);
  g_test_add_func ("/system/nested/energies", test_energies);
  g_test_add_func ("/system/nested/windows-are-not-copies", test_windows_are_not_copies);
  return g_test_run ();
}

/* What caching promises, a test for each promise, which its comment gives.
 *
 * A context holds no cached computations of which its system is unaware: values outside of the
 * structure would have no place in a checkpoint.
 */
#include "probe.h"
#include "system/evaluation/checkpoint.h"
#include "system/change/walk.h"

static const double one = 1, nine = 9;

/* --- Design constraints and goals ------------------------------------------------------------ */

/* The same result with caching on or off. */
static void
test_same_result (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  g_autoptr (WeirContext) cached = probe_context_new (tree), uncached = weir_context_clone (cached);
  double a[9], b[9], x[9];

  weir_context_set_caching (uncached, FALSE);
  for (guint k = 0; k < 20; k++)
    {
      for (guint i = 0; i < 9; i++)
        x[i] = 1.0 / (k + i + 1);
      g_assert_cmpint (weir_eval_rhs (tree, cached, k, x, a), ==, WEIR_OK);
      g_assert_cmpint (weir_eval_rhs (tree, uncached, k, x, b), ==, WEIR_OK);
      g_assert_cmpmem (a, sizeof a, b, sizeof b);
    }
}

/* --- Architecture ---------------------------------------------------------------------------- */

/* Every declared source and computed value has a small ticket, unique within its system. */
static void
test_tickets_are_small_and_unique (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Tickets");
  guint16 tickets[7];

  tickets[0] = weir_input_ticket (b, weir_leaf_add_input (b, "u", 1)).i;
  tickets[1] = weir_parameter_ticket (b, weir_leaf_add_parameter (b, "p", &one, 1)).i;
  tickets[2] = weir_parameter_ticket (
                   b, weir_leaf_add_abstract_parameter (b, "pa", g_variant_new_byte (1)))
                   .i;
  tickets[3] = weir_group_ticket (b, weir_leaf_add_discrete_state (b, "d", &one, 1)).i;
  tickets[4] = weir_group_ticket (b, weir_leaf_add_abstract_state (b, "a", g_variant_new_byte (1)))
                   .i;
  tickets[5] = weir_cached_ticket (b, weir_leaf_add_cache_entry (b, "c", 1, probe_calc, NULL)).i;
  tickets[6] =
      weir_output_ticket (b, weir_leaf_add_output_window (b, "y", (WeirTicket) { tickets[5] })).i;
  for (guint i = 0; i < G_N_ELEMENTS (tickets); i++)
    g_assert_cmpuint (tickets[i], ==, WEIR_N_BUILT_IN_TICKETS + i);
  weir_system_unref (weir_leaf_builder_build (b));
}

/* Computed values serve as sources for further computations; a change invalidates recursively. */
static void
test_recursive_invalidation (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  g_autoptr (WeirContext) context = probe_context_new (tree);
  WeirEntry y;

  weir_layout_find_output_entry (weir_context_get_layout (context), WEIR_ROOT, (WeirOutput) { 0 },
                                 &y);
  weir_context_set_part (context, probe_node (context, "a"), WEIR_STATE_Q, &nine);
  g_assert_false (weir_context_is_up_to_date (context, y)); /* four computations away */
}

/* --- Value sources --------------------------------------------------------------------------- */

/* Six kinds of source: time, inputs, parameters, state, other entries, accuracy; and fixed inputs.
 * Each invalidates what lists it, and only that. */
static guint n_kinds;

static WeirStatus
calc_kind (G_GNUC_UNUSED const WeirCalc *c, double *out)
{
  out[0] = ++n_kinds;
  return WEIR_OK;
}

static void
test_six_kinds_of_source (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Six");
  WeirInput u = weir_leaf_add_input (b, "u", 1);
  WeirParameter p = weir_leaf_add_parameter (b, "p", &one, 1);
  WeirTicket tickets[6] = { WEIR_TIME, weir_input_ticket (b, u), weir_parameter_ticket (b, p),
                            WEIR_Q };
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;
  WeirEntry entries[6];

  weir_leaf_set_input_default (b, u, &one);
  weir_leaf_set_continuous_state (b, 1, 0, 0, &one);
  weir_leaf_set_derivatives (b, calc_kind, WEIR_DEPENDS (WEIR_Q));
  tickets[5] = WEIR_ACCURACY;
  tickets[4] = WEIR_XCDOT; /* another entry, whose source is q */
  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *name = g_strdup_printf ("e%u", i);

      weir_leaf_add_cache_entry (b, name, 1, calc_kind, WEIR_DEPENDS (tickets[i]));
    }
  system = weir_leaf_builder_build (b);
  context = weir_system_create_context (system);
  for (guint i = 0; i < 6; i++) /* entry 0 is xcdot */
    entries[i].i = weir_context_get_layout (context)->entry_of_local[i + 1];
  for (guint k = 0; k < 6; k++)
    {
      probe_eval_all (system, context);
      switch (k)
        {
        case 0:
          weir_context_set_time (context, 5);
          break;
        case 1:
          weir_context_fix_input (context, WEIR_ROOT, u, &nine);
          break;
        case 2:
          weir_context_set_parameter (context, WEIR_ROOT, p, &nine);
          break;
        case 3:
        case 4:
          weir_context_set_part (context, WEIR_ROOT, WEIR_STATE_Q, &nine);
          break;
        default:
          weir_context_set_accuracy (context, 0.5);
        }
      for (guint i = 0; i < 6; i++)
        {
          gboolean listed = i == k || ((k == 3 || k == 4) && (i == 3 || i == 4));

          g_assert_cmpint (weir_context_is_up_to_date (context, entries[i]), ==, !listed);
        }
    }
}

/* --- Output ports, input ports --------------------------------------------------------------- */

/* An output is a window on a value of its system; it and its cache entry have trackers of their
 * own; a diagram's exported output has one too. */
static void
test_output_ports (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  g_autoptr (WeirContext) context = probe_context_new (tree);
  const double *root = weir_eval_output (tree, context, WEIR_ROOT, (WeirOutput) { 0 });
  const double *leaf = weir_eval_output (tree, context, probe_node (context, "inner.c"),
                                         (WeirOutput) { 0 });
  g_autoptr (WeirWalk) walk = weir_walk_new (weir_context_get_layout (context));
  WeirEntry entry, other;

  g_assert_true (root == leaf); /* shown without a copy */
  weir_layout_find_output_entry (weir_context_get_layout (context), WEIR_ROOT, (WeirOutput) { 0 },
                                 &entry);
  for (guint32 t = 0; t < weir_walk_get_n_trackers (walk); t++)
    {
      g_autofree char *name = weir_walk_dup_name (walk, t);

      if (g_str_has_suffix (name, ":y_0 (y)"))
        g_assert_false (weir_walk_get_entry (walk, t, &other)); /* a port marks no entry itself */
      if (g_str_equal (name, "inner.c:cache y"))
        g_assert_true (weir_walk_get_entry (walk, t, &other) && other.i == entry.i);
    }
}

/* An input's value comes from a sibling's output, the parent's input, or a value fixed here; fixed
 * values are like parameters: changed with invalidation, and constant while time advances. */
static void
test_input_ports (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  g_autoptr (WeirContext) context = probe_context_new (tree);
  WeirNode a = probe_node (context, "a"), c = probe_node (context, "inner.c");
  WeirInput u = { 0 };

  g_assert_cmpfloat (weir_eval_input (tree, context, a, u)[0], ==, 0); /* the parent's */
  g_assert_cmpfloat (weir_eval_input (tree, context, c, u)[0], ==, 2); /* b's output */
  weir_context_fix_input (context, c, u, &nine);
  g_assert_cmpfloat (weir_eval_input (tree, context, c, u)[0], ==, 9); /* fixed */
  weir_context_set_time (context, 1);
  g_assert_cmpfloat (weir_eval_input (tree, context, c, u)[0], ==, 9);
  g_assert_true (weir_context_is_up_to_date (
                     context, probe_listener (context, "inner.c", WEIR_TICKET_ALL_INPUTS))
                 == FALSE); /* heard of the fixing, not yet asked again */
}

/* --- Known computations ---------------------------------------------------------------------- */

static void
test_known_computations (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  g_autoptr (WeirContext) context = probe_context_new (tree);
  static const char *const paths[] = { "", "a", "inner", "inner.b", "inner.c" };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    for (guint16 t = WEIR_TICKET_XCDOT; t <= WEIR_TICKET_PNC; t++)
      probe_entry (context, paths[i], (WeirTicket) { t }); /* asserts that there is one */
}

/* --- Declaring a cache entry ----------------------------------------------------------------- */

/* Without prerequisites: out of date whenever accuracy, time, an input, parameter or state may
 * change; no dependency on other entries is assumed. */
static void
test_default_prerequisites (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Default");
  WeirInput u = weir_leaf_add_input (b, "u", 1);
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;
  WeirEntry constant = { 0 }, all = { 0 };
  WeirTicket none, some;

  weir_leaf_set_input_default (b, u, &one);
  weir_leaf_add_discrete_state (b, "d", &one, 1);
  weir_leaf_add_abstract_state (b, "a", g_variant_new_byte (1));
  weir_leaf_add_parameter (b, "p", &one, 1);
  weir_leaf_add_abstract_parameter (b, "pa", g_variant_new_byte (1));
  none = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "none", 1, probe_calc, WEIR_DEPENDS (WEIR_NOTHING)));
  some = weir_cached_ticket (b, weir_leaf_add_cache_entry (b, "all", 1, probe_calc, NULL));
  system = weir_leaf_builder_build (b);
  context = weir_system_create_context (system);
  weir_layout_find_entry (weir_context_get_layout (context), WEIR_ROOT, none, &constant);
  weir_layout_find_entry (weir_context_get_layout (context), WEIR_ROOT, some, &all);
  for (guint k = 0; k < 8; k++)
    {
      probe_eval_all (system, context);
      switch (k)
        {
        case 0:
          weir_context_set_time (context, 1);
          break;
        case 1:
          weir_context_set_accuracy (context, 1);
          break;
        case 2:
          weir_context_set_discrete (context, WEIR_ROOT, (WeirGroup) { 0 }, &nine);
          break;
        case 3:
          weir_context_set_abstract_state (context, WEIR_ROOT, (WeirGroup) { 1 },
                                           g_variant_new_byte (2), NULL);
          break;
        case 4:
          weir_context_set_parameter (context, WEIR_ROOT, (WeirParameter) { 0 }, &nine);
          break;
        case 5:
          weir_context_set_abstract_parameter (context, WEIR_ROOT, (WeirParameter) { 1 },
                                               g_variant_new_byte (2), NULL);
          break;
        case 6:
          weir_context_fix_input (context, WEIR_ROOT, u, &nine);
          break;
        default:
          weir_context_mark (context, constant, FALSE); /* another entry */
        }
      g_assert_cmpint (weir_context_is_up_to_date (context, all), ==, k == 7);
      g_assert_cmpint (weir_context_is_up_to_date (context, constant), ==, k != 7);
    }
}

/* --- Handling of composite trackers ---------------------------------------------------------- */

/* Up: a constituent notifies its composites. Down: changing a group notifies its constituents. */
static void
test_up_and_down (void)
{
  g_autoptr (WeirSystem) probe = probe_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (probe);

  probe_eval_all (probe, context);
  weir_context_set_part (context, WEIR_ROOT, WEIR_STATE_Q, &nine);
  g_assert_false (
      weir_context_is_up_to_date (context, probe_listener (context, "", WEIR_TICKET_XC)));
  probe_eval_all (probe, context);
  weir_context_set_state (context, (const double[]) { 1, 2, 3 });
  for (guint16 t = WEIR_TICKET_Q; t <= WEIR_TICKET_XC; t++)
    g_assert_false (weir_context_is_up_to_date (context, probe_listener (context, "", t)));
}

/* --- Diagrams -------------------------------------------------------------------------------- */

/* A diagram has no states and parameters of its own: its are its children's, seen as one. */
static void
test_diagram_state_is_the_childrens (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  g_autoptr (WeirContext) context = probe_context_new (tree);
  double q[2];

  weir_context_set_part (context, probe_node (context, "inner.c"), WEIR_STATE_Q, &nine);
  weir_context_read_part (context, probe_node (context, "inner"), WEIR_STATE_Q, q);
  g_assert_cmpfloat (q[0], ==, 1);
  g_assert_cmpfloat (q[1], ==, 9);
}

/* A diagram's energy hears of a leaf through the leaf's own computation, fixed inputs included, of
 * which the diagram knows nothing. */
static void
test_diagram_hears_of_leaf_fixed_input (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  g_autoptr (WeirContext) context = probe_context_new (tree);

  weir_context_fix_input (context, probe_node (context, "inner.b"), (WeirInput) { 0 }, &nine);
  g_assert_false (weir_context_is_up_to_date (context, probe_entry (context, "", WEIR_XCDOT)));
  g_assert_false (weir_context_is_up_to_date (context, probe_entry (context, "", WEIR_PNC)));
  g_assert_true (weir_context_is_up_to_date (context, probe_entry (context, "", WEIR_PE)));
}

/* --- Implementation -------------------------------------------------------------------------- */

/* The flag works while caching is disabled, and is ignored then. */
static void
test_flag_while_disabled (void)
{
  g_autoptr (WeirSystem) probe = probe_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (probe);
  WeirEntry entry = probe_listener (context, "", WEIR_TICKET_TIME);
  guint64 serial;

  weir_context_set_entry_caching (context, entry, FALSE);
  g_assert_nonnull (weir_eval_entry (probe, context, entry));
  g_assert_true (weir_context_is_up_to_date (context, entry));
  serial = weir_context_get_serial (context, entry);
  g_assert_nonnull (weir_eval_entry (probe, context, entry));
  g_assert_cmpuint (weir_context_get_serial (context, entry), ==, serial + 1);
  weir_context_set_time (context, 1);
  g_assert_false (weir_context_is_up_to_date (context, entry));
}

/* A change: a unique event number; every tracker notified once passes on at most once. */
static void
test_change_event (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  g_autoptr (WeirWalk) walk = weir_walk_new (weir_system_get_layout (tree));
  g_autoptr (GArray) changed = weir_walk_list_changed (walk, (WeirSource) { WEIR_SOURCE_ALL });

  weir_walk_notify (walk, &g_array_index (changed, guint32, 0), changed->len, NULL);
  for (guint32 t = 0; t < weir_walk_get_n_trackers (walk); t++)
    {
      WeirTrackerCounters c = weir_walk_get_counters (walk, t);
      guint n;

      weir_walk_get_subscribers (walk, t, &n);
      g_assert_cmpuint (c.sent, <=, n);
      g_assert_cmpuint (c.value_changes + c.prerequisite_changes - c.ignored, <=, 1);
    }
}

/* Changes of several sources can be one event. */
static void
test_grouped_change (void)
{
  g_autoptr (WeirSystem) probe = probe_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (probe);
  guint64 events = weir_context_get_n_events (context);

  weir_context_begin_change (context);
  weir_context_set_time (context, 1);
  weir_context_set_accuracy (context, 1);
  weir_context_fix_input (context, WEIR_ROOT, (WeirInput) { 0 }, &nine);
  weir_context_end_change (context);
  g_assert_cmpuint (weir_context_get_n_events (context), ==, events + 1);
}

/* --- No cross pointers ----------------------------------------------------------------------- */

/* A context is used with another, compatible system, and may be written down and read back for
 * later. */
static void
test_no_cross_pointers (void)
{
  WeirSystem *first = probe_tree_new ();
  g_autoptr (WeirContext) context = probe_context_new (first), later = NULL;
  g_autoptr (GBytes) saved = NULL;
  g_autoptr (WeirSystem) second = NULL;

  weir_context_set_part (context, probe_node (context, "inner.b"), WEIR_STATE_Q, &nine);
  saved = weir_context_save (context);
  weir_system_unref (first);
  g_assert_cmpuint (weir_layout_get_n_entries (weir_context_get_layout (context)), >, 0);
  second = probe_tree_new ();
  g_assert_cmpfloat (weir_eval_output (second, context, WEIR_ROOT, (WeirOutput) { 0 })[0], ==, 11);
  later = weir_system_create_context (second);
  g_assert_true (weir_context_load (later, second, saved, NULL));
  g_assert_cmpfloat (weir_eval_output (second, later, WEIR_ROOT, (WeirOutput) { 0 })[0], ==, 11);
}

/* --- Declaring dependencies for built-in computations ---------------------------------------- */

/* They are declared like any entry, with all sources by default. */
static void
test_built_in_computations (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Energy");
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;
  WeirEntry pe, ke;

  weir_leaf_set_energy (b, WEIR_PE, probe_calc, NULL);
  weir_leaf_set_energy (b, WEIR_KE, probe_calc, WEIR_DEPENDS (WEIR_NOTHING));
  system = weir_leaf_builder_build (b);
  context = weir_system_create_context (system);
  pe = probe_entry (context, "", WEIR_PE);
  ke = probe_entry (context, "", WEIR_KE);
  probe_eval_all (system, context);
  weir_context_set_time (context, 1);
  g_assert_false (weir_context_is_up_to_date (context, pe));
  g_assert_true (weir_context_is_up_to_date (context, ke));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/promises/goals/same-result", test_same_result);
  g_test_add_func ("/system/promises/architecture/tickets", test_tickets_are_small_and_unique);
  g_test_add_func ("/system/promises/architecture/recursive-invalidation",
                   test_recursive_invalidation);
  g_test_add_func ("/system/promises/value-sources/six-kinds", test_six_kinds_of_source);
  g_test_add_func ("/system/promises/output-ports", test_output_ports);
  g_test_add_func ("/system/promises/input-ports", test_input_ports);
  g_test_add_func ("/system/promises/known-computations", test_known_computations);
  g_test_add_func ("/system/promises/cache-entry/default-prerequisites",
                   test_default_prerequisites);
  g_test_add_func ("/system/promises/composites/up-and-down", test_up_and_down);
  g_test_add_func ("/system/promises/diagrams/state-is-the-childrens",
                   test_diagram_state_is_the_childrens);
  g_test_add_func ("/system/promises/diagrams/leaf-fixed-input",
                   test_diagram_hears_of_leaf_fixed_input);
  g_test_add_func ("/system/promises/implementation/flag-while-disabled", test_flag_while_disabled);
  g_test_add_func ("/system/promises/implementation/change-event", test_change_event);
  g_test_add_func ("/system/promises/implementation/grouped-change", test_grouped_change);
  g_test_add_func ("/system/promises/no-cross-pointers/other-system", test_no_cross_pointers);
  g_test_add_func ("/system/promises/built-in-computations", test_built_in_computations);
  return g_test_run ();
}

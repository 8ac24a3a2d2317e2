/* After the first round nothing is allocated: evaluating, invalidating, joint changes, trial
 * vectors, lazy and undeclared reads, disabled entries, saved time and again.
 */
#include "../counting-malloc.h"
#include "probe.h"
#include "system/context/inspection.h"
#include "system/observation/change-log.h"

static WeirStatus
calc_undeclared (const WeirCalc *c, double *out)
{
  out[0] = weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

/* A chain of a gain, a switch, and a block that reads its input without saying so. */
static WeirSystem *
mixed_new (void)
{
  g_autoptr (WeirSystem) gain = test_gain_new (2), sw = test_switch_new (), sine = test_sine_new ();
  g_autoptr (WeirSystem) tree = probe_tree_new (), hidden = NULL;
  WeirLeafBuilder *leaf = weir_leaf_builder_new ("Hidden");
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  WeirSystem *system;

  weir_leaf_add_input (leaf, "u", 1);
  weir_leaf_add_output (leaf, "y", 1, calc_undeclared, WEIR_DEPENDS (WEIR_TIME));
  hidden = weir_leaf_builder_build (leaf);
  weir_diagram_builder_add (d, "sine", sine);
  weir_diagram_builder_add (d, "gain", gain);
  weir_diagram_builder_add (d, "switch", sw);
  weir_diagram_builder_add (d, "hidden", hidden);
  weir_diagram_builder_add (d, "tree", tree);
  weir_diagram_builder_connect_by_name (d, "sine", "y", "gain", "u");
  weir_diagram_builder_connect_by_name (d, "gain", "y", "switch", "u0");
  weir_diagram_builder_connect_by_name (d, "sine", "y", "switch", "u1");
  weir_diagram_builder_connect_by_name (d, "gain", "y", "switch", "u2");
  weir_diagram_builder_connect_by_name (d, "switch", "y", "hidden", "u");
  weir_diagram_builder_connect_by_name (d, "hidden", "y", "tree", "u");
  system = weir_diagram_builder_build (d, NULL);
  g_assert_nonnull (system);
  return system;
}

static void
work (WeirSystem *system, WeirContext *context, guint round)
{
  WeirNode a = probe_node (context, "tree.a");
  double x[9], xdot[9], value = round;
  guint n = weir_layout_get_n_entries (weir_context_get_layout (context));

  for (guint i = 0; i < 9; i++)
    x[i] = round + i;
  weir_context_set_time (context, round);
  for (guint e = 0; e < n; e++)
    g_assert_nonnull (weir_eval_entry (system, context, (WeirEntry) { e }));
  weir_context_begin_change (context);
  weir_context_set_state (context, x);
  weir_context_set_discrete (context, a, (WeirGroup) { PROBE_D }, &value);
  weir_context_set_parameter (context, a, (WeirParameter) { PROBE_P }, &value);
  weir_context_end_change (context);
  weir_context_set_part (context, a, WEIR_STATE_Q, &value);
  weir_context_set_v_and_z (context, WEIR_ROOT, x, x);
  g_assert_cmpint (weir_eval_rhs (system, context, round + 0.5, x, xdot), ==, WEIR_OK);
  weir_context_set_entry_caching (context, probe_entry (context, "tree.a", WEIR_XCDOT), FALSE);
  g_assert_nonnull (weir_eval_derivatives (system, context));
  weir_context_set_entry_caching (context, probe_entry (context, "tree.a", WEIR_XCDOT), TRUE);
  weir_context_set_pull_only (context, round % 2);
  weir_context_set_caching (context, round % 3 != 0);
  g_assert_nonnull (weir_eval_derivatives (system, context));
  weir_context_set_caching (context, TRUE);
}

static void
test_rounds (void)
{
  g_autoptr (WeirSystem) system = mixed_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  guint64 before;

  if (!can_count ())
    {
      g_test_skip ("allocations cannot be counted here");
      return;
    }
  for (guint round = 0; round < 6; round++) /* masks, buffers and streams are made at first use */
    work (system, context, round);
  before = n_allocations;
  for (guint round = 6; round < 600; round++)
    work (system, context, round);
  g_assert_cmpuint (n_allocations - before, ==, 0);
}

/* Nor while changes are logged, however often its ring goes round. */
static void
test_log (gconstpointer data)
{
  g_autoptr (WeirSystem) system = mixed_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirChangeLog) log = NULL;
  guint64 before;

  if (!can_count ())
    {
      g_test_skip ("allocations cannot be counted here");
      return;
    }
  for (guint round = 0; round < 6; round++)
    work (system, context, round);
  weir_context_start_log (context, (WeirLogMode) GPOINTER_TO_UINT (data), 1024);
  before = n_allocations;
  for (guint round = 6; round < 600; round++)
    work (system, context, round);
  g_assert_cmpuint (n_allocations - before, ==, 0);
  log = weir_context_stop_log (context);
  g_assert_cmpuint (weir_change_log_get_n_lost (log), >, 1024);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/allocation/rounds", test_rounds);
  g_test_add_data_func ("/system/allocation/logging-events",
                        GUINT_TO_POINTER (WEIR_LOG_MODE_EVENTS), test_log);
  g_test_add_data_func ("/system/allocation/logging-all", GUINT_TO_POINTER (WEIR_LOG_MODE_ALL),
                        test_log);
  return g_test_run ();
}

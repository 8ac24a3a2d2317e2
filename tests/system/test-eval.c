/* Evaluation: pull, plan, laziness, counters, failures, deep chains. */
#include "blocks.h"

static const WeirTicket xcdot = { WEIR_TICKET_XCDOT };

static WeirNode
node_at (WeirContext *context, const char *path)
{
  WeirNode node;

  g_assert_true (weir_layout_find_node (weir_context_get_layout (context), path, &node));
  return node;
}

static WeirEntry
entry_of (WeirContext *context, const char *path)
{
  WeirEntry entry;

  g_assert_true (weir_layout_find_output_entry (
      weir_context_get_layout (context), node_at (context, path), (WeirOutput) { 0 }, &entry));
  return entry;
}

static WeirCounters
counters_of (WeirContext *context, WeirEntry entry)
{
  guint n = weir_layout_get_n_entries (weir_context_get_layout (context));
  g_autofree WeirCounters *counters = g_new0 (WeirCounters, n);

  weir_context_read_counters (context, counters);
  return counters[entry.i];
}

static WeirSystem *
build (WeirDiagramBuilder *b)
{
  g_autoptr (GError) error = NULL;
  WeirSystem *system = weir_diagram_builder_build (b, &error);

  g_assert_no_error (error);
  return system;
}

static WeirChild
add (WeirDiagramBuilder *b, const char *name, WeirSystem *system)
{
  WeirChild child = weir_diagram_builder_add (b, name, system);

  weir_system_unref (system);
  return child;
}

/* x'' = -k x with k = 4: two integrators and a gain. */
static WeirSystem *
oscillator_new (void)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();

  add (b, "position", test_integrator_new (1.0));
  add (b, "velocity", test_integrator_new (0.5));
  add (b, "spring", test_gain_new (-4.0));
  weir_diagram_builder_connect_by_name (b, "velocity", "y", "position", "u");
  weir_diagram_builder_connect_by_name (b, "position", "y", "spring", "u");
  weir_diagram_builder_connect_by_name (b, "spring", "y", "velocity", "u");
  return build (b);
}

static void
test_derivatives (void)
{
  g_autoptr (WeirSystem) system = oscillator_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  const double x[] = { 2.0, 3.0 };
  const double *xdot = weir_eval_derivatives (system, context);
  double trial[2];

  g_assert_cmpfloat (xdot[0], ==, 0.5);
  g_assert_cmpfloat (xdot[1], ==, -4.0);
  g_assert_cmpint (weir_eval_rhs (system, context, 1.0, x, trial), ==, WEIR_OK);
  g_assert_cmpfloat (trial[0], ==, 3.0);
  g_assert_cmpfloat (trial[1], ==, -8.0);
  /* Nothing of the trial stays. */
  g_assert_false (weir_context_is_up_to_date (context, entry_of (context, "spring")));
  g_assert_cmpfloat (weir_eval_derivatives (system, context)[1], ==, -4.0);
  g_assert_cmpfloat (weir_context_get_time (context), ==, 0.0);
}

static void
test_counters (void)
{
  g_autoptr (WeirSystem) system = oscillator_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirEntry spring = entry_of (context, "spring");
  WeirParameter k;
  WeirCounters c;
  double value = -9.0;

  for (guint i = 0; i < 5; i++)
    g_assert_nonnull (weir_eval_entry (system, context, spring));
  c = counters_of (context, spring);
  g_assert_cmpuint (c.first, ==, 1);
  g_assert_cmpuint (c.stale, ==, 0);
  g_assert_cmpuint (c.hits, ==, 4);
  g_assert_cmpuint (c.invalidations, ==, 0);

  g_assert_true (weir_layout_find_parameter (weir_context_get_layout (context),
                                             node_at (context, "spring"), "k", &k, NULL));
  weir_context_set_parameter (context, node_at (context, "spring"), k, &value);
  g_assert_cmpfloat (*weir_eval_entry (system, context, spring), ==, -9.0);
  weir_context_set_parameter (context, node_at (context, "spring"), k, &value); /* no event */
  g_assert_true (weir_context_is_up_to_date (context, spring));
  c = counters_of (context, spring);
  g_assert_cmpuint (c.stale, ==, 1);
  g_assert_cmpuint (c.invalidations, ==, 1);

  /* The derivative of velocity reads it once more. */
  g_assert_nonnull (weir_eval_derivatives (system, context));
  c = counters_of (context, spring);
  g_assert_cmpuint (c.hits, ==, 5);

  weir_context_set_caching (context, FALSE);
  for (guint i = 0; i < 3; i++)
    g_assert_nonnull (weir_eval_entry (system, context, spring));
  c = counters_of (context, spring);
  g_assert_cmpuint (c.hits, ==, 5);
  g_assert_cmpuint (c.disabled, ==, 3);
}

static void
test_entry_disabled (void)
{
  g_autoptr (WeirSystem) system = oscillator_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirEntry spring = entry_of (context, "spring");
  WeirCounters c;

  weir_context_set_entry_caching (context, spring, FALSE);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat (*weir_eval_entry (system, context, spring), ==, -4.0);
  g_assert_nonnull (weir_eval_derivatives (system, context)); /* reads it once */
  g_assert_nonnull (weir_eval_derivatives (system, context)); /* cached above it */
  c = counters_of (context, spring);
  g_assert_cmpuint (c.disabled, ==, 4);
  g_assert_cmpuint (c.hits, ==, 0);
  weir_context_set_entry_caching (context, spring, TRUE);
  g_assert_nonnull (weir_eval_entry (system, context, spring));
  c = counters_of (context, spring);
  g_assert_cmpuint (c.disabled, ==, 4);
  g_assert_cmpuint (c.hits, ==, 1);
}

static WeirSystem *
switched_new (void)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();

  add (b, "good", test_sine_new ());
  add (b, "bad", test_fail_new ());
  add (b, "control", test_constant_new (1.0));
  add (b, "switch", test_switch_new ());
  weir_diagram_builder_connect_by_name (b, "good", "y", "switch", "u0");
  weir_diagram_builder_connect_by_name (b, "control", "y", "switch", "u1");
  weir_diagram_builder_connect_by_name (b, "bad", "y", "switch", "u2");
  return build (b);
}

static void
test_lazy (void)
{
  g_autoptr (WeirSystem) system = switched_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirEntry y = entry_of (context, "switch"), bad = entry_of (context, "bad");
  double negative = -1.0;

  weir_context_set_time (context, 0.5);
  g_assert_cmpfloat (*weir_eval_entry (system, context, y), ==, sin (0.5));
  g_assert_cmpuint (counters_of (context, bad).first, ==, 0);
  g_assert_cmpuint (counters_of (context, entry_of (context, "good")).first, ==, 1);
  g_assert_cmpuint (counters_of (context, entry_of (context, "good")).hits, ==, 0);

  weir_context_set_parameter (context, node_at (context, "control"), (WeirParameter) { 0 },
                              &negative);
  g_assert_null (weir_eval_entry (system, context, y));
  g_assert_nonnull (strstr (weir_context_get_failure (context), "bad:y"));
  g_assert_nonnull (strstr (weir_context_get_failure (context), "always fails"));
  g_assert_false (weir_context_is_up_to_date (context, y));
}

/* y_n = y_{n-1} + y_{n-1}: a cache that recomputed at each read would need 2^40 calculations. */
static void
test_ladder (void)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) add_block = test_add_new ();
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;
  WeirChild before = add (b, "one", test_constant_new (1.0));
  WeirEntry top;

  for (guint i = 0; i < 40; i++)
    {
      g_autofree char *name = g_strdup_printf ("add%u", i);
      WeirChild child = weir_diagram_builder_add (b, name, add_block);

      weir_diagram_builder_connect (b, before, (WeirOutput) { 0 }, child, (WeirInput) { 0 });
      weir_diagram_builder_connect (b, before, (WeirOutput) { 0 }, child, (WeirInput) { 1 });
      before = child;
    }
  system = build (b);
  context = weir_system_create_context (system);
  top = entry_of (context, "add39");
  weir_context_set_caching (context, FALSE);
  g_assert_cmpfloat (*weir_eval_entry (system, context, top), ==, 0x1p40);
  g_assert_cmpuint (counters_of (context, entry_of (context, "add0")).disabled, ==, 1);
  weir_context_set_caching (context, TRUE);
  weir_context_set_all_out_of_date (context);
  g_assert_cmpfloat (*weir_eval_entry (system, context, top), ==, 0x1p40);
  g_assert_cmpuint (counters_of (context, entry_of (context, "add0")).hits, ==, 1);
}

static void
test_deep_chain (void)
{
  enum { N = 1000000 };
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) gain = test_gain_new (1.0);
  g_autoptr (WeirSystem) lazy = test_switch_new ();
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;
  WeirChild one = add (b, "one", test_constant_new (1.0)), before = one;
  WeirEntry last;

  for (guint i = 0; i < N; i++)
    {
      char name[16];
      WeirChild child;

      g_snprintf (name, sizeof name, "b%u", i);
      child = weir_diagram_builder_add (b, name, i < N / 2 ? gain : lazy);
      weir_diagram_builder_connect (b, before, (WeirOutput) { 0 }, child, (WeirInput) { 0 });
      if (i >= N / 2)
        {
          weir_diagram_builder_connect (b, one, (WeirOutput) { 0 }, child, (WeirInput) { 1 });
          weir_diagram_builder_connect (b, one, (WeirOutput) { 0 }, child, (WeirInput) { 2 });
        }
      before = child;
    }
  system = build (b);
  context = weir_system_create_context (system);
  last = entry_of (context, "b999999");
  g_assert_cmpfloat (*weir_eval_entry (system, context, last), ==, 1.0);
}

static void
test_nested (void)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirChild inner = add (b, "inner", oscillator_new ());
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;
  WeirEntry xdot;
  const double *value;

  (void) inner;
  add (b, "outer", test_integrator_new (7.0));
  add (b, "one", test_constant_new (1.0));
  weir_diagram_builder_connect_by_name (b, "one", "y", "outer", "u");
  system = build (b);
  context = weir_system_create_context (system);
  g_assert_cmpuint (weir_layout_get_n_states (weir_context_get_layout (context)), ==, 3);
  value = weir_eval_derivatives (system, context);
  g_assert_cmpfloat (value[0], ==, 0.5);
  g_assert_cmpfloat (value[1], ==, -4.0);
  g_assert_cmpfloat (value[2], ==, 1.0);
  g_assert_true (weir_layout_find_entry (weir_context_get_layout (context),
                                         node_at (context, "inner"), xcdot, &xdot));
  g_assert_cmpfloat (weir_eval_entry (system, context, xdot)[1], ==, -4.0);
}

static void
test_loop (void)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (GError) error = NULL;

  add (b, "first", test_gain_new (1.0));
  add (b, "second", test_gain_new (2.0));
  weir_diagram_builder_connect_by_name (b, "first", "y", "second", "u");
  weir_diagram_builder_connect_by_name (b, "second", "y", "first", "u");
  g_assert_null (weir_diagram_builder_build (b, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
  g_assert_nonnull (
      strstr (error->message, "first.u -> first.y -> second.u -> second.y -> first.u"));
}

static void
test_fixed_input (void)
{
  g_autoptr (WeirSystem) gain = test_gain_new (3.0);
  g_autoptr (WeirContext) context = weir_system_create_context (gain);
  double two = 2.0;

  g_assert_null (weir_eval_output (gain, context, WEIR_ROOT, (WeirOutput) { 0 }));
  g_assert_nonnull (strstr (weir_context_get_failure (context), "neither connected nor fixed"));
  weir_context_fix_input (context, WEIR_ROOT, (WeirInput) { 0 }, &two);
  g_assert_cmpfloat (*weir_eval_output (gain, context, WEIR_ROOT, (WeirOutput) { 0 }), ==, 6.0);
  weir_context_unfix_input (context, WEIR_ROOT, (WeirInput) { 0 });
  g_assert_null (weir_eval_output (gain, context, WEIR_ROOT, (WeirOutput) { 0 }));
}

static void
test_fixed_overrides_wire (void)
{
  g_autoptr (WeirSystem) system = oscillator_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirNode spring = node_at (context, "spring");
  double ten = 10.0;

  weir_context_fix_input (context, spring, (WeirInput) { 0 }, &ten);
  g_assert_cmpfloat (weir_eval_derivatives (system, context)[1], ==, -40.0);
  weir_context_unfix_input (context, spring, (WeirInput) { 0 });
  g_assert_cmpfloat (weir_eval_derivatives (system, context)[1], ==, -4.0);
}

/* A context outlives its system and is evaluated by an equal one. */
static void
test_equal_system (void)
{
  WeirSystem *first = oscillator_new ();
  g_autoptr (WeirSystem) second = oscillator_new ();
  g_autoptr (WeirSystem) other = test_gain_new (1.0);
  g_autoptr (WeirContext) context = weir_system_create_context (first);
  g_autoptr (WeirContext) clone = NULL;

  g_assert_cmpfloat (weir_eval_derivatives (first, context)[1], ==, -4.0);
  weir_system_unref (first);
  clone = weir_context_clone (context);
  g_assert_true (weir_context_is_up_to_date (clone, entry_of (clone, "spring")));
  g_assert_cmpfloat (weir_eval_derivatives (second, clone)[1], ==, -4.0);
  g_assert_null (weir_eval_output (other, clone, WEIR_ROOT, (WeirOutput) { 0 }));
  g_assert_cmpstr (weir_context_get_failure (clone), ==,
                   "the context is of a whole Diagram, of which this Gain is the block \"spring\": "
                   "evaluate with the whole and name the block");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/eval/derivatives", test_derivatives);
  g_test_add_func ("/system/eval/counters", test_counters);
  g_test_add_func ("/system/eval/entry-disabled", test_entry_disabled);
  g_test_add_func ("/system/eval/lazy", test_lazy);
  g_test_add_func ("/system/eval/ladder", test_ladder);
  g_test_add_func ("/system/eval/deep-chain", test_deep_chain);
  g_test_add_func ("/system/eval/nested", test_nested);
  g_test_add_func ("/system/eval/loop", test_loop);
  g_test_add_func ("/system/eval/fixed-input", test_fixed_input);
  g_test_add_func ("/system/eval/fixed-overrides-wire", test_fixed_overrides_wire);
  g_test_add_func ("/system/eval/equal-system", test_equal_system);
  return g_test_run ();
}

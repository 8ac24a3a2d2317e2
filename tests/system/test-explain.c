/* Explaining: what a change would reach is what it reaches; upstream is what the declarations say;
 * reasons name the last event and a real way. None of it touches a context.
 */
#include "probe.h"
#include "system/change/explain.h"
#include "system/context/inspection.h"

static const double nine = 9;

/* The entries of a list, as bits. */
static guint64 *
entries_of (WeirExplainer *explainer, const WeirLayout *layout, const GArray *steps)
{
  guint64 *bits = g_new0 (guint64, layout->n_words);

  for (guint i = 0; i < steps->len; i++)
    {
      WeirEntry entry;

      if (weir_walk_get_entry (weir_explainer_get_walk (explainer),
                               g_array_index (steps, WeirStepTaken, i).tracker, &entry))
        weir_bit_set (bits, entry.i);
    }
  return bits;
}

static gboolean
notifies (const WeirWalk *walk, guint32 from, guint32 to)
{
  guint n;
  const guint32 *subscribers = weir_walk_get_subscribers (walk, from, &n);

  for (guint k = 0; k < n; k++)
    if (subscribers[k] == to)
      return TRUE;
  return FALSE;
}

/* Every source: the foretold entries are those that the change marks. */
static void
test_downstream (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  g_autoptr (WeirContext) context = probe_context_new (tree), before = weir_context_clone (context);
  WeirLayout *layout = weir_context_get_layout (context);
  g_autoptr (WeirExplainer) explainer = weir_explainer_new (layout);
  g_autoptr (WeirFlags) flags = weir_context_copy_flags (context);

  for (guint32 s = 0; s < layout->n_sources; s++)
    {
      g_autoptr (GArray) steps = weir_explain_change (explainer, (WeirSource) { s }, flags);
      g_autofree guint64 *foretold = entries_of (explainer, layout, steps);
      g_autoptr (WeirContext) changed = weir_context_clone (context);

      for (guint i = 0; i < steps->len; i++)
        {
          const WeirStepTaken *step = &g_array_index (steps, WeirStepTaken, i);

          if (step->from < 0)
            continue;
          g_assert_cmpuint (step->depth, ==,
                            g_array_index (steps, WeirStepTaken, step->from).depth + 1);
          g_assert_true (notifies (weir_explainer_get_walk (explainer),
                                   g_array_index (steps, WeirStepTaken, step->from).tracker,
                                   step->tracker));
        }
      weir_context_note (changed, (WeirSource) { s });
      g_assert_cmpmem (changed->stale, layout->n_words * 8, foretold, layout->n_words * 8);
    }
  g_assert_cmpmem (context->arena, layout->arena.size * sizeof (double), before->arena,
                   layout->arena.size * sizeof (double));
}

static void
check_text (WeirExplainer *explainer, const char *path, gboolean is_downstream,
            const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) steps = NULL;
  g_autofree char *text = NULL;
  guint32 tracker;

  g_assert_true (weir_explainer_find (explainer, path, &tracker, &error));
  steps = is_downstream ? weir_explain_downstream (explainer, tracker, NULL)
                        : weir_explain_upstream (explainer, tracker, NULL);
  text = weir_explain_to_text (explainer, steps);
  g_assert_cmpstr (text, ==, expected);
}

/* a -> inner { b -> c }, gains in a row. */
static WeirSystem *
gains_new (void)
{
  g_autoptr (WeirSystem) gain = test_gain_new (2), inner = NULL;
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  WeirChild b = weir_diagram_builder_add (d, "b", gain), nested;

  weir_diagram_builder_connect_input (d, weir_diagram_builder_add_input (d, "u", 1), b,
                                      (WeirInput) { 0 });
  weir_diagram_builder_add_output (d, "y", b, (WeirOutput) { 0 });
  inner = weir_diagram_builder_build (d, NULL);
  d = weir_diagram_builder_new ();
  weir_diagram_builder_add (d, "a", gain);
  nested = weir_diagram_builder_add (d, "inner", inner);
  weir_diagram_builder_connect_by_name (d, "a", "y", "inner", "u");
  weir_diagram_builder_add_output (d, "y", nested, (WeirOutput) { 0 });
  return weir_diagram_builder_build (d, NULL);
}

static void
test_texts (void)
{
  g_autoptr (WeirSystem) gains = gains_new ();
  g_autoptr (WeirExplainer) explainer = weir_explainer_new (weir_system_get_layout (gains));
  g_autoptr (GError) error = NULL;
  guint32 tracker;

  check_text (explainer, "a.k", TRUE,
              "a:parameter k\n"
              "  a:cache y\n"
              "    a:y_0 (y)\n"
              "      inner:u_0 (u)\n"
              "        inner.b:u_0 (u)\n"
              "          inner.b:cache y\n");
  check_text (explainer, "inner", TRUE, "inner.b:parameter k\n  inner.b:cache y\n");
  check_text (explainer, "inner.b:y", FALSE,
              "inner.b:cache y\n"
              "  inner.b:u_0 (u)\n"
              "    inner:u_0 (u)\n"
              "      a:y_0 (y)\n"
              "        a:cache y\n"
              "          a:u_0 (u)\n"
              "            a:fixed value of u\n"
              "          a:parameter k\n"
              "      inner:fixed value of u\n"
              "    inner.b:fixed value of u\n"
              "  inner.b:parameter k\n");
  g_assert_false (weir_explainer_find (explainer, "inner.c.k", &tracker, &error));
  g_assert_cmpstr (
      error->message, ==,
      "There is no \"c.k\" (from \"inner.c.k\") in inner; inputs u; outputs y; blocks b.");
}

/* Upstream is every entry from which the declarations lead here: a search over what
 * entries read. */
static void
test_upstream (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  WeirLayout *layout = weir_system_get_layout (tree);
  g_autoptr (WeirExplainer) explainer = weir_explainer_new (layout);

  for (guint32 e = 0; e < layout->n_entries; e++)
    {
      guint32 tracker = weir_walk_get_entry_tracker (weir_explainer_get_walk (explainer),
                                                     (WeirEntry) { e });
      g_autoptr (GArray) steps = weir_explain_upstream (explainer, tracker, NULL);
      g_autofree guint64 *found = entries_of (explainer, layout, steps);
      g_autofree guint64 *reads = g_new0 (guint64, layout->n_words);

      weir_bit_set (reads, e);
      for (guint32 k = e + 1; k-- > 0;) /* prerequisites have lower numbers */
        for (guint32 i = layout->up_first[k]; weir_bit (reads, k) && i < layout->up_first[k + 1];
             i++)
          weir_bit_set (reads, layout->ups[i]);
      g_assert_cmpmem (found, layout->n_words * 8, reads, layout->n_words * 8);
    }
}

static char *
why_text (WeirExplainer *explainer, WeirContext *context, WeirEntry entry)
{
  g_autoptr (WeirFlags) flags = weir_context_copy_flags (context);
  WeirWhy why = weir_explain_why (explainer, entry, flags);
  char *text = weir_why_to_text (explainer, entry, &why);
  const WeirWalk *walk = weir_explainer_get_walk (explainer);

  for (guint i = 1; i < why.path->len; i++)
    g_assert_true (notifies (walk, g_array_index (why.path, WeirStepTaken, i - 1).tracker,
                             g_array_index (why.path, WeirStepTaken, i).tracker));
  weir_why_clear (&why);
  return text;
}

static void
test_why (void)
{
  g_autoptr (WeirSystem) gains = gains_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (gains);
  WeirLayout *layout = weir_context_get_layout (context);
  g_autoptr (WeirExplainer) explainer = weir_explainer_new (layout);
  WeirNode a = probe_node (context, "a"), b = probe_node (context, "inner.b");
  g_autofree char *never = NULL, *fresh = NULL, *stale = NULL, *both = NULL, *disabled = NULL;
  WeirEntry entry;

  weir_layout_find_output_entry (layout, b, (WeirOutput) { 0 }, &entry);
  never = why_text (explainer, context, entry);
  g_assert_cmpstr (never, ==, "inner.b:y is never computed; no change event has reached it");
  weir_context_fix_input (context, a, (WeirInput) { 0 }, &nine);
  g_assert_nonnull (weir_eval_entry (gains, context, entry));
  fresh = why_text (explainer, context, entry);
  g_assert_cmpstr (
      fresh, ==,
      "inner.b:y is up to date; it was last invalidated by event 1: a:fixed value of u -> a:u_0 "
      "(u) -> a:cache y -> a:y_0 (y) -> inner:u_0 (u) -> inner.b:u_0 (u) -> inner.b:cache y");
  weir_context_set_time (context, 1);
  weir_context_set_parameter (context, b, (WeirParameter) { 0 }, &nine);
  stale = why_text (explainer, context, entry);
  g_assert_cmpstr (stale, ==,
                   "inner.b:y is out of date; last reached by event 3: inner.b:parameter k -> "
                   "inner.b:cache y");
  weir_context_set_parameter (context, a, (WeirParameter) { 0 }, &nine);
  both = why_text (explainer, context, entry);
  g_assert_true (
      g_str_has_prefix (both, "inner.b:y is out of date; last reached by event 4: a:parameter k"));
  weir_context_set_entry_caching (context, entry, FALSE);
  disabled = why_text (explainer, context, entry);
  g_assert_true (g_str_has_prefix (disabled, "inner.b:y is not cached; last reached by event 4: "));
}

/* Causes go back in time; the last event of every entry is the largest number among the sources
 * whose change marks it. */
static void
test_causes (void)
{
  g_autoptr (WeirSystem) gains = gains_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (gains);
  WeirLayout *layout = weir_context_get_layout (context);
  g_autoptr (WeirExplainer) explainer = weir_explainer_new (layout);
  WeirNode a = probe_node (context, "a"), b = probe_node (context, "inner.b");
  g_autoptr (WeirFlags) flags = NULL;
  g_autofree guint64 *events = g_new (guint64, layout->n_entries);
  g_autofree guint64 *last = g_new (guint64, layout->n_sources);
  const guint64 expected[] = { 3, 2, 1 };
  guint64 before = G_MAXUINT64;
  WeirEntry entry;
  WeirWhy why;

  weir_layout_find_output_entry (layout, b, (WeirOutput) { 0 }, &entry);
  weir_context_fix_input (context, a, (WeirInput) { 0 }, &nine);
  weir_context_set_parameter (context, a, (WeirParameter) { 0 }, &nine);
  weir_context_set_parameter (context, b, (WeirParameter) { 0 }, &nine);
  flags = weir_context_copy_flags (context);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      why = weir_explain_why_before (explainer, entry, flags, before);
      g_assert_cmpuint (why.event, ==, expected[i]);
      g_assert_cmpuint (why.path->len, >, 0);
      before = why.event;
      weir_why_clear (&why);
    }
  why = weir_explain_why_before (explainer, entry, flags, before);
  g_assert_cmpuint (why.event, ==, 0);
  g_assert_cmpuint (why.path->len, ==, 0);
  weir_why_clear (&why);

  weir_context_read_source_events (context, last);
  g_assert_cmpmem (last, layout->n_sources * 8, flags->source_last, layout->n_sources * 8);
  weir_explain_last_events (explainer, last, events);
  for (guint32 e = 0; e < layout->n_entries; e++)
    {
      why = weir_explain_why (explainer, (WeirEntry) { e }, flags);
      g_assert_cmpuint (events[e], ==, why.event);
      weir_why_clear (&why);
    }
  g_assert_cmpuint (events[entry.i], ==, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/explain/downstream", test_downstream);
  g_test_add_func ("/system/explain/upstream", test_upstream);
  g_test_add_func ("/system/explain/texts", test_texts);
  g_test_add_func ("/system/explain/why", test_why);
  g_test_add_func ("/system/explain/causes", test_causes);
  return g_test_run ();
}

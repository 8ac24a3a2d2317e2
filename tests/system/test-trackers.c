/* Conformance: dependency trackers and their graph.
 *
 * Trackers live in the classic walk (walk.h); contexts hold flags only.
 */
#include "probe.h"
#include "system/evaluation/checkpoint.h"
#include "system/change/walk.h"

/* The names of a tracker's subscribers or prerequisites within one node, as "a b c". */
static char *
list_subscribers (WeirWalk *walk, guint32 tracker)
{
  GString *text = g_string_new (NULL);
  guint n;
  const guint32 *subscribers = weir_walk_get_subscribers (walk, tracker, &n);

  for (guint k = 0; k < n; k++)
    {
      g_autofree char *name = weir_walk_dup_name (walk, subscribers[k]);

      g_string_append_printf (text, "%s%s", k > 0 ? ", " : "", name);
    }
  return g_string_free (text, FALSE);
}

static char *
list_prerequisites (WeirWalk *walk, guint32 tracker)
{
  GString *text = g_string_new (NULL);

  guint n;
  const guint32 *prerequisites = weir_walk_get_prerequisites (walk, tracker, &n);

  for (guint k = 0; k < n; k++)
    {
      g_autofree char *name = weir_walk_dup_name (walk, prerequisites[k]);

      g_string_append_printf (text, "%s%s", k > 0 ? ", " : "", name);
    }
  return g_string_free (text, FALSE);
}

/* Every built-in tracker of a bare leaf at its fixed ticket, with description and subscribers in
 * order. */
static void
test_leaf (void)
{
  static const struct {
    guint16 ticket;
    const char *name, *subscribers;
  } rows[] = {
    { 0, ":nothing", "" },
    { 1, ":t", ":all sources except input ports" },
    { 2, ":accuracy", ":all sources except input ports, :configuration" },
    { 3, ":q", ":xc, :configuration" },
    { 4, ":v", ":xc, :kinematics" },
    { 5, ":z", ":xc, :configuration" },
    { 6, ":xc", ":x" },
    { 7, ":xd", ":x, :configuration" },
    { 8, ":xa", ":x, :configuration" },
    { 9, ":x", ":all sources except input ports" },
    { 10, ":pn", ":p" },
    { 11, ":pa", ":p" },
    { 12, ":p", ":all sources except input ports, :configuration" },
    { 13, ":all sources except input ports", ":all sources" },
    { 14, ":u", ":all sources" },
    { 15, ":all sources", "" },
    { 16, ":configuration", ":kinematics" },
    { 17, ":kinematics", "" },
    { 18, ":xcdot", "" },
    { 19, ":PE", "" },
    { 20, ":KE", "" },
    { 21, ":pc", "" },
    { 22, ":pnc", "" },
    { 23, ":xd_unique_periodic_update", "" },
  };
  g_autoptr (WeirSystem) leaf = weir_leaf_builder_build (weir_leaf_builder_new ("Bare"));
  g_autoptr (WeirWalk) walk = weir_walk_new (weir_system_get_layout (leaf));

  g_assert_cmpuint (weir_walk_get_n_trackers (walk), ==, G_N_ELEMENTS (rows));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      guint32 tracker = weir_walk_get_tracker (walk, WEIR_ROOT, (WeirTicket) { rows[i].ticket });
      g_autofree char *name = weir_walk_dup_name (walk, tracker);
      g_autofree char *subscribers = list_subscribers (walk, tracker);

      g_assert_cmpuint (tracker, ==, rows[i].ticket);
      g_assert_cmpstr (name, ==, rows[i].name);
      g_assert_cmpstr (subscribers, ==, rows[i].subscribers);
    }
}

/* A diagram has the same trackers; those that gather hear of each child's. */
static void
test_diagram (void)
{
  static const struct {
    guint16 ticket;
    const char *prerequisites;
  } rows[] = {
    { 1, "" },
    { 2, "" },
    { 3, "inner.b:q, inner.c:q" },
    { 4, "inner.b:v, inner.c:v" },
    { 5, "inner.b:z, inner.c:z" },
    { 6, "inner:q, inner:v, inner:z" },
    { 7, "inner.b:xd, inner.c:xd" },
    { 8, "inner.b:xa, inner.c:xa" },
    { 10, "inner.b:pn, inner.c:pn" },
    { 11, "inner.b:pa, inner.c:pa" },
    { 14, "inner:u_0 (u)" },
    { 18, "inner.b:xcdot, inner.c:xcdot" },
    { 19, "inner.b:PE, inner.c:PE" },
    { 20, "inner.b:KE, inner.c:KE" },
    { 21, "inner.b:pc, inner.c:pc" },
    { 22, "inner.b:pnc, inner.c:pnc" },
  };
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  WeirLayout *layout = weir_system_get_layout (tree);
  g_autoptr (WeirWalk) walk = weir_walk_new (layout);
  WeirNode inner;

  g_assert_true (weir_layout_find_node (layout, "inner", &inner));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      guint32 tracker = weir_walk_get_tracker (walk, inner, (WeirTicket) { rows[i].ticket });
      g_autofree char *prerequisites = list_prerequisites (walk, tracker);

      g_assert_cmpstr (prerequisites, ==, rows[i].prerequisites);
    }
}

static void
test_construction (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("One");
  WeirInput u = weir_leaf_add_input (b, "u", 1);
  guint16 first = weir_input_ticket (b, u).i;
  g_autoptr (WeirSystem) leaf = weir_leaf_builder_build (b);
  g_autoptr (WeirWalk) walk = weir_walk_new (weir_system_get_layout (leaf));
  g_autofree char *name = NULL;

  g_assert_cmpuint (first, ==, 24); /* the next available ticket */
  for (guint32 t = 0; t < weir_walk_get_n_trackers (walk); t++)
    {
      WeirTrackerCounters counters = weir_walk_get_counters (walk, t);

      g_assert_cmpuint (counters.value_changes + counters.prerequisite_changes + counters.ignored
                            + counters.sent,
                        ==, 0);
    }
  name = weir_walk_dup_name (walk, first);
  g_assert_cmpstr (name, ==, ":u_0 (u)");
}

static void
test_pathname (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  WeirLayout *layout = weir_system_get_layout (tree);
  g_autoptr (WeirWalk) walk = weir_walk_new (layout);
  WeirNode c;
  g_autofree char *root = NULL, *nested = NULL;

  g_assert_true (weir_layout_find_node (layout, "inner.c", &c));
  root = weir_walk_dup_name (walk, weir_walk_get_tracker (walk, WEIR_ROOT, WEIR_TIME));
  nested = weir_walk_dup_name (walk, weir_walk_get_tracker (walk, c, WEIR_KINEMATICS));
  g_assert_cmpstr (root, ==, ":t"); /* the root has no name of its own */
  g_assert_cmpstr (nested, ==, "inner.c:kinematics");
}

/* --- The hand-built diamond ----------------------------------------------------------------------
 *
 *   up ---> mid ---> down1
 *     \       \----> down2 ---> entry0
 *      \-> down1  \-----------> entry0
 */

typedef struct {
  WeirSystem *system;
  WeirWalk *walk;
  WeirParameter parameter;
  guint32 up, mid, down1, down2, entry0;
  WeirEntry entry;
} Diamond;

static void
diamond_init (Diamond *d)
{
  static const double one = 1;
  WeirLeafBuilder *b = weir_leaf_builder_new ("Diamond");
  WeirTicket p, mid, down1, down2, entry0;

  d->parameter = weir_leaf_add_parameter (b, "up", &one, 1);
  p = weir_parameter_ticket (b, d->parameter);
  mid = weir_cached_ticket (b,
                            weir_leaf_add_cache_entry (b, "mid", 1, probe_calc, WEIR_DEPENDS (p)));
  down1 = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "down1", 1, probe_calc, WEIR_DEPENDS (p, mid)));
  down2 = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "down2", 1, probe_calc, WEIR_DEPENDS (mid)));
  entry0 = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "entry0", 1, probe_calc, WEIR_DEPENDS (mid, down2)));
  d->system = weir_leaf_builder_build (b);
  d->walk = weir_walk_new (weir_system_get_layout (d->system));
  d->up = weir_walk_get_tracker (d->walk, WEIR_ROOT, p);
  d->mid = weir_walk_get_tracker (d->walk, WEIR_ROOT, mid);
  d->down1 = weir_walk_get_tracker (d->walk, WEIR_ROOT, down1);
  d->down2 = weir_walk_get_tracker (d->walk, WEIR_ROOT, down2);
  d->entry0 = weir_walk_get_tracker (d->walk, WEIR_ROOT, entry0);
  g_assert_true (
      weir_layout_find_entry (weir_system_get_layout (d->system), WEIR_ROOT, entry0, &d->entry));
}

static void
diamond_clear (Diamond *d)
{
  weir_walk_free (d->walk);
  weir_system_unref (d->system);
}

static void
check (Diamond *d, guint32 tracker, guint value, guint prerequisite, guint ignored, guint sent)
{
  WeirTrackerCounters c = weir_walk_get_counters (d->walk, tracker);

  g_assert_cmpuint (c.value_changes, ==, value);
  g_assert_cmpuint (c.prerequisite_changes, ==, prerequisite);
  g_assert_cmpuint (c.ignored, ==, ignored);
  g_assert_cmpuint (c.sent, ==, sent);
}

/* What has no subscription to a source hears nothing of it. */
static void
test_not_subscribed (void)
{
  Diamond d;
  guint64 bits = 0;
  guint32 time;

  diamond_init (&d);
  time = weir_walk_get_tracker (d.walk, WEIR_ROOT, WEIR_TIME);
  weir_walk_notify (d.walk, &time, 1, &bits);
  check (&d, d.mid, 0, 0, 0, 0);
  check (&d, d.entry0, 0, 0, 0, 0);
  g_assert_cmpuint (bits, ==, 0);
  diamond_clear (&d);
}

static void
test_notify (void)
{
  Diamond d;
  guint64 bits = 0;

  diamond_init (&d);
  weir_walk_notify (d.walk, &d.up, 1, &bits);
  check (&d, d.up, 1, 0, 0, 3); /* pn, mid and down1 */
  check (&d, d.mid, 0, 1, 0, 3);
  check (&d, d.down1, 0, 2, 1, 0);
  check (&d, d.down2, 0, 1, 0, 1);
  check (&d, d.entry0, 0, 2, 1, 0);
  g_assert_cmpuint (bits, ==, 0xf); /* every entry, entry0 among them */
  diamond_clear (&d);
}

static void
test_same_event_twice (void)
{
  Diamond d;
  guint32 twice[2];

  diamond_init (&d);
  twice[0] = twice[1] = d.up;
  weir_walk_notify (d.walk, twice, 2, NULL);
  check (&d, d.up, 2, 0, 1, 3);
  check (&d, d.mid, 0, 1, 0, 3);
  diamond_clear (&d);
}

static void
test_unrelated (void)
{
  Diamond d;
  guint64 bits = 0;

  diamond_init (&d);
  weir_walk_notify (d.walk, &d.down1, 1, &bits);
  check (&d, d.down1, 1, 0, 0, 0);
  check (&d, d.entry0, 0, 0, 0, 0);
  g_assert_cmpuint (bits, ==, 0); /* its own entry was just set; nothing listens to it */
  diamond_clear (&d);
}

/* Kinds of state that a leaf has none of never notify anybody, whoever changes
 * all states. */
static void
test_empty_partitions (void)
{
  static const double x[2] = { 1, 2 };
  WeirLeafBuilder *b = weir_leaf_builder_new ("Only z");
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;
  WeirEntry on_q = { 0 }, on_v = { 0 }, on_z = { 0 };
  WeirTicket q, v, z;
  WeirLayout *layout;

  weir_leaf_set_continuous_state (b, 0, 0, 2, x);
  q = weir_cached_ticket (b,
                          weir_leaf_add_cache_entry (b, "q", 1, probe_calc, WEIR_DEPENDS (WEIR_Q)));
  v = weir_cached_ticket (b,
                          weir_leaf_add_cache_entry (b, "v", 1, probe_calc, WEIR_DEPENDS (WEIR_V)));
  z = weir_cached_ticket (b,
                          weir_leaf_add_cache_entry (b, "z", 1, probe_calc, WEIR_DEPENDS (WEIR_Z)));
  weir_leaf_set_derivatives (b, probe_calc, WEIR_DEPENDS (WEIR_Z));
  system = weir_leaf_builder_build (b);
  layout = weir_system_get_layout (system);
  context = weir_system_create_context (system);
  weir_layout_find_entry (layout, WEIR_ROOT, q, &on_q);
  weir_layout_find_entry (layout, WEIR_ROOT, v, &on_v);
  weir_layout_find_entry (layout, WEIR_ROOT, z, &on_z);
  probe_eval_all (system, context);
  weir_context_set_state (context, x);
  g_assert_true (weir_context_is_up_to_date (context, on_q));
  g_assert_true (weir_context_is_up_to_date (context, on_v));
  g_assert_false (weir_context_is_up_to_date (context, on_z));
}

/* A clone shares the topology and nothing else. */
static void
test_clone (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  g_autoptr (WeirContext) context = probe_context_new (tree), clone = NULL;
  guint64 events;

  clone = weir_context_clone (context);
  g_assert_true (weir_context_get_layout (clone) == weir_context_get_layout (context));
  events = weir_context_get_n_events (context);
  weir_context_set_time (clone, 3);
  g_assert_cmpuint (weir_context_get_n_events (clone), ==, events + 1);
  g_assert_cmpuint (weir_context_get_n_events (context), ==, events);
  g_assert_cmphex (probe_heard (context, "a"), ==, 0);
  g_assert_cmphex (probe_heard (clone, "a"), ==, 1u << 1 | 1u << 13 | 1u << 15);
}

/* A ticket that nothing has been given is found by nobody. */
static void
test_unknown_ticket (void)
{
  g_autoptr (WeirSystem) probe = probe_new ();
  WeirLayout *layout = weir_system_get_layout (probe);
  WeirEntry entry;

  g_assert_false (weir_layout_find_entry (layout, WEIR_ROOT, (WeirTicket) { 1000 }, &entry));
  g_assert_false (weir_layout_find_entry (layout, WEIR_ROOT, WEIR_TIME, &entry));
}

/* A damaged context is refused or mended, never believed: every byte of the flags may be
 * wrong. */
static void
test_damaged (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  g_autoptr (WeirContext) context = probe_context_new (tree);
  g_autoptr (GBytes) saved = NULL, damaged = NULL;
  WeirLayout *layout = weir_context_get_layout (context);
  g_autofree guint8 *bytes = NULL;
  gsize size, flags = 48 + layout->arena.stale * sizeof (double);

  saved = weir_context_save (context);
  bytes = g_memdup2 (g_bytes_get_data (saved, &size), g_bytes_get_size (saved));
  memset (bytes + flags, 0xff, 3 * layout->n_words * sizeof (guint64)); /* stale, disabled, fixed */
  damaged = g_bytes_new (bytes, size);
  g_assert_true (weir_context_load (context, tree, damaged, NULL));
  for (guint32 e = 0; e < layout->n_entries; e++)
    {
      g_assert_false (weir_context_is_up_to_date (context, (WeirEntry) { e }));
      g_assert_false (weir_context_get_entry_caching (context, (WeirEntry) { e }));
    }
  probe_eval_all (tree, context);
  weir_context_set_node_caching (context, WEIR_ROOT, TRUE);
  probe_eval_all (tree, context);
}

/* A chain of 100 000 trackers needs no stack. */
static void
test_deep_chain (void)
{
  enum { N = 100000 };
  g_autoptr (WeirSystem) gain = test_gain_new (1), chain = NULL;
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  WeirInput u = weir_diagram_builder_add_input (d, "u", 1);
  g_autoptr (WeirWalk) walk = NULL;
  g_autoptr (WeirContext) context = NULL;
  g_autofree guint64 *bits = NULL;
  static const double one = 1;
  WeirEntry last;
  guint32 fixed;

  for (guint i = 0; i < N; i++)
    {
      g_autofree char *name = g_strdup_printf ("g%u", i);
      WeirChild child = weir_diagram_builder_add (d, name, gain);

      if (i == 0)
        weir_diagram_builder_connect_input (d, u, child, (WeirInput) { 0 });
      else
        weir_diagram_builder_connect (d, (WeirChild) { i - 1 }, (WeirOutput) { 0 }, child,
                                      (WeirInput) { 0 });
    }
  weir_diagram_builder_add_output (d, "y", (WeirChild) { N - 1 }, (WeirOutput) { 0 });
  chain = weir_diagram_builder_build (d, NULL);
  walk = weir_walk_new (weir_system_get_layout (chain));
  bits = g_new0 (guint64, N / 64 + 1);
  fixed = weir_walk_get_fixed_tracker (walk, WEIR_ROOT, (WeirInput) { 0 });
  weir_walk_notify (walk, &fixed, 1, bits);
  g_assert_true (weir_layout_find_output_entry (weir_system_get_layout (chain), WEIR_ROOT,
                                                (WeirOutput) { 0 }, &last));
  g_assert_true (weir_bit (bits, last.i));
  g_assert_cmpuint (weir_walk_get_invalidations (walk, last), ==, 1);

  context = weir_system_create_context (chain);
  weir_context_fix_input (context, WEIR_ROOT, (WeirInput) { 0 }, &one);
  g_assert_cmpfloat (weir_eval_output (chain, context, WEIR_ROOT, (WeirOutput) { 0 })[0], ==, 1);
  weir_context_fix_input (context, WEIR_ROOT, (WeirInput) { 0 }, &one);
  g_assert_false (weir_context_is_up_to_date (context, last));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/trackers/leaf", test_leaf);
  g_test_add_func ("/system/trackers/diagram", test_diagram);
  g_test_add_func ("/system/trackers/construction", test_construction);
  g_test_add_func ("/system/trackers/pathname", test_pathname);
  g_test_add_func ("/system/trackers/not-subscribed", test_not_subscribed);
  g_test_add_func ("/system/trackers/notify", test_notify);
  g_test_add_func ("/system/trackers/same-event-twice", test_same_event_twice);
  g_test_add_func ("/system/trackers/unrelated", test_unrelated);
  g_test_add_func ("/system/trackers/empty-partitions", test_empty_partitions);
  g_test_add_func ("/system/trackers/clone", test_clone);
  g_test_add_func ("/system/trackers/unknown-ticket", test_unknown_ticket);
  g_test_add_func ("/system/trackers/damaged", test_damaged);
  g_test_add_func ("/system/trackers/deep-chain", test_deep_chain);
  return g_test_run ();
}

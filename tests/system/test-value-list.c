/* Lists of values: a reading of a list is to the last what one request a value would be. Two
 * contexts of a random diagram go through the same changes, switches and logs; the one is read by
 * the list, the other value by value.
 */
#include <string.h>

#include "../seeds.h"
#include "blocks.h"
#include "system/context/context-private.h"
#include "system/context/inspection.h"
#include "system/evaluation/evaluator-private.h"
#include "system/evaluation/value-list.h"
#include "system/layout/layout-private.h"
#include "system/observation/observation-private.h"
#include "system/observation/watch.h"

/* --- Diagrams -------------------------------------------------------------------------------- */

/* The time, as a port shows it. */
static WeirSystem *
clock_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Clock");

  weir_leaf_add_output_window (b, "y", WEIR_TIME);
  return weir_leaf_builder_build (b);
}

static WeirStatus
fan_calc (const WeirCalc *c, double *y)
{
  for (guint k = 0; k < 3; k++)
    y[k] = (k + 1) * weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

/* y = u, 2 u, 3 u beside a group of two and, in words, what no list of numbers can hold. */
static WeirSystem *
fan_new (void)
{
  static const double group[2] = { 7, 8 };
  WeirLeafBuilder *b = weir_leaf_builder_new ("Fan");
  WeirInput u = weir_leaf_add_input (b, "u", 1);
  WeirGroup pair = weir_leaf_add_discrete_state (b, "pair", group, 2);
  WeirGroup word = weir_leaf_add_abstract_state (b, "word", g_variant_new_string ("word"));

  weir_leaf_add_output (b, "y", 3, fan_calc, WEIR_DEPENDS (weir_input_ticket (b, u)));
  weir_leaf_add_output_window (b, "pair", weir_group_ticket (b, pair));
  weir_leaf_add_output_window (b, "word", weir_group_ticket (b, word));
  return weir_leaf_builder_build (b);
}

static WeirStatus
root_calc (const WeirCalc *c, double *y)
{
  double u = weir_calc_input (c, (WeirInput) { 0 })[0];

  if (u < 0)
    return weir_calc_fail (c, "the root of %g is asked for", u);
  y[0] = sqrt (u);
  return WEIR_OK;
}

static WeirSystem *
root_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Root");
  WeirInput u = weir_leaf_add_input (b, "u", 1);

  weir_leaf_add_output (b, "y", 1, root_calc, WEIR_DEPENDS (weir_input_ticket (b, u)));
  return weir_leaf_builder_build (b);
}

/* An input that nothing reads. */
static WeirSystem *
sink_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Sink");

  weir_leaf_add_input (b, "u", 1);
  return weir_leaf_builder_build (b);
}

/* The first ones are kernels and windows. */
static WeirSystem *
block_new (GRand *rand, gboolean kernels_alone)
{
  double value = g_rand_double_range (rand, -2, 2);

  switch (g_rand_int_range (rand, 0, kernels_alone ? 8 : 12))
    {
    case 0:
    case 1:
      return test_gain_new (value);
    case 2:
    case 3:
      return test_add_new ();
    case 4:
      return test_integrator_new (value);
    case 5:
      return test_constant_new (value);
    case 6:
      return clock_new ();
    case 7:
      return sink_new ();
    case 8:
      return test_sine_new ();
    case 9:
      return test_switch_new ();
    case 10:
      return fan_new ();
    default:
      return root_new ();
    }
}

/* Of blocks that read what came before them; some inputs lead outside or nowhere. */
static WeirSystem *
diagram_new (GRand *rand, gboolean kernels_alone, guint n_blocks, WeirSystem *inner)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirInput outside = weir_diagram_builder_add_input (b, "u", 1);
  g_autoptr (GArray) children = g_array_new (FALSE, FALSE, sizeof (WeirChild));
  g_autoptr (GError) error = NULL;
  WeirSystem *system;

  for (guint i = 0; i < n_blocks; i++)
    {
      g_autofree char *name = g_strdup_printf ("b%u", i);
      g_autoptr (WeirSystem) block = i == n_blocks / 2 && inner != NULL
                                         ? weir_system_ref (inner)
                                         : block_new (rand, kernels_alone);
      WeirChild child = weir_diagram_builder_add (b, name, block);
      guint n_inputs = weir_system_get_n_inputs (block);

      for (guint16 k = 0; k < n_inputs; k++)
        {
          gint from = g_rand_int_range (rand, -2, (gint) i + 1);

          if (from == -1)
            weir_diagram_builder_connect_input (b, outside, child, (WeirInput) { k });
          else if (from >= 0 && from < (gint) children->len)
            weir_diagram_builder_connect (b, g_array_index (children, WeirChild, (guint) from),
                                          (WeirOutput) { 0 }, child, (WeirInput) { k });
        }
      /* That of a fan is too wide for the others. */
      if (weir_system_get_n_outputs (block) > 0
          && !g_str_equal (weir_system_get_kind (block), "Fan"))
        g_array_append_val (children, child);
    }
  for (guint k = 0; k < 2 && children->len > 0; k++)
    {
      guint from = (guint) g_rand_int_range (rand, 0, (gint) children->len);

      weir_diagram_builder_add_output (
          b, k == 0 ? "y" : "z", g_array_index (children, WeirChild, from), (WeirOutput) { 0 });
    }
  system = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return system;
}

/* --- Both contexts --------------------------------------------------------------------------- */

enum { BY_LIST, BY_VALUE, N_SIDES };

typedef struct {
  GRand *rand;
  WeirSystem *system;
  const WeirLayout *layout;
  WeirContext *sides[N_SIDES];
  GChecksum *watched[N_SIDES]; /* of what watchers were told */
  GArray *ports, *entries;     /* of the list: the one or the other */
  WeirValueList *list;
  gboolean logs;
} Twins;

static void
note_answer (WeirContext *context, WeirEntry entry, const guint64 *computed, const guint64 *reads,
             gpointer data)
{
  const WeirLayout *layout = context->layout;

  g_checksum_update (data, (const guchar *) &entry, sizeof entry);
  g_checksum_update (data, (const guchar *) computed, layout->n_words * 8);
  g_checksum_update (data, (const guchar *) reads, layout->n_entries * 8);
}

static guint
pick (Twins *t, guint n)
{
  return n == 0 ? 0 : (guint) g_rand_int_range (t->rand, 0, (gint) n);
}

static WeirPort
pick_port (Twins *t)
{
  WeirPort port = { { pick (t, t->layout->n_nodes) }, 0, (gboolean) pick (t, 2) };
  const WeirShape *shape = t->layout->nodes[port.node.i].shape;
  guint n = (port.is_input ? shape->inputs : shape->outputs)->len;

  if (n == 0)
    return pick_port (t);
  port.index = pick (t, n);
  return port;
}

/* A list of few or many; now and then with one in it that cannot be read. */
static void
choose_list (Twins *t)
{
  guint n = pick (t, 4) == 0 ? pick (t, 200) : pick (t, 8);
  gboolean has_wrong = pick (t, 12) == 0;

  g_array_set_size (t->ports, 0);
  g_array_set_size (t->entries, 0);
  g_clear_pointer (&t->list, weir_value_list_free);
  if (pick (t, 2) == 0 && t->layout->n_entries > 0)
    {
      for (guint i = 0; i < n; i++)
        {
          WeirEntry entry = { pick (t, t->layout->n_entries + (has_wrong ? 1 : 0)) };

          g_array_append_val (t->entries, entry);
        }
      t->list = weir_value_list_new_of_entries (t->system, (const WeirEntry *) t->entries->data, n);
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      WeirPort port = pick_port (t);

      if (!has_wrong && !port.is_input
          && weir_layout_get_output_type (t->layout, port.node, (WeirOutput) { port.index })
                 != NULL)
        port.index = 0;
      if (has_wrong && pick (t, 3) == 0)
        port.index = 5;
      if (has_wrong && pick (t, 10) == 0)
        port.node.i = t->layout->n_nodes;
      g_array_append_val (t->ports, port);
    }
  t->list = weir_value_list_new (t->system, (const WeirPort *) t->ports->data, n);
}

static guint
get_size (const Twins *t, guint i)
{
  const WeirPort *port;

  if (t->entries->len > 0)
    return weir_layout_get_entry (t->layout, g_array_index (t->entries, WeirEntry, i)).size;
  port = &g_array_index (t->ports, WeirPort, i);
  return port->is_input
             ? weir_layout_get_input_size (t->layout, port->node, (WeirInput) { port->index })
             : weir_layout_get_output_size (t->layout, port->node, (WeirOutput) { port->index });
}

static const double *
eval_alone (const Twins *t, WeirContext *context, guint i)
{
  const WeirPort *port;

  if (t->entries->len > 0)
    return weir_eval_entry (t->system, context, g_array_index (t->entries, WeirEntry, i));
  port = &g_array_index (t->ports, WeirPort, i);
  return port->is_input
             ? weir_eval_input (t->system, context, port->node, (WeirInput) { port->index })
             : weir_eval_output (t->system, context, port->node, (WeirOutput) { port->index });
}

static void
assert_same_logs (const WeirLogRing *a, const WeirLogRing *b, guint32 n_words)
{
  g_assert_cmpuint (a->n, ==, b->n);
  for (guint64 i = 0; i < MIN (a->n, a->mask + 1); i++)
    {
      WeirLogRecord x = a->records[i], y = b->records[i];

      g_assert_true ((x.ns == 0) == (y.ns == 0)); /* how long it took is not the same twice */
      x.ns = y.ns = 0;
      g_assert_cmpmem (&x, sizeof x, &y, sizeof y);
    }
  g_assert_cmpuint (a->n_keyframes, ==, b->n_keyframes);
  g_assert_cmpuint (a->next_keyframe, ==, b->next_keyframe);
  g_assert_cmpmem (
      a->keyframes, MIN (a->n_keyframes, a->max_keyframes) * WEIR_LOG_KEYFRAME_SIZE (n_words) * 8,
      b->keyframes, MIN (b->n_keyframes, b->max_keyframes) * WEIR_LOG_KEYFRAME_SIZE (n_words) * 8);
}

/* All but how long things took. */
static void
assert_same (const Twins *t)
{
  const WeirContext *a = t->sides[BY_LIST], *b = t->sides[BY_VALUE];
  const WeirLayout *layout = a->layout;
  gsize before = layout->arena.segment_ns, behind = before + layout->n_segments;
  g_autoptr (GChecksum) told = g_checksum_copy (t->watched[BY_LIST]);
  g_autoptr (GChecksum) told_other = g_checksum_copy (t->watched[BY_VALUE]);

  g_assert_cmpmem (a->arena, before * 8, b->arena, before * 8);
  g_assert_cmpmem (a->arena + behind, (layout->arena.size - behind) * 8, b->arena + behind,
                   (layout->arena.size - behind) * 8);
  g_assert_cmphex (a->modes & ~(guint32) WEIR_MODE_TIMING, ==,
                   b->modes & ~(guint32) WEIR_MODE_TIMING);
  g_assert_cmpuint (a->until_timed, ==, b->until_timed);
  g_assert_cmpuint (a->timing_interval, ==, b->timing_interval);
  g_assert_cmpuint (a->n_nested, ==, b->n_nested);
  g_assert_cmpstr (weir_context_get_failure (a), ==, weir_context_get_failure (b));
  for (guint32 w = 0; w < layout->n_words; w++)
    g_assert_cmphex (a->need[w], ==, 0);
  g_assert_cmpstr (g_checksum_get_string (told), ==, g_checksum_get_string (told_other));
  if (t->logs)
    assert_same_logs (a->log_ring, b->log_ring, layout->n_words);
}

static void
read_both (Twins *t)
{
  gsize size = weir_value_list_get_n_values (t->list), at = 0;
  guint n = t->entries->len + t->ports->len;
  g_autofree double *values = g_new0 (double, size + 1);
  WeirStatus status = weir_eval_list (t->list, t->sides[BY_LIST], values), expected = WEIR_OK;

  for (guint i = 0; i < n && expected == WEIR_OK; i++)
    {
      const double *value = eval_alone (t, t->sides[BY_VALUE], i);

      expected = value != NULL ? WEIR_OK : WEIR_FAILED;
      if (value == NULL)
        continue;
      g_assert_cmpmem (values + at, get_size (t, i) * 8, value, get_size (t, i) * 8);
      at += get_size (t, i);
    }
  g_assert_cmpint (status, ==, expected);
  g_assert_true (expected != WEIR_OK || at == size);
  assert_same (t);
}

static void
switch_logs (Twins *t)
{
  WeirLogMode mode = pick (t, 2) == 0 ? WEIR_LOG_MODE_ALL : WEIR_LOG_MODE_EVENTS;

  t->logs = !t->logs;
  for (guint side = 0; side < N_SIDES; side++)
    if (t->logs)
      {
        weir_context_start_log (t->sides[side], mode, 64);
        t->sides[side]->log_ring->next_keyframe = 4;
        t->sides[side]->log_ring->keyframe_interval = 11;
      }
    else
      weir_change_log_free (weir_context_stop_log (t->sides[side]));
}

/* The same change, switch or request to both. */
static void
change_both (Twins *t)
{
  static const WeirWatcher watcher = { .answered = note_answer };
  guint what = pick (t, 26);
  WeirEntry entry = { pick (t, t->layout->n_entries) };
  WeirPort port = pick_port (t);
  double value = g_rand_double_range (t->rand, -1, 3);
  gboolean on = pick (t, 3) > 0;
  guint n_states = t->layout->n_states, soon = 1 + pick (t, 20);
  g_autofree double *x = g_new (double, 2 * n_states + 1);

  for (guint i = 0; i < n_states; i++)
    x[i] = g_rand_double_range (t->rand, -1, 3);
  if (what == 0)
    switch_logs (t);
  for (guint side = 0; side < N_SIDES; side++)
    {
      WeirContext *context = t->sides[side];

      if (what < 8)
        weir_context_set_time (context, value);
      else if (what < 13)
        weir_context_set_time_and_state (context, value, x);
      else if (what == 13 && port.is_input
               && weir_layout_get_input_size (t->layout, port.node, (WeirInput) { port.index })
                      == 1)
        {
          if (weir_context_is_input_fixed (context, port.node, (WeirInput) { port.index }))
            weir_context_unfix_input (context, port.node, (WeirInput) { port.index });
          else
            weir_context_fix_input (context, port.node, (WeirInput) { port.index }, &value);
        }
      else if (what == 14)
        weir_context_set_frozen (context, !on);
      else if (what == 15)
        weir_context_set_caching (context, on);
      else if (what == 16 && t->layout->n_entries > 0)
        weir_context_set_entry_caching (context, entry, on);
      else if (what == 17 && t->layout->n_entries > 0)
        weir_context_mark (context, entry, !on);
      else if (what == 18)
        weir_context_set_pull_only (context, on);
      else if (what == 19)
        weir_context_set_watcher (context, on ? NULL : &watcher, t->watched[side]);
      else if (what == 20 && t->layout->n_entries > 0)
        weir_context_set_entry_held (context, entry, !on);
      else if (what == 21)
        weir_eval_rhs (t->system, context, value, x, x + n_states);
      else if (what == 22 && t->layout->n_entries > 0)
        weir_eval_entry (t->system, context, entry);
      else if (what == 23)
        weir_context_set_node_caching (context, WEIR_ROOT, TRUE);
      else if (what == 24 && !weir_context_is (context, WEIR_MODE_TIMES))
        context->until_timed = soon; /* a request before one that is timed is hard to meet */
      else if (what == 25)
        weir_context_set_all_out_of_date (context);
    }
}

/* What nothing drives gets a value, as a rule: otherwise most requests would fail. */
static void
fix_inputs (Twins *t)
{
  for (guint32 n = 0; n < t->layout->n_nodes; n++)
    for (guint16 i = 0; i < t->layout->nodes[n].shape->inputs->len; i++)
      {
        WeirOrigin origin = t->layout->inputs[t->layout->nodes[n].first_input + i];
        double value = g_rand_double_range (t->rand, 0, 2);

        if (origin.kind != WEIR_ORIGIN_FIXED || origin.node != n || pick (t, 40) == 0)
          continue;
        for (guint side = 0; side < N_SIDES; side++)
          weir_context_fix_input (t->sides[side], (WeirNode) { n }, (WeirInput) { i }, &value);
      }
}

/* Between changes, and within one, where nothing can be read. */
static void
read_within_change (Twins *t)
{
  for (guint side = 0; side < N_SIDES; side++)
    weir_context_begin_change (t->sides[side]);
  read_both (t);
  for (guint side = 0; side < N_SIDES; side++)
    weir_context_end_change (t->sides[side]);
}

/* While a solver's time or state, or both, are in force. */
static void
read_within_trial (Twins *t)
{
  guint n_states = t->layout->n_states;
  guint what = pick (t, 3);
  double time = what == 0 ? weir_context_get_time (t->sides[0]) : g_rand_double (t->rand);
  g_autofree double *x = g_new (double, n_states + 1);

  for (guint i = 0; i < n_states; i++)
    x[i] = g_rand_double_range (t->rand, -1, 3);
  for (guint side = 0; side < N_SIDES; side++)
    if (weir_context_is (t->sides[side], WEIR_MODE_FROZEN))
      return;
  for (guint side = 0; side < N_SIDES; side++)
    weir_context_begin_trial (t->sides[side], time,
                              what == 1 ? weir_context_get_state (t->sides[side]) : x);
  read_both (t);
  for (guint side = 0; side < N_SIDES; side++)
    weir_context_end_trial (t->sides[side]);
}

static void
twins_init (Twins *self, GRand *rand, WeirSystem *system, WeirSystem *of_contexts)
{
  *self = (Twins) { .rand = rand,
                    .system = system,
                    .layout = weir_system_get_layout (system),
                    .ports = g_array_new (FALSE, FALSE, sizeof (WeirPort)),
                    .entries = g_array_new (FALSE, FALSE, sizeof (WeirEntry)) };
  for (guint side = 0; side < N_SIDES; side++)
    {
      self->sides[side] = weir_system_create_context (of_contexts);
      self->watched[side] = g_checksum_new (G_CHECKSUM_MD5);
    }
  fix_inputs (self);
}

static void
twins_clear (Twins *self)
{
  if (self->logs)
    switch_logs (self);
  for (guint side = 0; side < N_SIDES; side++)
    {
      weir_context_free (self->sides[side]);
      g_checksum_free (self->watched[side]);
    }
  weir_value_list_free (self->list);
  g_array_unref (self->ports);
  g_array_unref (self->entries);
}

static void
check_diagram (guint32 seed, gboolean kernels_alone)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed), again = g_rand_copy (rand);
  Twins t;
  WeirSystem *systems[2];

  for (guint k = 0; k < 2; k++)
    {
      GRand *own = k == 0 ? rand : again;
      guint n_inner = (guint) g_rand_int_range (own, 1, 10);
      guint n = (guint) g_rand_int_range (own, 1, 120);
      g_autoptr (WeirSystem) inner = diagram_new (own, kernels_alone, n_inner, NULL);

      systems[k] = diagram_new (own, kernels_alone, n, inner);
    }
  /* The list's system takes over contexts of an equal one. */
  twins_init (&t, rand, systems[0], systems[seed % 3 == 0]);
  choose_list (&t);
  for (guint step = 0; step < 300; step++)
    {
      if (pick (&t, 6) == 0)
        choose_list (&t);
      if (pick (&t, 60) == 0)
        read_within_change (&t);
      if (pick (&t, 30) == 0)
        read_within_trial (&t);
      read_both (&t);
      change_both (&t);
    }
  twins_clear (&t);
  for (guint k = 0; k < 2; k++)
    weir_system_unref (systems[k]);
}

static void
test_equals_single_requests (gconstpointer data)
{
  guint32 seed = get_test_seed (71);

  for (guint i = 0; i < 150; i++)
    check_diagram (seed++, data != NULL);
}

/* More values than there are requests between two that are timed. */
static void
test_long (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (72));
  g_autoptr (WeirSystem) system = diagram_new (rand, TRUE, 100, NULL);
  Twins t;

  twins_init (&t, rand, system, system);
  for (guint i = 0; i < 20000; i++)
    {
      WeirEntry entry = { pick (&t, t.layout->n_entries) };

      g_array_append_val (t.entries, entry);
    }
  t.list = weir_value_list_new_of_entries (system, (const WeirEntry *) t.entries->data, 20000);
  for (guint i = 0; i < 6; i++)
    {
      read_both (&t);
      read_both (&t);
      for (guint side = 0; side < N_SIDES; side++)
        weir_context_set_time (t.sides[side], i);
    }
  twins_clear (&t);
}

/* Of another system, and of nothing. */
static void
test_misfit (void)
{
  g_autoptr (WeirSystem) gain = test_gain_new (2), sine = test_sine_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (gain);
  g_autoptr (WeirValueList) list = weir_value_list_new (sine, (WeirPort[]) { { .index = 0 } }, 1);
  g_autoptr (WeirValueList) nothing = weir_value_list_new (sine, NULL, 0);
  double value = 5;

  g_assert_cmpuint (weir_value_list_get_n_values (list), ==, 1);
  g_assert_cmpuint (weir_value_list_get_n_values (nothing), ==, 0);
  g_assert_cmpint (weir_eval_list (list, context, &value), ==, WEIR_FAILED);
  g_assert_nonnull (strstr (weir_context_get_failure (context), "does not fit this Sine"));
  g_assert_cmpint (weir_eval_list (nothing, context, &value), ==, WEIR_OK);
  g_assert_cmpfloat (value, ==, 5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/system/value-list/equals-single-requests/kernels", "kernels",
                        test_equals_single_requests);
  g_test_add_data_func ("/system/value-list/equals-single-requests/mixed", NULL,
                        test_equals_single_requests);
  g_test_add_func ("/system/value-list/long", test_long);
  g_test_add_func ("/system/value-list/misfit", test_misfit);
  return g_test_run ();
}

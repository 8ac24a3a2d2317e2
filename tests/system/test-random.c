/* Random diagrams: after every mutation the masks, the walk and a reachability search that reads
 * only the declarations leave identical flags; every evaluation equals an uncached one bit for bit;
 * the plan and the pull agree; counters equal those of a naive evaluator that counts as it goes.
 *
 * The reference is the second description of the diagram (random-diagram.h).
 */
#include <string.h>

#include "../seeds.h"
#include "random-diagram.h"
#include "system/change/walk.h"
#include "system/context/inspection.h"

/* --- The reference --------------------------------------------------------------------------- */

/* Does entry @e of leaf @l read what changed? Then so does all that reads it. */
typedef struct {
  FromKind kind;
  gint leaf;  /* -1: every leaf */
  gint index; /* of inputs: fixed ones at the leaf; -1: every one of the kind */
} Change;

static gboolean
reads_change (Random *r, guint l, guint e, const Change *change, const guint8 *marked)
{
  const Leaf *leaf = leaf_at (r, l);
  guint32 atoms = leaf->data.atoms[e];
  const guint sizes[] = { leaf->data.nq, leaf->data.nv, leaf->data.nz };
  gboolean here = change->leaf < 0 || change->leaf == (gint) l;

  if (change->kind == FROM_TIME && (atoms & BIT (ATOM_TIME + (guint) change->index)))
    return TRUE;
  for (guint k = 0; k < 3; k++)
    if (change->kind == FROM_STATE && here && (change->index < 0 || change->index == (gint) k)
        && sizes[k] > 0 && (atoms & BIT (ATOM_Q + k)))
      return TRUE;
  if (change->kind == FROM_PARAMETER && here
      && (atoms & BIT (ATOM_PARAMETER + (guint) change->index)))
    return TRUE;
  if (change->kind == FROM_GROUP && here && (atoms & BIT (ATOM_GROUP + (guint) change->index)))
    return TRUE;
  for (guint i = 0; i < MAX_ENTRIES; i++)
    if ((atoms & BIT (ATOM_ENTRY + i)) && marked[leaf->first_entry + i])
      return TRUE;
  for (guint i = 0; i < leaf->data.n_inputs; i++)
    {
      From from = leaf->inputs[i];
      gboolean there = change->leaf < 0 || change->leaf == (gint) from.leaf;

      if (!(atoms & BIT (ATOM_INPUT + i)))
        continue;
      if (change->kind == FROM_FIXED && change->leaf == (gint) l && change->index == (gint) i)
        return TRUE;
      if (from.kind == FROM_ENTRY && marked[leaf_at (r, from.leaf)->first_entry + from.index])
        return TRUE;
      if (from.kind != FROM_ENTRY && from.kind != FROM_FIXED && from.kind == change->kind && there
          && (change->index < 0 || change->index == (gint) from.index))
        return TRUE;
    }
  return FALSE;
}

/* Leaves are in an order in which inputs come from earlier ones, so one pass reaches everything. */
static void
reach (Random *r, const Change *change, guint8 *marked)
{
  for (guint l = 0; l < r->leaves->len; l++)
    for (guint e = 0; e < leaf_at (r, l)->data.n_entries; e++)
      if (reads_change (r, l, e, change, marked))
        marked[leaf_at (r, l)->first_entry + e] = TRUE;
}

/* The naive evaluator: valid flags, counters, recursion. */
typedef struct {
  guint8 *valid;
  guint64 *hits, *misses;
} Naive;

static void
naive_eval (Random *r, Naive *n, guint l, guint e)
{
  const Leaf *leaf = leaf_at (r, l);
  guint id = leaf->first_entry + e;

  if (n->valid[id])
    {
      n->hits[id]++;
      return;
    }
  for (guint i = 0; i < MAX_ENTRIES; i++)
    if (leaf->data.atoms[e] & BIT (ATOM_ENTRY + i))
      naive_eval (r, n, l, i);
  for (guint i = 0; i < leaf->data.n_inputs; i++)
    if ((leaf->data.atoms[e] & BIT (ATOM_INPUT + i)) && leaf->inputs[i].kind == FROM_ENTRY)
      naive_eval (r, n, leaf->inputs[i].leaf, leaf->inputs[i].index);
  n->misses[id]++;
  n->valid[id] = TRUE;
}

/* --- The test -------------------------------------------------------------------------------- */

typedef struct {
  WeirContext *context;
  WeirWalk *walk;
  guint64 *walk_bits;
  Naive naive;
} Subject;

static void
check_flags (Random *r, Subject *s)
{
  for (guint l = 0; l < r->leaves->len; l++)
    for (guint e = 0; e < leaf_at (r, l)->data.n_entries; e++)
      {
        const Leaf *leaf = leaf_at (r, l);
        gboolean valid = weir_context_is_up_to_date (s->context, leaf->entries[e]);

        g_assert_cmpint (valid, ==, s->naive.valid[leaf->first_entry + e]);
      }
}

/* What a mutation changed, for the reference, and the sources that it changed, for the walk. */
typedef struct {
  GArray *changes; /* Change */
  GArray *sources; /* WeirSource */
} Mutation;

static void
note (Mutation *m, WeirSource source, Change change)
{
  g_array_append_val (m->sources, source);
  g_array_append_val (m->changes, change);
}

static void
note_state (Mutation *m, guint32 source, gint part)
{
  note (m, (WeirSource) { source }, (Change) { FROM_STATE, -1, part });
}

/* One call of a random setter with random values. */
static void
mutate_once (Random *r, WeirContext *context, Mutation *m)
{
  WeirLayout *layout = weir_context_get_layout (context);
  guint n_states = weir_layout_get_n_states (layout);
  gint l = g_rand_int_range (r->rand, 0, (gint) r->leaves->len);
  const Leaf *leaf = leaf_at (r, (guint) l);
  const guint sizes[] = { leaf->data.nq, leaf->data.nv, leaf->data.nz };
  g_autofree double *x = g_new (double, n_states + 1);
  double value = g_rand_double_range (r->rand, -1, 1);
  WeirStatePart part = (WeirStatePart) g_rand_int_range (r->rand, 0, 3);
  Change time = { FROM_TIME, -1, ATOM_TIME };

  for (guint i = 0; i <= n_states; i++)
    x[i] = g_rand_double_range (r->rand, -1, 1);
  switch (g_rand_int_range (r->rand, 0, 12))
    {
    case 0:
      weir_context_set_accuracy (context, fabs (value) + 1);
      note (m, (WeirSource) { WEIR_SOURCE_ACCURACY }, (Change) { FROM_TIME, -1, ATOM_ACCURACY });
      break;
    case 1:
      weir_context_set_state (context, x);
      note_state (m, WEIR_SOURCE_STATE, -1);
      break;
    case 2:
      weir_context_set_time_and_state (context, value, x);
      note_state (m, WEIR_SOURCE_TIME_STATE, -1);
      g_array_append_val (m->changes, time);
      break;
    case 3:
      if (leaf->data.n_parameters == 0)
        break;
      weir_context_set_parameter (context, leaf->node, (WeirParameter) { 0 }, &value);
      note (m, weir_layout_parameter_source (layout, leaf->node.i, 0),
            (Change) { FROM_PARAMETER, l, 0 });
      break;
    case 4:
      if (leaf->data.n_groups == 0)
        break;
      weir_context_set_discrete (context, leaf->node, (WeirGroup) { 0 }, &value);
      note (m, weir_layout_group_source (layout, leaf->node.i, 0), (Change) { FROM_GROUP, l, 0 });
      break;
    case 5:
      if (sizes[0] + sizes[1] + sizes[2] == 0)
        break;
      weir_context_set_part (context, leaf->node, WEIR_STATE_XC, x);
      note (m, weir_layout_state_source (layout, leaf->node.i, WEIR_ORIGIN_XC),
            (Change) { FROM_STATE, l, -1 });
      break;
    case 6:
      if (leaf->data.n_inputs == 0 || leaf->inputs[0].kind != FROM_FIXED)
        break;
      weir_context_fix_input (context, leaf->node, (WeirInput) { 0 }, &value);
      note (m, weir_layout_input_source (layout, leaf->node.i, 0), (Change) { FROM_FIXED, l, 0 });
      break;
    case 7:
      if (sizes[part] == 0)
        break;
      weir_context_set_part (context, leaf->node, part, x);
      note (m, weir_layout_state_source (layout, leaf->node.i, WEIR_ORIGIN_Q + part),
            (Change) { FROM_STATE, l, (gint) part });
      break;
    case 8:
      weir_context_set_part (context, WEIR_ROOT, WEIR_STATE_Q, x);
      note_state (m, WEIR_SOURCE_Q, 0);
      break;
    case 9:
      weir_context_set_v_and_z (context, WEIR_ROOT, x, x);
      note_state (m, WEIR_SOURCE_VZ, 1);
      g_array_append_val (m->changes, ((Change[]) { { FROM_STATE, -1, 2 } })[0]);
      break;
    case 10:
      weir_context_set_time_and_q (context, value, x);
      note_state (m, WEIR_SOURCE_TIME_Q, 0);
      g_array_append_val (m->changes, time);
      break;
    default:
      weir_context_set_time (context, value);
      note (m, (WeirSource) { WEIR_SOURCE_TIME }, time);
      break;
    }
}

/* Applies a random mutation, or several in one event, to the context, and the same to the walk and
 * the reference. */
static void
mutate (Random *r, Subject *s)
{
  guint n_calls = g_rand_int_range (r->rand, 0, 3) == 0 ? 3 : 1;
  gsize n_words;
  const guint64 *flags = weir_context_get_flags (s->context, &n_words);
  guint64 n_events = weir_context_get_n_events (s->context);
  g_autofree guint8 *marked = g_new0 (guint8, r->n_entries);
  g_autofree guint64 *before = g_memdup2 (flags, n_words * sizeof *flags);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (Change));
  g_autoptr (GArray) sources = g_array_new (FALSE, FALSE, sizeof (WeirSource));
  g_autoptr (GArray) trackers = g_array_new (FALSE, FALSE, sizeof (guint32));
  Mutation m = { changes, sources };

  if (n_calls > 1)
    weir_context_begin_change (s->context);
  for (guint i = 0; i < n_calls; i++)
    mutate_once (r, s->context, &m);
  if (n_calls > 1)
    weir_context_end_change (s->context);
  g_assert_cmpuint (weir_context_get_n_events (s->context), ==, n_events + (sources->len > 0));

  for (guint k = 0; k < changes->len; k++)
    reach (r, &g_array_index (changes, Change, k), marked);
  for (guint i = 0; i < r->n_entries; i++)
    if (marked[i])
      s->naive.valid[i] = FALSE;
  check_flags (r, s);

  for (guint k = 0; k < sources->len; k++)
    {
      g_autoptr (GArray)
          changed = weir_walk_list_changed (s->walk, g_array_index (sources, WeirSource, k));

      g_array_append_vals (trackers, changed->data, changed->len);
    }
  if (sources->len == 0)
    return;
  memcpy (s->walk_bits, before, n_words * sizeof *before);
  weir_walk_notify (s->walk, &g_array_index (trackers, guint32, 0), trackers->len, s->walk_bits);
  g_assert_cmpmem (s->walk_bits, n_words * 8, flags, n_words * 8);
}

static void
fix_all_inputs (Random *r, WeirContext *context)
{
  WeirLayout *layout = weir_context_get_layout (context);

  for (guint32 n = 0; n < weir_layout_get_n_nodes (layout); n++)
    for (guint16 i = 0; i < weir_layout_get_n_inputs (layout, (WeirNode) { n }); i++)
      if (weir_layout_is_input_unconnected (layout, (WeirNode) { n }, (WeirInput) { i })
          && !weir_context_is_input_fixed (context, (WeirNode) { n }, (WeirInput) { i })
          && layout->inputs[layout->nodes[n].first_input + i].node == n)
        {
          double value = g_rand_double_range (r->rand, -1, 1);

          weir_context_fix_input (context, (WeirNode) { n }, (WeirInput) { i }, &value);
        }
}

static void
check_counters (Random *r, Subject *s)
{
  guint n = weir_layout_get_n_entries (weir_context_get_layout (s->context));
  g_autofree WeirCounters *counters = g_new0 (WeirCounters, n);

  weir_context_read_counters (s->context, counters);
  for (guint l = 0; l < r->leaves->len; l++)
    for (guint e = 0; e < leaf_at (r, l)->data.n_entries; e++)
      {
        const Leaf *leaf = leaf_at (r, l);
        WeirCounters c = counters[leaf->entries[e].i];

        g_assert_cmpuint (c.first + c.stale, ==, s->naive.misses[leaf->first_entry + e]);
        g_assert_cmpuint (c.hits, ==, s->naive.hits[leaf->first_entry + e]);
        g_assert_cmpuint (c.invalidations, ==,
                          weir_walk_get_invalidations (s->walk, leaf->entries[e]));
      }
}

/* Entries disabled one by one and subtrees disabled as a whole change no value. */
static void
check_disabled (Random *r, WeirSystem *system, const WeirContext *context, WeirEntry entry,
                const double *truth)
{
  g_autoptr (WeirContext) clone = weir_context_clone (context);
  WeirLayout *layout = weir_context_get_layout (clone);
  guint n = weir_layout_get_n_entries (layout);
  gsize size = weir_layout_get_entry (layout, entry).size * sizeof (double);
  const double *value;

  for (guint k = 0; k < 5; k++)
    weir_context_set_entry_caching (
        clone, (WeirEntry) { (guint32) g_rand_int_range (r->rand, 0, (gint) n) }, FALSE);
  if (g_rand_boolean (r->rand))
    weir_context_set_node_caching (clone,
                                   (WeirNode) { (guint32) g_rand_int_range (
                                       r->rand, 1, (gint) weir_layout_get_n_nodes (layout)) },
                                   FALSE);
  value = weir_eval_entry (system, clone, entry);
  g_assert_nonnull (value);
  g_assert_cmpmem (value, size, truth, size);
  weir_context_set_node_caching (clone, WEIR_ROOT, TRUE);
  value = weir_eval_entry (system, clone, entry);
  g_assert_cmpmem (value, size, truth, size);
}

/* Frozen: exactly what is up to date is answered, and nothing is written. */
static void
check_frozen (Random *r, WeirSystem *system, const WeirContext *context)
{
  g_autoptr (WeirContext) frozen = weir_context_clone (context);
  const WeirLayout *layout = weir_context_get_layout (frozen);

  weir_context_set_frozen (frozen, TRUE);
  for (guint k = 0; k < 10; k++)
    {
      WeirEntry entry = { (guint32) g_rand_int_range (r->rand, 0, (gint) layout->n_entries) };

      g_assert_cmpint (weir_eval_entry (system, frozen, entry) != NULL, ==,
                       weir_context_is_up_to_date (context, entry));
    }
  g_assert_cmpmem (frozen->arena, layout->arena.size * sizeof (double), context->arena,
                   layout->arena.size * sizeof (double));
}

/* How many entries read the most read one, and how many read the same entry in two ways. */
static void
describe_graph (const WeirLayout *layout, guint *fan_out, guint *n_diamonds)
{
  *fan_out = *n_diamonds = 0;
  for (guint32 e = 0; e < layout->n_entries; e++)
    {
      guint32 row = layout->n_sources + e;

      *fan_out = MAX (*fan_out, layout->row_first[row + 1] - layout->row_first[row]);
      for (guint32 i = layout->up_first[e]; i < layout->up_first[e + 1]; i++)
        for (guint32 j = i + 1; j < layout->up_first[e + 1]; j++)
          for (guint32 k = layout->up_first[layout->ups[i]];
               k < layout->up_first[layout->ups[i] + 1]; k++)
            *n_diamonds += layout->ups[k] == layout->ups[j];
    }
}

/* After each mutation: flags as the reference has them, a cached value as an uncached context
 * computes it. */
static void
check_values (Random *r, Subject *s, WeirSystem *system)
{
  WeirContext *context = s->context;
  WeirLayout *layout = weir_context_get_layout (context);

  for (guint step = 0; step < 40; step++)
    {
      guint l = (guint) g_rand_int_range (r->rand, 0, (gint) r->leaves->len);
      guint e = (guint) g_rand_int_range (r->rand, 0, (gint) leaf_at (r, l)->data.n_entries);
      WeirEntry entry = leaf_at (r, l)->entries[e];
      g_autoptr (WeirContext) uncached = NULL;
      const double *cached_value, *truth;

      mutate (r, s);
      cached_value = weir_eval_entry (system, context, entry);
      g_assert_nonnull (cached_value);
      naive_eval (r, &s->naive, l, e);
      check_flags (r, s);

      uncached = weir_context_clone (context);
      weir_context_set_caching (uncached, FALSE);
      truth = weir_eval_entry (system, uncached, entry);
      g_assert_cmpmem (cached_value, weir_layout_get_entry (layout, entry).size * 8, truth,
                       weir_layout_get_entry (layout, entry).size * 8);
      if (step % 8 == 0)
        {
          check_disabled (r, system, context, entry, truth);
          check_frozen (r, system, context);
        }
    }
}

/* The plan and the pull: same bits, flags and counters, at trial points and at home. */
static void
check_plan (Random *r, Subject *s, WeirSystem *system)
{
  WeirContext *context = s->context;
  WeirLayout *layout = weir_context_get_layout (context);
  guint n_states = weir_layout_get_n_states (layout);
  guint n_entries = weir_layout_get_n_entries (layout);
  g_autoptr (WeirContext) pull = weir_context_clone (context);
  g_autofree WeirCounters *plan_counters = g_new0 (WeirCounters, n_entries);
  g_autofree WeirCounters *pull_counters = g_new0 (WeirCounters, n_entries);
  g_autofree double *a = g_new0 (double, n_states + 1), *b = g_new0 (double, n_states + 1);
  g_autofree double *x = g_new0 (double, n_states + 1);
  gsize n_words;

  weir_context_set_pull_only (pull, TRUE);
  for (guint k = 0; k < 5; k++)
    {
      for (guint i = 0; i < n_states; i++)
        x[i] = g_rand_double_range (r->rand, -1, 1);
      g_assert_cmpint (weir_eval_rhs (system, context, k, x, a), ==, WEIR_OK);
      g_assert_cmpint (weir_eval_rhs (system, pull, k, x, b), ==, WEIR_OK);
      g_assert_cmpmem (a, n_states * 8, b, n_states * 8);
    }
  weir_eval_derivatives (system, context);
  weir_eval_derivatives (system, pull);
  g_assert_cmpmem (weir_context_get_flags (context, &n_words), n_words * 8,
                   weir_context_get_flags (pull, &n_words), n_words * 8);
  weir_context_read_counters (context, plan_counters);
  weir_context_read_counters (pull, pull_counters);
  g_assert_cmpmem (plan_counters, n_entries * sizeof *plan_counters, pull_counters,
                   n_entries * sizeof *pull_counters);
}

/* TRUE if the diagram was as large as the test asks for. */
static gboolean
check_diagram (guint32 seed)
{
  Random r = { .rand = g_rand_new_with_seed (seed),
               .leaves = g_array_new (FALSE, TRUE, sizeof (Leaf)) };
  g_autoptr (GArray) outputs = g_array_new (FALSE, FALSE, sizeof (From));
  g_autoptr (WeirSystem) system = diagram_new (&r, "", 1, NULL, 0, outputs);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirLayout *layout = weir_context_get_layout (context);
  Subject s = { .context = context, .walk = weir_walk_new (layout) };
  guint fan_out, n_diamonds;
  gboolean is_large;
  gsize n_words;

  weir_context_get_flags (context, &n_words);
  s.walk_bits = g_new0 (guint64, n_words);
  s.naive = (Naive) { g_new0 (guint8, r.n_entries), g_new0 (guint64, r.n_entries),
                      g_new0 (guint64, r.n_entries) };
  for (guint l = 0; l < r.leaves->len; l++)
    {
      Leaf *leaf = leaf_at (&r, l);
      const WeirNodeInfo *info;

      g_assert_true (weir_layout_find_node (layout, leaf->path, &leaf->node));
      info = &layout->nodes[leaf->node.i];
      for (guint e = 0; e < leaf->data.n_entries; e++)
        leaf->entries[e].i = layout->entry_of_local[info->first_entry + e];
    }
  fix_all_inputs (&r, context);
  weir_context_set_all_out_of_date (context);
  weir_context_clear_counters (context);

  check_values (&r, &s, system);
  check_counters (&r, &s);

  check_plan (&r, &s, system);

  is_large = r.depth >= 4 && r.n_entries >= 50;
  describe_graph (layout, &fan_out, &n_diamonds);
  g_test_message ("seed %u: %u leaves, %u entries, depth %u, fan-out %u, %u diamonds", seed,
                  r.leaves->len, r.n_entries, r.depth, fan_out, n_diamonds);
  for (guint l = 0; l < r.leaves->len; l++)
    g_free (leaf_at (&r, l)->path);
  g_array_unref (r.leaves);
  g_rand_free (r.rand);
  g_free (s.walk_bits);
  g_free (s.naive.valid);
  g_free (s.naive.hits);
  g_free (s.naive.misses);
  weir_walk_free (s.walk);
  return is_large;
}

static void
test_random (void)
{
  guint32 seed = get_test_seed (43);

  for (guint n_large = 0; n_large < 1000;)
    n_large += check_diagram (seed++);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/random/flags-values-counters", test_random);
  return g_test_run ();
}

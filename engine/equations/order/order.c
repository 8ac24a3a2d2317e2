/* The second step: which unknown each equation determines, in which order, and what is wrong
 * where that does not come out even.
 *
 * Equations and unknowns are sorted by what they say before anything else happens, so that the
 * order of the lines changes nothing, not even the last bit of a result.
 */
#include "equations/order/order.h"
#include "base/phrase.h"

#include "base/text.h"

#include <string.h>

/* --- A partition: equations and unknowns ----------------------------------------------------- */

static void
order_partition (WeirEquationsBuilder *self, GArray *equations, GArray *unknowns, GPtrArray *blocks)
{
  g_autofree guint *unknown_of = NULL;
  g_autofree guint *equation_of = NULL;
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint));
  WeirIncidence incidence;
  guint n_pairs, begin = 0;

  weir_builder_sort_equations (self, equations);
  weir_builder_sort_unknowns (self, unknowns);
  weir_builder_find_incidence (self, equations, unknowns, &incidence);
  unknown_of = g_new (guint, equations->len + 1);
  equation_of = g_new (guint, unknowns->len + 1);
  n_pairs = weir_incidence_match (&incidence, equations->len, unknown_of, equation_of);
  if (n_pairs < equations->len && equations->len == unknowns->len && blocks == self->result->blocks
      && weir_builder_reduce_index (self, equations, unknowns))
    {
      weir_incidence_clear (&incidence);
      weir_builder_find_incidence (self, equations, unknowns, &incidence);
      n_pairs = weir_incidence_match (&incidence, equations->len, unknown_of, equation_of);
    }
  if (n_pairs < equations->len || n_pairs < unknowns->len)
    {
      weir_builder_report_imbalance (self, equations, unknowns, &incidence, unknown_of, equation_of,
                                     n_pairs);
      weir_incidence_clear (&incidence);
      return;
    }
  weir_incidence_find_blocks (&incidence, unknown_of, equation_of, order, ends);
  for (guint i = 0; i < ends->len; i++)
    {
      guint end = g_array_index (ends, guint, i);
      WeirGroup group = { equations, unknowns, unknown_of, &g_array_index (order, guint, begin),
                          end - begin };

      weir_builder_add_group (self, &group, weir_phrase (N_ ("Model")), blocks);
      begin = end;
    }
  weir_incidence_clear (&incidence);
}

/* Which assignments read what each determines; pre (x) is none. @readers: of each, a new array of
 * guint. @n_read: of each, how many it reads. */
static void
find_readers (const WeirEquationsBuilder *self, const GArray *assignments, GArray **readers,
              guint *n_read)
{
  g_autoptr (GHashTable) targets = g_hash_table_new (NULL, NULL); /* target + 1 to its number + 1 */
  g_autofree guint *same = g_new0 (guint, assignments->len + 1);  /* before, of that target; + 1 */
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  for (guint i = 0; i < assignments->len; i++)
    {
      gpointer target = GUINT_TO_POINTER (g_array_index (assignments, WeirAssignment, i).target.i
                                          + 1);

      same[i] = GPOINTER_TO_UINT (g_hash_table_lookup (targets, target));
      g_hash_table_insert (targets, target, GUINT_TO_POINTER (i + 1));
      readers[i] = g_array_new (FALSE, FALSE, sizeof (guint));
    }
  for (guint i = 0; i < assignments->len; i++)
    {
      g_array_set_size (atoms, 0);
      weir_expr_collect_atoms (self->pool, &g_array_index (assignments, WeirAssignment, i).value, 1,
                               atoms);
      for (guint j = 0; j < atoms->len; j++)
        for (guint k = GPOINTER_TO_UINT (g_hash_table_lookup (
                 targets, GUINT_TO_POINTER (g_array_index (atoms, WeirExpr, j).i + 1)));
             k > 0; k = same[k - 1])
          {
            g_array_append_val (readers[k - 1], i);
            n_read[i]++;
          }
    }
}

/* Each assignment comes after those whose targets it reads. */
static gboolean
order_assignments (WeirEquationsBuilder *self, WeirEvent *event)
{
  guint n = event->assignments->len;
  g_autofree GArray **readers = g_new (GArray *, n + 1);
  g_autofree guint *n_read = g_new0 (guint, n + 1);
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  GArray *ordered = g_array_new (FALSE, FALSE, sizeof (WeirAssignment));

  find_readers (self, event->assignments, readers, n_read);
  for (guint i = 0; i < n; i++)
    if (n_read[i] == 0)
      g_array_append_val (order, i);
  for (guint head = 0; head < order->len; head++)
    {
      guint at = g_array_index (order, guint, head);

      g_array_append_val (ordered, g_array_index (event->assignments, WeirAssignment, at));
      for (guint j = 0; j < readers[at]->len; j++)
        {
          guint reader = g_array_index (readers[at], guint, j);

          if (--n_read[reader] == 0)
            g_array_append_val (order, reader);
        }
    }
  if (ordered->len < n)
    weir_builder_fail (
        self, "EQ08", event->line,
        N_ ("Model: line %d: the assignments read each other in a cycle; use pre()."), event->line);
  for (guint i = 0; i < n; i++)
    g_array_unref (readers[i]);
  g_array_unref (event->assignments);
  event->assignments = ordered;
  return !self->has_failed;
}

/* Brings the assignments of each event into an order in which they can be computed. */
static void
order_events (WeirEquationsBuilder *self)
{
  for (guint i = 0; i < self->result->events->len; i++)
    if (!order_assignments (self, g_ptr_array_index (self->result->events, i)))
      return;
}

static int
compare_states (gconstpointer a, gconstpointer b, gpointer data)
{
  const WeirState *left = a, *right = b;
  WeirEquations *result = data;
  const WeirVariable *x = g_ptr_array_index (result->variables, left->variable);
  const WeirVariable *y = g_ptr_array_index (result->variables, right->variable);
  int order = weir_name_compare (x->name, y->name);

  if (order != 0)
    return order;
  if (left->order != right->order)
    return left->order < right->order ? -1 : 1;
  return left->element < right->element ? -1 : left->element > right->element;
}

static void
add_states (WeirEquationsBuilder *self, const WeirVariable *variable, guint index, GArray *unknowns)
{
  for (guint i = 0; i < variable->size; i++)
    {
      WeirState state = { .atom = variable->elements[i], .variable = index, .element = i };
      WeirUnknown unknown;

      for (state.order = 0; state.order < variable->order; state.order++)
        {
          state.rate = weir_expr_make_1 (self->pool, WEIR_OP_DER, state.atom);
          g_array_append_val (self->result->states, state);
          state.atom = state.rate;
        }
      unknown = (WeirUnknown) { state.rate, index };
      g_array_append_val (unknowns, unknown);
    }
}

void
weir_builder_order (WeirEquationsBuilder *self)
{
  g_autoptr (GArray) unknowns = g_array_new (FALSE, FALSE, sizeof (WeirUnknown));
  g_autoptr (GArray) tick_unknowns = g_array_new (FALSE, FALSE, sizeof (WeirUnknown));
  const GPtrArray *variables = self->result->variables;
  g_autoptr (GArray) extracted = NULL;
  g_autoptr (GArray) marked = NULL;
  gboolean has_kept;

  for (guint i = 0; i < self->guesses->len; i++)
    g_hash_table_add (
        self->guessed,
        GUINT_TO_POINTER (g_array_index (self->guesses, WeirScalarEquation, i).left.i + 1));

  for (guint i = 0; i < variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (variables, i);

      if (variable->role == WEIR_ROLE_STATE)
        add_states (self, variable, i, unknowns);
      for (guint j = 0; j < variable->size; j++)
        {
          WeirUnknown unknown = { variable->elements[j], i };

          if (variable->role == WEIR_ROLE_UNKNOWN || variable->is_bound)
            g_array_append_val (unknowns, unknown);
          else if (variable->is_solved)
            g_hash_table_add (self->guessed, GUINT_TO_POINTER (unknown.atom.i + 1));
          else if (variable->role == WEIR_ROLE_DISCRETE && variable->depth > 0)
            {
              unknown.atom = weir_expr_make_2 (self->pool, WEIR_OP_SHIFT, variable->elements[j],
                                               weir_expr_number (self->pool, 0.0));
              g_array_append_val (tick_unknowns, unknown);
            }
        }
    }
  g_array_sort_with_data (self->result->states, compare_states, self->result);
  /* Sorted first, so that relations are found in an order of their own. */
  weir_builder_sort_equations (self, self->equations);
  extracted = weir_builder_extract_relations (self, self->equations);
  has_kept = weir_builder_mark_kept (self, extracted);
  if (has_kept)
    marked = g_array_copy (extracted);
  order_partition (self, extracted, unknowns, self->result->blocks);
  order_partition (self, self->tick_equations, tick_unknowns, self->result->tick_blocks);
  if (has_kept && !self->has_failed)
    weir_builder_add_restarts (self, marked);
  if (!self->has_failed)
    order_events (self);
}

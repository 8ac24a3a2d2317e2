/* Planning and calculating the chain rule. See chain.h. */
#include "system/evaluation/chain.h"

#include <math.h>

#include "base/bits.h"
#include "system/layout/element-graph.h"

/* What the plan may take, in products for each entry of the pattern: beyond it differences cost
 * less. */
#define MOST_PRODUCTS 16

typedef enum {
  UNKNOWN,
  CONSTANT, /* no state is upstream */
  KNOWN,
} Knowledge;

/* One product of a row: a slope times the derivative of a state by itself or of another row. */
typedef struct {
  guint32 slope;
  guint32 of; /* the state; or n_states + the row */
} Term;

/* What passes here is fixed perhaps. */
typedef struct {
  WeirNode node;
  WeirInput in;
} Passage;

struct _WeirChain {
  WeirLayout *layout; /* reference */
  guint64 *knows;     /* bits: states whose derivatives are known */
  GArray *entries;    /* WeirEntry: of slopes */
  double *slopes;     /* of all of them */
  double **places;    /* of each */
  GArray *passages;   /* Passage */

  GArray *terms;       /* Term, by row */
  GArray *first_term;  /* guint32, of a row; and the end */
  GArray *columns;     /* guint32: states that a row depends on, ascending */
  GArray *first;       /* guint32, of a row; and the end */
  double *derivatives; /* of the rows by their columns */
  GArray *targets;     /* guint32: where derivatives of states go in the pattern; else
                          WEIR_NO_INDEX */
  double *sum;         /* by state, 0 between rows */
};

/* --- What is known --------------------------------------------------------------------------- */

typedef struct {
  WeirElementGraph graph;
  guint8 *knowledge;  /* Knowledge, by vector */
  guint64 *needed;    /* bits: vectors that derivatives depend on */
  guint32 *slopes_of; /* by node: place of its first slope; WEIR_NO_INDEX: not taken yet */
  guint32 n_slopes;
  guint32 *row_of; /* by vector: the first of its rows */
  gint64 most;     /* products */
} Planning;

static void
find_needed (Planning *self)
{
  const WeirElementGraph *graph = &self->graph;

  for (guint32 v = graph->first_state; v-- > 0;)
    {
      if (graph->row[v] == WEIR_NO_INDEX && !weir_bit (self->needed, v))
        continue;
      weir_bit_set (self->needed, v);
      for (guint32 k = graph->first_read[v]; k < graph->first_read[v + 1]; k++)
        weir_bit_set (self->needed, weir_element_graph_get_read (graph, k)->up);
    }
}

static Knowledge
find_knowledge_of (const Planning *self, guint32 v)
{
  const WeirElementGraph *graph = &self->graph;
  const WeirEntryDecl *decl = weir_layout_decl (graph->layout, v);
  Knowledge all = CONSTANT;

  for (guint32 k = graph->first_read[v]; k < graph->first_read[v + 1]; k++)
    {
      const WeirElementRead *read = weir_element_graph_get_read (graph, k);

      if (self->knowledge[read->up] == CONSTANT)
        continue;
      if (self->knowledge[read->up] == UNKNOWN || read->kind != WEIR_READ_BY_PATTERN
          || !decl->has_slopes)
        return UNKNOWN;
      all = KNOWN;
    }
  return all;
}

static void
find_knowledge (Planning *self)
{
  const WeirElementGraph *graph = &self->graph;
  const WeirLayout *layout = graph->layout;

  for (guint32 v = graph->first_state; v < graph->n_vectors; v++)
    self->knowledge[v] = KNOWN;
  /* What an entry reads has lower numbers. */
  for (guint32 e = 0; e < layout->n_entries; e++)
    {
      const WeirShape *shape = layout->nodes[layout->node_of[e]].shape;

      self->knowledge[e] = shape->is_diagram ? UNKNOWN : (guint8) find_knowledge_of (self, e);
    }
}

/* --- The rows -------------------------------------------------------------------------------- */

static guint32
find_first_slope (WeirChain *self, Planning *plan, guint32 e)
{
  const WeirLayout *layout = self->layout;
  guint32 node = layout->node_of[e];

  if (plan->slopes_of[node] == WEIR_NO_INDEX)
    {
      guint32 local = layout->nodes[node].shape->slopes;
      WeirEntry entry = { layout->entry_of_local[layout->nodes[node].first_entry + local] };

      g_array_append_val (self->entries, entry);
      plan->slopes_of[node] = plan->n_slopes;
      plan->n_slopes += weir_layout_decl (layout, entry.i)->size;
    }
  return plan->slopes_of[node] + weir_layout_decl (layout, e)->first_slope;
}

static guint32
end_of (const GArray *items)
{
  return items->len;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint32 i = *(const guint32 *) a, j = *(const guint32 *) b;

  return i < j ? -1 : i > j;
}

static void
add_column (WeirChain *self, guint32 *seen, guint32 row, guint32 column)
{
  if (seen[column] == row + 1)
    return;
  seen[column] = row + 1;
  g_array_append_val (self->columns, column);
}

/* @column: of the entry's pattern. */
static void
add_term (WeirChain *self, Planning *plan, const WeirElementRead *read, guint32 column,
          guint32 slope, guint32 *seen)
{
  guint32 element = column - read->first, row = self->first->len - 1;
  Term term = { slope, 0 };

  if (plan->graph.unknown[read->up] != WEIR_NO_INDEX)
    {
      term.of = plan->graph.unknown[read->up] + element;
      add_column (self, seen, row, term.of);
      plan->most--;
    }
  else
    {
      guint32 of = plan->row_of[read->up] + element;
      guint32 end = g_array_index (self->first, guint32, of + 1);

      term.of = self->layout->n_states + of;
      for (guint32 k = g_array_index (self->first, guint32, of); k < end; k++, plan->most--)
        add_column (self, seen, row, g_array_index (self->columns, guint32, k));
    }
  g_array_append_val (self->terms, term);
}

/* The read that @column of the pattern of @e belongs to; NULL: of what is constant. */
static const WeirElementRead *
find_read (const Planning *plan, guint32 e, guint32 column)
{
  const WeirElementGraph *graph = &plan->graph;

  for (guint32 k = graph->first_read[e]; k < graph->first_read[e + 1]; k++)
    {
      const WeirElementRead *read = weir_element_graph_get_read (graph, k);

      if (read->kind == WEIR_READ_BY_PATTERN && plan->knowledge[read->up] == KNOWN
          && column >= read->first && column - read->first < graph->size[read->up])
        return read;
    }
  return NULL;
}

static void
note_passages (WeirChain *self, const Planning *plan, guint32 e)
{
  const WeirElementGraph *graph = &plan->graph;

  for (guint32 k = graph->first_read[e]; k < graph->first_read[e + 1]; k++)
    {
      const WeirElementRead *read = weir_element_graph_get_read (graph, k);
      guint32 node = read->node, in = read->in;

      if (in == WEIR_NO_INDEX || plan->knowledge[read->up] != KNOWN)
        continue;
      do
        {
          Passage passage = { { node }, { (guint16) in } };

          g_array_append_val (self->passages, passage);
        }
      while (weir_layout_move_out (self->layout, &node, &in));
    }
}

static void
add_rows (WeirChain *self, Planning *plan, guint32 e, guint32 *seen)
{
  const WeirPattern *pattern = weir_layout_decl (self->layout, e)->pattern;
  guint32 first_slope = find_first_slope (self, plan, e);

  plan->row_of[e] = self->first->len - 1;
  for (guint32 i = 0; i < pattern->rows.n && plan->most >= 0; i++)
    {
      guint32 begin = end_of (self->columns), end;

      for (guint32 k = pattern->rows.first[i]; k < pattern->rows.first[i + 1]; k++)
        {
          const WeirElementRead *read = find_read (plan, e, pattern->rows.items[k]);

          if (read != NULL)
            add_term (self, plan, read, pattern->rows.items[k], first_slope + k, seen);
        }
      if (end_of (self->columns) > begin)
        qsort (&g_array_index (self->columns, guint32, begin), end_of (self->columns) - begin,
               sizeof (guint32), compare_numbers);
      end = end_of (self->columns);
      g_array_append_val (self->first, end);
      end = end_of (self->terms);
      g_array_append_val (self->first_term, end);
    }
  note_passages (self, plan, e);
}

/* Where row @i of the pattern stands in its column @j. */
static guint32
find_in_pattern (const WeirRows *pattern, guint32 i, guint32 j)
{
  guint32 low = pattern->first[j], high = pattern->first[j + 1];

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (pattern->items[middle] < i)
        low = middle + 1;
      else
        high = middle;
    }
  g_assert (low < pattern->first[j + 1] && pattern->items[low] == i);
  return low;
}

static void
find_targets (WeirChain *self, const Planning *plan, const WeirRows *pattern)
{
  for (guint i = 0; i < self->columns->len; i++)
    g_array_append_vals (self->targets, &(guint32) { WEIR_NO_INDEX }, 1);
  for (guint32 e = 0; e < self->layout->n_entries; e++)
    {
      guint32 first = plan->graph.row[e], n = plan->graph.size[e];

      if (first == WEIR_NO_INDEX || plan->knowledge[e] == UNKNOWN)
        continue;
      for (guint32 i = 0; i < n; i++)
        {
          guint32 row = plan->row_of[e] + i;

          weir_bit_set (self->knows, first + i);
          if (plan->knowledge[e] == CONSTANT)
            continue;
          for (guint32 k = g_array_index (self->first, guint32, row);
               k < g_array_index (self->first, guint32, row + 1); k++)
            g_array_index (self->targets, guint32, k) = find_in_pattern (
                pattern, first + i, g_array_index (self->columns, guint32, k));
        }
    }
}

static void
plan_rows (WeirChain *self, Planning *plan, const WeirRows *pattern)
{
  const WeirLayout *layout = self->layout;
  g_autofree guint32 *seen = g_new0 (guint32, MAX (layout->n_states, 1));

  for (guint32 e = 0; e < layout->n_entries && plan->most >= 0; e++)
    if (weir_bit (plan->needed, e) && plan->knowledge[e] == KNOWN)
      add_rows (self, plan, e, seen);
  if (plan->most >= 0)
    find_targets (self, plan, pattern);
}

static gboolean
knows_any (const WeirChain *self)
{
  for (guint32 i = 0; i < self->layout->n_states; i++)
    if (weir_bit (self->knows, i))
      return TRUE;
  return FALSE;
}

static GArray *
new_numbers (void)
{
  return g_array_new (FALSE, FALSE, sizeof (guint32));
}

WeirChain *
weir_chain_new (WeirLayout *layout, const WeirRows *pattern)
{
  WeirChain *self = g_new0 (WeirChain, 1);
  Planning plan = { .most = MOST_PRODUCTS * ((gint64) pattern->first[pattern->n] + 64) };
  guint32 zero = 0;

  self->layout = weir_layout_ref (layout);
  self->knows = g_new0 (guint64, weir_bits_n_words (layout->n_states) + 1);
  self->entries = g_array_new (FALSE, FALSE, sizeof (WeirEntry));
  self->passages = g_array_new (FALSE, FALSE, sizeof (Passage));
  self->terms = g_array_new (FALSE, FALSE, sizeof (Term));
  self->first_term = new_numbers ();
  self->columns = new_numbers ();
  self->first = new_numbers ();
  self->targets = new_numbers ();
  g_array_append_val (self->first, zero);
  g_array_append_val (self->first_term, zero);

  weir_element_graph_init (&plan.graph, layout, FALSE);
  plan.knowledge = g_new0 (guint8, MAX (plan.graph.n_vectors, 1));
  plan.needed = g_new0 (guint64, weir_bits_n_words (plan.graph.n_vectors) + 1);
  plan.row_of = g_new0 (guint32, MAX (plan.graph.n_vectors, 1));
  plan.slopes_of = g_new (guint32, MAX (layout->n_nodes, 1));
  for (guint32 n = 0; n < layout->n_nodes; n++)
    plan.slopes_of[n] = WEIR_NO_INDEX;
  find_needed (&plan);
  find_knowledge (&plan);
  plan_rows (self, &plan, pattern);

  self->slopes = g_new0 (double, MAX (plan.n_slopes, 1));
  self->places = g_new (double *, MAX (self->entries->len, 1));
  for (guint i = 0; i < self->entries->len; i++)
    {
      WeirEntry entry = g_array_index (self->entries, WeirEntry, i);

      self->places[i] = self->slopes + plan.slopes_of[layout->node_of[entry.i]];
    }
  self->derivatives = g_new0 (double, MAX (self->columns->len, 1));
  self->sum = g_new0 (double, MAX (layout->n_states, 1));
  weir_element_graph_clear (&plan.graph);
  g_free (plan.knowledge);
  g_free (plan.needed);
  g_free (plan.row_of);
  g_free (plan.slopes_of);
  if (!knows_any (self))
    g_clear_pointer (&self, weir_chain_free);
  return self;
}

void
weir_chain_free (WeirChain *self)
{
  if (self == NULL)
    return;
  weir_layout_unref (self->layout);
  g_free (self->knows);
  g_array_unref (self->entries);
  g_free (self->slopes);
  g_free (self->places);
  g_array_unref (self->passages);
  g_array_unref (self->terms);
  g_array_unref (self->first_term);
  g_array_unref (self->columns);
  g_array_unref (self->first);
  g_free (self->derivatives);
  g_array_unref (self->targets);
  g_free (self->sum);
  g_free (self);
}

/* --- What a solver asks ---------------------------------------------------------------------- */

gboolean
weir_chain_knows_row (const WeirChain *self, guint32 i)
{
  return weir_bit (self->knows, i);
}

guint
weir_chain_get_slopes (const WeirChain *self, const WeirEntry **entries, double *const **values)
{
  *entries = (const WeirEntry *) (gpointer) self->entries->data;
  *values = self->places;
  return self->entries->len;
}

gboolean
weir_chain_holds (const WeirChain *self, const WeirContext *context)
{
  for (guint i = 0; i < self->passages->len; i++)
    {
      Passage passage = g_array_index (self->passages, Passage, i);

      if (weir_context_is_input_fixed (context, passage.node, passage.in))
        return FALSE;
    }
  return TRUE;
}

gboolean
weir_chain_calc (WeirChain *self, double *values)
{
  const Term *terms = (const Term *) (gpointer) self->terms->data;
  const guint32 *first_term = (const guint32 *) (gpointer) self->first_term->data;
  const guint32 *first = (const guint32 *) (gpointer) self->first->data;
  const guint32 *columns = (const guint32 *) (gpointer) self->columns->data;
  const guint32 *targets = (const guint32 *) (gpointer) self->targets->data;
  guint32 n_rows = self->first->len - 1, n_states = self->layout->n_states;
  gboolean are_finite = TRUE;

  for (guint32 row = 0; row < n_rows; row++)
    {
      for (guint32 k = first_term[row]; k < first_term[row + 1]; k++)
        {
          double slope = self->slopes[terms[k].slope];
          guint32 of = terms[k].of;

          if (of < n_states)
            self->sum[of] += slope;
          else
            for (guint32 l = first[of - n_states]; l < first[of - n_states + 1]; l++)
              self->sum[columns[l]] += slope * self->derivatives[l];
        }
      for (guint32 k = first[row]; k < first[row + 1]; k++)
        {
          double derivative = self->sum[columns[k]];

          self->sum[columns[k]] = 0;
          self->derivatives[k] = derivative;
          are_finite &= isfinite (derivative) != 0;
          if (targets[k] != WEIR_NO_INDEX)
            values[targets[k]] = derivative;
        }
    }
  return are_finite;
}

/* The order within the columns of a tidy drawing: medians, sweeping to and fro; the best order met
 * is kept. */
#include "canvas/edits/tidy-private.h"

#define N_SWEEPS 12
#define PORT_SCALE 1e4 /* more than any block is high */

static int
compare_wanted (gconstpointer a, gconstpointer b, gpointer data)
{
  const WeirTidy *self = data;
  guint i = *(const guint *) a, k = *(const guint *) b;
  double x = weir_tidy_get_node (self, i)->wanted, y = weir_tidy_get_node (self, k)->wanted;

  return x < y ? -1 : x > y ? 1 : i < k ? -1 : i > k;
}

static void
sort_column (const WeirTidy *self, GArray *column, gboolean by_ins)
{
  for (guint i = 0; i < column->len; i++)
    {
      WeirTidyNode *node = weir_tidy_get_node (self, g_array_index (column, guint, i));
      const GArray *links = by_ins ? node->ins : node->outs;
      double sum = 0;

      for (guint k = 0; k < links->len; k++)
        {
          const WeirTidyLink *link = &g_array_index (links, WeirTidyLink, k);

          sum += weir_tidy_get_node (self, link->other)->y + link->there / PORT_SCALE;
        }
      node->wanted = links->len > 0 ? sum / links->len : node->y;
    }
  g_array_sort_with_data (column, compare_wanted, (gpointer) self);
  /* Until heights are known, y is the place in the column. */
  for (guint i = 0; i < column->len; i++)
    weir_tidy_get_node (self, g_array_index (column, guint, i))->y = i;
}

/* Where the end of a link lies while y is the place in the column: ports of one node come in their
 * order. */
static double
get_end (const WeirTidyNode *node, double port)
{
  return node->y + port / PORT_SCALE;
}

/* Crossings of the edges between a column and the one before it. */
static guint
count_crossings_before (const WeirTidy *self, const GArray *column)
{
  typedef struct {
    double from, to;
  } Ends;
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (Ends));
  guint n = 0;

  for (guint i = 0; i < column->len; i++)
    {
      const WeirTidyNode *node = weir_tidy_get_node (self, g_array_index (column, guint, i));

      for (guint k = 0; k < node->ins->len; k++)
        {
          const WeirTidyLink *link = &g_array_index (node->ins, WeirTidyLink, k);
          Ends ends = { get_end (weir_tidy_get_node (self, link->other), link->there),
                        get_end (node, link->here) };

          g_array_append_val (edges, ends);
        }
    }
  for (guint i = 0; i < edges->len; i++)
    for (guint k = 0; k < i; k++)
      {
        const Ends *a = &g_array_index (edges, Ends, i), *b = &g_array_index (edges, Ends, k);

        n += (a->from - b->from) * (a->to - b->to) < 0;
      }
  return n;
}

static guint
count_crossings (const WeirTidy *self)
{
  guint n = 0;

  for (guint c = 0; c < self->columns->len; c++)
    n += count_crossings_before (self, self->columns->pdata[c]);
  return n;
}

void
weir_tidy_order (const WeirTidy *self)
{
  guint n = self->columns->len, best = G_MAXUINT;
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint c = 0; c < n; c++)
    {
      GArray *column = self->columns->pdata[c];

      g_array_sort_with_data (column, weir_tidy_compare_heights, (gpointer) self);
    }
  for (guint c = 0; c < n; c++)
    {
      GArray *column = self->columns->pdata[c];

      for (guint i = 0; i < column->len; i++)
        weir_tidy_get_node (self, g_array_index (column, guint, i))->y = i;
    }
  for (guint sweep = 0; sweep <= N_SWEEPS && best > 0; sweep++)
    {
      guint crossings = count_crossings (self);

      if (crossings < best)
        {
          best = crossings;
          g_ptr_array_set_size (kept, 0);
          for (guint c = 0; c < n; c++)
            g_ptr_array_add (kept, g_array_copy (self->columns->pdata[c]));
        }
      for (guint c = 0; c < n; c++)
        sort_column (self, self->columns->pdata[sweep % 2 == 0 ? c : n - 1 - c], sweep % 2 == 0);
    }
  for (guint c = 0; c < n; c++)
    {
      GArray *column = self->columns->pdata[c];

      g_array_set_size (column, 0);
      g_array_append_vals (column, ((GArray *) kept->pdata[c])->data,
                           ((GArray *) kept->pdata[c])->len);
    }
}

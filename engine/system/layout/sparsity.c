/* The pattern of the Jacobian: a sweep down the rows of dependents from each leaf's q, v and z. See
 * sparsity.h. */
#include "system/layout/layout-private.h"
#include "system/layout/sparsity.h"

typedef struct {
  const WeirLayout *layout;
  guint32 *seen; /* by entry: the sweep that last met it */
  guint32 sweep;
  GArray *queue;  /* guint32: entries met */
  GArray *slices; /* guint32: of the leaves whose derivatives were met */
  guint32 *slice_of_node;
} Search;

static void
meet_row (Search *s, guint32 row)
{
  const WeirLayout *layout = s->layout;

  for (guint32 k = layout->row_first[row]; k < layout->row_first[row + 1]; k++)
    {
      guint32 e = layout->rows[k], node = layout->node_of[e];

      if (s->seen[e] == s->sweep)
        continue;
      s->seen[e] = s->sweep;
      if (weir_layout_decl (layout, e)->kind != WEIR_ENTRY_DERIVATIVES)
        g_array_append_val (s->queue, e);
      else if (!layout->nodes[node].shape->is_diagram)
        g_array_append_val (s->slices, s->slice_of_node[node]);
    }
}

static int
compare_slices (gconstpointer a, gconstpointer b)
{
  guint32 i = *(const guint32 *) a, j = *(const guint32 *) b;

  return i < j ? -1 : i > j;
}

/* The leaves whose derivatives depend on @source, and @own, in order. Does @own depend on it? */
static gboolean
find_slices (Search *s, guint32 source, guint32 own)
{
  gboolean has_own = FALSE;

  s->sweep++;
  g_array_set_size (s->queue, 0);
  g_array_set_size (s->slices, 0);
  meet_row (s, source);
  for (guint i = 0; i < s->queue->len; i++)
    meet_row (s, s->layout->n_sources + g_array_index (s->queue, guint32, i));
  for (guint i = 0; i < s->slices->len; i++)
    has_own |= g_array_index (s->slices, guint32, i) == own;
  if (!has_own)
    g_array_append_val (s->slices, own);
  g_array_sort (s->slices, compare_slices);
  return has_own;
}

/* Columns @first to @end - 1, states of slice @own, all alike but for the diagonal where the leaf
 * does not read its own state. FALSE if there are more than @most entries. */
static gboolean
append_columns (const Search *s, WeirRows *pattern, GArray *rows, guint32 own, gboolean reads_own,
                guint32 first, guint32 end, gint64 most)
{
  for (guint32 j = first; j < end; j++)
    {
      for (guint i = 0; i < s->slices->len; i++)
        {
          guint32 index = g_array_index (s->slices, guint32, i);
          WeirStateSlice slice = weir_layout_get_slice (s->layout, index);
          guint32 row_end = slice.offset + slice.nq + slice.nv + slice.nz;

          if (index == own && !reads_own)
            g_array_append_val (rows, j);
          else
            for (guint32 row = slice.offset; row < row_end; row++)
              g_array_append_val (rows, row);
          if (rows->len > most)
            return FALSE;
        }
      pattern->first[j + 1] = rows->len;
    }
  return TRUE;
}

WeirRows *
weir_layout_find_sparsity (const WeirLayout *self, gint64 most)
{
  g_autoptr (WeirRows) pattern = g_new0 (WeirRows, 1);
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) slices = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint32 *seen = g_new0 (guint32, MAX (self->n_entries, 1));
  g_autofree guint32 *slice_of_node = g_new0 (guint32, MAX (self->n_nodes, 1));
  Search search = { self, seen, 0, queue, slices, slice_of_node };

  most = MIN (most, (gint64) G_MAXUINT32);
  weir_rows_init (pattern, self->n_states);
  for (guint32 i = 0; i < self->slices->len; i++)
    slice_of_node[g_array_index (self->slices, WeirStateSlice, i).node.i] = i;
  for (guint32 i = 0; i < self->slices->len; i++)
    {
      WeirStateSlice slice = g_array_index (self->slices, WeirStateSlice, i);
      const guint32 sizes[] = { slice.nq, slice.nv, slice.nz };
      guint32 first = slice.offset;

      for (guint part = 0; part < G_N_ELEMENTS (sizes); first += sizes[part++])
        {
          WeirSource source = weir_layout_state_source (self, slice.node.i,
                                                        WEIR_ORIGIN_Q + (WeirOriginKind) part);
          gboolean reads_own;

          if (sizes[part] == 0)
            continue;
          reads_own = find_slices (&search, source.i, i);
          if (!append_columns (&search, pattern, rows, i, reads_own, first, first + sizes[part],
                               most))
            return NULL;
        }
    }
  pattern->first[self->n_states + 1] = rows->len;
  pattern->items = (guint32 *) (gpointer) g_array_free (g_steal_pointer (&rows), FALSE);
  return g_steal_pointer (&pattern);
}

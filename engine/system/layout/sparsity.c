/* The pattern of the Jacobian: a sweep down the graph of elements from each state. See
 * sparsity.h. */
#include "system/layout/sparsity.h"
#include "system/layout/element-graph.h"

typedef struct {
  guint32 vector, element;
} Element;

typedef struct {
  WeirElementGraph graph;
  WeirRows plain;      /* of a vector: its reads that no pattern tells more of */
  guint32 *plain_read; /* numbers of reads, by those numbers */
  WeirRows reached;    /* of an element: where patterns lead from it, in ... */
  Element *reach;
  gsize *first;   /* number of a vector's first element */
  guint32 *seen;  /* by element: the sweep that last met it */
  guint32 *whole; /* by vector: the sweep that last met all of it */
  guint32 sweep;
  GArray *queue; /* Element: met */
  GArray *rows;  /* guint32: of the pattern's present column */
} Search;

static void
meet (Search *s, guint32 vector, guint32 element)
{
  gsize at = s->first[vector] + element;
  Element met = { vector, element };

  if (s->seen[at] == s->sweep)
    return;
  s->seen[at] = s->sweep;
  g_array_append_val (s->queue, met);
  if (s->graph.row[vector] != WEIR_NO_INDEX)
    {
      guint32 row = s->graph.row[vector] + element;

      g_array_append_val (s->rows, row);
    }
}

static void
meet_readers (Search *s, guint32 vector, guint32 element)
{
  const WeirElementGraph *graph = &s->graph;
  gsize at = s->first[vector] + element;

  for (guint32 k = s->plain.first[vector]; k < s->plain.first[vector + 1]; k++)
    {
      const WeirElementRead *read = weir_element_graph_get_read (graph,
                                                                 s->plain_read[s->plain.items[k]]);
      guint32 size = graph->size[read->reader];

      if (read->kind == WEIR_READ_SAME)
        {
          if (element >= read->skip && read->first + (element - read->skip) < size)
            meet (s, read->reader, read->first + (element - read->skip));
        }
      else if (s->whole[read->reader] != s->sweep)
        {
          s->whole[read->reader] = s->sweep;
          for (guint32 i = 0; i < size; i++)
            meet (s, read->reader, i);
        }
    }
  for (guint32 k = s->reached.first[at]; k < s->reached.first[at + 1]; k++)
    meet (s, s->reach[k].vector, s->reach[k].element);
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  guint32 i = *(const guint32 *) a, j = *(const guint32 *) b;

  return i < j ? -1 : i > j;
}

/* The rows of the unknown @j, which is an element of @vector. */
static void
find_rows (Search *s, guint32 vector, guint32 element, guint32 j)
{
  gboolean has_own = FALSE, ascend = TRUE;

  s->sweep++;
  g_array_set_size (s->queue, 0);
  g_array_set_size (s->rows, 0);
  meet_readers (s, vector, element);
  for (guint i = 0; i < s->queue->len; i++)
    {
      Element met = g_array_index (s->queue, Element, i);

      meet_readers (s, met.vector, met.element);
    }
  for (guint i = 0; i < s->rows->len; i++)
    {
      has_own |= g_array_index (s->rows, guint32, i) == j;
      ascend &= i == 0
                || g_array_index (s->rows, guint32, i - 1) < g_array_index (s->rows, guint32, i);
    }
  ascend &= has_own;
  if (!has_own)
    g_array_append_val (s->rows, j);
  if (!ascend)
    g_array_sort (s->rows, compare_rows);
}

/* Where many small computations read parts of one large vector, to ask each of them about each
 * element would cost the square of what their patterns hold. */
static void
sort_reads (Search *s)
{
  const WeirElementGraph *graph = &s->graph;
  g_autofree guint32 *up_of = g_new (guint32, MAX (graph->reads->len, 1));
  guint32 n_plain = 0;

  s->plain_read = g_new (guint32, MAX (graph->reads->len, 1));
  for (guint32 i = 0; i < graph->reads->len; i++)
    {
      const WeirElementRead *read = weir_element_graph_get_read (graph, i);

      if (read->kind == WEIR_READ_BY_PATTERN)
        continue;
      up_of[n_plain] = read->up;
      s->plain_read[n_plain++] = i;
    }
  weir_rows_group (&s->plain, graph->n_vectors, up_of, n_plain);
}

/* Calls @note for each entry of a pattern: the element that is read, and what reads it. */
static void
visit_patterns (Search *s, void (*note) (Search *s, gsize at, Element reader))
{
  const WeirElementGraph *graph = &s->graph;

  for (guint32 i = 0; i < graph->reads->len; i++)
    {
      const WeirElementRead *read = weir_element_graph_get_read (graph, i);
      const WeirRows *rows;

      if (read->kind != WEIR_READ_BY_PATTERN)
        continue;
      rows = &weir_layout_decl (graph->layout, read->reader)->pattern->rows;
      for (guint32 r = 0; r < rows->n; r++)
        for (guint32 k = rows->first[r]; k < rows->first[r + 1]; k++)
          if (rows->items[k] >= read->first && rows->items[k] - read->first < graph->size[read->up])
            note (s, s->first[read->up] + (rows->items[k] - read->first),
                  (Element) { read->reader, r });
    }
}

static void
count_reach (Search *s, gsize at, G_GNUC_UNUSED Element reader)
{
  weir_rows_count (&s->reached, (guint32) at);
}

static void
put_reach (Search *s, gsize at, Element reader)
{
  s->reach[weir_rows_take (&s->reached, (guint32) at)] = reader;
}

static void
search_init (Search *s, const WeirLayout *layout, gboolean is_open)
{
  const WeirElementGraph *graph = &s->graph;

  *s = (Search) { .sweep = 0 };
  weir_element_graph_init (&s->graph, layout, is_open);
  s->first = g_new (gsize, (gsize) graph->n_vectors + 1);
  s->first[0] = 0;
  for (guint32 v = 0; v < graph->n_vectors; v++)
    s->first[v + 1] = s->first[v] + graph->size[v];
  sort_reads (s);
  weir_rows_init (&s->reached, (guint32) s->first[graph->n_vectors]);
  visit_patterns (s, count_reach);
  weir_rows_add_up (&s->reached);
  s->reach = g_new (Element, MAX (weir_rows_get_n_items (&s->reached), 1));
  visit_patterns (s, put_reach);
  s->seen = g_new0 (guint32, MAX (s->first[graph->n_vectors], 1));
  s->whole = g_new0 (guint32, MAX (graph->n_vectors, 1));
  s->queue = g_array_new (FALSE, FALSE, sizeof (Element));
  s->rows = g_array_new (FALSE, FALSE, sizeof (guint32));
}

static void
search_clear (Search *s)
{
  weir_element_graph_clear (&s->graph);
  weir_rows_clear (&s->plain);
  weir_rows_clear (&s->reached);
  g_free (s->plain_read);
  g_free (s->reach);
  g_free (s->first);
  g_free (s->seen);
  g_free (s->whole);
  g_array_unref (s->queue);
  g_array_unref (s->rows);
}

static WeirRows *
find_pattern (const WeirLayout *self, gboolean is_open, gint64 most)
{
  WeirRows *pattern = g_new0 (WeirRows, 1);
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree Element *unknowns = NULL;
  Search s;

  search_init (&s, self, is_open);
  most = MIN (most, (gint64) G_MAXUINT32);
  weir_rows_init (pattern, s.graph.n_unknowns);
  unknowns = g_new0 (Element, MAX (pattern->n, 1));
  for (guint32 v = 0; v < s.graph.n_vectors; v++)
    for (guint32 i = 0; s.graph.unknown[v] != WEIR_NO_INDEX && i < s.graph.size[v]; i++)
      unknowns[s.graph.unknown[v] + i] = (Element) { v, i };
  for (guint32 j = 0; j < pattern->n && rows->len <= most; j++)
    {
      find_rows (&s, unknowns[j].vector, unknowns[j].element, j);
      g_array_append_vals (rows, s.rows->data, s.rows->len);
      pattern->first[j + 1] = rows->len;
    }
  search_clear (&s);
  pattern->first[pattern->n + 1] = rows->len;
  if (rows->len > most)
    {
      g_array_unref (rows);
      weir_rows_free (pattern);
      return NULL;
    }
  pattern->items = (guint32 *) (gpointer) g_array_free (rows, FALSE);
  return pattern;
}

WeirRows *
weir_layout_find_sparsity (const WeirLayout *self, gint64 most)
{
  return find_pattern (self, FALSE, most);
}

WeirRows *
weir_layout_find_open_sparsity (const WeirLayout *self, gint64 most)
{
  return find_pattern (self, TRUE, most);
}

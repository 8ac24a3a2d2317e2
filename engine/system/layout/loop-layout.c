/* Finding the members of loops and what their solutions depend on, while a layout is numbered. See
 * shape-private.h.
 */
#include "numerics/rows.h"
#include "system/layout/layout-private.h"
#include "system/structure/shape-private.h"

#include <string.h>

typedef struct {
  WeirLayoutBuilder *b;
  WeirRows down; /* the entries that read an entry */
  guint8 *marks; /* by entry */
  GArray *queue;
} Search;

enum {
  IS_BELOW = 1, /* reached from the solution */
  IS_MEMBER = 2,
  IS_READ = 4, /* already a prerequisite of the solution */
};

static void
list_readers (Search *s)
{
  const WeirLayoutBuilder *b = s->b;
  guint32 n = b->layout->n_entries;

  weir_rows_clear (&s->down);
  weir_rows_transpose (&s->down, n, n, b->up_first, b->ups);
}

/* Marks what @entry's value reaches. */
static void
mark_below (Search *s, guint32 entry)
{
  g_array_set_size (s->queue, 0);
  g_array_append_val (s->queue, entry);
  for (guint i = 0; i < s->queue->len; i++)
    {
      guint32 e = g_array_index (s->queue, guint32, i);

      for (guint32 k = s->down.first[e]; k < s->down.first[e + 1]; k++)
        if (!(s->marks[s->down.items[k]] & IS_BELOW))
          {
            s->marks[s->down.items[k]] |= IS_BELOW;
            g_array_append_val (s->queue, s->down.items[k]);
          }
    }
}

static void
mark_member (Search *s, guint32 entry)
{
  if ((s->marks[entry] & (IS_BELOW | IS_MEMBER)) != IS_BELOW)
    return;
  s->marks[entry] |= IS_MEMBER;
  g_array_append_val (s->queue, entry);
}

/* Those that stand behind the solution of a loop within this one. */
static void
mark_members_of (Search *s, guint32 entry)
{
  const GArray *loops = s->b->layout->loops;

  if (!s->b->layout->nodes[s->b->node_of[entry]].shape->is_loop)
    return;
  for (guint i = 0; i < loops->len; i++)
    {
      const WeirLoop *loop = &g_array_index (loops, WeirLoop, i);

      for (guint k = 0; loop->entry == entry && k < loop->members->len; k++)
        mark_member (s, g_array_index (loop->members, guint32, k));
    }
}

/* Marks those of them that the leaf's inputs depend on, and lists them. */
static void
mark_members (Search *s, WeirLoop *loop)
{
  const WeirLayoutBuilder *b = s->b;
  const WeirNodeInfo *node = &b->layout->nodes[loop->node];

  g_array_set_size (s->queue, 0);
  for (guint i = 0; i < node->shape->inputs->len; i++)
    {
      WeirOrigin origin = b->layout->inputs[node->first_input + i];

      if (origin.kind == WEIR_ORIGIN_ENTRY)
        mark_member (s, origin.index);
    }
  for (guint i = 0; i < s->queue->len; i++)
    {
      guint32 e = g_array_index (s->queue, guint32, i);

      g_array_append_val (loop->members, e);
      for (guint32 k = b->up_first[e]; k < b->up_first[e + 1]; k++)
        mark_member (s, b->ups[k]);
      mark_members_of (s, e);
    }
}

/* The solution reads what its members read from outside. */
static void
add_prerequisites (Search *s, const WeirLoop *loop)
{
  WeirLayoutBuilder *b = s->b;
  guint32 n = b->layout->n_entries, at = b->up_first[loop->entry + 1], n_more;
  g_autoptr (GArray) more = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 *ups;

  s->marks[loop->entry] |= IS_READ; /* not by itself */
  for (guint i = 0; i < loop->members->len; i++)
    {
      guint32 e = g_array_index (loop->members, guint32, i);

      for (guint32 k = b->up_first[e]; k < b->up_first[e + 1]; k++)
        if (!(s->marks[b->ups[k]] & (IS_MEMBER | IS_READ)))
          {
            s->marks[b->ups[k]] |= IS_READ;
            g_array_append_val (more, b->ups[k]);
          }
    }
  n_more = more->len;
  ups = g_new (guint32, MAX (b->up_first[n] + n_more, 1));
  memcpy (ups, b->ups, at * sizeof *ups);
  if (n_more > 0)
    memcpy (ups + at, more->data, n_more * sizeof *ups);
  memcpy (ups + at + n_more, b->ups + at, (b->up_first[n] - at) * sizeof *ups);
  g_free (b->ups);
  b->ups = ups;
  for (guint32 e = loop->entry + 1; e <= n; e++)
    b->up_first[e] += n_more;
}

void
weir_layout_find_loops (WeirLayoutBuilder *b)
{
  WeirLayout *self = b->layout;
  Search s = { .b = b };

  self->loops = g_array_new (FALSE, FALSE, sizeof (WeirLoop));
  /* From the last node to the first: a loop's prerequisites count for loops of the diagrams around
   * it. */
  for (guint32 n = self->n_nodes; n-- > 0;)
    {
      WeirLoop loop = { n, self->nodes[n].first_entry, NULL };

      if (!self->nodes[n].shape->is_loop)
        continue;
      if (s.marks == NULL)
        {
          s.marks = g_new (guint8, MAX (self->n_entries, 1));
          s.queue = g_array_new (FALSE, FALSE, sizeof (guint32));
        }
      memset (s.marks, 0, self->n_entries);
      loop.members = g_array_new (FALSE, FALSE, sizeof (guint32));
      list_readers (&s);
      mark_below (&s, loop.entry);
      mark_members (&s, &loop);
      add_prerequisites (&s, &loop);
      g_array_append_val (self->loops, loop);
    }
  weir_rows_clear (&s.down);
  g_free (s.marks);
  g_clear_pointer (&s.queue, g_array_unref);
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return x < y ? -1 : x > y;
}

void
weir_layout_renumber_loops (WeirLayout *self)
{
  for (guint i = 0; i < self->loops->len; i++)
    {
      WeirLoop *loop = &g_array_index (self->loops, WeirLoop, i);
      gboolean is_lazy = FALSE;

      loop->entry = self->entry_of_local[loop->entry];
      for (guint k = 0; k < loop->members->len; k++)
        {
          guint32 *e = &g_array_index (loop->members, guint32, k);

          *e = self->entry_of_local[*e];
          is_lazy |= weir_bit (self->lazy, *e);
        }
      g_array_sort (loop->members, compare_entries);
      /* A switch within the loop decides what is read; nothing is to be computed for
       * it beforehand. */
      if (is_lazy)
        weir_bit_set (self->lazy, loop->entry);
    }
}

/* Segments: runs of entries of one kind whose results are an arithmetic progression of addresses.
 * See layout-private.h.
 *
 * Where operands are progressions too, and that goes on for long enough, the kernel reads them in
 * place; a run where they are scattered is one segment all the same, whose operands are gathered
 * first: that costs less than a call of the kernel for every entry.
 */
#include "system/layout/layout-private.h"

#define MIN_REGULAR 8  /* entries that read in place rather than being part of a gathered run */
#define MIN_GATHERED 3 /* entries worth gathering for */

typedef struct {
  guint64 class_hash;
  guint32 level;
} Kind;

typedef struct {
  const WeirLayout *layout;
  const Kind *kinds; /* by final entry */
} Cutter;

static guint32
get_n_operands (const Cutter *c, guint32 e)
{
  return c->layout->operand_first[e + 1] - c->layout->operand_first[e];
}

static const WeirAddress *
get_operands (const Cutter *c, guint32 e)
{
  return c->layout->operands + c->layout->operand_first[e];
}

/* Can entries @x and @y be in one segment, as far as their kind and the spaces of their operands
 * go? */
static gboolean
are_alike (const Cutter *c, guint32 x, guint32 y)
{
  if (weir_class_kind (c->kinds[x].class_hash) != weir_class_kind (c->kinds[y].class_hash)
      || c->kinds[x].level != c->kinds[y].level || get_n_operands (c, x) != get_n_operands (c, y))
    return FALSE;
  for (guint32 k = 0; k < get_n_operands (c, x); k++)
    if (get_operands (c, x)[k].space != get_operands (c, y)[k].space)
      return FALSE;
  return TRUE;
}

static gint64
get_out_step (const Cutter *c, guint32 e)
{
  return (gint64) c->layout->value_offset[e + 1] - c->layout->value_offset[e];
}

static gint64
get_operand_step (const Cutter *c, guint32 e, guint32 k)
{
  return (gint64) get_operands (c, e + 1)[k].offset - get_operands (c, e)[k].offset;
}

/* The end of the entries from @first on whose operands and results are progressions. */
static guint32
find_regular_end (const Cutter *c, guint32 first)
{
  guint32 e = first + 1;

  for (; e < c->layout->n_entries; e++)
    {
      if (c->kinds[first].class_hash != c->kinds[e].class_hash || !are_alike (c, first, e)
          || get_out_step (c, e - 1) != get_out_step (c, first))
        break;
      for (guint32 k = 0; k < get_n_operands (c, first); k++)
        if (get_operand_step (c, e - 1, k) != get_operand_step (c, first, k))
          return e;
    }
  return e;
}

static guint32
find_end (const Cutter *c, guint32 first)
{
  const WeirEntryDecl *decl = weir_layout_decl (c->layout, first);
  guint32 regular, end;

  if (!decl->is_kernel || decl->size != 1)
    return first + 1;
  regular = end = find_regular_end (c, first);
  if (regular - first >= MIN_REGULAR || get_n_operands (c, first) > WEIR_MAX_GATHERED)
    return regular;
  while (end < c->layout->n_entries && are_alike (c, first, end)
         && get_out_step (c, end - 1) == get_out_step (c, first))
    {
      guint32 next = find_regular_end (c, end);

      if (next - end >= MIN_REGULAR)
        break;
      if (next > end + 1 && get_out_step (c, end) != get_out_step (c, first))
        next = end + 1;
      end = next;
    }
  return end - first >= MIN_GATHERED ? end : regular;
}

static void
append_strides (const Cutter *c, guint32 first, guint32 end, GArray *strides)
{
  for (guint32 k = 0; k < get_n_operands (c, first); k++)
    {
      gint32 stride = end - first > 1 ? (gint32) get_operand_step (c, first, k) : 0;

      for (guint32 e = first + 1; e + 1 < end && stride != WEIR_GATHERED; e++)
        if (get_operand_step (c, e, k) != stride)
          stride = WEIR_GATHERED;
      g_array_append_val (strides, stride);
    }
  {
    gint32 out = end - first > 1 ? (gint32) get_out_step (c, first) : 0;

    g_array_append_val (strides, out);
  }
}

void
weir_layout_cut_segments (WeirLayoutBuilder *b)
{
  WeirLayout *self = b->layout;
  guint32 n = self->n_entries;
  g_autofree Kind *kinds = g_new (Kind, MAX (n, 1));
  g_autoptr (GArray) firsts = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) stride_firsts = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) strides = g_array_new (FALSE, TRUE, sizeof (gint32));
  Cutter cutter = { self, kinds };

  for (guint32 p = 0; p < n; p++)
    kinds[self->entry_of_local[p]] = (Kind) { b->class_hash[p], b->level[p] };
  self->segment_of = g_new (guint32, MAX (n, 1));
  for (guint32 first = 0, end; first < n; first = end)
    {
      g_array_append_val (firsts, first);
      g_array_append_val (stride_firsts, strides->len);
      end = find_end (&cutter, first);
      append_strides (&cutter, first, end, strides);
      for (guint32 e = first; e < end; e++)
        self->segment_of[e] = firsts->len - 1;
    }
  self->n_segments = firsts->len;
  g_array_append_val (firsts, n);
  self->segment_first = g_memdup2 (firsts->data, firsts->len * sizeof (guint32));
  self->stride_first = g_memdup2 (stride_firsts->data,
                                  MAX (stride_firsts->len, 1) * sizeof (guint32));
  self->strides = g_memdup2 (strides->data, MAX (strides->len, 1) * sizeof (gint32));
}

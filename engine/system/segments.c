/* Segments: maximal runs of entries of one class whose operands and results are arithmetic progressions
 * of addresses. See layout-private.h. */
#include "system/layout-build-private.h"

static gboolean
extends (const WeirLayoutBuilder *b, const WeirLayout *self, const guint32 *of_rank, guint32 first, guint32 e,
         const gint32 *strides, guint32 n_operands)
{
  guint32 x = of_rank[first], y = of_rank[e];

  if (b->class_hash[x] != b->class_hash[y] || b->level[x] != b->level[y]
      || self->operand_first[e + 1] - self->operand_first[e] != n_operands)
    return FALSE;
  for (guint32 k = 0; k < n_operands; k++)
    {
      WeirAddress p = self->operands[self->operand_first[e - 1] + k];
      WeirAddress q = self->operands[self->operand_first[e] + k];

      if (p.space != q.space || (gint64) q.offset - p.offset != strides[k])
        return FALSE;
    }
  return (gint64) self->value_offset[e] - self->value_offset[e - 1] == strides[n_operands];
}

void
weir_layout_cut_segments (WeirLayoutBuilder *b)
{
  WeirLayout *self = b->layout;
  guint32 n = self->n_entries;
  g_autofree guint32 *of_rank = g_new (guint32, MAX (n, 1));
  g_autoptr (GArray) firsts = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) stride_firsts = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) strides = g_array_new (FALSE, TRUE, sizeof (gint32));

  for (guint32 p = 0; p < n; p++)
    of_rank[self->entry_of_local[p]] = p;
  self->segment_of = g_new (guint32, MAX (n, 1));
  for (guint32 first = 0; first < n;)
    {
      const WeirEntryDecl *decl = weir_layout_decl (self, first);
      guint32 n_operands = self->operand_first[first + 1] - self->operand_first[first];
      guint32 stride_first = strides->len, e = first + 1;

      g_array_append_val (firsts, first);
      g_array_append_val (stride_firsts, stride_first);
      g_array_set_size (strides, strides->len + n_operands + 1);
      if (decl->is_kernel && decl->size == 1 && e < n
          && self->operand_first[e + 1] - self->operand_first[e] == n_operands)
        {
          gint32 *step = &g_array_index (strides, gint32, stride_first);

          for (guint32 k = 0; k < n_operands; k++)
            step[k] = (gint32) (self->operands[self->operand_first[e] + k].offset
                                - self->operands[self->operand_first[first] + k].offset);
          step[n_operands] = (gint32) (self->value_offset[e] - self->value_offset[first]);
          while (e < n && extends (b, self, of_rank, first, e, step, n_operands))
            e++;
        }
      for (guint32 k = first; k < e; k++)
        self->segment_of[k] = firsts->len - 1;
      first = e;
    }
  self->n_segments = firsts->len;
  g_array_append_val (firsts, n);
  self->segment_first = g_memdup2 (firsts->data, firsts->len * sizeof (guint32));
  self->stride_first = g_memdup2 (stride_firsts->data, MAX (stride_firsts->len, 1) * sizeof (guint32));
  self->strides = g_memdup2 (strides->data, MAX (strides->len, 1) * sizeof (gint32));
}

/* The positions q, velocities v and other states z of a subtree: strided views of the state vector,
 * leaf by leaf.
 */
#include <string.h>

#include "system/context/context-private.h"

/* The slices of the leaves at or under @node: [first, end) in the order of the state vector. */
static void
find_slices (const WeirLayout *layout, WeirNode node, guint *first, guint *end)
{
  const WeirNodeInfo *info = &layout->nodes[node.i];
  guint low = 0, high = layout->slices->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (layout->slices, WeirStateSlice, middle).offset < info->state_offset)
        low = middle + 1;
      else
        high = middle;
    }
  *first = low;
  while (low < layout->slices->len
         && g_array_index (layout->slices, WeirStateSlice, low).offset
                < info->state_offset + info->n_states)
    low++;
  *end = low;
}

static guint32
part_size (const WeirStateSlice *slice, WeirOriginKind part)
{
  return part == WEIR_ORIGIN_Q   ? slice->nq
         : part == WEIR_ORIGIN_V ? slice->nv
         : part == WEIR_ORIGIN_Z ? slice->nz
                                 : slice->nq + slice->nv + slice->nz;
}

static guint32
part_offset (const WeirStateSlice *slice, WeirOriginKind part)
{
  return slice->offset
         + (part == WEIR_ORIGIN_V   ? slice->nq
            : part == WEIR_ORIGIN_Z ? slice->nq + slice->nv
                                    : 0);
}

guint
weir_context_get_n_part (const WeirContext *self, WeirNode node, WeirStatePart part)
{
  guint first, end, n = 0;

  find_slices (self->layout, node, &first, &end);
  for (; first < end; first++)
    n += part_size (&g_array_index (self->layout->slices, WeirStateSlice, first),
                    WEIR_ORIGIN_Q + part);
  return n;
}

void
weir_context_read_part (const WeirContext *self, WeirNode node, WeirStatePart part, double *values)
{
  const double *x = weir_context_get_state (self);
  guint first, end;

  find_slices (self->layout, node, &first, &end);
  for (; first < end; first++)
    {
      const WeirStateSlice *slice = &g_array_index (self->layout->slices, WeirStateSlice, first);
      guint32 n = part_size (slice, WEIR_ORIGIN_Q + part);

      memcpy (values, x + part_offset (slice, WEIR_ORIGIN_Q + part), n * sizeof *values);
      values += n;
    }
}

static void
put_part (WeirContext *self, WeirNode node, WeirStatePart part, const double *values)
{
  double *x = self->arena + self->layout->arena.state;
  guint first, end;

  find_slices (self->layout, node, &first, &end);
  for (; first < end; first++)
    {
      const WeirStateSlice *slice = &g_array_index (self->layout->slices, WeirStateSlice, first);
      guint32 n = part_size (slice, WEIR_ORIGIN_Q + part);

      memmove (x + part_offset (slice, WEIR_ORIGIN_Q + part), values, n * sizeof *values);
      values += n;
    }
}

void
weir_context_note_part (WeirContext *self, WeirNode node, WeirStatePart part)
{
  guint first, end;

  find_slices (self->layout, node, &first, &end);
  for (; first < end; first++)
    {
      const WeirStateSlice *slice = &g_array_index (self->layout->slices, WeirStateSlice, first);

      if (part_size (slice, WEIR_ORIGIN_Q + part) > 0)
        weir_context_note (
            self, weir_layout_state_source (self->layout, slice->node.i, WEIR_ORIGIN_Q + part));
    }
}

/* The whole tree's parts have sources of their own: integrators set them at every step. */
static void
note_part_change (WeirContext *self, WeirNode node, WeirStatePart part)
{
  if (node.i == 0 && (part == WEIR_STATE_Q || part == WEIR_STATE_XC))
    {
      weir_context_note (self,
                         (WeirSource) { part == WEIR_STATE_Q ? WEIR_SOURCE_Q : WEIR_SOURCE_STATE });
      return;
    }
  weir_context_begin_change (self);
  weir_context_note_part (self, node, part);
  weir_context_end_change (self);
}

void
weir_context_set_part (WeirContext *self, WeirNode node, WeirStatePart part, const double *values)
{
  put_part (self, node, part, values);
  note_part_change (self, node, part);
}

void
weir_context_set_v_and_z (WeirContext *self, WeirNode node, const double *v, const double *z)
{
  put_part (self, node, WEIR_STATE_V, v);
  put_part (self, node, WEIR_STATE_Z, z);
  if (node.i == 0)
    {
      weir_context_note (self, (WeirSource) { WEIR_SOURCE_VZ });
      return;
    }
  weir_context_begin_change (self);
  weir_context_note_part (self, node, WEIR_STATE_V);
  weir_context_note_part (self, node, WEIR_STATE_Z);
  weir_context_end_change (self);
}

void
weir_context_set_time_and_q (WeirContext *self, double time, const double *q)
{
  gboolean same_time = !weir_context_put_time (self, time);

  put_part (self, WEIR_ROOT, WEIR_STATE_Q, q);
  weir_context_note (self, (WeirSource) { same_time ? WEIR_SOURCE_Q : WEIR_SOURCE_TIME_Q });
}

void
weir_context_note_state_change (WeirContext *self, WeirNode node)
{
  note_part_change (self, node, WEIR_STATE_XC);
}

double *
weir_context_change_state (WeirContext *self, WeirNode node)
{
  weir_context_note_state_change (self, node);
  return self->arena + self->layout->arena.state + self->layout->nodes[node.i].state_offset;
}

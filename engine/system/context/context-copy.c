/* Many sources at once, copied from another context. */
#include <string.h>

#include "system/context/context-private.h"

/* --- From another context -------------------------------------------------------------------- */

static gboolean
check_same_subtree (const WeirContext *self, WeirNode node, const WeirContext *other,
                    WeirNode other_node, GError **error)
{
  const WeirShape *a = self->layout->nodes[node.i].shape;
  const WeirShape *b = other->layout->nodes[other_node.i].shape;
  g_autofree char *to = NULL, *from = NULL;

  if (memcmp (&a->fingerprint, &b->fingerprint, sizeof a->fingerprint) == 0)
    return TRUE;
  to = weir_layout_dup_path (self->layout, node);
  from = weir_layout_dup_path (other->layout, other_node);
  g_set_error (
      error, WEIR_ERROR, WEIR_ERROR_MISMATCH,
      "The state and parameters of %s (%s) do not fit %s (%s), which is built differently.",
      *from != '\0' ? from : "the other root", b->kind, *to != '\0' ? to : "the root", a->kind);
  return FALSE;
}

static void
copy_value (WeirContext *self, guint32 word, const WeirContext *other, guint32 other_word,
            const WeirVectorDecl *decl)
{
  if (decl->type != NULL)
    weir_context_take_abstract (self, word,
                                weir_context_abstract_at (other, other->arena + other_word));
  else
    memmove (self->arena + word, other->arena + other_word, decl->size * sizeof (double));
}

/* Copies the states and parameters under a node; without notes. */
static void
copy_subtree (WeirContext *self, guint32 node, const WeirContext *other, guint32 other_node)
{
  const WeirLayout *layout = self->layout, *from = other->layout;
  guint32 n_nodes = weir_layout_subtree_end (layout, node) - node;

  memmove (self->arena + layout->arena.state + layout->nodes[node].state_offset,
           other->arena + from->arena.state + from->nodes[other_node].state_offset,
           layout->nodes[node].n_states * sizeof (double));
  for (guint32 k = 0; k < n_nodes; k++)
    {
      const WeirNodeInfo *a = &layout->nodes[node + k], *b = &from->nodes[other_node + k];

      for (guint g = 0; g < a->shape->groups->len; g++)
        copy_value (self, layout->group_slots[a->first_group + g], other,
                    from->group_slots[b->first_group + g], weir_shape_group (a->shape, g));
      for (guint p = 0; p < a->shape->parameters->len; p++)
        copy_value (self, layout->parameter_slots[a->first_parameter + p], other,
                    from->parameter_slots[b->first_parameter + p],
                    weir_shape_parameter (a->shape, p));
    }
}

gboolean
weir_context_set_state_and_parameters_from (WeirContext *self, WeirNode node,
                                            const WeirContext *other, WeirNode other_node,
                                            GError **error)
{
  if (!check_same_subtree (self, node, other, other_node, error))
    return FALSE;
  copy_subtree (self, node.i, other, other_node.i);
  weir_context_begin_change (self);
  weir_context_note_part (self, node, WEIR_STATE_XC);
  for (guint32 n = node.i; n < weir_layout_subtree_end (self->layout, node.i); n++)
    {
      const WeirShape *shape = self->layout->nodes[n].shape;

      for (guint g = 0; g < shape->groups->len; g++)
        weir_context_note (self, weir_layout_group_source (self->layout, n, g));
      for (guint p = 0; p < shape->parameters->len; p++)
        weir_context_note (self, weir_layout_parameter_source (self->layout, n, p));
    }
  weir_context_end_change (self);
  return TRUE;
}

gboolean
weir_context_set_time_state_and_parameters_from (WeirContext *self, const WeirContext *other,
                                                 GError **error)
{
  if (!check_same_subtree (self, WEIR_ROOT, other, WEIR_ROOT, error))
    return FALSE;
  copy_subtree (self, 0, other, 0);
  memcpy (&self->arena[WEIR_ARENA_TIME], &other->arena[WEIR_ARENA_TIME],
          (WEIR_TICKET_LAST_COMMON - WEIR_TICKET_TIME + 1) * sizeof *self->arena);
  self->now = self->arena[WEIR_ARENA_TIME];
  weir_context_note (self, (WeirSource) { WEIR_SOURCE_ALL });
  return TRUE;
}

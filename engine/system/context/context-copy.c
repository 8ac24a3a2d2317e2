/* Many sources at once, copied from another context. */
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
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
  weir_error_set (
      error, WEIR_ERROR_MISMATCH,
      "The state and parameters of %s (%s) do not fit %s (%s), which is built differently.",
      *from != '\0' ? from : weir_phrase (N_ ("the other root")), b->kind,
      *to != '\0' ? to : weir_phrase (N_ ("the root")), a->kind);
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

/* --- Some sources ---------------------------------------------------------------------------- */

static gboolean
same_value (const WeirContext *self, const WeirContext *other, guint32 word, guint32 n,
            const GVariantType *type)
{
  const double *a = self->arena + word, *b = other->arena + word;

  return type != NULL ? weir_context_abstract_at (self, a) == weir_context_abstract_at (other, b)
                      : memcmp (a, b, n * sizeof *a) == 0;
}

static void
take_vector (WeirContext *self, const WeirContext *other, WeirSource source, guint32 word,
             const WeirVectorDecl *decl)
{
  if (same_value (self, other, word, decl->size, decl->type))
    return;
  copy_value (self, word, other, word, decl);
  weir_context_note (self, source);
}

static void
take_input (WeirContext *self, const WeirContext *other, WeirNode node, WeirInput in)
{
  const WeirNodeInfo *info = &self->layout->nodes[node.i];
  const WeirVectorDecl *decl = weir_shape_input (info->shape, in.i);
  guint32 word = self->layout->input_slots[info->first_input + in.i];
  gboolean is_fixed = weir_context_is_input_fixed (other, node, in);

  if (is_fixed == weir_context_is_input_fixed (self, node, in)
      && (!is_fixed || same_value (self, other, word, decl->size, decl->type)))
    return;
  if (!is_fixed)
    weir_context_unfix_input (self, node, in);
  else if (decl->type != NULL)
    weir_context_fix_abstract_input (self, node, in,
                                     weir_context_abstract_at (other, other->arena + word), NULL);
  else
    weir_context_fix_input (self, node, in, other->arena + word);
}

static void
take_source (WeirContext *self, const WeirContext *other, WeirSource source)
{
  const WeirLayout *layout = self->layout;
  WeirOrigin origin = weir_layout_describe_source (layout, source);
  const WeirNodeInfo *node = &layout->nodes[origin.node];
  guint32 word;

  switch (origin.kind)
    {
    case WEIR_ORIGIN_GROUP:
      take_vector (self, other, source, layout->group_slots[node->first_group + origin.index],
                   weir_shape_group (node->shape, origin.index));
      return;
    case WEIR_ORIGIN_PARAMETER:
      take_vector (self, other, source,
                   layout->parameter_slots[node->first_parameter + origin.index],
                   weir_shape_parameter (node->shape, origin.index));
      return;
    case WEIR_ORIGIN_FIXED:
      take_input (self, other, (WeirNode) { origin.node }, (WeirInput) { (guint16) origin.index });
      return;
    case WEIR_ORIGIN_Q:
    case WEIR_ORIGIN_V:
    case WEIR_ORIGIN_Z:
    case WEIR_ORIGIN_XC: /* the whole leaf's */
      word = layout->arena.state + node->state_offset;
      if (same_value (self, other, word, node->n_states, NULL))
        return;
      memcpy (self->arena + word, other->arena + word, node->n_states * sizeof (double));
      weir_context_note (self, weir_layout_state_source (layout, origin.node, WEIR_ORIGIN_XC));
      return;
    case WEIR_ORIGIN_TIME:
    case WEIR_ORIGIN_COMMON:
    case WEIR_ORIGIN_ENTRY:
    default:
      g_assert_not_reached ();
    }
}

void
weir_context_take_sources (WeirContext *self, const WeirContext *other, const WeirSource *sources,
                           guint n)
{
  g_return_if_fail (memcmp (&self->layout->shape->fingerprint, &other->layout->shape->fingerprint,
                            sizeof (WeirFingerprint))
                    == 0);

  weir_context_begin_change (self);
  for (guint i = 0; i < n; i++)
    if (sources[i].i == WEIR_SOURCE_TIME)
      weir_context_set_time (self, other->arena[WEIR_ARENA_TIME]);
    else if (sources[i].i < WEIR_SOURCE_STATE)
      {
        WeirTicket ticket = { (guint16) (WEIR_TICKET_TIME + sources[i].i) };

        weir_context_set_common (self, ticket, other->arena[weir_word_of_common (ticket.i)]);
      }
    else if (sources[i].i >= WEIR_N_JOINT_SOURCES)
      take_source (self, other, sources[i]);
  weir_context_end_change (self);
}

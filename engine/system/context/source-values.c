/* Sources read and changed by place instead of by kind. See source-values.h. */
#include "system/context/source-values.h"

#include <string.h>

#include "system/context/context-private.h"

/* --- Values ---------------------------------------------------------------------------------- */

/* The word under a ticket, or NULL. @type: set for an abstract value. */
static const double *
find_word (const WeirContext *self, WeirNode node, WeirTicket ticket, guint *size,
           const GVariantType **type)
{
  const WeirLayout *layout = self->layout;
  const WeirNodeInfo *info = &layout->nodes[node.i];
  const WeirShape *shape = info->shape;
  WeirItem item = weir_shape_item (shape, ticket.i);
  const WeirVectorDecl *decl;
  WeirOrigin origin = weir_origin_of_built_in (node.i, ticket.i);
  int local;

  *type = NULL;
  switch (item.kind)
    {
    case WEIR_ITEM_INPUT:
      decl = weir_shape_input (shape, item.index);
      *size = decl->size;
      *type = decl->type;
      return weir_context_resolve (
          self, weir_layout_address (layout, weir_context_trace (self, node.i, item.index)));
    case WEIR_ITEM_PARAMETER:
      decl = weir_shape_parameter (shape, item.index);
      *size = decl->size;
      *type = decl->type;
      return self->arena + layout->parameter_slots[info->first_parameter + item.index];
    case WEIR_ITEM_GROUP:
      decl = weir_shape_group (shape, item.index);
      *size = decl->size;
      *type = decl->type;
      return self->arena + layout->group_slots[info->first_group + item.index];
    case WEIR_ITEM_BUILT_IN:
    case WEIR_ITEM_OUTPUT:
    case WEIR_ITEM_ENTRY:
    default:
      break;
    }
  local = weir_shape_find_entry (shape, ticket.i);
  if (local >= 0)
    {
      *size = weir_shape_entry (shape, (guint) local)->size;
      *type = weir_shape_entry (shape, (guint) local)->type;
      return self->arena
             + layout->value_offset[layout->entry_of_local[info->first_entry + (guint32) local]];
    }
  *size = 1;
  switch (origin.kind)
    {
    case WEIR_ORIGIN_TIME:
    case WEIR_ORIGIN_COMMON:
      break;
    case WEIR_ORIGIN_Q:
      *size = shape->nq;
      break;
    case WEIR_ORIGIN_V:
      *size = shape->nv;
      break;
    case WEIR_ORIGIN_Z:
      *size = shape->nz;
      break;
    case WEIR_ORIGIN_XC: /* its parts have the words */
    case WEIR_ORIGIN_ENTRY:
    case WEIR_ORIGIN_GROUP:
    case WEIR_ORIGIN_PARAMETER:
    case WEIR_ORIGIN_FIXED:
    default:
      *size = 0;
      return NULL;
    }
  return weir_context_resolve (self, weir_layout_address (layout, origin));
}

const double *
weir_context_get_ticket_value (const WeirContext *self, WeirNode node, WeirTicket ticket,
                               guint *size)
{
  const GVariantType *type;
  const double *word = find_word (self, node, ticket, size, &type);

  return type != NULL ? NULL : word;
}

GVariant *
weir_context_get_ticket_variant (const WeirContext *self, WeirNode node, WeirTicket ticket)
{
  const GVariantType *type;
  guint size;
  const double *word = find_word (self, node, ticket, &size, &type);

  return type != NULL ? weir_context_abstract_at (self, word) : NULL;
}

void
weir_context_set_source (WeirContext *self, const WeirSourceInfo *source, const double *value)
{
  WeirItem item = weir_shape_item (self->layout->nodes[source->node.i].shape, source->ticket.i);
  guint16 index = (guint16) source->index;

  switch (item.kind)
    {
    case WEIR_ITEM_INPUT:
      weir_context_fix_input (self, source->node, (WeirInput) { index }, value);
      return;
    case WEIR_ITEM_PARAMETER:
      weir_context_set_parameter (self, source->node, (WeirParameter) { index }, value);
      return;
    case WEIR_ITEM_GROUP:
      weir_context_set_discrete (self, source->node, (WeirGroup) { index }, value);
      return;
    case WEIR_ITEM_BUILT_IN:
    case WEIR_ITEM_OUTPUT:
    case WEIR_ITEM_ENTRY:
    default:
      break;
    }
  switch (weir_origin_of_built_in (source->node.i, source->ticket.i).kind)
    {
    case WEIR_ORIGIN_TIME:
      weir_context_set_time (self, *value);
      break;
    case WEIR_ORIGIN_COMMON:
      weir_context_set_common (self, source->ticket, *value);
      break;
    case WEIR_ORIGIN_Q:
    case WEIR_ORIGIN_V:
    case WEIR_ORIGIN_Z:
      weir_context_set_part (self, source->node,
                             (WeirStatePart) (WEIR_STATE_Q + (source->ticket.i - WEIR_TICKET_Q)),
                             value);
      break;
    case WEIR_ORIGIN_XC:
    case WEIR_ORIGIN_ENTRY:
    case WEIR_ORIGIN_GROUP:
    case WEIR_ORIGIN_PARAMETER:
    case WEIR_ORIGIN_FIXED:
    default:
      g_assert_not_reached ();
    }
}

gboolean
weir_context_set_source_variant (WeirContext *self, const WeirSourceInfo *source, GVariant *value)
{
  WeirItem item = weir_shape_item (self->layout->nodes[source->node.i].shape, source->ticket.i);
  guint16 index = (guint16) source->index;

  if (item.kind == WEIR_ITEM_INPUT)
    return weir_context_fix_abstract_input (self, source->node, (WeirInput) { index }, value, NULL);
  if (item.kind == WEIR_ITEM_PARAMETER)
    return weir_context_set_abstract_parameter (self, source->node, (WeirParameter) { index },
                                                value, NULL);
  return weir_context_set_abstract_state (self, source->node, (WeirGroup) { index }, value, NULL);
}

/* --- Comparing ------------------------------------------------------------------------------- */

static gboolean
is_same (const WeirContext *a, const WeirContext *b, WeirNode node, WeirTicket ticket)
{
  const GVariantType *type;
  guint size;
  const double *word_a = find_word (a, node, ticket, &size, &type);
  const double *word_b = find_word (b, node, ticket, &size, &type);
  GVariant *variant_a, *variant_b;

  if (memcmp (word_a, word_b, (type != NULL ? 1 : size) * sizeof *word_a) != 0)
    return FALSE;
  if (type == NULL)
    return TRUE;
  variant_a = weir_context_abstract_at (a, word_a);
  variant_b = weir_context_abstract_at (b, word_b);
  return variant_a == variant_b
         || (variant_a != NULL && variant_b != NULL && g_variant_equal (variant_a, variant_b));
}

char *
weir_context_dup_first_difference (const WeirContext *a, const WeirContext *b)
{
  const WeirLayout *layout = a->layout;
  g_autoptr (GArray) sources = weir_layout_list_sources (layout);

  for (guint i = 0; i < sources->len; i++)
    {
      const WeirSourceInfo *source = &g_array_index (sources, WeirSourceInfo, i);

      if (!source->is_input && !is_same (a, b, source->node, source->ticket))
        return weir_source_info_dup_name (layout, source);
    }
  for (guint32 e = 0; e < layout->n_entries; e++)
    if (!weir_bit (a->stale, e) && !weir_bit (b->stale, e)
        && !is_same (a, b, (WeirNode) { layout->node_of[e] },
                     (WeirTicket) { weir_layout_decl (layout, e)->ticket }))
      return weir_layout_dup_entry_path (layout, (WeirEntry) { e });
  return NULL;
}

/* The arena of a layout: where each value, flag and counter is. See layout-private.h. */
#include "system/layout/layout-private.h"

#include <string.h>

static guint32
place (guint32 *at, guint32 size)
{
  guint32 start = *at;

  *at += size;
  return start;
}

static guint32
aligned (guint32 at)
{
  return (at + 7) & ~7u; /* 64 bytes */
}

static guint32
place_value (WeirLayout *self, guint32 *at, guint32 size, const GVariantType *type)
{
  if (type != NULL)
    {
      WeirAbstractSlot slot = { .word = *at, .type = type };

      g_array_append_val (self->abstract_slots, slot);
    }
  return place (at, weir_words (size, type));
}

static guint32
place_vector (WeirLayout *self, guint32 *at, const WeirVectorDecl *decl)
{
  return place_value (self, at, decl->size, decl->type);
}

static guint32
place_group (WeirLayout *self, guint32 *at, guint32 node, guint g)
{
  const WeirShape *shape = self->nodes[node].shape;
  const WeirVectorDecl *decl = weir_shape_group (shape, g);
  guint32 start = place_vector (self, at, decl);

  if (decl->keeping != NULL)
    {
      WeirAbstractSlot *slot = &g_array_index (self->abstract_slots, WeirAbstractSlot,
                                               self->abstract_slots->len - 1);

      slot->keeping = decl->keeping;
      slot->data = shape->data;
      slot->node = node;
    }
  return start;
}

/* The updates of a subtree lie side by side in the order of nodes: a diagram's are all those under
 * it. */
static void
place_updates (WeirLayout *self, guint32 *at)
{
  for (guint32 n = 0; n < self->n_nodes; n++)
    {
      const WeirNodeInfo *node = &self->nodes[n];
      int local = weir_shape_find_entry (node->shape, WEIR_TICKET_XD_UPDATE);

      if (local < 0)
        continue;
      self->value_offset[self->entry_of_local[node->first_entry + (guint32) local]] = *at;
      if (!node->shape->is_diagram)
        place (at, weir_shape_entry (node->shape, (guint) local)->size);
    }
}

static void
lay_out_arena (WeirLayout *self)
{
  guint32 at = WEIR_ARENA_HEADER;

  self->n_words = weir_bits_n_words (self->n_entries);
  self->parameter_slots = g_new (guint32, MAX (self->n_parameters, 1));
  self->group_slots = g_new (guint32, MAX (self->n_groups, 1));
  self->input_slots = g_new (guint32, MAX (self->n_inputs, 1));
  self->value_offset = g_new (guint32, MAX (self->n_entries, 1));
  self->abstract_slots = g_array_new (FALSE, FALSE, sizeof (WeirAbstractSlot));

  self->arena.state = place (&at, self->n_states);
  self->arena.groups = at = aligned (at);
  for (guint32 n = 0; n < self->n_nodes; n++)
    for (guint g = 0; g < self->nodes[n].shape->groups->len; g++)
      self->group_slots[self->nodes[n].first_group + g] = place_group (self, &at, n, g);

  /* Parameters in the order in which the scan reads them; the unread ones after. */
  self->arena.parameters = at = aligned (at);
  memset (self->parameter_slots, 0, self->n_parameters * sizeof (guint32));
  for (guint32 e = 0; e < self->n_entries; e++)
    {
      const WeirEntryDecl *decl = weir_layout_decl (self, e);
      const WeirNodeInfo *node = &self->nodes[self->node_of[e]];

      for (guint k = 0; decl->has_parameters && k < decl->n_primary; k++)
        {
          WeirItem item = weir_shape_item (node->shape, decl->primary[k]);

          if (item.kind == WEIR_ITEM_PARAMETER
              && self->parameter_slots[node->first_parameter + item.index] == 0)
            self->parameter_slots[node->first_parameter + item.index] = place_vector (
                self, &at, weir_shape_parameter (node->shape, item.index));
        }
    }
  for (guint32 n = 0; n < self->n_nodes; n++)
    for (guint p = 0; p < self->nodes[n].shape->parameters->len; p++)
      if (self->parameter_slots[self->nodes[n].first_parameter + p] == 0)
        self->parameter_slots[self->nodes[n].first_parameter + p] = place_vector (
            self, &at, weir_shape_parameter (self->nodes[n].shape, p));

  self->arena.fixed = at = aligned (at);
  for (guint32 n = 0; n < self->n_nodes; n++)
    for (guint i = 0; i < self->nodes[n].shape->inputs->len; i++)
      self->input_slots[self->nodes[n].first_input + i] = place_vector (
          self, &at, weir_shape_input (self->nodes[n].shape, i));

  self->arena.values = at = aligned (at);
  for (guint32 e = 0; e < self->n_entries; e++)
    if (weir_layout_decl (self, e)->kind != WEIR_ENTRY_DERIVATIVES
        && weir_layout_decl (self, e)->kind != WEIR_ENTRY_UPDATE)
      self->value_offset[e] = place_value (self, &at, weir_layout_decl (self, e)->size,
                                           weir_layout_decl (self, e)->type);
  /* All derivatives lie together in the order of the state vector: a diagram's are a slice. */
  at = aligned (at);
  self->arena.xdot = place (&at, self->n_states);
  for (guint32 e = 0; e < self->n_entries; e++)
    if (weir_layout_decl (self, e)->kind == WEIR_ENTRY_DERIVATIVES)
      self->value_offset[e] = self->arena.xdot + self->nodes[self->node_of[e]].state_offset;
  place_updates (self, &at);
  self->arena.end_of_values = at;
  self->n_plain_entries = self->abstract_slots->len == 0 ? self->n_entries : 0;
}

WeirAddress
weir_layout_address (const WeirLayout *self, WeirOrigin origin)
{
  const WeirNodeInfo *node = &self->nodes[origin.node];

  switch (origin.kind)
    {
    case WEIR_ORIGIN_ENTRY:
      return (WeirAddress) { self->value_offset[origin.index], WEIR_SPACE_ARENA };
    case WEIR_ORIGIN_TIME:
      return (WeirAddress) { 0, WEIR_SPACE_TIME };
    case WEIR_ORIGIN_COMMON:
      return (WeirAddress) { weir_word_of_common (origin.index), WEIR_SPACE_ARENA };
    case WEIR_ORIGIN_Q:
    case WEIR_ORIGIN_XC:
      return (WeirAddress) { node->state_offset, WEIR_SPACE_STATE };
    case WEIR_ORIGIN_V:
      return (WeirAddress) { node->state_offset + node->shape->nq, WEIR_SPACE_STATE };
    case WEIR_ORIGIN_Z:
      return (WeirAddress) { node->state_offset + node->shape->nq + node->shape->nv,
                             WEIR_SPACE_STATE };
    case WEIR_ORIGIN_GROUP:
      return (WeirAddress) { self->group_slots[node->first_group + origin.index],
                             WEIR_SPACE_ARENA };
    case WEIR_ORIGIN_PARAMETER:
      return (WeirAddress) { self->parameter_slots[node->first_parameter + origin.index],
                             WEIR_SPACE_ARENA };
    case WEIR_ORIGIN_FIXED:
    default:
      return (WeirAddress) { self->input_slots[node->first_input + origin.index],
                             WEIR_SPACE_ARENA };
    }
}

/* Where the operands of a few nodes ahead go, and where those lie, is on its way from memory. */
static inline void
fetch_addresses (const WeirLayout *self, guint32 n)
{
  enum { FAR = 64, NEAR = 32 };

  if (n + FAR >= self->n_nodes)
    return;
  for (guint32 i = self->nodes[n + NEAR].first_input; i < self->nodes[n + NEAR + 1].first_input;
       i++)
    if (self->inputs[i].kind == WEIR_ORIGIN_ENTRY)
      __builtin_prefetch (&self->value_offset[self->inputs[i].index]);
  for (guint32 e = self->nodes[n + FAR - 1].first_entry; e < self->nodes[n + FAR].first_entry; e++)
    __builtin_prefetch (&self->operand_first[self->entry_of_local[e]]);
  for (guint32 e = self->nodes[n + NEAR].first_entry; e < self->nodes[n + NEAR + 1].first_entry;
       e++)
    __builtin_prefetch (&self->operands[self->operand_first[self->entry_of_local[e]]], 1);
}

static void
address_operands (WeirLayout *self)
{
  guint32 at = 0;

  self->operand_first = g_new (guint32, self->n_entries + 1);
  for (guint32 e = 0; e < self->n_entries; e++)
    {
      const WeirEntryDecl *decl = weir_layout_decl (self, e);

      self->operand_first[e] = at;
      at += decl->is_kernel ? decl->n_depends : 0;
    }
  self->operand_first[self->n_entries] = at;
  self->operands = g_new (WeirAddress, MAX (at, 1));
  /* In the order of nodes: what is looked up there is much larger than what is written. */
  for (guint32 n = 0; n < self->n_nodes; n++)
    {
      const WeirNodeInfo *node = &self->nodes[n];

      fetch_addresses (self, n);
      for (guint l = 0; l < node->shape->entries->len; l++)
        {
          const WeirEntryDecl *decl = weir_shape_entry (node->shape, l);
          WeirAddress *to = self->operands
                            + self->operand_first[self->entry_of_local[node->first_entry + l]];

          for (guint k = 0; decl->is_kernel && k < decl->n_depends; k++)
            {
              WeirOrigin origin;

              if (!weir_layout_final_origin (self, n, decl->depends[k], &origin))
                g_assert_not_reached (); /* a kernel's operands have values */
              to[k] = weir_layout_address (self, origin);
            }
        }
    }
}

static void
list_nominals (WeirLayout *self)
{
  self->nominals_of = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 n = 0; n < self->n_nodes; n++)
    {
      const WeirNodeInfo *node = &self->nodes[n];

      if (!node->shape->is_diagram && node->shape->nominals_group != G_MAXUINT32)
        g_array_append_val (self->nominals_of, n);
      if (node->shape->is_diagram || node->shape->state_nominals == NULL)
        continue;
      if (self->nominals == NULL)
        {
          self->nominals = g_new (double, self->n_states);
          for (guint32 i = 0; i < self->n_states; i++)
            self->nominals[i] = 1;
        }
      memcpy (self->nominals + node->state_offset, node->shape->state_nominals,
              node->n_states * sizeof (double));
    }
}

static void
list_starts (WeirLayout *self)
{
  self->starts = g_array_new (FALSE, FALSE, sizeof (WeirStart));
  for (guint32 n = 0; n < self->n_nodes; n++)
    {
      const WeirNodeInfo *node = &self->nodes[n];

      for (guint i = 0; i < node->shape->starts->len; i++)
        {
          const WeirStartDecl *decl = &g_array_index (node->shape->starts, WeirStartDecl, i);
          WeirStart start = { n, self->entry_of_local[node->first_entry + decl->entry],
                              decl->group };

          g_array_append_val (self->starts, start);
        }
    }
}

void
weir_layout_give_slots (WeirLayout *self)
{
  lay_out_arena (self);
  list_nominals (self);
  list_starts (self);
  address_operands (self);
}

void
weir_layout_give_counters (WeirLayout *self)
{
  guint32 at = aligned (self->arena.end_of_values);

  self->arena.stale = place (&at, self->n_words);
  self->arena.disabled = place (&at, self->n_words);
  self->arena.fixed_bits = place (&at, weir_bits_n_words (self->n_inputs));
  at = aligned (at);
  self->arena.source_last = place (&at, self->n_sources);
  self->arena.rewrites = place (&at, self->n_entries);
  self->arena.calc_steps = place (&at, self->n_entries + 1);
  self->arena.off_steps = place (&at, self->n_entries + 1);
  self->arena.joint_steps = place (&at, self->n_entries + 1);
  self->arena.entry_off = place (&at, self->n_entries);
  self->arena.reads = place (&at, self->n_entries);
  self->arena.segment_ns = place (&at, self->n_segments);
  self->arena.segment_timed = place (&at, self->n_segments);
  self->arena.source_events = place (&at, self->n_sources);
  self->arena.size = aligned (at);
}

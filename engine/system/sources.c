/* The sources of a tree one by one, and what is declared about them. See sources.h. */
#include "system/sources.h"

#include <string.h>

#include "base/text.h"
#include "system/context-private.h"
#include "system/evaluator-private.h"

/* --- Listing --------------------------------------------------------------------------------- */

static void
add_vectors (GArray *sources, guint32 node, const GArray *decls, gboolean is_input)
{
  for (guint i = 0; i < decls->len; i++)
    {
      const WeirVectorDecl *decl = &g_array_index (decls, WeirVectorDecl, i);
      WeirSourceInfo info = { .node = { node },
                              .ticket = { decl->ticket },
                              .size = decl->size,
                              .type = decl->type,
                              .is_input = is_input,
                              .index = i };

      g_array_append_val (sources, info);
    }
}

GArray *
weir_layout_list_sources (const WeirLayout *self)
{
  GArray *sources = g_array_new (FALSE, FALSE, sizeof (WeirSourceInfo));
  WeirSourceInfo info = { .node = WEIR_ROOT, .size = 1 };

  for (info.ticket = WEIR_TIME; weir_ticket_is_common (info.ticket); info.ticket.i++)
    g_array_append_val (sources, info);
  for (guint32 n = 0; n < self->n_nodes; n++)
    {
      const WeirShape *shape = self->nodes[n].shape;
      const guint32 sizes[3] = { shape->nq, shape->nv, shape->nz };
      guint32 offset = 0;

      if (shape->is_diagram)
        continue;
      for (guint16 part = 0; part < 3; offset += sizes[part++])
        if (sizes[part] > 0)
          {
            info = (WeirSourceInfo) { .node = { n },
                                      .ticket = { (guint16) (WEIR_TICKET_Q + part) },
                                      .size = sizes[part],
                                      .index = offset };
            g_array_append_val (sources, info);
          }
      add_vectors (sources, n, shape->groups, FALSE);
      add_vectors (sources, n, shape->parameters, FALSE);
      add_vectors (sources, n, shape->inputs, TRUE);
    }
  return sources;
}

char *
weir_source_info_dup_name (const WeirLayout *self, const WeirSourceInfo *source)
{
  g_autofree char *path = weir_layout_dup_path (self, source->node);
  g_autofree char *label = weir_layout_dup_ticket_label (self, source->node, source->ticket);

  return *path == '\0' ? g_steal_pointer (&label) : g_strconcat (path, ": ", label, NULL);
}

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
  WeirOrigin origin = { weir_origin_kind_of_built_in (ticket.i), node.i, 0 };
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
    case WEIR_ORIGIN_ACCURACY:
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
  switch (weir_origin_kind_of_built_in (source->ticket.i))
    {
    case WEIR_ORIGIN_TIME:
      weir_context_set_time (self, *value);
      break;
    case WEIR_ORIGIN_ACCURACY:
      weir_context_set_accuracy (self, *value);
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

/* --- Declarations ---------------------------------------------------------------------------- */

guint
weir_layout_get_n_tickets (const WeirLayout *self, WeirNode node)
{
  return self->nodes[node.i].shape->items->len;
}

char *
weir_layout_dup_ticket_label (const WeirLayout *self, WeirNode node, WeirTicket ticket)
{
  const WeirShape *shape = self->nodes[node.i].shape;
  WeirItem item = weir_shape_item (shape, ticket.i);

  if (item.kind == WEIR_ITEM_INPUT)
    return g_strconcat ("input ", weir_shape_input (shape, item.index)->name, NULL);
  if (item.kind == WEIR_ITEM_OUTPUT)
    return g_strconcat ("output ", weir_shape_output (shape, item.index)->name, NULL);
  if (item.kind == WEIR_ITEM_ENTRY)
    return g_strconcat ("cache entry ", weir_shape_entry (shape, item.index)->name, NULL);
  if (ticket.i == WEIR_TICKET_TIME)
    return g_strdup ("time");
  return weir_shape_dup_ticket_name (shape, ticket.i);
}

char *
weir_label_translate (const char *label)
{
  static const struct {
    const char *prefix, *text;
  } kinds[] = {
    { "input ", N_ ("input %s") },
    { "output ", N_ ("output %s") },
    { "cache entry ", N_ ("cache entry %s") },
    { "parameter ", N_ ("parameter %s") },
    { "abstract parameter ", N_ ("abstract parameter %s") },
    { "discrete state ", N_ ("discrete state %s") },
    { "abstract state ", N_ ("abstract state %s") },
    { "fixed input ", N_ ("fixed input %s") },
  };
  static const char *const whole[] = {
    N_ ("time"),           N_ ("accuracy"), N_ ("state"),      N_ ("time and q"),
    N_ ("time and state"), N_ ("v and z"),  N_ ("everything"), N_ ("time derivatives"),
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_prefix (label, kinds[i].prefix))
      {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        return g_strdup_printf (_ (kinds[i].text), label + strlen (kinds[i].prefix));
#pragma GCC diagnostic pop
      }
  for (guint i = 0; i < G_N_ELEMENTS (whole); i++)
    if (g_str_equal (label, whole[i]))
      return g_strdup (_ (whole[i]));
  return g_strdup (label);
}

char *
weir_layout_describe_ticket (const WeirLayout *self, WeirNode node, WeirTicket ticket)
{
  g_autofree char *label = weir_layout_dup_ticket_label (self, node, ticket);

  return weir_label_translate (label);
}

WeirTicket
weir_layout_get_entry_ticket (const WeirLayout *self, WeirEntry entry)
{
  return (WeirTicket) { weir_layout_decl (self, entry.i)->ticket };
}

guint
weir_layout_get_declared (const WeirLayout *self, WeirEntry entry, const guint16 **tickets)
{
  const WeirEntryDecl *decl = weir_layout_decl (self, entry.i);

  *tickets = decl->depends;
  return decl->n_depends;
}

guint
weir_layout_get_primary (const WeirLayout *self, WeirEntry entry, const guint16 **tickets)
{
  const WeirEntryDecl *decl = weir_layout_decl (self, entry.i);

  *tickets = decl->primary;
  return decl->n_primary;
}

gboolean
weir_layout_stands_for (const WeirLayout *self, WeirNode node, WeirTicket ticket,
                        WeirTicket primary)
{
  const WeirShape *shape = self->nodes[node.i].shape;
  WeirItem item = weir_shape_item (shape, primary.i);
  const guint16 *parts;

  if (ticket.i == primary.i)
    return TRUE;
  if (weir_shape_item (shape, ticket.i).kind == WEIR_ITEM_OUTPUT && !shape->is_diagram)
    return weir_layout_stands_for (
        self, node,
        (WeirTicket) { weir_shape_output (shape, weir_shape_item (shape, ticket.i).index)->shown },
        primary);
  if (ticket.i >= WEIR_N_BUILT_IN_TICKETS)
    return FALSE;
  switch (ticket.i)
    {
    case WEIR_TICKET_XD:
      return item.kind == WEIR_ITEM_GROUP && weir_shape_group (shape, item.index)->type == NULL;
    case WEIR_TICKET_XA:
      return item.kind == WEIR_ITEM_GROUP && weir_shape_group (shape, item.index)->type != NULL;
    case WEIR_TICKET_PN:
      return item.kind == WEIR_ITEM_PARAMETER
             && weir_shape_parameter (shape, item.index)->type == NULL;
    case WEIR_TICKET_PA:
      return item.kind == WEIR_ITEM_PARAMETER
             && weir_shape_parameter (shape, item.index)->type != NULL;
    case WEIR_TICKET_ALL_INPUTS:
      return item.kind == WEIR_ITEM_INPUT;
    default:
      break;
    }
  parts = weir_composite_prerequisites (ticket.i);
  for (; parts != NULL && *parts != WEIR_TICKET_END; parts++)
    if (weir_layout_stands_for (self, node, (WeirTicket) { *parts }, primary))
      return TRUE;
  return FALSE;
}

/* Prerequisites precede their entries in a leaf, so this ends. */
static gboolean
reaches (const WeirShape *shape, const WeirEntryDecl *decl, guint16 ticket)
{
  for (guint k = 0; k < decl->n_primary; k++)
    {
      int local = weir_shape_find_entry (shape, decl->primary[k]);

      if (decl->primary[k] == ticket
          || (local >= 0 && weir_shape_entry (shape, (guint) local) != decl
              && reaches (shape, weir_shape_entry (shape, (guint) local), ticket)))
        return TRUE;
    }
  return FALSE;
}

gboolean
weir_layout_is_covered (const WeirLayout *self, WeirEntry entry, WeirTicket ticket)
{
  const WeirShape *shape = self->nodes[self->node_of[entry.i]].shape;
  const WeirEntryDecl *decl = weir_layout_decl (self, entry.i), *read;
  int local;

  if (ticket.i == WEIR_TICKET_XC)
    return (shape->nq > 0 && reaches (shape, decl, WEIR_TICKET_Q))
           || (shape->nv > 0 && reaches (shape, decl, WEIR_TICKET_V))
           || (shape->nz > 0 && reaches (shape, decl, WEIR_TICKET_Z))
           || shape->initial_state == NULL;
  if (reaches (shape, decl, ticket.i))
    return TRUE;

  /* An entry changes with what it declares itself, and with nothing else. */
  local = weir_shape_find_entry (shape, ticket.i);
  if (local < 0)
    return FALSE;
  read = weir_shape_entry (shape, (guint) local);
  for (guint k = 0; k < read->n_primary; k++)
    if (!weir_layout_is_covered (self, entry, (WeirTicket) { read->primary[k] }))
      return FALSE;
  return TRUE;
}

gboolean
weir_layout_is_leaf_entry (const WeirLayout *self, WeirEntry entry)
{
  return !self->nodes[self->node_of[entry.i]].shape->is_diagram;
}

gboolean
weir_layout_is_kernel_entry (const WeirLayout *self, WeirEntry entry)
{
  return weir_layout_decl (self, entry.i)->is_kernel;
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

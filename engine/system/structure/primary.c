/* Prerequisites as they are declared, expanded into the sources and entries that they stand for. */
#include "system/structure/shape-private.h"

static void
add_primary (GArray *primary, guint16 ticket)
{
  for (guint i = 0; i < primary->len; i++)
    if (g_array_index (primary, guint16, i) == ticket)
      return;
  g_array_append_val (primary, ticket);
}

/* The vectors of doubles, or the abstract ones. */
static void
add_primaries (const GArray *vectors, gboolean are_abstract, GArray *primary)
{
  for (guint i = 0; i < vectors->len; i++)
    if ((g_array_index (vectors, WeirVectorDecl, i).type != NULL) == are_abstract)
      add_primary (primary, g_array_index (vectors, WeirVectorDecl, i).ticket);
}

/* Replaces composites by what they stand for; state kinds that the leaf has none of drop out. */
static void
expand (const WeirShape *shape, guint16 ticket, GArray *primary)
{
  WeirItem item = weir_shape_item (shape, ticket);

  if (item.kind == WEIR_ITEM_OUTPUT)
    {
      expand (shape, weir_shape_output (shape, item.index)->shown, primary);
      return;
    }
  if (item.kind != WEIR_ITEM_BUILT_IN || weir_shape_find_entry (shape, ticket) >= 0
      || weir_ticket_is_common ((WeirTicket) { ticket }))
    {
      add_primary (primary, ticket);
      return;
    }
  switch (ticket)
    {
    case WEIR_TICKET_Q:
      if (shape->nq > 0)
        add_primary (primary, ticket);
      return;
    case WEIR_TICKET_V:
      if (shape->nv > 0)
        add_primary (primary, ticket);
      return;
    case WEIR_TICKET_Z:
      if (shape->nz > 0)
        add_primary (primary, ticket);
      return;
    case WEIR_TICKET_XD:
    case WEIR_TICKET_XA:
      add_primaries (shape->groups, ticket == WEIR_TICKET_XA, primary);
      return;
    case WEIR_TICKET_PN:
    case WEIR_TICKET_PA:
      add_primaries (shape->parameters, ticket == WEIR_TICKET_PA, primary);
      return;
    case WEIR_TICKET_ALL_INPUTS:
      add_primaries (shape->inputs, FALSE, primary);
      add_primaries (shape->inputs, TRUE, primary);
      return;
    default:
      for (const guint16 *p = weir_composite_prerequisites (ticket); *p != WEIR_TICKET_END; p++)
        expand (shape, *p, primary);
    }
}

GArray *
weir_shape_list_primary (const WeirShape *self, const guint16 *tickets, guint n)
{
  GArray *primary = g_array_new (FALSE, FALSE, sizeof (guint16));

  for (guint i = 0; i < n; i++)
    expand (self, tickets[i], primary);
  return primary;
}

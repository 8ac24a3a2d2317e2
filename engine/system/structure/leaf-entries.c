/* What a leaf calculates: entries of the cache, outputs, derivatives, energies, and what they
 * depend on. See leaf-private.h.
 */
#include "system/structure/leaf-private.h"

/* The type of the abstract value under a ticket; NULL if it is no abstract value. */
static const GVariantType *
operand_type (const WeirShape *shape, guint16 ticket)
{
  WeirItem item = weir_shape_item (shape, ticket);
  int entry = weir_shape_find_entry (shape, ticket);

  return entry >= 0                         ? weir_shape_entry (shape, (guint) entry)->type
         : item.kind == WEIR_ITEM_PARAMETER ? weir_shape_parameter (shape, item.index)->type
         : item.kind == WEIR_ITEM_GROUP     ? weir_shape_group (shape, item.index)->type
                                            : NULL;
}

/* How many values a kernel's operand has. */
static guint
operand_size (const WeirShape *shape, guint16 ticket)
{
  WeirItem item = weir_shape_item (shape, ticket);
  int entry = weir_shape_find_entry (shape, ticket);

  if (entry >= 0)
    return weir_shape_entry (shape, (guint) entry)->size;
  switch (item.kind)
    {
    case WEIR_ITEM_INPUT:
      return weir_shape_input (shape, item.index)->size;
    case WEIR_ITEM_PARAMETER:
      return weir_shape_parameter (shape, item.index)->size;
    case WEIR_ITEM_GROUP:
      return weir_shape_group (shape, item.index)->size;
    case WEIR_ITEM_BUILT_IN:
    case WEIR_ITEM_OUTPUT:
    case WEIR_ITEM_ENTRY:
    default:
      return weir_ticket_is_common ((WeirTicket) { ticket }) ? 1
             : ticket == WEIR_TICKET_Q                       ? shape->nq
             : ticket == WEIR_TICKET_V                       ? shape->nv
             : ticket == WEIR_TICKET_Z                       ? shape->nz
             : ticket == WEIR_TICKET_XC                      ? shape->nq + shape->nv + shape->nz
                                                             : 0;
    }
}

guint
weir_leaf_add_entry (WeirLeafBuilder *b, const char *name, WeirEntryKind kind, guint16 ticket,
                     guint size, const GVariantType *type, WeirEntryCode code, guint64 variant,
                     const WeirTicket *depends)
{
  static const WeirTicket all_sources[] = { { WEIR_TICKET_ALL_SOURCES }, { WEIR_TICKET_END } };
  WeirShape *shape = b->shape;
  g_autoptr (GArray) declared = g_array_new (FALSE, FALSE, sizeof (guint16));
  g_autoptr (GArray) primary = NULL;
  g_autoptr (GArray) broadcasts = g_array_new (FALSE, FALSE, sizeof (gboolean));
  WeirEntryDecl decl = {
    .name = g_strdup (name),
    .kind = kind,
    .size = size,
    .type = type == NULL ? NULL : g_variant_type_copy (type),
    .variant = variant,
    .is_kernel = code.kernel != NULL,
  };
  guint index = shape->entries->len;

  g_assert ((size > 0) == (type == NULL));
  g_assert ((code.calc != NULL) + (code.kernel != NULL) + (code.abstract != NULL)
            == (shape->is_loop ? 0 : 1));
  for (const WeirTicket *t = depends != NULL ? depends : all_sources; t->i != WEIR_TICKET_END; t++)
    {
      g_assert (t->i < shape->items->len); /* declared before use */
      g_array_append_val (declared, t->i);
      if (code.kernel != NULL)
        {
          guint n = operand_size (shape, t->i);

          gboolean broadcast = n == 1;

          g_assert (n == 1 || n == size); /* a kernel's operands: one value, or one an element */
          g_array_append_val (broadcasts, broadcast);
        }
    }
  if (declared->len == 0)
    g_error ("Entry \"%s\" of %s has an empty list of prerequisites; say WEIR_NOTHING for a value "
             "that depends on nothing.",
             name, shape->kind);

  primary = weir_shape_list_primary (shape, (const guint16 *) (gpointer) declared->data,
                                     declared->len);
  decl.n_depends = declared->len;
  decl.depends = g_memdup2 (declared->data, declared->len * sizeof (guint16));
  decl.broadcast = g_memdup2 (broadcasts->data, broadcasts->len * sizeof (gboolean));
  decl.n_primary = primary->len;
  decl.primary = g_memdup2 (primary->data, primary->len * sizeof (guint16));
  if (ticket < WEIR_N_BUILT_IN_TICKETS)
    {
      WeirItem *item = &g_array_index (shape->items, WeirItem, ticket);

      g_assert (item->index == G_MAXUINT16); /* declared at most once */
      item->index = (guint16) index;
      decl.ticket = ticket;
    }
  else
    decl.ticket = weir_shape_add_item (shape, WEIR_ITEM_ENTRY, index);
  g_array_append_val (shape->entries, decl);
  g_array_append_val (b->code, code);
  return index;
}

WeirCached
weir_leaf_add_cache_entry (WeirLeafBuilder *b, const char *name, guint size, WeirCalcFunc calc,
                           const WeirTicket *depends)
{
  WeirEntryCode code = { .calc = calc };

  return (WeirCached) { (guint16) weir_leaf_add_entry (b, name, WEIR_ENTRY_CACHE, WEIR_TICKET_END,
                                                       size, NULL, code, 0, depends) };
}

WeirCached
weir_leaf_add_abstract_cache_entry (WeirLeafBuilder *b, const char *name, const GVariantType *type,
                                    WeirAbstractFunc calc, const WeirTicket *depends)
{
  WeirEntryCode code = { .abstract = calc };

  return (WeirCached) { (guint16) weir_leaf_add_entry (b, name, WEIR_ENTRY_CACHE, WEIR_TICKET_END,
                                                       0, type, code, 0, depends) };
}

/* An output that shows the value under ticket @shown. */
static WeirOutput
add_output (WeirLeafBuilder *b, const char *name, guint16 shown)
{
  const GVariantType *type = operand_type (b->shape, shown);
  WeirOutputDecl decl = {
    .name = g_strdup (name),
    .size = operand_size (b->shape, shown),
    .type = type == NULL ? NULL : g_variant_type_copy (type),
    .ticket = weir_shape_add_item (b->shape, WEIR_ITEM_OUTPUT, b->shape->outputs->len),
    .shown = shown,
  };

  weir_leaf_check_name (b, WEIR_ITEM_OUTPUT, name);
  g_array_append_val (b->shape->outputs, decl);
  return (WeirOutput) { (guint16) (b->shape->outputs->len - 1) };
}

WeirOutput
weir_leaf_add_output (WeirLeafBuilder *b, const char *name, guint size, WeirCalcFunc calc,
                      const WeirTicket *depends)
{
  WeirEntryCode code = { .calc = calc };
  guint entry = weir_leaf_add_entry (b, name, WEIR_ENTRY_OUTPUT, WEIR_TICKET_END, size, NULL, code,
                                     0, depends);

  return add_output (b, name, weir_shape_entry (b->shape, entry)->ticket);
}

WeirOutput
weir_leaf_add_abstract_output (WeirLeafBuilder *b, const char *name, const GVariantType *type,
                               WeirAbstractFunc calc, const WeirTicket *depends)
{
  WeirEntryCode code = { .abstract = calc };
  guint entry = weir_leaf_add_entry (b, name, WEIR_ENTRY_OUTPUT, WEIR_TICKET_END, 0, type, code, 0,
                                     depends);

  return add_output (b, name, weir_shape_entry (b->shape, entry)->ticket);
}

WeirOutput
weir_leaf_add_output_kernel (WeirLeafBuilder *b, const char *name, guint size, WeirKernel kernel,
                             guint64 variant, const WeirTicket *operands)
{
  WeirEntryCode code = { .kernel = kernel };
  guint entry = weir_leaf_add_entry (b, name, WEIR_ENTRY_OUTPUT, WEIR_TICKET_END, size, NULL, code,
                                     variant, operands);

  return add_output (b, name, weir_shape_entry (b->shape, entry)->ticket);
}

WeirOutput
weir_leaf_add_output_window (WeirLeafBuilder *b, const char *name, WeirTicket ticket)
{
  /* A window shows something that has a value, and is no input. */
  g_assert (operand_size (b->shape, ticket.i) > 0 || operand_type (b->shape, ticket.i) != NULL);
  g_assert (weir_shape_item (b->shape, ticket.i).kind != WEIR_ITEM_INPUT);
  return add_output (b, name, ticket.i);
}

void
weir_leaf_set_output_guess (WeirLeafBuilder *b, WeirOutput out, const double *value)
{
  WeirOutputDecl *decl = &g_array_index (b->shape->outputs, WeirOutputDecl, out.i);

  g_assert (decl->type == NULL);
  g_free (decl->guess);
  decl->guess = g_memdup2 (value, decl->size * sizeof *value);
}

void
weir_leaf_set_derivatives (WeirLeafBuilder *b, WeirCalcFunc calc, const WeirTicket *depends)
{
  WeirEntryCode code = { .calc = calc };

  weir_leaf_add_entry (b, "time derivatives", WEIR_ENTRY_DERIVATIVES, WEIR_TICKET_XCDOT,
                       weir_leaf_n_states (b), NULL, code, 0, depends);
}

void
weir_leaf_set_derivatives_kernel (WeirLeafBuilder *b, WeirKernel kernel, guint64 variant,
                                  const WeirTicket *operands)
{
  WeirEntryCode code = { .kernel = kernel };

  weir_leaf_add_entry (b, "time derivatives", WEIR_ENTRY_DERIVATIVES, WEIR_TICKET_XCDOT,
                       weir_leaf_n_states (b), NULL, code, variant, operands);
}

const char *
weir_energy_name (guint16 ticket)
{
  return ticket == WEIR_TICKET_PE   ? "potential energy"
         : ticket == WEIR_TICKET_KE ? "kinetic energy"
         : ticket == WEIR_TICKET_PC ? "conservative power"
                                    : "non-conservative power";
}

void
weir_leaf_set_energy (WeirLeafBuilder *b, WeirTicket what, WeirCalcFunc calc,
                      const WeirTicket *depends)
{
  WeirEntryCode code = { .calc = calc };

  g_assert (what.i >= WEIR_TICKET_PE && what.i <= WEIR_TICKET_PNC);
  weir_leaf_add_entry (b, weir_energy_name (what.i), WEIR_ENTRY_ENERGY, what.i, 1, NULL, code, 0,
                       depends);
}

static WeirEntryDecl *
entry_of_ticket (WeirLeafBuilder *b, WeirTicket ticket)
{
  int entry = weir_shape_find_entry (b->shape, ticket.i);

  g_assert (entry >= 0); /* the ticket of an output, cache entry or built-in computation */
  return weir_shape_entry (b->shape, (guint) entry);
}

void
weir_leaf_name_elements (WeirLeafBuilder *b, WeirTicket ticket, const char *const *names,
                         const char *const *places)
{
  WeirEntryDecl *decl = entry_of_ticket (b, ticket);

  g_assert (decl->element_names == NULL && decl->element_places == NULL);
  g_assert (names == NULL || g_strv_length ((char **) names) == decl->size);
  g_assert (places == NULL || g_strv_length ((char **) places) == decl->size);
  decl->element_names = g_strdupv ((char **) names);
  decl->element_places = g_strdupv ((char **) places);
}

void
weir_leaf_set_lazy (WeirLeafBuilder *b, WeirTicket ticket)
{
  g_assert (!entry_of_ticket (b, ticket)->is_kernel);
  g_assert (b->shape->inputs->len <= 64); /* demanded inputs are kept as bits */
  entry_of_ticket (b, ticket)->is_lazy = TRUE;
}

void
weir_leaf_disable_caching_by_default (WeirLeafBuilder *b, WeirTicket ticket)
{
  entry_of_ticket (b, ticket)->starts_disabled = TRUE;
}

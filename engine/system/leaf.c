/* The leaf builder: collects declarations into a shape and functions into a system.
 *
 * A builder's mistakes are the author's mistakes and end in an assertion with a sentence; nothing
 * that a user types reaches this file unchecked.
 */
#include "system/system-private.h"

#include <math.h>
#include <string.h>

struct _WeirLeafBuilder {
  WeirShape *shape;
  GHashTable *names; /* set of names, owned; each behind its WeirItemKind */
  GArray *code;
  GArray *event_code;
};

WeirLeafBuilder *
weir_leaf_builder_new (const char *kind)
{
  WeirLeafBuilder *b = g_new0 (WeirLeafBuilder, 1);

  b->shape = weir_shape_new (kind, FALSE);
  b->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  b->code = g_array_new (FALSE, TRUE, sizeof (WeirEntryCode));
  b->event_code = g_array_new (FALSE, TRUE, sizeof (WeirEventCode));
  return b;
}

static void
check_name (WeirLeafBuilder *b, WeirItemKind kind, const char *name)
{
  if (!g_hash_table_add (b->names, g_strdup_printf ("%d %s", kind, name)))
    g_error ("%s declares \"%s\" twice.", b->shape->kind, name);
}

static guint16
add_vector (WeirLeafBuilder *b, GArray *vectors, WeirItemKind kind, const char *name,
            const double *value, guint size)
{
  WeirVectorDecl decl = {
    .name = g_strdup (name),
    .size = size,
    .ticket = weir_shape_add_item (b->shape, kind, vectors->len),
    .value = value == NULL ? NULL : g_memdup2 (value, size * sizeof *value),
  };

  g_assert (size > 0);
  check_name (b, kind, name);
  g_array_append_val (vectors, decl);
  return (guint16) (vectors->len - 1);
}

/* @value: NULL for an input. */
static guint16
add_abstract (WeirLeafBuilder *b, GArray *vectors, WeirItemKind kind, const char *name,
              const GVariantType *type, GVariant *value)
{
  WeirVectorDecl decl = {
    .name = g_strdup (name),
    .ticket = weir_shape_add_item (b->shape, kind, vectors->len),
    .type = g_variant_type_copy (type),
    .abstract = value == NULL ? NULL : g_variant_ref_sink (value),
  };

  g_assert (g_variant_type_is_definite (type));
  check_name (b, kind, name);
  g_array_append_val (vectors, decl);
  return (guint16) (vectors->len - 1);
}

WeirInput
weir_leaf_add_input (WeirLeafBuilder *b, const char *name, guint size)
{
  return (WeirInput) { add_vector (b, b->shape->inputs, WEIR_ITEM_INPUT, name, NULL, size) };
}

void
weir_leaf_set_input_default (WeirLeafBuilder *b, WeirInput in, const double *value)
{
  WeirVectorDecl *decl = &g_array_index (b->shape->inputs, WeirVectorDecl, in.i);

  g_assert (decl->type == NULL);
  g_free (decl->value);
  decl->value = g_memdup2 (value, decl->size * sizeof *value);
}

WeirInput
weir_leaf_add_abstract_input (WeirLeafBuilder *b, const char *name, const GVariantType *type)
{
  return (WeirInput) { add_abstract (b, b->shape->inputs, WEIR_ITEM_INPUT, name, type, NULL) };
}

void
weir_leaf_set_abstract_input_default (WeirLeafBuilder *b, WeirInput in, GVariant *value)
{
  WeirVectorDecl *decl = &g_array_index (b->shape->inputs, WeirVectorDecl, in.i);

  g_assert (decl->type != NULL && g_variant_is_of_type (value, decl->type));
  g_variant_ref_sink (value);
  g_clear_pointer (&decl->abstract, g_variant_unref);
  decl->abstract = value;
}

WeirParameter
weir_leaf_add_parameter (WeirLeafBuilder *b, const char *name, const double *value, guint size)
{
  return (WeirParameter) { add_vector (b, b->shape->parameters, WEIR_ITEM_PARAMETER, name, value,
                                       size) };
}

WeirParameter
weir_leaf_add_abstract_parameter (WeirLeafBuilder *b, const char *name, GVariant *value)
{
  return (WeirParameter) { add_abstract (b, b->shape->parameters, WEIR_ITEM_PARAMETER, name,
                                         g_variant_get_type (value), value) };
}

void
weir_leaf_set_continuous_state (WeirLeafBuilder *b, guint nq, guint nv, guint nz,
                                const double *initial)
{
  g_assert (b->shape->initial_state == NULL && nq + nv + nz > 0);

  b->shape->nq = nq;
  b->shape->nv = nv;
  b->shape->nz = nz;
  b->shape->initial_state = g_memdup2 (initial, (nq + nv + nz) * sizeof *initial);
}

WeirGroup
weir_leaf_add_discrete_state (WeirLeafBuilder *b, const char *name, const double *initial,
                              guint size)
{
  return (WeirGroup) { add_vector (b, b->shape->groups, WEIR_ITEM_GROUP, name, initial, size) };
}

WeirGroup
weir_leaf_add_abstract_state (WeirLeafBuilder *b, const char *name, GVariant *initial)
{
  return (WeirGroup) { add_abstract (b, b->shape->groups, WEIR_ITEM_GROUP, name,
                                     g_variant_get_type (initial), initial) };
}

/* --- Entries --------------------------------------------------------------------------------- */

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
  if (item.kind != WEIR_ITEM_BUILT_IN || weir_shape_find_entry (shape, ticket) >= 0)
    {
      add_primary (primary, ticket);
      return;
    }
  switch (ticket)
    {
    case WEIR_TICKET_TIME:
    case WEIR_TICKET_ACCURACY:
      add_primary (primary, ticket);
      return;
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
      return ticket == WEIR_TICKET_TIME || ticket == WEIR_TICKET_ACCURACY ? 1
             : ticket == WEIR_TICKET_Q                                    ? shape->nq
             : ticket == WEIR_TICKET_V                                    ? shape->nv
             : ticket == WEIR_TICKET_Z                                    ? shape->nz
             : ticket == WEIR_TICKET_XC ? shape->nq + shape->nv + shape->nz
                                        : 0;
    }
}

/* @type: of an abstract entry, whose @size is 0. */
static guint
add_entry (WeirLeafBuilder *b, const char *name, WeirEntryKind kind, guint16 ticket, guint size,
           const GVariantType *type, WeirEntryCode code, guint64 variant, const WeirTicket *depends)
{
  static const WeirTicket all_sources[] = { { WEIR_TICKET_ALL_SOURCES }, { WEIR_TICKET_END } };
  WeirShape *shape = b->shape;
  g_autoptr (GArray) declared = g_array_new (FALSE, FALSE, sizeof (guint16));
  g_autoptr (GArray) primary = g_array_new (FALSE, FALSE, sizeof (guint16));
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
  g_assert ((code.calc != NULL) + (code.kernel != NULL) + (code.abstract != NULL) == 1);
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
      expand (shape, t->i, primary);
    }
  if (declared->len == 0)
    g_error ("Entry \"%s\" of %s has an empty list of prerequisites; say WEIR_NOTHING for a value "
             "that depends on nothing.",
             name, shape->kind);

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

  return (WeirCached) { (guint16) add_entry (b, name, WEIR_ENTRY_CACHE, WEIR_TICKET_END, size, NULL,
                                             code, 0, depends) };
}

WeirCached
weir_leaf_add_abstract_cache_entry (WeirLeafBuilder *b, const char *name, const GVariantType *type,
                                    WeirAbstractFunc calc, const WeirTicket *depends)
{
  WeirEntryCode code = { .abstract = calc };

  return (WeirCached) { (guint16) add_entry (b, name, WEIR_ENTRY_CACHE, WEIR_TICKET_END, 0, type,
                                             code, 0, depends) };
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

  check_name (b, WEIR_ITEM_OUTPUT, name);
  g_array_append_val (b->shape->outputs, decl);
  return (WeirOutput) { (guint16) (b->shape->outputs->len - 1) };
}

WeirOutput
weir_leaf_add_output (WeirLeafBuilder *b, const char *name, guint size, WeirCalcFunc calc,
                      const WeirTicket *depends)
{
  WeirEntryCode code = { .calc = calc };
  guint entry = add_entry (b, name, WEIR_ENTRY_OUTPUT, WEIR_TICKET_END, size, NULL, code, 0,
                           depends);

  return add_output (b, name, weir_shape_entry (b->shape, entry)->ticket);
}

WeirOutput
weir_leaf_add_abstract_output (WeirLeafBuilder *b, const char *name, const GVariantType *type,
                               WeirAbstractFunc calc, const WeirTicket *depends)
{
  WeirEntryCode code = { .abstract = calc };
  guint entry = add_entry (b, name, WEIR_ENTRY_OUTPUT, WEIR_TICKET_END, 0, type, code, 0, depends);

  return add_output (b, name, weir_shape_entry (b->shape, entry)->ticket);
}

WeirOutput
weir_leaf_add_output_kernel (WeirLeafBuilder *b, const char *name, guint size, WeirKernel kernel,
                             guint64 variant, const WeirTicket *operands)
{
  WeirEntryCode code = { .kernel = kernel };
  guint entry = add_entry (b, name, WEIR_ENTRY_OUTPUT, WEIR_TICKET_END, size, NULL, code, variant,
                           operands);

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

static guint
n_states (const WeirShape *shape)
{
  return shape->nq + shape->nv + shape->nz;
}

void
weir_leaf_set_derivatives (WeirLeafBuilder *b, WeirCalcFunc calc, const WeirTicket *depends)
{
  WeirEntryCode code = { .calc = calc };

  add_entry (b, "time derivatives", WEIR_ENTRY_DERIVATIVES, WEIR_TICKET_XCDOT, n_states (b->shape),
             NULL, code, 0, depends);
}

void
weir_leaf_set_derivatives_kernel (WeirLeafBuilder *b, WeirKernel kernel, guint64 variant,
                                  const WeirTicket *operands)
{
  WeirEntryCode code = { .kernel = kernel };

  add_entry (b, "time derivatives", WEIR_ENTRY_DERIVATIVES, WEIR_TICKET_XCDOT, n_states (b->shape),
             NULL, code, variant, operands);
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
  add_entry (b, weir_energy_name (what.i), WEIR_ENTRY_ENERGY, what.i, 1, NULL, code, 0, depends);
}

static WeirEntryDecl *
entry_of_ticket (WeirLeafBuilder *b, WeirTicket ticket)
{
  int entry = weir_shape_find_entry (b->shape, ticket.i);

  g_assert (entry >= 0); /* the ticket of an output, cache entry or built-in computation */
  return weir_shape_entry (b->shape, (guint) entry);
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

/* --- Events, data, tickets ------------------------------------------------------------------- */

static void
add_event (WeirLeafBuilder *b, WeirTrigger trigger, WeirAction action, WeirGroup group,
           WeirEventCode code)
{
  WeirEventDecl decl = {
    .trigger = trigger.kind,
    .action = action,
    .group = group,
    .period = trigger.period,
    .offset = trigger.offset,
    .witness = trigger.witness,
    .direction = trigger.direction,
    .leaves_zero = trigger.leaves_zero,
  };

  if (trigger.kind == WEIR_TRIGGER_PERIODIC)
    g_assert (isfinite (trigger.period) && trigger.period > 0 && isfinite (trigger.offset)
              && trigger.offset >= 0);
  if (trigger.kind == WEIR_TRIGGER_CROSSING)
    g_assert (trigger.witness.i < b->shape->entries->len);
  code.next_time = trigger.next_time;
  g_assert ((trigger.kind == WEIR_TRIGGER_TIMED) == (code.next_time != NULL));
  g_array_append_val (b->shape->events, decl);
  g_array_append_val (b->event_code, code);
}

WeirTrigger
weir_on_initialization (void)
{
  return (WeirTrigger) { .kind = WEIR_TRIGGER_INITIALIZATION };
}

WeirTrigger
weir_every (double period, double offset)
{
  return (WeirTrigger) { .kind = WEIR_TRIGGER_PERIODIC, .period = period, .offset = offset };
}

WeirTrigger
weir_on_each_step (void)
{
  return (WeirTrigger) { .kind = WEIR_TRIGGER_PER_STEP };
}

WeirTrigger
weir_on_both_sides (void)
{
  return (WeirTrigger) { .kind = WEIR_TRIGGER_SIDES };
}

WeirTrigger
weir_at_times (WeirNextTimeFunc next_time)
{
  return (WeirTrigger) { .kind = WEIR_TRIGGER_TIMED, .next_time = next_time };
}

WeirTrigger
weir_on_crossing (WeirCached witness, WeirDirection direction)
{
  return (
      WeirTrigger) { .kind = WEIR_TRIGGER_CROSSING, .witness = witness, .direction = direction };
}

WeirTrigger
weir_on_change_of_sign (WeirCached witness, WeirDirection direction)
{
  WeirTrigger trigger = weir_on_crossing (witness, direction);

  trigger.leaves_zero = TRUE;
  return trigger;
}

WeirTrigger
weir_when_forced (void)
{
  return (WeirTrigger) { .kind = WEIR_TRIGGER_FORCED };
}

void
weir_leaf_add_publish (WeirLeafBuilder *b, WeirTrigger trigger, WeirPublishFunc publish)
{
  add_event (b, trigger, WEIR_ACTION_PUBLISH, (WeirGroup) { 0 },
             (WeirEventCode) { .publish = publish });
}

void
weir_leaf_add_update (WeirLeafBuilder *b, WeirTrigger trigger, WeirGroup group,
                      WeirUpdateFunc update)
{
  g_assert (weir_shape_group (b->shape, group.i)->type == NULL);
  add_event (b, trigger, WEIR_ACTION_DISCRETE_UPDATE, group, (WeirEventCode) { .update = update });
}

void
weir_leaf_add_reset (WeirLeafBuilder *b, WeirTrigger trigger, WeirUpdateFunc reset)
{
  g_assert (b->shape->initial_state != NULL); /* there is a state to reset */
  add_event (b, trigger, WEIR_ACTION_RESET, (WeirGroup) { 0 }, (WeirEventCode) { .update = reset });
}

void
weir_leaf_add_unrestricted_update (WeirLeafBuilder *b, WeirTrigger trigger,
                                   WeirUnrestrictedFunc update)
{
  add_event (b, trigger, WEIR_ACTION_UNRESTRICTED_UPDATE, (WeirGroup) { 0 },
             (WeirEventCode) { .unrestricted = update });
}

void
weir_leaf_add_break (WeirLeafBuilder *b, WeirTrigger trigger)
{
  add_event (b, trigger, WEIR_ACTION_BREAK, (WeirGroup) { 0 }, (WeirEventCode) { .update = NULL });
}

void
weir_leaf_add_periodic_update (WeirLeafBuilder *b, WeirGroup group, double period, double offset,
                               WeirUpdateFunc update)
{
  weir_leaf_add_update (b, weir_every (period, offset), group, update);
}

void
weir_leaf_set_unique_update (WeirLeafBuilder *b, double period, double offset, WeirCalcFunc calc,
                             const WeirTicket *depends)
{
  WeirEntryCode code = { .calc = calc };
  guint size = 0;

  for (guint16 g = 0; g < b->shape->groups->len; g++)
    if (weir_shape_group (b->shape, g)->type == NULL)
      {
        size += weir_shape_group (b->shape, g)->size;
        /* No function: the handler is the entry. */
        add_event (b, weir_every (period, offset), WEIR_ACTION_DISCRETE_UPDATE, (WeirGroup) { g },
                   (WeirEventCode) { .update = NULL });
      }
  add_entry (b, "unique periodic update", WEIR_ENTRY_UPDATE, WEIR_TICKET_XD_UPDATE, size, NULL,
             code, 0, depends);
}

void
weir_leaf_add_periodic_publish (WeirLeafBuilder *b, double period, double offset,
                                WeirPublishFunc publish)
{
  weir_leaf_add_publish (b, weir_every (period, offset), publish);
}

void
weir_leaf_set_data (WeirLeafBuilder *b, gconstpointer data, gsize size)
{
  g_free (b->shape->data);
  b->shape->data = g_memdup2 (data, size);
  b->shape->data_size = size;
}

WeirTicket
weir_input_ticket (WeirLeafBuilder *b, WeirInput in)
{
  return (WeirTicket) { weir_shape_input (b->shape, in.i)->ticket };
}

WeirTicket
weir_parameter_ticket (WeirLeafBuilder *b, WeirParameter parameter)
{
  return (WeirTicket) { weir_shape_parameter (b->shape, parameter.i)->ticket };
}

WeirTicket
weir_group_ticket (WeirLeafBuilder *b, WeirGroup group)
{
  return (WeirTicket) { weir_shape_group (b->shape, group.i)->ticket };
}

WeirTicket
weir_cached_ticket (WeirLeafBuilder *b, WeirCached entry)
{
  return (WeirTicket) { weir_shape_entry (b->shape, entry.i)->ticket };
}

WeirTicket
weir_output_ticket (WeirLeafBuilder *b, WeirOutput out)
{
  return (WeirTicket) { weir_shape_output (b->shape, out.i)->ticket };
}

WeirSystem *
weir_leaf_builder_build (WeirLeafBuilder *b)
{
  WeirSystem *self;

  /* State without derivatives would never be integrated. */
  g_assert ((n_states (b->shape) > 0)
            == (weir_shape_find_entry (b->shape, WEIR_TICKET_XCDOT) >= 0));
  weir_shape_seal (b->shape);
  self = weir_system_new (b->shape);
  self->code = b->code;
  self->event_code = b->event_code;
  g_hash_table_unref (b->names);
  g_free (b);
  return self;
}

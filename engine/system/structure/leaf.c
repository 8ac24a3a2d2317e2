/* The leaf builder: collects declarations into a shape and functions into a system. Mistakes are
 * the author's and end in an assertion with a sentence; nothing that a user types reaches this file
 * unchecked.
 */
#include "system/structure/leaf.h"

#include <math.h>
#include <string.h>

#include "system/structure/shape-private.h"

struct _WeirLeafBuilder {
  WeirShape *shape;
  GHashTable *names; /* set of names, owned; each behind its WeirItemKind */
  GArray *code;
  GArray *event_code;
  WeirPhaseFunc phases;
  WeirListFunc list;
  WeirUnitKind unit;
  GDestroyNotify unit_destroy;
};

static guint
n_states_of (const WeirLeafBuilder *b)
{
  return b->shape->nq + b->shape->nv + b->shape->nz;
}

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

WeirLeafBuilder *
weir_leaf_builder_new_for_loop (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Algebraic loop");

  b->shape->is_loop = TRUE;
  return b;
}

/* --- What a leaf is given: inputs, parameters, states ----------------------------------------- */

/* Ends the program if there is another @kind of that name. */
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

void
weir_leaf_name_states (WeirLeafBuilder *b, const char *const *names)
{
  g_assert (b->shape->state_names == NULL
            && g_strv_length ((char **) names) == b->shape->nq + b->shape->nv + b->shape->nz);

  b->shape->state_names = g_strdupv ((char **) names);
}

void
weir_leaf_set_state_nominals (WeirLeafBuilder *b, const double *nominals)
{
  guint n = b->shape->nq + b->shape->nv + b->shape->nz;

  g_assert (b->shape->state_nominals == NULL && n > 0);

  b->shape->state_nominals = g_memdup2 (nominals, n * sizeof *nominals);
}

void
weir_leaf_set_nominals_group (WeirLeafBuilder *b, WeirGroup group)
{
  g_assert (b->shape->nominals_group == G_MAXUINT32);
  g_assert (group.i < b->shape->groups->len
            && g_array_index (b->shape->groups, WeirVectorDecl, group.i).size
                   == b->shape->nq + b->shape->nv + b->shape->nz);

  b->shape->nominals_group = group.i;
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

void
weir_leaf_set_keeping (WeirLeafBuilder *b, WeirGroup state, const WeirAbstractKeeping *keeping)
{
  WeirVectorDecl *decl = &g_array_index (b->shape->groups, WeirVectorDecl, state.i);

  g_assert (decl->type != NULL);
  decl->keeping = keeping;
}

/* --- What it calculates: entries of the cache, outputs, derivatives, energies ----------------- */

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

/* Declares an entry; returns its index. @ticket: of one that is built in, else WEIR_TICKET_END.
 * @type: of an abstract entry, whose @size is 0. @depends: NULL for all sources. */
static guint
add_entry (WeirLeafBuilder *b, const char *name, WeirEntryKind kind, guint16 ticket, guint size,
           const GVariantType *type, WeirEntryCode code, guint64 variant, const WeirTicket *depends)
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

void
weir_leaf_set_start (WeirLeafBuilder *b, WeirCached entry, WeirGroup group)
{
  WeirStartDecl decl = { entry.i, group.i };
  WeirEntryDecl *of = weir_shape_entry (b->shape, entry.i);
  gboolean is_read = FALSE;

  for (guint k = 0; k < of->n_depends; k++)
    is_read = is_read || of->depends[k] == weir_shape_group (b->shape, group.i)->ticket;
  g_assert (is_read && of->size == weir_shape_group (b->shape, group.i)->size);
  g_array_append_val (b->shape->starts, decl);
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

void
weir_leaf_set_derivatives (WeirLeafBuilder *b, WeirCalcFunc calc, const WeirTicket *depends)
{
  WeirEntryCode code = { .calc = calc };

  add_entry (b, "time derivatives", WEIR_ENTRY_DERIVATIVES, WEIR_TICKET_XCDOT, n_states_of (b),
             NULL, code, 0, depends);
}

void
weir_leaf_set_derivatives_kernel (WeirLeafBuilder *b, WeirKernel kernel, guint64 variant,
                                  const WeirTicket *operands)
{
  WeirEntryCode code = { .kernel = kernel };

  add_entry (b, "time derivatives", WEIR_ENTRY_DERIVATIVES, WEIR_TICKET_XCDOT, n_states_of (b),
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
weir_leaf_add_output_alias (WeirLeafBuilder *b, const char *alias, const char *output)
{
  if (b->shape->aliases == NULL)
    b->shape->aliases = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_insert (b->shape->aliases, g_strdup (alias), g_strdup (output));
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
weir_leaf_set_pattern (WeirLeafBuilder *b, WeirTicket ticket, const WeirTicket *by,
                       const guint32 *first, const guint32 *columns)
{
  WeirEntryDecl *decl = entry_of_ticket (b, ticket);
  g_autoptr (GArray) tickets = g_array_new (FALSE, FALSE, sizeof (guint16));
  g_autoptr (GArray) primary = NULL;
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_assert (decl->pattern == NULL && !decl->is_kernel && decl->type == NULL);
  for (; by->i != WEIR_TICKET_END; by++)
    g_array_append_val (tickets, by->i);
  primary = weir_shape_list_primary (b->shape, (const guint16 *) (gpointer) tickets->data,
                                     tickets->len);
  for (guint i = 0; i < primary->len; i++)
    {
      guint16 part = g_array_index (primary, guint16, i);
      guint32 size = operand_size (b->shape, part);
      gboolean is_read = FALSE;

      for (guint k = 0; k < decl->n_primary; k++)
        is_read |= decl->primary[k] == part;
      if (!is_read || size == 0)
        g_error ("The pattern of \"%s\" of %s is by something that is no vector among its "
                 "prerequisites.",
                 decl->name, b->shape->kind);
      g_array_append_val (sizes, size);
    }
  decl->pattern = weir_pattern_new (primary, (const guint32 *) (gpointer) sizes->data, decl->size,
                                    first, columns);
}

WeirCached
weir_leaf_set_slopes (WeirLeafBuilder *b, const WeirTicket *of, WeirCalcFunc calc,
                      const WeirTicket *depends)
{
  guint32 n = 0;

  g_assert (b->shape->slopes == G_MAXUINT32);
  for (; of->i != WEIR_TICKET_END; of++)
    {
      WeirEntryDecl *decl = entry_of_ticket (b, *of);

      g_assert (decl->pattern != NULL && !decl->has_slopes);
      decl->has_slopes = TRUE;
      decl->first_slope = n;
      n += weir_rows_get_n_items (&decl->pattern->rows);
    }
  b->shape->slopes = b->shape->entries->len;
  return weir_leaf_add_cache_entry (b, "slopes", n, calc, depends);
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

/* --- What happens to it, and when: triggers and handlers -------------------------------------- */

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
    .n_points = trigger.n_points,
    .witness = trigger.witness,
    .direction = trigger.direction,
    .leaves_zero = trigger.leaves_zero,
    .rank = trigger.rank,
    .n_limits = trigger.n_limits,
  };

  if (trigger.kind == WEIR_TRIGGER_PERIODIC)
    g_assert (isfinite (trigger.period) && trigger.period > 0 && isfinite (trigger.offset)
              && trigger.offset >= 0);
  if (trigger.kind == WEIR_TRIGGER_CROSSING)
    g_assert (trigger.witness.i < b->shape->entries->len
              && (trigger.direction != WEIR_TURNS || action == WEIR_ACTION_BREAK));
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
weir_every_point (double delay, guint n_points)
{
  WeirTrigger trigger = weir_every (delay / n_points, 0);

  trigger.n_points = n_points;
  return trigger;
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
weir_on_turn (WeirCached witness)
{
  return weir_on_crossing (witness, WEIR_TURNS);
}

WeirTrigger
weir_on_change_of_sign (WeirCached witness, WeirDirection direction)
{
  WeirTrigger trigger = weir_on_crossing (witness, direction);

  trigger.leaves_zero = TRUE;
  return trigger;
}

WeirTrigger
weir_at_limits (WeirTrigger trigger, guint n)
{
  trigger.n_limits = n;
  return trigger;
}

WeirTrigger
weir_after_modes (WeirTrigger trigger)
{
  trigger.rank = WEIR_RANK_MEMORY;
  return trigger;
}

WeirTrigger
weir_at_edge (WeirTrigger trigger)
{
  trigger.rank = WEIR_RANK_EDGE;
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
weir_leaf_set_phases (WeirLeafBuilder *b, guint n, WeirPhaseFunc phases)
{
  g_assert (b->shape->n_phases == 0 && n > 0 && phases != NULL);

  b->shape->n_phases = n;
  b->phases = phases;
}

void
weir_leaf_set_list (WeirLeafBuilder *b, WeirListFunc list)
{
  b->list = list;
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

/* --- Units ------------------------------------------------------------------------------------ */

void
weir_leaf_own_names (WeirLeafBuilder *b)
{
  b->shape->has_own_names = TRUE;
}

void
weir_leaf_set_unit (WeirLeafBuilder *b, const WeirUnitClass *class, gpointer data,
                    GDestroyNotify destroy, guint n_steps, int place)
{
  g_assert (!b->shape->is_unit && n_steps > 0);

  b->shape->is_unit = b->shape->has_own_names = TRUE;
  b->shape->unit_n_steps = n_steps;
  b->shape->unit_place = place;
  b->shape->unit_activity = weir_leaf_add_parameter (b, WEIR_UNIT_ACTIVITY,
                                                     &(double) { WEIR_UNIT_ON }, 1);
  b->unit = (WeirUnitKind) { class, data };
  b->unit_destroy = destroy;
}

void
weir_leaf_set_unit_activity (WeirLeafBuilder *b, WeirUnitActivity activity)
{
  g_assert (b->shape->is_unit);

  g_array_index (b->shape->parameters, WeirVectorDecl, b->shape->unit_activity.i)
      .value[0] = activity;
}

WeirOutput
weir_leaf_add_unit_output (WeirLeafBuilder *b, const char *name, guint size, const double *initial)
{
  g_autofree double *zeros = g_new0 (double, size);
  WeirGroup group = weir_leaf_add_discrete_state (b, name, initial != NULL ? initial : zeros, size);

  return weir_leaf_add_output_window (b, name, weir_group_ticket (b, group));
}

WeirOutput
weir_leaf_add_abstract_unit_output (WeirLeafBuilder *b, const char *name, GVariant *initial)
{
  WeirGroup group = weir_leaf_add_abstract_state (b, name, initial);

  return weir_leaf_add_output_window (b, name, weir_group_ticket (b, group));
}

/* Nothing but the unit's steps writes its groups, and there is one for each output. */
static gboolean
is_sound_unit (const WeirShape *shape)
{
  if (shape->entries->len > 0 || shape->events->len > 0 || shape->initial_state != NULL
      || shape->groups->len != shape->outputs->len)
    return FALSE;
  for (guint i = 0; i < shape->outputs->len; i++)
    if (weir_shape_output (shape, i)->shown != weir_shape_group (shape, i)->ticket)
      return FALSE;
  return TRUE;
}

/* --- Data, tickets --------------------------------------------------------------------------- */

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
  g_assert ((n_states_of (b) > 0) == (weir_shape_find_entry (b->shape, WEIR_TICKET_XCDOT) >= 0));
  g_assert (!b->shape->is_unit || is_sound_unit (b->shape));
  weir_shape_seal (b->shape);
  self = weir_system_new (b->shape);
  self->unit = b->unit;
  self->unit_destroy = b->unit_destroy;
  self->code = b->code;
  self->event_code = b->event_code;
  self->phases = b->phases;
  self->list = b->list;
  g_hash_table_unref (b->names);
  g_free (b);
  return self;
}

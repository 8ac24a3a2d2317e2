/* The leaf builder: collects declarations into a shape and functions into a system. Here is what a
 * leaf is given: inputs, parameters, states, data. See leaf-private.h.
 */
#include "system/structure/leaf-private.h"

#include <string.h>

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

void
weir_leaf_check_name (WeirLeafBuilder *b, WeirItemKind kind, const char *name)
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
  weir_leaf_check_name (b, kind, name);
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
  weir_leaf_check_name (b, kind, name);
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
  g_assert ((weir_leaf_n_states (b) > 0)
            == (weir_shape_find_entry (b->shape, WEIR_TICKET_XCDOT) >= 0));
  weir_shape_seal (b->shape);
  self = weir_system_new (b->shape);
  self->code = b->code;
  self->event_code = b->event_code;
  self->phases = b->phases;
  g_hash_table_unref (b->names);
  g_free (b);
  return self;
}

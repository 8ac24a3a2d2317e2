/* Leaves made from tables. See family.h. */
#include "blocks/types/family.h"

#include <string.h>

/* What is being made, and what is known of it by name. */
typedef struct {
  const WeirArguments *arguments;
  const WeirBlockType *type;
  const guint *sizes; /* of the inputs */
  guint size;         /* of the first output, or of the widest input */
  gboolean spreads;   /* inputs and parameters are of that size, or spread over it */
  WeirLeafBuilder *b;
  GArray *inputs;   /* WeirPortSpec */
  GArray *tickets;  /* WeirTicket, of the inputs, then of the tunable parameters */
  WeirTicket group; /* of the discrete state */
  GArray *read;     /* WeirTicket, of the value in hand */
} Making;

/* --- Names ----------------------------------------------------------------------------------- */

static const WeirTicket *
find_own (const Making *m, const char *name)
{
  const WeirTicket *tickets = (const WeirTicket *) (void *) m->tickets->data;
  guint k = 0;

  for (; k < m->inputs->len; k++)
    if (strcmp (g_array_index (m->inputs, WeirPortSpec, k).name, name) == 0)
      return &tickets[k];
  for (guint i = 0; i < m->type->n_parameters; i++)
    if (m->type->parameters[i].tunable != NULL)
      {
        if (strcmp (m->type->parameters[i].tunable, name) == 0)
          return &tickets[k];
        k++;
      }
  return g_strcmp0 (m->type->leaf->group.name, name) == 0 ? &m->group : NULL;
}

static WeirTicket
find (const Making *m, const char *name)
{
  static const struct {
    const char *name;
    WeirTicket ticket;
  } built_in[] = {
    { "t", { WEIR_TICKET_TIME } },
    { "q", { WEIR_TICKET_Q } },
    { "v", { WEIR_TICKET_V } },
    { "z", { WEIR_TICKET_Z } },
  };
  const WeirTicket *own = find_own (m, name);

  if (own != NULL)
    return *own;
  for (guint i = 0; i < G_N_ELEMENTS (built_in); i++)
    if (strcmp (built_in[i].name, name) == 0)
      return built_in[i].ticket;
  g_error ("Block type %s has nothing called \"%s\" to read.", m->type->name, name);
}

/* What @value reads; lives until the next call. */
static const WeirTicket *
list_read (Making *m, const WeirLeafValue *value)
{
  const WeirTicket end = { WEIR_TICKET_END };

  if (value->reads == NULL && value->calc != NULL)
    return NULL;
  g_array_set_size (m->read, 0);
  if (value->reads == NULL)
    g_array_append_vals (m->read, m->tickets->data, m->inputs->len);
  for (guint i = 0; value->reads != NULL && value->reads[i] != NULL; i++)
    {
      WeirTicket ticket = find (m, value->reads[i]);

      g_array_append_val (m->read, ticket);
    }
  g_array_append_val (m->read, end);
  return (const WeirTicket *) (void *) m->read->data;
}

/* --- Sizes ----------------------------------------------------------------------------------- */

static guint
find_size (const Making *m, const GArray *outputs)
{
  guint own = outputs->len > 0 ? g_array_index (outputs, WeirPortSpec, 0).size : 0;

  if (own > 0)
    return own;
  if (m->type->get_output_size != NULL)
    return m->type->get_output_size (m->arguments, m->sizes, 0);
  return weir_widest (m->sizes, m->inputs->len, 1);
}

static gboolean
check_sizes (const Making *m, GError **error)
{
  for (guint i = 0; i < m->inputs->len; i++)
    {
      const WeirPortSpec *port = &g_array_index (m->inputs, WeirPortSpec, i);
      g_autofree char *what = g_strdup_printf ("Input %s", port->name);

      if ((port->size > 0 || m->spreads)
          && !weir_check_size (what, m->sizes[i], port->size > 0 ? port->size : m->size, error))
        return FALSE;
    }
  for (guint i = 0; m->spreads && i < m->type->n_parameters; i++)
    {
      const WeirParameterSpec *spec = &m->type->parameters[i];
      g_autofree char *what = g_strdup_printf ("Parameter %s", spec->name);
      guint size;

      if (spec->tunable == NULL)
        continue;
      weir_arguments_get_vector (m->arguments, spec->name, &size);
      if (!weir_check_size (what, size, m->size, error))
        return FALSE;
    }
  return TRUE;
}

/* The @n values at the start: 0, those of one vector, or a number each. (transfer full) NULL and
 * @error if the vector has another size. */
static double *
dup_initial (const Making *m, const char *const *initial, guint n, GError **error)
{
  double *values;

  if (initial != NULL && initial[1] == NULL)
    return weir_arguments_dup_vector_of_size (m->arguments, initial[0], n, error);
  values = g_new0 (double, n + 1);
  for (guint i = 0; initial != NULL && initial[i] != NULL; i++)
    values[i] = weir_arguments_get_number (m->arguments, initial[i]);
  return values;
}

/* --- Declaring ------------------------------------------------------------------------------- */

static void
add_ports_and_parameters (Making *m)
{
  for (guint i = 0; i < m->inputs->len; i++)
    {
      const char *name = g_array_index (m->inputs, WeirPortSpec, i).name;
      WeirTicket ticket = weir_input_ticket (m->b, weir_leaf_add_input (m->b, name, m->sizes[i]));

      g_array_append_val (m->tickets, ticket);
    }
  for (guint i = 0; i < m->type->n_parameters; i++)
    if (m->type->parameters[i].tunable != NULL)
      {
        WeirTicket ticket = weir_parameter_ticket (
            m->b, weir_leaf_add_tunable (m->b, m->arguments, m->type->parameters[i].name));

        g_array_append_val (m->tickets, ticket);
      }
}

static void
add_derivatives (Making *m, const WeirLeafValue *value)
{
  guint64 variant = m->type->leaf->get_variant != NULL ? m->type->leaf->get_variant (m->arguments)
                                                       : 0;

  if (value->kernel != NULL)
    weir_leaf_set_derivatives_kernel (m->b, value->kernel, variant, list_read (m, value));
  else
    weir_leaf_set_derivatives (m->b, value->calc, list_read (m, value));
}

static void
add_output (Making *m, const WeirLeafValue *value)
{
  guint64 variant = m->type->leaf->get_variant != NULL ? m->type->leaf->get_variant (m->arguments)
                                                       : 0;

  if (value->kernel != NULL)
    weir_leaf_add_output_kernel (m->b, value->name, m->size, value->kernel, variant,
                                 list_read (m, value));
  else if (value->calc != NULL)
    weir_leaf_add_output (m->b, value->name, m->size, value->calc, list_read (m, value));
  else
    weir_leaf_add_output_window (m->b, value->name, *list_read (m, value));
}

static void
add_events (Making *m, WeirGroup group)
{
  const WeirLeafTable *table = m->type->leaf;

  if (table->kinks.name != NULL)
    weir_leaf_add_break (
        m->b, weir_on_crossing (weir_leaf_add_cache_entry (
                                    m->b, table->kinks.name, MAX (table->kinks.n, 1) * m->size,
                                    table->kinks.calc, list_read (m, &table->kinks)),
                                WEIR_CROSSES));
  if (table->next_jump != NULL)
    weir_leaf_add_break (m->b, weir_at_times (table->next_jump));
  if (table->group.name != NULL)
    weir_leaf_add_update (m->b,
                          table->group.is_on_each_step ? weir_on_each_step ()
                                                       : weir_every_period (m->arguments),
                          group, table->group.update);
  if (table->phase != NULL)
    weir_leaf_set_phases (m->b, 1, table->phase);
}

/* All that can be refused is, before the builder is made. */
static WeirSystem *
build (Making *m, GError **error)
{
  const WeirLeafTable *table = m->type->leaf;
  const WeirLeafState *state = &table->state;
  guint n_group = m->inputs->len > 0 ? m->sizes[0] : m->size;
  guint nz = state->is_for_each   ? m->size * state->nz
             : state->is_of_input ? m->sizes[0] * state->nz
                                  : state->nz;
  guint n_states = state->nq + state->nv + nz;
  g_autofree double *initial = dup_initial (m, state->initial, n_states, error);
  g_autofree double *first = NULL;
  WeirGroup group = { 0 };

  if (initial == NULL)
    return NULL;
  first = dup_initial (m, table->group.initial, n_group, error);
  if (first == NULL || !check_sizes (m, error))
    return NULL;
  m->b = weir_leaf_builder_new (m->type->name);
  add_ports_and_parameters (m);
  if (table->group.name != NULL)
    {
      group = weir_leaf_add_discrete_state (m->b, table->group.name, first, n_group);
      m->group = weir_group_ticket (m->b, group);
    }
  if (n_states > 0)
    {
      weir_leaf_set_continuous_state (m->b, state->nq, state->nv, nz, initial);
      add_derivatives (m, &table->derivatives);
    }
  if (table->y.name != NULL)
    add_output (m, &table->y);
  add_events (m, group);
  return weir_leaf_builder_build (m->b);
}

WeirSystem *
weir_build_from_table (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  g_autoptr (GArray) inputs = weir_arguments_list_inputs (arguments);
  g_autoptr (GArray) outputs = weir_arguments_list_outputs (arguments);
  g_autoptr (GArray) tickets = g_array_new (FALSE, FALSE, sizeof (WeirTicket));
  g_autoptr (GArray) read = g_array_new (FALSE, FALSE, sizeof (WeirTicket));
  Making m = { .arguments = arguments,
               .type = weir_arguments_get_type (arguments),
               .sizes = sizes,
               .inputs = inputs,
               .tickets = tickets,
               .read = read };

  if (m.type->leaf->accept != NULL && !m.type->leaf->accept (arguments, sizes, error))
    return NULL;
  m.size = find_size (&m, outputs);
  m.spreads = outputs->len > 0 && g_array_index (outputs, WeirPortSpec, 0).size == 0;
  return build (&m, error);
}

/* Where the values of a leaf made from equations lie: its data, its ports, states and discrete
 * groups, and for each atom the source or the unknown that gives its value.
 */
#include "blocks/equations/compile-private.h"

#include <string.h>

/* --- Data ------------------------------------------------------------------------------------ */

/* Offsets are multiples of 8. */
guint32
weir_compiler_append_data (WeirCompiler *self, gconstpointer bytes, gsize size)
{
  static const guint8 zeros[8];
  guint32 offset = self->data->len;

  if (size > 0)
    g_byte_array_append (self->data, bytes, (guint) size);
  if (self->data->len % 8 != 0)
    g_byte_array_append (self->data, zeros, 8 - self->data->len % 8);
  return offset;
}

guint32
weir_compiler_append_array (WeirCompiler *self, const GArray *array)
{
  return weir_compiler_append_data (self, array->data,
                                    array->len * g_array_get_element_size ((GArray *) array));
}

guint32
weir_compiler_append_text (WeirCompiler *self, const char *text)
{
  return weir_compiler_append_data (self, text, strlen (text) + 1);
}

/* --- Places ---------------------------------------------------------------------------------- */

const WeirEquationBlock *
weir_compiler_get_block (const WeirCompiler *self, guint i)
{
  return g_ptr_array_index (self->equations->blocks, i);
}

static WeirPlace *
add_place (WeirCompiler *self, WeirExpr atom)
{
  WeirPlace *place = g_new0 (WeirPlace, 1);

  g_hash_table_replace (self->places, GUINT_TO_POINTER (atom.i + 1), place);
  return place;
}

const WeirPlace *
weir_compiler_get_place (const WeirCompiler *self, WeirExpr atom)
{
  const WeirPlace *place = g_hash_table_lookup (self->places, GUINT_TO_POINTER (atom.i + 1));

  g_assert (place != NULL);
  return place;
}

guint32
weir_compiler_add_source (WeirCompiler *self, WeirOperandKind kind, guint32 index,
                          WeirTicket ticket)
{
  WeirOperandSource source = { kind, index, ticket };

  g_array_append_val (self->sources, source);
  return self->sources->len - 1;
}

void
weir_compiler_place_atom (WeirCompiler *self, WeirExpr atom, guint32 source, guint32 element)
{
  WeirPlace *place = add_place (self, atom);

  place->source = source;
  place->element = element;
}

gboolean
weir_is_tick_variable (const WeirVariable *variable)
{
  return variable->role == WEIR_ROLE_DISCRETE && variable->depth > 0;
}

/* --- Names ----------------------------------------------------------------------------------- */

/* Elements are counted as outside of texts, from 0. */
void
weir_compiler_find_names (WeirCompiler *self)
{
  for (guint i = 0; i < self->equations->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (self->equations->variables, i);

      for (guint j = 0; j < variable->size; j++)
        g_hash_table_insert (self->names, GUINT_TO_POINTER (variable->elements[j].i + 1),
                             variable->size > 1 ? g_strdup_printf ("%s[%u]", variable->name, j)
                                                : g_strdup (variable->name));
    }
}

/* "x", "x[0]", "D(x)", "D(D(x))": orders are few. */
char *
weir_compiler_dup_name (const WeirCompiler *self, WeirExpr atom)
{
  g_autofree char *made = NULL;
  const char *found;
  GString *name;
  guint order = 0;

  for (; weir_expr_get_op (self->pool, atom) == WEIR_OP_DER; order++)
    atom = weir_expr_get_arg (self->pool, atom, 0);
  found = g_hash_table_lookup (self->names, GUINT_TO_POINTER (atom.i + 1));
  /* What the equations needed besides, an impulse, is called as it was made. */
  if (found == NULL)
    made = weir_equations_decode_path (weir_expr_get_name (self->pool, atom));
  name = g_string_new (found != NULL ? found : made);
  for (; order > 0; order--)
    {
      g_string_prepend (name, "D(");
      g_string_append_c (name, ')');
    }
  return g_string_free (name, FALSE);
}

static char *
dup_line (const WeirEquations *equations, guint32 line)
{
  static const char *const none[] = { NULL };
  g_autofree char *text = line > 0 ? g_strdup_printf ("line %u", line) : g_strdup ("");

  if (equations->places != NULL && line > 0)
    return g_strdup (equations->places[line - 1]);
  return weir_extended_name_lines (
      equations->extended != NULL ? (const char *const *) equations->extended : none, text);
}

void
weir_compiler_name_elements (WeirCompiler *self, WeirTicket ticket, const WeirExpr *atoms,
                             const guint32 *lines, guint n)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) places = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n; i++)
    {
      if (atoms != NULL)
        g_ptr_array_add (names, weir_compiler_dup_name (self, atoms[i]));
      if (lines != NULL)
        g_ptr_array_add (places, dup_line (self->equations, lines[i]));
    }
  g_ptr_array_add (names, NULL);
  g_ptr_array_add (places, NULL);
  weir_leaf_name_elements (self->builder, ticket,
                           atoms != NULL ? (const char *const *) names->pdata : NULL,
                           lines != NULL ? (const char *const *) places->pdata : NULL);
}

/* --- Ports and states ------------------------------------------------------------------------ */

void
weir_compiler_declare_ports (WeirCompiler *self)
{
  const GPtrArray *variables = self->equations->variables;

  for (guint i = 0; i < variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (variables, i);
      guint32 source;

      if (variable->role == WEIR_ROLE_INPUT)
        {
          WeirInput in = weir_leaf_add_input (self->builder, variable->name, variable->size);

          if (variable->value != NULL)
            weir_leaf_set_input_default (self->builder, in, variable->value);
          source = weir_compiler_add_source (self, WEIR_OPERAND_INPUT, in.i,
                                             weir_input_ticket (self->builder, in));
        }
      else if (variable->role == WEIR_ROLE_PARAMETER && !variable->is_bound)
        {
          WeirParameter p = weir_leaf_add_parameter (self->builder, variable->name, variable->value,
                                                     variable->size);

          source = weir_compiler_add_source (self, WEIR_OPERAND_PARAMETER, p.i,
                                             weir_parameter_ticket (self->builder, p));
        }
      else if (variable->role == WEIR_ROLE_DISCRETE && !weir_is_tick_variable (variable))
        {
          WeirGroup g = weir_leaf_add_discrete_state (self->builder, variable->name,
                                                      variable->value, variable->size);

          source = weir_compiler_add_source (self, WEIR_OPERAND_DISCRETE, g.i,
                                             weir_group_ticket (self->builder, g));
        }
      else
        continue;
      for (guint j = 0; j < variable->size; j++)
        weir_compiler_place_atom (self, variable->elements[j], source, j);
    }
}

/* The variables in k change together: one group holds x(k), x(k-1), ... of each. */
void
weir_compiler_declare_ticks (WeirCompiler *self)
{
  const GPtrArray *variables = self->equations->variables;
  g_autoptr (GArray) initial = g_array_new (FALSE, FALSE, sizeof (double));
  guint32 source, element = 0;

  for (guint i = 0; i < variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (variables, i);

      if (weir_is_tick_variable (variable))
        for (guint d = 0; d < variable->depth; d++)
          g_array_append_vals (initial, variable->value, variable->size);
    }
  if (initial->len == 0)
    return;
  self->ticks = weir_leaf_add_discrete_state (self->builder, WEIR_NAME_TICKS,
                                              (double *) initial->data, initial->len);
  source = weir_compiler_add_source (self, WEIR_OPERAND_DISCRETE, self->ticks.i,
                                     weir_group_ticket (self->builder, self->ticks));
  for (guint i = 0; i < variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (variables, i);

      for (guint d = 0; weir_is_tick_variable (variable) && d < variable->depth; d++)
        for (guint j = 0; j < variable->size; j++, element++)
          {
            WeirExpr past[2] = { variable->elements[j],
                                 weir_expr_number (self->pool, -(double) (d + 1)) };

            /* Between ticks x is x(k); at a tick that same value has become x(k-1). */
            if (d == 0)
              weir_compiler_place_atom (self, variable->elements[j], source, element);
            weir_compiler_place_atom (self, weir_expr_make (self->pool, WEIR_OP_SHIFT, past, 2),
                                      source, element);
          }
    }
}

void
weir_compiler_declare_states (WeirCompiler *self)
{
  const GArray *states = self->equations->states;
  g_autofree double *initial = g_new0 (double, states->len + 1);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  guint32 source;

  if (states->len == 0)
    return;
  source = weir_compiler_add_source (self, WEIR_OPERAND_STATE, 0, WEIR_Z);
  for (guint i = 0; i < states->len; i++)
    {
      const WeirState *state = &g_array_index (states, WeirState, i);

      initial[i] = state->initial;
      g_ptr_array_add (names, weir_compiler_dup_name (self, state->atom));
      weir_compiler_place_atom (self, state->atom, source, i);
    }
  weir_leaf_set_continuous_state (self->builder, 0, 0, states->len, initial);
  g_ptr_array_add (names, NULL);
  weir_leaf_name_states (self->builder, (const char *const *) names->pdata);
}

void
weir_compiler_place_unknowns (WeirCompiler *self)
{
  for (guint i = 0; i < self->equations->blocks->len; i++)
    {
      const WeirEquationBlock *block = weir_compiler_get_block (self, i);

      for (guint j = 0; j < block->n; j++)
        {
          WeirPlace *place = add_place (self, block->unknowns[j]);

          place->is_unknown = TRUE;
          place->block = i;
          place->place = j;
        }
    }
}

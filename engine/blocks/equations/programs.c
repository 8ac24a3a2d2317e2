/* From groups of expressions to computations: which programs each of them is made of. */
#include "blocks/equations/compile-private.h"

#include <string.h>

#define MAX_NAMES 10
#define NO_START ((WeirGroup) { G_MAXUINT16 })

/* As a sentence has them, then each, of many the first. */
static guint32
append_names (WeirCompiler *self, const WeirEquationBlock *block)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *list = NULL;
  guint n = MIN (block->n, MAX_NAMES);

  for (guint i = 0; i < n; i++)
    {
      char *name = weir_expr_describe (self->pool, block->unknowns[i]);

      g_ptr_array_add (names, name);
      g_string_append_len (text, name, (gssize) strlen (name) + 1);
    }
  if (block->n > n)
    g_ptr_array_add (names, g_strdup_printf ("%u more", block->n - n));
  g_ptr_array_add (names, NULL);
  list = weir_text_enumerate ((const char *const *) names->pdata);
  g_string_insert_len (text, 0, list, (gssize) strlen (list) + 1);
  return weir_compiler_append_data (self, text->str, text->len + 1);
}

/* Where what a group solves for is looked for from, if it is not linear: at first at the guesses.
 * G_MAXUINT16: nothing is looked for. */
static WeirGroup
add_start (WeirCompiler *self, const WeirValueGroup *group, guint32 index)
{
  g_autofree double *start = g_new0 (double, group->size);
  g_autofree char *name = g_strdup_printf (WEIR_NAME_START, index + 1);
  gboolean is_sought = FALSE;
  guint place = 0;

  for (guint i = 0; i < group->blocks->len; i++)
    {
      const WeirEquationBlock *block = weir_compiler_get_block (
          self, g_array_index (group->blocks, guint32, i));

      if (block->value.i == WEIR_NO_EXPR.i && !block->is_linear)
        {
          memcpy (start + place, block->guess, block->n * sizeof *start);
          is_sought = TRUE;
        }
      place += block->n;
    }
  return is_sought ? weir_leaf_add_discrete_state (self->builder, name, start, group->size)
                   : NO_START;
}

static void
add_solved (WeirMaking *self, const WeirEquationBlock *block, guint first, WeirGroup start)
{
  WeirCompiler *compiler = self->compiler;
  const WeirJacobian *jacobian = block->jacobian;
  guint n_entries = jacobian->first[block->n];
  WeirPart part = { .kind = WEIR_PART_SOLVED, .first = first, .n = block->n };
  g_autoptr (GArray) outputs = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 0; i < block->n; i++)
    for (guint j = jacobian->first[i]; j < jacobian->first[i + 1]; j++)
      g_array_append_val (rows, i);
  g_array_append_vals (outputs, block->residuals, block->n);
  if (n_entries > 0)
    g_array_append_vals (outputs, jacobian->entry, n_entries);
  if (block->n_exponents > 0)
    g_array_append_vals (outputs, block->exponents, 2 * block->n_exponents);
  part.n_exponents = block->n_exponents;
  part.exponent_rows = weir_compiler_append_data (compiler, block->exponent_rows,
                                                  block->n_exponents * sizeof (guint32));
  part.is_linear = block->is_linear;
  part.start = block->is_linear ? G_MAXUINT32 : start.i;
  part.lower = block->band.lower;
  part.upper = block->band.upper;
  part.rows = weir_compiler_append_array (compiler, rows);
  part.columns = weir_compiler_append_data (compiler, jacobian->column,
                                            n_entries * sizeof (guint32));
  part.guess = weir_compiler_append_data (compiler, block->guess, block->n * sizeof (double));
  part.lines = weir_compiler_append_data (compiler, block->lines, block->n * sizeof (guint32));
  part.text = append_names (compiler, block);
  weir_making_set_program (self, &part, (WeirExpr *) outputs->data, outputs->len, block->unknowns,
                           block->n);
  g_array_append_val (self->parts, part);
}

static void
add_assertions (WeirMaking *self)
{
  const GPtrArray *assertions = self->compiler->equations->assertions;

  for (guint i = 0; i < assertions->len; i++)
    {
      const WeirAssertion *assertion = g_ptr_array_index (assertions, i);
      guint32 line = (guint32) assertion->line;
      WeirPart part = { .kind = WEIR_PART_ASSERTED };

      part.lines = weir_compiler_append_data (self->compiler, &line, sizeof line);
      if (assertion->message != NULL)
        part.text = weir_compiler_append_text (self->compiler, assertion->message);
      weir_making_set_program (self, &part, &assertion->condition, 1, NULL, 0);
      g_array_append_val (self->parts, part);
    }
}

/* The values of a group: runs of explicit ones as one program each, between those that are
 * solved. */
void
weir_compiler_make_group (WeirCompiler *self, guint32 index)
{
  WeirValueGroup *group = g_ptr_array_index (self->groups, index);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) unknowns = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) all_lines = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree char *name = NULL;
  WeirComputation computation;
  WeirMaking making;
  guint first = 0, place = 0;
  WeirGroup start = add_start (self, group, index);

  weir_making_init (&making, self, index);
  if (start.i != NO_START.i)
    weir_making_add_ticket (&making, weir_group_ticket (self->builder, start));
  for (guint i = 0; i < group->blocks->len; i++)
    {
      guint32 b = g_array_index (group->blocks, guint32, i);
      const WeirEquationBlock *block = weir_compiler_get_block (self, b);
      WeirExpr value;

      g_array_append_vals (unknowns, block->unknowns, block->n);
      g_array_append_vals (all_lines, block->lines, block->n);
      if (block->value.i == WEIR_NO_EXPR.i)
        {
          weir_making_add_explicit (&making, values, lines, first);
          g_array_set_size (values, 0);
          g_array_set_size (lines, 0);
          g_hash_table_remove_all (making.inlined);
          add_solved (&making, block, place, start);
          place += block->n;
          first = place;
          continue;
        }
      value = weir_expr_replace (self->pool, block->value, weir_making_get_inlined, &making, NULL);
      g_hash_table_insert (making.inlined, GUINT_TO_POINTER (block->unknowns[0].i + 1),
                           GUINT_TO_POINTER (value.i + 1));
      g_array_append_val (values, value);
      g_array_append_val (lines, block->lines[0]);
      place++;
    }
  weir_making_add_explicit (&making, values, lines, first);
  computation = weir_making_end (&making);
  name = g_strdup_printf (WEIR_NAME_VALUES, index + 1);
  group->entry = weir_leaf_add_cache_entry (self->builder, name, group->size, weir_equations_calc,
                                            (WeirTicket *) making.depends->data);
  group->is_made = TRUE;
  if (start.i != NO_START.i)
    weir_leaf_set_start (self->builder, group->entry, start);
  weir_compiler_find_group_pattern (self, index,
                                    (const WeirTicket *) (gpointer) making.depends->data);
  weir_compiler_name_elements (self, weir_cached_ticket (self->builder, group->entry),
                               (const WeirExpr *) unknowns->data, (const guint32 *) all_lines->data,
                               unknowns->len);
  g_array_append_val (self->entry_computations, computation);
  g_array_unref (making.depends);
}

/* Expressions as one program. */
WeirComputation
weir_compiler_make_simple (WeirCompiler *self, const GArray *values, const GArray *lines,
                           gboolean is_asserting, GArray **depends)
{
  WeirMaking making;
  WeirComputation computation;

  weir_making_init (&making, self, G_MAXUINT32);
  weir_making_add_explicit (&making, values, lines, 0);
  if (is_asserting)
    add_assertions (&making);
  computation = weir_making_end (&making);
  *depends = making.depends;
  return computation;
}

gboolean
weir_compiler_is_whole_group (const WeirCompiler *self, const WeirVariable *variable,
                              WeirTicket *ticket)
{
  const WeirPlace *first = weir_compiler_get_place (self, variable->elements[0]);
  const WeirValueGroup *group;

  if (!first->is_unknown)
    {
      const WeirOperandSource *source = &g_array_index (self->sources, WeirOperandSource,
                                                        first->source);
      guint n = source->kind == WEIR_OPERAND_STATE ? self->equations->states->len : 0;

      *ticket = source->ticket;
      if (source->kind == WEIR_OPERAND_DISCRETE)
        return !weir_is_tick_variable (variable);
      return n == variable->size && variable->order == 1;
    }
  group = g_ptr_array_index (self->groups, self->group_of[first->block]);
  *ticket = weir_cached_ticket (self->builder, group->entry);
  if (group->size != variable->size)
    return FALSE;
  for (guint i = 0; i < variable->size; i++)
    {
      const WeirPlace *place = weir_compiler_get_place (self, variable->elements[i]);

      if (self->first_of[place->block] + place->place != i)
        return FALSE;
    }
  return TRUE;
}

/* The making of one computation: its programs, their operands, and what it therefore depends on. A
 * computation declares exactly what its programs read: so the cache is as tight as the mathematics.
 */
#include "blocks/equations/compile-private.h"

#include <string.h>

void
weir_making_init (WeirMaking *self, WeirCompiler *compiler, guint32 group)
{
  self->compiler = compiler;
  self->parts = g_array_new (FALSE, FALSE, sizeof (WeirPart));
  self->tickets = g_hash_table_new (NULL, NULL);
  self->depends = g_array_new (FALSE, FALSE, sizeof (WeirTicket));
  self->inlined = g_hash_table_new (NULL, NULL);
  self->group = group;
}

void
weir_making_add_ticket (WeirMaking *self, WeirTicket ticket)
{
  if (g_hash_table_add (self->tickets, GUINT_TO_POINTER ((guint) ticket.i + 1)))
    g_array_append_val (self->depends, ticket);
}

/* Ends the list of tickets and hands the parts over. Frees all but the list. */
WeirComputation
weir_making_end (WeirMaking *self)
{
  WeirComputation computation = { weir_compiler_append_array (self->compiler, self->parts),
                                  self->parts->len };
  WeirTicket nothing = WEIR_NOTHING, end = { WEIR_TICKET_END };

  if (self->depends->len == 0)
    g_array_append_val (self->depends, nothing);
  g_array_append_val (self->depends, end);
  g_array_unref (self->parts);
  g_hash_table_unref (self->tickets);
  g_hash_table_unref (self->inlined);
  return computation;
}

static WeirOperand
find_operand (WeirMaking *self, WeirExpr atom)
{
  WeirCompiler *compiler = self->compiler;
  const WeirPlace *place = weir_compiler_get_place (compiler, atom);
  const WeirOperandSource *source;
  const WeirValueGroup *group;

  if (place->is_unknown)
    {
      guint32 element = compiler->first_of[place->block] + place->place;

      if (compiler->group_of[place->block] == self->group)
        return (WeirOperand) { WEIR_OPERAND_OWN, 0, element };
      group = g_ptr_array_index (compiler->groups, compiler->group_of[place->block]);
      weir_making_add_ticket (self, weir_cached_ticket (compiler->builder, group->entry));
      return (WeirOperand) { WEIR_OPERAND_CACHED, group->entry.i, element };
    }
  source = &g_array_index (compiler->sources, WeirOperandSource, place->source);
  weir_making_add_ticket (self, source->ticket);
  return (WeirOperand) { source->kind, source->index, place->element };
}

static int
compare_operands (const WeirOperand *a, const WeirOperand *b)
{
  if (a->kind != b->kind)
    return a->kind < b->kind ? -1 : 1;
  if (a->index != b->index)
    return a->index < b->index ? -1 : 1;
  return a->element < b->element ? -1 : a->element > b->element;
}

typedef struct {
  WeirOperand operand;
  WeirExpr atom;
} NamedOperand;

static int
compare_named (gconstpointer a, gconstpointer b)
{
  return compare_operands (&((const NamedOperand *) a)->operand,
                           &((const NamedOperand *) b)->operand);
}

/* @unknowns: atoms that come first among the program's inputs and have no operand. */
void
weir_making_set_program (WeirMaking *self, WeirPart *part, const WeirExpr *outputs, guint n_outputs,
                         const WeirExpr *unknowns, guint n_unknowns)
{
  WeirCompiler *compiler = self->compiler;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) named = g_array_new (FALSE, FALSE, sizeof (NamedOperand));
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) operands = g_array_new (FALSE, FALSE, sizeof (WeirOperand));
  g_autofree WeirProgram *program = NULL;

  if (n_unknowns > 0)
    g_array_append_vals (atoms, unknowns, n_unknowns);
  weir_expr_collect_atoms (compiler->pool, outputs, n_outputs, found);
  for (guint i = 0; i < found->len; i++)
    {
      NamedOperand operand = { .atom = g_array_index (found, WeirExpr, i) };
      gboolean is_unknown = FALSE;

      for (guint j = 0; j < n_unknowns; j++)
        is_unknown = is_unknown || weir_expr_equal (operand.atom, unknowns[j]);
      if (is_unknown)
        continue;
      operand.operand = find_operand (self, operand.atom);
      g_array_append_val (named, operand);
    }
  /* Neighbours in memory are read one after the other. */
  g_array_sort (named, compare_named);
  for (guint i = 0; i < named->len; i++)
    {
      const NamedOperand *operand = &g_array_index (named, NamedOperand, i);

      g_array_append_val (atoms, operand->atom);
      g_array_append_val (operands, operand->operand);
    }
  program = weir_program_new (compiler->pool, outputs, n_outputs, (WeirExpr *) atoms->data,
                              atoms->len);
  part->program = weir_compiler_append_data (compiler, program, weir_program_get_size (program));
  part->operands = weir_compiler_append_array (compiler, operands);
  part->n_operands = operands->len;
}

void
weir_making_add_explicit (WeirMaking *self, const GArray *values, const GArray *lines, guint first)
{
  WeirPart part = { .kind = WEIR_PART_EXPLICIT, .first = first, .n = values->len };

  if (values->len == 0)
    return;
  part.lines = weir_compiler_append_array (self->compiler, lines);
  weir_making_set_program (self, &part, (WeirExpr *) values->data, values->len, NULL, 0);
  g_array_append_val (self->parts, part);
}

WeirExpr
weir_making_get_inlined (G_GNUC_UNUSED WeirExprPool *pool, WeirExpr part, gpointer data)
{
  const WeirMaking *self = data;
  gpointer found = g_hash_table_lookup (self->inlined, GUINT_TO_POINTER (part.i + 1));

  if (found != NULL)
    return (WeirExpr) { GPOINTER_TO_UINT (found) - 1 };
  return weir_expr_is_atom (pool, part) ? part : WEIR_NO_EXPR;
}

/* What depends on what, element by element, and by how much: the patterns and slopes of a leaf made
 * from equations (weir_leaf_set_pattern(), weir_leaf_set_slopes()).
 *
 * Each value is differentiated by what it reads; what it reads of its own computation is replaced
 * by what that depends on, in the order of computation. So a pattern is of states, inputs and other
 * computations. Unknowns that are solved for together depend on all that their equations read; they
 * have a pattern and no slopes.
 */
#include "blocks/equations/compile-private.h"

#include <string.h>

#define MOST_ENTRIES 4000000 /* of a pattern; beyond, all counts as depending on all */
#define MOST_SLOPES 200000   /* of a computation; beyond, differences cost less than the program */

#define NO_COLUMN G_MAXUINT32

typedef struct {
  WeirCompiler *compiler;
  guint32 group;        /* whose values these are; G_MAXUINT32 = none */
  GArray *by;           /* WeirTicket */
  GHashTable *first_of; /* ticket + 1 to the first column + 1 */
  guint32 n_columns;
  GArray *first, *columns; /* guint32: the pattern */
  GArray *slopes;          /* WeirExpr, like columns */
  gboolean has_slopes;
  WeirExpr *sum; /* by column, within a row; NO_EXPR: not in it */
  GArray *row;   /* guint32: its columns */
} Dependence;

/* --- Columns --------------------------------------------------------------------------------- */

static void
add_by (Dependence *self, WeirTicket ticket, guint32 size)
{
  g_array_append_val (self->by, ticket);
  g_hash_table_insert (self->first_of, GUINT_TO_POINTER ((guint) ticket.i + 1),
                       GUINT_TO_POINTER (self->n_columns + 1));
  self->n_columns += size;
}

static gboolean
has_ticket (const WeirTicket *tickets, WeirTicket ticket)
{
  for (; tickets->i != WEIR_TICKET_END; tickets++)
    if (tickets->i == ticket.i)
      return TRUE;
  return FALSE;
}

/* States, inputs and groups of values among the prerequisites. */
static void
find_columns (Dependence *self, const WeirTicket *depends)
{
  WeirCompiler *compiler = self->compiler;
  const GPtrArray *variables = compiler->equations->variables;

  if (compiler->equations->states->len > 0 && has_ticket (depends, WEIR_Z))
    add_by (self, WEIR_Z, compiler->equations->states->len);
  for (guint i = 0; i < variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (variables, i);
      const WeirPlace *place;
      WeirTicket ticket;

      if (variable->role != WEIR_ROLE_INPUT)
        continue;
      place = weir_compiler_get_place (compiler, variable->elements[0]);
      ticket = g_array_index (compiler->sources, WeirOperandSource, place->source).ticket;
      if (has_ticket (depends, ticket))
        add_by (self, ticket, variable->size);
    }
  for (guint32 g = 0; g < compiler->groups->len; g++)
    {
      const WeirValueGroup *group = g_ptr_array_index (compiler->groups, g);
      WeirTicket ticket;

      if (g == self->group || !group->is_made)
        continue;
      ticket = weir_cached_ticket (compiler->builder, group->entry);
      if (has_ticket (depends, ticket))
        add_by (self, ticket, group->size);
    }
}

/* The column of an atom, or NO_COLUMN; *@own: the element of this computation that it is, or
 * NO_COLUMN. */
static guint32
find_column (const Dependence *self, WeirExpr atom, guint32 *own)
{
  const WeirCompiler *compiler = self->compiler;
  const WeirPlace *place = weir_compiler_get_place (compiler, atom);
  WeirTicket ticket;
  guint32 element = place->element;
  guint32 found;

  *own = NO_COLUMN;
  if (place->is_unknown)
    {
      guint32 index = compiler->group_of[place->block];
      const WeirValueGroup *group = g_ptr_array_index (compiler->groups, index);

      element = compiler->first_of[place->block] + place->place;
      if (index == self->group)
        {
          *own = element;
          return NO_COLUMN;
        }
      ticket = weir_cached_ticket (compiler->builder, group->entry);
    }
  else
    ticket = g_array_index (compiler->sources, WeirOperandSource, place->source).ticket;
  found = GPOINTER_TO_UINT (
      g_hash_table_lookup (self->first_of, GUINT_TO_POINTER ((guint) ticket.i + 1)));
  return found == 0 ? NO_COLUMN : found - 1 + element;
}

/* --- Rows ------------------------------------------------------------------------------------ */

static void
add_to_row (Dependence *self, guint32 column, WeirExpr slope)
{
  WeirExprPool *pool = self->compiler->pool;

  if (self->sum[column].i == WEIR_NO_EXPR.i)
    {
      g_array_append_val (self->row, column);
      self->sum[column] = slope;
    }
  else if (self->has_slopes)
    self->sum[column] = weir_simplify_make_2 (pool, WEIR_OP_ADD, self->sum[column], slope);
}

/* @slope times what element @own depends on. */
static void
add_row_to_row (Dependence *self, guint32 own, WeirExpr slope)
{
  for (guint32 k = g_array_index (self->first, guint32, own);
       k < g_array_index (self->first, guint32, own + 1); k++)
    add_to_row (self, g_array_index (self->columns, guint32, k),
                self->has_slopes ? weir_simplify_make_2 (self->compiler->pool, WEIR_OP_MUL, slope,
                                                         g_array_index (self->slopes, WeirExpr, k))
                                 : slope);
}

static int
compare_columns (gconstpointer a, gconstpointer b)
{
  guint32 left = *(const guint32 *) a, right = *(const guint32 *) b;

  return left < right ? -1 : left > right;
}

static void
end_row (Dependence *self)
{
  guint32 end;

  g_array_sort (self->row, compare_columns);
  for (guint i = 0; i < self->row->len; i++)
    {
      guint32 column = g_array_index (self->row, guint32, i);

      g_array_append_val (self->columns, column);
      g_array_append_val (self->slopes, self->sum[column]);
      self->sum[column] = WEIR_NO_EXPR;
    }
  g_array_set_size (self->row, 0);
  end = self->columns->len;
  g_array_append_val (self->first, end);
}

static void
add_explicit_row (Dependence *self, WeirExpr value)
{
  WeirExprPool *pool = self->compiler->pool;
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (WeirJacobian) jacobian = NULL;
  WeirExpr zero = weir_expr_number (pool, 0.0);
  guint k = 0;

  weir_expr_collect_atoms (pool, &value, 1, atoms);
  if (self->has_slopes)
    jacobian = weir_jacobian_new (pool, &value, 1, (const WeirExpr *) (gpointer) atoms->data,
                                  atoms->len);
  for (guint i = 0; i < atoms->len; i++)
    {
      guint32 own, column = find_column (self, g_array_index (atoms, WeirExpr, i), &own);
      WeirExpr slope = zero;

      if (jacobian != NULL && k < jacobian->first[1] && jacobian->column[k] == i)
        slope = jacobian->entry[k++];
      if (own != NO_COLUMN)
        add_row_to_row (self, own, slope);
      else if (column != NO_COLUMN)
        add_to_row (self, column, slope);
    }
  end_row (self);
}

/* Of each of the unknowns of a block that is solved: from element @first on. */
static void
add_solved_rows (Dependence *self, const WeirEquationBlock *block, guint32 first)
{
  WeirExprPool *pool = self->compiler->pool;
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  WeirExpr zero = weir_expr_number (pool, 0.0);

  self->has_slopes = FALSE;
  weir_expr_collect_atoms (pool, block->residuals, block->n, atoms);
  for (guint i = 0; i < atoms->len; i++)
    {
      guint32 own, column = find_column (self, g_array_index (atoms, WeirExpr, i), &own);

      if (own != NO_COLUMN && own < first)
        add_row_to_row (self, own, zero);
      else if (column != NO_COLUMN)
        add_to_row (self, column, zero);
    }
  end_row (self);
  for (guint j = 1; j < block->n; j++)
    {
      add_row_to_row (self, first, zero);
      end_row (self);
    }
}

/* --- Computations ---------------------------------------------------------------------------- */

static void
dependence_init (Dependence *self, WeirCompiler *compiler, guint32 group, const WeirTicket *depends)
{
  guint32 zero = 0;

  *self = (Dependence) { .compiler = compiler, .group = group, .has_slopes = TRUE };
  self->by = g_array_new (FALSE, FALSE, sizeof (WeirTicket));
  self->first_of = g_hash_table_new (NULL, NULL);
  self->first = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->columns = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->slopes = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  self->row = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (self->first, zero);
  find_columns (self, depends);
  self->sum = g_new (WeirExpr, MAX (self->n_columns, 1));
  for (guint32 i = 0; i < self->n_columns; i++)
    self->sum[i] = WEIR_NO_EXPR;
}

static void
check_size (Dependence *self)
{
  self->has_slopes = self->has_slopes && self->columns->len <= MOST_SLOPES;
}

/* Declares what was found of the computation of @ticket, and keeps its slopes for
 * weir_compiler_make_slopes(). */
static void
dependence_end (Dependence *self, WeirTicket ticket)
{
  WeirCompiler *compiler = self->compiler;
  WeirTicket end = { WEIR_TICKET_END };

  check_size (self);
  g_array_append_val (self->by, end);
  if (self->columns->len <= MOST_ENTRIES)
    {
      weir_leaf_set_pattern (compiler->builder, ticket,
                             (const WeirTicket *) (gpointer) self->by->data,
                             (const guint32 *) (gpointer) self->first->data,
                             (const guint32 *) (gpointer) self->columns->data);
      if (self->has_slopes)
        {
          g_array_append_val (compiler->slopes_of, ticket);
          g_array_append_vals (compiler->slopes, self->slopes->data, self->slopes->len);
        }
    }
  g_array_unref (self->by);
  g_hash_table_unref (self->first_of);
  g_array_unref (self->first);
  g_array_unref (self->columns);
  g_array_unref (self->slopes);
  g_array_unref (self->row);
  g_free (self->sum);
}

void
weir_compiler_find_pattern (WeirCompiler *self, WeirTicket ticket, const WeirExpr *values, guint n,
                            const WeirTicket *depends)
{
  Dependence dependence;

  dependence_init (&dependence, self, G_MAXUINT32, depends);
  for (guint i = 0; i < n && dependence.columns->len <= MOST_ENTRIES; i++)
    {
      add_explicit_row (&dependence, values[i]);
      check_size (&dependence);
    }
  dependence_end (&dependence, ticket);
}

void
weir_compiler_find_group_pattern (WeirCompiler *self, guint32 index, const WeirTicket *depends)
{
  const WeirValueGroup *group = g_ptr_array_index (self->groups, index);
  Dependence dependence;
  guint32 place = 0;

  dependence_init (&dependence, self, index, depends);
  for (guint i = 0; i < group->blocks->len && dependence.columns->len <= MOST_ENTRIES; i++)
    {
      const WeirEquationBlock *block = weir_compiler_get_block (
          self, g_array_index (group->blocks, guint32, i));

      if (block->value.i != WEIR_NO_EXPR.i)
        add_explicit_row (&dependence, block->value);
      else
        add_solved_rows (&dependence, block, place);
      place += block->n;
      check_size (&dependence);
    }
  dependence_end (&dependence, weir_cached_ticket (self->builder, group->entry));
}

void
weir_compiler_make_slopes (WeirCompiler *self)
{
  WeirPart part = { .kind = WEIR_PART_SLOPES, .n = self->slopes->len };
  WeirTicket end = { WEIR_TICKET_END };
  WeirComputation computation;
  WeirMaking making;

  if (self->slopes->len == 0)
    return;
  weir_making_init (&making, self, G_MAXUINT32);
  weir_making_set_program (&making, &part, (const WeirExpr *) (gpointer) self->slopes->data,
                           self->slopes->len, NULL, 0);
  g_array_append_val (making.parts, part);
  computation = weir_making_end (&making);
  g_array_append_val (self->slopes_of, end);
  weir_leaf_set_slopes (self->builder, (const WeirTicket *) (gpointer) self->slopes_of->data,
                        weir_equations_calc, (const WeirTicket *) (gpointer) making.depends->data);
  g_array_append_val (self->entry_computations, computation);
  g_array_unref (making.depends);
}

/* From a system of equations to a leaf: which values are kept together, and what each depends
 * on.
 *
 * Two unknowns that depend, through whatever lies between, on the same sources are always put
 * out of date together; they share a cache entry, and nothing else does. Those that the
 * derivatives need are kept apart from those that only outputs need. Each entry declares exactly
 * what its programs read: so the cache is as tight as the mathematics.
 */
#include "blocks/equations-compile-private.h"

#include <string.h>

/* Unknowns that share a cache entry. */
typedef struct {
  const guint64 *sources; /* a set; of its first block */
  gboolean is_needed;
  guint n_sources;
  guint first_block;
  GArray *blocks; /* of guint32, ascending */
  guint size;
  WeirCached entry;
} Group;

/* --- Data ------------------------------------------------------------------------------------- */

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
  return weir_compiler_append_data (self, array->data, array->len * g_array_get_element_size ((GArray *) array));
}

guint32
weir_compiler_append_text (WeirCompiler *self, const char *text)
{
  return weir_compiler_append_data (self, text, strlen (text) + 1);
}

/* --- Places ----------------------------------------------------------------------------------- */

static const WeirEquationBlock *
get_block (const WeirCompiler *self, guint i)
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
weir_compiler_add_source (WeirCompiler *self, WeirOperandKind kind, guint32 index, WeirTicket ticket)
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

static void
declare_ports (WeirCompiler *self)
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
static void
declare_ticks (WeirCompiler *self)
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
  self->ticks = weir_leaf_add_discrete_state (self->builder, "k", (double *) initial->data,
                                              initial->len);
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
            weir_compiler_place_atom (self, weir_expr_make (self->pool, WEIR_OP_SHIFT, past, 2), source, element);
          }
    }
}

static void
declare_states (WeirCompiler *self)
{
  const GArray *states = self->equations->states;
  g_autofree double *initial = g_new0 (double, states->len + 1);
  guint32 source;

  if (states->len == 0)
    return;
  source = weir_compiler_add_source (self, WEIR_OPERAND_STATE, 0, WEIR_Z);
  for (guint i = 0; i < states->len; i++)
    {
      const WeirState *state = &g_array_index (states, WeirState, i);

      initial[i] = state->initial;
      weir_compiler_place_atom (self, state->atom, source, i);
    }
  weir_leaf_set_continuous_state (self->builder, 0, 0, states->len, initial);
}

static void
place_unknowns (WeirCompiler *self)
{
  for (guint i = 0; i < self->equations->blocks->len; i++)
    {
      const WeirEquationBlock *block = get_block (self, i);

      for (guint j = 0; j < block->n; j++)
        {
          WeirPlace *place = add_place (self, block->unknowns[j]);

          place->is_unknown = TRUE;
          place->block = i;
          place->place = j;
        }
    }
}

/* --- What depends on what --------------------------------------------------------------------- */

static void
collect_reads (const WeirCompiler *self, const WeirEquationBlock *block, GArray *atoms)
{
  if (block->value.i != WEIR_NO_EXPR.i)
    weir_expr_collect_atoms (self->pool, &block->value, 1, atoms);
  else
    weir_expr_collect_atoms (self->pool, block->residuals, block->n, atoms);
}

/* What is read from outside the blocks is kept: a rate must not be hidden among the derivatives. */
static void
note_reads (WeirCompiler *self, WeirExpr e, GArray *atoms)
{
  g_array_set_size (atoms, 0);
  weir_expr_collect_atoms (self->pool, &e, 1, atoms);
  for (guint i = 0; i < atoms->len; i++)
    {
      WeirExpr atom = g_array_index (atoms, WeirExpr, i);
      const WeirPlace *place;

      if (weir_expr_get_op (self->pool, atom) == WEIR_OP_PRE)
        atom = weir_expr_get_arg (self->pool, atom, 0);
      if (weir_expr_get_op (self->pool, atom) != WEIR_OP_DER)
        continue;
      place = weir_compiler_get_place (self, atom);
      if (place->is_unknown)
        self->is_read[place->block] = TRUE;
    }
}

static void
find_outside_reads (WeirCompiler *self, GArray *atoms)
{
  const WeirEquations *equations = self->equations;

  for (guint i = 0; i < equations->assertions->len; i++)
    note_reads (self, ((WeirAssertion *) g_ptr_array_index (equations->assertions, i))->condition,
                atoms);
  for (guint i = 0; i < equations->relations->len; i++)
    note_reads (self, g_array_index (equations->relations, WeirRelation, i).crossing, atoms);
  for (guint i = 0; i < equations->kinks->len; i++)
    note_reads (self, g_array_index (equations->kinks, WeirExpr, i), atoms);
  for (guint i = 0; i < equations->tick_blocks->len; i++)
    {
      const WeirEquationBlock *block = g_ptr_array_index (equations->tick_blocks, i);

      for (guint j = 0; j < block->n; j++)
        note_reads (self, block->value.i != WEIR_NO_EXPR.i ? block->value : block->residuals[j],
                    atoms);
    }
  for (guint i = 0; i < equations->events->len; i++)
    {
      const WeirEvent *event = g_ptr_array_index (equations->events, i);

      if (event->crossing.i != WEIR_NO_EXPR.i)
        note_reads (self, event->crossing, atoms);
      for (guint j = 0; j < event->assignments->len; j++)
        note_reads (self, g_array_index (event->assignments, WeirAssignment, j).value, atoms);
    }
}

static void
find_dependencies (WeirCompiler *self)
{
  guint n = self->equations->blocks->len;
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  self->n_words = self->sources->len / 64 + 1;
  self->sets = g_new0 (guint64, (gsize) (n + 1) * self->n_words);
  for (guint i = 0; i < n; i++)
    {
      guint64 *set = self->sets + (gsize) i * self->n_words;

      g_array_set_size (atoms, 0);
      collect_reads (self, get_block (self, i), atoms);
      for (guint j = 0; j < atoms->len; j++)
        {
          const WeirPlace *place = weir_compiler_get_place (self, g_array_index (atoms, WeirExpr, j));

          if (!place->is_unknown)
            set[place->source / 64] |= G_GUINT64_CONSTANT (1) << (place->source % 64);
          else if (place->block != i)
            {
              self->is_read[place->block] = TRUE;
              for (guint w = 0; w < self->n_words; w++)
                set[w] |= self->sets[(gsize) place->block * self->n_words + w];
            }
        }
    }
  find_outside_reads (self, atoms);
}

static void
find_needed (WeirCompiler *self)
{
  const GArray *states = self->equations->states;
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  for (guint i = 0; i < states->len; i++)
    {
      const WeirPlace *place = weir_compiler_get_place (self, g_array_index (states, WeirState, i).rate);

      if (!place->is_unknown)
        continue; /* of a lower order: the next state */
      self->is_needed[place->block] = TRUE;
      self->is_rate[place->block] = !self->is_read[place->block]
                                    && get_block (self, place->block)->value.i != WEIR_NO_EXPR.i;
    }
  for (guint i = self->equations->blocks->len; i-- > 0;)
    {
      if (!self->is_needed[i])
        continue;
      g_array_set_size (atoms, 0);
      collect_reads (self, get_block (self, i), atoms);
      for (guint j = 0; j < atoms->len; j++)
        {
          const WeirPlace *place = weir_compiler_get_place (self, g_array_index (atoms, WeirExpr, j));

          if (place->is_unknown)
            self->is_needed[place->block] = TRUE;
        }
    }
}

static guint
count_bits (const guint64 *set, guint n_words)
{
  guint n = 0;

  for (guint i = 0; i < n_words; i++)
    n += (guint) __builtin_popcountll (set[i]);
  return n;
}

/* A group reads groups of fewer sources, or the needed one of the same. */
static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const Group *left = *(Group *const *) a, *right = *(Group *const *) b;

  if (left->n_sources != right->n_sources)
    return left->n_sources < right->n_sources ? -1 : 1;
  if (left->is_needed != right->is_needed)
    return left->is_needed ? -1 : 1;
  return left->first_block < right->first_block ? -1 : left->first_block > right->first_block;
}

static void
group_free (gpointer data)
{
  g_array_unref (((Group *) data)->blocks);
  g_free (data);
}

static void
find_groups (WeirCompiler *self)
{
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_bytes_hash, g_bytes_equal,
                                                         (GDestroyNotify) g_bytes_unref, NULL);

  for (guint32 i = 0; i < self->equations->blocks->len; i++)
    {
      const guint64 *set = self->sets + (gsize) i * self->n_words;
      guint64 *key;
      GBytes *bytes;
      Group *group;

      if (self->is_rate[i])
        continue;
      key = g_new (guint64, self->n_words + 1);
      memcpy (key, set, self->n_words * sizeof (guint64));
      key[self->n_words] = self->is_needed[i] != FALSE;
      bytes = g_bytes_new_take (key, (self->n_words + 1) * sizeof (guint64));
      group = g_hash_table_lookup (by_key, bytes);
      if (group == NULL)
        {
          group = g_new0 (Group, 1);
          group->sources = set;
          group->n_sources = count_bits (set, self->n_words);
          group->is_needed = self->is_needed[i];
          group->first_block = i;
          group->blocks = g_array_new (FALSE, FALSE, sizeof (guint32));
          g_ptr_array_add (self->groups, group);
          g_hash_table_insert (by_key, g_bytes_ref (bytes), group);
        }
      g_bytes_unref (bytes);
      self->first_of[i] = group->size;
      group->size += get_block (self, i)->n;
      g_array_append_val (group->blocks, i);
    }
  g_ptr_array_sort (self->groups, compare_groups);
  for (guint32 g = 0; g < self->groups->len; g++)
    {
      const Group *group = g_ptr_array_index (self->groups, g);

      for (guint i = 0; i < group->blocks->len; i++)
        self->group_of[g_array_index (group->blocks, guint32, i)] = g;
    }
}

/* --- Computations ----------------------------------------------------------------------------- */

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

static void
add_ticket (WeirMaking *self, WeirTicket ticket)
{
  if (g_hash_table_add (self->tickets, GUINT_TO_POINTER ((guint) ticket.i + 1)))
    g_array_append_val (self->depends, ticket);
}

/* Ends the list of tickets and hands the parts over. Frees all but the list. */
WeirComputation
weir_making_end (WeirMaking *self)
{
  WeirComputation computation = { weir_compiler_append_array (self->compiler, self->parts), self->parts->len };
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
  const Group *group;

  if (place->is_unknown)
    {
      guint32 element = compiler->first_of[place->block] + place->place;

      if (compiler->group_of[place->block] == self->group)
        return (WeirOperand) { WEIR_OPERAND_OWN, 0, element };
      group = g_ptr_array_index (compiler->groups, compiler->group_of[place->block]);
      add_ticket (self, weir_cached_ticket (compiler->builder, group->entry));
      return (WeirOperand) { WEIR_OPERAND_CACHED, group->entry.i, element };
    }
  source = &g_array_index (compiler->sources, WeirOperandSource, place->source);
  add_ticket (self, source->ticket);
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

static char *
enumerate_unknowns (const WeirCompiler *self, const WeirEquationBlock *block)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < block->n && i < 10; i++)
    g_ptr_array_add (names, weir_expr_to_string (self->pool, block->unknowns[i]));
  if (block->n > 10)
    g_ptr_array_add (names, g_strdup_printf ("%u more", block->n - 10));
  g_ptr_array_add (names, NULL);
  return weir_text_enumerate ((const char *const *) names->pdata);
}

void
weir_making_add_solved (WeirMaking *self, const WeirEquationBlock *block, guint first)
{
  WeirCompiler *compiler = self->compiler;
  const WeirJacobian *jacobian = block->jacobian;
  guint n_entries = jacobian->first[block->n];
  WeirPart part = { .kind = WEIR_PART_SOLVED, .first = first, .n = block->n };
  g_autoptr (GArray) outputs = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree char *names = enumerate_unknowns (compiler, block);

  for (guint32 i = 0; i < block->n; i++)
    for (guint j = jacobian->first[i]; j < jacobian->first[i + 1]; j++)
      g_array_append_val (rows, i);
  g_array_append_vals (outputs, block->residuals, block->n);
  if (n_entries > 0)
    g_array_append_vals (outputs, jacobian->entry, n_entries);
  part.is_linear = block->is_linear;
  part.rows = weir_compiler_append_array (compiler, rows);
  part.columns = weir_compiler_append_data (compiler, jacobian->column, n_entries * sizeof (guint32));
  part.guess = weir_compiler_append_data (compiler, block->guess, block->n * sizeof (double));
  part.lines = weir_compiler_append_data (compiler, block->lines, block->n * sizeof (guint32));
  part.text = weir_compiler_append_text (compiler, names);
  weir_making_set_program (self, &part, (WeirExpr *) outputs->data, outputs->len, block->unknowns, block->n);
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
      part.text = weir_compiler_append_text (self->compiler, assertion->message);
      weir_making_set_program (self, &part, &assertion->condition, 1, NULL, 0);
      g_array_append_val (self->parts, part);
    }
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

/* The values of a group: runs of explicit ones as one program each, between those that are
 * solved. */
static void
make_group (WeirCompiler *self, guint32 index)
{
  Group *group = g_ptr_array_index (self->groups, index);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree char *name = NULL;
  WeirComputation computation;
  WeirMaking making;
  guint first = 0, place = 0;

  weir_making_init (&making, self, index);
  for (guint i = 0; i < group->blocks->len; i++)
    {
      guint32 b = g_array_index (group->blocks, guint32, i);
      const WeirEquationBlock *block = get_block (self, b);
      WeirExpr value;

      if (block->value.i == WEIR_NO_EXPR.i)
        {
          weir_making_add_explicit (&making, values, lines, first);
          g_array_set_size (values, 0);
          g_array_set_size (lines, 0);
          g_hash_table_remove_all (making.inlined);
          weir_making_add_solved (&making, block, place);
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
  name = g_strdup_printf ("values%u", index + 1);
  group->entry = weir_leaf_add_cache_entry (self->builder, name, group->size, weir_equations_calc,
                                            (WeirTicket *) making.depends->data);
  g_array_append_val (self->entry_computations, computation);
  g_array_unref (making.depends);
}

/* Expressions as one program. */
WeirComputation
weir_compiler_make_simple (WeirCompiler *self, const GArray *values, const GArray *lines, gboolean is_asserting,
             GArray **depends)
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

static gboolean
is_whole_group (const WeirCompiler *self, const WeirVariable *variable, WeirTicket *ticket)
{
  const WeirPlace *first = weir_compiler_get_place (self, variable->elements[0]);
  const Group *group;

  if (!first->is_unknown)
    {
      const WeirOperandSource *source = &g_array_index (self->sources, WeirOperandSource, first->source);
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

static void
make_outputs (WeirCompiler *self)
{
  g_autoptr (GPtrArray) outputs = weir_equations_list_outputs (self->equations);
  gboolean is_asserting = self->equations->states->len == 0 && self->equations->assertions->len > 0;

  for (guint i = 0; i < outputs->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (outputs, i);
      g_autoptr (GArray) values = NULL;
      g_autoptr (GArray) lines = NULL;
      g_autoptr (GArray) depends = NULL;
      WeirComputation computation;
      WeirTicket ticket;

      if (!is_asserting && is_whole_group (self, variable, &ticket))
        {
          weir_leaf_add_output_window (self->builder, variable->name, ticket);
          continue;
        }
      values = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
      lines = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_array_append_vals (values, variable->elements, variable->size);
      for (guint j = 0; j < variable->size; j++)
        g_array_append_val (lines, variable->line);
      computation = weir_compiler_make_simple (self, values, lines, is_asserting, &depends);
      is_asserting = FALSE;
      weir_leaf_add_output (self->builder, variable->name, variable->size, weir_equations_calc,
                            (WeirTicket *) depends->data);
      g_array_append_val (self->entry_computations, computation);
    }
}

static void
make_derivatives (WeirCompiler *self)
{
  const GArray *states = self->equations->states;
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) depends = NULL;
  WeirComputation computation;

  if (states->len == 0)
    return;
  for (guint i = 0; i < states->len; i++)
    {
      WeirExpr value = g_array_index (states, WeirState, i).rate;
      const WeirPlace *place = weir_compiler_get_place (self, value);
      guint32 line = 0;

      if (place->is_unknown)
        line = (guint32) get_block (self, place->block)->lines[0];
      if (place->is_unknown && self->is_rate[place->block])
        value = get_block (self, place->block)->value;
      g_array_append_val (values, value);
      g_array_append_val (lines, line);
    }
  computation = weir_compiler_make_simple (self, values, lines, TRUE, &depends);
  weir_leaf_set_derivatives (self->builder, weir_equations_calc, (WeirTicket *) depends->data);
  g_array_append_val (self->entry_computations, computation);
}

/* --- The whole -------------------------------------------------------------------------------- */

static gboolean
can_be_shown (const WeirVariable *variable)
{
  return !variable->is_hidden
         && (variable->role == WEIR_ROLE_STATE || variable->role == WEIR_ROLE_UNKNOWN
             || variable->role == WEIR_ROLE_DISCRETE);
}

GPtrArray *
weir_equations_list_outputs (const WeirEquations *equations)
{
  GPtrArray *outputs = g_ptr_array_new ();
  gboolean are_declared = FALSE;

  for (guint i = 0; i < equations->variables->len; i++)
    are_declared = are_declared
                   || ((const WeirVariable *) g_ptr_array_index (equations->variables, i))
                          ->is_output;
  for (guint i = 0; i < equations->variables->len; i++)
    {
      WeirVariable *variable = g_ptr_array_index (equations->variables, i);

      if (can_be_shown (variable) && (variable->is_output || !are_declared))
        g_ptr_array_add (outputs, variable);
    }
  return outputs;
}

WeirSystem *
weir_equations_build (const WeirEquations *equations, GError **error)
{
  guint n = equations->blocks->len;
  WeirEquationsData header = { 0 };
  WeirCompiler self = { .equations = equations, .pool = equations->pool };
  WeirSystem *system = NULL;

  for (guint i = 0; i < equations->tick_blocks->len; i++)
    {
      const WeirEquationBlock *block = g_ptr_array_index (equations->tick_blocks, i);

      if (block->value.i != WEIR_NO_EXPR.i)
        continue;
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                   "Line %d: equations in k must not need each other's value of the same tick.",
                   block->lines[0]);
      return NULL;
    }
  self.builder = weir_leaf_builder_new ("Equations");
  self.sources = g_array_new (FALSE, FALSE, sizeof (WeirOperandSource));
  self.places = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self.is_needed = g_new0 (gboolean, n + 1);
  self.is_read = g_new0 (gboolean, n + 1);
  self.is_rate = g_new0 (gboolean, n + 1);
  self.group_of = g_new (guint32, n + 1);
  memset (self.group_of, 0xff, (n + 1) * sizeof (guint32));
  self.first_of = g_new0 (guint32, n + 1);
  self.groups = g_ptr_array_new_with_free_func (group_free);
  self.data = g_byte_array_new ();
  self.entry_computations = g_array_new (FALSE, FALSE, sizeof (WeirComputation));
  self.event_computations = g_array_new (FALSE, FALSE, sizeof (WeirComputation));
  weir_compiler_append_data (&self, &header, sizeof header);

  declare_ports (&self);
  declare_ticks (&self);
  weir_compiler_declare_modes (&self);
  declare_states (&self);
  weir_compiler_place_atom (&self, weir_expr_symbol (self.pool, "t"),
                            weir_compiler_add_source (&self, WEIR_OPERAND_TIME, 0, WEIR_TIME), 0);
  if (equations->invariants->len > 0)
    weir_compiler_place_atom (&self, weir_expr_symbol (self.pool, WEIR_ACCURACY_SYMBOL),
                              weir_compiler_add_source (&self, WEIR_OPERAND_ACCURACY, 0,
                                                        WEIR_ACCURACY),
                              0);
  place_unknowns (&self);
  /* A state's derivative may itself be a state: that place counts, not the unknown's. */
  find_dependencies (&self);
  find_needed (&self);
  find_groups (&self);
  for (guint32 i = 0; i < self.groups->len; i++)
    make_group (&self, i);
  make_outputs (&self);
  make_derivatives (&self);
  weir_compiler_make_events (&self);

  header.n_entries = self.entry_computations->len;
  header.entries = weir_compiler_append_array (&self, self.entry_computations);
  header.n_events = self.event_computations->len;
  header.events = weir_compiler_append_array (&self, self.event_computations);
  memcpy (self.data->data, &header, sizeof header);
  weir_leaf_set_data (self.builder, self.data->data, self.data->len);
  system = weir_leaf_builder_build (self.builder);

  g_array_unref (self.sources);
  g_hash_table_unref (self.places);
  g_free (self.sets);
  g_free (self.is_needed);
  g_free (self.is_read);
  g_free (self.is_rate);
  g_free (self.group_of);
  g_free (self.first_of);
  g_ptr_array_unref (self.groups);
  g_byte_array_unref (self.data);
  g_array_unref (self.entry_computations);
  g_array_unref (self.event_computations);
  return system;
}

/* From a system of equations to a leaf: which values are kept together, and what each depends
 * on.
 *
 * Two unknowns that depend, through whatever lies between, on the same sources are always put
 * out of date together; they share a cache entry, and nothing else does. Those that the
 * derivatives need are kept apart from those that only outputs need. Each entry declares exactly
 * what its programs read: so the cache is as tight as the mathematics.
 */
#include "blocks/equations-private.h"

#include <string.h>

/* A source of the leaf: time, state, an input, a parameter, a discrete group. */
typedef struct {
  WeirOperandKind kind;
  guint32 index;
  WeirTicket ticket;
} Source;

/* Where an atom's value lies. */
typedef struct {
  gboolean is_unknown;  /* @block determines it; else @source */
  guint32 block, place; /* place among the block's unknowns */
  guint32 source, element;
} Place;

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

typedef struct {
  const WeirEquations *equations;
  WeirExprPool *pool;
  WeirLeafBuilder *builder;
  GArray *sources;
  GHashTable *places;  /* atom + 1 to Place, owned */
  guint n_words;       /* of a set of sources */
  guint64 *sets;       /* of each block */
  gboolean *is_needed; /* by the derivatives */
  gboolean *is_read;   /* by another block, an output or an event */
  gboolean *is_rate;   /* computed with the derivatives */
  guint32 *group_of;   /* of a block; G_MAXUINT32 = none */
  guint32 *first_of;   /* of a block: its place in the group's entry */
  GPtrArray *groups;
  WeirGroup ticks; /* the discrete group of the variables in k */
  GByteArray *data;
  GArray *entry_computations, *event_computations; /* of WeirComputation */
} Compiler;

/* --- Data ------------------------------------------------------------------------------------- */

/* Offsets are multiples of 8. */
static guint32
append_data (Compiler *self, gconstpointer bytes, gsize size)
{
  static const guint8 zeros[8];
  guint32 offset = self->data->len;

  if (size > 0)
    g_byte_array_append (self->data, bytes, (guint) size);
  if (self->data->len % 8 != 0)
    g_byte_array_append (self->data, zeros, 8 - self->data->len % 8);
  return offset;
}

static guint32
append_array (Compiler *self, const GArray *array)
{
  return append_data (self, array->data, array->len * g_array_get_element_size ((GArray *) array));
}

static guint32
append_text (Compiler *self, const char *text)
{
  return append_data (self, text, strlen (text) + 1);
}

/* --- Places ----------------------------------------------------------------------------------- */

static const WeirEquationBlock *
get_block (const Compiler *self, guint i)
{
  return g_ptr_array_index (self->equations->blocks, i);
}

static Place *
add_place (Compiler *self, WeirExpr atom)
{
  Place *place = g_new0 (Place, 1);

  g_hash_table_replace (self->places, GUINT_TO_POINTER (atom.i + 1), place);
  return place;
}

static const Place *
get_place (const Compiler *self, WeirExpr atom)
{
  const Place *place = g_hash_table_lookup (self->places, GUINT_TO_POINTER (atom.i + 1));

  g_assert (place != NULL);
  return place;
}

static guint32
add_source (Compiler *self, WeirOperandKind kind, guint32 index, WeirTicket ticket)
{
  Source source = { kind, index, ticket };

  g_array_append_val (self->sources, source);
  return self->sources->len - 1;
}

static void
place_atom (Compiler *self, WeirExpr atom, guint32 source, guint32 element)
{
  Place *place = add_place (self, atom);

  place->source = source;
  place->element = element;
}

static gboolean
is_tick_variable (const WeirVariable *variable)
{
  return variable->role == WEIR_ROLE_DISCRETE && variable->depth > 0;
}

static void
declare_ports (Compiler *self)
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
          source = add_source (self, WEIR_OPERAND_INPUT, in.i,
                               weir_input_ticket (self->builder, in));
        }
      else if (variable->role == WEIR_ROLE_PARAMETER && !variable->is_bound)
        {
          WeirParameter p = weir_leaf_add_parameter (self->builder, variable->name, variable->value,
                                                     variable->size);

          source = add_source (self, WEIR_OPERAND_PARAMETER, p.i,
                               weir_parameter_ticket (self->builder, p));
        }
      else if (variable->role == WEIR_ROLE_DISCRETE && !is_tick_variable (variable))
        {
          WeirGroup g = weir_leaf_add_discrete_state (self->builder, variable->name,
                                                      variable->value, variable->size);

          source = add_source (self, WEIR_OPERAND_DISCRETE, g.i,
                               weir_group_ticket (self->builder, g));
        }
      else
        continue;
      for (guint j = 0; j < variable->size; j++)
        place_atom (self, variable->elements[j], source, j);
    }
}

/* The variables in k change together: one group holds x(k), x(k-1), ... of each. */
static void
declare_ticks (Compiler *self)
{
  const GPtrArray *variables = self->equations->variables;
  g_autoptr (GArray) initial = g_array_new (FALSE, FALSE, sizeof (double));
  guint32 source, element = 0;

  for (guint i = 0; i < variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (variables, i);

      if (is_tick_variable (variable))
        for (guint d = 0; d < variable->depth; d++)
          g_array_append_vals (initial, variable->value, variable->size);
    }
  if (initial->len == 0)
    return;
  self->ticks = weir_leaf_add_discrete_state (self->builder, "k", (double *) initial->data,
                                              initial->len);
  source = add_source (self, WEIR_OPERAND_DISCRETE, self->ticks.i,
                       weir_group_ticket (self->builder, self->ticks));
  for (guint i = 0; i < variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (variables, i);

      for (guint d = 0; is_tick_variable (variable) && d < variable->depth; d++)
        for (guint j = 0; j < variable->size; j++, element++)
          {
            WeirExpr past[2] = { variable->elements[j],
                                 weir_expr_number (self->pool, -(double) (d + 1)) };

            /* Between ticks x is x(k); at a tick that same value has become x(k-1). */
            if (d == 0)
              place_atom (self, variable->elements[j], source, element);
            place_atom (self, weir_expr_make (self->pool, WEIR_OP_SHIFT, past, 2), source, element);
          }
    }
}

static void
declare_states (Compiler *self)
{
  const GArray *states = self->equations->states;
  g_autofree double *initial = g_new0 (double, states->len + 1);
  guint32 source;

  if (states->len == 0)
    return;
  source = add_source (self, WEIR_OPERAND_STATE, 0, WEIR_Z);
  for (guint i = 0; i < states->len; i++)
    {
      const WeirState *state = &g_array_index (states, WeirState, i);

      initial[i] = state->initial;
      place_atom (self, state->atom, source, i);
    }
  weir_leaf_set_continuous_state (self->builder, 0, 0, states->len, initial);
}

static void
place_unknowns (Compiler *self)
{
  for (guint i = 0; i < self->equations->blocks->len; i++)
    {
      const WeirEquationBlock *block = get_block (self, i);

      for (guint j = 0; j < block->n; j++)
        {
          Place *place = add_place (self, block->unknowns[j]);

          place->is_unknown = TRUE;
          place->block = i;
          place->place = j;
        }
    }
}

/* --- What depends on what --------------------------------------------------------------------- */

static void
collect_reads (const Compiler *self, const WeirEquationBlock *block, GArray *atoms)
{
  if (block->value.i != WEIR_NO_EXPR.i)
    weir_expr_collect_atoms (self->pool, &block->value, 1, atoms);
  else
    weir_expr_collect_atoms (self->pool, block->residuals, block->n, atoms);
}

static void
find_dependencies (Compiler *self)
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
          const Place *place = get_place (self, g_array_index (atoms, WeirExpr, j));

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
}

static void
find_needed (Compiler *self)
{
  const GArray *states = self->equations->states;
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  for (guint i = 0; i < states->len; i++)
    {
      const Place *place = get_place (self, g_array_index (states, WeirState, i).rate);

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
          const Place *place = get_place (self, g_array_index (atoms, WeirExpr, j));

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
find_groups (Compiler *self)
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

/* A computation that is being made. */
typedef struct {
  Compiler *compiler;
  GArray *parts;       /* of WeirPart */
  GHashTable *tickets; /* set of tickets + 1 */
  GArray *depends;     /* of WeirTicket, as first met */
  guint32 group;       /* whose values it computes; G_MAXUINT32 = none */
  GHashTable *inlined; /* atom + 1 to its expression's node + 1, within the current part */
} Making;

static void
making_init (Making *self, Compiler *compiler, guint32 group)
{
  self->compiler = compiler;
  self->parts = g_array_new (FALSE, FALSE, sizeof (WeirPart));
  self->tickets = g_hash_table_new (NULL, NULL);
  self->depends = g_array_new (FALSE, FALSE, sizeof (WeirTicket));
  self->inlined = g_hash_table_new (NULL, NULL);
  self->group = group;
}

static void
add_ticket (Making *self, WeirTicket ticket)
{
  if (g_hash_table_add (self->tickets, GUINT_TO_POINTER ((guint) ticket.i + 1)))
    g_array_append_val (self->depends, ticket);
}

/* Ends the list of tickets and hands the parts over. Frees all but the list. */
static WeirComputation
making_end (Making *self)
{
  WeirComputation computation = { append_array (self->compiler, self->parts), self->parts->len };
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
find_operand (Making *self, WeirExpr atom)
{
  Compiler *compiler = self->compiler;
  const Place *place = get_place (compiler, atom);
  const Source *source;
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
  source = &g_array_index (compiler->sources, Source, place->source);
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
static void
set_program (Making *self, WeirPart *part, const WeirExpr *outputs, guint n_outputs,
             const WeirExpr *unknowns, guint n_unknowns)
{
  Compiler *compiler = self->compiler;
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
  part->program = append_data (compiler, program, weir_program_get_size (program));
  part->operands = append_array (compiler, operands);
  part->n_operands = operands->len;
}

static void
add_explicit (Making *self, const GArray *values, const GArray *lines, guint first)
{
  WeirPart part = { .kind = WEIR_PART_EXPLICIT, .first = first, .n = values->len };

  if (values->len == 0)
    return;
  part.lines = append_array (self->compiler, lines);
  set_program (self, &part, (WeirExpr *) values->data, values->len, NULL, 0);
  g_array_append_val (self->parts, part);
}

static char *
enumerate_unknowns (const Compiler *self, const WeirEquationBlock *block)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < block->n && i < 10; i++)
    g_ptr_array_add (names, weir_expr_to_string (self->pool, block->unknowns[i]));
  if (block->n > 10)
    g_ptr_array_add (names, g_strdup_printf ("%u more", block->n - 10));
  g_ptr_array_add (names, NULL);
  return weir_text_enumerate ((const char *const *) names->pdata);
}

static void
add_solved (Making *self, const WeirEquationBlock *block, guint first)
{
  Compiler *compiler = self->compiler;
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
  part.rows = append_array (compiler, rows);
  part.columns = append_data (compiler, jacobian->column, n_entries * sizeof (guint32));
  part.guess = append_data (compiler, block->guess, block->n * sizeof (double));
  part.lines = append_data (compiler, block->lines, block->n * sizeof (guint32));
  part.text = append_text (compiler, names);
  set_program (self, &part, (WeirExpr *) outputs->data, outputs->len, block->unknowns, block->n);
  g_array_append_val (self->parts, part);
}

static void
add_assertions (Making *self)
{
  const GPtrArray *assertions = self->compiler->equations->assertions;

  for (guint i = 0; i < assertions->len; i++)
    {
      const WeirAssertion *assertion = g_ptr_array_index (assertions, i);
      guint32 line = (guint32) assertion->line;
      WeirPart part = { .kind = WEIR_PART_ASSERTED };

      part.lines = append_data (self->compiler, &line, sizeof line);
      part.text = append_text (self->compiler, assertion->message);
      set_program (self, &part, &assertion->condition, 1, NULL, 0);
      g_array_append_val (self->parts, part);
    }
}

static WeirExpr
get_inlined (G_GNUC_UNUSED WeirExprPool *pool, WeirExpr part, gpointer data)
{
  const Making *self = data;
  gpointer found = g_hash_table_lookup (self->inlined, GUINT_TO_POINTER (part.i + 1));

  if (found != NULL)
    return (WeirExpr) { GPOINTER_TO_UINT (found) - 1 };
  return weir_expr_is_atom (pool, part) ? part : WEIR_NO_EXPR;
}

/* The values of a group: runs of explicit ones as one program each, between those that are
 * solved. */
static void
make_group (Compiler *self, guint32 index)
{
  Group *group = g_ptr_array_index (self->groups, index);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree char *name = NULL;
  WeirComputation computation;
  Making making;
  guint first = 0, place = 0;

  making_init (&making, self, index);
  for (guint i = 0; i < group->blocks->len; i++)
    {
      guint32 b = g_array_index (group->blocks, guint32, i);
      const WeirEquationBlock *block = get_block (self, b);
      WeirExpr value;

      if (block->value.i == WEIR_NO_EXPR.i)
        {
          add_explicit (&making, values, lines, first);
          g_array_set_size (values, 0);
          g_array_set_size (lines, 0);
          g_hash_table_remove_all (making.inlined);
          add_solved (&making, block, place);
          place += block->n;
          first = place;
          continue;
        }
      value = weir_expr_replace (self->pool, block->value, get_inlined, &making, NULL);
      g_hash_table_insert (making.inlined, GUINT_TO_POINTER (block->unknowns[0].i + 1),
                           GUINT_TO_POINTER (value.i + 1));
      g_array_append_val (values, value);
      g_array_append_val (lines, block->lines[0]);
      place++;
    }
  add_explicit (&making, values, lines, first);
  computation = making_end (&making);
  name = g_strdup_printf ("values%u", index + 1);
  group->entry = weir_leaf_add_cache_entry (self->builder, name, group->size, weir_equations_calc,
                                            (WeirTicket *) making.depends->data);
  g_array_append_val (self->entry_computations, computation);
  g_array_unref (making.depends);
}

/* Expressions as one program. */
static WeirComputation
make_simple (Compiler *self, const GArray *values, const GArray *lines, gboolean is_asserting,
             GArray **depends)
{
  Making making;
  WeirComputation computation;

  making_init (&making, self, G_MAXUINT32);
  add_explicit (&making, values, lines, 0);
  if (is_asserting)
    add_assertions (&making);
  computation = making_end (&making);
  *depends = making.depends;
  return computation;
}

static gboolean
is_whole_group (const Compiler *self, const WeirVariable *variable, WeirTicket *ticket)
{
  const Place *first = get_place (self, variable->elements[0]);
  const Group *group;

  if (!first->is_unknown)
    {
      const Source *source = &g_array_index (self->sources, Source, first->source);
      guint n = source->kind == WEIR_OPERAND_STATE ? self->equations->states->len : 0;

      *ticket = source->ticket;
      if (source->kind == WEIR_OPERAND_DISCRETE)
        return !is_tick_variable (variable);
      return n == variable->size && variable->order == 1;
    }
  group = g_ptr_array_index (self->groups, self->group_of[first->block]);
  *ticket = weir_cached_ticket (self->builder, group->entry);
  if (group->size != variable->size)
    return FALSE;
  for (guint i = 0; i < variable->size; i++)
    {
      const Place *place = get_place (self, variable->elements[i]);

      if (self->first_of[place->block] + place->place != i)
        return FALSE;
    }
  return TRUE;
}

static void
make_outputs (Compiler *self)
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
      computation = make_simple (self, values, lines, is_asserting, &depends);
      is_asserting = FALSE;
      weir_leaf_add_output (self->builder, variable->name, variable->size, weir_equations_calc,
                            (WeirTicket *) depends->data);
      g_array_append_val (self->entry_computations, computation);
    }
}

static void
make_derivatives (Compiler *self)
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
      const Place *place = get_place (self, value);
      guint32 line = 0;

      if (place->is_unknown)
        line = (guint32) get_block (self, place->block)->lines[0];
      if (place->is_unknown && self->is_rate[place->block])
        value = get_block (self, place->block)->value;
      g_array_append_val (values, value);
      g_array_append_val (lines, line);
    }
  computation = make_simple (self, values, lines, TRUE, &depends);
  weir_leaf_set_derivatives (self->builder, weir_equations_calc, (WeirTicket *) depends->data);
  g_array_append_val (self->entry_computations, computation);
}

/* --- Events ----------------------------------------------------------------------------------- */

/* x(k) of every variable in k, and its past moved on by one. */
static void
make_ticks (Compiler *self)
{
  const WeirEquations *equations = self->equations;
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint32));
  WeirComputation computation;
  Making making;

  if (equations->tick_blocks->len == 0)
    return;
  making_init (&making, self, G_MAXUINT32);
  for (guint i = 0; i < equations->tick_blocks->len; i++)
    {
      const WeirEquationBlock *block = g_ptr_array_index (equations->tick_blocks, i);
      WeirExpr value = weir_expr_replace (self->pool, block->value, get_inlined, &making, NULL);

      g_hash_table_insert (making.inlined, GUINT_TO_POINTER (block->unknowns[0].i + 1),
                           GUINT_TO_POINTER (value.i + 1));
    }
  for (guint i = 0; i < equations->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (equations->variables, i);

      for (guint d = 0; is_tick_variable (variable) && d < variable->depth; d++)
        for (guint j = 0; j < variable->size; j++)
          {
            WeirExpr shift[2] = { variable->elements[j],
                                  weir_expr_number (self->pool, d == 0 ? 0.0 : -(double) d) };
            WeirExpr value = weir_expr_make (self->pool, WEIR_OP_SHIFT, shift, 2);

            if (d == 0)
              value = get_inlined (self->pool, value, &making);
            g_array_append_val (values, value);
            g_array_append_val (lines, variable->line);
          }
    }
  add_explicit (&making, values, lines, 0);
  computation = making_end (&making);
  g_array_unref (making.depends);
  weir_leaf_add_periodic_update (self->builder, self->ticks, equations->period, equations->offset,
                                 weir_equations_update);
  g_array_append_val (self->event_computations, computation);
}

static WeirExpr
replace_pre (WeirExprPool *pool, WeirExpr part, gpointer data)
{
  if (weir_expr_get_op (pool, part) == WEIR_OP_PRE)
    return weir_expr_get_arg (pool, part, 0);
  return get_inlined (pool, part, data);
}

/* The new values of one event's targets: what reads another target, not its pre, gets its new
 * value. FALSE if they read each other in a cycle. */
static gboolean
order_assignments (Making *making, const WeirEvent *event)
{
  WeirExprPool *pool = making->compiler->pool;
  guint n = event->assignments->len;
  g_autofree gboolean *is_done = g_new0 (gboolean, n + 1);
  guint n_done = 0;
  gboolean has_moved = TRUE;

  while (has_moved)
    {
      has_moved = FALSE;
      for (guint i = 0; i < n; i++)
        {
          const WeirAssignment *assignment = &g_array_index (event->assignments, WeirAssignment, i);
          g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
          gboolean is_ready = !is_done[i];
          WeirExpr value;

          weir_expr_collect_atoms (pool, &assignment->value, 1, atoms);
          for (guint j = 0; j < n && is_ready; j++)
            for (guint k = 0; k < atoms->len; k++)
              if (!is_done[j]
                  && weir_expr_equal (g_array_index (atoms, WeirExpr, k),
                                      g_array_index (event->assignments, WeirAssignment, j).target))
                is_ready = FALSE;
          if (!is_ready)
            continue;
          value = weir_expr_replace (pool, assignment->value, replace_pre, making, NULL);
          g_hash_table_insert (making->inlined, GUINT_TO_POINTER (assignment->target.i + 1),
                               GUINT_TO_POINTER (value.i + 1));
          is_done[i] = TRUE;
          n_done++;
          has_moved = TRUE;
        }
    }
  return n_done == n;
}

static gboolean
make_periodic_event (Compiler *self, const WeirEvent *event, GError **error)
{
  const GPtrArray *variables = self->equations->variables;

  for (guint i = 0; i < variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (variables, i);
      g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
      g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint32));
      WeirComputation computation;
      gboolean is_assigned = FALSE;
      Making making;

      if (variable->role != WEIR_ROLE_DISCRETE)
        continue;
      making_init (&making, self, G_MAXUINT32);
      if (!order_assignments (&making, event))
        {
          g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                       "Line %d: the assignments read each other in a cycle; use pre().",
                       event->line);
          making_end (&making);
          g_array_unref (making.depends);
          return FALSE;
        }
      for (guint j = 0; j < variable->size; j++)
        {
          WeirExpr value = get_inlined (self->pool, variable->elements[j], &making);

          is_assigned = is_assigned || !weir_expr_equal (value, variable->elements[j])
                        || g_hash_table_contains (making.inlined,
                                                  GUINT_TO_POINTER (variable->elements[j].i + 1));
          g_array_append_val (values, value);
          g_array_append_val (lines, event->line);
        }
      if (is_assigned)
        {
          const Place *place = get_place (self, variable->elements[0]);
          WeirGroup group = {
            (guint16) g_array_index (self->sources, Source, place->source).index
          };

          add_explicit (&making, values, lines, 0);
          computation = making_end (&making);
          weir_leaf_add_periodic_update (self->builder, group, event->period, event->offset,
                                         weir_equations_update);
          g_array_append_val (self->event_computations, computation);
        }
      else
        making_end (&making);
      g_array_unref (making.depends);
    }
  return TRUE;
}

static const WeirVariable *
find_variable (const Compiler *self, WeirExpr target)
{
  while (weir_expr_get_op (self->pool, target) == WEIR_OP_DER)
    target = weir_expr_get_arg (self->pool, target, 0);
  for (guint i = 0; i < self->equations->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (self->equations->variables, i);

      for (guint j = 0; j < variable->size; j++)
        if (weir_expr_equal (variable->elements[j], target))
          return variable;
    }
  return NULL;
}

/* What this form of leaf cannot do is refused by name. */
static gboolean
check_events (const Compiler *self, GError **error)
{
  for (guint i = 0; i < self->equations->tick_blocks->len; i++)
    {
      const WeirEquationBlock *block = g_ptr_array_index (self->equations->tick_blocks, i);

      if (block->value.i == WEIR_NO_EXPR.i)
        {
          g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                       "Line %d: equations in k must not need each other's value of the same tick.",
                       block->lines[0]);
          return FALSE;
        }
    }
  for (guint i = 0; i < self->equations->events->len; i++)
    {
      const WeirEvent *event = g_ptr_array_index (self->equations->events, i);

      if (event->kind != WEIR_EVENT_PERIODIC)
        {
          g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                       "Line %d: an Equations block reacts to every(period) only, not to a "
                       "crossing.",
                       event->line);
          return FALSE;
        }
      for (guint j = 0; j < event->assignments->len; j++)
        {
          const WeirAssignment *assignment = &g_array_index (event->assignments, WeirAssignment, j);
          const WeirVariable *variable = find_variable (self, assignment->target);

          if (variable != NULL && variable->role == WEIR_ROLE_DISCRETE
              && !is_tick_variable (variable))
            continue;
          g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                       "Line %d: %s cannot be assigned to at every(period): it is %s.",
                       assignment->line, variable != NULL ? variable->name : "this",
                       variable != NULL && variable->role == WEIR_ROLE_STATE
                           ? "continuous"
                           : "determined by an equation in k");
          return FALSE;
        }
    }
  return TRUE;
}

/* --- The whole -------------------------------------------------------------------------------- */

static gboolean
can_be_shown (const WeirVariable *variable)
{
  return variable->role == WEIR_ROLE_STATE || variable->role == WEIR_ROLE_UNKNOWN
         || variable->role == WEIR_ROLE_DISCRETE;
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
  gboolean is_fine;
  Compiler self = { .equations = equations, .pool = equations->pool };
  WeirSystem *system = NULL;

  if (!check_events (&self, error))
    return NULL;
  self.builder = weir_leaf_builder_new ("Equations");
  self.sources = g_array_new (FALSE, FALSE, sizeof (Source));
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
  append_data (&self, &header, sizeof header);

  declare_ports (&self);
  declare_ticks (&self);
  declare_states (&self);
  place_atom (&self, weir_expr_symbol (self.pool, "t"),
              add_source (&self, WEIR_OPERAND_TIME, 0, WEIR_TIME), 0);
  place_unknowns (&self);
  /* A state's derivative may itself be a state: that place counts, not the unknown's. */
  find_dependencies (&self);
  find_needed (&self);
  find_groups (&self);
  for (guint32 i = 0; i < self.groups->len; i++)
    make_group (&self, i);
  make_outputs (&self);
  make_derivatives (&self);
  make_ticks (&self);
  is_fine = TRUE;
  for (guint i = 0; is_fine && i < equations->events->len; i++)
    is_fine = make_periodic_event (&self, g_ptr_array_index (equations->events, i), error);

  header.n_entries = self.entry_computations->len;
  header.entries = append_array (&self, self.entry_computations);
  header.n_events = self.event_computations->len;
  header.events = append_array (&self, self.event_computations);
  memcpy (self.data->data, &header, sizeof header);
  weir_leaf_set_data (self.builder, self.data->data, self.data->len);
  system = weir_leaf_builder_build (self.builder);
  if (!is_fine)
    g_clear_pointer (&system, weir_system_unref);

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

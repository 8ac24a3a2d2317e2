/* Which values are kept together.
 *
 * Two unknowns that depend, through whatever lies between, on the same sources are always put
 * out of date together; they share a cache entry, and nothing else does. Those that the
 * derivatives need are kept apart from those that only outputs need.
 */
#include "blocks/equations/compile-private.h"

#include <string.h>

#include "base/bits.h"

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
  for (guint i = 0; i < equations->delays->len; i++)
    note_reads (self, g_array_index (equations->delays, WeirDelay, i).value, atoms);
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

void
weir_compiler_find_dependencies (WeirCompiler *self)
{
  guint n = self->equations->blocks->len;
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  self->n_words = self->sources->len / 64 + 1;
  self->sets = g_new0 (guint64, (gsize) (n + 1) * self->n_words);
  for (guint i = 0; i < n; i++)
    {
      guint64 *set = self->sets + (gsize) i * self->n_words;

      g_array_set_size (atoms, 0);
      collect_reads (self, weir_compiler_get_block (self, i), atoms);
      for (guint j = 0; j < atoms->len; j++)
        {
          const WeirPlace *place = weir_compiler_get_place (self,
                                                            g_array_index (atoms, WeirExpr, j));

          if (!place->is_unknown)
            weir_bit_set (set, place->source);
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

void
weir_compiler_find_needed (WeirCompiler *self)
{
  const GArray *states = self->equations->states;
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  for (guint i = 0; i < states->len; i++)
    {
      const WeirPlace *place = weir_compiler_get_place (self,
                                                        g_array_index (states, WeirState, i).rate);

      if (!place->is_unknown)
        continue; /* of a lower order: the next state */
      self->is_needed[place->block] = TRUE;
      self->is_rate[place->block] = !self->is_read[place->block]
                                    && weir_compiler_get_block (self, place->block)->value.i
                                           != WEIR_NO_EXPR.i;
    }
  for (guint i = self->equations->blocks->len; i-- > 0;)
    {
      if (!self->is_needed[i])
        continue;
      g_array_set_size (atoms, 0);
      collect_reads (self, weir_compiler_get_block (self, i), atoms);
      for (guint j = 0; j < atoms->len; j++)
        {
          const WeirPlace *place = weir_compiler_get_place (self,
                                                            g_array_index (atoms, WeirExpr, j));

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
  const WeirValueGroup *left = *(WeirValueGroup *const *) a, *right = *(WeirValueGroup *const *) b;

  if (left->n_sources != right->n_sources)
    return left->n_sources < right->n_sources ? -1 : 1;
  if (left->is_needed != right->is_needed)
    return left->is_needed ? -1 : 1;
  return left->first_block < right->first_block ? -1 : left->first_block > right->first_block;
}

void
weir_value_group_free (gpointer data)
{
  g_array_unref (((WeirValueGroup *) data)->blocks);
  g_free (data);
}

void
weir_compiler_find_groups (WeirCompiler *self)
{
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_bytes_hash, g_bytes_equal,
                                                         (GDestroyNotify) g_bytes_unref, NULL);

  for (guint32 i = 0; i < self->equations->blocks->len; i++)
    {
      const guint64 *set = self->sets + (gsize) i * self->n_words;
      guint64 *key;
      GBytes *bytes;
      WeirValueGroup *group;

      if (self->is_rate[i])
        continue;
      key = g_new (guint64, self->n_words + 1);
      memcpy (key, set, self->n_words * sizeof (guint64));
      key[self->n_words] = self->is_needed[i] != FALSE;
      bytes = g_bytes_new_take (key, (self->n_words + 1) * sizeof (guint64));
      group = g_hash_table_lookup (by_key, bytes);
      if (group == NULL)
        {
          group = g_new0 (WeirValueGroup, 1);
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
      group->size += weir_compiler_get_block (self, i)->n;
      g_array_append_val (group->blocks, i);
    }
  g_ptr_array_sort (self->groups, compare_groups);
  for (guint32 g = 0; g < self->groups->len; g++)
    {
      const WeirValueGroup *group = g_ptr_array_index (self->groups, g);

      for (guint i = 0; i < group->blocks->len; i++)
        self->group_of[g_array_index (group->blocks, guint32, i)] = g;
    }
}

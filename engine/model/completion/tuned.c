/* Which values of an edited model a run is to take over. See parameters.h.
 *
 * Where only blocks were edited whose values nobody else can name, nothing but those blocks is
 * looked at: what a Subsystem or the model says may be named by all that is within, and texts of
 * equations are extended by others.
 */
#include "model/completion/completion-private.h"
#include "model/completion/parameters.h"

#include <string.h>

#include "blocks/library/registry.h"

/* --- Edited blocks --------------------------------------------------------------------------- */

typedef struct {
  gboolean is_wide; /* other blocks may be concerned */
  GArray *blocks;   /* of guint32: ids */
} Edited;

/* Can others come to other values by what @block says? */
static gboolean
is_named_by_others (const WeirBlock *block)
{
  const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (block));

  return block->diagram != NULL || type == NULL || type->equations != NULL
         || type->list_extended != NULL;
}

static gboolean
note_block (guint64 id, gboolean in_a, gpointer a, gboolean in_b, gpointer b, gpointer data)
{
  const WeirBlock *before = a, *after = b;
  guint32 number = (guint32) id;
  Edited *self = data;

  self->is_wide = !in_a || !in_b || (before->diagram != NULL) != (after->diagram != NULL)
                  || strcmp (before->name, after->name) != 0;
  if (!self->is_wide && (before->content != after->content || before->unit != after->unit))
    {
      self->is_wide = before->content != after->content
                      && (is_named_by_others (before) || is_named_by_others (after));
      g_array_append_val (self->blocks, number);
    }
  if (!self->is_wide && before->diagram != after->diagram)
    weir_pmap_diff (&before->diagram->blocks, &after->diagram->blocks, note_block, self);
  return !self->is_wide;
}

/* --- Values ---------------------------------------------------------------------------------- */

static guint
hash_place (gconstpointer data)
{
  const WeirParameterEntry *self = data;

  return g_str_hash (self->leaf_parameter) * 31 + self->block;
}

static gboolean
places_equal (gconstpointer a, gconstpointer b)
{
  const WeirParameterEntry *left = a, *right = b;

  return left->block == right->block && strcmp (left->leaf_parameter, right->leaf_parameter) == 0;
}

/* Blocks may have been renamed: a value is known by its block's id. */
static void
compare_values (const WeirParameters *before, const WeirParameters *after, WeirTunedFunc func,
                gpointer data)
{
  g_autoptr (GHashTable) known = g_hash_table_new (hash_place, places_equal);

  for (guint i = 0; i < weir_parameters_get_size (before); i++)
    if (weir_parameters_get (before, i)->leaf_parameter != NULL)
      g_hash_table_add (known, (gpointer) weir_parameters_get (before, i));
  for (guint i = 0; i < weir_parameters_get_size (after); i++)
    {
      const WeirParameterEntry *entry = weir_parameters_get (after, i), *old;

      if (entry->leaf_parameter == NULL || entry->value == NULL)
        continue;
      old = g_hash_table_lookup (known, entry);
      if (old != NULL && old->value != NULL && old->size == entry->size
          && memcmp (old->value, entry->value, entry->size * sizeof *entry->value) != 0)
        func (entry, data);
    }
}

void
weir_model_visit_tuned (WeirModel *before, WeirModel *after, WeirParameters **known,
                        WeirTunedFunc func, gpointer data)
{
  g_autoptr (WeirParameters) of_before = g_steal_pointer (known);
  Edited edited = { .is_wide = !weir_texts_equal (before->head.variables, after->head.variables) };

  g_return_if_fail (func != NULL);

  edited.blocks = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (!edited.is_wide && before->root != after->root)
    weir_pmap_diff (&before->root->blocks, &after->root->blocks, note_block, &edited);
  if (edited.is_wide)
    {
      if (of_before == NULL)
        of_before = weir_parameters_new (before, NULL);
      *known = weir_parameters_new (after, NULL);
      compare_values (of_before, *known, func, data);
    }
  for (guint i = 0; !edited.is_wide && i < edited.blocks->len; i++)
    {
      guint32 id = g_array_index (edited.blocks, guint32, i);
      g_autoptr (WeirParameters) old = weir_parameters_new_of_block (before, id);
      g_autoptr (WeirParameters) new = weir_parameters_new_of_block (after, id);

      compare_values (old, new, func, data);
    }
  g_array_unref (edited.blocks);
}

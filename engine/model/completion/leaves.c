/* Leaf systems that need not be built again, by type, parameters and sizes: all that a leaf is made
 * of. One table goes from model to model through every edit; what a completion did not use is swept
 * out after it.
 */
#include "model/completion/completion-private.h"

#include <string.h>

#include "base/sync.h"

typedef struct {
  GRefString *type;
  WeirTexts *parameters;
  WeirSystem *system;
  guint used; /* the sweep since which it has been of use */
  guint n_sizes;
  guint sizes[];
} Leaf;

struct _WeirLeaves {
  gatomicrefcount ref_count;
  GMutex mutex;
  GHashTable *leaves; /* set of Leaf, owned */
  guint n_sweeps, n_added;
};

static void
leaf_free (gpointer data)
{
  Leaf *self = data;

  g_ref_string_release (self->type);
  weir_texts_unref (self->parameters);
  g_clear_pointer (&self->system, weir_system_unref);
  g_free (self);
}

/* A key; with a system, an element. */
static Leaf *
leaf_new (const char *type, WeirTexts *parameters, const guint *sizes, guint n_sizes)
{
  Leaf *self = g_malloc0 (sizeof (Leaf) + n_sizes * sizeof (guint));

  self->type = g_ref_string_new_intern (type);
  self->parameters = weir_texts_ref (parameters);
  self->n_sizes = n_sizes;
  memcpy (self->sizes, sizes, n_sizes * sizeof *sizes);
  return self;
}

static guint
hash_leaf (gconstpointer data)
{
  const Leaf *self = data;
  guint hash = g_direct_hash (self->type) * 31 + weir_texts_hash (self->parameters);

  for (guint i = 0; i < self->n_sizes; i++)
    hash = hash * 31 + self->sizes[i];
  return hash;
}

static gboolean
leaves_equal (gconstpointer a, gconstpointer b)
{
  const Leaf *leaf_a = a, *leaf_b = b;

  return leaf_a->type == leaf_b->type && leaf_a->n_sizes == leaf_b->n_sizes
         && memcmp (leaf_a->sizes, leaf_b->sizes, leaf_a->n_sizes * sizeof (guint)) == 0
         && weir_texts_equal (leaf_a->parameters, leaf_b->parameters);
}

static gpointer
make_leaves (G_GNUC_UNUSED WeirModel *model)
{
  WeirLeaves *self = g_new0 (WeirLeaves, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  self->leaves = g_hash_table_new_full (hash_leaf, leaves_equal, leaf_free, NULL);
  return self;
}

static gpointer
ref_leaves (gpointer result)
{
  WeirLeaves *self = result;

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
unref_leaves (gpointer result)
{
  weir_leaves_unref (result);
}

void
weir_leaves_unref (WeirLeaves *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_hash_table_unref (self->leaves);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

WeirSystem *
weir_leaves_find (WeirLeaves *self, const char *type, const WeirTexts *parameters,
                  const guint *sizes, guint n_sizes)
{
  Leaf *key = leaf_new (type, (WeirTexts *) parameters, sizes, n_sizes);
  WeirSystem *system = NULL;
  Leaf *found;

  weir_sync_lock (&self->mutex);
  found = g_hash_table_lookup (self->leaves, key);
  if (found != NULL)
    {
      found->used = self->n_sweeps;
      system = weir_system_ref (found->system);
    }
  weir_sync_unlock (&self->mutex);
  leaf_free (key);
  return system;
}

void
weir_leaves_add (WeirLeaves *self, const char *type, WeirTexts *parameters, const guint *sizes,
                 guint n_sizes, WeirSystem *system)
{
  Leaf *leaf = leaf_new (type, parameters, sizes, n_sizes);

  leaf->system = weir_system_ref (system);
  weir_sync_lock (&self->mutex);
  leaf->used = self->n_sweeps;
  self->n_added++;
  g_hash_table_replace (self->leaves, leaf, leaf);
  weir_sync_unlock (&self->mutex);
}

guint
weir_leaves_get_n_added (WeirLeaves *self)
{
  guint n;

  weir_sync_lock (&self->mutex);
  n = self->n_added;
  weir_sync_unlock (&self->mutex);
  return n;
}

void
weir_leaves_sweep (WeirLeaves *self)
{
  GHashTableIter iter;
  gpointer leaf;

  weir_sync_lock (&self->mutex);
  g_hash_table_iter_init (&iter, self->leaves);
  while (g_hash_table_iter_next (&iter, &leaf, NULL))
    if (((Leaf *) leaf)->used != self->n_sweeps)
      g_hash_table_iter_remove (&iter);
  self->n_sweeps++;
  weir_sync_unlock (&self->mutex);
}

WeirDerivedKind weir_derived_leaves = {
  .name = "leaves",
  .survives = WEIR_ASPECT_ALL,
  .make = make_leaves,
  .ref = ref_leaves,
  .unref = unref_leaves,
};

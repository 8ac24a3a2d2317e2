/* Leaf systems that need not be built again, by type, parameters and sizes: all that a leaf is made
 * of. One table goes from model to model through every edit; what a completion did not use is swept
 * out after it.
 */
#include "model/completion/completion-private.h"

#include <string.h>

#include "base/sync.h"

/* Everything in it is borrowed. */
typedef struct {
  const char *type;
  const WeirTexts *parameters;
  const guint *sizes;
  guint n_sizes;
} Key;

typedef struct {
  Key key; /* of what follows */
  GRefString *type;
  WeirTexts *parameters;
  WeirSystem *system;
  guint used; /* the sweep since which it has been of use */
  guint sizes[];
} Leaf;

struct _WeirLeaves {
  gatomicrefcount ref_count;
  GMutex mutex;
  GHashTable *leaves; /* of Leaf, owned, by its key */
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

static Leaf *
leaf_new (const char *type, WeirTexts *parameters, const guint *sizes, guint n_sizes)
{
  Leaf *self = g_malloc0 (sizeof (Leaf) + n_sizes * sizeof (guint));

  self->type = g_ref_string_new_intern (type);
  self->parameters = weir_texts_ref (parameters);
  memcpy (self->sizes, sizes, n_sizes * sizeof *sizes);
  self->key = (Key) { self->type, self->parameters, self->sizes, n_sizes };
  return self;
}

static guint
hash_key (gconstpointer data)
{
  const Key *self = data;
  guint hash = g_str_hash (self->type) * 31 + weir_texts_hash (self->parameters);

  for (guint i = 0; i < self->n_sizes; i++)
    hash = hash * 31 + self->sizes[i];
  return hash;
}

static gboolean
keys_equal (gconstpointer a, gconstpointer b)
{
  const Key *x = a, *y = b;

  return x->n_sizes == y->n_sizes && memcmp (x->sizes, y->sizes, x->n_sizes * sizeof (guint)) == 0
         && strcmp (x->type, y->type) == 0 && weir_texts_equal (x->parameters, y->parameters);
}

static gpointer
make_leaves (G_GNUC_UNUSED WeirModel *model)
{
  WeirLeaves *self = g_new0 (WeirLeaves, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  self->leaves = g_hash_table_new_full (hash_key, keys_equal, NULL, leaf_free);
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
  if (!weir_sync_drop (self, &self->ref_count))
    return;
  g_hash_table_unref (self->leaves);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

WeirSystem *
weir_leaves_find (WeirLeaves *self, const char *type, const WeirTexts *parameters,
                  const guint *sizes, guint n_sizes)
{
  Key key = { type, parameters, sizes, n_sizes };
  WeirSystem *system = NULL;
  Leaf *found;

  weir_sync_lock (&self->mutex);
  found = g_hash_table_lookup (self->leaves, &key);
  if (found != NULL)
    {
      found->used = self->n_sweeps;
      system = weir_system_ref (found->system);
    }
  weir_sync_unlock (&self->mutex);
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
  g_hash_table_replace (self->leaves, &leaf->key, leaf);
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
  while (g_hash_table_iter_next (&iter, NULL, &leaf))
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

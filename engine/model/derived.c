/* Derived results: a short list on each model, behind one lock. See derived.h.
 *
 * Making happens outside the lock, so that a long completion keeps nobody waiting who asks for
 * something else.
 */
#include "model/derived-private.h"

#include <string.h>

#include "base/sync.h"
#include "model/completion.h"

/* In the order in which they were published. */
struct _WeirDerived {
  WeirDerivedKind *kind;
  gpointer result;
  WeirDerived *next;
};

static GMutex mutex; /* of the lists of all models */

static gpointer
find (const WeirModel *model, const WeirDerivedKind *kind)
{
  for (const WeirDerived *derived = model->derived; derived != NULL; derived = derived->next)
    if (derived->kind == kind)
      return derived->result;
  return NULL;
}

static void
add (WeirModel *model, WeirDerivedKind *kind, gpointer result)
{
  WeirDerived *derived = g_new (WeirDerived, 1);

  *derived = (WeirDerived) { kind, kind->ref (result), model->derived };
  model->derived = derived;
}

gpointer
weir_model_peek_derived (WeirModel *model, WeirDerivedKind *kind, gpointer fallback)
{
  gpointer result;

  g_return_val_if_fail (model != NULL, NULL);
  g_return_val_if_fail (kind != NULL, NULL);

  weir_sync_lock (&mutex);
  result = find (model, kind);
  if (result != NULL)
    kind->ref (result);
  weir_sync_unlock (&mutex);
  return result != NULL ? result : fallback;
}

gpointer
weir_model_get_derived (WeirModel *model, WeirDerivedKind *kind)
{
  gpointer result = weir_model_peek_derived (model, kind, NULL);
  gpointer made, first;

  if (result != NULL)
    return result;
  made = kind->make (model);
  g_atomic_int_inc (&kind->n_made);
  weir_sync_lock (&mutex);
  first = find (model, kind);
  if (first == NULL)
    add (model, kind, made);
  else
    kind->ref (first);
  weir_sync_unlock (&mutex);
  if (first == NULL)
    return made;
  kind->unref (made); /* another thread was first */
  return first;
}

void
weir_model_drop_derived (WeirModel *model)
{
  WeirDerived *derived;

  g_return_if_fail (model != NULL);

  weir_sync_lock (&mutex);
  derived = model->derived;
  model->derived = NULL;
  weir_sync_unlock (&mutex);
  while (derived != NULL)
    {
      WeirDerived *next = derived->next;

      derived->kind->unref (derived->result);
      g_free (derived);
      derived = next;
    }
}

void
weir_model_inherit_derived (WeirModel *to, WeirModel *from, WeirAspects aspects)
{
  weir_sync_lock (&mutex);
  for (const WeirDerived *derived = from->derived; derived != NULL; derived = derived->next)
    if ((aspects & ~derived->kind->survives) == 0)
      add (to, derived->kind, derived->result);
  weir_sync_unlock (&mutex);
}

/* --- Completion ------------------------------------------------------------------------------ */

struct _WeirCompletion {
  gatomicrefcount ref_count;
  WeirSystem *system; /* NULL with errors */
  WeirDiagnostics *diagnostics;
};

WeirCompletion *
weir_completion_ref (WeirCompletion *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_completion_unref (WeirCompletion *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->system, weir_system_unref);
  weir_diagnostics_unref (self->diagnostics);
  g_free (self);
}

WeirSystem *
weir_completion_get_system (const WeirCompletion *self)
{
  return self->system;
}

const WeirDiagnostics *
weir_completion_get_diagnostics (const WeirCompletion *self)
{
  return self->diagnostics;
}

static gpointer
make_completion (WeirModel *model)
{
  WeirCompletion *self = g_new (WeirCompletion, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->diagnostics = weir_diagnostics_new ();
  self->system = weir_model_complete (model, self->diagnostics);
  return self;
}

static gpointer
ref_completion (gpointer result)
{
  return weir_completion_ref (result);
}

static void
unref_completion (gpointer result)
{
  weir_completion_unref (result);
}

WeirDerivedKind weir_derived_completion = {
  .name = "completion",
  .survives = WEIR_ASPECT_LAYOUT | WEIR_ASPECT_METADATA,
  .make = make_completion,
  .ref = ref_completion,
  .unref = unref_completion,
};

/* --- Sizes ----------------------------------------------------------------------------------- */

static gpointer
make_sizes (WeirModel *model)
{
  return weir_model_find_signal_sizes (model);
}

static gpointer
ref_table (gpointer result)
{
  return g_hash_table_ref (result);
}

static void
unref_table (gpointer result)
{
  g_hash_table_unref (result);
}

WeirDerivedKind weir_derived_signal_sizes = {
  .name = "signal sizes",
  .survives = WEIR_ASPECT_LAYOUT | WEIR_ASPECT_METADATA | WEIR_ASPECT_NAMES | WEIR_ASPECT_PARAMETERS
              | WEIR_ASPECT_SETTINGS,
  .make = make_sizes,
  .ref = ref_table,
  .unref = unref_table,
};

/* --- Leaves ---------------------------------------------------------------------------------- */

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
  guint hash = g_direct_hash (self->type);

  for (guint i = 0; i < weir_texts_get_size (self->parameters); i++)
    hash = hash * 31 + g_str_hash (weir_texts_get_text (self->parameters, i));
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

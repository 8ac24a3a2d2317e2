/* The instances that contexts have, and the epochs by which contexts find them. See leaf.h.
 *
 * The value of the abstract state is a counter whose bytes lie in the epoch itself, so that a value
 * is its epoch's for as long as it lives, and one that comes from a file, or from elsewhere, is
 * nobody's. All epochs that live are in a table: no address is followed that is not in it.
 */
#include "fmi/leaf-private.h"

#include <string.h>

#include "base/error.h"
#include "base/status.h"
#include "base/sync.h"
#include "fmi/trust.h"

typedef struct {
  WeirFmuBinary binary;    /* strings and lists are owned; folder: NULL until it is unpacked */
  WeirFmuArchive *archive; /* or NULL */
  WeirFmuOptions options;
} Binary;

static GMutex mutex;
static GHashTable *epochs;   /* set of WeirFmuEpoch that live */
static GHashTable *living;   /* by number: WeirFmuShared that live, borrowed */
static GHashTable *binaries; /* by key: Binary */
static GHashTable *starting; /* by key: WeirFmuShared, owned */

/* --- Binaries -------------------------------------------------------------------------------- */

static void
binary_free (gpointer data)
{
  Binary *self = data;

  g_clear_pointer (&self->archive, weir_fmu_archive_unref);
  weir_fmu_binary_clear (&self->binary);
  g_free (self);
}

void
weir_fmu_leaf_keep_binary (const char *key, const WeirFmuBinary *binary, WeirFmuArchive *archive,
                           const WeirFmuOptions *options)
{
  Binary *self = g_new (Binary, 1);

  self->options = *options;
  self->archive = archive != NULL ? weir_fmu_archive_ref (archive) : NULL;
  weir_fmu_binary_copy (&self->binary, binary);
  weir_sync_lock (&mutex);
  /* One that is there is the same, and may be unpacked already. */
  if (binaries != NULL && archive != NULL && g_hash_table_contains (binaries, key))
    {
      weir_sync_unlock (&mutex);
      binary_free (self);
      return;
    }
  if (binaries == NULL)
    binaries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, binary_free);
  g_hash_table_replace (binaries, g_strdup (key), self);
  weir_sync_unlock (&mutex);
}

/* --- Instances ------------------------------------------------------------------------------- */

/* Nothing that a stranger made is unpacked, let alone run, before it is trusted. */
static gboolean
unpack (Binary *self, GError **error)
{
  if (self->archive != NULL && self->binary.folder == NULL)
    self->binary.folder = weir_fmu_trust_unpack (self->archive, self->binary.name, error);
  return self->archive == NULL || self->binary.folder != NULL;
}

/* Behind the lock. */
static void
enlist (WeirFmuShared *self)
{
  static guint64 n_made;

  if (living == NULL)
    living = g_hash_table_new (g_int64_hash, g_int64_equal);
  self->number = ++n_made;
  g_hash_table_insert (living, &self->number, self);
}

WeirFmuShared *
weir_fmu_shared_new (const WeirFmuLeafData *data, GError **error)
{
  g_autoptr (WeirFmuShared) self = g_new0 (WeirFmuShared, 1);
  Binary *binary;

  self->n_refs = 1;
  g_mutex_init (&self->mutex);
  self->n_u = data->n_input_values;
  self->u = g_new0 (double, data->n_input_values + 1);
  weir_sync_lock (&mutex);
  binary = binaries != NULL ? g_hash_table_lookup (binaries, data->key) : NULL;
  if (binary != NULL && unpack (binary, error))
    {
      self->instance = weir_fmu_instance_new (&binary->binary, &binary->options, error);
      self->can_save = binary->binary.can_save;
      self->can_serialize = binary->binary.can_serialize;
      enlist (self);
    }
  else if (binary == NULL)
    weir_error_set (
        error, WEIR_ERROR_FAILED,
        "No FMU is known here that the block was made of: make the model's system anew.");
  weir_sync_unlock (&mutex);
  return self->instance != NULL ? g_steal_pointer (&self) : NULL;
}

void
weir_fmu_shared_unref (WeirFmuShared *self)
{
  if (self == NULL || !weir_sync_drop (self, &self->n_refs))
    return;
  weir_sync_lock (&mutex);
  if (living != NULL)
    g_hash_table_remove (living, &self->number);
  weir_sync_unlock (&mutex);
  g_clear_pointer (&self->instance, weir_fmu_instance_free);
  g_mutex_clear (&self->mutex);
  g_free (self->u);
  g_free (self);
}

WeirFmuShared *
weir_fmu_starting_take (const char *key)
{
  gpointer own = NULL, shared = NULL;

  weir_sync_lock (&mutex);
  if (starting != NULL && g_hash_table_steal_extended (starting, key, &own, &shared))
    g_free (own);
  weir_sync_unlock (&mutex);
  return shared;
}

void
weir_fmu_starting_keep (const char *key, WeirFmuShared *shared)
{
  WeirFmuShared *other = weir_fmu_starting_take (key);

  weir_sync_lock (&mutex);
  if (starting == NULL)
    starting = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                      (GDestroyNotify) weir_fmu_shared_unref);
  g_hash_table_insert (starting, g_strdup (key), shared);
  weir_sync_unlock (&mutex);
  weir_fmu_shared_unref (other);
}

/* --- Epochs ---------------------------------------------------------------------------------- */

static void
epoch_free (gpointer data)
{
  WeirFmuEpoch *self = data;
  WeirFmuShared *shared = self->shared;

  weir_sync_lock (&mutex);
  g_hash_table_remove (epochs, self);
  weir_sync_unlock (&mutex);
  weir_sync_lock (&shared->mutex);
  if (shared->current == self)
    shared->current = NULL;
  weir_sync_unlock (&shared->mutex);
  weir_fmu_state_unref (self->saved);
  weir_fmu_shared_unref (shared);
  g_free (self);
}

static WeirFmuEpoch *
epoch_new (WeirFmuShared *shared, guint64 count, double time)
{
  WeirFmuEpoch *self = g_new0 (WeirFmuEpoch, 1);

  g_atomic_int_inc (&shared->n_refs);
  self->shared = shared;
  self->count = count;
  self->time = time;
  return self;
}

/* @self: (transfer full). */
static GVariant *
epoch_to_value (WeirFmuEpoch *self)
{
  weir_sync_lock (&mutex);
  if (epochs == NULL)
    epochs = g_hash_table_new (NULL, NULL);
  g_hash_table_add (epochs, self);
  weir_sync_unlock (&mutex);
  return g_variant_new_from_data (G_VARIANT_TYPE_UINT64, &self->count, sizeof self->count, TRUE,
                                  epoch_free, self);
}

GVariant *
weir_fmu_epoch_new (WeirFmuShared *shared, guint64 count, double time)
{
  shared->current = epoch_new (shared, count, time);
  return epoch_to_value (shared->current);
}

gboolean
weir_fmu_epoch_is_there (const WeirFmuEpoch *self, guint64 count)
{
  gboolean is_there;

  weir_sync_lock (&mutex);
  is_there = epochs != NULL && g_hash_table_contains (epochs, self) && self->count == count;
  weir_sync_unlock (&mutex);
  return is_there;
}

WeirFmuEpoch *
weir_fmu_epoch_find (GVariant *value)
{
  WeirFmuEpoch *self = (WeirFmuEpoch *) g_variant_get_data (value);
  gboolean is_there;

  weir_sync_lock (&mutex);
  is_there = epochs != NULL && g_hash_table_contains (epochs, self);
  weir_sync_unlock (&mutex);
  return is_there ? self : NULL;
}

gboolean
weir_fmu_epoch_leave (WeirFmuEpoch *self, GError **error)
{
  if (self->saved == NULL && self->shared->can_save)
    self->saved = weir_fmu_instance_save (self->shared->instance, error);
  return self->saved != NULL || !self->shared->can_save;
}

gboolean
weir_fmu_epoch_lock (WeirFmuEpoch *self, const gint *cancel, GError **error)
{
  WeirFmuShared *shared = self->shared;
  gboolean is_there = TRUE;

  weir_sync_lock (&shared->mutex);
  weir_fmu_instance_watch (shared->instance, cancel);
  if (shared->current == self)
    return TRUE;
  if (self->saved == NULL)
    {
      weir_error_set (error, WEIR_ERROR_FAILED,
                      "The FMU has gone on to another event, and offers no saving of its state, so "
                      "that it cannot go back: start the run anew.");
      is_there = FALSE;
    }
  else if (shared->current != NULL)
    is_there = weir_fmu_epoch_leave (shared->current, error);
  if (is_there)
    is_there = weir_fmu_instance_restore (shared->instance, self->saved, error);
  if (!is_there)
    {
      weir_fmu_epoch_unlock (self);
      return FALSE;
    }
  shared->current = self;
  shared->time = self->time;
  return TRUE;
}

void
weir_fmu_epoch_unlock (WeirFmuEpoch *self)
{
  weir_fmu_instance_watch (self->shared->instance, NULL);
  weir_sync_unlock (&self->shared->mutex);
}

/* --- Saved and loaded ------------------------------------------------------------------------ */

/* Which process, and which instance in it; count, time, has ended; inputs told last; the FMU's own
 * state. */
#define KEPT_TYPE "(xttdbaday)"

/* Differs from that of any other process that may read what this one has saved. */
static gint64
get_process (void)
{
  static gint64 process;

  weir_sync_lock (&mutex);
  if (process == 0)
    process = g_get_real_time () ^ (gint64) ((guint64) g_random_int () << 32);
  weir_sync_unlock (&mutex);
  return process;
}

/* The instance is locked. (transfer floating) */
static GVariant *
box_epoch (const WeirFmuEpoch *self, GBytes *bytes, gint64 process)
{
  const WeirFmuShared *shared = self->shared;

  return g_variant_new (
      "(xttdb@ad@ay)", process, shared->number, self->count, self->time, self->has_ended,
      g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, shared->u, shared->n_u, sizeof (double)),
      g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, bytes, TRUE));
}

static GVariant *
save_epoch (GVariant *value, GError **error)
{
  WeirFmuEpoch *self = weir_fmu_epoch_find (value);
  gint64 process = get_process ();
  g_autoptr (GBytes) bytes = NULL;
  GVariant *kept = NULL;

  if (self == NULL && g_variant_get_uint64 (value) == 0)
    return value; /* no run has begun */
  if (self == NULL)
    {
      weir_error_set (
          error, WEIR_ERROR_INVALID,
          "the state of the FMU is not in this process any more, so that this run cannot "
          "be saved");
      return NULL;
    }
  if (!self->shared->can_serialize)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "the FMU does not offer that its state is made into bytes, so that this run "
                      "cannot be saved, nor gone back in");
      return NULL;
    }
  weir_sync_lock (&self->shared->mutex);
  if (self->saved == NULL && self->shared->current == self)
    weir_fmu_epoch_leave (self, error);
  if (self->saved != NULL)
    bytes = weir_fmu_instance_serialize (self->shared->instance, self->saved, error);
  if (bytes != NULL)
    kept = box_epoch (self, bytes, process);
  weir_sync_unlock (&self->shared->mutex);
  return kept;
}

/* Behind the lock of those that live: one that is being freed waits for it. */
static WeirFmuShared *
take_if_alive (WeirFmuShared *self)
{
  for (gint n = g_atomic_int_get (&self->n_refs); n > 0; n = g_atomic_int_get (&self->n_refs))
    if (g_atomic_int_compare_and_exchange (&self->n_refs, n, n + 1))
      return self;
  return NULL;
}

static gboolean
is_lost (WeirFmuShared *self)
{
  gboolean is_lost;

  weir_sync_lock (&self->mutex);
  is_lost = weir_fmu_instance_is_lost (self->instance);
  weir_sync_unlock (&self->mutex);
  return is_lost;
}

/* The instance itself where it is still there. (transfer full), or NULL and @error. */
static WeirFmuShared *
find_or_make (const WeirFmuLeafData *data, gint64 process, guint64 number, GVariant *u,
              GError **error)
{
  WeirFmuShared *shared = NULL;
  gint64 own = get_process ();
  const double *values;
  gsize n;

  weir_sync_lock (&mutex);
  if (process == own && living != NULL)
    shared = g_hash_table_lookup (living, &number);
  if (shared != NULL)
    shared = take_if_alive (shared);
  weir_sync_unlock (&mutex);
  if (shared != NULL && !is_lost (shared))
    return shared;
  weir_fmu_shared_unref (shared);
  shared = weir_fmu_shared_new (data, error);
  values = g_variant_get_fixed_array (u, &n, sizeof *values);
  if (shared != NULL && n == shared->n_u && n > 0)
    memcpy (shared->u, values, n * sizeof *values);
  return shared;
}

static GVariant *
load_epoch (gconstpointer data, GVariant *saved, GError **error)
{
  g_autoptr (WeirFmuShared) shared = NULL;
  g_autoptr (WeirFmuState) state = NULL;
  g_autoptr (GVariant) u = NULL, own = NULL;
  g_autoptr (GBytes) bytes = NULL;
  WeirFmuEpoch *self;
  guint64 number, count;
  gboolean has_ended;
  gint64 process;
  double time;

  if (!g_variant_is_of_type (saved, G_VARIANT_TYPE (KEPT_TYPE)))
    return saved; /* what is no use here says so where it is used */
  g_variant_get (saved, "(xttdb@ad@ay)", &process, &number, &count, &time, &has_ended, &u, &own);
  bytes = g_variant_get_data_as_bytes (own);
  shared = find_or_make (data, process, number, u, error);
  if (shared == NULL)
    return NULL;
  weir_sync_lock (&shared->mutex);
  state = weir_fmu_instance_deserialize (shared->instance, bytes, error);
  weir_sync_unlock (&shared->mutex);
  if (state == NULL)
    return NULL;
  self = epoch_new (shared, count, time);
  self->has_ended = has_ended;
  self->saved = g_steal_pointer (&state);
  return epoch_to_value (self);
}

const WeirAbstractKeeping weir_fmu_epoch_keeping = { save_epoch, load_epoch };

/* Trips to an instance: lists of calls that are made at one go, here or by the worker. See
 * instance-private.h.
 *
 * The FMU frees a state by a call, which only the instance's owner may make, while the last
 * reference may go anywhere at any time: what is let go is buried, and the next trip takes the
 * buried along.
 */
#include "fmi/instance-private.h"

#include <string.h>

#include "base/error.h"
#include "base/sync.h"

#define FREED_AT_ONCE 8 /* calls in one trip */

struct _WeirFmuGraves {
  gint n_refs; /* atomic: the instance's and one for each state */
  GMutex mutex;
  gboolean is_closed;
  GHashTable *living; /* handles that a state has */
  GArray *handles;    /* gpointer, of states that have been let go */
};

/* --- Calls ----------------------------------------------------------------------------------- */

WeirFmuCall *
weir_fmu_trip_add (WeirFmuInstance *self, WeirFmuCallKind kind)
{
  WeirFmuCall *call = &self->region->calls[MIN (self->n_calls, WEIR_FMU_MAX_CALLS - 1)];

  if (self->n_calls < WEIR_FMU_MAX_CALLS)
    self->n_calls++;
  else
    self->is_full = TRUE;
  memset (call, 0, sizeof *call);
  call->kind = kind;
  return call;
}

static void
empty (WeirFmuGraves *graves, WeirFmuInstance *self)
{
  guint n;

  weir_sync_lock (&graves->mutex);
  n = MIN (graves->handles->len, FREED_AT_ONCE);
  for (guint i = 0; i < n; i++)
    weir_fmu_trip_add (self, WEIR_FMU_CALL_FORGET)->handle = g_array_index (
        graves->handles, guint64, graves->handles->len - 1 - i);
  g_array_set_size (graves->handles, graves->handles->len - n);
  weir_sync_unlock (&graves->mutex);
}

void
weir_fmu_trip_begin (WeirFmuInstance *self)
{
  self->n_calls = 0;
  self->used = WEIR_FMU_ALIGN (sizeof *self->region);
  self->is_full = FALSE;
  if (self->graves != NULL)
    empty (self->graves, self);
}

guint64
weir_fmu_trip_take (WeirFmuInstance *self, gsize size)
{
  guint64 from = WEIR_FMU_ALIGN (self->used);

  if (from > WEIR_FMU_REGION_BYTES || size > WEIR_FMU_REGION_BYTES - from)
    {
      self->is_full = TRUE;
      return 0;
    }
  self->used = from + size;
  return from;
}

guint64
weir_fmu_trip_put (WeirFmuInstance *self, gconstpointer bytes, gsize size)
{
  guint64 from = weir_fmu_trip_take (self, size);

  if (from != 0 && size > 0)
    memcpy ((char *) self->region + from, bytes, size);
  return from;
}

gconstpointer
weir_fmu_trip_check (WeirFmuInstance *self, guint64 distance, guint64 size)
{
  if (distance < sizeof *self->region || distance > WEIR_FMU_REGION_BYTES
      || size > WEIR_FMU_REGION_BYTES - distance)
    return NULL;
  return (const char *) self->region + distance;
}

/* Why a library was not loaded; it need not be a text. (transfer full) (nullable) */
static char *
dup_reason (WeirFmuInstance *self, const WeirFmuCall *call)
{
  guint64 size = MIN (call->n_values2, 4000);
  const char *text = weir_fmu_trip_check (self, call->values2, size);

  return text != NULL ? g_utf8_make_valid (text, (gssize) strnlen (text, size)) : NULL;
}

WeirFmuOutcome
weir_fmu_trip_go (WeirFmuInstance *self, GError **error)
{
  WeirFmuRegion *region = self->region;

  if (self->lost != NULL)
    {
      g_propagate_error (error, g_error_copy (self->lost));
      return WEIR_FMU_FAILED;
    }
  if (self->is_full)
    {
      weir_error_set (error, WEIR_ERROR_FAILED,
                      "%s: a call of the FMU takes more values than fit into %u MB.",
                      self->binary.name, (guint) (WEIR_FMU_REGION_BYTES / 1000000));
      return WEIR_FMU_FAILED;
    }
  region->n_calls = self->n_calls;
  region->used = self->used;
  atomic_store_explicit (&region->at, 0, memory_order_relaxed);
  if (self->process != NULL)
    {
      WeirFmuAnswer answer = weir_fmu_process_ask (self->process, self->options.limit);

      if (answer != WEIR_FMU_ANSWERED)
        return weir_fmu_instance_lose (self, answer, error);
    }
  else
    weir_fmu_perform (&self->library, (char *) region, region->size, &region->used, region->calls,
                      region->n_calls, &region->at);
  for (guint i = 0; i < self->n_calls; i++)
    {
      const WeirFmuCall *call = &region->calls[i];
      guint32 status = call->status;

      if (status > WEIR_FMI_WARNING)
        {
          gboolean is_not_there = status == WEIR_FMU_STATUS_NOT_LOADED
                                  || status == WEIR_FMU_STATUS_INCOMPLETE;
          g_autofree char *why = is_not_there ? dup_reason (self, call) : NULL;

          return weir_fmu_instance_fail (self, call->kind, call->type, status, why, error);
        }
    }
  return WEIR_FMU_DONE;
}

gboolean
weir_fmu_trip_is_done (WeirFmuInstance *self, WeirFmuOutcome outcome, GError **error)
{
  if (outcome == WEIR_FMU_DISCARDED)
    weir_error_set (error, WEIR_ERROR_FAILED,
                    "%s: the FMU refuses a change of mode at t = %.9g, for which it may not ask.",
                    self->binary.name, self->time);
  return outcome == WEIR_FMU_DONE;
}

gboolean
weir_fmu_trip_call (WeirFmuInstance *self, WeirFmuCallKind kind, GError **error)
{
  weir_fmu_trip_begin (self);
  weir_fmu_trip_add (self, kind);
  return weir_fmu_trip_is_done (self, weir_fmu_trip_go (self, error), error);
}

void
weir_fmu_instance_note_change (WeirFmuInstance *self)
{
  self->epoch++;
  self->knows_states = FALSE;
}

/* --- What is let go -------------------------------------------------------------------------- */

WeirFmuGraves *
weir_fmu_graves_new (void)
{
  WeirFmuGraves *graves = g_new0 (WeirFmuGraves, 1);

  graves->n_refs = 1;
  g_mutex_init (&graves->mutex);
  graves->living = g_hash_table_new (NULL, NULL);
  graves->handles = g_array_new (FALSE, FALSE, sizeof (gpointer));
  return graves;
}

static void
unref_graves (WeirFmuGraves *graves)
{
  if (!g_atomic_int_dec_and_test (&graves->n_refs))
    return;
  weir_sync_acquire (graves);
  g_array_unref (graves->handles);
  g_hash_table_unref (graves->living);
  g_mutex_clear (&graves->mutex);
  g_free (graves);
}

void
weir_fmu_graves_add (WeirFmuGraves *graves, gpointer handle)
{
  g_atomic_int_inc (&graves->n_refs);
  weir_sync_lock (&graves->mutex);
  g_hash_table_add (graves->living, handle);
  weir_sync_unlock (&graves->mutex);
}

void
weir_fmu_graves_bury (WeirFmuGraves *graves, gpointer handle)
{
  weir_sync_lock (&graves->mutex);
  if (!graves->is_closed)
    {
      g_hash_table_remove (graves->living, handle);
      g_array_append_val (graves->handles, handle);
    }
  weir_sync_unlock (&graves->mutex);
  weir_sync_release (graves);
  unref_graves (graves);
}

void
weir_fmu_graves_close (WeirFmuGraves *graves, WeirFmuInstance *self)
{
  GHashTableIter iter;
  gpointer handle;
  gboolean goes_on = self != NULL;

  weir_sync_lock (&graves->mutex);
  graves->is_closed = TRUE;
  g_hash_table_iter_init (&iter, graves->living);
  while (g_hash_table_iter_next (&iter, &handle, NULL))
    g_array_append_val (graves->handles, handle);
  weir_sync_unlock (&graves->mutex);
  /* Nothing is buried any more, so that this ends. */
  while (goes_on && graves->handles->len > 0)
    {
      weir_fmu_trip_begin (self);
      empty (graves, self);
      goes_on = weir_fmu_trip_go (self, NULL) != WEIR_FMU_FAILED;
    }
  weir_sync_release (graves);
  unref_graves (graves);
}

/* States of a whole FMU: saved, restored, as bytes. What is let go is buried (instance-trip.c). See
 * instance.h. */
#include "fmi/instance-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/sync.h"
#include "base/text.h"

#define MAGIC 0x55464d57u

struct _WeirFmuState {
  gint n_refs; /* atomic */
  WeirFmuGraves *graves;
  gpointer handle; /* in the FMU's process */
  WeirFmuPhase phase;
  double time;
};

/* Before the FMU's own bytes. */
typedef struct {
  guint32 magic, phase;
  double time;
} Header;

/* --- References ----------------------------------------------------------------------------- */

WeirFmuState *
weir_fmu_state_ref (WeirFmuState *self)
{
  g_atomic_int_inc (&self->n_refs);
  return self;
}

void
weir_fmu_state_unref (WeirFmuState *self)
{
  if (self == NULL || !weir_sync_drop (self, &self->n_refs))
    return;
  weir_fmu_graves_bury (self->graves, self->handle);
  g_free (self);
}

/* --- Saved and restored ---------------------------------------------------------------------- */

static WeirFmuState *
new_state (WeirFmuInstance *self, guint64 handle)
{
  WeirFmuState *state = g_new0 (WeirFmuState, 1);

  state->n_refs = 1;
  state->graves = self->graves;
  state->handle = GSIZE_TO_POINTER (handle);
  weir_fmu_graves_add (state->graves, state->handle);
  state->phase = self->phase;
  state->time = self->time;
  return state;
}

static gboolean
can (const WeirFmuInstance *self, gboolean is_able, const char *why, GError **error)
{
  if (!is_able)
    weir_error_set (error, WEIR_ERROR_INVALID, "%s: %s", self->binary.name, weir_phrase (why));
  return is_able;
}

WeirFmuState *
weir_fmu_instance_save (WeirFmuInstance *self, GError **error)
{
  WeirFmuCall *call;

  if (!can (self, self->binary.can_save, N_ ("the FMU does not offer that its state is saved."),
            error))
    return NULL;
  weir_fmu_trip_begin (self);
  call = weir_fmu_trip_add (self, WEIR_FMU_CALL_SAVE);
  if (!weir_fmu_trip_is_done (self, weir_fmu_trip_go (self, error), error))
    return NULL;
  return new_state (self, call->handle);
}

gboolean
weir_fmu_instance_restore (WeirFmuInstance *self, const WeirFmuState *state, GError **error)
{
  g_return_val_if_fail (state->graves == self->graves, FALSE);
  weir_fmu_instance_note_change (self);
  self->knows_inputs = FALSE;
  weir_fmu_trip_begin (self);
  weir_fmu_trip_add (self, WEIR_FMU_CALL_RESTORE)->handle = GPOINTER_TO_SIZE (state->handle);
  if (!weir_fmu_trip_is_done (self, weir_fmu_trip_go (self, error), error))
    return FALSE;
  self->phase = state->phase;
  self->time = state->time;
  return TRUE;
}

GBytes *
weir_fmu_instance_serialize (WeirFmuInstance *self, const WeirFmuState *state, GError **error)
{
  Header header = { MAGIC, state->phase, state->time };
  WeirFmuCall *call;
  gconstpointer found;
  guint64 size;
  guint8 *bytes;

  g_return_val_if_fail (state->graves == self->graves, NULL);
  if (!can (self, self->binary.can_serialize,
            N_ ("the FMU does not offer that its state is made into bytes."), error))
    return NULL;
  weir_fmu_trip_begin (self);
  call = weir_fmu_trip_add (self, WEIR_FMU_CALL_SERIALIZE);
  call->handle = GPOINTER_TO_SIZE (state->handle);
  if (!weir_fmu_trip_is_done (self, weir_fmu_trip_go (self, error), error))
    return NULL;
  size = call->n_values;
  found = weir_fmu_trip_check (self, call->values, size);
  if (found == NULL)
    {
      weir_error_set (error, WEIR_ERROR_FAILED,
                      "%s: the FMU has overwritten what its worker answers with.",
                      self->binary.name);
      return NULL;
    }
  bytes = g_malloc (sizeof header + size);
  memcpy (bytes, &header, sizeof header);
  memcpy (bytes + sizeof header, found, size);
  return g_bytes_new_take (bytes, sizeof header + size);
}

WeirFmuState *
weir_fmu_instance_deserialize (WeirFmuInstance *self, GBytes *bytes, GError **error)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  Header header = { 0 };
  WeirFmuState *state;
  WeirFmuCall *call;

  if (!can (self, self->binary.can_serialize,
            N_ ("the FMU does not offer that its state is made into bytes."), error))
    return NULL;
  if (size >= sizeof header)
    memcpy (&header, data, sizeof header);
  if (header.magic != MAGIC || header.phase > WEIR_FMU_TERMINATED)
    {
      weir_error_set (error, WEIR_ERROR_MISMATCH, "%s: these bytes are no state of an FMU.",
                      self->binary.name);
      return NULL;
    }
  weir_fmu_trip_begin (self);
  call = weir_fmu_trip_add (self, WEIR_FMU_CALL_DESERIALIZE);
  call->n_values = size - sizeof header;
  call->values = weir_fmu_trip_put (self, data + sizeof header, size - sizeof header);
  if (!weir_fmu_trip_is_done (self, weir_fmu_trip_go (self, error), error))
    return NULL;
  state = new_state (self, call->handle);
  state->phase = header.phase;
  state->time = header.time;
  return state;
}

/* Logging a run's change events, with the run stored now and then, so that it can be repeated
 * from there.
 *
 * At most MAX_STORED runs are kept: when there are more, every second is dropped, and those that
 * follow lie twice as far apart. Thread: the context's owner.
 */
#include "base/sync.h"
#include "sim/session-private.h"
#include "system/evaluation/checkpoint.h"

#define MAX_STORED 32
#define FIRST_INTERVAL 4096 /* change events between stored runs */

static void
stored_run_clear (gpointer data)
{
  WeirStoredRun *stored = data;

  g_clear_pointer (&stored->context, g_bytes_unref);
  g_clear_pointer (&stored->run, g_bytes_unref);
}

static GArray *
stored_runs_new (void)
{
  GArray *stored = g_array_new (FALSE, FALSE, sizeof (WeirStoredRun));

  g_array_set_clear_func (stored, stored_run_clear);
  return stored;
}

GArray *
weir_stored_runs_copy (const GArray *stored)
{
  GArray *copy = stored_runs_new ();

  for (guint i = 0; i < stored->len; i++)
    {
      WeirStoredRun run = g_array_index (stored, WeirStoredRun, i);

      if (run.context != NULL)
        g_bytes_ref (run.context);
      if (run.run != NULL)
        g_bytes_ref (run.run);
      g_array_append_val (copy, run);
    }
  return copy;
}

void
weir_stored_runs_free (GArray *stored)
{
  g_clear_pointer (&stored, g_array_unref);
}

void
weir_run_log_free (WeirRunLog *self)
{
  if (self == NULL)
    return;
  weir_change_log_free (self->log);
  g_array_unref (self->stored);
  g_free (self);
}

/* --- Storing --------------------------------------------------------------------------------- */

/* The first stays: from it, everything can be repeated. Returns the distance from then on. */
static guint64
thin (GArray *stored)
{
  for (guint i = stored->len - 1; i > 0; i--)
    if (i % 2 == 1)
      g_array_remove_index (stored, i);
  return (g_array_index (stored, WeirStoredRun, stored->len - 1).n_events
          - g_array_index (stored, WeirStoredRun, 0).n_events)
         / stored->len;
}

void
weir_run_store (WeirRun *self, gboolean changed)
{
  WeirStoredRun stored = { .n_events = weir_context_get_n_events (self->context),
                           .time = weir_context_get_time (self->context) };
  guint64 distance = FIRST_INTERVAL;

  if (self->stored == NULL || (stored.n_events < self->next_stored && !changed))
    return;
  if (self->mode == WEIR_SESSION_IDLE)
    stored.context = weir_context_save (self->context);
  else if ((stored.run = weir_simulator_save (self->simulator, NULL)) == NULL)
    return; /* within a step */
  if (self->stored->len >= MAX_STORED)
    distance = MAX (thin (self->stored), FIRST_INTERVAL);
  else if (self->stored->len > 1)
    distance = MAX ((stored.n_events - g_array_index (self->stored, WeirStoredRun, 0).n_events)
                        / self->stored->len,
                    FIRST_INTERVAL);
  g_array_append_val (self->stored, stored);
  self->next_stored = stored.n_events + distance;
}

/* --- Handing over ---------------------------------------------------------------------------- */

/* @log: (transfer full) (nullable). */
static void
hand_over (WeirRun *self, WeirChangeLog *log)
{
  WeirRunLog *run_log, *older;

  if (log == NULL)
    return;
  if (self->is_at_break)
    weir_change_log_drop_last_request (log);
  run_log = g_new (WeirRunLog, 1);
  *run_log = (WeirRunLog) { log, weir_stored_runs_copy (self->stored) };
  weir_sync_lock (&self->lock);
  older = self->handed_over;
  self->handed_over = run_log;
  weir_sync_unlock (&self->lock);
  weir_run_log_free (older);
  self->is_dirty = TRUE;
}

void
weir_run_apply_log (WeirRun *self, const WeirCommand *command)
{
  switch (command->kind)
    {
    case WEIR_COMMAND_START_LOG:
      g_clear_pointer (&self->stored, g_array_unref);
      weir_context_start_log (self->context, command->record_mode, command->capacity);
      self->stored = stored_runs_new ();
      weir_run_store (self, TRUE);
      break;
    case WEIR_COMMAND_STOP_LOG:
      weir_run_end_log (self);
      break;
    case WEIR_COMMAND_HAND_OVER_LOG:
      hand_over (self, weir_context_copy_log (self->context));
      break;
    case WEIR_COMMAND_RUN:
    case WEIR_COMMAND_PAUSE:
    case WEIR_COMMAND_STEP:
    case WEIR_COMMAND_STEP_BACK:
    case WEIR_COMMAND_STOP:
    case WEIR_COMMAND_SET_PARAMETER:
    case WEIR_COMMAND_SET_CACHING:
    case WEIR_COMMAND_SET_ENTRY_CACHING:
    case WEIR_COMMAND_ADD_LOG:
    case WEIR_COMMAND_SET_RATE:
    case WEIR_COMMAND_SET_BREAKPOINTS:
    case WEIR_COMMAND_SET_ENTRY_HELD:
    case WEIR_COMMAND_SET_SHOWN:
    default:
      g_assert_not_reached ();
    }
}

void
weir_run_end_log (WeirRun *self)
{
  hand_over (self, weir_context_stop_log (self->context));
  g_clear_pointer (&self->stored, g_array_unref);
}

void
weir_run_clear_log (WeirRun *self)
{
  g_clear_pointer (&self->stored, g_array_unref);
  g_clear_pointer (&self->handed_over, weir_run_log_free);
}

/* The thread of a run: commands at step boundaries, pacing, steps, snapshots.
 *
 * Nothing here allocates per step; samples go to the recorder without a lock.
 */
#include "base/sync.h"
#include "sim/session-private.h"

static void
apply_commands (WeirRun *self)
{
  gboolean changed = FALSE;
  GArray *taken;

  weir_sync_lock (&self->lock);
  taken = self->commands;
  self->commands = self->taken;
  self->taken = taken;
  g_atomic_int_set (&self->n_pending, 0);
  weir_sync_unlock (&self->lock);

  for (guint i = 0; i < taken->len; i++)
    {
      WeirCommand *command = &g_array_index (taken, WeirCommand, i);

      if (self->mode != WEIR_SESSION_STOPPED)
        weir_run_apply (self, command);
      changed |= command->kind == WEIR_COMMAND_SET_PARAMETER
                 || command->kind == WEIR_COMMAND_SET_CACHING
                 || command->kind == WEIR_COMMAND_SET_ENTRY_CACHING;
      weir_command_clear (command);
      self->n_applied++;
    }
  g_array_set_size (taken, 0);
  if (changed)
    {
      weir_run_store (self, TRUE);
      weir_run_keep (self, TRUE);
    }
}

/* Sleeps until @end (us, monotonic; -1 = for ever) or until a command arrives. */
static void
wait_for_command (WeirRun *self, gint64 end)
{
  weir_sync_lock (&self->lock);
  while (self->commands->len == 0)
    if (end < 0)
      weir_sync_wait (&self->wake, &self->lock);
    else if (!weir_sync_wait_until (&self->wake, &self->lock, end))
      break;
  weir_sync_unlock (&self->lock);
}

/* Waits until the wall clock has come as far as the simulated time. FALSE if a command came
 * first. */
static gboolean
pace (WeirRun *self)
{
  double time = weir_context_get_time (self->context);
  gint64 now, due;

  if (self->pacer.rate <= 0) /* which saves a look at the clock each step */
    return TRUE;
  now = g_get_monotonic_time ();
  due = weir_pacer_look (&self->pacer, time, now);

  for (; now < due; now = g_get_monotonic_time ())
    {
      if (self->is_dirty && now >= self->next_snapshot)
        weir_run_publish (self);
      wait_for_command (self, self->is_dirty ? MIN (due, self->next_snapshot) : due);
      if (g_atomic_int_get (&self->n_pending) > 0)
        return FALSE;
    }
  return TRUE;
}

/* A stage of the run is over: its initialisation or a step. One that was stopped within is none. */
static void
note_stage (WeirRun *self, const GError *error)
{
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    weir_journal_note_stage (self->journal);
}

static void
advance (WeirRun *self)
{
  g_autoptr (GError) error = NULL;
  gboolean is_part = self->until < self->stop_time, done, ok;
  double boundary = is_part ? self->until : self->stop_time;

  if (is_part && self->until <= weir_context_get_time (self->context))
    {
      self->mode = WEIR_SESSION_PAUSED;
      self->is_dirty = TRUE;
      return;
    }
  if (boundary != self->boundary)
    weir_journal_note_boundary (self->journal, boundary);
  self->boundary = boundary;
  self->is_in_step = TRUE;
  ok = weir_simulator_step (self->simulator, boundary, &done, &error);
  self->is_in_step = FALSE;
  note_stage (self, error);
  weir_run_drop_retired (self);
  if (!ok)
    weir_run_end_with_error (self, error);
  else
    self->n_steps++;
  if (!ok)
    ;
  else if (done && (!is_part || weir_simulator_is_terminated (self->simulator)))
    self->mode = WEIR_SESSION_FINISHED;
  else if (done || (self->steps_left > 0 && --self->steps_left == 0))
    self->mode = WEIR_SESSION_PAUSED;
  weir_run_store (self, FALSE);
  weir_run_keep (self, done && is_part);
  self->is_dirty = TRUE;
}

static gboolean
has_end_state (const WeirRun *self)
{
  return self->mode != WEIR_SESSION_RUNNING && self->mode != WEIR_SESSION_PAUSED;
}

static void
initialize (WeirRun *self)
{
  g_autoptr (GError) error = NULL;

  self->is_in_step = TRUE;
  if (!weir_simulator_initialize (self->simulator, &error))
    weir_run_end_with_error (self, error);
  self->is_in_step = FALSE;
  self->is_initialized = TRUE;
  note_stage (self, error);
  if (error == NULL)
    weir_run_keep (self, TRUE);
}

gpointer
weir_run_thread (gpointer data)
{
  WeirRun *self = data;

  self->mode = WEIR_SESSION_PAUSED; /* until the first command */
  if (!self->is_initialized)
    initialize (self);
  while (!has_end_state (self))
    {
      if (g_atomic_int_get (&self->n_pending) > 0)
        {
          apply_commands (self);
          if (!has_end_state (self))
            weir_run_publish (self);
        }
      else if (self->mode == WEIR_SESSION_PAUSED)
        {
          if (self->is_dirty)
            weir_run_publish (self);
          wait_for_command (self, -1);
        }
      else if (pace (self))
        {
          advance (self);
          if (g_get_monotonic_time () >= self->next_snapshot && !has_end_state (self))
            weir_run_publish (self);
        }
    }

  weir_journal_end (self->journal);
  weir_run_end_log (self);
  weir_recorder_end (self->recorder, self->context);
  weir_run_publish_end (self);
  return NULL;
}

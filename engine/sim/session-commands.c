/* What main tells a run in the background.
 *
 * The thread is made by the first run or step command. Before that, main owns the context and
 * applies commands at once; after the thread has ended, commands are dropped but those about
 * what is looked at.
 */
#include "sim/session.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/sync.h"
#include "sim/journal.h"
#include "sim/session-private.h"
#include "system/layout/units.h"

/* A command that also makes sense before the thread exists: main owns the context then. */
static void
send_or_apply (WeirSession *self, WeirCommand *command)
{
  if (self->thread != NULL || self->run.has_ended)
    {
      weir_session_send (self, command);
      return;
    }
  weir_run_apply (&self->run, command);
  weir_command_clear (command);
  weir_run_publish (&self->run);
}

static void
send_start (WeirSession *self, WeirCommandKind kind, double until, guint64 n_steps)
{
  WeirRun *run = &self->run;

  if (self->thread == NULL && run->has_ended)
    return;
  weir_session_send (self, &(WeirCommand) { .kind = kind, .until = until, .n_steps = n_steps });
  if (self->thread == NULL)
    {
      run->state = WEIR_SESSION_RUNNING;
      self->thread = g_thread_new ("weir-run", weir_run_thread, run);
    }
}

void
weir_session_run (WeirSession *self)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  send_start (self, WEIR_COMMAND_RUN, INFINITY, 0);
}

void
weir_session_run_until (WeirSession *self, double time)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  send_start (self, WEIR_COMMAND_RUN, time, 0);
}

void
weir_session_step (WeirSession *self)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  send_start (self, WEIR_COMMAND_STEP, INFINITY, 1);
}

void
weir_session_steps (WeirSession *self, guint n)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  g_return_if_fail (n > 0);
  send_start (self, WEIR_COMMAND_STEP, INFINITY, n);
}

/* The thread has ended: another one goes on where it was. */
static void
revive (WeirSession *self)
{
  WeirRun *run = &self->run;

  weir_session_join (self);
  g_atomic_int_set (&run->cancel, 0);
  g_clear_error (&run->failure);
  run->has_ended = FALSE;
  run->state = WEIR_SESSION_PAUSED;
  self->thread = g_thread_new ("weir-run", weir_run_thread, run);
}

WeirStepBack
weir_session_step_back (WeirSession *self, guint n)
{
  WeirRun *run = &self->run;
  WeirSessionState state;
  const WeirKeptStep *kept;
  WeirJournal *branch;
  guint64 made, target;

  g_return_val_if_fail (WEIR_IS_SESSION (self), WEIR_STEP_BACK_BUSY);
  g_return_val_if_fail (n > 0, WEIR_STEP_BACK_BUSY);

  /* Settled, the thread waits for a command: nobody else is at what it owns. */
  state = weir_session_get_state (self);
  if (state == WEIR_SESSION_RUNNING || !weir_session_is_settled (self))
    return WEIR_STEP_BACK_BUSY;
  if (run->is_in_step)
    return WEIR_STEP_BACK_IN_STEP;
  made = run->n_steps + (state == WEIR_SESSION_FAILED);
  if (!run->is_initialized || made == 0)
    return WEIR_STEP_BACK_AT_START;
  target = made > n ? made - n : 0;
  kept = weir_run_find_kept (run, target);
  if (kept == NULL)
    return WEIR_STEP_BACK_UNKNOWN;
  weir_recorder_truncate (run->recorder, kept->n_rows);
  branch = weir_journal_branch (run->journal, target + 1);
  weir_journal_end (run->journal);
  weir_journal_unref (run->journal);
  run->journal = branch;
  run->boundary = NAN; /* noted before the next step, whatever it is */
  if (run->has_ended)
    revive (self);
  weir_session_send (self, &(WeirCommand) { .kind = WEIR_COMMAND_STEP_BACK, .n_steps = target });
  return WEIR_STEP_BACK_DONE;
}

void
weir_session_pause (WeirSession *self)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  if (self->thread != NULL)
    weir_session_send (self, &(WeirCommand) { .kind = WEIR_COMMAND_PAUSE });
}

void
weir_session_set_parameter (WeirSession *self, const char *path, const char *parameter,
                            const double *value, guint size)
{
  WeirCommand command = { .kind = WEIR_COMMAND_SET_PARAMETER, .size = size };
  g_autofree char *whole = NULL;
  const char *name;
  guint declared;

  g_return_if_fail (WEIR_IS_SESSION (self));
  whole = g_strconcat (path, ".", parameter, NULL);
  if (!weir_layout_find_owner (self->run.layout, whole, &command.node, &name)
      || !weir_layout_find_parameter (self->run.layout, command.node, name, &command.parameter,
                                      &declared))
    {
      g_warning ("the model that runs has no parameter \"%s\" in a block \"%s\"", parameter, path);
      return;
    }
  if (declared != size)
    {
      g_warning ("%s: parameter %s has %u values, but %u were given", path, parameter, declared,
                 size);
      return;
    }
  command.value = g_memdup2 (value, size * sizeof *value);
  send_or_apply (self, &command);
}

void
weir_session_set_caching (WeirSession *self, gboolean enabled)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  send_or_apply (self, &(WeirCommand) { .kind = WEIR_COMMAND_SET_CACHING, .enabled = enabled });
}

void
weir_session_set_entry_caching (WeirSession *self, guint entry, gboolean enabled)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  g_return_if_fail (entry < weir_layout_get_n_entries (self->run.layout));
  send_or_apply (self, &(WeirCommand) { .kind = WEIR_COMMAND_SET_ENTRY_CACHING,
                                        .entry = { entry },
                                        .enabled = enabled });
}

guint
weir_session_set_breakpoints (WeirSession *self, const GArray *list, GPtrArray *errors)
{
  WeirCommand command = { .kind = WEIR_COMMAND_SET_BREAKPOINTS };

  g_return_val_if_fail (WEIR_IS_SESSION (self), 0);
  command.breakpoints = weir_breakpoints_new (self->run.layout, list, errors);
  command.serial = ++self->n_break_lists;
  send_or_apply (self, &command);
  return command.serial;
}

void
weir_session_set_entry_held (WeirSession *self, guint entry, gboolean held)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  g_return_if_fail (entry < weir_layout_get_n_entries (self->run.layout));
  send_or_apply (
      self,
      &(WeirCommand) { .kind = WEIR_COMMAND_SET_ENTRY_HELD, .entry = { entry }, .enabled = held });
}

guint
weir_session_set_shown (WeirSession *self, const WeirShownPort *ports, guint n)
{
  WeirCommand command = { .kind = WEIR_COMMAND_SET_SHOWN };
  WeirRun *run = &self->run;
  gboolean has_ended;

  g_return_val_if_fail (WEIR_IS_SESSION (self), 0);
  command.shown = g_array_new (FALSE, FALSE, sizeof (WeirShownPort));
  if (n > 0)
    g_array_append_vals (command.shown, ports, n);
  command.serial = ++self->n_shown_lists;
  weir_sync_lock (&run->lock);
  has_ended = run->has_ended;
  weir_sync_unlock (&run->lock);
  if (has_ended)
    {
      weir_session_join (self); /* it has nothing left to do: the context is main's again */
      weir_run_set_shown (run, g_steal_pointer (&command.shown), command.serial);
      weir_run_publish (run);
    }
  else
    send_or_apply (self, &command);
  return self->n_shown_lists;
}

void
weir_session_set_rate (WeirSession *self, double rate)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  g_return_if_fail (isfinite (rate) && rate >= 0);
  send_or_apply (self, &(WeirCommand) { .kind = WEIR_COMMAND_SET_RATE, .rate = rate });
}

void
weir_session_start_log (WeirSession *self, WeirLogMode mode, gsize capacity)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  send_or_apply (
      self,
      &(WeirCommand) { .kind = WEIR_COMMAND_START_LOG, .record_mode = mode, .capacity = capacity });
}

void
weir_session_stop_log (WeirSession *self)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  send_or_apply (self, &(WeirCommand) { .kind = WEIR_COMMAND_STOP_LOG });
}

void
weir_session_request_log (WeirSession *self)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  send_or_apply (self, &(WeirCommand) { .kind = WEIR_COMMAND_HAND_OVER_LOG });
}

WeirRunLog *
weir_session_take_log (WeirSession *self)
{
  WeirRunLog *taken;

  g_return_val_if_fail (WEIR_IS_SESSION (self), NULL);
  weir_sync_lock (&self->run.lock);
  taken = g_steal_pointer (&self->run.handed_over);
  weir_sync_unlock (&self->run.lock);
  return taken;
}

int
weir_session_record_port (WeirSession *self, const char *port_path, GError **error)
{
  WeirCommand command = { .kind = WEIR_COMMAND_ADD_LOG };
  WeirRun *run = &self->run;
  gboolean has_ended;

  g_return_val_if_fail (WEIR_IS_SESSION (self), -1);
  command.port = weir_recorder_find_port (run->recorder, port_path);
  if (command.port != NULL)
    return (int) weir_recorder_port_get_first_signal (command.port);
  weir_sync_lock (&run->lock);
  has_ended = run->has_ended;
  weir_sync_unlock (&run->lock);
  if (has_ended)
    {
      weir_error_set (error, WEIR_ERROR_INVALID, "\"%s\" cannot be recorded: the run has ended",
                      port_path);
      return -1;
    }
  command.port = weir_recorder_prepare_port (run->recorder, port_path, error);
  if (command.port == NULL)
    return -1;
  send_or_apply (self, &command);
  return (int) weir_recorder_port_get_first_signal (command.port);
}

/* What commands do to a run: between its steps, and where its thread waits at a breakpoint or
 * before a held entry is computed.
 *
 * The step in progress waits where it is: flags, values and counters are consistent there, and a
 * snapshot shows them. Commands that steer the run, and those that say where to pause, are taken
 * out of the queue and obeyed; all others stay in it until the step is over. What was sent before
 * the pause came is none of an answer to it. Stopping ends the wait.
 */
#include <string.h>

#include "base/bits.h"
#include "base/sync.h"
#include "sim/session-private.h"
#include "sim/stopwatch.h"
#include "system/observation/change-log.h"

void
weir_command_clear (WeirCommand *command)
{
  g_clear_pointer (&command->value, g_free);
  g_clear_pointer (&command->breakpoints, weir_breakpoints_free);
  g_clear_pointer (&command->shown, g_array_unref);
}

void
weir_run_end_with_error (WeirRun *self, GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      self->mode = WEIR_SESSION_STOPPED;
      return;
    }
  self->mode = WEIR_SESSION_FAILED;
  weir_sync_lock (&self->lock);
  self->failure = g_error_copy (error);
  weir_sync_unlock (&self->lock);
}

/* --- At a breakpoint ------------------------------------------------------------------------- */

static gboolean
is_obeyed (WeirCommandKind kind)
{
  return kind == WEIR_COMMAND_RUN || kind == WEIR_COMMAND_STEP || kind == WEIR_COMMAND_PAUSE
         || kind == WEIR_COMMAND_SET_RATE || kind == WEIR_COMMAND_SET_BREAKPOINTS
         || kind == WEIR_COMMAND_SET_ENTRY_HELD || kind == WEIR_COMMAND_HAND_OVER_LOG
         || kind == WEIR_COMMAND_SET_SHOWN;
}

/* Takes the first command that can be obeyed out of the queue, from place *@from on, which it moves
 * past those that cannot. Waits for one; FALSE if the run is to stop. */
static gboolean
take_command (WeirRun *self, guint *from, WeirCommand *command)
{
  gboolean is_found = FALSE;

  weir_sync_lock (&self->lock);
  while (!is_found && g_atomic_int_get (&self->cancel) == 0)
    if (*from >= self->commands->len)
      weir_sync_wait (&self->wake, &self->lock);
    else if (!is_obeyed (g_array_index (self->commands, WeirCommand, *from).kind))
      (*from)++;
    else
      {
        *command = g_array_index (self->commands, WeirCommand, *from);
        g_array_remove_index (self->commands, *from);
        g_atomic_int_set (&self->n_pending, (gint) self->commands->len);
        is_found = TRUE;
      }
  weir_sync_unlock (&self->lock);
  return is_found;
}

static void
wait_here (WeirRun *self)
{
  gint64 start = weir_stopwatch_now ();
  WeirCommand command;
  guint from;

  if (g_atomic_int_get (&self->cancel) != 0)
    return;
  weir_sync_lock (&self->lock);
  from = self->commands->len;
  weir_sync_unlock (&self->lock);
  self->mode = WEIR_SESSION_PAUSED;
  self->is_at_break = TRUE;
  weir_run_publish (self);
  while (self->mode == WEIR_SESSION_PAUSED && take_command (self, &from, &command))
    {
      weir_run_apply (self, &command);
      weir_command_clear (&command);
      self->n_applied++;
      weir_run_publish (self);
    }
  self->is_at_break = FALSE;
  weir_stopwatch_idle += weir_stopwatch_now () - start;
}

/* A change that a command has made, between steps, is over when the pause comes; before there is a
 * thread there is nothing to pause. */
static void
met (G_GNUC_UNUSED WeirContext *context, const WeirBreakHit *hit, gpointer data)
{
  WeirRun *self = data;

  if (self->is_repeating
      || (self->mode != WEIR_SESSION_RUNNING && self->mode != WEIR_SESSION_PAUSED))
    return;
  self->hit = *hit;
  if (self->is_in_step)
    wait_here (self);
  else
    {
      self->mode = WEIR_SESSION_PAUSED;
      self->is_at_break = TRUE;
    }
}

static gboolean
releases (WeirContext *context, const WeirBreakHit *hit, gpointer data)
{
  WeirRun *self = data;
  WeirBreakHit counted = *hit;

  counted.count = ++self->n_releases;
  met (context, &counted, data);
  return TRUE;
}

static void
set_breakpoints (WeirRun *self, WeirBreakpoints *breakpoints, guint serial)
{
  if (self->breakpoints != NULL)
    {
      weir_breakpoints_take_counts (breakpoints, self->breakpoints);
      weir_breakpoints_retire (self->breakpoints);
      g_ptr_array_add (self->retired, self->breakpoints);
    }
  self->breakpoints = breakpoints;
  self->break_serial = serial;
  weir_breakpoints_watch (breakpoints, self->context, met, releases, self);
  if (!self->is_in_step)
    weir_run_drop_retired (self);
}

static void
set_entry_held (WeirRun *self, WeirEntry entry, gboolean held)
{
  weir_context_set_entry_held (self->context, entry, held);
  weir_bit_put (self->held, entry.i, held);
  if (self->breakpoints == NULL)
    {
      g_autoptr (GArray) none = weir_breakpoint_list_new ();

      self->breakpoints = weir_breakpoints_new (self->layout, none, NULL);
    }
  weir_breakpoints_watch (self->breakpoints, self->context, met, releases, self);
}

void
weir_run_drop_retired (WeirRun *self)
{
  g_ptr_array_set_size (self->retired, 0);
}

/* --- Commands -------------------------------------------------------------------------------- */

static void
set_parameter (WeirRun *self, const WeirCommand *command)
{
  const double *present = weir_context_get_parameter (self->context, command->node,
                                                      command->parameter);

  if (memcmp (present, command->value, command->size * sizeof *present) == 0)
    return;
  weir_context_set_parameter (self->context, command->node, command->parameter, command->value);
  weir_journal_note_parameter (self->journal, command->node, command->parameter, command->value,
                               command->size);
}

static void
go_back (WeirRun *self, guint64 n_steps)
{
  g_autoptr (GError) error = NULL;

  self->is_at_break = FALSE;
  if (!weir_run_go_back (self, n_steps, &error))
    weir_run_end_with_error (self, error);
}

void
weir_run_apply (WeirRun *self, WeirCommand *command)
{
  WeirLogPhase phase = weir_context_set_phase (self->context, WEIR_LOG_PHASE_EDIT);

  switch (command->kind)
    {
    case WEIR_COMMAND_RUN:
    case WEIR_COMMAND_STEP:
      self->mode = WEIR_SESSION_RUNNING;
      self->steps_left = command->kind == WEIR_COMMAND_STEP ? command->n_steps : 0;
      self->is_at_break = FALSE;
      weir_pacer_restart (&self->pacer);
      self->speed_wall = 0;
      self->until = command->kind == WEIR_COMMAND_RUN ? command->until : self->stop_time;
      break;
    case WEIR_COMMAND_STEP_BACK:
      go_back (self, command->n_steps);
      break;
    case WEIR_COMMAND_PAUSE:
      self->mode = WEIR_SESSION_PAUSED;
      break;
    case WEIR_COMMAND_STOP:
      self->mode = WEIR_SESSION_STOPPED;
      break;
    case WEIR_COMMAND_SET_PARAMETER:
      set_parameter (self, command);
      break;
    case WEIR_COMMAND_SET_CACHING:
      weir_context_set_caching (self->context, command->enabled);
      break;
    case WEIR_COMMAND_SET_ENTRY_CACHING:
      weir_context_set_entry_caching (self->context, command->entry, command->enabled);
      weir_bit_put (self->disabled, command->entry.i, !command->enabled);
      break;
    case WEIR_COMMAND_SET_BREAKPOINTS:
      set_breakpoints (self, g_steal_pointer (&command->breakpoints), command->serial);
      break;
    case WEIR_COMMAND_SET_ENTRY_HELD:
      set_entry_held (self, command->entry, command->enabled);
      break;
    case WEIR_COMMAND_SET_SHOWN:
      weir_run_set_shown (self, g_steal_pointer (&command->shown), command->serial);
      break;
    case WEIR_COMMAND_ADD_LOG:
      weir_recorder_take_up_port (self->recorder, command->port);
      break;
    case WEIR_COMMAND_SET_RATE:
      weir_pacer_set_rate (&self->pacer, command->rate);
      self->speed = 0;
      self->speed_wall = 0;
      break;
    case WEIR_COMMAND_START_LOG:
    case WEIR_COMMAND_STOP_LOG:
    case WEIR_COMMAND_HAND_OVER_LOG:
      weir_run_apply_log (self, command);
      break;
    default:
      g_assert_not_reached ();
    }
  weir_context_set_phase (self->context, phase);
}

/* The thread of a run at a breakpoint, or before a held entry is computed.
 *
 * The step in progress waits where it is: flags, values and counters are consistent there, and a
 * snapshot shows them. Commands that steer the run, and those that say where to pause, are taken
 * out of the queue and obeyed; all others stay in it until the step is over. What was sent before
 * the pause came is none of an answer to it. Stopping ends the wait.
 */
#include "base/bits.h"
#include "base/sync.h"
#include "sim/session-private.h"
#include "sim/stopwatch.h"

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

void
weir_run_set_breakpoints (WeirRun *self, WeirBreakpoints *breakpoints, guint serial)
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

void
weir_run_set_entry_held (WeirRun *self, WeirEntry entry, gboolean held)
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

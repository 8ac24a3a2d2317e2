/* The thread of a run: commands at step boundaries, pacing, steps, snapshots.
 *
 * Nothing here allocates per step; samples go to the recorder without a lock. Filling a snapshot
 * may take long on a large model, so it never takes more than a twentieth of the thread's time.
 */
#include <string.h>

#include "base/bits.h"
#include "base/sync.h"
#include "sim/journal.h"
#include "sim/session-private.h"
#include "system/context/inspection.h"
#include "system/evaluation/event.h"
#include "system/observation/change-log.h"

#define SNAPSHOT_INTERVAL (G_USEC_PER_SEC / 30)
#define SNAPSHOT_SHARE 20                   /* pause after a snapshot: so many times what it took */
#define SPEED_INTERVAL (G_USEC_PER_SEC / 2) /* over which speed is measured */

void
weir_command_clear (WeirCommand *command)
{
  g_clear_pointer (&command->value, g_free);
  g_clear_pointer (&command->breakpoints, weir_breakpoints_free);
  g_clear_pointer (&command->shown, g_array_unref);
}

static void
fill_breakpoints (WeirRun *self, WeirSnapshotBuffer *buffer)
{
  guint n = self->breakpoints != NULL ? weir_breakpoints_get_n (self->breakpoints) : 0;

  if (n > buffer->n_break_counts)
    buffer->break_counts = g_renew (guint64, buffer->break_counts, n);
  buffer->n_break_counts = MAX (buffer->n_break_counts, n);
  if (n > 0)
    memcpy (buffer->break_counts, weir_breakpoints_get_counts (self->breakpoints),
            n * sizeof (guint64));
  buffer->snapshot.n_breakpoints = n;
  buffer->snapshot.break_counts = buffer->break_counts;
  buffer->snapshot.break_serial = self->break_serial;
  buffer->snapshot.is_at_break = self->is_at_break && self->mode == WEIR_SESSION_PAUSED;
  buffer->snapshot.hit = self->hit;
}

static void
fill_troubles (WeirRun *self, WeirSnapshotBuffer *buffer)
{
  guint n = weir_simulator_get_n_troubles (self->simulator);

  g_ptr_array_set_size (buffer->troubles, 0);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (buffer->troubles,
                     weir_trouble_ref (weir_simulator_get_trouble (self->simulator, i)));
  buffer->snapshot.n_troubles = n;
  buffer->snapshot.troubles = (WeirTrouble *const *) buffer->troubles->pdata;
}

static void
fill_unit_work (WeirRun *self, WeirSnapshotBuffer *buffer)
{
  WeirMaster *master = weir_simulator_get_master (self->simulator);
  const WeirUnitWork *work;
  guint n;

  g_array_set_size (buffer->unit_work, 0);
  if (master != NULL && master->master_class->get_work != NULL)
    {
      work = master->master_class->get_work (master, &n);
      g_array_append_vals (buffer->unit_work, work, n);
    }
  buffer->snapshot.n_units = buffer->unit_work->len;
  buffer->snapshot.unit_work = (const WeirUnitWork *) (gpointer) buffer->unit_work->data;
}

static void
fill_snapshot (WeirRun *self, WeirSnapshotBuffer *buffer)
{
  guint64 n_given_up;
  gsize n_words;
  const guint64 *flags = weir_context_get_flags (self->context, &n_words);
  guint n_entries = weir_layout_get_n_entries (self->layout);
  guint n_declared = weir_system_get_n_events (self->root);

  for (guint i = 0; i < n_declared; i++)
    buffer->event_counts[i] = weir_simulator_get_event_count (self->simulator, i);
  if (self->n_words > 0) /* a model without entries has none of these */
    {
      memcpy (buffer->flags, flags, MIN (n_words, self->n_words) * sizeof *flags);
      memcpy (buffer->disabled, self->disabled, self->n_words * sizeof *self->disabled);
      memcpy (buffer->held, self->held, self->n_words * sizeof *self->held);
    }
  weir_context_read_counters (self->context, buffer->counters);
  weir_context_read_source_events (self->context, buffer->source_last);
  for (guint i = 0; i < n_entries; i++)
    buffer->mean_ns[i] = (float) weir_context_get_mean_ns (self->context, (WeirEntry) { i });
  buffer->snapshot = (WeirSnapshot) {
    .state = self->mode,
    .time = weir_context_get_time (self->context),
    .stop_time = self->stop_time,
    .n_events = weir_context_get_n_events (self->context),
    .caching = weir_context_get_caching (self->context),
    .rate = self->pacer.rate,
    .remaining = self->speed > 0
                     ? (self->stop_time - weir_context_get_time (self->context)) / self->speed
                     : -1,
    .statistics = *weir_simulator_get_statistics (self->simulator),
    .times = weir_simulator_get_times (self->simulator),
    .limiting_state = weir_simulator_find_limiting_state (self->simulator),
    .n_events_declared = n_declared,
    .event_counts = buffer->event_counts,
    .n_entries = n_entries,
    .counters = buffer->counters,
    .flags = buffer->flags,
    .disabled = buffer->disabled,
    .held = buffer->held,
    .mean_ns = buffer->mean_ns,
    .mean_sweep_ns = weir_context_get_mean_sweep_ns (self->context),
    .n_sources = weir_layout_get_n_sources (self->layout),
    .source_last = buffer->source_last,
    .is_logging = weir_context_is_logging (self->context),
    .n_logged = weir_context_get_n_logged (self->context, &n_given_up),
  };
  buffer->snapshot.n_given_up = n_given_up;
  fill_breakpoints (self, buffer);
  fill_troubles (self, buffer);
  fill_unit_work (self, buffer);
  weir_run_fill_values (self, buffer);
}

/* How fast the run goes, over the last half second or more, so that what is left of it can
 * be told. */
static void
measure_speed (WeirRun *self, gint64 now)
{
  double time = weir_context_get_time (self->context);

  if (self->mode != WEIR_SESSION_RUNNING)
    return;
  if (self->speed_wall == 0)
    {
      self->speed_wall = now;
      self->speed_time = time;
    }
  else if (now - self->speed_wall >= SPEED_INTERVAL)
    {
      self->speed = (time - self->speed_time) / (double) (now - self->speed_wall) * G_USEC_PER_SEC;
      self->speed_wall = now;
      self->speed_time = time;
    }
}

/* @ends: the thread has done all that it does. From then on whoever has joined it owns the run. */
static void
publish (WeirRun *self, gboolean ends)
{
  gint64 start = g_get_monotonic_time (), took;
  WeirSnapshotBuffer *filled = self->filling;

  measure_speed (self, start);
  fill_snapshot (self, filled);
  weir_sync_lock (&self->lock);
  self->filling = self->newest;
  self->newest = filled;
  self->is_newest_unread = TRUE;
  self->state = self->mode;
  self->n_published = self->n_applied;
  self->has_ended = self->has_ended || ends;
  weir_sync_unlock (&self->lock);
  g_source_set_ready_time (self->changed, 0);

  took = g_get_monotonic_time () - start;
  self->is_dirty = FALSE;
  self->next_snapshot = start + MAX (SNAPSHOT_INTERVAL, SNAPSHOT_SHARE * took);
}

void
weir_run_publish (WeirRun *self)
{
  publish (self, FALSE);
}

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

/* Takes the end state of a failure: stopped if that is what ended the step. */
static void
end_with_error (WeirRun *self, GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      self->mode = WEIR_SESSION_STOPPED;
      return;
    }
  self->mode = WEIR_SESSION_FAILED;
  weir_sync_lock (&self->lock);
  self->failure = g_strdup (error->message);
  weir_sync_unlock (&self->lock);
}

static void
go_back (WeirRun *self, guint64 n_steps)
{
  g_autoptr (GError) error = NULL;

  self->is_at_break = FALSE;
  if (!weir_run_go_back (self, n_steps, &error))
    end_with_error (self, error);
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
      weir_run_set_breakpoints (self, g_steal_pointer (&command->breakpoints), command->serial);
      break;
    case WEIR_COMMAND_SET_ENTRY_HELD:
      weir_run_set_entry_held (self, command->entry, command->enabled);
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
    end_with_error (self, error);
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
    end_with_error (self, error);
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
  publish (self, TRUE);
  return NULL;
}

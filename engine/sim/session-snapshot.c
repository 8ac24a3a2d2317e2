/* What the thread of a run tells main: snapshots of its context, filled between steps and where it
 * pauses within one. Filling one may take long on a large model, so it never takes more than a
 * twentieth of the thread's time.
 */
#include <string.h>

#include "base/sync.h"
#include "sim/session-private.h"
#include "system/context/inspection.h"
#include "system/evaluation/event.h"

#define SNAPSHOT_INTERVAL (G_USEC_PER_SEC / 30)
#define SNAPSHOT_SHARE 20                   /* pause after a snapshot: so many times what it took */
#define SPEED_INTERVAL (G_USEC_PER_SEC / 2) /* over which speed is measured */

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
fill_notes (WeirRun *self, WeirSnapshotBuffer *buffer)
{
  guint n = weir_simulator_get_n_notes (self->simulator);

  g_ptr_array_set_size (buffer->notes, 0);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (buffer->notes,
                     weir_trouble_ref (weir_simulator_get_note (self->simulator, i)));
  buffer->snapshot.n_notes = n;
  buffer->snapshot.notes = (WeirTrouble *const *) buffer->notes->pdata;
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
  fill_notes (self, buffer);
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

void
weir_run_publish_end (WeirRun *self)
{
  publish (self, TRUE);
}

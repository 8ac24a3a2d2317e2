/* Logging into the ring: beginning, keyframes, what is noted between requests. See
 * observation-private.h.
 *
 * A keyframe is due every so many records and is taken at the next note between requests. What was
 * computed at least once is read off the serial numbers, so that nothing is kept per evaluation
 * while only events are logged.
 */
#include "system/observation/observation-private.h"

#include <string.h>

#define MIN_CAPACITY 64
#define MAX_INTERVAL 4096 /* records between keyframes, unless the graph is very large */
#define STEP_SHARE 8      /* records for each of which a step of a unit is kept */

/* --- Keyframes ------------------------------------------------------------------------------- */

/* Sets the bits of the entries whose serial number says that they were computed or written. */
static void
read_known (const WeirContext *context, guint64 *known)
{
  const WeirLayout *layout = context->layout;
  guint64 calcs = 0;

  memset (known, 0, layout->n_words * sizeof *known);
  for (guint32 e = 0; e < layout->n_entries; e++)
    {
      calcs += context->calc_steps[e] + context->off_steps[e];
      if (calcs + context->entry_off[e] + context->rewrites[e] > 0)
        weir_bit_set (known, e);
    }
}

void
weir_log_ring_take_keyframe (WeirLogRing *self, const WeirContext *context)
{
  gsize n_words = self->layout->n_words;
  guint64 *frame = self->keyframes
                   + self->n_keyframes % self->max_keyframes
                         * WEIR_LOG_KEYFRAME_SIZE (self->layout->n_words);

  frame[0] = self->n;
  frame[1] = weir_context_is (context, WEIR_MODE_UNCACHED) ? 0 : 1;
  memcpy (frame + 2, context->stale, n_words * sizeof *frame);
  memcpy (frame + 2 + n_words, context->disabled, n_words * sizeof *frame);
  read_known (context, frame + 2 + 2 * n_words);
  self->n_keyframes++;
  self->next_keyframe = self->n + self->keyframe_interval;
}

/* --- Records --------------------------------------------------------------------------------- */

static void
note_part (WeirContext *context, WeirSource source)
{
  weir_log_ring_append (context, (WeirLogRecord) { .kind = WEIR_LOG_PART,
                                                   .number = *context->n_events + 1,
                                                   .subject = source.i });
}

static void
note_joint (WeirContext *context)
{
  weir_log_ring_append (
      context, (WeirLogRecord) { .kind = WEIR_LOG_JOINT, .number = *context->n_events + 1 });
}

static void
note (WeirContext *context, WeirLogKind kind, guint32 subject, guint32 detail)
{
  weir_log_ring_meet_keyframe (context);
  weir_log_ring_note_inner (context, kind, subject, detail);
}

static void
note_event (WeirContext *context, WeirSource source)
{
  weir_log_ring_note_event (context, source);
}

static void
note_all_out_of_date (WeirContext *context)
{
  note (context, WEIR_LOG_ALL_OUT_OF_DATE, 0, 0);
}

static void
note_mark (WeirContext *context, guint32 entry, gboolean up_to_date)
{
  note (context, WEIR_LOG_MARK, entry, up_to_date ? 1 : 0);
  /* Written in place, a value is complete when the entry is marked. */
  if (weir_is_logging_all (context) && weir_bit (context->log_ring->known, entry))
    weir_log_ring_take_copy (context, entry);
}

static void
note_write (WeirContext *context, guint32 entry)
{
  note (context, WEIR_LOG_WRITE, entry, 0);
  if (weir_is_logging_all (context))
    weir_bit_set (context->log_ring->known, entry);
}

static void
note_entry_caching (WeirContext *context, guint32 entry, gboolean enabled)
{
  note (context, WEIR_LOG_ENTRY_CACHING, entry, enabled ? 1 : 0);
}

static void
note_caching (WeirContext *context, gboolean enabled)
{
  note (context, WEIR_LOG_CACHING, 0, enabled ? 1 : 0);
}

void
weir_log_ring_note_calculation (WeirContext *context, guint32 entry)
{
  note (context, WEIR_LOG_CALCULATION, entry, 0);
}

void
weir_log_ring_note_restored (WeirContext *context)
{
  WeirLogRing *self = context->log_ring;

  self->is_in_trial = FALSE;
  weir_log_ring_note_inner (context, WEIR_LOG_RESTORED, 0, 0);
  weir_log_ring_take_keyframe (self, context);
  if (!weir_is_logging_all (context))
    return;
  for (guint32 e = 0; e < self->layout->n_entries; e++)
    weir_log_ring_take_copy (context, e);
  read_known (context, self->known);
}

/* --- Steps of units -------------------------------------------------------------------------- */

guint64
weir_context_get_log_place (const WeirContext *self, gint64 *now)
{
  *now = g_get_monotonic_time ();
  return self->log_ring != NULL ? self->log_ring->n : G_MAXUINT64;
}

void
weir_context_log_step (WeirContext *self, const WeirLogStep *step)
{
  WeirLogRing *ring = self->log_ring;
  WeirLogStep *to;

  if (ring == NULL || ring->steps == NULL || step->first > ring->n
      || step->first_at < ring->began_at)
    return;
  to = &ring->steps[ring->n_steps++ % ring->max_steps];
  *to = *step;
  to->end = weir_context_get_log_place (self, &to->end_at);
  to->first_at -= ring->began_at;
  to->begin_at -= ring->began_at;
  to->done_at -= ring->began_at;
  to->end_at -= ring->began_at;
}

static gboolean
has_units (const WeirLayout *layout)
{
  for (guint32 n = 0; n < layout->n_nodes; n++)
    if (layout->nodes[n].shape->is_unit)
      return TRUE;
  return FALSE;
}

/* --- Starting and stopping ------------------------------------------------------------------- */

/* Copies of all values, against which evaluations are compared. */
static void
start_copies (WeirLogRing *self, WeirContext *context)
{
  const WeirLayout *layout = self->layout;

  self->known = g_new0 (guint64, (gsize) layout->n_words + 1);
  self->single = g_new0 (guint64, (gsize) layout->n_words + 1);
  self->even = g_new0 (guint64, (gsize) layout->n_words + 1);
  self->copy_first = g_new0 (guint32, (gsize) layout->n_entries + 1);
  for (guint32 e = 0; e < layout->n_entries; e++)
    {
      const guint32 *place = layout->value_offset + e;
      guint32 size = weir_layout_decl (layout, e)->size;

      self->copy_first[e + 1] = self->copy_first[e] + size;
      if (size != 1)
        continue;
      weir_bit_set (self->single, e);
      if (e >= 2 && weir_bit (self->single, e - 1) && weir_bit (self->single, e - 2)
          && place[0] - place[-1] == place[-1] - place[-2])
        weir_bit_set (self->even, e);
    }
  self->copies = g_new0 (double, (gsize) self->copy_first[layout->n_entries] + 1);
  self->abstract = g_new0 (GVariant *, (gsize) layout->abstract_slots->len + 1);
  for (guint32 e = 0; e < layout->n_entries; e++)
    weir_log_ring_take_copy (context, e);
  read_known (context, self->known);
}

static void
end_log (WeirContext *context)
{
  WeirLogRing *self = g_steal_pointer (&context->log_ring);

  context->logger = NULL;
  context->modes &= ~(guint32) (WEIR_MODE_LOGGED | WEIR_MODE_LOGGED_ALL | WEIR_MODE_SKIPS_EVENT);
  context->skipped = 0;
  for (guint i = 0; self->abstract != NULL && i < self->layout->abstract_slots->len; i++)
    g_clear_pointer (&self->abstract[i], g_variant_unref);
  g_free (self->abstract);
  g_free (self->known);
  g_free (self->single);
  g_free (self->even);
  g_free (self->copy_first);
  g_free (self->copies);
  g_free (self->keyframes);
  g_free (self->records);
  g_free (self->steps);
  weir_layout_unref (self->layout);
  g_free (self);
}

static const WeirLogSide logger = {
  .note_event = note_event,
  .note_part = note_part,
  .note_joint = note_joint,
  .note_all_out_of_date = note_all_out_of_date,
  .note_mark = note_mark,
  .note_write = note_write,
  .note_entry_caching = note_entry_caching,
  .note_caching = note_caching,
  .end = end_log,
};

void
weir_context_start_log (WeirContext *self, WeirLogMode mode, gsize capacity)
{
  const WeirLayout *layout = self->layout;
  WeirLogRing *ring = g_new0 (WeirLogRing, 1);
  gsize size = MIN_CAPACITY, quarter;

  g_return_if_fail (self->open_changes == 0 && self->n_calling == 0);

  while (size < (capacity == 0 ? WEIR_LOG_DEFAULT_CAPACITY : capacity))
    size *= 2;
  quarter = size / 4;

  ring->layout = weir_layout_ref (self->layout);
  ring->mask = size - 1;
  ring->records = g_new (WeirLogRecord, size);
  memset (ring->records, 0, size * sizeof (WeirLogRecord)); /* its pages are there from now on */
  ring->keyframe_interval = MIN (
      quarter, MAX (CLAMP (size / 16, 4, MAX_INTERVAL), (gsize) layout->n_words * 4));
  ring->max_keyframes = size / ring->keyframe_interval + 2;
  ring->keyframes = g_new0 (guint64,
                            ring->max_keyframes * WEIR_LOG_KEYFRAME_SIZE (layout->n_words));

  ring->began_at = g_get_monotonic_time ();
  ring->max_steps = size / STEP_SHARE;
  if (has_units (layout))
    ring->steps = g_new0 (WeirLogStep, ring->max_steps);

  if (weir_context_is (self, WEIR_MODE_LOGGED))
    end_log (self);
  self->logger = &logger;
  self->log_ring = ring;
  self->modes |= WEIR_MODE_LOGGED | (mode == WEIR_LOG_MODE_ALL ? WEIR_MODE_LOGGED_ALL : 0);
  if (mode == WEIR_LOG_MODE_ALL)
    start_copies (ring, self);
  weir_log_ring_take_keyframe (ring, self);
}

guint64
weir_context_get_n_logged (const WeirContext *self, guint64 *n_lost)
{
  guint64 n = self->log_ring != NULL ? self->log_ring->n : 0;
  guint64 capacity = self->log_ring != NULL ? self->log_ring->mask + 1 : 0;

  *n_lost = n > capacity ? n - capacity : 0;
  return n;
}

void
weir_context_skip_event (WeirContext *self, guint64 number)
{
  g_return_if_fail (weir_is_logging_all (self));

  self->skipped = number;
  weir_context_set_mode (self, WEIR_MODE_SKIPS_EVENT, number != 0);
}

gboolean
weir_context_is_logging (const WeirContext *self)
{
  return weir_context_is (self, WEIR_MODE_LOGGED);
}

WeirLogPhase
weir_context_set_phase (WeirContext *self, WeirLogPhase phase)
{
  WeirLogPhase before = self->phase;

  self->phase = (guint8) phase;
  return before;
}

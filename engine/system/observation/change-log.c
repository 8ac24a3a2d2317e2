/* The log that a ring becomes. It begins at the oldest keyframe whose record is still in the
 * ring. See change-log.h.
 */
#include "system/observation/observation-private.h"

#include <string.h>

struct _WeirChangeLog {
  WeirLayout *layout;
  WeirLogMode mode;
  WeirLogRecord *records;
  gsize n_records, n_keyframes, n_words;
  guint64 n_lost;
  WeirLogStep *steps;
  gsize n_steps;
  guint64 *keyframes; /* as in a ring; the first word counts from the log's first record */
};

/* Those that had not ended before record @first, from which on the log counts. */
static void
copy_steps (WeirChangeLog *log, const WeirLogRing *from, guint64 first)
{
  guint64 i = from->n_steps > from->max_steps ? from->n_steps - from->max_steps : 0;

  if (from->steps == NULL)
    return;
  log->steps = g_new (WeirLogStep, from->n_steps - i + 1);
  for (; i < from->n_steps; i++)
    {
      WeirLogStep step = from->steps[i % from->max_steps];

      if (step.end < first)
        continue;
      step.first -= MIN (step.first, first);
      step.end -= first;
      log->steps[log->n_steps++] = step;
    }
}

WeirChangeLog *
weir_context_copy_log (const WeirContext *self)
{
  const WeirLogRing *from = self->log_ring;
  gsize frame_words = WEIR_LOG_KEYFRAME_SIZE (self->layout->n_words);
  guint64 capacity, oldest, first_frame, first;
  WeirChangeLog *log;

  if (from == NULL)
    return NULL;
  capacity = from->mask + 1;
  oldest = from->n > capacity ? from->n - capacity : 0;
  first_frame = from->n_keyframes > from->max_keyframes ? from->n_keyframes - from->max_keyframes
                                                        : 0;
  while (first_frame < from->n_keyframes
         && from->keyframes[first_frame % from->max_keyframes * frame_words] < oldest)
    first_frame++;

  log = g_new0 (WeirChangeLog, 1);
  log->layout = weir_layout_ref (self->layout);
  log->mode = weir_context_is (self, WEIR_MODE_LOGGED_ALL) ? WEIR_LOG_MODE_ALL
                                                           : WEIR_LOG_MODE_EVENTS;
  log->n_words = self->layout->n_words;
  log->n_keyframes = from->n_keyframes - first_frame;
  log->keyframes = g_new (guint64, MAX (log->n_keyframes, 1) * frame_words);
  first = from->n;
  for (gsize k = 0; k < log->n_keyframes; k++)
    {
      guint64 *frame = log->keyframes + k * frame_words;

      memcpy (frame, from->keyframes + (first_frame + k) % from->max_keyframes * frame_words,
              frame_words * sizeof *frame);
      if (k == 0)
        first = frame[0];
      frame[0] -= first;
    }
  log->n_lost = first;
  copy_steps (log, from, first);
  log->n_records = from->n - first;
  log->records = g_new (WeirLogRecord, MAX (log->n_records, 1));
  for (gsize i = 0; i < log->n_records;)
    {
      guint64 at = (first + i) & from->mask;
      gsize n = MIN (log->n_records - i, capacity - at);

      memcpy (log->records + i, from->records + at, n * sizeof *log->records);
      i += n;
    }
  return log;
}

WeirChangeLog *
weir_context_stop_log (WeirContext *self)
{
  WeirChangeLog *log = weir_context_copy_log (self);

  if (weir_context_is (self, WEIR_MODE_LOGGED))
    self->logger->end (self);
  return log;
}

void
weir_change_log_free (WeirChangeLog *self)
{
  if (self == NULL)
    return;
  g_free (self->records);
  g_free (self->steps);
  g_free (self->keyframes);
  weir_layout_unref (self->layout);
  g_free (self);
}

void
weir_change_log_drop_last_request (WeirChangeLog *self)
{
  gsize n = self->n_records;

  while (n > 0 && self->records[n - 1].kind >= WEIR_LOG_NESTED)
    n--;
  if (n > 0
      && (self->records[n - 1].kind == WEIR_LOG_REQUEST
          || self->records[n - 1].kind == WEIR_LOG_CALCULATION))
    self->n_records = n - 1;
  for (gsize i = 0; i < self->n_steps; i++)
    self->steps[i].end = MIN (self->steps[i].end, self->n_records);
}

WeirLayout *
weir_change_log_get_layout (const WeirChangeLog *self)
{
  return self->layout;
}

WeirLogMode
weir_change_log_get_mode (const WeirChangeLog *self)
{
  return self->mode;
}

const WeirLogRecord *
weir_change_log_get_records (const WeirChangeLog *self, gsize *n)
{
  *n = self->n_records;
  return self->records;
}

gsize
weir_change_log_get_n_keyframes (const WeirChangeLog *self)
{
  return self->n_keyframes;
}

WeirLogKeyframe
weir_log_keyframe_read (const guint64 *frame, gsize n_words)
{
  return (WeirLogKeyframe) {
    .index = frame[0],
    .caching = frame[1] != 0,
    .out_of_date = frame + 2,
    .disabled = frame + 2 + n_words,
    .known = frame + 2 + 2 * n_words,
  };
}

WeirLogKeyframe
weir_change_log_get_keyframe (const WeirChangeLog *self, gsize i)
{
  return weir_log_keyframe_read (self->keyframes + i * WEIR_LOG_KEYFRAME_SIZE (self->n_words),
                                 self->n_words);
}

const WeirLogStep *
weir_change_log_get_steps (const WeirChangeLog *self, gsize *n)
{
  *n = self->n_steps;
  return self->steps;
}

guint64
weir_change_log_get_n_lost (const WeirChangeLog *self)
{
  return self->n_lost;
}

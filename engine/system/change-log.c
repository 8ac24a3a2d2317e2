/* Recording into the ring, and the log that it becomes. See change-log.h and change-log-private.h.
 *
 * A keyframe is due every so many records and is taken at the next note between requests. What was
 * computed at least once is read off the serial numbers, so that nothing is kept per evaluation
 * while only events are recorded. The oldest keyframe whose record is still in the ring is where
 * the log begins.
 */
#include "system/change-log-private.h"

#include <string.h>

#define MIN_CAPACITY 64
#define MAX_INTERVAL 4096 /* records between keyframes, unless the graph is very large */

struct _WeirChangeLog {
  WeirLayout *layout;
  WeirRecordMode mode;
  WeirLogRecord *records;
  gsize n_records, n_keyframes, n_words;
  guint64 n_lost;
  guint64 *keyframes; /* as in a recording; the first word counts from the log's first record */
};

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
weir_recording_take_keyframe (WeirRecording *self, const WeirContext *context)
{
  gsize n_words = self->layout->n_words;
  guint64 *frame = self->keyframes
                   + self->n_keyframes % self->max_keyframes
                         * WEIR_LOG_KEYFRAME_SIZE (self->layout->n_words);

  frame[0] = self->n;
  frame[1] = context->caching ? 1 : 0;
  memcpy (frame + 2, context->stale, n_words * sizeof *frame);
  memcpy (frame + 2 + n_words, context->disabled, n_words * sizeof *frame);
  read_known (context, frame + 2 + 2 * n_words);
  self->n_keyframes++;
  self->next_keyframe = self->n + self->keyframe_interval;
}

/* --- Records --------------------------------------------------------------------------------- */

void
weir_recording_note_part (WeirContext *context, WeirSource source)
{
  weir_recording_append (context, (WeirLogRecord) { .kind = WEIR_LOG_PART,
                                                    .number = *context->n_events + 1,
                                                    .subject = source.i });
}

void
weir_recording_note_joint (WeirContext *context)
{
  weir_recording_append (
      context, (WeirLogRecord) { .kind = WEIR_LOG_JOINT, .number = *context->n_events + 1 });
}

/* After a value was written: the next evaluation is compared with that. */
static void
take_copy (WeirContext *context, guint32 e)
{
  WeirRecording *self = context->recording;
  const double *value = context->arena + context->layout->value_offset[e];

  weir_bit_set (self->known, e);
  if (weir_layout_decl (context->layout, e)->type == NULL)
    {
      memcpy (self->copies + self->copy_first[e], value,
              (self->copy_first[e + 1] - self->copy_first[e]) * sizeof *value);
      return;
    }
  {
    guint64 place = *(const guint64 *) (const void *) value;
    GVariant *old = self->abstract[place], *new = context->abstract[place];

    self->abstract[place] = new == NULL ? NULL : g_variant_ref (new);
    g_clear_pointer (&old, g_variant_unref);
  }
}

void
weir_recording_note (WeirContext *context, WeirLogKind kind, guint32 subject, guint32 detail)
{
  weir_recording_meet_keyframe (context);
  weir_recording_note_inner (context, kind, subject, detail);
  if (context->recording->stores_all && kind == WEIR_LOG_WRITE)
    weir_bit_set (context->recording->known, subject);
  /* Written in place, a value is complete when the entry is marked. */
  if (context->recording->stores_all && kind == WEIR_LOG_MARK
      && weir_bit (context->recording->known, subject))
    take_copy (context, subject);
}

void
weir_recording_note_restored (WeirContext *context)
{
  WeirRecording *self = context->recording;

  self->is_in_trial = FALSE;
  weir_recording_note_inner (context, WEIR_LOG_RESTORED, 0, 0);
  weir_recording_take_keyframe (self, context);
  if (!self->stores_all)
    return;
  for (guint32 e = 0; e < self->layout->n_entries; e++)
    take_copy (context, e);
  read_known (context, self->known);
}

/* --- Within requests ------------------------------------------------------------------------- */

void
weir_recording_note_inner (WeirContext *context, WeirLogKind kind, guint32 subject, guint32 detail)
{
  weir_recording_append (context, (WeirLogRecord) { .kind = (guint8) kind,
                                                    .number = *context->n_events,
                                                    .subject = subject,
                                                    .detail = detail });
}

void
weir_recording_note_nested (WeirContext *context, guint32 entry)
{
  const WeirRecording *self = context->recording;
  const WeirLogRecord *last = &self->records[(self->n - 1) & self->mask];
  guint32 reader = WEIR_NO_INDEX;

  if (self->n > 0 && last->kind == WEIR_LOG_DEMAND && last->subject == entry)
    reader = last->detail;
  else if (context->calling->len > 0)
    reader = g_array_index (context->calling, guint32, context->calling->len - 1);
  weir_recording_note_inner (context, reader == WEIR_NO_INDEX ? WEIR_LOG_REQUEST : WEIR_LOG_NESTED,
                             entry, reader == WEIR_NO_INDEX ? 0 : reader);
}

static guint8
get_reason (const WeirContext *context, guint32 e)
{
  return !context->caching || weir_bit (context->disabled, e) ? WEIR_LOG_DISABLED
         : weir_bit (context->recording->known, e)            ? WEIR_LOG_OUT_OF_DATE
                                                              : WEIR_LOG_FIRST;
}

/* Does the value differ from that of the evaluation before? Afterwards the copy is the value. */
static gboolean
has_changed (WeirContext *context, guint32 e)
{
  WeirRecording *self = context->recording;
  const double *value = context->arena + context->layout->value_offset[e];
  gboolean was_known = weir_bit (self->known, e), differs;

  if (weir_layout_decl (context->layout, e)->type == NULL)
    differs = memcmp (value, self->copies + self->copy_first[e],
                      (self->copy_first[e + 1] - self->copy_first[e]) * sizeof *value)
              != 0;
  else
    {
      guint64 place = *(const guint64 *) (const void *) value;
      GVariant *old = self->abstract[place], *new = context->abstract[place];

      differs = old == NULL || new == NULL ? old != new : !g_variant_equal (old, new);
    }
  if (differs || !was_known)
    take_copy (context, e);
  return differs || !was_known;
}

void
weir_recording_note_calc (WeirContext *context, guint32 entry, WeirStatus status, guint64 ns)
{
  WeirRecording *self = context->recording;
  guint8 reason;

  if (status != WEIR_OK)
    weir_recording_note_inner (context, WEIR_LOG_FAILED, entry, 0);
  if (!self->stores_all)
    return;
  reason = get_reason (context, entry);
  weir_recording_append (context, (WeirLogRecord) {
                                      .kind = WEIR_LOG_EVALUATED,
                                      .number = has_changed (context, entry) ? 1 : 0,
                                      .subject = entry,
                                      .detail = 1,
                                      .ns = (guint32) MIN (ns, G_MAXUINT32),
                                      .reason = reason,
                                      .flags = status != WEIR_OK ? WEIR_LOG_FLAG_FAILED : 0,
                                  });
  weir_bit_set (self->known, entry);
}

/* Bits [first, first + n) of a set, n at most 64, as the low ones of a word. */
static guint64
get_bits (const guint64 *set, guint32 first, guint32 n)
{
  guint32 shift = first % 64;
  guint64 bits = set[first / 64] >> shift;

  if (shift + n > 64)
    bits |= set[first / 64 + 1] << (64 - shift);
  return n == 64 ? bits : bits & ((G_GUINT64_CONSTANT (1) << n) - 1);
}

static guint64
low_bits (guint32 n)
{
  return n == 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT (1) << n) - 1;
}

/* Which of @n values, @step apart, differ from their copies; these are made equal. */
static inline __attribute__ ((always_inline)) guint64
compare_row (const guint64 *values, gssize step, guint64 *copies, guint32 n)
{
  guint64 changed = 0;
  guint32 i = 0;

  for (; i + 8 <= n; i += 8)
    {
      guint64 eight = 0;

      for (guint32 k = 0; k < 8; k++)
        {
          guint64 value = values[(gssize) (i + k) * step];

          eight |= (guint64) (value != copies[i + k]) << k;
          copies[i + k] = value;
        }
      changed |= eight << i;
    }
  for (; i < n; i++)
    {
      guint64 value = values[(gssize) i * step];

      changed |= (guint64) (value != copies[i]) << i;
      copies[i] = value;
    }
  return changed;
}

/* Can the values of entries [first, first + n) be compared as a row? */
static gboolean
is_row (const WeirRecording *self, guint32 first, guint32 n)
{
  return n > 1 && get_bits (self->known, first, n) == low_bits (n)
         && get_bits (self->single, first, n) == low_bits (n)
         && (n == 2 || get_bits (self->even, first + 2, n - 2) == low_bits (n - 2));
}

/* @n entries from @first, at most 64, all computed for one reason. */
static void
note_chunk (WeirContext *context, guint32 first, guint32 n, guint8 reason, guint64 ns)
{
  WeirRecording *self = context->recording;
  guint64 changed = 0;

  if (is_row (self, first, n))
    {
      const guint32 *place = context->layout->value_offset + first;
      const guint64 *values = (const guint64 *) (const void *) (context->arena + place[0]);
      guint64 *copies = (guint64 *) (void *) (self->copies + self->copy_first[first]);
      gssize step = (gssize) place[1] - (gssize) place[0];

      changed = step == 1   ? compare_row (values, 1, copies, n)
                : step == 2 ? compare_row (values, 2, copies, n)
                            : compare_row (values, step, copies, n);
    }
  else
    for (guint32 i = 0; i < n; i++)
      {
        changed |= (guint64) has_changed (context, first + i) << i;
        weir_bit_set (self->known, first + i);
      }
  weir_recording_append (context, (WeirLogRecord) { .kind = WEIR_LOG_EVALUATED,
                                                    .number = changed,
                                                    .subject = first,
                                                    .detail = n,
                                                    .ns = (guint32) MIN (ns, G_MAXUINT32),
                                                    .reason = reason });
}

void
weir_recording_note_range (WeirContext *context, const guint64 *set, guint32 first, guint32 end,
                           guint64 ns)
{
  const WeirRecording *self = context->recording;

  while (first < end)
    {
      guint32 n = MIN (end - first, 64);
      guint64 in = set == NULL ? low_bits (n)
                               : get_bits (set, first, n) & get_bits (context->stale, first, n);
      guint64 alike;
      guint8 reason;

      if ((in & 1) == 0)
        {
          first += in == 0 ? n : (guint32) __builtin_ctzll (in);
          continue;
        }
      if (in != low_bits (n))
        n = (guint32) __builtin_ctzll (~in);
      reason = get_reason (context, first);
      alike = !context->caching ? G_MAXUINT64 : get_bits (self->known, first, n);
      if (reason == WEIR_LOG_FIRST)
        alike = ~alike;
      if (context->caching && context->n_disabled > 0)
        alike = reason == WEIR_LOG_DISABLED ? get_bits (context->disabled, first, n)
                                            : alike & ~get_bits (context->disabled, first, n);
      alike &= low_bits (n);
      if (alike != low_bits (n))
        n = (guint32) __builtin_ctzll (~alike);
      note_chunk (context, first, n, reason, ns);
      ns = 0; /* sampled once for all of the range */
      first += n;
    }
}

/* --- Starting and stopping ------------------------------------------------------------------- */

/* Copies of all values, against which evaluations are compared. */
static void
start_copies (WeirRecording *self, WeirContext *context)
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
    take_copy (context, e);
  read_known (context, self->known);
}

void
weir_context_start_recording (WeirContext *self, WeirRecordMode mode, gsize capacity)
{
  const WeirLayout *layout = self->layout;
  WeirRecording *recording = g_new0 (WeirRecording, 1);
  gsize size = MIN_CAPACITY, quarter;

  g_return_if_fail (self->open_changes == 0 && self->calling->len == 0);

  while (size < (capacity == 0 ? WEIR_LOG_DEFAULT_CAPACITY : capacity))
    size *= 2;
  quarter = size / 4;
  recording->stores_all = mode == WEIR_RECORD_ALL;
  recording->layout = weir_layout_ref (self->layout);
  recording->mask = size - 1;
  recording->records = g_new (WeirLogRecord, size);
  memset (recording->records, 0,
          size * sizeof (WeirLogRecord)); /* its pages are there from now on */
  recording->keyframe_interval = MIN (
      quarter, MAX (CLAMP (size / 16, 4, MAX_INTERVAL), (gsize) layout->n_words * 4));
  recording->max_keyframes = size / recording->keyframe_interval + 2;
  recording->keyframes = g_new0 (guint64, recording->max_keyframes
                                              * WEIR_LOG_KEYFRAME_SIZE (layout->n_words));

  weir_recording_free (self->recording);
  self->recording = recording;
  if (recording->stores_all)
    start_copies (recording, self);
  weir_recording_take_keyframe (recording, self);
  weir_context_present_front (self);
}

guint64
weir_context_get_n_recorded (const WeirContext *self, guint64 *n_lost)
{
  guint64 n = self->recording != NULL ? self->recording->n : 0;
  guint64 capacity = self->recording != NULL ? self->recording->mask + 1 : 0;

  *n_lost = n > capacity ? n - capacity : 0;
  return n;
}

void
weir_context_skip_event (WeirContext *self, guint64 number)
{
  g_return_if_fail (weir_is_recording_all (self));

  self->recording->skipped = number;
}

gboolean
weir_context_is_recording (const WeirContext *self)
{
  return self->recording != NULL;
}

void
weir_recording_free (WeirRecording *self)
{
  if (self == NULL)
    return;
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
  weir_layout_unref (self->layout);
  g_free (self);
}

WeirChangeLog *
weir_context_copy_recording (const WeirContext *self)
{
  const WeirRecording *from = self->recording;
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
  log->mode = from->stores_all ? WEIR_RECORD_ALL : WEIR_RECORD_EVENTS;
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
weir_context_stop_recording (WeirContext *self)
{
  WeirChangeLog *log = weir_context_copy_recording (self);

  g_clear_pointer (&self->recording, weir_recording_free);
  weir_context_present_front (self);
  return log;
}

WeirLogPhase
weir_context_set_phase (WeirContext *self, WeirLogPhase phase)
{
  WeirLogPhase before = self->phase;

  self->phase = (guint8) phase;
  return before;
}

/* --- The log --------------------------------------------------------------------------------- */

void
weir_change_log_free (WeirChangeLog *self)
{
  if (self == NULL)
    return;
  g_free (self->records);
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
}

WeirLayout *
weir_change_log_get_layout (const WeirChangeLog *self)
{
  return self->layout;
}

WeirRecordMode
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

guint64
weir_change_log_get_n_lost (const WeirChangeLog *self)
{
  return self->n_lost;
}

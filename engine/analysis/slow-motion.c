/* Slow motion: the place among the beats, flags there, and the clock. See slow-motion.h; the beats
 * themselves are made in slow-motion-beats.c.
 *
 * Flags at a place are those before the beat's record, by the replay, and what the record's beats
 * up to there have done to them.
 */
#include "analysis/slow-motion.h"

#include <string.h>

#include "analysis/slow-motion-beats.h"
#include "base/bits.h"

struct _WeirSlowMotion {
  WeirTrace *trace;
  WeirReplay *replay;
  gsize first, end; /* records */
  GArray *beats;    /* WeirBeat */
  GArray *marks;    /* WeirBeatMark */

  guint place;
  gsize n_words;
  guint64 *stale, *disabled, *known; /* at the place */

  gboolean is_playing;
  gint64 since; /* us: when the present beat began, while playing */
  double speed; /* beats per second */
};

WeirSlowMotion *
weir_slow_motion_new (WeirTrace *trace, gsize first, gsize end, guint limit, GError **error)
{
  g_autoptr (WeirSlowMotion) self = g_new0 (WeirSlowMotion, 1);
  gsize n_words = MAX (weir_bits_n_words (weir_trace_get_n_entries (trace)), 1), n_records;

  weir_trace_get_records (trace, &n_records);
  self->trace = weir_trace_ref (trace);
  self->replay = weir_replay_new (trace);
  self->beats = g_array_new (FALSE, FALSE, sizeof (WeirBeat));
  self->marks = g_array_new (FALSE, FALSE, sizeof (WeirBeatMark));
  self->n_words = n_words;
  self->stale = g_new0 (guint64, n_words);
  self->disabled = g_new0 (guint64, n_words);
  self->known = g_new0 (guint64, n_words);
  self->speed = 1;
  self->first = MIN (first, n_records);
  self->end = MIN (end, n_records);
  if (!weir_beats_make (self->replay, trace, self->first, &self->end, limit, self->beats,
                        self->marks, error))
    return NULL;
  weir_slow_motion_go (self, 0);
  return g_steal_pointer (&self);
}

void
weir_slow_motion_free (WeirSlowMotion *self)
{
  if (self == NULL)
    return;
  weir_replay_free (self->replay);
  weir_trace_unref (self->trace);
  g_array_unref (self->beats);
  g_array_unref (self->marks);
  g_free (self->stale);
  g_free (self->disabled);
  g_free (self->known);
  g_free (self);
}

WeirTrace *
weir_slow_motion_get_trace (const WeirSlowMotion *self)
{
  return self->trace;
}

guint
weir_slow_motion_get_n_beats (const WeirSlowMotion *self)
{
  return self->beats->len;
}

const WeirBeat *
weir_slow_motion_get_beat (const WeirSlowMotion *self, guint i)
{
  g_return_val_if_fail (i < self->beats->len, NULL);
  return &g_array_index (self->beats, WeirBeat, i);
}

const WeirBeatMark *
weir_slow_motion_get_marks (const WeirSlowMotion *self, const WeirBeat *beat)
{
  return &g_array_index (self->marks, WeirBeatMark, beat->first);
}

gsize
weir_slow_motion_get_end (const WeirSlowMotion *self)
{
  return self->end;
}

guint
weir_slow_motion_get_beginning (const WeirSlowMotion *self, guint i)
{
  guint low = 0;
  gsize record;

  g_return_val_if_fail (i < self->beats->len, 0);
  record = weir_slow_motion_get_beat (self, i)->record;
  while (low < i) /* beats are in order of record */
    {
      guint middle = low + (i - low) / 2;

      if (weir_slow_motion_get_beat (self, middle)->record < record)
        low = middle + 1;
      else
        i = middle;
    }
  return i;
}

/* --- The place ------------------------------------------------------------------------------- */

static void
apply (WeirSlowMotion *self, const WeirBeat *beat)
{
  const WeirBeatMark *marks = weir_slow_motion_get_marks (self, beat);

  for (guint i = 0; i < beat->n; i++)
    switch (marks[i].kind)
      {
      case WEIR_BEAT_MARK_OUT_OF_DATE:
        weir_bit_put (self->stale, marks[i].entry, TRUE);
        break;
      case WEIR_BEAT_MARK_COMPUTED:
        weir_bit_put (self->stale, marks[i].entry, FALSE);
        weir_bit_put (self->known, marks[i].entry, TRUE);
        break;
      case WEIR_BEAT_MARK_FAILED:
        weir_bit_put (self->known, marks[i].entry, TRUE);
        break;
      case WEIR_BEAT_MARK_DISABLED: /* its flag is set like any other's, although nobody looks at it
                                     */
        weir_bit_put (self->stale, marks[i].entry, TRUE);
        break;
      case WEIR_BEAT_MARK_CHANGED:
      case WEIR_BEAT_MARK_PASSED_ON:
      case WEIR_BEAT_MARK_WAS_OUT_OF_DATE:
      case WEIR_BEAT_MARK_BOUNCED:
      case WEIR_BEAT_MARK_ASKED:
      case WEIR_BEAT_MARK_HIT:
      case WEIR_N_BEAT_MARKS:
      default:
        break;
      }
}

guint
weir_slow_motion_get_place (const WeirSlowMotion *self)
{
  return self->place;
}

static void
set_place (WeirSlowMotion *self, guint place)
{
  gsize size = self->n_words * sizeof *self->stale;
  guint i, from = self->place;

  self->place = MIN (place, self->beats->len);
  i = self->place > 0 ? weir_slow_motion_get_beginning (self, self->place - 1) : 0;
  if (from > i && from <= self->place) /* further on within one record */
    i = from;
  else
    {
      /* It has been there when the beats were made, so that it cannot fail. */
      weir_replay_seek (self->replay,
                        self->place > 0 ? weir_slow_motion_get_beat (self, i)->record : self->first,
                        NULL);
      memcpy (self->stale, weir_replay_get_out_of_date (self->replay), size);
      memcpy (self->disabled, weir_replay_get_disabled (self->replay), size);
      memcpy (self->known, weir_replay_get_known (self->replay), size);
    }
  for (; i < self->place; i++)
    apply (self, weir_slow_motion_get_beat (self, i));
}

void
weir_slow_motion_go (WeirSlowMotion *self, guint place)
{
  self->is_playing = FALSE;
  set_place (self, place);
}

const WeirBeat *
weir_slow_motion_get_present (const WeirSlowMotion *self)
{
  return self->place > 0 ? weir_slow_motion_get_beat (self, self->place - 1) : NULL;
}

const guint64 *
weir_slow_motion_get_out_of_date (const WeirSlowMotion *self)
{
  return self->stale;
}

const guint64 *
weir_slow_motion_get_disabled (const WeirSlowMotion *self)
{
  return self->disabled;
}

const guint64 *
weir_slow_motion_get_known (const WeirSlowMotion *self)
{
  return self->known;
}

/* --- The clock ------------------------------------------------------------------------------- */

static double
get_beats_since (const WeirSlowMotion *self, gint64 now)
{
  return (double) MAX (now - self->since, 0) / G_USEC_PER_SEC * self->speed;
}

void
weir_slow_motion_play (WeirSlowMotion *self, gint64 now)
{
  if (self->beats->len == 0)
    return;
  if (self->place == self->beats->len)
    set_place (self, 0);
  if (self->place == 0)
    set_place (self, 1); /* something happens at once */
  self->is_playing = TRUE;
  self->since = now;
}

void
weir_slow_motion_pause (WeirSlowMotion *self)
{
  self->is_playing = FALSE;
}

gboolean
weir_slow_motion_is_playing (const WeirSlowMotion *self)
{
  return self->is_playing;
}

void
weir_slow_motion_set_speed (WeirSlowMotion *self, double speed, gint64 now)
{
  double gone = CLAMP (get_beats_since (self, now), 0, 1);

  self->speed = CLAMP (speed, WEIR_SLOW_MOTION_SLOWEST, WEIR_SLOW_MOTION_FASTEST);
  self->since = now
                - (gint64) (gone / self->speed
                            * G_USEC_PER_SEC); /* as far into the beat as before */
}

double
weir_slow_motion_get_speed (const WeirSlowMotion *self)
{
  return self->speed;
}

gboolean
weir_slow_motion_advance (WeirSlowMotion *self, gint64 now)
{
  double gone = get_beats_since (self, now);
  guint n = (guint) MIN (gone, self->beats->len);

  if (!self->is_playing || n == 0)
    return FALSE;
  if (self->place == self->beats->len) /* the last one has been looked at */
    {
      self->is_playing = FALSE;
      return FALSE;
    }
  self->since += (gint64) (n / self->speed * G_USEC_PER_SEC);
  set_place (self, self->place + n);
  return TRUE;
}

double
weir_slow_motion_get_progress (const WeirSlowMotion *self, gint64 now)
{
  return self->is_playing ? MIN (get_beats_since (self, now), 1) : 1;
}

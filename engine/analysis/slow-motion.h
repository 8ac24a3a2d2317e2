/* Slow motion: what a stretch of a trace did, beat by beat.
 *
 * A change event is pushed outward: its first beat is what changed, each further one the trackers
 * one step farther away; where a tracker hears of the event again, the notification bounces. A
 * request is pulled in the opposite direction: its first beat is the entry asked for, each further
 * one what those asked for need in turn, down to what is up to date; then, deepest first, beats
 * compute. Marks, flags and reasons are the trace's own (replay.h), only ordered by distance. A
 * beat shows nothing that leads to no entry.
 *
 * The state machine has a place among the beats and a clock handed to it; it draws nothing.
 *
 * Thread: *owner*.
 */
#pragma once

#include "analysis/replay.h"

G_BEGIN_DECLS

typedef struct _WeirSlowMotion WeirSlowMotion;

typedef enum {
  WEIR_BEAT_CHANGE,  /* what an event changed */
  WEIR_BEAT_PUSH,    /* who hears of it, @depth steps away */
  WEIR_BEAT_ASK,     /* who is asked, @depth steps from the request */
  WEIR_BEAT_COMPUTE, /* those asked at @depth are computed */
  WEIR_N_BEATS,
} WeirBeatKind;

typedef enum {
  WEIR_BEAT_MARK_CHANGED,
  WEIR_BEAT_MARK_PASSED_ON,   /* a tracker without an entry: a port, a composite; heard, or asked
                                 through */
  WEIR_BEAT_MARK_OUT_OF_DATE, /* an entry that was up to date until now */
  WEIR_BEAT_MARK_WAS_OUT_OF_DATE,
  WEIR_BEAT_MARK_DISABLED, /* not cached, there is nothing to mark */
  WEIR_BEAT_MARK_BOUNCED,  /* has heard of this event before */
  WEIR_BEAT_MARK_ASKED,    /* is to be computed */
  WEIR_BEAT_MARK_HIT,      /* is up to date: nothing to do */
  WEIR_BEAT_MARK_COMPUTED,
  WEIR_BEAT_MARK_FAILED,
  WEIR_N_BEAT_MARKS,
} WeirBeatMarkKind;

typedef struct {
  WeirBeatMarkKind kind;
  guint32 tracker;
  guint32 from;         /* the tracker it came from; WEIR_NO_INDEX where it began */
  guint32 entry;        /* of @tracker, or WEIR_NO_INDEX */
  WeirLogReason reason; /* ASKED, COMPUTED, FAILED */
} WeirBeatMark;

typedef struct {
  WeirBeatKind kind;
  guint depth;
  gsize record;   /* of the trace */
  guint first, n; /* its marks */
} WeirBeat;

/* The beats of the records from @first up to before @end; after @limit marks, or a search
 * through a hundred times as much, no further record is begun (0 = no limit). NULL and @error where
 * the log does not follow from its graph. */
WeirSlowMotion *weir_slow_motion_new (WeirTrace *trace, gsize first, gsize end, guint limit,
                                      GError **error);
void weir_slow_motion_free (WeirSlowMotion *self);

WeirTrace *weir_slow_motion_get_trace (const WeirSlowMotion *self); /* (transfer none) */
/* Beats in the order in which they are shown; the marks of one, beat->n of them. Borrowed. */
guint weir_slow_motion_get_n_beats (const WeirSlowMotion *self);
const WeirBeat *weir_slow_motion_get_beat (const WeirSlowMotion *self, guint i);
const WeirBeatMark *weir_slow_motion_get_marks (const WeirSlowMotion *self, const WeirBeat *beat);
/* The record after the last one shown; less than @end if the limit was reached. */
gsize weir_slow_motion_get_end (const WeirSlowMotion *self);
/* Of the beat: the record's first beat ... */
guint weir_slow_motion_get_beginning (const WeirSlowMotion *self, guint i);

/* --- The place ------------------------------------------------------------------------------- */

/* How many beats have been shown, 0 to n_beats; the last one shown is the present one. */
guint weir_slow_motion_get_place (const WeirSlowMotion *self);
void weir_slow_motion_go (WeirSlowMotion *self, guint place); /* clamped; pauses */
/* The present beat, or NULL at the beginning. */
const WeirBeat *weir_slow_motion_get_present (const WeirSlowMotion *self);
/* Flags after the present beat, bits by entry, 64 a word; valid until the place changes. */
const guint64 *weir_slow_motion_get_out_of_date (const WeirSlowMotion *self);
const guint64 *weir_slow_motion_get_disabled (const WeirSlowMotion *self);
const guint64 *weir_slow_motion_get_known (const WeirSlowMotion *self);

/* --- The clock ------------------------------------------------------------------------------- */

#define WEIR_SLOW_MOTION_SLOWEST 0.25 /* beats per second */
#define WEIR_SLOW_MOTION_FASTEST 30.0

/* Times are us, of one monotonic clock. Played from the end it begins again. */
void weir_slow_motion_play (WeirSlowMotion *self, gint64 now);
void weir_slow_motion_pause (WeirSlowMotion *self);
gboolean weir_slow_motion_is_playing (const WeirSlowMotion *self);
/* Beats per second, clamped to what is above. */
void weir_slow_motion_set_speed (WeirSlowMotion *self, double speed, gint64 now);
double weir_slow_motion_get_speed (const WeirSlowMotion *self);
/* Moves on to where the clock is: TRUE if the place changed. Pauses at the end. */
gboolean weir_slow_motion_advance (WeirSlowMotion *self, gint64 now);
/* How much of the present beat has gone by, 0..1; 1 while paused. */
double weir_slow_motion_get_progress (const WeirSlowMotion *self, gint64 now);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirSlowMotion, weir_slow_motion_free)

G_END_DECLS

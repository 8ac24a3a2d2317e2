/* Moving through a trace: flags as of any record, who was notified, what was computed and for whom.
 *
 * Notifications are rebuilt by walking from tracker to tracker as the engine's classic walk does.
 * Evaluations are taken from the trace where it stores them, else rebuilt: a request brings up to
 * date, in ascending order, whatever of its prerequisites is out of date. Flags come from the
 * nearest keyframe and what happened since. Nothing of the run's context is needed.
 *
 * Thread: *owner*; several replays may share a trace.
 */
#pragma once

#include "analysis/trace.h"

G_BEGIN_DECLS

typedef struct _WeirReplay WeirReplay;

typedef enum {
  WEIR_HEARD_CHANGED,          /* the event began here */
  WEIR_HEARD_MADE_OUT_OF_DATE, /* its entry was up to date */
  WEIR_HEARD_WAS_OUT_OF_DATE,
  WEIR_HEARD_DISABLED, /* its entry is not cached */
  WEIR_HEARD_NO_VALUE, /* no entry of its own: only passes on */
  WEIR_HEARD_SEEN,     /* heard of this event before: not passed on */
  WEIR_N_HEARD,
} WeirHeard;

typedef struct {
  guint32 from, to; /* trackers; from WEIR_NO_INDEX where the event began */
  guint32 depth;    /* 0 where it began */
  WeirHeard heard;
} WeirNotification;

typedef struct {
  guint32 entry;
  guint32 requester; /* the entry that it was brought up to date for: the calculation that asked for
                        it in its course, else the first afterwards in the same request that
                        declares to read it. WEIR_NO_INDEX: the request itself */
  WeirLogReason reason;
  gboolean has_failed;
  gint changed; /* other bytes than the evaluation before gave: 1 or 0, -1 = not known */
  guint32 ns;   /* sampled duration, of all entries computed together; 0 = not sampled */
} WeirEvaluation;

/* Keeps a reference to @trace; weir_replay_seek() brings it to a place. */
WeirReplay *weir_replay_new (WeirTrace *trace);
void weir_replay_free (WeirReplay *self);

/* Rebuilds evaluations even where the trace stores them. */
void weir_replay_set_rebuilding (WeirReplay *self, gboolean rebuilding);

/* Goes to just before record @index, at most n_records; within a request that is rebuilt, to its
 * beginning. Where a record is no part of what can have happened to the graph (damaged, or the
 * graph of another model), FALSE and @error. */
gboolean weir_replay_seek (WeirReplay *self, gsize index, GError **error);

/* Bits by entry, 64 a word, as of where the replay is; valid until it moves. */
const guint64 *weir_replay_get_out_of_date (const WeirReplay *self);
const guint64 *weir_replay_get_disabled (const WeirReplay *self);
const guint64 *weir_replay_get_known (const WeirReplay *self); /* computed or written before */

/* What the event at record @index (EVENT or JOINT) notified, in order; empty for any other record.
 * (transfer full), WeirNotification. Moves the replay to the record. */
GArray *weir_replay_list_notifications (WeirReplay *self, gsize index, GError **error);
/* What the request at record @index (REQUEST or CALCULATION) computed, in order; empty if all was
 * up to date, and for any other record. (transfer full), WeirEvaluation. Moves the replay to after
 * it. */
GArray *weir_replay_list_evaluations (WeirReplay *self, gsize index, GError **error);
/* Does a change of @source reach one of @entries (bits)? */
gboolean weir_replay_reaches (WeirReplay *self, guint32 source, const guint64 *entries);
/* The record after the one at @index and all that belongs to it. */
gsize weir_replay_get_next (const WeirReplay *self, gsize index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirReplay, weir_replay_free)

G_END_DECLS

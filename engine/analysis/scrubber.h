/* Any moment of a trace at once: flags, counters and last events as they were after any record, and
 * what happened between two of them.
 *
 * Making one passes over the trace once and keeps everything every so often, within a budget of
 * memory; going somewhere takes the nearest place kept before it and lets the records in between
 * happen. What it counts is what the engine counts, from the trace's first record on.
 *
 * A place is the number of the record that is next, as in replay.h: 0 = before everything.
 * Thread: *owner*; one that makes it may hand it on.
 */
#pragma once

#include "analysis/replay.h"

G_BEGIN_DECLS

typedef struct _WeirScrubber WeirScrubber;

#define WEIR_SCRUBBER_DEFAULT_BUDGET ((gsize) 64 << 20) /* bytes */

/* @budget: of what is kept, in bytes; 0 = the default. @cancel: non-zero ends the making, with
 * G_IO_ERROR_CANCELLED; NULL = never. @done: records passed so far, for any thread to read; may be
 * NULL. NULL and @error also where the trace does not follow from its graph. */
WeirScrubber *weir_scrubber_new (WeirTrace *trace, gsize budget, const gint *cancel, gint *done,
                                 GError **error);
void weir_scrubber_free (WeirScrubber *self);

/* By record: of EVENT and JOINT how many entries they put out of date that were not so before; of
 * REQUEST and CALCULATION how many evaluations they took; 0 for all others. */
const guint32 *weir_scrubber_get_amounts (const WeirScrubber *self);

/* The record that the one at @index belongs to: itself, the request around it, or the JOINT after a
 * part. */
gsize weir_scrubber_get_whole (const WeirScrubber *self, gsize index);
/* The place after a record and all that belongs to it. */
gsize weir_scrubber_get_place_after (const WeirScrubber *self, gsize index);

/* The next change event (EVENT or JOINT) after record @index, or the last before it, that reaches
 * one of
 * @entries (bits; NULL = any); G_MAXSIZE if there is none. @index may be n_records. */
gsize weir_scrubber_find_next_event (WeirScrubber *self, gsize index, const guint64 *entries);
gsize weir_scrubber_find_previous_event (WeirScrubber *self, gsize index, const guint64 *entries);
/* The last record outside of the solver's trials and searches whose time is at most @time, with all
 * that belongs to it; 0 if there is none. */
gsize weir_scrubber_find_time (const WeirScrubber *self, double time);

/* Goes to @place; within a request to its beginning. */
gboolean weir_scrubber_seek (WeirScrubber *self, gsize place, GError **error);
/* Where it is. Bits by entry, 64 a word; valid until it moves. */
gsize weir_scrubber_get_place (const WeirScrubber *self);
const guint64 *weir_scrubber_get_out_of_date (const WeirScrubber *self);
const guint64 *weir_scrubber_get_disabled (const WeirScrubber *self);
const guint64 *weir_scrubber_get_known (const WeirScrubber *self);
gboolean weir_scrubber_get_caching (const WeirScrubber *self);
/* The number of the last change event, and by source that of its last one; 0 = none since the
 * beginning. */
guint64 weir_scrubber_get_n_events (const WeirScrubber *self);
const guint64 *weir_scrubber_get_source_events (const WeirScrubber *self);
/* Since the trace's beginning. @counters: by entry. */
void weir_scrubber_read_counters (const WeirScrubber *self, WeirCounters *counters);

/* Counters of [first, end) alone; the scrubber is at @end afterwards. */
gboolean weir_scrubber_read_range (WeirScrubber *self, gsize first, gsize end,
                                   WeirCounters *counters, GError **error);

/* As weir_replay_list_…(), without moving the scrubber. */
GArray *weir_scrubber_list_notifications (WeirScrubber *self, gsize index, GError **error);
GArray *weir_scrubber_list_evaluations (WeirScrubber *self, gsize index, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirScrubber, weir_scrubber_free)

G_END_DECLS

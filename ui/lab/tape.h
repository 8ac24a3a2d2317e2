/* WeirTape: a recording ready to be looked at: any moment of it as the figures that all views of
 * the cache show, and the evaluations of a request as nested boxes.
 *
 * Thread: made anywhere, then *owner*.
 */
#pragma once

#include "analysis/scrubber.h"
#include "paint/plots/timeline.h"
#include "sim/session.h"

G_BEGIN_DECLS

typedef struct _WeirTape WeirTape;

/* @trace: its name is shown. @stored: WeirStoredRun, from which the run can be repeated; NULL =
 * none. @cancel,
 * @done: as in weir_scrubber_new(). */
WeirTape *weir_tape_new (WeirTrace *trace, const GArray *stored, const gint *cancel, gint *done,
                         GError **error);
void weir_tape_free (WeirTape *self);

WeirScrubber *weir_tape_get_scrubber (const WeirTape *self); /* (transfer none) */
WeirTrace *weir_tape_get_trace (const WeirTape *self);       /* (transfer none) */
const GArray *weir_tape_get_stored (const WeirTape *self);   /* or NULL */
/* What an event changed, what an entry is: "Gain: y". Borrowed. */
const char *weir_tape_get_source_name (WeirTape *self, guint32 source);
const char *weir_tape_get_entry_name (WeirTape *self, guint32 entry);

/* What timelines need; @data is the tape. */
const WeirTimelineFuncs *weir_tape_get_funcs (void);

/* Mean times by entry (ns), as nothing of the kind is recorded; NULL = not known. Copied. */
void weir_tape_set_mean_ns (WeirTape *self, const float *mean_ns);
/* Everything as it was at @place (scrubber.h), counted since the recording began. Valid until the
 * next call. NULL and @error if the recording is damaged there. (transfer none) */
const WeirSnapshot *weir_tape_show (WeirTape *self, gsize place, GError **error);
/* The same at @end, but counted since @first. */
const WeirSnapshot *weir_tape_show_range (WeirTape *self, gsize first, gsize end, GError **error);

/* Is the file a recording, by its first line? */
gboolean weir_tape_is_recording (GFile *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirTape, weir_tape_free)

G_END_DECLS

/* WeirPlayback: a log ready to be looked at: any moment of it as the figures that all views
 * of the cache show, and the evaluations of a request as nested boxes.
 *
 * Thread: made anywhere, then *owner*.
 */
#pragma once

#include "analysis/scrubber.h"
#include "paint/plots/timeline.h"
#include "sim/session.h"

G_BEGIN_DECLS

typedef struct _WeirPlayback WeirPlayback;

/* @trace: its name is shown. @stored: WeirStoredRun, from which the run can be repeated; NULL =
 * none. @cancel,
 * @done: as in weir_scrubber_new(). */
WeirPlayback *weir_playback_new (WeirTrace *trace, const GArray *stored, const gint *cancel,
                                 gint *done, GError **error);
void weir_playback_free (WeirPlayback *self);

WeirScrubber *weir_playback_get_scrubber (const WeirPlayback *self); /* (transfer none) */
WeirTrace *weir_playback_get_trace (const WeirPlayback *self);       /* (transfer none) */
const GArray *weir_playback_get_stored (const WeirPlayback *self);   /* or NULL */
/* What an event changed, what an entry is: "Gain: y". Borrowed. */
const char *weir_playback_get_source_name (WeirPlayback *self, guint32 source);
const char *weir_playback_get_entry_name (WeirPlayback *self, guint32 entry);
const char *weir_playback_get_system_name (WeirPlayback *self, guint32 system);

/* What timelines need; @data is the playback. */
const WeirTimelineFuncs *weir_playback_get_funcs (void);

/* Mean times by entry (ns), as nothing of the kind is logged; NULL = not known. Copied. */
void weir_playback_set_mean_ns (WeirPlayback *self, const float *mean_ns);
/* Everything as it was at @place (scrubber.h), counted since the log began. Valid until the
 * next call. NULL and @error if the log is damaged there. (transfer none) */
const WeirSnapshot *weir_playback_show (WeirPlayback *self, gsize place, GError **error);
/* The same at @end, but counted since @first. */
const WeirSnapshot *weir_playback_show_range (WeirPlayback *self, gsize first, gsize end,
                                              GError **error);

/* Is it about a model of this structure? Quick when asked again. */
gboolean weir_playback_fits (WeirPlayback *self, WeirLayout *layout);

/* Is the file a log, by its first line? */
gboolean weir_playback_is_change_log (GFile *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirPlayback, weir_playback_free)

G_END_DECLS

/* WeirTimelinePanel: a log: switches to make one, the timeline, and what happened at the
 * record that is looked at, in a range that is chosen, or would happen without an event.
 *
 * Its buttons are the window's actions: "win.log", "win.timeline-open", "-save", "-close",
 * "-previous",
 * "-next", "-skip", "-slow".
 * Signals: "moment-changed": another moment or range is looked at, or none; "go-to" (path of a
 * block). Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "analysis/event-effect.h"
#include "lab/playback.h"

G_BEGIN_DECLS

#define WEIR_TYPE_TIMELINE_PANEL (weir_timeline_panel_get_type ())
G_DECLARE_FINAL_TYPE (WeirTimelinePanel, weir_timeline_panel, WEIR, TIMELINE_PANEL, GtkWidget)

/* (transfer full); NULL closes. @title: where it is from. */
void weir_timeline_panel_set_playback (WeirTimelinePanel *self, WeirPlayback *playback,
                                       const char *title);
WeirPlayback *
weir_timeline_panel_get_playback (WeirTimelinePanel *self);        /* (transfer none), or NULL */
GtkWidget *weir_timeline_panel_get_view (WeirTimelinePanel *self); /* (transfer none) */

/* A log is being made ready: 0..1; negative = no longer. */
void weir_timeline_panel_set_progress (WeirTimelinePanel *self, double progress);
/* What is being logged. @capacity: records; 0 = nothing is. */
void weir_timeline_panel_set_log (WeirTimelinePanel *self, guint64 n_logged, guint64 n_given_up,
                                  guint64 capacity);
/* What the next logging is to keep. */
WeirLogMode weir_timeline_panel_get_mode (WeirTimelinePanel *self);
gsize weir_timeline_panel_get_capacity (WeirTimelinePanel *self); /* records */

/* The record looked at, or G_MAXSIZE; the range chosen (TRUE: there is one). */
gsize weir_timeline_panel_get_cursor (WeirTimelinePanel *self);
gboolean weir_timeline_panel_get_range (WeirTimelinePanel *self, gsize *first, gsize *end);
/* To the next change event, or for -1 the one before; @entries (bits; nullable): one that reaches
 * one of them. FALSE if there is none. */
gboolean weir_timeline_panel_step (WeirTimelinePanel *self, int direction, const guint64 *entries);
/* To a record. */
void weir_timeline_panel_go_to (WeirTimelinePanel *self, gsize record);
/* To what had happened by @time. */
void weir_timeline_panel_go_to_time (WeirTimelinePanel *self, double time);
/* No moment is looked at any more. */
void weir_timeline_panel_leave (WeirTimelinePanel *self);

/* What is missing without the event that is looked at; NULL: that is being found out. */
void weir_timeline_panel_set_effect (WeirTimelinePanel *self, const WeirEventEffect *result);
/* A sentence in place of what happened there. */
void weir_timeline_panel_describe (WeirTimelinePanel *self, const char *text);

G_END_DECLS

/* WeirTimelineView: a log as a timeline to move in: wheel zooms at the pointer (Shift: to the
 * sides), drag pans, Shift+drag chooses a range, a click looks at a record, or chooses what was
 * written while a unit made its step; by keyboard , and . go
 * from change event to change event (with Shift those that reach what is selected), Left and Right
 * from record to record (with Shift choosing), Home and End to the ends, + - 0 zoom, Escape chooses
 * nothing.
 *
 * Signals: "cursor-moved": another record is looked at; "range-changed": another range is chosen,
 * or none; "step" (int direction, gboolean touching): the next or previous change event is asked
 * for; "leave": Escape with nothing chosen. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "lab/playback.h"

G_BEGIN_DECLS

#define WEIR_TYPE_TIMELINE_VIEW (weir_timeline_view_get_type ())
G_DECLARE_FINAL_TYPE (WeirTimelineView, weir_timeline_view, WEIR, TIMELINE_VIEW, GtkWidget)

GtkWidget *weir_timeline_view_new (void);

/* @playback: borrowed until the next call; NULL = nothing. */
void weir_timeline_view_set_playback (WeirTimelineView *self, WeirPlayback *playback);
WeirTimeline *weir_timeline_view_get_timeline (WeirTimelineView *self); /* (transfer none) */
/* G_MAXSIZE: none. Brings it into view; the signal comes too. */
void weir_timeline_view_set_cursor (WeirTimelineView *self, gsize index);
void weir_timeline_view_set_range (WeirTimelineView *self, gsize first, gsize end);
/* What it says is read out. */
void weir_timeline_view_describe (WeirTimelineView *self, const char *text);

G_END_DECLS

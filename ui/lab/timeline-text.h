/* What happened in a log, in sentences and lists. Thread: *main*. */
#pragma once

#include "analysis/event-effect.h"
#include "lab/playback.h"

G_BEGIN_DECLS

/* A line of a list: what it says, and the path of the block that it is about (NULL = none). */
typedef struct {
  char *text;
  char *path;
} WeirTimelineLine;

#define WEIR_TIMELINE_DIFFERENCE "≠" /* begins a line about what differs */

GArray *weir_timeline_lines_new (void); /* (transfer full), WeirTimelineLine */

char *weir_timeline_format (guint64 count); /* "91204"; (transfer full) */

/* "Event 12, solver’s trial, t = 0.5 s: time and state changed; 14 values newly out of date."
 * (transfer full) */
char *weir_timeline_describe_record (WeirPlayback *playback, gsize index);
/* "As of event 12, t = 0.5 s": after a record. (transfer full) */
char *weir_timeline_describe_moment (WeirPlayback *playback, gsize index);
/* "Events 12 to 40, t = 0.5 to 0.7 s". (transfer full) */
char *weir_timeline_describe_range (WeirPlayback *playback, gsize first, gsize end);
/* "S1 on thread 2: t = 0 to 1 s, 12 µs". (transfer full) */
char *weir_timeline_describe_step (WeirPlayback *playback, const WeirLogStep *step);
/* What was notified, or computed for whom, and which units were stepping; the longest lists are
 * cut. (transfer full), WeirTimelineLine */
GArray *weir_timeline_list_record (WeirPlayback *playback, gsize index);
/* What a stretch consists of: steps by unit and thread, events by what they changed, requests by
 * what they asked for.
 * (transfer full) */
GArray *weir_timeline_list_range (WeirPlayback *playback, gsize first, gsize end);

char *weir_timeline_describe_effect (const WeirEventEffect *result); /* (transfer full) */
GArray *
weir_timeline_list_effect (const WeirEventEffect *result); /* (transfer full), WeirTimelineLine */

G_END_DECLS

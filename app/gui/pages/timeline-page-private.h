/* What the files of the page of the timeline share: timeline-page.c shows moments and has the
 * commands, timeline-log.c makes, reads and saves logs. */
#pragma once

#include "gui/pages/timeline-page.h"
#include "lab/timeline-panel.h"

G_BEGIN_DECLS

typedef struct _WeirReading WeirReading;
typedef struct _WeirRepetition WeirRepetition;

struct _WeirTimelinePage {
  WeirPage parent;
  WeirTimelinePanel *panel;
  GtkEventController *keys;   /* of the whole editor */
  WeirReading *reading;       /* a log that is made ready; borrowed from its task */
  guint progress;             /* source that tells how far */
  WeirRepetition *repetition; /* the one that goes on; borrowed from its task */
  gsize capacity;             /* of the log that goes on */
  guint64 n_asked;            /* records when it was asked for last, so that a pause asks once */
  gboolean is_of_run;         /* the playback is of the newest run */
  char *overlay_before;       /* the canvas's mode before a moment was shown, or NULL */
};

/* timeline-log.c */
/* Is the log about the structure that is shown? */
gboolean weir_timeline_page_fits (WeirTimelinePage *self);
void weir_timeline_page_add_log (WeirTimelinePage *self);
void weir_timeline_page_end_reading (WeirTimelinePage *self);

G_END_DECLS

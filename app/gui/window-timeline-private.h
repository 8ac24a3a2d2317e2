/* What the files of recordings in the window share: window-timeline.c shows moments and has the commands,
 * window-recording.c makes, reads and saves recordings, window-skip.c repeats a run without an event.
 */
#pragma once

#include "gui/window-private.h"
#include "lab/timeline-panel.h"

G_BEGIN_DECLS

typedef struct _WeirReading WeirReading;
typedef struct _WeirSkipping WeirSkipping;

struct _WeirWindowTimeline {
  WeirReading *reading;   /* a recording that is made ready; borrowed from its task */
  guint progress;         /* source that tells how far */
  WeirSkipping *skipping; /* the repetition that goes on; borrowed from its task */
  gsize capacity;         /* of the recording that goes on */
  guint64 n_asked;        /* records when it was asked for last, so that a pause asks once */
  WeirLayout *fitted;     /* the layout that was compared last ... */
  gboolean fits;          /* ... and what came of it */
  gboolean is_of_run;     /* the tape is of the newest run */
  char *overlay_before;   /* the canvas's mode before a moment was shown, or NULL */
};

static inline WeirTimelinePanel *
weir_window_get_timeline (WeirWindow *self)
{
  return WEIR_TIMELINE_PANEL (self->timeline);
}

/* window-timeline.c */
/* Is the recording about the structure that is shown? */
gboolean weir_window_fits_recording (WeirWindow *self);
void weir_window_forget_fit (WeirWindow *self);
void weir_window_update_timeline_actions (WeirWindow *self);

/* window-recording.c */
void weir_window_add_recording (WeirWindow *self);
void weir_window_remove_recording (WeirWindow *self);

/* window-skip.c */
void weir_window_add_skip (WeirWindow *self);
void weir_window_remove_skip (WeirWindow *self);

G_END_DECLS

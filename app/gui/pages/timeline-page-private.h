/* What the files of recordings in the editor share: editor-timeline.c shows moments and has the
 * commands, editor-tape.c makes, reads and saves recordings, editor-skip.c repeats a run without an
 * event.
 */
#pragma once

#include "gui/shell/editor-private.h"
#include "lab/timeline-panel.h"

G_BEGIN_DECLS

typedef struct _WeirReading WeirReading;
typedef struct _WeirSkipping WeirSkipping;

struct _WeirEditorTimeline {
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
weir_editor_get_timeline (WeirEditor *self)
{
  return WEIR_TIMELINE_PANEL (self->timeline);
}

/* editor-timeline.c */
/* Is the recording about the structure that is shown? */
gboolean weir_editor_fits_recording (WeirEditor *self);
void weir_editor_forget_fit (WeirEditor *self);
void weir_editor_update_timeline_actions (WeirEditor *self);

/* editor-tape.c */
void weir_editor_add_recording (WeirEditor *self);
void weir_editor_remove_recording (WeirEditor *self);

/* editor-skip.c */
void weir_editor_add_skip (WeirEditor *self);
void weir_editor_remove_skip (WeirEditor *self);

G_END_DECLS

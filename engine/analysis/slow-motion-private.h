/* A slow motion's inside: its beats, and where it is. */
#pragma once

#include "analysis/replay-private.h"
#include "analysis/slow-motion.h"

G_BEGIN_DECLS

struct _WeirSlowMotion {
  WeirTrace *trace;
  WeirReplay *replay;
  gsize first, end; /* records */
  GArray *beats;    /* WeirBeat */
  GArray *marks;    /* WeirBeatMark */

  guint place;
  gsize n_words;
  guint64 *stale, *disabled, *known; /* at the place */

  gboolean is_playing;
  gint64 since; /* us: when the present beat began, while playing */
  double speed; /* beats per second */
};

/* Fills beats and marks; lowers end where the limit is reached. */
gboolean weir_slow_motion_make_beats (WeirSlowMotion *self, guint limit, GError **error);

G_END_DECLS

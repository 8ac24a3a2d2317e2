/* Making the beats of a slow motion. Thread: *owner* of the replay. */
#pragma once

#include "analysis/replay.h"
#include "analysis/slow-motion.h"

G_BEGIN_DECLS

/* Appends to @beats (WeirBeat) and @marks (WeirBeatMark) those of the records from @first on,
 * before
 * @end, which is lowered where @limit of marks is reached; 0: none. */
gboolean weir_beats_make (WeirReplay *replay, WeirTrace *trace, gsize first, gsize *end,
                          guint limit, GArray *beats, GArray *marks, GError **error);

G_END_DECLS

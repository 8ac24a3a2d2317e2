/* WeirSlowPart: slow motion: what can be shown, previewing it in a thread of its own, and its bar.
 *
 * Nothing of the run is touched: a paused run is copied, a standing model begun on the side. What
 * was previewed holds until the run goes on or the model is another one; then it is previewed anew
 * when somebody plays. Where a log is looked at, that can be shown instead, from the event
 * chosen in it; the timeline then goes along. Thread: *main*.
 */
#pragma once

#include "gui/host/part.h"

G_BEGIN_DECLS

#define WEIR_TYPE_SLOW_PART (weir_slow_part_get_type ())
G_DECLARE_FINAL_TYPE (WeirSlowPart, weir_slow_part, WEIR, SLOW_PART, WeirPart)

/* Opens slow motion and plays a change of the source that a path names ("Gain.gain"). @run: as it
 * was when the change would be made (weir_session_save()), NULL: as it is. */
void weir_slow_part_play (WeirSlowPart *self, const char *source, GBytes *run);
gboolean weir_slow_part_can_play (WeirSlowPart *self, const char *source);
/* Opens slow motion and plays the log that is shown, from the event looked at on. */
void weir_slow_part_play_log (WeirSlowPart *self);
/* Another moment or range of the log is looked at, or another log. */
void weir_slow_part_note_moment (WeirSlowPart *self);

G_END_DECLS

/* WeirSlowBar: slow motion on the canvas: what is shown, play, pause, step, speed, and what the
 * beat does in a sentence.
 *
 * It holds a slow motion (analysis/slow-motion.h) and drives it by the frame clock; where
 * animations are not wanted, beats follow each other without any. What is to be shown is previewed
 * by whoever listens to "chosen". Signals: "chosen" (guint): another of the choices; "wanted": play
 * or step without a motion to play; "moved": another beat, or another moment of it. Its buttons
 * activate the window's actions "win.slow-...". Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "analysis/slow-motion.h"
#include "cache/cache-overlay.h"

G_BEGIN_DECLS

#define WEIR_TYPE_SLOW_BAR (weir_slow_bar_get_type ())
G_DECLARE_FINAL_TYPE (WeirSlowBar, weir_slow_bar, WEIR, SLOW_BAR, GtkWidget)

GtkWidget *weir_slow_bar_new (WeirCacheModel *model);

/* What can be shown; @choices: NULL-terminated. Emits nothing. */
void weir_slow_bar_set_choices (WeirSlowBar *self, const char *const *choices, guint chosen);
guint weir_slow_bar_get_chosen (WeirSlowBar *self);

/* @motion: (transfer full) (nullable): of the model's present structure. Shows its first beat. */
void weir_slow_bar_set_motion (WeirSlowBar *self, WeirSlowMotion *motion);
WeirSlowMotion *weir_slow_bar_get_motion (WeirSlowBar *self); /* (transfer none) (nullable) */
/* Instead of a motion: why there is none. */
void weir_slow_bar_tell (WeirSlowBar *self, const char *text);
const char *weir_slow_bar_get_caption (WeirSlowBar *self); /* what it says of the beat */

void weir_slow_bar_play_or_pause (WeirSlowBar *self);
void weir_slow_bar_step (WeirSlowBar *self, int n); /* beats; backwards if negative */
void weir_slow_bar_go (WeirSlowBar *self, guint place);
void weir_slow_bar_change_speed (WeirSlowBar *self, double factor);
void weir_slow_bar_focus (WeirSlowBar *self);

/* Puts the present beat into an overlay; FALSE if there is none to show. */
gboolean weir_slow_bar_fill (WeirSlowBar *self, WeirCacheOverlay *overlay);
/* "Wave 2. Out of date now: Gain: output y." of a beat. (transfer full) */
char *weir_slow_describe (WeirCacheModel *model, WeirSlowMotion *motion, const WeirBeat *beat);

G_END_DECLS

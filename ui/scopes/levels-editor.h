/* WeirLevelsEditor: which signal's step is looked at, and how it is judged: where it begins and
 * ends, between which parts of the step it rises, and the band that it is to settle in.
 *
 * Signals: "signal-chosen"; "edited": weir_levels_editor_get_levels() tells others. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "analysis/measure.h"

G_BEGIN_DECLS

#define WEIR_TYPE_LEVELS_EDITOR (weir_levels_editor_get_type ())
G_DECLARE_FINAL_TYPE (WeirLevelsEditor, weir_levels_editor, WEIR, LEVELS_EDITOR, GtkWidget)

GtkWidget *weir_levels_editor_new (void);
/* @names: NULL at the end. The one that was chosen stays, by its name. */
void weir_levels_editor_set_signals (WeirLevelsEditor *self, const char *const *names);
guint weir_levels_editor_get_signal (WeirLevelsEditor *self);
/* Of the signal that is chosen; NAN in initial and final: as the signal begins and ends. */
void weir_levels_editor_set_levels (WeirLevelsEditor *self, const WeirStepLevels *levels);
WeirStepLevels weir_levels_editor_get_levels (WeirLevelsEditor *self);

G_END_DECLS

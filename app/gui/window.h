/* WeirWindow: one document in a window: palette, canvas, inspector, plots, cache and problems.
 *
 * Everything it can do is an action "win.NAME" (window-actions.c) or one of the canvas's. The window owns
 * document and runner; a run goes on while the window is hidden and ends when it is destroyed.
 * Thread: *main*.
 */
#pragma once

#include <adwaita.h>

#include "canvas/canvas.h"
#include "run/runner.h"

G_BEGIN_DECLS

#define WEIR_TYPE_WINDOW (weir_window_get_type ())
G_DECLARE_FINAL_TYPE (WeirWindow, weir_window, WEIR, WINDOW, AdwApplicationWindow)

WeirWindow *weir_window_new (GtkApplication *application);

/* Reads @file into this window; on problems shows them and keeps what was open. */
gboolean weir_window_open (WeirWindow *self, GFile *file);
/* TRUE if there is nothing in it that could be lost or was opened: good for reuse. */
gboolean weir_window_is_pristine (WeirWindow *self);

WeirDocument *weir_window_get_document (WeirWindow *self);
WeirRunner *weir_window_get_runner (WeirWindow *self);
WeirCanvas *weir_window_get_canvas (WeirWindow *self);

/* Shows the welcome page over the editor until a model is opened or begun. */
void weir_window_show_welcome (WeirWindow *self);

G_END_DECLS

/* WeirWindow: one document with its views: palette, canvas, inspector, plots, cache and problems. A tab of a
 * WeirShell, the toplevel (shell.h), which can be dragged from one to another.
 *
 * Everything it can do is an action "win.NAME" (window-actions.c) or one of the canvas's; each WeirWindow
 * has its own group of them, which its shell uses while it is the one shown. It owns document and runner;
 * a run goes on while another tab is shown and ends when this one is closed. Thread: *main*.
 *
 * Properties: "title" (string: the file's name, marked when there are changes that are not saved) and
 * "running" (boolean), both read only; they notify.
 */
#pragma once

#include <adwaita.h>

#include "canvas/canvas.h"
#include "run/runner.h"

G_BEGIN_DECLS

#define WEIR_TYPE_WINDOW (weir_window_get_type ())
G_DECLARE_FINAL_TYPE (WeirWindow, weir_window, WEIR, WINDOW, AdwBin)

/* Nothing in it yet; weir_shell_add() shows it. */
WeirWindow *weir_window_new (void);

/* Reads @file into this window; on problems shows them and keeps what was open. */
gboolean weir_window_open (WeirWindow *self, GFile *file);
/* TRUE if there is nothing in it that could be lost or was opened: good for reuse. */
gboolean weir_window_is_pristine (WeirWindow *self);

/* The header bar that a shell shows above it, and the group of its actions. */
GtkWidget *weir_window_get_header (WeirWindow *self);
GActionGroup *weir_window_get_actions (WeirWindow *self);
/* What dialogs are shown over; NULL while it is in no shell. */
GtkWindow *weir_window_get_toplevel (WeirWindow *self);

WeirDocument *weir_window_get_document (WeirWindow *self);
WeirRunner *weir_window_get_runner (WeirWindow *self);
WeirCanvas *weir_window_get_canvas (WeirWindow *self);

/* Shows the welcome page over the editor until a model is opened or begun. */
void weir_window_show_welcome (WeirWindow *self);

G_END_DECLS

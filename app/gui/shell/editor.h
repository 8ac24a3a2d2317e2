/* WeirEditor: one document with its views: palette, canvas, inspector, plots, cache and problems. A
 * tab of a WeirWindow, the toplevel (window.h), which can be dragged from one to another.
 *
 * Everything it can do is an action "win.NAME" (editor-actions.c) or one of the canvas's; each
 * WeirEditor has its own group of them, which its window uses while it is the one shown. It owns
 * document and runner; a run goes on while another tab is shown and ends when this one is closed.
 * Thread: *main*.
 *
 * Properties: "title" (string: the file's name, marked when there are changes that are not saved)
 * and "running" (boolean), both read only; they notify.
 */
#pragma once

#include <adwaita.h>

#include "canvas/widget/canvas.h"
#include "run/runner.h"

G_BEGIN_DECLS

#define WEIR_TYPE_EDITOR (weir_editor_get_type ())
G_DECLARE_FINAL_TYPE (WeirEditor, weir_editor, WEIR, EDITOR, AdwBin)

/* Nothing in it yet; weir_window_add() shows it. */
WeirEditor *weir_editor_new (void);
/* The same, whose pages are still to be made. */
WeirEditor *weir_editor_new_without_pages (void);
/* The same, to show the welcome page before anything else: its pages, which that hides, are made
 * right after its first frame, before anything that happens is heard. */
WeirEditor *weir_editor_new_for_welcome (void);

/* Reads @file into this editor; on problems shows them and keeps what was open. */
gboolean weir_editor_open (WeirEditor *self, GFile *file);
/* TRUE if there is nothing in it that could be lost or was opened: good for reuse. */
gboolean weir_editor_is_pristine (WeirEditor *self);

/* The header bar that a window shows above it, and the group of its actions. */
GtkWidget *weir_editor_get_header (WeirEditor *self);
GActionGroup *weir_editor_get_actions (WeirEditor *self);

WeirDocument *weir_editor_get_document (WeirEditor *self);
WeirCanvas *weir_editor_get_canvas (WeirEditor *self);

/* Shows the welcome page, until a model is opened or begun there: here if there is nothing here
 * yet, else in a tab beside. Returns the tab. */
WeirEditor *weir_editor_show_welcome (WeirEditor *self);

G_END_DECLS

/* WeirWindow: a toplevel window whose tabs are documents (WeirEditor).
 *
 * It shows the header bar of the tab that is shown, whose actions are its "win" group. Tabs can be
 * reordered, and dragged to another window or out into one of their own; closing what has unsaved
 * changes asks first. A window closes with its last tab. Thread: *main*.
 */
#pragma once

#include "gui/shell/editor.h"

G_BEGIN_DECLS

#define WEIR_TYPE_WINDOW (weir_window_get_type ())
G_DECLARE_FINAL_TYPE (WeirWindow, weir_window, WEIR, WINDOW, AdwApplicationWindow)

/* Has no tab yet. */
WeirWindow *weir_window_new (GtkApplication *application);
/* Shows @editor (floating) in a new tab behind the one shown. Returns @editor. */
WeirEditor *weir_window_add (WeirWindow *self, WeirEditor *editor);

/* The tab that is shown; NULL while there is none. */
WeirEditor *weir_window_get_shown (WeirWindow *self);
AdwTabView *weir_window_get_tabs (WeirWindow *self);

/* The tab shown in the window used last; NULL if there is none. */
WeirEditor *weir_window_find_shown (GtkApplication *application);

/* The window that @editor is a tab of; NULL if none. */
WeirWindow *weir_window_get_of (WeirEditor *editor);
/* Shows @added (floating) in a new tab behind @editor. Returns @added. */
WeirEditor *weir_window_add_beside (WeirEditor *editor, WeirEditor *added);
/* The same without showing it, which weir_window_present() does. */
void weir_window_attach_beside (WeirEditor *editor, WeirEditor *added);
/* Shows this tab and brings its window to the front. */
void weir_window_present (WeirEditor *editor);
/* Closes the tab, after asking about changes that are not saved. */
void weir_window_close_tab (WeirEditor *editor);
void weir_window_move_to_new (WeirEditor *editor);
/* Shows the tab after (before, for -1) @editor, round the end. */
void weir_window_show_next (WeirEditor *editor, int step);
/* Sets the tab one place further on, or back for -1. */
void weir_window_reorder (WeirEditor *editor, int step);

/* All tabs of all windows: WeirEditor, borrowed; those of the window used last first. (transfer
 * full) */
GPtrArray *weir_window_list_all (GtkApplication *application);
/* Keeps the files of all tabs for the next time (open-files.h); call after a file was opened or
 * saved, or a tab closed. */
void weir_window_note_files (GtkApplication *application);
/* The tab in which @file is open, under whatever name, or NULL. @but: one to leave out, or NULL. */
WeirEditor *weir_window_find_file (GtkApplication *application, GFile *file, WeirEditor *but);

G_END_DECLS

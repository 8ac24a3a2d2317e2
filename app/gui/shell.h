/* WeirShell: a toplevel window whose tabs are documents (WeirWindow).
 *
 * It shows the header bar of the tab that is shown, whose actions are its "win" group. Tabs can be reordered,
 * and dragged to another shell or out into one of their own; closing what has unsaved changes asks first.
 * A shell closes with its last tab. Thread: *main*.
 */
#pragma once

#include "gui/window.h"

G_BEGIN_DECLS

#define WEIR_TYPE_SHELL (weir_shell_get_type ())
G_DECLARE_FINAL_TYPE (WeirShell, weir_shell, WEIR, SHELL, AdwApplicationWindow)

/* Has no tab yet. */
WeirShell *weir_shell_new (GtkApplication *application);
/* Shows @window (floating) in a new tab behind the one shown. Returns @window. */
WeirWindow *weir_shell_add (WeirShell *self, WeirWindow *window);

/* The tab that is shown; NULL while there is none. */
WeirWindow *weir_shell_get_shown (WeirShell *self);
AdwTabView *weir_shell_get_tabs (WeirShell *self);

/* The shell that @window is a tab of; NULL if none. */
WeirShell *weir_shell_get_of (WeirWindow *window);
/* A new tab behind @window. */
WeirWindow *weir_shell_add_beside (WeirWindow *window);
/* Shows this tab and brings its shell to the front. */
void weir_shell_present (WeirWindow *window);
/* Closes the tab, after asking about changes that are not saved. */
void weir_shell_close_tab (WeirWindow *window);
void weir_shell_move_to_new (WeirWindow *window);
/* Shows the tab after (before, for -1) @window, round the end. */
void weir_shell_show_next (WeirWindow *window, int step);
/* Sets the tab one place further on, or back for -1. */
void weir_shell_reorder (WeirWindow *window, int step);

/* All tabs of all windows: WeirWindow, borrowed; those of the window used last first. (transfer full) */
GPtrArray *weir_shell_list_all (GtkApplication *application);
/* The tab in which @file is open, under whatever name, or NULL. @but: one to leave out, or NULL. */
WeirWindow *weir_shell_find_file (GtkApplication *application, GFile *file, WeirWindow *but);

G_END_DECLS

/* The window of the help: its pages with back and forward, what is in them, search over all of them
 * and in the one that is shown.
 *
 * There is one for the program, beside the windows of models; it stays when those close. Pages are
 * those of help/help.h and those about block types (panels/block-help.h). Examples of equations can
 * be inserted into the model that was used last. Thread: *main*.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define WEIR_TYPE_HELP_WINDOW (weir_help_window_get_type ())
G_DECLARE_FINAL_TYPE (WeirHelpWindow, weir_help_window, WEIR, HELP_WINDOW, AdwWindow)

/* Shows @target: "page", "page#section", "block:Gain"; NULL: where it was, the contents at first.
 */
WeirHelpWindow *weir_help_window_present (GtkApplication *application, const char *target);

/* The page that is shown, "page" or "page#section" without the section. */
const char *weir_help_window_get_page (WeirHelpWindow *self);

G_END_DECLS

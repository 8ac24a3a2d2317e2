/* WeirHelpView: one page of the help (help/help.h), to be read, searched and gone through by
 * keyboard.
 *
 * Each paragraph is a label of its own, so that assistive technology is told headings, links and
 * cells as what they are. Signals: "link" (text): the target of a link that was followed, as pages
 * write it ("page#section"); "insert" (text): an example is wanted as a block.
 * Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "help/help.h"

G_BEGIN_DECLS

#define WEIR_TYPE_HELP_VIEW (weir_help_view_get_type ())
G_DECLARE_FINAL_TYPE (WeirHelpView, weir_help_view, WEIR, HELP_VIEW, GtkWidget)

GtkWidget *weir_help_view_new (void);

/* Which examples can be inserted as a block; NULL: none. Before the first page. */
void weir_help_view_set_insertable (WeirHelpView *self,
                                    gboolean (*is_insertable) (const char *code));

/* Shows @page from @block on; 0: from the top. The page, and @help, of which children are listed
 * (nullable), are borrowed until the next. */
void weir_help_view_show (WeirHelpView *self, const WeirHelp *help, const WeirHelpPage *page,
                          guint block);
/* How far it is scrolled, in pixels; and back there, after weir_help_view_show(). */
double weir_help_view_get_position (WeirHelpView *self);
void weir_help_view_set_position (WeirHelpView *self, double position);

/* Marks every place where @text is found, upper and lower case alike, and goes to the first. NULL
 * or empty: none. Returns how many there are. */
guint weir_help_view_find (WeirHelpView *self, const char *text);
/* Goes to the next of them, or back for -1, round the end. Returns its number, from 1 on; 0: there
 * are none. */
guint weir_help_view_find_next (WeirHelpView *self, int step);

G_END_DECLS

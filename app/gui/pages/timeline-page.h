/* WeirTimelinePage: logs of runs, of which every view shows the moment that is looked at.
 * Thread: *main*.
 */
#pragma once

#include "gui/host/page.h"

G_BEGIN_DECLS

#define WEIR_TYPE_TIMELINE_PAGE (weir_timeline_page_get_type ())
G_DECLARE_FINAL_TYPE (WeirTimelinePage, weir_timeline_page, WEIR, TIMELINE_PAGE, WeirPage)

/* Shows the log in @file in place of the one that is shown. */
void weir_timeline_page_open (WeirTimelinePage *self, GFile *file);
gboolean weir_timeline_page_save (WeirTimelinePage *self, GFile *file);

G_END_DECLS

/* WeirDependenciesPage: why a value is as it is, and what of that the canvas shows. Thread: *main*.
 */
#pragma once

#include "gui/host/page.h"

G_BEGIN_DECLS

#define WEIR_TYPE_DEPENDENCIES_PAGE (weir_dependencies_page_get_type ())
G_DECLARE_FINAL_TYPE (WeirDependenciesPage, weir_dependencies_page, WEIR, DEPENDENCIES_PAGE,
                      WeirPage)

/* The value that @entry of the structure that is shown is; the page is shown. */
void weir_dependencies_page_show_entry (WeirDependenciesPage *self, WeirEntry entry);
/* The same on the page, shown or not, and its block on the canvas. */
void weir_dependencies_page_go_to_entry (WeirDependenciesPage *self, WeirEntry entry);

G_END_DECLS

/* The table of pages. See pages.h. */
#include "gui/pages/pages.h"

#include <glib/gi18n-lib.h>

#define DECLARE(name, title, icon, dock, perspective) GType weir_##name##_page_get_type (void);
WEIR_PAGES (DECLARE)

#define KIND(name, title, icon, dock, perspective)                                                 \
  { #name,                                                                                         \
    title,                                                                                         \
    icon,                                                                                          \
    WEIR_DOCK_##dock,                                                                              \
    WEIR_PERSPECTIVE_##perspective,                                                                \
    weir_##name##_page_get_type },
static const WeirPageKind kinds[] = { WEIR_PAGES (KIND) };

GResource *weir_pages_get_resource (void); /* made by glib-compile-resources */

const WeirPageKind *
weir_pages_get (guint *n)
{
  weir_pages_get_resource (); /* or it would not be linked in */
  *n = G_N_ELEMENTS (kinds);
  return kinds;
}

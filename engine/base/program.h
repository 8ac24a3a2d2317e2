/* Programs of ours that others start: found where they are installed, or where they are built.
 *
 * Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The path of the program of that name beside the others of libexec. (transfer full) */
char *weir_program_find (const char *name);

G_END_DECLS

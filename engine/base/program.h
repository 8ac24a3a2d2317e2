/* Programs of ours that others start.
 *
 * A program finds those that belong to it: beside itself, in the folder that it was built in, or
 * where they are installed. Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The path of the program called @name, whether it is there or not. (transfer full) */
char *weir_program_find (const char *name);

G_END_DECLS

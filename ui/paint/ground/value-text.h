/* Values as short texts, as they are shown on wires. Thread: *any*. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "1.5", "12; 3; 0.25"; of more than three elements their number and the first of them:
 * "[8] 1; 2; 3; …". Four digits, in the manner of the locale; whole numbers in full up to seven.
 * (transfer full) */
char *weir_value_dup_text (const double *values, guint size);

G_END_DECLS

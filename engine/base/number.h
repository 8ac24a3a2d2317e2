/* Numbers as text that mean the same in every locale. Thread: *any*. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes the shortest decimal text that reads back as the same double ('.' in every locale; "nan",
 * "inf", "-inf"). @buffer: G_ASCII_DTOSTR_BUF_SIZE bytes. Returns @buffer. */
char *weir_number_to_text (double value, char *buffer);

G_END_DECLS

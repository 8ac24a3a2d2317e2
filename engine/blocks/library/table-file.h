/* Tables of numbers in files: text with a column for each value. */
#pragma once

#include "base/message.h"

G_BEGIN_DECLS

/* The numbers of a file, row by row: a time and the chosen @columns, counted from 1. NULL and
 * @error with line and column. @note: (out) (transfer full) what was found by rule, or NULL.
 * (transfer full) */
GArray *weir_table_read (const char *path, const double *columns, guint n_columns,
                         WeirMessage **note, GError **error);

G_END_DECLS

/* The last lines that an FMU has said: a bounded log. Thread: *any*. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WEIR_FMU_LOG_LINES 200
#define WEIR_FMU_LOG_LINE_BYTES 1000 /* what is longer is cut */

typedef struct _WeirFmuLog WeirFmuLog;

WeirFmuLog *weir_fmu_log_new (void);
void weir_fmu_log_free (WeirFmuLog *self);

/* @n bytes of text, which need not end with their line. */
void weir_fmu_log_append (WeirFmuLog *self, const char *text, gsize n);
/* A whole line. */
void weir_fmu_log_append_line (WeirFmuLog *self, const char *line);

/* The last lines, at most @n, the oldest first; what has no end yet counts as one. NULL: none.
 * (transfer full) */
char **weir_fmu_log_dup_tail (WeirFmuLog *self, guint n);
/* Lines so far, those that were let go too. */
guint64 weir_fmu_log_get_n_lines (WeirFmuLog *self);

G_END_DECLS

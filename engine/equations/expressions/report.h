/* Where the problems of one equation text go: a list of diagnostics, and the place of the text
 * in the model. Thread: *owner*. */
#pragma once

#include "base/diagnostic.h"

G_BEGIN_DECLS

typedef struct {
  WeirDiagnostics *diagnostics;
  const char *path;     /* block path */
  guint32 block;        /* id of the block, or 0 */
  int first_line;       /* line of the file in which the text begins, from 1 */
  gboolean is_one_line; /* the text's lines are in one line of the file */
} WeirReport;

/* @line: of the text, from 1; 0 = of the text as a whole. */
void weir_report_add (const WeirReport *report, WeirSeverity severity, const char *code, int line,
                      const char *format, ...) G_GNUC_PRINTF (5, 6);

/* The same of a sentence that is there already. @message: (transfer full). */
void weir_report_add_message (const WeirReport *report, WeirSeverity severity, const char *code,
                              int line, WeirMessage *message);

/* "a, b and c"; NULL-terminated @names. (transfer full) */
char *weir_text_enumerate (const char *const *names);

G_END_DECLS

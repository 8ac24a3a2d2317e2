/* Reporting problems of equation texts. See report.h. */
#include "equations/expressions/report.h"

#include <string.h>

void
weir_report_add_message (const WeirReport *report, WeirSeverity severity, const char *code,
                         int line, WeirMessage *message)
{
  weir_diagnostics_add_message (report->diagnostics, severity, code, report->path, report->block, 0,
                                line > 0 && !report->is_one_line ? report->first_line + line - 1
                                                                 : report->first_line,
                                message);
}

void
weir_report_add (const WeirReport *report, WeirSeverity severity, const char *code, int line,
                 const char *format, ...)
{
  WeirMessage *message;
  va_list args;

  va_start (args, format);
  message = weir_message_new_valist (format, args);
  va_end (args);
  weir_report_add_message (report, severity, code, line, message);
}

char *
weir_text_enumerate (const char *const *names)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; names[i] != NULL; i++)
    g_string_append_printf (list, "%s%s",
                            i == 0                 ? ""
                            : names[i + 1] == NULL ? " and "
                                                   : ", ",
                            names[i]);
  return g_string_free (list, FALSE);
}

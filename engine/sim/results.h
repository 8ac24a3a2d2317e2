/* Results as files: what was recorded, in one of the formats that there are.
 *
 * Which one is told by the ending of a file's name. Formats are static. Thread: *any*.
 */
#pragma once

#include "base/visibility.h"
#include "sim/recorder.h"

WEIR_BEGIN_DECLS

typedef struct _WeirResultFormat WeirResultFormat;

/* The first is that of streams, whose names say nothing. */
guint weir_result_format_get_n (void);
const WeirResultFormat *weir_result_format_get (guint i);
/* By the ending of @path; NULL if there is none such. */
const WeirResultFormat *weir_result_format_find (const char *path);

/* For people, translatable: "Tables: CSV". */
const char *weir_result_format_get_title (const WeirResultFormat *self);
/* "csv"; ends in NULL, the usual one first. */
const char *const *weir_result_format_get_suffixes (const WeirResultFormat *self);
/* Of all formats, as a sentence has them: ".csv, .mat or .h5", or with @or between: ".csv|.mat".
 * NULL = as a sentence. (transfer full) */
char *weir_result_formats_dup_suffixes (const char *between);

/* Writes all rows up to now. @names: one for each signal, or NULL: their own. */
gboolean weir_results_write (const WeirResultFormat *format, WeirRecorder *recorder,
                             const char *const *names, GOutputStream *stream, GError **error);

WEIR_END_DECLS

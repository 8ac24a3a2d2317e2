/* Tables of recorded or measured signals, read from CSV files (a header row, then times and
 * values), MAT files (level 5, and 7.3) and HDF5 files (result-arrays.h): the beginning of a file
 * tells which it is.
 *
 * Columns of CSV are parted by what stands first in this list and in the header: tabs, semicolons,
 * commas; where they are not parted by commas, numbers may have decimal ones. The first column is
 * time, in seconds, and never decreases. A field that is empty or no finite number is a gap. The
 * column "phase" of runs recorded with both sides of updates is left out. Anything else that is not
 * a number is refused with its line. Immutable. Thread: *any*.
 */
#pragma once

#include "sim/recorder.h"

G_BEGIN_DECLS

typedef struct _WeirResultFile WeirResultFile;

/* @path: "-" is standard input. NULL and @error, a sentence with file and line. (transfer full) */
WeirResultFile *weir_result_file_read (const char *path, GError **error);
void weir_result_file_free (WeirResultFile *self);

guint weir_result_file_get_n_signals (const WeirResultFile *self);
const char *weir_result_file_get_name (const WeirResultFile *self, guint signal);
gsize weir_result_file_get_n_rows (const WeirResultFile *self);
const double *weir_result_file_get_times (const WeirResultFile *self); /* s */
const double *weir_result_file_get_values (const WeirResultFile *self, guint signal);

/* The same as a run would have recorded it; nothing is ever added. (transfer full) */
WeirRecorder *weir_recorder_new_for_table (const WeirResultFile *table);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirResultFile, weir_result_file_free)

G_END_DECLS

/* What was measured of what a model describes: columns of a CSV file (sim/result-file.h), and by
 * how much the signals of a run differ from them.
 *
 * A residual is the signal less the measured value, in parts of the deviation of what was measured.
 * Between its rows a signal is taken along straight lines; gaps of the file give no residuals.
 * Immutable. Thread: *any*.
 */
#pragma once

#include "study/study.h"

G_BEGIN_DECLS

/* What is recorded of a run. */
typedef struct {
  gsize n_rows;
  guint n_signals;
  const double *times;
  const double *const *values; /* by signal, then row */
} WeirRunRows;

typedef struct _WeirMeasured WeirMeasured;

/* NULL, @line (in/out: of the study) and @error: the file cannot be read, or has no such column.
 * (transfer full) */
WeirMeasured *weir_measured_new (const char *path, const WeirStudy *study, int *line,
                                 GError **error);
void weir_measured_free (WeirMeasured *self);

guint weir_measured_get_size (const WeirMeasured *self); /* how many residuals there are */
double weir_measured_get_first_time (const WeirMeasured *self);
double weir_measured_get_last_time (const WeirMeasured *self);
/* The interval of a grid from @start on which all times are; 0: they are on none. */
double weir_measured_get_interval (const WeirMeasured *self, double start);

/* One of them: of which match, when, and what was measured. */
guint weir_measured_get_match (const WeirMeasured *self, guint i);
double weir_measured_get_time (const WeirMeasured *self, guint i);
double weir_measured_get_value (const WeirMeasured *self, guint i);

/* @rows: the study's kept signals. FALSE: the run does not reach as far, or has no value there. */
gboolean weir_measured_calc_residuals (const WeirMeasured *self, const WeirRunRows *rows,
                                       double *residuals);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirMeasured, weir_measured_free)

G_END_DECLS

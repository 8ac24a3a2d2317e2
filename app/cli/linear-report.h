/* What `weir linearize` prints: the states, inputs and outputs of a point, A, B, C, D, the poles.
 */
#pragma once

#include "analysis/linearize.h"

G_BEGIN_DECLS

/* All borrowed. */
typedef struct {
  const char *file;
  const WeirOperatingPoint *point;
  const WeirLinearization *result;
  GPtrArray *notes; /* of strings: what is worth knowing about the result */
} WeirLinearReport;

void weir_linear_report_print_table (const WeirLinearReport *report);
/* One number a line: the matrix, the names of its row and column, the number. */
void weir_linear_report_print_csv (const WeirLinearReport *report);
/* One JSON object. */
void weir_linear_report_print_json (const WeirLinearReport *report);

G_END_DECLS

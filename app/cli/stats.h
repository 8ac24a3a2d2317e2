/* What `weir run --stats` prints: totals of a run and a row for each cache entry. */
#pragma once

#include "sim/simulator.h"

G_BEGIN_DECLS

typedef struct {
  const char *file;
  WeirSimulator *simulator;
  const WeirSimulatorOptions *options;
  double stop_time, wall_time; /* s */
  gsize n_rows;                /* recorded */
} WeirRunReport;

void weir_run_report_print_table (const WeirRunReport *self);
/* One JSON object. */
void weir_run_report_print_json (const WeirRunReport *self);

G_END_DECLS

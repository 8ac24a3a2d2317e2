/* Previews: what a change or a step of a run would do, done on a copy and logged in full.
 *
 * The copy is the model as it begins, with every value that a run asks for computed once; or a run
 * as it was saved between two steps. Nothing of the original is touched. The trace tells who was
 * notified, what was computed, for whom and why (replay.h, slow-motion.h).
 *
 * Thread: *any*; a call may take as long as a step of the solver.
 */
#pragma once

#include "analysis/trace.h"
#include "sim/simulator.h"
#include "system/layout/sources.h"

G_BEGIN_DECLS

/* What is previewed. */
typedef struct {
  WeirSystem *root;
  WeirSimulatorOptions options;
  double stop_time;                  /* s */
  GBytes *run;                       /* of weir_simulator_save(); NULL: the beginning */
  const char *const *recorded_ports; /* NULL-terminated paths of the ports that a run records */
} WeirPreview;

/* Changes @n sources in one event, each by as little as a number can change, then asks for what a
 * run asks for: the derivatives and what is recorded. Abstract values and inputs cannot be changed
 * here. NULL and @error where the model cannot be computed. (transfer full) */
WeirTrace *weir_preview_change (const WeirPreview *self, const WeirSourceInfo *sources, guint n,
                                GError **error);
/* One step of the solver with the events and rows that belong to it. (transfer full), NULL and
 * @error. */
WeirTrace *weir_preview_step (const WeirPreview *self, GError **error);

/* Can a source be previewed? */
gboolean weir_source_info_can_preview (const WeirSourceInfo *source);

G_END_DECLS

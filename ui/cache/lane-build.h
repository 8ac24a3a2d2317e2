/* Dependency graphs of leaves and diagrams, as lanes.
 *
 * Of a leaf: its sources; composites (if wanted) and what it computes on the way; its outputs,
 * derivatives and energies. Of a diagram: a lane for what comes
 * from outside and one for each block. Nodes are trackers. Edges are declared prerequisites; what
 * an audit has found tells which are read. Thread: *main*.
 */
#pragma once

#include "analysis/audit.h"
#include "cache/cache-model.h"
#include "paint/plots/lanes.h"

G_BEGIN_DECLS

#define WEIR_MAX_LANES 80 /* blocks of a diagram; more cannot be looked at */

/* Is the node a leaf: does it have no others within it? */
gboolean weir_lane_graph_is_leaf (WeirCacheModel *model, WeirNode node);
/* How many blocks a diagram has directly within it. */
guint weir_lane_graph_count_blocks (WeirCacheModel *model, WeirNode node);

/* @findings: (nullable), WeirAuditFinding: of an audit of the same structure, by which edges are
 * told apart. The graph is not laid out yet. (transfer full) */
WeirLaneGraph *weir_lane_graph_build (WeirCacheModel *model, WeirNode node,
                                      gboolean with_composites, const GArray *findings);
/* The states of the values as of @snapshot; NULL: never computed. */
void weir_lane_graph_update (WeirLaneGraph *graph, WeirCacheModel *model,
                             const WeirSnapshot *snapshot);

G_END_DECLS

/* Points for linear analysis as they are kept with a model: words that are noted of a block's ports
 * (weir_key_points), so that they go with the block when it is renamed, copied or grouped.
 *
 * At an output they mean its signal for all that read it, at an input that one reader's. Words that
 * mean nothing are kept, and read as no point. Thread: *any*.
 */
#pragma once

#include "base/analysis-point.h"
#include "model/tree/model.h"

G_BEGIN_DECLS

/* 0: there is none. */
WeirPointKinds weir_block_get_points (const WeirBlock *self, const char *port);
/* (transfer full) */
WeirBlock *weir_block_with_points (const WeirBlock *self, const char *port, WeirPointKinds kinds);

/* The ends of a wire at which it may have points: at its beginning that of all wires from there. An
 * In block is only another name for what drives its Subsystem: points are where the wire ends.
 * NULL: it has no such place. (transfer none) */
WeirBlock *weir_wire_find_point_block (const WeirWire *self, const WeirDiagram *diagram,
                                       const char **port);
/* Of all that stands at either end of it. */
WeirPointKinds weir_wire_get_points (const WeirWire *self, const WeirDiagram *diagram);

G_END_DECLS

/* What the elements of a diagram are, in words: for screen readers and for lists beside the
 * diagram. Thread: *any*.
 */
#pragma once

#include "model/tree/analysis-points.h"

G_BEGIN_DECLS

/* "input u from Sine1.y", "output y not connected". (transfer full) */
char *weir_diagram_describe_port (const WeirDiagram *self, guint32 block, const char *port,
                                  gboolean is_output);
/* "Gain1, Gain, input u from Sine1.y, output y to Scope1.in1". (transfer full) */
char *weir_diagram_describe_block (const WeirDiagram *self, const WeirBlock *block);

/* What linear analysis does to a signal: "measured, opened, perturbed". (transfer full) */
char *weir_describe_points (WeirPointKinds kinds);

/* The path of a block, or "Gain:y" of what is in one, as people read it: what is of no block is the
 * whole model's. (transfer full) */
char *weir_describe_path (const char *path);
/* The same of a source of values (weir_layout_dup_source_name()): "Gain: parameter k", "time and
 * state". (transfer full) */
char *weir_describe_source (const char *name);

G_END_DECLS

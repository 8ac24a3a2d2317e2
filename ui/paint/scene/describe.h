/* What the elements of a diagram are, in words: for screen readers and for lists beside the
 * diagram. Thread: *any*.
 */
#pragma once

#include "model/tree/analysis-points.h"
#include "paint/scene/scene.h"

G_BEGIN_DECLS

/* "input u from Sine1.y", "output y not connected", "pin p to R1.n". (transfer full) */
char *weir_diagram_describe_port (const WeirDiagram *self, guint32 block, const char *port,
                                  gboolean is_output);
/* The pins that the node of a line joins: "node of R1.n, C1.p". (transfer full) */
char *weir_scene_describe_node (WeirScene *self, guint32 line);
/* "pin p, electrical, node of R1.p, C1.p"; "pin p, electrical, not connected". (transfer full) */
char *weir_scene_describe_pin (WeirScene *self, guint32 block, const WeirPortShape *pin);
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

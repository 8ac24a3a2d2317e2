/* Completion: from a model to a system that can run, with every problem found on the way.
 *
 * Each Subsystem becomes a diagram, each other block a leaf; a block's path in the layout is its path
 * in the model ("plant.sum"). Sizes are propagated along the wires. All problems are reported at
 * once; with an error there is no system. Thread: *any*.
 *
 * Codes: NET01 input wired twice, NET02 unconnected input, NET03 sizes differ, NET04 algebraic loop,
 * NET06 dangling wire, NET07 unknown port, NET08 unknown block type, NET09 bad name, PAR02 bad
 * parameter text, PAR03 unknown parameter, SET01 bad run setting.
 */
#pragma once

#include <gio/gio.h>

#include "model/model.h"
#include "system/system.h"

G_BEGIN_DECLS

/* NULL if @diagnostics has errors. (transfer full) */
WeirSystem *weir_model_complete (WeirModel *model, WeirDiagnostics *diagnostics);
/* The same of a model in @file: names of files in it are looked for beside it. @file: (nullable) */
WeirSystem *weir_model_complete_beside (WeirModel *model, GFile *file,
                                        WeirDiagnostics *diagnostics);

/* What is logged without --log: the path of every scope input ("Scope.in1"), then every output of the
 * root. NULL-terminated. (transfer full) */
char **weir_model_dup_default_log (WeirModel *model);

/* The sizes of signals where they are known: a table from the id of a wire (GUINT_TO_POINTER) to its size.
 * Wires anywhere in the model. (transfer full) */
GHashTable *weir_model_dup_signal_sizes (WeirModel *model);

/* The paths of blocks that break rules on purpose ("cache lab"). NULL-terminated. (transfer full) */
char **weir_model_dup_diagnostic_blocks (WeirModel *model);

/* The name of a recorded signal for people: of an input ("Scope.in1", "Scope.in1[2]") the port that
 * drives it ("Pendulum.theta"), of anything else the path itself. (transfer full) */
char *weir_model_dup_signal_name (WeirModel *model, const char *path);

/* A parameter of a block that a running context can take over without rebuilding. FALSE if it shapes
 * the block. @leaf_parameter: name of the leaf's numeric parameter. */
gboolean weir_model_is_tunable (const WeirBlock *block, const char *parameter, const char **leaf_parameter);

G_END_DECLS

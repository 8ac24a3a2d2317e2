/* Model files (*.weir) as systems that can run.
 *
 * Thread: an object belongs to one thread at a time; the system is *immutable*.
 */
#pragma once

#include "base/diagnostic.h"
#include "base/visibility.h"
#include "sim/simulator.h"

WEIR_BEGIN_DECLS

typedef struct _WeirModelFile WeirModelFile;

/* Reads a file and completes its model: sizes, units, equations, loops. @diagnostics: what there is
 * to say of it, with file, line and block, is added. NULL if that has errors. (transfer full) */
WeirModelFile *weir_model_file_open (const char *path, WeirDiagnostics *diagnostics);
/* Frees it; the system stays with whoever has a reference. */
void weir_model_file_free (WeirModelFile *self);

/* The system: a block's path in its layout is its path in the model. (transfer none) */
WeirSystem *weir_model_file_get_system (const WeirModelFile *self);
/* What the file says of how it is to be run: all of @options is set. @stop_time (nullable): s. */
void weir_model_file_get_options (const WeirModelFile *self, WeirSimulatorOptions *options,
                                  double *stop_time);
/* The ports that are recorded by default, those of its scopes and root outputs, as
 * weir_recorder_new() takes them. (transfer full) */
char **weir_model_file_dup_recorded_ports (const WeirModelFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirModelFile, weir_model_file_free)

WEIR_END_DECLS

/* The blocks of the library as systems, for diagrams that a program builds.
 *
 * What there is, `weir blocks` lists, with parameters, ports and units. Thread: *any*.
 */
#pragma once

#include "base/visibility.h"
#include "system/structure/types.h"

WEIR_BEGIN_DECLS

/* The types that there are: "Gain", "Integrator", ... Static. */
guint weir_library_get_n_blocks (void);
const char *weir_library_get_block_name (guint i);

/* A block of @type. @parameters (nullable): names and texts in turn, as a model file has them, and
 * a NULL: { "gain", "2", NULL }; the others have their defaults. @input_sizes (nullable): how many
 * values each input has; NULL: what the input insists on, else 1. Parameters that can change while
 * running are found by weir_layout_find_parameter(). NULL and @error for a type that there is not,
 * or that only a model file can hold (Subsystem, In, Out), and for parameters and sizes that it
 * refuses. (transfer full) */
WeirSystem *weir_library_block_new (const char *type, const char *const *parameters,
                                    const guint *input_sizes, GError **error);

WEIR_END_DECLS

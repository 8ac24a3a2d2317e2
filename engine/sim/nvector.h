/* Weir's operations for SUNDIALS vectors.
 *
 * Debian's SUNDIALS is compiled without optimisation; on 2 000 states its own vector operations
 * cost eight times the rest of a step. A vector made here is a serial one whose arithmetic is
 * replaced by numerics/vector.h; clones copy the table of operations, so that a solver's whole
 * history uses it.
 */
#pragma once

#include <nvector/nvector_serial.h>

#include <glib.h>

G_BEGIN_DECLS

/* A view of @data (borrowed), n values. NULL if out of memory. */
N_Vector weir_nvector_new (gsize n, double *data, SUNContext context);

G_END_DECLS

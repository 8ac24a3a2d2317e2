/* Colouring the columns of a sparse square pattern so that no two of one colour share a row
 * (Curtis, Powell & Reid, J. Inst. Maths Applics 13, 1974): their differences can be taken
 * together.
 */
#pragma once

#include "numerics/rows.h"
#include "system/layout/sparsity.h"

G_BEGIN_DECLS

/* Greedy, in the order of columns: a band needs as many colours as it is wide. @pattern: a
 * compressed row for each column, ascending. @colours: n values. Returns how many there are. */
guint weir_colour_columns (const WeirRows *pattern, guint32 *colours);

G_END_DECLS

/* The programs in the data of a leaf that is made of equations, for those who write them as C.
 * Thread: *any*; immutable.
 */
#pragma once

#include "blocks/types/function-names.h"

G_BEGIN_DECLS

/* Is @calc the function that all such leaves share? */
gboolean weir_equations_is_calc (WeirAnyFunction calc);
/* Where they are in the data: guint32, bytes, ascending. @has_phases: the leaf has. (transfer full)
 */
GArray *weir_equations_list_programs (gconstpointer data, gboolean has_phases);
/* Doubles that a run of any of them needs at most, with what is solved for. */
gsize weir_equations_get_work_size (gconstpointer data, gboolean has_phases);

G_END_DECLS

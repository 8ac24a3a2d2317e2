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
/* Does what entry @local of the leaf computes move with what it reads in a way that its programs
 * tell: are they all plain values, or solved for? */
gboolean weir_equations_has_tangent (gconstpointer data, guint local);
/* Of the program at @offset the outputs, from the first on, that such entries are made of. 0: none
 * are. */
guint weir_equations_count_moving (gconstpointer data, guint32 offset);
/* Doubles that a run of any of them needs at most, with what is solved for. */
gsize weir_equations_get_work_size (gconstpointer data, gboolean has_phases);

G_END_DECLS

/* What a leaf's calculations have of code made at run time.
 *
 * A leaf whose calculations follow from its data, as those of equations do, makes code of them
 * once; it belongs to the leaf, and all contexts share it.
 */
#pragma once

#include "system/evaluation/calc.h"

G_BEGIN_DECLS

/* What @make makes of the leaf's data (weir_leaf_set_data()), when it is first asked for, by one
 * thread; freed by @free with the leaf. NULL: this context computes without, or somebody observes
 * what is read. Thread: *owner* of the context. */
gpointer weir_calc_get_native (const WeirCalc *c, gpointer (*make) (gconstpointer data, gsize size),
                               GDestroyNotify free);

G_END_DECLS

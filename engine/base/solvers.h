/* The solvers that there are, by name: what a model's settings may say (model/tree/settings.c) and
 * what there is in sim (sim/solver.c) are this one list, which stands in meson.build here.
 *
 * Thread: *immutable*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* In the order in which people meet them; ends in NULL. */
extern const char *const weir_solver_names[];

G_END_DECLS

/* A system as a unit: it is run by a simulator of its own, in a context of its own.
 *
 * The system's inputs, of numbers, become the unit's, held during each step; its outputs become the
 * unit's, as they are when a step has ended. Inside, it keeps its own solver, tolerances and steps;
 * communication instants are to it the end of a run that goes on later.
 *
 * Thread: *any*.
 */
#pragma once

#include "base/visibility.h"
#include "sim/simulator.h"
#include "system/structure/system.h"

WEIR_BEGIN_DECLS

/* A unit's leaf. @options: of its simulator, copied. @n_steps, @place: weir_leaf_set_unit(). NULL
 * and @error where a port has no numbers, or the options make no sense. (transfer full) */
WeirSystem *weir_inner_unit_new (WeirSystem *system, const WeirSimulatorOptions *options,
                                 guint n_steps, int place, GError **error);

WEIR_END_DECLS

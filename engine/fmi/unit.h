/* An FMU for co-simulation as a unit, which makes its own steps (system/structure/unit.h).
 *
 * Inputs, outputs and parameters of the FMU are those of the unit, by the same names; integers,
 * Booleans and enumerations are doubles, strings and binaries at ports abstract values. A step sets
 * what has changed, steps, and gets the outputs, in one exchange with the worker. Where an FMU
 * of 3.0 has event mode, what changes at events only is set there; an event that it meets within a
 * step, or ends a step early for, is gone through there and then, and the step goes on to its end.
 * So are the ticks of its clocks, which are mapped as for model exchange: those with times of their
 * own where they tick within the step, those that a signal triggers where the step begins that sees
 * it, those that are outputs in every event. An FMU that asks for the end of the run gets it at the
 * end of the step.
 *
 * Its state is saved as the FMU's own bytes. An FMU that offers none is brought back by repeating
 * all its steps from the start in a new instance, which must then give the bits that it gave.
 *
 * Thread: *any*; see system/structure/unit.h for instances.
 */
#pragma once

#include "fmi/leaf.h"

G_BEGIN_DECLS

/* @n_steps: how many of the master's one of its own is. No binary is run yet. NULL and @error,
 * WEIR_ERROR_INVALID: the FMU is of a kind that cannot be run so, or a start makes no sense.
 * (transfer full) */
WeirSystem *weir_fmu_unit_new (const WeirFmuDescription *description,
                               const WeirFmuLeafOptions *options, guint n_steps, GError **error);

G_END_DECLS

/* Trim: the state and free inputs for which every derivative is zero and chosen outputs have given
 * values.
 *
 * Newton's method with a damped step; the linear systems are solved by a QR factorisation with
 * column pivoting, so that what the conditions leave open is found, named and kept as it was.
 * Discrete states and time are held.
 *
 * Thread: *owner*.
 */
#pragma once

#include "analysis/operating-point.h"

G_BEGIN_DECLS

typedef struct {
  const gboolean *held_states;   /* by state: keeps its value; NULL = none does */
  const gboolean *moving_states; /* by state: its derivative may be anything; NULL = of none */
  const gboolean *free_inputs;   /* by input: to be found; NULL = all keep their values */
  const double *outputs;         /* by output: the value it is to have, NAN = any; NULL = any */
} WeirTrimConditions;

/* Moves @point, where the search begins, to a point that fulfils the conditions. @notes:
 * (element-type utf8) what is worth knowing, such as unknowns that nothing determines, is appended.
 * FALSE, @error and
 * @point as it was where there is none: the sentence says how many conditions stand against how
 * many unknowns, and which is worst. */
gboolean weir_trim (WeirOperatingPoint *point, const WeirTrimConditions *conditions,
                    GPtrArray *notes, GError **error);

G_END_DECLS

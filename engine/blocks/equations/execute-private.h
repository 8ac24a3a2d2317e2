/* What the files share that run the programs of an Equations block: execute.c its values,
 * execute-delays.c its past, execute-events.c what happens to it. Thread: *owner*.
 */
#pragma once

#include "blocks/equations/equations-private.h"

G_BEGIN_DECLS

/* What the leaf's data hold at an offset. */
static inline gconstpointer
weir_equations_at (const WeirEquationsData *data, guint32 offset)
{
  return (const char *) data + offset;
}

/* Of the computations there, the one that is under way. */
static inline const WeirComputation *
weir_equations_get_computation (const WeirCalc *c, const WeirEquationsData *data,
                                guint32 computations)
{
  return (const WeirComputation *) weir_equations_at (data, computations) + weir_calc_get_index (c);
}

/* Room for @size values, this thread's own; what it held is lost. */
double *weir_equations_get_scratch (gsize size);

/* As weir_calc_fail_element(); G_MAXUINT: none in particular. Lines of other texts are told by
 * their names. */
WeirStatus weir_equations_fail (const WeirCalc *c, const WeirEquationsData *data, guint element,
                                const char *format, ...) G_GNUC_PRINTF (4, 5);

/* Reads operands. @own: the results of the computation so far, or NULL. */
void weir_equations_gather (const WeirCalc *c, const WeirOperand *operands, guint n,
                            const double *own, double *in);
/* Events declare nothing: what they read may still have to be computed, which needs the scratch
 * itself. To be called before it is taken. */
void weir_equations_evaluate (const WeirCalc *c, const WeirOperand *operands, guint n);
/* Values that are no numbers although everything read is: says where they arise. */
WeirStatus weir_equations_check_values (const WeirCalc *c, const WeirEquationsData *data,
                                        const WeirPart *part, const double *in,
                                        const double *values, double *work);

/* The values of the delayed @part and of what is before the start, which follows it, into @own. */
WeirStatus weir_equations_execute_delayed (const WeirCalc *c, const WeirEquationsData *data,
                                           const WeirPart *part, double *own);

G_END_DECLS

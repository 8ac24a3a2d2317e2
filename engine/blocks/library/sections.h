/* Filters as cascades of sections: linear systems of one input and one output by their zeros and
 * poles, applied to each element of a signal alone.
 *
 * A cascade of sections of first and second order keeps its accuracy where the coefficients of one
 * large polynomial lose theirs. Roots are listed by halves: one with a positive imaginary part
 * stands for itself and its conjugate.
 */
#pragma once

#include "blocks/types/family.h"

G_BEGIN_DECLS

typedef struct {
  double re, im; /* im > 0: and the conjugate; im = 0: real; never negative */
} WeirFilterRoot;

/* (s or z) -> factor * product (s - zero) / product (s - pole). The factor is the parameter
 * "gain" of the block, tunable, times @factor.
 * @zeros, @poles: of WeirFilterRoot, by halves; no more zeros than poles, one pole at least. */
typedef struct {
  const GArray *zeros, *poles;
  double factor;
} WeirZeroPole;

/* How many roots the halves stand for. */
guint weir_roots_count (const GArray *roots);

/* The leaf with input "u" and output "y" of @size elements. Discrete: by the parameters "period"
 * and "offset". (transfer full) */
WeirSystem *weir_sections_build (const WeirArguments *arguments, const WeirZeroPole *zero_pole,
                                 guint size, GError **error);

/* Of the types built so; of those that are sampled. */
extern const WeirPosition weir_sections_positions[], weir_sections_sampled_positions[];

G_END_DECLS

/* References of compiled equation programs: the same expressions in C, compiled at -O2, one set of
 * inputs a call or many. */
#pragma once

#include <stddef.h>

#define REFERENCE_N_EXPRESSIONS 3

double reference_expression (unsigned which, double x, double y);
void reference_expression_wide (unsigned which, const double *x, const double *y, double *out,
                                size_t n);

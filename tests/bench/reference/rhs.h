/* Reference right-hand sides in plain C, in their own unit compiled with -O2. */
#pragma once

#include <stdint.h>

/* x: x, x' */
void reference_van_der_pol (double mu, const double *x, double *xdot);

/* The chain of diagrams.h. Leaf order: p_0 v_0 p_1 v_1 ...; split: all positions, then all
 * velocities. */
void reference_chain_leaf_order (uint32_t n, const double *k, const double *c, const double *x,
                                 double *xdot);
void reference_chain_split (uint32_t n, const double *k, const double *c, const double *x,
                            double *xdot);

/* The rod of diagrams.h: x_i' = k (x_i-1 - 2 x_i + x_i+1) between ends that are 0. */
void reference_rod (uint32_t n, double k, const double *x, double *xdot);

double reference_gain (double k, double u);

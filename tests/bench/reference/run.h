/* Whole runs in plain C: Dormand-Prince 5(4) with the step control of Hairer, Norsett & Wanner, as
 * one would write it for a model of a few states. */
#pragma once

#include <stdint.h>

#define REFERENCE_MAX_STATES 4

typedef void (*ReferenceRhs) (const double *x, double *xdot);

/* x'' = 1.5 (1 - x^2) x' - x; theta'' = -9.81 sin theta - 0.1 theta'; Lorenz with 10, 28, 8/3. */
void reference_run_van_der_pol (const double *x, double *xdot);
void reference_run_pendulum (const double *x, double *xdot);
void reference_run_lorenz (const double *x, double *xdot);

/* From 0 to @until, @x being the start and the end. Returns how many steps it took. */
uint64_t reference_dormand_prince (ReferenceRhs rhs, uint32_t n, double *x, double until,
                                   double relative, double absolute);

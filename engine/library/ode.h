/* A model as a system of ordinary differential equations for any solver: the interface of libweir
 * to programs that know nothing of it, in plain C types.
 *
 *   xdot = f (t, x)
 *
 * All continuous state is one vector, leaf by leaf; weir_ode_rhs() reads the caller's, writes the
 * caller's and allocates nothing. Discrete states and modes are what they are after initialisation;
 * events in the course of time are for weir_simulator_advance_to(). data/examples/c shows CVODE and
 * scipy.solve_ivp driving it.
 *
 * Thread: an object belongs to one thread at a time; several objects are independent.
 */
#pragma once

#include <stddef.h>

#include "base/visibility.h"

WEIR_BEGIN_DECLS

typedef struct _WeirOde WeirOde;

/* Reads and initialises a model file. NULL if that fails, and why in @message, which holds @size
 * bytes (cut short to fit, always terminated; NULL = not wanted). */
WeirOde *weir_ode_open (const char *file, char *message, size_t size);
void weir_ode_close (WeirOde *ode); /* NULL is fine */

/* The number of states. */
size_t weir_ode_get_n (const WeirOde *ode);
/* "Motor.Coil"; NULL beyond the last. Valid while @ode is. */
const char *weir_ode_get_name (const WeirOde *ode, size_t i);
/* Where the first states of the block at @path are in the vector, and how many it and what is
 * within it have. 0, or 1 if there is no such block or it has none. */
int weir_ode_find_block (const WeirOde *ode, const char *path, size_t *offset, size_t *n);

/* The time (s) and the n states with which the model begins. */
double weir_ode_get_start (const WeirOde *ode, double *x);
/* xdot = f (t, x), n values each. @ode: a WeirOde, typed so that the function can be handed to a
 * solver as it is. 0, or 1 where the model has no value: a solver may try a shorter step. */
int weir_ode_rhs (double t, const double *x, double *xdot, void *ode);
/* Why the last evaluation failed, or NULL. Valid until the next one. */
const char *weir_ode_get_failure (const WeirOde *ode);

WEIR_END_DECLS

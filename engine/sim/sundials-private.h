/* What the solvers of SUNDIALS share: its context, vectors, messages, the call of the right-hand
 * side and the linear systems of the implicit ones.
 *
 * SUNDIALS may hand the right-hand side our array or one of its own; the pointer that it hands over
 * is what is evaluated. Its default messages go to standard error; ours are kept for the sentence.
 */
#pragma once

#include "sim/jacobian-private.h"
#include "sim/nvector.h"
#include "sim/solver-private.h"

G_BEGIN_DECLS

typedef struct _WeirSundials WeirSundials;
struct _WeirSundials {
  WeirSolver base; /* x: the array of the vector x */
  guint n_extra;   /* unknowns after the states */
  SUNContext context;
  void *memory; /* of the integrator */
  int (*get_weights) (void *memory, N_Vector weights);
  int (*get_errors) (void *memory, N_Vector errors);
  N_Vector x, probe, weight;   /* probe: for reading results */
  WeirStateJacobian *jacobian; /* NULL: no linear systems */
  SUNMatrix matrix;
  SUNLinearSolver linear;
  char message[256]; /* the last */
  double *values;    /* of the vectors */
};

/* The context and the vectors; FALSE if out of memory. @base must be set. */
gboolean weir_sundials_init (WeirSundials *self);
/* The Jacobian, a matrix and a linear solver. */
gboolean weir_sundials_init_linear (WeirSundials *self, const char *name, GError **error);
/* Not the integrator's memory, which is to be freed before. */
void weir_sundials_clear (WeirSundials *self);

/* Callbacks; user data: the WeirSundials. */
int weir_sundials_rhs (realtype t, N_Vector x, N_Vector xdot, void *data);
void weir_sundials_note_message (int code, const char *module, const char *function, char *message,
                                 void *data);
/* What a callback returns where the model has no value: positive, for a smaller step may help, or
 * negative to give up. */
int weir_sundials_get_failure_code (const WeirSundials *self);
/* @matrix = I - @gamma J, with a new J unless @is_jacobian_ok. @is_jacobian_new: (out) */
int weir_sundials_linear_system (WeirSundials *self, realtype t, N_Vector x, N_Vector xdot,
                                 SUNMatrix matrix, booleantype is_jacobian_ok,
                                 booleantype *is_jacobian_new, realtype gamma);

/* The state with the largest weighted local error; G_MAXUINT if that is not known. */
guint weir_sundials_find_limiting_state (WeirSolver *self);
/* Says why @name could not be set up: @found (nullable, transfer full), or what the library told
 * last. */
void weir_sundials_fail_set_up (const WeirSundials *self, const char *name, GError *found,
                                GError **error);
/* The step vanished beside the time: says so. Returns FALSE. */
gboolean weir_sundials_fail_at_wall (WeirSundials *self, GError **error);

G_END_DECLS

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

/* BDF damps, so on an oscillation the errors of its steps have one sign and add up: the pendulum
 * of 90 degrees ends, after four periods, 3e-6 off at a tolerance of 1e-9. Each step is held to
 * a tenth. */
#define WEIR_BDF_TOLERANCE_SHARE 0.1

/* Of one step. Where something turns on within it, or begins at rest with a long first step, the
 * seven or ten trials that they make by themselves do not find the length that it takes. */
#define WEIR_MAX_ERROR_TEST_FAILS 50

/* What CVODE, ARKODE and IDA each call by names of their own. @memory: the integrator's. Their
 * codes of success (0) and of a stop time reached (1) are the same. */
typedef struct {
  const char *(*explain) (int flag);
  gboolean (*has_limiting_state) (int flag); /* is a state to blame, and do estimates tell which? */
  int illegal_input;                         /* what its message is worth telling with */
  int (*get_weights) (void *memory, N_Vector weights);
  int (*get_errors) (void *memory, N_Vector errors);
  int (*get_time) (void *memory, realtype *t);
  int (*set_longest_step) (void *memory, realtype h); /* 0: any */
  int (*get_step) (void *memory, realtype *h);
  int (*get_derivative) (void *memory, realtype t, int order, N_Vector x);
  int (*get_n_error_fails) (void *memory, long *n);
  int (*get_n_solve_fails) (void *memory, long *n);
  int (*get_n_jacobians) (void *memory, long *n);
} WeirIntegrator;

typedef struct _WeirSundials WeirSundials;
struct _WeirSundials {
  WeirSolver base; /* x: the array of the vector x */
  guint n_extra;   /* unknowns after the states */
  SUNContext context;
  const WeirIntegrator *integrator;
  void *memory;                /* of the integrator */
  double longest_step;         /* s; that it was told; 0: none */
  long rejected, jacobians;    /* already counted since the integrator's counts were zero */
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
/* Says what went wrong by @flag. Returns FALSE. */
gboolean weir_sundials_fail (WeirSundials *self, int flag, GError **error);
/* Hands on how long the next step may be. Returns the integrator's code. */
int weir_sundials_limit_step (WeirSundials *self);
/* The end of a step that was to go to @t_max at most and came to @t with @flag: counts, moves the
 * time. FALSE and @error if the step failed or vanished beside the time. */
gboolean weir_sundials_end_step (WeirSundials *self, int flag, double t, double t_max,
                                 GError **error);
/* The dense output of the last step, as WeirSolverClass.interpolate has it. */
gboolean weir_sundials_interpolate (WeirSolver *self, double t, double *x, GError **error);

G_END_DECLS

/* What the solvers of SUNDIALS share: its context, vectors, messages, the call of the right-hand
 * side and the linear systems of the implicit ones.
 *
 * SUNDIALS may hand the right-hand side our array or one of its own; the pointer that it hands over
 * is what is evaluated. Its default messages go to standard error; ours are kept for the sentence.
 */
#pragma once

#include "sim/solver-private.h"
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <nvector/nvector_serial.h>

G_BEGIN_DECLS

/* --- Vectors --------------------------------------------------------------------------------- */

/* Debian's SUNDIALS is compiled without optimisation; on 2 000 states its own vector operations
 * cost eight times the rest of a step. A vector made here is a serial one whose arithmetic is
 * replaced by numerics/vector.h; clones copy the table of operations, so that a solver's whole
 * history uses it.
 *
 * A view of @data (borrowed), n values. NULL if out of memory. */
N_Vector weir_nvector_new (gsize n, double *data, SUNContext context);

/* --- Jacobian -------------------------------------------------------------------------------- */

/* The Jacobian df/dx of a model, and the linear systems of implicit methods.
 *
 * The pattern comes from the dependency graph (system/layout/sparsity.h). Derivatives that follow
 * from declared slopes are taken from them (system/evaluation/chain.h), the others, and all where
 * slopes have no value, from differences: columns that share no row have one colour
 * (numerics/rows.h) and are moved together, so that a Jacobian costs one right-hand side per
 * colour: three for a chain of any length. Its values are kept by columns; M = I - gamma J is
 * written into a matrix whose kind is chosen by size and pattern: dense where the model is small or
 * many entries are there, sparse (KLU) otherwise.
 *
 * Everything is allocated when it is made. Thread: *owner*.
 */

typedef enum {
  WEIR_JACOBIAN_DENSE,
  WEIR_JACOBIAN_SPARSE,
} WeirStateJacobianKind;

typedef struct _WeirJacobian WeirStateJacobian;

/* xdot = f(t, x): 0, positive if there is no value there, negative to give up. */
typedef int (*WeirRhsFunc) (double t, const double *x, double *xdot, gpointer data);

/* NULL and @error if the pattern is too large for memory. @name: the solver's. @is_open: with the
 * signals of algebraic loops as unknowns beside the states. */
WeirStateJacobian *weir_state_jacobian_new (const char *name, WeirProblem *problem,
                                            gboolean is_open, GError **error);
void weir_state_jacobian_free (WeirStateJacobian *self);

WeirStateJacobianKind weir_state_jacobian_get_kind (const WeirStateJacobian *self);
guint weir_state_jacobian_get_n_colours (const WeirStateJacobian *self);
/* Right-hand sides that a Jacobian takes where slopes have values. */
guint weir_state_jacobian_get_n_differences (const WeirStateJacobian *self);
/* df_i/dx_j as last computed; 0 outside the pattern. */
double weir_state_jacobian_get (const WeirStateJacobian *self, guint i, guint j);

/* J at (t, x), where f is @xdot. @weight: error weights; @step: s, about the length of a step; both
 * size the increments. What @rhs returned. */
int weir_state_jacobian_calc (WeirStateJacobian *self, WeirRhsFunc rhs, gpointer data, double t,
                              const double *x, const double *xdot, const double *weight,
                              double step);

/* A matrix for M and a solver for it; NULL if out of memory. */
SUNMatrix weir_state_jacobian_new_matrix (const WeirStateJacobian *self, SUNContext sundials);
SUNLinearSolver weir_state_jacobian_new_linear_solver (const WeirStateJacobian *self, N_Vector x,
                                                       SUNMatrix matrix, SUNContext sundials);
/* @matrix = @unit I + @scale J, with the I of the states. */
void weir_state_jacobian_write (const WeirStateJacobian *self, double unit, double scale,
                                SUNMatrix matrix);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirStateJacobian, weir_state_jacobian_free)

/* --- Solvers --------------------------------------------------------------------------------- */

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
  guint n_young;               /* steps from the restart on that may vanish beside the time */
  gboolean has_vanished;       /* the step is made of such */
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
/* @absolute times the nominals of the states, and times 1 of what else is unknown. To be copied. */
N_Vector weir_sundials_list_tolerances (WeirSundials *self, double absolute);
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
/* Before each step: hands on how long it may be. Returns the integrator's code. */
int weir_sundials_begin_step (WeirSundials *self);
/* Soon after a restart steps of low order may have to be shorter than the time can tell: out of 0
 * with a steep slope, at a late time. Several such are one: TRUE where the integrator, which came
 * to @t with @flag, is to go on. */
gboolean weir_sundials_vanishes (WeirSundials *self, int flag, double t);
/* The end of a step that was to go to @t_max at most and came to @t with @flag: counts, moves the
 * time. FALSE and @error if the step failed or vanished beside the time. */
gboolean weir_sundials_end_step (WeirSundials *self, int flag, double t, double t_max,
                                 GError **error);
/* The dense output of the last step, as WeirSolverClass.interpolate has it. */
gboolean weir_sundials_interpolate (WeirSolver *self, double t, double *x, GError **error);

G_END_DECLS

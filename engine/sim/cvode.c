/* The solvers of SUNDIALS' CVODE: Adams with fixed-point iteration, and BDF with Newton's method on
 * a dense Jacobian of difference quotients.
 *
 * The state vector is wrapped in an N_Vector with Weir's own operations (nvector.h). CVODE may hand
 * the right-hand side that array or one of its own; the pointer it hands over is what is evaluated.
 * Every step has a stop time, so that no internal step passes the next event. A restart is a
 * reinitialisation: order 1, a new first step.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "sim/nvector.h"
#include "sim/solver-private.h"
#include "sim/vector.h"

/* BDF damps, so on an oscillation the errors of its steps have one sign and add up: the pendulum
 * of 90 degrees ends, after four periods, 3e-6 off at a tolerance of 1e-9. Each step is held to
 * a tenth. */
#define BDF_TOLERANCE_SHARE 0.1

typedef struct {
  WeirSolver base;
  SUNContext sundials;
  void *cvode;
  N_Vector x, probe, weight; /* probe: a second vector for reading results */
  SUNNonlinearSolver nonlinear;
  SUNMatrix jacobian;
  SUNLinearSolver linear;
  long rejected, jacobians; /* already counted since the last restart */
  char message[256];        /* CVODE's last */
  char failure[512];        /* why the model had no value; the context forgets at its next success */
  double failure_time;      /* s */
  double *memory;
} Cvode;

const char *
weir_cvode_explain (int flag)
{
  switch (flag)
    {
    case CV_TOO_MUCH_WORK:
      return "CVODE took too many internal steps (the model is stiff or chatters)";
    case CV_TOO_MUCH_ACC:
      return "the tolerance asks for more digits than a double has";
    case CV_ERR_FAILURE:
      return "the error test fails even with the smallest step: something changes too fast";
    case CV_CONV_FAILURE:
      return "the corrector iteration does not converge even with the smallest step";
    case CV_LINIT_FAIL:
      return "the linear solver could not be set up";
    case CV_LSETUP_FAIL:
      return "the Jacobian could not be computed or factorised";
    case CV_LSOLVE_FAIL:
      return "the linear solver failed";
    case CV_RHSFUNC_FAIL:
      return "the derivatives could not be computed";
    case CV_FIRST_RHSFUNC_ERR:
      return "the derivatives could not be computed at the start of the integration";
    case CV_REPTD_RHSFUNC_ERR:
      return "the derivatives could not be computed however small the step";
    case CV_UNREC_RHSFUNC_ERR:
      return "the derivatives could not be computed and no smaller step could be tried";
    case CV_RTFUNC_FAIL:
      return "a zero-crossing function could not be computed";
    case CV_NLS_INIT_FAIL:
      return "the corrector iteration could not be initialised";
    case CV_NLS_SETUP_FAIL:
      return "the corrector iteration could not be set up";
    case CV_CONSTR_FAIL:
      return "no step keeps the states within their constraints";
    case CV_NLS_FAIL:
      return "the corrector iteration failed";
    case CV_MEM_FAIL:
      return "CVODE ran out of memory";
    case CV_MEM_NULL:
    case CV_NO_MALLOC:
      return "CVODE was used before it was set up";
    case CV_ILL_INPUT:
      return "CVODE refused its input";
    case CV_BAD_K:
    case CV_BAD_T:
    case CV_BAD_DKY:
      return "a value was asked for outside the last step";
    case CV_TOO_CLOSE:
      return "the next event is too close to be told from the present time";
    case CV_VECTOROP_ERR:
      return "a vector operation failed";
    case CV_PROJ_MEM_NULL:
    case CV_PROJFUNC_FAIL:
    case CV_REPTD_PROJFUNC_ERR:
      return "the state could not be projected back to its manifold";
    case CV_CONTEXT_ERR:
      return "objects of two SUNDIALS contexts were mixed";
    default:
      return "CVODE failed for an unknown reason";
    }
}

/* Is a state to blame, and are there error estimates that tell which? */
static gboolean
has_limiting_state (int flag)
{
  return flag == CV_TOO_MUCH_WORK || flag == CV_TOO_MUCH_ACC || flag == CV_ERR_FAILURE
         || flag == CV_CONV_FAILURE || flag == CV_LSETUP_FAIL || flag == CV_LSOLVE_FAIL
         || flag == CV_CONSTR_FAIL || flag == CV_NLS_FAIL;
}

static gboolean
fail (Cvode *self, int flag, GError **error)
{
  WeirProblem *problem = self->base.problem;
  const char *what = weir_cvode_explain (flag);
  g_autofree char *text = NULL;
  guint state = G_MAXUINT;
  double t = self->base.t;

  CVodeGetCurrentTime (self->cvode, &t);
  if (has_limiting_state (flag) && CVodeGetEstLocalErrors (self->cvode, self->probe) == CV_SUCCESS
      && CVodeGetErrWeights (self->cvode, self->weight) == CV_SUCCESS)
    state = weir_problem_find_limiting_state (problem, N_VGetArrayPointer (self->probe),
                                              N_VGetArrayPointer (self->weight));
  else if ((flag == CV_ILL_INPUT || flag == CV_UNRECOGNIZED_ERR) && self->message[0] != '\0')
    text = g_strdup_printf ("%s (%s)", what, self->message);
  return weir_problem_fail (problem, error, t, state, text != NULL ? text : what);
}

/* Positive: a smaller step may help; negative: give up. */
static int
evaluate (realtype t, N_Vector x, N_Vector xdot, void *data)
{
  Cvode *self = data;
  WeirProblem *problem = self->base.problem;
  const char *why;

  if (weir_problem_rhs (problem, t, N_VGetArrayPointer (x), N_VGetArrayPointer (xdot)) == WEIR_OK)
    return 0;
  if (weir_problem_is_cancelled (problem))
    return -1;
  why = weir_context_get_failure (problem->context);
  g_strlcpy (self->failure, why != NULL ? why : "", sizeof self->failure);
  self->failure_time = t;
  return 1;
}

/* J by difference quotients, column by column, with increments like those of CVODE's own
 * function, which allocates at each call. */
static int
evaluate_jacobian (realtype t, N_Vector x, N_Vector xdot, SUNMatrix jacobian, void *data,
                   N_Vector moved, N_Vector moved_xdot, N_Vector weight)
{
  Cvode *self = data;
  gsize n = self->base.problem->n;
  double *at = N_VGetArrayPointer (moved);
  const double *w = N_VGetArrayPointer (weight);
  double gamma = 0, norm, least;
  int flag = 0;

  if (CVodeGetErrWeights (self->cvode, weight) != CV_SUCCESS
      || CVodeGetCurrentGamma (self->cvode, &gamma) != CV_SUCCESS)
    return -1;
  norm = N_VWrmsNorm (xdot, weight);
  /* gamma is the step times a number between 0.4 and 1. */
  least = norm != 0 ? 1000 * fabs (gamma) * DBL_EPSILON * (double) n * norm : 1;
  memcpy (at, N_VGetArrayPointer (x), n * sizeof *at);
  for (gsize j = 0; j < n && flag == 0; j++)
    {
      double kept = at[j];

      at[j] += fmax (sqrt (DBL_EPSILON) * fabs (kept), least / w[j]);
      flag = evaluate (t, moved, moved_xdot, data);
      if (flag == 0)
        {
          double scale = 1 / (at[j] - kept); /* the increment as it was rounded */

          weir_vector_linear_sum (n, scale, N_VGetArrayPointer (moved_xdot), -scale,
                                  N_VGetArrayPointer (xdot),
                                  SUNDenseMatrix_Column (jacobian, (sunindextype) j));
        }
      at[j] = kept;
    }
  return flag;
}

static void
keep_message (G_GNUC_UNUSED int code, G_GNUC_UNUSED const char *module,
              G_GNUC_UNUSED const char *function, char *message, void *data)
{
  Cvode *self = data;

  g_strlcpy (self->message, message, sizeof self->message);
  g_strdelimit (self->message, "\n", ' ');
}

static void
cvode_free (WeirSolver *base)
{
  Cvode *self = (Cvode *) base;

  if (self->cvode != NULL)
    CVodeFree (&self->cvode);
  if (self->nonlinear != NULL)
    SUNNonlinSolFree (self->nonlinear);
  if (self->linear != NULL)
    SUNLinSolFree (self->linear);
  if (self->jacobian != NULL)
    SUNMatDestroy (self->jacobian);
  if (self->x != NULL)
    N_VDestroy (self->x);
  if (self->probe != NULL)
    N_VDestroy (self->probe);
  if (self->weight != NULL)
    N_VDestroy (self->weight);
  if (self->sundials != NULL)
    SUNContext_Free (&self->sundials);
  g_free (self->memory);
  g_free (self);
}

static gboolean
set_up_iteration (Cvode *self, gboolean is_bdf)
{
  guint n = self->base.problem->n;

  if (!is_bdf)
    {
      self->nonlinear = SUNNonlinSol_FixedPoint (self->x, 0, self->sundials);
      return self->nonlinear != NULL
             && CVodeSetNonlinearSolver (self->cvode, self->nonlinear) == CV_SUCCESS;
    }
  self->jacobian = SUNDenseMatrix ((sunindextype) n, (sunindextype) n, self->sundials);
  if (self->jacobian == NULL)
    return FALSE;
  self->linear = SUNLinSol_Dense (self->x, self->jacobian, self->sundials);
  return self->linear != NULL
         && CVodeSetLinearSolver (self->cvode, self->linear, self->jacobian) == CV_SUCCESS
         && CVodeSetJacFn (self->cvode, evaluate_jacobian) == CV_SUCCESS;
}

static gboolean
set_up (Cvode *self, gboolean is_bdf)
{
  WeirProblem *problem = self->base.problem;
  double share = is_bdf ? BDF_TOLERANCE_SHARE : 1;
  gsize n = problem->n;

  self->memory = g_try_malloc0_n (3 * n, sizeof (double));
  if (self->memory == NULL || SUNContext_Create (NULL, &self->sundials) != 0)
    return FALSE;
  self->base.x = self->memory;
  self->x = weir_nvector_new (n, self->memory, self->sundials);
  self->probe = weir_nvector_new (n, self->memory + n, self->sundials);
  self->weight = weir_nvector_new (n, self->memory + 2 * n, self->sundials);
  if (self->x == NULL || self->probe == NULL || self->weight == NULL)
    return FALSE;
  self->cvode = CVodeCreate (is_bdf ? CV_BDF : CV_ADAMS, self->sundials);
  return self->cvode != NULL && CVodeSetErrHandlerFn (self->cvode, keep_message, self) == CV_SUCCESS
         && CVodeInit (self->cvode, evaluate, 0, self->x) == CV_SUCCESS
         && CVodeSStolerances (self->cvode, share * problem->relative_tolerance,
                               share * problem->absolute_tolerance)
                == CV_SUCCESS
         && CVodeSetUserData (self->cvode, self) == CV_SUCCESS
         && CVodeSetMaxHnilWarns (self->cvode, -1) == CV_SUCCESS
         && (problem->max_step == (double) INFINITY
             || CVodeSetMaxStep (self->cvode, problem->max_step) == CV_SUCCESS)
         && set_up_iteration (self, is_bdf);
}

static WeirSolver *
cvode_make (const WeirSolverInfo *info, WeirProblem *problem, GError **error)
{
  gboolean is_bdf = g_str_equal (info->name, "cvode-bdf");
  Cvode *self;

  if (is_bdf && problem->n > WEIR_MAX_DENSE_STATES)
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                   "%s keeps a full Jacobian and takes at most %u states, but the model has %u; "
                   "choose cvode-adams or dormand-prince",
                   info->name, WEIR_MAX_DENSE_STATES, problem->n);
      return NULL;
    }
  self = g_new0 (Cvode, 1);
  self->base.class = &weir_cvode_class;
  self->base.problem = problem;
  self->base.is_multistep = TRUE;
  if (!set_up (self, is_bdf))
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_FAILED, "%s cannot be set up for %u states%s%s",
                   info->name, problem->n, self->message[0] != '\0' ? ": " : "", self->message);
      cvode_free (&self->base);
      return NULL;
    }
  return &self->base;
}

static gboolean
cvode_restart (WeirSolver *base, double t, const double *x, GError **error)
{
  Cvode *self = (Cvode *) base;
  int flag;

  memmove (base->x, x, base->problem->n * sizeof *x);
  base->t = base->t_previous = t;
  self->rejected = self->jacobians = 0;
  flag = CVodeReInit (self->cvode, t, self->x);
  return flag == CV_SUCCESS || fail (self, flag, error);
}

static void
count (Cvode *self)
{
  WeirSimulatorStatistics *statistics = self->base.problem->statistics;
  long error_fails = 0, solve_fails = 0, jacobians = 0;

  CVodeGetNumErrTestFails (self->cvode, &error_fails);
  CVodeGetNumStepSolveFails (self->cvode, &solve_fails);
  if (self->linear != NULL)
    CVodeGetNumJacEvals (self->cvode, &jacobians);
  statistics->rejected_steps += (guint64) (error_fails + solve_fails - self->rejected);
  statistics->jacobians += (guint64) (jacobians - self->jacobians);
  self->rejected = error_fails + solve_fails;
  self->jacobians = jacobians;
}

/* CVODE only warns when its step vanishes beside the time, and goes on for ever. */
static gboolean
check_progress (Cvode *self, GError **error)
{
  WeirSolver *base = &self->base;
  WeirProblem *problem = base->problem;
  double h = 0;
  g_autofree char *text = NULL;

  CVodeGetLastStep (self->cvode, &h);
  if (h >= 16 * DBL_EPSILON * fabs (base->t) && base->t > base->t_previous)
    return TRUE;
  if (self->failure[0] != '\0'
      && fabs (self->failure_time - base->t) <= 1e-9 * fmax (1, fabs (base->t)))
    {
      text = g_strdup_printf ("no step is small enough for the model to have a value (%s)",
                              self->failure);
      return weir_problem_fail (problem, error, base->t, G_MAXUINT, text);
    }
  CVodeGetEstLocalErrors (self->cvode, self->probe);
  CVodeGetErrWeights (self->cvode, self->weight);
  return weir_problem_fail (problem, error, base->t,
                            weir_problem_find_limiting_state (problem,
                                                              N_VGetArrayPointer (self->probe),
                                                              N_VGetArrayPointer (self->weight)),
                            "the step became too small for the tolerance");
}

static gboolean
cvode_step (WeirSolver *base, double t_max, GError **error)
{
  Cvode *self = (Cvode *) base;
  double t = base->t;
  int flag = CVodeSetStopTime (self->cvode, t_max);

  self->message[0] = '\0';
  if (flag == CV_SUCCESS)
    flag = CVode (self->cvode, t_max, self->x, &t, CV_ONE_STEP);
  count (self);
  if (flag < 0)
    return fail (self, flag, error);
  base->t_previous = base->t;
  base->t = flag == CV_TSTOP_RETURN ? t_max : t;
  return flag == CV_TSTOP_RETURN || check_progress (self, error);
}

static gboolean
cvode_interpolate (WeirSolver *base, double t, double *x, GError **error)
{
  Cvode *self = (Cvode *) base;
  int flag = CV_SUCCESS;

  if (t == base->t)
    memcpy (x, base->x, base->problem->n * sizeof *x);
  else if ((flag = CVodeGetDky (self->cvode, t, 0, self->probe)) == CV_SUCCESS)
    memcpy (x, N_VGetArrayPointer (self->probe), base->problem->n * sizeof *x);
  return flag == CV_SUCCESS || fail (self, flag, error);
}

const WeirSolverClass weir_cvode_class = {
  .make = cvode_make,
  .restart = cvode_restart,
  .step = cvode_step,
  .interpolate = cvode_interpolate,
  .free = cvode_free,
};

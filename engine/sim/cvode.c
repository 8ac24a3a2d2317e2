/* The solvers of SUNDIALS' CVODE: Adams with fixed-point iteration, and BDF with Newton's method on
 * a Jacobian of coloured differences (jacobian-private.h).
 *
 * Every step has a stop time, so that no internal step passes the next event. A restart is a
 * reinitialisation: order 1, a new first step.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "sim/sundials-private.h"

/* BDF damps, so on an oscillation the errors of its steps have one sign and add up: the pendulum
 * of 90 degrees ends, after four periods, 3e-6 off at a tolerance of 1e-9. Each step is held to
 * a tenth. */
#define BDF_TOLERANCE_SHARE 0.1

typedef struct {
  WeirSundials common; /* memory: of CVODE */
  SUNNonlinearSolver nonlinear;
  long rejected, jacobians; /* already counted since the last restart */
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
  WeirSundials *common = &self->common;
  const char *what = weir_cvode_explain (flag);
  g_autofree char *text = NULL;
  guint state = G_MAXUINT;
  double t = common->base.t;

  CVodeGetCurrentTime (common->memory, &t);
  if (has_limiting_state (flag))
    state = weir_sundials_find_limiting_state (&common->base);
  else if ((flag == CV_ILL_INPUT || flag == CV_UNRECOGNIZED_ERR) && common->message[0] != '\0')
    text = g_strdup_printf ("%s (%s)", what, common->message);
  return weir_problem_fail (common->base.problem, error, t, state, text != NULL ? text : what);
}

static int
set_up_linear_system (realtype t, N_Vector x, N_Vector xdot, SUNMatrix matrix,
                      booleantype is_jacobian_ok, booleantype *is_jacobian_new, realtype gamma,
                      void *data, G_GNUC_UNUSED N_Vector room1, G_GNUC_UNUSED N_Vector room2,
                      G_GNUC_UNUSED N_Vector room3)
{
  return weir_sundials_linear_system (data, t, x, xdot, matrix, is_jacobian_ok, is_jacobian_new,
                                      gamma);
}

static void
cvode_free (WeirSolver *base)
{
  Cvode *self = (Cvode *) base;

  if (self->common.memory != NULL)
    CVodeFree (&self->common.memory);
  if (self->nonlinear != NULL)
    SUNNonlinSolFree (self->nonlinear);
  weir_sundials_clear (&self->common);
  g_free (self);
}

static gboolean
set_up_iteration (Cvode *self, const char *name, GError **error)
{
  WeirSundials *common = &self->common;

  if (!g_str_equal (name, "cvode-bdf"))
    {
      self->nonlinear = SUNNonlinSol_FixedPoint (common->x, 0, common->context);
      return self->nonlinear != NULL
             && CVodeSetNonlinearSolver (common->memory, self->nonlinear) == CV_SUCCESS;
    }
  return weir_sundials_init_linear (common, name, error)
         && CVodeSetLinearSolver (common->memory, common->linear, common->matrix) == CV_SUCCESS
         && CVodeSetLinSysFn (common->memory, set_up_linear_system) == CV_SUCCESS;
}

static gboolean
set_up (Cvode *self, const char *name, GError **error)
{
  WeirSundials *common = &self->common;
  WeirProblem *problem = common->base.problem;
  gboolean is_bdf = g_str_equal (name, "cvode-bdf");
  double share = is_bdf ? BDF_TOLERANCE_SHARE : 1;

  if (!weir_sundials_init (common))
    return FALSE;
  common->memory = CVodeCreate (is_bdf ? CV_BDF : CV_ADAMS, common->context);
  return common->memory != NULL
         && CVodeSetErrHandlerFn (common->memory, weir_sundials_note_message, self) == CV_SUCCESS
         && CVodeInit (common->memory, weir_sundials_rhs, 0, common->x) == CV_SUCCESS
         && CVodeSStolerances (common->memory, share * problem->relative_tolerance,
                               share * problem->absolute_tolerance)
                == CV_SUCCESS
         && CVodeSetUserData (common->memory, self) == CV_SUCCESS
         && CVodeSetMaxHnilWarns (common->memory, -1) == CV_SUCCESS
         && (problem->max_step == (double) INFINITY
             || CVodeSetMaxStep (common->memory, problem->max_step) == CV_SUCCESS)
         && set_up_iteration (self, name, error);
}

static WeirSolver *
cvode_make (const WeirSolverInfo *info, WeirProblem *problem, GError **error)
{
  Cvode *self = g_new0 (Cvode, 1);
  g_autoptr (GError) problem_found = NULL;

  self->common.base.class = &weir_cvode_class;
  self->common.base.problem = problem;
  self->common.base.is_multistep = TRUE;
  self->common.get_weights = CVodeGetErrWeights;
  self->common.get_errors = CVodeGetEstLocalErrors;
  if (!set_up (self, info->name, &problem_found))
    {
      weir_sundials_fail_set_up (&self->common, info->name, g_steal_pointer (&problem_found),
                                 error);
      cvode_free (&self->common.base);
      return NULL;
    }
  return &self->common.base;
}

static gboolean
cvode_restart (WeirSolver *base, double t, const double *x, GError **error)
{
  Cvode *self = (Cvode *) base;
  int flag;

  memmove (base->x, x, base->problem->n * sizeof *x);
  base->t = base->t_previous = t;
  self->rejected = self->jacobians = 0;
  flag = CVodeReInit (self->common.memory, t, self->common.x);
  return flag == CV_SUCCESS || fail (self, flag, error);
}

static void
count (Cvode *self)
{
  WeirSimulatorStatistics *statistics = self->common.base.problem->statistics;
  long error_fails = 0, solve_fails = 0, jacobians = 0;

  CVodeGetNumErrTestFails (self->common.memory, &error_fails);
  CVodeGetNumStepSolveFails (self->common.memory, &solve_fails);
  if (self->common.linear != NULL)
    CVodeGetNumJacEvals (self->common.memory, &jacobians);
  statistics->rejected_steps += (guint64) (error_fails + solve_fails - self->rejected);
  statistics->jacobians += (guint64) (jacobians - self->jacobians);
  self->rejected = error_fails + solve_fails;
  self->jacobians = jacobians;
}

/* CVODE only warns when its step vanishes beside the time, and goes on for ever. */
static gboolean
check_progress (Cvode *self, GError **error)
{
  WeirSolver *base = &self->common.base;
  double h = 0;

  CVodeGetLastStep (self->common.memory, &h);
  if (h >= 16 * DBL_EPSILON * fabs (base->t) && base->t > base->t_previous)
    return TRUE;
  return weir_sundials_fail_at_wall (&self->common, error);
}

static gboolean
cvode_step (WeirSolver *base, double t_max, GError **error)
{
  Cvode *self = (Cvode *) base;
  double t = base->t;
  int flag = CVodeSetStopTime (self->common.memory, t_max);

  self->common.message[0] = '\0';
  if (flag == CV_SUCCESS)
    flag = CVode (self->common.memory, t_max, self->common.x, &t, CV_ONE_STEP);
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
  else if ((flag = CVodeGetDky (self->common.memory, t, 0, self->common.probe)) == CV_SUCCESS)
    memcpy (x, N_VGetArrayPointer (self->common.probe), base->problem->n * sizeof *x);
  return flag == CV_SUCCESS || fail (self, flag, error);
}

const WeirSolverClass weir_cvode_class = {
  .make = cvode_make,
  .restart = cvode_restart,
  .step = cvode_step,
  .interpolate = cvode_interpolate,
  .find_limiting_state = weir_sundials_find_limiting_state,
  .free = cvode_free,
};

/* The solvers of SUNDIALS' CVODE: Adams with fixed-point iteration, and BDF with Newton's method on
 * a Jacobian of coloured differences (sundials-private.h).
 *
 * Every step has a stop time, so that no internal step passes the next event. A restart is a
 * reinitialisation: order 1, a new first step.
 */
#include <math.h>

#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "sim/sundials-private.h"

#include "base/text.h"

static const WeirSolverClass cvode_class;

typedef struct {
  WeirSundials common; /* memory: of CVODE */
  SUNNonlinearSolver nonlinear;
  double share; /* of the tolerances */
} Cvode;

const char *
weir_cvode_explain (int flag)
{
  switch (flag)
    {
    case CV_TOO_MUCH_WORK:
      return N_ ("CVODE took too many internal steps (the model is stiff or chatters)");
    case CV_TOO_MUCH_ACC:
      return N_ ("the tolerance asks for more digits than a double has");
    case CV_ERR_FAILURE:
      return N_ ("the error test fails even with the smallest step: something changes too fast");
    case CV_CONV_FAILURE:
      return N_ ("the corrector iteration does not converge even with the smallest step");
    case CV_LINIT_FAIL:
      return N_ ("the linear solver could not be set up");
    case CV_LSETUP_FAIL:
      return N_ ("the Jacobian could not be computed or factorised");
    case CV_LSOLVE_FAIL:
      return N_ ("the linear solver failed");
    case CV_RHSFUNC_FAIL:
      return N_ ("the derivatives could not be computed");
    case CV_FIRST_RHSFUNC_ERR:
      return N_ ("the derivatives could not be computed at the start of the integration");
    case CV_REPTD_RHSFUNC_ERR:
      return N_ ("the derivatives could not be computed however small the step");
    case CV_UNREC_RHSFUNC_ERR:
      return N_ ("the derivatives could not be computed and no smaller step could be tried");
    case CV_RTFUNC_FAIL:
      return N_ ("a zero-crossing function could not be computed");
    case CV_NLS_INIT_FAIL:
      return N_ ("the corrector iteration could not be initialised");
    case CV_NLS_SETUP_FAIL:
      return N_ ("the corrector iteration could not be set up");
    case CV_CONSTR_FAIL:
      return N_ ("no step keeps the states within their constraints");
    case CV_NLS_FAIL:
      return N_ ("the corrector iteration failed");
    case CV_MEM_FAIL:
      return N_ ("CVODE ran out of memory");
    case CV_MEM_NULL:
    case CV_NO_MALLOC:
      return N_ ("CVODE was used before it was set up");
    case CV_ILL_INPUT:
      return N_ ("CVODE refused its input");
    case CV_BAD_K:
    case CV_BAD_T:
    case CV_BAD_DKY:
      return N_ ("a value was asked for outside the last step");
    case CV_TOO_CLOSE:
      return N_ ("the next event is too close to be told from the present time");
    case CV_VECTOROP_ERR:
      return N_ ("a vector operation failed");
    case CV_PROJ_MEM_NULL:
    case CV_PROJFUNC_FAIL:
    case CV_REPTD_PROJFUNC_ERR:
      return N_ ("the state could not be projected back to its manifold");
    case CV_CONTEXT_ERR:
      return N_ ("objects of two SUNDIALS contexts were mixed");
    default:
      return N_ ("CVODE failed for an unknown reason");
    }
}

static gboolean
has_limiting_state (int flag)
{
  return flag == CV_TOO_MUCH_WORK || flag == CV_TOO_MUCH_ACC || flag == CV_ERR_FAILURE
         || flag == CV_CONV_FAILURE || flag == CV_LSETUP_FAIL || flag == CV_LSOLVE_FAIL
         || flag == CV_CONSTR_FAIL || flag == CV_NLS_FAIL;
}

static const WeirIntegrator integrator = {
  .explain = weir_cvode_explain,
  .has_limiting_state = has_limiting_state,
  .illegal_input = CV_ILL_INPUT,
  .get_weights = CVodeGetErrWeights,
  .get_errors = CVodeGetEstLocalErrors,
  .get_time = CVodeGetCurrentTime,
  .set_longest_step = CVodeSetMaxStep,
  .get_step = CVodeGetLastStep,
  .get_derivative = CVodeGetDky,
  .get_n_error_fails = CVodeGetNumErrTestFails,
  .get_n_solve_fails = CVodeGetNumStepSolveFails,
  .get_n_jacobians = CVodeGetNumJacEvals,
};

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

static int
set_tolerances (WeirSundials *common, double share)
{
  const WeirProblem *problem = common->base.problem;
  double relative = share * problem->relative_tolerance;
  double absolute = share * problem->absolute_tolerance;

  return problem->nominals != NULL ? CVodeSVtolerances (
             common->memory, relative, weir_sundials_list_tolerances (common, absolute))
                                   : CVodeSStolerances (common->memory, relative, absolute);
}

static gboolean
set_up (Cvode *self, const char *name, GError **error)
{
  WeirSundials *common = &self->common;
  gboolean is_bdf = g_str_equal (name, "cvode-bdf");
  double share = is_bdf ? WEIR_BDF_TOLERANCE_SHARE : 1;

  if (!weir_sundials_init (common))
    return FALSE;
  self->share = share;
  common->memory = CVodeCreate (is_bdf ? CV_BDF : CV_ADAMS, common->context);
  return common->memory != NULL
         && CVodeSetErrHandlerFn (common->memory, weir_sundials_note_message, self) == CV_SUCCESS
         && CVodeInit (common->memory, weir_sundials_rhs, 0, common->x) == CV_SUCCESS
         && set_tolerances (common, share) == CV_SUCCESS
         && CVodeSetUserData (common->memory, self) == CV_SUCCESS
         && CVodeSetMaxHnilWarns (common->memory, -1) == CV_SUCCESS
         && CVodeSetMaxErrTestFails (common->memory, WEIR_MAX_ERROR_TEST_FAILS) == CV_SUCCESS
         && set_up_iteration (self, name, error);
}

static WeirSolver *
cvode_make (const WeirSolverInfo *info, WeirProblem *problem, GError **error)
{
  Cvode *self = g_new0 (Cvode, 1);
  g_autoptr (GError) problem_found = NULL;

  self->common.base.class = &cvode_class;
  self->common.base.problem = problem;
  self->common.base.is_multistep = TRUE;
  self->common.integrator = &integrator;
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
cvode_restart (WeirSolver *base, GError **error)
{
  WeirSundials *common = (WeirSundials *) base;
  int flag;

  common->rejected = common->jacobians = 0;
  flag = CVodeReInit (common->memory, base->t, common->x);
  if (flag == CV_SUCCESS && base->problem->nominals != NULL) /* they may be others */
    flag = set_tolerances (common, ((Cvode *) base)->share);
  return flag == CV_SUCCESS || weir_sundials_fail (common, flag, error);
}

static gboolean
cvode_step (WeirSolver *base, double t_max, GError **error)
{
  WeirSundials *common = (WeirSundials *) base;
  double t = base->t;
  int flag = CVodeSetStopTime (common->memory, t_max);

  if (flag == CV_SUCCESS)
    flag = weir_sundials_begin_step (common);

  common->message[0] = '\0';
  if (flag == CV_SUCCESS)
    do
      flag = CVode (common->memory, t_max, common->x, &t, CV_ONE_STEP);
    while (weir_sundials_vanishes (common, flag, t));
  return weir_sundials_end_step (common, flag, t, t_max, error);
}

static const WeirSolverClass cvode_class = {
  .make = cvode_make,
  .restart = cvode_restart,
  .step = cvode_step,
  .interpolate = weir_sundials_interpolate,
  .find_limiting_state = weir_sundials_find_limiting_state,
  .free = cvode_free,
};

WEIR_SOLVERS (cvode,
              { { "cvode-adams", "CVODE Adams",
                  "Multistep of variable order up to 12; few evaluations on smooth problems.", 12,
                  TRUE },
                &cvode_class },
              { { "cvode-bdf", "CVODE BDF",
                  "Implicit multistep of variable order up to 5 for stiff problems.", 5, TRUE },
                &cvode_class });

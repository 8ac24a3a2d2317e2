/* The implicit method of SUNDIALS' ARKODE: a singly diagonally implicit Runge-Kutta method of order
 * 4 in five stages with error control, with Newton's method on a Jacobian of coloured differences
 * (sundials-private.h).
 *
 * A one-step method: a restart keeps the step that error control has found, and costs no order.
 * That makes it the choice where a stiff model is sampled often. Every step has a stop time.
 */
#include <math.h>

#include <arkode/arkode_arkstep.h>

#include "sim/sundials-private.h"

#include "base/text.h"

static const WeirSolverClass arkode_class;

#define ORDER 4
/* ARKODE takes an iteration for converged by the rate that earlier ones had, though with a matrix
 * for another step: after steps cut short, errors were a million times the tolerance. With a rate
 * that never falls, each iteration has to show that it converges. */
#define SLOWEST_RATE 1.0
#define INTERPOLANT_DEGREE 3 /* Hermite: no further right-hand sides */

typedef struct {
  WeirSundials common; /* memory: of ARKStep */
  gboolean has_started;
} Arkode;

const char *
weir_arkode_explain (int flag)
{
  switch (flag)
    {
    case ARK_TOO_MUCH_WORK:
      return N_ ("ARKODE took too many internal steps (the model chatters)");
    case ARK_TOO_MUCH_ACC:
      return N_ ("the tolerance asks for more digits than a double has");
    case ARK_ERR_FAILURE:
      return N_ ("the error test fails even with the smallest step: something changes too fast");
    case ARK_CONV_FAILURE:
      return N_ ("Newton's iteration does not converge even with the smallest step");
    case ARK_LINIT_FAIL:
      return N_ ("the linear solver could not be set up");
    case ARK_LSETUP_FAIL:
      return N_ ("the Jacobian could not be computed or factorised");
    case ARK_LSOLVE_FAIL:
      return N_ ("the linear solver failed");
    case ARK_RHSFUNC_FAIL:
      return N_ ("the derivatives could not be computed");
    case ARK_FIRST_RHSFUNC_ERR:
      return N_ ("the derivatives could not be computed at the start of the integration");
    case ARK_REPTD_RHSFUNC_ERR:
      return N_ ("the derivatives could not be computed however small the step");
    case ARK_UNREC_RHSFUNC_ERR:
      return N_ ("the derivatives could not be computed and no smaller step could be tried");
    case ARK_RTFUNC_FAIL:
      return N_ ("a zero-crossing function could not be computed");
    case ARK_CONSTR_FAIL:
      return N_ ("no step keeps the states within their constraints");
    case ARK_INTERP_FAIL:
      return N_ ("the state between two steps could not be interpolated");
    case ARK_NLS_INIT_FAIL:
    case ARK_NLS_SETUP_FAIL:
    case ARK_NLS_SETUP_RECVR:
      return N_ ("Newton's iteration could not be set up");
    case ARK_NLS_OP_ERR:
      return N_ ("Newton's iteration failed");
    case ARK_MEM_FAIL:
      return N_ ("ARKODE ran out of memory");
    case ARK_MEM_NULL:
    case ARK_NO_MALLOC:
      return N_ ("ARKODE was used before it was set up");
    case ARK_ILL_INPUT:
      return N_ ("ARKODE refused its input");
    case ARK_BAD_K:
    case ARK_BAD_T:
    case ARK_BAD_DKY:
      return N_ ("a value was asked for outside the last step");
    case ARK_TOO_CLOSE:
      return N_ ("the next event is too close to be told from the present time");
    case ARK_VECTOROP_ERR:
      return N_ ("a vector operation failed");
    case ARK_CONTEXT_ERR:
      return N_ ("objects of two SUNDIALS contexts were mixed");
    default:
      return N_ ("ARKODE failed for an unknown reason");
    }
}

static gboolean
has_limiting_state (int flag)
{
  return flag == ARK_TOO_MUCH_WORK || flag == ARK_TOO_MUCH_ACC || flag == ARK_ERR_FAILURE
         || flag == ARK_CONV_FAILURE || flag == ARK_LSETUP_FAIL || flag == ARK_LSOLVE_FAIL;
}

static const WeirIntegrator integrator = {
  .explain = weir_arkode_explain,
  .has_limiting_state = has_limiting_state,
  .illegal_input = ARK_ILL_INPUT,
  .get_weights = ARKStepGetErrWeights,
  .get_errors = ARKStepGetEstLocalErrors,
  .get_time = ARKStepGetCurrentTime,
  .set_longest_step = ARKStepSetMaxStep,
  .get_step = ARKStepGetLastStep,
  .get_derivative = ARKStepGetDky,
  .get_n_error_fails = ARKStepGetNumErrTestFails,
  .get_n_solve_fails = ARKStepGetNumStepSolveFails,
  .get_n_jacobians = ARKStepGetNumJacEvals,
};

static int
set_up_linear_system (realtype t, N_Vector x, N_Vector xdot, SUNMatrix matrix,
                      G_GNUC_UNUSED SUNMatrix mass, booleantype is_jacobian_ok,
                      booleantype *is_jacobian_new, realtype gamma, void *data,
                      G_GNUC_UNUSED N_Vector room1, G_GNUC_UNUSED N_Vector room2,
                      G_GNUC_UNUSED N_Vector room3)
{
  return weir_sundials_linear_system (data, t, x, xdot, matrix, is_jacobian_ok, is_jacobian_new,
                                      gamma);
}

static void
arkode_free (WeirSolver *base)
{
  Arkode *self = (Arkode *) base;

  if (self->common.memory != NULL)
    ARKStepFree (&self->common.memory);
  weir_sundials_clear (&self->common);
  g_free (self);
}

static int
set_tolerances (WeirSundials *common)
{
  const WeirProblem *problem = common->base.problem;
  double relative = problem->relative_tolerance, absolute = problem->absolute_tolerance;

  return problem->nominals != NULL ? ARKStepSVtolerances (
             common->memory, relative, weir_sundials_list_tolerances (common, absolute))
                                   : ARKStepSStolerances (common->memory, relative, absolute);
}

static gboolean
set_up (Arkode *self, const char *name, GError **error)
{
  WeirSundials *common = &self->common;

  if (!weir_sundials_init (common) || !weir_sundials_init_linear (common, name, error))
    return FALSE;
  common->memory = ARKStepCreate (NULL, weir_sundials_rhs, 0, common->x, common->context);
  return common->memory != NULL
         && ARKStepSetErrHandlerFn (common->memory, weir_sundials_note_message, self) == ARK_SUCCESS
         && ARKStepSetOrder (common->memory, ORDER) == ARK_SUCCESS
         && ARKStepSetInterpolantDegree (common->memory, INTERPOLANT_DEGREE) == ARK_SUCCESS
         && set_tolerances (common) == ARK_SUCCESS
         && ARKStepSetUserData (common->memory, self) == ARK_SUCCESS
         && ARKStepSetNonlinCRDown (common->memory, SLOWEST_RATE) == ARK_SUCCESS
         && ARKStepSetMaxErrTestFails (common->memory, WEIR_MAX_ERROR_TEST_FAILS) == ARK_SUCCESS
         && ARKStepSetMaxHnilWarns (common->memory, -1) == ARK_SUCCESS
         && ARKStepSetLinearSolver (common->memory, common->linear, common->matrix) == ARK_SUCCESS
         && ARKStepSetLinSysFn (common->memory, set_up_linear_system) == ARK_SUCCESS;
}

static WeirSolver *
arkode_make (const WeirSolverInfo *info, WeirProblem *problem, GError **error)
{
  Arkode *self = g_new0 (Arkode, 1);
  g_autoptr (GError) problem_found = NULL;

  self->common.base.class = &arkode_class;
  self->common.base.problem = problem;
  self->common.integrator = &integrator;
  if (!set_up (self, info->name, &problem_found))
    {
      weir_sundials_fail_set_up (&self->common, info->name, g_steal_pointer (&problem_found),
                                 error);
      arkode_free (&self->common.base);
      return NULL;
    }
  return &self->common.base;
}

static gboolean
arkode_restart (WeirSolver *base, GError **error)
{
  Arkode *self = (Arkode *) base;
  WeirSundials *common = &self->common;
  int flag = self->has_started
                 ? ARKStepReset (common->memory, base->t, common->x)
                 : ARKStepReInit (common->memory, NULL, weir_sundials_rhs, base->t, common->x);

  self->has_started = TRUE;
  if (flag == ARK_SUCCESS && base->problem->nominals != NULL) /* they may be others */
    flag = set_tolerances (common);
  return flag == ARK_SUCCESS || weir_sundials_fail (common, flag, error);
}

static gboolean
arkode_step (WeirSolver *base, double t_max, GError **error)
{
  WeirSundials *common = (WeirSundials *) base;
  double t = base->t;
  int flag = ARKStepSetStopTime (common->memory, t_max);

  if (flag == ARK_SUCCESS)
    flag = weir_sundials_begin_step (common);

  common->message[0] = '\0';
  if (flag == ARK_SUCCESS)
    do
      flag = ARKStepEvolve (common->memory, t_max, common->x, &t, ARK_ONE_STEP);
    while (weir_sundials_vanishes (common, flag, t));
  return weir_sundials_end_step (common, flag, t, t_max, error);
}

static const WeirSolverClass arkode_class = {
  .make = arkode_make,
  .restart = arkode_restart,
  .step = arkode_step,
  .interpolate = weir_sundials_interpolate,
  .find_limiting_state = weir_sundials_find_limiting_state,
  .free = arkode_free,
};

WEIR_SOLVERS (
    arkode,
    { { "arkode-dirk", "ARKODE DIRK",
        "Implicit Runge–Kutta for stiff problems that are sampled often: a restart costs no order.",
        4, TRUE },
      &arkode_class });

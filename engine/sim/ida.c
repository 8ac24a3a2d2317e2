/* SUNDIALS' IDA: the model with its algebraic loops open, as a differential-algebraic system of
 * index 1,
 *
 *   f (t, x, z) - x' = 0, u (t, x, z) - z = 0,
 *
 * where z are the signals that the loops are cut at. Integrating z beside x spares a Newton
 * iteration per evaluation and predicts it; a model without loops is an ordinary system to it. At
 * each start IDACalcIC makes z and x' consistent with x (without loops x' = f (t, x) is so
 * already). Elsewhere the loops stay closed: what the cache shows at an accepted step is solved
 * exactly (system/evaluation/loop.h).
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include <ida/ida.h>

#include "base/phrase.h"
#include "base/text.h"
#include "sim/sundials-private.h"
#include "numerics/vector.h"
#include "system/evaluation/loop.h"

static const WeirSolverClass ida_class;

#define FIRST_SHARE 1e-3   /* of the way to where the first step may end */
#define FIRST_ROUNDINGS 64 /* that the first step has at least, of the time */

typedef struct {
  WeirSundials common; /* memory: of IDA; x: all unknowns */
  guint n_states, n_unknowns;
  N_Vector derivatives; /* of all unknowns */
  double *values;       /* of it */
  gboolean is_consistent;
} Ida;

const char *
weir_ida_explain (int flag)
{
  switch (flag)
    {
    case IDA_TOO_MUCH_WORK:
      return N_ ("IDA took too many internal steps (the model chatters)");
    case IDA_TOO_MUCH_ACC:
      return N_ ("the tolerance asks for more digits than a double has");
    case IDA_ERR_FAIL:
      return N_ ("the error test fails even with the smallest step: something changes too fast");
    case IDA_CONV_FAIL:
      return N_ ("Newton's iteration does not converge even with the smallest step");
    case IDA_LINIT_FAIL:
      return N_ ("the linear solver could not be set up");
    case IDA_LSETUP_FAIL:
      return N_ (
          "the Jacobian could not be computed or is singular (constraints of a higher index?)");
    case IDA_LSOLVE_FAIL:
      return N_ ("the linear solver failed");
    case IDA_RES_FAIL:
      return N_ ("the derivatives could not be computed");
    case IDA_FIRST_RES_FAIL:
      return N_ ("the derivatives could not be computed at the start of the integration");
    case IDA_REP_RES_ERR:
      return N_ ("the derivatives could not be computed however small the step");
    case IDA_RTFUNC_FAIL:
      return N_ ("a zero-crossing function could not be computed");
    case IDA_CONSTR_FAIL:
      return N_ ("no step keeps the states within their constraints");
    case IDA_NO_RECOVERY:
      return N_ ("no consistent initial values were found: the model has no value where they are "
                 "looked for");
    case IDA_LINESEARCH_FAIL:
      return N_ ("no consistent initial values were found: the search for them got stuck");
    case IDA_BAD_EWT:
      return N_ ("an error weight is not positive");
    case IDA_NLS_INIT_FAIL:
    case IDA_NLS_SETUP_FAIL:
      return N_ ("Newton's iteration could not be set up");
    case IDA_NLS_FAIL:
      return N_ ("Newton's iteration failed");
    case IDA_MEM_FAIL:
      return N_ ("IDA ran out of memory");
    case IDA_MEM_NULL:
    case IDA_NO_MALLOC:
      return N_ ("IDA was used before it was set up");
    case IDA_ILL_INPUT:
      return N_ ("IDA refused its input");
    case IDA_BAD_K:
    case IDA_BAD_T:
    case IDA_BAD_DKY:
      return N_ ("a value was asked for outside the last step");
    case IDA_VECTOROP_ERR:
      return N_ ("a vector operation failed");
    case IDA_CONTEXT_ERR:
      return N_ ("objects of two SUNDIALS contexts were mixed");
    default:
      return N_ ("IDA failed for an unknown reason");
    }
}

static gboolean
has_limiting_state (int flag)
{
  return flag == IDA_TOO_MUCH_WORK || flag == IDA_TOO_MUCH_ACC || flag == IDA_ERR_FAIL
         || flag == IDA_CONV_FAIL || flag == IDA_LSETUP_FAIL || flag == IDA_LSOLVE_FAIL;
}

static const WeirIntegrator integrator = {
  .explain = weir_ida_explain,
  .has_limiting_state = has_limiting_state,
  .illegal_input = IDA_ILL_INPUT,
  .get_weights = IDAGetErrWeights,
  .get_errors = IDAGetEstLocalErrors,
  .get_time = IDAGetCurrentTime,
  .set_longest_step = IDASetMaxStep,
  .get_step = IDAGetLastStep,
  .get_derivative = IDAGetDky,
  .get_n_error_fails = IDAGetNumErrTestFails,
  .get_n_solve_fails = IDAGetNumStepSolveFails,
  .get_n_jacobians = IDAGetNumJacEvals,
};

/* What comes of the unknowns @y, without x'. */
static int
calc_values (double t, const double *y, double *r, gpointer data)
{
  Ida *self = data;
  WeirProblem *problem = self->common.base.problem;
  WeirStatus status;
  gint64 begin;

  if (weir_problem_is_cancelled (problem))
    return -1;
  problem->statistics->rhs_calls++;
  begin = weir_stopwatch_begin (&problem->rhs_stopwatch);
  status = weir_eval_open_loops (problem->root, problem->context, weir_problem_time (problem, t), y,
                                 y + self->n_states, r, r + self->n_states);
  weir_stopwatch_end (&problem->rhs_stopwatch, begin);
  if (status == WEIR_OK)
    return 0;
  weir_problem_note_failure (problem, t);
  return weir_sundials_get_failure_code (&self->common);
}

static int
calc_residual (realtype t, N_Vector y, N_Vector yp, N_Vector residual, void *data)
{
  const Ida *self = data;
  const double *derivatives = N_VGetArrayPointer (yp);
  double *r = N_VGetArrayPointer (residual);
  int flag = calc_values (t, N_VGetArrayPointer (y), r, data);

  for (guint i = 0; i < self->n_states && flag == 0; i++)
    r[i] -= derivatives[i];
  return flag;
}

/* dF/dy + c dF/dy' = J - c I */
static int
calc_jacobian (realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector residual, SUNMatrix matrix,
               void *data, N_Vector values, G_GNUC_UNUSED N_Vector room, N_Vector weight)
{
  Ida *self = data;
  WeirSundials *common = &self->common;
  WeirStopwatch *stopwatch = &common->base.problem->jacobian_stopwatch;
  const double *derivatives = N_VGetArrayPointer (yp);
  double *f = N_VGetArrayPointer (values);
  gint64 begin;
  int flag;

  if (IDAGetErrWeights (common->memory, weight) != IDA_SUCCESS)
    return -1;
  memcpy (f, N_VGetArrayPointer (residual), self->n_unknowns * sizeof *f);
  for (guint i = 0; i < self->n_states; i++)
    f[i] += derivatives[i];
  begin = weir_stopwatch_begin (stopwatch);
  /* c is a number of about 1 by the step. */
  flag = weir_state_jacobian_calc (common->jacobian, calc_values, self, t, N_VGetArrayPointer (y),
                                   f, N_VGetArrayPointer (weight), 1 / c);
  weir_stopwatch_end (stopwatch, begin);
  if (flag == 0)
    weir_state_jacobian_write (common->jacobian, -c, 1, matrix);
  return flag;
}

static void
ida_free (WeirSolver *base)
{
  Ida *self = (Ida *) base;

  if (self->common.memory != NULL)
    IDAFree (&self->common.memory);
  if (self->derivatives != NULL)
    N_VDestroy (self->derivatives);
  weir_sundials_clear (&self->common);
  g_free (self->values);
  g_free (self);
}

static int
set_tolerances (WeirSundials *common)
{
  const WeirProblem *problem = common->base.problem;
  double relative = WEIR_BDF_TOLERANCE_SHARE * problem->relative_tolerance;
  double absolute = WEIR_BDF_TOLERANCE_SHARE * problem->absolute_tolerance;

  return problem->nominals != NULL ? IDASVtolerances (
             common->memory, relative, weir_sundials_list_tolerances (common, absolute))
                                   : IDASStolerances (common->memory, relative, absolute);
}

static gboolean
set_up (Ida *self, const char *name, GError **error)
{
  WeirSundials *common = &self->common;

  common->n_extra = self->n_unknowns - self->n_states;
  self->values = g_new0 (double, self->n_unknowns);
  if (!weir_sundials_init (common) || !weir_sundials_init_linear (common, name, error))
    return FALSE;
  self->derivatives = weir_nvector_new (self->n_unknowns, self->values, common->context);
  if (self->derivatives == NULL)
    return FALSE;
  common->memory = IDACreate (common->context);
  /* Which unknowns are differential; IDA copies. */
  for (guint i = 0; i < self->n_unknowns; i++)
    N_VGetArrayPointer (common->probe)[i] = i < self->n_states ? 1 : 0;
  return common->memory != NULL
         && IDASetErrHandlerFn (common->memory, weir_sundials_note_message, self) == IDA_SUCCESS
         && IDAInit (common->memory, calc_residual, 0, common->x, self->derivatives) == IDA_SUCCESS
         && set_tolerances (common) == IDA_SUCCESS
         && IDASetUserData (common->memory, self) == IDA_SUCCESS
         && IDASetId (common->memory, common->probe) == IDA_SUCCESS
         /* The signals of loops are solved for at each step: they have no error of their own, and
          * where one sets out from rest no step is short enough for its prediction. */
         && IDASetSuppressAlg (common->memory, SUNTRUE) == IDA_SUCCESS
         && IDASetMaxErrTestFails (common->memory, WEIR_MAX_ERROR_TEST_FAILS) == IDA_SUCCESS
         && IDASetLinearSolver (common->memory, common->linear, common->matrix) == IDA_SUCCESS
         && IDASetJacFn (common->memory, calc_jacobian) == IDA_SUCCESS;
}

static WeirSolver *
ida_make (const WeirSolverInfo *info, WeirProblem *problem, GError **error)
{
  guint n = problem->n + weir_layout_get_n_loop_unknowns (problem->layout);
  Ida *self = g_new0 (Ida, 1);
  g_autoptr (GError) problem_found = NULL;

  self->n_states = problem->n;
  self->n_unknowns = n;
  self->common.base.class = &ida_class;
  self->common.base.problem = problem;
  self->common.base.is_multistep = TRUE;
  self->common.integrator = &integrator;
  if (!set_up (self, info->name, &problem_found))
    {
      weir_sundials_fail_set_up (&self->common, info->name, g_steal_pointer (&problem_found),
                                 error);
      ida_free (&self->common.base);
      return NULL;
    }
  return &self->common.base;
}

static gboolean
ida_restart (WeirSolver *base, GError **error)
{
  Ida *self = (Ida *) base;
  WeirSundials *common = &self->common;
  WeirProblem *problem = base->problem;
  int flag;

  common->rejected = common->jacobians = 0;
  weir_context_get_loop_starts (problem->context, base->x + self->n_states);
  memset (self->values, 0, self->n_unknowns * sizeof (double));
  /* A guess of x'; where there is none, IDACalcIC will say so. */
  if (weir_eval_open_loops (problem->root, problem->context, base->t, base->x,
                            base->x + self->n_states, self->values,
                            N_VGetArrayPointer (common->probe))
      != WEIR_OK)
    {
      if (self->n_unknowns == self->n_states)
        return weir_problem_fail (problem, error, base->t, G_MAXUINT,
                                  weir_phrase (weir_ida_explain (IDA_FIRST_RES_FAIL)));
      memset (self->values, 0, self->n_unknowns * sizeof (double));
    }
  problem->statistics->rhs_calls++;
  self->is_consistent = FALSE;
  flag = IDAReInit (common->memory, base->t, common->x, self->derivatives);
  if (flag == IDA_SUCCESS && problem->nominals != NULL) /* they may be others */
    flag = set_tolerances (common);
  return flag == IDA_SUCCESS || weir_sundials_fail (common, flag, error);
}

/* As IDA's own first step, half a tolerance by the slope, but one that can be told from no step:
 * out of 0, where the weight is the absolute tolerance alone, a steep slope leaves less. Too long a
 * one fails its error test. */
static gboolean
choose_first_step (Ida *self, double t_max)
{
  WeirSundials *common = &self->common;
  const WeirProblem *problem = common->base.problem;
  double t = common->base.t, h = FIRST_SHARE * (t_max - t), slope;
  double *weight = N_VGetArrayPointer (common->weight);

  weir_problem_weigh (problem, common->base.x, common->base.x, problem->relative_tolerance,
                      problem->absolute_tolerance, weight);
  slope = weir_vector_wrms_norm (self->n_states, self->values, weight);
  if (h * slope > 0.5)
    h = fmin (h, fmax (0.5 / slope, FIRST_ROUNDINGS * DBL_EPSILON * fabs (t)));
  return IDASetInitStep (common->memory, h) == IDA_SUCCESS;
}

static gboolean
ida_step (WeirSolver *base, double t_max, GError **error)
{
  Ida *self = (Ida *) base;
  WeirSundials *common = &self->common;
  double t = base->t;
  int flag = IDA_SUCCESS;

  common->message[0] = '\0';
  if (!self->is_consistent && self->n_unknowns > self->n_states)
    {
      flag = IDACalcIC (common->memory, IDA_YA_YDP_INIT, t_max);
      self->is_consistent = flag == IDA_SUCCESS;
    }
  if (flag == IDA_SUCCESS)
    flag = IDASetStopTime (common->memory, t_max);
  if (flag == IDA_SUCCESS && base->t == base->t_previous && !choose_first_step (self, t_max))
    flag = IDA_ILL_INPUT;
  if (flag == IDA_SUCCESS)
    flag = weir_sundials_begin_step (common);
  if (flag == IDA_SUCCESS)
    do
      flag = IDASolve (common->memory, t_max, &t, common->x, self->derivatives, IDA_ONE_STEP);
    while (weir_sundials_vanishes (common, flag, t));
  return weir_sundials_end_step (common, flag, t, t_max, error);
}

static const WeirSolverClass ida_class = {
  .make = ida_make,
  .restart = ida_restart,
  .step = ida_step,
  .interpolate = weir_sundials_interpolate,
  .find_limiting_state = weir_sundials_find_limiting_state,
  .free = ida_free,
};

WEIR_SOLVERS (ida, { { "ida", "IDA",
                       "Implicit multistep of variable order up to 5 that integrates the signals "
                       "of algebraic loops "
                       "with the states.",
                       5, TRUE },
                     &ida_class });

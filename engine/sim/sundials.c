/* What the solvers of SUNDIALS share. See sundials-private.h. */
#include "sim/sundials-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"

#define YOUNG 100      /* steps from a restart on that may vanish beside the time */
#define TSTOP_RETURN 1 /* CV_TSTOP_RETURN, ARK_TSTOP_RETURN, IDA_TSTOP_RETURN */

gboolean
weir_sundials_init (WeirSundials *self)
{
  gsize n = (gsize) self->base.problem->n + self->n_extra;

  self->values = g_try_malloc0_n (3 * n, sizeof (double));
  if (self->values == NULL || SUNContext_Create (NULL, &self->context) != 0)
    return FALSE;
  self->base.x = self->values;
  self->x = weir_nvector_new (n, self->values, self->context);
  self->probe = weir_nvector_new (n, self->values + n, self->context);
  self->weight = weir_nvector_new (n, self->values + 2 * n, self->context);
  return self->x != NULL && self->probe != NULL && self->weight != NULL;
}

N_Vector
weir_sundials_list_tolerances (WeirSundials *self, double absolute)
{
  const WeirProblem *problem = self->base.problem;
  double *tolerance = N_VGetArrayPointer (self->weight);

  for (guint i = 0; i < problem->n + self->n_extra; i++)
    tolerance[i] = absolute
                   * (i < problem->n && problem->nominals != NULL ? problem->nominals[i] : 1);
  return self->weight;
}

gboolean
weir_sundials_init_linear (WeirSundials *self, const char *name, GError **error)
{
  self->jacobian = weir_state_jacobian_new (name, self->base.problem, self->n_extra > 0, error);
  if (self->jacobian == NULL)
    return FALSE;
  self->matrix = weir_state_jacobian_new_matrix (self->jacobian, self->context);
  if (self->matrix != NULL)
    self->linear = weir_state_jacobian_new_linear_solver (self->jacobian, self->x, self->matrix,
                                                          self->context);
  if (self->linear == NULL)
    weir_error_set (error, WEIR_ERROR_FAILED,
                    "not enough memory for the linear systems of %s with %u states", name,
                    self->base.problem->n);
  return self->linear != NULL;
}

void
weir_sundials_clear (WeirSundials *self)
{
  if (self->linear != NULL)
    SUNLinSolFree (self->linear);
  if (self->matrix != NULL)
    SUNMatDestroy (self->matrix);
  if (self->x != NULL)
    N_VDestroy (self->x);
  if (self->probe != NULL)
    N_VDestroy (self->probe);
  if (self->weight != NULL)
    N_VDestroy (self->weight);
  if (self->context != NULL)
    SUNContext_Free (&self->context);
  weir_state_jacobian_free (self->jacobian);
  g_free (self->values);
}

int
weir_sundials_get_failure_code (const WeirSundials *self)
{
  return weir_problem_is_cancelled (self->base.problem) ? -1 : 1;
}

static int
evaluate (double t, const double *x, double *xdot, gpointer data)
{
  WeirSundials *self = data;

  return weir_problem_rhs (self->base.problem, t, x, xdot) == WEIR_OK
             ? 0
             : weir_sundials_get_failure_code (self);
}

int
weir_sundials_rhs (realtype t, N_Vector x, N_Vector xdot, void *data)
{
  return evaluate (t, N_VGetArrayPointer (x), N_VGetArrayPointer (xdot), data);
}

void
weir_sundials_note_message (G_GNUC_UNUSED int code, G_GNUC_UNUSED const char *module,
                            G_GNUC_UNUSED const char *function, char *message, void *data)
{
  WeirSundials *self = data;

  g_strlcpy (self->message, message, sizeof self->message);
  g_strdelimit (self->message, "\n", ' ');
}

int
weir_sundials_linear_system (WeirSundials *self, realtype t, N_Vector x, N_Vector xdot,
                             SUNMatrix matrix, booleantype is_jacobian_ok,
                             booleantype *is_jacobian_new, realtype gamma)
{
  *is_jacobian_new = !is_jacobian_ok;
  if (!is_jacobian_ok)
    {
      WeirStopwatch *stopwatch = &self->base.problem->jacobian_stopwatch;
      gint64 begin;
      int flag;

      if (self->integrator->get_weights (self->memory, self->weight) != 0)
        return -1;
      /* gamma is the step times a number between 0.2 and 1. */
      begin = weir_stopwatch_begin (stopwatch);
      flag = weir_state_jacobian_calc (self->jacobian, evaluate, self, t, N_VGetArrayPointer (x),
                                       N_VGetArrayPointer (xdot), N_VGetArrayPointer (self->weight),
                                       gamma);
      weir_stopwatch_end (stopwatch, begin);
      if (flag != 0)
        return flag;
    }
  weir_state_jacobian_write (self->jacobian, 1, -gamma, matrix);
  return 0;
}

guint
weir_sundials_find_limiting_state (WeirSolver *base)
{
  WeirSundials *self = (WeirSundials *) base;

  if (self->integrator->get_errors (self->memory, self->probe) != 0
      || self->integrator->get_weights (self->memory, self->weight) != 0)
    return G_MAXUINT;
  return weir_problem_find_limiting_state (self->base.problem, N_VGetArrayPointer (self->probe),
                                           N_VGetArrayPointer (self->weight));
}

gboolean
weir_sundials_fail (WeirSundials *self, int flag, GError **error)
{
  const WeirIntegrator *integrator = self->integrator;
  const char *what = weir_phrase (integrator->explain (flag));
  g_autoptr (WeirMessage) text = NULL;
  guint state = G_MAXUINT;
  double t = self->base.t;

  integrator->get_time (self->memory, &t);
  if (integrator->has_limiting_state (flag))
    state = weir_sundials_find_limiting_state (&self->base);
  else if (flag == integrator->illegal_input && self->message[0] != '\0')
    text = weir_message_new ("%s (%s)", what, self->message);
  return weir_problem_fail (self->base.problem, error, t, state,
                            text != NULL ? weir_message_get_text (text) : what);
}

/* The step vanished beside the time. */
static gboolean
fail_at_wall (WeirSundials *self, GError **error)
{
  WeirProblem *problem = self->base.problem;
  double t = self->base.t;

  if (problem->failure == NULL || fabs (problem->failure_time - t) > 1e-9 * fmax (1, fabs (t)))
    return weir_problem_fail (problem, error, t, weir_sundials_find_limiting_state (&self->base),
                              weir_phrase (N_ ("the step became too small for the tolerance")));
  return weir_problem_fail_as_noted (
      problem, error, t, G_MAXUINT,
      weir_phrase (N_ ("no step is small enough for the model to have a value")));
}

static void
count (WeirSundials *self)
{
  const WeirIntegrator *integrator = self->integrator;
  WeirSimulatorStatistics *statistics = self->base.problem->statistics;
  long error_fails = 0, solve_fails = 0, jacobians = 0;

  integrator->get_n_error_fails (self->memory, &error_fails);
  integrator->get_n_solve_fails (self->memory, &solve_fails);
  if (self->linear != NULL)
    integrator->get_n_jacobians (self->memory, &jacobians);
  statistics->rejected_steps += (guint64) (error_fails + solve_fails - self->rejected);
  statistics->jacobians += (guint64) (jacobians - self->jacobians);
  self->rejected = error_fails + solve_fails;
  self->jacobians = jacobians;
}

int
weir_sundials_begin_step (WeirSundials *self)
{
  double longest = self->base.problem->max_step;

  self->has_vanished = FALSE;
  if (self->base.t == self->base.t_previous)
    self->n_young = YOUNG;
  if (isinf (longest))
    longest = 0;
  if (longest == self->longest_step)
    return 0;
  self->longest_step = longest;
  return self->integrator->set_longest_step (self->memory, longest);
}

static gboolean
can_be_told_apart (double from, double t)
{
  return t > from && t - from >= 16 * DBL_EPSILON * fabs (t);
}

gboolean
weir_sundials_vanishes (WeirSundials *self, int flag, double t)
{
  gboolean vanishes = flag == 0 && self->n_young > 0 && !can_be_told_apart (self->base.t, t);

  self->n_young -= self->n_young > 0 ? 1 : 0;
  self->has_vanished |= vanishes;
  return vanishes;
}

gboolean
weir_sundials_end_step (WeirSundials *self, int flag, double t, double t_max, GError **error)
{
  WeirSolver *base = &self->base;

  count (self);
  if (flag < 0)
    return weir_sundials_fail (self, flag, error);
  /* An estimate that is not a number passes for none. */
  if (!weir_problem_check_finite (base->problem, base->t, base->x, error))
    return FALSE;
  base->t_previous = base->t;
  base->t = flag == TSTOP_RETURN ? t_max : t;
  if (flag == TSTOP_RETURN)
    return TRUE;
  /* They only warn when their step vanishes beside the time, and go on for ever. */
  return can_be_told_apart (base->t_previous, base->t) || fail_at_wall (self, error);
}

gboolean
weir_sundials_interpolate (WeirSolver *base, double t, double *x, GError **error)
{
  WeirSundials *self = (WeirSundials *) base;
  gsize size = base->problem->n * sizeof *x;
  double h = 0;
  int flag;

  if (t == base->t)
    {
      memcpy (x, base->x, size);
      return TRUE;
    }
  /* Dense output is of the last of several that vanish. */
  if (self->has_vanished && self->integrator->get_step (self->memory, &h) == 0)
    t = fmax (t, base->t - h);
  flag = self->integrator->get_derivative (self->memory, t, 0, self->probe);
  if (flag != 0)
    return weir_sundials_fail (self, flag, error);
  memcpy (x, N_VGetArrayPointer (self->probe), size);
  return TRUE;
}

void
weir_sundials_fail_set_up (const WeirSundials *self, const char *name, GError *found,
                           GError **error)
{
  if (found != NULL)
    g_propagate_error (error, found);
  else if (self->message[0] != '\0')
    weir_error_set (error, WEIR_ERROR_FAILED, "%s cannot be set up for %u states: %s", name,
                    self->base.problem->n, self->message);
  else
    weir_error_set (error, WEIR_ERROR_FAILED, "%s cannot be set up for %u states", name,
                    self->base.problem->n);
}

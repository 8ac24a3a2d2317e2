/* What the solvers of SUNDIALS share. See sundials-private.h. */
#include "sim/sundials-private.h"

#include <math.h>
#include <string.h>

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

gboolean
weir_sundials_init_linear (WeirSundials *self, const char *name, GError **error)
{
  self->jacobian = weir_state_jacobian_new (name, self->base.problem, error);
  if (self->jacobian == NULL)
    return FALSE;
  self->matrix = weir_state_jacobian_new_matrix (self->jacobian, self->context);
  if (self->matrix != NULL)
    self->linear = weir_state_jacobian_new_linear_solver (self->jacobian, self->x, self->matrix,
                                                          self->context);
  if (self->linear == NULL)
    g_set_error (error, WEIR_ERROR, WEIR_ERROR_FAILED,
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
      WeirStopwatch *watch = &self->base.problem->jacobian_watch;
      gint64 begin;
      int flag;

      if (self->get_weights (self->memory, self->weight) != 0)
        return -1;
      /* gamma is the step times a number between 0.2 and 1. */
      begin = weir_stopwatch_begin (watch);
      flag = weir_state_jacobian_calc (self->jacobian, evaluate, self, t, N_VGetArrayPointer (x),
                                       N_VGetArrayPointer (xdot), N_VGetArrayPointer (self->weight),
                                       gamma);
      weir_stopwatch_end (watch, begin);
      if (flag != 0)
        return flag;
    }
  weir_state_jacobian_write (self->jacobian, gamma, matrix);
  return 0;
}

guint
weir_sundials_find_limiting_state (WeirSolver *base)
{
  WeirSundials *self = (WeirSundials *) base;

  if (self->get_errors (self->memory, self->probe) != 0
      || self->get_weights (self->memory, self->weight) != 0)
    return G_MAXUINT;
  return weir_problem_find_limiting_state (self->base.problem, N_VGetArrayPointer (self->probe),
                                           N_VGetArrayPointer (self->weight));
}

gboolean
weir_sundials_fail_at_wall (WeirSundials *self, GError **error)
{
  WeirProblem *problem = self->base.problem;
  double t = self->base.t;

  if (problem->failure[0] == '\0' || fabs (problem->failure_time - t) > 1e-9 * fmax (1, fabs (t)))
    return weir_problem_fail (problem, error, t, weir_sundials_find_limiting_state (&self->base),
                              "the step became too small for the tolerance");
  return weir_problem_fail_because (problem, error, t, G_MAXUINT,
                                    "no step is small enough for the model to have a value",
                                    problem->failure);
}

void
weir_sundials_fail_set_up (const WeirSundials *self, const char *name, GError *found,
                           GError **error)
{
  if (found != NULL)
    g_propagate_error (error, found);
  else
    g_set_error (error, WEIR_ERROR, WEIR_ERROR_FAILED, "%s cannot be set up for %u states%s%s",
                 name, self->base.problem->n, self->message[0] != '\0' ? ": " : "", self->message);
}

/* The solvers that there are, and what they share in reporting. */
#include <math.h>

#include "base/number.h"
#include "sim/solver-private.h"
#include "sim/vector.h"

typedef struct {
  WeirSolverInfo info;
  const WeirSolverClass *class;
} SolverEntry;

static const SolverEntry solvers[] = {
  { { "auto", "Automatic", "Dormand-Prince, and CVODE BDF once the model proves stiff.", 5, TRUE },
    &weir_auto_class },
  { { "dormand-prince", "Dormand–Prince 5(4)",
      "Explicit Runge–Kutta with error control; the first choice where nothing is stiff.", 5,
      TRUE },
    &weir_runge_kutta_class },
  { { "bogacki-shampine", "Bogacki–Shampine 3(2)",
      "Explicit Runge–Kutta with error control for loose tolerances.", 3, TRUE },
    &weir_runge_kutta_class },
  { { "cvode-adams", "CVODE Adams",
      "Multistep of variable order up to 12; few evaluations on smooth problems.", 12, TRUE },
    &weir_cvode_class },
  { { "cvode-bdf", "CVODE BDF", "Implicit multistep of variable order up to 5 for stiff problems.",
      5, TRUE },
    &weir_cvode_class },
  { { "ida", "IDA",
      "Implicit multistep of variable order up to 5 that integrates the signals of algebraic loops "
      "with the states.",
      5, TRUE },
    &weir_ida_class },
  { { "arkode-dirk", "ARKODE DIRK",
      "Implicit Runge–Kutta for stiff problems that are sampled often: a restart costs no order.",
      4, TRUE },
    &weir_arkode_class },
  { { "rk4", "Runge–Kutta 4", "The classic explicit method with a fixed step.", 4, FALSE },
    &weir_runge_kutta_class },
  { { "heun", "Heun", "Explicit trapezoid with a fixed step.", 2, FALSE },
    &weir_runge_kutta_class },
  { { "euler", "Euler", "The simplest method with a fixed step; for teaching.", 1, FALSE },
    &weir_runge_kutta_class },
  { { "semi-implicit-euler", "Semi-implicit Euler",
      "Velocities first, then positions with the new velocities, with a fixed step; keeps the "
      "energy of oscillations within bounds.",
      1, FALSE },
    &weir_semi_implicit_class },
};

#define STRETCH 0.01 /* of a step: a limit this close beyond its end is reached in one */

void
weir_grid_begin (WeirGrid *self, double t)
{
  if (!self->has_origin)
    *self = (WeirGrid) { t, TRUE };
}

double
weir_grid_next (const WeirGrid *self, const WeirProblem *problem, double t, double t_max)
{
  double step = MIN (problem->step, problem->max_step);
  double k = floor ((t - self->origin) / step + STRETCH) + 1;
  double next = self->origin + k * step;

  return t_max <= next + STRETCH * step ? t_max : next;
}

guint
weir_solver_get_n (void)
{
  return G_N_ELEMENTS (solvers);
}

const WeirSolverInfo *
weir_solver_get (guint i)
{
  g_return_val_if_fail (i < G_N_ELEMENTS (solvers), NULL);
  return &solvers[i].info;
}

static const SolverEntry *
find_entry (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (solvers); i++)
    if (g_str_equal (solvers[i].info.name, name))
      return &solvers[i];
  return NULL;
}

const WeirSolverInfo *
weir_solver_find (const char *name)
{
  const SolverEntry *entry = find_entry (name);

  return entry != NULL ? &entry->info : NULL;
}

WeirSolver *
weir_solver_new (const char *name, WeirProblem *problem, GError **error)
{
  const SolverEntry *entry = find_entry (name);

  g_assert (entry != NULL);
  return entry->class->make (&entry->info, problem, error);
}

void
weir_solver_free (WeirSolver *self)
{
  if (self != NULL)
    self->class->free (self);
}

void
weir_problem_note_failure (WeirProblem *self, double t)
{
  const char *why = weir_context_get_failure (self->context);

  g_strlcpy (self->failure, why != NULL ? why : "", sizeof self->failure);
  self->failure_time = t;
}

guint
weir_problem_find_limiting_state (const WeirProblem *self, const double *error,
                                  const double *weight)
{
  double largest = -1;
  guint found = 0;

  for (guint i = 0; i < self->n; i++)
    {
      double size = fabs (error[i] * weight[i]);

      if (!(size <= largest)) /* NaN is the largest of all */
        {
          found = i;
          largest = size;
          if (isnan (size))
            break;
        }
    }
  return found;
}

gboolean
weir_problem_fail (const WeirProblem *self, GError **error, double t, guint state, const char *what)
{
  return weir_problem_fail_because (self, error, t, state, what,
                                    weir_context_get_failure (self->context));
}

gboolean
weir_problem_fail_because (const WeirProblem *self, GError **error, double t, guint state,
                           const char *what, const char *why)
{
  char time[G_ASCII_DTOSTR_BUF_SIZE];
  g_autoptr (GString) text = NULL;

  if (weir_problem_is_cancelled (self))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the run was stopped");
      return FALSE;
    }
  text = g_string_new (what);
  g_string_append_printf (text, " at t = %s", weir_number_to_text (t, time));
  if (state != G_MAXUINT)
    {
      g_autofree char *name = weir_layout_dup_state_name (self->layout, state);

      g_string_append_printf (text, "; the state that limits it is %s", name);
    }
  if (why != NULL)
    g_string_append_printf (text, ": %s", why);
  g_set_error_literal (error, WEIR_ERROR, WEIR_ERROR_FAILED, text->str);
  return FALSE;
}

gboolean
weir_problem_check_finite (const WeirProblem *self, double t, const double *x, GError **error)
{
  guint i = 0;

  if (weir_vector_is_finite (self->n, x))
    return TRUE;
  while (isfinite (x[i]))
    i++;
  return weir_problem_fail (self, error, t, i, "the step led to a state that is not finite");
}

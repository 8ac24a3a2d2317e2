/* Explicit Runge-Kutta solvers from Butcher tables, with fixed or error-controlled steps.
 *
 * Invariants: x is the state at t; k[0] is f(t, x) where first_stage_known; after a step, the
 * stages k[] and x_previous describe it (for interpolation) until the next one begins. A rejected
 * trial leaves t, x and k[0] as they were.
 *
 * Error control: step-control.h.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "sim/butcher.h"
#include "sim/solver-private.h"
#include "sim/step-control.h"
#include "numerics/vector.h"

static const WeirSolverClass runge_kutta_class;

typedef struct {
  WeirSolver base;
  const WeirButcherTable *table;
  guint n;

  gboolean first_stage_known;
  WeirStepControl control;
  double h_taken; /* s; of the last step */
  gboolean estimates_stiffness;
  double stiffness; /* h |lambda| of the last step */

  WeirGrid grid; /* of fixed steps */

  double *k[WEIR_BUTCHER_MAX_STAGES];
  double *x_trial; /* where a stage is evaluated */
  double *x_new, *x_previous;
  double *error, *weight;
  double *end_derivative; /* for Hermite interpolation where no stage gives it */
  gboolean end_known;
  gboolean end_is_limited; /* it is the derivative just before a jump: of no use afterwards */
  double *memory;          /* holds all of these and base.x */
} RungeKutta;

static WeirSolver *
runge_kutta_make (const WeirSolverInfo *info, WeirProblem *problem, GError **error)
{
  const WeirButcherTable *table = weir_butcher_find (info->name);
  guint n_stages = table->n_stages + table->n_dense_stages, n_vectors = n_stages + 7;
  RungeKutta *self = g_new0 (RungeKutta, 1);
  double *next;

  self->base.class = &runge_kutta_class;
  self->base.problem = problem;
  self->table = table;
  self->estimates_stiffness = table->first_same_as_last && table->n_stages > 2
                              && table->c[table->n_stages - 2] == 1;
  weir_step_control_init (&self->control, table);
  self->n = problem->n;
  self->memory = g_try_malloc0_n (MAX (n_vectors * (gsize) self->n, 1), sizeof (double));
  if (self->memory == NULL)
    {
      weir_error_set (error, WEIR_ERROR_FAILED, "not enough memory for %s with %u states",
                      info->name, self->n);
      g_free (self);
      return NULL;
    }
  next = self->memory;
  for (guint i = 0; i < n_stages; i++, next += self->n)
    self->k[i] = next;
  self->base.x = next;
  self->x_trial = next + self->n;
  self->x_new = next + 2 * (gsize) self->n;
  self->x_previous = next + 3 * (gsize) self->n;
  self->error = next + 4 * (gsize) self->n;
  self->weight = next + 5 * (gsize) self->n;
  self->end_derivative = next + 6 * (gsize) self->n;
  return &self->base;
}

static void
runge_kutta_free (WeirSolver *base)
{
  RungeKutta *self = (RungeKutta *) base;

  g_free (self->memory);
  g_free (self);
}

static gboolean
runge_kutta_restart (WeirSolver *base, G_GNUC_UNUSED GError **error)
{
  RungeKutta *self = (RungeKutta *) base;

  weir_grid_begin (&self->grid, base->t);
  self->first_stage_known = FALSE;
  self->end_known = FALSE;
  self->h_taken = 0;
  return TRUE;
}

/* Computes the stages and x_new of a step of @h. FALSE: the model has no value at some stage. */
static gboolean
try_step (RungeKutta *self, double h)
{
  const WeirButcherTable *table = self->table;
  double factors[WEIR_BUTCHER_MAX_STAGES];
  guint n_stages = table->n_stages;

  for (guint i = 1; i < n_stages; i++)
    {
      gboolean is_end = table->first_same_as_last && i == n_stages - 1;
      double *x = is_end ? self->x_new : self->x_trial;

      for (guint j = 0; j < i; j++)
        factors[j] = h * table->a[i][j];
      weir_vector_combine (self->n, self->base.x, i, factors, (const double *const *) self->k, x);
      if (weir_problem_rhs (self->base.problem, self->base.t + table->c[i] * h, x, self->k[i])
          != WEIR_OK)
        return FALSE;
    }
  if (!table->first_same_as_last)
    {
      for (guint j = 0; j < n_stages; j++)
        factors[j] = h * table->b[j];
      weir_vector_combine (self->n, self->base.x, n_stages, factors,
                           (const double *const *) self->k, self->x_new);
    }
  return TRUE;
}

/* Computes the stages that only the continuous extension has. Not where somebody looks within the
 * step: looking changes nothing that the run counts. */
static gboolean
find_dense_stages (RungeKutta *self, double h)
{
  const WeirButcherTable *table = self->table;
  double factors[WEIR_BUTCHER_MAX_STAGES];

  for (guint i = table->n_stages; i < table->n_stages + table->n_dense_stages; i++)
    {
      for (guint j = 0; j < i; j++)
        factors[j] = h * table->a[i][j];
      weir_vector_combine (self->n, self->base.x, i, factors, (const double *const *) self->k,
                           self->x_trial);
      if (weir_problem_rhs (self->base.problem, self->base.t + table->c[i] * h, self->x_trial,
                            self->k[i])
          != WEIR_OK)
        return FALSE;
    }
  return TRUE;
}

/* The weighted norm of h sum of e_i k_i, which becomes the error. */
static double
combine_error (RungeKutta *self, double h, const double *e)
{
  double factors[WEIR_BUTCHER_MAX_STAGES];

  for (guint j = 0; j < self->table->n_stages; j++)
    factors[j] = h * e[j];
  weir_vector_combine (self->n, NULL, self->table->n_stages, factors,
                       (const double *const *) self->k, self->error);
  return weir_vector_wrms_norm (self->n, self->error, self->weight);
}

/* The weighted norm of the local error of a step of @h whose stages are there. */
static double
estimate_error (RungeKutta *self, double h, const double *before, const double *after)
{
  const WeirProblem *problem = self->base.problem;
  const WeirButcherTable *table = self->table;
  double norm, low;

  weir_problem_weigh (problem, before, after, problem->relative_tolerance,
                      problem->absolute_tolerance, self->weight);
  if (table->e_low[0] == 0)
    return combine_error (self, h, table->e);
  low = combine_error (self, h, table->e_low);
  norm = combine_error (self, h, table->e);
  if (norm == 0)
    return low * 0; /* NaN remains */
  return norm * (norm / hypot (norm, 0.1 * low));
}

/* The last two stages are at the same time and at two states that differ little: the ratio of
 * the differences estimates the dominant eigenvalue. x_trial still holds the state of the last
 * but one. */
static double
estimate_stiffness (RungeKutta *self, double h)
{
  guint last = self->table->n_stages - 1;
  double top, bottom;

  weir_vector_linear_sum (self->n, 1, self->k[last], -1, self->k[last - 1], self->error);
  top = weir_vector_wrms_norm (self->n, self->error, self->weight);
  weir_vector_linear_sum (self->n, 1, self->x_new, -1, self->x_trial, self->error);
  bottom = weir_vector_wrms_norm (self->n, self->error, self->weight);
  return bottom > 0 ? h * top / bottom : 0;
}

/* The stages of the last step are still there. */
static guint
runge_kutta_find_limiting_state (WeirSolver *base)
{
  RungeKutta *self = (RungeKutta *) base;

  if (self->table->error_order == 0 || self->h_taken <= 0)
    return G_MAXUINT;
  estimate_error (self, self->h_taken, self->x_previous, base->x);
  return weir_problem_find_limiting_state (base->problem, self->error, self->weight);
}

static void
accept (RungeKutta *self, double t, double h)
{
  double *old = self->x_previous;

  /* x_previous <- x <- x_new, the old buffer is free for the next trial. */
  self->x_previous = self->base.x;
  self->base.x = self->x_new;
  self->x_new = old;
  self->base.t_previous = self->base.t;
  self->base.t = t;
  self->h_taken = h;
  self->end_known = FALSE;
  self->first_stage_known = FALSE;
}

/* Makes k[0] = f(t, x). */
static gboolean
begin_step (RungeKutta *self, GError **error)
{
  WeirSolver *base = &self->base;
  guint last = self->table->n_stages - 1;

  if (self->first_stage_known)
    return TRUE;
  if (self->h_taken > 0 && self->table->first_same_as_last)
    {
      double *first = self->k[0];

      self->k[0] = self->k[last];
      self->k[last] = first;
    }
  else if (self->h_taken > 0 && self->end_known && !self->end_is_limited)
    memcpy (self->k[0], self->end_derivative, self->n * sizeof (double));
  else if (weir_problem_rhs (base->problem, base->t, base->x, self->k[0]) != WEIR_OK)
    return weir_problem_fail (base->problem, error, base->t, G_MAXUINT,
                              weir_phrase (N_ ("the derivatives cannot be computed")));
  self->h_taken = 0; /* the last step's stages are given up */
  self->first_stage_known = TRUE;
  return TRUE;
}

/* A first step by the sizes of x, f and an estimate of f'; limited by @most. */
static double
choose_first_step (RungeKutta *self, double most)
{
  WeirSolver *base = &self->base;
  const WeirProblem *problem = base->problem;
  double size, slope, bend, h;

  weir_problem_weigh (problem, base->x, base->x, problem->relative_tolerance,
                      problem->absolute_tolerance, self->weight);
  size = weir_vector_wrms_norm (self->n, base->x, self->weight);
  slope = weir_vector_wrms_norm (self->n, self->k[0], self->weight);
  h = weir_first_probe (size, slope, most);
  weir_vector_linear_sum (self->n, 1, base->x, h, self->k[0], self->x_trial);
  if (weir_problem_rhs (base->problem, base->t + h, self->x_trial, self->end_derivative) != WEIR_OK)
    return h;
  weir_vector_linear_sum (self->n, 1, self->end_derivative, -1, self->k[0], self->error);
  bend = weir_vector_wrms_norm (self->n, self->error, self->weight) / h;
  return weir_first_step (h, slope, bend, self->table->order, most);
}

static gboolean
step_adaptive (RungeKutta *self, double t_max, GError **error)
{
  WeirSolver *base = &self->base;
  WeirProblem *problem = base->problem;
  WeirStepControl *control = &self->control;
  gboolean was_rejected = FALSE, has_value = TRUE;

  if (control->h <= 0)
    control->h = choose_first_step (self, MIN (problem->max_step, t_max - base->t));
  for (;;)
    {
      WeirStepLength trial = weir_limit_step (base->t, control->h, t_max, problem->max_step);
      double h = trial.h, norm;

      if (!trial.reaches && h < trial.floor)
        return weir_problem_fail (
            problem, error, base->t,
            has_value ? weir_problem_find_limiting_state (problem, self->error, self->weight)
                      : G_MAXUINT,
            has_value ? weir_phrase (N_ ("the step became too small for the tolerance"))
                      : weir_phrase (N_ ("no step is small enough for the model to have a value")));
      has_value = try_step (self, h);
      norm = has_value ? estimate_error (self, h, base->x, self->x_new) : 0;
      if (has_value && norm <= 1)
        {
          if (self->estimates_stiffness)
            self->stiffness = estimate_stiffness (self, h);
          has_value = find_dense_stages (self, h);
        }
      if (weir_problem_is_cancelled (problem))
        return weir_problem_fail (problem, error, base->t, G_MAXUINT, "");
      if (!has_value)
        {
          control->h = WEIR_FAILED_FACTOR * h;
          problem->statistics->rejected_steps++;
          was_rejected = TRUE;
          if (h < trial.floor)
            return weir_problem_fail (
                problem, error, base->t, G_MAXUINT,
                weir_phrase (N_ ("no step is small enough for the model to have a value")));
          continue;
        }
      if (!(norm <= 1)) /* NaN too */
        {
          weir_step_control_reject (control, &trial, norm);
          problem->statistics->rejected_steps++;
          was_rejected = TRUE;
          if (h < trial.floor)
            return weir_problem_fail (
                problem, error, base->t,
                weir_problem_find_limiting_state (problem, self->error, self->weight),
                weir_phrase (N_ ("the step became too small for the tolerance")));
          continue;
        }
      weir_step_control_accept (control, &trial, norm, was_rejected);
      accept (self, trial.reaches ? t_max : base->t + h, h);
      return TRUE;
    }
}

static gboolean
step_fixed (RungeKutta *self, double t_max, GError **error)
{
  WeirSolver *base = &self->base;
  WeirProblem *problem = base->problem;
  double t = weir_grid_next (&self->grid, MIN (problem->step, problem->max_step), base->t, t_max);

  if (!try_step (self, t - base->t))
    return weir_problem_fail (
        problem, error, base->t, G_MAXUINT,
        weir_phrase (N_ ("the derivatives cannot be computed within the step")));
  if (!weir_problem_check_finite (problem, base->t, self->x_new, error))
    return FALSE;
  accept (self, t, t - base->t);
  return TRUE;
}

static gboolean
runge_kutta_step (WeirSolver *base, double t_max, GError **error)
{
  RungeKutta *self = (RungeKutta *) base;

  if (!begin_step (self, error))
    return FALSE;
  return self->table->error_order > 0 ? step_adaptive (self, t_max, error)
                                      : step_fixed (self, t_max, error);
}

/* f at the end of the last step. */
static const double *
find_end_derivative (RungeKutta *self, GError **error)
{
  WeirSolver *base = &self->base;

  if (self->table->first_same_as_last)
    return self->k[self->table->n_stages - 1];
  if (!self->end_known)
    {
      if (weir_problem_rhs (base->problem, base->t, base->x, self->end_derivative) != WEIR_OK)
        {
          weir_problem_fail (base->problem, error, base->t, G_MAXUINT,
                             weir_phrase (N_ ("the derivatives cannot be computed")));
          return NULL;
        }
      self->end_known = TRUE;
      self->end_is_limited = base->problem->ends_at_jump;
    }
  return self->end_derivative;
}

static gboolean
runge_kutta_interpolate (WeirSolver *base, double t, double *x, GError **error)
{
  RungeKutta *self = (RungeKutta *) base;
  const WeirButcherTable *table = self->table;
  double h = self->h_taken;

  if (h <= 0 || t == base->t) /* right after a restart there is only the point itself */
    {
      memcpy (x, base->x, self->n * sizeof *x);
      return TRUE;
    }

  double theta = (t - base->t_previous) / h;

  if (table->n_dense > 0)
    {
      guint n_stages = table->n_stages + table->n_dense_stages;
      double factors[WEIR_BUTCHER_MAX_STAGES];

      for (guint i = 0; i < n_stages; i++)
        {
          double sum = 0;

          for (guint j = table->n_dense; j > 0; j--)
            sum = (sum + table->dense[i][j - 1]) * theta;
          factors[i] = h * sum;
        }
      weir_vector_combine (self->n, self->x_previous, n_stages, factors,
                           (const double *const *) self->k, x);
    }
  else
    {
      const double *end = find_end_derivative (self, error);

      if (end == NULL)
        return FALSE;
      weir_vector_hermite (self->n, theta, h, self->x_previous, self->k[0], base->x, end, x);
    }
  return TRUE;
}

double
weir_runge_kutta_get_stiffness (WeirSolver *base)
{
  return ((RungeKutta *) base)->stiffness;
}

/* Grid, step control, and the derivative with which the next step begins. */
#define SAVED_TYPE "(bdddad)"

static GVariant *
runge_kutta_save (WeirSolver *base)
{
  RungeKutta *self = (RungeKutta *) base;
  const double *first = NULL;

  if (self->first_stage_known)
    first = self->k[0];
  else if (self->h_taken > 0 && self->table->first_same_as_last)
    first = self->k[self->table->n_stages - 1];
  else if (self->h_taken > 0 && self->end_known && !self->end_is_limited)
    first = self->end_derivative;
  return g_variant_new ("(bddd@ad)", self->grid.has_origin, self->grid.origin, self->control.h,
                        self->control.error_before,
                        g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, first,
                                                   first != NULL ? self->n : 0, sizeof *first));
}

static gboolean
runge_kutta_load (WeirSolver *base, GVariant *saved)
{
  RungeKutta *self = (RungeKutta *) base;
  g_autoptr (GVariant) first = NULL;
  const double *derivative;
  gsize n;

  if (!g_variant_is_of_type (saved, G_VARIANT_TYPE (SAVED_TYPE)))
    return FALSE;
  g_variant_get (saved, "(bddd@ad)", &self->grid.has_origin, &self->grid.origin, &self->control.h,
                 &self->control.error_before, &first);
  derivative = g_variant_get_fixed_array (first, &n, sizeof *derivative);
  self->first_stage_known = n > 0 && n == self->n;
  if (self->first_stage_known)
    memcpy (self->k[0], derivative, n * sizeof *derivative);
  return TRUE;
}

static const WeirSolverClass runge_kutta_class = {
  .make = runge_kutta_make,
  .restart = runge_kutta_restart,
  .step = runge_kutta_step,
  .interpolate = runge_kutta_interpolate,
  .find_limiting_state = runge_kutta_find_limiting_state,
  .save = runge_kutta_save,
  .load = runge_kutta_load,
  .free = runge_kutta_free,
};

/* --- Methods --------------------------------------------------------------------------------- */

/* Sources: Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, II.1 and II.5;
 * Bogacki & Shampine, Appl. Math. Lett. 2 (1989); Dormand & Prince, J. Comp. Appl. Math. 6 (1980),
 * with the continuous extension of Shampine, Math. Comp. 46 (1986); the method of order 8 of
 * Dormand and Prince with the estimates and the continuous extension of order 7 of Hairer, Norsett
 * & Wanner, II.5, II.6 and II.10, whose coefficients by powers of theta follow from their nested
 * form.
 */
static const WeirButcherTable tables[] = {
  {
      .name = "euler",
      .n_stages = 1,
      .order = 1,
      .b = { 1 },
      /* Slopes at both ends, which the step did not follow, would bend what stands still. */
      .n_dense = 1,
      .dense = { { 1 } },
  },
  {
      .name = "heun",
      .n_stages = 2,
      .order = 2,
      .c = { 0, 1 },
      .a = { { 0 }, { 1 } },
      .b = { 0.5, 0.5 },
  },
  {
      .name = "rk4",
      .n_stages = 4,
      .order = 4,
      .c = { 0, 0.5, 0.5, 1 },
      .a = { { 0 }, { 0.5 }, { 0, 0.5 }, { 0, 0, 1 } },
      .b = { 1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6 },
  },
  {
      .name = "bogacki-shampine",
      .n_stages = 4,
      .order = 3,
      .error_order = 2,
      .first_same_as_last = TRUE,
      .c = { 0, 1.0 / 2, 3.0 / 4, 1 },
      .a = { { 0 }, { 1.0 / 2 }, { 0, 3.0 / 4 }, { 2.0 / 9, 1.0 / 3, 4.0 / 9 } },
      .b = { 2.0 / 9, 1.0 / 3, 4.0 / 9, 0 },
      .e = { 2.0 / 9 - 7.0 / 24, 1.0 / 3 - 1.0 / 4, 4.0 / 9 - 1.0 / 3, -1.0 / 8 },
  },
  {
      .name = "dormand-prince",
      .n_stages = 7,
      .order = 5,
      .error_order = 4,
      .first_same_as_last = TRUE,
      .c = { 0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1 },
      .a = { { 0 },
             { 1.0 / 5 },
             { 3.0 / 40, 9.0 / 40 },
             { 44.0 / 45, -56.0 / 15, 32.0 / 9 },
             { 19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729 },
             { 9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656 },
             { 35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84 } },
      .b = { 35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0 },
      .e = { 71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525,
             -1.0 / 40 },
      .n_dense = 4,
      .dense = { { 1, -8048581381.0 / 2820520608, 8663915743.0 / 2820520608,
                   -12715105075.0 / 11282082432 },
                 { 0 },
                 { 0, 131558114200.0 / 32700410799, -68118460800.0 / 10900136933,
                   87487479700.0 / 32700410799 },
                 { 0, -1754552775.0 / 470086768, 14199869525.0 / 1410260304,
                   -10690763975.0 / 1880347072 },
                 { 0, 127303824393.0 / 49829197408, -318862633887.0 / 49829197408,
                   701980252875.0 / 199316789632 },
                 { 0, -282668133.0 / 205662961, 2019193451.0 / 616988883,
                   -1453857185.0 / 822651844 },
                 { 0, 40617522.0 / 29380423, -110615467.0 / 29380423, 69997945.0 / 29380423 } },
  },
  {
      .name = "dop853",
      .n_stages = 13,
      .n_dense_stages = 3,
      .order = 8,
      .error_order = 7,
      .first_same_as_last = TRUE,
      .c = { 0, 0.052600151958767731879, 0.078900227938151597818, 0.11835034190722739673,
             0.28164965809277260327, 1.0 / 3, 0.25, 4.0 / 13, 127.0 / 195, 0.6, 6.0 / 7, 1, 1, 0.1,
             0.2, 7.0 / 9 },
      .a = { { 0 },
             { 0.052600151958767731879 },
             { 0.019725056984537899454, 0.059175170953613698363 },
             { 0.029587585476806849182, 0, 0.088762756430420547545 },
             { 0.24136513415926668550, 0, -0.88454947932828608534, 0.92483400326179200312 },
             { 1.0 / 27, 0, 0, 0.17082860872947387128, 0.12546768756682242502 },
             { 0.037109375, 0, 0, 0.17025221101954403931, 0.060216538980455960685, -0.017578125 },
             { 0.037092000118504792711, 0, 0, 0.17038392571223999381, 0.10726203044637328465,
               -0.015319437748624401753, 0.0082737891638140228876 },
             { 0.62411095871607571711, 0, 0, -3.3608926294469412941, -0.86821934684172600682,
               27.592099699446708305, 20.154067550477893409, -43.489884181069958848 },
             { 0.47766253643826436589, 0, 0, -2.4881146199716676419, -0.59029082683684299637,
               21.230051448181194235, 15.279233632882423583, -33.288210968984862919,
               -0.020331201708508626136 },
             { -0.93714243008598732572, 0, 0, 5.1863724288440637083, 1.0914373489967295782,
               -8.1497870107469261251, -18.520065659996959864, 22.739487099350504282,
               2.4936055526796523899, -3.0467644718982195004 },
             { 2.2733101475165382079, 0, 0, -10.534495466737250198, -2.0008720582248624991,
               -17.958931863118798917, 27.948884529419960051, -2.8589982771350236947,
               -8.8728569335306295443, 12.360567175794303065, 0.64339274601576353036 },
             { 0.054293734116568762238, 0, 0, 0, 0, 4.4503128927524088814, 1.8915178993145003830,
               -5.8012039600105847815, 0.31116436695781989441, -0.15216094966251607856,
               0.20136540080403034837, 0.044710615727772590518 },
             { 0.056167502283047952339, 0, 0, 0, 0, 0, 0.25350021021662481109,
               -0.24623903747080248992, -0.12419142326381636047, 0.15329179827876569731,
               0.0082010522956346898849, 0.0075678976605456997614, -0.008298 },
             { 0.031834648163502140506, 0, 0, 0, 0, 0.028300909672366775529,
               0.053541988307438567622, -0.054923748571390988465, 0, 0, -0.00010834732869724932286,
               0.00038257109083565841295, -0.00034046500868740456080, 0.14131244367463250028 },
             { -0.42889630158379192341, 0, 0, 0, 0, -4.6976214153611638431, 7.6834211960625990418,
               4.0689898183971100797, 0.35672718745528110927, 0, 0, 0, -0.0013990241651590146213,
               2.9475147891527723390, -9.1509584721798700108 } },
      .b = { 0.054293734116568762238, 0, 0, 0, 0, 4.4503128927524088814, 1.8915178993145003830,
             -5.8012039600105847815, 0.31116436695781989441, -0.15216094966251607856,
             0.20136540080403034837, 0.044710615727772590518, 0 },
      .e = { 0.013120044994194880733, 0, 0, 0, 0, -1.2251564463762044407, -0.49575894965725019152,
             1.6643771824549865370, -0.35032884874997368169, 0.33417911871301747903,
             0.081923206485115712466, -0.022355307863886295259, 0 },
      .e_low = { -0.18980075407240761571, 0, 0, 0, 0, 4.4503128927524088814, 1.8915178993145003830,
                 -5.8012039600105847815, -0.42268232132379196293, -0.15216094966251607856,
                 0.20136540080403034837, 0.022651792198360825812, 0 },
      .n_dense = 7,
      .dense = { { 1, -10.266057073759306578, 48.161850968566456630, -114.93304874997833254,
                   147.46446875669768308, -97.066853630113680831, 25.693933462703749003 },
                 { 0 },
                 { 0 },
                 { 0 },
                 { 0 },
                 { 0, 13.917653631776604414, -154.78787266663715597, 522.92190896082187491,
                   -456.25918840208781255, -75.531937321357535671, 154.18974869023643374 },
                 { 0, 2.6056037519936094578, -21.622822384626504227, 2.5351820289667551482,
                   292.25417465990406253, -505.40999933296891820, 231.52937917604549568 },
                 { 0, -15.018944223519684516, 160.09447708973047612, -474.30718260376434781,
                   135.96036916173837287, 545.10919452641872234, -357.63911791061412378 },
                 { 0, 3.0505276833184879599, -38.543967291890632505, 174.47140009219884073,
                   -337.05134702387712643, 291.78987509083256014, -93.405324183624310004 },
                 { 0, -1.3278744327655212277, 16.661770430049541997, -74.440278141263033878,
                   140.75210016191606336, -119.25620210405119949, 37.458323136451633157 },
                 { 0, 2.8445336326728793210, -36.558295489910119271, 170.69007169147513661,
                   -345.97484854804955106, 313.29955362357798519, -104.09964950896230045 },
                 { 0, 0.76571062595278658971, -9.9069955356193663694, 46.802991918874394725,
                   -96.519869466995704280, 88.743166500176165049, -29.840293426660503123 },
                 { 0, -1.0889903364513333108, 14.097013042320002101, -66.682305912943639618,
                   137.96299063474374993, -127.82216401767992286, 43.533456590011143754 },
                 { 0, 18.148505520854727257, -127.63310949253875295, 357.34195161296572783,
                   -500.70315079092238880, 349.17035710882896960, -96.324553959188282948 },
                 { 0, -9.1946323924783554000, 93.356745932789393432, -282.62726187043632085,
                   361.14007718803332216, -201.85219053352347851, 39.177261675615439165 },
                 { 0, -4.4360363875948939664, 56.681205397766661013, -261.77342902691705527,
                   520.97422366889932918, -461.17279991013966677, 149.72683625798562581 } },
  },
};

guint
weir_butcher_get_n (void)
{
  return G_N_ELEMENTS (tables);
}

const WeirButcherTable *
weir_butcher_get (guint i)
{
  return &tables[i];
}

const WeirButcherTable *
weir_butcher_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (g_str_equal (tables[i].name, name))
      return &tables[i];
  return NULL;
}

WEIR_SOLVERS (
    runge_kutta,
    { { "dormand-prince", "Dormand–Prince 5(4)",
        "Explicit Runge–Kutta with error control; the first choice where nothing is stiff.", 5,
        TRUE },
      &runge_kutta_class },
    { { "bogacki-shampine", "Bogacki–Shampine 3(2)",
        "Explicit Runge–Kutta with error control for loose tolerances.", 3, TRUE },
      &runge_kutta_class },
    { { "dop853", "Dormand–Prince 8(5,3)",
        "Explicit Runge–Kutta of high order with error control, for tight tolerances.", 8, TRUE },
      &runge_kutta_class },
    { { "rk4", "Runge–Kutta 4", "The classic explicit method with a fixed step.", 4, FALSE },
      &runge_kutta_class },
    { { "heun", "Heun", "Explicit trapezoid with a fixed step.", 2, FALSE }, &runge_kutta_class },
    { { "euler", "Euler", "The simplest method with a fixed step; for teaching.", 1, FALSE },
      &runge_kutta_class });

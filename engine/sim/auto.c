/* The automatic choice: Dormand-Prince, and CVODE BDF where the model is stiff.
 *
 * Dormand-Prince gives way where stability and not accuracy keeps its steps short. Two things show
 * that. At loose tolerances h |lambda| stands at the edge of the stability region, 3.3: as in
 * Hairer & Wanner, Solving ODEs II, IV.2, fifteen such steps, never interrupted by six others in a
 * row. At tight ones the estimate of the error settles before that, and h |lambda| anywhere above
 * one; then it is compared what each method could do (Petzold, SIAM J. Sci. Stat. Comput. 4, 1983):
 * where states that lie SPACING steps apart are on a polynomial within the tolerance, BDF, which
 * steps along such polynomials, could have gone as far in one step.
 *
 * BDF gives way where its steps have been so short for long that they would be stable with
 * Dormand-Prince too: h |lambda| below one, lambda by the power method on differences of the
 * derivatives (Sommeijer, Shampine & Verwer, J. Comp. Appl. Math. 88, 1998). Just after a restart
 * its steps are short anyway, so that many in a row are needed.
 *
 * It stays with Dormand-Prince where BDF is refused. Making the second solver is the one
 * allocation after the start.
 */
#include "sim/solver-private.h"

#include <float.h>
#include <math.h>

#include "base/error.h"
#include "base/text.h"
#include "numerics/vector.h"

static const WeirSolverClass auto_class;

#define STABILITY_EDGE 3.25
#define STIFF_STEPS 15
#define EASY_STEPS 6

#define SUSPECT 1.0          /* h |lambda| from which on states are compared ... */
#define SPACING 4            /* ... that lie so many steps apart */
#define N_SAMPLES 6          /* of them: polynomials up to degree 5 */
#define LEAST_DEGREE 2       /* of a polynomial that is looked at */
#define POLYNOMIAL_SHARE 0.1 /* of the tolerance: as BDF is held to */

#define CALM_STEPS 10 /* of BDF between two looks at lambda */
#define CALM_CHECKS 8 /* in a row, to believe that the stiffness is over */
#define PAYS 2.0      /* steps of Dormand-Prince for one of BDF */
#define MOST_PATIENCE 1024
#define CALM 1.0 /* h |lambda| */

typedef struct {
  WeirSolver base;                          /* time and state are the active solver's */
  WeirSolver *active, *explicit, *implicit; /* implicit: NULL until it is needed */
  guint n_stiff, n_easy;
  guint patience;          /* how much more it takes to be stiff, after changes that did not pay */
  gboolean stays_explicit; /* BDF was refused for this model */

  guint n_suspect; /* steps in a row */
  guint n_smooth;  /* looks in a row at which states were on a polynomial */
  guint n_samples; /* the last is the latest */
  double sample_times[N_SAMPLES];
  double *samples[N_SAMPLES];

  double h_before, t_before; /* s; of Dormand-Prince's last step, and where it ended */
  guint64 n_implicit;        /* steps of BDF since */
  guint n_steps;             /* of BDF since the last look */
  guint n_calm;              /* looks in a row */
  gboolean has_direction;
  double *direction;    /* where the derivatives change most, as far as is known */
  double *xdot, *moved; /* to work with */
  double *weight;
  double *memory; /* holds all of these */
} Auto;

static void
follow (Auto *self)
{
  self->base.t = self->active->t;
  self->base.t_previous = self->active->t_previous;
  self->base.x = self->active->x;
  self->base.is_multistep = self->active->is_multistep;
}

static void
forget_samples (Auto *self)
{
  self->n_suspect = self->n_smooth = self->n_samples = 0;
}

static void
forget_search (Auto *self)
{
  forget_samples (self);
  self->n_steps = self->n_calm = 0;
}

static WeirSolver *
auto_make (const WeirSolverInfo *info, WeirProblem *problem, GError **error)
{
  WeirSolver *active = weir_solver_new ("dormand-prince", problem, error);
  gsize n = problem->n;
  Auto *self;

  if (active == NULL)
    return NULL;
  self = g_new0 (Auto, 1);
  self->base.class = &auto_class;
  self->base.problem = problem;
  self->active = self->explicit = active;
  self->patience = 1;
  self->memory = g_try_malloc0_n (MAX ((N_SAMPLES + 4) * n, 1), sizeof (double));
  if (self->memory == NULL)
    {
      weir_error_set (error, WEIR_ERROR_FAILED, "not enough memory for %s with %u states",
                      info->name, problem->n);
      weir_solver_free (active);
      g_free (self);
      return NULL;
    }
  for (guint i = 0; i < N_SAMPLES; i++)
    self->samples[i] = self->memory + i * n;
  self->direction = self->memory + N_SAMPLES * n;
  self->xdot = self->direction + n;
  self->moved = self->xdot + n;
  self->weight = self->moved + n;
  follow (self);
  return &self->base;
}

static void
auto_free (WeirSolver *base)
{
  Auto *self = (Auto *) base;

  weir_solver_free (self->explicit);
  weir_solver_free (self->implicit);
  g_free (self->memory);
  g_free (self);
}

/* Has BDF, to @t, gone further than Dormand-Prince would have with the same work? If not, it takes
 * more to be called again. */
static gboolean
has_paid (Auto *self, double t)
{
  double replaced = (t - self->t_before) / self->h_before;
  gboolean pays = replaced >= PAYS * (double) self->n_implicit;

  if (pays)
    self->patience = 1;
  else if (self->patience < MOST_PATIENCE)
    self->patience *= 2;
  return pays;
}

static gboolean
auto_restart (WeirSolver *base, GError **error)
{
  Auto *self = (Auto *) base;
  double t = base->t;
  const double *x = base->x;
  gboolean ok;

  /* A restart is dear for BDF: where they are frequent it may do worse, however stiff the model. */
  if (self->active == self->implicit && self->n_implicit > 0 && !has_paid (self, t))
    self->active = self->explicit;
  ok = weir_solver_restart (self->active, t, x, error);
  self->t_before = t;
  self->n_implicit = 0;
  forget_search (self);
  follow (self);
  return ok;
}

/* --- From Dormand-Prince to BDF -------------------------------------------------------------- */

/* FALSE and @error unless it is there, or BDF is refused for good. */
static gboolean
make_implicit (Auto *self, GError **error)
{
  g_autoptr (GError) refusal = NULL;

  if (self->implicit == NULL)
    self->implicit = weir_solver_new ("cvode-bdf", self->base.problem, &refusal);
  if (self->implicit != NULL)
    return TRUE;
  self->stays_explicit = g_error_matches (refusal, WEIR_ERROR, WEIR_ERROR_INVALID);
  if (!self->stays_explicit)
    g_propagate_error (error, g_steal_pointer (&refusal));
  return self->stays_explicit;
}

static gboolean
switch_to (Auto *self, WeirSolver *solver, GError **error)
{
  if (!weir_solver_restart (solver, self->active->t, self->active->x, error))
    return FALSE;
  self->active = solver;
  self->n_stiff = self->n_easy = self->n_steps = self->n_calm = 0;
  self->has_direction = FALSE;
  forget_samples (self);
  self->base.problem->statistics->reinitialisations++;
  follow (self);
  return TRUE;
}

/* The state now less what the polynomial through the last @degree + 1 samples says of it. */
static double
calc_deviation (Auto *self, guint degree)
{
  guint n = self->base.problem->n, first = self->n_samples - degree - 1;
  double factors[N_SAMPLES];

  for (guint i = 0; i <= degree; i++)
    {
      factors[i] = -1;
      for (guint j = 0; j <= degree; j++)
        if (j != i)
          factors[i] *= (self->base.t - self->sample_times[first + j])
                        / (self->sample_times[first + i] - self->sample_times[first + j]);
    }
  weir_vector_combine (n, self->base.x, degree + 1, factors,
                       (const double *const *) self->samples + first, self->moved);
  return weir_vector_wrms_norm (n, self->moved, self->weight);
}

/* Could BDF go from sample to sample? Its error with order k is the deviation / (k + 1). */
static gboolean
is_on_polynomial (Auto *self)
{
  const WeirProblem *problem = self->base.problem;

  weir_problem_weigh (problem, self->base.x, self->base.x, problem->relative_tolerance,
                      problem->absolute_tolerance, self->weight);
  for (guint degree = LEAST_DEGREE; degree < self->n_samples && degree < N_SAMPLES; degree++)
    if (calc_deviation (self, degree) <= POLYNOMIAL_SHARE * (degree + 1))
      return TRUE;
  return FALSE;
}

static void
take_sample (Auto *self)
{
  double *oldest = self->samples[0];

  if (self->n_samples == N_SAMPLES)
    {
      memmove (self->samples, self->samples + 1, (N_SAMPLES - 1) * sizeof *self->samples);
      memmove (self->sample_times, self->sample_times + 1,
               (N_SAMPLES - 1) * sizeof *self->sample_times);
      self->samples[N_SAMPLES - 1] = oldest;
      self->n_samples--;
    }
  memcpy (self->samples[self->n_samples], self->base.x, self->base.problem->n * sizeof (double));
  self->sample_times[self->n_samples++] = self->base.t;
}

static gboolean
is_stiff (const Auto *self)
{
  return self->n_stiff >= STIFF_STEPS * self->patience || self->n_smooth >= self->patience;
}

/* Looks at the last step. @t_max, or the longest step, may have been what kept it short. */
static void
look_for_stiffness (Auto *self, double t_max)
{
  const WeirSolver *base = &self->base;
  double stiffness = weir_runge_kutta_get_stiffness (self->active);
  gboolean is_cut = base->t >= t_max
                    || base->t - base->t_previous >= 0.99 * base->problem->max_step;

  if (stiffness > STABILITY_EDGE)
    {
      self->n_easy = 0;
      self->n_stiff++;
    }
  else if (++self->n_easy >= EASY_STEPS)
    self->n_stiff = 0;
  if (is_cut || stiffness <= SUSPECT)
    forget_samples (self);
  else if (self->n_suspect++ % SPACING == 0)
    {
      if (self->n_samples > LEAST_DEGREE && is_on_polynomial (self))
        self->n_smooth++;
      else
        self->n_smooth = 0;
      take_sample (self);
    }
}

/* --- And back -------------------------------------------------------------------------------- */

/* h |lambda| of the last step, by one step of the power method; 0 where that says nothing. */
static double
estimate_stiffness (Auto *self)
{
  WeirProblem *problem = self->base.problem;
  guint n = problem->n;
  double size, step, rate;

  weir_problem_weigh (problem, self->base.x, self->base.x, problem->relative_tolerance,
                      problem->absolute_tolerance, self->weight);
  if (weir_problem_rhs (problem, self->base.t, self->base.x, self->xdot) != WEIR_OK)
    return INFINITY;
  if (!self->has_direction)
    memcpy (self->direction, self->xdot, n * sizeof *self->xdot);
  size = weir_vector_wrms_norm (n, self->direction, self->weight);
  if (!(size > 0) || !isfinite (size))
    return INFINITY;
  /* As far as the tolerance: rounding is small beside that, and so is the bend. */
  step = 1 / size;
  weir_vector_linear_sum (n, 1, self->base.x, step, self->direction, self->moved);
  if (weir_problem_rhs (problem, self->base.t, self->moved, self->direction) != WEIR_OK)
    return INFINITY;
  weir_vector_linear_sum (n, 1, self->direction, -1, self->xdot, self->direction);
  self->has_direction = TRUE;
  rate = weir_vector_wrms_norm (n, self->direction, self->weight);
  if (!(rate > 0) || !isfinite (rate))
    self->has_direction = FALSE;
  return (self->base.t - self->base.t_previous) * rate;
}

static void
look_for_calm (Auto *self)
{
  self->n_implicit++;
  if (++self->n_steps < CALM_STEPS)
    return;
  self->n_steps = 0;
  if (estimate_stiffness (self) < CALM)
    self->n_calm++;
  else
    self->n_calm = 0;
}

static gboolean
go_implicit (Auto *self, GError **error)
{
  self->t_before = self->base.t;
  self->h_before = self->base.t - self->base.t_previous;
  self->n_implicit = 0;
  return make_implicit (self, error)
         && (self->implicit == NULL || switch_to (self, self->implicit, error));
}

static gboolean
go_explicit (Auto *self, GError **error)
{
  has_paid (self, self->base.t);
  return switch_to (self, self->explicit, error);
}

static gboolean
auto_step (WeirSolver *base, double t_max, GError **error)
{
  Auto *self = (Auto *) base;

  if (self->active == self->explicit && is_stiff (self) && !self->stays_explicit)
    {
      if (!go_implicit (self, error))
        return FALSE;
    }
  else if (self->active == self->implicit && self->n_calm >= CALM_CHECKS
           && !go_explicit (self, error))
    return FALSE;
  if (!weir_solver_step (self->active, t_max, error))
    {
      follow (self);
      return FALSE;
    }
  follow (self);
  if (self->active == self->explicit && !self->stays_explicit)
    look_for_stiffness (self, t_max);
  else if (self->active == self->implicit)
    look_for_calm (self);
  return TRUE;
}

static gboolean
auto_interpolate (WeirSolver *base, double t, double *x, GError **error)
{
  Auto *self = (Auto *) base;

  return weir_solver_interpolate (self->active, t, x, error);
}

static guint
auto_find_limiting_state (WeirSolver *base)
{
  return weir_solver_find_limiting_state (((Auto *) base)->active);
}

/* How far the search for stiffness is, with its samples, and what Dormand-Prince needs; no variant
 * after it: BDF is at work. */
#define SAVED_TYPE "(uuubuudadadmv)"

static GVariant *
auto_save (WeirSolver *base)
{
  Auto *self = (Auto *) base;
  gboolean is_explicit = self->active == self->explicit;
  GVariant *inner = is_explicit ? self->active->class->save (self->active) : NULL;
  gsize n = base->problem->n;
  g_autofree double *samples = g_new (double, self->n_samples *n + 1);

  for (guint i = 0; i < self->n_samples; i++)
    memcpy (samples + i * n, self->samples[i], n * sizeof *samples);
  return g_variant_new ("(uuubuud@ad@ad@mv)", self->n_stiff, self->n_easy, self->patience,
                        self->stays_explicit, self->n_suspect, self->n_smooth, self->h_before,
                        g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, self->sample_times,
                                                   self->n_samples, sizeof (double)),
                        g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, samples,
                                                   self->n_samples * n, sizeof (double)),
                        g_variant_new_maybe (G_VARIANT_TYPE_VARIANT,
                                             inner != NULL ? g_variant_new_variant (inner) : NULL));
}

static gboolean
load_samples (Auto *self, GVariant *times, GVariant *samples)
{
  gsize n_times, n_values, n = self->base.problem->n;
  const double *time = g_variant_get_fixed_array (times, &n_times, sizeof *time);
  const double *values = g_variant_get_fixed_array (samples, &n_values, sizeof *values);

  if (n_times > N_SAMPLES || n_values != n_times * n)
    return FALSE;
  self->n_samples = (guint) n_times;
  for (gsize i = 0; i < n_times; i++)
    {
      self->sample_times[i] = time[i];
      memcpy (self->samples[i], values + i * n, n * sizeof *values);
    }
  return TRUE;
}

static gboolean
auto_load (WeirSolver *base, GVariant *saved)
{
  Auto *self = (Auto *) base;
  g_autoptr (GVariant) times = NULL;
  g_autoptr (GVariant) samples = NULL;
  g_autoptr (GVariant) maybe = NULL;
  g_autoptr (GVariant) boxed = NULL;
  g_autoptr (GVariant) inner = NULL;

  if (!g_variant_is_of_type (saved, G_VARIANT_TYPE (SAVED_TYPE)))
    return FALSE;
  g_variant_get (saved, "(uuubuud@ad@ad@mv)", &self->n_stiff, &self->n_easy, &self->patience,
                 &self->stays_explicit, &self->n_suspect, &self->n_smooth, &self->h_before, &times,
                 &samples, &maybe);
  boxed = g_variant_get_maybe (maybe);
  if (boxed == NULL)
    {
      if (make_implicit (self, NULL) && self->implicit != NULL)
        self->active = self->implicit;
      self->base.is_multistep = self->active->is_multistep;
      return FALSE;
    }
  inner = g_variant_get_variant (boxed);
  return self->active == self->explicit && load_samples (self, times, samples)
         && self->active->class->load (self->active, inner);
}

static const WeirSolverClass auto_class = {
  .make = auto_make,
  .restart = auto_restart,
  .step = auto_step,
  .interpolate = auto_interpolate,
  .find_limiting_state = auto_find_limiting_state,
  .save = auto_save,
  .load = auto_load,
  .free = auto_free,
};

WEIR_SOLVERS (auto, { { "auto", N_ ("Automatic"),
                        "Dormand-Prince, and CVODE BDF where the model is stiff.", 5, TRUE },
                      &auto_class });

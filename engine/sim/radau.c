/* Radau IIA of order 5: the collocation method with three stages, stiffly accurate, for stiff
 * models at tight tolerances. Hairer & Wanner, Solving Ordinary Differential Equations II, IV.8.
 *
 * With Z_i what stage i adds to x, Z = h A f (x + Z) is solved by simplified Newton iterations: the
 * Jacobian J stays for many steps, and with W = T^-1 Z, which makes A^-1 block-diagonal, one real
 * system, I - h / mu J, and a complex one, I - h / (alpha - i beta) J, are solved instead of one
 * of three times the size. The complex one is solved as a real one of twice the size, so that both
 * are dense or sparse as J is.
 *
 * The defect f (t, x) - u' (t) of the collocation polynomial u at the beginning of the step, which
 * the real system filters so that stiff parts do not count too much, is the estimate of the error.
 * It also makes the dense output one order better than u is: u' gets the right slope there, and u
 * stays what it is at the end.
 *
 * Invariants: x is the state at t; after a step, taken[], taken_error and x_previous describe it
 * until the next one begins. A rejected trial leaves them as they were.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "base/phrase.h"
#include "base/budget.h"
#include "base/text.h"
#include "numerics/vector.h"
#include "sim/sundials-private.h"
#include "sim/step-control.h"

static const WeirSolverClass radau_class;

#define N_STAGES 3
#define MAX_ITERATIONS 6
#define MIN_FACTOR 0.2 /* of one step to the next */
#define MAX_FACTOR 10.0
#define KEPT_FACTOR 1.2    /* below it the step stays, and so do the factors of the matrices */
#define FAILED_FACTOR 0.25 /* after a trial at which the model has no value */
#define DIVERGED_FACTOR 0.5
#define SLOW_RATE 1e-3 /* of convergence: from which on the Jacobian is made anew */
#define AMD 0          /* KLU's ordering: approximate minimum degree */
#define SQRT_6 2.449489742783178098

static const double nodes[N_STAGES] = { (4 - SQRT_6) / 10, (4 + SQRT_6) / 10, 1 };
/* The eigenvalues of A^-1: mu = 3 + 3^(2/3) - 3^(1/3), alpha = 3 + (3^(1/3) - 3^(2/3)) / 2,
 * beta = (3^(5/6) + 3^(7/6)) / 2. */
static const double mu = 3.6378342527444957322, alpha = 2.6810828736277521339,
                    beta = 3.0504301992474105694;
static const double to_z[N_STAGES][N_STAGES] = {
  { 0.09443876248897524149, -0.14125529502095420843, 0.03002919410514742449 },
  { 0.25021312296533331373, 0.20412935229379993199, -0.38294211275726193779 },
  { 1, 1, 0 },
};
static const double to_w[N_STAGES][N_STAGES] = {
  { 4.1787185915519047273, 0.32768282076106238708, 0.52337644549944954735 },
  { -4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045265 },
  { 0.50287263494578687595, -2.5719269498556054292, 0.59603920482822492497 },
};
/* u (t + theta h) = x + sum_i Z_i sum_k polynomial_ik theta^(k+1) */
static const double polynomial[N_STAGES][N_STAGES] = {
  { (13 + 7 * SQRT_6) / 3, -(23 + 22 * SQRT_6) / 3, 10.0 / 3 + 5 * SQRT_6 },
  { (13 - 7 * SQRT_6) / 3, (-23 + 22 * SQRT_6) / 3, 10.0 / 3 - 5 * SQRT_6 },
  { 1.0 / 3, -8.0 / 3, 10.0 / 3 },
};

typedef enum {
  TRIAL_FINE,
  TRIAL_NO_VALUE, /* the model has none at a stage */
  TRIAL_DIVERGES,
} Trial;

typedef struct {
  WeirSundials common; /* without an integrator; matrix and linear: of the real system */
  guint n;
  SUNMatrix complex_matrix;
  SUNLinearSolver complex_linear;
  N_Vector real_side, real_solution;       /* n values */
  N_Vector complex_side, complex_solution; /* 2 n: real parts, imaginary parts */

  double h;            /* s; what error control would like to take next; 0 = not chosen yet */
  double h_taken;      /* s; of the last step; 0: there is none */
  double h_before;     /* s; of the last accepted step, for error control; 0: none ... */
  double error_before; /* ... and its norm */
  double h_factored;   /* s; that the matrices are for; 0: none */
  gboolean has_jacobian, is_jacobian_new; /* new: of the present point */
  guint n_iterations;
  double rate; /* of convergence */

  double *f;                                            /* at t_previous */
  double *z[N_STAGES], *w[N_STAGES], *slopes[N_STAGES]; /* of a trial */
  double *taken[N_STAGES];                              /* z of the last step */
  double *error, *taken_error;
  double *x_new, *x_previous, *x_stage;
  double *weight;
  double *memory; /* holds all of these and what the vectors look at */
} Radau;

static void
radau_free (WeirSolver *base)
{
  Radau *self = (Radau *) base;
  N_Vector vectors[] = { self->real_side, self->real_solution, self->complex_side,
                         self->complex_solution };

  if (self->complex_linear != NULL)
    SUNLinSolFree (self->complex_linear);
  if (self->complex_matrix != NULL)
    SUNMatDestroy (self->complex_matrix);
  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++)
    if (vectors[i] != NULL)
      N_VDestroy (vectors[i]);
  weir_sundials_clear (&self->common);
  g_free (self->memory);
  g_free (self);
}

static gboolean
set_up_vectors (Radau *self)
{
  SUNContext sundials = self->common.context;
  double **arrays[] = { &self->f,          &self->z[0],      &self->z[1],        &self->z[2],
                        &self->w[0],       &self->w[1],      &self->w[2],        &self->slopes[0],
                        &self->slopes[1],  &self->slopes[2], &self->taken[0],    &self->taken[1],
                        &self->taken[2],   &self->error,     &self->taken_error, &self->x_new,
                        &self->x_previous, &self->x_stage,   &self->weight };
  gsize n = self->n;
  double *next = self->memory = g_try_malloc0_n ((G_N_ELEMENTS (arrays) + 6) * n, sizeof (double));

  if (next == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++, next += n)
    *arrays[i] = next;
  self->real_side = weir_nvector_new (n, next, sundials);
  self->real_solution = weir_nvector_new (n, next + n, sundials);
  self->complex_side = weir_nvector_new (2 * n, next + 2 * n, sundials);
  self->complex_solution = weir_nvector_new (2 * n, next + 4 * n, sundials);
  return self->real_side != NULL && self->real_solution != NULL && self->complex_side != NULL
         && self->complex_solution != NULL;
}

/* Dense, the Jacobian, its copies and the complex matrix: eight times as many numbers as it has. */
static gboolean
check_budget (const Radau *self, const char *name, GError **error)
{
  g_autoptr (WeirMessage)
      what = weir_message_new (N_ ("The matrices that %s keeps of %u states"), name, self->n);

  return weir_state_jacobian_get_kind (self->common.jacobian) != WEIR_JACOBIAN_DENSE
         || weir_budget_allows (8 * weir_budget_multiply (self->n, self->n), sizeof (double),
                                weir_message_get_text (what), N_ ("choose cvode-bdf"), error);
}

static gboolean
set_up_complex (Radau *self)
{
  WeirSundials *common = &self->common;
  sunindextype n = (sunindextype) self->n;

  if (weir_state_jacobian_get_kind (common->jacobian) == WEIR_JACOBIAN_DENSE)
    {
      self->complex_matrix = SUNDenseMatrix (2 * n, 2 * n, common->context);
      if (self->complex_matrix != NULL)
        self->complex_linear = SUNLinSol_Dense (self->complex_side, self->complex_matrix,
                                                common->context);
      return self->complex_linear != NULL;
    }
  self->complex_matrix = SUNSparseMatrix (
      2 * n, 2 * n, 2 * SUNSparseMatrix_NNZ (common->matrix) + 2 * n, CSC_MAT, common->context);
  if (self->complex_matrix != NULL)
    self->complex_linear = SUNLinSol_KLU (self->complex_side, self->complex_matrix,
                                          common->context);
  return self->complex_linear != NULL
         && SUNLinSol_KLUSetOrdering (self->complex_linear, AMD) == SUNLS_SUCCESS;
}

static gboolean
set_up (Radau *self, const char *name, GError **error)
{
  WeirSundials *common = &self->common;

  return weir_sundials_init (common) && weir_sundials_init_linear (common, name, error)
         && check_budget (self, name, error) && set_up_vectors (self) && set_up_complex (self)
         && SUNLinSolInitialize (common->linear) == SUNLS_SUCCESS
         && SUNLinSolInitialize (self->complex_linear) == SUNLS_SUCCESS;
}

static WeirSolver *
radau_make (const WeirSolverInfo *info, WeirProblem *problem, GError **error)
{
  Radau *self = g_new0 (Radau, 1);
  g_autoptr (GError) problem_found = NULL;

  self->common.base.class = &radau_class;
  self->common.base.problem = problem;
  self->n = problem->n;
  if (!set_up (self, info->name, &problem_found))
    {
      weir_sundials_fail_set_up (&self->common, info->name, g_steal_pointer (&problem_found),
                                 error);
      radau_free (&self->common.base);
      return NULL;
    }
  return &self->common.base;
}

static gboolean
radau_restart (WeirSolver *base, G_GNUC_UNUSED GError **error)
{
  Radau *self = (Radau *) base;

  self->h_taken = self->h_before = 0;
  self->has_jacobian = FALSE;
  return TRUE;
}

/* --- Linear systems -------------------------------------------------------------------------- */

static int
evaluate (double t, const double *x, double *xdot, gpointer data)
{
  Radau *self = data;

  return weir_problem_rhs (self->common.base.problem, t, x, xdot) == WEIR_OK
             ? 0
             : weir_sundials_get_failure_code (&self->common);
}

static gboolean
find_jacobian (Radau *self, double h)
{
  WeirSolver *base = &self->common.base;
  WeirStopwatch *stopwatch = &base->problem->jacobian_stopwatch;
  gint64 begin = weir_stopwatch_begin (stopwatch);
  int flag = weir_state_jacobian_calc (self->common.jacobian, evaluate, self, base->t, base->x,
                                       self->f, self->weight, h);

  weir_stopwatch_end (stopwatch, begin);
  base->problem->statistics->jacobians++;
  self->has_jacobian = self->is_jacobian_new = flag == 0;
  self->h_factored = 0;
  return flag == 0;
}

/* The complex matrix [M, -w; w, M] of M + i w, from M as it was written. */
static void
write_complex_dense (Radau *self, double w)
{
  guint n = self->n;

  SUNMatZero (self->complex_matrix);
  for (guint j = 0; j < n; j++)
    {
      const double *column = SUNDenseMatrix_Column (self->common.matrix, j);
      double *left = SUNDenseMatrix_Column (self->complex_matrix, j);
      double *right = SUNDenseMatrix_Column (self->complex_matrix, n + j);

      memcpy (left, column, n * sizeof *column);
      memcpy (right + n, column, n * sizeof *column);
      left[n + j] = w;
      right[j] = -w;
    }
}

static void
write_complex_sparse (Radau *self, double w)
{
  sunindextype n = (sunindextype) self->n, next = 0;
  const double *from = SUNSparseMatrix_Data (self->common.matrix);
  const sunindextype *from_first = SUNSparseMatrix_IndexPointers (self->common.matrix);
  const sunindextype *from_rows = SUNSparseMatrix_IndexValues (self->common.matrix);
  double *data = SUNSparseMatrix_Data (self->complex_matrix);
  sunindextype *first = SUNSparseMatrix_IndexPointers (self->complex_matrix);
  sunindextype *rows = SUNSparseMatrix_IndexValues (self->complex_matrix);

  for (sunindextype j = 0; j < 2 * n; j++)
    {
      sunindextype column = j % n, shift = j < n ? 0 : n;

      first[j] = next;
      if (j >= n)
        {
          rows[next] = column;
          data[next++] = -w;
        }
      for (sunindextype k = from_first[column]; k < from_first[column + 1]; k++)
        {
          rows[next] = from_rows[k] + shift;
          data[next++] = from[k];
        }
      if (j < n)
        {
          rows[next] = n + column;
          data[next++] = w;
        }
    }
  first[2 * n] = next;
}

/* FALSE: a matrix is singular. */
static gboolean
factorise (Radau *self, double h)
{
  WeirSundials *common = &self->common;

  if (self->h_factored == h)
    return TRUE;
  self->h_factored = 0;
  weir_state_jacobian_write (common->jacobian, 1, -h / alpha, common->matrix);
  if (weir_state_jacobian_get_kind (common->jacobian) == WEIR_JACOBIAN_DENSE)
    write_complex_dense (self, -beta / alpha);
  else
    write_complex_sparse (self, -beta / alpha);
  weir_state_jacobian_write (common->jacobian, 1, -h / mu, common->matrix);
  if (SUNLinSolSetup (common->linear, common->matrix) != SUNLS_SUCCESS
      || SUNLinSolSetup (self->complex_linear, self->complex_matrix) != SUNLS_SUCCESS)
    return FALSE;
  self->h_factored = h;
  return TRUE;
}

static gboolean
solve_real (Radau *self)
{
  return SUNLinSolSolve (self->common.linear, self->common.matrix, self->real_solution,
                         self->real_side, 0)
         == SUNLS_SUCCESS;
}

static gboolean
solve_complex (Radau *self)
{
  return SUNLinSolSolve (self->complex_linear, self->complex_matrix, self->complex_solution,
                         self->complex_side, 0)
         == SUNLS_SUCCESS;
}

/* --- A step ---------------------------------------------------------------------------------- */

/* The estimate of the error is of order three, the method of order five: at the tolerance itself it
 * would be far more exact than asked. Hairer & Wanner hold it to this instead. */
static double
get_tolerance (const Radau *self)
{
  return 0.1 * pow (self->common.base.problem->relative_tolerance, 2.0 / 3);
}

static void
weigh_errors (Radau *self, const double *before, const double *after)
{
  const WeirProblem *problem = self->common.base.problem;
  double relative = get_tolerance (self);

  weir_problem_weigh (problem, before, after, relative,
                      problem->absolute_tolerance * (relative / problem->relative_tolerance),
                      self->weight);
}

/* What each stage adds to u at theta of the way. */
static void
weigh_stages (double theta, double *weights)
{
  for (guint i = 0; i < N_STAGES; i++)
    weights[i] = ((polynomial[i][2] * theta + polynomial[i][1]) * theta + polynomial[i][0]) * theta;
}

static void
multiply (const Radau *self, const double matrix[N_STAGES][N_STAGES], double *const *from,
          double *const *to)
{
  for (guint i = 0; i < N_STAGES; i++)
    weir_vector_combine (self->n, NULL, N_STAGES, matrix[i], (const double *const *) from, to[i]);
}

/* Begins with the last step's polynomial, drawn on. */
static void
guess_stages (Radau *self, double h)
{
  for (guint i = 0; i < N_STAGES; i++)
    {
      double weights[N_STAGES];

      if (self->h_taken <= 0)
        {
          memset (self->z[i], 0, self->n * sizeof (double));
          continue;
        }
      weigh_stages (1 + nodes[i] * h / self->h_taken, weights);
      weights[N_STAGES - 1] -= 1; /* x is where it ended */
      weir_vector_combine (self->n, NULL, N_STAGES, weights, (const double *const *) self->taken,
                           self->z[i]);
    }
  multiply (self, to_w, self->z, self->w);
}

/* One correction of W and Z, after the slopes. @size: its norm. FALSE: no solution. */
static gboolean
correct (Radau *self, double h, double *size)
{
  double *real = N_VGetArrayPointer (self->real_side);
  double *complex = N_VGetArrayPointer (self->complex_side);
  const double *solution = N_VGetArrayPointer (self->real_solution);
  const double *complex_solution = N_VGetArrayPointer (self->complex_solution);
  guint n = self->n;
  double **w = self->w, **slopes = self->slopes, sum = 0;

  for (guint j = 0; j < n; j++)
    {
      double f0 = slopes[0][j], f1 = slopes[1][j], f2 = slopes[2][j];
      double side[N_STAGES];

      for (guint i = 0; i < N_STAGES; i++)
        side[i] = h * (to_w[i][0] * f0 + to_w[i][1] * f1 + to_w[i][2] * f2);
      real[j] = (side[0] - mu * w[0][j]) / mu;
      complex[j] = (side[1] - (alpha * w[1][j] + beta * w[2][j])) / alpha;
      complex[n + j] = (side[2] - (alpha * w[2][j] - beta * w[1][j])) / alpha;
    }
  if (!solve_real (self) || !solve_complex (self))
    return FALSE;
  for (guint i = 0; i < N_STAGES; i++)
    {
      const double *change = i == 0 ? solution : complex_solution + (i - 1) * (gsize) n;

      sum += weir_vector_weighted_square_sum (n, change, self->weight);
      weir_vector_linear_sum (n, 1, w[i], 1, change, w[i]);
    }
  *size = sqrt (sum / (N_STAGES * (double) n));
  multiply (self, to_z, self->w, self->z);
  return TRUE;
}

static Trial
find_slopes (Radau *self, double h)
{
  WeirSolver *base = &self->common.base;

  for (guint i = 0; i < N_STAGES; i++)
    {
      weir_vector_linear_sum (self->n, 1, base->x, 1, self->z[i], self->x_stage);
      if (weir_problem_rhs (base->problem, base->t + nodes[i] * h, self->x_stage, self->slopes[i])
          != WEIR_OK)
        return TRIAL_NO_VALUE;
    }
  return TRIAL_FINE;
}

static Trial
iterate (Radau *self, double h)
{
  double relative = get_tolerance (self);
  double tolerance = MAX (10 * DBL_EPSILON / relative, MIN (0.03, sqrt (relative)));
  double before = 0;

  guess_stages (self, h);
  self->rate = 0;
  for (guint k = 0; k < MAX_ITERATIONS; k++)
    {
      double size;

      if (find_slopes (self, h) != TRIAL_FINE)
        return TRIAL_NO_VALUE;
      if (!correct (self, h, &size) || !isfinite (size))
        return TRIAL_DIVERGES;
      self->n_iterations = k + 1;
      if (k > 0)
        {
          double rate = self->rate = size / before;

          if (size == 0 || rate / (1 - rate) * size < tolerance)
            {
              if (rate < 1)
                return TRIAL_FINE;
            }
          if (rate >= 1 || pow (rate, MAX_ITERATIONS - 1 - k) / (1 - rate) * size > tolerance)
            return TRIAL_DIVERGES;
        }
      else if (size == 0)
        return TRIAL_FINE;
      before = size;
    }
  return TRIAL_DIVERGES;
}

/* The error as the defect at x tells it, filtered; at @slope instead of f for a second look. */
static gboolean
filter_defect (Radau *self, double h, const double *slope)
{
  double *side = N_VGetArrayPointer (self->real_side);

  for (guint j = 0; j < self->n; j++)
    side[j] = (h * slope[j]
               - (polynomial[0][0] * self->z[0][j] + polynomial[1][0] * self->z[1][j]
                  + polynomial[2][0] * self->z[2][j]))
              / mu;
  return solve_real (self);
}

static Trial
estimate_error (Radau *self, double h, gboolean looks_twice, double *norm)
{
  WeirSolver *base = &self->common.base;
  const double *solution = N_VGetArrayPointer (self->real_solution);

  weir_vector_linear_sum (self->n, 1, base->x, 1, self->z[N_STAGES - 1], self->x_new);
  weigh_errors (self, base->x, self->x_new);
  if (!filter_defect (self, h, self->f))
    return TRIAL_DIVERGES;
  memcpy (self->error, solution, self->n * sizeof *solution);
  *norm = weir_vector_wrms_norm (self->n, self->error, self->weight);
  if (!(*norm > 1) || !looks_twice)
    return TRIAL_FINE;
  /* Where the last step was not on the smooth solution, the first look takes it for an error. */
  weir_vector_linear_sum (self->n, 1, base->x, 1, self->error, self->x_stage);
  if (weir_problem_rhs (base->problem, base->t, self->x_stage, self->slopes[0]) != WEIR_OK)
    return TRIAL_NO_VALUE;
  if (!filter_defect (self, h, self->slopes[0]))
    return TRIAL_DIVERGES;
  memcpy (self->error, solution, self->n * sizeof *solution);
  *norm = weir_vector_wrms_norm (self->n, self->error, self->weight);
  return TRIAL_FINE;
}

static Trial
try_step (Radau *self, double h, gboolean looks_twice, double *norm)
{
  WeirSolver *base = &self->common.base;
  Trial trial;

  weigh_errors (self, base->x, base->x);
  if (!self->has_jacobian && !find_jacobian (self, h))
    return TRIAL_NO_VALUE;
  if (!factorise (self, h))
    return TRIAL_DIVERGES;
  trial = iterate (self, h);
  return trial == TRIAL_FINE ? estimate_error (self, h, looks_twice, norm) : trial;
}

/* A first step by the sizes of x, f and an estimate of f'; limited by @most. */
static double
choose_first_step (Radau *self, double most)
{
  WeirSolver *base = &self->common.base;
  double size, slope, bend, h, h1;

  weigh_errors (self, base->x, base->x);
  size = weir_vector_wrms_norm (self->n, base->x, self->weight);
  slope = weir_vector_wrms_norm (self->n, self->f, self->weight);
  h = MIN (size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope, most);
  weir_vector_linear_sum (self->n, 1, base->x, h, self->f, self->x_stage);
  if (weir_problem_rhs (base->problem, base->t + h, self->x_stage, self->slopes[0]) != WEIR_OK)
    return h;
  weir_vector_linear_sum (self->n, 1, self->slopes[0], -1, self->f, self->error);
  bend = weir_vector_wrms_norm (self->n, self->error, self->weight) / h;
  if (MAX (slope, bend) <= 1e-15)
    h1 = MAX (1e-6, h * 1e-3);
  else
    h1 = pow (0.01 / MAX (slope, bend), 0.25);
  return MIN (MIN (100 * h, h1), most);
}

/* By how much the next step may be longer, as this error and the one before tell (Gustafsson). */
static double
predict_factor (const Radau *self, double h, double norm)
{
  double safety = 0.9 * (2 * MAX_ITERATIONS + 1) / (2 * MAX_ITERATIONS + self->n_iterations);
  double plain = pow (MAX (norm, 1e-10), -0.25), factor = plain;

  if (self->h_before > 0 && norm > 0)
    factor = MIN (plain, plain * h / self->h_before * pow (self->error_before / norm, 0.25));
  return CLAMP (safety * factor, MIN_FACTOR, MAX_FACTOR);
}

static void
swap (double **a, double **b)
{
  double *kept = *a;

  *a = *b;
  *b = kept;
}

static void
accept (Radau *self, double t, double h)
{
  WeirSolver *base = &self->common.base;

  for (guint i = 0; i < N_STAGES; i++)
    swap (&self->z[i], &self->taken[i]);
  swap (&self->error, &self->taken_error);
  memcpy (self->x_previous, base->x, self->n * sizeof (double));
  memcpy (base->x, self->x_new, self->n * sizeof (double));
  base->t_previous = base->t;
  base->t = t;
  self->h_taken = h;
  self->is_jacobian_new = FALSE;
  if (self->n_iterations > 2 && self->rate > SLOW_RATE)
    self->has_jacobian = FALSE;
}

static gboolean
fail_at_floor (Radau *self, Trial trial, GError **error)
{
  WeirSolver *base = &self->common.base;
  const WeirProblem *problem = base->problem;

  switch (trial)
    {
    case TRIAL_NO_VALUE:
      return weir_problem_fail (
          problem, error, base->t, G_MAXUINT,
          weir_phrase (N_ ("no step is small enough for the model to have a value")));
    case TRIAL_DIVERGES:
      return weir_problem_fail (
          problem, error, base->t,
          weir_problem_find_limiting_state (problem, self->f, self->weight),
          weir_phrase (N_ ("Newton's iteration does not converge even with the smallest step")));
    case TRIAL_FINE:
    default:
      return weir_problem_fail (
          problem, error, base->t,
          weir_problem_find_limiting_state (problem, self->error, self->weight),
          weir_phrase (N_ ("the step became too small for the tolerance")));
    }
}

/* After a trial of @h that is not accepted. FALSE: there is nothing to be made anew but the step.
 */
static gboolean
retreat (Radau *self, Trial trial, double h, double norm)
{
  /* Newton's method may only want a Jacobian of here. */
  if (trial == TRIAL_DIVERGES && !self->is_jacobian_new)
    {
      self->has_jacobian = FALSE;
      return TRUE;
    }
  self->common.base.problem->statistics->rejected_steps++;
  if (trial == TRIAL_NO_VALUE)
    self->h = FAILED_FACTOR * h;
  else if (trial == TRIAL_DIVERGES)
    self->h = DIVERGED_FACTOR * h;
  else
    self->h = h * (isfinite (norm) ? MIN (predict_factor (self, h, norm), 0.9) : MIN_FACTOR);
  return FALSE;
}

static gboolean
radau_step (WeirSolver *base, double t_max, GError **error)
{
  Radau *self = (Radau *) base;
  WeirProblem *problem = base->problem;
  gboolean was_rejected = self->h_taken <= 0;
  gboolean has_room = TRUE;

  if (weir_problem_rhs (problem, base->t, base->x, self->f) != WEIR_OK)
    return weir_problem_fail (problem, error, base->t, G_MAXUINT,
                              weir_phrase (N_ ("the derivatives cannot be computed")));
  if (self->h <= 0)
    self->h = choose_first_step (self, MIN (problem->max_step, t_max - base->t));
  for (;;)
    {
      WeirStepLength limited = weir_limit_step (base->t, self->h, t_max, problem->max_step);
      double h = limited.h;
      double norm = 0, factor;
      Trial trial = try_step (self, h, was_rejected, &norm);

      if (weir_problem_is_cancelled (problem))
        return weir_problem_fail (problem, error, base->t, G_MAXUINT, "");
      has_room = h >= limited.floor;
      if (trial != TRIAL_FINE || !(norm <= 1))
        {
          if (retreat (self, trial, h, norm))
            continue;
          was_rejected = TRUE;
          if (!has_room)
            return fail_at_floor (self, trial, error);
          continue;
        }
      if (!weir_problem_check_finite (problem, base->t, self->x_new, error))
        return FALSE;
      factor = predict_factor (self, h, norm);
      if (was_rejected && self->h_taken > 0)
        factor = MIN (factor, 1);
      self->h_before = h;
      self->error_before = MAX (norm, 1e-2);
      accept (self, limited.reaches ? t_max : base->t + h, h);
      if (self->has_jacobian && factor >= 1 && factor < KEPT_FACTOR)
        factor = 1;
      /* A step cut short by its limit says nothing against the longer one. */
      self->h = limited.is_cut ? MAX (self->h, h * factor) : h * factor;
      return TRUE;
    }
}

static gboolean
radau_interpolate (WeirSolver *base, double t, double *x, G_GNUC_UNUSED GError **error)
{
  Radau *self = (Radau *) base;
  const double *terms[] = { self->taken[0], self->taken[1], self->taken[2], self->taken_error };
  double factors[N_STAGES + 1], theta;

  if (self->h_taken <= 0 || t == base->t)
    {
      memcpy (x, base->x, self->n * sizeof *x);
      return TRUE;
    }
  theta = (t - base->t_previous) / self->h_taken;
  weigh_stages (theta, factors);
  /* Of slope 1 at the beginning and 0 at all nodes. */
  factors[N_STAGES] = mu * (((-2.5 * theta + 6) * theta - 4.5) * theta + 1) * theta;
  weir_vector_combine (self->n, self->x_previous, N_STAGES + 1, factors, terms, x);
  return TRUE;
}

static guint
radau_find_limiting_state (WeirSolver *base)
{
  Radau *self = (Radau *) base;
  const WeirProblem *problem = base->problem;

  if (self->h_taken <= 0)
    return G_MAXUINT;
  weigh_errors (self, self->x_previous, base->x);
  return weir_problem_find_limiting_state (problem, self->taken_error, self->weight);
}

static const WeirSolverClass radau_class = {
  .make = radau_make,
  .restart = radau_restart,
  .step = radau_step,
  .interpolate = radau_interpolate,
  .find_limiting_state = radau_find_limiting_state,
  .free = radau_free,
};

WEIR_SOLVERS (radau, { { "radau", "Radau IIA 5",
                         "Implicit Runge–Kutta of high order for stiff problems at tight "
                         "tolerances; a restart costs no order.",
                         5, TRUE },
                       &radau_class });

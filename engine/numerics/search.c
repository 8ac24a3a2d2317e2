/* KINSOL, then Newton. See search.h. */
#include "numerics/search.h"

#include <kinsol/kinsol.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunmatrix/sunmatrix_band.h>

#include "base/finite.h"
#include "numerics/vector.h"

#define MAX_ITERATIONS 300
#define CLOSE                                                                                      \
  1e-8 /* of the residuals, relative to those at the start: Newton's method does the rest */
#define FARTHEST 1e8 /* of a step, relative to the start; KINSOL's own 1 is too short from 0 */

typedef struct {
  const WeirNewton *newton;
  const WeirBand *band;
  double *scratch; /* the residuals, and what comes behind them */
  double *jacobian;
} Search;

/* Where there is no value, KINSOL is to take a shorter step. */
static int
calc_residual (N_Vector x, N_Vector r, void *data)
{
  Search *self = data;
  double *values = N_VGetArrayPointer (r);

  self->newton->residual (self->newton->data, N_VGetArrayPointer (x), self->scratch, NULL);
  memcpy (values, self->scratch, self->band->n * sizeof *values);
  return weir_all_finite (self->band->n, values) ? 0 : 1;
}

static int
calc_jacobian (N_Vector x, G_GNUC_UNUSED N_Vector r, SUNMatrix matrix, void *data,
               G_GNUC_UNUSED N_Vector scratch_a, G_GNUC_UNUSED N_Vector scratch_b)
{
  Search *self = data;
  const WeirBand *band = self->band;
  gsize n = band->n;

  self->newton->residual (self->newton->data, N_VGetArrayPointer (x), self->scratch,
                          self->jacobian);
  for (gsize j = 0; j < n; j++)
    {
      double *column = SUNBandMatrix_Column (matrix, (sunindextype) j);

      for (gsize i = j - MIN (j, band->upper); i < MIN (n, j + band->lower + 1); i++)
        SM_COLUMN_ELEMENT_B (column, (sunindextype) i,
                             (sunindextype) j) = self->jacobian[weir_band_get_place (band, i, j)];
    }
  return weir_all_finite (weir_band_get_size (band), self->jacobian) ? 0 : -1;
}

static void
ignore_message (G_GNUC_UNUSED int code, G_GNUC_UNUSED const char *module,
                G_GNUC_UNUSED const char *function, G_GNUC_UNUSED char *message,
                G_GNUC_UNUSED void *data)
{
}

/* Moves @x towards a solution. FALSE if KINSOL gives up. */
static gboolean
approach (Search *self, SUNContext context, double *x)
{
  sunindextype n = (sunindextype) self->band->n;
  N_Vector at = N_VMake_Serial (n, x, context), scale = N_VNew_Serial (n, context);
  SUNMatrix matrix = SUNBandMatrix (n, self->band->upper, self->band->lower, context);
  SUNLinearSolver linear = NULL;
  void *memory = KINCreate (context);
  double farthest = FARTHEST * (1 + weir_vector_max_norm (self->band->n, x)) * sqrt (self->band->n);
  gboolean is_close = FALSE;

  self->newton->residual (self->newton->data, x, self->scratch, NULL);
  if (at != NULL && matrix != NULL)
    linear = SUNLinSol_Band (at, matrix, context);
  if (at != NULL && scale != NULL && linear != NULL && memory != NULL
      && weir_all_finite (self->band->n, self->scratch)
      && KINSetErrHandlerFn (memory, ignore_message, NULL) == KIN_SUCCESS
      && KINInit (memory, calc_residual, at) == KIN_SUCCESS
      && KINSetUserData (memory, self) == KIN_SUCCESS
      && KINSetNumMaxIters (memory, weir_band_limit_steps (self->band, MAX_ITERATIONS))
             == KIN_SUCCESS
      && KINSetMaxSetupCalls (memory, 1) == KIN_SUCCESS
      && KINSetMaxNewtonStep (memory, farthest) == KIN_SUCCESS
      && KINSetFuncNormTol (
             memory, CLOSE * fmin (1, weir_vector_max_norm (self->band->n, self->scratch)) + 1e-300)
             == KIN_SUCCESS
      && KINSetLinearSolver (memory, linear, matrix) == KIN_SUCCESS
      && KINSetJacFn (memory, calc_jacobian) == KIN_SUCCESS)
    {
      N_VConst (1, scale);
      is_close = KINSol (memory, at, KIN_LINESEARCH, scale, scale) >= 0;
    }
  if (memory != NULL)
    KINFree (&memory);
  if (linear != NULL)
    SUNLinSolFree (linear);
  if (matrix != NULL)
    SUNMatDestroy (matrix);
  if (scale != NULL)
    N_VDestroy (scale);
  if (at != NULL)
    N_VDestroy (at);
  return is_close && weir_all_finite (self->band->n, x);
}

/* From @x; the solution, or where it was given up, is in @found. */
static WeirNewtonOutcome
iterate_from (const WeirNewton *newton, const double *x, double *found, double *work)
{
  memcpy (found, x, newton->band.n * sizeof *x);
  return weir_newton_solve (newton, found, work);
}

WeirNewtonOutcome
weir_search_solve (const WeirNewton *newton, double *x)
{
  const WeirBand *band = &newton->band;
  gsize n = band->n;
  g_autofree double *work = g_new (double, weir_newton_get_work_size (band, newton->n_exponents));
  g_autofree double *found = g_memdup2 (x, n * sizeof *x);
  Search self = { newton, band, work, work + n + 2 * (gsize) newton->n_exponents };
  SUNContext context = NULL;
  WeirNewtonOutcome outcome = WEIR_NEWTON_STALLED;

  /* What grows exponentially is too much for a search that does not know of it. */
  if (newton->n_exponents > 0)
    outcome = iterate_from (newton, x, found, work);
  if (outcome != WEIR_NEWTON_CONVERGED && !newton->is_linear
      && SUNContext_Create (NULL, &context) == 0)
    {
      memcpy (found, x, n * sizeof *x);
      if (approach (&self, context, found))
        outcome = weir_newton_solve (newton, found, work);
      SUNContext_Free (&context);
    }
  if (outcome == WEIR_NEWTON_CONVERGED)
    {
      memcpy (x, found, n * sizeof *x);
      return outcome;
    }
  return weir_newton_solve (newton, x, work);
}

/* The Jacobian from slopes and by coloured differences. See sundials-private.h. */
#include "sim/sundials-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "base/error.h"
#include "base/budget.h"
#include "base/text.h"
#include "numerics/rows.h"
#include "system/evaluation/loop.h"
#include "numerics/vector.h"
#include "system/evaluation/chain.h"
#include "system/layout/sparsity.h"

/* The packaged band solver is compiled without optimisation: on full bands of half width 2 to 64
 * KLU factors and solves 1.4 to 10 times faster, and is about as fast at 1: so there is no third
 * kind. */
#define SMALL 32     /* states: below this a dense matrix costs least */
#define FULL_SHARE 5 /* a matrix is dense if one entry in so many is there */
#define AMD 0        /* KLU's ordering: approximate minimum degree */

struct _WeirJacobian {
  guint n;
  guint n_states;       /* the first unknowns: those that have derivatives */
  WeirProblem *problem; /* borrowed */
  WeirRows *pattern;    /* by columns */
  WeirChain *chain;     /* rows from slopes; or NULL */
  WeirStateJacobianKind kind;
  WeirRows colours;       /* their columns */
  WeirRows fewer_colours; /* the same of columns in rows that are not known */
  double *values;         /* like the pattern's items */
  double *moved, *moved_xdot, *increment;
};

static WeirStateJacobianKind
choose_kind (const WeirStateJacobian *self)
{
  gint64 n = self->n, n_values = self->pattern->first[n];

  if (n <= SMALL || (n <= WEIR_MAX_DENSE_STATES && n_values > n * n / FULL_SHARE))
    return WEIR_JACOBIAN_DENSE;
  return WEIR_JACOBIAN_SPARSE;
}

/* The values and their rows here; the matrix and the copy that solvers keep of it, with rows of
 * their own where it is sparse. What its factors take is not known before: KLU says where it does
 * not get that. */
static gboolean
check_budget (const WeirStateJacobian *self, const char *name, GError **error)
{
  guint64 n = self->n, n_values = (guint64) self->pattern->first[n];
  guint64 n_matrix = self->kind == WEIR_JACOBIAN_DENSE ? weir_budget_multiply (n, n) : 2 * n_values;
  g_autoptr (WeirMessage)
      what = weir_message_new (N_ ("The Jacobian that %s keeps of %u states"), name, self->n);

  return weir_budget_allows (weir_budget_add (2 * n_values, weir_budget_multiply (2, n_matrix)),
                             sizeof (double), weir_message_get_text (what),
                             N_ ("choose cvode-adams or dormand-prince"), error);
}

/* Are all derivatives that change with unknown @j known? */
static gboolean
is_known_column (const WeirStateJacobian *self, guint32 j)
{
  for (guint32 k = self->pattern->first[j]; k < self->pattern->first[j + 1]; k++)
    if (self->chain == NULL || !weir_chain_knows_row (self->chain, self->pattern->items[k]))
      return FALSE;
  return TRUE;
}

/* The columns that are not known in every row, coloured by themselves. */
static void
sort_unknown_by_colour (WeirStateJacobian *self)
{
  WeirRows fewer = { 0 };
  g_autofree guint32 *colours = g_new (guint32, self->n + 1);
  guint n_colours;

  /* A column without rows takes the first colour and is left out. */
  weir_rows_init (&fewer, self->n);
  for (guint32 j = 0; j < self->n; j++)
    fewer.first[j + 1] = fewer.first[j]
                         + (is_known_column (self, j) ? 0
                                                      : weir_rows_get_length (self->pattern, j));
  fewer.first[self->n + 1] = fewer.first[self->n];
  fewer.items = g_new (guint32, MAX (fewer.first[self->n], 1));
  for (guint32 j = 0; j < self->n; j++)
    memcpy (fewer.items + fewer.first[j], self->pattern->items + self->pattern->first[j],
            weir_rows_get_length (&fewer, j) * sizeof (guint32));
  n_colours = weir_colour_columns (&fewer, colours);
  weir_rows_init (&self->fewer_colours, n_colours);
  for (guint32 j = 0; j < self->n; j++)
    if (weir_rows_get_length (&fewer, j) > 0)
      weir_rows_count (&self->fewer_colours, colours[j]);
  weir_rows_make_room (&self->fewer_colours);
  for (guint32 j = 0; j < self->n; j++)
    if (weir_rows_get_length (&fewer, j) > 0)
      weir_rows_put (&self->fewer_colours, colours[j], j);
  if (fewer.first[self->n] == 0)
    self->fewer_colours.n = 0;
  weir_rows_clear (&fewer);
}

static void
sort_by_colour (WeirStateJacobian *self)
{
  g_autofree guint32 *colours = g_new (guint32, self->n);
  guint n_colours = weir_colour_columns (self->pattern, colours);

  weir_rows_group (&self->colours, n_colours, colours, self->n);
  if (self->chain != NULL)
    sort_unknown_by_colour (self);
}

WeirStateJacobian *
weir_state_jacobian_new (const char *name, WeirProblem *problem, gboolean is_open, GError **error)
{
  gint64 most = (gint64) WEIR_MAX_DENSE_STATES * WEIR_MAX_DENSE_STATES;
  WeirStateJacobian *self = g_new0 (WeirStateJacobian, 1);

  self->n = self->n_states = problem->n;
  self->problem = problem;
  if (is_open)
    self->n += weir_layout_get_n_loop_unknowns (problem->layout);
  self->pattern = is_open ? weir_layout_find_open_sparsity (problem->layout, most)
                          : weir_layout_find_sparsity (problem->layout, most);
  if (self->pattern == NULL)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "%s keeps a Jacobian of at most %ld entries, but so many more of the model's "
                      "%u states depend on each other; choose cvode-adams or dormand-prince",
                      name, (glong) most, self->n);
      weir_state_jacobian_free (self);
      return NULL;
    }
  self->kind = choose_kind (self);
  if (!check_budget (self, name, error))
    {
      weir_state_jacobian_free (self);
      return NULL;
    }
  if (self->n == self->n_states)
    self->chain = weir_chain_new (problem->layout, self->pattern);
  sort_by_colour (self);
  self->values = g_try_malloc0_n ((gsize) self->pattern->first[self->n], sizeof (double));
  self->moved = g_try_malloc0_n (3 * (gsize) self->n, sizeof (double));
  if (self->values == NULL || self->moved == NULL)
    {
      weir_error_set (error, WEIR_ERROR_FAILED, "not enough memory for the Jacobian of %u states",
                      problem->n);
      weir_state_jacobian_free (self);
      return NULL;
    }
  self->moved_xdot = self->moved + self->n;
  self->increment = self->moved_xdot + self->n;
  return self;
}

void
weir_state_jacobian_free (WeirStateJacobian *self)
{
  if (self == NULL)
    return;
  weir_rows_free (self->pattern);
  weir_chain_free (self->chain);
  weir_rows_clear (&self->colours);
  weir_rows_clear (&self->fewer_colours);
  g_free (self->values);
  g_free (self->moved);
  g_free (self);
}

WeirStateJacobianKind
weir_state_jacobian_get_kind (const WeirStateJacobian *self)
{
  return self->kind;
}

guint
weir_state_jacobian_get_n_colours (const WeirStateJacobian *self)
{
  return self->colours.n;
}

guint
weir_state_jacobian_get_n_differences (const WeirStateJacobian *self)
{
  return self->chain != NULL ? self->fewer_colours.n : self->colours.n;
}

double
weir_state_jacobian_get (const WeirStateJacobian *self, guint i, guint j)
{
  for (guint32 k = self->pattern->first[j]; k < self->pattern->first[j + 1]; k++)
    if (self->pattern->items[k] == i)
      return self->values[k];
  return 0;
}

/* The rows that are known, from slopes at (t, x). FALSE: they have no value there, or not that of
 * the wiring. */
static gboolean
calc_known (WeirStateJacobian *self, double t, const double *x)
{
  WeirProblem *problem = self->problem;
  const WeirEntry *entries;
  double *const *places;
  guint n;

  if (self->chain == NULL || !weir_chain_holds (self->chain, problem->context))
    return FALSE;
  n = weir_chain_get_slopes (self->chain, &entries, &places);
  if (n > 0
      && weir_eval_entries_at (problem->root, problem->context, weir_problem_time (problem, t), x,
                               n, entries, places)
             != WEIR_OK)
    return FALSE;
  return weir_chain_calc (self->chain, self->values);
}

int
weir_state_jacobian_calc (WeirStateJacobian *self, WeirRhsFunc rhs, gpointer data, double t,
                          const double *x, const double *xdot, const double *weight, double step)
{
  const WeirRows *p = self->pattern;
  gsize n = self->n;
  gboolean has_known = calc_known (self, t, x);
  const WeirRows *colours = has_known ? &self->fewer_colours : &self->colours;
  double norm = weir_vector_wrms_norm (n, xdot, weight);
  /* An increment far above the rounding of f, yet small beside the tolerance. */
  double least = norm != 0 ? 1000 * fabs (step) * DBL_EPSILON * (double) n * norm : 1;

  memcpy (self->moved, x, n * sizeof *x);
  for (guint c = 0; c < colours->n; c++)
    {
      const guint32 *columns = colours->items + colours->first[c];
      guint n_columns = weir_rows_get_length (colours, c);
      int flag;

      for (guint k = 0; k < n_columns; k++)
        {
          guint32 j = columns[k];

          self->moved[j] = x[j]
                           + fmax (sqrt (DBL_EPSILON) * fabs (x[j]),
                                   (j < self->n_states ? least : sqrt (DBL_EPSILON)) / weight[j]);
          self->increment[j] = self->moved[j] - x[j]; /* as it was rounded */
        }
      flag = rhs (t, self->moved, self->moved_xdot, data);
      for (guint k = 0; k < n_columns; k++)
        self->moved[columns[k]] = x[columns[k]];
      if (flag != 0)
        return flag;
      for (guint k = 0; k < n_columns; k++)
        {
          guint32 j = columns[k];
          double scale = 1 / self->increment[j];

          for (guint32 l = p->first[j]; l < p->first[j + 1]; l++)
            if (!has_known || !weir_chain_knows_row (self->chain, p->items[l]))
              self->values[l] = (self->moved_xdot[p->items[l]] - xdot[p->items[l]]) * scale;
        }
    }
  return 0;
}

SUNMatrix
weir_state_jacobian_new_matrix (const WeirStateJacobian *self, SUNContext sundials)
{
  sunindextype n = (sunindextype) self->n;
  const WeirRows *p = self->pattern;
  SUNMatrix matrix;

  switch (self->kind)
    {
    case WEIR_JACOBIAN_DENSE:
      return SUNDenseMatrix (n, n, sundials);
    case WEIR_JACOBIAN_SPARSE:
    default:
      matrix = SUNSparseMatrix (n, n, p->first[n], CSC_MAT, sundials);
      if (matrix == NULL)
        return NULL;
      weir_state_jacobian_write (self, 1, 0, matrix);
      return matrix;
    }
}

SUNLinearSolver
weir_state_jacobian_new_linear_solver (const WeirStateJacobian *self, N_Vector x, SUNMatrix matrix,
                                       SUNContext sundials)
{
  SUNLinearSolver solver;

  switch (self->kind)
    {
    case WEIR_JACOBIAN_DENSE:
      return SUNLinSol_Dense (x, matrix, sundials);
    case WEIR_JACOBIAN_SPARSE:
    default:
      solver = SUNLinSol_KLU (x, matrix, sundials);
      if (solver != NULL)
        SUNLinSol_KLUSetOrdering (solver, AMD);
      return solver;
    }
}

/* A sparse matrix has just the pattern's entries. SUNDIALS zeroes the indices too where a new
 * linear solver takes the matrix over, so that they are written each time. */
static void
write_sparse (const WeirStateJacobian *self, double unit, double scale, SUNMatrix matrix)
{
  const WeirRows *p = self->pattern;
  double *data = SUNSparseMatrix_Data (matrix);
  sunindextype *first = SUNSparseMatrix_IndexPointers (matrix);
  sunindextype *rows = SUNSparseMatrix_IndexValues (matrix);

  for (guint32 j = 0; j <= self->n; j++)
    first[j] = p->first[j];
  for (guint32 k = 0; k < p->first[self->n]; k++)
    rows[k] = p->items[k];
  for (guint32 j = 0; j < self->n; j++)
    for (guint32 k = p->first[j]; k < p->first[j + 1]; k++)
      data[k] = (p->items[k] == j && j < self->n_states ? unit : 0.0) + scale * self->values[k];
}

void
weir_state_jacobian_write (const WeirStateJacobian *self, double unit, double scale,
                           SUNMatrix matrix)
{
  const WeirRows *p = self->pattern;

  if (self->kind == WEIR_JACOBIAN_SPARSE)
    {
      write_sparse (self, unit, scale, matrix);
      return;
    }
  SUNMatZero (matrix); /* the last factors, outside the pattern too */
  for (guint32 j = 0; j < self->n; j++)
    {
      double *column = SUNDenseMatrix_Column (matrix, j);

      for (guint32 k = p->first[j]; k < p->first[j + 1]; k++)
        column[p->items[k]] = (p->items[k] == j && j < self->n_states ? unit : 0.0)
                              + scale * self->values[k];
    }
}

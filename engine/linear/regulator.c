/* Regulators, estimators, placed poles. See design.h. */
#include "linear/design.h"

#include <math.h>

#include "base/text.h"

/* The stable invariant subspace [U1; U2] gives X = U2 U1^-1. */
static WeirMatrix *
divide_halves (const WeirMatrix *basis)
{
  guint n = basis->rows / 2;
  g_autoptr (WeirMatrix) above = weir_matrix_part (basis, 0, 0, n, n);
  g_autoptr (WeirMatrix) below = weir_matrix_part (basis, n, 0, n, n);
  g_autoptr (WeirMatrix) above_t = weir_matrix_transpose (above);
  g_autoptr (WeirMatrix) below_t = weir_matrix_transpose (below);
  g_autoptr (WeirMatrix) xt = weir_matrix_solve (above_t, below_t);
  WeirMatrix *x;

  if (xt == NULL)
    return NULL;
  x = weir_matrix_transpose (xt);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < i; j++)
      *weir_matrix_at (x, i, j) = *weir_matrix_at (
          x, j, i) = (weir_matrix_get (x, i, j) + weir_matrix_get (x, j, i)) / 2;
  return x;
}

static WeirMatrix *
solve_riccati (const WeirMatrix *a, const WeirMatrix *s, const WeirMatrix *q, gboolean in_steps)
{
  guint n = a->rows, n_selected = 0;
  g_autoptr (WeirMatrix) left = weir_matrix_new (2 * n, 2 * n);
  g_autoptr (WeirMatrix) right = weir_matrix_identity (2 * n);
  g_autoptr (WeirMatrix) t = NULL;
  g_autoptr (WeirMatrix) basis = NULL;
  gboolean ok;

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      {
        *weir_matrix_at (left, i, j) = weir_matrix_get (a, i, j);
        *weir_matrix_at (left, n + i, j) = -weir_matrix_get (q, i, j);
        if (in_steps)
          {
            *weir_matrix_at (right, i, n + j) = weir_matrix_get (s, i, j);
            *weir_matrix_at (right, n + i, n + j) = weir_matrix_get (a, j, i);
            *weir_matrix_at (left, n + i, n + j) = i == j;
          }
        else
          {
            *weir_matrix_at (left, i, n + j) = -weir_matrix_get (s, i, j);
            *weir_matrix_at (left, n + i, n + j) = -weir_matrix_get (a, j, i);
          }
      }
  ok = in_steps ? weir_matrix_deflate (left, right, WEIR_SELECT_INSIDE, &basis, &n_selected)
                : weir_matrix_schur (left, WEIR_SELECT_LEFT, &t, &basis, &n_selected);
  return ok && n_selected == n ? divide_halves (basis) : NULL;
}

WeirMatrix *
weir_design_regulator (const WeirMatrix *a, const WeirMatrix *b, const WeirMatrix *q,
                       const WeirMatrix *r, gboolean in_steps, WeirMatrix **x, const char **why)
{
  g_autoptr (WeirMatrix) bt = weir_matrix_transpose (b);
  g_autoptr (WeirMatrix) weighed = weir_matrix_solve (r, bt);
  g_autoptr (WeirMatrix) s = NULL;
  g_autoptr (WeirMatrix) solution = NULL;
  g_autoptr (WeirMatrix) seen = NULL;
  WeirMatrix *k;

  *why = N_ ("the weight of the inputs has no inverse");
  if (weighed == NULL)
    return NULL;
  s = weir_matrix_times (b, weighed);
  *why = N_ ("no input stabilises all states, or a state on the stability limit has no weight");
  solution = solve_riccati (a, s, q, in_steps);
  if (solution == NULL)
    return NULL;
  seen = weir_matrix_times (bt, solution);
  if (in_steps)
    {
      g_autoptr (WeirMatrix) inner = weir_matrix_times (seen, b);
      g_autoptr (WeirMatrix) sum = weir_matrix_plus (r, 1, inner);
      g_autoptr (WeirMatrix) right = weir_matrix_times (seen, a);

      k = weir_matrix_solve (sum, right);
    }
  else
    k = weir_matrix_solve (r, seen);
  if (k == NULL)
    return NULL;
  *why = NULL;
  if (x != NULL)
    *x = g_steal_pointer (&solution);
  return k;
}

WeirMatrix *
weir_design_estimator (const WeirMatrix *a, const WeirMatrix *c, const WeirMatrix *w,
                       const WeirMatrix *v, gboolean in_steps, WeirMatrix **p, const char **why)
{
  g_autoptr (WeirMatrix) at = weir_matrix_transpose (a);
  g_autoptr (WeirMatrix) ct = weir_matrix_transpose (c);
  g_autoptr (WeirMatrix) k = weir_design_regulator (at, ct, w, v, in_steps, p, why);

  if (k != NULL)
    return weir_matrix_transpose (k);
  *why = N_ ("the outputs do not show every unstable state, the noise of the outputs has no "
             "inverse, or none acts on a state on the stability limit");
  return NULL;
}

WeirMatrix *
weir_design_place (const WeirMatrix *a, const WeirMatrix *b, const double complex *poles,
                   const char **why)
{
  guint n = a->rows;
  g_autoptr (WeirMatrix) reached = weir_matrix_new (n, n);
  g_autoptr (WeirMatrix) last = weir_matrix_new (n, 1);
  g_autoptr (WeirMatrix) turned = NULL;
  g_autoptr (WeirMatrix) row = NULL;
  g_autoptr (WeirMatrix) column = weir_matrix_new (n, 1);
  g_autoptr (WeirMatrix) base = NULL;
  g_autoptr (WeirMatrix) sum = NULL;
  g_autofree double *coefficients = g_new0 (double, n + 1);
  g_autofree double complex *product = g_new0 (double complex, n + 1);
  WeirMatrix *k;

  /* The polynomial with these roots, the highest power first. */
  product[0] = 1;
  for (guint i = 0; i < n; i++)
    for (guint j = i + 1; j > 0; j--)
      product[j] -= poles[i] * product[j - 1];
  *why = N_ ("complex poles come in conjugate pairs");
  for (guint i = 0; i <= n; i++)
    {
      if (fabs (cimag (product[i])) > 1e-9 * (1 + cabs (product[i])))
        return NULL;
      coefficients[i] = creal (product[i]);
    }
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < b->columns; j++)
      column->v[i] += weir_matrix_get (b, i, j);
  for (guint j = 0; j < n; j++)
    {
      WeirMatrix *next = weir_matrix_times (a, column);

      weir_matrix_put (reached, 0, j, column);
      weir_matrix_free (column);
      column = next;
    }
  /* The last row of the inverse, then Horner's scheme with A from the right. */
  *weir_matrix_at (last, n - 1, 0) = 1;
  turned = weir_matrix_transpose (reached);
  row = weir_matrix_solve (turned, last);
  *why = N_ ("the input does not reach every state");
  if (row == NULL)
    return NULL;
  *why = NULL;
  base = weir_matrix_transpose (row);
  sum = weir_matrix_dup (base);
  for (guint i = 1; i <= n; i++)
    {
      g_autoptr (WeirMatrix) times = weir_matrix_times (sum, a);

      weir_matrix_free (sum);
      sum = weir_matrix_plus (times, coefficients[i], base);
    }
  k = weir_matrix_new (b->columns, n);
  for (guint i = 0; i < b->columns; i++)
    weir_matrix_put (k, i, 0, sum);
  return k;
}

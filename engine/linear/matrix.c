/* Arithmetic of matrices. See matrix.h; lapack.c has what LAPACK does. */
#include "linear/matrix.h"

#include <math.h>
#include <string.h>

#include "numerics/eigenvalues.h"

WeirMatrix *
weir_matrix_new (guint rows, guint columns)
{
  WeirMatrix *a = g_malloc0 (sizeof *a + (gsize) rows * columns * sizeof (double));

  a->rows = rows;
  a->columns = columns;
  return a;
}

WeirMatrix *
weir_matrix_from (guint rows, guint columns, const double *values)
{
  WeirMatrix *a = weir_matrix_new (rows, columns);

  if (rows > 0 && columns > 0)
    memcpy (a->v, values, (gsize) rows * columns * sizeof (double));
  return a;
}

WeirMatrix *
weir_matrix_identity (guint n)
{
  WeirMatrix *a = weir_matrix_new (n, n);

  for (guint i = 0; i < n; i++)
    *weir_matrix_at (a, i, i) = 1;
  return a;
}

WeirMatrix *
weir_matrix_dup (const WeirMatrix *a)
{
  return weir_matrix_from (a->rows, a->columns, a->v);
}

WeirMatrix *
weir_matrix_part (const WeirMatrix *a, guint i, guint j, guint rows, guint columns)
{
  WeirMatrix *part = weir_matrix_new (rows, columns);

  for (guint k = 0; k < rows; k++)
    for (guint l = 0; l < columns; l++)
      *weir_matrix_at (part, k, l) = weir_matrix_get (a, i + k, j + l);
  return part;
}

void
weir_matrix_put (WeirMatrix *a, guint i, guint j, const WeirMatrix *part)
{
  for (guint k = 0; k < part->rows; k++)
    for (guint l = 0; l < part->columns; l++)
      *weir_matrix_at (a, i + k, j + l) = weir_matrix_get (part, k, l);
}

WeirMatrix *
weir_matrix_transpose (const WeirMatrix *a)
{
  WeirMatrix *b = weir_matrix_new (a->columns, a->rows);

  for (guint i = 0; i < a->rows; i++)
    for (guint j = 0; j < a->columns; j++)
      *weir_matrix_at (b, j, i) = weir_matrix_get (a, i, j);
  return b;
}

WeirMatrix *
weir_matrix_times (const WeirMatrix *a, const WeirMatrix *b)
{
  WeirMatrix *c = weir_matrix_new (a->rows, b->columns);

  g_assert (a->columns == b->rows);
  for (guint i = 0; i < a->rows; i++)
    for (guint k = 0; k < a->columns; k++)
      {
        double factor = weir_matrix_get (a, i, k);

        for (guint j = 0; factor != 0 && j < b->columns; j++)
          *weir_matrix_at (c, i, j) += factor * weir_matrix_get (b, k, j);
      }
  return c;
}

WeirMatrix *
weir_matrix_plus (const WeirMatrix *a, double factor, const WeirMatrix *b)
{
  WeirMatrix *c = weir_matrix_dup (a);

  g_assert (a->rows == b->rows && a->columns == b->columns);
  for (gsize k = 0; k < (gsize) a->rows * a->columns; k++)
    c->v[k] += factor * b->v[k];
  return c;
}

double
weir_matrix_get_max (const WeirMatrix *a)
{
  double largest = 0;

  for (gsize k = 0; k < (gsize) a->rows * a->columns; k++)
    largest = fmax (largest, fabs (a->v[k]));
  return largest;
}

double
weir_matrix_get_row_sum (const WeirMatrix *a)
{
  double largest = 0;

  for (guint i = 0; i < a->rows; i++)
    {
      double sum = 0;

      for (guint j = 0; j < a->columns; j++)
        sum += fabs (weir_matrix_get (a, i, j));
      largest = fmax (largest, sum);
    }
  return largest;
}

gboolean
weir_matrix_is_finite (const WeirMatrix *a)
{
  for (gsize k = 0; k < (gsize) a->rows * a->columns; k++)
    if (!isfinite (a->v[k]))
      return FALSE;
  return TRUE;
}

static void
scale_state (WeirMatrix *a, WeirMatrix *b, WeirMatrix *c, guint i, double factor)
{
  for (guint j = 0; j < a->rows; j++)
    {
      *weir_matrix_at (a, i, j) *= factor;
      *weir_matrix_at (a, j, i) /= factor;
    }
  for (guint j = 0; j < b->columns; j++)
    *weir_matrix_at (b, i, j) *= factor;
  for (guint j = 0; j < c->rows; j++)
    *weir_matrix_at (c, j, i) /= factor;
}

#define N_BALANCES 8 /* rounds; each halves what is left, in powers of two */

void
weir_matrix_balance_states (WeirMatrix *a, WeirMatrix *b, WeirMatrix *c)
{
  for (guint k = 0; k < N_BALANCES; k++)
    for (guint i = 0; i < a->rows; i++)
      {
        double row = 0, column = 0;

        for (guint j = 0; j < a->rows; j++)
          {
            row += j != i ? fabs (weir_matrix_get (a, i, j)) : 0;
            column += j != i ? fabs (weir_matrix_get (a, j, i)) : 0;
          }
        for (guint j = 0; j < b->columns; j++)
          row += fabs (weir_matrix_get (b, i, j));
        for (guint j = 0; j < c->rows; j++)
          column += fabs (weir_matrix_get (c, j, i));
        if (row > 0 && column > 0)
          scale_state (a, b, c, i, exp2 (round (0.5 * log2 (column / row))));
      }
}

gboolean
weir_matrix_get_eigenvalues (const WeirMatrix *a, double *re, double *im)
{
  g_autoptr (WeirMatrix) copy = weir_matrix_dup (a);

  return a->rows == 0 || weir_find_eigenvalues (a->rows, copy->v, re, im);
}

/* --- The exponential ------------------------------------------------------------------------- */

#define PADE_LIMIT 5.371920351148152 /* row sum for which the approximant of order 13 is exact */

static const double pade[] = { 64764752532480000,
                               32382376266240000,
                               7771770303897600,
                               1187353796428800,
                               129060195264000,
                               10559470521600,
                               670442572800,
                               33522128640,
                               1323241920,
                               40840800,
                               960960,
                               16380,
                               182,
                               1 };

/* The odd (@begin = 1) or even terms, without the odd ones' factor A. */
static WeirMatrix *
sum_pade (WeirMatrix *const powers[4], guint begin)
{
  g_autoptr (WeirMatrix) high = weir_matrix_new (powers[0]->rows, powers[0]->rows);
  g_autoptr (WeirMatrix) product = NULL;

  for (guint k = 1; k < 4; k++)
    for (gsize i = 0; i < (gsize) high->rows * high->columns; i++)
      high->v[i] += pade[begin + 6 + 2 * k] * powers[k]->v[i];
  product = weir_matrix_times (powers[3], high);
  for (guint k = 0; k < 4; k++)
    for (gsize i = 0; i < (gsize) high->rows * high->columns; i++)
      product->v[i] += pade[begin + 2 * k] * powers[k]->v[i];
  return g_steal_pointer (&product);
}

WeirMatrix *
weir_matrix_exp (const WeirMatrix *a, double t)
{
  guint n = a->rows, n_squarings = 0;
  double size = weir_matrix_get_row_sum (a) * fabs (t), scale = t;
  g_autoptr (WeirMatrix) scaled = weir_matrix_dup (a);
  g_autoptr (WeirMatrix) identity = weir_matrix_identity (n);
  g_autoptr (WeirMatrix) second = NULL;
  g_autoptr (WeirMatrix) fourth = NULL;
  g_autoptr (WeirMatrix) sixth = NULL;
  g_autoptr (WeirMatrix) odd = NULL;
  g_autoptr (WeirMatrix) u = NULL;
  g_autoptr (WeirMatrix) v = NULL;
  g_autoptr (WeirMatrix) above = NULL;
  g_autoptr (WeirMatrix) below = NULL;
  WeirMatrix *result;

  for (; size > PADE_LIMIT && n_squarings < 1000; size /= 2, n_squarings++)
    scale /= 2;
  for (gsize i = 0; i < (gsize) n * n; i++)
    scaled->v[i] *= scale;
  second = weir_matrix_times (scaled, scaled);
  fourth = weir_matrix_times (second, second);
  sixth = weir_matrix_times (second, fourth);
  odd = sum_pade ((WeirMatrix *const[]) { identity, second, fourth, sixth }, 1);
  v = sum_pade ((WeirMatrix *const[]) { identity, second, fourth, sixth }, 0);
  u = weir_matrix_times (scaled, odd);
  above = weir_matrix_plus (v, 1, u);
  below = weir_matrix_plus (v, -1, u);
  result = weir_matrix_solve (below, above);
  for (guint k = 0; result != NULL && k < n_squarings; k++)
    {
      WeirMatrix *square = weir_matrix_times (result, result);

      weir_matrix_free (result);
      result = square;
    }
  if (result == NULL)
    {
      result = weir_matrix_new (n, n);
      for (gsize i = 0; i < (gsize) n * n; i++)
        result->v[i] = (double) NAN;
    }
  return result;
}

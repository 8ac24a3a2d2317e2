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

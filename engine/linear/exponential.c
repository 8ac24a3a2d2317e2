/* The exponential of a matrix. See matrix.h. */
#include "linear/matrix.h"

#include <math.h>

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

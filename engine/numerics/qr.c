/* Householder's reflections. See qr.h. */
#include "numerics/qr.h"

#include <math.h>
#include <string.h>

static inline double *
get_column (const WeirQr *self, guint k)
{
  return self->a + (gsize) k * self->rows;
}

/* Brings the largest remaining column to place @k. */
static void
bring_pivot (WeirQr *self, guint k)
{
  guint best = k;
  double largest = -1;
  guint32 kept;

  for (guint j = k; j < self->columns; j++)
    {
      const double *column = get_column (self, j);
      double square = 0;

      for (guint i = k; i < self->rows; i++)
        square += column[i] * column[i];
      if (square > largest)
        {
          largest = square;
          best = j;
        }
    }
  for (guint i = 0; i < self->rows && best != k; i++)
    {
      double *a = get_column (self, k) + i, *b = get_column (self, best) + i, value = *a;

      *a = *b;
      *b = value;
    }
  kept = self->order[k];
  self->order[k] = self->order[best];
  self->order[best] = kept;
}

/* w -= v (v' w) / divisor, from @first on. */
static void
reflect (const WeirQr *self, guint first, const double *v, double divisor, double *w)
{
  double dot = 0;

  for (guint i = first; i < self->rows; i++)
    dot += v[i] * w[i];
  dot /= divisor;
  for (guint i = first; i < self->rows; i++)
    w[i] -= dot * v[i];
}

guint
weir_qr_factorise (WeirQr *self, double share)
{
  guint n = MIN (self->rows, self->columns);

  for (guint j = 0; self->order != NULL && j < self->columns; j++)
    self->order[j] = j;
  for (guint k = 0; k < n; k++)
    {
      double *v, norm = 0, divisor;

      if (self->order != NULL)
        bring_pivot (self, k);
      v = get_column (self, k);
      for (guint i = k; i < self->rows; i++)
        norm = hypot (norm, v[i]);
      if (!(norm > (k > 0 ? share * fabs (self->a[0]) : 0)) || !isfinite (norm))
        return k;
      if (v[k] > 0)
        norm = -norm;
      /* v = a_k - norm e_k, kept in place; |v|^2 = -2 norm v_k. */
      v[k] -= norm;
      divisor = -norm * v[k];
      for (guint j = k + 1; j < self->columns; j++)
        reflect (self, k, v, divisor, get_column (self, j));
      reflect (self, k, v, divisor, self->b);
      v[k] = norm; /* the rest of the column is not read again */
    }
  return n;
}

gboolean
weir_qr_solve (const WeirQr *self, guint rank, double *x)
{
  memset (x, 0, self->columns * sizeof *x);
  for (guint k = rank; k-- > 0;)
    {
      double sum = self->b[k];
      guint place = self->order != NULL ? self->order[k] : k;

      for (guint j = k + 1; j < rank; j++)
        sum -= get_column (self, j)[k] * x[self->order != NULL ? self->order[j] : j];
      x[place] = sum / get_column (self, k)[k];
      if (!isfinite (x[place]))
        return FALSE;
    }
  return TRUE;
}

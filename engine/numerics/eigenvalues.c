/* Eigenvalues by the QR algorithm. See eigenvalues.h. */
#include "numerics/eigenvalues.h"

#include <float.h>
#include <math.h>

#define EXCEPTIONAL 10 /* iterations without a deflation, after which the shift is another */
#define MAX_ITERATIONS 100

typedef struct {
  guint n;
  double *a;
} Matrix;

static inline double *
at (const Matrix *m, guint i, guint j)
{
  return &m->a[(gsize) i * m->n + j];
}

/* Scales rows and columns by powers of two, which rounds nothing, until their sizes are alike. */
static void
balance (Matrix *m)
{
  gboolean is_done = FALSE;

  while (!is_done)
    {
      is_done = TRUE;
      for (guint i = 0; i < m->n; i++)
        {
          double column = 0, row = 0, sum, factor = 1;

          for (guint j = 0; j < m->n; j++)
            if (j != i)
              {
                column += fabs (*at (m, j, i));
                row += fabs (*at (m, i, j));
              }
          if (column == 0 || row == 0)
            continue;
          sum = column + row;
          for (; column < row / 2; column *= 4)
            factor *= 2;
          for (; column >= row * 2; column /= 4)
            factor /= 2;
          if ((column + row) / factor >= 0.95 * sum)
            continue;
          is_done = FALSE;
          for (guint j = 0; j < m->n; j++)
            {
              *at (m, i, j) /= factor;
              *at (m, j, i) *= factor;
            }
        }
    }
}

/* The reflection I - beta v v' that takes @v (@size values, overwritten) to a multiple of the first
 * unit vector; 0 where nothing needs to be done. */
static double
make_reflection (guint size, double *v)
{
  double scale = 0, square = 0, norm;

  for (guint i = 1; i < size; i++)
    scale = fmax (scale, fabs (v[i]));
  if (scale == 0)
    return 0;
  scale = fmax (scale, fabs (v[0]));
  for (guint i = 0; i < size; i++)
    {
      v[i] /= scale;
      square += v[i] * v[i];
    }
  norm = copysign (sqrt (square), v[0]);
  v[0] += norm;
  return 1 / (norm * v[0]);
}

/* Rows @first and following, columns @from to @to (exclusive). */
static void
reflect_rows (Matrix *m, guint size, const double *v, double beta, guint first, guint from,
              guint to)
{
  for (guint j = from; j < to; j++)
    {
      double sum = 0;

      for (guint i = 0; i < size; i++)
        sum += v[i] * *at (m, first + i, j);
      for (guint i = 0; i < size; i++)
        *at (m, first + i, j) -= beta * sum * v[i];
    }
}

static void
reflect_columns (Matrix *m, guint size, const double *v, double beta, guint first, guint from,
                 guint to)
{
  for (guint i = from; i < to; i++)
    {
      double sum = 0;

      for (guint j = 0; j < size; j++)
        sum += v[j] * *at (m, i, first + j);
      for (guint j = 0; j < size; j++)
        *at (m, i, first + j) -= beta * sum * v[j];
    }
}

static void
make_hessenberg (Matrix *m)
{
  g_autofree double *v = g_new (double, m->n);

  for (guint k = 0; k + 2 < m->n; k++)
    {
      guint size = m->n - k - 1;
      double beta;

      for (guint i = 0; i < size; i++)
        v[i] = *at (m, k + 1 + i, k);
      beta = make_reflection (size, v);
      if (beta != 0)
        {
          reflect_rows (m, size, v, beta, k + 1, k, m->n);
          reflect_columns (m, size, v, beta, k + 1, 0, m->n);
        }
      for (guint i = k + 2; i < m->n; i++)
        *at (m, i, k) = 0;
    }
}

/* One sweep over the active block, rows and columns @low to @high: the shifts have this sum and
 * product. */
static void
sweep (Matrix *m, guint low, guint high, double trace, double determinant)
{
  double h00 = *at (m, low, low), h10 = *at (m, low + 1, low);
  double v[3] = { h00 * (h00 - trace) + *at (m, low, low + 1) * h10 + determinant,
                  h10 * (h00 + *at (m, low + 1, low + 1) - trace),
                  h10 * *at (m, low + 2, low + 1) };

  for (guint k = low; k < high; k++)
    {
      guint size = k + 1 < high ? 3 : 2;
      double beta = make_reflection (size, v);

      if (beta != 0)
        {
          reflect_rows (m, size, v, beta, k, k > low ? k - 1 : low, high + 1);
          reflect_columns (m, size, v, beta, k, low, MIN (k + 3, high) + 1);
        }
      if (k > low)
        for (guint i = 1; i < size; i++)
          *at (m, k + i, k - 1) = 0;
      for (guint i = 0; i < 3 && k + 1 + i <= high; i++)
        v[i] = *at (m, k + 1 + i, k);
    }
}

/* The eigenvalues of the block of two rows that ends at @high. */
static void
solve_pair (const Matrix *m, guint high, double *re, double *im)
{
  double a = *at (m, high - 1, high - 1), b = *at (m, high - 1, high);
  double c = *at (m, high, high - 1), d = *at (m, high, high);
  double half = (a - d) / 2, square = half * half + b * c;

  if (square < 0)
    {
      re[high - 1] = re[high] = d + half;
      im[high - 1] = sqrt (-square);
      im[high] = -im[high - 1];
      return;
    }
  half += copysign (sqrt (square), half);
  re[high - 1] = d + half;
  re[high] = half != 0 ? d - b * c / half : d;
  im[high - 1] = im[high] = 0;
}

/* Where the block that ends at @high begins: below it stands nothing that rounding would notice. */
static guint
find_block (Matrix *m, guint high, double norm)
{
  guint low = high;

  for (; low > 0; low--)
    {
      double size = fabs (*at (m, low - 1, low - 1)) + fabs (*at (m, low, low));
      double aside = (low > 1 ? fabs (*at (m, low - 1, low - 2)) : 0)
                     + (low + 1 < m->n ? fabs (*at (m, low + 1, low)) : 0);

      /* Oscillations without damping have next to nothing on the diagonal. */
      if (size <= DBL_EPSILON * aside)
        size = aside;
      if (fabs (*at (m, low, low - 1)) <= DBL_EPSILON * (size > 0 ? size : norm))
        {
          *at (m, low, low - 1) = 0;
          break;
        }
    }
  return low;
}

static gboolean
find_all (Matrix *m, double norm, double *re, double *im)
{
  guint n_left = m->n, n_iterations = 0;

  while (n_left > 0)
    {
      guint high = n_left - 1, low = find_block (m, high, norm);
      double x, y, w;

      if (low + 1 >= high)
        {
          if (low == high)
            {
              re[high] = *at (m, high, high);
              im[high] = 0;
            }
          else
            solve_pair (m, high, re, im);
          n_left = low;
          n_iterations = 0;
          continue;
        }
      if (++n_iterations > MAX_ITERATIONS)
        return FALSE;
      x = *at (m, high, high);
      y = *at (m, high - 1, high - 1);
      w = *at (m, high, high - 1) * *at (m, high - 1, high);
      if (n_iterations % EXCEPTIONAL == 0)
        {
          double size = fabs (*at (m, high, high - 1)) + fabs (*at (m, high - 1, high - 2));

          x = y = x + 0.75 * size;
          w = -0.4375 * size * size;
        }
      sweep (m, low, high, x + y, x * y - w);
    }
  return TRUE;
}

static void
sort (guint n, double *re, double *im)
{
  for (guint i = 1; i < n; i++)
    {
      double r = re[i], s = im[i];
      guint k = i;

      for (; k > 0 && (re[k - 1] < r || (re[k - 1] == r && im[k - 1] < s)); k--)
        {
          re[k] = re[k - 1];
          im[k] = im[k - 1];
        }
      re[k] = r;
      im[k] = s;
    }
}

gboolean
weir_find_eigenvalues (guint n, double *a, double *re, double *im)
{
  Matrix m = { n, a };
  double norm = 0;

  for (gsize i = 0; i < (gsize) n * n; i++)
    {
      if (!isfinite (a[i]))
        return FALSE;
      norm += fabs (a[i]);
    }
  balance (&m);
  make_hessenberg (&m);
  if (!find_all (&m, norm, re, im))
    return FALSE;
  sort (n, re, im);
  return TRUE;
}

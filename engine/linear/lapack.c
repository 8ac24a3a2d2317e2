/* What LAPACK does for matrices: its routines take columns after each other and pointers to all.
 * See matrix.h. */
#include "linear/matrix.h"

#include <math.h>
#include <string.h>

typedef int (*Choose2) (const double *re, const double *im);
typedef int (*Choose3) (const double *re, const double *im, const double *beta);

extern void dgesv_ (const int *n, const int *m, double *a, const int *lda, int *pivots, double *b,
                    const int *ldb, int *info);
extern void dgecon_ (const char *norm, const int *n, const double *a, const int *lda,
                     const double *anorm, double *rcond, double *work, int *iwork, int *info,
                     size_t length);
extern void dgesvd_ (const char *jobu, const char *jobvt, const int *m, const int *n, double *a,
                     const int *lda, double *s, double *u, const int *ldu, double *vt,
                     const int *ldvt, double *work, const int *lwork, int *info, size_t, size_t);
extern void zgesvd_ (const char *jobu, const char *jobvt, const int *m, const int *n,
                     double complex *a, const int *lda, double *s, double complex *u,
                     const int *ldu, double complex *vt, const int *ldvt, double complex *work,
                     const int *lwork, double *rwork, int *info, size_t, size_t);
extern void dgees_ (const char *jobvs, const char *sort, Choose2 choose, const int *n, double *a,
                    const int *lda, int *sdim, double *wr, double *wi, double *vs, const int *ldvs,
                    double *work, const int *lwork, int *bwork, int *info, size_t, size_t);
extern void dgges_ (const char *jobvsl, const char *jobvsr, const char *sort, Choose3 choose,
                    const int *n, double *a, const int *lda, double *b, const int *ldb, int *sdim,
                    double *alphar, double *alphai, double *beta, double *vsl, const int *ldvsl,
                    double *vsr, const int *ldvsr, double *work, const int *lwork, int *bwork,
                    int *info, size_t, size_t, size_t);
extern void dtrsyl_ (const char *trana, const char *tranb, const int *isgn, const int *m,
                     const int *n, const double *a, const int *lda, const double *b, const int *ldb,
                     double *c, const int *ldc, double *scale, int *info, size_t, size_t);

WeirMatrix *
weir_matrix_solve (const WeirMatrix *a, const WeirMatrix *b)
{
  int n = (int) a->rows, m = (int) b->columns, info = 0, lda = MAX (1, n);
  g_autoptr (WeirMatrix) factors = weir_matrix_transpose (a);
  g_autoptr (WeirMatrix) columns = weir_matrix_transpose (b);
  g_autofree int *pivots = g_new (int, n + 1);
  g_autofree int *integers = g_new (int, n + 1);
  g_autofree double *work = g_new (double, 4 * (gsize) n + 1);
  double norm = 0, condition = 1;

  for (guint j = 0; j < a->columns; j++)
    {
      double sum = 0;

      for (guint i = 0; i < a->rows; i++)
        sum += fabs (weir_matrix_get (a, i, j));
      norm = fmax (norm, sum);
    }
  if (n == 0)
    return weir_matrix_dup (b);
  if (!weir_matrix_is_finite (a) || !weir_matrix_is_finite (b))
    return NULL;
  dgesv_ (&n, &m, factors->v, &lda, pivots, columns->v, &lda, &info);
  if (info != 0)
    return NULL;
  dgecon_ ("1", &n, factors->v, &lda, &norm, &condition, work, integers, &info, 1);
  return info != 0 || condition < 1e-17 ? NULL : weir_matrix_transpose (columns);
}

gboolean
weir_matrix_svd (const WeirMatrix *a, double *s, WeirMatrix **u, WeirMatrix **vt)
{
  int m = (int) a->rows, n = (int) a->columns, info = 0, size = 8 * MAX (m, n) + 64;
  g_autoptr (WeirMatrix) columns = weir_matrix_transpose (a);
  g_autoptr (WeirMatrix) left = weir_matrix_identity (a->rows);
  g_autoptr (WeirMatrix) right = weir_matrix_identity (a->columns);
  g_autofree double *work = g_new (double, size);
  int ldm = MAX (1, m), ldn = MAX (1, n);

  if (m > 0 && n > 0)
    {
      if (!weir_matrix_is_finite (a))
        return FALSE;
      dgesvd_ (u != NULL ? "A" : "N", vt != NULL ? "A" : "N", &m, &n, columns->v, &ldm, s, left->v,
               &ldm, right->v, &ldn, work, &size, &info, 1, 1);
    }
  if (info == 0 && u != NULL)
    *u = weir_matrix_transpose (left);
  if (info == 0 && vt != NULL)
    *vt = weir_matrix_transpose (right);
  return info == 0;
}

double
weir_matrix_get_gain (guint rows, guint columns, const double complex *values)
{
  /* Singular values are those of the transpose. */
  int m = (int) columns, n = (int) rows, info = 0, size = 8 * (m + n) + 64, one = 1;
  g_autofree double complex *copy = g_memdup2 (values, (gsize) rows * columns * sizeof *values);
  g_autofree double complex *work = g_new (double complex, size);
  g_autofree double *more = g_new (double, 5 * (gsize) (m + n) + 1);
  g_autofree double *s = g_new0 (double, m + n + 1);

  if (m == 1 && n == 1)
    return cabs (values[0]);
  if (m == 0 || n == 0)
    return 0;
  for (gsize k = 0; k < (gsize) rows * columns; k++)
    if (!isfinite (creal (values[k])) || !isfinite (cimag (values[k])))
      return INFINITY;
  zgesvd_ ("N", "N", &m, &n, copy, &m, s, NULL, &one, NULL, &one, work, &size, more, &info, 1, 1);
  return info == 0 ? s[0] : (double) NAN;
}

static int
is_left (const double *re, const double *im)
{
  return *re < 0;
}

static int
is_inside (const double *re, const double *im)
{
  return hypot (*re, *im) < 1;
}

static int
is_left_of (const double *re, const double *im, const double *beta)
{
  return *re < 0;
}

static int
is_inside_of (const double *re, const double *im, const double *beta)
{
  return hypot (*re, *im) < fabs (*beta);
}

gboolean
weir_matrix_schur (const WeirMatrix *a, WeirSelect select, WeirMatrix **t, WeirMatrix **q,
                   guint *n_selected)
{
  int n = (int) a->rows, lda = MAX (1, n), n_first = 0, info = 0, size = 32 * n + 64;
  g_autoptr (WeirMatrix) columns = weir_matrix_transpose (a);
  g_autoptr (WeirMatrix) vectors = weir_matrix_new (a->rows, a->rows);
  g_autofree double *work = g_new (double, size + 2 * (gsize) n);
  g_autofree int *flags = g_new (int, n + 1);

  if (n > 0)
    {
      if (!weir_matrix_is_finite (a))
        return FALSE;
      dgees_ ("V", select == WEIR_SELECT_NONE ? "N" : "S",
              select == WEIR_SELECT_INSIDE ? is_inside : is_left, &n, columns->v, &lda, &n_first,
              work + size, work + size + n, vectors->v, &lda, work, &size, flags, &info, 1, 1);
    }
  if (info != 0)
    return FALSE;
  *t = weir_matrix_transpose (columns);
  *q = weir_matrix_transpose (vectors);
  if (n_selected != NULL)
    *n_selected = (guint) n_first;
  return TRUE;
}

gboolean
weir_matrix_deflate (const WeirMatrix *a, const WeirMatrix *b, WeirSelect select, WeirMatrix **q,
                     guint *n_selected)
{
  int n = (int) a->rows, lda = MAX (1, n), n_first = 0, info = 0, size = 32 * n + 64, one = 1;
  g_autoptr (WeirMatrix) a_columns = weir_matrix_transpose (a);
  g_autoptr (WeirMatrix) b_columns = weir_matrix_transpose (b);
  g_autoptr (WeirMatrix) vectors = weir_matrix_new (a->rows, a->rows);
  g_autofree double *work = g_new (double, size + 3 * (gsize) n);
  g_autofree int *flags = g_new (int, n + 1);

  if (!weir_matrix_is_finite (a) || !weir_matrix_is_finite (b))
    return FALSE;
  dgges_ ("N", "V", "S", select == WEIR_SELECT_INSIDE ? is_inside_of : is_left_of, &n, a_columns->v,
          &lda, b_columns->v, &lda, &n_first, work + size, work + size + n, work + size + 2 * n,
          NULL, &one, vectors->v, &lda, work, &size, flags, &info, 1, 1, 1);
  if (info != 0)
    return FALSE;
  *q = weir_matrix_transpose (vectors);
  *n_selected = (guint) n_first;
  return TRUE;
}

gboolean
weir_matrix_solve_sylvester (const WeirMatrix *t, const WeirMatrix *s, double sign, WeirMatrix *c)
{
  int m = (int) t->rows, n = (int) s->rows, is = sign < 0 ? -1 : 1, info = 0;
  int ldm = MAX (1, m), ldn = MAX (1, n);
  g_autoptr (WeirMatrix) left = weir_matrix_transpose (t);
  g_autoptr (WeirMatrix) right = weir_matrix_transpose (s);
  g_autoptr (WeirMatrix) columns = weir_matrix_transpose (c);
  g_autoptr (WeirMatrix) solved = NULL;
  double scale = 1;

  if (m == 0 || n == 0)
    return TRUE;
  dtrsyl_ ("N", "T", &is, &m, &n, left->v, &ldm, right->v, &ldn, columns->v, &ldm, &scale, &info, 1,
           1);
  if (info != 0 || scale == 0)
    return FALSE;
  solved = weir_matrix_transpose (columns);
  for (gsize k = 0; k < (gsize) m * n; k++)
    c->v[k] = solved->v[k] / scale;
  return TRUE;
}

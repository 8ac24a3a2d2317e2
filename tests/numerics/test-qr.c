/* Least squares, against closed forms. */
#include "numerics/qr.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The line through (1, 1), (2, 2), (3, 2): 2/3 + x/2. */
static void
test_line (void)
{
  for (guint is_ordered = 0; is_ordered < 2; is_ordered++)
    {
      double a[] = { 1, 1, 1, 1, 2, 3 }, b[] = { 1, 2, 2 }, x[2];
      guint32 order[2];
      WeirQr qr = { 3, 2, a, b, is_ordered ? order : NULL };

      g_assert_cmpuint (weir_qr_factorise (&qr, 0), ==, 2);
      g_assert_true (weir_qr_solve (&qr, 2, x));
      g_assert_cmpfloat_with_epsilon (x[0], 2.0 / 3, 1e-14);
      g_assert_cmpfloat_with_epsilon (x[1], 0.5, 1e-14);
      if (is_ordered)
        g_assert_cmpuint (order[0], ==, 1); /* the longer column */
    }
}

/* Laeuchli's matrix: what tells the columns apart is lost where they are squared. */
static void
test_laeuchli (void)
{
  const double e = 1e-9;
  double a[] = { 1, e, 0, 1, 0, e }, b[] = { 2, e, e }, x[2];
  WeirQr qr = { 3, 2, a, b, NULL };

  g_assert_true (1 + e * e == 1);
  g_assert_cmpuint (weir_qr_factorise (&qr, 0), ==, 2);
  g_assert_true (weir_qr_solve (&qr, 2, x));
  for (guint i = 0; i < 2; i++)
    g_assert_cmpfloat_with_epsilon (x[i], 1, 4 / e * DBL_EPSILON);
}

/* Columns that follow from others get nothing; the shortest order of them is found. */
static void
test_rank (void)
{
  double a[] = { 0, 0, 1, 2, 2, 4, 0, 3 }, b[] = { 4, 8 }, x[4]; /* the third: twice the second */
  guint32 order[4];
  WeirQr qr = { 2, 4, a, b, order };
  double wide[] = { 1, 0, 0, 1e-20 }, right[] = { 3, 1 };
  WeirQr flat = { 2, 2, wide, right, order };

  g_assert_cmpuint (weir_qr_factorise (&qr, 1e-10), ==, 2);
  g_assert_cmpuint (order[0], ==, 2);
  g_assert_cmpuint (order[1], ==, 3);
  g_assert_true (weir_qr_solve (&qr, 2, x));
  g_assert_cmpfloat (x[0], ==, 0);
  g_assert_cmpfloat (x[1], ==, 0);
  g_assert_cmpfloat_with_epsilon (x[2], 2, 1e-14);
  g_assert_cmpfloat_with_epsilon (x[3], 0, 1e-14);

  g_assert_cmpuint (weir_qr_factorise (&flat, 1e-10), ==, 1);
  g_assert_true (weir_qr_solve (&flat, 1, x));
  g_assert_cmpfloat (x[0], ==, 3);
  g_assert_cmpfloat (x[1], ==, 0);
}

static void
test_few (void)
{
  double zeros[4] = { 0 }, one = 4, right = 2, x = 7;
  guint32 order[2];
  WeirQr none = { 0, 0, NULL, NULL, NULL }, wide = { 0, 2, zeros, NULL, order };
  WeirQr single = { 1, 1, &one, &right, NULL }, nothing = { 2, 2, zeros, zeros + 2, NULL };

  g_assert_cmpuint (weir_qr_factorise (&none, 0), ==, 0);
  g_assert_true (weir_qr_solve (&none, 0, &x));
  g_assert_cmpuint (weir_qr_factorise (&wide, 0), ==, 0);
  g_assert_cmpuint (order[1], ==, 1);
  g_assert_cmpuint (weir_qr_factorise (&single, 0), ==, 1);
  g_assert_true (weir_qr_solve (&single, 1, &x));
  g_assert_cmpfloat (x, ==, 0.5);
  g_assert_cmpuint (weir_qr_factorise (&nothing, 0), ==, 0);
}

static void
test_no_number (void)
{
  static const double numbers[] = { NAN, INFINITY };

  for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
    {
      double a[] = { 1, numbers[k], 2, 1 }, b[] = { 1, 1 }, x[2];
      double fine[] = { 1, 0, 0, 1 }, bad[] = { 1, numbers[k] };
      WeirQr qr = { 2, 2, a, b, NULL }, other = { 2, 2, fine, bad, NULL };

      g_assert_cmpuint (weir_qr_factorise (&qr, 0), ==, 0);
      g_assert_cmpuint (weir_qr_factorise (&other, 0), ==, 2);
      g_assert_false (weir_qr_solve (&other, 2, x));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/numerics/qr/line", test_line);
  g_test_add_func ("/numerics/qr/laeuchli", test_laeuchli);
  g_test_add_func ("/numerics/qr/rank", test_rank);
  g_test_add_func ("/numerics/qr/few", test_few);
  g_test_add_func ("/numerics/qr/no-number", test_no_number);
  return g_test_run ();
}

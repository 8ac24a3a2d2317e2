/* Both methods for r (z) = 0 without derivatives, against closed forms. */
#include "numerics/root.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MOST 12

typedef gboolean (*TryFunc) (gpointer data, const double *z, double *r);

typedef struct {
  WeirRootOutcome outcome;
  double z[MOST];
} Found;

static Found
solve (TryFunc try_at, guint n, const double *start, gboolean is_damped)
{
  double room[WEIR_ROOT_ROOM (MOST)];
  guint32 pivots[MOST];
  WeirRoot root;
  Found found = { 0 };

  weir_root_init (&root, n, room, pivots);
  root.try_at = try_at;
  root.data = NULL;
  memcpy (root.z, start, n * sizeof *start);
  found.outcome = is_damped ? weir_root_iterate_damped (&root) : weir_root_iterate (&root);
  for (guint i = 0; i < n; i++)
    found.z[i] = root.z[i] + root.correction[i];
  return found;
}

/* z = cos z: Dottie's number, 0.739085133215160641655... */
static gboolean
try_cosine (G_GNUC_UNUSED gpointer data, const double *z, double *r)
{
  r[0] = cos (z[0]) - z[0];
  return TRUE;
}

/* Rosenbrock's (More, Garbow and Hillstrom, Testing unconstrained optimization software, 1981): (1,
 * 1) from (-1.2, 1). */
static gboolean
try_valley (G_GNUC_UNUSED gpointer data, const double *z, double *r)
{
  r[0] = 10 * (z[1] - z[0] * z[0]);
  r[1] = 1 - z[0];
  return TRUE;
}

/* Powell's singular function, of the same collection: 0, where the Jacobian is singular. */
static gboolean
try_powell (G_GNUC_UNUSED gpointer data, const double *z, double *r)
{
  r[0] = z[0] + 10 * z[1];
  r[1] = sqrt (5) * (z[2] - z[3]);
  r[2] = (z[1] - 2 * z[2]) * (z[1] - 2 * z[2]);
  r[3] = sqrt (10) * (z[0] - z[3]) * (z[0] - z[3]);
  return TRUE;
}

/* Each is the half of the one before and 1: z = 1/2 + z_before/2, the first one 3: all tend to 1 by
 * halves. */
static gboolean
try_chain (G_GNUC_UNUSED gpointer data, const double *z, double *r)
{
  for (guint i = 0; i < MOST; i++)
    r[i] = (i > 0 ? 0.5 + z[i - 1] / 2 : 3) - z[i];
  return TRUE;
}

/* Two equations alike: a line of solutions. */
static gboolean
try_line (G_GNUC_UNUSED gpointer data, const double *z, double *r)
{
  r[0] = r[1] = z[0] + z[1] - 1;
  return TRUE;
}

/* ln z = 1, which has no value at 0 and below. */
static gboolean
try_log (G_GNUC_UNUSED gpointer data, const double *z, double *r)
{
  if (!(z[0] > 0))
    return FALSE;
  r[0] = log (z[0]) - 1;
  return TRUE;
}

static gboolean
try_none (G_GNUC_UNUSED gpointer data, const double *z, double *r)
{
  r[0] = z[0] * z[0] + 1;
  return TRUE;
}

static gboolean
try_nothing (G_GNUC_UNUSED gpointer data, G_GNUC_UNUSED const double *z, G_GNUC_UNUSED double *r)
{
  return TRUE;
}

static void
test_roots (void)
{
  for (guint is_damped = 0; is_damped < 2; is_damped++)
    {
      Found cosine = solve (try_cosine, 1, (double[]) { 0 }, is_damped);
      Found valley = solve (try_valley, 2, (double[]) { -1.2, 1 }, is_damped);
      Found log = solve (try_log, 1, (double[]) { 1e-3 }, is_damped);
      Found chain = solve (try_chain, MOST, (double[MOST]) { 0 }, is_damped);

      g_assert_cmpint (cosine.outcome, ==, WEIR_ROOT_SOLVED);
      g_assert_cmpfloat_with_epsilon (cosine.z[0], 0.7390851332151607, 1e-13);
      g_assert_cmpint (valley.outcome, ==, WEIR_ROOT_SOLVED);
      g_assert_cmpfloat_with_epsilon (valley.z[0], 1, 1e-12);
      g_assert_cmpfloat_with_epsilon (valley.z[1], 1, 1e-12);
      g_assert_cmpint (log.outcome, ==, WEIR_ROOT_SOLVED);
      g_assert_cmpfloat_with_epsilon (log.z[0], G_E, 1e-13);
      g_assert_cmpint (chain.outcome, ==, WEIR_ROOT_SOLVED);
      for (guint i = 0; i < MOST; i++)
        g_assert_cmpfloat_with_epsilon (chain.z[i], 1 + ldexp (2, -(int) i), 1e-12);
    }
}

/* Where the Jacobian is singular at the solution, half the digits can be had. */
static void
test_singular (void)
{
  Found found = solve (try_powell, 4, (double[]) { 3, -1, 0, 1 }, TRUE);
  Found line = solve (try_line, 2, (double[]) { 5, 5 }, FALSE);

  g_assert_cmpint (found.outcome, ==, WEIR_ROOT_SOLVED);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat_with_epsilon (found.z[i], 0, 1e-3);
  g_assert_cmpint (line.outcome, ==, WEIR_ROOT_FLAT);
}

static void
test_failures (void)
{
  for (guint is_damped = 0; is_damped < 2; is_damped++)
    {
      g_assert_cmpint (solve (try_log, 1, (double[]) { -1 }, is_damped).outcome, ==,
                       WEIR_ROOT_NO_VALUE);
      g_assert_cmpint (solve (try_log, 1, (double[]) { NAN }, is_damped).outcome, ==,
                       WEIR_ROOT_NO_VALUE);
      g_assert_cmpint (solve (try_none, 1, (double[]) { 0.7 }, is_damped).outcome, ==,
                       WEIR_ROOT_STUCK);
      g_assert_cmpint (solve (try_nothing, 0, (double[]) { 0 }, is_damped).outcome, ==,
                       WEIR_ROOT_SOLVED);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/numerics/root/roots", test_roots);
  g_test_add_func ("/numerics/root/singular", test_singular);
  g_test_add_func ("/numerics/root/failures", test_failures);
  return g_test_run ();
}

/* A model as one C function: its vector, no allocation per call, and other people's solvers driving
 * it. */
#include "../counting-malloc.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "library/ode.h"

/* The period of a pendulum of 1 m let go at 90 degrees: 4 K(sin 45) sqrt (L / g); K from
 * DLMF 19.2. */
#define PERIOD (4 * 1.8540746773013719 / sqrt (9.81))

static char *
example (const char *name)
{
  return g_build_filename (g_getenv ("WEIR_DATA"), "examples", name, NULL);
}

static WeirOde *
open_example (const char *name)
{
  g_autofree char *file = example (name);
  char message[300] = "";
  WeirOde *ode = weir_ode_open (file, message, sizeof message);

  g_assert_cmpstr (message, ==, "");
  g_assert_nonnull (ode);
  return ode;
}

static void
test_function (void)
{
  WeirOde *ode = open_example ("pendulum.weir");
  double x[2], xdot[2];

  g_assert_cmpuint (weir_ode_get_n (ode), ==, 2);
  g_assert_cmpstr (weir_ode_get_name (ode, 0), ==, "Pendulum.q[0]");
  g_assert_cmpstr (weir_ode_get_name (ode, 1), ==, "Pendulum.v[0]");
  g_assert_null (weir_ode_get_name (ode, 2));
  g_assert_cmpfloat (weir_ode_get_start (ode, x), ==, 0);
  g_assert_cmpfloat (x[0], ==, G_PI / 2);
  x[0] = G_PI / 6;
  x[1] = 3;
  g_assert_cmpint (weir_ode_rhs (7, x, xdot, ode), ==, 0);
  g_assert_cmpfloat (xdot[0], ==, 3);
  g_assert_cmpfloat_with_epsilon (xdot[1], -9.81 / 2, 1e-14);
  g_assert_cmpfloat (x[0], ==, G_PI / 6); /* the caller's, only read */
  weir_ode_close (ode);
}

/* One vector across levels: every block's part follows the one before. */
static void
test_vector (void)
{
  WeirOde *ode = open_example ("dc-motor.weir");
  size_t offset, n;
  double x[4], xdot[4];

  g_assert_cmpuint (weir_ode_get_n (ode), ==, 4);
  g_assert_cmpint (weir_ode_find_block (ode, "Controller", &offset, &n), ==, 0);
  g_assert_cmpuint (offset, ==, 0);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (weir_ode_find_block (ode, "Motor", &offset, &n), ==, 0);
  g_assert_cmpuint (offset, ==, 2);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (weir_ode_find_block (ode, "Motor.Rotor", &offset, &n), ==, 0);
  g_assert_cmpuint (offset, ==, 3);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (weir_ode_find_block (ode, "Mot", &offset, &n), ==, 1);
  g_assert_cmpint (weir_ode_find_block (ode, "Reference", &offset, &n), ==, 1);
  weir_ode_get_start (ode, x);
  g_assert_cmpint (weir_ode_rhs (1, x, xdot, ode), ==, 0);
  g_assert_cmpfloat (xdot[2], ==, 1100); /* (P + D N) (1 - 0): the coil sees the whole error */
  weir_ode_close (ode);
}

static void
test_no_allocation (void)
{
  WeirOde *ode = open_example ("dc-motor.weir");
  double x[4], xdot[4];
  gboolean counts = can_count ();
  guint64 before;

  if (!counts)
    g_test_skip ("allocations cannot be counted here");
  weir_ode_get_start (ode, x);
  before = n_allocations;
  for (int i = 0; i < 1000; i++)
    {
      x[i % 4] += 1e-3 * i;
      g_assert_cmpint (weir_ode_rhs (1e-3 * i, x, xdot, ode), ==, 0);
    }
  if (counts)
    g_assert_cmpuint (n_allocations, ==, before);
  weir_ode_close (ode);
}

static void
test_bad_file (void)
{
  char message[300], cut[10];

  g_assert_null (weir_ode_open ("/nowhere/model.weir", message, sizeof message));
  g_assert_nonnull (strstr (message, "/nowhere/model.weir"));
  g_assert_null (weir_ode_open ("/nowhere/model.weir", cut, sizeof cut));
  g_assert_cmpuint (strlen (cut), ==, sizeof cut - 1);
  g_assert_null (weir_ode_open ("/nowhere/model.weir", NULL, 0));
  weir_ode_close (NULL);
}

/* What a program prints that integrates the pendulum for one period: it is back where it was. */
static void
assert_comes_back (const char *const *argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (
      argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &out, &err, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (err, ==, "");
  g_assert_true (g_subprocess_get_successful (process));
  lines = g_strsplit (out, "\n", -1);
  g_assert_true (g_str_has_prefix (lines[0], "Pendulum.q[0] "));
  g_assert_true (g_str_has_prefix (lines[1], "Pendulum.v[0] "));
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (strchr (lines[0], ' '), NULL), G_PI / 2, 1e-7);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (strchr (lines[1], ' '), NULL), 0, 1e-7);
}

static void
test_cvode (void)
{
  g_autofree char *model = example ("pendulum.weir");
  char time[G_ASCII_DTOSTR_BUF_SIZE];

  assert_comes_back ((const char *const[]) { g_getenv ("WEIR_EXAMPLE_CVODE"), model,
                                             g_ascii_dtostr (time, sizeof time, PERIOD), NULL });
}

static void
test_scipy (void)
{
  g_autofree char *model = example ("pendulum.weir");
  g_autofree char *script = example ("c/solve_ivp.py");
  const char *python = g_getenv ("WEIR_PYTHON");
  g_autoptr (GSubprocess) probe = g_subprocess_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE, NULL, python,
                                                    "-c", "import scipy.integrate", NULL);
  char time[G_ASCII_DTOSTR_BUF_SIZE];

  g_subprocess_wait (probe, NULL, NULL);
  if (!g_subprocess_get_successful (probe))
    {
      g_test_skip ("scipy is not installed");
      return;
    }
#if !COUNTS
  g_test_skip ("a library under a sanitizer cannot be loaded into Python");
  return;
#endif
  assert_comes_back ((const char *const[]) { python, script, g_getenv ("WEIR_LIBRARY"), model,
                                             g_ascii_dtostr (time, sizeof time, PERIOD), NULL });
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/library/ode/function", test_function);
  g_test_add_func ("/library/ode/vector", test_vector);
  g_test_add_func ("/library/ode/no-allocation", test_no_allocation);
  g_test_add_func ("/library/ode/bad-file", test_bad_file);
  g_test_add_func ("/library/ode/cvode", test_cvode);
  g_test_add_func ("/library/ode/scipy", test_scipy);
  return g_test_run ();
}

/* Small models whose answers have closed forms, run as files by every solver that controls its
 * error: loops, constraints, values that set out from rest, samples that meet. */
#include "model-file.h"

#include <math.h>

/* The value in the last column of the last row. */
static double
read_last (const char *csv)
{
  const char *comma = strrchr (csv, ',');

  g_assert_nonnull (comma);
  return g_ascii_strtod (comma + 1, NULL);
}

#define SINE                                                                                       \
  "<block id=\"1\" type=\"Sine\" name=\"Source\" x=\"0\" y=\"0\">"                                 \
  "<parameter name=\"frequency\" value=\"0.5\"/></block>"
#define INTEGRATOR "<block id=\"4\" type=\"Integrator\" name=\"I\" x=\"0\" y=\"0\"/>"

static const struct {
  const char *name;
  const char *diagram; /* its elements, or equations */
  const char *log, *until;
  double expected;
} cases[] = {
  /* s = sin pi t - 2 s. */
  { "linear loop",
    SINE "<block id=\"2\" type=\"Sum\" name=\"S\" x=\"0\" y=\"0\">"
         "<parameter name=\"signs\" value=\"+-\"/></block>"
         "<block id=\"3\" type=\"Gain\" name=\"G\" x=\"0\" y=\"0\">"
         "<parameter name=\"gain\" value=\"2\"/></block>" INTEGRATOR
         "<wire id=\"5\" from=\"1.y\" to=\"2.in1\"/><wire id=\"6\" from=\"2.y\" to=\"3.u\"/>"
         "<wire id=\"7\" from=\"3.y\" to=\"2.in2\"/><wire id=\"8\" from=\"2.y\" to=\"4.u\"/>",
    "I.y", "1", 2 / (3 * G_PI) },
  /* From rest: the derivative is 0 at the start. */
  { "sine", SINE INTEGRATOR "<wire id=\"5\" from=\"1.y\" to=\"4.u\"/>", "I.y", "1", 2 / G_PI },
  { "sine, whole", SINE INTEGRATOR "<wire id=\"5\" from=\"1.y\" to=\"4.u\"/>", "I.y", "2", 0 },
  /* x' = -x/2 - x from [1, 2]: the loop is as wide as its start. */
  { "vector start",
    "<block id=\"1\" type=\"Lag\" name=\"A\" x=\"0\" y=\"0\">"
    "<parameter name=\"initial\" value=\"[1.0, 2.0]\"/></block>"
    "<block id=\"2\" type=\"Gain\" name=\"G\" x=\"0\" y=\"0\">"
    "<parameter name=\"gain\" value=\"-0.5\"/></block>"
    "<wire id=\"3\" from=\"1.y\" to=\"2.u\"/><wire id=\"4\" from=\"2.y\" to=\"1.u\"/>",
    "A.y", "1", 0.44626032029685964 /* 2 exp (-1.5) */ },
  /* A capacitor at a source, of index 2: i = cos 2 t; 2 w' = i - w. */
  { "capacitor, current",
    "vs ~ sin(2*t)\nv ~ vs\n0.5*D(v) ~ i\n2*D(w) ~ i - w\ninitial w = 0\noutput i, w", "Law.i", "3",
    0.96017028665036602 /* cos 6 */ },
  { "capacitor, charge",
    "vs ~ sin(2*t)\nv ~ vs\n0.5*D(v) ~ i\n2*D(w) ~ i - w\ninitial w = 0\noutput i, w", "Law.w", "3",
    -0.02238952154669219 /* (cos 6 + 4 sin 6 - exp (-1.5)) / 17 */ },
};

static void
test_cases (gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gboolean is_law = cases[i].diagram[0] != '<';
      g_autofree char *law = is_law ? model_law (cases[i].diagram) : NULL;
      const char *options[] = { "--solver", data,           "--log",  cases[i].log,
                                "--until",  cases[i].until, "--rtol", "1e-8",
                                "--atol",   "1e-10",        NULL };
      g_auto (Outcome) outcome = model_run ("run", is_law ? law : cases[i].diagram, options);
      double value;

      g_test_message ("%s, %s: %s", (const char *) data, cases[i].name, outcome.err);
      g_assert_cmpint (outcome.status, ==, 0);
      value = read_last (outcome.out);
      g_test_message ("%s, %s: %.15g, off by %.2g", (const char *) data, cases[i].name, value,
                      value - cases[i].expected);
      g_assert_cmpfloat_with_epsilon (value, cases[i].expected, 1e-6);
    }
}

/* Two holds in a row, of 0.05 and 0.03 s: where both sample, at multiples of 0.15 s as decimals say
 * though doubles differ, the second reads what the first had before. */
static void
test_holds_that_meet (void)
{
  const char *options[] = { "--until", "6", "--every", "0.005", "--log", "B.y", NULL };
  g_auto (Outcome) outcome = model_run (
      "run",
      "<block id=\"1\" type=\"Sine\" name=\"S\" x=\"0\" y=\"0\">"
      "<parameter name=\"frequency\" value=\"0.15915494309189535\"/>"
      "<parameter name=\"phase\" value=\"0.3\"/></block>"
      "<block id=\"2\" type=\"ZeroOrderHold\" name=\"A\" x=\"0\" y=\"0\">"
      "<parameter name=\"period\" value=\"0.05\"/></block>"
      "<block id=\"3\" type=\"ZeroOrderHold\" name=\"B\" x=\"0\" y=\"0\">"
      "<parameter name=\"period\" value=\"0.03\"/></block>"
      "<wire id=\"4\" from=\"1.y\" to=\"2.u\"/><wire id=\"5\" from=\"2.y\" to=\"3.u\"/>",
      options);
  g_auto (GStrv) lines = g_strsplit (outcome.out, "\n", -1);
  double a = 0, b = 0;
  guint n = 0;

  g_assert_cmpint (outcome.status, ==, 0);
  for (guint k = 0; k < 600; k++)
    {
      const char *comma = strchr (lines[1 + 2 * k + 1], ','); /* half a hundredth later */

      b = k % 3 == 0 ? a : b;
      a = k % 5 == 0 ? sin (k * 0.01 + 0.3) : a;
      g_assert_nonnull (comma);
      g_assert_cmpfloat_with_epsilon (g_ascii_strtod (comma + 1, NULL), b, 1e-12);
      n++;
    }
  g_assert_cmpuint (n, ==, 600);
}

int
main (int argc, char **argv)
{
  static const char *const solvers[] = { "auto",        "dormand-prince", "bogacki-shampine",
                                         "cvode-adams", "cvode-bdf",      "ida",
                                         "arkode-dirk" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (solvers); i++)
    {
      g_autofree char *path = g_strconcat ("/cli/solved/", solvers[i], NULL);

      g_test_add_data_func (path, solvers[i], test_cases);
    }
  g_test_add_func ("/cli/solved/holds-that-meet", test_holds_that_meet);
  return g_test_run ();
}

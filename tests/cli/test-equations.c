/* `weir solve`, and what `weir info` says of equations. */
#include "model-file.h"

#include <math.h>

static Outcome
law (const char *command, const char *text, const char *const *options)
{
  g_autofree char *elements = model_law (text);

  return model_run (command, elements, options);
}

/* The cell of a row of the table that begins with @name. */
static double
get_cell (const char *table, const char *name, guint column)
{
  g_auto (GStrv) lines = g_strsplit (table, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = g_regex_split_simple ("  +", lines[i], 0, 0);

      if (cells[0] != NULL && strcmp (cells[0], name) == 0)
        return g_ascii_strtod (cells[column], NULL);
    }
  g_error ("no row %s in\n%s", name, table);
}

enum { GIVEN = 1, GUESS, SOLVED, RESIDUAL, LINE, TOGETHER };

/* x^2 + y^2 = 25 and x y = 12 meet in (4, 3). */
static void
test_solve (void)
{
  g_auto (Outcome) outcome = law ("solve",
                                  "parameter r = 5\nguess x = 3.5; guess y = 2.5\n"
                                  "x^2 + y^2 ~ r^2\nx*y ~ 12\nz ~ x + y",
                                  NULL);

  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_cmpstr (outcome.err, ==, "");
  g_assert_true (g_str_has_prefix (outcome.out, "Law\nInitialization: exactly determined\n"));
  g_assert_cmpfloat_with_epsilon (get_cell (outcome.out, "x", SOLVED), 4.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (get_cell (outcome.out, "y", SOLVED), 3.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (get_cell (outcome.out, "z", SOLVED), 7.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (get_cell (outcome.out, "x", RESIDUAL), 0.0, 1e-13);
  g_assert_cmpfloat (get_cell (outcome.out, "x", GUESS), ==, 3.5);
  g_assert_cmpfloat (get_cell (outcome.out, "x", TOGETHER), ==, 2.0);
}

/* A parameter set from outside; a search that fails says where from and by how much. */
static void
test_solve_set (void)
{
  static const char text[] = "parameter r = 5\nguess x = 3.5; guess y = 2.5\n"
                             "x^2 + y^2 ~ r^2\nx*y ~ 12";
  g_auto (Outcome) wider = law ("solve", text, (const char *const[]) { "--set", "Law.r=6", NULL });
  g_auto (Outcome) none = law ("solve", text, (const char *const[]) { "--set", "Law.r=4", NULL });
  double x, y;

  g_assert_cmpint (wider.status, ==, 0);
  x = get_cell (wider.out, "x", SOLVED);
  y = get_cell (wider.out, "y", SOLVED);
  g_assert_cmpfloat_with_epsilon (x * x + y * y, 36.0, 1e-7);
  g_assert_cmpfloat_with_epsilon (x * y, 12.0, 1e-7);
  /* The circle of radius 4 does not meet the hyperbola: 2 x y <= x^2 + y^2. */
  g_assert_cmpint (none.status, ==, 3);
  g_assert_nonnull (strstr (none.err,
                            "error[INI01]: Law: Initialization: no solution was found from "
                            "x = 3.5, y = 2.5: "));
  g_assert_nonnull (strstr (none.err, "is off by"));
}

/* Time, inputs without a value, and problems of other kinds are refused by name. */
static void
test_solve_refused (void)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
    { "y ~ 2\n\nD(x) ~ -x\ninitial x = 1", "error[EQ09]: Law: Model: line 3: D(x) needs time" },
    { "initial n = 0\nwhen every(1): n := pre(n) + 1\ny ~ n",
      "error[EQ09]: Law: Model: line 2: when needs time" },
    { "sample 1\nx(k) ~ x(k-1) + 1\ninitial x = 0",
      "error[EQ09]: Law: Model: line 2: the clocked variable x(k) needs time" },
    { "y ~ sin(t)", "error[EQ09]: Law: Model: line 1: t needs time" },
    { "input u\ny ~ 2*u", "error[EQ09]: Law: Model: line 1: the input u has no value here" },
    { "minimise x^2",
      "error[EQ09]: Law: Model: line 1: 'minimise' belongs to an optimisation problem" },
    { "y(0) ~ 1", "error[EQ09]: Law: Model: line 1: y(0) is a value at a fixed time: this is a "
                  "boundary-value problem" },
    { "x ~ 1\nx ~ 2", "error[EQ04]: Law: Model: x is defined twice: in line 1 and in line 2." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Outcome) outcome = law ("solve", cases[i].text, NULL);

      if (strstr (outcome.err, cases[i].message) == NULL)
        g_error ("%s\n%s", cases[i].text, outcome.err);
      g_assert_cmpint (outcome.status, ==, 1);
      g_assert_cmpstr (outcome.out, ==, "");
    }
  {
    g_auto (Outcome) outcome = model_run (
        "solve", "<block id=\"1\" type=\"Clock\" name=\"C\" x=\"0\" y=\"0\"/>", NULL);

    g_assert_cmpint (outcome.status, ==, 1);
    g_assert_nonnull (strstr (outcome.err, "there is no Equations block to solve"));
  }
}

/* Given, guessed, solved: and how many conditions are missing. */
static void
test_initial (void)
{
  g_auto (Outcome) outcome = law ("info",
                                  "D(x) ~ y; 0 ~ x^2 + y^2 - 1; D(z) ~ -z; D(w) ~ w - 1\n"
                                  "initial x = 0.6; guess y = 1; guess z = 7\noutput x",
                                  (const char *const[]) { "--initial", NULL });

  const char *table = strstr (outcome.out, "Initialization: ");

  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_nonnull (table);
  g_assert_nonnull (strstr (table, "Initialization: under-determined, 2 conditions too few, "
                                   "filled from guesses or with 0\n"));
  g_assert_cmpfloat (get_cell (table, "x", GIVEN), ==, 0.6);
  g_assert_cmpfloat (get_cell (table, "y", GUESS), ==, 1.0);
  g_assert_cmpfloat_with_epsilon (get_cell (table, "y", SOLVED), 0.8, 1e-9);
  g_assert_cmpfloat (get_cell (table, "z", SOLVED), ==, 7.0);
  g_assert_cmpfloat (get_cell (table, "D(w)", SOLVED), ==, -1.0);
  g_assert_nonnull (strstr (outcome.out, "\nw      -      -      0 ")); /* unset, not 0 */
}

/* Initial (x) can be set from outside like a parameter, whether or not the text gives it. */
static void
test_set_initial (void)
{
  static const char text[] = "D(x) ~ -x; D(y) ~ 0*y\ninitial x = 1\nguess y = 2";
  g_auto (Outcome) outcome = law ("run", text,
                                  (const char *const[]) { "--set", "Law.Initial(x)=3", "--set",
                                                          "Law.Initial(y)=-4", "--until", "0",
                                                          "--log", "Law.*", NULL });
  g_auto (Outcome)
      unknown = law ("run", text, (const char *const[]) { "--set", "Law.Initial(q)=3", NULL });

  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_nonnull (strstr (outcome.out, "\n0,3,-4\n"));
  g_assert_cmpint (unknown.status, ==, 2);
}

/* The same for what is declared in a text that is extended; the text itself keeps its own value. */
static void
test_set_extended (void)
{
  static const char elements[] =
      "<block id=\"1\" type=\"Equations\" name=\"Base\" x=\"0\" y=\"0\"><parameter "
      "name=\"equations\" value=\"parameter k = 2 &quot;m&quot;&#10;parameter b[2] = [1, 2]&#10;"
      "constant n = 3&#10;D(x) ~ 0*x&#10;initial x = 1&#10;y ~ k + b[1] + n + x&#10;output y\"/>"
      "</block>"
      "<block id=\"2\" type=\"Equations\" name=\"Law\" x=\"0\" y=\"0\"><parameter "
      "name=\"equations\" value=\"extends Base&#10;z ~ 10*y; output z\"/></block>";
  g_auto (Outcome) plain = model_run (
      "run", elements, (const char *const[]) { "--until", "0", "--log", "*.y", NULL });
  g_auto (Outcome)
      set = model_run ("run", elements,
                       (const char *const[]) { "--set", "Law.k=5", "--set", "Law.b=[10, 20]",
                                               "--set", "Law.n=100", "--set", "Law.Initial(x)=1000",
                                               "--until", "0", "--log", "*.y", NULL });
  g_auto (Outcome)
      none = model_run ("run", elements, (const char *const[]) { "--set", "Law.q=5", NULL });

  g_assert_cmpstr (plain.err, ==, "");
  g_assert_nonnull (strstr (plain.out, "\n0,7,7\n")); /* 2 + 1 + 3 + 1 */
  g_assert_cmpstr (set.err, ==, "");
  g_assert_nonnull (strstr (set.out, "\n0,7,1115\n")); /* 5 + 10 + 100 + 1000 */
  g_assert_cmpint (none.status, ==, 2);
  g_assert_nonnull (strstr (none.err, "Law has no parameter \"q\""));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/equations/solve", test_solve);
  g_test_add_func ("/cli/equations/solve-set", test_solve_set);
  g_test_add_func ("/cli/equations/solve-refused", test_solve_refused);
  g_test_add_func ("/cli/equations/initial", test_initial);
  g_test_add_func ("/cli/equations/set-initial", test_set_initial);
  g_test_add_func ("/cli/equations/set-extended", test_set_extended);
  return g_test_run ();
}

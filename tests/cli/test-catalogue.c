/* What people are told: of texts of an Equations block that are to be refused or taken, and of all
 * errors that equations can meet, one minimal model each. Every
 * message names the block, here "Law". */
#include "model-file.h"

typedef struct {
  const char *about;
  const char *command;
  const char *text;        /* of the block */
  int status;              /* of the program */
  const char *expected[3]; /* all are said */
  const char *options[6];
} Case;

static void
check_cases (const Case *cases, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *elements = model_law (cases[i].text);
      g_auto (Outcome) outcome = model_run (cases[i].command, elements, cases[i].options);
      g_autofree char *all = g_strconcat (outcome.out, outcome.err, NULL);

      if (outcome.status != cases[i].status)
        g_error ("%s: status %d, expected %d:\n%s", cases[i].about, outcome.status, cases[i].status,
                 all);
      for (guint j = 0; j < G_N_ELEMENTS (cases[i].expected) && cases[i].expected[j] != NULL; j++)
        if (strstr (all, cases[i].expected[j]) == NULL)
          g_error ("%s: \"%s\" is not said, but:\n%s", cases[i].about, cases[i].expected[j], all);
      if (cases[i].status == 0 && strcmp (cases[i].command, "check") == 0)
        g_assert_cmpstr (all, ==, "");
    }
}

static void
test_acceptance (void)
{
  static const Case cases[] = {
    { "two states, no algebraic part",
      "info",
      "D(x) ~ v\nD(v) ~ -k/m*x\nparameter k = 2, m = 1\ninitial x = 1; initial v = 0",
      0,
      { "\nk         parameter ", "\nD(v)      derivative  -     2     1\n",
        "states           2: 0 q, 0 v, 2 z" } },
    { "observed values are sorted",
      "info",
      "D(x) ~ -z\nz ~ y^2\ny ~ a*x\nparameter a = 2\ninitial x = 1",
      0,
      { "\ny ~ a*x  # line 3\nz ~ (a*x)^2  # line 2\nD(x) ~ -(a*x)^2  # line 1\n" },
      { "--full" } },
    { "up to a common constant",
      "check",
      "y ~ z+1\nz ~ y-1",
      1,
      { "error[EQ05]: Law: Model: y and z are only determined up to a common constant by lines 1 "
        "and "
        "2." } },
    { "one linear unknown", "solve", "y ~ 2*y + 5", 0, { "\ny      -      -      -5      0  " } },
    { "defined twice",
      "check",
      "x ~ 1\nx ~ 2",
      1,
      { "error[EQ04]: Law: Model: x is defined twice: in line 1 and in line 2." } },
    { "a name that nothing defines",
      "check",
      "D(x) ~ y\ninitial x = 0",
      1,
      { "error[EQ02]: Law: Model: line 1: 'y' is neither an input, a parameter nor defined, "
        "and there is no 'y' in the model's variables; add 'input y', 'parameter y = ...' or an "
        "equation." } },
    { "no unknown",
      "check",
      "parameter p = 2\nD(x) ~ -x\n0 ~ p - 3\ninitial x = 1",
      1,
      { "error[EQ03]: Law: Model: line 3 contains no unknown: it is a condition on parameters." } },
    { "an algebraic unknown that loses rank",
      "run",
      "D(x) ~ y\n0 ~ x^2 + y^2 - 1\ninitial x = 0.6; guess y = 1",
      3,
      { "Law:y cannot be computed at t = 0.92", "The equations for y (line 2) could not be "
                                                "solved" },
      { "--until", "2", "--solver", "heun", "--step=0.01" } },
    { "a pendulum in x, y and tension",
      "info",
      "D(D(x)) ~ T*x\nD(D(y)) ~ T*y - 9.81\n0 ~ x^2 + y^2 - 1\n"
      "initial x = 0.6; initial D(x) = 0; guess y = -1",
      0,
      { "hint[EQ05]: Law: Model: the constraint of line 3 was differentiated 2 times (the "
        "equations "
        "have index 3); a run is kept on it.",
        "\nT         unknown     -     3     1\n", "states           4: 0 q, 0 v, 4 z" } },
    { "a domain error",
      "run",
      "D(x) ~ sqrt(x)\ninitial x = -1",
      3,
      { "the derivative of Law.x cannot be computed at t = 0 s: Line 1: sqrt(-1) has no value." } },
    { "an assignment without pre",
      "check",
      "when x ~ 0: v := v+1\nD(x) ~ 1\ninitial x = -1",
      1,
      { "error[EQ08]: Law: Model: line 1: v is on both sides of an assignment; did you mean "
        "pre(v)?" } },
    { "one condition too many",
      "check",
      "y ~ 2*x\nD(x) ~ -y\ninitial x = 1\ninitial y = 5",
      1,
      { "error[INI02]: Law: Initialization: 1 condition too many: x, y; with the others line 4 "
        "misses "
        "by -3." } },
  };

  check_cases (cases, G_N_ELEMENTS (cases));
}

/* A warning says what was chosen where nothing was given. */
static void
test_warnings (void)
{
  static const Case cases[] = {
    { "second order: both starts are asked for",
      "info",
      "D(D(x)) ~ -x",
      0,
      { "warning[INI03]: Law: Initialization: D(x) has no initial value and starts at 0",
        "warning[INI03]: Law: Initialization: x has no initial value and starts at 0" } },
    { "no guess",
      "info",
      "0 ~ y - cos(y)",
      0,
      { "warning[INI03]: Law: Initialization: there is no guess for y, which line 1 determines; it "
        "is "
        "sought from 0." } },
    { "EQ06",
      "info",
      "parameter m = 2 \"kg\", v = 3 \"m/s\"\ny ~ m + v",
      0,
      { "warning[EQ06]: Law: Model: line 2: here are added kg and m/s, which are of different "
        "kinds." } },
    { "one condition too many, which agrees",
      "info",
      "y ~ 2*x\nD(x) ~ -y\ninitial x = 1\ninitial y = 2",
      0,
      { "warning[INI02]: Law: Initialization: 1 condition too many: x, y; they agree.",
        "\nInitialization: over-determined, 1 condition too many, which agrees\n" },
      { "--initial" } },
  };

  check_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_catalogue (void)
{
  static const Case cases[] = {
    { "EQ01", "check", "y ~ 2*(3 + 4", 1, { "error[EQ01]: Law: Model: line 1, column " } },
    { "EQ02",
      "check",
      "parameter speed = 3\ny ~ 2*sped",
      1,
      { "error[EQ02]: Law: Model: line 2: 'sped' is neither an input, a parameter nor "
        "defined, and there is no 'sped' in the model's variables; did you mean 'speed'?" } },
    { "EQ03 few",
      "check",
      "y + z ~ 3",
      1,
      { "error[EQ03]: Law: Model: 1 equation too few (1 for 2 unknowns): y and z are not "
        "determined." } },
    { "EQ03 many",
      "check",
      "D(x) ~ -x\n0 ~ x + D(x) - 1\ninitial x = 1",
      1,
      { "error[EQ03]: Law: Model: 1 equation too many: lines 1 and 2 determine D(x) more than "
        "once." } },
    { "EQ04",
      "check",
      "parameter a = 1\nparameter a = 2\ny ~ a",
      1,
      { "error[EQ04]: Law: Model: a is defined twice: in line 1 and in line 2." } },
    { "EQ05",
      "check",
      "y ~ 2*z\nz ~ 0.5*y",
      1,
      { "error[EQ05]: Law: Model: y and z are not determined by lines 1 and 2: these equations are "
        "dependent (singular)." } },
    { "EQ07",
      "check",
      "parameter b = [1, 2], c = [1, 2, 3]\ny ~ b + c",
      1,
      { "error[EQ07]: Law: Model: line 2: the operands of '+' have size 2 and size 3." } },
    { "EQ08",
      "check",
      "sample 0.1\nx(k+1) ~ x(k)",
      1,
      { "error[EQ08]: Law: Model: line 2: x(k+1) is in the future" } },
    { "EQ09",
      "check",
      "minimize x^2",
      1,
      { "error[EQ09]: Law: Model: line 1: 'minimize' belongs to" } },
    { "PAR01",
      "check",
      "parameter a = b + 1\nparameter b = a\ny ~ a",
      1,
      { "error[PAR01]: Law: Model: line 1: parameters depend on each other in a cycle: a -> b -> "
        "a." } },
    { "INI01",
      "check",
      "x^2 + y^2 ~ 4\nx*y ~ 12\nguess x = 1; guess y = 2",
      1,
      { "error[INI01]: Law: Initialization: no solution was found from x = 1, y = 2: ",
        "is off by" } },
    { "INI02 many",
      "check",
      "D(x) ~ -x\ninitial x = 1\ninitial x = 2",
      1,
      { "error[INI02]: Law: Initialization: 1 condition too many: x has two initial values, in "
        "line 2 and in line 3; take one away." } },
    { "INI02 few",
      "check",
      "D(x) ~ -k*x\nparameter k = 1\nsolve k\ninitial x = 1",
      1,
      { "error[INI02]: Law: Initialization: 1 condition too few: k is not determined." } },
    { "INI03",
      "check",
      "D(x) ~ -x\ninitial x = 1\nguess x + 1 = 3",
      1,
      { "error[INI03]: Law: Initialization: line 3: a guess is of a variable" } },
    { "RUN01",
      "run",
      "input u = 3\nD(x) ~ x/(u - 3)\ninitial x = 0",
      3,
      { "the derivative of Law.x cannot be computed at t = 0 s: Line 2: 0 / 0 has no value.",
        "(inputs: u = 3)" } },
    { "RUN01 infinite",
      "run",
      "D(x) ~ if t > 0.5 then inf else 1\ninitial x = 0",
      3,
      { "the derivative of Law.x became infinite at t = 0.5 s, in line 1" } },
    { "a constraint that loses rank",
      "run",
      "D(x) ~ y\n0 ~ x^2 + y^2 - 1\ninitial x = 0; guess y = 1",
      3,
      { "t = 1.57", "The equations for y (line 2) hold to " } },
    { "RUN02",
      "run",
      "D(x) ~ x^2\ninitial x = 1",
      3,
      { "the step became too small for the tolerance at t = 1 s", "; Law.x ran away and is at " } },
    { "RUN03",
      "run",
      "D(x) ~ 1\ny ~ log(0.5 - x)\ninitial x = 0",
      3,
      { "Law:", "Line 2: log(-", " has no value." },
      { "--log", "Law.y" } },
    { "RUN04",
      "run",
      "D(x) ~ -sign(x)\ninitial x = 1",
      3,
      { "Law: 1001 zero crossings (Law:differences of relations) within ", "the model chatters" } },
    { "RUN05",
      "run",
      "D(x) ~ 1\ninitial x = 0\ny ~ if y + x > 0 then -1 else 1",
      3,
      { "Law: events follow from each other without end at t = 0" } },
    { "RUN06",
      "run",
      "D(x) ~ 1\ninitial x = 0\nassert x < 0.5, \"too far\"",
      3,
      { "Law:time derivatives", "too far (the assertion of line 3 does not hold)." } },
    { "assignments that disagree",
      "run",
      "D(x) ~ 1\ninitial x = 0; initial n = 0\nwhen x > 1: n := 2\nwhen 2*x > 2: n := 3\ny ~ n",
      3,
      { "Law: the event at t = 1 s",
        "Lines 3 and 4 assign different values to n at one instant, 2 and 3." } },
  };

  check_cases (cases, G_N_ELEMENTS (cases));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/catalogue/acceptance", test_acceptance);
  g_test_add_func ("/cli/catalogue/warnings", test_warnings);
  g_test_add_func ("/cli/catalogue/errors", test_catalogue);
  return g_test_run ();
}

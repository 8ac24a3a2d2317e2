/* What becomes of equations, as the program tells it: what is accepted and what it gives, what is
 * refused and in which words. Numbers come from closed forms, which stand beside them. */
#include "model-file.h"

#include <math.h>

typedef struct {
  double time;
  const char *column;
  double value, tolerance;
} Number;

typedef struct {
  const char *about;
  const char *text; /* of the block "Law"; NULL: @elements */
  const char *elements;
  const char *command;
  int status;
  const char *expected[3]; /* all are said */
  Number numbers[4];       /* of the last rows of their times */
  const char *options[8];
} Case;

/* The value under @column in the last row of @time. */
static double
find_number (const char *csv, const Number *number)
{
  g_auto (GStrv) lines = g_strsplit (csv, "\n", -1);
  g_auto (GStrv) names = g_strsplit (lines[0], ",", -1);
  double found = NAN;
  guint column = 0;

  while (names[column] != NULL && strcmp (names[column], number->column) != 0)
    column++;
  if (names[column] == NULL)
    g_error ("there is no column %s in %s", number->column, lines[0]);
  for (guint i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], ",", -1);

      if (g_ascii_strtod (cells[0], NULL) == number->time)
        found = g_ascii_strtod (cells[column], NULL);
    }
  return found;
}

static void
check_case (const Case *self)
{
  g_autofree char *law = self->text != NULL ? model_law (self->text) : g_strdup (self->elements);
  const char *const log[] = { "--until", "2", "--every", "1", "--log", "Law.*", NULL };
  gboolean is_plain_run = strcmp (self->command, "run") == 0 && self->options[0] == NULL;
  g_auto (Outcome) outcome = model_run (self->command, law, is_plain_run ? log : self->options);
  g_autofree char *all = g_strconcat (outcome.out, outcome.err, NULL);

  if (outcome.status != self->status)
    g_error ("%s: status %d, expected %d:\n%s", self->about, outcome.status, self->status, all);
  for (guint i = 0; i < G_N_ELEMENTS (self->expected) && self->expected[i] != NULL; i++)
    if (strstr (all, self->expected[i]) == NULL)
      g_error ("%s: \"%s\" is not said, but:\n%s", self->about, self->expected[i], all);
  for (guint i = 0; i < G_N_ELEMENTS (self->numbers) && self->numbers[i].column != NULL; i++)
    {
      const Number *number = &self->numbers[i];
      double found = find_number (outcome.out, number);

      if (!(fabs (found - number->value) <= number->tolerance))
        g_error ("%s: %s at %g s is %.17g, expected %.17g within %g", self->about, number->column,
                 number->time, found, number->value, number->tolerance);
    }
  if (self->status == 0 && strcmp (self->command, "check") == 0 && self->expected[0] == NULL)
    g_assert_cmpstr (all, ==, "");
}

#define CHECK_CASES(cases)                                                                         \
  for (guint i_case = 0; i_case < G_N_ELEMENTS (cases); i_case++)                                  \
  check_case (&cases[i_case])

/* Names that the leaf uses for itself. */
static void
test_names (void)
{
  static const Case cases[] = {
    { "relations",
      "D(x) ~ if x > 0.5 then -1 else 1\ninitial x = 0\ninitial relations = 0\n"
      "when every(0.1): relations := pre(relations) + 1\noutput x, relations",
      .command = "run", .options = { "--until", "0.35", "--log", "Law.*" },
      .numbers = { { 0.35, "Law.relations", 4, 0 }, { 0.35, "Law.x", 0.35, 1e-9 } } },
    /* x' = -x(t - 0.1), 1 before: 1 - t up to 0.1. */
    { "past1",
      "D(x) ~ -delay(x, 0.1)\ninitial x = 1\ninitial past1 = 0\n"
      "when every(0.1): past1 := pre(past1)+1\noutput x,past1",
      .command = "run", .options = { "--until", "0.1", "--log", "Law.*" },
      .numbers = { { 0.1, "Law.past1", 1, 0 }, { 0.1, "Law.x", 0.9, 1e-9 } } },
    { "k",
      "D(x) ~ 0\ninitial x = 2\nsample 0.1\nz(k) ~ z(k-1)+x\ninitial z = 0; initial k = 0\n"
      "when every(0.1): k := pre(k)+1\noutput x,z,k",
      .command = "run", .options = { "--until", "0.35", "--log", "Law.*" },
      .numbers = { { 0.35, "Law.k", 4, 0 }, { 0.35, "Law.z", 8, 0 } } },
    { "values1, delayed1, breaks1, conditions",
      "values1 ~ 2*cos(values1)\nguess values1 = 1\nconditions ~ delay(t, 0.1)\n"
      "D(delayed1) ~ values1\ninitial delayed1 = 0\noutput values1, conditions, delayed1",
      .command = "verify", .expected = { "identical" }, .options = { "--until", "1" } },
    { "a dot", "D(x.y) ~ 1\ninitial x.y = 1", .command = "check", .status = 1,
      .expected = { "error[EQ02]: Law: Model: line 1: the name x.y has a dot; names here have "
                    "none." } },
    { "a dot of another block", "D(x) ~ Base.x\ninitial x = 0", .command = "check", .status = 1,
      .expected = { "'Base.x' is neither an input, a parameter nor defined", "comes by a wire" } },
  };

  CHECK_CASES (cases);
}

/* One name, declared in ways that do not agree. */
static void
test_declarations (void)
{
  static const Case cases[] = {
    { "scalar and array", "variable x\nvariable x[2]\nD(x) ~ -x\ninitial x = 1", .command = "check",
      .status = 1,
      .expected = { "error[EQ04]: Law: Model: x is defined twice: in line 1 and in line 2." } },
    { "two sizes", "variable x[2]\noutput x[3]\nD(x) ~ -x\ninitial x = 1", .command = "check",
      .status = 1,
      .expected = { "error[EQ07]: Law: Model: line 2: x is declared with size 3 here, but with "
                    "size 2 in another line." } },
    { "an array of a scalar parameter", "parameter p = 1\noutput p[2]\nD(x) ~ -p\ninitial x = 1",
      .command = "check", .status = 1,
      .expected = { "line 2: p is declared with size 2 here, but with a scalar in another" } },
    { "an output says nothing more", "variable x[2]\noutput x\noutput x\nD(x) ~ -x\ninitial x = 1",
      .command = "check" },
    { "an input twice in one line", "input u = 1, u = 2\ny ~ u", .command = "check", .status = 1,
      .expected = { "error[EQ04]: Law: Model: u is defined twice in line 1." } },
    { "t", "parameter t = 3\nD(x) ~ -x\ninitial x = 1", .command = "check", .status = 1,
      .expected = { "line 1, column 11: expected a name, but 't' is a word of the language." } },
    { "a parameter of a variable", "parameter a = x\nD(x) ~ a\ninitial x=0", .command = "check",
      .status = 1,
      .expected = { "error[PAR01]: Law: Model: line 1: the value of a reads x, which is not" } },
    { "a cycle", "parameter a = b + 1, b = a\nD(x) ~ a\ninitial x=0", .command = "check",
      .status = 1, .expected = { "parameters depend on each other in a cycle: a -> b -> a." } },
    { "no value", "parameter a\nsolve a\nD(x) ~ a*x\ninitial x=1\ninitial D(x) = 5",
      .command = "check", .status = 1,
      .expected = { "error[PAR07]: Law: Model: line 1: the parameter a has no value" } },
    { "an unused parameter", "parameter p = 1, q = 2\ny ~ p", .command = "check" },
    { "nothing", "", .command = "check" },
  };

  CHECK_CASES (cases);
}

static void
test_equations (void)
{
  static const Case cases[] = {
    { "a condition on time", "t ~ 3\nD(x) ~ -x\ninitial x = 1", .command = "check", .status = 1,
      .expected = { "error[EQ03]: Law: Model: line 1 contains no unknown: it is a condition on "
                    "time." } },
    { "D of two", "D(x, y) ~ 1\ninitial x = 1", .command = "check", .status = 1,
      .expected = { "line 1, column 1: D takes 1 argument, but 2 are given." } },
    { "a derivative twice", "D(x) ~ -x\nD(x) ~ x\ninitial x = 1", .command = "check", .status = 1,
      .expected = { "error[EQ04]: Law: Model: D(x) is defined twice: in line 1 and in line 2." } },
    { "one equation too many", "x ~ 1\ny ~ x\n0 ~ y + x - 5", .command = "check", .status = 1,
      .expected = { "1 equation too many: lines 1, 2 and 3 determine x and y more than once." } },
    { "dependent", "0 ~ x + y - 1\n0 ~ 2*x + 2*y - 2", .command = "check", .status = 1,
      .expected = { "error[EQ05]", "these equations are dependent (singular)." } },
    { "a product that does not exist",
      "parameter A[2,2] = [1,2;3,4]\nvariable x[3]\nD(x) ~ A*x\ninitial x = [1,1,1]",
      .command = "check", .status = 1,
      .expected = { "error[EQ07]", "a matrix product of size 2 x 2 and size 3 does not exist." } },
    { "a boundary value", "D(x) ~ -x\nx(0) ~ 1", .command = "check", .status = 1,
      .expected = { "error[EQ09]", "this is a boundary-value problem" } },
    { "a comma in a guess", "y ~ cos(y)\nguess y = 0, T = 0", .command = "check", .status = 1,
      .expected = { "expected an operator or the end of the line, but found ','" } },
    { "another function", "connect(x, u)\nD(x) ~ u\ninitial x=0", .command = "check", .status = 1,
      .expected = { "there is no function 'connect'; did you mean 'convert'?" } },
    { "units, asked for alone", "parameter m = 2 \"kg\"\nvariable x \"m\"\nD(x) ~ m\ninitial x = 1",
      .command = "check",
      .expected = { "warning[EQ06]: Law: Model: line 3: the sides are in m/s and kg, which are of "
                    "different kinds." },
      .options = { "--checks", "units" } },
    { "units, not asked for", "parameter m = 2 \"kg\"\nvariable x \"m\"\nD(x) ~ m\ninitial x = 1",
      .command = "check", .options = { "--checks", "components" } },
    { "by itself", "y ~ 2*y + 5", .command = "run", .numbers = { { 2, "Law.y", -5, 0 } } },
    /* D(x) = y = 2 y + 3 */
    { "a derivative on the right", "D(x) ~ y\ny ~ 2*D(x) + 3\ninitial x = 1", .command = "run",
      .numbers = { { 2, "Law.x", -5, 1e-9 } } },
    /* x = 1/(1 + 9 t), whatever the order of the lines */
    { "in order", "z ~ y^2\ny ~ 3*x\nD(x) ~ -z\ninitial x=1\noutput z,y,x", .command = "run",
      .numbers = { { 2, "Law.x", 1.0 / 19, 1e-7 }, { 2, "Law.z", 9.0 / 361, 1e-7 } } },
    { "in another", "D(x) ~ -z\ny ~ 3*x\ninitial x=1\nz ~ y^2\noutput z,y,x", .command = "run",
      .numbers = { { 2, "Law.x", 1.0 / 19, 1e-7 }, { 2, "Law.z", 9.0 / 361, 1e-7 } } },
    { "with a factor", "D(x) ~ -y\ny ~ 3*x\ninitial x = 1\noutput x", .command = "run",
      .numbers = { { 2, "Law.x", 0.0024787521766663585, 1e-7 } } }, /* exp (-6) */
    { "a loop",
      "parameter n=3\nvariable x[3]\nfor i in 1:3: D(x[i]) ~ -i*x[i]\n"
      "initial x = [1,2,3]\noutput x",
      .command = "run",
      .numbers = { { 2, "Law.x[0]", 0.1353352832366127, 1e-6 },      /* exp (-2) */
                   { 2, "Law.x[1]", 2 * 0.01831563888873418, 1e-6 }, /* 2 exp (-4) */
                   { 2, "Law.x[2]", 3 * 0.0024787521766663585, 1e-6 } } },
    /* sin th, -cos th, -3 g cos th with th = 2 asin (k cd (sqrt (g) t, k)), k = sqrt (1/2), by
     * elliptic functions of 30 digits */
    { "a pendulum of index 3",
      "parameter g=9.81\nD(D(x)) ~ T*x\nD(D(y)) ~ T*y - g\nx^2 + y^2 ~ 1\ninitial x = 1\n"
      "initial D(y) = 0\nguess y = 0; guess T = 0\noutput x, y, T",
      .command = "run", .expected = { "hint[EQ05]", "differentiated 2 times" },
      .numbers = { { 2, "Law.x", 0.793566195343321747, 2e-6 },
                   { 2, "Law.y", -0.608483930443791515, 2e-6 },
                   { 2, "Law.T", -17.9076820729607843, 1e-4 } } },
    /* x^2 + y^2 = 5 a, x y = 3 */
    { "without time", "parameter a = 2\nx^2 + y^2 ~ 5*a\nx*y ~ 3\nguess x = 2\nguess y=1",
      .command = "solve",
      .expected = { "\nx      -      2      3 ", "\ny      -      1      1 " } },
    /* x^2 = (15 + sqrt (189))/2 */
    { "with another value", "parameter a = 2\nx^2 + y^2 ~ 5*a\nx*y ~ 3\nguess x = 2\nguess y=1",
      .command = "solve", .expected = { " 3.791287847 ", " 0.7912878475 " },
      .options = { "--set", "Law.a=3" } },
    { "from another guess", "parameter a = 2\nx^2 + y^2 ~ 5*a\nx*y ~ 3\nguess x = 2\nguess y=1",
      .command = "solve",
      .expected = { "\nx      -      -2     -3 ", "\ny      -      -1     -1 " },
      .options = { "--set", "Law.Guess(x)=-2", "--set", "Law.Guess(y)=-1" } },
    { "no solution", "x^2 ~ -1\nguess x = 2", .command = "solve", .status = 3,
      .expected = { "error[INI01]: Law: Initialization: no solution was found from x = 2" } },
    { "with time", "D(x) ~ -x\ninitial x=1", .command = "solve", .status = 1,
      .expected = { "D(x) needs time, and only equations without time can be solved" } },
  };

  CHECK_CASES (cases);
}

/* Constants that are infinite or no number. */
static void
test_not_finite (void)
{
  static const Case cases[] = {
    { "1/0", "y ~ 1/0", .command = "check", .status = 1,
      .expected = { "error[EQ11]: Law: Model: line 1: 1/0 has no finite value." } },
    { "of a parameter", "parameter p = 1/0\ny ~ p", .command = "check", .status = 1,
      .expected = { "error[EQ11]: Law: Model: line 1: 1/0 has no finite value." } },
    { "log and sqrt", "y ~ log(0)\nz ~ sqrt(-1)", .command = "check", .status = 1,
      .expected = { "line 1: log(0) has no finite value.", "line 2: sqrt(-1) has no finite" } },
    { "x/0", "D(x) ~ x/0\ninitial x = 1", .command = "check", .status = 1,
      .expected = { "error[EQ11]: Law: Model: line 1: x/0 has no finite value." } },
    { "an overflow", "y ~ 10^400", .command = "check", .status = 1,
      .expected = { "error[EQ11]: Law: Model: line 1: 10^400 has no finite value." } },
    { "a branch that is not taken", "constant n = 0\ny ~ if n == 0 then 0 else 1/n",
      .command = "check" },
    { "meant", "y ~ -inf\nz ~ 2/inf\nD(x) ~ if x > inf then 1 else 0\ninitial x = 0",
      .command = "check" },
    { "when it runs", "D(x) ~ sqrt(x)\ninitial x = -1", .command = "run", .status = 3,
      .expected = { "Line 1: sqrt(-1) has no value." } },
    /* y and z are computed together: which of them it is, is told. */
    { "a value when it runs", "D(x) ~ 1\nz ~ 2*x\ny ~ exp(1000*x)\ninitial x = 0\noutput z, y",
      .command = "run", .expected = { "warning: Law:y became infinite at t = 1 s, in line 3" } },
    { "an element", "variable y[2]\nD(x) ~ 1\ny ~ [x, exp(1000*x)]\ninitial x = 0\noutput x, y",
      .command = "run", .expected = { "Law:y[1] became infinite at t = 1 s, in line 3" } },
    { "no value", "D(x) ~ 1\nz ~ 2*x\ny ~ log(0.5 - x)\ninitial x = 0\noutput z, y",
      .command = "run", .status = 3,
      .expected = { "Law:y cannot be computed at t = 1 s: Line 3: log(-0.4" } },
    { "not solved", "D(x) ~ 1\nz ~ 2*x\n0 ~ y^2 - 0.5 + x\ninitial x = 0; guess y = 1\noutput z, y",
      .command = "run", .status = 3,
      .expected = { "Law:y cannot be computed at t = 1 s: The equations for y (line 3)" } },
  };

  CHECK_CASES (cases);
}

static void
test_starts (void)
{
  static const Case cases[] = {
    { "none", "D(x) ~ -x", .command = "check",
      .expected = { "warning[INI03]: Law: Initialization: x has no initial value and starts at "
                    "0" } },
    { "no guess", "D(x) ~ y\n0 ~ x^2 + y^2 - 1\ninitial x = 0.5", .command = "check", .status = 1,
      .expected = { "error[INI01]", "no solution was found from y = 0", "Give another guess." } },
    { "one too many", "D(x) ~ -x\ny ~ 2*x\ninitial x = 1\ninitial y = 5", .command = "check",
      .status = 1, .expected = { "1 condition too many: x, y; with the others line 4 misses by" } },
    { "one that agrees", "D(x) ~ -x\ny ~ 2*x\ninitial x = 1\ninitial y = 2", .command = "check",
      .expected = { "warning[INI02]", "1 condition too many: x, y; they agree." } },
    { "of a bound parameter", "parameter a = 2, b = 2*a\nD(x) ~ b\ninitial x=0\ninitial b = 3",
      .command = "check", .status = 1,
      .expected = { "error[INI02]", "b is computed from other parameters in line 1" } },
    /* D(x) = -3 at the start: x = 3 exp (-t) */
    { "of a derivative", "D(x) ~ -x\ninitial 0 ~ D(x) + 3\noutput x", .command = "run",
      .numbers = { { 0, "Law.x", 3, 1e-12 }, { 2, "Law.x", 0.40600584970983810, 3e-6 } } },
    { "at rest", "parameter a=2\nD(x) ~ a - x\ninitial D(x) = 0\noutput x", .command = "run",
      .numbers = { { 0, "Law.x", 2, 1e-12 }, { 2, "Law.x", 2, 1e-12 } } },
    /* a = 5: exp (10) */
    { "a parameter that is found",
      "parameter a = 1\nsolve a\nD(x) ~ a*x\ninitial x=1\ninitial D(x) = 5", .command = "run",
      .numbers = { { 2, "Law.x", 22026.465794806718, 1.0 } } },
    /* 3 exp (-2) - 3 */
    { "Initial", "D(x) ~ -x\nz ~ x - Initial(x)\ninitial x = 3\noutput z", .command = "run",
      .numbers = { { 0, "Law.z", 0, 0 }, { 2, "Law.z", -2.5939941502901620, 3e-6 } } },
    { "set from outside", "D(x) ~ 1\ninitial x = 0\noutput x", .command = "run",
      .numbers = { { 1, "Law.x", 6, 1e-9 } },
      .options = { "--set", "Law.Initial(x)=5", "--until=1", "--every=1", "--log", "Law.*" } },
  };

  CHECK_CASES (cases);
}

#define VALUES                                                                                     \
  "parameter k = 1, b = 2*k\nconstant c = 3\nD(x) ~ k\ninitial x = 0\ninitial n = 0\n"             \
  "when every(0.5): n := pre(n) + b\noutput n, x"

static void
test_events (void)
{
  static const Case cases[] = {
    { "a stray end", "D(x) ~ 1\ninitial x=0\nwhen x > 1: n := pre(n) + 1\nend", .command = "check",
      .status = 1,
      .expected = { "error[EQ01]: Law: Model: line 4, column 1: this 'end' closes nothing" } },
    { "of a parameter", "parameter k = 1\nD(x) ~ k\ninitial x=0\nwhen x > 1: k := 2",
      .command = "check", .status = 1,
      .expected = { "error[EQ08]: Law: Model: line 4: k is a parameter and cannot be assigned" } },
    { "no pre", "D(x) ~ 1\ninitial x=0\nwhen x > 1: n := n + 1", .command = "check", .status = 1,
      .expected = { "n is on both sides of an assignment; did you mean pre(n)?" } },
    { "each other", "D(x) ~ 1\ninitial x=0\nwhen x > 1:\n a := b + 1\n b := a - 1\nend",
      .command = "check", .status = 1,
      .expected = { "line 3: the assignments read each other in a cycle; use pre()." } },
    { "an unknown name", "D(x) ~ 1\ninitial x=0\nwhen x > 1: q := zz", .command = "check",
      .status = 1, .expected = { "error[EQ02]: Law: Model: line 3: 'zz' is neither an input" } },
    { "of what follows", "D(x) ~ 1\ny ~ 2*x\ninitial x=0\nwhen x > 1: y := 0", .command = "check",
      .status = 1, .expected = { "error[EQ03]", "1 equation too many" } },
    { "twice in one when", "D(x) ~ 1\ninitial x=0; initial n=0\nwhen x > 0.5: n := 1, n := 2",
      .command = "check", .status = 1,
      .expected = { "error[EQ08]: Law: Model: line 3: n is assigned to twice in one when" } },
    { "an array and an element of it",
      "D(x) ~ 1\ninitial x=0\nvariable n[2]\ninitial n = 0\nwhen x > 0.5: n := 1, n[1] := 2",
      .command = "check", .status = 1,
      .expected = { "line 5: n[1] is assigned to twice in one when" } },
    { "under one condition", "D(x) ~ 1\ninitial x=0\nwhen x > 1: x := 0\nwhen x > 1: x := 5",
      .command = "check", .status = 1,
      .expected = { "error[EQ08]: Law: Model: lines 3 and 4 assign to x under the same "
                    "condition" } },
    { "at the same ticks", "initial n=0\nwhen every(0.1): n := 1\nwhen every(0.1): n := 2",
      .command = "check", .status = 1,
      .expected = { "lines 2 and 3 assign to n under the same condition" } },
    { "the same under one condition",
      "D(x) ~ 1\ninitial x=0\ninitial n = 0\n"
      "when x > 1: n := 3\nwhen x > 1: n := 3",
      .command = "check" },
    { "counted", "D(x) ~ 1\ninitial x=0; initial n=0\nwhen x > 1: n := pre(n) + 1\noutput n, x",
      .command = "run", .numbers = { { 2, "Law.n", 1, 0 }, { 2, "Law.x", 2, 1e-9 } } },
    { "true at the start", "0 ~ x - 1\nguess x = 1\ninitial y = 0\nwhen x > 0: y := 1",
      .command = "run", .numbers = { { 2, "Law.y", 0, 0 } } },
    /* At the start x = 0: what holds there does not become true as x grows, what does not does. */
    { "equal at the start",
      "D(x) ~ 1\ninitial x = 0; initial a = 0; initial b = 0; initial c = 0; initial d = 0\n"
      "when x >= 0: a := pre(a) + 1\nwhen 1 <= x + 1: b := pre(b) + 1\n"
      "when not (x < 0) and t < 5: c := pre(c) + 1\nwhen x > 0: d := pre(d) + 1\n"
      "output a, b, c, d",
      .command = "run",
      .numbers = { { 2, "Law.a", 0, 0 },
                   { 2, "Law.b", 0, 0 },
                   { 2, "Law.c", 0, 0 },
                   { 2, "Law.d", 1, 0 } } },
    { "equal later",
      "D(x) ~ 1\ninitial x = 0; initial a = 0; initial b = 0; initial c = 0; initial d = 0\n"
      "when x >= 1: a := pre(a) + 1\nwhen 1 - x <= 0: b := pre(b) + 1\n"
      "when not (x < 1) or x >= 7: c := pre(c) + 1\nwhen not (x <= 1): d := pre(d) + 1\n"
      "output a, b, c, d",
      .command = "run",
      .numbers = { { 2, "Law.a", 1, 0 },
                   { 2, "Law.b", 1, 0 },
                   { 2, "Law.c", 1, 0 },
                   { 2, "Law.d", 1, 0 } } },
    /* the same, b = 2 k at each; a start, b and k as given, and c, which has no such option */
    { "values of events", VALUES, .command = "run",
      .numbers = { { 1, "Law.n", 4, 0 }, { 2, "Law.n", 8, 0 } } },
    { "from another start", VALUES, .command = "run",
      .numbers = { { 0, "Law.x", 5, 0 }, { 2, "Law.n", 8, 0 }, { 2, "Law.x", 7, 1e-9 } },
      .options = { "--until=2", "--every=1", "--log=Law.*", "--set=Law.Initial(x)=5" } },
    { "with another k", VALUES, .command = "run",
      .numbers = { { 2, "Law.n", 32, 0 }, { 2, "Law.x", 8, 1e-9 } },
      .options = { "--until=2", "--every=1", "--log=Law.*", "--set=Law.k=4" } },
    { "with another b", VALUES, .command = "run",
      .numbers = { { 2, "Law.n", 20, 0 }, { 2, "Law.x", 2, 1e-9 } },
      .options = { "--until=2", "--every=1", "--log=Law.*", "--set=Law.b=5" } },
    /* ticks at 0, 0.5, 1 and 1.5 before what is seen at 2 */
    { "ticks", "initial n=0\nwhen every(0.5): n := pre(n)+1\noutput n", .command = "run",
      .numbers = { { 0, "Law.n", 0, 0 }, { 2, "Law.n", 4, 0 } } },
    { "in k", "sample 0.5\ninitial z = 7\nz(k) ~ z(k-1) + 1\noutput z", .command = "run",
      .numbers = { { 0, "Law.z", 7, 0 }, { 2, "Law.z", 11, 0 } } },
    { "piled up",
      "D(h) ~ v\nD(v) ~ -9.81\ninitial h = 1; initial v = 0\n"
      "when h < 0: h := 0, v := -0.5*pre(v)\noutput h",
      .command = "run", .status = 3, .expected = { "zero crossings", "(Zeno)" } },
    { "chatter", "D(x) ~ if x > 0 then -1 else 1\ninitial x = 0.5", .command = "run", .status = 3,
      .expected = { "zero crossings", "the model chatters" } },
    { "an assertion", "D(x) ~ -1\ninitial x = 1\nassert x > 0, \"x went below\"", .command = "run",
      .status = 3, .expected = { "x went below (the assertion of line 3 does not hold)." } },
  };

  CHECK_CASES (cases);
}

static void
test_delays (void)
{
  static const Case cases[] = {
    { "no bound", "D(x) ~ -delay(x, y)\ny ~ -1\ninitial x = 1", .command = "check", .status = 1,
      .expected = { "error[EQ08]", "the time of delay(x, y) has no bound, as y changes" } },
    { "the future", "D(x) ~ -delay(x, -1)\ninitial x = 1", .command = "check", .status = 1,
      .expected = { "line 1: the time of a delay must be more than 0 s, but that of x is -1 s; "
                    "nobody knows the future." } },
    { "at most 0", "D(x) ~ -delay(x, t/2, 0)\ninitial x=1", .command = "check", .status = 1,
      .expected = { "the longest time of a delay must be more than 0 s, but that of x is 0 s." } },
    { "at most 0, fixed", "D(x) ~ -delay(x, 1, 0)\ninitial x=1", .command = "check", .status = 1,
      .expected = { "the longest time of a delay must be more than 0 s, but that of x is 0 s." } },
    { "at most -1, fixed", "D(x) ~ -delay(x, 1, -1)\ninitial x=1", .command = "check", .status = 1,
      .expected = { "the longest time of a delay must be more than 0 s, but that of x is -1 s" } },
    { "at most nan", "D(x) ~ -delay(x, t/2, nan)\ninitial x=1", .command = "check", .status = 1,
      .expected = { "the longest time of the delay of x must be a finite time made of numbers and "
                    "constants, but is nan." } },
    { "at most inf", "D(x) ~ -delay(x, t/2, inf)\ninitial x=1", .command = "check", .status = 1,
      .expected = { "must be a finite time made of numbers and constants, but is inf." } },
    { "more than the longest", "D(x) ~ -delay(x, 2, 1)\ninitial x=1", .command = "check",
      .status = 1, .expected = { "2 s, is more than its longest time, 1 s" } },
    { "a very short one", "D(x) ~ -delay(x, 1e-300)\ninitial x = 1\noutput x", .command = "run",
      .status = 3,
      .expected = { "Law: a delay of 1e-300 s is too short for a run of 2 s, which would get "
                    "nowhere; "
                    "give it at least 1.3e-16 s" } },
    { "a very short longest one", "D(x) ~ -delay(x, t*1e-301, 1e-300)\ninitial x = 1\noutput x",
      .command = "run", .status = 3,
      .expected = { "Law: a delay of 1e-300 s is too short for a run of 2 s" } },
    /* x(2) = cos (1) - 1, by integrating twice */
    { "with a history", "D(x) ~ -delay(x, 1)\nhistory x = cos(t)\ninitial x = 1\noutput x",
      .command = "run", .numbers = { { 2, "Law.x", -0.45969769413186023, 1e-6 } } },
  };

  CHECK_CASES (cases);
}

static void
test_random (void)
{
  static const Case cases[] = {
    { "no steps", "brownian w\nD(x) ~ -x\ninitial x=1", .command = "check", .status = 1,
      .expected = { "error[EQ08]: Law: Model: line 1: brownian w needs steps" } },
    { "no value at an instant", "brownian w\ny ~ w\nnoise 0.01", .command = "check", .status = 1,
      .expected = { "w is white noise, which has no value at an instant" } },
    { "a product of itself", "brownian w\nD(x) ~ w*w\ninitial x=0\nnoise 0.01", .command = "check",
      .status = 1, .expected = { "w may only stand as a term with a factor" } },
    { "a rate below 0", "D(x) ~ 1\ninitial x=0\nwhen jump(-1): x := 0", .command = "run",
      .status = 3, .expected = { "The rate of a jump is negative (the assertion of line 3" } },
    /* Poisson: 5 000 jumps, four standard deviations are 283 */
    { "jumps", "initial n=0\nwhen jump(5): n := pre(n)+1\noutput n", .command = "run",
      .numbers = { { 1000, "Law.n", 5000, 283 } },
      .options = { "--until=1000", "--every=1000", "--log", "Law.*" } },
    /* as many as 1e9 a second allow: 1 000 in a microsecond, four standard deviations are 127 */
    { "fast jumps", "initial n=0\nwhen jump(1e9): n := pre(n)+1\noutput n", .command = "run",
      .numbers = { { 1e-6, "Law.n", 1000, 127 } },
      .options = { "--until=1e-6", "--every=1e-6", "--log", "Law.*" } },
  };

  CHECK_CASES (cases);
}

/* dx = x dw: log x = w - t/2 in Ito's sense, w in Stratonovich's; y = w. */
static void
test_ito (void)
{
  const char *const options[] = { "--until=2", "--every=1", "--log", "Law.*", NULL };
  g_autofree char *law = model_law ("brownian w\nD(x) ~ x*w\nD(y) ~ w\ninitial x=1\ninitial y=0\n"
                                    "noise 0.0005, 3\noutput x, y");
  g_auto (Outcome) outcome = model_run ("run", law, options);

  g_assert_cmpint (outcome.status, ==, 0);
  for (double t = 1; t <= 2; t += 1)
    {
      double x = find_number (outcome.out, &(Number) { t, "Law.x", 0, 0 });
      double w = find_number (outcome.out, &(Number) { t, "Law.y", 0, 0 });

      /* the spread of the sum of squares over n = t/h steps: t sqrt (2/n)/2, four times */
      g_assert_cmpfloat_with_epsilon (log (x) - w, -t / 2, 4 * sqrt (0.0005 * t / 2));
    }
}

/* The values of a column. (transfer full) */
static GArray *
list_numbers (const char *csv, guint column)
{
  g_auto (GStrv) lines = g_strsplit (csv, "\n", -1);
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], ",", -1);
      double number = g_ascii_strtod (cells[column], NULL);

      g_array_append_val (numbers, number);
    }
  return numbers;
}

#define N_SECONDS 1000

static GArray *
run_noise (const char *text, GArray **second)
{
  const char *const options[] = { "--until=1000", "--every=1", "--log", "Law.*", NULL };
  g_autofree char *law = model_law (text);
  g_auto (Outcome) outcome = model_run ("run", law, options);
  g_auto (Outcome) again = model_run ("run", law, options);
  GArray *first;

  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_cmpstr (outcome.out, ==, again.out);
  first = list_numbers (outcome.out, 1);
  g_assert_cmpuint (first->len, ==, N_SECONDS + 1);
  if (second != NULL)
    *second = list_numbers (outcome.out, 2);
  return first;
}

static double
get_product_mean (const GArray *a, const GArray *b)
{
  double sum = 0;

  for (guint i = 1; i <= N_SECONDS; i++)
    sum += g_array_index (a, double, i) * g_array_index (b, double, i);
  return sum / N_SECONDS;
}

/* What noise does in the long run; all within four standard deviations of the mean of that many
 * samples, of which neighbours correlate by exp (-1). */
static void
test_noise (void)
{
  GArray *y = NULL;
  g_autoptr (GArray) x = run_noise ("brownian w\nD(x) ~ -x + 0.3*w\ninitial x = 0\nnoise 0.01, 3\n"
                                    "output x",
                                    NULL);
  g_autoptr (GArray) z = run_noise ("brownian w, v\nD(x) ~ -x + 0.3*x*w + v\nD(y) ~ w\n"
                                    "initial x = 0; initial y = 0\nnoise 0.01, 3\noutput x, y",
                                    &y);
  double variance = 1 / 1.91; /* d E[x^2] = (-2 E[x^2] + 0.3^2 E[x^2] + 1) dt */

  /* 0.3^2/2, of Ornstein and Uhlenbeck */
  g_assert_cmpfloat_with_epsilon (get_product_mean (x, x), 0.045,
                                  4 * 0.045 * sqrt (2.6 / N_SECONDS));
  g_assert_cmpfloat_with_epsilon (get_product_mean (z, z), variance,
                                  5 * variance * sqrt (2.6 / N_SECONDS));
  /* A Wiener process: its growth in a second has the variance 1, and nothing to do with v. */
  for (guint i = N_SECONDS; i > 0; i--)
    g_array_index (y, double, i) -= g_array_index (y, double, i - 1);
  g_assert_cmpfloat_with_epsilon (get_product_mean (y, y), 1, 4 * sqrt (2.0 / N_SECONDS));
  g_assert_cmpfloat_with_epsilon (get_product_mean (y, z), 0, 4 * sqrt (variance / N_SECONDS));
  g_array_unref (y);
}

/* Much asked for in few characters: refused soon, and once. */
static void
test_large (void)
{
  static const struct {
    const char *text, *expected;
  } cases[] = {
    { "variable x[10000]\nfor i in 1:10000: D(x[i]) ~ sum(x)\noutput x",
      "line 2: the equations have more than 1000000 operands in all" },
    { "variable x[10000]\nfor i in 1:10000:\n when sum(x) > i: n := i\nend\nD(x) ~ -x\noutput x",
      "line 3: the equations have more than 1000000 operands in all" },
    { "variable x[10000]\nfor i in 1:10000: D(x[i]) ~ x*2\noutput x",
      "line 2: D(x[i]) is a scalar, but the right side has size 10000." },
    { "variable x[10000]\nfor i in 1:10000: x ~ i\noutput x",
      "line 2: this makes more than 50000 equations" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *law = model_law (cases[i].text);
      gint64 start = g_get_monotonic_time ();
      g_auto (Outcome) outcome = model_run ("check", law, NULL);
      const char *found = strstr (outcome.out, cases[i].expected);

      g_assert_cmpint (outcome.status, ==, 1);
      if (found == NULL)
        g_error ("%s", outcome.out);
      g_assert_null (strstr (found + 1, cases[i].expected));
      /* It took minutes; some hundredths of a second do. */
      g_assert_cmpint (g_get_monotonic_time () - start, <, 20 * G_USEC_PER_SEC);
    }
}

/* --- Several blocks -------------------------------------------------------------------------- */

static char *
two_laws (const char *base, const char *derived)
{
  g_autofree char *first = model_law (base);
  g_autofree char *second = model_law (derived);
  g_autoptr (GString) both = g_string_new (first);

  g_string_replace (both, "\"Law\"", "\"Base\"", 0);
  g_string_append (both, second);
  g_string_replace (both, "id=\"1\" type=\"Equations\" name=\"Law\"",
                    "id=\"2\" type=\"Equations\" name=\"Law\"", 0);
  return g_strdup (both->str);
}

static void
test_extended (void)
{
#define BASE "parameter k = 2\nD(x) ~ -k*x\ninitial x = 1\noutput x"
  static const struct {
    const char *base, *derived;
    int status;
    const char *expected;
    double value; /* of x at 1 s */
  } cases[] = {
    { BASE, "extends Base\nparameter k = 5\ny ~ 2*x\noutput y", 0, NULL, 0.006737946999085467 },
    { BASE, "extends Base\ninitial x = 7", 0, NULL, 7 * 0.1353352832366127 },
    { BASE, "extends Base\noverride initial x = 7", 0, NULL, 7 * 0.1353352832366127 },
    { "extends Law", "extends Base\nD(x) ~ 1\noutput x", 1,
      "error[EQ10]: Law: Model: line 1: extends Base: they extend each other in a cycle: Law -> "
      "Base -> Law.",
      0 },
    { BASE, "extends Nope\noutput x\nD(x) ~ 1", 1,
      "error[EQ10]: Law: Model: line 1: extends Nope: there is no block 'Nope' in the model.", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const options[] = { "--until=1", "--every=1", "--log", "Law.x", NULL };
      g_autofree char *laws = two_laws (cases[i].base, cases[i].derived);
      g_auto (Outcome) outcome = model_run ("run", laws, options);
      Number number = { 1, "Law.x", 0, 0 };

      g_assert_cmpint (outcome.status, ==, cases[i].status);
      if (cases[i].expected == NULL)
        g_assert_cmpfloat_with_epsilon (find_number (outcome.out, &number), cases[i].value, 1e-5);
      else if (strstr (outcome.out, cases[i].expected) == NULL)
        g_error ("%s", outcome.out);
    }
}

/* Where a value is given at several places the outermost wins: x' = -k from its start. */
static void
test_surroundings (void)
{
#define INNER(values)                                                                              \
  "<block id='1' type='Subsystem' name='S' x='0' y='0'>" values "<diagram>"                        \
  "<block id='2' type='Equations' name='E' x='0' y='0'><parameter name='equations' "               \
  "value='parameter k = g&#10;D(x) ~ -k&#10;initial x = 1&#10;output x'/></block>"                 \
  "<block id='3' type='Out' name='o' x='0' y='0'/><wire id='4' from='2.x' to='3.u'/>"              \
  "</diagram></block>"                                                                             \
  "<block id='5' type='Scope' name='scope' x='0' y='0'/><wire id='6' from='1.o' to='5.in1'/>"
#define VARIABLE(name, value) "<variable name='" name "' value='" value "'/>"
  static const struct {
    const char *elements;
    int status;
    const char *expected;
    double value; /* at 1 s */
    const char *variables;
  } cases[] = {
    { INNER (""), 0, NULL, -1, VARIABLE ("g", "2") },
    { INNER ("<parameter name='E.Initial(x)' value='10'/>"), 0, NULL, 18,
      VARIABLE ("g", "2") VARIABLE ("S.E.Initial(x)", "20") },
    { INNER (""), 1, "error[PAR01]: Variable a: these define each other: a = b, b = a.", 0,
      VARIABLE ("a", "b") VARIABLE ("b", "a") VARIABLE ("g", "a") },
    { INNER (""), 1,
      "error[EQ02]: S.E: Model: line 1 of what is given at the start: 'nope' is neither an input",
      0, VARIABLE ("g", "1") VARIABLE ("S.E.Initial(nope)", "1") },
    { INNER (""), 1, "error[PAR01]: S.E: Model: line 1: the value of k reads g", 0 },
    { INNER ("<parameter name='g' value='5'/>"), 0, NULL, -4 },
    { INNER ("<parameter name='g' value='2'/><parameter name='E.Initial(x)' value='10'/>"), 0, NULL,
      8 },
    { INNER ("<parameter name='g' value='2'/><parameter name='E.k' value='7'/>"), 1,
      "error[PAR03]: S: Initialization: there is no 'E.k' in S; a value at the start is named like",
      0 },
    { INNER ("<parameter name='g' value='2'/><parameter name='E.Initial(nope)' value='7'/>"), 1,
      "'nope' is neither an input, a parameter nor defined", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const options[] = { "--until=1", "--every=1", NULL };
      const char *variables = cases[i].variables != NULL ? cases[i].variables : "";
      g_auto (Outcome) outcome = model_run_with ("run", variables, cases[i].elements, options);
      Number number = { 1, "S.o", 0, 0 };

      if (outcome.status != cases[i].status)
        g_error ("case %u: %d: %s%s", i, outcome.status, outcome.out, outcome.err);
      if (cases[i].expected == NULL)
        g_assert_cmpfloat_with_epsilon (find_number (outcome.out, &number), cases[i].value, 1e-9);
      else if (strstr (outcome.out, cases[i].expected) == NULL)
        g_error ("%s", outcome.out);
    }
}

/* The order of lines, comments, numbers and places of blocks change nothing, to the last digit. */
static void
test_same (void)
{
  static const char *const texts[] = {
    "D(x) ~ -y\ny ~ 2*x\ninitial x = 1\noutput x",
    "y ~ 2*x\nD(x) ~ -y\noutput x\ninitial x = 1",
    "D(x) ~ -y\ny ~ 2*x\ninitial x = 1\noutput x  # comment",
  };
  const char *const options[] = { "--until=2", "--log", "Law.x", NULL };
  g_autofree char *first = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *law = model_law (texts[i]);
      g_autoptr (GString) moved = g_string_new (law);

      g_assert_cmpuint (g_string_replace (moved, "id=\"1\"", i == 1 ? "id=\"77\"" : "id=\"1\"", 1),
                        ==, 1);
      g_string_replace (moved, "x=\"0\"", i == 1 ? "x=\"500\"" : "x=\"0\"", 1);
      g_auto (Outcome) outcome = model_run ("run", moved->str, options);

      if (first == NULL)
        first = g_strdup (outcome.out);
      g_assert_cmpint (outcome.status, ==, 0);
      g_assert_cmpstr (outcome.out, ==, first);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/outcomes/names", test_names);
  g_test_add_func ("/cli/outcomes/declarations", test_declarations);
  g_test_add_func ("/cli/outcomes/equations", test_equations);
  g_test_add_func ("/cli/outcomes/not-finite", test_not_finite);
  g_test_add_func ("/cli/outcomes/starts", test_starts);
  g_test_add_func ("/cli/outcomes/events", test_events);
  g_test_add_func ("/cli/outcomes/delays", test_delays);
  g_test_add_func ("/cli/outcomes/random", test_random);
  g_test_add_func ("/cli/outcomes/ito", test_ito);
  g_test_add_func ("/cli/outcomes/noise", test_noise);
  g_test_add_func ("/cli/outcomes/large", test_large);
  g_test_add_func ("/cli/outcomes/extended", test_extended);
  g_test_add_func ("/cli/outcomes/surroundings", test_surroundings);
  g_test_add_func ("/cli/outcomes/same", test_same);
  return g_test_run ();
}

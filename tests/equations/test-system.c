/* Systems of equations: roles, order, blocks, values at the start, and what is said about
 * systems that make none. The first table has a text for each kind. */
#include "../seeds.h"
#include "equations/compile/equations.h"
#include "equations/programs/program.h"

#include <math.h>
#include <string.h>

static WeirEquations *
make (const char *text, WeirDiagnostics *diagnostics)
{
  WeirReport report = { diagnostics, "plant", 3, 1 };

  return weir_equations_new (text, NULL, &report);
}

/* The diagnostics as "CODE: text" lines. */
static char *
print (WeirDiagnostics *diagnostics)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (diagnostics, i);

      g_string_append_printf (text, "%s%s: %s", i > 0 ? "\n" : "", d->code, d->text);
    }
  return g_string_free (text, FALSE);
}

static WeirEquations *
make_fine (const char *text)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirEquations *equations = make (text, diagnostics);

  if (equations == NULL || weir_diagnostics_get_size (diagnostics) > 0)
    g_error ("%s\n%s", text, print (diagnostics));
  return equations;
}

/* What is wrong, and how it is said. */
static void
test_problems (void)
{
  static const struct {
    const char *text, *problems;
  } cases[] = {
    /* A.10 */
    { "x ~ 1\nx ~ 2", "EQ04: Model: x is defined twice: in line 1 and in line 2." },
    { "initial x = 1\nD(x) ~ y",
      "EQ02: Model: line 2: 'y' is neither an input, a parameter nor defined; "
      "add 'input y', 'parameter y = "
      "...' or an equation." },
    { "parameter p = 2\ninitial x = 1\nD(x) ~ -x\n0 ~ p - 3",
      "EQ03: Model: line 4 contains no unknown: it is a condition on parameters." },
    { "y ~ z + 1\nz ~ y - 1",
      "EQ05: Model: y and z are only determined up to a common constant by lines 1 and 2." },
    { "y ~ y + 1", "EQ05: Model: line 1 does not determine y, which cancels in it." },
    { "y ~ y", "EQ05: Model: line 1 does not determine y, which cancels in it." },
    { "y ~ 2*z\nz ~ 0.5*y",
      "EQ05: Model: y and z are not determined by lines 1 and 2: these equations are dependent "
      "(singular)." },
    { "input u\nD(D(x)) ~ F\n0 ~ x - u",
      "EQ05: Model: the equations have index 3 (expected at most 1): the constraint of line 3 "
      "fixes states and must be differentiated 2 times, but it reads the input u, whose "
      "derivative nobody knows; write it in its differentiated form, or take a state away." },
    { "parameter L = 1, g = 9.81\nD(D(x)) ~ T*x\nD(D(y)) ~ T*y - g\n0 ~ x^2 + y^2 - L^2\n"
      "initial x = 0.6; initial D(x) = 0; guess y = -1",
      "EQ05: Model: the constraint of line 4 was differentiated 2 times (the equations have index "
      "3); "
      "a run is kept on it." },
    { "when x ~ 0: v := v + 1\nD(x) ~ v",
      "EQ08: Model: line 1: v is on both sides of an assignment; did you mean pre(v)?" },
    { "y ~ 2*x\nD(x) ~ -y\ninitial x = 1\ninitial y = 5",
      "INI02: Initialization: 1 condition too many: x, y; with the others line 4 misses by -3." },
    { "y ~ 2*x\nD(x) ~ -y\ninitial x = 1\ninitial y = 2",
      "INI02: Initialization: 1 condition too many: x, y; they agree." },
    { "parameter q = 1\nparameter p = 2*q\ninitial p = 3\ny ~ p",
      "INI02: Initialization: 1 condition too many: p; with the others line 3 misses by -1; p is "
      "computed from other parameters in line 2, so take its initial value away." },
    { "D(x) ~ -k*x\nparameter k = 1\nsolve k\ninitial x = 1",
      "INI02: Initialization: 1 condition too few: k is not determined." },
    { "y ~ 2*k\nparameter p = 1, k = 2*p\nsolve k",
      "INI03: Initialization: line 3: solve k needs a parameter with a value to start from, as in "
      "parameter k = 1; this one is computed from others." },
    { "y ~ 2\nsolve y",
      "INI03: Initialization: line 2: solve y needs a parameter with a value to start from, as in "
      "parameter y = 1." },
    /* Noise */
    { "brownian w\nD(x) ~ w - x\ninitial x = 0",
      "EQ08: Model: line 1: brownian w needs steps; add a line such as 'noise 0.001'." },
    { "noise 0.1; brownian w\ny ~ 2*w", "EQ08: Model: line 2: w is white noise, which has no value "
                                        "at an instant; it may only stand in "
                                        "equations of D(x)." },
    { "noise 0.1; brownian w\nD(x) ~ w^2\ninitial x = 0",
      "EQ08: Model: line 2: w may only stand as a term with a factor, as in D(x) ~ -x + 2*w." },
    { "noise 0.1; brownian w\nD(x) ~ w\ninitial x = 0\nwhen x > 1: x := w",
      "EQ08: Model: line 4: w is white noise, which has no value at an instant; it may not stand "
      "in an "
      "assignment." },
    { "y ~ jump(3)", "EQ07: Model: line 1: jump is a condition of when." },
    /* Other kinds of problems */
    { "minimize x^2 + y^2", "EQ09: Model: line 1: 'minimize' belongs to an optimisation problem, "
                            "which Weir does not solve; it "
                            "solves equations, such as that the derivative of a cost is 0." },
    { "D(x) ~ v; D(v) ~ -x\nx(0) ~ 1\nfinal x = 2",
      "EQ09: Model: line 2: x(0) is a value at a fixed time: this is a boundary-value problem, "
      "which Weir "
      "does not solve. Conditions at the start are written initial x = ...\n"
      "EQ09: Model: line 3: 'final' gives a value at the end: this is a boundary-value problem, "
      "which "
      "Weir "
      "does not solve. Conditions at the start are written initial x = ..." },
    { "D(x) ~ y\n0 ~ x^2 + y^2 - 1\ninitial x = 0.5",
      "INI01: Initialization: no solution was found from y = 0: they are dependent there "
      "(singular); "
      "line 2 is off by 0.75. Give another guess." },
    /* The constraint of a pendulum says nothing of D(y) where it hangs level. */
    { "D(D(x)) ~ T*x\nD(D(y)) ~ T*y - 9.81\nx^2 + y^2 ~ 1\ninitial x = 1; initial D(x) = 0\n"
      "guess y = 0",
      "EQ05: Model: the constraint of line 3 was differentiated 2 times (the equations have index "
      "3); a run is kept on it.\n"
      "INI01: Initialization: the initial value of D(y) is nan by line 3; start elsewhere, or "
      "write 'initial D(y) = ...'." },
    { "parameter A[2, 2] = [1, 2; 2, 4]\nvariable x[2]\nA*x ~ [1, 1]",
      "INI01: Initialization: no solution was found from x[1] = 0, x[2] = 0: they are dependent "
      "there (singular); line 3 is off by -1. They are linear, so that no guess helps; change a "
      "parameter or an equation." },
    /* Counting */
    { "y + z ~ 3",
      "EQ03: Model: 1 equation too few (1 for 2 unknowns): y and z are not determined." },
    { "D(x) ~ -x\n0 ~ x + D(x) - 1\ninitial x = 1",
      "EQ03: Model: 1 equation too many: lines 1 and 2 determine D(x) more than once." },
    { "variable q\ny ~ 2",
      "EQ02: Model: line 1: 'q' is neither an input, a parameter nor defined; add "
      "'input q', 'parameter q = ...' or an equation." },
    { "parameter speed = 3\ny ~ 2*sped", "EQ02: Model: line 2: 'sped' is neither an input, a "
                                         "parameter nor defined; did you mean 'speed'?" },
    { "y ~ 2*sin", "EQ02: Model: line 1: 'sin' is a function; write what it is of, as in sin(x)." },
    { "D(x) ~ -x; initial x = 1\nt ~ 3",
      "EQ03: Model: line 2 contains no unknown: it is a condition on time." },
    { "y ~ sin(t)\nwhen t > 1: y := 3",
      "EQ04: Model: y is defined twice: by the equation of line 1 and by the assignment of line "
      "2." },
    { "input u\n0 ~ u - 3",
      "EQ03: Model: line 2 contains no unknown: it is a condition on inputs and parameters." },
    { "D(x) ~ -x\n0 ~ x - 3\ninitial x = 1",
      "EQ03: Model: 1 equation too many: the value of x in line 2 follows from its derivative "
      "already; what holds at the start alone is written with 'initial'." },
    { "D(x) ~ -x\ninitial x = 1\ninitial x = 2",
      "INI02: Initialization: 1 condition too many: x has two initial values, in line 2 and in "
      "line 3; take one away." },
    { "variable x[2]\nD(x) ~ -x\ninitial x = 1\ninitial x[2] = 1",
      "INI02: Initialization: 1 condition too many: x[2] has its initial value twice, in line 3 "
      "and in line 4; they agree." },
    { "parameter a = 1\ninitial a = 3\ny ~ a",
      "INI02: Initialization: 1 condition too many: a; with the others line 2 misses by -2; a is a "
      "parameter, which has its value from line 1, so take its initial value away." },
    /* Parameters */
    { "parameter a = b + 1\nparameter b = a\ny ~ a",
      "PAR01: Model: line 1: parameters depend on each other in a cycle: a -> b -> a." },
    { "parameter a = q\ny ~ a", "PAR01: Model: line 1: the value of a reads q, which is not "
                                "declared as parameter or constant." },
    { "parameter a = 1\nparameter a = 2\ny ~ a",
      "EQ04: Model: a is defined twice: in line 1 and in line 2." },
    /* Sizes */
    { "x' ~ -x",
      "EQ07: Model: line 1: the ' behind x transposes an array, and that is none; a derivative is "
      "written D(x)." },
    { "parameter A[2, 2] = [1, 2; 3, 4]\nparameter b = [1, 2, 3]\ny ~ A*b",
      "EQ07: Model: line 3: a matrix product of size 2 x 2 and size 3 does not exist." },
    { "y ~ ones(101, 100)", "EQ07: Model: line 1: an array has at most 10000 elements." },
    { "a ~ ones(100, 1)\ny ~ a*ones(1, 101)",
      "EQ07: Model: line 2: an array has at most 10000 elements." },
    { "variable A[100, 100]\nD(A) ~ A*A*A",
      "EQ07: Model: line 2: the arrays take more than 200000 operations on elements; use several "
      "blocks." },
    { "variable x[1100]\nD(x) ~ sum(x) - x",
      "EQ07: Model: line 2: the equations have more than 1000000 operands in all; give what many "
      "of them "
      "share a name, as in s ~ sum(x), or use several blocks." },
    { "parameter b = [1, 2, 3]\ny ~ b[4]",
      "EQ07: Model: line 2: index 4 of b is not from 1 to 3." },
    { "parameter b = [1, 2], c = [1, 2, 3]\ny ~ b + c",
      "EQ07: Model: line 2: the operands of '+' have size 2 and size 3." },
    { "y ~ table(2, [0, 1, 1], [0, 1, 2])",
      "EQ07: Model: line 1: the points of a table must ascend, but 1 is followed by 1." },
    { "variable x[3]\nx ~ [1, 2]",
      "EQ07: Model: line 2: the left side has size 3, but the right side has size 2." },
    { "parameter b[2] = [1, 2, 3]\ny ~ sum(b)",
      "EQ07: Model: line 1: b has size 2, but its value has size 3." },
    /* Events */
    { "x(k) ~ x(k-1) + 1\ninitial x = 0",
      "EQ08: Model: line 1: an equation in k needs a period; add a line such as 'sample 0.1'." },
    { "sample 0.1\nx(k) ~ x(k-1)\nz ~ 2*x(k)\ninitial x = 1",
      "EQ08: Model: line 3: z is computed from a value in k, but is not in k itself; write z(k) ~ "
      "..., or leave the (k) out on the right, where a name is its newest value." },
    { "sample 0.1\nx(k+1) ~ x(k)",
      "EQ08: Model: line 2: x(k+1) is in the future; write x(k) ~ f(x(k-1))." },
    { "parameter p = 1\ny ~ p\nwhen y > 2: p := 1",
      "EQ08: Model: line 3: p is a parameter and cannot be assigned to." },
    { "y ~ pre(x)\nD(x) ~ 1\ninitial x = 0",
      "EQ08: Model: line 1: pre(x) is the value before an event; it belongs into a when." },
    { "D(x) ~ 1\ninitial x = 0\nwhen x: n := 1\ny ~ n",
      "EQ08: Model: line 3: the condition of when must be a comparison, rising(e), falling(e) or "
      "every(period)." },
    { "initial m = 0; initial n = 0\nwhen every(1): m := n, n := m\ny ~ m + n",
      "EQ08: Model: line 2: the assignments read each other in a cycle; use pre()." },
    { "D(x) ~ v; D(v) ~ -1\ninitial x = 0; initial v = 0\nwhen x > 1: D(v) := 3",
      "EQ08: Model: line 3: D(v) cannot be assigned to: an equation determines it." },
    { "sample 1\nx(k) ~ x(k-1) + 1\ninitial x = 0\nwhen x > 1: x := 3",
      "EQ08: Model: line 4: x cannot be assigned to: an equation in k determines it." },
    { "D(x) ~ 1\ninitial x = 0\nwhen x > 1 and x: n := 1\ny ~ n",
      "EQ08: Model: line 3: the condition of when must be a comparison, rising(e), falling(e) or "
      "every(period)." },
    { "input u\nD(u) ~ 1",
      "EQ08: Model: line 2: u is an input; it has no derivative and no past." },
    /* Delays */
    { "y ~ delay(t, -1)",
      "EQ08: Model: line 1: the time of a delay must be more than 0 s, but that of t is "
      "-1 s; nobody knows the future." },
    { "constant T = 0\ny ~ delay(2*t, T)",
      "EQ08: Model: line 2: the time of a delay must be more than 0 s, but that of 2*t is 0 s." },
    { "parameter T = 1\ny ~ delay(t, T)",
      "EQ08: Model: line 2: the time of delay(t, T) has no bound, as the parameter T can change; "
      "make it "
      "a "
      "constant, or give the longest time, as in delay(t, T, 10)." },
    { "input u\ny ~ delay(u, 1 + u^2)",
      "EQ08: Model: line 2: the time of delay(u, 1 + u^2) has no bound, "
      "as u changes; give the longest time, "
      "as in delay(u, 1 + u^2, 10)." },
    { "y ~ 2\nz ~ delay(t, 1, t)\nw ~ delay(t, y, t)",
      "EQ08: Model: line 2: the longest time of the delay of t must be a finite time made of "
      "numbers and constants, but is t.\n"
      "EQ08: Model: line 3: the longest time of the delay of t must be a finite time made of "
      "numbers and constants, but is t." },
    { "y ~ 2*t\nz ~ delay(t, y, 3)", "EQ08: Model: line 2: the time of a delay is made of t, "
                                     "inputs, states, discrete variables and "
                                     "parameters with a value of their own; y is none of these." },
    { "variable x[2]; x ~ [1, 2]\ny ~ delay(x, [1, 2, 3])",
      "EQ07: Model: line 2: the times of delay must be one, or one for each element." },
    { "y ~ delay(t, 1, 2, 3)",
      "EQ01: Model: line 1, column 5: delay takes 2 to 3 arguments, but 4 are given." },
    { "D(x) ~ 1; y ~ delay(x, 1)\nhistory x = y",
      "EQ08: Model: line 2: a history is made of t, numbers, "
      "constants and parameters with a value of their "
      "own; y is none of these." },
    { "D(x) ~ 1; y ~ delay(x, 1)\nhistory x = t\nhistory x = 1",
      "EQ04: Model: line 3: there is another history of x before." },
    { "D(x) ~ 1; y ~ delay(x, 1)\nhistory D(x) = t",
      "EQ08: Model: line 2: a history is of a variable, as in history x = cos(t)." },
    { "noise 0.1; brownian w\ny ~ delay(w, 1)", "EQ08: Model: line 2: w is white noise, which has "
                                                "no value at an instant; it cannot be delayed." },
    { "parameter T = 1\nD(D(x)) ~ F\n0 ~ x - delay(t, T, 5)",
      "EQ05: Model: the equations have index 3 (expected at most 1): the constraint of line 3 "
      "fixes states and must be differentiated 2 times, but it reads delay(t, T, 5), whose time "
      "can change; write it in its differentiated form, or take a state away." },
    { "input u\nD(x) ~ F\n0 ~ x - delay(u, 1)",
      "EQ05: Model: the equations have index 2 (expected at most 1): the constraint of line 3 "
      "fixes states and must be differentiated 1 time, but it reads delay(u, 1), and nobody knows "
      "the derivative of that; write it in its differentiated form, or take a state away." },
    { "D(x) ~ F\nx ~ y + y^3\nsin(y) ~ t/2",
      "EQ05: Model: the equations have index 2 (expected at most 1): the constraint of lines 2 and "
      "3 fixes states and must be differentiated 1 time, but it reads y, which no equation gives "
      "explicitly (y ~ ...); write it in its differentiated form, or take a state away." },
    /* Several constraints, one through a name, of two counts. */
    { "D(D(x)) ~ -T*x; D(D(y)) ~ -T*y - 9.81\nx^2 + y^2 ~ 1\nD(D(z)) ~ S\nsum ~ z + x\nsum ~ "
      "2\nD(v) ~ i\nv ~ w\nw ~ sin(t)\ninitial x = 0.6; initial D(x) = 0; guess y = -1",
      "EQ05: Model: the constraint of line 8 was differentiated 1 time (the equations have index "
      "2); a run is kept on it.\n"
      "EQ05: Model: the constraints of lines 2 and 4 were differentiated 2 times (the equations "
      "have index 3); a run is kept on them." },
    { "D(x) ~ -x; y ~ x; initial D(D(D(D(D(D(D(D(D(D(y)))))))))) = 3",
      "INI03: Initialization: line 1: a condition at the start reads a derivative that is more "
      "than 8 above what the equations say; lower ones will do.\n"
      "INI03: Initialization: x has no initial value and starts at 0; write 'initial x = ...'." },
    /* Hints that stop nothing */
    { "sample 0.1\ninput y\ne(k) ~ 1 - y\nI(k) ~ I(k-1) + e(k)",
      "INI03: Initialization: I has no initial value and starts at 0; write 'initial I = ...'." },
    { "sample 0.1, 0.05\ninput y\ne(k) ~ 1 - y",
      "INI03: Initialization: e has no initial value and starts at 0; write 'initial e = ...'." },
    { "D(x) ~ -x",
      "INI03: Initialization: x has no initial value and starts at 0; write 'initial x "
      "= ...'." },
    { "D(x[1]) ~ y[1] - x[1]; D(x[2]) ~ y[2] - x[2]; initial x = [1, 2]\n"
      "for i in 1:2: 0 ~ y[i]^3 + y[i] - x[i]\nguess y[2] = 1.2",
      "INI03: Initialization: there is no guess for y[1], which line 2 determines; it is sought "
      "from "
      "0. Write 'guess y[1] = ...'." },
    { "for i in 1:12: D(x[i]) ~ y[i] - x[i]\ninitial x = ones(12)\n"
      "for i in 1:12: 0 ~ y[i]^3 + y[i] - x[i]\nguess y[2] = 1.2",
      "INI03: Initialization: there is no guess for y[1], y[3], y[4], y[5], y[6], y[7], y[8], "
      "y[9], "
      "y[10], y[11] and 1 more, which line 3 determines; they are sought from 0. Write 'guess y[1] "
      "= ...'." },
    { "variable x[3]\nD(D(x)) ~ -x\ninitial x[2] = 1\ninitial D(x) = 0",
      "INI03: Initialization: x[1] and x[3] have no initial value and start at 0; write 'initial "
      "x[1] = ...'." },
    { "D(D(x)) ~ -x",
      "INI03: Initialization: D(x) has no initial value and starts at 0; write 'initial D(x) = "
      "...'.\nINI03: Initialization: x has no initial value and starts at 0; write 'initial x = "
      "...'." },
    { "0 ~ y - cos(y)",
      "INI03: Initialization: there is no guess for y, which line 1 determines; it "
      "is sought from 0. Write 'guess y = ...'." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirEquations) equations = make (cases[i].text, diagnostics);
      g_autofree char *problems = print (diagnostics);

      if (strcmp (problems, cases[i].problems) != 0)
        g_test_message ("%s", cases[i].text);
      g_assert_cmpstr (problems, ==, cases[i].problems);
      g_assert_true ((equations == NULL) == weir_diagnostics_has_errors (diagnostics));
    }
}

/* The value of a name at the start. */
static double
start_of (const WeirEquations *equations, const char *name, guint element)
{
  const WeirVariable *variable = weir_equations_find (equations, name);

  g_assert_nonnull (variable);
  g_assert_cmpuint (element, <, variable->size);
  return variable->value[element];
}

static double
state_start (const WeirEquations *equations, guint i)
{
  return g_array_index (equations->states, WeirState, i).initial;
}

/* Values at the start, against closed forms. */
static void
test_starts (void)
{
  static const struct {
    const char *text, *name;
    double expected, tolerance;
  } cases[] = {
    { "y ~ 2*y + 5", "y", -5.0, 0.0 },
    { "guess y = 1\n0 ~ y - cos(y)", "y", 0.7390851332151607, 1e-15 },
    { "D(x) ~ y\n0 ~ x^2 + y^2 - 1\ninitial x = 0.6\nguess y = 1", "y", 0.8, 1e-15 },
    { "D(x) ~ y\n0 ~ x^2 + y^2 - 1\ninitial x = 0.6\nguess y = -1", "y", -0.8, 1e-15 },
    /* The state follows from a condition on what is computed from it. */
    { "y ~ 2*x\nD(x) ~ -y\ninitial y = 5", "x", 2.5, 0.0 },
    /* A start at rest. */
    { "parameter a = 3\nD(x) ~ a - 2*x\ninitial D(x) = 0", "x", 1.5, 0.0 },
    { "a ~ b + 1\nb ~ c/2\nc ~ a - 3 + 2*b", "a", 3.0, 1e-14 },
    { "parameter m = 2\nparameter half = m/2\nconstant n = 3\ny ~ half*n", "y", 3.0, 0.0 },
    { "x + y ~ 10\nx - y ~ 2", "x", 6.0, 1e-15 },
    { "guess x = 3.5; guess y = 2.5\nx^2 + y^2 ~ 25\nx*y ~ 12\n", "x", 4.0, 1e-14 },
    { "y ~ table(1.5, [0, 1, 2], [0, 10, 15])", "y", 12.5, 0.0 },
    { "y ~ table(-1, [0, 1, 2], [3, 10, 15])", "y", 3.0, 0.0 },
    { "y ~ table(7, [0, 1, 2], [3, 10, 15])", "y", 15.0, 0.0 },
    { "y ~ sum([1, 2, 3]) + product([2, 3]) + dot([1, 2], [3, 4]) + norm([3, 4])", "y", 28.0, 0.0 },
    { "constant A = [1, 2; 3, 4], v = [5, 6]\ny ~ v'*A*v", "y", 5 * 17 + 6 * 39, 0.0 },
    { "input u = 4\nparameter m = 2\nu ~ m*a", "a", 2.0, 0.0 },
    /* A parameter from the conditions: the spring whose swing begins with that acceleration. */
    { "parameter k = 1, m = 2\nsolve k\nD(x) ~ v; D(v) ~ -k/m*x\n"
      "initial x = 0.5; initial v = 0; initial D(v) = -3",
      "k", 12.0, 1e-14 },
    { "D(x) ~ 1 - x\ninitial x = 0.25\ny ~ x + 3*Initial(x)", "y", 1.0, 0.0 },
    { "D(x) ~ a - Initial(x)\nparameter a = 3\ninitial D(x) = 1", "x", 2.0, 0.0 },
    /* Derivatives of what is computed: y' = -4 x^2 + 1; z' = cos (y) y' = 0.5 at y = 0; in a group,
     * where y + w = x and y - w = 3 x give y = 2 x. */
    { "D(x) ~ -x; y ~ 2*x^2 + t; initial D(y) = -7; guess x = 1", "x", G_SQRT2, 1e-15 },
    { "D(x) ~ 2*x; y ~ x - 0.25; z ~ sin(y); initial D(z) = 0.5; guess x = 0.2", "x", 0.25, 1e-15 },
    { "D(x) ~ 1 - x; y + w ~ x; y - w ~ 3*x; initial D(y) = 6", "x", -2.0, 1e-15 },
    { "D(x) ~ -x; y ~ if x > 0 then 3*x else x; initial D(y) = -6; guess x = 1", "x", 2.0, 1e-15 },
    /* Second derivatives and more: of y 8 x^2; the third of x is -x; of y 2 (x - 1). */
    { "D(x) ~ -x; y ~ 2*x^2; initial D(D(y)) = 18; guess x = 0.8", "x", 1.5, 1e-15 },
    { "D(x) ~ -x; initial D(D(D(x))) = 3", "x", -3.0, 0.0 },
    { "D(x) ~ 1 - x; y + w ~ x; y - w ~ 3*x; initial D(D(y)) = 6", "x", 4.0, 1e-14 },
    { "D(x) ~ -x; y ~ 2*x; initial y = 3 - D(D(y))", "y", 1.5, 1e-15 },
    /* What wins, in any order of lines but among such. */
    { "override initial x = 4; initial x = 1; D(x) ~ -x", "x", 4.0, 0.0 },
    { "override initial x = 4; override initial x = 5; initial x = 1; D(x) ~ -x", "x", 5.0, 0.0 },
    { "override guess y = -1; guess y = 1; y^2 ~ 4", "y", -2.0, 1e-15 },
    { "override ~ 3; y ~ 2*override", "y", 6.0, 0.0 }, /* no word of the language elsewhere */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirEquations) equations = NULL;
      double found;

      equations = make_fine (cases[i].text);
      found = weir_equations_find (equations, cases[i].name)->role == WEIR_ROLE_STATE
                  ? state_start (equations, 0)
                  : start_of (equations, cases[i].name, 0);
      if (!(fabs (found - cases[i].expected) <= cases[i].tolerance))
        g_error ("%s: %s is %.17g, expected %.17g", cases[i].text, cases[i].name, found,
                 cases[i].expected);
    }
}

static void
test_arrays (void)
{
  g_autoptr (WeirEquations) equations = make_fine ("constant n = 4\n"
                                                   "parameter A = [1, 2; 3, 4], k[4] = 2\n"
                                                   "v ~ A*[5, 6]\n"
                                                   "w ~ [1, 2, 3]' .* 2\n"
                                                   "c ~ cross([1, 0, 0], [0, 1, 0])\n"
                                                   "M ~ A*A'\n"
                                                   "for i in 1:n: y[i] ~ k[i]*i^2\n"
                                                   "s ~ y[2:3]\n"
                                                   "z ~ if sum(y) > 10 then -v else v\n"
                                                   "I ~ identity(2) + ones(2, 2)\n");
  static const struct {
    const char *name;
    guint n;
    double values[4];
  } expected[] = {
    { "v", 2, { 17, 39 } },        { "w", 3, { 2, 4, 6 } },      { "c", 3, { 0, 0, 1 } },
    { "M", 4, { 5, 11, 11, 25 } }, { "y", 4, { 2, 8, 18, 32 } }, { "s", 2, { 8, 18 } },
    { "z", 2, { -17, -39 } },      { "I", 4, { 2, 1, 1, 2 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      const WeirVariable *variable = weir_equations_find (equations, expected[i].name);

      g_assert_cmpuint (variable->size, ==, expected[i].n);
      for (guint j = 0; j < expected[i].n; j++)
        g_assert_cmpfloat (variable->value[j], ==, expected[i].values[j]);
    }
}

static void
test_roles (void)
{
  g_autoptr (WeirEquations)
      equations = make_fine ("parameter k = 5 \"N/m\", m = 2\n"
                             "input u = 0\n"
                             "output x\n"
                             "D(x) ~ v; D(v) ~ -k/m*x + u\n"
                             "e ~ m*v^2/2 + n\n"
                             "initial x = 1; initial v = 0; initial n = 0; initial z = 2\n"
                             "when x < 0: n := pre(n) + 1, v := -0.8*pre(v)\n"
                             "when every(0.5, 0.25): n := 0\n"
                             "sample 0.1, 0.05\n"
                             "z(k) ~ 0.5*z(k-1) + z(k-2) + x\n"
                             "assert x > -10, \"too far\"\n");
  static const struct {
    const char *name;
    WeirRole role;
  } expected[] = {
    { "k", WEIR_ROLE_PARAMETER }, { "u", WEIR_ROLE_INPUT },   { "x", WEIR_ROLE_STATE },
    { "v", WEIR_ROLE_STATE },     { "e", WEIR_ROLE_UNKNOWN }, { "n", WEIR_ROLE_DISCRETE },
    { "z", WEIR_ROLE_DISCRETE },
  };
  const WeirEvent *event;

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpint (weir_equations_find (equations, expected[i].name)->role, ==, expected[i].role);
  g_assert_cmpstr (weir_equations_find (equations, "k")->unit, ==, "N/m");
  g_assert_true (weir_equations_find (equations, "x")->is_output);
  g_assert_cmpuint (weir_equations_find (equations, "z")->depth, ==, 2);
  g_assert_cmpfloat (start_of (equations, "z", 0), ==, 2.0);
  g_assert_cmpuint (equations->states->len, ==, 2);
  g_assert_cmpfloat (state_start (equations, 1), ==, 1.0); /* v, x */
  g_assert_cmpuint (equations->tick_blocks->len, ==, 1);
  g_assert_cmpfloat (equations->period, ==, 0.1);
  g_assert_cmpuint (equations->events->len, ==, 2);
  event = g_ptr_array_index (equations->events, 0);
  g_assert_cmpint (event->kind, ==, WEIR_EVENT_FALLING);
  g_assert_cmpuint (event->assignments->len, ==, 2);
  event = g_ptr_array_index (equations->events, 1);
  g_assert_cmpfloat (event->period, ==, 0.5);
  g_assert_cmpfloat (event->offset, ==, 0.25);
  g_assert_cmpuint (equations->assertions->len, ==, 1);
}

/* Names of relations and delays are cut short. Those that then look alike stay apart, one within
 * the other too. */
static void
test_long_names (void)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirEquations) equations = make (
      "for i in 1:2000: D(T[i]) ~ -T[i]\n"
      "y ~ if sum(T) + (if sum(T) + (if sum(T) > 1 then 1 else 2) > 1 then 3 else 4) > 1 "
      "then 5 else 6\n"
      "z ~ delay(sum(T) + delay(sum(T) + delay(sum(T), 1), 1), 1)\n",
      diagnostics);
  g_autoptr (GHashTable) symbols = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < equations->relations->len; i++)
    g_hash_table_add (
        symbols, GUINT_TO_POINTER (g_array_index (equations->relations, WeirRelation, i).symbol.i));
  for (guint i = 0; i < equations->delays->len; i++)
    g_hash_table_add (symbols,
                      GUINT_TO_POINTER (g_array_index (equations->delays, WeirDelay, i).symbol.i));
  g_assert_cmpuint (equations->relations->len, ==, 3);
  g_assert_cmpuint (equations->delays->len, ==, 3);
  g_assert_cmpuint (g_hash_table_size (symbols), ==, 6);
}

/* The order of lines changes nothing: the tables of the compiled equations agree but for line
 * numbers, and all values at the start to the bit. */
static void
test_permutation (void)
{
  static const char *const lines[] = {
    "D(x) ~ v",           "D(v) ~ -y - 0.3*sin(z)",
    "y ~ a*x + z/3",      "z ~ y^2*0.1 + x",
    "p + q ~ x*7",        "p - 3*q ~ y",
    "w ~ cos(w)*0.7 + p", "s ~ p + q + w + y + z",
    "initial x = 0.123",  "initial v = 0.7",
    "guess w = 1",        "guess y = 0.1",
    "guess z = 0.1",
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (7));
  g_autofree char *first_table = NULL;
  g_autofree double *first = NULL;

  for (guint k = 0; k < 50; k++)
    {
      guint order[G_N_ELEMENTS (lines)];
      g_autoptr (GString) text = g_string_new ("parameter a = 1.7\n");
      g_autoptr (WeirEquations) equations = NULL;
      g_autoptr (GRegex)
          numbers = g_regex_new ("(?m)^(\\S+ +\\S+ +\\S+ +)\\d+ +|# line \\d+", 0, 0, NULL);
      g_autofree char *rows = NULL;
      g_autofree char *full = NULL;
      g_autofree char *table = NULL;
      g_autofree char *without = NULL;
      g_autofree double *values = NULL;

      for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
        order[i] = i;
      for (guint i = G_N_ELEMENTS (lines) - 1; i > 0 && k > 0; i--)
        {
          guint j = (guint) g_rand_int_range (rand, 0, (gint32) i + 1), swap = order[i];

          order[i] = order[j];
          order[j] = swap;
        }
      for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
        g_string_append_printf (text, "%s\n", lines[order[i]]);
      equations = make_fine (text->str);
      rows = weir_equations_to_table (equations);
      full = weir_equations_to_full (equations);
      table = g_strconcat (rows, full, NULL);
      without = g_regex_replace (numbers, table, -1, 0, "\\1", 0, NULL);
      values = g_new0 (double, equations->variables->len);
      for (guint i = 0; i < equations->variables->len; i++)
        values[i] = ((WeirVariable *) g_ptr_array_index (equations->variables, i))->value[0];
      if (k == 0)
        {
          first_table = g_steal_pointer (&without);
          first = g_steal_pointer (&values);
          continue;
        }
      g_assert_cmpstr (without, ==, first_table);
      g_assert_cmpmem (values, equations->variables->len * sizeof (double), first,
                       equations->variables->len * sizeof (double));
    }
}

/* y, z -> D(x), in that order; nothing is solved that can be computed. */
static void
test_order (void)
{
  g_autoptr (WeirEquations)
      equations = make_fine ("D(x) ~ -z\nz ~ y^2\ny ~ a*x\nparameter a = 2\ninitial x = 1");
  static const char *const expected[] = { "y", "z", "D(x)" };

  g_assert_cmpuint (equations->blocks->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      const WeirEquationBlock *block = g_ptr_array_index (equations->blocks, i);
      g_autofree char *name = weir_expr_to_string (equations->pool, block->unknowns[0]);

      g_assert_cmpstr (name, ==, expected[i]);
      g_assert_cmpuint (block->value.i, !=, G_MAXUINT32);
    }
}

/* m D(v) ~ F is solved for D(v). */
static void
test_solved_for_derivative (void)
{
  g_autoptr (WeirEquations)
      equations = make_fine ("parameter m = 2\ninput F = 0\nm*D(v) ~ F\ninitial v = 0");
  const WeirEquationBlock *block = g_ptr_array_index (equations->blocks, 0);
  g_autofree char *value = weir_expr_to_string (equations->pool, block->value);

  g_assert_cmpstr (value, ==, "F/m");
}

/* 10 000 equations in a chain, a ring of 300 that is linear, and nothing recurses. */
static void
test_large (void)
{
  g_autoptr (GString) text = g_string_new ("y[1] ~ 1\n");
  g_autoptr (WeirEquations) equations = NULL;

  g_string_append (text, "for i in 2:10000: y[i] ~ 0.5*y[i-1] + 1\n"
                         "for i in 1:299: r[i] ~ 0.5*r[i+1] + 1\n"
                         "r[300] ~ 0.5*r[1] + 1\n");
  equations = make_fine (text->str);
  /* y_i tends to 2; r is 2 by symmetry. */
  g_assert_cmpfloat (start_of (equations, "y", 9999), ==, 2.0);
  g_assert_cmpfloat (fabs (start_of (equations, "r", 150) - 2.0), <=, 1e-12);
}

static void
test_declare (void)
{
  g_autoptr (WeirEquations) equations = NULL;
  g_autofree char *text = weir_equations_declare ("y ~ 2*u", "u", WEIR_ROLE_INPUT);

  g_assert_cmpstr (text, ==, "input u\ny ~ 2*u");
  equations = make_fine (text);
  g_assert_cmpint (weir_equations_find (equations, "u")->role, ==, WEIR_ROLE_INPUT);
}

static void
test_assign (void)
{
  static const char *const text = "parameter a = 1, b[2] \"m\" = [1, 2] # first\n"
                                  "y ~ a; constant c = max(1, 2) \"s\", d = 3\n";
  static const char *const cases[][3] = {
    { "a", "7",
      "parameter a = 7, b[2] \"m\" = [1, 2] # first\ny ~ a; constant c = max(1, 2) \"s\", "
      "d = 3\n" },
    { "b", "0",
      "parameter a = 1, b[2] \"m\" = 0 # first\ny ~ a; constant c = max(1, 2) \"s\", d = 3\n" },
    { "c", "-2",
      "parameter a = 1, b[2] \"m\" = [1, 2] # first\ny ~ a; constant c = -2 \"s\", d = 3\n" },
    { "d", "4",
      "parameter a = 1, b[2] \"m\" = [1, 2] # first\ny ~ a; constant c = max(1, 2) \"s\", d = "
      "4\n" },
    { "y", "4", NULL },
    { "q", "4", NULL },
    { "Initial(y)", "5",
      "parameter a = 1, b[2] \"m\" = [1, 2] # first\ny ~ a; constant c = max(1, 2) \"s\", d = "
      "3\n\noverride "
      "initial y = 5" },
    { "Guess(y)", "5",
      "parameter a = 1, b[2] \"m\" = [1, 2] # first\ny ~ a; constant c = max(1, 2) \"s\", d = "
      "3\n\noverride "
      "guess y = 5" },
    { "Initial(q)", "4", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *found = weir_equations_assign (text, cases[i][0], cases[i][1]);

      g_assert_cmpstr (found, ==, cases[i][2]);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/equations/system/problems", test_problems);
  g_test_add_func ("/equations/system/starts", test_starts);
  g_test_add_func ("/equations/system/arrays", test_arrays);
  g_test_add_func ("/equations/system/roles", test_roles);
  g_test_add_func ("/equations/system/order", test_order);
  g_test_add_func ("/equations/system/solved-for-derivative", test_solved_for_derivative);
  g_test_add_func ("/equations/system/permutation", test_permutation);
  g_test_add_func ("/equations/system/large", test_large);
  g_test_add_func ("/equations/system/declare", test_declare);
  g_test_add_func ("/equations/system/long-names", test_long_names);
  g_test_add_func ("/equations/system/assign", test_assign);
  return g_test_run ();
}

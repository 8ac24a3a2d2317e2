/* The language: what is read, what is printed, and what is said about what cannot be read. */
#include "../seeds.h"
#include "random-expression.h"

#include <math.h>
#include <string.h>

typedef struct {
  WeirExprPool *pool;
  WeirDiagnostics *diagnostics;
  WeirReport report;
} Fixture;

static void
set_up (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  f->pool = weir_expr_pool_new ();
  f->diagnostics = weir_diagnostics_new ();
  f->report = (WeirReport) { f->diagnostics, "plant", 3, 10 };
}

static void
tear_down (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  weir_expr_pool_free (f->pool);
  weir_diagnostics_unref (f->diagnostics);
}

static WeirExpr
parse (Fixture *f, const char *text)
{
  WeirExpr e = weir_expr_parse (f->pool, text, &f->report);

  g_assert_false (weir_diagnostics_has_errors (f->diagnostics));
  g_assert_cmpuint (e.i, !=, G_MAXUINT32);
  return e;
}

static void
test_precedence (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  /* Left: as written with the fewest brackets; right: with every bracket. */
  static const char *const pairs[][2] = {
    { "a + b*c", "a + (b*c)" },
    { "a - b - c", "(a - b) - c" },
    { "a/b/c*d", "((a/b)/c)*d" },
    { "a^b^c", "a^(b^c)" },
    { "-a^2", "-(a^2)" },
    { "2^-a", "2^(-a)" },
    { "-a*b", "(-a)*b" },
    { "a*-b", "a*(-b)" },
    { "not a == b and c or d", "((not (a == b)) and c) or d" },
    { "a and not b and c", "(a and (not b)) and c" },
    { "a < b + 1", "a < (b + 1)" },
    { "if a > 0 then b else if c then d else 2 + a",
      "if (a > 0) then b else (if c then d else (2 + a))" },
    { "A'[1]*x", "((A')[1])*x" },
    { "A .* B ./ C .^ D", "(A .* B) ./ (C .^ D)" },
    { "min(a, b, c)", "min(min(a, b), c)" },
    { "der(x)", "D(x)" },
    { "-5^2", "-(5^2)" },
    { "[1, 2; 3, 4][2, 1]", "([1, 2; 3, 4])[2, 1]" },
    { "x[2:n - 1]", "x[(2):(n - 1)]" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    g_assert_true (weir_expr_equal (parse (f, pairs[i][0]), parse (f, pairs[i][1])));
  g_assert_false (weir_expr_equal (parse (f, "a - (b - c)"), parse (f, "a - b - c")));
  g_assert_false (weir_expr_equal (parse (f, "-5"), parse (f, "-(5)")));
}

static void
test_print (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const texts[] = {
    "a + b*c - d/e^2",
    "(a + b)*(c - (d - e))",
    "(a^b)^c",
    "(-5)^2",
    "-(5)",
    "a - -5",
    "-x^2",
    "(if a then b else c) + 1",
    "if a or b and not (c or d) then 1 else nan",
    "(not a) == b",
    "sin(x)*atan2(y, -inf)",
    "x(k-1) + x(k) + x(k+2)",
    "9.81 \"m/s^2\"*m",
    "convert(v, \"km/h\")",
    "[1, 2; a, -b]*[x; y]",
    "[1, 2, 3]",
    "A[1, 2:3]'",
    "table(u, [0, 1, 2], [0, 10, 15])",
    "D(D(x)) + pre(n) + delay(y, 0.1) + Initial(x)",
    "1e-300 + 0.1 + 1e+22",
    "θ_1*plant.speed",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *printed = weir_expr_to_string (f->pool, parse (f, texts[i]));

      g_assert_true (weir_expr_equal (parse (f, printed), parse (f, texts[i])));
      if (strcmp (texts[i], "[1, 2; a, -b]*[x; y]") != 0)
        g_assert_cmpstr (printed, ==, texts[i]);
    }
}

static void
test_random_round_trip (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  guint32 seed = get_test_seed (41);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  WeirOp ops[WEIR_OP_IF - WEIR_OP_NEG + 1];

  for (guint i = 0; i < G_N_ELEMENTS (ops); i++)
    ops[i] = (WeirOp) (WEIR_OP_NEG + i);
  for (guint i = 0; i < 3000; i++)
    {
      WeirExpr e = random_expression (f->pool, rand, 6, ops, G_N_ELEMENTS (ops));
      g_autofree char *printed = weir_expr_to_string (f->pool, e);
      WeirExpr again = parse (f, printed);

      if (!weir_expr_equal (e, again))
        g_error ("%s is read as another expression", printed);
    }
}

static void
test_statements (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  const char *text = "# a mass on a spring\n"
                     "parameter m = 2 \"kg\", k[3] = [1, 2, 3]   # two of them\n"
                     "input u[3] \"N\" = 0, v\n"
                     "output y; variable A[2, 2]\n"
                     "D(D(x)) ~ -k[1]/m*x +\n"
                     "          sum(u)/m\n"
                     "0 ~ sin(x +\n"
                     "  1) - y\n"
                     "initial x = 1; initial 0 ~ D(x) + y\n"
                     "guess y = 0.5\n"
                     "extends Spring, lib.Mass, \"a b\"\n"
                     "history x = cos(t)\n"
                     "y ~ delay(x, 1) + delay(2*x, T, 5)\n"
                     "when x < 0: v := -0.8*pre(v), n := pre(n) + 1\n"
                     "when every(0.1, 0.05):\n"
                     "  v := 0\n"
                     "  n := 1\n"
                     "end\n"
                     "for i in 2:9: D(T[i]) ~ T[i-1]\n"
                     "for i in 1:2:\n"
                     "  for j in 1:2: A[i, j] ~ i*j\n"
                     "end\n"
                     "sample 0.1, 0.05\n"
                     "assert x > -10, \"x has left its range\"\n"
                     "when x ~ 0: v := 1\n"
                     "brownian w\n"
                     "solve k\n";
  static const char *const expected[] = {
    "parameter m \"kg\" = 2",
    "parameter k[3] = [1, 2, 3]",
    "input u[3] \"N\" = 0",
    "input v",
    "output y",
    "variable A[2, 2]",
    "D(D(x)) ~ -k[1]/m*x + sum(u)/m",
    "0 ~ sin(x + 1) - y",
    "initial x = 1",
    "initial 0 = D(x) + y",
    "guess y = 0.5",
    "extends \"Spring\"",
    "extends \"lib.Mass\"",
    "extends \"a b\"",
    "history x = cos(t)",
    "y ~ delay(x, 1) + delay(2*x, T, 5)",
    "when x < 0:\nv := -0.8*pre(v)\nn := pre(n) + 1\nend",
    "when every(0.1, 0.05):\nv := 0\nn := 1\nend",
    "for i in 2:9:\nD(T[i]) ~ T[i - 1]\nend",
    "for i in 1:2:\nfor j in 1:2:\nA[i, j] ~ i*j\nend\nend",
    "sample 0.1, 0.05",
    "assert x > -10, \"x has left its range\"",
    "when x == 0:\nv := 1\nend",
    "brownian w",
    "solve k",
  };
  g_autoptr (GPtrArray) statements = weir_statements_parse (f->pool, text, &f->report);
  g_autoptr (GString) all = g_string_new (NULL);

  g_assert_cmpuint (weir_diagnostics_get_size (f->diagnostics), ==, 0);
  g_assert_cmpuint (statements->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < statements->len; i++)
    {
      g_autofree char *printed = weir_statement_to_string (f->pool,
                                                           g_ptr_array_index (statements, i));

      g_assert_cmpstr (printed, ==, expected[i]);
      g_string_append (all, printed);
      g_string_append_c (all, '\n');
    }
  g_assert_cmpint (((WeirStatement *) g_ptr_array_index (statements, 6))->line, ==, 5);

  /* What is printed is read alike. */
  {
    g_autoptr (GPtrArray) again = weir_statements_parse (f->pool, all->str, &f->report);

    g_assert_cmpuint (weir_diagnostics_get_size (f->diagnostics), ==, 0);
    g_assert_cmpuint (again->len, ==, statements->len);
    for (guint i = 0; i < again->len; i++)
      {
        g_autofree char *printed = weir_statement_to_string (f->pool, g_ptr_array_index (again, i));

        g_assert_cmpstr (printed, ==, expected[i]);
      }
  }
}

static void
test_errors (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  static const struct {
    const char *text;
    int line; /* of the file, in which the text begins at 10 */
    const char *message;
  } cases[] = {
    { "y ~ 2 +* 3", 10, "Model: line 1, column 8: expected a value, but found '*'." },
    { "x ~ 1\ny = 2", 11, "Model: line 2, column 3: an equation is written with '~', not '='." },
    { "y := 2", 10,
      "Model: line 1, column 3: ':=' assigns at an event, within when; an equation is written with "
      "'~'." },
    { "y ~ sqtr(x)", 10,
      "Model: line 1, column 5: there is no function 'sqtr'; did you mean 'sqrt'?" },
    { "y ~ foobar(x)", 10,
      "Model: line 1, column 5: there is no function 'foobar'; write * for a product, and "
      "foobar(k) for a "
      "discrete variable." },
    { "y ~ sin(x, 2)", 10, "Model: line 1, column 5: sin takes 1 argument, but 2 are given." },
    { "y ~ (1 + 2", 10,
      "Model: line 1, column 11: expected an operator or ')', but found the end of the "
      "text; the '(' of line 1, column 5 is still open." },
    /* What is likely behind it. */
    { "y ~ 2*[1, (2\n  + 3\nz ~ 1", 12,
      "Model: line 3, column 1: expected an operator or ')', but found 'z'; the '(' of line 1, "
      "column 11 is still open." },
    { "y ~ 2x", 10,
      "Model: line 1, column 6: expected an operator or the end of the line, but found 'x'; a "
      "product is written with '*'." },
    { "y ~ 0,5*x", 10,
      "Model: line 1, column 6: expected an operator or the end of the line, but found ','; the "
      "decimal sign is '.'." },
    { "y ~ x +\nz ~ 3", 11,
      "Model: line 2, column 3: expected an operator or the end of the line, but found '~'; the "
      "line before ends in an operator, so that line 2 continues it." },
    { "param a = 1", 10,
      "Model: line 1, column 7: expected an operator or '~', but found 'a'; did you mean "
      "'parameter'?" },
    { "intial x = 1", 10,
      "Model: line 1, column 8: expected an operator or '~', but found 'x'; did you mean "
      "'initial'?" },
    { "when x < 0\n  v := 3\nend\ny ~ 2", 10,
      "Model: line 1, column 11: expected an operator or ':', but found the end of the line." },
    { "y ~ 1 2", 10,
      "Model: line 1, column 7: expected an operator or the end of the line, but found '2'." },
    { "y ~\n", 10, "Model: line 1, column 4: expected a value, but found the end of the text." },
    { "y ~ a < b < c", 10,
      "Model: line 1, column 11: comparisons do not chain; write a < b and b < c." },
    { "y ~ if a then b", 10,
      "Model: line 1, column 16: expected an operator or 'else' (an if has a value either way), "
      "but found "
      "the end of the text." },
    { "parameter k 3", 10, "Model: line 1, column 13: expected '=' and a value, but found '3'." },
    { "parameter if = 3", 10,
      "Model: line 1, column 11: expected a name, but 'if' is a word of the language." },
    { "y ~ 3 $ 4", 10,
      "Model: line 1, column 7: expected an operator or the end of the line, but found '$'." },
    { "assert x > 0, \"abc", 10,
      "Model: line 1, column 15: expected a message in quotes, but found a text whose closing "
      "quote is "
      "missing." },
    { "when x < 0:\n  v ~ 3\nend", 11,
      "Model: line 2, column 3: within when there are assignments only, such as v := -pre(v)." },
    { "when x < 0: v ~ 3", 10,
      "Model: line 1, column 15: at an event values are assigned with ':=', as in v := -pre(v)." },
    { "when x < 0:\n  v := 3\n", 12,
      "Model: line 3, column 1: expected 'end' for the 'when' or 'for' of "
      "line 1." },
    { "v ~ convert(x, 3)", 10,
      "Model: line 1, column 5: convert needs a unit in quotes, such as convert(v, \"km/h\")." },
    { "v ~ sin(\"m\")", 10,
      "Model: line 1, column 5: an argument of sin is a text in quotes, where a value is "
      "expected." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      WeirReport report = { diagnostics, "plant", 3, 10 };
      g_autoptr (GPtrArray) statements = weir_statements_parse (f->pool, cases[i].text, &report);

      g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 1);
      g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->text, ==, cases[i].message);
      g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->code, ==, "EQ01");
      g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->path, ==, "plant");
      g_assert_cmpint (weir_diagnostics_get (diagnostics, 0)->line, ==, cases[i].line);
    }
}

/* Every problem at once, and what lies between them is read. */
static void
test_recovery (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GPtrArray) statements = weir_statements_parse (f->pool,
                                                            "a ~ 1 +\n"
                                                            "* 2\n"
                                                            "b ~ sin(x + 1\n"
                                                            "c ~ 3\n"
                                                            "d ~ ]; e ~ 4\n"
                                                            "f = 5\n"
                                                            "g ~ 6\n",
                                                            &f->report);
  static const int lines[] = { 11, 13, 14, 15 };
  static const char *const kept[] = { "c ~ 3", "e ~ 4", "g ~ 6" };

  g_assert_cmpuint (weir_diagnostics_get_size (f->diagnostics), ==, G_N_ELEMENTS (lines));
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    g_assert_cmpint (weir_diagnostics_get (f->diagnostics, i)->line, ==, lines[i]);
  g_assert_cmpuint (statements->len, ==, G_N_ELEMENTS (kept));
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    {
      g_autofree char *printed = weir_statement_to_string (f->pool,
                                                           g_ptr_array_index (statements, i));

      g_assert_cmpstr (printed, ==, kept[i]);
    }
}

static void
test_depth (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *open = g_strnfill (100000, '(');
  g_autofree char *minus = g_strnfill (100000, '-');
  g_autoptr (GString) sum = g_string_new ("x");
  g_autofree char *printed = NULL;
  WeirExpr e;

  g_assert_cmpuint (weir_expr_parse (f->pool, open, &f->report).i, ==, G_MAXUINT32);
  g_assert_cmpuint (weir_expr_parse (f->pool, minus, &f->report).i, ==, G_MAXUINT32);
  g_assert_cmpuint (weir_diagnostics_get_size (f->diagnostics), ==, 2);
  g_assert_nonnull (strstr (weir_diagnostics_get (f->diagnostics, 0)->text, "nested"));

  /* Long is not deep. */
  for (guint i = 0; i < 100000; i++)
    g_string_append (sum, " + y");
  e = weir_expr_parse (f->pool, sum->str, &f->report);
  printed = weir_expr_to_string (f->pool, e);
  g_assert_cmpstr (printed, ==, sum->str);
}

static void
test_sharing (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  WeirExpr e = parse (f, "sin(a + b)*sin(a + b)");
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  g_assert_true (
      weir_expr_equal (weir_expr_get_arg (f->pool, e, 0), weir_expr_get_arg (f->pool, e, 1)));
  weir_expr_collect (f->pool, &e, 1, FALSE, order);
  g_assert_cmpuint (order->len, ==, 5); /* a, b, a + b, sin, product */
  for (guint i = 0; i < order->len; i++)
    {
      WeirExpr part = g_array_index (order, WeirExpr, i);

      for (guint j = 0; j < weir_expr_get_n_args (f->pool, part); j++)
        g_assert_cmpuint (weir_expr_get_arg (f->pool, part, j).i, <, part.i);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function)                                                                        \
  g_test_add ("/equations/syntax/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("precedence", test_precedence);
  ADD ("print", test_print);
  ADD ("random-round-trip", test_random_round_trip);
  ADD ("statements", test_statements);
  ADD ("errors", test_errors);
  ADD ("recovery", test_recovery);
  ADD ("depth", test_depth);
  ADD ("sharing", test_sharing);
  return g_test_run ();
}

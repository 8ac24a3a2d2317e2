/* Simplification, differentiation and programs: each against an independent evaluation of the
 * tree. */
#include "../seeds.h"
#include "base/random.h"
#include "equations/programs/program-native.h"
#include "equations/expressions/simplify.h"
#include "random-expression.h"

#include <math.h>
#include <string.h>

typedef struct {
  WeirExprPool *pool;
  WeirDiagnostics *diagnostics;
  WeirReport report;
  WeirExpr symbols[N_SYMBOLS];
} Fixture;

static void
set_up (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  f->pool = weir_expr_pool_new ();
  f->diagnostics = weir_diagnostics_new ();
  f->report = (WeirReport) { f->diagnostics, "plant", 3, 1 };
  for (guint i = 0; i < N_SYMBOLS; i++)
    f->symbols[i] = weir_expr_symbol (f->pool, symbol_names[i]);
}

static void
tear_down (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  g_assert_cmpuint (weir_diagnostics_get_size (f->diagnostics), ==, 0);
  weir_expr_pool_free (f->pool);
  weir_diagnostics_unref (f->diagnostics);
}

static WeirExpr
parse (Fixture *f, const char *text)
{
  return weir_expr_parse (f->pool, text, &f->report);
}

static WeirExpr
simplify (WeirExprPool *pool, WeirExpr e)
{
  return weir_expr_replace (pool, e, NULL, NULL, weir_simplify_make);
}

static void
run (Fixture *f, WeirExpr e, const double *in, double *out)
{
  g_autofree WeirProgram *program = weir_program_new (f->pool, &e, 1, f->symbols, N_SYMBOLS);
  g_autofree double *work = g_new (double, weir_program_get_work_size (program));

  weir_program_execute (program, in, out, work);
}

/* --- The reference: dual numbers, straight from the tree ------------------------------------- */

typedef struct {
  double value, slope;
} Dual;

/* Was every operation differentiable where it was evaluated, and is every value finite? At
 * kinks, poles and branch points (by the sign of a zero) there is no derivative to compare. */
static gboolean is_regular;

static gboolean
is_kink (WeirOp op, double u, double v)
{
  switch (op)
    {
    case WEIR_OP_ABS:
    case WEIR_OP_SQRT:
    case WEIR_OP_LOG:
      return u == 0.0;
    case WEIR_OP_POW:
      return u <= 0.0;
    case WEIR_OP_DIV:
      return v == 0.0;
    case WEIR_OP_MIN:
    case WEIR_OP_MAX:
      return u == v;
    case WEIR_OP_ATAN2:
    case WEIR_OP_HYPOT:
      return u == 0.0 || v == 0.0;
    default:
      return !isfinite (u) || !isfinite (v);
    }
}

/* Value and derivative by symbol @by. Follows the definitions of calculus, and no code of the
 * engine but the reading of nodes. */
static Dual
dual (const Fixture *f, WeirExpr e, const double *in, guint by)
{
  WeirOp op = weir_expr_get_op (f->pool, e);
  guint n = weir_expr_get_n_args (f->pool, e);
  Dual a = { 0 }, b = { 0 };
  double u, v;

  if (op == WEIR_OP_NUMBER)
    return (Dual) { weir_expr_get_number (f->pool, e), 0.0 };
  if (op == WEIR_OP_SYMBOL)
    for (guint i = 0; i < N_SYMBOLS; i++)
      if (weir_expr_equal (e, f->symbols[i]))
        return (Dual) { in[i], i == by ? 1.0 : 0.0 };
  a = dual (f, weir_expr_get_arg (f->pool, e, 0), in, by);
  if (op == WEIR_OP_IF)
    return dual (f, weir_expr_get_arg (f->pool, e, a.value != 0.0 ? 1 : 2), in, by);
  if (n > 1)
    b = dual (f, weir_expr_get_arg (f->pool, e, 1), in, by);
  u = a.value;
  v = b.value;
  /* Nor is there a slope to speak of where the value does not depend on one that is none. */
  is_regular = is_regular && !is_kink (op, u, v) && !isnan (u) && !isnan (v);
  switch (op)
    {
    case WEIR_OP_NEG:
      return (Dual) { -u, -a.slope };
    case WEIR_OP_NOT:
      return (Dual) { u == 0.0, 0.0 };
    case WEIR_OP_NO_EVENT:
      return a;
    case WEIR_OP_ABS:
      return (Dual) { fabs (u), u > 0.0 ? a.slope : u < 0.0 ? -a.slope : 0.0 };
    case WEIR_OP_SIGN:
      return (Dual) { u > 0.0 ? 1.0 : u < 0.0 ? -1.0 : u, 0.0 };
    case WEIR_OP_SQRT:
      return (Dual) { sqrt (u), a.slope / (2.0 * sqrt (u)) };
    case WEIR_OP_CBRT:
      return (Dual) { cbrt (u), a.slope / (3.0 * cbrt (u) * cbrt (u)) };
    case WEIR_OP_EXP:
      return (Dual) { exp (u), exp (u) * a.slope };
    case WEIR_OP_LOG:
      return (Dual) { log (u), a.slope / u };
    case WEIR_OP_LOG10:
      return (Dual) { log10 (u), a.slope / (u * log (10.0)) };
    case WEIR_OP_SIN:
      return (Dual) { sin (u), cos (u) * a.slope };
    case WEIR_OP_COS:
      return (Dual) { cos (u), -sin (u) * a.slope };
    case WEIR_OP_TAN:
      return (Dual) { tan (u), a.slope / (cos (u) * cos (u)) };
    case WEIR_OP_ASIN:
      return (Dual) { asin (u), a.slope / sqrt (1.0 - u * u) };
    case WEIR_OP_ACOS:
      return (Dual) { acos (u), -a.slope / sqrt (1.0 - u * u) };
    case WEIR_OP_ATAN:
      return (Dual) { atan (u), a.slope / (1.0 + u * u) };
    case WEIR_OP_SINH:
      return (Dual) { sinh (u), cosh (u) * a.slope };
    case WEIR_OP_COSH:
      return (Dual) { cosh (u), sinh (u) * a.slope };
    case WEIR_OP_TANH:
      return (Dual) { tanh (u), a.slope * (1.0 - tanh (u) * tanh (u)) };
    case WEIR_OP_ASINH:
      return (Dual) { asinh (u), a.slope / sqrt (u * u + 1.0) };
    case WEIR_OP_ACOSH:
      return (Dual) { acosh (u), a.slope / sqrt (u * u - 1.0) };
    case WEIR_OP_ATANH:
      return (Dual) { atanh (u), a.slope / (1.0 - u * u) };
    case WEIR_OP_ERF:
      return (Dual) { erf (u), 2.0 / sqrt (G_PI) * exp (-u * u) * a.slope };
    case WEIR_OP_FLOOR:
      return (Dual) { floor (u), 0.0 };
    case WEIR_OP_CEIL:
      return (Dual) { ceil (u), 0.0 };
    case WEIR_OP_ROUND:
      return (Dual) { round (u), 0.0 };
    case WEIR_OP_KEEP:
      return (Dual) { 100.0 * u, 100.0 * a.slope };
    case WEIR_OP_ADD:
      return (Dual) { u + v, a.slope + b.slope };
    case WEIR_OP_SUB:
      return (Dual) { u - v, a.slope - b.slope };
    case WEIR_OP_MUL:
      return (Dual) { u * v, a.slope * v + u * b.slope };
    case WEIR_OP_DIV:
      return (Dual) { u / v, (a.slope - u / v * b.slope) / v };
    case WEIR_OP_POW:
      return (Dual) { pow (u, v), (a.slope == 0.0 ? 0.0 : v * pow (u, v - 1.0) * a.slope)
                                      + (b.slope == 0.0 ? 0.0 : pow (u, v) * log (u) * b.slope) };
    case WEIR_OP_LT:
      return (Dual) { u < v, 0.0 };
    case WEIR_OP_LE:
      return (Dual) { u <= v, 0.0 };
    case WEIR_OP_GT:
      return (Dual) { u > v, 0.0 };
    case WEIR_OP_GE:
      return (Dual) { u >= v, 0.0 };
    case WEIR_OP_EQ:
      return (Dual) { u == v, 0.0 };
    case WEIR_OP_NE:
      return (Dual) { u != v, 0.0 };
    case WEIR_OP_AND:
      return (Dual) { u != 0.0 && v != 0.0, 0.0 };
    case WEIR_OP_OR:
      return (Dual) { u != 0.0 || v != 0.0, 0.0 };
    case WEIR_OP_MIN:
      return isnan (v) || v <= u ? b : a; /* of two zeros the second, whatever their signs */
    case WEIR_OP_MAX:
      return isnan (v) || v >= u ? b : a;
    case WEIR_OP_ATAN2:
      return (Dual) { atan2 (u, v), (v * a.slope - u * b.slope) / (u * u + v * v) };
    case WEIR_OP_HYPOT:
      return (Dual) { hypot (u, v), (u * a.slope + v * b.slope) / hypot (u, v) };
    case WEIR_OP_MOD:
      return (Dual) { u - v * floor (u / v), a.slope - floor (u / v) * b.slope };
    case WEIR_OP_RANDOM:
      if (!(fabs (u) <= 0x1p53 && fabs (v) <= 0x1p53))
        return (Dual) { NAN, 0.0 };
      return (Dual) { weir_random_uniform ((guint64) (gint64) u, (guint64) (gint64) v, 0), 0.0 };
    default:
      g_assert_not_reached ();
    }
}

static gboolean
is_near (double a, double b, double tolerance)
{
  return a == b || (isnan (a) && isnan (b)) || fabs (a - b) <= tolerance * (1.0 + fabs (b));
}

/* --- Tests ----------------------------------------------------------------------------------- */

/* Operations whose values and slopes are moderate for moderate operands; conditions never sit on
 * an edge for random operands. */
static const WeirOp smooth_ops[] = { WEIR_OP_NEG,  WEIR_OP_NO_EVENT, WEIR_OP_ABS,  WEIR_OP_SIN,
                                     WEIR_OP_COS,  WEIR_OP_TANH,     WEIR_OP_ATAN, WEIR_OP_ASINH,
                                     WEIR_OP_ERF,  WEIR_OP_ADD,      WEIR_OP_SUB,  WEIR_OP_MUL,
                                     WEIR_OP_ADD,  WEIR_OP_MUL,      WEIR_OP_MIN,  WEIR_OP_MAX,
                                     WEIR_OP_IF,   WEIR_OP_LT,       WEIR_OP_DIV,  WEIR_OP_SQRT,
                                     WEIR_OP_EXP,  WEIR_OP_LOG,      WEIR_OP_POW,  WEIR_OP_HYPOT,
                                     WEIR_OP_ATAN2 };

/* Analytic derivatives against dual numbers to 1e-12, relative to the size of what cancels. */
static void
test_derivatives (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  guint32 seed = get_test_seed (36);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  guint n_compared = 0;

  for (guint k = 0; k < 4000; k++)
    {
      WeirExpr e = random_expression (f->pool, rand, 4, smooth_ops, G_N_ELEMENTS (smooth_ops));
      double in[N_SYMBOLS];

      for (guint i = 0; i < N_SYMBOLS; i++)
        in[i] = g_rand_double_range (rand, -1.5, 1.5);
      for (guint i = 0; i < N_SYMBOLS; i++)
        {
          Dual expected = (is_regular = TRUE, dual (f, e, in, i));
          WeirExpr derivative = weir_expr_derive (f->pool, simplify (f->pool, e), f->symbols[i]);
          double found;

          /* Near a pole rounding of the operand is all that is left. */
          if (!is_regular || !isfinite (expected.value) || !isfinite (expected.slope)
              || fabs (expected.value) > 1e3 || fabs (expected.slope) > 1e3)
            continue;
          run (f, derivative, in, &found);
          if (!is_near (found, expected.slope, 1e-12))
            {
              /* Is it the conditioning? Then a change of one unit in the last place of the inputs
               * moves the reference as much. */
              double shifted[N_SYMBOLS];
              Dual near;

              for (guint j = 0; j < N_SYMBOLS; j++)
                shifted[j] = nextafter (nextafter (in[j], 2.0), 2.0);
              near = dual (f, e, shifted, i);
              if (fabs (near.slope - expected.slope) > 0.01 * fabs (found - expected.slope)
                  || isnan (near.slope))
                continue;
              g_error ("d/d%s of %s is %.17g, expected %.17g", symbol_names[i],
                       weir_expr_to_string (f->pool, e), found, expected.slope);
            }
          n_compared++;
        }
    }
  g_test_message ("%u derivatives compared", n_compared);
  g_assert_cmpuint (n_compared, >, 8000);
}

static void
test_evaluate (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  guint32 seed = get_test_seed (37);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  WeirOp ops[WEIR_OP_IF - WEIR_OP_NEG + 1];

  for (guint i = 0; i < G_N_ELEMENTS (ops); i++)
    ops[i] = (WeirOp) (WEIR_OP_NEG + i);
  for (guint k = 0; k < 3000; k++)
    {
      WeirExpr e = random_expression (f->pool, rand, 6, ops, G_N_ELEMENTS (ops));
      g_autofree char *printed = weir_expr_to_string (f->pool, e);
      double in[N_SYMBOLS], value, again;
      double expected;

      for (guint i = 0; i < N_SYMBOLS; i++)
        in[i] = g_rand_double_range (rand, -1.5, 1.5);
      run (f, e, in, &value);
      run (f, parse (f, printed), in, &again);
      g_assert_cmpmem (&value, sizeof value, &again, sizeof again);
      expected = dual (f, e, in, N_SYMBOLS).value;
      /* The same operations but for powers, which are products here: half an ulp each, which a
       * condition or a floor can turn into anything. */
      if (strchr (printed, '^') == NULL && !is_near (value, expected, 1e-15))
        g_error ("%s is %.17g, expected %.17g", printed, value, expected);
    }
}

/* Powers are products in the same order wherever they are computed. */
static void
test_powers (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  for (int n = -17; n <= 17; n++)
    {
      g_autofree char *text = g_strdup_printf ("x^(%d)", n);
      double in[N_SYMBOLS] = { 1.1, (double) n }, constant, variable;

      run (f, parse (f, text), in, &constant);
      run (f, parse (f, "x^y"), in, &variable);
      g_assert_cmpmem (&constant, sizeof constant, &variable, sizeof variable);
      g_assert_true (is_near (constant, pow (1.1, n), 1e-14));
    }
}

/* Scalar and wide runs give the same bits, whatever is one for all lanes, at all widths. */
static void
test_wide (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  guint32 seed = get_test_seed (38);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  static const gsize widths[] = { 1, 2, 255, 256, 257, 700 };
  enum { MOST = 700 };
  g_autofree double *columns = g_new (double, N_SYMBOLS *MOST);
  g_autofree double *results = g_new (double, 2 * MOST);
  WeirOp ops[WEIR_OP_IF - WEIR_OP_NEG + 1];

  for (guint i = 0; i < G_N_ELEMENTS (ops); i++)
    ops[i] = (WeirOp) (WEIR_OP_NEG + i);
  for (guint k = 0; k < 400; k++)
    {
      WeirExpr e[2] = { random_expression (f->pool, rand, 6, ops, G_N_ELEMENTS (ops)),
                        random_expression (f->pool, rand, 6, ops, G_N_ELEMENTS (ops)) };
      g_autofree WeirProgram *program = weir_program_new (f->pool, e, 2, f->symbols, N_SYMBOLS);
      g_autofree double *work = g_new (double, weir_program_get_work_size (program));
      g_autoptr (WeirProgramWide) wide = weir_program_wide_new (program);
      gsize n = widths[k % G_N_ELEMENTS (widths)];
      WeirProgramColumn in[N_SYMBOLS];
      double *out[2] = { results, results + MOST };

      for (guint i = 0; i < N_SYMBOLS; i++)
        {
          in[i] = (WeirProgramColumn) { columns + i * MOST, g_rand_int_range (rand, 0, 3) > 0 };
          for (guint l = 0; l < MOST; l++)
            columns[i * MOST + l] = g_rand_double_range (rand, -2.0, 2.0);
        }
      weir_program_execute_wide (program, in, out, n, wide);
      for (gsize l = 0; l < n; l++)
        {
          double lane[N_SYMBOLS], expected[2];

          for (guint i = 0; i < N_SYMBOLS; i++)
            lane[i] = in[i].base[in[i].is_vector ? l : 0];
          weir_program_execute (program, lane, expected, work);
          for (guint i = 0; i < 2; i++)
            if (memcmp (&expected[i], &out[i][l], sizeof (double)) != 0
                && !(isnan (expected[i]) && isnan (out[i][l])))
              g_error ("lane %u of %s is %.17g, alone it is %.17g", (guint) l,
                       weir_expr_to_string (f->pool, e[i]), out[i][l], expected[i]);
        }
    }
}

/* What is simplified has the same value. */
static void
test_simplify_random (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  guint32 seed = get_test_seed (39);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  /* No division: the sign of a zero is not kept, and by it infinity would show that. */
  static const WeirOp ops[] = { WEIR_OP_ADD, WEIR_OP_SUB, WEIR_OP_MUL, WEIR_OP_NEG, WEIR_OP_IF,
                                WEIR_OP_ABS, WEIR_OP_SIN, WEIR_OP_MIN, WEIR_OP_AND, WEIR_OP_LT };

  for (guint k = 0; k < 4000; k++)
    {
      WeirExpr e = random_expression (f->pool, rand, 5, ops, G_N_ELEMENTS (ops));
      WeirExpr simple = simplify (f->pool, e);
      double in[N_SYMBOLS], before, after;

      for (guint i = 0; i < N_SYMBOLS; i++)
        in[i] = g_rand_double_range (rand, -1.5, 1.5);
      run (f, e, in, &before);
      run (f, simple, in, &after);
      if (isfinite (before) && fabs (before) < 1e6 && !is_near (after, before, 1e-9))
        g_error ("%s is %.17g, but %s is %.17g", weir_expr_to_string (f->pool, e), before,
                 weir_expr_to_string (f->pool, simple), after);
    }
}

static void
test_simplify (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const pairs[][2] = {
    { "x + 0", "x" },
    { "0 - x", "-x" },
    { "x - x", "0" },
    { "x + x", "2*x" },
    { "3*x - x", "2*x" },
    { "1*x*1", "x" },
    { "0*sin(x)", "0" },
    { "x*2*3", "6*x" },
    { "-(-x)", "x" },
    { "-(x - y)", "y - x" },
    { "x - (-y)", "x + y" },
    { "x/1 + 0/y", "x" },
    { "(x^2)^3", "x^6" },
    { "x^1 + y^0", "x + 1" },
    { "2*3 + sqrt(16)", "10" },
    { "if 1 < 2 then x else y", "x" },
    { "if z then x else x", "x" },
    { "x > 1 and 0", "0" },
    { "y - (2*y + 5)", "y - (2*y + 5)" },
    { "min(x, x) + abs(-x)", "x + abs(x)" },
    { "log(-1)", "log(-1)" }, /* has no value; kept, so that the program names it */
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      WeirExpr simple = simplify (f->pool, parse (f, pairs[i][0]));
      g_autofree char *printed = weir_expr_to_string (f->pool, simple);

      g_assert_cmpstr (printed, ==, pairs[i][1]);
    }
}

static void
test_derive (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const pairs[][2] = {
    { "3*x + y", "3" },
    { "x^2", "2*x" },
    { "x^3*y", "3*x^2*y" },
    { "sin(x)", "cos(x)" },
    { "y", "0" },
    { "exp(2*x)", "2*exp(2*x)" },
    { "if x > 0 then sqrt(x) else 0", "if x > 0 then 1/(2*sqrt(x)) else 0" },
    { "x*y*z", "y*z" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      WeirExpr derivative = weir_expr_derive (f->pool, parse (f, pairs[i][0]), f->symbols[0]);
      g_autofree char *printed = weir_expr_to_string (f->pool, derivative);

      g_assert_cmpstr (printed, ==, pairs[i][1]);
    }
}

/* All at once gives the very expressions that one at a time gives. */
static void
test_random_jacobians (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  guint32 seed = get_test_seed (40);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  guint n_entries = 0;

  for (guint k = 0; k < 2000; k++)
    {
      WeirExpr rows[3];
      g_autoptr (WeirJacobian) jacobian = NULL;

      for (guint i = 0; i < 3; i++)
        rows[i] = simplify (
            f->pool, random_expression (f->pool, rand, 5, smooth_ops, G_N_ELEMENTS (smooth_ops)));
      jacobian = weir_jacobian_new (f->pool, rows, 3, f->symbols, N_SYMBOLS);
      for (guint i = 0; i < 3; i++)
        {
          guint next = jacobian->first[i];

          for (guint j = 0; j < N_SYMBOLS; j++)
            {
              WeirExpr alone = weir_expr_derive (f->pool, rows[i], f->symbols[j]);

              if (weir_expr_is_number (f->pool, alone, 0.0))
                continue;
              g_assert_cmpuint (next, <, jacobian->first[i + 1]);
              g_assert_cmpuint (jacobian->column[next], ==, j);
              g_assert_true (weir_expr_equal (jacobian->entry[next++], alone));
              n_entries++;
            }
          g_assert_cmpuint (next, ==, jacobian->first[i + 1]);
        }
    }
  g_assert_cmpuint (n_entries, >, 5000);
}

static void
test_jacobian (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  WeirExpr rows[] = { parse (f, "x*y"), parse (f, "3"), parse (f, "floor(x) + z - 0*y"),
                      parse (f, "p1*x") };
  g_autoptr (WeirJacobian) jacobian = NULL;
  static const guint first[] = { 0, 2, 2, 3, 4 };
  static const guint column[] = { 0, 1, 2, 0 };
  static const char *const entry[] = { "y", "x", "1", "p1" };

  rows[2] = simplify (f->pool, rows[2]);
  jacobian = weir_jacobian_new (f->pool, rows, 4, f->symbols, 3);
  g_assert_cmpmem (jacobian->first, sizeof first, first, sizeof first);
  g_assert_cmpmem (jacobian->column, sizeof column, column, sizeof column);
  for (guint i = 0; i < G_N_ELEMENTS (entry); i++)
    {
      g_autofree char *printed = weir_expr_to_string (f->pool, jacobian->entry[i]);

      g_assert_cmpstr (printed, ==, entry[i]);
    }
}

/* Dear branches are skipped, and common parts are computed once. */
static void
test_program_shape (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  WeirExpr e[2] = { parse (f, "sin(x*y) + 1"), parse (f, "sin(x*y)*2") };
  g_autofree WeirProgram *shared = weir_program_new (f->pool, e, 2, f->symbols, N_SYMBOLS);
  WeirExpr chain = parse (f,
                          "if x > 0 then (if y > 0 then exp(x)/y else cos(x)) else sin(x)*tan(y)");
  static const double points[][2] = { { 1, 2 }, { 1, -2 }, { -1, 2 }, { -1, -2 } };

  g_assert_cmpuint (weir_program_get_n_instructions (shared), ==, 4);
  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    {
      double x = points[i][0], y = points[i][1], value;
      double in[N_SYMBOLS] = { x, y };
      double expected = x > 0 ? (y > 0 ? exp (x) / y : cos (x)) : sin (x) * tan (y);

      run (f, chain, in, &value);
      g_assert_cmpfloat (value, ==, expected);
    }
}

/* Tables: linear between points, level outside; the slope is that of the piece, and both forms
 * of a run agree. */
static void
test_tables (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  enum { N = 41 };
  WeirExpr args[7] = { f->symbols[0] }, e[2];
  g_autofree WeirProgram *program = NULL;
  g_autofree double *work = NULL;
  g_autoptr (WeirProgramWide) wide = NULL;
  double x[N], y = 7.0, zero = 0.0, results[2][N];
  WeirProgramColumn in[N_SYMBOLS] = {
    { x, TRUE }, { &y, FALSE }, { &zero, FALSE }, { &zero, FALSE }
  };
  double *out[2] = { results[0], results[1] };
  static const double xs[] = { -1, 0.5, 2 };

  /* Points (-1, 3), (0.5, y), (2, 1). */
  for (guint i = 0; i < 3; i++)
    args[1 + i] = weir_expr_number (f->pool, xs[i]);
  args[4] = weir_expr_number (f->pool, 3.0);
  args[5] = f->symbols[1];
  args[6] = weir_expr_number (f->pool, 1.0);
  e[0] = weir_expr_make (f->pool, WEIR_OP_TABLE, args, 7);
  e[1] = weir_expr_derive (f->pool, e[0], f->symbols[0]);
  program = weir_program_new (f->pool, e, 2, f->symbols, N_SYMBOLS);
  work = g_new (double, weir_program_get_work_size (program));
  wide = weir_program_wide_new (program);
  for (guint i = 0; i < N; i++)
    x[i] = -2.0 + 0.125 * i;
  weir_program_execute_wide (program, in, out, N, wide);
  for (guint i = 0; i < N; i++)
    {
      double slope = x[i] < -1 ? 0 : x[i] < 0.5 ? 4 / 1.5 : x[i] < 2 ? -6 / 1.5 : 0;
      double value = x[i] < -1    ? 3
                     : x[i] < 0.5 ? 3 + slope * (x[i] + 1)
                     : x[i] < 2   ? 7 + slope * (x[i] - 0.5)
                                  : 1;
      double single[2], lane[N_SYMBOLS] = { x[i], y, 0, 0 };

      weir_program_execute (program, lane, single, work);
      for (guint j = 0; j < 2; j++)
        g_assert_cmpmem (&single[j], sizeof (double), &results[j][i], sizeof (double));
      g_assert_cmpfloat (single[0], ==, value);
      g_assert_cmpfloat (single[1], ==, slope);
    }
}

/* A sum of 1 000 products needs few slots: temporaries are used again. */
static void
test_slots (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("x");
  g_autofree WeirProgram *program = NULL;
  WeirExpr e;

  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (text, " + sin(x*%u)*y", i % 2 + 2);
  e = parse (f, text->str);
  program = weir_program_new (f->pool, &e, 1, f->symbols, N_SYMBOLS);
  g_assert_cmpuint (weir_program_get_work_size (program), <=, 2 + N_SYMBOLS + 4);
}

/* The first numbers of SplitMix64 with the seed 0, as its authors' program gives them. */
static void
test_random (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  static const guint64 expected[] = { G_GUINT64_CONSTANT (0xe220a8397b1dcdaf),
                                      G_GUINT64_CONSTANT (0x6e789e6aa1b965f4),
                                      G_GUINT64_CONSTANT (0x06c45d188009454f) };
  double sum = 0.0;

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmphex (weir_random_mix (G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) * (i + 1)), ==,
                     expected[i]);
  /* The mean of n uniform numbers has the deviation 1 / sqrt (12 n). */
  for (guint i = 0; i < 10000; i++)
    {
      double number = weir_random_uniform (5, i, 0);

      g_assert_true (number > 0.0 && number < 1.0);
      sum += number;
    }
  g_assert_cmpfloat_with_epsilon (sum / 10000, 0.5, 4.0 / sqrt (12.0 * 10000));
  g_assert_nonnull (f->pool);
}

/* --- Code made at run time ------------------------------------------------------------------- */

static void
store_output (gpointer data, guint output, WeirNativeValue value)
{
  weir_native_store (data, 1, output, value);
}

/* A number of any kind; those that are none carry what tells them apart. */
static double
any_number (GRand *rand)
{
  static const guint64 special[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000001, 0xfff8000000000002,
    0x7ff0000000000003, 0x0000000000000001, 0x800fffffffffffff, 0x7fefffffffffffff,
  };
  double value;

  if (g_rand_int_range (rand, 0, 3) > 0)
    return g_rand_double_range (rand, -2.0, 2.0);
  memcpy (&value, &special[g_rand_int_range (rand, 0, G_N_ELEMENTS (special))], sizeof value);
  return value;
}

/* Code gives the bits of the interpreter, which of two that are no numbers is handed on included.
 */
static void
test_native (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  guint32 seed = get_test_seed (39);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  enum { N_OUT = 3 };
  WeirOp ops[WEIR_OP_IF - WEIR_OP_NEG + 1];
  const char *asked = g_getenv ("WEIR_FUZZ");
  guint64 n = asked != NULL ? g_ascii_strtoull (asked, NULL, 10) : 1000;

  for (guint i = 0; i < G_N_ELEMENTS (ops); i++)
    ops[i] = (WeirOp) (WEIR_OP_NEG + i);
  for (guint64 k = 0; weir_native_is_on () && k < n; k++)
    {
      WeirNativeBuilder *b = weir_native_builder_new ();
      WeirNativeValue inputs[N_SYMBOLS];
      WeirExpr e[N_OUT];
      g_autofree WeirProgram *program = NULL;
      g_autofree double *work = NULL;
      WeirNativeCode *code;

      for (guint i = 0; i < N_OUT; i++)
        e[i] = random_expression (f->pool, rand, 2 + (guint) (k % 6), ops, G_N_ELEMENTS (ops));
      program = weir_program_new (f->pool, e, N_OUT, f->symbols, N_SYMBOLS);
      work = g_new (double, weir_program_get_work_size (program));
      for (guint i = 0; i < N_SYMBOLS; i++)
        inputs[i] = weir_native_load (b, 0, i);
      g_assert_true (weir_program_build (program, b, inputs, store_output, b));
      code = weir_native_builder_end (b);
      g_assert_nonnull (code);
      for (guint l = 0; l < 60; l++)
        {
          double in[N_SYMBOLS], expected[N_OUT], found[N_OUT];

          for (guint i = 0; i < N_SYMBOLS; i++)
            in[i] = any_number (rand);
          weir_program_execute (program, in, expected, work);
          weir_native_code_get_func (code) (in, found, NULL, NULL, NULL);
          for (guint i = 0; i < N_OUT; i++)
            if (memcmp (&expected[i], &found[i], sizeof (double)) != 0)
              g_error ("%s of %.17g, %.17g, %.17g, %.17g is %.17g, by code %.17g",
                       weir_expr_to_string (f->pool, e[i]), in[0], in[1], in[2], in[3], expected[i],
                       found[i]);
        }
      weir_native_code_free (code);
      weir_native_builder_free (b);
    }
}

/* Along a direction, of programs with choices and fused operations: sums of what dual numbers give
 * for each symbol. */
static void
test_tangents (Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const texts[] = { "x*y + sin (x)*z", "if x > y then x^3 else atan2 (x, y)",
                                       "exp (x*y)/(1 + z^2) - sqrt (x + 4)*y", "mod (x, 2)*y",
                                       "min (x, y)*max (y, z) + hypot (x, y)" };
  const double points[][N_SYMBOLS] = { { 0.7, 0.3, -1.1, 2 }, { -0.4, 0.9, 0.6, 1 } };
  const double direction[N_SYMBOLS] = { 0.5, -2, 3, 1 };

  for (guint k = 0; k < G_N_ELEMENTS (texts); k++)
    {
      WeirExpr e = parse (f, texts[k]);
      g_autofree WeirProgram *program = weir_program_new (f->pool, &e, 1, f->symbols, N_SYMBOLS);
      g_autofree WeirProgram *tangent = weir_program_new_tangent (program, 1);
      g_autofree double *work = g_new (double, weir_program_get_work_size (tangent));

      g_assert_cmpuint (weir_program_get_n_inputs (tangent), ==, 2 * N_SYMBOLS);
      for (guint p = 0; p < G_N_ELEMENTS (points); p++)
        {
          double in[2 * N_SYMBOLS], found, expected = 0;

          memcpy (in, points[p], sizeof points[p]);
          memcpy (in + N_SYMBOLS, direction, sizeof direction);
          weir_program_execute (tangent, in, &found, work);
          for (guint i = 0; i < N_SYMBOLS; i++)
            expected += dual (f, e, points[p], i).slope * direction[i];
          g_assert_cmpfloat_with_epsilon (found, expected, 1e-14 * fmax (fabs (expected), 1));
        }
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function)                                                                        \
  g_test_add ("/equations/program/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("simplify", test_simplify);
  ADD ("simplify-random", test_simplify_random);
  ADD ("derive", test_derive);
  ADD ("random-jacobians", test_random_jacobians);
  ADD ("derivatives-random", test_derivatives);
  ADD ("jacobian", test_jacobian);
  ADD ("evaluate-random", test_evaluate);
  ADD ("powers", test_powers);
  ADD ("shape", test_program_shape);
  ADD ("random", test_random);
  ADD ("tables", test_tables);
  ADD ("slots", test_slots);
  ADD ("tangents", test_tangents);
  ADD ("wide-random", test_wide);
  ADD ("native-random", test_native);
  return g_test_run ();
}

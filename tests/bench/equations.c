/* Rows of the equation language: programs beside the same expressions in C, and the completion
 * of a block of many equations. */
#include "bench.h"

#include <math.h>

#include "equations/compile/equations.h"
#include "equations/programs/program.h"
#include "reference/expression.h"

#define N 4096 /* sets of inputs, so that no branch is learned by heart */

static const struct {
  const char *name, *text;
} expressions[REFERENCE_N_EXPRESSIONS] = {
  { "polynomial", "1 + x*(2 + x*(3 + x*(4 + x*(5 + x*(6 + y*x))))) + y^3 - 2*x*y^2" },
  { "transcendental", "exp(-x^2)*sin(3*y) + log(1 + x^2)/sqrt(1 + y^2)" },
  { "branching", "if x > 0 then (if y > 0.5 then x*y else x - y^2)"
                 " else if y < -0.5 then exp(x) else sin(x*y)" },
};

typedef struct {
  guint which;
  WeirProgram *program;
  WeirProgramWide *wide;
  double *x, *y, *out, *work;
} Expression;

static void
expression_init (Expression *self, guint which)
{
  g_autoptr (WeirExprPool) pool = weir_expr_pool_new ();
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirReport report = { .diagnostics = diagnostics, .path = "", .first_line = 1 };
  WeirExpr inputs[2] = { weir_expr_symbol (pool, "x"), weir_expr_symbol (pool, "y") };
  WeirExpr e = weir_expr_parse (pool, expressions[which].text, &report);
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);

  self->which = which;
  self->program = weir_program_new (pool, &e, 1, inputs, 2);
  self->wide = weir_program_wide_new (self->program);
  self->work = g_new (double, weir_program_get_work_size (self->program));
  self->x = g_new (double, N);
  self->y = g_new (double, N);
  self->out = g_new (double, N);
  for (guint i = 0; i < N; i++)
    {
      self->x[i] = g_rand_double_range (rand, -1.0, 1.0);
      self->y[i] = g_rand_double_range (rand, -1.0, 1.0);
    }
}

static void
expression_clear (Expression *self)
{
  g_free (self->program);
  weir_program_wide_free (self->wide);
  g_free (self->work);
  g_free (self->x);
  g_free (self->y);
  g_free (self->out);
}

static void
run_scalar (gpointer data, guint64 n)
{
  const Expression *e = data;
  double sum = 0.0;

  for (guint64 i = 0; i < n; i++)
    {
      double in[2] = { e->x[i % N], e->y[i % N] }, out;

      weir_program_execute (e->program, in, &out, e->work);
      sum += out;
    }
  bench_sink = sum;
}

static void
run_scalar_reference (gpointer data, guint64 n)
{
  const Expression *e = data;
  double sum = 0.0;

  for (guint64 i = 0; i < n; i++)
    sum += reference_expression (e->which, e->x[i % N], e->y[i % N]);
  bench_sink = sum;
}

static void
run_wide (gpointer data, guint64 n)
{
  const Expression *e = data;
  const WeirProgramColumn in[2] = { { e->x, TRUE }, { e->y, TRUE } };

  for (guint64 i = 0; i < n; i++)
    weir_program_execute_wide (e->program, in, &e->out, N, e->wide);
  bench_sink = e->out[N / 2];
}

static void
run_wide_reference (gpointer data, guint64 n)
{
  const Expression *e = data;

  for (guint64 i = 0; i < n; i++)
    reference_expression_wide (e->which, e->x, e->y, e->out, N);
  bench_sink = e->out[N / 2];
}

/* The worst of the expressions counts. @per: values a repetition computes. */
static void
measure (void (*run) (gpointer, guint64), void (*reference) (gpointer, guint64), double per,
         BenchResult *result)
{
  g_autoptr (GString) note = g_string_new (NULL);
  double worst = 0.0;

  for (guint i = 0; i < REFERENCE_N_EXPRESSIONS; i++)
    {
      Expression e;
      BenchVariant variants[2] = { { run, &e, 0, 0, 0 }, { reference, &e, 0, 0, 0 } };
      double ratio;

      expression_init (&e, i);
      bench_sample (variants, 2);
      ratio = variants[0].median / variants[1].median;
      g_string_append_printf (note, "%s%s %.2f", i > 0 ? ", " : "", expressions[i].name, ratio);
      if (ratio > worst)
        {
          worst = ratio;
          result->value = variants[0].median / per;
          result->reference = variants[1].median / per;
          result->best_value = variants[0].best / per;
          result->best_reference = variants[1].best / per;
        }
      expression_clear (&e);
    }
  result->note = g_string_free (g_steal_pointer (&note), FALSE);
}

static void
measure_scalar (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  measure (run_scalar, run_scalar_reference, 1.0, result);
}

static void
measure_wide (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  measure (run_wide, run_wide_reference, N, result);
}

/* --- Completion of many equations
 * ----------------------------------------------------------------- */

/* Masses between springs, their energies, and a ring of algebraic equations: a third each.
 * Written out line by line and in reverse, so that nothing is in order. */
static char *
make_text (guint n)
{
  GString *text = g_string_new ("parameter k = 3, c = 0.1\noutput total\n");
  guint m = n / 4;

  for (guint i = m; i-- > 0;)
    {
      g_string_append_printf (text, "initial x%u = %g; initial v%u = 0\n", i, 0.1 * i, i);
      g_string_append_printf (text, "e%u ~ v%u^2/2 + k*x%u^2/2%s", i, i, i, i > 0 ? "" : "\n");
      if (i > 0)
        g_string_append_printf (text, " + e%u\n", i - 1);
      g_string_append_printf (text, "a%u ~ k*(x%u - 2*x%u + x%u) - c*v%u\n", i, (i + 1) % m, i,
                              (i + m - 1) % m, i);
      g_string_append_printf (text, "D(v%u) ~ a%u\nD(x%u) ~ v%u\n", i, i, i, i);
    }
  g_string_append_printf (text, "total ~ e%u\n", m - 1);
  return g_string_free (text, FALSE);
}

static void
complete (gpointer data, guint64 n)
{
  for (guint64 i = 0; i < n; i++)
    {
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      WeirReport report = { .diagnostics = diagnostics, .path = "", .first_line = 1 };
      g_autoptr (WeirEquations) equations = weir_equations_new (data, NULL, &report);

      if (equations == NULL)
        g_error ("%s", weir_diagnostics_get (diagnostics, 0)->text);
      bench_sink = equations->blocks->len;
    }
}

static void
measure_completion (const BenchRow *row, BenchResult *result)
{
  g_autofree char *text = make_text (row->size);
  g_autofree char *half = make_text (row->size / 2);
  BenchVariant variants[2] = { { complete, text, 0, 0, 0 }, { complete, half, 0, 0, 0 } };

  bench_sample (variants, 2);
  result->value = variants[0].median * 1e-9;
  result->reference = variants[1].median * 1e-9;
  result->best_value = variants[0].best * 1e-9;
  result->best_reference = variants[1].best * 1e-9;
  result->note = g_strdup_printf ("half as many: %.2f times faster",
                                  variants[0].median / variants[1].median);
}

const BenchRow bench_equations_rows[] = {
  { "program-expr", "compiled equations, one set of inputs", "ns", BENCH_RATIO_AT_MOST, 8.0,
    measure_scalar, 0 },
  { "program-expr-wide", "compiled equations, 256-wide", "ns", BENCH_RATIO_AT_MOST, 2.0,
    measure_wide, 0 },
  { "equations-10k", "read, order and initialise 10 000 equations", "s", BENCH_VALUE_AT_MOST, 1.0,
    measure_completion, 10000 },
  { 0 },
};

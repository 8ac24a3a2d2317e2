/* The Equations block: ports from its text, values against closed forms, and what each value
 * depends on. */
#include "base/diagnostic.h"
#include "block-fixture.h"
#include "system/structure/diagram.h"
#include "system/layout/layout.h"

static Block
make (const char *text)
{
  g_autoptr (WeirArguments) arguments = fixture_arguments ("Equations", PAIRS ("equations", text));
  g_autoptr (GArray) inputs = weir_arguments_list_inputs (arguments);
  g_autofree guint *sizes = g_new0 (guint, inputs->len + 1);

  for (guint i = 0; i < inputs->len; i++)
    sizes[i] = g_array_index (inputs, WeirPortSpec, i).size;
  return block_new ("Equations", PAIRS ("equations", text), sizes);
}

static const double *
eval (Block *block, const char *output)
{
  WeirOutput out;

  g_assert_true (weir_system_find_output (block->system, output, &out));
  return block_eval (block, out.i);
}

static gboolean
feeds_through (Block *block, const char *input, const char *output)
{
  WeirInput in;
  WeirOutput out;

  g_assert_true (weir_system_find_input (block->system, input, &in));
  g_assert_true (weir_system_find_output (block->system, output, &out));
  return weir_system_has_direct_feedthrough (block->system, in, out);
}

static void
test_ports (void)
{
  g_autoptr (WeirArguments) arguments = fixture_arguments (
      "Equations",
      PAIRS ("equations",
             "input u[2], w\noutput z, y\nparameter a = 2\ny ~ a*u\nz ~ w + x\nx ~ 3"));
  g_autoptr (GArray) inputs = weir_arguments_list_inputs (arguments);
  g_autoptr (GArray) outputs = weir_arguments_list_outputs (arguments);
  static const WeirPortSpec wanted_inputs[] = { { "u", 2 }, { "w", 1 } };
  static const WeirPortSpec wanted_outputs[] = { { "z", 1 }, { "y", 2 } };

  g_assert_cmpuint (inputs->len, ==, 2);
  g_assert_cmpuint (outputs->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpstr (g_array_index (inputs, WeirPortSpec, i).name, ==, wanted_inputs[i].name);
      g_assert_cmpuint (g_array_index (inputs, WeirPortSpec, i).size, ==, wanted_inputs[i].size);
      g_assert_cmpstr (g_array_index (outputs, WeirPortSpec, i).name, ==, wanted_outputs[i].name);
      g_assert_cmpuint (g_array_index (outputs, WeirPortSpec, i).size, ==, wanted_outputs[i].size);
    }
}

/* A text with problems keeps its ports and says everything that is wrong. */
static void
test_problems (void)
{
  g_autoptr (WeirArguments) arguments = fixture_arguments (
      "Equations", PAIRS ("equations", "input u\noutput y\ny ~ 2*(u\nz = 3\n"));
  g_autoptr (GArray) inputs = weir_arguments_list_inputs (arguments);
  g_autoptr (GArray) outputs = weir_arguments_list_outputs (arguments);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GError) error = NULL;
  const guint sizes[] = { 1 };

  g_assert_cmpuint (inputs->len, ==, 1);
  g_assert_cmpuint (outputs->len, ==, 1);
  weir_arguments_get_type (arguments)->check (arguments, diagnostics, "plant.law", 7, 12);
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (diagnostics, i);

      g_assert_cmpstr (d->code, ==, "EQ01");
      g_assert_cmpstr (d->path, ==, "plant.law");
      g_assert_cmpint (d->line, ==, 12);
    }
  g_assert_null (weir_arguments_get_type (arguments)->build (arguments, sizes, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
}

static void
test_values (void)
{
  g_auto (Block) block = make ("parameter m = 2, k = 8\n"
                               "input F\n"
                               "m*D(D(x)) ~ F - k*x\n"
                               "initial x = 1; initial D(x) = 0.5\n"
                               "v ~ D(x)\n"
                               "energy ~ m*v^2/2 + k*x^2/2\n"
                               "a ~ D(D(x))\n");
  const double *rates;

  block_fix (&block, 0, 3.0);
  g_assert_cmpfloat (eval (&block, "x")[0], ==, 1.0);
  g_assert_cmpfloat (eval (&block, "v")[0], ==, 0.5);
  g_assert_cmpfloat (eval (&block, "energy")[0], ==, 0.25 + 4.0);
  g_assert_cmpfloat (eval (&block, "a")[0], ==, (3.0 - 8.0) / 2.0);
  rates = weir_eval_derivatives (block.system, block.context);
  g_assert_cmpfloat (rates[0], ==, 0.5);
  g_assert_cmpfloat (rates[1], ==, -2.5);
  block_set_parameter (&block, "k", 2.0);
  g_assert_cmpfloat (eval (&block, "a")[0], ==, 0.5);
  g_assert_cmpfloat (eval (&block, "energy")[0], ==, 0.25 + 1.0);
  /* What the force cannot reach. */
  g_assert_true (feeds_through (&block, "F", "a"));
  g_assert_false (feeds_through (&block, "F", "x"));
  g_assert_false (feeds_through (&block, "F", "energy"));
}

static void
test_solved (void)
{
  g_auto (Block) block = make ("input u = 0\n"
                               "guess y = 1\n"
                               "y + 0.5*sin(y) ~ u + 1\n"
                               "a + b ~ 10*y; a - b ~ 2*u\n");
  double y;

  block_fix (&block, 0, 2.0);
  y = eval (&block, "y")[0];
  g_assert_cmpfloat (fabs (y + 0.5 * sin (y) - 3.0), <=, 1e-14);
  g_assert_cmpfloat (fabs (eval (&block, "a")[0] - (5.0 * y + 2.0)), <=, 1e-13);
  g_assert_cmpfloat (fabs (eval (&block, "b")[0] - (5.0 * y - 2.0)), <=, 1e-13);
}

/* Failures say the line, the operation and its operand. */
static void
test_failures (void)
{
  g_auto (Block) root = make ("input u\ny ~ 1 +\n  sqrt(u)");
  g_auto (Block) circle = make ("input u = 0\nguess y = 1\n0 ~ u^2 + y^2 - 1");
  g_auto (Block) asserted = make ("input u\ny ~ 2*u\nassert u < 3, \"u is too large\"");
  static const char *const messages[] = {
    "Line 2: sqrt(-4) has no value.", "The equations for y (line 3) could not be solved",
    "u is too large (the assertion of line 3 does not hold)."
  };
  Block *blocks[] = { &root, &circle, &asserted };
  const double values[] = { -4.0, 5.0, 3.5 };

  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    {
      block_fix (blocks[i], 0, values[i]);
      g_assert_null (
          weir_eval_output (blocks[i]->system, blocks[i]->context, WEIR_ROOT, (WeirOutput) { 0 }));
      g_assert_nonnull (strstr (weir_context_get_failure (blocks[i]->context), messages[i]));
      block_fix (blocks[i], 0, 0.5);
      block_eval (blocks[i], 0);
    }
}

/* x(k) ~ x(k-1) + x(k-2): Fibonacci's numbers. */
static void
test_ticks (void)
{
  g_auto (Block) block = make ("sample 0.1, 0.2\nx(k) ~ x(k-1) + x(k-2)\ninitial x = 1\ny ~ 10*x");
  static const double expected[] = { 1, 2, 3, 5, 8, 13 };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_assert_cmpfloat (eval (&block, "x")[0], ==, expected[i]);
      g_assert_cmpfloat (eval (&block, "y")[0], ==, 10.0 * expected[i]);
      block_update (&block, i);
    }
}

static void
test_periodic_event (void)
{
  g_auto (Block) block = make ("input u\nwhen every(0.5): n := pre(n) + 2*u\ninitial n = 3\ny ~ n");

  block_fix (&block, 0, 5.0);
  g_assert_cmpfloat (eval (&block, "n")[0], ==, 3.0);
  block_update (&block, 0);
  g_assert_cmpfloat (eval (&block, "n")[0], ==, 13.0);
  g_assert_cmpfloat (eval (&block, "y")[0], ==, 13.0);
}

/* The order of lines changes no bit, and neither does the order of evaluation. */
static void
test_same_bits (void)
{
  g_auto (Block) a = make ("parameter p = 0.3\ninput u\nD(x) ~ sin(y) - x*p\ny ~ x + z/3\n"
                           "z ~ 0.1*y^2 + u\ninitial x = 0.7\nguess y = 0; guess z = 0\n");
  g_auto (Block) b = make ("guess z = 0\ninitial x = 0.7\nz ~ 0.1*y^2 + u\nguess y = 0\n"
                           "D(x) ~ sin(y) - x*p\ny ~ x + z/3\nparameter p = 0.3\ninput u\n");

  for (guint i = 0; i < 50; i++)
    {
      double u = -1.0 + 0.05 * i;
      const double *rates[2];

      block_fix (&a, 0, u);
      block_fix (&b, 0, u);
      rates[0] = weir_eval_derivatives (a.system, a.context);
      rates[1] = weir_eval_derivatives (b.system, b.context);
      g_assert_cmpmem (rates[0], sizeof (double), rates[1], sizeof (double));
      g_assert_cmpmem (eval (&a, "y"), sizeof (double), eval (&b, "y"), sizeof (double));
      g_assert_cmpmem (eval (&a, "z"), sizeof (double), eval (&b, "z"), sizeof (double));
    }
}

/* Values that depend on the same sources share one entry; others have their own. */
static void
test_entries (void)
{
  g_auto (Block) block = make ("input u, w\noutput y\nparameter a = 1\n"
                               "p ~ a*u; q ~ p + 2*u; r ~ q*w; y ~ p + q + r\n");
  WeirLayout *layout = weir_system_get_layout (block.system);
  guint n_values = 0;

  for (guint32 e = 0; e < weir_layout_get_n_entries (layout); e++)
    n_values += g_str_has_prefix (weir_layout_get_entry (layout, (WeirEntry) { e }).name, "values");
  g_assert_cmpuint (n_values, ==, 2); /* p, q of a and u; r, y of w too */
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/equations/ports", test_ports);
  g_test_add_func ("/blocks/equations/problems", test_problems);
  g_test_add_func ("/blocks/equations/values", test_values);
  g_test_add_func ("/blocks/equations/solved", test_solved);
  g_test_add_func ("/blocks/equations/failures", test_failures);
  g_test_add_func ("/blocks/equations/ticks", test_ticks);
  g_test_add_func ("/blocks/equations/periodic-event", test_periodic_event);
  g_test_add_func ("/blocks/equations/same-bits", test_same_bits);
  g_test_add_func ("/blocks/equations/entries", test_entries);
  return g_test_run ();
}

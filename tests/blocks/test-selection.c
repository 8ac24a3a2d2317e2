/* Blocks that choose and combine values: the table of two inputs, the switch with many, rounding,
 * products of vectors. */
#include "run-fixture.h"

#define ROUNDING (8 * DBL_EPSILON)

#define ROWS "[-1, 0, 2]"
#define COLUMNS "[0, 1, 4, 5]"

/* At the points of the grid. */
static double
bilinear (double x, double y)
{
  return 2 + 3 * x - y + 0.5 * x * y;
}

static double
steps (double x, double y)
{
  return 100 * x + y;
}

/* A table of @surface at the points above. (transfer full) */
static char *
tabulate (double (*surface) (double x, double y))
{
  static const double rows[] = { -1, 0, 2 }, columns[] = { 0, 1, 4, 5 };
  GString *text = g_string_new ("[");

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint k = 0; k < G_N_ELEMENTS (columns); k++)
      {
        char number[G_ASCII_DTOSTR_BUF_SIZE];

        g_string_append (text,
                         g_ascii_dtostr (number, sizeof number, surface (rows[i], columns[k])));
        g_string_append (text, k + 1 < G_N_ELEMENTS (columns) ? ", "
                               : i + 1 < G_N_ELEMENTS (rows)  ? "; "
                                                              : "]");
      }
  return g_string_free (text, FALSE);
}

static Block
table (double (*surface) (double x, double y), const char *interpolation, const char *extrapolation,
       guint n_rows, guint n_columns)
{
  g_autofree char *values = tabulate (surface);

  return block_new ("LookupTable2D",
                    PAIRS ("rows", ROWS, "columns", COLUMNS, "values", values, "interpolation",
                           interpolation, "extrapolation", extrapolation),
                    (const guint[]) { n_rows, n_columns });
}

static double
look_up (Block *block, double x, double y)
{
  block_fix (block, 0, x);
  block_fix (block, 1, y);
  return block_eval (block, 0)[0];
}

/* A bilinear function is its own interpolation on any grid, and goes on as itself outside; held, it
 * is that of the nearest point. */
static void
test_bilinear (void)
{
  g_auto (Block) line = table (bilinear, "linear", "linear", 1, 1);
  g_auto (Block) held = table (bilinear, "linear", "hold", 1, 1);

  for (double x = -3; x <= 4; x += 0.25)
    for (double y = -2; y <= 7; y += 0.25)
      {
        g_assert_cmpfloat_with_epsilon (look_up (&line, x, y), bilinear (x, y), 64 * ROUNDING);
        g_assert_cmpfloat_with_epsilon (
            look_up (&held, x, y), bilinear (CLAMP (x, -1, 2), CLAMP (y, 0, 5)), 16 * ROUNDING);
      }
}

/* Points belong to the pieces that they begin. */
static void
test_previous (void)
{
  g_auto (Block) block = table (steps, "previous", "hold", 1, 1);
  static const struct {
    double x, y, value;
  } cases[] = {
    { -2, -1, -100 }, { -1, 0, -100 }, { -0.25, 0.75, -100 }, { 0, 1, 1 },    { 0, 3.75, 1 },
    { 1.75, 4.5, 4 }, { 2, 5, 205 },   { 9, 9, 205 },         { -9, 4, -96 }, { 2, 0.5, 200 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpfloat (look_up (&block, cases[i].x, cases[i].y), ==, cases[i].value);
}

/* One column for three rows. */
static void
test_spread (void)
{
  g_auto (Block) block = table (bilinear, "linear", "hold", 3, 1);
  const double x[] = { -1, 1, 1.5 };

  weir_context_fix_input (block.context, WEIR_ROOT, (WeirInput) { 0 }, x);
  block_fix (&block, 1, 2);
  for (guint i = 0; i < G_N_ELEMENTS (x); i++)
    g_assert_cmpfloat_with_epsilon (block_eval (&block, 0)[i], bilinear (x[i], 2), 16 * ROUNDING);
}

/* Along x = t - 1, y = 2 t: kinks and jumps end steps, so that the areas are exact. The steps at x
 * = 0 (t = 1) and 2, y = 1 (t = 1/2), 4 (t = 2) and 5 (t = 5/2); of the quadratic pieces of the
 * other surface Simpson's rule is exact. */
static void
test_in_run (gconstpointer solver)
{
  g_autofree char *stairs = tabulate (steps);
  g_autofree char *surface = tabulate (bilinear);
  double exact = -100 * 0.5 + -99 * 0.5 + 1 * 1 + 4 * 0.5 + 5 * 0.25, area = 0;
  Run run = { NULL };

  for (guint i = 0; i < 11; i++)
    {
      double t = 0.25 * i, mid = t + 0.125, end = t + 0.25;

      area += 0.25 / 6
              * (bilinear (t - 1, MIN (2 * t, 5)) + 4 * bilinear (mid - 1, MIN (2 * mid, 5))
                 + bilinear (end - 1, MIN (2 * end, 5)));
    }
  add (&run, "Time", "Clock", NULL);
  add (&run, "X", "Bias", PAIRS ("bias", "-1"));
  add (&run, "Y", "Gain", PAIRS ("gain", "2"));
  add (&run, "Stairs", "LookupTable2D",
       PAIRS ("rows", ROWS, "columns", COLUMNS, "values", stairs, "interpolation", "previous"));
  add (&run, "Surface", "LookupTable2D",
       PAIRS ("rows", ROWS, "columns", COLUMNS, "values", surface));
  add (&run, "A", "Integrator", NULL);
  add (&run, "B", "Integrator", NULL);
  wire (&run, "Time", "y", "X", "u");
  wire (&run, "Time", "y", "Y", "u");
  wire (&run, "X", "y", "Stairs", "row");
  wire (&run, "Y", "y", "Stairs", "column");
  wire (&run, "X", "y", "Surface", "row");
  wire (&run, "Y", "y", "Surface", "column");
  wire (&run, "Stairs", "y", "A", "u");
  wire (&run, "Surface", "y", "B", "u");
  start (&run, solver);
  advance (&run, 2.75);
  g_assert_cmpfloat_with_epsilon (value (&run, "A"), exact, 1e-7);
  g_assert_cmpfloat_with_epsilon (value (&run, "B"), area, 1e-7);
  run_clear (&run);
}

static void
test_bad_tables (void)
{
  static const struct {
    const char *rows, *columns, *sentence;
  } cases[] = {
    { "[0, 1]", "[0, 1, 2]",
      "There are 2 row points and 3 column points, but the values have 2 rows and 2 columns." },
    { "[0, 0]", "[0, 1]",
      "Row point 2 is 0, which is not above row point 1, 0; row points must "
      "ascend." },
    { "[0, 1]", "[1, 0]",
      "Column point 2 is 0, which is not above column point 1, 1; column "
      "points must ascend." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirArguments) arguments = fixture_arguments (
          "LookupTable2D",
          PAIRS ("rows", cases[i].rows, "columns", cases[i].columns, "values", "[1, 2; 3, 4]"));
      g_autoptr (GError) error = NULL;

      g_assert_null (
          weir_arguments_get_type (arguments)->build (arguments, (const guint[]) { 1, 1 }, &error));
      g_assert_cmpstr (error->message, ==, cases[i].sentence);
    }
}

/* --- Multiport switch ------------------------------------------------------------------------ */

/* By the time: the first input to 1/2, the second to 3/2, then the third. */
static void
test_switch_in_run (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "Time", "Clock", NULL);
  add (&run, "One", "Constant", PAIRS ("value", "1"));
  add (&run, "Two", "Constant", PAIRS ("value", "2"));
  add (&run, "Four", "Constant", PAIRS ("value", "4"));
  {
    g_autoptr (WeirSystem)
        leaf = fixture_build ("MultiportSwitch", NULL, (const guint[]) { 1, 1, 1, 1 });

    weir_diagram_builder_add (run.builder, "Switch", leaf);
  }
  add (&run, "Area", "Integrator", NULL);
  wire (&run, "Time", "y", "Switch", "control");
  wire (&run, "One", "y", "Switch", "in1");
  wire (&run, "Two", "y", "Switch", "in2");
  wire (&run, "Four", "y", "Switch", "in3");
  wire (&run, "Switch", "y", "Area", "u");
  start (&run, solver);
  advance (&run, 4);
  g_assert_cmpfloat_with_epsilon (value (&run, "Area"), 0.5 + 2 + 4 * 2.5, 1e-9);
  run_clear (&run);
}

/* Only the input that passes is asked for: the others are neither connected nor fixed. */
static void
test_switch_is_lazy (void)
{
  g_auto (Block) block = block_new ("MultiportSwitch", PAIRS ("base", "1", "inputs", "4"),
                                    (const guint[]) { 1, 1, 2, 1, 1 });
  const double wide[] = { 7, 8 };

  weir_context_fix_input (block.context, WEIR_ROOT, (WeirInput) { 2 }, wide);
  block_fix (&block, 0, 2);
  g_assert_cmpfloat (block_eval (&block, 0)[0], ==, 7);
  g_assert_cmpfloat (block_eval (&block, 0)[1], ==, 8);
  block_fix (&block, 4, 3);
  block_fix (&block, 0, 99);
  g_assert_cmpfloat (block_eval (&block, 0)[0], ==, 3);
  g_assert_cmpfloat (block_eval (&block, 0)[1], ==, 3);
}

static void
test_switch_refuses (void)
{
  g_auto (Block) block = block_new ("MultiportSwitch", PAIRS ("outside", "refuse"),
                                    (const guint[]) { 1, 1, 1, 1 });

  block_fix (&block, 0, 2.5);
  g_assert_null (weir_eval_output (block.system, block.context, WEIR_ROOT, (WeirOutput) { 0 }));
  g_assert_nonnull (strstr (weir_context_get_failure (block.context),
                            "The control is 2.5, but the inputs have the numbers 0 to 2."));
}

/* --- Rounding -------------------------------------------------------------------------------- */

static void
test_rounding (void)
{
  static const char *const names[] = { "nearest", "down", "up", "toward-zero" };
  static const struct {
    double u, rounded[4], modulo, remainder;
  } cases[] = {
    { 0, { 0, 0, 0, 0 }, 0, 0 },
    { 0.75, { 1, 0.5, 1, 0.5 }, 0.25, 0.25 },
    { 0.25, { 0.5, 0, 0.5, 0 }, 0.25, 0.25 },
    { -0.125, { 0, -0.5, 0, 0 }, 0.375, -0.125 },
    { -0.75, { -0.5, -1, -0.5, -0.5 }, 0.25, -0.25 },
    { -1, { -1, -1, -1, -1 }, 0, 0 },
    { 2.375, { 2.5, 2, 2.5, 2 }, 0.375, 0.375 },
  };

  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    {
      g_auto (Block)
          block = block_new ("Quantizer", PAIRS ("rounding", names[k]), (const guint[]) { 1 });

      for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
        {
          block_fix (&block, 0, cases[i].u);
          g_assert_cmpfloat (block_eval (&block, 0)[0], ==, cases[i].rounded[k]);
        }
    }
  for (guint k = 0; k < 2; k++)
    {
      g_auto (Block) block = block_new (
          "Modulo", PAIRS ("modulus", "0.5", "result", k == 0 ? "modulo" : "remainder"),
          (const guint[]) { 1 });

      for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
        {
          block_fix (&block, 0, cases[i].u);
          g_assert_cmpfloat (block_eval (&block, 0)[0], ==,
                             k == 0 ? cases[i].modulo : cases[i].remainder);
        }
    }
}

/* Of t - 1 modulo 1/2 the area is a triangle of 1/8 every half second; of the remainder, the first
 * two are below zero. Of the levels below, the area is that of -1, -1/2, 0 and 1/2. */
static void
test_rounding_in_run (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "Time", "Clock", NULL);
  add (&run, "X", "Bias", PAIRS ("bias", "-1"));
  add (&run, "Modulo", "Modulo", PAIRS ("modulus", "0.5"));
  add (&run, "Rest", "Modulo", PAIRS ("modulus", "0.5", "result", "remainder"));
  add (&run, "Below", "Quantizer", PAIRS ("rounding", "down"));
  add (&run, "Above", "Quantizer", PAIRS ("rounding", "up"));
  add (&run, "A", "Integrator", NULL);
  add (&run, "B", "Integrator", NULL);
  add (&run, "C", "Integrator", NULL);
  add (&run, "D", "Integrator", NULL);
  wire (&run, "Time", "y", "X", "u");
  wire (&run, "X", "y", "Modulo", "u");
  wire (&run, "X", "y", "Rest", "u");
  wire (&run, "X", "y", "Below", "u");
  wire (&run, "X", "y", "Above", "u");
  wire (&run, "Modulo", "y", "A", "u");
  wire (&run, "Rest", "y", "B", "u");
  wire (&run, "Below", "y", "C", "u");
  wire (&run, "Above", "y", "D", "u");
  start (&run, solver);
  advance (&run, 2);
  g_assert_cmpfloat_with_epsilon (value (&run, "A"), 0.5, 1e-8);
  g_assert_cmpfloat_with_epsilon (value (&run, "B"), 0, 1e-8);
  g_assert_cmpfloat_with_epsilon (value (&run, "C"), -0.5, 1e-8);
  g_assert_cmpfloat_with_epsilon (value (&run, "D"), 0.5, 1e-8);
  run_clear (&run);
}

/* --- Products of vectors --------------------------------------------------------------------- */

/* (1, 2, 3) x (4, 5, 6) = (-3, 6, -3). */
static void
test_products (void)
{
  const double a[] = { 1, 2, 3 }, b[] = { 4, 5, 6 }, cross[] = { -3, 6, -3 }, image[] = { 5, 9 };
  g_auto (Block) product = block_new ("CrossProduct", NULL, (const guint[]) { 3, 3 });
  g_auto (Block) matrix = block_new ("MatrixGain", PAIRS ("gain", "[1, 2, 0; 0, 0, 3]"),
                                     (const guint[]) { 3 });

  weir_context_fix_input (product.context, WEIR_ROOT, (WeirInput) { 0 }, a);
  weir_context_fix_input (product.context, WEIR_ROOT, (WeirInput) { 1 }, b);
  g_assert_cmpmem (block_eval (&product, 0), sizeof cross, cross, sizeof cross);
  weir_context_fix_input (matrix.context, WEIR_ROOT, (WeirInput) { 0 }, a);
  g_assert_cmpmem (block_eval (&matrix, 0), sizeof image, image, sizeof image);
}

int
main (int argc, char **argv)
{
  static const char *const solvers[] = { "auto", "bogacki-shampine", "cvode-adams", "cvode-bdf" };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/selection/bilinear", test_bilinear);
  g_test_add_func ("/blocks/selection/previous", test_previous);
  g_test_add_func ("/blocks/selection/spread", test_spread);
  g_test_add_func ("/blocks/selection/bad-tables", test_bad_tables);
  for (guint k = 0; k < G_N_ELEMENTS (solvers); k++)
    {
      g_autofree char *tables = g_strdup_printf ("/blocks/selection/tables/%s", solvers[k]);
      g_autofree char *rounding = g_strdup_printf ("/blocks/selection/rounding/%s", solvers[k]);
      g_autofree char *switches = g_strdup_printf ("/blocks/selection/switch/%s", solvers[k]);

      g_test_add_data_func (tables, solvers[k], test_in_run);
      g_test_add_data_func (rounding, solvers[k], test_rounding_in_run);
      g_test_add_data_func (switches, solvers[k], test_switch_in_run);
    }
  g_test_add_func ("/blocks/selection/rounding", test_rounding);
  g_test_add_func ("/blocks/selection/switch-is-lazy", test_switch_is_lazy);
  g_test_add_func ("/blocks/selection/switch-refuses", test_switch_refuses);
  g_test_add_func ("/blocks/selection/products", test_products);
  return g_test_run ();
}

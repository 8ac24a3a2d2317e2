/* Functions of one and several inputs, tables, and tables from files. */
#include <glib/gstdio.h>

#include "run-fixture.h"

/* --- Functions ------------------------------------------------------------------------------- */

static void
test_functions (void)
{
  static const struct {
    const char *name;
    double u, y;
  } cases[] = {
    { "exp", 1, G_E },       { "log", G_E, 1 },       { "log10", 1000, 3 },
    { "sqrt", 9, 3 },        { "square", -3, 9 },     { "reciprocal", 4, .25 },
    { "sin", G_PI_2, 1 },    { "cos", G_PI, -1 },     { "tan", G_PI_4, 1 },
    { "asin", 1, G_PI_2 },   { "acos", -1, G_PI },    { "atan", 1, G_PI_4 },
    { "sinh", G_LN2, 0.75 }, { "cosh", G_LN2, 1.25 }, { "tanh", G_LN2, 0.6 },
  };
  g_auto (Block) power = block_new ("Power", PAIRS ("exponent", "0.5"), SCALAR);
  g_auto (Block) angle = block_new ("Atan2", NULL, (const guint[]) { 1, 1 });

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Block) block = block_new ("Function", PAIRS ("function", cases[i].name), SCALAR);

      g_assert_cmpfloat_with_epsilon (of (&block, cases[i].u), cases[i].y, ROUNDING);
    }
  g_assert_cmpfloat (of (&power, 2.25), ==, 1.5);
  block_fix (&angle, 1, -1);
  g_assert_cmpfloat_with_epsilon (of (&angle, -1), -0.75 * G_PI, ROUNDING);
}

static void
test_min_max (void)
{
  const guint sizes[] = { 2, 1, 2 };
  g_auto (Block) least = block_new ("MinMax", PAIRS ("inputs", "3"), sizes);
  g_auto (Block)
      greatest = block_new ("MinMax", PAIRS ("inputs", "3", "operation", "maximum"), sizes);
  Block *both[] = { &least, &greatest };

  for (guint i = 0; i < 2; i++)
    {
      weir_context_fix_input (both[i]->context, WEIR_ROOT, (WeirInput) { 0 },
                              (const double[]) { 1, 5 });
      weir_context_fix_input (both[i]->context, WEIR_ROOT, (WeirInput) { 1 },
                              (const double[]) { 2 });
      weir_context_fix_input (both[i]->context, WEIR_ROOT, (WeirInput) { 2 },
                              (const double[]) { 3, 4 });
    }
  g_assert_cmpfloat (block_eval (&least, 0)[0], ==, 1);
  g_assert_cmpfloat (block_eval (&least, 0)[1], ==, 2);
  g_assert_cmpfloat (block_eval (&greatest, 0)[0], ==, 3);
  g_assert_cmpfloat (block_eval (&greatest, 0)[1], ==, 5);
}

/* Every row of every truth table of two inputs; what is not 0 is true. */
static void
test_logic (void)
{
  static const struct {
    const char *operation;
    double y[4]; /* of 00, 01, 10, 11 */
  } cases[] = {
    { "and", { 0, 0, 0, 1 } },  { "or", { 0, 1, 1, 1 } },  { "xor", { 0, 1, 1, 0 } },
    { "nand", { 1, 1, 1, 0 } }, { "nor", { 1, 0, 0, 0 } },
  };
  g_auto (Block) inverter = block_new ("Logic", PAIRS ("operation", "not"), SCALAR);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Block) block = block_new ("Logic", PAIRS ("operation", cases[i].operation),
                                        (const guint[]) { 1, 1 });

      for (guint k = 0; k < 4; k++)
        {
          block_fix (&block, 0, k / 2 * -2.5);
          block_fix (&block, 1, k % 2);
          g_assert_cmpfloat (block_eval (&block, 0)[0], ==, cases[i].y[k]);
        }
    }
  g_assert_cmpfloat (of (&inverter, 0), ==, 1);
  g_assert_cmpfloat (of (&inverter, 0.1), ==, 0);
}

/* --- Tables ---------------------------------------------------------------------------------- */

static void
test_tables (void)
{
  const char *const points = "[-1, 0, 2]", *const values = "[1, 3, -1]";
  static const struct {
    const char *interpolation, *extrapolation;
    double u[7], y[7];
  } cases[] = {
    { "linear", "hold", { -2, -1, -0.5, 0, 1, 2, 3 }, { 1, 1, 2, 3, 1, -1, -1 } },
    { "linear", "linear", { -2, -1, -0.5, 0, 1, 2, 3 }, { -1, 1, 2, 3, 1, -1, -3 } },
    { "previous", "hold", { -2, -1, -0.5, 0, 1, 2, 3 }, { 1, 1, 1, 3, 3, -1, -1 } },
  };
  /* Of the straight line 2 u + 1 a smooth table is that line, wherever the points are. */
  g_auto (Block)
      line = block_new ("LookupTable",
                        PAIRS ("points", "[-1, 0.5, 0.75, 4]", "values", "[-1, 2, 2.5, 9]",
                               "interpolation", "smooth", "extrapolation", "linear"),
                        SCALAR);
  g_auto (Block) smooth = block_new (
      "LookupTable",
      PAIRS ("points", "[0, 1, 2, 3]", "values", "[0, 0, 1, 1]", "interpolation", "smooth"),
      SCALAR);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Block) block = block_new ("LookupTable",
                                        PAIRS ("points", points, "values", values, "interpolation",
                                               cases[i].interpolation, "extrapolation",
                                               cases[i].extrapolation),
                                        SCALAR);

      for (guint k = 0; k < 7; k++)
        g_assert_cmpfloat (of (&block, cases[i].u[k]), ==, cases[i].y[k]);
    }
  for (double u = -3; u < 6; u += 0.125)
    g_assert_cmpfloat_with_epsilon (of (&line, u), 2 * u + 1, 4 * ROUNDING);
  /* No overshoot: flat, the cubic 3 s^2 - 2 s^3 between slopes of 0, flat. */
  for (double u = 0; u < 3; u += 0.0625)
    {
      double s = CLAMP (u - 1, 0, 1);

      g_assert_cmpfloat_with_epsilon (of (&smooth, u), s * s * (3 - 2 * s), 4 * ROUNDING);
    }
}

/* --- Files ----------------------------------------------------------------------------------- */

/* A file of @text; its name. (transfer full) */
static char *
write_file (const char *text)
{
  g_autoptr (GError) error = NULL;
  char *name;
  int descriptor = g_file_open_tmp ("weir-XXXXXX.csv", &name, &error);

  g_assert_no_error (error);
  g_close (descriptor, NULL);
  g_file_set_contents (name, text, -1, &error);
  g_assert_no_error (error);
  return name;
}

/* Headers, each kind of separator, line ends of three kinds, empty lines, decimal commas, the mark
 * of UTF-8. */
static void
test_from_file (void)
{
  static const char *const texts[] = {
    "time,a,b\n0,1,10\n1,3,20\n3,-1,20\n",
    "0; 1; 10\r\n1; 3; 20\r\n\r\n3; -1; 20",
    "0\t1\t10\n1\t3\t 20\n3\t-1\t20\n\n",
    " 0 1  10\n1\t3 20 \n\n3 -1 20",
    "0,1,10\r1,3,20\r\r3,-1,20\r",
    "\xef\xbb\xbf"
    "0,1,10\n1,3,20\n3,-1,20\n",
    "\xef\xbb\xbf"
    "\"t\", \"a [m/s]\", b\n0, 1, 10\n1.0, +3., 2e1\n3, -1, .2E+2\n",
    "time;sensor 1;sensor 2\n0;1,0;10\n1;3;20,0\n3;-1;20\n",
    "0,0 1 10\n1 3 20\n3 -1 20,00\n",
    "t a b\n0 1.0 10\n1 3 20\n3 -1 20\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *name = write_file (texts[i]);
      g_auto (Block) both = block_new ("FromFile", PAIRS ("file", name, "columns", "[2, 1]"), NULL);
      g_auto (Block)
          first = block_new ("FromFile", PAIRS ("file", name, "interpolation", "previous"), NULL);

      weir_context_set_time (both.context, 0.5);
      g_assert_cmpfloat (block_eval (&both, 0)[0], ==, 15);
      g_assert_cmpfloat (block_eval (&both, 0)[1], ==, 2);
      g_assert_cmpfloat (block_at (&first, 2.5), ==, 3);
      g_assert_cmpfloat (block_at (&first, 9), ==, -1);
      g_unlink (name);
    }
}

static void
test_bad_files (void)
{
  static const struct {
    const char *text, *sentence;
  } cases[] = {
    { "0,1\n2,2\n1,3\n",
      ", line 3, column 1: the time 1 is not above the one before, 2; times must ascend." },
    { "0,1\nsoon,2\n", ", line 2, column 1: \"soon\" is not a number." },
    { "0,1\n1, nan\n", ", line 2, column 4: \"nan\" is not a finite number; leave such rows out." },
    { "0,-inf\n1,2\n",
      ", line 1, column 3: \"-inf\" is not a finite number; leave such rows out." },
    { "inf,nan\n1,2\n",
      ", line 1, column 1: \"inf\" is not a finite number; leave such rows out." },
    { "0,1\n1,1e999\n", ", line 2, column 3: the number is too large." },
    { "0x0,0x10\n1,2\n", ", line 1, column 1: \"0x0\" is hexadecimal; write a decimal number." },
    { "0,1\n1,-0X1p3\n", ", line 2, column 3: \"-0X1p3\" is hexadecimal; write a decimal number." },
    { "0,1.5x\n1,2\n", ", line 1, column 3: \"1.5x\" is not a number with a decimal point." },
    { "0;1,5\n1;2.5\n", ", line 2, column 3: \"2.5\" is not a number with a decimal comma." },
    { "0;1.234,5\n", ", line 1, column 3: \"1.234,5\" is not a number with a decimal point." },
    { "0,1,2\n1,2\n", ", line 2, column 4: there are 2 numbers where the first row has 3." },
    { "0,1\r\n1,2,3\r\n",
      ", line 2, column 5: there are more numbers than the 2 of the first row." },
    { "0,1\r1,,2\r", ", line 2, column 3: a number is missing." },
    { "0,1,\n", ", line 1, column 5: a number is missing." },
    { "0,1\n1,2 3\n", ", line 2, column 3: \"2 3\" is not a number." },
    { "0,1\n1,2e\n", ", line 2, column 3: \"2e\" is not a number." },
    { "\xff\xfe"
      "0,1\n",
      ": the text is in UTF-16; save it in UTF-8." },
    { "0\n1\n", ", line 1, column 2: column 1 is chosen, but there are 0 after the time." },
    { "time,value\n", ": there is no row of numbers." },
    { "", ": there is no row of numbers." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = write_file (cases[i].text);
      g_autofree char *expected = g_strconcat (name, cases[i].sentence, NULL);
      g_autoptr (WeirArguments) arguments = fixture_arguments ("FromFile", PAIRS ("file", name));
      g_autoptr (GError) error = NULL;

      g_assert_null (weir_arguments_get_type (arguments)->build (arguments, NULL, &error));
      g_assert_cmpstr (error->message, ==, expected);
      g_unlink (name);
    }
}

/* A byte of a text that is 0 is neither its end nor passed over. */
static void
test_zero_byte (void)
{
  static const char text[] = "0,1\n1,2\0,3\n2,5\n";
  g_autofree char *name = write_file ("");
  g_autoptr (WeirArguments) arguments = fixture_arguments ("FromFile", PAIRS ("file", name));
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (name, text, sizeof text - 1, NULL));
  g_assert_null (weir_arguments_get_type (arguments)->build (arguments, NULL, &error));
  g_assert_nonnull (strstr (error->message, ", line 2, column 4: a byte is 0"));
  g_unlink (name);
}

/* What was found by rule is told, unless it is what everybody expects. */
static void
test_note (void)
{
  static const struct {
    const char *text, *note;
  } cases[] = {
    { "0,1\n1,2\n", NULL },
    { "t;x\n0;1,5\n1;2\n",
      "2 rows of 2 numbers parted by semicolons, with decimal commas, below a header." },
    { "0 1,5 2\n", "1 rows of 3 numbers parted by blanks, with decimal commas." },
    { "0\t1.5\n", "1 rows of 2 numbers parted by tabs, with decimal points." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = write_file (cases[i].text);
      g_autoptr (WeirMessage) note = NULL;
      g_autoptr (WeirArguments) arguments = fixture_arguments ("FromFile", PAIRS ("file", name));
      g_autoptr (WeirSystem) system = weir_arguments_get_type (arguments)->build_beside (
          arguments, NULL, NULL, &note, NULL);

      g_assert_nonnull (system);
      g_assert_true (cases[i].note == NULL
                         ? note == NULL
                         : g_str_has_suffix (weir_message_get_text (note), cases[i].note));
      g_unlink (name);
    }
}

/* The kinks of a table end steps: x' = table (t) over a ramp is integrated exactly. */
static void
test_table_in_run (void)
{
  Run run = { NULL };

  add (&run, "Ramp", "Ramp", NULL);
  add (&run, "Table", "LookupTable",
       PAIRS ("points", "[0.31, 1.17, 2]", "values", "[1, 3, -1]", "interpolation", "previous"));
  add (&run, "Integral", "Integrator", NULL);
  wire (&run, "Ramp", "y", "Table", "u");
  wire (&run, "Table", "y", "Integral", "u");
  start (&run, NULL);
  advance (&run, 3);
  g_assert_cmpfloat_with_epsilon (value (&run, "Integral"), 1.17 + 0.83 * 3 - 1, 1e-11);
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/functions/functions", test_functions);
  g_test_add_func ("/blocks/functions/min-max", test_min_max);
  g_test_add_func ("/blocks/functions/logic", test_logic);
  g_test_add_func ("/blocks/functions/tables", test_tables);
  g_test_add_func ("/blocks/functions/from-file", test_from_file);
  g_test_add_func ("/blocks/functions/bad-files", test_bad_files);
  g_test_add_func ("/blocks/functions/zero-byte", test_zero_byte);
  g_test_add_func ("/blocks/functions/note", test_note);
  g_test_add_func ("/blocks/functions/table-in-run", test_table_in_run);
  return g_test_run ();
}

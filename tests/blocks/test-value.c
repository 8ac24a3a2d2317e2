/* Parameter texts: numbers and vectors, read and written. */
#include <locale.h>

#include "../seeds.h"
#include "block-fixture.h"

static void
test_parse (void)
{
  static const struct {
    const char *text;
    guint size;
    double value[3];
  } cases[] = {
    { "2.5", 1, { 2.5 } },         { " -3 ", 1, { -3 } },
    { "+1e-3", 1, { 1e-3 } },      { ".5", 1, { 0.5 } },
    { "-inf", 1, { -INFINITY } },  { "[1, 2, 3]", 3, { 1, 2, 3 } },
    { "[1 2 3]", 3, { 1, 2, 3 } }, { "[ 1,2 ,-3e2 ]", 3, { 1, 2, -300 } },
    { "[7]", 1, { 7 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      guint size;
      g_autofree double *value = weir_value_parse (cases[i].text, &size, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (size, ==, cases[i].size);
      g_assert_cmpmem (value, size * sizeof *value, cases[i].value, size * sizeof *value);
    }
}

static void
test_refuse (void)
{
  static const struct {
    const char *text, *sentence;
  } cases[] = {
    { "", "A number is missing." },
    { "  ", "A number is missing." },
    { "abc", "\"abc\" is not a number." },
    { "nan", "\"nan\" is not a number." },
    { "0x10", "\"0x10\" is not a number." },
    { "1 2", "\"1 2\" is not a number." },
    { "1e", "\"1e\" is not a number." },
    { "--1", "\"--1\" is not a number." },
    { "0,5", "\"0,5\" is not a number; write a decimal point, and a vector as [1, 2]." },
    { "[]", "\"[]\" is not a vector such as [1, 2.5, -3]." },
    { "[1, 2", "\"[1, 2\" is not a vector such as [1, 2.5, -3]." },
    { "[1,]", "\"[1,]\" is not a vector such as [1, 2.5, -3]." },
    { "[1] 2", "\"[1] 2\" is not a vector such as [1, 2.5, -3]." },
    { "[1;2]", "\"[1;2]\" is not a vector such as [1, 2.5, -3]." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      guint size;

      g_assert_null (weir_value_parse (cases[i].text, &size, &error));
      g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
      g_assert_cmpstr (error->message, ==, cases[i].sentence);
    }
}

static void
test_write (void)
{
  static const struct {
    double value[3];
    guint size;
    const char *text;
  } cases[] = {
    { { 2.5 }, 1, "2.5" },
    { { 0.1 }, 1, "0.1" },
    { { 1.0 / 3 }, 1, "0.3333333333333333" },
    { { 1e300 }, 1, "1e+300" },
    { { 1, -2, 0.5 }, 3, "[1, -2, 0.5]" },
    { { -INFINITY }, 1, "-inf" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = weir_value_to_string (cases[i].value, cases[i].size);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* Random bit patterns come back as they were. */
static void
test_round_trip (void)
{
  get_test_seed (65);
  for (guint i = 0; i < 20000; i++)
    {
      guint64 bits = (guint64) g_rand_int (test_rand) << 32 | (guint32) g_rand_int (test_rand);
      g_autofree double *back = NULL;
      g_autofree char *text = NULL;
      double value;
      guint size;

      memcpy (&value, &bits, sizeof value);
      if (isnan (value))
        continue;
      text = weir_value_to_string (&value, 1);
      back = weir_value_parse (text, &size, NULL);
      g_assert_nonnull (back);
      g_assert_cmpmem (back, sizeof value, &value, sizeof value);
    }
}

/* The user's decimal comma changes neither reading nor writing. */
static void
test_locale (void)
{
  const double half = 0.5;
  g_autofree char *text = NULL;
  g_autofree double *value = NULL;
  guint size;

  if (setlocale (LC_ALL, "de_DE.UTF-8") == NULL)
    {
      g_test_skip ("The locale de_DE.UTF-8 is not installed.");
      return;
    }
  text = weir_value_to_string (&half, 1);
  value = weir_value_parse ("0.25", &size, NULL);
  setlocale (LC_ALL, "C");

  g_assert_cmpstr (text, ==, "0.5");
  g_assert_nonnull (value);
  g_assert_cmpfloat (*value, ==, 0.25);
}

/* Rows are parted by semicolons and have one length. */
static void
test_matrix (void)
{
  static const struct {
    const char *text;
    guint n_rows, n_columns;
    double value[6];
  } cases[] = {
    { "7", 1, 1, { 7 } },
    { "[1, 2, 3]", 1, 3, { 1, 2, 3 } },
    { "[1; 2]", 2, 1, { 1, 2 } },
    { "[1, 2 ; 3 4;5,-6]", 3, 2, { 1, 2, 3, 4, 5, -6 } },
  };
  static const char *const wrong[] = {
    "", "[1; 2, 3]", "[1, 2; 3]", "[1;]", "[;1]", "1; 2", "[1, 2"
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      guint n_rows, n_columns;
      g_autofree double *value = weir_matrix_parse (cases[i].text, &n_rows, &n_columns, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (n_rows, ==, cases[i].n_rows);
      g_assert_cmpuint (n_columns, ==, cases[i].n_columns);
      g_assert_cmpmem (value, n_rows * n_columns * sizeof *value, cases[i].value,
                       n_rows * n_columns * sizeof *value);
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      guint n_rows, n_columns;

      g_assert_null (weir_matrix_parse (wrong[i], &n_rows, &n_columns, &error));
      g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/value/parse", test_parse);
  g_test_add_func ("/blocks/value/refuse", test_refuse);
  g_test_add_func ("/blocks/value/write", test_write);
  g_test_add_func ("/blocks/value/round-trip", test_round_trip);
  g_test_add_func ("/blocks/value/locale", test_locale);
  g_test_add_func ("/blocks/value/matrix", test_matrix);
  return g_test_run ();
}

/* The shortest text of a number. */
#include "numerics/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "../seeds.h"

static void
test_cases (void)
{
  static const struct {
    double value;
    const char *text;
  } cases[] = {
    { 0.0, "0" },
    { -0.0, "-0" },
    { 0.1, "0.1" },
    { 0.1 + 0.2, "0.30000000000000004" },
    { 1.0 / 3, "0.3333333333333333" },
    { 1e6, "1000000" },
    { 123456789012345, "123456789012345" },
    { 1e15, "1e+15" },
    { 1e22, "1e+22" },
    { 1e23, "1e+23" },                        /* the famous one: between two doubles */
    { 9007199254740993, "9007199254740992" }, /* 2^53 + 1, rounded when it was read */
    { 5e-324, "5e-324" },                     /* the smallest: one digit says it */
    { 2.2250738585072009e-308,
      "2.225073858507201e-308" }, /* the largest of those without full precision */
    { DBL_MIN, "2.2250738585072014e-308" },
    { DBL_MAX, "1.7976931348623157e+308" },
    { INFINITY, "inf" },
    { -INFINITY, "-inf" },
    { NAN, "nan" },
  };
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_true (weir_number_to_text (cases[i].value, text) == text);
      if (isnan (cases[i].value)) /* with a sign or without */
        g_assert_nonnull (strstr (text, cases[i].text));
      else
        g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* Any bits read back, and no text with a digit less does. */
static void
test_shortest (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (get_test_seed (62));
  char text[G_ASCII_DTOSTR_BUF_SIZE], shorter[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint k = 0; k < 20000; k++)
    {
      guint64 bits = (guint64) g_rand_int (random) << 32 | g_rand_int (random);
      guint n_digits = 0;
      double value, read;
      char format[8];

      if (k % 4 == 0) /* too small to have all digits */
        bits &= G_GUINT64_CONSTANT (0x800fffffffffffff) >> (k % 40);
      memcpy (&value, &bits, sizeof value);
      if (!isfinite (value) || value == 0)
        continue;
      read = g_ascii_strtod (weir_number_to_text (value, text), NULL);
      g_assert_cmpmem (&read, sizeof read, &value, sizeof value);
      for (const char *p = text; *p != '\0' && *p != 'e'; p++)
        n_digits += g_ascii_isdigit (*p) && (n_digits > 0 || *p != '0');
      if (n_digits < 2)
        continue;
      g_snprintf (format, sizeof format, "%%.%ug", n_digits - 1);
      g_ascii_formatd (shorter, sizeof shorter, format, value);
      g_assert_true (strpbrk (text, "e") == NULL || g_ascii_strtod (shorter, NULL) != value);
    }
}

/* What printf writes with the fewest digits of 15, 16 and 17 that read back, or of all where there
 * are not so many; found by trying. */
static void
try_digits (double value, char *text)
{
  char format[8];

  for (int digits = fabs (value) < DBL_MIN ? 1 : 15; digits <= 17; digits++)
    {
      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (text, G_ASCII_DTOSTR_BUF_SIZE, format, value);
      if (g_ascii_strtod (text, NULL) == value)
        break;
    }
}

static void
check_digits (guint64 bits)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE], tried[G_ASCII_DTOSTR_BUF_SIZE];
  double value;

  memcpy (&value, &bits, sizeof value);
  if (isnan (value))
    return;
  try_digits (value, tried);
  g_assert_cmpstr (weir_number_to_text (value, text), ==, tried);
  g_assert_true (weir_number_write (value, text) == text + strlen (tried));
}

static guint64
get_bits (double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

/* About all powers of two, where doubles are closer below than above. */
static void
test_powers_of_two (void)
{
  for (int e = -1074; e < 1024; e++)
    for (guint64 d = 0; d < 9; d++)
      check_digits (get_bits (ldexp (1, e)) + d - MIN (4, get_bits (ldexp (1, e))));
}

/* Any bits; those of small numbers, of integers, and of what people write. */
static void
test_as_tried (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (get_test_seed (63));

  for (guint k = 0; k < 20000; k++)
    {
      guint64 bits = (guint64) g_rand_int (random) << 32 | g_rand_int (random);

      check_digits (bits);
      check_digits (bits & G_GUINT64_CONSTANT (0x800fffffffffffff) >> (k % 50));
      check_digits (
          get_bits ((double) (gint64) bits / (double) (G_GUINT64_CONSTANT (1) << k % 64)));
      check_digits (get_bits ((double) (gint64) (bits % 4000000) / pow (10, k % 9)));
      check_digits (get_bits (g_rand_double (random)));
    }
}

static void
test_times (void)
{
  char text[WEIR_TIME_TEXT_SIZE];

  g_assert_cmpstr (weir_time_to_text (1.23456789, NAN, text), ==, "1.23457 s");
  g_assert_cmpstr (weir_time_to_text (1.23456789, 1.23456788, text), ==, "1.23456789 s");
  g_assert_cmpstr (weir_time_to_text (1234567, NAN, text), ==, "1234567 s");
  g_assert_cmpstr (weir_time_to_text (0, 0, text), ==, "0 s");
}

/* As strtod reads it, which is right for each of them: the same bits, the same end. */
static void
assert_read (const char *text)
{
  char *expected_end, *end = NULL;
  double expected = g_ascii_strtod (text, &expected_end), value = weir_number_read (text, &end);

  if (memcmp (&value, &expected, sizeof value) != 0 || end != expected_end)
    g_error ("\"%s\" is read as %.17g up to \"%s\" instead of %.17g up to \"%s\"", text, value, end,
             expected, expected_end);
  g_assert_true (memcmp (&(double) { weir_number_read (text, NULL) }, &expected, sizeof value)
                 == 0);
}

static void
test_reading (void)
{
  static const char *const texts[] = {
    "0",
    "-0",
    "+0",
    "0.0",
    "-0.0",
    "1",
    "-1",
    "+1.5",
    "1.",
    ".5",
    "-.5",
    ".",
    "-",
    "+",
    "",
    " 1",
    "1 2",
    "1,5",
    "1..2",
    "1e5",
    "1e",
    "1E-3x",
    "2.5e+2",
    "0x10",
    "0x",
    "inf",
    "-inf",
    "nan",
    "infinity",
    "123456789012345",
    "1234567890123456",
    "12345678901234567890",
    "0.1",
    "0.3",
    "999999999999999",
    "99999999999999.9",
    ".999999999999999",
    "0.000000000000001",
    "0.0000000000000001",
    "00000000000000000001",
    "1.0000000000000000000",
    "5e-324",
    "1e400",
    "179769313486231570000",
    "3.14m",
    "4-2",
    "1]",
    "2;",
    "\t3",
  };
  guint32 seed = get_test_seed (17);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_read (texts[i]);
  for (guint i = 0; i < 200000; i++)
    {
      char text[64];
      guint before = (guint) g_rand_int_range (rand, 0, 18), n = 0;
      guint after = (guint) g_rand_int_range (rand, 0, 18);

      if (g_rand_boolean (rand))
        text[n++] = '-';
      for (guint k = 0; k < before; k++)
        text[n++] = (char) ('0' + g_rand_int_range (rand, 0, 10));
      if (after > 0)
        text[n++] = '.';
      for (guint k = 0; k < after; k++)
        text[n++] = (char) ('0' + g_rand_int_range (rand, 0, 10));
      text[n] = '\0';
      assert_read (text);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/numerics/number/cases", test_cases);
  g_test_add_func ("/numerics/number/shortest", test_shortest);
  g_test_add_func ("/numerics/number/powers-of-two", test_powers_of_two);
  g_test_add_func ("/numerics/number/as-tried", test_as_tried);
  g_test_add_func ("/numerics/number/times", test_times);
  g_test_add_func ("/numerics/number/reading", test_reading);
  return g_test_run ();
}

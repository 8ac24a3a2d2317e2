/* What is typed into a field: decimal commas, units. Factors are those of the SI brochure. */
#include <locale.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "panels/entered.h"

static const WeirParameterSpec length = {
  .name = "length", .label = "Length", .kind = WEIR_VALUE_NUMBER, .unit = "m"
};
static const WeirParameterSpec plain = { .name = "gain",
                                         .label = "Gain",
                                         .kind = WEIR_VALUE_VECTOR };
static const WeirParameterSpec text = { .name = "note", .label = "Note", .kind = WEIR_VALUE_TEXT };

static const struct {
  const char *unit, *entered;
  double expected;
} conversions[] = {
  { "m", "20 mm", 0.02 },
  { "m", "20mm", 0.02 },
  { "m", "1 km", 1000 },
  { "m", "3", 3 },
  { "rad", "90 deg", G_PI / 2 },
  { "rad", "90°", G_PI / 2 },
  { "rad/s", "30 deg/s", G_PI / 6 },
  { "s", "2 min", 120 },
  { "m/s²", "981 cm/s^2", 9.81 },
  { "m/s", "36 km/h", 10 },
  { "N m s/rad", "2 N m s/rad", 2 },
  { "Hz", "1.5 kHz", 1500 },
  { "%", "50 %", 50 },
  { "K", "20 degC", 293.15 },
};

static void
test_units (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (conversions); i++)
    {
      WeirParameterSpec spec = length;
      g_autofree char *kept = NULL;
      g_autoptr (GError) error = NULL;
      double value;

      spec.unit = conversions[i].unit;
      kept = weir_entered_to_text (&spec, conversions[i].entered, &error);
      g_assert_no_error (error);
      value = g_ascii_strtod (kept, NULL);
      g_test_message ("%s -> %s %s", conversions[i].entered, kept, conversions[i].unit);
      /* One multiplication and at most one addition: three roundings. */
      g_assert_cmpfloat_with_epsilon (value, conversions[i].expected,
                                      4 * DBL_EPSILON * fabs (conversions[i].expected));
    }
}

static void
test_vector (void)
{
  WeirParameterSpec spec = length;
  g_autofree char *kept = NULL;

  spec.kind = WEIR_VALUE_VECTOR;
  kept = weir_entered_to_text (&spec, "[1, 2, 3] km", NULL);
  g_assert_cmpstr (kept, ==, "[1000, 2000, 3000]");
}

/* What has no unit and no comma is kept as it is, even if it is no number: the check of the
 * parameter says what is wrong. */
static void
test_kept (void)
{
  static const char *const texts[] = { "1e-3", "[1, 2]", "2*k", "abc", "1 2", "", "-inf", "1,2,3" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *kept = weir_entered_to_text (&plain, texts[i], NULL);

      g_assert_cmpstr (kept, ==, texts[i]);
    }
  {
    g_autofree char *kept = weir_entered_to_text (&text, " 2 mm", NULL);

    g_assert_cmpstr (kept, ==, " 2 mm");
  }
}

static void
test_refused (void)
{
  static const struct {
    const WeirParameterSpec *spec;
    const char *entered, *part;
  } cases[] = {
    { &length, "2 kg", "Length is in m, to which “kg” cannot be converted." },
    { &length, "2 furlongs", "furlongs" },
    { &plain, "2 m", "Gain has no unit, but “m” is one: leave it out." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (weir_entered_to_text (cases[i].spec, cases[i].entered, &error));
      g_assert_nonnull (strstr (error->message, cases[i].part));
    }
}

/* Only where the locale writes one, and never within a list. */
static void
test_comma (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *locale = g_build_filename (folder, "de_DE.UTF-8", NULL);
  const char *const define[] = { "localedef", "-i", "de_DE", "-f", "UTF-8", locale, NULL };
  const char *const remove[] = { "rm", "-r", folder, NULL };
  g_autofree char *in_c = weir_entered_to_text (&plain, "2,5", NULL);

  g_assert_cmpstr (in_c, ==, "2,5");
  g_spawn_sync (NULL, (char **) define, NULL,
                G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                NULL, NULL, NULL, NULL, NULL);
  g_setenv ("LOCPATH", folder, TRUE);
  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL)
    g_test_skip ("The locale de_DE.UTF-8 cannot be made here.");
  else
    {
      g_autofree char *number = weir_entered_to_text (&plain, "-2,5e3", NULL);
      g_autofree char *unit = weir_entered_to_text (&length, "2,5 km", NULL);
      g_autofree char *point = weir_entered_to_text (&plain, "2.5", NULL);
      g_autofree char *list = weir_entered_to_text (&plain, "[1, 2]", NULL);

      g_assert_cmpstr (number, ==, "-2.5e3");
      g_assert_cmpstr (unit, ==, "2500");
      g_assert_cmpstr (point, ==, "2.5");
      g_assert_cmpstr (list, ==, "[1, 2]");
      setlocale (LC_NUMERIC, "C");
    }
  g_spawn_sync (NULL, (char **) remove, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                NULL);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/panels/entered/units", test_units);
  g_test_add_func ("/panels/entered/vector", test_vector);
  g_test_add_func ("/panels/entered/kept", test_kept);
  g_test_add_func ("/panels/entered/refused", test_refused);
  g_test_add_func ("/panels/entered/comma", test_comma);
  return g_test_run ();
}

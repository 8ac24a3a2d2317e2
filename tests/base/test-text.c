/* Sentences of the engine: English, or what a window makes of them. */
#include "base/text.h"

/* A catalogue of two entries in a language with its own rule of plurals: none is one. */
static const char *
to_french (const char *one, const char *many, gulong n)
{
  if (g_str_equal (one, "input %s"))
    return "entrée %s";
  if (g_str_equal (one, "%u error") && g_strcmp0 (many, "%u errors") == 0)
    return n < 2 ? "%u erreur" : "%u erreurs";
  return many == NULL || n == 1 ? one : many;
}

static void
test_english (void)
{
  g_assert_cmpstr (weir_translate ("input %s"), ==, "input %s");
  g_assert_cmpstr (weir_translate_count ("%u error", "%u errors", 0), ==, "%u errors");
  g_assert_cmpstr (weir_translate_count ("%u error", "%u errors", 1), ==, "%u error");
  g_assert_cmpstr (weir_translate_count ("%u error", "%u errors", 2), ==, "%u errors");
}

static void
test_other (void)
{
  weir_set_translator (to_french);
  g_assert_cmpstr (weir_translate ("input %s"), ==, "entrée %s");
  g_assert_cmpstr (weir_translate ("not in the catalogue"), ==, "not in the catalogue");
  g_assert_cmpstr (weir_translate_count ("%u error", "%u errors", 0), ==, "%u erreur");
  g_assert_cmpstr (weir_translate_count ("%u error", "%u errors", 2), ==, "%u erreurs");
  weir_set_translator (NULL);
  g_assert_cmpstr (weir_translate ("input %s"), ==, "input %s");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/text/english", test_english);
  g_test_add_func ("/base/text/another-language", test_other);
  return g_test_run ();
}

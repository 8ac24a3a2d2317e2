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

/* ECMA-48 for the controls, Unicode's annex 9 for the directions. */
static void
test_escape (void)
{
  static const struct {
    const char *text, *line, *lines;
  } cases[] = {
    { "plain ü 漢 \\n", "plain ü 漢 \\n", "plain ü 漢 \\n" },
    { "a\nb\tc\rd", "a\\nb\\tc\\rd", "a\nb\tc\\rd" },
    { "\x1b[31m\x7f", "\\u001b[31m\\u007f", "\\u001b[31m\\u007f" },
    { "\xc2\x9b"
      "2J",
      "\\u009b2J", "\\u009b2J" },
    { "a\xe2\x80\xae"
      "b\xe2\x81\xa6",
      "a\\u202eb\\u2066", "a\\u202eb\\u2066" },
    { "\xe2\x80\xa8\xef\xbb\xbf", "\\u2028\\ufeff", "\\u2028\\ufeff" },
    { "\xe2\x80\x8d", "\xe2\x80\x8d", "\xe2\x80\x8d" },
    { "\xf3\xa0\x80\x81", "\\udb40\\udc01", "\\udb40\\udc01" },
    { "\xff\x9b", "\\xff\\x9b", "\\xff\\x9b" },
    { "", "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *line = weir_text_escape (cases[i].text);
      g_autofree char *lines = weir_text_escape_within_lines (cases[i].text);

      g_assert_cmpstr (line, ==, cases[i].line);
      g_assert_cmpstr (lines, ==, cases[i].lines);
    }
}

/* A name is left as it is. */
static void
test_sentences (void)
{
  static const struct {
    const char *text, *name, *sentence;
  } cases[] = {
    { "the step became too small", "", "The step became too small" },
    { "ölstand unbekannt", NULL, "Ölstand unbekannt" },
    { "plant.x ran away", "plant.x", "plant.x ran away" },
    { "x ran away", "x", "x ran away" },
    { "xs ran away", "x", "Xs ran away" },
    { "law:y cannot be computed", "", "law:y cannot be computed" },
    { "", NULL, "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *sentence = weir_text_capitalize (cases[i].text, cases[i].name);

      g_assert_cmpstr (sentence, ==, cases[i].sentence);
    }
}

static const char *
speak_english (const char *one, const char *many, gulong n)
{
  return n == 1 || many == NULL ? one : many;
}

static void
test_digits (void)
{
  static const struct {
    guint64 n;
    const char *terminal, *window;
  } cases[] = { { 0, "0", "0" },
                { 999, "999", "999" },
                { 10934, "10 934", "10\u202f934" },
                { G_MAXUINT64, "18 446 744 073 709 551 615",
                  "18\u202f446\u202f744\u202f073\u202f709\u202f551\u202f615" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *terminal = weir_text_group_digits (cases[i].n);
      g_autofree char *window = NULL;

      weir_set_translator (speak_english);
      window = weir_text_group_digits (cases[i].n);
      weir_set_translator (NULL);
      g_assert_cmpstr (terminal, ==, cases[i].terminal);
      g_assert_cmpstr (window, ==, cases[i].window);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/text/english", test_english);
  g_test_add_func ("/base/text/another-language", test_other);
  g_test_add_func ("/base/text/escape", test_escape);
  g_test_add_func ("/base/text/sentences", test_sentences);
  g_test_add_func ("/base/text/digits", test_digits);
  return g_test_run ();
}

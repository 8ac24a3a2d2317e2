/* Sentences as data, and what translations make of them. */
#include "base/error.h"
#include "base/message.h"
#include "base/phrase.h"
#include "base/text.h"

#include <string.h>

#include "seeds.h"

static const char *
translate (const char *one, G_GNUC_UNUSED const char *many, G_GNUC_UNUSED gulong n)
{
  static const struct {
    const char *english, *other;
  } texts[] = {
    { "%s takes %u of %s.", "%3$s: davon nimmt %1$s %2$u." },
    { "%d %% of '%.*s', %5.2f", "'%2$.*s' zu %1$d %%, %3$5.2f" },
    { "%s stands in %s.", "In %2$s steht %1$s." },
    { "line %u", "Zeile %u" },
    { "%s and %s", "%s und %s" },
    { "a when", "einem when" },
    { "One %s.", "%s %s" }, /* more places than there are */
    { "Two %s.", "%9$s" },
    { "Three %s.", "50 %" },
    { "%c %x %X %i %lu %lld %zu %e %g", "%9$s %8$s %7$s %6$s %5$s %4$s %3$s %2$s %1$s" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (g_str_equal (one, texts[i].english))
      return texts[i].other;
  return one;
}

static void
check_said (const WeirMessage *self, const char *text, const char *translation)
{
  g_autofree char *english = NULL, *other = NULL;

  weir_set_translator (NULL);
  english = weir_message_translate (self);
  weir_set_translator (translate);
  other = weir_message_translate (self);
  weir_set_translator (NULL);
  g_assert_cmpstr (weir_message_get_text (self), ==, text);
  g_assert_cmpstr (english, ==, text);
  g_assert_cmpstr (other, ==, translation);
}

/* As it is, and once more as it is read from where it was stored. */
static void
check (WeirMessage *message, const char *text, const char *translation)
{
  g_autoptr (WeirMessage) self = message;
  g_autofree char *stored = weir_message_store (self), *again = NULL;
  g_autoptr (WeirMessage) restored = weir_message_restore (stored);

  again = weir_message_store (restored);
  g_assert_cmpstr (again, ==, stored);
  check_said (self, text, translation);
  check_said (restored, text, translation);
}

static void
test_translation (void)
{
  check (weir_message_new ("%s takes %u of %s.", "Sum", 3u, "Gain"), "Sum takes 3 of Gain.",
         "Gain: davon nimmt Sum 3.");
  check (weir_message_new ("%d %% of '%.*s', %5.2f", -5, 2, "abc", 1.0), "-5 % of 'ab',  1.00",
         "'ab' zu -5 %,  1.00");
  check (weir_message_new ("%c %x %X %i %lu %lld %zu %e %g", 'c', 255u, 255u, -1, 1ul, -1ll,
                           (gsize) 7, 1e10, 0.5),
         "c ff FF -1 1 -1 7 1.000000e+10 0.5", "0.5 1.000000e+10 7 -1 1 -1 FF ff c");
  check (weir_message_new ("Unknown to the catalogue: %s", "%s"), "Unknown to the catalogue: %s",
         "Unknown to the catalogue: %s");
  check (weir_message_new_literal ("One %s."), "One %s.", "One %s.");
}

/* A catalogue that is wrong, or older than the program, costs the translation and no more. */
static void
test_bad_translation (void)
{
  check (weir_message_new ("One %s.", "thing"), "One thing.", "One thing.");
  check (weir_message_new ("Two %s.", "things"), "Two things.", "Two things.");
  check (weir_message_new ("Three %s.", "things"), "Three things.", "50 %");
}

/* What a message cannot hold it says in English. */
static void
test_others (void)
{
  check (weir_message_new ("%p is %s", NULL, "NULL"), "(nil) is NULL", "(nil) is NULL");
  check (weir_message_new ("%s", ""), "", "");
  check (weir_message_new ("100 %%"), "100 %", "100 %");
}

/* The words in the places come in the language of the sentence, wherever they come from; the same
 * letters from elsewhere are a name. */
static void
test_places (void)
{
  const char *names[] = { "x", "y", "a when", NULL };
  g_autoptr (WeirMessage) line = weir_message_new ("line %u", 3u);
  g_autoptr (WeirMessage) list = weir_message_new_list (names);
  g_autoptr (WeirMessage) two = weir_message_new_list (names + 1);
  g_autoptr (WeirMessage) one = weir_message_new_list (names + 2);
  g_autoptr (WeirMessage) none = weir_message_new_list (names + 3);
  g_autofree char *same = g_strdup ("a when");
  WeirMessage *inner;

  g_assert_true (weir_phrase ("a when") == weir_phrase (same));
  check (weir_message_new ("%s stands in %s.", "x", weir_phrase ("a when")), "x stands in a when.",
         "In einem when steht x.");
  check (weir_message_new ("%s stands in %s.", "x", same), "x stands in a when.",
         "In a when steht x.");
  check (weir_message_new ("%s stands in %s.", weir_message_get_text (list),
                           weir_message_get_text (line)),
         "x, y and a when stands in line 3.", "In Zeile 3 steht x, y und a when.");
  check (weir_message_ref (two), "y and a when", "y und a when");
  check (weir_message_ref (one), "a when", "a when");
  check (weir_message_ref (none), "", "");
  /* Where nothing but the places is to be said, they come translated; within unknown words not. */
  inner = weir_message_new ("%s stands in %s.", "x", "y");
  check (weir_message_new ("%s: %s", "EQ01", weir_message_get_text (inner)), "EQ01: x stands in y.",
         "EQ01: In y steht x.");
  check (weir_message_new ("Thus %s", weir_message_get_text (inner)), "Thus x stands in y.",
         "Thus x stands in y.");
  weir_message_unref (inner);
}

static char *
bracket (const char *text, gboolean is_translation, gpointer data)
{
  return g_strdup_printf (is_translation ? "[%s%s]" : "(%s%s)", text, (char *) data);
}

static void
test_rewriting (void)
{
  g_autoptr (WeirMessage) line = weir_message_rewrite (weir_message_new ("line %u", 3u), bracket,
                                                       g_strdup ("!"), g_free);

  check_said (line, "(line 3!)", "[Zeile 3!]");
  check (weir_message_rewrite (weir_message_new_literal ("line"), bracket, g_strdup ("!"), g_free),
         "(line!)", "(line!)");
}

/* An error is said in other languages, by itself and in the place of a message, copied or not, with
 * a name before it too; with another prefix it is the text that it has. */
static void
test_errors (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) copy = NULL;
  g_autoptr (GError) named = NULL;
  g_autoptr (GError) foreign = g_error_new_literal (G_FILE_ERROR, G_FILE_ERROR_NOENT, "line 1");
  g_autofree char *other = NULL, *of_named = NULL;
  const char *prefixed, *of_another;

  weir_error_set (NULL, WEIR_ERROR_INVALID, "line %u", 3u);
  weir_error_set (&error, WEIR_ERROR_INVALID, "line %u", 3u);
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, "line 3");
  check (weir_message_new ("%s stands in %s.", "x", weir_error_get_text (error)),
         "x stands in line 3.", "In Zeile 3 steht x.");
  copy = g_error_copy (error);
  g_clear_error (&error);
  weir_error_prefix (NULL, "Pump");
  weir_error_prefix (&named, "Pump");
  g_assert_no_error (named);
  named = g_error_copy (copy);
  weir_error_prefix (&named, "Pump");
  g_assert_error (named, WEIR_ERROR, WEIR_ERROR_INVALID);
  g_assert_cmpstr (named->message, ==, "Pump: line 3");
  weir_set_translator (translate);
  other = g_strdup (weir_error_say (copy));
  of_named = g_strdup (weir_error_say (named));
  g_prefix_error (&copy, "File: ");
  prefixed = weir_error_say (copy);
  weir_error_prefix (&foreign, "File");
  of_another = weir_error_say (foreign);
  weir_set_translator (NULL);
  g_assert_cmpstr (other, ==, "Zeile 3");
  g_assert_cmpstr (of_named, ==, "Pump: Zeile 3");
  g_assert_cmpstr (prefixed, ==, "File: line 3");
  g_assert_cmpstr (weir_error_get_text (copy), ==, "File: line 3");
  g_assert_cmpstr (of_another, ==, "File: line 1");
}

/* --- Stored ---------------------------------------------------------------------------------- */

/* Of whoever is no message: what stands there. */
static void
test_stored (void)
{
  static const char *const plain[] = {
    "",
    "of a file of before: 100 %s",
    "\x1e",
    "line 3\x1e"
    "2f7:line %ut1:3", /* of another version */
    "line 4\x1e"
    "1f7:line %ut1:3", /* does not add up */
    "line 3\x1e"
    "1f7:line %u", /* a piece less */
    "line 3\x1e"
    "1f7:line %ut1:3t1:3", /* a piece more */
    "line 3\x1e"
    "1f7:line %ut1:3 ",
    "line 3\x1e"
    "1f7:line %ut2:3", /* beyond the end */
    "line 3\x1e"
    "1f99999999999999999999:line %ut1:3",
    "line 3\x1e"
    "1f-7:line %ut1:3",
    "line 3\x1e"
    "1f+7:line %ut1:3",
    "line 3\x1e"
    "1f9:line %1$ut1:3", /* no format has places by number */
    "line 3\x1e"
    "1j0:t6:line 3",
    "line 3\x1e"
    "1x6:line 3",
    "line 3\x1e"
    "1t6:lin\x1e 3",
    "line 3\x1e"
    "1",
    "aa\x1e"
    "1f8:%1$s%1$st1:a",
  };
  g_autoptr (WeirMessage) bad = weir_message_restore ("line \xff\x1e"
                                                      "1f7:line %ut1:\xff");
  g_autoptr (WeirMessage) of_two = weir_message_join (weir_message_new ("line %u", 3u), ": ",
                                                      weir_message_new_literal ("a\x1e"
                                                                                "b"));

  for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
    {
      g_autoptr (WeirMessage) self = weir_message_restore (plain[i]);

      check_said (self, plain[i], plain[i]);
    }
  g_assert_true (g_utf8_validate (weir_message_get_text (bad), -1, NULL));
  /* Formats and pieces never meet a function of C: letters that would read or write memory. */
  {
    g_autoptr (WeirMessage) self = weir_message_restore ("a b 100 % c\x1e"
                                                         "1f12:%n %s 100 %%t1:at1:b");
    g_autoptr (WeirMessage) whole = weir_message_restore ("a b 100 %\x1e"
                                                          "1f12:%n %s 100 %%t1:at1:b");

    check_said (self,
                "a b 100 % c\x1e"
                "1f12:%n %s 100 %%t1:at1:b",
                "a b 100 % c\x1e"
                "1f12:%n %s 100 %%t1:at1:b");
    check_said (whole, "a b 100 %", "a b 100 %");
  }
  /* What has the separator itself is a text. */
  check_said (of_two,
              "line 3: a\x1e"
              "b",
              "Zeile 3: a\x1e"
              "b");
  {
    g_autofree char *stored = weir_message_store (of_two);

    g_assert_cmpstr (stored, ==,
                     "line 3: a\x1e"
                     "b");
  }
  check (weir_message_join (weir_message_new ("line %u", 3u), ": ",
                            weir_message_new ("%s and %s", "x", weir_phrase ("a when"))),
         "line 3: x and a when", "Zeile 3: x und einem when");
}

/* Within each other beyond all bounds: the text is there in any case, and it takes no time. */
static void
test_stored_deep (void)
{
  WeirMessage *self = weir_message_new ("line %u", 3u);
  g_autoptr (GString) bomb = g_string_new ("\x1e"
                                           "1");
  g_autoptr (WeirMessage) restored = NULL, of_bomb = NULL;
  g_autofree char *stored = NULL;

  for (guint i = 0; i < 100; i++)
    {
      WeirMessage *inner = self;

      self = weir_message_new ("%s", weir_message_get_text (inner));
      weir_message_unref (inner);
    }
  stored = weir_message_store (self);
  restored = weir_message_restore (stored);
  check_said (self, "line 3", "Zeile 3");
  check_said (restored, "line 3", "line 3");
  weir_message_unref (self);
  for (guint i = 0; i < 100000; i++)
    g_string_append (bomb, "f2:%s");
  g_string_append (bomb, "t0:");
  of_bomb = weir_message_restore (bomb->str);
  g_assert_cmpstr (weir_message_get_text (of_bomb), ==, bomb->str);
}

/* A stored message with some bytes altered is what it was, a text, or another that adds up. */
static void
test_stored_random (void)
{
  static const char bytes[] = "0123456789:fjt%suncd$. \x1e\xc3\xa4\xff"
                              "line";
  g_autoptr (WeirMessage) whole = weir_message_join (
      weir_message_new ("%s stands in %s.", "x", weir_phrase ("a when")), ": ",
      weir_message_new ("%d %% of '%.*s', %5.2f", -5, 2, "abc", 1.0));
  g_autofree char *stored = weir_message_store (whole);
  guint n_whole = 0;

  get_test_seed (31);
  weir_set_translator (translate);
  for (guint i = 0; i < 20000; i++)
    {
      g_autoptr (GString) altered = g_string_new (stored);
      g_autoptr (WeirMessage) self = NULL;
      g_autofree char *valid = NULL, *said = NULL, *again = NULL;
      const char *text;

      for (int n = g_rand_int_range (test_rand, 0, 4); n > 0; n--)
        {
          gsize at = (gsize) g_rand_int_range (test_rand, 0, (int) altered->len);

          if (g_rand_boolean (test_rand))
            altered->str[at] = bytes[g_rand_int_range (test_rand, 0, sizeof bytes - 1)];
          else if (g_rand_boolean (test_rand))
            g_string_erase (altered, (gssize) at, 1);
          else
            g_string_insert_len (altered, (gssize) at, stored,
                                 g_rand_int_range (test_rand, 0, (int) strlen (stored)));
        }
      self = weir_message_restore (altered->str);
      text = weir_message_get_text (self);
      valid = g_utf8_make_valid (altered->str, -1);
      said = weir_message_translate (self);
      again = weir_message_store (self);
      if (strcmp (text, valid) != 0)
        {
          g_assert_true (g_str_has_prefix (altered->str, text));
          g_assert_cmpint (altered->str[strlen (text)], ==, '\x1e');
          n_whole++;
        }
      g_assert_true (g_utf8_validate (said, -1, NULL));
      g_assert_cmpuint (strlen (said), <, 1000);
    }
  weir_set_translator (NULL);
  g_assert_cmpuint (n_whole, >, 4000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/message/translation", test_translation);
  g_test_add_func ("/base/message/places", test_places);
  g_test_add_func ("/base/message/rewriting", test_rewriting);
  g_test_add_func ("/base/message/bad-translation", test_bad_translation);
  g_test_add_func ("/base/message/others", test_others);
  g_test_add_func ("/base/message/errors", test_errors);
  g_test_add_func ("/base/message/stored", test_stored);
  g_test_add_func ("/base/message/stored-deep", test_stored_deep);
  g_test_add_func ("/base/message/stored-random", test_stored_random);
  return g_test_run ();
}

/* FMU blocks on the command line: whom one trusts, what runs give, and how they end. */
#include <glib/gstdio.h>

#include "../cli/program.h"
#include "fmi/archive.h"
#include "../folders.h"

/* A folder with a model beside FMUs of the tests, a cache and a configuration of its own. */
typedef struct {
  char *folder, *model, *fmu, *config, *cache, *state;
  char *checksum; /* of the FMU */
} Place;

static void
place_init (Place *self, const char *fmu, const char *blocks)
{
  g_autofree char *file = g_strconcat (fmu, ".fmu", NULL);
  g_autofree char *built = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", file, NULL);
  g_autofree char *text = g_strdup_printf (
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"1\">\n<settings><setting "
      "name=\"stop-time\" value=\"1\"/></settings>\n<diagram>\n%s\n</diagram>\n</weir>\n",
      blocks);
  g_autoptr (WeirFmuArchive) archive = weir_fmu_archive_open (built, NULL);
  g_autofree char *bytes = NULL;
  gsize size;

  g_assert_nonnull (archive);
  self->checksum = g_strdup (weir_fmu_archive_get_checksum (archive));
  self->folder = g_dir_make_tmp ("weir-fmu-XXXXXX", NULL);
  self->model = g_build_filename (self->folder, "m.weir", NULL);
  self->fmu = g_build_filename (self->folder, "part.fmu", NULL);
  self->config = g_build_filename (self->folder, "config", NULL);
  self->cache = g_build_filename (self->folder, "cache", NULL);
  self->state = g_build_filename (self->folder, "state", NULL);
  g_assert_true (g_file_get_contents (built, &bytes, &size, NULL));
  g_assert_true (g_file_set_contents (self->fmu, bytes, (gssize) size, NULL));
  g_assert_true (g_file_set_contents (self->model, text, -1, NULL));
}

static void
place_clear (Place *self)
{
  remove_folder (self->folder);
  g_free (self->folder);
  g_free (self->model);
  g_free (self->fmu);
  g_free (self->config);
  g_free (self->cache);
  g_free (self->state);
  g_free (self->checksum);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, place_clear)

static Outcome
weir_at (const Place *place, const char *const *arguments)
{
  const char *const environment[] = {
    "XDG_CONFIG_HOME", place->config, "XDG_CACHE_HOME", place->cache, "XDG_STATE_HOME",
    place->state,      NULL
  };

  return weir_in (environment, arguments);
}

#define assert_has(text, part)                                                                     \
  G_STMT_START                                                                                     \
  {                                                                                                \
    if (strstr ((text), (part)) == NULL)                                                           \
      g_error ("line %d: no \"%s\" in:\n%s", __LINE__, (part), (text));                            \
  }                                                                                                \
  G_STMT_END

#define FMU(start)                                                                                 \
  "<block id=\"1\" type=\"FMU\" name=\"Part\" x=\"100\" y=\"100\">\n"                              \
  "<parameter name=\"file\" value=\"part.fmu\"/><parameter name=\"start\" value=\"" start          \
  "\"/></block>\n"
#define GAIN(k)                                                                                    \
  "<block id=\"2\" type=\"Gain\" name=\"Gain\" x=\"200\" y=\"100\"><parameter name=\"gain\" "      \
  "value=\"" k "\"/></block>\n"
#define SCOPE "<block id=\"3\" type=\"Scope\" name=\"Scope\" x=\"300\" y=\"100\"/>\n"
#define WIRE(id, from, to) "<wire id=\"" id "\" from=\"" from "\" to=\"" to "\"/>\n"

/* The last value of the first signal in a CSV. */
static double
get_last (const char *csv)
{
  g_auto (GStrv) lines = g_strsplit (g_strchomp ((char *) csv), "\n", -1);
  g_auto (GStrv) cells = g_strsplit (lines[g_strv_length (lines) - 1], ",", -1);

  return g_ascii_strtod (cells[1], NULL);
}

/* --- Trust ----------------------------------------------------------------------------------- */

static void
test_trust (void)
{
  static const char *const commands[] = { "run", "verify", "audit" };
  g_auto (Place) place = { 0 };
  g_autofree char *folder = NULL, *file = NULL, *line = NULL;

  place_init (&place, "ball-3", FMU ("") SCOPE WIRE ("4", "1.h", "3.in1"));
  {
    g_auto (Outcome) check = weir_at (&place, ARGUMENTS ("check", place.model));

    g_assert_cmpint (check.status, ==, 0);
    assert_has (check.out, "m.weir:5: warning[FMU26]: Part: \"part.fmu\" holds a program");
    assert_has (check.out, place.checksum);
  }
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_auto (Outcome) refused = weir_at (&place, ARGUMENTS (commands[i], place.model));
      g_auto (Outcome) wrong = weir_at (
          &place, ARGUMENTS (commands[i], "--trust",
                             "0123456789012345678901234567890123456789012345678901234567890123",
                             place.model));

      g_assert_cmpint (refused.status, ==, 1);
      assert_has (refused.err, "--trust");
      g_assert_cmpint (wrong.status, ==, 1);
      g_assert_cmpstr (refused.out, ==, "");
    }
  g_assert_false (g_file_test (place.cache, G_FILE_TEST_EXISTS)); /* nothing was even unpacked */
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_auto (Outcome) trusted = weir_at (
          &place, ARGUMENTS (commands[i], "--trust", place.checksum, place.model));
      g_auto (Outcome)
          all = weir_at (&place, ARGUMENTS (commands[i], "--trust", "all", place.model));

      g_assert_cmpint (trusted.status, ==, 0);
      g_assert_cmpint (all.status, ==, 0);
    }
  {
    g_auto (Outcome) odd = weir_at (&place, ARGUMENTS ("run", "--trust", "ball", place.model));

    g_assert_cmpint (odd.status, ==, 2);
    assert_has (odd.err, "\"ball\" is no SHA-256 checksum");
  }
  folder = g_build_filename (place.config, "weir", NULL);
  file = g_build_filename (folder, "trusted-fmus", NULL);
  line = g_strdup_printf ("# mine\n%s a ball\n", place.checksum);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, line, -1, NULL));
  {
    g_auto (Outcome) remembered = weir_at (&place, ARGUMENTS ("run", place.model));

    g_assert_cmpint (remembered.status, ==, 0);
    g_assert_cmpstr (remembered.err, ==, "");
  }
}

/* --- Numbers --------------------------------------------------------------------------------- */

/* A ball let go at 1 m: 1 - g t^2 / 2 until it meets the floor at 0.4515 s. */
static void
test_fall (void)
{
  static const char *const fmus[] = { "ball-2", "ball-3" };

  for (guint i = 0; i < G_N_ELEMENTS (fmus); i++)
    {
      g_auto (Place) place = { 0 };
      g_auto (Outcome) outcome = { 0 };

      place_init (&place, fmus[i], FMU ("h = 1.5; g = -10") SCOPE WIRE ("4", "1.h", "3.in1"));
      outcome = weir_at (&place,
                         ARGUMENTS ("run", "--trust", "all", "--until", "0.4", place.model));
      g_assert_cmpint (outcome.status, ==, 0);
      g_assert_cmpfloat_with_epsilon (get_last (outcome.out), 1.5 - 10 * 0.16 / 2, 1e-9);
    }
}

/* x' = u = -x: what x does not depend on is no loop, by the file's own word. exp (-1). */
static void
test_feedback (void)
{
  static const char *const fmus[] = { "hostile-2", "hostile-3" };

  for (guint i = 0; i < G_N_ELEMENTS (fmus); i++)
    {
      g_auto (Place) place = { 0 };
      g_auto (Outcome) outcome = { 0 };

      place_init (&place, fmus[i],
                  FMU ("x = 1") GAIN ("-1") SCOPE WIRE ("4", "1.x", "2.u") WIRE ("5", "2.y", "1.u")
                      WIRE ("6", "1.x", "3.in1"));
      outcome = weir_at (&place,
                         ARGUMENTS ("run", "--trust", "all", "--rtol", "1e-9", "--solver",
                                    "dormand-prince", "--algebraic-loops", "refuse", place.model));
      g_assert_cmpstr (outcome.err, ==, "");
      g_assert_cmpint (outcome.status, ==, 0);
      g_assert_cmpfloat_with_epsilon (get_last (outcome.out), exp (-1), 1e-7);
    }
}

/* y = x1 + u and u = y / 2 are a loop, which is solved: y = 2 x1, which is 4 at the start. */
static void
test_loop (void)
{
  g_auto (Place) place = { 0 };
  g_auto (Outcome) outcome = { 0 };

  place_init (&place, "oscillator-3",
              FMU ("") GAIN ("0.5") SCOPE WIRE ("4", "1.y", "2.u") WIRE ("5", "2.y", "1.u")
                  WIRE ("6", "1.y", "3.in1"));
  outcome = weir_at (&place, ARGUMENTS ("run", "--trust", "all", "--until", "1e-9", place.model));
  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_cmpfloat_with_epsilon (get_last (outcome.out), 4, 1e-6);
}

/* Each kind of parameter, by its own words: y = gain * (on ? gear : -gear) + count + length of name
 * + sum of bytes + trim, 2 * 1 + 3 + 3 + 3 + 0 as it is; FMI 2.0 has no bytes. */
static void
test_choices (void)
{
  static const struct {
    guint version;
    const char *mode, *start;
    double y;
  } cases[] = {
    { 2, "auto", "", 8 },
    { 2, "auto", "gear = two&#10;on = true; name = q", 8 },
    { 2, "co-simulation", "on = false; name = &quot;a; b = \\&quot;c\\&quot; \\n&quot;", 13 },
    { 3, "auto", "gain = 4; count = 5; trim = 0.25", 15.25 },
    { 3, "auto", "on = 0", 7 },
    { 3, "auto", "gear = &quot;two&quot;", 13 },
    { 3, "auto", "gear = 2; name = &quot;&quot;", 10 },
    { 3, "auto", "name = &quot;a; b = \\&quot;c\\&quot; \\n&quot;; gain = 3", 21 },
    { 3, "co-simulation", "name = long; bytes = &quot;0a&quot;", 19 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Place) place = { 0 };
      g_auto (Outcome) run = { 0 };
      g_autofree char *fmu = g_strdup_printf ("chooser-%u", cases[i].version);
      g_autofree char *block = g_strdup_printf (
          "<block id=\"1\" type=\"FMU\" name=\"Part\" x=\"1\" y=\"1\"><parameter name=\"file\" "
          "value=\"part.fmu\"/><parameter name=\"start\" value=\"%s\"/><parameter name=\"mode\" "
          "value=\"%s\"/></block>" SCOPE WIRE ("4", "1.y", "3.in1"),
          cases[i].start, cases[i].mode);

      place_init (&place, fmu, block);
      run = weir_at (&place, ARGUMENTS ("run", "--trust", "all", place.model));
      g_assert_cmpint (run.status, ==, 0);
      g_assert_cmpfloat (get_last (run.out), ==, cases[i].y);
    }
}

/* The same on the command line, over what the model says; bytes are hexadecimal digits. */
static void
test_set (void)
{
  g_auto (Place) place = { 0 };
  g_auto (Outcome) run = { 0 }, odd = { 0 }, much = { 0 }, word = { 0 };

  place_init (&place, "chooser-3", FMU ("count = 4; gain = 1") SCOPE WIRE ("4", "1.y", "3.in1"));
  run = weir_at (&place, ARGUMENTS ("run", "--trust", "all", "--set", "Part.gain=5", "--set",
                                    "Part.gear=two", "--set", "Part.bytes=ff01", "--set",
                                    "Part.name=a \"b\"; c", place.model));
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpfloat (get_last (run.out), ==, 5 * 2 + 4 + 8 + 256);
  odd = weir_at (&place, ARGUMENTS ("run", "--set", "Part.bytes=1", place.model));
  g_assert_cmpint (odd.status, ==, 2);
  assert_has (odd.err, "\"bytes\" takes bytes, which are written as pairs of hexadecimal digits.");
  much = weir_at (&place, ARGUMENTS ("run", "--set", "Part.gain=11", place.model));
  g_assert_cmpint (much.status, ==, 2);
  assert_has (much.err, "gain is \"11\"");
  word = weir_at (&place, ARGUMENTS ("run", "--set", "Part.gear=three", place.model));
  g_assert_cmpint (word.status, ==, 2);
  assert_has (word.err, "gear is \"three\"");
}

/* What can be tuned a run that goes on takes up, in both modes; verified, and by a study too, whose
 * points do not build the model anew for it. What is fixed it does not. */
static void
test_tuned (void)
{
  static const char study[] =
      "<study version=\"1\" model=\"m.weir\"><points method=\"grid\"><parameter "
      "path=\"Part.trim\" name=\"trim\" from=\"0\" to=\"1\" n=\"3\"/></points><keep><figure "
      "name=\"y\" what=\"final\" of=\"Part.y\"/></keep></study>";
  static const struct {
    const char *fmu, *mode;
    double y;
  } cases[] = { { "chooser-2", "exchange", 8 },
                { "chooser-2", "co-simulation", 8 },
                { "chooser-3", "exchange", 11 },
                { "chooser-3", "co-simulation", 11 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Place) place = { 0 };
      g_auto (Outcome) first = { 0 }, second = { 0 }, fixed = { 0 }, verified = { 0 }, all = { 0 };
      g_autofree char *block = g_strdup_printf (
          "<block id=\"1\" type=\"FMU\" name=\"Part\" x=\"1\" y=\"1\"><parameter name=\"file\" "
          "value=\"part.fmu\"/><parameter name=\"mode\" value=\"%s\"/></block>" SCOPE WIRE (
              "4", "1.y", "3.in1"),
          cases[i].mode);
      g_autofree char *saved = NULL, *file = NULL, *config = NULL, *trusted = NULL, *table = NULL;

      place_init (&place, cases[i].fmu, block);
      saved = g_build_filename (place.folder, "run.saved", NULL);
      first = weir_at (&place, ARGUMENTS ("run", "--trust", "all", "--until", "0.5", "--checkpoint",
                                          saved, place.model));
      g_assert_cmpint (first.status, ==, 0);
      g_assert_cmpfloat (get_last (first.out), ==, cases[i].y);
      second = weir_at (&place, ARGUMENTS ("run", "--trust", "all", "--restore", saved, "--set",
                                           "Part.trim=0.25", place.model));
      g_assert_cmpint (second.status, ==, 0);
      g_assert_cmpfloat (get_last (second.out), ==, cases[i].y + 0.25);
      fixed = weir_at (&place, ARGUMENTS ("run", "--trust", "all", "--restore", saved, "--set",
                                          "Part.gain=4", place.model));
      g_assert_cmpint (fixed.status, !=, 0);
      assert_has (fixed.err,
                  "--set Part.gain=4: it is fixed: the FMU takes it at the start of a run alone.");
      verified = weir_at (
          &place, ARGUMENTS ("verify", "--trust", "all", "--set", "Part.trim=0.5", place.model));
      g_assert_cmpint (verified.status, ==, 0);
      assert_has (verified.out, "identical");

      config = g_build_filename (place.config, "weir", NULL);
      trusted = g_build_filename (config, "trusted-fmus", NULL);
      file = g_build_filename (place.folder, "s.weirstudy", NULL);
      g_assert_cmpint (g_mkdir_with_parents (config, 0700), ==, 0);
      g_assert_true (g_file_set_contents (trusted, place.checksum, -1, NULL));
      g_assert_true (g_file_set_contents (file, study, -1, NULL));
      all = weir_at (&place, ARGUMENTS ("study", "--out=-", file));
      g_assert_cmpint (all.status, ==, 0);
      table = g_strdup_printf ("0,done,0,%g,\n1,done,0.5,%g,\n2,done,1,%g,\n", cases[i].y,
                               cases[i].y + 0.5, cases[i].y + 1);
      assert_has (all.out, table);
      g_assert_null (strstr (all.err, "builds the model anew"));
    }
}

/* Where a state starts, by its name; and a study of it. */
static void
test_states (void)
{
  static const char *const fmus[] = { "ball-2", "ball-3" };

  for (guint i = 0; i < G_N_ELEMENTS (fmus); i++)
    {
      g_auto (Place) place = { 0 };
      g_auto (Outcome) outcome = { 0 };

      place_init (&place, fmus[i], FMU ("g = -10") SCOPE WIRE ("4", "1.h", "3.in1"));
      outcome = weir_at (&place, ARGUMENTS ("run", "--trust", "all", "--until", "0.4", "--set",
                                            "Part.h=1.5", "--set", "Part.v=1", place.model));
      g_assert_cmpint (outcome.status, ==, 0);
      g_assert_cmpfloat_with_epsilon (get_last (outcome.out), 1.5 + 0.4 - 10 * 0.16 / 2, 1e-9);
    }
}

#define SIZED(start, mode)                                                                         \
  "<block id=\"1\" type=\"FMU\" name=\"Part\" x=\"100\" y=\"100\"><parameter name=\"file\" "       \
  "value=\"part.fmu\"/><parameter name=\"start\" value=\"" start                                   \
  "\"/><parameter name=\"mode\" value=\"" mode "\"/></block>"                                      \
  "<block id=\"2\" type=\"Constant\" name=\"U\" x=\"0\" y=\"0\"><parameter name=\"value\" "        \
  "value=\"[1, 2, 3]\"/></block>" SCOPE WIRE ("4", "1.y", "3.in1") WIRE ("5", "2.y", "1.u")
#define THREE "n = 3; x = [3, 1, 2]; A = [1, 0, 0, 0, 2, 0, 1, 0, 3]"

/* The last value of signal @back from the last; the last is 0. */
static double
get_last_from_end (const char *csv, guint back)
{
  g_auto (GStrv) lines = g_strsplit (g_strchomp ((char *) csv), "\n", -1);
  g_auto (GStrv) cells = g_strsplit (lines[g_strv_length (lines) - 1], ",", -1);

  return g_ascii_strtod (cells[g_strv_length (cells) - 1 - back], NULL);
}

/* Sizes of arrays by a structural parameter: ports are as wide as it says, the matrix goes row by
 * row, and x' = A u - x from x0, with A u = (1, 4, 10), and y = x + 1/2: in exchange as the
 * exponential function has it, in co-simulation as Euler's method in steps of 1/1024 s. Verified,
 * and with k tuned half way; so too where the FMU would allow that sizes change. */
static void
test_sizes (void)
{
  static const double u[] = { 1, 4, 10 }, x0[] = { 3, 1, 2 };
  static const char *const models[] = { SIZED (THREE, "exchange"), SIZED (THREE, "co-simulation") };

  for (guint c = 0; c < 2 * G_N_ELEMENTS (models); c++)
    {
      guint i = c % 2;
      g_auto (Place) place = { 0 };
      g_auto (Outcome) run = { 0 }, verified = { 0 }, tuned = { 0 };
      g_autofree char *saved = NULL;
      double left = i == 0 ? exp (-1) : pow (1 - 1.0 / 1024, 1024), left2;

      place_init (&place, c < 2 ? "sizer-3" : "resizer-3", models[i]);
      saved = g_build_filename (place.folder, "run.saved", NULL);
      run = weir_at (&place,
                     ARGUMENTS ("run", "--trust", "all", "--solver", "dormand-prince", "--rtol",
                                "1e-10", "--communication-step", "0.03125", place.model));
      g_assert_cmpstr (run.err, ==, "");
      g_assert_cmpint (run.status, ==, 0);
      for (guint k = 0; k < 3; k++)
        g_assert_cmpfloat_with_epsilon (get_last_from_end (run.out, 2 - k),
                                        u[k] + (x0[k] - u[k]) * left + 0.5, 1e-8);
      verified = weir_at (&place, ARGUMENTS ("verify", "--trust", "all", place.model));
      g_assert_cmpint (verified.status, ==, 0);
      tuned = weir_at (&place, ARGUMENTS ("run", "--trust", "all", "--solver", "dormand-prince",
                                          "--rtol", "1e-10", "--communication-step", "0.03125",
                                          "--until", "0.5", "--checkpoint", saved, place.model));
      g_assert_cmpint (tuned.status, ==, 0);
      outcome_clear (&tuned);
      tuned = weir_at (&place, ARGUMENTS ("run", "--trust", "all", "--solver", "dormand-prince",
                                          "--rtol", "1e-10", "--communication-step", "0.03125",
                                          "--restore", saved, "--set", "Part.k=2", place.model));
      g_assert_cmpint (tuned.status, ==, 0);
      left = i == 0 ? exp (-0.5) : pow (1 - 1.0 / 1024, 512);
      left2 = i == 0 ? exp (-1) : pow (1 - 2.0 / 1024, 512);
      g_assert_cmpfloat_with_epsilon (get_last_from_end (tuned.out, 2),
                                      0.5 + (1 + 2 * left - 0.5) * left2 + 0.5, 1e-8);
    }
}

/* A run that is continued keeps its sizes, though the FMU would allow that they change. */
static void
test_kept_sizes (void)
{
  static const char *const files[] = { "sizer-3", "resizer-3" };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_auto (Place) place = { 0 };
      g_auto (Outcome) run = { 0 }, set = { 0 }, edited = { 0 };
      g_autofree char *saved = NULL, *text = NULL;
      g_auto (GStrv) halves = NULL;

      place_init (&place, files[i], FMU ("n = 2"));
      saved = g_build_filename (place.folder, "run.saved", NULL);
      run = weir_at (&place, ARGUMENTS ("run", "--trust", "all", "--log", "Part.y", "--until",
                                        "0.5", "--checkpoint", saved, place.model));
      g_assert_cmpint (run.status, ==, 0);
      set = weir_at (&place, ARGUMENTS ("run", "--trust", "all", "--log", "Part.y", "--restore",
                                        saved, "--set", "Part.n=3", place.model));
      g_assert_cmpint (set.status, ==, 2);
      assert_has (set.err, "--set Part.n=3: it gives arrays their sizes, and the run that is "
                           "continued keeps those it began with");
      g_assert_true (g_file_get_contents (place.model, &text, NULL, NULL));
      halves = g_strsplit (text, "n = 2", 2);
      g_free (text);
      text = g_strjoinv ("n = 3", halves);
      g_assert_true (g_file_set_contents (place.model, text, -1, NULL));
      edited = weir_at (&place, ARGUMENTS ("run", "--trust", "all", "--log", "Part.y", "--restore",
                                           saved, place.model));
      g_assert_cmpint (edited.status, !=, 0);
      assert_has (edited.err, "it belongs to a system that is built differently");
    }
}

/* Sizes that make no sense, each with a sentence; and what an FMU makes of its own. */
static void
test_wrong_sizes (void)
{
  static const struct {
    const char *model, *text;
    int status;
  } cases[] = {
    { FMU ("n = 0"), "error[FMU30]: Part: \"n\" is 0, but must be from 1 to 8.", 1 },
    { FMU ("n = 9"), "error[FMU30]: Part: \"n\" is 9, but must be from 1 to 8.", 1 },
    { FMU ("n = 2.5"),
      "error[FMU30]: Part: \"n\" is 2.5, but it is the size of arrays: a whole number is needed.",
      1 },
    { FMU ("n = [2, 3]"), "error[FMU30]: Part: \"n\" takes one number.", 1 },
    { SIZED ("n = 4", "auto"), "Input 'u' takes size 4, but output 'y' of U has size 3.", 1 },
    { FMU ("n = 3; x = [1, 2]"), "\"x\" has 3 values, but is to start with 2.", 1 },
    { FMU ("n = 3"),
      "hint[FMU31]: Part: \"A\" has 9 elements here and 4 in the file: those that the file has "
      "none "
      "for start with 0.",
      0 },
    { FMU ("n = 7; x = 1; A = 0"), "fmi3ExitConfigurationMode", 3 },
    { FMU ("n = 8; x = 1; A = 0"),
      "with its structural parameters the FMU has 7 states and 0 event indicators, where the "
      "dimensions in its file come to 8 and 0.",
      3 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Place) place = { 0 };
      g_auto (Outcome) outcome = { 0 };

      place_init (&place, "sizer-3", cases[i].model);
      outcome = weir_at (&place, cases[i].status == 3
                                     ? ARGUMENTS ("run", "--trust", "all", place.model)
                                     : ARGUMENTS ("check", place.model));
      if (strstr (cases[i].status == 3 ? outcome.err : outcome.out, cases[i].text) == NULL)
        g_error ("%u: no \"%s\" in:\n%s%s", i, cases[i].text, outcome.out, outcome.err);
      g_assert_cmpint (outcome.status, ==, cases[i].status);
    }
}

/* What cannot be wired is told, and a start beyond the limits of the file. */
static void
test_told (void)
{
  g_auto (Place) place = { 0 };
  g_auto (Place) other = { 0 };
  g_auto (Outcome) model = { 0 }, fmu = { 0 }, limits = { 0 };

  place_init (&place, "speller-3", FMU (""));
  model = weir_at (&place, ARGUMENTS ("check", place.model));
  g_assert_cmpint (model.status, ==, 0);
  assert_has (model.out, "hint[FMU28]: Part: No wire carries arrays of texts or bytes, nor clocked "
                         "ones, so that these are no ports of a block: words. Inputs among them "
                         "keep");
  fmu = weir_at (&place, ARGUMENTS ("check", place.fmu));
  g_assert_cmpint (fmu.status, ==, 0);
  assert_has (fmu.out, "hint[FMU28]: No wire carries arrays of texts or bytes");
  place_init (&other, "chooser-3", FMU ("gain = -1"));
  limits = weir_at (&other, ARGUMENTS ("check", other.model));
  g_assert_cmpint (limits.status, ==, 0);
  assert_has (limits.out,
              "warning[FMU29]: Part: \"gain\" starts with -1, beyond what the FMU is made "
              "for: from 0 to 10.");
  g_assert_null (strstr (limits.out, "FMU28"));
}

#define SPELLER(id, name, mode)                                                                    \
  "<block id=\"" id "\" type=\"FMU\" name=\"" name "\" x=\"0\" y=\"" id                            \
  "00\"><parameter name=\"file\" value=\"part.fmu\"/><parameter "                                  \
  "name=\"mode\" value=\"" mode "\"/></block>\n"
#define BLOCK(id, type, name)                                                                      \
  "<block id=\"" id "\" type=\"" type "\" name=\"" name "\" x=\"0\" y=\"" id "00\"/>\n"

/* What A says goes into a Subsystem, where B reverses it and an In leads to an Out, and comes out,
 * where C and D say it in reverse: D what A said, C that in reverse. */
#define THROUGH(mode, unit)                                                                        \
  SPELLER ("1", "A", mode)                                                                         \
  "<block id=\"2\" type=\"Subsystem\" name=\"Sub\" x=\"0\" y=\"200\">" unit                        \
  "<diagram>" BLOCK ("11", "In", "text") SPELLER ("12", "B", "exchange")                           \
      BLOCK ("13", "Out", "back") BLOCK ("14", "Out", "echo") WIRE ("15", "11.y", "12.said")       \
          WIRE ("16", "12.reversed", "13.u")                                                       \
              WIRE ("17", "11.y", "14.u") "</diagram></block>\n" SPELLER ("3", "C", mode)          \
                  SPELLER ("4", "D", mode) WIRE ("5", "1.word", "2.text")                          \
                      WIRE ("6", "2.echo", "3.said") WIRE ("7", "2.back", "4.said")

/* Whether texts that pass borders of Subsystems arrive: their numbers of letters, and, as the text
 * itself, by what a checkpoint has of them. */
static void
test_texts_through (void)
{
  static const char *const models[] = {
    THROUGH ("exchange", ""),
    THROUGH ("co-simulation", ""),
    THROUGH ("exchange", "<unit name=\"steps\" value=\"1\"/>"),
    THROUGH ("co-simulation", "<unit name=\"steps\" value=\"1\"/>"),
  };

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    for (guint version = 2; version <= 3; version++)
      {
        g_auto (Place) place = { 0 };
        g_auto (Outcome) check = { 0 }, run = { 0 }, verify = { 0 }, again = { 0 };
        g_autofree char *fmu = g_strdup_printf ("speller-%u", version);
        g_autofree char *saved = NULL, *bytes = NULL;
        gboolean has_word = FALSE, has_drow = FALSE;
        gsize size;

        place_init (&place, fmu, models[i]);
        saved = g_build_filename (place.folder, "half.checkpoint", NULL);
        check = weir_at (&place, ARGUMENTS ("check", place.model));
        g_assert_cmpint (check.status, ==, 0);
        run = weir_at (&place,
                       ARGUMENTS ("run", "--trust", "all", "--log", "C.length", "--log", "D.length",
                                  "--communication-step", "0.0078125", "--checkpoint", saved,
                                  "--checkpoint-at", "0.9", place.model));
        g_assert_cmpint (run.status, ==, 0);
        g_assert_cmpfloat (get_last (run.out), ==, version == 3 ? 8 : 6);
        g_assert_true (g_file_get_contents (saved, &bytes, &size, NULL));
        for (gsize k = 0; k + 7 <= size; k++)
          {
            has_word |= memcmp (bytes + k, "word 3", 7) == 0;
            has_drow |= memcmp (bytes + k, "3 drow", 7) == 0;
          }
        g_assert_true (has_word && has_drow);
        again = weir_at (&place, ARGUMENTS ("run", "--trust", "all", "--log", "D.length",
                                            "--communication-step", "0.0078125", "--restore", saved,
                                            place.model));
        g_assert_cmpint (again.status, ==, 0);
        g_assert_cmpfloat (get_last (again.out), ==, version == 3 ? 8 : 6);
        verify = weir_at (&place, ARGUMENTS ("verify", "--trust", "all", place.model));
        g_assert_cmpint (verify.status, ==, 0);
      }
}

/* A wire leads from a text to a text, from bytes to bytes of one kind. */
static void
test_texts_joined (void)
{
  static const struct {
    const char *blocks, *text;
    int status;
  } cases[] = {
    { WIRE ("9", "1.ink", "2.bytes"), "", 0 },
    { WIRE ("9", "1.word", "2.said"), "", 0 },
    { WIRE ("9", "1.mirrored", "2.bytes"),
      "error[NET11]: B: Input 'bytes' takes bytes of the kind application/x-ink, but output "
      "'mirrored' of A gives application/x-mirror.",
      1 },
    { WIRE ("9", "1.word", "2.bytes"),
      "error[NET11]: B: Input 'bytes' takes bytes, but output 'word' of A carries texts.", 1 },
    { WIRE ("9", "1.ink", "2.said"),
      "error[NET11]: B: Input 'said' takes texts, but output 'ink' of A carries bytes.", 1 },
    { WIRE ("9", "1.length", "2.said"),
      "error[NET11]: B: Input 'said' takes texts, but output 'length' of A carries numbers.", 1 },
    { SCOPE WIRE ("9", "1.word", "3.in1"),
      "error[NET11]: Scope: Input 'in1' takes numbers, but output 'word' of A carries texts.", 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Place) place = { 0 };
      g_auto (Outcome) check = { 0 };
      g_autofree char *blocks = g_strconcat (SPELLER ("1", "A", "auto") SPELLER ("2", "B", "auto"),
                                             cases[i].blocks, NULL);

      place_init (&place, "speller-3", blocks);
      check = weir_at (&place, ARGUMENTS ("check", place.model));
      assert_has (check.out, cases[i].text);
      g_assert_cmpint (check.status, ==, cases[i].status);
      g_assert_null (strstr (check.out, "NET02"));
    }
}

/* What is recorded are numbers: texts are refused by name, and passed over where all is asked for.
 */
static void
test_texts_recorded (void)
{
  g_auto (Place) place = { 0 };
  g_auto (Outcome) named = { 0 }, all = { 0 }, units = { 0 };

  place_init (&place, "speller-3", SPELLER ("1", "A", "co-simulation"));
  named = weir_at (&place, ARGUMENTS ("run", "--trust", "all", "--log", "A.word", place.model));
  g_assert_cmpint (named.status, ==, 2);
  assert_has (named.err, "--log: \"A.word\" carries a text or bytes, and what is recorded are "
                         "numbers");
  all = weir_at (&place, ARGUMENTS ("run", "--trust", "all", "--log", "A.*", place.model));
  g_assert_cmpint (all.status, ==, 0);
  g_assert_true (g_str_has_prefix (all.out, "time,A.length\n"));
  units = weir_at (&place, ARGUMENTS ("run", "--trust", "all", place.model));
  g_assert_cmpint (units.status, ==, 0);
  g_assert_true (g_str_has_prefix (units.out, "time,A.length\n"));
}

/* A package has their connectors, with the kind of bytes, and runs the same. */
static void
test_texts_packaged (void)
{
  static const char *const versions[] = { "1", "2" };

  for (guint i = 0; i < G_N_ELEMENTS (versions); i++)
    {
      g_auto (Place) place = { 0 };
      g_auto (Outcome) export = { 0 }, run = { 0 };
      g_autoptr (WeirFmuArchive) archive = NULL;
      g_autoptr (GBytes) structure = NULL;
      g_autofree char *package = NULL, *text = NULL;
      guint entry;

      place_init (&place, "speller-3",
                  SPELLER ("1", "A", "co-simulation") SPELLER ("2", "B", "co-simulation")
                      WIRE ("4", "1.word", "2.said") WIRE ("5", "1.ink", "2.bytes"));
      package = g_build_filename (place.folder, "pair.ssp", NULL);
      export = weir_at (&place,
                        ARGUMENTS ("export", "--ssp", versions[i], "--out", package, place.model));
      g_assert_cmpint (export.status, ==, 0);
      archive = weir_fmu_archive_open (package, NULL);
      g_assert_true (weir_fmu_archive_find (archive, "SystemStructure.ssd", &entry));
      structure = weir_fmu_archive_read (archive, entry, NULL);
      text = g_strndup (g_bytes_get_data (structure, NULL), g_bytes_get_size (structure));
      assert_has (text, "name=\"word\" kind=\"output\"><ssc:String/>");
      assert_has (text,
                  "name=\"bytes\" kind=\"input\"><ssc:Binary mime-type=\"application/x-ink\"/>");
      run = weir_at (&place, ARGUMENTS ("run", "--trust", "all", "--log", "B.length", "--until",
                                        "1", package));
      g_assert_cmpint (run.status, ==, 0);
      g_assert_cmpfloat (get_last (run.out), ==, 7);
    }
}

/* One that is commented out says nothing. */
static void
test_texts_grounded (void)
{
  g_auto (Place) place = { 0 };
  g_auto (Outcome) run = { 0 };

  place_init (
      &place, "speller-3",
      "<block id=\"1\" type=\"FMU\" name=\"A\" x=\"0\" y=\"0\" "
      "mode=\"commented-out\"><parameter name=\"file\" value=\"part.fmu\"/></block>\n" SPELLER (
          "2", "B", "auto") WIRE ("4", "1.word", "2.said") WIRE ("5", "2.word", "1.said")
          WIRE ("6", "1.ink", "2.bytes"));
  run = weir_at (&place, ARGUMENTS ("run", "--trust", "all", "--log", "B.length", place.model));
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpfloat (get_last (run.out), ==, 0);
}

/* What the file says that a port measures holds for wires: a length in metres is not taken for one
 * in millimetres, and what nothing is said of fits anything. */
static void
test_units (void)
{
  static const char two[] = FMU (
      "") "<block id=\"2\" type=\"FMU\" name=\"Second\" x=\"200\" "
          "y=\"100\"><parameter name=\"file\" value=\"part.fmu\"/></block>";
  static const struct {
    const char *input, *text;
    int status;
  } cases[] = {
    { "2.u1",
      "error[UNI03]: Second: Input 'u1' takes mm, but output 'y' of Part is in m; put a "
      "UnitConversion block from m to mm between them.",
      1 },
    { "2.u2", "", 0 }
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Place) place = { 0 };
      g_auto (Outcome) check = { 0 };
      g_autofree char *blocks = g_strdup_printf ("%s<wire id=\"4\" from=\"1.y\" to=\"%s\"/>", two,
                                                 cases[i].input);

      place_init (&place, "measurer-2", blocks);
      check = weir_at (&place, ARGUMENTS ("check", place.model));
      g_assert_cmpint (check.status, ==, cases[i].status);
      assert_has (check.out, cases[i].text);
    }
}

/* A clock that is an output triggers one of another FMU, which adds 2 at each tick, at 0.5 and 1 s;
 * and a pulse one of a third, at 0.4 and 0.9 s, where it goes up. */
static void
test_clocks (void)
{
  static const char model[] = FMU (
      "") "<block id=\"2\" type=\"FMU\" name=\"Second\" x=\"200\" y=\"100\"><parameter "
          "name=\"file\" value=\"part.fmu\"/></block><block id=\"5\" type=\"FMU\" name=\"Third\" "
          "x=\"200\" y=\"200\"><parameter name=\"file\" value=\"part.fmu\"/><parameter "
          "name=\"start\" "
          "value=\"added = 10\"/></block><block id=\"6\" type=\"Pulse\" name=\"Pulse\" x=\"0\" "
          "y=\"200\"><parameter name=\"period\" value=\"0.5\"/><parameter name=\"delay\" "
          "value=\"0.4\"/></block>"
          "<block id=\"3\" type=\"Scope\" name=\"Scope\" x=\"300\" y=\"100\"><parameter "
          "name=\"inputs\" value=\"2\"/></block>" WIRE ("10", "1.even", "2.trigger")
              WIRE ("11", "6.y", "5.trigger") WIRE ("12", "2.sum", "3.in1")
                  WIRE ("13", "5.sum", "3.in2");
  static const struct {
    const char *until;
    double second, third;
  } cases[] = { { "0.39", 0, 0 }, { "0.45", 0, 10 }, { "0.6", 2, 10 }, { "1.01", 4, 20 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Place) place = { 0 };
      g_auto (Outcome) run = { 0 };
      g_auto (GStrv) lines = NULL, cells = NULL;

      place_init (&place, "ticker-3", model);
      run = weir_at (&place,
                     ARGUMENTS ("run", "--trust", "all", "--until", cases[i].until, place.model));
      g_assert_cmpstr (run.err, ==, "");
      g_assert_cmpint (run.status, ==, 0);
      lines = g_strsplit (g_strchomp (run.out), "\n", -1);
      cells = g_strsplit (lines[g_strv_length (lines) - 1], ",", -1);
      g_assert_cmpfloat (g_ascii_strtod (cells[1], NULL), ==, cases[i].second);
      g_assert_cmpfloat (g_ascii_strtod (cells[2], NULL), ==, cases[i].third);
    }
}

/* --- What is wrong --------------------------------------------------------------------------- */

static void
test_liar (void)
{
  g_auto (Place) place = { 0 };
  g_auto (Outcome) outcome = { 0 };

  place_init (&place, "liar-3", FMU ("lie = 1") SCOPE WIRE ("4", "1.y", "3.in1"));
  outcome = weir_at (&place, ARGUMENTS ("audit", "--trust", "all", place.model));
  g_assert_cmpint (outcome.status, ==, 1);
  assert_has (outcome.out, "error[AUD01]: Part: cache entry outputs 1 depends on input u2");
}

/* An omission that its audit has proven is mended, told on the block, and kept by checksum: then
 * commands that run nothing know of it too. */
static void
test_verdict (void)
{
  static const char
      *const text = "Part: \"part.fmu\" is not as it declares, found by an audit at 6 "
                    "points: y depends on u2, which the file does not say.";
  g_auto (Place) place = { 0 };
  g_auto (Outcome) before = { 0 }, run = { 0 }, after = { 0 }, audit = { 0 };
  g_autofree char *kept = NULL;

  place_init (
      &place, "fibber-3",
      FMU ("") "<block id=\"2\" type=\"Sine\" name=\"Sine\" x=\"0\" y=\"0\"/>\n" SCOPE WIRE (
          "4", "1.y", "3.in1") WIRE ("5", "2.y", "1.u2"));
  before = weir_at (&place, ARGUMENTS ("check", place.model));
  g_assert_cmpint (before.status, ==, 0);
  g_assert_null (strstr (before.out, "FMU27"));
  kept = g_build_filename (place.state, "weir", "fmu-verdicts", place.checksum, NULL);
  g_assert_false (g_file_test (kept, G_FILE_TEST_EXISTS));
  run = weir_at (&place, ARGUMENTS ("verify", "--trust", "all", place.model));
  g_assert_cmpint (run.status, ==, 0);
  assert_has (run.err, text);
  g_assert_true (g_file_test (kept, G_FILE_TEST_EXISTS));
  after = weir_at (&place, ARGUMENTS ("check", place.model));
  g_assert_cmpint (after.status, ==, 0);
  assert_has (after.out, text);
  audit = weir_at (&place, ARGUMENTS ("audit", "--trust", "all", place.model));
  g_assert_cmpint (audit.status, ==, 0);
}

/* Steps of co-simulation, the default ones of 0.01 s; the fall as Euler's method has it in steps of
 * 1/1024 s and of what is left: 1.5 - 5 t^2 + 5 sum of the squares of the steps. */
static void
test_unit (void)
{
  static const char *const fmus[] = { "ball-2", "ball-3" };
  const double h = 1.0 / 1024, rest = 0.01 - 10 * h;

  for (guint i = 0; i < G_N_ELEMENTS (fmus); i++)
    {
      g_auto (Place) place = { 0 };
      g_auto (Outcome) outcome = { 0 };

      place_init (
          &place, fmus[i],
          "<block id=\"1\" type=\"FMU\" name=\"Part\" x=\"100\" y=\"100\">\n<parameter "
          "name=\"file\" value=\"part.fmu\"/><parameter name=\"start\" value=\"h = 1.5; g = "
          "-10\"/><parameter name=\"mode\" value=\"co-simulation\"/></block>\n" SCOPE WIRE (
              "4", "1.h", "3.in1"));
      outcome = weir_at (&place,
                         ARGUMENTS ("run", "--trust", "all", "--until", "0.4", place.model));
      g_assert_cmpstr (outcome.err, ==, "");
      g_assert_cmpint (outcome.status, ==, 0);
      g_assert_cmpfloat_with_epsilon (get_last (outcome.out),
                                      1.5 - 5 * 0.16 + 5 * 40 * (10 * h * h + rest * rest), 1e-12);
    }
}

static void
test_crash (void)
{
  g_auto (Place) place = { 0 };
  g_auto (Outcome) outcome = { 0 };

  place_init (&place, "hostile-3", FMU ("deed = 1; from = 0.5") SCOPE WIRE ("4", "1.x", "3.in1"));
  outcome = weir_at (&place, ARGUMENTS ("run", "--trust", "all", "--solver", "euler", "--step",
                                        "0.125", place.model));
  g_assert_cmpint (outcome.status, ==, 3);
  assert_has (outcome.err, "Part");
  assert_has (outcome.err, "ended its process by a segmentation fault at t = 0.5");
  g_assert_null (strchr (outcome.err, '\n')[1] != '\0' ? outcome.err : NULL);
  assert_has (outcome.out, "time,"); /* what was recorded until then */
}

static void
test_problems (void)
{
  static const struct {
    const char *block, *text;
  } cases[] = {
    { FMU ("nothing = 1"), "no parameter, input or state \"nothing\"" },
    { FMU ("h"), "\"h\" gives no value at the start" },
    { "<block id=\"1\" type=\"FMU\" name=\"Part\" x=\"1\" y=\"1\"><parameter name=\"file\" "
      "value=\"other.fmu\"/></block>",
      "error[FMU25]: Part: There is no file \"other.fmu\"" },
    { "<block id=\"1\" type=\"FMU\" name=\"Part\" x=\"1\" y=\"1\"><parameter name=\"file\" "
      "value=\"m.weir\"/></block>",
      "error[FMU25]: Part: The FMU \"m.weir\" cannot be read" },
    { "<block id=\"1\" type=\"FMU\" name=\"Part\" x=\"1\" y=\"1\"/>", "No FMU is chosen" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Place) place = { 0 };
      g_auto (Outcome) outcome = { 0 };

      place_init (&place, "ball-3", cases[i].block);
      outcome = weir_at (&place, ARGUMENTS ("check", place.model));
      g_assert_cmpint (outcome.status, ==, 1);
      assert_has (outcome.out, cases[i].text);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fmi/blocks/trust", test_trust);
  g_test_add_func ("/fmi/blocks/fall", test_fall);
  g_test_add_func ("/fmi/blocks/feedback", test_feedback);
  g_test_add_func ("/fmi/blocks/loop", test_loop);
  g_test_add_func ("/fmi/blocks/choices", test_choices);
  g_test_add_func ("/fmi/blocks/set", test_set);
  g_test_add_func ("/fmi/blocks/tuned", test_tuned);
  g_test_add_func ("/fmi/blocks/states", test_states);
  g_test_add_func ("/fmi/blocks/sizes", test_sizes);
  g_test_add_func ("/fmi/blocks/kept-sizes", test_kept_sizes);
  g_test_add_func ("/fmi/blocks/wrong-sizes", test_wrong_sizes);
  g_test_add_func ("/fmi/blocks/told", test_told);
  g_test_add_func ("/fmi/blocks/texts-through", test_texts_through);
  g_test_add_func ("/fmi/blocks/texts-joined", test_texts_joined);
  g_test_add_func ("/fmi/blocks/texts-recorded", test_texts_recorded);
  g_test_add_func ("/fmi/blocks/texts-packaged", test_texts_packaged);
  g_test_add_func ("/fmi/blocks/texts-grounded", test_texts_grounded);
  g_test_add_func ("/fmi/blocks/units", test_units);
  g_test_add_func ("/fmi/blocks/clocks", test_clocks);
  g_test_add_func ("/fmi/blocks/liar", test_liar);
  g_test_add_func ("/fmi/blocks/verdict", test_verdict);
  g_test_add_func ("/fmi/blocks/unit", test_unit);
  g_test_add_func ("/fmi/blocks/crash", test_crash);
  g_test_add_func ("/fmi/blocks/problems", test_problems);
  return g_test_run ();
}

/* The real program: its commands other than run, on the examples. */
#include "program.h"

#include <glib/gstdio.h>

/* The table of x_{n+1} = x_n + 1, y_n = 10 x_n, to the letter. */
static void
test_explain (void)
{
  g_autofree char *file = example ("sampled.weir");
  g_auto (Outcome) change = weir (ARGUMENTS ("explain", file, "Gain.gain", "--until", "1"));
  g_auto (Outcome) depends = weir (ARGUMENTS ("explain", file, "Gain.y"));
  g_auto (Outcome) unknown = weir (ARGUMENTS ("explain", file, "Gain.k"));

  g_assert_cmpint (change.status, ==, 0);
  g_assert_cmpstr (change.out, ==,
                   "A change of Gain.gain invalidates 1 value, at most 1 step away:\n"
                   "Gain:parameter gain\n"
                   "  Gain:cache y  (out of date)\n");
  g_assert_cmpint (depends.status, ==, 0);
  g_assert_true (g_str_has_prefix (depends.out, "Gain.y depends on 3 cached values, at most "));
  g_assert_nonnull (strstr (depends.out, "Reference:t\n"));
  g_assert_cmpint (unknown.status, ==, 2);
  g_assert_nonnull (strstr (unknown.err,
                            "There is no \"k\" (from \"Gain.k\") in Gain; inputs u; outputs "
                            "y; parameters gain."));
}

/* Every example, with and without cache, bit for bit. */
static void
test_caching_on_and_off (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("WEIR_DATA"), "examples", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".weir"))
      {
        g_autofree char *file = g_build_filename (folder, name, NULL);
        g_auto (Outcome) outcome = weir (ARGUMENTS ("verify", file));

        g_assert_cmpint (outcome.status, ==, 0);
        g_assert_nonnull (strstr (outcome.out, ": identical, "));
        g_assert_nonnull (strstr (outcome.out, " 0 hits uncached"));
      }
}

/* --- Other commands -------------------------------------------------------------------------- */

static const char *const examples[] = { "counter.weir", "equations.weir", "nested.weir",
                                        "pendulum.weir", "sampled.weir" };

static void
test_verify (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    {
      g_autofree char *file = example (examples[i]);
      g_auto (Outcome) outcome = weir (ARGUMENTS ("verify", file));
      g_autoptr (GRegex) regex = g_regex_new (
          "identical, [0-9 ]*[1-9][0-9 ]* values compared\n"
          ".*: [1-9][0-9 ]* hits cached, 0 hits uncached, [1-9][0-9 ]* steps\n$",
          0, 0, NULL);

      g_assert_cmpint (outcome.status, ==, 0);
      if (!g_regex_match (regex, outcome.out, 0, NULL))
        g_error ("%s", outcome.out);
    }
}

/* A sum that forgot to declare its second input is found by the search, and the block named as one
 * that breaks rules. */
static void
test_bisection (void)
{
  g_autofree char *file = g_test_build_filename (G_TEST_DIST, "data", "forgotten.weir", NULL);
  g_auto (Outcome) different = weir (ARGUMENTS ("verify", "--culprits", file));
  g_autofree char *honest = example ("counter.weir");
  g_auto (Outcome) same = weir (ARGUMENTS ("verify", "--culprits", honest));

  g_assert_cmpint (different.status, ==, 1);
  g_assert_nonnull (strstr (different.out, ": different at t = "));
  g_assert_nonnull (strstr (different.out,
                            " entries is to blame: Total:y; without caching it the runs are "
                            "identical ("));
  g_assert_nonnull (strstr (different.out, "break rules on purpose: Total\n"));
  g_assert_cmpint (same.status, ==, 0);
  g_assert_nonnull (strstr (same.out, ": identical, "));
  g_assert_null (strstr (same.out, "to blame"));
}

static void
test_audit (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    {
      g_autofree char *file = example (examples[i]);
      g_auto (Outcome) outcome = weir (ARGUMENTS ("audit", file, "--until", "1"));
      g_autoptr (GRegex) regex = g_regex_new (
          "^[^\n]*: declarations hold; [1-9][0-9]* entries, [1-9][0-9]* sources, "
          "[1-9] instants, [1-9][0-9]* values compared\n$",
          0, 0, NULL);

      g_assert_cmpint (outcome.status, ==, 0);
      g_assert_cmpstr (outcome.err, ==, "");
      if (!g_regex_match (regex, outcome.out, 0, NULL))
        g_error ("%s", outcome.out);
    }
}

static void
test_check_examples (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    {
      g_autofree char *file = example (examples[i]);
      g_auto (Outcome) outcome = weir (ARGUMENTS ("check", file));

      g_assert_cmpstr (outcome.out, ==, "");
      g_assert_cmpint (outcome.status, ==, 0);
    }
}

static void
test_info (void)
{
  g_autofree char *file = example ("nested.weir");
  g_auto (Outcome) outcome = weir (ARGUMENTS ("info", "--layout", file));

  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_nonnull (strstr (outcome.out, "of which 4 subsystems"));
  g_assert_nonnull (strstr (outcome.out, "levels           4\n"));
  g_assert_nonnull (strstr (outcome.out, "states           3: 0 q, 0 v, 3 z\n"));
  g_assert_nonnull (strstr (outcome.out, "\n     2     1  0  0  1  Servo.Plant.Position\n"));
}

/* The compiled equations: roles and the order of computation, with lines. */
static void
test_info_full (void)
{
  g_autofree char *file = example ("equations.weir");
  g_auto (Outcome) outcome = weir (ARGUMENTS ("info", "--full", file));

  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_nonnull (strstr (outcome.out, "\nPrey\n"));
  g_assert_nonnull (strstr (outcome.out, "\nx         state       -     3     -\n"));
  g_assert_nonnull (strstr (outcome.out, "\na         parameter   -     2     -\n"));
  g_assert_nonnull (strstr (outcome.out, "\nD(x)      derivative  -     3     "));
  g_assert_nonnull (strstr (outcome.out, "\nD(x) ~ a*x - b*x*y  # line 3\n"));
}

static void
test_blocks (void)
{
  g_auto (Outcome) all = weir (ARGUMENTS ("blocks"));
  g_auto (Outcome) one = weir (ARGUMENTS ("blocks", "Counter"));
  g_auto (Outcome) none = weir (ARGUMENTS ("blocks", "Flux"));

  g_assert_cmpint (all.status, ==, 0);
  g_assert_nonnull (strstr (all.out, "\nZeroOrderHold "));
  g_assert_cmpint (one.status, ==, 0);
  g_assert_nonnull (strstr (one.out, "  period = 0.02 s, greater than 0\n"));
  g_assert_nonnull (strstr (one.out, "\nOutputs:\n  y (size 1)\n"));
  g_assert_cmpint (none.status, ==, 2);
  g_assert_cmpstr (none.err, ==, "weir: there is no block type \"Flux\"; weir blocks lists all\n");
}

static void
test_help (void)
{
  static const char *const commands[] = { "run", "check", "verify", "audit", "info", "blocks" };
  g_auto (Outcome) all = weir (ARGUMENTS ("--help"));
  g_auto (Outcome) version = weir (ARGUMENTS ("--version"));

  g_assert_cmpint (all.status, ==, 0);
  g_assert_cmpint (version.status, ==, 0);
  g_assert_true (g_str_has_prefix (version.out, "weir 0."));
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_auto (Outcome) outcome = weir (ARGUMENTS (commands[i], "--help"));
      g_autofree char *line = g_strdup_printf ("\n  %s ", commands[i]);
      g_autofree char *usage = g_strdup_printf ("weir %s [", commands[i]);

      g_assert_nonnull (strstr (all.out, line));
      g_assert_cmpint (outcome.status, ==, 0);
      g_assert_nonnull (strstr (outcome.out, usage));
    }
}

/* --- Locale ---------------------------------------------------------------------------------- */

/* A decimal comma in the user's locale changes no byte of the results. */
static void
test_locale (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *locale = g_build_filename (folder, "de_DE.UTF-8", NULL);
  g_autofree char *file = example ("sampled.weir");
  const char *const define[] = { "localedef", "-i", "de_DE", "-f", "UTF-8", locale, NULL };
  const char *const german[] = { "LOCPATH", folder, "LC_ALL", "de_DE.UTF-8", NULL };
  int status = -1;

  if (!g_spawn_sync (NULL, (char **) define, NULL,
                     G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                     NULL, NULL, NULL, NULL, &status, NULL)
      || !g_file_test (locale, G_FILE_TEST_IS_DIR))
    {
      g_test_skip ("The locale de_DE.UTF-8 cannot be made here.");
    }
  else
    {
      g_auto (Outcome) plain = weir (ARGUMENTS ("run", file, "--until", "1.5"));
      g_auto (Outcome) outcome = weir_in (german, ARGUMENTS ("run", file, "--until", "1.5"));
      g_auto (Outcome) stats = weir_in (german, ARGUMENTS ("run", file, "--stats=json"));

      g_assert_cmpint (outcome.status, ==, 0);
      g_assert_cmpstr (outcome.out, ==, plain.out);
      g_assert_nonnull (strstr (stats.out, "\"absolute_tolerance\": 1e-12"));
      g_assert_null (g_regex_match_simple ("[0-9],[0-9]", stats.out, 0, 0) ? stats.out : NULL);
    }
  {
    const char *const remove[] = { "rm", "-r", folder, NULL };

    g_spawn_sync (NULL, (char **) remove, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                  NULL);
  }
}

/* Of four units the wires against their order are late, or all six from unit to unit. */
static void
test_render_units (void)
{
  static const char *const schedules[] = { "cascading", "full" };
  static const guint n_late[] = { 3, 6 };
  g_autofree char *units = example ("vehicle-units.weir");
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *model = g_build_filename (folder, "a.weir", NULL);
  g_autofree char *path = g_build_filename (folder, "a.svg", NULL);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (units, &text, NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (schedules); i++)
    {
      g_auto (GStrv) parts = g_strsplit (text, "\"cascading\"", -1);
      g_autofree char *by = g_strdup_printf ("\"%s\"", schedules[i]);
      g_autofree char *changed = g_strjoinv (by, parts);
      g_autofree char *svg = NULL;
      g_auto (GStrv) dashes = NULL;
      g_auto (Outcome) drawn = { 0 };

      g_assert_cmpuint (g_strv_length (parts), ==, 2);
      g_assert_true (g_file_set_contents (model, changed, -1, NULL));
      drawn = weir (ARGUMENTS ("render", model, "--out", path));
      g_assert_cmpstr (drawn.err, ==, "");
      g_assert_cmpint (drawn.status, ==, 0);
      g_assert_true (g_file_get_contents (path, &svg, NULL, NULL));
      dashes = g_strsplit (svg, "stroke-dasharray:9,3", -1);
      g_assert_cmpuint (g_strv_length (dashes) - 1, ==, n_late[i]);
    }
  g_unlink (path);
  g_unlink (model);
  g_rmdir (folder);
}

/* Each format, a Subsystem, the same bytes twice; what cannot be is said with a name. */
static void
test_render (void)
{
  static const struct {
    const char *name, *start;
  } cases[] = { { "a.png", "\x89PNG" }, { "b.svg", "<?xml" }, { "c.PDF", "%PDF" } };
  g_autofree char *nested = example ("nested.weir"), *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  gsize size_of_root = 0;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_build_filename (folder, cases[i].name, NULL);
      g_autofree char *first = NULL, *second = NULL;
      gsize n_first, n_second;

      for (guint k = 0; k < 2; k++)
        {
          g_auto (Outcome) drawn = weir (ARGUMENTS ("render", nested, "--out", path));

          g_assert_cmpstr (drawn.err, ==, "");
          g_assert_cmpint (drawn.status, ==, 0);
          g_assert_true (g_file_get_contents (path, k == 0 ? &first : &second,
                                              k == 0 ? &n_first : &n_second, NULL));
        }
      g_assert_true (g_str_has_prefix (first, cases[i].start));
      g_assert_cmpmem (first, n_first, second, n_second);
      size_of_root = n_first;
      if (i == 2)
        {
          g_auto (Outcome)
              inside = weir (ARGUMENTS ("render", nested, "--inside", "Servo.Plant", "-o", path));
          g_autofree char *other = NULL;
          gsize n;

          g_assert_cmpstr (inside.err, ==, "");
          g_assert_cmpint (inside.status, ==, 0);
          g_assert_true (g_file_get_contents (path, &other, &n, NULL));
          g_assert_true (n != size_of_root || memcmp (other, second, n) != 0);
        }
      g_unlink (path);
    }
  g_rmdir (folder);

  {
    g_auto (Outcome) gif = weir (ARGUMENTS ("render", nested, "--out", "a.gif"));
    g_auto (Outcome) none = weir (ARGUMENTS ("render", nested));
    g_auto (Outcome) nowhere = weir (ARGUMENTS ("render", nested, "--out", "/nowhere/at/all.svg"));
    g_auto (Outcome)
        nobody = weir (ARGUMENTS ("render", nested, "--out", "a.svg", "--inside", "Odd"));

    g_assert_cmpint (gif.status, ==, 2);
    g_assert_nonnull (strstr (gif.err, "a.gif"));
    g_assert_cmpint (none.status, ==, 2);
    g_assert_nonnull (strstr (none.err, "--out"));
    g_assert_cmpint (nowhere.status, ==, 1);
    g_assert_nonnull (strstr (nowhere.err, "/nowhere/at/all.svg"));
    g_assert_cmpint (nobody.status, ==, 1);
    g_assert_nonnull (strstr (nobody.err, "Odd"));
  }
}

/* The motor's closed form: (s + 2) (s + 10) + 0.02. */
static void
test_linearize (void)
{
  g_autofree char *file = example ("dc-motor.weir");
  g_auto (Outcome) csv = weir (ARGUMENTS ("linearize", file, "--input", "Motor.voltage", "--output",
                                          "Motor.speed", "--csv"));
  g_auto (Outcome) json = weir (ARGUMENTS ("linearize", file, "--input", "Motor.voltage",
                                           "--output", "Motor.speed", "--json"));
  g_auto (Outcome) table = weir (ARGUMENTS ("linearize", file, "--at", "1"));
  g_auto (Csv) numbers = csv_parse (csv.out);
  guint n_poles = 0;

  g_assert_cmpint (csv.status, ==, 0);
  g_assert_cmpstr (csv.err, ==, "");
  for (guint i = 0; i < numbers.rows->len; i++)
    {
      char **row = numbers.rows->pdata[i];
      double root = sqrt (6 * 6 - (2 * 10 + 0.02));

      if (strcmp (row[0], "pole") != 0)
        continue;
      n_poles++;
      g_assert_cmpfloat_with_epsilon (csv_value (&numbers, i, 3),
                                      strcmp (row[2], "real") != 0 ? 0
                                      : strcmp (row[1], "1") == 0  ? -6 + root
                                                                   : -6 - root,
                                      1e-11);
    }
  g_assert_cmpuint (n_poles, ==, 4);
  g_assert_cmpint (json.status, ==, 0);
  g_assert_nonnull (strstr (json.out, "\"states_left_out\": 2"));
  g_assert_nonnull (strstr (json.out, "\"name\": \"Motor.Coil\""));
  g_assert_cmpint (table.status, ==, 0);
  g_assert_nonnull (strstr (table.out, "at t = 1 s: 4 states, 0 inputs, 0 outputs"));
}

/* Speed 2: K w + R i with K i = b w is 20.02 V. */
static void
test_trim (void)
{
  g_autofree char *file = example ("dc-motor.weir");
  g_auto (Outcome) found = weir (ARGUMENTS ("linearize", file, "--trim", "--free", "Motor.voltage",
                                            "--hold", "Motor.speed=2", "--moving", "Controller",
                                            "--input", "Motor.voltage", "--output", "Motor.speed"));
  g_auto (Outcome) over = weir (ARGUMENTS ("linearize", file, "--trim", "--free", "Motor.voltage",
                                           "--hold", "Motor.speed=2"));
  g_auto (Outcome) untrimmed = weir (ARGUMENTS ("linearize", file, "--hold", "Motor.speed=2"));
  g_auto (Outcome) unknown = weir (ARGUMENTS ("linearize", file, "--input", "Motor.torque"));
  g_auto (Outcome)
      unmoved = weir (ARGUMENTS ("linearize", file, "--trim", "--moving", "Reference"));

  g_assert_cmpint (found.status, ==, 0);
  g_assert_nonnull (strstr (found.out, "20.02  Motor.voltage"));
  g_assert_nonnull (strstr (found.err, "leave 2 of 5 unknowns open"));
  g_assert_cmpint (over.status, ==, 3);
  g_assert_nonnull (
      strstr (over.err, "no operating point was found for 5 conditions and 5 unknowns"));
  g_assert_cmpint (untrimmed.status, ==, 2);
  g_assert_nonnull (strstr (untrimmed.err, "add --trim"));
  g_assert_cmpint (unknown.status, ==, 2);
  g_assert_nonnull (strstr (unknown.err, "no port \"Motor.torque\""));
  g_assert_cmpint (unmoved.status, ==, 2);
  g_assert_nonnull (strstr (unmoved.err, "--trim: Reference: this is no state"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/explain", test_explain);
  g_test_add_func ("/cli/caching-on-and-off", test_caching_on_and_off);
  g_test_add_func ("/cli/linearize/dc-motor", test_linearize);
  g_test_add_func ("/cli/linearize/trim", test_trim);
  g_test_add_func ("/cli/verify", test_verify);
  g_test_add_func ("/cli/verify-culprits", test_bisection);
  g_test_add_func ("/cli/audit", test_audit);
  g_test_add_func ("/cli/check/examples", test_check_examples);
  g_test_add_func ("/cli/info", test_info);
  g_test_add_func ("/cli/info-full", test_info_full);
  g_test_add_func ("/cli/blocks", test_blocks);
  g_test_add_func ("/cli/help", test_help);
  g_test_add_func ("/cli/locale", test_locale);
  g_test_add_func ("/cli/render", test_render);
  g_test_add_func ("/cli/render-units", test_render_units);
  return g_test_run ();
}

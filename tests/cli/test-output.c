/* The real program when what it writes cannot arrive: one sentence, an exit code, and old files as
 * they were. */
#include "program.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

/* The commands that print, each with arguments that make it succeed. */
static const char *const commands[][6] = {
  { "run", "pendulum.weir", "--stats" },
  { "run", "pendulum.weir", "--stats=json" },
  { "run", "pendulum.weir" },
  { "verify", "counter.weir" },
  { "audit", "counter.weir" },
  { "explain", "counter.weir", "time" },
  { "linearize", "dc-motor.weir", "--input=Motor.voltage", "--output=Motor.speed" },
  { "info", "nested.weir" },
  { "blocks" },
  { "--help" },
  { "--version" },
};

/* Its arguments with the example's path. (transfer full) */
static char **
dup_arguments (const char *const *words)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (; *words != NULL; words++)
    if (g_str_has_suffix (*words, ".weir"))
      {
        g_autofree char *path = example (*words);

        g_strv_builder_add (builder, path);
      }
    else
      g_strv_builder_add (builder, *words);
  return g_strv_builder_end (builder);
}

static void
test_lost_output (gconstpointer redirection)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_auto (GStrv) arguments = dup_arguments (commands[i]);
      g_auto (Outcome) outcome = weir_with (NULL, redirection, (const char *const *) arguments);

      g_test_message ("%s %s", commands[i][0], (const char *) redirection);
      g_assert_cmpint (outcome.status, ==, 3);
      g_assert_true (g_str_has_prefix (outcome.err, "weir: "));
      g_assert_true (strchr (outcome.err, '\n') == outcome.err + strlen (outcome.err) - 1);
    }
}

/* A closed stream's number goes to no file that the program opens. */
static void
test_closed_output_and_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *plain = g_build_filename (folder, "plain.csv", NULL);
  g_autofree char *closed = g_build_filename (folder, "closed.csv", NULL);
  g_autofree char *file = example ("counter.weir");
  g_autofree char *expected = NULL;
  g_autofree char *found = NULL;
  g_auto (Outcome) first = weir (ARGUMENTS ("run", file, "--stats", "--out", plain));
  g_auto (Outcome) second = weir_with (NULL, "<&- >&- 2>&-",
                                       ARGUMENTS ("run", file, "--stats", "--out", closed));

  g_assert_cmpint (first.status, ==, 0);
  g_assert_cmpint (second.status, ==, 3);
  g_assert_true (g_file_get_contents (plain, &expected, NULL, NULL));
  g_assert_true (g_file_get_contents (closed, &found, NULL, NULL));
  g_assert_cmpstr (found, ==, expected);
  g_remove (plain);
  g_remove (closed);
  g_rmdir (folder);
}

/* A file that cannot be written in full, as on a full disk, leaves the old one: no more than 64
 * bytes can be. */
static void
test_no_space (void)
{
  static const struct {
    const char *command, *option, *name;
    int status;
  } cases[] = {
    { "run", "--out", "old.csv", 3 },    { "run", "--plot", "old.svg", 3 },
    { "run", "--record", "old.log", 3 }, { "run", "--checkpoint", "old.checkpoint", 3 },
    { "render", "--out", "old.png", 1 },
  };
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *file = example ("pendulum.weir");
  struct rlimit old, small;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  small = old;
  small.rlim_cur = 64;
  signal (SIGXFSZ, SIG_IGN); /* the program inherits both */
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_build_filename (folder, cases[i].name, NULL);
      g_autofree char *text = NULL;
      g_auto (Outcome) outcome = { 0 };

      g_assert_true (g_file_set_contents (path, "old", -1, NULL));
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
      outcome = weir (ARGUMENTS (cases[i].command, file, cases[i].option, path));
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
      g_assert_cmpint (outcome.status, ==, cases[i].status);
      g_assert_true (g_str_has_prefix (outcome.err, "weir: "));
      g_assert_nonnull (strstr (outcome.err, path));
      g_assert_nonnull (strstr (outcome.err, g_strerror (EFBIG)));
      g_assert_true (strchr (outcome.err, '\n') == outcome.err + strlen (outcome.err) - 1);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_cmpstr (text, ==, "old");
      g_remove (path);
    }
  signal (SIGXFSZ, SIG_DFL);
  g_assert_cmpint (g_rmdir (folder), ==, 0); /* nothing is left beside them */
}

/* --- Which file ------------------------------------------------------------------------------ */

/* No output may be the model or another output, by whatever name: the model stays as it is. */
static void
test_same_file (void)
{
  static const struct {
    const char *arguments[7];
    const char *expected;
  } cases[] = {
    { { "run", "model.weir", "--record", "model.weir" }, "read as the model" },
    { { "run", "model.weir", "--checkpoint", "./model.weir" }, "read as the model" },
    { { "run", "model.weir", "--out", "link.csv" }, "read as the model" },
    { { "run", "model.weir", "--plot", "hard.svg" }, "read as the model" },
    { { "render", "model.weir", "--out", "hard.svg" }, "read as the model" },
    { { "run", "model.weir", "--record", "new", "--checkpoint", "./new" }, "--record writes that" },
    { { "run", "model.weir", "--out", "old.csv", "--record", "other.csv" }, "--out writes that" },
    { { "run", "model.weir", "--restore", "old.csv", "--out", "old.csv" }, "read as --restore" },
  };
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *original = example ("counter.weir");
  g_autofree char *before = g_get_current_dir (), *text = NULL;

  g_assert_true (g_file_get_contents (original, &text, NULL, NULL));
  g_assert_cmpint (g_chdir (folder), ==, 0);
  g_assert_true (g_file_set_contents ("model.weir", text, -1, NULL));
  g_assert_true (g_file_set_contents ("old.csv", "old", -1, NULL));
  g_assert_cmpint (symlink ("model.weir", "link.csv"), ==, 0);
  g_assert_cmpint (link ("model.weir", "hard.svg"), ==, 0);
  g_assert_cmpint (link ("old.csv", "other.csv"), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Outcome) outcome = weir (cases[i].arguments);
      g_autofree char *after = NULL;

      g_assert_cmpint (outcome.status, ==, 2);
      g_assert_true (g_str_has_prefix (outcome.err, "weir: --"));
      g_assert_nonnull (strstr (outcome.err, cases[i].expected));
      g_assert_true (g_file_get_contents ("model.weir", &after, NULL, NULL));
      g_assert_cmpstr (after, ==, text);
    }
  g_remove ("model.weir");
  g_remove ("old.csv");
  g_remove ("link.csv");
  g_remove ("hard.svg");
  g_remove ("other.csv");
  g_assert_cmpint (g_chdir (before), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* Standard output by its names is what no name gives; what nobody reads may be named twice. */
static void
test_devices (void)
{
  g_autofree char *file = example ("counter.weir");
  g_auto (Outcome) plain = weir (ARGUMENTS ("run", file));
  g_auto (Outcome) named = weir (ARGUMENTS ("run", file, "--out", "/dev/stdout"));
  g_auto (Outcome)
      descriptor = weir_with (NULL, "3>&1", ARGUMENTS ("run", file, "--out", "/dev/fd/3"));
  g_auto (Outcome)
      nobody = weir (ARGUMENTS ("run", file, "--out", "/dev/null", "--record", "/dev/null"));
  g_auto (Outcome) mixed = weir (ARGUMENTS ("run", file, "--out", "/dev/stdout", "--stats"));

  g_assert_cmpint (plain.status, ==, 0);
  g_assert_cmpint (named.status, ==, 0);
  g_assert_cmpstr (named.out, ==, plain.out);
  g_assert_cmpint (descriptor.status, ==, 0);
  g_assert_cmpstr (descriptor.out, ==, plain.out);
  g_assert_cmpint (nobody.status, ==, 0);
  g_assert_cmpstr (nobody.out, ==, "");
  g_assert_cmpint (mixed.status, ==, 2);
}

/* --- How much -------------------------------------------------------------------------------- */

/* Results beyond the memory that they may take go to a file, of which nothing is left, and are the
 * same; or fewer are kept, the ends always; and the run says which. */
static void
test_memory (void)
{
  g_autofree char *cache = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *inside = g_build_filename (cache, "weir", NULL);
  g_autofree char *saving = g_build_filename (inside, "saving", NULL);
  g_autofree char *file = example ("pendulum.weir");
  const char *in[] = { "XDG_CACHE_HOME", cache, NULL };
  g_auto (Outcome) plain = weir_in (in, ARGUMENTS ("run", file));
  g_auto (Outcome) small = weir_in (in, ARGUMENTS ("run", file, "--memory", "0.02"));
  g_auto (Outcome)
      thin = weir_in (in, ARGUMENTS ("run", file, "--memory", "0.01", "--beyond", "thin"));
  g_auto (Outcome) nowhere = weir_in (ARGUMENTS ("XDG_CACHE_HOME", "/dev/null/cache"),
                                      ARGUMENTS ("run", file, "--memory", "0.01"));
  g_auto (GStrv) all = g_strsplit (plain.out, "\n", -1), few = g_strsplit (thin.out, "\n", -1);
  guint n = g_strv_length (few);

  g_assert_cmpstr (plain.err, ==, "");
  g_assert_cmpint (small.status, ==, 0);
  g_assert_cmpstr (small.out, ==, plain.out);
  g_assert_nonnull (strstr (small.err, "is in a file in "));
  g_assert_nonnull (strstr (small.err, inside));
  g_rmdir (saving);
  g_assert_cmpint (g_rmdir (inside), ==, 0); /* nothing is left in it */
  g_assert_cmpint (g_rmdir (cache), ==, 0);

  g_assert_cmpint (thin.status, ==, 0);
  g_assert_nonnull (strstr (thin.err, "more and more rarely"));
  g_assert_cmpuint ((n - 1) * 6 * sizeof (double), <, 10486); /* a header, and one row at the end */
  g_assert_cmpuint (n, >, 50);
  g_assert_cmpstr (few[n - 2], ==, all[g_strv_length (all) - 2]);
  for (guint i = 0; i < n; i++)
    g_assert_true (g_strv_contains ((const char *const *) all, few[i]));

  g_assert_cmpint (nowhere.status, ==, 0);
  g_assert_nonnull (strstr (nowhere.err, "can take no more"));
  g_assert_nonnull (strstr (nowhere.err, g_strerror (ENOTDIR)));
}

static void
test_nothing_recorded (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "clock.weir", NULL);
  g_auto (Outcome) outcome = { 0 };

  g_assert_true (g_file_set_contents (
      file,
      "<weir version=\"1\"><diagram><block id=\"1\" type=\"Clock\" name=\"Clock\" x=\"0\" "
      "y=\"0\"/></diagram></weir>",
      -1, NULL));
  outcome = weir (ARGUMENTS ("run", file));
  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_true (g_str_has_prefix (outcome.out, "time\n0\n"));
  g_assert_nonnull (strstr (outcome.err, "No signal is recorded"));
  g_remove (file);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/cli/output/full", ">/dev/full", test_lost_output);
  g_test_add_data_func ("/cli/output/closed", ">&-", test_lost_output);
  g_test_add_func ("/cli/output/closed-and-file", test_closed_output_and_file);
  g_test_add_func ("/cli/output/no-space", test_no_space);
  g_test_add_func ("/cli/output/same-file", test_same_file);
  g_test_add_func ("/cli/output/devices", test_devices);
  g_test_add_func ("/cli/output/memory", test_memory);
  g_test_add_func ("/cli/output/nothing-recorded", test_nothing_recorded);
  return g_test_run ();
}

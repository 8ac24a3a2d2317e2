/* The real program when what it writes cannot arrive: one sentence, an exit code, and old files as
 * they were. */
#include "program.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/resource.h>

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/cli/output/full", ">/dev/full", test_lost_output);
  g_test_add_data_func ("/cli/output/closed", ">&-", test_lost_output);
  g_test_add_func ("/cli/output/closed-and-file", test_closed_output_and_file);
  g_test_add_func ("/cli/output/no-space", test_no_space);
  return g_test_run ();
}

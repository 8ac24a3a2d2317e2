/* Where a program finds those that belong to it. Asked are copies of this one, in folders of their
 * own.
 */
#include "base/program.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

#include "config.h"

static const char *self;

/* What the copy of this program at @path says. (transfer full) */
static char *
ask (const char *path, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, path,
                                                      "--find", name, NULL);
  char *said = NULL;

  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &said, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (process));
  return g_strchomp (said);
}

static void
test_built (void)
{
  g_autofree char *path = weir_program_find ("weir-display");

  g_assert_cmpstr (path, ==, WEIR_BUILD_DIR "/weir-display");
}

/* Another one than that of the folder it was built in, which may be of another version. */
static void
test_elsewhere (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("weir-program-XXXXXX", NULL);
  g_autofree char *copy = g_build_filename (folder, "copy", NULL);
  g_autofree char *beside = g_build_filename (folder, "weir-display", NULL);
  g_autoptr (GFile) from = g_file_new_for_path (self), to = g_file_new_for_path (copy),
                    other = g_file_new_for_path (beside);
  g_autofree char *installed = NULL, *found = NULL;

  g_file_copy (from, to, G_FILE_COPY_NONE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  installed = ask (copy, "weir-display");
  g_assert_cmpstr (installed, ==, WEIR_LIBEXEC_DIR "/weir-display");
  g_file_copy (from, other, G_FILE_COPY_NONE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  found = ask (copy, "weir-display");
  g_assert_cmpstr (found, ==, beside);
  g_file_delete (to, NULL, NULL);
  g_file_delete (other, NULL, NULL);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_autofree char *path = g_file_read_link ("/proc/self/exe", NULL);

  if (argc == 3 && g_str_equal (argv[1], "--find"))
    {
      g_autofree char *found = weir_program_find (argv[2]);

      g_print ("%s\n", found);
      return 0;
    }
  self = path;
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/program/built", test_built);
  g_test_add_func ("/base/program/elsewhere", test_elsewhere);
  return g_test_run ();
}

/* Files written whole or not at all, and what is no file left in its place. */
#include "base/file.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"

typedef struct {
  char *folder, *file, *other;
} Place;

static void
set_up (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  place->folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  place->file = g_build_filename (place->folder, "file", NULL);
  place->other = g_build_filename (place->folder, "other", NULL);
}

static void
tear_down (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_remove (place->file);
  g_remove (place->other);
  g_assert_cmpint (g_rmdir (place->folder), ==, 0); /* nothing is left beside them */
  g_free (place->folder);
  g_free (place->file);
  g_free (place->other);
}

static gboolean
write_text (const char *path, const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return weir_file_write (path, bytes, 0666, error);
}

static void
assert_contents (const char *path, const char *expected)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

static guint
get_mode (const char *path)
{
  GStatBuf info;

  g_assert_cmpint (g_lstat (path, &info), ==, 0);
  return info.st_mode;
}

static void
test_replace (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (write_text (place->file, "one", &error));
  g_assert_no_error (error);
  assert_contents (place->file, "one");
  g_assert_cmpint (g_chmod (place->file, 0640), ==, 0);
  g_assert_true (write_text (place->file, "two", &error));
  assert_contents (place->file, "two");
  g_assert_cmphex (get_mode (place->file) & 07777, ==, 0640);
}

static void
test_link (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_assert_true (write_text (place->file, "one", NULL));
  g_assert_cmpint (symlink ("file", place->other), ==, 0);
  g_assert_true (write_text (place->other, "two", NULL));
  assert_contents (place->file, "two");
  g_assert_true (S_ISLNK (get_mode (place->other)));
}

static void
test_pipe (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  char text[8] = "";
  int fd;

  g_assert_cmpint (mkfifo (place->file, 0600), ==, 0);
  fd = g_open (place->file, O_RDONLY | O_NONBLOCK, 0);
  g_assert_cmpint (fd, >=, 0);
  g_assert_true (write_text (place->file, "one", NULL));
  g_assert_cmpint ((int) read (fd, text, sizeof text), ==, 3);
  g_assert_cmpstr (text, ==, "one");
  g_assert_true (S_ISFIFO (get_mode (place->file)));
  close (fd);
}

static void
test_refused (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *nowhere = g_build_filename (place->folder, "no-folder", "file", NULL);
  g_autoptr (GError) missing = NULL;
  g_autoptr (GError) folder = NULL;

  g_assert_false (write_text (nowhere, "one", &missing));
  g_assert_error (missing, WEIR_ERROR, WEIR_ERROR_FILE);
  g_assert_true (g_str_has_prefix (missing->message, nowhere));
  g_assert_nonnull (strstr (missing->message, g_strerror (ENOENT)));
  g_assert_false (write_text (place->folder, "one", &folder));
  g_assert_error (folder, WEIR_ERROR, WEIR_ERROR_FILE);
  g_assert_nonnull (strstr (folder->message, g_strerror (EISDIR)));
}

/* As when the disk is full: no more than 16 bytes can be written. */
static void
test_no_space (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *long_text = g_strnfill (1000, 'x');
  g_autoptr (GError) error = NULL;
  struct rlimit old, small;

  g_assert_true (write_text (place->file, "whole", NULL));
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  small = old;
  small.rlim_cur = 16;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  g_assert_false (write_text (place->file, long_text, &error));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  signal (SIGXFSZ, SIG_DFL);
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, g_strerror (EFBIG)));
  assert_contents (place->file, "whole");
}

#define ADD(path, function)                                                                        \
  g_test_add ("/base/file/" path, Place, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("replace", test_replace);
  ADD ("link", test_link);
  ADD ("pipe", test_pipe);
  ADD ("refused", test_refused);
  ADD ("no-space", test_no_space);
  return g_test_run ();
}

/* Files written whole or not at all, and what is no file left in its place; files read within
 * bounds, and what is no file not at all. */
#include "base/file.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/litter.h"
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

/* A pipe has no name but the kernel's link to it, which is not replaced. */
static void
test_link_to_pipe (G_GNUC_UNUSED Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *path = NULL;
  char text[8] = "";
  int fds[2];

  g_assert_cmpint (pipe (fds), ==, 0);
  path = g_strdup_printf ("/dev/fd/%d", fds[1]);
  g_assert_true (write_text (path, "one", NULL));
  g_assert_cmpint ((int) read (fds[0], text, sizeof text), ==, 3);
  g_assert_cmpstr (text, ==, "one");
  close (fds[0]);
  close (fds[1]);
}

static gboolean
fail_halfway (int fd, G_GNUC_UNUSED gpointer data, GError **error)
{
  g_assert_cmpint ((int) write (fd, "half", 4), ==, 4);
  g_set_error_literal (error, WEIR_ERROR, WEIR_ERROR_FAILED, "there is no more");
  return FALSE;
}

static void
test_half (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (write_text (place->file, "whole", NULL));
  g_assert_false (weir_file_write_with (place->file, 0666, fail_halfway, NULL, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, "there is no more"));
  assert_contents (place->file, "whole");
}

/* --- Litter ---------------------------------------------------------------------------------- */

static gboolean
stop_halfway (int fd, gpointer data, G_GNUC_UNUSED GError **error)
{
  const int *done = data;

  g_assert_cmpint ((int) write (fd, "half", 4), ==, 4);
  g_assert_cmpint ((int) write (*done, "x", 1), ==, 1);
  pause ();
  return TRUE;
}

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* Killed in the middle of a save: the file is as it was, and the next start removes what is beside
 * it. While the process lives, nothing of it is touched; nor ever what only looks like it. */
static void
test_killed (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *alike = g_strconcat (place->file, ".saving-0123abcd", NULL);
  int done[2];
  char byte;
  pid_t child;

  g_assert_true (write_text (place->file, "whole", NULL));
  g_assert_true (write_text (alike, "of the user", NULL));
  g_assert_cmpint (pipe (done), ==, 0);
  child = fork ();
  if (child == 0)
    {
      weir_file_write_with (place->file, 0666, stop_halfway, &done[1], NULL);
      _exit (1);
    }
  g_assert_cmpint ((int) read (done[0], &byte, 1), ==, 1);
  g_assert_cmpuint (count_files (place->folder), ==, 3);
  g_assert_cmpuint (weir_litter_remove (), ==, 0);
  g_assert_cmpuint (count_files (place->folder), ==, 3);
  g_assert_cmpint (kill (child, SIGKILL), ==, 0);
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
  g_assert_cmpuint (weir_litter_remove (), ==, 1);
  g_assert_cmpuint (count_files (place->folder), ==, 2);
  g_assert_cmpuint (weir_litter_remove (), ==, 0);
  assert_contents (place->file, "whole");
  assert_contents (alike, "of the user");
  g_remove (alike);
  close (done[0]);
  close (done[1]);
}

/* A note that was tampered with names no file of ours. */
static void
test_forged_note (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *note = g_build_filename (g_get_user_cache_dir (), "weir", "saving", "forged",
                                            NULL);

  g_assert_true (write_text (place->file, "whole", NULL));
  g_assert_true (g_file_set_contents (note, place->file, -1, NULL));
  g_assert_cmpuint (weir_litter_remove (), ==, 0);
  assert_contents (place->file, "whole");
  g_assert_false (g_file_test (note, G_FILE_TEST_EXISTS));
}

/* --- Reading --------------------------------------------------------------------------------- */

/* What is no regular file is refused at once, whatever would come out of it. */
static void
test_read_none (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  const struct {
    const char *path, *cause;
  } cases[] = {
    { "/no/such/file", g_strerror (ENOENT) },
    { place->folder, "it is a folder" },
    { place->file, "it is a pipe, not a file" },
    { place->other, "it is a socket, not a file" },
    { "/dev/zero", "it is a device, not a file" },
    { "/dev/tty", "" }, /* where there is no terminal it cannot even be opened */
    { "/dev/random", "it is a device, not a file" },
    { "/proc/self", "it is a folder" },
  };
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int listener = socket (AF_UNIX, SOCK_STREAM, 0);

  g_assert_cmpint (mkfifo (place->file, 0600), ==, 0);
  g_strlcpy (address.sun_path, place->other, sizeof address.sun_path);
  g_assert_cmpint (bind (listener, (struct sockaddr *) &address, sizeof address), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GFile) file = g_file_new_for_path (cases[i].path);
      g_autoptr (GError) error = NULL;

      g_assert_null (weir_file_read_from (file, WEIR_FILE_MODEL, &error));
      g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FILE);
      g_assert_true (g_str_has_prefix (error->message, cases[i].path));
      g_assert_nonnull (strstr (error->message, cases[i].cause));
      g_assert_false (weir_file_begins_with (file, "x"));
    }
  close (listener);
}

/* The size that is told is only a hint: one too large is refused unread, and where none is told, as
 * of the kernel's files, the bytes count. */
static void
test_read_limits (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  gsize limit = weir_file_get_limit (WEIR_FILE_LESSON);
  g_autoptr (GBytes) whole = NULL, kernel = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (write_text (place->file, "", NULL));
  g_assert_cmpint (truncate (place->file, (off_t) limit), ==, 0);
  whole = weir_file_read (place->file, WEIR_FILE_LESSON, NULL);
  g_assert_cmpuint (g_bytes_get_size (whole), ==, limit);
  g_assert_cmpint (truncate (place->file, (off_t) limit + 1), ==, 0);
  g_assert_null (weir_file_read (place->file, WEIR_FILE_LESSON, &error));
  g_assert_nonnull (strstr (error->message, "larger than the 4 MiB that a lesson may have"));
  kernel = weir_file_read ("/proc/self/status", WEIR_FILE_LESSON, NULL);
  g_assert_cmpuint (g_bytes_get_size (kernel), >, 0);
}

static void
test_read_whole (Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *text = g_strnfill (300000, 'x');
  g_autoptr (GFile) file = g_file_new_for_path (place->file);
  g_autoptr (GBytes) bytes = NULL, empty = NULL;

  g_assert_true (write_text (place->file, text, NULL));
  g_assert_cmpint (symlink (place->file, place->other), ==, 0);
  bytes = weir_file_read (place->other, WEIR_FILE_TABLE, NULL);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 300000);
  g_assert_cmpint (memcmp (g_bytes_get_data (bytes, NULL), text, 300000), ==, 0);
  g_assert_true (weir_file_begins_with (file, "xxx"));
  g_assert_false (weir_file_begins_with (file, "xxy"));
  g_assert_true (write_text (place->file, "", NULL));
  empty = weir_file_read (place->file, WEIR_FILE_TABLE, NULL);
  g_assert_cmpuint (g_bytes_get_size (empty), ==, 0);
  g_assert_false (weir_file_begins_with (file, "x"));
}

/* A child whose standard input never ends. */
static void
test_standard_input (G_GNUC_UNUSED Place *place, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  int zero;

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
      g_test_trap_assert_passed ();
      return;
    }
  zero = g_open ("/dev/zero", O_RDONLY, 0);
  g_assert_cmpint (dup2 (zero, STDIN_FILENO), ==, STDIN_FILENO);
  g_assert_null (weir_file_read_standard_input (WEIR_FILE_LESSON, &error));
  g_assert_nonnull (strstr (error->message, "standard input cannot be read: it is larger"));
}

/* --- The budget ------------------------------------------------------------------------------ */

static void
test_budget (void)
{
  g_autoptr (GError) error = NULL, huge = NULL;

  g_assert_true (weir_budget_allows (WEIR_BUDGET / 8, 8, "It", "do", NULL));
  g_assert_false (weir_budget_allows (WEIR_BUDGET / 8 + 1, 8, "It", "do", NULL));
  g_assert_false (weir_budget_allows ((guint64) 3 << 27, 8, "The past", "keep less", &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==,
                   "The past would need 3 GiB of memory, but 1 GiB is the limit; keep less.");
  /* 2^61 numbers of 8 bytes are 0 bytes where sizes wrap around. */
  g_assert_false (weir_budget_allows ((guint64) 1 << 61, 8, "It", "do", &huge));
  g_assert_nonnull (strstr (huge->message, "16 EiB"));
  g_assert_cmpuint (weir_budget_multiply ((guint64) 1 << 32, (guint64) 1 << 32), ==, G_MAXUINT64);
  g_assert_cmpuint (weir_budget_add (G_MAXUINT64, 1), ==, G_MAXUINT64);
  g_assert_cmpuint (weir_budget_multiply (3, 5), ==, 15);
}

#define ADD(path, function)                                                                        \
  g_test_add ("/base/file/" path, Place, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_autofree char *cache = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *weir = g_build_filename (cache, "weir", NULL);
  g_autofree char *saving = g_build_filename (weir, "saving", NULL);
  int status;

  /* Notes of unfinished files; other programs look for theirs meanwhile. */
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  ADD ("replace", test_replace);
  ADD ("link", test_link);
  ADD ("pipe", test_pipe);
  ADD ("refused", test_refused);
  ADD ("no-space", test_no_space);
  ADD ("link-to-pipe", test_link_to_pipe);
  ADD ("half", test_half);
  ADD ("killed", test_killed);
  ADD ("forged-note", test_forged_note);
  ADD ("read/none", test_read_none);
  ADD ("read/limits", test_read_limits);
  ADD ("read/whole", test_read_whole);
  ADD ("read/standard-input", test_standard_input);
  g_test_add_func ("/base/budget", test_budget);
  status = g_test_run ();
  g_rmdir (saving);
  g_rmdir (weir);
  g_rmdir (cache);
  return status;
}

/* Files written whole or not at all, and read whole within bounds.
 *
 * Writing: at every moment the path names either the whole old contents or the whole new ones. Only
 * what cannot be replaced, because it is no regular file, is written in place: putting a file where
 * a device was would take it away from everybody.
 *
 * Reading: a file is opened without waiting, looked at, and read only if it is a regular one. Its
 * size is only a hint (a file grows, and those of the kernel say 0), so that the bytes are counted
 * while they are read.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/error.h"
#include "base/litter.h"
#include "base/phrase.h"
#include "base/text.h"

static gboolean
fail (const char *path, const char *cause, GError **error)
{
  weir_error_set (error, WEIR_ERROR_FILE, "%s cannot be written: %s", path, cause);
  return FALSE;
}

/* --- One way or the other: 0 or an error number ---------------------------------------------- */

/* What fills a file that is open, and why it could not be filled. */
typedef struct {
  WeirFileFunc write;
  gpointer data;
  GError *error; /* of @write */
} Filling;

#define FAILED_WITHIN (-1) /* what there is to say is in the filling's error */

static int
fill (int fd, Filling *filling)
{
  return filling->write (fd, filling->data, &filling->error) ? 0 : FAILED_WITHIN;
}

static gboolean
write_bytes (int fd, gpointer bytes, GError **error)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  while (size > 0)
    {
      gssize n = write (fd, data, size);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          g_set_error_literal (error, G_FILE_ERROR, (gint) g_file_error_from_errno (errno),
                               g_strerror (errno));
          return FALSE;
        }
      data += n;
      size -= (gsize) n;
    }
  return TRUE;
}

static int
write_through (const char *path, Filling *filling)
{
  int fd = g_open (path, O_WRONLY | O_CLOEXEC, 0);
  int number;

  if (fd < 0)
    return errno;
  number = fill (fd, filling);
  if (close (fd) != 0 && number == 0)
    number = errno;
  return number;
}

/* The name of the file outlives a loss of power only when its folder is on the disk too. That not
 * every file system can do this is no failure: the contents are safe. */
static void
sync_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd = g_open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);

  if (fd < 0)
    return;
  if (fsync (fd) != 0)
    g_debug ("%s: not synced: %s", folder, g_strerror (errno));
  close (fd);
}

/* Opens a new file beside @path. -1: errno says why. */
static int
open_beside (const char *path, guint mode, char **name, WeirLitterNote *note)
{
  int fd, number;

  do
    {
      *name = weir_litter_dup_name (path);
      *note = weir_litter_note (*name);
      fd = g_open (*name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, (int) mode);
      if (fd >= 0)
        return fd;
      number = errno;
      weir_litter_forget (note);
      g_clear_pointer (name, g_free);
    }
  while (number == EEXIST);
  errno = number;
  return -1;
}

/* @permissions: those of the file replaced, whatever the process's mask says; NULL: it is new. */
static int
replace (const char *path, Filling *filling, guint mode, const mode_t *permissions)
{
  g_autofree char *beside = NULL;
  WeirLitterNote note;
  int fd = open_beside (path, mode, &beside, &note);
  int number;

  if (fd < 0)
    return errno;
  if (permissions != NULL && fchmod (fd, *permissions & 07777) != 0)
    g_debug ("%s: permissions not kept: %s", path, g_strerror (errno));
  number = fill (fd, filling);
  if (number == 0 && fsync (fd) != 0)
    number = errno;
  if (close (fd) != 0 && number == 0)
    number = errno;
  if (number == 0 && g_rename (beside, path) != 0)
    number = errno;
  if (number != 0)
    g_unlink (beside);
  else
    sync_folder (path);
  weir_litter_forget (&note);
  return number;
}

gboolean
weir_file_write_with (const char *path, guint mode, WeirFileFunc write, gpointer data,
                      GError **error)
{
  Filling filling = { write, data, NULL };
  g_autofree char *target = NULL;
  gboolean is_written;
  GStatBuf old;
  int number;

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (write != NULL, FALSE);

  /* Asked of the name as it is: a link of the kernel's to a pipe leads to no name. */
  if (g_stat (path, &old) != 0)
    number = replace (path, &filling, mode, NULL);
  else if (S_ISDIR (old.st_mode))
    number = EISDIR;
  else if (!S_ISREG (old.st_mode))
    number = write_through (path, &filling);
  else if (g_access (path, W_OK) != 0)
    return fail (path, weir_phrase (N_ ("it is write-protected")), error);
  else if ((target = realpath (path, NULL)) == NULL)
    number = errno;
  else
    number = replace (target, &filling, mode, &old.st_mode);
  is_written = number == 0
               || fail (path,
                        number == FAILED_WITHIN ? weir_error_get_text (filling.error)
                                                : g_strerror (number),
                        error);
  g_clear_error (&filling.error);
  return is_written;
}

gboolean
weir_file_write (const char *path, GBytes *bytes, guint mode, GError **error)
{
  g_return_val_if_fail (bytes != NULL, FALSE);

  return weir_file_write_with (path, mode, write_bytes, bytes, error);
}

gboolean
weir_file_write_to (GFile *file, GBytes *bytes, GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autofree char *path = NULL;
  g_autofree char *name = NULL;
  gsize size;
  const char *data;

  g_return_val_if_fail (G_IS_FILE (file), FALSE);
  g_return_val_if_fail (bytes != NULL, FALSE);

  path = g_file_get_path (file);
  if (path != NULL)
    return weir_file_write (path, bytes, 0666, error);
  data = g_bytes_get_data (bytes, &size);
  if (g_file_replace_contents (file, data, size, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL,
                               &cause))
    return TRUE;
  name = g_file_get_parse_name (file);
  return fail (name, cause->message, error);
}

/* --- Reading --------------------------------------------------------------------------------- */

#define MEBIBYTE ((gsize) 1024 * 1024)
#define FIRST_SIZE 65536 /* of the buffer, where the size is not known */

gsize
weir_file_get_limit (WeirFileKind kind)
{
  switch (kind)
    {
    case WEIR_FILE_MODEL:
      return 256 * MEBIBYTE;
    case WEIR_FILE_LESSON:
    case WEIR_FILE_HELP:
    case WEIR_FILE_TRUST:
    case WEIR_FILE_PART:
      return 4 * MEBIBYTE;
    case WEIR_FILE_STUDY:
      return 64 * MEBIBYTE;
    case WEIR_FILE_TABLE:
      return 512 * MEBIBYTE;
    case WEIR_FILE_CHANGE_LOG:
    case WEIR_FILE_CHECKPOINT:
    case WEIR_FILE_FMU:
      return WEIR_BUDGET;
    default:
      g_return_val_if_reached (0);
    }
}

/* NULL, so that it can be returned. */
static gpointer
refuse (const char *name, const char *cause, GError **error)
{
  weir_error_set (error, WEIR_ERROR_FILE, "%s cannot be read: %s", name, cause);
  return NULL;
}

static gpointer
refuse_size (const char *name, WeirFileKind kind, GError **error)
{
  static const char *const kinds[] = {
    [WEIR_FILE_MODEL] = N_ ("a model"),
    [WEIR_FILE_LESSON] = N_ ("a lesson"),
    [WEIR_FILE_TABLE] = N_ ("a table"),
    [WEIR_FILE_CHANGE_LOG] = N_ ("a change log"),
    [WEIR_FILE_CHECKPOINT] = N_ ("a checkpoint"),
    [WEIR_FILE_HELP] = N_ ("a page of the help"),
    [WEIR_FILE_FMU] = N_ ("an FMU"),
    [WEIR_FILE_TRUST] = N_ ("a list of trusted FMUs"),
    [WEIR_FILE_STUDY] = N_ ("a study"),
    [WEIR_FILE_PART] = N_ ("a file of parts"),
  };
  g_autoptr (WeirMessage)
      cause = weir_message_new (N_ ("it is larger than the %zu MiB that %s may have"),
                                weir_file_get_limit (kind) / MEBIBYTE, weir_phrase (kinds[kind]));

  return refuse (name, weir_message_get_text (cause), error);
}

static const char *
name_type (mode_t mode)
{
  switch (mode & S_IFMT)
    {
    case S_IFDIR:
      return weir_phrase (N_ ("it is a folder"));
    case S_IFIFO:
      return weir_phrase (N_ ("it is a pipe, not a file"));
    case S_IFSOCK:
      return weir_phrase (N_ ("it is a socket, not a file"));
    default:
      return weir_phrase (N_ ("it is a device, not a file"));
    }
}

/* The next bytes of what is read: their number, 0 at the end, -1 with @cause. */
typedef gssize (*ReadFunc) (gpointer source, char *to, gsize size, GError **cause);

static gssize
read_descriptor (gpointer source, char *to, gsize size, GError **cause)
{
  gssize n;

  do
    n = read (GPOINTER_TO_INT (source), to, size);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    weir_error_set (cause, WEIR_ERROR_FILE, "%s",
                    errno == EAGAIN ? weir_phrase (N_ ("it is not a file with contents"))
                                    : g_strerror (errno));
  return n;
}

static gssize
read_stream (gpointer source, char *to, gsize size, GError **cause)
{
  return g_input_stream_read (source, to, size, NULL, cause);
}

/* All of @source. @expected: its size as far as that is known. */
static GBytes *
read_all (ReadFunc func, gpointer source, const char *name, gsize expected, WeirFileKind kind,
          GError **error)
{
  gsize limit = weir_file_get_limit (kind), size = 0;
  gsize room = CLAMP (expected, FIRST_SIZE, limit) + 1; /* one more tells that it goes on */
  g_autofree char *data = g_malloc (room);
  g_autoptr (GError) cause = NULL;
  gssize n;

  while ((n = func (source, data + size, room - size, &cause)) > 0)
    {
      size += (gsize) n;
      if (size > limit)
        return refuse_size (name, kind, error);
      if (size == room)
        {
          room = MIN (2 * room, limit + 1);
          data = g_realloc (data, room);
        }
    }
  if (n < 0)
    return refuse (name, weir_error_get_text (cause), error);
  return g_bytes_new_take (g_realloc (g_steal_pointer (&data), MAX (size, 1)), size);
}

/* -1 with @error unless it is a regular file. */
static int
open_regular (const char *path, GStatBuf *info, GError **error)
{
  int fd = g_open (path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
  const char *cause = NULL;

  if (fd < 0 || fstat (fd, info) != 0)
    cause = errno == ENXIO ? name_type (S_IFSOCK) : g_strerror (errno);
  else if (!S_ISREG (info->st_mode))
    cause = name_type (info->st_mode);
  if (cause == NULL)
    return fd;
  refuse (path, cause, error);
  if (fd >= 0)
    close (fd);
  return -1;
}

GBytes *
weir_file_read (const char *path, WeirFileKind kind, GError **error)
{
  GStatBuf info;
  GBytes *bytes;
  int fd;

  g_return_val_if_fail (path != NULL, NULL);

  fd = open_regular (path, &info, error);
  if (fd < 0)
    return NULL;
  if ((guint64) info.st_size > weir_file_get_limit (kind))
    bytes = refuse_size (path, kind, error);
  else
    bytes = read_all (read_descriptor, GINT_TO_POINTER (fd), path, (gsize) info.st_size, kind,
                      error);
  close (fd);
  return bytes;
}

GBytes *
weir_file_read_from (GFile *file, WeirFileKind kind, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *name = NULL;
  g_autoptr (GFileInputStream) stream = NULL;
  g_autoptr (GError) cause = NULL;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  path = g_file_get_path (file);
  if (path != NULL)
    return weir_file_read (path, kind, error);
  name = g_file_get_parse_name (file);
  stream = g_file_read (file, NULL, &cause);
  if (stream == NULL)
    return refuse (name, cause->message, error);
  return read_all (read_stream, stream, name, 0, kind, error);
}

GBytes *
weir_file_read_standard_input (WeirFileKind kind, GError **error)
{
  return read_all (read_descriptor, GINT_TO_POINTER (STDIN_FILENO),
                   weir_phrase (N_ ("standard input")), 0, kind, error);
}

gboolean
weir_file_begins_with (GFile *file, const char *text)
{
  gsize length, n = 0;
  g_autofree char *path = NULL;
  g_autofree char *start = NULL;
  GStatBuf info;
  int fd;

  g_return_val_if_fail (G_IS_FILE (file), FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  length = strlen (text);
  start = g_malloc (length + 1);
  path = g_file_get_path (file);
  if (path == NULL)
    {
      g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, NULL);

      if (stream != NULL
          && !g_input_stream_read_all (G_INPUT_STREAM (stream), start, length, &n, NULL, NULL))
        n = 0;
    }
  else if ((fd = open_regular (path, &info, NULL)) >= 0)
    {
      gssize got = read_descriptor (GINT_TO_POINTER (fd), start, length, NULL);

      n = got < 0 ? 0 : (gsize) got;
      close (fd);
    }
  return n == length && memcmp (start, text, length) == 0;
}

/* Files written whole or not at all.
 *
 * At every moment the path names either the whole old contents or the whole new ones. Only what
 * cannot be replaced, because it is no regular file, is written in place: putting a file where a
 * device was would take it away from everybody.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/status.h"

static gboolean
fail (const char *path, const char *cause, GError **error)
{
  g_set_error (error, WEIR_ERROR, WEIR_ERROR_FILE, "%s cannot be written: %s", path, cause);
  return FALSE;
}

/* --- One way or the other: 0 or an error number ---------------------------------------------- */

static int
write_all (int fd, GBytes *bytes)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  while (size > 0)
    {
      gssize n = write (fd, data, size);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return errno;
      data += n;
      size -= (gsize) n;
    }
  return 0;
}

static int
write_through (const char *path, GBytes *bytes)
{
  int fd = g_open (path, O_WRONLY | O_CLOEXEC, 0);
  int number;

  if (fd < 0)
    return errno;
  number = write_all (fd, bytes);
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

/* @permissions: those of the file replaced, whatever the process's mask says; NULL: it is new. */
static int
replace (const char *path, GBytes *bytes, guint mode, const mode_t *permissions)
{
  g_autofree char *beside = g_strconcat (path, ".XXXXXX", NULL);
  int fd = g_mkstemp_full (beside, O_RDWR | O_CLOEXEC, (int) mode);
  int number;

  if (fd < 0)
    return errno;
  if (permissions != NULL && fchmod (fd, *permissions & 07777) != 0)
    g_debug ("%s: permissions not kept: %s", path, g_strerror (errno));
  number = write_all (fd, bytes);
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
  return number;
}

gboolean
weir_file_write (const char *path, GBytes *bytes, guint mode, GError **error)
{
  g_autofree char *target = NULL;
  GStatBuf old;
  int number;

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (bytes != NULL, FALSE);

  target = realpath (path, NULL);
  if (target == NULL || g_stat (target, &old) != 0)
    number = replace (path, bytes, mode, NULL);
  else if (S_ISDIR (old.st_mode))
    number = EISDIR;
  else if (!S_ISREG (old.st_mode))
    number = write_through (target, bytes);
  else if (g_access (target, W_OK) != 0)
    return fail (path, "it is write-protected", error);
  else
    number = replace (target, bytes, mode, &old.st_mode);
  return number == 0 || fail (path, g_strerror (number), error);
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

/* What a save that was killed leaves behind. See litter.h. */
#include "base/litter.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define MARK ".saving-"  /* between the name of the file and */
#define N_DIGITS 8       /* hexadecimal digits */
#define MAX_LENGTH 16384 /* bytes of a path in a note */

static char *
dup_folder (void)
{
  return g_build_filename (g_get_user_cache_dir (), "weir", "saving", NULL);
}

char *
weir_litter_dup_name (const char *path)
{
  return g_strdup_printf ("%s" MARK "%08x", path, g_random_int ());
}

/* Whether it is a name that weir_litter_dup_name() gives: a note is believed no further. */
static gboolean
is_litter_name (const char *path)
{
  const char *mark = g_strrstr (path, MARK);
  const char *digits = mark != NULL ? mark + strlen (MARK) : "";

  return g_path_is_absolute (path) && strlen (digits) == N_DIGITS
         && strspn (digits, "0123456789abcdef") == N_DIGITS;
}

/* Whether the open and locked @fd still is what @path names: a cleaner may have come in between. */
static gboolean
is_there (int fd, const char *path)
{
  GStatBuf open, named;

  return fstat (fd, &open) == 0 && g_lstat (path, &named) == 0 && open.st_ino == named.st_ino
         && open.st_dev == named.st_dev;
}

WeirLitterNote
weir_litter_note (const char *name)
{
  g_autofree char *folder = dup_folder ();
  g_autofree char *absolute = g_canonicalize_filename (name, NULL);
  gssize length = (gssize) strlen (absolute);

  if (g_mkdir_with_parents (folder, 0700) != 0)
    return (WeirLitterNote) { NULL, -1 };
  for (guint trial = 0; trial < 8; trial++)
    {
      g_autofree char *path = g_build_filename (folder, "XXXXXX", NULL);
      int fd = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600);

      if (fd < 0)
        break;
      if (flock (fd, LOCK_EX | LOCK_NB) == 0 && is_there (fd, path))
        {
          if (write (fd, absolute, (gsize) length) == length)
            return (WeirLitterNote) { g_steal_pointer (&path), fd };
          g_unlink (path);
          close (fd);
          break;
        }
      close (fd); /* a cleaner was quicker, and removes it */
    }
  return (WeirLitterNote) { NULL, -1 };
}

void
weir_litter_forget (WeirLitterNote *note)
{
  if (note->path == NULL)
    return;
  g_unlink (note->path);
  close (note->fd);
  g_clear_pointer (&note->path, g_free);
}

/* Whether the file that the note @fd tells of was removed. */
static gboolean
remove_noted (int fd)
{
  g_autofree char *path = g_malloc0 (MAX_LENGTH + 1);
  GStatBuf info;

  return pread (fd, path, MAX_LENGTH, 0) > 0 && is_litter_name (path) && g_lstat (path, &info) == 0
         && S_ISREG (info.st_mode) && info.st_uid == geteuid () && g_unlink (path) == 0;
}

guint
weir_litter_remove (void)
{
  g_autofree char *folder = dup_folder ();
  GDir *notes = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  if (notes == NULL)
    return 0;
  while ((name = g_dir_read_name (notes)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);

      if (fd < 0)
        continue;
      if (flock (fd, LOCK_EX | LOCK_NB) == 0 && is_there (fd, path))
        {
          n += remove_noted (fd);
          g_unlink (path);
        }
      close (fd);
    }
  g_dir_close (notes);
  return n;
}

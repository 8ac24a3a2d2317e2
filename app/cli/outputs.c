/* The files that a command is to write: none may be one that it reads, be written twice, or have a
 * name that promises what nothing here writes.
 *
 * Two names are one file if they lead to the same one, by links or by another spelling; what does
 * not exist yet is told by its folder and name. Devices and pipes take what anybody writes.
 */
#include "cli/cli-private.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

typedef struct {
  gboolean exists, is_stream;
  dev_t device; /* of the file; of its folder if it does not exist */
  ino_t number;
  char *name; /* in its folder, if it does not exist */
} Identity;

static void
identity_clear (Identity *self)
{
  g_free (self->name);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Identity, identity_clear)

static Identity
identify (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  Identity self = { 0 };
  GStatBuf info;

  self.exists = g_stat (path, &info) == 0;
  self.is_stream = self.exists && !S_ISREG (info.st_mode);
  if (!self.exists)
    {
      self.name = g_path_get_basename (path);
      if (g_stat (folder, &info) != 0)
        self.is_stream = TRUE; /* there is no such folder, which writing will tell */
    }
  self.device = info.st_dev;
  self.number = info.st_ino;
  return self;
}

static gboolean
is_same_file (const char *a, const char *b)
{
  g_auto (Identity) x = identify (a), y = identify (b);

  return !x.is_stream && !y.is_stream && x.exists == y.exists && x.device == y.device
         && x.number == y.number && g_strcmp0 (x.name, y.name) == 0;
}

gboolean
weir_cli_is_standard_output (const char *path)
{
  static const char *const names[] = { "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", NULL };

  return path != NULL && g_strv_contains (names, path);
}

/* A device or a pipe: its name says nothing of what it takes. */
static gboolean
is_stream (const char *path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR)
         && !g_file_test (path, G_FILE_TEST_IS_DIR);
}

gboolean
weir_cli_check_ending (const char *option, const char *path, const char *what,
                       const char *const *endings)
{
  g_autofree char *known = NULL;

  if (path == NULL || weir_cli_is_standard_output (path) || weir_text_has_ending (path, endings)
      || is_stream (path))
    return TRUE;
  known = weir_text_list_endings (endings, NULL);
  weir_cli_complain ("%s %s: %s written as %s", option, path, what, known);
  return FALSE;
}

gboolean
weir_cli_is_picture (const char *path)
{
  static const char *const endings[] = { "svg", "pdf", "png", NULL };
  g_autofree char *lower = g_ascii_strdown (path, -1);

  return weir_text_has_ending (lower, endings);
}

gboolean
weir_cli_check_outputs (const WeirCliFile *files, guint n)
{
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < i; k++)
      {
        const WeirCliFile *a = &files[k], *b = &files[i];

        if ((!a->is_output && !b->is_output) || a->path == NULL || b->path == NULL
            || strcmp (a->path, "-") == 0 || strcmp (b->path, "-") == 0
            || !is_same_file (a->path, b->path))
          continue;
        if (a->is_output && b->is_output)
          weir_cli_complain ("%s %s: %s writes that file too; name two", b->what, b->path, a->what);
        else
          weir_cli_complain ("%s %s: that file is read as %s; name another",
                             a->is_output ? a->what : b->what, a->is_output ? a->path : b->path,
                             a->is_output ? b->what : a->what);
        return FALSE;
      }
  return TRUE;
}

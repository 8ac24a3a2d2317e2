/* See trust.h. The file is read anew each time: another window may have written it. */
#include "fmi/trust.h"

#include <gio/gio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/sync.h"

#define FILE_NAME "trusted-fmus"
#define DIGITS 64

static GMutex mutex;
static GHashTable *added; /* set of checksums, owned */
static gboolean is_everyone;

char *
weir_fmu_trust_dup_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "weir", FILE_NAME, NULL);
}

static gboolean
is_checksum (const char *text)
{
  gsize n = 0;

  while (g_ascii_isxdigit (text[n]))
    n++;
  return n == DIGITS;
}

/* NULL: there is none, or none that makes sense. (transfer full) */
static char *
read_file (void)
{
  g_autofree char *path = weir_fmu_trust_dup_path ();
  g_autoptr (GBytes) bytes = weir_file_read (path, WEIR_FILE_TRUST, NULL);

  return bytes != NULL ? g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes))
                       : NULL;
}

static gboolean
is_remembered (const char *checksum)
{
  g_autofree char *text = read_file ();

  for (const char *line = text; line != NULL; line = strchr (line, '\n'))
    {
      line += *line == '\n';
      if (is_checksum (line) && g_ascii_strncasecmp (line, checksum, DIGITS) == 0)
        return TRUE;
    }
  return FALSE;
}

gboolean
weir_fmu_trust_has (const char *checksum)
{
  gboolean has;

  weir_sync_lock (&mutex);
  has = is_everyone || (added != NULL && g_hash_table_contains (added, checksum));
  weir_sync_unlock (&mutex);
  return has || is_remembered (checksum);
}

gboolean
weir_fmu_trust_add (const char *checksum, GError **error)
{
  gboolean is_all = strcmp (checksum, "all") == 0;

  if (!is_all && (!is_checksum (checksum) || checksum[DIGITS] != '\0'))
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "\"%s\" is no SHA-256 checksum of %d hexadecimal digits, nor \"all\"",
                      checksum, DIGITS);
      return FALSE;
    }
  weir_sync_lock (&mutex);
  is_everyone |= is_all;
  if (added == NULL)
    added = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (!is_all)
    g_hash_table_add (added, g_ascii_strdown (checksum, -1));
  weir_sync_unlock (&mutex);
  return TRUE;
}

gboolean
weir_fmu_trust_remember (const char *checksum, const char *name, GError **error)
{
  g_autofree char *path = weir_fmu_trust_dup_path ();
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *old = read_file ();
  g_autofree char *text = NULL;
  g_autofree char *plain = g_strdelimit (g_strdup (name), "\r\n", ' ');

  g_return_val_if_fail (is_checksum (checksum), FALSE);

  if (is_remembered (checksum))
    return TRUE;
  text = g_strdup_printf ("%s%s%.64s %s\n", old != NULL ? old : "",
                          old != NULL && *old != '\0' && !g_str_has_suffix (old, "\n") ? "\n" : "",
                          checksum, plain);
  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      weir_error_set (error, WEIR_ERROR_FILE, "%s cannot be made.", folder);
      return FALSE;
    }
  return g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

char *
weir_fmu_trust_unpack (WeirFmuArchive *archive, const char *name, GError **error)
{
  const char *checksum = weir_fmu_archive_get_checksum (archive);

  if (weir_fmu_trust_has (checksum))
    return weir_fmu_archive_unpack (archive, error);
  weir_error_set (error, WEIR_ERROR_FAILED,
                  "%s holds a program, which is not run until it is trusted: --trust %s", name,
                  checksum);
  return NULL;
}

/* Where the files are that a file refers to: beside it, or in the package that it is in. See
 * structures-private.h. */
#include "model/structures/structures-private.h"

#include <string.h>

#include "base/file.h"
#include "base/error.h"

#define MAX_PARTS_OF_NAME 64

void
weir_origin_clear (WeirOrigin *self)
{
  g_clear_pointer (&self->archive, weir_fmu_archive_unref);
  g_clear_pointer (&self->root, g_free);
  g_clear_pointer (&self->inside, g_free);
}

/* "../a/./b" of @folder ("x/") as "a/b"; NULL: it leads out of what @folder is in. (transfer full)
 */
static char *
dup_within (const char *folder, const char *reference)
{
  g_autofree char *whole = g_strconcat (folder, reference, NULL);
  g_auto (GStrv) names = g_strsplit (whole, "/", MAX_PARTS_OF_NAME);
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();

  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], "..") == 0 && kept->len == 0)
      return NULL;
    else if (strcmp (names[i], "..") == 0)
      g_ptr_array_set_size (kept, (int) kept->len - 1);
    else if (*names[i] != '\0' && strcmp (names[i], ".") != 0)
      g_ptr_array_add (kept, names[i]);
  g_ptr_array_add (kept, NULL);
  return g_strjoinv ("/", (char **) kept->pdata);
}

/* A reference as a name of a file, or NULL and @error. (transfer full) */
static char *
dup_name (const char *reference, GError **error)
{
  g_autofree char *scheme = g_uri_parse_scheme (reference);
  const char *name = reference;
  g_autofree char *plain = NULL;

  if (scheme != NULL && strcmp (scheme, "file") == 0)
    name = g_str_has_prefix (reference, "file://") ? reference + strlen ("file://")
                                                   : reference + strlen ("file:");
  else if (scheme != NULL && strcmp (scheme, "proxyfmu") == 0
           && strstr (reference, "file=") != NULL)
    name = strstr (reference, "file=") + strlen ("file=");
  else if (scheme != NULL)
    {
      weir_error_set (error, WEIR_ERROR_FILE,
                      "\"%s\" lies on another machine: only files of this one are read.",
                      reference);
      return NULL;
    }
  plain = g_uri_unescape_string (name, NULL);
  if (plain == NULL || *plain == '\0' || !g_utf8_validate (plain, -1, NULL))
    {
      weir_error_set (error, WEIR_ERROR_FILE, "\"%s\" names no file.", reference);
      return NULL;
    }
  return g_steal_pointer (&plain);
}

/* Within the package: "resources/a.fmu". (transfer full) */
static char *
dup_entry (const WeirOrigin *self, const char *name, GError **error)
{
  char *entry = *name != '/' ? dup_within (self->inside, name) : NULL;

  if (entry == NULL)
    weir_error_set (error, WEIR_ERROR_FILE, "\"%s\" leads out of the package.", name);
  return entry;
}

char *
weir_origin_dup_path (const WeirOrigin *self, const char *reference, GError **error)
{
  g_autofree char *name = dup_name (reference, error);
  g_autofree char *entry = NULL;

  if (name == NULL)
    return NULL;
  if (self->archive == NULL)
    return g_canonicalize_filename (name, self->root);
  entry = dup_entry (self, name, error);
  return entry != NULL ? g_build_filename (self->root, entry, NULL) : NULL;
}

GBytes *
weir_origin_read (const WeirOrigin *self, const char *reference, GError **error)
{
  g_autofree char *name = dup_name (reference, error);
  g_autofree char *path = NULL;
  guint i;

  if (name == NULL)
    return NULL;
  if (self->archive == NULL)
    {
      path = g_canonicalize_filename (name, self->root);
      return weir_file_read (path, WEIR_FILE_FMU, error);
    }
  path = dup_entry (self, name, error);
  if (path == NULL)
    return NULL;
  if (!weir_fmu_archive_find (self->archive, path, &i))
    {
      weir_error_set (error, WEIR_ERROR_FILE, "There is no \"%s\" in the package.", path);
      return NULL;
    }
  return weir_fmu_archive_read (self->archive, i, error);
}

gboolean
weir_origin_enter (const WeirOrigin *self, const char *reference, WeirOrigin *inner, GError **error)
{
  g_autofree char *name = dup_name (reference, error);
  g_autofree char *entry = NULL, *folder = NULL, *path = NULL;

  *inner = (WeirOrigin) { 0 };
  if (name == NULL)
    return FALSE;
  if (self->archive == NULL)
    {
      path = g_canonicalize_filename (name, self->root);
      inner->root = g_path_get_dirname (path);
      return TRUE;
    }
  entry = dup_entry (self, name, error);
  if (entry == NULL)
    return FALSE;
  folder = g_path_get_dirname (entry);
  inner->archive = weir_fmu_archive_ref (self->archive);
  inner->root = g_strdup (self->root);
  inner->inside = strcmp (folder, ".") == 0 ? g_strdup ("") : g_strconcat (folder, "/", NULL);
  return TRUE;
}

/* Which kind of file it is, and reading it. See structures.h. */
#include "model/structures/structures-private.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

#define PACKAGE_MARK "PK\003\004"
#define LOOKED_AT 4096 /* bytes in which the first element begins */

static gboolean
is_package (GBytes *bytes)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  return size >= strlen (PACKAGE_MARK) && memcmp (data, PACKAGE_MARK, strlen (PACKAGE_MARK)) == 0;
}

/* The name of the first element without its prefix; NULL: none is near. (transfer full) */
static char *
dup_first_element (GBytes *bytes)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  g_autofree char *text = data != NULL ? g_strndup (data, MIN (size, LOOKED_AT)) : g_strdup ("");
  const char *at = text;

  while ((at = strchr (at, '<')) != NULL)
    {
      const char *end = NULL;
      gsize length;

      if (g_str_has_prefix (at, "<!--"))
        end = strstr (at, "-->");
      else if (at[1] == '?' || at[1] == '!')
        end = strchr (at, '>');
      else
        {
          length = strcspn (++at, " \t\r\n/>");
          if (memchr (at, ':', length) != NULL)
            {
              const char *name = strchr (at, ':') + 1;

              return g_strndup (name, length - (gsize) (name - at));
            }
          return g_strndup (at, length);
        }
      if (end == NULL)
        return NULL;
      at = end;
    }
  return NULL;
}

gboolean
weir_structure_is_one (GBytes *bytes)
{
  g_autofree char *name = dup_first_element (bytes);

  return is_package (bytes) || g_strcmp0 (name, WEIR_SSP_ELEMENT) == 0
         || g_strcmp0 (name, WEIR_OSP_ELEMENT) == 0;
}

static WeirStructure *
read_file (WeirStructureReading *r, GBytes *bytes, const char *file, const WeirOrigin *origin)
{
  g_autoptr (WeirMarkup) root = weir_markup_read (bytes, file, r->diagnostics);

  if (root == NULL)
    return NULL;
  if (weir_markup_is (root, WEIR_OSP_ELEMENT))
    return weir_osp_read (r, root, origin);
  if (weir_markup_is (root, WEIR_SSP_ELEMENT))
    return weir_ssp_read (r, root, origin);
  weir_structure_fail (r, "STR02", root->line,
                       N_ ("The file holds a <%s>, where a <%s> is expected."), root->name,
                       WEIR_SSP_ELEMENT);
  return NULL;
}

GBytes *
weir_structure_open_package (WeirStructureReading *r, GBytes *bytes, const char *path,
                             WeirOrigin *origin)
{
  g_autoptr (GError) error = NULL;
  GBytes *inner = NULL;

  *origin = (WeirOrigin) { .archive = weir_fmu_archive_new (bytes, path, &error),
                           .root = g_strdup (path),
                           .inside = g_strdup ("") };
  if (origin->archive != NULL)
    inner = weir_origin_read (origin, WEIR_SSP_FILE, &error);
  if (inner == NULL)
    weir_structure_fail (r, "STR01", 0, N_ ("The package cannot be read: %s"), error->message);
  return inner;
}

static WeirStructure *
read_package (WeirStructureReading *r, GBytes *bytes, const char *path)
{
  g_auto (WeirOrigin) origin = { 0 };
  g_autoptr (GBytes) inner = weir_structure_open_package (r, bytes, path, &origin);

  if (inner == NULL)
    return NULL;
  r->file = WEIR_SSP_FILE;
  return read_file (r, inner, WEIR_SSP_FILE, &origin);
}

WeirModel *
weir_structure_read (GBytes *bytes, const char *path, WeirDiagnostics *diagnostics)
{
  g_autofree char *whole = g_canonicalize_filename (path, NULL);
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  WeirStructureReading r = {
    .diagnostics = diagnostics, .notes = notes, .start = NAN, .stop = NAN, .step = NAN
  };
  g_auto (WeirOrigin) origin = { .root = g_path_get_dirname (whole) };
  WeirStructure *structure = is_package (bytes) ? read_package (&r, bytes, whole)
                                                : read_file (&r, bytes, NULL, &origin);
  WeirModel *model = NULL;

  if (r.start != 0 && !isnan (r.start))
    {
      weir_structure_warn (&r, "STR06", 0, N_ ("It begins at %g s, but runs here begin at 0."),
                           r.start);
      r.stop -= r.start;
    }
  if (structure != NULL && !r.is_failed)
    model = weir_structure_assemble (&r, structure, origin.root);
  g_clear_pointer (&structure, weir_structure_free);
  g_free (r.title);
  g_free (r.author);
  g_free (r.description);
  return model;
}

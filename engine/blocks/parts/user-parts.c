/* Parts that users write. See user-parts.h.
 *
 * Files and folders that were read are kept for good, also older ones: lists of them may be looked
 * at elsewhere.
 */
#include "blocks/parts/user-parts.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/sync.h"
#include "base/text.h"

#define SUFFIX ".weirpart"
#define DIGEST_DIGITS 16
#define MAX_FILES 1000 /* of a folder */

/* A file as it was read. */
typedef struct {
  char *path;
  gint64 time;
  goffset size;
  GPtrArray *parts; /* of const WeirPartType; NULL: */
  GError *problem;
  GPtrArray *names; /* of const char: what its parts are called, where it was not understood */
} PartFile;

static GMutex mutex;
static GHashTable *types;   /* name to WeirPartType */
static GHashTable *folders; /* path to GPtrArray of PartFile, in order of path */

/* --- Types ----------------------------------------------------------------------------------- */

const WeirBlockType *
weir_user_parts_find (const char *name)
{
  const WeirPartType *part;

  if (strchr (name, ':') == NULL)
    return NULL;
  weir_sync_lock (&mutex);
  part = types != NULL ? g_hash_table_lookup (types, name) : NULL;
  weir_sync_unlock (&mutex);
  return part != NULL ? &part->type : NULL;
}

/* The part, or the same that was read before. */
static const WeirPartType *
keep (WeirPartType *part)
{
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, part->text, -1);
  g_autofree char *name = g_strdup_printf ("%s:%.*s", part->name, DIGEST_DIGITS, digest);
  const WeirPartType *known;

  part->type.name = g_intern_string (name);
  weir_sync_lock (&mutex);
  if (types == NULL)
    types = g_hash_table_new (g_str_hash, g_str_equal);
  known = g_hash_table_lookup (types, name);
  if (known == NULL)
    g_hash_table_insert (types, (gpointer) part->type.name, part);
  weir_sync_unlock (&mutex);
  if (known == NULL)
    return part;
  weir_part_type_free (part);
  return known;
}

const WeirPartType *
weir_user_parts_add (const char *text, GError **error)
{
  g_autoptr (GPtrArray) parts = weir_parts_parse (text, NULL, error);

  if (parts == NULL)
    return NULL;
  if (parts->len != 1)
    {
      weir_error_set (error, WEIR_ERROR_INVALID, "The text holds %u parts, but must hold one.",
                      parts->len);
      for (guint i = 0; i < parts->len; i++)
        weir_part_type_free (g_ptr_array_index (parts, i));
      return NULL;
    }
  return keep (g_ptr_array_index (parts, 0));
}

/* --- Files ----------------------------------------------------------------------------------- */

/* Of a text that is not understood, the parts that it seems to hold. */
static void
note_names (const char *text, GPtrArray *names)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit_set (g_strstrip (lines[i]), " \t", 3);

      if (g_strcmp0 (words[0], "part") == 0 && words[1] != NULL && words[1][0] != '\0')
        g_ptr_array_add (names, (gpointer) g_intern_string (words[1]));
    }
  g_ptr_array_add (names, NULL);
}

static GPtrArray *
parse_file (const char *path, GPtrArray *names, GError **error)
{
  g_autoptr (GBytes) bytes = weir_file_read (path, WEIR_FILE_PART, error);
  g_autofree char *text = NULL;
  GPtrArray *parts;

  if (bytes == NULL)
    return NULL;
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  if (strlen (text) != g_bytes_get_size (bytes) || !g_utf8_validate (text, -1, NULL))
    {
      weir_error_set (error, WEIR_ERROR_INVALID, "%s cannot be read: it is no text in UTF-8.",
                      path);
      return NULL;
    }
  parts = weir_parts_parse (text, path, error);
  if (parts == NULL)
    note_names (text, names);
  for (guint i = 0; parts != NULL && i < parts->len; i++)
    parts->pdata[i] = (gpointer) keep (parts->pdata[i]);
  return parts;
}

static PartFile *
file_new (const char *path, gint64 time, goffset size)
{
  PartFile *self = g_new0 (PartFile, 1);

  self->path = g_strdup (path);
  self->time = time;
  self->size = size;
  self->names = g_ptr_array_new ();
  self->parts = parse_file (path, self->names, &self->problem);
  if (self->names->len == 0)
    g_ptr_array_add (self->names, NULL);
  return self;
}

/* What is known of @path, unless it has changed; else what is there. */
static PartFile *
read_file (const GPtrArray *known, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info = g_file_query_info (file,
                                                  G_FILE_ATTRIBUTE_STANDARD_SIZE
                                                  "," G_FILE_ATTRIBUTE_TIME_MODIFIED "," //
                                                  G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC,
                                                  G_FILE_QUERY_INFO_NONE, NULL, NULL);
  gint64 time = 0;
  goffset size = 0;

  if (info != NULL)
    {
      time = (gint64) g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED)
                 * G_USEC_PER_SEC
             + g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC);
      size = g_file_info_get_size (info);
    }
  for (guint i = 0; known != NULL && i < known->len; i++)
    {
      PartFile *found = g_ptr_array_index (known, i);

      if (strcmp (found->path, path) == 0 && found->time == time && found->size == size)
        return found;
    }
  return file_new (path, time, size);
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* (transfer full), of char* */
static GPtrArray *
list_paths (const char *folder)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && paths->len < MAX_FILES && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, SUFFIX))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_paths);
  return paths;
}

static const GPtrArray *
get_files (const char *folder)
{
  const GPtrArray *files;

  weir_sync_lock (&mutex);
  files = folders != NULL ? g_hash_table_lookup (folders, folder) : NULL;
  weir_sync_unlock (&mutex);
  return files;
}

static void
read_folder (const char *folder)
{
  const GPtrArray *known = get_files (folder);
  g_autoptr (GPtrArray) paths = list_paths (folder);
  GPtrArray *files = g_ptr_array_new ();
  gboolean is_same = known != NULL && known->len == paths->len;

  for (guint i = 0; i < paths->len; i++)
    {
      g_ptr_array_add (files, read_file (known, g_ptr_array_index (paths, i)));
      is_same = is_same && known->pdata[i] == files->pdata[i];
    }
  if (is_same)
    {
      g_ptr_array_unref (files);
      return;
    }
  weir_sync_lock (&mutex);
  if (folders == NULL)
    folders = g_hash_table_new (g_str_hash, g_str_equal);
  g_hash_table_insert (folders, (gpointer) g_intern_string (folder), files);
  weir_sync_unlock (&mutex);
}

/* (transfer full) */
static char *
dup_own_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "weir", "parts", NULL);
}

void
weir_user_parts_read (const char *folder)
{
  g_autofree char *own = dup_own_folder ();

  read_folder (own);
  if (folder != NULL)
    read_folder (folder);
}

/* --- What there is --------------------------------------------------------------------------- */

static void
visit_files (const char *folder, void (*visit) (const PartFile *file, gpointer data), gpointer data)
{
  g_autofree char *own = dup_own_folder ();
  const GPtrArray *lists[] = { folder != NULL ? get_files (folder) : NULL, get_files (own) };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint k = 0; lists[i] != NULL && k < lists[i]->len; k++)
      visit (g_ptr_array_index (lists[i], k), data);
}

/* The first of a name stays. */
static void
add_parts (const PartFile *file, gpointer data)
{
  GHashTable *by_name = data;

  for (guint i = 0; file->parts != NULL && i < file->parts->len; i++)
    {
      const WeirPartType *part = g_ptr_array_index (file->parts, i);

      if (!g_hash_table_contains (by_name, part->name))
        g_hash_table_insert (by_name, (gpointer) part->name, (gpointer) part);
    }
}

static GHashTable *
find_by_name (const char *folder)
{
  GHashTable *by_name = g_hash_table_new (g_str_hash, g_str_equal);

  visit_files (folder, add_parts, by_name);
  return by_name;
}

const WeirPartType *
weir_user_parts_find_present (const char *part, const char *folder)
{
  g_autoptr (GHashTable) by_name = find_by_name (folder);

  return g_hash_table_lookup (by_name, part);
}

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const WeirPartType *x = *(const WeirPartType *const *) a, *y = *(const WeirPartType *const *) b;
  int order = g_utf8_collate (x->type.category, y->type.category);

  return order != 0 ? order : g_utf8_collate (x->type.title, y->type.title);
}

GPtrArray *
weir_user_parts_list (const char *folder)
{
  g_autoptr (GHashTable) by_name = find_by_name (folder);
  GPtrArray *parts = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer part;

  g_hash_table_iter_init (&iter, by_name);
  while (g_hash_table_iter_next (&iter, NULL, &part))
    g_ptr_array_add (parts, part);
  g_ptr_array_sort (parts, compare_parts);
  return parts;
}

typedef struct {
  WeirPartProblemFunc visit;
  gpointer data;
} Visiting;

static void
visit_problem (const PartFile *file, gpointer data)
{
  const Visiting *visiting = data;

  if (file->problem != NULL)
    visiting->visit (file->problem, (const char *const *) file->names->pdata, visiting->data);
}

void
weir_user_parts_visit_problems (const char *folder, WeirPartProblemFunc visit, gpointer data)
{
  Visiting visiting = { visit, data };

  visit_files (folder, visit_problem, &visiting);
}

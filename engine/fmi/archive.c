/* The archive that an FMU is. See archive.h.
 *
 * The directory at the end of the file is what counts; what stands before each file's bytes must
 * agree with it. All of that is checked when an archive is opened, the bytes of a file when it is
 * read.
 */
#include "fmi/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/error.h"
#include "base/file.h"
#include "base/phrase.h"
#include "base/sync.h"
#include "base/text.h"

#define MEBIBYTE ((guint64) 1024 * 1024)

/* Files that are unpacked may be so many times as large as the archive, and this anyway. Text
 * compresses to a tenth; only a bomb, or a table full of zeros, goes beyond. */
#define MAX_RATIO 200
#define MIN_ROOM (64 * MEBIBYTE)

#define MAX_NAME 1024 /* bytes */
#define MAX_PART 255  /* of one part of it, as file systems have it */

enum {
  END_SIZE = 22,
  CENTRAL_SIZE = 46,
  LOCAL_SIZE = 30,
  END_MARK = 0x06054b50,
  CENTRAL_MARK = 0x02014b50,
  LOCAL_MARK = 0x04034b50,
  STORED = 0,
  DEFLATED = 8,
  ENCRYPTED = 0x0001 | 0x0040 | 0x2000, /* flags: in one way or another */
  UTF8_NAME = 0x0800,
  VERSION = 20,       /* of the format: folders and deflate */
  UNIX = 3 << 8,      /* who wrote it: permissions have a meaning */
  FIRST_DAY = 0x0021, /* 1 January 1980, which stands for no date */
};

typedef struct {
  char *name;
  gsize at;      /* where its local header begins */
  gsize data;    /* where its bytes begin */
  gsize n_taken; /* bytes, as they lie there */
  gsize size;
  guint32 crc;
  gboolean is_deflated, is_executable;
} Entry;

struct _WeirFmuArchive {
  gatomicrefcount ref_count;
  char *name;
  char *checksum;
  GBytes *bytes;
  GArray *entries;     /* of Entry */
  GHashTable *by_name; /* borrowed name to index + 1 */
};

/* FALSE, so that it can be returned. */
static gboolean G_GNUC_PRINTF (3, 4)
    refuse (const WeirFmuArchive *self, GError **error, const char *format, ...)
{
  g_autoptr (WeirMessage) cause = NULL;
  va_list args;

  va_start (args, format);
  cause = weir_message_new_valist (format, args);
  va_end (args);
  weir_error_set (error, WEIR_ERROR_FILE, "%s is no FMU that can be read: %s", self->name,
                  weir_message_get_text (cause));
  return FALSE;
}

static guint
get_16 (const guint8 *p)
{
  return (guint) p[0] | (guint) p[1] << 8;
}

static guint32
get_32 (const guint8 *p)
{
  return get_16 (p) | (guint32) get_16 (p + 2) << 16;
}

/* CRC-32 of ISO 3309. */
static guint32
calc_crc (const guint8 *data, gsize size)
{
  static guint32 table[256];
  static gsize is_made;
  guint32 crc = 0xffffffff;

  if (g_once_init_enter (&is_made))
    {
      for (guint32 i = 0; i < 256; i++)
        {
          table[i] = i;
          for (guint bit = 0; bit < 8; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
        }
      g_once_init_leave (&is_made, 1);
    }
  for (gsize i = 0; i < size; i++)
    crc = crc >> 8 ^ table[(crc ^ data[i]) & 0xff];
  return ~crc;
}

/* --- Names ----------------------------------------------------------------------------------- */

/* What is wrong with a file's name, or NULL. A folder's ends in a slash. */
static const char *
find_fault (const char *name, gsize length)
{
  const char *part = name, *end;

  if (length == 0)
    return N_ ("has no name");
  if (strlen (name) != length || !g_utf8_validate_len (name, length, NULL))
    return N_ ("has a name that is not UTF-8");
  if (length > MAX_NAME)
    return N_ ("has a name that is too long");
  for (const char *p = name; *p != '\0'; p++)
    if (g_ascii_iscntrl (*p))
      return N_ ("has a control character in its name");
  if (strchr (name, '\\') != NULL)
    return N_ ("has a back slash in its name, where the format wants slashes");
  if (name[0] == '/' || (g_ascii_isalpha (name[0]) && name[1] == ':'))
    return N_ ("has an absolute path");
  for (; *part != '\0'; part = *end == '/' ? end + 1 : end)
    {
      gsize n;

      end = strchrnul (part, '/');
      n = (gsize) (end - part);
      if (n == 2 && part[0] == '.' && part[1] == '.')
        return N_ ("leads out of the archive by \"..\"");
      if (n == 0 || (n == 1 && part[0] == '.'))
        return N_ ("has a path with an empty part");
      if (n > MAX_PART)
        return N_ ("has a name that is too long");
    }
  return NULL;
}

/* Adds the folders that @name stands in. @folders: a set of names, owned. */
static void
note_folders (GHashTable *folders, const char *name)
{
  for (const char *slash = strchr (name, '/'); slash != NULL; slash = strchr (slash + 1, '/'))
    g_hash_table_add (folders, g_strndup (name, (gsize) (slash - name)));
}

/* --- The directory --------------------------------------------------------------------------- */

/* The directory: from @at on, @n entries that end where the record of the end begins. */
static gboolean
find_directory (const WeirFmuArchive *self, const guint8 *data, gsize size, gsize *at, gsize *end,
                guint *n, GError **error)
{
  gsize p = size < END_SIZE ? 0 : size - END_SIZE;
  gsize first = size > END_SIZE + G_MAXUINT16 ? size - END_SIZE - G_MAXUINT16 : 0;

  if (size == 0)
    return refuse (self, error, N_ ("it is empty."));
  if (size < END_SIZE)
    return refuse (self, error, N_ ("it is no zip archive."));
  while (get_32 (data + p) != END_MARK && p > first)
    p--;
  if (get_32 (data + p) != END_MARK)
    return refuse (self, error,
                   size >= 4 && get_32 (data) == LOCAL_MARK
                       ? N_ ("the archive is cut off: its directory is missing.")
                       : N_ ("it is no zip archive."));
  if (p + END_SIZE + get_16 (data + p + 20) != size)
    return refuse (self, error, N_ ("something follows the archive's end."));
  if (get_16 (data + p + 4) != 0 || get_16 (data + p + 6) != 0
      || get_16 (data + p + 8) != get_16 (data + p + 10))
    return refuse (self, error, N_ ("it is one part of an archive of several."));
  *n = get_16 (data + p + 10);
  *at = get_32 (data + p + 16);
  *end = p;
  if (*n == G_MAXUINT16 || *at == G_MAXUINT32)
    return refuse (self, error, N_ ("it is a ZIP64 archive, which FMUs do not use."));
  if (*at + get_32 (data + p + 12) != p)
    return refuse (self, error,
                   N_ ("its directory is not where it is said to be, or the archive is cut off."));
  return TRUE;
}

/* What stands before the bytes of @entry agrees with the directory, and gives where they begin. */
static gboolean
check_local (const WeirFmuArchive *self, const guint8 *data, gsize directory, Entry *entry,
             guint method, GError **error)
{
  const guint8 *p = data + entry->at;
  gsize length = strlen (entry->name);

  if (entry->at + LOCAL_SIZE > directory || get_32 (p) != LOCAL_MARK
      || entry->at + LOCAL_SIZE + length > directory)
    return refuse (self, error, N_ ("\"%s\" is not where the directory says."), entry->name);
  if (get_16 (p + 26) != length || memcmp (p + LOCAL_SIZE, entry->name, length) != 0)
    return refuse (self, error, N_ ("\"%s\" has another name in its own place."), entry->name);
  if (get_16 (p + 8) != method || (get_16 (p + 6) & ENCRYPTED) != 0)
    return refuse (self, error, N_ ("\"%s\" is kept in another way than the directory says."),
                   entry->name);
  entry->data = entry->at + LOCAL_SIZE + length + get_16 (p + 28);
  if (entry->data + entry->n_taken > directory)
    return refuse (self, error, N_ ("\"%s\" reaches beyond the files' part of the archive."),
                   entry->name);
  return TRUE;
}

/* Reads the entry of the directory at @p, for which there is room. FALSE: refused. */
static gboolean
read_entry (WeirFmuArchive *self, const guint8 *data, gsize directory, const guint8 *p,
            GHashTable *folders, GError **error)
{
  guint method = get_16 (p + 10), length = get_16 (p + 28), mode = get_32 (p + 38) >> 16;
  g_autofree char *name = g_strndup ((const char *) p + CENTRAL_SIZE, length);
  g_autofree char *shown = g_utf8_make_valid (name, -1);
  const char *fault = find_fault (name, length);
  gboolean is_folder = length > 0 && p[CENTRAL_SIZE + length - 1] == '/';
  Entry entry = { .at = get_32 (p + 42),
                  .n_taken = get_32 (p + 20),
                  .size = get_32 (p + 24),
                  .crc = get_32 (p + 16),
                  .is_deflated = method == DEFLATED,
                  .is_executable = (mode & 0100) != 0 };

  if (fault != NULL)
    return refuse (self, error, N_ ("\"%.100s\" %s."), shown, weir_phrase (fault));
  if (S_ISLNK (mode))
    return refuse (self, error, N_ ("\"%s\" is a link, which FMUs may not have."), name);
  if ((mode & S_IFMT) != 0 && !S_ISREG (mode) && !(is_folder && S_ISDIR (mode)))
    return refuse (self, error, N_ ("\"%s\" is no plain file."), name);
  if ((get_16 (p + 8) & ENCRYPTED) != 0)
    return refuse (self, error, N_ ("\"%s\" is encrypted."), name);
  if (method != STORED && method != DEFLATED)
    return refuse (
        self, error,
        N_ ("\"%s\" is compressed by method %u; FMUs use 0 (stored) and 8 (deflated) only."), name,
        method);
  if (entry.at == G_MAXUINT32 || entry.n_taken == G_MAXUINT32 || entry.size == G_MAXUINT32)
    return refuse (self, error, N_ ("\"%s\" needs ZIP64, which FMUs do not use."), name);
  if (get_16 (p + 34) != 0)
    return refuse (self, error, N_ ("\"%s\" is in another part of an archive of several."), name);
  if ((method == STORED && entry.n_taken != entry.size) || (is_folder && entry.size != 0))
    return refuse (self, error, N_ ("\"%s\" has a size that cannot be."), name);
  note_folders (folders, name);
  entry.name = name;
  if (!check_local (self, data, directory, &entry, method, error))
    return FALSE;
  if (is_folder)
    return TRUE;
  entry.name = g_steal_pointer (&name);
  g_array_append_val (self->entries, entry);
  return TRUE;
}

static gboolean
read_directory (WeirFmuArchive *self, const guint8 *data, gsize size, GHashTable *folders,
                GError **error)
{
  gsize at = 0, end = 0, directory;
  guint n = 0;

  if (!find_directory (self, data, size, &at, &end, &n, error))
    return FALSE;
  directory = at;
  for (guint i = 0; i < n; i++)
    {
      const guint8 *p = data + at;

      if (end - at < CENTRAL_SIZE || get_32 (p) != CENTRAL_MARK
          || end - at - CENTRAL_SIZE < (gsize) get_16 (p + 28) + get_16 (p + 30) + get_16 (p + 32))
        return refuse (self, error, N_ ("its directory is damaged at entry %u of %u."), i + 1, n);
      if (!read_entry (self, data, directory, p, folders, error))
        return FALSE;
      at += CENTRAL_SIZE + (gsize) get_16 (p + 28) + get_16 (p + 30) + get_16 (p + 32);
    }
  return at == end
         || refuse (self, error,
                    N_ ("its directory goes on after the %u entries that it is to have."), n);
}

/* --- The files together ---------------------------------------------------------------------- */

static gboolean
check_names (WeirFmuArchive *self, GHashTable *folders, GError **error)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, i);

      if (!g_hash_table_insert (self->by_name, entry->name, GUINT_TO_POINTER (i + 1)))
        return refuse (self, error, N_ ("\"%s\" is in it twice."), entry->name);
      if (g_hash_table_contains (folders, entry->name))
        return refuse (self, error, N_ ("\"%s\" is both a file and a folder."), entry->name);
    }
  return TRUE;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Entry *const *x = a, *const *y = b;

  return (*x)->at < (*y)->at ? -1 : (*x)->at > (*y)->at;
}

/* Files that share bytes make small archives large without end. */
static gboolean
check_places (const WeirFmuArchive *self, GError **error)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();

  for (guint i = 0; i < self->entries->len; i++)
    g_ptr_array_add (sorted, &g_array_index (self->entries, Entry, i));
  g_ptr_array_sort (sorted, compare_places);
  for (guint i = 1; i < sorted->len; i++)
    {
      const Entry *before = sorted->pdata[i - 1], *entry = sorted->pdata[i];

      if (before->data + before->n_taken > entry->at)
        return refuse (self, error, N_ ("\"%s\" and \"%s\" overlap."), before->name, entry->name);
    }
  return TRUE;
}

static gboolean
check_sizes (const WeirFmuArchive *self, gsize size, GError **error)
{
  guint64 sum = 0;

  for (guint i = 0; i < self->entries->len; i++)
    sum += g_array_index (self->entries, Entry, i).size;
  if (sum > WEIR_BUDGET)
    return refuse (self, error, N_ ("unpacked it would have %u MiB, but %u MiB is the limit."),
                   (guint) (sum / MEBIBYTE), (guint) (WEIR_BUDGET / MEBIBYTE));
  if (sum > MIN_ROOM && sum / MAX_RATIO > size)
    return refuse (self, error,
                   N_ ("unpacked it would have %u MiB, more than %d times its own size."),
                   (guint) (sum / MEBIBYTE), MAX_RATIO);
  return TRUE;
}

static void
clear_entry (gpointer entry)
{
  g_free (((Entry *) entry)->name);
}

WeirFmuArchive *
weir_fmu_archive_new (GBytes *bytes, const char *name, GError **error)
{
  g_autoptr (WeirFmuArchive) self = g_new0 (WeirFmuArchive, 1);
  g_autoptr (GHashTable) folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const guint8 *data;
  gsize size;

  g_return_val_if_fail (bytes != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  g_atomic_ref_count_init (&self->ref_count);
  self->name = g_strdup (name);
  self->bytes = g_bytes_ref (bytes);
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (self->entries, clear_entry);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  data = g_bytes_get_data (bytes, &size);
  if (!read_directory (self, data, size, folders, error) || !check_names (self, folders, error)
      || !check_places (self, error) || !check_sizes (self, size, error))
    return NULL;
  self->checksum = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
  return g_steal_pointer (&self);
}

WeirFmuArchive *
weir_fmu_archive_open (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = weir_file_read (path, WEIR_FILE_FMU, error);

  return bytes != NULL ? weir_fmu_archive_new (bytes, path, error) : NULL;
}

WeirFmuArchive *
weir_fmu_archive_ref (WeirFmuArchive *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_fmu_archive_unref (WeirFmuArchive *self)
{
  g_return_if_fail (self != NULL);

  if (!weir_sync_drop (self, &self->ref_count))
    return;
  g_free (self->name);
  g_free (self->checksum);
  g_bytes_unref (self->bytes);
  g_hash_table_unref (self->by_name);
  g_array_unref (self->entries);
  g_free (self);
}

/* --- Asking ---------------------------------------------------------------------------------- */

const char *
weir_fmu_archive_get_name (const WeirFmuArchive *self)
{
  return self->name;
}

const char *
weir_fmu_archive_get_checksum (const WeirFmuArchive *self)
{
  return self->checksum;
}

GBytes *
weir_fmu_archive_get_bytes (const WeirFmuArchive *self)
{
  return self->bytes;
}

guint
weir_fmu_archive_get_n_files (const WeirFmuArchive *self)
{
  return self->entries->len;
}

const char *
weir_fmu_archive_get_file (const WeirFmuArchive *self, guint i)
{
  g_return_val_if_fail (i < self->entries->len, NULL);

  return g_array_index (self->entries, Entry, i).name;
}

gsize
weir_fmu_archive_get_file_size (const WeirFmuArchive *self, guint i)
{
  g_return_val_if_fail (i < self->entries->len, 0);

  return g_array_index (self->entries, Entry, i).size;
}

gboolean
weir_fmu_archive_find (const WeirFmuArchive *self, const char *file, guint *i)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, file));

  if (found > 0 && i != NULL)
    *i = found - 1;
  return found > 0;
}

GPtrArray *
weir_fmu_archive_list_folders (const WeirFmuArchive *self, const char *folder)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) listed = g_hash_table_new (g_str_hash, g_str_equal);
  gsize length = strlen (folder);

  for (guint i = 0; i < self->entries->len; i++)
    {
      const char *name = g_array_index (self->entries, Entry, i).name;
      const char *inner = name + length + 1;
      g_autofree char *found = NULL;

      if (!g_str_has_prefix (name, folder) || name[length] != '/' || strchr (inner, '/') == NULL)
        continue;
      found = g_strndup (inner, (gsize) (strchr (inner, '/') - inner));
      if (g_hash_table_add (listed, found))
        g_ptr_array_add (names, g_steal_pointer (&found));
    }
  return names;
}

/* --- Bytes of files -------------------------------------------------------------------------- */

/* All that @converter makes of @data, if that is at most @most bytes and all of @data is needed for
 * it. (transfer full) */
static GBytes *
convert (GConverter *converter, const guint8 *data, gsize size, gsize most)
{
  g_autofree guint8 *out = g_malloc (most + 1); /* one more tells that it goes on */
  gsize n_in = 0, n_out = 0;
  GConverterResult result = G_CONVERTER_CONVERTED;

  while (result == G_CONVERTER_CONVERTED && n_out <= most)
    {
      gsize n_read = 0, n_written = 0;

      result = g_converter_convert (converter, data + n_in, size - n_in, out + n_out,
                                    most + 1 - n_out, G_CONVERTER_INPUT_AT_END, &n_read, &n_written,
                                    NULL);
      n_in += n_read;
      n_out += n_written;
    }
  if (result != G_CONVERTER_FINISHED || n_in != size || n_out > most)
    return NULL;
  return g_bytes_new_take (g_realloc (g_steal_pointer (&out), MAX (n_out, 1)), n_out);
}

GBytes *
weir_fmu_archive_read (const WeirFmuArchive *self, guint i, GError **error)
{
  const Entry *entry;
  g_autoptr (GBytes) bytes = NULL;
  const guint8 *data;
  gsize size;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (i < self->entries->len, NULL);

  entry = &g_array_index (self->entries, Entry, i);
  if (!entry->is_deflated)
    bytes = g_bytes_new_from_bytes (self->bytes, entry->data, entry->size);
  else
    {
      g_autoptr (GZlibDecompressor)
          inflate = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_RAW);

      data = g_bytes_get_data (self->bytes, NULL);
      bytes = convert (G_CONVERTER (inflate), data + entry->data, entry->n_taken, entry->size);
    }
  data = bytes != NULL ? g_bytes_get_data (bytes, &size) : NULL;
  if (bytes == NULL || size != entry->size || calc_crc (data, size) != entry->crc)
    {
      refuse (self, error, N_ ("\"%s\" is damaged."), entry->name);
      return NULL;
    }
  return g_steal_pointer (&bytes);
}

/* --- Unpacking ------------------------------------------------------------------------------- */

/* -1 with @error. The lock ends when it is closed. */
static int
lock_cache (const char *folder, GError **error)
{
  g_autofree char *path = g_build_filename (folder, "lock", NULL);
  int fd = -1, done;

  if (g_mkdir_with_parents (folder, 0700) == 0)
    fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0)
    {
      weir_error_set (error, WEIR_ERROR_FILE, "%s cannot be written: %s", folder,
                      g_strerror (errno));
      return -1;
    }
  do
    done = flock (fd, LOCK_EX);
  while (done != 0 && errno == EINTR);
  return fd;
}

/* Makes @path hold @bytes. What is there already and differs is replaced, not written over: a
 * program may have it loaded. */
static gboolean
place_file (const char *path, GBytes *bytes, gboolean is_executable, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GBytes) present = weir_file_read (path, WEIR_FILE_FMU, NULL);
  g_autoptr (GError) cause = NULL;
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  if (present != NULL && g_bytes_equal (present, bytes))
    return TRUE;
  if (g_mkdir_with_parents (folder, 0700) != 0)
    g_set_error_literal (&cause, G_FILE_ERROR, (gint) g_file_error_from_errno (errno),
                         g_strerror (errno));
  else if (g_file_set_contents_full (path, size > 0 ? data : "", (gssize) size,
                                     G_FILE_SET_CONTENTS_CONSISTENT
                                         | G_FILE_SET_CONTENTS_ONLY_EXISTING,
                                     is_executable ? 0700 : 0600, &cause))
    return TRUE;
  weir_error_set (error, WEIR_ERROR_FILE, "%s cannot be written: %s", path, cause->message);
  return FALSE;
}

/* The files whose names begin with @part. */
static char *
unpack (const WeirFmuArchive *self, const char *part, gboolean with_programs, GError **error)
{
  g_autofree char *cache = g_build_filename (g_get_user_cache_dir (), "weir", "fmus", NULL);
  g_autofree char *folder = NULL;
  gboolean is_whole = TRUE;
  int lock;

  lock = lock_cache (cache, error);
  if (lock < 0)
    return NULL;
  folder = g_build_filename (cache, self->checksum, NULL);
  for (guint i = 0; i < self->entries->len && is_whole; i++)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, i);
      g_autofree char *path = g_build_filename (folder, entry->name, NULL);
      g_autoptr (GBytes) bytes = NULL;

      if (!g_str_has_prefix (entry->name, part))
        continue;
      bytes = weir_fmu_archive_read (self, i, error);
      is_whole = bytes != NULL
                 && place_file (path, bytes, with_programs && entry->is_executable, error);
    }
  close (lock);
  return is_whole ? g_steal_pointer (&folder) : NULL;
}

char *
weir_fmu_archive_unpack (const WeirFmuArchive *self, GError **error)
{
  g_return_val_if_fail (self != NULL, NULL);

  return unpack (self, "", TRUE, error);
}

char *
weir_fmu_archive_unpack_part (const WeirFmuArchive *self, const char *part, GError **error)
{
  g_return_val_if_fail (self != NULL, NULL);

  return unpack (self, part, FALSE, error);
}

/* --- Writing --------------------------------------------------------------------------------- */

static void
put_16 (GByteArray *out, guint value)
{
  guint8 bytes[2] = { (guint8) value, (guint8) (value >> 8) };

  g_byte_array_append (out, bytes, sizeof bytes);
}

static void
put_32 (GByteArray *out, guint32 value)
{
  put_16 (out, value & 0xffff);
  put_16 (out, value >> 16);
}

/* What the local header and the directory have in common. */
static void
put_common (GByteArray *out, const char *name, const Entry *entry)
{
  put_16 (out, VERSION);
  put_16 (out, UTF8_NAME);
  put_16 (out, entry->is_deflated ? DEFLATED : STORED);
  put_16 (out, 0); /* midnight */
  put_16 (out, FIRST_DAY);
  put_32 (out, entry->crc);
  put_32 (out, (guint32) entry->n_taken);
  put_32 (out, (guint32) entry->size);
  put_16 (out, (guint) strlen (name));
  put_16 (out, 0); /* nothing besides */
}

static void
put_file (GByteArray *out, GByteArray *directory, const WeirFmuFile *file)
{
  g_autoptr (GZlibCompressor) deflate = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_RAW, 9);
  g_autoptr (GBytes) shorter = NULL;
  gsize size;
  const guint8 *data = g_bytes_get_data (file->bytes, &size);
  gboolean is_program = g_str_has_prefix (file->name, "binaries/");
  Entry entry = { .at = out->len, .n_taken = size, .size = size, .crc = calc_crc (data, size) };

  if (size > 0)
    shorter = convert (G_CONVERTER (deflate), data, size, size - 1);
  if (shorter != NULL)
    {
      data = g_bytes_get_data (shorter, &entry.n_taken);
      entry.is_deflated = TRUE;
    }
  put_32 (out, LOCAL_MARK);
  put_common (out, file->name, &entry);
  g_byte_array_append (out, (const guint8 *) file->name, (guint) strlen (file->name));
  g_byte_array_append (out, data, (guint) entry.n_taken);

  put_32 (directory, CENTRAL_MARK);
  put_16 (directory, UNIX | VERSION);
  put_common (directory, file->name, &entry);
  put_16 (directory, 0); /* no comment, */
  put_16 (directory, 0); /* the first part of one, */
  put_16 (directory, 0); /* bytes */
  put_32 (directory, (guint32) (S_IFREG | (is_program ? 0755 : 0644)) << 16);
  put_32 (directory, (guint32) entry.at);
  g_byte_array_append (directory, (const guint8 *) file->name, (guint) strlen (file->name));
}

GBytes *
weir_fmu_archive_write (const WeirFmuFile *files, guint n, GError **error)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (GByteArray) directory = g_byte_array_new ();
  g_autoptr (WeirFmuArchive) archive = NULL;
  g_autoptr (GBytes) bytes = NULL;
  guint64 sum = 0;
  guint32 at;

  g_return_val_if_fail (files != NULL || n == 0, NULL);
  g_return_val_if_fail (n < G_MAXUINT16, NULL);

  for (guint i = 0; i < n; i++)
    sum += g_bytes_get_size (files[i].bytes) + 2 * strlen (files[i].name) + 100;
  if (!weir_budget_allows (sum, 1, N_ ("The archive"), N_ ("leave files out"), error))
    return NULL;
  for (guint i = 0; i < n; i++)
    put_file (out, directory, &files[i]);
  at = out->len;
  g_byte_array_append (out, directory->data, directory->len);
  put_32 (out, END_MARK);
  put_32 (out, 0); /* one part */
  put_16 (out, n);
  put_16 (out, n);
  put_32 (out, directory->len);
  put_32 (out, at);
  put_16 (out, 0); /* no comment */
  bytes = g_byte_array_free_to_bytes (g_steal_pointer (&out));
  archive = weir_fmu_archive_new (bytes, "The archive", error);
  return archive != NULL ? g_steal_pointer (&bytes) : NULL;
}

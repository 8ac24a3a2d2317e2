/* Reading HDF5 files as h5py, PyTables, MATLAB (-v7.3) and this program write them: datasets of
 * real numbers of one or two dimensions, in one piece or in chunks, compressed by zlib or not, in
 * folders of old and, while they are small, of new style. What is kept otherwise is left out.
 *
 * "HDF5 File Format Specification", The HDF Group. Nothing in a file is trusted: each address is
 * looked at before it is followed, folders and trees end, and no more is taken than a table may
 * have.
 */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "sim/result-arrays.h"

#define SIGNATURE "\x89HDF\r\n\x1a\n"
#define MAX_DEPTH 16 /* of folders, and of trees */
#define MAX_OBJECTS 100000
#define MAX_PIECES 256 /* of an object's messages */
#define MAX_FILTERS 4
#define MAX_LAST_USER_BLOCK 65536
#define NOWHERE G_MAXUINT64

enum {
  DATASPACE = 0x1,
  DATATYPE = 0x3,
  LINK = 0x6,
  LAYOUT = 0x8,
  FILTERS = 0xb,
  MORE = 0x10,
  SYMBOLS = 0x11
};
enum { COMPACT, CONTIGUOUS, CHUNKED, OTHERWISE };
enum { DEFLATE = 1, SHUFFLE = 2, CHECKSUM = 3 };

typedef struct {
  const guint8 *bytes;
  gsize size;
  GArray *arrays;
  gsize taken, inflated; /* bytes, of arrays and of chunks */
  guint n_objects;
} Reader;

/* What the messages of an object say. */
typedef struct {
  gboolean has_space, has_type, is_folder;
  guint rank;
  guint64 sizes[2]; /* 1 beyond the rank */
  WeirNumberForm form;
  int layout;
  const guint8 *compact; /* of so many bytes; */
  guint64 at, n_bytes;   /* of one piece; where the tree of chunks is */
  guint64 chunk[2];
  guint chunk_rank;
  guint n_filters, filters[MAX_FILTERS];
  guint64 tree, heap; /* of a folder */
  GArray *links;      /* Link */
} Object;

typedef struct {
  char *name;
  guint64 at;
} Link;

static void
clear_link (gpointer data)
{
  g_free (((Link *) data)->name);
}

static void
object_clear (Object *self)
{
  g_clear_pointer (&self->links, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Object, object_clear)

/* --- Bytes ----------------------------------------------------------------------------------- */

/* NULL: they are not all there. */
static const guint8 *
look (const Reader *self, guint64 at, guint64 n)
{
  return at <= self->size && n <= self->size - at ? self->bytes + at : NULL;
}

static guint64
take (const guint8 *at, guint size)
{
  guint64 value = 0;

  for (guint i = 0; i < size; i++)
    value |= (guint64) at[i] << 8 * i;
  return value;
}

/* --- Messages -------------------------------------------------------------------------------- */

static void
read_space (Object *object, const guint8 *at, gsize n)
{
  gsize first = n > 0 && at[0] == 1 ? 8 : 4;

  if (n < first || (at[0] != 1 && at[0] != 2) || n < first + 8 * (gsize) at[1])
    return;
  object->rank = at[1];
  object->sizes[0] = object->sizes[1] = 1;
  for (guint i = 0; i < MIN (object->rank, 2); i++)
    object->sizes[i] = take (at + first + 8 * i, 8);
  object->has_space = object->rank == 1 || object->rank == 2;
}

static void
read_type (Object *object, const guint8 *at, gsize n)
{
  guint class, size;

  if (n < 8)
    return;
  class = at[0] & 0xf;
  size = class <= 1 ? (guint) take (at + 4, 4) : 0;
  object->form = (WeirNumberForm) { size, class == 1, (at[1] & 8) != 0, (at[1] & 1) != 0 };
  object->has_type = class == 0 ? size == 1 || size == 2 || size == 4 || size == 8
                                : class == 1 && (size == 4 || size == 8) && (at[1] & 0x40) == 0;
}

static void
read_layout (Object *object, const guint8 *at, gsize n)
{
  if (n < 4 || (at[0] != 3 && at[0] != 4))
    return;
  if (at[1] == COMPACT && n >= 4 + (gsize) take (at + 2, 2))
    {
      object->layout = COMPACT;
      object->n_bytes = take (at + 2, 2);
      object->compact = at + 4;
    }
  else if (at[1] == CONTIGUOUS && n >= 18)
    {
      object->layout = CONTIGUOUS;
      object->at = take (at + 2, 8);
      object->n_bytes = take (at + 10, 8);
    }
  else if (at[0] == 3 && at[1] == CHUNKED && (at[2] == 2 || at[2] == 3)
           && n >= 11 + 4 * (gsize) at[2])
    {
      object->layout = CHUNKED;
      object->chunk_rank = at[2] - 1u;
      object->at = take (at + 3, 8);
      object->chunk[0] = take (at + 11, 4);
      object->chunk[1] = at[2] == 3 ? take (at + 15, 4) : 1;
    }
}

/* One that is not known makes the layout one. */
static void
read_filters (Object *object, const guint8 *at, gsize n)
{
  gsize i = n > 1 && at[0] == 1 ? 8 : 2;
  guint n_filters = n > 1 ? at[1] : 0;

  for (guint k = 0; k < n_filters; k++)
    {
      gboolean has_name = n > 1 && (at[0] == 1 || (i + 2 <= n && take (at + i, 2) >= 256));
      gsize head = has_name ? 8 : 6, length, n_values;

      if (i + head > n || k >= MAX_FILTERS)
        {
          object->layout = OTHERWISE;
          return;
        }
      length = has_name ? (gsize) take (at + i + 2, 2) : 0;
      n_values = (gsize) take (at + i + head - 2, 2);
      object->filters[object->n_filters++] = (guint) take (at + i, 2);
      if (at[0] == 1)
        {
          length = (length + 7) & ~(gsize) 7;
          n_values = (n_values + 1) & ~(gsize) 1;
        }
      i += head + length + 4 * n_values;
    }
  for (guint k = 0; k < object->n_filters; k++)
    if (object->filters[k] < DEFLATE || object->filters[k] > CHECKSUM)
      object->layout = OTHERWISE;
}

static void
read_link (Object *object, const guint8 *at, gsize n)
{
  guint flags = n >= 2 ? at[1] : 0, width = 1u << (flags & 3);
  gsize i = 2 + ((flags & 8) != 0 ? 1 : 0) + ((flags & 4) != 0 ? 8 : 0)
            + ((flags & 16) != 0 ? 1 : 0);
  guint64 length;
  Link link;

  if (n < 3 || at[0] != 1 || ((flags & 8) != 0 && at[2] != 0) || i + width > n)
    return; /* other than hard links lead out of the file, or nowhere */
  length = take (at + i, width);
  i += width;
  if (length > n - i || n - i - length < 8)
    return;
  link = (Link) { g_strndup ((const char *) at + i, (gsize) length), take (at + i + length, 8) };
  if (object->links == NULL)
    {
      object->links = g_array_new (FALSE, FALSE, sizeof (Link));
      g_array_set_clear_func (object->links, clear_link);
    }
  g_array_append_val (object->links, link);
  object->is_folder = TRUE;
}

static void
read_message (Object *object, guint type, guint flags, const guint8 *at, gsize n)
{
  if ((flags & 2) != 0) /* it is kept elsewhere */
    return;
  if (type == DATASPACE)
    read_space (object, at, n);
  else if (type == DATATYPE)
    read_type (object, at, n);
  else if (type == LAYOUT && object->layout == OTHERWISE)
    read_layout (object, at, n);
  else if (type == LINK)
    read_link (object, at, n);
  else if (type == SYMBOLS && n >= 16)
    {
      object->is_folder = TRUE;
      object->tree = take (at, 8);
      object->heap = take (at + 8, 8);
    }
}

/* --- Objects --------------------------------------------------------------------------------- */

/* Messages are in pieces, each of which may name a next one. */
typedef struct {
  guint64 at[MAX_PIECES], n[MAX_PIECES];
  guint n_pieces;
} Pieces;

static void
add_piece (Pieces *self, guint64 at, guint64 n)
{
  if (self->n_pieces < MAX_PIECES)
    {
      self->at[self->n_pieces] = at;
      self->n[self->n_pieces++] = n;
    }
}

/* @head: bytes before each message: of the old style 8, of the new one 4 or 6. */
static void
read_piece (const Reader *self, Object *object, Pieces *pieces, guint i, guint head,
            gboolean filters)
{
  const guint8 *at = look (self, pieces->at[i], pieces->n[i]);
  gsize left = at != NULL ? (gsize) pieces->n[i] : 0;

  while (left >= head)
    {
      guint type = (guint) take (at, head == 8 ? 2 : 1);
      gsize n = (gsize) take (at + (head == 8 ? 2 : 1), 2);
      guint flags = at[head == 8 ? 4 : 3];

      if (n > left - head)
        return;
      at += head;
      if (filters && type == FILTERS && (flags & 2) == 0)
        read_filters (object, at, n);
      else if (!filters && type == MORE && n >= 16 && head == 8)
        add_piece (pieces, take (at, 8), take (at + 8, 8));
      else if (!filters && type == MORE && n >= 16 && take (at + 8, 8) >= 8)
        add_piece (pieces, take (at, 8) + 4, take (at + 8, 8) - 8); /* "OCHK", a checksum */
      else if (!filters)
        read_message (object, type, flags, at, n);
      at += n;
      left -= head + n;
    }
}

/* FALSE: there is none. */
static gboolean
read_object (Reader *self, guint64 at, Object *object)
{
  const guint8 *head = look (self, at, 16);
  Pieces pieces = { .n_pieces = 0 };
  guint message = 8;

  object->layout = OTHERWISE;
  if (head == NULL || self->n_objects++ >= MAX_OBJECTS)
    return FALSE;
  if (memcmp (head, "OHDR", 4) == 0)
    {
      guint width = 1u << (head[5] & 3);
      guint64 first = 6 + ((head[5] & 0x20) != 0 ? 16 : 0) + ((head[5] & 0x10) != 0 ? 4 : 0);
      const guint8 *size = look (self, at + first, width);

      if (size == NULL)
        return FALSE;
      message = (head[5] & 4) != 0 ? 6 : 4;
      add_piece (&pieces, at + first + width, take (size, width));
    }
  else if (head[0] == 1)
    add_piece (&pieces, at + 16, take (head + 8, 4));
  else
    return FALSE;
  for (guint i = 0; i < pieces.n_pieces; i++)
    read_piece (self, object, &pieces, i, message, FALSE);
  for (guint i = 0; i < pieces.n_pieces; i++) /* once the layout is known */
    read_piece (self, object, &pieces, i, message, TRUE);
  return TRUE;
}

/* --- Datasets -------------------------------------------------------------------------------- */

/* What filters made of a chunk, taken back. (transfer full) */
static GByteArray *
unfilter (const Object *object, const guint8 *bytes, gsize n, guint mask, gsize expected)
{
  g_autoptr (GByteArray) chunk = g_byte_array_sized_new ((guint) n);

  g_byte_array_append (chunk, bytes, (guint) n);
  for (guint k = object->n_filters; k-- > 0;)
    {
      guint size = object->form.size;
      GByteArray *made = NULL;

      if ((mask & 1u << k) != 0)
        continue;
      if (object->filters[k] == CHECKSUM && chunk->len >= 4)
        {
          g_byte_array_set_size (chunk, chunk->len - 4);
          continue;
        }
      if (object->filters[k] == DEFLATE)
        made = weir_result_inflate (chunk->data, chunk->len, expected + 4);
      else if (object->filters[k] == SHUFFLE)
        {
          gsize count = chunk->len / size;

          made = g_byte_array_new ();
          g_byte_array_append (made, chunk->data, chunk->len);
          for (gsize i = 0; i < count; i++)
            for (guint b = 0; b < size; b++)
              made->data[i * size + b] = chunk->data[b * count + i];
        }
      if (made == NULL)
        return NULL;
      g_byte_array_unref (chunk);
      chunk = made;
    }
  return chunk->len >= expected ? g_steal_pointer (&chunk) : NULL;
}

static void
put_chunk (const Object *object, const guint8 *bytes, const guint64 first[2], double *values)
{
  for (guint64 i = 0; i < object->chunk[0] && first[0] + i < object->sizes[0]; i++)
    for (guint64 k = 0; k < object->chunk[1] && first[1] + k < object->sizes[1]; k++)
      values[(first[0] + i) * object->sizes[1] + first[1] + k] = weir_number_form_read (
          &object->form, bytes + (i * object->chunk[1] + k) * object->form.size);
}

/* FALSE: it is damaged. */
static gboolean
read_chunks (Reader *self, const Object *object, guint64 at, guint depth, double *values)
{
  const gsize key = 8 + 8 * (object->rank + 1);
  const guint8 *node = look (self, at, 24), *entry;
  gsize expected = (gsize) (object->chunk[0] * object->chunk[1] * object->form.size);
  guint n, level;

  if (at == NOWHERE)
    return TRUE; /* nothing was written */
  if (node == NULL || memcmp (node, "TREE\1", 5) != 0 || depth > MAX_DEPTH
      || self->n_objects++ >= MAX_OBJECTS)
    return FALSE;
  level = node[5];
  n = (guint) take (node + 6, 2);
  entry = look (self, at + 24, n * (key + 8));
  for (guint i = 0; entry != NULL && i < n; i++, entry += key + 8)
    {
      guint64 child = take (entry + key, 8), size = take (entry, 4);
      guint64 first[2] = { take (entry + 8, 8), object->rank == 2 ? take (entry + 16, 8) : 0 };
      const guint8 *bytes = level == 0 ? look (self, child, size) : NULL;
      g_autoptr (GByteArray) chunk = NULL;

      if (level > 0)
        {
          if (!read_chunks (self, object, child, depth + 1, values))
            return FALSE;
          continue;
        }
      self->inflated += expected;
      if (bytes != NULL && self->inflated <= 4 * weir_file_get_limit (WEIR_FILE_TABLE))
        chunk = unfilter (object, bytes, (gsize) size, (guint) take (entry + 4, 4), expected);
      if (chunk == NULL)
        return FALSE;
      if (first[0] < object->sizes[0] && first[1] < object->sizes[1])
        put_chunk (object, chunk->data, first, values);
    }
  return entry != NULL;
}

/* FALSE: it is damaged, or larger than a table may be. */
static gboolean
read_dataset (Reader *self, const Object *object, const char *name)
{
  const gsize limit = weir_file_get_limit (WEIR_FILE_TABLE);
  g_autofree double *values = NULL;
  const guint8 *bytes = object->compact;
  gsize n;

  if (!object->has_space || !object->has_type || object->layout == OTHERWISE
      || object->sizes[0] == 0 || object->sizes[1] == 0)
    return TRUE;
  if (object->sizes[0] > limit / 8 || object->sizes[1] > limit / 8 / object->sizes[0])
    return FALSE;
  n = (gsize) (object->sizes[0] * object->sizes[1]);
  self->taken += 8 * n;
  if (self->taken > 2 * limit)
    return FALSE;
  values = g_new0 (double, n);
  if (object->layout == CHUNKED)
    {
      if (object->chunk_rank != object->rank || object->chunk[0] == 0 || object->chunk[1] == 0
          || object->chunk[0] > limit / 8 || object->chunk[1] > limit / 8 / object->chunk[0]
          || !read_chunks (self, object, object->at, 0, values))
        return FALSE;
    }
  else if (object->layout == COMPACT || object->at != NOWHERE)
    {
      if (object->layout == CONTIGUOUS)
        bytes = look (self, object->at, object->n_bytes);
      if (bytes == NULL || object->n_bytes / object->form.size < n)
        return FALSE;
      for (gsize i = 0; i < n; i++)
        values[i] = weir_number_form_read (&object->form, bytes + i * object->form.size);
    }
  weir_result_arrays_add (self->arrays, name, (gsize) object->sizes[0], (gsize) object->sizes[1],
                          g_steal_pointer (&values));
  return TRUE;
}

/* --- Folders --------------------------------------------------------------------------------- */

static gboolean read_folder (Reader *self, const Object *folder, const char *path, guint depth);

static gboolean
read_child (Reader *self, guint64 at, const char *folder, const char *name, guint depth)
{
  g_auto (Object) object = { 0 };
  g_autofree char *path = *folder != '\0' ? g_strconcat (folder, "/", name, NULL) : g_strdup (name);

  if (!read_object (self, at, &object))
    return FALSE;
  if (object.is_folder)
    return read_folder (self, &object, path, depth + 1);
  return read_dataset (self, &object, path);
}

/* A leaf of symbols. */
static gboolean
read_leaf (Reader *self, guint64 at, guint64 names, guint64 n_names, const char *path, guint depth)
{
  const guint8 *leaf = look (self, at, 8), *entry;
  guint n;

  if (leaf == NULL || memcmp (leaf, "SNOD", 4) != 0)
    return FALSE;
  n = (guint) take (leaf + 6, 2);
  entry = look (self, at + 8, 40 * (guint64) n);
  for (guint i = 0; entry != NULL && i < n; i++, entry += 40)
    {
      guint64 name_at = take (entry, 8);
      const guint8 *name = name_at < n_names ? look (self, names + name_at, n_names - name_at)
                                             : NULL;

      if (name == NULL || memchr (name, '\0', (gsize) (n_names - name_at)) == NULL
          || (take (entry + 16, 4) <= 1
              && !read_child (self, take (entry + 8, 8), path, (const char *) name, depth)))
        return FALSE;
    }
  return entry != NULL;
}

static gboolean
read_tree (Reader *self, guint64 at, guint64 names, guint64 n_names, const char *path, guint depth,
           guint tree_depth)
{
  const guint8 *node = look (self, at, 24), *entry;
  guint n;

  if (node == NULL || memcmp (node, "TREE\0", 5) != 0 || tree_depth > MAX_DEPTH)
    return FALSE;
  n = (guint) take (node + 6, 2);
  entry = look (self, at + 24, 16 * (guint64) n);
  for (guint i = 0; entry != NULL && i < n; i++, entry += 16)
    {
      guint64 child = take (entry + 8, 8);

      if (self->n_objects++ >= MAX_OBJECTS
          || !(node[5] > 0 ? read_tree (self, child, names, n_names, path, depth, tree_depth + 1)
                           : read_leaf (self, child, names, n_names, path, depth)))
        return FALSE;
    }
  return entry != NULL;
}

static gboolean
read_folder (Reader *self, const Object *folder, const char *path, guint depth)
{
  const guint8 *heap = folder->links == NULL ? look (self, folder->heap, 32) : NULL;

  if (depth > MAX_DEPTH)
    return FALSE;
  for (guint i = 0; folder->links != NULL && i < folder->links->len; i++)
    {
      const Link *link = &g_array_index (folder->links, Link, i);

      if (!read_child (self, link->at, path, link->name, depth))
        return FALSE;
    }
  if (folder->links != NULL)
    return TRUE;
  return heap != NULL && memcmp (heap, "HEAP", 4) == 0
         && read_tree (self, folder->tree, take (heap + 24, 8), take (heap + 8, 8), path, depth, 0);
}

/* --- The file -------------------------------------------------------------------------------- */

/* The superblock is at the beginning or behind what another program put before it. */
static gboolean
find_superblock (const guint8 *bytes, gsize size, gsize *at)
{
  for (*at = 0; *at <= MAX_LAST_USER_BLOCK && *at + 64 <= size; *at = *at == 0 ? 512 : 2 * *at)
    if (memcmp (bytes + *at, SIGNATURE, 8) == 0)
      return TRUE;
  return FALSE;
}

gboolean
weir_result_is_hdf5 (const guint8 *bytes, gsize size)
{
  gsize at;

  return find_superblock (bytes, size, &at);
}

GArray *
weir_result_hdf5_read (const char *path, const guint8 *bytes, gsize size, GError **error)
{
  Reader self = { .arrays = weir_result_arrays_new () };
  g_auto (Object) root = { 0 };
  gboolean is_sound = FALSE;
  const guint8 *head;
  guint version;
  gsize at = 0;

  find_superblock (bytes, size, &at);
  self.bytes = bytes + at; /* which addresses count from */
  self.size = size - at;
  head = self.bytes;
  version = head[8];
  if (version <= 1 && head[13] == 8 && head[14] == 8 && look (&self, 0, 100) != NULL)
    is_sound = read_object (&self, take (head + (version == 0 ? 64 : 68), 8), &root);
  else if (version <= 3 && version > 1 && head[9] == 8 && head[10] == 8)
    is_sound = read_object (&self, take (head + 36, 8), &root);
  if (!is_sound || !root.is_folder || !read_folder (&self, &root, "", 0))
    {
      weir_error_set (error, WEIR_ERROR_FILE,
                      "%s: the HDF5 file is damaged, or kept as this program does not read it",
                      path);
      g_clear_pointer (&self.arrays, g_array_unref);
    }
  return self.arrays;
}

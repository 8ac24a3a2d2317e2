/* The frame of an HDF5 file. See hdf5-file.h.
 *
 * "HDF5 File Format Specification", The HDF Group: superblock of version 0, a tree with one leaf of
 * symbols for the file and for each of its folders, which every version of the library reads. First
 * come all folders with their trees, which are of one size, then the names and leaves of each, then
 * the datasets.
 */
#include "sim/hdf5-file.h"

#include <string.h>

#include "base/bytes.h"

#define UNDEFINED G_MAXUINT64 /* an address that is none */
#define SUPERBLOCK 96
#define MESSAGE 8 /* bytes before one of an object */
#define OBJECT 16 /* before its messages */
#define GROUP (OBJECT + MESSAGE + 16)
#define INTERNAL_K 16 /* children of a node of the tree, half of them */
#define TREE (24 + 8 * (4 * INTERNAL_K + 1))
#define HEAP 32
#define SYMBOL 40
#define DATASET (OBJECT + 4 * MESSAGE + 16 + 24 + 8 + 24)
#define NO_FOLDER G_MAXUINT

typedef struct {
  guint64 n, at; /* values, and where they are */
} Dataset;

/* What a folder has: a dataset, or another folder. */
typedef struct {
  char *name;
  guint64 name_at; /* in the heap */
  guint dataset, folder;
} Entry;

typedef struct {
  char *name;
  GArray *entries; /* Entry; once it is laid out in order of name */
  GHashTable *taken;
  guint64 heap_at, heap_size, leaf_at;
} Folder;

struct _WeirHdf5File {
  GArray *datasets;   /* Dataset */
  GPtrArray *folders; /* Folder; the first is the file */
  guint64 datasets_at;
};

static void
clear_entry (gpointer data)
{
  g_free (((Entry *) data)->name);
}

static void
folder_free (gpointer data)
{
  Folder *folder = data;

  g_free (folder->name);
  g_array_unref (folder->entries);
  g_hash_table_unref (folder->taken);
  g_free (folder);
}

static guint
add_folder (WeirHdf5File *self, const char *name)
{
  Folder *folder = g_new0 (Folder, 1);

  folder->name = g_strdup (name);
  folder->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (folder->entries, clear_entry);
  folder->taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_ptr_array_add (self->folders, folder);
  return self->folders->len - 1;
}

WeirHdf5File *
weir_hdf5_file_new (void)
{
  WeirHdf5File *self = g_new0 (WeirHdf5File, 1);

  self->datasets = g_array_new (FALSE, FALSE, sizeof (Dataset));
  self->folders = g_ptr_array_new_with_free_func (folder_free);
  add_folder (self, NULL);
  return self;
}

void
weir_hdf5_file_free (WeirHdf5File *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->datasets);
  g_ptr_array_unref (self->folders);
  g_free (self);
}

/* --- What is in it --------------------------------------------------------------------------- */

static Folder *
get_folder (const WeirHdf5File *self, guint i)
{
  return g_ptr_array_index (self->folders, i);
}

static Dataset *
get_dataset (const WeirHdf5File *self, guint i)
{
  return &g_array_index (self->datasets, Dataset, i);
}

/* Under a name that nothing there has. */
static void
add_entry (Folder *folder, const char *name, guint dataset, guint child)
{
  g_autofree char *plain = g_strdelimit (g_strdup (name), "/", '_');
  Entry entry = { g_strdup (*plain != '\0' && strcmp (plain, ".") != 0 ? plain : "_"), 0, dataset,
                  child };

  for (guint k = 2; !g_hash_table_add (folder->taken, g_strdup (entry.name)); k++)
    {
      g_free (entry.name);
      entry.name = g_strdup_printf ("%s_%u", plain, k);
    }
  g_array_append_val (folder->entries, entry);
}

static Folder *
find_folder (WeirHdf5File *self, const char *name)
{
  guint added;

  for (guint i = 0; i < self->folders->len; i++)
    if (g_strcmp0 (get_folder (self, i)->name, name) == 0)
      return get_folder (self, i);
  added = add_folder (self, name);
  add_entry (get_folder (self, 0), name, 0, added);
  return get_folder (self, added);
}

guint
weir_hdf5_file_add (WeirHdf5File *self, const char *folder, const char *name, guint64 n)
{
  const Dataset dataset = { n, 0 };

  g_array_append_val (self->datasets, dataset);
  add_entry (find_folder (self, folder), name, self->datasets->len - 1, NO_FOLDER);
  return self->datasets->len - 1;
}

/* --- Where everything lies ------------------------------------------------------------------- */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (((const Entry *) a)->name, ((const Entry *) b)->name);
}

/* Half of the symbols that the largest leaf has, and every other has room for. */
static guint
get_leaf_k (const WeirHdf5File *self)
{
  guint most = 1;

  for (guint i = 0; i < self->folders->len; i++)
    most = MAX (most, get_folder (self, i)->entries->len);
  return (most + 1) / 2;
}

static guint64
get_folder_at (guint i)
{
  return SUPERBLOCK + (GROUP + TREE) * (guint64) i;
}

static gsize
get_name_size (const char *name)
{
  return (strlen (name) + 8) & ~(gsize) 7;
}

static void
place_names (Folder *folder)
{
  g_array_sort (folder->entries, compare_names);
  folder->heap_size = 8; /* the empty name */
  for (guint i = 0; i < folder->entries->len; i++)
    {
      Entry *entry = &g_array_index (folder->entries, Entry, i);

      entry->name_at = folder->heap_size;
      folder->heap_size += get_name_size (entry->name);
    }
}

static guint64
get_dataset_at (const WeirHdf5File *self, guint i)
{
  return self->datasets_at + DATASET * (guint64) i;
}

/* The end of the file. */
static guint64
place_all (WeirHdf5File *self)
{
  guint64 at = get_folder_at (self->folders->len);

  for (guint i = 0; i < self->folders->len; i++)
    {
      Folder *folder = get_folder (self, i);

      place_names (folder);
      folder->heap_at = at;
      folder->leaf_at = at + HEAP + folder->heap_size;
      at = folder->leaf_at + 8 + SYMBOL * 2 * (guint64) get_leaf_k (self);
    }
  self->datasets_at = at;
  at = get_dataset_at (self, self->datasets->len);
  for (guint i = 0; i < self->datasets->len; i++)
    {
      get_dataset (self, i)->at = at;
      at += 8 * get_dataset (self, i)->n;
    }
  return at;
}

guint64
weir_hdf5_file_get_position (const WeirHdf5File *self, guint dataset)
{
  return get_dataset (self, dataset)->at;
}

/* --- Bytes ----------------------------------------------------------------------------------- */

/* @size: how many of @value's bytes, the least first. */
static void
put (GByteArray *bytes, guint64 value, guint size)
{
  guint8 word[8], *at = word;

  weir_bytes_put_64 (&at, value);
  g_byte_array_append (bytes, word, size);
}

static void
put_text (GByteArray *bytes, const char *text, gsize size)
{
  gsize length = MIN (strlen (text), size);

  g_byte_array_append (bytes, (const guint8 *) text, (guint) length);
  for (gsize i = length; i < size; i++)
    put (bytes, 0, 1);
}

/* @folder: what it leads to, or NO_FOLDER for a dataset at @object_at. */
static void
put_symbol (const WeirHdf5File *self, GByteArray *bytes, guint64 name_at, guint64 object_at,
            guint folder)
{
  gboolean is_folder = folder != NO_FOLDER;

  put (bytes, name_at, 8);
  put (bytes, object_at, 8);
  put (bytes, is_folder, 4); /* what is kept beside it */
  put (bytes, 0, 4);
  put (bytes, is_folder ? get_folder_at (folder) + GROUP : 0, 8);
  put (bytes, is_folder ? get_folder (self, folder)->heap_at : 0, 8);
}

static void
put_object (GByteArray *bytes, guint n_messages, guint size)
{
  put (bytes, 1, 2); /* the version */
  put (bytes, n_messages, 2);
  put (bytes, 1, 4); /* references */
  put (bytes, size, 4);
  put (bytes, 0, 4);
}

static void
put_message (GByteArray *bytes, guint type, guint size)
{
  put (bytes, type, 2);
  put (bytes, size, 2);
  put (bytes, 0, 4);
}

static void
put_superblock (const WeirHdf5File *self, GByteArray *bytes, guint64 end)
{
  put_text (bytes, "\x89HDF\r\n\x1a\n", 8);
  put (bytes, 0, 4); /* versions */
  put (bytes, 0, 1);
  put (bytes, 8, 1); /* bytes of addresses and lengths */
  put (bytes, 8, 1);
  put (bytes, 0, 1);
  put (bytes, get_leaf_k (self), 2);
  put (bytes, INTERNAL_K, 2);
  put (bytes, 0, 4);
  put (bytes, 0, 8); /* where addresses count from */
  put (bytes, UNDEFINED, 8);
  put (bytes, end, 8);
  put (bytes, UNDEFINED, 8);
  put_symbol (self, bytes, 0, get_folder_at (0), 0);
}

static void
put_folder (const WeirHdf5File *self, GByteArray *bytes, guint i)
{
  const Folder *folder = get_folder (self, i);
  const Entry *last = &g_array_index (folder->entries, Entry, folder->entries->len - 1);
  guint end = bytes->len + GROUP + TREE;

  put_object (bytes, 1, MESSAGE + 16);
  put_message (bytes, 0x11, 16);
  put (bytes, get_folder_at (i) + GROUP, 8);
  put (bytes, folder->heap_at, 8);

  put_text (bytes, "TREE", 4);
  put (bytes, 0, 2);
  put (bytes, 1, 2); /* children */
  put (bytes, UNDEFINED, 8);
  put (bytes, UNDEFINED, 8);
  put (bytes, 0, 8); /* names after this, in the leaf at ... */
  put (bytes, folder->leaf_at, 8);
  put (bytes, last->name_at, 8); /* ... up to this */
  while (bytes->len < end)
    put (bytes, 0, 8);
}

static void
put_names (GByteArray *bytes, const Folder *folder)
{
  put_text (bytes, "HEAP", 4);
  put (bytes, 0, 4);
  put (bytes, folder->heap_size, 8);
  put (bytes, 1, 8); /* nothing is free */
  put (bytes, folder->heap_at + HEAP, 8);
  put (bytes, 0, 8);
  for (guint i = 0; i < folder->entries->len; i++)
    {
      const char *name = g_array_index (folder->entries, Entry, i).name;

      put_text (bytes, name, get_name_size (name));
    }
}

static void
put_leaf (const WeirHdf5File *self, GByteArray *bytes, const Folder *folder)
{
  guint n = folder->entries->len;

  put_text (bytes, "SNOD", 4);
  put (bytes, 1, 2);
  put (bytes, n, 2);
  for (guint i = 0; i < n; i++)
    {
      const Entry *entry = &g_array_index (folder->entries, Entry, i);

      put_symbol (self, bytes, entry->name_at,
                  entry->folder != NO_FOLDER ? get_folder_at (entry->folder)
                                             : get_dataset_at (self, entry->dataset),
                  entry->folder);
    }
  for (guint i = n; i < 2 * get_leaf_k (self); i++)
    put_text (bytes, "", SYMBOL);
}

static void
put_dataset (GByteArray *bytes, const Dataset *dataset)
{
  put_object (bytes, 4, DATASET - OBJECT);
  put_message (bytes, 0x1, 16); /* one dimension */
  put (bytes, 0x0101, 8);
  put (bytes, dataset->n, 8);
  put_message (bytes, 0x3, 24); /* numbers of IEEE 754, 64 bits, little-endian */
  put (bytes, 0x003f2011, 4);
  put (bytes, 8, 4);
  put (bytes, 64 << 16, 4);
  put (bytes, 52 | 11 << 8 | 52 << 24, 4);
  put (bytes, 1023, 4);
  put (bytes, 0, 4);
  put_message (bytes, 0x5, 8); /* no value stands for others */
  put (bytes, 0x00020202, 8);
  put_message (bytes, 0x8, 24); /* in one piece */
  put (bytes, 0x0103, 2);
  put (bytes, dataset->n > 0 ? dataset->at : UNDEFINED, 8);
  put (bytes, 8 * dataset->n, 8);
  put (bytes, 0, 6);
}

GByteArray *
weir_hdf5_file_lay_out (WeirHdf5File *self)
{
  GByteArray *bytes = g_byte_array_new ();
  guint64 end = place_all (self);

  g_return_val_if_fail (self->datasets->len > 0, bytes);

  put_superblock (self, bytes, end);
  for (guint i = 0; i < self->folders->len; i++)
    put_folder (self, bytes, i);
  for (guint i = 0; i < self->folders->len; i++)
    {
      put_names (bytes, get_folder (self, i));
      put_leaf (self, bytes, get_folder (self, i));
    }
  for (guint i = 0; i < self->datasets->len; i++)
    put_dataset (bytes, get_dataset (self, i));
  g_assert (bytes->len == weir_hdf5_file_get_position (self, 0));
  return bytes;
}

/* Results as an HDF5 file, which h5py, MATLAB's h5read and Julia's HDF5 read: a dataset "time", one
 * for each signal under its own name, where both sides of updates are recorded one "phase" (0:
 * before, 1: after); each of doubles, one dimension, contiguous. A slash in a name, which would be
 * a folder, is written as an underscore.
 *
 * "HDF5 File Format Specification", The HDF Group: superblock of version 0, one group with one leaf
 * of symbols, which every version of the library reads. Where everything lies follows from the
 * number of rows, so the file is written from its beginning to its end.
 */
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/text.h"
#include "sim/recorder-private.h"

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
#define MAX_DATASETS 65534 /* of one leaf */
#define ROWS_AT_ONCE 4096

/* What a dataset is of: a signal, or one of these. */
enum { COLUMN_TIME = -1, COLUMN_PHASE = -2 };

typedef struct {
  char *name;
  int column;
  guint64 name_at; /* in the heap */
} Dataset;

typedef struct {
  WeirResultTarget target;
  gsize n_rows;
  GArray *datasets; /* Dataset, in order of name */
  guint64 heap_size;
} Writer;

/* --- Names ----------------------------------------------------------------------------------- */

static void
clear_dataset (gpointer data)
{
  g_free (((Dataset *) data)->name);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (((const Dataset *) a)->name, ((const Dataset *) b)->name);
}

/* One that none of @taken is, which gets it. */
static void
add_dataset (Writer *self, GHashTable *taken, const char *signal, int column)
{
  g_autofree char *plain = g_strdelimit (g_strdup (signal), "/", '_');
  Dataset added = { g_strdup (*plain != '\0' && strcmp (plain, ".") != 0 ? plain : "_"), column,
                    0 };

  for (guint k = 2; !g_hash_table_add (taken, g_strdup (added.name)); k++)
    {
      g_free (added.name);
      added.name = g_strdup_printf ("%s_%u", plain, k);
    }
  g_array_append_val (self->datasets, added);
}

static void
name_datasets (Writer *self)
{
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  add_dataset (self, taken, "time", COLUMN_TIME);
  if (weir_recorder_has_both (self->target.recorder))
    add_dataset (self, taken, "phase", COLUMN_PHASE);
  for (guint i = 0; i < weir_recorder_get_n_signals (self->target.recorder); i++)
    add_dataset (self, taken, self->target.names[i], (int) i);
  g_array_sort (self->datasets, compare_names);
  self->heap_size = 8; /* the empty name */
  for (guint i = 0; i < self->datasets->len; i++)
    {
      Dataset *dataset = &g_array_index (self->datasets, Dataset, i);

      dataset->name_at = self->heap_size;
      self->heap_size += (strlen (dataset->name) + 8) & ~(gsize) 7;
    }
}

/* --- Where everything lies ------------------------------------------------------------------- */

static guint
get_leaf_k (const Writer *self)
{
  return (self->datasets->len + 1) / 2;
}

static guint64
get_heap_at (void)
{
  return SUPERBLOCK + GROUP + TREE;
}

static guint64
get_leaf_at (const Writer *self)
{
  return get_heap_at () + HEAP + self->heap_size;
}

static guint64
get_dataset_at (const Writer *self, guint i)
{
  return get_leaf_at (self) + 8 + SYMBOL * 2 * (guint64) get_leaf_k (self) + DATASET * (guint64) i;
}

static guint64
get_values_at (const Writer *self, guint i)
{
  return get_dataset_at (self, self->datasets->len) + 8 * (guint64) self->n_rows * i;
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
put_text (GByteArray *bytes, const char *text, guint size)
{
  gsize length = MIN (strlen (text), size);

  g_byte_array_append (bytes, (const guint8 *) text, (guint) length);
  for (gsize i = length; i < size; i++)
    put (bytes, 0, 1);
}

static void
put_symbol (GByteArray *bytes, guint64 name_at, guint64 object_at, gboolean is_group)
{
  put (bytes, name_at, 8);
  put (bytes, object_at, 8);
  put (bytes, is_group, 4); /* what is kept beside it */
  put (bytes, 0, 4);
  put (bytes, is_group ? SUPERBLOCK + GROUP : 0, 8);
  put (bytes, is_group ? get_heap_at () : 0, 8);
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

/* --- The parts of the file ------------------------------------------------------------------- */

static void
put_superblock (const Writer *self, GByteArray *bytes)
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
  put (bytes, get_values_at (self, self->datasets->len), 8); /* the end */
  put (bytes, UNDEFINED, 8);
  put_symbol (bytes, 0, SUPERBLOCK, TRUE);
}

static void
put_group (const Writer *self, GByteArray *bytes)
{
  const Dataset *last = &g_array_index (self->datasets, Dataset, self->datasets->len - 1);
  guint end = bytes->len + GROUP + TREE;

  put_object (bytes, 1, MESSAGE + 16);
  put_message (bytes, 0x11, 16);
  put (bytes, SUPERBLOCK + GROUP, 8);
  put (bytes, get_heap_at (), 8);

  put_text (bytes, "TREE", 4);
  put (bytes, 0, 2);
  put (bytes, 1, 2); /* children */
  put (bytes, UNDEFINED, 8);
  put (bytes, UNDEFINED, 8);
  put (bytes, 0, 8); /* names after this, in the leaf at ... */
  put (bytes, get_leaf_at (self), 8);
  put (bytes, last->name_at, 8); /* ... up to this */
  while (bytes->len < end)
    put (bytes, 0, 8);
}

static void
put_heap (const Writer *self, GByteArray *bytes)
{
  put_text (bytes, "HEAP", 4);
  put (bytes, 0, 4);
  put (bytes, self->heap_size, 8);
  put (bytes, 1, 8); /* nothing is free */
  put (bytes, get_heap_at () + HEAP, 8);
  put (bytes, 0, 8);
  for (guint i = 0; i < self->datasets->len; i++)
    {
      const char *name = g_array_index (self->datasets, Dataset, i).name;

      put_text (bytes, name, (guint) ((strlen (name) + 8) & ~(gsize) 7));
    }
}

static void
put_leaf (const Writer *self, GByteArray *bytes)
{
  guint n = self->datasets->len;

  put_text (bytes, "SNOD", 4);
  put (bytes, 1, 2);
  put (bytes, n, 2);
  for (guint i = 0; i < n; i++)
    put_symbol (bytes, g_array_index (self->datasets, Dataset, i).name_at, get_dataset_at (self, i),
                FALSE);
  for (guint i = n; i < 2 * get_leaf_k (self); i++)
    put_text (bytes, "", SYMBOL);
}

static void
put_dataset (const Writer *self, GByteArray *bytes, guint i)
{
  put_object (bytes, 4, DATASET - OBJECT);
  put_message (bytes, 0x1, 16); /* one dimension */
  put (bytes, 0x0101, 8);
  put (bytes, self->n_rows, 8);
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
  put (bytes, self->n_rows > 0 ? get_values_at (self, i) : UNDEFINED, 8);
  put (bytes, 8 * (guint64) self->n_rows, 8);
  put (bytes, 0, 6);
}

static gboolean
write_bytes (const Writer *self, GByteArray *bytes, GError **error)
{
  gboolean is_written = g_output_stream_write_all (self->target.stream, bytes->data, bytes->len,
                                                   NULL, NULL, error);

  g_byte_array_set_size (bytes, 0);
  return is_written;
}

static double
get_number (const Writer *self, int column, gsize row)
{
  WeirRecorder *recorder = self->target.recorder;

  if (column == COLUMN_TIME)
    return weir_recorder_get_time (recorder, row);
  if (column == COLUMN_PHASE)
    return weir_recorder_is_plus (recorder, row);
  return row < weir_recorder_get_first_row (recorder, (guint) column)
             ? (double) NAN /* the signal was added later */
             : weir_recorder_get_value (recorder, (guint) column, row);
}

static gboolean
write_values (const Writer *self, int column, GByteArray *bytes, GError **error)
{
  for (gsize row = 0; row < self->n_rows; row++)
    {
      double value = get_number (self, column, row);
      guint8 word[8], *at = word;

      weir_bytes_put_words (&at, &value, 1);
      g_byte_array_append (bytes, word, sizeof word);
      if (bytes->len >= 8 * ROWS_AT_ONCE && !write_bytes (self, bytes, error))
        return FALSE;
    }
  return write_bytes (self, bytes, error);
}

static gboolean
write_all (const Writer *self, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  put_superblock (self, bytes);
  put_group (self, bytes);
  put_heap (self, bytes);
  put_leaf (self, bytes);
  for (guint i = 0; i < self->datasets->len; i++)
    put_dataset (self, bytes, i);
  g_assert (bytes->len == get_values_at (self, 0));
  if (!write_bytes (self, bytes, error))
    return FALSE;
  for (guint i = 0; i < self->datasets->len; i++)
    if (!write_values (self, g_array_index (self->datasets, Dataset, i).column, bytes, error))
      return FALSE;
  return TRUE;
}

/* --- The format ------------------------------------------------------------------------------ */

static gpointer
hdf5_begin (const WeirResultTarget *target, GError **error)
{
  guint n = weir_recorder_get_n_signals (target->recorder);
  Writer *self;

  if (n > MAX_DATASETS - 2)
    {
      weir_error_set (
          error, WEIR_ERROR_INVALID,
          "%u signals are more than one group of an HDF5 file has room for (%u): record fewer, or "
          "write CSV",
          n, (guint) MAX_DATASETS - 2);
      return NULL;
    }
  self = g_new0 (Writer, 1);
  self->target = *target;
  self->datasets = g_array_new (FALSE, FALSE, sizeof (Dataset));
  g_array_set_clear_func (self->datasets, clear_dataset);
  return self;
}

static gboolean
hdf5_write_rows (gpointer writer, gsize first, gsize n_rows, G_GNUC_UNUSED GError **error)
{
  ((Writer *) writer)->n_rows = first + n_rows;
  return TRUE;
}

static gboolean
hdf5_end (gpointer writer, gboolean is_complete, GError **error)
{
  Writer *self = writer;
  gboolean is_written = FALSE;

  if (is_complete)
    {
      name_datasets (self);
      is_written = write_all (self, error);
    }
  g_array_unref (self->datasets);
  g_free (self);
  return is_written;
}

WEIR_RESULT_FORMAT (hdf5) = {
  .title = N_ ("HDF5 Files: h5py, MATLAB, Julia"),
  .suffixes = (const char *const[]) { "h5", "hdf5", NULL },
  .begin = hdf5_begin,
  .write_rows = hdf5_write_rows,
  .end = hdf5_end,
};

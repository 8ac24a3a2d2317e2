/* Results as an HDF5 file, which h5py, MATLAB's h5read and Julia's HDF5 read: a dataset "time", one
 * for each signal under its own name, where both sides of updates are recorded one "phase" (0:
 * before, 1: after). Where everything lies follows from the number of rows (hdf5-file.h), so the
 * file is written once that is known.
 */
#include <math.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/text.h"
#include "sim/hdf5-file.h"
#include "sim/recorder-private.h"

#define ROWS_AT_ONCE 4096

/* What a dataset is of: a signal, or one of these. */
enum { COLUMN_TIME = -1, COLUMN_PHASE = -2 };

typedef struct {
  WeirResultTarget target;
  gsize n_rows;
} Writer;

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
  g_autoptr (WeirHdf5File) file = weir_hdf5_file_new ();
  g_autoptr (GByteArray) bytes = NULL;
  gboolean has_phase = weir_recorder_has_both (self->target.recorder);
  guint n_signals = weir_recorder_get_n_signals (self->target.recorder);
  gboolean ok;

  weir_hdf5_file_add (file, NULL, "time", self->n_rows);
  if (has_phase)
    weir_hdf5_file_add (file, NULL, "phase", self->n_rows);
  for (guint i = 0; i < n_signals; i++)
    weir_hdf5_file_add (file, NULL, self->target.names[i], self->n_rows);
  bytes = weir_hdf5_file_lay_out (file);
  ok = write_bytes (self, bytes, error) && write_values (self, COLUMN_TIME, bytes, error)
       && (!has_phase || write_values (self, COLUMN_PHASE, bytes, error));
  for (guint i = 0; i < n_signals && ok; i++)
    ok = write_values (self, (int) i, bytes, error);
  return ok;
}

/* --- The format ------------------------------------------------------------------------------ */

static gpointer
hdf5_begin (const WeirResultTarget *target, GError **error)
{
  guint n = weir_recorder_get_n_signals (target->recorder);
  Writer *self;

  if (n > WEIR_HDF5_MOST_DATASETS - 2)
    {
      weir_error_set (
          error, WEIR_ERROR_INVALID,
          "%u signals are more than one group of an HDF5 file has room for (%u): record fewer, or "
          "write CSV",
          n, (guint) WEIR_HDF5_MOST_DATASETS - 2);
      return NULL;
    }
  self = g_new0 (Writer, 1);
  self->target = *target;
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
  gboolean is_written = is_complete && write_all (self, error);

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

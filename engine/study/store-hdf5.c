/* The results of a study as an HDF5 file, which h5py, MATLAB's h5read and Julia's HDF5 read:
 *
 *   points/number, points/status   0: done, 1: failed, 2: ended by the model
 *   parameters/NAME, figures/NAME  one number a point; NaN: it has none
 *   series/samples                 how many each point has of what follows, one point after the
 * other series/time, series/PORT
 *
 * All of doubles (sim/hdf5-file.h). Results are read twice: to know where everything lies, and to
 * write it there; what is not written yet is bounded, however many points there are.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/status.h"
#include "sim/hdf5-file.h"
#include "study/store.h"
#include "study/subject.h"

#define AT_ONCE 4096 /* values of a column */

typedef struct {
  double values[AT_ONCE];
  guint n;
  guint64 at; /* where in the file they go */
} Column;

typedef struct {
  const WeirStudy *study;
  int fd, failure; /* of writing; 0 = none */
  guint64 n_points, n_samples;
  GPtrArray *columns;     /* Column, by dataset */
  const double **signals; /* those of the point that is written */
} Writer;

static void
writer_clear (Writer *self)
{
  g_ptr_array_unref (self->columns);
  g_free (self->signals);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Writer, writer_clear)

/* 0 where the point has no series. */
static gsize
read_rows (Writer *self, const WeirPointResult *result, WeirRunRows *rows)
{
  gsize size;
  const guint8 *data = result->signals != NULL ? g_bytes_get_data (result->signals, &size) : NULL;

  return data != NULL
                 && weir_run_rows_from_bytes (rows, data, size, self->signals,
                                              self->study->signals->len)
             ? rows->n_rows
             : 0;
}

static gboolean
count_point (const WeirPointResult *result, gpointer data)
{
  Writer *self = data;
  WeirRunRows rows;

  self->n_points++;
  self->n_samples += read_rows (self, result, &rows);
  return TRUE;
}

/* --- Writing --------------------------------------------------------------------------------- */

static void
write_at (Writer *self, const guint8 *bytes, gsize size, guint64 at)
{
  while (size > 0 && self->failure == 0)
    {
      gssize n = pwrite (self->fd, bytes, size, (off_t) at);

      if (n < 0 && errno != EINTR)
        self->failure = errno;
      if (n > 0)
        {
          bytes += n;
          at += (guint64) n;
          size -= (gsize) n;
        }
    }
}

static void
flush (Writer *self, Column *column)
{
  guint8 bytes[sizeof column->values], *at = bytes;

  weir_bytes_put_words (&at, column->values, column->n);
  write_at (self, bytes, column->n * sizeof (double), column->at);
  column->at += column->n * sizeof (double);
  column->n = 0;
}

static void
put (Writer *self, guint dataset, double value)
{
  Column *column = g_ptr_array_index (self->columns, dataset);

  column->values[column->n++] = value;
  if (column->n == AT_ONCE)
    flush (self, column);
}

/* The datasets in the order of make_frame(). */
static gboolean
put_point (const WeirPointResult *result, gpointer data)
{
  Writer *self = data;
  const WeirStudy *study = self->study;
  guint at = 0;
  WeirRunRows rows = { 0 };
  gsize n = read_rows (self, result, &rows);

  put (self, at++, (double) result->i);
  put (self, at++, result->status);
  for (guint k = 0; k < study->parameters->len; k++)
    put (self, at++, result->values[k]);
  for (guint k = 0; k < study->figures->len; k++)
    put (self, at++, result->figures[k]);
  if (study->signals->len == 0)
    return self->failure == 0;
  put (self, at++, (double) n);
  for (gsize i = 0; i < n; i++)
    {
      put (self, at, rows.times[i]);
      for (guint k = 0; k < study->signals->len; k++)
        put (self, at + 1 + k, rows.values[k][i]);
    }
  return self->failure == 0;
}

static void
make_frame (const Writer *self, WeirHdf5File *file)
{
  const WeirStudy *study = self->study;

  weir_hdf5_file_add (file, "points", "number", self->n_points);
  weir_hdf5_file_add (file, "points", "status", self->n_points);
  for (guint k = 0; k < study->parameters->len; k++)
    weir_hdf5_file_add (file, "parameters", weir_study_get_parameter (study, k)->name,
                        self->n_points);
  for (guint k = 0; k < study->figures->len; k++)
    weir_hdf5_file_add (file, "figures", weir_study_get_figure (study, k)->name, self->n_points);
  if (study->signals->len == 0)
    return;
  weir_hdf5_file_add (file, "series", "samples", self->n_points);
  weir_hdf5_file_add (file, "series", "time", self->n_samples);
  for (guint k = 0; k < study->signals->len; k++)
    weir_hdf5_file_add (file, "series", weir_study_get_signal (study, k)->port, self->n_samples);
}

static void
begin_columns (Writer *self, WeirHdf5File *file)
{
  guint n = 2 + self->study->parameters->len + self->study->figures->len
            + (self->study->signals->len > 0 ? 2 + self->study->signals->len : 0);
  g_autoptr (GByteArray) head = weir_hdf5_file_lay_out (file);

  for (guint k = 0; k < n; k++)
    {
      Column *column = g_new (Column, 1);

      column->n = 0;
      column->at = weir_hdf5_file_get_position (file, k);
      g_ptr_array_add (self->columns, column);
    }
  write_at (self, head->data, head->len, 0);
}

static gboolean
write_all (Writer *self, WeirStudyStore *store, guint64 first, guint64 last, GError **error)
{
  gboolean has_signals = self->study->signals->len > 0;
  g_autoptr (WeirHdf5File) file = weir_hdf5_file_new ();

  if (!weir_study_store_foreach (store, first, last, has_signals, count_point, self, error))
    return FALSE;
  make_frame (self, file);
  begin_columns (self, file);
  if (!weir_study_store_foreach (store, first, last, has_signals, put_point, self, error))
    return FALSE;
  for (guint k = 0; k < self->columns->len; k++)
    flush (self, g_ptr_array_index (self->columns, k));
  return TRUE;
}

gboolean
weir_study_store_write_hdf5 (WeirStudyStore *self, guint64 first, guint64 last, int fd,
                             GError **error)
{
  const WeirStudy *study = weir_study_store_get_study (self);
  g_auto (Writer) writer = { .study = study,
                             .fd = fd,
                             .columns = g_ptr_array_new_with_free_func (g_free),
                             .signals = g_new (const double *, study->signals->len + 1) };
  gboolean ok;

  if (MAX (MAX (study->parameters->len, study->figures->len), study->signals->len)
      > WEIR_HDF5_MOST_DATASETS - 2)
    {
      g_set_error (
          error, WEIR_ERROR, WEIR_ERROR_INVALID,
          "the study keeps more than a folder of an HDF5 file has room for (%u); write CSV",
          (guint) WEIR_HDF5_MOST_DATASETS - 2);
      return FALSE;
    }
  weir_study_store_begin_looking (self);
  ok = write_all (&writer, self, first, last, error);
  weir_study_store_end_looking (self);
  if (ok && writer.failure != 0)
    g_set_error_literal (error, G_FILE_ERROR, (gint) g_file_error_from_errno (writer.failure),
                         g_strerror (writer.failure));
  return ok && writer.failure == 0;
}

/* Results as an HDF5 file, which h5py, MATLAB's h5read and Julia's HDF5 read: a dataset "time", one
 * for each signal under its own name, where both sides of updates are recorded one "phase" (0:
 * before, 1: after). Where everything lies follows from the number of rows (hdf5-file.h), so the
 * file is written once that is known.
 */
#include "base/error.h"
#include "base/text.h"
#include "sim/hdf5-file.h"
#include "sim/result-format.h"

static gboolean
hdf5_write (const WeirResultTarget *target, GError **error)
{
  g_autoptr (WeirHdf5File) file = NULL;
  g_autoptr (GByteArray) bytes = NULL;
  gboolean has_phase = weir_recorder_has_both (target->recorder);
  guint n_signals = weir_recorder_get_n_signals (target->recorder);
  gboolean ok;

  if (n_signals > WEIR_HDF5_MOST_DATASETS - 2)
    {
      weir_error_set (
          error, WEIR_ERROR_INVALID,
          "%u signals are more than one group of an HDF5 file has room for (%u): record fewer, or "
          "write CSV",
          n_signals, (guint) WEIR_HDF5_MOST_DATASETS - 2);
      return FALSE;
    }
  file = weir_hdf5_file_new ();
  weir_hdf5_file_add (file, NULL, "time", target->n_rows);
  if (has_phase)
    weir_hdf5_file_add (file, NULL, "phase", target->n_rows);
  for (guint i = 0; i < n_signals; i++)
    weir_hdf5_file_add (file, NULL, target->names[i], target->n_rows);
  bytes = weir_hdf5_file_lay_out (file);
  ok = weir_result_target_put_column (target, WEIR_RESULT_TIME, bytes, error)
       && (!has_phase || weir_result_target_put_column (target, WEIR_RESULT_PHASE, bytes, error));
  for (guint i = 0; i < n_signals && ok; i++)
    ok = weir_result_target_put_column (target, (int) i, bytes, error);
  return ok;
}

WEIR_RESULT_FORMAT (hdf5) = {
  .title = N_ ("HDF5 Files: h5py, MATLAB, Julia"),
  .suffixes = (const char *const[]) { "h5", "hdf5", NULL },
  .write = hdf5_write,
};

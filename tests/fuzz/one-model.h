/* Any bytes through the reader and the writer of models. */
#pragma once

#include "fail.h"

#include <string.h>

#include "model/files/xml.h"

/* TRUE if they are a model. Aborts if what was read is not written and read alike, or was refused
 * without a reason. */
static gboolean
fuzz_one_model (gconstpointer data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_model_read_bytes (bytes, "fuzz", diagnostics);
  g_autoptr (WeirModel) again = NULL;
  g_autoptr (GBytes) written = NULL;
  g_autoptr (GBytes) written_again = NULL;

  if (model == NULL)
    {
      if (!weir_diagnostics_has_errors (diagnostics))
        fuzz_fail ("a file is refused without a reason");
      return FALSE;
    }
  written = weir_model_write_bytes (model);
  again = weir_model_read_bytes (written, "fuzz", diagnostics);
  if (again == NULL)
    fuzz_fail ("what was written is not read again: %s",
               weir_diagnostics_get (diagnostics, 0)->text);
  written_again = weir_model_write_bytes (again);
  if (!g_bytes_equal (written, written_again))
    fuzz_fail ("what was read again is written otherwise");
  return TRUE;
}

/* The examples of the program, for tests; and models made into systems. */
#pragma once

#include <gio/gio.h>

#include "model/completion/completion.h"
#include "model/files/xml.h"

static inline WeirModel *
read_example (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "examples", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirModel *model = weir_model_read_file (file, diagnostics);

  g_assert_nonnull (model);
  return model;
}

/* (transfer full) */
static inline WeirSystem *
complete (WeirModel *model)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirSystem *system = weir_model_complete (model, diagnostics);

  if (system == NULL)
    g_error ("%s", weir_diagnostics_get (diagnostics, 0)->text);
  return system;
}

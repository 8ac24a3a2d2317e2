/* Reading and writing *.weir files (XML, schema in data/weir.rng).
 *
 * Reading is streamed and checked against the schema as it goes; a file that is not XML or breaks the
 * schema is refused whole, with one diagnostic that gives the line. Writing is deterministic: order
 * of id, one element a line, numbers in the C locale; reading and writing again gives the same bytes.
 * Entities and external references are refused. Thread: *any*.
 */
#pragma once

#include <gio/gio.h>

#include "model/model.h"

G_BEGIN_DECLS

/* NULL and a diagnostic if it cannot be read. @name: as shown in diagnostics. (transfer full) */
WeirModel *weir_model_read_file (GFile *file, WeirDiagnostics *diagnostics);
WeirModel *weir_model_read_bytes (GBytes *bytes, const char *name, WeirDiagnostics *diagnostics);

GBytes *weir_model_write_bytes (const WeirModel *model); /* (transfer full) */
/* Writes a temporary file beside @file, syncs it, renames it over @file; keeps its permissions. */
gboolean weir_model_write_file (const WeirModel *model, GFile *file, GError **error);

/* A selection of one diagram as XML, for the clipboard: blocks with the wires among them. */
GBytes *weir_fragment_write (const WeirDiagram *diagram, const guint32 *block_ids, guint n_blocks);
/* A diagram holding what the fragment held, with its own ids; NULL and @error if it is none. */
WeirDiagram *weir_fragment_read (GBytes *bytes, GError **error);

G_END_DECLS

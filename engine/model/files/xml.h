/* Reading and writing *.weir files (XML, schema in data/weir.xsd); reading besides what
 * model/structures/structures.h knows.
 *
 * Reading is streamed and checked against the schema as it goes; a file that is not XML or breaks
 * the schema is refused whole, with one diagnostic that gives the line. Writing is deterministic:
 * blocks, wires, notes, each in order of id, parameters in order of name, one element a line,
 * numbers in the C locale; reading a file so written and writing it again gives the same bytes.
 * Document types and entities are refused. Thread: *any*.
 *
 * A file says the version of the format that it needs: 3 if it has units, 2 if it has plots,
 * else 1. Files of all earlier versions are read; one of a later version is refused before anything
 * in it is looked at.
 *
 *   <weir version="1">
 *     <title>Pendulum</title>
 *     <meta name="author" value="A. N. Other"/>
 *     <settings>
 *       <setting name="stop-time" value="10"/>
 *     </settings>
 *     <variables>
 *       <variable name="g" value="9.81"/>
 *     </variables>
 *     <assertions>
 *       <assertion text="plant.y must not depend on plant.u" reason="the loop must not be
 * algebraic"/>
 *     </assertions>
 *     <plots>
 *       <plot name="plant.scope" value="hidden 2"/>
 *     </plots>
 *     <diagram>
 *       <block id="1" type="Gain" name="Gain" x="0" y="20" rotation="90" flipped="true">
 *         <meta name="unit" of="y" value="N"/>
 *         <parameter name="gain" value="2*g"/>
 *       </block>
 *       <block id="2" type="Subsystem" name="plant" x="90" y="20" width="80" height="60">
 *         <unit name="steps" value="1"/>
 *         <diagram>...</diagram>
 *       </block>
 *       <wire id="3" from="1.y" to="2.u">
 *         <bend x="60" y="20"/>
 *       </wire>
 *       <wire id="4" from="2.y" to-x="200" to-y="20"/>
 *       <note id="5" x="0" y="0">Free text</note>
 *     </diagram>
 *   </weir>
 *
 * Parts of physical networks have records in the head (model/tree/part-records.h):
 *
 *   <meta name="part" of="Resistor" value="d07fe5ae7743f1ce R=1000"/>
 *   <meta name="part" of="Lamp:9f86d081884c7d65" value="group ..."/>
 *
 * Codes: FIL01 the file cannot be read, XML01 it is not XML, XML02 it breaks the schema, XML03 it
 * has a document type, XML04 an id or a name is given twice, XML05 it is too deep or too large,
 * XML06 its format is newer than this program.
 */
#pragma once

#include <gio/gio.h>

#include "model/tree/patch.h"

G_BEGIN_DECLS

/* NULL and a diagnostic if it cannot be read. @name: as shown in diagnostics. (transfer full) */
WeirModel *weir_model_read_file (GFile *file, WeirDiagnostics *diagnostics);
/* The same while others look on. @progress: (nullable) set, atomically, to how many thousandths of
 * the file are read. @digest: (out) (nullable) (transfer full) of the file's bytes (SHA-256), NULL
 * if it could not be read. Once @cancellable is, NULL without a diagnostic. */
WeirModel *weir_model_read_file_with_progress (GFile *file, GCancellable *cancellable,
                                               gint *progress, char **digest,
                                               WeirDiagnostics *diagnostics);
WeirModel *weir_model_read_bytes (GBytes *bytes, const char *name, WeirDiagnostics *diagnostics);

GBytes *weir_model_write_bytes (const WeirModel *model); /* (transfer full) */
/* Writes a temporary file beside @file, syncs it, renames it over @file; keeps its permissions.
 * Names of files lead to the same from there (file-names.h). */
gboolean weir_model_write_file (WeirModel *model, GFile *file, GError **error);

/* A selection of one diagram as XML, for the clipboard: blocks with the wires among them, notes. */
GBytes *weir_fragment_write (const WeirDiagram *diagram, const guint32 *block_ids, guint n_blocks,
                             const guint32 *note_ids, guint n_notes);
/* A diagram holding what the fragment held, with its own ids; NULL and @error if it is none. */
WeirDiagram *weir_fragment_read (GBytes *bytes, GError **error);
/* Adds what @fragment holds to @patch, at @place of @model, moved by @offset: with fresh ids and
 * free names, wires re-ended to match. @block_ids, @note_ids: GArrays of guint32, filled with the
 * ids of the new blocks and notes (not those within Subsystems), or NULL. FALSE if there is no such
 * place. */
gboolean weir_fragment_paste (const WeirDiagram *fragment, WeirPatch *patch, const WeirModel *model,
                              WeirPlace place, WeirPoint offset, GArray *block_ids,
                              GArray *note_ids);

G_END_DECLS

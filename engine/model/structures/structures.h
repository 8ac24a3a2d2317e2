/* Systems of other tools' parts, as models: SSP 1.0 and 2.0 (.ssp, .ssd with their .ssv and .ssm)
 * and OspSystemStructure.xml.
 *
 * A file of these says which FMUs there are, their values at the start, how they are wired, and how
 * often they exchange values. Read, each FMU is a block, a system within the system a Subsystem,
 * what changes a value on its way (a linear transformation, a conversion of units, a sum) ordinary
 * blocks. Nothing of an FMU is run by that (fmi/trust.h). FMUs in a package stay in it: a block's
 * file is then "PACKAGE.ssp/resources/engine.fmu" (model/tree/fmu-files.h). What is not understood
 * is told as a warning and, for those who look at the diagram alone, in a note.
 *
 * Codes: STR01 the package or file cannot be read; STR02 something needed is missing or wrong;
 * STR03 a part's source is missing or of a kind that is not known; STR04 a connection leads nowhere
 * or to what has another; STR05 a value is not understood or belongs to nothing; STR06 something
 * that cannot be kept; and those of base/xml.h. Thread: *any*.
 */
#pragma once

#include <gio/gio.h>

#include "model/tree/model.h"

G_BEGIN_DECLS

/* Whether @bytes begin like a package or like one of the files; FALSE for a model of our own. */
gboolean weir_structure_is_one (GBytes *bytes);
/* @path: of the file, in whose folder its parts are looked for. NULL and a diagnostic if it cannot
 * be read. (transfer full) */
WeirModel *weir_structure_read (GBytes *bytes, const char *path, WeirDiagnostics *diagnostics);

/* A model of FMU blocks as a package of SSP, with their files in it: Subsystems become systems;
 * gains, biases and constants where they can be said; scopes are left out. @version: 1 or 2. NULL
 * and @error, WEIR_ERROR_INVALID, if there is a block that such a file cannot hold. (transfer full)
 */
GBytes *weir_structure_write (WeirModel *model, guint version, GError **error);

G_END_DECLS

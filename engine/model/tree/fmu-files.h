/* FMU files that blocks name: read once while they stay as they are, and kept for good, so that
 * ports may borrow their names. Nothing in them is run. Thread: *any*; a file is *immutable*.
 */
#pragma once

#include "blocks/types/block-type.h"
#include "fmi/description.h"

G_BEGIN_DECLS

/* A file as it was when it was read. */
typedef struct {
  gint64 time; /* us, of its last change */
  gint64 size;
  WeirFmuArchive *archive;         /* NULL: it cannot be opened, */
  WeirFmuDescription *description; /* or it cannot be read, as the next says */
  WeirDiagnostics *diagnostics;
  GArray *inputs, *outputs; /* WeirPortSpec; NULL without a description */
  GArray *parameters;       /* WeirParameterSpec; so too */
  GPtrArray *sized;         /* WeirFmuSource: the same with other sizes */
} WeirFmuSource;

/* @name: as a block has it, a file, or one in a package: "vehicle.ssp/resources/engine.fmu".
 * @folder: that it is relative to, or NULL. NULL: there is no such file. (transfer none) */
const WeirFmuSource *weir_fmu_source_find (const char *name, const char *folder);
/* The same with the sizes that a block gives its arrays by structural parameters among the values
 * at the start (fmu-starts.h); @self, where it gives none. NULL and @error: they make no sense.
 * (transfer none) */
const WeirFmuSource *weir_fmu_source_find_sized (const WeirFmuSource *self, const char *starts,
                                                 GError **error);
/* Is it run in co-simulation, as a unit, by the arguments of a block of type FMU? @self: (nullable)
 */
gboolean weir_fmu_source_is_unit (const WeirFmuSource *self, const WeirArguments *arguments);

G_END_DECLS

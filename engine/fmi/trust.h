/* Whose programs may run: FMUs by the SHA-256 of their archive.
 *
 * An FMU holds a program of whoever made it, which can do whatever its user can. None is run that
 * the user has not trusted: for this process (the command line's --trust), or for good, in a file
 * of theirs with a checksum on each line; what follows it there, or a line that begins with #, is
 * for people. A changed FMU has another checksum. Thread: *any*.
 */
#pragma once

#include "fmi/archive.h"

G_BEGIN_DECLS

/* The file, which need not be there. (transfer full) */
char *weir_fmu_trust_dup_path (void);

gboolean weir_fmu_trust_has (const char *checksum);
/* For this process. @checksum: or "all". FALSE and @error, WEIR_ERROR_INVALID: it is neither. */
gboolean weir_fmu_trust_add (const char *checksum, GError **error);
/* For good; @name: of the file, for people. FALSE and @error: it cannot be written. */
gboolean weir_fmu_trust_remember (const char *checksum, const char *name, GError **error);

/* Unpacks what is trusted. NULL and @error: it is not, or that fails. @name: for messages.
 * (transfer full) */
char *weir_fmu_trust_unpack (WeirFmuArchive *archive, const char *name, GError **error);

G_END_DECLS

/* Files written whole or not at all. Thread: *any*. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Makes @bytes the contents of the file @path: a new file beside the old one, synced, takes its
 * place, and the folder is synced too, so that a failure or a crash leaves the old file as it was.
 * A link is followed and stays one; the old file's permissions are kept, a new file's are @mode
 * under the process's mask. What is no file (a device, a pipe) is not replaced but written to.
 * FALSE and @error, WEIR_ERROR_FILE, a sentence with the path. */
gboolean weir_file_write (const char *path, GBytes *bytes, guint mode, GError **error);

/* The same of any location; those that are no local files are replaced as well as they can be. */
gboolean weir_file_write_to (GFile *file, GBytes *bytes, GError **error);

G_END_DECLS

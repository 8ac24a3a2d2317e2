/* Files written whole or not at all, and read whole within bounds. Thread: *any*.
 *
 * What names a file may come from a model that somebody sent: reading never waits for a device or a
 * pipe, and never takes more memory than files of its kind may have.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Makes @bytes the contents of the file @path: a new file beside the old one, synced, takes its
 * place, and the folder is synced too, so that a failure or a crash leaves the old file as it was.
 * A link is followed and stays one; the old file's permissions are kept, a new file's are @mode
 * under the process's mask. What is no file (a device, a pipe) is not replaced but written to.
 * A process that is killed meanwhile leaves a
 * file that weir_litter_remove() takes away.
 * FALSE and @error, WEIR_ERROR_FILE, a sentence with the path. */
gboolean weir_file_write (const char *path, GBytes *bytes, guint mode, GError **error);

/* The same of contents that are never in memory as a whole: @write puts them into the open file
 * @fd. FALSE and its error: the old file stays. */
typedef gboolean (*WeirFileFunc) (int fd, gpointer data, GError **error);

gboolean weir_file_write_with (const char *path, guint mode, WeirFileFunc write, gpointer data,
                               GError **error);

/* The same of any location; those that are no local files are replaced as well as they can be. */
gboolean weir_file_write_to (GFile *file, GBytes *bytes, GError **error);

/* What is read, and with it how large it may be. */
typedef enum {
  WEIR_FILE_MODEL,
  WEIR_FILE_LESSON,
  WEIR_FILE_TABLE,
  WEIR_FILE_CHANGE_LOG,
  WEIR_FILE_CHECKPOINT,
  WEIR_FILE_HELP,
  WEIR_FILE_FMU,
  WEIR_FILE_TRUST,
  WEIR_FILE_STUDY,
  WEIR_FILE_PART,
} WeirFileKind;

/* Bytes that a file of @kind may have. */
gsize weir_file_get_limit (WeirFileKind kind);

/* The contents of a regular file, links followed. Anything else (a folder, a device, a pipe) and
 * more bytes than its kind may have are refused at once. NULL and @error, WEIR_ERROR_FILE: a
 * sentence with the path. (transfer full) */
GBytes *weir_file_read (const char *path, WeirFileKind kind, GError **error);
/* The same of any location. */
GBytes *weir_file_read_from (GFile *file, WeirFileKind kind, GError **error);
/* The same of standard input, to its end, whatever it is: for commands that are told to. */
GBytes *weir_file_read_standard_input (WeirFileKind kind, GError **error);
/* Whether a file that could be read begins with @text. */
gboolean weir_file_begins_with (GFile *file, const char *text);

G_END_DECLS

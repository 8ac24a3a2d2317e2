/* The archive that an FMU is: a zip file, read and written.
 *
 * An archive is a list of files with names, taken whole into memory, so that what has been looked
 * at is what is unpacked and what its checksum tells of. It comes from strangers: reading refuses,
 * with a sentence, what leads out of the folder that it is unpacked to, what is no plain file, what
 * would need more room than its size warrants, and whatever two programs could read in two ways.
 * Methods are stored and deflated, as the standard of FMI has it; there are no archives of more
 * than one part, none that are encrypted, none of more than 4 GiB.
 *
 * Thread: *any*, immutable; two may not be unpacked into one cache at once, which a lock sees to.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _WeirFmuArchive WeirFmuArchive;

/* Opens the file @path. NULL and @error, WEIR_ERROR_FILE. (transfer full) */
WeirFmuArchive *weir_fmu_archive_open (const char *path, GError **error);
/* The same of @bytes; @name stands for the path. (transfer full) */
WeirFmuArchive *weir_fmu_archive_new (GBytes *bytes, const char *name, GError **error);
WeirFmuArchive *weir_fmu_archive_ref (WeirFmuArchive *self);
void weir_fmu_archive_unref (WeirFmuArchive *self);

/* As it was named. */
const char *weir_fmu_archive_get_name (const WeirFmuArchive *self);
/* SHA-256 of its bytes, in hexadecimal digits. */
const char *weir_fmu_archive_get_checksum (const WeirFmuArchive *self);

/* All of it, as it came. (transfer none) */
GBytes *weir_fmu_archive_get_bytes (const WeirFmuArchive *self);

/* Its files, in the order of its directory; folders are not among them. */
guint weir_fmu_archive_get_n_files (const WeirFmuArchive *self);
/* "binaries/linux64/ball.so"; and how many bytes it has when unpacked. */
const char *weir_fmu_archive_get_file (const WeirFmuArchive *self, guint i);
gsize weir_fmu_archive_get_file_size (const WeirFmuArchive *self, guint i);
/* FALSE: there is none of that name. @i: (out) (nullable). */
gboolean weir_fmu_archive_find (const WeirFmuArchive *self, const char *file, guint *i);

/* The names of the folders in a folder ("binaries"), each once, in the order of the files.
 * (transfer full), of char *. */
GPtrArray *weir_fmu_archive_list_folders (const WeirFmuArchive *self, const char *folder);

/* The bytes of one file, whose checksum is compared. NULL and @error. (transfer full) */
GBytes *weir_fmu_archive_read (const WeirFmuArchive *self, guint i, GError **error);

/* Unpacks all files into a folder of the user's cache that only they can read, named by the
 * checksum, and returns its path. The folder is there whole or not at all; where it is there
 * already, each file is compared, and written anew where it differs. NULL and @error. (transfer
 * full) */
char *weir_fmu_archive_unpack (const WeirFmuArchive *self, GError **error);

/* The same of the files of one folder in it ("documentation/") alone, none of them executable. */
char *weir_fmu_archive_unpack_part (const WeirFmuArchive *self, const char *part, GError **error);

/* A file that is to be in an archive. */
typedef struct {
  const char *name; /* with slashes; no folder outside */
  GBytes *bytes;
} WeirFmuFile;

/* The bytes of an archive of @files, in their order: the same for the same files. Each is deflated
 * where that is shorter. NULL and @error if it could not be read again. (transfer full) */
GBytes *weir_fmu_archive_write (const WeirFmuFile *files, guint n, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirFmuArchive, weir_fmu_archive_unref)

G_END_DECLS

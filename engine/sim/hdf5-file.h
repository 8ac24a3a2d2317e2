/* The frame of an HDF5 file of columns of doubles: which datasets it has, and where their values
 * lie. That follows from names and lengths, so that the file is written from its beginning to its
 * end, or at many places in any order, without ever being in memory.
 *
 * Each dataset has one dimension and is in one piece. It is in a folder of the file, or in none. A
 * slash in a name, which would be a folder, is written as an underscore; of several alike in one
 * folder the later get numbers. Thread: *owner*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WEIR_HDF5_MOST_DATASETS 65534 /* of one folder, the file itself included */

typedef struct _WeirHdf5File WeirHdf5File;

WeirHdf5File *weir_hdf5_file_new (void);
void weir_hdf5_file_free (WeirHdf5File *self);

/* A dataset of @n values. @folder: NULL = none. Its number: 0, 1, ... */
guint weir_hdf5_file_add (WeirHdf5File *self, const char *folder, const char *name, guint64 n);

/* What the file begins with; nothing is added after this. Behind it come the values, little-endian,
 * in the order of the datasets. (transfer full) */
GByteArray *weir_hdf5_file_lay_out (WeirHdf5File *self);
/* Once it is laid out: where in the file the values of a dataset are. */
guint64 weir_hdf5_file_get_position (const WeirHdf5File *self, guint dataset);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirHdf5File, weir_hdf5_file_free)

G_END_DECLS

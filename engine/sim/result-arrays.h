/* Files of named arrays, read as tables of results: what MAT and HDF5 files have in common.
 *
 * A reader lists the arrays of numbers that it finds; the one called "time" or "t" says which of
 * the others are signals: those of as many values, and the rows or columns of matrices of as many
 * columns or rows. Thread: *any*.
 */
#pragma once

#include "sim/result-file.h"

G_BEGIN_DECLS

/* Row after row; a vector has one row, or one column. */
typedef struct {
  char *name;
  gsize n_rows, n_columns;
  double *values;
} WeirResultArray;

/* Of WeirResultArray. (transfer full) */
GArray *weir_result_arrays_new (void);
/* @values: (transfer full) */
void weir_result_arrays_add (GArray *arrays, const char *name, gsize n_rows, gsize n_columns,
                             double *values);

/* The lists of these formats, from the contents of a file called @path. NULL and @error. */
GArray *weir_result_mat_read (const char *path, const guint8 *bytes, gsize size, GError **error);
GArray *weir_result_hdf5_read (const char *path, const guint8 *bytes, gsize size, GError **error);
gboolean weir_result_is_mat (const guint8 *bytes, gsize size);
gboolean weir_result_is_hdf5 (const guint8 *bytes, gsize size);

/* How to read a number of @size bytes. */
typedef struct {
  guint size;
  gboolean is_real, is_signed, is_big_endian;
} WeirNumberForm;
double weir_number_form_read (const WeirNumberForm *self, const guint8 *bytes);

/* Bytes of zlib, at most @limit of them. NULL: they are damaged, or more. (transfer full) */
GByteArray *weir_result_inflate (const guint8 *bytes, gsize size, gsize limit);

G_END_DECLS

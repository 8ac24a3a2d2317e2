/* Arrays as a MAT file has them, level 5 of the format, which MATLAB, Octave and scipy.io read.
 *
 * "MAT-File Level 5 File Format", The MathWorks. Numbers are little-endian and not compressed.
 * Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum { WEIR_MAT_UINT16 = 4, WEIR_MAT_DOUBLE = 9 } WeirMatType;
typedef enum {
  WEIR_MAT_CLASS_CELL = 1,
  WEIR_MAT_CLASS_CHAR = 4,
  WEIR_MAT_CLASS_DOUBLE = 6
} WeirMatClass;

/* What a file begins with. */
void weir_mat_append_header (GByteArray *bytes);
/* What an array begins with, up to its data; @n_data: bytes of those, with tags of what is in
 * them. */
void weir_mat_append_array (GByteArray *bytes, WeirMatClass class, guint32 n_rows,
                            guint32 n_columns, const char *name, gsize n_data);
/* What @n bytes of data begin with. */
void weir_mat_append_tag (GByteArray *bytes, WeirMatType type, gsize n);
/* How many bytes they take in the file. */
gsize weir_mat_pad (gsize n);
/* A whole array. @values: row after row. */
void weir_mat_append_matrix (GByteArray *bytes, const char *name, guint rows, guint columns,
                             const double *values);

G_END_DECLS

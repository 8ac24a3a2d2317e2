/* Arrays in MAT files. See mat-array.h. */
#include "base/mat-array.h"

#include <string.h>

#include "base/bytes.h"

#define HEADER 116 /* bytes of text, before 8 of an offset, the version, the order of bytes */

/* Types of data that only arrays are made of. */
enum { MI_INT8 = 1, MI_INT32 = 5, MI_UINT32 = 6, MI_MATRIX = 14 };

gsize
weir_mat_pad (gsize n)
{
  return (n + 7) & ~(gsize) 7;
}

/* Of an array without its tag; @n_data: bytes of its one part, with tags of what is in it. */
static gsize
get_array_size (const char *name, gsize n_data)
{
  return 16 + 16 + 8 + weir_mat_pad (strlen (name)) + n_data;
}

void
weir_mat_append_array (GByteArray *bytes, WeirMatClass class, guint32 n_rows, guint32 n_columns,
                       const char *name, gsize n_data)
{
  const gsize length = strlen (name);
  guint8 fields[48 + 8], *at = fields;

  weir_bytes_put_32 (&at, MI_MATRIX);
  weir_bytes_put_32 (&at, (guint32) get_array_size (name, n_data));
  weir_bytes_put_32 (&at, MI_UINT32);
  weir_bytes_put_32 (&at, 8);
  weir_bytes_put_32 (&at, (guint32) class);
  weir_bytes_put_32 (&at, 0);
  weir_bytes_put_32 (&at, MI_INT32);
  weir_bytes_put_32 (&at, 8);
  weir_bytes_put_32 (&at, n_rows);
  weir_bytes_put_32 (&at, n_columns);
  weir_bytes_put_32 (&at, MI_INT8);
  weir_bytes_put_32 (&at, (guint32) length);
  g_byte_array_append (bytes, fields, (guint) (at - fields));
  g_byte_array_append (bytes, (const guint8 *) name, (guint) length);
  g_byte_array_append (bytes, (const guint8 *) "\0\0\0\0\0\0\0",
                       (guint) (weir_mat_pad (length) - length));
}

void
weir_mat_append_tag (GByteArray *bytes, WeirMatType type, gsize n)
{
  guint8 tag[8], *at = tag;

  weir_bytes_put_32 (&at, (guint32) type);
  weir_bytes_put_32 (&at, (guint32) n);
  g_byte_array_append (bytes, tag, sizeof tag);
}

void
weir_mat_append_header (GByteArray *bytes)
{
  char text[HEADER + 8];

  memset (text, ' ', HEADER);
  memset (text + HEADER, 0, 8);
  memcpy (text, "MATLAB 5.0 MAT-file, Weir", strlen ("MATLAB 5.0 MAT-file, Weir"));
  g_byte_array_append (bytes, (const guint8 *) text, sizeof text);
  g_byte_array_append (bytes, (const guint8 *) "\x00\x01IM", 4);
}

void
weir_mat_append_matrix (GByteArray *bytes, const char *name, guint rows, guint columns,
                        const double *values)
{
  const gsize size = sizeof (double) * rows * columns;

  weir_mat_append_array (bytes, WEIR_MAT_CLASS_DOUBLE, rows, columns, name, 8 + size);
  weir_mat_append_tag (bytes, WEIR_MAT_DOUBLE, size);
  for (guint j = 0; j < columns; j++)
    for (guint i = 0; i < rows; i++)
      {
        union {
          double value;
          guint64 bits;
        } cell = { .value = values[(gsize) i * columns + j] };

        cell.bits = GUINT64_TO_LE (cell.bits);
        g_byte_array_append (bytes, (const guint8 *) &cell.bits, sizeof cell.bits);
      }
}

/* See result-arrays.h. */
#include "sim/result-arrays.h"

#include <gio/gio.h>
#include <string.h>

#define AT_ONCE 65536 /* bytes inflated */

static void
clear_array (gpointer data)
{
  WeirResultArray *array = data;

  g_free (array->name);
  g_free (array->values);
}

GArray *
weir_result_arrays_new (void)
{
  GArray *arrays = g_array_new (FALSE, FALSE, sizeof (WeirResultArray));

  g_array_set_clear_func (arrays, clear_array);
  return arrays;
}

void
weir_result_arrays_add (GArray *arrays, const char *name, gsize n_rows, gsize n_columns,
                        double *values)
{
  WeirResultArray array = { g_utf8_make_valid (name, -1), n_rows, n_columns, values };

  g_array_append_val (arrays, array);
}

/* --- Numbers --------------------------------------------------------------------------------- */

double
weir_number_form_read (const WeirNumberForm *self, const guint8 *bytes)
{
  guint64 bits = 0;
  double real;

  for (guint i = 0; i < self->size; i++)
    bits |= (guint64) bytes[self->is_big_endian ? self->size - 1 - i : i] << 8 * i;
  if (self->is_real && self->size == sizeof (float))
    {
      guint32 half = (guint32) bits;
      float single;

      memcpy (&single, &half, sizeof single);
      return (double) single;
    }
  if (self->is_real)
    {
      memcpy (&real, &bits, sizeof real);
      return real;
    }
  if (self->is_signed && self->size < 8 && bits >> (8 * self->size - 1) != 0)
    bits |= ~(guint64) 0 << 8 * self->size;
  return self->is_signed ? (double) (gint64) bits : (double) bits;
}

GByteArray *
weir_result_inflate (const guint8 *bytes, gsize size, gsize limit)
{
  g_autoptr (GConverter)
      converter = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB));
  g_autoptr (GByteArray) inflated = g_byte_array_new ();
  GConverterResult result = G_CONVERTER_CONVERTED;

  while (result == G_CONVERTER_CONVERTED)
    {
      guint before = inflated->len;
      gsize n_read, n_written;

      if (before > limit || before > G_MAXUINT - AT_ONCE)
        return NULL;
      g_byte_array_set_size (inflated, before + AT_ONCE);
      result = g_converter_convert (converter, bytes, size, inflated->data + before, AT_ONCE,
                                    G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL);
      if (result == G_CONVERTER_ERROR)
        return NULL;
      g_byte_array_set_size (inflated, before + (guint) n_written);
      bytes += n_read;
      size -= n_read;
    }
  return inflated->len <= limit ? g_steal_pointer (&inflated) : NULL;
}

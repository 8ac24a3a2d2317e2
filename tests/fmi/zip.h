/* Zip archives made byte by byte, as nobody should make them. */
#pragma once

#include <gio/gio.h>
#include <string.h>

/* What is 0 or NULL is as it should be. */
typedef struct {
  const char *name;
  const char *text;       /* stored as it is */
  gsize text_size;        /* of it, where it has zeros */
  const char *local_name; /* another one before the bytes */
  guint method, local_method;
  guint flags;
  guint mode;           /* of Unix: permissions and kind */
  guint32 size;         /* unpacked, as it is said */
  guint32 wrong_crc;    /* is added */
  guint shares;         /* from 1: begins where the file of that number does */
  guint32 offset_error; /* is added to where it begins */
  guint disk;
} ZipFile;

typedef struct {
  guint n_more;            /* entries that are said to be there besides */
  guint32 directory_error; /* is added to where the directory begins */
  guint disk;
  const char *behind; /* follows the end */
  gboolean is_zip64;
} ZipEnd;

static inline void
zip_put (GByteArray *out, guint n, guint32 value)
{
  for (guint i = 0; i < n; i++)
    {
      guint8 byte = (guint8) (value >> 8 * i);

      g_byte_array_append (out, &byte, 1);
    }
}

static inline void
zip_put_text (GByteArray *out, const char *text)
{
  g_byte_array_append (out, (const guint8 *) text, (guint) strlen (text));
}

/* CRC-32, bit by bit: slow and plain. */
static inline guint32
zip_crc (const char *data, gsize size)
{
  guint32 crc = 0xffffffff;

  for (gsize i = 0; i < size; i++)
    {
      crc ^= (guint8) data[i];
      for (guint bit = 0; bit < 8; bit++)
        crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
  return ~crc;
}

static inline gsize
zip_get_size (const ZipFile *file)
{
  return file->text_size != 0 ? file->text_size : strlen (file->text);
}

static inline void
zip_put_common (GByteArray *out, const ZipFile *file, guint method, const char *name)
{
  gsize length = zip_get_size (file);

  zip_put (out, 2, 20);
  zip_put (out, 2, file->flags);
  zip_put (out, 2, method);
  zip_put (out, 4, 0x00210000);
  zip_put (out, 4, zip_crc (file->text, length) + file->wrong_crc);
  zip_put (out, 4, (guint32) length);
  zip_put (out, 4, file->size != 0 ? file->size : (guint32) length);
  zip_put (out, 2, (guint32) strlen (name));
  zip_put (out, 2, 0);
}

/* What stands before the bytes of a file. */
static inline void
zip_put_header (GByteArray *out, const ZipFile *file, const char *name)
{
  zip_put (out, 4, 0x04034b50);
  zip_put_common (out, file, file->local_method != 0 ? file->local_method : file->method, name);
  zip_put_text (out, name);
}

/* (transfer full) */
static inline GBytes *
zip_make (const ZipFile *files, guint n, const ZipEnd *end)
{
  GByteArray *out = g_byte_array_new ();
  g_autoptr (GByteArray) directory = g_byte_array_new ();
  g_autofree guint32 *begins = g_new0 (guint32, n + 1);

  for (guint i = 0; i < n; i++)
    {
      const ZipFile *file = &files[i];
      const char *name = file->local_name != NULL ? file->local_name : file->name;

      begins[i] = file->shares > 0 ? begins[file->shares - 1] : out->len;
      if (file->shares == 0)
        {
          zip_put_header (out, file, name);
          g_byte_array_append (out, (const guint8 *) file->text, (guint) zip_get_size (file));
        }
      zip_put (directory, 4, 0x02014b50);
      zip_put (directory, 2, 3 << 8 | 20);
      zip_put_common (directory, file, file->method, file->name);
      zip_put (directory, 2, 0);
      zip_put (directory, 2, file->disk);
      zip_put (directory, 2, 0);
      zip_put (directory, 4, file->mode << 16);
      zip_put (directory, 4, begins[i] + file->offset_error);
      zip_put_text (directory, file->name);
    }
  begins[n] = out->len;
  g_byte_array_append (out, directory->data, directory->len);
  zip_put (out, 4, 0x06054b50);
  zip_put (out, 2, end->disk);
  zip_put (out, 2, end->disk);
  zip_put (out, 2, end->is_zip64 ? 0xffff : n + end->n_more);
  zip_put (out, 2, end->is_zip64 ? 0xffff : n + end->n_more);
  zip_put (out, 4, directory->len);
  zip_put (out, 4, begins[n] + end->directory_error);
  zip_put (out, 2, 0);
  if (end->behind != NULL)
    zip_put_text (out, end->behind);
  return g_byte_array_free_to_bytes (out);
}

/* Reading MAT files, level 5 of the format, as MATLAB (up to -v7), Octave and scipy.io write them:
 * real arrays of two dimensions, compressed or not, of any type of number. Others (structures,
 * sparse, complex, text) are left out, but for the table "names" that our own files have.
 *
 * "MAT-File Level 5 File Format", The MathWorks. Nothing in a file is trusted: what lies beyond the
 * end of what it is in makes the file damaged.
 */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "sim/result-arrays.h"

#define HEADER 128
#define NAMES "names" /* of the variables and of the signals that they hold */

enum { MI_MATRIX = 14, MI_COMPRESSED = 15 };
enum { MX_CELL = 1, MX_CHAR = 4, MX_DOUBLE = 6, MX_LAST = 15 };
#define COMPLEX 0x0800

typedef struct {
  gboolean is_big_endian;
  gsize inflated; /* bytes */
  GArray *arrays;
  GStrv names; /* in the order of the cells; NULL: there is no such table */
} Reader;

/* A part of the file, or of what was compressed. */
typedef struct {
  const guint8 *at, *end;
} Part;

static guint32
take_32 (const Reader *self, const guint8 *at)
{
  const WeirNumberForm form = { 4, FALSE, FALSE, self->is_big_endian };

  return (guint32) weir_number_form_read (&form, at);
}

/* The next element of @part. FALSE: there is none that is whole. */
static gboolean
next_element (const Reader *self, Part *part, guint32 *type, Part *element)
{
  gsize room = (gsize) (part->end - part->at), size;

  if (room < 8)
    return FALSE;
  *type = take_32 (self, part->at);
  if (*type >> 16 != 0) /* type and size in one word, then up to four bytes */
    {
      size = *type >> 16;
      *type &= 0xffff;
      *element = (Part) { part->at + 4, part->at + 4 + size };
      part->at += 8;
      return size <= 4;
    }
  size = take_32 (self, part->at + 4);
  if (size > room - 8)
    return FALSE;
  *element = (Part) { part->at + 8, part->at + 8 + size };
  if (*type != MI_COMPRESSED)
    size = (size + 7) & ~(gsize) 7;
  part->at += 8 + MIN (size, room - 8); /* the last one may lack what fills it up */
  return TRUE;
}

/* FALSE: numbers are no such. */
static gboolean
find_form (const Reader *self, guint32 type, WeirNumberForm *form)
{
  static const struct {
    guint size;
    gboolean is_real, is_signed;
  } types[] = {
    [1] = { 1, FALSE, TRUE },   [2] = { 1, FALSE, FALSE },  [3] = { 2, FALSE, TRUE },
    [4] = { 2, FALSE, FALSE },  [5] = { 4, FALSE, TRUE },   [6] = { 4, FALSE, FALSE },
    [7] = { 4, TRUE, TRUE },    [9] = { 8, TRUE, TRUE },    [12] = { 8, FALSE, TRUE },
    [13] = { 8, FALSE, FALSE }, [16] = { 1, FALSE, FALSE }, [17] = { 2, FALSE, FALSE }
  };

  if (type >= G_N_ELEMENTS (types) || types[type].size == 0)
    return FALSE;
  *form = (WeirNumberForm) { types[type].size, types[type].is_real, types[type].is_signed,
                             self->is_big_endian };
  return TRUE;
}

/* What an array begins with. FALSE: it is damaged. @n: of rows and columns; 0: not these two. */
typedef struct {
  guint class;
  gboolean is_complex;
  gsize n[2];
  char *name;
} Head;

static void
head_clear (Head *self)
{
  g_free (self->name);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Head, head_clear)

static gboolean
read_head (const Reader *self, Part *part, Head *head)
{
  Part flags, sizes, name;
  guint32 type;

  if (!next_element (self, part, &type, &flags) || flags.end - flags.at < 8
      || !next_element (self, part, &type, &sizes) || !next_element (self, part, &type, &name))
    return FALSE;
  head->class = take_32 (self, flags.at) & 0xff;
  head->is_complex = (take_32 (self, flags.at) & COMPLEX) != 0;
  for (guint i = 0; sizes.end - sizes.at == 8 && i < 2; i++)
    head->n[i] = take_32 (self, sizes.at + 4 * i);
  head->name = g_strndup ((const char *) name.at, (gsize) (name.end - name.at));
  return TRUE;
}

/* --- Arrays ---------------------------------------------------------------------------------- */

static gboolean
read_numbers (Reader *self, const Head *head, Part *part)
{
  gsize n;
  g_autofree double *values = NULL;
  WeirNumberForm form;
  guint32 type;
  Part data;

  if (head->class < MX_DOUBLE || head->class > MX_LAST || head->is_complex || head->n[0] == 0
      || head->n[1] == 0)
    return TRUE;
  if (!next_element (self, part, &type, &data) || !find_form (self, type, &form))
    return FALSE;
  if (head->n[0] > G_MAXSIZE / head->n[1])
    return FALSE;
  n = head->n[0] * head->n[1];
  if (n > (gsize) (data.end - data.at) / form.size)
    return FALSE;
  values = g_new (double, n);
  for (gsize i = 0; i < n; i++)
    values[i] = weir_number_form_read (&form, data.at + i * form.size);
  /* Column after column is row after row of the transposed. */
  weir_result_arrays_add (self->arrays, head->name, head->n[1], head->n[0],
                          g_steal_pointer (&values));
  return TRUE;
}

/* Of a cell that holds text; others are "". (transfer full) */
static char *
dup_text (const Reader *self, Part cell)
{
  g_auto (Head) head = { 0 };
  g_autoptr (GString) text = g_string_new (NULL);
  WeirNumberForm form;
  guint32 type;
  Part data;

  if (!read_head (self, &cell, &head) || head.class != MX_CHAR
      || !next_element (self, &cell, &type, &data) || !find_form (self, type, &form))
    return g_strdup ("");
  if (type == 16)
    return g_utf8_make_valid ((const char *) data.at, data.end - data.at);
  if (form.size == 2)
    {
      g_autofree gunichar2 *units = g_new (gunichar2, (gsize) (data.end - data.at) / 2 + 1);
      glong n = (data.end - data.at) / 2;
      char *found;

      for (glong i = 0; i < n; i++)
        units[i] = (gunichar2) weir_number_form_read (&form, data.at + 2 * i);
      found = g_utf16_to_utf8 (units, n, NULL, NULL, NULL);
      return found != NULL ? found : g_strdup ("");
    }
  for (; data.at < data.end; data.at++)
    g_string_append_unichar (text, *data.at);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
read_names (Reader *self, const Head *head, Part *part)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  guint32 type;
  Part cell;

  if (head->class != MX_CELL || head->n[1] != 2 || strcmp (head->name, NAMES) != 0)
    return;
  while (next_element (self, part, &type, &cell))
    {
      g_autofree char *text = dup_text (self, cell);

      g_strv_builder_add (names, text);
    }
  g_strfreev (self->names);
  self->names = g_strv_builder_end (names);
}

/* FALSE: it is damaged. */
static gboolean
read_element (Reader *self, guint32 type, Part part)
{
  g_auto (Head) head = { 0 };

  if (type == MI_COMPRESSED)
    {
      g_autoptr (GByteArray) inflated = weir_result_inflate (part.at, (gsize) (part.end - part.at),
                                                             weir_file_get_limit (WEIR_FILE_TABLE));
      Part whole, inner;

      if (inflated == NULL)
        return FALSE;
      self->inflated += inflated->len;
      if (self->inflated > 4 * weir_file_get_limit (WEIR_FILE_TABLE))
        return FALSE;
      whole = (Part) { inflated->data, inflated->data + inflated->len };
      return next_element (self, &whole, &type, &inner) && type != MI_COMPRESSED
             && read_element (self, type, inner);
    }
  if (type != MI_MATRIX)
    return TRUE;
  if (part.at == part.end) /* an empty array */
    return TRUE;
  if (!read_head (self, &part, &head))
    return FALSE;
  read_names (self, &head, &part);
  return read_numbers (self, &head, &part);
}

/* Variables have the names of the signals that they hold. */
static void
rename_arrays (Reader *self)
{
  guint n = self->names != NULL ? g_strv_length (self->names) : 0;

  for (guint i = 0; i < self->arrays->len; i++)
    {
      WeirResultArray *array = &g_array_index (self->arrays, WeirResultArray, i);

      for (guint k = 0; k < n / 2; k++)
        if (strcmp (self->names[k], array->name) == 0)
          {
            g_free (array->name);
            array->name = g_strdup (self->names[n / 2 + k]);
            break;
          }
    }
}

/* --- The file -------------------------------------------------------------------------------- */

gboolean
weir_result_is_mat (const guint8 *bytes, gsize size)
{
  return size >= HEADER
         && (memcmp (bytes + HEADER - 4, "\x00\x01IM", 4) == 0
             || memcmp (bytes + HEADER - 4, "\x01\x00MI", 4) == 0);
}

GArray *
weir_result_mat_read (const char *path, const guint8 *bytes, gsize size, GError **error)
{
  Reader self = { .is_big_endian = bytes[HEADER - 2] == 'M', .arrays = weir_result_arrays_new () };
  Part file = { bytes + HEADER, bytes + size }, element;
  guint32 type;

  while (file.at < file.end)
    if (!next_element (&self, &file, &type, &element) || !read_element (&self, type, element))
      {
        weir_error_set (error, WEIR_ERROR_FILE, "%s: the MAT file is damaged", path);
        g_clear_pointer (&self.arrays, g_array_unref);
        break;
      }
  if (self.arrays != NULL)
    rename_arrays (&self);
  g_strfreev (self.names);
  return self.arrays;
}

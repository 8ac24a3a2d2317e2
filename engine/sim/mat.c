/* Results as a MAT file, level 5 of the format, which MATLAB, Octave and scipy.io read: a column
 * "time", one for each signal, where both sides of updates are recorded one "phase" (0: before,
 * 1: after), and a table "names" of the variables and the signals that they hold, as names of
 * variables have letters, digits and underscores only.
 *
 * "MAT-File Level 5 File Format", The MathWorks. Numbers are little-endian and not compressed. A
 * variable stands as a whole in the file, so all is written at the end.
 */
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/text.h"
#include "sim/recorder-private.h"

#define HEADER 116  /* bytes of text, before 8 of an offset, the version, the order of bytes */
#define MAX_NAME 63 /* of a variable, as MATLAB has it */
#define MAX_ROWS ((gsize) (G_MAXINT32 - 4096) / 8) /* what the size of a variable can say */
#define ROWS_AT_ONCE 4096

/* Types of data, classes of arrays. */
enum { MI_INT8 = 1, MI_UINT16 = 4, MI_INT32 = 5, MI_UINT32 = 6, MI_DOUBLE = 9, MI_MATRIX = 14 };
enum { MX_CELL = 1, MX_CHAR = 4, MX_DOUBLE = 6 };

typedef struct {
  WeirResultTarget target;
  gsize n_rows;
} Writer;

/* --- Names ----------------------------------------------------------------------------------- */

static char *
dup_plain_name (const char *signal)
{
  GString *name = g_string_new (g_ascii_isalpha (*signal) ? NULL : "s_");

  for (const char *c = signal; *c != '\0'; c++)
    g_string_append_c (name, g_ascii_isalnum (*c) ? *c : '_');
  while (name->len > 1 && name->str[name->len - 1] == '_')
    g_string_truncate (name, name->len - 1);
  g_string_truncate (name, MIN (name->len, MAX_NAME));
  return g_string_free (name, FALSE);
}

/* One that none of @taken is, which gets it. (transfer none) */
static const char *
take_name (GHashTable *taken, const char *signal)
{
  char *name = dup_plain_name (signal);

  for (guint k = 2; g_hash_table_contains (taken, name); k++)
    {
      g_autofree char *plain = dup_plain_name (signal);
      g_autofree char *end = g_strdup_printf ("_%u", k);

      plain[MIN (strlen (plain), MAX_NAME - strlen (end))] = '\0';
      g_free (name);
      name = g_strconcat (plain, end, NULL);
    }
  g_hash_table_add (taken, name);
  return name;
}

/* --- Elements -------------------------------------------------------------------------------- */

static gsize
pad (gsize n)
{
  return (n + 7) & ~(gsize) 7;
}

/* Of an array without its tag; @n_data: bytes of its one part, with tags of what is in it. */
static gsize
get_array_size (const char *name, gsize n_data)
{
  return 16 + 16 + 8 + pad (strlen (name)) + n_data;
}

/* What an array begins with, its tag included, up to its data. */
static void
append_array (GByteArray *bytes, guint32 class, guint32 n_rows, guint32 n_columns, const char *name,
              gsize n_data)
{
  const gsize length = strlen (name);
  guint8 fields[48 + 8], *at = fields;

  weir_bytes_put_32 (&at, MI_MATRIX);
  weir_bytes_put_32 (&at, (guint32) get_array_size (name, n_data));
  weir_bytes_put_32 (&at, MI_UINT32);
  weir_bytes_put_32 (&at, 8);
  weir_bytes_put_32 (&at, class);
  weir_bytes_put_32 (&at, 0);
  weir_bytes_put_32 (&at, MI_INT32);
  weir_bytes_put_32 (&at, 8);
  weir_bytes_put_32 (&at, n_rows);
  weir_bytes_put_32 (&at, n_columns);
  weir_bytes_put_32 (&at, MI_INT8);
  weir_bytes_put_32 (&at, (guint32) length);
  g_byte_array_append (bytes, fields, (guint) (at - fields));
  g_byte_array_append (bytes, (const guint8 *) name, (guint) length);
  g_byte_array_append (bytes, (const guint8 *) "\0\0\0\0\0\0\0", (guint) (pad (length) - length));
}

static void
append_tag (GByteArray *bytes, guint32 type, gsize n)
{
  guint8 tag[8], *at = tag;

  weir_bytes_put_32 (&at, type);
  weir_bytes_put_32 (&at, (guint32) n);
  g_byte_array_append (bytes, tag, sizeof tag);
}

/* A row of characters, of 16 bits each. */
static void
append_text (GByteArray *bytes, const char *text)
{
  glong n = 0;
  g_autofree gunichar2 *units = g_utf8_to_utf16 (text, -1, NULL, &n, NULL);

  append_array (bytes, MX_CHAR, 1, (guint32) n, "", 8 + pad (2 * (gsize) n));
  append_tag (bytes, MI_UINT16, 2 * (gsize) n);
  for (glong i = 0; i < (glong) pad (2 * (gsize) n) / 2; i++)
    {
      gunichar2 unit = i < n ? GUINT16_TO_LE (units[i]) : 0;

      g_byte_array_append (bytes, (const guint8 *) &unit, sizeof unit);
    }
}

static gboolean
write_bytes (Writer *self, GByteArray *bytes, GError **error)
{
  gboolean is_written = g_output_stream_write_all (self->target.stream, bytes->data, bytes->len,
                                                   NULL, NULL, error);

  g_byte_array_set_size (bytes, 0);
  return is_written;
}

/* --- Variables ------------------------------------------------------------------------------- */

/* What a column is of: a signal, or one of these. */
enum { COLUMN_TIME = -1, COLUMN_PHASE = -2 };

static double
get_number (Writer *self, int column, gsize row)
{
  WeirRecorder *recorder = self->target.recorder;

  if (column == COLUMN_TIME)
    return weir_recorder_get_time (recorder, row);
  if (column == COLUMN_PHASE)
    return weir_recorder_is_plus (recorder, row);
  return row < weir_recorder_get_first_row (recorder, (guint) column)
             ? (double) NAN /* the signal was added later */
             : weir_recorder_get_value (recorder, (guint) column, row);
}

static gboolean
write_column (Writer *self, const char *name, int column, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  append_array (bytes, MX_DOUBLE, (guint32) self->n_rows, 1, name, 8 + 8 * self->n_rows);
  append_tag (bytes, MI_DOUBLE, 8 * self->n_rows);
  for (gsize row = 0; row < self->n_rows; row++)
    {
      double value = get_number (self, column, row);
      guint8 word[8], *at = word;

      weir_bytes_put_words (&at, &value, 1);
      g_byte_array_append (bytes, word, sizeof word);
      if (bytes->len >= 8 * ROWS_AT_ONCE && !write_bytes (self, bytes, error))
        return FALSE;
    }
  return write_bytes (self, bytes, error);
}

static gboolean
write_header (Writer *self, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  char text[HEADER + 8];

  memset (text, ' ', HEADER);
  memset (text + HEADER, 0, 8);
  memcpy (text, "MATLAB 5.0 MAT-file, Weir", strlen ("MATLAB 5.0 MAT-file, Weir"));
  g_byte_array_append (bytes, (const guint8 *) text, sizeof text);
  g_byte_array_append (bytes, (const guint8 *) "\x00\x01IM", 4);
  return write_bytes (self, bytes, error);
}

/* A cell array, column after column: variables, then signals. */
static gboolean
write_names (Writer *self, const char *const *variables, guint n, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GByteArray) cells = g_byte_array_new ();

  for (guint i = 0; i < n; i++)
    append_text (cells, variables[i]);
  for (guint i = 0; i < n; i++)
    append_text (cells, self->target.names[i]);
  append_array (bytes, MX_CELL, n, 2, "names", cells->len);
  g_byte_array_append (bytes, cells->data, cells->len);
  return write_bytes (self, bytes, error);
}

static gboolean
write_all (Writer *self, GError **error)
{
  guint n = weir_recorder_get_n_signals (self->target.recorder);
  gboolean has_both = weir_recorder_has_both (self->target.recorder);
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree const char **variables = g_new0 (const char *, n + 1);

  for (const char *const *name = (const char *const[]) { "time", "phase", "names", NULL };
       *name != NULL; name++)
    take_name (taken, *name);
  if (!write_header (self, error) || !write_column (self, "time", COLUMN_TIME, error)
      || (has_both && !write_column (self, "phase", COLUMN_PHASE, error)))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      variables[i] = take_name (taken, self->target.names[i]);
      if (!write_column (self, variables[i], (int) i, error))
        return FALSE;
    }
  return write_names (self, variables, n, error);
}

/* --- The format ------------------------------------------------------------------------------ */

static gpointer
mat_begin (const WeirResultTarget *target, GError **error)
{
  Writer *self;
  gsize n_rows = weir_recorder_get_n_rows (target->recorder);

  if (n_rows > MAX_ROWS)
    {
      weir_error_set (
          error, WEIR_ERROR_INVALID,
          "%lu rows are more than a MAT file has room for (%lu): record fewer, or write CSV",
          (gulong) n_rows, (gulong) MAX_ROWS);
      return NULL;
    }
  self = g_new0 (Writer, 1);
  self->target = *target;
  return self;
}

static gboolean
mat_write_rows (gpointer writer, gsize first, gsize n_rows, G_GNUC_UNUSED GError **error)
{
  ((Writer *) writer)->n_rows = first + n_rows;
  return TRUE;
}

static gboolean
mat_end (gpointer writer, gboolean is_complete, GError **error)
{
  gboolean is_written = is_complete && write_all (writer, error);

  g_free (writer);
  return is_written;
}

WEIR_RESULT_FORMAT (mat) = {
  .title = N_ ("MAT Files: MATLAB, Octave, SciPy"),
  .suffixes = (const char *const[]) { "mat", NULL },
  .begin = mat_begin,
  .write_rows = mat_write_rows,
  .end = mat_end,
};

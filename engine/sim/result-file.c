/* See result-file.h. */
#include "sim/result-file.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/file.h"
#include "base/status.h"
#include "sim/result-arrays.h"

struct _WeirResultFile {
  GPtrArray *names;   /* of signals */
  GPtrArray *columns; /* GArray of double: time, then the signals */
};

typedef struct {
  WeirResultFile *file;
  const char *path;
  const char *at, *end;
  gsize line; /* from 1 */
  char separator;
  GArray *places; /* int, by column of the file: of columns; -1: left out */
  GError **error;
} Reader;

void
weir_result_file_free (WeirResultFile *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->columns);
  g_free (self);
}

static WeirResultFile *
file_new (void)
{
  WeirResultFile *self = g_new0 (WeirResultFile, 1);

  self->names = g_ptr_array_new_with_free_func (g_free);
  self->columns = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  return self;
}

/* FALSE, so that it can be returned. */
static gboolean G_GNUC_PRINTF (2, 3) refuse (Reader *self, const char *format, ...)
{
  g_autoptr (WeirMessage) text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = weir_message_new_valist (format, arguments);
  va_end (arguments);
  weir_error_set (self->error, WEIR_ERROR_FILE, "%s, line %lu: %s", self->path, (gulong) self->line,
                  weir_message_get_text (text));
  return FALSE;
}

/* The next field, without quotes and blanks; @is_last: of its line, whose end is passed. */
static void
next_field (Reader *self, GString *field, gboolean *is_last)
{
  gboolean is_quoted = FALSE;

  g_string_truncate (field, 0);
  for (; self->at < self->end; self->at++)
    {
      char c = *self->at;

      if (c == '"' && is_quoted && self->at + 1 < self->end && self->at[1] == '"')
        g_string_append_c (field, *++self->at);
      else if (c == '"')
        is_quoted = !is_quoted;
      else if (!is_quoted && (c == self->separator || c == '\n' || c == '\r'))
        break;
      else
        g_string_append_c (field, c);
    }
  *is_last = self->at >= self->end || *self->at != self->separator;
  if (*is_last && self->at < self->end && *self->at == '\r' && self->at + 1 < self->end
      && self->at[1] == '\n')
    self->at++;
  if (self->at < self->end)
    self->at++;
  g_strstrip (field->str);
  field->len = strlen (field->str);
}

static char
find_separator (const Reader *self)
{
  const char *end = self->at;

  while (end < self->end && *end != '\n' && *end != '\r')
    end++;
  for (const char *s = "\t;"; *s != '\0'; s++)
    if (memchr (self->at, *s, (gsize) (end - self->at)) != NULL)
      return *s;
  return ',';
}

static gboolean
read_header (Reader *self)
{
  g_autoptr (GString) field = g_string_new (NULL);
  gboolean is_last = FALSE;

  self->line = 1;
  self->separator = find_separator (self);
  while (!is_last)
    {
      gboolean is_time = self->places->len == 0;
      int place = (int) self->file->columns->len;

      next_field (self, field, &is_last);
      if (g_ascii_isdigit (field->str[0]) || field->str[0] == '-' || field->str[0] == '.')
        return refuse (self,
                       N_ ("\"%.24s\" stands where the name of a column is expected; the first "
                           "line is to be a header, such as \"time,speed\""),
                       field->str);
      if (!is_time && strcmp (field->str, "phase") == 0)
        place = -1;
      else
        g_ptr_array_add (self->file->columns, g_array_new (FALSE, FALSE, sizeof (double)));
      if (!is_time && place >= 0)
        g_ptr_array_add (self->file->names, g_strdup (field->str));
      g_array_append_val (self->places, place);
    }
  return self->file->names->len > 0
         || refuse (self,
                    N_ ("there is one column only; time and at least one signal are expected"));
}

static gboolean
parse (Reader *self, GString *field, double *value)
{
  char *end, *comma = self->separator != ',' ? strchr (field->str, ',') : NULL;

  if (comma != NULL)
    *comma = '.';
  *value = g_ascii_strtod (field->str, &end);
  if (field->len == 0)
    *value = (double) NAN;
  if (*end == '\0')
    return TRUE;
  return refuse (self, N_ ("\"%.24s\" is not a number"), field->str);
}

static gboolean
read_row (Reader *self, GString *field)
{
  GArray *times = self->file->columns->pdata[0];
  gboolean is_last = FALSE;

  for (guint i = 0; i < self->places->len; i++)
    {
      int place = g_array_index (self->places, int, i);
      double value = 0;

      if (is_last)
        return refuse (self, N_ ("there are %u fields where the header has %u"), i,
                       self->places->len);
      next_field (self, field, &is_last);
      if (i == 0 && is_last && field->len == 0)
        return TRUE; /* an empty line */
      if (place < 0)
        continue;
      if (!parse (self, field, &value))
        return FALSE;
      if (i == 0 && !isfinite (value))
        return refuse (self, N_ ("the time is not a finite number"));
      if (i == 0 && times->len > 0 && value < g_array_index (times, double, times->len - 1))
        return refuse (self, N_ ("the time %g is before the one of the line before, %g"), value,
                       g_array_index (times, double, times->len - 1));
      g_array_append_val ((GArray *) self->file->columns->pdata[place], value);
    }
  return is_last
         || refuse (self, N_ ("there are more fields than the %u of the header"),
                    self->places->len);
}

static gboolean
read_all (Reader *self)
{
  g_autoptr (GString) field = g_string_new (NULL);

  if (self->end - self->at >= 3 && memcmp (self->at, "\xef\xbb\xbf", 3) == 0)
    self->at += 3;
  if (!read_header (self))
    return FALSE;
  for (self->line = 2; self->at < self->end; self->line++)
    if (!read_row (self, field))
      return FALSE;
  return weir_result_file_get_n_rows (self->file) > 0
         || refuse (self, N_ ("there is no row of numbers below the header"));
}

/* --- Named arrays ---------------------------------------------------------------------------- */

static gboolean
is_vector (const WeirResultArray *array)
{
  return array->n_rows == 1 || array->n_columns == 1;
}

/* NULL: none of them is time. */
static const WeirResultArray *
find_times (GArray *arrays)
{
  static const char *const names[] = { "time", "t", "tout" };

  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    for (guint i = 0; i < arrays->len; i++)
      {
        const WeirResultArray *array = &g_array_index (arrays, WeirResultArray, i);

        if (g_ascii_strcasecmp (array->name, names[k]) == 0 && is_vector (array))
          return array;
      }
  return NULL;
}

static void
add_column (WeirResultFile *self, char *name, const double *values, gsize n, gsize stride)
{
  GArray *column = g_array_sized_new (FALSE, FALSE, sizeof (double), (guint) n);

  for (gsize row = 0; row < n; row++)
    g_array_append_val (column, values[row * stride]);
  g_ptr_array_add (self->columns, column);
  if (name != NULL)
    g_ptr_array_add (self->names, name);
}

/* Its rows or columns, if it has as many numbers in each as there are times. */
static void
add_signals (WeirResultFile *self, const WeirResultArray *array, gsize n)
{
  gboolean is_upright = array->n_rows == n;
  gsize n_signals = is_upright ? array->n_columns : array->n_rows;

  if (!is_upright && array->n_columns != n)
    return;
  for (gsize k = 0; k < n_signals; k++)
    add_column (self,
                n_signals == 1 ? g_strdup (array->name)
                               : g_strdup_printf ("%s[%lu]", array->name, (gulong) k),
                array->values + (is_upright ? k : k * n), n, is_upright ? array->n_columns : 1);
}

/* @arrays: (transfer full) */
static WeirResultFile *
take_arrays (const char *path, GArray *arrays, GError **error)
{
  g_autoptr (GArray) all = arrays;
  g_autoptr (WeirResultFile) self = file_new ();
  const WeirResultArray *times = find_times (all);
  gsize n = times != NULL ? times->n_rows * times->n_columns : 0;

  for (gsize row = 0; row < n; row++)
    if (!isfinite (times->values[row]) || (row > 0 && times->values[row] < times->values[row - 1]))
      {
        weir_error_set (error, WEIR_ERROR_FILE,
                        "%s: \"%s\" is no time: value %lu is not finite, or before the last one",
                        path, times->name, (gulong) row + 1);
        return NULL;
      }
  if (times != NULL)
    add_column (self, NULL, times->values, n, 1);
  for (guint i = 0; times != NULL && i < all->len; i++)
    {
      const WeirResultArray *array = &g_array_index (all, WeirResultArray, i);

      if (array != times && strcmp (array->name, "phase") != 0)
        add_signals (self, array, n);
    }
  if (self->names->len > 0)
    return g_steal_pointer (&self);
  weir_error_set (
      error, WEIR_ERROR_FILE,
      "%s: there is no vector called \"time\" or \"t\" and, beside it, no array of real "
      "numbers with as many rows",
      path);
  return NULL;
}

/* --- Reading --------------------------------------------------------------------------------- */

static WeirResultFile *
read_csv (const char *path, const char *text, gsize size, GError **error)
{
  g_autoptr (WeirResultFile) self = file_new ();
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (int));
  Reader reader = {
    .file = self, .path = path, .at = text, .end = text + size, .places = places, .error = error
  };

  return read_all (&reader) ? g_steal_pointer (&self) : NULL;
}

WeirResultFile *
weir_result_file_read (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = strcmp (path, "-") == 0
                                 ? weir_file_read_standard_input (WEIR_FILE_TABLE, error)
                                 : weir_file_read (path, WEIR_FILE_TABLE, error);
  GArray *arrays;
  gconstpointer data;
  gsize size;

  if (bytes == NULL)
    return NULL;
  data = g_bytes_get_data (bytes, &size);
  if (weir_result_is_hdf5 (data, size)) /* which a newer MAT file is too */
    arrays = weir_result_hdf5_read (path, data, size, error);
  else if (weir_result_is_mat (data, size))
    arrays = weir_result_mat_read (path, data, size, error);
  else
    return read_csv (path, data, size, error);
  return arrays != NULL ? take_arrays (path, arrays, error) : NULL;
}

guint
weir_result_file_get_n_signals (const WeirResultFile *self)
{
  return self->names->len;
}

const char *
weir_result_file_get_name (const WeirResultFile *self, guint signal)
{
  return self->names->pdata[signal];
}

gsize
weir_result_file_get_n_rows (const WeirResultFile *self)
{
  return ((GArray *) self->columns->pdata[0])->len;
}

const double *
weir_result_file_get_times (const WeirResultFile *self)
{
  return (const double *) ((GArray *) self->columns->pdata[0])->data;
}

const double *
weir_result_file_get_values (const WeirResultFile *self, guint signal)
{
  return (const double *) ((GArray *) self->columns->pdata[signal + 1])->data;
}

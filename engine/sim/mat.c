/* Results as a MAT file, level 5 of the format, which MATLAB, Octave and scipy.io read: a column
 * "time", one for each signal, where both sides of updates are recorded one "phase" (0: before,
 * 1: after), and a table "names" of the variables and the signals that they hold, as names of
 * variables have letters, digits and underscores only.
 *
 * A variable stands as a whole in the file, so all is written at the end.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/mat-array.h"
#include "base/text.h"
#include "sim/result-format.h"

#define MAX_NAME 63                                /* of a variable, as MATLAB has it */
#define MAX_ROWS ((gsize) (G_MAXINT32 - 4096) / 8) /* what the size of a variable can say */

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

/* A row of characters, of 16 bits each. */
static void
append_text (GByteArray *bytes, const char *text)
{
  glong n = 0;
  g_autofree gunichar2 *units = g_utf8_to_utf16 (text, -1, NULL, &n, NULL);

  weir_mat_append_array (bytes, WEIR_MAT_CLASS_CHAR, 1, (guint32) n, "",
                         8 + weir_mat_pad (2 * (gsize) n));
  weir_mat_append_tag (bytes, WEIR_MAT_UINT16, 2 * (gsize) n);
  for (glong i = 0; i < (glong) weir_mat_pad (2 * (gsize) n) / 2; i++)
    {
      gunichar2 unit = i < n ? GUINT16_TO_LE (units[i]) : 0;

      g_byte_array_append (bytes, (const guint8 *) &unit, sizeof unit);
    }
}

/* --- Variables ------------------------------------------------------------------------------- */

static gboolean
write_column (const WeirResultTarget *self, const char *name, int column, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  weir_mat_append_array (bytes, WEIR_MAT_CLASS_DOUBLE, (guint32) self->n_rows, 1, name,
                         8 + 8 * self->n_rows);
  weir_mat_append_tag (bytes, WEIR_MAT_DOUBLE, 8 * self->n_rows);
  return weir_result_target_put_column (self, column, bytes, error);
}

static gboolean
write_header (const WeirResultTarget *self, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  weir_mat_append_header (bytes);
  return weir_result_target_put (self, bytes, error);
}

/* A cell array, column after column: variables, then signals. */
static gboolean
write_names (const WeirResultTarget *self, const char *const *variables, guint n, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GByteArray) cells = g_byte_array_new ();

  for (guint i = 0; i < n; i++)
    append_text (cells, variables[i]);
  for (guint i = 0; i < n; i++)
    append_text (cells, self->names[i]);
  weir_mat_append_array (bytes, WEIR_MAT_CLASS_CELL, n, 2, "names", cells->len);
  g_byte_array_append (bytes, cells->data, cells->len);
  return weir_result_target_put (self, bytes, error);
}

static gboolean
mat_write (const WeirResultTarget *self, GError **error)
{
  guint n = weir_recorder_get_n_signals (self->recorder);
  gboolean has_both = weir_recorder_has_both (self->recorder);
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree const char **variables = g_new0 (const char *, n + 1);

  if (self->n_rows > MAX_ROWS)
    {
      weir_error_set (
          error, WEIR_ERROR_INVALID,
          "%lu rows are more than a MAT file has room for (%lu): record fewer, or write CSV",
          (gulong) self->n_rows, (gulong) MAX_ROWS);
      return FALSE;
    }
  for (const char *const *name = (const char *const[]) { "time", "phase", "names", NULL };
       *name != NULL; name++)
    take_name (taken, *name);
  if (!write_header (self, error) || !write_column (self, "time", WEIR_RESULT_TIME, error)
      || (has_both && !write_column (self, "phase", WEIR_RESULT_PHASE, error)))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      variables[i] = take_name (taken, self->names[i]);
      if (!write_column (self, variables[i], (int) i, error))
        return FALSE;
    }
  return write_names (self, variables, n, error);
}

WEIR_RESULT_FORMAT (mat) = {
  .title = N_ ("MAT Files: MATLAB, Octave, SciPy"),
  .suffixes = (const char *const[]) { "mat", NULL },
  .write = mat_write,
};

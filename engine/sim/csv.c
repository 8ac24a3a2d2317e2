/* Results as comma-separated values: a header row "time,plant.theta,...", all digits, and a column
 * phase where both sides of updates are recorded.
 */
#include "numerics/number.h"
#include "base/text.h"
#include "sim/result-format.h"

#define CSV_BLOCK 65536 /* bytes written at once */

static void
append_number (GString *text, double value)
{
  gsize length = text->len;

  g_string_set_size (text, length + G_ASCII_DTOSTR_BUF_SIZE);
  g_string_truncate (text, (gsize) (weir_number_write (value, text->str + length) - text->str));
}

/* Writes @text, if it is longer than @at_least bytes, and empties it. */
static gboolean
write_out (const WeirResultTarget *target, GString *text, gsize at_least, GError **error)
{
  if (text->len <= at_least)
    return TRUE;
  if (!g_output_stream_write_all (target->stream, text->str, text->len, NULL, NULL, error))
    return FALSE;
  g_string_truncate (text, 0);
  return TRUE;
}

static gboolean
csv_write (const WeirResultTarget *target, GError **error)
{
  WeirRecorder *recorder = target->recorder;
  guint n_signals = weir_recorder_get_n_signals (recorder);
  gboolean has_both = weir_recorder_has_both (recorder);
  g_autoptr (GString) text = g_string_sized_new (CSV_BLOCK + 1024);

  g_string_append (text, "time");
  for (guint s = 0; s < n_signals; s++)
    {
      g_string_append_c (text, ',');
      weir_csv_append_field (text, target->names[s]);
    }
  g_string_append (text, has_both ? ",phase\n" : "\n");
  for (gsize row = 0; row < target->n_rows; row++)
    {
      append_number (text, weir_recorder_get_time (recorder, row));
      for (guint s = 0; s < n_signals; s++)
        {
          gsize n;
          const double *value = weir_recorder_get_values (recorder, s, row, &n);

          g_string_append_c (text, ',');
          if (n > 0) /* empty before the signal was added */
            append_number (text, *value);
        }
      if (has_both)
        g_string_append (text, weir_recorder_is_plus (recorder, row) ? ",plus" : ",minus");
      g_string_append_c (text, '\n');
      if (!write_out (target, text, CSV_BLOCK, error))
        return FALSE;
    }
  return write_out (target, text, 0, error);
}

WEIR_RESULT_FORMAT (csv) = {
  .title = N_ ("Tables: CSV"),
  .suffixes = (const char *const[]) { "csv", NULL },
  .write = csv_write,
};

/* Results as comma-separated values: a header row "time,plant.theta,...", all digits, and a column
 * phase where both sides of updates are recorded.
 */
#include "numerics/number.h"
#include "base/text.h"
#include "sim/recorder-private.h"

#define CSV_BLOCK 65536 /* bytes written at once */

typedef struct {
  WeirResultTarget target;
  guint n_signals;
  GString *text; /* not yet written */
} Writer;

static gboolean
write_out (Writer *self, gsize at_least, GError **error)
{
  GString *text = self->text;

  if (text->len <= at_least)
    return TRUE;
  if (!g_output_stream_write_all (self->target.stream, text->str, text->len, NULL, NULL, error))
    return FALSE;
  g_string_truncate (text, 0);
  return TRUE;
}

static gpointer
csv_begin (const WeirResultTarget *target, G_GNUC_UNUSED GError **error)
{
  Writer *self = g_new0 (Writer, 1);

  self->target = *target;
  self->n_signals = weir_recorder_get_n_signals (target->recorder);
  self->text = g_string_sized_new (CSV_BLOCK + 1024);
  g_string_append (self->text, "time");
  for (guint s = 0; s < self->n_signals; s++)
    {
      g_string_append_c (self->text, ',');
      weir_csv_append_field (self->text, target->names[s]);
    }
  g_string_append (self->text, weir_recorder_has_both (target->recorder) ? ",phase\n" : "\n");
  return self;
}

static void
append_number (GString *text, double value)
{
  gsize length = text->len;

  g_string_set_size (text, length + G_ASCII_DTOSTR_BUF_SIZE);
  g_string_truncate (text, (gsize) (weir_number_write (value, text->str + length) - text->str));
}

static gboolean
csv_write_rows (gpointer writer, gsize first, gsize n_rows, GError **error)
{
  Writer *self = writer;
  WeirRecorder *recorder = self->target.recorder;
  gboolean has_both = weir_recorder_has_both (recorder);
  GString *text = self->text;

  for (gsize row = first; row < first + n_rows; row++)
    {
      append_number (text, weir_recorder_get_time (recorder, row));
      for (guint s = 0; s < self->n_signals; s++)
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
      if (!write_out (self, CSV_BLOCK, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
csv_end (gpointer writer, gboolean is_complete, GError **error)
{
  Writer *self = writer;
  gboolean is_written = is_complete && write_out (self, 0, error);

  g_string_free (self->text, TRUE);
  g_free (self);
  return is_written;
}

WEIR_RESULT_FORMAT (csv) = {
  .title = N_ ("Tables: CSV"),
  .suffixes = (const char *const[]) { "csv", NULL },
  .begin = csv_begin,
  .write_rows = csv_write_rows,
  .end = csv_end,
};

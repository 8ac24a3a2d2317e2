/* The formats that there are, and what they share in writing. */
#include "sim/results.h"

#include <math.h>

#include "base/bytes.h"
#include "base/text.h"
#include "sim/result-format.h"

#define ROWS_AT_ONCE 4096

guint
weir_result_format_get_n (void)
{
  guint n = 0;

  while (weir_result_formats[n] != NULL)
    n++;
  return n;
}

const WeirResultFormat *
weir_result_format_get (guint i)
{
  g_return_val_if_fail (i < weir_result_format_get_n (), NULL);
  return weir_result_formats[i];
}

const WeirResultFormat *
weir_result_format_find (const char *path)
{
  for (guint i = 0; weir_result_formats[i] != NULL; i++)
    if (weir_text_has_ending (path, weir_result_formats[i]->suffixes))
      return weir_result_formats[i];
  return NULL;
}

const char *
weir_result_format_get_title (const WeirResultFormat *self)
{
  return self->title;
}

const char *const *
weir_result_format_get_suffixes (const WeirResultFormat *self)
{
  return self->suffixes;
}

char *
weir_result_formats_dup_suffixes (const char *between)
{
  g_autoptr (GPtrArray) suffixes = g_ptr_array_new ();

  for (guint i = 0; weir_result_formats[i] != NULL; i++)
    for (guint k = 0; weir_result_formats[i]->suffixes[k] != NULL; k++)
      g_ptr_array_add (suffixes, (gpointer) weir_result_formats[i]->suffixes[k]);
  g_ptr_array_add (suffixes, NULL);
  return weir_text_list_endings ((const char *const *) suffixes->pdata, between);
}

/* (transfer container) */
static const char **
list_names (WeirRecorder *recorder)
{
  guint n = weir_recorder_get_n_signals (recorder);
  const char **names = g_new0 (const char *, n + 1);

  for (guint s = 0; s < n; s++)
    names[s] = weir_recorder_get_signal_name (recorder, s);
  return names;
}

gboolean
weir_result_target_put (const WeirResultTarget *self, GByteArray *bytes, GError **error)
{
  gboolean is_written = g_output_stream_write_all (self->stream, bytes->data, bytes->len, NULL,
                                                   NULL, error);

  g_byte_array_set_size (bytes, 0);
  return is_written;
}

static double
get_number (const WeirResultTarget *self, int column, gsize row)
{
  if (column == WEIR_RESULT_TIME)
    return weir_recorder_get_time (self->recorder, row);
  if (column == WEIR_RESULT_PHASE)
    return weir_recorder_is_plus (self->recorder, row);
  return row < weir_recorder_get_first_row (self->recorder, (guint) column)
             ? (double) NAN
             : weir_recorder_get_value (self->recorder, (guint) column, row);
}

gboolean
weir_result_target_put_column (const WeirResultTarget *self, int column, GByteArray *bytes,
                               GError **error)
{
  for (gsize row = 0; row < self->n_rows; row++)
    {
      double value = get_number (self, column, row);
      guint8 word[8], *at = word;

      weir_bytes_put_words (&at, &value, 1);
      g_byte_array_append (bytes, word, sizeof word);
      if (bytes->len >= 8 * ROWS_AT_ONCE && !weir_result_target_put (self, bytes, error))
        return FALSE;
    }
  return weir_result_target_put (self, bytes, error);
}

gboolean
weir_results_write (const WeirResultFormat *format, WeirRecorder *recorder,
                    const char *const *names, GOutputStream *stream, GError **error)
{
  g_autofree const char **own = list_names (recorder);
  const WeirResultTarget target = { recorder, names != NULL ? names : own,
                                    weir_recorder_get_n_rows (recorder), stream };

  return format->write (&target, error);
}

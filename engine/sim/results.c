/* The formats that there are, and what they share in writing. */
#include "sim/results.h"

#include "base/text.h"
#include "sim/recorder-private.h"

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
weir_results_write (const WeirResultFormat *format, WeirRecorder *recorder,
                    const char *const *names, GOutputStream *stream, GError **error)
{
  g_autofree const char **own = list_names (recorder);
  const WeirResultTarget target = { recorder, names != NULL ? names : own, stream };
  gsize n_rows = weir_recorder_get_n_rows (recorder);
  gpointer writer = format->begin (&target, error);
  gboolean is_complete = writer != NULL;

  if (writer == NULL)
    return FALSE;
  for (gsize row = 0; is_complete && row < n_rows; row += ROWS_AT_ONCE)
    is_complete = format->write_rows (writer, row, MIN (n_rows - row, ROWS_AT_ONCE), error);
  return format->end (writer, is_complete, is_complete ? error : NULL) && is_complete;
}

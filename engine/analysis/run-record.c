/* Runs side by side. See run-record.h. */
#include "analysis/run-record.h"

#include <string.h>

#include "analysis/picture.h"
#include "base/number.h"

struct _WeirRunRecord {
  gatomicrefcount ref_count;
  char *title;
  WeirLayout *layout;
  WeirRecorder *recorder;
  WeirCounters *counters;
  double *spent_ns;
};

static guint64
get_calculations (const WeirCounters *counters)
{
  return counters->first + counters->stale + counters->disabled;
}

WeirRunRecord *
weir_run_record_new (WeirSession *session, const char *title)
{
  const WeirSnapshot *snapshot = weir_session_get_snapshot (session);
  WeirRunRecord *self = g_new0 (WeirRunRecord, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->title = g_strdup (title);
  self->layout = weir_layout_ref (weir_session_get_layout (session));
  self->recorder = weir_recorder_ref (weir_session_get_recorder (session));
  self->counters = g_memdup2 (snapshot->counters, snapshot->n_entries * sizeof *snapshot->counters);
  self->spent_ns = g_new0 (double, MAX (snapshot->n_entries, 1));
  for (guint e = 0; e < snapshot->n_entries; e++)
    self->spent_ns[e] = (double) get_calculations (&snapshot->counters[e])
                        * (double) snapshot->mean_ns[e];
  return self;
}

WeirRunRecord *
weir_run_record_ref (WeirRunRecord *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_run_record_unref (WeirRunRecord *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->title);
  weir_layout_unref (self->layout);
  weir_recorder_unref (self->recorder);
  g_free (self->counters);
  g_free (self->spent_ns);
  g_free (self);
}

const char *
weir_run_record_get_title (const WeirRunRecord *self)
{
  return self->title;
}

/* --- Counters -------------------------------------------------------------------------------- */

static void
row_clear (gpointer data)
{
  g_free (((WeirRunRow *) data)->entry);
}

static void
fill (WeirRunRow *row, guint side, const WeirRunRecord *run, guint32 entry)
{
  row->is_in[side] = TRUE;
  row->counters[side] = run->counters[entry];
  row->spent_ns[side] = run->spent_ns[entry];
}

GArray *
weir_run_compare_counters (const WeirRunRecord *a, const WeirRunRecord *b)
{
  const WeirRunRecord *runs[] = { a, b };
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GArray *rows = g_array_new (FALSE, TRUE, sizeof (WeirRunRow));

  g_array_set_clear_func (rows, row_clear);
  for (guint side = 0; side < 2; side++)
    for (guint32 e = 0; e < weir_layout_get_n_entries (runs[side]->layout); e++)
      {
        char *path = weir_layout_dup_entry_path (runs[side]->layout, (WeirEntry) { e });
        gpointer place = g_hash_table_lookup (places, path); /* + 1 */

        if (place == NULL)
          {
            WeirRunRow row = { .entry = g_strdup (path) };

            g_array_append_val (rows, row);
            place = GUINT_TO_POINTER (rows->len);
            g_hash_table_insert (places, g_strdup (path), place);
          }
        fill (&g_array_index (rows, WeirRunRow, GPOINTER_TO_UINT (place) - 1), side, runs[side], e);
        g_free (path);
      }
  return rows;
}

static void
append_name (GString *text, const char *name)
{
  if (strpbrk (name, ",\"") == NULL)
    {
      g_string_append (text, name);
      return;
    }
  g_string_append_c (text, '"');
  for (; *name != '\0'; name++)
    g_string_append_printf (text, *name == '"' ? "\"\"" : "%c", *name);
  g_string_append_c (text, '"');
}

char *
weir_run_rows_to_csv (const GArray *rows)
{
  GString *text = g_string_new (
      "entry,hits_a,hits_b,computed_a,computed_b,invalidations_a,invalidations_b,"
      "spent_ns_a,spent_ns_b\r\n");

  for (guint i = 0; i < rows->len; i++)
    {
      const WeirRunRow *row = &g_array_index (rows, WeirRunRow, i);
      guint64 counts[3][2];
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      append_name (text, row->entry);
      for (guint side = 0; side < 2; side++)
        {
          counts[0][side] = row->counters[side].hits;
          counts[1][side] = get_calculations (&row->counters[side]);
          counts[2][side] = row->counters[side].invalidations;
        }
      for (guint k = 0; k < 6; k++)
        if (row->is_in[k % 2])
          g_string_append_printf (text, ",%" G_GUINT64_FORMAT, counts[k / 2][k % 2]);
        else
          g_string_append_c (text, ',');
      for (guint side = 0; side < 2; side++)
        g_string_append_printf (
            text, ",%s", row->is_in[side] ? weir_number_to_text (row->spent_ns[side], number) : "");
      g_string_append (text, "\r\n");
    }
  return g_string_free (text, FALSE);
}

/* --- What was recorded ----------------------------------------------------------------------- */

/* B's signal of the name of A's @signal; -1 if it has none. */
static int
find_signal (WeirRecorder *b, const char *name)
{
  for (guint s = 0; s < weir_recorder_get_n_signals (b); s++)
    if (g_str_equal (weir_recorder_get_signal_name (b, s), name))
      return (int) s;
  return -1;
}

/* FALSE, with everything said, if the two differ. */
static gboolean
compare_values (WeirRunDifference *difference, const char *signal, gsize row, double a, double b)
{
  difference->n_compared++;
  if (weir_same_bits (a, b))
    return TRUE;
  difference->has_difference = TRUE;
  difference->is_identical = FALSE;
  difference->row = row;
  difference->signal = signal;
  difference->values[0] = a;
  difference->values[1] = b;
  difference->n_ulps = weir_ulp_distance (a, b);
  return FALSE;
}

static gboolean
compare_row (WeirRunDifference *difference, WeirRecorder *a, WeirRecorder *b, const int *signals,
             gsize row)
{
  difference->time = weir_recorder_get_time (a, row);
  if (!compare_values (difference, "time", row, difference->time, weir_recorder_get_time (b, row)))
    return FALSE;
  for (guint s = 0; s < weir_recorder_get_n_signals (a); s++)
    if (signals[s] >= 0 && row >= weir_recorder_get_first_row (a, s)
        && row >= weir_recorder_get_first_row (b, (guint) signals[s])
        && !compare_values (difference, weir_recorder_get_signal_name (a, s), row,
                            weir_recorder_get_value (a, s, row),
                            weir_recorder_get_value (b, (guint) signals[s], row)))
      return FALSE;
  return TRUE;
}

WeirRunDifference
weir_run_compare_recorded (const WeirRunRecord *a, const WeirRunRecord *b)
{
  WeirRecorder *x = a->recorder, *y = b->recorder;
  WeirRunDifference difference = { .is_identical = TRUE };
  guint n = weir_recorder_get_n_signals (x);
  g_autofree int *signals = g_new0 (int, MAX (n, 1));

  for (guint s = 0; s < n; s++)
    {
      signals[s] = find_signal (y, weir_recorder_get_signal_name (x, s));
      if (signals[s] >= 0)
        difference.n_signals++;
      else
        difference.n_only[0]++;
    }
  difference.n_only[1] = weir_recorder_get_n_signals (y) - difference.n_signals;
  difference.n_rows[0] = weir_recorder_get_n_rows (x);
  difference.n_rows[1] = weir_recorder_get_n_rows (y);
  for (gsize row = 0; row < MIN (difference.n_rows[0], difference.n_rows[1]); row++)
    if (!compare_row (&difference, x, y, signals, row))
      return difference;
  difference.is_identical = difference.n_rows[0] == difference.n_rows[1];
  return difference;
}

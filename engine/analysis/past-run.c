/* Runs side by side. See past-run.h. */
#include "analysis/past-run.h"

#include <math.h>
#include <string.h>

#include "analysis/moment.h"
#include "base/sync.h"
#include "base/text.h"
#include "numerics/number.h"

struct _WeirPastRun {
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

WeirPastRun *
weir_past_run_new (WeirSession *session, const char *title)
{
  const WeirSnapshot *snapshot = weir_session_get_snapshot (session);
  WeirPastRun *self = g_new0 (WeirPastRun, 1);

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

WeirPastRun *
weir_past_run_ref (WeirPastRun *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_past_run_unref (WeirPastRun *self)
{
  if (!weir_sync_drop (self, &self->ref_count))
    return;
  g_free (self->title);
  weir_layout_unref (self->layout);
  weir_recorder_unref (self->recorder);
  g_free (self->counters);
  g_free (self->spent_ns);
  g_free (self);
}

const char *
weir_past_run_get_title (const WeirPastRun *self)
{
  return self->title;
}

WeirRecorder *
weir_past_run_get_recorder (const WeirPastRun *self)
{
  return self->recorder;
}

/* --- Counters -------------------------------------------------------------------------------- */

static void
row_clear (gpointer data)
{
  g_free (((WeirRunRow *) data)->entry);
}

static void
fill (WeirRunRow *row, guint side, const WeirPastRun *run, guint32 entry)
{
  row->is_in[side] = TRUE;
  row->counters[side] = run->counters[entry];
  row->spent_ns[side] = run->spent_ns[entry];
}

GArray *
weir_past_run_compare_counters (const WeirPastRun *a, const WeirPastRun *b)
{
  const WeirPastRun *runs[] = { a, b };
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

      weir_csv_append_field (text, row->entry);
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

/* Two recordings on their way through time. */
typedef struct {
  WeirRecorder *recorders[2]; /* A's and B's */
  int *signals;               /* by A's: B's, or -1 */
  gsize rows[2];              /* the next ones */
  double gaps[2];             /* largest so far: at common rows, between them */
  WeirRunDifference *found;
} Comparison;

/* Absolute difference; infinite where only one is no number. */
static double
get_gap (double a, double b)
{
  if (weir_same_bits (a, b) || a == b || (isnan (a) && isnan (b)))
    return 0;
  return isnan (a - b) ? (double) INFINITY : fabs (a - b);
}

static void
note_largest (WeirRunValues *largest, double *gap, const WeirRunValues *values)
{
  double present = get_gap (values->values[0], values->values[1]);

  if (present <= *gap)
    return;
  *gap = present;
  *largest = *values;
}

static void
compare_values (Comparison *self, WeirRunValues values)
{
  WeirRunDifference *found = self->found;

  found->n_compared++;
  note_largest (&found->common, &self->gaps[0], &values);
  if (found->first.signal != NULL || weir_same_bits (values.values[0], values.values[1]))
    return;
  found->first = values;
  found->n_ulps = weir_ulp_distance (values.values[0], values.values[1]);
}

/* The next rows of both are at the same time. */
static void
compare_rows (Comparison *self)
{
  WeirRecorder *a = self->recorders[0], *b = self->recorders[1];
  double times[] = { weir_recorder_get_time (a, self->rows[0]),
                     weir_recorder_get_time (b, self->rows[1]) };

  compare_values (self, (WeirRunValues) { "time", times[0], { times[0], times[1] } });
  for (guint s = 0; s < weir_recorder_get_n_signals (a); s++)
    {
      guint t = (guint) self->signals[s];

      if (self->signals[s] < 0 || self->rows[0] < weir_recorder_get_first_row (a, s)
          || self->rows[1] < weir_recorder_get_first_row (b, t))
        continue;
      compare_values (self, (WeirRunValues) { weir_recorder_get_signal_name (a, s),
                                              times[0],
                                              { weir_recorder_get_value (a, s, self->rows[0]),
                                                weir_recorder_get_value (b, t, self->rows[1]) } });
    }
}

/* On the straight line between the rows before and at @row. */
static double
interpolate (WeirRecorder *recorder, guint signal, gsize row, double time)
{
  double from = weir_recorder_get_time (recorder, row - 1),
         to = weir_recorder_get_time (recorder, row);
  double part = (time - from) / (to - from),
         before = weir_recorder_get_value (recorder, signal, row - 1);

  return before + part * (weir_recorder_get_value (recorder, signal, row) - before);
}

/* The next row of @side is before that of the other. */
static void
compare_with_line (Comparison *self, guint side)
{
  guint other = 1 - side;
  gsize row = self->rows[other];
  double time = weir_recorder_get_time (self->recorders[side], self->rows[side]);

  if (row == 0 || row >= weir_recorder_get_n_rows (self->recorders[other]))
    return;
  self->found->n_between++;
  for (guint s = 0; s < weir_recorder_get_n_signals (self->recorders[0]); s++)
    {
      guint signals[] = { s, (guint) self->signals[s] };
      WeirRunValues values = { .signal = weir_recorder_get_signal_name (self->recorders[0], s),
                               .time = time };

      if (self->signals[s] < 0
          || self->rows[side] < weir_recorder_get_first_row (self->recorders[side], signals[side])
          || row - 1 < weir_recorder_get_first_row (self->recorders[other], signals[other]))
        continue;
      values.values[side] = weir_recorder_get_value (self->recorders[side], signals[side],
                                                     self->rows[side]);
      values.values[other] = interpolate (self->recorders[other], signals[other], row, time);
      note_largest (&self->found->between, &self->gaps[1], &values);
    }
}

static void
match_signals (Comparison *self)
{
  WeirRecorder *a = self->recorders[0], *b = self->recorders[1];
  guint n = weir_recorder_get_n_signals (a);

  self->signals = g_new0 (int, MAX (n, 1));
  for (guint s = 0; s < n; s++)
    {
      guint found;
      gboolean is_in_b = weir_recorder_find_signal (b, weir_recorder_get_signal_name (a, s),
                                                    &found);

      self->signals[s] = is_in_b ? (int) found : -1;
      if (is_in_b)
        self->found->n_signals++;
      else
        self->found->n_only[0]++;
    }
  self->found->n_only[1] = weir_recorder_get_n_signals (b) - self->found->n_signals;
}

WeirRunDifference
weir_past_run_compare_recorded (const WeirPastRun *a, const WeirPastRun *b)
{
  WeirRunDifference found = { 0 };
  Comparison self = { .recorders = { a->recorder, b->recorder }, .found = &found };

  match_signals (&self);
  for (guint side = 0; side < 2; side++)
    found.n_rows[side] = weir_recorder_get_n_rows (self.recorders[side]);
  while (self.rows[0] < found.n_rows[0] || self.rows[1] < found.n_rows[1])
    {
      double times[2];

      for (guint side = 0; side < 2; side++)
        times[side] = self.rows[side] < found.n_rows[side]
                          ? weir_recorder_get_time (self.recorders[side], self.rows[side])
                          : (double) INFINITY;
      if (times[0] == times[1])
        {
          compare_rows (&self);
          found.n_common++;
        }
      else
        compare_with_line (&self, times[0] < times[1] ? 0 : 1);
      for (guint side = 0; side < 2; side++)
        self.rows[side] += times[side] <= times[1 - side];
    }
  found.is_identical = found.first.signal == NULL && found.n_common == found.n_rows[0]
                       && found.n_common == found.n_rows[1];
  g_free (self.signals);
  return found;
}

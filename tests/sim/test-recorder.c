/* Columns, recording and CSV. */
#include "../seeds.h"
#include "base/column.h"
#include "numerics/number.h"
#include "models.h"
#include "sim/recorder-ports.h"
#include "sim/results.h"

/* --- Columns --------------------------------------------------------------------------------- */

static void
test_column (void)
{
  WeirColumn column;
  gsize n, total = 0;

  weir_column_init (&column, sizeof (guint64), NULL);
  g_assert_null (weir_column_get_chunk (&column, 0, &n));
  g_assert_cmpuint (n, ==, 0);
  for (guint64 i = 0; i < 100000; i++)
    {
      weir_column_append (&column, &i);
      g_assert_cmpuint (weir_column_get_length (&column), ==, i + 1);
      g_assert_cmpuint (*(const guint64 *) weir_column_at (&column, i / 3), ==, i / 3);
    }
  while (total < 100000)
    {
      const guint64 *run = weir_column_get_chunk (&column, total, &n);

      for (gsize i = 0; i < n; i++)
        g_assert_cmpuint (run[i], ==, total + i);
      total += n;
    }
  g_assert_cmpuint (total, ==, 100000);
  weir_column_clear (&column);
}

/* A reader that follows a writer sees every element complete and in order. */
static gpointer
append_many (gpointer data)
{
  for (guint64 i = 0; i < 300000; i++)
    {
      double row[2] = { (double) i, 2.0 * (double) i };

      weir_column_append (data, row);
    }
  return NULL;
}

static void
test_column_threads (void)
{
  WeirColumn column;
  GThread *writer;
  gsize seen = 0;

  weir_column_init (&column, 2 * sizeof (double), NULL);
  writer = g_thread_new ("writer", append_many, &column);
  while (seen < 300000)
    {
      gsize n;
      const double *rows = weir_column_get_chunk (&column, seen, &n);

      for (gsize i = 0; i < n; i++)
        {
          g_assert_cmpfloat (rows[2 * i], ==, (double) (seen + i));
          g_assert_cmpfloat (rows[2 * i + 1], ==, 2 * (double) (seen + i));
        }
      seen += n;
      if (n == 0)
        g_thread_yield ();
    }
  g_thread_join (writer);
  weir_column_clear (&column);
}

static void
test_numbers (void)
{
  static const struct {
    double value;
    const char *text;
  } cases[] = { { 0.06, "0.06" },     { 0.1 + 0.2, "0.30000000000000004" },
                { 1e300, "1e+300" },  { -0.0, "-0" },
                { 30, "30" },         { INFINITY, "inf" },
                { -INFINITY, "-inf" } };
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (weir_number_to_text (cases[i].value, buffer), ==, cases[i].text);
  g_assert_true (isnan (g_ascii_strtod (weir_number_to_text (NAN, buffer), NULL)));
  get_test_seed (61);
  for (guint i = 0; i < 10000; i++)
    {
      double value = ldexp (g_rand_double_range (test_rand, -1, 1),
                            g_rand_int_range (test_rand, -1000, 1000));

      g_assert_cmpfloat (g_ascii_strtod (weir_number_to_text (value, buffer), NULL), ==, value);
    }
}

/* --- Recording ------------------------------------------------------------------------------- */

static void
test_ports (void)
{
  g_autoptr (WeirSystem) system = sampled_loop_new (0.5);
  static const struct {
    const char *port, *expected;
  } bad[] = {
    { "motor.y", "the model has no block \"motor\"" },
    { "plant.z", "block \"plant\" has no port \"z\"" },
    { "y", "the model has no port \"y\"" },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirRecorder) recorder = weir_recorder_new (
      system, (const char *[]) { "plant.y", "plant.u", NULL }, FALSE, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (weir_recorder_get_n_signals (recorder), ==, 2);
  g_assert_cmpstr (weir_recorder_get_signal_name (recorder, 0), ==, "plant.y");
  g_assert_cmpstr (weir_recorder_get_signal_name (recorder, 1), ==, "plant.u");
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) wrong = NULL;

      g_assert_null (weir_recorder_new (system, (const char *[]) { "plant.y", bad[i].port, NULL },
                                        FALSE, &wrong));
      g_assert_error (wrong, WEIR_ERROR, WEIR_ERROR_NOT_FOUND);
      g_assert_nonnull (strstr (wrong->message, bad[i].port));
      g_assert_nonnull (strstr (wrong->message, bad[i].expected));
    }
}

static char *
dup_csv (WeirRecorder *recorder)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GError) error = NULL;

  g_assert_true (weir_results_write (weir_result_format_get (0), recorder, NULL, stream, &error));
  g_assert_no_error (error);
  g_assert_true (g_output_stream_write_all (stream, "", 1, NULL, NULL, NULL));
  g_assert_true (g_output_stream_close (stream, NULL, NULL));
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}

static void
test_csv (void)
{
  g_autoptr (WeirSystem) counter = counter_new (0.02, 0);
  g_autoptr (WeirSystem) system = wrap_new ("a, \"b\"", counter);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirRecorder)
      recorder = weir_recorder_new (system, (const char *[]) { "a, \"b\".Sn", NULL }, TRUE, NULL);
  double value = 3;
  WeirNode node;
  g_autofree char *csv = NULL;

  g_assert_true (weir_layout_find_node (weir_system_get_layout (system), "a, \"b\"", &node));
  g_assert_cmpint (weir_recorder_record (recorder, context, WEIR_PHASE_INITIAL), ==, WEIR_OK);
  weir_context_set_time (context, 0.06);
  weir_context_set_discrete (context, node, (WeirGroup) { 0 }, &value);
  g_assert_cmpint (weir_recorder_record (recorder, context, WEIR_PHASE_PLUS), ==, WEIR_OK);
  csv = dup_csv (recorder);
  g_assert_cmpstr (csv, ==, "time,\"a, \"\"b\"\".Sn\",phase\n0,0,minus\n0.06,30,plus\n");
}

/* A vector port gives a signal per element; a port added later starts at its first row. */
static void
test_late_vector (void)
{
  g_autoptr (WeirSystem) leaf = robertson_new ();
  g_autoptr (WeirSystem) system = wrap_new ("cell", leaf);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirRecorder) recorder = weir_recorder_new (system, NULL, FALSE, NULL);
  WeirRecorderPort *port;
  g_autofree char *csv = NULL;
  gsize n;

  g_assert_cmpint (weir_recorder_record (recorder, context, WEIR_PHASE_INITIAL), ==, WEIR_OK);
  port = weir_recorder_prepare_port (recorder, "cell.y", NULL);
  g_assert_true (weir_recorder_find_port (recorder, "cell.y") == port);
  g_assert_cmpuint (weir_recorder_get_n_signals (recorder), ==, 3);
  g_assert_cmpstr (weir_recorder_get_signal_name (recorder, 2), ==, "cell.y[2]");
  /* Prepared, not taken up: no rows of its own yet. */
  g_assert_cmpuint (weir_recorder_get_first_row (recorder, 1), ==, 1);
  g_assert_null (weir_recorder_get_values (recorder, 1, 0, &n));
  weir_recorder_take_up_port (recorder, port);
  weir_context_set_time_and_state (context, 1, (double[]) { 0.5, 0.25, 0.125 });
  g_assert_cmpint (weir_recorder_record (recorder, context, WEIR_PHASE_STEP), ==, WEIR_OK);
  g_assert_cmpuint (weir_recorder_get_first_row (recorder, 1), ==, 1);
  g_assert_cmpfloat (weir_recorder_get_value (recorder, 2, 1), ==, 0.125);
  csv = dup_csv (recorder);
  g_assert_cmpstr (csv, ==, "time,cell.y[0],cell.y[1],cell.y[2]\n0,,,\n1,0.5,0.25,0.125\n");
}

/* --- MAT files ------------------------------------------------------------------------------- */

static guint32
get_32 (const guint8 *at)
{
  guint32 value;

  memcpy (&value, at, sizeof value);
  return GUINT32_FROM_LE (value);
}

/* The variable @name of a file: what follows its dimensions and name. NULL: it has none. @n_rows:
 * (out). The sizes of all elements lead from one to the next and to the end of the file. */
static const guint8 *
find_variable (GBytes *file, const char *name, guint32 *n_rows)
{
  gsize size;
  const guint8 *bytes = g_bytes_get_data (file, &size), *found = NULL;

  g_assert_cmpuint (size, >, 128);
  g_assert_cmpmem (bytes + 124, 4, "\x00\x01IM", 4); /* version 1.0, little-endian */
  for (const guint8 *at = bytes + 128; at < bytes + size; at += 8 + get_32 (at + 4))
    {
      guint32 length = get_32 (at + 44);

      g_assert_cmpuint (get_32 (at), ==, 14); /* an array: flags, dimensions, name, data */
      g_assert_cmpuint (get_32 (at + 4) % 8, ==, 0);
      g_assert_cmpuint (get_32 (at + 8), ==, 6);
      g_assert_cmpuint (get_32 (at + 24), ==, 5);
      g_assert_cmpuint (get_32 (at + 40), ==, 1);
      if (length == strlen (name) && memcmp (at + 48, name, length) == 0)
        {
          *n_rows = get_32 (at + 32);
          found = at + 48 + (length + 7) / 8 * 8;
        }
      g_assert_cmpuint (get_32 (at + 4), <=, bytes + size - at - 8);
    }
  return found;
}

static double
get_number (const guint8 *data, guint32 row)
{
  double value;

  g_assert_cmpuint (get_32 (data), ==, 9); /* doubles */
  memcpy (&value, data + 8 + 8 * row, sizeof value);
  return value;
}

/* By the description of the format. What a port that came later did not have is NaN. */
static void
test_mat (void)
{
  g_autoptr (WeirSystem) leaf = robertson_new ();
  g_autoptr (WeirSystem) system = wrap_new ("a cell", leaf);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirRecorder) recorder = weir_recorder_new (system, NULL, FALSE, NULL);
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GBytes) bytes = NULL;
  WeirRecorderPort *port;
  const guint8 *data;
  guint32 n_rows;

  g_assert_cmpint (weir_recorder_record (recorder, context, WEIR_PHASE_INITIAL), ==, WEIR_OK);
  port = weir_recorder_prepare_port (recorder, "a cell.y", NULL);
  weir_recorder_take_up_port (recorder, port);
  weir_context_set_time_and_state (context, 1, (double[]) { 0.5, 0.25, 0.125 });
  g_assert_cmpint (weir_recorder_record (recorder, context, WEIR_PHASE_STEP), ==, WEIR_OK);
  g_assert_true (weir_results_write (weir_result_format_find ("x.mat"), recorder,
                                     (const char *[]) { "a cell.y[0]", "time", "a-cell.y[0]" },
                                     stream, NULL));
  g_assert_true (g_output_stream_close (stream, NULL, NULL));
  bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
  data = find_variable (bytes, "time", &n_rows);
  g_assert_cmpuint (n_rows, ==, 2);
  g_assert_cmpfloat (get_number (data, 0), ==, 0);
  g_assert_cmpfloat (get_number (data, 1), ==, 1);
  data = find_variable (bytes, "a_cell_y_0", &n_rows);
  g_assert_true (isnan (get_number (data, 0)));
  g_assert_cmpfloat (get_number (data, 1), ==, 0.5);
  data = find_variable (bytes, "time_2", &n_rows); /* called as another */
  g_assert_cmpfloat (get_number (data, 1), ==, 0.25);
  data = find_variable (bytes, "a_cell_y_0_2", &n_rows);
  g_assert_cmpfloat (get_number (data, 1), ==, 0.125);
  g_assert_nonnull (find_variable (bytes, "names", &n_rows));
  g_assert_cmpuint (n_rows, ==, 3);
  g_assert_null (find_variable (bytes, "phase", &n_rows));
}

/* A port that cannot be evaluated leaves no half row. */
static void
test_failed_row (void)
{
  g_autoptr (WeirSystem) plant = plant_new (1);
  g_autoptr (WeirSystem) system = wrap_new ("plant", plant);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirRecorder) recorder = weir_recorder_new (
      system, (const char *[]) { "plant.y", "plant.u", NULL }, FALSE, NULL);

  g_assert_cmpint (weir_recorder_record (recorder, context, WEIR_PHASE_INITIAL), ==, WEIR_FAILED);
  g_assert_nonnull (strstr (weir_context_get_failure (context), "plant"));
  g_assert_cmpuint (weir_recorder_get_n_rows (recorder), ==, 0);
  weir_context_fix_input (context, (WeirNode) { 1 }, (WeirInput) { 0 }, (double[]) { 7 });
  g_assert_cmpint (weir_recorder_record (recorder, context, WEIR_PHASE_INITIAL), ==, WEIR_OK);
  g_assert_cmpuint (weir_recorder_get_n_rows (recorder), ==, 1);
  g_assert_cmpfloat (weir_recorder_get_value (recorder, 0, 0), ==, 0);
  g_assert_cmpfloat (weir_recorder_get_value (recorder, 1, 0), ==, 7);
}

/* --- Room ------------------------------------------------------------------------------------ */

#define MANY 200000

/* @n rows whose times are whole numbers. */
static WeirRecorder *
record_many (WeirSystem *system, double mebibytes, gboolean thins, guint n)
{
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirRecorder *recorder = weir_recorder_new (system, (const char *[]) { "cell.y", NULL }, FALSE,
                                              NULL);

  weir_recorder_set_budget (recorder, mebibytes, thins);
  for (guint i = 0; i < n; i++)
    {
      weir_context_set_time_and_state (context, i, (double[]) { i, -1.0 * i, 0.5 * i });
      g_assert_cmpint (
          weir_recorder_record (recorder, context, i == 0 ? WEIR_PHASE_INITIAL : WEIR_PHASE_STEP),
          ==, WEIR_OK);
    }
  weir_recorder_end (recorder, context);
  return recorder;
}

static void
check_rows (WeirRecorder *recorder)
{
  double last = -1;

  for (gsize row = 0; row < weir_recorder_get_n_rows (recorder); row++)
    {
      double time = weir_recorder_get_time (recorder, row);

      g_assert_cmpfloat (time, >, last);
      g_assert_cmpfloat (weir_recorder_get_value (recorder, 0, row), ==, time);
      g_assert_cmpfloat (weir_recorder_get_value (recorder, 1, row), ==, -time);
      g_assert_cmpfloat (weir_recorder_get_value (recorder, 2, row), ==, 0.5 * time);
      last = time;
    }
}

/* Four columns of 200 000 doubles are 6.1 MiB: most lies in the file. */
static void
test_file (void)
{
  g_autoptr (WeirSystem) leaf = robertson_new ();
  g_autoptr (WeirSystem) system = wrap_new ("cell", leaf);
  g_autoptr (WeirRecorder) enough = record_many (system, 16, FALSE, MANY);
  g_autoptr (WeirRecorder) recorder = record_many (system, 1, FALSE, MANY);
  g_autofree char *notice = weir_recorder_dup_notice (recorder);

  g_assert_cmpint (weir_recorder_get_room (enough), ==, WEIR_ROOM_ENOUGH);
  g_assert_null (weir_recorder_dup_notice (enough));
  g_assert_cmpint (weir_recorder_get_room (recorder), ==, WEIR_ROOM_IN_FILE);
  g_assert_nonnull (strstr (notice, "1.0"));
  g_assert_cmpuint (weir_recorder_get_n_rows (recorder), ==, MANY);
  check_rows (recorder);
  /* Going back and on again. */
  weir_recorder_truncate (recorder, MANY / 2);
  check_rows (recorder);
}

/* However long the run, the rows stay within the budget, the first of them are all there, its
 * second half has its share, and the last is what it ended with. */
static void
test_thinned (void)
{
  g_autoptr (WeirSystem) leaf = robertson_new ();
  g_autoptr (WeirSystem) system = wrap_new ("cell", leaf);

  for (guint n = 1000; n <= 10 * MANY; n *= 10)
    {
      g_autoptr (WeirRecorder) recorder = record_many (system, 0.25, TRUE, n);
      gsize n_rows = weir_recorder_get_n_rows (recorder);

      check_rows (recorder);
      g_assert_cmpuint (n_rows * 4 * sizeof (double), <=, 256 * 1024 + 4 * sizeof (double));
      g_assert_cmpuint (n_rows, >=, MIN (n, 4096)); /* half of the budget */
      g_assert_cmpfloat (weir_recorder_get_time (recorder, n_rows - 1), ==, n - 1);
      g_assert_cmpfloat (weir_recorder_get_time (recorder, n_rows - 64), >=, 0.5 * n);
      g_assert_cmpint (weir_recorder_get_room (recorder), ==,
                       n <= 4096 ? WEIR_ROOM_ENOUGH : WEIR_ROOM_THINNED);
    }
}

/* Both rows of an update are kept, or neither. */
static void
test_thinned_updates (void)
{
  g_autoptr (WeirSystem) system = counter_new (0.02, 0);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirRecorder)
      recorder = weir_recorder_new (system, (const char *[]) { "Sn", NULL }, TRUE, NULL);

  weir_recorder_set_budget (recorder, 0.01, TRUE);
  for (guint i = 0; i < 5000; i++)
    {
      weir_context_set_time (context, i);
      g_assert_cmpint (weir_recorder_record (recorder, context, WEIR_PHASE_MINUS), ==, WEIR_OK);
      g_assert_cmpint (weir_recorder_record (recorder, context, WEIR_PHASE_PLUS), ==, WEIR_OK);
    }
  g_assert_cmpuint (weir_recorder_get_n_rows (recorder), <, 700);
  g_assert_cmpuint (weir_recorder_get_n_rows (recorder) % 2, ==, 0);
  for (gsize row = 0; row < weir_recorder_get_n_rows (recorder); row += 2)
    {
      g_assert_false (weir_recorder_is_plus (recorder, row));
      g_assert_true (weir_recorder_is_plus (recorder, row + 1));
      g_assert_cmpfloat (weir_recorder_get_time (recorder, row), ==,
                         weir_recorder_get_time (recorder, row + 1));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/recorder/column/append", test_column);
  g_test_add_func ("/sim/recorder/column/threads", test_column_threads);
  g_test_add_func ("/sim/recorder/numbers", test_numbers);
  g_test_add_func ("/sim/recorder/ports", test_ports);
  g_test_add_func ("/sim/recorder/csv", test_csv);
  g_test_add_func ("/sim/recorder/mat", test_mat);
  g_test_add_func ("/sim/recorder/late-vector", test_late_vector);
  g_test_add_func ("/sim/recorder/failed-row", test_failed_row);
  g_test_add_func ("/sim/recorder/room/file", test_file);
  g_test_add_func ("/sim/recorder/room/thinned", test_thinned);
  g_test_add_func ("/sim/recorder/room/thinned-updates", test_thinned_updates);
  return g_test_run ();
}

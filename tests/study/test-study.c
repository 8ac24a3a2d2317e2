/* Studies from file to results: the same bits whoever computes them and in whichever pieces, what
 * the cache of runs takes and what it must not, numbers in closed form.
 *
 * The model: x' = -k x from x0, recorded by RK4 every hundredth of a second; beside the loop two
 * gains that only look at x, one of which is kept.
 */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/phrase.h"
#include "base/random.h"
#include "base/text.h"
#include "sim/result-arrays.h"
#include "study/database.h"
#include "study/summary.h"

#include "fixture.h"

#define GAIN(id, name, value)                                                                      \
  "<block id='" id "' type='Gain' name='" name                                                     \
  "' x='0' y='0'><parameter name='gain' value='" value "'/></block>\n"

static void
write_model (const char *start, const char *k, const char *kept, const char *other)
{
  g_autofree char *text = g_strdup_printf (
      "<weir version='1'><settings><setting name='record-interval' value='0.01'/>"
      "<setting name='solver' value='rk4'/><setting name='step' value='0.01'/>"
      "<setting name='stop-time' value='1'/></settings><diagram>\n"
      "<block id='1' type='Integrator' name='I' x='0' y='0'><parameter name='initial' value='%s'/>"
      "</block>\n" GAIN ("2", "K", "%s") GAIN ("3", "After", "%s")
          GAIN ("4", "Other",
                "%s") "<block id='5' type='Sum' name='S' x='0' y='0'><parameter name='signs' "
                      "value='-'/></block>\n"
                      "<wire id='6' from='1.y' to='2.u'/><wire id='7' from='2.y' to='5.in1'/>"
                      "<wire id='8' from='5.y' to='1.u'/><wire id='9' from='1.y' to='3.u'/>"
                      "<wire id='10' from='1.y' to='4.u'/></diagram></weir>",
      start, k, kept, other);

  write_file ("m.weir", text);
}

/* --- A study --------------------------------------------------------------------------------- */

static void
run_study (Fixture *f)
{
  g_autoptr (GError) error = NULL;

  weir_study_run (f->study, f->subject, f->store, &f->options, &f->progress, &error);
  g_assert_no_error (error);
}

typedef struct {
  const Fixture *f;
  GByteArray *bytes;
} Dump;

static gboolean
put_point (const WeirPointResult *result, gpointer data)
{
  const Dump *dump = data;
  const guint64 head[] = { result->i, result->status };
  gsize size = 0;
  gconstpointer signals = result->signals != NULL ? g_bytes_get_data (result->signals, &size)
                                                  : NULL;

  g_byte_array_append (dump->bytes, (const guint8 *) head, sizeof head);
  g_byte_array_append (dump->bytes, result->key, WEIR_RUN_KEY_SIZE);
  g_byte_array_append (dump->bytes, (const guint8 *) result->values,
                       (guint) (dump->f->study->parameters->len * sizeof (double)));
  g_byte_array_append (dump->bytes, (const guint8 *) result->figures,
                       (guint) (dump->f->study->figures->len * sizeof (double)));
  if (signals != NULL)
    g_byte_array_append (dump->bytes, signals, (guint) size);
  if (result->reason != NULL)
    {
      g_autofree char *reason = weir_message_store (result->reason);

      g_byte_array_append (dump->bytes, (const guint8 *) reason, (guint) strlen (reason));
    }
  return TRUE;
}

/* Everything of all points. */
static GByteArray *
dump (const Fixture *f)
{
  GByteArray *bytes = g_byte_array_new ();
  Dump to = { f, bytes };
  g_autoptr (GError) error = NULL;

  weir_study_store_foreach (f->store, 0, G_MAXINT64, TRUE, put_point, &to, &error);
  g_assert_no_error (error);
  return bytes;
}

static void
assert_same (GByteArray *a, GByteArray *b)
{
  g_assert_cmpuint (a->len, >, 0);
  g_assert_cmpmem (a->data, a->len, b->data, b->len);
}

#define KEEP                                                                                       \
  "<keep><signal port='I.y'/><signal port='After.y'/>"                                             \
  "<figure name='last' what='final' of='I.y'/><figure name='after' what='final' of='After.y'/>"    \
  "<figure name='area' what='integral' of='I.y'/><figure name='y' is='1 - last'/></keep></study>"
#define STUDY(points) "<study version='1' model='m.weir' seed='3'>" points KEEP
#define RANDOM(n)                                                                                  \
  STUDY ("<points method='random' n='" n "'>"                                                      \
         "<parameter path='K.gain' name='k' from='0.5' to='1.5'/></points>")

/* --- The same bits --------------------------------------------------------------------------- */

static GByteArray *
run_whole (const char *text, guint threads, guint64 chunk, gboolean is_separate)
{
  Fixture f;
  GByteArray *bytes;

  remove_file ("r.results");
  open_study (&f, text, "r.results", NULL);
  f.options.threads = threads;
  f.options.chunk = chunk;
  f.options.is_separate = is_separate;
  run_study (&f);
  g_assert_cmpuint (f.progress.n_computed, ==, f.progress.n);
  bytes = dump (&f);
  close_study (&f);
  return bytes;
}

static void
test_threads (void)
{
  g_autoptr (GByteArray) alone = NULL;
  static const guint threads[] = { 1, 2, 8 };

  write_model ("1", "1", "2", "3");
  alone = run_whole (RANDOM ("300"), 1, 1, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autoptr (GByteArray) other = run_whole (RANDOM ("300"), threads[i], 0, FALSE);

      assert_same (alone, other);
    }
}

static void
test_shards (void)
{
  static const guint64 ends[] = { 0, 101, 102, 250, 300 };
  g_autoptr (GByteArray) whole = NULL, merged = NULL;
  g_autoptr (GError) error = NULL;
  Fixture f;

  write_model ("1", "1", "2", "3");
  whole = run_whole (RANDOM ("300"), 1, 0, FALSE);
  remove_file ("all.results");
  for (guint i = 0; i + 1 < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *name = g_strdup_printf ("shard%u.results", i);

      remove_file (name);
      open_study (&f, RANDOM ("300"), name, NULL);
      f.options.first = ends[i];
      f.options.last = ends[i + 1] - 1;
      run_study (&f);
      close_study (&f);
    }
  open_study (&f, RANDOM ("300"), "all.results", NULL);
  for (guint i = 0; i + 1 < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *name = g_strdup_printf ("shard%u.results", i);
      g_autofree char *path = dup_path (name);
      guint64 n_taken, n_other;

      weir_study_store_merge (f.store, path, &n_taken, &n_other, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (n_taken, ==, ends[i + 1] - ends[i]);
      g_assert_cmpuint (n_other, ==, 0);
    }
  g_assert_cmpuint (weir_study_store_get_n_processors (f.store), ==, 1);
  merged = dump (&f);
  assert_same (whole, merged);
  close_study (&f);
}

typedef struct {
  gint cancel;
  guint64 beyond;
} Stop;

static void
stop_beyond (const WeirStudyProgress *progress, gpointer data)
{
  Stop *stop = data;

  if (progress->n_ended >= stop->beyond)
    g_atomic_int_set (&stop->cancel, 1);
}

static void
test_interrupted (void)
{
  g_autoptr (GByteArray) whole = NULL, pieces = NULL;
  guint64 before = 0;
  Fixture f;

  write_model ("1", "1", "2", "3");
  whole = run_whole (RANDOM ("300"), 1, 0, FALSE);
  remove_file ("r.results");
  for (guint i = 0; i < 100; i++)
    {
      g_autoptr (GError) error = NULL;
      Stop stop = { 0, before + 20 };
      gboolean is_whole;

      open_study (&f, RANDOM ("300"), "r.results", NULL);
      f.options.chunk = 7;
      f.options.cancel = &stop.cancel;
      f.options.progress = stop_beyond;
      f.options.data = &stop;
      is_whole = weir_study_run (f.study, f.subject, f.store, &f.options, &f.progress, &error);
      g_assert_cmpuint (f.progress.n_kept, >=, before);
      before = f.progress.n_kept + f.progress.n_computed;
      if (is_whole)
        break;
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      close_study (&f);
    }
  g_assert_cmpuint (f.progress.n_ended, ==, 300);
  pieces = dump (&f);
  assert_same (whole, pieces);
  close_study (&f);
}

/* No room for more: what was written is there, and the same again goes on. */
static void
test_disk_full (void)
{
  g_autoptr (GByteArray) whole = NULL, pieces = NULL;
  g_autoptr (GError) error = NULL;
  struct rlimit before, small;
  guint64 n_before;
  Fixture f;

  write_model ("1", "1", "2", "3");
  whole = run_whole (RANDOM ("300"), 1, 0, FALSE);
  remove_file ("r.results");
  open_study (&f, RANDOM ("300"), "r.results", NULL);
  f.options.chunk = 10;
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  small = before;
  small.rlim_cur = 300000;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  g_assert_false (weir_study_run (f.study, f.subject, f.store, &f.options, &f.progress, &error));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "r.results: "));
  n_before = f.progress.n_ended;
  g_assert_cmpuint (n_before, >, 0);
  close_study (&f);

  open_study (&f, RANDOM ("300"), "r.results", NULL);
  run_study (&f);
  g_assert_cmpuint (f.progress.n_kept, ==, n_before);
  pieces = dump (&f);
  assert_same (whole, pieces);
  close_study (&f);
}

/* Points keep the class of the processor that computed them; shards that are joined bring theirs,
 * and that there are several is known. */
static void
test_processors (void)
{
  g_autofree char *shard = dup_path ("shard.results");
  g_autoptr (GError) error = NULL;
  guint64 n_taken, n_other;
  Fixture f;

  write_model ("1", "1", "2", "3");
  remove_file ("shard.results");
  remove_file ("r.results");
  open_study (&f, RANDOM ("20"), "shard.results", NULL);
  weir_study_store_set_processor (f.store, "a processor of another class");
  f.options.first = 10;
  run_study (&f);
  g_assert_cmpuint (weir_study_store_get_n_processors (f.store), ==, 1);
  close_study (&f);

  open_study (&f, RANDOM ("20"), "r.results", NULL);
  f.options.last = 9;
  run_study (&f);
  g_assert_cmpuint (weir_study_store_get_n_processors (f.store), ==, 1);
  g_assert_true (weir_study_store_merge (f.store, shard, &n_taken, &n_other, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n_taken, ==, 10);
  g_assert_cmpuint (weir_study_store_get_n_processors (f.store), ==, 2);
  close_study (&f);
}

/* What is told of points while they end. */
typedef struct {
  GArray *numbers; /* guint64 */
  double sum;      /* of the first figure */
  guint n_with_signals;
  gboolean has_left;
} Told;

static gboolean
hear (const WeirPointResult *result, gpointer data)
{
  Told *told = data;

  g_array_append_val (told->numbers, result->i);
  told->sum += result->figures[0];
  told->n_with_signals += result->signals != NULL;
  return TRUE;
}

static void
hear_progress (const WeirStudyProgress *progress, gpointer data)
{
  Told *told = data;
  double left = weir_study_progress_get_left (progress);

  /* As long for each of the rest as for each so far. */
  if (progress->n_ended == progress->n_kept)
    g_assert_true (isnan (left));
  else
    g_assert_cmpfloat_with_epsilon (left * (double) (progress->n_ended - progress->n_kept),
                                    progress->seconds * (double) (progress->n - progress->n_ended),
                                    1e-9 * (1 + progress->seconds * (double) progress->n));
  told->has_left = TRUE;
}

/* Each point is told once, with what it gave, whether it is run, known, or has a result already. */
static void
test_told (void)
{
  static const char text[] =
      "<study version='1' model='m.weir' seed='5'><points method='random' n='50'>"
      "<parameter path='K.gain' name='k' from='0.5' to='1.5'/></points><keep>"
      "<signal port='I.y'/><figure name='end' what='final' of='I.y'/></keep></study>";
  double sums[3];

  write_model ("1", "1", "2", "3");
  remove_file ("r.results");
  remove_file ("c.db");
  for (guint pass = 0; pass < 3; pass++)
    {
      Told told = { .numbers = g_array_new (FALSE, FALSE, sizeof (guint64)) };
      gboolean is_there[50] = { FALSE };
      g_autoptr (GError) error = NULL;
      Fixture f;

      if (pass == 2) /* known, and some of them have results */
        {
          open_study (&f, text, "r.results", "c.db");
          g_assert_true (weir_study_store_drop (f.store, 10, 29, NULL));
          close_study (&f);
        }
      open_study (&f, text, "r.results", "c.db");
      f.options.threads = 2;
      f.options.chunk = 7;
      f.options.ended = hear;
      f.options.progress = hear_progress;
      f.options.data = &told;
      run_study (&f);
      g_assert_cmpuint (f.progress.n_computed, ==, pass == 0 ? 50 : 0);
      g_assert_cmpuint (f.progress.n_kept, ==, pass == 0 ? 0 : pass == 1 ? 50 : 30);
      g_assert_cmpuint (told.numbers->len, ==, 50);
      g_assert_cmpuint (told.n_with_signals, ==, 50);
      g_assert_true (told.has_left);
      for (guint i = 0; i < 50; i++)
        is_there[g_array_index (told.numbers, guint64, i)] = TRUE;
      for (guint i = 0; i < 50; i++)
        g_assert_true (is_there[i]);
      sums[pass] = told.sum;
      g_array_unref (told.numbers);
      close_study (&f);
    }
  g_assert_cmpfloat_with_epsilon (sums[0], sums[1], 1e-12); /* added in other orders */
  g_assert_cmpfloat_with_epsilon (sums[0], sums[2], 1e-12);
}

static GSubprocess *
start_program (const char *study, const char *results)
{
  g_autoptr (GError) error = NULL;
  GSubprocess *process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE
                                               | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                                           &error, g_getenv ("WEIR_PROGRAM"), "study", study,
                                           "--results", results, "--no-cache", "--progress", NULL);

  g_assert_no_error (error);
  return process;
}

static GByteArray *
read_results (const char *text, const char *results)
{
  Fixture f;
  GByteArray *bytes;

  open_study (&f, text, results, NULL);
  bytes = dump (&f);
  close_study (&f);
  return bytes;
}

/* A process that is killed, again and again. Keys hold the program's code: what it has computed is
 * for it to go on with. */
static void
test_killed (void)
{
  static const char text[] = RANDOM ("3000");
  g_autofree char *study = dup_path ("k.weirstudy"), *results = dup_path ("k.results");
  g_autofree char *whole_results = dup_path ("w.results");
  g_autoptr (GByteArray) whole = NULL, pieces = NULL;

  write_model ("1", "1", "2", "3");
  write_file ("k.weirstudy", text);
  for (guint i = 0; i < 6; i++)
    {
      g_autoptr (GSubprocess) process = start_program (study, i > 0 ? results : whole_results);
      char first;
      gsize n_read = 0;

      /* Its first line of progress: some points are written. */
      g_input_stream_read_all (g_subprocess_get_stderr_pipe (process), &first, 1, &n_read, NULL,
                               NULL);
      if (i > 0 && i < 5)
        g_subprocess_force_exit (process);
      g_subprocess_communicate (process, NULL, NULL, NULL, NULL, NULL);
      if (i == 0 || i == 5)
        g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
    }
  whole = read_results (text, "w.results");
  pieces = read_results (text, "k.results");
  assert_same (whole, pieces);
}

/* --- Files of others ------------------------------------------------------------------------- */

static const WeirResultArray *
find_array (const GArray *arrays, const char *name)
{
  for (guint i = 0; i < arrays->len; i++)
    if (g_str_equal (g_array_index (arrays, WeirResultArray, i).name, name))
      return &g_array_index (arrays, WeirResultArray, i);
  g_error ("there is no %s", name);
}

typedef struct {
  const Fixture *f;
  const GArray *arrays;
  guint64 n_points, n_samples;
} Expected;

static void
expect (const Expected *self, const char *name, guint64 at, const double *values, guint64 n)
{
  const WeirResultArray *array = find_array (self->arrays, name);

  g_assert_cmpuint (array->n_rows * array->n_columns, >=, at + n);
  g_assert_cmpmem (array->values + at, n * sizeof (double), values, n * sizeof (double));
}

static gboolean
expect_point (const WeirPointResult *result, gpointer data)
{
  Expected *self = data;
  const WeirStudy *study = self->f->study;
  const double number = (double) result->i, status = result->status;
  const double *values[2] = { NULL };
  WeirRunRows rows = { 0 };
  gsize size;
  const guint8 *bytes = result->signals != NULL ? g_bytes_get_data (result->signals, &size) : NULL;
  double n_samples;

  expect (self, "points/number", self->n_points, &number, 1);
  expect (self, "points/status", self->n_points, &status, 1);
  expect (self, "parameters/k", self->n_points, result->values, 1);
  for (guint i = 0; i < study->figures->len; i++)
    {
      g_autofree char *name = g_strconcat ("figures/", weir_study_get_figure (study, i)->name,
                                           NULL);

      expect (self, name, self->n_points, &result->figures[i], 1);
    }
  if (bytes != NULL)
    g_assert_true (weir_run_rows_from_bytes (&rows, bytes, size, values, 2));
  n_samples = (double) rows.n_rows;
  expect (self, "series/samples", self->n_points, &n_samples, 1);
  if (rows.n_rows > 0)
    {
      expect (self, "series/time", self->n_samples, rows.times, rows.n_rows);
      expect (self, "series/I.y", self->n_samples, rows.values[0], rows.n_rows);
      expect (self, "series/After.y", self->n_samples, rows.values[1], rows.n_rows);
    }
  self->n_points++;
  self->n_samples += rows.n_rows;
  return TRUE;
}

/* What is read from the HDF5 file is what is in the results, to the bit: a failed point, a figure
 * that is no number, runs of many samples, some points only. */
static void
test_hdf5 (void)
{
  static const char text[] =
      "<study version='1' model='m.weir'><points method='grid'>"
      "<parameter path='K.gain' name='k' values='-1e300 0.5 1 1.5 2 3'/></points><keep>"
      "<signal port='I.y'/><signal port='After.y'/><figure name='top' what='maximum' of='I.y'/>"
      "<figure name='odd' is='log(1 - k)'/></keep></study>";
  static const guint64 ends[][2] = { { 0, 5 }, { 1, 3 } };
  Fixture f;

  write_model ("1", "1", "2", "3");
  remove_file ("r.results");
  open_study (&f, text, "r.results", NULL);
  run_study (&f);
  g_assert_cmpuint (f.progress.n_failed, ==, 1);
  for (guint pass = 0; pass < G_N_ELEMENTS (ends); pass++)
    {
      g_autofree char *path = dup_path ("r.h5"), *contents = NULL;
      g_autoptr (GArray) arrays = NULL;
      g_autoptr (GError) error = NULL;
      Expected expected = { &f, NULL, 0, 0 };
      gsize size;
      int fd = open (path, O_CREAT | O_TRUNC | O_RDWR, 0600);

      g_assert_true (
          weir_study_store_write_hdf5 (f.store, ends[pass][0], ends[pass][1], fd, &error));
      g_assert_no_error (error);
      close (fd);
      g_assert_true (g_file_get_contents (path, &contents, &size, NULL));
      arrays = weir_result_hdf5_read (path, (const guint8 *) contents, size, &error);
      g_assert_no_error (error);
      expected.arrays = arrays;
      weir_study_store_foreach (f.store, ends[pass][0], ends[pass][1], TRUE, expect_point,
                                &expected, NULL);
      g_assert_cmpuint (expected.n_points, ==, ends[pass][1] - ends[pass][0] + 1);
      g_assert_cmpuint (find_array (arrays, "points/number")->n_rows
                            * find_array (arrays, "points/number")->n_columns,
                        ==, expected.n_points);
      g_assert_cmpuint (find_array (arrays, "series/time")->n_rows
                            * find_array (arrays, "series/time")->n_columns,
                        ==, expected.n_samples);
      g_unlink (path);
    }
  close_study (&f);
}

static gboolean
count_point (G_GNUC_UNUSED const WeirPointResult *result, gpointer n)
{
  (*(guint *) n)++;
  return TRUE;
}

/* Results that are only looked into stay as they are: without a file, or with other columns, a
 * sentence. */
static void
test_looked_into (void)
{
  static const char text[] = STUDY ("<points method='list'><parameter path='K.gain' name='k'/>"
                                    "<point values='1'/><point values='2'/></points>");
  static const char other_text[] =
      "<study version='1' model='m.weir'><points method='list'>"
      "<parameter path='K.gain' name='k'/><point values='1'/></points>"
      "<keep><figure name='last' what='final' of='I.y'/></keep></study>";
  g_autofree char *path = dup_path ("r.results"), *none = dup_path ("none.results");
  g_autoptr (GBytes) bytes = g_bytes_new_static (other_text, strlen (other_text));
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirStudy) other_study = weir_study_read_bytes (bytes, "o.weirstudy", diagnostics);
  g_autoptr (WeirStudyStore) store = NULL, missing = NULL, other = NULL;
  g_autoptr (GError) no_file = NULL, no_columns = NULL, error = NULL;
  guint n = 0;
  Fixture f;

  write_model ("1", "1", "2", "3");
  remove_file ("r.results");
  open_study (&f, text, "r.results", NULL);
  run_study (&f);
  store = weir_study_store_open (path, f.study, &error);
  g_assert_no_error (error);
  weir_study_store_foreach (store, 0, G_MAXINT64, FALSE, count_point, &n, NULL);
  g_assert_cmpuint (n, ==, 2);
  missing = weir_study_store_open (none, f.study, &no_file);
  g_assert_null (missing);
  g_assert_true (g_pattern_match_simple ("*none.results cannot be read: there is no such file",
                                         no_file->message));
  g_assert_false (g_file_test (none, G_FILE_TEST_EXISTS));
  g_assert_nonnull (other_study);
  other = weir_study_store_open (path, other_study, &no_columns);
  g_assert_null (other);
  g_assert_true (
      g_pattern_match_simple ("*r.results has other columns by now; *", no_columns->message));
  weir_study_store_foreach (store, 0, G_MAXINT64, FALSE, count_point, &n, NULL);
  g_assert_cmpuint (n, ==, 4);
  g_clear_pointer (&store, weir_study_store_free);
  close_study (&f);
}

/* What a file is written as is told by its ending. */
static void
test_endings (void)
{
  static const char *const known[] = { "a.csv", "b.h5", "c.d.hdf5" };
  static const char *const unknown[] = { "a.mat", "a.xyz", "csv", "ah5", "a.csv.gz", "" };
  g_autofree const char **endings = weir_study_formats_list_suffixes ();

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    g_assert_true (weir_study_format_find (known[i]) == &weir_study_formats[i > 0]);
  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    g_assert_null (weir_study_format_find (unknown[i]));
  g_assert_cmpuint (g_strv_length ((char **) endings), ==, 3);
}

/* --- The cache ------------------------------------------------------------------------------- */

/* What the study costs with the model as it is, and that it gives what it gives without a cache. */
static WeirStudyProgress
run_cached (const char *text)
{
  g_autoptr (GByteArray) with = NULL, without = NULL;
  WeirStudyProgress progress;
  Fixture f;

  remove_file ("c.results");
  open_study (&f, text, "c.results", "runs.db");
  f.options.threads = 2;
  run_study (&f);
  progress = f.progress;
  with = dump (&f);
  close_study (&f);
  without = run_whole (text, 1, 0, FALSE);
  assert_same (with, without);
  return progress;
}

static void
test_cache (void)
{
  WeirStudyProgress p;

  remove_file ("runs.db");
  write_model ("1", "1", "2", "3");
  p = run_cached (RANDOM ("200"));
  g_assert_cmpuint (p.n_computed, ==, 200);
  p = run_cached (RANDOM ("200"));
  g_assert_cmpuint (p.n_computed, ==, 0);

  /* Nothing that is kept depends on it. */
  write_model ("1", "1", "2", "4");
  p = run_cached (RANDOM ("200"));
  g_assert_cmpuint (p.n_computed, ==, 0);

  /* Algebra after the run. */
  write_model ("1", "1", "5", "4");
  p = run_cached (RANDOM ("200"));
  g_assert_cmpuint (p.n_computed, ==, 0);
  g_assert_cmpuint (p.n_worked_out, ==, 200);

  /* Varied in any case. */
  write_model ("1", "7", "5", "4");
  p = run_cached (RANDOM ("200"));
  g_assert_cmpuint (p.n_computed, ==, 0);

  /* The run itself. */
  write_model ("2", "1", "5", "4");
  p = run_cached (RANDOM ("200"));
  g_assert_cmpuint (p.n_computed, ==, 200);

  /* More points: those that there are stay. */
  p = run_cached (RANDOM ("250"));
  g_assert_cmpuint (p.n_computed, ==, 50);
}

/* A key from which a leaf that matters was left out: making hits again finds it. */
static void
test_planted_omission (void)
{
  static const char text[] = STUDY ("<points method='list'><parameter path='Other.gain' name='o'/>"
                                    "<point values='1'/><point values='2'/></points>");
  Fixture f;

  for (guint pass = 0; pass < 2; pass++)
    {
      remove_file ("runs.db");
      write_model ("1", "1", "2", "3");
      remove_file ("c.results");
      open_study (&f, text, "c.results", "runs.db");
      if (pass == 1)
        g_assert_true (weir_run_plan_forget_leaf (weir_study_subject_change_plan (f.subject), "K"));
      run_study (&f);
      close_study (&f);

      write_model ("1", "1.25", "2", "3");
      remove_file ("c.results");
      open_study (&f, text, "c.results", "runs.db");
      if (pass == 1)
        weir_run_plan_forget_leaf (weir_study_subject_change_plan (f.subject), "K");
      f.options.verified_share = 1;
      run_study (&f);
      g_assert_cmpuint (f.progress.n_differing > 0, ==, pass == 1);
      g_assert_cmpint (f.progress.first_differing, ==, pass == 1 ? 0 : -1);
      close_study (&f);
    }
}

static void
test_verify (void)
{
  Fixture f;

  remove_file ("runs.db");
  write_model ("1", "1", "2", "3");
  run_cached (RANDOM ("100"));
  remove_file ("c.results");
  open_study (&f, RANDOM ("100"), "c.results", "runs.db");
  f.options.verified_share = 1;
  run_study (&f);
  g_assert_cmpuint (f.progress.n_verified, ==, 100);
  g_assert_cmpuint (f.progress.n_differing, ==, 0);
  close_study (&f);
}

/* A miss is told by the part in which the run of the same point that is known differs: none is
 * known; a value of the model; a setting; the structure. */
static void
test_misses (void)
{
  static const char *const other = "<study version='1' model='m.weir'><setting name='step' "
                                   "value='0.02'/><points method='random' n='40'><parameter "
                                   "path='K.gain' name='k' from='1' to='2'/></points>" KEEP;
  static const char *const text = "<study version='1' model='m.weir'><points method='random' "
                                  "n='30'><parameter path='K.gain' name='k' from='1' to='2'/>"
                                  "</points>" KEEP;
  Fixture f;

  remove_file ("runs.db");
  remove_file ("c.results");
  write_model ("1", "1", "2", "3");
  open_study (&f, text, "c.results", "runs.db");
  run_study (&f);
  g_assert_cmpuint (f.progress.n_missed[WEIR_N_RUN_PARTS], ==, 30);
  close_study (&f);

  write_model ("2", "1", "2", "3");
  open_study (&f, text, "c.results", "runs.db");
  run_study (&f);
  g_assert_cmpuint (f.progress.n_missed[WEIR_RUN_PART_VALUES], ==, 30);
  g_assert_cmpuint (f.progress.n_missed[WEIR_N_RUN_PARTS], ==, 0);
  g_assert_cmpstr (f.progress.changed, !=, "");
  close_study (&f);

  open_study (&f, other, "c.results", "runs.db");
  run_study (&f);
  g_assert_cmpuint (f.progress.n_missed[WEIR_RUN_PART_SETTINGS], ==, 30);
  g_assert_cmpuint (f.progress.n_missed[WEIR_N_RUN_PARTS], ==, 10);
  close_study (&f);
}

/* What is pinned stays where all else is given up, and goes too once it no longer is. */
static void
test_pins (void)
{
  g_autofree char *path = dup_path ("small.db");
  g_autoptr (GError) error = NULL;
  Fixture f;

  remove_file ("small.db");
  write_model ("1", "1", "2", "3");
  for (guint pass = 0; pass < 4; pass++)
    {
      remove_file ("r.results");
      if (pass == 1)
        write_model ("2", "1", "2", "3");
      else if (pass == 2)
        write_model ("1", "1", "2", "3");
      open_study (&f, pass == 1 ? RANDOM ("300") : RANDOM ("20"), "r.results", NULL);
      f.cache = f.options.cache = weir_run_cache_new (path, 0.1, &error);
      g_assert_no_error (error);
      f.options.pins = pass == 0;
      run_study (&f);
      g_assert_cmpuint (f.progress.n_computed, ==, pass == 0 ? 20 : pass == 1 ? 300 : 0);
      g_assert_cmpuint (weir_run_cache_get_n_pinned (f.cache), ==, 20);
      g_assert_cmpuint (weir_run_cache_get_size (f.cache), <=, 104858);
      close_study (&f);
    }
  f.cache = weir_run_cache_new (path, 0.1, &error);
  g_assert_true (weir_run_cache_unpin (f.cache, &error));
  g_assert_cmpuint (weir_run_cache_get_n_pinned (f.cache), ==, 0);
  weir_run_cache_free (f.cache);
}

/* It keeps to its size, and what it gave up is computed again. */
static void
test_cache_is_bounded (void)
{
  g_autofree char *path = dup_path ("small.db");
  g_autoptr (GError) error = NULL;
  Fixture f;

  remove_file ("small.db");
  remove_file ("r.results");
  write_model ("1", "1", "2", "3");
  open_study (&f, RANDOM ("300"), "r.results", NULL);
  f.cache = f.options.cache = weir_run_cache_new (path, 0.1, &error);
  g_assert_no_error (error);
  run_study (&f);
  g_assert_cmpuint (weir_run_cache_get_size (f.cache), >, 50000);
  g_assert_cmpuint (weir_run_cache_get_size (f.cache), <=, 104858);
  close_study (&f);
}

/* --- What goes wrong ------------------------------------------------------------------------- */

/* As a catalogue would. */
static const char *
shout (const char *one, G_GNUC_UNUSED const char *many, G_GNUC_UNUSED gulong n)
{
  static GHashTable *known;
  char *loud = known != NULL ? g_hash_table_lookup (known, one) : NULL;

  if (loud == NULL)
    {
      loud = g_strconcat ("¡", one, "!", NULL);
      if (known == NULL)
        known = g_hash_table_new (g_str_hash, g_str_equal);
      g_hash_table_insert (known, g_strdup (one), loud);
    }
  return loud;
}

static const char list_with_failure[] = STUDY (
    "<points method='list'><parameter path='K.gain' name='k'/><point values='1'/>"
    "<point values='-1e300'/><point values='2'/></points>");

/* Why a point failed is told as a message, which can be said in other languages; @data: two of
 * them, what it says in English and in another. */
static gboolean
hear_failure (const WeirPointResult *result, gpointer data)
{
  char **said = data;

  if (result->status != WEIR_POINT_FAILED)
    {
      g_assert_null (result->reason);
      return TRUE;
    }
  g_assert_null (said[0]);
  said[0] = g_strdup (weir_message_get_text (result->reason));
  weir_set_translator (shout);
  said[1] = weir_message_translate (result->reason);
  weir_set_translator (NULL);
  return TRUE;
}

static void
assert_said (char **said, char **before)
{
  g_assert_cmpstr (said[0], ==, before[0]);
  g_assert_cmpstr (said[1], ==, before[1]);
  g_free (said[0]);
  g_free (said[1]);
  said[0] = said[1] = NULL;
}

/* Whether it was run now, comes from the cache, from the file, or from a file that was joined. */
static void
test_failed_points (void)
{
  char *now[] = { NULL, NULL }, *later[] = { NULL, NULL };
  g_autoptr (WeirStudySummary) summary = NULL;
  g_autofree char *path = dup_path ("r.results");
  guint64 n_taken, n_other;
  Fixture f;

  remove_file ("r.results");
  remove_file ("t.results");
  remove_file ("u.results");
  remove_file ("runs.db");
  write_model ("1", "1", "2", "3");
  open_study (&f, list_with_failure, "r.results", "runs.db");
  f.options.ended = hear_failure;
  f.options.data = now;
  run_study (&f);
  g_assert_nonnull (strstr (now[1], "¡"));
  g_assert_cmpuint (f.progress.n_failed, ==, 1);
  g_assert_cmpuint (f.progress.n_ended, ==, 3);
  weir_study_store_foreach (f.store, 0, 2, FALSE, hear_failure, later, NULL);
  assert_said (later, now);
  summary = weir_study_summary_new (f.study, f.store, 0, 2, NULL);
  g_assert_cmpuint (summary->n_failed, ==, 1);
  g_assert_cmpuint (summary->figures[0].n, ==, 2);
  g_assert_cmpuint (summary->figures[0].n_missing, ==, 1);
  close_study (&f);

  open_study (&f, list_with_failure, "t.results", "runs.db");
  f.options.ended = hear_failure;
  f.options.data = later;
  run_study (&f);
  g_assert_cmpuint (f.progress.n_cached, ==, 3);
  assert_said (later, now);
  close_study (&f);

  open_study (&f, list_with_failure, "u.results", NULL);
  g_assert_true (weir_study_store_merge (f.store, path, &n_taken, &n_other, NULL));
  g_assert_cmpuint (n_taken, ==, 3);
  weir_study_store_foreach (f.store, 0, 2, FALSE, hear_failure, later, NULL);
  assert_said (later, now);
  close_study (&f);
  g_free (now[0]);
  g_free (now[1]);
}

/* The file that cannot be joined is named, and what there was stays. */
static void
test_no_shard (void)
{
  static const struct {
    const char *name, *complaint;
  } cases[] = {
    { "none.results", "*none.results cannot be read: there is no such file" },
    { "m.weir", "*m.weir cannot be read: file is not a database" },
    { "runs.db", "*runs.db has no results of this study: its columns are others" },
  };
  guint64 n_taken, n_other;
  Fixture f;

  remove_file ("r.results");
  write_model ("1", "1", "2", "3");
  open_study (&f, list_with_failure, "r.results", "runs.db");
  run_study (&f);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = dup_path (cases[i].name);
      g_autoptr (GError) error = NULL;

      g_assert_false (weir_study_store_merge (f.store, path, &n_taken, &n_other, &error));
      if (!g_pattern_match_simple (cases[i].complaint, error->message))
        g_error ("%s: %s", cases[i].name, error->message);
    }
  run_study (&f);
  g_assert_cmpuint (f.progress.n_kept, ==, 3);
  close_study (&f);
}

static void
set_reason (const char *name, const char *table, const char *reason)
{
  g_autofree char *path = dup_path (name);
  g_autofree char *sql = g_strdup_printf ("UPDATE %s SET reason = ? WHERE status = 1", table);
  sqlite3 *database = weir_database_open (path, NULL);
  sqlite3_stmt *statement = weir_database_prepare (database, sql, NULL);

  sqlite3_bind_text (statement, 1, reason, -1, SQLITE_STATIC);
  g_assert_true (weir_database_step (statement, NULL));
  g_assert_cmpint (sqlite3_changes (database), ==, 1);
  sqlite3_finalize (statement);
  weir_database_close (database);
}

/* A file of before, which has the sentence alone, and files with what is none: it is shown as it
 * stands there, in the file of results as in the cache. */
static void
test_reasons_of_others (void)
{
  static const char *const reasons[] = {
    "what a file of before says",
    "%s%s%n%99$s%*.*d",
    "x\x1e"
    "1f4:%s%nt1:x",
    "x\x1e"
    "1f6:%99$st1:x",
    "x\x1e"
    "1f99:%s",
    "line\nbreak",
  };
  Fixture f;

  remove_file ("r.results");
  remove_file ("runs.db");
  write_model ("1", "1", "2", "3");
  open_study (&f, list_with_failure, "r.results", "runs.db");
  run_study (&f);
  close_study (&f);
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      char *said[] = { NULL, NULL }, *expected[] = { (char *) reasons[i], (char *) reasons[i] };

      set_reason ("r.results", "points", reasons[i]);
      set_reason ("runs.db", "runs", reasons[i]);
      open_study (&f, list_with_failure, "r.results", "runs.db");
      weir_study_store_foreach (f.store, 0, 2, FALSE, hear_failure, said, NULL);
      assert_said (said, expected);
      close_study (&f);
      remove_file ("t.results");
      open_study (&f, list_with_failure, "t.results", "runs.db");
      f.options.ended = hear_failure;
      f.options.data = said;
      run_study (&f);
      assert_said (said, expected);
      close_study (&f);
    }
}

static void
test_no_figure (void)
{
  g_autoptr (WeirStudySummary) summary = NULL;
  Fixture f;

  remove_file ("r.results");
  write_model ("1", "1", "2", "3");
  open_study (&f,
              "<study version='1' model='m.weir'><points method='list'>"
              "<parameter path='K.gain' name='k'/><point values='1'/><point values='3'/></points>"
              "<keep><figure name='e' is='log(2 - k)'/><figure name='late' what='maximum' of='I.y' "
              "from='5'/></keep></study>",
              "r.results", NULL);
  run_study (&f);
  summary = weir_study_summary_new (f.study, f.store, 0, 1, NULL);
  g_assert_cmpuint (summary->figures[0].n_missing, ==, 1);
  g_assert_cmpuint (summary->figures[1].n_missing, ==, 2);
  g_assert_true (isnan (summary->figures[1].mean));
  close_study (&f);
}

static gboolean
check_lag (const WeirPointResult *result, gpointer data)
{
  double a = result->values[0], b = result->values[1];

  g_assert_cmpfloat_with_epsilon (result->figures[0], (1 - exp (-b / a)) / b, 1e-9);
  ++*(guint *) data;
  return TRUE;
}

/* Two elements of one parameter: a y' + b y = 1 gives (1 - exp (-b t / a)) / b. */
static void
test_elements (void)
{
  Fixture f;
  guint n = 0;

  remove_file ("r.results");
  write_file ("m.weir",
              "<weir version='1'><settings><setting name='solver' value='rk4'/>"
              "<setting name='step' value='0.01'/><setting name='stop-time' value='1'/></settings>"
              "<diagram><block id='1' type='Constant' name='C' x='0' y='0'>"
              "<parameter name='value' value='1'/></block>"
              "<block id='2' type='TransferFunction' name='F' x='0' y='0'>"
              "<parameter name='numerator' value='1'/>"
              "<parameter name='denominator' value='[1, 1]'/></block>"
              "<wire id='3' from='1.y' to='2.u'/></diagram></weir>");
  open_study (&f,
              "<study version='1' model='m.weir'><points method='list'>"
              "<parameter path='F.denominator[1]' name='a'/>"
              "<parameter path='F.denominator[2]' name='b'/>"
              "<point values='2 1'/><point values='1 2'/><point values='3 0.5'/></points>"
              "<keep><figure name='last' what='final' of='F.y'/></keep></study>",
              "r.results", NULL);
  run_study (&f);
  weir_study_store_foreach (f.store, 0, 2, FALSE, check_lag, &n, NULL);
  g_assert_cmpuint (n, ==, 3);
  close_study (&f);
}

static gboolean
take_times (const WeirPointResult *result, gpointer data)
{
  double a = result->values[0];

  g_assert_cmpfloat_with_epsilon (result->figures[0], a * 3, 1e-12); /* a t at 3 s */
  g_assert_cmpfloat_with_epsilon (result->figures[1], a * 1.5, 1e-12);
  (*(guint *) data)++;
  return TRUE;
}

/* Of a model in which all is algebra after the run nothing is recorded but the times of its
 * samples, whoever makes the runs. */
static void
test_times_alone (void)
{
  static const char *const solvers[] = { "rk4", "dormand-prince", "cvode-bdf" };

  for (guint i = 0; i < G_N_ELEMENTS (solvers); i++)
    {
      g_autofree char *model = g_strdup_printf (
          "<weir version='1'><settings><setting name='solver' value='%s'/>"
          "<setting name='step' value='0.1'/><setting name='stop-time' value='3'/></settings>"
          "<diagram><block id='1' type='Clock' name='T' x='0' y='0'/>" GAIN (
              "2", "A", "1") "<wire id='3' from='1.y' to='2.u'/></diagram></weir>",
          solvers[i]);
      guint n = 0;
      Fixture f;

      write_file ("m.weir", model);
      remove_file ("c.results");
      remove_file ("runs.db");
      for (guint pass = 0; pass < 2; pass++)
        {
          remove_file ("c.results");
          open_study (&f,
                      "<study version='1' model='m.weir'><points method='grid'>"
                      "<parameter path='A.gain' name='a' from='1' to='7' n='7'/></points><keep>"
                      "<figure name='last' what='final' of='A.y'/>"
                      "<figure name='mean' what='mean' of='A.y'/></keep></study>",
                      "c.results", "runs.db");
          run_study (&f);
          weir_study_store_foreach (f.store, 0, G_MAXINT64, FALSE, take_times, &n, NULL);
          g_assert_true ((f.progress.n_computed > 0) == (pass == 0));
          close_study (&f);
        }
      g_assert_cmpuint (n, ==, 14);
    }
}

static void
test_refusals (void)
{
  static const char *const table[][2] = {
    { "<study version='1' model='none.weir'>\n<points method='random' n='1'/>" KEEP,
      "*none.weir*cannot be read*" },
    { STUDY ("\n<points method='list'>\n<parameter path='K.gian'/><point values='1'/></points>"),
      "*s.weirstudy:3: error[STU04]*no parameter \"K.gian\"*" },
    { "<study version='1' model='m.weir'><points method='random' n='1'/>\n<keep>\n"
      "<signal port='I.x'/></keep></study>",
      "*s.weirstudy:3: error[STU05]*I*x*" },
    { "<study version='1' model='m.weir'><points method='random' n='1'/>\n<keep>\n"
      "<figure name='f' is='g + 1'/></keep></study>",
      "*s.weirstudy:3: error[STU07]*\"g\" is neither*" },
    { "<study version='1' model='m.weir'><points method='random' n='1'/>\n<keep>\n"
      "<figure name='f' is='1 +'/></keep></study>",
      "*s.weirstudy:3: error*" },
    { "<study version='1' model='m.weir'>\n<setting name='solver' value='best'/>"
      "<points method='random' n='1'/>" KEEP,
      "*s.weirstudy:2: error[STU03]*'best'*" },
    { "<study version='1' model='m.weir'>\n<setting name='speed' value='1'/>"
      "<points method='random' n='1'/>" KEEP,
      "*s.weirstudy:2: error[STU03]*\"speed\"*" },
  };

  write_model ("1", "1", "2", "3");
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autofree char *path = dup_path ("s.weirstudy"), *line = NULL;
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirStudy) study = NULL;

      write_file ("s.weirstudy", table[i][0]);
      study = weir_study_read_file (path, diagnostics);
      g_assert_nonnull (study);
      g_assert_null (weir_study_subject_new (study, diagnostics));
      line = weir_diagnostic_to_string (weir_diagnostics_get (diagnostics, 0));
      if (!g_pattern_match_simple (table[i][1], line))
        g_error ("%s\n does not match %s", line, table[i][1]);
    }
}

static void
test_model_edited (void)
{
  Fixture f;

  remove_file ("r.results");
  write_model ("1", "1", "2", "3");
  open_study (&f, RANDOM ("5"), "r.results", NULL);
  run_study (&f);
  g_assert_true (weir_study_subject_is_model_unchanged (f.subject));
  write_model ("3", "1", "2", "3");
  g_assert_false (weir_study_subject_is_model_unchanged (f.subject));
  close_study (&f);

  /* What was there is of another model. */
  open_study (&f, RANDOM ("5"), "r.results", NULL);
  run_study (&f);
  g_assert_cmpuint (f.progress.n_kept, ==, 0);
  close_study (&f);
}

/* --- Numbers --------------------------------------------------------------------------------- */

static WeirStudySummary *
summarize (const char *text)
{
  WeirStudySummary *summary;
  Fixture f;

  remove_file ("r.results");
  open_study (&f, text, "r.results", NULL);
  f.options.threads = 2;
  run_study (&f);
  summary = weir_study_summary_new (f.study, f.store, f.options.first, f.options.last, NULL);
  close_study (&f);
  return summary;
}

/* y = 1 - e^-k, k even in [.5, 1.5], in closed form; then k ~ N(1, .1). Points are evenly spaced
 * but for an offset of all of them of up to half their distance. */
static void
test_monte_carlo (void)
{
  g_autoptr (WeirStudySummary) even = NULL, normal = NULL;

  write_model ("1", "1", "2", "3");
  even = summarize (STUDY ("<points method='sobol' n='4096'>"
                           "<parameter path='K.gain' name='k' from='0.5' to='1.5'/></points>"));
  g_assert_cmpfloat_with_epsilon (even->figures[3].mean, .6165995004, 5e-5);
  g_assert_cmpfloat_with_epsilon (even->figures[3].deviation, .1097736004, 5e-5);
  g_assert_cmpfloat_with_epsilon (even->figures[3].p5, .4230501896, 5e-4);
  g_assert_cmpfloat_with_epsilon (even->figures[3].p95, .7654297119, 5e-4);
  normal = summarize (STUDY ("<points method='sobol' n='4096'><parameter path='K.gain' name='k' "
                             "distribution='normal' mean='1' deviation='0.1'/></points>"));
  g_assert_cmpfloat_with_epsilon (normal->figures[3].mean, .6302765555, 5e-5);
  g_assert_cmpfloat_with_epsilon (normal->figures[3].deviation, .0370649682, 1e-4);
}

/* A step response with a damping of 0.3 peaks exp (-pi z / sqrt (1 - z^2)) beyond its end, between
 * steps that are as long as the tolerance lets them be. Its mean over 15 s is that of what an
 * integrator adds up. */
static void
test_peak (void)
{
  g_autoptr (WeirStudySummary) summary = NULL;
  double z = 0.3, overshoot = 100 * exp (-G_PI * z / sqrt (1 - z * z));

  write_file ("m.weir", "<weir version='1'><settings><setting name='stop-time' value='15'/>"
                        "</settings><diagram>"
                        "<block id='1' type='Constant' name='U' x='0' y='0'/>"
                        "<block id='2' type='SecondOrderLag' name='P' x='0' y='0'/>"
                        "<block id='3' type='Integrator' name='I' x='0' y='0'/>"
                        "<wire id='4' from='1.y' to='2.u'/><wire id='5' from='2.y' to='3.u'/>"
                        "</diagram></weir>");
  summary = summarize ("<study version='1' model='m.weir'><points method='grid'>"
                       "<parameter path='P.damping' name='z' values='0.3 0.3'/></points>"
                       "<keep><figure name='o' what='overshoot' of='P.y' initial='0' final='1'/>"
                       "<figure name='m' what='mean' of='P.y'/>"
                       "<figure name='i' what='final' of='I.y'/></keep></study>");
  g_assert_cmpfloat_with_epsilon (summary->figures[0].mean, overshoot, 0.01);
  g_assert_cmpfloat_with_epsilon (summary->figures[1].mean, summary->figures[2].mean / 15, 5e-5);
}

static void
assert_interval (WeirInterval interval, double middle, double reach, double tolerance)
{
  g_assert_cmpfloat_with_epsilon (interval.low, middle - reach, tolerance * reach);
  g_assert_cmpfloat_with_epsilon (interval.high, middle + reach, tolerance * reach);
}

/* Of 2000 numbers even in [0, 1]: the mean scatters by s / sqrt (n), the median by 1 / 2 sqrt (n),
 * the deviation of an even distribution by s sqrt ((9/5 - 1) / n) / 2 (kurtosis 9/5). Samples that
 * are no independent ones have no intervals. */
static void
test_intervals (void)
{
  g_autoptr (WeirStudySummary) random = NULL, laid = NULL;
  const double n = 2000, z = 1.959963985;
  const WeirFigureSummary *s;

  write_model ("1", "1", "2", "3");
  random = summarize ("<study version='1' model='m.weir' seed='5'>"
                      "<setting name='stop-time' value='0.01'/><points method='random' n='2000'>"
                      "<parameter path='K.gain' name='k' from='0' to='1'/></points>"
                      "<keep><figure name='f' is='k'/></keep></study>");
  s = &random->figures[0];
  assert_interval (s->of_mean, s->mean, z * s->deviation / sqrt (n), 0.1);
  assert_interval (s->of_median, s->median, z / (2 * sqrt (n)), 0.25);
  assert_interval (s->of_deviation, s->deviation, z * s->deviation * sqrt (0.8 / n) / 2, 0.1);
  laid = summarize ("<study version='1' model='m.weir' seed='5'>"
                    "<points method='latin-hypercube' n='50'>"
                    "<parameter path='K.gain' name='k' from='0' to='1'/></points>"
                    "<keep><figure name='f' is='k'/></keep></study>");
  g_assert_true (isnan (laid->figures[0].of_mean.low));
}

/* S. S. Wilks' numbers for 95 % of a distribution with a confidence of 95 %: 59 points of which
 * none is larger, 93 of which none is larger and none smaller; one less does not do. Of 1000
 * samples of 93 even numbers, 95 in 100 reach over the part that is promised, within 3 deviations.
 */
static void
test_wilks (void)
{
  g_autoptr (WeirStudySummary) random = NULL, laid = NULL;
  guint n_kept = 0;

  g_assert_cmpfloat (weir_study_get_content (59, FALSE), >=, 0.95);
  g_assert_cmpfloat (weir_study_get_content (58, FALSE), <, 0.95);
  g_assert_cmpfloat (weir_study_get_content (93, TRUE), >=, 0.95);
  g_assert_cmpfloat (weir_study_get_content (92, TRUE), <, 0.95);
  g_assert_cmpfloat (weir_study_get_content (1, TRUE), ==, 0);
  for (guint seed = 0; seed < 1000; seed++)
    {
      double least = 1, most = 0;

      for (guint i = 0; i < 93; i++)
        {
          double u = weir_random_uniform (seed, i, 0);

          least = fmin (least, u);
          most = fmax (most, u);
        }
      n_kept += most - least >= weir_study_get_content (93, TRUE);
    }
  g_assert_cmpfloat_with_epsilon (n_kept, 950, 3 * sqrt (1000 * 0.95 * 0.05));

  write_model ("1", "1", "2", "3");
  random = summarize ("<study version='1' model='m.weir' seed='5'>"
                      "<setting name='stop-time' value='0.01'/><points method='random' n='59'>"
                      "<parameter path='K.gain' name='k' from='0' to='1'/></points>"
                      "<keep><figure name='f' is='k'/></keep></study>");
  g_assert_cmpfloat (random->figures[0].below_most, ==, weir_study_get_content (59, FALSE));
  g_assert_cmpfloat (random->figures[0].within, ==, weir_study_get_content (59, TRUE));
  laid = summarize ("<study version='1' model='m.weir' seed='5'>"
                    "<points method='latin-hypercube' n='59'>"
                    "<parameter path='K.gain' name='k' from='0' to='1'/></points>"
                    "<keep><figure name='f' is='k'/></keep></study>");
  g_assert_true (isnan (laid->figures[0].below_most));
}

/* An initial value is no value that a running system can change. */
static void
test_rebuilt (void)
{
  g_autoptr (WeirStudySummary) summary = NULL;

  write_model ("1", "1", "2", "3");
  summary = summarize (STUDY ("<points method='list'><parameter path='I.initial' name='x0'/>"
                              "<parameter path='K.gain' name='k'/><point values='3 1'/></points>"));
  g_assert_cmpfloat_with_epsilon (summary->figures[0].mean, 3 * exp (-1), 1e-9);
  g_assert_cmpfloat (summary->figures[1].mean, ==, 2 * summary->figures[0].mean);
}

/* dx(1)/dk = -e^-k, dx(1)/dx0 = e^-k. */
static void
test_local (void)
{
  g_autoptr (WeirStudySummary) summary = NULL;

  write_model ("1", "1", "2", "3");
  summary = summarize (STUDY ("<points method='local'><parameter path='I.initial' name='x0'/>"
                              "<parameter path='K.gain' name='k'/></points>"));
  g_assert_cmpfloat_with_epsilon (summary->influences[0].mean, exp (-1), 1e-7);
  g_assert_cmpfloat_with_epsilon (summary->influences[1].mean, -exp (-1), 1e-6);
}

#define THREE(low, high)                                                                           \
  "<parameter path='K.gain' name='a' from='" low "' to='" high "'/>"                               \
  "<parameter path='After.gain' name='b' from='" low "' to='" high "'/>"                           \
  "<parameter path='Other.gain' name='c' from='" low "' to='" high "'/></points>"

/* Ishigami and Homma's function with 7 and 0.1: mean, variance and indices in closed form. */
static void
test_ishigami (void)
{
  g_autoptr (WeirStudySummary) summary = NULL;
  static const double first[] = { .3139051911, .4424111448, 0 };
  static const double total[] = { .5575888552, .4424111448, .2436836641 };

  write_model ("1", "1", "2", "3");
  summary = summarize (
      "<study version='1' model='m.weir' seed='1'><setting name='stop-time' value='0.01'/>"
      "<points method='indices' n='4096'>" THREE (
          "-3.141592653589793",
          "3.141592653589793") "<keep><figure name='f' is='sin(a) + 7*sin(b)^2 + 0.1*c^4*sin(a)'/>"
                               "</keep></study>");
  g_assert_cmpfloat_with_epsilon (summary->figures[0].mean, 3.5, 0.02);
  g_assert_cmpfloat_with_epsilon (pow (summary->figures[0].deviation, 2), 13.84458794, 1);
  for (guint k = 0; k < 3; k++)
    {
      g_assert_cmpfloat_with_epsilon (summary->influences[k].first, first[k], 5e-3);
      g_assert_cmpfloat_with_epsilon (summary->influences[k].total, total[k], 5e-3);
      g_assert_cmpfloat (summary->influences[k].of_first.low, <, first[k]);
      g_assert_cmpfloat (summary->influences[k].of_first.high, >, first[k]);
      g_assert_cmpfloat (summary->influences[k].of_total.low, <, total[k]);
      g_assert_cmpfloat (summary->influences[k].of_total.high, >, total[k]);
      g_assert_cmpfloat (summary->influences[k].of_total.high, <, total[k] + 0.05);
    }
}

/* Sobol's function G, the product of (|4 x - 2| + a) / (1 + a), with a = 0, 1, 4.5, 9 and four
 * times 99: variance and indices in closed form. */
static void
test_sobol_g (void)
{
  static const char *const a[] = { "0", "1", "4.5", "9", "99", "99", "99", "99" };
  g_autoptr (GString) model = g_string_new ("<weir version='1'><settings><setting name='stop-time' "
                                            "value='0.01'/></settings><diagram>");
  g_autoptr (GString) text = g_string_new ("<study version='1' model='m.weir' seed='1'>"
                                           "<points method='indices' n='4096'>");
  g_autoptr (GString) figure = g_string_new ("1");
  g_autoptr (WeirStudySummary) summary = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (a); i++)
    {
      g_string_append_printf (model, "<block id='%u' type='Constant' name='C%u' x='0' y='0'/>",
                              i + 1, i);
      g_string_append_printf (text, "<parameter path='C%u.value' name='x%u' from='0' to='1'/>", i,
                              i);
      g_string_append_printf (figure, "*(abs(4*x%u - 2) + %s)/(1 + %s)", i, a[i], a[i]);
    }
  g_string_append (model, "</diagram></weir>");
  g_string_append_printf (text, "</points><keep><figure name='g' is='%s'/></keep></study>",
                          figure->str);
  write_file ("m.weir", model->str);
  summary = summarize (text->str);
  g_assert_cmpfloat_with_epsilon (summary->figures[0].mean, 1, 0.01);
  g_assert_cmpfloat_with_epsilon (pow (summary->figures[0].deviation, 2), .4654244319, 0.01);
  g_assert_cmpfloat_with_epsilon (summary->influences[0].first, .71619217, 0.01);
  g_assert_cmpfloat_with_epsilon (summary->influences[1].first, .17904804, 0.01);
  g_assert_cmpfloat_with_epsilon (summary->influences[0].total, .78714413, 0.01);
}

/* Derivatives through a bounce: a ball from 1 m, after 0.7 s, in closed form. */
static void
test_local_at_events (void)
{
  g_autoptr (WeirStudySummary) summary = NULL;

  write_file ("m.weir", "<weir version='1'><settings><setting name='stop-time' value='0.7'/>"
                        "<setting name='relative-tolerance' value='1e-10'/></settings><diagram>"
                        "<block id='1' type='BouncingBall' name='Ball' x='0' y='0'>"
                        "<parameter name='height' value='1'/></block></diagram></weir>");
  summary = summarize (
      "<study version='1' model='m.weir'><points method='local'>"
      "<parameter path='Ball.height' name='h'/><parameter path='Ball.restitution' name='e'/>"
      "</points><keep><figure name='y' what='final' of='Ball.height'/></keep></study>");
  g_assert_cmpfloat_with_epsilon (summary->figures[0].median, .5776531168, 1e-3);
  g_assert_cmpfloat_with_epsilon (summary->influences[0].mean, .1905515584, 1e-5);
  g_assert_cmpfloat_with_epsilon (summary->influences[1].mean, 1.100612843, 1e-5);
}

/* Robertson's reactions at t = 0.4: what CVODES' example cvsRoberts_FSA_dns prints, and Radau by
 * differences agrees with. */
static void
test_local_where_stiff (void)
{
  g_autofree char *model = g_build_filename (g_getenv ("WEIR_DATA"), "examples", "robertson.weir",
                                             NULL);
  g_autofree char *text = g_markup_printf_escaped (
      "<study version='1' model='%s'><setting name='stop-time' value='0.4'/>"
      "<setting name='relative-tolerance' value='1e-10'/><points method='local'>"
      "<parameter path='Reactions.k1' name='k1'/></points><keep>"
      "<figure name='A' what='final' of='Reactions.A'/>"
      "<figure name='B' what='final' of='Reactions.B'/>"
      "<figure name='C' what='final' of='Reactions.C'/></keep></study>",
      model);
  g_autoptr (WeirStudySummary) summary = summarize (text);

  g_assert_cmpfloat_with_epsilon (summary->influences[0].mean, -.35595257, 2e-5);
  g_assert_cmpfloat_with_epsilon (summary->influences[1].mean, 3.9025e-4, 1e-7);
  g_assert_cmpfloat_with_epsilon (summary->influences[2].mean, .35556231, 2e-5);
}

/* x' = -x + w, w normal with deviation 1 and held for 0.1: the variance of x, once the start is
 * forgotten, is tanh 0.05 over all seeds. Of 2000 the variance scatters by sqrt (2 / 2000). */
static void
test_noise (void)
{
  g_autoptr (WeirStudySummary) summary = NULL;
  double variance = tanh (0.05);

  write_file ("m.weir", "<weir version='1'><settings><setting name='stop-time' value='8'/>"
                        "<setting name='record-interval' value='1'/></settings><diagram>"
                        "<block id='1' type='GaussianRandom' name='W' x='0' y='0'/>"
                        "<block id='2' type='Lag' name='X' x='0' y='0'/>"
                        "<wire id='3' from='1.y' to='2.u'/></diagram></weir>");
  summary = summarize (
      "<study version='1' model='m.weir' seed='11'><points method='grid'>"
      "<parameter path='W.seed' name='s' from='1' to='2000' n='2000'/></points><keep>"
      "<figure name='x' what='final' of='X.y'/></keep></study>");
  g_assert_cmpuint (summary->n_failed, ==, 0);
  g_assert_cmpfloat_with_epsilon (summary->figures[0].mean, 0, 4 * sqrt (variance / 2000));
  g_assert_cmpfloat_with_epsilon (pow (summary->figures[0].deviation, 2), variance,
                                  4 * variance * sqrt (2. / 2000));
}

/* Of a linear function: the range times the slope, without any spread. */
static void
test_morris (void)
{
  g_autoptr (WeirStudySummary) summary = NULL;
  static const double effects[] = { 8, -12, 0 };

  write_model ("1", "1", "2", "3");
  summary = summarize (
      "<study version='1' model='m.weir' seed='1'><points method='morris' n='10'>" THREE (
          "1", "5") "<keep><figure name='f' is='2*a - 3*b'/></keep></study>");
  for (guint k = 0; k < 3; k++)
    {
      g_assert_cmpfloat_with_epsilon (summary->influences[k].mean, effects[k], 1e-12);
      g_assert_cmpfloat_with_epsilon (summary->influences[k].absolute_mean, fabs (effects[k]),
                                      1e-12);
      g_assert_cmpfloat_with_epsilon (summary->influences[k].deviation, 0, 1e-6);
    }
}

typedef struct {
  guint n;
  double exponents[5];
} Exponents;

static gboolean
take_exponent (const WeirPointResult *result, gpointer data)
{
  Exponents *found = data;

  found->exponents[found->n++] = result->figures[2];
  return TRUE;
}

/* The largest exponent of Lyapunov of two coupled pendulums, the first driven, as the example's map
 * has it. Where motion settles, that of scipy 1.17 (DOP853, tolerance 1e-10) over the same time;
 * where it is chaotic no two computations agree for long, but the exponent is far above 0, and over
 * a time ten times as long scipy gives 0.098 and 0.108. */
static void
test_chaos (void)
{
  static const double settled[] = { -0.1216285006470316, -0.13964912605829619,
                                    -0.18817951337076252 };
  g_autofree char *model = g_build_filename (g_getenv ("WEIR_DATA"), "examples",
                                             "pendulum-chain.weir", NULL);
  g_autofree char *text = g_markup_printf_escaped (
      "<study version='1' model='%s'><setting name='record-interval' value='10'/>"
      "<points method='list'><parameter path='Chain.drive' name='drive'/>"
      "<parameter path='Chain.coupling' name='coupling'/>"
      "<point values='1 0.05'/><point values='1.2 0.28'/><point values='1.5 0.3'/>"
      "<point values='1.15 0'/><point values='1.4 0.1'/></points><keep>"
      "<figure name='before' what='initial' of='Chain.spread' from='100'/>"
      "<figure name='after' what='final' of='Chain.spread'/>"
      "<figure name='exponent' is='(after - before)/300'/></keep></study>",
      model);
  Exponents found = { 0 };
  Fixture f;

  remove_file ("r.results");
  open_study (&f, text, "r.results", NULL);
  run_study (&f);
  weir_study_store_foreach (f.store, 0, 4, FALSE, take_exponent, &found, NULL);
  g_assert_cmpuint (found.n, ==, 5);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat_with_epsilon (found.exponents[i], settled[i], 1e-5);
  for (guint i = 3; i < 5; i++)
    {
      g_assert_cmpfloat (found.exponents[i], >, 0.04);
      g_assert_cmpfloat (found.exponents[i], <, 0.16);
    }
  close_study (&f);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("weir-study-XXXXXX", NULL);
  g_test_add_func ("/study/same/threads", test_threads);
  g_test_add_func ("/study/same/shards", test_shards);
  g_test_add_func ("/study/same/interrupted", test_interrupted);
  g_test_add_func ("/study/same/disk-full", test_disk_full);
  g_test_add_func ("/study/same/killed", test_killed);
  g_test_add_func ("/study/runs/told", test_told);
  g_test_add_func ("/study/same/processors", test_processors);
  g_test_add_func ("/study/files/hdf5", test_hdf5);
  g_test_add_func ("/study/files/looked-into", test_looked_into);
  g_test_add_func ("/study/files/endings", test_endings);
  g_test_add_func ("/study/cache/keys", test_cache);
  g_test_add_func ("/study/cache/planted-omission", test_planted_omission);
  g_test_add_func ("/study/cache/verify", test_verify);
  g_test_add_func ("/study/cache/misses", test_misses);
  g_test_add_func ("/study/cache/pins", test_pins);
  g_test_add_func ("/study/cache/is-bounded", test_cache_is_bounded);
  g_test_add_func ("/study/wrong/failed-points", test_failed_points);
  g_test_add_func ("/study/wrong/no-shard", test_no_shard);
  g_test_add_func ("/study/wrong/reasons-of-others", test_reasons_of_others);
  g_test_add_func ("/study/wrong/no-figure", test_no_figure);
  g_test_add_func ("/study/runs/elements", test_elements);
  g_test_add_func ("/study/runs/times-alone", test_times_alone);
  g_test_add_func ("/study/wrong/refusals", test_refusals);
  g_test_add_func ("/study/wrong/model-edited", test_model_edited);
  g_test_add_func ("/study/numbers/peak", test_peak);
  g_test_add_func ("/study/numbers/monte-carlo", test_monte_carlo);
  g_test_add_func ("/study/numbers/intervals", test_intervals);
  g_test_add_func ("/study/numbers/wilks", test_wilks);
  g_test_add_func ("/study/numbers/rebuilt", test_rebuilt);
  g_test_add_func ("/study/numbers/local", test_local);
  g_test_add_func ("/study/numbers/ishigami", test_ishigami);
  g_test_add_func ("/study/numbers/sobol-g", test_sobol_g);
  g_test_add_func ("/study/numbers/local-at-events", test_local_at_events);
  g_test_add_func ("/study/numbers/local-where-stiff", test_local_where_stiff);
  g_test_add_func ("/study/numbers/noise", test_noise);
  g_test_add_func ("/study/numbers/morris", test_morris);
  g_test_add_func ("/study/numbers/chaos", test_chaos);
  status = g_test_run ();
  if (status == 0)
    {
      g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
      const char *name;

      while ((name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *path = dup_path (name);

          g_unlink (path);
        }
      g_rmdir (folder);
    }
  g_free (folder);
  return status;
}

/* A study on many processors and machines: `mpirun -n 64 weir-worker FILE`.
 *
 * It is a program of its own, so that no other needs MPI. Rank 0 finds out which points have no
 * result yet, hands them out in chunks of about a second, and alone writes the file of results: a
 * chunk is there whole or not at all. The others compute, each in one thread. With one rank, that
 * one computes. What a point gives is the same bits however many there are.
 *
 * A rank that is killed ends the job (MPI does); the same command again computes what is missing.
 * What is handed out is noted beforehand: points that were out when a job ended are *suspects*.
 * They are computed by processes of their own, which a rank starts: where one is ended, its points
 * are halved, until a point alone has ended its process. That has ended its worker twice and
 * becomes a failed point, while the job goes on. So a job that is ended by others makes no point a
 * failed one, however often.
 *
 * Rank 0 asks the cache of runs of its machine beforehand, and tells it what the others computed.
 */
#include <locale.h>
#include <math.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/phrase.h"
#include "base/program.h"
#include "base/text.h"
#include "study/environment.h"
#include "study/run.h"

#define CHUNK_SECONDS 1.0
#define FIRST_CHUNK 4
#define MOST_CHUNK 4096
#define MOST_BYTES (64 << 20) /* that a chunk's results come to */
#define MOST_RUNS (256 << 20) /* bytes for the cache that go with them */
#define IDLE_US 500           /* between two looks for messages */

enum {
  EXIT_MODEL = 1,
  EXIT_USAGE,
  EXIT_RUN,
};

/* What messages are. */
enum {
  TAG_HELLO,    /* to rank 0: the code, the class of processor, the parts of keys, and the study */
  TAG_CHUNK,    /* to others: numbers of points; none: it is over */
  TAG_SUSPECTS, /* numbers of those that are to have processes of their own */
  TAG_RESULT, /* to rank 0: blocks of the seconds of computing, what put_result() writes of points,
                 and put_run() of runs; points without any have ended their process */
};

typedef struct {
  char *points, *results;
  gboolean retries, no_cache;
  char *apart; /* the points that this process is for; NULL: it is a rank */
  guint64 first, last;
} Options;

static void complain (const char *format, ...) G_GNUC_PRINTF (1, 2);

static void
complain (const char *format, ...)
{
  va_list list;

  va_start (list, format);
  fputs ("weir-worker: ", stderr);
  vfprintf (stderr, format, list);
  fputc ('\n', stderr);
  va_end (list);
}

/* --- Messages -------------------------------------------------------------------------------- */

static void
put (GByteArray *message, gconstpointer data, gsize size)
{
  g_byte_array_append (message, data, (guint) size);
}

static void
put_sized (GByteArray *message, gconstpointer data, gsize size)
{
  guint64 length = size;

  put (message, &length, sizeof length);
  if (size > 0)
    put (message, data, size);
}

/* What is read from; beyond its end there are noughts, and @is_short. */
typedef struct {
  const guint8 *at, *end;
  gboolean is_short;
} Reader;

static gconstpointer
take (Reader *reader, gsize size)
{
  const guint8 *at = reader->at;

  if ((gsize) (reader->end - at) < size)
    {
      reader->is_short = TRUE;
      return NULL;
    }
  reader->at += size;
  return at;
}

static guint64
take_number (Reader *reader)
{
  gconstpointer at = take (reader, sizeof (guint64));
  guint64 number = 0;

  if (at != NULL)
    memcpy (&number, at, sizeof number);
  return number;
}

static double
take_double (Reader *reader)
{
  gconstpointer at = take (reader, sizeof (double));
  double number = 0;

  if (at != NULL)
    memcpy (&number, at, sizeof number);
  return number;
}

/* (transfer full) (nullable) */
static WeirMessage *
take_reason (Reader *reader)
{
  guint64 length = take_number (reader);
  const char *at = length > 0 ? take (reader, length) : NULL;
  g_autofree char *stored = g_strndup (at, length);

  return stored != NULL ? weir_message_restore (stored) : NULL;
}

/* Waits for one from @rank without keeping a processor busy. @from, @what: (out) (nullable) whose
 * it is, and its tag. (transfer full) */
static GByteArray *
receive (int rank, int tag, int *from, int *what)
{
  GByteArray *message = g_byte_array_new ();
  MPI_Status status;
  int is_there = 0, size = 0;

  while (!is_there)
    {
      MPI_Iprobe (rank, tag, MPI_COMM_WORLD, &is_there, &status);
      if (!is_there)
        g_usleep (IDLE_US);
    }
  MPI_Get_count (&status, MPI_BYTE, &size);
  g_byte_array_set_size (message, (guint) size);
  MPI_Recv (message->data, size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
            MPI_STATUS_IGNORE);
  if (from != NULL)
    *from = status.MPI_SOURCE;
  if (what != NULL)
    *what = status.MPI_TAG;
  return message;
}

static void
send_bytes (int rank, int tag, gconstpointer data, gsize size)
{
  MPI_Send (data, (int) size, MPI_BYTE, rank, tag, MPI_COMM_WORLD);
}

/* Ends all ranks. */
static void
give_up (int status)
{
  fflush (stderr);
  MPI_Abort (MPI_COMM_WORLD, status);
}

/* --- A rank that computes -------------------------------------------------------------------- */

typedef struct {
  const WeirStudy *study;
  GByteArray *message, *runs;
} Sending;

static void
put_reason (GByteArray *message, const WeirMessage *reason)
{
  g_autofree char *stored = reason != NULL ? weir_message_store (reason) : NULL;

  put_sized (message, stored, stored != NULL ? strlen (stored) : 0);
}

/* Number, status, key, values, figures, reason, signals. */
static gboolean
put_result (const WeirPointResult *result, gpointer data)
{
  const Sending *sending = data;
  GByteArray *message = sending->message;
  guint64 status = result->status;
  gsize size = 0;
  gconstpointer signals = result->signals != NULL ? g_bytes_get_data (result->signals, &size)
                                                  : NULL;

  put (message, &result->i, sizeof result->i);
  put (message, &status, sizeof status);
  put (message, result->key, WEIR_RUN_KEY_SIZE);
  put (message, result->values, sending->study->parameters->len * sizeof (double));
  put (message, result->figures, sending->study->figures->len * sizeof (double));
  put_reason (message, result->reason);
  put_sized (message, signals, size);
  return TRUE;
}

/* Key, status, seconds, figures, reason, rows. What is too much for a message is left out: a cache
 * may lack anything. */
static void
put_run (const WeirRunKey *key, const WeirCachedRun *run, gpointer data)
{
  const Sending *sending = data;
  GByteArray *runs = sending->runs;
  guint64 status = run->status;
  gsize size = 0;
  gconstpointer rows = run->rows != NULL ? g_bytes_get_data (run->rows, &size) : NULL;

  if (size > MOST_RUNS - MIN (runs->len, MOST_RUNS))
    return;
  put (runs, key, sizeof *key);
  put (runs, &status, sizeof status);
  put (runs, &run->seconds, sizeof run->seconds);
  put (runs, run->figures, sending->study->figures->len * sizeof (double));
  put_reason (runs, run->reason);
  put_sized (runs, rows, size);
}

static WeirChosenPoint *
create_points (const WeirStudy *study, guint n, const guint64 *numbers, double *values)
{
  WeirChosenPoint *points = g_new (WeirChosenPoint, n);

  for (guint k = 0; k < n; k++)
    {
      double *of = values + (gsize) k * study->parameters->len;

      weir_study_get_point (study, numbers[k], of);
      points[k] = (WeirChosenPoint) { numbers[k], of };
    }
  return points;
}

/* Appends a block of what the points give. */
static gboolean
compute (const Options *options, const WeirStudy *study, const WeirStudySubject *subject,
         WeirStudyStore *store, guint n, const guint64 *numbers, GByteArray *message,
         GError **error)
{
  g_autofree double *values = g_new (double, (gsize) n * study->parameters->len + 1);
  g_autofree WeirChosenPoint *points = create_points (study, n, numbers, values);
  g_autoptr (GByteArray) results = g_byte_array_new (), runs = g_byte_array_new ();
  Sending sending = { study, results, runs };
  WeirStudyRunOptions run;
  WeirStudyProgress progress;
  double seconds;

  weir_study_run_options_init (&run, study);
  run.threads = 1;
  run.chosen = points;
  run.first = 0;
  run.last = n - 1;
  run.data = &sending;
  if (!options->no_cache && weir_study_subject_get_uncached_reason (subject) == NULL)
    run.keep = put_run;
  if (!weir_study_run (study, subject, store, &run, &progress, error)
      || !weir_study_store_foreach (store, 0, G_MAXINT64, TRUE, put_result, &sending, error)
      || !weir_study_store_drop (store, 0, G_MAXINT64, error))
    return FALSE;
  seconds = progress.seconds;
  put (message, &seconds, sizeof seconds);
  put_sized (message, results->data, results->len);
  put_sized (message, runs->data, runs->len);
  return TRUE;
}

static char *
dup_numbers (guint n, const guint64 *numbers)
{
  GString *text = g_string_new (NULL);

  for (guint k = 0; k < n; k++)
    g_string_append_printf (text, "%s%" G_GUINT64_FORMAT, k > 0 ? "," : "", numbers[k]);
  return g_string_free (text, FALSE);
}

/* The same by processes of their own. */
static gboolean
compute_apart (const Options *options, const WeirStudy *study, guint n, const guint64 *numbers,
               GByteArray *message, GError **error)
{
  g_autofree char *program = weir_program_find ("weir-worker");
  g_autofree char *points = dup_numbers (n, numbers);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GBytes) bytes = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, error, program, "--apart", points,
                              study->file, options->no_cache ? "--no-cache" : NULL, NULL);
  if (process == NULL || !g_subprocess_communicate (process, NULL, NULL, &bytes, NULL, error))
    return FALSE;
  if (g_subprocess_get_successful (process))
    {
      put (message, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
      return TRUE;
    }
  if (g_subprocess_get_if_signaled (process))
    return n == 1
           || (compute_apart (options, study, n / 2, numbers, message, error)
               && compute_apart (options, study, n - n / 2, numbers + n / 2, message, error));
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "the process for points %s failed", points);
  return FALSE;
}

static char *
calc_study_sum (const WeirStudy *study)
{
  g_autoptr (GBytes) bytes = weir_study_write_bytes (study);

  return g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
}

static void
serve (const Options *options, const WeirStudy *study, const WeirStudySubject *subject)
{
  g_autoptr (GByteArray) hello = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirStudyStore) store = weir_study_store_new (":memory:", study, NULL, &error);
  g_autofree char *sum = calc_study_sum (study);
  const char *words[] = { weir_environment_get_code (), weir_environment_get_processor (),
                          weir_study_subject_get_parts (subject), sum };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    put_sized (hello, words[i], strlen (words[i]) + 1);
  send_bytes (0, TAG_HELLO, hello->data, hello->len);
  while (error == NULL)
    {
      int tag;
      g_autoptr (GByteArray) chunk = receive (0, MPI_ANY_TAG, NULL, &tag);
      g_autoptr (GByteArray) message = g_byte_array_new ();
      guint n = chunk->len / (guint) sizeof (guint64);
      g_autofree guint64 *numbers = g_memdup2 (chunk->data, chunk->len);

      if (n == 0)
        return;
      if (tag == TAG_SUSPECTS
              ? compute_apart (options, study, n, numbers, message, &error)
              : compute (options, study, subject, store, n, numbers, message, &error))
        send_bytes (0, TAG_RESULT, message->data, message->len);
    }
  complain ("%s", error->message);
  give_up (EXIT_RUN);
}

/* A process of its own for some points: it ends with who has started it. */
static int
work_apart (const Options *options, const WeirStudy *study, const WeirStudySubject *subject)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirStudyStore) store = weir_study_store_new (":memory:", study, NULL, &error);
  g_auto (GStrv) texts = g_strsplit (options->apart, ",", -1);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GByteArray) message = g_byte_array_new ();

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  for (guint k = 0; texts[k] != NULL; k++)
    {
      guint64 number;

      if (!g_ascii_string_to_unsigned (texts[k], 10, 0, weir_study_get_n_points (study) - 1,
                                       &number, NULL))
        return EXIT_USAGE;
      g_array_append_val (numbers, number);
    }
  if (numbers->len == 0)
    return EXIT_USAGE;
  if (store == NULL
      || !compute (options, study, subject, store, numbers->len,
                   (const guint64 *) (gpointer) numbers->data, message, &error))
    {
      complain ("%s", error->message);
      return EXIT_RUN;
    }
  return fwrite (message->data, 1, message->len, stdout) == message->len && fflush (stdout) == 0
             ? 0
             : EXIT_RUN;
}

/* --- Rank 0 ---------------------------------------------------------------------------------- */

/* What a rank is at. */
typedef struct {
  GArray *chunk; /* guint64; empty: it has nothing to do */
  char *processor, *parts;
} Rank;

typedef struct {
  const WeirStudy *study;
  WeirStudyStore *store;
  GArray *plain, *suspects; /* WeirMissingPoint, of which so many are handed out: */
  guint n_plain, n_suspects;
  WeirRunCache *cache; /* or NULL */
  GHashTable *told;    /* guint64: points of the chunk that is written */
  Rank *ranks;
  int n_ranks, n_busy;
  double seconds_a_point, bytes_a_point; /* 0: not known */
  guint64 n_computed, n_failed, n_cached;
  GError *error;
} Job;

static int
compare_points (gconstpointer a, gconstpointer b)
{
  guint64 x = ((const WeirMissingPoint *) a)->i, y = ((const WeirMissingPoint *) b)->i;

  return (x > y) - (x < y);
}

/* Of a point that ended its worker twice. (transfer full) */
static WeirMessage *
create_killed (void)
{
  return weir_message_new (
      N_ ("its worker was ended twice while it ran; --retry makes it run again"));
}

static gboolean
write_killed (Job *job, const WeirMissingPoint *point)
{
  g_autofree double *values = g_new (double, job->study->parameters->len + 1);
  g_autofree double *figures = g_new (double, job->study->figures->len + 1);
  g_autoptr (WeirMessage) killed = create_killed ();
  const WeirPointResult result = { point->i, WEIR_POINT_FAILED, killed, point->key,
                                   values,   figures,           NULL };

  weir_study_get_point (job->study, point->i, values);
  for (guint f = 0; f < job->study->figures->len; f++)
    figures[f] = (double) NAN;
  job->n_failed++;
  return weir_study_store_begin (job->store, &job->error)
         && weir_study_store_put (job->store, &result, &job->error)
         && weir_study_store_end_attempt (job->store, point->i, &job->error)
         && weir_study_store_commit (job->store, &job->error);
}

/* Those that were out when a job ended are suspects. */
static void
sort_out (Job *job, GArray *missing)
{
  g_array_sort (missing, compare_points);
  for (guint k = 0; k < missing->len; k++)
    {
      const WeirMissingPoint *point = &g_array_index (missing, WeirMissingPoint, k);
      gboolean is_suspect = weir_study_store_get_n_attempts (job->store, point->i, point->key) > 0;

      g_array_append_vals (is_suspect ? job->suspects : job->plain, point, 1);
    }
}

/* Of so many that are left. */
static guint
choose_size (const Job *job, guint left)
{
  guint fair = MAX (left / (2 * (guint) job->n_ranks), 1);
  double n = job->seconds_a_point > 0 ? CHUNK_SECONDS / job->seconds_a_point : FIRST_CHUNK;

  if (job->bytes_a_point > 0)
    n = MIN (n, MOST_BYTES / job->bytes_a_point);
  return MIN (fair, (guint) CLAMP (n, 1, MOST_CHUNK));
}

/* Notes what is handed out, then does. FALSE and error: it cannot be noted. */
static gboolean
send_chunk (Job *job, int r, const WeirMissingPoint *points, guint n, gboolean is_suspect)
{
  Rank *rank = &job->ranks[r];
  g_autofree const guint8 **keys = g_new (const guint8 *, n);

  for (guint k = 0; k < n; k++)
    {
      g_array_append_val (rank->chunk, points[k].i);
      keys[k] = points[k].key;
    }
  if (!weir_study_store_note_attempts (
          job->store, n, (const guint64 *) (gpointer) rank->chunk->data, keys, &job->error))
    return FALSE;
  job->n_busy++;
  send_bytes (r, is_suspect ? TAG_SUSPECTS : TAG_CHUNK, rank->chunk->data, n * sizeof (guint64));
  return TRUE;
}

/* Suspects last: others are not held up. FALSE and error. */
static gboolean
hand_out (Job *job, int r)
{
  gboolean is_suspect = job->n_plain == job->plain->len;
  GArray *points = is_suspect ? job->suspects : job->plain;
  guint *n_out = is_suspect ? &job->n_suspects : &job->n_plain, first = *n_out;

  if (first == points->len)
    return TRUE;
  *n_out += choose_size (job, points->len - first);
  return send_chunk (job, r, &g_array_index (points, WeirMissingPoint, first), *n_out - first,
                     is_suspect);
}

/* NULL: nobody was to compute it. */
static const WeirMissingPoint *
find_point (const Job *job, guint64 i)
{
  const WeirMissingPoint sought = { .i = i };
  guint at;

  if (g_array_binary_search (job->plain, &sought, compare_points, &at))
    return &g_array_index (job->plain, WeirMissingPoint, at);
  return g_array_binary_search (job->suspects, &sought, compare_points, &at)
             ? &g_array_index (job->suspects, WeirMissingPoint, at)
             : NULL;
}

/* Processes of their own read the model anew, which may have been edited meanwhile. Keys of other
 * processors are others. */
static gboolean
is_expected (const Job *job, const Rank *rank, const WeirPointResult *result)
{
  const WeirMissingPoint *point = find_point (job, result->i);

  return point != NULL
         && (strcmp (rank->processor, weir_environment_get_processor ()) != 0
             || memcmp (point->key, result->key, WEIR_RUN_KEY_SIZE) == 0);
}

static gboolean
write_point (Job *job, const Rank *rank, Reader *reader)
{
  WeirPointResult result = { .i = take_number (reader) };
  guint64 status = take_number (reader), length;
  gsize n_values = job->study->parameters->len * sizeof (double);
  gsize n_figures = job->study->figures->len * sizeof (double);
  g_autofree double *values = g_malloc (n_values + 1), *figures = g_malloc (n_figures + 1);
  g_autoptr (GBytes) signals = NULL;
  g_autoptr (WeirMessage) reason = NULL;
  gconstpointer from;

  result.status = (WeirPointStatus) MIN (status, WEIR_POINT_ENDED);
  result.key = take (reader, WEIR_RUN_KEY_SIZE);
  if ((from = take (reader, n_values)) != NULL)
    memcpy (values, from, n_values);
  if ((from = take (reader, n_figures)) != NULL)
    memcpy (figures, from, n_figures);
  result.reason = reason = take_reason (reader);
  length = take_number (reader);
  if (length > 0 && (from = take (reader, length)) != NULL)
    result.signals = signals = g_bytes_new (from, length);
  result.values = values;
  result.figures = figures;
  if (reader->is_short)
    {
      g_set_error_literal (&job->error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                           "a rank sent less than the results of its points");
      return FALSE;
    }
  if (!is_expected (job, rank, &result))
    {
      g_set_error (&job->error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                   "point %" G_GUINT64_FORMAT " was computed from another model or study: they "
                   "were edited meanwhile",
                   result.i);
      return FALSE;
    }
  job->n_computed++;
  g_hash_table_add (job->told, g_memdup2 (&result.i, sizeof result.i));
  job->n_failed += result.status == WEIR_POINT_FAILED;
  return weir_study_store_put (job->store, &result, &job->error)
         && weir_study_store_end_attempt (job->store, result.i, &job->error);
}

/* FALSE: it is not whole, or cannot be written. */
static gboolean
cache_run (Job *job, Reader *reader)
{
  gsize n_figures = job->study->figures->len * sizeof (double);
  g_autofree double *figures = g_malloc (n_figures + 1);
  WeirCachedRun run = { .figures = figures };
  WeirRunKey key;
  gconstpointer from;
  guint64 status, length;
  gboolean ok;

  if ((from = take (reader, sizeof key)) != NULL)
    memcpy (&key, from, sizeof key);
  status = take_number (reader);
  run.status = (WeirPointStatus) MIN (status, WEIR_POINT_ENDED);
  run.seconds = take_double (reader);
  if ((from = take (reader, n_figures)) != NULL)
    memcpy (figures, from, n_figures);
  run.reason = take_reason (reader);
  length = take_number (reader);
  if (length > 0 && (from = take (reader, length)) != NULL)
    run.rows = g_bytes_new (from, length);
  ok = !reader->is_short
       && weir_run_cache_put (job->cache, &key, &run, job->study->figures->len, NULL);
  g_clear_pointer (&run.reason, weir_message_unref);
  g_clear_pointer (&run.rows, g_bytes_unref);
  return ok;
}

/* A cache that cannot be written is done without: results do not depend on it. */
static void
cache_runs (Job *job, const Rank *rank, Reader *reader)
{
  if (job->cache == NULL || reader->at == reader->end)
    return;
  weir_run_cache_set_parts (job->cache, rank->parts);
  if (!weir_run_cache_begin (job->cache, NULL))
    return;
  while (reader->at < reader->end)
    if (!cache_run (job, reader))
      break;
  weir_run_cache_commit (job->cache, NULL);
}

/* Each block: seconds, points, then runs. @seconds: (out) of all blocks. */
static gboolean
write_blocks (Job *job, const Rank *rank, GByteArray *message, double *seconds)
{
  Reader all = { message->data, message->data + message->len, FALSE };

  *seconds = 0;
  while (all.at < all.end)
    {
      guint64 length;
      Reader reader = { 0 };

      *seconds += take_double (&all);
      length = take_number (&all);
      reader.at = take (&all, length);

      reader.end = reader.at != NULL ? reader.at + length : NULL;
      while (reader.at < reader.end)
        if (!write_point (job, rank, &reader))
          return FALSE;
      take (&all, take_number (&all));
    }
  return TRUE;
}

static void
cache_blocks (Job *job, const Rank *rank, GByteArray *message)
{
  Reader all = { message->data, message->data + message->len, FALSE };

  while (all.at < all.end)
    {
      guint64 length;
      Reader reader = { 0 };

      take_double (&all);
      take (&all, take_number (&all));
      length = take_number (&all);
      reader.at = take (&all, length);
      reader.end = reader.at != NULL ? reader.at + length : NULL;
      cache_runs (job, rank, &reader);
    }
}

/* Points that ended a process of their own. */
static gboolean
write_untold (Job *job, const Rank *rank)
{
  for (guint k = 0; k < rank->chunk->len; k++)
    {
      guint64 i = g_array_index (rank->chunk, guint64, k);

      if (!g_hash_table_contains (job->told, &i) && !write_killed (job, find_point (job, i)))
        return FALSE;
    }
  return TRUE;
}

/* All of a chunk, or nothing; then the rank has nothing to do. */
static gboolean
write_chunk (Job *job, Rank *rank, GByteArray *message)
{
  double seconds;

  job->bytes_a_point = (double) message->len / rank->chunk->len;
  g_hash_table_remove_all (job->told);
  weir_study_store_set_processor (job->store, rank->processor);
  if (!weir_study_store_begin (job->store, &job->error)
      || !write_blocks (job, rank, message, &seconds)
      || !weir_study_store_commit (job->store, &job->error) || !write_untold (job, rank))
    return FALSE;
  job->seconds_a_point = seconds / rank->chunk->len;
  cache_blocks (job, rank, message);
  g_array_set_size (rank->chunk, 0);
  job->n_busy--;
  return TRUE;
}

/* Whoever has nothing to do gets something, if there is anything for it. */
static gboolean
feed (Job *job)
{
  for (int r = 1; r < job->n_ranks; r++)
    if (job->ranks[r].chunk->len == 0 && !hand_out (job, r))
      return FALSE;
  return TRUE;
}

static gboolean
work_off (Job *job)
{
  gboolean ok = feed (job);

  while (ok && job->n_busy > 0)
    {
      int from;
      g_autoptr (GByteArray) message = receive (MPI_ANY_SOURCE, TAG_RESULT, &from, NULL);

      ok = write_chunk (job, &job->ranks[from], message) && feed (job);
    }
  return ok;
}

/* Was another model read there, or another study? A processor of another class is none. */
static gboolean
is_other_study (const char *parts, const char *sum, const WeirStudySubject *subject,
                const WeirStudy *study)
{
  g_autofree char *own = calc_study_sum (study), *values = NULL;
  WeirRunPart part = weir_run_parts_compare (parts, weir_study_subject_get_parts (subject),
                                             &values);

  return g_strcmp0 (sum, own) != 0 || (part != WEIR_N_RUN_PARTS && part != WEIR_RUN_PART_PROCESSOR);
}

/* Ranks of another program would give other bits; those on other processors may. */
static gboolean
greet (Job *job, const WeirStudySubject *subject)
{
  guint n_others = 0;

  for (int r = 1; r < job->n_ranks; r++)
    {
      g_autoptr (GByteArray) hello = receive (r, TAG_HELLO, NULL, NULL);
      Reader reader = { hello->data, hello->data + hello->len, FALSE };
      const char *code = take (&reader, take_number (&reader));
      const char *processor = take (&reader, take_number (&reader));
      const char *parts = take (&reader, take_number (&reader));
      const char *sum = take (&reader, take_number (&reader));

      if (g_strcmp0 (code, weir_environment_get_code ()) != 0 || processor == NULL || parts == NULL)
        {
          complain ("rank %d runs another version of Weir or of the libraries it computes with; "
                    "install the same everywhere",
                    r);
          return FALSE;
        }
      if (is_other_study (parts, sum, subject, job->study))
        {
          complain (
              "rank %d has read another study or model than rank 0: they are being edited, or "
              "are others there; the same command again takes them as they are",
              r);
          return FALSE;
        }
      job->ranks[r].processor = g_strdup (processor);
      job->ranks[r].parts = g_strdup (parts);
      n_others += strcmp (processor, weir_environment_get_processor ()) != 0;
    }
  if (n_others > 0)
    complain ("warning: %u ranks have processors of another class than rank 0; the last bits of "
              "their points may differ",
              n_others);
  return TRUE;
}

static void
job_clear (Job *job)
{
  for (int r = 0; r < job->n_ranks; r++)
    {
      g_array_unref (job->ranks[r].chunk);
      g_free (job->ranks[r].processor);
      g_free (job->ranks[r].parts);
    }
  g_free (job->ranks);
  g_array_unref (job->plain);
  g_array_unref (job->suspects);
  g_hash_table_unref (job->told);
  g_clear_error (&job->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

static void
job_init (Job *job, const WeirStudy *study, WeirStudyStore *store, int n_ranks)
{
  *job = (Job) { .study = study, .store = store, .n_ranks = n_ranks };
  job->ranks = g_new0 (Rank, n_ranks);
  for (int r = 0; r < n_ranks; r++)
    job->ranks[r].chunk = g_array_new (FALSE, FALSE, sizeof (guint64));
  job->plain = g_array_new (FALSE, FALSE, sizeof (WeirMissingPoint));
  job->suspects = g_array_new (FALSE, FALSE, sizeof (WeirMissingPoint));
  job->told = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

static void
tell (const WeirStudy *study, const Job *job, guint64 n_kept, double seconds)
{
  fprintf (stderr,
           "%s: %" G_GUINT64_FORMAT " points in %.3g s: %" G_GUINT64_FORMAT
           " computed, %" G_GUINT64_FORMAT " from the cache, %" G_GUINT64_FORMAT
           " there before, %" G_GUINT64_FORMAT " failed\n",
           study->file, job->n_computed + job->n_cached + n_kept, seconds, job->n_computed,
           job->n_cached, n_kept, job->n_failed);
}

/* Alone, it computes itself. */
static gboolean
run_alone (const Options *options, const WeirStudySubject *subject, Job *job, guint64 *n_kept)
{
  WeirStudyRunOptions run;
  WeirStudyProgress progress;

  weir_study_run_options_init (&run, job->study);
  run.threads = 1;
  run.first = options->first;
  run.last = options->last;
  run.cache = job->cache;
  if (!weir_study_run (job->study, subject, job->store, &run, &progress, &job->error))
    return FALSE;
  job->n_computed = progress.n_computed;
  job->n_cached = progress.n_cached + progress.n_worked_out;
  job->n_failed = progress.n_failed;
  *n_kept = progress.n_kept;
  return TRUE;
}

/* Points without a result; those that make no sense are failed ones at once, those that the cache
 * has are done with. */
static gboolean
find_missing (const Options *options, const WeirStudySubject *subject, Job *job, guint64 *n_kept)
{
  g_autoptr (GArray) missing = g_array_new (FALSE, FALSE, sizeof (WeirMissingPoint));
  WeirStudyRunOptions run;
  WeirStudyProgress progress;

  weir_study_run_options_init (&run, job->study);
  run.threads = 1;
  run.first = options->first;
  run.last = options->last;
  run.missing = missing;
  run.cache = job->cache;
  if (!weir_study_run (job->study, subject, job->store, &run, &progress, &job->error))
    return FALSE;
  *n_kept = progress.n_kept;
  job->n_cached = progress.n_cached + progress.n_worked_out;
  job->n_failed = progress.n_failed;
  sort_out (job, missing);
  return TRUE;
}

/* NULL: it is done without, and told why if that is no wish. */
static WeirRunCache *
open_cache (const Options *options, const WeirStudy *study, const WeirStudySubject *subject)
{
  g_autoptr (GError) error = NULL;
  const char *reason = weir_study_subject_get_uncached_reason (subject);
  WeirRunCache *cache = NULL;

  if (options->no_cache)
    return NULL;
  if (reason == NULL)
    cache = weir_run_cache_new (NULL, 0, &error);
  if (cache == NULL)
    complain ("%s: runs are not cached: %s", study->file, reason != NULL ? reason : error->message);
  return cache;
}

static int
lead (const Options *options, const WeirStudy *study, const WeirStudySubject *subject, int n_ranks)
{
  g_autoptr (WeirStudyStore) store = NULL;
  g_autoptr (WeirRunCache) cache = NULL;
  g_autoptr (WeirMessage) killed = create_killed ();
  g_auto (Job) job = { 0 };
  g_autofree char *note = NULL;
  gint64 start = g_get_monotonic_time ();
  guint64 n_kept = 0;
  gboolean ok;

  job_init (&job, study, NULL, n_ranks);
  if (!greet (&job, subject))
    return EXIT_RUN;
  job.store = store = weir_study_store_new (options->results, study, &note, &job.error);
  job.cache = cache = open_cache (options, study, subject);
  if (note != NULL)
    complain ("%s", note);
  ok = store != NULL
       && (!options->retries || weir_study_store_forget_attempts (store, killed, &job.error));
  if (ok && n_ranks == 1)
    ok = run_alone (options, subject, &job, &n_kept);
  else if (ok)
    ok = find_missing (options, subject, &job, &n_kept) && work_off (&job);
  if (!ok)
    {
      complain ("%s: %s; what was written stays, and the same command again goes on from there",
                study->file, job.error->message);
      return EXIT_RUN;
    }
  for (int r = 1; r < n_ranks; r++)
    send_bytes (r, TAG_CHUNK, NULL, 0);
  if (!weir_study_subject_is_model_unchanged (subject))
    complain (
        "%s: warning: %s was changed meanwhile; these results are of the model as it was. The "
        "same command again makes those runs anew that the change reaches",
        study->file, weir_study_subject_get_model_path (subject));
  tell (study, &job, n_kept, (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC);
  return 0;
}

/* --- The program ----------------------------------------------------------------------------- */

static gboolean
parse_points (Options *options, guint64 n)
{
  g_auto (GStrv) ends = NULL;

  options->last = n - 1;
  if (options->points == NULL)
    return TRUE;
  ends = g_strsplit (options->points, "-", 2);
  return ends[0] != NULL
         && g_ascii_string_to_unsigned (ends[0], 10, 0, n - 1, &options->first, NULL)
         && g_ascii_string_to_unsigned (ends[1] != NULL ? ends[1] : ends[0], 10, options->first,
                                        n - 1, &options->last, NULL);
}

static void
print_diagnostics (const WeirDiagnostics *diagnostics)
{
  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    {
      g_autofree char *line = weir_diagnostic_to_string (weir_diagnostics_get (diagnostics, i));

      printf ("%s\n", line);
    }
}

static char *
dup_results_path (const char *file)
{
  g_autofree char *stem = g_str_has_suffix (file, ".weirstudy")
                              ? g_strndup (file, strlen (file) - strlen (".weirstudy"))
                              : g_strdup (file);

  return g_strconcat (stem, ".results", NULL);
}

/* Every rank reads the study and its model; rank 0 says what is wrong with them. */
static int
work (Options *options, const char *file, int rank, int n_ranks)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirStudy) study = weir_study_read_file (file, diagnostics);
  g_autoptr (WeirStudySubject) subject = NULL;

  if (study != NULL && weir_study_is_search (study))
    {
      if (rank == 0)
        complain ("%s: a search asks for one point after the other; weir study makes it", file);
      return EXIT_USAGE;
    }
  if (study != NULL && !parse_points (options, weir_study_get_n_points (study)))
    {
      if (rank == 0)
        complain ("--points %s: the first and the last point are needed, such as 0-99",
                  options->points);
      return EXIT_USAGE;
    }
  if (study != NULL)
    subject = weir_study_subject_new (study, diagnostics);
  if (subject == NULL)
    {
      if (rank == 0)
        print_diagnostics (diagnostics);
      return EXIT_MODEL;
    }
  if (options->apart != NULL)
    return work_apart (options, study, subject);
  if (options->results == NULL)
    options->results = dup_results_path (file);
  if (rank == 0)
    return lead (options, study, subject, n_ranks);
  serve (options, study, subject);
  return 0;
}

static gboolean
parse_options (Options *options, int *argc, char ***argv, int rank)
{
  const GOptionEntry entries[] = {
    { "points", 0, 0, G_OPTION_ARG_STRING, &options->points,
      "Make the runs of these points only, such as 0-99", "A-B" },
    { "results", 0, 0, G_OPTION_ARG_FILENAME, &options->results,
      "The file of results; by default beside the study, ending in .results", "FILE" },
    { "retry", 0, 0, G_OPTION_ARG_NONE, &options->retries,
      "Run points again that are failed because they ended their worker", NULL },
    { "no-cache", 0, 0, G_OPTION_ARG_NONE, &options->no_cache,
      "Make every run, whatever is known of it", NULL },
    { "apart", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &options->apart,
      "Make the runs of these points without MPI, and write what they give", "I,I" },
    { 0 },
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("FILE.weirstudy");
  g_autoptr (GError) error = NULL;

  g_option_context_set_summary (context,
                                "Makes the runs of a study on many processors and machines, under "
                                "mpirun.\nweir study FILE prints what they say together.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (g_option_context_parse (context, argc, argv, &error) && *argc == 2)
    return TRUE;
  if (rank == 0)
    complain ("%s; see --help", error != NULL ? error->message : "one study is needed");
  return FALSE;
}

/* A process that a rank has started is none itself: MPI would take it for that rank. */
static int
work_as_rank (Options *options, int *argc, char ***argv)
{
  int rank, n_ranks, status = EXIT_USAGE;

  MPI_Init (argc, argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &n_ranks);
  if (parse_options (options, argc, argv, rank))
    status = work (options, (*argv)[1], rank, n_ranks);
  /* Others may wait for what will not come. */
  if (status == EXIT_RUN)
    give_up (status);
  MPI_Finalize ();
  return status;
}

int
main (int argc, char **argv)
{
  Options options = { 0 };
  int status = EXIT_USAGE;

  setlocale (LC_ALL, "");
  if (argc < 2 || strcmp (argv[1], "--apart") != 0)
    status = work_as_rank (&options, &argc, &argv);
  else if (parse_options (&options, &argc, &argv, 0))
    status = work (&options, argv[1], 0, 1);
  g_free (options.points);
  g_free (options.results);
  g_free (options.apart);
  return status;
}

/* A study on many processors and machines: `mpirun -n 64 weir-worker FILE`.
 *
 * It is a program of its own, so that no other needs MPI. Rank 0 finds out which points have no
 * result yet, hands them out in chunks of about a second, and alone writes the file of results: a
 * chunk is there whole or not at all. The others compute, each in one thread. With one rank, that
 * one computes. What a point gives is the same bits however many there are.
 *
 * A rank that is killed ends the job (MPI does); the same command again computes what is missing.
 * What is handed out is noted beforehand: points that were out when a job ended are *suspects*,
 * which are handed out one by one, one at a time in all, so that one that ends its worker twice is
 * known for it and becomes a failed point.
 */
#include <locale.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "study/environment.h"
#include "study/run.h"

#define CHUNK_SECONDS 1.0
#define FIRST_CHUNK 4
#define MOST_CHUNK 4096
#define IDLE_US 500 /* between two looks for messages */
#define KILLED "its worker was ended twice while it ran; --retry makes it run again"

enum {
  EXIT_MODEL = 1,
  EXIT_USAGE,
  EXIT_RUN,
};

/* What messages are. */
enum {
  TAG_HELLO,  /* to rank 0: the code, and the class of processor */
  TAG_CHUNK,  /* to others: numbers of points; none: it is over */
  TAG_RESULT, /* to rank 0: what put_result() writes of each point */
};

typedef struct {
  char *points, *results;
  gboolean retries;
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

/* Waits for one from @rank without keeping a processor busy. (transfer full) */
static GByteArray *
receive (int rank, int tag, int *from)
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
  GByteArray *message;
} Sending;

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
  put_sized (message, result->reason, result->reason != NULL ? strlen (result->reason) + 1 : 0);
  put_sized (message, signals, size);
  return TRUE;
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

static gboolean
compute (const WeirStudy *study, const WeirStudySubject *subject, WeirStudyStore *store, guint n,
         const guint64 *numbers, GError **error)
{
  g_autofree double *values = g_new (double, (gsize) n * study->parameters->len + 1);
  g_autofree WeirChosenPoint *points = create_points (study, n, numbers, values);
  WeirStudyRunOptions options;
  WeirStudyProgress progress;

  weir_study_run_options_init (&options, study);
  options.threads = 1;
  options.chosen = points;
  options.first = 0;
  options.last = n - 1;
  return weir_study_run (study, subject, store, &options, &progress, error);
}

static void
serve (const WeirStudy *study, const WeirStudySubject *subject)
{
  g_autoptr (GByteArray) hello = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirStudyStore) store = weir_study_store_new (":memory:", study, NULL, &error);
  const char *code = weir_environment_get_code (), *processor = weir_environment_get_processor ();

  put_sized (hello, code, strlen (code) + 1);
  put_sized (hello, processor, strlen (processor) + 1);
  send_bytes (0, TAG_HELLO, hello->data, hello->len);
  while (error == NULL)
    {
      g_autoptr (GByteArray) chunk = receive (0, TAG_CHUNK, NULL), message = g_byte_array_new ();
      guint n = chunk->len / (guint) sizeof (guint64);
      g_autofree guint64 *numbers = g_memdup2 (chunk->data, chunk->len + 1);
      Sending sending = { study, message };

      if (n == 0)
        return;
      if (compute (study, subject, store, n, numbers, &error)
          && weir_study_store_foreach (store, 0, G_MAXINT64, TRUE, put_result, &sending, &error)
          && weir_study_store_drop (store, 0, G_MAXINT64, &error))
        send_bytes (0, TAG_RESULT, message->data, message->len);
    }
  complain ("%s", error->message);
  give_up (EXIT_RUN);
}

/* --- Rank 0 ---------------------------------------------------------------------------------- */

/* What a rank is at. */
typedef struct {
  GArray *chunk; /* guint64; empty: it has nothing to do */
  gint64 since;  /* us */
  gboolean is_suspect;
  char *processor;
} Rank;

typedef struct {
  const WeirStudy *study;
  WeirStudyStore *store;
  GArray *plain, *suspects; /* WeirMissingPoint, of which so many are handed out: */
  guint n_plain, n_suspects;
  gboolean is_suspect_out;
  Rank *ranks;
  int n_ranks, n_busy;
  double seconds_a_point; /* 0: not known */
  guint64 n_computed, n_failed;
  GError *error;
} Job;

static int
compare_points (gconstpointer a, gconstpointer b)
{
  guint64 x = ((const WeirMissingPoint *) a)->i, y = ((const WeirMissingPoint *) b)->i;

  return (x > y) - (x < y);
}

/* That ended its worker twice. */
static gboolean
write_killed (Job *job, const WeirMissingPoint *point)
{
  g_autofree double *values = g_new (double, job->study->parameters->len + 1);
  g_autofree double *figures = g_new (double, job->study->figures->len + 1);
  const WeirPointResult result = { point->i, WEIR_POINT_FAILED, KILLED, point->key,
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
static gboolean
sort_out (Job *job, GArray *missing)
{
  g_array_sort (missing, compare_points);
  for (guint k = 0; k < missing->len; k++)
    {
      const WeirMissingPoint *point = &g_array_index (missing, WeirMissingPoint, k);
      guint n = weir_study_store_get_n_attempts (job->store, point->i, point->key);

      if (n >= 2 && !write_killed (job, point))
        return FALSE;
      if (n < 2)
        g_array_append_vals (n == 1 ? job->suspects : job->plain, point, 1);
    }
  return TRUE;
}

static guint
choose_size (const Job *job)
{
  guint left = job->plain->len - job->n_plain, fair = MAX (left / (2 * (guint) job->n_ranks), 1);
  double n = job->seconds_a_point > 0 ? CHUNK_SECONDS / job->seconds_a_point : FIRST_CHUNK;

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
  rank->is_suspect = is_suspect;
  rank->since = g_get_monotonic_time ();
  if (!weir_study_store_note_attempts (
          job->store, n, (const guint64 *) (gpointer) rank->chunk->data, keys, &job->error))
    return FALSE;
  job->n_busy++;
  send_bytes (r, TAG_CHUNK, rank->chunk->data, n * sizeof (guint64));
  return TRUE;
}

/* One suspect at a time, beside it others. FALSE and error. */
static gboolean
hand_out (Job *job, int r)
{
  guint n;

  if (job->n_suspects < job->suspects->len && !job->is_suspect_out)
    {
      job->is_suspect_out = TRUE;
      return send_chunk (
          job, r, &g_array_index (job->suspects, WeirMissingPoint, job->n_suspects++), 1, TRUE);
    }
  if (job->n_plain == job->plain->len)
    return TRUE;
  n = choose_size (job);
  job->n_plain += n;
  return send_chunk (job, r, &g_array_index (job->plain, WeirMissingPoint, job->n_plain - n), n,
                     FALSE);
}

static gboolean
write_point (Job *job, Reader *reader)
{
  WeirPointResult result = { .i = take_number (reader) };
  guint64 status = take_number (reader), length;
  gsize n_values = job->study->parameters->len * sizeof (double);
  gsize n_figures = job->study->figures->len * sizeof (double);
  g_autofree double *values = g_malloc (n_values + 1), *figures = g_malloc (n_figures + 1);
  g_autoptr (GBytes) signals = NULL;
  gconstpointer from;

  result.status = (WeirPointStatus) MIN (status, WEIR_POINT_ENDED);
  result.key = take (reader, WEIR_RUN_KEY_SIZE);
  if ((from = take (reader, n_values)) != NULL)
    memcpy (values, from, n_values);
  if ((from = take (reader, n_figures)) != NULL)
    memcpy (figures, from, n_figures);
  length = take_number (reader);
  result.reason = length > 0 ? take (reader, length) : NULL;
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
  job->n_computed++;
  job->n_failed += result.status == WEIR_POINT_FAILED;
  return weir_study_store_put (job->store, &result, &job->error)
         && weir_study_store_end_attempt (job->store, result.i, &job->error);
}

/* All of a chunk, or nothing. */
static gboolean
write_chunk (Job *job, Rank *rank, GByteArray *message)
{
  Reader reader = { message->data, message->data + message->len, FALSE };
  double seconds = (double) (g_get_monotonic_time () - rank->since) / G_USEC_PER_SEC;

  job->seconds_a_point = seconds / rank->chunk->len;
  weir_study_store_set_processor (job->store, rank->processor);
  if (!weir_study_store_begin (job->store, &job->error))
    return FALSE;
  while (reader.at < reader.end)
    if (!write_point (job, &reader))
      return FALSE;
  if (rank->is_suspect)
    job->is_suspect_out = FALSE;
  g_array_set_size (rank->chunk, 0);
  job->n_busy--;
  return weir_study_store_commit (job->store, &job->error);
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
      g_autoptr (GByteArray) message = receive (MPI_ANY_SOURCE, TAG_RESULT, &from);

      ok = write_chunk (job, &job->ranks[from], message) && feed (job);
    }
  return ok;
}

/* Ranks of another program would give other bits; those on other processors may. */
static gboolean
greet (Job *job)
{
  guint n_others = 0;

  for (int r = 1; r < job->n_ranks; r++)
    {
      g_autoptr (GByteArray) hello = receive (r, TAG_HELLO, NULL);
      Reader reader = { hello->data, hello->data + hello->len, FALSE };
      const char *code = take (&reader, take_number (&reader));
      const char *processor = take (&reader, take_number (&reader));

      if (g_strcmp0 (code, weir_environment_get_code ()) != 0 || processor == NULL)
        {
          complain ("rank %d runs another version of Weir or of the libraries it computes with; "
                    "install the same everywhere",
                    r);
          return FALSE;
        }
      job->ranks[r].processor = g_strdup (processor);
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
    }
  g_free (job->ranks);
  g_array_unref (job->plain);
  g_array_unref (job->suspects);
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
}

static void
tell (const WeirStudy *study, const Job *job, guint64 n_kept, double seconds)
{
  fprintf (stderr,
           "%s: %" G_GUINT64_FORMAT " points in %.3g s: %" G_GUINT64_FORMAT
           " computed, %" G_GUINT64_FORMAT " there before, %" G_GUINT64_FORMAT " failed\n",
           study->file, job->n_computed + n_kept, seconds, job->n_computed, n_kept, job->n_failed);
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
  if (!weir_study_run (job->study, subject, job->store, &run, &progress, &job->error))
    return FALSE;
  job->n_computed = progress.n_computed;
  job->n_failed = progress.n_failed;
  *n_kept = progress.n_kept;
  return TRUE;
}

/* Points without a result; those that make no sense are failed ones at once. */
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
  if (!weir_study_run (job->study, subject, job->store, &run, &progress, &job->error))
    return FALSE;
  *n_kept = progress.n_kept;
  job->n_failed = progress.n_failed;
  return sort_out (job, missing);
}

static int
lead (const Options *options, const WeirStudy *study, const WeirStudySubject *subject, int n_ranks)
{
  g_autoptr (WeirStudyStore) store = NULL;
  g_auto (Job) job = { 0 };
  g_autofree char *note = NULL;
  gint64 start = g_get_monotonic_time ();
  guint64 n_kept = 0;
  gboolean ok;

  job_init (&job, study, NULL, n_ranks);
  if (!greet (&job))
    return EXIT_RUN;
  job.store = store = weir_study_store_new (options->results, study, &note, &job.error);
  if (note != NULL)
    complain ("%s", note);
  ok = store != NULL
       && (!options->retries || weir_study_store_forget_attempts (store, KILLED, &job.error));
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
  if (options->results == NULL)
    options->results = dup_results_path (file);
  if (rank == 0)
    return lead (options, study, subject, n_ranks);
  serve (study, subject);
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

int
main (int argc, char **argv)
{
  g_autofree char *points = NULL, *results = NULL;
  Options options = { 0 };
  int rank, n_ranks, status = EXIT_USAGE;

  setlocale (LC_ALL, "");
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &n_ranks);
  if (parse_options (&options, &argc, &argv, rank))
    status = work (&options, argv[1], rank, n_ranks);
  points = options.points;
  results = options.results;
  /* Others may wait for what will not come. */
  if (status == EXIT_RUN)
    give_up (status);
  MPI_Finalize ();
  return status;
}

/* Running a study. See run.h.
 *
 * Workers take chunks of points. A worker works out the keys of its chunk; what has a result or is
 * in the cache is done with; the rest are the members of an ensemble of the worker's own, whose
 * ends it digests itself. Then it writes the chunk, in the order of its points, while it holds the
 * lock: there is one writer, and a commit a chunk.
 */
#include "study/run.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "base/status.h"
#include "base/sync.h"
#include "base/tasks.h"

#define CHUNK_SECONDS 0.5
#define MOST_CHUNK 4096
#define LEAST_CHUNK 64 /* members that an ensemble advances together, where they are quick */
#define FIRST_CHUNK 16
#define PROGRESS_INTERVAL (G_USEC_PER_SEC / 10)
#define VERIFY_STREAM (1 << 23)

typedef struct {
  const WeirStudy *study;
  const WeirStudySubject *subject;
  WeirStudyStore *store;
  const WeirStudyRunOptions *options;
  guint n_threads;
  guint n_values, n_figures;
  gboolean keeps_signals;
  GMutex lock; /* all below, store and cache */
  guint64 next;
  guint64 n_run;        /* points whose runs were made */
  double seconds_a_run; /* of a thread; 0 = not known */
  WeirStudyProgress progress;
  gint64 start, last_report; /* us */
  GError *error;
  gint is_stopped; /* atomic */
} Run;

typedef struct {
  guint64 i;
  double *values, *figures;
  WeirContext *start; /* NULL: it could not be made, see @reason */
  WeirRunPlan *plan;  /* the subject's or its own */
  WeirRunKey key;
  WeirPointStatus status;
  WeirMessage *reason;
  GBytes *signals;
  GBytes *rows; /* as recorded, for the cache */
  double seconds;
  gboolean is_kept, is_computed, is_used, is_verified;
  gboolean is_left;     /* to whoever asked what is missing */
  WeirCachedRun cached; /* where it is verified */
  gboolean differs;
} Point;

typedef struct {
  Run *run;
  WeirEnsemble *ensemble; /* of the subject's plan */
  WeirRunDigester *digester;
  GArray *chunk;   /* Point */
  GArray *members; /* guint: places in @chunk, of those that run together */
} Worker;

void
weir_study_run_options_init (WeirStudyRunOptions *options, const WeirStudy *study)
{
  *options = (WeirStudyRunOptions) { .last = weir_study_get_n_points (study) - 1 };
}

double
weir_study_progress_get_left (const WeirStudyProgress *self)
{
  guint64 n_new = self->n_ended - self->n_kept;

  return n_new > 0 ? self->seconds / (double) n_new * (double) (self->n - self->n_ended)
                   : (double) NAN;
}

static void
clear_point (gpointer data)
{
  Point *point = data;

  g_clear_pointer (&point->start, weir_context_free);
  g_free (point->values);
  g_free (point->figures);
  weir_message_unref (point->reason);
  g_clear_pointer (&point->signals, g_bytes_unref);
  g_clear_pointer (&point->rows, g_bytes_unref);
  weir_cached_run_clear (&point->cached);
}

static gboolean
is_stopped (const Run *run)
{
  return g_atomic_int_get (&run->is_stopped) != 0
         || (run->options->cancel != NULL && g_atomic_int_get (run->options->cancel) != 0);
}

/* Takes the first failure, and ends all. With the lock. */
static void
stop (Run *run, GError *error)
{
  if (run->error == NULL)
    run->error = error;
  else
    g_error_free (error);
  g_atomic_int_set (&run->is_stopped, TRUE);
}

/* --- Chunks ---------------------------------------------------------------------------------- */

/* With the lock. Long ones cost progress when they are lost, and threads wait for the last. */
static guint64
choose_chunk (const Run *run)
{
  guint64 left = run->options->last + 1 - run->next;
  guint64 fair = MAX (left / (3 * run->n_threads), 1), n = FIRST_CHUNK;

  if (run->options->chunk > 0)
    return MIN (run->options->chunk, left);
  if (run->seconds_a_run > 0)
    n = (guint64) CLAMP (CHUNK_SECONDS / run->seconds_a_run, 1, MOST_CHUNK);
  if (n > LEAST_CHUNK)
    fair = MAX (fair, LEAST_CHUNK);
  return MIN (MIN (n, fair), left);
}

static gboolean
take_chunk (Worker *worker)
{
  Run *run = worker->run;
  guint64 first, n = 0;

  weir_sync_lock (&run->lock);
  if (run->next <= run->options->last)
    n = choose_chunk (run);
  first = run->next;
  run->next += n;
  weir_sync_unlock (&run->lock);

  g_array_set_size (worker->chunk, 0);
  for (guint64 k = 0; k < n; k++)
    {
      const WeirChosenPoint *chosen = run->options->chosen;
      Point point = { .i = chosen != NULL ? chosen[first + k].i : first + k };

      point.values = g_new (double, run->n_values + 1);
      point.figures = g_new (double, run->n_figures + 1);
      for (guint f = 0; f < run->n_figures; f++)
        point.figures[f] = NAN;
      if (chosen != NULL)
        memcpy (point.values, chosen[first + k].values, run->n_values * sizeof (double));
      else
        weir_study_get_point (run->study, point.i, point.values);
      g_array_append_val (worker->chunk, point);
    }
  return n > 0;
}

/* --- Keys ------------------------------------------------------------------------------------ */

/* A point that makes no sense has a key too: of its values and why. */
static void
calc_failed_key (const Run *run, Point *point)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize length = WEIR_RUN_KEY_SIZE;

  g_checksum_update (checksum, (const guchar *) point->values,
                     (gssize) (run->n_values * sizeof (double)));
  g_checksum_update (checksum, (const guchar *) weir_message_get_text (point->reason), -1);
  g_checksum_get_digest (checksum, point->key.whole, &length);
}

static void
fail (Point *point, const GError *error)
{
  point->status = WEIR_POINT_FAILED;
  weir_message_unref (point->reason);
  point->reason = weir_message_new ("%s", weir_error_get_text (error));
}

static void
prepare_points (Worker *worker)
{
  const Run *run = worker->run;

  for (guint k = 0; k < worker->chunk->len; k++)
    {
      Point *point = &g_array_index (worker->chunk, Point, k);
      g_autoptr (GError) error = NULL;

      point->start = weir_study_subject_create_context (run->subject, point->values, &point->plan,
                                                        &error);
      if (point->start != NULL)
        weir_run_plan_calc_key (point->plan, point->start, point->values, &point->key);
      else
        {
          fail (point, error);
          calc_failed_key (run, point);
        }
    }
}

/* --- What is there already ------------------------------------------------------------------- */

/* From what was recorded of a run. FALSE: that cannot be; the run is to be made. */
static gboolean
work_out (const Run *run, WeirRunDigester *digester, Point *point, GBytes *bytes)
{
  guint n = weir_run_plan_get_n_recorded (point->plan);
  g_autofree const double **columns = g_new (const double *, n + 1);
  g_autoptr (GError) error = NULL;
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  WeirRunRows rows;

  if (!weir_run_rows_from_bytes (&rows, data, size, columns, n))
    return FALSE;
  if (!weir_run_digester_calc (digester, point->start, &rows, point->values, point->figures,
                               &point->signals, &error))
    fail (point, error);
  return TRUE;
}

/* Takes what the cache has. FALSE: it is of no use. */
static gboolean
take_cached (Worker *worker, Point *point, WeirCachedRun *cached)
{
  Run *run = worker->run;
  gboolean is_own = point->plan != weir_study_subject_get_plan (run->subject);
  g_autoptr (WeirRunDigester) own = is_own ? weir_run_digester_new (run->subject, point->plan)
                                           : NULL;

  point->status = cached->status;
  point->reason = weir_message_ref (cached->reason);
  if (cached->status == WEIR_POINT_FAILED)
    return TRUE;
  if (!cached->is_whole || run->keeps_signals)
    return cached->rows != NULL
           && work_out (run, is_own ? own : worker->digester, point, cached->rows);
  memcpy (point->figures, cached->figures, run->n_figures * sizeof (double));
  return TRUE;
}

static gboolean
is_chosen (const Run *run, const Point *point)
{
  return run->options->verified_share > 0
         && weir_random_uniform ((guint64) run->start, point->i, VERIFY_STREAM)
                < run->options->verified_share;
}

/* With the lock. */
static void
note_miss (Run *run, const Point *point)
{
  const char *values = NULL;
  WeirRunPart part = weir_run_cache_explain (run->options->cache, &point->key, &values);

  run->progress.n_missed[part]++;
  if (values != NULL && run->progress.changed[0] == '\0')
    g_utf8_strncpy (run->progress.changed, values, sizeof run->progress.changed / 4);
}

/* With the lock: the cache is one thread's at a time. What is verified is kept beside the point. */
static void
look_up (Worker *worker, Point *point)
{
  Run *run = worker->run;
  WeirRunCache *cache = run->options->cache;
  WeirCachedRun cached = { 0 };

  point->is_kept = weir_study_store_has (run->store, point->i, point->key.whole, point->values)
                   && (point->start == NULL || !is_chosen (run, point));
  if (point->is_kept || point->start == NULL || cache == NULL)
    return;
  if (!weir_run_cache_find (cache, &point->key, run->n_figures, run->keeps_signals, &cached))
    {
      note_miss (run, point);
      return;
    }
  if (is_chosen (run, point))
    {
      weir_cached_run_clear (&cached);
      point->is_verified = weir_run_cache_find (cache, &point->key, run->n_figures, TRUE,
                                                &point->cached);
      return;
    }
  point->is_used = take_cached (worker, point, &cached);
  if (point->is_used)
    {
      run->progress.seconds_saved += cached.seconds;
      if (cached.is_sinking)
        weir_run_cache_use (cache, &point->key);
      if (cached.is_whole || cached.status == WEIR_POINT_FAILED)
        run->progress.n_cached++;
      else
        run->progress.n_worked_out++;
    }
  else
    {
      point->status = WEIR_POINT_DONE;
      g_clear_pointer (&point->reason, weir_message_unref);
    }
  weir_cached_run_clear (&cached);
}

static void
look_up_all (Worker *worker)
{
  Run *run = worker->run;

  weir_sync_lock (&run->lock);
  weir_study_store_begin_looking (run->store);
  if (run->options->cache != NULL)
    weir_run_cache_begin_looking (run->options->cache);
  for (guint k = 0; k < worker->chunk->len; k++)
    look_up (worker, &g_array_index (worker->chunk, Point, k));
  if (run->options->cache != NULL)
    weir_run_cache_end_looking (run->options->cache);
  weir_study_store_end_looking (run->store);
  weir_sync_unlock (&run->lock);
}

/* What would be run is told instead. */
static void
leave_missing (Worker *worker)
{
  Run *run = worker->run;

  weir_sync_lock (&run->lock);
  for (guint k = 0; k < worker->chunk->len; k++)
    {
      Point *point = &g_array_index (worker->chunk, Point, k);
      WeirMissingPoint missing = { .i = point->i };

      point->is_left = !point->is_kept && !point->is_used && point->start != NULL;
      memcpy (missing.key, point->key.whole, sizeof missing.key);
      if (point->is_left)
        g_array_append_val (run->options->missing, missing);
    }
  weir_sync_unlock (&run->lock);
}

/* --- Runs ------------------------------------------------------------------------------------ */

static gboolean
prepare_member (gsize member, WeirContext *context, gpointer data, GError **error)
{
  Worker *worker = data;
  const Point *point = &g_array_index (worker->chunk, Point,
                                       g_array_index (worker->members, guint, member));

  return weir_context_set_time_state_and_parameters_from (context, point->start, error);
}

static void
take_result (Run *run, Point *point, WeirRunDigester *digester, const WeirEnsembleResult *result)
{
  g_autoptr (GError) error = NULL;
  WeirRunRows rows = { result->n_rows, weir_run_plan_get_n_recorded (point->plan), result->times,
                       result->values };

  point->is_computed = TRUE;
  if (result->error != NULL)
    {
      fail (point, result->error);
      return;
    }
  point->status = result->is_terminated ? WEIR_POINT_ENDED : WEIR_POINT_DONE;
  if (run->options->cache != NULL || run->options->keep != NULL)
    point->rows = weir_run_rows_to_bytes (&rows);
  if (!weir_run_digester_calc (digester, point->start, &rows, point->values, point->figures,
                               &point->signals, &error))
    fail (point, error);
}

static void
end_member (const WeirEnsembleResult *result, gpointer data)
{
  Worker *worker = data;
  Point *point = &g_array_index (worker->chunk, Point,
                                 g_array_index (worker->members, guint, result->member));

  take_result (worker->run, point, worker->digester, result);
}

typedef struct {
  Run *run;
  Point *point;
  WeirRunDigester *digester;
} Lone;

static gboolean
prepare_lone (G_GNUC_UNUSED gsize member, WeirContext *context, gpointer data, GError **error)
{
  Lone *lone = data;

  return weir_context_set_time_state_and_parameters_from (context, lone->point->start, error);
}

static void
end_lone (const WeirEnsembleResult *result, gpointer data)
{
  Lone *lone = data;

  take_result (lone->run, lone->point, lone->digester, result);
}

static WeirEnsembleOptions
get_ensemble_options (const Run *run)
{
  WeirEnsembleOptions options = *weir_study_subject_get_options (run->subject);

  options.cancel = &run->is_stopped;
  options.is_separate = run->options->is_separate;
  return options;
}

/* A point of a structure of its own. */
static gboolean
run_lone (Worker *worker, Point *point)
{
  WeirEnsembleOptions options = get_ensemble_options (worker->run);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirEnsemble) ensemble = weir_run_plan_create_ensemble (point->plan, &options, &error);
  g_autoptr (WeirRunDigester) digester = weir_run_digester_new (worker->run->subject, point->plan);
  Lone lone = { worker->run, point, digester };

  if (ensemble == NULL)
    {
      fail (point, error);
      point->is_computed = TRUE;
      return TRUE;
    }
  return weir_ensemble_run (ensemble, 1, prepare_lone, end_lone, &lone, NULL);
}

/* FALSE: it was stopped. */
static gboolean
run_points (Worker *worker)
{
  Run *run = worker->run;
  const WeirRunPlan *plan = weir_study_subject_get_plan (run->subject);

  g_array_set_size (worker->members, 0);
  for (guint k = 0; k < worker->chunk->len; k++)
    {
      Point *point = &g_array_index (worker->chunk, Point, k);

      if (point->is_kept || point->is_used || point->is_left || point->start == NULL)
        continue;
      if (point->plan == plan)
        g_array_append_val (worker->members, k);
      else if (!run_lone (worker, point))
        return FALSE;
    }
  return worker->members->len == 0
         || weir_ensemble_run (worker->ensemble, worker->members->len, prepare_member, end_member,
                               worker, NULL);
}

/* --- Verifying ------------------------------------------------------------------------------- */

static gboolean
is_same_reason (const WeirMessage *a, const WeirMessage *b)
{
  return g_strcmp0 (a != NULL ? weir_message_get_text (a) : NULL,
                    b != NULL ? weir_message_get_text (b) : NULL)
         == 0;
}

/* Is a hit what the run just made gave? */
static gboolean
is_same (const Run *run, const Point *point)
{
  const WeirCachedRun *cached = &point->cached;

  if (cached->status == WEIR_POINT_FAILED || point->rows == NULL)
    return cached->status == point->status && is_same_reason (cached->reason, point->reason);
  return cached->rows != NULL && g_bytes_equal (cached->rows, point->rows)
         && (!cached->is_whole
             || memcmp (cached->figures, point->figures, run->n_figures * sizeof (double)) == 0);
}

static void
verify (Run *run, Point *point)
{
  run->progress.n_verified++;
  if (is_same (run, point))
    return;
  point->differs = TRUE;
  if (run->progress.n_differing++ == 0)
    run->progress.first_differing = (gint64) point->i;
}

/* --- Writing --------------------------------------------------------------------------------- */

/* What could not be worked out after a run is no failure of the run. */
static gboolean
can_be_cached (const Point *point)
{
  return point->status != WEIR_POINT_FAILED || point->rows == NULL;
}

static WeirCachedRun
get_entry (const Point *point)
{
  return (WeirCachedRun) {
    .status = point->status,
    .reason = point->reason,
    .seconds = point->seconds,
    .figures = point->figures,
    .rows = point->rows,
  };
}

static gboolean
write_cache (const Worker *worker, GError **error)
{
  const Run *run = worker->run;
  gboolean begun = FALSE;

  for (guint k = 0; k < worker->chunk->len; k++)
    {
      const Point *point = &g_array_index (worker->chunk, Point, k);

      WeirCachedRun entry;

      if (!point->is_computed || (point->is_verified && !point->differs) || !can_be_cached (point))
        continue;
      if (!begun && !weir_run_cache_begin (run->options->cache, error))
        return FALSE;
      begun = TRUE;
      entry = get_entry (point);
      if (!weir_run_cache_put (run->options->cache, &point->key, &entry, run->n_figures, error))
        return FALSE;
    }
  return !begun || weir_run_cache_commit (run->options->cache, error);
}

static void
tell_runs (const Worker *worker)
{
  const WeirStudyRunOptions *options = worker->run->options;

  for (guint k = 0; k < worker->chunk->len; k++)
    {
      const Point *point = &g_array_index (worker->chunk, Point, k);
      const WeirCachedRun entry = get_entry (point);

      if (point->is_computed && can_be_cached (point))
        options->keep (&point->key, &entry, options->data);
    }
}

static WeirPointResult
get_result (const Point *point)
{
  return (WeirPointResult) { point->i,      point->status,  point->reason, point->key.whole,
                             point->values, point->figures, point->signals };
}

static gboolean
write_results (const Worker *worker, GError **error)
{
  const Run *run = worker->run;
  gboolean begun = FALSE;

  for (guint k = 0; k < worker->chunk->len; k++)
    {
      const Point *point = &g_array_index (worker->chunk, Point, k);
      const WeirPointResult result = get_result (point);

      if (point->is_kept || point->is_left)
        continue;
      if (!begun && !weir_study_store_begin (run->store, error))
        return FALSE;
      begun = TRUE;
      if (!weir_study_store_put (run->store, &result, error))
        return FALSE;
    }
  return !begun || weir_study_store_commit (run->store, error);
}

/* What was there already is read, as many as lie together at a time. */
static void
tell_ended (const Worker *worker)
{
  const Run *run = worker->run;
  guint k = 0;

  while (k < worker->chunk->len)
    {
      const Point *point = &g_array_index (worker->chunk, Point, k++), *last = point;

      if (!point->is_kept && !point->is_left)
        {
          const WeirPointResult result = get_result (point);

          run->options->ended (&result, run->options->data);
        }
      if (!point->is_kept)
        continue;
      for (; k < worker->chunk->len; last = &g_array_index (worker->chunk, Point, k++))
        {
          const Point *next = &g_array_index (worker->chunk, Point, k);

          if (!next->is_kept || next->i != last->i + 1)
            break;
        }
      weir_study_store_foreach (run->store, point->i, last->i, TRUE, run->options->ended,
                                run->options->data, NULL);
    }
}

static void
count (Run *run, const Worker *worker)
{
  for (guint k = 0; k < worker->chunk->len; k++)
    {
      const Point *point = &g_array_index (worker->chunk, Point, k);

      if (point->is_left)
        continue;
      run->progress.n_ended++;
      run->progress.n_kept += point->is_kept;
      run->progress.n_computed += point->is_computed;
      run->progress.n_failed += !point->is_kept && point->status == WEIR_POINT_FAILED;
    }
}

static void
report (Run *run, gboolean is_last)
{
  gint64 now = g_get_monotonic_time ();

  run->progress.seconds = (double) (now - run->start) / G_USEC_PER_SEC;
  if (run->options->progress == NULL || (!is_last && now - run->last_report < PROGRESS_INTERVAL))
    return;
  run->last_report = now;
  run->options->progress (&run->progress, run->options->data);
}

/* A cache that cannot be written is done without: results do not depend on it. */
static void
finish_chunk (Worker *worker)
{
  Run *run = worker->run;
  GError *error = NULL;

  weir_sync_lock (&run->lock);
  for (guint k = 0; k < worker->chunk->len; k++)
    {
      Point *point = &g_array_index (worker->chunk, Point, k);

      if (point->is_verified)
        verify (run, point);
    }
  if (run->options->cache != NULL)
    write_cache (worker, NULL);
  if (run->options->keep != NULL)
    tell_runs (worker);
  if (write_results (worker, &error))
    {
      count (run, worker);
      if (run->options->ended != NULL)
        tell_ended (worker);
      report (run, FALSE);
    }
  else
    stop (run, error);
  weir_sync_unlock (&run->lock);
}

/* --- Workers --------------------------------------------------------------------------------- */

/* What a run costs: those that go together share their time. */
static void
share_time (Worker *worker, double seconds)
{
  Run *run = worker->run;
  guint n = 0;

  for (guint k = 0; k < worker->chunk->len; k++)
    n += g_array_index (worker->chunk, Point, k).is_computed;
  if (n == 0)
    return;
  for (guint k = 0; k < worker->chunk->len; k++)
    g_array_index (worker->chunk, Point, k).seconds = seconds / n;
  weir_sync_lock (&run->lock);
  run->seconds_a_run = seconds / n;
  weir_sync_unlock (&run->lock);
}

static void
work_on (Worker *worker)
{
  Run *run = worker->run;

  while (!is_stopped (run) && take_chunk (worker))
    {
      gint64 start;
      gboolean is_whole;
      const WeirRunPlan *plan = weir_study_subject_get_plan (run->subject);

      prepare_points (worker);
      look_up_all (worker);
      if (run->options->missing != NULL)
        leave_missing (worker);
      start = g_get_monotonic_time ();
      is_whole = run_points (worker);
      share_time (worker, (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC);
      if (is_whole)
        finish_chunk (worker);
      for (guint k = 0; k < worker->chunk->len; k++)
        {
          Point *point = &g_array_index (worker->chunk, Point, k);

          if (point->plan != NULL && point->plan != plan)
            weir_run_plan_free (point->plan);
        }
      g_array_set_size (worker->chunk, 0);
    }
}

static void
work (gpointer data)
{
  Run *run = data;
  WeirEnsembleOptions options = get_ensemble_options (run);
  const WeirRunPlan *plan = weir_study_subject_get_plan (run->subject);
  GError *error = NULL;
  Worker worker = { .run = run };

  if (run->options->cancel != NULL)
    options.cancel = run->options->cancel;
  worker.ensemble = weir_run_plan_create_ensemble (plan, &options, &error);
  if (worker.ensemble == NULL)
    {
      weir_sync_lock (&run->lock);
      stop (run, error);
      weir_sync_unlock (&run->lock);
      return;
    }
  worker.digester = weir_run_digester_new (run->subject, plan);
  worker.chunk = g_array_new (FALSE, FALSE, sizeof (Point));
  g_array_set_clear_func (worker.chunk, clear_point);
  worker.members = g_array_new (FALSE, FALSE, sizeof (guint));
  work_on (&worker);
  g_array_unref (worker.chunk);
  g_array_unref (worker.members);
  weir_run_digester_free (worker.digester);
  weir_ensemble_free (worker.ensemble);
}

static void
run_threads (Run *run)
{
  g_autoptr (WeirTasks) tasks = weir_tasks_new (run->n_threads, run->n_threads);

  for (guint i = 0; i < run->n_threads; i++)
    {
      weir_tasks_set (tasks, i, WEIR_TASK_ANYWHERE, work, run);
      weir_tasks_start (tasks, i, NULL, 0);
    }
  for (guint i = 0; i < run->n_threads; i++)
    weir_tasks_wait (tasks, i, -1);
}

gboolean
weir_study_run (const WeirStudy *study, const WeirStudySubject *subject, WeirStudyStore *store,
                const WeirStudyRunOptions *options, WeirStudyProgress *progress, GError **error)
{
  Run run = {
    .study = study,
    .subject = subject,
    .store = store,
    .options = options,
    .n_threads = options->threads > 0 ? options->threads : weir_tasks_get_n_processors (),
    .n_values = study->parameters->len,
    .n_figures = study->figures->len,
    .keeps_signals = study->signals->len > 0,
    .next = options->first,
    .progress = { .n = options->last + 1 - options->first, .first_differing = -1 },
    .start = g_get_monotonic_time (),
  };

  g_return_val_if_fail (
      options->first <= options->last
          && (options->chosen != NULL || options->last < weir_study_get_n_points (study)),
      FALSE);

  g_mutex_init (&run.lock);
  if (options->cache != NULL)
    {
      weir_run_cache_set_parts (options->cache, weir_study_subject_get_parts (subject));
      weir_run_cache_set_pins (options->cache, options->pins);
    }
  run_threads (&run);
  weir_sync_acquire (&run.lock);
  report (&run, TRUE);
  g_mutex_clear (&run.lock);
  *progress = run.progress;
  if (run.error != NULL)
    {
      g_propagate_error (error, run.error);
      return FALSE;
    }
  if (run.progress.n_ended + (options->missing != NULL ? options->missing->len : 0)
      == run.progress.n)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the study was stopped");
  return FALSE;
}

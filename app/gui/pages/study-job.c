/* Studies in a thread. See study-job.h. */
#include "gui/pages/study-job.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/status.h"
#include "base/sync.h"

#define NAMELESS ""       /* for SQLite: a file that goes with whoever has it open */
#define MOST_CURVES 1000  /* points whose signals are at hand: those of more take room */
#define MOST_ROWS 1000000 /* points that are at hand: likewise */
#define BLOCK_ROWS 1024

/* Rows that lie together, and their numbers: they stay where they are while others come. */
typedef struct {
  WeirStudyRow rows[BLOCK_ROWS];
  double numbers[];
} Block;

struct _WeirStudyJob {
  gatomicrefcount references;
  char *text, *name, *results;
  gboolean uses_cache;
  double verified;
  WeirModel *model;
  gint cancel;

  GMutex lock; /* of the two that follow */
  WeirStudyProgress progress;
  guint n_kept; /* rows; those before are as they will stay */

  WeirStudy *study;
  WeirStudySubject *subject;
  WeirStudyStore *store; /* of @study, while somebody works with it; of a file without a name for
                            good, of another no longer than that */
  Block **blocks;        /* of rows, as they came; as many as there may be */
  guint n_blocks;

  /* Of whoever looks: main. */
  guint n_rows;
  gint has_ended; /* atomic */
  guint *order;   /* atomic: by_number; NULL until it has ended */
  gint64 best;

  /* Once it has ended. */
  guint *by_number; /* rows */
  WeirStudySummary *summary;
  WeirStudySearch *search; /* NULL: it was none, or did not come to its end */
};

WeirStudyJob *
weir_study_job_new (const char *text, const char *name, WeirModel *model)
{
  WeirStudyJob *self = g_new0 (WeirStudyJob, 1);

  g_atomic_ref_count_init (&self->references);
  g_mutex_init (&self->lock);
  self->text = g_strdup (text);
  self->name = g_strdup (name);
  self->model = weir_model_ref (model);
  self->best = -1;
  self->uses_cache = TRUE;
  return self;
}

void
weir_study_job_set_results (WeirStudyJob *self, const char *path)
{
  g_free (self->results);
  self->results = g_strdup (path);
}

void
weir_study_job_set_caching (WeirStudyJob *self, gboolean uses_cache, double verified)
{
  self->uses_cache = uses_cache;
  self->verified = uses_cache ? verified : 0;
}

WeirStudyJob *
weir_study_job_ref (WeirStudyJob *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

static void
free_rows (WeirStudyJob *self)
{
  for (guint i = 0; i < self->n_kept; i++)
    {
      WeirStudyRow *row = &self->blocks[i / BLOCK_ROWS]->rows[i % BLOCK_ROWS];

      g_free (row->reason);
      g_clear_pointer (&row->signals, g_bytes_unref);
    }
  for (guint b = 0; b < self->n_blocks; b++)
    g_free (self->blocks[b]);
  g_free (self->blocks);
  g_free (self->by_number);
}

void
weir_study_job_unref (WeirStudyJob *self)
{
  if (!weir_sync_drop (self, &self->references))
    return;
  free_rows (self);
  weir_study_store_free (self->store);
  weir_study_subject_free (self->subject);
  weir_study_free (self->study);
  weir_model_unref (self->model);
  g_clear_pointer (&self->summary, weir_study_summary_free);
  weir_study_search_free (self->search);
  g_mutex_clear (&self->lock);
  g_free (self->results);
  g_free (self->text);
  g_free (self->name);
  g_free (self);
}

/* --- Running --------------------------------------------------------------------------------- */

static void
note_progress (const WeirStudyProgress *progress, gpointer data)
{
  WeirStudyJob *self = data;

  weir_sync_lock (&self->lock);
  self->progress = *progress;
  weir_sync_unlock (&self->lock);
}

/* One after the other, from whichever thread. */
static gboolean
keep_row (const WeirPointResult *result, gpointer data)
{
  WeirStudyJob *self = data;
  guint i = self->n_kept, n = self->study->parameters->len, n_figures = self->study->figures->len;
  gsize width = (gsize) n + n_figures;
  Block *block;
  double *numbers;

  if (i == MIN (weir_study_get_n_points (self->study), MOST_ROWS))
    return TRUE;
  if (i % BLOCK_ROWS == 0)
    self->blocks[self->n_blocks++] = g_malloc (sizeof (Block)
                                               + BLOCK_ROWS * width * sizeof (double));
  block = self->blocks[i / BLOCK_ROWS];
  numbers = block->numbers + i % BLOCK_ROWS * width;
  memcpy (numbers, result->values, n * sizeof (double));
  memcpy (numbers + n, result->figures, n_figures * sizeof (double));
  block->rows[i % BLOCK_ROWS] = (WeirStudyRow) {
    .i = result->i,
    .status = result->status,
    .reason = result->reason != NULL ? weir_message_translate (result->reason) : NULL,
    .values = numbers,
    .figures = numbers + n,
    .signals = result->signals != NULL && i < MOST_CURVES ? g_bytes_ref (result->signals) : NULL,
  };
  weir_sync_lock (&self->lock);
  self->n_kept = i + 1;
  weir_sync_unlock (&self->lock);
  return TRUE;
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  guint64 x = weir_study_job_get_row (data, *(const guint *) a)->i;
  guint64 y = weir_study_job_get_row (data, *(const guint *) b)->i;

  return (x > y) - (x < y);
}

static void
put_in_order (WeirStudyJob *self)
{
  guint *order = g_new (guint, self->n_kept + 1);

  for (guint i = 0; i < self->n_kept; i++)
    order[i] = i;
  g_qsort_with_data (order, (int) self->n_kept, sizeof *order, compare_rows, self);
  self->by_number = order;
}

static gboolean
open_study (WeirStudyJob *self, GError **error)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GBytes) bytes = g_bytes_new (self->text, strlen (self->text));

  self->study = weir_study_read_bytes (bytes, self->name, diagnostics);
  if (self->study != NULL)
    self->subject = weir_study_subject_new_for_model (self->study, self->model, diagnostics);
  if (self->subject != NULL)
    return TRUE;
  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (diagnostics, i);

      if (d->severity != WEIR_SEVERITY_ERROR)
        continue;
      weir_error_set (error, WEIR_ERROR_INVALID, "%s%s%s", d->path, d->path[0] != '\0' ? ": " : "",
                      d->text);
      return FALSE;
    }
  g_set_error_literal (error, WEIR_ERROR, WEIR_ERROR_INVALID, self->name);
  return FALSE;
}

static gboolean
run_points (WeirStudyJob *self, WeirRunCache *cache, GError **error)
{
  guint64 n = weir_study_get_n_points (self->study);
  WeirStudyRunOptions options;
  WeirStudyProgress progress;
  gboolean ok;

  self->blocks = g_new0 (Block *, MIN (n, MOST_ROWS) / BLOCK_ROWS + 1);
  weir_study_run_options_init (&options, self->study);
  options.cache = weir_study_subject_get_uncached_reason (self->subject) == NULL ? cache : NULL;
  options.verified_share = options.cache != NULL ? self->verified : 0;
  options.cancel = &self->cancel;
  options.ended = keep_row;
  options.progress = note_progress;
  options.data = self;
  if (weir_study_is_search (self->study))
    self->search = weir_study_search (self->study, self->subject, self->store, &options, &progress,
                                      error);
  ok = weir_study_is_search (self->study)
           ? self->search != NULL
           : weir_study_run (self->study, self->subject, self->store, &options, &progress, error);
  self->summary = weir_study_summary_new (self->study, self->store, 0, n - 1, NULL);
  put_in_order (self);
  return ok;
}

static void
run (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
     G_GNUC_UNUSED GCancellable *cancellable)
{
  WeirStudyJob *self = data;
  g_autoptr (WeirRunCache) cache = NULL;
  GError *error = NULL;

  /* A cache that cannot be opened is done without. */
  if (open_study (self, &error)
      && (self->store = weir_study_store_new (self->results != NULL ? self->results : NAMELESS,
                                              self->study, NULL, &error))
             != NULL)
    {
      if (self->uses_cache)
        cache = weir_run_cache_new (NULL, 0, NULL);
      run_points (self, cache, &error);
      if (self->results != NULL)
        g_clear_pointer (&self->store, weir_study_store_free);
    }
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

void
weir_study_job_run (WeirStudyJob *self, gpointer source, GAsyncReadyCallback callback)
{
  g_autoptr (GTask) task = g_task_new (source, NULL, callback, NULL);

  g_task_set_task_data (task, weir_study_job_ref (self), (GDestroyNotify) weir_study_job_unref);
  g_task_run_in_thread (task, run);
}

static void
find_best (WeirStudyJob *self)
{
  const WeirStudySearch *search = self->search;

  if (search == NULL || search->best == search->n_starts)
    return;
  for (guint i = 0; i < self->n_rows; i++)
    if ((gint64) weir_study_job_get_row (self, i)->i == search->starts[search->best].point)
      self->best = i;
}

gboolean
weir_study_job_finish (GAsyncResult *result, GError **error)
{
  WeirStudyJob *self = g_task_get_task_data (G_TASK (result));

  weir_study_job_look (self);
  g_atomic_int_set (&self->has_ended, TRUE);
  g_atomic_pointer_set (&self->order, self->by_number);
  find_best (self);
  return g_task_propagate_boolean (G_TASK (result), error);
}

void
weir_study_job_cancel (WeirStudyJob *self)
{
  g_atomic_int_set (&self->cancel, 1);
}

void
weir_study_job_get_progress (WeirStudyJob *self, WeirStudyProgress *progress)
{
  weir_sync_lock (&self->lock);
  *progress = self->progress;
  weir_sync_unlock (&self->lock);
}

/* --- What came of it -------------------------------------------------------------------------- */

guint
weir_study_job_look (WeirStudyJob *self)
{
  weir_sync_lock (&self->lock);
  self->n_rows = self->n_kept;
  weir_sync_unlock (&self->lock);
  return self->n_rows;
}

gboolean
weir_study_job_has_ended (const WeirStudyJob *self)
{
  return g_atomic_int_get (&self->has_ended);
}

const WeirStudy *
weir_study_job_get_study (const WeirStudyJob *self)
{
  return self->study;
}

const WeirStudySubject *
weir_study_job_get_subject (const WeirStudyJob *self)
{
  return self->subject;
}

guint
weir_study_job_get_n_rows (const WeirStudyJob *self)
{
  return self->n_rows;
}

guint
weir_study_job_get_place (const WeirStudyJob *self, guint row)
{
  const guint *order = g_atomic_pointer_get (&self->order);

  return order != NULL ? order[row] : row;
}

const WeirStudyRow *
weir_study_job_get_row (const WeirStudyJob *self, guint row)
{
  guint i = weir_study_job_get_place (self, row);

  return &self->blocks[i / BLOCK_ROWS]->rows[i % BLOCK_ROWS];
}

gint64
weir_study_job_get_best (const WeirStudyJob *self)
{
  return self->best;
}

const WeirStudySummary *
weir_study_job_get_summary (const WeirStudyJob *self)
{
  return weir_study_job_has_ended (self) ? self->summary : NULL;
}

const WeirStudySearch *
weir_study_job_get_search (const WeirStudyJob *self)
{
  return weir_study_job_has_ended (self) ? self->search : NULL;
}

gboolean
weir_study_job_get_curve (const WeirStudyJob *self, guint row, guint signal, WeirStudyCurve *curve)
{
  GBytes *bytes = weir_study_job_get_row (self, row)->signals;
  guint n = self->study->signals->len;
  g_autofree const double **values = g_new (const double *, n + 1);
  WeirRunRows rows;
  gsize size;
  const guint8 *data = bytes != NULL ? g_bytes_get_data (bytes, &size) : NULL;

  if (data == NULL || signal >= n || !weir_run_rows_from_bytes (&rows, data, size, values, n))
    return FALSE;
  *curve = (WeirStudyCurve) { rows.n_rows, rows.times, values[signal] };
  return TRUE;
}

/* --- Written down ----------------------------------------------------------------------------- */

typedef struct {
  WeirStudyJob *job;
  const WeirStudyFormat *format;
  char *path;
  WeirStudyStore *opened; /* where the job's is not at hand */
} Export;

static void
export_free (gpointer data)
{
  Export *export = data;

  weir_study_store_free (export->opened);
  weir_study_job_unref (export->job);
  g_free (export->path);
  g_free (export);
}

/* The points of @data, an Export. */
static gboolean
write_points (int fd, gpointer data, GError **error)
{
  const Export *export = data;
  WeirStudyStore *store = export->opened != NULL ? export->opened : export->job->store;

  return export->format->write (store, 0, G_MAXINT64, fd, error);
}

static void
export_points (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
               G_GNUC_UNUSED GCancellable *cancellable)
{
  Export *export = data;
  const WeirStudyJob *job = export->job;
  GError *error = NULL;

  if (job->results != NULL)
    export->opened = weir_study_store_open (job->results, job->study, &error);
  if (error == NULL)
    weir_file_write_with (export->path, 0666, write_points, export, &error);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

void
weir_study_job_export (WeirStudyJob *self, const WeirStudyFormat *format, const char *path,
                       gpointer source, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (source, NULL, callback, data);
  Export *export = g_new (Export, 1);

  *export = (Export) { weir_study_job_ref (self), format, g_strdup (path), NULL };
  g_task_set_task_data (task, export, export_free);
  g_task_run_in_thread (task, export_points);
}

gboolean
weir_study_job_export_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

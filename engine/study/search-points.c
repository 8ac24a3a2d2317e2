/* The points that a search has chosen: run, counted and told of while it goes on. See
 * search-private.h.
 */
#include "study/search-private.h"

#include <math.h>
#include <string.h>

#define PROGRESS_SHARE 10 /* of a second */

static void
add_up (WeirStudyProgress *sum, const WeirStudyProgress *batch)
{
  sum->n_ended += batch->n_ended;
  sum->n_kept += batch->n_kept;
  sum->n_computed += batch->n_computed;
  sum->n_cached += batch->n_cached;
  sum->n_worked_out += batch->n_worked_out;
  sum->n_failed += batch->n_failed;
  sum->n_verified += batch->n_verified;
  sum->n_differing += batch->n_differing;
  if (sum->first_differing < 0)
    sum->first_differing = batch->first_differing;
  sum->seconds_saved += batch->seconds_saved;
  for (guint part = 0; part <= WEIR_N_RUN_PARTS; part++)
    sum->n_missed[part] += batch->n_missed[part];
  if (sum->changed[0] == '\0')
    memcpy (sum->changed, batch->changed, sizeof sum->changed);
}

gboolean
weir_search_run_points (WeirSearch *self, const WeirChosenPoint *points, guint n)
{
  WeirStudyRunOptions options = *self->options;
  WeirStudyProgress batch;
  double seconds;
  gboolean ok;

  options.chosen = points;
  options.first = 0;
  options.last = n - 1;
  options.progress = NULL;
  options.threads = options.threads > 0 ? MIN (options.threads, n) : n == 1 ? 1 : 0;
  ok = weir_study_run (self->study, self->subject, self->store, &options, &batch, &self->error);
  add_up (self->progress, &batch);
  seconds = (double) (g_get_monotonic_time () - self->start) / G_USEC_PER_SEC;
  if (self->options->progress != NULL
      && floor (seconds * PROGRESS_SHARE) > floor (self->progress->seconds * PROGRESS_SHARE))
    {
      self->progress->seconds = seconds;
      self->options->progress (self->progress, self->options->data);
    }
  self->progress->seconds = seconds;
  return ok;
}

/* WeirPlotSeeker. See plot-seeker.h. */
#include "scopes/plot-seeker.h"

#include <gio/gio.h>
#include <math.h>

struct _WeirPlotSeeker {
  WeirSeekFunc seek;
  WeirSoughtFunc found;
  gpointer data;
  gboolean is_seeking, is_asked, is_freed; /* asked: once more, when the thread is done */
  WeirSnap snap;
  gboolean forward;
  WeirMeasure *measure; /* of what was sought on last; NULL: none, or a thread has it */
  WeirSought measured;  /* its recorder: kept */
};

/* What a thread has. */
typedef struct {
  WeirPlotSeeker *seeker;
  WeirSought sought;
  WeirMeasure *measure; /* NULL: to be made */
  double found;
} Seeking;

WeirPlotSeeker *
weir_plot_seeker_new (WeirSeekFunc seek, WeirSoughtFunc found, gpointer data)
{
  WeirPlotSeeker *self = g_new0 (WeirPlotSeeker, 1);

  self->seek = seek;
  self->found = found;
  self->data = data;
  return self;
}

static void
forget_measure (WeirPlotSeeker *self)
{
  g_clear_pointer (&self->measure, weir_measure_free);
  g_clear_pointer (&self->measured.recorder, weir_recorder_unref);
}

/* While a thread works it is freed when that is done. */
void
weir_plot_seeker_free (WeirPlotSeeker *self)
{
  self->is_freed = TRUE;
  if (self->is_seeking)
    return;
  forget_measure (self);
  g_free (self);
}

gboolean
weir_plot_seeker_is_seeking (WeirPlotSeeker *self)
{
  return self->is_seeking;
}

static void
find (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
      G_GNUC_UNUSED GCancellable *cancellable)
{
  Seeking *seeking = data;
  const WeirSought *sought = &seeking->sought;
  WeirStatistics statistics;

  if (seeking->measure == NULL)
    seeking->measure = weir_measure_new_for_signal (sought->recorder, sought->signal,
                                                    sought->between);
  else
    weir_measure_update (seeking->measure);
  if (!weir_measure_get_statistics (seeking->measure, sought->range, &statistics)
      || !weir_measure_snap (seeking->measure, sought->snap, (statistics.min + statistics.max) / 2,
                             sought->time, sought->forward, &seeking->found))
    seeking->found = (double) NAN;
  g_task_return_boolean (task, TRUE);
}

static void
done (G_GNUC_UNUSED GObject *source, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  Seeking *seeking = g_task_get_task_data (G_TASK (result));
  WeirPlotSeeker *self = seeking->seeker;

  self->measure = g_steal_pointer (&seeking->measure);
  self->is_seeking = FALSE;
  if (self->is_freed)
    {
      weir_plot_seeker_free (self);
      return;
    }
  self->found (self->data, seeking->found);
  if (self->is_asked && !self->is_seeking)
    weir_plot_seeker_seek (self, self->snap, self->forward);
}

void
weir_plot_seeker_seek (WeirPlotSeeker *self, WeirSnap snap, gboolean forward)
{
  g_autoptr (GTask) task = NULL;
  WeirSought sought;
  Seeking *seeking;

  self->snap = snap;
  self->forward = forward;
  self->is_asked = self->is_seeking;
  if (self->is_seeking || !self->seek (self->data, snap, forward, &sought))
    return;
  if (self->measured.recorder != sought.recorder || self->measured.signal != sought.signal
      || self->measured.between != sought.between)
    {
      forget_measure (self);
      self->measured = sought;
      weir_recorder_ref (sought.recorder);
    }
  self->is_seeking = TRUE;
  seeking = g_new0 (Seeking, 1);
  seeking->seeker = self;
  seeking->sought = sought; /* its recorder lives as long as what is measured */
  seeking->measure = g_steal_pointer (&self->measure);
  task = g_task_new (NULL, NULL, done, NULL);
  g_task_set_task_data (task, seeking, g_free);
  g_task_run_in_thread (task, find);
}

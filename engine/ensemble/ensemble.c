/* Ensembles. See ensemble.h.
 *
 * Workers, one a thread, take members by their numbers, fill their lanes with them and try one step
 * of all after the other; a member that arrives makes room for the next. What cannot go on in lanes
 * is run alone by the same worker, from the context it began with, which lanes leave as it is.
 */
#include "ensemble/ensemble.h"

#include "base/error.h"
#include "base/tasks.h"
#include "base/sync.h"
#include "sim/lanes.h"
#include "sim/port.h"
#include "system/evaluation/value-list.h"

#define MOST_LANES 64
#define DEFAULT_MEMORY 64.0 /* MiB */

struct _WeirEnsemble {
  WeirSystem *root;
  WeirContext *start;
  WeirEnsembleOptions options;
  WeirPort *ports; /* NULL: nothing is recorded */
  guint n_ports;
  GPtrArray *names;    /* of signals */
  WeirValueList *list; /* their values, for members that run alone */
  gsize most_bytes;    /* of a member's rows */
  char *reason;

  /* Of a run. */
  gsize n;
  WeirEnsemblePrepareFunc prepare;
  WeirEnsembleEndFunc end;
  gpointer data;
  gsize next, n_ended; /* atomic */
  gint is_stopped;     /* atomic */
  GMutex lock;         /* one call of end at a time */
};

typedef struct {
  WeirEnsemble *ensemble; /* borrowed */
  gsize i;
  WeirContext *context;
  WeirSeries series;
  double *row;      /* of it */
  gboolean is_full; /* its rows take more than they may */
} Member;

typedef struct {
  WeirEnsemble *ensemble; /* borrowed */
  WeirLanes *lanes;       /* NULL: one after another */
  GPtrArray *members;     /* by lane, and behind them those that wait to be used again */
} Worker;

/* --- Making ---------------------------------------------------------------------------------- */

void
weir_ensemble_options_init (WeirEnsembleOptions *options)
{
  *options = (WeirEnsembleOptions) { .threads = 0 };
  weir_simulator_options_init (&options->run);
}

static WeirLanes *
make_lanes (const WeirEnsemble *self, guint most, char **reason)
{
  if (self->options.is_separate)
    {
      *reason = g_strdup ("this was asked for");
      return NULL;
    }
  return weir_lanes_new (self->root, &self->options.run, self->options.stop_time, self->ports,
                         self->n_ports, most, self->options.has_common_step, reason);
}

static gboolean
find_ports (WeirEnsemble *self, const char *const *paths, GError **error)
{
  WeirLayout *layout = weir_system_get_layout (self->root);
  guint n, size;

  if (paths == NULL)
    return TRUE;
  n = g_strv_length ((char **) paths);
  self->ports = g_new0 (WeirPort, n + 1);
  self->n_ports = n;
  for (guint i = 0; i < n; i++)
    {
      if (!weir_port_find (layout, paths[i], &self->ports[i], &size, error))
        return FALSE;
      for (guint k = 0; k < size; k++)
        g_ptr_array_add (self->names, weir_port_dup_signal_name (paths[i], size, k));
    }
  self->list = weir_value_list_new (self->root, self->ports, n);
  return TRUE;
}

/* A simulator refuses what makes no sense. */
static gboolean
check (const WeirEnsemble *self, GError **error)
{
  WeirSimulator *simulator = weir_simulator_new (self->root, self->start, &self->options.run,
                                                 error);

  weir_simulator_free (simulator);
  return simulator != NULL;
}

WeirEnsemble *
weir_ensemble_new (WeirSystem *root, const WeirContext *start, const WeirEnsembleOptions *options,
                   const char *const *ports, GError **error)
{
  WeirEnsemble *self = g_new0 (WeirEnsemble, 1);
  double memory = options->memory > 0 ? options->memory : DEFAULT_MEMORY;
  WeirLanes *lanes;

  g_mutex_init (&self->lock);
  self->root = weir_system_ref (root);
  self->start = weir_context_clone (start);
  weir_context_set_frozen (self->start, FALSE);
  self->options = *options;
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->most_bytes = (gsize) (MIN (memory, 1e9) * 1048576);
  if (!find_ports (self, ports, error) || !check (self, error))
    {
      weir_ensemble_free (self);
      return NULL;
    }
  if (self->ports == NULL)
    self->options.run.record_interval = self->options.run.record_gap = 0; /* nobody looks */
  lanes = make_lanes (self, MOST_LANES, &self->reason);
  weir_lanes_free (lanes);
  return self;
}

void
weir_ensemble_free (WeirEnsemble *self)
{
  if (self == NULL)
    return;
  weir_context_free (self->start);
  weir_system_unref (self->root);
  g_ptr_array_unref (self->names);
  g_free (self->ports);
  weir_value_list_free (self->list);
  g_free (self->reason);
  g_mutex_clear (&self->lock);
  g_free (self);
}

const char *
weir_ensemble_get_reason (const WeirEnsemble *self)
{
  return self->reason;
}

gsize
weir_ensemble_get_n_ended (const WeirEnsemble *self)
{
  return __atomic_load_n (&self->n_ended, __ATOMIC_ACQUIRE);
}

/* --- Members --------------------------------------------------------------------------------- */

static Member *
member_new (WeirEnsemble *ensemble)
{
  Member *self = g_new0 (Member, 1);

  self->ensemble = ensemble;
  weir_series_init (&self->series, ensemble->names->len, ensemble->most_bytes);
  self->row = g_new (double, ensemble->names->len + 1);
  return self;
}

static void
member_free (gpointer data)
{
  Member *self = data;

  g_clear_pointer (&self->context, weir_context_free);
  weir_series_clear (&self->series);
  g_free (self->row);
  g_free (self);
}

static gboolean
is_stopped (WeirEnsemble *self)
{
  if (self->options.cancel != NULL && g_atomic_int_get (self->options.cancel) != 0)
    g_atomic_int_set (&self->is_stopped, TRUE);
  return g_atomic_int_get (&self->is_stopped) != 0;
}

static void
hand_over (Member *member, const GError *error, gboolean is_terminated,
           const WeirSimulatorStatistics *statistics)
{
  WeirEnsemble *self = member->ensemble;
  WeirEnsembleResult result = {
    .member = member->i,
    .error = error,
    .is_terminated = is_terminated,
    .context = member->context,
    .statistics = statistics,
    .n_rows = member->series.n_rows,
    .times = member->series.times,
    .values = (const double *const *) member->series.values,
  };

  weir_sync_lock (&self->lock);
  if (self->end != NULL)
    self->end (&result, self->data);
  __atomic_add_fetch (&self->n_ended, 1, __ATOMIC_ACQ_REL);
  weir_sync_unlock (&self->lock);
  g_clear_pointer (&member->context, weir_context_free);
}

/* Makes @member the next that there is. FALSE: there is none. */
static gboolean
take_member (Member *member)
{
  WeirEnsemble *self = member->ensemble;

  while (!is_stopped (self))
    {
      g_autoptr (GError) error = NULL;
      const WeirSimulatorStatistics nothing = { 0 };

      member->i = __atomic_fetch_add (&self->next, 1, __ATOMIC_RELAXED);
      if (member->i >= self->n)
        return FALSE;
      member->series.n_rows = 0;
      member->context = weir_context_clone (self->start);
      if (self->prepare == NULL || self->prepare (member->i, member->context, self->data, &error))
        return TRUE;
      hand_over (member, error, FALSE, &nothing);
    }
  return FALSE;
}

/* --- Alone ----------------------------------------------------------------------------------- */

static WeirStatus
record (WeirSimulator *simulator, WeirPhase phase, gpointer data)
{
  Member *member = data;
  const WeirEnsemble *self = member->ensemble;
  WeirSeries *series = &member->series;
  WeirContext *context = weir_simulator_get_context (simulator);

  if (self->ports == NULL || phase == WEIR_PHASE_PLUS || !weir_simulator_is_sample (simulator))
    return WEIR_OK;
  member->is_full = !weir_series_make_room (series);
  if (member->is_full)
    return WEIR_FAILED;
  if (weir_eval_list (self->list, context, member->row) != WEIR_OK)
    return WEIR_FAILED;
  for (guint i = 0; i < self->names->len; i++)
    series->values[i][series->n_rows] = member->row[i];
  series->times[series->n_rows++] = weir_context_get_time (context);
  return WEIR_OK;
}

static void
explain_full (const Member *member, GError **error)
{
  const WeirEnsemble *self = member->ensemble;

  g_clear_error (error);
  weir_error_set (
      error, WEIR_ERROR_FAILED,
      "the rows of one run take more than %g MiB at t = %g; record fewer signals, or at an "
      "interval",
      (double) self->most_bytes / 1048576, weir_context_get_time (member->context));
}

static void
run_alone (Member *member)
{
  WeirEnsemble *self = member->ensemble;
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirSimulator)
      simulator = weir_simulator_new (self->root, member->context, &self->options.run, &error);
  const WeirSimulatorStatistics nothing = { 0 };
  gboolean ok;

  member->series.n_rows = 0;
  member->series.most = self->most_bytes;
  member->is_full = FALSE;
  if (simulator == NULL)
    {
      hand_over (member, error, FALSE, &nothing);
      return;
    }
  weir_simulator_set_monitor (simulator, record, member);
  weir_simulator_set_cancel (simulator, self->options.cancel);
  ok = weir_simulator_initialize (simulator, &error)
       && weir_simulator_advance_to (simulator, self->options.stop_time, &error);
  if (!ok && is_stopped (self))
    return;
  if (!ok && member->is_full)
    explain_full (member, &error);
  hand_over (member, error, weir_simulator_is_terminated (simulator),
             weir_simulator_get_statistics (simulator));
}

/* Lanes keep no more for their rows than their share. */
static void
keep_share (Member *member)
{
  WeirEnsemble *self = member->ensemble;
  gsize share = self->most_bytes / MOST_LANES, n = (member->series.n_signals + 1) * sizeof (double);

  if (member->series.n_room * n > share)
    {
      weir_series_clear (&member->series);
      weir_series_init (&member->series, self->names->len, share);
    }
  member->series.most = share;
}

static void
run_one_after_another (Worker *worker)
{
  Member *member = worker->members->pdata[0];

  while (take_member (member))
    {
      run_alone (member);
      g_clear_pointer (&member->context, weir_context_free);
    }
}

/* --- Together -------------------------------------------------------------------------------- */

/* The member that the next free lane is for. */
static Member *
get_waiting_member (Worker *worker)
{
  guint n = weir_lanes_get_n (worker->lanes);

  if (n == worker->members->len)
    g_ptr_array_add (worker->members, member_new (worker->ensemble));
  return worker->members->pdata[n];
}

static void
fill_lanes (Worker *worker)
{
  while (weir_lanes_has_room (worker->lanes))
    {
      Member *member = get_waiting_member (worker);

      keep_share (member);
      if (!take_member (member))
        return;
      if (!weir_lanes_add (worker->lanes, member->context, &member->series))
        run_alone (member);
    }
}

/* Its place becomes that of the last. */
static void
empty_lane (Worker *worker, guint lane)
{
  gpointer *members = worker->members->pdata;
  guint last = weir_lanes_get_n (worker->lanes) - 1;
  gpointer member = members[lane];

  weir_lanes_remove (worker->lanes, lane);
  members[lane] = members[last];
  members[last] = member;
}

static void
end_members (Worker *worker)
{
  for (guint l = weir_lanes_get_n (worker->lanes); l-- > 0;)
    {
      WeirLaneFate fate = weir_lanes_get_fate (worker->lanes, l);
      WeirSimulatorStatistics statistics;
      Member *member;

      if (fate == WEIR_LANE_GOES_ON)
        continue;
      member = worker->members->pdata[l];
      statistics = weir_lanes_get_statistics (worker->lanes, l);
      empty_lane (worker, l);
      if (fate == WEIR_LANE_ALONE)
        run_alone (member);
      else
        hand_over (member, NULL, FALSE, &statistics);
    }
}

static void
run_together (Worker *worker)
{
  fill_lanes (worker);
  while (weir_lanes_get_n (worker->lanes) > 0 && !is_stopped (worker->ensemble))
    if (weir_lanes_try_step (worker->lanes))
      {
        end_members (worker);
        fill_lanes (worker);
      }
}

/* --- Workers --------------------------------------------------------------------------------- */

static void
work (gpointer data)
{
  WeirEnsemble *ensemble = data;
  g_autofree char *reason = NULL;
  Worker worker = { .ensemble = ensemble };

  if (__atomic_load_n (&ensemble->next, __ATOMIC_RELAXED) >= ensemble->n)
    return;
  worker.members = g_ptr_array_new_with_free_func (member_free);
  if (ensemble->reason == NULL)
    worker.lanes = make_lanes (ensemble, MOST_LANES, &reason);
  if (worker.lanes != NULL)
    run_together (&worker);
  else
    {
      g_ptr_array_add (worker.members, member_new (ensemble));
      run_one_after_another (&worker);
    }
  weir_lanes_free (worker.lanes);
  g_ptr_array_unref (worker.members);
}

/* A thread for fewer members than go together is not worth waking. */
static guint
count_threads (const WeirEnsemble *self, gsize n)
{
  guint n_threads = self->options.threads > 0 ? self->options.threads
                                              : weir_tasks_get_n_processors ();
  gsize least = self->reason == NULL ? MOST_LANES / 4 : 1;

  return (guint) CLAMP (n / least, 1, n_threads);
}

gboolean
weir_ensemble_run (WeirEnsemble *self, gsize n, WeirEnsemblePrepareFunc prepare,
                   WeirEnsembleEndFunc end, gpointer data, GError **error)
{
  guint n_threads = count_threads (self, n);
  g_autoptr (WeirTasks) tasks = weir_tasks_new (n_threads, n_threads);

  self->n = n;
  self->prepare = prepare;
  self->end = end;
  self->data = data;
  self->next = 0;
  __atomic_store_n (&self->n_ended, 0, __ATOMIC_RELEASE);
  g_atomic_int_set (&self->is_stopped, FALSE);
  for (guint i = 0; i < n_threads; i++)
    {
      weir_tasks_set (tasks, i, WEIR_TASK_ANYWHERE, work, self);
      weir_tasks_start (tasks, i, NULL, 0);
    }
  for (guint i = 0; i < n_threads; i++)
    weir_tasks_wait (tasks, i, -1);
  if (!is_stopped (self) || weir_ensemble_get_n_ended (self) == n)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the runs were stopped");
  return FALSE;
}

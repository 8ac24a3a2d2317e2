/* The master: what begins and ends at a communication instant. See cosim.h. */
#include <gio/gio.h>
#include <string.h>

#include "base/error.h"
#include "cosim/cosim-private.h"
#include "system/observation/change-log.h"

/* --- Tasks ----------------------------------------------------------------------------------- */

static void
make_tasks (WeirCosim *self)
{
  self->tasks = weir_tasks_new (self->n, self->n_threads);
  for (guint i = 0; i < self->n; i++)
    {
      guint abilities = self->units[i]->info.kind->unit_class->abilities;

      weir_tasks_set (self->tasks, i,
                      (abilities & WEIR_UNIT_ANY_THREAD) == 0 ? WEIR_TASK_BY_OWNER
                      : (abilities & WEIR_UNIT_STOPS) == 0    ? WEIR_TASK_BY_WORKER
                                                              : WEIR_TASK_ANYWHERE,
                      weir_participant_step, self->units[i]);
    }
}

/* --- An instant ------------------------------------------------------------------------------ */

/* Its task cannot begin before the rest has arrived. */
static gboolean
has_to_wait (const WeirCosim *self, const WeirParticipant *unit)
{
  gboolean is_late = unit->awaits_rest || self->planned_type == WEIR_STEP_SCHEDULING_ITERATED;

  for (guint k = 0; k < unit->n_before; k++)
    is_late |= self->units[unit->before[k]]->is_late;
  return is_late;
}

/* Those that precede the rest give it their new outputs. */
static gboolean
feed_rest (WeirCosim *self, double t, gboolean *changed, GError **error)
{
  gboolean any = FALSE;

  for (guint i = 0; i < self->n; i++)
    if (self->units[i]->is_before_rest)
      {
        weir_cosim_wait_for (self, self->units[i]);
        any = TRUE;
      }
  if (!any)
    return TRUE;
  if (!weir_cosim_check (self, t, error))
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    if (self->units[i]->is_before_rest)
      *changed |= weir_participant_write (self->units[i], self->units[i]->y_new,
                                          self->units[i]->abstract_y_new);
  return TRUE;
}

/* Steps can be repeated only of units that come back to the same bits. */
static gboolean
can_repeat (const WeirCosim *self, GError **error)
{
  const guint needed = WEIR_UNIT_RESTORES | WEIR_UNIT_REPEATS_BITS;

  for (guint i = 0; i < self->n && self->type == WEIR_STEP_SCHEDULING_ITERATED; i++)
    if ((self->units[i]->info.kind->unit_class->abilities & needed) != needed)
      {
        weir_error_set (
            error, WEIR_ERROR_INVALID,
            "%s: the iterated schedule repeats steps, and this unit (%s) does not come back "
            "to the same bits; a Subsystem does with an explicit solver of its own, such as "
            "dormand-prince",
            self->units[i]->path, self->units[i]->info.kind->unit_class->name);
        return FALSE;
      }
  return TRUE;
}

/* Those whose steps begin at @k and have to wait, in the order of the list. */
static void
find_late (WeirCosim *self, gint64 k)
{
  for (guint p = 0; p <= self->n; p++)
    {
      WeirParticipant *unit = self->list[p] != WEIR_COSIM_REST ? self->units[self->list[p]] : NULL;

      if (unit == NULL || unit->begins != k)
        continue;
      unit->is_late = has_to_wait (self, unit);
      if (unit->is_late)
        g_array_append_val (self->late, unit->i);
    }
}

static void
start_steps (WeirCosim *self, gint64 k)
{
  for (guint p = 0; p <= self->n; p++)
    {
      WeirParticipant *unit = self->list[p] != WEIR_COSIM_REST ? self->units[self->list[p]] : NULL;

      if (unit != NULL && unit->begins == k && !unit->is_late)
        weir_cosim_start_step (self, unit);
    }
}

static gboolean
begin (WeirMaster *master, gint64 k, gboolean *changed, GError **error)
{
  WeirCosim *self = (WeirCosim *) master;
  double t = weir_cosim_get_time (self, k);
  gboolean is_done;

  if (!self->is_planned)
    {
      weir_cosim_settle (self);
      if (!weir_cosim_check (self, t, error) || !can_repeat (self, error)
          || !weir_cosim_can_control (self, error))
        return FALSE;
      weir_cosim_plan (self);
    }
  for (guint i = 0; i < self->n; i++)
    {
      WeirParticipant *unit = self->units[i];

      if (unit->begins != k)
        continue;
      unit->has_stepped = unit->is_skipped = FALSE;
      unit->took = 0;
      if (weir_context_is_logging (self->context))
        unit->log_first = weir_context_get_log_place (self->context, &unit->log_first_at);
      weir_cosim_choose_activity (self, unit, t);
      if (!weir_participant_take_parameters (unit, unit->begins_anew, error)
          || !weir_participant_take_given (unit, error))
        {
          weir_error_prefix (error, unit->path);
          return FALSE;
        }
      unit->t = t;
      weir_cosim_judge_inputs (self, unit);
    }
  for (guint i = 0; i < self->n; i++)
    if (self->units[i]->begins == k)
      weir_cosim_set_end (self, self->units[i],
                          k + weir_cosim_choose_length (self, self->units[i], k));
  find_late (self, k);
  if (!weir_cosim_try_steps (self, k, &is_done, error))
    return FALSE;
  if (!is_done)
    start_steps (self, k);
  return feed_rest (self, t, changed, error);
}

/* Those that waited for the rest step now. */
static gboolean
end_steps (WeirCosim *self, gint64 k, GError **error)
{
  for (guint l = 0; l < self->late->len;)
    {
      WeirParticipant *unit = self->units[g_array_index (self->late, guint, l)];

      if (self->most > 1 && unit->ends != k) /* the rest has not arrived yet */
        {
          l++;
          continue;
        }
      weir_participant_take_arrived (unit);
      weir_cosim_start_step (self, unit);
      g_array_remove_index (self->late, l);
    }
  for (guint i = 0; i < self->n; i++)
    if (self->units[i]->ends == k)
      weir_cosim_wait_for (self, self->units[i]);
  return weir_cosim_check (self, weir_cosim_get_time (self, k), error);
}

static void
log_step (WeirCosim *self, const WeirParticipant *unit)
{
  if (weir_context_is_logging (self->context) && unit->log_first_at > 0)
    weir_context_log_step (self->context, &(WeirLogStep) { .first = unit->log_first,
                                                           .first_at = unit->log_first_at,
                                                           .begin_at = unit->step.begin,
                                                           .done_at = unit->step.end,
                                                           .t = unit->step.t,
                                                           .t_end = unit->step.t_end,
                                                           .node = unit->info.node.i,
                                                           .thread = unit->step.thread });
}

static void
note_work (WeirCosim *self, WeirParticipant *unit)
{
  WeirUnitWork *work = &self->work[unit->i];

  if (unit->active == WEIR_UNIT_OFF)
    return;
  log_step (self, unit);
  unit->log_first_at = 0;
  work->n_steps++;
  work->took += unit->took;
  work->begin = unit->step.begin;
  work->end = unit->step.end;
  work->thread = unit->step.thread;
  work->t = unit->step.t;
  work->t_end = unit->step.t_end;
}

static gboolean
end (WeirMaster *master, gint64 k, gboolean *changed, GError **error)
{
  WeirCosim *self = (WeirCosim *) master;

  if (self->planned_type == WEIR_STEP_SCHEDULING_ITERATED)
    {
      if (!weir_cosim_iterate (self, k, error))
        return FALSE;
    }
  else if (!end_steps (self, k, error))
    return FALSE;
  weir_cosim_judge_steps (self, k);
  for (guint i = 0; i < self->n; i++)
    {
      WeirParticipant *unit = self->units[i];

      if (unit->ends != k)
        continue;
      note_work (self, unit);
      unit->begins = k;
      unit->ends = -1;
      weir_participant_note_past (unit, k);
      memcpy (unit->y, unit->y_new, unit->info.n_y * sizeof *unit->y);
      weir_participant_copy_abstract (unit, unit->abstract_y, unit->abstract_y_new);
      *changed |= weir_participant_write (unit, unit->y, unit->abstract_y);
    }
  return TRUE;
}

static const char *
get_ending (WeirMaster *master)
{
  WeirCosim *self = (WeirCosim *) master;

  for (guint i = 0; i < self->n; i++)
    {
      const WeirUnitClass *class = self->units[i]->info.kind->unit_class;

      /* Of a unit whose step goes on nothing is asked. */
      if (self->units[i]->ends < 0 && class->has_ended != NULL
          && class->has_ended (self->units[i]->instance))
        return self->units[i]->path;
    }
  return NULL;
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
set_cancel (WeirMaster *master, const gint *cancel)
{
  WeirCosim *self = (WeirCosim *) master;

  self->cancel = cancel;
  for (guint i = 0; i < self->n; i++)
    {
      WeirParticipant *unit = self->units[i];

      if (unit->instance != NULL && unit->info.kind->unit_class->set_cancel != NULL)
        unit->info.kind->unit_class->set_cancel (unit->instance, cancel);
    }
}

static const WeirUnitWork *
get_work (WeirMaster *master, guint *n)
{
  WeirCosim *self = (WeirCosim *) master;

  *n = self->n;
  return self->work;
}

static gboolean
initialize (WeirMaster *master, double start, double step, GError **error)
{
  WeirCosim *self = (WeirCosim *) master;

  if (!weir_cosim_settle (self) && !weir_cosim_check (self, start, error))
    return FALSE;
  weir_cosim_set_grid (self, start, step);
  self->length = 1;
  self->statistics = (WeirCosimStatistics) { 0 };
  g_array_set_size (self->late, 0);
  for (guint i = 0; i < self->n; i++)
    {
      WeirParticipant *unit = self->units[i];

      g_clear_error (&unit->error);
      unit->begins = 0;
      unit->ends = -1;
      unit->is_late = unit->is_skipped = unit->has_stepped = FALSE;
      unit->step = (WeirCosimStep) { 0 };
      unit->n_known = 0;
      unit->active = WEIR_UNIT_ON;
      self->work[i] = (WeirUnitWork) { .node = unit->info.node };
      unit->was_off = unit->begins_anew = FALSE;
      unit->past_at[0] = 0;
      unit->n_past = 1;
      g_clear_pointer (&unit->started, g_bytes_unref);
    }
  return weir_cosim_start (self, error);
}

/* What a step that does not end goes on using stays: it belongs to that thread now. */
static void
free_cosim (WeirMaster *master)
{
  WeirCosim *self = (WeirCosim *) master;
  gboolean is_left = FALSE;

  for (guint i = 0; i < self->n && self->units[i] != NULL; i++)
    is_left |= self->units[i]->is_abandoned;
  if (!is_left && self->tasks != NULL)
    for (guint i = 0; i < self->n; i++)
      weir_tasks_wait (self->tasks, i, -1);
  weir_tasks_free (self->tasks);
  if (is_left)
    {
      weir_system_ref (self->root);
      return;
    }
  for (guint i = 0; i < self->n && self->units[i] != NULL; i++)
    weir_participant_free (self->units[i]);
  g_array_unref (self->late);
  g_array_unref (self->absences);
  weir_iteration_free (self->iteration);
  g_free (self->units);
  g_free (self->work);
  g_free (self->list);
  g_free (self);
}

static const WeirMasterClass master_class = {
  .initialize = initialize,
  .begin = begin,
  .end = end,
  .get_ending = get_ending,
  .save = weir_cosim_save,
  .can_load = weir_cosim_can_load,
  .load = weir_cosim_load,
  .set_cancel = set_cancel,
  .get_work = get_work,
  .free = free_cosim,
};

/* The units come in their order. */
static void
make_list (WeirCosim *self, guint rest_place)
{
  guint k = 0, i = 0;

  for (; i < self->n && (rest_place == 0 || self->units[i]->info.place <= (gint64) rest_place); i++)
    self->list[k++] = i;
  self->list[k++] = WEIR_COSIM_REST;
  for (; i < self->n; i++)
    self->list[k++] = i;
}

static WeirMaster *
make (WeirSystem *root, WeirContext *context, const WeirSimulatorOptions *options, GError **error)
{
  g_autoptr (GArray) infos = weir_system_list_units (root);
  WeirCosim *self = g_new0 (WeirCosim, 1);

  self->master.master_class = &master_class;
  self->root = root;
  self->context = context;
  self->layout = weir_system_get_layout (root);
  self->type = options->schedule;
  self->n_threads = options->threads;
  self->relative_tolerance = options->relative_tolerance;
  self->absolute_tolerance = options->absolute_tolerance;
  self->communication_tolerance = options->communication_tolerance;
  self->longest = options->longest_communication_step;
  self->length = self->most = 1;
  self->late = g_array_new (FALSE, FALSE, sizeof (guint));
  self->absences = g_array_new (FALSE, FALSE, sizeof (WeirAbsence));
  self->has_rest = weir_layout_has_rest (self->layout);
  self->n = infos->len;
  self->units = g_new0 (WeirParticipant *, self->n);
  self->work = g_new0 (WeirUnitWork, self->n + 1);
  self->list = g_new (guint, self->n + 1);
  for (guint i = 0; i < self->n; i++)
    {
      self->units[i] = weir_participant_new (self, &g_array_index (infos, WeirUnitInfo, i), i,
                                             error);
      if (self->units[i] == NULL)
        {
          free_cosim (&self->master);
          return NULL;
        }
    }
  for (guint i = 0; i < self->n; i++)
    self->work[i].node = self->units[i]->info.node;
  make_list (self, options->rest_place);
  for (guint i = 0; i < self->n; i++)
    weir_participant_look (self->units[i]);
  for (guint i = 0; i < self->n && self->longest > 0; i++)
    weir_participant_init_control (self->units[i]);
  make_tasks (self);
  return &self->master;
}

void
weir_cosim_provide (void)
{
  weir_master_set_maker (make);
  weir_unit_set_maker (weir_inner_unit_make);
}

/* --- Looking and setting --------------------------------------------------------------------- */

WeirCosim *
weir_cosim_get (WeirSimulator *simulator)
{
  WeirMaster *master = weir_simulator_get_master (simulator);

  return master != NULL && master->master_class == &master_class ? (WeirCosim *) master : NULL;
}

guint
weir_cosim_get_n_units (const WeirCosim *self)
{
  return self->n;
}

const char *
weir_cosim_get_path (const WeirCosim *self, guint i)
{
  return self->units[i]->path;
}

gboolean
weir_cosim_find (const WeirCosim *self, const char *path, guint *i)
{
  for (*i = 0; *i < self->n; ++*i)
    if (g_str_equal (self->units[*i]->path, path))
      return TRUE;
  return FALSE;
}

WeirNode
weir_cosim_get_node (const WeirCosim *self, guint i)
{
  return self->units[i]->info.node;
}

guint
weir_cosim_get_n_steps (const WeirCosim *self, guint i)
{
  return self->units[i]->info.n_steps;
}

/* The number of threads is that of the tasks, which are made anew. */
void
weir_cosim_set_threads (WeirCosim *self, guint n)
{
  self->n_threads = n;
  if (!weir_cosim_settle (self))
    return;
  weir_tasks_free (g_steal_pointer (&self->tasks));
  make_tasks (self);
}

gboolean
weir_cosim_get_step (WeirCosim *self, guint i, WeirCosimStep *step)
{
  weir_cosim_wait_for (self, self->units[i]);
  *step = self->units[i]->step;
  return step->end > 0;
}

void
weir_cosim_get_statistics (const WeirCosim *self, WeirCosimStatistics *statistics)
{
  *statistics = self->statistics;
}

const double *
weir_cosim_get_outputs (WeirCosim *self, guint i, guint *n)
{
  *n = self->units[i]->info.n_y;
  return self->units[i]->y;
}

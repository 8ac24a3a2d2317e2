/* The master: what begins and ends at a communication instant. See cosim.h. */
#include <gio/gio.h>
#include <string.h>

#include "base/bits.h"
#include "cosim/cosim-private.h"
#include "numerics/number.h"
#include "sim/schedule.h"

#define POLL (20 * G_TIME_SPAN_MILLISECOND)
#define PATIENCE (2 * G_TIME_SPAN_SECOND) /* with a unit that was told to stop */

/* --- The list -------------------------------------------------------------------------------- */

static guint
get_place (const WeirCosim *self, guint who)
{
  for (guint k = 0; k <= self->n; k++)
    if (self->list[k] == who)
      return k;
  g_return_val_if_reached (0);
}

gboolean
weir_cosim_feeds (const WeirCosim *self, guint a, guint b)
{
  if (a == WEIR_COSIM_REST)
    return b != WEIR_COSIM_REST && self->units[b]->from_rest;
  if (b == WEIR_COSIM_REST)
    return self->units[a]->feeds_rest;
  return weir_bit (self->units[b]->units, a);
}

gboolean
weir_cosim_precedes (const WeirCosim *self, guint a, guint b)
{
  return (b == WEIR_COSIM_REST ? weir_cosim_feeds (self, a, b)
                               : weir_participant_awaits (self->units[b], a))
         && get_place (self, a) < get_place (self, b);
}

/* Steps under way read what is planned here, so they end first. */
void
weir_cosim_plan (WeirCosim *self)
{
  g_autofree guint *place = g_new (guint, self->n + 1);

  for (guint k = 0; k <= self->n; k++)
    place[self->list[k] == WEIR_COSIM_REST ? self->n : self->list[k]] = k;
  for (guint i = 0; i < self->n; i++)
    weir_participant_plan (self->units[i], place);
  self->is_planned = TRUE;
  self->planned_type = self->type;
}

/* --- Steps under way ------------------------------------------------------------------------- */

static gboolean
is_cancelled (const WeirCosim *self)
{
  return self->cancel != NULL && g_atomic_int_get (self->cancel) != 0;
}

gboolean
weir_cosim_wait_for (WeirCosim *self, WeirParticipant *unit)
{
  gint64 last = 0;

  if (unit->is_abandoned)
    return FALSE;
  for (;;)
    {
      gint64 now = g_get_monotonic_time ();

      if (weir_tasks_wait (self->tasks, unit->i, now + POLL))
        return TRUE;
      if (!is_cancelled (self))
        continue;
      if (last == 0)
        last = now + PATIENCE;
      if (now > last)
        {
          unit->is_abandoned = TRUE;
          return FALSE;
        }
    }
}

gboolean
weir_cosim_settle (WeirCosim *self)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < self->n; i++)
    ok &= weir_cosim_wait_for (self, self->units[i]);
  return ok;
}

static void
add_failure (GString *text, guint *n, const WeirParticipant *unit, const char *what)
{
  g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "; " : "", unit->path, what);
  ++*n;
}

gboolean
weir_cosim_check (WeirCosim *self, double t, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean has_failed = FALSE, is_stop = FALSE;
  char time[WEIR_TIME_TEXT_SIZE];
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    has_failed |= self->units[i]->is_abandoned
                  || (!weir_tasks_is_running (self->tasks, i) && self->units[i]->error != NULL);
  if (!has_failed)
    return TRUE;
  weir_cosim_settle (self); /* what else goes wrong belongs to it */
  for (guint k = 0; k <= self->n; k++)
    {
      const WeirParticipant *unit = self->list[k] == WEIR_COSIM_REST ? NULL
                                                                     : self->units[self->list[k]];

      if (unit == NULL)
        continue;
      if (unit->is_abandoned)
        add_failure (text, &n, unit,
                     "its step did not end within 2 s of the stop and was abandoned");
      else if (unit->error != NULL
               && g_error_matches (unit->error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        is_stop = TRUE;
      else if (unit->error != NULL)
        add_failure (text, &n, unit, unit->error->message);
    }
  weir_time_to_text (t, (double) NAN, time);
  if (n == 0 && is_stop)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the run was stopped at t = %s", time);
  else if (n == 1)
    g_set_error (error, WEIR_ERROR, WEIR_ERROR_FAILED, "%s", text->str);
  else
    g_set_error (error, WEIR_ERROR, WEIR_ERROR_FAILED, "%u units failed at t = %s: %s", n, time,
                 text->str);
  return FALSE;
}

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

void
weir_cosim_start_step (WeirCosim *self, WeirParticipant *unit)
{
  unit->is_late = FALSE;
  weir_tasks_start (self->tasks, unit->i, unit->before, unit->n_before);
}

/* --- An instant ------------------------------------------------------------------------------ */

static double
get_time (const WeirCosim *self, gint64 k)
{
  return weir_periodic_time (self->step, self->start, k);
}

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
      *changed |= weir_participant_write (self->units[i], self->units[i]->y_new);
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
        g_set_error (
            error, WEIR_ERROR, WEIR_ERROR_INVALID,
            "%s: the iterated schedule repeats steps, and this unit (%s) does not come back "
            "to the same bits; a Subsystem does with an explicit solver of its own, such as "
            "dormand-prince",
            self->units[i]->path, self->units[i]->info.kind->unit_class->name);
        return FALSE;
      }
  return TRUE;
}

static gboolean
begin (WeirMaster *master, gint64 k, gboolean *changed, GError **error)
{
  WeirCosim *self = (WeirCosim *) master;
  double t = get_time (self, k);

  if (!self->is_planned)
    {
      weir_cosim_settle (self);
      if (!weir_cosim_check (self, t, error) || !can_repeat (self, error))
        return FALSE;
      weir_cosim_plan (self);
    }
  for (guint i = 0; i < self->n; i++)
    {
      WeirParticipant *unit = self->units[i];

      if (unit->begins != k)
        continue;
      unit->ends = k + unit->info.n_steps;
      unit->t = t;
      unit->t_end = get_time (self, unit->ends);
      unit->has_stepped = unit->is_skipped = FALSE;
      if (!weir_participant_take_parameters (unit, FALSE, error)
          || !weir_participant_take_given (unit, error))
        {
          g_prefix_error (error, "%s: ", unit->path);
          return FALSE;
        }
    }
  for (guint p = 0; p <= self->n; p++)
    {
      WeirParticipant *unit;

      if (self->list[p] == WEIR_COSIM_REST || self->units[self->list[p]]->begins != k)
        continue;
      unit = self->units[self->list[p]];
      unit->is_late = has_to_wait (self, unit);
      if (unit->is_late)
        g_array_append_val (self->late, unit->i);
      else
        weir_cosim_start_step (self, unit);
    }
  return feed_rest (self, t, changed, error);
}

/* Those that waited for the rest step now. */
static gboolean
end_steps (WeirCosim *self, gint64 k, GError **error)
{
  for (guint l = 0; l < self->late->len; l++)
    {
      WeirParticipant *unit = self->units[g_array_index (self->late, guint, l)];

      weir_participant_take_arrived (unit);
      weir_cosim_start_step (self, unit);
    }
  g_array_set_size (self->late, 0);
  for (guint i = 0; i < self->n; i++)
    if (self->units[i]->ends == k)
      weir_cosim_wait_for (self, self->units[i]);
  return weir_cosim_check (self, get_time (self, k), error);
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
  for (guint i = 0; i < self->n; i++)
    {
      WeirParticipant *unit = self->units[i];

      if (unit->ends != k)
        continue;
      unit->begins = k;
      unit->ends = -1;
      memcpy (unit->y, unit->y_new, unit->info.n_y * sizeof *unit->y);
      *changed |= weir_participant_write (unit, unit->y);
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

static gboolean
initialize (WeirMaster *master, double start, double step, GError **error)
{
  WeirCosim *self = (WeirCosim *) master;

  if (!weir_cosim_settle (self) && !weir_cosim_check (self, start, error))
    return FALSE;
  self->start = start;
  self->step = step;
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
  weir_iteration_free (self->iteration);
  g_free (self->units);
  g_free (self->list);
  g_free (self);
}

static const WeirMasterClass master_class = {
  .initialize = initialize,
  .begin = begin,
  .end = end,
  .get_ending = get_ending,
  .save = weir_cosim_save,
  .load = weir_cosim_load,
  .set_cancel = set_cancel,
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
  self->late = g_array_new (FALSE, FALSE, sizeof (guint));
  self->has_rest = weir_layout_has_rest (self->layout);
  self->n = infos->len;
  self->units = g_new0 (WeirParticipant *, self->n);
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
  make_list (self, options->rest_place);
  for (guint i = 0; i < self->n; i++)
    weir_participant_look (self->units[i]);
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

WeirStepSchedulingType
weir_cosim_get_step_scheduling_type (const WeirCosim *self)
{
  return self->type;
}

gboolean
weir_cosim_set_step_scheduling_type (WeirCosim *self, WeirStepSchedulingType type, GError **error)
{
  if (weir_step_scheduling_type_get_name (type) == NULL)
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                   "there is no schedule of units with number %d; there are 0 (full), 1 "
                   "(cascading) and 2 (iterated)",
                   (int) type);
      return FALSE;
    }
  if (type != self->type)
    self->is_planned = FALSE;
  self->type = type;
  return TRUE;
}

guint
weir_cosim_get_at (const WeirCosim *self, guint k)
{
  return self->list[k];
}

gboolean
weir_cosim_set_list (WeirCosim *self, const guint *list, GError **error)
{
  g_autofree guint64 *seen = g_new0 (guint64, weir_bits_n_words (self->n + 1));

  for (guint k = 0; k <= self->n; k++)
    {
      guint who = list[k] == WEIR_COSIM_REST ? self->n : list[k];

      if (who > self->n || (list[k] == self->n) || weir_bit (seen, who))
        {
          g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                       "place %u of the list of units has %s; each of the %u units, and the rest "
                       "of the model, must be there once",
                       k + 1,
                       list[k] == WEIR_COSIM_REST ? "the rest again"
                       : list[k] < self->n        ? self->units[list[k]]->path
                                                  : "no unit of the model",
                       self->n);
          return FALSE;
        }
      weir_bit_set (seen, who);
    }
  memcpy (self->list, list, (self->n + 1) * sizeof *list);
  self->is_planned = FALSE;
  return TRUE;
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

const double *
weir_cosim_get_outputs (WeirCosim *self, guint i, guint *n)
{
  *n = self->units[i]->info.n_y;
  return self->units[i]->y;
}

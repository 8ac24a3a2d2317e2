/* Advancing a context through time. See simulator.h and, for what handlers see, seed 002.
 *
 * Invariants between steps: the context holds the last accepted time and state, and the solver the
 * same; every event's time is at or after it; those that are due are updates not yet executed, and
 * all of them are due at this very time.
 */
#include "sim/simulator.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/schedule.h"
#include "sim/solver-private.h"
#include "system/change-log.h"
#include "system/event.h"

typedef struct {
  WeirPeriodicEvent declared;
  gint64 n;    /* index of the next occurrence */
  double time; /* s; its time */
  gboolean is_due;
  guint slot; /* of an update: equal for updates of one group */
  gsize next; /* of an update: place of its result in self->next */
} Event;

struct _WeirSimulator {
  WeirSystem *root;
  WeirContext *context; /* borrowed */
  WeirSimulatorOptions options;
  WeirProblem problem;
  WeirSolver *solver; /* NULL without continuous state */
  WeirSimulatorStatistics statistics;
  WeirMonitorFunc monitor;
  gpointer monitor_data;

  Event *events;
  guint n_events;
  double *next;        /* results of the updates in hand */
  guint64 *slot_round; /* by slot: the round of updates that last wrote it */
  guint64 round;
  double *derivatives; /* before the updates; n states */

  double start; /* s; t0 */
  gboolean follows_time; /* some value changes with time alone */
  double time; /* s; to notice that somebody else moved it */
  gboolean is_initialized, is_terminated, has_due, needs_restart, is_solver_used;
};

void
weir_simulator_options_init (WeirSimulatorOptions *options)
{
  *options = (WeirSimulatorOptions) { .relative_tolerance = 1e-6, .absolute_tolerance = 1e-9 };
}

static gboolean
check_options (const WeirSimulatorOptions *options, GError **error)
{
  const struct {
    const char *name;
    double value;
    gboolean may_be_zero;
  } numbers[] = {
    { "relative tolerance", options->relative_tolerance, FALSE },
    { "absolute tolerance", options->absolute_tolerance, FALSE },
    { "step", options->step, TRUE },
    { "longest step", options->max_step, TRUE },
  };

  if (options->solver != NULL && weir_solver_find (options->solver) == NULL)
    {
      g_autoptr (GString) names = g_string_new (NULL);

      for (guint i = 0; i < weir_solver_get_n (); i++)
        g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", weir_solver_get (i)->name);
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_NOT_FOUND,
                   "there is no solver called \"%s\"; there are %s", options->solver, names->str);
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (!isfinite (numbers[i].value) || numbers[i].value < 0
        || (numbers[i].value == 0 && !numbers[i].may_be_zero))
      {
        g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID, "the %s is %g, but must be %s",
                     numbers[i].name, numbers[i].value,
                     numbers[i].may_be_zero ? "0 or positive" : "positive");
        return FALSE;
      }
  if (options->relative_tolerance >= 1)
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                   "the relative tolerance is %g, but must be below 1",
                   options->relative_tolerance);
      return FALSE;
    }
  return TRUE;
}

static void
list_events (WeirSimulator *self)
{
  g_autoptr (GHashTable) slots = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autofree gint64 *keys = NULL;
  gsize size = 0;

  self->n_events = weir_system_get_n_periodic_events (self->root);
  self->events = g_new0 (Event, self->n_events);
  keys = g_new (gint64, self->n_events);
  for (guint i = 0; i < self->n_events; i++)
    {
      Event *event = &self->events[i];
      gpointer slot;

      event->declared = weir_system_get_periodic_event (self->root, i);
      if (event->declared.action != WEIR_ACTION_DISCRETE_UPDATE)
        continue;
      event->next = size;
      size += event->declared.size;
      keys[i] = ((gint64) event->declared.node.i << 16) | event->declared.group.i;
      if (!g_hash_table_lookup_extended (slots, &keys[i], NULL, &slot))
        {
          slot = GUINT_TO_POINTER (g_hash_table_size (slots));
          g_hash_table_insert (slots, &keys[i], slot);
        }
      event->slot = GPOINTER_TO_UINT (slot);
    }
  self->next = g_new0 (double, size);
  self->slot_round = g_new0 (guint64, g_hash_table_size (slots));
}

WeirSimulator *
weir_simulator_new (WeirSystem *root, WeirContext *context, const WeirSimulatorOptions *options,
                    GError **error)
{
  WeirSimulator *self;
  guint n;

  if (!check_options (options, error))
    return NULL;
  self = g_new0 (WeirSimulator, 1);
  self->root = weir_system_ref (root);
  self->context = context;
  self->options = *options;
  self->options.solver = weir_solver_find (options->solver != NULL ? options->solver : "auto")
                             ->name;
  n = weir_layout_get_n_states (weir_system_get_layout (root));
  self->problem = (WeirProblem) {
    .root = root,
    .context = context,
    .layout = weir_system_get_layout (root),
    .n = n,
    .relative_tolerance = options->relative_tolerance,
    .absolute_tolerance = options->absolute_tolerance,
    .max_step = options->max_step > 0 ? options->max_step : (double) INFINITY,
    .statistics = &self->statistics,
  };
  if (n > 0
      && (self->solver = weir_solver_new (self->options.solver, &self->problem, error)) == NULL)
    {
      weir_simulator_free (self);
      return NULL;
    }
  self->follows_time = weir_layout_depends_on_time (self->problem.layout);
  self->derivatives = g_new0 (double, n);
  list_events (self);
  return self;
}

void
weir_simulator_free (WeirSimulator *self)
{
  if (self == NULL)
    return;
  weir_solver_free (self->solver);
  weir_system_unref (self->root);
  g_free (self->events);
  g_free (self->next);
  g_free (self->slot_round);
  g_free (self->derivatives);
  g_free (self);
}

void
weir_simulator_set_monitor (WeirSimulator *self, WeirMonitorFunc monitor, gpointer data)
{
  self->monitor = monitor;
  self->monitor_data = data;
}

void
weir_simulator_set_cancel (WeirSimulator *self, const gint *cancel)
{
  self->problem.cancel = cancel;
}

/* Sets @error to the context's own sentence. Returns FALSE. */
static gboolean
fail_evaluation (WeirSimulator *self, const char *what, GError **error)
{
  const char *why = weir_context_get_failure (self->context);

  g_set_error (error, WEIR_ERROR, WEIR_ERROR_FAILED, "%s", why != NULL ? why : what);
  return FALSE;
}

static gboolean
call_monitor (WeirSimulator *self, WeirPhase phase, GError **error)
{
  WeirStatus status = WEIR_OK;

  weir_context_set_phase (self->context, WEIR_LOG_PHASE_MONITOR);
  if (self->monitor != NULL)
    status = self->monitor (self, phase, self->monitor_data);
  weir_context_set_phase (self->context, WEIR_LOG_PHASE_OUTSIDE);
  if (status == WEIR_TERMINATE)
    self->is_terminated = TRUE;
  else if (status != WEIR_OK)
    return fail_evaluation (self, "the monitor of the run failed", error);
  return TRUE;
}

/* Goes on to the event's next occurrence. */
static gboolean
reschedule (WeirSimulator *self, Event *event, GError **error)
{
  event->is_due = FALSE;
  event->n++;
  event->time = weir_periodic_time (event->declared.period, event->declared.offset, event->n);
  if (weir_is_same_instant (event->time, self->time))
    {
      g_autofree char *path = weir_layout_dup_path (self->problem.layout, event->declared.node);

      g_set_error (error, WEIR_ERROR, WEIR_ERROR_FAILED,
                   "%s: a period of %g s is too short to be told apart at t = %.17g", path,
                   event->declared.period, self->time);
      return FALSE;
    }
  return TRUE;
}

/* Runs the publish events of this instant and marks its updates as due. All publishes run, even
 * if one fails. */
static gboolean
meet_events (WeirSimulator *self, GError **error)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < self->n_events; i++)
    {
      Event *event = &self->events[i];
      WeirStatus status;

      if (event->is_due || !weir_is_same_instant (event->time, self->time))
        continue;
      if (event->declared.action == WEIR_ACTION_DISCRETE_UPDATE)
        {
          event->is_due = TRUE;
          self->has_due = TRUE;
          continue;
        }
      weir_context_set_phase (self->context, WEIR_LOG_PHASE_PUBLISH);
      status = weir_system_call_periodic_event (self->root, self->context, i, event->n, NULL);
      self->statistics.publishes++;
      if (status == WEIR_TERMINATE)
        self->is_terminated = TRUE;
      else if (status != WEIR_OK && ok)
        ok = fail_evaluation (self, "a publish event failed", error);
      if (!reschedule (self, event, ok ? error : NULL))
        ok = FALSE;
    }
  return ok;
}

/* The updates due now: all see x-minus, then all results are applied. */
static gboolean
apply_updates (WeirSimulator *self, GError **error)
{
  weir_context_set_phase (self->context, WEIR_LOG_PHASE_DISCRETE_UPDATE);
  self->round++;
  for (guint i = 0; i < self->n_events; i++)
    {
      Event *event = &self->events[i];
      WeirStatus status;

      if (!event->is_due)
        continue;
      if (self->slot_round[event->slot] == self->round)
        {
          g_autofree char *path = weir_layout_dup_path (self->problem.layout, event->declared.node);

          g_set_error (error, WEIR_ERROR, WEIR_ERROR_FAILED,
                       "%s: two events update discrete state group %u at t = %.17g; only one can",
                       path, event->declared.group.i, self->time);
          return FALSE;
        }
      self->slot_round[event->slot] = self->round;
      status = weir_system_call_periodic_event (self->root, self->context, i, event->n,
                                                self->next + event->next);
      self->statistics.discrete_updates++;
      if (status == WEIR_TERMINATE)
        self->is_terminated = TRUE;
      else if (status != WEIR_OK)
        return fail_evaluation (self, "a discrete update failed", error);
    }
  for (guint i = 0; i < self->n_events; i++)
    {
      Event *event = &self->events[i];

      if (!event->is_due)
        continue;
      weir_context_set_discrete (self->context, event->declared.node, event->declared.group,
                                 self->next + event->next);
      if (!reschedule (self, event, error))
        return FALSE;
    }
  self->has_due = FALSE;
  return TRUE;
}

/* Executes what is due and tells the solver if that made the derivative jump. A one-step method
 * only has to look again; a multistep method loses its history, so it is asked to only for a
 * reason. */
static gboolean
execute_updates (WeirSimulator *self, GError **error)
{
  gboolean compares = self->solver != NULL && self->solver->is_multistep && !self->needs_restart;
  gsize size = self->problem.n * sizeof (double);

  if (compares)
    {
      const double *before = weir_eval_derivatives (self->root, self->context);

      if (before == NULL)
        return fail_evaluation (self, "the derivatives cannot be computed", error);
      memcpy (self->derivatives, before, size);
    }
  if (!apply_updates (self, error))
    return FALSE;
  if (compares)
    {
      const double *after = weir_eval_derivatives (self->root, self->context);

      if (after == NULL)
        return fail_evaluation (self, "the derivatives cannot be computed", error);
      self->needs_restart = memcmp (self->derivatives, after, size) != 0;
    }
  else
    self->needs_restart = TRUE;
  return call_monitor (self, WEIR_PHASE_PLUS, error);
}

gboolean
weir_simulator_initialize (WeirSimulator *self, GError **error)
{
  self->statistics = (WeirSimulatorStatistics) { 0 };
  self->is_terminated = self->has_due = self->is_initialized = FALSE;
  weir_context_set_phase (self->context, WEIR_LOG_PHASE_INITIALIZATION);
  self->problem.step = self->options.step;
  self->start = self->time = weir_context_get_time (self->context);
  weir_context_set_accuracy (self->context, self->options.relative_tolerance);
  for (guint i = 0; i < self->n_events; i++)
    {
      Event *event = &self->events[i];

      event->n = weir_periodic_find (event->declared.period, event->declared.offset, self->time,
                                     FALSE);
      event->time = weir_periodic_time (event->declared.period, event->declared.offset, event->n);
      event->is_due = FALSE;
    }
  if (self->solver != NULL && self->is_solver_used)
    {
      WeirSolver *fresh = weir_solver_new (self->options.solver, &self->problem, error);

      if (fresh == NULL)
        return FALSE;
      weir_solver_free (self->solver);
      self->solver = fresh;
    }
  self->is_solver_used = self->needs_restart = TRUE;
  if (!meet_events (self, error))
    return FALSE;
  self->is_initialized = TRUE;
  return call_monitor (self, WEIR_PHASE_INITIAL, error);
}

static gboolean
check_step (WeirSimulator *self, double boundary, GError **error)
{
  if (weir_context_get_time (self->context) != self->time)
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                   "the time was changed from %.17g to %.17g during the run; initialise again",
                   self->time, weir_context_get_time (self->context));
      return FALSE;
    }
  if (!isfinite (boundary)
      || (boundary < self->time && !weir_is_same_instant (boundary, self->time)))
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                   "the run cannot advance to %.17g, it is at t = %.17g", boundary, self->time);
      return FALSE;
    }
  return TRUE;
}

/* Moves time and state to @limit or to where the solver's next step ends. */
static gboolean
advance_continuous (WeirSimulator *self, double limit, GError **error)
{
  WeirSolver *solver = self->solver;

  weir_context_set_phase (self->context, WEIR_LOG_PHASE_INTEGRATION);
  if (solver == NULL)
    {
      weir_context_set_time (self->context, limit);
      self->time = limit;
      return TRUE;
    }
  if (self->needs_restart)
    {
      if (solver->is_multistep && self->statistics.steps > 0)
        self->statistics.reinitialisations++;
      if (!solver->class->restart (solver, self->time, weir_context_get_state (self->context),
                                   error))
        return FALSE;
      self->needs_restart = FALSE;
    }
  if (!solver->class->step (solver, limit, error))
    return FALSE;
  weir_context_set_time_and_state (self->context, solver->t, solver->x);
  self->time = solver->t;
  return TRUE;
}

/* Without state there is nothing to integrate, but signals that change with time must be seen to: the
 * next multiple of the step after now. */
static double
next_sample (const WeirSimulator *self)
{
  double step = MIN (self->problem.step, self->problem.max_step);
  double n = floor ((self->time - self->start) / step * (1 + 4 * DBL_EPSILON)) + 1;

  return self->start + n * step;
}

gboolean
weir_simulator_step (WeirSimulator *self, double boundary, gboolean *done, GError **error)
{
  double next = INFINITY, limit;
  gboolean at_event, at_boundary;

  *done = FALSE;
  if (!self->is_initialized && !weir_simulator_initialize (self, error))
    return FALSE;
  if (self->is_terminated)
    {
      *done = TRUE;
      return TRUE;
    }
  if (!check_step (self, boundary, error) || (self->has_due && !execute_updates (self, error)))
    return FALSE;
  if (self->is_terminated || weir_is_same_instant (boundary, self->time))
    {
      *done = TRUE;
      return TRUE;
    }

  if (self->problem.step <= 0)
    self->problem.step = MIN (0.01, (boundary - self->time) / 100);
  for (guint i = 0; i < self->n_events; i++)
    next = MIN (next, self->events[i].time);
  limit = MIN (next, boundary);
  if (self->solver == NULL && self->follows_time)
    limit = MIN (limit, next_sample (self));
  if (!advance_continuous (self, limit, error))
    return FALSE;
  self->statistics.steps++;

  at_event = weir_is_same_instant (self->time, next);
  at_boundary = weir_is_same_instant (self->time, boundary);
  if (at_event && !meet_events (self, error))
    return FALSE;
  if (!call_monitor (self,
                     at_event      ? WEIR_PHASE_MINUS
                     : at_boundary ? WEIR_PHASE_FINAL
                                   : WEIR_PHASE_STEP,
                     error))
    return FALSE;
  *done = at_boundary || self->is_terminated;
  return TRUE;
}

gboolean
weir_simulator_advance_to (WeirSimulator *self, double boundary, GError **error)
{
  gboolean done = FALSE;

  while (!done)
    if (!weir_simulator_step (self, boundary, &done, error))
      return FALSE;
  return TRUE;
}

void
weir_simulator_note_change (WeirSimulator *self)
{
  self->needs_restart = TRUE;
}

WeirContext *
weir_simulator_get_context (WeirSimulator *self)
{
  return self->context;
}

WeirSystem *
weir_simulator_get_system (WeirSimulator *self)
{
  return self->root;
}

const WeirSimulatorStatistics *
weir_simulator_get_statistics (WeirSimulator *self)
{
  return &self->statistics;
}

gboolean
weir_simulator_is_terminated (WeirSimulator *self)
{
  return self->is_terminated;
}

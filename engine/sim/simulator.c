/* Advancing a context through time. See simulator.h and, for what handlers see, leaf.h.
 *
 * Invariants between steps: the context holds the last accepted time and state, and the solver the
 * same; every event's time is at or after it; those that are due are updates not yet executed, and
 * all of them are due at this very time.
 */
#include "sim/simulator-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "numerics/number.h"
#include "system/context/inspection.h"
#include "system/evaluation/event.h"
#include "system/observation/change-log.h"
#include "system/evaluation/loop.h"

gboolean
weir_simulator_make_parts (WeirSimulator *self, GError **error)
{
  const WeirSimulatorOptions *options = &self->options;
  guint n = self->problem.n;

  self->problem.start_state = self->start_state = g_new0 (double, n);
  self->follows_time = weir_layout_depends_on_time (self->problem.layout);
  self->derivatives = g_new0 (double, n);
  self->x_event = g_new0 (double, n);
  self->x_sample = g_new0 (double, n);
  weir_simulator_list_events (self);
  if (n > 0 && weir_solver_find (options->solver)->is_adaptive)
    self->pace = weir_pace_new (&self->problem, self->crossings != NULL);
  if (self->pace != NULL)
    self->problem.relative_tolerance = weir_pace_get_tolerance (options->relative_tolerance);
  if (n > 0 && !weir_solver_find (options->solver)->is_adaptive)
    self->poles = weir_pole_watch_new (&self->problem);
  return n == 0
         || (self->solver = weir_solver_new (options->solver, &self->problem, error)) != NULL;
}

WeirSimulator *
weir_simulator_new (WeirSystem *root, WeirContext *context, const WeirSimulatorOptions *options,
                    GError **error)
{
  WeirSimulator *self;
  guint n;

  if (!weir_simulator_options_check (options, error))
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
    .nominals = weir_layout_get_state_nominals (weir_system_get_layout (root)),
    .max_step = options->max_step > 0 ? options->max_step : (double) INFINITY,
    .statistics = &self->statistics,
    .cause = &self->cause,
  };
  self->troubles = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_trouble_unref);
  self->notes = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_trouble_unref);
  self->doubts = g_array_new (FALSE, FALSE, sizeof (WeirDoubt));
  if (!weir_simulator_make_parts (self, error))
    {
      weir_simulator_free (self);
      return NULL;
    }
  if (!weir_simulator_make_master (self, error))
    {
      weir_simulator_free (self);
      return NULL;
    }
  return self;
}

void
weir_simulator_free (WeirSimulator *self)
{
  if (self == NULL)
    return;
  weir_master_free (self->master);
  weir_solver_free (self->solver);
  weir_system_unref (self->root);
  weir_updates_free (self->updates);
  weir_problem_forget_failure (&self->problem);
  weir_crossings_free (self->crossings);
  weir_pace_free (self->pace);
  weir_pole_watch_free (self->poles);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  weir_remembered_free (self->remembered);
  g_clear_pointer (&self->doubts, g_array_unref);
  g_clear_pointer (&self->troubles, g_ptr_array_unref);
  g_free (self->events);
  g_free (self->start_state);
  g_free (self->derivatives);
  g_free (self->x_event);
  g_free (self->x_sample);
  g_free (self->nominals);
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
  weir_context_set_cancel (self->context, cancel);
  if (self->master != NULL)
    self->master->master_class->set_cancel (self->master, cancel);
}

/* What is looked for begins the next step where this one ended. */
static gboolean
move_starts (WeirSimulator *self, GError **error)
{
  return weir_layout_get_n_starts (self->problem.layout) == 0
         || weir_context_move_starts (self->root, self->context) == WEIR_OK
         || weir_simulator_fail (self, weir_phrase (N_ ("an algebraic loop has no solution")),
                                 error);
}

static gboolean
initialize (WeirSimulator *self, GError **error)
{
  self->statistics = (WeirSimulatorStatistics) { 0 };
  weir_problem_forget_failure (&self->problem);
  self->solver_stopwatch = self->crossing_stopwatch = self->event_stopwatch =
      self->monitor_stopwatch = self->problem.rhs_stopwatch = self->problem.jacobian_stopwatch =
          (WeirStopwatch) { 0 };
  self->is_terminated = self->has_due = self->is_initialized = self->is_changed = FALSE;
  self->has_crossed = FALSE;
  weir_context_set_phase (self->context, WEIR_LOG_PHASE_INITIALIZATION);
  self->step_taken = 0;
  weir_simulator_forget_remarks (self);
  self->problem.step = self->options.step;
  self->start = self->time = self->problem.start_time = weir_context_get_time (self->context);
  if (self->problem.n > 0)
    memcpy (self->start_state, weir_context_get_state (self->context),
            self->problem.n * sizeof (double));
  weir_simulator_begin_progress (self);
  if (self->pace != NULL)
    weir_pace_restart (self->pace);
  if (self->poles != NULL)
    weir_pole_watch_restart (self->poles);
  self->next_sample = 1;
  self->is_sample = TRUE;
  weir_context_set_accuracy (self->context, self->options.relative_tolerance);
  if (self->solver != NULL && self->is_solver_used)
    {
      WeirSolver *fresh = weir_solver_new (self->options.solver, &self->problem, error);

      if (fresh == NULL)
        return FALSE;
      weir_solver_free (self->solver);
      self->solver = fresh;
    }
  self->is_solver_used = self->needs_restart = TRUE;
  if (!weir_simulator_begin_master (self, error) || !move_starts (self, error))
    return FALSE;
  self->is_at_start = TRUE;
  if (!weir_simulator_begin_events (self, error))
    return FALSE;
  self->is_initialized = TRUE;
  weir_simulator_own_changes (self);
  return weir_simulator_show (self, WEIR_PHASE_INITIAL, error);
}

/* Lists why, if it failed. */
static gboolean
end_stage (WeirSimulator *self, gboolean ok, GError *found, GError **error)
{
  if (ok)
    return TRUE;
  weir_simulator_note_failure (self, found);
  g_propagate_error (error, found);
  return FALSE;
}

gboolean
weir_simulator_initialize (WeirSimulator *self, GError **error)
{
  GError *found = NULL;
  gboolean ok;

  self->cause.is_known = FALSE;
  ok = initialize (self, &found);
  return end_stage (self, ok, found, error);
}

static gboolean
check_step (WeirSimulator *self, double boundary, GError **error)
{
  double time = weir_context_get_time (self->context);
  char from[WEIR_TIME_TEXT_SIZE], to[WEIR_TIME_TEXT_SIZE];

  if (time != self->time)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "the time was changed from %s to %s during the run; initialise again",
                      weir_time_to_text (self->time, time, from),
                      weir_time_to_text (time, self->time, to));
      return FALSE;
    }
  if (!isfinite (boundary)
      || (boundary < self->time && !weir_is_same_instant (boundary, self->time)))
    {
      weir_error_set (error, WEIR_ERROR_INVALID, "the run cannot advance to %s, it is at t = %s",
                      weir_time_to_text (boundary, self->time, to),
                      weir_time_to_text (self->time, boundary, from));
      return FALSE;
    }
  return TRUE;
}

/* Lets the solver make its next step, to @limit at most. */
static gboolean
solve (WeirSimulator *self, double limit, GError **error)
{
  WeirProblem *problem = &self->problem;
  WeirSolver *solver = self->solver;
  gboolean has_jumped = self->needs_restart;
  gint64 begin;
  gboolean ok;

  if (self->needs_restart)
    {
      weir_simulator_take_nominals (self);
      if (solver->is_multistep && self->statistics.steps > 0)
        self->statistics.reinitialisations++;
      if (!weir_solver_restart (solver, self->time, weir_context_get_state (self->context), error))
        return FALSE;
      self->needs_restart = FALSE;
    }
  begin = weir_stopwatch_begin (&self->solver_stopwatch);
  if (self->pace != NULL)
    {
      double longest = weir_pace_get_longest (self->pace, self->horizon, has_jumped);

      problem->max_step = self->options.max_step > 0 ? MIN (longest, self->options.max_step)
                                                     : longest;
    }
  ok = solver->class->step (solver, limit, error);
  weir_stopwatch_end (&self->solver_stopwatch, begin);
  return ok;
}

static gboolean
scan (WeirSimulator *self, double t, double *end, GError **error)
{
  gint64 begin = weir_stopwatch_begin (&self->crossing_stopwatch);
  gboolean ok = weir_crossings_scan (self->crossings, self->solver, t, end, self->x_event,
                                     &self->has_crossed, error);

  weir_stopwatch_end (&self->crossing_stopwatch, begin);
  return ok && weir_simulator_judge_crossings (self, error);
}

/* An estimate of the error takes a kink for what it is only as a rule: some places within a step it
 * cannot see. A step that came upon one unforeseen, as after an event, is made anew up to it. Not
 * where that costs the history of many steps. */
static gboolean
shun_break (WeirSimulator *self, GError **error)
{
  double least = 10 * weir_crossings_get_tolerance (self->crossings, self->time, 0), at;

  if (!weir_crossings_find_break (self->crossings, self->solver, self->time, self->x_event, &at,
                                  error))
    return FALSE;
  if (!(at < self->solver->t && at - self->time > least))
    return TRUE;
  self->problem.ends_at_jump = FALSE;
  self->needs_restart = TRUE;
  return solve (self, at, error);
}

static gboolean
make_step (WeirSimulator *self, double limit, GError **error)
{
  WeirSolver *solver = self->solver;
  double begin = self->time, end = limit;
  gboolean ok = TRUE;
  WeirPole pole;

  self->has_crossed = FALSE;
  weir_context_set_phase (self->context, WEIR_LOG_PHASE_INTEGRATION);
  if (self->poles != NULL)
    weir_pole_watch_begin_step (self->poles, begin, weir_context_get_state (self->context),
                                self->needs_restart || self->has_jumped);
  if (solver != NULL)
    {
      if (!solve (self, limit, error)
          || (self->pace != NULL && !solver->is_multistep && self->crossings != NULL
              && !shun_break (self, error)))
        return FALSE;
      end = solver->t;
    }
  if (self->crossings != NULL && !scan (self, begin, &end, error))
    return FALSE;
  if (self->poles != NULL
      && weir_pole_watch_end_step (self->poles, end, self->has_crossed ? self->x_event : solver->x,
                                   &pole))
    weir_simulator_doubt_step (self, &pole);
  if (self->options.record_interval > 0)
    ok = weir_simulator_show_samples (self, begin, end, error);
  else if (self->options.record_gap > 0 && end - begin > self->options.record_gap)
    ok = weir_simulator_show_within (self, begin, end, error);
  if (solver == NULL)
    weir_context_set_time (self->context, end);
  else
    weir_context_set_time_and_state (self->context, end,
                                     self->has_crossed ? self->x_event : solver->x);
  self->step_taken = end - begin;
  self->time = end;
  self->needs_restart |= self->has_crossed;
  return ok;
}

/* Moves time and state to @limit, to where the solver's next step ends, or to the first zero
 * crossing before that. If something jumps at @limit, it is seen as before the jump until the step
 * and its dense output are done with. */
static gboolean
advance (WeirSimulator *self, double limit, gboolean limit_is_jump, GError **error)
{
  WeirProblem *problem = &self->problem;
  gboolean ok;

  problem->last_time = weir_time_before_jump (self->time, limit);
  problem->ends_at_jump = limit_is_jump && problem->last_time > self->time;
  ok = make_step (self, limit, error);
  problem->ends_at_jump = FALSE;
  return ok;
}

/* What keeps the past sees the end of the step as the step did: just before a jump. */
static gboolean
keep_end (WeirSimulator *self, double limit, gboolean limit_is_jump, GError **error)
{
  double last = limit - 16 * DBL_EPSILON * MAX (fabs (limit), self->step_taken);
  gboolean is_jump = limit_is_jump && self->time == limit && last > self->time - self->step_taken;
  gboolean ok;

  if (is_jump)
    weir_context_set_time (self->context, last);
  ok = weir_simulator_keep_past (self, FALSE, error);
  if (is_jump)
    weir_context_set_time (self->context, self->time);
  return ok;
}

/* Without state there is nothing to integrate, but signals that change with time must be seen to:
 * the next multiple of the step after now. */
static double
next_sample (const WeirSimulator *self)
{
  double step = MIN (self->problem.step, self->problem.max_step);
  double n = floor ((self->time - self->start) / step * (1 + 4 * DBL_EPSILON)) + 1;

  return self->start + n * step;
}

/* Executes the updates due now and shows x-plus. */
static gboolean
update (WeirSimulator *self, GError **error)
{
  gboolean is_news = FALSE;
  gint64 begin = weir_stopwatch_begin (&self->event_stopwatch);
  gboolean ok = weir_simulator_execute_updates (self, &is_news, error);

  weir_stopwatch_end (&self->event_stopwatch, begin);
  self->has_jumped |= is_news;
  return ok && (!is_news || weir_simulator_show (self, WEIR_PHASE_PLUS, error));
}

static gboolean
meet_events (WeirSimulator *self, GError **error)
{
  gint64 begin = weir_stopwatch_begin (&self->event_stopwatch);
  gboolean ok = weir_simulator_meet_events (self, error);

  weir_stopwatch_end (&self->event_stopwatch, begin);
  return ok;
}

/* Error control lets a kink within a step be as wrong as the tolerance, in each step the same way;
 * so a step that is to come to one ends there, or as near as can be foreseen. */
static double
avoid_break (const WeirSimulator *self, double limit)
{
  double at = weir_crossings_predict_break (self->crossings, self->time);
  double least = 10 * weir_crossings_get_tolerance (self->crossings, self->time, at - self->time);

  return at < limit && at - self->time > least ? at : limit;
}

/* Lets the units begin their steps, and sees to what follows from what they write beforehand. */
static gboolean
exchange (WeirSimulator *self, GError **error)
{
  if (!weir_simulator_begin_exchange (self, error))
    return FALSE;
  return !self->is_changed || update (self, error);
}

static gboolean
step (WeirSimulator *self, double boundary, gboolean *done, GError **error)
{
  double next, limit;
  gboolean at_event, at_boundary, is_timed;

  *done = FALSE;
  if (!self->is_initialized && !initialize (self, error))
    return FALSE;
  if (self->is_terminated)
    {
      *done = TRUE;
      return TRUE;
    }
  if (!check_step (self, boundary, error) || !weir_simulator_set_horizon (self, boundary, error))
    return FALSE;
  weir_simulator_take_up_changes (self);
  at_boundary = weir_is_same_instant (boundary, self->time);
  self->has_jumped = self->is_changed;
  if ((self->has_due || self->is_changed || (self->has_step_updates && !at_boundary))
      && !update (self, error))
    return FALSE;
  if (self->is_terminated || at_boundary)
    {
      weir_simulator_own_changes (self);
      *done = TRUE;
      return TRUE;
    }
  if (self->master != NULL && !exchange (self, error))
    return FALSE;
  if (self->is_terminated)
    {
      *done = TRUE;
      return TRUE;
    }
  if (self->has_sides && !weir_simulator_keep_past (self, TRUE, error))
    return FALSE;
  if (!weir_simulator_check_limit (self, error))
    return FALSE;

  if (self->problem.step <= 0)
    self->problem.step = MIN (0.01, (boundary - self->time) / 100);
  next = weir_simulator_get_next_event_time (self, &is_timed);
  if (self->master != NULL)
    {
      double communication = weir_simulator_get_communication_time (self);

      is_timed = is_timed && (next < communication || weir_is_same_instant (next, communication));
      next = MIN (next, communication);
    }
  limit = MIN (next, boundary);
  is_timed = is_timed && weir_is_same_instant (limit, next);
  if (self->solver == NULL && self->follows_time)
    limit = MIN (limit, next_sample (self));
  if (self->solver != NULL && self->crossings != NULL)
    limit = avoid_break (self, limit);
  is_timed = is_timed && limit >= MIN (next, boundary);
  if (!advance (self, limit, is_timed, error)
      || (self->has_sides && !keep_end (self, limit, is_timed, error))
      || !move_starts (self, error))
    return FALSE;
  if (!weir_simulator_count_step (self, error))
    return FALSE;

  if (self->master != NULL && !weir_simulator_end_exchange (self, error))
    return FALSE;
  at_event = weir_is_same_instant (self->time, next) || self->has_crossed;
  at_boundary = weir_is_same_instant (self->time, boundary);
  self->is_sample |= at_boundary;
  if ((at_event || self->has_step_publishes) && !meet_events (self, error))
    return FALSE;
  weir_simulator_own_changes (self);
  if (!weir_simulator_show (self,
                            at_event      ? WEIR_PHASE_MINUS
                            : at_boundary ? WEIR_PHASE_FINAL
                                          : WEIR_PHASE_STEP,
                            error))
    return FALSE;
  *done = at_boundary || self->is_terminated;
  return TRUE;
}

gboolean
weir_simulator_step (WeirSimulator *self, double boundary, gboolean *done, GError **error)
{
  GError *found = NULL;
  gboolean ok;

  self->cause.is_known = FALSE;
  ok = step (self, boundary, done, &found);
  return end_stage (self, ok, found, error);
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

gboolean
weir_simulator_is_sample (WeirSimulator *self)
{
  return self->options.record_interval <= 0 || self->is_sample || self->is_terminated;
}

WeirContext *
weir_simulator_get_context (WeirSimulator *self)
{
  return self->shown != NULL ? self->shown : self->context;
}

WeirMaster *
weir_simulator_get_master (WeirSimulator *self)
{
  return self->master;
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

char *
weir_simulator_dup_state_name (WeirSimulator *self, guint i)
{
  g_return_val_if_fail (i < self->problem.n, NULL);

  return weir_layout_dup_state_name (self->problem.layout, i);
}

WeirSimulatorTimes
weir_simulator_get_times (WeirSimulator *self)
{
  return (WeirSimulatorTimes) {
    .solver = weir_stopwatch_get_total (&self->solver_stopwatch),
    .rhs = weir_stopwatch_get_total (&self->problem.rhs_stopwatch),
    .jacobians = weir_stopwatch_get_total (&self->problem.jacobian_stopwatch),
    .crossings = weir_stopwatch_get_total (&self->crossing_stopwatch),
    .events = weir_stopwatch_get_total (&self->event_stopwatch),
    .monitor = weir_stopwatch_get_total (&self->monitor_stopwatch),
  };
}

gboolean
weir_simulator_is_terminated (WeirSimulator *self)
{
  return self->is_terminated;
}

gboolean
weir_simulator_force (WeirSimulator *self, WeirAction action, GError **error)
{
  return (self->is_initialized || weir_simulator_initialize (self, error))
         && weir_simulator_run_forced (self, action, error);
}

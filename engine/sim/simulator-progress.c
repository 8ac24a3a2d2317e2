/* How far a run gets: lengths of steps, the limit of their number, and stalling. */
#include <float.h>
#include <math.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "sim/simulator-private.h"
#include "system/evaluation/event.h"

#define STALL_REJECTED 4 /* one trial in so many */
#define STALL_STEP                                                                                 \
  1e-6                  /* steps that are so short on the average, beside the longest of the run   \
                         */
#define MOST_CLOSE 1000 /* instants in a row that a leaf gives too close to each other */
#define LONG_STALL 1000 /* times as many steps ... */
#define LONG_STALL_STEP 1e-7 /* ... so short, though none fail */

guint
weir_simulator_find_limiting_state (WeirSimulator *self)
{
  return self->solver != NULL && self->statistics.steps > 0
             ? weir_solver_find_limiting_state (self->solver)
             : G_MAXUINT;
}

gboolean
weir_simulator_check_limit (WeirSimulator *self, GError **error)
{
  g_autoptr (WeirMessage) text = NULL;

  if (self->options.max_steps == 0 || self->statistics.steps < self->options.max_steps)
    return TRUE;
  text = weir_message_new (N_ ("the run took its %lu steps, the limit that was set,"),
                           (gulong) self->options.max_steps);
  weir_problem_fail (&self->problem, error, self->time, weir_simulator_find_limiting_state (self),
                     weir_message_get_text (text));
  self->cause.kind = WEIR_TROUBLE_LIMIT;
  return FALSE;
}

/* What recurs so often within the run that it would count as stalled. Where stalls are not looked
 * for, what could not be told apart at the run's end. */
static double
get_least_interval (const WeirSimulator *self, double length)
{
  double most = self->options.max_stalled_steps > 0
                    ? (double) self->options.max_stalled_steps * LONG_STALL / WEIR_NO_PROGRESS
                    : 1 / DBL_EPSILON;

  return isfinite (length) ? length / most : 0;
}

static gboolean
refuse_recurrence (const char *path, const char *what, double interval, double length, double least,
                   GError **error)
{
  if (*path != '\0')
    weir_error_set (error, WEIR_ERROR_FAILED,
                    "%s: %s of %g s is too short for a run of %g s, which would get nowhere; give "
                    "it at least %.2g s",
                    path, what, interval, length, least);
  else
    weir_error_set (error, WEIR_ERROR_FAILED,
                    "%s of %g s is too short for a run of %g s, which would get nowhere; give it "
                    "at least %.2g s",
                    what, interval, length, least);
  return FALSE;
}

static gboolean
refuse_event (WeirSimulator *self, const WeirDeclaredEvent *declared, const char *what,
              double interval, double length, double least, GError **error)
{
  g_autofree char *path = weir_layout_dup_path (self->problem.layout, declared->node);

  weir_simulator_set_cause_node (self, WEIR_TROUBLE_EVENTS, declared->node);
  return refuse_recurrence (path, what, interval, length, least, error);
}

gboolean
weir_simulator_set_horizon (WeirSimulator *self, double boundary, GError **error)
{
  double length = boundary - self->start;
  double least = get_least_interval (self, length);

  if (self->horizon == length)
    return TRUE;
  for (guint i = 0; i < self->n_events; i++)
    {
      const WeirDeclaredEvent *declared = &self->events[i].declared;

      if (declared->trigger == WEIR_TRIGGER_PERIODIC && declared->period < least)
        return declared->n_points > 0 ? refuse_event (self, declared, weir_phrase (N_ ("a delay")),
                                                      declared->period * declared->n_points, length,
                                                      least * declared->n_points, error)
                                      : refuse_event (self, declared, weir_phrase (N_ ("a period")),
                                                      declared->period, length, least, error);
    }
  if (self->options.record_interval > 0 && self->options.record_interval < least)
    return refuse_recurrence ("", weir_phrase (N_ ("an interval of recording")),
                              self->options.record_interval, length, least, error);
  self->horizon = length;
  return TRUE;
}

gboolean
weir_simulator_check_recurrence (WeirSimulator *self, guint i, GError **error)
{
  WeirSimulatorEvent *event = &self->events[i];
  double least = get_least_interval (self, self->horizon), interval = event->time - self->time;

  if (interval >= least)
    {
      event->n_close = 0;
      return TRUE;
    }
  return ++event->n_close <= MOST_CLOSE
         || refuse_event (self, &event->declared,
                          weir_phrase (N_ ("an interval between its instants")), interval,
                          self->horizon, least, error);
}

static WeirStretch
begin_stretch (const WeirSimulatorStatistics *statistics, double time)
{
  return (WeirStretch) { statistics->steps, statistics->rejected_steps, time };
}

void
weir_progress_begin (WeirProgress *self, const WeirSimulatorStatistics *statistics, double time)
{
  self->stretch = self->long_stretch = begin_stretch (statistics, time);
}

void
weir_simulator_begin_progress (WeirSimulator *self)
{
  weir_progress_begin (&self->progress, &self->statistics, self->time);
}

static gboolean
fail_stalled (WeirSimulator *self, const WeirStretch *since, GError **error)
{
  const WeirSimulatorStatistics *statistics = &self->statistics;
  const WeirProblem *problem = &self->problem;
  gboolean is_reason = problem->failure_time >= since->time && problem->failure != NULL;
  g_autoptr (WeirMessage) what = weir_message_new (
      N_ ("the run stalls: its last %lu steps got it only %.2g s on, with %lu failed trials,"),
      (gulong) (statistics->steps - since->steps), self->time - since->time,
      (gulong) (statistics->rejected_steps - since->rejected));

  return (is_reason ? weir_problem_fail_as_noted : weir_problem_fail) (
      problem, error, self->time, weir_simulator_find_limiting_state (self),
      weir_message_get_text (what));
}

/* A solver that creeps up to where the model has no solution, or along a jump that no event tells
 * of, takes minute steps and has many trials fail. Neither happens in a run that gets on: error
 * control rejects a tenth of the trials, and steps that are short for long are so because they are
 * stable, not because they fail. Where none fail it may be the model's way, a burst of oscillations
 * say, and is waited for for longer. */
gboolean
weir_progress_is_stalled (WeirProgress *self, const WeirSimulatorStatistics *statistics,
                          double time, guint most, double horizon, WeirStretch *since)
{
  double none = WEIR_NO_PROGRESS * horizon, longest = statistics->longest_step;

  if (most == 0)
    return FALSE;
  *since = self->stretch;
  if (statistics->steps - since->steps >= most)
    {
      self->stretch = begin_stretch (statistics, time);
      if (statistics->rejected_steps - since->rejected >= MAX (most / STALL_REJECTED, 1)
          && time - since->time < MAX ((double) most * STALL_STEP * longest, none))
        return TRUE;
    }
  *since = self->long_stretch;
  if (statistics->steps - since->steps >= (guint64) most * LONG_STALL)
    {
      self->long_stretch = begin_stretch (statistics, time);
      if (time - since->time < MAX ((double) most * LONG_STALL * LONG_STALL_STEP * longest, none))
        return TRUE;
    }
  return FALSE;
}

gboolean
weir_simulator_count_step (WeirSimulator *self, GError **error)
{
  WeirStretch since;

  weir_statistics_count_step (&self->statistics, self->step_taken);
  return !weir_progress_is_stalled (&self->progress, &self->statistics, self->time,
                                    self->options.max_stalled_steps, self->horizon, &since)
         || fail_stalled (self, &since, error);
}

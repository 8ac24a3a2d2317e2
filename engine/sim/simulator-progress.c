/* How far a run gets: lengths of steps, the limit of their number, and stalling. */
#include "sim/simulator-private.h"

#define STALL_REJECTED 4 /* one trial in so many */
#define STALL_STEP 1e-6  /* steps that are so short on the average, beside the longest of the run */

gboolean
weir_simulator_check_limit (WeirSimulator *self, GError **error)
{
  g_autofree char *text = NULL;

  if (self->options.max_steps == 0 || self->statistics.steps < self->options.max_steps)
    return TRUE;
  text = g_strdup_printf ("the run took its %" G_GUINT64_FORMAT " steps, the limit that was set,",
                          self->options.max_steps);
  return weir_problem_fail (&self->problem, error, self->time, weir_simulator_find_limiting_state (self),
                            text);
}

void
weir_simulator_begin_stretch (WeirSimulator *self)
{
  self->stretch.steps = self->statistics.steps;
  self->stretch.rejected = self->statistics.rejected_steps;
  self->stretch.time = self->time;
}

/* A solver that creeps up to where the model has no solution, or along a jump that no event tells of, keeps
 * trying, failing and taking minute steps. Neither happens in a run that gets on: error control rejects a
 * tenth of the trials, and steps that are short for long are so because they are stable, not because they
 * fail. */
static gboolean
check_stall (WeirSimulator *self, GError **error)
{
  const WeirSimulatorStatistics *statistics = &self->statistics;
  guint64 n = statistics->steps - self->stretch.steps;
  guint64 rejected = statistics->rejected_steps - self->stretch.rejected;
  double gained = self->time - self->stretch.time;
  g_autofree char *what = NULL;

  if (self->options.max_stalled_steps == 0 || n < self->options.max_stalled_steps)
    return TRUE;
  weir_simulator_begin_stretch (self);
  if (rejected < MAX (n / STALL_REJECTED, 1)
      || gained >= (double) n * STALL_STEP * statistics->longest_step)
    return TRUE;
  what = g_strdup_printf ("the run stalls: its last %" G_GUINT64_FORMAT " steps got it only %.2g s on, and %"
                          G_GUINT64_FORMAT " trials failed,",
                          n, gained, rejected);
  return weir_problem_fail_because (&self->problem, error, self->time,
                                    weir_simulator_find_limiting_state (self), what,
                                    self->problem.failure_time >= self->time - gained
                                            && self->problem.failure[0] != '\0'
                                        ? self->problem.failure
                                        : NULL);
}

gboolean
weir_simulator_count_step (WeirSimulator *self, GError **error)
{
  WeirSimulatorStatistics *statistics = &self->statistics;
  double h = self->step_taken;

  statistics->steps++;
  statistics->last_step = h;
  statistics->longest_step = MAX (statistics->longest_step, h);
  if (statistics->steps == 1 || h < statistics->shortest_step)
    statistics->shortest_step = h;
  return check_stall (self, error);
}

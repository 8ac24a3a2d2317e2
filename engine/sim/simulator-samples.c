/* What the monitor is shown between the ends of a step, read off the solver's dense output: the
 * instants of a record interval, or the inside of steps so long that lines between their ends would
 * draw another curve. Neither alters a bit of the solution; the latter, which looks at copies of
 * the context, no counter either.
 */
#include <math.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "numerics/number.h"
#include "sim/simulator-private.h"
#include "system/observation/change-log.h"

#define MAX_SAMPLES 1e9    /* within one step */
#define ROWS_FOR_PLOTS 500 /* as many as a plot needs to look smooth; bounds what copies cost */
#define ROWS_FOR_FIGURES                                                                           \
  5000 /* a peak of a wave that is seen ten times is off by 2e-5 of it at most */

_Thread_local gint64 weir_stopwatch_idle;

void
weir_simulator_options_set_for_plots (WeirSimulatorOptions *options, double stop_time)
{
  options->record_gap = isfinite (stop_time) ? fabs (stop_time) / ROWS_FOR_PLOTS : 0;
}

void
weir_simulator_options_set_for_figures (WeirSimulatorOptions *options, double stop_time)
{
  options->record_gap = isfinite (stop_time) ? fabs (stop_time) / ROWS_FOR_FIGURES : 0;
}

void
weir_simulator_options_set_each_instant (WeirSimulatorOptions *options)
{
  options->record_interval = options->record_gap = 0;
}

gboolean
weir_simulator_show (WeirSimulator *self, WeirPhase phase, GError **error)
{
  WeirStatus status = WEIR_OK;

  weir_context_set_phase (self->context, WEIR_LOG_PHASE_MONITOR);
  if (self->monitor != NULL)
    {
      gint64 begin = weir_stopwatch_begin (&self->monitor_stopwatch);

      status = self->monitor (self, phase, self->monitor_data);
      weir_stopwatch_end (&self->monitor_stopwatch, begin);
    }
  weir_context_set_phase (self->context, WEIR_LOG_PHASE_OUTSIDE);
  if (status == WEIR_TERMINATE)
    self->is_terminated = TRUE;
  else if (status != WEIR_OK)
    return weir_simulator_fail (self, weir_phrase (N_ ("the monitor of the run failed")), error);
  return TRUE;
}

gboolean
weir_simulator_show_samples (WeirSimulator *self, double begin, double end, GError **error)
{
  double interval = self->options.record_interval;
  double time = self->start + (double) self->next_sample * interval;

  if (weir_is_same_instant (time, begin))
    {
      char text[WEIR_TIME_TEXT_SIZE];

      weir_error_set (error, WEIR_ERROR_FAILED,
                      "an interval of recording of %g s is too short to be told apart at t = %s",
                      interval, weir_time_to_text (begin, NAN, text));
      return FALSE;
    }
  if ((end - time) / interval > MAX_SAMPLES)
    {
      weir_error_set (error, WEIR_ERROR_FAILED,
                      "an interval of recording of %g s gives more than %g rows in the step from "
                      "t = %.17g to %.17g s; choose a longer one",
                      interval, MAX_SAMPLES, begin, end);
      return FALSE;
    }
  self->is_sample = TRUE;
  for (; time < end && !weir_is_same_instant (time, end);
       time = self->start + (double) ++self->next_sample * interval)
    {
      if (weir_problem_is_cancelled (&self->problem))
        return weir_problem_fail (&self->problem, error, time, G_MAXUINT, "");
      if (self->solver == NULL)
        weir_context_set_time (self->context, time);
      else if (!weir_solver_interpolate (self->solver, time, self->x_sample, error))
        return FALSE;
      else
        weir_context_set_time_and_state (self->context, time, self->x_sample);
      if (!weir_simulator_show (self, WEIR_PHASE_SAMPLE, error))
        return FALSE;
    }
  self->is_sample = weir_is_same_instant (time, end);
  self->next_sample += self->is_sample;
  return TRUE;
}

/* Methods that keep their step pay for what is within it with a right-hand side; their steps are
 * what was asked for. A value that cannot be computed between the ends of a step is none of the
 * run's: the monitor's answer is not asked for. */
gboolean
weir_simulator_show_within (WeirSimulator *self, double begin, double end, GError **error)
{
  g_autoptr (WeirContext) copy = NULL;
  const WeirSolverInfo *info = self->options.solver != NULL
                                   ? weir_solver_find (self->options.solver)
                                   : NULL;
  gboolean keeps_step = self->solver != NULL && info != NULL && !info->is_adaptive;
  double parts = keeps_step ? 1 : ceil ((end - begin) / self->options.record_gap);

  if (self->monitor == NULL || (parts == 1 && !self->has_jumped))
    return TRUE;
  copy = weir_problem_copy_context (&self->problem);
  for (double i = self->has_jumped ? 0 : 1; i < parts; i++)
    {
      double time = begin + (end - begin) * i / parts;

      if (i > 0 && self->solver != NULL)
        {
          if (!weir_solver_interpolate (self->solver, time, self->x_sample, error))
            return FALSE;
          weir_context_set_time_and_state (copy, time, self->x_sample);
        }
      else
        weir_context_set_time (copy, time);
      self->shown = copy;
      self->monitor (self, WEIR_PHASE_WITHIN, self->monitor_data);
      self->shown = NULL;
    }
  return TRUE;
}

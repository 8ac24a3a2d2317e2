/* The relay experiment. See relay.h.
 *
 * A first run finds about how long a period is; a second one, with steps small beside it, measures
 * it over the last of many.
 */
#include "analysis/relay.h"

#include <math.h>

#include "base/error.h"
#include "analysis/measure.h"
#include "linear/design.h"
#include "sim/recorder.h"
#include "system/evaluation/eval.h"

#define LONGER 32    /* so many times the time that was thought of */
#define N_ENOUGH 6   /* periods in the last half of a run */
#define N_PERIODS 30 /* of the second run, the last third of which is measured */
#define STEPS 400.   /* of a period */
#define EVEN 1e-3    /* how far two parts may differ */

/* Runs to @until and measures from @from on. */
static gboolean
measure (WeirSystem *root, const WeirSimulatorOptions *options, const char *port, double from,
         double until, const gint *cancel, WeirPeriodFigures *period, WeirStatistics *statistics,
         GError **error)
{
  const char *const ports[] = { port, NULL };
  g_autoptr (WeirContext) context = weir_system_create_context (root);
  g_autoptr (WeirRecorder) recorder = weir_recorder_new (root, ports, FALSE, error);
  g_autoptr (WeirSimulator)
      simulator = recorder != NULL ? weir_simulator_new (root, context, options, error) : NULL;
  g_autoptr (WeirMeasure) measured = NULL;

  if (simulator == NULL)
    return FALSE;
  weir_simulator_set_cancel (simulator, cancel);
  weir_simulator_set_monitor (simulator, weir_recorder_monitor, recorder);
  if (!weir_simulator_initialize (simulator, error)
      || !weir_simulator_advance_to (simulator, until, error))
    return FALSE;
  measured = weir_measure_new_for_signal (recorder, 0, WEIR_BETWEEN_LINES);
  weir_measure_update (measured);
  if (!weir_measure_get_period (measured, (WeirTimeRange) { from, until }, period))
    period->n_periods = 0;
  weir_measure_get_statistics (measured, (WeirTimeRange) { from, until }, statistics);
  return TRUE;
}

gboolean
weir_relay_find_oscillation (WeirSystem *root, const WeirSimulatorOptions *options,
                             const char *port, double d, double until, const gint *cancel,
                             WeirOscillation *oscillation, GError **error)
{
  WeirSimulatorOptions fine = *options;
  WeirPeriodFigures period = { 0 }, before;
  WeirStatistics statistics;

  for (double longest = LONGER * until; until <= longest; until *= 2)
    {
      before = period;
      if (!measure (root, options, port, until / 2, until, cancel, &period, &statistics, error))
        return FALSE;
      if (period.n_periods >= N_ENOUGH && before.n_periods > 0
          && fabs (period.period / before.period - 1) < EVEN * 10)
        break;
    }
  if (period.n_periods < N_ENOUGH || !(period.period > 0))
    {
      weir_error_set (error, WEIR_ERROR_FAILED,
                      "with a relay in place of the controller the loop does not oscillate: "
                      "this rule has no answer for it");
      return FALSE;
    }
  fine.max_step = period.period / STEPS;
  until = MAX (until, N_PERIODS * period.period);
  if (!measure (root, &fine, port, until - 10.5 * period.period, until, cancel, &period,
                &statistics, error))
    return FALSE;
  oscillation->period = period.period;
  oscillation->amplitude = (statistics.max - statistics.min) / 2;
  oscillation->gain = weir_tune_get_relay_gain (d, oscillation->amplitude);
  return TRUE;
}

/* The options of a run: defaults, settings by name, and what makes no sense. */
#include <math.h>
#include <string.h>

#include "sim/simulator-private.h"

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"

/* Some tens of roundings: an error estimate below that is noise. */
#define LEAST_TOLERANCE 1e-14

void
weir_simulator_options_init (WeirSimulatorOptions *options)
{
  *options = (WeirSimulatorOptions) {
    .relative_tolerance = 1e-6,
    .absolute_tolerance = 1e-9,
    .communication_tolerance = 1e-3,
    .max_crossings = 1000,
    .max_event_iterations = 100,
    .max_stalled_steps = 1000,
  };
}

gboolean
weir_simulator_options_set (WeirSimulatorOptions *options, const char *setting, double value)
{
  const struct {
    const char *setting;
    double *number;
    guint *count;
  } fields[] = {
    { "relative-tolerance", &options->relative_tolerance, NULL },
    { "absolute-tolerance", &options->absolute_tolerance, NULL },
    { "step", &options->step, NULL },
    { "max-step", &options->max_step, NULL },
    { "event-tolerance", &options->event_tolerance, NULL },
    { "record-interval", &options->record_interval, NULL },
    { "record-memory", &options->record_memory, NULL },
    { "communication-step", &options->communication_step, NULL },
    { "longest-communication-step", &options->longest_communication_step, NULL },
    { "communication-tolerance", &options->communication_tolerance, NULL },
    { "threads", NULL, &options->threads },
    { "rest-place", NULL, &options->rest_place },
    { "max-crossings", NULL, &options->max_crossings },
    { "max-event-iterations", NULL, &options->max_event_iterations },
    { "max-stalled-steps", NULL, &options->max_stalled_steps },
  };

  if (strcmp (setting, "max-steps") == 0)
    {
      options->max_steps = (guint64) CLAMP (value, 0, 1e18);
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (strcmp (setting, fields[i].setting) == 0)
      {
        if (fields[i].number != NULL)
          *fields[i].number = value;
        else
          *fields[i].count = (guint) CLAMP (value, 0, G_MAXUINT);
        return TRUE;
      }
  return FALSE;
}

gboolean
weir_simulator_options_check (const WeirSimulatorOptions *options, GError **error)
{
  const struct {
    const char *name;
    double value;
    gboolean may_be_zero;
  } numbers[] = {
    { N_ ("the relative tolerance"), options->relative_tolerance, FALSE },
    { N_ ("the absolute tolerance"), options->absolute_tolerance, FALSE },
    { N_ ("the step"), options->step, TRUE },
    { N_ ("the longest step"), options->max_step, TRUE },
    { N_ ("the tolerance of events"), options->event_tolerance, TRUE },
    { N_ ("the interval of recording"), options->record_interval, TRUE },
    { N_ ("the gap in recording"), options->record_gap, TRUE },
    { N_ ("the memory for results"), options->record_memory, TRUE },
    { N_ ("the communication step"), options->communication_step, TRUE },
    { N_ ("the longest communication step"), options->longest_communication_step, TRUE },
    { N_ ("the tolerance of communication"), options->communication_tolerance, FALSE },
  };

  if (options->solver != NULL && weir_solver_find (options->solver) == NULL)
    {
      g_autoptr (GString) names = g_string_new (NULL);

      for (guint i = 0; i < weir_solver_get_n (); i++)
        g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", weir_solver_get (i)->name);
      weir_error_set (error, WEIR_ERROR_NOT_FOUND, "there is no solver called \"%s\"; there are %s",
                      options->solver, names->str);
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (!isfinite (numbers[i].value) || numbers[i].value < 0
        || (numbers[i].value == 0 && !numbers[i].may_be_zero))
      {
        weir_error_set (
            error, WEIR_ERROR_INVALID, "%s is %g, but must be %s", weir_phrase (numbers[i].name),
            numbers[i].value,
            weir_phrase (numbers[i].may_be_zero ? N_ ("0 or positive") : N_ ("positive")));
        return FALSE;
      }
  if (weir_step_scheduling_type_get_name (options->schedule) == NULL)
    {
      weir_error_set (
          error, WEIR_ERROR_INVALID,
          "the schedule of units is number %d, but there are only full, cascading and iterated",
          (int) options->schedule);
      return FALSE;
    }
  if (options->relative_tolerance < LEAST_TOLERANCE)
    {
      weir_error_set (
          error, WEIR_ERROR_INVALID,
          "the relative tolerance is %g, but numbers have no more than 16 digits; it must be at "
          "least %.1g",
          options->relative_tolerance, LEAST_TOLERANCE);
      return FALSE;
    }
  if (options->relative_tolerance >= 1)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "the relative tolerance is %g, but must be below 1",
                      options->relative_tolerance);
      return FALSE;
    }
  return TRUE;
}

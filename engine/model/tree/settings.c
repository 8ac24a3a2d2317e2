/* The settings of a run. See settings.h. */
#include "model/tree/settings.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/solvers.h"
#include "base/text.h"
#include "equations/expressions/expression.h"

static const char *const overflow_choices[] = { "file", "thin", NULL };
static const char *const loop_choices[] = { "solve", "refuse", NULL };
static const char *const schedule_choices[] = { "full", "cascading", "iterated", NULL };

#define TIME(NAME, LABEL, DEFAULT, HELP)                                                           \
  {                                                                                                \
    .name = NAME, .label = LABEL, .kind = WEIR_VALUE_NUMBER, .is_literal = TRUE,                   \
    .default_text = DEFAULT, .minimum = 0, .maximum = (double) INFINITY, .unit = "s", .help = HELP \
  }
#define COUNT(NAME, LABEL, DEFAULT, LEAST, HELP)                                                   \
  {                                                                                                \
    .name = NAME, .label = LABEL, .kind = WEIR_VALUE_INTEGER, .default_text = DEFAULT,             \
    .minimum = LEAST, .maximum = (double) INFINITY, .help = HELP                                   \
  }

static const WeirParameterSpec specs[] = {
  TIME ("stop-time", N_ ("Stop time"), "10", N_ ("Where a run ends, in simulated seconds")),
  { .name = "solver",
    .label = N_ ("Solver"),
    .kind = WEIR_VALUE_CHOICE,
    .default_text = "auto",
    .choices = weir_solver_names,
    .help = N_ ("How continuous state is integrated") },
  { .name = "relative-tolerance",
    .label = N_ ("Relative tolerance"),
    .kind = WEIR_VALUE_NUMBER,
    .is_literal = TRUE,
    .default_text = "1e-6",
    .minimum = 0,
    .maximum = 0.5,
    .exclusive_minimum = TRUE,
    .help = N_ ("Error allowed per step, relative to each state") },
  { .name = "absolute-tolerance",
    .label = N_ ("Absolute tolerance"),
    .kind = WEIR_VALUE_NUMBER,
    .is_literal = TRUE,
    .default_text = "1e-9",
    .minimum = 0,
    .maximum = (double) INFINITY,
    .exclusive_minimum = TRUE,
    .help = N_ ("Error allowed per step near zero") },
  TIME ("step", N_ ("Fixed step"), "0", N_ ("Step of methods that keep it; 0 chooses one")),
  TIME ("max-step", N_ ("Longest step"), "0", N_ ("No step is longer; 0 sets no limit")),
  { .name = "algebraic-loops",
    .label = N_ ("Algebraic loops"),
    .kind = WEIR_VALUE_CHOICE,
    .default_text = "solve",
    .choices = loop_choices,
    .help = N_ ("Whether outputs that depend on each other at one instant are solved or refused") },
  TIME ("record-interval", N_ ("Recording interval"), "0",
        N_ ("Results are recorded at its multiples; 0 records each step. Steps stay as they are")),
  { .name = "record-memory",
    .label = N_ ("Memory for results"),
    .kind = WEIR_VALUE_NUMBER,
    .is_literal = TRUE,
    .default_text = "0",
    .minimum = 0,
    .maximum = (double) INFINITY,
    .help = N_ ("Mebibytes that the results of a run may take; 0 is a quarter of what is free") },
  { .name = "record-beyond",
    .label = N_ ("Results beyond it"),
    .kind = WEIR_VALUE_CHOICE,
    .default_text = "file",
    .choices = overflow_choices,
    .help = N_ ("Whether results that do not fit go to a file in the cache folder, or later ones "
                "are kept more and more rarely") },
  { .name = "real-time-rate",
    .label = N_ ("Real-time rate"),
    .kind = WEIR_VALUE_NUMBER,
    .is_literal = TRUE,
    .default_text = "0",
    .minimum = 0,
    .maximum = (double) INFINITY,
    .help = N_ ("Simulated seconds per second; 0 runs as fast as possible") },
  TIME ("communication-step", N_ ("Communication step"), "0.01",
        N_ ("How often units exchange values, in simulated seconds")),
  TIME ("longest-communication-step", N_ ("Longest communication step"), "0",
        N_ ("If longer than the communication step, that is the shortest: steps of units are "
            "twice, four times, … of it, as their tolerance allows; 0 keeps it")),
  { .name = "communication-tolerance",
    .label = N_ ("Tolerance of communication"),
    .kind = WEIR_VALUE_NUMBER,
    .is_literal = TRUE,
    .default_text = "0.001",
    .minimum = 0,
    .exclusive_minimum = TRUE,
    .maximum = (double) INFINITY,
    .help = N_ ("How far what a unit gives may be, when a step ends, from what the others supposed "
                "in it; relative to its size above 1. Of effect where communication steps may "
                "grow") },
  { .name = "schedule",
    .label = N_ ("Schedule of units"),
    .kind = WEIR_VALUE_CHOICE,
    .default_text = "full",
    .choices = schedule_choices,
    .help = N_ ("Whether all units step at once with the last values, those that feed others "
                "first, or all again and again until they agree") },
  COUNT ("rest-place", N_ ("Place of the rest"), "0", 0,
         N_ ("Before which units the rest of the model stands: those whose place is greater; 0 is "
             "after all")),
  TIME ("event-tolerance", N_ ("Tolerance of crossings"), "0",
        N_ ("To what zero crossings are located; 0 is a hundred times the rounding of the time")),
  COUNT ("max-crossings", N_ ("Most crossings in a row"), "1000", 0,
         N_ ("A block that crosses zero so often with next to no time between ends the run with a "
             "report; 0 sets no limit")),
  COUNT ("max-event-iterations", N_ ("Most event rounds"), "100", 1,
         N_ ("Events of one instant that still follow from each other after so many rounds end the "
             "run with a report")),
  COUNT ("max-steps", N_ ("Most steps"), "0", 0,
         N_ ("A run that needs more ends with a report; 0 sets no limit")),
  COUNT ("max-stalled-steps", N_ ("Most stalled steps"), "1000", 0,
         N_ ("A run that gets almost nowhere in so many steps, while many of its trials fail, "
             "ends with a report; 0 sets no limit")),
};

const WeirParameterSpec *
weir_settings_get_specs (guint *n)
{
  *n = G_N_ELEMENTS (specs);
  return specs;
}

const WeirParameterSpec *
weir_settings_find_spec (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    if (strcmp (specs[i].name, name) == 0)
      return &specs[i];
  return NULL;
}

const WeirParameterSpec *
weir_settings_find_alike (const char *name)
{
  const WeirParameterSpec *alike = NULL;
  guint nearest = strlen (name) > 3 ? 3 : 2; /* farther is another word */

  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      gsize n_before = strlen (specs[i].name) - MIN (strlen (name), strlen (specs[i].name));
      guint distance = weir_text_distance (name, specs[i].name);

      if (n_before > 0 && specs[i].name[n_before - 1] == '-'
          && strcmp (specs[i].name + n_before, name) == 0)
        distance = 1; /* "interval" of "record-interval" */
      if (distance < nearest)
        {
          nearest = distance;
          alike = &specs[i];
        }
    }
  return alike;
}

gboolean
weir_settings_check (const WeirParameterSpec *spec, const char *text, GError **error)
{
  g_autoptr (WeirMessage) expected = NULL;

  if (weir_parameter_spec_check (spec, text, NULL))
    return TRUE;
  expected = weir_parameter_spec_dup_expectation (spec);
  weir_error_set (error, WEIR_ERROR_INVALID, "The setting '%s' is '%s', but must be %s.",
                  spec->name, text, weir_message_get_text (expected));
  return FALSE;
}

gboolean
weir_model_thins_results (const WeirModel *model)
{
  return g_strcmp0 (weir_model_get_setting (model, "record-beyond"), "thin") == 0;
}

double
weir_model_get_setting_number (const WeirModel *model, const char *name)
{
  const WeirParameterSpec *spec = weir_settings_find_spec (name);
  const char *text = weir_model_get_setting (model, name);
  g_autofree double *value = NULL;
  guint size = 0;

  g_return_val_if_fail (spec != NULL, NAN);
  if (text == NULL || !weir_settings_check (spec, text, NULL))
    text = spec->default_text;
  value = weir_value_parse (text, &size, NULL);
  g_return_val_if_fail (value != NULL && size == 1, NAN);
  return value[0];
}

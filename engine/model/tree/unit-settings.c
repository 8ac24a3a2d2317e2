/* The settings of a unit. See unit-settings.h. */
#include "model/tree/unit-settings.h"

#include <math.h>
#include <string.h>

#include "base/solvers.h"
#include "base/text.h"

#define AS_MODEL "model" /* the solver that the model's settings name */
#define MAX_SOLVERS 63

/* "model", then the solvers; filled at the first use. */
static const char *solver_choices[MAX_SOLVERS + 2] = { AS_MODEL };

static const char *const input_choices[] = { "hold", "linear", "quadratic", "delayed", NULL };

static const char *const part_choices[] = {
  [WEIR_UNIT_ON] = "on", [WEIR_UNIT_IGNORED] = "ignored", [WEIR_UNIT_OFF] = "off", NULL
};

static const WeirParameterSpec specs[] = {
  { .name = "steps",
    .label = N_ ("Communication steps"),
    .kind = WEIR_VALUE_INTEGER,
    .default_text = "1",
    .minimum = 1,
    .maximum = 1e6,
    .help = N_ ("How many communication steps of the model one step of the unit is") },
  { .name = "place",
    .label = N_ ("Place"),
    .kind = WEIR_VALUE_INTEGER,
    .default_text = "0",
    .minimum = -1e6,
    .maximum = 1e6,
    .help = N_ (
        "Where it stands among units, the lowest first; in a cascade those before feed those "
        "after") },
  { .name = WEIR_UNIT_TAKES_PART,
    .label = N_ ("Takes part"),
    .kind = WEIR_VALUE_CHOICE,
    .default_text = "on",
    .choices = part_choices,
    .help = N_ ("Ignored, it makes its steps and the others see the outputs that it had; off, it "
                "makes none and begins anew when it is on again. Takes effect in a run") },
  { .name = WEIR_UNIT_INPUTS,
    .label = N_ ("Inputs between instants"),
    .kind = WEIR_VALUE_CHOICE,
    .default_text = "hold",
    .choices = input_choices,
    .help = N_ (
        "Whether inputs are held within a step, or on a line or parabola through their last "
        "values; delayed: held, and as they were where the step begins, whatever the schedule") },
  { .name = "solver",
    .label = N_ ("Solver"),
    .kind = WEIR_VALUE_CHOICE,
    .default_text = AS_MODEL,
    .choices = solver_choices,
    .help = N_ ("How its continuous state is integrated; model is as the model's settings say") },
  { .name = "relative-tolerance",
    .label = N_ ("Relative tolerance"),
    .kind = WEIR_VALUE_NUMBER,
    .is_literal = TRUE,
    .default_text = "0",
    .minimum = 0,
    .maximum = 0.5,
    .help = N_ ("Error allowed per step, relative to each state; 0 is the model's") },
  { .name = "absolute-tolerance",
    .label = N_ ("Absolute tolerance"),
    .kind = WEIR_VALUE_NUMBER,
    .is_literal = TRUE,
    .default_text = "0",
    .minimum = 0,
    .maximum = (double) INFINITY,
    .help = N_ ("Error allowed per step near zero; 0 is the model's") },
  { .name = "step",
    .label = N_ ("Fixed step"),
    .kind = WEIR_VALUE_NUMBER,
    .is_literal = TRUE,
    .default_text = "0",
    .minimum = 0,
    .maximum = (double) INFINITY,
    .unit = "s",
    .help = N_ ("Step of its solver, if that keeps one; 0 is the model's") },
  { .name = "max-step",
    .label = N_ ("Longest step"),
    .kind = WEIR_VALUE_NUMBER,
    .is_literal = TRUE,
    .default_text = "0",
    .minimum = 0,
    .maximum = (double) INFINITY,
    .unit = "s",
    .help = N_ ("No step of its solver is longer; 0 is the model's") },
};

static gpointer
fill_choices (G_GNUC_UNUSED gpointer data)
{
  for (guint i = 0; weir_solver_names[i] != NULL; i++)
    {
      g_assert (i < MAX_SOLVERS);
      solver_choices[i + 1] = weir_solver_names[i];
    }
  return NULL;
}

const WeirParameterSpec *
weir_unit_settings_get_specs (guint *n)
{
  static GOnce once = G_ONCE_INIT;

  g_once (&once, fill_choices, NULL);
  *n = G_N_ELEMENTS (specs);
  return specs;
}

const WeirParameterSpec *
weir_unit_settings_find_spec (const char *name)
{
  guint n;
  const WeirParameterSpec *all = weir_unit_settings_get_specs (&n);

  for (guint i = 0; i < n; i++)
    if (strcmp (all[i].name, name) == 0)
      return &all[i];
  return NULL;
}

double
weir_block_get_unit_number (const WeirBlock *block, const char *name)
{
  const WeirParameterSpec *spec = weir_unit_settings_find_spec (name);
  const char *text = weir_block_get_unit_setting (block, name);
  g_autofree double *value = NULL;
  guint size = 0;

  g_return_val_if_fail (spec != NULL, NAN);
  if (text == NULL || !weir_parameter_spec_check (spec, text, NULL))
    text = spec->default_text;
  value = weir_value_parse (text, &size, NULL);
  g_return_val_if_fail (value != NULL && size == 1, NAN);
  return value[0];
}

const char *
weir_block_get_unit_input (const WeirBlock *block, const char *port)
{
  g_autofree char *name = g_strconcat (WEIR_UNIT_INPUTS ".", port, NULL);
  const char *text = weir_block_get_unit_setting (block, name);

  if (text == NULL)
    text = weir_block_get_unit_setting (block, WEIR_UNIT_INPUTS);
  for (guint i = 0; text != NULL && input_choices[i] != NULL; i++)
    if (strcmp (input_choices[i], text) == 0)
      return input_choices[i];
  return input_choices[0];
}

WeirUnitActivity
weir_block_get_unit_activity (const WeirBlock *block)
{
  const char *text = weir_block_get_unit_setting (block, WEIR_UNIT_TAKES_PART);

  for (guint i = 0; text != NULL && part_choices[i] != NULL; i++)
    if (strcmp (part_choices[i], text) == 0)
      return (WeirUnitActivity) i;
  return WEIR_UNIT_ON;
}

const char *
weir_block_get_unit_solver (const WeirBlock *block)
{
  const char *text = weir_block_get_unit_setting (block, "solver");

  for (guint i = 0; text != NULL && weir_solver_names[i] != NULL; i++)
    if (strcmp (weir_solver_names[i], text) == 0)
      return weir_solver_names[i];
  return NULL;
}

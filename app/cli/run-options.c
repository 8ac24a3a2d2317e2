/* What the commands that run a model accept about it: its end, its solver, changed parameters.
 *
 * A value on the command line wins over the model's setting, which wins over the default. Numbers
 * are read as in models, the same in every locale.
 */
#include "cli/cli-private.h"

#include <string.h>

#include "blocks/library/registry.h"
#include "fmi/audit.h"
#include "fmi/trust.h"
#include "library/run-settings.h"
#include "model/completion/parameters.h"
#include "model/tree/patch.h"
#include "model/tree/settings.h"

#define MAX_ROWS 1e9 /* that a recording interval may ask for */

/* The settings of a model that an option overrides. */
static const struct {
  const char *setting, *option;
  char letter;
  const char *help, *argument;
  const char *instead; /* of 0, which a file may say and nobody types: what holds without either */
} run_settings[] = {
  { "stop-time", "until", 'u', "Stop at this simulated time, in seconds", "T" },
  { "solver", "solver", 0, "Integrate with this method", "NAME" },
  { "relative-tolerance", "rtol", 0, "Relative tolerance", "R" },
  { "absolute-tolerance", "atol", 0, "Absolute tolerance", "A" },
  { "step", "step", 0, "Step of methods that keep it, in seconds", "H", "one is chosen" },
  { "max-step", "max-step", 0, "Longest step, in seconds", "H" },
  { "algebraic-loops", "algebraic-loops", 0,
    "Outputs that depend on each other at one instant: solve or refuse", "HOW" },
  { "record-interval", "every", 0,
    "Record at multiples of this interval, in seconds, instead of at each step; steps stay as they "
    "are",
    "H", "each step is recorded" },
  { "record-memory", "memory", 0,
    "Memory that results may take, in mebibytes; 0 is a quarter of what is free", "M" },
  { "record-beyond", "beyond", 0,
    "Results that do not fit: to a file in the cache folder, or thin, more and more rarely",
    "file|thin" },
  { "real-time-rate", "rate", 0,
    "Keep to the wall clock: so many simulated seconds per second; 0 is as fast as possible", "R" },
  { "communication-step", "communication-step", 0, "How often units exchange values, in seconds",
    "H", "0.01" },
  { "longest-communication-step", "longest-communication-step", 0,
    "Let communication steps grow up to this, in seconds, as their tolerance allows; 0 never", "H",
    "0" },
  { "communication-tolerance", "communication-tolerance", 0,
    "How far what units give may be from what the others supposed, in steps that may grow", "X",
    "0.001" },
  { "schedule", "schedule", 0,
    "Units of co-simulation: full, all at once with the last values; cascading, those that feed "
    "others first; iterated, until they agree",
    "full|cascading|iterated" },
  { "event-tolerance", "event-tolerance", 0, "To what zero crossings are located, in seconds",
    "H" },
  { "max-crossings", "max-crossings", 0,
    "Give up when a block crosses zero so often in a row in no time; 0 never does", "N" },
  { "max-event-iterations", "max-event-iterations", 0,
    "Give up when events of one instant follow from each other for so many rounds", "N" },
  { "max-steps", "max-steps", 0, "Give up after so many steps; 0 never does", "N" },
  { "max-stalled-steps", "max-stalled-steps", 0,
    "Give up after so many steps that get almost nowhere; 0 never does", "N" },
};

G_STATIC_ASSERT (G_N_ELEMENTS (run_settings) <= WEIR_MAX_RUN_SETTINGS);

GOptionEntry *
weir_run_options_get_entries (WeirRunOptions *self, const GOptionEntry *more)
{
  const GOptionEntry set = {
    "set",       's',
    0,           G_OPTION_ARG_FILENAME_ARRAY,
    &self->set,  "Change a parameter, such as plant.pendulum.length=2; may be repeated",
    "PATH=VALUE"
  };
  const GOptionEntry trust = {
    "trust",
    0,
    0,
    G_OPTION_ARG_STRING_ARRAY,
    &self->trust,
    "Let the FMUs of this SHA-256 checksum, or all, run their programs; may be repeated",
    "SHA256|all"
  };
  const GOptionEntry threads = {
    "threads",
    0,
    0,
    G_OPTION_ARG_INT,
    &self->threads,
    "Let so many units step at a time; 0, the default, is as many as there are processors. Results "
    "are the same",
    "N"
  };
  GArray *entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  for (guint i = 0; i < G_N_ELEMENTS (run_settings); i++)
    {
      const GOptionEntry entry = {
        run_settings[i].option, run_settings[i].letter,  0, G_OPTION_ARG_STRING, &self->settings[i],
        run_settings[i].help,   run_settings[i].argument
      };

      g_array_append_val (entries, entry);
    }
  g_array_append_val (entries, set);
  g_array_append_val (entries, trust);
  g_array_append_val (entries, threads);
  for (; more != NULL && more->long_name != NULL; more++)
    g_array_append_val (entries, *more);
  return (GOptionEntry *) g_array_free (entries, FALSE);
}

void
weir_run_options_clear (WeirRunOptions *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->settings); i++)
    g_free (self->settings[i]);
  g_strfreev (self->set);
  g_strfreev (self->trust);
  *self = (WeirRunOptions) { 0 };
}

static const char *
get_typed (const WeirRunOptions *self, const char *setting)
{
  for (guint i = 0; i < G_N_ELEMENTS (run_settings); i++)
    if (strcmp (run_settings[i].setting, setting) == 0)
      return self->settings[i];
  return NULL;
}

gboolean
weir_run_options_has (const WeirRunOptions *self, const char *setting)
{
  return get_typed (self, setting) != NULL;
}

/* --- Parameters ------------------------------------------------------------------------------ */

/* The model with one assignment "plant.pendulum.length=2" made. */
static WeirModel *
assign (WeirModel *model, const char *assignment)
{
  const char *equals = strchr (assignment, '=');
  g_autofree char *path = equals != NULL ? g_strndup (assignment, (gsize) (equals - assignment))
                                         : g_strdup ("");
  g_autoptr (GError) error = NULL;
  WeirModel *result = weir_model_assign (model, path, equals != NULL ? equals + 1 : "", &error);

  if (result == NULL)
    weir_cli_complain ("--set %s: %s", assignment, error->message);
  return result;
}

/* The model with the @setting of the option as typed: those that completion, or who asks the model,
 * looks at. */
static WeirModel *
set_choice (WeirModel *model, guint i, const char *text)
{
  const WeirParameterSpec *spec = weir_settings_find_spec (run_settings[i].setting);
  g_autoptr (WeirPatch) patch = NULL;
  g_autoptr (GError) error = NULL;
  WeirModel *result;

  if (!weir_settings_check (spec, text, NULL))
    {
      g_autoptr (WeirMessage) expected = weir_parameter_spec_dup_expectation (spec);

      weir_cli_complain ("--%s: \"%s\" is not %s", run_settings[i].option, text,
                         weir_message_get_text (expected));
      return NULL;
    }
  patch = weir_patch_new ();
  weir_patch_set_setting (patch, spec->name, text);
  result = weir_model_apply (model, patch, NULL, &error);
  if (result == NULL)
    weir_cli_complain ("--%s: %s", run_settings[i].option, error->message);
  return result;
}

WeirModel *
weir_run_options_apply (const WeirRunOptions *self, WeirModel *model)
{
  g_autoptr (WeirModel) current = weir_model_ref (model);
  g_autoptr (GError) error = NULL;

  weir_fmu_audit_allow (); /* models are run here */
  for (guint i = 0; self->trust != NULL && self->trust[i] != NULL; i++)
    if (!weir_fmu_trust_add (self->trust[i], &error))
      {
        weir_cli_complain ("--trust: %s", error->message);
        return NULL;
      }
  for (guint i = 0; self->set != NULL && self->set[i] != NULL; i++)
    {
      WeirModel *next = assign (current, self->set[i]);

      if (next == NULL)
        return NULL;
      weir_model_unref (current);
      current = next;
    }
  for (guint i = 0; i < G_N_ELEMENTS (run_settings); i++)
    if (self->settings[i] != NULL
        && weir_settings_find_spec (run_settings[i].setting)->kind == WEIR_VALUE_CHOICE)
      {
        WeirModel *next = set_choice (current, i, self->settings[i]);

        if (next == NULL)
          return NULL;
        weir_model_unref (current);
        current = next;
      }
  return g_steal_pointer (&current);
}

/* --- Numbers --------------------------------------------------------------------------------- */

/* Of settings of the file, without the help of an option, that is the file's fault. */
static WeirExit
check_rows (const WeirRunOptions *self, double interval, double stop_time)
{
  gboolean is_typed = weir_run_options_has (self, "record-interval");
  gboolean ends_as_typed = weir_run_options_has (self, "stop-time");
  const char *shorter = ends_as_typed ? ", or an earlier end with --until" : "";

  if (interval <= 0 || stop_time / interval <= MAX_ROWS)
    return WEIR_EXIT_OK;
  weir_cli_complain ("%s: an interval of recording of %g s gives %.3g rows until t = %g s; there "
                     "can be %g; choose a longer one%s",
                     is_typed ? "--every" : "the file's setting 'record-interval'", interval,
                     stop_time / interval, stop_time, MAX_ROWS, shorter);
  return is_typed || ends_as_typed ? WEIR_EXIT_USAGE : WEIR_EXIT_MODEL;
}

WeirExit
weir_run_options_resolve (const WeirRunOptions *self, WeirModel *model,
                          WeirSimulatorOptions *options, double *stop_time, double *rate)
{
  weir_model_get_run_settings (model, options, stop_time);
  if (self->threads < 0)
    {
      weir_cli_complain ("--threads: %d is not a number of threads, which is 0 or more",
                         self->threads);
      return WEIR_EXIT_USAGE;
    }
  options->threads = (guint) self->threads;
  *rate = weir_model_get_setting_number (model, "real-time-rate");
  for (guint i = 0; i < G_N_ELEMENTS (run_settings); i++)
    {
      const WeirParameterSpec *spec = weir_settings_find_spec (run_settings[i].setting);
      const char *text = self->settings[i], *instead = run_settings[i].instead;
      g_autoptr (WeirMessage) expected = weir_parameter_spec_dup_expectation (spec);
      g_autofree double *typed = NULL;
      guint size = 0;

      if (text == NULL || (spec->kind != WEIR_VALUE_NUMBER && spec->kind != WEIR_VALUE_INTEGER))
        continue;
      if (weir_settings_check (spec, text, NULL))
        typed = weir_value_parse (text, &size, NULL);
      if (typed == NULL || (typed[0] == 0 && instead != NULL))
        {
          if (instead != NULL)
            weir_cli_complain ("--%s: \"%s\" is not a number of seconds above 0; "
                               "without it what the file says holds, or %s",
                               run_settings[i].option, text, instead);
          else
            weir_cli_complain ("--%s: \"%s\" is not %s", run_settings[i].option, text,
                               weir_message_get_text (expected));
          return WEIR_EXIT_USAGE;
        }
      weir_simulator_options_set (options, spec->name, typed[0]);
      if (strcmp (spec->name, "stop-time") == 0)
        *stop_time = typed[0];
      else if (strcmp (spec->name, "real-time-rate") == 0)
        *rate = typed[0];
    }
  return check_rows (self, options->record_interval, *stop_time);
}

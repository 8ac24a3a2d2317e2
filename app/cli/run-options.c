/* What `run` and `verify` accept about a run: its end, its solver, changed parameters.
 *
 * A value on the command line wins over the model's setting, which wins over the default. Numbers
 * are read as in models, the same in every locale.
 */
#include "cli/cli-private.h"

#include <string.h>

#include "blocks/registry.h"
#include "model/patch.h"

GOptionEntry *
weir_run_options_get_entries (WeirRunOptions *self, const GOptionEntry *more)
{
  const GOptionEntry own[] = {
    { "until", 'u', 0, G_OPTION_ARG_STRING, &self->until, "Stop at this simulated time, in seconds",
      "T" },
    { "solver", 0, 0, G_OPTION_ARG_STRING, &self->solver, "Integrate with this method", "NAME" },
    { "rtol", 0, 0, G_OPTION_ARG_STRING, &self->relative_tolerance, "Relative tolerance", "R" },
    { "atol", 0, 0, G_OPTION_ARG_STRING, &self->absolute_tolerance, "Absolute tolerance", "A" },
    { "step", 0, 0, G_OPTION_ARG_STRING, &self->step, "Step of methods that keep it, in seconds",
      "H" },
    { "max-step", 0, 0, G_OPTION_ARG_STRING, &self->max_step, "Longest step, in seconds", "H" },
    { "set", 's', 0, G_OPTION_ARG_FILENAME_ARRAY, &self->set,
      "Change a parameter, such as plant.pendulum.length=2; may be repeated", "PATH=VALUE" },
  };
  GArray *entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  g_array_append_vals (entries, own, G_N_ELEMENTS (own));
  for (; more != NULL && more->long_name != NULL; more++)
    g_array_append_val (entries, *more);
  return (GOptionEntry *) g_array_free (entries, FALSE);
}

void
weir_run_options_clear (WeirRunOptions *self)
{
  g_free (self->until);
  g_free (self->solver);
  g_free (self->relative_tolerance);
  g_free (self->absolute_tolerance);
  g_free (self->step);
  g_free (self->max_step);
  g_strfreev (self->set);
  *self = (WeirRunOptions) { 0 };
}

/* --- Parameters ------------------------------------------------------------------------------- */

static const WeirParameterSpec *
find_parameter (const WeirBlockType *type, const char *name)
{
  for (guint i = 0; i < type->n_parameters; i++)
    if (strcmp (type->parameters[i].name, name) == 0)
      return &type->parameters[i];
  return NULL;
}

static char *
list_parameters (const WeirBlockType *type)
{
  GString *names = g_string_new (type->n_parameters == 0 ? "it has none" : "it has ");

  for (guint i = 0; i < type->n_parameters; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", type->parameters[i].name);
  return g_string_free (names, FALSE);
}

/* The model with one assignment "plant.pendulum.length=2" made. */
static WeirModel *
assign (WeirModel *model, const char *assignment)
{
  const char *equals = strchr (assignment, '=');
  gsize length = equals != NULL ? (gsize) (equals - assignment) : 0;
  g_autofree char *path = g_strndup (assignment, length);
  char *dot = strrchr (path, '.');
  g_autoptr (GArray) place = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirBlock) changed = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL; /* what the block's parameter is to be */
  const char *parameter = NULL;
  const WeirParameterSpec *spec;
  const WeirBlockType *type;
  WeirModel *result;
  WeirBlock *block;

  if (dot == NULL)
    {
      weir_cli_complain ("--set %s: a block, a parameter and a value are needed, such as "
                         "pendulum.length=2", assignment);
      return NULL;
    }
  *dot = '\0';
  block = weir_model_find_path (model, path);
  if (block == NULL)
    {
      weir_cli_complain ("--set %s: the model has no block \"%s\"", assignment, path);
      return NULL;
    }
  type = weir_registry_find (weir_block_get_type_name (block));
  if (type == NULL)
    {
      weir_cli_complain ("--set %s: the type %s of %s is not known", assignment,
                         weir_block_get_type_name (block), path);
      return NULL;
    }
  spec = find_parameter (type, dot + 1);
  if (spec == NULL && type->assign != NULL && weir_block_get_arguments (block) != NULL)
    text = type->assign (weir_block_get_arguments (block), dot + 1, equals + 1, &parameter);
  if (text != NULL)
    spec = find_parameter (type, parameter);
  if (spec == NULL)
    {
      g_autofree char *names = list_parameters (type);

      weir_cli_complain ("--set %s: %s has no parameter \"%s\"; %s", assignment, path, dot + 1,
                         names);
      return NULL;
    }
  if (text == NULL)
    text = g_strdup (equals + 1);
  if (!weir_parameter_spec_check (spec, text, &error))
    {
      weir_cli_complain ("--set %s: %s", assignment, error->message);
      return NULL;
    }

  changed = weir_block_with_parameter (block, spec->name, text);
  weir_model_find_block (model, weir_block_get_id (block), place);
  weir_patch_set_block (patch, (WeirPlace) { (const guint32 *) (gpointer) place->data, place->len },
                        changed);
  result = weir_model_apply (model, patch, NULL, &error);
  if (result == NULL)
    weir_cli_complain ("--set %s: %s", assignment, error->message);
  return result;
}

WeirModel *
weir_run_options_apply (const WeirRunOptions *self, WeirModel *model)
{
  g_autoptr (WeirModel) current = weir_model_ref (model);

  for (guint i = 0; self->set != NULL && self->set[i] != NULL; i++)
    {
      WeirModel *next = assign (current, self->set[i]);

      if (next == NULL)
        return NULL;
      weir_model_unref (current);
      current = next;
    }
  return g_steal_pointer (&current);
}

/* --- Numbers ---------------------------------------------------------------------------------- */

static gboolean
resolve_number (const char *option, const char *typed, const char *setting, WeirModel *model,
                gboolean may_be_zero, double *value)
{
  const char *text = typed != NULL ? typed : weir_model_get_setting (model, setting);
  g_autofree double *number = NULL;
  guint size = 0;

  if (text == NULL)
    return TRUE;
  number = weir_value_parse (text, &size, NULL);
  if (number != NULL && size == 1 && number[0] < G_MAXDOUBLE
      && (may_be_zero ? number[0] >= 0 : number[0] > 0))
    {
      *value = number[0];
      return TRUE;
    }
  weir_cli_complain ("--%s: \"%s\" is not a number %s", option, text,
                     may_be_zero ? "of at least 0" : "greater than 0");
  return FALSE;
}

gboolean
weir_run_options_resolve (const WeirRunOptions *self, WeirModel *model,
                          WeirSimulatorOptions *options, double *stop_time)
{
  weir_simulator_options_init (options);
  *stop_time = WEIR_DEFAULT_STOP_TIME;
  options->solver
      = self->solver != NULL ? self->solver : weir_model_get_setting (model, "solver");
  if (options->solver != NULL && weir_solver_find (options->solver) == NULL)
    {
      g_autoptr (GString) names = g_string_new (NULL);

      for (guint i = 0; i < weir_solver_get_n (); i++)
        g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", weir_solver_get (i)->name);
      weir_cli_complain ("--solver: there is no \"%s\"; there are %s", options->solver, names->str);
      return FALSE;
    }
  if (!resolve_number ("until", self->until, "stop-time", model, TRUE, stop_time)
      || !resolve_number ("rtol", self->relative_tolerance, "relative-tolerance", model, FALSE,
                          &options->relative_tolerance)
      || !resolve_number ("atol", self->absolute_tolerance, "absolute-tolerance", model, FALSE,
                          &options->absolute_tolerance)
      || !resolve_number ("step", self->step, "step", model, TRUE, &options->step)
      || !resolve_number ("max-step", self->max_step, "max-step", model, TRUE, &options->max_step))
    return FALSE;
  return TRUE;
}

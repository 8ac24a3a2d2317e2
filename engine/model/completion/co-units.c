/* Completion, units of co-simulation: a Subsystem that is marked as one becomes a leaf, which a
 * provider makes of its system (system/structure/unit-maker.h). What scopes in it show are outputs
 * of the leaf besides, called by their paths within, as nothing else of its inside can be seen from
 * outside.
 */
#include "model/completion/completion-private.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "model/tree/settings.h"
#include "model/tree/unit-settings.h"
#include "system/structure/unit-maker.h"

static void G_GNUC_PRINTF (4, 5) report (const WeirInstance *self, WeirDiagnostics *diagnostics,
                                         const char *code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  weir_diagnostics_add_message (diagnostics, WEIR_SEVERITY_ERROR, code, self->path,
                                weir_instance_get_id (self), 0, weir_instance_get_line (self),
                                weir_message_new_valist (format, args));
  va_end (args);
}

static const WeirInstance *
find_unit_around (const WeirInstance *self)
{
  for (self = self->parent; self != NULL; self = self->parent)
    if (weir_instance_is_unit (self))
      return self;
  return NULL;
}

gboolean
weir_instance_is_unit (const WeirInstance *self)
{
  return self->block != NULL && self->children != NULL && self->block->unit != NULL;
}

/* "inputs.u" is "inputs" of the input u alone. NULL if there is no such setting, or input. */
static const WeirParameterSpec *
find_spec (const WeirInstance *self, const char *name)
{
  const char *dot = strchr (name, '.');
  g_autofree char *of_all = dot != NULL ? g_strndup (name, (gsize) (dot - name)) : NULL;

  if (dot == NULL)
    return weir_unit_settings_find_spec (name);
  for (guint i = 0; i < self->n_inputs; i++)
    if (strcmp (self->inputs[i].name, dot + 1) == 0)
      return strcmp (of_all, WEIR_UNIT_INPUTS) == 0 ? weir_unit_settings_find_spec (of_all) : NULL;
  return NULL;
}

/* COS02 */
static gboolean
check_settings (const WeirInstance *self, WeirDiagnostics *diagnostics)
{
  const WeirTexts *unit = self->block->unit;
  gboolean ok = TRUE;

  for (guint i = 0; i < weir_texts_get_size (unit); i++)
    {
      const char *name = weir_texts_get_name (unit, i), *text = weir_texts_get_text (unit, i);
      const WeirParameterSpec *spec = find_spec (self, name);
      g_autoptr (WeirMessage) expected = NULL;

      if (spec != NULL && weir_parameter_spec_check (spec, text, NULL))
        continue;
      if (spec == NULL)
        report (self, diagnostics, "COS02",
                N_ ("A unit has no setting '%s', or no such input; remove it."), name);
      else
        {
          expected = weir_parameter_spec_dup_expectation (spec);
          report (self, diagnostics, "COS02",
                  N_ ("The unit's setting '%s' is '%s', but must be %s."), name, text,
                  weir_message_get_text (expected));
        }
      weir_diagnostics_set_subject (diagnostics, name);
      ok = FALSE;
    }
  return ok;
}

/* Ports of scopes within, by their paths from there. */
static void
list_logged (const WeirInstance *self, gsize n_before, GPtrArray *ports)
{
  for (guint i = 0; i < self->children->len; i++)
    {
      const WeirInstance *child = g_ptr_array_index (self->children, i);

      if (child->children != NULL)
        list_logged (child, n_before, ports);
      for (guint k = 0; child->type != NULL && child->type->is_recorded_sink && k < child->n_inputs;
           k++)
        if (child->inputs[k].source != NULL && !child->is_grounded)
          g_ptr_array_add (ports,
                           g_strconcat (child->path + n_before, ".", child->inputs[k].name, NULL));
    }
}

static double
get_number (const WeirInstance *self, const WeirModel *model, const char *name)
{
  double own = weir_block_get_unit_number (self->block, name);

  return own > 0 ? own : weir_model_get_setting_number (model, name);
}

/* (transfer full) */
static WeirUnitInputUse *
list_inputs (const WeirInstance *self)
{
  WeirUnitInputUse *inputs = g_new0 (WeirUnitInputUse, self->n_inputs + 1);

  for (guint i = 0; i < self->n_inputs; i++)
    {
      const char *text = weir_block_get_unit_input (self->block, self->inputs[i].name);

      inputs[i].is_delayed = strcmp (text, "delayed") == 0;
      inputs[i].order = strcmp (text, "linear") == 0 ? 1 : strcmp (text, "quadratic") == 0 ? 2 : 0;
    }
  return inputs;
}

void
weir_instance_make_unit (WeirInstance *self, const WeirModel *model, WeirDiagnostics *diagnostics)
{
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (GPtrArray) ports = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  g_autofree WeirUnitInputUse *inputs = list_inputs (self);
  g_autoptr (GError) error = NULL;
  const WeirInstance *around = find_unit_around (self);
  static const char *const none[] = { NULL };
  WeirUnitRequest request;

  if (around != NULL)
    {
      report (self, diagnostics, "COS01",
              N_ ("This unit lies in the unit %s, and units hold no others; end one of the two, or "
                  "move this one out."),
              around->path);
      g_clear_pointer (&self->system, weir_system_unref);
      return;
    }
  system = g_steal_pointer (&self->system);
  if (!check_settings (self, diagnostics))
    return;
  list_logged (self, strlen (self->path) + 1, ports);
  request = (WeirUnitRequest) {
    .solver = weir_block_get_unit_solver (self->block),
    .relative_tolerance = get_number (self, model, "relative-tolerance"),
    .absolute_tolerance = get_number (self, model, "absolute-tolerance"),
    .step = get_number (self, model, "step"),
    .max_step = get_number (self, model, "max-step"),
    .n_steps = (guint) weir_block_get_unit_number (self->block, "steps"),
    .place = (int) weir_block_get_unit_number (self->block, "place"),
    .activity = weir_block_get_unit_activity (self->block),
    .inputs = inputs,
    .ports = ports->len > 0 ? (const char *const *) ports->pdata : none,
  };
  if (request.solver == NULL)
    request.solver = weir_model_get_setting (model, "solver");
  self->system = weir_unit_make (system, &request, &error);
  if (self->system == NULL)
    report (self, diagnostics, "COS01", "%s", weir_error_get_text (error));
}

void
weir_instance_check_no_unit (const WeirInstance *self, WeirDiagnostics *diagnostics)
{
  if (!self->is_grounded && !weir_block_is_type (self->block, WEIR_TYPE_NAME_FMU))
    report (self, diagnostics, "COS01",
            N_ ("Only a Subsystem can be a unit of co-simulation; put the block into one."));
}

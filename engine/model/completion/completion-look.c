/* What else completion knows of a model: values of parameters, sizes of signals, units of ports. */
#include "model/completion/completion-private.h"

#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"

typedef void (*LookFunc) (const WeirInstance *instance, gpointer data);

static void
look_at (const WeirInstance *self, LookFunc look, gpointer data)
{
  look (self, data);
  for (guint i = 0; self->children != NULL && i < self->children->len; i++)
    look_at (g_ptr_array_index (self->children, i), look, data);
}

/* Calls @look for every instance of a model whose sizes, and units, are found. */
static void
look_at_all (WeirModel *model, gboolean with_units, LookFunc look, gpointer data)
{
  g_autoptr (WeirDiagnostics) silent = weir_diagnostics_new ();
  g_autoptr (WeirBindings) bindings = weir_bindings_new (model, silent);
  WeirInstance *top = weir_instance_new_top (model, bindings, WEIR_CHECKS_NONE, silent);

  weir_instance_find_sizes (top, silent);
  if (with_units)
    weir_instance_find_units (top, silent);
  look_at (top, look, data);
  weir_instance_free (top);
}

static char *
describe_uses (const WeirBinding *binding)
{
  GString *uses = g_string_new (NULL);

  for (guint i = 0; binding->uses != NULL && i < binding->uses->len; i++)
    {
      const WeirBinding *used = g_ptr_array_index (binding->uses, i);
      g_autofree char *value = used->value != NULL ? weir_value_to_string (used->value, used->size)
                                                   : g_strdup (used->text);

      g_string_append_printf (uses, "%s%s = %s", uses->len > 0 ? ", " : "", used->path, value);
    }
  return g_string_free (uses, FALSE);
}

char *
weir_model_evaluate_parameter (WeirModel *model, guint32 block, const char *parameter, char **uses,
                               GError **error)
{
  g_autoptr (WeirDiagnostics) found = weir_diagnostics_new ();
  g_autoptr (WeirBindings) bindings = NULL;
  const WeirBinding *binding = NULL;
  WeirInstance *top, *instance;
  char *text = NULL;

  g_return_val_if_fail (model != NULL, NULL);
  g_return_val_if_fail (parameter != NULL, NULL);

  bindings = weir_bindings_new (model, found);
  top = weir_instance_new_path (model, bindings, block, &instance, found);
  if (instance != NULL)
    binding = weir_bindings_evaluate (bindings, instance, parameter);
  if (binding != NULL)
    {
      text = weir_value_to_string (binding->value, binding->size);
      if (uses != NULL)
        *uses = describe_uses (binding);
    }
  else
    {
      const WeirDiagnostic *problem = NULL;

      for (guint i = 0; i < weir_diagnostics_get_size (found) && problem == NULL; i++)
        if (weir_diagnostics_get (found, i)->block == block
            && g_strcmp0 (weir_diagnostics_get (found, i)->subject, parameter) == 0)
          problem = weir_diagnostics_get (found, i);
      weir_error_set (error, WEIR_ERROR_INVALID, "%s",
                      problem != NULL ? problem->text
                                      : weir_phrase (N_ ("The parameter has no value.")));
    }
  weir_instance_free (top);
  return text;
}

WeirArguments *
weir_model_dup_arguments (WeirModel *model, guint32 block)
{
  g_autoptr (WeirDiagnostics) silent = weir_diagnostics_new ();
  g_autoptr (WeirBindings) bindings = NULL;
  WeirArguments *arguments = NULL;
  WeirInstance *top, *instance;

  g_return_val_if_fail (model != NULL, NULL);

  bindings = weir_bindings_new (model, silent);
  top = weir_instance_new_path (model, bindings, block, &instance, silent);
  if (instance != NULL && instance->evaluated != NULL)
    arguments = g_steal_pointer (&instance->evaluated);
  else if (instance != NULL && instance->arguments != NULL)
    arguments = weir_block_parse_arguments (instance->block, NULL);
  weir_instance_free (top);
  return arguments;
}

typedef struct {
  WeirBindings *bindings;
  void (*visit) (const WeirInstance *instance, WeirBindings *bindings, gpointer data);
  gpointer data;
} Visiting;

static void
visit_instance (const WeirInstance *self, gpointer data)
{
  const Visiting *visiting = data;

  visiting->visit (self, visiting->bindings, visiting->data);
}

void
weir_model_visit_bindings (WeirModel *model,
                           void (*visit) (const WeirInstance *instance, WeirBindings *bindings,
                                          gpointer data),
                           void (*finish) (WeirBindings *bindings, gpointer data), gpointer data)
{
  g_autoptr (WeirDiagnostics) silent = weir_diagnostics_new ();
  g_autoptr (WeirBindings) bindings = weir_bindings_new (model, silent);
  Visiting visiting = { bindings, visit, data };
  WeirInstance *top = weir_instance_new_top (model, bindings, WEIR_CHECKS_NONE, silent);

  look_at (top, visit_instance, &visiting);
  finish (bindings, data);
  weir_instance_free (top);
}

static void
collect_sizes (const WeirInstance *self, gpointer data)
{
  for (guint i = 0; i < self->n_inputs; i++)
    if (self->inputs[i].wire != NULL && self->inputs[i].source != NULL
        && !self->inputs[i].source->owner->is_doubtful && self->inputs[i].source->size > 0)
      g_hash_table_insert (data, GUINT_TO_POINTER (weir_wire_get_id (self->inputs[i].wire)),
                           GUINT_TO_POINTER (self->inputs[i].source->size));
}

static gpointer
make_sizes (WeirModel *model)
{
  GHashTable *sizes = g_hash_table_new (NULL, NULL);

  look_at_all (model, FALSE, collect_sizes, sizes);
  return sizes;
}

static gpointer
ref_table (gpointer result)
{
  return g_hash_table_ref (result);
}

static void
unref_table (gpointer result)
{
  g_hash_table_unref (result);
}

WeirDerivedKind weir_derived_signal_sizes = {
  .name = "signal sizes",
  .survives = WEIR_ASPECTS_OF_LOOKS | WEIR_ASPECT_NAMES | WEIR_ASPECT_PARAMETERS
              | WEIR_ASPECT_SETTINGS | WEIR_ASPECT_SCHEDULE | WEIR_ASPECT_POINTS,
  .make = make_sizes,
  .ref = ref_table,
  .unref = unref_table,
};

GHashTable *
weir_model_dup_signal_sizes (WeirModel *model)
{
  g_return_val_if_fail (model != NULL, NULL);

  return weir_model_get_derived (model, &weir_derived_signal_sizes);
}

typedef struct {
  WeirDescription what;
  GString *text;
} Describing;

static void
describe (const WeirInstance *self, gpointer data)
{
  const Describing *describing = data;

  if (self->type == NULL || self->type->describe == NULL || self->arguments == NULL)
    return;
  {
    g_autofree char *text = self->type->describe (self->arguments, describing->what);
    g_autofree char *path = weir_text_escape (self->path);

    g_string_append_printf (describing->text, "\n%s\n%s", path, text);
  }
}

char *
weir_model_describe_blocks (WeirModel *model, WeirDescription what)
{
  Describing describing = { what, g_string_new (NULL) };

  g_return_val_if_fail (model != NULL, NULL);

  look_at_all (model, FALSE, describe, &describing);
  return g_string_free (describing.text, FALSE);
}

static void
port_unit_clear (gpointer data)
{
  WeirPortUnit *self = data;

  g_free (self->path);
  g_free (self->unit);
}

/* @unit: NULL = none. */
static void
add_unit (GArray *units, const WeirInstance *self, const char *name, const char *unit)
{
  WeirPortUnit found = { g_strconcat (self->path, ".", name, NULL), g_strdup (unit), TRUE };

  if (unit != NULL)
    g_array_append_val (units, found);
  else
    port_unit_clear (&found);
}

/* What a part of a network has beside its ports: as the network's leaf calls it. */
static void
collect_units_of_part (const WeirInstance *self, const WeirPartType *part, GArray *units)
{
  for (guint i = 0; i < part->variables->len; i++)
    add_unit (units, self, g_array_index (part->variables, WeirPartName, i).name,
              g_array_index (part->variables, WeirPartName, i).unit);
  for (guint i = 0; i < part->throughs->len; i++)
    {
      const WeirThrough *through = &g_array_index (part->throughs, WeirThrough, i);

      add_unit (units, self, through->name,
                g_array_index (part->pins, WeirPinSpec, through->from).domain->flow_unit);
    }
  for (guint i = 0; i < part->acrosses->len; i++)
    {
      const WeirAcross *across = &g_array_index (part->acrosses, WeirAcross, i);

      add_unit (units, self, across->name,
                g_array_index (part->pins, WeirPinSpec, across->from).domain->potential_unit);
    }
  for (guint i = 0; i < part->pins->len; i++)
    {
      const WeirPinSpec *pin = &g_array_index (part->pins, WeirPinSpec, i);
      g_autofree char *potential = g_strconcat (pin->name, ".", pin->domain->potential, NULL);
      g_autofree char *flow = g_strconcat (pin->name, ".", pin->domain->flow, NULL);

      add_unit (units, self, potential, pin->domain->potential_unit);
      add_unit (units, self, flow, pin->domain->flow_unit);
    }
}

static void
collect_units (const WeirInstance *self, gpointer data)
{
  const WeirPartType *part = self->arguments != NULL ? weir_arguments_get_part (self->arguments)
                                                     : NULL;

  for (guint i = 0; i < self->n_inputs + self->n_outputs; i++)
    {
      const WeirInstancePort *port = i < self->n_inputs ? &self->inputs[i]
                                                        : &self->outputs[i - self->n_inputs];
      WeirPortUnit found;

      if (!port->has_unit || self->is_in || self->is_out)
        continue;
      found = (WeirPortUnit) { g_strconcat (self->path, ".", port->name, NULL),
                               port->unit_text != NULL ? g_strdup (port->unit_text)
                                                       : weir_unit_to_string (&port->unit),
                               port->is_unit_given };
      g_array_append_val ((GArray *) data, found);
    }
  if (part != NULL)
    collect_units_of_part (self, part, data);
}

GArray *
weir_model_list_units (WeirModel *model)
{
  GArray *units = g_array_new (FALSE, FALSE, sizeof (WeirPortUnit));

  g_return_val_if_fail (model != NULL, NULL);

  g_array_set_clear_func (units, port_unit_clear);
  look_at_all (model, TRUE, collect_units, units);
  return units;
}

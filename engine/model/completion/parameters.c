/* The index of parameters. See parameters.h. */
#include "model/completion/parameters.h"

#include <stdlib.h>
#include <string.h>

#include "model/completion/completion-private.h"
#include "equations/compile/equations.h"
#include "model/tree/fmu-parameters.h"
#include "model/tree/unit-settings.h"
#include "system/layout/layout.h"

struct _WeirParameters {
  WeirModel *model; /* which owns the texts */
  GPtrArray *entries;
  GHashTable *by_path; /* to WeirParameterEntry */
};

static const char *const role_names[] = { "tunable", "initial", "discrete", "constant",
                                          "variable" };

const char *
weir_parameter_role_get_name (WeirParameterRole role)
{
  g_return_val_if_fail (role < G_N_ELEMENTS (role_names), NULL);

  return role_names[role];
}

static void
entry_free (gpointer data)
{
  WeirParameterEntry *self = data;

  g_free (self->path);
  g_free ((char *) self->text);
  g_free (self->value);
  g_free (self->unit);
  g_free (self->origin);
  g_free (self);
}

/* What the names in a text were found to mean. (transfer full) */
static char *
dup_origin (const WeirBinding *binding)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < binding->uses->len; i++)
    {
      const WeirBinding *meant = g_ptr_array_index (binding->uses, i);

      g_string_append_printf (text, "%s%s is %s", i > 0 ? ", " : "", meant->name, meant->path);
    }
  return g_string_free (text, FALSE);
}

static void
find_slot (WeirParameterEntry *entry, const WeirInstance *owner, WeirSystem *system)
{
  WeirLayout *layout = system != NULL ? weir_system_get_layout (system) : NULL;
  g_autofree char *path = entry->leaf_parameter != NULL
                              ? g_strconcat (owner->path, ".", entry->leaf_parameter, NULL)
                              : NULL;
  const char *name;
  guint size;

  entry->has_slot = layout != NULL && path != NULL
                    && weir_layout_find_owner (layout, path, &entry->node, &name)
                    && weir_layout_find_parameter (layout, entry->node, name, &entry->slot, &size);
}

/* An expression may come to what the parameter cannot be. */
static gboolean
is_allowed (const WeirBinding *binding)
{
  g_autofree char *text = NULL;

  if (binding->spec == NULL)
    return TRUE;
  text = weir_value_to_string (binding->value, binding->size);
  return weir_parameter_spec_check (binding->spec, text, NULL);
}

static void
add (WeirParameters *self, const WeirBinding *binding, WeirSystem *system)
{
  const WeirParameterSpec *spec = binding->spec;
  WeirParameterEntry *entry = g_new0 (WeirParameterEntry, 1);

  entry->path = g_strdup (binding->path);
  entry->text = g_strdup (binding->text);
  entry->block = binding->owner != NULL ? weir_instance_get_id (binding->owner) : 0;
  if (binding->is_named && binding->is_tunable)
    entry->leaf_parameter = g_intern_string (binding->name);
  else if (spec != NULL)
    entry->leaf_parameter = spec->tunable;
  entry->role = binding->is_named
                    ? (binding->is_tunable ? WEIR_PARAMETER_TUNABLE : WEIR_PARAMETER_CONSTANT)
                : spec == NULL          ? WEIR_PARAMETER_VARIABLE
                : spec->is_initial      ? WEIR_PARAMETER_INITIAL
                : spec->tunable != NULL ? WEIR_PARAMETER_TUNABLE
                                        : WEIR_PARAMETER_CONSTANT;
  if (binding->state == WEIR_BINDING_DONE && is_allowed (binding))
    {
      entry->value = g_memdup2 (binding->value, binding->size * sizeof (double));
      entry->size = binding->size;
    }
  if (spec != NULL && spec->is_initial
      && weir_instance_get_start (binding->owner, spec->name) != NULL)
    {
      g_free (entry->value);
      entry->value = weir_value_parse (weir_instance_get_start (binding->owner, spec->name),
                                       &entry->size, NULL);
      entry->own = binding->text;
    }
  if (spec != NULL && spec->unit != NULL)
    entry->unit = g_strdup (spec->unit);
  else if (binding->has_unit)
    entry->unit = weir_unit_to_string (&binding->unit);
  if (entry->own == NULL && binding->uses != NULL && binding->uses->len > 0)
    entry->origin = dup_origin (binding);
  find_slot (entry, binding->owner, system);
  g_ptr_array_add (self->entries, entry);
  g_hash_table_insert (self->by_path, entry->path, entry);
}

/* What a text of equations names that is no parameter. */
static void
add_named (WeirParameters *self, const WeirInstance *instance)
{
  g_autoptr (GArray) values = instance->type->list_values (instance->arguments);

  for (guint i = 0; i < values->len; i++)
    {
      const WeirEquationValue *value = &g_array_index (values, WeirEquationValue, i);
      WeirParameterEntry *entry = g_new0 (WeirParameterEntry, 1);

      entry->path = g_strconcat (instance->path, ".", value->name, NULL);
      entry->text = weir_value_to_string (value->value, value->size);
      entry->block = weir_instance_get_id (instance);
      entry->is_hidden = value->kind == WEIR_EQUATION_INITIAL;
      entry->role = entry->is_hidden ? WEIR_PARAMETER_INITIAL : WEIR_PARAMETER_DISCRETE;
      entry->value = g_memdup2 (value->value, value->size * sizeof (double));
      entry->size = value->size;
      entry->unit = g_strdup (value->unit);
      g_ptr_array_add (self->entries, entry);
      g_hash_table_insert (self->by_path, entry->path, entry);
    }
}

/* What an FMU lets one choose that is a number: those that are fixed shape its block, as far as a
 * run can tell. */
static void
add_fmu (WeirParameters *self, const WeirInstance *instance, WeirSystem *system)
{
  const GArray *specs = weir_block_get_fmu_parameters (instance->block);

  for (guint i = 0; specs != NULL && i < specs->len; i++)
    {
      const WeirParameterSpec *spec = &g_array_index (specs, WeirParameterSpec, i);
      WeirParameterEntry *entry;

      if (spec->kind == WEIR_VALUE_TEXT)
        continue;
      entry = g_new0 (WeirParameterEntry, 1);
      entry->path = g_strconcat (instance->path, ".", spec->name, NULL);
      entry->text = weir_block_dup_fmu_parameter (instance->block, spec);
      entry->value = weir_block_dup_fmu_value (instance->block, spec, &entry->size);
      entry->unit = g_strdup (spec->unit);
      entry->block = weir_instance_get_id (instance);
      entry->role = spec->is_initial        ? WEIR_PARAMETER_INITIAL
                    : spec->tunable != NULL ? WEIR_PARAMETER_TUNABLE
                                            : WEIR_PARAMETER_CONSTANT;
      if (spec->tunable != NULL)
        entry->leaf_parameter = g_intern_string (spec->tunable);
      find_slot (entry, instance, system);
      g_ptr_array_add (self->entries, entry);
      g_hash_table_insert (self->by_path, entry->path, entry);
    }
}

/* Whether a unit takes part. */
static void
add_activity (WeirParameters *self, const WeirInstance *instance, WeirSystem *system)
{
  WeirParameterEntry *entry = g_new0 (WeirParameterEntry, 1);

  entry->path = g_strconcat (instance->path, "." WEIR_UNIT_ACTIVITY, NULL);
  entry->value = g_new (double, 1);
  entry->value[0] = weir_block_get_unit_activity (instance->block);
  entry->size = 1;
  entry->text = weir_value_to_string (entry->value, 1);
  entry->block = weir_instance_get_id (instance);
  entry->role = WEIR_PARAMETER_TUNABLE;
  entry->leaf_parameter = WEIR_UNIT_ACTIVITY;
  entry->is_hidden = TRUE;
  find_slot (entry, instance, system);
  g_ptr_array_add (self->entries, entry);
  g_hash_table_insert (self->by_path, entry->path, entry);
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const WeirParameterEntry *entry_a = *(const WeirParameterEntry *const *) a;
  const WeirParameterEntry *entry_b = *(const WeirParameterEntry *const *) b;
  int order = (int) entry_a->role - (int) entry_b->role;

  return order != 0 ? order : strcmp (entry_a->path, entry_b->path);
}

typedef struct {
  WeirParameters *self;
  WeirSystem *system;
} Indexing;

typedef struct {
  const WeirInstance *instance;
  WeirBindings *bindings;
} Visiting;

static void
visit_value (const WeirNamedValue *value, gpointer data)
{
  const Visiting *self = data;
  const WeirBinding *meant = value->origin != NULL ? weir_bindings_find_outside (
                                 self->bindings, self->instance, value->name)
                                                   : NULL;

  weir_bindings_add_named (self->bindings, self->instance, value, meant);
}

static void
evaluate_all (const WeirInstance *instance, WeirBindings *bindings, gpointer data)
{
  const Indexing *indexing = data;

  if (instance->block == NULL)
    return;
  if (instance->type != NULL && instance->type->list_values != NULL && instance->arguments != NULL)
    add_named (indexing->self, instance);
  if (weir_instance_is_unit (instance) || weir_block_is_type (instance->block, WEIR_TYPE_NAME_FMU))
    add_activity (indexing->self, instance, indexing->system);
  add_fmu (indexing->self, instance, indexing->system);
  for (guint i = 0; instance->type != NULL && i < instance->type->n_parameters; i++)
    weir_bindings_evaluate (bindings, instance, instance->type->parameters[i].name);
  if (instance->type != NULL && instance->type->visit_values != NULL && instance->arguments != NULL)
    instance->type->visit_values (instance->arguments, visit_value,
                                  &(Visiting) { instance, bindings });
  for (guint i = 0; instance->type == NULL && instance->children != NULL
                    && i < weir_block_get_n_parameters (instance->block);
       i++)
    {
      const char *name;

      weir_block_get_parameter_at (instance->block, i, &name, NULL);
      weir_bindings_evaluate (bindings, instance, name);
    }
}

static void
index_bindings (WeirBindings *bindings, gpointer data)
{
  const Indexing *indexing = data;
  g_autoptr (GPtrArray) list = NULL;

  weir_bindings_check_variables (bindings);
  list = weir_bindings_list (bindings);
  for (guint i = 0; i < list->len; i++)
    add (indexing->self, g_ptr_array_index (list, i), indexing->system);
}

static WeirParameters *
parameters_alloc (WeirModel *model)
{
  WeirParameters *self = g_new (WeirParameters, 1);

  self->model = weir_model_ref (model);
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  self->by_path = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

WeirParameters *
weir_parameters_new (WeirModel *model, WeirSystem *system)
{
  WeirParameters *self;
  Indexing indexing;

  g_return_val_if_fail (model != NULL, NULL);

  self = parameters_alloc (model);
  indexing = (Indexing) { self, system };
  weir_model_visit_bindings (model, evaluate_all, index_bindings, &indexing);
  g_ptr_array_sort (self->entries, compare_entries);
  return self;
}

WeirParameters *
weir_parameters_new_of_block (WeirModel *model, guint32 block)
{
  g_autoptr (WeirDiagnostics) silent = weir_diagnostics_new ();
  g_autoptr (WeirBindings) bindings = NULL;
  g_autoptr (GPtrArray) list = NULL;
  WeirInstance *top, *instance;
  WeirParameters *self;

  g_return_val_if_fail (model != NULL, NULL);

  self = parameters_alloc (model);
  bindings = weir_bindings_new (model, silent);
  top = weir_instance_new_path (model, bindings, block, &instance, silent);
  if (instance != NULL)
    evaluate_all (instance, bindings, &(Indexing) { self, NULL });
  list = weir_bindings_list (bindings);
  for (guint i = 0; i < list->len; i++)
    if (instance != NULL && ((const WeirBinding *) list->pdata[i])->owner == instance)
      add (self, list->pdata[i], NULL);
  g_ptr_array_sort (self->entries, compare_entries);
  weir_instance_free (top);
  return self;
}

void
weir_parameters_free (WeirParameters *self)
{
  g_hash_table_unref (self->by_path);
  g_ptr_array_unref (self->entries);
  weir_model_unref (self->model);
  g_free (self);
}

guint
weir_parameters_get_size (const WeirParameters *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->entries->len;
}

const WeirParameterEntry *
weir_parameters_get (const WeirParameters *self, guint i)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (i < self->entries->len, NULL);

  return g_ptr_array_index (self->entries, i);
}

const WeirParameterEntry *
weir_parameters_find (const WeirParameters *self, const char *path, guint *element)
{
  const char *bracket;
  g_autofree char *whole = NULL;
  const WeirParameterEntry *entry;
  guint64 n = 0;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (element != NULL, NULL);

  bracket = g_str_has_suffix (path, "]") ? strrchr (path, '[') : NULL;
  whole = bracket != NULL ? g_strndup (path, (gsize) (bracket - path)) : g_strdup (path);
  entry = g_hash_table_lookup (self->by_path, whole);
  *element = G_MAXUINT;
  if (bracket == NULL || entry == NULL)
    return entry;
  {
    g_autofree char *digits = g_strndup (bracket + 1, strlen (bracket) - 2);

    if (!g_ascii_string_to_unsigned (digits, 10, 1, MAX (entry->size, 1), &n, NULL)
        || n > entry->size)
      return NULL;
  }
  *element = (guint) n - 1;
  return entry;
}

/* --- Comparing ------------------------------------------------------------------------------- */

static gboolean
differ_in_value (const WeirParameterEntry *a, const WeirParameterEntry *b)
{
  gboolean are_same;

  if (strcmp (a->path, b->path) != 0 || a->role != b->role || a->value == NULL || b->value == NULL
      || a->size != b->size || g_strcmp0 (a->unit, b->unit) != 0)
    return FALSE;
  are_same = memcmp (a->value, b->value, a->size * sizeof *a->value) == 0;
  return are_same || a->role == WEIR_PARAMETER_VARIABLE || a->role == WEIR_PARAMETER_TUNABLE;
}

/* Do two models have the same parameters, with different values of those only that can change while
 * the model runs, and of variables? */
static gboolean
differ_in_values (WeirModel *a, WeirModel *b)
{
  g_autoptr (WeirParameters) of_a = weir_parameters_new (a, NULL);
  g_autoptr (WeirParameters) of_b = weir_parameters_new (b, NULL);

  if (of_a->entries->len != of_b->entries->len)
    return FALSE;
  for (guint i = 0; i < of_a->entries->len; i++)
    if (!differ_in_value (weir_parameters_get (of_a, i), weir_parameters_get (of_b, i)))
      return FALSE;
  return TRUE;
}

WeirAspects
weir_aspects_resolve (WeirAspects aspects, WeirModel *a, WeirModel *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, 0);

  if ((aspects & WEIR_ASPECT_VALUES) == 0)
    return aspects;
  aspects &= ~(WeirAspects) WEIR_ASPECT_VALUES;
  if ((aspects & WEIR_ASPECT_STRUCTURE) != 0)
    return aspects;
  return aspects | (differ_in_values (a, b) ? WEIR_ASPECT_PARAMETERS : WEIR_ASPECT_STRUCTURE);
}

/* What the variables of an FMU are in. See generate.h. */
#include "generate/generate.h"
#include "model/completion/completion.h"
#include "model/completion/parameters.h"
#include "system/layout/layout.h"

/* Ports are called in a model what they are in its system. */
static void
add_ports (GHashTable *units, WeirModel *model)
{
  g_autoptr (GArray) ports = weir_model_list_units (model);

  for (guint i = 0; i < ports->len; i++)
    {
      const WeirPortUnit *port = &g_array_index (ports, WeirPortUnit, i);

      g_hash_table_insert (units, g_strdup (port->path), g_strdup (port->unit));
    }
}

/* Parameters are called what their leaf calls them: that of a network has its parts' names too. */
static void
add_parameters (GHashTable *units, WeirModel *model, WeirSystem *system)
{
  WeirLayout *layout = weir_system_get_layout (system);
  WeirParameters *parameters = weir_parameters_new (model, system);

  for (guint i = 0; i < weir_parameters_get_size (parameters); i++)
    {
      const WeirParameterEntry *entry = weir_parameters_get (parameters, i);
      const char *name;
      g_autofree char *path = NULL;

      if (!entry->has_slot || entry->unit == NULL)
        continue;
      name = weir_layout_get_parameter_name (layout, entry->node, entry->slot);
      path = weir_layout_dup_path (layout, entry->node);
      g_hash_table_insert (units,
                           *path != '\0' ? g_strconcat (path, ".", name, NULL) : g_strdup (name),
                           g_strdup (entry->unit));
    }
  weir_parameters_free (parameters);
}

GHashTable *
weir_generate_list_units (WeirModel *model, WeirSystem *system)
{
  GHashTable *units = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  add_ports (units, model);
  add_parameters (units, model, system);
  return units;
}

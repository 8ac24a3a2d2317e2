/* Names of recorded signals. See signal-name.h. */
#include "scopes/signal-name.h"

#include <string.h>

#include "blocks/library/registry.h"
#include "model/completion/completion.h"

/* Updates of these are seldom next to the samples, and between them nothing happens. */
static gboolean
is_discrete (const WeirBlock *block)
{
  const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (block));

  return type != NULL && g_str_equal (type->category, "Discrete");
}

/* The block that a port path "plant.sum.y[2]" is at; NULL if there is none. */
static WeirBlock *
find_block (WeirModel *model, const char *port_path)
{
  const char *dot = strrchr (port_path, '.');
  g_autofree char *path = dot == NULL ? NULL : g_strndup (port_path, (gsize) (dot - port_path));

  return path == NULL ? NULL : weir_model_find_path (model, path);
}

WeirSignalName
weir_signal_name_find (WeirModel *model, const char *signal)
{
  WeirSignalName name = { .xy_axis = -1 };
  WeirBlock *block = model == NULL ? NULL : find_block (model, signal);
  const WeirBlockType *type = block == NULL ? NULL
                                            : weir_registry_find (weir_block_get_type_name (block));

  name.name = block == NULL ? g_strdup (signal) : weir_model_dup_signal_name (model, signal);
  if (type != NULL && type->is_recorded_sink)
    {
      name.scope = weir_model_dup_block_path (model, weir_block_get_id (block));
      if (g_str_equal (type->name, "XYScope"))
        name.xy_axis = g_str_has_suffix (signal, ".y");
      block = find_block (model, name.name);
    }
  name.is_discrete = block != NULL && is_discrete (block);
  return name;
}

void
weir_signal_name_clear (WeirSignalName *self)
{
  g_clear_pointer (&self->scope, g_free);
  g_clear_pointer (&self->name, g_free);
}

/* What a run records: named ports, ports that match a pattern, or what the scopes see.
 *
 * A scope's input is recorded as the port that drives it, so that a column is called
 * "Pendulum.theta" and not "Motion.in1", and a signal that two scopes show is one column.
 */
#include "cli/log.h"

#include <string.h>

#include "blocks/registry.h"
#include "cli/cli-private.h"

static void
add_port (GPtrArray *ports, char *path)
{
  if (g_ptr_array_find_with_equal_func (ports, path, g_str_equal, NULL))
    g_free (path);
  else
    g_ptr_array_add (ports, path);
}

/* --- Patterns ----------------------------------------------------------------------------------- */

/* Adds the output ports whose paths match @pattern. FALSE if there is none. */
static gboolean
add_matches (WeirLayout *layout, const char *pattern, GPtrArray *ports)
{
  g_autoptr (GPatternSpec) spec = g_pattern_spec_new (pattern);
  gboolean has_match = FALSE;

  for (guint n = 0; n < weir_layout_get_n_nodes (layout); n++)
    {
      WeirNode node = { n };
      g_autofree char *block = weir_layout_dup_path (layout, node);

      for (guint16 o = 0; o < weir_layout_get_n_outputs (layout, node); o++)
        {
          const char *name = weir_layout_get_output_name (layout, node, (WeirOutput) { o });
          g_autofree char *path = *block != '\0' ? g_strconcat (block, ".", name, NULL)
                                                 : g_strdup (name);

          if (!g_pattern_spec_match_string (spec, path))
            continue;
          has_match = TRUE;
          add_port (ports, g_steal_pointer (&path));
        }
    }
  return has_match;
}

/* --- What the scopes see ------------------------------------------------------------------------ */

typedef struct {
  const WeirModel *model;
  GPtrArray *ports;
} Search;

static gboolean
add_scope (WeirBlock *block, gpointer data)
{
  const Search *search = data;
  const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (block));
  WeirDiagram *inner = weir_block_get_diagram (block);

  if (inner != NULL)
    weir_diagram_foreach_block (inner, add_scope, data);
  else if (type->is_sink_log)
    {
      g_auto (GStrv) inputs = weir_block_dup_inputs (block);
      g_autofree char *scope = weir_model_dup_block_path (search->model, weir_block_get_id (block));

      for (guint i = 0; inputs[i] != NULL; i++)
        {
          g_autofree char *input = g_strconcat (scope, ".", inputs[i], NULL);
          char *name = weir_model_dup_signal_name (search->model, input);

          /* Nothing is seen at an input that nothing drives. */
          if (strcmp (name, input) != 0)
            add_port (search->ports, name);
          else
            g_free (name);
        }
    }
  return TRUE;
}

char **
weir_cli_list_ports (WeirModel *model, WeirSystem *system, const char *const *patterns)
{
  g_autoptr (GPtrArray) ports = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  WeirLayout *layout = weir_system_get_layout (system);

  if (patterns == NULL)
    {
      Search search = { model, ports };

      /* The model has completed, so every type is known and every wire has two ends. */
      weir_diagram_foreach_block (weir_model_get_root (model), add_scope, &search);
      for (guint16 o = 0; o < weir_system_get_n_outputs (system); o++)
        add_port (ports, g_strdup (weir_system_get_output_name (system, (WeirOutput) { o })));
    }
  for (; patterns != NULL && *patterns != NULL; patterns++)
    if (strpbrk (*patterns, "*?") == NULL)
      add_port (ports, g_strdup (*patterns));
    else if (!add_matches (layout, *patterns, ports))
      {
        weir_cli_complain ("--log %s: no output port matches", *patterns);
        return NULL;
      }
  return (char **) g_ptr_array_steal (ports, NULL);
}

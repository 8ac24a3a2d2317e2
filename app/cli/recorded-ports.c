/* What a run records: named ports, ports that match a pattern, or what the scopes see.
 *
 * A scope's input is recorded as the port that drives it, so that a column is called
 * "pendulum.theta" and not "scope.in1", and a signal that two scopes show is one column. What units
 * of co-simulation give, where there are any, is recorded instead. Texts and bytes are passed over:
 * a column is of numbers.
 */
#include "cli/cli-private.h"

#include <string.h>

#include "model/completion/completion.h"
#include "system/layout/units.h"

static void
add_port (GPtrArray *ports, char *path)
{
  if (g_ptr_array_find_with_equal_func (ports, path, g_str_equal, NULL))
    g_free (path);
  else
    g_ptr_array_add (ports, path);
}

/* --- Patterns -------------------------------------------------------------------------------- */

static gboolean
is_numbers (WeirLayout *layout, WeirNode node, WeirOutput out)
{
  return weir_layout_get_output_type (layout, node, out) == NULL;
}

/* Adds the output ports whose paths match @pattern. FALSE if there is none. */
static gboolean
add_matches (WeirLayout *layout, const char *pattern, GPtrArray *ports)
{
  g_autoptr (GPatternSpec) spec = g_pattern_spec_new (pattern);
  gboolean has_match = FALSE;

  for (guint n = 0; n < weir_layout_get_n_nodes (layout); n++)
    {
      WeirNode node = { n };
      for (guint16 o = 0; o < weir_layout_get_n_outputs (layout, node); o++)
        {
          const char *name = weir_layout_get_output_name (layout, node, (WeirOutput) { o });
          g_autofree char *path = weir_layout_dup_name_path (layout, node, name);

          if (!g_pattern_spec_match_string (spec, path)
              || !is_numbers (layout, node, (WeirOutput) { o }))
            continue;
          has_match = TRUE;
          add_port (ports, g_steal_pointer (&path));
        }
    }
  return has_match;
}

/* Adds the outputs of all units. FALSE if there is no unit. */
static gboolean
add_units (WeirSystem *system, GPtrArray *ports)
{
  g_autoptr (GArray) units = weir_system_list_units (system);
  WeirLayout *layout = weir_system_get_layout (system);

  for (guint i = 0; i < units->len; i++)
    {
      const WeirUnitInfo *unit = &g_array_index (units, WeirUnitInfo, i);
      g_autofree char *block = weir_layout_dup_path (layout, unit->node);

      for (guint16 o = 0; o < unit->n_outputs; o++)
        if (is_numbers (layout, unit->node, (WeirOutput) { o }))
          add_port (ports, g_strconcat (
                               block, ".",
                               weir_layout_get_output_name (layout, unit->node, (WeirOutput) { o }),
                               NULL));
    }
  return units->len > 0;
}

char **
weir_cli_list_ports (WeirModel *model, WeirSystem *system, const char *const *patterns)
{
  g_autoptr (GPtrArray) ports = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  WeirLayout *layout = weir_system_get_layout (system);

  if (patterns == NULL && !add_units (system, ports))
    {
      g_auto (GStrv) paths = weir_model_dup_recorded_ports (model);

      for (guint i = 0; paths[i] != NULL; i++)
        add_port (ports, weir_model_dup_signal_name (model, paths[i]));
    }
  for (; patterns != NULL && *patterns != NULL; patterns++)
    if (strpbrk (*patterns, "*?") == NULL)
      add_port (ports, g_strdup (*patterns));
    else if (!add_matches (layout, *patterns, ports))
      {
        weir_cli_complain ("--log %s: no output port matches", *patterns);
        return NULL;
      }
  if (ports->len == 0)
    return g_new0 (char *, 1); /* an array without elements has no terminator */
  return (char **) g_ptr_array_steal (ports, NULL);
}

/* Ports by their paths. See port.h. */
#include "sim/port.h"

#include <string.h>

#include "base/error.h"
#include "base/status.h"
#include "system/layout/units.h"

gboolean
weir_port_find (WeirLayout *layout, const char *path, WeirPort *port, guint *size, GError **error)
{
  const char *dot = strrchr (path, '.');
  g_autofree char *block = dot != NULL ? g_strndup (path, (gsize) (dot - path)) : g_strdup ("");
  const char *name;
  WeirInput in;
  WeirOutput out;

  *port = (WeirPort) { 0 };
  if (!weir_layout_find_owner (layout, path, &port->node, &name))
    {
      weir_error_set (error, WEIR_ERROR_NOT_FOUND,
                      "there is no port \"%s\" to record: the model has no block \"%s\"", path,
                      block);
      return FALSE;
    }
  if (weir_layout_find_output (layout, port->node, name, &out))
    {
      port->index = out.i;
      *size = weir_layout_get_output_size (layout, port->node, out);
      return TRUE;
    }
  if (weir_layout_find_input (layout, port->node, name, &in))
    {
      port->is_input = TRUE;
      port->index = in.i;
      *size = weir_layout_get_input_size (layout, port->node, in);
      return TRUE;
    }
  if (strchr (name, '.') != NULL)
    {
      g_autofree char *unit = weir_layout_dup_path (layout, port->node);

      weir_error_set (
          error, WEIR_ERROR_NOT_FOUND,
          "there is no port \"%s\" to record: it lies in the unit \"%s\", of which only "
          "outputs and what scopes in it show can be recorded",
          path, unit);
    }
  else if (*block != '\0')
    weir_error_set (error, WEIR_ERROR_NOT_FOUND,
                    "there is no port \"%s\" to record: block \"%s\" has no port \"%s\"", path,
                    block, name);
  else
    weir_error_set (error, WEIR_ERROR_NOT_FOUND,
                    "there is no port \"%s\" to record: the model has no port \"%s\"", path, name);
  return FALSE;
}

char *
weir_port_dup_signal_name (const char *path, guint size, guint i)
{
  return size == 1 ? g_strdup (path) : g_strdup_printf ("%s[%u]", path, i);
}

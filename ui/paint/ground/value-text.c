/* Values as short texts. See value-text.h. */
#include "paint/ground/value-text.h"

#include <math.h>

#define MAX_ELEMENTS 3
#define MAX_WHOLE 1e7

static void
append_number (GString *text, double value)
{
  if (isnan (value))
    g_string_append (text, "NaN");
  else if (isinf (value))
    g_string_append (text, value > 0 ? "∞" : "-∞");
  else if (value == 0)
    g_string_append (text, "0"); /* of either sign */
  else if (value == rint (value) && fabs (value) < MAX_WHOLE)
    g_string_append_printf (text, "%.0f", value);
  else
    g_string_append_printf (text, "%.4g", value);
}

char *
weir_value_dup_text (const double *values, guint size)
{
  GString *text = g_string_new (NULL);

  if (size > MAX_ELEMENTS)
    g_string_append_printf (text, "[%u] ", size);
  for (guint i = 0; i < MIN (size, MAX_ELEMENTS); i++)
    {
      if (i > 0)
        g_string_append (text, "; ");
      append_number (text, values[i]);
    }
  if (size > MAX_ELEMENTS)
    g_string_append (text, "; …");
  return g_string_free (text, FALSE);
}

/* Strings and numbers as JSON writes them. */
#include "cli/json.h"

#include <math.h>

#include "numerics/number.h"

void
weir_json_append_string (GString *json, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (json, '"');
  for (const char *p = valid; *p != '\0'; p++)
    if (*p == '"' || *p == '\\')
      g_string_append_printf (json, "\\%c", *p);
    else if ((guchar) *p < 0x20)
      g_string_append_printf (json, "\\u%04x", (guint) (guchar) *p);
    else
      g_string_append_c (json, *p);
  g_string_append_c (json, '"');
}

void
weir_json_append_number (GString *json, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (json, isfinite (value) ? weir_number_to_text (value, text) : "null");
}

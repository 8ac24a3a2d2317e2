/* Another language, which is English in capitals, so that no catalogue is needed: names stay as
 * they are, and what is not translated is seen.
 */
#pragma once

#include <string.h>

#include "base/text.h"

/* Capitals for letters, but not within conversions. */
static inline const char *
shout (const char *one, const char *many, gulong n)
{
  g_autoptr (GString) text = g_string_new (many == NULL || n == 1 ? one : many);
  gboolean is_conversion = FALSE;

  for (gsize i = 0; i < text->len; i++)
    if (is_conversion)
      is_conversion = g_ascii_isdigit (text->str[i]) || strchr (".*$-", text->str[i]) != NULL
                      || text->str[i] == 'l';
    else if (text->str[i] == '%')
      is_conversion = TRUE;
    else
      text->str[i] = g_ascii_toupper (text->str[i]);
  return g_intern_string (text->str);
}

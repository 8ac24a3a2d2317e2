/* What is typed into fields. See entered.h. */
#include "panels/entered.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#include <string.h>

#include "equations/expressions/unit.h"

/* "2,5" with any sign, exponent and unit after it, but no list such as "[1, 2]" or "1, 2". */
static gboolean
has_decimal_comma (const char *text)
{
  const char *comma = strchr (text, ',');

  return comma != NULL && strpbrk (text, "[];(") == NULL && strchr (comma + 1, ',') == NULL
         && strchr (text, '.') == NULL && comma > text && g_ascii_isdigit (comma[-1])
         && g_ascii_isdigit (comma[1]);
}

/* Where a number or a bracketed list at the start of @text ends. */
static const char *
skip_value (const char *text)
{
  char *end;

  while (g_ascii_isspace (*text))
    text++;
  if (*text == '[')
    {
      const char *close = strchr (text, ']');

      return close != NULL ? close + 1 : text;
    }
  g_ascii_strtod (text, &end);
  return end;
}

/* An operator would go on with an expression. */
static gboolean
begins_unit (const char *text)
{
  gunichar c = g_utf8_get_char (text);

  return g_unichar_isalpha (c) || c == '%' || c == 0xb0; /* degree */
}

static char *
convert (const WeirParameterSpec *spec, const char *value_text, const char *unit_text,
         GError **error)
{
  const char *to_text = spec->unit != NULL ? spec->unit : "1";
  g_autofree double *value = NULL;
  double factor, offset;
  WeirUnit from, to;
  guint size;

  value = weir_value_parse (value_text, &size, error);
  if (value == NULL || !weir_unit_parse (unit_text, &from, error))
    return NULL;
  if (!weir_unit_parse (to_text, &to, NULL) || !weir_unit_convert (&from, &to, &factor, &offset))
    {
      if (spec->unit == NULL)
        g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                     _ ("%s has no unit, but “%s” is one: leave it out."), _ (spec->label),
                     unit_text);
      else
        g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                     _ ("%s is in %s, to which “%s” cannot be converted."), _ (spec->label),
                     spec->unit, unit_text);
      return NULL;
    }
  for (guint i = 0; i < size; i++)
    value[i] = factor * value[i] + offset;
  return weir_value_to_string (value, size);
}

char *
weir_entered_to_text (const WeirParameterSpec *spec, const char *entered, GError **error)
{
  g_autofree char *text = g_strstrip (g_strdup (entered));
  g_autofree char *number = NULL;
  const char *end;

  g_return_val_if_fail (spec != NULL, NULL);
  g_return_val_if_fail (entered != NULL, NULL);

  if (spec->kind == WEIR_VALUE_TEXT || spec->kind == WEIR_VALUE_CHOICE)
    return g_strdup (entered);
  if (g_str_equal (localeconv ()->decimal_point, ",") && has_decimal_comma (text))
    *strchr (text, ',') = '.';
  end = skip_value (text);
  if (end == text || *end == '\0')
    return g_steal_pointer (&text);
  number = g_strndup (text, (gsize) (end - text));
  while (g_ascii_isspace (*end))
    end++;
  if (!begins_unit (end))
    return g_steal_pointer (&text);
  return convert (spec, number, end, error);
}

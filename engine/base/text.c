/* Sentences in the language of whoever shows them. See text.h. */
#include "base/text.h"

#include <string.h>

static WeirTranslator translator; /* set before there are other threads */

void
weir_set_translator (WeirTranslator function)
{
  translator = function;
}

const char *
weir_translate_count (const char *one, const char *many, gulong n)
{
  if (translator != NULL && *one != '\0') /* catalogues have their head under that */
    return translator (one, many, n);
  return many == NULL || n == 1 ? one : many;
}

const char *
weir_translate (const char *text)
{
  return weir_translate_count (text, NULL, 1);
}

/* --- Characters that steer ---------------------------------------------------------------------
 */

#define NON_JOINER 0x200c /* and the joiner after it: part of how words are written */

static gboolean
is_steering (gunichar c)
{
  switch ((int) g_unichar_type (c))
    {
    case G_UNICODE_CONTROL:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
      return TRUE;
    case G_UNICODE_FORMAT:
      return c != NON_JOINER && c != NON_JOINER + 1;
    default:
      return FALSE;
    }
}

static void
append_escaped (GString *result, gunichar c)
{
  switch (c)
    {
    case '\n':
      g_string_append (result, "\\n");
      break;
    case '\r':
      g_string_append (result, "\\r");
      break;
    case '\t':
      g_string_append (result, "\\t");
      break;
    default:
      if (c > 0xffff) /* as two halves, which JSON can read */
        g_string_append_printf (result, "\\u%04x\\u%04x", 0xd7c0 + (c >> 10), 0xdc00 + (c & 0x3ff));
      else
        g_string_append_printf (result, "\\u%04x", c);
    }
}

static char *
escape (const char *text, const char *kept)
{
  GString *result = g_string_sized_new (strlen (text) + 1);
  const char *p = text;

  while (*p != '\0')
    {
      gunichar c = g_utf8_get_char_validated (p, -1);
      const char *next = (c & 0x80000000) != 0 ? p + 1 : g_utf8_next_char (p);

      if ((c & 0x80000000) != 0)
        g_string_append_printf (result, "\\x%02x", (guchar) *p);
      else if (is_steering (c) && (c > 0x7f || strchr (kept, (int) c) == NULL))
        append_escaped (result, c);
      else
        g_string_append_len (result, p, next - p);
      p = next;
    }
  return g_string_free (result, FALSE);
}

char *
weir_text_escape (const char *text)
{
  return escape (text, "");
}

char *
weir_text_escape_within_lines (const char *text)
{
  return escape (text, "\n\t");
}

/* --- Sentences ------------------------------------------------------------------------------- */

char *
weir_text_capitalize (const char *text, const char *name)
{
  gsize n_word = strcspn (text, " "), n_name = name != NULL ? strlen (name) : 0;
  gboolean is_name = strcspn (text, ".:[\"'") < n_word
                     || (n_name > 0 && n_name == n_word && strncmp (text, name, n_name) == 0);
  g_autoptr (GString) result = g_string_new (NULL);

  if (text[0] == '\0' || is_name)
    return g_strdup (text);
  g_string_append_unichar (result, g_unichar_toupper (g_utf8_get_char (text)));
  g_string_append (result, g_utf8_next_char (text));
  return g_strdup (result->str);
}

char *
weir_text_group_digits (guint64 n)
{
  g_autofree char *digits = g_strdup_printf ("%" G_GUINT64_FORMAT, n);
  const char *space = translator != NULL ? "\u202f" : " ";
  gsize length = strlen (digits);
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < length; i++)
    {
      if (i > 0 && (length - i) % 3 == 0)
        g_string_append (text, space);
      g_string_append_c (text, digits[i]);
    }
  return g_string_free (text, FALSE);
}

/* --- Tables with commas ---------------------------------------------------------------------- */

gboolean
weir_text_has_ending (const char *name, const char *const *endings)
{
  for (; *endings != NULL; endings++)
    {
      g_autofree char *end = g_strconcat (".", *endings, NULL);

      if (g_str_has_suffix (name, end))
        return TRUE;
    }
  return FALSE;
}

char *
weir_text_list_endings (const char *const *endings, const char *between)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; endings[i] != NULL; i++)
    g_string_append_printf (text, "%s.%s",
                            i == 0                   ? ""
                            : between != NULL        ? between
                            : endings[i + 1] != NULL ? ", "
                                                     : " or ",
                            endings[i]);
  return g_string_free (text, FALSE);
}

void
weir_csv_append_quoted (GString *table, const char *field)
{
  g_string_append_c (table, '"');
  for (const char *c = field; *c != '\0'; c++)
    {
      if (*c == '"')
        g_string_append_c (table, '"');
      g_string_append_c (table, *c);
    }
  g_string_append_c (table, '"');
}

void
weir_csv_append_field (GString *table, const char *field)
{
  if (strpbrk (field, ",\"\r\n") != NULL)
    weir_csv_append_quoted (table, field);
  else
    g_string_append (table, field);
}

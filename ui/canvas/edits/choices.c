/* Choices by typing. See choices.h. */
#include "canvas/edits/choices.h"

#include <string.h>

void
weir_choice_free (WeirChoice *choice)
{
  g_free (choice->title);
  g_free (choice->detail);
  g_free (choice->keys);
  g_free (choice);
}

GPtrArray *
weir_choices_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) weir_choice_free);
}

WeirChoice *
weir_choices_add (GPtrArray *choices, const char *title, const char *detail)
{
  WeirChoice *choice = g_new0 (WeirChoice, 1);

  choice->title = g_strdup (title);
  choice->detail = g_strdup (detail);
  g_ptr_array_add (choices, choice);
  return choice;
}

/* Whether the letters of @needle come in @text in this order. */
static gboolean
is_scattered (const char *text, const char *needle)
{
  for (; *needle != '\0'; needle = g_utf8_next_char (needle))
    {
      text = g_utf8_strchr (text, -1, g_utf8_get_char (needle));
      if (text == NULL)
        return FALSE;
      text = g_utf8_next_char (text);
    }
  return TRUE;
}

int
weir_choice_rate (const char *wanted, const char *title, const char *rest)
{
  g_autofree char *needle = g_utf8_casefold (wanted, -1);
  g_autofree char *folded = g_utf8_casefold (title, -1);
  g_autofree char *more = g_utf8_casefold (rest != NULL ? rest : "", -1);
  const char *at;

  g_strstrip (needle);
  if (needle[0] == '\0')
    return 1;
  if (g_str_equal (folded, needle))
    return 7;
  if (g_str_has_prefix (folded, needle))
    return 6;
  at = strstr (folded, needle);
  if (at != NULL)
    return at[-1] == ' ' ? 5 : 4;
  if (strstr (more, needle) != NULL)
    return 3;
  return g_utf8_strlen (needle, -1) > 2 && is_scattered (folded, needle) ? 2 : 0;
}

/* Kinds of analysis points. See analysis-point.h. */
#include "base/analysis-point.h"

#include <string.h>

static const struct {
  WeirPointKinds kind;
  const char *word;
} kinds_in_order[WEIR_N_POINT_KINDS] = {
  { WEIR_POINT_OUTPUT, "output" },
  { WEIR_POINT_BREAK, "break" },
  { WEIR_POINT_INPUT, "input" },
  { WEIR_POINT_AFTER, "after" },
};

gboolean
weir_point_kinds_parse (const char *words, WeirPointKinds *kinds)
{
  g_auto (GStrv) parts = g_strsplit_set (words, " \t", -1);

  *kinds = 0;
  for (guint i = 0; parts[i] != NULL; i++)
    {
      guint k = 0;

      while (k < WEIR_N_POINT_KINDS && strcmp (parts[i], kinds_in_order[k].word) != 0)
        k++;
      if (k < WEIR_N_POINT_KINDS)
        *kinds |= kinds_in_order[k].kind;
      else if (*parts[i] != '\0')
        return FALSE;
    }
  return *kinds != 0;
}

char *
weir_point_kinds_dup_words (WeirPointKinds kinds)
{
  GString *words = g_string_new (NULL);

  for (guint i = 0; i < WEIR_N_POINT_KINDS; i++)
    if ((kinds & kinds_in_order[i].kind) != 0)
      g_string_append_printf (words, "%s%s", words->len > 0 ? " " : "", kinds_in_order[i].word);
  return g_string_free (words, words->len == 0);
}

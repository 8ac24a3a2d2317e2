/* Choosing and writing texts of the engine. See texts.h and generate-private.h. */
#include "generate/generate-private.h"

void
weir_texts_close (guint8 *wanted)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < weir_n_texts; i++)
    if (wanted[i])
      g_array_append_val (open, i);
  while (open->len > 0)
    {
      const WeirText *text = &weir_texts[g_array_index (open, guint, open->len - 1)];

      g_array_set_size (open, open->len - 1);
      for (guint k = 0; k < text->n_needs; k++)
        {
          guint need = text->needs[k];

          if (!wanted[need])
            g_array_append_val (open, need);
          wanted[need] = TRUE;
        }
    }
}

/* Types and macros stand before all that is written in their words. */
static gboolean
is_type (const WeirText *text)
{
  return text->kind == WEIR_TEXT_TYPE || text->kind == WEIR_TEXT_MACRO;
}

static void
write_one (GString *out, const guint8 *wanted, guint8 *written, guint i, gboolean types_only)
{
  const WeirText *text = &weir_texts[i];

  if (written[i] || !wanted[i] || (types_only && !is_type (text)))
    return;
  written[i] = TRUE;
  for (guint k = 0; k < text->n_needs; k++)
    if (is_type (text) || !is_type (&weir_texts[text->needs[k]]))
      write_one (out, wanted, written, text->needs[k], types_only);
  if (!types_only && is_type (text))
    return;
  if (text->comment != NULL && text->kind != WEIR_TEXT_MACRO)
    g_string_append (out, text->comment);
  g_string_append (out, text->text);
  if (!is_type (text) || text->kind == WEIR_TEXT_TYPE)
    g_string_append_c (out, '\n');
}

void
weir_texts_write (GString *text, const guint8 *wanted, gboolean types_only)
{
  g_autofree guint8 *written = g_new0 (guint8, weir_n_texts);

  for (guint i = 0; i < weir_n_texts; i++)
    if (wanted[i] && weir_texts[i].kind == WEIR_TEXT_FORWARD)
      {
        if (types_only)
          g_string_append (text, weir_texts[i].text);
        written[i] = TRUE;
      }
  for (guint i = 0; i < weir_n_texts; i++)
    write_one (text, wanted, written, i, types_only);
}

void
weir_texts_write_prototypes (GString *text, const guint8 *wanted)
{
  for (guint i = 0; i < weir_n_texts; i++)
    if (wanted[i] && weir_texts[i].prototype[0] != '\0')
      g_string_append_printf (text, "%s\n", weir_texts[i].prototype);
  g_string_append_c (text, '\n');
}

void
weir_texts_want_words (guint8 *wanted, const char *words)
{
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);
  g_auto (GStrv) list = NULL;
  g_autofree char *copy = g_strdup (words);

  for (guint i = 0; i < weir_n_texts; i++)
    g_hash_table_insert (by_name, (gpointer) weir_texts[i].name, GUINT_TO_POINTER (i + 1));
  for (char *c = copy; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '_')
      *c = ' ';
  list = g_strsplit (copy, " ", -1);
  for (guint i = 0; list[i] != NULL; i++)
    {
      g_autofree char *tag = g_strconcat ("_", list[i], NULL);
      guint found = GPOINTER_TO_UINT (g_hash_table_lookup (by_name, list[i]));
      guint found_tag = GPOINTER_TO_UINT (g_hash_table_lookup (by_name, tag));

      if (found > 0)
        wanted[found - 1] = TRUE;
      if (found_tag > 0)
        wanted[found_tag - 1] = TRUE;
    }
}

char *
weir_generate_dup_replaced (const char *text, const char *what, const char *with)
{
  g_auto (GStrv) parts = g_strsplit (text, what, -1);

  return g_strjoinv (with, parts);
}

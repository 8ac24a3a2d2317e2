/* Words of the texts of parts: taking them, and telling what is wrong. */
#include "blocks/parts/part-private.h"

#include <string.h>

#include "base/error.h"
#include "base/sync.h"
#include "base/text.h"

/* FALSE, with an error that names the part and the line. */
gboolean
weir_part_reading_fail (WeirPartReading *r, const char *format, ...)
{
  const char *part = r->part != NULL ? r->part->name : "?";
  g_autoptr (WeirMessage) problem = NULL;
  va_list args;

  if (r->report != NULL && r->failed_line == r->line)
    return FALSE;
  r->failed_line = r->line;
  va_start (args, format);
  problem = weir_message_new_valist (format, args);
  va_end (args);
  if (r->report != NULL)
    weir_report_add_message (r->report, WEIR_SEVERITY_ERROR, "EQ01", r->line,
                             weir_message_join (weir_message_new (N_ ("Model: line %d"), r->line),
                                                ": ", weir_message_ref (problem)));
  else if (r->file != NULL)
    weir_error_set (r->error, WEIR_ERROR_INVALID, "%s:%d: part %s: %s", r->file, r->line, part,
                    weir_message_get_text (problem));
  else
    weir_error_set (r->error, WEIR_ERROR_INVALID, "Part %s, line %d: %s", part, r->line,
                    weir_message_get_text (problem));
  return FALSE;
}

void
weir_part_skip_blanks (WeirPartReading *r)
{
  while (*r->at == ' ' || *r->at == '\t')
    r->at++;
}

/* Texts are kept for good, as parts are, but not with the names of the program: there are many. */
const char *
weir_part_keep (const char *text)
{
  static GMutex mutex;
  static GHashTable *texts;
  const char *kept;

  weir_sync_lock (&mutex);
  if (texts == NULL)
    texts = g_hash_table_new (g_str_hash, g_str_equal);
  kept = g_hash_table_lookup (texts, text);
  if (kept == NULL)
    {
      kept = g_strdup (text);
      g_hash_table_add (texts, (gpointer) kept);
    }
  weir_sync_unlock (&mutex);
  return kept;
}

const char *
weir_part_take_name (WeirPartReading *r)
{
  const char *start;
  g_autofree char *name = NULL;

  weir_part_skip_blanks (r);
  start = r->at;
  while (weir_part_is_name_char (*r->at))
    r->at++;
  name = g_strndup (start, (gsize) (r->at - start));
  return g_intern_string (name);
}

gboolean
weir_part_take_mark (WeirPartReading *r, const char *mark)
{
  weir_part_skip_blanks (r);
  if (!g_str_has_prefix (r->at, mark))
    return FALSE;
  r->at += strlen (mark);
  return TRUE;
}

const char *
weir_part_take_text (WeirPartReading *r)
{
  const char *end;
  g_autofree char *text = NULL;

  weir_part_skip_blanks (r);
  end = *r->at == '"' ? strchr (r->at + 1, '"') : NULL;
  if (end == NULL)
    return NULL;
  text = g_strndup (r->at + 1, (gsize) (end - r->at - 1));
  r->at = end + 1;
  return weir_part_keep (text);
}

const char *
weir_part_take_until (WeirPartReading *r, const char *ends)
{
  gsize length = strcspn (r->at, ends);
  g_autofree char *text = g_strstrip (g_strndup (r->at, length));

  r->at += length;
  return weir_part_keep (text);
}

/* --- Names ----------------------------------------------------------------------------------- */

gboolean
weir_part_names_have (const GArray *names, const char *name)
{
  for (guint i = 0; i < names->len; i++)
    if (strcmp (g_array_index (names, WeirPartName, i).name, name) == 0)
      return TRUE;
  return FALSE;
}

gboolean
weir_part_find_own (const WeirPartType *part, const char *name, WeirPiece *piece)
{
  for (guint i = 0; i < part->parameters->len; i++)
    {
      const WeirParameterSpec *spec = &g_array_index (part->parameters, WeirParameterSpec, i);

      if (strcmp (spec->name, name) != 0)
        continue;
      *piece = (WeirPiece) { spec->tunable != NULL ? WEIR_PIECE_OWN : WEIR_PIECE_VALUE, spec->name,
                             i };
      return TRUE;
    }
  for (guint i = 0; i < part->acrosses->len; i++)
    if (strcmp (g_array_index (part->acrosses, WeirAcross, i).name, name) == 0)
      {
        *piece = (WeirPiece) { WEIR_PIECE_ACROSS, name, i };
        return TRUE;
      }
  for (guint i = 0; i < part->throughs->len; i++)
    if (strcmp (g_array_index (part->throughs, WeirThrough, i).name, name) == 0)
      {
        *piece = (WeirPiece) { WEIR_PIECE_OWN, name, 0 };
        return TRUE;
      }
  *piece = (WeirPiece) { WEIR_PIECE_OWN, name, 0 };
  return weir_part_names_have (part->variables, name) || weir_part_names_have (part->inputs, name)
         || weir_part_names_have (part->outputs, name);
}

/* What is wrong with a row of the outline. See outline-problems.h. */
#include "panels/outline-problems.h"

#include <glib/gi18n-lib.h>

/* How many problems there are in a Subsystem, at any depth, and the worst. */
typedef struct {
  guint n;
  WeirSeverity severity;
} Inside;

struct _WeirOutlineProblems {
  WeirDiagnostics *diagnostics;
  GHashTable *inside; /* id of a Subsystem -> Inside */
};

static void
note_inside (WeirOutlineProblems *self, guint32 subsystem, WeirSeverity severity)
{
  Inside *inside = g_hash_table_lookup (self->inside, GUINT_TO_POINTER (subsystem));

  if (inside == NULL)
    {
      inside = g_new0 (Inside, 1);
      inside->severity = severity;
      g_hash_table_insert (self->inside, GUINT_TO_POINTER (subsystem), inside);
    }
  inside->n++;
  inside->severity = MAX (inside->severity, severity);
}

WeirOutlineProblems *
weir_outline_problems_new (WeirDiagnostics *diagnostics, WeirModel *model)
{
  WeirOutlineProblems *self = g_new0 (WeirOutlineProblems, 1);
  g_autoptr (GArray) place = g_array_new (FALSE, FALSE, sizeof (guint32));

  self->diagnostics = weir_diagnostics_ref (diagnostics);
  self->inside = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    {
      const WeirDiagnostic *diagnostic = weir_diagnostics_get (diagnostics, i);

      g_array_set_size (place, 0);
      if (diagnostic->block == 0 || weir_model_find_block (model, diagnostic->block, place) == NULL)
        continue;
      for (guint k = 0; k < place->len; k++)
        note_inside (self, g_array_index (place, guint32, k), diagnostic->severity);
    }
  return self;
}

void
weir_outline_problems_free (WeirOutlineProblems *self)
{
  if (self == NULL)
    return;
  weir_diagnostics_unref (self->diagnostics);
  g_hash_table_unref (self->inside);
  g_free (self);
}

static gboolean
is_about (const WeirDiagnostic *diagnostic, const WeirOutlineRow *row)
{
  switch (row->kind)
    {
    case WEIR_OUTLINE_BLOCK:
      return diagnostic->block == row->id;
    case WEIR_OUTLINE_PORT:
      /* Problems of the net name the input at which it ends. */
      return (row->wire != 0 && diagnostic->wire == row->wire)
             || (diagnostic->block == row->id && !row->is_output
                 && g_str_has_prefix (diagnostic->code, "NET")
                 && g_strcmp0 (diagnostic->subject, row->port) == 0);
    case WEIR_OUTLINE_NOTE:
    default:
      return FALSE;
    }
}

static void
add_line (GString *text, const char *line)
{
  if (text->len > 0)
    g_string_append_c (text, '\n');
  g_string_append (text, line);
}

char *
weir_outline_problems_describe (const WeirOutlineProblems *self, const WeirOutlineRow *row,
                                WeirSeverity *severity)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const Inside *inside = row->kind == WEIR_OUTLINE_BLOCK
                             ? g_hash_table_lookup (self->inside, GUINT_TO_POINTER (row->id))
                             : NULL;

  *severity = WEIR_SEVERITY_HINT;
  for (guint i = 0; i < weir_diagnostics_get_size (self->diagnostics); i++)
    {
      const WeirDiagnostic *diagnostic = weir_diagnostics_get (self->diagnostics, i);
      g_autofree char *sentence = NULL;

      if (!is_about (diagnostic, row))
        continue;
      *severity = MAX (*severity, diagnostic->severity);
      sentence = weir_message_translate (diagnostic->message);
      add_line (text, sentence);
    }
  if (inside != NULL)
    {
      g_autofree char *line = g_strdup_printf (
          ngettext ("%u problem inside", "%u problems inside", inside->n), inside->n);

      *severity = MAX (*severity, inside->severity);
      add_line (text, line);
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

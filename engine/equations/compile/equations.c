/* Systems of equations: making one. See equations.h. */
#include "equations/compile/equations.h"

#include "base/phrase.h"
#include "base/text.h"
#include "equations/declare/declare.h"
#include "equations/compile/initial-private.h"
#include "equations/text/parser.h"

#include <string.h>

/* A name with a dot is a value from around the text; what the text itself defines has none. */
static void
check_dots (WeirEquationsBuilder *self)
{
  for (guint i = 0; i < self->result->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (self->result->variables, i);

      if (!variable->is_hidden && strchr (variable->name, '.') != NULL
          && variable->role != WEIR_ROLE_PARAMETER && variable->role != WEIR_ROLE_CONSTANT)
        weir_builder_fail (self, "EQ02", variable->line,
                           N_ ("Model: line %d: the name %s has a dot; names here have none."),
                           variable->line, variable->name);
    }
}

static WeirEquations *
make (const char *text, WeirSurroundings *around, gboolean has_paths, const WeirReport *report)
{
  WeirEquationsBuilder builder = {
    .report = report, .around = around, .seed = 1, .has_paths = has_paths
  };
  WeirDiagnostics *diagnostics = report->diagnostics;
  guint n_before = weir_diagnostics_get_n_errors (diagnostics);

  builder.result = weir_equations_alloc ();
  builder.pool = builder.result->pool;
  builder.by_name = g_hash_table_new (g_str_hash, g_str_equal);
  builder.by_atom = g_hash_table_new (NULL, NULL);
  builder.derived = g_hash_table_new (NULL, NULL);
  builder.declarations = g_hash_table_new (NULL, NULL);
  builder.equations = g_array_new (FALSE, FALSE, sizeof (WeirScalarEquation));
  builder.tick_equations = g_array_new (FALSE, FALSE, sizeof (WeirScalarEquation));
  builder.initials = g_array_new (FALSE, FALSE, sizeof (WeirScalarEquation));
  builder.reduced = g_array_new (FALSE, FALSE, sizeof (WeirScalarEquation));
  builder.histories = g_array_new (FALSE, FALSE, sizeof (WeirScalarEquation));
  builder.guesses = g_array_new (FALSE, FALSE, sizeof (WeirScalarEquation));
  builder.guessed = g_hash_table_new (NULL, NULL);
  builder.expander.pool = builder.pool;
  builder.expander.report = report;
  builder.expander.convert = weir_builder_convert;
  builder.expander.data = &builder;

  builder.statements = weir_statements_parse (builder.pool, text, report);
  builder.has_failed = weir_diagnostics_get_n_errors (diagnostics) > n_before;
  /* A line that could not be read would only make its unknowns look missing. */
  if (!builder.has_failed)
    builder.statements = weir_builder_extend (&builder, builder.statements);
  if (!builder.has_failed)
    weir_builder_take_surroundings (&builder);
  if (!builder.has_failed)
    weir_builder_declare (&builder);
  if (!builder.has_failed)
    weir_builder_note_origins (&builder);
  if (!builder.has_failed)
    weir_builder_apply_overrides (&builder);
  if (!builder.has_failed)
    weir_builder_order (&builder);
  if (!builder.has_failed && !has_paths)
    check_dots (&builder);
  if (!builder.has_failed)
    weir_builder_initialise (&builder);

  g_ptr_array_unref (builder.statements);
  g_hash_table_unref (builder.by_name);
  g_hash_table_unref (builder.by_atom);
  g_hash_table_unref (builder.derived);
  g_hash_table_unref (builder.declarations);
  g_array_unref (builder.equations);
  g_array_unref (builder.tick_equations);
  g_array_unref (builder.initials);
  g_array_unref (builder.guesses);
  g_array_unref (builder.histories);
  g_hash_table_unref (builder.guessed);
  g_array_unref (builder.reduced);
  g_clear_pointer (&builder.units, g_hash_table_unref);
  g_clear_pointer (&builder.expander.values, g_hash_table_unref);
  g_clear_pointer (&builder.expander.shapes, g_hash_table_unref);
  g_clear_pointer (&builder.expander.arrays, g_hash_table_unref);
  if (builder.has_failed)
    g_clear_pointer (&builder.result, weir_equations_free);
  return builder.result;
}

static char **
list_extended (WeirSurroundings *around)
{
  guint n = around != NULL ? weir_surroundings_get_n_texts (around) : 0;
  char **paths = n > 0 ? g_new0 (char *, n + 1) : NULL;

  for (guint i = 0; i < n; i++)
    {
      const char *path;

      weir_surroundings_get_text (around, i, &path);
      paths[i] = g_strdup (path);
    }
  return paths;
}

WeirEquations *
weir_equations_new (const char *text, WeirSurroundings *around, const WeirReport *report)
{
  g_auto (GStrv) extended = list_extended (around);
  g_autoptr (WeirDiagnostics) found = NULL;
  WeirReport inner = *report;
  WeirEquations *self;

  if (extended == NULL && strchr (text, WEIR_GIVEN_MARK) == NULL)
    return make (text, around, FALSE, report);
  found = weir_diagnostics_new ();
  inner.diagnostics = found;
  self = make (text, around, FALSE, &inner);
  for (guint i = 0; i < weir_diagnostics_get_size (found); i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (found, i);

      weir_report_add_message (report, d->severity, d->code, 0,
                               weir_extended_name_message ((const char *const *) extended,
                                                           weir_message_ref (d->message)));
      if (d->subject != NULL)
        weir_diagnostics_set_subject (report->diagnostics, d->subject);
    }
  if (self != NULL)
    self->extended = g_steal_pointer (&extended);
  return self;
}

/* --- Names of parts -------------------------------------------------------------------------- */

/* What no name of the language has is put among the characters for private use, which are letters
 * there and stand for nothing elsewhere. */
#define PRIVATE 0xf0000 /* two planes of 16 bits, for the first two of all characters */
#define N_PRIVATE 0x1fffe

char *
weir_equations_encode_path (const char *path)
{
  GString *encoded = g_string_new (NULL);
  gboolean is_first = TRUE;

  for (const char *at = path; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);
      gboolean is_letter = c == '_' || g_unichar_isalpha (c)
                           || (!is_first && g_unichar_isdigit (c));

      is_first = c == '.';
      if (is_letter || is_first)
        g_string_append_unichar (encoded, c);
      else if (c < N_PRIVATE)
        g_string_append_unichar (encoded, PRIVATE + c);
      else
        g_string_append_printf (encoded, "_%X_", c);
    }
  return g_string_free (encoded, FALSE);
}

char *
weir_equations_decode_path (const char *text)
{
  GString *decoded = g_string_new (NULL);

  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      g_string_append_unichar (decoded, c >= PRIVATE && c < PRIVATE + N_PRIVATE ? c - PRIVATE : c);
    }
  return g_string_free (decoded, FALSE);
}

static char *
decode (const char *text, G_GNUC_UNUSED gboolean is_translation, G_GNUC_UNUSED gpointer data)
{
  return weir_equations_decode_path (text);
}

WeirMessage *
weir_equations_decode_message (WeirMessage *message)
{
  return weir_message_rewrite (message, decode, NULL, NULL);
}

WeirEquations *
weir_equations_new_of_parts (const char *text, WeirSurroundings *around, const WeirReport *report)
{
  WeirEquations *self = make (text, around, TRUE, report);

  for (guint i = 0; self != NULL && i < self->variables->len; i++)
    {
      WeirVariable *variable = g_ptr_array_index (self->variables, i);
      g_autofree char *encoded = variable->name;

      variable->name = weir_equations_decode_path (encoded);
    }
  return self;
}

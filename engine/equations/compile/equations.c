/* Systems of equations: making one. See equations.h. */
#include "equations/compile/equations.h"

#include "base/text.h"
#include "equations/declare/declare-private.h"
#include "equations/compile/initial-private.h"
#include "equations/text/parser-private.h"

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
make (const char *text, WeirSurroundings *around, const WeirReport *report)
{
  WeirEquationsBuilder builder = { .report = report, .around = around, .seed = 1 };
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
  if (!builder.has_failed)
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
    return make (text, around, report);
  found = weir_diagnostics_new ();
  inner.diagnostics = found;
  self = make (text, around, &inner);
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

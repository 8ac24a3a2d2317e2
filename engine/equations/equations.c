/* Systems of equations: making one, and what is asked of it. See equations.h. */
#include "equations/equations-private.h"
#include "equations/lexer-private.h"

#include <stdlib.h>
#include <string.h>

/* --- The builder's common parts -------------------------------------------------------------- */

void
weir_builder_fail (WeirEquationsBuilder *self, const char *code, int line, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  self->has_failed = TRUE;
  weir_report_add (self->report, WEIR_SEVERITY_ERROR, code, line, "%s", text);
}

WeirVariable *
weir_builder_find_atom (const WeirEquationsBuilder *self, WeirExpr atom)
{
  guint index;

  while (weir_expr_is_atom (self->pool, atom)
         && weir_expr_get_op (self->pool, atom) != WEIR_OP_SYMBOL)
    atom = weir_expr_get_arg (self->pool, atom, 0);
  index = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_atom, GUINT_TO_POINTER (atom.i + 1)));
  return index > 0 ? g_ptr_array_index (self->result->variables, index - 1) : NULL;
}

WeirExpr
weir_builder_add_symbol (WeirEquationsBuilder *self, const char *text, guint number)
{
  WeirExpr symbol = weir_expr_symbol (self->pool, text);

  if (g_hash_table_contains (self->derived, GUINT_TO_POINTER (symbol.i + 1)))
    {
      g_autofree char *numbered = g_strdup_printf ("%s %u", text, number);

      symbol = weir_expr_symbol (self->pool, numbered);
    }
  g_hash_table_add (self->derived, GUINT_TO_POINTER (symbol.i + 1));
  return symbol;
}

char *
weir_builder_dup_name (const WeirEquationsBuilder *self, WeirExpr atom)
{
  return weir_expr_describe (self->pool, atom);
}

/* --- Making ---------------------------------------------------------------------------------- */

static void
variable_free (gpointer data)
{
  WeirVariable *variable = data;

  g_free (variable->name);
  g_free (variable->elements);
  g_free (variable->unit);
  g_free (variable->origin);
  g_free (variable->value);
  g_free (variable);
}

static void
event_free (gpointer data)
{
  WeirEvent *event = data;

  g_array_unref (event->assignments);
  g_free (event);
}

static void
assertion_free (gpointer data)
{
  g_free (((WeirAssertion *) data)->message);
  g_free (data);
}

static void
block_free (gpointer data)
{
  weir_equation_block_free (data);
}

static WeirEquations *
equations_alloc (void)
{
  WeirEquations *self = g_new0 (WeirEquations, 1);

  self->pool = weir_expr_pool_new ();
  self->variables = g_ptr_array_new_with_free_func (variable_free);
  self->states = g_array_new (FALSE, TRUE, sizeof (WeirState));
  self->blocks = g_ptr_array_new_with_free_func (block_free);
  self->tick_blocks = g_ptr_array_new_with_free_func (block_free);
  self->events = g_ptr_array_new_with_free_func (event_free);
  self->relations = g_array_new (FALSE, FALSE, sizeof (WeirRelation));
  self->delays = g_array_new (FALSE, FALSE, sizeof (WeirDelay));
  self->kinks = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  self->invariants = g_array_new (FALSE, FALSE, sizeof (WeirInvariant));
  self->starts = g_array_new (FALSE, TRUE, sizeof (WeirStart));
  self->assertions = g_ptr_array_new_with_free_func (assertion_free);
  return self;
}

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
                           "Model: line %d: the name %s has a dot; names here have none.",
                           variable->line, variable->name);
    }
}

static WeirEquations *
make (const char *text, WeirSurroundings *around, const WeirReport *report)
{
  WeirEquationsBuilder builder = { .report = report, .around = around, .seed = 1 };
  WeirDiagnostics *diagnostics = report->diagnostics;
  guint n_before = weir_diagnostics_get_n_errors (diagnostics);

  builder.result = equations_alloc ();
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
weir_equations_new_within (const char *text, WeirSurroundings *around, const WeirReport *report)
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
      g_autofree char *named = weir_extended_name_lines ((const char *const *) extended, d->text);

      weir_report_add (report, d->severity, d->code, 0, "%s", named);
      if (d->subject != NULL)
        weir_diagnostics_set_subject (report->diagnostics, d->subject);
    }
  if (self != NULL)
    self->extended = g_steal_pointer (&extended);
  return self;
}

WeirEquations *
weir_equations_new (const char *text, const WeirReport *report)
{
  return weir_equations_new_within (text, NULL, report);
}

void
weir_equations_free (WeirEquations *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->variables);
  g_array_unref (self->states);
  g_ptr_array_unref (self->blocks);
  g_ptr_array_unref (self->tick_blocks);
  g_ptr_array_unref (self->events);
  g_array_unref (self->relations);
  g_array_unref (self->delays);
  g_array_unref (self->kinks);
  g_array_unref (self->invariants);
  g_array_unref (self->starts);
  g_ptr_array_unref (self->assertions);
  g_strfreev (self->extended);
  weir_expr_pool_free (self->pool);
  g_free (self);
}

/* --- Questions ------------------------------------------------------------------------------- */

const char *
weir_role_get_name (WeirRole role)
{
  static const char *const names[] = {
    "state",     "unknown",  "discrete variable", "input",
    "parameter", "constant", "brownian motion",   "delayed value"
  };

  return names[role];
}

const WeirVariable *
weir_equations_find (const WeirEquations *self, const char *name)
{
  for (guint i = 0; i < self->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (self->variables, i);

      if (strcmp (variable->name, name) == 0)
        return variable;
    }
  return NULL;
}

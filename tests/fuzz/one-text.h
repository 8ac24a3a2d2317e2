/* One text through everything that reads texts. */
#pragma once

#include "fail.h"

#include "equations/compile/equations.h"
#include "equations/programs/program.h"
#include "equations/expressions/unit.h"

/* TRUE if it makes a system of equations. Aborts if what was read does not print and read alike. */
static gboolean
fuzz_one (const char *text)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirReport report = { .diagnostics = diagnostics, .path = "fuzz", .first_line = 1 };
  g_autoptr (WeirExprPool) pool = weir_expr_pool_new ();
  g_autoptr (GPtrArray) statements = weir_statements_parse (pool, text, &report);
  g_autoptr (WeirEquations) equations = NULL;
  g_autofree char *table = NULL;
  WeirUnit unit;

  for (guint i = 0; i < statements->len; i++)
    {
      const WeirStatement *statement = g_ptr_array_index (statements, i);
      g_autofree char *printed = weir_statement_to_string (pool, statement);
      g_autoptr (WeirDiagnostics) none = weir_diagnostics_new ();
      WeirReport silent = { .diagnostics = none, .path = "fuzz", .first_line = 1 };
      g_autoptr (GPtrArray) again = NULL;
      g_autofree char *printed_again = NULL;

      /* A line among others of a body is complained about after it was read. */
      if (statement->body != NULL && weir_diagnostics_get_size (diagnostics) > 0)
        continue;
      again = weir_statements_parse (pool, printed, &silent);
      if (again->len != 1)
        fuzz_fail ("'%s' is not read again", printed);
      printed_again = weir_statement_to_string (pool, g_ptr_array_index (again, 0));
      if (g_strcmp0 (printed, printed_again) != 0)
        fuzz_fail ("'%s' is read as '%s'", printed, printed_again);
    }
  weir_unit_parse (text, &unit, NULL);
  equations = weir_equations_new (text, NULL, &report);
  if (equations == NULL)
    {
      if (!weir_diagnostics_has_errors (diagnostics))
        fuzz_fail ("'%s' is refused without a reason", text);
      return FALSE;
    }
  table = weir_equations_to_table (equations);
  return TRUE;
}

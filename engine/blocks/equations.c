/* Equations: the block whose behaviour is a text of equations (equations/syntax.h).
 *
 * Its ports and parameters are those that the text declares; without a declared output every
 * variable is one. Parameters can be changed while it runs, under their own names.
 */
#include "blocks/equations-private.h"

#include <string.h>

#define CATEGORY N_ ("Equations")

/* What a text makes: the system of equations, or why there is none. */
typedef struct {
  char *text;
  WeirEquations *equations; /* NULL with errors */
  WeirDiagnostics *diagnostics;
  GMutex mutex; /* a build makes expressions */
} Analysis;

static void
analysis_free (gpointer data)
{
  Analysis *self = data;

  g_free (self->text);
  weir_equations_free (self->equations);
  weir_diagnostics_unref (self->diagnostics);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static gpointer
analysis_new (const WeirArguments *arguments)
{
  Analysis *self = g_new0 (Analysis, 1);
  WeirReport report = { .path = "", .first_line = 1 };

  g_mutex_init (&self->mutex);
  self->diagnostics = weir_diagnostics_new ();
  report.diagnostics = self->diagnostics;
  self->text = weir_ready_made_dup_text (arguments);
  self->equations = weir_equations_new (self->text, &report);
  return self;
}

static Analysis *
get_analysis (const WeirArguments *arguments)
{
  return weir_arguments_get_derived (arguments, analysis_new, analysis_free);
}

/* --- Ports ------------------------------------------------------------------------------------ */

static void
append_port (GArray *ports, const char *name, guint size, const char *unit)
{
  weir_list_port_in (ports, g_intern_string (name), size, unit);
}

/* A text with problems still shows the ports that it declares, so that wires keep their ends. */
static void
list_declared (const WeirArguments *arguments, WeirStatementKind kind, GArray *ports)
{
  g_autoptr (WeirExprPool) pool = weir_expr_pool_new ();
  g_autoptr (WeirDiagnostics) unused = weir_diagnostics_new ();
  WeirReport report = { .diagnostics = unused, .path = "", .first_line = 1 };
  g_autoptr (GPtrArray) statements
      = weir_statements_parse (pool, get_analysis (arguments)->text, &report);

  for (guint i = 0; i < statements->len; i++)
    {
      const WeirStatement *statement = g_ptr_array_index (statements, i);

      if (statement->kind == kind)
        append_port (ports, weir_expr_get_name (pool, statement->left), 0, NULL);
    }
}

void
weir_equations_list_inputs (const WeirArguments *arguments, GArray *ports)
{
  const WeirEquations *equations = get_analysis (arguments)->equations;

  if (equations == NULL)
    {
      list_declared (arguments, WEIR_STATEMENT_INPUT, ports);
      return;
    }
  for (guint i = 0; i < equations->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (equations->variables, i);

      if (variable->role == WEIR_ROLE_INPUT)
        append_port (ports, variable->name, variable->size, variable->unit);
    }
}

void
weir_equations_list_outputs_of (const WeirArguments *arguments, GArray *ports)
{
  const WeirEquations *equations = get_analysis (arguments)->equations;
  g_autoptr (GPtrArray) outputs = NULL;

  if (equations == NULL)
    {
      list_declared (arguments, WEIR_STATEMENT_OUTPUT, ports);
      return;
    }
  outputs = weir_equations_list_outputs (equations);
  for (guint i = 0; i < outputs->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (outputs, i);

      append_port (ports, variable->name, variable->size, variable->unit);
    }
}

/* --- Problems and system ---------------------------------------------------------------------- */

void
weir_equations_check_block (const WeirArguments *arguments, WeirDiagnostics *diagnostics,
                            const char *path, guint32 block, int line)
{
  const Analysis *analysis = get_analysis (arguments);

  for (guint i = 0; i < weir_diagnostics_get_size (analysis->diagnostics); i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (analysis->diagnostics, i);

      weir_diagnostics_add (diagnostics, d->severity, d->code, path, block, 0, line, "%s", d->text);
    }
}

WeirSystem *
weir_equations_build_block (const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes,
                            GError **error)
{
  Analysis *analysis = get_analysis (arguments);

  if (analysis->equations != NULL)
    {
      g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&analysis->mutex);

      return weir_equations_build (analysis->equations, weir_arguments_get_type (arguments)->name, error);
    }
  for (guint i = 0; i < weir_diagnostics_get_size (analysis->diagnostics); i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (analysis->diagnostics, i);

      if (d->severity != WEIR_SEVERITY_ERROR)
        continue;
      g_set_error_literal (error, WEIR_ERROR, WEIR_ERROR_INVALID, d->text);
      return NULL;
    }
  g_return_val_if_reached (NULL);
}

char *
weir_equations_describe_block (const WeirArguments *arguments, WeirDescription what)
{
  Analysis *analysis = get_analysis (arguments);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&analysis->mutex);

  if (analysis->equations == NULL)
    return g_strdup ("");
  switch (what)
    {
    case WEIR_DESCRIPTION_FULL:
      return weir_equations_to_full (analysis->equations);
    case WEIR_DESCRIPTION_START:
      return weir_equations_to_start_table (analysis->equations);
    case WEIR_DESCRIPTION_TABLE:
    default:
      return weir_equations_to_table (analysis->equations);
    }
}

static char *
assign (const WeirArguments *arguments, const char *name, const char *text, const char **parameter)
{
  *parameter = "equations";
  return weir_equations_assign (weir_arguments_get_text (arguments, "equations"), name, text);
}

static GArray *
list_values (const WeirArguments *arguments)
{
  Analysis *analysis = get_analysis (arguments);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&analysis->mutex);

  return analysis->equations != NULL ? weir_equations_list_values (analysis->equations)
                                     : g_array_new (FALSE, FALSE, sizeof (WeirNamedValue));
}

static const WeirParameterSpec parameters[] = {
  {
      .name = "equations",
      .label = N_ ("Equations"),
      .kind = WEIR_VALUE_TEXT,
      .default_text = "input u\nparameter tau = 1 \"s\"\noutput y\ntau*D(y) ~ u - y\ninitial y = 0",
      WEIR_ANY,
      .help = N_ ("Equations such as D(x) ~ -x + u, one a line, with the parameters, inputs and "
                  "outputs that they need."),
  },
};

const WeirBlockType weir_block_equations = {
  .name = "Equations",
  .title = N_ ("Equations"),
  .category = CATEGORY,
  .summary = N_ ("Computes what its equations say."),
  WEIR_PARAMETERS (parameters),
  .list_inputs = weir_equations_list_inputs,
  .list_outputs = weir_equations_list_outputs_of,
  .build = weir_equations_build_block,
  .check = weir_equations_check_block,
  .assign = assign,
  .list_values = list_values,
  .equations = "equations",
  .describe = weir_equations_describe_block,
};

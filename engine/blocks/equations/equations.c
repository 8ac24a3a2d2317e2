/* Equations: the block whose behaviour is a text of equations (equations/text/syntax.h), or a part
 * of physical networks, where the text declares pins (blocks/parts/part.h).
 *
 * Its ports and parameters are those that the text declares; without a declared output every
 * variable is one. Parameters can be changed while it runs, under their own names.
 */
#include "blocks/equations/equations.h"

#include <string.h>

#include "base/error.h"
#include "base/sync.h"
#include "blocks/parts/part.h"

#define CATEGORY N_ ("Equations")

/* What a text makes where it is: the system of equations, or why there is none. */
typedef struct _Analysis Analysis;

struct _Analysis {
  gatomicrefcount ref_count;
  char *text;
  WeirEquations *equations; /* NULL with errors; of a part, what it declares alone */
  WeirPartType *part;       /* of a text with pins; else NULL */
  char *rest;               /* of a part: its text without what only parts have */
  WeirDiagnostics *diagnostics;
  WeirSurroundings *around; /* or NULL */
  GMutex mutex;             /* a build makes expressions */
  Analysis *within;         /* of a text by itself: what it made last where it was put; or NULL */
  Analysis *supposed; /* of a text by itself: what it would make if it had all names; or NULL */
};

static void
analysis_free (gpointer data)
{
  Analysis *self = data;

  if (!weir_sync_drop (self, &self->ref_count))
    return;
  g_free (self->text);
  weir_equations_free (self->equations);
  g_clear_pointer (&self->part, weir_part_type_free);
  g_free (self->rest);
  weir_diagnostics_unref (self->diagnostics);
  g_clear_pointer (&self->around, weir_surroundings_unref);
  g_clear_pointer (&self->within, analysis_free);
  g_clear_pointer (&self->supposed, analysis_free);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Analysis, analysis_free)

/* What a text with pins declares, each on its line: that alone is known before its network is. An
 * output stands there as an input, as nothing in it says what it is. (transfer full) */
static char *
dup_declarations (const char *text)
{
  g_autoptr (WeirExprPool) pool = weir_expr_pool_new ();
  g_autoptr (WeirDiagnostics) unused = weir_diagnostics_new ();
  WeirReport report = { .diagnostics = unused, .path = "", .first_line = 1 };
  g_autoptr (GPtrArray) statements = weir_statements_parse (pool, text, &report);
  GString *declared = g_string_new (NULL);
  int line = 1;

  for (guint i = 0; i < statements->len; i++)
    {
      WeirStatement *s = g_ptr_array_index (statements, i);
      g_autofree char *own = NULL;

      if (s->kind == WEIR_STATEMENT_OUTPUT)
        s->kind = WEIR_STATEMENT_INPUT;
      if (s->kind != WEIR_STATEMENT_PARAMETER && s->kind != WEIR_STATEMENT_CONSTANT
          && s->kind != WEIR_STATEMENT_INPUT)
        continue;
      for (; line < s->line; line++)
        g_string_append_c (declared, '\n');
      own = weir_statement_to_string (pool, s);
      g_string_append_printf (declared, "%s; ", own);
    }
  return g_string_free (declared, FALSE);
}

static gboolean
find_number (const char *name, double *number, gpointer data)
{
  const Analysis *self = data;

  for (guint i = 0; self->equations != NULL && i < self->equations->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (self->equations->variables, i);

      if (strcmp (variable->name, name) != 0 || variable->size != 1
          || (variable->role != WEIR_ROLE_CONSTANT && variable->role != WEIR_ROLE_PARAMETER))
        continue;
      *number = variable->value[0];
      return TRUE;
    }
  return FALSE;
}

static void
make_part (Analysis *self, const WeirReport *report)
{
  g_autofree char *declared = dup_declarations (self->text);

  self->equations = weir_equations_new (declared, self->around, report);
  self->part = weir_part_type_new_of_equations (self->text, find_number, self, report, &self->rest);
}

static Analysis *
analysis_make (const char *text, WeirSurroundings *around)
{
  Analysis *self = g_new0 (Analysis, 1);
  WeirReport report = { .path = "", .first_line = 1 };

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  self->diagnostics = weir_diagnostics_new ();
  self->around = around != NULL ? weir_surroundings_ref (around) : NULL;
  report.diagnostics = self->diagnostics;
  self->text = g_strdup (text);
  if (weir_equations_have_pins (text))
    make_part (self, &report);
  else
    self->equations = weir_equations_new (text, around, &report);
  return self;
}

static gpointer analysis_new (const WeirArguments *arguments);

static Analysis *
get_analysis (const WeirArguments *arguments)
{
  return weir_arguments_get_derived (arguments, analysis_new, analysis_free);
}

/* The text of a block whose type is equations: that of its parameter; or its parameters, and then
 * the lines of its type. */
static char *
dup_text (const WeirArguments *arguments)
{
  const WeirBlockType *type = weir_arguments_get_type (arguments);
  GString *text;

  if (type->equations != NULL)
    return g_strdup (weir_arguments_get_text (arguments, type->equations));
  if (type->dup_lines != NULL)
    return type->dup_lines (arguments);
  text = g_string_new (NULL);
  for (guint i = 0; i < type->n_parameters; i++)
    {
      double value = weir_arguments_get_number (arguments, type->parameters[i].name);
      g_autofree char *number = weir_value_to_string (&value, 1);

      g_string_append_printf (text, "%s %s = %s\n",
                              type->parameters[i].tunable != NULL ? "parameter" : "constant",
                              type->parameters[i].name, number);
    }
  g_string_append (text, type->lines);
  return g_string_free (text, FALSE);
}

/* A text is not read again while what it takes from around it stays the same. */
static gpointer
analysis_new (const WeirArguments *arguments)
{
  g_autofree char *text = dup_text (arguments);
  WeirSurroundings *around = weir_arguments_get_surroundings (arguments);
  Analysis *own, *found = NULL;

  if (around == NULL)
    return analysis_make (text, NULL);
  own = get_analysis (weir_arguments_get_own (arguments));
  g_mutex_lock (&own->mutex);
  if (own->within != NULL && weir_surroundings_equal (own->within->around, around))
    found = own->within;
  if (found != NULL)
    g_atomic_ref_count_inc (&found->ref_count);
  g_mutex_unlock (&own->mutex);
  if (found != NULL)
    return found;
  found = analysis_make (text, around);
  g_atomic_ref_count_inc (&found->ref_count);
  g_mutex_lock (&own->mutex);
  g_clear_pointer (&own->within, analysis_free);
  own->within = found;
  g_mutex_unlock (&own->mutex);
  return found;
}

/* --- What is around -------------------------------------------------------------------------- */

/* Is it what a part calls its own? "i" of a through, "p.v" at a pin. */
static gboolean
is_of_part (const WeirPartType *part, const char *name)
{
  const char *dot = strchr (name, '.');

  for (guint i = 0; dot != NULL && i < part->pins->len; i++)
    {
      const char *pin = g_array_index (part->pins, WeirPinSpec, i).name;

      if (strncmp (pin, name, (gsize) (dot - name)) == 0 && pin[dot - name] == '\0')
        return TRUE;
    }
  for (guint i = 0; i < part->throughs->len; i++)
    if (strcmp (g_array_index (part->throughs, WeirThrough, i).name, name) == 0)
      return TRUE;
  for (guint i = 0; i < part->acrosses->len; i++)
    if (strcmp (g_array_index (part->acrosses, WeirAcross, i).name, name) == 0)
      return TRUE;
  return FALSE;
}

static char **
list_open_names_of_part (const Analysis *analysis)
{
  g_auto (GStrv) names = weir_equations_list_free_names (analysis->rest, analysis->around);
  GPtrArray *open = g_ptr_array_new ();

  for (guint i = 0; names[i] != NULL; i++)
    if (!is_of_part (analysis->part, names[i]))
      g_ptr_array_add (open, g_strdup (names[i]));
  g_ptr_array_add (open, NULL);
  return (char **) g_ptr_array_free (open, FALSE);
}

/* A text that makes sense by itself takes nothing; whether one with pins does, its network knows.
 */
char **
weir_equations_list_open_names (const WeirArguments *arguments)
{
  const Analysis *analysis = get_analysis (arguments);

  if (analysis->part != NULL)
    return list_open_names_of_part (analysis);
  return analysis->equations != NULL
             ? g_new0 (char *, 1)
             : weir_equations_list_free_names (analysis->text, analysis->around);
}

static char **
list_extended (const WeirArguments *arguments)
{
  return weir_equations_list_extended (weir_arguments_get_text (arguments, "equations"));
}

/* The ports of a text that lacks something are those that it had where it was completed last, or
 * else would have with the names that it lacks, as if each were 1. (transfer full) */
static Analysis *
dup_analysis_of_ports (const WeirArguments *arguments)
{
  static const double one = 1.0;
  Analysis *own = get_analysis (arguments), *found = own;

  g_mutex_lock (&own->mutex);
  if (own->equations == NULL && own->around == NULL && own->within == NULL && own->supposed == NULL)
    {
      g_auto (GStrv) names = weir_equations_list_free_names (own->text, NULL);
      g_autoptr (WeirSurroundings) around = weir_surroundings_new (weir_message_new_literal (""));

      for (guint i = 0; names[i] != NULL; i++)
        weir_surroundings_add (around, (WeirGiven) { names[i], names[i], &one, 1, NULL });
      own->supposed = analysis_make (own->text, around);
    }
  if (own->equations == NULL && own->around == NULL)
    found = own->within != NULL && own->within->equations != NULL ? own->within
            : own->supposed != NULL                               ? own->supposed
                                                                  : own;
  g_atomic_ref_count_inc (&found->ref_count);
  g_mutex_unlock (&own->mutex);
  return found;
}

void
weir_equations_visit_values (const WeirArguments *arguments, WeirNamedValueFunc visit,
                             gpointer data)
{
  const WeirEquations *equations = get_analysis (arguments)->equations;

  for (guint i = 0; equations != NULL && i < equations->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (equations->variables, i);
      gboolean is_tunable = variable->role == WEIR_ROLE_PARAMETER && !variable->is_bound
                            && !variable->is_solved;
      WeirNamedValue value = { variable->name, variable->value,  variable->size,
                               variable->unit, variable->origin, is_tunable };

      if (is_tunable || variable->origin != NULL || variable->role == WEIR_ROLE_CONSTANT)
        visit (&value, data);
    }
}

static gboolean
differ_in_values (const WeirArguments *a, const WeirArguments *b)
{
  return weir_equations_differ_in_values (weir_arguments_get_text (a, "equations"),
                                          weir_arguments_get_text (b, "equations"));
}

/* --- Ports ----------------------------------------------------------------------------------- */

static void
append_port (GArray *ports, const char *name, guint size, const char *unit)
{
  weir_list_port_in (ports, g_intern_string (name), size, g_intern_string (unit));
}

/* A text with problems still shows the ports that it declares, so that wires keep their ends. */
static void
list_declared (const WeirArguments *arguments, WeirStatementKind kind, GArray *ports)
{
  g_autoptr (WeirExprPool) pool = weir_expr_pool_new ();
  g_autoptr (WeirDiagnostics) unused = weir_diagnostics_new ();
  WeirReport report = { .diagnostics = unused, .path = "", .first_line = 1 };
  g_autoptr (GPtrArray)
      statements = weir_statements_parse (pool, get_analysis (arguments)->text, &report);
  g_autoptr (GHashTable) listed = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < statements->len; i++)
    {
      const WeirStatement *statement = g_ptr_array_index (statements, i);

      if (statement->kind == kind
          && g_hash_table_add (listed, GUINT_TO_POINTER (statement->left.i + 1)))
        append_port (ports, weir_expr_get_name (pool, statement->left), 0, NULL);
    }
}

void
weir_equations_list_inputs (const WeirArguments *arguments, GArray *ports)
{
  g_autoptr (Analysis) analysis = dup_analysis_of_ports (arguments);
  const WeirEquations *equations = analysis->equations;

  if (equations == NULL)
    {
      list_declared (arguments, WEIR_STATEMENT_INPUT, ports);
      return;
    }
  for (guint i = 0; i < equations->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (equations->variables, i);

      if (variable->role == WEIR_ROLE_INPUT
          && (analysis->part == NULL
              || weir_part_names_have (analysis->part->inputs, variable->name)))
        append_port (ports, variable->name, variable->size, variable->unit);
    }
}

void
weir_equations_list_outputs_of (const WeirArguments *arguments, GArray *ports)
{
  g_autoptr (Analysis) analysis = dup_analysis_of_ports (arguments);
  const WeirEquations *equations = analysis->equations;
  g_autoptr (GPtrArray) outputs = NULL;

  if (equations == NULL)
    {
      list_declared (arguments, WEIR_STATEMENT_OUTPUT, ports);
      return;
    }
  outputs = analysis->part != NULL ? g_ptr_array_ref (equations->variables)
                                   : weir_equations_list_outputs (equations);
  for (guint i = 0; i < outputs->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (outputs, i);

      if (analysis->part == NULL || weir_part_names_have (analysis->part->outputs, variable->name))
        append_port (ports, variable->name, variable->size, variable->unit);
    }
}

static void
list_pins (const WeirArguments *arguments, GArray *pins)
{
  g_autoptr (Analysis) analysis = dup_analysis_of_ports (arguments);

  if (analysis->part != NULL)
    g_array_append_vals (pins, analysis->part->pins->data, analysis->part->pins->len);
}

static const WeirPartType *
find_part (const WeirArguments *arguments)
{
  return get_analysis (arguments)->part;
}

/* --- Problems and system --------------------------------------------------------------------- */

void
weir_equations_check_block (const WeirArguments *arguments, WeirDiagnostics *diagnostics,
                            const char *path, guint32 block, int line)
{
  const Analysis *analysis = get_analysis (arguments);

  for (guint i = 0; i < weir_diagnostics_get_size (analysis->diagnostics); i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (analysis->diagnostics, i);

      weir_diagnostics_add (diagnostics, d->severity, d->code, path, block, 0, line, "%s", d->text);
      if (d->subject != NULL)
        weir_diagnostics_set_subject (diagnostics, d->subject);
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

      return weir_equations_build (analysis->equations, weir_arguments_get_type (arguments)->name,
                                   error);
    }
  for (guint i = 0; i < weir_diagnostics_get_size (analysis->diagnostics); i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (analysis->diagnostics, i);

      if (d->severity != WEIR_SEVERITY_ERROR)
        continue;
      weir_error_set (error, WEIR_ERROR_INVALID, "%s", d->text);
      return NULL;
    }
  g_return_val_if_reached (NULL);
}

char *
weir_equations_describe_block (const WeirArguments *arguments, WeirDescription what)
{
  Analysis *analysis = get_analysis (arguments);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&analysis->mutex);

  if (analysis->equations == NULL || analysis->part != NULL)
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
                                     : g_array_new (FALSE, FALSE, sizeof (WeirEquationValue));
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

static const WeirBlockType equations_type = {
  .name = "Equations",
  .title = N_ ("Equations"),
  .category = CATEGORY,
  .summary = N_ ("Computes what its equations say."),
  WEIR_PARAMETERS (parameters),
  .list_inputs = weir_equations_list_inputs,
  .list_outputs = weir_equations_list_outputs_of,
  .list_pins = list_pins,
  .find_part = find_part,
  .build = weir_equations_build_block,
  .check = weir_equations_check_block,
  .assign = assign,
  .list_values = list_values,
  .equations = "equations",
  .list_free_names = weir_equations_list_open_names,
  .visit_values = weir_equations_visit_values,
  .list_extended = list_extended,
  .differ_in_values = differ_in_values,
  .describe = weir_equations_describe_block,
};

WEIR_FAMILY (equations, &equations_type);

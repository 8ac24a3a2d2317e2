/* `weir solve`: equations without time, solved once and for all. */
#include "cli/cli-private.h"

#include "equations/compile/equations.h"
#include "model/completion/completion.h"

#include <string.h>

typedef struct {
  WeirModel *model;
  const char *prefix;
  const char *file;
  guint n_blocks;
  WeirExit status;
} Solving;

/* An input has a value only if the text gives one. */
static gboolean
check_inputs (const WeirEquations *equations, const WeirReport *report)
{
  gboolean is_fine = TRUE;

  for (guint i = 0; i < equations->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (equations->variables, i);

      if (variable->role != WEIR_ROLE_INPUT || variable->value != NULL)
        continue;
      weir_report_add (
          report, WEIR_SEVERITY_ERROR, "EQ09", variable->line,
          "Model: line %d: the input %s has no value here; give it one, as in input %s = 1.",
          variable->line, variable->name, variable->name);
      is_fine = FALSE;
    }
  return is_fine;
}

/* No start, no end: what failed was the search, not the text. */
static WeirExit
get_status (const WeirDiagnostics *diagnostics)
{
  WeirExit status = WEIR_EXIT_OK;

  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (diagnostics, i);

      if (d->severity != WEIR_SEVERITY_ERROR)
        continue;
      if (strcmp (d->code, "INI01") != 0)
        return WEIR_EXIT_MODEL;
      status = WEIR_EXIT_RUN;
    }
  return status;
}

static gboolean
solve_block (WeirBlock *block, gpointer data)
{
  Solving *self = data;
  g_autofree char *path = g_strconcat (self->prefix, weir_block_get_name (block), NULL);
  g_autoptr (WeirDiagnostics) diagnostics = NULL;
  g_autoptr (WeirArguments) arguments = NULL;
  g_autoptr (WeirEquations) equations = NULL;
  WeirReport report = { 0 };

  if (weir_block_get_diagram (block) != NULL)
    {
      g_autofree char *inner = g_strconcat (path, ".", NULL);
      Solving below = *self;

      below.prefix = inner;
      weir_diagram_foreach_block (weir_block_get_diagram (block), solve_block, &below);
      self->n_blocks = below.n_blocks;
      self->status = below.status;
      return TRUE;
    }
  if (strcmp (weir_block_get_type_name (block), "Equations") != 0
      || weir_block_get_parameter (block, "equations") == NULL)
    return TRUE;
  self->n_blocks++;
  diagnostics = weir_diagnostics_new ();
  report = (WeirReport) { .diagnostics = diagnostics,
                          .path = path,
                          .block = weir_block_get_id (block),
                          .first_line = weir_block_get_line (block),
                          .is_one_line = TRUE };
  arguments = weir_model_dup_arguments (self->model, weir_block_get_id (block));
  equations = weir_equations_new (weir_block_get_parameter (block, "equations"),
                                  weir_arguments_get_surroundings (arguments), &report);
  if (equations != NULL && weir_equations_check_timeless (equations, &report)
      && check_inputs (equations, &report))
    {
      g_autofree char *table = weir_equations_to_start_table (equations);

      if (self->n_blocks > 1)
        weir_cli_say ("\n");
      weir_cli_say ("%s\n", path);
      g_print ("%s", table);
    }
  weir_cli_print (diagnostics, self->file, TRUE);
  self->status = MAX (self->status, get_status (diagnostics));
  return TRUE;
}

WeirExit
weir_cli_solve (int argc, char **argv)
{
  g_auto (WeirRunOptions) options = { 0 };
  const GOptionEntry entries[] = {
    { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.set,
      "Another value for a parameter, such as circuit.R=100; may be repeated", "PATH=VALUE" },
    { 0 },
  };
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) read = NULL;
  g_autoptr (WeirModel) model = NULL;
  Solving solving = { .prefix = "" };

  if (!weir_cli_parse (
          &argc, &argv, "FILE",
          "Solves each Equations block, which must have no D, t, when or k, and prints "
          "for every unknown what was\ngiven, the guess, the solution, and what its "
          "equation is off by.\nExit status: 0 solved, 1 the model has errors, 3 no "
          "solution was found.",
          entries, 1, 1))
    return WEIR_EXIT_USAGE;
  read = weir_cli_read (argv[1], diagnostics);
  if (read == NULL)
    return WEIR_EXIT_MODEL;
  model = weir_run_options_apply (&options, read);
  if (model == NULL)
    return WEIR_EXIT_USAGE;
  solving.model = model;
  solving.file = argv[1];
  weir_diagram_foreach_block (weir_model_get_root (model), solve_block, &solving);
  if (solving.n_blocks > 0)
    return solving.status;
  weir_cli_complain ("%s: there is no Equations block to solve; weir run simulates other models",
                     argv[1]);
  return WEIR_EXIT_MODEL;
}

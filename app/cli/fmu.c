/* `weir info` and `weir check` of an FMU: what its description says. No library in it is loaded. */
#include "cli/cli-private.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "fmi/description.h"
#include "numerics/number.h"

gboolean
weir_cli_is_fmu (const char *name)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (name);
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return strcmp (name, "-") != 0 && !g_str_has_suffix (lower, ".ssp")
         && (g_str_has_suffix (lower, ".fmu") || weir_file_begins_with (file, "PK\003\004"));
}

/* Those of the archive itself have no other file. */
static void
print_problems (WeirDiagnostics *diagnostics, const char *name, gboolean to_stderr)
{
  weir_diagnostics_set_file (diagnostics, name);
  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    {
      g_autofree char *line = weir_diagnostic_to_string (weir_diagnostics_get (diagnostics, i));

      if (to_stderr)
        weir_cli_tell ("%s\n", line);
      else
        weir_cli_say ("%s\n", line);
    }
}

/* NULL, and at least one error, if it cannot be read. */
static WeirFmuDescription *
read_description (const char *name, WeirFmuArchive **archive, WeirDiagnostics *diagnostics)
{
  g_autoptr (GError) error = NULL;
  WeirFmuDescription *description;

  *archive = weir_fmu_archive_open (name, &error);
  if (*archive == NULL)
    {
      weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "FMU01", NULL, 0, 0, 0, "%s",
                            error->message);
      return NULL;
    }
  description = weir_fmu_description_read (*archive, diagnostics);
  if (description != NULL)
    {
      g_autofree char *texts = weir_fmu_description_dup_texts (description);

      weir_fmu_description_check_libraries (description, *archive, diagnostics);
      if (texts != NULL)
        weir_diagnostics_add (
            diagnostics, WEIR_SEVERITY_HINT, "FMU28", NULL, 0, 0, 0,
            N_ ("No wire carries arrays of texts or bytes, nor clocked ones, so that these "
                "are no ports of a block: %s. Inputs among them keep what they start with."),
            texts);
    }
  return description;
}

gboolean
weir_cli_check_fmu (const char *name)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirFmuArchive) archive = NULL;
  g_autoptr (WeirFmuDescription) description = read_description (name, &archive, diagnostics);

  print_problems (diagnostics, name, FALSE);
  return description != NULL;
}

/* --- Info ------------------------------------------------------------------------------------ */

static void
print_row (const char *name, const char *text)
{
  if (text != NULL && *text != '\0')
    weir_cli_say ("%-16s %s\n", name, text);
}

static void
add_word (GString *words, gboolean is_there, const char *word)
{
  if (is_there)
    g_string_append_printf (words, "%s%s", words->len > 0 ? ", " : "", word);
}

static void
add_number (GString *words, double value, const char *format)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *word = NULL;

  if (isnan (value))
    return;
  word = g_strdup_printf ("%s %s", format, weir_number_to_text (value, buffer));
  add_word (words, TRUE, word);
}

static void
print_mode (const WeirFmuDescription *d, WeirFmuMode mode)
{
  static const char *const names[WEIR_FMU_N_MODES] = {
    [WEIR_FMU_MODEL_EXCHANGE] = "model exchange",
    [WEIR_FMU_CO_SIMULATION] = "co-simulation",
    [WEIR_FMU_SCHEDULED_EXECUTION] = "scheduled",
  };
  const WeirFmuModeInfo *info = &d->modes[mode];
  g_autoptr (GString) words = g_string_new (NULL);

  if (!info->is_offered)
    return;
  add_word (words, info->needs_execution_tool, "needs its tool");
  add_word (words, info->only_once_per_process, "one instance per process");
  add_word (words, info->can_get_and_set_state, "state");
  add_word (words, info->can_serialize_state, "serialised state");
  add_word (words, info->has_directional_derivatives, "directional derivatives");
  add_word (words, info->has_adjoint_derivatives, "adjoint derivatives");
  add_word (words, info->has_element_dependencies, "element dependencies");
  add_word (words, info->has_evaluate_discrete_states, "evaluates discrete states");
  add_word (words, info->needs_completed_step, "completed steps");
  add_word (words, info->can_vary_step, "variable step");
  add_number (words, info->fixed_step, "fixed internal step of");
  add_word (words, info->can_interpolate_inputs, "interpolates inputs");
  add_word (words, info->can_run_asynchronously, "asynchronous");
  add_word (words, info->has_intermediate_update, "intermediate update");
  add_word (words, info->might_return_early, "might return early");
  add_word (words, info->can_return_early_after_update, "can return early");
  add_word (words, info->has_event_mode, "event mode");
  weir_cli_say ("%-16s %s%s%s\n", names[mode], info->identifier, words->len > 0 ? ": " : "",
                words->str);
}

static void
print_experiment (const WeirFmuExperiment *experiment)
{
  g_autoptr (GString) words = g_string_new (NULL);

  add_number (words, experiment->start_time, "from");
  add_number (words, experiment->stop_time, "to");
  add_number (words, experiment->step, "step");
  add_number (words, experiment->tolerance, "tolerance");
  print_row ("experiment", words->str);
}

/* "[1, 2, 3]"; of arrays no more than a line holds. (transfer full) */
static char *
dup_start (const WeirFmuVariable *v)
{
  GString *text = g_string_new (NULL);
  guint n_shown = MIN (v->n_start, 8);
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < n_shown; i++)
    {
      g_string_append (text, i > 0 ? ", " : "");
      if (v->start != NULL && v->traits.type == WEIR_FMU_BOOLEAN)
        g_string_append (text, v->start[i] != 0 ? "true" : "false");
      else if (v->start != NULL)
        g_string_append (text, weir_number_to_text (v->start[i], buffer));
      else if (v->traits.type == WEIR_FMU_STRING)
        g_string_append_printf (text, "\"%s\"", v->start_texts[i].data);
      else
        g_string_append_printf (text, "%" G_GSIZE_FORMAT " bytes", v->start_texts[i].size);
    }
  if (n_shown < v->n_start)
    g_string_append (text, ", ...");
  if (v->n_start > 1)
    {
      g_string_prepend_c (text, '[');
      g_string_append_c (text, ']');
    }
  return g_string_free (text, FALSE);
}

static void
print_variable (const WeirFmuDescription *d, guint i)
{
  const WeirFmuVariable *v = &d->variables[i];
  g_autoptr (GString) shape = g_string_new (NULL);

  for (guint k = 0; k < v->n_dimensions; k++)
    g_string_append_printf (shape, "%s%" G_GUINT64_FORMAT, k > 0 ? " x " : "[",
                            v->dimensions[k].size);
  weir_cli_say ("%-19s  %-10s  %s%s%s  %s", weir_fmu_causality_get_name (v->causality),
                weir_fmu_variability_get_name (v->variability),
                weir_fmu_type_get_name (v->traits.type), shape->str, shape->len > 0 ? "]" : "",
                v->name);
  if (v->n_start > 0)
    {
      g_autofree char *start = dup_start (v);

      weir_cli_say (" = %s", start);
    }
  if (v->traits.unit != NULL)
    weir_cli_say (" %s", v->traits.unit);
  if (v->derivative_of != WEIR_FMU_NONE)
    weir_cli_say ("  derivative of %s", d->variables[v->derivative_of].name);
  weir_cli_say ("\n");
}

/* In groups of their causality; of what is within, only states and their derivatives, unless all
 * are asked for. */
static void
print_variables (const WeirFmuDescription *d, gboolean with_all)
{
  guint n_hidden = 0;

  weir_cli_say ("\ncausality            variability  type  variable = start\n");
  for (guint causality = 0; causality < WEIR_FMU_N_CAUSALITIES; causality++)
    for (guint i = 0; i < d->n_variables; i++)
      {
        const WeirFmuVariable *v = &d->variables[i];

        if (v->causality != (WeirFmuCausality) causality)
          continue;
        if (v->causality == WEIR_FMU_LOCAL && v->derivative == WEIR_FMU_NONE
            && v->derivative_of == WEIR_FMU_NONE && !with_all)
          n_hidden++;
        else
          print_variable (d, i);
      }
  if (n_hidden > 0)
    weir_cli_say ("and %u local ones, which --full lists\n", n_hidden);
}

static void
print_dependencies (const WeirFmuDescription *d, WeirFmuUnknowns list, const char *what)
{
  for (guint i = 0; i < d->n_unknowns[list]; i++)
    {
      const WeirFmuUnknown *unknown = &d->unknowns[list][i];
      g_autoptr (GString) words = g_string_new (NULL);

      for (guint k = 0; k < unknown->n_dependencies; k++)
        {
          guint kind = unknown->kinds != NULL ? unknown->kinds[k] : WEIR_FMU_DEPENDENT_KIND;

          add_word (words, TRUE, d->variables[unknown->dependencies[k]].name);
          if (kind != WEIR_FMU_DEPENDENT_KIND)
            g_string_append_printf (
                words, " (%s)", weir_fmu_dependency_kind_get_name ((WeirFmuDependencyKind) kind));
        }
      weir_cli_say ("%-16s  %s <- %s\n", what, d->variables[unknown->variable].name,
                    unknown->dependencies == NULL ? "everything"
                    : words->len == 0             ? "nothing"
                                                  : words->str);
    }
}

static void
print_terminals (const WeirFmuDescription *d)
{
  for (guint i = 0; i < d->n_terminals; i++)
    {
      const WeirFmuTerminal *terminal = &d->terminals[i];

      weir_cli_say ("%s%s %s (%s):", i == 0 ? "\n" : "", "terminal", terminal->name,
                    terminal->matching_rule);
      for (guint k = 0; k < terminal->n_members; k++)
        weir_cli_say ("%s %s", k > 0 ? "," : "", d->variables[terminal->members[k].variable].name);
      weir_cli_say ("\n");
    }
}

static void
print_summary (const WeirFmuDescription *d, const WeirFmuArchive *archive)
{
  g_autoptr (GPtrArray) platforms = weir_fmu_archive_list_folders (archive, "binaries");
  g_autofree char *joined = NULL;

  g_ptr_array_add (platforms, NULL);
  joined = g_strjoinv (", ", (char **) platforms->pdata);
  print_row ("name", d->name);
  print_row ("fmi", d->version_text);
  for (guint i = 0; i < WEIR_FMU_N_MODES; i++)
    print_mode (d, (WeirFmuMode) i);
  print_row ("description", d->description);
  print_row ("author", d->author);
  print_row ("version", d->model_version);
  print_row ("license", d->license);
  print_row ("tool", d->tool);
  print_row ("made", d->date);
  print_row ("token", d->token);
  print_row ("sha256", weir_fmu_archive_get_checksum (archive));
  print_row ("platforms", *joined != '\0' ? joined : "none");
  weir_cli_say ("variables        %u\n", d->n_variables);
  weir_cli_say ("states           %" G_GSIZE_FORMAT "\n", d->n_states);
  weir_cli_say ("indicators       %" G_GSIZE_FORMAT "\n", d->n_indicators);
  print_experiment (&d->experiment);
}

WeirExit
weir_cli_info_fmu (const char *name, gboolean is_full)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirFmuArchive) archive = NULL;
  g_autoptr (WeirFmuDescription) d = read_description (name, &archive, diagnostics);

  print_problems (diagnostics, name, d != NULL);
  if (d == NULL)
    return WEIR_EXIT_MODEL;
  print_summary (d, archive);
  print_variables (d, is_full);
  weir_cli_say ("\nunknown           depends on\n");
  print_dependencies (d, WEIR_FMU_OUTPUTS, "output");
  print_dependencies (d, WEIR_FMU_DERIVATIVES, "derivative");
  print_dependencies (d, WEIR_FMU_CLOCKED_STATES, "clocked state");
  print_dependencies (d, WEIR_FMU_EVENT_INDICATORS, "event indicator");
  if (is_full)
    print_dependencies (d, WEIR_FMU_INITIAL_UNKNOWNS, "at the start");
  print_terminals (d);
  return WEIR_EXIT_OK;
}

/* `weir info`: what a model consists of, as a diagram and as a system; `weir diff`: what differs
 * between two of them, by block. */
#include "cli/cli-private.h"

#include <math.h>

#include "cosim/order.h"
#include "library/run-settings.h"
#include "model/completion/completion.h"
#include "model/completion/parameters.h"
#include "system/evaluation/eval.h"
#include "system/evaluation/event.h"
#include "model/tree/difference.h"

typedef struct {
  guint blocks, subsystems, wires, depth;
} Census;

static void count (const WeirDiagram *diagram, guint depth, Census *census);

typedef struct {
  Census *census;
  guint depth;
} Level;

static gboolean
count_block (WeirBlock *block, gpointer data)
{
  Level *level = data;
  WeirDiagram *inner = weir_block_get_diagram (block);

  level->census->blocks++;
  if (inner != NULL)
    {
      level->census->subsystems++;
      count (inner, level->depth + 1, level->census);
    }
  return TRUE;
}

static void
count (const WeirDiagram *diagram, guint depth, Census *census)
{
  Level level = { census, depth };

  census->depth = MAX (census->depth, depth);
  census->wires += weir_diagram_get_n_wires (diagram);
  weir_diagram_foreach_block (diagram, count_block, &level);
}

static void
print_summary (const WeirModel *model, WeirSystem *system)
{
  WeirLayout *layout = weir_system_get_layout (system);
  guint n_entries = weir_layout_get_n_entries (layout);
  guint n_of_kind[WEIR_N_ENTRY_KINDS] = { 0 };
  guint nq = 0, nv = 0, nz = 0;
  Census census = { 0 };

  count (weir_model_get_root (model), 1, &census);
  for (guint i = 0; i < weir_layout_get_n_slices (layout); i++)
    {
      WeirStateSlice slice = weir_layout_get_slice (layout, i);

      nq += slice.nq;
      nv += slice.nv;
      nz += slice.nz;
    }
  for (guint i = 0; i < n_entries; i++)
    n_of_kind[weir_layout_get_entry (layout, (WeirEntry) { i }).kind]++;

  if (weir_model_get_title (model) != NULL && *weir_model_get_title (model) != '\0')
    weir_cli_say ("title            %s\n", weir_model_get_title (model));
  for (guint i = 0; i < weir_metadata_get_size (weir_model_get_metadata (model)); i++)
    {
      WeirMetadataItem item = weir_metadata_get_item (weir_model_get_metadata (model), i);

      weir_cli_say ("%-16s %s\n", item.name, item.text);
    }
  weir_cli_say ("blocks           %u, of which %u subsystems\n", census.blocks, census.subsystems);
  weir_cli_say ("wires            %u\n", census.wires);
  weir_cli_say ("levels           %u\n", census.depth);
  weir_cli_say ("systems          %u\n", weir_layout_get_n_nodes (layout));
  weir_cli_say ("states           %u: %u q, %u v, %u z\n", nq + nv + nz, nq, nv, nz);
  weir_cli_say ("events           %u\n", weir_system_get_n_events (system));
  weir_cli_say ("cache entries    %u: %u outputs, %u derivatives, %u energies, %u other\n",
                n_entries, n_of_kind[WEIR_ENTRY_OUTPUT], n_of_kind[WEIR_ENTRY_DERIVATIVES],
                n_of_kind[WEIR_ENTRY_ENERGY],
                n_of_kind[WEIR_ENTRY_CACHE] + n_of_kind[WEIR_ENTRY_UPDATE]);
}

/* In one word of the list. */
static const char *
get_name (const WeirCosim *cosim, guint who)
{
  return who == WEIR_COSIM_REST ? "(the rest)" : weir_cosim_get_path (cosim, who);
}

static void
print_list (const WeirCosim *cosim, const guint *list)
{
  guint n_said = 0;

  for (guint k = 0; k <= weir_cosim_get_n_units (cosim); k++)
    if (list[k] != WEIR_COSIM_REST || weir_cosim_has_rest (cosim))
      weir_cli_say ("%s%s", n_said++ > 0 ? ", " : "", get_name (cosim, list[k]));
  weir_cli_say ("\n");
}

static void
print_links (const WeirCosim *cosim, const GArray *late)
{
  for (guint i = 0; i < late->len; i++)
    {
      const WeirCosimLink *link = &g_array_index (late, WeirCosimLink, i);

      weir_cli_say ("%s%s to %s", i > 0 ? ", " : "", get_name (cosim, link->from),
                    get_name (cosim, link->to));
    }
  weir_cli_say ("%s\n", late->len == 0 ? "nothing" : "");
}

/* The units of co-simulation: order, levels of a cascade, what is late in it. */
static void
print_schedule (WeirModel *model, WeirSystem *system)
{
  WeirSimulatorOptions options;
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GArray) late = NULL;
  g_autofree guint *list = NULL;
  WeirCosim *cosim;
  guint n, n_late;

  weir_model_get_run_settings (model, &options, NULL);
  simulator = weir_simulator_new (system, context, &options, NULL);
  cosim = simulator != NULL ? weir_cosim_get (simulator) : NULL;
  if (cosim == NULL)
    return;
  n = weir_cosim_get_n_units (cosim);
  weir_cli_say ("\nplace  level  steps  unit\n");
  for (guint k = 0; k <= n; k++)
    {
      guint who = weir_cosim_get_at (cosim, k);

      if (who == WEIR_COSIM_REST && !weir_cosim_has_rest (cosim))
        continue;
      weir_cli_say ("%5u  %5u  %5u  %s\n", k + 1, weir_cosim_get_level (cosim, who),
                    who == WEIR_COSIM_REST ? 1 : weir_cosim_get_n_steps (cosim, who),
                    get_name (cosim, who));
    }
  late = weir_cosim_list_late (cosim);
  weir_cli_say ("schedule         %s, every %g s\n",
                weir_step_scheduling_type_get_name (options.schedule), options.communication_step);
  weir_cli_say ("late in cascade  ");
  print_links (cosim, late);
  list = g_new (guint, n + 1);
  n_late = weir_cosim_suggest_list (cosim, list);
  if (n_late >= late->len)
    return;
  weir_cli_say ("fewest late      %u, in the order ", n_late);
  print_list (cosim, list);
}

static void
print_units (WeirModel *model)
{
  g_autoptr (GArray) units = weir_model_list_units (model);

  if (units->len > 0)
    weir_cli_say ("\nport  unit  given or follows\n");
  for (guint i = 0; i < units->len; i++)
    {
      const WeirPortUnit *unit = &g_array_index (units, WeirPortUnit, i);

      weir_cli_say ("%s  %s  %s\n", unit->path, unit->unit, unit->is_given ? "given" : "follows");
    }
}

/* Elements for which nothing is given have no number. (transfer full) */
static char *
dup_value (const WeirParameterEntry *entry)
{
  GString *text = g_string_new (NULL);

  if (entry->value == NULL)
    {
      g_string_free (text, TRUE);
      return g_strdup (entry->text);
    }
  for (guint i = 0; i < entry->size; i++)
    {
      g_autofree char *number = weir_value_to_string (&entry->value[i], 1);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                              isnan (entry->value[i]) ? "unset" : number);
    }
  if (entry->size != 1)
    {
      g_string_prepend_c (text, '[');
      g_string_append_c (text, ']');
    }
  return g_string_free (text, FALSE);
}

static void
print_parameters (WeirModel *model, WeirSystem *system, gboolean with_hidden)
{
  g_autoptr (WeirParameters) parameters = weir_parameters_new (model, system);

  weir_cli_say ("\nrole      parameter = value\n");
  for (guint i = 0; i < weir_parameters_get_size (parameters); i++)
    {
      const WeirParameterEntry *entry = weir_parameters_get (parameters, i);
      g_autofree char *value = NULL;

      if (entry->is_hidden && !with_hidden)
        continue;
      value = dup_value (entry);
      weir_cli_say ("%-8s  %s = %s", weir_parameter_role_get_name (entry->role), entry->path,
                    value);
      if (entry->unit != NULL)
        weir_cli_say (" %s", entry->unit);
      if (entry->own != NULL)
        weir_cli_say ("  from an outer level, not %s", entry->own);
      if (entry->origin != NULL)
        weir_cli_say ("  from %s, where %s", entry->text, entry->origin);
      weir_cli_say ("\n");
    }
}

static void
print_layout (WeirSystem *system)
{
  WeirLayout *layout = weir_system_get_layout (system);

  weir_cli_say ("\noffset  size  q  v  z  owner\n");
  for (guint i = 0; i < weir_layout_get_n_slices (layout); i++)
    {
      WeirStateSlice slice = weir_layout_get_slice (layout, i);
      g_autofree char *path = weir_layout_dup_path (layout, slice.node);

      weir_cli_say ("%6u  %4u  %u  %u  %u  %s\n", slice.offset, slice.nq + slice.nv + slice.nz,
                    slice.nq, slice.nv, slice.nz, path);
    }
}

static void
describe (WeirModel *model, WeirDescription what)
{
  g_autofree char *text = weir_model_describe_blocks (model, what);

  g_print ("%s", text);
}

WeirExit
weir_cli_info (int argc, char **argv)
{
  gboolean with_layout = FALSE, with_parameters = FALSE, is_full = FALSE, with_start = FALSE,
           with_hidden = FALSE;
  const GOptionEntry entries[] = {
    { "layout", 0, 0, G_OPTION_ARG_NONE, &with_layout,
      "List the state vector: offset, size, q, v, z and owner of every slice", NULL },
    { "parameters", 0, 0, G_OPTION_ARG_NONE, &with_parameters,
      "List every parameter by role, with its value and where its names were found", NULL },
    { "hidden", 0, 0, G_OPTION_ARG_NONE, &with_hidden,
      "List them with the initial values of everything in equations, set or not", NULL },
    { "full", 0, 0, G_OPTION_ARG_NONE, &is_full,
      "Add the compiled equations of each block, with explicit values substituted; of an FMU all "
      "variables",
      NULL },
    { "initial", 0, 0, G_OPTION_ARG_NONE, &with_start,
      "Add what each block of equations starts at: given, guess, solved, residual", NULL },
    { 0 },
  };
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = NULL;
  g_autoptr (WeirSystem) system = NULL;

  if (!weir_cli_parse (&argc, &argv, "FILE",
                       "Describes a model or an FMU that has no errors. Nothing of an FMU is run.",
                       entries, 1, 1))
    return WEIR_EXIT_USAGE;
  if (weir_cli_is_fmu (argv[1]))
    return weir_cli_info_fmu (argv[1], is_full);
  model = weir_cli_read (argv[1], diagnostics);
  if (model == NULL)
    return WEIR_EXIT_MODEL;
  system = weir_cli_complete (model, argv[1]);
  if (system == NULL)
    return WEIR_EXIT_MODEL;
  print_summary (model, system);
  print_schedule (model, system);
  print_units (model);
  if (with_parameters || with_hidden)
    print_parameters (model, system, with_hidden);
  if (with_layout)
    print_layout (system);
  describe (model, WEIR_DESCRIPTION_TABLE);
  if (is_full)
    describe (model, WEIR_DESCRIPTION_FULL);
  if (with_start)
    describe (model, WEIR_DESCRIPTION_START);
  return WEIR_EXIT_OK;
}

/* --- Two models ------------------------------------------------------------------------------ */

WeirExit
weir_cli_diff (int argc, char **argv)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) a = NULL;
  g_autoptr (WeirModel) b = NULL;
  g_autoptr (GPtrArray) differences = NULL;

  if (!weir_cli_parse (
          &argc, &argv, "A B",
          "Prints what differs, one line each: \"-\" only in A, \"+\" only in B, \"~\" in both "
          "but not the same.\nIds, order, positions and colours do not count, nor how a "
          "number is written.\nExit status: 0 no difference, 1 differences, or a file cannot "
          "be read.",
          NULL, 2, 2))
    return WEIR_EXIT_USAGE;
  a = weir_cli_read (argv[1], diagnostics);
  b = weir_cli_read (argv[2], diagnostics);
  if (a == NULL || b == NULL)
    return WEIR_EXIT_MODEL;
  differences = weir_model_list_differences (a, b);
  for (guint i = 0; i < differences->len; i++)
    {
      g_autofree char *line = weir_difference_to_string (g_ptr_array_index (differences, i));

      weir_cli_say ("%s\n", line);
    }
  return differences->len == 0 ? WEIR_EXIT_OK : WEIR_EXIT_MODEL;
}

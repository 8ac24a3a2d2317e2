/* `weir render`: a diagram as a picture, the same that the editor exports. */
#include "cli/cli-private.h"
#include "cosim/order.h"
#include "library/run-settings.h"
#include "model/completion/completion.h"
#include "system/evaluation/eval.h"

/* The diagram inside the Subsystem at @path; the root without one. NULL after saying what
 * is wrong. */
static WeirDiagram *
find_diagram (WeirModel *model, const char *path, const char *file)
{
  WeirBlock *block;

  if (path == NULL)
    return weir_model_get_root (model);
  block = weir_model_find_path (model, path);
  if (block == NULL)
    weir_cli_complain ("render: %s has no block \"%s\"", file, path);
  else if (weir_block_get_diagram (block) == NULL)
    weir_cli_complain ("render: \"%s\" in %s is no Subsystem", path, file);
  return block != NULL ? weir_block_get_diagram (block) : NULL;
}

/* The wires that carry the last instant's values in a model of units, which is not run for it; NULL
 * in others, and where it does not hold together. (transfer full) */
static GHashTable *
list_late_wires (WeirModel *model)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GArray) inputs = NULL;
  GHashTable *late;
  WeirSimulatorOptions options;
  WeirCosim *cosim;

  if (!weir_model_has_units (model))
    return NULL;
  system = weir_model_complete (model, diagnostics);
  if (system == NULL)
    return NULL;
  weir_model_get_run_settings (model, &options, NULL);
  context = weir_system_create_context (system);
  simulator = weir_simulator_new (system, context, &options, NULL);
  cosim = simulator != NULL ? weir_cosim_get (simulator) : NULL;
  if (cosim == NULL)
    return NULL;
  late = g_hash_table_new (NULL, NULL);
  inputs = weir_cosim_list_late_inputs (cosim);
  for (guint i = 0; i < inputs->len; i++)
    {
      const WeirInputPlace *input = &g_array_index (inputs, WeirInputPlace, i);
      const WeirLayout *layout = weir_system_get_layout (system);
      g_autofree char *path = weir_layout_dup_path (layout, input->node);

      weir_model_note_wires_to (model, path,
                                weir_layout_get_input_name (layout, input->node, input->in), late);
    }
  return late;
}

WeirExit
weir_cli_render (int argc, char **argv)
{
  g_autofree char *out = NULL, *inside = NULL;
  gboolean dark = FALSE;
  const GOptionEntry entries[] = {
    { "out", 'o', 0, G_OPTION_ARG_FILENAME, &out, "The picture: .svg, .pdf or .png", "FILE" },
    { "inside", 0, 0, G_OPTION_ARG_STRING, &inside, "Draw what is in this Subsystem", "PATH" },
    { "dark", 0, 0, G_OPTION_ARG_NONE, &dark, "Light lines on a dark page", NULL },
    { NULL },
  };
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = NULL;
  g_autoptr (GHashTable) late = NULL;
  g_autoptr (GError) error = NULL;
  WeirDiagram *diagram;

  if (!weir_cli_parse (&argc, &argv, "FILE --out F.svg",
                       "Draws the model's diagram, or that of a Subsystem.\nExit status: 0 drawn, "
                       "1 cannot be read or written, 2 wrong usage.",
                       entries, 1, 1))
    return WEIR_EXIT_USAGE;
  if (out == NULL)
    {
      weir_cli_complain ("render: --out F.svg, F.pdf or F.png is missing");
      return WEIR_EXIT_USAGE;
    }
  if (!weir_cli_get_painter ()->check_path (out, &error))
    {
      weir_cli_complain ("render: %s", error->message);
      return WEIR_EXIT_USAGE;
    }
  if (!weir_cli_check_outputs (
          (const WeirCliFile[]) { { "the model", argv[1], FALSE }, { "--out", out, TRUE } }, 2))
    return WEIR_EXIT_USAGE;
  model = weir_cli_read (argv[1], diagnostics);
  if (model == NULL)
    return WEIR_EXIT_MODEL;
  diagram = find_diagram (model, inside, argv[1]);
  if (diagram == NULL)
    return WEIR_EXIT_MODEL;
  late = list_late_wires (model);
  if (!weir_cli_get_painter ()->write_diagram (diagram, late, out, dark, &error))
    {
      weir_cli_complain ("render: %s", error->message);
      return WEIR_EXIT_MODEL;
    }
  return WEIR_EXIT_OK;
}

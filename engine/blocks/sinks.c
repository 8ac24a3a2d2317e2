/* Sinks: blocks without outputs. They compute nothing; a scope's inputs are what a run records. */
#include "blocks/blocks-private.h"

#define CATEGORY N_ ("Sinks")

/* --- Scope ----------------------------------------------------------------------------------- */

static const WeirParameterSpec scope_parameters[] = {
  {
      .name = "inputs",
      .label = N_ ("Inputs"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "1",
      WEIR_FROM_TO (1, 64),
      .help = N_ ("How many signals the scope shows."),
  },
};

static void
scope_list_inputs (const WeirArguments *arguments, GArray *ports)
{
  weir_list_numbered (ports, "in", (guint) weir_arguments_get_integer (arguments, "inputs"));
}

static WeirSystem *
scope_build (const WeirArguments *arguments, const guint *sizes, G_GNUC_UNUSED GError **error)
{
  guint n = (guint) weir_arguments_get_integer (arguments, "inputs");
  WeirLeafBuilder *b = weir_leaf_builder_new ("Scope");

  for (guint i = 0; i < n; i++)
    weir_leaf_add_input (b, weir_numbered_name ("in", i), sizes[i]);
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_scope = {
  .name = "Scope",
  .title = N_ ("Scope"),
  .category = CATEGORY,
  .summary = N_ ("Records and plots its inputs."),
  WEIR_PARAMETERS (scope_parameters),
  .list_inputs = scope_list_inputs,
  .build = scope_build,
  .is_sink_log = TRUE,
};

/* --- XY scope -------------------------------------------------------------------------------- */

static void
xy_list_inputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "x", 1);
  weir_list_port (ports, "y", 1);
}

static WeirSystem *
xy_build (G_GNUC_UNUSED const WeirArguments *arguments, const guint *sizes, GError **error)
{
  WeirLeafBuilder *b;

  if (!weir_check_size ("Input x", sizes[0], 1, error)
      || !weir_check_size ("Input y", sizes[1], 1, error))
    return NULL;
  b = weir_leaf_builder_new ("XYScope");
  weir_leaf_add_input (b, "x", 1);
  weir_leaf_add_input (b, "y", 1);
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_xy_scope = {
  .name = "XYScope",
  .title = N_ ("XY Scope"),
  .category = CATEGORY,
  .summary = N_ ("Records two signals and plots one over the other."),
  .list_inputs = xy_list_inputs,
  .build = xy_build,
  .is_sink_log = TRUE,
};

/* --- Display --------------------------------------------------------------------------------- */

static WeirSystem *
display_build (G_GNUC_UNUSED const WeirArguments *arguments, const guint *sizes,
               G_GNUC_UNUSED GError **error)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Display");

  weir_leaf_add_input (b, "u", sizes[0]);
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_display = {
  .name = "Display",
  .title = N_ ("Display"),
  .category = CATEGORY,
  .summary = N_ ("Records its input, whose last value is its number."),
  .list_inputs = weir_list_u,
  .build = display_build,
  .is_sink_log = TRUE,
};

/* --- Terminator ------------------------------------------------------------------------------ */

static WeirSystem *
terminator_build (G_GNUC_UNUSED const WeirArguments *arguments, const guint *sizes,
                  G_GNUC_UNUSED GError **error)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Terminator");

  weir_leaf_add_input (b, "u", sizes[0]);
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_terminator = {
  .name = "Terminator",
  .title = N_ ("Terminator"),
  .category = CATEGORY,
  .summary = N_ ("Ends a signal that nothing uses."),
  .list_inputs = weir_list_u,
  .build = terminator_build,
};

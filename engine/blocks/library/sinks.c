/* Sinks: blocks without outputs. They compute nothing; a scope's inputs are what a run records. */
#include "blocks/types/family.h"

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

static const WeirBlockType scope_type = {
  .name = "Scope",
  .title = N_ ("Scope"),
  .category = CATEGORY,
  .summary = N_ ("Records and plots its inputs."),
  WEIR_PARAMETERS (scope_parameters),
  .list_inputs = scope_list_inputs,
  WEIR_LEAF (0),
  .is_recorded_sink = TRUE,
};

/* --- XY scope -------------------------------------------------------------------------------- */

static void
xy_list_inputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "x", 1);
  weir_list_port (ports, "y", 1);
}

static const WeirBlockType xy_scope_type = {
  .name = "XYScope",
  .title = N_ ("XY Scope"),
  .category = CATEGORY,
  .summary = N_ ("Records two signals and plots one over the other."),
  .list_inputs = xy_list_inputs,
  WEIR_LEAF (0),
  .is_recorded_sink = TRUE,
};

/* --- Display --------------------------------------------------------------------------------- */

static const WeirBlockType display_type = {
  .name = "Display",
  .title = N_ ("Display"),
  .category = CATEGORY,
  .summary = N_ ("Records its input, whose last value is its number."),
  .list_inputs = weir_list_u,
  WEIR_LEAF (0),
  .is_recorded_sink = TRUE,
};

/* --- Terminator ------------------------------------------------------------------------------ */

static const WeirBlockType terminator_type = {
  .name = "Terminator",
  .title = N_ ("Terminator"),
  .category = CATEGORY,
  .summary = N_ ("Ends a signal that nothing uses."),
  .list_inputs = weir_list_u,
  WEIR_LEAF (0),
};

WEIR_FAMILY (sinks, &scope_type, &xy_scope_type, &display_type, &terminator_type);

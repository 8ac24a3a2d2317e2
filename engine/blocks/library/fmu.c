/* FMU: a model that another tool has made. What it is stands in its file, which completion reads:
 * the ports, and the leaf. */
#include "blocks/types/family-private.h"

#define CATEGORY N_ ("Models")

static const WeirParameterSpec fmu_parameters[] = {
  {
      .name = "file",
      .label = N_ ("File"),
      .kind = WEIR_VALUE_TEXT,
      .default_text = "",
      .help = N_ ("An FMU of FMI 2.0 or 3.0 for model exchange; its name is looked for beside the "
                  "model."),
  },
  {
      .name = "start",
      .label = N_ ("Start values"),
      .kind = WEIR_VALUE_TEXT,
      .default_text = "",
      .help = N_ ("Values instead of those in the file, for parameters, inputs and states: "
                  "\"mass = 2; x = [1, 2]\"."),
  },
};

static const WeirBlockType fmu_type = {
  .name = "FMU",
  .title = N_ ("FMU"),
  .category = CATEGORY,
  .summary = N_ ("A model that another tool has made."),
  WEIR_PARAMETERS (fmu_parameters),
};

WEIR_FAMILY (fmu, &fmu_type);

/* FMU: a model that another tool has made. What it is stands in its file, which completion reads:
 * the ports, and the leaf. */
#include "blocks/types/family.h"

#define CATEGORY N_ ("Models")

static const char *const modes[] = { "auto", "exchange", "co-simulation", NULL };

static const WeirParameterSpec fmu_parameters[] = {
  {
      .name = "file",
      .label = N_ ("File"),
      .kind = WEIR_VALUE_TEXT,
      .is_file = TRUE,
      .default_text = "",
      .help = N_ ("An FMU of FMI 2.0 or 3.0; its name is looked for beside the model."),
  },
  {
      .name = "start",
      .label = N_ ("Start values"),
      .kind = WEIR_VALUE_TEXT,
      .default_text = "",
      .help = N_ ("Values instead of those in the file, for parameters, inputs and states: "
                  "\"mass = 2; x = [1, 2]\"; texts stand in quotes."),
  },
  {
      .name = "mode",
      .label = N_ ("Mode"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = "auto",
      .choices = modes,
      .help = N_ (
          "By model exchange its equations join those of the model; in co-simulation it is a "
          "unit that steps by itself. Auto: exchange, where the file offers it."),
  },
  {
      .name = "steps",
      .label = N_ ("Steps"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "1",
      WEIR_FROM_TO (1, 1000000),
      .help = N_ ("In co-simulation: how many communication steps of the run one of its own is."),
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

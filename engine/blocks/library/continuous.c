/* Continuous: the integrator, whose output is a window on its state. */
#include "blocks/types/family-private.h"

#define CATEGORY N_ ("Continuous")

/* --- Integrator: z' = u, y = z --------------------------------------------------------------- */

WEIR_KERNEL_1 (copy, u, u)

static const WeirParameterSpec integrator_parameters[] = {
  WEIR_INITIAL (N_ ("The output at the start: a number, or one for each element.")),
};

static const WeirBlockType integrator_type = {
  .name = "Integrator",
  .title = N_ ("Integrator"),
  .category = CATEGORY,
  .summary = N_ ("Integrates its input over time."),
  WEIR_PARAMETERS (integrator_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = weir_size_with_initial,
  WEIR_LEAF (.state = { .nz = 1, .is_for_each = TRUE, .initial = WEIR_READS ("initial") },
             .derivatives = { .kernel = copy }, .y = { "y", .reads = WEIR_READS ("z") }),
  .units = WEIR_UNITS_INTEGRAL,
  .is_foremost = TRUE,
};

WEIR_FAMILY (continuous, &integrator_type);

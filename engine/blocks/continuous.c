/* Continuous: the integrator, whose output is a window on its state. */
#include "blocks/blocks-private.h"

#define CATEGORY N_ ("Continuous")

/* --- Integrator: z' = u, y = z --------------------------------------------------------------- */

WEIR_KERNEL_1 (copy, u, u)

static const WeirParameterSpec integrator_parameters[] = {
  WEIR_INITIAL (N_ ("The output at the start: a number, or one for each element.")),
};

static WeirSystem *
integrator_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  guint size = weir_size_with_initial (arguments, sizes, 0);
  g_autofree double *initial = weir_arguments_dup_vector_of_size (arguments, "initial", size,
                                                                  error);
  WeirLeafBuilder *b;
  WeirInput u;

  if (initial == NULL || !weir_check_size ("Input u", sizes[0], size, error))
    return NULL;

  b = weir_leaf_builder_new ("Integrator");
  u = weir_leaf_add_input (b, "u", sizes[0]);
  weir_leaf_set_continuous_state (b, 0, 0, size, initial);
  weir_leaf_set_derivatives_kernel (b, copy, 0, WEIR_DEPENDS (weir_input_ticket (b, u)));
  weir_leaf_add_output_window (b, "y", WEIR_Z);
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_integrator = {
  .name = "Integrator",
  .title = N_ ("Integrator"),
  .category = CATEGORY,
  .summary = N_ ("Integrates its input over time."),
  WEIR_PARAMETERS (integrator_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = weir_size_with_initial,
  .build = integrator_build,
  .units = WEIR_UNITS_INTEGRAL,
};

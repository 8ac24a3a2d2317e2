/* Lags: a value that follows the input with a time constant, or like a mass on a spring. Their
 * numbers can change while running, unlike those of a transfer function.
 */
#include "blocks/blocks-private.h"

#define CATEGORY N_ ("Continuous")

static const WeirInput U = { 0 };

/* --- First order: x' = (gain u - x) / time constant ------------------------------------------ */

WEIR_KERNEL_4 (approach, x, u, gain, tau, (gain * u - x) / tau)

static const WeirParameterSpec lag_parameters[] = {
  WEIR_TUNABLE_NUMBER ("gain", N_ ("Gain"), "1",
                       N_ ("The output in the end is the input times this."), WEIR_ANY),
  WEIR_TUNABLE_NUMBER ("time-constant", N_ ("Time constant"), "1",
                       N_ ("After this time 63 percent of the way is done."), WEIR_MORE_THAN (0),
                       .unit = "s"),
  WEIR_INITIAL (N_ ("The output at the start: a number, or one for each element.")),
};

static WeirSystem *
lag_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  g_autofree double *initial = weir_arguments_dup_vector_of_size (arguments, "initial", sizes[0],
                                                                  error);
  WeirLeafBuilder *b;
  WeirTicket u, gain, tau;

  if (initial == NULL)
    return NULL;
  b = weir_leaf_builder_new ("Lag");
  u = weir_input_ticket (b, weir_leaf_add_input (b, "u", sizes[0]));
  gain = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "gain"));
  tau = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "time-constant"));
  weir_leaf_set_continuous_state (b, 0, 0, sizes[0], initial);
  weir_leaf_set_derivatives_kernel (b, approach, 0, WEIR_DEPENDS (WEIR_Z, u, gain, tau));
  weir_leaf_add_output_window (b, "y", WEIR_Z);
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_lag = {
  .name = "Lag",
  .title = N_ ("First-Order Lag"),
  .category = CATEGORY,
  .summary = N_ ("Follows its input with a time constant."),
  WEIR_PARAMETERS (lag_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = weir_size_with_initial,
  .build = lag_build,
};

/* --- Second order: q'' + 2 damping w q' + w^2 q = w^2 gain u --------------------------------- */

static const WeirParameter GAIN = { 0 }, FREQUENCY = { 1 }, DAMPING = { 2 };

static WeirStatus
oscillating_lag_xcdot (const WeirCalc *c, double *xdot)
{
  double w = weir_calc_parameter (c, FREQUENCY)[0];
  double q = weir_calc_q (c)[0], v = weir_calc_v (c)[0];
  double target = weir_calc_parameter (c, GAIN)[0] * weir_calc_input (c, U)[0];

  xdot[0] = v;
  xdot[1] = w * w * (target - q) - 2 * weir_calc_parameter (c, DAMPING)[0] * w * v;
  return WEIR_OK;
}

static const WeirParameterSpec oscillating_lag_parameters[] = {
  WEIR_TUNABLE_NUMBER ("gain", N_ ("Gain"), "1",
                       N_ ("The output in the end is the input times this."), WEIR_ANY),
  WEIR_TUNABLE_NUMBER ("frequency", N_ ("Natural frequency"), "1",
                       N_ ("The angular frequency of the oscillation without damping."),
                       WEIR_MORE_THAN (0), .unit = "rad/s"),
  WEIR_TUNABLE_NUMBER ("damping", N_ ("Damping ratio"), "0.5",
                       N_ ("Below 1 the output swings over; from 1 on it creeps."),
                       WEIR_AT_LEAST (0)),
};

static WeirSystem *
oscillating_lag_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  WeirLeafBuilder *b;
  WeirTicket u, parameters[3];

  if (!weir_check_size ("Input u", sizes[0], 1, error))
    return NULL;
  b = weir_leaf_builder_new ("SecondOrderLag");
  u = weir_input_ticket (b, weir_leaf_add_input (b, "u", 1));
  for (guint i = 0; i < G_N_ELEMENTS (parameters); i++)
    parameters[i] = weir_parameter_ticket (
        b, weir_leaf_add_tunable (b, arguments, oscillating_lag_parameters[i].name));
  weir_leaf_set_continuous_state (b, 1, 1, 0, (double[]) { 0, 0 });
  weir_leaf_set_derivatives (
      b, oscillating_lag_xcdot,
      WEIR_DEPENDS (WEIR_Q, WEIR_V, u, parameters[0], parameters[1], parameters[2]));
  weir_leaf_add_output_window (b, "y", WEIR_Q);
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_second_order_lag = {
  .name = "SecondOrderLag",
  .title = N_ ("Second-Order Lag"),
  .category = CATEGORY,
  .summary = N_ ("Follows its input like a mass on a spring with a damper."),
  WEIR_PARAMETERS (oscillating_lag_parameters),
  .list_inputs = weir_list_scalar_u,
  .list_outputs = weir_list_scalar_y,
  .build = oscillating_lag_build,
};

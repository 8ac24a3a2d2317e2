/* Continuous: the integrator and lags, whose outputs are windows on their state. A lag follows its
 * input with a time constant, or like a mass on a spring; its numbers can change while running,
 * unlike those of a transfer function.
 */
#include "blocks/types/family.h"

#define CATEGORY N_ ("Continuous")

static const WeirInput U = { 0 };

/* --- Integrator: z' = u, y = z --------------------------------------------------------------- */

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
             .derivatives = { .kernel = weir_kernel_copy },
             .y = { "y", .reads = WEIR_READS ("z") }),
  .units = WEIR_UNITS_INTEGRAL,
  .is_foremost = TRUE,
};

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

static const WeirBlockType lag_type = {
  .name = "Lag",
  .title = N_ ("First-Order Lag"),
  .category = CATEGORY,
  .summary = N_ ("Follows its input with a time constant."),
  WEIR_PARAMETERS (lag_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = weir_size_with_initial,
  WEIR_LEAF (.state = { .nz = 1, .is_of_input = TRUE, .initial = WEIR_READS ("initial") },
             .derivatives = { .kernel = approach,
                              .reads = WEIR_READS ("z", "u", "gain", "time-constant") },
             .y = { "y", .reads = WEIR_READS ("z") }),
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

static WeirStatus
oscillating_lag_xcdot_tangent (const WeirCalc *c, const WeirCalc *d, double *xdot)
{
  double w = weir_calc_parameter (c, FREQUENCY)[0], dw = weir_calc_parameter (d, FREQUENCY)[0];
  double damping = weir_calc_parameter (c, DAMPING)[0],
         ddamping = weir_calc_parameter (d, DAMPING)[0];
  double gain = weir_calc_parameter (c, GAIN)[0], dgain = weir_calc_parameter (d, GAIN)[0];
  double u = weir_calc_input (c, U)[0], du = weir_calc_input (d, U)[0];
  double v = weir_calc_v (c)[0], dv = weir_calc_v (d)[0];

  xdot[0] = dv;
  xdot[1] = 2 * w * dw * (gain * u - weir_calc_q (c)[0])
            + w * w * (dgain * u + gain * du - weir_calc_q (d)[0])
            - 2 * (ddamping * w * v + damping * dw * v + damping * w * dv);
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

static const WeirBlockType second_order_lag_type = {
  .name = "SecondOrderLag",
  .title = N_ ("Second-Order Lag"),
  .category = CATEGORY,
  .summary = N_ ("Follows its input like a mass on a spring with a damper."),
  WEIR_PARAMETERS (oscillating_lag_parameters),
  .list_inputs = weir_list_scalar_u,
  .list_outputs = weir_list_scalar_y,
  WEIR_LEAF (.state = { .nq = 1, .nv = 1 },
             .derivatives = { .calc = oscillating_lag_xcdot,
                              .reads = WEIR_READS ("q", "v", "u", "gain", "frequency", "damping") },
             .y = { "y", .reads = WEIR_READS ("q") }),
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (GAIN, "gain"),
                  WEIR_POSITION (FREQUENCY, "frequency"), WEIR_POSITION (DAMPING, "damping")),
};

WEIR_FAMILY (continuous, &integrator_type, &lag_type, &second_order_lag_type);

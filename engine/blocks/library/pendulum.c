/* The pendulum: a mass on a massless rod in the plane, driven by a torque at its pivot.
 *
 *   q = theta (from hanging straight down), v = omega,
 *   theta' = omega,
 *   omega' = (tau - b omega - m g l sin theta) / (m l^2).
 *
 * Position and velocity are apart, so that the potential energy stays valid while only omega
 * changes. The torque of gravity is computed once for the derivatives and the conservative power.
 */
#include "blocks/types/family.h"

enum { THETA, OMEGA };

static const WeirInput TAU = { 0 };
static const WeirParameter M = { 0 }, L = { 1 }, G = { 2 }, B = { 3 };
static const WeirCached GRAVITY = { 0 };

/* - m g l sin theta, N m */
static WeirStatus
gravity_torque (const WeirCalc *c, double *torque)
{
  double m = weir_calc_parameter (c, M)[0];
  double l = weir_calc_parameter (c, L)[0];
  double g = weir_calc_parameter (c, G)[0];
  double theta = weir_calc_q (c)[0];

  *torque = -m * g * l * sin (theta);
  return WEIR_OK;
}

static WeirStatus
gravity_torque_tangent (const WeirCalc *c, const WeirCalc *d, double *torque)
{
  double m = weir_calc_parameter (c, M)[0], dm = weir_calc_parameter (d, M)[0];
  double l = weir_calc_parameter (c, L)[0], dl = weir_calc_parameter (d, L)[0];
  double g = weir_calc_parameter (c, G)[0], dg = weir_calc_parameter (d, G)[0];
  double theta = weir_calc_q (c)[0];

  *torque = -(dm * g * l + m * dg * l + m * g * dl) * sin (theta)
            - m * g * l * cos (theta) * weir_calc_q (d)[0];
  return WEIR_OK;
}

static WeirStatus
xcdot (const WeirCalc *c, double *xdot)
{
  double m = weir_calc_parameter (c, M)[0];
  double l = weir_calc_parameter (c, L)[0];
  double b = weir_calc_parameter (c, B)[0];
  double tau = weir_calc_input (c, TAU)[0];
  double omega = weir_calc_v (c)[0];

  xdot[THETA] = omega;
  xdot[OMEGA] = (tau - b * omega + weir_calc_cached (c, GRAVITY)[0]) / (m * l * l);
  return WEIR_OK;
}

static WeirStatus
xcdot_tangent (const WeirCalc *c, const WeirCalc *d, double *xdot)
{
  double m = weir_calc_parameter (c, M)[0], dm = weir_calc_parameter (d, M)[0];
  double l = weir_calc_parameter (c, L)[0], dl = weir_calc_parameter (d, L)[0];
  double b = weir_calc_parameter (c, B)[0], db = weir_calc_parameter (d, B)[0];
  double omega = weir_calc_v (c)[0], domega = weir_calc_v (d)[0];
  double torque = weir_calc_input (c, TAU)[0] - b * omega + weir_calc_cached (c, GRAVITY)[0];
  double dtorque = weir_calc_input (d, TAU)[0] - db * omega - b * domega
                   + weir_calc_cached (d, GRAVITY)[0];

  xdot[THETA] = domega;
  xdot[OMEGA] = (dtorque - torque * (dm / m + 2 * dl / l)) / (m * l * l);
  return WEIR_OK;
}

/* m g l (1 - cos theta), without cancellation near theta = 0 */
static WeirStatus
potential_energy (const WeirCalc *c, double *energy)
{
  double m = weir_calc_parameter (c, M)[0];
  double l = weir_calc_parameter (c, L)[0];
  double g = weir_calc_parameter (c, G)[0];
  double s = sin (0.5 * weir_calc_q (c)[0]);

  *energy = 2.0 * m * g * l * s * s;
  return WEIR_OK;
}

static WeirStatus
potential_energy_tangent (const WeirCalc *c, const WeirCalc *d, double *energy)
{
  double m = weir_calc_parameter (c, M)[0], dm = weir_calc_parameter (d, M)[0];
  double l = weir_calc_parameter (c, L)[0], dl = weir_calc_parameter (d, L)[0];
  double g = weir_calc_parameter (c, G)[0], dg = weir_calc_parameter (d, G)[0];
  double theta = weir_calc_q (c)[0], s = sin (0.5 * theta);

  *energy = 2.0 * (dm * g * l + m * dg * l + m * g * dl) * s * s
            + m * g * l * sin (theta) * weir_calc_q (d)[0];
  return WEIR_OK;
}

/* m l^2 omega^2 / 2 */
static WeirStatus
kinetic_energy (const WeirCalc *c, double *energy)
{
  double m = weir_calc_parameter (c, M)[0];
  double l = weir_calc_parameter (c, L)[0];
  double omega = weir_calc_v (c)[0];

  *energy = 0.5 * m * l * l * omega * omega;
  return WEIR_OK;
}

static WeirStatus
kinetic_energy_tangent (const WeirCalc *c, const WeirCalc *d, double *energy)
{
  double m = weir_calc_parameter (c, M)[0], dm = weir_calc_parameter (d, M)[0];
  double l = weir_calc_parameter (c, L)[0], dl = weir_calc_parameter (d, L)[0];
  double omega = weir_calc_v (c)[0], domega = weir_calc_v (d)[0];

  *energy = (0.5 * dm * l + m * dl) * l * omega * omega + m * l * l * omega * domega;
  return WEIR_OK;
}

/* What gravity puts into motion: minus the rate of the potential energy. */
static WeirStatus
conservative_power (const WeirCalc *c, double *power)
{
  *power = weir_calc_cached (c, GRAVITY)[0] * weir_calc_v (c)[0];
  return WEIR_OK;
}

/* What the torque puts in and the damping takes out. */
static WeirStatus
non_conservative_power (const WeirCalc *c, double *power)
{
  double b = weir_calc_parameter (c, B)[0];
  double tau = weir_calc_input (c, TAU)[0];
  double omega = weir_calc_v (c)[0];

  *power = (tau - b * omega) * omega;
  return WEIR_OK;
}

static const WeirParameterSpec parameters[] = {
  {
      .name = "mass",
      .label = N_ ("Mass"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "1",
      WEIR_MORE_THAN (0),
      .unit = "kg",
      .help = N_ ("The mass at the end of the rod."),
      .tunable = "mass",
  },
  {
      .name = "length",
      .label = N_ ("Length"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "1",
      WEIR_MORE_THAN (0),
      .unit = "m",
      .help = N_ ("The length of the rod."),
      .tunable = "length",
  },
  {
      .name = "gravity",
      .label = N_ ("Gravity"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "9.81",
      WEIR_ANY,
      .unit = "m/s²",
      .help = N_ ("The acceleration of free fall."),
      .tunable = "gravity",
  },
  {
      .name = "damping",
      .label = N_ ("Damping"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "0",
      WEIR_AT_LEAST (0),
      .unit = "N m s/rad",
      .help = N_ ("The torque of friction at the pivot for each unit of angular velocity."),
      .tunable = "damping",
  },
  {
      .name = "angle",
      .is_initial = TRUE,
      .label = N_ ("Initial angle"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "1",
      WEIR_ANY,
      .unit = "rad",
      .help = N_ ("The angle at the start; 0 hangs straight down."),
  },
  {
      .name = "rate",
      .is_initial = TRUE,
      .label = N_ ("Initial rate"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "0",
      WEIR_ANY,
      .unit = "rad/s",
      .help = N_ ("The angular velocity at the start."),
  },
};

static void
list_inputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port_in (ports, "torque", 1, "N*m");
}

static void
list_outputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port_in (ports, "theta", 1, "rad");
  weir_list_port_in (ports, "omega", 1, "rad/s");
  weir_list_port_in (ports, "potential", 1, "J");
  weir_list_port_in (ports, "kinetic", 1, "J");
}

static WeirSystem *
build (const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes,
       G_GNUC_UNUSED GError **error)
{
  const double initial[] = {
    [THETA] = weir_arguments_get_number (arguments, "angle"),
    [OMEGA] = weir_arguments_get_number (arguments, "rate"),
  };
  const double no_torque = 0.0;
  WeirLeafBuilder *b = weir_leaf_builder_new ("Pendulum");
  WeirTicket tau = weir_input_ticket (b, weir_leaf_add_input (b, "torque", 1));
  WeirTicket m = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "mass"));
  WeirTicket l = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "length"));
  WeirTicket g = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "gravity"));
  WeirTicket damping = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "damping"));
  WeirTicket gravity;

  weir_leaf_set_input_default (b, TAU, &no_torque);
  weir_leaf_set_continuous_state (b, 1, 1, 0, initial);
  gravity = weir_cached_ticket (b,
                                weir_leaf_add_cache_entry (b, "gravity torque", 1, gravity_torque,
                                                           WEIR_DEPENDS (WEIR_Q, m, l, g)));
  weir_leaf_set_derivatives (b, xcdot, WEIR_DEPENDS (WEIR_V, tau, m, l, damping, gravity));
  weir_leaf_set_energy (b, (WeirTicket) { WEIR_TICKET_PE }, potential_energy,
                        WEIR_DEPENDS (WEIR_Q, m, l, g));
  /* Of a mechanism in general; that the inertia of this one does not depend on q is its own. */
  weir_leaf_set_energy (b, (WeirTicket) { WEIR_TICKET_KE }, kinetic_energy,
                        WEIR_DEPENDS (WEIR_V, m, l));
  weir_leaf_set_energy (b, (WeirTicket) { WEIR_TICKET_PC }, conservative_power,
                        WEIR_DEPENDS (WEIR_V, gravity));
  weir_leaf_set_energy (b, (WeirTicket) { WEIR_TICKET_PNC }, non_conservative_power,
                        WEIR_DEPENDS (WEIR_V, tau, damping));
  weir_leaf_add_output_window (b, "theta", WEIR_Q);
  weir_leaf_add_output_window (b, "omega", WEIR_V);
  weir_leaf_add_output_window (b, "potential", (WeirTicket) { WEIR_TICKET_PE });
  weir_leaf_add_output_window (b, "kinetic", (WeirTicket) { WEIR_TICKET_KE });
  return weir_leaf_builder_build (b);
}

static const WeirBlockType pendulum_type = {
  .name = "Pendulum",
  .title = N_ ("Pendulum"),
  .category = N_ ("Models"),
  .summary = N_ ("Swings: a mass on a rod, with its angle, rate and energies."),
  WEIR_PARAMETERS (parameters),
  .list_inputs = list_inputs,
  .list_outputs = list_outputs,
  .build = build,
  WEIR_POSITIONS (WEIR_POSITION (TAU, "torque"), WEIR_POSITION (M, "mass"),
                  WEIR_POSITION (L, "length"), WEIR_POSITION (G, "gravity"),
                  WEIR_POSITION (B, "damping"), WEIR_POSITION (GRAVITY, "gravity torque")),
};

WEIR_FAMILY (pendulum, &pendulum_type);

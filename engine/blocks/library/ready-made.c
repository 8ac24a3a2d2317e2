/* Ready-made: blocks that are equations written once, with a few numbers to choose. What is true of
 * Equations is true of them: each value depends on what its expression reads, parameters can be
 * changed while a run goes on, relations hold between events.
 *
 * The text of such a block is its parameters, under their own names, and the lines of its type.
 */
#include "blocks/equations/equations.h"

#include <string.h>

#define CATEGORY_MODELS N_ ("Models")
#define CATEGORY_CONTINUOUS N_ ("Continuous")
#define CATEGORY_MATHEMATICS N_ ("Mathematics")

#define INITIAL(name_, default_)                                                                   \
  {                                                                                                \
    .name = name_, .label = N_ ("Initial value"), .kind = WEIR_VALUE_NUMBER,                       \
    .default_text = default_, WEIR_ANY, .is_initial = TRUE,                                        \
    .help = N_ ("The value at the start."),                                                        \
  }

#define NUMBER(name_, label_, default_, ...)                                                       \
  WEIR_TUNABLE_NUMBER (name_, label_, default_, N_ ("A number of the equations."), __VA_ARGS__)

/* What all of them share. */
#define EQUATIONS_BLOCK                                                                            \
  .list_inputs = weir_equations_list_inputs, .list_outputs = weir_equations_list_outputs_of,       \
  .build = weir_equations_build_block, .check = weir_equations_check_block,                        \
  .describe = weir_equations_describe_block

/* --- Models ---------------------------------------------------------------------------------- */

static const WeirParameterSpec lorenz_parameters[] = {
  NUMBER ("sigma", "σ", "10", WEIR_ANY),
  NUMBER ("rho", "ρ", "28", WEIR_ANY),
  NUMBER ("beta", "β", "2.6666666666666665", WEIR_ANY),
  INITIAL ("x0", "1"),
  INITIAL ("y0", "1"),
  INITIAL ("z0", "1"),
};

static const WeirBlockType lorenz_type = {
  .name = "Lorenz",
  .title = N_ ("Lorenz System"),
  .category = CATEGORY_MODELS,
  .summary = N_ ("Moves chaotically round two points: three equations of convection."),
  WEIR_PARAMETERS (lorenz_parameters),
  .lines = "output x, y, z\nD(x) ~ sigma*(y - x)\nD(y) ~ x*(rho - z) - y\nD(z) ~ x*y - beta*z\n"
           "initial x = x0; initial y = y0; initial z = z0\n",
  EQUATIONS_BLOCK,
};

static const WeirParameterSpec van_der_pol_parameters[] = {
  NUMBER ("mu", "μ", "1", WEIR_ANY),
  INITIAL ("x0", "2"),
  INITIAL ("v0", "0"),
};

static const WeirBlockType van_der_pol_type = {
  .name = "VanDerPol",
  .title = N_ ("Van der Pol Oscillator"),
  .category = CATEGORY_MODELS,
  .summary = N_ ("Swings to a limit cycle; stiff where μ is large."),
  WEIR_PARAMETERS (van_der_pol_parameters),
  .lines = "output x, v\nD(x) ~ v\nD(v) ~ mu*(1 - x^2)*v - x\ninitial x = x0; initial v = v0\n",
  EQUATIONS_BLOCK,
};

static const WeirParameterSpec robertson_parameters[] = {
  NUMBER ("k1", "k₁", "0.04", WEIR_AT_LEAST (0)),
  NUMBER ("k2", "k₂", "3e7", WEIR_AT_LEAST (0)),
  NUMBER ("k3", "k₃", "1e4", WEIR_AT_LEAST (0)),
};

static const WeirBlockType robertson_type = {
  .name = "Robertson",
  .title = N_ ("Robertson's Reactions"),
  .category = CATEGORY_MODELS,
  .summary = N_ (
      "Is a chain of three reactions, slow and very fast: the classic of stiff solvers."),
  WEIR_PARAMETERS (robertson_parameters),
  .lines = "output y1, y2, y3\nD(y1) ~ -k1*y1 + k3*y2*y3\nD(y2) ~ k1*y1 - k3*y2*y3 - k2*y2^2\n"
           "D(y3) ~ k2*y2^2\ninitial y1 = 1; initial y2 = 0; initial y3 = 0\n",
  EQUATIONS_BLOCK,
};

static const WeirParameterSpec predator_prey_parameters[] = {
  NUMBER ("alpha", "α", "0.6666666666666666", WEIR_ANY),
  NUMBER ("beta", "β", "1.3333333333333333", WEIR_ANY),
  NUMBER ("gamma", "γ", "1", WEIR_ANY),
  NUMBER ("delta", "δ", "1", WEIR_ANY),
  INITIAL ("prey0", "1"),
  INITIAL ("predators0", "1"),
};

static const WeirBlockType predator_prey_type = {
  .name = "PredatorPrey",
  .title = N_ ("Predators and Prey"),
  .category = CATEGORY_MODELS,
  .summary = N_ ("Two populations that rise and fall in turn, after Lotka and Volterra."),
  WEIR_PARAMETERS (predator_prey_parameters),
  .lines = "output prey, predators\nD(prey) ~ alpha*prey - beta*prey*predators\n"
           "D(predators) ~ delta*prey*predators - gamma*predators\n"
           "initial prey = prey0; initial predators = predators0\n",
  EQUATIONS_BLOCK,
};

static const WeirParameterSpec dc_motor_parameters[] = {
  NUMBER ("R", N_ ("Resistance"), "1", WEIR_MORE_THAN (0), .unit = "Ohm"),
  NUMBER ("L", N_ ("Inductance"), "0.5", WEIR_MORE_THAN (0), .unit = "H"),
  NUMBER ("K", N_ ("Motor constant"), "0.01", WEIR_ANY, .unit = "N*m/A"),
  NUMBER ("J", N_ ("Inertia"), "0.01", WEIR_MORE_THAN (0), .unit = "kg*m^2"),
  NUMBER ("b", N_ ("Friction"), "0.1", WEIR_AT_LEAST (0), .unit = "N*m*s"),
};

static const WeirBlockType dc_motor_type = {
  .name = "DCMotor",
  .title = N_ ("DC Motor"),
  .category = CATEGORY_MODELS,
  .summary = N_ ("Turns by a voltage: armature, inertia and friction."),
  WEIR_PARAMETERS (dc_motor_parameters),
  .lines = "input voltage\noutput speed, current\nL*D(current) ~ voltage - R*current - K*speed\n"
           "J*D(speed) ~ K*current - b*speed\ninitial speed = 0; initial current = 0\n",
  EQUATIONS_BLOCK,
};

static const WeirParameterSpec room_parameters[] = {
  NUMBER ("tau", N_ ("Time constant"), "600", WEIR_MORE_THAN (0), .unit = "s"),
  NUMBER ("outside", N_ ("Temperature outside"), "10", WEIR_ANY),
  NUMBER ("rise", N_ ("Rise by heating"), "25", WEIR_ANY),
  INITIAL ("T0", "10"),
};

static const WeirBlockType room_type = {
  .name = "Room",
  .title = N_ ("Heated Room"),
  .category = CATEGORY_MODELS,
  .summary = N_ ("Warms up while it is heated (1) and cools down to the temperature outside."),
  WEIR_PARAMETERS (room_parameters),
  .lines = "input heat\noutput T\nD(T) ~ (outside - T + rise*heat)/tau\ninitial T = T0\n",
  EQUATIONS_BLOCK,
};

/* --- Continuous ------------------------------------------------------------------------------ */

static const WeirParameterSpec derivative_parameters[] = {
  NUMBER ("T", N_ ("Time constant"), "0.01", WEIR_MORE_THAN (0), .unit = "s"),
  INITIAL ("u0", "0"),
};

static const WeirBlockType derivative_type = {
  .name = "Derivative",
  .title = N_ ("Derivative"),
  .category = CATEGORY_CONTINUOUS,
  .summary = N_ ("Gives how fast its input changes, smoothed by a time constant."),
  WEIR_PARAMETERS (derivative_parameters),
  .lines = "input u\noutput y\nD(x) ~ (u - x)/T\ny ~ (u - x)/T\ninitial x = u0\n",
  EQUATIONS_BLOCK,
};

static const WeirParameterSpec lead_lag_parameters[] = {
  NUMBER ("gain", N_ ("Gain"), "1", WEIR_ANY),
  NUMBER ("lead", N_ ("Lead time constant"), "1", WEIR_AT_LEAST (0), .unit = "s"),
  NUMBER ("lag", N_ ("Lag time constant"), "0.1", WEIR_MORE_THAN (0), .unit = "s"),
};

static const WeirBlockType lead_lag_type = {
  .name = "LeadLag",
  .title = N_ ("Lead-Lag"),
  .category = CATEGORY_CONTINUOUS,
  .summary = N_ ("Shifts the phase of its input: gain (1 + lead s) / (1 + lag s)."),
  WEIR_PARAMETERS (lead_lag_parameters),
  .lines =
      "input u\noutput y\nD(x) ~ (u - x)/lag\ny ~ gain*(x + lead*(u - x)/lag)\ninitial x = 0\n",
  EQUATIONS_BLOCK,
};

static const WeirParameterSpec double_integrator_parameters[] = {
  INITIAL ("x0", "0"),
  INITIAL ("v0", "0"),
};

static const WeirBlockType double_integrator_type = {
  .name = "DoubleIntegrator",
  .title = N_ ("Double Integrator"),
  .category = CATEGORY_CONTINUOUS,
  .summary = N_ ("Integrates its input twice: acceleration to velocity and position."),
  WEIR_PARAMETERS (double_integrator_parameters),
  .lines = "input u\noutput x, v\nD(x) ~ v\nD(v) ~ u\ninitial x = x0; initial v = v0\n",
  EQUATIONS_BLOCK,
};

static const WeirParameterSpec pid2_parameters[] = {
  NUMBER ("p", "P", "1", WEIR_ANY),
  NUMBER ("i", "I", "1", WEIR_ANY),
  NUMBER ("d", "D", "0", WEIR_ANY),
  NUMBER ("n", N_ ("Filter coefficient"), "100", WEIR_MORE_THAN (0)),
  NUMBER ("b", N_ ("Weight of the setpoint in P"), "1", WEIR_ANY),
  NUMBER ("c", N_ ("Weight of the setpoint in D"), "0", WEIR_ANY),
};

static const WeirBlockType pid2_type = {
  .name = "PID2",
  .title = N_ ("PID with Two Degrees of Freedom"),
  .category = CATEGORY_CONTINUOUS,
  .summary = N_ ("Controls a measured value to a setpoint that counts by weights of its own."),
  WEIR_PARAMETERS (pid2_parameters),
  .lines = "input setpoint, measured\noutput y\nD(integral) ~ i*(setpoint - measured)\n"
           "D(filtered) ~ n*(c*setpoint - measured - filtered)\n"
           "y ~ p*(b*setpoint - measured) + integral + d*n*(c*setpoint - measured - filtered)\n"
           "initial integral = 0; initial filtered = 0\n",
  EQUATIONS_BLOCK,
};

/* --- Mathematics ----------------------------------------------------------------------------- */

static const WeirParameterSpec expression_parameters[] = {
  {
      .name = "inputs",
      .label = N_ ("Inputs"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "1",
      WEIR_FROM_TO (0, 16),
      .help = N_ ("How many inputs there are: u, or u1, u2 and so on."),
  },
  {
      .name = "expression",
      .label = N_ ("Expression"),
      .kind = WEIR_VALUE_TEXT,
      .default_text = "u^2",
      WEIR_FROM_TO (1, 4096),
      .help = N_ ("What is computed, of the inputs and the time t."),
  },
};

static char *
dup_expression_text (const WeirArguments *arguments)
{
  gint64 n = weir_arguments_get_integer (arguments, "inputs");
  GString *text = g_string_new (NULL);

  for (gint64 i = 1; i <= n; i++)
    if (n == 1)
      g_string_append (text, "input u\n");
    else
      g_string_append_printf (text, "input u%" G_GINT64_FORMAT "\n", i);
  g_string_append_printf (text, "output y\ny ~ %s\n",
                          weir_arguments_get_text (arguments, "expression"));
  return g_string_free (text, FALSE);
}

static const WeirBlockType expression_type = {
  .name = "Expression",
  .title = N_ ("Expression"),
  .category = CATEGORY_MATHEMATICS,
  .summary = N_ ("Computes one expression of its inputs."),
  WEIR_PARAMETERS (expression_parameters),
  .dup_lines = dup_expression_text,
  EQUATIONS_BLOCK,
  .list_free_names = weir_equations_list_open_names,
  .visit_values = weir_equations_visit_values,
};

WEIR_FAMILY (ready_made, &lorenz_type, &van_der_pol_type, &robertson_type, &predator_prey_type,
             &dc_motor_type, &room_type, &derivative_type, &lead_lag_type, &double_integrator_type,
             &pid2_type, &expression_type);

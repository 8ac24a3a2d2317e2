/* An integrator that stops at its limits and starts again at a reset.
 *
 * z' = u while free. Where z meets a limit it stands there, a mode, until u points back inside. A
 * rising reset input puts z back to where it began: the parameter, or a signal that is also looked
 * at when a run begins. All of it happens at located events: z never lies outside its limits by
 * more than the tolerance of locating, and is put onto them exactly.
 */
#include "blocks/types/family.h"
#include "base/error.h"

#define CATEGORY N_ ("Continuous")

static const WeirInput U = { 0 }, RESET = { 1 }, START = { 2 };
static const WeirGroup MODE = { 0 }, ASKED = { 1 };

enum { AT_LOWER = -1, FREE = 0, AT_UPPER = 1 };

/* Of the group MODE: where it stands, and the last reset that was carried out. A rise of the reset
 * input turns ASKED round, 1 or -1; that differs from what is done then. */
enum { WHERE, DONE, N_MODE };

typedef struct {
  double lower, upper, initial;
} Limits;

/* The elements of the witness; each falls. */
enum { MEETS_UPPER, MEETS_LOWER, LEAVES_UPPER, LEAVES_LOWER, RESETS, N_WITNESSES };

#define N_LIMITS RESETS

static WeirStatus
limited_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_discrete (c, MODE)[WHERE] == FREE ? weir_calc_input (c, U)[0] : 0;
  return WEIR_OK;
}

static WeirStatus
limited_xcdot_tangent (const WeirCalc *c, const WeirCalc *d, double *xdot)
{
  xdot[0] = weir_calc_discrete (c, MODE)[WHERE] == FREE ? weir_calc_input (d, U)[0] : 0;
  return WEIR_OK;
}

static WeirStatus
limited_crossing (const WeirCalc *c, double *w)
{
  const Limits *limits = weir_calc_data (c);
  double mode = weir_calc_discrete (c, MODE)[WHERE];
  double z = weir_calc_z (c)[0], u = weir_calc_input (c, U)[0];

  w[MEETS_UPPER] = mode == FREE ? limits->upper - z : 1;
  w[MEETS_LOWER] = mode == FREE ? z - limits->lower : 1;
  w[LEAVES_UPPER] = mode == AT_UPPER ? u : 1;
  w[LEAVES_LOWER] = mode == AT_LOWER ? -u : 1;
  w[RESETS] = weir_calc_discrete (c, MODE)[DONE] * weir_calc_discrete (c, ASKED)[0];
  return WEIR_OK;
}

static WeirStatus
limited_rise (const WeirCalc *c, double *w)
{
  w[0] = weir_calc_input (c, RESET)[0];
  return WEIR_OK;
}

static WeirStatus
limited_ask (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = -weir_calc_discrete (c, ASKED)[0];
  return WEIR_OK;
}

/* Where the input says to begin, within the limits. */
static double
get_start (const WeirCalc *c)
{
  const Limits *limits = weir_calc_data (c);
  double start = weir_calc_input (c, START)[0];

  return start > limits->upper ? limits->upper : start < limits->lower ? limits->lower : start;
}

/* An input that says what the parameter says, as where it is not connected, leaves the state as it
 * is: others may have set it. */
static WeirStatus
limited_begin (const WeirCalc *c, G_GNUC_UNUSED gint64 n, WeirNextState *next)
{
  const Limits *limits = weir_calc_data (c);

  if (weir_calc_input (c, START)[0] == limits->initial)
    return WEIR_DID_NOTHING;
  weir_next_state_xc (next)[0] = get_start (c);
  return WEIR_OK;
}

static WeirStatus
limited_change (const WeirCalc *c, G_GNUC_UNUSED gint64 n, WeirNextState *next)
{
  const Limits *limits = weir_calc_data (c);

  if (weir_calc_crossing (c, RESETS) < 0)
    {
      weir_next_state_xc (next)[0] = get_start (c);
      weir_next_state_discrete (next, MODE)[WHERE] = FREE;
      weir_next_state_discrete (next, MODE)[DONE] = weir_calc_discrete (c, ASKED)[0];
    }
  else if (weir_calc_crossing (c, MEETS_UPPER) < 0)
    {
      weir_next_state_xc (next)[0] = limits->upper;
      weir_next_state_discrete (next, MODE)[WHERE] = AT_UPPER;
    }
  else if (weir_calc_crossing (c, MEETS_LOWER) < 0)
    {
      weir_next_state_xc (next)[0] = limits->lower;
      weir_next_state_discrete (next, MODE)[WHERE] = AT_LOWER;
    }
  else
    weir_next_state_discrete (next, MODE)[WHERE] = FREE;
  return WEIR_OK;
}

static const WeirParameterSpec limited_parameters[] = {
  {
      .name = "initial",
      .is_initial = TRUE,
      .label = N_ ("Initial value"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "0",
      WEIR_ANY,
      .help = N_ ("The output at the start and after a reset, unless the third input tells."),
  },
  {
      .name = "lower",
      .label = N_ ("Lower limit"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "-1",
      WEIR_ANY,
      .help = N_ ("The least value of the output."),
  },
  {
      .name = "upper",
      .label = N_ ("Upper limit"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "1",
      WEIR_ANY,
      .help = N_ ("The greatest value of the output."),
  },
};

static void
limited_list_inputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "u", 1);
  weir_list_port (ports, "reset", 1);
  weir_list_port (ports, "start", 1);
}

static WeirSystem *
limited_build (const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes, GError **error)
{
  Limits limits = { .lower = weir_arguments_get_number (arguments, "lower"),
                    .upper = weir_arguments_get_number (arguments, "upper"),
                    .initial = weir_arguments_get_number (arguments, "initial") };
  WeirLeafBuilder *b;
  WeirTicket u, reset, mode, asked;
  WeirCached crossing, rise;
  WeirGroup group;

  if (!(limits.lower < limits.upper))
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "The lower limit %g is not below the upper limit %g.", limits.lower,
                      limits.upper);
      return NULL;
    }
  if (limits.initial < limits.lower || limits.initial > limits.upper)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "The initial value %g is not between the limits %g and %g.", limits.initial,
                      limits.lower, limits.upper);
      return NULL;
    }
  b = weir_leaf_builder_new ("LimitedIntegrator");
  u = weir_input_ticket (b, weir_leaf_add_input (b, "u", 1));
  reset = weir_input_ticket (b, weir_leaf_add_input (b, "reset", 1));
  weir_leaf_set_input_default (b, RESET, (double[]) { -1 });
  weir_leaf_add_input (b, "start", 1);
  weir_leaf_set_input_default (b, START, &limits.initial);
  weir_leaf_set_data (b, &limits, sizeof limits);
  mode = weir_group_ticket (
      b, weir_leaf_add_discrete_state (b, "mode", (double[]) { FREE, 1 }, N_MODE));
  group = weir_leaf_add_discrete_state (b, "asked", (double[]) { 1 }, 1);
  asked = weir_group_ticket (b, group);
  weir_leaf_set_continuous_state (b, 0, 0, 1, &limits.initial);
  weir_leaf_set_derivatives (b, limited_xcdot, WEIR_DEPENDS (u, mode));
  weir_leaf_add_output_window (b, "y", WEIR_Z);
  crossing = weir_leaf_add_cache_entry (b, "crossing", N_WITNESSES, limited_crossing,
                                        WEIR_DEPENDS (WEIR_Z, u, asked, mode));
  rise = weir_leaf_add_cache_entry (b, "rise", 1, limited_rise, WEIR_DEPENDS (reset));
  weir_leaf_add_unrestricted_update (b, weir_on_initialization (), limited_begin);
  weir_leaf_add_unrestricted_update (
      b, weir_at_limits (weir_on_change_of_sign (crossing, WEIR_FALLING), N_LIMITS),
      limited_change);
  weir_leaf_add_update (b, weir_at_edge (weir_on_change_of_sign (rise, WEIR_RISING)), group,
                        limited_ask);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType limited_integrator_type = {
  .name = "LimitedIntegrator",
  .title = N_ ("Limited Integrator"),
  .category = CATEGORY,
  .summary = N_ ("Integrates its input between two limits; a rising second input resets it."),
  WEIR_PARAMETERS (limited_parameters),
  .list_inputs = limited_list_inputs,
  .list_outputs = weir_list_scalar_y,
  .build = limited_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (RESET, "reset"),
                  WEIR_POSITION (START, "start"), WEIR_POSITION (MODE, "mode"),
                  WEIR_POSITION (ASKED, "asked")),
};

WEIR_FAMILY (limited_integrator, &limited_integrator_type);

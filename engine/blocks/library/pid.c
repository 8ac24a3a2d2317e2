/* PID controllers, in continuous time and sampled.
 *
 * Parallel form: y = P e + I ∫ e + D N (e - f), f' = N (e - f), where f is the error behind the
 * filter of the derivative. Ideal form: the same with I and D multiplied by P. With limits the
 * output is held between them, and the integral follows what the limits take away with the tracking
 * time, so that it does not wind up. The sampled form reads its input at the instants offset + n
 * period and holds its output in between; its filter is the exact solution over one period.
 */
#include "blocks/types/family.h"

#include <string.h>

#include "base/error.h"
#include "system/evaluation/calc-native.h"

#define CATEGORY N_ ("Continuous")
#define CATEGORY_DISCRETE N_ ("Discrete")

static const WeirInput E = { 0 };
static const WeirParameter P = { 0 }, I = { 1 }, D = { 2 }, N = { 3 };
static const WeirParameter LOWER = { 4 }, UPPER = { 5 }, TRACKING = { 6 };
/* Of the sampled form. */
static const WeirGroup MEMORY = { 0 }, OUTPUT = { 1 };

enum { INTEGRAL, FILTERED, N_STATES };

static const char *const forms[] = { "parallel", "ideal", NULL };
static const char *const outputs[] = { "unlimited", "limited", NULL };

typedef struct {
  guint32 is_ideal, is_limited;
  double period; /* 0 = continuous */
} Pid;

static double
number (const WeirCalc *c, WeirParameter parameter)
{
  return weir_calc_parameter (c, parameter)[0];
}

/* The output without limits, from the state @x. */
static double
get_demand (const WeirCalc *c, const double *x)
{
  const Pid *pid = weir_calc_data (c);
  double e = weir_calc_input (c, E)[0], p = number (c, P);
  double rate = number (c, D) * number (c, N) * (e - x[FILTERED]);

  return pid->is_ideal ? p * (e + x[INTEGRAL] + rate) : p * e + x[INTEGRAL] + rate;
}

static double
limit (const WeirCalc *c, double demand)
{
  double lower = number (c, LOWER), upper = number (c, UPPER);

  return upper < demand ? upper : demand < lower ? lower : demand;
}

/* How fast the integral changes. */
static double
get_integral_rate (const WeirCalc *c, const double *x)
{
  const Pid *pid = weir_calc_data (c);
  double rate = number (c, I) * weir_calc_input (c, E)[0], demand;

  if (!pid->is_limited)
    return rate;
  demand = get_demand (c, x);
  return rate + (limit (c, demand) - demand) / number (c, TRACKING);
}

static WeirStatus
pid_xcdot (const WeirCalc *c, double *xdot)
{
  const double *x = weir_calc_z (c);

  xdot[INTEGRAL] = get_integral_rate (c, x);
  xdot[FILTERED] = number (c, N) * (weir_calc_input (c, E)[0] - x[FILTERED]);
  return WEIR_OK;
}

static WeirStatus
pid_y (const WeirCalc *c, double *y)
{
  const Pid *pid = weir_calc_data (c);
  double demand = get_demand (c, weir_calc_z (c));

  y[0] = pid->is_limited ? limit (c, demand) : demand;
  return WEIR_OK;
}

static double
get_demand_tangent (const WeirCalc *c, const WeirCalc *d)
{
  const Pid *pid = weir_calc_data (c);
  const double *x = weir_calc_z (c), *dx = weir_calc_z (d);
  double e = weir_calc_input (c, E)[0], de = weir_calc_input (d, E)[0];
  double p = number (c, P), dp = number (d, P), factor = number (c, D) * number (c, N);
  double rate = factor * (e - x[FILTERED]);
  double drate = (number (d, D) * number (c, N) + number (c, D) * number (d, N)) * (e - x[FILTERED])
                 + factor * (de - dx[FILTERED]);

  return pid->is_ideal ? dp * (e + x[INTEGRAL] + rate) + p * (de + dx[INTEGRAL] + drate)
                       : dp * e + p * de + dx[INTEGRAL] + drate;
}

/* @demand moves by @ddemand. */
static double
limit_tangent (const WeirCalc *c, const WeirCalc *d, double demand, double ddemand)
{
  return number (c, UPPER) < demand   ? number (d, UPPER)
         : demand < number (c, LOWER) ? number (d, LOWER)
                                      : ddemand;
}

static WeirStatus
pid_xcdot_tangent (const WeirCalc *c, const WeirCalc *d, double *xdot)
{
  const Pid *pid = weir_calc_data (c);
  double e = weir_calc_input (c, E)[0], de = weir_calc_input (d, E)[0];

  xdot[INTEGRAL] = number (d, I) * e + number (c, I) * de;
  if (pid->is_limited)
    {
      double demand = get_demand (c, weir_calc_z (c)), ddemand = get_demand_tangent (c, d);
      double tracking = number (c, TRACKING);

      xdot[INTEGRAL] += (limit_tangent (c, d, demand, ddemand) - ddemand
                         - (limit (c, demand) - demand) / tracking * number (d, TRACKING))
                        / tracking;
    }
  xdot[FILTERED] = number (d, N) * (e - weir_calc_z (c)[FILTERED])
                   + number (c, N) * (de - weir_calc_z (d)[FILTERED]);
  return WEIR_OK;
}

static WeirStatus
pid_y_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  const Pid *pid = weir_calc_data (c);
  double ddemand = get_demand_tangent (c, d);

  y[0] = pid->is_limited ? limit_tangent (c, d, get_demand (c, weir_calc_z (c)), ddemand) : ddemand;
  return WEIR_OK;
}

/* --- As code --------------------------------------------------------------------------------- */

static WeirNativeValue
operate (WeirListing *l, WeirNativeBinary op, WeirNativeValue a, WeirNativeValue b)
{
  return weir_native_binary (weir_listing_get_builder (l), op, a, b);
}

static WeirNativeValue
list_number (WeirListing *l, WeirParameter parameter)
{
  return weir_listing_load_parameter (l, parameter, 0);
}

/* e - f */
static WeirNativeValue
list_difference (WeirListing *l)
{
  return operate (l, WEIR_NATIVE_SUB, weir_listing_load_input (l, E, 0),
                  weir_listing_load_z (l, FILTERED));
}

/* As get_demand(). */
static WeirNativeValue
list_demand (WeirListing *l)
{
  const Pid *pid = weir_listing_get_data (l);
  WeirNativeValue e = weir_listing_load_input (l, E, 0), p = list_number (l, P);
  WeirNativeValue integral = weir_listing_load_z (l, INTEGRAL);
  WeirNativeValue factor = operate (l, WEIR_NATIVE_MUL, list_number (l, D), list_number (l, N));
  WeirNativeValue rate = operate (l, WEIR_NATIVE_MUL, factor, list_difference (l));
  WeirNativeValue first = pid->is_ideal ? e : operate (l, WEIR_NATIVE_MUL, p, e);
  WeirNativeValue sum = operate (l, WEIR_NATIVE_ADD, operate (l, WEIR_NATIVE_ADD, first, integral),
                                 rate);

  return pid->is_ideal ? operate (l, WEIR_NATIVE_MUL, p, sum) : sum;
}

/* As limit(). */
static WeirNativeValue
list_limit (WeirListing *l, WeirNativeValue demand)
{
  WeirNativeBuilder *b = weir_listing_get_builder (l);
  WeirNativeValue lower = list_number (l, LOWER), upper = list_number (l, UPPER);
  WeirNativeValue raised = weir_native_select (b, operate (l, WEIR_NATIVE_LT, demand, lower), lower,
                                               demand);

  return weir_native_select (b, operate (l, WEIR_NATIVE_LT, upper, demand), upper, raised);
}

/* As get_integral_rate(). */
static WeirNativeValue
list_integral_rate (WeirListing *l)
{
  const Pid *pid = weir_listing_get_data (l);
  WeirNativeValue rate = operate (l, WEIR_NATIVE_MUL, list_number (l, I),
                                  weir_listing_load_input (l, E, 0));
  WeirNativeValue demand, taken;

  if (!pid->is_limited)
    return rate;
  demand = list_demand (l);
  taken = operate (l, WEIR_NATIVE_SUB, list_limit (l, demand), demand);
  return operate (l, WEIR_NATIVE_ADD, rate,
                  operate (l, WEIR_NATIVE_DIV, taken, list_number (l, TRACKING)));
}

static void
list_y (WeirListing *l)
{
  const Pid *pid = weir_listing_get_data (l);
  WeirNativeValue demand = list_demand (l);
  WeirNativeValue y = pid->is_limited ? list_limit (l, demand) : demand;

  weir_listing_insist_on_finite (l, demand);
  weir_listing_store_finite (l, 0, y);
}

static void
list_xcdot (WeirListing *l)
{
  weir_listing_store (l, INTEGRAL, list_integral_rate (l));
  weir_listing_store (l, FILTERED,
                      operate (l, WEIR_NATIVE_MUL, list_number (l, N), list_difference (l)));
}

static gboolean
list_pid (WeirListing *l)
{
  WeirCalcFunc calc = weir_listing_get_calc (l);

  if (calc == pid_y)
    list_y (l);
  else if (calc == pid_xcdot)
    list_xcdot (l);
  return calc == pid_y || calc == pid_xcdot;
}

/* --- Limits ---------------------------------------------------------------------------------- */

/* Zero where the demand meets a limit. */
static WeirStatus
pid_kinks (const WeirCalc *c, double *w)
{
  double demand = get_demand (c, weir_calc_z (c));

  w[0] = demand - number (c, LOWER);
  w[1] = demand - number (c, UPPER);
  return WEIR_OK;
}

static WeirStatus
pid_sample_memory (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const double *x = weir_calc_discrete (c, MEMORY);
  double period = ((const Pid *) weir_calc_data (c))->period;
  double e = weir_calc_input (c, E)[0];

  next[INTEGRAL] = x[INTEGRAL] + period * get_integral_rate (c, x);
  next[FILTERED] = e + (x[FILTERED] - e) * exp (-number (c, N) * period);
  return WEIR_OK;
}

static WeirStatus
pid_sample_output (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const Pid *pid = weir_calc_data (c);
  double demand = get_demand (c, weir_calc_discrete (c, MEMORY));

  next[0] = pid->is_limited ? limit (c, demand) : demand;
  return WEIR_OK;
}

#define PID_PARAMETERS                                                                             \
  WEIR_TUNABLE_NUMBER ("p", N_ ("Proportional"), "1", N_ ("Factor of the error."), WEIR_ANY),      \
      WEIR_TUNABLE_NUMBER ("i", N_ ("Integral"), "1", N_ ("Factor of the integral of the error."), \
                           WEIR_ANY, .unit = "1/s"),                                               \
      WEIR_TUNABLE_NUMBER ("d", N_ ("Derivative"), "0",                                            \
                           N_ ("Factor of the filtered derivative of the error."), WEIR_ANY,       \
                           .unit = "s"),                                                           \
      WEIR_TUNABLE_NUMBER ("n", N_ ("Filter"), "100",                                              \
                           N_ ("The derivative is right up to this angular frequency."),           \
                           WEIR_MORE_THAN (0), .unit = "rad/s"),                                   \
      {                                                                                            \
        .name = "form",                                                                            \
        .label = N_ ("Form"),                                                                      \
        .kind = WEIR_VALUE_CHOICE,                                                                 \
        .default_text = "parallel",                                                                \
        .choices = forms,                                                                          \
        .help = N_ (                                                                               \
            "In the ideal form the proportional factor multiplies the other two as well."),        \
      },                                                                                           \
      {                                                                                            \
        .name = "output",                                                                          \
        .label = N_ ("Output"),                                                                    \
        .kind = WEIR_VALUE_CHOICE,                                                                 \
        .default_text = "unlimited",                                                               \
        .choices = outputs,                                                                        \
        .help = N_ ("Whether the output is held between limits; the integral does not wind up."),  \
      },                                                                                           \
      WEIR_TUNABLE_NUMBER ("lower", N_ ("Lower limit"), "-1",                                      \
                           N_ ("The least value of the output."), WEIR_ANY),                       \
      WEIR_TUNABLE_NUMBER ("upper", N_ ("Upper limit"), "1",                                       \
                           N_ ("The greatest value of the output."), WEIR_ANY),                    \
      WEIR_TUNABLE_NUMBER ("tracking", N_ ("Tracking time"), "1",                                  \
                           N_ ("How fast the integral follows a limit that holds the output."),    \
                           WEIR_MORE_THAN (0), .unit = "s"),                                       \
  {                                                                                                \
    .name = "initial", .is_initial = TRUE, .label = N_ ("Initial integral"),                       \
    .kind = WEIR_VALUE_NUMBER, .default_text = "0", WEIR_ANY,                                      \
    .help = N_ ("The integral part at the start."),                                                \
  }

static const WeirParameterSpec pid_parameters[] = { PID_PARAMETERS };
static const WeirParameterSpec discrete_pid_parameters[] = { PID_PARAMETERS, WEIR_PERIOD ("0.1"),
                                                             WEIR_OFFSET };

/* The input, all tunable parameters and the data; NULL and @error if the limits are the wrong way
 * round. */
static WeirLeafBuilder *
begin (const WeirArguments *arguments, const guint *sizes, Pid *pid, GError **error)
{
  static const char *const tunables[] = { "p", "i", "d", "n", "lower", "upper", "tracking" };
  double lower = weir_arguments_get_number (arguments, "lower");
  double upper = weir_arguments_get_number (arguments, "upper");
  WeirLeafBuilder *b;

  if (!weir_check_size ("Input u", sizes[0], 1, error))
    return NULL;
  pid->is_ideal = strcmp (weir_arguments_get_text (arguments, "form"), "ideal") == 0;
  pid->is_limited = strcmp (weir_arguments_get_text (arguments, "output"), "limited") == 0;
  if (pid->is_limited && lower > upper)
    {
      weir_error_set (error, WEIR_ERROR_INVALID, "The lower limit %g is above the upper limit %g.",
                      lower, upper);
      return NULL;
    }
  b = weir_leaf_builder_new (weir_arguments_get_type (arguments)->name);
  weir_leaf_add_input (b, "u", 1);
  for (guint i = 0; i < G_N_ELEMENTS (tunables); i++)
    weir_leaf_add_tunable (b, arguments, tunables[i]);
  weir_leaf_set_data (b, pid, sizeof *pid);
  return b;
}

static WeirSystem *
pid_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  const double initial[N_STATES] = { [INTEGRAL] = weir_arguments_get_number (arguments,
                                                                             "initial") };
  Pid pid = { 0 };
  WeirLeafBuilder *b = begin (arguments, sizes, &pid, error);
  WeirTicket e, p, i, d, n, lower, upper, tracking;

  if (b == NULL)
    return NULL;
  e = weir_input_ticket (b, E);
  p = weir_parameter_ticket (b, P);
  i = weir_parameter_ticket (b, I);
  d = weir_parameter_ticket (b, D);
  n = weir_parameter_ticket (b, N);
  lower = weir_parameter_ticket (b, LOWER);
  upper = weir_parameter_ticket (b, UPPER);
  tracking = weir_parameter_ticket (b, TRACKING);
  weir_leaf_set_continuous_state (b, 0, 0, N_STATES, initial);
  weir_leaf_set_list (b, list_pid);
  if (pid.is_limited)
    {
      const WeirTicket *limited = WEIR_DEPENDS (e, WEIR_Z, p, d, n, lower, upper);
      WeirCached kinks;

      weir_leaf_set_derivatives (b, pid_xcdot,
                                 WEIR_DEPENDS (e, WEIR_Z, p, i, d, n, lower, upper, tracking));
      weir_leaf_add_output (b, "y", 1, pid_y, limited);
      kinks = weir_leaf_add_cache_entry (b, "kinks", 2, pid_kinks, limited);
      weir_leaf_add_break (b, weir_on_crossing (kinks, WEIR_CROSSES));
    }
  else
    {
      weir_leaf_set_derivatives (b, pid_xcdot, WEIR_DEPENDS (e, WEIR_Z, i, n));
      weir_leaf_add_output (b, "y", 1, pid_y, WEIR_DEPENDS (e, WEIR_Z, p, d, n));
    }
  return weir_leaf_builder_build (b);
}

static const WeirBlockType pid_type = {
  .name = "PID",
  .title = N_ ("PID Controller"),
  .category = CATEGORY,
  .summary = N_ ("Controls by the error, its integral and its derivative."),
  WEIR_PARAMETERS (pid_parameters),
  .list_inputs = weir_list_scalar_u,
  .list_outputs = weir_list_scalar_y,
  .build = pid_build,
  WEIR_POSITIONS (WEIR_POSITION (E, "u"), WEIR_POSITION (P, "p"), WEIR_POSITION (I, "i"),
                  WEIR_POSITION (D, "d"), WEIR_POSITION (N, "n"), WEIR_POSITION (LOWER, "lower"),
                  WEIR_POSITION (UPPER, "upper"), WEIR_POSITION (TRACKING, "tracking")),
};

static WeirSystem *
discrete_pid_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  const double initial[N_STATES] = { [INTEGRAL] = weir_arguments_get_number (arguments,
                                                                             "initial") };
  double offset = weir_arguments_get_number (arguments, "offset");
  Pid pid = { .period = weir_arguments_get_number (arguments, "period") };
  WeirLeafBuilder *b = begin (arguments, sizes, &pid, error);
  WeirGroup output;

  if (b == NULL)
    return NULL;
  weir_leaf_add_discrete_state (b, "memory", initial, N_STATES);
  output = weir_leaf_add_discrete_state (b, "output", (double[]) { 0 }, 1);
  weir_leaf_add_output_window (b, "y", weir_group_ticket (b, output));
  weir_leaf_add_periodic_update (b, MEMORY, pid.period, offset, pid_sample_memory);
  weir_leaf_add_periodic_update (b, OUTPUT, pid.period, offset, pid_sample_output);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType discrete_pid_type = {
  .name = "DiscretePID",
  .title = N_ ("Discrete PID Controller"),
  .category = CATEGORY_DISCRETE,
  .summary = N_ ("Samples its input and controls by it, its sum and its difference."),
  WEIR_PARAMETERS (discrete_pid_parameters),
  .list_inputs = weir_list_scalar_u,
  .list_outputs = weir_list_scalar_y,
  .build = discrete_pid_build,
  WEIR_POSITIONS (WEIR_POSITION (E, "u"), WEIR_POSITION (P, "p"), WEIR_POSITION (I, "i"),
                  WEIR_POSITION (D, "d"), WEIR_POSITION (N, "n"), WEIR_POSITION (LOWER, "lower"),
                  WEIR_POSITION (UPPER, "upper"), WEIR_POSITION (TRACKING, "tracking"),
                  WEIR_POSITION (MEMORY, "memory"), WEIR_POSITION (OUTPUT, "output")),
};

WEIR_FAMILY (pid, &pid_type, &discrete_pid_type);

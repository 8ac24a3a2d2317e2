/* Discrete: blocks whose state changes at the instants offset + n period only.
 *
 * An update at an instant reads everything as it is before the instant; the new state holds until
 * the next one. Outputs are windows on the state or functions of it, so that they stay valid in
 * between whatever the inputs do.
 */
#include "blocks/types/family.h"

#include <string.h>

#define CATEGORY N_ ("Discrete")

static const WeirGroup X = { 0 };

/* --- Counter: x_{n+1} = x_n + increment, y_n = gain x_n -------------------------------------- */

static const WeirParameter INCREMENT = { 0 };

WEIR_KERNEL_2 (scale, k, x, k *x)

typedef struct {
  double initial;
  gint64 length; /* updates from one initial value to the next; 0 = no next */
} Counting;

static WeirStatus
counter_update (const WeirCalc *c, gint64 n, double *next)
{
  const Counting *counting = weir_calc_data (c);

  if (counting->length > 0 && (n + 1) % counting->length == 0)
    next[0] = counting->initial;
  else
    next[0] = weir_calc_discrete (c, X)[0] + weir_calc_parameter (c, INCREMENT)[0];
  return WEIR_OK;
}

static const WeirParameterSpec counter_parameters[] = {
  {
      .name = "initial",
      .is_initial = TRUE,
      .label = N_ ("Initial count"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "0",
      WEIR_ANY,
      .help = N_ ("The count before the first update."),
  },
  {
      .name = "increment",
      .label = N_ ("Increment"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "1",
      WEIR_ANY,
      .help = N_ ("What each update adds to the count."),
      .tunable = "increment",
  },
  {
      .name = "gain",
      .label = N_ ("Gain"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "10",
      WEIR_ANY,
      .help = N_ ("The output is the count times this."),
      .tunable = "gain",
  },
  {
      .name = "length",
      .label = N_ ("Length"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "0",
      WEIR_FROM_TO (0, 1e15),
      .help = N_ ("After so many updates the count begins anew; 0: never."),
  },
  WEIR_PERIOD ("0.02"),
  WEIR_OFFSET,
};

static WeirSystem *
counter_build (const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes,
               G_GNUC_UNUSED GError **error)
{
  const Counting counting = { weir_arguments_get_number (arguments, "initial"),
                              weir_arguments_get_integer (arguments, "length") };
  WeirLeafBuilder *b = weir_leaf_builder_new ("Counter");
  WeirParameter gain;
  WeirGroup x;

  weir_leaf_add_tunable (b, arguments, "increment");
  gain = weir_leaf_add_tunable (b, arguments, "gain");
  x = weir_leaf_add_discrete_state (b, "x", &counting.initial, 1);
  weir_leaf_set_data (b, &counting, sizeof counting);
  weir_leaf_add_output_kernel (
      b, "y", 1, scale, 0,
      WEIR_DEPENDS (weir_parameter_ticket (b, gain), weir_group_ticket (b, x)));
  weir_leaf_add_update (b, weir_every_period (arguments), X, counter_update);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType counter_type = {
  .name = "Counter",
  .title = N_ ("Counter"),
  .category = CATEGORY,
  .summary = N_ ("Counts its updates and scales the count."),
  WEIR_PARAMETERS (counter_parameters),
  .list_outputs = weir_list_scalar_y,
  .build = counter_build,
  WEIR_POSITIONS (WEIR_POSITION (X, "x"), WEIR_POSITION (INCREMENT, "increment")),
};

/* --- Samplers: x_{n+1} = u_n, y_n = x_n ------------------------------------------------------ */

static const WeirInput U = { 0 };

static WeirStatus
sampler_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  memcpy (next, weir_calc_input (c, U), weir_calc_input_size (c, U) * sizeof *next);
  return WEIR_OK;
}

static const WeirParameterSpec unit_delay_parameters[] = {
  WEIR_INITIAL (N_ ("The output before the first update: a number, or one for each element.")),
  WEIR_PERIOD ("0.1"),
  WEIR_OFFSET,
};

/* Of a signal that changes at the same instants this is the delay by one period. */
static const WeirBlockType unit_delay_type = {
  .name = "UnitDelay",
  .title = N_ ("Unit Delay"),
  .category = CATEGORY,
  .summary = N_ ("Delays a discrete signal by one period."),
  .is_sequence = TRUE,
  WEIR_PARAMETERS (unit_delay_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = weir_size_with_initial,
  WEIR_LEAF (.group = { "x", .update = sampler_update, .initial = WEIR_READS ("initial") },
             .y = { "y", .reads = WEIR_READS ("x") }),
  .units = WEIR_UNITS_SAME,
  WEIR_POSITIONS (WEIR_POSITION (U, "u")),
};

static const WeirParameterSpec hold_parameters[] = {
  WEIR_INITIAL (N_ ("The output before the first sample: a number, or one for each element.")),
  WEIR_PERIOD ("0.1"),
  WEIR_OFFSET,
};

/* Of a continuous signal this is the staircase of its samples. */
static const WeirBlockType zero_order_hold_type = {
  .name = "ZeroOrderHold",
  .title = N_ ("Zero-Order Hold"),
  .category = CATEGORY,
  .summary = N_ ("Samples its input periodically and holds the sample."),
  WEIR_PARAMETERS (hold_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = weir_size_with_initial,
  WEIR_LEAF (.group = { "x", .update = sampler_update, .initial = WEIR_READS ("initial") },
             .y = { "y", .reads = WEIR_READS ("x") }),
  .units = WEIR_UNITS_SAME,
  WEIR_POSITIONS (WEIR_POSITION (U, "u")),
};

/* --- Discrete integrator: x_{n+1} = x_n + gain T u_n, y_n = x_n + share gain T u_n ----------- */

/* The share of the present input that counts at once: none, all or half. */
static const char *const methods[] = { "forward", "backward", "trapezoidal", NULL };
static const double shares[] = { 0, 1, 0.5 };

typedef struct {
  double period, share;
  guint size;
} Summation;

static const WeirParameter FACTOR = { 0 }; /* of the input */

static WeirStatus
summation_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const Summation *summation = weir_calc_data (c);
  const double *x = weir_calc_discrete (c, X), *u = weir_calc_input (c, U);
  double factor = weir_calc_parameter (c, FACTOR)[0] * summation->period;

  for (guint i = 0; i < summation->size; i++)
    next[i] = x[i] + factor * u[i];
  return WEIR_OK;
}

static WeirStatus
summation_y (const WeirCalc *c, double *y)
{
  const Summation *summation = weir_calc_data (c);
  const double *x = weir_calc_discrete (c, X), *u = weir_calc_input (c, U);
  double factor = weir_calc_parameter (c, FACTOR)[0] * summation->period;

  for (guint i = 0; i < summation->size; i++)
    y[i] = x[i] + summation->share * factor * u[i];
  return WEIR_OK;
}

static WeirStatus
summation_y_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  const Summation *summation = weir_calc_data (c);
  const double *u = weir_calc_input (c, U), *du = weir_calc_input (d, U);
  double share = summation->share * summation->period;

  for (guint i = 0; i < summation->size; i++)
    y[i] = share
           * (weir_calc_parameter (d, FACTOR)[0] * u[i]
              + weir_calc_parameter (c, FACTOR)[0] * du[i]);
  return WEIR_OK;
}

static const WeirParameterSpec summation_parameters[] = {
  {
      .name = "method",
      .label = N_ ("Method"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = "forward",
      .choices = methods,
      .help = N_ ("How much of the present input counts at once: nothing, all of it, or half."),
  },
  WEIR_TUNABLE_NUMBER ("gain", N_ ("Gain"), "1", N_ ("Factor of the input."), WEIR_ANY),
  WEIR_INITIAL (N_ ("The output before the first update: a number, or one for each element.")),
  WEIR_PERIOD ("0.1"),
  WEIR_OFFSET,
};

static WeirSystem *
summation_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  g_autofree double *initial = weir_arguments_dup_vector_of_size (arguments, "initial", sizes[0],
                                                                  error);
  Summation summation = { .period = weir_arguments_get_number (arguments, "period"),
                          .size = sizes[0] };
  WeirTicket u, gain, x;
  WeirLeafBuilder *b;

  if (initial == NULL)
    return NULL;
  summation.share = shares[weir_arguments_get_choice (arguments, "method")];
  b = weir_leaf_builder_new ("DiscreteIntegrator");
  u = weir_input_ticket (b, weir_leaf_add_input (b, "u", sizes[0]));
  gain = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "gain"));
  x = weir_group_ticket (b, weir_leaf_add_discrete_state (b, "x", initial, sizes[0]));
  weir_leaf_set_data (b, &summation, sizeof summation);
  if (summation.share == 0)
    weir_leaf_add_output_window (b, "y", x);
  else
    weir_leaf_add_output (b, "y", sizes[0], summation_y, WEIR_DEPENDS (x, u, gain));
  weir_leaf_add_update (b, weir_every_period (arguments), X, summation_update);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType discrete_integrator_type = {
  .name = "DiscreteIntegrator",
  .title = N_ ("Discrete Integrator"),
  .category = CATEGORY,
  .summary = N_ ("Sums up a discrete signal times the period."),
  .is_sequence = TRUE,
  WEIR_PARAMETERS (summation_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = weir_size_with_initial,
  .build = summation_build,
  .units = WEIR_UNITS_INTEGRAL,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (X, "x"), WEIR_POSITION (FACTOR, "gain")),
};

/* --- What to mind with them ------------------------------------------------------------------ */

const char *
weir_block_type_get_advice (const WeirBlockType *type)
{
  static const char *const advice = N_ (
      "Where the input changes between ticks, put a Zero-Order Hold of the same period "
      "before it: what comes out is then held, and as late as its formula says.");

  return type->is_sequence ? advice : NULL;
}

WEIR_FAMILY (discrete, &counter_type, &unit_delay_type, &zero_order_hold_type,
             &discrete_integrator_type);

/* Holds and converters: what stands between continuous signals and sampled ones. First-order hold,
 * memory of the last step, conversion to whole numbers and back.
 */
#include "blocks/types/family.h"

#include <string.h>

#include "base/error.h"

#define CATEGORY N_ ("Discrete")

static const WeirInput U = { 0 };
static const WeirGroup X = { 0 };

/* --- First-order hold: a straight line through the last two samples -------------------------- */

/* The state: whether there is a sample yet, when the last one was, the samples, their slopes. */
enum { HAS_SAMPLE, INSTANT, SAMPLES };

static WeirStatus
first_order_y (const WeirCalc *c, double *y)
{
  guint size = weir_calc_input_size (c, U);
  const double *x = weir_calc_discrete (c, X);
  double elapsed = weir_calc_time (c) - x[INSTANT];

  for (guint i = 0; i < size; i++)
    y[i] = x[SAMPLES + i] + x[SAMPLES + size + i] * elapsed;
  return WEIR_OK;
}

static WeirStatus
first_order_y_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  guint size = weir_calc_input_size (c, U);

  for (guint i = 0; i < size; i++)
    y[i] = weir_calc_discrete (c, X)[SAMPLES + size + i] * weir_calc_time (d);
  return WEIR_OK;
}

/* The data is the period. */
static WeirStatus
first_order_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  guint size = weir_calc_input_size (c, U);
  const double *u = weir_calc_input (c, U);
  double period = *(const double *) weir_calc_data (c);

  for (guint i = 0; i < size; i++)
    {
      next[SAMPLES + size + i] = next[HAS_SAMPLE] != 0 ? (u[i] - next[SAMPLES + i]) / period : 0;
      next[SAMPLES + i] = u[i];
    }
  next[HAS_SAMPLE] = 1;
  next[INSTANT] = weir_calc_time (c);
  return WEIR_OK;
}

static const WeirParameterSpec first_order_parameters[] = {
  WEIR_INITIAL (N_ ("The output before the first sample: a number, or one for each element.")),
  WEIR_PERIOD ("0.1"),
  WEIR_OFFSET,
};

static WeirSystem *
first_order_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  double period = weir_arguments_get_number (arguments, "period");
  g_autofree double *initial = weir_arguments_dup_vector_of_size (arguments, "initial", sizes[0],
                                                                  error);
  guint n = SAMPLES + 2 * sizes[0];
  g_autofree double *state = g_new0 (double, n);
  WeirLeafBuilder *b;
  WeirTicket x;

  if (initial == NULL)
    return NULL;
  memcpy (state + SAMPLES, initial, sizes[0] * sizeof *initial);
  b = weir_leaf_builder_new ("FirstOrderHold");
  weir_leaf_add_input (b, "u", sizes[0]);
  weir_leaf_set_data (b, &period, sizeof period);
  x = weir_group_ticket (b, weir_leaf_add_discrete_state (b, "x", state, n));
  weir_leaf_add_output (b, "y", sizes[0], first_order_y, WEIR_DEPENDS (WEIR_TIME, x));
  weir_leaf_add_update (b, weir_every_period (arguments), X, first_order_update);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType first_order_hold_type = {
  .name = "FirstOrderHold",
  .title = N_ ("First-Order Hold"),
  .category = CATEGORY,
  .summary = N_ ("Samples its input and goes on in a straight line through the last two samples."),
  WEIR_PARAMETERS (first_order_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = weir_size_with_initial,
  .build = first_order_build,
  .units = WEIR_UNITS_SAME,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (X, "x")),
};

/* --- Memory: the input as it was when the solver's step began ----------------------------------
 *
 * What reads it in its derivatives jumps at every step, which suits methods of one step; others
 * begin anew each time. */

static WeirStatus
memory_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const double *u = weir_calc_input (c, U), *x = weir_calc_discrete (c, X);
  gsize bytes = weir_calc_input_size (c, U) * sizeof *next;

  if (memcmp (u, x, bytes) == 0)
    return WEIR_DID_NOTHING;
  memcpy (next, u, bytes);
  return WEIR_OK;
}

static const WeirParameterSpec memory_parameters[] = {
  WEIR_INITIAL (N_ ("The output before the first step: a number, or one for each element.")),
};

static const WeirBlockType memory_type = {
  .name = "Memory",
  .title = N_ ("Memory"),
  .category = CATEGORY,
  .summary = N_ ("Gives its input as it was when the step of the solver began."),
  WEIR_PARAMETERS (memory_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = weir_size_with_initial,
  WEIR_LEAF (.group = { "x", .update = memory_update, .is_on_each_step = TRUE,
                        .initial = WEIR_READS ("initial") },
             .y = { "y", .reads = WEIR_READS ("x") }),
  .units = WEIR_UNITS_SAME,
  WEIR_POSITIONS (WEIR_POSITION (U, "u")),
};

/* --- Converters: 2^bits codes between two limits --------------------------------------------- */

static const WeirParameter LOWER = { 0 }, UPPER = { 1 };

/* The data is the number of codes. Code k stands for what is from k steps above the lower limit to
 * below k + 1 steps; beyond the limits the converter is at its first or last code. */
static WeirStatus
adc_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  double n_codes = *(const double *) weir_calc_data (c), lower = weir_calc_parameter (c, LOWER)[0];
  double span = weir_calc_parameter (c, UPPER)[0] - lower;
  const double *u = weir_calc_input (c, U);

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    {
      double code = floor ((u[i] - lower) / span * n_codes);

      next[i] = code < 0 ? 0 : code > n_codes - 1 ? n_codes - 1 : code;
    }
  return WEIR_OK;
}

static WeirStatus
dac_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  double n_codes = *(const double *) weir_calc_data (c), lower = weir_calc_parameter (c, LOWER)[0];
  double span = weir_calc_parameter (c, UPPER)[0] - lower;
  const double *u = weir_calc_input (c, U);

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    {
      double code = floor (u[i] + 0.5);

      code = code < 0 ? 0 : code > n_codes - 1 ? n_codes - 1 : code;
      next[i] = lower + span * (code / n_codes);
    }
  return WEIR_OK;
}

#define CONVERTER_PARAMETERS                                                                       \
  {                                                                                                \
    .name = "bits",                                                                                \
    .label = N_ ("Bits"),                                                                          \
    .kind = WEIR_VALUE_INTEGER,                                                                    \
    .default_text = "8",                                                                           \
    WEIR_FROM_TO (1, 32),                                                                          \
    .help = N_ ("With so many bits there are 2 to the power of that many codes."),                 \
  },                                                                                               \
      WEIR_TUNABLE_NUMBER ("lower", N_ ("Lower limit"), "-1",                                      \
                           N_ ("What the first code stands for."), WEIR_ANY),                      \
      WEIR_TUNABLE_NUMBER ("upper", N_ ("Upper limit"), "1",                                       \
                           N_ ("What would come one code after the last."), WEIR_ANY),             \
      WEIR_PERIOD ("0.1"), WEIR_OFFSET

static const WeirParameterSpec converter_parameters[] = { CONVERTER_PARAMETERS };

/* Both hold what they made of their last sample; @initial: until the first. */
static WeirSystem *
build_converter (const WeirArguments *arguments, guint size, double first, WeirUpdateFunc update,
                 GError **error)
{
  double lower = weir_arguments_get_number (arguments, "lower");
  double upper = weir_arguments_get_number (arguments, "upper");
  double n_codes = ldexp (1, (int) weir_arguments_get_integer (arguments, "bits"));
  g_autofree double *initial = g_new (double, size);
  WeirLeafBuilder *b;
  WeirGroup x;

  if (!(lower < upper))
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "The lower limit %g is not below the upper limit %g.", lower, upper);
      return NULL;
    }
  for (guint i = 0; i < size; i++)
    initial[i] = first;
  b = weir_leaf_builder_new (weir_arguments_get_type (arguments)->name);
  weir_leaf_add_input (b, "u", size);
  weir_leaf_add_tunable (b, arguments, "lower");
  weir_leaf_add_tunable (b, arguments, "upper");
  weir_leaf_set_data (b, &n_codes, sizeof n_codes);
  x = weir_leaf_add_discrete_state (b, "x", initial, size);
  weir_leaf_add_output_window (b, "y", weir_group_ticket (b, x));
  weir_leaf_add_update (b, weir_every_period (arguments), x, update);
  return weir_leaf_builder_build (b);
}

static WeirSystem *
adc_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  return build_converter (arguments, sizes[0], 0, adc_update, error);
}

static WeirSystem *
dac_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  return build_converter (arguments, sizes[0], weir_arguments_get_number (arguments, "lower"),
                          dac_update, error);
}

static const WeirBlockType adc_type = {
  .name = "ADC",
  .title = N_ ("AD Converter"),
  .category = CATEGORY,
  .summary = N_ ("Samples its input and gives the number of the level that it is in, from 0."),
  WEIR_PARAMETERS (converter_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = adc_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (LOWER, "lower"),
                  WEIR_POSITION (UPPER, "upper")),
};

static const WeirBlockType dac_type = {
  .name = "DAC",
  .title = N_ ("DA Converter"),
  .category = CATEGORY,
  .summary = N_ ("Samples numbers of levels and gives what they stand for."),
  WEIR_PARAMETERS (converter_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = dac_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (LOWER, "lower"),
                  WEIR_POSITION (UPPER, "upper")),
};

WEIR_FAMILY (holds, &first_order_hold_type, &memory_type, &adc_type, &dac_type);

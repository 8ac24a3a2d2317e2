/* The cache lab: blocks with known faults and costs, to learn on and to try the tools on.
 *
 * Three break a rule that every other block keeps: one reads what it does not declare, one declares
 * what it does not read, one keeps a memory. The others are honest: one takes long, one fans out,
 * one only counts. All are marked diagnostic, so that nobody takes their model for a sound one.
 */
#include "blocks/types/family.h"

#define CATEGORY N_ ("Cache lab")

static const WeirInput U = { 0 }, IN1 = { 0 }, IN2 = { 1 };

/* --- Forgetful Sum: y = in1 + in2, with in2 not declared ------------------------------------- */

static void
forgetful_list_inputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "in1", 1);
  weir_list_port (ports, "in2", 1);
}

static WeirStatus
forgetful_y (const WeirCalc *c, double *y)
{
  *y = weir_calc_input (c, IN1)[0] + weir_calc_input (c, IN2)[0];
  return WEIR_OK;
}

static const WeirBlockType forgetful_sum_type = {
  .name = "ForgetfulSum",
  .title = N_ ("Forgetful Sum"),
  .category = CATEGORY,
  .summary = N_ ("Adds two inputs, but forgot to declare that it reads the second."),
  .list_inputs = forgetful_list_inputs,
  .list_outputs = weir_list_scalar_y,
  WEIR_LEAF (.y = { "y", .calc = forgetful_y, .reads = WEIR_READS ("in1") }),
  .is_diagnostic = TRUE,
  WEIR_POSITIONS (WEIR_POSITION (IN1, "in1"), WEIR_POSITION (IN2, "in2")),
};

/* --- Cautious Gain: y = k u, said to depend on everything ------------------------------------ */

static const WeirParameterSpec gain_parameters[] = {
  {
      .name = "gain",
      .label = N_ ("Gain"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "1",
      WEIR_ANY,
      .help = N_ ("The factor."),
      .tunable = "gain",
  },
};

static const WeirParameter GAIN = { 0 };

static WeirStatus
cautious_y (const WeirCalc *c, double *y)
{
  *y = weir_calc_parameter (c, GAIN)[0] * weir_calc_input (c, U)[0];
  return WEIR_OK;
}

static const WeirBlockType cautious_gain_type = {
  .name = "CautiousGain",
  .title = N_ ("Cautious Gain"),
  .category = CATEGORY,
  .summary = N_ ("Multiplies its input by a factor, and declares that it depends on everything."),
  WEIR_PARAMETERS (gain_parameters),
  .list_inputs = weir_list_scalar_u,
  .list_outputs = weir_list_scalar_y,
  WEIR_LEAF (.y = { "y", .calc = cautious_y }),
  .is_diagnostic = TRUE,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (GAIN, "gain")),
};

/* --- Hidden Memory: y = u + how often it was calculated -------------------------------------- */

static WeirStatus
memory_y (const WeirCalc *c, double *y)
{
  /* What no calculation may do: the count outlives the call, and no cache knows of it. */
  gint *count = (gint *) weir_calc_data (c);

  *y = weir_calc_input (c, U)[0] + g_atomic_int_add (count, 1);
  return WEIR_OK;
}

static WeirSystem *
memory_build (G_GNUC_UNUSED const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes,
              G_GNUC_UNUSED GError **error)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("HiddenMemory");
  WeirTicket u = weir_input_ticket (b, weir_leaf_add_input (b, "u", 1));

  weir_leaf_set_data (b, &(gint) { 0 }, sizeof (gint));
  weir_leaf_add_output (b, "y", 1, memory_y, WEIR_DEPENDS (u));
  return weir_leaf_builder_build (b);
}

static const WeirBlockType hidden_memory_type = {
  .name = "HiddenMemory",
  .title = N_ ("Hidden Memory"),
  .category = CATEGORY,
  .summary = N_ (
      "Adds to its input how often it was calculated, which no calculation may remember."),
  .list_inputs = weir_list_scalar_u,
  .list_outputs = weir_list_scalar_y,
  .build = memory_build,
  .is_diagnostic = TRUE,
  WEIR_POSITIONS (WEIR_POSITION (U, "u")),
};

/* --- Slow: y = u, after much work ------------------------------------------------------------ */

static const WeirParameterSpec slow_parameters[] = {
  {
      .name = "work",
      .label = N_ ("Work"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "10000",
      WEIR_FROM_TO (0, 100000000),
      .help = N_ ("How many operations each calculation takes."),
  },
};

static WeirStatus
slow_y (const WeirCalc *c, double *y)
{
  const gint64 *work = weir_calc_data (c);
  double u = weir_calc_input (c, U)[0], value = u;

  /* Each round waits for the one before. */
  for (gint64 i = 0; i < *work; i++)
    value = 0.5 * (value + u);
  *y = value;
  return WEIR_OK;
}

static WeirSystem *
slow_build (const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes,
            G_GNUC_UNUSED GError **error)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Slow");
  WeirTicket u = weir_input_ticket (b, weir_leaf_add_input (b, "u", 1));
  gint64 work = weir_arguments_get_integer (arguments, "work");

  weir_leaf_set_data (b, &work, sizeof work);
  weir_leaf_add_output (b, "y", 1, slow_y, WEIR_DEPENDS (u));
  return weir_leaf_builder_build (b);
}

static const WeirBlockType slow_type = {
  .name = "Slow",
  .title = N_ ("Slow"),
  .category = CATEGORY,
  .summary = N_ ("Passes its input on after a lot of work, so that saved calculations are felt."),
  WEIR_PARAMETERS (slow_parameters),
  .list_inputs = weir_list_scalar_u,
  .list_outputs = weir_list_scalar_y,
  .build = slow_build,
  .is_diagnostic = TRUE,
  WEIR_POSITIONS (WEIR_POSITION (U, "u")),
};

/* --- Fan-Out: y1 = u, y2 = 2 u, ... ---------------------------------------------------------- */

static const WeirParameterSpec fan_parameters[] = {
  {
      .name = "outputs",
      .label = N_ ("Outputs"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "4",
      WEIR_FROM_TO (1, 64),
      .help = N_ ("How many values depend on the input."),
  },
};

static void
fan_list_outputs (const WeirArguments *arguments, GArray *ports)
{
  guint n = (guint) weir_arguments_get_integer (arguments, "outputs");

  for (guint i = 0; i < n; i++)
    weir_list_port (ports, weir_numbered_name ("y", i), 1);
}

static WeirStatus
fan_y (const WeirCalc *c, double *y)
{
  *y = (weir_calc_get_index (c) + 1) * weir_calc_input (c, U)[0];
  return WEIR_OK;
}

static WeirSystem *
fan_build (const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes,
           G_GNUC_UNUSED GError **error)
{
  guint n = (guint) weir_arguments_get_integer (arguments, "outputs");
  WeirLeafBuilder *b = weir_leaf_builder_new ("FanOut");
  WeirTicket u = weir_input_ticket (b, weir_leaf_add_input (b, "u", 1));

  for (guint i = 0; i < n; i++)
    weir_leaf_add_output (b, weir_numbered_name ("y", i), 1, fan_y, WEIR_DEPENDS (u));
  return weir_leaf_builder_build (b);
}

static const WeirBlockType fan_out_type = {
  .name = "FanOut",
  .title = N_ ("Fan-Out"),
  .category = CATEGORY,
  .summary = N_ ("Computes many values from one input: one change reaches them all."),
  WEIR_PARAMETERS (fan_parameters),
  .list_inputs = weir_list_scalar_u,
  .list_outputs = fan_list_outputs,
  .build = fan_build,
  .is_diagnostic = TRUE,
  WEIR_POSITIONS (WEIR_POSITION (U, "u")),
};

/* --- Cache Probe: y = u ---------------------------------------------------------------------- */

static WeirStatus
probe_y (const WeirCalc *c, double *y)
{
  *y = weir_calc_input (c, U)[0];
  return WEIR_OK;
}

static const WeirBlockType cache_probe_type = {
  .name = "CacheProbe",
  .title = N_ ("Cache Probe"),
  .category = CATEGORY,
  .summary = N_ ("Passes its input on as a cached value of its own, whose counters show who asks."),
  .list_inputs = weir_list_scalar_u,
  .list_outputs = weir_list_scalar_y,
  WEIR_LEAF (.y = { "y", .calc = probe_y, .reads = WEIR_READS ("u") }),
  .is_diagnostic = TRUE,
  WEIR_POSITIONS (WEIR_POSITION (U, "u")),
};

WEIR_FAMILY (cache_lab, &forgetful_sum_type, &cautious_gain_type, &hidden_memory_type, &slow_type,
             &fan_out_type, &cache_probe_type);

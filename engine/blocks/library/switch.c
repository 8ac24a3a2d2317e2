/* A switch with two inputs: y = in1 while the control fulfils the criterion, else in2.
 *
 * In a run the branch is state, which holds between the crossings of the control, so that no solver
 * ever sees the jump within a step. Outside a run the control decides at every look. Only the
 * branch that passes is evaluated.
 */
#include "blocks/types/family.h"

#define CATEGORY N_ ("Routing")

static const WeirInput IN1 = { 0 }, CONTROL = { 1 }, IN2 = { 2 };
static const WeirParameter THRESHOLD = { 0 };

enum { AT_LEAST, ABOVE, DIFFERENT };

static const char *const criteria[] = {
  [AT_LEAST] = ">=",
  [ABOVE] = ">",
  [DIFFERENT] = "!=",
  NULL,
};

typedef struct {
  guint criterion, size;
} SwitchData;

static const WeirParameterSpec switch_parameters[] = {
  {
      .name = "criterion",
      .label = N_ ("Criterion"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = ">=",
      .choices = criteria,
      .help = N_ ("How the control must compare with the threshold for the first input to pass."),
  },
  {
      .name = "threshold",
      .label = N_ ("Threshold"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "0",
      WEIR_ANY,
      .help = N_ ("What the control is compared with."),
      .tunable = "threshold",
  },
};

static void
switch_list_inputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "in1", 0);
  weir_list_port (ports, "control", 1);
  weir_list_port (ports, "in2", 0);
}

static guint
switch_output_size (G_GNUC_UNUSED const WeirArguments *arguments, const guint *sizes,
                    G_GNUC_UNUSED guint out)
{
  const guint branches[] = { sizes[IN1.i], sizes[IN2.i] };

  return weir_widest (branches, 2, 1);
}

static gboolean
is_fulfilled (guint criterion, double control, double threshold)
{
  return criterion == AT_LEAST ? control >= threshold
         : criterion == ABOVE  ? control > threshold
                               : control != threshold;
}

static const WeirGroup BRANCH = { 0 };

enum { UNDECIDED = 0, FIRST = 1, SECOND = 2 };

/* The branch by what the control is. */
static WeirStatus
decide (const WeirCalc *c, WeirInput *taken)
{
  const SwitchData *data = weir_calc_data (c);
  double control = weir_calc_input (c, CONTROL)[0];

  if (isnan (control))
    return weir_calc_fail (c, "The control of a Switch is not a number.");
  *taken = is_fulfilled (data->criterion, control, weir_calc_parameter (c, THRESHOLD)[0]) ? IN1
                                                                                          : IN2;
  return WEIR_OK;
}

WeirStatus
weir_calc_pass (const WeirCalc *c, WeirInput in, guint size, double *y)
{
  const double *values;
  gboolean is_spread;

  if (!weir_calc_demand (c, in))
    return WEIR_PENDING;
  values = weir_calc_input (c, in);
  is_spread = weir_calc_input_size (c, in) == 1;
  for (guint i = 0; i < size; i++)
    y[i] = values[is_spread ? 0 : i];
  return WEIR_OK;
}

static WeirStatus
switch_y (const WeirCalc *c, double *y)
{
  const SwitchData *data = weir_calc_data (c);
  double held = weir_calc_discrete (c, BRANCH)[0];
  WeirInput taken = held == FIRST ? IN1 : IN2;

  if (held == UNDECIDED)
    {
      if (!weir_calc_demand (c, CONTROL))
        return WEIR_PENDING;
      if (decide (c, &taken) != WEIR_OK)
        return WEIR_FAILED;
    }
  return weir_calc_pass (c, taken, data->size, y);
}

static WeirStatus
switch_y_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  const SwitchData *data = weir_calc_data (c);
  double held = weir_calc_discrete (c, BRANCH)[0];
  WeirInput taken = held == FIRST ? IN1 : IN2;

  if (held == UNDECIDED && decide (c, &taken) != WEIR_OK)
    return WEIR_FAILED;
  return weir_calc_pass (d, taken, data->size, y);
}

static WeirStatus
switch_crossing (const WeirCalc *c, double *w)
{
  w[0] = weir_calc_input (c, CONTROL)[0] - weir_calc_parameter (c, THRESHOLD)[0];
  return WEIR_OK;
}

/* A control that stands on the threshold exactly and leaves it crosses once more. */
static WeirStatus
switch_change (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  double held = weir_calc_discrete (c, BRANCH)[0];
  WeirInput taken;

  if (decide (c, &taken) != WEIR_OK)
    return WEIR_FAILED;
  next[0] = taken.i == IN1.i ? FIRST : SECOND;
  return next[0] == held ? WEIR_DID_NOTHING : WEIR_OK;
}

static WeirSystem *
switch_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  SwitchData data = { .size = switch_output_size (arguments, sizes, 0) };
  WeirLeafBuilder *b;
  WeirTicket in1, control, in2, threshold;
  WeirCached crossing;
  WeirGroup branch;
  WeirOutput y;

  if (!weir_check_size ("Input in1", sizes[IN1.i], data.size, error)
      || !weir_check_size ("Input control", sizes[CONTROL.i], 1, error)
      || !weir_check_size ("Input in2", sizes[IN2.i], data.size, error))
    return NULL;
  data.criterion = weir_arguments_get_choice (arguments, "criterion");

  b = weir_leaf_builder_new ("Switch");
  in1 = weir_input_ticket (b, weir_leaf_add_input (b, "in1", sizes[IN1.i]));
  control = weir_input_ticket (b, weir_leaf_add_input (b, "control", 1));
  in2 = weir_input_ticket (b, weir_leaf_add_input (b, "in2", sizes[IN2.i]));
  threshold = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "threshold"));
  weir_leaf_set_data (b, &data, sizeof data);
  branch = weir_leaf_add_discrete_state (b, "branch", (double[]) { UNDECIDED }, 1);
  y = weir_leaf_add_output (
      b, "y", data.size, switch_y,
      WEIR_DEPENDS (in1, control, in2, threshold, weir_group_ticket (b, branch)));
  weir_leaf_set_lazy (b, weir_output_ticket (b, y));
  crossing = weir_leaf_add_cache_entry (b, "crossing", 1, switch_crossing,
                                        WEIR_DEPENDS (control, threshold));
  weir_leaf_add_update (b, weir_on_initialization (), branch, switch_change);
  weir_leaf_add_update (b, weir_on_change_of_sign (crossing, WEIR_CROSSES), branch, switch_change);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType switch_type = {
  .name = "Switch",
  .title = N_ ("Switch"),
  .category = CATEGORY,
  .summary = N_ ("Passes one of two inputs; the other is not evaluated."),
  WEIR_PARAMETERS (switch_parameters),
  .list_inputs = switch_list_inputs,
  .list_outputs = weir_list_y,
  .get_output_size = switch_output_size,
  .build = switch_build,
  WEIR_POSITIONS (WEIR_POSITION (IN1, "in1"), WEIR_POSITION (CONTROL, "control"),
                  WEIR_POSITION (IN2, "in2"), WEIR_POSITION (THRESHOLD, "threshold"),
                  WEIR_POSITION (BRANCH, "branch")),
};

WEIR_FAMILY (switch, &switch_type);

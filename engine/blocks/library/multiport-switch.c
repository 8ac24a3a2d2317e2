/* A switch with many inputs: y = the input whose number the control tells.
 *
 * In a run the number is state, which holds between the crossings of the control, so that no solver
 * ever sees the jump within a step. Outside a run the control decides at every look. Only the input
 * that passes is evaluated.
 */
#include "blocks/types/family.h"

#define CATEGORY N_ ("Routing")
#define MAX_INPUTS 64

static const WeirInput CONTROL = { 0 };
static const WeirGroup BRANCH = { 0 };

/* What the state says before a run: the control decides. Else the number of the input, from 1. Then
 * the phase of the witness. */
#define UNDECIDED 0
#define PHASE 1

enum { NEAREST, REFUSE };

static const char *const outsides[] = { [NEAREST] = "nearest", [REFUSE] = "refuse", NULL };

typedef struct {
  guint32 n_inputs, size, base, outside;
} Selection;

/* The number of the input, from 1, by what the control is: halves are rounded up. */
static WeirStatus
decide (const WeirCalc *c, double *branch)
{
  const Selection *selection = weir_calc_data (c);
  double control = weir_calc_input (c, CONTROL)[0];
  double number = floor (control + 0.5) - selection->base + 1;

  if (isnan (control))
    return weir_calc_fail (c, "The control of a Multiport Switch is not a number.");
  if (selection->outside == REFUSE && (number < 1 || number > selection->n_inputs))
    return weir_calc_fail (c, "The control is %g, but the inputs have the numbers %u to %u.",
                           control, selection->base, selection->base + selection->n_inputs - 1);
  *branch = CLAMP (number, 1, selection->n_inputs);
  return WEIR_OK;
}

static WeirStatus
switch_y (const WeirCalc *c, double *y)
{
  const Selection *selection = weir_calc_data (c);
  double held = weir_calc_discrete (c, BRANCH)[0];

  if (held == UNDECIDED)
    {
      if (!weir_calc_demand (c, CONTROL))
        return WEIR_PENDING;
      if (decide (c, &held) != WEIR_OK)
        return WEIR_FAILED;
    }
  held = CLAMP (held, 1, selection->n_inputs);
  return weir_calc_pass (c, (WeirInput) { (guint16) held }, selection->size, y);
}

static WeirStatus
switch_y_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  const Selection *selection = weir_calc_data (c);
  double held = weir_calc_discrete (c, BRANCH)[0];

  if (held == UNDECIDED && decide (c, &held) != WEIR_OK)
    return WEIR_FAILED;
  held = CLAMP (held, 1, selection->n_inputs);
  return weir_calc_pass (d, (WeirInput) { (guint16) held }, selection->size, y);
}

static WeirStatus
switch_jumps (const WeirCalc *c, double *w)
{
  const Selection *selection = weir_calc_data (c);
  const double *branch = weir_calc_discrete (c, BRANCH);
  double held = branch[0], x = weir_calc_input (c, CONTROL)[0] + 0.5;
  double low = held == UNDECIDED ? floor (x) : held - 1 + selection->base, high = low + 1;

  if (held != UNDECIDED && selection->outside == NEAREST && held == 1)
    low = -(double) INFINITY;
  if (held != UNDECIDED && selection->outside == NEAREST && held == selection->n_inputs)
    high = (double) INFINITY;
  w[0] = weir_cell_witness (x, low, high, x >= low && x < high, branch[PHASE]);
  return WEIR_OK;
}

static WeirStatus
switch_change (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  double branch;

  if (decide (c, &branch) != WEIR_OK)
    return WEIR_FAILED;
  return weir_cell_enter (branch, next, &next[PHASE]) ? WEIR_OK : WEIR_DID_NOTHING;
}

static const WeirParameterSpec switch_parameters[] = {
  {
      .name = "inputs",
      .label = N_ ("Inputs"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "3",
      WEIR_FROM_TO (1, MAX_INPUTS),
      .help = N_ ("How many inputs there are to choose from."),
  },
  {
      .name = "base",
      .label = N_ ("First number"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "0",
      WEIR_FROM_TO (0, 1),
      .help = N_ ("The control that chooses the first input: 0 or 1."),
  },
  {
      .name = "outside",
      .label = N_ ("Outside"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = "nearest",
      .choices = outsides,
      .help = N_ ("For a control that is no number of an input: the nearest one, or an error."),
  },
};

static void
switch_list_inputs (const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "control", 1);
  weir_list_numbered (ports, "in", (guint) weir_arguments_get_integer (arguments, "inputs"));
}

static guint
switch_output_size (const WeirArguments *arguments, const guint *sizes, G_GNUC_UNUSED guint out)
{
  return weir_widest (sizes + 1, (guint) weir_arguments_get_integer (arguments, "inputs"), 1);
}

static WeirSystem *
switch_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  Selection selection = { .n_inputs = (guint32) weir_arguments_get_integer (arguments, "inputs"),
                          .size = switch_output_size (arguments, sizes, 0),
                          .base = (guint32) weir_arguments_get_integer (arguments, "base"),
                          .outside = weir_arguments_get_choice (arguments, "outside") };
  WeirTicket depends[MAX_INPUTS + 3];
  WeirLeafBuilder *b;
  WeirCached jumps;
  WeirGroup branch;
  WeirOutput y;

  if (!weir_check_size ("Input control", sizes[0], 1, error))
    return NULL;
  for (guint i = 1; i <= selection.n_inputs; i++)
    {
      g_autofree char *what = g_strdup_printf ("Input %s", weir_numbered_name ("in", i - 1));

      if (!weir_check_size (what, sizes[i], selection.size, error))
        return NULL;
    }
  b = weir_leaf_builder_new ("MultiportSwitch");
  depends[0] = weir_input_ticket (b, weir_leaf_add_input (b, "control", 1));
  for (guint i = 1; i <= selection.n_inputs; i++)
    depends[i] = weir_input_ticket (
        b, weir_leaf_add_input (b, weir_numbered_name ("in", i - 1), sizes[i]));
  weir_leaf_set_data (b, &selection, sizeof selection);
  branch = weir_leaf_add_discrete_state (b, "branch", (double[]) { UNDECIDED, 0 }, 2);
  depends[selection.n_inputs + 1] = weir_group_ticket (b, branch);
  depends[selection.n_inputs + 2] = (WeirTicket) { WEIR_TICKET_END };
  y = weir_leaf_add_output (b, "y", selection.size, switch_y, depends);
  weir_leaf_set_lazy (b, weir_output_ticket (b, y));
  jumps = weir_leaf_add_cache_entry (b, "jumps", 1, switch_jumps,
                                     WEIR_DEPENDS (depends[0], weir_group_ticket (b, branch)));
  weir_leaf_add_update (b, weir_on_initialization (), branch, switch_change);
  weir_leaf_add_update (b, weir_on_change_of_sign (jumps, WEIR_CROSSES), branch, switch_change);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType multiport_switch_type = {
  .name = "MultiportSwitch",
  .title = N_ ("Multiport Switch"),
  .category = CATEGORY,
  .summary = N_ ("Passes the input whose number the control tells; the others are not evaluated."),
  WEIR_PARAMETERS (switch_parameters),
  .list_inputs = switch_list_inputs,
  .list_outputs = weir_list_y,
  .get_output_size = switch_output_size,
  .build = switch_build,
  WEIR_POSITIONS (WEIR_POSITION (CONTROL, "control"), WEIR_POSITION (BRANCH, "branch")),
};

WEIR_FAMILY (multiport_switch, &multiport_switch_type);

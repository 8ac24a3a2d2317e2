/* Samples: discrete blocks that remember more than the last value, or take it at a signal.
 *
 * As for all discrete blocks, an update reads everything as it is before its instant, and what
 * comes out holds until the next.
 */
#include "blocks/types/family.h"

#include <string.h>

#include "base/budget.h"

#define CATEGORY N_ ("Discrete")
#define CATEGORY_SOURCES N_ ("Sources")
#define CATEGORY_LOGIC N_ ("Logic")

static const WeirInput U = { 0 };
static const WeirGroup Y = { 0 }, MEMORY = { 1 };

/* --- Delay by N periods: a ring of samples would move its head; a row is simpler to look at --- */

static WeirStatus
delay_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, WeirNextState *next)
{
  guint size = weir_calc_input_size (c, U), length = *(const guint32 *) weir_calc_data (c);
  double *y = weir_next_state_discrete (next, Y);

  if (length > 1)
    {
      double *memory = weir_next_state_discrete (next, MEMORY);
      gsize rest = (gsize) (length - 2) * size;

      memcpy (y, memory, size * sizeof *y);
      memmove (memory, memory + size, rest * sizeof *memory);
      memcpy (memory + rest, weir_calc_input (c, U), size * sizeof *memory);
    }
  else
    memcpy (y, weir_calc_input (c, U), size * sizeof *y);
  return WEIR_OK;
}

static const WeirParameterSpec delay_parameters[] = {
  {
      .name = "length",
      .label = N_ ("Length"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "2",
      WEIR_FROM_TO (1, 100000),
      .help = N_ ("How many periods later the input comes out."),
  },
  WEIR_INITIAL (N_ ("The output before the first update: a number, or one for each element.")),
  WEIR_PERIOD ("0.1"),
  WEIR_OFFSET,
};

static WeirSystem *
delay_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  guint32 length = (guint32) weir_arguments_get_integer (arguments, "length");
  g_autofree double *initial = weir_arguments_dup_vector_of_size (arguments, "initial", sizes[0],
                                                                  error);
  WeirLeafBuilder *b;
  WeirGroup y;

  if (initial == NULL
      || !weir_budget_allows (weir_budget_multiply (length, sizes[0]), sizeof (double),
                              N_ ("The samples that are kept"),
                              N_ ("give the delay fewer periods or a narrower input"), error))
    return NULL;
  b = weir_leaf_builder_new ("Delay");
  weir_leaf_add_input (b, "u", sizes[0]);
  y = weir_leaf_add_discrete_state (b, "y", initial, sizes[0]);
  if (length > 1)
    {
      gsize n = (gsize) (length - 1) * sizes[0];
      g_autofree double *memory = g_new (double, n);

      for (gsize i = 0; i < n; i++)
        memory[i] = initial[i % sizes[0]];
      weir_leaf_add_discrete_state (b, "memory", memory, (guint) n);
    }
  weir_leaf_set_data (b, &length, sizeof length);
  weir_leaf_add_output_window (b, "y", weir_group_ticket (b, y));
  weir_leaf_add_unrestricted_update (b, weir_every_period (arguments), delay_update);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType delay_type = {
  .name = "Delay",
  .title = N_ ("Delay"),
  .category = CATEGORY,
  .summary = N_ ("Delays a discrete signal by a number of periods."),
  .is_sequence = TRUE,
  WEIR_PARAMETERS (delay_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = weir_size_with_initial,
  .build = delay_build,
  .units = WEIR_UNITS_SAME,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (Y, "y"), WEIR_POSITION (MEMORY, "memory")),
};

/* --- Discrete derivative: y_n = (u_n - u_{n-1}) / T ------------------------------------------ */

static WeirStatus
difference_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, WeirNextState *next)
{
  double period = *(const double *) weir_calc_data (c);
  const double *u = weir_calc_input (c, U);
  double *y = weir_next_state_discrete (next, Y), *before = weir_next_state_discrete (next, MEMORY);

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    {
      y[i] = (u[i] - before[i]) / period;
      before[i] = u[i];
    }
  return WEIR_OK;
}

static const WeirParameterSpec difference_parameters[] = {
  WEIR_INITIAL (N_ ("The sample before the first: a number, or one for each element.")),
  WEIR_PERIOD ("0.1"),
  WEIR_OFFSET,
};

static WeirSystem *
difference_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  double period = weir_arguments_get_number (arguments, "period");
  g_autofree double *initial = weir_arguments_dup_vector_of_size (arguments, "initial", sizes[0],
                                                                  error);
  g_autofree double *zero = g_new0 (double, sizes[0]);
  WeirLeafBuilder *b;
  WeirGroup y;

  if (initial == NULL)
    return NULL;
  b = weir_leaf_builder_new ("DiscreteDerivative");
  weir_leaf_add_input (b, "u", sizes[0]);
  y = weir_leaf_add_discrete_state (b, "y", zero, sizes[0]);
  weir_leaf_add_discrete_state (b, "before", initial, sizes[0]);
  weir_leaf_set_data (b, &period, sizeof period);
  weir_leaf_add_output_window (b, "y", weir_group_ticket (b, y));
  weir_leaf_add_unrestricted_update (b, weir_every_period (arguments), difference_update);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType discrete_derivative_type = {
  .name = "DiscreteDerivative",
  .title = N_ ("Discrete Derivative"),
  .category = CATEGORY,
  .summary = N_ ("Gives the change from sample to sample, divided by the period."),
  WEIR_PARAMETERS (difference_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = weir_size_with_initial,
  .build = difference_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (Y, "y"), WEIR_POSITION (MEMORY, "before")),
};

/* --- Digital clock --------------------------------------------------------------------------- */

static WeirStatus
clock_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = weir_calc_time (c);
  return WEIR_OK;
}

static const WeirParameterSpec clock_parameters[] = { WEIR_PERIOD ("0.1"), WEIR_OFFSET };

static const WeirBlockType digital_clock_type = {
  .name = "DigitalClock",
  .title = N_ ("Digital Clock"),
  .category = CATEGORY_SOURCES,
  .summary = N_ ("Gives the simulated time at its last update, in seconds."),
  WEIR_PARAMETERS (clock_parameters),
  .list_outputs = weir_list_scalar_y,
  WEIR_LEAF (.group = { "y", .update = clock_update }, .y = { "y", .reads = WEIR_READS ("y") }),
};

/* --- Sample and hold: y = u where the trigger rises above 1/2 -------------------------------- */

static const WeirInput TRIGGER = { 1 };

static WeirStatus
trigger_height (const WeirCalc *c, double *w)
{
  w[0] = weir_calc_input (c, TRIGGER)[0] - 0.5;
  return WEIR_OK;
}

static WeirStatus
hold_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  memcpy (next, weir_calc_input (c, U), weir_calc_input_size (c, U) * sizeof *next);
  return WEIR_OK;
}

static void
hold_list_inputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "u", 0);
  weir_list_port (ports, "trigger", 1);
}

static const WeirParameterSpec hold_parameters[] = {
  WEIR_INITIAL (N_ ("The output before the first update: a number, or one for each element.")),
};

static WeirSystem *
hold_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  g_autofree double *initial = weir_arguments_dup_vector_of_size (arguments, "initial", sizes[0],
                                                                  error);
  WeirLeafBuilder *b;
  WeirTicket trigger;
  WeirCached height;
  WeirGroup y;

  if (initial == NULL || !weir_check_size ("Input trigger", sizes[1], 1, error))
    return NULL;
  b = weir_leaf_builder_new ("SampleAndHold");
  weir_leaf_add_input (b, "u", sizes[0]);
  trigger = weir_input_ticket (b, weir_leaf_add_input (b, "trigger", 1));
  y = weir_leaf_add_discrete_state (b, "y", initial, sizes[0]);
  weir_leaf_add_output_window (b, "y", weir_group_ticket (b, y));
  height = weir_leaf_add_cache_entry (b, "height", 1, trigger_height, WEIR_DEPENDS (trigger));
  weir_leaf_add_update (b, weir_at_edge (weir_on_crossing (height, WEIR_RISING)), y, hold_update);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType sample_and_hold_type = {
  .name = "SampleAndHold",
  .title = N_ ("Sample and Hold"),
  .category = CATEGORY,
  .summary = N_ (
      "Takes its input where the trigger rises from false (0) to true (1), and holds it."),
  WEIR_PARAMETERS (hold_parameters),
  .list_inputs = hold_list_inputs,
  .list_outputs = weir_list_y,
  .get_output_size = weir_size_with_initial,
  .build = hold_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (TRIGGER, "trigger")),
};

/* --- Flip-flop: set and reset where the inputs rise ------------------------------------------ */

static const WeirInput SET = { 0 }, RESET = { 1 };

/* One witness for both, so that what rises together is one update. */
static WeirStatus
heights (const WeirCalc *c, double *w)
{
  w[0] = weir_calc_input (c, SET)[0] - 0.5;
  w[1] = weir_calc_input (c, RESET)[0] - 0.5;
  return WEIR_OK;
}

enum { SETS, TOGGLES };

static const char *const kinds[] = { [SETS] = "set", [TOGGLES] = "toggle", NULL };

/* Reset wins: while it is true, nothing sets. The data is the kind. */
static WeirStatus
flip_flop_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  guint kind = *(const guint32 *) weir_calc_data (c);

  if (weir_calc_input (c, RESET)[0] > 0.5)
    next[0] = 0;
  else if (kind == TOGGLES && weir_calc_crossing (c, 0) > 0)
    next[0] = weir_calc_discrete (c, Y)[0] == 0;
  else if (kind == SETS && weir_calc_input (c, SET)[0] > 0.5)
    next[0] = 1;
  return WEIR_OK;
}

static void
flip_flop_list_inputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "set", 1);
  weir_list_port (ports, "reset", 1);
}

static const WeirParameterSpec flip_flop_parameters[] = {
  {
      .name = "kind",
      .label = N_ ("Kind"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = "set",
      .choices = kinds,
      .help = N_ ("What a rise of the first input does: set the output, or turn it over."),
  },
  {
      .name = "initial",
      .is_initial = TRUE,
      .label = N_ ("Initial value"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "0",
      WEIR_FROM_TO (0, 1),
      .help = N_ ("The value at the start."),
  },
};

static WeirSystem *
flip_flop_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  double initial = (double) weir_arguments_get_integer (arguments, "initial");
  guint32 kind = weir_arguments_get_choice (arguments, "kind");
  WeirLeafBuilder *b;
  WeirTicket set, reset;
  WeirCached height;
  WeirGroup y;

  if (!weir_check_size ("Input set", sizes[0], 1, error)
      || !weir_check_size ("Input reset", sizes[1], 1, error))
    return NULL;
  b = weir_leaf_builder_new ("FlipFlop");
  set = weir_input_ticket (b, weir_leaf_add_input (b, "set", 1));
  reset = weir_input_ticket (b, weir_leaf_add_input (b, "reset", 1));
  weir_leaf_set_data (b, &kind, sizeof kind);
  y = weir_leaf_add_discrete_state (b, "y", &initial, 1);
  weir_leaf_add_output_window (b, "y", weir_group_ticket (b, y));
  height = weir_leaf_add_cache_entry (b, "height", 2, heights, WEIR_DEPENDS (set, reset));
  weir_leaf_add_update (b, weir_at_edge (weir_on_crossing (height, WEIR_RISING)), y,
                        flip_flop_update);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType flip_flop_type = {
  .name = "FlipFlop",
  .title = N_ ("Flip-Flop"),
  .category = CATEGORY_LOGIC,
  .summary = N_ (
      "Becomes 1, or turns over, where its first input becomes true, and 0 where the second does."),
  WEIR_PARAMETERS (flip_flop_parameters),
  .list_inputs = flip_flop_list_inputs,
  .list_outputs = weir_list_scalar_y,
  .build = flip_flop_build,
  WEIR_POSITIONS (WEIR_POSITION (SET, "set"), WEIR_POSITION (RESET, "reset")),
};

WEIR_FAMILY (samples, &delay_type, &discrete_derivative_type, &digital_clock_type,
             &sample_and_hold_type, &flip_flop_type);

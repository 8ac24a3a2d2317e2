/* Variable delay: y(t) = u(t - delay (t)), with the delay a signal, held between two limits.
 *
 * The past of the input is declared state (family.h), as for the fixed delay. Steps are no
 * longer than the shortest delay, so that what comes out is always past, and the input has no
 * direct feedthrough. Where the time looked back to passes a jump of the input, a step ends.
 */
#include "blocks/types/family.h"

#include <string.h>

#include "base/error.h"

#define CATEGORY N_ ("Continuous")

static const WeirInput U = { 0 }, DELAY = { 1 };
static const WeirGroup PAST = { 0 };

typedef struct {
  WeirPast past; /* its delay is the longest */
  double minimum;
  double initial[];
} Delay;

/* The time that is looked back to. */
static double
get_then (const WeirCalc *c)
{
  const Delay *delay = weir_calc_data (c);
  double wanted = weir_calc_input (c, DELAY)[0];

  return weir_calc_time (c)
         - (wanted < delay->minimum      ? delay->minimum
            : wanted > delay->past.delay ? delay->past.delay
                                         : wanted);
}

static WeirStatus
delay_y (const WeirCalc *c, double *y)
{
  const Delay *delay = weir_calc_data (c);

  if (!weir_past_read (&delay->past, weir_calc_discrete (c, PAST), weir_calc_time (c), get_then (c),
                       0, delay->past.size, y))
    memcpy (y, delay->initial, delay->past.size * sizeof *y);
  return WEIR_OK;
}

/* Zero where a jump of the input, or of a derivative, comes out; where the delay meets its limits.
 */
static WeirStatus
delay_breaks (const WeirCalc *c, double *w)
{
  const Delay *delay = weir_calc_data (c);
  double wanted = weir_calc_input (c, DELAY)[0];

  w[0] = weir_past_get_distance (&delay->past, weir_calc_discrete (c, PAST), get_then (c));
  w[1] = wanted - delay->minimum;
  w[2] = wanted - delay->past.delay;
  return WEIR_OK;
}

/* The end of a step for the next row. */
static WeirStatus
delay_next_row (const WeirCalc *c, double after, double *time)
{
  const Delay *delay = weir_calc_data (c);

  *time = weir_past_find_row (&delay->past, weir_calc_discrete (c, PAST), weir_calc_accuracy (c),
                              after);
  return WEIR_OK;
}

/* At the end of each step and at the beginning of the next. */
static WeirStatus
keep (const WeirCalc *c, gint64 is_anew, double *past)
{
  const Delay *delay = weir_calc_data (c);

  return weir_past_keep (&delay->past, c, weir_calc_input (c, U), 0, is_anew != 0, past);
}

static const WeirParameterSpec delay_parameters[] = {
  {
      .name = "minimum",
      .label = N_ ("Shortest delay"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "0.01",
      WEIR_MORE_THAN (0),
      .unit = "s",
      .help = N_ ("A shorter delay counts as this; no step of the solver is longer."),
  },
  {
      .name = "maximum",
      .label = N_ ("Longest delay"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "1",
      WEIR_MORE_THAN (0),
      .unit = "s",
      .help = N_ ("A longer delay counts as this; the input is remembered for so long."),
  },
  WEIR_INITIAL (
      N_ ("The output while it would be the input before the start: a number, or one for each "
          "element.")),
  {
      .name = "points",
      .label = N_ ("Points"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "256",
      WEIR_FROM_TO (4, 100000),
      .help = N_ ("How many steps there are within the longest delay at least, and jumps at most."),
  },
};

static void
delay_list_inputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "u", 0);
  weir_list_port_in (ports, "delay", 1, "s");
}

static WeirSystem *
delay_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  double minimum = weir_arguments_get_number (arguments, "minimum");
  double maximum = weir_arguments_get_number (arguments, "maximum");
  g_autofree double *initial = weir_arguments_dup_vector_of_size (arguments, "initial", sizes[0],
                                                                  error);
  gsize bytes = sizeof (Delay) + sizes[0] * sizeof (double), n_numbers;
  g_autofree Delay *delay = NULL;
  g_autofree double *past = NULL;
  WeirTicket wanted, group;
  WeirLeafBuilder *b;
  WeirCached breaks;

  if (initial == NULL || !weir_check_size ("Input delay", sizes[1], 1, error))
    return NULL;
  if (minimum > maximum)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "The shortest delay %g s is above the longest, %g s.", minimum, maximum);
      return NULL;
    }
  delay = g_malloc0 (bytes);
  delay->past = weir_past_make (maximum, sizes[0],
                                (guint32) weir_arguments_get_integer (arguments, "points"));
  if (!weir_past_check (&delay->past, error))
    return NULL;
  delay->minimum = minimum;
  memcpy (delay->initial, initial, sizes[0] * sizeof *initial);
  n_numbers = weir_past_get_n_numbers (&delay->past);
  past = g_new0 (double, n_numbers);

  b = weir_leaf_builder_new ("VariableDelay");
  weir_leaf_add_input (b, "u", sizes[0]);
  wanted = weir_input_ticket (b, weir_leaf_add_input (b, "delay", 1));
  weir_leaf_set_data (b, delay, bytes);
  group = weir_group_ticket (b, weir_leaf_add_discrete_state (b, "past", past, (guint) n_numbers));
  weir_leaf_add_output (b, "y", sizes[0], delay_y, WEIR_DEPENDS (WEIR_TIME, wanted, group));
  breaks = weir_leaf_add_cache_entry (b, "breaks", 3, delay_breaks,
                                      WEIR_DEPENDS (WEIR_TIME, wanted, group));
  weir_leaf_add_break (b, weir_on_crossing (breaks, WEIR_CROSSES));
  weir_leaf_add_update (b, weir_on_both_sides (), PAST, keep);
  weir_leaf_add_publish (b,
                         minimum < maximum / delay->past.n_points
                             ? weir_every_point (minimum, 1)
                             : weir_every_point (maximum, delay->past.n_points),
                         weir_past_end_step);
  weir_leaf_add_publish (b, weir_at_times (delay_next_row), weir_past_end_step);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType variable_delay_type = {
  .name = "VariableDelay",
  .title = N_ ("Variable Delay"),
  .category = CATEGORY,
  .summary = N_ ("Gives its input later, by a time that its second input tells."),
  WEIR_PARAMETERS (delay_parameters),
  .list_inputs = delay_list_inputs,
  .list_outputs = weir_list_y,
  .get_output_size = weir_size_with_initial,
  .build = delay_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (DELAY, "delay"),
                  WEIR_POSITION (PAST, "past")),
};

WEIR_FAMILY (variable_delay, &variable_delay_type);

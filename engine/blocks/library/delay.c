/* Transport delay: y(t) = u(t - delay).
 *
 * The past of the input is declared state (family.h). Steps are no longer than the delay
 * divided by the number of points; the output's own jumps are breaks when their time comes.
 */
#include "blocks/types/family.h"

#include <string.h>

#define CATEGORY N_ ("Continuous")

static const WeirInput U = { 0 };
static const WeirGroup PAST = { 0 };

typedef struct {
  WeirPast past;
  double initial[];
} Delay;

static WeirStatus
delay_y (const WeirCalc *c, double *y)
{
  const Delay *delay = weir_calc_data (c);
  double t = weir_calc_time (c);

  if (!weir_past_read (&delay->past, weir_calc_discrete (c, PAST), t, t - delay->past.delay, 0,
                       delay->past.size, y))
    memcpy (y, delay->initial, delay->past.size * sizeof *y);
  return WEIR_OK;
}

/* The next jump of the output, or of a derivative. */
static WeirStatus
delay_next_jump (const WeirCalc *c, double after, double *time)
{
  const Delay *delay = weir_calc_data (c);

  *time = weir_past_find_break (&delay->past, weir_calc_discrete (c, PAST), after);
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
  guint order = weir_past_get_order (&delay->past, past, weir_calc_time (c));

  return weir_past_keep (&delay->past, c, weir_calc_input (c, U), order, is_anew != 0, past);
}

/* --- Block ----------------------------------------------------------------------------------- */

static const WeirParameterSpec delay_parameters[] = {
  {
      .name = "delay",
      .label = N_ ("Delay"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "1",
      WEIR_MORE_THAN (0),
      .unit = "s",
      .help = N_ ("How much later the output does what the input did."),
  },
  WEIR_INITIAL (N_ ("The output until the delay is over: a number, or one for each element.")),
  {
      .name = "points",
      .label = N_ ("Points"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "64",
      WEIR_FROM_TO (4, 100000),
      .help = N_ ("How many steps there are within the delay at least, and jumps at most."),
  },
};

static WeirSystem *
delay_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  g_autofree double *initial = weir_arguments_dup_vector_of_size (arguments, "initial", sizes[0],
                                                                  error);
  gsize bytes = sizeof (Delay) + sizes[0] * sizeof (double), n_numbers;
  g_autofree Delay *delay = NULL;
  g_autofree double *past = NULL;
  WeirLeafBuilder *b;
  WeirTicket ticket;

  if (initial == NULL)
    return NULL;
  delay = g_malloc0 (bytes);
  delay->past = weir_past_make (weir_arguments_get_number (arguments, "delay"), sizes[0],
                                (guint32) weir_arguments_get_integer (arguments, "points"));
  if (!weir_past_check (&delay->past, error))
    return NULL;
  memcpy (delay->initial, initial, sizes[0] * sizeof *initial);
  n_numbers = weir_past_get_n_numbers (&delay->past);
  past = g_new0 (double, n_numbers);

  b = weir_leaf_builder_new ("TransportDelay");
  weir_leaf_add_input (b, "u", sizes[0]);
  weir_leaf_set_data (b, delay, bytes);
  ticket = weir_group_ticket (b, weir_leaf_add_discrete_state (b, "past", past, (guint) n_numbers));
  weir_leaf_add_output (b, "y", sizes[0], delay_y, WEIR_DEPENDS (WEIR_TIME, ticket));
  weir_leaf_add_update (b, weir_on_both_sides (), PAST, keep);
  weir_leaf_add_break (b, weir_at_times (delay_next_jump));
  weir_leaf_add_publish (b, weir_every_point (delay->past.delay, delay->past.n_points),
                         weir_past_end_step);
  weir_leaf_add_publish (b, weir_at_times (delay_next_row), weir_past_end_step);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType transport_delay_type = {
  .name = "TransportDelay",
  .title = N_ ("Transport Delay"),
  .category = CATEGORY,
  .summary = N_ ("Gives its input a fixed time later."),
  WEIR_PARAMETERS (delay_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = weir_size_with_initial,
  .build = delay_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (PAST, "past")),
};

WEIR_FAMILY (delay, &transport_delay_type);

/* Transport delay: y(t) = u(t - delay).
 *
 * The past of the input is declared state, so that checkpoints, verify and every solver know it: a row for
 * each instant kept, oldest first, with its time and the values then. Rows are kept at the ends of steps,
 * not much nearer to each other than the delay divided by twice the number of points; steps are no longer
 * than the delay divided by that number. Where the input jumps there are two rows for one instant, and the
 * output's own jump is a break when its time comes. In between, the output is the cubic through the four
 * nearest rows on the same side of every jump: its error is of the fourth order.
 */
#include "blocks/blocks-private.h"

#include <string.h>

#define CATEGORY N_ ("Continuous")

static const WeirInput U = { 0 };
static const WeirGroup PAST = { 0 };

/* Roundings within which two times are one instant, and within which an instant counts as reached. The
 * simulator looks at a step's end, just before a jump, 16 roundings early. */
#define ONE_INSTANT 64
#define REACHED 4
/* A jump that is a smaller part of the values than this is none. */
#define SMOOTH 1e-9

typedef struct {
  double delay;
  guint32 size;     /* of the input */
  guint32 n_points; /* steps within the delay, at least */
  guint32 capacity; /* rows */
  double initial[];
} Delay;

/* The state: how many rows there are, then the rows. */
static gsize
get_row_size (const Delay *delay)
{
  return 1 + (gsize) delay->size;
}

static const double *
get_row (const Delay *delay, const double *past, guint i)
{
  return past + 1 + i * get_row_size (delay);
}

static guint
count_rows (const Delay *delay, const double *past)
{
  return past[0] >= 1 ? (guint) MIN (past[0], delay->capacity) : 0;
}

/* @roundings of times like @t and their differences. */
static double
get_slack (const Delay *delay, double t, double roundings)
{
  return roundings * DBL_EPSILON * MAX (fabs (t), delay->delay);
}

static gboolean
is_jump (const Delay *delay, const double *past, guint i)
{
  double t0 = get_row (delay, past, i)[0], t1 = get_row (delay, past, i + 1)[0];

  return t1 - t0 <= get_slack (delay, t1, ONE_INSTANT);
}

/* How many rows are at or before @t. */
static guint
count_until (const Delay *delay, const double *past, double t)
{
  guint low = 0, high = count_rows (delay, past);

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (get_row (delay, past, middle)[0] <= t)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* --- Output ------------------------------------------------------------------------------------ */

/* The polynomial through rows @first to @last at @t. */
static void
interpolate (const Delay *delay, const double *past, guint first, guint last, double t, double *y)
{
  memset (y, 0, delay->size * sizeof *y);
  for (guint k = first; k <= last; k++)
    {
      const double *row = get_row (delay, past, k);
      double weight = 1;

      for (guint j = first; j <= last; j++)
        if (j != k)
          {
            double other = get_row (delay, past, j)[0];

            weight *= (t - other) / (row[0] - other);
          }
      for (guint i = 0; i < delay->size; i++)
        y[i] += weight * row[1 + i];
    }
}

static WeirStatus
delay_y (const WeirCalc *c, double *y)
{
  const Delay *delay = weir_calc_data (c);
  const double *past = weir_calc_discrete (c, PAST);
  double t = weir_calc_time (c), then = t - delay->delay;
  guint n = count_rows (delay, past);
  guint until = count_until (delay, past, then + get_slack (delay, t, REACHED)), first, last;

  if (until == 0)
    {
      memcpy (y, delay->initial, delay->size * sizeof *y);
      return WEIR_OK;
    }
  first = last = until - 1;
  if (until == n || is_jump (delay, past, until - 1))
    {
      memcpy (y, get_row (delay, past, until - 1) + 1, delay->size * sizeof *y);
      return WEIR_OK;
    }
  last++;
  /* Two more rows, one on either side if there is no jump. */
  for (guint more = 0; more < 4 && last - first < 3; more++)
    {
      gboolean can_go_back = first > 0 && !is_jump (delay, past, first - 1);
      gboolean can_go_on = last + 1 < n && !is_jump (delay, past, last);

      if (can_go_back && (more % 2 == 0 || !can_go_on))
        first--;
      else if (can_go_on)
        last++;
    }
  interpolate (delay, past, first, last, then, y);
  return WEIR_OK;
}

/* The next jump of the output. */
static WeirStatus
delay_next_jump (const WeirCalc *c, double after, double *time)
{
  const Delay *delay = weir_calc_data (c);
  const double *past = weir_calc_discrete (c, PAST);
  guint n = count_rows (delay, past);

  *time = INFINITY;
  for (guint i = 0; i < n && !(*time < (double) INFINITY); i++)
    {
      const double *row = get_row (delay, past, i);
      gboolean begins = i == 0 && memcmp (row + 1, delay->initial, delay->size * sizeof *row) != 0;

      if (row[0] + delay->delay > after && (begins || (i > 0 && is_jump (delay, past, i - 1))))
        *time = row[0] + delay->delay;
    }
  return WEIR_OK;
}

/* --- Past -------------------------------------------------------------------------------------- */

static gboolean
is_smooth (const Delay *delay, const double *a, const double *b)
{
  for (guint i = 0; i < delay->size; i++)
    if (!(fabs (a[i] - b[i]) <= SMOOTH * MAX (fabs (a[i]), fabs (b[i]))))
      return FALSE;
  return TRUE;
}

/* Drops rows that no later output can need: all but two of those before the delay. */
static void
forget (const Delay *delay, double t, double *past)
{
  guint n = count_rows (delay, past);
  guint until = count_until (delay, past, t - delay->delay - get_slack (delay, t, ONE_INSTANT));
  guint n_dropped = until > 3 ? until - 3 : 0;

  if (n_dropped == 0)
    return;
  memmove (past + 1, get_row (delay, past, n_dropped),
           (n - n_dropped) * get_row_size (delay) * sizeof *past);
  past[0] = n - n_dropped;
}

/* At the end of each step and at the beginning of the next. */
static WeirStatus
keep (const WeirCalc *c, G_GNUC_UNUSED gint64 event, double *past)
{
  const Delay *delay = weir_calc_data (c);
  const double *u = weir_calc_input (c, U);
  double t = weir_calc_time (c);
  guint n = count_rows (delay, past);
  gsize row_size = get_row_size (delay);
  double *row;

  if (n > 0 && t - get_row (delay, past, n - 1)[0] <= get_slack (delay, t, ONE_INSTANT))
    {
      if (is_smooth (delay, get_row (delay, past, n - 1) + 1, u))
        return WEIR_DID_NOTHING;
    }
  else
    {
      double spacing = delay->delay / (2 * delay->n_points);

      forget (delay, t, past);
      n = count_rows (delay, past);
      /* The last row gives way if it is near to the one before and no side of a jump. */
      if (n > 1 && get_row (delay, past, n - 1)[0] - get_row (delay, past, n - 2)[0] < spacing
          && !is_jump (delay, past, n - 2))
        n--;
    }
  if (n == delay->capacity)
    return weir_calc_fail (c,
                           "The input jumps more than %u times within the delay of %g s; give the "
                           "delay more points.",
                           delay->n_points, delay->delay);
  row = past + 1 + n * row_size;
  row[0] = t;
  memcpy (row + 1, u, delay->size * sizeof *u);
  past[0] = n + 1;
  return WEIR_OK;
}

/* Only ends steps. */
static WeirStatus
pass_by (G_GNUC_UNUSED const WeirCalc *c, G_GNUC_UNUSED gint64 n)
{
  return WEIR_DID_NOTHING;
}

/* --- Block ------------------------------------------------------------------------------------- */

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
  {
      .name = "initial",
      .is_initial = TRUE,
      .label = N_ ("Initial value"),
      .kind = WEIR_VALUE_VECTOR,
      .default_text = "0",
      WEIR_ANY,
      .help = N_ ("The output until the delay is over: a number, or one for each element."),
  },
  {
      .name = "points",
      .label = N_ ("Points"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "64",
      WEIR_FROM_TO (4, 100000),
      .help = N_ ("How many steps there are within the delay at least, and jumps at most."),
  },
};

static guint
delay_output_size (const WeirArguments *arguments, const guint *sizes, G_GNUC_UNUSED guint out)
{
  guint size;

  weir_arguments_get_vector (arguments, "initial", &size);
  return weir_widest (sizes, 1, size);
}

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
  delay->delay = weir_arguments_get_number (arguments, "delay");
  delay->size = sizes[0];
  delay->n_points = (guint32) weir_arguments_get_integer (arguments, "points");
  delay->capacity = 4 * delay->n_points + 8; /* half of it for jumps */
  memcpy (delay->initial, initial, sizes[0] * sizeof *initial);
  n_numbers = 1 + delay->capacity * get_row_size (delay);
  past = g_new0 (double, n_numbers);

  b = weir_leaf_builder_new ("TransportDelay");
  weir_leaf_add_input (b, "u", sizes[0]);
  weir_leaf_set_data (b, delay, bytes);
  ticket = weir_group_ticket (b, weir_leaf_add_discrete_state (b, "past", past, (guint) n_numbers));
  weir_leaf_add_output (b, "y", sizes[0], delay_y, WEIR_DEPENDS (WEIR_TIME, ticket));
  weir_leaf_add_update (b, weir_on_both_sides (), PAST, keep);
  weir_leaf_add_break (b, weir_at_times (delay_next_jump));
  weir_leaf_add_periodic_publish (b, delay->delay / delay->n_points, 0, pass_by);
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_transport_delay = {
  .name = "TransportDelay",
  .title = N_ ("Transport Delay"),
  .category = CATEGORY,
  .summary = N_ ("Gives its input a fixed time later."),
  WEIR_PARAMETERS (delay_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = delay_output_size,
  .build = delay_build,
};

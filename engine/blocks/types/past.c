/* The past of values. See family.h. */
#include "blocks/types/family.h"

#include <string.h>

#include "base/budget.h"
#include "base/error.h"

/* Roundings within which two times are one instant, and within which an instant counts as reached.
 * The simulator looks at a step's end, just before a jump, 16 roundings early. */
#define ONE_INSTANT 64
#define REACHED 4
/* How often the first step behind a break is halved where the time ago may vanish: with one row
 * alone what is between it and the present is read from a straight line. */
#define SHORT_STEPS 16
/* A jump that is a smaller part of the values than this is none. */
#define SMOOTH 1e-9
/* Times as bent as on the other side of what is read: there is a kink. */
#define BENT 16

/* Of a row. */
enum {
  TIME,
  ORDER,
  VALUES,
};

WeirPast
weir_past_make (double delay, guint32 size, guint32 n_points)
{
  return (WeirPast) { delay, size, n_points, 4 * n_points + 8, 0 }; /* half of it for breaks */
}

static gsize
get_row_size (const WeirPast *self)
{
  return VALUES + (gsize) self->size;
}

gboolean
weir_past_check (const WeirPast *self, GError **error)
{
  guint64 n = weir_budget_multiply (self->capacity, get_row_size (self));

  if (self->delay / (2 * self->n_points) < DBL_MIN)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "A delay of %g s is too short to be divided into %u points; give it a longer "
                      "time.",
                      self->delay, self->n_points);
      return FALSE;
    }
  return weir_budget_allows (weir_budget_add (n, 1), sizeof (double), N_ ("The past that is kept"),
                             N_ ("give the delay fewer points or a narrower input"), error);
}

gsize
weir_past_get_n_numbers (const WeirPast *self)
{
  return 1 + self->capacity * get_row_size (self);
}

static const double *
get_row (const WeirPast *self, const double *past, guint i)
{
  return past + 1 + i * get_row_size (self);
}

static guint
count_rows (const WeirPast *self, const double *past)
{
  return past[0] >= 1 ? (guint) MIN (past[0], self->capacity) : 0;
}

/* @roundings of times like @t and their differences. */
static double
get_slack (const WeirPast *self, double t, double roundings)
{
  return roundings * DBL_EPSILON * MAX (fabs (t), self->delay);
}

/* Do the values break off between row @i and the next? */
static gboolean
is_break (const WeirPast *self, const double *past, guint i)
{
  double t0 = get_row (self, past, i)[TIME], t1 = get_row (self, past, i + 1)[TIME];

  return t1 - t0 <= get_slack (self, t1, ONE_INSTANT);
}

/* How many rows are at or before @t. */
static guint
count_until (const WeirPast *self, const double *past, double t)
{
  guint low = 0, high = count_rows (self, past);

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (get_row (self, past, middle)[TIME] <= t)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* --- Reading --------------------------------------------------------------------------------- */

/* The polynomial through rows @first to @last at @t. */
static void
interpolate (const WeirPast *self, const double *past, guint first, guint last, double t,
             guint32 from, guint32 n, double *values)
{
  memset (values, 0, n * sizeof *values);
  for (guint k = first; k <= last; k++)
    {
      const double *row = get_row (self, past, k);
      double weight = 1;

      for (guint j = first; j <= last; j++)
        if (j != k)
          {
            double other = get_row (self, past, j)[TIME];

            weight *= (t - other) / (row[TIME] - other);
          }
      for (guint i = 0; i < n; i++)
        values[i] += weight * row[VALUES + from + i];
    }
}

/* How bent number @i is from row @first to @last: the highest divided difference, by size. */
static double
find_bend (const WeirPast *self, const double *past, guint first, guint last, guint32 i)
{
  double sum = 0;

  for (guint k = first; k <= last; k++)
    {
      const double *row = get_row (self, past, k);
      double product = 1;

      for (guint j = first; j <= last; j++)
        if (j != k)
          product *= row[TIME] - get_row (self, past, j)[TIME];
      sum += row[VALUES + i] / product;
    }
  return fabs (sum);
}

/* Two more rows than @first and the next for number @i: one on either side, if nothing breaks off
 * there and no kink makes that side much more bent than the other. */
static void
choose_rows (const WeirPast *self, const double *past, guint32 i, guint *first, guint *last)
{
  guint n_rows = count_rows (self, past);

  *last = *first + 1;
  for (guint more = 0; more < 4 && *last - *first < 3; more++)
    {
      gboolean can_go_back = *first > 0 && !is_break (self, past, *first - 1);
      gboolean can_go_on = *last + 1 < n_rows && !is_break (self, past, *last);
      gboolean goes_back = more % 2 == 0;

      if (can_go_back && can_go_on)
        {
          double before = find_bend (self, past, *first - 1, *last, i);
          double after = find_bend (self, past, *first, *last + 1, i);

          if (goes_back ? before > BENT * after : after > BENT * before)
            goes_back = !goes_back;
        }
      if (can_go_back && (goes_back || !can_go_on))
        --*first;
      else if (can_go_on)
        ++*last;
    }
}

gboolean
weir_past_read (const WeirPast *self, const double *past, double t, double then, guint32 from,
                guint32 n, double *values)
{
  guint n_rows = count_rows (self, past);
  guint until = count_until (self, past, then + get_slack (self, t, REACHED));

  if (until == 0)
    return FALSE;
  if (until == n_rows || is_break (self, past, until - 1))
    {
      memcpy (values, get_row (self, past, until - 1) + VALUES + from, n * sizeof *values);
      return TRUE;
    }
  for (guint32 i = 0; i < n; i++)
    {
      guint first = until - 1, last;

      choose_rows (self, past, from + i, &first, &last);
      interpolate (self, past, first, last, then, from + i, 1, &values[i]);
    }
  return TRUE;
}

gboolean
weir_past_read_until (const WeirPast *self, const double *past, double t, double then, guint32 from,
                      guint32 n, const double *now, double *values)
{
  guint n_rows = count_rows (self, past);
  guint first = n_rows, n_nodes = 0;
  double share = 1.0, last;

  if (n_rows == 0)
    return FALSE;
  last = get_row (self, past, n_rows - 1)[TIME];
  while (first > 0 && n_nodes < 3 && (first == n_rows || !is_break (self, past, first - 1)))
    {
      first--;
      n_nodes++;
    }
  if (t - last <= get_slack (self, t, ONE_INSTANT) && then > last)
    {
      memcpy (values, now, n * sizeof *values);
      return TRUE;
    }
  if (then < get_row (self, past, first)[TIME] || t - last <= get_slack (self, t, ONE_INSTANT))
    return weir_past_read (self, past, t, then, from, n, values);
  interpolate (self, past, first, n_rows - 1, then, from, n, values);
  /* Newton's form: what the polynomial of the rows lacks at @t, times the product that is 0 at each
   * of them and 1 there. */
  for (guint i = first; i < n_rows; i++)
    share *= (then - get_row (self, past, i)[TIME]) / (t - get_row (self, past, i)[TIME]);
  for (guint i = 0; i < n; i++)
    {
      double reached;

      interpolate (self, past, first, n_rows - 1, t, from + i, 1, &reached);
      values[i] += share * (now[i] - reached);
    }
  return TRUE;
}

const double *
weir_past_get_first (const WeirPast *self, const double *past)
{
  return count_rows (self, past) > 0 ? get_row (self, past, 0) + VALUES : NULL;
}

/* --- Breaks ---------------------------------------------------------------------------------- */

double
weir_past_find_break (const WeirPast *self, const double *past, double after)
{
  guint n = count_rows (self, past);

  for (guint i = 0; i < n; i++)
    {
      const double *row = get_row (self, past, i);

      if (row[ORDER] > 0 && row[ORDER] < WEIR_PAST_MAX_ORDER && row[TIME] + self->delay > after)
        return row[TIME] + self->delay;
    }
  return INFINITY;
}

double
weir_past_find_short_step (const WeirPast *self, const double *past, double after)
{
  guint n = count_rows (self, past);
  double next = INFINITY;

  for (guint i = 0; i < n; i++)
    {
      const double *row = get_row (self, past, i);
      double step = self->delay / self->n_points;

      for (guint k = 0; row[ORDER] > 0 && k <= SHORT_STEPS; k++, step /= 2)
        if (row[TIME] + step > after + get_slack (self, after, ONE_INSTANT))
          next = MIN (next, row[TIME] + step);
    }
  return next;
}

double
weir_past_get_distance (const WeirPast *self, const double *past, double then)
{
  guint n = count_rows (self, past);
  double nearest = INFINITY;

  for (guint i = 0; i < n; i++)
    {
      const double *row = get_row (self, past, i);

      if (row[ORDER] > 0 && row[ORDER] < WEIR_PAST_MAX_ORDER
          && fabs (then - row[TIME]) < fabs (nearest))
        nearest = then - row[TIME];
    }
  return isfinite (nearest) ? nearest : 1.0;
}

guint
weir_past_get_order (const WeirPast *self, const double *past, double t)
{
  double slack = get_slack (self, t, ONE_INSTANT);
  guint n = count_rows (self, past);

  for (guint i = 0; i < n; i++)
    {
      const double *row = get_row (self, past, i);

      if (row[ORDER] > 0 && row[ORDER] < WEIR_PAST_MAX_ORDER
          && fabs (row[TIME] + self->delay - t) <= slack)
        return (guint) row[ORDER] + 1;
    }
  return 0;
}

/* --- Keeping --------------------------------------------------------------------------------- */

WeirStatus
weir_past_end_step (G_GNUC_UNUSED const WeirCalc *c, G_GNUC_UNUSED gint64 n)
{
  return WEIR_DID_NOTHING;
}

static gboolean
is_smooth (const WeirPast *self, const double *a, const double *b)
{
  for (guint i = 0; i < self->size; i++)
    if (!(fabs (a[i] - b[i]) <= SMOOTH * MAX (fabs (a[i]), fabs (b[i]))))
      return FALSE;
  return TRUE;
}

/* Drops rows that nothing read later can need: all but three of those before the delay. */
static void
forget (const WeirPast *self, double t, double *past)
{
  guint n = count_rows (self, past);
  guint until = count_until (self, past, t - self->delay - get_slack (self, t, ONE_INSTANT));
  guint n_dropped = until > 3 ? until - 3 : 0;

  if (n_dropped == 0)
    return;
  memmove (past + 1, get_row (self, past, n_dropped),
           (n - n_dropped) * get_row_size (self) * sizeof *past);
  past[0] = n - n_dropped;
}

WeirStatus
weir_past_keep (const WeirPast *self, const WeirCalc *c, const double *values, guint order,
                double *past)
{
  double t = weir_calc_time (c);
  guint n = count_rows (self, past);
  double *row;

  if (n > 0 && t - get_row (self, past, n - 1)[TIME] <= get_slack (self, t, ONE_INSTANT))
    {
      gboolean is_jump = !is_smooth (self, get_row (self, past, n - 1) + VALUES, values);

      if (!is_jump && (order == 0 || n == 1 || is_break (self, past, n - 2)))
        return WEIR_DID_NOTHING;
      order = is_jump ? 1 : order;
      if (n == 1) /* events of the start: there was nothing before */
        n = 0;
    }
  else
    {
      double spacing = self->delay / (2 * self->n_points);

      order = n == 0 ? 1 : 0; /* a break begins with its second row */
      forget (self, t, past);
      n = count_rows (self, past);
      /* The last row gives way if it is near to the one before and no side of a break. */
      if (n > 1 && get_row (self, past, n - 1)[TIME] - get_row (self, past, n - 2)[TIME] < spacing
          && !is_break (self, past, n - 2))
        n--;
    }
  if (n == self->capacity)
    return weir_calc_fail (c,
                           "The input jumps more than %u times within the delay of %g s; give the "
                           "delay more points.",
                           self->n_points, self->delay);
  row = past + 1 + n * get_row_size (self);
  row[TIME] = t;
  row[ORDER] = order;
  memcpy (row + VALUES, values, self->size * sizeof *values);
  past[0] = n + 1;
  return WEIR_OK;
}

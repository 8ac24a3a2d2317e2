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
/* Times as near to each other as the points are rows where the values ask for it. */
#define FINEST 8
/* Rows that show how near: a cubic and one more. */
#define N_COURSE 5
/* Relative accuracies that what is read may be off by; how often more it may be more than not, as
 * about a kink, before somebody is told. */
#define ALLOWED 4
#define OFTEN 8
/* Times what a cubic may be off by: there is a kink. */
#define KINK 64
#define TOLD (-1.0)
/* Instead of the order of a break: the solver began anew there, so that one may be. Such a row is
 * judged, and not dropped before, unless it is nearer to another than that part of the least
 * distance. */
#define MAYBE (-1.0)
#define LEAST_PART 1e-3

/* Of the state, before the rows: their number, and how many more of the last were too far apart
 * than were not. */
enum {
  N_ROWS,
  N_COARSE,
  N_HEAD,
};

/* Of a row. */
enum {
  TIME,
  ORDER,
  VALUES,
};

WeirPast
weir_past_make (double delay, guint32 size, guint32 n_points)
{
  return (WeirPast) { delay, size, n_points, (2 * FINEST + 2) * n_points + 8, 0 };
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
  return weir_budget_allows (weir_budget_add (n, N_HEAD), sizeof (double),
                             N_ ("The past that is kept"),
                             N_ ("give the delay fewer points or a narrower input"), error);
}

gsize
weir_past_get_n_numbers (const WeirPast *self)
{
  return N_HEAD + self->capacity * get_row_size (self);
}

static const double *
get_row (const WeirPast *self, const double *past, guint i)
{
  return past + N_HEAD + i * get_row_size (self);
}

static guint
count_rows (const WeirPast *self, const double *past)
{
  return past[N_ROWS] >= 1 ? (guint) MIN (past[N_ROWS], self->capacity) : 0;
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

/* --- How near to each other rows are --------------------------------------------------------- */

static double
get_longest (const WeirPast *self)
{
  return self->delay / self->n_points;
}

/* How far from the last of the first @n rows the next may be, for a cubic between to be right to a
 * few times @accuracy, as the values went on these rows. @is_coarse: that asks for more than there
 * is room for. Behind a break, where nothing is known yet, as little as there is. */
static double
find_length (const WeirPast *self, const double *past, guint n, double accuracy,
             gboolean *is_coarse)
{
  double longest = get_longest (self), shortest = longest / FINEST, length = longest;
  guint first = n - 1;

  *is_coarse = FALSE;
  if (accuracy == 0)
    return longest;
  while (first > 0 && n - first < N_COURSE && !is_break (self, past, first - 1))
    first--;
  if (n - first < N_COURSE)
    return shortest;
  for (guint32 i = 0; i < self->size; i++)
    {
      double bend = find_bend (self, past, first, n - 1, i), largest = 0;

      for (guint k = first; k < n; k++)
        largest = MAX (largest, fabs (get_row (self, past, k)[VALUES + i]));
      /* In the middle of four rows h apart the product of the distances is 9/16 h^4. */
      if (bend > 0)
        length = MIN (length, sqrt (sqrt (ALLOWED * accuracy * largest / (9.0 / 16 * bend))));
    }
  *is_coarse = length < shortest;
  /* Twice as far as they were so far. */
  length = MIN (length, (get_row (self, past, n - 1)[TIME] - get_row (self, past, first)[TIME]) * 2
                            / (N_COURSE - 1));
  return CLAMP (length, shortest, longest);
}

/* Is the last of the first @n rows nearer to the one before than need be, and no side of a break?
 */
static gboolean
gives_way (const WeirPast *self, const double *past, guint n, double accuracy)
{
  gboolean is_coarse;

  return n > 1 && !is_break (self, past, n - 2)
         && get_row (self, past, n - 1)[TIME] - get_row (self, past, n - 2)[TIME]
                < find_length (self, past, n - 1, accuracy, &is_coarse) / 2;
}

/* By how much the cubic through the rows before the last and @values at @t misses the last: in
 * parts of what it may be off by. */
static double
find_miss (const WeirPast *self, const double *past, double t, const double *values,
           double accuracy)
{
  guint last = count_rows (self, past) - 1, first = last;
  double at = get_row (self, past, last)[TIME], share = 1, miss = 0;

  while (first > 0 && last - first < N_COURSE - 2 && !is_break (self, past, first - 1))
    first--;
  for (guint k = first; k < last; k++)
    share *= (at - get_row (self, past, k)[TIME]) / (t - get_row (self, past, k)[TIME]);
  for (guint32 i = 0; i < self->size; i++)
    {
      double value = get_row (self, past, last)[VALUES + i], largest = fabs (values[i]);
      double there, here;

      for (guint k = first; k <= last; k++)
        largest = MAX (largest, fabs (get_row (self, past, k)[VALUES + i]));
      interpolate (self, past, first, last - 1, at, i, 1, &there);
      interpolate (self, past, first, last - 1, t, i, 1, &here);
      there += share * (values[i] - here);
      if (there != value)
        miss = MAX (miss, fabs (there - value) / (ALLOWED * accuracy * largest));
    }
  return miss;
}

/* Drops the last row if it is near to the one before and nothing is lost by that, as @values follow
 * at @t, or all is lost anyway; or makes two of it, as there is a kink. What may be one is judged
 * by rows that are far enough to tell. */
static void
look_back (const WeirPast *self, double t, const double *values, double accuracy, double *past)
{
  guint n = count_rows (self, past);
  double near = get_longest (self) / FINEST / 2, length, miss;
  gboolean is_coarse, is_near, may_be, is_known;
  double *row;

  if (n < 2)
    return;
  /* Steps are short behind it. */
  if (n > 2 && get_row (self, past, n - 2)[ORDER] == MAYBE && !is_break (self, past, n - 2)
      && get_row (self, past, n - 1)[TIME] - get_row (self, past, n - 2)[TIME] < near)
    past[N_ROWS] = --n;
  row = past + N_HEAD + (n - 1) * get_row_size (self);
  if (is_break (self, past, n - 2))
    return;
  if (row[ORDER] == MAYBE && t - row[TIME] < near
      && row[TIME] - get_row (self, past, n - 2)[TIME] > LEAST_PART * near)
    return;
  may_be = row[ORDER] == MAYBE;
  if (may_be)
    row[ORDER] = 0;
  length = find_length (self, past, n - 1, accuracy, &is_coarse);
  is_near = row[TIME] - get_row (self, past, n - 2)[TIME] < length / 2;
  is_known = n >= N_COURSE && !is_break (self, past, n - 3) && !is_break (self, past, n - 4);
  miss = accuracy > 0 ? find_miss (self, past, t, values, accuracy) : 0;
  if (n + 2 * self->n_points > self->capacity)
    past[N_ROWS] = is_near ? n - 1 : n;
  else if (is_near && (miss <= 1 || is_coarse) && (is_known || !may_be))
    past[N_ROWS] = n - 1;
  else if (is_known && !is_coarse && miss > KINK && (may_be || t - row[TIME] <= length))
    {
      memcpy (row + get_row_size (self), row, get_row_size (self) * sizeof *row);
      row[get_row_size (self) + ORDER] = row[ORDER] > 0 ? row[ORDER] : 2;
      row[ORDER] = 0;
      past[N_ROWS] = n + 1;
    }
}

/* @length after @base or a little before, where parts of the delay from time 0 on end: sums of
 * lengths would miss what others round to whole times, and each other. */
static double
put_on_grid (const WeirPast *self, double base, double length)
{
  double unit = get_longest (self), shortest = unit / FINEST, k;

  while (unit > length && unit > shortest)
    unit /= 2;
  k = floor ((base + length) / unit + 1e-6);
  return unit * (k * unit > base + shortest / 2 ? k : k + 1);
}

double
weir_past_find_row (const WeirPast *self, const double *past, double accuracy, double after)
{
  guint n = count_rows (self, past);
  gboolean is_coarse;

  if (n > 0 && gives_way (self, past, n, accuracy))
    {
      double base = get_row (self, past, n - 2)[TIME];
      double next = put_on_grid (self, base, find_length (self, past, n - 1, accuracy, &is_coarse));

      if (next > after + get_slack (self, after, ONE_INSTANT))
        return next;
    }
  return put_on_grid (self, after,
                      n > 0 ? find_length (self, past, n, accuracy, &is_coarse)
                            : get_longest (self) / FINEST);
}

/* Tells, once, that the rows are too far apart. Those that are near to each other, as behind a
 * kink, say nothing of that. */
static void
watch (const WeirPast *self, const WeirCalc *c, double *past)
{
  guint n = count_rows (self, past);
  gboolean is_coarse;

  if (past[N_COARSE] == TOLD || n < 2
      || get_row (self, past, n - 1)[TIME] - get_row (self, past, n - 2)[TIME]
             < get_longest (self) / FINEST / 2)
    return;
  find_length (self, past, n, weir_calc_accuracy (c), &is_coarse);
  past[N_COARSE] = is_coarse ? past[N_COARSE] + 1 : MAX (past[N_COARSE] - 1, 0);
  if (past[N_COARSE] < OFTEN)
    return;
  past[N_COARSE] = TOLD;
  weir_calc_warn (
      c,
      "what is delayed changes so fast that its past, of which %u values are kept within "
      "%g s, is not known to the tolerance; shorten the longest delay or give it more "
      "points",
      FINEST * self->n_points, self->delay);
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
  memmove (past + N_HEAD, get_row (self, past, n_dropped),
           (n - n_dropped) * get_row_size (self) * sizeof *past);
  past[N_ROWS] = n - n_dropped;
}

WeirStatus
weir_past_keep (const WeirPast *self, const WeirCalc *c, const double *values, guint order,
                gboolean is_anew, double *past)
{
  double t = weir_calc_time (c);
  guint n = count_rows (self, past);
  double *row;

  if (n > 0 && t - get_row (self, past, n - 1)[TIME] <= get_slack (self, t, ONE_INSTANT))
    {
      gboolean is_jump = !is_smooth (self, get_row (self, past, n - 1) + VALUES, values);

      row = past + N_HEAD + (n - 1) * get_row_size (self);
      if (!is_jump && (order == 0 || n == 1 || is_break (self, past, n - 2)))
        {
          if (!is_anew || row[ORDER] != 0 || n == 1 || is_break (self, past, n - 2))
            return WEIR_DID_NOTHING;
          row[ORDER] = MAYBE;
          return WEIR_OK;
        }
      order = is_jump ? 1 : order;
      if (n == 1) /* events of the start: there was nothing before */
        n = 0;
    }
  else
    {
      order = n == 0 ? 1 : 0; /* a break begins with its second row */
      forget (self, t, past);
      n = count_rows (self, past);
      look_back (self, t, values, weir_calc_accuracy (c), past);
      n = count_rows (self, past);
    }
  if (n == self->capacity)
    return weir_calc_fail (c,
                           "The input jumps too often within the delay of %g s for its %u points; "
                           "give the delay more points.",
                           self->delay, self->n_points);
  row = past + N_HEAD + n * get_row_size (self);
  row[TIME] = t;
  row[ORDER] = order;
  memcpy (row + VALUES, values, self->size * sizeof *values);
  past[N_ROWS] = n + 1;
  watch (self, c, past);
  return WEIR_OK;
}

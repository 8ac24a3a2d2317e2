/* Margins of a loop, and the count of unstable poles. See margins.h. */
#include "linear/margins.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define N_POINTS 400   /* between the decades around poles and zeros */
#define MORE_DECADES 6 /* beyond, on each side */
#define PER_DECADE 20
#define DELAY_STEP 0.2 /* rad that a delay turns from a point to the next */
#define DELAY_TURNS 20 /* half turns of the longest delay that are looked at */
#define MOST_DELAY_POINTS 4000
#define REAL 1e-4 /* |Im L| / |L| of which one end of a true crossing has more */

/* --- What is looked at ----------------------------------------------------------------------- */

static gint
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* @n_points within the decades of poles and zeros, fewer outside. (transfer full) */
static GArray *
list_points (const WeirLinear *linear)
{
  GArray *points = weir_linear_list_frequencies (linear, N_POINTS);
  double first = g_array_index (points, double, 0);
  double last = g_array_index (points, double, points->len - 1);
  double longest = 0;

  for (guint i = 0; i < linear->n_delays; i++)
    longest = fmax (longest, linear->delays[i]);
  for (guint k = 1; k <= MORE_DECADES * PER_DECADE; k++)
    {
      double below = first * pow (10, -(double) k / PER_DECADE);
      double above = last * pow (10, (double) k / PER_DECADE);

      g_array_append_val (points, below);
      if (linear->period == 0 && longest == 0)
        g_array_append_val (points, above);
    }
  for (guint k = 1; longest > 0 && k < MOST_DELAY_POINTS; k++)
    {
      double omega = k * DELAY_STEP / longest;

      if (omega > fmax (last, DELAY_TURNS * G_PI / longest))
        break;
      g_array_append_val (points, omega);
    }
  g_array_sort (points, compare);
  return points;
}

/* What is looked at of L. */
typedef enum {
  LOG_GAIN,      /* log |L| */
  IMAGINARY,     /* Im L / |L| */
  SENSITIVITY,   /* |1 / (1 + L)| */
  COMPLEMENTARY, /* |L / (1 + L)| */
} Look;

static double
look_at (double complex l, Look look)
{
  switch (look)
    {
    case LOG_GAIN:
      return log (cabs (l));
    case IMAGINARY:
      return cimag (l) / cabs (l);
    case SENSITIVITY:
      return 1 / cabs (1 + l);
    case COMPLEMENTARY:
    default:
      return cabs (l / (1 + l));
    }
}

static double
look (WeirResponse *response, double omega, Look what)
{
  double complex l;

  return weir_response_eval (response, omega, &l) ? look_at (l, what) : (double) NAN;
}

/* Where @what less @level is 0, between @a and @b, at which it has the values @fa and @fb of
 * opposite signs: false position with halved ends (Illinois). */
static double
find_root (WeirResponse *response, Look what, double level, double a, double fa, double b,
           double fb)
{
  for (guint i = 0; i < 200 && fabs (b - a) > 2 * DBL_EPSILON * fabs (b); i++)
    {
      double c = i % 4 == 3 ? a + (b - a) / 2 : b - fb * (b - a) / (fb - fa), fc;

      if (!(c > fmin (a, b) && c < fmax (a, b)))
        c = a + (b - a) / 2;
      if (c == a || c == b)
        break;
      fc = look (response, c, what) - level;
      if (!isfinite (fc) || fc == 0)
        return c;
      if ((fc > 0) != (fb > 0))
        {
          a = b;
          fa = fb;
        }
      else
        fa /= 2;
      b = c;
      fb = fc;
    }
  return b;
}

#define GOLDEN 0.6180339887498949

/* The largest value of @what between @a and @b. */
static double
find_largest (WeirResponse *response, Look what, double a, double b, double *omega)
{
  double c = b - GOLDEN * (b - a), d = a + GOLDEN * (b - a);
  double fc = look (response, c, what), fd = look (response, d, what);

  for (guint i = 0; i < 80 && b - a > 1e-12 * b; i++)
    if (fc > fd)
      {
        b = d;
        d = c;
        fd = fc;
        c = b - GOLDEN * (b - a);
        fc = look (response, c, what);
      }
    else
      {
        a = c;
        c = d;
        fc = fd;
        d = a + GOLDEN * (b - a);
        fd = look (response, d, what);
      }
  *omega = a + (b - a) / 2;
  return look (response, *omega, what);
}

/* --- Crossings ------------------------------------------------------------------------------- */

typedef struct {
  WeirMargins *margins;
  WeirResponse *response;
  guint n;
  const double *omega;
  double complex *values; /* of L; NAN at a pole */
  double top;             /* rad/s: half the rate of a sampled loop; INFINITY */
} Search;

static void
add_phase_crossing (Search *self, double omega)
{
  WeirCrossing crossing = { omega, (double) NAN, (double) NAN, (double) NAN };
  double complex l;

  if (!weir_response_eval (self->response, omega, &l) || !(creal (l) < 0))
    return;
  /* A pole on the axis changes the sign too. */
  if (fabs (cimag (l)) > 1e-6 * cabs (l))
    return;
  crossing.gain_margin = 1 / cabs (l);
  g_array_append_val (self->margins->phase_crossings, crossing);
}

static void
add_gain_crossing (Search *self, double omega)
{
  WeirCrossing crossing = { omega, (double) NAN, (double) NAN, (double) NAN };
  double complex l;

  if (!weir_response_eval (self->response, omega, &l))
    return;
  crossing.phase_margin = carg (-l) * 180 / G_PI;
  crossing.delay_margin = (crossing.phase_margin < 0 ? crossing.phase_margin + 360
                                                     : crossing.phase_margin)
                          * G_PI / 180 / omega;
  g_array_append_val (self->margins->gain_crossings, crossing);
}

static gboolean
is_between (double a, double b)
{
  return (a < 0 && b >= 0) || (a > 0 && b <= 0);
}

static void
find_crossings (Search *self)
{
  double complex end;

  if (weir_response_eval (self->response, 0, &end) && creal (end) < 0)
    add_phase_crossing (self, 0);
  for (guint i = 0; i + 1 < self->n; i++)
    {
      double complex a = self->values[i], b = self->values[i + 1];
      double wa = self->omega[i], wb = self->omega[i + 1], fa, fb;

      if (!isfinite (cabs (a)) || !isfinite (cabs (b)) || cabs (a) == 0 || cabs (b) == 0)
        continue;
      fa = look_at (a, LOG_GAIN);
      fb = look_at (b, LOG_GAIN);
      if (is_between (fa, fb))
        add_gain_crossing (self, find_root (self->response, LOG_GAIN, 0, wa, fa, wb, fb));
      fa = look_at (a, IMAGINARY);
      fb = look_at (b, IMAGINARY);
      /* On the real axis for long, as at low frequencies, only rounding changes signs. */
      if (is_between (fa, fb) && (creal (a) < 0 || creal (b) < 0)
          && fmax (fabs (fa), fabs (fb)) > REAL)
        add_phase_crossing (self, find_root (self->response, IMAGINARY, 0, wa, fa, wb, fb));
    }
  if (isfinite (self->top) && weir_response_eval (self->response, self->top, &end)
      && creal (end) < 0 && fabs (cimag (end)) < 1e-9 * cabs (end))
    add_phase_crossing (self, self->top);
}

/* The smallest of each. */
static void
choose (WeirMargins *self)
{
  for (guint i = 0; i < self->phase_crossings->len; i++)
    {
      WeirCrossing c = g_array_index (self->phase_crossings, WeirCrossing, i);

      if (!(fabs (log (c.gain_margin)) >= fabs (log (self->gain.gain_margin))))
        self->gain = c;
    }
  for (guint i = 0; i < self->gain_crossings->len; i++)
    {
      WeirCrossing c = g_array_index (self->gain_crossings, WeirCrossing, i);

      if (!(fabs (c.phase_margin) >= fabs (self->phase.phase_margin)))
        self->phase = c;
      if (!(c.delay_margin >= self->delay.delay_margin))
        self->delay = c;
    }
}

static double
find_peak (const Search *self, Look what, double *omega)
{
  double largest = -1, values[3];
  guint at = 0;

  for (guint i = 0; i < self->n; i++)
    {
      values[0] = isfinite (cabs (self->values[i])) ? look_at (self->values[i], what) : -1;
      if (values[0] > largest)
        {
          largest = values[0];
          at = i;
        }
    }
  *omega = self->omega[at];
  if (at > 0 && at + 1 < self->n)
    {
      double better, where;

      better = find_largest (self->response, what, self->omega[at - 1], self->omega[at + 1],
                             &where);
      if (better >= largest)
        {
          largest = better;
          *omega = where;
        }
    }
  return largest;
}

/* The first frequency from which on |T| is below @part of what it is at 0. */
static double
find_bandwidth (const Search *self, double part)
{
  double level = look (self->response, 0, COMPLEMENTARY), before = (double) NAN, last = 0;

  /* An integrator in the loop: T (0) is 1, and L (0) has no value. */
  if (!isfinite (level))
    level = look_at (self->values[0], COMPLEMENTARY);
  for (guint i = 0; i < self->n; i++)
    {
      double value = isfinite (cabs (self->values[i])) ? look_at (self->values[i], COMPLEMENTARY)
                                                       : 1;

      if (value < part * level && before >= part * level)
        return find_root (self->response, COMPLEMENTARY, part * level, last, before - part * level,
                          self->omega[i], value - part * level);
      before = value;
      last = self->omega[i];
    }
  return (double) NAN;
}

static void
count (WeirMargins *self, const WeirLinear *l)
{
  g_autoptr (WeirLinear) closed = weir_linear_close (l);

  self->is_algebraic = closed == NULL;
  self->is_counted = closed != NULL && weir_linear_count_unstable (l, &self->n_unstable_open)
                     && weir_linear_count_unstable (closed, &self->n_unstable_closed);
  self->encirclements = (int) self->n_unstable_closed - (int) self->n_unstable_open;
}

WeirMargins *
weir_margins_new (const WeirLinear *l)
{
  WeirMargins *self = g_new0 (WeirMargins, 1);
  const WeirCrossing none = { (double) NAN, (double) NAN, (double) NAN, (double) NAN };
  g_autoptr (GArray) points = list_points (l);
  g_autoptr (WeirResponse) response = weir_response_new (l);
  g_autofree double complex *values = g_new (double complex, points->len);
  Search search = { .margins = self,
                    .response = response,
                    .n = points->len,
                    .omega = (const double *) points->data,
                    .values = values,
                    .top = l->period > 0 ? G_PI * l->n_slots / l->period : (double) INFINITY };

  self->phase_crossings = g_array_new (FALSE, FALSE, sizeof (WeirCrossing));
  self->gain_crossings = g_array_new (FALSE, FALSE, sizeof (WeirCrossing));
  self->gain = self->phase = self->delay = none;
  for (guint i = 0; i < points->len; i++)
    if (!weir_response_eval (response, search.omega[i], &values[i]))
      values[i] = (double) NAN;
  find_crossings (&search);
  choose (self);
  self->sensitivity = find_peak (&search, SENSITIVITY, &self->sensitivity_omega);
  self->complementary = find_peak (&search, COMPLEMENTARY, &self->complementary_omega);
  self->bandwidth = find_bandwidth (&search, sqrt (0.5));
  self->bandwidth_3db = find_bandwidth (&search, pow (10, -3.0 / 20));
  count (self, l);
  return self;
}

void
weir_margins_free (WeirMargins *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->phase_crossings);
  g_array_unref (self->gain_crossings);
  g_free (self);
}

/* --- Counting -------------------------------------------------------------------------------- */

#define ON_AXIS 1e-7  /* of the largest pole: as near to the axis is on it */
#define MOST_TURN 0.5 /* rad between two points */
#define MOST_HALVINGS 40

/* By how much the characteristic function turns from @a to @b along Re s = @sigma. */
static gboolean
add_turn (WeirResponse *response, double sigma, double a, double complex fa, double b,
          double complex fb, guint depth, double *turn)
{
  double angle = carg (fb / fa);
  double middle = a + (b - a) / 2;
  double complex fm;

  if (!isfinite (angle))
    return FALSE;
  if (fabs (angle) <= MOST_TURN)
    {
      *turn += angle;
      return TRUE;
    }
  if (depth >= MOST_HALVINGS)
    return FALSE;
  fm = weir_response_eval_delays (response, sigma + WEIR_I * middle);
  return add_turn (response, sigma, a, fa, middle, fm, depth + 1, turn)
         && add_turn (response, sigma, middle, fm, b, fb, depth + 1, turn);
}

/* Turns of det (I - G22 E), clockwise, along all of a line right beside the imaginary axis. */
static gboolean
count_turns (const WeirLinear *self, double sigma, int *n)
{
  g_autoptr (WeirResponse) response = weir_response_new (self);
  g_autoptr (GArray) points = list_points (self);
  double last = g_array_index (points, double, points->len - 1), turn = 0, before = 0;
  double complex f = weir_response_eval_delays (response, sigma);

  for (double omega = sigma / 10; omega < last; omega *= 1.3)
    g_array_append_val (points, omega);
  for (double omega = last; omega < last * 1e4; omega *= 1.1)
    g_array_append_val (points, omega);
  g_array_sort (points, compare);
  for (guint i = 0; i < points->len; i++)
    {
      double omega = g_array_index (points, double, i);
      double complex next = weir_response_eval_delays (response, sigma + WEIR_I * omega);

      /* Where no turn can come any more, turns need not be followed. */
      if (omega > last && cabs (next - 1) < 0.1 && cabs (f - 1) < 0.1)
        break;
      if (!add_turn (response, sigma, before, f, omega, next, 0, &turn))
        return FALSE;
      before = omega;
      f = next;
    }
  *n = (int) lround (-turn / G_PI);
  return cabs (f - 1) < 1;
}

gboolean
weir_linear_count_unstable (const WeirLinear *self, guint *n)
{
  guint size = self->a->rows;
  g_autofree double *re = g_new (double, size + 1);
  g_autofree double *im = g_new (double, size + 1);
  double largest = 0, sigma;
  int turns = 0;

  *n = 0;
  if (!weir_linear_get_poles (self, re, im))
    return FALSE;
  for (guint i = 0; i < size; i++)
    largest = fmax (largest, hypot (re[i], im[i]));
  for (guint i = 0; i < self->n_delays; i++)
    largest = fmax (largest, 1 / self->delays[i]);
  sigma = ON_AXIS * largest;
  for (guint i = 0; i < size; i++)
    *n += self->period > 0 ? hypot (re[i], im[i]) > 1 + ON_AXIS : re[i] > sigma;
  if (self->n_delays == 0)
    return TRUE;
  if (self->period > 0 || !count_turns (self, sigma, &turns) || turns + (int) *n < 0)
    return FALSE;
  *n += (guint) turns;
  return TRUE;
}

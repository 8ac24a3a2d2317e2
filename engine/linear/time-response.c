/* Steps and impulses of linear systems. See time-response.h. */
#include "linear/time-response.h"

#include <math.h>
#include <string.h>

#define NOWHERE 1e-9  /* of the peak: a step that comes back to 0 has no way to be measured by */
#define ROUNDING 1e-9 /* %: less is no undershoot */
#define N_ROWS 2400
#define MOST_TICKS 20000
#define N_HALVES 12   /* of the time between two rows, where a figure is sought */
#define SETTLED 9.0   /* time constants: e^-9 is a ten thousandth */
#define SLOWEST 1e-9  /* of the fastest pole: slower is at rest */
#define PER_PERIOD 12 /* rows at least */
#define TENTH .1
#define BAND .02

typedef struct {
  const WeirLinear *linear;
  guint n; /* states */
  double h;
  WeirMatrix *parts[N_HALVES]; /* after h / 2, h / 4, ... */
  double *states;              /* by row: n states and the input that is on */
  guint *lags;                 /* of each delay, in rows */
} Walk;

void
weir_time_response_free (WeirTimeResponse *self)
{
  g_free (self->times);
  g_free (self->values);
  g_free (self);
}

double
weir_linear_get_dc_gain (const WeirLinear *linear)
{
  g_autoptr (WeirResponse) response = weir_response_new (linear);
  double complex value;
  double omega = 1;

  if (weir_response_eval (response, 0, &value))
    return creal (value);
  for (guint i = 0; i < linear->n_delays; i++)
    omega = MIN (omega, 1 / linear->delays[i]);
  /* An integrator whose way back is through a delay is none. */
  if (linear->n_delays > 0 && weir_response_eval (response, SLOWEST * omega, &value)
      && cabs (value) < 1 / SLOWEST / 1e3)
    return creal (value);
  return (double) INFINITY;
}

/* --- How long --------------------------------------------------------------------------------- */

typedef struct {
  double slowest, fastest; /* rates, 1 / s */
  double swing;            /* rad/s: the fastest hardly damped one */
  double growth;           /* the fastest that grows */
  guint n_slow;            /* about as slow as the slowest: together they take longer */
  gboolean rests;          /* is all of it going to rest? */
} Pace;

static Pace
find_pace (const WeirLinear *linear)
{
  guint n = weir_linear_get_n_states (linear);
  g_autofree double *re = g_new (double, n + 1);
  g_autofree double *im = g_new (double, n + 1);
  Pace pace = { INFINITY, 0, 0, 0, 0, weir_linear_get_poles (linear, re, im) };
  double limit = 0;

  for (guint i = 0; i < n && pace.rests; i++)
    {
      double complex p = re[i] + WEIR_I * im[i];

      if (linear->period > 0)
        p = cabs (p) > 0 ? clog (p) / linear->period : -50 / linear->period;
      re[i] = creal (p);
      im[i] = fabs (cimag (p));
      limit = MAX (limit, cabs (p));
    }
  for (guint i = 0; i < n && pace.rests; i++)
    {
      double rate = -re[i];

      pace.fastest = MAX (pace.fastest, hypot (re[i], im[i]));
      if (rate > SLOWEST * limit)
        pace.slowest = MIN (pace.slowest, rate);
      else if (rate < -SLOWEST * limit)
        pace.growth = MAX (pace.growth, -rate);
      if (rate < im[i])
        pace.swing = MAX (pace.swing, im[i]);
    }
  for (guint i = 0; i < n; i++)
    pace.n_slow += -re[i] >= pace.slowest && -re[i] <= 2 * pace.slowest;
  for (guint i = 0; i < n && pace.rests; i++)
    pace.rests = re[i] < -SLOWEST * limit;
  return pace;
}

static double
find_until (const WeirLinear *linear, Pace pace)
{
  double until = isfinite (pace.slowest)
                     ? (SETTLED + 3. * (MAX (pace.n_slow, 1) - 1)) / pace.slowest
                     : 0,
         longest = 0;

  for (guint i = 0; i < linear->n_delays; i++)
    longest = MAX (longest, linear->delays[i]);
  if (pace.growth > 0)
    until = SETTLED / 2 / pace.growth;
  else if (!pace.rests && pace.swing > 0)
    until = MAX (until, 40 * G_PI / pace.swing);
  if (until == 0)
    until = pace.fastest > 0     ? SETTLED / pace.fastest
            : linear->period > 0 ? 20 * linear->period
                                 : 1;
  until += longest;
  if (longest > 0) /* in a loop it goes round many times */
    until = MAX (until, 12 * longest);
  return until;
}

/* --- Continuous ------------------------------------------------------------------------------- */

/* exp of [A, B; 0, 0] over h for inputs that are held. */
static WeirMatrix *
exp_held (const WeirLinear *linear, double h)
{
  guint n = linear->a->rows, m = linear->b->columns;
  g_autoptr (WeirMatrix) whole = weir_matrix_new (n + m, n + m);

  weir_matrix_put (whole, 0, 0, linear->a);
  weir_matrix_put (whole, 0, n, linear->b);
  return weir_matrix_exp (whole, h);
}

static double
get_output (const WeirLinear *linear, guint row, const double *x, const double *u)
{
  double y = 0;

  for (guint i = 0; i < linear->a->rows; i++)
    y += weir_matrix_get (linear->c, row, i) * x[i];
  for (guint i = 0; i < linear->d->columns; i++)
    y += weir_matrix_get (linear->d, row, i) * u[i];
  return y;
}

static void
apply (const WeirMatrix *m, const double *from, double *to)
{
  for (guint i = 0; i < m->rows; i++)
    {
      double sum = 0;

      for (guint j = 0; j < m->columns; j++)
        sum += weir_matrix_get (m, i, j) * from[j];
      to[i] = sum;
    }
}

/* The length of a row: of which the longest delay is a multiple. */
static double
choose_row (const WeirLinear *linear, double until, Pace pace)
{
  double h = until / N_ROWS, longest = 0;

  if (pace.swing > 0)
    h = MAX (MIN (h, 2 * G_PI / pace.swing / PER_PERIOD), until / (8 * N_ROWS));
  for (guint i = 0; i < linear->n_delays; i++)
    longest = MAX (longest, linear->delays[i]);
  for (guint i = 0; i < linear->n_delays; i++)
    if (linear->delays[i] > 0)
      h = MIN (h, linear->delays[i]);
  return longest > 0 ? longest / ceil (longest / h) : h;
}

static void
walk_plain (Walk *walk, WeirTimeResponse *response, gboolean is_impulse)
{
  const WeirLinear *linear = walk->linear;
  guint n = walk->n;
  g_autoptr (WeirMatrix) next = exp_held (linear, walk->h);

  for (guint i = 0; i < n && is_impulse; i++)
    walk->states[i] = weir_matrix_get (linear->b, i, 0);
  walk->states[n] = is_impulse ? 0 : 1;
  for (guint k = 0; k < response->n; k++)
    {
      double *x = &walk->states[k * (n + 1)];

      response->values[k] = get_output (linear, 0, x, x + n);
      if (k + 1 < response->n)
        apply (next, x, x + n + 1);
    }
}

/* What comes out of the delays is what went in so many rows before, on either side of a row: it
 * jumps there. Within a row it moves evenly. */
static void
walk_delayed (Walk *walk, WeirTimeResponse *response)
{
  const WeirLinear *linear = walk->linear;
  guint n = walk->n, q = linear->n_delays, m = 1 + q, size = n + 2 * m;
  g_autoptr (WeirMatrix) whole = weir_matrix_new (size, size);
  g_autoptr (WeirMatrix) next = NULL;
  g_autofree double *in = g_new0 (double, ((gsize) response->n + 1) * 2 * q); /* right, then left */
  g_autofree double *v = g_new0 (double, 2 * size);

  weir_matrix_put (whole, 0, 0, linear->a);
  weir_matrix_put (whole, 0, n, linear->b);
  for (guint i = 0; i < m; i++)
    *weir_matrix_at (whole, n + i, n + m + i) = 1 / walk->h;
  next = weir_matrix_exp (whole, walk->h);
  for (guint k = 0; k < response->n; k++)
    {
      double *u = v + n, *after = v + size;

      u[0] = 1;
      u[m] = 0;
      for (guint i = 0; i < q; i++)
        {
          guint lag = walk->lags[i];

          u[1 + i] = k >= lag ? in[(k - lag) * 2 * q + i] : 0;
          u[m + 1 + i] = (k + 1 > lag ? in[(k + 1 - lag) * 2 * q + q + i] : 0) - u[1 + i];
        }
      response->values[k] = get_output (linear, 0, v, u);
      for (guint i = 0; i < q; i++)
        in[k * 2 * q + i] = get_output (linear, 1 + i, v, u);
      apply (next, v, after);
      for (guint i = 0; i < q; i++)
        in[(k + 1) * 2 * q + q + i] = get_output (linear, 1 + i, after, after + n);
      memcpy (v, after, n * sizeof *v);
    }
}

/* --- Sampled ---------------------------------------------------------------------------------- */

static void
walk_sampled (const WeirLinear *linear, WeirTimeResponse *response, gboolean is_impulse)
{
  guint n = linear->a->rows, slots = linear->n_slots, m = linear->b->columns;
  g_autofree double *x = g_new0 (double, n + m + 1);
  g_autofree double *after = g_new0 (double, n + 1);
  double *u = x + n;

  for (guint k = 0; k < slots; k++)
    u[k] = is_impulse ? k == 0 : 1;
  for (guint k = 0; k < response->n; k++)
    {
      guint slot = k % slots;

      response->values[k] = get_output (linear, slot, x, u);
      if (slot + 1 < slots)
        continue;
      for (guint i = 0; i < n; i++)
        {
          after[i] = 0;
          for (guint j = 0; j < n; j++)
            after[i] += weir_matrix_get (linear->a, i, j) * x[j];
          for (guint j = 0; j < m; j++)
            after[i] += weir_matrix_get (linear->b, i, j) * u[j];
        }
      memcpy (x, after, n * sizeof *x);
      if (is_impulse)
        memset (u, 0, m * sizeof *u);
    }
}

/* --- Figures ---------------------------------------------------------------------------------- */

/* The time between rows @k and @k + 1 at which sum of row * (x, u) becomes @level. */
static double
find_crossing (Walk *walk, const WeirTimeResponse *response, guint k, const double *row,
               double level)
{
  guint size = walk->n + 1;
  g_autofree double *x = g_memdup2 (&walk->states[k * size], size * sizeof *x);
  g_autofree double *half = g_new (double, size);
  double time = response->times[k], h = walk->h, at = -level, next;

  for (guint i = 0; i < size; i++)
    at += row[i] * x[i];
  for (guint p = 0; p < N_HALVES; p++)
    {
      double middle = -level;

      h /= 2;
      if (walk->parts[p] == NULL)
        walk->parts[p] = exp_held (walk->linear, h);
      apply (walk->parts[p], x, half);
      for (guint i = 0; i < size; i++)
        middle += row[i] * half[i];
      if ((middle > 0) != (at > 0))
        continue;
      memcpy (x, half, size * sizeof *x);
      at = middle;
      time += h;
    }
  apply (walk->parts[N_HALVES - 1], x, half);
  next = -level;
  for (guint i = 0; i < size; i++)
    next += row[i] * half[i];
  return time + (next != at ? CLAMP (-at / (next - at), 0, 1) : 0) * h;
}

/* When the response first is past @level, seen from 0; or, @last, is for good. NAN: never. */
static double
find_time (Walk *walk, const WeirTimeResponse *response, double level, gboolean upwards)
{
  const WeirLinear *linear = walk->linear;
  const double *y = response->values;

  for (guint k = 0; k < response->n; k++)
    {
      g_autofree double *row = NULL;

      if (upwards ? y[k] < level : y[k] > level)
        continue;
      if (k == 0 || response->is_held)
        return response->times[k];
      if (walk->states == NULL)
        return response->times[k - 1] + (level - y[k - 1]) / (y[k] - y[k - 1]) * walk->h;
      row = g_new (double, walk->n + 1);
      for (guint i = 0; i < walk->n; i++)
        row[i] = weir_matrix_get (linear->c, 0, i);
      row[walk->n] = weir_matrix_get (linear->d, 0, 0);
      return find_crossing (walk, response, k - 1, row, level);
    }
  return (double) NAN;
}

static double
find_settling (Walk *walk, const WeirTimeResponse *response, double final, double band)
{
  const double *y = response->values;
  guint k = response->n;
  double level;

  while (k > 0 && fabs (y[k - 1] - final) <= band)
    k--;
  if (k == 0 || k == response->n)
    return k == 0 ? 0 : (double) NAN;
  if (response->is_held)
    return response->times[k];
  level = final + (y[k - 1] > final ? band : -band);
  if (walk->states == NULL)
    return response->times[k - 1] + (level - y[k - 1]) / (y[k] - y[k - 1]) * walk->h;
  else
    {
      g_autofree double *row = g_new (double, walk->n + 1);

      for (guint i = 0; i < walk->n; i++)
        row[i] = weir_matrix_get (walk->linear->c, 0, i);
      row[walk->n] = weir_matrix_get (walk->linear->d, 0, 0);
      return find_crossing (walk, response, k - 1, row, level);
    }
}

/* The extreme about row @k: where C x' is zero. */
static double
find_extreme (Walk *walk, const WeirTimeResponse *response, guint k, double *time)
{
  const WeirLinear *linear = walk->linear;
  guint n = walk->n, size = n + 1;
  g_autofree double *row = g_new0 (double, size);
  g_autofree double *x = g_new (double, size);
  g_autoptr (WeirMatrix) rest = NULL;
  guint from = k;
  double slope = 0;

  *time = response->times[k];
  if (walk->states == NULL || k == 0 || k + 1 >= response->n)
    return response->values[k];
  for (guint i = 0; i < n; i++)
    {
      for (guint j = 0; j < n; j++)
        row[j] += weir_matrix_get (linear->c, 0, i) * weir_matrix_get (linear->a, i, j);
      row[n] += weir_matrix_get (linear->c, 0, i) * weir_matrix_get (linear->b, i, 0);
    }
  for (guint i = 0; i < size; i++)
    slope += row[i] * walk->states[k * size + i];
  if ((response->values[k] > response->values[k - 1]) != (slope > 0))
    from = k - 1;
  *time = find_crossing (walk, response, from, row, 0);
  rest = exp_held (linear, *time - response->times[from]);
  apply (rest, &walk->states[from * size], x);
  return get_output (linear, 0, x, x + n);
}

static void
find_figures (Walk *walk, WeirTimeResponse *response, double final)
{
  WeirLinearStepFigures *f = &response->figures;
  const double *y = response->values;
  guint high = 0, low = 0;
  double highest, lowest, low_time, high_time, way = final;

  for (guint k = 0; k < response->n; k++)
    {
      high = y[k] > y[high] ? k : high;
      low = y[k] < y[low] ? k : low;
    }
  f->is_settling = TRUE;
  f->first = y[0];
  f->final = final;
  highest = find_extreme (walk, response, high, &high_time);
  lowest = find_extreme (walk, response, low, &low_time);
  f->peak = fabs (highest) >= fabs (lowest) ? highest : lowest;
  f->peak_time = fabs (highest) >= fabs (lowest) ? high_time : low_time;
  if (fabs (final) >= fabs (f->peak)) /* it creeps there */
    {
      f->peak = final;
      f->peak_time = (double) NAN;
    }
  if (fabs (way) <= NOWHERE * fabs (f->peak)) /* what an integral leaves is rounding */
    {
      f->final = 0;
      return;
    }
  f->overshoot = 100 * MAX (0, ((way > 0 ? highest : lowest) - final) / way);
  f->undershoot = 100 * MAX (0, -(way > 0 ? lowest : highest) / way);
  f->undershoot_time = f->undershoot > ROUNDING ? (way > 0 ? low_time : high_time) : (double) NAN;
  f->rise = find_time (walk, response, (1 - TENTH) * way, way > 0)
            - find_time (walk, response, TENTH * way, way > 0);
  f->settling = find_settling (walk, response, final, BAND * fabs (way));
}

/* --- All of it -------------------------------------------------------------------------------- */

static void
make_rows (WeirTimeResponse *response, double h, double until, guint most)
{
  response->n = (guint) CLAMP (ceil (until / h - 1e-9), 2, most) + 1;
  response->times = g_new (double, response->n);
  response->values = g_new0 (double, response->n);
  for (guint k = 0; k < response->n; k++)
    response->times[k] = k * h;
}

static void
find_rows (Walk *walk, WeirTimeResponse *response, double until, Pace pace, gboolean is_impulse)
{
  const WeirLinear *linear = walk->linear;

  if (linear->period > 0)
    {
      response->is_held = TRUE;
      make_rows (response, linear->period / linear->n_slots, until, MOST_TICKS);
      walk_sampled (linear, response, is_impulse);
      return;
    }
  walk->h = choose_row (linear, until, pace);
  make_rows (response, walk->h, until, MOST_TICKS);
  if (linear->n_delays == 0)
    {
      walk->states = g_new0 (double, (gsize) response->n *(walk->n + 1));
      walk_plain (walk, response, is_impulse);
      return;
    }
  walk->lags = g_new (guint, linear->n_delays);
  for (guint i = 0; i < linear->n_delays; i++)
    walk->lags[i] = MAX ((guint) rint (linear->delays[i] / walk->h), 1);
  walk_delayed (walk, response);
}

WeirTimeResponse *
weir_time_response_new (const WeirLinear *linear, gboolean is_impulse, double until)
{
  const double none = (double) NAN;
  Walk walk = { .linear = linear, .n = linear->a->rows };
  WeirTimeResponse *response;
  Pace pace = find_pace (linear);
  guint n_unstable = 0;
  double final;

  g_return_val_if_fail (linear->n_inputs == 1 && linear->n_outputs == 1, NULL);

  if (is_impulse && linear->n_delays > 0)
    return NULL;
  response = g_new0 (WeirTimeResponse, 1);
  response->figures = (WeirLinearStepFigures) { FALSE, none, none, none, none,
                                                none,  none, none, none, none };
  find_rows (&walk, response, until > 0 ? until : find_until (linear, pace), pace, is_impulse);
  if (linear->n_delays > 0)
    pace.rests = weir_linear_count_unstable (linear, &n_unstable) && n_unstable == 0;
  final = pace.rests && !is_impulse ? weir_linear_get_dc_gain (linear) : none;
  if (isfinite (final))
    find_figures (&walk, response, final);
  for (guint p = 0; p < N_HALVES; p++)
    g_clear_pointer (&walk.parts[p], weir_matrix_free);
  g_free (walk.states);
  g_free (walk.lags);
  return response;
}

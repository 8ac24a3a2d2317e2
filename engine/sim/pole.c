/* Poles that fixed steps pass over. See solver-private.h.
 *
 * A method that keeps its step sees the derivatives at a few instants of each step, and has no
 * estimate of its error: beyond a pole it goes on from somewhere, and what it gives is finite. How
 * the state changes from step to step is all that is looked at as a rule. Where that changes all of
 * a sudden, these steps are made again on a copy of the context with error control: that cannot
 * pass a pole, its steps shrink to nothing while the derivative grows without end. Over a kink, a
 * jump or what is merely coarse it comes in a few steps.
 *
 * Looking again costs at most a part of what the run itself does, so that what is sudden all the
 * time, as noise, does not slow it down.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "numerics/vector.h"
#include "sim/solver-private.h"

#define SUDDEN 1.5    /* times the recent rate of a state that it changes by between two steps */
#define FADING 0.9    /* of the recent rate that counts still, a step later */
#define MOVED 1e-6    /* of its size that a state changes by, for it to matter */
#define WATCHED 3     /* steps after a sudden one that are looked at too */
#define ALLOWANCE 500 /* evaluations that looking may cost in any run ... */
#define SHARE 20      /* ... and one in so many of its own */

#define MAX_TRIALS 400 /* of one look */
#define ACCURACY 1e-5  /* beside how far a state goes */
#define JUMP 4 /* times what it was that a derivative becomes at once: it did not grow there */

/* At a pole the derivative is so many times what it was before it grew, and what the steps show,
 * and steps are so small a part of those of the run, and of what they were before it grew. */
#define GROWN 1e3
#define BEYOND 20
#define SHRUNK 1e-3
#define SHRINKING 0.1

struct _WeirPoleWatch {
  WeirProblem *problem;
  guint n_before;           /* of the accepted points before the present one: 0, 1 or 2 */
  double time, time_before; /* s; of the last two points */
  double h_before;          /* s */
  double *x, *x_before;
  double *change; /* over the step before */
  double *rate;   /* 1/s: the largest recent one of each state */
  guint watched;
  guint64 spent; /* evaluations */
  gboolean is_done;
  double *memory;
};

WeirPoleWatch *
weir_pole_watch_new (WeirProblem *problem)
{
  WeirPoleWatch *self = g_new0 (WeirPoleWatch, 1);
  gsize n = problem->n;

  self->problem = problem;
  self->memory = g_new0 (double, 4 * n);
  self->x = self->memory;
  self->x_before = self->memory + n;
  self->change = self->memory + 2 * n;
  self->rate = self->memory + 3 * n;
  return self;
}

void
weir_pole_watch_free (WeirPoleWatch *self)
{
  if (self == NULL)
    return;
  g_free (self->memory);
  g_free (self);
}

void
weir_pole_watch_restart (WeirPoleWatch *self)
{
  self->n_before = 0;
  self->time = NAN;
  self->watched = 0;
  self->spent = 0;
  self->is_done = FALSE;
  memset (self->rate, 0, self->problem->n * sizeof (double));
}

void
weir_pole_watch_begin_step (WeirPoleWatch *self, double t, const double *x, gboolean has_jumped)
{
  if (!has_jumped && t == self->time)
    return;
  memcpy (self->x, x, self->problem->n * sizeof *x);
  self->time = t;
  self->n_before = 0;
}

/* --- Looking again --------------------------------------------------------------------------- */

/* The pair of Bogacki and Shampine. */
typedef struct {
  WeirPoleWatch *poles;
  WeirContext *copy;
  double t, end, last; /* s; the derivatives see no time after last, where something jumps */
  double span;
  const double *from; /* where it begins */
  double *x, *trial, *allowed;
  double *low, *low_h; /* of each derivative, by size: since then it grew, without a jump; and how
 long the step there was (s), 0: there was none */
  double *k[4];
  double norm;    /* of the error of the last trial beside what is allowed */
  guint limiting; /* the state that it is largest of */
} Look;

static gboolean
derive (Look *self, double t, const double *x, double *xdot)
{
  WeirPoleWatch *poles = self->poles;

  poles->spent++;
  return weir_eval_rhs (poles->problem->root, self->copy, MIN (t, self->last), x, xdot) == WEIR_OK
         && weir_all_finite (poles->problem->n, xdot);
}

/* Makes trial the state after @h, and k[3] the derivatives there. */
static gboolean
try (Look *self, double h)
{
  static const double a[3][3] = { { 0.5 }, { 0, 0.75 }, { 2.0 / 9, 1.0 / 3, 4.0 / 9 } };
  static const double c[3] = { 0.5, 0.75, 1 };
  static const double e[4] = { 2.0 / 9 - 7.0 / 24, 1.0 / 3 - 1.0 / 4, 4.0 / 9 - 1.0 / 3, -1.0 / 8 };
  guint n = self->poles->problem->n;

  for (guint i = 0; i < 3; i++)
    {
      double factors[3] = { h * a[i][0], h * a[i][1], h * a[i][2] };

      weir_vector_combine (n, self->x, i + 1, factors, (const double *const *) self->k,
                           self->trial);
      if (!derive (self, self->t + c[i] * h, self->trial, self->k[i + 1]))
        return FALSE;
    }
  self->norm = 0;
  for (guint i = 0; i < n; i++)
    {
      double error = h
                     * (e[0] * self->k[0][i] + e[1] * self->k[1][i] + e[2] * self->k[2][i]
                        + e[3] * self->k[3][i]);
      double norm = fabs (error)
                    / (self->allowed[i] + ACCURACY * fabs (self->x[i] - self->from[i]));

      if (norm > self->norm)
        {
          self->norm = norm;
          self->limiting = i;
        }
    }
  return TRUE;
}

/* Does the state that keeps the steps short leave all bounds? */
static gboolean
is_at_pole (const Look *self, double h)
{
  guint i = self->limiting;
  double least = fmax (GROWN * self->low[i], BEYOND * self->poles->rate[i]);

  return h < SHRUNK * self->span && h < SHRINKING * self->low_h[i] && fabs (self->k[0][i]) > least;
}

static void
accept (Look *self, double h)
{
  double *x = self->x, *first = self->k[0];

  self->x = self->trial;
  self->trial = x;
  self->k[0] = self->k[3];
  self->k[3] = first;
  self->t += h;
  for (guint i = 0; i < self->poles->problem->n; i++)
    {
      double now = fabs (self->k[0][i]), before = fabs (first[i]);

      if (now >= before && now <= JUMP * before && self->low_h[i] > 0)
        continue;
      self->low[i] = now;
      self->low_h[i] = h;
    }
}

static gboolean
meets_pole (Look *self)
{
  const WeirProblem *problem = self->poles->problem;
  double h = 0.1 * self->span;

  if (!derive (self, self->t, self->x, self->k[0]))
    return FALSE;
  for (guint i = 0; i < problem->n; i++)
    {
      self->low[i] = fabs (self->k[0][i]);
      self->low_h[i] = 0;
      self->allowed[i] = ACCURACY * self->span * self->low[i] + problem->absolute_tolerance;
    }
  for (guint i = 0; i < MAX_TRIALS && self->t < self->end; i++)
    {
      double taken = MIN (h, self->end - self->t);
      gboolean has_value = try (self, taken);
      double factor = has_value ? 0.8 / cbrt (MAX (self->norm, 1e-6)) : 0.25;

      if (has_value && is_at_pole (self, taken))
        return TRUE;
      if (has_value && self->norm <= 1)
        accept (self, taken);
      h = taken * CLAMP (factor, 0.2, 5);
      if (h < 16 * DBL_EPSILON * fabs (self->t) || weir_problem_is_cancelled (problem))
        break;
    }
  return FALSE;
}

/* Is there a pole between @t and @end, as things go from @x at @t? */
static gboolean
look_again (WeirPoleWatch *self, double t, const double *x, double end, guint *state)
{
  WeirProblem *problem = self->problem;
  gsize n = problem->n;
  g_autofree double *room = g_try_new (double, 9 * n);
  g_autoptr (WeirContext) copy = NULL;
  Look look = { .poles = self, .t = t, .end = end, .span = end - t, .from = x };

  if (room == NULL)
    return FALSE;
  copy = weir_problem_copy_context (problem);
  look.copy = copy;
  look.last = weir_time_before_jump (t, end);
  look.x = room;
  look.trial = room + n;
  look.allowed = room + 2 * n;
  look.low = room + 3 * n;
  look.low_h = room + 4 * n;
  for (guint i = 0; i < G_N_ELEMENTS (look.k); i++)
    look.k[i] = room + (5 + i) * n;
  memcpy (look.x, x, n * sizeof *x);
  if (!meets_pole (&look))
    return FALSE;
  *state = look.limiting;
  return TRUE;
}

/* --- At each step ---------------------------------------------------------------------------- */

/* Takes up the step of @h to @x; did some state begin to change at quite another rate? */
static gboolean
take_up (WeirPoleWatch *self, double h, const double *x)
{
  guint n = self->problem->n;
  double least = self->problem->absolute_tolerance, by_h = 1 / h;
  double by_before = self->n_before > 0 ? 1 / self->h_before : 0;
  gboolean has_before = self->n_before > 0;
  guint n_sudden = 0;

  for (guint i = 0; i < n; i++)
    {
      double change = x[i] - self->x[i], rate = change * by_h;
      double bend = fabs (rate - self->change[i] * by_before);

      n_sudden += (bend > SUDDEN * self->rate[i]) & (bend * h > MOVED * fabs (x[i]) + least);
      self->rate[i] = MAX (FADING * self->rate[i], fabs (rate));
      self->change[i] = change;
    }
  return has_before && n_sudden > 0;
}

static void
move_on (WeirPoleWatch *self, double t, double h, const double *x)
{
  double *oldest = self->x_before;

  self->x_before = self->x;
  self->time_before = self->time;
  self->x = oldest;
  memcpy (self->x, x, self->problem->n * sizeof *x);
  self->time = t;
  self->h_before = h;
  self->n_before = MIN (self->n_before + 1, 2);
}

static gboolean
can_afford (const WeirPoleWatch *self)
{
  return self->spent <= ALLOWANCE + self->problem->statistics->rhs_calls / SHARE;
}

gboolean
weir_pole_watch_end_step (WeirPoleWatch *self, double t, const double *x, WeirPole *found)
{
  double h = t - self->time;
  gboolean is_sudden, has_two = self->n_before > 0;

  if (self->is_done || !(h > 0))
    return FALSE;
  is_sudden = take_up (self, h, x);
  if ((is_sudden || self->watched > 0) && can_afford (self))
    {
      gboolean goes_back = is_sudden && has_two && self->watched == 0;

      found->time = goes_back ? self->time_before : self->time;
      found->step = h;
      self->is_done = look_again (self, found->time, goes_back ? self->x_before : self->x, t,
                                  &found->state);
    }
  self->watched = is_sudden ? WATCHED : self->watched - (self->watched > 0);
  move_on (self, t, h, x);
  if (self->problem->ends_at_jump && t >= self->problem->last_time)
    self->n_before = 0;
  return self->is_done;
}

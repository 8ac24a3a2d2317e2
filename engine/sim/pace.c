/* The longest step. See solver-private.h.
 *
 * A step goes no further than a part of a turn of each phase that derivatives depend on. How fast
 * phases go follows from the last step; after a jump, from a small way along the derivatives.
 */
#include "sim/solver-private.h"

#include <math.h>
#include <string.h>

#include "numerics/vector.h"
#include "system/evaluation/phase.h"

/* A step of an explicit method of order 5 looks at its beginning, at three tenths and at eight
 * tenths, so that half of it is unseen: of a sixteenth of a turn, eleven degrees. At the default
 * tolerance error control keeps to about a twelfth by itself where a sine is what is integrated. */
#define STEPS_PER_TURN 16
/* Of a run in which crossings are looked for, as other simulators have it. */
#define STEPS_PER_RUN 50
#define PROBE 1e-6 /* of the run */

/* What drives a run again and again, or breaks it off, gives the errors of its steps one sign, so
 * that they add up, as many as there are turns or events. Each is held to that part of the
 * tolerance, as far as that leaves it above what is tight by itself. */
#define PACED_SHARE 0.02
#define TIGHT 1e-9

struct _WeirPace {
  WeirProblem *problem;
  gboolean has_witnesses;
  WeirPhases *phases; /* NULL: none */
  guint n;
  gboolean has_before;
  double time;          /* s; of before */
  double *before, *now; /* phases */
  double *x;            /* a state near the present one */
};

WeirPace *
weir_pace_new (WeirProblem *problem, gboolean has_witnesses)
{
  WeirPhases *phases = weir_phases_new (problem->root, WEIR_PHASES_OF_STEPS);
  WeirPace *self;

  if (phases == NULL && !has_witnesses)
    return NULL;
  self = g_new0 (WeirPace, 1);
  self->problem = problem;
  self->has_witnesses = has_witnesses;
  self->phases = phases;
  self->n = phases != NULL ? weir_phases_get_n (phases) : 0;
  self->before = g_new0 (double, self->n);
  self->now = g_new0 (double, self->n);
  self->x = g_new0 (double, problem->n);
  return self;
}

void
weir_pace_free (WeirPace *self)
{
  if (self == NULL)
    return;
  weir_phases_free (self->phases);
  g_free (self->before);
  g_free (self->now);
  g_free (self->x);
  g_free (self);
}

double
weir_pace_get_tolerance (double relative_tolerance)
{
  return relative_tolerance > TIGHT ? MAX (PACED_SHARE * relative_tolerance, TIGHT)
                                    : relative_tolerance;
}

void
weir_pace_restart (WeirPace *self)
{
  self->has_before = FALSE;
}

/* The phases a little later, as far as the derivatives tell. */
static gboolean
look_ahead (WeirPace *self, double t, const double *x, double length, double *ahead)
{
  const WeirProblem *problem = self->problem;
  const double *xdot = weir_eval_derivatives (problem->root, problem->context);

  *ahead = t + PROBE * length;
  if (xdot == NULL || !(*ahead > t))
    return FALSE;
  weir_vector_linear_sum (problem->n, 1, x, *ahead - t, xdot, self->x);
  return weir_phases_calc_at (self->phases, problem->context, *ahead, self->x, self->before);
}

static double
find_fastest (const WeirPace *self, double h)
{
  double fastest = 0;

  for (guint i = 0; i < self->n; i++)
    {
      double rate = fabs ((self->now[i] - self->before[i]) / h);

      if (isfinite (rate))
        fastest = MAX (fastest, rate);
    }
  return fastest;
}

double
weir_pace_get_longest (WeirPace *self, double length, gboolean has_jumped)
{
  WeirContext *context = self->problem->context;
  const double *x = weir_context_get_state (context);
  double t = weir_context_get_time (context), longest = (double) INFINITY, ahead, fastest = 0;
  double *before = self->before;

  if (self->has_witnesses && length > 0)
    longest = length / STEPS_PER_RUN;
  if (self->phases == NULL)
    return longest;
  if (!weir_phases_calc_at (self->phases, context, t, x, self->now))
    {
      self->has_before = FALSE;
      return longest;
    }
  if (self->has_before && !has_jumped && t > self->time)
    fastest = find_fastest (self, t - self->time);
  else if (look_ahead (self, t, x, length, &ahead))
    fastest = find_fastest (self, ahead - t);
  self->before = self->now;
  self->now = before;
  self->time = t;
  self->has_before = TRUE;
  return fastest > 0 ? MIN (longest, 1 / (STEPS_PER_TURN * fastest)) : longest;
}

/* --- Checkpoints ----------------------------------------------------------------------------- */

#define SAVED_TYPE "(bdad)"

GVariant *
weir_pace_save (const WeirPace *self)
{
  return g_variant_new ("(bd@ad)", self->has_before, self->time,
                        g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, self->before, self->n,
                                                   sizeof *self->before));
}

gboolean
weir_pace_load (WeirPace *self, GVariant *saved)
{
  g_autoptr (GVariant) before = NULL;
  const double *phases;
  gsize n;

  if (!g_variant_is_of_type (saved, G_VARIANT_TYPE (SAVED_TYPE)))
    return FALSE;
  g_variant_get (saved, "(bd@ad)", &self->has_before, &self->time, &before);
  phases = g_variant_get_fixed_array (before, &n, sizeof *phases);
  if (n != self->n)
    return FALSE;
  if (n > 0)
    memcpy (self->before, phases, n * sizeof *phases);
  return TRUE;
}

/* Choosing what iterates. See structure.h. */
#include "equations/order/structure.h"

#include <math.h>

#define MAX_GROWTH 1e3 /* of an error on the way from what iterates to what follows */

typedef struct {
  const WeirIncidence *incidence;
  const double *slopes;
  const gboolean *is_kept;
  WeirRows equations; /* of each unknown, as the incidence has it the other way */
  gboolean *is_used;  /* equations that determine an unknown */
  gboolean *is_known; /* unknowns */
  double *growth;     /* of known unknowns */
  guint *n_left;      /* of each equation: unknowns that are not known */
  guint *n_follow;    /* of each unknown: equations with two left that would give the other one */
  GArray *ready;      /* of guint: equations with one left, as they were found */
} Tearing;

static guint
get_first (const Tearing *self, guint equation)
{
  return g_array_index (self->incidence->first, guint, equation);
}

static guint
get_column (const Tearing *self, guint j)
{
  return g_array_index (self->incidence->column, guint, j);
}

/* @equation has come to two unknowns that are not known, or is about to have fewer. */
static void
count_followers (Tearing *self, guint equation, gboolean is_leaving)
{
  guint left[2], n = 0;
  gboolean is_linear[2];

  for (guint j = get_first (self, equation); n < 2 && j < get_first (self, equation + 1); j++)
    if (!self->is_known[get_column (self, j)])
      {
        left[n] = get_column (self, j);
        is_linear[n++] = isfinite (self->slopes[j]) != 0;
      }
  for (guint i = 0; i < 2; i++)
    if (is_linear[1 - i])
      self->n_follow[left[i]] += is_leaving ? -1 : 1;
}

static void
make_known (Tearing *self, guint unknown, double growth)
{
  guint first = self->equations.first[unknown], end = self->equations.first[unknown + 1];

  for (guint j = first; j < end; j++)
    if (self->n_left[self->equations.items[j]] == 2)
      count_followers (self, self->equations.items[j], TRUE);
  self->is_known[unknown] = TRUE;
  self->growth[unknown] = growth;
  for (guint j = first; j < end; j++)
    {
      guint equation = self->equations.items[j];

      self->n_left[equation]--;
      if (self->n_left[equation] == 2)
        count_followers (self, equation, FALSE);
      else if (self->n_left[equation] == 1 && !self->is_used[equation])
        g_array_append_val (self->ready, equation);
    }
}

/* The unknown that @equation, in which it alone is not known, is to determine, and what an error
 * grows to there; WEIR_UNMATCHED if it must not. */
static guint
find_follower (const Tearing *self, guint equation, double *growth)
{
  guint found = WEIR_UNMATCHED;
  double slope = NAN;

  for (guint j = get_first (self, equation); j < get_first (self, equation + 1); j++)
    if (!self->is_known[get_column (self, j)])
      {
        found = get_column (self, j);
        slope = self->slopes[j];
      }
  if (found == WEIR_UNMATCHED || self->is_kept[found] || !isfinite (slope))
    return WEIR_UNMATCHED;
  *growth = 0.0;
  for (guint j = get_first (self, equation); j < get_first (self, equation + 1); j++)
    if (get_column (self, j) != found)
      *growth += fabs ((isnan (self->slopes[j]) ? 1.0 : self->slopes[j]) / slope)
                 * self->growth[get_column (self, j)];
  *growth = fmax (*growth, 1.0);
  return *growth <= MAX_GROWTH ? found : WEIR_UNMATCHED;
}

/* What can follow from what is known. Appends pairs from place @n on; returns their number. */
static guint
follow (Tearing *self, guint *equations, guint *unknowns, guint n)
{
  for (guint head = 0; head < self->ready->len; head++)
    {
      guint equation = g_array_index (self->ready, guint, head), unknown;
      double growth;

      /* Another equation may have determined its unknown by then. */
      if (self->n_left[equation] != 1)
        continue;
      unknown = find_follower (self, equation, &growth);
      if (unknown == WEIR_UNMATCHED)
        continue;
      self->is_used[equation] = TRUE;
      equations[n] = equation;
      unknowns[n++] = unknown;
      make_known (self, unknown, growth);
    }
  g_array_set_size (self->ready, 0);
  return n;
}

/* What makes most others follow at once; of these what is in most equations. */
static guint
choose (const Tearing *self)
{
  const guint *first = self->equations.first;
  guint best = WEIR_UNMATCHED;

  for (guint i = 0; i < self->incidence->n_unknowns; i++)
    if (!self->is_known[i]
        && (best == WEIR_UNMATCHED || self->n_follow[i] > self->n_follow[best]
            || (self->n_follow[i] == self->n_follow[best]
                && first[i + 1] - first[i] > first[best + 1] - first[best])))
      best = i;
  return best;
}

guint
weir_incidence_tear (const WeirIncidence *incidence, const double *slopes, const gboolean *is_kept,
                     guint most, guint *equations, guint *unknowns)
{
  guint n = incidence->n_equations, n_pairs = 0, n_torn = 0, place;
  g_autofree gboolean *is_torn = g_new0 (gboolean, n + 1);
  gboolean is_given_up;
  Tearing self = { .incidence = incidence, .slopes = slopes, .is_kept = is_kept };

  g_return_val_if_fail (incidence->n_unknowns == n, n);

  self.ready = g_array_new (FALSE, FALSE, sizeof (guint));
  self.is_used = g_new0 (gboolean, n + 1);
  self.is_known = g_new0 (gboolean, n + 1);
  self.growth = g_new0 (double, n + 1);
  self.n_left = g_new0 (guint, n + 1);
  self.n_follow = g_new0 (guint, n + 1);
  weir_incidence_list_equations (incidence, &self.equations);
  for (guint i = 0; i < n; i++)
    {
      self.n_left[i] = get_first (&self, i + 1) - get_first (&self, i);
      if (self.n_left[i] == 1)
        g_array_append_val (self.ready, i);
      else if (self.n_left[i] == 2)
        count_followers (&self, i, FALSE);
    }
  for (guint i = 0; i < n; i++)
    if (is_kept[i])
      {
        is_torn[i] = TRUE;
        n_torn++;
        make_known (&self, i, 1.0);
      }
  n_pairs = follow (&self, equations, unknowns, 0);
  while (n_pairs + n_torn < n && n_torn <= most)
    {
      guint unknown = choose (&self);

      is_torn[unknown] = TRUE;
      n_torn++;
      make_known (&self, unknown, 1.0);
      n_pairs = follow (&self, equations, unknowns, n_pairs);
    }
  is_given_up = n_pairs + n_torn < n || n_torn > most;
  place = n_pairs;
  for (guint i = 0; i < n && !is_given_up; i++)
    if (is_torn[i])
      unknowns[place++] = i;
  place = n_pairs;
  for (guint i = 0; i < n && !is_given_up; i++)
    if (!self.is_used[i])
      equations[place++] = i;
  weir_rows_clear (&self.equations);
  g_array_unref (self.ready);
  g_free (self.is_used);
  g_free (self.is_known);
  g_free (self.growth);
  g_free (self.n_left);
  g_free (self.n_follow);
  return is_given_up ? n : n_torn;
}

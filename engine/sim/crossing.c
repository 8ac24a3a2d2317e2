/* Locating zero crossings. See crossing-private.h.
 *
 * Between two samples the earliest crossing of all elements is bracketed by the secant of the
 * element that crosses first, with bisection now and then; the bracket's right end is the event.
 * After an event the samples begin within a few tolerances of it and grow geometrically, as a ball
 * near rest leaves the floor and comes back in a small part of a step.
 */
#include "sim/crossing-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number.h"

#define ROUNDINGS 100 /* of the default tolerance */
#define N_SAMPLES 4   /* of an ordinary step */
#define GROWTH 8.0    /* of the samples after an event */
#define MAX_ITERATIONS 200

/* What is wanted of an element; multiplied by FROM_ZERO, also on leaving zero. */
enum { FALLING = 1, RISING = 2, FROM_ZERO = 4 };

struct _WeirCrossings {
  WeirProblem *problem;
  double tolerance;
  guint n_entries, n; /* witnesses and their elements */
  WeirEntry *entries;
  double **out; /* by witness: where its elements go */
  guint n_events;
  guint *event_first, *event_n; /* by event: its elements; n = 0: another trigger */
  WeirDeclaredEvent *declared;  /* by event */

  gint8 *side;         /* by element */
  gint8 *directions;   /* by element: what crossed last */
  guint8 *is_answered; /* by element: something of its witness crossed in the round before */
  gint8 *put_from;     /* by element put onto zero by its own event: how it crossed; else 0 */
  guint8 *is_wanted;   /* by element: some event wants it, as bits */
  double *left, *right, *middle, *before; /* values of all elements */
  double *evaluated;                      /* where out points */
  gboolean is_fine;                       /* the next step follows an event */
};

static guint
find_or_add (WeirCrossings *self, WeirDeclaredEvent event, guint *firsts)
{
  for (guint w = 0; w < self->n_entries; w++)
    if (self->entries[w].i == event.witness.i)
      return firsts[w];
  self->entries[self->n_entries] = event.witness;
  firsts[self->n_entries++] = self->n;
  self->n += event.n_witnesses;
  return self->n - event.n_witnesses;
}

WeirCrossings *
weir_crossings_new (WeirProblem *problem, double tolerance)
{
  guint n_events = weir_system_get_n_events (problem->root), n = 0;
  g_autofree guint *firsts = g_new0 (guint, n_events + 1);
  WeirCrossings *self;

  for (guint i = 0; i < n_events; i++)
    n += weir_system_get_event (problem->root, i).trigger == WEIR_TRIGGER_CROSSING;
  if (n == 0)
    return NULL;
  self = g_new0 (WeirCrossings, 1);
  self->problem = problem;
  self->tolerance = tolerance;
  self->n_events = n_events;
  self->entries = g_new (WeirEntry, n);
  self->event_first = g_new0 (guint, n_events);
  self->event_n = g_new0 (guint, n_events);
  self->declared = g_new0 (WeirDeclaredEvent, n_events);
  for (guint i = 0; i < n_events; i++)
    {
      WeirDeclaredEvent event = weir_system_get_event (problem->root, i);

      if (event.trigger != WEIR_TRIGGER_CROSSING)
        continue;
      self->event_first[i] = find_or_add (self, event, firsts);
      self->event_n[i] = event.n_witnesses;
      self->declared[i] = event;
    }
  self->side = g_new0 (gint8, self->n);
  self->directions = g_new0 (gint8, self->n);
  self->put_from = g_new0 (gint8, self->n);
  self->is_answered = g_new0 (guint8, self->n);
  self->is_wanted = g_new0 (guint8, self->n);
  for (guint i = 0; i < n_events; i++)
    for (guint k = 0; k < self->event_n[i]; k++)
      {
        guint8 wanted = (guint8) ((self->declared[i].direction != WEIR_RISING ? FALLING : 0)
                                  | (self->declared[i].direction != WEIR_FALLING ? RISING : 0));

        self->is_wanted[self->event_first[i] + k] |= (guint8) (wanted
                                                               | (self->declared[i].leaves_zero
                                                                      ? wanted * FROM_ZERO
                                                                      : 0));
      }
  self->left = g_new0 (double, self->n);
  self->right = g_new0 (double, self->n);
  self->middle = g_new0 (double, self->n);
  self->before = g_new0 (double, self->n);
  self->evaluated = g_new0 (double, self->n);
  self->out = g_new (double *, self->n_entries);
  for (guint w = 0; w < self->n_entries; w++)
    self->out[w] = self->evaluated + firsts[w];
  return self;
}

void
weir_crossings_free (WeirCrossings *self)
{
  if (self == NULL)
    return;
  g_free (self->entries);
  g_free (self->out);
  g_free (self->event_first);
  g_free (self->event_n);
  g_free (self->declared);
  g_free (self->side);
  g_free (self->directions);
  g_free (self->put_from);
  g_free (self->is_answered);
  g_free (self->is_wanted);
  g_free (self->left);
  g_free (self->right);
  g_free (self->middle);
  g_free (self->before);
  g_free (self->evaluated);
  g_free (self);
}

double
weir_crossings_get_tolerance (const WeirCrossings *self, double t, double h)
{
  double least = ROUNDINGS * DBL_EPSILON * (fabs (t) + fabs (h));

  return MAX (self->tolerance, least);
}

const gint8 *
weir_crossings_get_directions (const WeirCrossings *self, guint i)
{
  const gint8 *directions = self->directions + self->event_first[i];

  for (guint k = 0; k < self->event_n[i]; k++)
    if (directions[k] != 0
        && (self->declared[i].direction == WEIR_CROSSES
            || directions[k] == (gint8) self->declared[i].direction))
      return directions;
  return NULL;
}

/* --- Values and signs ------------------------------------------------------------------------ */

/* NaN has no sign, and a crossing that it hides would be lost without a word. */
static gboolean
check (WeirCrossings *self, double t, GError **error)
{
  guint32 k = 0;

  while (k < self->n && !isnan (self->evaluated[k]))
    k++;
  if (k == self->n)
    return TRUE;
  for (guint w = self->n_entries; w-- > 0;)
    if (self->out[w] <= self->evaluated + k)
      {
        g_autofree char *path = weir_layout_dup_entry_path (self->problem->layout,
                                                            self->entries[w]);
        WeirFailurePlace place = {
          .kind = WEIR_FAILURE_NOT_FINITE,
          .node = weir_layout_get_entry (self->problem->layout, self->entries[w]).node,
          .entry = self->entries[w],
          .value = (double) NAN
        };
        char time[WEIR_TIME_TEXT_SIZE];

        weir_problem_blame_place (self->problem, t, &place);
        g_set_error (error, WEIR_ERROR, WEIR_ERROR_FAILED,
                     "%s became not a number at t = %s, so no zero crossing of it can be found",
                     path, weir_time_to_text (t, NAN, time));
        break;
      }
  return FALSE;
}

static gboolean
evaluate_at (WeirCrossings *self, double t, const double *x, double *values, GError **error)
{
  const WeirProblem *problem = self->problem;

  if (weir_problem_is_cancelled (problem)
      || weir_eval_entries_at (problem->root, problem->context, t, x, self->n_entries,
                               self->entries, self->out)
             != WEIR_OK)
    return weir_problem_fail (problem, error, t, G_MAXUINT, "a zero crossing cannot be looked for");
  if (!check (self, t, error))
    return FALSE;
  memcpy (values, self->evaluated, self->n * sizeof *values);
  return TRUE;
}

/* At the context's own time and state, through the cache. */
static gboolean
evaluate (WeirCrossings *self, double *values, GError **error)
{
  const WeirProblem *problem = self->problem;

  for (guint w = 0; w < self->n_entries; w++)
    {
      const double *value = weir_eval_entry (problem->root, problem->context, self->entries[w]);
      guint32 size = weir_layout_get_entry (problem->layout, self->entries[w]).size;

      if (value == NULL)
        return weir_problem_fail (problem, error, weir_context_get_time (problem->context),
                                  G_MAXUINT, "a zero crossing cannot be looked for");
      memcpy (self->out[w], value, size * sizeof *value);
    }
  if (!check (self, weir_context_get_time (problem->context), error))
    return FALSE;
  memcpy (values, self->evaluated, self->n * sizeof *values);
  return TRUE;
}

static gint8
sign_of (double value)
{
  return (gint8) ((value > 0) - (value < 0));
}

/* How element @k crosses if it has @value after what is in left. */
static gint8
direction_of (const WeirCrossings *self, guint k, double value)
{
  gint8 sign = sign_of (value), side = self->side[k];

  if (side == 0 && sign != 0 && sign == self->put_from[k])
    return sign; /* a ball put onto the floor that does not rise falls through it again */
  if (side == 0 && sign != 0)
    return (self->is_wanted[k] & (sign < 0 ? FALLING : RISING) * FROM_ZERO) != 0 ? sign : 0;
  if (sign == 0) /* landing, not standing there */
    return self->left[k] != 0 ? (gint8) -side : 0;
  return sign == side ? 0 : sign;
}

static gboolean
is_wanted (const WeirCrossings *self, guint k, gint8 direction)
{
  return direction != 0 && (self->is_wanted[k] & (direction < 0 ? FALLING : RISING)) != 0;
}

static gboolean
crosses (const WeirCrossings *self, const double *values)
{
  for (guint k = 0; k < self->n; k++)
    if (is_wanted (self, k, direction_of (self, k, values[k])))
      return TRUE;
  return FALSE;
}

/* Takes over the sides at @values; notes what crossed. */
static void
commit (WeirCrossings *self, const double *values)
{
  for (guint k = 0; k < self->n; k++)
    {
      gint8 direction = direction_of (self, k, values[k]);
      gint8 sign = sign_of (values[k]);

      self->directions[k] = is_wanted (self, k, direction) ? direction : 0;
      if (self->directions[k] != 0)
        self->side[k] = direction;
      else if (direction != 0 || self->side[k] == 0)
        self->side[k] = sign;
      if (self->side[k] != 0)
        self->put_from[k] = 0;
    }
}

gboolean
weir_crossings_start (WeirCrossings *self, GError **error)
{
  if (!evaluate (self, self->left, error))
    return FALSE;
  memset (self->directions, 0, self->n);
  memset (self->put_from, 0, self->n);
  for (guint k = 0; k < self->n; k++)
    self->side[k] = sign_of (self->left[k]);
  self->is_fine = TRUE;
  return TRUE;
}

/* What an event puts where it likes is its answer, not another crossing. */
static void
mark_answers (WeirCrossings *self)
{
  memset (self->is_answered, FALSE, self->n);
  for (guint i = 0; i < self->n_events; i++)
    if (weir_crossings_get_directions (self, i) != NULL)
      memset (self->is_answered + self->event_first[i], TRUE, self->event_n[i]);
}

gboolean
weir_crossings_compare (WeirCrossings *self, gboolean *found, GError **error)
{
  memcpy (self->before, self->left, self->n * sizeof *self->left);
  if (!evaluate (self, self->left, error))
    return FALSE;
  *found = FALSE;
  mark_answers (self);
  for (guint k = 0; k < self->n; k++)
    {
      gint8 sign = sign_of (self->left[k]), crossed = self->directions[k];
      gboolean is_put_onto_zero = sign == 0 && self->before[k] != 0;
      /* A jump away from zero crosses, unlike leaving it in the course of time; so does a jump onto
       * zero, unless it is the answer to a crossing, as of a ball that is put onto the floor. */
      gint8 direction = is_put_onto_zero && !self->is_answered[k] ? (gint8) -self->side[k] : sign;

      self->directions[k] = direction != self->side[k] && is_wanted (self, k, direction) ? direction
                                                                                         : 0;
      if (sign != 0)
        self->side[k] = sign;
      else if (is_put_onto_zero)
        {
          self->put_from[k] = crossed == self->side[k] ? crossed : 0;
          self->side[k] = 0;
        }
      *found |= self->directions[k] != 0;
    }
  self->is_fine = TRUE;
  return TRUE;
}

/* --- Locating -------------------------------------------------------------------------------- */

static gboolean
look_at (WeirCrossings *self, WeirSolver *solver, double t, double *x, double *values,
         GError **error)
{
  if (solver == NULL)
    return evaluate_at (self, t, weir_context_get_state (self->problem->context), values, error);
  if (t == solver->t)
    memcpy (x, solver->x, self->problem->n * sizeof *x);
  else if (!solver->class->interpolate (solver, t, x, error))
    return FALSE;
  return evaluate_at (self, t, x, values, error);
}

/* Where the line from left to right meets zero first, as a part of the bracket. */
static double
first_secant (const WeirCrossings *self)
{
  double first = 1;

  for (guint k = 0; k < self->n; k++)
    if (is_wanted (self, k, direction_of (self, k, self->right[k])))
      {
        double a = fabs (self->left[k]), b = fabs (self->right[k]);

        first = MIN (first, a + b > 0 ? a / (a + b) : 0);
      }
  return first;
}

/* Narrows [@low, @high], at whose right end something crosses, to the tolerance. */
static gboolean
narrow (WeirCrossings *self, WeirSolver *solver, double low, double *high, double tolerance,
        double *x, GError **error)
{
  for (guint i = 0; i<MAX_ITERATIONS && * high - low> tolerance; i++)
    {
      double width = *high - low;
      double part = i % 3 == 2 ? 0.5 : first_secant (self);
      /* Beyond the root by half a tolerance, so that the far side moves too. */
      double c = CLAMP (low + part * width + 0.4 * tolerance, low + 0.4 * tolerance,
                        *high - 0.4 * tolerance);

      if (i % 3 == 1) /* and before it, so that the near side does */
        c = CLAMP (low + part * width - 0.4 * tolerance, low + 0.4 * tolerance,
                   *high - 0.4 * tolerance);
      if (!(c > low && c < *high))
        break;
      if (!look_at (self, solver, c, x, self->middle, error))
        return FALSE;
      if (crosses (self, self->middle))
        {
          *high = c;
          memcpy (self->right, self->middle, self->n * sizeof *self->right);
        }
      else
        {
          low = c;
          commit (self, self->middle);
          memcpy (self->left, self->middle, self->n * sizeof *self->left);
        }
    }
  return TRUE;
}

gboolean
weir_crossings_scan (WeirCrossings *self, WeirSolver *solver, double t, double *end, double *x,
                     gboolean *found, GError **error)
{
  double h = *end - t, low = t, high;
  double tolerance = weir_crossings_get_tolerance (self, *end, h);
  double fine = self->is_fine ? 2 * tolerance : h;
  guint quarter = 1;

  *found = FALSE;
  self->is_fine = FALSE;
  memset (self->directions, 0, self->n);
  do
    {
      if (fine < h / N_SAMPLES)
        {
          high = t + fine;
          fine *= GROWTH;
        }
      else
        {
          high = quarter == N_SAMPLES ? *end : t + h * quarter / N_SAMPLES;
          quarter++;
        }
      if (!(high > low))
        continue;
      if (!look_at (self, solver, high, x, self->right, error))
        return FALSE;
      if (crosses (self, self->right))
        {
          if (!narrow (self, solver, low, &high, tolerance, x, error))
            return FALSE;
          if (*end - high <= tolerance)
            high = *end; /* one instant with what ends the step */
          if (!look_at (self, solver, high, x, self->right, error))
            return FALSE;
          *found = TRUE;
        }
      commit (self, self->right);
      memcpy (self->left, self->right, self->n * sizeof *self->left);
      low = high;
    }
  while (!*found && low < *end);
  *end = low;
  return TRUE;
}

/* --- Checkpoints ----------------------------------------------------------------------------- */

#define SAVED_TYPE "(ayayayadb)"

GVariant *
weir_crossings_save (const WeirCrossings *self)
{
  return g_variant_new (
      "(@ay@ay@ay@adb)", g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, self->side, self->n, 1),
      g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, self->directions, self->n, 1),
      g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, self->put_from, self->n, 1),
      g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, self->left, self->n, sizeof *self->left),
      self->is_fine);
}

/* Field @i of what was saved: @size bytes an element. NULL unless there are just so many. */
static gconstpointer
get_field (const WeirCrossings *self, GVariant *saved, gsize i, gsize size)
{
  g_autoptr (GVariant) field = g_variant_get_child_value (saved, i);
  gsize n;
  gconstpointer data = g_variant_get_fixed_array (field, &n, size);

  return n == self->n ? data : NULL;
}

gboolean
weir_crossings_fits (const WeirCrossings *self, GVariant *saved)
{
  if (!g_variant_is_of_type (saved, G_VARIANT_TYPE (SAVED_TYPE)))
    return FALSE;
  for (gsize i = 0; i < 4; i++)
    if (get_field (self, saved, i, i < 3 ? 1 : sizeof (double)) == NULL)
      return FALSE;
  return TRUE;
}

void
weir_crossings_load (WeirCrossings *self, GVariant *saved)
{
  memcpy (self->side, get_field (self, saved, 0, 1), self->n);
  memcpy (self->directions, get_field (self, saved, 1, 1), self->n);
  memcpy (self->put_from, get_field (self, saved, 2, 1), self->n);
  memcpy (self->left, get_field (self, saved, 3, sizeof (double)), self->n * sizeof (double));
  g_variant_get_child (saved, 4, "b", &self->is_fine);
}

/* Locating zero crossings. See solver-private.h.
 *
 * A step is looked over in windows, from the left. Four looks at golden sections of a window, which
 * nothing periodic falls in with, and the value at its left make two parabolas; by how much two of
 * the looks miss the parabola through the other three bounds what the finer ones can be off by. A
 * half of the window is clear where that excludes two crossings of any element: the parabola stays
 * farther than that from zero, or it goes one way only. What is not clear is looked at in a smaller
 * window, down to the tolerance. So a ball near rest that leaves the floor and comes back in a
 * small part of a step is seen, and so is whatever dips below zero between two looks, as long as it
 * is smooth at the scale of the first. Phases (leaf.h) see to it that it is.
 *
 * In a half that is clear the earliest crossing of all elements is bracketed by the secant of the
 * element that crosses first, with bisection now and then; the bracket's right end is the event.
 */
#include "sim/solver-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "numerics/number.h"
#include "numerics/vector.h"
#include "system/evaluation/eval.h"
#include "system/evaluation/event.h"
#include "system/evaluation/phase.h"

#define ROUNDINGS 100 /* of the default tolerance */
#define MAX_ITERATIONS 200
#define GOLDEN 0.61803398874989485 /* where a window is halved, and its halves looked into */
#define GROWTH 4.0                 /* of windows that are clear at once */
#define LEAST_WINDOW 4             /* tolerances */
#define LOOK_TURN 0.25             /* of a phase, from one look to the next at most */
#define STEEPNESS 8 /* how much a parabola must go one way: times what it can be off by */
#define NOISE 8     /* roundings of the largest value of an element */
#define FORESIGHT 8 /* times what the course of an element was seen over */
/* A step to a break ends before it by that part, and one from nearby after it. */
#define MARGIN 0.01
#define NEAR_BREAK 0.05
/* A turn of an element is looked into if it comes so near to zero, times its largest value; after a
 * crossing also so many times as far as it was seen over. */
#define NEAR_TURN 1e-3
#define TURN_AHEAD 4
#define ALLOWANCE 10 /* tolerances that the errors of a whole run may add up to */
#define N_SHIFTS 4   /* of the state, each within its tolerance, that show what they do to it */
#define SOON 1e-3    /* of a step, before something that left zero is looked at */
#define N_SOON 8     /* looks within that */
#define HALVINGS 8   /* that locate a break that was not foreseen, within its step */
#define BLUR_UNKNOWN (-(double) INFINITY)
#define MAX_NARROWED 20000 /* windows of a step that were not clear, before it is given up */
#define BLURRED 64         /* times that: what touches zero is let pass */
#define FORGETTING 0.99    /* of that value, each step */
/* Crossings of what resets a state pile up when at least so many intervals in a row were each at
 * most that part of the one before, and much the same part; and the last few were so many
 * tolerances, with all that are to come not much more (their handler had its chance to bring the
 * model to rest), or the last is so small a part of the first, and long after it nothing came back.
 */
#define N_PILED 2
#define MOST_PART 0.999
#define UNLIKE 8 /* times another such part */
#define N_CLOSE 3
#define CLOSE_PILED 1e4
#define LEFT_PILED 1e3
#define PILED_PART 1e-4
/* Or when, after so many, that many followed at such a distance: what rounding makes of them. */
#define N_STEADY 5
#define MANY_EVEN 1000
#define PILED_WAIT 1e3 /* times what is left */

/* What is wanted of an element; multiplied by FROM_ZERO, also on leaving zero. */
enum {
  FALLING = 1,
  RISING = 2,
  FROM_ZERO = 4,
  BREAKS = 16,
  RESETS = 32,
  DECIDES = 64,
  TURNS = 128, /* a turn downwards, wherever it is */
};

#define EITHER_FROM_ZERO ((FALLING | RISING) * FROM_ZERO)

enum { FIRST, SPLIT, THIRD, LAST, N_LOOKS };

/* A parabola from 0 on: value and slope at 0, and half the bend. */
typedef struct {
  double value, slope, bend;
} Parabola;

#define N_COURSE 3 /* numbers of one */

/* Crossings of one element that come ever closer. */
typedef struct {
  guint32 n_even;         /* after the n: as small, and not shorter */
  guint32 n_close;        /* of them, the last in a row that can hardly be told apart */
  guint32 n;              /* intervals in a row that were shorter than the one before */
  gint8 direction;        /* of the last crossing; 0 = there was none */
  double begin, last;     /* s; the first and the last crossing */
  double first, interval; /* s; the first and the last interval */
  double part;            /* the last that was shorter beside the one before */
  double left;            /* s; what all to come are together, if they go on so */
  double depth;           /* the value at the last crossing */
  double rate;            /* of that, inwards, before its event; per look */
  gboolean sends_back;    /* its event stopped it or turned it round ... */
  gboolean is_sent_back;  /* ... and it has not come back */
} Pile;

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
  double *blur;        /* by element that left zero: nearer to it the tolerances let it be on either
                          side; 0 = it was farther away since; BLUR_UNKNOWN */
  guint8 *is_settled;  /* by such: its event has been, and it keeps its side as long */
  guint8 *is_wanted;   /* by element: some event wants it, as bits */
  guint8 *rank;        /* by element: the least of the events that want it */
  gboolean has_breaks, has_turns;
  double *left, *right, *middle, *before; /* values of all elements */
  double *looks[N_LOOKS];                 /* the same within a window */
  double times[N_LOOKS];                  /* s; of them */
  double *evaluated;                      /* where out points */
  double *largest;                        /* by element: the largest value so far */
  double begin;                           /* s; of the step that is looked over */
  double window;                          /* s; that was clear last */
  guint n_narrowed;                       /* windows of this step that were not clear */

  WeirPhases *phases; /* upstream of the witnesses; NULL = none */
  guint n_phases;
  double *left_phases, *look_phases[N_LOOKS];

  Parabola *courses;    /* by element that breaks steps: how it went last */
  double course_begin;  /* s; where they have their 0 */
  double course_length; /* s; of what they were seen over; 0 = they are of no use */

  double *away;            /* by element: how far from zero it was since the last event */
  guint8 *is_grazed;       /* by element: once told, for the whole run */
  double *sizes, *shifted; /* by state: its largest value so far; room */
  double *derivatives;     /* by state */
  guint grazing;           /* element that touches zero in the step; G_MAXUINT = none */
  double graze_time, graze_value, graze_error; /* s; there; what cannot be told apart from it */

  Pile *piles; /* by element */
  gboolean has_piles;
  double span;    /* s; of the looks between which something crossed last */
  guint piled;    /* element whose crossings pile up; G_MAXUINT = none */
  guint doubtful; /* element that may have crossed unseen in the step; G_MAXUINT = none */
  double doubt_begin, doubt_end; /* s */
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
  guint *firsts; /* freed by hand: generated C, which has this text, frees nothing by itself */
  WeirCrossings *self;

  for (guint i = 0; i < n_events; i++)
    n += weir_system_get_event (problem->root, i).trigger == WEIR_TRIGGER_CROSSING;
  if (n == 0)
    return NULL;
  firsts = g_new0 (guint, n_events + 1);
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
  self->blur = g_new0 (double, self->n);
  self->is_settled = g_new0 (guint8, self->n);
  self->is_answered = g_new0 (guint8, self->n);
  self->is_wanted = g_new0 (guint8, self->n);
  self->rank = g_new (guint8, self->n);
  memset (self->rank, WEIR_RANK_EDGE, self->n);
  for (guint i = 0; i < n_events; i++)
    for (guint k = 0; k < self->event_n[i]; k++)
      {
        guint8 wanted = (guint8) ((self->declared[i].direction != WEIR_RISING ? FALLING : 0)
                                  | (self->declared[i].direction != WEIR_FALLING ? RISING : 0));

        guint8 *rank = &self->rank[self->event_first[i] + k];

        if (self->declared[i].direction == WEIR_TURNS)
          {
            self->is_wanted[self->event_first[i] + k] |= TURNS;
            self->has_turns = TRUE;
            continue;
          }
        if (self->declared[i].action != WEIR_ACTION_BREAK)
          *rank = (guint8) MIN (*rank, self->declared[i].rank);
        if (self->declared[i].action == WEIR_ACTION_BREAK)
          {
            self->is_wanted[self->event_first[i] + k] |= BREAKS;
            self->has_breaks = TRUE;
          }
        else if (k >= self->declared[i].n_limits)
          self->is_wanted[self->event_first[i] + k] |= DECIDES;
        if (self->declared[i].action == WEIR_ACTION_RESET
            || self->declared[i].action == WEIR_ACTION_UNRESTRICTED_UPDATE)
          self->is_wanted[self->event_first[i] + k] |= RESETS;
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
  self->largest = g_new0 (double, self->n);
  self->courses = g_new0 (Parabola, self->n);
  self->away = g_new0 (double, self->n);
  self->is_grazed = g_new0 (guint8, self->n);
  self->sizes = g_new0 (double, problem->n);
  self->shifted = g_new0 (double, problem->n);
  self->derivatives = g_new0 (double, problem->n);
  self->piles = g_new0 (Pile, self->n);
  self->phases = weir_phases_new (problem->root, WEIR_PHASES_OF_WITNESSES);
  self->n_phases = self->phases != NULL ? weir_phases_get_n (self->phases) : 0;
  self->left_phases = g_new0 (double, self->n_phases);
  for (guint i = 0; i < N_LOOKS; i++)
    {
      self->looks[i] = g_new0 (double, self->n);
      self->look_phases[i] = g_new0 (double, self->n_phases);
    }
  self->out = g_new (double *, self->n_entries);
  for (guint w = 0; w < self->n_entries; w++)
    self->out[w] = self->evaluated + firsts[w];
  g_free (firsts);
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
  g_free (self->blur);
  g_free (self->is_settled);
  g_free (self->is_answered);
  g_free (self->is_wanted);
  g_free (self->rank);
  g_free (self->left);
  g_free (self->right);
  g_free (self->middle);
  g_free (self->before);
  g_free (self->evaluated);
  g_free (self->largest);
  g_free (self->courses);
  g_free (self->away);
  g_free (self->is_grazed);
  g_free (self->sizes);
  g_free (self->shifted);
  g_free (self->derivatives);
  g_free (self->piles);
  weir_phases_free (self->phases);
  g_free (self->left_phases);
  for (guint i = 0; i < N_LOOKS; i++)
    {
      g_free (self->looks[i]);
      g_free (self->look_phases[i]);
    }
  g_free (self);
}

double
weir_crossings_get_tolerance (const WeirCrossings *self, double t, double h)
{
  double least = ROUNDINGS * DBL_EPSILON * (fabs (t) + fabs (h));

  return MAX (self->tolerance, least);
}

static gboolean
wants (const WeirDeclaredEvent *event, gint8 direction)
{
  return direction != 0
         && (event->direction == WEIR_CROSSES || direction == (gint8) event->direction);
}

const gint8 *
weir_crossings_get_directions (const WeirCrossings *self, guint i)
{
  const gint8 *directions = self->directions + self->event_first[i];

  for (guint k = 0; k < self->event_n[i]; k++)
    if (wants (&self->declared[i], directions[k]))
      return directions;
  return NULL;
}

/* Whose element @k is. */
static guint
find_witness (const WeirCrossings *self, guint k)
{
  guint w = self->n_entries - 1;

  while (self->out[w] > self->evaluated + k)
    w--;
  return w;
}

/* --- Values and signs ------------------------------------------------------------------------ */

/* NaN has no sign, and a crossing that it hides would be lost without a word. */
static gboolean
check (WeirCrossings *self, double t, GError **error)
{
  WeirFailurePlace place = { .kind = WEIR_FAILURE_NOT_FINITE, .value = (double) NAN };
  g_autofree char *path = NULL;
  char time[WEIR_TIME_TEXT_SIZE];
  guint32 k = 0;
  guint w;

  while (k < self->n && !isnan (self->evaluated[k]))
    k++;
  if (k == self->n)
    return TRUE;
  w = find_witness (self, k);
  path = weir_layout_dup_entry_path (self->problem->layout, self->entries[w]);
  place.node = weir_layout_get_entry (self->problem->layout, self->entries[w]).node;
  place.entry = self->entries[w];
  weir_problem_set_cause_place (self->problem, t, &place);
  weir_error_set (error, WEIR_ERROR_FAILED,
                  "%s became not a number at t = %s, so no zero crossing of it can be found", path,
                  weir_time_to_text (t, NAN, time));
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
    return weir_problem_fail (problem, error, t, G_MAXUINT,
                              weir_phrase (N_ ("a zero crossing cannot be looked for")));
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
                                  G_MAXUINT,
                                  weir_phrase (N_ ("a zero crossing cannot be looked for")));
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

static guint
get_wish (gint8 direction)
{
  return direction < 0 ? FALLING : RISING;
}

/* How element @k crosses if it has @value after what is in left. */
static gint8
direction_of (const WeirCrossings *self, guint k, double value)
{
  gint8 sign = sign_of (value), side = self->side[k];

  if (self->is_settled[k] && fabs (value) < self->blur[k])
    return 0;
  if (side == 0 && sign != 0 && sign == self->put_from[k])
    return sign; /* a ball put onto the floor that does not rise falls through it again */
  if (side == 0 && sign != 0)
    return (self->is_wanted[k] & get_wish (sign) * FROM_ZERO) != 0 ? sign : 0;
  if (sign == 0) /* landing, not standing there */
    return self->left[k] != 0 ? (gint8) -side : 0;
  return sign == side ? 0 : sign;
}

static gboolean
is_wanted (const WeirCrossings *self, guint k, gint8 direction)
{
  return direction != 0 && (self->is_wanted[k] & get_wish (direction)) != 0;
}

/* A jump in @direction that ends on zero is not yet what was asked for, where leaving zero that way
 * will be: it is not on the far side, and may stay or go back. A mode must follow it. */
static gboolean
stops_short (const WeirCrossings *self, guint k, double value, gint8 direction)
{
  guint from_zero = self->is_wanted[k] & EITHER_FROM_ZERO;

  return value == 0 && direction != 0 && from_zero == get_wish (direction) * FROM_ZERO;
}

/* As direction_of(); @is_jump: the values got there at once. */
static gint8
find_direction (const WeirCrossings *self, guint k, double value, gboolean is_jump)
{
  gint8 direction = direction_of (self, k, value);

  return is_jump && stops_short (self, k, value, direction) ? 0 : direction;
}

static gboolean
crosses (const WeirCrossings *self, const double *values, gboolean is_jump)
{
  for (guint k = 0; k < self->n; k++)
    if (is_wanted (self, k, find_direction (self, k, values[k], is_jump)))
      return TRUE;
  return FALSE;
}

/* The least rank of what crosses by a jump. */
static guint8
find_rank (const WeirCrossings *self, const double *values)
{
  guint8 rank = WEIR_RANK_EDGE;

  for (guint k = 0; k < self->n; k++)
    if (self->rank[k] < rank && is_wanted (self, k, find_direction (self, k, values[k], TRUE)))
      rank = self->rank[k];
  return rank;
}

/* Takes over @values and their sides; notes what crossed. @is_jump: what is of a higher rank waits
 * until that has settled. */
static void
commit (WeirCrossings *self, const double *values, gboolean is_jump)
{
  guint8 rank = is_jump ? find_rank (self, values) : WEIR_RANK_EDGE;

  for (guint k = 0; k < self->n; k++)
    {
      if (self->rank[k] > rank)
        {
          self->directions[k] = 0;
          continue;
        }
      gint8 direction = find_direction (self, k, values[k], is_jump);
      gint8 sign = sign_of (values[k]);

      self->directions[k] = is_wanted (self, k, direction) ? direction : 0;
      if (self->side[k] == 0 && sign != 0
          && (self->is_wanted[k] & (EITHER_FROM_ZERO | BREAKS)) != 0)
        {
          self->blur[k] = BLUR_UNKNOWN;
          self->is_settled[k] = (self->is_wanted[k] & DECIDES) == 0;
        }
      else if (fabs (values[k]) > fabs (self->blur[k])) /* rounding grows with what is rounded */
        self->blur[k] = self->blur[k] != 0 ? BLUR_UNKNOWN : 0;
      self->is_settled[k] |= self->directions[k] != 0;
      if (self->directions[k] != 0) /* a mode that lands follows what it does next */
        self->side[k] = sign == 0 && (self->is_wanted[k] & EITHER_FROM_ZERO) == EITHER_FROM_ZERO
                            ? 0
                            : direction;
      else if (direction != 0 || self->side[k] == 0)
        self->side[k] = sign;
      if (self->side[k] != 0)
        self->put_from[k] = 0;
      self->left[k] = values[k];
    }
}

gboolean
weir_crossings_start (WeirCrossings *self, GError **error)
{
  if (!evaluate (self, self->left, error))
    return FALSE;
  memset (self->directions, 0, self->n);
  memset (self->put_from, 0, self->n);
  memset (self->blur, 0, self->n * sizeof *self->blur);
  memset (self->is_settled, 0, self->n);
  memset (self->piles, 0, self->n * sizeof *self->piles);
  memset (self->largest, 0, self->n * sizeof *self->largest);
  memset (self->is_grazed, 0, self->n);
  if (self->problem->n > 0)
    memset (self->sizes, 0, self->problem->n * sizeof *self->sizes);
  for (guint k = 0; k < self->n; k++)
    {
      self->side[k] = sign_of (self->left[k]);
      self->away[k] = fabs (self->left[k]);
    }
  self->window = (double) INFINITY;
  self->course_length = 0;
  self->has_piles = FALSE;
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

/* How fast elements go at the context's time and state, into middle: by so much in the time between
 * looks, as the derivatives have it. What cannot be evaluated nearby has no rate that is known. */
static gboolean
calc_rates (WeirCrossings *self)
{
  const WeirProblem *problem = self->problem;
  const double *xdot = weir_eval_derivatives (problem->root, problem->context);
  const double *x = weir_context_get_state (problem->context);
  double t = weir_context_get_time (problem->context);

  if (xdot == NULL)
    return FALSE;
  memcpy (self->derivatives, xdot, problem->n * sizeof *xdot);
  for (gint sign = -1; sign <= 1; sign += 2)
    {
      double s = 0.5 * sign * self->span;

      weir_vector_linear_sum (problem->n, 1, x, s, self->derivatives, self->shifted);
      if (weir_eval_entries_at (problem->root, problem->context, t + s, self->shifted,
                                self->n_entries, self->entries, self->out)
          != WEIR_OK)
        return FALSE;
      for (guint k = 0; k < self->n; k++)
        self->middle[k] = sign < 0 ? self->evaluated[k] : self->evaluated[k] - self->middle[k];
    }
  return TRUE;
}

/* What is rounding's, of the values of element @k. */
static double
get_noise (const WeirCrossings *self, guint k)
{
  return NOISE * DBL_EPSILON * self->largest[k];
}

static gboolean
resets (const WeirCrossings *self, guint k)
{
  return self->directions[k] != 0 && (self->is_wanted[k] & RESETS) != 0;
}

void
weir_crossings_note_rates (WeirCrossings *self)
{
  gboolean any = FALSE, ok;

  for (guint k = 0; k < self->n; k++)
    any |= resets (self, k);
  if (!any || self->problem->n == 0)
    return;
  ok = calc_rates (self);
  for (guint k = 0; k < self->n; k++)
    if (resets (self, k))
      self->piles[k].rate = ok ? self->directions[k] * self->middle[k] : 0;
}

/* What crossed was left where it is, but stopped or sent back: it is to be seen to come back. What
 * stands still until another event moves it is not. Where a way back was so short that its values
 * do not tell how it ended, or seem to have crossed by rounding alone, the next is shorter. */
static void
find_sent_back (WeirCrossings *self)
{
  gboolean any = FALSE, ok;

  for (guint k = 0; k < self->n; k++)
    {
      Pile *pile = &self->piles[k];
      double noise = get_noise (self, k);

      if (resets (self, k))
        {
          pile->is_sent_back = (pile->rate > STEEPNESS * noise || pile->sends_back)
                               && sign_of (self->left[k]) != -self->directions[k]
                               && fabs (self->left[k] - self->before[k]) <= noise;
          pile->depth = fabs (self->left[k]);
        }
      any |= pile->is_sent_back;
    }
  ok = any && calc_rates (self);
  for (guint k = 0; k < self->n && any; k++)
    {
      Pile *pile = &self->piles[k];
      double rate = self->side[k] * self->middle[k], noise = get_noise (self, k);

      if (pile->is_sent_back && !(resets (self, k) && pile->rate <= STEEPNESS * noise))
        pile->is_sent_back = ok && rate <= (resets (self, k) ? noise : -noise);
      if (resets (self, k))
        pile->sends_back = pile->is_sent_back;
    }
}

/* How element @k crosses by what an event did. A jump away from zero crosses, unlike leaving it in
 * the course of time; so does a jump onto zero, unless it is the answer to a crossing, as of a ball
 * that is put onto the floor. A mode follows whoever puts it there. */
static gint8
direction_by_event (const WeirCrossings *self, guint k)
{
  gint8 sign = sign_of (self->left[k]);
  gboolean is_put_onto_zero = sign == 0 && self->before[k] != 0;
  gboolean is_mode = (self->is_wanted[k] & EITHER_FROM_ZERO) == EITHER_FROM_ZERO;
  gint8 direction = is_put_onto_zero && (is_mode || !self->is_answered[k]) ? (gint8) -self->side[k]
                                                                           : sign;

  if (stops_short (self, k, self->left[k], direction))
    return 0;
  if (sign != 0 && self->is_settled[k] && fabs (self->left[k]) < self->blur[k])
    return 0;
  return direction != self->side[k] && is_wanted (self, k, direction) ? direction : 0;
}

static void
take_over (WeirCrossings *self, guint k)
{
  gint8 sign = sign_of (self->left[k]), crossed = self->directions[k];

  self->directions[k] = direction_by_event (self, k);
  self->away[k] = fabs (self->left[k]);
  if (sign != 0 && self->is_settled[k] && fabs (self->left[k]) < self->blur[k])
    return;
  self->blur[k] = 0;
  if (sign == 0 && self->before[k] != 0)
    {
      gboolean is_mode = (self->is_wanted[k] & EITHER_FROM_ZERO) == EITHER_FROM_ZERO;

      /* What has crossed by landing does not cross again as it goes on. */
      self->put_from[k] = crossed == self->side[k] ? crossed : 0;
      self->side[k] = is_mode ? 0 : self->directions[k];
    }
  else if (sign != 0)
    self->side[k] = sign;
}

gboolean
weir_crossings_compare (WeirCrossings *self, gboolean *found, GError **error)
{
  guint8 rank = WEIR_RANK_EDGE;

  memcpy (self->before, self->left, self->n * sizeof *self->left);
  if (!evaluate (self, self->left, error))
    return FALSE;
  if (self->problem->n > 0)
    find_sent_back (self);
  mark_answers (self);
  for (guint k = 0; k < self->n; k++)
    if (self->rank[k] < rank && direction_by_event (self, k) != 0)
      rank = self->rank[k];
  *found = FALSE;
  for (guint k = 0; k < self->n; k++)
    {
      if (self->rank[k] > rank)
        {
          self->directions[k] = 0;
          self->left[k] = self->before[k];
        }
      else
        take_over (self, k);
      *found |= self->directions[k] != 0;
    }
  self->course_length = 0;
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

/* Narrows [@begin, @high], at whose right end something crosses, to the tolerance. */
static gboolean
narrow (WeirCrossings *self, WeirSolver *solver, double *begin, double *high, double tolerance,
        double *x, GError **error)
{
  for (guint i = 0; i<MAX_ITERATIONS && * high - *begin> tolerance; i++)
    {
      double low = *begin, width = *high - low;
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
      if (crosses (self, self->middle, FALSE))
        {
          *high = c;
          memcpy (self->right, self->middle, self->n * sizeof *self->right);
        }
      else
        {
          *begin = c;
          commit (self, self->middle, FALSE);
        }
    }
  return TRUE;
}

/* --- Windows --------------------------------------------------------------------------------- */

static gboolean
calc_phases (WeirCrossings *self, double t, const double *x, double *phases)
{
  return self->phases == NULL
         || weir_phases_calc_at (self->phases, self->problem->context, t, x, phases);
}

/* Look @i of the window, at @t. */
static gboolean
look (WeirCrossings *self, WeirSolver *solver, guint i, double t, double *x, GError **error)
{
  const double *state = solver != NULL ? x : weir_context_get_state (self->problem->context);

  self->times[i] = t;
  if (!look_at (self, solver, t, x, self->looks[i], error))
    return FALSE;
  if (!calc_phases (self, t, state, self->look_phases[i]))
    memcpy (self->look_phases[i], self->left_phases, self->n_phases * sizeof (double));
  for (guint k = 0; k < self->n; k++)
    self->largest[k] = MAX (self->largest[k], fabs (self->looks[i][k]));
  return TRUE;
}

/* All looks of the window from @low to @high, or with @keeps those within its halves. */
static gboolean
look_over (WeirCrossings *self, WeirSolver *solver, double low, double high, gboolean keeps,
           double *x, GError **error)
{
  double split = keeps ? self->times[SPLIT] : low + GOLDEN * (high - low);

  return look (self, solver, FIRST, low + GOLDEN * (split - low), x, error)
         && (keeps || look (self, solver, SPLIT, split, x, error))
         && look (self, solver, THIRD, split + GOLDEN * (high - split), x, error)
         && (keeps || look (self, solver, LAST, high, x, error));
}

static void
swap_looks (WeirCrossings *self, guint i, guint j)
{
  double *values = self->looks[i], *phases = self->look_phases[i], time = self->times[i];

  self->looks[i] = self->looks[j];
  self->looks[j] = values;
  self->look_phases[i] = self->look_phases[j];
  self->look_phases[j] = phases;
  self->times[i] = self->times[j];
  self->times[j] = time;
}

/* How far the fastest phase goes between two looks: times what it may. */
static double
find_excess (const WeirCrossings *self)
{
  const double *before = self->left_phases;
  double most = 0;

  for (guint i = 0; i < N_LOOKS; i++)
    {
      for (guint k = 0; k < self->n_phases; k++)
        most = MAX (most, fabs (self->look_phases[i][k] - before[k]));
      before = self->look_phases[i];
    }
  return most / LOOK_TURN;
}

/* Through @a at 0, @b at @middle and @c at @end. */
static Parabola
fit (double a, double b, double c, double middle, double end)
{
  double first = (b - a) / middle, second = (c - b) / (end - middle);
  double bend = (second - first) / end;

  return (Parabola) { a, first - bend * middle, bend };
}

static double
value_of (const Parabola *self, double s)
{
  return self->value + s * (self->slope + s * self->bend);
}

/* From 0 to @end, can nothing that keeps within @off of the parabola cross zero more than once, nor
 * touch it? */
static gboolean
is_clear (const Parabola *self, double end, double off)
{
  double a = self->value, b = value_of (self, end);
  double slope = self->slope, last_slope = slope + 2 * self->bend * end;
  double top = slope * last_slope < 0 ? -slope / (2 * self->bend) : 0;
  double extreme = value_of (self, top);
  double least = MIN (MIN (a, b), extreme), most = MAX (MAX (a, b), extreme);

  return least > off || most < -off
         || (slope * last_slope > 0
             && MIN (fabs (slope), fabs (last_slope)) * end > STEEPNESS * off);
}

/* What parabolas through neighbouring looks of element @k can be off by, but for rounding. */
static double
get_misfit (const WeirCrossings *self, guint k, double low)
{
  double split = self->times[SPLIT] - low, end = self->times[LAST] - low;
  Parabola coarse = fit (self->left[k], self->looks[SPLIT][k], self->looks[LAST][k], split, end);

  return MAX (fabs (self->looks[FIRST][k] - value_of (&coarse, self->times[FIRST] - low)),
              fabs (self->looks[THIRD][k] - value_of (&coarse, self->times[THIRD] - low)));
}

/* The first element that is not clear up to look @until (SPLIT or LAST); G_MAXUINT = none. */
static guint
find_unclear (const WeirCrossings *self, double low, guint until)
{
  double split = self->times[SPLIT] - low, end = self->times[LAST] - low;

  for (guint k = 0; k < self->n; k++)
    {
      const double w[] = { self->left[k], self->looks[FIRST][k], self->looks[SPLIT][k],
                           self->looks[THIRD][k], self->looks[LAST][k] };
      double noise = get_noise (self, k), largest = 0, off;
      Parabola fine;

      if (self->is_wanted[k] == TURNS)
        continue;
      for (guint i = 0; i < G_N_ELEMENTS (w); i++)
        largest = MAX (largest, fabs (w[i]));
      if (largest <= BLURRED * noise)
        continue;
      off = get_misfit (self, k, low) + noise;
      fine = fit (w[0], w[1], w[2], self->times[FIRST] - low, split);
      if (!is_clear (&fine, split, off))
        return k;
      fine = fit (w[2], w[3], w[4], self->times[THIRD] - self->times[SPLIT], end - split);
      if (until == LAST && !is_clear (&fine, end - split, off))
        return k;
    }
  return G_MAXUINT;
}

/* --- Touching zero --------------------------------------------------------------------------- */

/* Where from 0 to @end, or with @is_ahead soon afterwards, it turns. NAN: nowhere. */
static double
find_turn (const Parabola *self, double end, gboolean is_ahead)
{
  double top = -self->slope / (2 * self->bend);

  return top >= 0 && top <= (is_ahead ? TURN_AHEAD : 1) * end ? top : (double) NAN;
}

/* The state with each element off by what the tolerances let it be: signs that nothing falls in
 * with, in one of N_SHIFTS ways, of which every other is the opposite of the one before. */
static void
shift_state (WeirCrossings *self, guint way, const double *x)
{
  const WeirProblem *problem = self->problem;
  double relative = ALLOWANCE * weir_context_get_accuracy (problem->context);
  double absolute = ALLOWANCE * problem->absolute_tolerance, sign = way % 2 == 0 ? 1 : -1;
  guint32 bits = 1;

  for (guint j = 0; j < problem->n; j++)
    {
      double shift = relative * MAX (self->sizes[j], fabs (x[j]))
                     + absolute * (problem->nominals != NULL ? problem->nominals[j] : 1);

      bits = bits * 1664525u + 1013904223u;
      self->shifted[j] = x[j] + ((bits >> (16 + way / 2) & 1) != 0 ? sign : -sign) * shift;
    }
}

/* Finds out about what has just left zero at @t and @x by how much that shifts it, where rounding
 * has a hand in as much as middle has. What cannot be evaluated nearby is not blurred. */
static void
find_blur (WeirCrossings *self, double t, const double *x)
{
  const WeirProblem *problem = self->problem;
  gboolean ok = TRUE;

  memcpy (self->before, self->left, self->n * sizeof *self->left);
  for (guint i = 0; i < N_SHIFTS && ok; i++)
    {
      shift_state (self, i, x);
      ok = weir_eval_entries_at (problem->root, problem->context, t, self->shifted, self->n_entries,
                                 self->entries, self->out)
           == WEIR_OK;
      for (guint k = 0; k < self->n && ok; k++)
        self->middle[k] = fmax (self->middle[k], fabs (self->evaluated[k] - self->before[k]));
    }
  for (guint k = 0; k < self->n; k++)
    if (self->blur[k] == BLUR_UNKNOWN)
      self->blur[k] = ok && fabs (self->left[k]) <= self->middle[k] ? self->middle[k] : 0;
}

/* Does element @k, which turns at @t and @x, or @is_ahead of them with @value, go to the other side
 * where the state is shifted within its tolerance, and the time by about @late? What stands at zero
 * since the start or an event, and only then sets out, does not. */
static gboolean
judge_turn (WeirCrossings *self, guint k, double t, double late, const double *x, gboolean is_ahead,
            double value, GError **error)
{
  double base, most = 0;
  gboolean changes = FALSE;

  if (!evaluate_at (self, t, x, self->before, error))
    return FALSE;
  base = self->before[k];
  if (!is_ahead)
    value = base;
  for (guint i = 0; i < N_SHIFTS; i++)
    {
      double sign = i % 2 == 0 ? 1 : -1;

      shift_state (self, i, x);
      if (!evaluate_at (self, t + sign * (1 + i) * late / N_SHIFTS, self->shifted, self->before,
                        error))
        return FALSE;
      most = MAX (most, fabs (self->before[k] - base));
      changes |= sign_of (value + (self->before[k] - base)) != sign_of (value);
    }
  /* A mode that follows a sign, and remembers nothing, goes astray by rounding for no time at all.
   */
  if ((self->is_wanted[k] & EITHER_FROM_ZERO) != 0 && (self->is_wanted[k] & RESETS) == 0
      && most <= BLURRED * NOISE * DBL_EPSILON * self->largest[k])
    return TRUE;
  if (!changes || self->away[k] <= MAX (most, fabs (value)))
    return TRUE;
  self->is_grazed[k] = TRUE;
  self->grazing = k;
  self->graze_time = t;
  self->graze_value = fabs (value);
  self->graze_error = most;
  return TRUE;
}

/* One half of the window from @low on, up to look @until: does an element turn in it that near to
 * zero that it may just as well cross as not? */
static gboolean
look_for_turns (WeirCrossings *self, WeirSolver *solver, double low, guint until, double *x,
                GError **error)
{
  double begin = until == SPLIT ? low : self->times[SPLIT], length = self->times[until] - begin;
  const double *first = until == SPLIT ? self->left : self->looks[SPLIT];
  guint middle = until == SPLIT ? FIRST : THIRD;

  for (guint k = 0; k < self->n && self->grazing == G_MAXUINT; k++)
    {
      double a = first[k], b = self->looks[middle][k], c = self->looks[until][k], t, late, turn,
             value;
      const double *state = x;
      Parabola course;

      if ((self->is_wanted[k] & DECIDES) == 0 || self->is_grazed[k] || self->side[k] == 0)
        continue;
      course = fit (a, b, c, self->times[middle] - begin, length);
      turn = find_turn (&course, length, is_wanted (self, k, direction_of (self, k, c)));
      value = value_of (&course, turn);
      if (isnan (turn) || fabs (value) > NEAR_TURN * self->largest[k])
        continue;
      t = begin + MIN (turn, length);
      /* As far as rounding hides what it does there. */
      late = sqrt (DBL_EPSILON * self->largest[k] / fabs (course.bend));
      if (solver == NULL)
        state = weir_context_get_state (self->problem->context);
      else if (t != solver->t && !solver->class->interpolate (solver, t, x, error))
        return FALSE;
      else if (t == solver->t)
        state = solver->x;
      if (!judge_turn (self, k, t, late, state, turn > length, value, error))
        return FALSE;
    }
  return TRUE;
}

/* --- Turns ----------------------------------------------------------------------------------- */

/* Narrows [@begin, @end], within which element @k is higher than at its ends, to its highest place,
 * as far as rounding lets it be told. */
static gboolean
climb (WeirCrossings *self, WeirSolver *solver, guint k, double begin, double end, double *x,
       double *top, double *height, GError **error)
{
  double least = weir_crossings_get_tolerance (self, end, end - begin), noise = get_noise (self, k);
  double times[2], heights[2];

  for (guint i = 0; i < 2; i++)
    {
      times[i] = i == 0 ? end - GOLDEN * (end - begin) : begin + GOLDEN * (end - begin);
      if (!look_at (self, solver, times[i], x, self->middle, error))
        return FALSE;
      heights[i] = self->middle[k];
    }
  while (end - begin > least && fabs (heights[1] - heights[0]) > 0.125 * noise)
    {
      guint better = heights[1] > heights[0], worse = 1 - better;

      if (better == 1)
        begin = times[0];
      else
        end = times[1];
      times[worse] = times[better];
      heights[worse] = heights[better];
      times[better] = better == 1 ? begin + GOLDEN * (end - begin) : end - GOLDEN * (end - begin);
      if (!look_at (self, solver, times[better], x, self->middle, error))
        return FALSE;
      heights[better] = self->middle[k];
    }
  *top = heights[1] > heights[0] ? times[1] : times[0];
  *height = MAX (heights[0], heights[1]);
  return TRUE;
}

/* The first place in the window from @low on where an element that is to be seen to turn does; an
 * end of the window is none. INFINITY: nowhere. */
static gboolean
find_top (WeirCrossings *self, WeirSolver *solver, double low, double *x, double *first,
          GError **error)
{
  *first = (double) INFINITY;
  for (guint k = 0; k < self->n && self->has_turns; k++)
    {
      const double w[] = { self->left[k], self->looks[FIRST][k], self->looks[SPLIT][k],
                           self->looks[THIRD][k], self->looks[LAST][k] };
      const double t[] = { low, self->times[FIRST], self->times[SPLIT], self->times[THIRD],
                           self->times[LAST] };
      const guint last = G_N_ELEMENTS (w) - 1;
      double noise = get_noise (self, k), off = get_misfit (self, k, low) + noise, top, height;
      guint highest = 0, lowest = 0;
      Parabola course;

      if ((self->is_wanted[k] & TURNS) == 0)
        continue;
      for (guint i = 1; i <= last; i++)
        {
          highest = w[i] > w[highest] ? i : highest;
          lowest = w[i] < w[lowest] ? i : lowest;
        }
      if (w[highest] - w[lowest] <= noise)
        continue;
      course = highest == 0 ? fit (w[0], w[1], w[2], t[1] - t[0], t[2] - t[0])
                            : fit (w[2], w[3], w[4], t[3] - t[2], t[4] - t[2]);
      if (highest == 0 && course.slope * (t[1] - t[0]) < -STEEPNESS * off)
        continue;
      if (highest == last
          && (course.slope + 2 * course.bend * (t[4] - t[2])) * (t[4] - t[3]) > STEEPNESS * off)
        continue;
      if (!climb (self, solver, k, t[highest == 0 ? 0 : highest - 1],
                  t[highest == last ? last : highest + 1], x, &top, &height, error))
        return FALSE;
      if (height > MAX (w[0], w[last]) + noise)
        *first = MIN (*first, top);
    }
  return TRUE;
}

/* By how much elements differ between @t and shortly before it, as part of the step up to there:
 * for what has just left zero that is next to nothing beside its value, unless it is rounding's, as
 * the difference of t and tanh (t) is for a while. Into middle. */
static gboolean
find_rounding (WeirCrossings *self, WeirSolver *solver, double t, double *x, GError **error)
{
  memset (self->middle, 0, self->n * sizeof *self->middle);
  for (guint i = 1; i <= N_SOON; i++)
    {
      if (!look_at (self, solver, t - SOON * i / N_SOON * (t - self->begin), x, self->right, error))
        return FALSE;
      for (guint k = 0; k < self->n; k++)
        self->middle[k] = fmax (self->middle[k], NOISE * fabs (self->right[k] - self->left[k]));
    }
  return TRUE;
}

/* Tells how near to zero what left it before @t counts as still there. */
static gboolean
sharpen (WeirCrossings *self, WeirSolver *solver, double t, double *x, GError **error)
{
  const double *state = x;

  if (!find_rounding (self, solver, t, x, error))
    return FALSE;
  if (solver == NULL)
    state = weir_context_get_state (self->problem->context);
  else if (t == solver->t)
    state = solver->x;
  else if (!solver->class->interpolate (solver, t, x, error))
    return FALSE;
  find_blur (self, t, state);
  return TRUE;
}

/* The window is seen through up to look @i: goes on there, or to the first crossing before, whose
 * time becomes @low. */
static gboolean
pass (WeirCrossings *self, WeirSolver *solver, guint i, double *low, double limit, double *x,
      gboolean *found, GError **error)
{
  double high = self->times[i], span = high - *low;
  double tolerance = weir_crossings_get_tolerance (self, limit, limit - *low);
  gboolean is_blurred = FALSE;

  memcpy (self->right, self->looks[i], self->n * sizeof *self->right);
  if (crosses (self, self->right, FALSE))
    {
      if (!narrow (self, solver, low, &high, tolerance, x, error))
        return FALSE;
      /* One instant with what ends the step. */
      if (limit - *low <= tolerance
          || limit - high <= ROUNDINGS * DBL_EPSILON * (fabs (limit) + limit - *low))
        high = limit;
      if (!look_at (self, solver, high, x, self->right, error))
        return FALSE;
      *found = TRUE;
      self->span = span;
    }
  commit (self, self->right, FALSE);
  for (guint k = 0; k < self->n; k++)
    {
      self->away[k] = MAX (self->away[k], fabs (self->left[k]));
      is_blurred |= self->blur[k] == BLUR_UNKNOWN;
    }
  if (is_blurred && !sharpen (self, solver, high, x, error))
    return FALSE;
  if (self->n_phases > 0)
    memcpy (self->left_phases, self->look_phases[i], self->n_phases * sizeof (double));
  *low = high;
  return TRUE;
}

/* How elements that break steps go within one half of the window from @low on, up to look @until.
 */
static void
note_courses (WeirCrossings *self, double low, guint until)
{
  guint middle = until == SPLIT ? FIRST : THIRD;
  double begin = until == SPLIT ? low : self->times[SPLIT];

  for (guint k = 0; k < self->n; k++)
    if ((self->is_wanted[k] & BREAKS) != 0)
      self->courses[k] = fit (until == SPLIT ? self->left[k] : self->looks[SPLIT][k],
                              self->looks[middle][k], self->looks[until][k],
                              self->times[middle] - begin, self->times[until] - begin);
  self->course_begin = begin;
  self->course_length = self->times[until] - begin;
}

static void
note_doubt (WeirCrossings *self, guint k, double begin, double end)
{
  if (self->doubtful == G_MAXUINT)
    {
      self->doubtful = k;
      self->doubt_begin = begin;
    }
  self->doubt_end = end;
}

/* The half of the window from @begin on that ends with look @until is seen through: goes on there,
 * or to the first crossing or @top before. */
static gboolean
pass_half (WeirCrossings *self, WeirSolver *solver, double begin, guint until, double top,
           double *low, double limit, double *x, gboolean *found, GError **error)
{
  gboolean ends_at_top = top < self->times[until];

  note_courses (self, begin, until);
  if (!look_for_turns (self, solver, begin, until, x, error)
      || (ends_at_top && !look (self, solver, until, top, x, error))
      || !pass (self, solver, until, low, limit, x, found, error))
    return FALSE;
  *found |= ends_at_top;
  return TRUE;
}

/* Looks over one window from @low on, or the half of it that is clear. */
static gboolean
look_through (WeirCrossings *self, WeirSolver *solver, double *low, double limit, double *x,
              gboolean *found, GError **error)
{
  double least = LEAST_WINDOW * weir_crossings_get_tolerance (self, limit, limit - *low);
  double begin = *low, excess = 0, top;
  double high = limit - begin <= 1.25 * self->window ? limit : begin + self->window;
  gboolean keeps = FALSE, is_least = FALSE, is_first = TRUE, is_whole;
  guint unclear = G_MAXUINT;

  for (;; is_first = FALSE)
    {
      if (!look_over (self, solver, begin, high, keeps, x, error))
        return FALSE;
      is_least = high - begin <= least;
      excess = find_excess (self);
      if (excess > 1 && !is_least)
        {
          high = begin + MAX ((high - begin) / (1.01 * excess), 0.9 * least);
          keeps = FALSE;
          continue;
        }
      unclear = is_least ? G_MAXUINT : find_unclear (self, begin, SPLIT);
      if (unclear == G_MAXUINT || self->n_narrowed >= MAX_NARROWED)
        break;
      self->n_narrowed++;
      swap_looks (self, LAST, SPLIT);
      swap_looks (self, SPLIT, FIRST);
      high = self->times[LAST];
      keeps = TRUE;
    }
  if (unclear != G_MAXUINT)
    note_doubt (self, unclear, begin, high);
  if (!find_top (self, solver, begin, x, &top, error))
    return FALSE;
  is_whole = is_least || unclear != G_MAXUINT || find_unclear (self, begin, LAST) == G_MAXUINT;
  self->window = is_whole ? high - begin : high - self->times[SPLIT];
  if (is_whole && is_first)
    self->window *= MIN (GROWTH, 1 / MAX (excess, 1 / GROWTH));
  if (!pass_half (self, solver, begin, SPLIT, top, low, limit, x, found, error))
    return FALSE;
  return *found || !is_whole
         || pass_half (self, solver, begin, LAST, top, low, limit, x, found, error);
}

double
weir_crossings_predict_break (const WeirCrossings *self, double t)
{
  double first = (double) INFINITY;

  for (guint k = 0; k < self->n && self->course_length > 0; k++)
    {
      const Parabola *course = &self->courses[k];
      double value = self->left[k], bend = course->bend;
      double slope = course->slope + 2 * bend * (t - self->course_begin);
      double root = slope * slope - 4 * value * bend, s;

      if ((self->is_wanted[k] & BREAKS) == 0 || value == 0 || !(root >= 0))
        continue;
      /* The nearer of the two that are ahead, without cancellation. */
      root = -0.5 * (slope + copysign (sqrt (root), slope));
      s = bend != 0 && root / bend > 0 ? root / bend : (double) INFINITY;
      if (value / root > 0)
        s = MIN (s, value / root);
      if (s <= FORESIGHT * self->course_length)
        first = MIN (first, s);
    }
  if (isinf (first))
    return first;
  return t + (first > NEAR_BREAK * self->course_length ? 1 - MARGIN : 1 + MARGIN) * first;
}

/* Has the model a break between the left and where its witnesses have @values? */
static gboolean
passes_break (const WeirCrossings *self, const double *values)
{
  for (guint k = 0; k < self->n; k++)
    if ((self->is_wanted[k] & BREAKS) != 0
        && is_wanted (self, k, direction_of (self, k, values[k])))
      return TRUE;
  return FALSE;
}

gboolean
weir_crossings_find_break (WeirCrossings *self, WeirSolver *solver, double t, double *x, double *at,
                           GError **error)
{
  const WeirProblem *problem = self->problem;
  double high = problem->ends_at_jump ? MIN (solver->t, problem->last_time) : solver->t;

  *at = (double) INFINITY;
  if (!self->has_breaks || high <= t)
    return TRUE;
  if (!look_at (self, solver, high, x, self->right, error))
    return FALSE;
  if (!passes_break (self, self->right))
    return TRUE;
  *at = t;
  for (guint i = 0; i < HALVINGS; i++)
    {
      double middle = 0.5 * (*at + high);

      if (!look_at (self, solver, middle, x, self->middle, error))
        return FALSE;
      if (passes_break (self, self->middle))
        high = middle;
      else
        *at = middle;
    }
  *at = *at - t > NEAR_BREAK * self->course_length ? t + (1 - MARGIN) * (*at - t)
                                                   : (double) INFINITY;
  return TRUE;
}

/* --- Pile-ups -------------------------------------------------------------------------------- */

/* Is @interval that small beside the first of the series? The more there are the less is asked. */
static gboolean
is_small (const Pile *pile, double interval)
{
  return pile->n >= N_PILED && interval <= (pile->n > N_PILED ? 10 : 1) * PILED_PART * pile->first;
}

/* Notes that element @k crossed at @t. Where each of some intervals was shorter than the one before
 * and all that are to come together are shorter than can be told apart, they pile up. */
static void
note_crossing (WeirCrossings *self, guint k, double t, double tolerance)
{
  Pile *pile = &self->piles[k];
  double interval = pile->direction != 0 ? t - pile->last : (double) INFINITY;
  double part = interval / pile->interval;

  if (is_small (pile, interval) && !(part < MOST_PART))
    {
      pile->n_even++; /* so small that they are rounding's */
      part = 0.5;
    }
  else if (pile->direction == 0 || !isfinite (pile->interval) || !(part < MOST_PART))
    pile->n = pile->n_even = 0;
  else
    {
      if (pile->n < N_PILED && (part * UNLIKE < pile->part || part > UNLIKE * pile->part))
        pile->n = 0;
      pile->part = part;
      if (pile->n++ == 0)
        {
          pile->begin = pile->last - pile->interval;
          pile->first = pile->interval;
        }
    }
  pile->is_sent_back = FALSE;
  pile->direction = self->directions[k];
  pile->last = t;
  pile->interval = interval;
  pile->left = interval * part / (1 - part);
  pile->depth = fabs (self->left[k]);
  if (pile->n >= N_PILED && interval <= CLOSE_PILED * tolerance
      && pile->left <= LEFT_PILED * tolerance)
    pile->n_close++;
  else
    pile->n_close = 0;
  if (pile->n_close >= N_CLOSE || (pile->n_even >= MANY_EVEN && pile->n >= N_STEADY))
    self->piled = k;
}

/* When the pile-up of element @k is long over: has it gone on into what it had crossed, its last
 * way back being too small for its values to show? What came to rest there has not, and what moves
 * on much later does so for another reason. */
static void
check_depth (WeirCrossings *self, guint k, double t)
{
  Pile *pile = &self->piles[k];
  double noise = NOISE * DBL_EPSILON * self->largest[k], since = t - pile->last;

  if (is_small (pile, pile->interval) && since >= PILED_WAIT * (pile->interval + pile->left)
      && self->side[k] == pile->direction
      && fabs (self->left[k]) > PILED_WAIT * MAX (pile->depth, noise))
    self->piled = k;
  else if (since > pile->first)
    pile->n = 0;
}

/* At the end of a step of @h, or of what was made of it. */
static void
look_for_piles (WeirCrossings *self, double t, double h)
{
  double tolerance = weir_crossings_get_tolerance (self, t, h);

  self->has_piles = FALSE;
  for (guint k = 0; k < self->n; k++)
    {
      if ((self->is_wanted[k] & RESETS) == 0)
        continue;
      if (self->directions[k] != 0)
        note_crossing (self, k, t, tolerance);
      else if (self->piles[k].is_sent_back && self->side[k] != self->piles[k].direction)
        self->piles[k].is_sent_back = FALSE;
      else if (self->piles[k].is_sent_back
               && self->piles[k].direction * self->left[k]
                      > self->piles[k].depth + get_noise (self, k))
        self->piled = k;
      else if (self->piles[k].n > 0)
        check_depth (self, k, t);
      self->has_piles |= self->piles[k].direction != 0;
    }
}

/* --- A step ---------------------------------------------------------------------------------- */

/* At the end of a step that ends at a jump. */
static gboolean
look_beyond_jump (WeirCrossings *self, WeirSolver *solver, double *low, double limit, double *x,
                  gboolean *found, GError **error)
{
  if (!look_at (self, solver, limit, x, self->right, error))
    return FALSE;
  *found = crosses (self, self->right, TRUE);
  commit (self, self->right, TRUE);
  *low = limit;
  return TRUE;
}

static gboolean
begin_scan (WeirCrossings *self, WeirSolver *solver, double t, double *x, GError **error)
{
  const double *state = solver != NULL ? x : weir_context_get_state (self->problem->context);

  self->begin = t;
  self->n_narrowed = 0;
  self->doubtful = self->piled = self->grazing = G_MAXUINT;
  memset (self->directions, 0, self->n);
  for (guint i = 0; i < self->problem->n; i++)
    self->sizes[i] = MAX (self->sizes[i],
                          fabs (weir_context_get_state (self->problem->context)[i]));
  for (guint k = 0; k < self->n; k++)
    self->largest[k] = MAX (FORGETTING * self->largest[k], fabs (self->left[k]));
  if (self->phases == NULL)
    return TRUE;
  if (solver != NULL && !solver->class->interpolate (solver, t, x, error))
    return FALSE;
  if (!calc_phases (self, t, state, self->left_phases))
    memset (self->left_phases, 0, self->n_phases * sizeof (double));
  return TRUE;
}

gboolean
weir_crossings_scan (WeirCrossings *self, WeirSolver *solver, double t, double *end, double *x,
                     gboolean *found, GError **error)
{
  const WeirProblem *problem = self->problem;
  double low = t, limit = *end, smooth = limit;

  if (problem->ends_at_jump && problem->last_time > t)
    smooth = MIN (limit, problem->last_time);
  *found = FALSE;
  if (!begin_scan (self, solver, t, x, error))
    return FALSE;
  while (!*found && low < smooth)
    if (!look_through (self, solver, &low, smooth, x, found, error))
      return FALSE;
  if (!*found && low < limit && !look_beyond_jump (self, solver, &low, limit, x, found, error))
    return FALSE;
  if (*found || self->has_piles)
    look_for_piles (self, low, limit - t);
  *end = low;
  return TRUE;
}

gboolean
weir_crossings_get_doubt (const WeirCrossings *self, WeirEntry *witness, double *begin, double *end)
{
  if (self->doubtful == G_MAXUINT)
    return FALSE;
  *witness = self->entries[find_witness (self, self->doubtful)];
  *begin = self->doubt_begin;
  *end = self->doubt_end;
  return TRUE;
}

gboolean
weir_crossings_get_graze (const WeirCrossings *self, WeirGraze *graze)
{
  if (self->grazing == G_MAXUINT)
    return FALSE;
  *graze = (WeirGraze) { self->entries[find_witness (self, self->grazing)], self->graze_time,
                         self->graze_value, self->graze_error };
  return TRUE;
}

guint
weir_crossings_get_pile (const WeirCrossings *self, guint *n, double *length,
                         gboolean *is_sent_back)
{
  const Pile *pile;
  guint k = self->piled, i = 0;

  if (k == G_MAXUINT)
    return G_MAXUINT;
  pile = &self->piles[k];
  *is_sent_back = pile->is_sent_back;
  while (k < self->event_first[i] || k >= self->event_first[i] + self->event_n[i]
         || !wants (&self->declared[i], pile->direction))
    i++;
  *n = pile->n + 2;
  *length = pile->last - pile->begin;
  return i;
}

/* --- Checkpoints ----------------------------------------------------------------------------- */

#define SAVED_TYPE "(ayayayadadadadayddd)"

GVariant *
weir_crossings_save (const WeirCrossings *self)
{
  return g_variant_new (
      "(@ay@ay@ay@ad@ad@ad@ad@ayddd)",
      g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, self->side, self->n, 1),
      g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, self->directions, self->n, 1),
      g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, self->put_from, self->n, 1),
      g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, self->left, self->n, sizeof *self->left),
      g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, self->largest, self->n,
                                 sizeof *self->largest),
      g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, self->courses, N_COURSE * (gsize) self->n,
                                 sizeof (double)),
      g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, self->blur, self->n, sizeof *self->blur),
      g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, self->is_settled, self->n, 1),
      self->course_begin, self->course_length, self->window);
}

static const struct {
  gsize size, n; /* of a number; numbers by element */
} fields[] = {
  { 1, 1 }, { 1, 1 }, { 1, 1 }, { 8, 1 }, { 8, 1 }, { 8, N_COURSE }, { 8, 1 }, { 1, 1 }
};

/* Field @i of what was saved. NULL unless it has just as many numbers as there are to be. */
static gconstpointer
get_field (const WeirCrossings *self, GVariant *saved, gsize i)
{
  g_autoptr (GVariant) field = g_variant_get_child_value (saved, i);
  gsize n;
  gconstpointer data = g_variant_get_fixed_array (field, &n, fields[i].size);

  return n == self->n * fields[i].n ? data : NULL;
}

static void
load_field (const WeirCrossings *self, GVariant *saved, gsize i, gpointer to)
{
  memcpy (to, get_field (self, saved, i), self->n * fields[i].n * fields[i].size);
}

gboolean
weir_crossings_fits (const WeirCrossings *self, GVariant *saved)
{
  if (!g_variant_is_of_type (saved, G_VARIANT_TYPE (SAVED_TYPE)))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    if (get_field (self, saved, i) == NULL)
      return FALSE;
  return TRUE;
}

void
weir_crossings_load (WeirCrossings *self, GVariant *saved)
{
  load_field (self, saved, 0, self->side);
  load_field (self, saved, 1, self->directions);
  load_field (self, saved, 2, self->put_from);
  load_field (self, saved, 3, self->left);
  load_field (self, saved, 4, self->largest);
  load_field (self, saved, 5, self->courses);
  load_field (self, saved, 6, self->blur);
  load_field (self, saved, 7, self->is_settled);
  g_variant_get_child (saved, 8, "d", &self->course_begin);
  g_variant_get_child (saved, 9, "d", &self->course_length);
  g_variant_get_child (saved, 10, "d", &self->window);
  memset (self->piles, 0, self->n * sizeof *self->piles);
  self->has_piles = FALSE;
}

/* Which block a failed step is to be blamed on: the state that grows by what it is itself, or the
 * value that is large where what it is computed from is not. What the error estimate of the solver
 * limits the step by is often a neighbour that only follows.
 *
 * Looked for on a copy of the context at the last accepted point, once, when a run has failed.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/solver-private.h"
#include "system/context/inspection.h"

#define MAX_SUSPECTS 16
#define FAST                                                                                       \
  1e3             /* times in the run so far that a state changes by its own size, to be suspected \
                   */
#define GROWN 1e3 /* beside where it began, or one */
#define OVERFLOWS 1e30 /* a power of so much is beyond all numbers */
#define LARGE 1e6      /* of a derivative, to look for where it comes from */

typedef struct {
  guint state;
  double rate; /* 1/s: how fast it changes beside its size; where that is not known, its size */
} Suspect;

typedef struct {
  const WeirProblem *problem;
  WeirContext *copy;
  const double *x; /* the accepted state */
  double time;     /* s */
  double *xdot, *moved, *moved_xdot;
  gboolean has_xdot;                          /* there are derivatives there */
  GArray *suspects;                           /* Suspect, the fastest first */
  gboolean feeds[MAX_SUSPECTS][MAX_SUSPECTS]; /* [i][j]: the derivative of i depends on j */
} Search;

WeirContext *
weir_problem_copy_context (const WeirProblem *self)
{
  WeirContext *copy = weir_context_clone (self->context);

  weir_context_set_frozen (copy, FALSE);
  weir_context_set_all_out_of_date (copy);
  weir_context_set_caching (copy, TRUE);
  weir_context_set_node_caching (copy, (WeirNode) { 0 }, TRUE);
  return copy;
}

static int
compare_rates (gconstpointer a, gconstpointer b)
{
  double i = ((const Suspect *) a)->rate, j = ((const Suspect *) b)->rate;

  return i > j ? -1 : i < j;
}

/* Below this size a state's size is of no account. */
static double
get_scale (const WeirProblem *problem, guint i)
{
  return problem->absolute_tolerance / problem->relative_tolerance
         * (problem->nominals != NULL ? problem->nominals[i] : 1);
}

static void
list_suspects (Search *self)
{
  const WeirProblem *problem = self->problem;
  double elapsed = self->time - problem->start_time;

  for (guint i = 0; i < problem->n; i++)
    {
      double size = fabs (self->x[i]),
             rate = fabs (self->xdot[i]) / fmax (size, get_scale (problem, i));
      Suspect suspect = { i, self->has_xdot ? rate : size };

      if (rate * elapsed < FAST && size < OVERFLOWS)
        continue;
      g_array_append_val (self->suspects, suspect);
      if (self->suspects->len > 4 * MAX_SUSPECTS)
        {
          g_array_sort (self->suspects, compare_rates);
          g_array_set_size (self->suspects, MAX_SUSPECTS);
        }
    }
  g_array_sort (self->suspects, compare_rates);
  g_array_set_size (self->suspects, MIN (self->suspects->len, MAX_SUSPECTS));
}

/* Which of them depends on which, also by way of others, by moving each a little: where the
 * derivatives have no value, from where the run began. */
static void
find_feeds (Search *self)
{
  const WeirProblem *problem = self->problem;
  const Suspect *suspects = (const Suspect *) (gpointer) self->suspects->data;
  const double *x = self->has_xdot ? self->x : problem->start_state;
  double time = self->has_xdot ? self->time : problem->start_time;
  guint n = self->suspects->len;

  if (!self->has_xdot && weir_eval_rhs (problem->root, self->copy, time, x, self->xdot) != WEIR_OK)
    return;
  memcpy (self->moved, x, problem->n * sizeof (double));
  for (guint j = 0; j < n; j++)
    {
      guint s = suspects[j].state;

      self->moved[s] -= copysign (sqrt (DBL_EPSILON) * fmax (fabs (x[s]), 1e-3), x[s]);
      if (weir_eval_rhs (problem->root, self->copy, time, self->moved, self->moved_xdot) == WEIR_OK)
        for (guint i = 0; i < n; i++)
          self->feeds[i][j] = self->moved_xdot[suspects[i].state] != self->xdot[suspects[i].state];
      self->moved[s] = x[s];
    }
  for (guint k = 0; k < n; k++)
    for (guint i = 0; i < n; i++)
      for (guint j = 0; j < n; j++)
        self->feeds[i][j] |= self->feeds[i][k] && self->feeds[k][j];
}

/* The fastest of those that only such as depend on them feed. */
static guint
find_first (const Search *self)
{
  guint n = self->suspects->len;

  for (guint i = 0; i < n; i++)
    {
      gboolean is_first = TRUE;

      for (guint j = 0; j < n; j++)
        is_first &= !self->feeds[i][j] || self->feeds[j][i];
      if (is_first)
        return i;
    }
  return 0;
}

static WeirStateSlice
find_slice (const WeirLayout *layout, guint state)
{
  WeirStateSlice slice = { 0 };

  for (guint i = 0; i < weir_layout_get_n_slices (layout); i++)
    {
      slice = weir_layout_get_slice (layout, i);
      if (state < slice.offset + slice.nq + slice.nv + slice.nz)
        break;
    }
  return slice;
}

WeirNode
weir_problem_find_state_node (const WeirProblem *self, guint state)
{
  return find_slice (self->layout, state).node;
}

void
weir_problem_set_cause_state (const WeirProblem *self, WeirTroubleKind kind, double t, guint state,
                              double value)
{
  *self->cause = (WeirFailureCause) { .is_known = TRUE,
                                      .kind = kind,
                                      .time = t,
                                      .node = weir_problem_find_state_node (self, state),
                                      .entry = { WEIR_NO_INDEX },
                                      .state = state,
                                      .value = value };
}

/* The first large value on the way to the derivative of @state. */
static gboolean
set_cause_value (const Search *self, guint state)
{
  const WeirProblem *problem = self->problem;
  WeirFailurePlace place;
  WeirEntry derivatives;

  if (fabs (self->xdot[state]) < LARGE || weir_eval_derivatives (problem->root, self->copy) == NULL
      || !weir_layout_find_entry (problem->layout, find_slice (problem->layout, state).node,
                                  WEIR_XCDOT, &derivatives)
      || !weir_context_find_beyond (self->copy, derivatives, sqrt (fabs (self->xdot[state])),
                                    &place))
    return FALSE;
  *problem->cause = (WeirFailureCause) { .is_known = TRUE,
                                         .kind = WEIR_TROUBLE_STEP,
                                         .time = self->time,
                                         .node = place.node,
                                         .entry = place.entry,
                                         .element = place.element,
                                         .state = G_MAXUINT,
                                         .value = place.value };
  return TRUE;
}

static gboolean
cause (Search *self, gboolean has_place)
{
  const WeirProblem *problem = self->problem;
  guint first, state;
  double size, grown;

  self->has_xdot = weir_eval_rhs (problem->root, self->copy, self->time, self->x, self->xdot)
                   == WEIR_OK;
  if (!self->has_xdot)
    memset (self->xdot, 0, problem->n * sizeof (double));
  list_suspects (self);
  if (self->suspects->len == 0)
    return FALSE;
  find_feeds (self);
  first = find_first (self);
  state = g_array_index (self->suspects, Suspect, first).state;
  size = fabs (self->x[state]);
  grown = size / fmax (fabs (problem->start_state[state]), 1);
  if (self->feeds[first][first] && grown > GROWN && (!has_place || size > OVERFLOWS))
    {
      weir_problem_set_cause_state (problem, WEIR_TROUBLE_RAN_AWAY, self->time, state,
                                    self->x[state]);
      return TRUE;
    }
  return !has_place && self->has_xdot && set_cause_value (self, state);
}

gboolean
weir_problem_find_cause (const WeirProblem *self, gboolean has_place)
{
  g_autoptr (WeirContext) copy = NULL;
  g_autofree double *room = g_try_new (double, 3 * (gsize) self->n);
  g_autoptr (GArray) suspects = g_array_new (FALSE, FALSE, sizeof (Suspect));
  Search search = { .problem = self, .suspects = suspects };

  if (room == NULL || self->n == 0)
    return FALSE;
  copy = weir_problem_copy_context (self);
  search.copy = copy;
  search.x = weir_context_get_state (copy);
  search.time = weir_context_get_time (copy);
  search.xdot = room;
  search.moved = room + self->n;
  search.moved_xdot = room + 2 * (gsize) self->n;
  return cause (&search, has_place);
}

/* What a schedule makes of the units. See order.h. */
#include "cosim/order.h"

#include <math.h>
#include <string.h>

#include "cosim/cosim-private.h"
#include "system/evaluation/eval.h"

#define MAX_EXACT 16 /* in the list, for which all subsets are looked at */

/* --- Levels and links ------------------------------------------------------------------------ */

gboolean
weir_cosim_has_rest (const WeirCosim *self)
{
  return self->has_rest;
}

guint
weir_cosim_get_level (const WeirCosim *self, guint i)
{
  g_autofree guint *levels = g_new0 (guint, self->n + 1); /* the rest's last */

  for (guint k = 0; k <= self->n; k++)
    for (guint j = 0; j < k; j++)
      {
        guint a = self->list[j], b = self->list[k];
        guint *to = &levels[b == WEIR_COSIM_REST ? self->n : b];

        if (weir_cosim_precedes (self, a, b))
          *to = MAX (*to, levels[a == WEIR_COSIM_REST ? self->n : a] + 1);
      }
  return levels[i == WEIR_COSIM_REST ? self->n : i];
}

GArray *
weir_cosim_list_late (const WeirCosim *self)
{
  GArray *links = g_array_new (FALSE, FALSE, sizeof (WeirCosimLink));

  for (guint k = 0; k <= self->n; k++)
    for (guint j = 0; j <= self->n; j++)
      {
        WeirCosimLink link = { self->list[k], self->list[j] };

        if ((link.from != WEIR_COSIM_REST || link.to != WEIR_COSIM_REST)
            && weir_cosim_feeds (self, link.from, link.to)
            && !weir_cosim_precedes (self, link.from, link.to))
          g_array_append_val (links, link);
      }
  return links;
}

/* Is what @a gives seen by @b an instant late? */
static gboolean
is_late (const WeirCosim *self, const guint *place, guint a, guint b)
{
  return self->type == WEIR_STEP_SCHEDULING_FULL_PARALLEL
         || (self->type == WEIR_STEP_SCHEDULING_CASCADING_PARALLEL && place[a] >= place[b]);
}

static gboolean
sees_late (const WeirCosim *self, const guint *place, guint unit, const WeirInputPort *port)
{
  for (guint f = 0; f < port->feeds->len; f++)
    {
      const WeirFeed *feed = &g_array_index (port->feeds, WeirFeed, f);
      guint from = self->n;

      if (feed->kind == WEIR_FEED_GIVEN)
        continue;
      for (guint a = 0; a < self->n && feed->kind == WEIR_FEED_UNIT; a++)
        from = self->units[a]->info.node.i == feed->node.i ? a : from;
      if (port->use.is_delayed || is_late (self, place, from, unit))
        return TRUE;
    }
  return FALSE;
}

GArray *
weir_cosim_list_late_inputs (const WeirCosim *self)
{
  GArray *inputs = g_array_new (FALSE, FALSE, sizeof (WeirInputPlace));
  g_autofree guint *place = g_new (guint, self->n + 1); /* the rest's last */

  for (guint k = 0; k <= self->n; k++)
    place[MIN (self->list[k], self->n)] = k;
  for (guint i = 0; i < self->n; i++)
    {
      const WeirParticipant *unit = self->units[i];

      for (guint k = 0; k < unit->info.n_inputs; k++)
        if (sees_late (self, place, i, &unit->ports[k]))
          {
            WeirInputPlace input = { unit->info.node, unit->ports[k].in };

            g_array_append_val (inputs, input);
          }
      if (is_late (self, place, i, self->n))
        g_array_append_vals (inputs, unit->fed->data, unit->fed->len);
    }
  return inputs;
}

double
weir_cosim_find_critical_path (const WeirCosim *self, const double *took, guint *path, guint *n)
{
  /* By place in the list: when it ends at the earliest, and whom it waits for until then. */
  g_autofree double *ends = g_new0 (double, self->n + 1);
  g_autofree guint *before = g_new (guint, self->n + 1);
  guint last = 0;

  for (guint k = 0; k <= self->n; k++)
    {
      before[k] = G_MAXUINT;
      for (guint j = 0; j < k && self->type == WEIR_STEP_SCHEDULING_CASCADING_PARALLEL; j++)
        if (ends[j] >= ends[k] && weir_cosim_precedes (self, self->list[j], self->list[k]))
          {
            ends[k] = ends[j];
            before[k] = j;
          }
      ends[k] += took[MIN (self->list[k], self->n)];
      if (ends[k] > ends[last])
        last = k;
    }
  *n = 0;
  for (guint k = last; k != G_MAXUINT; k = before[k])
    ++*n;
  for (guint k = last, i = *n; k != G_MAXUINT; k = before[k])
    path[--i] = self->list[k];
  return ends[last];
}

/* --- The best list --------------------------------------------------------------------------- */

/* Is what @a gives @b in time where @a stands before @b? */
static gboolean
can_be_in_time (const WeirCosim *self, guint a, guint b)
{
  return a != b
         && (b == WEIR_COSIM_REST ? weir_cosim_feeds (self, a, b)
                                  : weir_participant_awaits (self->units[b], a));
}

/* For each place in the present list, a mask of those places that feed it. */
static guint32 *
list_feeders (const WeirCosim *self)
{
  guint32 *feeders = g_new0 (guint32, self->n + 1);

  for (guint b = 0; b <= self->n; b++)
    for (guint a = 0; a <= self->n && a < 32; a++)
      if (can_be_in_time (self, self->list[a], self->list[b]))
        feeders[b] |= 1u << a;
  return feeders;
}

/* Who stands last among a set has in time all that the others of it give: of each set the most
 * links that can be. The order is read off backwards; those late in the present list go last. */
static void
find_best (const WeirCosim *self, guint *list)
{
  guint n = self->n + 1;
  g_autofree guint32 *feeders = list_feeders (self);
  g_autofree guint16 *most = g_new0 (guint16, (gsize) 1 << n);
  guint32 set = (guint32) ((1ull << n) - 1);

  for (guint32 s = 1; s <= set; s++)
    for (guint b = 0; b < n; b++)
      if (s >> b & 1)
        {
          guint here = (guint) __builtin_popcount (feeders[b] & (s & ~(1u << b)))
                       + most[s & ~(1u << b)];

          most[s] = (guint16) MAX (most[s], here);
        }
  for (guint k = n; k-- > 0;)
    for (guint b = n; b-- > 0;)
      {
        guint32 others = set & ~(1u << b);

        if ((set >> b & 1) == 0
            || most[set] != (guint) __builtin_popcount (feeders[b] & others) + most[others])
          continue;
        list[k] = self->list[b];
        set = others;
        break;
      }
}

/* Whoever gives most more than he takes from those that are left comes next. */
static void
find_good (const WeirCosim *self, guint *list)
{
  g_autofree gboolean *is_done = g_new0 (gboolean, self->n + 1);

  for (guint k = 0; k <= self->n; k++)
    {
      int best = G_MININT;
      guint next = 0;

      for (guint a = 0; a <= self->n; a++)
        {
          int gain = 0;

          for (guint b = 0; b <= self->n && !is_done[a]; b++)
            if (!is_done[b])
              gain += (int) can_be_in_time (self, self->list[a], self->list[b])
                      - (int) can_be_in_time (self, self->list[b], self->list[a]);
          if (!is_done[a] && gain > best)
            {
              best = gain;
              next = a;
            }
        }
      is_done[next] = TRUE;
      list[k] = self->list[next];
    }
}

guint
weir_cosim_suggest_list (const WeirCosim *self, guint *list)
{
  guint n_late = 0;

  if (self->n + 1 <= MAX_EXACT)
    find_best (self, list);
  else
    find_good (self, list);
  for (guint k = 0; k <= self->n; k++)
    for (guint j = 0; j <= self->n; j++)
      if ((list[k] != WEIR_COSIM_REST || list[j] != WEIR_COSIM_REST)
          && weir_cosim_feeds (self, list[k], list[j])
          && (j <= k || !can_be_in_time (self, list[k], list[j])))
        n_late++;
  return n_late;
}

/* --- Two schedules --------------------------------------------------------------------------- */

typedef struct {
  WeirContext *context;
  WeirSimulator *simulator;
} Side;

static void
side_clear (Side *self)
{
  g_clear_pointer (&self->simulator, weir_simulator_free);
  weir_context_free (self->context);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Side, side_clear)

static gboolean
side_init (Side *self, WeirSystem *root, const WeirSimulatorOptions *options,
           WeirStepSchedulingType type, const gint *cancel, GError **error)
{
  WeirSimulatorOptions own = *options;

  own.schedule = type;
  self->context = weir_system_create_context (root);
  self->simulator = weir_simulator_new (root, self->context, &own, error);
  if (self->simulator == NULL)
    return FALSE;
  weir_simulator_set_cancel (self->simulator, cancel);
  return weir_simulator_initialize (self->simulator, error);
}

/* Notes what differs where both have arrived. */
static void
look (WeirCosim *a, WeirCosim *b, double time, double *greatest, GArray *differences)
{
  for (guint i = 0, at = 0; i < a->n; i++)
    {
      guint n;
      const double *x = weir_cosim_get_outputs (a, i, &n), *y = weir_cosim_get_outputs (b, i, &n);

      for (guint e = 0; e < n; e++, at++)
        {
          WeirCosimDifference *d = &g_array_index (differences, WeirCosimDifference, at);

          greatest[at] = fmax (greatest[at], fmax (fabs (x[e]), fabs (y[e])));
          if (fabs (x[e] - y[e]) > d->difference)
            {
              d->difference = fabs (x[e] - y[e]);
              d->time = time;
              d->a = x[e];
              d->b = y[e];
            }
        }
    }
}

gboolean
weir_cosim_compare (WeirSystem *root, const WeirSimulatorOptions *options, double stop_time,
                    WeirStepSchedulingType a, WeirStepSchedulingType b, const gint *cancel,
                    GArray *differences, GError **error)
{
  g_auto (Side) first = { 0 };
  g_auto (Side) second = { 0 };
  g_autofree double *greatest = NULL;
  WeirCosim *cosim;
  double step;

  if (!side_init (&first, root, options, a, cancel, error)
      || !side_init (&second, root, options, b, cancel, error))
    return FALSE;
  cosim = weir_cosim_get (first.simulator);
  g_return_val_if_fail (cosim != NULL, FALSE);
  g_array_set_size (differences, 0);
  for (guint i = 0; i < cosim->n; i++)
    for (guint e = 0; e < cosim->units[i]->info.n_y; e++)
      {
        WeirCosimDifference d = { .unit = i, .output = e };

        g_array_append_val (differences, d);
      }
  greatest = g_new0 (double, differences->len + 1);
  step = cosim->step;
  for (gint64 k = 1; (double) k * step <= stop_time * (1 + 1e-12); k++)
    {
      double t = cosim->start + (double) k * step;

      if (!weir_simulator_advance_to (first.simulator, t, error)
          || !weir_simulator_advance_to (second.simulator, t, error))
        return FALSE;
      look (cosim, weir_cosim_get (second.simulator), t, greatest, differences);
    }
  for (guint i = 0; i < differences->len; i++)
    {
      WeirCosimDifference *d = &g_array_index (differences, WeirCosimDifference, i);

      d->relative = greatest[i] > 0 ? d->difference / greatest[i] : 0;
    }
  return TRUE;
}

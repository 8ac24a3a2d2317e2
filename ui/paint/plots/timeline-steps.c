/* Where the steps of units lie in a timeline. See timeline.h.
 *
 * The axis is the order of records, and steps are known by the clock. Each step tells of two
 * records when it was their turn; between those the clock and the records go along evenly.
 */
#include "paint/plots/timeline-private.h"

#define REACH 2.0 /* pixels beside a step at which it is still hit */

/* --- By the clock ---------------------------------------------------------------------------- */

/* At the time it was the record's turn. */
typedef struct {
  gint64 time;
  guint64 record;
} Turn;

static int
compare_turns (gconstpointer a, gconstpointer b)
{
  const Turn *x = a, *y = b;

  return x->time != y->time ? (x->time < y->time ? -1 : 1)
                            : (x->record > y->record) - (x->record < y->record);
}

/* (element-type Turn) One after the other, the records too. */
static GArray *
list_turns (const WeirLogStep *steps, gsize n)
{
  GArray *turns = g_array_sized_new (FALSE, FALSE, sizeof (Turn), (guint) (2 * n));

  for (gsize i = 0; i < n; i++)
    {
      const Turn both[] = { { steps[i].first_at, steps[i].first },
                            { steps[i].end_at, steps[i].end } };

      g_array_append_vals (turns, both, 2);
    }
  g_array_sort (turns, compare_turns);
  for (guint i = 1; i < turns->len; i++)
    g_array_index (turns, Turn, i).record = MAX (g_array_index (turns, Turn, i).record,
                                                 g_array_index (turns, Turn, i - 1).record);
  return turns;
}

static double
find_record (const GArray *turns, gint64 time)
{
  const Turn *list = (const Turn *) (gconstpointer) turns->data;
  guint low = 0, high = turns->len - 1;

  if (time <= list[low].time)
    return (double) list[low].record;
  if (time >= list[high].time)
    return (double) list[high].record;
  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      *(list[middle].time <= time ? &low : &high) = middle;
    }
  return (double) list[low].record
         + (double) (list[high].record - list[low].record) * (double) (time - list[low].time)
               / (double) (list[high].time - list[low].time);
}

/* --- By thread ------------------------------------------------------------------------------- */

static WeirTimelineThread *
find_thread (WeirTimeline *self, guint32 number)
{
  WeirTimelineThread new = { number, NULL };
  guint i = 0;

  while (i < self->threads->len
         && g_array_index (self->threads, WeirTimelineThread, i).thread < number)
    i++;
  if (i == self->threads->len
      || g_array_index (self->threads, WeirTimelineThread, i).thread != number)
    {
      new.bars = g_array_new (FALSE, FALSE, sizeof (WeirTimelineBar));
      g_array_insert_val (self->threads, i, new);
    }
  return &g_array_index (self->threads, WeirTimelineThread, i);
}

static int
compare_bars (gconstpointer a, gconstpointer b)
{
  const WeirTimelineBar *x = a, *y = b;

  return x->step->begin_at != y->step->begin_at ? (x->step->begin_at < y->step->begin_at ? -1 : 1)
                                                : (x->step > y->step) - (x->step < y->step);
}

void
weir_timeline_set_steps (WeirTimeline *self, const WeirLogStep *steps, gsize n)
{
  g_autoptr (GArray) turns = list_turns (steps, n);

  g_array_set_size (self->threads, 0);
  self->step = NULL;
  for (gsize i = 0; i < n; i++)
    {
      double first = (double) steps[i].first, end = (double) steps[i].end;
      WeirTimelineBar bar = { CLAMP (find_record (turns, steps[i].begin_at), first, end),
                              CLAMP (find_record (turns, steps[i].done_at), first, end),
                              &steps[i] };

      g_array_append_val (find_thread (self, steps[i].thread)->bars, bar);
    }
  for (guint i = 0; i < self->threads->len; i++)
    {
      GArray *bars = g_array_index (self->threads, WeirTimelineThread, i).bars;

      g_array_sort (bars, compare_bars);
      for (guint k = 1; k < bars->len; k++) /* none ends before those that began earlier */
        g_array_index (bars, WeirTimelineBar, k).end = MAX (
            g_array_index (bars, WeirTimelineBar, k).end,
            g_array_index (bars, WeirTimelineBar, k - 1).end);
    }
}

guint
weir_timeline_get_n_threads (const WeirTimeline *self)
{
  return self->threads->len;
}

guint
weir_timeline_find_bar (const WeirTimelineThread *thread, double record)
{
  guint low = 0, high = thread->bars->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (thread->bars, WeirTimelineBar, middle).end > record)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

void
weir_timeline_set_step (WeirTimeline *self, const WeirLogStep *step)
{
  self->step = step;
}

const WeirLogStep *
weir_timeline_get_step (const WeirTimeline *self)
{
  return self->step;
}

/* The nearest within reach. */
const WeirLogStep *
weir_timeline_hit_step (const WeirTimeline *self, double x, double y)
{
  guint lane = (guint) MAX ((y - weir_timeline_lane_y (self->n_lanes)) / WEIR_TIMELINE_LANE, 0);
  const WeirTimelineThread *thread;
  const WeirLogStep *nearest = NULL;
  double reach = REACH;

  if (x < self->x || y < weir_timeline_lane_y (self->n_lanes) || lane >= self->threads->len)
    return NULL;
  thread = &g_array_index (self->threads, WeirTimelineThread, lane);
  for (guint i = weir_timeline_find_bar (thread, weir_timeline_from_x (self, x - REACH));
       i < thread->bars->len; i++)
    {
      const WeirTimelineBar *bar = &g_array_index (thread->bars, WeirTimelineBar, i);
      double left = weir_timeline_to_x (self, bar->first),
             right = weir_timeline_to_x (self, bar->end);
      double away = MAX (MAX (left - x, x - right), 0);

      if (left > x + REACH)
        break;
      if (away <= reach && (nearest == NULL || away < reach))
        {
          nearest = bar->step;
          reach = away;
        }
    }
  return nearest;
}

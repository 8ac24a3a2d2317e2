/* Reference of a change event. See walk.h. */
#include "reference/walk.h"

#include <stdbool.h>
#include <stdlib.h>

typedef struct Tracker Tracker;
struct Tracker {
  uint64_t last_event;
  bool is_out_of_date;
  uint32_t n_subscribers;
  Tracker **subscribers;
};

struct Walk {
  uint32_t n;
  uint64_t event;
  Tracker *source;
  Tracker **trackers;
  Tracker **stack;
};

static void
subscribe (Tracker *to, Tracker *subscriber)
{
  to->subscribers[to->n_subscribers++] = subscriber;
}

Walk *
reference_walk_new (uint32_t n, const uint32_t *first, const uint32_t *ups)
{
  Walk *self = calloc (1, sizeof *self);
  uint32_t *count = calloc (n + 1, sizeof *count); /* the last: of the source */

  for (uint32_t i = 0; i < n; i++)
    {
      for (uint32_t k = first[i]; k < first[i + 1]; k++)
        count[ups[k]]++;
      count[n] += first[i] == first[i + 1];
    }
  self->n = n;
  self->source = calloc (1, sizeof *self->source);
  self->source->subscribers = malloc ((count[n] + 1) * sizeof (Tracker *));
  self->trackers = malloc ((n + 1) * sizeof (Tracker *));
  self->stack = malloc ((n + 1) * sizeof (Tracker *));
  for (uint32_t i = 0; i < n; i++)
    {
      self->trackers[i] = calloc (1, sizeof (Tracker));
      self->trackers[i]->subscribers
          = count[i] > 0 ? malloc (count[i] * sizeof (Tracker *)) : NULL;
      for (uint32_t k = first[i]; k < first[i + 1]; k++)
        subscribe (self->trackers[ups[k]], self->trackers[i]);
      if (first[i] == first[i + 1])
        subscribe (self->source, self->trackers[i]);
    }
  free (count);
  return self;
}

void
reference_walk_free (Walk *self)
{
  for (uint32_t i = 0; i < self->n; i++)
    {
      free (self->trackers[i]->subscribers);
      free (self->trackers[i]);
    }
  free (self->source->subscribers);
  free (self->source);
  free (self->trackers);
  free (self->stack);
  free (self);
}

void
reference_walk_iterate (Walk *self)
{
  uint64_t event = ++self->event;
  uint32_t top = 0;

  self->stack[top++] = self->source;
  while (top > 0)
    {
      Tracker *tracker = self->stack[--top];

      for (uint32_t k = 0; k < tracker->n_subscribers; k++)
        {
          Tracker *subscriber = tracker->subscribers[k];

          if (subscriber->last_event == event)
            continue;
          subscriber->last_event = event;
          subscriber->is_out_of_date = true;
          if (subscriber->n_subscribers > 0)
            self->stack[top++] = subscriber;
        }
    }
}

static void
notify (Tracker *self, uint64_t event)
{
  for (uint32_t k = 0; k < self->n_subscribers; k++)
    {
      Tracker *subscriber = self->subscribers[k];

      if (subscriber->last_event == event)
        continue;
      subscriber->last_event = event;
      subscriber->is_out_of_date = true;
      notify (subscriber, event);
    }
}

void
reference_walk_recurse (Walk *self)
{
  notify (self->source, ++self->event);
}

uint32_t
reference_walk_take_flags (Walk *self)
{
  uint32_t n = 0;

  for (uint32_t i = 0; i < self->n; i++)
    {
      n += self->trackers[i]->is_out_of_date;
      self->trackers[i]->is_out_of_date = false;
    }
  return n;
}

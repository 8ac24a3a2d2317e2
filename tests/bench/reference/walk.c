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
  uint32_t n, n_trackers;
  uint64_t event;
  Tracker *source;
  Tracker **trackers;           /* all but the source, in build order */
  Tracker **entries, **outputs; /* by block; without ports both are the entry's */
  Tracker **stack;
};

static Tracker *
tracker_new (Walk *self, uint32_t n_subscribers)
{
  Tracker *tracker = calloc (1, sizeof *tracker);

  tracker->subscribers = n_subscribers > 0 ? malloc (n_subscribers * sizeof (Tracker *)) : NULL;
  self->trackers[self->n_trackers++] = tracker;
  return tracker;
}

static void
subscribe (Tracker *to, Tracker *subscriber)
{
  to->subscribers[to->n_subscribers++] = subscriber;
}

Walk *
reference_walk_new (uint32_t n, const uint32_t *first, const uint32_t *ups, bool with_ports)
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
  self->trackers = malloc ((first[n] + 2 * n + 1) * sizeof (Tracker *));
  self->stack = malloc ((first[n] + 2 * n + 1) * sizeof (Tracker *));
  self->entries = malloc ((n + 1) * sizeof (Tracker *));
  self->outputs = malloc ((n + 1) * sizeof (Tracker *));
  self->source = tracker_new (self, count[n]);
  for (uint32_t i = 0; i < n; i++)
    {
      uint32_t first_input = self->n_trackers;

      for (uint32_t k = first[i]; with_ports && k < first[i + 1]; k++)
        subscribe (self->outputs[ups[k]], tracker_new (self, 1));
      self->entries[i] = self->outputs[i] = tracker_new (self, with_ports ? 1 : count[i]);
      for (uint32_t k = first[i]; k < first[i + 1]; k++)
        subscribe (with_ports ? self->trackers[first_input + k - first[i]] : self->entries[ups[k]],
                   self->entries[i]);
      if (first[i] == first[i + 1])
        subscribe (self->source, self->entries[i]);
      if (with_ports)
        {
          self->outputs[i] = tracker_new (self, count[i]);
          subscribe (self->entries[i], self->outputs[i]);
        }
    }
  free (count);
  return self;
}

void
reference_walk_free (Walk *self)
{
  for (uint32_t i = 0; i < self->n_trackers; i++)
    {
      free (self->trackers[i]->subscribers);
      free (self->trackers[i]);
    }
  free (self->trackers);
  free (self->entries);
  free (self->outputs);
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
      n += self->entries[i]->is_out_of_date;
      self->entries[i]->is_out_of_date = false;
    }
  return n;
}

/* Walking the trackers of a trace. See replay-private.h. */
#include "analysis/replay-private.h"

/* Does a tracker hear of the event for the first time? */
static gboolean
hear (WeirReplay *self, guint32 tracker)
{
  WeirReplayVisit visit = { tracker, 0 };

  if (self->heard[tracker] == self->event)
    return FALSE;
  self->heard[tracker] = self->event;
  g_array_append_val (self->stack, visit);
  return TRUE;
}

/* Sets the bits of entries reached in @reached, and lists notifications in @list where that is not
 * NULL. */
static void
notify (WeirReplay *self, guint32 from, guint32 to, guint64 *reached, GArray *list)
{
  guint32 depth = self->stack->len, entry = weir_trace_get_tracker_entry (self->trace, to);
  WeirNotification notification = { from, to, depth, WEIR_HEARD_SEEN };

  if (hear (self, to))
    {
      notification.heard = from == WEIR_NO_INDEX              ? WEIR_HEARD_CHANGED
                           : entry == WEIR_NO_INDEX           ? WEIR_HEARD_NO_VALUE
                           : weir_bit (self->disabled, entry) ? WEIR_HEARD_DISABLED
                           : weir_bit (self->stale, entry)    ? WEIR_HEARD_WAS_OUT_OF_DATE
                                                              : WEIR_HEARD_MADE_OUT_OF_DATE;
      if (from != WEIR_NO_INDEX && entry != WEIR_NO_INDEX && reached != NULL)
        weir_bit_put (reached, entry, TRUE);
    }
  if (list != NULL)
    g_array_append_val (list, notification);
}

void
weir_replay_walk (WeirReplay *self, guint32 source, guint64 *reached, GArray *list)
{
  guint n_roots;
  const guint32 *roots = weir_trace_get_source_trackers (self->trace, source, &n_roots);

  for (guint k = 0; k < n_roots; k++)
    {
      notify (self, WEIR_NO_INDEX, roots[k], reached, list);
      while (self->stack->len > 0)
        {
          WeirReplayVisit *top = &g_array_index (self->stack, WeirReplayVisit,
                                                 self->stack->len - 1);
          guint n;
          const guint32 *subscribers = weir_trace_get_subscribers (self->trace, top->tracker, &n);

          if (top->next == n)
            g_array_set_size (self->stack, self->stack->len - 1);
          else
            {
              guint32 from = top->tracker, to = subscribers[top->next++];

              notify (self, from, to, reached, list);
            }
        }
    }
}

/* Change events of a context, single ones and joint ones. An event counts itself, says which source
 * it began at and marks what lies downstream; a joint one gathers what its parts mark, and is
 * counted once.
 */
#include <string.h>

#include "system/context/context-private.h"

#include "base/text.h"

static void G_GNUC_NO_INLINE
mark_timed (WeirContext *self, WeirSource source)
{
  guint64 start = weir_clock_ns ();

  weir_masks_mark (self->layout->masks, source.i, self->stale, self->scratch);
  self->sweep_ns += weir_clock_since (start);
  self->n_sweeps_timed++;
}

/* Is the newest event one that is to mark nothing? */
static inline gboolean
is_skipped (const WeirContext *self)
{
  return weir_context_is (self, WEIR_MODE_SKIPS_EVENT) && self->skipped == *self->n_events;
}

static G_GNUC_NO_INLINE void
note_in_full (WeirContext *self, WeirSource source)
{
  if (weir_context_is (self, WEIR_MODE_CALLING | WEIR_MODE_HANDLING))
    weir_context_fail_within (self, N_ ("changes"));
  if (weir_context_is (self, WEIR_MODE_CHANGING))
    {
      if (weir_context_is (self, WEIR_MODE_LOGGED))
        self->logger->note_part (self, source);
      self->source_last[source.i] = *self->n_events + 1;
      self->has_joined = TRUE;
      weir_masks_mark (self->layout->masks, source.i, self->joint, self->scratch);
      return;
    }
  if (weir_context_is (self, WEIR_MODE_LOGGED))
    self->logger->note_event (self, source);
  self->source_last[source.i] = ++*self->n_events;
  self->source_events[source.i]++;
  if (is_skipped (self))
    return;
  if (weir_context_is (self, WEIR_MODE_WATCHED))
    self->watcher->mark (self, source);
  else if (weir_is_event_sampled (*self->n_events))
    mark_timed (self, source);
  else
    weir_masks_mark (self->layout->masks, source.i, self->stale, self->scratch);
}

/* A function that needs no register of its caller's, as what is usual ends with a call. */
void
weir_context_note (WeirContext *self, WeirSource source)
{
  guint64 event = *self->n_events + 1;

  if (G_UNLIKELY (weir_context_is (self, WEIR_MODES_OF_FULL_EVENTS | WEIR_MODE_LOGGED)
                  || weir_is_event_sampled (event)))
    {
      note_in_full (self, source);
      return;
    }
  *self->n_events = self->source_last[source.i] = event;
  self->source_events[source.i]++;
  weir_masks_mark (self->layout->masks, source.i, self->stale, self->scratch);
}

void
weir_context_note_and_learn (WeirContext *self, WeirSource source, WeirMaskSpan *span)
{
  weir_context_note (self, source);
  *span = weir_masks_get_span (self->layout->masks, source.i);
}

void
weir_context_begin_change (WeirContext *self)
{
  if (self->joint == NULL)
    self->joint = g_new0 (guint64, MAX (self->layout->n_words, 1));
  weir_context_count (self, &self->open_changes, TRUE, WEIR_MODE_CHANGING);
}

/* Several sources may reach one entry, which the event reaches once: so it is counted by entry, in
 * runs. */
static void
apply_joint (WeirContext *self)
{
  gboolean in_span = FALSE;

  for (guint32 w = 0; w < self->layout->n_words; w++)
    {
      guint64 word = self->joint[w];
      guint64 edges = word ^ (word << 1 | (in_span ? 1 : 0));

      for (guint64 left = edges; left != 0; left &= left - 1)
        {
          in_span = !in_span;
          self->joint_steps[w * 64 + (guint) __builtin_ctzll (left)] += in_span ? 1 : G_MAXUINT64;
        }
      self->stale[w] |= word;
      self->joint[w] = 0;
    }
  if (in_span)
    self->joint_steps[self->layout->n_entries]--;
}

void
weir_context_end_change (WeirContext *self)
{
  g_return_if_fail (self->open_changes > 0);

  weir_context_count (self, &self->open_changes, FALSE, WEIR_MODE_CHANGING);
  if (weir_context_is (self, WEIR_MODE_CHANGING) || !self->has_joined)
    return;
  self->has_joined = FALSE;
  if (weir_context_is (self, WEIR_MODE_LOGGED))
    self->logger->note_joint (self);
  ++*self->n_events;
  if (is_skipped (self))
    {
      memset (self->joint, 0, self->layout->n_words * sizeof *self->joint);
      return;
    }
  if (weir_context_is (self, WEIR_MODE_WATCHED))
    self->watcher->begin_joint (self, self->joint);
  apply_joint (self);
  if (weir_context_is (self, WEIR_MODE_WATCHED))
    self->watcher->end_joint (self);
}

/* Change events of a context, single ones and joint ones. An event counts itself, says which source
 * it began at and marks what lies downstream; a joint one gathers what its parts mark, and is
 * counted once.
 */
#include <string.h>

#include "system/context/context-private.h"

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
  return G_UNLIKELY (self->skipped != 0) && self->skipped == *self->n_events;
}

static void
note_unusual (WeirContext *self, WeirSource source)
{
  if (G_UNLIKELY (self->open_changes > 0))
    {
      if (self->recorder != NULL)
        self->recorder->note_part (self, source);
      self->source_last[source.i] = *self->n_events + 1;
      self->has_joined = TRUE;
      weir_masks_mark (self->layout->masks, source.i, self->joint, self->scratch);
      return;
    }
  if (G_UNLIKELY (self->recorder != NULL))
    self->recorder->note_event (self, source);
  self->source_last[source.i] = ++*self->n_events;
  self->source_events[source.i]++;
  if (is_skipped (self))
    return;
  if (G_UNLIKELY (self->watcher != NULL))
    self->watcher->mark (self, source);
  else if (G_UNLIKELY (weir_is_event_sampled (*self->n_events)))
    mark_timed (self, source);
  else
    weir_masks_mark (self->layout->masks, source.i, self->stale, self->scratch);
}

void
weir_context_note (WeirContext *self, WeirSource source)
{
  guint64 event = *self->n_events + 1;
  gboolean is_usual = weir_context_is_usual (self);

  if (G_UNLIKELY ((self->n_calling | (guint) self->is_handling) != 0))
    weir_context_fail_within (self, "changes");

  if (G_UNLIKELY ((!is_usual && !weir_context_only_records_events (self))
                  || weir_is_event_sampled (event)))
    {
      note_unusual (self, source);
      return;
    }
  if (G_UNLIKELY (!is_usual))
    self->recorder->note_event (self, source);
  *self->n_events = self->source_last[source.i] = event;
  self->source_events[source.i]++;
  weir_masks_mark (self->layout->masks, source.i, self->stale, self->scratch);
}

void
weir_context_note_and_learn (WeirContext *self, WeirSource source, WeirMaskRun *run)
{
  weir_context_note (self, source);
  *run = weir_masks_get_run (self->layout->masks, source.i);
}

void
weir_context_begin_change (WeirContext *self)
{
  if (self->joint == NULL)
    self->joint = g_new0 (guint64, MAX (self->layout->n_words, 1));
  self->open_changes++;
  weir_context_present_front (self);
}

/* Several sources may reach one entry, which the event reaches once: so it is counted by entry, in
 * runs. */
static void
apply_joint (WeirContext *self)
{
  gboolean in_run = FALSE;

  for (guint32 w = 0; w < self->layout->n_words; w++)
    {
      guint64 word = self->joint[w];
      guint64 edges = word ^ (word << 1 | (in_run ? 1 : 0));

      for (guint64 left = edges; left != 0; left &= left - 1)
        {
          in_run = !in_run;
          self->joint_steps[w * 64 + (guint) __builtin_ctzll (left)] += in_run ? 1 : G_MAXUINT64;
        }
      self->stale[w] |= word;
      self->joint[w] = 0;
    }
  if (in_run)
    self->joint_steps[self->layout->n_entries]--;
}

void
weir_context_end_change (WeirContext *self)
{
  g_return_if_fail (self->open_changes > 0);

  if (--self->open_changes > 0)
    return;
  weir_context_present_front (self);
  if (!self->has_joined)
    return;
  self->has_joined = FALSE;
  if (self->recorder != NULL)
    self->recorder->note_joint (self);
  ++*self->n_events;
  if (is_skipped (self))
    {
      memset (self->joint, 0, self->layout->n_words * sizeof *self->joint);
      return;
    }
  if (self->watcher != NULL)
    self->watcher->begin_joint (self, self->joint);
  apply_joint (self);
  if (self->watcher != NULL)
    self->watcher->end_joint (self);
}

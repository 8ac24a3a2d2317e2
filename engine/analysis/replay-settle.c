/* What a replay takes note of as it moves: that an entry was computed, and the search for the
 * solution of a loop. See replay-private.h.
 */
#include "analysis/replay-private.h"

#include "base/error.h"

gboolean
weir_replay_refuse (GError **error, gsize index)
{
  weir_error_set (error, WEIR_ERROR_MISMATCH,
                  "record %lu of the change log does not follow from its graph", (gulong) index);
  return FALSE;
}

WeirLogReason
weir_replay_get_reason (const WeirReplay *self, guint32 entry)
{
  return !self->caching || weir_bit (self->disabled, entry) ? WEIR_LOG_DISABLED
         : weir_bit (self->known, entry)                    ? WEIR_LOG_OUT_OF_DATE
                                                            : WEIR_LOG_FIRST;
}

void
weir_replay_settle (WeirReplay *self, guint32 entry, WeirLogReason reason, gboolean has_failed,
                    gint changed, guint32 ns)
{
  weir_bit_put (self->known, entry, TRUE);
  if (!has_failed)
    weir_bit_put (self->stale, entry, FALSE);
  self->n_touched++;
  if (self->tally != NULL)
    weir_tally_add_one (self->tally,
                        !self->caching                     ? WEIR_TALLY_OFF
                        : weir_bit (self->disabled, entry) ? WEIR_TALLY_ENTRY_OFF
                                                           : WEIR_TALLY_COMPUTED,
                        entry);
  if (self->items != NULL)
    {
      WeirReplayItem item = {
        .entry = entry, .reason = reason, .has_failed = has_failed, .changed = changed, .ns = ns
      };

      g_array_append_val (self->items, item);
    }
}

static WeirReplayLoop *
get_loop (WeirReplay *self, guint32 entry)
{
  WeirReplayLoop *loop = self->loops->len > 0
                             ? g_ptr_array_index (self->loops, self->loops->len - 1)
                             : NULL;

  if (loop == NULL || loop->entry != entry)
    {
      loop = g_new (WeirReplayLoop, 1);
      *loop = (WeirReplayLoop) { entry, weir_bit (self->stale, entry),
                                 weir_bit (self->disabled, entry),
                                 g_array_new (FALSE, FALSE, sizeof (guint32)),
                                 g_array_new (FALSE, FALSE, sizeof (gboolean)) };
      g_ptr_array_add (self->loops, loop);
    }
  return loop;
}

static void
set_members_stale (WeirReplay *self, const WeirReplayLoop *loop)
{
  for (guint i = 0; i < loop->members->len; i++)
    weir_bit_put (self->stale, g_array_index (loop->members, guint32, i), TRUE);
}

void
weir_replay_take_loop (WeirReplay *self, const WeirLogRecord *record)
{
  WeirReplayLoop *loop = get_loop (self, record->detail);

  if (record->kind == WEIR_LOG_MEMBER)
    {
      gboolean was_stale = weir_bit (self->stale, record->subject);

      g_array_append_val (loop->members, record->subject);
      g_array_append_val (loop->were_stale, was_stale);
      return;
    }
  weir_bit_put (self->disabled, loop->entry, FALSE);
  weir_bit_put (self->stale, loop->entry, FALSE);
  set_members_stale (self, loop);
}

void
weir_replay_end_loop (WeirReplay *self, guint32 entry)
{
  WeirReplayLoop *loop = self->loops->len > 0
                             ? g_ptr_array_index (self->loops, self->loops->len - 1)
                             : NULL;

  if (loop == NULL || loop->entry != entry)
    return;
  weir_bit_put (self->disabled, entry, loop->was_disabled);
  set_members_stale (self, loop);
  weir_bit_put (self->stale, entry, loop->was_stale);
  for (guint i = 0; i < loop->members->len && !loop->was_stale; i++)
    weir_bit_put (self->stale, g_array_index (loop->members, guint32, i),
                  g_array_index (loop->were_stale, gboolean, i));
  g_ptr_array_remove_index (self->loops, self->loops->len - 1);
}

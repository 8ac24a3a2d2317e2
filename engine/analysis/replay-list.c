/* What happened at a record as lists: notifications as the walk meets them, evaluations with who
 * asked for each. See replay.h.
 */
#include "analysis/replay-private.h"

#include <string.h>

GArray *
weir_replay_list_notifications (WeirReplay *self, gsize index, GError **error)
{
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (WeirNotification));
  const WeirLogRecord *record = &self->trace->records[index];

  g_return_val_if_fail (index < self->trace->n_records, NULL);

  if (!weir_replay_seek (self, index, error))
    return NULL;
  self->event++;
  if (record->kind == WEIR_LOG_EVENT)
    weir_replay_walk (self, record->subject, NULL, list);
  else if (record->kind == WEIR_LOG_JOINT)
    for (guint i = 0; i < self->parts->len; i++)
      weir_replay_walk (self, g_array_index (self->parts, guint32, i), NULL, list);
  return g_steal_pointer (&list);
}

/* Whatever @entry declares that it reads, it is the next to read it. */
static void
note_declared_reads (const WeirReplay *self, guint32 entry, guint32 *reader)
{
  guint n;
  const guint32 *reads = weir_trace_get_reads (self->trace, entry, &n);

  for (guint k = 0; k < n && !weir_trace_is_lazy (self->trace, entry); k++)
    reader[reads[k]] = entry;
}

/* First whom a calculation asked for in its course: that one is the requester. Returns, by item,
 * the evaluations in whose course something was asked for. */
static guint8 *
note_asked (const WeirReplay *self, GArray *list)
{
  guint n_entries = weir_trace_get_n_entries (self->trace);
  g_autofree guint32 *asker = g_new (guint32, MAX (n_entries, 1));
  g_autofree guint8 *is_asking = g_new0 (guint8, MAX (n_entries, 1));
  guint8 *asked = g_new0 (guint8, MAX (self->items->len, 1));

  memset (asker, 0xff, n_entries * sizeof *asker);
  for (guint i = 0; i < self->items->len; i++)
    {
      const WeirReplayItem *item = &g_array_index (self->items, WeirReplayItem, i);
      WeirEvaluation evaluation = {
        .entry = item->entry,
        .requester = asker[item->entry],
        .reason = item->reason,
        .has_failed = item->has_failed,
        .changed = item->changed,
        .ns = item->ns,
      };

      if (item->is_read)
        {
          asker[item->entry] = item->reader;
          is_asking[item->reader] = TRUE;
          continue;
        }
      asker[item->entry] = WEIR_NO_INDEX;
      asked[i] = is_asking[item->entry];
      is_asking[item->entry] = FALSE;
      g_array_append_val (list, evaluation);
    }
  return asked;
}

/* Then from the last to the first: whoever is met reads what was computed before it. A calculation
 * that asked for more in its course had begun, and read what it declared, before it asked. */
static GArray *
find_requesters (const WeirReplay *self)
{
  guint n_entries = weir_trace_get_n_entries (self->trace), at;
  g_autofree guint32 *reader = g_new (guint32, MAX (n_entries, 1));
  GArray *list = g_array_new (FALSE, TRUE, sizeof (WeirEvaluation));
  g_autofree guint8 *asked = note_asked (self, list);

  memset (reader, 0xff, n_entries * sizeof *reader);
  at = list->len;
  for (guint i = self->items->len; i-- > 0;)
    {
      const WeirReplayItem *item = &g_array_index (self->items, WeirReplayItem, i);
      WeirEvaluation *evaluation;

      if (item->is_read)
        {
          note_declared_reads (self, item->reader, reader);
          continue;
        }
      evaluation = &g_array_index (list, WeirEvaluation, --at);
      if (evaluation->requester == WEIR_NO_INDEX)
        evaluation->requester = reader[item->entry];
      if (!asked[i])
        note_declared_reads (self, item->entry, reader);
    }
  return list;
}

GArray *
weir_replay_list_evaluations (WeirReplay *self, gsize index, GError **error)
{
  const WeirLogRecord *record = &self->trace->records[index];
  GArray *list = NULL;

  g_return_val_if_fail (index < self->trace->n_records, NULL);

  if (!weir_replay_seek (self, index, error))
    return NULL;
  if (record->kind != WEIR_LOG_REQUEST && record->kind != WEIR_LOG_CALCULATION)
    return g_array_new (FALSE, TRUE, sizeof (WeirEvaluation));
  self->items = g_array_new (FALSE, FALSE, sizeof (WeirReplayItem));
  /* Not by way of a keyframe, which would leave the request out. */
  if (weir_replay_run_to (self, weir_replay_get_next (self, index), error))
    list = find_requesters (self);
  g_clear_pointer (&self->items, g_array_unref);
  return list;
}

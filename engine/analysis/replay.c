/* Moving through a trace. See replay.h; trackers are walked in replay-walk.c, evaluations rebuilt
 * in replay-rebuild.c, and what either finds is settled in replay-settle.c. */
#include "analysis/replay-private.h"

#include <string.h>

typedef struct {
  gsize word;
  guint64 bits;
} Reached;

static void
loop_free (gpointer data)
{
  WeirReplayLoop *loop = data;

  g_array_unref (loop->members);
  g_array_unref (loop->were_stale);
  g_free (loop);
}

WeirReplay *
weir_replay_new (WeirTrace *trace)
{
  WeirReplay *self = g_new0 (WeirReplay, 1);
  gsize n_words = MAX (trace->n_words, 1);

  self->trace = weir_trace_ref (trace);
  self->rebuilding = !trace->stores_evaluations;
  self->at = G_MAXSIZE;
  self->stale = g_new0 (guint64, n_words);
  self->disabled = g_new0 (guint64, n_words);
  self->known = g_new0 (guint64, n_words);
  self->closure = g_new0 (guint64, n_words);
  self->closure_entry = WEIR_NO_INDEX;
  self->parts = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->reach = g_new0 (GArray *, MAX (weir_trace_get_n_sources (trace), 1));
  self->heard = g_new0 (guint64, MAX (weir_trace_get_n_trackers (trace), 1));
  self->stack = g_array_new (FALSE, FALSE, sizeof (WeirReplayVisit));
  self->spare = g_ptr_array_new_with_free_func (g_free);
  self->expected = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->n_expected = g_new0 (guint32, MAX (weir_trace_get_n_entries (trace), 1));
  self->joined = g_new0 (guint64, n_words);
  self->loops = g_ptr_array_new_with_free_func (loop_free);
  return self;
}

void
weir_replay_free (WeirReplay *self)
{
  if (self == NULL)
    return;
  for (guint s = 0; s < weir_trace_get_n_sources (self->trace); s++)
    g_clear_pointer (&self->reach[s], g_array_unref);
  g_free (self->reach);
  g_free (self->heard);
  g_free (self->stale);
  g_free (self->disabled);
  g_free (self->known);
  g_free (self->closure);
  g_array_unref (self->parts);
  g_array_unref (self->stack);
  g_ptr_array_unref (self->spare);
  g_array_unref (self->expected);
  g_free (self->n_expected);
  g_free (self->joined);
  g_ptr_array_unref (self->loops);
  weir_trace_unref (self->trace);
  g_free (self);
}

void
weir_replay_set_rebuilding (WeirReplay *self, gboolean rebuilding)
{
  self->rebuilding = rebuilding;
  self->at = G_MAXSIZE; /* begins anew at a keyframe */
}

const guint64 *
weir_replay_get_out_of_date (const WeirReplay *self)
{
  return self->stale;
}

const guint64 *
weir_replay_get_disabled (const WeirReplay *self)
{
  return self->disabled;
}

const guint64 *
weir_replay_get_known (const WeirReplay *self)
{
  return self->known;
}

gsize
weir_replay_get_next (const WeirReplay *self, gsize index)
{
  const WeirTrace *trace = self->trace;

  for (index++; index < trace->n_records && weir_log_kind_is_inner (trace->records[index].kind);)
    index++;
  return MIN (index, trace->n_records);
}

/* --- Changes --------------------------------------------------------------------------------- */

static const GArray *
get_reach (WeirReplay *self, guint32 source)
{
  g_autofree guint64 *reached = NULL;
  GArray *reach = self->reach[source];

  if (reach != NULL)
    return reach;
  reached = g_new0 (guint64, MAX (self->trace->n_words, 1));
  self->event++;
  weir_replay_walk (self, source, reached, NULL);
  reach = self->reach[source] = g_array_new (FALSE, FALSE, sizeof (Reached));
  for (gsize w = 0; w < self->trace->n_words; w++)
    if (reached[w] != 0)
      {
        Reached found = { w, reached[w] };

        g_array_append_val (reach, found);
      }
  return reach;
}

gboolean
weir_replay_reaches (WeirReplay *self, guint32 source, const guint64 *entries)
{
  const GArray *reach = get_reach (self, source);

  for (guint i = 0; i < reach->len; i++)
    if ((g_array_index (reach, Reached, i).bits & entries[g_array_index (reach, Reached, i).word])
        != 0)
      return TRUE;
  return FALSE;
}

static void
reach_word (WeirReplay *self, gsize w, guint64 bits)
{
  self->n_touched += (guint32) __builtin_popcountll (bits & ~self->stale[w]);
  self->stale[w] |= bits;
  if (self->tally != NULL)
    weir_tally_add (self->tally, WEIR_TALLY_INVALIDATED, w, bits);
}

static void
note_last (WeirReplay *self, guint32 source, guint64 number)
{
  if (self->tally != NULL)
    self->tally->last[source] = number;
}

static void
note_event (WeirReplay *self, guint64 number)
{
  if (self->tally != NULL)
    *self->tally->n_events = number;
}

static void
change (WeirReplay *self, const WeirLogRecord *record)
{
  const GArray *reach = get_reach (self, record->subject);

  note_event (self, record->number);
  note_last (self, record->subject, record->number);
  for (guint i = 0; i < reach->len; i++)
    reach_word (self, g_array_index (reach, Reached, i).word,
                g_array_index (reach, Reached, i).bits);
}

/* The parts together are one event, which reaches an entry once. */
static void
change_jointly (WeirReplay *self, const WeirLogRecord *record)
{
  note_event (self, record->number);
  for (guint k = 0; k < self->parts->len; k++)
    {
      const GArray *reach = get_reach (self, g_array_index (self->parts, guint32, k));

      for (guint i = 0; i < reach->len; i++)
        self->joined[g_array_index (reach, Reached, i).word] |= g_array_index (reach, Reached, i)
                                                                    .bits;
    }
  for (gsize w = 0; w < self->trace->n_words; w++)
    if (self->joined[w] != 0)
      {
        reach_word (self, w, self->joined[w]);
        self->joined[w] = 0;
      }
  g_array_set_size (self->parts, 0);
}

/* --- Moving ---------------------------------------------------------------------------------- */

static void
jump (WeirReplay *self, gsize k)
{
  WeirLogKeyframe frame = weir_trace_get_keyframe (self->trace, k);
  gsize size = self->trace->n_words * sizeof *self->stale;

  memcpy (self->stale, frame.out_of_date, size);
  memcpy (self->disabled, frame.disabled, size);
  memcpy (self->known, frame.known, size);
  self->caching = frame.caching;
  self->at = frame.index;
  g_array_set_size (self->parts, 0);
  g_ptr_array_set_size (self->loops, 0);
}

/* The last keyframe at or before @index; there is one at 0. */
static gsize
find_keyframe (const WeirReplay *self, gsize index)
{
  gsize low = 0, high = self->trace->n_keyframes;

  while (high - low > 1)
    {
      gsize middle = low + (high - low) / 2;

      if (weir_trace_get_keyframe (self->trace, middle).index <= index)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/* A stored request: it is a read once what was asked for is up to date. */
static void
expect (WeirReplay *self, guint32 entry)
{
  if (self->tally == NULL)
    return;
  if (!weir_bit (self->stale, entry) && !weir_bit (self->disabled, entry))
    weir_replay_note_read (self, entry);
  else
    {
      g_array_append_val (self->expected, entry);
      self->n_expected[entry]++;
    }
}

static void
expect_nothing (WeirReplay *self)
{
  for (guint i = 0; i < self->expected->len; i++)
    self->n_expected[g_array_index (self->expected, guint32, i)] = 0;
  g_array_set_size (self->expected, 0);
}

/* @entry was computed: one that asked for it has it. */
static void
meet (WeirReplay *self, guint32 entry, gboolean has_failed)
{
  if (self->n_expected[entry] == 0)
    return;
  self->n_expected[entry]--;
  if (!has_failed)
    weir_replay_note_read (self, entry);
}

/* A stored evaluation, or what is known of who read what. */
static void
take_inner (WeirReplay *self, const WeirLogRecord *record)
{
  if (record->kind == WEIR_LOG_EVALUATED)
    for (guint32 i = 0; i < record->detail; i++)
      {
        gboolean has_failed = (record->flags & WEIR_LOG_FLAG_FAILED) != 0;

        weir_replay_end_loop (self, record->subject + i);
        weir_replay_settle (self, record->subject + i, record->reason, has_failed,
                            record->number >> i & 1, record->ns);
        meet (self, record->subject + i, has_failed);
      }
  else if (record->kind == WEIR_LOG_MEMBER || record->kind == WEIR_LOG_TRY)
    weir_replay_take_loop (self, record);
  else if (record->kind == WEIR_LOG_READ)
    weir_replay_note_read (self, record->subject);
  else if (record->kind != WEIR_LOG_FAILED)
    {
      WeirReplayItem item = { .is_read = TRUE, .entry = record->subject, .reader = record->detail };

      if (self->items != NULL)
        g_array_append_val (self->items, item);
      if (record->kind == WEIR_LOG_NESTED)
        expect (self, record->subject);
    }
}

/* Lets the record at the replay's place, and what belongs to it, happen. */
static gboolean
advance (WeirReplay *self, GError **error)
{
  gsize index = self->at;
  const WeirLogRecord *record = &self->trace->records[index];

  switch ((WeirLogKind) record->kind)
    {
    case WEIR_LOG_EVENT:
      change (self, record);
      break;
    case WEIR_LOG_PART:
      g_array_append_val (self->parts, record->subject);
      note_last (self, record->subject, record->number);
      break;
    case WEIR_LOG_JOINT:
      change_jointly (self, record);
      break;
    case WEIR_LOG_ALL_OUT_OF_DATE:
      weir_bits_set_all (self->stale, weir_trace_get_n_entries (self->trace));
      break;
    case WEIR_LOG_MARK:
      weir_bit_put (self->stale, record->subject, record->detail == 0);
      break;
    case WEIR_LOG_WRITE:
      weir_bit_put (self->known, record->subject, TRUE);
      break;
    case WEIR_LOG_ENTRY_CACHING:
      weir_bit_put (self->disabled, record->subject, record->detail == 0);
      break;
    case WEIR_LOG_CACHING:
      self->caching = record->detail != 0;
      break;
    case WEIR_LOG_REQUEST:
    case WEIR_LOG_CALCULATION:
      if (self->rebuilding)
        return weir_replay_rebuild (self, error);
      expect_nothing (self);
      if (record->kind == WEIR_LOG_REQUEST)
        expect (self, record->subject);
      break;
    case WEIR_LOG_RESTORED:
      jump (self, find_keyframe (self, index + 1));
      if (self->at != index + 1)
        return weir_replay_refuse (error, index);
      break;
    case WEIR_LOG_NESTED:
    case WEIR_LOG_DEMAND:
    case WEIR_LOG_FAILED:
    case WEIR_LOG_READ:
    case WEIR_LOG_MEMBER:
    case WEIR_LOG_TRY:
    case WEIR_LOG_EVALUATED:
      if (!self->rebuilding)
        take_inner (self, record);
      else if (record->kind != WEIR_LOG_EVALUATED)
        return weir_replay_refuse (error, index);
      break;
    case WEIR_LOG_N_KINDS:
    default:
      g_assert_not_reached ();
    }
  self->at = index + 1;
  /* Those calculated beside the cache have no evaluation of their own. */
  while (self->loops->len > 0
         && (self->at >= self->trace->n_records
             || !weir_log_kind_is_inner (self->trace->records[self->at].kind)))
    weir_replay_end_loop (
        self, ((WeirReplayLoop *) g_ptr_array_index (self->loops, self->loops->len - 1))->entry);
  return TRUE;
}

gboolean
weir_replay_seek (WeirReplay *self, gsize index, GError **error)
{
  gsize keyframe;

  g_return_val_if_fail (index <= self->trace->n_records, FALSE);

  if (self->trace->n_keyframes == 0) /* then there are no records either */
    {
      self->at = 0;
      return TRUE;
    }
  keyframe = find_keyframe (self, index);
  if (self->at > index || self->at < weir_trace_get_keyframe (self->trace, keyframe).index)
    jump (self, keyframe);
  return weir_replay_run_to (self, index, error);
}

gboolean
weir_replay_run_to (WeirReplay *self, gsize index, GError **error)
{
  while (self->at < index)
    {
      if (self->rebuilding && weir_replay_get_next (self, self->at) > index)
        break;
      if (!advance (self, error))
        {
          self->at = G_MAXSIZE; /* the next seek begins anew */
          return FALSE;
        }
    }
  return TRUE;
}

gsize
weir_replay_get_n_saved_words (const WeirReplay *self)
{
  return 1 + 3 * self->trace->n_words + (self->tally != NULL ? self->tally->size : 0);
}

void
weir_replay_save (const WeirReplay *self, guint64 *saved)
{
  gsize n = self->trace->n_words, size = n * sizeof *saved;

  g_assert (self->parts->len == 0);
  saved[0] = self->caching ? 1 : 0;
  memcpy (saved + 1, self->stale, size);
  memcpy (saved + 1 + n, self->disabled, size);
  memcpy (saved + 1 + 2 * n, self->known, size);
  if (self->tally != NULL)
    memcpy (saved + 1 + 3 * n, self->tally->block, self->tally->size * sizeof *saved);
}

void
weir_replay_restore (WeirReplay *self, gsize index, const guint64 *saved)
{
  gsize n = self->trace->n_words, size = n * sizeof *saved;

  self->caching = saved[0] != 0;
  memcpy (self->stale, saved + 1, size);
  memcpy (self->disabled, saved + 1 + n, size);
  memcpy (self->known, saved + 1 + 2 * n, size);
  if (self->tally != NULL)
    memcpy (self->tally->block, saved + 1 + 3 * n, self->tally->size * sizeof *saved);
  self->at = index;
  g_array_set_size (self->parts, 0);
  g_ptr_array_set_size (self->loops, 0);
}

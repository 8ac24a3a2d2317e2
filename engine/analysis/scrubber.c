/* Any moment of a trace. See scrubber.h. */
#include "analysis/scrubber.h"

#include <gio/gio.h>
#include <string.h>

#include "analysis/replay-private.h"

#define MIN_INTERVAL                                                                               \
  256 /* records between places kept: below it, replaying costs less than keeping */
#define CANCEL_INTERVAL 1024 /* records between looks at whether the making was cancelled */

struct _WeirScrubber {
  WeirTrace *trace;
  WeirReplay *replay; /* counts */
  WeirReplay *lister; /* for what was notified and computed; does not count */
  WeirTally *tally;
  guint32 *amounts; /* by record */
  gsize n_saved_words;
  GArray *places;  /* gsize: of what is kept, ascending */
  GPtrArray *kept; /* guint64, n_saved_words each */
  guint64 *known_at_first;
};

/* --- Making ---------------------------------------------------------------------------------- */

static void
keep (WeirScrubber *self)
{
  guint64 *saved = g_new (guint64, self->n_saved_words);

  weir_replay_save (self->replay, saved);
  g_array_append_val (self->places, self->replay->at);
  g_ptr_array_add (self->kept, saved);
}

static gboolean
is_between (const WeirTrace *trace, gsize index)
{
  return index == 0 || trace->records[index - 1].kind != WEIR_LOG_PART;
}

/* Within a joint change or a search, the replay holds more than is kept; a log may come to the end
 * of neither. */
static gboolean
can_keep (const WeirReplay *replay)
{
  return replay->parts->len == 0 && replay->loops->len == 0;
}

static gboolean
has_amount (guint8 kind)
{
  return kind == WEIR_LOG_EVENT || kind == WEIR_LOG_JOINT || kind == WEIR_LOG_REQUEST
         || kind == WEIR_LOG_CALCULATION;
}

static gboolean
pass (WeirScrubber *self, gsize interval, const gint *cancel, gint *done, GError **error)
{
  const WeirTrace *trace = self->trace;
  WeirReplay *replay = self->replay;
  gsize next_kept = interval, next_look = 0;

  for (gsize i = 0; i < trace->n_records; i = replay->at)
    {
      if (i >= next_look)
        {
          next_look = i + CANCEL_INTERVAL;
          if (done != NULL)
            g_atomic_int_set (done, (gint) MIN (i, G_MAXINT));
          if (cancel != NULL && g_atomic_int_get (cancel) != 0)
            {
              g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
              return FALSE;
            }
        }
      if (i >= next_kept && can_keep (replay))
        {
          keep (self);
          next_kept = i + interval;
        }
      replay->n_touched = 0;
      if (!weir_replay_run_to (replay, weir_replay_get_next (replay, i), error))
        return FALSE;
      if (has_amount (trace->records[i].kind))
        self->amounts[i] = replay->n_touched;
    }
  return TRUE;
}

/* From the beginning; @rebuilding: see weir_replay_set_rebuilding(). */
static gboolean
make (WeirScrubber *self, gboolean rebuilding, gsize budget, const gint *cancel, gint *done,
      GError **error)
{
  gsize n_places, size;

  self->replay->tally = NULL;
  weir_replay_set_rebuilding (self->replay, rebuilding);
  if (!weir_replay_seek (self->replay, 0, error))
    return FALSE;
  memcpy (self->known_at_first, self->replay->known, self->trace->n_words * sizeof (guint64));
  weir_tally_clear (self->tally);
  self->replay->tally = self->tally;
  self->n_saved_words = weir_replay_get_n_saved_words (self->replay);
  g_array_set_size (self->places, 0);
  g_ptr_array_set_size (self->kept, 0);
  keep (self);
  size = self->n_saved_words * sizeof (guint64);
  n_places = MAX (budget / size, 1);
  return pass (self, MAX (self->trace->n_records / n_places + 1, MIN_INTERVAL), cancel, done,
               error);
}

WeirScrubber *
weir_scrubber_new (WeirTrace *trace, gsize budget, const gint *cancel, gint *done, GError **error)
{
  g_autoptr (WeirScrubber) self = g_new0 (WeirScrubber, 1);
  g_autoptr (GError) refused = NULL;

  self->trace = weir_trace_ref (trace);
  self->lister = weir_replay_new (trace);
  self->replay = weir_replay_new (trace);
  self->tally = weir_tally_new (trace);
  self->amounts = g_new0 (guint32, MAX (trace->n_records, 1));
  self->places = g_array_new (FALSE, FALSE, sizeof (gsize));
  self->kept = g_ptr_array_new_with_free_func (g_free);
  self->known_at_first = g_new0 (guint64, MAX (trace->n_words, 1));
  if (budget == 0)
    budget = WEIR_SCRUBBER_DEFAULT_BUDGET;
  /* What failed was not read by who waited for it; only rebuilding tells who that was. The
   * evaluations of other engines may follow from other rules: then those stored are taken. */
  if (!make (self, TRUE, budget, cancel, done, &refused))
    {
      if (!trace->stores_evaluations || g_error_matches (refused, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_propagate_error (error, g_steal_pointer (&refused));
          return NULL;
        }
      if (!make (self, FALSE, budget, cancel, done, error))
        return NULL;
    }
  return g_steal_pointer (&self);
}

void
weir_scrubber_free (WeirScrubber *self)
{
  if (self == NULL)
    return;
  weir_replay_free (self->replay);
  weir_replay_free (self->lister);
  weir_tally_free (self->tally);
  weir_trace_unref (self->trace);
  g_array_unref (self->places);
  g_ptr_array_unref (self->kept);
  g_free (self->amounts);
  g_free (self->known_at_first);
  g_free (self);
}

const guint32 *
weir_scrubber_get_amounts (const WeirScrubber *self)
{
  return self->amounts;
}

/* --- Finding --------------------------------------------------------------------------------- */

gsize
weir_scrubber_get_whole (const WeirScrubber *self, gsize index)
{
  const WeirTrace *trace = self->trace;

  g_return_val_if_fail (index < trace->n_records, 0);

  while (index > 0 && weir_log_kind_is_inner (trace->records[index].kind))
    index--;
  while (trace->records[index].kind == WEIR_LOG_PART && index + 1 < trace->n_records)
    index++;
  return index;
}

gsize
weir_scrubber_get_place_after (const WeirScrubber *self, gsize index)
{
  return weir_replay_get_next (self->replay, weir_scrubber_get_whole (self, index));
}

static gboolean
is_event (const WeirTrace *trace, gsize i)
{
  return trace->records[i].kind == WEIR_LOG_EVENT || trace->records[i].kind == WEIR_LOG_JOINT;
}

/* Does the event at record @i reach one of @entries? */
static gboolean
reaches (WeirScrubber *self, gsize i, const guint64 *entries)
{
  const WeirLogRecord *records = self->trace->records;

  if (entries == NULL)
    return TRUE;
  if (records[i].kind == WEIR_LOG_EVENT)
    return weir_replay_reaches (self->lister, records[i].subject, entries);
  while (i > 0 && records[--i].kind == WEIR_LOG_PART)
    if (weir_replay_reaches (self->lister, records[i].subject, entries))
      return TRUE;
  return FALSE;
}

gsize
weir_scrubber_find_next_event (WeirScrubber *self, gsize index, const guint64 *entries)
{
  for (gsize i = index + 1; i < self->trace->n_records; i++)
    if (is_event (self->trace, i) && reaches (self, i, entries))
      return i;
  return G_MAXSIZE;
}

gsize
weir_scrubber_find_previous_event (WeirScrubber *self, gsize index, const guint64 *entries)
{
  for (gsize i = MIN (index, self->trace->n_records); i-- > 0;)
    if (is_event (self->trace, i) && reaches (self, i, entries))
      return i;
  return G_MAXSIZE;
}

gsize
weir_scrubber_find_time (const WeirScrubber *self, double time)
{
  const WeirTrace *trace = self->trace;

  for (gsize i = trace->n_records; i-- > 0;)
    if (trace->records[i].phase != WEIR_LOG_PHASE_TRIAL
        && trace->records[i].phase != WEIR_LOG_PHASE_LOCATION && trace->records[i].time <= time)
      return weir_scrubber_get_whole (self, i);
  return 0;
}

/* --- Going there ----------------------------------------------------------------------------- */

/* The last place kept at or before @place. */
static guint
find_kept (const WeirScrubber *self, gsize place)
{
  guint low = 0, high = self->places->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->places, gsize, middle) <= place)
        low = middle;
      else
        high = middle;
    }
  return low;
}

gboolean
weir_scrubber_seek (WeirScrubber *self, gsize place, GError **error)
{
  guint k;

  g_return_val_if_fail (place <= self->trace->n_records, FALSE);

  /* Between the parts of a joint change is the moment before it. */
  while (!is_between (self->trace, place))
    place--;
  k = find_kept (self, place);
  if (self->replay->at > place || self->replay->at < g_array_index (self->places, gsize, k))
    weir_replay_restore (self->replay, g_array_index (self->places, gsize, k),
                         g_ptr_array_index (self->kept, k));
  return weir_replay_run_to (self->replay, place, error);
}

gsize
weir_scrubber_get_place (const WeirScrubber *self)
{
  return self->replay->at;
}

const guint64 *
weir_scrubber_get_out_of_date (const WeirScrubber *self)
{
  return self->replay->stale;
}

const guint64 *
weir_scrubber_get_disabled (const WeirScrubber *self)
{
  return self->replay->disabled;
}

const guint64 *
weir_scrubber_get_known (const WeirScrubber *self)
{
  return self->replay->known;
}

gboolean
weir_scrubber_get_caching (const WeirScrubber *self)
{
  return self->replay->caching;
}

guint64
weir_scrubber_get_n_events (const WeirScrubber *self)
{
  return *self->tally->n_events;
}

const guint64 *
weir_scrubber_get_source_events (const WeirScrubber *self)
{
  return self->tally->last;
}

void
weir_scrubber_read_counters (const WeirScrubber *self, WeirCounters *counters)
{
  weir_tally_read (self->tally, self->trace, self->known_at_first, counters);
}

gboolean
weir_scrubber_read_range (WeirScrubber *self, gsize first, gsize end, WeirCounters *counters,
                          GError **error)
{
  guint n = weir_trace_get_n_entries (self->trace);
  g_autofree WeirCounters *before = g_new (WeirCounters, MAX (n, 1));

  g_return_val_if_fail (first <= end, FALSE);

  if (!weir_scrubber_seek (self, first, error))
    return FALSE;
  weir_scrubber_read_counters (self, before);
  if (!weir_scrubber_seek (self, end, error))
    return FALSE;
  weir_scrubber_read_counters (self, counters);
  for (guint e = 0; e < n; e++)
    {
      counters[e].hits -= before[e].hits;
      counters[e].first -= before[e].first;
      counters[e].stale -= before[e].stale;
      counters[e].disabled -= before[e].disabled;
      counters[e].invalidations -= before[e].invalidations;
    }
  return TRUE;
}

GArray *
weir_scrubber_list_notifications (WeirScrubber *self, gsize index, GError **error)
{
  return weir_replay_list_notifications (self->lister, index, error);
}

GArray *
weir_scrubber_list_evaluations (WeirScrubber *self, gsize index, GError **error)
{
  return weir_replay_list_evaluations (self->lister, index, error);
}

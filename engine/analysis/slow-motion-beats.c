/* The beats of a trace: notifications by distance from where an event began, requests by distance
 * from who asked.
 *
 * The replay lists notifications in the order of the classic walk, which goes deep before it goes
 * wide. Who notifies whom does not depend on the order, so that they are put in order of distance
 * here; of several that reach a tracker the nearest counts, the others bounce.
 */
#include "analysis/slow-motion-beats.h"

#include <string.h>

#include "base/bits.h"
#include "numerics/rows.h"

#define MOST_PER_MARK                                                                              \
  100 /* notifications, reads and so on looked at for one mark on the average                      \
       */

typedef struct {
  guint32 last;   /* push to the tracker, from 1; 0: none */
  gboolean leads; /* to an entry */
} Pushed;

typedef struct {
  WeirReplay *replay;
  const WeirTrace *trace;
  GArray *beats;           /* WeirBeat */
  GArray *marks;           /* WeirBeatMark */
  gsize n_words;           /* of 64 entries */
  guint32 *entry_trackers; /* by entry */
  guint32 *seen;           /* by tracker: serial of the search that met it last */
  guint32 serial;
  Pushed *pushed;   /* by tracker, of the event looked at; zeros between events */
  guint64 n_looked; /* what was looked at */
} Making;

static void
begin_beat (Making *m, WeirBeatKind kind, guint depth, gsize record)
{
  WeirBeat beat = { kind, depth, record, m->marks->len, 0 };

  g_array_append_val (m->beats, beat);
}

static void
add_mark (Making *m, WeirBeatMarkKind kind, guint32 tracker, guint32 from, WeirLogReason reason)
{
  WeirBeatMark mark = { kind, tracker, from, weir_trace_get_tracker_entry (m->trace, tracker),
                        reason };

  g_array_append_val (m->marks, mark);
  g_array_index (m->beats, WeirBeat, m->beats->len - 1).n++;
}

/* --- Pushing --------------------------------------------------------------------------------- */

typedef struct {
  guint32 from, to; /* from: place in the list of hearers, or WEIR_NO_INDEX */
  guint depth;
  WeirBeatMarkKind kind;
} Push;

static WeirBeatMarkKind
heard_to_kind (WeirHeard heard)
{
  switch (heard)
    {
    case WEIR_HEARD_CHANGED:
      return WEIR_BEAT_MARK_CHANGED;
    case WEIR_HEARD_MADE_OUT_OF_DATE:
      return WEIR_BEAT_MARK_OUT_OF_DATE;
    case WEIR_HEARD_WAS_OUT_OF_DATE:
      return WEIR_BEAT_MARK_WAS_OUT_OF_DATE;
    case WEIR_HEARD_DISABLED:
      return WEIR_BEAT_MARK_DISABLED;
    case WEIR_HEARD_NO_VALUE:
      return WEIR_BEAT_MARK_PASSED_ON;
    case WEIR_HEARD_SEEN:
    case WEIR_N_HEARD:
    default:
      return WEIR_BEAT_MARK_BOUNCED;
    }
}

static void
push (Making *m, GArray *pushes, guint32 from, guint32 to, GHashTable *heard)
{
  Push next = { from, to, from == WEIR_NO_INDEX ? 0 : g_array_index (pushes, Push, from).depth + 1,
                WEIR_BEAT_MARK_BOUNCED };

  if (m->seen[to] != m->serial)
    {
      m->seen[to] = m->serial;
      next.kind = from == WEIR_NO_INDEX ? WEIR_BEAT_MARK_CHANGED
                                        : heard_to_kind (GPOINTER_TO_UINT (g_hash_table_lookup (
                                            heard, GUINT_TO_POINTER (to + 1))));
    }
  g_array_append_val (pushes, next);
}

/* All notifications of an event, nearest first. */
static GArray *
list_pushes (Making *m, const GArray *notifications)
{
  g_autoptr (GHashTable) heard = g_hash_table_new (NULL, NULL); /* tracker + 1 -> WeirHeard */
  GArray *pushes = g_array_new (FALSE, FALSE, sizeof (Push));

  m->serial++;
  for (guint i = 0; i < notifications->len; i++)
    {
      const WeirNotification *n = &g_array_index (notifications, WeirNotification, i);

      if (n->heard != WEIR_HEARD_SEEN)
        g_hash_table_insert (heard, GUINT_TO_POINTER (n->to + 1), GUINT_TO_POINTER (n->heard));
      if (n->from == WEIR_NO_INDEX && m->seen[n->to] != m->serial)
        push (m, pushes, WEIR_NO_INDEX, n->to, heard);
    }
  for (guint i = 0; i < pushes->len; i++)
    {
      Push at = g_array_index (pushes, Push, i);
      guint n;
      const guint32 *subscribers;

      if (at.kind == WEIR_BEAT_MARK_BOUNCED)
        continue;
      subscribers = weir_trace_get_subscribers (m->trace, at.to, &n);
      for (guint k = 0; k < n; k++)
        push (m, pushes, i, subscribers[k], heard);
    }
  return pushes;
}

/* Which pushes lead to an entry, be it one that has heard before: those to entries, and from them
 * back whatever goes to where they came from. If none does, the first is kept. */
static guint8 *
judge_pushes (Making *m, const GArray *pushes)
{
  guint8 *keeps = g_new0 (guint8, MAX (pushes->len, 1));
  g_autofree guint32 *before = g_new (guint32, MAX (pushes->len, 1)); /* to the same tracker */
  g_autoptr (GArray) leading = g_array_new (FALSE, FALSE, sizeof (guint32)); /* to be followed */

  for (guint32 i = 0; i < pushes->len; i++)
    {
      guint32 to = g_array_index (pushes, Push, i).to;

      before[i] = m->pushed[to].last;
      m->pushed[to].last = i + 1;
      if (!m->pushed[to].leads && weir_trace_get_tracker_entry (m->trace, to) != WEIR_NO_INDEX)
        {
          m->pushed[to].leads = TRUE;
          g_array_append_val (leading, to);
        }
    }
  while (leading->len > 0)
    {
      guint32 tracker = g_array_index (leading, guint32, leading->len - 1);

      g_array_set_size (leading, leading->len - 1);
      for (guint32 i = m->pushed[tracker].last; i > 0; i = before[i - 1])
        {
          guint32 from = g_array_index (pushes, Push, i - 1).from, to;

          keeps[i - 1] = TRUE;
          if (from == WEIR_NO_INDEX)
            continue;
          to = g_array_index (pushes, Push, from).to;
          if (!m->pushed[to].leads)
            g_array_append_val (leading, to);
          m->pushed[to].leads = TRUE;
        }
    }
  if (pushes->len > 0 && memchr (keeps, TRUE, pushes->len) == NULL)
    keeps[0] = TRUE;
  for (guint i = 0; i < pushes->len; i++)
    m->pushed[g_array_index (pushes, Push, i).to] = (Pushed) { 0 };
  return keeps;
}

static gboolean
make_pushes (Making *m, gsize record, GError **error)
{
  g_autoptr (GArray) notifications = weir_replay_list_notifications (m->replay, record, error);
  g_autoptr (GArray) pushes = NULL;
  g_autofree guint8 *keeps = NULL;
  gint64 depth = -1;

  if (notifications == NULL)
    return FALSE;
  pushes = list_pushes (m, notifications);
  m->n_looked += pushes->len;
  keeps = judge_pushes (m, pushes);
  for (guint i = 0; i < pushes->len; i++)
    {
      const Push *at = &g_array_index (pushes, Push, i);

      if (!keeps[i])
        continue;
      if (at->depth != depth)
        begin_beat (m, at->depth == 0 ? WEIR_BEAT_CHANGE : WEIR_BEAT_PUSH, at->depth, record);
      depth = at->depth;
      add_mark (m, at->kind, at->to,
                at->from == WEIR_NO_INDEX ? WEIR_NO_INDEX
                                          : g_array_index (pushes, Push, at->from).to,
                WEIR_LOG_OUT_OF_DATE);
    }
  return TRUE;
}

/* --- Pulling --------------------------------------------------------------------------------- */

/* One that a request brought up to date. */
typedef struct {
  WeirEvaluation what;
  guint level;  /* steps from the request */
  guint reader; /* the evaluation that it is asked for by; G_MAXUINT: the request */
} Pull;

typedef struct {
  guint reader;  /* evaluation */
  guint32 entry; /* that it reads */
  guint served;  /* the evaluation that brought it up to date in this request; G_MAXUINT: it was
                    before */
} Read;

/* What each evaluation declares to read, and which one before it has served that. What a lazy
 * calculation asks for is known by the requester of those asked. */
static GArray *
list_reads (const Making *m, const GArray *pulls)
{
  g_autoptr (GHashTable) last = g_hash_table_new (NULL, NULL); /* entry + 1 -> evaluation + 1 */
  GArray *reads = g_array_new (FALSE, FALSE, sizeof (Read));

  for (guint i = 0; i < pulls->len; i++)
    {
      guint32 entry = g_array_index (pulls, Pull, i).what.entry;
      guint n;
      const guint32 *read = weir_trace_get_reads (m->trace, entry, &n);

      for (guint k = 0; k < n && !weir_trace_is_lazy (m->trace, entry); k++)
        {
          Read one = { i, read[k], G_MAXUINT };
          gpointer served = g_hash_table_lookup (last, GUINT_TO_POINTER (read[k] + 1));

          if (served != NULL)
            one.served = GPOINTER_TO_UINT (served) - 1;
          g_array_append_val (reads, one);
        }
      g_hash_table_insert (last, GUINT_TO_POINTER (entry + 1), GUINT_TO_POINTER (i + 1));
    }
  return reads;
}

static void
deepen (Pull *pull, guint level, guint reader)
{
  if (pull->reader != G_MAXUINT && pull->level >= level)
    return;
  pull->level = MAX (pull->level, level);
  pull->reader = reader;
}

/* The longest way from the request, so that whatever is read is deeper than its readers. */
static void
find_levels (GArray *pulls, const GArray *reads, guint32 subject)
{
  g_autoptr (GHashTable) next = g_hash_table_new (NULL, NULL); /* entry + 1 -> evaluation + 1 */
  guint r = reads->len;

  for (guint i = pulls->len; i-- > 0;)
    {
      Pull *pull = &g_array_index (pulls, Pull, i);
      gpointer requester = pull->what.requester != WEIR_NO_INDEX ? g_hash_table_lookup (
                               next, GUINT_TO_POINTER (pull->what.requester + 1))
                                                                 : NULL;

      if (requester != NULL)
        {
          guint reader = GPOINTER_TO_UINT (requester) - 1;

          deepen (pull, g_array_index (pulls, Pull, reader).level + 1, reader);
        }
      else if (pull->reader == G_MAXUINT && pull->what.entry != subject)
        pull->level = 1;
      for (; r > 0 && g_array_index (reads, Read, r - 1).reader == i; r--)
        {
          const Read *read = &g_array_index (reads, Read, r - 1);

          if (read->served != G_MAXUINT)
            deepen (&g_array_index (pulls, Pull, read->served), pull->level + 1, i);
        }
      g_hash_table_insert (next, GUINT_TO_POINTER (pull->what.entry + 1), GUINT_TO_POINTER (i + 1));
    }
}

#define LONGEST_PATH 4096 /* subscribers looked at between two entries */

/* The trackers between what is read and who reads it, from the reader on. */
static void
add_path (Making *m, guint32 from_entry, guint32 to_entry)
{
  typedef struct {
    guint32 tracker;
    guint from;
  } Visit;
  guint32 start = m->entry_trackers[from_entry], goal = m->entry_trackers[to_entry];
  g_autoptr (GArray) visits = g_array_new (FALSE, FALSE, sizeof (Visit));
  Visit first = { start, 0 };
  guint at = 0, n_looked = 0;

  m->serial++;
  m->seen[start] = m->serial;
  g_array_append_val (visits, first);
  for (; at < visits->len && n_looked < LONGEST_PATH; at++)
    {
      guint32 tracker = g_array_index (visits, Visit, at).tracker;
      guint n;
      const guint32 *subscribers = weir_trace_get_subscribers (m->trace, tracker, &n);

      for (guint k = 0; k < n && n_looked++ < LONGEST_PATH; k++)
        {
          Visit visit = { subscribers[k], at };

          if (subscribers[k] == goal)
            {
              guint32 asker = goal;

              for (guint i = at; i > 0; i = g_array_index (visits, Visit, i).from)
                {
                  guint32 passed = g_array_index (visits, Visit, i).tracker;

                  add_mark (m, WEIR_BEAT_MARK_PASSED_ON, passed, asker, WEIR_LOG_OUT_OF_DATE);
                  asker = passed;
                }
              return;
            }
          if (m->seen[subscribers[k]] == m->serial
              || weir_trace_get_tracker_entry (m->trace, subscribers[k]) != WEIR_NO_INDEX)
            continue;
          m->seen[subscribers[k]] = m->serial;
          g_array_append_val (visits, visit);
        }
    }
}

/* The evaluations that a request brought about, and what they read. */
typedef struct {
  GArray *pulls, *reads;
  WeirRows pulls_at, reads_at; /* by level; a read is at the level below its reader's */
  guint n_levels;
} Pulling;

static void
pulling_clear (Pulling *self)
{
  g_clear_pointer (&self->pulls, g_array_unref);
  g_clear_pointer (&self->reads, g_array_unref);
  weir_rows_clear (&self->pulls_at);
  weir_rows_clear (&self->reads_at);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pulling, pulling_clear)

/* Takes over @pulls. */
static Pulling
pulling_make (const Making *m, GArray *pulls, guint32 subject)
{
  Pulling self = { .pulls = pulls, .reads = list_reads (m, pulls) };
  g_autofree guint *levels = g_new (guint, MAX (MAX (pulls->len, self.reads->len), 1));

  find_levels (pulls, self.reads, subject);
  for (guint i = 0; i < pulls->len; i++)
    {
      levels[i] = g_array_index (pulls, Pull, i).level;
      self.n_levels = MAX (self.n_levels, levels[i]);
    }
  self.n_levels += 2;
  weir_rows_group (&self.pulls_at, self.n_levels, levels, pulls->len);
  for (guint i = 0; i < self.reads->len; i++)
    levels[i] = g_array_index (pulls, Pull, g_array_index (self.reads, Read, i).reader).level + 1;
  weir_rows_group (&self.reads_at, self.n_levels, levels, self.reads->len);
  return self;
}

/* Those asked at a level, and the up-to-date values that those of the level above found. */
static void
add_asked (Making *m, const Pulling *p, const guint64 *stale, guint level)
{
  for (guint32 k = p->pulls_at.first[level]; k < p->pulls_at.first[level + 1]; k++)
    {
      const Pull *pull = &g_array_index (p->pulls, Pull, p->pulls_at.items[k]);
      guint32 from = WEIR_NO_INDEX;

      if (pull->reader != G_MAXUINT)
        {
          guint32 reader = g_array_index (p->pulls, Pull, pull->reader).what.entry;

          from = m->entry_trackers[reader];
          add_path (m, pull->what.entry, reader);
        }
      add_mark (m, WEIR_BEAT_MARK_ASKED, m->entry_trackers[pull->what.entry], from,
                pull->what.reason);
    }
  for (guint32 k = p->reads_at.first[level]; k < p->reads_at.first[level + 1]; k++)
    {
      const Read *read = &g_array_index (p->reads, Read, p->reads_at.items[k]);
      const Pull *reader = &g_array_index (p->pulls, Pull, read->reader);
      gboolean is_asked = read->served != G_MAXUINT
                          && g_array_index (p->pulls, Pull, read->served).reader == read->reader;

      if (is_asked || (read->served == G_MAXUINT && weir_bit (stale, read->entry)))
        continue;
      add_path (m, read->entry, reader->what.entry);
      add_mark (m, WEIR_BEAT_MARK_HIT, m->entry_trackers[read->entry],
                m->entry_trackers[reader->what.entry], WEIR_LOG_OUT_OF_DATE);
    }
}

static void
add_computed (Making *m, const Pulling *p, guint level)
{
  for (guint32 k = p->pulls_at.first[level]; k < p->pulls_at.first[level + 1]; k++)
    {
      const Pull *pull = &g_array_index (p->pulls, Pull, p->pulls_at.items[k]);

      add_mark (m, pull->what.has_failed ? WEIR_BEAT_MARK_FAILED : WEIR_BEAT_MARK_COMPUTED,
                m->entry_trackers[pull->what.entry], WEIR_NO_INDEX, pull->what.reason);
    }
}

/* Drops the beat begun last if it shows nothing. */
static void
end_beat (Making *m)
{
  if (g_array_index (m->beats, WeirBeat, m->beats->len - 1).n == 0)
    g_array_set_size (m->beats, m->beats->len - 1);
}

static gboolean
make_pulls (Making *m, gsize record, guint32 subject, GError **error)
{
  g_autofree guint64 *stale = NULL;
  g_autoptr (GArray) evaluations = NULL;
  g_autoptr (GArray) pulls = g_array_new (FALSE, FALSE, sizeof (Pull));
  g_auto (Pulling) pulling = { 0 };
  gboolean has_subject = FALSE;

  if (!weir_replay_seek (m->replay, record, error))
    return FALSE;
  stale = g_memdup2 (weir_replay_get_out_of_date (m->replay), m->n_words * sizeof *stale);
  evaluations = weir_replay_list_evaluations (m->replay, record, error);
  if (evaluations == NULL)
    return FALSE;
  for (guint i = 0; i < evaluations->len; i++)
    {
      Pull pull = { g_array_index (evaluations, WeirEvaluation, i), 0, G_MAXUINT };

      has_subject |= pull.what.entry == subject;
      g_array_append_val (pulls, pull);
    }
  pulling = pulling_make (m, g_array_ref (pulls), subject);
  m->n_looked += m->n_words + pulls->len + pulling.reads->len;
  for (guint level = 0; level < pulling.n_levels; level++)
    {
      begin_beat (m, WEIR_BEAT_ASK, level, record);
      if (level == 0 && !has_subject)
        add_mark (m, pulls->len > 0 ? WEIR_BEAT_MARK_PASSED_ON : WEIR_BEAT_MARK_HIT,
                  m->entry_trackers[subject], WEIR_NO_INDEX, WEIR_LOG_OUT_OF_DATE);
      add_asked (m, &pulling, stale, level);
      end_beat (m);
    }
  for (guint level = pulling.n_levels - 1; level-- > 0;)
    {
      begin_beat (m, WEIR_BEAT_COMPUTE, level, record);
      add_computed (m, &pulling, level);
      end_beat (m);
    }
  return TRUE;
}

/* --- All of it ------------------------------------------------------------------------------- */

static gboolean
make_record (Making *m, gsize i, const WeirLogRecord *record, GError **error)
{
  switch ((WeirLogKind) record->kind)
    {
    case WEIR_LOG_EVENT:
    case WEIR_LOG_JOINT:
      return make_pushes (m, i, error);
    case WEIR_LOG_REQUEST:
    case WEIR_LOG_CALCULATION:
      return make_pulls (m, i, record->subject, error);
    case WEIR_LOG_PART:
    case WEIR_LOG_ALL_OUT_OF_DATE:
    case WEIR_LOG_MARK:
    case WEIR_LOG_WRITE:
    case WEIR_LOG_ENTRY_CACHING:
    case WEIR_LOG_CACHING:
    case WEIR_LOG_RESTORED:
    case WEIR_LOG_NESTED:
    case WEIR_LOG_DEMAND:
    case WEIR_LOG_FAILED:
    case WEIR_LOG_EVALUATED:
    case WEIR_LOG_READ:
    case WEIR_LOG_MEMBER:
    case WEIR_LOG_TRY:
    case WEIR_LOG_N_KINDS:
    default:
      return TRUE;
    }
}

gboolean
weir_beats_make (WeirReplay *replay, WeirTrace *trace, gsize first, gsize *end, guint limit,
                 GArray *beats, GArray *marks, GError **error)
{
  guint n_trackers = weir_trace_get_n_trackers (trace),
        n_entries = weir_trace_get_n_entries (trace);
  g_autofree guint32 *entry_trackers = g_new0 (guint32, MAX (n_entries, 1));
  g_autofree guint32 *seen = g_new0 (guint32, MAX (n_trackers, 1));
  g_autofree Pushed *pushed = g_new0 (Pushed, MAX (n_trackers, 1));
  Making m = { .replay = replay,
               .trace = trace,
               .beats = beats,
               .marks = marks,
               .n_words = MAX (weir_bits_n_words (n_entries), 1),
               .entry_trackers = entry_trackers,
               .seen = seen,
               .pushed = pushed };
  gsize n_records;
  const WeirLogRecord *records = weir_trace_get_records (trace, &n_records);

  for (guint32 t = 0; t < n_trackers; t++)
    if (weir_trace_get_tracker_entry (trace, t) != WEIR_NO_INDEX)
      entry_trackers[weir_trace_get_tracker_entry (trace, t)] = t;
  for (gsize i = first; i < *end; i = weir_replay_get_next (replay, i))
    {
      if (limit > 0 && (marks->len >= limit || m.n_looked >= (guint64) limit * MOST_PER_MARK))
        {
          *end = i;
          break;
        }
      if (!make_record (&m, i, &records[i], error))
        return FALSE;
    }
  return TRUE;
}

/* Every moment of a log, reached in any order, is what it was: flags, counters and last
 * events of the engine itself after every step of random diagrams, and those of a straight replay
 * after every record.
 */
#include "../seeds.h"
#include "random-steps.h"

#include <gio/gio.h>

#include "analysis/replay-private.h"
#include "analysis/scrubber.h"
#include "system/context/inspection.h"
#include "system/observation/observation-private.h"

#define N_STEPS 250
#define SMALL_BUDGET 1 /* byte: only the beginning is kept */

/* What the engine said after a step. */
typedef struct {
  gsize n_records;
  gboolean caching;
  guint64 n_events;
  guint64 *stale, *disabled, *last;
  WeirCounters *counters;
} Moment;

typedef struct {
  GRand *rand;
  WeirSystem *system;
  WeirLayout *layout;
  WeirContext *context;
  GArray *moments; /* Moment */
} Subject;

static void
moment_clear (gpointer data)
{
  Moment *moment = data;

  g_free (moment->stale);
  g_free (moment->disabled);
  g_free (moment->last);
  g_free (moment->counters);
}

static void
subject_init (Subject *s, guint32 seed)
{
  guint n_outputs;

  g_test_message ("seed %u", seed);
  *s = (Subject) { .rand = g_rand_new_with_seed (seed),
                   .moments = g_array_new (FALSE, FALSE, sizeof (Moment)) };
  g_array_set_clear_func (s->moments, moment_clear);
  do
    {
      g_clear_pointer (&s->system, weir_system_unref);
      s->system = random_diagram_new (s->rand, 0, &n_outputs);
      s->layout = weir_system_get_layout (s->system);
    }
  while (s->layout->n_entries < 20);
  s->context = weir_system_create_context (s->system);
}

/* Fixes what is wired to nothing, but for every eighth diagram, where reading it fails. */
static void
fix_inputs (Subject *s, guint32 seed)
{
  for (guint32 n = 0; n < s->layout->n_nodes && seed % 8 != 0; n++)
    for (guint16 i = 0; i < s->layout->nodes[n].shape->inputs->len; i++)
      if (s->layout->inputs[s->layout->nodes[n].first_input + i].kind == WEIR_ORIGIN_FIXED
          && s->layout->inputs[s->layout->nodes[n].first_input + i].node == n)
        weir_context_fix_input (s->context, (WeirNode) { n }, (WeirInput) { i },
                                (double[]) { 0.1 * i });
}

static void
subject_clear (Subject *s)
{
  weir_context_free (s->context);
  weir_system_unref (s->system);
  g_rand_free (s->rand);
  g_array_unref (s->moments);
}

static void
note_moment (Subject *s)
{
  gsize bytes = s->layout->n_words * sizeof (guint64);
  Moment moment = {
    .n_records = s->context->log_ring->n,
    .caching = weir_context_get_caching (s->context),
    .n_events = weir_context_get_n_events (s->context),
    .stale = g_memdup2 (s->context->stale, bytes),
    .disabled = g_memdup2 (s->context->disabled, bytes),
    .last = g_new0 (guint64, s->layout->n_sources + 1),
    .counters = g_new0 (WeirCounters, s->layout->n_entries + 1),
  };

  weir_context_read_source_events (s->context, moment.last);
  weir_context_read_counters (s->context, moment.counters);
  g_array_append_val (s->moments, moment);
}

static void
run_steps (Subject *s)
{
  g_autofree double *x = g_new0 (double, s->layout->n_states + 1);

  for (guint k = 0; k < N_STEPS; k++)
    {
      RandomStep step = { .kind = (guint32) g_rand_int_range (s->rand, 0, 36),
                          .l = (guint32) g_rand_int_range (s->rand, 0, 100000),
                          .value = g_rand_double_range (s->rand, -1, 1),
                          .time = g_rand_int_range (s->rand, 0, 4),
                          .on = g_rand_int_range (s->rand, 0, 3) != 0,
                          .x = x };

      for (guint i = 0; i < s->layout->n_states; i++)
        x[i] = g_rand_int_range (s->rand, -2, 3) * 0.25;
      random_make (s->context, s->system, &step);
      note_moment (s);
    }
}

/* --- Against the engine ---------------------------------------------------------------------- */

static void
check_moment (const Subject *s, WeirScrubber *scrubber, const Moment *moment)
{
  gsize bytes = s->layout->n_words * sizeof (guint64);
  g_autofree WeirCounters *counters = g_new0 (WeirCounters, s->layout->n_entries + 1);
  g_autoptr (GError) error = NULL;

  weir_scrubber_seek (scrubber, moment->n_records, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (weir_scrubber_get_place (scrubber), ==, moment->n_records);
  g_assert_cmpmem (weir_scrubber_get_out_of_date (scrubber), bytes, moment->stale, bytes);
  g_assert_cmpmem (weir_scrubber_get_disabled (scrubber), bytes, moment->disabled, bytes);
  g_assert_cmpint (weir_scrubber_get_caching (scrubber), ==, moment->caching);
  g_assert_cmpuint (weir_scrubber_get_n_events (scrubber), ==, moment->n_events);
  g_assert_cmpmem (weir_scrubber_get_source_events (scrubber),
                   s->layout->n_sources * sizeof (guint64), moment->last,
                   s->layout->n_sources * sizeof (guint64));
  weir_scrubber_read_counters (scrubber, counters);
  for (guint32 e = 0; e < s->layout->n_entries; e++)
    {
      g_assert_cmpuint (counters[e].first, ==, moment->counters[e].first);
      g_assert_cmpuint (counters[e].stale, ==, moment->counters[e].stale);
      g_assert_cmpuint (counters[e].disabled, ==, moment->counters[e].disabled);
      g_assert_cmpuint (counters[e].invalidations, ==, moment->counters[e].invalidations);
      g_assert_cmpuint (counters[e].hits, ==, moment->counters[e].hits);
    }
}

static void
check_range (const Subject *s, WeirScrubber *scrubber, const Moment *a, const Moment *b)
{
  g_autofree WeirCounters *counters = g_new0 (WeirCounters, s->layout->n_entries + 1);
  g_autoptr (GError) error = NULL;

  weir_scrubber_read_range (scrubber, a->n_records, b->n_records, counters, &error);
  g_assert_no_error (error);
  for (guint32 e = 0; e < s->layout->n_entries; e++)
    {
      g_assert_cmpuint (counters[e].hits, ==, b->counters[e].hits - a->counters[e].hits);
      g_assert_cmpuint (counters[e].stale, ==, b->counters[e].stale - a->counters[e].stale);
      g_assert_cmpuint (counters[e].invalidations, ==,
                        b->counters[e].invalidations - a->counters[e].invalidations);
    }
}

static gsize
check_engine (guint32 seed, WeirLogMode mode, gsize budget)
{
  Subject s;
  g_autoptr (WeirChangeLog) log = NULL;
  g_autoptr (WeirTrace) trace = NULL;
  g_autoptr (WeirScrubber) scrubber = NULL;
  g_autoptr (GError) error = NULL;
  gint n_done = 0;
  gsize n;

  subject_init (&s, seed);
  weir_context_start_log (s.context, mode, 1 << 18);
  fix_inputs (&s, seed);
  note_moment (&s);
  run_steps (&s);
  log = weir_context_stop_log (s.context);
  trace = weir_trace_new (log, "random");
  weir_change_log_get_records (log, &n);
  scrubber = weir_scrubber_new (trace, budget, NULL, &n_done, &error);
  g_assert_no_error (error);
  for (guint k = 0; k < 3 * s.moments->len; k++)
    {
      guint i = k < s.moments->len ? k
                                   : (guint) g_rand_int_range (s.rand, 0, (gint) s.moments->len);
      guint j = (guint) g_rand_int_range (s.rand, 0, (gint) i + 1);
      Moment moment = g_array_index (s.moments, Moment, i),
             before = g_array_index (s.moments, Moment, j);

      check_moment (&s, scrubber, &moment);
      check_range (&s, scrubber, &before, &moment);
    }
  subject_clear (&s);
  return n;
}

static void
test_engine (void)
{
  guint32 seed = get_test_seed (3000);
  gsize n = 0;

  for (guint k = 0; k < 40; k++, seed++)
    {
      n += check_engine (seed, WEIR_LOG_MODE_EVENTS, k % 2 == 0 ? 0 : SMALL_BUDGET);
      n += check_engine (seed, WEIR_LOG_MODE_ALL, k % 2 == 0 ? 0 : SMALL_BUDGET);
    }
  g_assert_cmpuint (n, >, 30 * 1024); /* so that places are kept in between */
}

/* --- Against a straight replay --------------------------------------------------------------- */

static guint32
count_new (const guint64 *before, const guint64 *after, gsize n_words)
{
  guint32 n = 0;

  for (gsize w = 0; w < n_words; w++)
    n += (guint32) __builtin_popcountll (after[w] & ~before[w]);
  return n;
}

static void
check_straight (guint32 seed, WeirLogMode mode)
{
  Subject s;
  g_autoptr (WeirChangeLog) log = NULL;
  g_autoptr (WeirTrace) trace = NULL;
  g_autoptr (WeirReplay) replay = NULL;
  g_autoptr (WeirScrubber) scrubber = NULL;
  g_autofree guint64 *flags = NULL;
  const WeirLogRecord *records;
  gsize n, n_words;

  subject_init (&s, seed);
  n_words = s.layout->n_words;
  fix_inputs (&s, seed);
  weir_context_start_log (s.context, mode, 2048); /* the newest part only */
  run_steps (&s);
  log = weir_context_stop_log (s.context);
  trace = weir_trace_new (log, NULL);
  records = weir_trace_get_records (trace, &n);
  replay = weir_replay_new (trace);
  weir_replay_set_rebuilding (replay, TRUE); /* within a request stays at its beginning */
  scrubber = weir_scrubber_new (trace, 0, NULL, NULL, NULL);
  g_assert_nonnull (scrubber);

  flags = g_new0 (guint64, (n + 1) * 3 * n_words);
  for (gsize i = 0; i <= n; i++)
    {
      guint64 *at = flags + i * 3 * n_words;

      g_assert_true (weir_replay_seek (replay, i, NULL));
      memcpy (at, weir_replay_get_out_of_date (replay), n_words * 8);
      memcpy (at + n_words, weir_replay_get_disabled (replay), n_words * 8);
      memcpy (at + 2 * n_words, weir_replay_get_known (replay), n_words * 8);
    }
  for (gsize k = 0; k < 2 * n; k++)
    {
      gsize i = k < n ? k : (gsize) g_rand_int_range (s.rand, 0, (gint) n);
      const guint64 *at = flags + i * 3 * n_words;

      g_assert_true (weir_scrubber_seek (scrubber, i, NULL));
      g_assert_cmpmem (weir_scrubber_get_out_of_date (scrubber), n_words * 8, at, n_words * 8);
      g_assert_cmpmem (weir_scrubber_get_disabled (scrubber), n_words * 8, at + n_words,
                       n_words * 8);
      g_assert_cmpmem (weir_scrubber_get_known (scrubber), n_words * 8, at + 2 * n_words,
                       n_words * 8);
      if (k < n && (records[i].kind == WEIR_LOG_EVENT || records[i].kind == WEIR_LOG_JOINT))
        g_assert_cmpuint (weir_scrubber_get_amounts (scrubber)[i], ==,
                          count_new (at, at + 3 * n_words, n_words));
      else if (k < n && records[i].kind == WEIR_LOG_REQUEST)
        {
          g_autoptr (GArray) list = weir_scrubber_list_evaluations (scrubber, i, NULL);

          g_assert_cmpuint (weir_scrubber_get_amounts (scrubber)[i], ==, list->len);
        }
    }
  subject_clear (&s);
}

static void
test_straight (void)
{
  guint32 seed = get_test_seed (4000);

  for (guint k = 0; k < 25; k++, seed++)
    {
      check_straight (seed, WEIR_LOG_MODE_EVENTS);
      check_straight (seed, WEIR_LOG_MODE_ALL);
    }
}

/* --- Evaluations of other engines ------------------------------------------------------------ */

/* Stored evaluations alone, without rebuilding any, give the same counts as long as
 * nothing fails. */
static void
check_stored (guint32 seed)
{
  Subject s;
  g_autoptr (WeirChangeLog) log = NULL;
  g_autoptr (WeirTrace) trace = NULL;
  g_autoptr (WeirReplay) replay = NULL;
  g_autoptr (WeirTally) tally = NULL;
  g_autofree guint64 *known = NULL;
  g_autofree WeirCounters *counters = NULL;
  const WeirLogRecord *records;
  gsize n, first_failed = 0;

  subject_init (&s, seed);
  weir_context_start_log (s.context, WEIR_LOG_MODE_ALL, 1 << 18);
  fix_inputs (&s, 1);
  run_steps (&s);
  log = weir_context_stop_log (s.context);
  trace = weir_trace_new (log, NULL);
  records = weir_trace_get_records (trace, &n);
  while (first_failed < n && records[first_failed].kind != WEIR_LOG_FAILED)
    first_failed++;
  replay = weir_replay_new (trace);
  tally = weir_tally_new (trace);
  known = g_new0 (guint64, s.layout->n_words);
  counters = g_new0 (WeirCounters, s.layout->n_entries);
  g_assert_true (weir_replay_seek (replay, 0, NULL));
  replay->tally = tally;
  for (guint k = 0; k < s.moments->len; k++)
    {
      const Moment *moment = &g_array_index (s.moments, Moment, k);

      if (moment->n_records > first_failed)
        break;
      g_assert_true (weir_replay_run_to (replay, moment->n_records, NULL));
      weir_tally_read (tally, trace, known, counters);
      g_assert_cmpmem (counters, s.layout->n_entries * sizeof *counters, moment->counters,
                       s.layout->n_entries * sizeof *counters);
    }
  subject_clear (&s);
}

static void
test_stored (void)
{
  guint32 seed = get_test_seed (6000);

  for (guint k = 0; k < 30; k++)
    check_stored (seed++);
}

/* --- Finding --------------------------------------------------------------------------------- */

/* Events that reach an entry, found from event to event, are those whose notifications say so. */
static void
test_events (void)
{
  Subject s;
  g_autoptr (WeirChangeLog) log = NULL;
  g_autoptr (WeirTrace) trace = NULL;
  g_autoptr (WeirScrubber) scrubber = NULL;
  g_autofree guint64 *wanted = NULL;
  const WeirLogRecord *records;
  gsize n, next, last = G_MAXSIZE, n_found = 0, n_events = 0;
  guint32 entry;

  subject_init (&s, 5001);
  fix_inputs (&s, 5001);
  weir_context_start_log (s.context, WEIR_LOG_MODE_EVENTS, 1 << 16);
  run_steps (&s);
  log = weir_context_stop_log (s.context);
  trace = weir_trace_new (log, NULL);
  records = weir_trace_get_records (trace, &n);
  scrubber = weir_scrubber_new (trace, 0, NULL, NULL, NULL);
  entry = s.layout->n_entries / 2;
  wanted = g_new0 (guint64, s.layout->n_words);
  wanted[entry / 64] |= G_GUINT64_CONSTANT (1) << (entry % 64);

  next = records[0].kind == WEIR_LOG_EVENT ? 0 : weir_scrubber_find_next_event (scrubber, 0, NULL);
  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GArray) list = NULL;
      gboolean reaches = FALSE;

      if (records[i].kind != WEIR_LOG_EVENT && records[i].kind != WEIR_LOG_JOINT)
        continue;
      g_assert_cmpuint (i, ==, next);
      next = weir_scrubber_find_next_event (scrubber, i, NULL);
      n_events++;
      list = weir_scrubber_list_notifications (scrubber, i, NULL);
      for (guint k = 0; k < list->len; k++)
        reaches |= g_array_index (list, WeirNotification, k).from != WEIR_NO_INDEX
                   && weir_trace_get_tracker_entry (trace,
                                                    g_array_index (list, WeirNotification, k).to)
                          == entry;
      if (i > 0)
        g_assert_cmpint (weir_scrubber_find_next_event (scrubber, i - 1, wanted) == i, ==, reaches);
      if (!reaches)
        continue;
      g_assert_cmpuint (weir_scrubber_find_previous_event (scrubber, i, wanted), ==, last);
      last = i;
      n_found++;
    }
  g_assert_cmpuint (next, ==, G_MAXSIZE);
  g_assert_cmpuint (n_found, >, 10);
  g_assert_cmpuint (n_found, <, n_events);
  subject_clear (&s);
}

static void
test_cancelled (void)
{
  Subject s;
  g_autoptr (WeirChangeLog) log = NULL;
  g_autoptr (WeirTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  gint cancel = 1;

  subject_init (&s, 5002);
  weir_context_start_log (s.context, WEIR_LOG_MODE_EVENTS, 1 << 16);
  run_steps (&s);
  log = weir_context_stop_log (s.context);
  trace = weir_trace_new (log, NULL);
  g_assert_null (weir_scrubber_new (trace, 0, &cancel, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  subject_clear (&s);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/scrubber/as-the-engine-was", test_engine);
  g_test_add_func ("/analysis/scrubber/as-replayed", test_straight);
  g_test_add_func ("/analysis/scrubber/as-stored", test_stored);
  g_test_add_func ("/analysis/scrubber/events", test_events);
  g_test_add_func ("/analysis/scrubber/cancelled", test_cancelled);
  return g_test_run ();
}

/* What is rebuilt from a change log is what happened: on random diagrams, in every mode, against
 * what the calculations themselves saw, the context's flags, and the classic walk.
 */
#include "../seeds.h"
#include "random-steps.h"

#include "analysis/replay.h"
#include "system/observation/observation-private.h"
#include "system/evaluation/checkpoint.h"
#include "system/change/walk.h"

#define N_STEPS 60

/* Three contexts to which the same is done: one logs events, one everything, one nothing. */
typedef struct {
  GRand *rand;
  WeirSystem *system;
  WeirLayout *layout;
  WeirContext *contexts[3];
  /* After each step. */
  GArray *n_observed; /* guint */
  GArray *n_records;  /* guint64, of the first context */
  GPtrArray *flags;   /* stale, disabled, known; of the first context */
} Subjects;

static void
note_step (Subjects *s)
{
  WeirContext *context = s->contexts[0];
  gsize n = s->layout->n_words;
  guint64 *flags = g_new0 (guint64, 3 * n + 1);

  memcpy (flags, context->stale, n * sizeof *flags);
  memcpy (flags + n, context->disabled, n * sizeof *flags);
  for (guint32 e = 0; e < s->layout->n_entries; e++)
    if (weir_context_get_serial (context, (WeirEntry) { e }) > 1)
      weir_bit_set (flags + 2 * n, e);
  g_ptr_array_add (s->flags, flags);
  g_array_append_val (s->n_records, context->log_ring->n);
  g_array_append_val (s->n_observed, observed->len);
}

/* Values, flags and counters are the same whether or not anybody logs; durations are not. */
static void
check_undisturbed (const Subjects *s)
{
  const WeirLayout *layout = s->layout;

  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpmem (s->contexts[i]->arena, layout->arena.segment_ns * 8, s->contexts[2]->arena,
                       layout->arena.segment_ns * 8);
      g_assert_cmpmem (s->contexts[i]->arena + layout->arena.segment_timed,
                       (layout->arena.size - layout->arena.segment_timed) * 8,
                       s->contexts[2]->arena + layout->arena.segment_timed,
                       (layout->arena.size - layout->arena.segment_timed) * 8);
    }
}

static void
make_step (Subjects *s, const RandomStep *step)
{
  for (guint i = 0; i < 3; i++)
    random_make (s->contexts[i], s->system, step);
  note_step (s);
  check_undisturbed (s);
}

static void
run_steps (Subjects *s, guint n)
{
  guint n_states = s->layout->n_states;
  g_autofree double *x = g_new0 (double, n_states + 1);
  g_autoptr (GBytes) saved = NULL;

  for (guint k = 0; k < n; k++)
    {
      RandomStep step = { .kind = (guint32) g_rand_int_range (s->rand, 0, 36),
                          .l = (guint32) g_rand_int_range (s->rand, 0, 100000),
                          .value = g_rand_double_range (s->rand, -1, 1),
                          .time = g_rand_int_range (s->rand, 0, 4),
                          .on = g_rand_int_range (s->rand, 0, 3) != 0,
                          .x = x,
                          .saved = saved };

      for (guint i = 0; i < n_states; i++)
        x[i] = g_rand_int_range (s->rand, -2, 3) * 0.25;
      make_step (s, &step);
      if (k % 20 == 10)
        {
          g_clear_pointer (&saved, g_bytes_unref);
          saved = weir_context_save (s->contexts[2]);
        }
    }
}

/* --- Comparing ------------------------------------------------------------------------------- */

/* Does an entry's calculation tell what it does? */
static gboolean
is_observed (const WeirEvaluator *evaluator, guint32 entry)
{
  const WeirEntryCode *code = evaluator->code[entry];

  return code != NULL && code->kernel == NULL;
}

/* The next evaluation that calculations told of and that did not fail, from @at on; those beside
 * the cache are in no list. */
static guint
next_evaluation (guint at)
{
  while (at < observed->len
         && (g_array_index (observed, Observed, at).is_read
             || g_array_index (observed, Observed, at).is_beside
             || g_array_index (observed, Observed, at).has_failed))
    at++;
  return at;
}

/* Past all that calculations told in a step: what is left of it at @at was told by requests that
 * failed and by calculations beside the cache, and belongs to no later request. */
static guint
end_step (const Subjects *s, guint step, guint at)
{
  guint end = g_array_index (s->n_observed, guint, step);

  g_assert_cmpuint (at, <=, end);
  g_assert_cmpuint (next_evaluation (at), >=, end);
  return end;
}

/* The evaluations of one request against what calculations told, from place @at on. */
static guint
check_observed (const Subjects *s, const GArray *list, guint at, gboolean *known)
{
  const WeirEvaluator *evaluator = weir_system_get_evaluator (s->system);
  guint end = at;

  for (guint i = 0; i < list->len; i++)
    {
      const WeirEvaluation *e = &g_array_index (list, WeirEvaluation, i);

      if (!is_observed (evaluator, e->entry) || e->has_failed)
        continue;
      end = next_evaluation (end);
      g_assert_cmpuint (end, <, observed->len);
      g_assert_cmpuint (g_array_index (observed, Observed, end).entry, ==, e->entry);
      /* The first value is new whatever its bytes; uncached, the reason does not tell the first. */
      if (e->changed >= 0 && (known[e->entry] || e->reason != WEIR_LOG_DISABLED))
        g_assert_cmpint (e->changed, ==,
                         g_array_index (observed, Observed, end).changed
                             || e->reason == WEIR_LOG_FIRST);
      known[e->entry] = TRUE;
      end++;
    }
  return end;
}

/* Who read each evaluated entry first, for requests in which nothing failed. @beside: the
 * calculation beside the cache for which the request was made, or WEIR_NO_INDEX. */
static void
check_requesters (const Subjects *s, const GArray *list, guint at, guint end, guint32 beside)
{
  const WeirEvaluator *evaluator = weir_system_get_evaluator (s->system);
  guint from = at;

  for (guint i = 0; i < list->len; i++)
    if (g_array_index (list, WeirEvaluation, i).has_failed)
      return;
  for (guint i = 0; i < list->len; i++)
    {
      const WeirEvaluation *e = &g_array_index (list, WeirEvaluation, i);
      guint32 reader = WEIR_NO_INDEX;
      guint k;

      if (!is_observed (evaluator, e->entry))
        continue;
      while (g_array_index (observed, Observed, at).is_read
             || g_array_index (observed, Observed, at).is_beside
             || g_array_index (observed, Observed, at).entry != e->entry)
        at++;
      at++;
      for (k = at - 1; k-- > from && reader == WEIR_NO_INDEX;)
        if (g_array_index (observed, Observed, k).entry == e->entry)
          {
            if (!g_array_index (observed, Observed, k).is_read)
              break;
            if (g_array_index (observed, Observed, k).asks)
              reader = g_array_index (observed, Observed, k).reader;
          }
      for (k = at; k < end && reader == WEIR_NO_INDEX; k++)
        if (g_array_index (observed, Observed, k).is_read
            && !g_array_index (observed, Observed, k).asks
            && g_array_index (observed, Observed, k).entry == e->entry)
          reader = g_array_index (observed, Observed, k).reader;
      if (reader == beside)
        reader = WEIR_NO_INDEX;
      if (e->requester == WEIR_NO_INDEX || is_observed (evaluator, e->requester))
        g_assert_cmpuint (e->requester, ==, reader);
      else
        {
          guint n;
          const guint32 *reads = weir_layout_get_reads (s->layout, (WeirEntry) { e->requester },
                                                        &n);
          gboolean found = FALSE;

          for (guint r = 0; r < n; r++)
            found |= reads[r] == e->entry;
          g_assert_true (found);
        }
    }
}

static void
check_same_list (const GArray *rebuilt, const GArray *stored)
{
  g_assert_cmpuint (rebuilt->len, ==, stored->len);
  for (guint i = 0; i < rebuilt->len; i++)
    {
      const WeirEvaluation *a = &g_array_index (rebuilt, WeirEvaluation, i);
      const WeirEvaluation *b = &g_array_index (stored, WeirEvaluation, i);

      g_assert_cmpuint (a->entry, ==, b->entry);
      g_assert_cmpuint (a->requester, ==, b->requester);
      g_assert_cmpint (a->reason, ==, b->reason);
      g_assert_cmpint (a->has_failed, ==, b->has_failed);
    }
}

/* Every evaluation: rebuilt from events, rebuilt from everything, stored, and as calculations saw
 * it. */
static void
check_evaluations (const Subjects *s, WeirTrace *events, WeirTrace *all)
{
  g_autoptr (WeirReplay) rebuilt = weir_replay_new (events), again = weir_replay_new (all);
  g_autoptr (WeirReplay) stored = weir_replay_new (all);
  g_autoptr (GError) error = NULL;
  gsize n_events, n_all, k = 0;
  const WeirLogRecord *records = weir_trace_get_records (events, &n_events);
  const WeirLogRecord *all_records = weir_trace_get_records (all, &n_all);
  g_autofree gboolean *known = g_new0 (gboolean, s->layout->n_entries);
  guint at = 0, from, step = 0;

  g_assert_false (weir_trace_stores_evaluations (events));
  g_assert_true (weir_trace_stores_evaluations (all));
  weir_replay_set_rebuilding (again, TRUE);
  for (gsize i = 0; i < n_events; i++, k++)
    {
      g_autoptr (GArray) a = NULL, b = NULL, c = NULL;

      while (all_records[k].kind == WEIR_LOG_EVALUATED)
        k++;
      while (g_array_index (s->n_records, guint64, step) <= i)
        at = end_step (s, step++, at);
      g_assert_cmpmem (&records[i], sizeof records[i], &all_records[k], sizeof records[i]);
      if (records[i].kind
          == WEIR_LOG_RESTORED) /* to a time when entries may not have been computed yet */
        memset (known, 0, s->layout->n_entries * sizeof *known);
      if (records[i].kind != WEIR_LOG_REQUEST && records[i].kind != WEIR_LOG_CALCULATION)
        continue;
      a = weir_replay_list_evaluations (rebuilt, i, &error);
      g_assert_no_error (error);
      b = weir_replay_list_evaluations (stored, k, &error);
      g_assert_no_error (error);
      c = weir_replay_list_evaluations (again, k, &error);
      g_assert_no_error (error);
      check_same_list (a, b);
      check_same_list (a, c);
      from = at;
      at = check_observed (s, observed_context == s->contexts[0] ? a : b, at, known);
      check_requesters (s, a, from, at,
                        i > 0 && records[i - 1].kind == WEIR_LOG_CALCULATION
                                && records[i - 1].subject != records[i].subject
                            ? records[i - 1].subject
                            : WEIR_NO_INDEX);
    }
  while (step < s->n_records->len)
    at = end_step (s, step++, at);
  g_assert_cmpuint (at, ==, observed->len);
}

/* Flags at every step, forwards and at random. */
static void
check_flags (const Subjects *s, WeirTrace *trace, guint64 first)
{
  g_autoptr (WeirReplay) replay = weir_replay_new (trace);
  gsize n = s->layout->n_words, n_records;

  weir_trace_get_records (trace, &n_records);
  for (guint k = 0; k < 2 * s->flags->len; k++)
    {
      guint i = k < s->flags->len ? k : (guint) g_rand_int_range (s->rand, 0, (gint) s->flags->len);
      guint64 number = g_array_index (s->n_records, guint64, i);
      const guint64 *flags = g_ptr_array_index (s->flags, i);
      g_autoptr (GError) error = NULL;

      if (number < first)
        continue;
      g_assert_cmpuint (number - first, <=, n_records);
      weir_replay_seek (replay, number - first, &error);
      g_assert_no_error (error);
      g_assert_cmpmem (weir_replay_get_out_of_date (replay), n * 8, flags, n * 8);
      g_assert_cmpmem (weir_replay_get_disabled (replay), n * 8, flags + n, n * 8);
      g_assert_cmpmem (weir_replay_get_known (replay), n * 8, flags + 2 * n, n * 8);
    }
}

static void
add_changed (WeirWalk *walk, guint32 source, GArray *roots)
{
  g_autoptr (GArray) changed = weir_walk_list_changed (walk, (WeirSource) { source });

  g_array_append_vals (roots, changed->data, changed->len);
}

/* Who was notified, against the engine's own walk. */
static void
check_notifications (const Subjects *s, WeirTrace *trace)
{
  g_autoptr (WeirReplay) replay = weir_replay_new (trace);
  gsize n_records, n_words = s->layout->n_words;
  const WeirLogRecord *records = weir_trace_get_records (trace, &n_records);
  g_autofree guint32 *depths = NULL;

  depths = g_new0 (guint32, weir_trace_get_n_trackers (trace));
  for (gsize i = 0; i < n_records; i++)
    {
      g_autoptr (WeirWalk) walk = NULL;
      g_autoptr (GArray) list = weir_replay_list_notifications (replay, i, NULL);
      g_autoptr (GArray) roots = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_autofree guint64 *before = g_memdup2 (weir_replay_get_out_of_date (replay), n_words * 8);
      g_autofree guint64 *after = g_memdup2 (before, n_words * 8);
      g_autofree guint64 *marked = g_memdup2 (before, n_words * 8);
      g_autofree WeirTrackerCounters *counters = NULL;
      guint32 joint = i;

      g_assert_nonnull (list);
      if (records[i].kind == WEIR_LOG_EVENT || records[i].kind == WEIR_LOG_JOINT)
        walk = weir_walk_new (s->layout);
      else
        {
          g_assert_cmpuint (list->len, ==, 0);
          continue;
        }
      if (records[i].kind == WEIR_LOG_EVENT)
        add_changed (walk, records[i].subject, roots);
      else
        while (joint > 0 && records[joint - 1].kind == WEIR_LOG_PART)
          joint--;
      for (; joint < i; joint++)
        {
          g_assert_cmpuint (records[joint].number, ==, records[i].number);
          add_changed (walk, records[joint].subject, roots);
        }
      if (roots->len > 0)
        weir_walk_notify (walk, (const guint32 *) (gpointer) roots->data, roots->len, after);

      counters = g_new0 (WeirTrackerCounters, weir_trace_get_n_trackers (trace));
      for (guint k = 0; k < list->len; k++)
        {
          WeirNotification n = g_array_index (list, WeirNotification, k);
          guint32 entry = weir_trace_get_tracker_entry (trace, n.to);

          if (n.from == WEIR_NO_INDEX)
            {
              counters[n.to].value_changes++;
              g_assert_cmpuint (n.depth, ==, 0);
            }
          else
            {
              counters[n.from].sent++;
              counters[n.to].prerequisite_changes++;
              g_assert_cmpuint (n.depth, ==, depths[n.from] + 1);
            }
          if (n.heard == WEIR_HEARD_SEEN)
            counters[n.to].ignored++;
          else
            depths[n.to] = n.depth;
          if (n.heard == WEIR_HEARD_MADE_OUT_OF_DATE)
            {
              g_assert_false (weir_bit (marked, entry));
              weir_bit_set (marked, entry);
            }
          else if (n.heard == WEIR_HEARD_WAS_OUT_OF_DATE)
            g_assert_true (weir_bit (before, entry));
          else if (n.heard == WEIR_HEARD_DISABLED)
            {
              g_assert_true (weir_bit (weir_replay_get_disabled (replay), entry));
              weir_bit_set (marked, entry);
            }
        }
      g_assert_cmpmem (marked, n_words * 8, after, n_words * 8);
      for (guint32 t = 0; t < weir_trace_get_n_trackers (trace); t++)
        {
          WeirTrackerCounters expected = weir_walk_get_counters (walk, t);

          g_assert_cmpmem (&counters[t], sizeof expected, &expected, sizeof expected);
        }
    }
}

/* Of @system (transfer full), else of a random one. */
static void
subjects_init (Subjects *s, guint32 seed, WeirSystem *system)
{
  guint n_outputs;

  *s = (Subjects) { .rand = g_rand_new_with_seed (seed),
                    .system = system,
                    .n_observed = g_array_new (FALSE, FALSE, sizeof (guint)),
                    .n_records = g_array_new (FALSE, FALSE, sizeof (guint64)),
                    .flags = g_ptr_array_new_with_free_func (g_free) };
  while (system == NULL
         && (s->system == NULL || weir_system_get_layout (s->system)->n_entries < 20))
    {
      g_clear_pointer (&s->system, weir_system_unref);
      s->system = random_diagram_new (s->rand, 0, &n_outputs);
    }
  s->layout = weir_system_get_layout (s->system);
  for (guint i = 0; i < 3; i++)
    s->contexts[i] = weir_system_create_context (s->system);
  observed_context = s->contexts[0];
  observed = g_array_new (FALSE, FALSE, sizeof (Observed));
}

static void
subjects_clear (Subjects *s)
{
  g_clear_pointer (&observed, g_array_unref);
  observed_context = NULL;
  for (guint i = 0; i < 3; i++)
    weir_context_free (s->contexts[i]);
  weir_system_unref (s->system);
  g_rand_free (s->rand);
  g_array_unref (s->n_observed);
  g_array_unref (s->n_records);
  g_ptr_array_unref (s->flags);
}

/* Fixes what is wired to nothing, but for every eighth diagram, where reading it fails. */
static void
fix_inputs (Subjects *s, guint32 seed)
{
  for (guint32 n = 0; n < s->layout->n_nodes && seed % 8 != 0; n++)
    for (guint16 i = 0; i < s->layout->nodes[n].shape->inputs->len; i++)
      if (s->layout->inputs[s->layout->nodes[n].first_input + i].kind == WEIR_ORIGIN_FIXED
          && s->layout->inputs[s->layout->nodes[n].first_input + i].node == n)
        for (guint k = 0; k < 3; k++)
          weir_context_fix_input (s->contexts[k], (WeirNode) { n }, (WeirInput) { i },
                                  (double[]) { 0.1 * i });
}

/* Begins to log and to note what calculations tell to the context at @i. */
static void
start_logs (Subjects *s, guint i)
{
  g_array_set_size (observed, 0);
  observed_context = s->contexts[i];
  weir_context_start_log (s->contexts[0], WEIR_LOG_MODE_EVENTS, 1 << 16);
  weir_context_start_log (s->contexts[1], WEIR_LOG_MODE_ALL, 1 << 16);
}

/* Returns the trace of events. */
static WeirTrace *
check_logs (Subjects *s)
{
  g_autoptr (WeirChangeLog) events = weir_context_stop_log (s->contexts[0]);
  g_autoptr (WeirChangeLog) all = weir_context_stop_log (s->contexts[1]);
  WeirTrace *a = weir_trace_new (events, "random");
  g_autoptr (WeirTrace) b = weir_trace_new (all, "random");

  g_assert_cmpuint (weir_change_log_get_n_lost (events), ==, 0);
  check_evaluations (s, a, b);
  check_flags (s, a, 0);
  check_notifications (s, a);
  return a;
}

static guint
check_random (guint32 seed)
{
  Subjects s;
  g_autoptr (WeirTrace) trace = NULL;
  guint n_observed;

  g_test_message ("seed %u", seed);
  subjects_init (&s, seed, NULL);
  fix_inputs (&s, seed);
  /* Logging is switched on in the middle of the run, here and there after a while. */
  if (seed % 3 == 0)
    for (guint k = 0; k < 5; k++)
      for (guint i = 0; i < 3; i++)
        weir_eval_entry (s.system, s.contexts[i], (WeirEntry) { k * 3 % s.layout->n_entries });
  start_logs (&s, seed % 2);
  run_steps (&s, N_STEPS);
  trace = check_logs (&s);
  n_observed = observed->len;
  subjects_clear (&s);
  return n_observed;
}

static void
test_random (void)
{
  guint32 seed = get_test_seed (1000);
  guint n = 0;

  for (guint k = 0; k < 150; k++)
    n += check_random (seed++);
  g_assert_cmpuint (n, >, 1000);
}

/* Three values of one block, wired to nothing: `a` of the input, `b` that reads `a` without having
 * declared it, and `c` that declared it. */
static WeirSystem *
reader_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Reader");
  RandomData data = { .reads = { 1, 0, READS_CACHED }, .undeclared = { 0, READS_CACHED, 0 } };
  WeirTicket list[10];

  weir_leaf_add_input (b, "u", 1);
  weir_leaf_add_parameter (b, "p", (const double[]) { 0.25 }, 1);
  random_list (b, data.reads[0], FALSE, list);
  weir_leaf_add_cache_entry (b, "a", 1, random_calc_0, list);
  random_list (b, data.reads[1], FALSE, list);
  weir_leaf_add_cache_entry (b, "b", 1, random_calc_1, list);
  random_list (b, data.reads[2], FALSE, list);
  weir_leaf_add_output (b, "c", 1, random_calc_2, list);
  weir_leaf_set_data (b, &data, sizeof data);
  return weir_leaf_builder_build (b);
}

/* Who asked for a value in vain is not who it is computed for once it can be. */
static void
test_after_failure (void)
{
  for (guint i = 0; i < 2; i++)
    {
      Subjects s;
      g_autoptr (WeirTrace) trace = NULL;
      g_autoptr (WeirReplay) replay = NULL;
      g_autoptr (GArray) vain = NULL, list = NULL;
      const guint32 *local;
      guint32 a, b, c;
      gsize n_records;

      subjects_init (&s, 1, reader_new ());
      local = s.layout->entry_of_local + s.layout->nodes[0].first_entry;
      a = local[0];
      b = local[1];
      c = local[2];
      start_logs (&s, i);
      make_step (&s, &(RandomStep) { .kind = 21, .l = b });      /* asks for it */
      make_step (&s, &(RandomStep) { .kind = 4, .value = 0.5 }); /* fixes the input */
      make_step (&s, &(RandomStep) { .kind = 21, .l = c });
      trace = check_logs (&s);

      replay = weir_replay_new (trace);
      weir_trace_get_records (trace, &n_records);
      vain = weir_replay_list_evaluations (replay, 0, NULL);
      g_assert_cmpuint (vain->len, ==, 2);
      g_assert_cmpuint (g_array_index (vain, WeirEvaluation, 0).entry, ==, a);
      g_assert_cmpuint (g_array_index (vain, WeirEvaluation, 0).requester, ==, b);
      g_assert_true (g_array_index (vain, WeirEvaluation, 0).has_failed);
      g_assert_cmpuint (g_array_index (vain, WeirEvaluation, 1).entry, ==, b);
      g_assert_true (g_array_index (vain, WeirEvaluation, 1).has_failed);
      list = weir_replay_list_evaluations (replay, n_records - 1, NULL);
      g_assert_cmpuint (list->len, ==, 2);
      g_assert_cmpuint (g_array_index (list, WeirEvaluation, 0).entry, ==, a);
      g_assert_cmpuint (g_array_index (list, WeirEvaluation, 0).requester, ==, c);
      g_assert_false (g_array_index (list, WeirEvaluation, 0).has_failed);
      g_assert_cmpuint (g_array_index (list, WeirEvaluation, 1).entry, ==, c);
      g_assert_cmpuint (g_array_index (list, WeirEvaluation, 1).requester, ==, WEIR_NO_INDEX);
      subjects_clear (&s);
    }
}

/* A small ring keeps the newest part, which is still replayed exactly. */
static void
test_overflow (void)
{
  guint32 seed = get_test_seed (2000);

  for (guint k = 0; k < 20; k++)
    {
      Subjects s;
      g_autoptr (WeirChangeLog) log = NULL;
      g_autoptr (WeirTrace) trace = NULL;
      gsize n;

      g_test_message ("seed %u", seed);
      subjects_init (&s, seed++, NULL);
      fix_inputs (&s, 1);
      weir_context_start_log (s.contexts[0], k % 2 ? WEIR_LOG_MODE_ALL : WEIR_LOG_MODE_EVENTS, 256);
      run_steps (&s, 1000);
      log = weir_context_copy_log (s.contexts[0]);
      weir_change_log_get_records (log, &n);
      g_assert_cmpuint (n, <=, 256);
      g_assert_cmpuint (n + weir_change_log_get_n_lost (log), ==, s.contexts[0]->log_ring->n);
      g_assert_cmpuint (weir_change_log_get_n_lost (log), >, 0);
      if (k % 2 == 0)
        g_assert_cmpuint (n, >, 100);
      trace = weir_trace_new (log, NULL);
      if (n > 0)
        check_flags (&s, trace, weir_change_log_get_n_lost (log));
      subjects_clear (&s);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/replay/rebuilt-is-observed", test_random);
  g_test_add_func ("/analysis/replay/after-failure", test_after_failure);
  g_test_add_func ("/analysis/replay/overflow", test_overflow);
  return g_test_run ();
}

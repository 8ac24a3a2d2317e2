/* Slow motion against the replay it is made from and the engine's own questions: on random diagrams
 * the flags at every place, who hears at which distance, who is computed after what it reads; on
 * the diamond, beat by beat; and the clock, second by second. */
#include "../seeds.h"
#include "random-log.h"

#include <time.h>

#include "analysis/slow-motion.h"
#include "system/change/explain.h"

/* --- Random logs ----------------------------------------------------------------------------- */

static void
do_something (WeirSystem *system, WeirContext *context, GRand *rand)
{
  const WeirLayout *layout = weir_system_get_layout (system);
  WeirNode node = { (guint32) g_rand_int_range (rand, 0, (gint) layout->n_nodes) };
  WeirEntry entry = { (guint32) g_rand_int_range (rand, 0, (gint) layout->n_entries) };
  double value = g_rand_double (rand);

  switch (g_rand_int_range (rand, 0, 8))
    {
    case 0:
      weir_context_set_time (context, value);
      break;
    case 1:
      if (layout->nodes[node.i].shape->parameters->len > 0)
        weir_context_set_parameter (context, node, (WeirParameter) { 0 }, &value);
      break;
    case 2:
      weir_context_begin_change (context);
      weir_context_set_accuracy (context, value);
      weir_context_set_time (context, value);
      weir_context_end_change (context);
      break;
    case 3:
      weir_context_set_entry_caching (context, entry, value < 0.7);
      break;
    default:
      weir_eval_entry (system, context, entry);
      break;
    }
}

static WeirTrace *
log_something (WeirSystem *system, GRand *rand, WeirLogMode mode)
{
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirChangeLog) log = NULL;

  weir_context_start_log (context, mode, 0);
  for (guint i = 0; i < 40; i++)
    do_something (system, context, rand);
  log = weir_context_stop_log (context);
  return weir_trace_new (log, NULL);
}

/* --- What a beat shows ----------------------------------------------------------------------- */

/* Is there an entry at @tracker or behind it? */
static gboolean
leads_to_entry (WeirTrace *trace, guint32 tracker)
{
  g_autofree guint8 *seen = g_new0 (guint8, weir_trace_get_n_trackers (trace));
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_array_append_val (stack, tracker);
  while (stack->len > 0)
    {
      guint32 at = g_array_index (stack, guint32, stack->len - 1);
      guint n;
      const guint32 *subscribers = weir_trace_get_subscribers (trace, at, &n);

      g_array_set_size (stack, stack->len - 1);
      if (weir_trace_get_tracker_entry (trace, at) != WEIR_NO_INDEX)
        return TRUE;
      if (!seen[at])
        g_array_append_vals (stack, subscribers, n);
      seen[at] = TRUE;
    }
  return FALSE;
}

/* Steps from where @source begins, by tracker; G_MAXUINT: not reached. (transfer full) */
static guint *
measure_distances (WeirTrace *trace, guint32 source)
{
  guint n_trackers = weir_trace_get_n_trackers (trace), n;
  guint *distances = g_new (guint, MAX (n_trackers, 1));
  const guint32 *roots = weir_trace_get_source_trackers (trace, source, &n);

  memset (distances, 0xff, n_trackers * sizeof *distances);
  for (guint i = 0; i < n; i++)
    distances[roots[i]] = 0;
  for (guint d = 0; d < n_trackers; d++)
    for (guint32 t = 0; t < n_trackers; t++)
      if (distances[t] == d)
        {
          const guint32 *subscribers = weir_trace_get_subscribers (trace, t, &n);

          for (guint i = 0; i < n; i++)
            distances[subscribers[i]] = MIN (distances[subscribers[i]], d + 1);
        }
  return distances;
}

/* Each tracker that leads to an entry once, at its distance; and the answer to "what would this
 * invalidate". */
static void
check_pushes (WeirSlowMotion *slow, guint first, guint end, WeirExplainer *explainer,
              guint32 source)
{
  WeirTrace *trace = weir_slow_motion_get_trace (slow);
  guint n_trackers = weir_trace_get_n_trackers (trace), n_leading = 0;
  g_autofree guint *distances = measure_distances (trace, source);
  g_autofree guint *shown = g_new0 (guint, n_trackers + 1);
  g_autoptr (GArray) steps = weir_explain_change (explainer, (WeirSource) { source }, NULL);

  for (guint b = first; b < end; b++)
    {
      const WeirBeat *beat = weir_slow_motion_get_beat (slow, b);
      const WeirBeatMark *marks = weir_slow_motion_get_marks (slow, beat);

      g_assert_cmpint (beat->kind, ==, b == first ? WEIR_BEAT_CHANGE : WEIR_BEAT_PUSH);
      g_assert_cmpuint (beat->depth, ==, b - first);
      g_assert_cmpuint (beat->n, >, 0);
      for (guint i = 0; i < beat->n; i++)
        if (marks[i].kind == WEIR_BEAT_MARK_BOUNCED)
          g_assert_cmpuint (distances[marks[i].tracker], <=, beat->depth);
        else
          {
            g_assert_cmpuint (distances[marks[i].tracker], ==, beat->depth);
            g_assert_cmpuint (shown[marks[i].tracker]++, ==, 0);
          }
    }
  for (guint32 t = 0; t < n_trackers; t++)
    if (distances[t] != G_MAXUINT && leads_to_entry (trace, t))
      {
        g_assert_cmpuint (shown[t], ==, 1);
        n_leading++;
      }
  if (n_leading == 0)
    g_assert_cmpuint (end - first, ==, 1);
  for (guint i = 0; i < steps->len && n_leading > 0; i++)
    {
      const WeirStepTaken *step = &g_array_index (steps, WeirStepTaken, i);

      g_assert_cmpuint (shown[step->tracker], ==, 1);
      g_assert_cmpuint (distances[step->tracker], ==, step->depth);
    }
}

static guint
find_asked (WeirSlowMotion *slow, guint first, guint end, guint32 entry, guint depth)
{
  guint n = 0;

  for (guint b = first; b < end; b++)
    {
      const WeirBeat *beat = weir_slow_motion_get_beat (slow, b);
      const WeirBeatMark *marks = weir_slow_motion_get_marks (slow, beat);

      for (guint i = 0; beat->kind == WEIR_BEAT_ASK && beat->depth == depth && i < beat->n; i++)
        n += marks[i].kind == WEIR_BEAT_MARK_ASKED && marks[i].entry == entry;
    }
  return n;
}

/* Each evaluation once, each asked for before at its depth, none before what it reads. */
static void
check_pulls (WeirSlowMotion *slow, guint first, guint end, WeirReplay *replay)
{
  WeirTrace *trace = weir_slow_motion_get_trace (slow);
  gsize record = weir_slow_motion_get_beat (slow, first)->record;
  g_autoptr (GArray) evaluations = weir_replay_list_evaluations (replay, record, NULL);
  g_autofree guint *n_computed = g_new0 (guint, weir_trace_get_n_entries (trace));
  guint n = 0;
  gboolean is_computing = FALSE;

  for (guint i = 0; i < evaluations->len; i++)
    n_computed[g_array_index (evaluations, WeirEvaluation, i).entry]++;
  for (guint b = first; b < end; b++)
    {
      const WeirBeat *beat = weir_slow_motion_get_beat (slow, b);
      const WeirBeatMark *marks = weir_slow_motion_get_marks (slow, beat);

      g_assert_cmpuint (beat->n, >, 0);
      g_assert_true (beat->kind == WEIR_BEAT_COMPUTE
                     || (beat->kind == WEIR_BEAT_ASK && !is_computing));
      if (beat->kind == WEIR_BEAT_ASK)
        continue;
      is_computing = TRUE;
      for (guint i = 0; i < beat->n; i++, n++)
        {
          guint n_reads;
          const guint32 *reads = weir_trace_get_reads (trace, marks[i].entry, &n_reads);

          g_assert_cmpuint (n_computed[marks[i].entry], >, 0);
          n_computed[marks[i].entry]--;
          g_assert_cmpuint (find_asked (slow, first, b, marks[i].entry, beat->depth), >, 0);
          for (guint k = 0; k < n_reads && marks[i].kind == WEIR_BEAT_MARK_COMPUTED
                            && !weir_trace_is_lazy (trace, marks[i].entry);
               k++)
            g_assert_true (
                n_computed[reads[k]] == 0 || reads[k] == marks[i].entry
                || (weir_slow_motion_get_disabled (slow)[reads[k] / 64] >> reads[k] % 64 & 1));
        }
    }
  g_assert_cmpuint (n, ==, evaluations->len);
}

/* The flags after a record's last beat are those the replay has there. */
static void
check_flags (WeirSlowMotion *slow, WeirReplay *replay, guint place, gsize record)
{
  gsize size = ((gsize) weir_trace_get_n_entries (weir_slow_motion_get_trace (slow)) + 63) / 64 * 8;

  weir_slow_motion_go (slow, place);
  g_assert_true (weir_replay_seek (replay, weir_replay_get_next (replay, record), NULL));
  g_assert_cmpmem (weir_slow_motion_get_out_of_date (slow), size,
                   weir_replay_get_out_of_date (replay), size);
  g_assert_cmpmem (weir_slow_motion_get_disabled (slow), size, weir_replay_get_disabled (replay),
                   size);
  g_assert_cmpmem (weir_slow_motion_get_known (slow), size, weir_replay_get_known (replay), size);
}

static void
check_trace (WeirTrace *trace, WeirExplainer *explainer, GRand *rand)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirSlowMotion) slow = weir_slow_motion_new (trace, 0, G_MAXSIZE, 0, &error);
  g_autoptr (WeirReplay) replay = weir_replay_new (trace);
  gsize n_records, size = ((gsize) weir_trace_get_n_entries (trace) + 63) / 64 * 8;
  const WeirLogRecord *records = weir_trace_get_records (trace, &n_records);
  guint n_beats, end;

  g_assert_no_error (error);
  g_assert_cmpuint (weir_slow_motion_get_end (slow), ==, n_records);
  n_beats = weir_slow_motion_get_n_beats (slow);
  g_assert_cmpuint (n_beats, >, 0);
  for (guint first = 0; first < n_beats; first = end)
    {
      gsize record = weir_slow_motion_get_beat (slow, first)->record;

      for (end = first; end < n_beats && weir_slow_motion_get_beat (slow, end)->record == record;
           end++)
        g_assert_cmpuint (weir_slow_motion_get_beginning (slow, end), ==, first);
      weir_slow_motion_go (slow, first + 1);
      if (records[record].kind == WEIR_LOG_EVENT)
        check_pushes (slow, first, end, explainer, records[record].subject);
      else if (records[record].kind == WEIR_LOG_REQUEST)
        check_pulls (slow, first, end, replay);
      check_flags (slow, replay, end, record);
    }
  /* There and back: a place has the same flags whichever way it was reached. */
  for (guint i = 0; i < 20; i++)
    {
      guint place = (guint) g_rand_int_range (rand, 0, (gint) n_beats + 1);
      g_autofree guint64 *flags = NULL;

      weir_slow_motion_go (slow, place);
      flags = g_memdup2 (weir_slow_motion_get_out_of_date (slow), size);
      weir_slow_motion_go (slow, (guint) g_rand_int_range (rand, 0, (gint) n_beats + 1));
      weir_slow_motion_go (slow, place);
      g_assert_cmpmem (flags, size, weir_slow_motion_get_out_of_date (slow), size);
    }
}

static void
test_random (void)
{
  guint32 seed = get_test_seed (46);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  for (guint k = 0; k < 30; k++)
    {
      guint n_outputs;
      g_autoptr (WeirSystem) system = random_diagram_new (rand, 0, &n_outputs);
      g_autoptr (WeirExplainer) explainer = weir_explainer_new (weir_system_get_layout (system));
      g_autoptr (WeirTrace) trace = log_something (
          system, rand, k % 2 == 0 ? WEIR_LOG_MODE_EVENTS : WEIR_LOG_MODE_ALL);

      check_trace (trace, explainer, rand);
    }
}

/* A limit ends with a whole record. */
static void
test_limit (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (7));
  guint n_outputs;
  g_autoptr (WeirSystem) system = random_diagram_new (rand, 0, &n_outputs);
  g_autoptr (WeirTrace) trace = log_something (system, rand, WEIR_LOG_MODE_EVENTS);
  g_autoptr (WeirSlowMotion) all = weir_slow_motion_new (trace, 0, G_MAXSIZE, 0, NULL);
  g_autoptr (WeirSlowMotion) some = weir_slow_motion_new (trace, 0, G_MAXSIZE, 10, NULL);
  guint n = weir_slow_motion_get_n_beats (some);

  g_assert_cmpuint (n, <, weir_slow_motion_get_n_beats (all));
  g_assert_cmpuint (weir_slow_motion_get_beat (all, n)->record, >=,
                    weir_slow_motion_get_end (some));
  g_assert_cmpuint (weir_slow_motion_get_beat (all, n - 1)->record, <,
                    weir_slow_motion_get_end (some));
}

/* --- The diamond ----------------------------------------------------------------------------- */

/* a -> b, a -> c, b + c -> d, all gains but d. */
static WeirSystem *
diamond_new (void)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  static const char *const names[] = { "a", "b", "c", "d" };
  WeirChild children[4];
  g_autoptr (GError) error = NULL;
  WeirSystem *system;

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (WeirSystem) child = i < 3 ? test_gain_new (2) : test_add_new ();

      children[i] = weir_diagram_builder_add (b, names[i], child);
    }
  weir_diagram_builder_add_input (b, "u", 1);
  weir_diagram_builder_connect_input (b, (WeirInput) { 0 }, children[0], (WeirInput) { 0 });
  for (guint i = 1; i < 3; i++)
    {
      weir_diagram_builder_connect (b, children[0], (WeirOutput) { 0 }, children[i],
                                    (WeirInput) { 0 });
      weir_diagram_builder_connect (b, children[i], (WeirOutput) { 0 }, children[3],
                                    (WeirInput) { (guint16) (i - 1) });
    }
  weir_diagram_builder_add_output (b, "y", children[3], (WeirOutput) { 0 });
  system = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return system;
}

/* "a: changed, b:y <- a: out of date" of a beat's marks on entries, in their order. */
static char *
beat_to_string (WeirSlowMotion *slow, const WeirBeat *beat)
{
  static const char *const kinds[] = { "change", "push", "ask", "compute" };
  static const char *const marks[] = { "changed", "passed", "stale", "was stale", "disabled",
                                       "bounced", "asked",  "hit",   "computed",  "failed" };
  WeirTrace *trace = weir_slow_motion_get_trace (slow);
  const WeirBeatMark *mark = weir_slow_motion_get_marks (slow, beat);
  GString *text = g_string_new (kinds[beat->kind]);

  for (guint i = 0; i < beat->n; i++)
    if (mark[i].entry != WEIR_NO_INDEX)
      {
        g_autofree char *path = weir_trace_dup_path (
            trace, weir_trace_get_entry_system (trace, mark[i].entry));

        g_string_append_printf (text, " %s %s", path, marks[mark[i].kind]);
      }
  return g_string_free (text, FALSE);
}

/* From a's parameter to d there are two ways of the same length: the second bounces. What is asked
 * for comes the other way; a is computed for one of b and c, and found by the other. */
static void
test_diamond (void)
{
  static const char *const expected[] = {
    "change",
    "push a stale",
    "push b stale c stale",
    "push d stale d bounced",
    "ask d asked",
    "ask c asked b asked",
    "ask a asked a hit",
    "compute a computed",
    "compute c computed b computed",
    "compute d computed",
  };
  g_autoptr (WeirSystem) system = diamond_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirLayout *layout = weir_system_get_layout (system);
  g_autoptr (WeirChangeLog) log = NULL;
  g_autoptr (WeirTrace) trace = NULL;
  g_autoptr (WeirSlowMotion) slow = NULL;
  const double u = 1, k = 3;
  WeirEntry d;
  WeirNode a, node;
  guint shown = 0, n_bounced = 0;

  weir_context_fix_input (context, WEIR_ROOT, (WeirInput) { 0 }, &u);
  g_assert_true (weir_layout_find_node (layout, "a", &a));
  g_assert_true (weir_layout_find_node (layout, "d", &node));
  g_assert_true (weir_layout_find_output_entry (layout, node, (WeirOutput) { 0 }, &d));
  weir_eval_entry (system, context, d);
  weir_context_start_log (context, WEIR_LOG_MODE_ALL, 0);
  weir_context_set_parameter (context, a, (WeirParameter) { 0 }, &k);
  weir_eval_entry (system, context, d);
  log = weir_context_stop_log (context);
  trace = weir_trace_new (log, "diamond");
  slow = weir_slow_motion_new (trace, 0, G_MAXSIZE, 0, NULL);
  for (guint i = 0; i < weir_slow_motion_get_n_beats (slow); i++)
    {
      const WeirBeat *beat = weir_slow_motion_get_beat (slow, i);
      g_autofree char *text = beat_to_string (slow, beat);

      g_test_message ("%u: %s", beat->depth, text);
      for (guint m = 0; m < beat->n; m++)
        {
          const WeirBeatMark *mark = &weir_slow_motion_get_marks (slow, beat)[m];

          if (mark->kind != WEIR_BEAT_MARK_BOUNCED)
            continue;
          n_bounced++;
          g_assert_cmpuint (weir_trace_get_tracker_system (trace, mark->tracker), ==, node.i);
        }
      if (beat->kind == WEIR_BEAT_PUSH && strchr (text, ' ') == NULL)
        continue; /* ports and composites on the way */
      g_assert_cmpuint (shown, <, G_N_ELEMENTS (expected));
      g_assert_cmpstr (text, ==, expected[shown]);
      shown++;
    }
  g_assert_cmpuint (shown, ==, G_N_ELEMENTS (expected));
  g_assert_cmpuint (n_bounced, ==, 1);
}

/* --- The clock ------------------------------------------------------------------------------- */

#define S G_USEC_PER_SEC

static void
test_clock (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (3));
  guint n_outputs, n;
  g_autoptr (WeirSystem) system = random_diagram_new (rand, 0, &n_outputs);
  g_autoptr (WeirTrace) trace = log_something (system, rand, WEIR_LOG_MODE_EVENTS);
  g_autoptr (WeirSlowMotion) slow = weir_slow_motion_new (trace, 0, G_MAXSIZE, 0, NULL);
  gint64 t = 1000 * S;

  n = weir_slow_motion_get_n_beats (slow);
  g_assert_cmpuint (n, >, 8);
  g_assert_null (weir_slow_motion_get_present (slow));
  g_assert_false (weir_slow_motion_advance (slow, t)); /* nobody plays */
  g_assert_cmpfloat (weir_slow_motion_get_progress (slow, t), ==, 1);

  weir_slow_motion_play (slow, t);
  g_assert_true (weir_slow_motion_is_playing (slow));
  g_assert_cmpuint (weir_slow_motion_get_place (slow), ==, 1);
  g_assert_false (weir_slow_motion_advance (slow, t + S / 2));
  g_assert_cmpfloat (weir_slow_motion_get_progress (slow, t + S / 2), ==, 0.5);
  g_assert_true (weir_slow_motion_advance (slow, t + S));
  g_assert_cmpuint (weir_slow_motion_get_place (slow), ==, 2);
  g_assert_cmpfloat (weir_slow_motion_get_progress (slow, t + S), ==, 0);

  /* Another speed in the middle of a beat leaves it in its middle. */
  weir_slow_motion_set_speed (slow, 4, t + S + S / 2);
  g_assert_cmpfloat (weir_slow_motion_get_progress (slow, t + S + S / 2), ==, 0.5);
  g_assert_true (weir_slow_motion_advance (slow, t + S + S / 2 + S / 8));
  g_assert_cmpuint (weir_slow_motion_get_place (slow), ==, 3);
  /* A late frame catches up. */
  g_assert_true (weir_slow_motion_advance (slow, t + S + S / 2 + S / 8 + S / 2));
  g_assert_cmpuint (weir_slow_motion_get_place (slow), ==, 5);

  weir_slow_motion_pause (slow);
  g_assert_false (weir_slow_motion_advance (slow, t + 100 * S));
  weir_slow_motion_go (slow, n + 100);
  g_assert_cmpuint (weir_slow_motion_get_place (slow), ==, n);
  weir_slow_motion_play (slow, t); /* from the end: from the beginning */
  g_assert_cmpuint (weir_slow_motion_get_place (slow), ==, 1);
  g_assert_true (weir_slow_motion_advance (slow, t + 1000 * S));
  g_assert_cmpuint (weir_slow_motion_get_place (slow), ==, n);
  g_assert_true (weir_slow_motion_is_playing (slow));
  g_assert_false (weir_slow_motion_advance (slow, t + 2000 * S));
  g_assert_false (weir_slow_motion_is_playing (slow));

  weir_slow_motion_set_speed (slow, 0, t);
  g_assert_cmpfloat (weir_slow_motion_get_speed (slow), ==, WEIR_SLOW_MOTION_SLOWEST);
  weir_slow_motion_set_speed (slow, 1e9, t);
  g_assert_cmpfloat (weir_slow_motion_get_speed (slow), ==, WEIR_SLOW_MOTION_FASTEST);
}

/* --- Long logs ------------------------------------------------------------------------------- */

/* Each of @n entries reads the one before. A change begins at as many trackers without values, the
 * last of a chain that leads to the first entry being told first: what each leads to is known only
 * when all after it are. Records: a change and a request of the last entry, by turns. */
static WeirTrace *
make_long (guint n, guint n_records)
{
  const gsize n_words = (n + 63) / 64;
  g_autofree guint64 *frame = g_new0 (guint64, WEIR_LOG_KEYFRAME_SIZE (n_words));
  g_autoptr (GString) text = g_string_new ("weir-change-log\t1\nbyte-order\tlittle\nengine\tx\n"
                                           "model\tx\nevaluations\trebuilt\nsystems\t1\n-\tx\n");
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  WeirTrace *trace;

  g_string_append_printf (text, "entries\t%u\n0\teager\t-\te\n", n);
  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, "0\teager\t%u\te\n", i - 1);
  g_string_append_printf (text, "trackers\t%u\n", 2 * n);
  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, "0\t%u\t%u\tt\n", i - 1, i);
  g_string_append_printf (text, "0\t%u\t-\tt\n", n - 1);
  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, "0\t-\t%u\tp\n", n + i);
  g_string_append (text, "0\t-\t0\tp\nsources\t1\n");
  for (guint i = n; i-- > 0;)
    g_string_append_printf (text, "%u%c", n + i, i > 0 ? ' ' : '\t');
  g_string_append_printf (text, "s\nkeyframes\t1\nlost\t0\nrecords\t%u\nend\n", n_records);
  frame[1] = TRUE;
  for (guint i = 0; i < n; i++)
    frame[2 + i / 64] |= G_GUINT64_CONSTANT (1) << i % 64;
  g_string_append_len (text, (const char *) frame,
                       (gssize) (WEIR_LOG_KEYFRAME_SIZE (n_words) * sizeof *frame));
  for (guint i = 0; i < n_records; i++)
    {
      WeirLogRecord record = { .kind = WEIR_LOG_EVENT, .number = i / 2 + 1 };

      if (i % 2 == 1)
        record = (WeirLogRecord) { .kind = WEIR_LOG_REQUEST, .subject = n - 1 };
      g_string_append_len (text, (const char *) &record, sizeof record);
    }
  bytes = g_bytes_new (text->str, text->len);
  trace = weir_trace_read (bytes, &error);
  g_assert_no_error (error);
  return trace;
}

/* However deep the graph and however long the log, what is shown of it is made, and gone through,
 * in a time that grows with what is shown. The bound is some fifty times what it takes; squares of
 * these numbers would take minutes. */
static void
test_long (void)
{
  static const struct {
    guint n, n_records, limit, n_shown; /* n_shown: records */
  } cases[] = {
    /* 3 n - 1 marks of a change and 2 n of a request: five records end with 259997, four with
     * 199998; and 4445 with 20003, 4444 with 19998. */
    { 20000, 2, 0, 2 },
    { 20000, 100000, 200000, 5 },
    { 2, 100000, 20000, 4445 },
    { 2, 100000, 0, 100000 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirTrace) trace = make_long (cases[i].n, cases[i].n_records);
      clock_t begin = clock ();
      g_autoptr (GError) error = NULL;
      g_autoptr (WeirSlowMotion)
          slow = weir_slow_motion_new (trace, 0, G_MAXSIZE, cases[i].limit, &error);
      double made = (double) (clock () - begin) / CLOCKS_PER_SEC;
      guint n;

      g_assert_no_error (error);
      n = weir_slow_motion_get_n_beats (slow);
      for (guint place = 1; place <= n; place++)
        weir_slow_motion_go (slow, place);
      g_test_message ("%u beats of %" G_GSIZE_FORMAT " records in %.3f s, gone through in %.3f s",
                      n, weir_slow_motion_get_end (slow), made,
                      (double) (clock () - begin) / CLOCKS_PER_SEC - made);
      g_assert_cmpuint (weir_slow_motion_get_end (slow), ==, cases[i].n_shown);
      g_assert_cmpfloat ((double) (clock () - begin) / CLOCKS_PER_SEC, <, 5);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/slow-motion/random", test_random);
  g_test_add_func ("/analysis/slow-motion/limit", test_limit);
  g_test_add_func ("/analysis/slow-motion/diamond", test_diamond);
  g_test_add_func ("/analysis/slow-motion/clock", test_clock);
  g_test_add_func ("/analysis/slow-motion/long", test_long);
  return g_test_run ();
}

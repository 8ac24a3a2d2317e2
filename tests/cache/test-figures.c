/* Figures of the cache against an independent count: what the table derives from counters is what a
 * replay of the recorded run counts one by one. And questions asked of the cache model before,
 * during and after runs.
 */
#include <math.h>

#include "analysis/replay.h"
#include "cache/cache-card.h"
#include "cache/cache-columns.h"
#include "cache/cache-figures.h"
#include "cache/lane-build.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "system/change/walk.h"
#include "system/context/inspection.h"
#include "system/evaluation/eval.h"
#include "system/layout/sources.h"
#include "system/observation/change-log.h"
#include "../examples.h"

/* A run with everything recorded from the beginning: the context at its end, and its log. */
static WeirContext *
run_recorded (WeirSystem *system, double stop_time, WeirChangeLog **log)
{
  WeirContext *context = weir_system_create_context (system);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;

  weir_simulator_options_init (&options);
  weir_context_clear_counters (context);
  weir_context_start_log (context, WEIR_LOG_MODE_EVENTS, 1 << 20);
  simulator = weir_simulator_new (system, context, &options, &error);
  g_assert_no_error (error);
  g_assert_true (weir_simulator_initialize (simulator, &error));
  g_assert_true (weir_simulator_advance_to (simulator, stop_time, &error));
  *log = weir_context_stop_log (context);
  g_assert_cmpuint (weir_change_log_get_n_lost (*log), ==, 0);
  return context;
}

/* How often each entry was reached while it was out of date, as the classic walk tells. */
static guint64 *
count_unused (WeirChangeLog *log, guint n_entries)
{
  g_autoptr (WeirTrace) trace = weir_trace_new (log, NULL);
  g_autoptr (WeirReplay) replay = weir_replay_new (trace);
  guint64 *unused = g_new0 (guint64, n_entries);
  gsize n;

  weir_trace_get_records (trace, &n);
  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) list = weir_replay_list_notifications (replay, i, &error);

      g_assert_no_error (error);
      for (guint k = 0; k < list->len; k++)
        {
          const WeirNotification *notification = &g_array_index (list, WeirNotification, k);
          guint32 entry = weir_trace_get_tracker_entry (trace, notification->to);

          if (notification->heard == WEIR_HEARD_WAS_OUT_OF_DATE)
            unused[entry]++;
        }
    }
  return unused;
}

static void
test_unused (gconstpointer name)
{
  g_autoptr (WeirModel) model = read_example (name);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);
  WeirLayout *layout = weir_system_get_layout (system);
  guint n = weir_layout_get_n_entries (layout);
  g_autoptr (WeirChangeLog) log = NULL;
  g_autoptr (WeirContext) context = run_recorded (system, 1, &log);
  g_autofree guint64 *expected = count_unused (log, n);
  g_autofree guint64 *disabled = g_new0 (guint64, (n + 63) / 64 + 1);
  g_autofree WeirCounters *counters = g_new0 (WeirCounters, n);
  guint64 total = 0;
  gsize n_words;
  WeirSnapshot snapshot = {
    .caching = TRUE,
    .n_entries = n,
    .counters = counters,
    .flags = weir_context_get_flags (context, &n_words),
    .disabled = disabled,
  };

  weir_context_read_counters (context, counters);
  for (guint e = 0; e < n; e++)
    {
      guint64 unused;

      if (!weir_context_get_entry_caching (context, (WeirEntry) { e }))
        continue;
      g_assert_true (weir_cache_get_unused (&snapshot, e, &unused));
      g_assert_cmpuint (unused, ==, expected[e]);
      total += unused;
    }
  g_assert_cmpuint (total, >, 0);
}

static void
test_formats (void)
{
  static const struct {
    double count;
    const char *text;
  } counts[] = { { 0, "0" },       { 999, "999" },      { 1000, "1.0 k" },   { 9940, "9.9 k" },
                 { 9960, "10 k" }, { 999499, "999 k" }, { 999600, "1.0 M" }, { 12.3e9, "12 G" } };
  static const struct {
    double ns;
    const char *text;
  } times[] = { { 0, "–" },         { 0.5, "< 1 ns" },   { 12, "12 ns" },
                { 1800, "1.8 µs" }, { 4.6e6, "4.6 ms" }, { 2.5e9, "2.5 s" } };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autofree char *text = weir_cache_format_short (counts[i].count);

      g_assert_cmpstr (text, ==, counts[i].text);
    }
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      g_autofree char *text = weir_cache_format_time (times[i].ns);

      g_assert_cmpstr (text, ==, times[i].text);
    }
}

static WeirDocument *
open_example (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "examples", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirDocument *document = weir_document_new ();
  g_autoptr (WeirSystem) system = NULL;

  g_assert_true (weir_document_load (document, file, diagnostics));
  system = weir_document_complete (document, NULL); /* what is asked of it does not wait */
  return document;
}

/* What a change would reach, counted in sentences, equals what the change does to a context. */
static void
test_change (void)
{
  g_autoptr (WeirDocument) document = open_example ("nested.weir");
  g_autoptr (WeirCacheModel) model = weir_cache_model_new (document);
  WeirExplainer *explainer = weir_cache_model_get_explainer (model);
  WeirLayout *layout = weir_cache_model_get_layout (model);
  const WeirWalk *walk = weir_explainer_get_walk (explainer);
  g_autoptr (WeirContext)
      context = weir_system_create_context (weir_cache_model_get_system (model));
  guint n = weir_layout_get_n_entries (layout);

  g_assert_null (weir_cache_model_get_snapshot (model));
  for (guint32 node = 0; node < weir_layout_get_n_nodes (layout); node++)
    {
      WeirParameter parameter;
      guint32 tracker;
      guint size, n_marked = 0;
      g_autofree char *path = weir_layout_dup_path (layout, (WeirNode) { node });
      g_autofree char *name = g_strconcat (path, ".gain", NULL);
      double other[64] = { 17 };
      gsize n_words;

      if (!weir_layout_find_parameter (layout, (WeirNode) { node }, "gain", &parameter, &size)
          || size > 64)
        continue;
      for (guint e = 0; e < n; e++)
        weir_context_mark (context, (WeirEntry) { e }, TRUE);
      weir_context_set_parameter (context, (WeirNode) { node }, parameter, other);
      for (guint e = 0; e < n; e++)
        n_marked += (weir_context_get_flags (context, &n_words)[e / 64] >> (e % 64)) & 1;
      g_assert_true (weir_explainer_find (explainer, name, &tracker, NULL));
      {
        g_autoptr (GArray) steps = weir_explain_downstream (
            explainer, tracker, weir_cache_model_get_flags (model, NULL));
        WeirChangeTotals totals = weir_cache_total_change (model, steps, NULL);

        g_assert_cmpuint (totals.n_entries, ==, n_marked);
        g_assert_cmpuint (totals.n_fresh, ==, 0); /* nothing is, before a run */
        g_assert_cmpuint (n_marked, >, 0);
      }
    }
  g_assert_cmpuint (weir_walk_get_n_trackers (walk), >, n);
}

/* Every edge of a leaf's graph is a declared prerequisite, and every declared one is there. */
static void
test_lanes (void)
{
  g_autoptr (WeirDocument) document = open_example ("pendulum.weir");
  g_autoptr (WeirCacheModel) model = weir_cache_model_new (document);
  WeirLayout *layout = weir_cache_model_get_layout (model);
  const WeirWalk *walk = weir_explainer_get_walk (weir_cache_model_get_explainer (model));
  g_autoptr (WeirLaneGraph) graph = NULL;
  guint n_declared = 0, n_edges = 0;
  WeirNode node;

  g_assert_true (weir_layout_find_node (layout, "Pendulum", &node));
  g_assert_true (weir_lane_graph_is_leaf (model, node));
  g_assert_cmpuint (weir_lane_graph_count_blocks (model, WEIR_ROOT), ==, 4);
  graph = weir_lane_graph_build (model, node, FALSE, NULL);
  for (guint32 e = 0; e < weir_layout_get_n_entries (layout); e++)
    {
      const guint16 *tickets;
      guint to, n;

      if (weir_layout_get_entry (layout, (WeirEntry) { e }).node.i != node.i)
        continue;
      to = weir_lane_graph_find (graph, weir_walk_get_entry_tracker (walk, (WeirEntry) { e }));
      g_assert_cmpuint (to, !=, WEIR_NO_LANE_NODE);
      n = weir_layout_get_primary (layout, (WeirEntry) { e }, &tickets);
      for (guint i = 0; i < n; i++)
        {
          guint from = weir_lane_graph_find (
              graph, weir_walk_get_tracker ((WeirWalk *) walk, node, (WeirTicket) { tickets[i] }));
          gboolean found = FALSE;

          for (guint k = 0; k < graph->edges->len; k++)
            {
              const WeirLaneEdge *edge = &g_array_index (graph->edges, WeirLaneEdge, k);

              found |= edge->from == from && edge->to == to;
            }
          g_assert_true (found);
          n_declared++;
        }
      for (guint k = 0; k < graph->edges->len; k++)
        n_edges += g_array_index (graph->edges, WeirLaneEdge, k).to == to ? 1 : 0;
    }
  g_assert_cmpuint (n_declared, >, 10);
  g_assert_cmpuint (n_edges, ==, n_declared);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/cache/figures/unused/pendulum", "pendulum.weir", test_unused);
  g_test_add_data_func ("/cache/figures/unused/nested", "nested.weir", test_unused);
  g_test_add_data_func ("/cache/figures/unused/sampled", "sampled.weir", test_unused);
  g_test_add_data_func ("/cache/figures/unused/counter", "counter.weir", test_unused);
  g_test_add_func ("/cache/figures/formats", test_formats);
  g_test_add_func ("/cache/model/change", test_change);
  g_test_add_func ("/cache/lanes/leaf", test_lanes);
  return g_test_run ();
}

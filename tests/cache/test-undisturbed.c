/* Nothing that looks at a run can change it: models of several kinds run while every view's calls
 * into the runner, the session and the engine are made at random, and what is recorded is compared
 * bit for bit with a run that nobody touched. No display is needed.
 */
#include <string.h>

#include "../seeds.h"
#include "cache/cache-figures.h"
#include "cache/cache-overlay.h"
#include "cache/explain-panel.h"
#include "cache/lane-build.h"
#include "run/runner.h"
#include "system/change/explain.h"

#define N_ROUNDS 24
#define N_ACTIONS 120

static const struct {
  const char *name, *stop_time;
} models[] = {
  { "pendulum.weir", "0.6" },      { "nested.weir", "0.5" },    { "sampled.weir", "0.5" },
  { "bouncing-ball.weir", "1.5" }, { "lorenz.weir", "0.5" },    { "thermostat.weir", "40" },
  { "counter.weir", "0.5" },       { "equations.weir", "0.5" }, { "dc-motor.weir", "0.2" },
};

typedef struct {
  WeirDocument *document;
  WeirRunner *runner;
  WeirCacheModel *model;
  WeirCacheOverlay *overlay; /* NULL while there is no run */
  guint n_pauses;
} Desk;

static gboolean
chance (guint of)
{
  return g_rand_int_range (test_rand, 0, (gint32) of) == 0;
}

static guint
below (guint n)
{
  return (guint) g_rand_int_range (test_rand, 0, (gint32) MAX (n, 1));
}

static void
desk_init (Desk *self, const char *name, const char *stop_time)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "examples", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  *self = (Desk) { .document = weir_document_new () };
  g_assert_true (weir_document_load (self->document, file, diagnostics));
  weir_patch_set_setting (patch, "stop-time", stop_time);
  weir_patch_set_setting (patch, "real-time-rate", "0");
  g_assert_true (weir_document_edit (self->document, patch, "Shorten", NULL, NULL));
  self->runner = weir_runner_new (self->document);
  self->model = weir_cache_model_new (self->document);
}

static void
desk_clear (Desk *self)
{
  weir_runner_cancel_verify (self->runner);
  while (weir_runner_is_verifying (self->runner))
    g_main_context_iteration (NULL, TRUE);
  g_clear_pointer (&self->overlay, weir_cache_overlay_free);
  g_object_unref (self->model);
  g_object_unref (self->runner);
  g_object_unref (self->document);
}

static WeirSession *
session_of (Desk *self)
{
  while (weir_runner_is_starting (self->runner))
    g_main_context_iteration (NULL, TRUE);
  return weir_runner_get_session (self->runner);
}

static gboolean
is_over (Desk *self)
{
  return weir_session_get_state (session_of (self)) > WEIR_SESSION_PAUSED;
}

/* --- What views do --------------------------------------------------------------------------- */

static guint
n_entries (Desk *self)
{
  return weir_layout_get_n_entries (weir_session_get_layout (session_of (self)));
}

static void
set_random_breakpoints (Desk *self)
{
  static const char *const sources[] = { "", "time", "accuracy", NULL };
  g_autoptr (GArray) list = weir_breakpoint_list_new ();
  WeirLayout *layout = weir_session_get_layout (session_of (self));

  for (guint i = below (4); i > 0; i--)
    {
      WeirBreakpoint one = { .kind = (WeirBreakKind) below (WEIR_N_BREAK_KINDS),
                             .test = (WeirBreakTest) below (WEIR_N_BREAK_TESTS),
                             .phase = chance (3) ? (int) below (WEIR_LOG_N_PHASES) : -1,
                             .skips = below (40),
                             .number = below (100),
                             .at_least = below (12),
                             .is_disabled = chance (4),
                             .only_counts = chance (4),
                             .is_once = chance (2) };

      one.what = one.kind == WEIR_BREAK_EVENT ? g_strdup (sources[below (3)])
                                              : weir_layout_dup_entry_path (
                                                  layout, (WeirEntry) { below (n_entries (self)) });
      one.by = g_strdup (sources[below (4)]);
      g_array_append_val (list, one);
    }
  weir_document_set_breakpoints (self->document, list, "Breakpoints");
}

static void
switch_something (Desk *self)
{
  guint entry = below (n_entries (self));

  switch (below (4))
    {
    case 0:
      weir_runner_set_caching (self->runner, !weir_runner_get_caching (self->runner));
      break;
    case 1:
      weir_session_set_entry_caching (session_of (self), entry, chance (2));
      break;
    default:
      weir_session_set_entry_held (session_of (self), entry, chance (3));
    }
}

static void
explain_something (Desk *self)
{
  WeirExplainer *explainer = weir_cache_model_get_explainer (self->model);
  const WeirSnapshot *snapshot = weir_cache_model_get_snapshot (self->model);
  const WeirFlags *flags;
  guint32 tracker;
  WeirWhy why;

  if (explainer == NULL || snapshot == NULL)
    return;
  flags = weir_cache_model_get_flags (self->model, snapshot);
  tracker = below (weir_walk_get_n_trackers (weir_explainer_get_walk (explainer)));
  g_array_unref (weir_explain_downstream (explainer, tracker, flags));
  g_array_unref (weir_explain_upstream (explainer, tracker, flags));
  why = weir_explain_why (explainer, (WeirEntry) { below (n_entries (self)) }, flags);
  weir_why_clear (&why);
}

static void
look_at_figures (Desk *self)
{
  const WeirSnapshot *snapshot = weir_cache_model_get_snapshot (self->model);
  WeirCacheTotals totals = weir_cache_get_totals (snapshot);
  WeirLaneGraph *graph;

  if (snapshot == NULL)
    return;
  g_assert_cmpuint (totals.hits, <=, G_MAXINT64);
  for (guint e = 0; e < snapshot->n_entries; e++)
    g_assert_cmpuint (weir_cache_get_badge (snapshot, e), <, WEIR_N_BADGES);
  graph = weir_lane_graph_build (
      self->model,
      (WeirNode) { below (weir_layout_get_n_nodes (weir_cache_model_get_layout (self->model))) },
      chance (2), NULL);
  weir_lane_graph_update (graph, self->model, snapshot);
  weir_lane_graph_free (graph);
}

static void
look_at_overlay (Desk *self)
{
  if (self->overlay == NULL)
    self->overlay = weir_cache_overlay_new (self->model);
  weir_cache_overlay_set_diagram (self->overlay,
                                  weir_model_get_root (weir_document_get_model (self->document)));
  weir_cache_overlay_set_mode (self->overlay, (WeirOverlayMode) below (WEIR_N_OVERLAYS));
  weir_cache_overlay_update (self->overlay, g_get_monotonic_time ());
}

static void
record_something (Desk *self)
{
  switch (below (3))
    {
    case 0:
      weir_session_start_log (session_of (self),
                              chance (2) ? WEIR_LOG_MODE_ALL : WEIR_LOG_MODE_EVENTS, 4096);
      break;
    case 1:
      weir_session_request_log (session_of (self));
      weir_run_log_free (weir_session_take_log (session_of (self)));
      break;
    default:
      weir_session_stop_log (session_of (self));
    }
}

static void
steer (Desk *self)
{
  switch (below (4))
    {
    case 0:
      weir_runner_pause (self->runner);
      break;
    case 1:
      weir_runner_step (self->runner);
      break;
    default:
      weir_runner_run (self->runner);
    }
}

static void
act (Desk *self)
{
  switch (below (9))
    {
    case 0:
      set_random_breakpoints (self);
      break;
    case 1:
    case 2:
      switch_something (self);
      break;
    case 3:
      explain_something (self);
      break;
    case 4:
      look_at_figures (self);
      break;
    case 5:
      look_at_overlay (self);
      break;
    case 6:
      record_something (self);
      break;
    case 7:
      if (chance (10))
        weir_runner_verify (self->runner);
      else
        weir_runner_cancel_verify (self->runner);
      break;
    default:
      steer (self);
    }
  if (weir_session_get_snapshot (session_of (self))->is_at_break)
    {
      self->n_pauses++;
      weir_runner_run (self->runner);
    }
}

/* Everything off that could pause it, and on to the end. */
static void
finish (Desk *self)
{
  g_autoptr (GArray) none = weir_breakpoint_list_new ();

  weir_document_set_breakpoints (self->document, none, "No Breakpoints");
  for (guint e = 0; e < n_entries (self); e++)
    weir_session_set_entry_held (session_of (self), e, FALSE);
  while (!is_over (self))
    {
      if (weir_session_get_state (session_of (self)) == WEIR_SESSION_PAUSED)
        weir_runner_run (self->runner);
      g_main_context_iteration (NULL, FALSE);
      g_usleep (200);
    }
  weir_session_join (session_of (self));
}

/* --- The comparison -------------------------------------------------------------------------- */

static void
assert_same (WeirRecorder *plain, WeirRecorder *disturbed)
{
  gsize n = weir_recorder_get_n_rows (plain);

  g_assert_cmpuint (weir_recorder_get_n_rows (disturbed), ==, n);
  for (gsize row = 0; row < n; row++)
    {
      double x = weir_recorder_get_time (plain, row), y = weir_recorder_get_time (disturbed, row);

      g_assert_cmpmem (&x, sizeof x, &y, sizeof y);
      for (guint s = 0; s < weir_recorder_get_n_signals (plain); s++)
        {
          x = weir_recorder_get_value (plain, s, row);
          y = weir_recorder_get_value (disturbed, s, row);
          g_assert_cmpmem (&x, sizeof x, &y, sizeof y);
        }
    }
}

static void
test_undisturbed (void)
{
  guint n_pauses = 0;

  get_test_seed (78);
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      guint m = i % G_N_ELEMENTS (models);
      Desk plain, disturbed;

      g_test_message ("%s", models[m].name);
      desk_init (&plain, models[m].name, models[m].stop_time);
      weir_runner_run (plain.runner);
      g_assert_nonnull (session_of (&plain));
      weir_session_join (session_of (&plain));
      g_assert_cmpint (weir_session_get_state (session_of (&plain)), ==, WEIR_SESSION_FINISHED);

      desk_init (&disturbed, models[m].name, models[m].stop_time);
      weir_runner_set_caching (disturbed.runner, chance (2));
      weir_runner_begin (disturbed.runner);
      g_assert_nonnull (session_of (&disturbed));
      weir_cache_model_set_session (disturbed.model, session_of (&disturbed),
                                    weir_runner_get_session_model (disturbed.runner));
      for (guint k = 0; k < N_ACTIONS; k++)
        {
          act (&disturbed);
          g_main_context_iteration (NULL, FALSE);
          if (chance (8))
            g_usleep (below (400));
        }
      finish (&disturbed);
      g_assert_cmpint (weir_session_get_state (session_of (&disturbed)), ==, WEIR_SESSION_FINISHED);
      assert_same (weir_session_get_recorder (session_of (&plain)),
                   weir_session_get_recorder (session_of (&disturbed)));
      n_pauses += disturbed.n_pauses;
      desk_clear (&plain);
      desk_clear (&disturbed);
    }
  g_test_message ("%u pauses", n_pauses);
  g_assert_cmpuint (n_pauses, >, 10); /* else breakpoints were never tried */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cache/undisturbed/random", test_undisturbed);
  return g_test_run ();
}

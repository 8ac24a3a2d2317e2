/* The timeline: a run is recorded with real keys and clicks, looked at event by event, and every
 * number that the window shows is the engine's or the log's.
 */
#include "looks.h"

#include "gui/pages/timeline-page.h"
#include "cache/cache-card.h"
#include "cache/slow-bar.h"
#include "lab/timeline-panel.h"
#include "lab/timeline-view.h"

#define WEIR_LANES_TOP 34.0 /* as the timeline draws them, in pixels */
#define WEIR_LANE 20.0

static WeirTimelinePanel *
panel_of (WeirEditor *editor)
{
  return WEIR_TIMELINE_PANEL (part_of (editor, WEIR_TYPE_TIMELINE_PANEL));
}

static WeirPlayback *
playback_of (WeirEditor *editor)
{
  WeirPlayback *playback = weir_timeline_panel_get_playback (panel_of (editor));

  g_assert_nonnull (playback);
  return playback;
}

static WeirTimeline *
timeline_of (WeirEditor *editor)
{
  return weir_timeline_view_get_timeline (
      WEIR_TIMELINE_VIEW (weir_timeline_panel_get_view (panel_of (editor))));
}

static const WeirLogRecord *
records_of (WeirEditor *editor, gsize *n)
{
  return weir_trace_get_records (weir_playback_get_trace (playback_of (editor)), n);
}

static gboolean
starts_with (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && g_str_has_prefix (gtk_label_get_text (GTK_LABEL (widget)), text);
}

static GtkWidget *
find_text (WeirEditor *editor, const char *start)
{
  return find_widget (part_of (editor, WEIR_TYPE_TIMELINE_PANEL), starts_with, start);
}

static gboolean
is_enabled (WeirEditor *editor, const char *action)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (editor->actions), action);
}

/* Records a run of an example from its beginning to its end. */
static WeirEditor *
record (const char *example, const char *stop_time, const char *solver)
{
  WeirEditor *editor = window_open_example (example);

  if (solver != NULL)
    set_setting (editor, "solver", solver);
  if (stop_time != NULL)
    set_setting (editor, "stop-time", stop_time);
  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), "show-timeline", NULL);
  spin (100);
  g_assert_cmpstr (shown_page (editor), ==, "timeline");
  g_assert_nonnull (find_text (editor, "Nothing Logged Yet"));
  click (find_label (part_of (editor, WEIR_TYPE_TIMELINE_PANEL), "Log"));
  key ("F5");
  wait_for (run_is_over (editor));
  wait_for (weir_timeline_panel_get_playback (panel_of (editor)) != NULL);
  spin (100);
  return editor;
}

static WeirPoint
record_on_screen (WeirEditor *editor, gsize index)
{
  GtkWidget *view = weir_timeline_panel_get_view (panel_of (editor));

  return on_screen (view, weir_timeline_to_x (timeline_of (editor), (double) index + 0.5), 48);
}

/* What the window shows at the end of a log that is complete is what the engine counted. */
static void
test_counters (void)
{
  WeirEditor *editor = record ("pendulum.weir", "2", NULL);
  WeirSession *session = session_of (editor);
  const WeirSnapshot *live = weir_session_get_snapshot (session);
  g_autofree WeirCounters *counters = g_memdup2 (live->counters,
                                                 live->n_entries * sizeof *live->counters);
  guint64 n_events = live->n_events, hits, misses, invalidations, live_hits = 0, live_misses = 0;
  const WeirSnapshot *shown;
  guint n_entries = live->n_entries;
  gsize n, n_of_events = 0;
  const WeirLogRecord *records = records_of (editor, &n);
  g_autofree char *csv = NULL, *csv_live = NULL;

  picture ("80-timeline-recorded");
  for (gsize i = 0; i < n; i++)
    n_of_events += records[i].kind == WEIR_LOG_EVENT || records[i].kind == WEIR_LOG_JOINT;
  g_assert_cmpuint (n_of_events, ==, n_events);
  g_assert_null (weir_cache_model_get_logged (editor->cache_model));
  g_assert_cmpint (weir_canvas_get_overlay_mode (editor->canvas), ==, WEIR_OVERLAY_OFF);
  weir_host_show_page (WEIR_HOST (editor), "cache");
  spin (100);
  csv_live = weir_cache_panel_to_csv (WEIR_CACHE_PANEL (part_of (editor, WEIR_TYPE_CACHE_PANEL)));
  weir_host_show_page (WEIR_HOST (editor), "timeline");

  gtk_widget_grab_focus (weir_timeline_panel_get_view (panel_of (editor)));
  key ("End");
  g_assert_nonnull (weir_cache_model_get_logged (editor->cache_model));
  g_assert_cmpint (weir_canvas_get_overlay_mode (editor->canvas), ==, WEIR_OVERLAY_STATE);
  shown = weir_cache_model_get_snapshot (editor->cache_model);
  g_assert_true (shown->is_past);
  g_assert_cmpuint (shown->n_events, ==, n_events);
  g_assert_cmpmem (shown->counters, n_entries * sizeof *counters, counters,
                   n_entries * sizeof *counters);
  live = weir_session_get_snapshot (session);
  g_assert_cmpmem (shown->flags, (n_entries + 63) / 64 * 8, live->flags, (n_entries + 63) / 64 * 8);
  g_assert_cmpmem (shown->source_last, shown->n_sources * 8, live->source_last,
                   shown->n_sources * 8);
  weir_host_show_page (WEIR_HOST (editor), "cache");
  spin (100);
  csv = weir_cache_panel_to_csv (WEIR_CACHE_PANEL (part_of (editor, WEIR_TYPE_CACHE_PANEL)));
  g_assert_cmpstr (csv, ==, csv_live);
  weir_cache_panel_get_totals (WEIR_CACHE_PANEL (part_of (editor, WEIR_TYPE_CACHE_PANEL)), &hits,
                               &misses, &invalidations);
  for (guint e = 0; e < n_entries; e++)
    {
      live_hits += counters[e].hits;
      live_misses += counters[e].first + counters[e].stale + counters[e].disabled;
    }
  g_assert_cmpuint (hits, ==, live_hits);
  g_assert_cmpuint (misses, ==, live_misses);
  picture ("81-timeline-cache-table");

  /* Back to the run: everything as before. */
  weir_host_show_page (WEIR_HOST (editor), "timeline");
  spin (50);
  gtk_widget_grab_focus (weir_timeline_panel_get_view (panel_of (editor)));
  key ("Escape");
  g_assert_null (weir_cache_model_get_logged (editor->cache_model));
  g_assert_cmpint (weir_canvas_get_overlay_mode (editor->canvas), ==, WEIR_OVERLAY_OFF);
  editor->may_close = TRUE;
  editor_close (editor);
}

/* Event by event, with the keys of the timeline, forwards and back: the record, the sentence and
 * the flags. */
static void
test_steps (void)
{
  WeirEditor *editor = record ("pendulum.weir", "0.5", NULL);
  g_autoptr (WeirReplay) replay = weir_replay_new (weir_playback_get_trace (playback_of (editor)));
  guint n_entries = weir_trace_get_n_entries (weir_playback_get_trace (playback_of (editor)));
  gsize n, expected = G_MAXSIZE;
  const WeirLogRecord *records = records_of (editor, &n);

  gtk_widget_grab_focus (weir_timeline_panel_get_view (panel_of (editor)));
  for (guint k = 0; k < 12; k++)
    {
      const WeirSnapshot *shown;
      g_autofree char *start = NULL, *moment = NULL;

      key ("period");
      do
        expected++;
      while (records[expected].kind != WEIR_LOG_EVENT && records[expected].kind != WEIR_LOG_JOINT);
      g_assert_cmpuint (weir_timeline_panel_get_cursor (panel_of (editor)), ==, expected);
      start = g_strdup_printf ("Event %" G_GUINT64_FORMAT " ·", records[expected].number);
      g_assert_nonnull (find_text (editor, start));
      moment = g_strdup_printf ("As of event %" G_GUINT64_FORMAT ", t = %g s",
                                records[expected].number, records[expected].time);
      g_assert_cmpstr (weir_cache_model_get_logged (editor->cache_model), ==, moment);
      shown = weir_cache_model_get_snapshot (editor->cache_model);
      g_assert_cmpuint (shown->n_events, ==, records[expected].number);
      g_assert_true (weir_replay_seek (replay, expected + 1, NULL));
      g_assert_cmpmem (shown->flags, (n_entries + 63) / 64 * 8,
                       weir_replay_get_out_of_date (replay), (n_entries + 63) / 64 * 8);
      /* The badge of the block on the canvas is made of these flags. */
      g_assert_nonnull (weir_cache_views_get_overlay (WEIR_HOST (editor)));
    }
  picture ("82-timeline-event");
  for (guint k = 0; k < 3; k++)
    {
      key ("comma");
      do
        expected--;
      while (records[expected].kind != WEIR_LOG_EVENT && records[expected].kind != WEIR_LOG_JOINT);
      g_assert_cmpuint (weir_timeline_panel_get_cursor (panel_of (editor)), ==, expected);
    }
  /* On the canvas the same keys; with Shift, what reaches the block that is selected. */
  click_at (block_on_screen (editor, "Energy"));
  key ("period");
  g_assert_cmpuint (weir_timeline_panel_get_cursor (panel_of (editor)), >, expected);
  key ("<Shift>period");
  {
    gsize cursor = weir_timeline_panel_get_cursor (panel_of (editor));
    g_autoptr (GArray) list = weir_scrubber_list_notifications (
        weir_playback_get_scrubber (playback_of (editor)), cursor, NULL);
    WeirTrace *trace = weir_playback_get_trace (playback_of (editor));
    gboolean reaches = FALSE;

    for (guint i = 0; i < list->len; i++)
      {
        guint32 to = g_array_index (list, WeirNotification, i).to;
        g_autofree char *path = weir_trace_dup_path (trace,
                                                     weir_trace_get_tracker_system (trace, to));

        reaches |= g_str_equal (path, "Energy")
                   && weir_trace_get_tracker_entry (trace, to) != WEIR_NO_INDEX;
      }
    g_assert_true (weir_trace_get_n_entries (trace) > 0);
    g_assert_true (reaches || find_label (GTK_WIDGET (editor), "Select a block first") == NULL);
  }
  editor->may_close = TRUE;
  editor_close (editor);
}

/* A range, chosen by Shift+drag: table and overlay count what is within, which is what the log
 * says. */
static void
test_range (void)
{
  WeirEditor *editor = record ("pendulum.weir", "1", NULL);
  GtkWidget *view = weir_timeline_panel_get_view (panel_of (editor));
  WeirTrace *trace = weir_playback_get_trace (playback_of (editor));
  g_autoptr (WeirReplay) replay = weir_replay_new (trace);
  const WeirSnapshot *shown;
  guint64 computed = 0, listed = 0;
  double a, b;
  gsize first, end, n;

  weir_timeline_get_range (timeline_of (editor), &a, &b);
  records_of (editor, &n);
  g_assert_cmpfloat (b - a, ==, (double) n);
  point_at (on_screen (view, gtk_widget_get_width (view) / 2.0, 60));
  XTestFakeKeyEvent (x_display (), XKeysymToKeycode (x_display (), GDK_KEY_Shift_L), True,
                     CurrentTime);
  drag (on_screen (view, gtk_widget_get_width (view) * 0.5, 60),
        on_screen (view, gtk_widget_get_width (view) * 0.7, 60));
  XTestFakeKeyEvent (x_display (), XKeysymToKeycode (x_display (), GDK_KEY_Shift_L), False,
                     CurrentTime);
  settle ();
  g_assert_true (weir_timeline_panel_get_range (panel_of (editor), &first, &end));
  g_assert_cmpuint (end - first, >, n / 10);
  picture ("83-timeline-range");
  shown = weir_cache_model_get_snapshot (editor->cache_model);
  g_assert_true (shown->is_past);
  for (guint e = 0; e < shown->n_entries; e++)
    computed += shown->counters[e].first + shown->counters[e].stale + shown->counters[e].disabled;
  for (gsize i = first; i < end; i = weir_replay_get_next (replay, i))
    {
      g_autoptr (GArray) list = weir_replay_list_evaluations (replay, i, NULL);

      listed += list->len;
    }
  g_assert_cmpuint (computed, ==, listed);
  g_assert_nonnull (find_text (editor, "Events "));
  key ("Escape");
  g_assert_false (weir_timeline_panel_get_range (panel_of (editor), &first, &end));
  editor->may_close = TRUE;
  editor_close (editor);
}

/* The wheel zooms, clicks look; near, evaluations lie beneath their request; the plots' cursor is
 * the same. */
static void
test_pointer (void)
{
  WeirEditor *editor = record ("pendulum.weir", "1", NULL);
  GtkWidget *view = weir_timeline_panel_get_view (panel_of (editor));
  double first, last, was_first, was_last;
  gsize n, index;

  records_of (editor, &n);
  weir_timeline_get_range (timeline_of (editor), &was_first, &was_last);
  wheel_at (on_screen (view, gtk_widget_get_width (view) * 0.6, 60), -18);
  weir_timeline_get_range (timeline_of (editor), &first, &last);
  g_assert_cmpfloat (last - first, <, (was_last - was_first) / 8);
  picture ("84-timeline-near");
  drag (on_screen (view, gtk_widget_get_width (view) * 0.6, 60),
        on_screen (view, gtk_widget_get_width (view) * 0.4, 60));
  weir_timeline_get_range (timeline_of (editor), &was_first, &was_last);
  g_assert_cmpfloat (was_first, >, first);
  index = (gsize) (was_first + was_last) / 2;
  click_at (record_on_screen (editor, index));
  g_assert_cmpuint (
      weir_timeline_panel_get_cursor (panel_of (editor)), ==,
      weir_scrubber_get_whole (weir_playback_get_scrubber (playback_of (editor)), index));
  wheel_at (on_screen (view, gtk_widget_get_width (view) * 0.5, 60), -8);
  picture ("85-timeline-nearest");

  /* The pointer on a plot leads the timeline. */
  weir_host_show_page (WEIR_HOST (editor), "plots");
  spin (200);
  point_at (on_screen (part_of (editor, WEIR_TYPE_SCOPES),
                       gtk_widget_get_width (part_of (editor, WEIR_TYPE_SCOPES)) * 0.2,
                       gtk_widget_get_height (part_of (editor, WEIR_TYPE_SCOPES)) / 2.0));
  spin (100);
  g_assert_cmpuint (
      weir_timeline_panel_get_cursor (panel_of (editor)), !=,
      weir_scrubber_get_whole (weir_playback_get_scrubber (playback_of (editor)), index));
  picture ("86-timeline-plots");
  editor->may_close = TRUE;
  editor_close (editor);
}

/* Skip and Replay says what needed the event: the second stage of a step of the classic method. */
static void
test_skip (void)
{
  WeirEditor *editor = record ("../lessons/parameter-edit.weir", "0.5", "rk4");
  gsize n, index = 0;
  const WeirLogRecord *records = records_of (editor, &n);
  const guint32 *amounts = weir_scrubber_get_amounts (
      weir_playback_get_scrubber (playback_of (editor)));

  g_assert_false (is_enabled (editor, "timeline-skip"));
  for (gsize i = 0; i < n; i++)
    if (records[i].kind == WEIR_LOG_EVENT && records[i].phase == WEIR_LOG_PHASE_TRIAL
        && records[i].time > 0.1 && amounts[i] > 0)
      {
        index = i;
        break;
      }
  g_assert_cmpuint (index, >, 0);
  weir_timeline_view_set_cursor (
      WEIR_TIMELINE_VIEW (weir_timeline_panel_get_view (panel_of (editor))), index);
  g_assert_true (is_enabled (editor, "timeline-skip"));
  spin (100);
  click (find_label (part_of (editor, WEIR_TYPE_TIMELINE_PANEL), "Skip and Replay"));
  wait_for (find_text (editor, "Without this event") != NULL);
  g_assert_null (find_text (editor, "Without this event nothing differs"));
  g_assert_nonnull (find_text (editor, "≠ "));
  picture ("87-timeline-skipped");
  editor->may_close = TRUE;
  editor_close (editor);
}

/* A file that the command line wrote, saved again, opened, dropped on another model, closed. */
static void
test_files (void)
{
  WeirEditor *editor = record ("pendulum.weir", "0.5", NULL), *other;
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "weir-test-timeline.weirlog", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  gsize n, n_again;

  records_of (editor, &n);
  g_assert_true (weir_timeline_page_save (part_of (editor, WEIR_TYPE_TIMELINE_PAGE), file));
  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), "timeline-close", NULL);
  spin (50);
  g_assert_null (weir_timeline_panel_get_playback (panel_of (editor)));
  g_assert_nonnull (find_text (editor, "Nothing Logged Yet"));
  g_assert_false (is_enabled (editor, "timeline-next"));
  weir_editor_open_beside (editor, file);
  wait_for (weir_timeline_panel_get_playback (panel_of (editor)) != NULL);
  records_of (editor, &n_again);
  g_assert_cmpuint (n_again, ==, n);
  gtk_widget_grab_focus (weir_timeline_panel_get_view (panel_of (editor)));
  key ("period");
  g_assert_nonnull (weir_cache_model_get_logged (editor->cache_model));
  editor->may_close = TRUE;
  editor_close (editor);

  other = window_open_example ("lorenz.weir");
  weir_editor_open_beside (other, file);
  wait_for (weir_timeline_panel_get_playback (panel_of (other)) != NULL);
  spin (100);
  gtk_widget_grab_focus (weir_timeline_panel_get_view (panel_of (other)));
  key ("period");
  g_assert_cmpuint (weir_timeline_panel_get_cursor (panel_of (other)), !=, G_MAXSIZE);
  g_assert_null (weir_cache_model_get_logged (other->cache_model));
  picture ("88-timeline-other-model");

  /* What is no log is refused with a sentence. */
  g_assert_true (
      g_file_replace_contents (file, "weir-change-log\t1\n", 18, NULL, FALSE, 0, NULL, NULL, NULL));
  weir_editor_open_beside (other, file);
  wait_for (gtk_widget_get_visible (other->bar)
            && strstr (gtk_label_get_text (GTK_LABEL (other->bar_text)), "weirlog"));
  g_unlink (path);
  other->may_close = TRUE;
  editor_close (other);
}

/* A small budget: the newest part is kept, which the window says. */
static void
test_budget (void)
{
  WeirEditor *editor = window_open_example ("lorenz.weir");
  WeirSession *session;

  set_setting (editor, "stop-time", "1e6");
  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), "show-timeline", NULL);
  spin (100);
  g_assert_cmpuint (weir_timeline_panel_get_capacity (panel_of (editor)), ==, 1u << 20);
  g_action_group_change_action_state (G_ACTION_GROUP (editor->actions), "log",
                                      g_variant_new_boolean (TRUE));
  key ("F5");
  wait_for (weir_runner_get_session (editor->runner) != NULL);
  session = session_of (editor);
  wait_for (weir_session_get_snapshot (session)->n_given_up > 0);
  wait_for (find_text (editor, "Change log: the 32 MB are full") != NULL);
  picture ("89-timeline-log");
  key ("F6");
  wait_for (weir_session_get_state (session) == WEIR_SESSION_PAUSED);
  wait_for (weir_timeline_panel_get_playback (panel_of (editor)) != NULL);
  g_assert_cmpuint (weir_trace_get_n_lost (weir_playback_get_trace (playback_of (editor))), >, 0);
  g_assert_nonnull (find_text (editor, "This run · the newest "));
  picture ("90-timeline-huge");
  gtk_widget_grab_focus (weir_timeline_panel_get_view (panel_of (editor)));
  key ("End");
  g_assert_nonnull (
      strstr (weir_cache_model_get_logged (editor->cache_model), "; counted since event "));
  g_assert_cmpuint (weir_cache_model_get_snapshot (editor->cache_model)->n_events, ==,
                    weir_session_get_snapshot (session)->n_events);
  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), "stop", NULL);
  wait_for (weir_session_get_state (session) == WEIR_SESSION_STOPPED);
  editor->may_close = TRUE;
  editor_close (editor);
}

/* The same pictures in the dark. */
static void
test_dark (void)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  WeirEditor *editor;

  if (g_getenv ("WEIR_PICTURES") == NULL)
    {
      g_test_skip ("no pictures are wanted");
      return;
    }
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  editor = window_open_example ("pendulum.weir");
  weir_host_show_page (WEIR_HOST (editor), "timeline");
  picture ("91-timeline-dark-empty");
  editor->may_close = TRUE;
  editor_close (editor);
  editor = record ("pendulum.weir", "1", NULL);
  gtk_widget_grab_focus (weir_timeline_panel_get_view (panel_of (editor)));
  for (guint k = 0; k < 20; k++)
    key ("period");
  picture ("92-timeline-dark");
  wheel_at (record_on_screen (editor, weir_timeline_panel_get_cursor (panel_of (editor))), -30);
  picture ("93-timeline-dark-near");
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_DEFAULT);
  editor->may_close = TRUE;
  editor_close (editor);
}

/* --- Computed in vain ------------------------------------------------------------------------ */

static void
choose_every_evaluation (WeirEditor *editor)
{
  GtkWidget *mode = find_of_type (part_of (editor, WEIR_TYPE_TIMELINE_PANEL), GTK_TYPE_DROP_DOWN);

  gtk_drop_down_set_selected (GTK_DROP_DOWN (mode), 1);
}

/* In a log of every evaluation the table counts computations that gave the same bytes: as
 * many as the log has. Exact is computed once; Cautious, which declares too much, 40 times with one
 * result.
 */
static void
test_in_vain (void)
{
  WeirEditor *editor = editor_open ();
  g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "lessons", "cautious.weir",
                                            NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  const WeirSnapshot *shown;
  WeirLayout *layout;
  gboolean found[2] = { FALSE, FALSE };
  g_autofree char *csv = NULL;

  g_assert_true (weir_editor_open (editor, file));
  weir_host_show_page (WEIR_HOST (editor), "timeline");
  spin (100);
  choose_every_evaluation (editor);
  click (find_label (part_of (editor, WEIR_TYPE_TIMELINE_PANEL), "Log"));
  key ("F5");
  wait_for (run_is_over (editor));
  wait_for (weir_timeline_panel_get_playback (panel_of (editor)) != NULL);
  g_assert_null (weir_session_get_snapshot (session_of (editor))->same); /* nobody has counted */
  gtk_widget_grab_focus (weir_timeline_panel_get_view (panel_of (editor)));
  key ("End");
  shown = weir_cache_model_get_snapshot (editor->cache_model);
  layout = weir_cache_model_get_layout (editor->cache_model);
  g_assert_true (shown->is_past && shown->same != NULL);
  for (guint32 e = 0; e < shown->n_entries; e++)
    {
      g_autofree char *entry = weir_layout_dup_entry_path (layout, (WeirEntry) { e });

      g_assert_cmpuint (shown->same[e], <=, shown->counters[e].stale + shown->counters[e].disabled);
      if (g_str_equal (entry, "Exact:y"))
        {
          g_assert_cmpuint (shown->same[e], ==, 0);
          found[0] = TRUE;
        }
      if (g_str_equal (entry, "Cautious:y"))
        {
          g_autofree char *card = weir_cache_card_of_entry (editor->cache_model, (WeirEntry) { e });

          g_assert_cmpuint (shown->same[e], ==, 39);
          g_assert_nonnull (
              strstr (card, "39 of them anew with the same bytes as before (100.0 %)."));
          found[1] = TRUE;
        }
    }
  g_assert_true (found[0] && found[1]);
  csv = weir_cache_panel_to_csv (WEIR_CACHE_PANEL (part_of (editor, WEIR_TYPE_CACHE_PANEL)));
  g_assert_nonnull (strstr (csv, "same_bytes"));
  editor_close (editor);
}

/* --- Slow motion of a log -------------------------------------------------------------------- */

static WeirSlowMotion *
motion_of (WeirEditor *editor)
{
  return weir_slow_bar_get_motion (WEIR_SLOW_BAR (part_of (editor, WEIR_TYPE_SLOW_BAR)));
}

/* Each record's beats put as many values out of date, and compute as many, as the log has it, and
 * leave the flags as the scrubber has them after it. */
static void
check_beats (WeirEditor *editor, gsize first)
{
  WeirSlowMotion *motion = motion_of (editor);
  WeirScrubber *scrubber = weir_playback_get_scrubber (playback_of (editor));
  const guint32 *amounts = weir_scrubber_get_amounts (scrubber);
  gsize n;
  const WeirLogRecord *records = records_of (editor, &n);
  gsize n_words = weir_trace_get_n_entries (weir_playback_get_trace (playback_of (editor))) / 64
                  + 1;
  guint n_reached = 0, n_computed = 0, n_checked = 0;

  g_assert_cmpuint (weir_slow_motion_get_beat (motion, 0)->record, ==, first);
  for (guint b = 0; b < weir_slow_motion_get_n_beats (motion); b++)
    {
      const WeirBeat *beat = weir_slow_motion_get_beat (motion, b);
      const WeirBeatMark *marks = weir_slow_motion_get_marks (motion, beat);
      gboolean is_last = b + 1 == weir_slow_motion_get_n_beats (motion)
                         || weir_slow_motion_get_beat (motion, b + 1)->record != beat->record;

      for (guint i = 0; i < beat->n; i++)
        {
          n_reached += marks[i].kind == WEIR_BEAT_MARK_OUT_OF_DATE;
          n_computed += marks[i].kind == WEIR_BEAT_MARK_COMPUTED;
        }
      if (!is_last)
        continue;
      g_assert_cmpuint (amounts[beat->record], ==,
                        records[beat->record].kind == WEIR_LOG_REQUEST ? n_computed : n_reached);
      weir_slow_motion_go (motion, b + 1);
      g_assert_true (weir_scrubber_seek (
          scrubber, weir_scrubber_get_place_after (scrubber, beat->record), NULL));
      g_assert_cmpmem (weir_slow_motion_get_out_of_date (motion), n_words * 8,
                       weir_scrubber_get_out_of_date (scrubber), n_words * 8);
      n_reached = n_computed = 0;
      n_checked++;
    }
  g_assert_cmpuint (n_checked, >, 2);
}

/* From the event that is looked at on, and through a range; the timeline goes along, what is chosen
 * there is shown instead, and without a log there is nothing of it to show. */
static void
test_slow (void)
{
  WeirEditor *editor = record ("pendulum.weir", "0.05", "rk4");
  GtkWidget *view = weir_timeline_panel_get_view (panel_of (editor));
  gsize event, n;

  gtk_widget_grab_focus (view);
  key ("period");
  key ("period");
  event = weir_timeline_panel_get_cursor (panel_of (editor));
  click (find_label (part_of (editor, WEIR_TYPE_TIMELINE_PANEL), "Slow Motion"));
  wait_for (motion_of (editor) != NULL);
  weir_slow_bar_go (WEIR_SLOW_BAR (part_of (editor, WEIR_TYPE_SLOW_BAR)), 1);
  picture ("94-timeline-slow");
  while (weir_slow_motion_get_present (motion_of (editor))->record == event)
    {
      g_assert_cmpuint (weir_timeline_panel_get_cursor (panel_of (editor)), ==, event);
      key ("<Alt>period");
    }
  g_assert_cmpuint (weir_timeline_panel_get_cursor (panel_of (editor)), ==,
                    weir_slow_motion_get_present (motion_of (editor))->record);
  check_beats (editor, event);

  gtk_widget_grab_focus (view);
  key ("Home");
  wait_for (weir_slow_motion_get_beat (motion_of (editor), 0)->record
            == weir_timeline_panel_get_cursor (panel_of (editor)));
  key ("<Shift>Right");
  key ("<Shift>Right");
  g_assert_true (weir_timeline_panel_get_range (panel_of (editor), &event, &n));
  g_assert_cmpuint (weir_slow_motion_get_end (motion_of (editor)), ==, n);

  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), "timeline-close", NULL);
  g_assert_null (motion_of (editor));
  g_assert_cmpuint (weir_slow_bar_get_chosen (WEIR_SLOW_BAR (part_of (editor, WEIR_TYPE_SLOW_BAR))),
                    ==, 0);
  g_assert_false (is_enabled (editor, "timeline-slow"));
  editor_close (editor);
}

/* --- Units ----------------------------------------------------------------------------------- */

/* Where a step of that unit is drawn, in a lane of a thread. */
static gboolean
find_step (WeirEditor *editor, const char *unit, WeirPoint *place, const WeirLogStep **step)
{
  WeirTimeline *timeline = timeline_of (editor);
  GtkWidget *view = weir_timeline_panel_get_view (panel_of (editor));

  for (guint i = 0; i < weir_timeline_get_n_threads (timeline); i++)
    for (int x = 0; x < gtk_widget_get_width (view); x++)
      {
        double y = WEIR_LANES_TOP + (weir_timeline_get_n_lanes (timeline) + i + 0.5) * WEIR_LANE;

        *step = weir_timeline_hit_step (timeline, x, y);
        if (*step != NULL
            && g_str_equal (weir_playback_get_system_name (playback_of (editor), (*step)->node),
                            unit))
          {
            *place = on_screen (view, x, y);
            return TRUE;
          }
      }
  return FALSE;
}

/* Who stepped when on which thread: every step of the run is there, a click on one tells of it, and
 * a saved log tells the same. */
static void
test_units (void)
{
  WeirEditor *editor = record ("five-simulators.weir", "20", NULL);
  const WeirLogStep *steps, *step = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (WeirTrace) read = NULL;
  gsize n, first, end;
  WeirPoint place = { 0, 0 };

  steps = weir_trace_get_steps (weir_playback_get_trace (playback_of (editor)), &n);
  g_assert_cmpuint (n, ==, 5 * 20);
  g_assert_cmpuint (weir_timeline_get_n_threads (timeline_of (editor)), >=, 1);
  bytes = weir_trace_write (weir_playback_get_trace (playback_of (editor)));
  read = weir_trace_read (bytes, NULL);
  g_assert_cmpmem (weir_trace_get_steps (read, &n), n * sizeof *steps, steps, 100 * sizeof *steps);
  picture ("95-timeline-units");
  g_assert_true (find_step (editor, "S3", &place, &step));
  click_at (place);
  g_assert_true (weir_timeline_panel_get_range (panel_of (editor), &first, &end));
  g_assert_cmpuint (first, ==, step->first);
  g_assert_cmpuint (end, ==, MAX (step->end, first + 1));
  wait_for (find_text (editor, "▬ S3 — ") != NULL);
  g_assert_nonnull (
      find_text (editor, step->thread == 0 ? "S3 on the run’s own thread: t = " : "S3 on thread "));
  picture ("96-timeline-units-step");
  picture_dark ("97-timeline-units-dark");
  key ("Escape");
  for (guint i = 0; i < 12; i++)
    key ("plus");
  picture ("98-timeline-units-near");
  editor_close (editor);
}

/* Its keys hold as soon as it is shown, wherever the keyboard is; but text that is typed stays
 * text.
 */
static void
test_keys_at_once (void)
{
  WeirEditor *editor = record ("pendulum.weir", "2", NULL);
  gsize first;

  click (find_label (editor->bottom, "Lab"));
  wait_for (g_str_equal (shown_page (editor), "lab"));
  click (find_label (editor->bottom, "Timeline"));
  wait_for (g_str_equal (shown_page (editor), "timeline"));
  key ("period");
  first = weir_timeline_panel_get_cursor (panel_of (editor));
  g_assert_cmpuint (first, !=, G_MAXSIZE);
  key ("period");
  g_assert_cmpuint (weir_timeline_panel_get_cursor (panel_of (editor)), >, first);
  key ("comma");
  g_assert_cmpuint (weir_timeline_panel_get_cursor (panel_of (editor)), ==, first);

  key ("<Control><Shift>f"); /* the library's search */
  type_text ("1.5,");
  g_assert_cmpuint (weir_timeline_panel_get_cursor (panel_of (editor)), ==, first);
  click (find_label (editor->left, "Outline"));
  key ("period");
  g_assert_cmpuint (weir_timeline_panel_get_cursor (panel_of (editor)), >, first);
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/timeline/counters", test_counters);
  g_test_add_func ("/window/timeline/steps", test_steps);
  g_test_add_func ("/window/timeline/range", test_range);
  g_test_add_func ("/window/timeline/pointer", test_pointer);
  g_test_add_func ("/window/timeline/skip", test_skip);
  g_test_add_func ("/window/timeline/files", test_files);
  g_test_add_func ("/window/timeline/budget", test_budget);
  g_test_add_func ("/window/timeline/dark", test_dark);
  g_test_add_func ("/window/timeline/slow", test_slow);
  g_test_add_func ("/window/timeline/in-vain", test_in_vain);
  g_test_add_func ("/window/timeline/keys-at-once", test_keys_at_once);
  g_test_add_func ("/window/timeline/units", test_units);
  return driver_main ();
}

/* The views of the cache: overlay, cards, what a change would reach. What they show is compared
 * with the counters of the run's own snapshot.
 */
#include "driver.h"

#include "gui/host/export.h"
#include "cache/cache-card.h"
#include "cache/cache-figures.h"
#include "cache/explain-panel.h"
#include "cache/lane-view.h"
#include "cache/live-strip.h"

static void
run_example (WeirEditor *editor, const char *stop_time)
{
  set_setting (editor, "stop-time", stop_time);
  gtk_widget_grab_focus (
      GTK_WIDGET (editor->canvas)); /* a second click at one place would be a double click */
  key ("F5");
  wait_for (run_is_over (editor));
  spin (100);
}

static WeirBlockOverlay *
overlay_of (WeirEditor *editor, const char *block)
{
  WeirBlockOverlay *shown;

  g_assert_nonnull (editor->canvas->overlay);
  shown = weir_overlay_find_block (editor->canvas->overlay,
                                   weir_block_get_id (find_block (editor, block)));
  g_assert_nonnull (shown);
  return shown;
}

/* The counters of a block in the snapshot, by its path. */
static WeirCacheTotals
totals_of (WeirEditor *editor, const char *path)
{
  WeirSession *session = session_of (editor);
  const WeirSnapshot *snapshot = weir_session_get_snapshot (session);
  WeirLayout *layout = weir_session_get_layout (session);
  WeirCacheTotals totals = { 0 };
  g_autofree char *prefix = g_strconcat (path, ".", NULL);

  for (guint32 e = 0; e < snapshot->n_entries; e++)
    {
      g_autofree char *at = weir_layout_dup_path (
          layout, weir_layout_get_entry (layout, (WeirEntry) { e }).node);

      if (g_str_equal (at, path) || g_str_has_prefix (at, prefix))
        weir_cache_totals_add (&totals, snapshot, e);
    }
  return totals;
}

static void
test_overlay (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  static const char *const pictures[] = { "40-overlay-state", "41-overlay-heat", "42-overlay-cost",
                                          "43-overlay-saved" };
  static const char *const blocks[] = { "Pendulum", "Total" };

  g_assert_null (editor->canvas->overlay);
  key ("k"); /* before any run: everything is known never to have been computed */
  wait_for (editor->canvas->overlay != NULL);
  g_assert_cmpint (overlay_of (editor, "Pendulum")->badge, ==, WEIR_BADGE_NONE);
  run_example (editor, "20");
  for (guint mode = WEIR_OVERLAY_STATE; mode < WEIR_N_OVERLAYS; mode++)
    {
      g_assert_cmpint (weir_canvas_get_overlay_mode (editor->canvas), ==, mode);
      for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
        {
          WeirBlockOverlay *shown = overlay_of (editor, blocks[i]);
          WeirCacheTotals totals = totals_of (editor, blocks[i]);
          g_autofree char *spent = weir_cache_format_time (totals.spent_ns);
          g_autofree char *saved = weir_cache_format_time (totals.saved_ns);

          g_assert_cmpuint (totals.hits + totals.misses, >, 0);
          g_assert_cmpfloat (shown->ratio, ==,
                             (double) totals.hits / (double) (totals.hits + totals.misses));
          if (mode == WEIR_OVERLAY_COST)
            g_assert_cmpstr (shown->figure, ==, spent);
          if (mode == WEIR_OVERLAY_SAVED)
            g_assert_cmpstr (shown->figure, ==, saved);
        }
      picture (pictures[mode - 1]);
      key ("k");
    }
  g_assert_cmpint (weir_canvas_get_overlay_mode (editor->canvas), ==, WEIR_OVERLAY_OFF);
  g_assert_null (editor->canvas->overlay);
  editor_close (editor);
}

static void
hold_key (guint symbol, gboolean down)
{
  XTestFakeKeyEvent (x_display (), XKeysymToKeycode (x_display (), symbol), down ? True : False,
                     CurrentTime);
  settle ();
}

/* Alt over a block shows what a change of it would reach, before any run and after; the numbers are
 * those of explaining. Nothing of the run changes. */
static void
test_explore (void)
{
  WeirEditor *editor = window_open_example ("nested.weir");
  WeirOverlay *overlay;
  g_autoptr (GBytes) before = NULL, after = NULL;
  WeirSnapshot snapshot;

  click_canvas (editor);
  point_at (block_on_screen (editor, "Reference"));
  g_assert_null (editor->canvas->overlay);
  hold_key (GDK_KEY_Alt_L, TRUE);
  wait_for (editor->canvas->overlay != NULL);
  overlay = editor->canvas->overlay;
  g_assert_true (overlay->has_emphasis);
  g_assert_cmpint (overlay_of (editor, "Reference")->depth, ==, 0);
  picture ("44-explore-before-run");
  hold_key (GDK_KEY_Alt_L, FALSE);
  wait_for (editor->canvas->overlay == NULL);
  spin (600); /* the next click is none of a double one */

  run_example (editor, "2");
  before = recorded (editor);
  snapshot = *weir_session_get_snapshot (session_of (editor));
  point_at (on_screen (GTK_WIDGET (editor->canvas), 30, 30));
  point_at (block_on_screen (editor, "Reference"));
  hold_key (GDK_KEY_Alt_L, TRUE);
  wait_for (editor->canvas->overlay != NULL);
  g_assert_nonnull (editor->canvas->overlay->caption);
  picture ("45-explore-after-run");
  point_at (on_screen (GTK_WIDGET (editor->canvas), 30, 30));
  wait_for (editor->canvas->overlay == NULL);
  hold_key (GDK_KEY_Alt_L, FALSE);
  after = recorded (editor);
  g_assert_true (g_bytes_equal (before, after));
  g_assert_cmpuint (snapshot.n_events, ==,
                    weir_session_get_snapshot (session_of (editor))->n_events);
  editor_close (editor);
}

/* On a parameter of the inspector Alt does the same; pointing at it alone leaves the diagram as it
 * is. */
static void
test_explore_parameter (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  GtkWidget *label;

  click_at (block_on_screen (editor, "Pendulum"));
  wait_for ((label = find_label (part_of (editor, WEIR_TYPE_INSPECTOR), "Gravity (m/s²)")) != NULL);
  point_at (middle_of (label));
  spin (600);
  g_assert_null (editor->canvas->overlay);
  hold_key (GDK_KEY_Alt_L, TRUE);
  wait_for (editor->canvas->overlay != NULL && editor->canvas->overlay->has_emphasis);
  /* Gravity reaches the potential energy and what reads it, but not the kinetic energy. */
  g_assert_cmpint (overlay_of (editor, "Pendulum")->depth, ==, 0);
  g_assert_cmpint (overlay_of (editor, "Total")->depth, >, 0);
  g_assert_cmpint (
      weir_block_overlay_find_port (overlay_of (editor, "Pendulum"), "potential", TRUE)->depth, >,
      0);
  g_assert_cmpint (
      weir_block_overlay_find_port (overlay_of (editor, "Pendulum"), "omega", TRUE)->depth, ==, -1);
  g_assert_nonnull (strstr (editor->canvas->overlay->caption, "Pendulum: gravity"));
  picture ("62-explore-parameter");
  hold_key (GDK_KEY_Alt_L, FALSE);
  wait_for (editor->canvas->overlay == NULL);
  editor_close (editor);
}

static gboolean
is_tooltip (GtkWidget *widget, gconstpointer data)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), data) != NULL;
}

/* What hovering says, as far as it contains @text. */
static GtkWidget *
find_card (const char *text)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) toplevel = g_list_model_get_item (windows, i);
      GtkWidget *found = find_widget (toplevel, is_tooltip, text);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
test_cards (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  g_autofree char *requests = NULL, *sentence = NULL;
  WeirCacheTotals totals;

  run_example (editor, "20");
  totals = totals_of (editor, "Pendulum");
  requests = weir_cache_format_count (totals.hits + totals.misses);
  sentence = g_strdup_printf ("Asked for %s times", requests);
  key ("k");
  point_at (block_on_screen (editor, "Pendulum"));
  wait_for (find_card (sentence) != NULL);
  picture ("46-card-block");
  point_at (port_on_screen (editor, "Pendulum", "potential", TRUE));
  wait_for (find_card ("Pendulum: potential") != NULL);
  picture ("47-card-port");
  key ("<Control>plus");
  key ("<Control>plus");
  point_at (on_screen (GTK_WIDGET (editor->canvas), 30, 30));
  picture ("48-near");
  for (int i = 0; i < 9; i++)
    key ("<Control>minus");
  picture ("49-far");
  editor_close (editor);
}

/* The fields of a line; quotes hide commas. */
static char **
csv_line (const char *csv, guint row)
{
  g_auto (GStrv) lines = g_strsplit (csv, "\r\n", -1);
  g_autoptr (GStrvBuilder) fields = g_strv_builder_new ();
  g_autoptr (GString) field = g_string_new (NULL);
  gboolean quoted = FALSE;

  g_assert_cmpuint (row, <, g_strv_length (lines));
  for (const char *c = lines[row];; c++)
    if (*c == '"')
      quoted = !quoted;
    else if (*c == '\0' || (*c == ',' && !quoted))
      {
        g_strv_builder_add (fields, field->str);
        g_string_truncate (field, 0);
        if (*c == '\0')
          return g_strv_builder_end (fields);
      }
    else
      g_string_append_c (field, *c);
}

/* Every column of a row of the table, as numbers, against the counters of the snapshot. */
static void
check_row (WeirEditor *editor, const char *csv, guint entry)
{
  WeirSession *session = session_of (editor);
  WeirLayout *layout = weir_session_get_layout (session);
  const WeirSnapshot *snapshot = weir_session_get_snapshot (session);
  const WeirCounters *c = &snapshot->counters[entry];
  g_auto (GStrv) names = csv_line (csv, 0);
  WeirEntryInfo info = weir_layout_get_entry (layout, (WeirEntry) { entry });
  g_autofree char *block = weir_layout_dup_path (layout, info.node);
  g_autofree char *title = g_strdup_printf ("%s: %s", *block != '\0' ? block : "Whole model",
                                            info.name);
  const struct {
    const char *column;
    guint64 value;
  } expected[] = { { "hits", c->hits },
                   { "first", c->first },
                   { "misses", c->first + c->stale + c->disabled },
                   { "stale", c->stale },
                   { "uncached", c->disabled },
                   { "serial", 1 + c->first + c->stale + c->disabled },
                   { "invalidations", c->invalidations } };
  guint n_rows = snapshot->n_entries, row;

  for (row = 1; row <= n_rows; row++)
    {
      g_auto (GStrv) fields = csv_line (csv, row);

      if (!g_str_equal (fields[0], title))
        continue;
      for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
        for (guint k = 0; names[k] != NULL; k++)
          if (g_str_equal (names[k], expected[i].column))
            g_assert_cmpuint (g_ascii_strtoull (fields[k], NULL, 10), ==, expected[i].value);
      break;
    }
  g_assert_cmpuint (row, <=, n_rows);
}

static void
test_table (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  WeirCachePanel *panel = WEIR_CACHE_PANEL (part_of (editor, WEIR_TYPE_CACHE_PANEL));
  g_autofree char *csv = NULL, *filtered = NULL, *text = NULL;
  g_autoptr (GFile) file = NULL;
  const WeirSnapshot *snapshot;
  WeirCacheTotals totals;
  GtkWidget *label;
  guint n;

  run_example (editor, "20");
  key ("<Control><Shift>k");
  wait_for (find_label (part_of (editor, WEIR_TYPE_CACHE_PANEL), "Total: y") != NULL);
  snapshot = weir_session_get_snapshot (session_of (editor));
  totals = weir_cache_get_totals (snapshot);
  csv = weir_cache_panel_to_csv (panel);
  for (guint e = 0; e < snapshot->n_entries; e++)
    check_row (editor, csv, e);
  {
    g_autofree char *hits = weir_cache_format_count (totals.hits);
    g_autofree char *misses = weir_cache_format_count (totals.misses);
    g_autofree char *rate = weir_cache_format_rate (totals.hits, totals.misses);
    g_autofree char *invalidations = weir_cache_format_count (totals.invalidations);
    g_autofree char *events = weir_cache_format_count (snapshot->n_events);

    text = g_strdup_printf ("%s hits · %s computed · hit rate %s · %s invalidations by %s events",
                            hits, misses, rate, invalidations, events);
  }
  g_assert_nonnull (find_label (part_of (editor, WEIR_TYPE_CACHE_PANEL), text));
  picture ("50-table");

  /* A row selects its block, a block its rows. */
  label = find_label (part_of (editor, WEIR_TYPE_CACHE_PANEL), "Pendulum: potential energy");
  click (label);
  wait_for (weir_canvas_get_selected_block (editor->canvas)
            == weir_block_get_id (find_block (editor, "Pendulum")));
  click_at (block_on_screen (editor, "Total"));
  {
    g_autoptr (GArray) blocks = weir_cache_panel_list_selected_blocks (panel);

    g_assert_cmpuint (blocks->len, ==, 1);
    g_assert_cmpuint (g_array_index (blocks, guint32, 0), ==,
                      weir_block_get_id (find_block (editor, "Total")));
  }
  g_assert_cmpuint (weir_canvas_get_selected (editor->canvas, &n)[0], ==,
                    weir_block_get_id (find_block (editor, "Total")));
  picture ("51-table-selected");

  /* The filter leaves the rows that match, in the export too. */
  click (find_of_type (part_of (editor, WEIR_TYPE_CACHE_PANEL), GTK_TYPE_SEARCH_ENTRY));
  type_text ("total");
  wait_for (find_label (part_of (editor, WEIR_TYPE_CACHE_PANEL), "Pendulum: potential energy")
            == NULL);
  filtered = weir_cache_panel_to_csv (panel);
  {
    g_auto (GStrv) lines = g_strsplit (filtered, "\r\n", -1);

    g_assert_cmpuint (g_strv_length (lines), ==,
                      3); /* header, one row, what follows the last end */
    g_assert_true (g_str_has_prefix (lines[1], "Total: y,"));
  }
  file = g_file_new_build_filename (g_get_tmp_dir (), "weir-cache-table.csv", NULL);
  g_assert_true (weir_export_table (WEIR_HOST (editor), file, filtered));
  {
    g_autofree char *written = NULL;

    g_assert_true (g_file_load_contents (file, NULL, &written, NULL, NULL, NULL));
    g_assert_cmpstr (written, ==, filtered);
    g_assert_true (g_file_delete (file, NULL, NULL));
  }
  editor_close (editor);
}

static WeirLaneGraph *
graph_of (WeirEditor *editor)
{
  return weir_lane_view_get_graph (WEIR_LANE_VIEW (
      find_of_type (part_of (editor, WEIR_TYPE_EXPLAIN_PANEL), WEIR_TYPE_LANE_VIEW)));
}

/* The last event that reached an entry, by asking for every source what it reaches. */
static guint64
last_event_of (WeirEditor *editor, WeirEntry entry, guint64 before)
{
  WeirSession *session = session_of (editor);
  const WeirSnapshot *snapshot = weir_session_get_snapshot (session);
  g_autoptr (WeirExplainer) explainer = weir_explainer_new (weir_session_get_layout (session));
  guint64 last = 0;

  for (guint32 s = 0; s < snapshot->n_sources; s++)
    {
      g_autoptr (GArray) steps = weir_explain_change (explainer, (WeirSource) { s }, NULL);

      for (guint i = 0; snapshot->source_last[s] < before && i < steps->len; i++)
        if (g_array_index (steps, WeirStepTaken, i).tracker
            == weir_walk_get_entry_tracker (weir_explainer_get_walk (explainer), entry))
          last = MAX (last, snapshot->source_last[s]);
    }
  return last;
}

static void
test_why (void)
{
  WeirEditor *editor = window_open_example ("nested.weir");
  WeirExplainPanel *panel = WEIR_EXPLAIN_PANEL (part_of (editor, WEIR_TYPE_EXPLAIN_PANEL));
  g_autofree char *text = NULL;
  WeirEntry entry;
  guint64 event;

  /* Before any run: nobody has asked. */
  click_at (block_on_screen (editor, "Reference"));
  key ("<Shift>w");
  wait_for (g_strcmp0 (shown_page (editor), "dependencies") == 0);
  text = weir_explain_panel_to_text (panel);
  g_assert_cmpstr (text, ==, "Reference: y has never been computed: nobody has asked for it.");
  g_assert_null (weir_explain_panel_get_path (panel));
  picture ("52-why-before-run");

  run_example (editor, "2");
  click_at (block_on_screen (editor, "Servo"));
  key ("Return");
  wait_for (weir_canvas_get_place (editor->canvas).n_ids == 1);
  spin (200);
  {
    const WeirBlockShape *plant = NULL;
    WeirPoint pixel;

    for (guint i = 0; i < weir_scene_get_n_blocks (editor->canvas->scene); i++)
      {
        const WeirBlockShape *shape = weir_scene_get_block (editor->canvas->scene, i);

        if (g_str_equal (weir_block_get_name (shape->block), "Error"))
          plant = shape;
      }
    g_assert_nonnull (plant);
    pixel = weir_viewport_to_pixel (&editor->canvas->viewport, weir_rect_get_center (plant->box));
    click_at (on_screen (GTK_WIDGET (editor->canvas), pixel.x, pixel.y));
  }
  key ("<Shift>w");
  wait_for (weir_explain_panel_get_path (panel) != NULL);
  g_assert_true (weir_explain_panel_get_entry (panel, &entry));
  event = weir_explain_panel_get_event (panel);
  g_assert_cmpuint (event, ==, last_event_of (editor, entry, G_MAXUINT64));
  g_assert_true (editor->canvas->overlay->has_emphasis);
  picture ("53-why");

  /* The cause before, as long as there is one. */
  click (find_widget (part_of (editor, WEIR_TYPE_EXPLAIN_PANEL), has_tooltip, "Previous cause"));
  g_assert_cmpuint (weir_explain_panel_get_event (panel), ==, last_event_of (editor, entry, event));
  g_assert_cmpuint (weir_explain_panel_get_event (panel), <, event);
  picture ("54-previous-cause");
  click (find_widget (part_of (editor, WEIR_TYPE_EXPLAIN_PANEL), has_tooltip, "Latest cause"));
  g_assert_cmpuint (weir_explain_panel_get_event (panel), ==, event);

  /* Another page: nothing is emphasised any more. */
  key ("<Control><Shift>k");
  wait_for (editor->canvas->overlay == NULL);
  editor_close (editor);
}

/* Of the pendulum: what figure 1 of the seed shows of a leaf, walked through by keys. */
static void
test_graph (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  GtkWidget *view;
  WeirLaneGraph *graph;
  const WeirLaneNode *node;
  guint n_near = 0, n_more = 0;

  run_example (editor, "20");
  click_at (block_on_screen (editor, "Pendulum"));
  key ("d");
  wait_for (g_strcmp0 (shown_page (editor), "dependencies") == 0);
  spin (100);
  view = find_of_type (part_of (editor, WEIR_TYPE_EXPLAIN_PANEL), WEIR_TYPE_LANE_VIEW);
  graph = graph_of (editor);
  g_assert_cmpuint (graph->lanes->len, ==, 3);
  picture ("55-graph");
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const WeirLaneEdge *edge = &g_array_index (graph->edges, WeirLaneEdge, i);

      /* From left to right, and each of them a declared one. */
      g_assert_cmpfloat (weir_lane_graph_node (graph, edge->from)->box.x, <,
                         weir_lane_graph_node (graph, edge->to)->box.x);
      g_assert_cmpint (edge->kind, ==, WEIR_EDGE_DECLARED);
    }

  /* By keyboard: choose, go along an edge, one more level. */
  gtk_widget_grab_focus (view);
  key ("Escape");
  g_assert_cmpuint (graph->chosen, ==, WEIR_NO_LANE_NODE);
  key ("Down");
  g_assert_cmpuint (graph->chosen, ==, 0);
  for (guint i = 0; i < graph->nodes->len; i++)
    n_near += weir_lane_graph_node (graph, i)->distance != G_MAXINT ? 1 : 0;
  picture ("56-slice");
  key ("bracketright");
  for (guint i = 0; i < graph->nodes->len; i++)
    n_more += weir_lane_graph_node (graph, i)->distance != G_MAXINT ? 1 : 0;
  g_assert_cmpuint (n_more, >, n_near);
  picture ("57-slice-more");
  key ("Right");
  node = weir_lane_graph_node (graph, graph->chosen);
  g_assert_cmpuint (node->lane, >, 0);

  /* Composites join; observing tells what is read. */
  click (find_label (part_of (editor, WEIR_TYPE_EXPLAIN_PANEL), "Composites"));
  g_assert_cmpuint (graph_of (editor)->nodes->len, >, 0);
  picture ("58-composites");
  click (find_label (part_of (editor, WEIR_TYPE_EXPLAIN_PANEL), "Composites"));
  click (find_label (part_of (editor, WEIR_TYPE_EXPLAIN_PANEL), "Observe Reads"));
  graph = graph_of (editor);
  wait_for (graph_of (editor)->edges->len > 0
            && g_array_index (graph_of (editor)->edges, WeirLaneEdge, 0).kind
                   != WEIR_EDGE_DECLARED);
  picture ("59-observed");

  /* Of the whole model: a lane for each block, one outside, one of its own. */
  click_canvas (editor);
  key ("d");
  wait_for (graph_of (editor)->lanes->len == 2 + 4);
  picture ("60-diagram");
  editor_close (editor);
}

/* Who looks at the cache sees the strip, whose figures are those of the counters; a click opens the
 * table. */
static void
test_strip (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  WeirLiveStrip *strip = WEIR_LIVE_STRIP (part_of (editor, WEIR_TYPE_LIVE_STRIP));
  const WeirSnapshot *snapshot;
  WeirCacheTotals totals;

  g_assert_cmpstr (weir_live_strip_get_text (strip), ==, "");
  run_example (editor, "20");
  snapshot = weir_session_get_snapshot (session_of (editor));
  totals = weir_cache_get_totals (snapshot);
  {
    g_autofree char *events = weir_cache_format_count (snapshot->n_events);
    g_autofree char *requests = weir_cache_format_count (totals.hits + totals.misses);
    g_autofree char *sweep = weir_cache_format_time (snapshot->mean_sweep_ns);
    g_autofree char *text = g_strdup_printf (
        "%s events · %s requests · hit %.1f %% · saved %.0f %% · sweep %s", events, requests,
        100.0 * (double) totals.hits / (double) (totals.hits + totals.misses),
        100 * totals.saved_ns / (totals.spent_ns + totals.saved_ns), sweep);

    g_assert_cmpfloat (snapshot->mean_sweep_ns, >, 0);
    g_assert_cmpstr (weir_live_strip_get_text (strip), ==, text);
  }
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (strip)));
  look_at_cache (editor);
  weir_host_show_page (WEIR_HOST (editor), "lab");
  click (GTK_WIDGET (strip));
  wait_for (g_strcmp0 (shown_page (editor), "cache") == 0);

  /* While it runs: per second. */
  set_setting (editor, "stop-time", "1e7");
  key ("F5");
  wait_for (strstr (weir_live_strip_get_text (strip), " events/s · ") != NULL);
  picture ("61-strip");
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/views/overlay", test_overlay);
  g_test_add_func ("/window/views/explore", test_explore);
  g_test_add_func ("/window/views/explore-parameter", test_explore_parameter);
  g_test_add_func ("/window/views/cards", test_cards);
  g_test_add_func ("/window/views/table", test_table);
  g_test_add_func ("/window/views/why", test_why);
  g_test_add_func ("/window/views/graph", test_graph);
  g_test_add_func ("/window/views/strip", test_strip);
  return driver_main ();
}

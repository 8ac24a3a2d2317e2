/* Two runs side by side in the window: cached and uncached give the same bits and other counters;
 * another solver gives others. The table is compared with the sessions' own snapshots.
 */
#include "driver.h"

#include "gui/host/export.h"
#include "numerics/number.h"
#include "cache/runs-panel.h"

static WeirRunsPanel *
runs_of (WeirEditor *editor)
{
  return WEIR_RUNS_PANEL (part_of (editor, WEIR_TYPE_RUNS_PANEL));
}

static void
run_to_end (WeirEditor *editor, guint n)
{
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor) && weir_runs_panel_get_n (runs_of (editor)) == n);
}

static guint64
sum (const char *csv, guint column)
{
  g_auto (GStrv) lines = g_strsplit (csv, "\r\n", -1);
  guint64 total = 0;

  for (guint i = 1; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], ",", -1);

      total += g_ascii_strtoull (fields[column], NULL, 10);
    }
  return total;
}

static guint64
hits_of (WeirEditor *editor)
{
  const WeirSnapshot *snapshot = weir_session_get_snapshot (session_of (editor));
  guint64 hits = 0;

  for (guint e = 0; e < snapshot->n_entries; e++)
    hits += snapshot->counters[e].hits;
  return hits;
}

/* The text says what comparing both finds when asked directly. */
static void
check_other_times (const char *text, const WeirPastRun *a, const WeirPastRun *b)
{
  WeirRunDifference found = weir_past_run_compare_recorded (a, b);
  const WeirRunValues *values[] = { &found.common, &found.between };
  g_autofree char *instants = g_strdup_printf ("At the %" G_GUINT64_FORMAT " instants",
                                               found.n_common);

  g_assert_true (g_str_has_prefix (text, "Changed: setting solver: "));
  g_assert_nonnull (strstr (text, "\nRecorded at other times. "));
  g_assert_cmpuint (found.n_common, <, 1000); /* else digits stand apart */
  g_assert_nonnull (strstr (text, instants));
  g_assert_cmpuint (found.n_between, >, 0);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      char time[G_ASCII_DTOSTR_BUF_SIZE], x[G_ASCII_DTOSTR_BUF_SIZE], y[G_ASCII_DTOSTR_BUF_SIZE];
      g_autofree char *said = g_strdup_printf (", of %s at t = %s s (%s in A, %s in B)",
                                               values[i]->signal,
                                               weir_number_to_text (values[i]->time, time),
                                               weir_number_to_text (values[i]->values[0], x),
                                               weir_number_to_text (values[i]->values[1], y));

      g_assert_nonnull (strstr (text, said));
    }
}

static void
test_side_by_side (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  g_autofree char *csv = NULL, *path = g_build_filename (g_get_user_data_dir (), "runs.csv", NULL);
  g_autofree char *written = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirPastRun) before = NULL, after = NULL;
  guint64 hits;

  set_setting (editor, "stop-time", "3");
  weir_host_show_page (WEIR_HOST (editor), "runs");
  run_to_end (editor, 1);
  hits = hits_of (editor);
  spin (100);
  picture ("80-runs-empty");
  weir_runner_set_caching (editor->runner, FALSE);
  run_to_end (editor, 2);
  g_assert_true (
      g_str_has_prefix (weir_runs_panel_get_text (runs_of (editor)), "Recorded: identical, "));
  csv = weir_runs_panel_to_csv (runs_of (editor));
  g_assert_cmpuint (sum (csv, 1), ==, hits);
  g_assert_cmpuint (sum (csv, 2), ==, 0);
  weir_host_show_page (WEIR_HOST (editor), "runs");
  spin (100);
  picture ("81-runs-same");

  before = weir_past_run_new (session_of (editor), "before");
  weir_runner_set_caching (editor->runner, TRUE);
  set_setting (editor, "solver", "rk4");
  run_to_end (editor, 3);
  after = weir_past_run_new (session_of (editor), "after");
  check_other_times (weir_runs_panel_get_text (runs_of (editor)), before, after);
  weir_host_show_page (WEIR_HOST (editor), "runs");
  spin (100);
  click (find_label (part_of (editor, WEIR_TYPE_RUNS_PANEL), "Hits B"));
  spin (200);
  picture ("82-runs-different");
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      ADW_COLOR_SCHEME_FORCE_DARK);
  picture ("83-runs-dark");
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_DEFAULT);
  g_free (csv);
  csv = weir_runs_panel_to_csv (runs_of (editor));
  g_assert_true (weir_export_table (WEIR_HOST (editor), file, csv));
  g_assert_true (g_file_get_contents (path, &written, NULL, NULL));
  g_assert_cmpstr (written, ==, csv);
  g_assert_cmpint (g_unlink (path), ==, 0);
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/runs/side-by-side", test_side_by_side);
  return driver_main ();
}

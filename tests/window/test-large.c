/* A model with 10 000 cache entries stays usable: it is edited, run, looked at in the cache table,
 * sorted and filtered. The longest pause of each is told, not judged: that depends on the machine.
 */
#include "driver.h"

#define N_PAIRS 5000 /* a Gain and an Integrator each: one entry a block */

static WeirModel *
large_model_new (void)
{
  g_autoptr (WeirModel) empty = weir_model_new ();
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  WeirPlace root = WEIR_PLACE_ROOT;
  guint32 id = 1, before;
  g_autoptr (WeirBlock) source = weir_block_new (id, "Sine", "Source", (WeirPoint) { 0, -100 });

  weir_patch_set_block (patch, root, source);
  before = id++;
  for (guint i = 0; i < N_PAIRS; i++)
    {
      double x = 100 + i % 100 * 100, y = i / 100 * 200;
      g_autofree char *gain_name = g_strdup_printf ("Gain%u", i);
      g_autofree char *integrator_name = g_strdup_printf ("Integrator%u", i);
      guint32 gain_id = id++, integrator_id = id++;
      g_autoptr (WeirBlock)
          gain = weir_block_new (gain_id, "Gain", gain_name, (WeirPoint) { x, y });
      g_autoptr (WeirBlock) integrator = weir_block_new (
          integrator_id, "Integrator", integrator_name, (WeirPoint) { x, y + 80 });
      g_autoptr (WeirWire)
          to_gain = weir_wire_new (id++, (WeirWireEnd) { .block = before, .port = "y" },
                                   (WeirWireEnd) { .block = gain_id, .port = "u" }, NULL, 0);
      g_autoptr (WeirWire) to_integrator = weir_wire_new (
          id++, (WeirWireEnd) { .block = gain_id, .port = "y" },
          (WeirWireEnd) { .block = integrator_id, .port = "u" }, NULL, 0);

      weir_patch_set_block (patch, root, gain);
      weir_patch_set_block (patch, root, integrator);
      weir_patch_set_wire (patch, root, to_gain);
      weir_patch_set_wire (patch, root, to_integrator);
      before = gain_id;
    }
  weir_patch_set_setting (patch, "stop-time", "1e6");
  return weir_model_apply (empty, patch, NULL, NULL);
}

static double longest_ms;

/* Lets the program do its work for a while, noting the longest single piece. */
static void
watch (guint milliseconds)
{
  gint64 until = g_get_monotonic_time () + milliseconds * 1000;

  while (g_get_monotonic_time () < until)
    {
      gint64 start = g_get_monotonic_time ();

      if (!g_main_context_iteration (NULL, FALSE))
        g_usleep (500);
      longest_ms = MAX (longest_ms, (double) (g_get_monotonic_time () - start) / 1000);
    }
}

static void
watched (const char *what)
{
  g_test_message ("%s: longest pause %.0f ms", what, longest_ms);
  longest_ms = 0;
}

static void
test_cache_table (void)
{
  WeirEditor *editor = editor_open ();
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "large.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirModel) model = large_model_new ();
  GtkWidget *table;

  g_assert_true (weir_model_write_file (model, file, NULL));
  g_assert_true (weir_editor_open (editor, file));
  weir_host_show_page (WEIR_HOST (editor), "cache");
  spin (500);
  gtk_widget_activate_action (GTK_WIDGET (editor->canvas), "canvas.zoom-100", NULL);
  spin (300);
  set_setting (editor, "stop-time", "2e6");
  watch (800);
  watched ("an edit");

  key ("F5");
  watch (300);
  wait_for (weir_runner_is_active (editor->runner));
  g_assert_cmpuint (weir_session_get_snapshot (session_of (editor))->n_entries, >=, 2 * N_PAIRS);
  watched ("starting");
  watch (1500);
  watched ("running");
  picture ("60-large");

  click (find_label (part_of (editor, WEIR_TYPE_CACHE_PANEL), "Hits"));
  watch (1500);
  watched ("sorted by hits");
  table = find_of_type (part_of (editor, WEIR_TYPE_CACHE_PANEL), GTK_TYPE_COLUMN_VIEW);
  wheel_at (middle_of (table), 10);
  watch (500);
  watched ("scrolled");
  click (find_of_type (part_of (editor, WEIR_TYPE_CACHE_PANEL), GTK_TYPE_SEARCH_ENTRY));
  type_text ("4999");
  watch (1000);
  watched ("filtered");
  g_assert_nonnull (find_label (table, "Gain4999: y"));
  picture ("61-large-filtered");
  key ("<Shift>F5");
  wait_for (!weir_runner_is_active (editor->runner));
  editor_close (editor);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/large/cache-table", test_cache_table);
  return driver_main ();
}

/* A model from nothing: blocks are dragged in and wired, it runs with and without caching to the same
 * bits, everything is undone and redone, saved and read again. */
#include "driver.h"

static guint64
get_hits (WeirWindow *window)
{
  guint64 hits, misses, invalidations;

  weir_cache_panel_get_totals (WEIR_CACHE_PANEL (window->cache), &hits, &misses, &invalidations);
  g_assert_cmpuint (misses, >, 0);
  g_assert_cmpuint (invalidations, >, 0);
  return hits;
}

static void
test_build_run_save (void)
{
  WeirWindow *window = window_open (), *other;
  g_autoptr (WeirModel) built = NULL;
  g_autoptr (GBytes) cached = NULL;
  g_autoptr (GBytes) uncached = NULL;
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "built.weir", NULL);
  g_autofree char *without_suffix = g_build_filename (folder, "built", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  guint edits = 0;

  picture ("01-empty");
  drag_from_palette (window, "Sine", 150, 120);
  drag_from_palette (window, "Sum", 320, 120);
  drag_from_palette (window, "Scope", 500, 120);
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (window)), ==, 3);
  /* The sum reads the sine twice at each time: the second read is a hit. */
  drag (port_on_screen (window, "Sine", "y", TRUE), port_on_screen (window, "Sum", "in1", FALSE));
  wait_for (weir_diagram_get_n_wires (root_diagram (window)) == 1);
  drag (port_on_screen (window, "Sine", "y", TRUE), port_on_screen (window, "Sum", "in2", FALSE));
  wait_for (weir_diagram_get_n_wires (root_diagram (window)) == 2);
  drag (port_on_screen (window, "Sum", "y", TRUE), port_on_screen (window, "Scope", "in1", FALSE));
  wait_for (weir_diagram_get_n_wires (root_diagram (window)) == 3);
  picture ("02-wired");

  /* Run: samples reach the plot, hits reach the table. */
  key ("F5");
  wait_for (run_is_over (window));
  wait_for (weir_scopes_get_n_samples (WEIR_SCOPES (window->scopes)) > 10);
  g_assert_cmpuint (weir_scopes_get_n_plots (WEIR_SCOPES (window->scopes)), ==, 1);
  picture ("03-run");
  cached = recorded (window);
  click (find_label (window->bottom, "Cache"));
  wait_for (g_strcmp0 (shown_page (window), "cache") == 0);
  g_assert_cmpuint (get_hits (window), >, 0);
  picture ("04-cache");

  /* Caching off: hits stop, results stay equal to the bit. */
  click (find_of_type (window->cache, GTK_TYPE_SWITCH));
  wait_for (!weir_runner_get_caching (window->runner));
  key ("F5");
  wait_for (run_is_over (window));
  wait_for (!weir_session_get_snapshot (session_of (window))->caching);
  g_assert_cmpuint (get_hits (window), ==, 0);
  uncached = recorded (window);
  g_assert_cmpmem (g_bytes_get_data (cached, NULL), g_bytes_get_size (cached),
                   g_bytes_get_data (uncached, NULL), g_bytes_get_size (uncached));
  picture ("05-uncached");

  /* Undo everything, redo everything. */
  built = weir_model_ref (weir_document_get_model (window->document));
  click_canvas (window);
  while (weir_document_can_undo (window->document))
    {
      key ("<Control>z");
      g_assert_cmpuint (++edits, <, 100);
    }
  g_assert_cmpuint (edits, ==, 6);
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (window)), ==, 0);
  g_assert_cmpuint (weir_diagram_get_n_wires (root_diagram (window)), ==, 0);
  while (weir_document_can_redo (window->document))
    key ("<Control><Shift>z");
  g_assert_true (weir_model_equal (weir_document_get_model (window->document), built));

  /* Save under a name typed into the file chooser, and open it again. */
  g_assert_true (weir_document_get_modified (window->document));
  key ("<Control>s");
  choose_path (without_suffix);
  wait_for (!weir_document_get_modified (window->document));
  focus_window (GTK_WINDOW (toplevel_of (window)));
  g_assert_true (g_file_equal (weir_document_get_file (window->document), file));
  window_close (window);
  other = window_open ();
  key ("<Control>o");
  choose_path (path);
  wait_for (weir_document_get_file (other->document) != NULL);
  g_assert_true (weir_model_equal (weir_document_get_model (other->document), built));
  focus_window (GTK_WINDOW (toplevel_of (other)));
  picture ("06-reopened");
  window_close (other);
  g_unlink (path);
  g_rmdir (folder);
}

/* Search, Return adds at the centre; so does a double click on a row. */
static void
test_palette (void)
{
  WeirWindow *window = window_open ();

  key ("<Control><Shift>f");
  type_text ("integ");
  spin (300);
  picture ("07-search");
  key ("Return");
  wait_for (weir_diagram_get_n_blocks (root_diagram (window)) == 1);
  g_assert_cmpstr (weir_block_get_type_name (find_block (window, "Integrator")), ==, "Integrator");

  key ("<Control><Shift>f");
  key ("<Control>a");
  type_text ("gain");
  spin (300);
  double_click_at (middle_of (find_label (window->palette, "Gain")));
  wait_for (weir_diagram_get_n_blocks (root_diagram (window)) == 2);
  g_assert_cmpstr (weir_block_get_type_name (find_block (window, "Gain")), ==, "Gain");

  /* From the search down into the list by keyboard. */
  key ("<Control><Shift>f");
  key ("<Control>a");
  type_text ("scope");
  spin (300);
  key ("Down");
  key ("Return");
  wait_for (weir_diagram_get_n_blocks (root_diagram (window)) == 3);
  g_assert_cmpstr (weir_block_get_type_name (find_block (window, "Scope")), ==, "Scope");
  window_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/build/run-save", test_build_run_save);
  g_test_add_func ("/window/build/palette", test_palette);
  return driver_main ();
}

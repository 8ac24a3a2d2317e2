/* A model from nothing: blocks are dragged in and wired, it runs with and without caching to the
 * same bits, everything is undone and redone, saved and read again. */
#include "driver.h"

static guint64
get_hits (WeirEditor *editor)
{
  guint64 hits, misses, invalidations;

  weir_cache_panel_get_totals (WEIR_CACHE_PANEL (part_of (editor, WEIR_TYPE_CACHE_PANEL)), &hits,
                               &misses, &invalidations);
  g_assert_cmpuint (misses, >, 0);
  g_assert_cmpuint (invalidations, >, 0);
  return hits;
}

static void
test_build_run_save (void)
{
  WeirEditor *editor = editor_open (), *other;
  g_autoptr (WeirModel) built = NULL;
  g_autoptr (GBytes) cached = NULL;
  g_autoptr (GBytes) uncached = NULL;
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "built.weir", NULL);
  g_autofree char *without_suffix = g_build_filename (folder, "built", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  guint edits = 0;

  picture ("01-empty");
  drag_from_palette (editor, "Sine", 150, 120);
  drag_from_palette (editor, "Sum", 320, 120);
  drag_from_palette (editor, "Scope", 500, 120);
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (editor)), ==, 3);
  /* The sum reads the sine twice at each time: the second read is a hit. */
  drag (port_on_screen (editor, "Sine", "y", TRUE), port_on_screen (editor, "Sum", "in1", FALSE));
  wait_for (weir_diagram_get_n_wires (root_diagram (editor)) == 1);
  drag (port_on_screen (editor, "Sine", "y", TRUE), port_on_screen (editor, "Sum", "in2", FALSE));
  wait_for (weir_diagram_get_n_wires (root_diagram (editor)) == 2);
  drag (port_on_screen (editor, "Sum", "y", TRUE), port_on_screen (editor, "Scope", "in1", FALSE));
  wait_for (weir_diagram_get_n_wires (root_diagram (editor)) == 3);
  picture ("02-wired");

  /* Run: samples reach the plot, hits reach the table. */
  key ("F5");
  wait_for (run_is_over (editor));
  wait_for (weir_scopes_get_n_samples (WEIR_SCOPES (part_of (editor, WEIR_TYPE_SCOPES))) > 10);
  g_assert_cmpuint (weir_scopes_get_n_plots (WEIR_SCOPES (part_of (editor, WEIR_TYPE_SCOPES))), ==,
                    1);
  picture ("03-run");
  cached = recorded (editor);
  look_at_cache (editor);
  click (find_label (editor->bottom, "Cache"));
  wait_for (g_strcmp0 (shown_page (editor), "cache") == 0);
  g_assert_cmpuint (get_hits (editor), >, 0);
  picture ("04-cache");

  /* Caching off: hits stop, results stay equal to the bit. */
  click (find_of_type (part_of (editor, WEIR_TYPE_CACHE_PANEL), GTK_TYPE_SWITCH));
  wait_for (!weir_runner_get_caching (editor->runner));
  key ("F5");
  wait_for (run_is_over (editor));
  wait_for (!weir_session_get_snapshot (session_of (editor))->caching);
  g_assert_cmpuint (get_hits (editor), ==, 0);
  uncached = recorded (editor);
  g_assert_cmpmem (g_bytes_get_data (cached, NULL), g_bytes_get_size (cached),
                   g_bytes_get_data (uncached, NULL), g_bytes_get_size (uncached));
  picture ("05-uncached");

  /* Undo everything, redo everything. */
  built = weir_model_ref (weir_document_get_model (editor->document));
  click_canvas (editor);
  while (weir_document_can_undo (editor->document))
    {
      key ("<Control>z");
      g_assert_cmpuint (++edits, <, 100);
    }
  g_assert_cmpuint (edits, ==, 6);
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (editor)), ==, 0);
  g_assert_cmpuint (weir_diagram_get_n_wires (root_diagram (editor)), ==, 0);
  while (weir_document_can_redo (editor->document))
    key ("<Control><Shift>z");
  g_assert_true (weir_model_equal (weir_document_get_model (editor->document), built));

  /* Save under a name typed into the file chooser, and open it again. */
  g_assert_true (weir_document_get_modified (editor->document));
  key ("<Control>s");
  choose_path (without_suffix);
  wait_for (!weir_document_get_modified (editor->document));
  focus_window (GTK_WINDOW (toplevel_of (editor)));
  g_assert_true (g_file_equal (weir_document_get_file (editor->document), file));
  editor_close (editor);
  other = editor_open ();
  key ("<Control>o");
  choose_path (path);
  wait_for (weir_document_get_file (other->document) != NULL);
  g_assert_true (weir_model_equal (weir_document_get_model (other->document), built));
  focus_window (GTK_WINDOW (toplevel_of (other)));
  picture ("06-reopened");
  editor_close (other);
  g_unlink (path);
  g_rmdir (folder);
}

/* Search, Return adds at the centre; so does a double click on a row. */
static void
test_palette (void)
{
  WeirEditor *editor = editor_open ();

  key ("<Control><Shift>f");
  type_text ("integ");
  spin (300);
  picture ("07-search");
  key ("Return");
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 1);
  g_assert_cmpstr (weir_block_get_type_name (find_block (editor, "Integrator")), ==, "Integrator");

  key ("<Control><Shift>f");
  key ("<Control>a");
  type_text ("gain");
  spin (300);
  double_click_at (middle_of (find_label (part_of (editor, WEIR_TYPE_PALETTE_PANEL), "Gain")));
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 2);
  g_assert_cmpstr (weir_block_get_type_name (find_block (editor, "Gain")), ==, "Gain");

  /* From the search down into the list by keyboard. */
  key ("<Control><Shift>f");
  key ("<Control>a");
  type_text ("scope");
  spin (300);
  key ("Down");
  key ("Return");
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 3);
  g_assert_cmpstr (weir_block_get_type_name (find_block (editor, "Scope")), ==, "Scope");
  editor_close (editor);
}

/* A part that somebody wrote beside a model: it is among the others, and goes into the model. */
static void
test_own_part (void)
{
  static const char part[] = "group \"Mine\"\n"
                             "part Lamp \"Lamp of Mine\" Lamp\n"
                             "  help \"Glows.\"\n"
                             "  pin p: electrical left\n"
                             "  pin n: electrical right\n"
                             "  through i: p -> n\n"
                             "  across v: p - n\n"
                             "  parameter R > 0 = 5 \"ohm\"  # Resistance: Of it.\n"
                             "  v ~ R*i\n";
  static const char model[] = "<weir version=\"4\"><diagram><block id=\"1\" type=\"Ground\" "
                              "name=\"G\" x=\"0\" y=\"0\"/></diagram></weir>";
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *parts = g_build_filename (folder, "lamp.weirpart", NULL);
  g_autofree char *path = g_build_filename (folder, "own.weir", NULL), *saved = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  WeirEditor *editor = editor_open ();
  GtkWidget *palette = part_of (editor, WEIR_TYPE_PALETTE_PANEL);

  g_assert_true (g_file_set_contents (parts, part, -1, NULL));
  g_assert_true (g_file_set_contents (path, model, -1, NULL));
  g_assert_null (find_widget (palette, is_block_label, "Lamp of Mine"));
  g_assert_true (weir_editor_open (editor, file));
  wait_for (find_widget (palette, is_block_label, "Lamp of Mine") != NULL);
  drag_from_palette (editor, "Lamp of Mine", 200, 150);
  g_assert_nonnull (find_block (editor, "Lamp"));
  picture ("07-own-part");
  key ("<Control>s");
  wait_for (!weir_document_get_modified (editor->document));
  g_assert_true (g_file_get_contents (path, &saved, NULL, NULL));
  g_assert_nonnull (strstr (saved, "Lamp of Mine"));
  editor_close (editor);
  g_unlink (parts);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/build/run-save", test_build_run_save);
  g_test_add_func ("/window/build/palette", test_palette);
  g_test_add_func ("/window/build/own-part", test_own_part);
  return driver_main ();
}

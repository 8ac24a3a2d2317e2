/* The README's five-minute tour, walked by real events from its first step to its last: what it
 * promises comes true, and with WEIR_PICTURES=DIRECTORY each step is a picture (tour-01, tour-02,
 * ...), a screen recording for looking at.
 */
#include "driver.h"

static void
shoot (const char *name)
{
  static guint n;
  g_autofree char *numbered = g_strdup_printf ("tour-%02u-%s", ++n, name);

  picture (numbered);
}

static guint
count_problems (WeirEditor *editor)
{
  return weir_problem_list_get_n_rows (
      WEIR_PROBLEM_LIST (part_of (editor, WEIR_TYPE_PROBLEM_LIST)));
}

/* 1 to 3: run, see what the cache does, prove that it changes nothing. */
static void
test_run_and_verify (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");

  shoot ("opened");
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  g_assert_cmpuint (weir_scopes_get_n_samples (WEIR_SCOPES (part_of (editor, WEIR_TYPE_SCOPES))), >,
                    100);
  shoot ("run");
  key ("<Control><Shift>k");
  wait_for (g_str_equal (shown_page (editor), "cache"));
  shoot ("cache");
  spin (300); /* the page takes the keyboard */
  click_canvas (editor);
  spin (100);
  wait_for (weir_canvas_has_own_focus (editor->canvas));
  key ("k");
  wait_for (weir_canvas_get_overlay_mode (editor->canvas) == WEIR_OVERLAY_STATE);
  shoot ("overlay");
  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Pendulum")));
  key ("<Shift>w");
  wait_for (g_str_equal (shown_page (editor), "dependencies"));
  shoot ("why");
  key ("<Shift>Escape");
  wait_for (weir_canvas_get_overlay_mode (editor->canvas) == WEIR_OVERLAY_OFF);
  wait_for (
      !weir_cache_views_is_emphasized (WEIR_HOST (editor))); /* nothing is emphasised any more */
  key ("<Shift>k");
  wait_for (!weir_runner_get_caching (editor->runner));
  key ("F5");
  wait_for (run_is_over (editor));
  shoot ("without-caching");
  key ("<Shift>k");
  key ("<Control><Shift>e");
  wait_for (!weir_runner_is_verifying (editor->runner)
            && !g_str_equal (verify_text_of (editor), "Verify"));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (verify_button_of (editor)), "dentical"));
  shoot ("verified");
  editor_close (editor);
}

/* 4 and 5: build a model, set it, run it, change it while it runs; write what it is about. */
static void
test_build (void)
{
  WeirEditor *editor = editor_open ();

  click_canvas (editor);
  drag_from_palette (editor, "Sine", 150, 120);
  drag_from_palette (editor, "Scope", 420, 120);
  shoot ("dragged");
  drag (port_on_screen (editor, "Sine", "y", TRUE), port_on_screen (editor, "Scope", "in1", FALSE));
  wait_for (weir_diagram_get_n_wires (root_diagram (editor)) == 1);
  spin (500);
  double_click_at (on_screen (GTK_WIDGET (editor->canvas), 300, 240));
  spin (300);
  type_text ("gain");
  shoot ("quick-insert");
  key ("Return");
  spin (200);
  g_assert_nonnull (find_block (editor, "Gain"));
  /* Dropped on the wire it goes in between. */
  drag (block_on_screen (editor, "Gain"),
        (WeirPoint) { (port_on_screen (editor, "Sine", "y", TRUE).x
                       + port_on_screen (editor, "Scope", "in1", FALSE).x)
                          / 2,
                      port_on_screen (editor, "Sine", "y", TRUE).y });
  wait_for (weir_diagram_get_n_wires (root_diagram (editor)) == 2);
  shoot ("inserted");
  click_canvas (editor);
  key ("n");
  spin (200);
  type_text ("$y = 3 \\sin( \\omega t + \\varphi )$");
  shoot ("note");
  key ("<Control>Return");
  spin (100);
  key ("F5");
  wait_for (run_is_over (editor));
  shoot ("built-and-run");
  editor_close (editor);
}

/* 6 and 7: levels, grouping, tidying; breaking something and mending it. */
static void
test_levels_and_problems (void)
{
  WeirEditor *editor = window_open_example ("nested.weir");
  guint n_blocks = weir_diagram_get_n_blocks (root_diagram (editor));

  spin (500);
  double_click_at (block_on_screen (editor, "Servo"));
  wait_for (weir_canvas_get_place (editor->canvas).n_ids == 1);
  shoot ("inside");
  key ("<Alt>Up");
  g_assert_cmpuint (weir_canvas_get_place (editor->canvas).n_ids, ==, 0);
  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Servo")));
  key ("<Control>g");
  spin (200);
  shoot ("grouped");
  key ("<Control><Shift>g");
  key ("<Control><Shift>l");
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (editor)), ==, n_blocks);
  shoot ("tidied");
  weir_canvas_select_wire (editor->canvas,
                           weir_wire_get_id (weir_scene_get_wire (editor->canvas->scene, 0)->wire));
  key ("Delete");
  wait_for (count_problems (editor) > 0);
  weir_host_show_page (WEIR_HOST (editor), "problems");
  spin (200);
  shoot ("broken");
  key ("<Control>z");
  wait_for (count_problems (editor) == 0);
  shoot ("undone");
  editor_close (editor);
}

/* 8: the welcome page leads to lessons. */
static void
test_lessons (void)
{
  WeirEditor *editor = editor_open ();

  key ("<Alt>Home");
  spin (300);
  g_assert_nonnull (find_label (GTK_WIDGET (editor), "Welcome to Weir"));
  shoot ("welcome");
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/tour/run-and-verify", test_run_and_verify);
  g_test_add_func ("/window/tour/build", test_build);
  g_test_add_func ("/window/tour/levels-and-problems", test_levels_and_problems);
  g_test_add_func ("/window/tour/lessons", test_lessons);
  return driver_main ();
}

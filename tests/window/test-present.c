/* Presenting with the keys of a slide remote, and the quick quiz. */
#include "driver.h"

#include "cache/slow-bar.h"
#include "lessons/lesson.h"
#include "panels/lesson-panel.h"

static gboolean
shows_text (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL;
}

static gboolean
panel_says (WeirWindow *window, const char *text)
{
  return find_widget (window->lesson_panel, shows_text, text) != NULL;
}

static WeirWindow *
open_lesson (const char *name)
{
  WeirWindow *window = window_open ();
  g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "lessons", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  weir_window_open_lesson (window, file);
  wait_for (gtk_widget_get_mapped (window->lesson_panel));
  return window;
}

static void
test_present (void)
{
  WeirWindow *window = open_lesson ("01-push-and-pull.lesson");
  GtkWidget *title, *left = window->left, *right = window->right, *bottom = window->bottom;
  int height, canvas;
  WeirPoint panel_at, canvas_at;
  WeirSlowMotion *motion;

  wait_for (panel_says (window, "1 of 4"));
  title = find_widget (window->lesson_panel, shows_text, "Nothing has been computed");
  height = gtk_widget_get_height (title);
  canvas = gtk_widget_get_height (GTK_WIDGET (window->canvas));
  key ("<Shift>F11");
  wait_for (!gtk_widget_get_mapped (left) && !gtk_widget_get_mapped (right) && !gtk_widget_get_mapped (bottom));
  wait_for (!gtk_widget_get_mapped (window->header));
  spin (400);
  g_assert_cmpint (gtk_widget_get_height (title), >, height);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (window->canvas)), >, 3 * canvas / 2);
  panel_at = on_screen (window->lesson_panel, gtk_widget_get_width (window->lesson_panel), 0);
  canvas_at = on_screen (GTK_WIDGET (window->canvas), 0, 0);
  g_assert_cmpfloat (panel_at.x, <=, canvas_at.x); /* beside, not above */
  g_assert_cmpfloat (fabs (panel_at.y - canvas_at.y), <, 2);
  picture ("94-present");

  key ("Page_Down");
  wait_for (panel_says (window, "2 of 4") && panel_says (window, "✓ Tank:time derivatives"));
  wait_for (g_action_group_get_action_enabled (weir_window_get_actions (window), "lesson-next"));
  key ("Page_Down");
  wait_for (panel_says (window, "3 of 4"));
  wait_for (g_action_group_get_action_enabled (weir_window_get_actions (window), "lesson-check"));
  key ("Page_Down"); /* shows the answer first */
  wait_for (panel_says (window, "Missed: Gain, Tank") && panel_says (window, "✓ Gain:y"));
  g_assert_true (panel_says (window, "3 of 4"));

  /* Watched, the change goes out from a value that was up to date, although the step has made it already. */
  wait_for (find_label (window->lesson_panel, "Watch It") != NULL);
  wait_for (g_action_group_get_action_enabled (weir_window_get_actions (window), "lesson-watch"));
  click (find_label (window->lesson_panel, "Watch It"));
  wait_for ((motion = weir_slow_bar_get_motion (WEIR_SLOW_BAR (window->slow_bar))) != NULL);
  weir_slow_bar_go (WEIR_SLOW_BAR (window->slow_bar), 1);
  key ("Page_Down");
  g_assert_cmpuint (weir_slow_motion_get_place (motion), ==, 2);
  g_assert_nonnull (strstr (weir_slow_bar_get_caption (WEIR_SLOW_BAR (window->slow_bar)), "Out of date now: Gain: y"));
  key ("Page_Up");
  g_assert_cmpuint (weir_slow_motion_get_place (motion), ==, 1);
  picture ("95-present-slow");
  weir_slow_bar_go (WEIR_SLOW_BAR (window->slow_bar), G_MAXUINT);
  key ("Page_Down"); /* past its end the lesson goes on */
  wait_for (panel_says (window, "4 of 4"));
  key ("<Control><Shift>m");
  key ("Page_Up");
  wait_for (panel_says (window, "3 of 4"));

  key ("Escape");
  wait_for (gtk_widget_get_mapped (left) && gtk_widget_get_mapped (right) && gtk_widget_get_mapped (bottom));
  wait_for (gtk_widget_get_mapped (window->header));
  g_assert_true (panel_says (window, "3 of 4"));
  window_close (window);
}

/* Five questions about any model; the answer is what the engine's own graph says. */
static void
test_quiz (void)
{
  WeirWindow *window = window_open_example ("dc-motor.weir");

  key ("<Control><Alt>q");
  wait_for (panel_says (window, "Quiz: Question 1"));
  g_assert_true (panel_says (window, "What will be out of date after a change of"));
  key ("<Control>a"); /* everything: too much, or right */
  click (find_label (window->lesson_panel, "Check"));
  wait_for (panel_says (window, "Too many:") || panel_says (window, "Right:"));
  g_assert_true (panel_says (window, "It reaches") || panel_says (window, "it reaches"));
  picture ("96-quiz");
  wait_for (g_action_group_get_action_enabled (weir_window_get_actions (window), "lesson-next"));
  click (find_label (window->lesson_panel, "Next"));
  wait_for (panel_says (window, "Question 2"));
  g_action_group_activate_action (weir_window_get_actions (window), "lesson-close", NULL);
  g_assert_false (weir_document_get_modified (window->document));
  window_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/present/present", test_present);
  g_test_add_func ("/window/present/quiz", test_quiz);
  return driver_main ();
}

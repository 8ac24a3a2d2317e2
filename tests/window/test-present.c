/* Presenting with the keys of a slide remote, and the quick quiz. */
#include "driver.h"

#include "gui/parts/lesson-guide.h"
#include "cache/slow-bar.h"
#include "gui/host/key-display.h"
#include "lessons/lesson.h"
#include "panels/lesson-panel.h"

static gboolean
shows_text (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL;
}

static gboolean
panel_says (WeirEditor *editor, const char *text)
{
  return find_widget (part_of (editor, WEIR_TYPE_LESSON_PANEL), shows_text, text) != NULL;
}

static WeirEditor *
open_lesson (const char *name)
{
  WeirEditor *editor = editor_open ();
  g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "lessons", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  weir_lesson_guide_open (WEIR_HOST (editor), file);
  wait_for_opening (editor);
  wait_for (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_LESSON_PANEL)));
  return editor;
}

/* What is pressed is shown as it is written in menus; a click where it is made; both go by. */
static void
check_keys_shown (WeirEditor *editor)
{
  WeirKeyDisplay *display = WEIR_KEY_DISPLAY (part_of (editor, WEIR_TYPE_KEY_DISPLAY));
  GtkWidget *canvas = GTK_WIDGET (editor->canvas);
  WeirPoint corner = on_screen (part_of (editor, WEIR_TYPE_KEY_DISPLAY), 0, 0),
            place = on_screen (canvas, gtk_widget_get_width (canvas) - 60, 40);
  graphene_point_t at;

  g_assert_true (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_KEY_DISPLAY)));
  wait_for (g_str_equal (weir_key_display_get_text (display), ""));
  g_assert_false (weir_key_display_get_click (display, &at));
  key ("<Control><Shift>F12");
  g_assert_cmpstr (weir_key_display_get_text (display), ==, "Shift+Ctrl+F12");
  key ("<Control><Shift>F12");
  g_assert_cmpstr (weir_key_display_get_text (display), ==, "Shift+Ctrl+F12 × 2");
  key ("Right");
  g_assert_cmpstr (weir_key_display_get_text (display), ==, "→");
  point_at (place);
  press_button (1, TRUE);
  g_assert_true (weir_key_display_get_click (display, &at));
  g_assert_cmpfloat_with_epsilon ((double) at.x + corner.x, place.x, 1.5);
  g_assert_cmpfloat_with_epsilon ((double) at.y + corner.y, place.y, 1.5);
  picture ("93-present-keys");
  press_button (1, FALSE);
  wait_for (!weir_key_display_get_click (display, &at));
  wait_for (g_str_equal (weir_key_display_get_text (display), ""));
}

static void
test_present (void)
{
  WeirEditor *editor = open_lesson ("01-push-and-pull.lesson");
  GtkWidget *title, *left = editor->left, *right = editor->right, *bottom = editor->bottom;
  int height, canvas;
  WeirPoint panel_at, canvas_at;
  WeirSlowMotion *motion;

  wait_for (panel_says (editor, "1 of 4"));
  title = find_widget (part_of (editor, WEIR_TYPE_LESSON_PANEL), shows_text,
                       "Nothing has been computed");
  height = gtk_widget_get_height (title);
  canvas = gtk_widget_get_height (GTK_WIDGET (editor->canvas));
  key ("<Shift>F11");
  wait_for (!gtk_widget_get_mapped (left) && !gtk_widget_get_mapped (right)
            && !gtk_widget_get_mapped (bottom));
  wait_for (!gtk_widget_get_mapped (editor->header));
  spin (400);
  g_assert_cmpint (gtk_widget_get_height (title), >, height);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (editor->canvas)), >, 3 * canvas / 2);
  panel_at = on_screen (part_of (editor, WEIR_TYPE_LESSON_PANEL),
                        gtk_widget_get_width (part_of (editor, WEIR_TYPE_LESSON_PANEL)), 0);
  canvas_at = on_screen (GTK_WIDGET (editor->canvas), 0, 0);
  g_assert_cmpfloat (panel_at.x, <=, canvas_at.x); /* beside, not above */
  g_assert_cmpfloat (fabs (panel_at.y - canvas_at.y), <, 2);
  picture ("94-present");

  check_keys_shown (editor);
  key ("Page_Down");
  wait_for (panel_says (editor, "2 of 4") && panel_says (editor, "✓ Tank:time derivatives"));
  wait_for (g_action_group_get_action_enabled (weir_editor_get_actions (editor), "lesson-next"));
  key ("Page_Down");
  wait_for (panel_says (editor, "3 of 4"));
  wait_for (g_action_group_get_action_enabled (weir_editor_get_actions (editor), "lesson-check"));
  key ("Page_Down"); /* shows the answer first */
  wait_for (panel_says (editor, "Missed: Gain, Tank") && panel_says (editor, "✓ Gain:y"));
  g_assert_true (panel_says (editor, "3 of 4"));

  /* Watched, the change goes out from a value that was up to date, although the step has made it
   * already. */
  wait_for (find_label (part_of (editor, WEIR_TYPE_LESSON_PANEL), "Watch It") != NULL);
  wait_for (g_action_group_get_action_enabled (weir_editor_get_actions (editor), "lesson-watch"));
  click (find_label (part_of (editor, WEIR_TYPE_LESSON_PANEL), "Watch It"));
  wait_for (
      (motion = weir_slow_bar_get_motion (WEIR_SLOW_BAR (part_of (editor, WEIR_TYPE_SLOW_BAR))))
      != NULL);
  weir_slow_bar_go (WEIR_SLOW_BAR (part_of (editor, WEIR_TYPE_SLOW_BAR)), 1);
  key ("Page_Down");
  g_assert_cmpuint (weir_slow_motion_get_place (motion), ==, 2);
  g_assert_nonnull (
      strstr (weir_slow_bar_get_caption (WEIR_SLOW_BAR (part_of (editor, WEIR_TYPE_SLOW_BAR))),
              "Out of date now: Gain: y"));
  key ("Page_Up");
  g_assert_cmpuint (weir_slow_motion_get_place (motion), ==, 1);
  picture ("95-present-slow");
  weir_slow_bar_go (WEIR_SLOW_BAR (part_of (editor, WEIR_TYPE_SLOW_BAR)), G_MAXUINT);
  key ("Page_Down"); /* past its end the lesson goes on */
  wait_for (panel_says (editor, "4 of 4"));
  key ("<Control><Shift>m");
  key ("Page_Up");
  wait_for (panel_says (editor, "3 of 4"));

  key ("Escape");
  wait_for (gtk_widget_get_mapped (left) && gtk_widget_get_mapped (right)
            && gtk_widget_get_mapped (bottom));
  wait_for (gtk_widget_get_mapped (editor->header));
  g_assert_false (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_KEY_DISPLAY)));
  g_assert_true (panel_says (editor, "3 of 4"));
  editor_close (editor);
}

/* Five questions about any model; the answer is what the engine's own graph says. */
static void
test_quiz (void)
{
  WeirEditor *editor = window_open_example ("dc-motor.weir");

  key ("<Control><Alt>q");
  wait_for (panel_says (editor, "Quiz: Question 1"));
  g_assert_true (panel_says (editor, "What will be out of date after a change of"));
  key ("<Control>a"); /* everything: too much, or right */
  click (find_label (part_of (editor, WEIR_TYPE_LESSON_PANEL), "Check"));
  wait_for (panel_says (editor, "Too many:") || panel_says (editor, "Right:"));
  g_assert_true (panel_says (editor, "It reaches") || panel_says (editor, "it reaches"));
  picture ("96-quiz");
  wait_for (g_action_group_get_action_enabled (weir_editor_get_actions (editor), "lesson-next"));
  click (find_label (part_of (editor, WEIR_TYPE_LESSON_PANEL), "Next"));
  wait_for (panel_says (editor, "Question 2"));
  g_action_group_activate_action (weir_editor_get_actions (editor), "lesson-close", NULL);
  g_assert_false (weir_document_get_modified (editor->document));
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/present/present", test_present);
  g_test_add_func ("/window/present/quiz", test_quiz);
  return driver_main ();
}

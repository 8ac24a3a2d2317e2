/* Slow motion with real keys and clicks: of a standing model, of a paused run, its speed, without
 * animations; what the canvas shows is what the marks say, and the run never notices. */
#include "driver.h"

#include "cache/slow-bar.h"
#include "gui/shell/editor-private.h"

static WeirEditor *
open_model (const char *name)
{
  WeirEditor *editor = editor_open ();
  g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "lessons", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (weir_editor_open (editor, file));
  key ("<Control><Shift>k");
  spin (100);
  return editor;
}

static WeirSlowMotion *
get_motion (WeirEditor *editor)
{
  return weir_slow_bar_get_motion (WEIR_SLOW_BAR (part_of (editor, WEIR_TYPE_SLOW_BAR)));
}

static WeirBlockOverlay *
shown (WeirEditor *editor, const char *block)
{
  g_assert_nonnull (weir_cache_views_get_overlay (WEIR_HOST (editor)));
  return weir_overlay_find_block (weir_cache_views_get_overlay (WEIR_HOST (editor)),
                                  weir_block_get_id (find_block (editor, block)));
}

static void
choose (WeirEditor *editor, const char *what)
{
  GtkWidget *choice = find_of_type (part_of (editor, WEIR_TYPE_SLOW_BAR), GTK_TYPE_DROP_DOWN);
  GListModel *choices = gtk_drop_down_get_model (GTK_DROP_DOWN (choice));
  guint i = 0;

  while (i < g_list_model_get_n_items (choices)
         && strcmp (gtk_string_list_get_string (GTK_STRING_LIST (choices), i), what) != 0)
    i++;
  g_assert_cmpuint (i, <, g_list_model_get_n_items (choices));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (choice), i);
  wait_for (get_motion (editor) != NULL);
}

static gboolean
says (WeirEditor *editor, const char *text)
{
  return strstr (weir_slow_bar_get_caption (WEIR_SLOW_BAR (part_of (editor, WEIR_TYPE_SLOW_BAR))),
                 text)
         != NULL;
}

/* Goes on until the caption says @text. */
static void
go_until (WeirEditor *editor, const char *text)
{
  while (!says (editor, text))
    {
      guint place = weir_slow_motion_get_place (get_motion (editor));

      g_assert_cmpuint (place, <, weir_slow_motion_get_n_beats (get_motion (editor)));
      g_test_message (
          "%u: %s", place,
          weir_slow_bar_get_caption (WEIR_SLOW_BAR (part_of (editor, WEIR_TYPE_SLOW_BAR))));
      key ("<Alt>period");
      wait_for (weir_slow_motion_get_place (get_motion (editor)) == place + 1);
    }
}

/* A change of the gain, of a model that nobody has run: outward, then inward. */
static void
test_standing (void)
{
  WeirEditor *editor = open_model ("diamond.weir");

  key ("<Control><Shift>m");
  wait_for (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_SLOW_BAR)));
  wait_for (get_motion (editor) != NULL);
  choose (editor, "A change of Upper: parameter gain");
  g_assert_cmpuint (weir_slow_motion_get_place (get_motion (editor)), ==, 1);
  g_assert_true (says (editor, "Upper: parameter gain"));
  g_assert_cmpint (shown (editor, "Upper")->sign, ==, WEIR_BEAT_SIGN_CHANGED);
  picture ("80-slow-change");
  go_until (editor, "Out of date now: Upper: y");
  g_assert_cmpint (shown (editor, "Upper")->sign, ==, WEIR_BEAT_SIGN_REACHED);
  g_assert_cmpint (shown (editor, "Upper")->badge, ==, WEIR_BADGE_STALE);
  g_assert_cmpint (shown (editor, "Sum")->badge, ==, WEIR_BADGE_FRESH);
  picture ("81-slow-wave");
  go_until (editor, "On its way: Sum: input");
  g_assert_cmpint (weir_cache_views_get_overlay (WEIR_HOST (editor))->way, ==, WEIR_BEAT_OUTWARD);
  picture ("82-slow-wire");
  go_until (editor, "Out of date now: Sum: y");
  go_until (editor, "Used as it is:");
  g_assert_cmpint (weir_cache_views_get_overlay (WEIR_HOST (editor))->way, ==, WEIR_BEAT_INWARD);
  picture ("83-slow-ask");
  go_until (editor, "Computed, and up to date now: Upper: y");
  g_assert_cmpint (shown (editor, "Upper")->sign, ==, WEIR_BEAT_SIGN_COMPUTED);
  g_assert_cmpint (shown (editor, "Upper")->badge, ==, WEIR_BADGE_FRESH);
  picture ("84-slow-compute");

  /* Back again, by key. */
  key ("<Alt>comma");
  g_assert_cmpint (shown (editor, "Upper")->badge, ==, WEIR_BADGE_STALE);
  g_assert_null (weir_runner_get_session (editor->runner));
  g_assert_false (weir_document_get_modified (editor->document));

  key ("<Control><Shift>m");
  g_assert_false (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_SLOW_BAR)));
  g_assert_true (weir_cache_views_get_overlay (WEIR_HOST (editor)) == NULL
                 || !weir_cache_views_get_overlay (WEIR_HOST (editor))->has_beat);
  editor_close (editor);
}

/* The next step of a paused run: as many misses as the run then counts; and when it has gone on,
 * the old one is shown no more. */
static void
test_paused (void)
{
  WeirEditor *editor = open_model ("diamond.weir");
  WeirSession *session;
  WeirNode node;
  WeirEntry wave;
  guint64 before;
  guint n_computed = 0, n_hit = 0;

  key ("F8");
  wait_for (weir_runner_get_session (editor->runner) != NULL);
  session = weir_runner_get_session (editor->runner);
  wait_for (weir_session_is_settled (session));
  spin (100);
  g_assert_true (weir_layout_find_node (weir_session_get_layout (session), "Wave", &node));
  g_assert_true (weir_layout_find_output_entry (weir_session_get_layout (session), node,
                                                (WeirOutput) { 0 }, &wave));
  before = weir_session_get_snapshot (session)->counters[wave.i].stale;

  key ("<Control><Shift>m");
  wait_for (get_motion (editor) != NULL);
  for (guint b = 0; b < weir_slow_motion_get_n_beats (get_motion (editor)); b++)
    {
      const WeirBeat *beat = weir_slow_motion_get_beat (get_motion (editor), b);
      const WeirBeatMark *marks = weir_slow_motion_get_marks (get_motion (editor), beat);

      for (guint i = 0; i < beat->n; i++)
        {
          n_computed += marks[i].entry == wave.i && marks[i].kind == WEIR_BEAT_MARK_COMPUTED;
          n_hit += marks[i].entry == wave.i && marks[i].kind == WEIR_BEAT_MARK_HIT;
        }
    }
  g_assert_cmpuint (n_computed, ==, 4);
  g_assert_cmpuint (n_hit, ==, 4);
  click (find_widget (part_of (editor, WEIR_TYPE_SLOW_BAR), has_tooltip, "Last Beat"));
  g_assert_cmpuint (weir_slow_motion_get_place (get_motion (editor)), ==,
                    weir_slow_motion_get_n_beats (get_motion (editor)));
  click (find_widget (part_of (editor, WEIR_TYPE_SLOW_BAR), has_tooltip, "First Beat"));
  g_assert_cmpuint (weir_slow_motion_get_place (get_motion (editor)), ==, 1);
  picture ("85-slow-step");

  g_assert_cmpuint (weir_session_get_snapshot (session)->counters[wave.i].stale, ==, before);
  key ("F8");
  wait_for (weir_session_is_settled (session)
            && weir_session_get_snapshot (session)->counters[wave.i].stale > before);
  g_assert_cmpuint (weir_session_get_snapshot (session)->counters[wave.i].stale, ==,
                    before + n_computed);
  wait_for (get_motion (editor) == NULL);
  editor_close (editor);
}

/* Playing goes from beat to beat by itself, faster when told so; with animations a beat has a
 * middle, without them it has none. */
static void
test_playing (void)
{
  WeirEditor *editor = open_model ("push-and-pull.weir");
  gboolean was_between = FALSE;
  double speed;

  key ("<Control><Shift>m");
  wait_for (get_motion (editor) != NULL);
  choose (editor, "A change of Gain: parameter gain");
  speed = weir_slow_motion_get_speed (get_motion (editor));
  key ("<Alt>minus");
  g_assert_cmpfloat (weir_slow_motion_get_speed (get_motion (editor)), <, speed);
  for (guint i = 0; i < 7; i++)
    key ("<Alt>plus");
  g_assert_cmpfloat (weir_slow_motion_get_speed (get_motion (editor)), >, speed * 4);

  for (guint i = 0; i < 4; i++) /* so that frames fall into a beat, however long they take */
    key ("<Alt>minus");
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", TRUE, NULL);
  key ("<Alt>p");
  while (weir_slow_motion_is_playing (get_motion (editor)))
    {
      double progress = weir_cache_views_get_overlay (WEIR_HOST (editor))->progress;

      was_between |= progress > 0 && progress < 1;
      g_main_context_iteration (NULL, FALSE);
    }
  g_assert_true (was_between);
  g_assert_cmpuint (weir_slow_motion_get_place (get_motion (editor)), ==,
                    weir_slow_motion_get_n_beats (get_motion (editor)));

  /* From the end it begins again; a click pauses. */
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  for (guint i = 0; i < 4; i++)
    key ("<Alt>minus");
  click (find_widget (part_of (editor, WEIR_TYPE_SLOW_BAR), has_tooltip, "Play"));
  g_assert_cmpuint (weir_slow_motion_get_place (get_motion (editor)), <,
                    weir_slow_motion_get_n_beats (get_motion (editor)));
  while (weir_slow_motion_is_playing (get_motion (editor)))
    {
      g_assert_cmpfloat (weir_cache_views_get_overlay (WEIR_HOST (editor))->progress, ==, 1);
      g_main_context_iteration (NULL, FALSE);
    }
  for (guint i = 0; i < 6; i++)
    key ("<Alt>minus");
  click (find_widget (part_of (editor, WEIR_TYPE_SLOW_BAR), has_tooltip, "Play"));
  click (find_widget (part_of (editor, WEIR_TYPE_SLOW_BAR), has_tooltip, "Pause"));
  g_assert_false (weir_slow_motion_is_playing (get_motion (editor)));

  /* Escape closes it, and the canvas has the keys. */
  gtk_widget_grab_focus (find_widget (part_of (editor, WEIR_TYPE_SLOW_BAR), has_tooltip, "Play"));
  key ("Escape");
  g_assert_false (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_SLOW_BAR)));
  g_assert_true (gtk_widget_has_focus (GTK_WIDGET (editor->canvas)));
  editor_close (editor);
}

/* While a run goes on there is nothing to copy; a model with errors has nothing to show: both are
 * said. */
static void
test_nothing (void)
{
  WeirEditor *editor = open_model ("push-and-pull.weir");
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  WeirBlock *gain = find_block (editor, "Gain");
  g_autoptr (WeirBlock) broken = weir_block_with_parameter (gain, "gain", "nonsense + ");

  weir_patch_set_block (patch, WEIR_PLACE_ROOT, broken);
  g_assert_true (weir_document_edit (editor->document, patch, "Break", NULL, NULL));
  key ("<Control><Shift>m");
  wait_for (says (editor, "not complete"));
  g_assert_null (get_motion (editor));
  weir_document_undo (editor->document);
  spin (100);
  key ("<Alt>p");
  wait_for (get_motion (editor) != NULL);
  editor_close (editor);
}

/* What slow motion and the quiz take of the canvas takes nothing of the diagram out of view. */
static void
test_in_view (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");

  gtk_paned_set_position (GTK_PANED (editor->bottom_paned), 300);
  spin (200);
  gtk_widget_activate_action (GTK_WIDGET (editor->canvas), "canvas.zoom-fit", NULL);
  spin (100);
  g_assert_true (sees_all (editor));
  click_canvas (editor);
  key ("<Control><Shift>m");
  wait_for (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_SLOW_BAR)));
  spin (200);
  g_assert_true (sees_all (editor));
  picture ("8a-slow-in-view");
  key ("<Control><Alt>q");
  wait_for (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_LESSON_PANEL)));
  spin (200);
  g_assert_true (sees_all (editor));
  picture ("8b-quiz-in-view");
  g_action_group_activate_action (weir_editor_get_actions (editor), "lesson-close", NULL);
  key ("<Control><Shift>m");
  wait_for (!gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_SLOW_BAR)));
  wait_for (!gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_LESSON_PANEL)));
  spin (200);
  g_assert_true (sees_all (editor));
  editor_close (editor);
}

/* In a small window with all of it open, the answer can be checked. */
static void
test_small (void)
{
  WeirEditor *editor = weir_window_add (weir_window_new (application), weir_editor_new ());
  g_autoptr (GFile) file = example_file ("pendulum.weir");
  GtkWidget *check;
  graphene_rect_t bounds;

  gtk_window_set_default_size (GTK_WINDOW (toplevel_of (editor)), 1024, 768);
  weir_window_present (editor);
  gtk_test_widget_wait_for_draw (toplevel_of (editor));
  focus_window (GTK_WINDOW (toplevel_of (editor)));
  g_assert_true (weir_editor_open (editor, file));
  click_canvas (editor);
  key ("<Control><Shift>m");
  wait_for (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_SLOW_BAR)));
  key ("<Control><Alt>q");
  wait_for (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_LESSON_PANEL)));
  spin (200);
  wait_for ((check = find_label (part_of (editor, WEIR_TYPE_LESSON_PANEL), "Check")) != NULL);
  check = gtk_widget_get_ancestor (check, GTK_TYPE_BUTTON);
  picture ("8c-quiz-small");
  picture_dark ("8c-quiz-small-dark");
  g_assert_null (gtk_widget_get_ancestor (check, GTK_TYPE_SCROLLED_WINDOW));
  g_assert_true (
      gtk_widget_compute_bounds (check, part_of (editor, WEIR_TYPE_LESSON_PANEL), &bounds));
  g_assert_cmpfloat (bounds.origin.y + bounds.size.height, <=,
                     (float) gtk_widget_get_height (part_of (editor, WEIR_TYPE_LESSON_PANEL)));
  g_assert_true (gtk_widget_compute_bounds (check, toplevel_of (editor), &bounds));
  g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=,
                     (float) gtk_widget_get_width (toplevel_of (editor)));
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/slow/standing", test_standing);
  g_test_add_func ("/window/slow/paused", test_paused);
  g_test_add_func ("/window/slow/playing", test_playing);
  g_test_add_func ("/window/slow/nothing", test_nothing);
  g_test_add_func ("/window/slow/in-view", test_in_view);
  g_test_add_func ("/window/slow/small", test_small);
  return driver_main ();
}

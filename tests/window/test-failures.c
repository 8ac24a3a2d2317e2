/* Runs that fail lead somewhere: the block is named and marked, the banner goes there, and what may
 * help is a button that does it. So do runs that a block ends, and what blocks warn of. */
#include "looks.h"

#include "model/tree/settings.h"

static WeirEditor *
fail (const char *name)
{
  WeirEditor *editor = editor_open ();
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (weir_editor_open (editor, file));
  click_canvas (editor);
  key ("F5");
  wait_for (weir_runner_get_session (editor->runner) != NULL
            && weir_session_get_state (session_of (editor)) == WEIR_SESSION_FAILED);
  wait_for (gtk_widget_get_mapped (editor->bar_button));
  return editor;
}

static gboolean
begins_with (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && g_str_has_prefix (gtk_label_get_text (GTK_LABEL (widget)), text);
}

static guint
count_rows (WeirEditor *editor)
{
  return weir_problem_list_get_n_rows (
      WEIR_PROBLEM_LIST (part_of (editor, WEIR_TYPE_PROBLEM_LIST)));
}

static gboolean
is_marked (WeirEditor *editor, const char *block)
{
  g_autoptr (GHashTable) marks = g_hash_table_new (NULL, NULL);
  guint32 id = weir_block_get_id (
      weir_model_find_path (weir_document_get_model (editor->document), block));

  weir_canvas_add_problem_marks (editor->canvas, marks);
  return (GPOINTER_TO_UINT (g_hash_table_lookup (marks, GUINT_TO_POINTER (id))) & WEIR_MARK_ERROR)
         != 0;
}

/* D(x) = x^2 from 1 on grows beyond all bounds at 1 s: x = 1/(1 - t). */
static void
test_runaway (void)
{
  WeirEditor *editor = fail ("runaway.weir");
  const char *text = gtk_label_get_text (GTK_LABEL (editor->bar_text));
  WeirBlock *growth = weir_model_find_path (weir_document_get_model (editor->document),
                                            "Plant.Growth");
  double stop_time;

  g_assert_nonnull (strstr (text, "Plant.Growth"));
  g_assert_nonnull (strstr (text, "t = 1 s")); /* not 0.99999999999997602 s */
  g_assert_cmpuint (count_rows (editor), ==, 1);
  g_assert_true (is_marked (editor, "Plant")); /* from here that is the way in */
  picture ("f0-failed");
  click (editor->bar_button);
  wait_for (weir_canvas_get_selected_block (editor->canvas) == weir_block_get_id (growth));
  g_assert_cmpuint (weir_canvas_get_place (editor->canvas).n_ids, ==, 1);
  g_assert_cmpstr (shown_page (editor), ==, "problems");
  g_assert_true (is_marked (editor, "Plant.Growth"));
  spin (200);
  picture ("f1-shown");
  picture_dark ("f1-shown-dark");
  g_assert_nonnull (find_widget (part_of (editor, WEIR_TYPE_PROBLEM_LIST), begins_with,
                                 "The step became too small"));

  /* An edit that has nothing to do with it leaves it listed. */
  key ("<Control>z");
  g_assert_cmpuint (count_rows (editor), ==, 1);
  click (find_widget (part_of (editor, WEIR_TYPE_PROBLEM_LIST), begins_with, "Stop at "));
  wait_for (run_is_over (editor));
  stop_time = weir_model_get_setting_number (weir_document_get_model (editor->document),
                                             "stop-time");
  g_assert_cmpfloat (stop_time, <, 1);
  g_assert_cmpfloat (stop_time, >, 0.99);
  g_assert_cmpuint (count_rows (editor), ==, 0);
  g_assert_false (gtk_widget_get_visible (editor->bar));
  g_assert_false (is_marked (editor, "Plant.Growth"));
  picture ("f2-remedied");
  click_canvas (editor);
  key ("<Control>z");
  g_assert_null (weir_model_get_setting (weir_document_get_model (editor->document), "stop-time"));
  g_assert_false (weir_document_get_modified (editor->document));
  editor_close (editor);
}

typedef struct {
  guint32 from;
  guint n;
} Leaving;

static gboolean
count_leaving (WeirWire *wire, gpointer data)
{
  Leaving *leaving = data;

  leaving->n += weir_wire_get_from (wire).block == leaving->from;
  return TRUE;
}

static guint
count_wires_from (WeirEditor *editor, const char *block)
{
  Leaving leaving = { weir_block_get_id (find_block (editor, block)), 0 };

  weir_diagram_foreach_wire_at (root_diagram (editor), leaving.from, count_leaving, &leaving);
  return leaving.n;
}

/* From a block to the nearest other one, side by side. */
static double
get_least_distance (WeirEditor *editor, const char *block)
{
  WeirScene *scene = editor->canvas->scene;
  WeirRect box = weir_scene_find_block (scene, weir_block_get_id (find_block (editor, block)))->box;
  double least = (double) INFINITY;

  for (guint i = 0; i < weir_scene_get_n_blocks (scene); i++)
    {
      WeirRect other = weir_scene_get_block (scene, i)->box;
      double right = other.x - box.x - box.width, left = box.x - other.x - other.width;

      if (other.y < box.y + box.height && box.y < other.y + other.height && right > -box.width
          && left > -box.width && (other.x != box.x || other.y != box.y))
        least = MIN (least, MAX (left, right));
    }
  return least;
}

/* y = y^2 + 2 has no solution. What may help, a Guess in the loop, is put into it by a button, in
 * one undo step, and waits for its value. */
static void
test_guess (void)
{
  WeirEditor *editor = fail ("no-solution.weir");
  guint n_blocks = weir_diagram_get_n_blocks (root_diagram (editor)), n = 0;
  const char *cut;

  gtk_paned_set_position (GTK_PANED (editor->bottom_paned), 10000); /* few rows are in view */
  spin (100);
  click (editor->bar_button);
  spin (200);
  picture ("f3-loop");
  click (find_widget (part_of (editor, WEIR_TYPE_PROBLEM_LIST), begins_with, "Insert Guess"));
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == n_blocks + 1);
  cut = weir_diagram_find_block_by_name (root_diagram (editor), "Sum") != NULL
                && count_wires_from (editor, "Sum") == 1
            ? "Sum"
            : "Square";
  g_assert_cmpuint (count_wires_from (editor, cut), ==, 1);
  n = count_wires_from (editor, "Guess");
  g_assert_cmpuint (n, ==, g_str_equal (cut, "Sum") ? 3 : 1);
  spin (200);
  picture ("f4-guess");
  g_assert_cmpfloat (get_least_distance (editor, "Guess"), >=, 20);
  weir_document_undo (editor->document);
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (editor)), ==, n_blocks);
  g_assert_false (weir_document_can_undo (editor->document));
  editor_close (editor);
}

/* Back before the failure it is no longer told; a new run begins without it. */
static void
test_back (void)
{
  WeirEditor *editor = fail ("runaway.weir");

  click_canvas (editor);
  key ("F7");
  wait_for (weir_session_get_state (session_of (editor)) != WEIR_SESSION_FAILED);
  wait_for (count_rows (editor) == 0);
  g_assert_false (gtk_widget_get_visible (editor->bar));
  key ("F5");
  wait_for (weir_session_get_state (session_of (editor)) == WEIR_SESSION_FAILED);
  wait_for (count_rows (editor) == 1);
  editor_close (editor);
}

/* --- Ends ------------------------------------------------------------------------------------ */

static WeirEditor *
open_ending (void)
{
  WeirEditor *editor = editor_open ();
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "ended-by-stop.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (weir_editor_open (editor, file));
  click_canvas (editor);
  return editor;
}

static const char *
status_of (WeirEditor *editor)
{
  return gtk_label_get_text (GTK_LABEL (editor->status));
}

/* In the middle of that word of it. */
static WeirPoint
status_point (WeirEditor *editor, const char *word)
{
  GtkLabel *label = GTK_LABEL (editor->status);
  const char *text = gtk_label_get_text (label), *at = strstr (text, word);
  PangoRectangle place;
  int x, y;

  g_assert_nonnull (at);
  gtk_label_get_layout_offsets (label, &x, &y);
  pango_layout_index_to_pos (gtk_label_get_layout (label),
                             (int) (at - text + (gssize) strlen (word) / 2), &place);
  return on_screen (editor->status, x + PANGO_PIXELS (place.x + place.width / 2),
                    y + PANGO_PIXELS (place.y + place.height / 2));
}

/* The ramp meets 1, then 2.5 s later 2.5, and the run would go to 10 s. */
static void
test_end (void)
{
  static const struct {
    const char *language, *status, *mild;
  } said[] = {
    { "", "Ended by Plant.Limit at t = 2.5 s: too <hot> · ", "Mild at t = " },
    { "de", "Beendet durch Plant.Limit bei t = 2.5 s: too <hot> · ", "Mild bei t = " },
    { "fr", "Terminé par Plant.Limit à t = 2.5 s : too <hot> · ", "Mild à t = " },
  };

  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    {
      WeirEditor *editor;
      WeirBlock *limit;
      g_autofree char *name = g_strdup_printf ("f5-ended%s", said[i].language);
      g_autofree char *dark = g_strconcat (name, "-dark", NULL);

      speak (said[i].language);
      editor = open_ending ();
      limit = weir_model_find_path (weir_document_get_model (editor->document), "Plant.Limit");
      key ("F5");
      wait_for (run_is_over (editor));
      wait_for (g_str_has_prefix (status_of (editor), said[i].status));
      g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (editor->status), "too <hot>"));
      wait_for (gtk_widget_get_mapped (editor->bar_button));
      g_assert_true (
          g_str_has_prefix (gtk_label_get_text (GTK_LABEL (editor->bar_text)), said[i].mild));
      g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (editor->bar_text)), "warm already"));
      g_assert_cmpuint (count_rows (editor), ==, 1); /* however many steps it warned of */
      click_at (status_point (editor, "Limit"));
      wait_for (weir_canvas_get_selected_block (editor->canvas) == weir_block_get_id (limit));
      g_assert_cmpuint (weir_canvas_get_place (editor->canvas).n_ids, ==, 1);
      picture (name);
      picture_dark (dark);
      click (editor->bar_button);
      wait_for (weir_canvas_get_selected_block (editor->canvas)
                == weir_block_get_id (find_block (editor, "Mild")));

      /* Back before the end, it is none. */
      click_canvas (editor);
      key ("F7");
      wait_for (!run_is_over (editor));
      wait_for (strstr (status_of (editor), "Limit") == NULL);
      editor_close (editor);
    }
  speak ("");
}

/* The block that ended a run is gone by the time somebody asks for it. */
static void
test_end_gone (void)
{
  WeirEditor *editor = open_ending ();
  g_autoptr (WeirPatch) patch = weir_patch_new ();

  key ("F5");
  wait_for (run_is_over (editor));
  wait_for (g_str_has_prefix (status_of (editor), "Ended by Plant.Limit"));
  weir_patch_remove_wire (patch, (WeirPlace) { 0 }, 8);
  weir_patch_remove_block (patch, (WeirPlace) { 0 }, 1);
  g_assert_true (weir_document_edit (editor->document, patch, "Delete", NULL, NULL));
  click_at (status_point (editor, "Limit"));
  wait_for (find_label (toplevel_of (editor), "That block is gone from the model.") != NULL);
  editor_close (editor);
}

/* An assertion that stops, and a limit of steps, are failures: named, with what was told. */
static void
test_ends_as_failures (void)
{
  static const struct {
    const char *block, *name, *value, *told;
  } ends[] = {
    { "Mild", "action", "stop", "warm already" },
    { NULL, "max-steps", "3", "3 steps" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      WeirEditor *editor = open_ending ();
      const char *text;

      if (ends[i].block != NULL)
        set_parameter (editor, ends[i].block, ends[i].name, ends[i].value);
      else
        set_setting (editor, ends[i].name, ends[i].value);
      key ("F5");
      wait_for (weir_runner_get_session (editor->runner) != NULL
                && weir_session_get_state (session_of (editor)) == WEIR_SESSION_FAILED);
      wait_for (gtk_widget_get_mapped (editor->bar_button));
      text = gtk_label_get_text (GTK_LABEL (editor->bar_text));
      g_assert_nonnull (strstr (text, ends[i].told));
      g_assert_true (ends[i].block == NULL || strstr (text, ends[i].block) != NULL);
      click (editor->bar_button);
      wait_for (g_str_equal (shown_page (editor), "problems"));
      if (ends[i].block != NULL)
        wait_for (weir_canvas_get_selected_block (editor->canvas)
                  == weir_block_get_id (find_block (editor, ends[i].block)));
      editor_close (editor);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/failures/runaway", test_runaway);
  g_test_add_func ("/window/failures/guess", test_guess);
  g_test_add_func ("/window/failures/back", test_back);
  g_test_add_func ("/window/failures/end", test_end);
  g_test_add_func ("/window/failures/end-gone", test_end_gone);
  g_test_add_func ("/window/failures/ends-as-failures", test_ends_as_failures);
  return driver_main ();
}

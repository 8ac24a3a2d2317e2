/* The outline as the only way: a model is read, built and changed by keyboard, never touching the
 * canvas. */
#include "driver.h"

#include "paint/scene/describe.h"
#include "panels/outline-panel.h"

static WeirOutlinePanel *
panel_of (WeirEditor *editor)
{
  return WEIR_OUTLINE_PANEL (part_of (editor, WEIR_TYPE_OUTLINE_PANEL));
}

static gboolean
is_in_outline (WeirEditor *editor)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (toplevel_of (editor)));

  return focus == part_of (editor, WEIR_TYPE_OUTLINE_PANEL)
         || (focus != NULL
             && gtk_widget_is_ancestor (focus, part_of (editor, WEIR_TYPE_OUTLINE_PANEL)));
}

static WeirOutlineRow
row_of (WeirEditor *editor)
{
  WeirOutlineRow row;

  g_assert_true (weir_outline_panel_get_row (panel_of (editor), &row));
  return row;
}

static const char *
selected_name (WeirEditor *editor)
{
  guint32 id = weir_canvas_get_selected_block (editor->canvas);
  WeirBlock *block = weir_model_find_block (weir_document_get_model (editor->document), id, NULL);

  return block != NULL ? weir_block_get_name (block) : "";
}

static void
insert (WeirEditor *editor, const char *title)
{
  guint before = weir_diagram_get_n_blocks (root_diagram (editor));

  key ("slash");
  spin (200);
  type_text (title);
  spin (200);
  key ("Return");
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == before + 1);
  wait_for (is_in_outline (editor));
}

/* Insert, rename, connect, insert behind a port, delete, undo: what is built runs. */
static void
test_build (void)
{
  WeirEditor *editor = editor_open ();
  guint n;

  key ("<Control><Shift>o");
  wait_for (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_OUTLINE_PANEL)));
  insert (editor, "Sine"); /* there is no row yet */
  g_assert_cmpstr (selected_name (editor), ==, "Sine");
  insert (editor, "Scope");
  g_assert_cmpstr (selected_name (editor), ==, "Scope");
  picture ("90-outline-inserted");

  key ("Up");
  wait_for (g_str_equal (selected_name (editor), "Sine"));
  key ("F2");
  spin (200);
  picture ("91-outline-rename");
  key ("<Control>a");
  type_text ("wave");
  key ("Return");
  wait_for (weir_diagram_find_block_by_name (root_diagram (editor), "wave") != NULL);
  wait_for (is_in_outline (editor));
  wait_for (find_label (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), "wave") != NULL);

  /* From the block to a port found by typing; the wire is a row at both ends. */
  key ("c");
  spin (200);
  type_text ("Sco");
  spin (200);
  picture ("92-outline-connect");
  key ("Return");
  wait_for (weir_diagram_get_n_wires (root_diagram (editor)) == 1);
  wait_for (is_in_outline (editor));
  key ("Right"); /* opens the row */
  wait_for (find_label (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), "y → Scope.in1") != NULL);
  key ("Down");
  wait_for (row_of (editor).kind == WEIR_OUTLINE_PORT);
  weir_canvas_get_selected_wires (editor->canvas, &n);
  g_assert_cmpuint (n, ==, 1);
  picture ("93-outline-wire");

  /* Return on a wire leads along it. */
  key ("Return");
  wait_for (g_str_equal (selected_name (editor), "Scope"));
  wait_for (is_in_outline (editor));
  key ("Up");
  wait_for (row_of (editor).kind == WEIR_OUTLINE_PORT);

  /* The wire is deleted and given back, then a block inserted behind the same port. */
  key ("Delete");
  wait_for (weir_diagram_get_n_wires (root_diagram (editor)) == 0);
  wait_for (is_in_outline (editor));
  key ("<Control>z");
  wait_for (weir_diagram_get_n_wires (root_diagram (editor)) == 1);
  wait_for (find_label (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), "y → Scope.in1") != NULL);
  key ("Down");
  key ("Up");
  wait_for (row_of (editor).kind == WEIR_OUTLINE_PORT);
  insert (editor, "Gain");
  g_assert_cmpuint (weir_diagram_get_n_wires (root_diagram (editor)), ==, 2);
  g_assert_nonnull (find_label (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), "y → Gain.u"));

  key ("F5");
  wait_for (run_is_over (editor));
  editor_close (editor);
}

/* Several rows become a Subsystem; a block goes into another level and back, each one step
 * to undo. */
static void
test_levels (void)
{
  WeirEditor *editor = editor_open ();
  g_autoptr (WeirModel) before = NULL;
  WeirBlock *subsystem;

  weir_canvas_add_block (editor->canvas, "Constant");
  weir_canvas_add_block (editor->canvas, "Gain");
  weir_canvas_add_block (editor->canvas, "Scope");
  key ("<Control><Shift>o");
  wait_for (is_in_outline (editor));
  key ("<Control>Home");
  key ("Home");
  wait_for (g_str_equal (selected_name (editor), "Constant"));
  key ("<Shift>Down");
  {
    guint n;

    weir_canvas_get_selected (editor->canvas, &n);
    g_assert_cmpuint (n, ==, 2);
  }
  key ("<Control>g");
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 2);
  subsystem = find_block (editor, "Subsystem");
  g_assert_cmpuint (weir_diagram_get_n_blocks (weir_block_get_diagram (subsystem)), ==, 2);
  picture ("94-outline-group");

  before = weir_model_ref (weir_document_get_model (editor->document));
  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Scope")));
  key ("<Control><Shift>o");
  wait_for (is_in_outline (editor));
  key ("m");
  spin (200);
  picture ("95-outline-move");
  type_text ("Subs");
  spin (200);
  key ("Return");
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 1);
  subsystem = find_block (editor, "Subsystem");
  g_assert_nonnull (weir_diagram_find_block_by_name (weir_block_get_diagram (subsystem), "Scope"));
  g_assert_cmpuint (weir_canvas_get_place (editor->canvas).n_ids, ==, 1);
  g_assert_cmpstr (selected_name (editor), ==, "Scope");
  wait_for (is_in_outline (editor));
  picture ("96-outline-moved");
  key ("<Control>z");
  wait_for (weir_model_equal (weir_document_get_model (editor->document), before));
  editor_close (editor);
}

/* What the canvas selects is what the outline shows, wherever it is; and the other way round. */
static void
test_in_step (void)
{
  WeirEditor *editor = window_open_example ("nested.weir");
  WeirBlock *reference = find_block (editor, "Reference");
  guint32 wire = 0;

  key ("<Control><Shift>o");
  wait_for (is_in_outline (editor));
  click_at (block_on_screen (editor, "Reference"));
  wait_for (row_of (editor).id == weir_block_get_id (reference));
  click (find_label (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), "Velocity"));
  wait_for (g_str_equal (selected_name (editor), "Velocity"));
  weir_canvas_set_place (editor->canvas, WEIR_PLACE_ROOT);
  for (guint i = 0; i < weir_scene_get_n_wires (editor->canvas->scene) && wire == 0; i++)
    wire = weir_wire_get_id (weir_scene_get_wire (editor->canvas->scene, i)->wire);
  weir_canvas_select_wire (editor->canvas, wire);
  g_assert_cmpint (row_of (editor).kind, ==, WEIR_OUTLINE_PORT);
  g_assert_cmpuint (row_of (editor).wire, ==, wire);
  picture ("97-outline-in-step");
  picture_dark ("97-outline-in-step-dark");
  editor_close (editor);
}

/* A row says what it is and what it is wired to. */
static gboolean
is_described (GtkWidget *widget, gconstpointer text)
{
  g_autofree char *mismatch = gtk_test_accessible_check_property (
      GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text);

  return mismatch == NULL;
}

static void
test_words (void)
{
  WeirEditor *editor = window_open_example ("counter.weir");

  key ("<Control><Shift>o");
  wait_for (is_in_outline (editor));
  {
    WeirBlock *block = weir_diagram_find_block_by_name (root_diagram (editor), "Scope");
    g_autofree char *text = weir_diagram_describe_block (root_diagram (editor), block);

    g_assert_nonnull (strstr (text, "Scope, Scope, input in1 from "));
    g_assert_nonnull (find_widget (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), is_described, text));
  }
  editor_close (editor);
}

/* The row says so where something is wrong, a Subsystem that there is inside; until it is mended.
 */
static gboolean
speaks_of (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_TREE_EXPANDER (widget) && gtk_widget_get_tooltip_text (widget) != NULL
         && strstr (gtk_widget_get_tooltip_text (widget), text) != NULL;
}

static gboolean
is_sign (GtkWidget *widget, gconstpointer name)
{
  return GTK_IS_IMAGE (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_image_get_icon_name (GTK_IMAGE (widget)), name) == 0;
}

static void
test_problems (void)
{
  WeirEditor *editor = window_open_example ("nested.weir");
  GtkWidget *row;

  key ("<Control><Shift>o");
  wait_for (is_in_outline (editor));
  g_assert_null (
      find_widget (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), is_sign, "dialog-error-symbolic"));
  click (find_label (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), "Net"));
  wait_for (g_str_equal (selected_name (editor), "Net"));
  key ("Delete");
  wait_for (
      find_widget (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), is_sign, "dialog-error-symbolic")
      != NULL);
  row = find_widget (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), speaks_of, "inside");
  g_assert_nonnull (row);
  g_assert_nonnull (find_label (row, "Servo")); /* the outermost it is in */
  picture ("98-outline-problems");
  picture_dark ("98-outline-problems-dark");
  key ("<Control>z");
  wait_for (
      find_widget (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), is_sign, "dialog-error-symbolic")
      == NULL);
  editor_close (editor);
}

/* Rows dragged: into a Subsystem, not into themselves, onto a row of the root and below all rows.
 */
static void
test_drag (void)
{
  WeirEditor *editor = editor_open ();
  g_autoptr (WeirModel) before = NULL;
  guint32 outer, inner;

  weir_canvas_add_block (editor->canvas, "Constant");
  outer = weir_canvas_add_block (editor->canvas, "Subsystem");
  before = weir_model_ref (weir_document_get_model (editor->document));
  inner = weir_canvas_add_block (editor->canvas, "Subsystem");
  g_assert_cmpuint (outer, !=, inner);
  key ("<Control><Shift>o");
  wait_for (is_in_outline (editor));
  picture ("99a-outline-drag");

  /* One Subsystem into the other, which then cannot go into what is in it. */
  drag (middle_of (find_label (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), "Subsystem2")),
        middle_of (find_label (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), "Subsystem")));
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 2);
  g_assert_cmpuint (
      weir_diagram_get_n_blocks (weir_block_get_diagram (find_block (editor, "Subsystem"))), ==, 1);
  wait_for (find_label (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), "Subsystem2") != NULL);
  picture ("99b-outline-dragged");
  drag (middle_of (find_label (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), "Subsystem")),
        middle_of (find_label (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), "Subsystem2")));
  spin (800); /* what is refused flies back */
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (editor)), ==, 2);

  /* A row of the root is as good as the root, and so is what lies below the rows. */
  drag (middle_of (find_label (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), "Subsystem2")),
        middle_of (find_label (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), "Constant")));
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 3);
  g_assert_cmpuint (weir_canvas_get_place (editor->canvas).n_ids, ==, 0);
  key ("<Control>z");
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 2);
  weir_canvas_select_blocks (editor->canvas, &inner, 1);
  wait_for (find_label (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), "Subsystem2") != NULL);
  spin (400); /* the outline follows, and scrolls to it */
  drag (middle_of (find_label (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), "Subsystem2")),
        on_screen (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), 60,
                   gtk_widget_get_height (part_of (editor, WEIR_TYPE_OUTLINE_PANEL)) - 10.0));
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 3);
  for (guint i = 0; i < 3; i++)
    {
      key ("<Control>z");
      spin (50);
    }
  wait_for (weir_model_equal (weir_document_get_model (editor->document), before));
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/outline/build", test_build);
  g_test_add_func ("/window/outline/levels", test_levels);
  g_test_add_func ("/window/outline/in-step", test_in_step);
  g_test_add_func ("/window/outline/words", test_words);
  g_test_add_func ("/window/outline/problems", test_problems);
  g_test_add_func ("/window/outline/drag", test_drag);
  return driver_main ();
}

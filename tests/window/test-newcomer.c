/* What somebody meets who has never seen the program: what opens is not covered, what is made is
 * seen, keys typed on do nothing, and what cannot be done says why.
 */
#include "driver.h"

#include "canvas/widget/picker.h"
#include "run/runner.h"
#include "scopes/curve-strip.h"
#include "scopes/plot-card.h"
#include "scopes/plot-view.h"

static WeirEditor *
open_sized (const char *example, int width, int height)
{
  WeirEditor *editor = weir_window_add (weir_window_new (application), weir_editor_new ());

  gtk_window_set_default_size (GTK_WINDOW (toplevel_of (editor)), width, height);
  weir_window_present (editor);
  gtk_test_widget_wait_for_draw (toplevel_of (editor));
  focus_window (GTK_WINDOW (toplevel_of (editor)));
  if (example != NULL)
    {
      g_autoptr (GFile) file = example_file (example);

      g_assert_true (weir_editor_open (editor, file));
    }
  spin (300);
  return editor;
}

static WeirPoint
at (WeirEditor *editor, double x, double y)
{
  WeirPoint pixel = weir_viewport_to_pixel (&editor->canvas->viewport, (WeirPoint) { x, y });

  return on_screen (GTK_WIDGET (editor->canvas), pixel.x, pixel.y);
}

static const WeirBlockShape *
shape_of (WeirEditor *editor, const char *block)
{
  return weir_scene_find_block (editor->canvas->scene,
                                weir_block_get_id (find_block (editor, block)));
}

static gboolean
is_tooltip (GtkWidget *widget, G_GNUC_UNUSED gconstpointer data)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkTooltipWindow")
         && gtk_widget_get_mapped (widget);
}

static gboolean
is_tooltip_shown (WeirEditor *editor)
{
  return find_widget (toplevel_of (editor), is_tooltip, NULL) != NULL;
}

static gboolean
is_popover (GtkWidget *widget, G_GNUC_UNUSED gconstpointer data)
{
  return GTK_IS_POPOVER (widget) && gtk_widget_get_mapped (widget);
}

static GtkWidget *
find_popover (WeirEditor *editor)
{
  return find_widget (toplevel_of (editor), is_popover, NULL);
}

/* A point of the popover that is open, which has a surface of its own. */
static WeirPoint
in_popover (WeirEditor *editor, double x, double y)
{
  GtkWidget *popover = find_popover (editor);
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (popover));
  WeirPoint point = on_screen (popover, x, y);

  return (WeirPoint) { point.x + gdk_popup_get_position_x (GDK_POPUP (surface)),
                       point.y + gdk_popup_get_position_y (GDK_POPUP (surface)) };
}

static gboolean
has_text (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL;
}

static gboolean
is_said (WeirEditor *editor, const char *text)
{
  return find_widget (editor->toasts, has_text, text) != NULL;
}

/* --- Tooltips and menus ---------------------------------------------------------------------- */

static void
test_tooltips (void)
{
  WeirEditor *editor = open_sized ("pendulum.weir", 1024, 768);
  WeirPoint block, menu;

  block = block_on_screen (editor, "Pendulum");
  point_at ((WeirPoint) { block.x - 1, block.y });
  point_at (block);
  wait_for (is_tooltip_shown (editor));
  click_button_at (3, (WeirPoint) { block.x - 60, block.y - 35 });
  wait_for (find_popover (editor) != NULL);
  g_assert_false (is_tooltip_shown (editor));
  /* The pointer over the menu is over the block too. */
  menu = (WeirPoint) { block.x - 10, block.y };
  for (int i = 0; i < 4; i++)
    {
      point_at ((WeirPoint) { menu.x + 4 * i, menu.y + 3 * i });
      spin (300);
    }
  spin (900);
  picture ("n1-menu");
  g_assert_nonnull (find_popover (editor));
  g_assert_false (is_tooltip_shown (editor));
  key ("Escape");
  wait_for (find_popover (editor) == NULL);
  point_at ((WeirPoint) { block.x + 3, block.y });
  point_at (block);
  wait_for (is_tooltip_shown (editor)); /* it has one again */

  /* Of a button with a tooltip and a menu. */
  click (find_widget (toplevel_of (editor), has_tooltip, "Main Menu"));
  wait_for (find_popover (editor) != NULL);
  menu = in_popover (editor, 60, 60);
  for (int i = 0; i < 4; i++)
    {
      point_at ((WeirPoint) { menu.x + 4 * i, menu.y + 3 * i });
      spin (300);
    }
  spin (900);
  picture ("n2-main-menu");
  g_assert_false (is_tooltip_shown (editor));
  key ("Escape");
  editor_close (editor);
}

/* --- Double clicks --------------------------------------------------------------------------- */

static void
test_double_click (void)
{
  WeirEditor *editor = open_sized ("pendulum.weir", 1024, 768);
  WeirRect name = shape_of (editor, "Pendulum")->name;
  const WeirWireShape *wire = weir_scene_get_wire (editor->canvas->scene, 0);
  guint32 id = weir_wire_get_id (wire->wire);
  WeirPoint middle = { (wire->points[0].x + wire->points[1].x) / 2, wire->points[0].y };

  double_click_at (at (editor, name.x + name.width / 2, name.y + name.height / 2));
  wait_for (find_popover (editor) != NULL);
  key ("<Control>a");
  type_text ("Swing");
  picture ("n3-name");
  key ("Return");
  wait_for (find_popover (editor) == NULL);
  g_assert_nonnull (find_block (editor, "Swing"));

  spin (700);
  double_click_at (at (editor, middle.x, middle.y));
  wait_for (find_popover (editor) != NULL);
  type_text ("angle");
  key ("Return");
  wait_for (find_popover (editor) == NULL);
  g_assert_cmpstr (weir_wire_get_label (weir_diagram_find_wire (root_diagram (editor), id)), ==,
                   "angle");

  /* A Scope: its plot, once there is one. */
  weir_host_show_page (WEIR_HOST (editor), "problems");
  spin (700);
  double_click_at (block_on_screen (editor, "Energy"));
  wait_for (g_str_equal (shown_page (editor), "plots"));
  wait_for (is_said (editor, "run the model"));
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  weir_host_show_page (WEIR_HOST (editor), "problems");
  spin (700);
  double_click_at (block_on_screen (editor, "Energy"));
  wait_for (g_str_equal (shown_page (editor), "plots"));
  wait_for (WEIR_IS_PLOT_VIEW (gtk_root_get_focus (GTK_ROOT (toplevel_of (editor)))));
  picture ("n4-scope");
  editor_close (editor);
}

/* --- Typing on, and what is made by accident ------------------------------------------------- */

static void
test_typed_on (void)
{
  WeirEditor *editor = open_sized ("pendulum.weir", 1024, 768);
  guint n_blocks = weir_diagram_get_n_blocks (root_diagram (editor));

  click_at (block_on_screen (editor, "Pendulum"));
  key ("F2");
  wait_for (find_popover (editor) != NULL);
  type_text ("Bob");
  key ("Return");
  wait_for (weir_canvas_has_own_focus (editor->canvas));
  type_text ("nkbvl");
  g_assert_null (find_popover (editor));
  g_assert_cmpint (weir_canvas_get_overlay_mode (editor->canvas), ==, WEIR_OVERLAY_OFF);
  g_assert_false (editor->canvas->show_values);
  g_assert_cmpuint (weir_diagram_get_n_notes (root_diagram (editor)), ==,
                    weir_diagram_get_n_notes (root_diagram (editor)));
  spin (800); /* then they are meant for the diagram */
  key ("v");
  g_assert_true (editor->canvas->show_values);

  /* From the search of the library; another key says that typing is over. */
  key ("<Control><Shift>f");
  type_text ("gain");
  spin (300);
  key ("Return");
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == n_blocks + 1);
  key ("v");
  g_assert_true (editor->canvas->show_values);
  key ("Tab");
  key ("v");
  g_assert_false (editor->canvas->show_values);
  editor_close (editor);
}

static void
test_accidents (void)
{
  WeirEditor *editor = open_sized ("pendulum.weir", 1024, 768);
  guint n_notes = weir_diagram_get_n_notes (root_diagram (editor));
  g_autoptr (GArray) none = NULL;

  spin (700);
  click_canvas (editor);
  key ("n");
  wait_for (find_popover (editor) != NULL);
  type_text ("ice");
  key ("Escape");
  wait_for (weir_diagram_get_n_notes (root_diagram (editor)) == n_notes + 1);
  wait_for (is_said (editor, "Note “ice” added"));
  picture ("n5-note");
  click (find_label (editor->toasts, "Undo"));
  wait_for (weir_diagram_get_n_notes (root_diagram (editor)) == n_notes);

  /* A breakpoint: what it is on is said, marked and can be taken back. */
  spin (700);
  click_at (block_on_screen (editor, "Pendulum"));
  key ("b");
  wait_for (is_said (editor, "Runs pause when Pendulum:"));
  g_assert_cmpuint (g_hash_table_size (editor->canvas->breaks), ==, 1);
  g_assert_true (g_str_has_prefix (
      g_hash_table_lookup (editor->canvas->breaks,
                           GUINT_TO_POINTER (weir_block_get_id (find_block (editor, "Pendulum")))),
      "Runs pause when Pendulum:"));
  picture ("n6-breakpoint");
  picture_dark ("n6-breakpoint-dark");
  click (find_label (editor->toasts, "Undo"));
  wait_for (g_hash_table_size (editor->canvas->breaks) == 0);
  none = weir_model_dup_breakpoints (weir_document_get_model (editor->document));
  g_assert_cmpuint (none->len, ==, 0);
  editor_close (editor);
}

/* In a Subsystem it is marked on that too; renaming takes the mark along. */
static void
test_breakpoint_inside (void)
{
  WeirEditor *editor = open_sized ("nested.weir", 1024, 768);
  g_autoptr (GArray) list = weir_breakpoint_list_new ();
  WeirBreakpoint one = { .kind = WEIR_BREAK_COMPUTED, .phase = -1, .is_disabled = TRUE };
  WeirBlock *inner = NULL, *outer = NULL;
  g_autofree char *path = NULL;

  for (guint i = 0; i < weir_scene_get_n_blocks (editor->canvas->scene) && outer == NULL; i++)
    {
      WeirBlock *block = weir_scene_get_block (editor->canvas->scene, i)->block;

      if (weir_block_get_diagram (block) != NULL)
        outer = block;
    }
  g_assert_nonnull (outer);
  weir_canvas_enter (editor->canvas, weir_block_get_id (outer));
  inner = weir_scene_get_block (editor->canvas->scene, 0)->block;
  path = weir_model_dup_block_path (weir_document_get_model (editor->document),
                                    weir_block_get_id (inner));
  one.what = g_strconcat (path, ":y", NULL);
  g_array_append_val (list, one);
  weir_document_set_breakpoints (editor->document, list, "Set");
  g_assert_cmpuint (g_hash_table_size (editor->canvas->breaks), ==, 2);
  g_assert_cmpuint (g_hash_table_size (editor->canvas->breaks_off), ==, 2);
  g_assert_nonnull (
      g_hash_table_lookup (editor->canvas->breaks, GUINT_TO_POINTER (weir_block_get_id (outer))));
  picture ("n7-inside");
  editor_close (editor);
}

/* --- All commands ---------------------------------------------------------------------------- */

static gboolean
is_row_of (GtkWidget *widget, gconstpointer title)
{
  return GTK_IS_LIST_BOX_ROW (widget) && gtk_widget_get_mapped (widget)
         && find_label (widget, title) != NULL;
}

static void
test_commands (void)
{
  WeirEditor *editor = open_sized ("pendulum.weir", 1024, 768);
  GtkWidget *row;

  click_canvas (editor);
  key ("<Control><Shift>p");
  wait_for (find_popover (editor) != NULL);
  type_text ("turn");
  wait_for ((row = find_widget (find_popover (editor), is_row_of, "Rotate")) != NULL);
  g_assert_nonnull (find_label (row, "Select a block first"));
  g_assert_false (gtk_widget_is_sensitive (find_label (row, "Rotate")));
  g_assert_true (gtk_widget_is_sensitive (find_label (row, "Select a block first")));
  picture ("n8-commands");
  picture_dark ("n8-commands-dark");
  key ("Return"); /* nothing is done, and it stays open */
  g_assert_nonnull (find_popover (editor));
  key ("Escape");
  wait_for (find_popover (editor) == NULL);

  spin (700);
  click_at (block_on_screen (editor, "Pendulum"));
  key ("<Control><Shift>p");
  wait_for (find_popover (editor) != NULL);
  type_text ("turn");
  wait_for ((row = find_widget (find_popover (editor), is_row_of, "Rotate")) != NULL);
  g_assert_null (find_label (row, "Select a block first"));
  key ("Return");
  wait_for (find_popover (editor) == NULL);
  wait_for (weir_block_get_rotation (find_block (editor, "Pendulum")) != WEIR_ROTATION_0);
  editor_close (editor);
}

/* --- The library ----------------------------------------------------------------------------- */

static void
test_folds (void)
{
  WeirEditor *editor = open_sized (NULL, 1024, 768);
  GtkWidget *group = find_label (part_of (editor, WEIR_TYPE_PALETTE_PANEL), "Sources");
  g_auto (GStrv) folded = NULL;

  g_assert_nonnull (group);
  g_assert_nonnull (find_label (part_of (editor, WEIR_TYPE_PALETTE_PANEL), "Sine"));
  click (group);
  wait_for (
      find_label (part_of (editor, WEIR_TYPE_PALETTE_PANEL), "Sine") == NULL
      || !gtk_widget_get_child_visible (gtk_widget_get_ancestor (
          find_label (part_of (editor, WEIR_TYPE_PALETTE_PANEL), "Sine"), GTK_TYPE_LIST_BOX_ROW)));
  g_object_get (part_of (editor, WEIR_TYPE_PALETTE_PANEL), "folded", &folded, NULL);
  g_assert_cmpuint (g_strv_length (folded), ==, 1);
  g_assert_cmpstr (folded[0], ==, "Sources");
  picture ("n9-folded");
  /* What is searched for is found in folded groups too. */
  key ("<Control><Shift>f");
  type_text ("sine");
  wait_for (find_label (part_of (editor, WEIR_TYPE_PALETTE_PANEL), "Sine") != NULL);
  key ("<Control>a");
  key ("BackSpace");
  spin (400);
  /* By keyboard: Down into the list, the group unfolds and folds. */
  g_object_set (part_of (editor, WEIR_TYPE_PALETTE_PANEL), "folded",
                (const char *[]) { "Sources", "Math", NULL }, NULL);
  gtk_widget_grab_focus (gtk_widget_get_ancestor (
      find_label (part_of (editor, WEIR_TYPE_PALETTE_PANEL), "Sources"), GTK_TYPE_LIST_BOX_ROW));
  key ("Right");
  wait_for (find_label (part_of (editor, WEIR_TYPE_PALETTE_PANEL), "Sine") != NULL);
  key ("Down");
  key ("Left");
  wait_for (find_label (part_of (editor, WEIR_TYPE_PALETTE_PANEL), "Sine") == NULL);
  editor_close (editor);
}

/* --- Sliders --------------------------------------------------------------------------------- */

static gboolean
is_limit (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_ENTRY (widget) && gtk_widget_has_css_class (widget, "weir-limit")
         && gtk_widget_get_mapped (widget)
         && g_str_equal (gtk_editable_get_text (GTK_EDITABLE (widget)), text);
}

static gboolean
is_scale (GtkWidget *widget, G_GNUC_UNUSED gconstpointer data)
{
  return GTK_IS_SCALE (widget) && gtk_widget_get_mapped (widget);
}

static void
test_slider_range (void)
{
  WeirEditor *editor = open_sized ("pendulum.weir", 1024, 768);
  GtkAdjustment *adjustment;
  GtkWidget *limit;

  set_parameter (editor, "Pendulum", "length", "2");
  click_at (block_on_screen (editor, "Pendulum"));
  spin (300);
  adjustment = gtk_range_get_adjustment (
      GTK_RANGE (find_widget (part_of (editor, WEIR_TYPE_INSPECTOR), is_scale, NULL)));
  limit = find_widget (part_of (editor, WEIR_TYPE_INSPECTOR), is_limit, "2");
  g_assert_cmpfloat (gtk_adjustment_get_upper (adjustment), ==, 2);
  g_assert_nonnull (limit);
  picture ("n10-slider");
  click (limit);
  spin (200);
  key ("<Control>a");
  type_text ("5");
  key ("Return");
  wait_for (gtk_adjustment_get_upper (adjustment) == 5);
  g_assert_nonnull (find_widget (part_of (editor, WEIR_TYPE_INSPECTOR), is_limit, "5"));
  picture ("n11-range-typed");
  /* It is remembered; nonsense is not taken. */
  spin (700);
  click_canvas (editor);
  click_at (block_on_screen (editor, "Pendulum"));
  spin (300);
  limit = find_widget (part_of (editor, WEIR_TYPE_INSPECTOR), is_limit, "5");
  g_assert_nonnull (limit);
  click (limit);
  key ("<Control>a");
  type_text ("-1");
  key ("Return");
  spin (100);
  g_assert_nonnull (find_widget (part_of (editor, WEIR_TYPE_INSPECTOR), is_limit, "5"));

  /* It belongs to the file, but is no step that undo takes back. */
  g_assert_cmpstr (
      weir_metadata_get_text (weir_block_get_metadata (find_block (editor, "Pendulum")), "mass",
                              weir_key_range),
      ==, "0.01 5");
  {
    g_autoptr (GBytes) file = weir_model_write_bytes (weir_document_get_model (editor->document));
    g_autofree char *text = g_strndup (g_bytes_get_data (file, NULL), g_bytes_get_size (file));

    g_assert_nonnull (strstr (text, "0.01 5"));
  }
  weir_document_undo (editor->document); /* the length */
  spin (300);
  g_assert_nonnull (find_widget (part_of (editor, WEIR_TYPE_INSPECTOR), is_limit, "5"));
  editor_close (editor);
}

/* --- Wires ----------------------------------------------------------------------------------- */

static void
test_grow (void)
{
  WeirEditor *editor = open_sized ("pendulum.weir", 1024, 768);
  guint n_before = shape_of (editor, "Energy")->n_inputs;
  WeirPoint to;

  click_canvas (editor);
  to = block_on_screen (editor, "Energy");
  point_at (port_on_screen (editor, "Pendulum", "theta", TRUE));
  send_button (1, TRUE);
  point_at ((WeirPoint) { to.x - 60, to.y });
  point_at ((WeirPoint) { to.x - 6, to.y });
  point_at (to);
  g_assert_true (weir_tool_makes_input (editor->canvas->tool));
  picture ("n12-grow");
  press_button (1, FALSE);
  spin (100);
  g_assert_cmpuint (shape_of (editor, "Energy")->n_inputs, ==, n_before + 1);
  key ("<Control>z"); /* one step */
  g_assert_cmpuint (shape_of (editor, "Energy")->n_inputs, ==, n_before);
  editor_close (editor);
}

static void
test_fresh (void)
{
  WeirEditor *editor = open_sized (NULL, 1024, 768);
  g_autoptr (GHashTable) marks = g_hash_table_new (NULL, NULL);

  drag_from_palette (editor, "Gain", 200, 150);
  wait_for (editor->canvas->diagnostics != NULL
            && weir_diagnostics_get_size (editor->canvas->diagnostics) > 0);
  weir_canvas_add_problem_marks (editor->canvas, marks);
  g_assert_cmpuint (g_hash_table_size (marks), ==, 0);
  g_assert_false (gtk_stack_page_get_needs_attention (tab_of (editor, WEIR_TYPE_PROBLEM_LIST)));
  picture ("n13-fresh");
  key ("F5");
  wait_for (g_str_equal (shown_page (editor), "problems"));
  weir_canvas_add_problem_marks (editor->canvas, marks);
  g_assert_cmpuint (g_hash_table_size (marks), >, 0);
  picture ("n14-run");
  editor_close (editor);
}

/* --- What is seen ---------------------------------------------------------------------------- */

static void
test_resize (void)
{
  WeirEditor *editor = open_sized ("dc-motor.weir", 1300, 950);
  GtkWindow *window = GTK_WINDOW (toplevel_of (editor));
  double zoom = weir_canvas_get_zoom (editor->canvas);
  WeirRect place, box;

  g_assert_true (sees_all (editor));
  gtk_window_set_default_size (window, 1024, 700);
  spin (400);
  picture ("n15-resized");
  g_assert_true (sees_all (editor));
  gtk_window_set_default_size (window, 1300, 950);
  spin (400);
  g_assert_cmpfloat (weir_canvas_get_zoom (editor->canvas), ==, zoom);

  /* Also where the view was chosen by hand. */
  gtk_widget_activate_action (GTK_WIDGET (editor->canvas), "canvas.zoom-out", NULL);
  zoom = weir_canvas_get_zoom (editor->canvas);
  gtk_window_set_default_size (window, 1024, 700);
  spin (400);
  g_assert_true (sees_all (editor));
  gtk_window_set_default_size (window, 1300, 950);
  spin (400);
  g_assert_cmpfloat (weir_canvas_get_zoom (editor->canvas), ==, zoom);

  /* The overview keeps off what is selected. */
  gtk_window_set_default_size (window, 1024, 768);
  key ("<Control>F9");
  spin (300);
  for (int i = 0; i < 4; i++)
    gtk_widget_activate_action (GTK_WIDGET (editor->canvas), "canvas.zoom-in", NULL);
  spin (200);
  g_assert_true (gtk_widget_get_child_visible (editor->canvas->minimap));
  g_assert_cmpuint (editor->canvas->minimap_corner, ==, 0);
  picture ("n16-overview");
  place = weir_canvas_get_minimap_place (editor->canvas);
  box = weir_scene_get_block (editor->canvas->scene, 0)->box;
  weir_viewport_pan (
      &editor->canvas->viewport,
      place.x + 60
          - weir_viewport_to_pixel (&editor->canvas->viewport, weir_rect_get_center (box)).x,
      place.y + 60
          - weir_viewport_to_pixel (&editor->canvas->viewport, weir_rect_get_center (box)).y);
  weir_canvas_view_changed (editor->canvas);
  weir_canvas_select_block (
      editor->canvas, weir_block_get_id (weir_scene_get_block (editor->canvas->scene, 0)->block));
  spin (200);
  picture ("n17-overview-aside");
  g_assert_true (editor->canvas->minimap_corner != 0
                 || !gtk_widget_get_child_visible (editor->canvas->minimap));
  editor_close (editor);
}

/* Of the curves' toggles: each that is seen is wholly within its strip, the others are in the menu.
 */
/* The inspector is as wide in a window that was made larger before a model was shown as in any
 * other. */
static void
test_inspector_width (void)
{
  WeirEditor *editor = open_sized ("dc-motor.weir", 1024, 768);
  int width = gtk_widget_get_width (editor->right);

  editor_close (editor);
  editor = weir_window_add (weir_window_new (application), weir_editor_new_for_welcome ());
  weir_editor_show_welcome (editor);
  weir_window_present (editor);
  spin (300);
  gtk_window_set_default_size (GTK_WINDOW (toplevel_of (editor)), 1390, 990);
  spin (300);
  focus_window (GTK_WINDOW (toplevel_of (editor)));
  key ("<Control>n");
  wait_for (gtk_widget_get_mapped (editor->right));
  spin (300);
  picture ("n20-inspector-width");
  g_assert_cmpint (ABS (gtk_widget_get_width (editor->right) - width), <=, 8);
  editor_close (editor);
}

static void
test_curves (void)
{
  WeirEditor *editor = open_sized ("pendulum.weir", 1024, 768);
  GtkWidget *strip, *more = NULL;
  guint n_seen = 0, n_hidden = 0;

  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  spin (300);
  strip = gtk_widget_get_ancestor (
      find_widget (part_of (editor, WEIR_TYPE_SCOPES), has_label, "…potential"),
      WEIR_TYPE_CURVE_STRIP);
  g_assert_nonnull (strip);
  for (GtkWidget *child = gtk_widget_get_first_child (strip); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      graphene_rect_t bounds;

      if (GTK_IS_MENU_BUTTON (child))
        more = child;
      else if (!gtk_widget_get_child_visible (child))
        n_hidden++;
      else
        {
          n_seen++;
          g_assert_true (gtk_widget_compute_bounds (child, strip, &bounds));
          g_assert_cmpfloat ((double) (bounds.origin.x + bounds.size.width), <=,
                             gtk_widget_get_width (strip));
        }
    }
  g_assert_cmpuint (n_seen + n_hidden, ==, 3);
  g_assert_cmpuint (n_seen, >, 0);
  g_assert_cmpuint (n_hidden, >, 0);
  picture ("n19-curves");
  click (more);
  wait_for (find_popover (editor) != NULL);
  picture ("n20-more-curves");
  g_assert_nonnull (find_label (find_popover (editor), "Total.y"));
  key ("space");
  spin (100);
  key ("Escape");
  wait_for (find_popover (editor) == NULL);
  g_assert_false (weir_plot_get_curve_visible (
      weir_plot_view_get_plot (
          WEIR_PLOT_VIEW (find_widget (gtk_widget_get_ancestor (strip, WEIR_TYPE_PLOT_CARD),
                                       has_type, &(GType) { WEIR_TYPE_PLOT_VIEW }))),
      2 - (n_hidden - 1)));
  /* The readout, in the low plot and in a high one. */
  point_at (middle_of (find_of_type (part_of (editor, WEIR_TYPE_SCOPES), WEIR_TYPE_PLOT_VIEW)));
  spin (200);
  picture ("n21-readout");
  editor_close (editor);
}

static gboolean
is_caption (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && g_str_has_prefix (gtk_label_get_text (GTK_LABEL (widget)), text);
}

static void
test_pointing (void)
{
  WeirEditor *editor = open_sized ("pendulum.weir", 1024, 768);
  WeirPoint parameter;

  click_at (block_on_screen (editor, "Pendulum"));
  spin (300);
  parameter = middle_of (find_widget (part_of (editor, WEIR_TYPE_INSPECTOR), is_caption, "Length"));
  point_at (parameter);
  spin (600);
  g_assert_false (weir_cache_views_is_exploring (WEIR_HOST (editor)));
  XTestFakeKeyEvent (x_display (), XKeysymToKeycode (x_display (), GDK_KEY_Alt_L), True,
                     CurrentTime);
  wait_for (weir_cache_views_is_exploring (WEIR_HOST (editor)));
  picture ("n18-alt");
  XTestFakeKeyEvent (x_display (), XKeysymToKeycode (x_display (), GDK_KEY_Alt_L), False,
                     CurrentTime);
  wait_for (!weir_cache_views_is_exploring (WEIR_HOST (editor)));
  point_at (block_on_screen (editor, "Pendulum"));
  weir_canvas_set_overlay_mode (editor->canvas, WEIR_OVERLAY_STATE);
  point_at (parameter);
  wait_for (weir_cache_views_is_exploring (WEIR_HOST (editor)));
  editor_close (editor);
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/newcomer/tooltips", test_tooltips);
  g_test_add_func ("/window/newcomer/double-click", test_double_click);
  g_test_add_func ("/window/newcomer/typed-on", test_typed_on);
  g_test_add_func ("/window/newcomer/accidents", test_accidents);
  g_test_add_func ("/window/newcomer/breakpoint-inside", test_breakpoint_inside);
  g_test_add_func ("/window/newcomer/commands", test_commands);
  g_test_add_func ("/window/newcomer/folds", test_folds);
  g_test_add_func ("/window/newcomer/slider-range", test_slider_range);
  g_test_add_func ("/window/newcomer/grow", test_grow);
  g_test_add_func ("/window/newcomer/fresh", test_fresh);
  g_test_add_func ("/window/newcomer/resize", test_resize);
  g_test_add_func ("/window/newcomer/inspector-width", test_inspector_width);
  g_test_add_func ("/window/newcomer/curves", test_curves);
  g_test_add_func ("/window/newcomer/pointing", test_pointing);
  return driver_main ();
}

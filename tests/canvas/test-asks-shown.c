/* What users of such editors ask for most: the numbered rows of research on the peers about moving
 * around, in a window, by real events. Each test's name carries its row's number. (Screens for
 * fingers there are none under test: what a gesture tells the canvas is told by its signals.)
 */
#include <math.h>

#include "widget-fixture.h"

typedef struct {
  double zoom;
  WeirPoint at; /* of a block's middle, in pixels */
} View;

static View
get_view (Fixture *fixture)
{
  return (View) { weir_canvas_get_zoom (fixture->canvas),
                  at_block (fixture, EXAMPLE_SUM, 0.5, 0.5) };
}

static void
assert_view (Fixture *fixture, View expected)
{
  View view = get_view (fixture);

  g_assert_cmpfloat_with_epsilon (view.zoom, expected.zoom, 1e-9);
  g_assert_cmpfloat_with_epsilon (view.at.x, expected.at.x, 1.5);
  g_assert_cmpfloat_with_epsilon (view.at.y, expected.at.y, 1.5);
}

/* 13: Ctrl+wheel zooms at the pointer, the wheel scrolls, with Shift sideways; the middle button
 * pans. */
static void
test_wheel (Fixture *fixture, gconstpointer data)
{
  View before = get_view (fixture), after;

  move_pointer (fixture, before.at);
  xdo (fixture, "keydown ctrl click 4 keyup ctrl");
  assert_view (fixture, (View) { before.zoom * 1.25, before.at });
  xdo (fixture, "keydown ctrl click 5 keyup ctrl");
  assert_view (fixture, before);
  xdo (fixture, "click 5");
  after = get_view (fixture);
  g_assert_cmpfloat (after.at.y, <, before.at.y - 20);
  g_assert_cmpfloat_with_epsilon (after.at.x, before.at.x, 1.5);
  xdo (fixture, "click 4");
  assert_view (fixture, before);
  xdo (fixture, "keydown shift click 5 keyup shift");
  after = get_view (fixture);
  g_assert_cmpfloat (after.at.x, <, before.at.x - 20);
  g_assert_cmpfloat_with_epsilon (after.at.y, before.at.y, 1.5);
  xdo (fixture, "keydown shift click 4 keyup shift");
  drag (fixture, 2, (WeirPoint) { 100, 300 }, (WeirPoint) { 170, 320 });
  assert_view (fixture, (View) { before.zoom, { before.at.x + 70, before.at.y + 20 } });
}

/* 14: while a wire is being drawn one may zoom and scroll, and near the edge the view moves by
 * itself; the wire goes on and ends where it is let go. */
static void
test_view_while_wiring (Fixture *fixture, gconstpointer data)
{
  double zoom = weir_canvas_get_zoom (fixture->canvas);
  WeirPoint before, after;
  guint n_wires;

  weir_canvas_select_wire (fixture->canvas, EXAMPLE_WIRE_GAIN_SUM);
  act (fixture, "canvas.delete");
  n_wires = weir_diagram_get_n_wires (get_root (fixture));
  move_pointer (fixture, at_block (fixture, EXAMPLE_GAIN, 1, 0.5));
  xdo (fixture, "mousedown 1");
  move_pointer (fixture, (WeirPoint) { 400, 300 });
  xdo (fixture, "keydown ctrl click 4 keyup ctrl");
  g_assert_cmpfloat_with_epsilon (weir_canvas_get_zoom (fixture->canvas), zoom * 1.25, 1e-9);
  xdo (fixture, "click 4");
  picture (fixture, "wiring-zoomed");
  before = at_block (fixture, EXAMPLE_SUM, 0.5, 0.5);
  move_pointer (fixture,
                (WeirPoint) { 450, gtk_widget_get_height (GTK_WIDGET (fixture->canvas)) - 4 });
  spin (300);
  after = at_block (fixture, EXAMPLE_SUM, 0.5, 0.5);
  g_assert_cmpfloat (after.y, <, before.y - 10); /* it scrolled */
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, n_wires);
  move_pointer (fixture, (WeirPoint) { 400, 200 });
  move_pointer (fixture, at_block (fixture, EXAMPLE_SUM, 0, 0.5));
  xdo (fixture, "mouseup 1");
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, n_wires + 1);
  g_assert_cmpstr (weir_document_get_undo_label (fixture->document), ==, "Connect Gain to Sum");
}

/* 15: without a middle button: Space and drag, keys, two fingers. */
static void
test_no_middle_button (Fixture *fixture, gconstpointer data)
{
  View before = get_view (fixture), after;
  GtkEventController *pinch = find_controller (fixture, "pinch");
  GtkEventController *scroll = find_controller (fixture, "scroll");

  xdo (fixture, "keydown space");
  drag (fixture, 1, (WeirPoint) { 100, 300 }, (WeirPoint) { 150, 340 });
  xdo (fixture, "keyup space");
  assert_view (fixture, (View) { before.zoom, { before.at.x + 50, before.at.y + 40 } });
  xdo (fixture, "key ctrl+0");
  g_assert_cmpfloat (weir_canvas_get_zoom (fixture->canvas), ==, 1);
  xdo (fixture, "key ctrl+plus");
  g_assert_cmpfloat (weir_canvas_get_zoom (fixture->canvas), >, 1);
  xdo (fixture, "key ctrl+minus");
  g_assert_cmpfloat (weir_canvas_get_zoom (fixture->canvas), ==, 1);

  /* Two fingers apart: about the point between them. */
  before = get_view (fixture);
  move_pointer (fixture, before.at);
  g_signal_emit_by_name (pinch, "begin", NULL);
  g_signal_emit_by_name (pinch, "scale-changed", 1.3);
  g_signal_emit_by_name (pinch, "scale-changed", 1.6);
  assert_view (fixture, (View) { 1.6, before.at });
  g_signal_emit_by_name (pinch, "scale-changed", 1.0);
  assert_view (fixture, before);

  /* Thrown: it goes on for a moment and comes to rest, in all v / 4; without animations not
   * at all. */
  g_signal_emit_by_name (scroll, "decelerate", 400.0, 0.0);
  spin (100);
  assert_view (fixture, before);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", TRUE, NULL);
  g_signal_emit_by_name (scroll, "decelerate", 400.0, -200.0);
  spin (1500);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  after = get_view (fixture);
  g_assert_cmpfloat_with_epsilon (after.at.x, before.at.x - 100, 8);
  g_assert_cmpfloat_with_epsilon (after.at.y, before.at.y + 50, 8);
  spin (200);
  assert_view (fixture, after);
}

/* 16: no edit moves the view, undo neither; a level keeps its own. */
static void
test_view_kept (Fixture *fixture, gconstpointer data)
{
  View view;

  for (int i = 0; i < 2; i++)
    act (fixture, "canvas.zoom-in");
  drag (fixture, 2, (WeirPoint) { 100, 300 }, (WeirPoint) { 130, 260 });
  view = get_view (fixture);
  weir_canvas_select_block (fixture->canvas, EXAMPLE_SUM);
  act (fixture, "canvas.duplicate");
  assert_view (fixture, view);
  act (fixture, "canvas.delete");
  assert_view (fixture, view);
  weir_canvas_select_block (fixture->canvas, EXAMPLE_SCOPE);
  view = get_view (fixture); /* what is selected by name is brought into view */
  act (fixture, "canvas.delete");
  assert_view (fixture, view);
  weir_document_undo (fixture->document);
  spin (50);
  assert_view (fixture, view);
  weir_canvas_select_block (fixture->canvas, EXAMPLE_PLANT);
  view = get_view (fixture);
  act (fixture, "canvas.enter");
  act (fixture, "canvas.zoom-out");
  act (fixture, "canvas.leave");
  assert_view (fixture, view);
}

static WeirColor
get_color (cairo_surface_t *surface, double x, double y)
{
  const guchar *p = cairo_image_surface_get_data (surface)
                    + (int) y * cairo_image_surface_get_stride (surface) + 4 * (int) x;

  return (WeirColor) { p[2] / 255.0, p[1] / 255.0, p[0] / 255.0, p[3] / 255.0 };
}

static cairo_surface_t *
draw_widget (GtkWidget *widget)
{
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *cr = cairo_create (surface);
  g_autoptr (GdkPaintable) paintable = NULL;
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  GskRenderNode *node;

  spin (100);
  paintable = gtk_widget_paintable_new (widget);
  gdk_paintable_snapshot (paintable, GDK_SNAPSHOT (snapshot), width, height);
  node = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
  gsk_render_node_draw (node, cr);
  gsk_render_node_unref (node);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static guint
count_differences (cairo_surface_t *a, cairo_surface_t *b)
{
  guint n = 0;

  for (int y = 0; y < cairo_image_surface_get_height (a); y++)
    for (int x = 0; x < cairo_image_surface_get_width (a); x++)
      {
        WeirColor p = get_color (a, x, y), q = get_color (b, x, y);

        n += fabs (p.r - q.r) + fabs (p.g - q.g) + fabs (p.b - q.b) > 0.02;
      }
  return n;
}

static WeirMinimap *
find_minimap (Fixture *fixture)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (fixture->canvas)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (WEIR_IS_MINIMAP (child))
      return WEIR_MINIMAP (child);
  g_assert_not_reached ();
}

/* 17: the overview shows frames and what the overlay says of each block. */
static void
test_minimap (Fixture *fixture, gconstpointer data)
{
  GtkWidget *minimap = GTK_WIDGET (find_minimap (fixture));
  g_autoptr (WeirOverlay) overlay = weir_overlay_new ();
  cairo_surface_t *plain, *framed, *tinted;

  for (int i = 0; i < 4; i++)
    act (fixture, "canvas.zoom-in"); /* it is there when not everything can be seen */
  g_assert_true (gtk_widget_get_mapped (minimap));
  plain = draw_widget (minimap);
  act (fixture, "canvas.select-all");
  act (fixture, "canvas.add-frame");
  xdo (fixture, "key Escape");
  framed = draw_widget (minimap);
  g_assert_cmpuint (count_differences (plain, framed), >, 200);
  overlay->mode = WEIR_OVERLAY_STATE;
  weir_overlay_add_block (overlay, EXAMPLE_SUM, 0)->badge = WEIR_BADGE_STALE;
  weir_canvas_set_overlay (fixture->canvas, overlay);
  tinted = draw_widget (minimap);
  g_assert_cmpuint (count_differences (framed, tinted), >, 10);
  picture (fixture, "minimap-tinted");
  cairo_surface_destroy (plain);
  cairo_surface_destroy (framed);
  cairo_surface_destroy (tinted);
}

/* 18: a grid that can be switched off and on. */
static void
test_grid (Fixture *fixture, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (fixture->canvas);
  cairo_surface_t *with, *without, *again;

  xdo (fixture, "key Escape"); /* keys show where the focus is */
  with = draw_widget (canvas);
  xdo (fixture, "key ctrl+apostrophe");
  without = draw_widget (canvas);
  xdo (fixture, "key ctrl+apostrophe");
  again = draw_widget (canvas);
  g_assert_cmpuint (count_differences (with, without), >, 500); /* dots all over */
  g_assert_cmpuint (count_differences (with, again), ==, 0);
  cairo_surface_destroy (with);
  cairo_surface_destroy (without);
  cairo_surface_destroy (again);
}

int
main (int argc, char **argv)
{
  init_canvas_test (&argc, &argv);
#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)
  ADD ("/canvas/asks/13-wheel", test_wheel);
  ADD ("/canvas/asks/14-view-while-wiring", test_view_while_wiring);
  ADD ("/canvas/asks/15-no-middle-button", test_no_middle_button);
  ADD ("/canvas/asks/16-view-kept", test_view_kept);
  ADD ("/canvas/asks/17-minimap", test_minimap);
  ADD ("/canvas/asks/18-grid", test_grid);
  return g_test_run ();
}

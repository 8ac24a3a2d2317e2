/* The canvas in a window: what real pointer and key events and its actions do to the document, what
 * assistive technology is told, and pictures of its states.
 *
 * With WEIR_PICTURES=DIRECTORY each state is also written there as a PNG, for looking at.
 */
#include <adwaita.h>
#include <gdk/x11/gdkx.h>
#include <math.h>

#include "canvas/block-node.h"
#include "canvas/canvas.h"
#include "canvas/part-node.h"
#include "example.h"

typedef struct {
  WeirDocument *document;
  WeirCanvas *canvas;
  GtkWidget *window;
} Fixture;

static void
spin (guint milliseconds)
{
  gint64 until = g_get_monotonic_time () + milliseconds * 1000;

  while (g_get_monotonic_time () < until)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

static gboolean
run (const char *command)
{
  int status = 0;
  g_autoptr (GError) error = NULL;

  if (!g_spawn_command_line_sync (command, NULL, NULL, &status, &error))
    return FALSE;
  return g_spawn_check_wait_status (status, NULL);
}

static void
set_up_with (Fixture *fixture, WeirDocument *document)
{
  GdkSurface *surface;
  g_autofree char *command = NULL;

  fixture->document = document;
  fixture->canvas = WEIR_CANVAS (weir_canvas_new (document));
  fixture->window = adw_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 900, 500);
  adw_window_set_content (ADW_WINDOW (fixture->window), GTK_WIDGET (fixture->canvas));
  gtk_window_present (GTK_WINDOW (fixture->window));
  gtk_test_widget_wait_for_draw (GTK_WIDGET (fixture->canvas));
  gtk_widget_grab_focus (GTK_WIDGET (fixture->canvas));
  /* There is no window manager to do it. */
  surface = gtk_native_get_surface (GTK_NATIVE (fixture->window));
  command = g_strdup_printf ("xdotool windowfocus --sync %lu",
                             gdk_x11_surface_get_xid (GDK_SURFACE (surface)));
  g_assert_true (run (command));
  spin (20);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  set_up_with (fixture, example_document ());
}

static void
set_up_empty (Fixture *fixture, gconstpointer data)
{
  set_up_with (fixture, weir_document_new ());
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  WeirCanvas *canvas = g_object_ref (fixture->canvas);

  gtk_window_destroy (GTK_WINDOW (fixture->window));
  spin (20);
  g_assert_finalize_object (canvas);
  g_assert_finalize_object (fixture->document);
}

/* --- Helpers ------------------------------------------------------------------------------------- */

static void
picture (Fixture *fixture, const char *name)
{
  const char *directory = g_getenv ("WEIR_PICTURES");
  g_autoptr (GdkPaintable) paintable = NULL;
  g_autoptr (GtkSnapshot) snapshot = NULL;
  g_autoptr (GskRenderNode) node = NULL;
  g_autofree char *path = NULL;
  cairo_surface_t *surface;
  cairo_t *cr;
  int width = gtk_widget_get_width (fixture->window);
  int height = gtk_widget_get_height (fixture->window);

  if (directory == NULL)
    return;
  spin (60);
  paintable = gtk_widget_paintable_new (fixture->window);
  snapshot = gtk_snapshot_new ();
  gdk_paintable_snapshot (paintable, GDK_SNAPSHOT (snapshot), width, height);
  node = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cr = cairo_create (surface);
  gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  path = g_strdup_printf ("%s/%s.png", directory, name);
  cairo_surface_write_to_png (surface, path);
  cairo_surface_destroy (surface);
}

/* With what pops up. */
static void
screen_picture (const char *name)
{
  const char *directory = g_getenv ("WEIR_PICTURES");
  g_autofree char *command = NULL;

  if (directory == NULL)
    return;
  command = g_strdup_printf ("import -window root -crop 900x700+0+0 %s/%s.png", directory, name);
  g_assert_true (run (command));
}

static const WeirDiagram *
get_root (Fixture *fixture)
{
  return weir_model_get_root (weir_document_get_model (fixture->document));
}

static WeirPoint
get_position (Fixture *fixture, guint32 id)
{
  return weir_block_get_position (weir_diagram_find_block (get_root (fixture), id));
}

static GtkWidget *
find_node (Fixture *fixture, guint32 id)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (fixture->canvas)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (WEIR_IS_BLOCK_NODE (child) && weir_block_node_get_id (WEIR_BLOCK_NODE (child)) == id)
      return child;
  return NULL;
}

/* A point of a block's box, as fractions, in widget pixels. */
static WeirPoint
at_block (Fixture *fixture, guint32 id, double fx, double fy)
{
  graphene_rect_t bounds;

  gtk_test_widget_wait_for_draw (GTK_WIDGET (fixture->canvas));
  g_assert_true (gtk_widget_compute_bounds (find_node (fixture, id),
                                            GTK_WIDGET (fixture->canvas), &bounds));
  return (WeirPoint) { (double) bounds.origin.x + fx * (double) bounds.size.width,
                       (double) bounds.origin.y + fy * (double) bounds.size.height };
}

static WeirPoint
to_screen (Fixture *fixture, WeirPoint at)
{
  double dx, dy, x, y;

  gtk_native_get_surface_transform (GTK_NATIVE (fixture->window), &dx, &dy);
  g_assert_true (gtk_widget_translate_coordinates (GTK_WIDGET (fixture->canvas), fixture->window,
                                                   at.x, at.y, &x, &y));
  return (WeirPoint) { x + dx, y + dy };
}

static void xdo (Fixture *fixture, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
xdo (Fixture *fixture, const char *format, ...)
{
  va_list args;
  g_autofree char *rest = NULL;
  g_autofree char *command = NULL;

  va_start (args, format);
  rest = g_strdup_vprintf (format, args);
  va_end (args);
  command = g_strdup_printf ("xdotool %s", rest);
  g_assert_true (run (command));
  spin (60);
}

static void
move_pointer (Fixture *fixture, WeirPoint at)
{
  WeirPoint p = to_screen (fixture, at);

  xdo (fixture, "mousemove %d %d", (int) lround (p.x), (int) lround (p.y));
}

static void
drag (Fixture *fixture, int button, WeirPoint from, WeirPoint to)
{
  move_pointer (fixture, from);
  xdo (fixture, "mousedown %d", button);
  move_pointer (fixture, (WeirPoint) { (from.x + to.x) / 2, (from.y + to.y) / 2 });
  move_pointer (fixture, to);
  xdo (fixture, "mouseup %d", button);
}

static void
click (Fixture *fixture, WeirPoint at)
{
  move_pointer (fixture, at);
  xdo (fixture, "click 1");
  spin (450); /* not the first half of a double click */
}

static void
act (Fixture *fixture, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->canvas), action, NULL));
  spin (20);
}

/* --- Tests --------------------------------------------------------------------------------------- */

static void
test_pictures (Fixture *fixture, gconstpointer data)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();

  picture (fixture, "light");
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_DARK);
  spin (300);
  picture (fixture, "dark");
  weir_canvas_select_block (fixture->canvas, EXAMPLE_SUM);
  picture (fixture, "dark-selected");
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_LIGHT);
  spin (300);
  act (fixture, "canvas.select-all");
  picture (fixture, "all-selected");
  act (fixture, "canvas.select-none");
  for (int i = 0; i < 5; i++)
    act (fixture, "canvas.zoom-out");
  g_assert_cmpfloat (weir_canvas_get_zoom (fixture->canvas), <, 0.5);
  picture (fixture, "zoomed-out");
  act (fixture, "canvas.zoom-fit");
}

static void
test_move (Fixture *fixture, gconstpointer data)
{
  WeirPoint before = get_position (fixture, EXAMPLE_SCOPE);
  WeirPoint from = at_block (fixture, EXAMPLE_SCOPE, 0.5, 0.5), after;
  double zoom = weir_canvas_get_zoom (fixture->canvas);

  drag (fixture, 1, from, (WeirPoint) { from.x - 43 * zoom, from.y + 78 * zoom });
  after = get_position (fixture, EXAMPLE_SCOPE);
  g_assert_cmpfloat (after.x, ==, before.x - 40); /* snapped */
  g_assert_cmpfloat (after.y, ==, before.y + 80);
  g_assert_cmpuint (weir_canvas_get_selected_block (fixture->canvas), ==, EXAMPLE_SCOPE);
  g_assert_cmpstr (weir_document_get_undo_label (fixture->document), ==, "Move 1 block");
  picture (fixture, "moved");
  weir_document_undo (fixture->document);
  g_assert_cmpfloat (get_position (fixture, EXAMPLE_SCOPE).y, ==, before.y);
}

static void
test_wire (Fixture *fixture, gconstpointer data)
{
  guint before = weir_diagram_get_n_wires (get_root (fixture));
  WeirPoint from, to;

  weir_canvas_select_wire (fixture->canvas, EXAMPLE_WIRE_GAIN_SUM);
  act (fixture, "canvas.delete");
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, before - 1);
  from = at_block (fixture, EXAMPLE_GAIN, 1, 0.5);
  to = at_block (fixture, EXAMPLE_SUM, 0, 0.5);

  move_pointer (fixture, from);
  xdo (fixture, "mousedown 1");
  move_pointer (fixture, (WeirPoint) { from.x + 20, from.y + 40 });
  picture (fixture, "wiring");
  move_pointer (fixture, at_block (fixture, EXAMPLE_INTEGRATOR, 0, 0.5));
  picture (fixture, "wiring-refused");
  move_pointer (fixture, to);
  picture (fixture, "wiring-target");
  xdo (fixture, "mouseup 1");
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, before);
  g_assert_cmpstr (weir_document_get_undo_label (fixture->document), ==, "Connect Gain to Sum");
}

static void
test_wire_by_keyboard (Fixture *fixture, gconstpointer data)
{
  weir_canvas_select_wire (fixture->canvas, EXAMPLE_WIRE_GAIN_SUM);
  act (fixture, "canvas.delete");
  click (fixture, at_block (fixture, EXAMPLE_GAIN, 0.4, 0.3));
  xdo (fixture, "key c");
  picture (fixture, "keyboard-wiring");
  xdo (fixture, "key Return");
  g_assert_cmpstr (weir_document_get_undo_label (fixture->document), ==, "Connect Gain to Sum");
}

static void
test_delete_takes_wires (Fixture *fixture, gconstpointer data)
{
  /* Two wires come in: which of them to go on with cannot be told. */
  click (fixture, at_block (fixture, EXAMPLE_SUM, 0.5, 0.3));
  g_assert_cmpuint (weir_canvas_get_selected_block (fixture->canvas), ==, EXAMPLE_SUM);
  xdo (fixture, "key Delete");
  g_assert_null (weir_diagram_find_block (get_root (fixture), EXAMPLE_SUM));
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, 3);
  weir_document_undo (fixture->document);
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, 6);
  /* One in, one out: the connection heals. */
  click (fixture, at_block (fixture, EXAMPLE_INTEGRATOR, 0.5, 0.3));
  xdo (fixture, "key Delete");
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, 5);
  g_assert_cmpuint (weir_wire_get_from (weir_diagram_find_wire (get_root (fixture),
                                                                EXAMPLE_WIRE_INTEGRATOR_PLANT))
                      .block,
                    ==, EXAMPLE_SUM);
  weir_document_undo (fixture->document);
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, 6);
}

static void
test_nudge_merges (Fixture *fixture, gconstpointer data)
{
  WeirPoint before = get_position (fixture, EXAMPLE_GAIN);

  click (fixture, at_block (fixture, EXAMPLE_GAIN, 0.4, 0.3));
  xdo (fixture, "key Down Down shift+Right");
  g_assert_cmpfloat (get_position (fixture, EXAMPLE_GAIN).y, ==, before.y + 20);
  g_assert_cmpfloat (get_position (fixture, EXAMPLE_GAIN).x, ==, before.x + 1);
  weir_document_undo (fixture->document);
  g_assert_cmpfloat (get_position (fixture, EXAMPLE_GAIN).y, ==, before.y);
}

static void
test_clipboard (Fixture *fixture, gconstpointer data)
{
  guint n;

  weir_canvas_select_block (fixture->canvas, EXAMPLE_PLANT);
  act (fixture, "canvas.copy");
  act (fixture, "canvas.paste");
  spin (200);
  g_assert_cmpuint (weir_diagram_get_n_blocks (get_root (fixture)), ==, 7);
  weir_canvas_get_selected (fixture->canvas, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_nonnull (weir_diagram_find_block_by_name (get_root (fixture), "plant2"));
  act (fixture, "canvas.duplicate");
  g_assert_cmpuint (weir_diagram_get_n_blocks (get_root (fixture)), ==, 8);
  picture (fixture, "pasted");
}

static void
test_places (Fixture *fixture, gconstpointer data)
{
  guint n_changes = 0;

  g_signal_connect_swapped (fixture->canvas, "place-changed", G_CALLBACK (g_atomic_int_inc),
                            &n_changes);
  weir_canvas_select_block (fixture->canvas, EXAMPLE_PLANT);
  act (fixture, "canvas.enter");
  g_assert_cmpuint (weir_canvas_get_place (fixture->canvas).n_ids, ==, 1);
  g_assert_cmpuint (n_changes, ==, 1);
  picture (fixture, "inside");
  weir_canvas_select_block (fixture->canvas, EXAMPLE_INNER_GAIN);
  {
    g_autofree char *path = weir_canvas_get_selected_port (fixture->canvas);

    g_assert_cmpstr (path, ==, "plant.Gain.y");
  }
  act (fixture, "canvas.leave");
  g_assert_cmpuint (weir_canvas_get_selected_block (fixture->canvas), ==, EXAMPLE_PLANT);
  /* What is selected may be anywhere. */
  weir_canvas_select_wire (fixture->canvas, EXAMPLE_WIRE_OUT);
  g_assert_cmpuint (weir_canvas_get_place (fixture->canvas).n_ids, ==, 1);
  /* When the place goes, the canvas leaves it. */
  {
    g_autoptr (WeirPatch) patch = weir_patch_new ();

    weir_patch_remove_wire (patch, WEIR_PLACE_ROOT, EXAMPLE_WIRE_INTEGRATOR_PLANT);
    weir_patch_remove_wire (patch, WEIR_PLACE_ROOT, EXAMPLE_WIRE_PLANT_SCOPE);
    weir_patch_remove_wire (patch, WEIR_PLACE_ROOT, EXAMPLE_WIRE_FEEDBACK);
    weir_patch_remove_block (patch, WEIR_PLACE_ROOT, EXAMPLE_PLANT);
    g_assert_true (weir_document_edit (fixture->document, patch, "Remove", NULL, NULL));
  }
  g_assert_cmpuint (weir_canvas_get_place (fixture->canvas).n_ids, ==, 0);
  g_assert_cmpuint (n_changes, ==, 4);
}

static void
test_problems (Fixture *fixture, gconstpointer data)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "NET02", "Sum", EXAMPLE_SUM, 0, 0,
                        "Input in2 is not connected.");
  weir_diagnostics_add (diagnostics, WEIR_SEVERITY_WARNING, "X", "Gain", EXAMPLE_GAIN, 0, 0, "Odd.");
  weir_diagnostics_add (diagnostics, WEIR_SEVERITY_HINT, "Y", "Scope", EXAMPLE_SCOPE, 0, 0, "Fine.");
  weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "NET03", "", 0, EXAMPLE_WIRE_FEEDBACK, 0,
                        "Sizes differ.");
  weir_canvas_set_diagnostics (fixture->canvas, diagnostics);
  picture (fixture, "problems");
  gtk_test_accessible_assert_property (
    find_node (fixture, EXAMPLE_SUM), GTK_ACCESSIBLE_PROPERTY_LABEL,
    "Sum, Sum, input in1 from Gain.y, input in2 from plant.y, output y to Integrator.u. "
    "Input in2 is not connected.");
}

static GtkWidget *
find_part (GtkWidget *parent, const char *name)
{
  for (GtkWidget *child = gtk_widget_get_first_child (parent); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (WEIR_IS_PART_NODE (child)
        && gtk_test_accessible_check_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL, name)
             == NULL)
      return child;
  return NULL;
}

/* Ports and wires are parts of the tree with their connections, state and problems, and follow edits. */
static void
test_accessible_parts (Fixture *fixture, gconstpointer data)
{
  GtkWidget *canvas = GTK_WIDGET (fixture->canvas), *wire;
  GtkWidget *sum = find_node (fixture, EXAMPLE_SUM);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  g_assert_nonnull (find_part (sum, "Sum: input in1 from Gain.y"));
  g_assert_nonnull (find_part (sum, "Sum: output y to Integrator.u"));
  wire = find_part (canvas, "Wire from plant.y to Sum.in2");
  g_assert_nonnull (wire);
  g_assert_cmpstr (gtk_test_accessible_check_state (GTK_ACCESSIBLE (wire), GTK_ACCESSIBLE_STATE_SELECTED,
                                                    FALSE), ==, NULL);
  weir_canvas_select_wire (fixture->canvas, EXAMPLE_WIRE_FEEDBACK);
  g_assert_cmpstr (gtk_test_accessible_check_state (GTK_ACCESSIBLE (wire), GTK_ACCESSIBLE_STATE_SELECTED,
                                                    TRUE), ==, NULL);
  gtk_widget_activate_action (canvas, "canvas.delete", NULL);
  g_assert_null (find_part (canvas, "Wire from plant.y to Sum.in2"));
  g_assert_nonnull (find_part (sum, "Sum: input in2 not connected"));
  weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "NET02", "Sum", EXAMPLE_SUM, 0, 0, "Open.");
  weir_diagnostics_set_subject (diagnostics, "in2");
  weir_canvas_set_diagnostics (fixture->canvas, diagnostics);
  g_assert_nonnull (find_part (sum, "Sum: input in2 not connected. Open."));
}

static void
test_accessible (Fixture *fixture, gconstpointer data)
{
  GtkWidget *node = find_node (fixture, EXAMPLE_PLANT);

  gtk_test_accessible_assert_role (node, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (
    node, GTK_ACCESSIBLE_PROPERTY_LABEL,
    "plant, Subsystem, input u from Integrator.y, output y to Scope.in1 and Sum.in2");
  gtk_test_accessible_assert_property (GTK_WIDGET (fixture->canvas), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Diagram");
  /* Tab goes through the blocks as one reads them, then out. */
  xdo (fixture, "key Tab");
  g_assert_cmpuint (weir_canvas_get_selected_block (fixture->canvas), ==, EXAMPLE_SINE);
  xdo (fixture, "key Tab Tab");
  g_assert_cmpuint (weir_canvas_get_selected_block (fixture->canvas), ==, EXAMPLE_SUM);
  picture (fixture, "focused");
  xdo (fixture, "key shift+Tab");
  g_assert_cmpuint (weir_canvas_get_selected_block (fixture->canvas), ==, EXAMPLE_GAIN);
  gtk_test_accessible_assert_property (GTK_WIDGET (fixture->canvas),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "Gain selected");
  xdo (fixture, "key ctrl+Right ctrl+Right");
  g_assert_cmpuint (weir_canvas_get_selected_block (fixture->canvas), ==, EXAMPLE_INTEGRATOR);
}

static void
test_view (Fixture *fixture, gconstpointer data)
{
  WeirPoint before = at_block (fixture, EXAMPLE_SUM, 0.5, 0.5), after;
  double zoom = weir_canvas_get_zoom (fixture->canvas);

  drag (fixture, 2, (WeirPoint) { 100, 300 }, (WeirPoint) { 160, 330 });
  after = at_block (fixture, EXAMPLE_SUM, 0.5, 0.5);
  g_assert_cmpfloat_with_epsilon (after.x - before.x, 60, 1.5);
  g_assert_cmpfloat_with_epsilon (after.y - before.y, 30, 1.5);

  move_pointer (fixture, after);
  xdo (fixture, "keydown ctrl click 4 keyup ctrl");
  g_assert_cmpfloat_with_epsilon (weir_canvas_get_zoom (fixture->canvas), zoom * 1.25, 1e-9);
  before = at_block (fixture, EXAMPLE_SUM, 0.5, 0.5);
  g_assert_cmpfloat_with_epsilon (after.x, before.x, 2); /* stays under the pointer */

  xdo (fixture, "click 5");
  after = at_block (fixture, EXAMPLE_SUM, 0.5, 0.5);
  g_assert_cmpfloat (after.y, <, before.y - 20);
  xdo (fixture, "key space");
  g_assert_cmpfloat_with_epsilon (weir_canvas_get_zoom (fixture->canvas), zoom, 0.2);
  xdo (fixture, "key ctrl+0");
  g_assert_cmpfloat (weir_canvas_get_zoom (fixture->canvas), ==, 1);
}

static void
test_band_and_escape (Fixture *fixture, gconstpointer data)
{
  WeirPoint a = at_block (fixture, EXAMPLE_SINE, 0, 0), b = at_block (fixture, EXAMPLE_SUM, 1, 1);
  guint n_blocks, n_wires;

  move_pointer (fixture, (WeirPoint) { a.x - 12, a.y - 15 });
  xdo (fixture, "mousedown 1");
  move_pointer (fixture, (WeirPoint) { b.x + 14, b.y + 25 });
  picture (fixture, "band");
  xdo (fixture, "mouseup 1");
  weir_canvas_get_selected (fixture->canvas, &n_blocks);
  weir_canvas_get_selected_wires (fixture->canvas, &n_wires);
  g_assert_cmpuint (n_blocks, ==, 3);
  g_assert_cmpuint (n_wires, ==, 2);
  xdo (fixture, "key Escape");
  weir_canvas_get_selected (fixture->canvas, &n_blocks);
  g_assert_cmpuint (n_blocks, ==, 0);
}

static void
test_quick_insert (Fixture *fixture, gconstpointer data)
{
  picture (fixture, "empty");
  move_pointer (fixture, (WeirPoint) { 300, 200 });
  xdo (fixture, "click --repeat 2 --delay 60 1");
  spin (300);
  xdo (fixture, "type --delay 20 integ");
  spin (300);
  screen_picture ("quick-insert");
  xdo (fixture, "key Return");
  spin (200);
  g_assert_cmpuint (weir_diagram_get_n_blocks (get_root (fixture)), ==, 1);
  g_assert_nonnull (weir_diagram_find_block_by_name (get_root (fixture), "Integrator"));
  g_assert_cmpuint (weir_canvas_get_selected_block (fixture->canvas), !=, 0);
  /* The keys are the canvas's again. */
  xdo (fixture, "key ctrl+d");
  g_assert_cmpuint (weir_diagram_get_n_blocks (get_root (fixture)), ==, 2);
  weir_canvas_add_block (fixture->canvas, "Scope");
  g_assert_cmpuint (weir_diagram_get_n_blocks (get_root (fixture)), ==, 3);
  g_assert_cmpuint (weir_canvas_add_block (fixture->canvas, "NoSuchType"), ==, 0);
  picture (fixture, "inserted");
}

static void
test_rename (Fixture *fixture, gconstpointer data)
{
  click (fixture, at_block (fixture, EXAMPLE_GAIN, 0.4, 0.3));
  xdo (fixture, "key F2");
  spin (200);
  xdo (fixture, "key ctrl+a");
  xdo (fixture, "type --delay 20 Scope");
  spin (100);
  screen_picture ("rename");
  xdo (fixture, "key Return"); /* taken: refused */
  g_assert_nonnull (weir_diagram_find_block_by_name (get_root (fixture), "Gain"));
  xdo (fixture, "type --delay 20 Two");
  xdo (fixture, "key Return");
  g_assert_nonnull (weir_diagram_find_block_by_name (get_root (fixture), "ScopeTwo"));
}

static void
test_menu (Fixture *fixture, gconstpointer data)
{
  move_pointer (fixture, at_block (fixture, EXAMPLE_PLANT, 0.5, 0.3));
  xdo (fixture, "click 3");
  spin (300);
  g_assert_cmpuint (weir_canvas_get_selected_block (fixture->canvas), ==, EXAMPLE_PLANT);
  screen_picture ("menu");
  xdo (fixture, "key Escape");
  spin (100);
}

static void
keep_path (WeirCanvas *canvas, const char *path, char **kept)
{
  g_free (*kept);
  *kept = g_strdup (path);
}

static void
test_plot_port (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;

  g_signal_connect (fixture->canvas, "plot-port", G_CALLBACK (keep_path), &path);
  weir_canvas_select_wire (fixture->canvas, EXAMPLE_WIRE_FEEDBACK);
  act (fixture, "canvas.plot-port");
  g_assert_cmpstr (path, ==, "plant.y");
  weir_canvas_select_block (fixture->canvas, EXAMPLE_SINE);
  act (fixture, "canvas.plot-port");
  g_assert_cmpstr (path, ==, "reference.y");
}

static void
test_branch (Fixture *fixture, gconstpointer data)
{
  WeirPoint wire, to;

  weir_canvas_select_wire (fixture->canvas, EXAMPLE_WIRE_FEEDBACK);
  act (fixture, "canvas.delete");
  to = at_block (fixture, EXAMPLE_SUM, 0.5, 1);
  wire = at_block (fixture, EXAMPLE_PLANT, 1, 0.5);
  wire.x += 20;
  drag (fixture, 3, wire, to);
  g_assert_cmpstr (weir_document_get_undo_label (fixture->document), ==, "Connect plant to Sum");
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv);
  adw_init ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, "gtk-cursor-blink",
                FALSE, NULL);
#define ADD(path, set, test) g_test_add (path, Fixture, NULL, set, test, tear_down)
  ADD ("/canvas/widget/pictures", set_up, test_pictures);
  ADD ("/canvas/widget/move", set_up, test_move);
  ADD ("/canvas/widget/wire", set_up, test_wire);
  ADD ("/canvas/widget/wire-by-keyboard", set_up, test_wire_by_keyboard);
  ADD ("/canvas/widget/branch", set_up, test_branch);
  ADD ("/canvas/widget/delete-takes-wires", set_up, test_delete_takes_wires);
  ADD ("/canvas/widget/nudge-merges", set_up, test_nudge_merges);
  ADD ("/canvas/widget/clipboard", set_up, test_clipboard);
  ADD ("/canvas/widget/places", set_up, test_places);
  ADD ("/canvas/widget/problems", set_up, test_problems);
  ADD ("/canvas/widget/accessible", set_up, test_accessible);
  ADD ("/canvas/widget/accessible-parts", set_up, test_accessible_parts);
  ADD ("/canvas/widget/view", set_up, test_view);
  ADD ("/canvas/widget/band-and-escape", set_up, test_band_and_escape);
  ADD ("/canvas/widget/quick-insert", set_up_empty, test_quick_insert);
  ADD ("/canvas/widget/rename", set_up, test_rename);
  ADD ("/canvas/widget/menu", set_up, test_menu);
  ADD ("/canvas/widget/plot-port", set_up, test_plot_port);
  return g_test_run ();
}

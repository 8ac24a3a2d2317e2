/* A canvas in a window of its own, driven by real pointer and key events (xdotool). A test file
 * includes this.
 *
 * With WEIR_PICTURES=DIRECTORY each state is also written there as a PNG, for looking at.
 */
#pragma once

#include <adwaita.h>
#include <gdk/x11/gdkx.h>
#include <math.h>

#include "canvas/widget/block-node.h"
#include "canvas/widget/canvas.h"
#include "canvas/widget/minimap.h"
#include "example.h"

typedef struct {
  WeirDocument *document;
  WeirCanvas *canvas;
  GtkWidget *window;
} Fixture;

static inline void
spin (guint milliseconds)
{
  gint64 until = g_get_monotonic_time () + milliseconds * 1000;

  while (g_get_monotonic_time () < until)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

static inline gboolean
run (const char *command)
{
  int status = 0;
  g_autoptr (GError) error = NULL;

  if (!g_spawn_command_line_sync (command, NULL, NULL, &status, &error))
    return FALSE;
  return g_spawn_check_wait_status (status, NULL);
}

static inline void
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

static inline void
set_up (Fixture *fixture, gconstpointer data)
{
  set_up_with (fixture, example_document ());
}

static inline void
set_up_empty (Fixture *fixture, gconstpointer data)
{
  set_up_with (fixture, weir_document_new ());
}

static inline void
tear_down (Fixture *fixture, gconstpointer data)
{
  WeirCanvas *canvas = g_object_ref (fixture->canvas);

  gtk_window_destroy (GTK_WINDOW (fixture->window));
  spin (20);
  g_assert_finalize_object (canvas);
  g_assert_finalize_object (fixture->document);
}

/* --- Acting and looking ---------------------------------------------------------------------- */

static inline void
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
static inline void
screen_picture (const char *name)
{
  const char *directory = g_getenv ("WEIR_PICTURES");
  g_autofree char *command = NULL;

  if (directory == NULL)
    return;
  command = g_strdup_printf ("import -window root -crop 900x700+0+0 %s/%s.png", directory, name);
  g_assert_true (run (command));
}

static inline const WeirDiagram *
get_root (Fixture *fixture)
{
  return weir_model_get_root (weir_document_get_model (fixture->document));
}

static inline WeirPoint
get_position (Fixture *fixture, guint32 id)
{
  return weir_block_get_position (weir_diagram_find_block (get_root (fixture), id));
}

static inline GtkWidget *
find_node (Fixture *fixture, guint32 id)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (fixture->canvas)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (WEIR_IS_BLOCK_NODE (child) && weir_block_node_get_id (WEIR_BLOCK_NODE (child)) == id)
      return child;
  return NULL;
}

/* A point of a block's box, as fractions, in widget pixels. */
static inline WeirPoint
at_block (Fixture *fixture, guint32 id, double fx, double fy)
{
  graphene_rect_t bounds;

  gtk_test_widget_wait_for_draw (GTK_WIDGET (fixture->canvas));
  g_assert_true (
      gtk_widget_compute_bounds (find_node (fixture, id), GTK_WIDGET (fixture->canvas), &bounds));
  return (WeirPoint) { (double) bounds.origin.x + fx * (double) bounds.size.width,
                       (double) bounds.origin.y + fy * (double) bounds.size.height };
}

static inline WeirPoint
to_screen (Fixture *fixture, WeirPoint at)
{
  double dx, dy, x, y;

  gtk_native_get_surface_transform (GTK_NATIVE (fixture->window), &dx, &dy);
  g_assert_true (gtk_widget_translate_coordinates (GTK_WIDGET (fixture->canvas), fixture->window,
                                                   at.x, at.y, &x, &y));
  return (WeirPoint) { x + dx, y + dy };
}

static inline void xdo (Fixture *fixture, const char *format, ...) G_GNUC_PRINTF (2, 3);

static inline void
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

static inline void
move_pointer (Fixture *fixture, WeirPoint at)
{
  WeirPoint p = to_screen (fixture, at);

  xdo (fixture, "mousemove %d %d", (int) lround (p.x), (int) lround (p.y));
}

static inline void
drag (Fixture *fixture, int button, WeirPoint from, WeirPoint to)
{
  move_pointer (fixture, from);
  xdo (fixture, "mousedown %d", button);
  move_pointer (fixture, (WeirPoint) { (from.x + to.x) / 2, (from.y + to.y) / 2 });
  move_pointer (fixture, to);
  xdo (fixture, "mouseup %d", button);
}

static inline void
click (Fixture *fixture, WeirPoint at)
{
  move_pointer (fixture, at);
  xdo (fixture, "click 1");
  spin (450); /* not the first half of a double click */
}

static inline void
act (Fixture *fixture, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->canvas), action, NULL));
  spin (20);
}

static inline GtkEventController *
find_controller (Fixture *fixture, const char *name)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (GTK_WIDGET (fixture->canvas));

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (all, i);

      if (g_strcmp0 (gtk_event_controller_get_name (controller), name) == 0)
        return controller;
    }
  g_error ("no controller \"%s\"", name);
}

/* Without animations, so that what is seen is what is there. */
static inline void
init_canvas_test (int *argc, char ***argv)
{
  gtk_test_init (argc, argv);
  adw_init ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, "gtk-cursor-blink",
                FALSE, NULL);
}

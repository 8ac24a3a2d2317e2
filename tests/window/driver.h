/* Driving the whole program in a real window: every event is a real pointer or key event that the X
 * server delivers (XTest); what it did is read from the program's own objects.
 *
 * A test file includes this and calls driver_main() with its tests. With WEIR_PICTURES=DIRECTORY a
 * picture of each state is written there, for looking at. There is no window manager, so a window's
 * surface lies at 0, 0.
 */
#pragma once

#include <X11/XKBlib.h>
#include <X11/extensions/XTest.h>
#include <execinfo.h>
#include <gdk/x11/gdkx.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache/break-panel.h"
#include "cache/cache-panel.h"
#include "cosim/cosim.h"
#include "cache/explain-panel.h"
#include "cache/live-strip.h"
#include "cache/runs-panel.h"
#include "cache/slow-bar.h"
#include "canvas/widget/canvas-actions.h"
#include "canvas/widget/canvas-asks.h"
#include "canvas/widget/canvas-shown.h"
#include "canvas/widget/minimap.h"
#include "gui/host/key-display.h"
#include "gui/host/page.h"
#include "gui/parts/cache-views.h"
#include "gui/shell/gui.h"
#include "gui/shell/shortcuts.h"
#include "gui/shell/editor-private.h"
#include "lab/lab-panel.h"
#include "lab/timeline-panel.h"
#include "model/files/xml.h"
#include "panels/inspector.h"
#include "panels/lesson-editor.h"
#include "panels/lesson-panel.h"
#include "panels/outline-panel.h"
#include "panels/palette-panel.h"
#include "panels/problem-list.h"
#include "scopes/scopes.h"
#include "sim/results.h"

#define PATIENCE_US (20 * G_USEC_PER_SEC)    /* before a wait is given up as failed */
#define DOUBLE_CLICK_US (G_USEC_PER_SEC / 2) /* with some to spare */
#define SETTLE_MS 25                         /* for the program to hear of an event */

static GtkApplication *application;

/* --- Waiting --------------------------------------------------------------------------------- */

/* Runs the program that long, and then until it has nothing to do at once: on a busy machine the
 * time may pass without a turn of its loop. */
static inline void
spin (guint milliseconds)
{
  gint64 until = g_get_monotonic_time () + milliseconds * 1000;
  gint64 patience = until + G_USEC_PER_SEC;

  while (g_get_monotonic_time () < until)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
  while (g_main_context_iteration (NULL, FALSE) && g_get_monotonic_time () < patience)
    ;
}

#define wait_for(condition)                                                                        \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gint64 wait_until = g_get_monotonic_time () + PATIENCE_US;                                     \
    while (!(condition) && g_get_monotonic_time () < wait_until)                                   \
      if (!g_main_context_iteration (NULL, FALSE))                                                 \
        g_usleep (500);                                                                            \
    g_assert_true (condition);                                                                     \
  }                                                                                                \
  G_STMT_END

static inline void
subprocess_done (GObject *object, GAsyncResult *result, gpointer data)
{
  g_assert_true (g_subprocess_wait_check_finish (G_SUBPROCESS (object), result, NULL));
  *(gboolean *) data = TRUE;
}

/* Writes a picture of the screen if pictures are wanted. */
static inline void
picture (const char *name)
{
  const char *folder = g_getenv ("WEIR_PICTURES");
  g_autofree char *path = NULL;
  g_autoptr (GSubprocess) import = NULL;
  gboolean done = FALSE;

  if (folder == NULL)
    return;
  spin (400);
  path = g_strdup_printf ("%s/%s.png", folder, name);
  import = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, NULL, "import", "-window", "root", path,
                             NULL);
  g_assert_nonnull (import);
  g_subprocess_wait_check_async (import, NULL, subprocess_done, &done);
  wait_for (done);
}

/* The same in dark. */
static inline void
picture_dark (const char *name)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  picture (name);
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_DEFAULT);
}

/* --- Acting ---------------------------------------------------------------------------------- */

static inline Display *
x_display (void)
{
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  return gdk_x11_display_get_xdisplay (gdk_display_get_default ());
  G_GNUC_END_IGNORE_DEPRECATIONS
}

/* Motion is handed on with the next frame only, and what follows from it shows with the one after.
 */
static inline void
pass_frames (GtkWidget *toplevel)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (toplevel);
  gint64 patience = g_get_monotonic_time () + G_USEC_PER_SEC, until;

  if (clock == NULL || !gtk_widget_get_mapped (toplevel))
    return;
  until = gdk_frame_clock_get_frame_counter (clock) + 2;
  g_object_ref (clock);
  while (gdk_frame_clock_get_frame_counter (clock) < until && g_get_monotonic_time () < patience)
    {
      gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_FLUSH_EVENTS);
      /* Without another phase no frame is counted. */
      gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_UPDATE);
      if (!g_main_context_iteration (NULL, FALSE))
        g_usleep (500);
    }
  g_object_unref (clock);
}

static inline void
settle (void)
{
  g_autoptr (GList) toplevels = NULL;

  XSync (x_display (), False);
  spin (SETTLE_MS);
  toplevels = gtk_window_list_toplevels ();
  for (GList *l = toplevels; l != NULL; l = l->next)
    g_object_ref (l->data);
  for (GList *l = toplevels; l != NULL; l = l->next)
    {
      pass_frames (l->data);
      g_object_unref (l->data);
    }
}

/* Where a point of a widget is on the screen. */
static inline WeirPoint
on_screen (GtkWidget *widget, double x, double y)
{
  GtkNative *native = gtk_widget_get_native (widget);
  double dx, dy, wx, wy;

  gtk_native_get_surface_transform (native, &dx, &dy);
  g_assert_true (gtk_widget_translate_coordinates (widget, GTK_WIDGET (native), x, y, &wx, &wy));
  return (WeirPoint) { wx + dx, wy + dy };
}

static inline WeirPoint
middle_of (GtkWidget *widget)
{
  g_assert_nonnull (widget);
  g_assert_true (gtk_widget_get_mapped (widget));
  wait_for (gtk_widget_get_width (widget) > 0); /* shown, but laid out with the next frame only */
  spin (50);
  return on_screen (widget, gtk_widget_get_width (widget) / 2.0,
                    gtk_widget_get_height (widget) / 2.0);
}

/* Without waiting: the toolkit goes by the clock of the events, and a press that the program has
 * long known of is a long one, on a busy machine. */
static inline void
send_motion (WeirPoint point)
{
  const char *scale = g_getenv ("GDK_SCALE"); /* pixels of the screen a pixel */
  int pixels = scale != NULL ? MAX (atoi (scale), 1) : 1;

  XTestFakeMotionEvent (x_display (), -1, (int) (point.x * pixels), (int) (point.y * pixels),
                        CurrentTime);
}

static inline void
send_button (guint button, gboolean down)
{
  XTestFakeButtonEvent (x_display (), button, down, CurrentTime);
}

static inline void
point_at (WeirPoint point)
{
  send_motion (point);
  settle ();
}

static inline void
press_button (guint button, gboolean down)
{
  send_button (button, down);
  settle ();
}

static inline void
click_button_at (guint button, WeirPoint point)
{
  point_at (point);
  send_button (button, TRUE);
  press_button (button, FALSE);
}

static inline void
click_at (WeirPoint point)
{
  click_button_at (1, point);
}

static inline void
click (GtkWidget *widget)
{
  click_at (middle_of (widget));
}

static inline void
double_click_at (WeirPoint point)
{
  point_at (point);
  send_button (1, TRUE);
  send_button (1, FALSE);
  send_button (1, TRUE);
  press_button (1, FALSE);
}

/* Wheel notches at a point: positive scrolls down. */
static inline void
wheel_at (WeirPoint point, int notches)
{
  point_at (point);
  for (int i = 0; i < ABS (notches); i++)
    {
      press_button (notches > 0 ? 5 : 4, TRUE);
      press_button (notches > 0 ? 5 : 4, FALSE);
    }
}

static inline void
drag (WeirPoint from, WeirPoint to)
{
  point_at (from);
  send_button (1, TRUE);
  for (int i = 1; i <= 8; i++)
    {
      send_motion (
          (WeirPoint) { from.x + (to.x - from.x) * i / 8, from.y + (to.y - from.y) * i / 8 });
      if (i > 2) /* by then it is a drag */
        settle ();
    }
  spin (60);
  press_button (1, FALSE);
  spin (60);
}

static inline void
focus_window (GtkWindow *window)
{
  Display *display = x_display ();
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));

  XRaiseWindow (display, gdk_x11_surface_get_xid (surface));
  XSetInputFocus (display, gdk_x11_surface_get_xid (surface), RevertToPointerRoot, CurrentTime);
  wait_for (gtk_window_is_active (window));
  spin (100);
}

/* There is no window manager that hands the focus on from a window that closes. */
static inline void
hold_focus (void)
{
  g_autoptr (GList) toplevels = gtk_window_list_toplevels ();
  GtkWindow *next = NULL;

  for (GList *l = toplevels; l != NULL; l = l->next)
    {
      if (!gtk_widget_get_mapped (l->data))
        continue;
      if (gtk_window_is_active (l->data))
        return;
      if (next == NULL || gtk_window_get_transient_for (l->data) == next)
        next = l->data;
    }
  if (next != NULL)
    focus_window (next);
}

static inline void
press_key (guint symbol, GdkModifierType held)
{
  static const struct {
    GdkModifierType mask;
    KeySym key;
  } modifiers[] = { { GDK_CONTROL_MASK, GDK_KEY_Control_L },
                    { GDK_SHIFT_MASK, GDK_KEY_Shift_L },
                    { GDK_ALT_MASK, GDK_KEY_Alt_L } };
  Display *display = x_display ();
  KeyCode code = XKeysymToKeycode (display, symbol);

  g_assert_cmpuint (code, !=, 0);
  hold_focus ();
  if (XkbKeycodeToKeysym (display, code, 0, 0) != symbol
      && XkbKeycodeToKeysym (display, code, 0, 1) == symbol)
    held |= GDK_SHIFT_MASK;
  for (guint i = 0; i < G_N_ELEMENTS (modifiers); i++)
    if ((held & modifiers[i].mask) != 0)
      XTestFakeKeyEvent (display, XKeysymToKeycode (display, modifiers[i].key), True, CurrentTime);
  XTestFakeKeyEvent (display, code, True, CurrentTime);
  XTestFakeKeyEvent (display, code, False, CurrentTime);
  for (guint i = G_N_ELEMENTS (modifiers); i-- > 0;)
    if ((held & modifiers[i].mask) != 0)
      XTestFakeKeyEvent (display, XKeysymToKeycode (display, modifiers[i].key), False, CurrentTime);
  settle ();
}

/* Presses what gtk_accelerator_parse() reads, such as "<Control><Shift>e". */
static inline void
key (const char *accelerator)
{
  GdkModifierType held;
  guint symbol;

  g_assert_true (gtk_accelerator_parse (accelerator, &symbol, &held));
  press_key (symbol, held);
}

static inline void
type_text (const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    press_key (gdk_unicode_to_keyval ((guint32) *c), 0);
}

/* --- Looking --------------------------------------------------------------------------------- */

static inline GtkWidget *
find_widget (GtkWidget *root, gboolean (*matches) (GtkWidget *widget, gconstpointer data),
             gconstpointer data)
{
  if (matches (root, data))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_widget (child, matches, data);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static inline gboolean
has_label (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_label_get_text (GTK_LABEL (widget)), text) == 0;
}

static inline gboolean
has_name (GtkWidget *widget, gconstpointer name)
{
  return g_strcmp0 (gtk_widget_get_name (widget), name) == 0;
}

/* By gtk_widget_set_name(), visible or not. */
static inline GtkWidget *
find_named (GtkWidget *root, const char *name)
{
  GtkWidget *found = find_widget (root, has_name, name);

  g_assert_nonnull (found);
  return found;
}

static inline gboolean
has_type (GtkWidget *widget, gconstpointer type)
{
  return G_TYPE_CHECK_INSTANCE_TYPE (widget, *(const GType *) type)
         && gtk_widget_get_mapped (widget);
}

static inline gboolean
has_tooltip (GtkWidget *widget, gconstpointer text)
{
  const char *tooltip = gtk_widget_get_tooltip_text (widget);

  return gtk_widget_get_mapped (widget) && tooltip != NULL && g_str_has_prefix (tooltip, text);
}

static inline GtkWidget *
find_of_type (GtkWidget *root, GType type)
{
  GtkWidget *found = find_widget (root, has_type, &type);

  g_assert_nonnull (found);
  return found;
}

static inline GtkWidget *
find_label (GtkWidget *root, const char *text)
{
  return find_widget (root, has_label, text);
}

/* A dialog or other toplevel of this type, or NULL. */
static inline GtkWidget *
find_toplevel (GType type)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *l = windows; l != NULL; l = l->next)
    if (G_TYPE_CHECK_INSTANCE_TYPE (l->data, type) && gtk_widget_get_mapped (l->data))
      return l->data;
  return NULL;
}

/* --- The window and its model ---------------------------------------------------------------- */

/* The toplevel that it is a tab of, header bar included. */
static inline GtkWidget *
toplevel_of (WeirEditor *editor)
{
  return GTK_WIDGET (weir_host_get_toplevel (WEIR_HOST (editor)));
}

static inline WeirEditor *
editor_open (void)
{
  WeirEditor *editor = weir_window_add (weir_window_new (application), weir_editor_new ());

  weir_window_present (editor);
  gtk_test_widget_wait_for_draw (toplevel_of (editor));
  focus_window (GTK_WINDOW (toplevel_of (editor)));
  return editor;
}

/* A page, part or what it shows. */
static inline gpointer
part_of (WeirEditor *editor, GType type)
{
  gpointer part = weir_host_find (WEIR_HOST (editor), type);

  g_assert_nonnull (part);
  return part;
}

/* The tab that a page's panel is shown by. */
static inline GtkStackPage *
tab_of (WeirEditor *editor, GType type)
{
  GtkWidget *page = gtk_widget_get_ancestor (part_of (editor, type), WEIR_TYPE_PAGE);

  return gtk_stack_get_page (GTK_STACK (gtk_widget_get_parent (page)), page);
}

/* As who looks at the cache does. */
static inline void
look_at_cache (WeirEditor *editor)
{
  weir_host_set_perspective (WEIR_HOST (editor), WEIR_PERSPECTIVE_CACHE);
}

/* The badge of verification. */
static inline GtkWidget *
verify_button_of (WeirEditor *editor)
{
  return find_named (editor->header, "weir-verify");
}

static inline const char *
verify_text_of (WeirEditor *editor)
{
  return gtk_label_get_text (GTK_LABEL (find_named (editor->header, "weir-verify-text")));
}

static inline void
editor_close (WeirEditor *editor)
{
  gtk_window_destroy (GTK_WINDOW (toplevel_of (editor)));
  spin (50);
}

/* Types a path into the file chooser that is open and accepts it. */
static inline void
choose_path (const char *path)
{
  GtkWidget *chooser;

  wait_for ((chooser = find_toplevel (GTK_TYPE_FILE_CHOOSER_DIALOG)) != NULL);
  focus_window (GTK_WINDOW (chooser));
  if (gtk_file_chooser_get_action (GTK_FILE_CHOOSER (chooser)) == GTK_FILE_CHOOSER_ACTION_SAVE)
    key ("<Control>a"); /* the name proposed, with its suffix */
  type_text (path);
  spin (300);
  picture ("06-chooser");
  key ("Return");
}

static inline GFile *
example_file (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "examples", name, NULL);

  return g_file_new_for_path (path);
}

static inline WeirEditor *
window_open_example (const char *name)
{
  WeirEditor *editor = editor_open ();
  g_autoptr (GFile) file = example_file (name);

  g_assert_true (weir_editor_open (editor, file));
  return editor;
}

/* As the program opens what it is given, and waits for it. */
static inline void
open_beside (WeirEditor *editor, GFile *file)
{
  GtkApplication *program = gtk_window_get_application (
      weir_host_get_toplevel (WEIR_HOST (editor)));
  g_autoptr (GPtrArray) all = NULL;

  weir_editor_open_beside (editor, file);
  all = weir_window_list_all (program);
  for (guint i = 0; i < all->len; i++)
    wait_for (weir_editor_get_opening (g_ptr_array_index (all, i)) == NULL);
}

/* The model of a lesson, too, is read in a thread. */
static inline void
wait_for_opening (WeirEditor *editor)
{
  wait_for (weir_editor_get_opening (editor) == NULL);
}

static inline WeirDiagram *
root_diagram (WeirEditor *editor)
{
  return weir_model_get_root (weir_document_get_model (editor->document));
}

static inline WeirBlock *
find_block (WeirEditor *editor, const char *name)
{
  WeirBlock *block = weir_diagram_find_block_by_name (root_diagram (editor), name);

  g_assert_nonnull (block);
  return block;
}

static inline WeirPoint
port_on_screen (WeirEditor *editor, const char *block, const char *port, gboolean is_output)
{
  const WeirBlockShape *shape = weir_scene_find_block (
      editor->canvas->scene, weir_block_get_id (find_block (editor, block)));

  g_assert_nonnull (shape);
  for (guint i = 0; i < shape->n_inputs + shape->n_outputs; i++)
    if (shape->ports[i].is_output == is_output && g_str_equal (shape->ports[i].name, port))
      {
        WeirPoint pixel = weir_viewport_to_pixel (&editor->canvas->viewport,
                                                  shape->ports[i].position);

        return on_screen (GTK_WIDGET (editor->canvas), pixel.x, pixel.y);
      }
  g_assert_not_reached ();
}

static inline WeirPoint
block_on_screen (WeirEditor *editor, const char *block)
{
  WeirPoint pixel = weir_viewport_to_pixel (
      &editor->canvas->viewport,
      weir_rect_get_center (weir_scene_find_block (editor->canvas->scene,
                                                   weir_block_get_id (find_block (editor, block)))
                                ->box));

  return on_screen (GTK_WIDGET (editor->canvas), pixel.x, pixel.y);
}

/* An empty spot of the canvas, to give it the keyboard and select nothing; clear of the handle
 * between the panes, which takes clicks some pixels beside it. Two such clicks are never a double
 * click, however quick the program is between them. */
static inline void
click_canvas (WeirEditor *editor)
{
  static gint64 last = -DOUBLE_CLICK_US;
  gint64 patience = last + DOUBLE_CLICK_US - g_get_monotonic_time ();

  if (patience > 0)
    spin ((guint) (patience / 1000) + 1);
  click_at (on_screen (GTK_WIDGET (editor->canvas), 20, 20));
  last = g_get_monotonic_time ();
}

static inline const char *
shown_page (WeirEditor *editor)
{
  return weir_host_get_shown_page (WEIR_HOST (editor));
}

static inline WeirSession *
session_of (WeirEditor *editor)
{
  WeirSession *session;

  wait_for (!weir_runner_is_starting (editor->runner));
  session = weir_runner_get_session (editor->runner);
  g_assert_nonnull (session);
  return session;
}

static inline gboolean
run_is_over (WeirEditor *editor)
{
  WeirSession *session = weir_runner_get_session (editor->runner);

  return !weir_runner_is_starting (editor->runner) && session != NULL
         && weir_session_get_state (session) == WEIR_SESSION_FINISHED;
}

static inline GBytes *
recorded (WeirEditor *editor)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();

  g_assert_true (weir_results_write (weir_result_format_get (0),
                                     weir_session_get_recorder (session_of (editor)), NULL, stream,
                                     NULL));
  g_assert_true (g_output_stream_close (stream, NULL, NULL));
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
}

static inline void
set_setting (WeirEditor *editor, const char *name, const char *text)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();

  weir_patch_set_setting (patch, name, text);
  g_assert_true (weir_document_edit (editor->document, patch, "Change Setting", NULL, NULL));
}

/* Of a block of the root. */
static inline void
set_parameter (WeirEditor *editor, const char *block, const char *name, const char *text)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirBlock) edited = weir_block_with_parameter (find_block (editor, block), name, text);

  weir_patch_set_block (patch, (WeirPlace) { 0 }, edited);
  g_assert_true (weir_document_edit (editor->document, patch, "Edit", NULL, NULL));
}

/* The name of a block in the library, not that of a group. */
static inline gboolean
is_block_label (GtkWidget *widget, gconstpointer text)
{
  return has_label (widget, text) && !gtk_widget_has_css_class (widget, "heading");
}

/* Adds a block by typing its name into the palette's search and dragging the row onto
 * the canvas. */
static inline void
drag_from_palette (WeirEditor *editor, const char *title, double x, double y)
{
  guint before = weir_diagram_get_n_blocks (root_diagram (editor));

  key ("<Control><Shift>f");
  key ("<Control>a");
  type_text (title);
  spin (300); /* the search entry waits for a pause in typing */
  drag (middle_of (find_widget (part_of (editor, WEIR_TYPE_PALETTE_PANEL), is_block_label, title)),
        on_screen (GTK_WIDGET (editor->canvas), x, y));
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == before + 1);
  click_canvas (editor);
}

/* A field of the inspector, by its label. */
static inline gboolean
is_field (GtkWidget *widget, gconstpointer caption)
{
  return (GTK_IS_ENTRY (widget) || GTK_IS_SWITCH (widget) || GTK_IS_DROP_DOWN (widget))
         && gtk_widget_get_mapped (widget)
         && gtk_test_accessible_check_property (
                GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, (const char *) caption)
                == NULL;
}

static inline GtkWidget *
find_field (WeirEditor *editor, const char *caption)
{
  GtkWidget *field = find_widget (part_of (editor, WEIR_TYPE_INSPECTOR), is_field, caption);

  if (field == NULL)
    g_error ("there is no field '%s'", caption);
  return field;
}

/* What the newest run recorded last of a signal. */
static inline double
last_value (WeirEditor *editor, const char *signal)
{
  WeirRecorder *recorder = weir_session_get_recorder (session_of (editor));
  guint found;

  if (!weir_recorder_find_signal (recorder, signal, &found))
    g_error ("no signal \"%s\"", signal);
  return weir_recorder_get_value (recorder, found, weir_recorder_get_n_rows (recorder) - 1);
}

/* Is all of the diagram in view, with what is at its edge? */
static inline gboolean
sees_all (WeirEditor *editor)
{
  WeirRect seen = weir_viewport_get_visible (&editor->canvas->viewport);
  WeirRect reach = weir_scene_get_reach (editor->canvas->scene);

  return reach.x >= seen.x && reach.y >= seen.y && reach.x + reach.width <= seen.x + seen.width
         && reach.y + reach.height <= seen.y + seen.height;
}

/* A window with a model of this text, in a file that @file is (transfer full); NULL: it stays. */
static inline WeirEditor *
editor_open_text (const char *text, GFile **file)
{
  g_autofree char *name = NULL;
  g_autoptr (GFile) made = NULL;
  WeirEditor *editor = editor_open ();

  g_close (g_file_open_tmp ("weir-XXXXXX.weir", &name, NULL), NULL);
  g_assert_true (g_file_set_contents (name, text, -1, NULL));
  made = g_file_new_for_path (name);
  g_assert_true (weir_editor_open (editor, made));
  if (file != NULL)
    *file = g_steal_pointer (&made);
  return editor;
}

/* --- Running the tests ----------------------------------------------------------------------- */

static int driver_result;
static GLogFunc driver_log;

/* What ends a test by a message says where it came from: such a thing may happen once in a thousand
 * runs. */
static inline void
tell_where (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  void *frames[64];

  if ((level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_ERROR)) != 0)
    backtrace_symbols_fd (frames, backtrace (frames, G_N_ELEMENTS (frames)), STDERR_FILENO);
  driver_log (domain, level, message, data);
}

static inline void
driver_activate (G_GNUC_UNUSED GApplication *app, G_GNUC_UNUSED gpointer data)
{
  weir_gui_init (application);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, "gtk-cursor-blink",
                FALSE, NULL);
  driver_result = g_test_run ();
}

/* The tests are added already. */
static inline int
driver_main (void)
{
  weir_cosim_provide (); /* as the program does */
  driver_log = g_log_set_default_handler (tell_where, NULL);
  application = GTK_APPLICATION (
      adw_application_new ("org.weirsim.Weir.Test", G_APPLICATION_NON_UNIQUE));
  g_signal_connect (application, "activate", G_CALLBACK (driver_activate), NULL);
  g_application_run (G_APPLICATION (application), 0, NULL);
  g_object_unref (application);
  return driver_result;
}

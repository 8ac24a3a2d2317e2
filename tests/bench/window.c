/* Rows of the whole program: from its start to what a user sees first.
 *
 * The program runs under an X server started for it, which draws in software. A sample lasts from
 * the moment the process is made until its window shows what it is to show, read back from the
 * server.
 */
#include "bench.h"

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "model/files/xml.h"

#define SCREEN_WIDTH 1400
#define SCREEN_HEIGHT 1000
#define N_SAMPLES 7
#define PATIENCE_US (30 * G_USEC_PER_SEC)
/* What is looked at: a part of the canvas, and of the page of a program started without a file. */
#define LEFT 400
#define TOP 160
#define WIDTH 400
#define HEIGHT 200

typedef struct {
  GSubprocess *process;
  char *name; /* ":7" */
  Display *display;
  char *home; /* an empty folder */
} Server;

/* FALSE if there is no X server to start. */
static gboolean
server_open (Server *server)
{
  g_autoptr (GSubprocessLauncher)
      launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  char text[16] = "";
  int pipe[2];

  *server = (Server) { NULL };
  if (!g_unix_open_pipe (pipe, FD_CLOEXEC, NULL))
    return FALSE;
  g_subprocess_launcher_take_fd (launcher, pipe[1], 3);
  server->process = g_subprocess_launcher_spawn (
      launcher, NULL, "Xvfb", "-displayfd", "3", "-screen", "0",
      G_STRINGIFY (SCREEN_WIDTH) "x" G_STRINGIFY (SCREEN_HEIGHT) "x24", "-nolisten", "tcp",
      "-noreset", NULL);
  g_object_unref (
      g_steal_pointer (&launcher)); /* closes our copy of the end the server writes to */
  if (server->process != NULL && read (pipe[0], text, sizeof text - 1) > 0)
    {
      server->name = g_strconcat (":", g_strchomp (text), NULL);
      server->display = XOpenDisplay (server->name);
      server->home = g_dir_make_tmp ("weir-bench-XXXXXX", NULL);
    }
  close (pipe[0]);
  return server->display != NULL && server->home != NULL;
}

static void
server_close (Server *server)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", server->home);

  if (server->display != NULL)
    XCloseDisplay (server->display);
  if (server->process != NULL)
    {
      g_subprocess_force_exit (server->process);
      g_subprocess_wait (server->process, NULL, NULL);
      g_object_unref (server->process);
    }
  if (server->home != NULL)
    g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL);
  g_free (server->name);
  g_free (server->home);
}

/* How many pixels of the part looked at are light, and how many dark. The empty screen is
 * all dark. */
static void
look (Server *server, guint *light, guint *dark)
{
  XImage *image = XGetImage (server->display, DefaultRootWindow (server->display), LEFT, TOP, WIDTH,
                             HEIGHT, AllPlanes, ZPixmap);

  *light = *dark = 0;
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      if ((XGetPixel (image, x, y) & 0xff) > 0x80)
        ++*light;
      else
        ++*dark;
  XDestroyImage (image);
}

/* Seconds that a process's main thread has been on a processor. */
static double
get_processor_time (const char *pid)
{
  g_autofree char *path = g_build_filename ("/proc", pid, "schedstat", NULL), *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? 1e-9 * g_ascii_strtod (text, NULL)
                                                       : (double) NAN;
}

/* Of a program that shows itself on @server, and finds nothing of the user's. */
static void
set_environment (GSubprocessLauncher *launcher, Server *server)
{
  static const char *const settings[][2] = {
    { "GDK_BACKEND", "x11" },      { "GSK_RENDERER", "cairo" },
    { "GDK_DEBUG", "gl-disable" }, { "GSETTINGS_BACKEND", "memory" },
    { "ADW_DISABLE_PORTAL", "1" }, { "GIO_USE_VFS", "local" },
    { "GTK_A11Y", "none" },        { "DBUS_SESSION_BUS_ADDRESS", "disabled:" },
  };
  static const char *const folders[] = { "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME",
                                         "XDG_CACHE_HOME" };

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    g_subprocess_launcher_setenv (launcher, settings[i][0], settings[i][1], TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    g_subprocess_launcher_setenv (launcher, folders[i], server->home, TRUE);
  g_subprocess_launcher_setenv (launcher, "DISPLAY", server->name, TRUE);
}

/* Seconds until the window shows something, and @with_diagram: until it shows lines of a diagram.
 * @processor: (out) how long a processor worked on it. */
static double
time_start (Server *server, const char *file, gboolean with_diagram, double *processor)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDERR_SILENCE | G_SUBPROCESS_FLAGS_STDOUT_SILENCE);
  g_autoptr (GSubprocess) program = NULL;
  const char *path = g_getenv ("WEIR_PROGRAM");
  gint64 start, end = 0;
  guint light, dark;

  set_environment (launcher, server);
  start = g_get_monotonic_time ();
  program = g_subprocess_launcher_spawn (launcher, NULL, path != NULL ? path : WEIR_PROGRAM, file,
                                         NULL);
  if (program == NULL)
    return NAN;
  while (end == 0 && g_get_monotonic_time () < start + PATIENCE_US)
    {
      look (server, &light, &dark);
      if (light > WIDTH * HEIGHT / 2 && (!with_diagram || dark > WIDTH))
        {
          end = g_get_monotonic_time ();
          *processor = get_processor_time (g_subprocess_get_identifier (program));
        }
      else
        g_usleep (1000);
    }
  g_subprocess_force_exit (program);
  g_subprocess_wait (program, NULL, NULL);
  /* The window is gone from the server a little later than its process. */
  do
    look (server, &light, &dark);
  while (light > 0);
  return end == 0 ? (double) NAN : 1e-6 * (double) (end - start);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static void
measure_starts (const BenchRow *row, BenchResult *result, const char *file)
{
  Server server;
  double times[N_SAMPLES], processor[N_SAMPLES], scale = g_str_equal (row->unit, "ms") ? 1e3 : 1;
  guint n = bench_is_quick () ? 3 : N_SAMPLES;

  result->value = result->best_value = NAN;
  if (server_open (&server))
    {
      time_start (&server, file, row->size > 0,
                  processor); /* reads libraries and fonts from the disk */
      for (guint i = 0; i < n; i++)
        times[i] = time_start (&server, file, row->size > 0, &processor[i]);
      qsort (times, n, sizeof *times, compare_times);
      qsort (processor, n, sizeof *processor, compare_times);
      result->note = g_strdup_printf ("a processor worked %.3g %s on it", scale * processor[n / 2],
                                      row->unit);
      result->value = scale * times[n / 2];
      result->best_value = scale * times[0];
    }
  else
    result->note = g_strdup ("no Xvfb to show it on");
  server_close (&server);
}

static void
measure_first_frame (const BenchRow *row, BenchResult *result)
{
  measure_starts (row, result, NULL);
}

static void
measure_open (const BenchRow *row, BenchResult *result)
{
  g_autoptr (WeirModel) model = bench_paint_model_new (row->size);
  g_autofree char *folder = g_dir_make_tmp ("weir-bench-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "large.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  if (!weir_model_write_file (model, file, &error))
    g_error ("%s", error->message);
  measure_starts (row, result, path);
  g_unlink (path);
  g_rmdir (folder);
}

/* --- Typing ---------------------------------------------------------------------------------- */

#define ROW_LENGTH 100

/* Rows of a Constant and Gains, and a variable k. (transfer full) */
static WeirModel *
typed_model_new (guint n)
{
  g_autoptr (WeirModel) empty = weir_model_new ();
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  WeirModel *model;

  weir_patch_set_variable (patch, "k", "3");
  for (guint i = 0; i < n; i++)
    {
      const char *type = i % ROW_LENGTH == 0 ? "Constant" : "Gain";
      g_autofree char *name = g_strdup_printf ("%s%u", type, i);
      g_autoptr (WeirBlock) block = weir_block_new (
          i + 1, type, name, (WeirPoint) { i % ROW_LENGTH * 110, i / ROW_LENGTH * 90 });
      g_autoptr (WeirWire) wire = weir_wire_new (n + i + 1, (WeirWireEnd) { i, "y", { 0, 0 } },
                                                 (WeirWireEnd) { i + 1, "u", { 0, 0 } }, NULL, 0);

      weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
      if (i % ROW_LENGTH > 0)
        weir_patch_set_wire (patch, WEIR_PLACE_ROOT, wire);
    }
  model = weir_model_apply (empty, patch, NULL, NULL);
  g_assert (model != NULL);
  return model;
}

/* What it says, or NULL. (transfer full) */
static char *
run_typing (Server *server, const char *path, const char *action)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autoptr (GSubprocess) program = NULL;
  char *said = NULL;

  set_environment (launcher, server);
  g_subprocess_launcher_setenv (launcher, "GTK_A11Y", "test", TRUE);
  g_subprocess_launcher_setenv (launcher, "GSETTINGS_SCHEMA_DIR", WEIR_SCHEMAS, TRUE);
  program = g_subprocess_launcher_spawn (launcher, NULL, WEIR_BENCH_TYPE, path, action, NULL);
  if (program != NULL)
    g_subprocess_communicate_utf8 (program, NULL, NULL, &said, NULL, NULL);
  return said;
}

/* @action: NULL types. */
static void
measure_main_loop (const BenchRow *row, BenchResult *result, const char *action)
{
  g_autoptr (WeirModel) model = typed_model_new (row->size);
  g_autofree char *folder = g_dir_make_tmp ("weir-bench-XXXXXX", NULL), *said = NULL;
  g_autofree char *path = g_build_filename (folder, "large.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  Server server;
  double letter, entered, frame;

  result->value = result->best_value = NAN;
  if (!weir_model_write_file (model, file, NULL))
    g_error ("no room for the model");
  if (server_open (&server))
    said = run_typing (&server, path, action);
  server_close (&server);
  if (said != NULL && action != NULL && sscanf (said, "%lf %lf", &letter, &frame) == 2)
    {
      result->value = result->best_value = letter;
      result->note = g_strdup_printf ("beside frames of at most %.3g ms", frame);
    }
  else if (said != NULL && sscanf (said, "%lf %lf %lf", &letter, &entered, &frame) == 3)
    {
      result->value = result->best_value = letter;
      result->note = g_strdup_printf ("entering the text %.3g ms, beside frames of at most %.3g ms",
                                      entered, frame);
    }
  else
    result->note = g_strdup ("no Xvfb to type in");
  g_unlink (path);
  g_rmdir (folder);
}

static void
measure_typing (const BenchRow *row, BenchResult *result)
{
  measure_main_loop (row, result, NULL);
}

static void
measure_run (const BenchRow *row, BenchResult *result)
{
  measure_main_loop (row, result, "run");
}

static void
measure_check (const BenchRow *row, BenchResult *result)
{
  measure_main_loop (row, result, "check");
}

static void
measure_reload (const BenchRow *row, BenchResult *result)
{
  measure_main_loop (row, result, "reload");
}

static void
measure_template (const BenchRow *row, BenchResult *result)
{
  measure_main_loop (row, result, "open-template");
}

const BenchRow bench_window_rows[] = {
  { "first-frame", "start of the program to its first frame", "ms", BENCH_VALUE_AT_MOST, 300,
    measure_first_frame, 0 },
  { "open-10k", "start with a file of 10 000 blocks to a frame that shows it", "s",
    BENCH_VALUE_AT_MOST, 1, measure_open, 10000 },
  { "type-10k", "main loop kept by typing in a parameter of a model of 10 000 blocks", "ms",
    BENCH_VALUE_AT_MOST, 4, measure_typing, 10000 },
  { "run-10k", "main loop kept by the start of a run right after an edit, 10 000 blocks", "ms",
    BENCH_VALUE_AT_MOST, 50, measure_run, 10000 },
  { "check-10k", "main loop kept by a check right after an edit, 10 000 blocks", "ms",
    BENCH_VALUE_AT_MOST, 50, measure_check, 10000 },
  { "reload-10k", "main loop kept by reading a changed file again, 10 000 blocks", "ms",
    BENCH_VALUE_AT_MOST, 50, measure_reload, 10000 },
  { "template-10k", "main loop kept by a new model from an example, 10 000 blocks", "ms",
    BENCH_VALUE_AT_MOST, 50, measure_template, 10000 },
  { NULL },
};

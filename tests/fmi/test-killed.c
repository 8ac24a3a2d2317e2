/* Runs of a whole model whose FMUs' workers are killed at any moment: each ends with the sentence,
 * none hangs, and nothing is left: no process, no open file (shared memory among them), no thread,
 * no temporary folder. WEIR_FMU_KILLS: how many are to be ended, by hand (200: half a minute). */
#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>

#include "../cosim/counters.h"
#include "base/sync.h"
#include "fmi/unit.h"

#define H (1.0 / 128)
#define UNTIL 0.5 /* beyond the first bounces, at 0.45 s */

static WeirFmuDescription *
open_fmu (const char *name, char **folder)
{
  g_autofree char *file = g_strconcat (name, ".fmu", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", file, NULL);
  g_autoptr (WeirFmuArchive) archive = weir_fmu_archive_open (path, NULL);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  *folder = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", name, NULL);
  return weir_fmu_description_read (archive, diagnostics);
}

static void
add (WeirDiagramBuilder *b, const char *name, const char *fmu, gboolean is_unit)
{
  g_autofree char *folder = NULL;
  g_autoptr (WeirFmuDescription) description = open_fmu (fmu, &folder);
  WeirFmuLeafOptions options = { .folder = folder,
                                 .name = fmu,
                                 .instance = weir_fmu_default_options };
  g_autoptr (WeirSystem) system = is_unit ? weir_fmu_unit_new (description, &options, 1, NULL)
                                          : weir_fmu_leaf_new (description, &options, NULL);

  weir_diagram_builder_add (b, name, system);
}

/* Two for model exchange, one of them with events, and two units. */
static WeirSystem *
model_new (void)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();

  add (b, "A", "oscillator-2", TRUE);
  add (b, "B", "ball-3", TRUE);
  add (b, "C", "oscillator-3", FALSE);
  add (b, "D", "ball-2", FALSE);
  weir_diagram_builder_connect_by_name (b, "B", "h", "A", "u");
  weir_diagram_builder_connect_by_name (b, "A", "y", "C", "u");
  return weir_diagram_builder_build (b, NULL);
}

/* --- What there is --------------------------------------------------------------------------- */

static guint
count_entries (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* (element-type int) Processes that this one has started. (transfer full) */
static GArray *
list_children (void)
{
  GArray *children = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GDir) threads = g_dir_open ("/proc/self/task", 0, NULL);
  const char *thread;

  while ((thread = g_dir_read_name (threads)) != NULL)
    {
      g_autofree char *path = g_strdup_printf ("/proc/self/task/%s/children", thread);
      g_autofree char *text = NULL;
      g_auto (GStrv) words = NULL;

      if (!g_file_get_contents (path, &text, NULL, NULL))
        continue;
      words = g_strsplit (text, " ", -1);
      for (guint i = 0; words[i] != NULL; i++)
        {
          int process = atoi (words[i]);

          if (process > 0)
            g_array_append_val (children, process);
        }
    }
  return children;
}

/* But those of the pool, which are the program's, and more when it has more to do. */
static guint
count_threads (void)
{
  g_autoptr (GDir) threads = g_dir_open ("/proc/self/task", 0, NULL);
  const char *thread;
  guint n = 0;

  while ((thread = g_dir_read_name (threads)) != NULL)
    {
      g_autofree char *path = g_strdup_printf ("/proc/self/task/%s/comm", thread);
      g_autofree char *name = NULL;

      n += g_file_get_contents (path, &name, NULL, NULL) && !g_str_equal (name, "weir-pool\n");
    }
  return n;
}

typedef struct {
  guint files, threads, children, temporary;
} Resources;

static Resources
count_resources (void)
{
  g_autoptr (GArray) children = list_children ();

  return (Resources) { count_entries ("/proc/self/fd"), count_threads (), children->len,
                       count_entries (g_get_tmp_dir ()) };
}

/* What has ended may stand in the kernel's lists a little longer. */
static void
assert_resources (Resources before)
{
  Resources now = { 0 };

  for (guint i = 0; i < 12000; i++)
    {
      now = count_resources ();
      if (now.files == before.files && now.threads == before.threads && now.children == 0
          && now.temporary == before.temporary)
        return;
      g_usleep (5000);
    }
  g_error ("%u open files, %u threads, %u processes and %u temporary files are left, and not %u, "
           "%u, none and %u",
           now.files, now.threads, now.children, now.temporary, before.files, before.threads,
           before.temporary);
}

/* --- A run ----------------------------------------------------------------------------------- */

typedef struct {
  gint64 us;
  guint which;
  GMutex mutex;
  GCond changed;
  gboolean has_run; /* under the mutex */
} Killer;

/* Until @when, in monotonic time, or the run is over. Under the mutex. */
static void
wait_for_end (Killer *killer, gint64 when)
{
  while (!killer->has_run && weir_sync_wait_until (&killer->changed, &killer->mutex, when))
    continue;
}

/* One of those that are there then; before there are any it waits. */
static gpointer
kill_one (gpointer data)
{
  Killer *killer = data;
  gint64 when = g_get_monotonic_time () + killer->us;
  gboolean is_done = FALSE;

  weir_sync_lock (&killer->mutex);
  wait_for_end (killer, when);
  while (!killer->has_run && !is_done)
    {
      g_autoptr (GArray) children = list_children ();

      is_done = children->len > 0;
      if (is_done)
        kill (g_array_index (children, int, killer->which % children->len), SIGKILL);
      else
        wait_for_end (killer, g_get_monotonic_time () + 1000);
    }
  weir_sync_unlock (&killer->mutex);
  return NULL;
}

/* How it ended; NULL: as it should. Nearly all of its time goes into trips to the workers: steps of
 * H are as many as it takes to be killed at all that a run does. */
static char *
run (Killer *killer, double *end)
{
  WeirSimulatorOptions options;
  g_autoptr (WeirSystem) root = model_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (root);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;
  GThread *thread = killer != NULL ? g_thread_new ("kills", kill_one, killer) : NULL;

  weir_simulator_options_init (&options);
  options.communication_step = H;
  options.solver = "dormand-prince";
  options.max_step = H;
  options.threads = 2;
  simulator = weir_simulator_new (root, context, &options, &error);
  if (simulator != NULL && weir_simulator_initialize (simulator, &error))
    weir_simulator_advance_to (simulator, UNTIL, &error);
  *end = weir_context_get_time (context);
  if (killer != NULL)
    {
      weir_sync_lock (&killer->mutex);
      killer->has_run = TRUE;
      g_cond_signal (&killer->changed);
      weir_sync_unlock (&killer->mutex);
      g_thread_join (thread);
    }
  return error != NULL ? g_strdup (error->message) : NULL;
}

static void
test_killed (void)
{
  const char *wish = g_getenv ("WEIR_FMU_KILLS");
  guint n = wish != NULL ? (guint) strtoul (wish, NULL, 10) : 8, n_told = 0, n_runs = 0;
  gint64 begin = 0, longest = 0, length;
  Resources before;
  double end;

  weir_cosim_provide ();
  for (guint i = 0; i < 2; i++) /* what stays for good is there; and how long it takes from then */
    {
      g_autofree char *none = NULL;

      begin = g_get_monotonic_time ();
      none = run (NULL, &end);
      g_assert_cmpstr (none, ==, NULL);
      g_assert_cmpfloat (end, ==, UNTIL);
    }
  length = g_get_monotonic_time () - begin;
  before = count_resources ();
  for (; n_told < n; n_runs++)
    {
      Killer killer = { .us = g_test_rand_int_range (0, (gint32) length),
                        .which = (guint) g_test_rand_int_range (0, 100) };
      gint64 from = g_get_monotonic_time ();
      g_autofree char *text = run (&killer, &end);

      longest = MAX (longest, g_get_monotonic_time () - from);
      n_told += text != NULL;
      if (text == NULL)
        g_assert_cmpfloat (end, ==, UNTIL); /* it was over by then */
      else if (strstr (text, " ended its process by SIGKILL from outside") == NULL)
        g_error ("\"%s\" does not tell of the end", text);
      assert_resources (before);
    }
  g_test_message ("%u of %u runs were ended; a whole one takes %.2f s, the longest took %.2f s",
                  n_told, n_runs, (double) length / 1e6, (double) longest / 1e6);
}

int
main (int argc, char *argv[])
{
  g_autofree char *own = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  own = g_build_filename (g_getenv ("TMPDIR") != NULL ? g_getenv ("TMPDIR") : "/tmp",
                          "weir-killed-XXXXXX", NULL);
  g_assert_nonnull (g_mkdtemp (own));
  g_setenv ("TMPDIR", own, TRUE); /* others come and go elsewhere */
  g_test_add_func ("/fmi/killed", test_killed);
  status = g_test_run ();
  g_assert_cmpint (g_rmdir (own), ==, 0);
  return status;
}

/* Workers: whatever an FMU does in one ends as a sentence, within its time, and nothing is left of
 * it: no process, no open file, no thread. */
#include "fmus.h"
#include "fmus/hostile.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "fmi/log.h"
#include "fmi/wire.h"

/* --- What is left ---------------------------------------------------------------------------- */

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

typedef struct {
  guint files, threads;
} Resources;

static Resources
count_resources (void)
{
  return (Resources) { count_files ("/proc/self/fd"), count_files ("/proc/self/task") };
}

/* A thread that has been joined may stand in the kernel's list a little longer: in what was counted
 * before, too. */
static void
assert_resources (Resources before)
{
  Resources now = { 0 };

  for (guint i = 0; i < 12000; i++)
    {
      now = count_resources ();
      if (now.files == before.files && now.threads <= before.threads)
        return;
      g_usleep (5000);
    }
  g_error ("%u open files and %u threads are left, and not %u and %u", now.files, now.threads,
           before.files, before.threads);
}

static void
assert_gone (int process)
{
  for (guint i = 0; i < 12000; i++)
    {
      if (kill (-process, 0) != 0 && errno == ESRCH)
        return;
      g_usleep (5000);
    }
  g_error ("of the worker's group %d something is left", process);
}

/* --- Deeds ----------------------------------------------------------------------------------- */

static WeirFmuInstance *
start_hostile (const Fmu *fmu, gint32 deed, double from, double limit)
{
  static const guint32 deed_ref = 4, from_ref = 5;
  WeirFmuValues set[] = { { WEIR_FMU_INT32, &deed_ref, 1, &deed, 1 },
                          { WEIR_FMU_FLOAT64, &from_ref, 1, &from, 1 } };
  WeirFmuOptions options = { .place = WEIR_FMU_IN_WORKER,
                             .limit = limit,
                             .memory_limit = 400 << 20 };
  g_autoptr (GError) error = NULL;
  WeirFmuInstance *instance = fmu_start (fmu, &options, set, 2, &error);

  g_assert_no_error (error);
  return instance;
}

static WeirFmuOutcome
evaluate (WeirFmuInstance *instance, double time, double *xdot, GError **error)
{
  double x = 7, u = 3;
  WeirFmuEvaluation e = { .time = time, .x = &x, .u = &u, .xdot = xdot };

  return weir_fmu_instance_evaluate (instance, &e, error);
}

static WeirFmuOutcome
step (WeirFmuInstance *instance, double time, GError **error)
{
  static const guint32 ref = 3;
  double u = 3;
  WeirFmuValues set = { WEIR_FMU_FLOAT64, &ref, 1, &u, 1 };
  WeirFmuStep request = { .time = time, .step = 0.25, .set = &set, .n_set = 1 };
  WeirFmuStepEnd end;

  return weir_fmu_instance_do_step (instance, &request, &end, error);
}

static const struct {
  const char *name;
  gint32 deed;
  double limit;
  const char *sentence; /* %s: the function, and what follows it at t, with what it was given */
  const char *words;    /* of the log; NULL: any, or none */
} deeds[] = {
  { "crash", CRASH, 20, "%s ended its process by a segmentation fault%s", NULL },
  { "abort", ABORT, 20, "%s ended its process by abort ()%s", NULL },
  { "exit", EXIT, 20, "%s ended its process by exit (7)%s", NULL },
  { "loop", LOOP, 0.3, "%s did not return within 0.3 s, and was ended%s", NULL },
  { "stack", OVERFLOW_STACK, 20, "%s ended its process: its stack ran out%s", NULL },
  { "memory", EAT_MEMORY, 20,
    "%s ended its process by a segmentation fault (it had taken nearly all of the 0.419 GB that it "
    "may have)%s",
    NULL },
  { "print", PRINT, 0.5, "%s did not return within 0.5 s, and was ended%s",
    "no play makes Jack a dull boy" },
  { "kill", KILL_ITSELF, 20, "%s ended its process by SIGKILL from outside%s", NULL },
  { "stop", RAISE_STOP, 0.3, "%s did not return within 0.3 s, and was ended%s", NULL },
  { "error", FAIL_WITH_WORDS, 20, "%s failed%s",
    "error: logStatusError: the beam is 3 metres too short" },
  { "fatal", FAIL_FOR_GOOD, 20, "%s failed for good%s", NULL },
};

static void
check_deed (guint i, guint version, WeirFmuMode mode)
{
  gboolean is_exchange = mode == WEIR_FMU_MODEL_EXCHANGE;
  Resources before = count_resources ();
  g_auto (Fmu) fmu = fmu_open ("hostile", version, mode);
  g_autoptr (WeirFmuInstance) instance = start_hostile (&fmu, deeds[i].deed, 1.5, deeds[i].limit);
  g_autoptr (GError) error = NULL, again = NULL;
  g_autofree char *call = g_strdup_printf ("fmi%u%s", version,
                                           !is_exchange   ? "DoStep"
                                           : version == 2 ? "GetDerivatives"
                                                          : "GetContinuousStateDerivatives");
  g_autofree char *what = NULL, *expected = NULL;
  int process = weir_fmu_instance_get_process (instance);
  gint64 begin = g_get_monotonic_time ();
  double xdot;

  g_assert_cmpint (is_exchange ? evaluate (instance, 1, &xdot, &error) : step (instance, 1, &error),
                   ==, WEIR_FMU_DONE);
  g_assert_cmpint (is_exchange ? evaluate (instance, 1.5, &xdot, &error)
                               : step (instance, 1.5, &error),
                   ==, WEIR_FMU_FAILED);
  g_assert_cmpfloat ((double) (g_get_monotonic_time () - begin), <, 30e6);
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FAILED);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  what = g_strdup_printf (deeds[i].sentence, call,
                          is_exchange ? " at t = 1.5 with x = 7, u = 3."
                                      : " at t = 1.5 with u = 3.");
#pragma GCC diagnostic pop
  expected = g_strdup_printf ("hostile (hostile-%u.fmu): %s", version, what);
  if (!g_str_has_prefix (error->message, expected)
      || (deeds[i].words != NULL && strstr (error->message, deeds[i].words) == NULL))
    g_error ("\"%s\" does not begin \"%s\"", error->message, expected);
  if (deeds[i].deed != FAIL_WITH_WORDS)
    {
      /* And stays so. */
      g_assert_true (weir_fmu_instance_is_lost (instance));
      g_assert_false (weir_fmu_instance_reset (instance, &again));
      g_assert_cmpstr (again->message, ==, error->message);
    }
  else
    g_assert_true (weir_fmu_instance_reset (instance, &again));
  g_clear_pointer (&instance, weir_fmu_instance_free);
  assert_gone (process);
  assert_resources (before);
}

static void
test_deed (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);

  for (guint version = 2; version <= 3; version++)
    {
      check_deed (i, version, WEIR_FMU_MODEL_EXCHANGE);
      check_deed (i, version, WEIR_FMU_CO_SIMULATION);
    }
}

/* A library that ends its process while it is loaded. */
static void
test_unloadable (void)
{
  Resources before = count_resources ();

  for (guint version = 2; version <= 3; version++)
    {
      g_auto (Fmu) fmu = fmu_open ("unloadable", version, WEIR_FMU_MODEL_EXCHANGE);
      g_autoptr (GError) error = NULL;

      g_assert_null (weir_fmu_instance_new (&fmu.binary, &weir_fmu_default_options, &error));
      g_assert_nonnull (strstr (error->message, ".fmu): dlopen ended its process by abort ()."));
    }
  assert_resources (before);
}

static void
test_discard (void)
{
  g_auto (Fmu) fmu = fmu_open ("hostile", 2, WEIR_FMU_MODEL_EXCHANGE);
  g_autoptr (WeirFmuInstance) instance = start_hostile (&fmu, DISCARD, 1, 20);
  g_autoptr (GError) error = NULL;
  double xdot = 0;

  g_assert_cmpint (evaluate (instance, 1, &xdot, &error), ==, WEIR_FMU_DISCARDED);
  g_assert_no_error (error);
  g_assert_cmpint (evaluate (instance, 0.5, &xdot, &error), ==, WEIR_FMU_DONE);
  g_assert_cmpfloat (xdot, ==, 3);
}

/* Its own children go with it. */
static void
test_fork (void)
{
  Resources before = count_resources ();
  g_auto (Fmu) fmu = fmu_open ("hostile", 3, WEIR_FMU_MODEL_EXCHANGE);
  g_autoptr (WeirFmuInstance) instance = start_hostile (&fmu, FORK, 0, 20);
  g_autoptr (GError) error = NULL;
  int process = weir_fmu_instance_get_process (instance);
  double xdot;

  g_assert_cmpint (evaluate (instance, 1, &xdot, &error), ==, WEIR_FMU_DONE);
  g_clear_pointer (&instance, weir_fmu_instance_free);
  assert_gone (process);
  assert_resources (before);
}

/* Arithmetic and locale are as they were for the next call; there is no network; files that it
 * closes are not ours; it may be slow. */
static void
test_bearable (void)
{
  static const gint32 bearable[] = { ROUND, CONNECT, CLOSE_FILES, SLEEP, TRAP };

  for (guint version = 2; version <= 3; version++)
    for (guint i = 0; i < G_N_ELEMENTS (bearable); i++)
      {
        g_auto (Fmu) fmu = fmu_open ("hostile", version, WEIR_FMU_MODEL_EXCHANGE);
        g_autoptr (WeirFmuInstance) instance = start_hostile (&fmu, bearable[i], 0, 20);
        g_autoptr (GError) error = NULL;
        static const guint32 found_ref = 6;
        gint32 found = -1;
        WeirFmuValues get = { WEIR_FMU_INT32, &found_ref, 1, &found, 1 };
        double xdot;

        for (guint k = 0; k < 3; k++)
          {
            g_assert_cmpint (evaluate (instance, 1 + k, &xdot, &error), ==, WEIR_FMU_DONE);
            g_assert_no_error (error);
            g_assert_cmpfloat (xdot, ==, 3);
          }
        g_assert_cmpint (weir_fmu_instance_get (instance, &get, 1, &error), ==, WEIR_FMU_DONE);
        g_assert_cmpint (found, ==, 0);
      }
}

/* What is shared is overwritten by the FMU: any outcome will do, but for harm to us. */
static void
test_scribble (void)
{
  Resources before = count_resources ();

  for (guint version = 2; version <= 3; version++)
    {
      g_auto (Fmu) fmu = fmu_open ("hostile", version, WEIR_FMU_MODEL_EXCHANGE);
      g_autoptr (WeirFmuInstance) instance = start_hostile (&fmu, SCRIBBLE, 1, 0.5);
      g_autoptr (WeirFmuState) state = weir_fmu_instance_save (instance, NULL);
      g_autoptr (GError) error = NULL;
      double xdot;

      g_assert_nonnull (state);
      g_assert_cmpint (evaluate (instance, 1, &xdot, &error), !=, WEIR_FMU_DISCARDED);
      g_clear_pointer (&instance, weir_fmu_instance_free);
    }
  assert_resources (before);
}

static gpointer
cancel_soon (gpointer cancel)
{
  g_usleep (50000);
  g_atomic_int_set ((gint *) cancel, TRUE);
  return NULL;
}

static void
test_cancel (void)
{
  Resources before = count_resources ();
  g_auto (Fmu) fmu = fmu_open ("hostile", 3, WEIR_FMU_MODEL_EXCHANGE);
  g_autoptr (WeirFmuInstance) instance = start_hostile (&fmu, LOOP, 0, 0);
  gint cancel = FALSE;
  GThread *thread = g_thread_new ("cancels", cancel_soon, &cancel);
  g_autoptr (GError) error = NULL;
  double xdot;

  weir_fmu_instance_watch (instance, &cancel);
  g_assert_cmpint (evaluate (instance, 1, &xdot, &error), ==, WEIR_FMU_FAILED);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpstr (
      error->message, ==,
      "hostile (hostile-3.fmu): fmi3GetContinuousStateDerivatives was cancelled at t = 1 "
      "with x = 7, u = 3.");
  g_thread_join (thread);
  g_clear_pointer (&instance, weir_fmu_instance_free);
  assert_resources (before);
}

/* --- Killed at any moment -------------------------------------------------------------------- */

typedef struct {
  int process;
  gulong us;
} Killer;

static gpointer
kill_later (gpointer data)
{
  Killer *killer = data;

  g_usleep (killer->us);
  kill (killer->process, SIGKILL);
  return NULL;
}

/* WEIR_FMU_KILLS: how many times, by hand. */
static void
test_killed (void)
{
  const char *wish = g_getenv ("WEIR_FMU_KILLS");
  guint n = wish != NULL ? (guint) strtoul (wish, NULL, 10) : 20;
  Resources before = count_resources ();

  for (guint i = 0; i < n; i++)
    {
      gboolean is_exchange = i % 2 == 0;
      g_auto (Fmu) fmu = fmu_open ("hostile", 2 + i / 2 % 2,
                                   is_exchange ? WEIR_FMU_MODEL_EXCHANGE : WEIR_FMU_CO_SIMULATION);
      g_autoptr (WeirFmuInstance) instance = start_hostile (&fmu, 0, 0, 20);
      g_autoptr (GError) error = NULL;
      g_autofree char *expected = g_strdup_printf ("hostile (hostile-%u.fmu): fmi%u", 2 + i / 2 % 2,
                                                   2 + i / 2 % 2);
      Killer killer = { weir_fmu_instance_get_process (instance),
                        (gulong) g_test_rand_int_range (0, 20000) };
      GThread *thread = g_thread_new ("kills", kill_later, &killer);
      gint64 begin = g_get_monotonic_time ();
      WeirFmuOutcome outcome = WEIR_FMU_DONE;

      for (guint k = 0; outcome == WEIR_FMU_DONE; k++)
        {
          g_autoptr (WeirFmuState) state = k % 7 == 0 ? weir_fmu_instance_save (instance, &error)
                                                      : NULL;
          double xdot = NAN;

          if (error != NULL)
            outcome = WEIR_FMU_FAILED;
          else
            outcome = is_exchange ? evaluate (instance, k, &xdot, &error)
                                  : step (instance, k * 0.25, &error);
          if (outcome == WEIR_FMU_DONE && is_exchange)
            g_assert_cmpfloat (xdot, ==, 3);
        }
      g_thread_join (thread);
      g_assert_cmpfloat ((double) (g_get_monotonic_time () - begin), <, 15e6);
      if (!g_str_has_prefix (error->message, expected)
          || strstr (error->message, " ended its process by SIGKILL from outside") == NULL)
        g_error ("\"%s\" does not tell of the end", error->message);
      g_clear_pointer (&instance, weir_fmu_instance_free);
      assert_gone (killer.process);
    }
  assert_resources (before);
}

/* The worker ends with the program, however that ends. */
static void
test_orphan (void)
{
  int process = 0;

  if (g_test_subprocess ())
    {
      g_auto (Fmu) fmu = fmu_open ("hostile", 3, WEIR_FMU_MODEL_EXCHANGE);
      WeirFmuInstance *instance = start_hostile (&fmu, 0, 0, 20);

      g_print ("worker %d\n", weir_fmu_instance_get_process (instance));
      fflush (stdout);
      raise (SIGKILL);
    }
  else
    {
      g_autoptr (GSubprocess) child = NULL;
      g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL), *output = NULL;
      g_autoptr (GError) error = NULL;
      const char *found;

      child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, self, "-p",
                                "/fmi/worker/orphan", "--GTestSubprocess", NULL);
      g_assert_no_error (error);
      g_subprocess_communicate_utf8 (child, NULL, NULL, &output, NULL, &error);
      g_assert_no_error (error);
      g_assert_true (g_subprocess_get_if_signaled (child));
      found = strstr (output, "worker ");
      g_assert_nonnull (found);
      process = atoi (found + strlen ("worker "));
      g_assert_cmpint (process, >, 1);
      assert_gone (process);
    }
}

/* --- Several --------------------------------------------------------------------------------- */

static gpointer
run_ball (gpointer data)
{
  const Fmu *fmu = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirFmuInstance)
      instance = fmu_start (fmu, &weir_fmu_default_options, NULL, 0, &error);
  static const guint32 ref = 1;
  double *h = g_new0 (double, 1);

  g_assert_no_error (error);
  for (guint i = 0; i < 100; i++)
    {
      WeirFmuValues values = { WEIR_FMU_FLOAT64, &ref, 1, h, 1 };
      WeirFmuStep request = { .time = i / 64.0, .step = 1 / 64.0, .got = &values, .n_got = 1 };
      WeirFmuStepEnd end;

      g_assert_cmpint (weir_fmu_instance_do_step (instance, &request, &end, &error), ==,
                       WEIR_FMU_DONE);
    }
  return h;
}

/* More of them than cores, each on a thread of its own that ends before it is told to. */
static void
test_threads (void)
{
  Resources before = count_resources ();
  g_auto (Fmu) fmu = fmu_open ("ball", 3, WEIR_FMU_CO_SIMULATION);
  GThread *threads[8];
  double first = NAN;

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("ball", run_ball, &fmu);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autofree double *h = g_thread_join (threads[i]);

      if (i == 0)
        first = *h;
      g_assert_cmpmem (&first, sizeof first, h, sizeof *h);
    }
  assert_resources (before);
}

static gpointer
start_there (gpointer data)
{
  g_autoptr (GError) error = NULL;
  WeirFmuInstance *instance = fmu_start (data, &weir_fmu_default_options, NULL, 0, &error);

  g_assert_no_error (error);
  return instance;
}

/* The thread that made it has ended: the worker goes on. */
static void
test_other_thread (void)
{
  g_auto (Fmu) fmu = fmu_open ("hostile", 3, WEIR_FMU_MODEL_EXCHANGE);
  g_autoptr (WeirFmuInstance) instance = g_thread_join (g_thread_new ("starts", start_there, &fmu));
  g_autoptr (GError) error = NULL;
  double xdot;

  g_usleep (20000);
  g_assert_cmpint (evaluate (instance, 1, &xdot, &error), ==, WEIR_FMU_DONE);
}

/* --- The log --------------------------------------------------------------------------------- */

static void
test_log (void)
{
  WeirFmuLog *log = weir_fmu_log_new ();
  g_autofree char *wide = g_strnfill (5000, 'w');
  g_auto (GStrv) none = weir_fmu_log_dup_tail (log, 3), some = NULL;

  g_assert_null (none);
  for (guint i = 0; i < 1000; i++)
    {
      g_autofree char *line = g_strdup_printf ("line %u", i);

      weir_fmu_log_append_line (log, line);
    }
  weir_fmu_log_append (log, wide, 5000);
  weir_fmu_log_append (log, "\nlate\xff st", 9);
  weir_fmu_log_append (log, "art", 3);
  g_assert_cmpuint (weir_fmu_log_get_n_lines (log), ==, 1001);
  some = weir_fmu_log_dup_tail (log, 3);
  g_assert_cmpuint (g_strv_length (some), ==, 3);
  g_assert_cmpstr (some[0], ==, "line 999");
  g_assert_cmpuint (strlen (some[1]), ==, WEIR_FMU_LOG_LINE_BYTES);
  g_assert_cmpstr (some[2], ==, "late\xef\xbf\xbd start");
  weir_fmu_log_free (log);
}

static gpointer
do_nothing (gpointer data)
{
  return data;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* What a first thread brings with it (a sanitizer's own) is not left behind by a worker. */
  g_thread_join (g_thread_new ("first", do_nothing, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (deeds); i++)
    {
      g_autofree char *path = g_strconcat ("/fmi/worker/deed/", deeds[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_deed);
    }
  g_test_add_func ("/fmi/worker/unloadable", test_unloadable);
  g_test_add_func ("/fmi/worker/discard", test_discard);
  g_test_add_func ("/fmi/worker/fork", test_fork);
  g_test_add_func ("/fmi/worker/bearable", test_bearable);
  g_test_add_func ("/fmi/worker/scribble", test_scribble);
  g_test_add_func ("/fmi/worker/cancel", test_cancel);
  g_test_add_func ("/fmi/worker/killed", test_killed);
  g_test_add_func ("/fmi/worker/orphan", test_orphan);
  g_test_add_func ("/fmi/worker/threads", test_threads);
  g_test_add_func ("/fmi/worker/other-thread", test_other_thread);
  g_test_add_func ("/fmi/worker/log", test_log);
  return g_test_run ();
}

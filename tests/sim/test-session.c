/* Runs in the background. Times are never asserted, only outcomes: a stop that hung would not
 * join. */
#include "../seeds.h"
#include "background.h"

static guint64
sum_hits (const WeirSnapshot *snapshot)
{
  guint64 hits = 0;

  for (guint i = 0; i < snapshot->n_entries; i++)
    hits += snapshot->counters[i].hits;
  return hits;
}

/* --- Whole runs ------------------------------------------------------------------------------ */

static void
test_finish (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirSimulatorOptions options = options_for ("dormand-prince", 1e-6);
  g_autoptr (WeirSimulator) simulator = weir_simulator_new (system, context, &options, NULL);
  g_autoptr (WeirSession) session = session_new (system, "dormand-prince", 5, 0, "swing.theta");
  const WeirSnapshot *snapshot = weir_session_get_snapshot (session);
  WeirRecorder *recorder = weir_session_get_recorder (session);
  gsize n_rows;

  g_assert_cmpint (snapshot->state, ==, WEIR_SESSION_IDLE);
  g_assert_cmpfloat (snapshot->time, ==, 0);
  g_assert_cmpuint (snapshot->n_entries, ==,
                    weir_layout_get_n_entries (weir_session_get_layout (session)));
  g_assert_cmpuint (get_n_rows (session), ==, 0);
  weir_session_run (session);
  wait_for_state (session, WEIR_SESSION_FINISHED);
  weir_session_join (session);
  snapshot = weir_session_get_snapshot (session);
  g_assert_cmpint (snapshot->state, ==, WEIR_SESSION_FINISHED);
  g_assert_cmpfloat (snapshot->time, ==, 5);
  g_assert_cmpfloat (snapshot->stop_time, ==, 5);
  g_assert_true (snapshot->caching);
  g_assert_cmpuint (snapshot->n_events, >, 0);
  g_assert_null (weir_session_get_failure (session));

  /* The very solution of a run in the foreground. */
  g_assert_true (weir_simulator_advance_to (simulator, 5, NULL));
  n_rows = get_n_rows (session);
  g_assert_cmpuint (n_rows, ==, weir_simulator_get_statistics (simulator)->steps + 1);
  g_assert_cmpuint (snapshot->statistics.steps, ==, n_rows - 1);
  g_assert_cmpfloat (weir_recorder_get_value (recorder, 0, n_rows - 1), ==,
                     weir_context_get_state (context)[0]);

  /* Over: commands are dropped, the last snapshot stays. */
  weir_session_run (session);
  weir_session_set_caching (session, FALSE);
  weir_session_stop (session);
  g_assert_cmpint (weir_session_get_state (session), ==, WEIR_SESSION_FINISHED);
  g_assert_true (weir_session_get_snapshot (session)->caching);
  g_assert_cmpint (weir_session_record_port (session, "swing.omega", NULL), ==, -1);
}

static void
test_counter (void)
{
  g_autoptr (WeirSystem) system = counter_new (0.02, 0);
  g_autoptr (WeirSession) session = session_new (system, NULL, 0.06, 0, "Sn");

  weir_session_run (session);
  weir_session_join (session);
  g_assert_cmpuint (get_n_rows (session), ==, 4);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat (weir_recorder_get_value (weir_session_get_recorder (session), 0, i), ==,
                       10 * i);
}

static void
test_failure (void)
{
  g_autoptr (WeirSystem) leaf = ending_new ();
  g_autoptr (WeirSystem) system = wrap_new ("tank", leaf);
  g_autoptr (WeirSession) session = session_new (system, "auto", 2, 0, "tank.x");

  weir_session_run (session);
  wait_for_state (session, WEIR_SESSION_FAILED);
  g_assert_nonnull (strstr (weir_session_get_failure (session)->message, "tank"));
  g_assert_nonnull (strstr (weir_session_get_failure (session)->message, "the root of"));
  g_assert_cmpint (weir_session_get_snapshot (session)->state, ==, WEIR_SESSION_FAILED);
  g_assert_cmpuint (get_n_rows (session), >, 1);
}

/* --- Pause, step, stop ----------------------------------------------------------------------- */

static void
test_step (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) session = session_new (system, "rk4", ENDLESS, 0, "swing.theta");

  for (guint i = 1; i <= 5; i++)
    {
      weir_session_step (session);
      while (weir_session_get_snapshot (session)->statistics.steps < i)
        g_main_context_iteration (NULL, TRUE);
      wait_for_state (session, WEIR_SESSION_PAUSED);
      g_assert_cmpuint (weir_session_get_snapshot (session)->statistics.steps, ==, i);
      g_assert_cmpuint (get_n_rows (session), ==, i + 1);
      g_assert_cmpfloat (weir_session_get_snapshot (session)->time, ==, i * 0.01);
    }
}

static void
test_run_until (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) session = session_new (system, "dormand-prince", 3, 0, "swing.theta");

  for (double time = 0.5; time < 3; time += 0.5)
    {
      weir_session_run_until (session, time);
      wait_for_time (session, time);
      wait_for_state (session, WEIR_SESSION_PAUSED);
      g_assert_cmpfloat (weir_session_get_snapshot (session)->time, ==, time);
    }
  /* What has passed is no reason to go on. */
  weir_session_run_until (session, 1);
  wait_for_state (session, WEIR_SESSION_PAUSED);
  g_assert_cmpfloat (weir_session_get_snapshot (session)->time, ==, 2.5);
  weir_session_run_until (session, 17);
  wait_for_state (session, WEIR_SESSION_FINISHED);
  g_assert_cmpfloat (weir_session_get_snapshot (session)->time, ==, 3);
}

static void
test_pause (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) session = session_new (system, "rk4", ENDLESS, 0, "swing.theta");
  double time;

  weir_session_run (session);
  g_assert_cmpint (weir_session_get_state (session), ==, WEIR_SESSION_RUNNING);
  wait_for_time (session, 1);
  weir_session_pause (session);
  wait_for_state (session, WEIR_SESSION_PAUSED);
  time = weir_session_get_snapshot (session)->time;
  g_usleep (20000);
  g_assert_cmpfloat (weir_session_get_snapshot (session)->time, ==, time);
  g_assert_cmpfloat (
      weir_recorder_get_time (weir_session_get_recorder (session), get_n_rows (session) - 1), ==,
      time);
  weir_session_run (session);
  wait_for_time (session, time + 1);
  weir_session_stop (session);
  weir_session_join (session);
  g_assert_cmpint (weir_session_get_state (session), ==, WEIR_SESSION_STOPPED);
  g_assert_cmpfloat (weir_session_get_snapshot (session)->time, >=, time + 1);
}

static void
test_stop_paused_and_idle (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) paused = session_new (system, "rk4", ENDLESS, 0, "swing.theta");
  g_autoptr (WeirSession) idle = session_new (system, "rk4", ENDLESS, 0, "swing.theta");

  weir_session_step (paused);
  wait_for_state (paused, WEIR_SESSION_PAUSED);
  weir_session_stop (paused);
  weir_session_join (paused);
  g_assert_cmpint (weir_session_get_state (paused), ==, WEIR_SESSION_STOPPED);

  weir_session_stop (idle);
  g_assert_cmpint (weir_session_get_state (idle), ==, WEIR_SESSION_STOPPED);
  weir_session_run (idle);
  g_assert_cmpint (weir_session_get_state (idle), ==, WEIR_SESSION_STOPPED);
}

/* A step of BDF on this model takes thousands of slow evaluations: stopping must not wait for
 * it. */
static WeirStatus
slow_xcdot (const WeirCalc *c, double *xdot)
{
  for (guint i = 0; i < 2000; i++)
    xdot[i] = -weir_calc_z (c)[i];
  g_usleep (1000);
  return WEIR_OK;
}

static void
test_stop_within_step (void)
{
  g_autofree double *x0 = g_new0 (double, 2000);
  WeirLeafBuilder *b = weir_leaf_builder_new ("Slow");
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirSession) session = NULL;

  x0[0] = 1;
  weir_leaf_set_continuous_state (b, 0, 0, 2000, x0);
  weir_leaf_set_derivatives (b, slow_xcdot, WEIR_DEPENDS (WEIR_Z));
  weir_leaf_add_output_window (b, "x", WEIR_Z);
  system = weir_leaf_builder_build (b);
  session = session_new (system, "cvode-bdf", ENDLESS, 0, NULL);
  weir_session_run (session);
  g_usleep (50000);
  weir_session_stop (session);
  weir_session_join (session);
  g_assert_cmpint (weir_session_get_state (session), ==, WEIR_SESSION_STOPPED);
  g_assert_null (weir_session_get_failure (session));
}

static void
test_finalize_running (void)
{
  g_autoptr (WeirSystem) system = swing_new ();

  for (guint i = 0; i < 20; i++)
    {
      WeirSession *session = session_new (system, "auto", ENDLESS, i % 2 == 0 ? 0 : 1,
                                          "swing.theta");

      if (i % 3 != 0)
        weir_session_run (session);
      if (i % 5 == 0)
        weir_session_pause (session);
      g_assert_finalize_object (session);
    }
}

/* --- Live changes ---------------------------------------------------------------------------- */

static void
test_parameter (void)
{
  g_autoptr (WeirSystem) plant = plant_new (1);
  g_autoptr (WeirSystem) system = NULL;
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSession) session = NULL;
  double k = 3, u = 0;
  gsize last;

  {
    WeirLeafBuilder *leaf = weir_leaf_builder_new ("Constant");
    WeirParameter p = weir_leaf_add_parameter (leaf, "value", &u, 1);
    g_autoptr (WeirSystem) constant = NULL;

    weir_leaf_add_output_window (leaf, "y", weir_parameter_ticket (leaf, p));
    constant = weir_leaf_builder_build (leaf);
    weir_diagram_builder_add (b, "u", constant);
  }
  weir_diagram_builder_add (b, "plant", plant);
  weir_diagram_builder_connect_by_name (b, "u", "y", "plant", "u");
  system = weir_diagram_builder_build (b, NULL);
  session = session_new (system, "cvode-adams", 100, 0, "plant.y");
  /* x settles at k (1 - u). Before the start, then twice between steps. */
  k = 2;
  weir_session_set_parameter (session, "plant", "k", &k, 1);
  weir_session_step (session);
  wait_for_state (session, WEIR_SESSION_PAUSED);
  k = 5;
  weir_session_set_parameter (session, "plant", "k", &k, 1);
  u = -1;
  weir_session_set_parameter (session, "u", "value", &u, 1);
  weir_session_run (session);
  weir_session_join (session);
  last = get_n_rows (session) - 1;
  g_assert_cmpfloat (weir_recorder_get_time (weir_session_get_recorder (session), last), ==, 100);
  g_assert_cmpfloat_with_epsilon (
      weir_recorder_get_value (weir_session_get_recorder (session), 0, last), 10, 1e-3);

  g_test_expect_message (NULL, G_LOG_LEVEL_WARNING, "*no parameter \"mass\" in a block \"plant\"*");
  weir_session_set_parameter (session, "plant", "mass", &k, 1);
  g_test_assert_expected_messages ();
  g_test_expect_message (NULL, G_LOG_LEVEL_WARNING, "*plant: parameter k has 1 values, but 2*");
  weir_session_set_parameter (session, "plant", "k", (double[]) { 1, 2 }, 2);
  g_test_assert_expected_messages ();
}

static void
test_caching (void)
{
  g_autoptr (WeirSystem) system = driven_new (0.1);
  g_autoptr (WeirSession) cached = session_new (system, "auto", 50, 0, "plant.y");
  g_autoptr (WeirSession) switched = session_new (system, "auto", 50, 0, "plant.y");
  guint64 hits;
  const WeirSnapshot *snapshot;
  gsize n_rows;

  weir_session_run (cached);
  weir_session_join (cached);
  g_assert_cmpuint (sum_hits (weir_session_get_snapshot (cached)), >, 0);

  for (guint i = 0; i < 50; i++)
    {
      weir_session_step (switched);
      while (weir_session_get_snapshot (switched)->statistics.steps < i + 1)
        g_main_context_iteration (NULL, TRUE);
    }
  weir_session_set_caching (switched, FALSE);
  while (weir_session_get_snapshot (switched)->caching)
    g_main_context_iteration (NULL, TRUE);
  hits = sum_hits (weir_session_get_snapshot (switched));
  g_assert_cmpuint (hits, >, 0);
  weir_session_run (switched);
  weir_session_join (switched);
  snapshot = weir_session_get_snapshot (switched);
  g_assert_cmpint (snapshot->state, ==, WEIR_SESSION_FINISHED);
  g_assert_cmpuint (sum_hits (snapshot), ==, hits);

  /* Not a bit differs. */
  n_rows = get_n_rows (cached);
  g_assert_cmpuint (n_rows, ==, get_n_rows (switched));
  for (gsize row = 0; row < n_rows; row++)
    {
      double a = weir_recorder_get_value (weir_session_get_recorder (cached), 0, row);
      double b = weir_recorder_get_value (weir_session_get_recorder (switched), 0, row);

      g_assert_cmpmem (&a, sizeof a, &b, sizeof b);
    }
}

static void
test_entry_caching (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) session = session_new (system, "rk4", ENDLESS, 0, "swing.theta");
  guint n_entries = weir_layout_get_n_entries (weir_session_get_layout (session));
  guint entry = n_entries - 1;

  g_assert_cmpuint (weir_session_get_snapshot (session)->disabled[entry / 64], ==, 0);
  weir_session_set_entry_caching (session, entry, FALSE);
  g_assert_true ((weir_session_get_snapshot (session)->disabled[entry / 64] >> (entry % 64)) & 1);
  weir_session_run (session);
  wait_for_time (session, 1);
  g_assert_true ((weir_session_get_snapshot (session)->disabled[entry / 64] >> (entry % 64)) & 1);
  weir_session_set_entry_caching (session, entry, TRUE);
  while (weir_session_get_snapshot (session)->disabled[entry / 64] != 0)
    g_main_context_iteration (NULL, TRUE);
  weir_session_stop (session);
}

static void
test_add_log (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) session = session_new (system, "rk4", ENDLESS, 0, "swing.theta");
  WeirRecorder *recorder = weir_session_get_recorder (session);
  g_autoptr (GError) error = NULL;
  gsize first, next = 0, seen = 0;
  int column;

  weir_session_run (session);
  wait_for_time (session, 0.5);
  column = weir_session_record_port (session, "swing.omega", &error);
  g_assert_cmpint (column, ==, 1);
  /* Again: the same column. */
  g_assert_cmpint (weir_session_record_port (session, "swing.omega", &error), ==, 1);
  g_assert_cmpint (weir_session_record_port (session, "swing.phi", &error), ==, -1);
  g_assert_nonnull (strstr (error->message, "swing.phi"));
  /* Rows may be read while the run appends. */
  while (seen < 5000)
    {
      gsize n, at = MAX (next, weir_recorder_get_first_row (recorder, 1));
      const double *omega = weir_recorder_get_values (recorder, 1, at, &n);

      for (gsize i = 0; i < n; i++)
        {
          g_assert_cmpfloat (fabs (omega[i]), <, 4);
          g_assert_cmpfloat (weir_recorder_get_time (recorder, at + i), ==,
                             (double) (at + i) * 0.01);
        }
      seen += n;
      if (n > 0)
        next = at + n;
      if (n == 0)
        g_thread_yield ();
    }
  weir_session_stop (session);
  weir_session_join (session);
  first = weir_recorder_get_first_row (recorder, 1);
  g_assert_cmpuint (first, >, 0);
  g_assert_cmpuint (first, <, get_n_rows (session));
}

/* --- Signals and errors ---------------------------------------------------------------------- */

typedef struct {
  GThread *thread;
  guint n;
} Changed;

static void
count_changed (WeirSession *session, gpointer data)
{
  Changed *changed = data;

  g_assert_true (g_thread_self () == changed->thread);
  g_assert_nonnull (weir_session_get_snapshot (session));
  changed->n++;
}

static void
test_changed (void)
{
  g_autoptr (WeirSystem) system = counter_new (1e-3, 0);
  WeirSession *session = session_new (system, NULL, 100, 0, "Sn");
  Changed changed = { g_thread_self (), 0 };

  g_signal_connect (session, "changed", G_CALLBACK (count_changed), &changed);
  weir_session_run (session);
  weir_session_join (session);
  /* Nothing was dispatched meanwhile: everything is one emission. */
  g_assert_cmpuint (changed.n, ==, 0);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (changed.n, ==, 1);
  g_assert_cmpuint (get_n_rows (session), ==, 100001);
  g_assert_finalize_object (session);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (changed.n, ==, 1);
}

static void
test_bad_arguments (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  WeirSimulatorOptions options = options_for (NULL, 1e-6), wrong = options_for ("ode45", 1e-6);
  const struct {
    const WeirSimulatorOptions *options;
    double stop_time, rate;
    const char *port, *expected;
  } cases[] = {
    { &options, -1, 0, NULL, "the stop time is -1 s" },
    { &options, NAN, 0, NULL, "the stop time is nan" },
    { &options, 1, -2, NULL, "the rate is -2" },
    { &options, 1, 0, "swing.phi", "has no port \"phi\"" },
    { &wrong, 1, 0, NULL, "no solver called \"ode45\"" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *ports[] = { cases[i].port, NULL };
      g_autoptr (GError) error = NULL;

      g_assert_null (weir_session_new (system, cases[i].options, cases[i].stop_time, cases[i].rate,
                                       ports, &error));
      g_assert_nonnull (strstr (error->message, cases[i].expected));
    }
}

/* --- Several at once ------------------------------------------------------------------------- */

/* Whatever is asked of a session in whatever order, it comes to an end. */
static void
poke (WeirSession *session, GRand *random)
{
  const double gravity = 9 + g_rand_double (random);
  WeirRunLog *run_log;
  GBytes *saved;

  switch (g_rand_int_range (random, 0, 15))
    {
    case 0:
      weir_session_pause (session);
      break;
    case 1:
      weir_session_run (session);
      break;
    case 2:
      weir_session_step (session);
      break;
    case 3:
      weir_session_steps (session, 1 + g_rand_int_range (random, 0, 20));
      break;
    case 4:
      weir_session_step_back (session, 1 + g_rand_int_range (random, 0, 5));
      break;
    case 5:
      weir_session_set_parameter (session, "swing", "g", &gravity, 1);
      break;
    case 6:
      weir_session_set_caching (session, g_rand_boolean (random));
      break;
    case 7:
      weir_session_set_entry_caching (session, 0, g_rand_boolean (random));
      break;
    case 8:
      weir_session_start_log (session, WEIR_LOG_MODE_ALL, 1000);
      break;
    case 9:
      weir_session_stop_log (session);
      break;
    case 10:
      weir_session_request_log (session);
      break;
    case 11:
      g_assert_cmpfloat (weir_session_get_snapshot (session)->time, >=, 0);
      break;
    case 12:
      saved = weir_session_save (session, NULL);
      g_clear_pointer (&saved, g_bytes_unref);
      break;
    case 13:
      run_log = weir_session_take_log (session);
      g_clear_pointer (&run_log, weir_run_log_free);
      break;
    default:
      weir_session_set_shown (session, NULL, 0);
      break;
    }
  get_n_rows (session);
  if (g_rand_int_range (random, 0, 4) == 0)
    g_usleep ((gulong) g_rand_int_range (random, 0, 2000));
}

/* Runs that end by themselves now and then, in a thread of its own with its own main context. */
static gpointer
poke_sessions (gpointer seed)
{
  g_autoptr (GMainContext) main_context = g_main_context_new ();
  g_autoptr (GRand) random = g_rand_new_with_seed (GPOINTER_TO_UINT (seed));
  g_autoptr (WeirSystem) system = swing_new ();

  g_main_context_push_thread_default (main_context);
  for (guint i = 0; i < 12; i++)
    {
      double stop_time = g_rand_boolean (random) ? 0.2 : 50;
      g_autoptr (WeirSession)
          session = session_new (system, "dormand-prince", stop_time, 0, "swing.theta");

      weir_session_run (session);
      for (guint k = 0; k < 60; k++)
        {
          poke (session, random);
          while (g_main_context_iteration (main_context, FALSE))
            ;
        }
      weir_session_stop (session);
      weir_session_join (session);
      g_assert_true (weir_session_is_settled (session));
    }
  g_main_context_pop_thread_default (main_context);
  return NULL;
}

static void
test_poked (void)
{
  /* The order that making a class brings is made within GLib, where the sanitizer does not look. */
  g_autoptr (GTypeClass) class = g_type_class_ref (WEIR_TYPE_SESSION);
  guint32 seed = get_test_seed (1);
  GThread *threads[3];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("poke", poke_sessions, GUINT_TO_POINTER (seed + i));
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/session/finish", test_finish);
  g_test_add_func ("/sim/session/counter", test_counter);
  g_test_add_func ("/sim/session/failure", test_failure);
  g_test_add_func ("/sim/session/step", test_step);
  g_test_add_func ("/sim/session/run-until", test_run_until);
  g_test_add_func ("/sim/session/pause", test_pause);
  g_test_add_func ("/sim/session/stop/paused-and-idle", test_stop_paused_and_idle);
  g_test_add_func ("/sim/session/stop/within-step", test_stop_within_step);
  g_test_add_func ("/sim/session/finalize-running", test_finalize_running);
  g_test_add_func ("/sim/session/parameter", test_parameter);
  g_test_add_func ("/sim/session/caching", test_caching);
  g_test_add_func ("/sim/session/entry-caching", test_entry_caching);
  g_test_add_func ("/sim/session/add-log", test_add_log);
  g_test_add_func ("/sim/session/changed", test_changed);
  g_test_add_func ("/sim/session/bad-arguments", test_bad_arguments);
  g_test_add_func ("/sim/session/poked", test_poked);
  return g_test_run ();
}

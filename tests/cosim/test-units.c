/* Units beside the rest of a model: what each sees of the other, starts, failures, stops, saving.
 */
#include <math.h>

#include "cosim/order.h"
#include "counters.h"
#include "sim/session.h"

#define FULL WEIR_STEP_SCHEDULING_FULL_PARALLEL
#define CASCADING WEIR_STEP_SCHEDULING_CASCADING_PARALLEL

static const CounterData plain[8];

/* --- Beside the rest ------------------------------------------------------------------------- */

static WeirStatus
calc_input (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

static WeirSystem *
integrator_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Integrator");
  WeirInput u = weir_leaf_add_input (b, "u", 1);

  weir_leaf_set_continuous_state (b, 0, 0, 1, &(double) { 0 });
  weir_leaf_set_derivatives (b, calc_input, WEIR_DEPENDS (weir_input_ticket (b, u)));
  weir_leaf_add_output_window (b, "y", WEIR_XC);
  return weir_leaf_builder_build (b);
}

static WeirSystem *
clock_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Clock");

  weir_leaf_add_output_window (b, "y", WEIR_TIME);
  return weir_leaf_builder_build (b);
}

/* x' = A, and A := x + t + 1. */
static WeirSystem *
mixed_new (const CounterData *data)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) unit = counter_new (data);
  g_autoptr (WeirSystem) integrator = integrator_new ();
  g_autoptr (WeirSystem) clock = clock_new ();
  g_autoptr (WeirSystem) sum = joint_new (calc_sum);

  weir_diagram_builder_add (b, "A", unit);
  weir_diagram_builder_add (b, "X", integrator);
  weir_diagram_builder_add (b, "T", clock);
  weir_diagram_builder_add (b, "J", sum);
  weir_diagram_builder_connect_by_name (b, "A", "y", "X", "u");
  weir_diagram_builder_connect_by_name (b, "X", "y", "J", "a");
  weir_diagram_builder_connect_by_name (b, "T", "y", "J", "b");
  weir_diagram_builder_connect_by_name (b, "J", "y", "A", "u");
  return weir_diagram_builder_build (b, NULL);
}

typedef struct {
  WeirStepSchedulingType type;
  gboolean is_rest_first;
  double table[4][2]; /* A, x at t = 1, 2, 3, 4; by hand */
  const char *late;   /* inputs that see something an instant late */
} MixedCase;

static const MixedCase mixed_cases[] = {
  /* A (k + 1) = x (k) + k + 1, x (k + 1) = x (k) + A (k) */
  { FULL, FALSE, { { 1, 0 }, { 2, 1 }, { 4, 3 }, { 7, 7 } }, "A.u X.u " },
  /* x (k + 1) = x (k) + A (k + 1) */
  { CASCADING, FALSE, { { 1, 1 }, { 3, 4 }, { 7, 11 }, { 15, 26 } }, "A.u " },
  /* A (k + 1) = x (k + 1) + k + 2, x (k + 1) = x (k) + A (k) */
  { CASCADING, TRUE, { { 2, 0 }, { 5, 2 }, { 11, 7 }, { 23, 18 } }, "X.u " },
};

static void
begin_mixed (Run *run, const MixedCase *c, const CounterData *data, guint threads)
{
  GError *error = NULL;

  run_begin (run, mixed_new (data), 1, c->type, threads);
  if (c->is_rest_first)
    weir_cosim_set_list (run->cosim, (guint[]) { WEIR_COSIM_REST, 0 }, &error);
  g_assert_no_error (error);
}

static void
expect_late (Run *run, const char *expected)
{
  WeirLayout *layout = weir_system_get_layout (run->root);
  g_autoptr (GArray) inputs = weir_cosim_list_late_inputs (run->cosim);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; i < inputs->len; i++)
    {
      WeirInputPlace at = g_array_index (inputs, WeirInputPlace, i);
      g_autofree char *path = weir_layout_dup_path (layout, at.node);

      g_string_append_printf (found, "%s.%s ", path,
                              weir_layout_get_input_name (layout, at.node, at.in));
    }
  g_assert_cmpstr (found->str, ==, expected);
}

static void
test_rest (void)
{
  for (guint c = 0; c < G_N_ELEMENTS (mixed_cases); c++)
    for (guint way = 0; way < 4; way++)
      {
        Run run;

        begin_mixed (&run, &mixed_cases[c], plain, 1 + way % 2);
        weir_context_set_caching (run.context, way < 2);
        g_assert_true (weir_cosim_feeds (run.cosim, 0, WEIR_COSIM_REST));
        g_assert_true (weir_cosim_feeds (run.cosim, WEIR_COSIM_REST, 0));
        expect_late (&run, mixed_cases[c].late);
        for (guint k = 1; k <= 4; k++)
          {
            run_to (&run, k - 0.25); /* where the integrator is stopped makes no difference */
            run_to (&run, k);
            g_assert_cmpfloat (run_get (&run, "A"), ==, mixed_cases[c].table[k - 1][0]);
            g_assert_cmpfloat_with_epsilon (run_get (&run, "X"), mixed_cases[c].table[k - 1][1],
                                            1e-12);
          }
        run_end (&run);
      }
}

/* What ends at an instant is seen at the instant, before its updates. */
static WeirStatus
look (WeirSimulator *simulator, WeirPhase phase, gpointer data)
{
  double t = weir_context_get_time (weir_simulator_get_context (simulator));
  Run *run = data;

  if (phase == WEIR_PHASE_MINUS)
    g_assert_cmpfloat (run_get (run, "S1"), ==, t);
  return WEIR_OK;
}

static WeirSystem *
chain_new (guint n, const CounterData *data)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();

  for (guint i = n; i-- > 0;)
    {
      g_autofree char *name = g_strdup_printf ("S%u", i + 1);
      g_autoptr (WeirSystem) unit = counter_new (&data[i]);

      weir_diagram_builder_add (b, name, unit);
    }
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("S%u", i + 1);
      g_autofree char *before = g_strdup_printf ("S%u", MAX (i, 1));

      if (i > 0 || n == 1)
        weir_diagram_builder_connect_by_name (b, before, "y", name, "u");
    }
  return weir_diagram_builder_build (b, NULL);
}

static void
test_before_updates (void)
{
  Run run;

  run_begin (&run, chain_new (1, plain), 1, FULL, 1); /* counts itself */
  weir_simulator_set_monitor (run.simulator, look, &run);
  run_to (&run, 5);
  g_assert_cmpfloat (run_get (&run, "S1"), ==, 5);
  run_end (&run);
}

/* --- Starts ---------------------------------------------------------------------------------- */

/* The first output of each is its input + 1: found along the chain, which stands in the tree from
 * its end to its beginning. */
static void
test_start_order (void)
{
  CounterData data[8];
  Run run;

  for (guint i = 0; i < 8; i++)
    data[i] = (CounterData) { .starts_with_input = TRUE };
  run_begin (&run, chain_new (8, data), 1, FULL, 1);
  run_to (&run, 0);
  g_assert_cmpfloat (run_get (&run, "S8"), ==, 8);
  run_end (&run);
}

/* y = (sum of inputs) + 1 at once: S5 = 2 S5 + 5, so S5 = -5, S1 = S2 = -4, S3 = -7, S4 = 1. */
static void
test_start_loop (void)
{
  static const int expected[] = { -4, -4, -7, 1, -5 };
  CounterData data[5];
  Run run;

  for (guint i = 0; i < 5; i++)
    data[i] = (CounterData) { .starts_with_input = TRUE };
  run_begin (&run, five_new (data, calc_sum, TRUE, NULL), 1, FULL, 1);
  run_to (&run, 0);
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *path = g_strdup_printf ("S%u", i + 1);

      g_assert_cmpfloat_with_epsilon (run_get (&run, path), expected[i], 1e-9);
    }
  run_end (&run);
}

static void
test_start_without_solution (void)
{
  static const CounterData data = { .starts_with_input = TRUE };
  GError *error = NULL;
  Run run;

  run_begin (&run, chain_new (1, &data), 1, FULL, 1); /* y = y + 1 */
  g_assert_false (weir_simulator_initialize (run.simulator, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "S1"));
  g_clear_error (&error);
  run_end (&run);
}

/* --- From outside ---------------------------------------------------------------------------- */

static void
test_fixed_input (void)
{
  for (WeirStepSchedulingType type = FULL; type <= CASCADING; type++)
    {
      WeirNode node;
      Run run;

      run_begin (&run, chain_new (3, plain), 1, type, 2);
      run_to (&run, 3);
      g_assert_true (weir_layout_find_node (weir_system_get_layout (run.root), "S2", &node));
      weir_context_fix_input (run.context, node, (WeirInput) { 0 }, &(double) { 100 });
      run_to (&run, 6);
      g_assert_cmpfloat (run_get (&run, "S2"), ==, 101);
      weir_context_unfix_input (run.context, node, (WeirInput) { 0 });
      run_to (&run, 8);
      g_assert_cmpfloat (run_get (&run, "S2"), ==, 2);
      run_end (&run);
    }
}

static void
test_no_master (void)
{
  g_autoptr (WeirSystem) root = chain_new (1, plain);
  g_autoptr (WeirContext) context = weir_system_create_context (root);
  WeirMasterFunc maker = weir_master_get_maker ();
  WeirSimulatorOptions options;
  GError *error = NULL;

  weir_simulator_options_init (&options);
  weir_master_set_maker (NULL);
  g_assert_null (weir_simulator_new (root, context, &options, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
  g_assert_true (g_str_has_prefix (error->message, "S1: "));
  g_clear_error (&error);
  weir_master_set_maker (maker);
}

/* --- Failures -------------------------------------------------------------------------------- */

/* All that go wrong in a step are told, by name, in the order of the list; those that would have
 * come after are not. */
static void
test_failures (void)
{
  CounterData data[5] = { [0] = { .delay = 500 },
                          [1] = { .fails = "it broke", .fails_at = 2 },
                          [3] = { .fails = "it broke too", .fails_at = 2 } };

  for (guint threads = 1; threads <= 4; threads++)
    for (WeirStepSchedulingType type = FULL; type <= CASCADING; type++)
      {
        GError *error = NULL;
        Run run;

        run_begin (&run, five_new (data, calc_sum, TRUE, NULL), 1, type, threads);
        run_to (&run, 2);
        g_assert_false (weir_simulator_advance_to (run.simulator, 4, &error));
        g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FAILED);
        g_assert_cmpstr (error->message, ==,
                         "2 units failed at t = 3 s: S2: it broke; S4: it broke too");
        g_assert_cmpuint (weir_simulator_get_n_troubles (run.simulator), >, 0);
        g_clear_error (&error);
        run_end (&run);
      }
}

/* S5 reads of S3, and does not step when that has failed. */
static void
test_failure (void)
{
  CounterData data[5] = {
    [2] = { .fails = "it broke", .fails_at = 0 }, [4] = { .fails = "it has stepped", .fails_at = 0 }
  };
  GError *error = NULL;
  Run run;

  run_begin (&run, five_new (data, calc_sum, TRUE, NULL), 1, CASCADING, 2);
  g_assert_false (weir_simulator_advance_to (run.simulator, 4, &error));
  g_assert_cmpstr (error->message, ==, "S3: it broke");
  g_clear_error (&error);
  run_end (&run);
}

static gboolean
step_to_nan (gpointer instance, double t, double end, const double *u, double *y, double *reached,
             GError **error)
{
  y[0] = NAN;
  return TRUE;
}

static void
test_not_finite (void)
{
  WeirUnitClass class = counter_class;
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) unit = NULL;
  GError *error = NULL;
  Run run;

  class.step = step_to_nan;
  unit = counter_new_of (&class, plain, 1, 0);
  weir_diagram_builder_add (b, "N", unit);
  run_begin (&run, weir_diagram_builder_build (b, NULL), 1, FULL, 1);
  g_assert_false (weir_simulator_advance_to (run.simulator, 1, &error));
  g_assert_cmpstr (error->message, ==,
                   "N: its output y became not a number in the step from t = 0 s to 1 s");
  g_clear_error (&error);
  run_end (&run);
}

/* --- Stops ----------------------------------------------------------------------------------- */

static gpointer
stop_soon (gpointer cancel)
{
  g_usleep (50000);
  g_atomic_int_set ((gint *) cancel, 1);
  return NULL;
}

static const gint *seen_cancel;

static void
see_cancel (gpointer instance, const gint *cancel)
{
  seen_cancel = cancel;
}

static gboolean
step_until_cancelled (gpointer instance, double t, double end, const double *u, double *y,
                      double *reached, GError **error)
{
  while (g_atomic_int_get (seen_cancel) == 0)
    g_usleep (1000);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
  return FALSE;
}

static gboolean
step_for_ever (gpointer instance, double t, double end, const double *u, double *y, double *reached,
               GError **error)
{
  for (;;)
    g_usleep (100000);
  return TRUE;
}

/* @seconds: how long the stop takes. */
static GError *
stop (const WeirUnitClass *class, double *seconds)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) unit = counter_new_of (class, plain, 1, 0);
  g_autoptr (WeirSystem) other = counter_new_of (&counter_class, plain, 1, 0);
  static gint cancel;
  GError *error = NULL;
  GThread *thread;
  gint64 begin;
  Run run;

  weir_diagram_builder_add (b, "Slow", unit);
  weir_diagram_builder_add (b, "Other", other);
  run_begin (&run, weir_diagram_builder_build (b, NULL), 1, FULL, 1);
  g_atomic_int_set (&cancel, 0);
  weir_simulator_set_cancel (run.simulator, &cancel);
  thread = g_thread_new ("stop", stop_soon, &cancel);
  begin = g_get_monotonic_time ();
  g_assert_false (weir_simulator_advance_to (run.simulator, 1, &error));
  *seconds = (double) (g_get_monotonic_time () - begin) * 1e-6;
  g_thread_join (thread);
  run_end (&run);
  return error;
}

static void
test_stop (void)
{
  WeirUnitClass class = counter_class;
  GError *error;
  double seconds;

  class.set_cancel = see_cancel;
  class.step = step_until_cancelled;
  error = stop (&class, &seconds);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpfloat (seconds, <, 1.5);
  g_clear_error (&error);
}

/* One that never returns is left, and told of. */
static void
test_abandoned (void)
{
  static WeirUnitClass class;
  GError *error;
  double seconds;

  class = counter_class;
  class.abilities &= ~(guint) WEIR_UNIT_STOPS;
  class.step = step_for_ever;
  error = stop (&class, &seconds);
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FAILED);
  g_assert_cmpstr (error->message, ==,
                   "Slow: its step did not end within 2 s of the stop and was abandoned");
  g_assert_cmpfloat (seconds, >, 1.9);
  g_assert_cmpfloat (seconds, <, 10);
  g_clear_error (&error);
}

/* --- Saving ---------------------------------------------------------------------------------- */

static void
check_continued (Run *a, Run *b, const char *const *paths)
{
  for (double t = 3; t <= 8; t += 0.5)
    {
      run_to (a, t);
      run_to (b, t);
      for (guint i = 0; paths[i] != NULL; i++)
        {
          double x = run_get (a, paths[i]), y = run_get (b, paths[i]);

          g_assert_cmpmem (&x, sizeof x, &y, sizeof y);
        }
    }
}

/* At an instant and amid a step, while tasks run and while others still wait. */
static void
test_saving (void)
{
  static const CounterData slow = { .delay = 2000 };

  for (guint c = 0; c < G_N_ELEMENTS (mixed_cases); c++)
    for (double at = 2; at < 3; at += 0.25)
      {
        g_autoptr (GBytes) saved = NULL;
        GError *error = NULL;
        Run a, b;

        begin_mixed (&a, &mixed_cases[c], &slow, 2);
        begin_mixed (&b, &mixed_cases[0], &slow, 1);
        run_to (&a, at);
        saved = weir_simulator_save (a.simulator, &error);
        g_assert_no_error (error);
        weir_simulator_load (b.simulator, saved, &error);
        g_assert_no_error (error);
        g_assert_cmpint (weir_cosim_get_step_scheduling_type (b.cosim), ==, mixed_cases[c].type);
        check_continued (&a, &b, (const char *const[]) { "A", "X", NULL });
        run_end (&a);
        run_end (&b);
      }
  for (WeirStepSchedulingType type = FULL; type <= CASCADING; type++)
    {
      g_autoptr (GBytes) saved = NULL;
      GError *error = NULL;
      Run a, b;

      run_begin (&a, five_new (plain, calc_sum, TRUE, NULL), 1, type, 2);
      run_begin (&b, five_new (plain, calc_sum, TRUE, NULL), 1, FULL, 1);
      run_to (&a, 2.5);
      saved = weir_simulator_save (a.simulator, &error);
      g_assert_no_error (error);
      run_to (&b, 1); /* what it did before counts no more */
      weir_simulator_load (b.simulator, saved, &error);
      g_assert_no_error (error);
      check_continued (&a, &b, (const char *const[]) { "S1", "S2", "S3", "S4", "S5", NULL });
      run_end (&a);
      run_end (&b);
    }
}

static void
test_not_savable (void)
{
  WeirUnitClass class = counter_class;
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) unit = NULL;
  GError *error = NULL;
  Run run;

  class.save = NULL;
  unit = counter_new_of (&class, plain, 1, 0);
  weir_diagram_builder_add (b, "N", unit);
  run_begin (&run, weir_diagram_builder_build (b, NULL), 1, FULL, 1);
  run_to (&run, 1);
  g_assert_null (weir_simulator_save (run.simulator, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
  g_assert_true (g_str_has_prefix (error->message, "N: "));
  g_clear_error (&error);
  run_end (&run);
}

/* --- Switched off ---------------------------------------------------------------------------- */

/* S1 counts its own steps, S2 gives one more than it, in a cascade. By hand. */
typedef struct {
  WeirUnitActivity activity;
  int table[8][2]; /* S1, S2 at k = 1 to 8: S1 away in the steps that begin at 3, 4, 5 */
} AwayCase;

static gboolean
count_step (gpointer instance, double t, double end, const double *u, double *y, double *reached,
            GError **error)
{
  Counter *self = instance;

  y[0] = ++self->y;
  return TRUE;
}

static void
test_away (void)
{
  static const AwayCase cases[] = {
    /* it counts on, unseen */
    { WEIR_UNIT_IGNORED,
      { { 1, 2 }, { 2, 3 }, { 3, 4 }, { 3, 4 }, { 3, 4 }, { 3, 4 }, { 7, 8 }, { 8, 9 } } },
    /* it begins with 0 again */
    { WEIR_UNIT_OFF,
      { { 1, 2 }, { 2, 3 }, { 3, 4 }, { 3, 4 }, { 3, 4 }, { 3, 4 }, { 1, 2 }, { 2, 3 } } },
  };
  WeirUnitClass counting = counter_class;

  counting.step = count_step;
  for (guint way = 0; way < 4 * G_N_ELEMENTS (cases); way++)
    {
      const AwayCase *c = &cases[way / 4];
      gboolean is_planned = way % 2 == 0, is_saved = way % 4 >= 2;
      WeirDiagramBuilder *b = weir_diagram_builder_new ();
      g_autoptr (WeirSystem) first = counter_new_of (&counting, &plain[0], 1, 1);
      g_autoptr (WeirSystem) second = counter_new_of (&counter_class, &plain[1], 1, 2);
      g_autoptr (WeirSystem) root = NULL;
      Run run;

      weir_diagram_builder_add (b, "S1", first);
      weir_diagram_builder_add (b, "S2", second);
      weir_diagram_builder_connect_by_name (b, "S1", "y", "S2", "u");
      root = weir_diagram_builder_build (b, NULL);
      run_begin (&run, weir_system_ref (root), 1, CASCADING, 2);
      if (is_planned)
        weir_cosim_plan_activity (run.cosim, 0, 3, 6, c->activity);
      for (guint k = 1; k <= 8; k++)
        {
          run_to (&run, k);
          g_assert_cmpfloat (run_get (&run, "S1"), ==, c->table[k - 1][0]);
          g_assert_cmpfloat (run_get (&run, "S2"), ==, c->table[k - 1][1]);
          if (!is_planned && (k == 3 || k == 6))
            weir_cosim_set_activity (run.cosim, 0, k == 3 ? c->activity : WEIR_UNIT_ON);
          if (is_saved && k == 4)
            {
              g_autoptr (GBytes) saved = weir_simulator_save (run.simulator, NULL);

              g_assert_nonnull (saved);
              run_end (&run);
              run_begin (&run, weir_system_ref (root), 1, CASCADING, 2);
              if (is_planned)
                weir_cosim_plan_activity (run.cosim, 0, 3, 6, c->activity);
              g_assert_true (weir_simulator_load (run.simulator, saved, NULL));
              g_assert_cmpuint (weir_cosim_get_activity (run.cosim, 0), ==,
                                is_planned ? WEIR_UNIT_ON : c->activity);
            }
        }
      run_end (&run);
    }
}

/* --- In the background ----------------------------------------------------------------------- */

static WeirSession *
five_session_new (void)
{
  static const char *const ports[] = { "S1.y", "S3.y", "S5.y", NULL };
  g_autoptr (WeirSystem) root = five_new (plain, calc_sum, TRUE, NULL);
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;
  WeirSession *session;

  weir_cosim_provide ();
  weir_simulator_options_init (&options);
  options.communication_step = 1;
  options.schedule = CASCADING;
  options.threads = 2;
  session = weir_session_new (root, &options, 8, 0, ports, &error);
  g_assert_no_error (error);
  return session;
}

static gboolean
is_at_break (WeirSession *session)
{
  while (!weir_session_get_snapshot (session)->is_at_break
         && weir_session_get_state (session) <= WEIR_SESSION_PAUSED)
    g_main_context_iteration (NULL, TRUE);
  return weir_session_get_snapshot (session)->is_at_break;
}

/* Where a unit's output changes a run pauses, goes on, is taken back over steps of units, and is
 * the run that nobody disturbed. */
static void
test_breakpoints (void)
{
  g_autoptr (WeirSession) quiet = five_session_new (), session = five_session_new ();
  g_autoptr (GArray) list = weir_breakpoint_list_new (), none = weir_breakpoint_list_new ();
  WeirBreakpoint change = { .kind = WEIR_BREAK_EVENT, .what = g_strdup ("S3.y"), .phase = -1 };
  WeirRecorder *expected, *found;

  g_array_append_val (list, change);
  weir_session_run (quiet);
  weir_session_join (quiet);
  weir_session_set_breakpoints (session, list, NULL);
  weir_session_run (session);
  for (guint64 k = 1; k <= 3; k++)
    {
      g_assert_true (is_at_break (session));
      g_assert_cmpuint (weir_session_get_snapshot (session)->hit.count, ==, k);
      g_assert_cmpfloat (weir_session_get_snapshot (session)->hit.time, ==, (double) k);
      if (k == 3)
        weir_session_set_breakpoints (session, none, NULL);
      weir_session_run_until (session, 6);
      while (weir_session_get_snapshot (session)->is_at_break
             && weir_session_get_snapshot (session)->hit.count == k)
        g_main_context_iteration (NULL, TRUE);
    }
  while (weir_session_get_snapshot (session)->time != 6
         || weir_session_get_state (session) != WEIR_SESSION_PAUSED)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (weir_session_step_back (session, 3), ==, WEIR_STEP_BACK_DONE);
  while (!weir_session_is_settled (session) || weir_session_get_snapshot (session)->time != 3)
    g_main_context_iteration (NULL, TRUE);
  weir_session_run (session);
  weir_session_join (session);
  expected = weir_session_get_recorder (quiet);
  found = weir_session_get_recorder (session);
  g_assert_cmpuint (weir_recorder_get_n_rows (found), ==, weir_recorder_get_n_rows (expected));
  for (gsize row = 0; row < weir_recorder_get_n_rows (found); row++)
    for (guint s = 0; s < 3; s++)
      g_assert_cmpfloat (weir_recorder_get_value (found, s, row), ==,
                         weir_recorder_get_value (expected, s, row));
  g_assert_cmpfloat (weir_recorder_get_value (found, 2, weir_recorder_get_n_rows (found) - 1), ==,
                     1275);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cosim/units/rest", test_rest);
  g_test_add_func ("/cosim/units/breakpoints", test_breakpoints);
  g_test_add_func ("/cosim/units/seen-before-updates", test_before_updates);
  g_test_add_func ("/cosim/units/start-order", test_start_order);
  g_test_add_func ("/cosim/units/start-loop", test_start_loop);
  g_test_add_func ("/cosim/units/start-without-solution", test_start_without_solution);
  g_test_add_func ("/cosim/units/fixed-input", test_fixed_input);
  g_test_add_func ("/cosim/units/no-master", test_no_master);
  g_test_add_func ("/cosim/units/failures-together", test_failures);
  g_test_add_func ("/cosim/units/failure", test_failure);
  g_test_add_func ("/cosim/units/not-finite", test_not_finite);
  g_test_add_func ("/cosim/units/stop", test_stop);
  g_test_add_func ("/cosim/units/abandoned", test_abandoned);
  g_test_add_func ("/cosim/units/saving", test_saving);
  g_test_add_func ("/cosim/units/not-savable", test_not_savable);
  g_test_add_func ("/cosim/units/away", test_away);
  return g_test_run ();
}

/* Runs repeated without one change event, against what must follow from the equations. */
#include "../sim/models.h"

#include <gio/gio.h>

#include "analysis/replay.h"
#include "analysis/scrubber.h"
#include "analysis/event-effect.h"

/* y = 2 t, z' = y: with the classic method of fixed step h, z at the end of the first step
 * is h^2. */
static WeirStatus
ramp_y (const WeirCalc *c, double *y)
{
  *y = 2 * weir_calc_time (c);
  return WEIR_OK;
}

static WeirStatus
sum_xcdot (const WeirCalc *c, double *xdot)
{
  *xdot = weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

static WeirSystem *
ramp_new (void)
{
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  WeirLeafBuilder *ramp = weir_leaf_builder_new ("Ramp"), *sum = weir_leaf_builder_new ("Sum");
  WeirInput u = weir_leaf_add_input (sum, "u", 1);
  g_autoptr (WeirSystem) r = NULL, s = NULL;

  weir_leaf_add_output (ramp, "y", 1, ramp_y, WEIR_DEPENDS (WEIR_TIME));
  r = weir_leaf_builder_build (ramp);
  weir_leaf_set_continuous_state (sum, 0, 0, 1, (double[]) { 0 });
  weir_leaf_set_derivatives (sum, sum_xcdot, WEIR_DEPENDS (weir_input_ticket (sum, u)));
  weir_leaf_add_output_window (sum, "z", WEIR_XC);
  s = weir_leaf_builder_build (sum);
  weir_diagram_builder_add (d, "ramp", r);
  weir_diagram_builder_add (d, "sum", s);
  weir_diagram_builder_connect_by_name (d, "ramp", "y", "sum", "u");
  return weir_diagram_builder_build (d, NULL);
}

typedef struct {
  WeirSystem *system;
  WeirSimulatorOptions options;
  WeirRunLog *run_log;
  WeirTrace *trace;
  const WeirLogRecord *records;
  gsize n;
} Logged;

static const char *const recorded_ports[] = { "sum.z", NULL };
static const char *const nothing[] = { NULL };

static void
logged_init (Logged *r, WeirSystem *system, const char *const *ports, const char *solver,
             double step, double stop_time)
{
  g_autoptr (WeirSession) session = NULL;
  g_autoptr (GError) error = NULL;

  *r = (Logged) { .system = weir_system_ref (system), .options = options_for (solver, 1e-6) };
  r->options.step = step;
  session = weir_session_new (system, &r->options, stop_time, 0, ports, &error);
  g_assert_no_error (error);
  weir_session_start_log (session, WEIR_LOG_MODE_EVENTS, 1 << 18);
  weir_session_run (session);
  weir_session_join (session);
  r->run_log = weir_session_take_log (session);
  g_assert_nonnull (r->run_log);
  r->trace = weir_trace_new (r->run_log->log, NULL);
  r->records = weir_trace_get_records (r->trace, &r->n);
}

static void
logged_clear (Logged *r)
{
  weir_run_log_free (r->run_log);
  weir_trace_unref (r->trace);
  weir_system_unref (r->system);
}

static const WeirEffectDifference *
find (const WeirEventEffect *result, const char *path)
{
  for (guint i = 0; i < result->differences->len; i++)
    if (g_str_equal (g_array_index (result->differences, WeirEffectDifference, i).path, path))
      return &g_array_index (result->differences, WeirEffectDifference, i);
  return NULL;
}

/* Without the event of the second stage, the stages of the first step see slopes 0, 0, h, 2 h
 * instead of 0, h, h, 2 h: z is short by 2 h / 6 * h from then on, and nothing else differs. */
static void
test_stage (void)
{
  const double h = 0.25;
  g_autoptr (WeirSystem) system = ramp_new ();
  Logged r;
  WeirEventEffect result;
  const WeirEffectDifference *z;
  g_autoptr (GError) error = NULL;
  gsize second = G_MAXSIZE;

  logged_init (&r, system, recorded_ports, "rk4", h, 1);
  for (gsize i = 0; i < r.n && second == G_MAXSIZE; i++)
    if (r.records[i].kind == WEIR_LOG_EVENT && r.records[i].phase == WEIR_LOG_PHASE_TRIAL
        && r.records[i].time == h / 2)
      second = i;
  g_assert_cmpuint (second, !=, G_MAXSIZE);
  weir_find_event_effect (system, &r.options, 1, recorded_ports, r.run_log->stored,
                          &r.records[second], 0, NULL, &result, &error);
  g_assert_no_error (error);
  g_assert_null (result.failure);
  g_assert_true (isnan (result.steps_differ_from));
  g_assert_cmpuint (result.differences->len, ==, 1);
  z = find (&result, "sum: continuous state [0]");
  g_assert_nonnull (z);
  g_assert_cmpfloat (z->time, ==, h);
  g_assert_cmpfloat_with_epsilon (z->with, h * h, 1e-15);
  g_assert_cmpfloat_with_epsilon (z->without, h * h - h * h / 3, 1e-15);
  g_assert_cmpfloat_with_epsilon (z->largest, h * h / 3, 1e-15);
  g_assert_cmpfloat (result.from, ==, 0);
  g_assert_cmpfloat (result.until, ==, 1);
  g_assert_cmpuint (result.n_steps, ==, 3);
  /* One state, the ramp's output and two derivatives, after four steps. */
  g_assert_cmpuint (result.n_values, ==,
                    4 * (1 + weir_layout_get_n_entries (weir_system_get_layout (system))));
  weir_event_effect_clear (&result);
  logged_clear (&r);
}

/* What is only ever made out of date anew, after nobody asked for it, is no loss. */
static void
test_superfluous (void)
{
  g_autoptr (WeirSystem) system = ramp_new ();
  g_autoptr (WeirScrubber) scrubber = NULL;
  Logged r;
  guint n_skipped = 0;

  logged_init (&r, system, nothing, "dormand-prince", 0, 3);
  scrubber = weir_scrubber_new (r.trace, 0, NULL, NULL, NULL);
  for (gsize i = 0; i < r.n; i++)
    {
      WeirEventEffect result;
      g_autoptr (GError) error = NULL;

      if (r.records[i].kind != WEIR_LOG_EVENT || weir_scrubber_get_amounts (scrubber)[i] > 0)
        continue;
      weir_find_event_effect (system, &r.options, 3, nothing, r.run_log->stored, &r.records[i], 0,
                              NULL, &result, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (result.differences->len, ==, 0);
      g_assert_cmpuint (result.n_values, >, 0);
      g_assert_true (isnan (result.steps_differ_from));
      weir_event_effect_clear (&result);
      n_skipped++;
    }
  g_assert_cmpuint (n_skipped, >, 3);
  logged_clear (&r);
}

/* Far into a run: from the nearest one stored, or where the method does not go on from there as it
 * did, from the beginning. */
static void
check_late (const char *solver, double step)
{
  g_autoptr (WeirSystem) pendulum = pendulum_new (1);
  g_autoptr (WeirSystem) system = wrap_new ("swing", pendulum);
  const char *const ports[] = { "swing.theta", NULL };
  Logged r;
  WeirEventEffect result;
  g_autoptr (GError) error = NULL;
  gsize late;

  logged_init (&r, system, ports, solver, step, 60);
  g_assert_cmpuint (r.run_log->stored->len, >, 1);
  for (late = r.n - 1; r.records[late].kind != WEIR_LOG_EVENT || r.records[late].time > 59;)
    late--;
  g_assert_cmpuint (r.records[late].number, >, 4096);
  weir_find_event_effect (system, &r.options, 60, ports, r.run_log->stored, &r.records[late], 5,
                          NULL, &result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (result.n_steps, >, 0);
  g_assert_cmpfloat (result.from, >, 58);
  weir_event_effect_clear (&result);
  logged_clear (&r);
}

static void
test_late (void)
{
  check_late ("rk4", 0.002);
  check_late ("dormand-prince", 0);
}

/* An event that was never there, a run that was edited, a search that was stopped. */
static void
test_refused (void)
{
  g_autoptr (WeirSystem) system = ramp_new ();
  Logged r;
  WeirEventEffect result;
  WeirLogRecord other;
  gint cancel = 1;
  GError *error = NULL;

  logged_init (&r, system, recorded_ports, "rk4", 0.25, 1);
  other = r.records[1];
  for (gsize i = 0; i < r.n && other.kind != WEIR_LOG_EVENT; i++)
    other = r.records[i];
  g_assert_false (weir_find_event_effect (system, &r.options, 1, recorded_ports, r.run_log->stored,
                                          &other, 0, &cancel, &result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  other.time += 0.01;
  g_assert_false (weir_find_event_effect (system, &r.options, 1, recorded_ports, r.run_log->stored,
                                          &other, 0, NULL, &result, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_MISMATCH);
  g_assert_nonnull (strstr (error->message, "did not come again"));
  g_clear_error (&error);
  other.number = 1000000;
  g_assert_false (weir_find_event_effect (system, &r.options, 1, recorded_ports, NULL, &other, 0,
                                          NULL, &result, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_MISMATCH);
  g_clear_error (&error);
  logged_clear (&r);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/event-effect/stage", test_stage);
  g_test_add_func ("/analysis/event-effect/superfluous", test_superfluous);
  g_test_add_func ("/analysis/event-effect/late", test_late);
  g_test_add_func ("/analysis/event-effect/refused", test_refused);
  return g_test_run ();
}

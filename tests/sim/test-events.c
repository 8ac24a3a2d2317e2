/* Triggers and actions of events. */
#include "models.h"

#include "system/evaluation/event.h"

static GString *seen; /* what the handlers did, in order */

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  WeirSimulator *simulator;
} Run;

/* Takes over @system. */
static void
run_init (Run *run, WeirSystem *system)
{
  WeirSimulatorOptions options = options_for ("rk4", 1e-9);
  g_autoptr (GError) error = NULL;

  options.step = 0.25;
  seen = g_string_new (NULL);
  run->system = system;
  run->context = weir_system_create_context (system);
  run->simulator = weir_simulator_new (system, run->context, &options, &error);
  g_assert_no_error (error);
}

static void
run_clear (Run *run)
{
  weir_simulator_free (run->simulator);
  weir_context_free (run->context);
  weir_system_unref (run->system);
  g_string_free (seen, TRUE);
}

static void
advance (Run *run, double until)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (weir_simulator_advance_to (run->simulator, until, &error));
  g_assert_no_error (error);
}

static char *
fail_to_advance (Run *run, double until)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (weir_simulator_advance_to (run->simulator, until, &error));
  return g_strdup (error->message);
}

#define X ((WeirGroup) { 0 })
#define Y ((WeirGroup) { 1 })

/* Handlers that write down which action it was and when, each of another part of the leaf. */
static WeirStatus
publish (const WeirCalc *c, gint64 n)
{
  g_string_append_printf (seen, "p%d@%g ", (int) n, weir_calc_time (c));
  return WEIR_OK;
}

static WeirStatus
update (const WeirCalc *c, gint64 n, double *next)
{
  g_string_append_printf (seen, "d%d@%g ", (int) n, weir_calc_time (c));
  g_assert_cmpfloat (next[0], ==, weir_calc_discrete (c, X)[0]);
  next[0] += 1;
  return WEIR_OK;
}

static WeirStatus
reset (const WeirCalc *c, gint64 n, double *xc)
{
  g_string_append_printf (seen, "r%d@%g ", (int) n, weir_calc_time (c));
  xc[0] = -1;
  return WEIR_OK;
}

/* Reads x as it was, whatever the discrete update of the same instant does. */
static WeirStatus
unrestricted (const WeirCalc *c, gint64 n, WeirNextState *next)
{
  g_string_append_printf (seen, "u%d@%g ", (int) n, weir_calc_time (c));
  weir_next_state_discrete (next, Y)[0] = weir_calc_discrete (c, X)[0];
  return WEIR_OK;
}

static WeirStatus
one (G_GNUC_UNUSED const WeirCalc *c, double *xdot)
{
  xdot[0] = 1;
  return WEIR_OK;
}

/* z' = 1 from -0.6; zero at 0.6. */
static WeirStatus
get_z (const WeirCalc *c, double *w)
{
  w[0] = weir_calc_z (c)[0];
  return WEIR_OK;
}

static WeirStatus
quarter_past (G_GNUC_UNUSED const WeirCalc *c, double after, double *time)
{
  *time = floor (after - 0.25) + 1.25;
  return WEIR_OK;
}

static WeirTrigger
trigger_of (WeirTriggerKind kind, WeirCached witness)
{
  switch (kind)
    {
    case WEIR_TRIGGER_INITIALIZATION:
      return weir_on_initialization ();
    case WEIR_TRIGGER_PER_STEP:
      return weir_on_each_step ();
    case WEIR_TRIGGER_TIMED:
      return weir_at_times (quarter_past);
    case WEIR_TRIGGER_CROSSING:
      return weir_on_crossing (witness, WEIR_RISING);
    case WEIR_TRIGGER_FORCED:
      return weir_when_forced ();
    case WEIR_TRIGGER_PERIODIC:
    default:
      return weir_every (0.5, 0.125);
    }
}

static WeirLeafBuilder *
builder_new (WeirCached *witness)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Subject");

  weir_leaf_add_discrete_state (b, "x", (double[]) { 5 }, 1);
  weir_leaf_add_discrete_state (b, "y", (double[]) { 0 }, 1);
  weir_leaf_set_continuous_state (b, 0, 0, 1, (double[]) { -0.6 });
  weir_leaf_set_derivatives (b, one, WEIR_DEPENDS (WEIR_NOTHING));
  *witness = weir_leaf_add_cache_entry (b, "z", 1, get_z, WEIR_DEPENDS (WEIR_Z));
  return b;
}

static const struct {
  WeirTriggerKind kind;
  const char *publishes, *updates; /* over [0, 1] in steps of a quarter */
  guint n_updates;
} triggers[] = {
  { WEIR_TRIGGER_PERIODIC, "p0@0.125 p1@0.625 ", "0@0.125 1@0.625 ", 2 },
  { WEIR_TRIGGER_INITIALIZATION, "p0@0 ", "0@0 ", 1 },
  { WEIR_TRIGGER_PER_STEP, "p0@0 p1@0.25 p2@0.5 p3@0.75 p4@1 ", "0@0 1@0.25 2@0.5 3@0.75 ", 4 },
  { WEIR_TRIGGER_TIMED, "p0@0.25 ", "0@0.25 ", 1 },
  { WEIR_TRIGGER_CROSSING, "p0@0.6 ", "0@0.6 ", 1 },
  { WEIR_TRIGGER_FORCED, "", "", 0 },
};

/* Every trigger times every action, in a leaf two diagrams down. */
static void
test_triggers_times_actions (void)
{
  for (guint t = 0; t < G_N_ELEMENTS (triggers); t++)
    for (guint a = 0; a < 4; a++)
      {
        const char *letters[] = { "p", "d", "r", "u" };
        g_auto (GStrv) expected = g_strsplit (triggers[t].updates, " ", -1);
        g_autoptr (GString) text = g_string_new (NULL);
        WeirCached witness;
        WeirLeafBuilder *b = builder_new (&witness);
        WeirTrigger trigger = trigger_of (triggers[t].kind, witness);
        g_autoptr (WeirSystem) leaf = NULL;
        g_autoptr (WeirSystem) inner = NULL;
        const WeirSimulatorStatistics *s;
        WeirNode node;
        Run run;

        switch (a)
          {
          case 0:
            weir_leaf_add_publish (b, trigger, publish);
            break;
          case 1:
            weir_leaf_add_update (b, trigger, X, update);
            break;
          case 2:
            weir_leaf_add_reset (b, trigger, reset);
            break;
          default:
            weir_leaf_add_unrestricted_update (b, trigger, unrestricted);
          }
        for (guint i = 0; expected[i] != NULL && *expected[i] != '\0'; i++)
          g_string_append_printf (text, "%s%s ", letters[a], expected[i]);
        leaf = weir_leaf_builder_build (b);
        inner = wrap_new ("leaf", leaf);
        run_init (&run, wrap_new ("inner", inner));
        g_assert_true (
            weir_layout_find_node (weir_system_get_layout (run.system), "inner.leaf", &node));
        advance (&run, 1);
        s = weir_simulator_get_statistics (run.simulator);
        /* A reset moves the crossing away, and only a reset does. */
        g_assert_cmpstr (seen->str, ==, a == 0 ? triggers[t].publishes : text->str);
        g_assert_cmpuint (weir_simulator_get_event_count (run.simulator, 0), ==,
                          a == 0 ? s->publishes : triggers[t].n_updates);
        g_assert_cmpuint (s->discrete_updates, ==, a == 1 ? triggers[t].n_updates : 0);
        g_assert_cmpuint (s->resets, ==, a == 2 ? triggers[t].n_updates : 0);
        g_assert_cmpuint (s->unrestricted_updates, ==, a == 3 ? triggers[t].n_updates : 0);
        g_assert_cmpfloat (weir_context_get_discrete (run.context, node, X)[0], ==,
                           a == 1 ? 5 + triggers[t].n_updates : 5);
        g_assert_cmpfloat (weir_context_get_discrete (run.context, node, Y)[0], ==,
                           a == 3 && triggers[t].n_updates > 0 ? 5 : 0);
        if (a != 2)
          g_assert_cmpfloat_with_epsilon (weir_context_get_state (run.context)[0], 0.4, 1e-12);
        run_clear (&run);
      }
}

/* The flag suppresses them; each initialisation runs them once. */
static void
test_initialization_suppressed (void)
{
  WeirCached witness;
  WeirLeafBuilder *b = builder_new (&witness);
  WeirSimulatorOptions options = options_for ("rk4", 1e-9);
  g_autoptr (WeirSimulator) simulator = NULL;
  Run run;

  weir_leaf_add_publish (b, weir_on_initialization (), publish);
  weir_leaf_add_update (b, weir_on_initialization (), X, update);
  weir_leaf_add_unrestricted_update (b, weir_on_initialization (), unrestricted);
  run_init (&run, weir_leaf_builder_build (b));
  options.skips_initialization_events = TRUE;
  simulator = weir_simulator_new (run.system, run.context, &options, NULL);
  g_assert_true (weir_simulator_initialize (simulator, NULL));
  g_assert_cmpstr (seen->str, ==, "");
  g_assert_true (weir_simulator_initialize (run.simulator, NULL));
  g_assert_cmpstr (seen->str, ==, "d0@0 u0@0 p0@0 ");
  /* Both updates read x as it was. */
  g_assert_cmpfloat (weir_context_get_discrete (run.context, WEIR_ROOT, X)[0], ==, 6);
  g_assert_cmpfloat (weir_context_get_discrete (run.context, WEIR_ROOT, Y)[0], ==, 5);
  g_assert_true (weir_simulator_initialize (run.simulator, NULL));
  g_assert_cmpstr (seen->str, ==, "d0@0 u0@0 p0@0 d0@0 u0@0 p0@0 ");
  run_clear (&run);
}

static void
test_forced (void)
{
  WeirCached witness;
  WeirLeafBuilder *b = builder_new (&witness);
  g_autoptr (GError) error = NULL;
  Run run;

  weir_leaf_add_publish (b, weir_when_forced (), publish);
  weir_leaf_add_update (b, weir_when_forced (), X, update);
  run_init (&run, weir_leaf_builder_build (b));
  advance (&run, 0.5);
  g_assert_true (weir_simulator_force (run.simulator, WEIR_ACTION_DISCRETE_UPDATE, &error));
  g_assert_true (weir_simulator_force (run.simulator, WEIR_ACTION_DISCRETE_UPDATE, &error));
  g_assert_true (weir_simulator_force (run.simulator, WEIR_ACTION_PUBLISH, &error));
  g_assert_cmpstr (seen->str, ==, "d0@0.5 d1@0.5 p0@0.5 ");
  g_assert_cmpfloat (weir_context_get_discrete (run.context, WEIR_ROOT, X)[0], ==, 7);
  run_clear (&run);
}

static void
test_no_events (void)
{
  g_autoptr (WeirSystem) system = pendulum_new (1);

  g_assert_cmpuint (weir_system_get_n_events (system), ==, 0);
}

static void
test_bad_periods (void)
{
  static const double bad[][2] = {
    { 0, 0 },  { -1, 0 },          { (double) NAN, 0 }, { (double) INFINITY, 0 },
    { 1, -1 }, { 1, (double) NAN }
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strdup_printf ("/sim/events/bad-periods/subprocess/%u", i);

      g_test_trap_subprocess (path, 0, 0);
      g_test_trap_assert_failed ();
    }
}

static void
bad_period (gconstpointer data)
{
  const double *numbers = data;
  WeirLeafBuilder *b = weir_leaf_builder_new ("Bad");

  weir_leaf_add_publish (b, weir_every (numbers[0], numbers[1]), publish);
}

/* A next time that is not a number, or not later, is an error with the block's path. */
static WeirStatus
forgotten (G_GNUC_UNUSED const WeirCalc *c, G_GNUC_UNUSED double after, G_GNUC_UNUSED double *time)
{
  return WEIR_OK;
}

static WeirStatus
in_the_past (G_GNUC_UNUSED const WeirCalc *c, double after, double *time)
{
  *time = after - 1;
  return WEIR_OK;
}

static void
test_bad_times (void)
{
  static const struct {
    WeirNextTimeFunc next_time;
    const char *text;
  } cases[] = { { forgotten, "not a number" }, { in_the_past, "not later" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      WeirLeafBuilder *b = weir_leaf_builder_new ("Bad");
      g_autoptr (WeirSystem) leaf = NULL;
      g_autofree char *text = NULL;
      Run run;

      weir_leaf_add_publish (b, weir_at_times (cases[i].next_time), publish);
      leaf = weir_leaf_builder_build (b);
      run_init (&run, wrap_new ("bad", leaf));
      text = fail_to_advance (&run, 1);
      g_assert_true (g_str_has_prefix (text, "bad: "));
      g_assert_nonnull (strstr (text, cases[i].text));
      run_clear (&run);
    }
}

/* An event exactly at the start is met, at zero, at the smallest numbers and elsewhere. */
static WeirStatus
at_parameter (const WeirCalc *c, double after, double *time)
{
  double at = weir_calc_parameter (c, (WeirParameter) { 0 })[0];

  *time = at > after ? at : (double) INFINITY;
  return WEIR_OK;
}

static void
test_event_at_start (void)
{
  static const double starts[] = { 0, 2.2250738585072014e-308, -2.2250738585072014e-308, 1, -3.5 };

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    {
      WeirLeafBuilder *b = weir_leaf_builder_new ("Once");
      Run run;

      weir_leaf_add_parameter (b, "at", &starts[i], 1);
      weir_leaf_add_publish (b, weir_at_times (at_parameter), publish);
      run_init (&run, weir_leaf_builder_build (b));
      weir_context_set_time (run.context, starts[i]);
      g_assert_true (weir_simulator_initialize (run.simulator, NULL));
      g_assert_cmpuint (weir_simulator_get_event_count (run.simulator, 0), ==, 1);
      advance (&run, starts[i] + 1);
      g_assert_cmpuint (weir_simulator_get_event_count (run.simulator, 0), ==, 1);
      run_clear (&run);
    }
}

/* An update at t changes when the leaf's next event is; it is not missed. */
static WeirStatus
alarm_update (G_GNUC_UNUSED const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = 0.75;
  return WEIR_OK;
}

static WeirStatus
at_alarm (const WeirCalc *c, double after, double *time)
{
  double at = weir_calc_discrete (c, X)[0];

  *time = at > after ? at : (double) INFINITY;
  return WEIR_OK;
}

static void
test_event_from_handler (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Alarm");
  WeirGroup x = weir_leaf_add_discrete_state (b, "x", (double[]) { -1 }, 1);
  Run run;

  weir_leaf_add_update (b, weir_every (10, 0.5), x, alarm_update);
  weir_leaf_add_publish (b, weir_at_times (at_alarm), publish);
  run_init (&run, weir_leaf_builder_build (b));
  advance (&run, 2);
  g_assert_cmpstr (seen->str, ==, "p0@0.75 ");
  run_clear (&run);
}

/* A boundary at the present time executes what is pending; time stays. */
static void
test_advance_pending (void)
{
  Run run;

  run_init (&run, counter_new (0.5, 0));
  advance (&run, 0.5);
  g_assert_cmpfloat (weir_context_get_discrete (run.context, WEIR_ROOT, X)[0], ==, 1);
  advance (&run, 0.5);
  g_assert_cmpfloat (weir_context_get_discrete (run.context, WEIR_ROOT, X)[0], ==, 2);
  g_assert_cmpfloat (weir_context_get_time (run.context), ==, 0.5);
  advance (&run, 0.5);
  g_assert_cmpfloat (weir_context_get_discrete (run.context, WEIR_ROOT, X)[0], ==, 2);
  run_clear (&run);
}

/* What did nothing is neither applied, counted nor invalidates; a failure leaves the
 * state untouched and names the block; a reason given with the end is kept. */
static WeirStatus
lazy_update (G_GNUC_UNUSED const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = 77;
  return WEIR_DID_NOTHING;
}

static WeirStatus
failing_unrestricted (const WeirCalc *c, G_GNUC_UNUSED gint64 n, WeirNextState *next)
{
  weir_next_state_discrete (next, X)[0] = 77;
  return weir_calc_fail (c, "no more");
}

static WeirStatus
ending_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = 6;
  weir_calc_note (c, "enough");
  return WEIR_TERMINATE;
}

static void
test_status (void)
{
  WeirCached witness;
  WeirLeafBuilder *b = builder_new (&witness);
  g_autoptr (WeirSystem) leaf = NULL;
  g_autofree char *text = NULL;
  guint64 n_events;
  Run run;

  weir_leaf_add_update (b, weir_every (1, 0), X, lazy_update);
  run_init (&run, weir_leaf_builder_build (b));
  g_assert_true (weir_simulator_initialize (run.simulator, NULL));
  n_events = weir_context_get_n_events (run.context);
  g_assert_true (weir_simulator_advance_to (run.simulator, 0, NULL));
  g_assert_cmpuint (weir_context_get_n_events (run.context), ==, n_events);
  advance (&run, 2);
  g_assert_cmpfloat (weir_context_get_discrete (run.context, WEIR_ROOT, X)[0], ==, 5);
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->discrete_updates, ==, 0);
  run_clear (&run);

  b = builder_new (&witness);
  weir_leaf_add_unrestricted_update (b, weir_every (1, 0.5), failing_unrestricted);
  leaf = weir_leaf_builder_build (b);
  run_init (&run, wrap_new ("leaf", leaf));
  text = fail_to_advance (&run, 2);
  g_assert_cmpstr (text, ==, "leaf: the event at t = 0.5 s failed: no more");
  g_assert_cmpfloat (weir_context_get_discrete (run.context, (WeirNode) { 1 }, X)[0], ==, 5);
  run_clear (&run);

  b = builder_new (&witness);
  weir_leaf_add_update (b, weir_every (1, 0.5), X, ending_update);
  weir_leaf_add_unrestricted_update (b, weir_every (1, 0.5), unrestricted);
  run_init (&run, weir_leaf_builder_build (b));
  advance (&run, 2);
  g_assert_true (weir_simulator_is_terminated (run.simulator));
  g_assert_cmpfloat (weir_context_get_time (run.context), ==, 0.5);
  /* The other update of the instant ran too. */
  g_assert_cmpstr (seen->str, ==, "u0@0.5 ");
  g_assert_cmpfloat (weir_context_get_discrete (run.context, WEIR_ROOT, X)[0], ==, 6);
  g_assert_cmpuint (weir_simulator_get_n_notes (run.simulator), ==, 1);
  g_assert_cmpstr (weir_simulator_get_note (run.simulator, 0)->text, ==,
                   "the model at t = 0.5 s: enough");
  g_assert_cmpint (weir_simulator_get_note (run.simulator, 0)->kind, ==, WEIR_TROUBLE_END);
  run_clear (&run);
}

/* Two writers of one continuous state, of whatever actions. */
static WeirStatus
take_xc (G_GNUC_UNUSED const WeirCalc *c, G_GNUC_UNUSED gint64 n, WeirNextState *next)
{
  weir_next_state_xc (next)[0] = 3;
  return WEIR_OK;
}

static void
test_two_writers (void)
{
  WeirCached witness;
  WeirLeafBuilder *b = builder_new (&witness);
  g_autofree char *text = NULL;
  g_autoptr (WeirSystem) leaf = NULL;
  Run run;

  weir_leaf_add_reset (b, weir_every (1, 0.5), reset);
  weir_leaf_add_unrestricted_update (b, weir_every (0.25, 0.5), take_xc);
  leaf = weir_leaf_builder_build (b);
  run_init (&run, wrap_new ("leaf", leaf));
  text = fail_to_advance (&run, 2);
  g_assert_cmpstr (text, ==,
                   "leaf: two events write the continuous state at t = 0.5 s; only one can");
  run_clear (&run);
}

/* Only the leaf that an update wrote is invalidated, not its equal neighbour with the
 * same events. */
static WeirStatus
odd_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, WeirNextState *next)
{
  if (weir_calc_parameter (c, (WeirParameter) { 0 })[0] == 0)
    return WEIR_DID_NOTHING;
  weir_next_state_discrete (next, X)[0] = 1;
  return WEIR_OK;
}

static WeirStatus
get_x (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_discrete (c, X)[0];
  return WEIR_OK;
}

static void
test_only_changed (void)
{
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  WeirNode nodes[2];
  Run run;

  for (guint i = 0; i < 2; i++)
    {
      WeirLeafBuilder *b = weir_leaf_builder_new ("Leaf");
      WeirGroup x = weir_leaf_add_discrete_state (b, "x", (double[]) { 0 }, 1);
      g_autoptr (WeirSystem) leaf = NULL;

      weir_leaf_add_parameter (b, "acts", (double[]) { i }, 1);
      weir_leaf_add_output (b, "y", 1, get_x, WEIR_DEPENDS (weir_group_ticket (b, x)));
      weir_leaf_add_unrestricted_update (b, weir_every (1, 0), odd_update);
      leaf = weir_leaf_builder_build (b);
      nodes[i] = (WeirNode) { i + 1 };
      weir_diagram_builder_add (d, i == 0 ? "still" : "acting", leaf);
    }
  run_init (&run, weir_diagram_builder_build (d, NULL));
  g_assert_true (weir_simulator_initialize (run.simulator, NULL));
  for (guint i = 0; i < 2; i++)
    g_assert_nonnull (weir_eval_output (run.system, run.context, nodes[i], (WeirOutput) { 0 }));
  advance (&run, 0);
  for (guint i = 0; i < 2; i++)
    {
      WeirEntry entry;

      g_assert_true (weir_layout_find_output_entry (weir_system_get_layout (run.system), nodes[i],
                                                    (WeirOutput) { 0 }, &entry));
      g_assert_cmpint (weir_context_is_up_to_date (run.context, entry), ==, i == 0);
    }
  run_clear (&run);
}

static void
test_step_limit (void)
{
  WeirSimulatorOptions options = options_for ("rk4", 1e-6);
  g_autoptr (WeirSystem) system = pendulum_new (1);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;

  options.step = 0.1;
  options.max_steps = 7;
  simulator = weir_simulator_new (system, context, &options, &error);
  g_assert_false (weir_simulator_advance_to (simulator, 1, &error));
  g_assert_nonnull (strstr (error->message, "7 steps"));
  g_assert_cmpfloat_with_epsilon (weir_context_get_time (context), 0.7, 1e-15);
}

int
main (int argc, char **argv)
{
  static const double bad[][2] = {
    { 0, 0 },  { -1, 0 },          { (double) NAN, 0 }, { (double) INFINITY, 0 },
    { 1, -1 }, { 1, (double) NAN }
  };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/events/no-events", test_no_events);
  g_test_add_func ("/sim/events/bad-periods", test_bad_periods);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strdup_printf ("/sim/events/bad-periods/subprocess/%u", i);

      g_test_add_data_func (path, bad[i], bad_period);
    }
  g_test_add_func ("/sim/events/bad-times", test_bad_times);
  g_test_add_func ("/sim/events/event-at-start", test_event_at_start);
  g_test_add_func ("/sim/events/85-status", test_status);
  g_test_add_func ("/sim/events/96-triggers-times-actions", test_triggers_times_actions);
  g_test_add_func ("/sim/events/initialization-suppressed", test_initialization_suppressed);
  g_test_add_func ("/sim/events/event-from-handler", test_event_from_handler);
  g_test_add_func ("/sim/events/advance-pending", test_advance_pending);
  g_test_add_func ("/sim/events/forced", test_forced);
  g_test_add_func ("/sim/events/two-writers", test_two_writers);
  g_test_add_func ("/sim/events/only-changed-leaves", test_only_changed);
  g_test_add_func ("/sim/events/step-limit", test_step_limit);
  return g_test_run ();
}

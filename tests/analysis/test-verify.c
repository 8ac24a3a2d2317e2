/* Cached against uncached: honest models are identical, and of planted omissions none escapes. */
#include <gio/gio.h>

#include "analysis/request-chain.h"
#include "analysis/verify.h"
#include "planted.h"
#include "analysis/lockstep.h"
#include "sim/journal.h"
#include "sim/session.h"

/* --- Honest models --------------------------------------------------------------------------- */

static WeirSystem *
nested_new (void)
{
  g_autoptr (WeirSystem) driven = driven_new (0.05);
  g_autoptr (WeirSystem) inner = wrap_new ("inner", driven);
  g_autoptr (WeirSystem) swing = pendulum_new (1);
  WeirDiagramBuilder *b = weir_diagram_builder_new ();

  weir_diagram_builder_add (b, "a", inner);
  weir_diagram_builder_add (b, "b", swing);
  return weir_diagram_builder_build (b, NULL);
}

static void
test_identical (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  WeirSystem *systems[] = { nested_new (), sampled_loop_new (0.1), counter_new (0.02, 0),
                            robertson_new () };

  for (guint i = 0; i < G_N_ELEMENTS (systems); i++)
    {
      WeirSimulatorOptions options = options_for (info->name, 1e-6);
      g_autoptr (WeirSystem) system = systems[i];
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;
      WeirVerifyResult result;

      options.step = 1e-4; /* Robertson explodes at more with a fixed step */
      g_assert_true (weir_verify (system, &options, 0.2, NULL, &result, &error));
      g_assert_no_error (error);
      g_assert_true (result.identical);
      g_assert_cmpuint (result.n_steps, >, 0);
      g_assert_cmpuint (result.n_compared, >, result.n_steps);
      if (i == 0)
        g_assert_cmpuint (result.cached_hits, >, 0);
      g_assert_cmpuint (result.uncached_hits, ==, 0);
      text = weir_verify_result_to_string (&result);
      g_assert_true (g_str_has_prefix (text, "identical, "));
      weir_verify_result_clear (&result);
    }
}

static void
test_text (void)
{
  WeirVerifyResult same = { .identical = TRUE, .n_compared = 12408 };
  WeirVerifyResult other = { .time = 0.5,
                             .where = (char *) "plant:y",
                             .faulty_entry = (char *) "plant:inner",
                             .cached = 1,
                             .uncached = 1.5 };
  g_autofree char *same_text = weir_verify_result_to_string (&same);
  g_autofree char *other_text = weir_verify_result_to_string (&other);

  g_assert_cmpstr (same_text, ==, "identical, 12 408 values compared");
  g_assert_cmpstr (
      other_text, ==,
      "different at t = 0.5: plant:y is 1 with caching and 1.5 without; plant:inner does "
      "not declare all that it reads");
}

/* A run that fails the same way on both sides is a failure of the run, not a difference. */
static void
test_failing_run (void)
{
  g_autoptr (WeirSystem) leaf = ending_new ();
  g_autoptr (WeirSystem) system = wrap_new ("tank", leaf);
  WeirSimulatorOptions options = options_for ("auto", 1e-6);
  g_autoptr (GError) error = NULL;
  WeirVerifyResult result;

  g_assert_false (weir_verify (system, &options, 2, NULL, &result, &error));
  g_assert_nonnull (strstr (error->message, "tank"));
  weir_verify_result_clear (&result);
}

/* Options that results are drawn with show the monitor much more than the steps' ends. */
static void
test_gap (void)
{
  g_autoptr (WeirSystem) system = nested_new ();
  WeirSimulatorOptions options = options_for ("auto", 1e-6);
  g_autoptr (GError) error = NULL;
  WeirVerifyResult with, without;

  g_assert_true (weir_verify (system, &options, 2, NULL, &without, &error));
  g_assert_no_error (error);
  options.record_gap = 1e-3;
  g_assert_true (weir_verify (system, &options, 2, NULL, &with, &error));
  g_assert_no_error (error);
  g_assert_true (with.identical);
  g_assert_cmpuint (with.n_compared, ==, without.n_compared);
  weir_verify_result_clear (&with);
  weir_verify_result_clear (&without);
}

static void
test_cancel (void)
{
  g_autoptr (WeirSystem) system = nested_new ();
  WeirSimulatorOptions options = options_for ("auto", 1e-6);
  g_autoptr (GError) error = NULL;
  WeirVerifyResult result;
  gint cancel = 1;

  g_assert_false (weir_verify (system, &options, 2, &cancel, &result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  weir_verify_result_clear (&result);
}

/* --- Planted omissions ----------------------------------------------------------------------- */

/* When a source changes: with the solver's time and state, or at updates. */
enum { CONTINUOUS = 1, DISCRETE = 2 };
static guint
changes_with (const Plant *plant, guint source)
{
  guint input = plant->input_is_discrete ? DISCRETE : CONTINUOUS, kinds = 0;

  if (source == SOURCE_GROUP)
    return DISCRETE;
  if (source == SOURCE_INPUT)
    return input;
  if (source != SOURCE_CACHED)
    return CONTINUOUS;
  for (guint s = 0; s < SOURCE_CACHED; s++)
    if (plant->reads.reads[ENTRY_CACHED] & (1u << s))
      kinds |= changes_with (plant, s);
  return kinds;
}

/* Does the omission change a value? Only if the source changes when nothing declared does. */
static gboolean
changes_a_value (const Plant *plant)
{
  guint declared = 0;

  for (guint s = 0; s < N_SOURCES; s++)
    if (s != plant->source && (plant->reads.reads[plant->entry] & (1u << s)))
      declared |= changes_with (plant, s);
  return (changes_with (plant, plant->source) & ~declared) != 0;
}

static WeirStatus
wave_output (const WeirCalc *c, double *y)
{
  y[0] = 2 + sin (weir_calc_time (c));
  return WEIR_OK;
}

/* A model without any state is compared too: its values are all there is. */
static void
test_stateless (void)
{
  WeirSimulatorOptions options = options_for ("auto", 1e-6);
  WeirLeafBuilder *b = weir_leaf_builder_new ("Wave");
  g_autoptr (WeirSystem) wave = NULL;
  WeirVerifyResult result;

  weir_leaf_add_output (b, "y", 1, wave_output, WEIR_DEPENDS (WEIR_TIME));
  wave = weir_leaf_builder_build (b);
  g_assert_true (weir_verify (wave, &options, 1, NULL, &result, NULL));
  g_assert_true (result.identical);
  g_assert_cmpuint (result.n_compared, >, 100);
  weir_verify_result_clear (&result);
}

/* The leaf among others: something that drives it, something that follows it, one level down. */
static WeirSystem *
planted_model_new (const Plant *plant, gboolean omits)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirLeafBuilder *wave = weir_leaf_builder_new ("Wave");
  g_autoptr (WeirSystem) leaf = planted_leaf_new (plant, omits);
  g_autoptr (WeirSystem) counter = counter_new (0.1, 0);
  g_autoptr (WeirSystem) follower = plant_new (1);
  g_autoptr (WeirSystem) waves = NULL;
  g_autoptr (WeirSystem) inner = NULL;
  g_autoptr (GError) error = NULL;

  weir_leaf_add_output (wave, "Sn", 1, wave_output, WEIR_DEPENDS (WEIR_TIME));
  waves = weir_leaf_builder_build (wave);
  weir_diagram_builder_add (b, "driver", plant->input_is_discrete ? counter : waves);
  weir_diagram_builder_add (b, "leaf", leaf);
  weir_diagram_builder_add (b, "follower", follower);
  weir_diagram_builder_connect_by_name (b, "driver", "Sn", "leaf", "u");
  weir_diagram_builder_connect_by_name (b, "leaf", "y", "follower", "u");
  inner = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return wrap_new ("inner", inner);
}

static void
test_planted (void)
{
  static const char *const names[] = { "inner.leaf:inner", "inner.leaf:y",
                                       "inner.leaf:time derivatives" };
  static const char *const solvers[] = { "rk4", "auto", "cvode-bdf", "cvode-adams" };
  guint n_found[N_ENTRIES] = { 0 }, n = 0;

  get_test_seed (76);
  while (n < 100)
    {
      WeirSimulatorOptions options = options_for (solvers[n % G_N_ELEMENTS (solvers)], 1e-6);
      g_autoptr (WeirSystem) honest = NULL;
      g_autoptr (WeirSystem) planted = NULL;
      WeirVerifyResult result;
      Plant plant;

      random_plant (&plant);
      if (!changes_a_value (&plant))
        continue;
      n++;
      options.step = 0.025;
      honest = planted_model_new (&plant, FALSE);
      planted = planted_model_new (&plant, TRUE);
      g_assert_true (weir_verify (honest, &options, 0.4, NULL, &result, NULL));
      g_assert_true (result.identical);
      weir_verify_result_clear (&result);

      g_assert_true (weir_verify (planted, &options, 0.4, NULL, &result, NULL));
      if (result.identical || g_strcmp0 (result.faulty_entry, names[plant.entry]) != 0)
        {
          g_autofree char *text = weir_verify_result_to_string (&result);

          g_test_message ("%s: entry %s reads %x without source %u; inner reads %x; %s",
                          options.solver, names[plant.entry], plant.reads.reads[plant.entry],
                          plant.source, plant.reads.reads[ENTRY_CACHED], text);
        }
      g_assert_false (result.identical);
      g_assert_cmpstr (result.faulty_entry, ==, names[plant.entry]);
      n_found[plant.entry]++;
      weir_verify_result_clear (&result);
    }
  g_test_message ("found %u in cache entries, %u in outputs, %u in derivatives", n_found[0],
                  n_found[1], n_found[2]);
  for (guint e = 0; e < N_ENTRIES; e++)
    g_assert_cmpuint (n_found[e], >, 5);
}

/* --- What no declaration can mend ------------------------------------------------------------ */

static WeirStatus
remembering_y (const WeirCalc *c, double *y)
{
  static gint count;

  *y = weir_calc_time (c) + g_atomic_int_add (&count, 1);
  return WEIR_OK;
}

static void
test_impure (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Memory");
  WeirSimulatorOptions options = options_for ("auto", 1e-6);
  g_autoptr (WeirSystem) leaf = NULL, system = NULL;
  g_autofree char *text = NULL;
  WeirVerifyResult result;

  weir_leaf_add_output (b, "y", 1, remembering_y, WEIR_DEPENDS (WEIR_TIME));
  leaf = weir_leaf_builder_build (b);
  system = wrap_new ("memory", leaf);
  g_assert_true (weir_verify (system, &options, 1, NULL, &result, NULL));
  g_assert_false (result.identical);
  g_assert_true (result.is_impure);
  text = weir_verify_result_to_string (&result);
  g_assert_nonnull (strstr (text, "; memory:y keeps memory between calls"));
  weir_verify_result_clear (&result);
}

/* --- The chain at the difference ------------------------------------------------------------- */

static WeirStatus
sum_y (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_input (c, (WeirInput) { 0 })[0] + weir_calc_input (c, (WeirInput) { 1 })[0];
  return WEIR_OK;
}

static WeirStatus
rate_of_input (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

static WeirStatus
held_y (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_discrete (c, (WeirGroup) { 0 })[0];
  return WEIR_OK;
}

/* sum = wave + held, where the wave is not declared; tank' = sum. Nothing but the derivative asks
 * for the sum. */
static WeirSystem *
forgetful_new (void)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirLeafBuilder *wave = weir_leaf_builder_new ("Wave"), *held = weir_leaf_builder_new ("Held"),
                  *sum = weir_leaf_builder_new ("Sum"), *tank = weir_leaf_builder_new ("Tank");
  g_autoptr (WeirSystem) wave_leaf = NULL, held_leaf = NULL, sum_leaf = NULL, tank_leaf = NULL;
  WeirGroup group = weir_leaf_add_discrete_state (held, "x", (double[]) { 1 }, 1);
  WeirTicket u;

  weir_leaf_add_output (wave, "y", 1, wave_output, WEIR_DEPENDS (WEIR_TIME));
  weir_leaf_add_output (held, "y", 1, held_y, WEIR_DEPENDS (weir_group_ticket (held, group)));
  weir_leaf_add_input (sum, "a", 1);
  u = weir_input_ticket (sum, weir_leaf_add_input (sum, "b", 1));
  weir_leaf_add_output (sum, "y", 1, sum_y, WEIR_DEPENDS (u));
  u = weir_input_ticket (tank, weir_leaf_add_input (tank, "u", 1));
  weir_leaf_set_continuous_state (tank, 0, 0, 1, (double[]) { 0 });
  weir_leaf_set_derivatives (tank, rate_of_input, WEIR_DEPENDS (u));
  wave_leaf = weir_leaf_builder_build (wave);
  held_leaf = weir_leaf_builder_build (held);
  sum_leaf = weir_leaf_builder_build (sum);
  tank_leaf = weir_leaf_builder_build (tank);
  weir_diagram_builder_add (b, "wave", wave_leaf);
  weir_diagram_builder_add (b, "held", held_leaf);
  weir_diagram_builder_add (b, "sum", sum_leaf);
  weir_diagram_builder_add (b, "tank", tank_leaf);
  weir_diagram_builder_connect_by_name (b, "wave", "y", "sum", "a");
  weir_diagram_builder_connect_by_name (b, "held", "y", "sum", "b");
  weir_diagram_builder_connect_by_name (b, "sum", "y", "tank", "u");
  return weir_diagram_builder_build (b, NULL);
}

/* With RK4 and h = 0.1 the first trial is at 0 and computes the sum; no other trial does, where it
 * is cached, but each without: the last one of the step is at 0.1. */
static void
test_chain (void)
{
  g_autoptr (WeirSystem) system = forgetful_new ();
  WeirSimulatorOptions options = options_for ("rk4", 1e-6);
  WeirVerifyResult result;
  WeirDifferenceChains chains;
  g_autofree char *cached = NULL, *uncached = NULL;

  options.step = 0.1;
  g_assert_true (weir_verify (system, &options, 1, NULL, &result, NULL));
  g_assert_false (result.identical);
  g_assert_cmpstr (result.faulty_entry, ==, "sum:y");
  g_assert_false (result.is_impure);
  g_assert_true (
      weir_find_difference_chains (system, &options, 1, NULL, &result, NULL, &chains, NULL));
  cached = weir_request_chain_to_string (&chains.cached, weir_system_get_layout (system));
  uncached = weir_request_chain_to_string (&chains.uncached, weir_system_get_layout (system));
  g_assert_cmpstr (
      cached, ==,
      "sum:y, for tank:time derivatives, for time derivatives (t = 0, for the first time)");
  g_assert_cmpstr (uncached, ==,
                   "sum:y, for tank:time derivatives, for time derivatives (t = 0.1, not cached)");
  weir_difference_chains_clear (&chains);
  options.record_gap = 0.01; /* shows copies of the context, which record nothing */
  g_assert_true (
      weir_find_difference_chains (system, &options, 1, NULL, &result, NULL, &chains, NULL));
  g_assert_cmpfloat (chains.uncached.time, ==, 0.1);
  weir_difference_chains_clear (&chains);
  weir_verify_result_clear (&result);
  result = (WeirVerifyResult) { .identical = TRUE };
  g_assert_false (
      weir_find_difference_chains (system, &options, 1, NULL, &result, NULL, &chains, NULL));
}

/* --- Beside a run that is changed ------------------------------------------------------------- */

static WeirStatus
offset_y (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_parameter (c, (WeirParameter) { 0 })[0]
         + weir_calc_parameter (c, (WeirParameter) { 1 })[0];
  return WEIR_OK;
}

/* tank' = k + j. @forgets: k is not declared. */
static WeirSystem *
offset_new (gboolean forgets)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirLeafBuilder *offset = weir_leaf_builder_new ("Offset"),
                  *tank = weir_leaf_builder_new ("Tank");
  g_autoptr (WeirSystem) offset_leaf = NULL, tank_leaf = NULL;
  WeirParameter k = weir_leaf_add_parameter (offset, "k", (double[]) { 1 }, 1);
  WeirParameter j = weir_leaf_add_parameter (offset, "j", (double[]) { 1 }, 1);
  WeirTicket u;

  weir_leaf_add_output (offset, "y", 1, offset_y,
                        forgets ? WEIR_DEPENDS (weir_parameter_ticket (offset, j))
                                : WEIR_DEPENDS (weir_parameter_ticket (offset, k),
                                                weir_parameter_ticket (offset, j)));
  u = weir_input_ticket (tank, weir_leaf_add_input (tank, "u", 1));
  weir_leaf_set_continuous_state (tank, 0, 0, 1, (double[]) { 0 });
  weir_leaf_set_derivatives (tank, rate_of_input, WEIR_DEPENDS (u));
  weir_leaf_add_output_window (tank, "x", WEIR_XC);
  offset_leaf = weir_leaf_builder_build (offset);
  tank_leaf = weir_leaf_builder_build (tank);
  weir_diagram_builder_add (b, "offset", offset_leaf);
  weir_diagram_builder_add (b, "tank", tank_leaf);
  weir_diagram_builder_connect_by_name (b, "offset", "y", "tank", "u");
  return weir_diagram_builder_build (b, NULL);
}

typedef struct {
  WeirSystem *system;
  WeirSimulatorOptions options;
  WeirJournal *journal;
  WeirVerifyResult result;
  gboolean ok;
} Beside;

static gpointer
verify_beside (gpointer data)
{
  Beside *self = data;

  self->ok = weir_verify_beside (self->system, &self->options, 1, self->journal, NULL, NULL,
                                 &self->result, NULL);
  return NULL;
}

/* Waits until the run pauses. */
static void
settle (WeirSession *session)
{
  while (!weir_session_is_settled (session))
    g_usleep (1000);
}

/* A run of steps of 0.01 s to 1 s: k is 3 from 0.02 s on, and 5 from 0.425 s on, which the run is
 * made to end a step at; so x(1) = 0.02*2 + 0.405*4 + 0.575*6 and there is one step more. @stops:
 * it is stopped there. */
static void
change (WeirSession *session, gboolean stops)
{
  for (guint i = 0; i < 2; i++)
    {
      weir_session_step (session);
      settle (session);
    }
  weir_session_set_parameter (session, "offset", "k", (double[]) { 3 }, 1);
  weir_session_run_until (session, 0.425);
  settle (session);
  weir_session_set_parameter (session, "offset", "k", (double[]) { 5 }, 1);
  if (stops)
    weir_session_stop (session);
  else
    weir_session_run (session);
  weir_session_join (session);
}

/* The lockstep takes every change at its step, whether it goes beside the run or comes after it. */
static void
test_beside (gconstpointer data)
{
  gboolean forgets = GPOINTER_TO_INT (data) & 1, comes_after = GPOINTER_TO_INT (data) & 2,
           stops = GPOINTER_TO_INT (data) & 4;
  g_autoptr (WeirSystem) system = offset_new (forgets);
  Beside beside = { .system = system, .options = options_for ("rk4", 1e-6) };
  g_autoptr (WeirSession) session = NULL;
  g_autoptr (GThread) thread = NULL;
  WeirDifferenceChains chains;
  WeirRecorder *recorder;
  const WeirSnapshot *snapshot;
  gsize last;

  beside.options.step = 0.01;
  session = weir_session_new (system, &beside.options, 1, 0, (const char *[]) { "tank.x", NULL },
                              NULL);
  beside.journal = weir_session_get_journal (session);
  if (!comes_after)
    thread = g_thread_new ("beside", verify_beside, &beside);
  change (session, stops);
  if (comes_after)
    verify_beside (&beside);
  else
    g_thread_join (g_steal_pointer (&thread));
  snapshot = weir_session_get_snapshot (session);
  recorder = weir_session_get_recorder (session);
  last = weir_recorder_get_n_rows (recorder) - 1;
  g_assert_true (beside.ok);
  g_assert_cmpint (beside.result.identical, ==, !forgets);
  if (forgets)
    {
      g_assert_cmpstr (beside.result.faulty_entry, ==, "offset:y");
      g_assert_cmpfloat_with_epsilon (beside.result.time, 0.03, 1e-12);
      g_assert_cmpuint (beside.result.n_steps, ==, 2);
      g_assert_cmpstr (beside.result.where, ==, "tank: continuous state [0]");
      g_assert_cmpfloat_with_epsilon (beside.result.cached, 0.03 * 2, 1e-12);
      g_assert_cmpfloat_with_epsilon (beside.result.uncached, 0.02 * 2 + 0.01 * 4, 1e-12);
      g_assert_true (weir_find_difference_chains (system, &beside.options, 1, beside.journal,
                                                  &beside.result, NULL, &chains, NULL));
      g_assert_cmpfloat (chains.cached.time, ==, 0);
      g_assert_cmpfloat_with_epsilon (chains.uncached.time, 0.03, 1e-12);
      weir_difference_chains_clear (&chains);
    }
  else
    {
      g_assert_cmpuint (beside.result.n_steps, ==, snapshot->statistics.steps);
      g_assert_cmpfloat_with_epsilon (
          weir_recorder_get_value (recorder, 0, last),
          stops ? 0.02 * 2 + 0.405 * 4 : 0.02 * 2 + 0.405 * 4 + 0.575 * 6, 1e-12);
    }
  weir_verify_result_clear (&beside.result);
}

/* Taken back, a run is another one from there on, in which what was set meanwhile is set. */
static void
test_beside_back (gconstpointer data)
{
  gboolean forgets = GPOINTER_TO_INT (data);
  g_autoptr (WeirSystem) system = offset_new (forgets);
  Beside beside = { .system = system, .options = options_for ("rk4", 1e-6) };
  g_autoptr (WeirSession) session = NULL;
  g_autoptr (WeirJournal) before = NULL;
  WeirRecorder *recorder;

  beside.options.step = 0.01;
  session = weir_session_new (system, &beside.options, 1, 0, (const char *[]) { "tank.x", NULL },
                              NULL);
  weir_session_steps (session, 20);
  settle (session);
  weir_session_set_parameter (session, "offset", "k", (double[]) { 3 }, 1);
  weir_session_steps (session, 20);
  settle (session);
  before = weir_journal_ref (weir_session_get_journal (session));
  g_assert_cmpint (weir_session_step_back (session, 30), ==, WEIR_STEP_BACK_DONE);
  settle (session);
  weir_session_run (session);
  weir_session_join (session);

  /* k is 3 from 0.1 s on, which what forgets it goes on without. */
  recorder = weir_session_get_recorder (session);
  g_assert_cmpfloat_with_epsilon (
      weir_recorder_get_value (recorder, 0, weir_recorder_get_n_rows (recorder) - 1),
      forgets ? 2 : 0.1 * 2 + 0.9 * 4, 1e-12);
  beside.journal = weir_session_get_journal (session);
  g_assert_true (beside.journal != before);
  verify_beside (&beside);
  g_assert_true (beside.ok);
  g_assert_cmpint (beside.result.identical, ==, !forgets);
  g_assert_cmpuint (beside.result.n_steps, ==, forgets ? 10 : 100);
  if (forgets)
    {
      g_assert_cmpstr (beside.result.faulty_entry, ==, "offset:y");
      g_assert_cmpfloat_with_epsilon (beside.result.time, 0.11, 1e-12);
    }
  weir_verify_result_clear (&beside.result);

  /* The one before ends where the run was taken back: 40 steps, k set after 20 of them. */
  beside.journal = before;
  verify_beside (&beside);
  g_assert_true (beside.ok);
  g_assert_cmpint (beside.result.identical, ==, !forgets);
  g_assert_cmpuint (beside.result.n_steps, ==, forgets ? 20 : 40);
  weir_verify_result_clear (&beside.result);
}

/* Undisturbed, what forgets a parameter is as good as what does not. */
static void
test_undisturbed (void)
{
  g_autoptr (WeirSystem) system = offset_new (TRUE);
  WeirSimulatorOptions options = options_for ("rk4", 1e-6);
  WeirVerifyResult result;

  options.step = 0.01;
  g_assert_true (weir_verify (system, &options, 1, NULL, &result, NULL));
  g_assert_true (result.identical);
  weir_verify_result_clear (&result);
}

/* A run that never begins is left when that is asked for. */
static void
test_beside_cancelled (void)
{
  g_autoptr (WeirSystem) system = offset_new (FALSE);
  WeirSimulatorOptions options = options_for ("rk4", 1e-6);
  g_autoptr (WeirJournal) journal = weir_journal_new (1);
  g_autoptr (GError) error = NULL;
  WeirVerifyResult result;
  gint cancel = 1;

  g_assert_false (
      weir_verify_beside (system, &options, 1, journal, &cancel, NULL, &result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  weir_verify_result_clear (&result);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const WeirSolverInfo *info = weir_solver_get (i);
      g_autofree char *path = g_strdup_printf ("/analysis/verify/identical/%s", info->name);

      g_test_add_data_func (path, info, test_identical);
    }
  g_test_add_func ("/analysis/verify/text", test_text);
  g_test_add_func ("/analysis/verify/stateless", test_stateless);
  g_test_add_func ("/analysis/verify/failing-run", test_failing_run);
  g_test_add_func ("/analysis/verify/cancel", test_cancel);
  g_test_add_func ("/analysis/verify/gap", test_gap);
  g_test_add_func ("/analysis/verify/planted-omissions", test_planted);
  g_test_add_func ("/analysis/verify/stack", test_chain);
  g_test_add_func ("/analysis/verify/impure", test_impure);
  for (int i = 0; i < 8; i++)
    {
      g_autofree char *path = g_strdup_printf ("/analysis/verify/beside/%s%s%s",
                                               i & 1 ? "forgetful" : "honest",
                                               i & 2 ? "-later" : "", i & 4 ? "-stopped" : "");

      g_test_add_data_func (path, GINT_TO_POINTER (i), test_beside);
    }
  g_test_add_data_func ("/analysis/verify/beside/back/honest", GINT_TO_POINTER (FALSE),
                        test_beside_back);
  g_test_add_data_func ("/analysis/verify/beside/back/forgetful", GINT_TO_POINTER (TRUE),
                        test_beside_back);
  g_test_add_func ("/analysis/verify/beside/undisturbed", test_undisturbed);
  g_test_add_func ("/analysis/verify/beside/cancelled", test_beside_cancelled);
  return g_test_run ();
}

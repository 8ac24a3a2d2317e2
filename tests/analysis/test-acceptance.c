/* Acceptance of the engine on whole diagrams: algebraic loops with known solutions, the
 * bouncing ball, Dahlquist's, Van der Pol's and Robertson's problems, independence of the order of
 * blocks and wires, and continuing from a checkpoint.
 */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "../seeds.h"
#include "../model/helpers.h"
#include "model/tree/file-names.h"
#include "sim/simulator.h"
#include "system/evaluation/checkpoint.h"
#include "system/evaluation/eval.h"
#include "../examples.h"

#define BLOCK(id, type, name) "<block id='" id "' type='" type "' name='" name "' x='0' y='0'/>"
#define WITH(id, type, name, parameter, value)                                                     \
  "<block id='" id "' type='" type "' name='" name "' x='0' y='0'><parameter name='" parameter     \
  "' value='" value "'/></block>"
#define WIRE(id, from, to) "<wire id='" id "' from='" from "' to='" to "'/>"

/* --- Shared ---------------------------------------------------------------------------------- */

/* A parameter of a block of the root. */
static WeirModel *
with (WeirModel *model, const char *name, const char *parameter, const char *text)
{
  WeirBlock *block = weir_model_find_path (model, name);
  g_autoptr (WeirBlock) changed = weir_block_with_parameter (block, parameter, text);
  WeirPatch *patch = weir_patch_new ();

  weir_patch_set_block (patch, WEIR_PLACE_ROOT, changed);
  return apply (model, patch, NULL);
}

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  WeirSimulator *simulator;
} Run;

/* Takes over @model. */
static Run
run_new (WeirModel *model, const char *solver, double tolerance, double step)
{
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;
  Run run = { .system = complete (model) };

  weir_model_unref (model);
  run.context = weir_system_create_context (run.system);
  weir_simulator_options_init (&options);
  options.solver = solver;
  options.relative_tolerance = tolerance;
  options.absolute_tolerance = tolerance * 1e-3;
  options.step = step;
  run.simulator = weir_simulator_new (run.system, run.context, &options, &error);
  g_assert_no_error (error);
  return run;
}

static void
run_clear (Run *run)
{
  weir_simulator_free (run->simulator);
  weir_context_free (run->context);
  weir_system_unref (run->system);
}

static void
advance (Run *run, double until)
{
  g_autoptr (GError) error = NULL;

  weir_simulator_advance_to (run->simulator, until, &error);
  g_assert_no_error (error);
}

/* NULL if it has no value. */
static const double *
eval (Run *run, const char *path, const char *output)
{
  const WeirLayout *layout = weir_system_get_layout (run->system);
  WeirNode node;
  WeirOutput out;

  g_assert_true (weir_layout_find_node (layout, path, &node));
  g_assert_true (weir_layout_find_output (layout, node, output, &out));
  return weir_eval_output (run->system, run->context, node, out);
}

static double
value (Run *run, const char *path, const char *output)
{
  const double *y = eval (run, path, output);

  g_assert_nonnull (y);
  return *y;
}

/* --- 2: algebraic loops ---------------------------------------------------------------------- */

/* y = 2 y + 5, where iterating diverges. */
static void
test_linear_loop (void)
{
  Run run = run_new (
      model_from_xml (WITH ("1", "Constant", "five", "value", "5") BLOCK ("2", "Sum", "y")
                          WITH ("3", "Gain", "two", "gain", "2") WIRE ("4", "1.y", "2.in1")
                              WIRE ("5", "3.y", "2.in2") WIRE ("6", "2.y", "3.u")),
      NULL, 1e-9, 0);

  g_assert_cmpfloat_with_epsilon (value (&run, "y", "y"), -5, 1e-14);
  advance (&run, 1);
  g_assert_cmpfloat_with_epsilon (value (&run, "y", "y"), -5, 1e-14);
  run_clear (&run);
}

/* y = cos y: Dottie's number. */
static void
test_cosine_loop (void)
{
  Run run = run_new (model_from_xml (WITH ("1", "Function", "y", "function", "cos")
                                         WITH ("2", "Gain", "same", "gain", "1")
                                             WIRE ("3", "1.y", "2.u") WIRE ("4", "2.y", "1.u")),
                     NULL, 1e-9, 0);

  g_assert_cmpfloat_with_epsilon (value (&run, "y", "y"), 0.7390851332151607, 1e-14);
  run_clear (&run);
}

/* y = y + 1 has no solution and y = y any number of them: the sentence names the loop. */
static void
test_singular_loops (void)
{
  static const char *const constants[] = { "1", "0" };

  for (guint i = 0; i < G_N_ELEMENTS (constants); i++)
    {
      WeirModel *model = model_from_xml (BLOCK ("1", "Constant", "c") BLOCK ("2", "Sum", "y") WITH (
          "3", "Gain", "same", "gain", "1") WIRE ("4", "1.y", "2.in1") WIRE ("5", "3.y", "2.in2")
                                             WIRE ("6", "2.y", "3.u"));
      Run run = run_new (with (model, "c", "value", constants[i]), NULL, 1e-9, 0);

      g_assert_null (eval (&run, "y", "y"));
      g_assert_nonnull (
          strstr (weir_context_get_failure (run.context), "does not determine its signals"));
      g_assert_nonnull (strstr (weir_context_get_failure (run.context), "same"));
      run_clear (&run);
    }
}

/* Five coupled units as equations instead of steps, y = sum of inputs + 1: by hand
 * S5 = S3 + S4 + 1 = 2 S5 + 5, so that S5 = -5, S1 = S2 = -4, S3 = -7, S4 = 1. */
static void
test_ring_of_sums (void)
{
  static const struct {
    const char *name;
    double expected;
  } units[] = { { "S1", -4 }, { "S2", -4 }, { "S3", -7 }, { "S4", 1 }, { "S5", -5 } };
  Run run = run_new (
      model_from_xml (
          BLOCK ("1", "Constant", "one") BLOCK ("2", "Sum", "S1") BLOCK ("3", "Sum", "S2")
              WITH ("4", "Sum", "S3", "signs", "+++") WITH ("5", "Gain", "S4", "gain", "1")
                  WITH ("6", "Sum", "S5", "signs", "+++") WIRE ("11", "1.y", "2.in1")
                      WIRE ("12", "1.y", "3.in1") WIRE ("13", "1.y", "4.in1")
                          WIRE ("14", "1.y", "5.u") WIRE ("15", "1.y", "6.in1")
                              WIRE ("16", "6.y", "2.in2") WIRE ("17", "6.y", "3.in2")
                                  WIRE ("18", "2.y", "4.in2") WIRE ("19", "3.y", "4.in3")
                                      WIRE ("20", "4.y", "6.in2") WIRE ("21", "5.y", "6.in3")),
      NULL, 1e-9, 0);

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    g_assert_cmpfloat_with_epsilon (value (&run, units[i].name, "y"), units[i].expected, 1e-13);
  run_clear (&run);
}

/* y = 4 - y while y >= 0, else -1: the loop goes through the Switch and its control. */
static void
test_switch_in_loop (void)
{
  Run run = run_new (
      model_from_xml (
          WITH ("1", "Constant", "four", "value", "4") WITH ("2", "Sum", "rest", "signs", "+-")
              WITH ("3", "Constant", "below", "value", "-1") BLOCK ("4", "Switch", "y")
                  WIRE ("5", "1.y", "2.in1") WIRE ("6", "4.y", "2.in2") WIRE ("7", "2.y", "4.in1")
                      WIRE ("8", "3.y", "4.in2") WIRE ("9", "4.y", "4.control")),
      NULL, 1e-9, 0);

  g_assert_cmpfloat_with_epsilon (value (&run, "y", "y"), 2, 1e-13);
  advance (&run, 1);
  g_assert_cmpfloat_with_epsilon (value (&run, "y", "y"), 2, 1e-13);
  run_clear (&run);
}

/* --- 3: the bouncing ball -------------------------------------------------------------------- */

typedef struct {
  double impacts[8];
  guint n_impacts;
  double lowest;
} Bounces;

static WeirStatus
watch (WeirSimulator *simulator, WeirPhase phase, gpointer data)
{
  Bounces *bounces = data;
  WeirContext *context = weir_simulator_get_context (simulator);
  const double *x = weir_context_get_state (context);

  bounces->lowest = MIN (bounces->lowest, x[0]);
  if (phase == WEIR_PHASE_PLUS && x[0] == 0 && x[1] > 0
      && bounces->n_impacts < G_N_ELEMENTS (bounces->impacts))
    bounces->impacts[bounces->n_impacts++] = weir_context_get_time (context);
  return WEIR_OK;
}

/* From 1 m with restitution 1/2: impacts at t1 = sqrt (2 / g) times 1, 2, 2.5, 2.75 ..., at rest
 * from 3 t1 on; never below the floor by more than the locating leaves, never twice at one impact.
 */
static void
test_ball (gconstpointer solver)
{
  double t1 = sqrt (2 / 9.81);
  gboolean is_explicit = g_str_equal (solver, "auto") || g_str_equal (solver, "dormand-prince")
                         || g_str_equal (solver, "bogacki-shampine");
  double tolerance = is_explicit ? 1e-12 : 1e-5, off = is_explicit ? 1e-9 : 1e-3;
  WeirModel *model = with (read_example ("bouncing-ball.weir"), "Ball", "height", "1");
  Run run = run_new (with (model, "Ball", "restitution", "0.5"), solver, 1e-8, 0);
  Bounces bounces = { .lowest = 0 };

  weir_simulator_set_monitor (run.simulator, watch, &bounces);
  g_assert_cmpfloat_with_epsilon (t1, 0.451523640985731, 1e-15);
  g_assert_cmpfloat_with_epsilon (3 * t1, 1.354570922957, 1e-12);
  advance (&run, 3 * t1 - off);
  g_assert_cmpuint (weir_simulator_get_n_notes (run.simulator), ==, 0);
  advance (&run, 3 * t1 + off);
  g_assert_cmpuint (weir_simulator_get_n_notes (run.simulator), ==, 1);
  advance (&run, 2);
  g_assert_cmpuint (bounces.n_impacts, ==, G_N_ELEMENTS (bounces.impacts));
  for (guint k = 0; k < 4; k++)
    g_assert_cmpfloat_with_epsilon (bounces.impacts[k], t1 * (3 - 2 * pow (0.5, k)), tolerance);
  g_assert_cmpfloat (bounces.lowest, >=, is_explicit ? -1e-12 : -1e-8);
  g_assert_cmpfloat (value (&run, "Ball", "height"), ==, 0);
  g_assert_cmpfloat (value (&run, "Ball", "velocity"), ==, 0);
  g_assert_cmpuint (weir_simulator_get_n_notes (run.simulator), ==, 1);
  g_assert_true (
      g_str_has_prefix (weir_simulator_get_note (run.simulator, 0)->text, "Ball at t = 1.354"));
  run_clear (&run);
}

/* --- 4: known problems with every solver ----------------------------------------------------- */

/* x' = -x from 1: exp (-10) at t = 10. Fixed steps of 0.001: relative errors t h^p / (p + 1)!. */
static void
test_dahlquist (gconstpointer solver)
{
  const WeirSolverInfo *info = weir_solver_find (solver);
  Run run = run_new (model_from_xml (WITH ("1", "Integrator", "x", "initial", "1")
                                         WITH ("2", "Gain", "minus", "gain", "-1")
                                             WIRE ("3", "1.y", "2.u") WIRE ("4", "2.y", "1.u")),
                     solver, 1e-9, 1e-3);
  double relative = info->is_adaptive ? 1e-5 : 10 * pow (1e-3, info->order);

  advance (&run, 10);
  g_assert_cmpfloat_with_epsilon (value (&run, "x", "y"), exp (-10.0),
                                  MAX (relative, 1e-9) * exp (-10.0));
  run_clear (&run);
}

/* Van der Pol's at mu = 1 and Robertson's at t = 0.4, from their files, with the solvers made for
 * each; extrapolated Gragg-Bulirsch-Stoer in 113 bits. */
static void
test_van_der_pol (gconstpointer solver)
{
  Run run = run_new (read_example ("van-der-pol.weir"), solver, 1e-9, 0);

  advance (&run, 1);
  g_assert_cmpfloat_with_epsilon (value (&run, "Position", "y"), 1.5081442369756089, 1e-6);
  g_assert_cmpfloat_with_epsilon (value (&run, "Velocity", "y"), -0.7802180746296949, 1e-6);
  run_clear (&run);
}

static void
test_robertson (gconstpointer solver)
{
  Run run = run_new (read_example ("robertson.weir"), solver, 1e-8, 0);

  advance (&run, 0.4);
  g_assert_cmpfloat_with_epsilon (value (&run, "Reactions", "A"), 0.98517211386098986, 1e-6);
  g_assert_cmpfloat_with_epsilon (value (&run, "Reactions", "B"), 3.3863953789749041e-5, 1e-9);
  g_assert_cmpfloat_with_epsilon (value (&run, "Reactions", "C"), 0.014794022185220389, 1e-6);
  run_clear (&run);
}

/* --- 7: order -------------------------------------------------------------------------------- */

typedef struct {
  GRand *rand;
  GHashTable *ids; /* from the text of an id to another one */
} Shuffle;

static gboolean
replace_id (const GMatchInfo *match, GString *result, gpointer data)
{
  Shuffle *shuffle = data;
  g_autofree char *before = g_match_info_fetch (match, 1);
  g_autofree char *id = g_match_info_fetch (match, 2);
  g_autofree char *after = g_match_info_fetch (match, 3);
  const char *other = g_hash_table_lookup (shuffle->ids, id);

  g_string_append_printf (result, "%s%s%s", before, other != NULL ? other : id, after);
  return FALSE;
}

/* The same model with its ids, which say in which order things were made, exchanged at random. */
static WeirModel *
shuffle_ids (WeirModel *model, guint32 seed)
{
  g_autofree char *text = model_to_text (model);
  g_autoptr (GRegex) define = g_regex_new ("( id=\")([0-9]+)(\")", 0, 0, NULL);
  g_autoptr (GRegex) use = g_regex_new ("((?: id| from| to)=\")([0-9]+)(\"|\\.)", 0, 0, NULL);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  Shuffle shuffle = { g_rand_new_with_seed (seed), ids };
  g_autofree GPtrArray **others = NULL;
  g_autofree guint *order = NULL;
  g_autofree char *shuffled = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  GMatchInfo *match;
  WeirModel *result;

  g_regex_match (define, text, 0, &match);
  for (; g_match_info_matches (match); g_match_info_next (match, NULL))
    g_ptr_array_add (all, g_match_info_fetch (match, 2));
  g_match_info_free (match);
  order = g_new (guint, all->len);
  for (guint i = 0; i < all->len; i++)
    order[i] = i;
  for (guint i = all->len; i > 1; i--)
    {
      guint k = (guint) g_rand_int_range (shuffle.rand, 0, (gint32) i), kept = order[i - 1];

      order[i - 1] = order[k];
      order[k] = kept;
    }
  for (guint i = 0; i < all->len; i++)
    g_hash_table_insert (ids, all->pdata[i], all->pdata[order[i]]);
  shuffled = g_regex_replace_eval (use, text, -1, 0, 0, replace_id, &shuffle, NULL);
  bytes = g_bytes_new (shuffled, strlen (shuffled));
  result = weir_model_read_bytes (bytes, "shuffled", diagnostics);
  g_assert_nonnull (result);
  g_rand_free (shuffle.rand);
  return result;
}

/* Every output of the one has the same bits as that of the same name of the other. Ports of a
 * subsystem follow the order of its In and Out blocks, so names are what counts. */
static void
assert_same_outputs (Run *a, Run *b)
{
  const WeirLayout *layout = weir_system_get_layout (a->system);
  const WeirLayout *other = weir_system_get_layout (b->system);

  for (guint32 n = 1; n < weir_layout_get_n_nodes (layout); n++)
    {
      WeirNode node = { n }, other_node;
      g_autofree char *path = weir_layout_dup_path (layout, node);

      g_assert_true (weir_layout_find_node (other, path, &other_node));
      for (guint16 k = 0; k < weir_layout_get_n_outputs (layout, node); k++)
        {
          const char *name = weir_layout_get_output_name (layout, node, (WeirOutput) { k });
          guint size = weir_layout_get_output_size (layout, node, (WeirOutput) { k });
          const double *y, *z;
          WeirOutput out;

          g_assert_true (weir_layout_find_output (other, other_node, name, &out));
          y = weir_eval_output (a->system, a->context, node, (WeirOutput) { k });
          z = weir_eval_output (b->system, b->context, other_node, out);
          g_assert_nonnull (y);
          g_assert_nonnull (z);
          if (memcmp (y, z, size * sizeof *y) != 0)
            g_error ("%s.%s is %.17g in one order and %.17g in another", path, name, *y, *z);
        }
    }
}

static void
test_order (gconstpointer name)
{
  g_autoptr (WeirModel) model = read_example (name);
  guint32 seed = get_test_seed (30);
  Run straight = run_new (weir_model_ref (model), "rk4", 1e-6, 0.01);

  for (double t = 0.5; t <= 2; t += 0.5)
    advance (&straight, t);
  for (guint i = 0; i < 5; i++)
    {
      Run shuffled = run_new (shuffle_ids (model, seed + i), "rk4", 1e-6, 0.01);

      for (double t = 0.5; t <= 2; t += 0.5)
        advance (&shuffled, t);
      assert_same_outputs (&straight, &shuffled);
      run_clear (&shuffled);
    }
  run_clear (&straight);
}

/* --- 8: checkpoints -------------------------------------------------------------------------- */

/* A run that was saved halfway and goes on in a new simulator, of a system built anew, ends with
 * the same bits for a method of fixed step, and within the tolerance for the others. */
static void
check_checkpoint (WeirModel *model, const char *solver)
{
  const WeirSolverInfo *info = weir_solver_find (solver);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) saved = NULL;
  Run first = run_new (weir_model_ref (model), solver, 1e-9, 0.0078125), second;
  WeirSimulatorOptions options;
  guint n;

  advance (&first, 1);
  saved = weir_context_save (first.context);
  advance (&first, 2);

  second = run_new (weir_model_ref (model), solver, 1e-9, 0.0078125);
  g_assert_true (weir_context_load (second.context, second.system, saved, &error));
  g_assert_no_error (error);
  weir_simulator_free (second.simulator);
  weir_simulator_options_init (&options);
  options.solver = solver;
  options.relative_tolerance = 1e-9;
  options.absolute_tolerance = 1e-12;
  options.step = 0.0078125;
  options.skips_initialization_events = TRUE;
  second.simulator = weir_simulator_new (second.system, second.context, &options, &error);
  g_assert_no_error (error);
  advance (&second, 2);
  n = weir_layout_get_n_states (weir_system_get_layout (first.system));
  for (guint i = 0; i < n; i++)
    {
      double a = weir_context_get_state (first.context)[i],
             b = weir_context_get_state (second.context)[i];

      if (!info->is_adaptive)
        g_assert_cmpmem (&a, sizeof a, &b, sizeof b);
      else
        g_assert_cmpfloat_with_epsilon (a, b, 1e-5 * MAX (1, fabs (a)));
    }
  if (!info->is_adaptive)
    assert_same_outputs (&first, &second);
  run_clear (&first);
  run_clear (&second);
}

/* A lag behind a delay behind random numbers and a counter, with a limited controller around it. */
static const char mixed[] = WITH ("1", "GaussianRandom", "noise", "period", "0.0625")
    BLOCK ("2", "Counter", "count") WITH ("3", "TransportDelay", "delay", "delay", "0.3")
        BLOCK ("4", "Lag", "lag") WITH ("5", "Sum", "error", "signs", "++-")
            WITH ("6", "PID", "control", "output", "limited") WIRE ("11", "1.y", "5.in1")
                WIRE ("12", "2.y", "5.in2") WIRE ("13", "5.y", "6.u") WIRE ("14", "6.y", "4.u")
                    WIRE ("15", "4.y", "3.u") WIRE ("16", "3.y", "5.in3");

static void
test_checkpoint (gconstpointer solver)
{
  static const char *const names[] = {
    "bouncing-ball.weir", "dc-motor.weir",   "lorenz.weir",
    "sampled.weir",       "thermostat.weir", "van-der-pol.weir"
  };
  g_autoptr (WeirModel) model = model_from_xml (mixed);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (WeirModel) example = read_example (names[i]);

      check_checkpoint (example, solver);
    }
  check_checkpoint (model, solver);
}

/* --- Files beside the model ------------------------------------------------------------------ */

/* A name that is not absolute is looked for where the model's file is. */
static void
test_file_beside (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", &error);
  g_autofree char *data = g_build_filename (folder, "data.csv", NULL);
  g_autoptr (GFile) file = g_file_new_build_filename (folder, "model.weir", NULL);
  g_autoptr (WeirModel) text = model_from_xml (WITH ("1", "FromFile", "data", "file", "data.csv"));
  g_autoptr (WeirModel) inside = weir_model_settle (text, folder);
  g_autoptr (WeirModel) model = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new (),
                              missing = weir_diagnostics_new ();
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;

  g_assert_true (weir_model_write_file (inside, file, &error));
  model = weir_model_read_file (file, diagnostics);
  g_assert_nonnull (model);
  g_assert_null (weir_model_complete (model, missing));
  g_assert_cmpuint (weir_diagnostics_get_size (missing), ==, 1);
  g_assert_cmpstr (weir_diagnostics_get (missing, 0)->path, ==, "data");
  g_assert_nonnull (strstr (weir_diagnostics_get (missing, 0)->text, data));

  g_file_set_contents (data, "0,1\n2,5\n", -1, &error);
  g_assert_no_error (error);
  model = (weir_model_unref (model), weir_model_read_file (file, diagnostics));
  system = weir_model_complete (model, diagnostics);
  g_assert_nonnull (system);
  context = weir_system_create_context (system);
  weir_context_set_time (context, 1);
  g_assert_cmpfloat (*weir_eval_output (system, context, (WeirNode) { 1 }, (WeirOutput) { 0 }), ==,
                     3);
  g_unlink (data);
  g_file_delete (file, NULL, NULL);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  static const char *const examples[] = {
    "bouncing-ball.weir", "dc-motor.weir",           "foucault.weir",
    "lorenz.weir",        "mass-spring-damper.weir", "nested.weir",
    "pendulum.weir",      "predator-prey.weir",      "sampled.weir",
    "thermostat.weir",    "van-der-pol.weir"
  };
  static const char *const stiff[] = { "auto", "cvode-bdf", "ida", "radau", "arkode-dirk" };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/acceptance/file-beside", test_file_beside);
  g_test_add_func ("/analysis/acceptance/loops/linear", test_linear_loop);
  g_test_add_func ("/analysis/acceptance/loops/cosine", test_cosine_loop);
  g_test_add_func ("/analysis/acceptance/loops/singular", test_singular_loops);
  g_test_add_func ("/analysis/acceptance/loops/ring-of-sums", test_ring_of_sums);
  g_test_add_func ("/analysis/acceptance/loops/switch", test_switch_in_loop);
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const WeirSolverInfo *info = weir_solver_get (i);
      g_autofree char *dahlquist = g_strdup_printf ("/analysis/acceptance/dahlquist/%s",
                                                    info->name);
      g_autofree char *checkpoint = g_strdup_printf ("/analysis/acceptance/checkpoint/%s",
                                                     info->name);
      g_autofree char *ball = g_strdup_printf ("/analysis/acceptance/ball/%s", info->name);
      g_autofree char *van_der_pol = g_strdup_printf ("/analysis/acceptance/van-der-pol/%s",
                                                      info->name);

      g_test_add_data_func (dahlquist, info->name, test_dahlquist);
      g_test_add_data_func (checkpoint, info->name, test_checkpoint);
      if (!info->is_adaptive)
        continue;
      g_test_add_data_func (ball, info->name, test_ball);
      g_test_add_data_func (van_der_pol, info->name, test_van_der_pol);
    }
  for (guint i = 0; i < G_N_ELEMENTS (stiff); i++)
    {
      g_autofree char *path = g_strdup_printf ("/analysis/acceptance/robertson/%s", stiff[i]);

      g_test_add_data_func (path, stiff[i], test_robertson);
    }
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    {
      g_autofree char *path = g_strdup_printf ("/analysis/acceptance/order/%s", examples[i]);

      g_test_add_data_func (path, examples[i], test_order);
    }
  return g_test_run ();
}

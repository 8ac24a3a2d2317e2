/* Ensembles: each member gives what its context gives alone in a simulator with a recorder, to the
 * bit: rows, final state, counts and failures. Examples, random models, members that fail, arrive
 * at different times or are given in another order, any number of threads.
 */
#include <math.h>
#include <string.h>

#include "../random-models.h"
#include "../seeds.h"
#include "ensemble/ensemble.h"
#include "library/model-file.h"
#include "sim/recorder.h"
#include "system/evaluation/eval.h"

/* --- What a member gives --------------------------------------------------------------------- */

static void
put_number (GByteArray *to, double value)
{
  g_byte_array_append (to, (const guint8 *) &value, sizeof value);
}

/* A failed run may have more right-hand sides behind it than were counted. */
static void
put_end (GByteArray *to, WeirContext *context, const WeirSimulatorStatistics *statistics,
         const GError *error)
{
  guint n = weir_layout_get_n_states (weir_context_get_layout (context));

  put_number (to, weir_context_get_time (context));
  g_byte_array_append (to, (const guint8 *) weir_context_get_state (context),
                       (guint) (n * sizeof (double)));
  put_number (to, (double) statistics->steps);
  put_number (to, (double) statistics->rejected_steps);
  put_number (to, (double) statistics->rhs_calls);
  put_number (to, statistics->last_step);
  put_number (to, statistics->shortest_step);
  put_number (to, statistics->longest_step);
  if (error != NULL)
    g_byte_array_append (to, (const guint8 *) error->message, (guint) strlen (error->message));
}

typedef struct {
  WeirSystem *system;
  WeirContext *start;
  WeirEnsembleOptions options;
  const char *const *ports;
  guint n;
  const guint *order;                                /* NULL: as they are */
  double spread;                                     /* of the starts */
  void (*vary) (gsize member, WeirContext *context); /* besides; or NULL */
  gsize refused;                                     /* this one; G_MAXSIZE: none */
  GByteArray **results;                              /* by member */
  gint *n_calls;                                     /* by member */
} Job;

static gboolean
prepare (gsize i, WeirContext *context, gpointer data, GError **error)
{
  const Job *job = data;
  gsize member = job->order != NULL ? job->order[i] : i;
  guint n = weir_layout_get_n_states (weir_context_get_layout (context));
  g_autofree double *x = g_memdup2 (weir_context_get_state (context), (n + 1) * sizeof (double));

  if (member == job->refused)
    {
      g_set_error_literal (error, WEIR_ERROR, WEIR_ERROR_INVALID, "this one is refused");
      return FALSE;
    }
  for (guint k = 0; k < n; k++)
    x[k] += job->spread * (double) member * (1 + 0.1 * k);
  if (n > 0)
    weir_context_set_state (context, x);
  if (job->vary != NULL)
    job->vary (member, context);
  return TRUE;
}

static void
take (const WeirEnsembleResult *result, gpointer data)
{
  Job *job = data;
  gsize member = job->order != NULL ? job->order[result->member] : result->member;
  GByteArray *to = job->results[member];
  guint n_signals = 0;

  while (result->values[n_signals] != NULL && job->ports != NULL && n_signals < 1000)
    n_signals++;
  g_atomic_int_inc (&job->n_calls[member]);
  put_number (to, (double) result->n_rows);
  for (gsize row = 0; row < result->n_rows; row++)
    {
      put_number (to, result->times[row]);
      for (guint i = 0; i < n_signals; i++)
        put_number (to, result->values[i][row]);
    }
  put_end (to, result->context, result->statistics, result->error);
}

/* The same by the simulator and the recorder that everybody uses. */
static GByteArray *
run_alone (Job *job, guint i)
{
  GByteArray *to = g_byte_array_new ();
  g_autoptr (WeirContext) context = weir_context_clone (job->start);
  g_autoptr (WeirRecorder) recorder = NULL;
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;
  const WeirSimulatorStatistics nothing = { 0 };
  gsize n_rows;

  if (!prepare (i, context, job, &error))
    {
      put_number (to, 0);
      put_end (to, context, &nothing, error);
      return to;
    }
  recorder = weir_recorder_new (job->system, job->ports, FALSE, &error);
  g_assert_no_error (error);
  simulator = weir_simulator_new (job->system, context, &job->options.run, &error);
  g_assert_no_error (error);
  weir_simulator_set_monitor (simulator, weir_recorder_monitor, recorder);
  if (weir_simulator_initialize (simulator, &error))
    weir_simulator_advance_to (simulator, job->options.stop_time, &error);
  n_rows = weir_recorder_get_n_signals (recorder) > 0 ? weir_recorder_get_n_rows (recorder) : 0;
  put_number (to, (double) n_rows);
  for (gsize row = 0; row < n_rows; row++)
    {
      put_number (to, weir_recorder_get_time (recorder, row));
      for (guint s = 0; s < weir_recorder_get_n_signals (recorder); s++)
        put_number (to, weir_recorder_get_value (recorder, s, row));
    }
  put_end (to, context, weir_simulator_get_statistics (simulator), error);
  return to;
}

static GByteArray **
results_new (guint n)
{
  GByteArray **results = g_new0 (GByteArray *, n);

  for (guint i = 0; i < n; i++)
    results[i] = g_byte_array_new ();
  return results;
}

static void
results_free (GByteArray **results, guint n)
{
  for (guint i = 0; i < n; i++)
    g_byte_array_unref (results[i]);
  g_free (results);
}

static void
assert_same (const GByteArray *a, const GByteArray *b, const char *what, guint member)
{
  if (a->len == b->len && memcmp (a->data, b->data, a->len) == 0)
    return;
  g_test_message ("%s, member %u: %u and %u bytes", what, member, a->len, b->len);
  for (guint i = 0; i + 8 <= MIN (a->len, b->len); i += 8)
    if (memcmp (a->data + i, b->data + i, 8) != 0)
      {
        double x, y;

        memcpy (&x, a->data + i, 8);
        memcpy (&y, b->data + i, 8);
        g_test_message ("number %u: %.17g, but alone %.17g", i / 8, x, y);
        break;
      }
  g_test_fail ();
}

/* Runs the ensemble and compares each member with itself alone. TRUE: they ran together. */
static gboolean
check (Job *job, const char *what, GByteArray *const *alone)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirEnsemble)
      ensemble = weir_ensemble_new (job->system, job->start, &job->options, job->ports, &error);
  g_autofree gint *n_calls = g_new0 (gint, job->n);
  gboolean is_together;

  g_assert_no_error (error);
  is_together = weir_ensemble_get_reason (ensemble) == NULL;
  if (!is_together)
    g_test_message ("%s: %s", what, weir_ensemble_get_reason (ensemble));
  job->results = results_new (job->n);
  job->n_calls = n_calls;
  g_assert_true (weir_ensemble_run (ensemble, job->n, prepare, take, job, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (weir_ensemble_get_n_ended (ensemble), ==, job->n);
  for (guint i = 0; i < job->n; i++)
    {
      g_assert_cmpint (n_calls[i], ==, 1);
      assert_same (job->results[i], alone[i], what, i);
    }
  results_free (job->results, job->n);
  return is_together;
}

static GByteArray **
run_all_alone (Job *job)
{
  GByteArray **alone = g_new0 (GByteArray *, job->n);

  for (guint i = 0; i < job->n; i++)
    alone[i] = run_alone (job, i);
  return alone;
}

/* --- Examples -------------------------------------------------------------------------------- */

static void
test_examples (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("WEIR_DATA"), "examples", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n_together = 0, n = 0;
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirModelFile) file = NULL;
      g_auto (GStrv) ports = NULL;
      g_autoptr (WeirContext) start = NULL;
      Job job = { .n = 5, .spread = 1e-3, .refused = G_MAXSIZE };
      GByteArray **alone;

      if (!g_str_has_suffix (name, ".weir"))
        continue;
      file = weir_model_file_open (path, diagnostics);
      if (file == NULL)
        continue;
      ports = weir_model_file_dup_recorded_ports (file);
      weir_ensemble_options_init (&job.options);
      weir_model_file_get_options (file, &job.options.run, &job.options.stop_time);
      job.options.stop_time /= 8;
      job.system = weir_model_file_get_system (file);
      job.ports = (const char *const *) ports;
      job.start = start = weir_system_create_context (job.system);
      alone = run_all_alone (&job);
      job.options.threads = 2;
      n_together += check (&job, name, alone);
      n++;
      results_free (alone, job.n);
    }
  g_test_message ("%u of %u examples run together", n_together, n);
  g_assert_cmpuint (n, >, 10);
}

/* --- Random models --------------------------------------------------------------------------- */

static const RandomKind blocks[] = {
  { "Lag", { "time-constant", "0.3" }, TRUE },
  { "Lag", { "time-constant", "0.02" }, TRUE },
  { "SecondOrderLag", { NULL }, TRUE },
  { "Integrator", { "initial", "0.25" }, TRUE },
  { "Integrator", { NULL }, TRUE },
  { "Gain", { "gain", "-0.7" }, FALSE },
  { "Gain", { "gain", "3" }, FALSE },
  { "Sum", { "signs", "+-" }, FALSE },
  { "Sum", { "signs", "-+-" }, FALSE },
  { "Product", { NULL }, FALSE },
  { "Function", { "function", "sin" }, FALSE },
  { "Function", { "function", "tanh" }, FALSE },
};

static const RandomKind sources[] = {
  { "Constant", { "value", "0.4" }, FALSE }, { "Ramp", { "slope", "0.3" }, FALSE },
  { "Sine", { "frequency", "2.5" }, FALSE }, { "Step", { "time", "0.43" }, FALSE },
  { "Pulse", { "period", "0.31" }, FALSE },  { "Sawtooth", { "period", "0.222" }, FALSE },
};

/* Sources, then blocks wired to earlier ones, and the last state back to the first sum. */
static WeirSystem *
random_new (GRand *rand, guint *n_blocks, gboolean is_driven)
{
  RandomModel model = random_model_begin ();
  guint n = (guint) g_rand_int_range (rand, 6, 40), n_sources = 2;

  for (guint i = 0; i < n; i++)
    {
      const RandomKind
          *kind = i < n_sources
                      ? &sources[g_rand_int_range (rand, 0, is_driven ? G_N_ELEMENTS (sources) : 1)]
                      : &blocks[g_rand_int_range (rand, 0, G_N_ELEMENTS (blocks))];
      guint n_inputs;

      while (i == n - 1 && !kind->is_state)
        kind = &blocks[g_rand_int_range (rand, 0, G_N_ELEMENTS (blocks))];
      random_model_add (&model, kind, &n_inputs);
      for (guint k = 0; k < n_inputs; k++)
        random_model_wire (&model, (guint) g_rand_int_range (rand, 0, (gint) i), i, k);
    }
  *n_blocks = n;
  return random_model_end (&model);
}

static void
test_random (void)
{
  static const char *const solvers[] = { "euler",          "heun", "rk4",   "bogacki-shampine",
                                         "dormand-prince", "auto", "dop853" };
  const char *given = g_getenv ("WEIR_SEEDS");
  guint n_models = given != NULL ? (guint) g_ascii_strtoull (given, NULL, 10) : 60, n_together = 0;
  guint32 first = get_test_seed (1);

  for (guint i = 0; i < n_models; i++)
    {
      guint32 seed = first + i;
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      guint n_blocks;
      const char *solver = solvers[g_rand_int_range (rand, 0, G_N_ELEMENTS (solvers))];
      g_autoptr (WeirSystem) system = random_new (rand, &n_blocks, seed % 2 == 0);
      g_autoptr (WeirContext) start = weir_system_create_context (system);
      g_autofree char *last = g_strdup_printf ("b%u.y", n_blocks - 1);
      g_autofree char *some = g_strdup_printf ("b%d.y",
                                               g_rand_int_range (rand, 0, (gint) n_blocks));
      const char *const ports[] = { last, some, NULL };
      g_autofree char *what = g_strdup_printf ("seed %u, %s", seed, solver);
      Job job = { .system = system,
                  .start = start,
                  .n = 21,
                  .spread = 0.11,
                  .ports = g_rand_boolean (rand) ? ports : NULL,
                  .refused = G_MAXSIZE };
      GByteArray **alone;

      weir_ensemble_options_init (&job.options);
      job.options.run.solver = solver;
      job.options.run.record_interval = job.ports != NULL ? g_rand_int_range (rand, 0, 3) * 0.037
                                                          : 0;
      job.options.run.record_gap = g_rand_int_range (rand, 0, 3) * 0.007;
      job.options.run.step = g_rand_boolean (rand) ? 0.013 : 0;
      job.options.stop_time = 1.5;
      job.options.threads = 1 + seed % 2;
      alone = run_all_alone (&job);
      n_together += check (&job, what, alone);
      results_free (alone, job.n);
    }
  g_test_message ("%u of %u models run together", n_together, n_models);
  g_assert_cmpuint (n_together, >=, n_models / 2);
}

/* --- Members that differ --------------------------------------------------------------------- */

/* x' = x^2 grows beyond all bounds at t = 1 / x(0). */
static WeirSystem *
explosion_new (void)
{
  static const RandomKind kinds[] = { { "Integrator", { "initial", "0.05" }, TRUE },
                                      { "Product", { NULL }, FALSE } };
  RandomModel model = random_model_begin ();
  guint n_inputs;

  random_model_add (&model, &kinds[0], &n_inputs);
  random_model_add (&model, &kinds[1], &n_inputs);
  random_model_wire (&model, 0, 1, 0);
  random_model_wire (&model, 0, 1, 1);
  random_model_wire (&model, 1, 0, 0);
  return random_model_end (&model);
}

static void
set_time (gsize member, WeirContext *context)
{
  weir_context_set_time (context, 0.02 * (double) (member % 40));
}

/* Some fail, one is refused, one begins at the stop time and some after it; by threads and in
 * another order. */
static void
test_differing (void)
{
  static const char *const solvers[] = { "rk4", "dormand-prince", "auto", "cvode-bdf" };
  static const char *const ports[] = { "b1.y", "b0.y", NULL };
  g_autoptr (WeirSystem) system = explosion_new ();
  g_autoptr (WeirContext) start = weir_system_create_context (system);
  guint order[150];

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    order[i] = i * 37 % G_N_ELEMENTS (order);
  for (guint s = 0; s < G_N_ELEMENTS (solvers); s++)
    {
      Job job = { .system = system,
                  .start = start,
                  .n = G_N_ELEMENTS (order),
                  .spread = 0.02,
                  .ports = ports,
                  .vary = set_time,
                  .refused = 11 };
      GByteArray **alone;

      weir_ensemble_options_init (&job.options);
      job.options.run.solver = solvers[s];
      job.options.run.record_interval = 0.03;
      job.options.run.max_steps = 2000;
      job.options.stop_time = 0.7;
      alone = run_all_alone (&job);
      for (guint threads = 1; threads <= 8; threads *= 2)
        {
          gboolean is_together;

          job.options.threads = threads;
          job.order = NULL;
          is_together = check (&job, solvers[s], alone);
          g_assert_cmpint (is_together, ==, s < 3);
          job.order = order;
          check (&job, "in another order", alone);
        }
      job.options.is_separate = TRUE;
      g_assert_false (check (&job, "separate", alone));
      results_free (alone, job.n);
    }
}

/* Fixed steps from times that are small beside the step or large, up to those of which doubles hold
 * few within a step; and steps that end where they may not be longer. */
static void
test_grid (void)
{
  static const double starts[] = { 0, -3.7, 123456.789, 1.1e7, 3.3e8, 1e10 };
  static const char *const solvers[] = { "euler", "rk4" };
  guint32 seed = get_test_seed (0);

  for (guint i = 0; i < G_N_ELEMENTS (starts) * 2; i++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed + i);
      guint n_blocks;
      g_autoptr (WeirSystem) system = random_new (rand, &n_blocks, FALSE);
      g_autoptr (WeirContext) start = weir_system_create_context (system);
      Job job = { .system = system, .start = start, .n = 11, .spread = 0.1, .refused = G_MAXSIZE };
      double t = starts[i / 2];
      GByteArray **alone;

      weir_context_set_time (start, t);
      weir_ensemble_options_init (&job.options);
      job.options.run.solver = solvers[i % 2];
      job.options.run.step = 0.0131;
      job.options.run.max_step = i % 3 == 0 ? 0.0107 : 0;
      job.options.stop_time = t + 3.21;
      alone = run_all_alone (&job);
      g_assert_true (check (&job, "grid", alone));
      results_free (alone, job.n);
    }
}

/* --- Stopping, memory ------------------------------------------------------------------------ */

typedef struct {
  gint cancel; /* atomic */
  guint n_ended, n_full;
} Stop;

static void
stop_after_three (G_GNUC_UNUSED const WeirEnsembleResult *result, gpointer data)
{
  Stop *stop = data;

  if (++stop->n_ended == 3)
    g_atomic_int_set (&stop->cancel, TRUE);
}

static void
test_stop (void)
{
  g_autoptr (WeirSystem) system = explosion_new ();
  g_autoptr (WeirContext) start = weir_system_create_context (system);

  for (guint is_separate = 0; is_separate < 2; is_separate++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WeirEnsemble) ensemble = NULL;
      WeirEnsembleOptions options;
      Stop stop = { 0 };

      weir_ensemble_options_init (&options);
      options.run.solver = "rk4";
      options.stop_time = 1;
      options.is_separate = is_separate;
      options.cancel = &stop.cancel;
      ensemble = weir_ensemble_new (system, start, &options, NULL, &error);
      g_assert_no_error (error);
      g_assert_false (weir_ensemble_run (ensemble, 100000, NULL, stop_after_three, &stop, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_cmpuint (stop.n_ended, >=, 3);
      g_assert_cmpuint (stop.n_ended, <, 100000);
      g_assert_cmpuint (weir_ensemble_get_n_ended (ensemble), ==, stop.n_ended);
    }
}

static void
count_full (const WeirEnsembleResult *result, gpointer data)
{
  Stop *stop = data;

  stop->n_ended++;
  stop->n_full += result->error != NULL && strstr (result->error->message, "MiB") != NULL;
  g_assert_cmpuint (result->n_rows * 2 * sizeof (double), <=, 1 << 20);
}

/* 200 000 rows of two numbers are 3 MiB. */
static void
test_memory (void)
{
  static const char *const ports[] = { "b0.y", NULL };
  g_autoptr (WeirSystem) system = explosion_new ();
  g_autoptr (WeirContext) start = weir_system_create_context (system);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirEnsemble) ensemble = NULL;
  WeirEnsembleOptions options;
  Stop stop = { 0 };

  weir_ensemble_options_init (&options);
  options.run.solver = "euler";
  options.run.step = 5e-6;
  options.stop_time = 1;
  options.memory = 1;
  ensemble = weir_ensemble_new (system, start, &options, ports, &error);
  g_assert_no_error (error);
  g_assert_true (weir_ensemble_run (ensemble, 10, NULL, count_full, &stop, &error));
  g_assert_cmpuint (stop.n_ended, ==, 10);
  g_assert_cmpuint (stop.n_full, ==, 10);
}

/* What makes no sense is said before anything runs. */
static void
test_refusals (void)
{
  static const char *const ports[] = { "b7.y", NULL };
  g_autoptr (WeirSystem) system = explosion_new ();
  g_autoptr (WeirContext) start = weir_system_create_context (system);
  g_autoptr (GError) error = NULL;
  WeirEnsembleOptions options;

  weir_ensemble_options_init (&options);
  g_assert_null (weir_ensemble_new (system, start, &options, ports, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "b7"));
  g_clear_error (&error);
  options.run.solver = "none";
  g_assert_null (weir_ensemble_new (system, start, &options, NULL, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_NOT_FOUND);
}

typedef struct {
  double last[30];
} Common;

static gboolean
prepare_common (gsize i, WeirContext *context, G_GNUC_UNUSED gpointer data,
                G_GNUC_UNUSED GError **error)
{
  double x = 0.05 + 0.01 * (double) i;

  weir_context_set_state (context, &x);
  return TRUE;
}

static void
note_last (const WeirEnsembleResult *result, gpointer data)
{
  Common *common = data;

  g_assert_no_error (result->error);
  common->last[result->member] = weir_context_get_state (result->context)[0];
}

/* A common step is no lone run's, but keeps the tolerance: x = 1 / (1 / x(0) - t). */
static void
test_common_step (void)
{
  g_autoptr (WeirSystem) system = explosion_new ();
  g_autoptr (WeirContext) start = weir_system_create_context (system);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirEnsemble) ensemble = NULL;
  Common common = { { 0 } };
  WeirEnsembleOptions options;

  weir_ensemble_options_init (&options);
  options.run.solver = "dormand-prince";
  options.stop_time = 1;
  options.has_common_step = TRUE;
  ensemble = weir_ensemble_new (system, start, &options, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (weir_ensemble_get_reason (ensemble));
  g_assert_true (weir_ensemble_run (ensemble, G_N_ELEMENTS (common.last), prepare_common, note_last,
                                    &common, &error));
  for (guint i = 0; i < G_N_ELEMENTS (common.last); i++)
    g_assert_cmpfloat_with_epsilon (common.last[i], 1 / (1 / (0.05 + 0.01 * i) - 1), 1e-6);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ensemble/examples", test_examples);
  g_test_add_func ("/ensemble/random", test_random);
  g_test_add_func ("/ensemble/differing", test_differing);
  g_test_add_func ("/ensemble/grid", test_grid);
  g_test_add_func ("/ensemble/stop", test_stop);
  g_test_add_func ("/ensemble/memory", test_memory);
  g_test_add_func ("/ensemble/refusals", test_refusals);
  g_test_add_func ("/ensemble/common-step", test_common_step);
  return g_test_run ();
}

/* Runs that are saved and continued, against the same run without a break.
 *
 * With explicit methods every later instant must come out the same to the bit, for models with
 * events of all kinds, random numbers and delays; with the others within a hundred times the
 * tolerance.
 */
#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "models.h"
#include "../examples.h"

#define RANDOM_AND_DELAY                                                                           \
  "<?xml version=\"1.0\" encoding=\"UTF-8\"?><weir version=\"1\"><diagram>"                        \
  "<block id=\"1\" type=\"UniformRandom\" name=\"Noise\" x=\"0\" y=\"0\"/>"                        \
  "<block id=\"2\" type=\"Integrator\" name=\"Sum\" x=\"0\" y=\"0\"/>"                             \
  "<block id=\"3\" type=\"TransportDelay\" name=\"Pipe\" x=\"0\" y=\"0\"/>"                        \
  "<block id=\"4\" type=\"Integrator\" name=\"Tank\" x=\"0\" y=\"0\"/>"                            \
  "<block id=\"8\" type=\"Equations\" name=\"Echo\" x=\"0\" y=\"0\"><parameter "                   \
  "name=\"equations\" "                                                                            \
  "value=\"D(x) ~ -delay(x, 0.3) + delay(x, 0.5 + 0.2*sin(t), 1); history x = 1 + t\"/></block>"   \
  "<wire id=\"5\" from=\"1.y\" to=\"2.u\"/><wire id=\"6\" from=\"2.y\" to=\"3.u\"/>"               \
  "<wire id=\"7\" from=\"3.y\" to=\"4.u\"/></diagram></weir>"

/* Of everything that remembers its input, the integral. */
#define MEMORIES                                                                                   \
  "<?xml version=\"1.0\" encoding=\"UTF-8\"?><weir version=\"1\"><diagram>"                        \
  "<block id=\"1\" type=\"PRBS\" name=\"Bits\" x=\"0\" y=\"0\"/>"                                  \
  "<block id=\"2\" type=\"Filter\" name=\"Smooth\" x=\"0\" y=\"0\"/>"                              \
  "<block id=\"3\" type=\"Sine\" name=\"Wave\" x=\"0\" y=\"0\"><parameter name=\"amplitude\" "     \
  "value=\"0.2\"/><parameter name=\"bias\" value=\"0.3\"/></block>"                                \
  "<block id=\"4\" type=\"Backlash\" name=\"Play\" x=\"0\" y=\"0\"><parameter name=\"gap\" "       \
  "value=\"0.2\"/></block>"                                                                        \
  "<block id=\"6\" type=\"VariableDelay\" name=\"Pipe\" x=\"0\" y=\"0\"/>"                         \
  "<block id=\"7\" type=\"FIR\" name=\"Mean\" x=\"0\" y=\"0\"><parameter name=\"period\" "         \
  "value=\"0.07\"/></block>"                                                                       \
  "<block id=\"8\" type=\"FirstOrderHold\" name=\"Line\" x=\"0\" y=\"0\"><parameter "              \
  "name=\"period\" value=\"0.13\"/></block>"                                                       \
  "<block id=\"9\" type=\"Spectrum\" name=\"Lines\" x=\"0\" y=\"0\"><parameter name=\"period\" "   \
  "value=\"0.06\"/><parameter name=\"size\" value=\"5\"/></block>"                                 \
  "<block id=\"10\" type=\"Modulo\" name=\"Rest\" x=\"0\" y=\"0\"><parameter name=\"modulus\" "    \
  "value=\"0.1\"/></block>"                                                                        \
  "<block id=\"11\" type=\"MultiportSwitch\" name=\"Choice\" x=\"0\" y=\"0\"><parameter "          \
  "name=\"inputs\" value=\"2\"/></block>"                                                          \
  "<block id=\"12\" type=\"DiscreteFilter\" name=\"Sampled\" x=\"0\" y=\"0\"/>"                    \
  "<block id=\"13\" type=\"Mux\" name=\"All\" x=\"0\" y=\"0\"><parameter name=\"inputs\" "         \
  "value=\"9\"/></block>"                                                                          \
  "<block id=\"14\" type=\"Integrator\" name=\"Sums\" x=\"0\" y=\"0\"><parameter "                 \
  "name=\"initial\" value=\"[0,0,0,0,0,0,0,0,0]\"/></block>"                                       \
  "<wire id=\"50\" from=\"1.y\" to=\"2.u\"/>"                                                      \
  "<wire id=\"51\" from=\"2.y\" to=\"4.u\"/>"                                                      \
  "<wire id=\"53\" from=\"2.y\" to=\"6.u\"/>"                                                      \
  "<wire id=\"54\" from=\"3.y\" to=\"6.delay\"/>"                                                  \
  "<wire id=\"55\" from=\"2.y\" to=\"7.u\"/>"                                                      \
  "<wire id=\"56\" from=\"2.y\" to=\"8.u\"/>"                                                      \
  "<wire id=\"57\" from=\"2.y\" to=\"9.u\"/>"                                                      \
  "<wire id=\"58\" from=\"2.y\" to=\"10.u\"/>"                                                     \
  "<wire id=\"59\" from=\"2.y\" to=\"11.control\"/>"                                               \
  "<wire id=\"60\" from=\"3.y\" to=\"11.in1\"/>"                                                   \
  "<wire id=\"61\" from=\"1.y\" to=\"11.in2\"/>"                                                   \
  "<wire id=\"62\" from=\"2.y\" to=\"12.u\"/>"                                                     \
  "<wire id=\"63\" from=\"4.y\" to=\"13.in1\"/>"                                                   \
  "<wire id=\"64\" from=\"3.y\" to=\"13.in2\"/>"                                                   \
  "<wire id=\"65\" from=\"6.y\" to=\"13.in3\"/>"                                                   \
  "<wire id=\"66\" from=\"7.y\" to=\"13.in4\"/>"                                                   \
  "<wire id=\"67\" from=\"8.y\" to=\"13.in5\"/>"                                                   \
  "<wire id=\"68\" from=\"9.magnitude\" to=\"13.in6\"/>"                                           \
  "<wire id=\"69\" from=\"10.y\" to=\"13.in7\"/>"                                                  \
  "<wire id=\"70\" from=\"11.y\" to=\"13.in8\"/>"                                                  \
  "<wire id=\"71\" from=\"12.y\" to=\"13.in9\"/>"                                                  \
  "<wire id=\"72\" from=\"13.y\" to=\"14.u\"/>"                                                    \
  "</diagram></weir>"

static WeirSystem *
model_new (const char *name)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = NULL;

  if (strcmp (name, "random-and-delay") == 0 || strcmp (name, "memories") == 0)
    {
      const char *text = strcmp (name, "memories") == 0 ? MEMORIES : RANDOM_AND_DELAY;
      g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

      model = weir_model_read_bytes (bytes, name, diagnostics);
    }
  else
    {
      g_autofree char *file_name = g_strconcat (name, ".weir", NULL);
      g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "examples", file_name,
                                                NULL);
      g_autoptr (GFile) file = g_file_new_for_path (path);

      model = weir_model_read_file (file, diagnostics);
    }
  return complete (model);
}

typedef struct {
  WeirContext *context;
  WeirSimulator *simulator;
  GArray *seen; /* time and state at every step's end */
} Run;

static void
run_init (Run *run, WeirSystem *system, const WeirSimulatorOptions *options)
{
  g_autoptr (GError) error = NULL;

  run->context = weir_system_create_context (system);
  run->simulator = weir_simulator_new (system, run->context, options, &error);
  run->seen = g_array_new (FALSE, FALSE, sizeof (double));
  g_assert_no_error (error);
}

static void
run_clear (Run *run)
{
  weir_simulator_free (run->simulator);
  weir_context_free (run->context);
  g_array_unref (run->seen);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

/* To @stop; saves at the first step's end at or after @at. */
static GBytes *
go (Run *run, double stop, double at)
{
  guint n = weir_layout_get_n_states (weir_context_get_layout (run->context));
  g_autoptr (GError) error = NULL;
  GBytes *saved = NULL;
  gboolean done = FALSE;

  while (!done)
    {
      double time;

      weir_simulator_step (run->simulator, stop, &done, &error);
      g_assert_no_error (error);
      time = weir_context_get_time (run->context);
      g_array_append_val (run->seen, time);
      g_array_append_vals (run->seen, weir_context_get_state (run->context), n);
      if (saved == NULL && time >= at)
        {
          saved = weir_simulator_save (run->simulator, &error);
          g_assert_no_error (error);
          g_array_set_size (run->seen, 0);
        }
    }
  return saved;
}

static void
assert_continues (const char *model, const char *solver, double stop, double at)
{
  g_autoptr (WeirSystem) system = model_new (model);
  WeirSimulatorOptions options = options_for (solver, 1e-6);
  gboolean is_exact = !g_str_has_prefix (solver, "cvode") && !g_str_has_prefix (solver, "arkode")
                      && strcmp (solver, "ida") != 0 && strcmp (solver, "radau") != 0;
  guint n = weir_layout_get_n_states (weir_system_get_layout (system));
  g_auto (Run) whole = { 0 };
  g_auto (Run) first = { 0 };
  g_auto (Run) second = { 0 };
  g_autoptr (GBytes) saved = NULL;
  g_autoptr (GError) error = NULL;
  const double *a, *b;

  run_init (&whole, system, &options);
  run_init (&second, system, &options);
  saved = go (&whole, stop, at);
  g_assert_nonnull (saved);
  /* A run without a checkpoint is the same run. */
  run_init (&first, system, &options);
  g_assert_null (go (&first, stop, INFINITY));
  g_assert_cmpmem (weir_context_get_state (whole.context), n * sizeof (double),
                   weir_context_get_state (first.context), n * sizeof (double));

  g_assert_true (weir_simulator_load (second.simulator, saved, &error));
  g_assert_no_error (error);
  g_assert_null (go (&second, stop, INFINITY));
  if (is_exact)
    {
      const WeirSimulatorStatistics *s = weir_simulator_get_statistics (whole.simulator);
      const WeirSimulatorStatistics *t = weir_simulator_get_statistics (second.simulator);

      g_assert_cmpmem (whole.seen->data, whole.seen->len * sizeof (double), second.seen->data,
                       second.seen->len * sizeof (double));
      g_assert_cmpuint (s->steps, ==, t->steps);
      g_assert_cmpuint (s->crossings, ==, t->crossings);
      g_assert_cmpuint (s->discrete_updates, ==, t->discrete_updates);
    }
  a = weir_context_get_state (whole.context);
  b = weir_context_get_state (second.context);
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat (fabs (a[i] - b[i]), <=, 1e-4 * (1e-3 + fabs (a[i])));
}

static void
test_continues (void)
{
  static const struct {
    const char *model;
    double stop, at;
  } models[] = {
    { "pendulum", 3, 1.2345 }, { "bouncing-ball", 4, 1.7 },       { "thermostat", 3000, 1234 },
    { "sampled", 2, 0.777 },   { "random-and-delay", 4, 2.3456 }, { "counter", 0.1, 0.034 },
    { "dc-motor", 1, 0.3 },    { "memories", 3, 1.2345 },
  };

  for (guint m = 0; m < G_N_ELEMENTS (models); m++)
    for (guint i = 0; i < weir_solver_get_n (); i++)
      {
        const char *solver = weir_solver_get (i)->name;

        /* Explicit first-order steps of 0.01 s leave the motor's stability region. */
        if (strcmp (models[m].model, "dc-motor") == 0 && !weir_solver_get (i)->is_adaptive)
          continue;
        if (strcmp (models[m].model, "thermostat") == 0 && !weir_solver_get (i)->is_adaptive)
          continue; /* 300 000 steps */
        g_test_message ("%s, %s", models[m].model, solver);
        assert_continues (models[m].model, solver, models[m].stop, models[m].at);
      }
}

/* Another method goes on from there, as well as it can. */
static void
test_other_method (void)
{
  g_autoptr (WeirSystem) system = pendulum_new (1);
  WeirSimulatorOptions fine = options_for ("dormand-prince", 1e-9);
  WeirSimulatorOptions bdf = options_for ("cvode-bdf", 1e-9);
  g_auto (Run) whole = { 0 };
  g_auto (Run) rest = { 0 };
  g_autoptr (GBytes) saved = NULL;
  g_autoptr (GError) error = NULL;

  run_init (&whole, system, &fine);
  run_init (&rest, system, &bdf);
  saved = go (&whole, 2, 1);
  g_assert_true (weir_simulator_load (rest.simulator, saved, &error));
  g_assert_null (go (&rest, 2, INFINITY));
  g_assert_cmpfloat_with_epsilon (weir_context_get_state (rest.context)[0],
                                  weir_context_get_state (whole.context)[0], 1e-6);
}

static void
assert_refused (Run *run, gconstpointer data, gsize size, const char *why)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  double time = weir_context_get_time (run->context);
  g_autoptr (GError) error = NULL;

  g_assert_false (weir_simulator_load (run->simulator, bytes, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_MISMATCH);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, why));
  g_assert_null (strchr (error->message, '\n'));
  g_assert_cmpfloat (weir_context_get_time (run->context), ==, time);
}

/* Every length, and every byte changed: refused, and the run goes on as it was. */
static void
test_refused (void)
{
  g_autoptr (WeirSystem) system = pendulum_new (1);
  g_autoptr (WeirSystem) other = growth_new ();
  WeirSimulatorOptions options = options_for ("rk4", 1e-6);
  g_auto (Run) run = { 0 };
  g_auto (Run) foreign = { 0 };
  g_autoptr (GBytes) saved = NULL;
  g_autofree guint8 *copy = NULL;
  const guint8 *data;
  gsize size;

  run_init (&run, system, &options);
  run_init (&foreign, other, &options);
  saved = go (&run, 0.5, 0.1);
  data = g_bytes_get_data (saved, &size);
  assert_refused (&foreign, data, size, "built differently");
  assert_refused (&run, "time,x\n", 7, "this is no checkpoint of a run");
  for (gsize n = 0; n < size; n += n < 100 ? 1 : 37)
    assert_refused (&run, data, n, n < 56 ? "this is no checkpoint" : "bytes where");
  copy = g_memdup2 (data, size);
  for (gsize i = 0; i < size - 8; i += i < 120 ? 1 : 23)
    {
      copy[i] ^= 0x10;
      assert_refused (&run, copy, size, "");
      copy[i] ^= 0x10;
    }
  for (guint8 version = 3; version <= 5; version += 2)
    {
      g_autofree char *why = g_strdup_printf (
          "the checkpoint has version %u, and this program reads version 4", version);

      copy[8] = version; /* the lowest byte, wherever it was saved */
      assert_refused (&run, copy, size, why);
    }
  g_assert_null (go (&run, 0.6, INFINITY));
}

/* What a run has counted goes on where it was. */
static void
test_statistics (void)
{
  g_autoptr (WeirSystem) system = pendulum_new (1);
  WeirSimulatorOptions options = options_for ("dormand-prince", 1e-6);
  g_auto (Run) run = { 0 };
  g_auto (Run) rest = { 0 };
  g_autoptr (GBytes) saved = NULL;
  const WeirSimulatorStatistics *whole, *second;

  run_init (&run, system, &options);
  run_init (&rest, system, &options);
  saved = go (&run, 1, 0.5);
  g_assert_true (weir_simulator_load (rest.simulator, saved, NULL));
  g_assert_null (go (&rest, 1, INFINITY));
  whole = weir_simulator_get_statistics (run.simulator);
  second = weir_simulator_get_statistics (rest.simulator);
  g_assert_cmpuint (whole->steps, >, 3);
  g_assert_cmpuint (second->steps, ==, whole->steps);
  g_assert_cmpuint (second->rejected_steps, ==, whole->rejected_steps);
  g_assert_cmpuint (second->publishes, ==, whole->publishes);
  g_assert_cmpuint (second->reinitialisations, ==, whole->reinitialisations);
  g_assert_cmpuint (second->event_iterations, ==, whole->event_iterations);
  g_assert_cmpfloat (second->last_step, ==, whole->last_step);
  g_assert_cmpfloat (second->shortest_step, ==, whole->shortest_step);
  g_assert_cmpfloat (second->longest_step, ==, whole->longest_step);
}

/* Within a monitor's call a step is not over. */
static WeirStatus
save_within (WeirSimulator *simulator, WeirPhase phase, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  gboolean *is_refused = data;

  if (phase != WEIR_PHASE_SAMPLE)
    return WEIR_OK;
  bytes = weir_simulator_save (simulator, &error);
  g_assert_null (bytes);
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
  *is_refused = TRUE;
  return WEIR_OK;
}

static void
test_within_step (void)
{
  g_autoptr (WeirSystem) system = pendulum_new (1);
  WeirSimulatorOptions options = options_for ("dormand-prince", 1e-6);
  gboolean is_refused = FALSE;
  g_auto (Run) run = { 0 };

  options.record_interval = 0.01;
  run_init (&run, system, &options);
  weir_simulator_set_monitor (run.simulator, save_within, &is_refused);
  g_assert_null (go (&run, 1, INFINITY));
  g_assert_true (is_refused);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/checkpoint/continues", test_continues);
  g_test_add_func ("/sim/checkpoint/other-method", test_other_method);
  g_test_add_func ("/sim/checkpoint/refused", test_refused);
  g_test_add_func ("/sim/checkpoint/statistics", test_statistics);
  g_test_add_func ("/sim/checkpoint/within-a-step", test_within_step);
  return g_test_run ();
}

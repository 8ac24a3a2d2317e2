/* A program that knows libweir from its installed headers only, in what C11 and C++17 have in
 * common: a diagram of its own leaf systems and of library blocks, run, evaluated, cloned, saved
 * and restored, audited and verified; a model file too. Every number is held against its closed
 * form.
 *
 *   stranger MODEL-FILE
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <weir/weir.h>

#if !WEIR_CHECK_VERSION(0, 1, 0)
#error "too old"
#endif

static int n_wrong;

static void
expect (const char *what, double value, double exact, double tolerance)
{
  int is_right = fabs (value - exact) <= tolerance;

  printf ("%s %s: %.12g, exactly %.12g\n", is_right ? "ok" : "WRONG", what, value, exact);
  n_wrong += !is_right;
}

static void
require (int holds, const char *what, const GError *error)
{
  printf ("%s %s%s%s\n", holds ? "ok" : "WRONG", what, error != NULL ? ": " : "",
          error != NULL ? error->message : "");
  n_wrong += !holds;
}

/* --- Leaf systems ------------------------------------------------------------------------------
 */

static const WeirInput U = { 0 };
static const WeirParameter K = { 0 };
static const WeirCached RATE = { 0 };
static const WeirGroup COUNT = { 0 };

static WeirStatus
lag_rate (const WeirCalc *c, double *out)
{
  out[0] = weir_calc_parameter (c, K)[0] * weir_calc_xc (c)[0];
  return WEIR_OK;
}

static WeirStatus
lag_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_input (c, U)[0] - weir_calc_cached (c, RATE)[0];
  return WEIR_OK;
}

static WeirStatus
count (const WeirCalc *c, gint64 n, double *next)
{
  (void) c;
  next[0] += n >= 0 ? 1 : 0;
  return WEIR_OK;
}

/* x' = u - k x, x(0) = 1, and how often half a second has begun. @declares: says that x' reads u.
 */
static WeirSystem *
lag_new (double k, int declares)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Lag");
  WeirInput u = weir_leaf_add_input (b, "u", 1);
  WeirParameter p = weir_leaf_add_parameter (b, "k", &k, 1);
  const double one = 1, zero = 0;
  WeirCached rate;
  WeirGroup ticks;

  weir_leaf_set_continuous_state (b, 0, 0, 1, &one);
  rate = weir_leaf_add_cache_entry (b, "rate", 1, lag_rate,
                                    WEIR_DEPENDS (WEIR_XC, weir_parameter_ticket (b, p)));
  if (declares)
    weir_leaf_set_derivatives (
        b, lag_xcdot, WEIR_DEPENDS (weir_input_ticket (b, u), weir_cached_ticket (b, rate)));
  else
    weir_leaf_set_derivatives (b, lag_xcdot, WEIR_DEPENDS (weir_cached_ticket (b, rate)));
  weir_leaf_add_output_window (b, "y", WEIR_XC);
  ticks = weir_leaf_add_discrete_state (b, "ticks", &zero, 1);
  weir_leaf_add_update (b, weir_every (0.5, 0), ticks, count);
  return weir_leaf_builder_build (b);
}

WEIR_KERNEL_2 (product, a, b, (a) * (b))

/* y = a b, element by element. */
static WeirSystem *
product_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Times");
  WeirInput in1 = weir_leaf_add_input (b, "a", 1);
  WeirInput in2 = weir_leaf_add_input (b, "b", 1);

  weir_leaf_add_output_kernel (
      b, "y", 1, product, 0, WEIR_DEPENDS (weir_input_ticket (b, in1), weir_input_ticket (b, in2)));
  return weir_leaf_builder_build (b);
}

/* --- The diagram: lag with u from a Constant, its square, and a Gain of that -------------------
 */

static WeirSystem *
diagram_new (int declares)
{
  static const char *const constant_parameters[] = { "value", "3", NULL };
  static const char *const gain_parameters[] = { "gain", "-2", NULL };
  const WeirOutput y = { 0 };
  const WeirInput first = { 0 }, second = { 1 };
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  GError *error = NULL;
  WeirSystem *lag = lag_new (2, declares);
  WeirSystem *times = product_new ();
  WeirSystem *constant = weir_library_block_new ("Constant", constant_parameters, NULL, &error);
  WeirSystem *gain = weir_library_block_new ("Gain", gain_parameters, NULL, &error);
  WeirChild c = weir_diagram_builder_add (b, "three", constant);
  WeirChild l = weir_diagram_builder_add (b, "lag", lag);
  WeirChild s = weir_diagram_builder_add (b, "square", times);
  WeirChild g = weir_diagram_builder_add (b, "gain", gain);
  WeirSystem *diagram;

  weir_diagram_builder_connect (b, c, y, l, first);
  weir_diagram_builder_connect (b, l, y, s, first);
  weir_diagram_builder_connect (b, l, y, s, second);
  weir_diagram_builder_connect (b, s, y, g, first);
  weir_diagram_builder_add_output (b, "y", g, y);
  diagram = weir_diagram_builder_build (b, &error);
  require (diagram != NULL, "a diagram is built", error);
  weir_system_unref (lag);
  weir_system_unref (times);
  weir_system_unref (constant);
  weir_system_unref (gain);
  return diagram;
}

/* x' = 3 - 2 x, x(0) = 1. */
static double
exact_state (double t)
{
  return 1.5 - 0.5 * exp (-2 * t);
}

/* --- What is done with it ----------------------------------------------------------------------
 */

static void
evaluate (WeirSystem *system)
{
  WeirContext *context = weir_system_create_context (system);
  WeirLayout *layout = weir_system_get_layout (system);
  const WeirOutput y = { 0 };
  const double four = 4, one = 1;
  WeirPort port = { { 0 }, 0, FALSE };
  WeirValueList *list;
  WeirContext *clone;
  WeirNode lag;
  WeirParameter k = K;
  double xdot, value = 0;
  guint size;

  expect ("y at x = 1", weir_eval_output (system, context, WEIR_ROOT, y)[0], -2, 0);
  expect ("x' at x = 1", weir_eval_derivatives (system, context)[0], 1, 0);
  clone = weir_context_clone (context);
  weir_context_set_state (clone, &four);
  expect ("y of the clone at x = 4", weir_eval_output (system, clone, WEIR_ROOT, y)[0], -32, 0);
  expect ("y of the first", weir_eval_output (system, context, WEIR_ROOT, y)[0], -2, 0);
  require (weir_layout_find_node (layout, "lag", &lag)
               && weir_layout_find_parameter (layout, lag, "k", &k, &size) && size == 1,
           "parameter lag.k is found", NULL);
  weir_context_set_parameter (clone, lag, k, &one);
  expect ("x' of the clone at x = 4, k = 1", weir_eval_derivatives (system, clone)[0], -1, 0);
  require (weir_eval_rhs (system, context, 0, &four, &xdot) == WEIR_OK, "f(t, x) has a value",
           NULL);
  expect ("f(0, 4)", xdot, -5, 0);
  list = weir_value_list_new (system, &port, 1);
  require (weir_value_list_get_n_values (list) == 1
               && weir_eval_list (list, context, &value) == WEIR_OK,
           "a list of values is read", NULL);
  expect ("y in the list", value, -2, 0);
  weir_value_list_free (list);
  expect ("the state, which that left alone", weir_context_get_state (context)[0], 1, 0);
  weir_context_free (clone);
  weir_context_free (context);
}

static void
run (WeirSystem *system)
{
  static const char *const ports[] = { "y", NULL };
  WeirContext *context = weir_system_create_context (system);
  WeirContext *other = weir_system_create_context (system);
  GError *error = NULL;
  WeirSimulatorOptions options;
  WeirSimulator *first, *second;
  WeirRecorder *recorder;
  WeirNode lag = WEIR_ROOT;
  GBytes *values, *whole;

  weir_simulator_options_init (&options);
  options.relative_tolerance = 1e-10;
  options.absolute_tolerance = 1e-12;
  options.solver = "dormand-prince";
  recorder = weir_recorder_new (system, ports, FALSE, &error);
  require (recorder != NULL, "y can be recorded", error);
  first = weir_simulator_new (system, context, &options, &error);
  require (first != NULL, "there is such a solver", error);
  weir_simulator_set_monitor (first, weir_recorder_monitor, recorder);
  require (weir_simulator_initialize (first, &error)
               && weir_simulator_advance_to (first, 0.75, &error),
           "it runs to 0.75 s", error);
  /* The tolerance times what the equation damps, with room: 1e-8. */
  expect ("x(0.75)", weir_context_get_state (context)[0], exact_state (0.75), 1e-8);
  whole = weir_simulator_save (first, &error);
  require (whole != NULL, "the run is saved", error);
  require (weir_simulator_advance_to (first, 2, &error), "it runs to 2 s", error);
  expect ("x(2)", weir_context_get_state (context)[0], exact_state (2), 1e-8);
  require (weir_layout_find_node (weir_system_get_layout (system), "lag", &lag), "lag is found",
           NULL);
  /* At 0, 0.5, 1 and 1.5; the one at 2 is pending. */
  expect ("updates until 2 s", weir_context_get_discrete (context, lag, COUNT)[0], 4, 0);
  expect ("signals recorded", weir_recorder_get_n_signals (recorder), 1, 0);
  expect ("y recorded last",
          weir_recorder_get_value (recorder, 0, weir_recorder_get_n_rows (recorder) - 1),
          -2 * exact_state (2) * exact_state (2), 1e-7);

  second = weir_simulator_new (system, other, &options, &error);
  require (weir_simulator_load (second, whole, &error), "the run is restored elsewhere", error);
  expect ("where it was", weir_context_get_time (other), 0.75, 0);
  require (weir_simulator_advance_to (second, 2, &error), "and runs to 2 s", error);
  expect ("x(2), less that of the run without a break",
          weir_context_get_state (other)[0] - weir_context_get_state (context)[0], 0, 0);

  values = weir_context_save (context);
  weir_context_reset (other);
  expect ("x after a reset", weir_context_get_state (other)[0], 1, 0);
  require (weir_context_load (other, system, values, &error), "values are restored", error);
  expect ("x of them less x saved",
          weir_context_get_state (other)[0] - weir_context_get_state (context)[0], 0, 0);

  g_bytes_unref (values);
  g_bytes_unref (whole);
  weir_simulator_free (first);
  weir_simulator_free (second);
  weir_recorder_unref (recorder);
  weir_context_free (context);
  weir_context_free (other);
}

static void
check (WeirSystem *system, int declares)
{
  GError *error = NULL;
  WeirSimulatorOptions options;
  WeirVerifyResult verified;
  WeirAuditResult audited;
  char *text;

  weir_simulator_options_init (&options);
  require (weir_verify (system, &options, 1, NULL, &verified, &error), "it is verified", error);
  text = weir_verify_result_to_string (&verified);
  puts (text);
  if (declares)
    require (verified.identical && verified.n_compared > 0, "cached and uncached agree", NULL);
  g_free (text);
  weir_verify_result_clear (&verified);
  require (weir_audit (system, &options, 1, NULL, &audited, &error), "it is audited", error);
  text = weir_audit_result_to_string (&audited);
  puts (text);
  g_free (text);
  if (declares)
    expect ("errors of the audit", audited.n_errors, 0, 0);
  else
    {
      const WeirAuditFinding *finding = weir_audit_result_get (&audited, 0);

      require (finding != NULL && finding->kind == WEIR_AUDIT_UNDECLARED
                   && strcmp (finding->path, "lag") == 0
                   && strcmp (finding->ticket_name, "input u") == 0,
               "the audit names the read of u that lag does not declare", NULL);
    }
  weir_audit_result_clear (&audited);
}

/* data/examples/mass-spring-damper.weir: x'' = 1 - 0.4 x' - 4 x from rest. */
static double
exact_position (double t)
{
  double w = sqrt (4 - 0.2 * 0.2);

  return 0.25 * (1 - exp (-0.2 * t) * (cos (w * t) + 0.2 / w * sin (w * t)));
}

static void
read_model (const char *path)
{
  WeirDiagnostics *diagnostics = weir_diagnostics_new ();
  WeirModelFile *file = weir_model_file_open (path, diagnostics);
  GError *error = NULL;
  WeirSimulatorOptions options;
  WeirSimulator *simulator;
  WeirRecorder *recorder;
  WeirContext *context;
  WeirSystem *system;
  double stop_time;
  char **log;
  guint i;

  for (i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    {
      char *line = weir_diagnostic_to_string (weir_diagnostics_get (diagnostics, i));

      puts (line);
      g_free (line);
    }
  weir_diagnostics_unref (diagnostics);
  require (file != NULL, "a model file is read and completed", NULL);
  if (file == NULL)
    return;
  system = weir_system_ref (weir_model_file_get_system (file));
  weir_model_file_get_options (file, &options, &stop_time);
  expect ("its stop time", stop_time, 15, 0);
  expect ("its tolerance", options.relative_tolerance, 1e-9, 0);
  log = weir_model_file_dup_recorded_ports (file);
  weir_model_file_free (file);
  recorder = weir_recorder_new (system, (const char *const *) log, FALSE, &error);
  require (recorder != NULL, "what it records is there", error);
  g_strfreev (log);
  context = weir_system_create_context (system);
  simulator = weir_simulator_new (system, context, &options, &error);
  require (simulator != NULL, "its solver is there", error);
  weir_simulator_set_monitor (simulator, weir_recorder_monitor, recorder);
  require (weir_simulator_initialize (simulator, &error)
               && weir_simulator_advance_to (simulator, stop_time, &error),
           "it runs", error);
  /* A tolerance of 1e-9 a step, some hundred steps, and damping. */
  expect ("its position at the end",
          weir_recorder_get_value (recorder, 0, weir_recorder_get_n_rows (recorder) - 1),
          exact_position (stop_time), 1e-7);
  weir_simulator_free (simulator);
  weir_recorder_unref (recorder);
  weir_context_free (context);
  weir_system_unref (system);
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  WeirSystem *system, *careless;

  printf ("version %s\n", weir_version ());
  require (weir_check_version (WEIR_MAJOR_VERSION, WEIR_MINOR_VERSION, WEIR_MICRO_VERSION)
               && !weir_check_version (WEIR_MAJOR_VERSION + 1, 0, 0),
           "the library is what the headers say", NULL);
  require (weir_library_block_new ("Gian", NULL, NULL, &error) == NULL && error != NULL
               && error->code == WEIR_ERROR_NOT_FOUND,
           "there is no Gian", error);
  g_clear_error (&error);
  system = diagram_new (TRUE);
  evaluate (system);
  run (system);
  check (system, TRUE);
  weir_system_unref (system);
  careless = diagram_new (FALSE);
  check (careless, FALSE);
  weir_system_unref (careless);
  if (argc == 2)
    read_model (argv[1]);
  return n_wrong == 0 ? 0 : 1;
}

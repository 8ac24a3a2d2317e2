/* Code made at run time gives what the plan and the pull give, bit for bit: derivatives, values,
 * flags and counters, of every example, every lesson's model, every block, and of random diagrams;
 * and whole runs end in the same state.
 *
 * WEIR_SEEDS is how many random diagrams there are.
 */
#include <math.h>
#include <string.h>

#include "../blocks/block-fixture.h"
#include "../blocks/every-block.h"
#include "../random-models.h"
#include "../seeds.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "native/native.h"
#include "sim/simulator.h"
#include "system/context/inspection.h"
#include "system/evaluation/eval.h"
#include "system/evaluation/evaluator-private.h"

enum { NATIVE, PLAN, PULL, N_WAYS };

/* --- Comparing ------------------------------------------------------------------------------- */

static void
assert_equal_contexts (const WeirContext *a, const WeirContext *b)
{
  const WeirLayout *layout = weir_context_get_layout (a);
  guint n = weir_layout_get_n_entries (layout);
  guint n_sources = weir_layout_get_n_sources (layout);
  g_autofree WeirCounters *x = g_new (WeirCounters, n), *y = g_new (WeirCounters, n);
  g_autofree guint64 *last_a = g_new (guint64, n_sources), *last_b = g_new (guint64, n_sources);

  weir_context_read_source_events (a, last_a);
  weir_context_read_source_events (b, last_b);
  g_assert_cmpmem (last_a, n_sources * sizeof *last_a, last_b, n_sources * sizeof *last_b);
  g_assert_cmpuint (weir_context_get_n_events (a), ==, weir_context_get_n_events (b));
  weir_context_read_counters (a, x);
  weir_context_read_counters (b, y);
  for (guint32 e = 0; e < n; e++)
    {
      gsize size = weir_layout_get_entry (layout, (WeirEntry) { e }).size * sizeof (double);

      g_assert_cmpmem (&x[e], sizeof x[e], &y[e], sizeof y[e]);
      g_assert_cmpint (weir_context_is_up_to_date (a, (WeirEntry) { e }), ==,
                       weir_context_is_up_to_date (b, (WeirEntry) { e }));
      if (size > 0 && weir_context_is_up_to_date (a, (WeirEntry) { e }))
        g_assert_cmpmem (weir_context_peek (a, (WeirEntry) { e }), size,
                         weir_context_peek (b, (WeirEntry) { e }), size);
    }
}

/* From one trial state to others, some of them so large that sums of them are not finite, some not
 * finite themselves, and at the context's own. */
static void
check_derivatives (WeirSystem *system)
{
  guint n = weir_layout_get_n_states (weir_system_get_layout (system));
  WeirContext *contexts[N_WAYS];
  g_autofree double *x = g_new0 (double, n + 1), *xdot = g_new0 (double, N_WAYS *(gsize) n + 1);

  for (guint w = 0; w < N_WAYS; w++)
    contexts[w] = weir_system_create_context (system);
  weir_context_set_interpreted (contexts[PLAN], TRUE);
  weir_context_set_pull_only (contexts[PULL], TRUE);
  memcpy (x, weir_context_get_state (contexts[0]), n * sizeof *x);
  for (guint round = 0; round < 16; round++)
    {
      WeirStatus status[N_WAYS];

      for (guint i = 0; i < n; i++)
        x[i] = round == 9    ? (double) INFINITY
               : round == 10 ? (double) NAN
               : round == 11 ? 1e308
               : round == 12 ? i % 2 * 2e306 - 1e306
               : round == 13 ? 0.25
                             : x[i] + g_rand_double_range (test_rand, -0.5, 0.5);
      for (guint w = 0; w < N_WAYS; w++)
        {
          status[w] = weir_eval_rhs (system, contexts[w], round / 2 * 0.125, x, xdot + w * n);
          if (round % 4 == 3)
            weir_eval_derivatives (system, contexts[w]);
        }
      for (guint w = 1; w < N_WAYS; w++)
        {
          g_assert_cmpint (status[w], ==, status[0]);
          if (status[w] == WEIR_OK)
            g_assert_cmpmem (xdot + w * n, n * sizeof *x, xdot, n * sizeof *x);
          assert_equal_contexts (contexts[w], contexts[0]);
        }
    }
  for (guint w = 0; w < N_WAYS; w++)
    weir_context_free (contexts[w]);
}

/* At most @until; a run that fails does so on both ways, at the same place. */
static void
check_run (WeirSystem *system, double until)
{
  guint n = weir_layout_get_n_states (weir_system_get_layout (system));
  WeirContext *contexts[2];
  char *messages[2];

  for (guint w = 0; w < 2; w++)
    {
      g_autoptr (WeirSimulator) simulator = NULL;
      g_autoptr (GError) error = NULL;
      WeirSimulatorOptions options;

      contexts[w] = weir_system_create_context (system);
      weir_context_set_interpreted (contexts[w], w == 1);
      weir_simulator_options_init (&options);
      options.max_steps = 3000;
      simulator = weir_simulator_new (system, contexts[w], &options, &error);
      if (simulator != NULL)
        weir_simulator_advance_to (simulator, until, &error);
      messages[w] = g_strdup (error != NULL ? error->message : "");
    }
  g_assert_cmpstr (messages[0], ==, messages[1]);
  g_assert_cmpmem (weir_context_get_state (contexts[0]), n * sizeof (double),
                   weir_context_get_state (contexts[1]), n * sizeof (double));
  assert_equal_contexts (contexts[0], contexts[1]);
  for (guint w = 0; w < 2; w++)
    {
      weir_context_free (contexts[w]);
      g_free (messages[w]);
    }
}

/* --- Files ----------------------------------------------------------------------------------- */

static void
test_file (gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path (data);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_model_read_file (file, diagnostics);
  g_autoptr (WeirSystem) system = NULL;

  get_test_seed (3);
  g_assert_nonnull (model);
  system = weir_model_complete (model, diagnostics);
  if (system == NULL)
    {
      g_test_skip ("it cannot run here");
      return;
    }
  check_derivatives (system);
  check_run (system, 2.0);
}

static void
add_files (const char *folder)
{
  g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), folder, NULL);
  g_autoptr (GDir) files = g_dir_open (path, 0, NULL);
  const char *name;

  g_assert_nonnull (files);
  while ((name = g_dir_read_name (files)) != NULL)
    if (g_str_has_suffix (name, ".weir"))
      {
        g_autofree char *test = g_strdup_printf ("/analysis/native/%s/%s", folder, name);

        g_test_add_data_func_full (test, g_build_filename (path, name, NULL), test_file, g_free);
      }
}

/* Right-hand sides of examples that are one code, though some of what they read stays as it is and
 * some is no kernel. */
static void
test_at_one_go (void)
{
  static const char *const names[] = {
    "dc-motor",        "equations",         "foucault",           "house-with-heating",
    "hydraulic-press", "inverted-pendulum", "mass-spring-damper", "op-amp-filter",
    "pendulum-chain",  "position-loop",     "quadruple-tank",     "quarter-car",
    "robertson",       "thermostat",        "two-mass",           "vehicle"
  };

  get_test_seed (5);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = g_strconcat (names[i], ".weir", NULL);
      g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "examples", name, NULL);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirModel) model = weir_model_read_file (file, diagnostics);
      g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);
      const WeirTrialCodes *codes;

      check_derivatives (system);
      codes = weir_system_get_evaluator (system)->native->trials;
      for (guint same_time = 0; same_time < 2; same_time++)
        if (codes->at[same_time].code == NULL)
          g_error ("%s is computed step by step", names[i]);
    }
}

/* --- Blocks ---------------------------------------------------------------------------------- */

/* Each behind a source, its first output integrated. */
static void
test_block (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (WeirSystem) block = fixture_build (c->type, c->pairs, c->sizes);
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirChild tested = weir_diagram_builder_add (b, "tested", block);
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (GError) error = NULL;

  get_test_seed (4);
  for (guint16 i = 0; i < weir_system_get_n_inputs (block); i++)
    {
      const char *pairs[] = { "frequency", "3.5", NULL };
      guint size = weir_system_get_input_size (block, (WeirInput) { i });
      g_autofree char *name = g_strdup_printf ("source%u", i);
      g_autoptr (WeirSystem) source = fixture_build ("Sine", pairs, NULL);

      if (size == 1)
        weir_diagram_builder_connect (b, weir_diagram_builder_add (b, name, source),
                                      (WeirOutput) { 0 }, tested, (WeirInput) { i });
      else
        {
          weir_diagram_builder_free (b);
          return;
        }
    }
  for (guint16 o = 0; o < weir_system_get_n_outputs (block); o++)
    if (weir_system_get_output_size (block, (WeirOutput) { o }) == 1)
      {
        g_autofree char *name = g_strdup_printf ("integrator%u", o);
        const guint sizes[] = { 1 };
        const char *pairs[] = { NULL };
        g_autoptr (WeirSystem) integrator = fixture_build ("Integrator", pairs, sizes);

        weir_diagram_builder_connect (b, tested, (WeirOutput) { o },
                                      weir_diagram_builder_add (b, name, integrator),
                                      (WeirInput) { 0 });
      }
  system = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  check_derivatives (system);
  check_run (system, 0.5);
}

/* Equations that read more of their own things, parameters here, than code has bases for. */
static void
test_many_sources (void)
{
  g_autoptr (GString) text = g_string_new ("initial x = 0.75\ninitial v = 0\nD(x) ~ v\nD(v) ~ 0");

  get_test_seed (8);
  for (guint i = 0; i < 150; i++)
    g_string_append_printf (text, " - p%u*sin(%u*x) - (p%u - 0.5)*v", i, i % 7 + 1, i);
  for (guint i = 0; i < 150; i++)
    g_string_append_printf (text, "\nparameter p%u = %.3f", i, 0.2 + 0.005 * i);
  {
    const char *pairs[] = { "equations", text->str, NULL };
    g_autoptr (WeirSystem) system = fixture_build ("Equations", pairs, NULL);

    check_derivatives (system);
    check_run (system, 1.0);
  }
}

/* So many states that their derivatives are looked at at once, mostly alike side by side: a rod in
 * one block, with a parameter, and what goes on between, for every place; and a vector's. */
static void
test_many_states (void)
{
  enum { N = 203 };
  static const guint sizes[] = { N };
  const char *vector[] = { "gain", "-0.7", NULL }, *none[] = { NULL };
  g_autoptr (GString) text = g_string_new ("output x000\nparameter k = 0.7");
  const char *pairs[] = { "equations", NULL, NULL };
  g_autoptr (WeirSystem) rod = NULL, gain = fixture_build ("Gain", vector, sizes);
  g_autoptr (WeirSystem) integrator = fixture_build ("Integrator", none, sizes), diagram = NULL;
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  const WeirTrialCodes *codes;
  WeirChild children[2];

  get_test_seed (9);
  for (guint i = 0; i < N; i++)
    {
      g_string_append_printf (text, "\ninitial x%03u = %.3f\nD(x%03u) ~ k*(", i, i % 7 * 0.1, i);
      if (i > 0)
        g_string_append_printf (text, "x%03u ", i - 1);
      g_string_append_printf (text, "- 2*x%03u", i);
      if (i + 1 < N)
        g_string_append_printf (text, " + x%03u", i + 1);
      g_string_append_printf (text, ") - w%03u\nw%03u ~ %s*x%03u", i, i, i == 77 ? "0.1" : "0.2",
                              i);
    }
  pairs[1] = text->str;
  rod = fixture_build ("Equations", pairs, NULL);
  check_derivatives (rod);
  codes = weir_system_get_evaluator (rod)->native->trials;
  g_assert_true (codes->at[FALSE].code != NULL);
  check_run (rod, 0.2);

  children[0] = weir_diagram_builder_add (b, "gain", gain);
  children[1] = weir_diagram_builder_add (b, "integrator", integrator);
  for (guint i = 0; i < 2; i++)
    weir_diagram_builder_connect (b, children[i], (WeirOutput) { 0 }, children[1 - i],
                                  (WeirInput) { 0 });
  diagram = weir_diagram_builder_build (b, NULL);
  check_derivatives (diagram);
  check_run (diagram, 0.2);
}

/* --- Random diagrams ------------------------------------------------------------------------- */

static const RandomKind kinds[] = {
  { "Integrator", { "initial", "0.25" }, TRUE },
  { "Lag", { "time-constant", "0.3" }, TRUE },
  { "Gain", { "gain", "-0.7" }, FALSE },
  { "Gain", { "gain", "0.3" }, FALSE },
  { "Sum", { "signs", "+-" }, FALSE },
  { "Sum", { "signs", "-++" }, FALSE },
  { "Product", { NULL }, FALSE },
  { "Product", { "operations", "*/" }, FALSE },
  { "MinMax", { NULL }, FALSE },
  { "MinMax", { "operation", "maximum", "inputs", "3" }, FALSE },
  { "Abs", { NULL }, FALSE },
  { "Bias", { "bias", "0.2" }, FALSE },
  { "Saturation", { "lower", "-0.6", "upper", "0.8" }, FALSE },
  { "DeadZone", { "start", "-0.2", "end", "0.3" }, FALSE },
  { "Function", { "function", "sin" }, FALSE },
  { "Function", { "function", "sqrt" }, FALSE },
  { "Function", { "function", "square" }, FALSE },
  { "Compare", { "threshold", "0.1" }, FALSE },
  { "Sign", { NULL }, FALSE },
  { "Switch", { "threshold", "0.2" }, FALSE },
  { "Quantizer", { "interval", "0.3" }, FALSE },
  /* What stays as it is while a solver tries states. */
  { "Constant", { "value", "0.4" }, FALSE },
  /* Calculations that list themselves. */
  { "PID", { "d", "0.2", "n", "5" }, TRUE },
  { "PID", { "form", "ideal", "output", "limited", "lower", "-0.4", "upper", "0.5" }, TRUE },
  { "TransferFunction", { "numerator", "[1, 0.5]", "denominator", "[0.5, 1, 2]" }, TRUE },
  { "TransferFunction", { "numerator", "[1, -1]", "denominator", "[1, 3]" }, FALSE },
  { "Equations",
    { "equations", "input u\noutput y\nparameter k = 0.7\ninitial x = 0.1\nD(x) ~ sin(u) - k*x\n"
                   "w ~ if u > k then sqrt(u) else x*x\ny ~ w - max(x, u)" },
    FALSE },
  /* Fails for some states. */
  { "Equations",
    { "equations", "input u\noutput y\nparameter p = 0.5\nq ~ 2*p\ny ~ q*log(u + 1.5) + q*t\n"
                   "assert y < 3, \"too large\"" },
    FALSE },
};

static const RandomKind source = { "Sine", { "frequency", "6.5" }, FALSE };

/* Some of one kind mostly, so that there are classes of many and of few. */
static WeirSystem *
random_new (void)
{
  guint n = (guint) g_rand_int_range (test_rand, 3, g_rand_boolean (test_rand) ? 20 : 90);
  guint favourite = (guint) g_rand_int_range (test_rand, 0, G_N_ELEMENTS (kinds));
  RandomModel model = random_model_begin ();

  for (guint i = 0; i < n; i++)
    {
      guint which = g_rand_int_range (test_rand, 0, 3) == 0
                        ? favourite
                        : (guint) g_rand_int_range (test_rand, 0, G_N_ELEMENTS (kinds));
      guint n_inputs;

      random_model_add (&model,
                        i == 0       ? &source
                        : i + 1 == n ? &kinds[0]
                                     : &kinds[which],
                        &n_inputs);
      for (guint k = 0; k < n_inputs; k++)
        random_model_wire (&model, (guint) g_rand_int_range (test_rand, 0, (gint32) i), i, k);
    }
  return random_model_end (&model);
}

static void
test_random (void)
{
  const char *given = g_getenv ("WEIR_SEEDS");
  guint n = given != NULL ? (guint) g_ascii_strtoull (given, NULL, 10) : 120;

  get_test_seed (6);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (WeirSystem) system = random_new ();

      check_derivatives (system);
      if (i % 4 == 0)
        check_run (system, 0.5);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!weir_native_is_on ())
    {
      g_test_message ("there is no code here");
      return g_test_run ();
    }
  add_files ("examples");
  add_files ("lessons");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/analysis/native/blocks/%s/%u", cases[i].type, i);

      g_test_add_data_func (path, &cases[i], test_block);
    }
  g_test_add_func ("/analysis/native/at-one-go", test_at_one_go);
  g_test_add_func ("/analysis/native/many-sources", test_many_sources);
  g_test_add_func ("/analysis/native/many-states", test_many_states);
  g_test_add_func ("/analysis/native/random", test_random);
  return g_test_run ();
}

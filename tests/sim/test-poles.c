/* Poles that a fixed step passes over are told, with the place, and what is merely fast, coarse or
 * has a kink is not. Looking for them changes nothing of the run.
 *
 * Where the poles are, in closed form: y' = 1/(1 - y) and y' = -1/y have y = 1 - sqrt (1 - 2 t) and
 * sqrt (1 - 2 t); x' = x^2 has 1/(1 - t), x' = 1 + x^2 the tangent; x'' = -1/x^2 from rest at 1
 * falls to 0 in pi / sqrt (8).
 */
#include <math.h>
#include <string.h>

#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "sim/simulator.h"
#include "system/evaluation/eval.h"

typedef struct {
  const char *name, *equations, *state;
  double stop, pole; /* s */
} Case;

static const Case poles[] = {
  { "at one", "D(y) ~ 1/(1 - y); initial y = 0", "E.y", 1, 0.5 },
  { "at nought", "D(y) ~ -1/y; initial y = 1", "E.y", 1, 0.5 },
  { "driven", "D(y) ~ (1 + 0.5*sin(20*t))/(1 - y); initial y = 0", "E.y", 1, 0.4745 },
  { "in time", "D(y) ~ 1/(0.50323 - t); initial y = 0", "E.y", 1, 0.50323 },
  { "beside an oscillation",
    "D(a) ~ b; D(b) ~ -100*a; initial a = 1; initial b = 0; D(y) ~ 1/(1 - y); initial y = 0", "E.y",
    1, 0.5 },
  { "fall", "D(x) ~ v; D(v) ~ -1/x^2; initial x = 1; initial v = 0", "E.v", 1.3,
    G_PI / (2 * G_SQRT2) },
};

/* That grow until they are too large for a number, if they are given the time. */
static const Case growing[] = {
  { "square", "D(x) ~ x*x; initial x = 1", "E.x", 1.05, 1 },
  { "tangent", "D(x) ~ 1 + x*x; initial x = 0", "E.x", 1.6, G_PI / 2 },
};

/* @h: the step, of which fast is a multiple */
static const char *const calm[] = {
  "D(a) ~ b; D(b) ~ -a*(0.7/h)^2; initial a = 1; initial b = 0",
  "D(a) ~ sin(2*t/h); initial a = 0",
  "D(a) ~ (sin(t) - a)/h; initial a = 1",
  "D(a) ~ 1.9*(sin(t) - a)/h; initial a = 0",
  "D(a) ~ 1.8*(b - a)/h; D(b) ~ 1 - b; initial a = 0; initial b = 0",
  "D(a) ~ b; D(b) ~ 5*(1 - a*a)*b - a; initial a = 2; initial b = 0",
  "D(a) ~ max(sin(0.2*t/h), 0); initial a = 0",
  "D(a) ~ if sin(0.2*t/h) > 0 then 1 else -1; initial a = 0",
  "D(x) ~ v; D(v) ~ sin(3*t) - tanh(v/h) - x; initial x = 0; initial v = 0",
  "D(x) ~ v; D(v) ~ -9.81 + max(-0.2*x/(h*h), 0); initial x = 1; initial v = 0",
  "D(x) ~ 1/(h*h + (t - 0.5)^2); initial x = 0",
  "D(x) ~ sin(1e6*t^2); initial x = 0",
  "D(x) ~ x*(1 - y); D(y) ~ y*(x - 1)*3; initial x = 3; initial y = 1",
  "D(x) ~ 20*x*(1 - x); initial x = 1e-6",
  "D(x) ~ 1 - 0.3*x; initial x = 0",
};

static const double steps[] = { 0.05, 0.0213, 0.01, 0.0033, 0.001 };

static WeirSystem *
system_new (const char *equations)
{
  g_autofree char *text = g_markup_escape_text (equations, -1);
  g_autofree char *xml = g_strdup_printf (
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?><weir version=\"1\"><diagram>"
      "<block id=\"1\" type=\"Equations\" name=\"E\" x=\"0\" y=\"0\">"
      "<parameter name=\"equations\" value=\"%s\"/></block></diagram></weir>",
      text);
  g_autoptr (GBytes) bytes = g_bytes_new (xml, strlen (xml));
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_model_read_bytes (bytes, "test", diagnostics);
  WeirSystem *system;

  g_assert_nonnull (model);
  system = weir_model_complete (model, diagnostics);
  g_assert_nonnull (system);
  return system;
}

/* (transfer full); NULL: none, or the run failed for its own reasons, which @error tells. */
static WeirTrouble *
find_pole (WeirSystem *system, const char *solver, double step, double stop,
           WeirSimulatorStatistics *statistics, GError **error)
{
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirSimulator) simulator = NULL;
  WeirTrouble *found = NULL;
  WeirSimulatorOptions options;

  weir_simulator_options_init (&options);
  options.solver = solver;
  options.step = step;
  simulator = weir_simulator_new (system, context, &options, error);
  g_assert_nonnull (simulator);
  weir_simulator_advance_to (simulator, stop, error);
  *statistics = *weir_simulator_get_statistics (simulator);
  for (guint i = 0; i < weir_simulator_get_n_troubles (simulator); i++)
    {
      WeirTrouble *trouble = weir_simulator_get_trouble (simulator, i);

      if (trouble->kind != WEIR_TROUBLE_RAN_AWAY || trouble->severity != WEIR_SEVERITY_WARNING)
        continue;
      g_assert_null (found);
      found = weir_trouble_ref (trouble);
    }
  return found;
}

/* Is it told? */
static gboolean
check_pole (const Case *c, WeirSystem *system, const char *solver, double step)
{
  WeirSimulatorStatistics statistics;
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirTrouble) trouble = find_pole (system, solver, step, c->stop, &statistics, &error);

  g_test_message ("%s, %s, %g: %s", c->name, solver, step,
                  trouble != NULL ? trouble->text : "nothing");
  if (trouble == NULL)
    return error != NULL; /* it ends there, with a sentence */
  g_assert_cmpstr (trouble->path, ==, "E");
  g_assert_cmpstr (trouble->subject, ==, c->state + 2);
  g_assert_nonnull (strstr (trouble->text, c->state));
  g_assert_cmpuint (trouble->n_remedies, >, 0);
  /* A method of first order comes there late. */
  g_assert_cmpfloat (trouble->time, >, c->pole - 4 * step - 0.05 * c->pole);
  return TRUE;
}

/* What a step that hits a pole nearly jumps to can be so far off that nothing beside it is large.
 */
static void
test_poles (gconstpointer data)
{
  guint n_missed = 0;

  for (guint i = 0; i < G_N_ELEMENTS (poles); i++)
    {
      g_autoptr (WeirSystem) system = system_new (poles[i].equations);

      for (guint j = 0; j < G_N_ELEMENTS (steps); j++)
        n_missed += !check_pole (&poles[i], system, data, steps[j]);
    }
  g_assert_cmpuint (n_missed, <=, 1);
}

/* Methods of first order lag behind what grows so: at the end of these runs they are not there. */
static void
test_growing (gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (growing); i++)
    {
      g_autoptr (WeirSystem) system = system_new (growing[i].equations);

      for (guint j = 0; j < G_N_ELEMENTS (steps); j++)
        g_assert_true (check_pole (&growing[i], system, data, steps[j]));
    }
}

static void
test_calm (gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (calm); i++)
    for (guint j = 0; j < G_N_ELEMENTS (steps); j++)
      {
        g_autofree char *equations = g_strdup_printf ("parameter h = %g; %s", steps[j], calm[i]);
        g_autoptr (WeirSystem) system = system_new (equations);
        WeirSimulatorStatistics statistics;
        g_autoptr (GError) error = NULL;
        g_autoptr (WeirTrouble)
            trouble = find_pole (system, data, steps[j], 2, &statistics, &error);

        if (trouble != NULL)
          g_test_message ("%s: %s", equations, trouble->text);
        g_assert_null (trouble);
      }
}

/* Four evaluations in each of a hundred steps; what looks for poles is not counted. */
static void
test_counts (void)
{
  g_autoptr (WeirSystem) system = system_new (poles[0].equations);
  WeirSimulatorStatistics statistics;
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirTrouble) trouble = find_pole (system, "rk4", 1.0 / 128, 1, &statistics, &error);

  g_assert_no_error (error);
  g_assert_nonnull (trouble);
  g_assert_cmpuint (statistics.steps, ==, 128);
  g_assert_cmpuint (statistics.rhs_calls, ==, 4 * 128);
}

int
main (int argc, char **argv)
{
  static const char *const solvers[] = { "euler", "heun", "rk4", "semi-implicit-euler" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (solvers); i++)
    {
      g_autofree char *found = g_strdup_printf ("/sim/poles/found/%s", solvers[i]);
      g_autofree char *quiet = g_strdup_printf ("/sim/poles/calm/%s", solvers[i]);

      g_test_add_data_func (found, solvers[i], test_poles);
      g_test_add_data_func (quiet, solvers[i], test_calm);
    }
  g_test_add_data_func ("/sim/poles/growing/heun", "heun", test_growing);
  g_test_add_data_func ("/sim/poles/growing/rk4", "rk4", test_growing);
  g_test_add_func ("/sim/poles/counts", test_counts);
  return g_test_run ();
}

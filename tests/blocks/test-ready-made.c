/* Models and blocks made of equations, and the discrete and vector blocks beside them, against
 * closed forms and against numbers of independent computation (extrapolated midpoint rule in
 * 113-bit floats at two step sizes).
 */
#include "run-fixture.h"

/* Of runs over several units of time, where errors do not grow much. */
#define LONG_SOLVED 1e-7

/* --- Models ---------------------------------------------------------------------------------- */

static const struct {
  const char *type;
  const char *pairs[5];
  double time;
  double values[3]; /* of its outputs */
  double tolerance;
} models[] = {
  /* Grows as exp (0.906 t). */
  { "Lorenz", { NULL }, 1, { -9.3785700109250624, -8.3570337884266447, 29.362325337363428 }, 1e-6 },
  { "Lorenz", { NULL }, 5, { -6.512113699419599, -6.974042788417076, 23.92412957210337 }, 1e-4 },
  { "VanDerPol", { NULL }, 1, { 1.5081442369756089, -0.7802180746296949 }, LONG_SOLVED },
  { "VanDerPol", { NULL }, 10, { -2.0083407825797123 }, LONG_SOLVED },
  { "Robertson",
    { NULL },
    4,
    { 0.90551867858425391, 2.2404756875602009e-5, 0.094458916658870486 },
    1e-8 },
  { "Robertson",
    { NULL },
    40,
    { 0.71582706871940509, 9.1855347645577642e-6, 0.28416374574583035 },
    1e-8 },
  /* Back where it began after a period. */
  { "PredatorPrey", { NULL }, 8.026636865289796, { 1, 1 }, LONG_SOLVED },
  { "PredatorPrey", { "prey0", "10", "predators0", "5", NULL }, 0, { 10, 5 }, 1e-12 },
};

static void
test_models (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      Run run = { NULL };

      add (&run, "Block", models[i].type, models[i].pairs);
      start (&run, NULL);
      advance (&run, models[i].time);
      for (guint k = 0; k < 3 && models[i].values[k] != 0; k++)
        g_assert_cmpfloat_with_epsilon (value_of (&run, "Block", k), models[i].values[k],
                                        models[i].tolerance * MAX (1, fabs (models[i].values[k])));
      run_clear (&run);
    }
}

/* The Control Tutorials' motor: at a step of 1 V its speed after 1 s, and at rest 1 /
 * 10.01 rad/s. */
static void
test_dc_motor (void)
{
  Run run = driven (UNIT, "DCMotor", PAIRS (NULL), "voltage");

  advance (&run, 1);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 0.08303711117, 1e-9);
  advance (&run, 20);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 1 / 10.01, 1e-9);
  run_clear (&run);
}

/* Ta 10, heated to 35: 21 is reached where 25 (1 - exp (-t/600)) = 11. */
static void
test_room (void)
{
  Run run = driven (UNIT, "Room", PAIRS (NULL), "heat");

  advance (&run, 347.891097152);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 21, 1e-7);
  run_clear (&run);
}

/* --- Continuous ------------------------------------------------------------------------------ */

/* Of the ramp t: (1 - exp (-t/T)). */
static void
test_derivative (void)
{
  Run run = driven ("Ramp", PAIRS ("slope", "1"), "Derivative", PAIRS ("T", "0.5"), "u");

  for (double t = 0.25; t < 3; t += 0.25)
    {
      advance (&run, t);
      g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 1 - exp (-t / 0.5), LONG_SOLVED);
    }
  run_clear (&run);
}

/* Of a step: gain (1 + (lead/lag - 1) exp (-t/lag)). */
static void
test_lead_lag (void)
{
  Run run = driven (UNIT, "LeadLag", PAIRS ("gain", "3", "lead", "2", "lag", "0.5"), "u");

  for (double t = 0; t < 3; t += 0.25)
    {
      advance (&run, t);
      g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 3 * (1 + 3 * exp (-t / 0.5)),
                                      LONG_SOLVED);
    }
  run_clear (&run);
}

/* x0 + v0 t + t^2/2 at a constant 1. */
static void
test_double_integrator (void)
{
  Run run = driven (UNIT, "DoubleIntegrator", PAIRS ("x0", "1", "v0", "-2"), "u");

  advance (&run, 3);
  g_assert_cmpfloat_with_epsilon (value_of (&run, "Block", 0), 1 - 6 + 4.5, LONG_SOLVED);
  g_assert_cmpfloat_with_epsilon (value_of (&run, "Block", 1), 1, LONG_SOLVED);
  run_clear (&run);
}

/* Setpoint 1, measured 0.25: p (b - 0.25) + i 0.75 t + d n (c - 0.25) exp (-n t). */
static void
test_pid2 (void)
{
  Run run = { NULL };

  add (&run, "Setpoint", UNIT);
  add (&run, "Measured", "Constant", PAIRS ("value", "0.25"));
  add (&run, "Block", "PID2",
       PAIRS ("p", "2", "i", "3", "d", "0.5", "n", "4", "b", "0.5", "c", "0.125"));
  wire (&run, "Setpoint", "y", "Block", "setpoint");
  wire (&run, "Measured", "y", "Block", "measured");
  start (&run, NULL);
  for (double t = 0; t < 3; t += 0.5)
    {
      advance (&run, t);
      g_assert_cmpfloat_with_epsilon (
          value (&run, "Block"), 2 * 0.25 + 3 * 0.75 * t + 0.5 * 4 * (0.125 - 0.25) * exp (-4 * t),
          LONG_SOLVED);
    }
  run_clear (&run);
}

/* --- Mathematics ----------------------------------------------------------------------------- */

static void
test_friction (void)
{
  static const char *const speeds[] = { "-2", "0", "0.5" };
  static const double forces[] = { -1.5 - 4, 0, 1.5 + 1 };

  for (guint i = 0; i < G_N_ELEMENTS (speeds); i++)
    {
      Run run = driven ("Constant", PAIRS ("value", speeds[i]), "Friction",
                        PAIRS ("coulomb", "1.5", "viscous", "2"), "u");

      advance (&run, 0.1);
      g_assert_cmpfloat_with_epsilon (value (&run, "Block"), forces[i], ROUNDING);
      run_clear (&run);
    }
}

static void
test_expression (void)
{
  Run run = { NULL };

  add (&run, "A", "Constant", PAIRS ("value", "3"));
  add (&run, "B", "Constant", PAIRS ("value", "4"));
  add (&run, "Block", "Expression", PAIRS ("inputs", "2", "expression", "sqrt(u1^2 + u2^2) + t"));
  wire (&run, "A", "y", "Block", "u1");
  wire (&run, "B", "y", "Block", "u2");
  start (&run, NULL);
  advance (&run, 2);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 7, 1e-12);
  run_clear (&run);
}

/* What makes no sense is told by the block, in one sentence. */
static void
test_bad_expression (void)
{
  static const struct {
    const char *expression, *part;
  } cases[] = { { "u +", "" }, { "w", "w" }, { "u*", "" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirArguments)
          arguments = fixture_arguments ("Expression", PAIRS ("expression", cases[i].expression));
      const WeirBlockType *type = weir_arguments_get_type (arguments);
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      guint n_errors = 0;

      type->check (arguments, diagnostics, "Block", 1, 0);
      for (guint k = 0; k < weir_diagnostics_get_size (diagnostics); k++)
        {
          const WeirDiagnostic *diagnostic = weir_diagnostics_get (diagnostics, k);

          n_errors += diagnostic->severity == WEIR_SEVERITY_ERROR
                      && strstr (diagnostic->text, cases[i].part) != NULL;
        }
      g_assert_cmpuint (n_errors, >=, 1);
    }
}

/* Vectors, exact in binary. */
static void
test_vectors (void)
{
  static const struct {
    const char *type;
    const char *pairs[3];
    double value;
  } cases[] = {
    { "Polynomial",
      { "coefficients", "[2, -1, 0.5]", NULL },
      2 * 9 - 3 + 0.5 }, /* of the first, 3 */
    { "Bias", { "bias", "-1.5", NULL }, 1.5 },
    { "Elements", { NULL }, 3 + 4 - 12 },
    { "Elements", { "operation", "product", NULL }, 3 * 4 * -12 },
    { "Elements", { "operation", "norm", NULL }, 13 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Run run = { NULL };
      g_autoptr (WeirSystem)
          leaf = fixture_build (cases[i].type, cases[i].pairs, (const guint[]) { 3 });

      add (&run, "Source", "Constant", PAIRS ("value", "[3, 4, -12]"));
      weir_diagram_builder_add (run.builder, "Block", leaf);
      wire (&run, "Source", "y", "Block", "u");
      start (&run, NULL);
      g_assert_cmpfloat (value (&run, "Block"), ==, cases[i].value);
      run_clear (&run);
    }
}

static void
test_dot_product (void)
{
  Run run = { NULL };
  g_autoptr (WeirSystem)
      leaf = fixture_build ("DotProduct", PAIRS (NULL), (const guint[]) { 3, 3 });
  g_autoptr (WeirArguments) arguments = fixture_arguments ("DotProduct", PAIRS (NULL));
  g_autoptr (GError) error = NULL;

  add (&run, "Source", "Constant", PAIRS ("value", "[3, 4, -12]"));
  weir_diagram_builder_add (run.builder, "Block", leaf);
  wire (&run, "Source", "y", "Block", "in1");
  wire (&run, "Source", "y", "Block", "in2");
  start (&run, NULL);
  g_assert_cmpfloat (value (&run, "Block"), ==, 9 + 16 + 144);
  run_clear (&run);
  g_assert_null (
      weir_arguments_get_type (arguments)->build (arguments, (const guint[]) { 3, 2 }, &error));
  g_assert_nonnull (strstr (error->message, "in2 has size 2"));
}

/* --- Samples --------------------------------------------------------------------------------- */

/* Of a counter that is n after its n-th update (n starts at 0 with the instant 0): N periods
 * before. */
static void
test_delay (void)
{
  static const guint lengths[] = { 1, 2, 3, 7 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autofree char *length = g_strdup_printf ("%u", lengths[i]);
      Run run = driven ("Counter", PAIRS ("period", "0.1", "gain", "1"), "Delay",
                        PAIRS ("length", length, "period", "0.1", "initial", "-5"), "u");

      for (guint n = 0; n < 20; n++)
        {
          /* Between update n and the next the counter gives n + 1; each update of the delay sees
           * what was before. */
          advance (&run, (n + 0.5) * 0.1);
          g_assert_cmpfloat (value (&run, "Source"), ==, n + 1);
          g_assert_cmpfloat (value (&run, "Block"), ==,
                             n + 1 < lengths[i] ? -5 : (double) n + 1 - lengths[i]);
        }
      run_clear (&run);
    }
}

/* Of the ramp 2 t every 0.25, exact in binary: 0 at the start, then 2; the digital clock
 * beside it. */
static void
test_discrete_derivative (void)
{
  Run run = driven ("Ramp", PAIRS ("slope", "2"), "DiscreteDerivative", PAIRS ("period", "0.25"),
                    "u");

  advance (&run, 0.1);
  g_assert_cmpfloat (value (&run, "Block"), ==, 0);
  advance (&run, 0.4);
  g_assert_cmpfloat (value (&run, "Block"), ==, 2);
  advance (&run, 3.1);
  g_assert_cmpfloat (value (&run, "Block"), ==, 2);
  run_clear (&run);
}

static void
test_digital_clock (void)
{
  Run run = { NULL };

  add (&run, "Block", "DigitalClock", PAIRS ("period", "0.25", "offset", "0.125"));
  start (&run, NULL);
  advance (&run, 0.1);
  g_assert_cmpfloat (value (&run, "Block"), ==, 0);
  advance (&run, 1);
  g_assert_cmpfloat (value (&run, "Block"), ==, 0.875);
  run_clear (&run);
}

/* The ramp t, taken where a pulse of period 1 rises, 0.25 after each whole second. */
static void
test_sample_and_hold (void)
{
  Run run = { NULL };

  add (&run, "Ramp", "Ramp", PAIRS ("slope", "1"));
  add (&run, "Pulse", "Pulse", PAIRS ("period", "1", "duty", "50", "delay", "0.25"));
  add (&run, "Block", "SampleAndHold", PAIRS ("initial", "-1"));
  wire (&run, "Ramp", "y", "Block", "u");
  wire (&run, "Pulse", "y", "Block", "trigger");
  start (&run, NULL);
  advance (&run, 0.2);
  g_assert_cmpfloat (value (&run, "Block"), ==, -1);
  advance (&run, 0.9);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 0.25, 1e-9);
  advance (&run, 3);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 2.25, 1e-9);
  run_clear (&run);
}

/* Set at 0.5, 1.5, ...; reset at 0.75, 1.75, ...: 1 in between. Where both rise at once, reset
 * wins. */
static void
test_flip_flop (void)
{
  Run run = { NULL };

  add (&run, "Set", "Pulse", PAIRS ("period", "1", "duty", "10", "delay", "0.5"));
  add (&run, "Reset", "Pulse", PAIRS ("period", "1", "duty", "10", "delay", "0.75"));
  add (&run, "Block", "FlipFlop", PAIRS (NULL));
  add (&run, "Both", "FlipFlop", PAIRS ("initial", "1"));
  wire (&run, "Set", "y", "Block", "set");
  wire (&run, "Reset", "y", "Block", "reset");
  wire (&run, "Set", "y", "Both", "set");
  wire (&run, "Set", "y", "Both", "reset");
  start (&run, NULL);
  for (guint i = 0; i < 4; i++)
    {
      advance (&run, i + 0.4);
      g_assert_cmpfloat (value (&run, "Block"), ==, 0);
      g_assert_cmpfloat (value (&run, "Both"), ==, i == 0);
      advance (&run, i + 0.7);
      g_assert_cmpfloat (value (&run, "Block"), ==, 1);
      g_assert_cmpfloat (value (&run, "Both"), ==, 0);
      advance (&run, i + 0.9);
      g_assert_cmpfloat (value (&run, "Block"), ==, 0);
    }
  run_clear (&run);
}

static void
test_slider (void)
{
  g_autoptr (WeirArguments) arguments = fixture_arguments (
      "Slider", PAIRS ("value", "3", "minimum", "0", "maximum", "2"));
  Run run = { NULL };
  g_autoptr (GError) error = NULL;

  add (&run, "Block", "Slider", PAIRS ("value", "1.5", "maximum", "2"));
  start (&run, NULL);
  g_assert_cmpfloat (value (&run, "Block"), ==, 1.5);
  run_clear (&run);
  g_assert_null (weir_arguments_get_type (arguments)->build (arguments, NULL, &error));
  g_assert_nonnull (strstr (error->message, "between its minimum 0"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/ready-made/models", test_models);
  g_test_add_func ("/blocks/ready-made/dc-motor", test_dc_motor);
  g_test_add_func ("/blocks/ready-made/room", test_room);
  g_test_add_func ("/blocks/ready-made/derivative", test_derivative);
  g_test_add_func ("/blocks/ready-made/lead-lag", test_lead_lag);
  g_test_add_func ("/blocks/ready-made/double-integrator", test_double_integrator);
  g_test_add_func ("/blocks/ready-made/pid2", test_pid2);
  g_test_add_func ("/blocks/ready-made/friction", test_friction);
  g_test_add_func ("/blocks/ready-made/expression", test_expression);
  g_test_add_func ("/blocks/ready-made/bad-expression", test_bad_expression);
  g_test_add_func ("/blocks/ready-made/vectors", test_vectors);
  g_test_add_func ("/blocks/ready-made/dot-product", test_dot_product);
  g_test_add_func ("/blocks/ready-made/delay", test_delay);
  g_test_add_func ("/blocks/ready-made/discrete-derivative", test_discrete_derivative);
  g_test_add_func ("/blocks/ready-made/digital-clock", test_digital_clock);
  g_test_add_func ("/blocks/ready-made/sample-and-hold", test_sample_and_hold);
  g_test_add_func ("/blocks/ready-made/flip-flop", test_flip_flop);
  g_test_add_func ("/blocks/ready-made/slider", test_slider);
  return g_test_run ();
}

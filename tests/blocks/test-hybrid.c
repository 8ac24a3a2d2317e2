/* Blocks with events, in runs: against closed forms. */
#include "run-fixture.h"

/* From 10 m with restitution e: the first fall takes t1 = sqrt (2 h / g), and all bounces together
 * t1 2 e / (1 - e), so that it rests from t1 (1 + e) / (1 - e) on: 12.8505881063 s for e = 0.8.
 * What a bounce of 1e-9 m/s still has before it is 2e-9 / (g (1 - e)), a nanosecond. */
static void
test_ball (gconstpointer solver)
{
  /* A multistep method loses sight of bounces lower than its tolerance. */
  double off = g_str_has_prefix (solver, "cvode") ? 1e-4 : 2e-9;
  double t1 = sqrt (20 / 9.81);
  Run run = { NULL };

  add (&run, "Ball", "BouncingBall", NULL);
  start (&run, solver);
  advance (&run, t1 * (1 + 0.8));
  /* At the top of the first flight the height is e^2 10. */
  g_assert_cmpfloat_with_epsilon (value (&run, "Ball"), 0.8 * 0.8 * 10, 1e-6);
  g_assert_cmpfloat_with_epsilon (t1 * 9, 12.8505881063, 1e-10);
  advance (&run, t1 * 9 - off);
  g_assert_cmpuint (weir_simulator_get_n_notes (run.simulator), ==, 0);
  advance (&run, t1 * 9 + off);
  g_assert_cmpuint (weir_simulator_get_n_notes (run.simulator), ==, 1);
  advance (&run, 15);
  g_assert_cmpfloat (value (&run, "Ball"), ==, 0);
  g_assert_cmpuint (weir_simulator_get_n_notes (run.simulator), ==, 1);
  g_assert_true (
      g_str_has_prefix (weir_simulator_get_note (run.simulator, 0)->text, "Ball at t = "));
  g_assert_nonnull (strstr (weir_simulator_get_note (run.simulator, 0)->text, "came to rest"));
  run_clear (&run);
}

/* x' = -sign (x) from 1: a report with block, count and interval, at t = 1. */
static void
test_chattering (gconstpointer solver)
{
  g_autoptr (GError) error = NULL;
  Run run = { NULL };

  add (&run, "X", "Integrator", PAIRS ("initial", "1"));
  add (&run, "Sign", "Sign", NULL);
  add (&run, "Minus", "Gain", PAIRS ("gain", "-1"));
  wire (&run, "X", "y", "Sign", "u");
  wire (&run, "Sign", "y", "Minus", "u");
  wire (&run, "Minus", "y", "X", "u");
  start (&run, solver);
  g_assert_false (weir_simulator_advance_to (run.simulator, 5, &error));
  g_assert_true (
      g_str_has_prefix (error->message, "Sign: 1001 zero crossings (Sign:crossing) within "));
  g_assert_cmpfloat_with_epsilon (weir_context_get_time (run.context), 1, 1e-6);
  g_assert_cmpfloat_with_epsilon (value (&run, "X"), 0, 1e-9);
  run_clear (&run);
}

/* x' = 2 relay (-x) - 1 with hysteresis at +-h: x runs between the points at slope 1, a period of 4
 * h. */
static void
test_relay (void)
{
  Run run = { NULL };

  add (&run, "X", "Integrator", PAIRS ("initial", "0"));
  add (&run, "Minus", "Gain", PAIRS ("gain", "-1"));
  add (&run, "Relay", "Relay",
       PAIRS ("switch-on", "0.5", "switch-off", "-0.5", "on", "1", "off", "-1"));
  wire (&run, "X", "y", "Minus", "u");
  wire (&run, "Minus", "y", "Relay", "u");
  wire (&run, "Relay", "y", "X", "u");
  start (&run, NULL);
  /* Off at first: down to -0.5, then up and down: at 0.5 + 2 k periods again -0.5. */
  for (guint k = 0; k < 10; k++)
    {
      advance (&run, 0.5 + 2 * k + 0.25);
      g_assert_cmpfloat_with_epsilon (value (&run, "X"), -0.25, 1e-11);
      advance (&run, 0.5 + 2 * k + 1.25);
      g_assert_cmpfloat_with_epsilon (value (&run, "X"), 0.25, 1e-11);
    }
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->crossings, >=, 20);
  run_clear (&run);
}

/* The integral of sign (sin 2 pi t) is a triangle; of a comparison of it with 1/2, it grows by a
 * third of each second. The sine begins on zero. */
static void
test_sign_and_compare (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "Sine", "Sine", NULL);
  add (&run, "Sign", "Sign", NULL);
  add (&run, "Compare", "Compare", PAIRS ("relation", "<", "threshold", "0.5"));
  add (&run, "Triangle", "Integrator", NULL);
  add (&run, "Share", "Integrator", NULL);
  wire (&run, "Sine", "y", "Sign", "u");
  wire (&run, "Sine", "y", "Compare", "u");
  wire (&run, "Sign", "y", "Triangle", "u");
  wire (&run, "Compare", "y", "Share", "u");
  start (&run, solver);
  advance (&run, 0.5);
  g_assert_cmpfloat_with_epsilon (value (&run, "Triangle"), 0.5, 1e-9);
  advance (&run, 0.75);
  g_assert_cmpfloat_with_epsilon (value (&run, "Triangle"), 0.25, 1e-9);
  advance (&run, 3);
  g_assert_cmpfloat_with_epsilon (value (&run, "Triangle"), 0, 1e-9);
  g_assert_cmpfloat_with_epsilon (value (&run, "Share"), 3 * 2 / 3., 1e-8);
  run_clear (&run);
}

/* z' = 3 from 0 stands at 1 from 1/3 on until the input turns at t = 2; a reset at t = 4 puts it
 * back. */
static void
test_limited_integrator (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "U", "Step", PAIRS ("time", "2", "before", "3", "after", "-0.5"));
  add (&run, "Reset", "Step", PAIRS ("time", "4", "before", "-1", "after", "1"));
  add (&run, "Z", "LimitedIntegrator", NULL);
  wire (&run, "U", "y", "Z", "u");
  wire (&run, "Reset", "y", "Z", "reset");
  start (&run, solver);
  advance (&run, 0.25);
  g_assert_cmpfloat_with_epsilon (value (&run, "Z"), 0.75, 1e-9);
  advance (&run, 1.9);
  g_assert_cmpfloat (value (&run, "Z"), ==, 1);
  advance (&run, 3);
  g_assert_cmpfloat_with_epsilon (value (&run, "Z"), 0.5, 1e-9);
  advance (&run, 4.5);
  g_assert_cmpfloat_with_epsilon (value (&run, "Z"), -0.25, 1e-9);
  advance (&run, 10);
  g_assert_cmpfloat (value (&run, "Z"), ==, -1);
  run_clear (&run);
}

/* z' = 1 begins where the signal says, 2 - t, and again at the reset at t = 1.25; held within the
 * limits both times. */
static void
test_start_signal (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "U", "Constant", PAIRS ("value", "-1"));
  add (&run, "Start", "Ramp", PAIRS ("start", "0", "slope", "-1", "initial", "2"));
  add (&run, "Reset", "Step", PAIRS ("time", "1.25", "before", "-1", "after", "1"));
  add (&run, "Z", "LimitedIntegrator", NULL);
  wire (&run, "U", "y", "Z", "u");
  wire (&run, "Reset", "y", "Z", "reset");
  wire (&run, "Start", "y", "Z", "start");
  start (&run, solver);
  advance (&run, 0.5);
  g_assert_cmpfloat_with_epsilon (value (&run, "Z"), 0.5, 1e-9);
  advance (&run, 1.5);
  g_assert_cmpfloat_with_epsilon (value (&run, "Z"), 0.75 - 0.25, 1e-9);
  advance (&run, 5);
  g_assert_cmpfloat (value (&run, "Z"), ==, -1);
  run_clear (&run);
}

/* Edges end the solver's steps: the integral of a pulse is exact, and no trial step is rejected. */
static void
test_edges (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "Pulse", "Pulse",
       PAIRS ("amplitude", "2", "period", "0.3", "duty", "40", "delay", "0.1"));
  add (&run, "Z", "Integrator", NULL);
  wire (&run, "Pulse", "y", "Z", "u");
  start (&run, solver);
  advance (&run, 3.1);
  g_assert_cmpfloat_with_epsilon (value (&run, "Z"), 10 * 0.3 * 0.4 * 2, 1e-9);
  if (!g_str_has_prefix (solver, "cvode"))
    g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->rejected_steps, ==, 0);
  g_assert_cmpuint (weir_simulator_get_event_count (run.simulator, 0), ==, 21);
  run_clear (&run);
}

/* The integral of |sin 2 pi t| over a second is 2 / pi; of sin held at 1/2 above, 0.5 / 3 plus two
 * flanks below zero it is that of the sine: known from elementary integrals. */
static void
test_kinks (gconstpointer solver)
{
  double a = G_PI / 6;
  Run run = { NULL };

  add (&run, "Sine", "Sine", NULL);
  add (&run, "Abs", "Abs", NULL);
  add (&run, "Saturation", "Saturation", PAIRS ("lower", "-2", "upper", "0.5"));
  add (&run, "A", "Integrator", NULL);
  add (&run, "S", "Integrator", NULL);
  wire (&run, "Sine", "y", "Abs", "u");
  wire (&run, "Sine", "y", "Saturation", "u");
  wire (&run, "Abs", "y", "A", "u");
  wire (&run, "Saturation", "y", "S", "u");
  start (&run, solver);
  advance (&run, 1);
  g_assert_cmpfloat_with_epsilon (value (&run, "A"), 2 / G_PI, 1e-7);
  /* Flanks: 2 (1 - cos a), top: 0.5 (pi - 2 a), lower half: -2; all over 2 pi. */
  g_assert_cmpfloat_with_epsilon (
      value (&run, "S"), (2 * (1 - cos (a)) + 0.5 * (G_PI - 2 * a) - 2) / (2 * G_PI), 1e-7);
  run_clear (&run);
}

/* Steps of 0.07 from 0.14 end on zero exactly, and the next goes on through it. */
static void
test_landing (void)
{
  static const struct {
    const char *type, *name, *text;
    double falling[2], rising[2]; /* before it lands, and after it has left */
  } cases[] = {
    { "Compare", "relation", ">=", { 1, 0 }, { 0, 1 } },
    { "Compare", "relation", ">", { 1, 0 }, { 0, 1 } },
    { "Compare", "relation", "<", { 0, 1 }, { 1, 0 } },
    { "Compare", "relation", "<=", { 0, 1 }, { 1, 0 } },
    { "Quantizer", "rounding", "down", { 0, -0.5 }, { -0.5, 0 } },
    { "Quantizer", "rounding", "up", { 0.5, 0 }, { 0, 0.5 } },
    { "Sign", NULL, NULL, { 1, -1 }, { -1, 1 } },
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++)
    {
      guint k = i / 2;
      gboolean falls = i % 2 == 0;
      const double *expected = falls ? cases[k].falling : cases[k].rising;
      Run run = { NULL };

      add (&run, "Slope", "Constant", PAIRS ("value", falls ? "-1" : "1"));
      add (&run, "X", "Integrator", PAIRS ("initial", falls ? "0.14" : "-0.14"));
      add (&run, "Block", cases[k].type,
           cases[k].name != NULL ? PAIRS (cases[k].name, cases[k].text) : NULL);
      add (&run, "Sum", "Integrator", NULL);
      wire (&run, "Slope", "y", "X", "u");
      wire (&run, "X", "y", "Block", "u");
      wire (&run, "Block", "y", "Sum", "u");
      start (&run, "euler");
      advance (&run, 0.07);
      g_assert_cmpfloat (value (&run, "Block"), ==, expected[0]);
      advance (&run, 0.14);
      g_assert_cmpfloat (value (&run, "X"), ==, 0);
      advance (&run, 0.35);
      g_test_message ("%s %s, %s", cases[k].type, cases[k].text, falls ? "falling" : "rising");
      g_assert_cmpfloat (value (&run, "Block"), ==, expected[1]);
      g_assert_cmpfloat_with_epsilon (value (&run, "Sum"), 0.14 * expected[0] + 0.21 * expected[1],
                                      1e-12);
      run_clear (&run);
    }
}

/* What happens at a crossing happens once, also where a step ends on it. */
static void
test_landing_once (void)
{
  static const char *const conditions[] = { "x < 0", "x <= 0", "-x > 0", "-x >= 0", "x ~ 0" };

  for (guint i = 0; i < G_N_ELEMENTS (conditions); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "variable n, x\noutput n, x\nD(x) ~ -1\ninitial x = 0.14; initial n = 0\n"
          "when %s: n := pre(n) + 1",
          conditions[i]);
      Run run = { NULL };

      add (&run, "Block", "Equations", PAIRS ("equations", text));
      start (&run, "euler");
      advance (&run, 0.14);
      g_assert_cmpfloat (value_of (&run, "Block", 1), ==, 0);
      advance (&run, 0.35);
      g_test_message ("%s", conditions[i]);
      g_assert_cmpfloat (value (&run, "Block"), ==, 1);
      run_clear (&run);
    }
}

/* --- Inputs that jump ------------------------------------------------------------------------ */

/* A count that is k + 1 from the tick at k s on: 3 from 2 s on, 4 from 3 s on. What lies beyond 3
 * is not reached by 3, nor is 3 passed twice. */
static void
test_onto_level (gconstpointer solver)
{
  static const struct {
    const char *condition;
    double since; /* s; when it becomes true, once */
  } whens[] = {
    { "u > 3", 3 },           { "u >= 3", 2 },
    { "3 < u", 3 },           { "3 <= u", 2 },
    { "-u < -3", 3 },         { "rising(u - 3)", 3 },
    { "falling(3 - u)", 3 },  { "not (u <= 3)", 3 },
    { "u > 3 and u > 1", 3 }, { "u >= 3 and u > 1", 2 },
    { "u > 3 or u > 7", 3 },
  };
  static const struct {
    const char *relation;
    double at_3;
  } relations[] = { { "u > 3", 0 }, { "u >= 3", 1 }, { "u < 3", 0 }, { "u <= 3", 1 } };
  static const char *const directions[] = { "rising", "both" };

  for (guint i = 0; i < G_N_ELEMENTS (whens); i++)
    {
      g_autofree char *text = g_strdup_printf ("input u\noutput n, since\ninitial n = 0; initial "
                                               "since = 0\nwhen %s: n := pre(n) + 1, since := t",
                                               whens[i].condition);
      Run run = { NULL };

      add (&run, "Count", "Counter", PAIRS ("gain", "1", "period", "1"));
      add (&run, "Block", "Equations", PAIRS ("equations", text));
      wire (&run, "Count", "y", "Block", "u");
      start (&run, solver);
      advance (&run, whens[i].since + 0.5);
      g_test_message ("%s", whens[i].condition);
      g_assert_cmpfloat (value (&run, "Block"), ==, 1);
      advance (&run, 6.5);
      g_assert_cmpfloat (value (&run, "Block"), ==, 1);
      g_assert_cmpfloat (value_of (&run, "Block", 1), ==, whens[i].since);
      run_clear (&run);
    }
  for (guint i = 0; i < G_N_ELEMENTS (relations); i++)
    {
      g_autofree char *text = g_strdup_printf ("input u\noutput y\ny ~ if %s then 1 else 0",
                                               relations[i].relation);
      Run run = { NULL };

      add (&run, "Count", "Counter", PAIRS ("gain", "1", "period", "1"));
      add (&run, "Block", "Equations", PAIRS ("equations", text));
      wire (&run, "Count", "y", "Block", "u");
      start (&run, solver);
      advance (&run, 1.5);
      g_assert_cmpfloat (value (&run, "Block"), ==, strchr (relations[i].relation, '<') != NULL);
      advance (&run, 2.5);
      g_test_message ("%s", relations[i].relation);
      g_assert_cmpfloat (value (&run, "Block"), ==, relations[i].at_3);
      advance (&run, 3.5);
      g_assert_cmpfloat (value (&run, "Block"), ==, strchr (relations[i].relation, '>') != NULL);
      run_clear (&run);
    }
  for (guint i = 0; i < G_N_ELEMENTS (directions); i++)
    {
      Run run = { NULL };

      add (&run, "Count", "Counter", PAIRS ("gain", "1", "period", "1"));
      add (&run, "Block", "HitCrossing", PAIRS ("level", "3", "direction", directions[i]));
      wire (&run, "Count", "y", "Block", "u");
      start (&run, solver);
      advance (&run, 6.5);
      g_assert_cmpfloat (value (&run, "Block"), ==, 1);
      run_clear (&run);
    }
}

/* What is between the points of a relay at first leaves it off, whatever was there before the modes
 * that it is made of had their values. */
static void
test_begins_settled (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "One", "Constant", PAIRS ("value", "1"));
  add (&run, "High", "Compare", PAIRS ("threshold", "0.5"));
  add (&run, "Low", "Logic", PAIRS ("operation", "not", "inputs", "1"));
  add (&run, "Relay", "Relay", PAIRS ("switch-on", "0.5", "switch-off", "-0.5"));
  wire (&run, "One", "y", "High", "u");
  wire (&run, "High", "y", "Low", "in1");
  wire (&run, "Low", "y", "Relay", "u");
  start (&run, solver);
  advance (&run, 1);
  g_assert_cmpfloat (value (&run, "Relay"), ==, 0);
  run_clear (&run);
}

/* From 1.7 to 0 the rest goes from 0.1 by way of -1.6 to 0, as its whole part follows. */
static void
test_onto_zero_by_another (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "Step", "Step", PAIRS ("time", "1", "before", "1.7", "after", "0"));
  add (&run, "Rest", "Equations", PAIRS ("equations", "input u\noutput y\ny ~ mod(u, 0.4)"));
  add (&run, "Sign", "Sign", NULL);
  wire (&run, "Step", "y", "Rest", "u");
  wire (&run, "Rest", "y", "Sign", "u");
  start (&run, solver);
  advance (&run, 0.5);
  g_assert_cmpfloat (value (&run, "Sign"), ==, 1);
  advance (&run, 2);
  g_assert_cmpfloat (value (&run, "Sign"), ==, 0);
  run_clear (&run);
}

/* From a source, onto zero and back: above it is never. */
static void
test_onto_level_and_back (gconstpointer solver)
{
  static const struct {
    const char *condition;
    double n;
  } cases[] = { { "u > 0", 0 },      { "rising(u)", 0 }, { "u >= 0", 1 },      { "u < 0", 1 },
                { "falling(u)", 1 }, { "u <= 0", 0 },    { "not (u <= 0)", 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "input u\noutput n\ninitial n = 0\nwhen %s: n := pre(n) + 1", cases[i].condition);
      Run run = { NULL };

      add (&run, "On", "Pulse", PAIRS ("period", "10", "duty", "20", "delay", "1"));
      add (&run, "Shift", "Bias", PAIRS ("bias", "-1"));
      add (&run, "Block", "Equations", PAIRS ("equations", text));
      wire (&run, "On", "y", "Shift", "u");
      wire (&run, "Shift", "y", "Block", "u");
      start (&run, solver);
      advance (&run, 5);
      g_test_message ("%s", cases[i].condition);
      g_assert_cmpfloat (value (&run, "Block"), ==, cases[i].n);
      run_clear (&run);
    }
}

/* Over one border, over two, onto one and off it again, to where it was. */
static const double levels[] = { 0.2,  1.1, 0.1, -0.9, 0,   1,    0, 0.5,  -0.5, 0.75,
                                 2.75, 0.7, 0,   -2,   1.5, -1.5, 0, 1.25, 0,    0.25 };

static double
quantize_nearest (double u)
{
  return 0.5 * floor (u / 0.5 + 0.5);
}

static double
quantize_down (double u)
{
  return 0.5 * floor (u / 0.5);
}

static double
quantize_up (double u)
{
  return 0.5 * ceil (u / 0.5);
}

static double
quantize_toward_zero (double u)
{
  return 0.5 * trunc (u / 0.5);
}

static double
take_modulo (double u)
{
  return u - 0.5 * floor (u / 0.5);
}

static double
take_remainder (double u)
{
  return fmod (u, 0.5);
}

static double
look_up (double u)
{
  return u < 0 ? 10 : u < 0.5 ? 20 : u < 1 ? 30 : 40;
}

static double
select_input (double u)
{
  return CLAMP (floor (u + 0.5), 0, 2);
}

static double
get_sign (double u)
{
  return (u > 0) - (u < 0);
}

static double
is_at_least (double u)
{
  return u >= 0;
}

static double
is_above (double u)
{
  return u > 0;
}

static void
test_jumps (gconstpointer solver)
{
  static const struct {
    const char *type;
    const char *parameters[8];
    const char *port;
    double (*get_output) (double u);
  } cases[] = {
    { "Quantizer", { "rounding", "nearest", "interval", "0.5" }, "u", quantize_nearest },
    { "Quantizer", { "rounding", "down", "interval", "0.5" }, "u", quantize_down },
    { "Quantizer", { "rounding", "up", "interval", "0.5" }, "u", quantize_up },
    { "Quantizer", { "rounding", "toward-zero", "interval", "0.5" }, "u", quantize_toward_zero },
    { "Modulo", { "result", "modulo", "modulus", "0.5" }, "u", take_modulo },
    { "Modulo", { "result", "remainder", "modulus", "0.5" }, "u", take_remainder },
    { "LookupTable",
      { "points", "[-1, 0, 0.5, 1]", "values", "[10, 20, 30, 40]", "interpolation", "previous" },
      "u",
      look_up },
    { "LookupTable2D",
      { "rows", "[-1, 0, 0.5, 1]", "columns", "[0]", "values", "[10; 20; 30; 40]", "interpolation",
        "previous" },
      "row",
      look_up },
    { "MultiportSwitch", { "inputs", "3" }, "control", select_input },
    { "Sign", { NULL }, "u", get_sign },
    { "Compare", { "relation", ">=" }, "u", is_at_least },
    { "Compare", { "relation", ">" }, "u", is_above },
    { "Expression", { "expression", "0.5*floor(u/0.5)" }, "u", quantize_down },
    { "Expression", { "expression", "0.5*ceil(u/0.5)" }, "u", quantize_up },
    { "Expression", { "expression", "mod(u, 0.5)" }, "u", take_modulo },
  };
  g_autoptr (GString) points = g_string_new ("["), values = g_string_new ("[");

  for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
    {
      g_string_append_printf (points, "%s%u", i > 0 ? ", " : "", i);
      g_string_append_printf (values, "%s%g", i > 0 ? ", " : "", levels[i]);
    }
  g_string_append_c (points, ']');
  g_string_append_c (values, ']');
  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      Run run = { NULL };
      double sum = 0;

      add (&run, "Source", "TimeTable",
           PAIRS ("points", points->str, "values", values->str, "interpolation", "previous"));
      add (&run, "Block", cases[k].type, cases[k].parameters);
      add (&run, "Sum", "Integrator", NULL);
      for (guint i = 0; i < 3; i++)
        add (&run, (const char *[]) { "Zero", "One", "Two" }[i], "Constant",
             PAIRS ("value", (const char *[]) { "0", "1", "2" }[i]));
      wire (&run, "Source", "y", "Block", cases[k].port);
      if (g_str_equal (cases[k].type, "LookupTable2D"))
        wire (&run, "Zero", "y", "Block", "column");
      for (guint i = 0; i < 3 && g_str_equal (cases[k].type, "MultiportSwitch"); i++)
        wire (&run, (const char *[]) { "Zero", "One", "Two" }[i], "y", "Block",
              (const char *[]) { "in1", "in2", "in3" }[i]);
      wire (&run, "Block", "y", "Sum", "u");
      start (&run, solver);
      for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
        {
          double expected = cases[k].get_output (levels[i]);

          advance (&run, i + 0.5);
          g_test_message ("%s %s: %g", cases[k].type, cases[k].parameters[1], levels[i]);
          g_assert_cmpfloat_with_epsilon (value (&run, "Block"), expected, 1e-12);
          sum += i == 0 ? 0 : expected;
        }
      g_assert_cmpfloat_with_epsilon (
          value (&run, "Sum"),
          sum + cases[k].get_output (levels[0]) - 0.5 * cases[k].get_output (levels[19]), 1e-9);
      run_clear (&run);
    }
}

/* A trigger that falls onto zero and rises again acts every time: pulses of 0.3 s each second set
 * back an integral, are sampled, counted and end at 4.5 s. One that is true from the start has not
 * risen then, whoever gives it. */
static void
test_pulses (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "Pulse", "Pulse", PAIRS ("period", "1", "duty", "30", "delay", "0.5"));
  add (&run, "Clock", "Clock", NULL);
  add (&run, "One", "Constant", PAIRS ("value", "1"));
  add (&run, "Always", "Compare", PAIRS ("threshold", "0.5"));
  add (&run, "Block", "LimitedIntegrator", PAIRS ("upper", "0.25"));
  add (&run, "Sample", "SampleAndHold", PAIRS ("initial", "-1"));
  add (&run, "Early", "SampleAndHold", PAIRS ("initial", "-1"));
  add (&run, "Count", "HitCrossing", PAIRS ("level", "0.5"));
  add (&run, "None", "HitCrossing", PAIRS ("level", "0.5"));
  add (&run, "Flip", "FlipFlop", PAIRS ("kind", "toggle"));
  add (&run, "Flop", "FlipFlop", PAIRS ("kind", "toggle"));
  add (&run, "Zero", "Constant", PAIRS ("value", "0"));
  wire (&run, "One", "y", "Block", "u");
  wire (&run, "One", "y", "Always", "u");
  wire (&run, "Pulse", "y", "Block", "reset");
  wire (&run, "Clock", "y", "Sample", "u");
  wire (&run, "Pulse", "y", "Sample", "trigger");
  wire (&run, "Clock", "y", "Early", "u");
  wire (&run, "Always", "y", "Early", "trigger");
  wire (&run, "Pulse", "y", "Count", "u");
  wire (&run, "Always", "y", "None", "u");
  wire (&run, "Pulse", "y", "Flip", "set");
  wire (&run, "Zero", "y", "Flip", "reset");
  wire (&run, "Always", "y", "Flop", "set");
  wire (&run, "Zero", "y", "Flop", "reset");
  start (&run, solver);
  for (guint i = 0; i < 6; i++)
    {
      advance (&run, i + 0.6); /* 0.1 after the rise */
      g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 0.1, 1e-9);
      g_assert_cmpfloat_with_epsilon (value (&run, "Sample"), i + 0.5, 1e-9);
      g_assert_cmpfloat (value (&run, "Count"), ==, i + 1);
      g_assert_cmpfloat (value (&run, "Flip"), ==, (i + 1) % 2);
      advance (&run, i + 1.4);
      g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 0.25, 1e-12);
    }
  g_assert_cmpfloat (value (&run, "Always"), ==, 1);
  g_assert_cmpfloat (value (&run, "Early"), ==, -1);
  g_assert_cmpfloat (value (&run, "None"), ==, 0);
  g_assert_cmpfloat (value (&run, "Flop"), ==, 0);
  run_clear (&run);
}

/* 0.6 and -0.6 in turn leave 0.6 and 0.54 of 1.14. Before the Modulo has moved on, and a Compare
 * after it, they show what neither ever gives: nothing that acts at edges is to see it. */
static void
test_between_modes (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "Source", "Pulse", PAIRS ("amplitude", "1.2", "duty", "50"));
  add (&run, "Low", "Bias", PAIRS ("bias", "-0.6"));
  add (&run, "Rest", "Modulo", PAIRS ("modulus", "1.14"));
  add (&run, "High", "Compare", PAIRS ("threshold", "0.25"));
  add (&run, "Minus", "Gain", PAIRS ("gain", "-1"));
  add (&run, "Clock", "Clock", NULL);
  add (&run, "One", "Constant", PAIRS ("value", "1"));
  add (&run, "Rests", "HitCrossing", PAIRS ("level", "0.3", "direction", "both"));
  add (&run, "Highs", "HitCrossing", PAIRS ("level", "0.5", "direction", "both"));
  add (&run, "Sample", "SampleAndHold", PAIRS ("initial", "-1"));
  add (&run, "Block", "LimitedIntegrator", PAIRS ("upper", "100"));
  add (&run, "Stop", "Stop", NULL);
  add (&run, "Relay", "Relay", PAIRS ("switch-on", "0.58", "switch-off", "0"));
  add (&run, "Begun", "Relay", PAIRS ("switch-on", "0.5", "switch-off", "0.25"));
  add (&run, "When", "Equations",
       PAIRS ("equations",
              "input u\noutput n\nvariable n\ninitial n = 0\nwhen u < 0: n := pre(n) + 1"));
  wire (&run, "Source", "y", "Low", "u");
  wire (&run, "Low", "y", "Rest", "u");
  wire (&run, "Rest", "y", "High", "u");
  wire (&run, "Rest", "y", "Minus", "u");
  wire (&run, "Rest", "y", "Rests", "u");
  wire (&run, "High", "y", "Highs", "u");
  wire (&run, "Clock", "y", "Sample", "u");
  wire (&run, "High", "y", "Sample", "trigger");
  wire (&run, "One", "y", "Block", "u");
  wire (&run, "Minus", "y", "Block", "reset");
  wire (&run, "Minus", "y", "Stop", "u");
  wire (&run, "Rest", "y", "When", "u");
  wire (&run, "Rest", "y", "Relay", "u");
  wire (&run, "High", "y", "Begun", "u");
  start (&run, solver);
  advance (&run, 7.25);
  g_assert_cmpfloat_with_epsilon (value (&run, "Rest"), 0.6, 1e-12);
  advance (&run, 7.75);
  g_assert_cmpfloat_with_epsilon (value (&run, "Rest"), 0.54, 1e-12);
  g_assert_cmpfloat (value (&run, "Rests"), ==, 0);
  g_assert_cmpfloat (value (&run, "Highs"), ==, 0);
  g_assert_cmpfloat (value (&run, "Sample"), ==, -1);
  g_assert_cmpfloat (value (&run, "When"), ==, 0);
  g_assert_cmpfloat (value (&run, "Relay"), ==, 1);
  g_assert_cmpfloat (value (&run, "Begun"), ==, 1);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 7.75, 1e-9);
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  static const char *const solvers[] = { "auto", "bogacki-shampine", "cvode-adams", "cvode-bdf" };
  static const struct {
    const char *name;
    GTestDataFunc test;
  } tests[] = {
    { "ball", test_ball },
    { "chattering", test_chattering },
    { "sign-and-compare", test_sign_and_compare },
    { "limited-integrator", test_limited_integrator },
    { "start-signal", test_start_signal },
    { "edges", test_edges },
    { "kinks", test_kinks },
    { "jumps", test_jumps },
    { "pulses", test_pulses },
    { "between-modes", test_between_modes },
    { "onto-level", test_onto_level },
    { "begins-settled", test_begins_settled },
    { "onto-zero-by-another", test_onto_zero_by_another },
    { "onto-level-and-back", test_onto_level_and_back },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    for (guint k = 0; k < G_N_ELEMENTS (solvers); k++)
      {
        g_autofree char *path = g_strdup_printf ("/blocks/hybrid/%s/%s", tests[i].name, solvers[k]);

        g_test_add_data_func (path, solvers[k], tests[i].test);
      }
  g_test_add_func ("/blocks/hybrid/relay", test_relay);
  g_test_add_func ("/blocks/hybrid/landing", test_landing);
  g_test_add_func ("/blocks/hybrid/landing-once", test_landing_once);
  return g_test_run ();
}

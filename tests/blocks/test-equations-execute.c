/* Equations blocks in runs: events and relations, against closed forms. */
#include "../seeds.h"
#include "equations-fixture.h"

static const char *const solvers[] = { "dormand-prince", "cvode-bdf" };

/* A ball from 1 m with restitution 0.5: impacts at t1, 2 t1, 2.5 t1, 2.75 t1 with t1 = sqrt (2 /
 * g); between the second and the third the top is at 0.5^4 m, half way. */
static void
test_ball (void)
{
  static const char *const texts[] = {
    "parameter g = 9.81\nD(D(h)) ~ -g\ninitial h = 1; initial D(h) = 0; initial n = 0\n"
    "when h < 0: h := 0, D(h) := -0.5*pre(D(h)), n := pre(n) + 1\nm ~ n\n",
    "parameter g = 9.81\nD(h) ~ v; D(v) ~ -g\ninitial h = 1; initial v = 0; initial n = 0\n"
    "when rising(-h):\n  n := pre(n) + 1\n  v := -0.5*pre(v)\n  h := 0\nend\nm ~ n\n",
  };
  double t1 = sqrt (2.0 / 9.81);

  for (guint s = 0; s < 2 * G_N_ELEMENTS (solvers); s++)
    {
      g_auto (Run) run = run_new (texts[s / 2], solvers[s % 2]);
      double tolerance = s % 2 == 0 ? 1e-8 : 1e-6;

      advance (&run, 2.25 * t1);
      g_assert_cmpfloat_with_epsilon (value (&run, "h"), 0.0625, tolerance);
      g_assert_cmpfloat (value (&run, "n"), ==, 2.0);
      advance (&run, 2.8 * t1);
      g_assert_cmpfloat (value (&run, "m"), ==, 4.0);
    }
}

/* A point in a box that meets a corner: two conditions at one instant, in different directions. */
static void
test_corner (void)
{
  g_auto (Run) run = run_new ("D(x) ~ u; D(y) ~ v\n"
                              "initial x = 0.5; initial y = 0.25; initial u = 1; initial v = -0.5\n"
                              "when x > 1: u := -pre(u)\n"
                              "when x < 0: u := -pre(u)\n"
                              "when y > 1: v := -pre(v)\n"
                              "when y < 0: v := -pre(v)\n",
                              "dormand-prince");

  advance (&run, 1.0); /* the corner (1, 0) is met at t = 0.5 */
  g_assert_cmpfloat (value (&run, "u"), ==, -1.0);
  g_assert_cmpfloat (value (&run, "v"), ==, 0.5);
  g_assert_cmpfloat_with_epsilon (value (&run, "x"), 0.5, 1e-10);
  g_assert_cmpfloat_with_epsilon (value (&run, "y"), 0.25, 1e-10);
}

/* What does not agree is an error that names both lines and the variable. */
static void
test_disagreement (void)
{
  g_autoptr (GError) error = NULL;
  g_auto (Run) run = run_new ("D(x) ~ 1\ninitial x = 0; initial n = 0\n"
                              "when x > 1: n := 2, m := 5\n"
                              "when 2*x > 2: n := 3, m := 5\ny ~ n + m\ninitial m = 0",
                              NULL);

  g_assert_false (weir_simulator_advance_to (run.simulator, 2.0, &error));
  g_assert_nonnull (strstr (error->message, "Lines 3 and 4 assign different values to n at one "
                                            "instant, 2 and 3."));
}

/* Two new values, one read by the other; the past through pre. */
static void
test_order_of_assignments (void)
{
  g_auto (Run) run = run_new ("initial a = 1; initial b = 2\n"
                              "when every(1, 1): a := pre(a) + b, b := 10*pre(b) + pre(a)\n"
                              "y ~ a + b",
                              NULL);

  advance (&run, 1.5);
  g_assert_cmpfloat (value (&run, "b"), ==, 21.0);
  g_assert_cmpfloat (value (&run, "a"), ==, 22.0);
  advance (&run, 2.5);
  g_assert_cmpfloat (value (&run, "b"), ==, 232.0);
  g_assert_cmpfloat (value (&run, "a"), ==, 254.0);
}

/* A thermostat: T' = 2 on - 1, on below 18, off above 22: up for 4 s, down for 4 s. */
static void
test_thermostat (void)
{
  for (guint s = 0; s < G_N_ELEMENTS (solvers); s++)
    {
      g_auto (Run) run = run_new ("D(T) ~ 2*on - 1\ninitial T = 20; initial on = 1\n"
                                  "when T > 22: on := 0\nwhen T < 18: on := 1",
                                  solvers[s]);

      advance (&run, 2.0 + 4.0 + 1.0);
      g_assert_cmpfloat_with_epsilon (value (&run, "T"), 19.0, 1e-8);
      advance (&run, 2.0 + 8.0 * 5 + 1.0);
      g_assert_cmpfloat_with_epsilon (value (&run, "T"), 21.0, 1e-7);
      g_assert_cmpfloat (value (&run, "on"), ==, 0.0);
    }
}

/* x' = 1 below 1, then 3: a relation in an equation ends the step where it changes, so that a
 * method of high order is exact on both pieces. */
static void
test_relation (void)
{
  g_auto (Run) run = run_new ("D(x) ~ if x > 1 and t < 2 then 3 else 1\ninitial x = 0\n"
                              "y ~ sign(x - 1)*max(x, 2)",
                              "dormand-prince");

  advance (&run, 0.5);
  g_assert_cmpfloat (value (&run, "y"), ==, -2.0);
  advance (&run, 1.5);
  g_assert_cmpfloat_with_epsilon (value (&run, "x"), 2.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (value (&run, "y"), 2.5, 1e-9);
  advance (&run, 3.0);
  g_assert_cmpfloat_with_epsilon (value (&run, "x"), 5.0, 1e-9);
}

/* A relation holds between events whatever is asked in between: it is state. */
static void
test_relation_is_state (void)
{
  g_auto (Block) block = block_new (
      "Equations", PAIRS ("equations", "D(x) ~ if x > 1 then 3 else 1\ninitial x = 0"), NULL);

  g_assert_cmpfloat (weir_eval_derivatives (block.system, block.context)[0], ==, 1.0);
  weir_context_set_state (block.context, (double[]) { 2.0 });
  g_assert_cmpfloat (weir_eval_derivatives (block.system, block.context)[0], ==, 1.0);
}

/* A relation that another decides, at the start: rounds settle both. */
static void
test_chain_of_relations (void)
{
  g_auto (Run) run = run_new ("D(x) ~ 1\ninitial x = 5\na ~ if x > 1 then 10 else 0\n"
                              "b ~ if a > 3 then 7 else -7\nc ~ if b <= -7 then 1 else 2",
                              NULL);

  advance (&run, 0.1);
  g_assert_cmpfloat (value (&run, "a"), ==, 10.0);
  g_assert_cmpfloat (value (&run, "b"), ==, 7.0);
  g_assert_cmpfloat (value (&run, "c"), ==, 2.0);
}

/* x' = -sign (x) slides along 0; y = 1 while y <= 0 never settles. */
static void
test_reports (void)
{
  g_autoptr (GError) chatter = NULL;
  g_autoptr (GError) unsettled = NULL;
  g_auto (Run) slides = run_new ("D(x) ~ -sign(x)\ninitial x = 1", "dormand-prince");
  g_auto (Run) flips = run_new ("D(x) ~ 1\ninitial x = 0\ny ~ if y + x > 0 then -1 else 1", NULL);

  g_assert_false (weir_simulator_advance_to (slides.simulator, 5.0, &chatter));
  g_assert_nonnull (strstr (chatter->message, "chatters"));
  g_assert_cmpfloat_with_epsilon (weir_context_get_time (slides.block.context), 1.0, 1e-6);
  g_assert_false (weir_simulator_advance_to (flips.simulator, 5.0, &unsettled));
  g_assert_nonnull (strstr (unsettled->message, "events follow from each other without end"));
}

/* A passage of 0 in either direction; a reset of what passes. */
static void
test_either (void)
{
  g_auto (Run) run = run_new ("D(x) ~ cos(t)\ninitial x = -0.5; initial n = 0\n"
                              "when x ~ 0: n := pre(n) + 1\ny ~ n",
                              "dormand-prince");

  advance (&run, 4.0 * G_PI); /* x = sin t - 0.5 is 0 twice a turn */
  g_assert_cmpfloat (value (&run, "n"), ==, 4.0);
}

/* What is exactly zero is neither above nor below: that the other half of a condition comes true
 * makes neither whole, but one that zero belongs to. */
static void
test_at_zero (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (solvers); i++)
    {
      g_auto (Run) run = run_new ("D(z) ~ 1\ninitial z = 0\nx ~ 0*z\n"
                                  "initial on = 0; initial a = 0; initial b = 0; initial c = 0\n"
                                  "when z > 1: on := 1\n"
                                  "when x < 0 and on > 0.5: a := pre(a) + 1\n"
                                  "when x > 0 and on > 0.5: b := pre(b) + 1\n"
                                  "when x >= 0 and on > 0.5: c := pre(c) + 1\noutput a, b, c",
                                  solvers[i]);

      advance (&run, 2.0);
      g_assert_cmpfloat (value (&run, "a"), ==, 0.0);
      g_assert_cmpfloat (value (&run, "b"), ==, 0.0);
      g_assert_cmpfloat (value (&run, "c"), ==, 1.0);
    }
}

/* What bends in parts and not in all: max (sin t, 0) + min (sin t, 0) is sin t, and its integral
 * 1 - cos t. Within noEvent no step ends at a bend or a relation, and what stands outside, or in
 * the relation of an if, still does: y is 1 where |x| > 1/2, which is for t in (pi/3, 5 pi/3). */
static void
test_no_event (void)
{
  static const struct {
    const char *text;
    guint64 n_crossings; /* up to 6 s */
  } cases[] = {
    { "D(x) ~ max(sin(t), 0) + min(sin(t), 0)\ny ~ x", 1 }, /* at pi */
    { "D(x) ~ noEvent(max(sin(t), 0)) + noEvent(min(sin(t), 0))\ny ~ x", 0 },
    { "D(x) ~ noEvent(if sin(t) > 0 then sin(t) else noEvent(max(sin(t), -2)))\ny ~ x", 0 },
    { "D(x) ~ noEvent(abs(sin(t)))*noEvent(sign(sin(t)))\n"
      "y ~ if noEvent(abs(x)) > 0.5 then 1 else 0",
      2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strconcat (cases[i].text, "\ninitial x = 0\noutput x, y\n", NULL);
      g_auto (Run) run = run_new (text, "dormand-prince");

      advance (&run, 6);
      g_assert_cmpfloat_with_epsilon (value (&run, "x"), 1 - cos (6), 1e-7);
      g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->crossings, ==,
                        cases[i].n_crossings);
      if (i == G_N_ELEMENTS (cases) - 1)
        g_assert_cmpfloat (value (&run, "y"), ==, 0);
    }
}

/* The order of lines changes no bit of a run with events, relations, a constraint and kinks. */
static void
test_permutation (void)
{
  static const char *const lines[] = {
    "D(D(x)) ~ T*x - 0.1*sign(D(x))",
    "D(D(y)) ~ T*y - 9.81",
    "0 ~ x^2 + y^2 - 1",
    "initial x = 0.6; initial D(x) = 0.5; guess y = -1",
    "D(z) ~ if x > 0.1 then max(x, 0.2) else -z + n*p",
    "initial z = 0; initial n = 0; initial p = 1",
    "when x < 0: n := pre(n) + 1",
    "when y > -0.9 and z > 0: p := -0.5*pre(p)",
    "when every(0.3): z := 0.9*pre(z)",
    "D(q) ~ delay(x, 0.3) - delay(z, 0.2 + 0.1*x, 0.5) + delay(y, 0.3)",
    "initial q = 0; history z = t",
    "output x, y, z, q",
  };
  static const char *const names[] = { "x", "y", "z", "q" };
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (9));
  double first[4];

  for (guint k = 0; k < 8; k++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      guint order[G_N_ELEMENTS (lines)];
      Run run;

      for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
        order[i] = i;
      for (guint i = G_N_ELEMENTS (lines) - 1; i > 0 && k > 0; i--)
        {
          guint j = (guint) g_rand_int_range (rand, 0, (gint32) i + 1), swap = order[i];

          order[i] = order[j];
          order[j] = swap;
        }
      for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
        g_string_append_printf (text, "%s\n", lines[order[i]]);
      run = run_new (text->str, "dormand-prince");
      advance (&run, 5.0);
      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        {
          double found = value (&run, names[i]);

          if (k == 0)
            first[i] = found;
          g_assert_cmpmem (&found, sizeof found, &first[i], sizeof found);
        }
      run_clear (&run);
    }
}

/* The pendulum in x, y and tension T, index 3, beside the same in its angle a: as states of second
 * and of first order; swinging, and going round, through every place where x or y could be no
 * state. */
static void
test_pendulum (void)
{
  static const char *const forms[] = {
    "D(D(x)) ~ T*x; D(D(y)) ~ T*y - g\ninitial x = 0.6; initial D(x) = %s\n",
    "D(x) ~ u; D(y) ~ v; D(u) ~ T*x; D(v) ~ T*y - g\ninitial x = 0.6; initial u = %s\n"
  };
  static const char *const speeds[] = { "0", "6" };

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GString) form = g_string_new (forms[i % 2]);
      g_autofree char *text = NULL;
      double a;

      g_string_replace (form, "%s", speeds[i / 2], 1);
      text = g_strconcat ("parameter L = 1, g = 9.81\n", form->str,
                          "0 ~ x^2 + y^2 - L^2\nguess y = -1\n"
                          "D(D(a)) ~ -g/L*sin(a)\n"
                          "initial a = asin(0.6); initial D(a) = ",
                          speeds[i / 2], "/0.8\noutput x, y, a, T\n", NULL);
      for (guint s = 0; s < G_N_ELEMENTS (solvers); s++)
        {
          g_auto (Run) run = run_new (text, solvers[s]);

          for (guint k = 1; k <= 20; k++)
            {
              double x, y;

              advance (&run, 0.5 * k);
              x = value (&run, "x");
              y = value (&run, "y");
              a = value (&run, "a");
              g_assert_cmpfloat_with_epsilon (x, sin (a), 1e-5);
              g_assert_cmpfloat_with_epsilon (y, -cos (a), 1e-5);
              g_assert_cmpfloat_with_epsilon (x * x + y * y, 1.0, 3e-8);
            }
          g_assert_true ((fabs (value (&run, "a")) > 2.0 * G_PI) == (i / 2 == 1));
        }
    }
}

/* Constraints through names, gears and delays, against closed forms. */
static void
test_constraints (void)
{
  static const struct {
    const char *text, *name, *closed;
  } cases[] = {
    /* Two capacitors in series at a source. */
    { "C1*D(v1) ~ i; C2*D(v2) ~ i; v1 + v2 ~ us; us ~ sin(t); parameter C1 = 1, C2 = 2", "i",
      "2/3*cos(t)" },
    { "C1*D(v1) ~ i; C2*D(v2) ~ i; 0 ~ v1 + v2 - us; 2*us - 2*sin(t) ~ 0; constant C1 = 1, C2 = 2",
      "v1", "2/3*sin(t)" },
    /* Two wheels on a gear of ratio 2: J = 1 + 4/2^2 at the first. */
    { "D(a) ~ v; D(b) ~ w; D(v) ~ 3 - q; 4*D(w) ~ n*q; a ~ n*b; parameter n = 2\n"
      "initial a = 0; initial v = 0",
      "v", "1.5*t" },
    /* Atwood's machine: the force in the rope. */
    { "m*D(D(x)) ~ m*g - S; M*D(D(y)) ~ M*g - S; length ~ x + y; length ~ 4\n"
      "parameter m = 1, M = 2, g = 9.81; initial x = 1; initial D(x) = 0",
      "S", "2*1*2/(1 + 2)*9.81" },
    /* What follows something at a distance of 1 s: its speed is the speed of 1 s ago. */
    { "D(w) ~ 1 - w; D(x) ~ F; x ~ delay(w, 1); initial w = 0", "F",
      "if t < 1 then 0 else exp(1 - t)" },
    { "D(w) ~ 1 - w; D(x) ~ F; x ~ delay(w, 1); history w = 2*t", "F",
      "if t < 1 then 2 else exp(1 - t)" },
    { "D(w) ~ 1 - w; D(x) ~ F; x ~ y; y ~ delay(z, 0.5); z ~ delay(w, 0.5); initial w = 0", "F",
      "if t < 1 then 0 else exp(1 - t)" },
    { "D(D(x)) ~ F; 0 ~ x - delay(sin(t), 1)", "F", "if t < 1 then 0 else -sin(t - 1)" },
    /* Its velocity jumps when what it follows began to move. */
    { "D(D(x)) ~ F; 0 ~ x - delay(sin(t), 1)", "x", "if t < 1 then 0 else sin(t - 1)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint s = 0; s < G_N_ELEMENTS (solvers); s++)
      {
        g_autofree char *text = g_strconcat (cases[i].text, "\nclosed ~ ", cases[i].closed, NULL);
        g_auto (Run) run = run_new (text, solvers[s]);

        for (guint k = 0; k < 8; k++)
          {
            advance (&run, 0.25 + 0.5 * k);
            if (!(fabs (value (&run, cases[i].name) - value (&run, "closed")) <= 1e-6))
              g_error ("%s, %s: %s is %.17g instead of %.17g at %g", cases[i].text, solvers[s],
                       cases[i].name, value (&run, cases[i].name), value (&run, "closed"),
                       0.25 + 0.5 * k);
          }
      }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/equations-execute/no-event", test_no_event);
  g_test_add_func ("/blocks/equations-execute/ball", test_ball);
  g_test_add_func ("/blocks/equations-execute/corner", test_corner);
  g_test_add_func ("/blocks/equations-execute/disagreement", test_disagreement);
  g_test_add_func ("/blocks/equations-execute/order-of-assignments", test_order_of_assignments);
  g_test_add_func ("/blocks/equations-execute/thermostat", test_thermostat);
  g_test_add_func ("/blocks/equations-execute/relation", test_relation);
  g_test_add_func ("/blocks/equations-execute/relation-is-state", test_relation_is_state);
  g_test_add_func ("/blocks/equations-execute/chain-of-relations", test_chain_of_relations);
  g_test_add_func ("/blocks/equations-execute/reports", test_reports);
  g_test_add_func ("/blocks/equations-execute/either", test_either);
  g_test_add_func ("/blocks/equations-execute/at-zero", test_at_zero);
  g_test_add_func ("/blocks/equations-execute/permutation", test_permutation);
  g_test_add_func ("/blocks/equations-execute/pendulum", test_pendulum);
  g_test_add_func ("/blocks/equations-execute/constraints", test_constraints);
  return g_test_run ();
}

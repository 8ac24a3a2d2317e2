/* Each block against its closed form or definition. */
#include "../seeds.h"
#include "system/evaluation/event.h"
#include "block-fixture.h"

/* --- Sources --------------------------------------------------------------------------------- */

static void
test_clock (void)
{
  g_auto (Block) clock = block_new ("Clock", NULL, NULL);

  g_assert_cmpfloat (block_at (&clock, 0.0), ==, 0.0);
  g_assert_cmpfloat (block_at (&clock, 2.5), ==, 2.5);
}

static void
test_constant (void)
{
  g_auto (Block) scalar = block_new ("Constant", PAIRS ("value", "2.5"), NULL);
  g_auto (Block) vector = block_new ("Constant", PAIRS ("value", "[1, -2, 3]"), NULL);

  g_assert_cmpfloat (block_at (&scalar, 7.0), ==, 2.5);
  block_set_parameter (&scalar, "value", -4.0);
  g_assert_cmpfloat (block_eval (&scalar, 0)[0], ==, -4.0);
  g_assert_cmpuint (weir_system_get_output_size (vector.system, (WeirOutput) { 0 }), ==, 3);
  g_assert_cmpfloat (block_eval (&vector, 0)[2], ==, 3.0);
}

static void
test_pulse (void)
{
  g_auto (Block) pulse = block_new (
      "Pulse", PAIRS ("amplitude", "3", "period", "0.5", "duty", "40", "delay", "1"), NULL);
  static const struct {
    double t, y;
  } cases[] = {
    { 0.0, 0 },  { 0.6, 0 }, { 1.0, 3 }, { 1.19, 3 }, { 1.21, 0 },
    { 1.49, 0 }, { 1.5, 3 }, { 6.1, 3 }, { 6.25, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpfloat (block_at (&pulse, cases[i].t), ==, cases[i].y);
  /* Every period begins with a pulse, at whatever multiple: no drift. */
  block_set_parameter (&pulse, "delay", 0.0);
  block_set_parameter (&pulse, "period", 0.1);
  for (guint n = 0; n < 10000; n++)
    g_assert_cmpfloat (block_at (&pulse, n * 0.1), ==, 3.0);
}

static void
test_ramp (void)
{
  g_auto (Block)
      ramp = block_new ("Ramp", PAIRS ("start", "1", "slope", "-2", "initial", "5"), NULL);

  g_assert_cmpfloat (block_at (&ramp, 0.0), ==, 5.0);
  g_assert_cmpfloat (block_at (&ramp, 1.0), ==, 5.0);
  g_assert_cmpfloat (block_at (&ramp, 3.5), ==, 0.0);
}

static void
test_sine (void)
{
  g_auto (Block) sine = block_new (
      "Sine", PAIRS ("amplitude", "2", "frequency", "0.25", "phase", "0", "bias", "1"), NULL);

  g_assert_cmpfloat (block_at (&sine, 0.0), ==, 1.0);
  g_assert_cmpfloat_with_epsilon (block_at (&sine, 1.0), 3.0, ROUNDING);
  g_assert_cmpfloat_with_epsilon (block_at (&sine, 2.0), 1.0, ROUNDING);
  g_assert_cmpfloat_with_epsilon (block_at (&sine, 3.0), -1.0, ROUNDING);
  block_set_parameter (&sine, "phase", G_PI_2);
  g_assert_cmpfloat_with_epsilon (block_at (&sine, 0.0), 3.0, ROUNDING);
}

static void
test_step (void)
{
  g_auto (Block) step = block_new ("Step", PAIRS ("time", "2", "before", "-1", "after", "4"), NULL);

  g_assert_cmpfloat (block_at (&step, nextafter (2.0, 0.0)), ==, -1.0);
  g_assert_cmpfloat (block_at (&step, 2.0), ==, 4.0);
  g_assert_cmpfloat (block_at (&step, 3.0), ==, 4.0);
}

/* --- Mathematics ----------------------------------------------------------------------------- */

static void
test_abs (void)
{
  g_auto (Block) block = block_new ("Abs", NULL, SCALAR);

  block_fix (&block, 0, -2.5);
  g_assert_cmpfloat (block_eval (&block, 0)[0], ==, 2.5);
  block_fix (&block, 0, -0.0);
  g_assert_cmpint (signbit (block_eval (&block, 0)[0]), ==, 0);
  block_fix (&block, 0, 3.0);
  g_assert_cmpfloat (block_eval (&block, 0)[0], ==, 3.0);
}

static void
test_gain (void)
{
  const double u[] = { 1, -2, 4 };
  g_auto (Block) scalar = block_new ("Gain", PAIRS ("gain", "2.5"), ((const guint[]) { 3 }));
  g_auto (Block) vector = block_new ("Gain", PAIRS ("gain", "[1, 10, 100]"), SCALAR);

  weir_context_fix_input (scalar.context, WEIR_ROOT, (WeirInput) { 0 }, u);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat (block_eval (&scalar, 0)[i], ==, 2.5 * u[i]);
  block_fix (&vector, 0, 3.0);
  g_assert_cmpfloat (block_eval (&vector, 0)[0], ==, 3.0);
  g_assert_cmpfloat (block_eval (&vector, 0)[2], ==, 300.0);
}

/* Factors and offsets as defined: 1 km/h = 1/3.6 m/s, 0 degC = 273.15 K. */
static void
test_unit_conversion (void)
{
  g_auto (Block) speed = block_new ("UnitConversion", PAIRS ("from", "km/h", "to", "m/s"), SCALAR);
  g_auto (Block) warmth = block_new ("UnitConversion", PAIRS ("from", "degC", "to", "K"), SCALAR);

  block_fix (&speed, 0, 90.0);
  g_assert_cmpfloat_with_epsilon (block_eval (&speed, 0)[0], 25.0, 1e-14);
  block_fix (&warmth, 0, 20.0);
  g_assert_cmpfloat (block_eval (&warmth, 0)[0], ==, 293.15);
}

/* Every number of inputs has the sum and the product of the definition, in order from the left. */
static void
test_sum_product (void)
{
  get_test_seed (66);
  for (guint n = 1; n <= 64; n++)
    {
      g_autofree char *signs = g_strnfill (n, '+');
      g_autofree char *operations = g_strnfill (n, '*');
      g_autofree guint *sizes = g_new (guint, n);
      double sum = 0.0, product = 1.0;
      g_auto (Block) sums = { 0 };
      g_auto (Block) products = { 0 };

      for (guint i = 0; i < n; i++)
        {
          sizes[i] = 1;
          if (g_rand_int (test_rand) % 2 == 0)
            {
              signs[i] = '-';
              operations[i] = '/';
            }
        }
      sums = block_new ("Sum", PAIRS ("signs", signs), sizes);
      products = block_new ("Product", PAIRS ("operations", operations), sizes);
      for (guint i = 0; i < n; i++)
        {
          double u = g_rand_double_range (test_rand, 0.5, 2.0);

          block_fix (&sums, i, u);
          block_fix (&products, i, u);
          sum = signs[i] == '-' ? sum - u : sum + u;
          product = operations[i] == '/' ? product / u : product * u;
        }
      g_assert_cmpfloat (block_eval (&sums, 0)[0], ==, sum);
      g_assert_cmpfloat (block_eval (&products, 0)[0], ==, product);
    }
}

/* Scalars spread over the elements of vectors. */
static void
test_sum_of_vectors (void)
{
  const double a[] = { 1, 2, 3 }, b[] = { 10, 20, 30 };
  g_auto (Block) sum = block_new ("Sum", PAIRS ("signs", "+-+"), ((const guint[]) { 3, 3, 1 }));
  g_auto (Block)
      product = block_new ("Product", PAIRS ("operations", "/**"), ((const guint[]) { 1, 3, 3 }));

  weir_context_fix_input (sum.context, WEIR_ROOT, (WeirInput) { 0 }, a);
  weir_context_fix_input (sum.context, WEIR_ROOT, (WeirInput) { 1 }, b);
  block_fix (&sum, 2, 100.0);
  block_fix (&product, 0, 4.0);
  weir_context_fix_input (product.context, WEIR_ROOT, (WeirInput) { 1 }, a);
  weir_context_fix_input (product.context, WEIR_ROOT, (WeirInput) { 2 }, b);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpfloat (block_eval (&sum, 0)[i], ==, a[i] - b[i] + 100.0);
      g_assert_cmpfloat (block_eval (&product, 0)[i], ==, 0.25 * a[i] * b[i]);
    }
}

static void
test_saturation (void)
{
  g_auto (Block) block = block_new ("Saturation", PAIRS ("lower", "-1", "upper", "2"), SCALAR);
  static const double cases[][2] = { { -5, -1 }, { -1, -1 }, { 0.5, 0.5 }, { 2, 2 }, { 9, 2 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      block_fix (&block, 0, cases[i][0]);
      g_assert_cmpfloat (block_eval (&block, 0)[0], ==, cases[i][1]);
    }
  block_fix (&block, 0, NAN);
  g_assert_true (isnan (block_eval (&block, 0)[0]));
}

/* --- Continuous ------------------------------------------------------------------------------ */

static void
test_integrator (void)
{
  const double u[] = { 3, 4 };
  g_auto (Block)
      block = block_new ("Integrator", PAIRS ("initial", "[1, -1]"), ((const guint[]) { 2 }));
  const double *xdot;

  weir_context_fix_input (block.context, WEIR_ROOT, (WeirInput) { 0 }, u);
  g_assert_cmpfloat (block_eval (&block, 0)[0], ==, 1.0);
  g_assert_cmpfloat (block_eval (&block, 0)[1], ==, -1.0);
  xdot = weir_eval_derivatives (block.system, block.context);
  g_assert_cmpfloat (xdot[0], ==, 3.0);
  g_assert_cmpfloat (xdot[1], ==, 4.0);
  g_assert_false (
      weir_system_has_direct_feedthrough (block.system, (WeirInput) { 0 }, (WeirOutput) { 0 }));
}

static double
energy (Block *block, guint16 what)
{
  double value;

  g_assert_cmpint (
      weir_eval_energy (block->system, block->context, WEIR_ROOT, (WeirTicket) { what }, &value),
      ==, WEIR_OK);
  return value;
}

static void
test_pendulum (void)
{
  const double m = 2.0, l = 0.5, g = 9.81, b = 0.3, theta = 0.7, omega = -1.2, tau = 0.4;
  g_auto (Block) block = block_new ("Pendulum",
                                    PAIRS ("mass", "2", "length", "0.5", "gravity", "9.81",
                                           "damping", "0.3", "angle", "0.7", "rate", "-1.2"),
                                    SCALAR);
  const double *xdot = weir_eval_derivatives (block.system, block.context);

  g_assert_cmpfloat (block_eval (&block, 0)[0], ==, theta);
  g_assert_cmpfloat (block_eval (&block, 1)[0], ==, omega);
  /* Without a wire there is no torque. */
  g_assert_cmpfloat (xdot[0], ==, omega);
  g_assert_cmpfloat_with_epsilon (xdot[1], -(g / l) * sin (theta) - b * omega / (m * l * l),
                                  20 * ROUNDING);

  block_fix (&block, 0, tau);
  xdot = weir_eval_derivatives (block.system, block.context);
  g_assert_cmpfloat_with_epsilon (xdot[1], -(g / l) * sin (theta) + (tau - b * omega) / (m * l * l),
                                  20 * ROUNDING);

  g_assert_cmpfloat_with_epsilon (block_eval (&block, 2)[0], m * g * l * (1 - cos (theta)),
                                  10 * ROUNDING);
  g_assert_cmpfloat_with_epsilon (block_eval (&block, 3)[0], 0.5 * m * l * l * omega * omega,
                                  10 * ROUNDING);
  g_assert_cmpfloat (energy (&block, WEIR_TICKET_PE), ==, block_eval (&block, 2)[0]);
  g_assert_cmpfloat (energy (&block, WEIR_TICKET_KE), ==, block_eval (&block, 3)[0]);
  g_assert_cmpfloat_with_epsilon (energy (&block, WEIR_TICKET_PC), -m * g * l * sin (theta) * omega,
                                  20 * ROUNDING);
  g_assert_cmpfloat_with_epsilon (energy (&block, WEIR_TICKET_PNC), tau * omega - b * omega * omega,
                                  20 * ROUNDING);
}

/* The powers are the rates of the energies along the motion: d(PE)/dt = -pc, d(KE)/dt = pc + pnc.
 * A central difference over 2h has an error of order h^2. */
static void
test_pendulum_power (void)
{
  const double h = 1e-4;
  g_auto (Block)
      block = block_new ("Pendulum", PAIRS ("damping", "0.2", "angle", "2", "rate", "1.5"), SCALAR);
  double x[2], xdot[2], pe[2], ke[2];
  double pc = energy (&block, WEIR_TICKET_PC), pnc = energy (&block, WEIR_TICKET_PNC);

  memcpy (x, weir_context_get_state (block.context), sizeof x);
  memcpy (xdot, weir_eval_derivatives (block.system, block.context), sizeof xdot);
  for (guint i = 0; i < 2; i++)
    {
      double s = i == 0 ? -h : h;
      const double moved[] = { x[0] + s * xdot[0], x[1] + s * xdot[1] };

      weir_context_set_state (block.context, moved);
      pe[i] = energy (&block, WEIR_TICKET_PE);
      ke[i] = energy (&block, WEIR_TICKET_KE);
    }
  g_assert_cmpfloat_with_epsilon ((pe[1] - pe[0]) / (2 * h), -pc, 100 * h * h);
  g_assert_cmpfloat_with_epsilon ((ke[1] - ke[0]) / (2 * h), pc + pnc, 100 * h * h);
}

/* --- Discrete -------------------------------------------------------------------------------- */

/* x_{n+1} = x_n + 1, y_n = 10 x_n, x_0 = 0. */
static void
test_counter (void)
{
  g_auto (Block) block = block_new ("Counter", NULL, NULL);
  WeirDeclaredEvent event = weir_system_get_event (block.system, 0);

  g_assert_cmpfloat (event.period, ==, 0.02);
  g_assert_cmpfloat (event.offset, ==, 0.0);
  for (gint64 n = 0; n < 4; n++)
    {
      g_assert_cmpfloat (block_eval (&block, 0)[0], ==, 10.0 * (double) n);
      block_update (&block, n);
    }
}

static void
test_counter_parameters (void)
{
  g_auto (Block) block = block_new (
      "Counter",
      PAIRS ("initial", "5", "increment", "-2", "gain", "3", "period", "0.5", "offset", "0.25"),
      NULL);
  WeirDeclaredEvent event = weir_system_get_event (block.system, 0);

  g_assert_cmpfloat (event.period, ==, 0.5);
  g_assert_cmpfloat (event.offset, ==, 0.25);
  g_assert_cmpfloat (block_eval (&block, 0)[0], ==, 15.0);
  block_update (&block, 0);
  g_assert_cmpfloat (block_eval (&block, 0)[0], ==, 9.0);
}

/* y_n = u_{n-1}; between updates the input does not matter. */
static void
test_samplers (void)
{
  static const char *const types[] = { "UnitDelay", "ZeroOrderHold" };

  get_test_seed (67);
  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    {
      const guint size = 2;
      g_auto (Block)
          block = block_new (types[k], PAIRS ("initial", "[7, 8]", "period", "0.5"), &size);
      double last[] = { 7, 8 };

      for (gint64 n = 0; n < 5; n++)
        {
          const double u[] = { g_rand_double (test_rand), g_rand_double (test_rand) };

          weir_context_fix_input (block.context, WEIR_ROOT, (WeirInput) { 0 }, u);
          g_assert_cmpmem (block_eval (&block, 0), sizeof last, last, sizeof last);
          block_update (&block, n);
          memcpy (last, u, sizeof last);
        }
    }
}

/* --- Routing --------------------------------------------------------------------------------- */

static void
test_mux_selector (void)
{
  const double vector[] = { 2, 3 };
  g_auto (Block) mux = block_new ("Mux", PAIRS ("inputs", "3"), ((const guint[]) { 1, 2, 1 }));
  g_auto (Block)
      selector = block_new ("Selector", PAIRS ("elements", "[4, 1, 1]"), ((const guint[]) { 4 }));
  const double *y;

  block_fix (&mux, 0, 1.0);
  weir_context_fix_input (mux.context, WEIR_ROOT, (WeirInput) { 1 }, vector);
  block_fix (&mux, 2, 4.0);
  y = block_eval (&mux, 0);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat (y[i], ==, i + 1.0);

  weir_context_fix_input (selector.context, WEIR_ROOT, (WeirInput) { 0 }, y);
  y = block_eval (&selector, 0);
  g_assert_cmpfloat (y[0], ==, 4.0);
  g_assert_cmpfloat (y[1], ==, 1.0);
  g_assert_cmpfloat (y[2], ==, 1.0);
}

static void
test_switch (void)
{
  static const struct {
    const char *criterion;
    double control, y;
  } cases[] = {
    { ">=", 0.9, 2 }, { ">=", 1.0, 1 }, { ">=", 1.1, 1 }, { ">", 0.9, 2 },  { ">", 1.0, 2 },
    { ">", 1.1, 1 },  { "!=", 0.9, 1 }, { "!=", 1.0, 2 }, { "!=", 1.1, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Block)
          block = block_new ("Switch", PAIRS ("criterion", cases[i].criterion, "threshold", "1"),
                             ((const guint[]) { 1, 1, 1 }));

      block_fix (&block, 0, 1.0);
      block_fix (&block, 1, cases[i].control);
      block_fix (&block, 2, 2.0);
      g_assert_cmpfloat (block_eval (&block, 0)[0], ==, cases[i].y);
    }
}

/* A branch that is not taken needs no value; one that is taken does. */
static void
test_switch_lazy (void)
{
  g_auto (Block) block = block_new ("Switch", NULL, ((const guint[]) { 1, 1, 3 }));
  const double *y;

  block_fix (&block, 0, 5.0);
  block_fix (&block, 1, 1.0);
  y = block_eval (&block, 0); /* in2 has no value */
  g_assert_cmpfloat (y[0], ==, 5.0);
  g_assert_cmpfloat (y[2], ==, 5.0);
  block_fix (&block, 1, -1.0);
  g_assert_null (weir_eval_output (block.system, block.context, WEIR_ROOT, (WeirOutput) { 0 }));
  block_fix (&block, 1, NAN);
  g_assert_null (weir_eval_output (block.system, block.context, WEIR_ROOT, (WeirOutput) { 0 }));
  g_assert_nonnull (strstr (weir_context_get_failure (block.context), "not a number"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/clock", test_clock);
  g_test_add_func ("/blocks/constant", test_constant);
  g_test_add_func ("/blocks/pulse", test_pulse);
  g_test_add_func ("/blocks/ramp", test_ramp);
  g_test_add_func ("/blocks/sine", test_sine);
  g_test_add_func ("/blocks/step", test_step);
  g_test_add_func ("/blocks/abs", test_abs);
  g_test_add_func ("/blocks/gain", test_gain);
  g_test_add_func ("/blocks/sum-product", test_sum_product);
  g_test_add_func ("/blocks/sum-of-vectors", test_sum_of_vectors);
  g_test_add_func ("/blocks/saturation", test_saturation);
  g_test_add_func ("/blocks/integrator", test_integrator);
  g_test_add_func ("/blocks/pendulum/motion", test_pendulum);
  g_test_add_func ("/blocks/pendulum/power", test_pendulum_power);
  g_test_add_func ("/blocks/counter/sequence", test_counter);
  g_test_add_func ("/blocks/counter/parameters", test_counter_parameters);
  g_test_add_func ("/blocks/samplers", test_samplers);
  g_test_add_func ("/blocks/mux-selector", test_mux_selector);
  g_test_add_func ("/blocks/unit-conversion", test_unit_conversion);
  g_test_add_func ("/blocks/switch/criteria", test_switch);
  g_test_add_func ("/blocks/switch/lazy", test_switch_lazy);
  return g_test_run ();
}

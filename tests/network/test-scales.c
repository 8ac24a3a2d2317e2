/* Networks whose values are far from one, against closed forms: the same digits whatever the sizes
 * of what flows and of what drives it.
 */
#include "networks.h"

#define DIGITS 1e-13 /* relative: rounding of the few terms that a value is made of */

#define ELECTRICAL(name, law)                                                                      \
  name ": Equations equations=pin_p:_electrical|pin_n:_electrical|through_i:_p_->_n|"              \
       "across_v:_p_-_n|" law "\n"
#define HYDRAULIC(name, law)                                                                       \
  name ": Equations equations=pin_p:_hydraulic|pin_n:_hydraulic|through_q:_p_->_n|"                \
       "across_dp:_p_-_n|" law "\n"

typedef struct {
  const char *path;
  double value;
} Value;

static WeirSystem *
make_system (const char *text)
{
  g_autoptr (WeirModel) model = net_to_model (text, FALSE);
  WeirSystem *system;
  g_autofree char *problems = net_dup_problems (model, &system);

  if (system == NULL)
    g_error ("%s%s", problems, text);
  return system;
}

/* Ends the list of values with one without a path. */
static void
check (const char *text, const Value *values, double end)
{
  g_autoptr (WeirSystem) system = make_system (text);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;

  weir_simulator_options_init (&options);
  options.max_step = end / 100;
  simulator = weir_simulator_new (system, context, &options, &error);
  g_assert_no_error (error);
  weir_simulator_advance_to (simulator, end, &error);
  g_assert_no_error (error);
  for (const Value *value = values; value->path != NULL; value++)
    {
      double found = net_value (simulator, value->path);

      if (!(fabs (found - value->value) <= DIGITS * fabs (value->value)))
        g_error ("%s is %.17g, but should be %.17g, in\n%s", value->path, found, value->value,
                 text);
    }
}

/* Half of the voltage each: k v^2 R = U / 2; then a third and two thirds, as 4 v1^2 = v2^2. */
static void
check_square_laws (double flow, double drive)
{
  double k = flow / (drive * drive);
  g_autofree char *one = g_strdup_printf (
      "V: VoltageSource V=%.17g\nR: Resistor R=%.17g\n" ELECTRICAL (
          "E", "i_~_%.17g*v^2") "G: Ground\nV.p - R.p\nR.n - E.p\nE.n - V.n - G.p",
      drive, drive / (2 * flow), 4 * k);
  g_autofree char *two = g_strdup_printf (
      "V: VoltageSource V=%.17g\n" ELECTRICAL ("E", "i_~_%.17g*v*abs(v)")
          ELECTRICAL ("F", "i_~_%.17g*v*abs(v)") "G: Ground\nV.p - E.p\nE.n - F.p\nF.n - V.n - G.p",
      drive, 4 * k, k);

  check (one, (Value[]) { { "E.i", flow }, { "E.v", drive / 2 }, { NULL, 0 } }, 1);
  check (two,
         (Value[]) {
             { "E.i", 4 * flow / 9 }, { "E.v", drive / 3 }, { "F.v", 2 * drive / 3 }, { NULL, 0 } },
         1);
}

/* dp = p0 (q/q0)^2 in one pipe, a quarter of it in another, both behind a laminar one: the first
 * carries b q0, the other 2 b q0, and 1 - b^2 = 3 b. */
static void
check_roots (double flow, double drive)
{
  double k = drive / (flow * flow), b = (sqrt (13) - 3) / 2;
  g_autofree char *text = g_strdup_printf (
      "V: PressureSource p0=%.17g\nP: LaminarPipe G=%.17g\n" HYDRAULIC ("E", "dp_~_%.17g*q*abs(q)")
          HYDRAULIC ("F", "dp_~_%.17g*q*abs(q)") "G: HydraulicReference\n"
                                                 "V.a - P.a\n"
                                                 "P.b - E.p - F.p\n"
                                                 "E.n - F.n - V.b - G.a",
      drive, flow / drive, k, k / 4);

  check (text,
         (Value[]) { { "E.q", b * flow },
                     { "F.q", 2 * b * flow },
                     { "P.q", 3 * b * flow },
                     { "E.dp", b * b * drive },
                     { NULL, 0 } },
         1);
}

/* A bridge that is out of balance: by its nodes' equations 3 x - y = 1 and 5 y - x = 3. */
static void
check_bridge (double flow, double drive)
{
  double g = flow / drive;
  g_autofree char *text = g_strdup_printf (
      "V: PressureSource p0=%.17g\nA: LaminarPipe G=%.17g\nB: LaminarPipe G=%.17g\n"
      "C: LaminarPipe G=%.17g\nD: LaminarPipe G=%.17g\nE: LaminarPipe G=%.17g\n"
      "G: HydraulicReference\nV.a - A.a - B.a\nA.b - C.a - E.a\nB.b - D.a - E.b\n"
      "C.b - D.b - V.b - G.a",
      drive, g, 3 * g, g, g, g);

  check (text,
         (Value[]) {
             { "C.q", 4 * flow / 7 }, { "D.q", 5 * flow / 7 }, { "E.q", -flow / 7 }, { NULL, 0 } },
         1);
}

/* Diodes of one's own and of the library, whose saturation current is a hundredth of what flows. */
static void
check_diodes (double flow)
{
  double v = 0.025 * log (101);
  g_autofree char *own = g_strdup_printf (
      "V: VoltageSource\nR: Resistor R=%.17g\n" ELECTRICAL (
          "D", "i_~_%.17g*(exp(v/.025)_-_1)") "G: Ground\nV.p - R.p\nR.n - D.p\nD.n - V.n - G.p",
      (1 - v) / flow, flow / 100);
  g_autofree char *built_in = g_strdup_printf (
      "V: VoltageSource\nR: Resistor R=%.17g\nD: Diode Is=%.17g Vt=.025 Gp=0\nG: Ground\n"
      "V.p - R.p\nR.n - D.p\nD.n - V.n - G.p",
      (1 - v) / flow, flow / 100);
  const Value values[] = { { "D.i", flow }, { "D.v", v }, { NULL, 0 } };

  check (own, values, 1);
  check (built_in, values, 1);
}

static void
test_at_rest (void)
{
  for (int e = -18; e <= 6; e += 2)
    {
      double flow = pow (10, e);

      for (int d = -6; d <= 6; d += 6)
        {
          double drive = pow (10, d);

          check_square_laws (flow, drive);
          check_roots (flow, drive);
          check_bridge (flow, drive);
        }
      check_diodes (flow);
    }
}

/* dp = p0 (s^3 + s), q = q0 s beside a resistor of two p0 / q0, both fed q0 (1 + 0.9 sin 2 pi t):
 * s^3 + 3 s = 2 (1 + ...), whose solution is a hyperbolic sine (Cardano). */
static double
find_share (double t)
{
  return 2 * sinh (asinh (1 + .9 * sin (2 * G_PI * t)) / 3);
}

static char *
dup_moving (double flow)
{
  return g_strdup_printf (
      "S: Sine amplitude=%.17g bias=%.17g frequency=1\nU: SignalCurrent\nR: Resistor R=2\n"
      "M: CurrentSensor\nY: Integrator\n" ELECTRICAL (
          "A", "v_~_%.17g*i^3+i") "G: Ground\nS.y > U.u\nM.y > Y.u\nU.n - R.p - M.p\nM.n - A.p\n"
                                  "R.n - A.n - U.p - G.p",
      .9 * flow, flow, 1 / (flow * flow));
}

/* What every step of a run says is right, not only where it is looked at again: the charge of a
 * whole period, of which the trapezoidal rule gives all digits. */
static void
test_in_a_run (void)
{
  double mean = 0;

  for (guint k = 0; k < 1000; k++)
    mean += find_share (k / 1000.) / 1000;
  for (int e = -24; e <= 6; e += 2)
    {
      double flow = pow (10, e);
      g_autofree char *text = dup_moving (flow);

      check (text,
             (Value[]) { { "Y.y", mean * flow }, { "A.i", find_share (1) * flow }, { NULL, 0 } },
             1);
    }
}

static void
test_verified (void)
{
  g_autofree char *text = dup_moving (1e-12);
  g_autoptr (WeirSystem) system = make_system (text);
  g_autofree char *sentence = NULL;
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;
  WeirVerifyResult result;

  weir_simulator_options_init (&options);
  options.max_step = .01;
  weir_verify (system, &options, 1, NULL, &result, &error);
  g_assert_no_error (error);
  sentence = weir_verify_result_to_string (&result);
  if (!result.identical)
    g_error ("%s", sentence);
  weir_verify_result_clear (&result);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/network/scales/at-rest", test_at_rest);
  g_test_add_func ("/network/scales/in-a-run", test_in_a_run);
  g_test_add_func ("/network/scales/verified", test_verified);
  return g_test_run ();
}

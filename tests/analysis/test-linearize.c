/* Linearisation and trim against closed forms. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "analysis/linearize.h"
#include "analysis/operating-point.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "system/evaluation/calc.h"
#include "system/evaluation/eval.h"
#include "system/structure/diagram.h"
#include "system/structure/leaf.h"
#include "../examples.h"

#define J ((double complex) I)

/* --- Models ---------------------------------------------------------------------------------- */

static WeirSystem *
complete_example (const char *name)
{
  g_autoptr (WeirModel) model = read_example (name);

  return complete (model);
}

/* x' = u - x^3, y = |x - 1| + 2 u + u x. */
static const WeirInput U = { 0 };

static WeirStatus
bent_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_input (c, U)[0] - pow (weir_calc_z (c)[0], 3);
  return WEIR_OK;
}

static WeirStatus
bent_y (const WeirCalc *c, double *y)
{
  double x = weir_calc_z (c)[0], u = weir_calc_input (c, U)[0];

  y[0] = fabs (x - 1) + 2 * u + u * x;
  return WEIR_OK;
}

static WeirSystem *
bent_new (double x0)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Bent");
  WeirInput u = weir_leaf_add_input (b, "u", 1);

  weir_leaf_set_continuous_state (b, 0, 0, 1, &x0);
  weir_leaf_set_derivatives (b, bent_xcdot, WEIR_DEPENDS (WEIR_Z, weir_input_ticket (b, u)));
  weir_leaf_add_output (b, "y", 1, bent_y, WEIR_DEPENDS (WEIR_Z, weir_input_ticket (b, u)));
  weir_leaf_add_output_window (b, "x", WEIR_Z);
  return weir_leaf_builder_build (b);
}

/* x' = sqrt (x) - log (1 + x) + z, z' = 3 (a constant): the first has no value left of zero. */
static WeirStatus
edge_xcdot (const WeirCalc *c, double *xdot)
{
  const double *z = weir_calc_z (c);

  if (z[0] < 0)
    return weir_calc_fail (c, "the root of %g was asked for", z[0]);
  xdot[0] = sqrt (z[0]) - log1p (z[0]) + z[1];
  xdot[1] = 3;
  return WEIR_OK;
}

static WeirSystem *
edge_new (double x0)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Edge");

  weir_leaf_set_continuous_state (b, 0, 0, 2, (double[]) { x0, 0 });
  weir_leaf_set_derivatives (b, edge_xcdot, WEIR_DEPENDS (WEIR_Z));
  return weir_leaf_builder_build (b);
}

static WeirOperatingPoint *
point_of (WeirSystem *system, const char *input, const char *output)
{
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (GError) error = NULL;
  WeirOperatingPoint *point = weir_operating_point_new (
      system, context, (const char *const[]) { input, NULL },
      (const char *const[]) { output, NULL }, &error);

  g_assert_no_error (error);
  return point;
}

/* --- Transfer functions ---------------------------------------------------------------------- */

/* C (s - A)^-1 B + D of the first input and output, by elimination. */
static double complex
transfer (const WeirLinearization *r, double complex s)
{
  guint n = r->n_states;
  g_autofree double complex *m = g_new0 (double complex, (gsize) n *(n + 1) + 1);
  double complex sum = r->d[0];

  for (guint i = 0; i < n; i++)
    {
      for (guint j = 0; j < n; j++)
        m[i * (n + 1) + j] = (i == j ? s : 0) - r->a[i * n + j];
      m[i * (n + 1) + n] = r->b[i * r->n_inputs];
    }
  for (guint k = 0; k < n; k++)
    {
      guint pivot = k;

      for (guint i = k + 1; i < n; i++)
        if (cabs (m[i * (n + 1) + k]) > cabs (m[pivot * (n + 1) + k]))
          pivot = i;
      for (guint j = 0; j <= n; j++)
        {
          double complex kept = m[k * (n + 1) + j];

          m[k * (n + 1) + j] = m[pivot * (n + 1) + j];
          m[pivot * (n + 1) + j] = kept;
        }
      for (guint i = 0; i < n; i++)
        {
          double complex factor = m[i * (n + 1) + k] / m[k * (n + 1) + k];

          for (guint j = k; j <= n && i != k; j++)
            m[i * (n + 1) + j] -= factor * m[k * (n + 1) + j];
        }
    }
  for (guint k = 0; k < n; k++)
    sum += r->c[k] * m[k * (n + 1) + n] / m[k * (n + 1) + k];
  return sum;
}

/* data/examples/dc-motor.weir: L 0.5 H, R 1 ohm, J 0.01 kg m2, b 0.1 N m s, K 0.01. */
static double complex
motor (double complex s)
{
  return 0.01 / ((0.5 * s + 1) * (0.01 * s + 0.1) + 1e-4);
}

static double complex
controller (double complex s)
{
  return 100 + 200 / s + 10 * 100 * s / (s + 100);
}

static const double complex places[] = { 1 + 0 * J, 3 * J, -1 + 20 * J, 0.01 * J, 500 + 100 * J };

static void
assert_same (double complex a, double complex b, double tolerance)
{
  g_assert_cmpfloat (cabs (a - b), <=, tolerance * cabs (b));
}

/* The motor alone: its input is cut from the controller, whose states are left out. */
static void
test_motor (void)
{
  g_autoptr (WeirSystem) system = complete_example ("dc-motor.weir");
  g_autoptr (WeirOperatingPoint) point = point_of (system, "Motor.voltage", "Motor.speed");
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirLinearization) r = weir_linearize (point, FALSE, &error);
  g_autoptr (WeirLinearization) all = weir_linearize (point, TRUE, &error);
  double root = sqrt (6 * 6 - (2 * 10 + 0.02)), gain; /* (s + 2) (s + 10) + 0.02 = 0 */

  g_assert_no_error (error);
  g_assert_cmpuint (r->n_states, ==, 2);
  g_assert_cmpuint (r->n_left_out, ==, 2);
  g_assert_cmpuint (all->n_states, ==, 4);
  g_assert_cmpuint (all->n_left_out, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      assert_same (transfer (r, places[i]), motor (places[i]), 1e-11);
      assert_same (transfer (all, places[i]), motor (places[i]), 1e-11);
    }
  g_assert_cmpfloat_with_epsilon (r->poles_re[0], -6 + root, 1e-11);
  g_assert_cmpfloat_with_epsilon (r->poles_re[1], -6 - root, 1e-11);
  g_assert_cmpfloat (r->poles_im[0], ==, 0);
  g_assert_true (weir_linearization_get_gain (r, &gain));
  g_assert_cmpfloat_with_epsilon (gain, 0.01 / 0.1001, 1e-12);
  g_assert_cmpuint (r->notes->len, ==, 0);
  g_assert_cmpfloat (r->error, <, 1e-10);
}

/* The whole loop, across two levels, from the output of a source: P C / (1 + P C). */
static void
test_loop (void)
{
  g_autoptr (WeirSystem) system = complete_example ("dc-motor.weir");
  g_autoptr (WeirOperatingPoint) point = point_of (system, "Reference.y", "Motor.speed");
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirLinearization) r = weir_linearize (point, FALSE, &error);
  double sum = 0, gain;

  g_assert_no_error (error);
  g_assert_cmpuint (r->n_states, ==, 4);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      double complex open = motor (places[i]) * controller (places[i]);

      assert_same (transfer (r, places[i]), open / (1 + open), 1e-9);
    }
  for (guint i = 0; i < 4; i++)
    sum += r->poles_re[i];
  g_assert_cmpfloat_with_epsilon (sum, -2 - 10 - 100, 1e-9); /* the trace */
  g_assert_true (weir_linearization_get_gain (r, &gain));
  g_assert_cmpfloat_with_epsilon (gain, 1, 1e-9); /* integral action */
}

/* --- Curves, kinks and edges ----------------------------------------------------------------- */

static void
test_curved (void)
{
  g_autoptr (WeirSystem) system = bent_new (3);
  g_autoptr (WeirOperatingPoint) point = point_of (system, "u", "y");
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirLinearization) r = NULL;
  double gain;

  weir_operating_point_move (point, (double[]) { 3 }, (double[]) { 5 });
  r = weir_linearize (point, FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (r->a[0], -27, 27e-10);
  g_assert_cmpfloat_with_epsilon (r->b[0], 1, 1e-12);
  g_assert_cmpfloat_with_epsilon (r->c[0], 1 + 5, 1e-10);
  g_assert_cmpfloat_with_epsilon (r->d[0], 2 + 3, 1e-10);
  g_assert_cmpfloat_with_epsilon (r->y[0], 2 + 10 + 15, 1e-13);
  g_assert_cmpfloat_with_epsilon (r->xdot[0], 5 - 27, 1e-13);
  g_assert_true (weir_linearization_get_gain (r, &gain));
  g_assert_cmpfloat_with_epsilon (gain, 5 + 6.0 / 27, 1e-9);
  g_assert_cmpuint (r->notes->len, ==, 0);
}

static void
test_kink (void)
{
  g_autoptr (WeirSystem) system = bent_new (1);
  g_autoptr (WeirOperatingPoint) point = point_of (system, "u", "y");
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirLinearization) r = weir_linearize (point, FALSE, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (r->c[0], 0, 1e-12); /* between -1 and 1 */
  g_assert_cmpfloat_with_epsilon (r->a[0], -3, 1e-10);
  g_assert_cmpuint (r->notes->len, ==, 1);
  g_assert_cmpstr (
      r->notes->pdata[0], ==,
      "y has a kink or jump with respect to z[0] at this point; the slope is the mean of "
      "both sides");
}

/* Increments that leave the domain are passed over; on its very edge there is no derivative. */
static void
test_edge (void)
{
  g_autoptr (WeirSystem) near = edge_new (0.01);
  g_autoptr (WeirSystem) on = edge_new (0);
  g_autoptr (WeirOperatingPoint) a = point_of (near, NULL, NULL);
  g_autoptr (WeirOperatingPoint) b = point_of (on, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirLinearization) r = weir_linearize (a, FALSE, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (r->a[0], 0.5 / 0.1 - 1 / 1.01, 1e-8);
  g_assert_cmpfloat_with_epsilon (r->a[1], 1, 1e-12);
  g_assert_null (weir_linearize (b, FALSE, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "no value on both sides"));
  g_assert_nonnull (strstr (error->message, "the root of"));
}

/* --- Trim ------------------------------------------------------------------------------------ */

static void
test_trim (void)
{
  g_autoptr (WeirSystem) system = bent_new (0.3);
  g_autoptr (WeirOperatingPoint) point = point_of (system, "u", "x");
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;

  /* u given: x^3 = 8. */
  weir_operating_point_move (point, (double[]) { 0.3 }, (double[]) { 8 });
  g_assert_true (weir_trim (point, &(WeirTrimConditions) { 0 }, notes, &error));
  g_assert_cmpfloat_with_epsilon (weir_operating_point_get_state (point)[0], 2, 1e-12);
  /* x wanted, u free. */
  g_assert_true (weir_trim (
      point,
      &(WeirTrimConditions) { .free_inputs = (gboolean[]) { TRUE }, .outputs = (double[]) { 3 } },
      notes, &error));
  g_assert_cmpfloat_with_epsilon (weir_operating_point_get_state (point)[0], 3, 1e-11);
  g_assert_cmpfloat_with_epsilon (weir_operating_point_get_input (point)[0], 27, 1e-10);
  /* The same by holding the state. */
  weir_operating_point_move (point, (double[]) { -1 }, (double[]) { 8 });
  g_assert_true (weir_trim (point,
                            &(WeirTrimConditions) { .held_states = (gboolean[]) { TRUE },
                                                    .free_inputs = (gboolean[]) { TRUE } },
                            notes, &error));
  g_assert_cmpfloat (weir_operating_point_get_state (point)[0], ==, -1);
  g_assert_cmpfloat_with_epsilon (weir_operating_point_get_input (point)[0], -1, 1e-12);
  g_assert_cmpuint (notes->len, ==, 0);
}

static void
test_trim_counts (void)
{
  g_autoptr (WeirSystem) system = bent_new (0.3);
  g_autoptr (WeirSystem) edge = edge_new (1);
  g_autoptr (WeirOperatingPoint) point = point_of (system, "u", "x");
  g_autoptr (WeirOperatingPoint) drifting = point_of (edge, NULL, NULL);
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;

  /* Too much is wanted: x = 3 and, as u stays 8, x = 2. */
  weir_operating_point_move (point, (double[]) { 0.3 }, (double[]) { 8 });
  g_assert_false (
      weir_trim (point, &(WeirTrimConditions) { .outputs = (double[]) { 3 } }, notes, &error));
  g_assert_nonnull (strstr (error->message, "2 conditions and 1 unknown:"));
  g_assert_nonnull (strstr (error->message, "free an input"));
  g_assert_cmpfloat (weir_operating_point_get_state (point)[0], ==, 0.3);
  g_clear_error (&error);
  /* Too little: u may be anything. */
  g_assert_true (weir_trim (point, &(WeirTrimConditions) { .free_inputs = (gboolean[]) { TRUE } },
                            notes, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (notes->len, ==, 1);
  g_assert_nonnull (strstr (notes->pdata[0], "1 condition leave"));
  /* A state that must move, whatever the rest does. */
  g_assert_false (weir_trim (drifting, &(WeirTrimConditions) { 0 }, notes, &error));
  g_assert_nonnull (strstr (error->message, "the derivative of z[1] stays at 3 where 0 is wanted"));
  g_clear_error (&error);
  g_assert_true (weir_trim (drifting,
                            &(WeirTrimConditions) { .held_states = (gboolean[]) { TRUE, FALSE },
                                                    .moving_states = (gboolean[]) { FALSE, TRUE } },
                            notes, &error));
  g_assert_cmpfloat_with_epsilon (weir_operating_point_get_state (drifting)[1], log (2) - 1, 1e-12);
}

/* A pendulum let go level, where the torque has its turning point, comes to hang. */
static void
test_trim_turning_point (void)
{
  g_autoptr (WeirSystem) system = complete_example ("pendulum.weir");
  g_autoptr (WeirOperatingPoint) point = point_of (system, NULL, NULL);
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirLinearization) r = NULL;

  g_assert_true (weir_trim (point, &(WeirTrimConditions) { 0 }, notes, &error));
  g_assert_cmpfloat_with_epsilon (sin (weir_operating_point_get_state (point)[0]), 0, 1e-10);
  g_assert_cmpfloat_with_epsilon (weir_operating_point_get_state (point)[1], 0, 1e-10);
  r = weir_linearize (point, FALSE, &error);
  g_assert_cmpfloat_with_epsilon (r->poles_re[0] * r->poles_re[0] - r->poles_im[0] * r->poles_im[0],
                                  -9.81 * cos (weir_operating_point_get_state (point)[0]), 1e-9);
}

static void
test_bad_ports (void)
{
  g_autoptr (WeirSystem) system = complete_example ("dc-motor.weir");
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (GError) error = NULL;

  g_assert_null (weir_operating_point_new (
      system, context, (const char *const[]) { "Motor.torque", NULL }, NULL, &error));
  g_assert_cmpstr (error->message, ==, "the model has no port \"Motor.torque\"");
  g_clear_error (&error);
  g_assert_null (weir_operating_point_new (
      system, context, NULL, (const char *const[]) { "Motor.speed", "Motor.speed", NULL }, &error));
  g_assert_cmpstr (error->message, ==, "Motor.speed is named twice");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/linearize/dc-motor", test_motor);
  g_test_add_func ("/analysis/linearize/closed-loop-across-levels", test_loop);
  g_test_add_func ("/analysis/linearize/curved", test_curved);
  g_test_add_func ("/analysis/linearize/kink", test_kink);
  g_test_add_func ("/analysis/linearize/edge-of-the-domain", test_edge);
  g_test_add_func ("/analysis/linearize/bad-ports", test_bad_ports);
  g_test_add_func ("/analysis/trim/values", test_trim);
  g_test_add_func ("/analysis/trim/counts", test_trim_counts);
  g_test_add_func ("/analysis/trim/turning-point", test_trim_turning_point);
  return g_test_run ();
}

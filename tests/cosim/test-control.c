/* Steps of units as long as their tolerance allows.
 *
 * References, all by hand. Tolerance e, values below 1 in size, share 0.8 of it for what is to
 * come: a step is doubled while (0.8 e / error)^(1/(p+1)) >= 2. A held ramp of slope a is a h off
 * when a step of h ends; a line through values of b t^2, 2 b h^2 / 2 = b h^2 for equal steps. What
 * is held of a value that never moves by more than e in a step is at no time further off than e.
 */
#include <math.h>

#include "counters.h"

#define FULL WEIR_STEP_SCHEDULING_FULL_PARALLEL
#define CASCADING WEIR_STEP_SCHEDULING_CASCADING_PARALLEL
#define STEP (1.0 / 1024)

/* --- Units ----------------------------------------------------------------------------------- */

typedef struct {
  double (*calc) (double t); /* y; NULL: what its input has come to, by the curve that it is on */
  guint order;               /* of the input */
  double slope, start;       /* y' = slope u */
} Follower;

typedef struct {
  const Follower *data;
  double y, s1, s2;
} Following;

static gpointer
make (gpointer data, GError **error)
{
  Following *self = g_new0 (Following, 1);

  self->data = data;
  return self;
}

static gboolean
initialize (gpointer instance, double t, const double *u, double *y, GError **error)
{
  Following *self = instance;

  y[0] = self->y = self->data->calc != NULL ? self->data->calc (t) : self->data->start;
  return TRUE;
}

static gboolean
step (gpointer instance, double t, double end, const double *u, double *y, double *reached,
      GError **error)
{
  Following *self = instance;
  double h = end - t;

  if (self->data->calc != NULL)
    self->y = self->data->calc (end);
  else
    self->y += self->data->slope * h * (u[0] + h * (self->s1 / 2 + h * self->s2 / 3));
  y[0] = self->y;
  return TRUE;
}

static GBytes *
save (gpointer instance, GError **error)
{
  return g_bytes_new (&((Following *) instance)->y, sizeof (double));
}

static gboolean
restore (gpointer instance, GBytes *bytes, GError **error)
{
  memcpy (&((Following *) instance)->y, g_bytes_get_data (bytes, NULL), sizeof (double));
  return TRUE;
}

static WeirUnitInputUse
describe_input (gpointer data, guint in)
{
  return (WeirUnitInputUse) { .order = ((const Follower *) data)->order };
}

static void
set_slopes (gpointer instance, const double *slopes)
{
  Following *self = instance;

  self->s1 = slopes[0];
  self->s2 = slopes[1];
}

#define CLASS(MORE)                                                                                \
  {                                                                                                \
    .name = "Follower",                                                                            \
    .abilities = WEIR_UNIT_ANY_THREAD | WEIR_UNIT_STOPS | WEIR_UNIT_RESTORES | (MORE),             \
    .make = make, .initialize = initialize, .step = step, .save = save, .restore = restore,        \
    .describe_input = describe_input, .set_slopes = set_slopes, .free = g_free,                    \
  }

static const WeirUnitClass able = CLASS (WEIR_UNIT_REPEATS_BITS | WEIR_UNIT_VARIABLE_STEP);
static const WeirUnitClass forward = CLASS (WEIR_UNIT_VARIABLE_STEP);
static const WeirUnitClass stiff = CLASS (WEIR_UNIT_REPEATS_BITS);

static WeirSystem *
unit_new (const WeirUnitClass *class, const Follower *data)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Follower");
  WeirInput u = weir_leaf_add_input (b, "u", 1);

  weir_leaf_set_input_default (b, u, &(double) { 0 });
  weir_leaf_set_unit (b, class, (gpointer) data, NULL, 1, 0);
  weir_leaf_add_unit_output (b, "y", 1, NULL);
  return weir_leaf_builder_build (b);
}

/* A feeds B; with @is_round B feeds A too. */
static WeirSystem *
pair_new (const WeirUnitClass *class, const Follower *a, const Follower *b, gboolean is_round)
{
  WeirDiagramBuilder *builder = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) first = unit_new (class, a);
  g_autoptr (WeirSystem) second = unit_new (class, b);

  weir_diagram_builder_add (builder, "A", first);
  weir_diagram_builder_add (builder, "B", second);
  weir_diagram_builder_connect_by_name (builder, "A", "y", "B", "u");
  if (is_round)
    weir_diagram_builder_connect_by_name (builder, "B", "y", "A", "u");
  return weir_diagram_builder_build (builder, NULL);
}

/* --- Runs ------------------------------------------------------------------------------------ */

static void
begin (Run *run, WeirSystem *root, WeirStepSchedulingType type, double tolerance, double longest,
       guint threads)
{
  WeirSimulatorOptions options;
  GError *error = NULL;

  weir_cosim_provide ();
  weir_simulator_options_init (&options);
  options.communication_step = STEP;
  options.longest_communication_step = longest;
  options.communication_tolerance = tolerance;
  options.schedule = type;
  options.threads = threads;
  *run = (Run) { .root = root, .context = weir_system_create_context (root) };
  run->simulator = weir_simulator_new (root, run->context, &options, &error);
  g_assert_no_error (error);
  run->cosim = weir_cosim_get (run->simulator);
  g_assert_true (weir_simulator_initialize (run->simulator, &error));
}

static double
get_length (Run *run)
{
  WeirCosimStep step;

  g_assert_true (weir_cosim_get_step (run->cosim, 0, &step));
  return (step.t_end - step.t) / STEP;
}

static WeirCosimStatistics
get_statistics (Run *run)
{
  WeirCosimStatistics statistics;

  weir_cosim_get_statistics (run->cosim, &statistics);
  return statistics;
}

/* --- Lengths --------------------------------------------------------------------------------- */

static double
ramp (double t)
{
  return t / 2;
}

static double
parabola (double t)
{
  return t * t / 2;
}

static double
rest_at_half (double t)
{
  return 0.5;
}

static void
test_lengths (void)
{
  static const struct {
    double (*calc) (double t);
    guint order;
    double longest, expected; /* communication steps */
  } cases[] = {
    /* 0.8 * 0.01 / (h / 2) >= 2: h <= 0.008, so that 8 steps (0.0078) are doubled and 16 not */
    { ramp, 0, 1, 16 },
    /* on the line there is no error: 1, 1, 2, 4, ..., each from a multiple of its length on; from
     * the middle on half of all */
    { ramp, 1, 1, 512 },
    { rest_at_half, 0, 1, 512 },
    { rest_at_half, 0, 100 * STEP, 64 },
    { rest_at_half, 0, 0, 1 },
    /* (0.008 / (h^2 / 2 + ...)): equal steps of h are h^2 off; h <= 0.0447: 32 (0.03125) doubled */
    { parabola, 1, 1, 64 },
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++)
    {
      Follower a = { .calc = cases[i / 2].calc };
      Follower b = { .order = cases[i / 2].order, .slope = 1 };
      Run run;

      begin (&run, pair_new (i % 2 ? &able : &forward, &a, &b, FALSE), FULL, 0.01,
             cases[i / 2].longest, 1);
      run_to (&run, 0.75); /* at a multiple of a power of two that is longer than what is allowed */
      g_assert_cmpfloat (get_length (&run), ==, cases[i / 2].expected);
      if (cases[i / 2].longest > 0)
        g_assert_cmpuint (get_statistics (&run).steps, <, 200);
      else
        g_assert_cmpuint (get_statistics (&run).steps, ==, 768);
      g_assert_cmpfloat (get_statistics (&run).shortest, ==, STEP);
      run_end (&run);
    }
}

/* A unit whose steps are of one length keeps it. */
static void
test_fixed (void)
{
  Follower a = { .calc = rest_at_half }, b = { .slope = 1 };
  Run run;

  begin (&run, pair_new (&stiff, &a, &b, FALSE), FULL, 0.01, 1, 1);
  run_to (&run, 0.125);
  g_assert_cmpfloat (get_length (&run), ==, 1);
  g_assert_cmpuint (get_statistics (&run).steps, ==, 128);
  run_end (&run);
}

/* --- What is held to ------------------------------------------------------------------------- */

static double
wave (double t)
{
  return sin (2 * G_PI * t);
}

/* What B has held of the wave was at no time further off than 0.02, but for where steps cannot be
 * shorter; so its integral over a period, which is 0, is not either. */
static void
test_tolerance (void)
{
  Follower a = { .calc = wave }, b = { .slope = 1 };
  Run run;
  guint n_long = 0;

  begin (&run, pair_new (&able, &a, &b, FALSE), FULL, 0.02, 1, 1);
  for (guint k = 1; k < 1024; k++)
    {
      WeirCosimStep step;

      run_to (&run, k * STEP);
      g_assert_true (weir_cosim_get_step (run.cosim, 0, &step));
      if (step.t_end - step.t > STEP)
        {
          n_long++;
          g_assert_cmpfloat (fabs (wave (step.t_end) - wave (step.t)), <=, 0.02);
        }
    }
  run_to (&run, 1);
  g_test_message ("%u of 1023 in long steps, B = %g", n_long, run_get (&run, "B"));
  g_assert_cmpuint (n_long, >, 700);
  g_assert_cmpfloat (fabs (run_get (&run, "B")), <, 0.02);
  g_assert_cmpfloat (get_statistics (&run).longest, >, 8 * STEP);
  run_end (&run);
}

static double
jump (double t)
{
  return t < 0.3 ? 0 : 1;
}

/* A jump after long steps: those that can go back do, and B's integral, 0.7 at t = 1, is off by no
 * more than the shortest step; the others are late by one of the longest, and short from then on.
 */
static void
test_rejection (void)
{
  for (guint i = 0; i < 2; i++)
    {
      Follower a = { .calc = jump }, b = { .slope = 1 };
      Run run;
      double off;

      begin (&run, pair_new (i ? &able : &forward, &a, &b, FALSE), FULL, 0.01, 64 * STEP, 1);
      run_to (&run, 1);
      off = fabs (run_get (&run, "B") - 0.7);
      g_test_message ("off by %g steps, %" G_GUINT64_FORMAT " made again", off / STEP,
                      get_statistics (&run).rejected);
      g_assert_true ((get_statistics (&run).rejected > 0) == (i == 1));
      g_assert_cmpfloat (off, <=, i ? 2 * STEP : 64 * STEP);
      if (i == 0)
        g_assert_cmpfloat (off, >, 8 * STEP);
      run_end (&run);
    }
}

/* x' = -y, y' = x on the unit circle, each from the other's held value: the error at t = 1 goes
 * with the tolerance. Its reference is (cos t, sin t). */
static void
test_circle (void)
{
  Follower a = { .slope = -1, .start = 1 }, b = { .slope = 1 };
  double off[2];

  for (guint type = FULL; type <= CASCADING; type++)
    {
      for (guint i = 0; i < 2; i++)
        {
          Run run;

          begin (&run, pair_new (&able, &a, &b, TRUE), (WeirStepSchedulingType) type,
                 i ? 0.005 : 0.04, 1, 2);
          run_to (&run, 1);
          off[i] = hypot (run_get (&run, "A") - cos (1), run_get (&run, "B") - sin (1));
          g_test_message ("%g with %" G_GUINT64_FORMAT " steps", off[i],
                          get_statistics (&run).steps);
          g_assert_cmpuint (get_statistics (&run).steps, <, i ? 512 : 128);
          run_end (&run);
        }
      g_assert_cmpfloat (off[0] / off[1], >, 4); /* eight times the tolerance, in steps of 2^n */
      g_assert_cmpfloat (off[0] / off[1], <, 16);
      g_assert_cmpfloat (off[0], <, 0.04);
    }
}

/* --- The rest -------------------------------------------------------------------------------- */

static WeirSystem *
clock_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Clock");

  weir_leaf_add_output_window (b, "y", WEIR_TIME);
  return weir_leaf_builder_build (b);
}

/* The time as an input, held: 0.8 * 0.01 / h >= 2 up to h = 0.004, so that 4 are doubled. */
static void
test_rest (void)
{
  Follower follower = { .slope = 1 };
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) unit = unit_new (&able, &follower);
  g_autoptr (WeirSystem) clock = clock_new ();
  Run run;

  weir_diagram_builder_add (b, "A", unit);
  weir_diagram_builder_add (b, "T", clock);
  weir_diagram_builder_connect_by_name (b, "T", "y", "A", "u");
  begin (&run, weir_diagram_builder_build (b, NULL), FULL, 0.01, 1, 1);
  run_to (&run, 0.5);
  g_assert_cmpfloat (get_length (&run), ==, 8);
  run_end (&run);
}

/* --- The same again -------------------------------------------------------------------------- */

/* Threads and checkpoints change no bit. */
static void
test_bits (void)
{
  Follower a = { .slope = -6, .start = 1, .order = 2 }, b = { .slope = 6, .order = 1 };
  double expected[2] = { 0, 0 };

  for (guint threads = 1; threads <= 4; threads *= 2)
    {
      g_autoptr (GBytes) saved = NULL;
      GError *error = NULL;
      Run run, other;

      begin (&run, pair_new (&able, &a, &b, TRUE), CASCADING, 0.01, 1, threads);
      run_to (&run, 0.6);
      saved = weir_simulator_save (run.simulator, &error);
      g_assert_no_error (error);
      run_to (&run, 2);
      if (threads == 1)
        {
          expected[0] = run_get (&run, "A");
          expected[1] = run_get (&run, "B");
        }
      g_assert_true (run_get (&run, "A") == expected[0] && run_get (&run, "B") == expected[1]);
      begin (&other, pair_new (&able, &a, &b, TRUE), CASCADING, 0.01, 1, threads);
      g_assert_true (weir_simulator_load (other.simulator, saved, &error));
      run_to (&other, 2);
      g_assert_true (run_get (&other, "A") == expected[0] && run_get (&other, "B") == expected[1]);
      g_assert_cmpuint (get_statistics (&other).steps, ==, get_statistics (&run).steps);
      run_end (&other);
      run_end (&run);
    }
}

static void
test_iterated (void)
{
  Follower a = { .calc = ramp }, b = { .slope = 1 };
  g_autoptr (GError) error = NULL;
  Run run;

  begin (&run, pair_new (&able, &a, &b, FALSE), WEIR_STEP_SCHEDULING_ITERATED, 0.01, 1, 1);
  g_assert_false (weir_simulator_advance_to (run.simulator, 1, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "iterated"));
  run_end (&run);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cosim/control/lengths", test_lengths);
  g_test_add_func ("/cosim/control/fixed", test_fixed);
  g_test_add_func ("/cosim/control/tolerance", test_tolerance);
  g_test_add_func ("/cosim/control/rejection", test_rejection);
  g_test_add_func ("/cosim/control/circle", test_circle);
  g_test_add_func ("/cosim/control/rest", test_rest);
  g_test_add_func ("/cosim/control/bits", test_bits);
  g_test_add_func ("/cosim/control/iterated", test_iterated);
  return g_test_run ();
}

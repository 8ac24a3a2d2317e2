/* Instances: the same numbers, to the bit, in this process and in a worker, of 2.0 and of 3.0, and
 * those that the same equations give when they are written out here. */
#include "../seeds.h"
#include "fmus.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "base/diagnostic.h"
#include "base/status.h"
#include "fmi/archive.h"
#include "fmi/description.h"

#define INNER_STEP (1.0 / 1024) /* of the FMUs when they step by themselves (fmus/frame.h) */

static const WeirFmuPlace places[] = { WEIR_FMU_IN_WORKER, WEIR_FMU_IN_PROCESS };

static WeirFmuOptions
options_for (WeirFmuPlace place)
{
  WeirFmuOptions options = weir_fmu_default_options;

  options.place = place;
  return options;
}

static WeirFmuInstance *
start (const Fmu *fmu, WeirFmuPlace place, const WeirFmuValues *set, guint n_set)
{
  WeirFmuOptions options = options_for (place);
  g_autoptr (GError) error = NULL;
  WeirFmuInstance *instance = fmu_start (fmu, &options, set, n_set, &error);

  g_assert_no_error (error);
  g_assert_nonnull (instance);
  return instance;
}

#define assert_bits(a, b)                                                                          \
  G_STMT_START                                                                                     \
  {                                                                                                \
    double left_ = (a), right_ = (b);                                                              \
    if (memcmp (&left_, &right_, sizeof left_) != 0)                                               \
      g_error ("line %d: %.17g is not %.17g", __LINE__, left_, right_);                            \
  }                                                                                                \
  G_STMT_END

/* --- The ball -------------------------------------------------------------------------------- */

/* By hand: Euler's method, and the jump of the text book, v := -e v. Keep in step with fmus/ball.c,
 * which this repeats in a loop of its own. */
typedef struct {
  double h, v, g;
} Ball;

static gboolean
ball_step (Ball *b)
{
  double z = b->h == 0 && b->v == 0 ? 1 : b->h;

  b->h += INNER_STEP * b->v;
  b->v += INNER_STEP * b->g;
  if ((z > 0) == (b->h > 0))
    return FALSE;
  if (b->h <= 0 && b->v < 0)
    {
      b->h = 2.2250738585072014e-308;
      b->v = -0.7 * b->v;
      if (b->v < 0.1)
        b->v = b->g = 0;
    }
  return TRUE;
}

/* One step of an importer. Returns whether there was an event. */
static gboolean
exchange_step (WeirFmuInstance *instance, double time, double *x)
{
  g_autoptr (GError) error = NULL;
  double xdot[2], before, after;
  gboolean event, ends;
  WeirFmuUpdate update = { .is_update_needed = TRUE };
  WeirFmuEvaluation e = { .time = time, .x = x, .xdot = xdot, .z = &before };

  g_assert_cmpint (weir_fmu_instance_evaluate (instance, &e, &error), ==, WEIR_FMU_DONE);
  for (guint i = 0; i < 2; i++)
    x[i] += INNER_STEP * xdot[i];
  e = (WeirFmuEvaluation) { .time = time + INNER_STEP, .x = x, .z = &after };
  g_assert_cmpint (weir_fmu_instance_evaluate (instance, &e, &error), ==, WEIR_FMU_DONE);
  g_assert_true (weir_fmu_instance_complete_step (instance, time + INNER_STEP, x, TRUE, &event,
                                                  &ends, &error));
  g_assert_false (event || ends);
  if ((before > 0) == (after > 0))
    return FALSE;
  g_assert_true (weir_fmu_instance_enter_event_mode (instance, &error));
  while (update.is_update_needed)
    g_assert_true (weir_fmu_instance_update_discrete (instance, &update, &error));
  g_assert_true (weir_fmu_instance_enter_continuous_mode (instance, &error));
  if (update.have_states_changed)
    g_assert_true (weir_fmu_instance_get_states (instance, x, &error));
  return TRUE;
}

static void
test_ball (gconstpointer data)
{
  guint version = GPOINTER_TO_UINT (data);
  g_auto (Fmu) exchange = fmu_open ("ball", version, WEIR_FMU_MODEL_EXCHANGE);
  g_auto (Fmu) steps = fmu_open ("ball", version, WEIR_FMU_CO_SIMULATION);

  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    {
      g_autoptr (WeirFmuInstance) one = start (&exchange, places[p], NULL, 0);
      g_autoptr (WeirFmuInstance) other = start (&steps, places[p], NULL, 0);
      g_autoptr (GError) error = NULL;
      static const guint32 refs[] = { 1, 3 };
      Ball ball = { 1, 0, -9.81 };
      double x[2], got[2];
      guint n_events = 0;

      g_assert_true (weir_fmu_instance_get_states (one, x, &error));
      for (guint i = 0; i < 3 * 1024; i++)
        {
          double time = i * INNER_STEP;
          gboolean is_event = exchange_step (one, time, x);

          g_assert_cmpint (is_event, ==, ball_step (&ball));
          n_events += is_event;
          assert_bits (x[0], ball.h);
          assert_bits (x[1], ball.v);
          if (i % 8 == 7)
            {
              WeirFmuValues values = { WEIR_FMU_FLOAT64, refs, 2, got, 2 };
              WeirFmuStep step = {
                .time = (i - 7) * INNER_STEP, .step = 8 * INNER_STEP, .got = &values, .n_got = 1
              };
              WeirFmuStepEnd end;

              g_assert_cmpint (weir_fmu_instance_do_step (other, &step, &end, &error), ==,
                               WEIR_FMU_DONE);
              assert_bits (end.last_time, time + INNER_STEP);
              assert_bits (got[0], ball.h);
              assert_bits (got[1], ball.v);
            }
        }
      /* The first bounce is at sqrt (2 / 9.81) = 0.4515 s; by 3 s there have been more. */
      g_assert_cmpuint (n_events, >=, 4);
      g_assert_true (weir_fmu_instance_terminate (one, &error));
    }
}

/* --- Time events ----------------------------------------------------------------------------- */

static void
test_stairs (gconstpointer data)
{
  guint version = GPOINTER_TO_UINT (data);
  g_auto (Fmu) fmu = fmu_open ("stairs", version, WEIR_FMU_MODEL_EXCHANGE);

  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    {
      g_autoptr (WeirFmuInstance) instance = start (&fmu, places[p], NULL, 0);
      g_autoptr (GError) error = NULL;
      WeirFmuUpdate update = { .next_time = 1 };
      static const guint32 ref = 1;
      gint32 counter = 0;
      guint n = 0;

      while (!update.terminates)
        {
          WeirFmuValues values = { WEIR_FMU_INT32, &ref, 1, &counter, 1 };
          WeirFmuEvaluation e = { .time = update.next_time, .outputs = &values, .n_outputs = 1 };

          g_assert_cmpint (weir_fmu_instance_evaluate (instance, &e, &error), ==, WEIR_FMU_DONE);
          g_assert_cmpint (counter, ==, (gint) ++n);
          g_assert_cmpfloat (update.next_time, ==, n);
          g_assert_true (weir_fmu_instance_enter_event_mode (instance, &error));
          g_assert_true (weir_fmu_instance_update_discrete (instance, &update, &error));
          if (!update.terminates)
            g_assert_true (weir_fmu_instance_enter_continuous_mode (instance, &error));
        }
      g_assert_cmpuint (n, ==, 9);
    }
}

/* In co-simulation the FMU ends the run within a step: 2.0 discards it, and tells how far it came.
 */
static void
test_stairs_end (gconstpointer data)
{
  guint version = GPOINTER_TO_UINT (data);
  g_auto (Fmu) fmu = fmu_open ("stairs", version, WEIR_FMU_CO_SIMULATION);

  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    {
      g_autoptr (WeirFmuInstance) instance = start (&fmu, places[p], NULL, 0);
      g_autoptr (GError) error = NULL;
      WeirFmuStepEnd end = { 0 };
      WeirFmuOutcome outcome = WEIR_FMU_DONE;
      guint n = 0;

      for (; !end.terminates; n++)
        {
          WeirFmuStep step = { .time = 2 * n, .step = 2 };

          outcome = weir_fmu_instance_do_step (instance, &step, &end, &error);
          g_assert_cmpint (outcome, !=, WEIR_FMU_FAILED);
        }
      g_assert_cmpint (outcome, ==, version == 2 ? WEIR_FMU_DISCARDED : WEIR_FMU_DONE);
      g_assert_cmpuint (n, ==, 5);
      g_assert_cmpfloat (end.last_time, ==, 9);
    }
}

/* --- All types ------------------------------------------------------------------------------- */

/* Of which 2.0 has some. */
static const struct {
  WeirFmuType type;
  guint32 ref;
  guint8 bytes[8];
} fed[] = {
  { WEIR_FMU_FLOAT32, 1, { 0, 0, 0xc0, 0x7f } }, /* not a number: bytes are passed, not values */
  { WEIR_FMU_FLOAT64, 2, { 0, 0, 0, 0, 0, 0, 0, 0x80 } }, /* -0 */
  { WEIR_FMU_INT8, 3, { 0x80 } },
  { WEIR_FMU_UINT8, 4, { 0xff } },
  { WEIR_FMU_INT16, 5, { 0, 0x80 } },
  { WEIR_FMU_UINT16, 6, { 0xff, 0xff } },
  { WEIR_FMU_INT32, 7, { 0, 0, 0, 0x80 } },
  { WEIR_FMU_UINT32, 8, { 0xff, 0xff, 0xff, 0xff } },
  { WEIR_FMU_INT64, 9, { 1, 0, 0, 0, 0, 0, 0, 0x80 } },
  { WEIR_FMU_UINT64, 10, { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } },
  { WEIR_FMU_BOOLEAN, 11, { 1 } },
  { WEIR_FMU_ENUMERATION, 14, { 2 } },
};

static gboolean
is_in_2 (WeirFmuType type)
{
  return type == WEIR_FMU_FLOAT64 || type == WEIR_FMU_INT32 || type == WEIR_FMU_BOOLEAN
         || type == WEIR_FMU_ENUMERATION || type == WEIR_FMU_STRING;
}

static void
test_types (gconstpointer data)
{
  guint version = GPOINTER_TO_UINT (data);
  g_auto (Fmu) fmu = fmu_open ("feedthrough", version, WEIR_FMU_MODEL_EXCHANGE);

  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    {
      g_autoptr (WeirFmuInstance) instance = start (&fmu, places[p], NULL, 0);

      for (guint i = 0; i < G_N_ELEMENTS (fed); i++)
        {
          g_autoptr (GError) error = NULL;
          guint32 in = fed[i].ref, out = in + 100;
          guint8 bytes[8], got[8] = { 0 };
          WeirFmuValues set = { fed[i].type, &in, 1, bytes, 1 };
          WeirFmuValues get = { fed[i].type, &out, 1, got, 1 };
          gboolean is_known = version == 3 || is_in_2 (fed[i].type);

          memcpy (bytes, fed[i].bytes, sizeof bytes);
          g_assert_cmpint (weir_fmu_instance_set (instance, &set, 1, &error), ==,
                           is_known ? WEIR_FMU_DONE : WEIR_FMU_FAILED);
          if (!is_known)
            {
              g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FAILED);
              g_assert_nonnull (strstr (error->message, "FMI 2.0 has no values of type "));
              continue;
            }
          g_assert_cmpint (weir_fmu_instance_get (instance, &get, 1, &error), ==, WEIR_FMU_DONE);
          g_assert_cmpmem (got, 8, bytes, 8);
        }
    }
}

static void
test_texts (gconstpointer data)
{
  guint version = GPOINTER_TO_UINT (data);
  g_auto (Fmu) fmu = fmu_open ("feedthrough", version, WEIR_FMU_MODEL_EXCHANGE);

  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    {
      g_autoptr (WeirFmuInstance) instance = start (&fmu, places[p], NULL, 0);
      g_autoptr (GError) error = NULL;
      static const guint32 refs[] = { 12, 13, 112, 113 };
      g_autoptr (GBytes) bytes = g_bytes_new_static ("a\0b\xff", 4);
      g_autofree char *text = NULL;
      g_autoptr (GBytes) binary = NULL;
      char *given = (char *) "größer als ∞";
      WeirFmuValues set[] = { { WEIR_FMU_STRING, &refs[0], 1, &given, 1 },
                              { WEIR_FMU_BINARY, &refs[1], 1, &bytes, 1 } };
      WeirFmuValues get[] = { { WEIR_FMU_STRING, &refs[2], 1, &text, 1 },
                              { WEIR_FMU_BINARY, &refs[3], 1, &binary, 1 } };
      guint n = version == 3 ? 2 : 1;

      g_assert_cmpint (weir_fmu_instance_get (instance, get, n, &error), ==, WEIR_FMU_DONE);
      g_assert_cmpstr (text, ==, "Set me!");
      if (version == 3)
        g_assert_cmpuint (g_bytes_get_size (binary), ==, 0);
      g_clear_pointer (&text, g_free);
      g_clear_pointer (&binary, g_bytes_unref);
      g_assert_cmpint (weir_fmu_instance_set (instance, set, n, &error), ==, WEIR_FMU_DONE);
      g_assert_cmpint (weir_fmu_instance_get (instance, get, n, &error), ==, WEIR_FMU_DONE);
      g_assert_cmpstr (text, ==, given);
      if (version == 3)
        g_assert_true (g_bytes_equal (binary, bytes));
      /* By an evaluation too, which goes another way in this process. */
      g_clear_pointer (&text, g_free);
      g_clear_pointer (&binary, g_bytes_unref);
      g_assert_cmpint (
          weir_fmu_instance_evaluate (
              instance, &(WeirFmuEvaluation) { .time = 1, .outputs = get, .n_outputs = n }, &error),
          ==, WEIR_FMU_DONE);
      g_assert_cmpstr (text, ==, given);
    }
}

static void
test_arrays (void)
{
  g_auto (Fmu) fmu = fmu_open ("feedthrough", 3, WEIR_FMU_MODEL_EXCHANGE);
  static const guint32 inputs[] = { 30, 2 }, outputs[] = { 130, 102 };

  fmu.binary.inputs = inputs;
  fmu.binary.n_inputs = 2;
  fmu.binary.n_input_values = 4;
  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    {
      g_autoptr (WeirFmuInstance) instance = start (&fmu, places[p], NULL, 0);
      g_autoptr (GError) error = NULL;
      double u[] = { 1, 2, 3, 4 }, got[4];
      WeirFmuValues get = { WEIR_FMU_FLOAT64, outputs, 2, got, 4 };
      WeirFmuEvaluation e = { .time = 1, .u = u, .outputs = &get, .n_outputs = 1 };

      g_assert_cmpint (weir_fmu_instance_evaluate (instance, &e, &error), ==, WEIR_FMU_DONE);
      g_assert_cmpmem (got, sizeof got, u, sizeof u);
      u[1] = -7;
      g_assert_cmpint (weir_fmu_instance_evaluate (instance, &e, &error), ==, WEIR_FMU_DONE);
      g_assert_cmpmem (got, sizeof got, u, sizeof u);
    }
}

/* --- Evaluation ------------------------------------------------------------------------------ */

/* Random points, some of them again in part, against the equations: y = x1 + u and Van der Pol's.
 */
static void
test_evaluate (gconstpointer data)
{
  guint version = GPOINTER_TO_UINT (data);
  g_auto (Fmu) fmu = fmu_open ("oscillator", version, WEIR_FMU_MODEL_EXCHANGE);
  static const guint32 ref = 7;

  get_test_seed (83);
  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    {
      g_autoptr (WeirFmuInstance) instance = start (&fmu, places[p], NULL, 0);
      g_autoptr (GError) error = NULL;
      guint64 epoch = weir_fmu_instance_get_epoch (instance);
      double t = 0, x[2] = { 2, 0 }, u = 0;

      for (guint i = 0; i < 500; i++)
        {
          double xdot[2], y;
          WeirFmuValues output = { WEIR_FMU_FLOAT64, &ref, 1, &y, 1 };
          WeirFmuEvaluation e = { .time = t, .x = x, .u = &u };
          int what = g_rand_int_range (test_rand, 1, 4);

          if (what & 1)
            e.xdot = xdot;
          if (what & 2)
            {
              e.outputs = &output;
              e.n_outputs = 1;
            }
          switch (g_rand_int_range (test_rand, 0, 5))
            {
            case 0:
              t += 0.01;
              break;
            case 1:
              x[0] = g_rand_double_range (test_rand, -3, 3);
              break;
            case 2:
              x[1] = g_rand_double_range (test_rand, -3, 3);
              break;
            case 3:
              u = g_rand_double_range (test_rand, -1, 1);
              break;
            default:
              break;
            }
          e.time = t;
          g_assert_cmpint (weir_fmu_instance_evaluate (instance, &e, &error), ==, WEIR_FMU_DONE);
          if (e.xdot != NULL)
            {
              assert_bits (xdot[0], x[1]);
              assert_bits (xdot[1], 1 * (1 - x[0] * x[0]) * x[1] - x[0] + u);
            }
          if (e.n_outputs > 0)
            assert_bits (y, x[0] + u);
        }
      g_assert_cmpuint (weir_fmu_instance_get_epoch (instance), ==, epoch);
    }
}

/* An FMU whose outputs are stale once its derivatives have been got: time, set anew, mends it. */
static void
test_stale_outputs (gconstpointer data)
{
  guint version = GPOINTER_TO_UINT (data);
  g_auto (Fmu) fmu = fmu_open ("liar", version, WEIR_FMU_MODEL_EXCHANGE);
  static const guint32 lie_ref = 6, y_ref = 3;
  gint32 lie = 6;
  WeirFmuValues set = { WEIR_FMU_INT32, &lie_ref, 1, &lie, 1 };

  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    {
      g_autoptr (WeirFmuInstance) instance = start (&fmu, places[p], &set, 1);
      g_autoptr (GError) error = NULL;
      double x = 3, u[2] = { 0.5, 0 }, xdot, y = NAN;
      WeirFmuValues output = { WEIR_FMU_FLOAT64, &y_ref, 1, &y, 1 };
      WeirFmuEvaluation e = {
        .time = 1, .x = &x, .u = u, .xdot = &xdot, .outputs = &output, .n_outputs = 1
      };

      for (guint i = 0; i < 2; i++)
        {
          g_assert_cmpint (weir_fmu_instance_evaluate (instance, &e, &error), ==, WEIR_FMU_DONE);
          assert_bits (y, 3.5);
        }
      e = (WeirFmuEvaluation) { .time = 1, .x = &x, .u = u, .xdot = &xdot };
      g_assert_cmpint (weir_fmu_instance_evaluate (instance, &e, &error), ==, WEIR_FMU_DONE);
      g_assert_cmpint (weir_fmu_instance_get (instance, &output, 1, &error), ==, WEIR_FMU_DONE);
      assert_bits (y, 3.5);
    }
}

static void
test_differentiate (gconstpointer data)
{
  guint version = GPOINTER_TO_UINT (data);
  g_auto (Fmu) fmu = fmu_open ("oscillator", version, WEIR_FMU_MODEL_EXCHANGE);
  static const guint32 unknowns[] = { 2, 4 }, knowns[] = { 1, 3 };

  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    {
      g_autoptr (WeirFmuInstance) instance = start (&fmu, places[p], NULL, 0);
      g_autoptr (GError) error = NULL;
      double x[] = { 0.5, -2 }, seed[] = { 1, 10 }, got[2];
      WeirFmuEvaluation e = { .time = 0, .x = x };

      g_assert_cmpint (weir_fmu_instance_evaluate (instance, &e, &error), ==, WEIR_FMU_DONE);
      g_assert_cmpint (weir_fmu_instance_differentiate (instance, unknowns, 2, knowns, 2, seed, 2,
                                                        got, 2, &error),
                       ==, WEIR_FMU_DONE);
      assert_bits (got[0], 10);
      /* d/dx1 = -2 x1 x2 - 1 = 1, d/dx2 = 1 - x1^2 = 0.75 */
      assert_bits (got[1], 1 + 7.5);
    }
}

/* --- Clocks ---------------------------------------------------------------------------------- */

static void
test_clocks (void)
{
  g_auto (Fmu) fmu = fmu_open ("clocks", 3, WEIR_FMU_MODEL_EXCHANGE);
  static const guint32 periodic = 10, counted = 11, even = 12, counts[] = { 1, 2 };

  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    {
      g_autoptr (WeirFmuInstance) instance = start (&fmu, places[p], NULL, 0);
      g_autoptr (GError) error = NULL;
      double interval, shift;
      guint32 qualifier;
      gint32 got[2];
      WeirFmuValues get = { WEIR_FMU_INT32, counts, 2, got, 2 };

      for (gint32 i = 1; i <= 4; i++)
        {
          guint8 ticks = 1, is_even = 2;
          WeirFmuValues tick = { WEIR_FMU_CLOCK, &periodic, 1, &ticks, 1 };
          WeirFmuValues out = { WEIR_FMU_CLOCK, &even, 1, &is_even, 1 };
          WeirFmuUpdate update;

          g_assert_true (weir_fmu_instance_enter_event_mode (instance, &error));
          g_assert_cmpint (weir_fmu_instance_set (instance, &tick, 1, &error), ==, WEIR_FMU_DONE);
          g_assert_true (weir_fmu_instance_evaluate_discrete (instance, &error));
          g_assert_cmpint (weir_fmu_instance_get (instance, &out, 1, &error), ==, WEIR_FMU_DONE);
          g_assert_cmpint (is_even, ==, i % 2 == 0);
          g_assert_true (weir_fmu_instance_update_discrete (instance, &update, &error));
          g_assert_true (weir_fmu_instance_get_intervals (instance, &counted, 1, &interval,
                                                          &qualifier, &error));
          assert_bits (interval, 0.5 * (1 + i));
          g_assert_cmpuint (qualifier, ==, 2); /* changed */
          g_assert_true (weir_fmu_instance_enter_continuous_mode (instance, &error));
        }
      g_assert_true (weir_fmu_instance_get_shifts (instance, &periodic, 1, &shift, &error));
      assert_bits (shift, 0.125);
      g_assert_cmpint (weir_fmu_instance_get (instance, &get, 1, &error), ==, WEIR_FMU_DONE);
      g_assert_cmpint (got[0], ==, 4);
      /* What the FMU does not do is an error with its function's name. */
      g_assert_false (weir_fmu_instance_set_intervals (instance, &periodic, 1, &interval, &error));
      g_assert_nonnull (strstr (error->message, "fmi3SetIntervalDecimal failed"));
    }
}

/* --- States ---------------------------------------------------------------------------------- */

static double
step_ball (WeirFmuInstance *instance, guint from, guint n)
{
  static const guint32 ref = 1;
  double h = NAN;

  for (guint i = from; i < from + n; i++)
    {
      g_autoptr (GError) error = NULL;
      WeirFmuValues values = { WEIR_FMU_FLOAT64, &ref, 1, &h, 1 };
      WeirFmuStep step = { .time = i / 128.0, .step = 1 / 128.0, .got = &values, .n_got = 1 };
      WeirFmuStepEnd end;

      g_assert_cmpint (weir_fmu_instance_do_step (instance, &step, &end, &error), ==,
                       WEIR_FMU_DONE);
    }
  return h;
}

static void
test_states (gconstpointer data)
{
  guint version = GPOINTER_TO_UINT (data);
  g_auto (Fmu) fmu = fmu_open ("ball", version, WEIR_FMU_CO_SIMULATION);

  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    {
      g_autoptr (WeirFmuInstance) instance = start (&fmu, places[p], NULL, 0);
      g_autoptr (WeirFmuInstance) other = NULL;
      g_autoptr (WeirFmuState) state = NULL, copy = NULL;
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;
      guint64 epoch;
      double h;

      step_ball (instance, 0, 50);
      state = weir_fmu_instance_save (instance, &error);
      g_assert_no_error (error);
      bytes = weir_fmu_instance_serialize (instance, state, &error);
      g_assert_no_error (error);
      h = step_ball (instance, 50, 100);
      epoch = weir_fmu_instance_get_epoch (instance);
      g_assert_true (weir_fmu_instance_restore (instance, state, &error));
      g_assert_cmpuint (weir_fmu_instance_get_epoch (instance), >, epoch);
      assert_bits (step_ball (instance, 50, 100), h);

      /* Another process, which never was there. */
      other = start (&fmu, WEIR_FMU_IN_WORKER, NULL, 0);
      copy = weir_fmu_instance_deserialize (other, bytes, &error);
      g_assert_no_error (error);
      g_assert_true (weir_fmu_instance_restore (other, copy, &error));
      assert_bits (step_ball (other, 50, 100), h);

      g_clear_pointer (&bytes, g_bytes_unref);
      bytes = g_bytes_new_static ("not a state, but long enough", 28);
      g_assert_null (weir_fmu_instance_deserialize (other, bytes, &error));
      g_assert_error (error, WEIR_ERROR, WEIR_ERROR_MISMATCH);
      g_clear_pointer (&other, weir_fmu_instance_free); /* before its state */
    }
}

static gpointer
drop_states (gpointer data)
{
  GPtrArray *states = data;

  for (guint i = 0; i < states->len; i++)
    weir_fmu_state_unref (g_ptr_array_index (states, i));
  return NULL;
}

/* References end on another thread, while the owner goes on. */
static void
test_states_of_threads (void)
{
  g_auto (Fmu) fmu = fmu_open ("ball", 3, WEIR_FMU_CO_SIMULATION);

  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    {
      g_autoptr (WeirFmuInstance) instance = start (&fmu, places[p], NULL, 0);
      g_autoptr (GPtrArray) states = g_ptr_array_new ();
      g_autoptr (GError) error = NULL;
      GThread *thread;

      for (guint i = 0; i < 100; i++)
        {
          WeirFmuState *state = weir_fmu_instance_save (instance, &error);

          g_assert_no_error (error);
          g_ptr_array_add (states, weir_fmu_state_ref (state));
          weir_fmu_state_unref (state);
        }
      thread = g_thread_new ("drops", drop_states, states);
      for (guint i = 0; i < 50; i++)
        step_ball (instance, i, 1);
      g_thread_join (thread);
      step_ball (instance, 50, 50);
    }
}

static void
test_states_not_offered (void)
{
  g_auto (Fmu) fmu = fmu_open ("ball", 2, WEIR_FMU_CO_SIMULATION);
  g_autoptr (WeirFmuInstance) instance = NULL;
  g_autoptr (GError) error = NULL;

  fmu.binary.can_save = FALSE;
  instance = start (&fmu, WEIR_FMU_IN_PROCESS, NULL, 0);
  g_assert_null (weir_fmu_instance_save (instance, &error));
  g_assert_cmpstr (error->message, ==,
                   "ball (ball-2.fmu): the FMU does not offer that its state is saved.");
}

/* --- What does not go ------------------------------------------------------------------------ */

static void
test_wrong_token (gconstpointer data)
{
  guint version = GPOINTER_TO_UINT (data);
  g_auto (Fmu) fmu = fmu_open ("ball", version, WEIR_FMU_MODEL_EXCHANGE);

  fmu.binary.token = "another";
  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    {
      WeirFmuOptions options = options_for (places[p]);
      g_autoptr (GError) error = NULL;

      g_assert_null (weir_fmu_instance_new (&fmu.binary, &options, &error));
      g_assert_cmpstr (error->message, ==,
                       version == 2
                           ? "ball (ball-2.fmu): fmi2Instantiate gave no instance."
                           : "ball (ball-3.fmu): fmi3InstantiateModelExchange gave no instance.");
    }
}

static void
test_no_library (void)
{
  g_auto (Fmu) fmu = fmu_open ("ball", 2, WEIR_FMU_MODEL_EXCHANGE);
  WeirFmuOptions options = weir_fmu_default_options;
  g_autoptr (GError) error = NULL;

  fmu.binary.identifier = "bell";
  g_assert_null (weir_fmu_instance_new (&fmu.binary, &options, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, "/bell.so in it."));
}

/* The loader maps what is not in the file, and touches it. */
static void
test_truncated (gconstpointer data)
{
  guint version = GPOINTER_TO_UINT (data);
  g_auto (Fmu) fmu = fmu_open ("truncated", version, WEIR_FMU_MODEL_EXCHANGE);
  g_autoptr (GError) error = NULL;

  g_assert_null (weir_fmu_instance_new (&fmu.binary, &weir_fmu_default_options, &error));
  g_assert_nonnull (strstr (error->message, ".fmu): dlopen ended its process by a bus error."));
}

static void
test_no_elf (void)
{
  g_auto (Fmu) fmu = fmu_open ("ball", 2, WEIR_FMU_MODEL_EXCHANGE);
  g_autofree char *folder = g_dir_make_tmp ("weir-fmu-XXXXXX", NULL);
  g_autofree char *libraries = g_build_filename (folder, "binaries", weir_fmu_get_platform (2),
                                                 NULL);
  g_autofree char *library = g_build_filename (libraries, "ball.so", NULL);

  g_assert_cmpint (g_mkdir_with_parents (libraries, 0700), ==, 0);
  g_assert_true (g_file_set_contents (library, "This is no library.\n", -1, NULL));
  fmu.binary.folder = folder;
  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    {
      WeirFmuOptions options = options_for (places[p]);
      g_autoptr (GError) error = NULL;

      g_assert_null (weir_fmu_instance_new (&fmu.binary, &options, &error));
      g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FILE);
      g_assert_nonnull (
          strstr (error->message, "ball (ball-2.fmu): the FMU's library cannot be loaded: "));
    }
  g_remove (library);
  g_rmdir (libraries);
  *strrchr (libraries, '/') = 0;
  g_rmdir (libraries);
  g_rmdir (folder);
}

/* A library of the other version has none of the functions. */
static void
test_other_version (void)
{
  g_auto (Fmu) fmu = fmu_open ("ball", 2, WEIR_FMU_MODEL_EXCHANGE);
  WeirFmuOptions options = weir_fmu_default_options;
  g_autoptr (GError) error = NULL;

  fmu.binary.version = 3;
  g_assert_null (weir_fmu_instance_new (&fmu.binary, &options, &error));
  g_assert_nonnull (strstr (error->message, "it has no function fmi3"));
}

/* The program's arithmetic and locale are not the FMU's to change. */
static void
test_rounding (gconstpointer data)
{
  guint version = GPOINTER_TO_UINT (data);
  g_auto (Fmu) fmu = fmu_open ("hostile", version, WEIR_FMU_MODEL_EXCHANGE);
  static const guint32 deed_ref = 4, x_ref = 1;
  gint32 deed = 9;
  WeirFmuValues set = { WEIR_FMU_INT32, &deed_ref, 1, &deed, 1 };
  g_autoptr (WeirFmuInstance) instance = start (&fmu, WEIR_FMU_IN_PROCESS, &set, 1);
  g_autoptr (GError) error = NULL;
  g_autofree char *locale = g_strdup (setlocale (LC_ALL, NULL));
  double x = 1, xdot;
  WeirFmuValues get = { WEIR_FMU_FLOAT64, &x_ref, 1, &x, 1 };
  WeirFmuEvaluation e = { .time = 1, .x = &x, .xdot = &xdot };

  g_assert_cmpint (weir_fmu_instance_evaluate (instance, &e, &error), ==, WEIR_FMU_DONE);
#if defined(__x86_64__) || defined(__aarch64__)
  {
    volatile double one = 1, three = 3;

    /* To the nearest, not downward. */
    assert_bits (one / three, 0.33333333333333331);
    g_assert_cmpfloat (-one / three, ==, -(one / three));
  }
#endif
  g_assert_cmpint (weir_fmu_instance_get (instance, &get, 1, &error), ==, WEIR_FMU_DONE);
  g_assert_cmpstr (setlocale (LC_ALL, NULL), ==, locale);
}

/* --- From the file on ------------------------------------------------------------------------- */

/* What the file's description says is what these tests say of it, and what is unpacked runs. */
static void
test_files (void)
{
  static const char *const models[] = { "ball",        "oscillator", "stiff", "stairs",
                                        "feedthrough", "clocks",     "liar",  "hostile" };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (models); i++)
    {
      guint version = 2 + i % 2;
      const char *model = models[i / 2];
      g_auto (Fmu) fmu = fmu_open (model, version, WEIR_FMU_MODEL_EXCHANGE);
      g_autofree char *path = g_strconcat (fmu.folder, ".fmu", NULL), *folder = NULL;
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirFmuArchive) archive = NULL;
      g_autoptr (WeirFmuDescription) description = NULL;
      g_autoptr (WeirFmuInstance) instance = NULL;
      g_autoptr (GError) error = NULL;

      if (g_str_equal (model, "clocks") && version == 2)
        continue;
      archive = weir_fmu_archive_open (path, &error);
      g_assert_no_error (error);
      description = weir_fmu_description_read (archive, diagnostics);
      g_assert_nonnull (description);
      g_assert_false (weir_diagnostics_has_errors (diagnostics));
      g_assert_cmpstr (description->token, ==, fmu.binary.token);
      g_assert_cmpuint (description->n_states, ==, fmu.binary.n_states);
      g_assert_cmpuint (description->n_indicators, ==, fmu.binary.n_indicators);
      folder = weir_fmu_archive_unpack (archive, &error);
      g_assert_no_error (error);
      fmu.binary.folder = folder;
      instance = start (&fmu, WEIR_FMU_IN_WORKER, NULL, 0);
    }
}

#define ADD(name, function)                                                                        \
  g_test_add_data_func ("/fmi/instance/" name "/2", GUINT_TO_POINTER (2), function);               \
  g_test_add_data_func ("/fmi/instance/" name "/3", GUINT_TO_POINTER (3), function)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("ball", test_ball);
  ADD ("stairs", test_stairs);
  ADD ("stairs-end", test_stairs_end);
  ADD ("types", test_types);
  ADD ("texts", test_texts);
  g_test_add_func ("/fmi/instance/arrays", test_arrays);
  ADD ("evaluate", test_evaluate);
  ADD ("stale-outputs", test_stale_outputs);
  ADD ("differentiate", test_differentiate);
  g_test_add_func ("/fmi/instance/clocks", test_clocks);
  ADD ("states", test_states);
  g_test_add_func ("/fmi/instance/states-of-threads", test_states_of_threads);
  g_test_add_func ("/fmi/instance/states-not-offered", test_states_not_offered);
  ADD ("wrong-token", test_wrong_token);
  g_test_add_func ("/fmi/instance/no-library", test_no_library);
  ADD ("truncated", test_truncated);
  g_test_add_func ("/fmi/instance/no-elf", test_no_elf);
  g_test_add_func ("/fmi/instance/other-version", test_other_version);
  ADD ("rounding", test_rounding);
  g_test_add_func ("/fmi/instance/files", test_files);
  return g_test_run ();
}

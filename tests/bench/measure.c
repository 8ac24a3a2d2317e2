/* Figures of a long curve, and the analysis of a loop.
 *
 * The reference of the curve sums values and squares of the same samples by trapezia, once, with
 * nothing else. The loop has none.
 */
#include "bench.h"

#include <math.h>

#include "analysis/analyst.h"
#include "analysis/loop.h"
#include "analysis/measure.h"
#include "linear/margins.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "system/evaluation/eval.h"

#define N_SAMPLES 10000000

typedef struct {
  double *times, *values;
} Curve;

/* A decaying oscillation of some fifty periods about 1 at uneven times. */
static void
curve_init (Curve *self)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  double t = 0;

  self->times = g_new (double, N_SAMPLES);
  self->values = g_new (double, N_SAMPLES);
  for (guint i = 0; i < N_SAMPLES; i++, t += g_rand_double_range (random, 0.5e-6, 1.5e-6))
    {
      self->times[i] = t;
      self->values[i] = 1 - exp (-0.1 * t) * cos (2 * G_PI * 5 * t);
    }
}

/* All figures of the command line, from nothing kept on. */
static void
find_figures (gpointer data, guint64 n)
{
  const Curve *curve = data;

  while (n-- > 0)
    {
      g_autoptr (WeirMeasure) measure = weir_measure_new_for_arrays (
          N_SAMPLES, curve->times, curve->values, WEIR_BETWEEN_LINES);
      g_autoptr (GArray) peaks = NULL;
      WeirStatistics statistics;
      WeirStepFigures step;
      WeirPeriodFigures period;

      weir_measure_get_statistics (measure, WEIR_ALL_TIME, &statistics);
      weir_measure_get_step (measure, WEIR_ALL_TIME, &WEIR_STEP_LEVELS, &step);
      weir_measure_get_period (measure, WEIR_ALL_TIME, &period);
      peaks = weir_measure_list_peaks (measure, WEIR_ALL_TIME, 0.1);
      bench_sink = statistics.mean + step.rise_time + period.period + peaks->len
                   + weir_measure_get_distortion (measure, &period);
    }
}

static void
sum_up (gpointer data, guint64 n)
{
  const Curve *curve = data;

  while (n-- > 0)
    {
      double sum = 0, square = 0;

      for (guint i = 1; i < N_SAMPLES; i++)
        {
          double dt = curve->times[i] - curve->times[i - 1];

          sum += dt * (curve->values[i] + curve->values[i - 1]);
          square += dt
                    * (curve->values[i] * curve->values[i]
                       + curve->values[i - 1] * curve->values[i - 1]);
        }
      bench_sink = sum + square;
    }
}

static void
measure_figures (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  Curve curve;
  BenchVariant variants[] = { { .run = find_figures, .data = &curve },
                              { .run = sum_up, .data = &curve } };

  curve_init (&curve);
  bench_compare (variants, G_N_ELEMENTS (variants), result);
  result->value /= 1e6;
  result->best_value /= 1e6;
  result->reference /= 1e6;
  result->best_reference /= 1e6;
  g_free (curve.times);
  g_free (curve.values);
}

/* --- A loop of twenty states ----------------------------------------------------------------- */

#define N_LAGS 19
#define N_FREQUENCIES 400

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  WeirAnalyst *analyst;
} Loop;

/* A reference, a comparison, an integrator and lags of different lengths, fed back. */
static void
loop_init (Loop *self)
{
  g_autoptr (GString) xml = g_string_new (
      "<?xml version=\"1.0\"?><weir version=\"1\"><diagram>"
      "<block id=\"1\" type=\"Constant\" name=\"R\" x=\"0\" y=\"0\"/>"
      "<block id=\"2\" type=\"Sum\" name=\"E\" x=\"0\" y=\"0\"><parameter name=\"signs\" "
      "value=\"+-\"/></block><block id=\"3\" type=\"Integrator\" name=\"B0\" x=\"0\" y=\"0\"/>");
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = NULL;
  g_autoptr (GBytes) bytes = NULL;

  for (guint i = 1; i <= N_LAGS; i++)
    g_string_append_printf (xml,
                            "<block id=\"%u\" type=\"Lag\" name=\"B%u\" x=\"0\" y=\"0\">"
                            "<parameter name=\"time-constant\" value=\"%g\"/></block>",
                            3 + i, i, 0.01 * i);
  g_string_append (xml, "<wire id=\"101\" from=\"1.y\" to=\"2.in1\"/>"
                        "<wire id=\"102\" from=\"2.y\" to=\"3.u\"/>");
  for (guint i = 1; i <= N_LAGS; i++)
    g_string_append_printf (xml, "<wire id=\"%u\" from=\"%u.y\" to=\"%u.u\"/>", 102 + i, 2 + i,
                            3 + i);
  g_string_append_printf (xml, "<wire id=\"200\" from=\"%u.y\" to=\"2.in2\"/></diagram></weir>",
                          3 + N_LAGS);
  bytes = g_bytes_new (xml->str, xml->len);
  model = weir_model_read_bytes (bytes, "bench", diagnostics);
  self->system = model != NULL ? weir_model_complete (model, diagnostics) : NULL;
  if (self->system == NULL)
    g_error ("the loop is no model");
  self->context = weir_system_create_context (self->system);
}

static void
analyse_loop (gpointer data, guint64 n)
{
  const Loop *self = data;

  while (n-- > 0)
    {
      const WeirAnalysisPoint point = { "B19.y", WEIR_POINT_LOOP };
      g_autoptr (WeirLoop) loop = weir_loop_new (self->system, self->context, &point, 1, NULL);
      g_autoptr (WeirLinear) l = weir_linear_scale (loop->linear, -1);
      g_autoptr (WeirMargins) margins = weir_margins_new (l);
      g_autoptr (GArray) points = weir_linear_list_frequencies (l, N_FREQUENCIES);
      g_autoptr (WeirResponse) response = weir_response_new (l);
      g_autofree double complex *values = g_new (double complex, points->len);
      g_autofree double *phases = g_new (double, points->len);

      for (guint i = 0; i < points->len; i++)
        weir_response_eval (response, g_array_index (points, double, i), &values[i]);
      weir_linear_get_phases (l, points->len, (const double *) points->data, values, phases);
      bench_sink = margins->gain.gain_margin + phases[points->len - 1];
    }
}

static void
measure_analysis (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  Loop loop;
  BenchVariant variants[] = { { .run = analyse_loop, .data = &loop } };

  loop_init (&loop);
  bench_sample (variants, 1);
  result->value = variants[0].median / 1e6;
  result->best_value = variants[0].best / 1e6;
  result->reference = result->best_reference = (double) NAN;
  weir_context_free (loop.context);
  weir_system_unref (loop.system);
}

/* What the page of linear analysis asks for each time that the gain is dragged. */
static void
drag_gain (gpointer data, guint64 n)
{
  static double gain = 1;
  const Loop *self = data;

  while (n-- > 0)
    {
      const WeirAnalysisPoint point = { "B19.y", WEIR_POINT_LOOP };
      WeirLinearQuestion question = { .system = self->system,
                                      .points = &point,
                                      .n_points = 1,
                                      .is_flipped = TRUE,
                                      .is_loop = TRUE,
                                      .gain = gain *= 1.0001,
                                      .wanted = 1u << WEIR_STAGE_STEP };
      g_autoptr (WeirLinearAnswer) answer = NULL;

      weir_simulator_options_init (&question.options);
      answer = weir_analyst_ask (self->analyst, &question, NULL);
      bench_sink = answer->margins->gain.gain_margin;
    }
}

static void
measure_drag (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  Loop loop;
  BenchVariant variants[] = { { .run = drag_gain, .data = &loop } };

  loop_init (&loop);
  loop.analyst = weir_analyst_new ();
  bench_sample (variants, 1);
  result->value = variants[0].median / 1e6;
  result->best_value = variants[0].best / 1e6;
  result->reference = result->best_reference = (double) NAN;
  weir_analyst_free (loop.analyst);
  weir_context_free (loop.context);
  weir_system_unref (loop.system);
}

const BenchRow bench_measure_rows[] = {
  { "measure-10m", "all figures of a curve of 10 000 000 samples", "ms", BENCH_VALUE_AT_MOST, 50,
    measure_figures, 0 },
  { "analysis-20", "a loop of 20 states: linearise, margins, Bode of 400 points", "ms",
    BENCH_VALUE_AT_MOST, 15, measure_analysis, 0 },
  { "analysis-drag-20", "the same loop with another gain: margins, closed poles, step", "ms",
    BENCH_VALUE_AT_MOST, 33, measure_drag, 0 },
  { NULL },
};

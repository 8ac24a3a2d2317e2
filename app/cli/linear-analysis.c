/* What `weir linearize` finds between points on wires: margins, responses, loci, poles, norms, and
 * controllers. */
#include "cli/cli-private.h"

#include <math.h>
#include <string.h>

#include "analysis/analyst.h"
#include "analysis/loop.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "blocks/library/registry.h"
#include "linear/controller.h"
#include "linear/margins.h"
#include "linear/time-response.h"
#include "linear/transfer-function.h"

#define N_FREQUENCIES 400

static const WeirListingShape margins_shape = { "margins", { "figure" }, { "omega", "value" } };
static const WeirListingShape bode_shape = { "bode",
                                             { "output", "input" },
                                             { "omega", "magnitude", "phase" } };
static const WeirListingShape nyquist_shape = { "nyquist",
                                                { "output", "input" },
                                                { "omega", "real", "imaginary" } };
static const WeirListingShape nichols_shape = { "nichols",
                                                { "output", "input" },
                                                { "omega", "phase", "decibels" } };
static const WeirListingShape locus_shape = { "rlocus",
                                              { "kind" },
                                              { "gain", "branch", "real", "imaginary" } };
static const WeirListingShape poles_shape = { "poles",
                                              { "kind" },
                                              { "real", "imaginary", "frequency", "damping" } };
static const WeirListingShape step_shape = { "step", { "figure" }, { "time", "value" } };
static const WeirListingShape impulse_shape = { "impulse", { "figure" }, { "time", "value" } };
static const WeirListingShape transfer_shape = { "transfer_function",
                                                 { "polynomial" },
                                                 { "power", "coefficient" } };
static const WeirListingShape norms_shape = { "norms", { "figure" }, { "omega", "value" } };
static const WeirListingShape matrices_shape = { "matrices",
                                                 { "matrix", "row", "column" },
                                                 { "value" } };
static const WeirListingShape design_shape = { "design",
                                               { "matrix", "row", "column" },
                                               { "value" } };

static void G_GNUC_PRINTF (2, 3) note (WeirListing *rows, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (rows->notes, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

/* --- Margins --------------------------------------------------------------------------------- */

static void
add_figure (WeirListing *rows, const char *figure, double omega, double value)
{
  weir_listing_add (rows, &figure, (const double[]) { omega, value });
}

static void
note_margins (WeirListing *rows, const WeirMargins *m)
{
  if (m->is_algebraic)
    {
      note (rows, "1 + L has no inverse at once: the closed loop is an algebraic loop without a "
                  "solution");
      return;
    }
  if (m->gain_crossings->len == 0)
    note (rows, "|L| crosses 1 nowhere: there is no phase margin and no delay margin");
  if (m->phase_crossings->len == 0)
    note (rows, "L crosses the negative real axis nowhere: there is no gain margin");
  if (m->gain.gain_margin < 1)
    note (rows, "the gain margin is below 1: the gain may fall to %.10g of what it is",
          m->gain.gain_margin);
  if (!m->is_counted)
    note (rows, "unstable poles could not be counted: the margins alone do not say that the "
                "closed loop is stable");
  else if (m->n_unstable_closed > 0)
    note (rows,
          "the closed loop is unstable, with %u pole%s to the right: the margins say how far "
          "it is from a change of that, not how safe it is",
          m->n_unstable_closed, m->n_unstable_closed == 1 ? "" : "s");
  else if (m->n_unstable_open > 0)
    note (rows, "the open loop is unstable, with %u pole%s to the right; the closed loop is stable",
          m->n_unstable_open, m->n_unstable_open == 1 ? "" : "s");
}

static void
find_margins (WeirListing *rows, const WeirLinear *l)
{
  g_autoptr (WeirMargins) m = weir_margins_new (l);
  const double none = (double) NAN;

  for (guint i = 0; i < m->phase_crossings->len; i++)
    {
      WeirCrossing c = g_array_index (m->phase_crossings, WeirCrossing, i);

      add_figure (rows, "phase_crossing", c.omega, c.gain_margin);
    }
  for (guint i = 0; i < m->gain_crossings->len; i++)
    {
      WeirCrossing c = g_array_index (m->gain_crossings, WeirCrossing, i);

      add_figure (rows, "gain_crossing", c.omega, c.phase_margin);
    }
  add_figure (rows, "gain_margin", m->gain.omega, m->gain.gain_margin);
  add_figure (rows, "phase_margin", m->phase.omega, m->phase.phase_margin);
  add_figure (rows, "delay_margin", m->delay.omega, m->delay.delay_margin);
  add_figure (rows, "sensitivity_peak", m->sensitivity_omega, m->sensitivity);
  add_figure (rows, "modulus_margin", m->sensitivity_omega, 1 / m->sensitivity);
  add_figure (rows, "complementary_peak", m->complementary_omega, m->complementary);
  add_figure (rows, "bandwidth", none, m->bandwidth);
  add_figure (rows, "bandwidth_3db", none, m->bandwidth_3db);
  if (m->is_counted)
    {
      add_figure (rows, "unstable_open", none, m->n_unstable_open);
      add_figure (rows, "unstable_closed", none, m->n_unstable_closed);
      add_figure (rows, "encirclements", none, m->encirclements);
      add_figure (rows, "stable", none, m->n_unstable_closed == 0);
    }
  note_margins (rows, m);
}

/* --- Responses ------------------------------------------------------------------------------- */

static void
add_response (WeirListing *rows, const WeirLoop *loop, guint output, guint input,
              const GArray *chosen, WeirLinearWhat what)
{
  g_autoptr (WeirLinear) picked = weir_linear_pick (loop->linear, output, input);
  g_autoptr (GArray) own = chosen == NULL ? weir_linear_list_frequencies (picked, N_FREQUENCIES)
                                          : NULL;
  const GArray *points = chosen != NULL ? chosen : own;
  g_autoptr (WeirResponse) response = weir_response_new (picked);
  g_autofree double complex *values = g_new (double complex, points->len + 1);
  g_autofree double *phases = g_new (double, points->len + 1);
  const double *omega = (const double *) (gconstpointer) points->data;
  const char *words[] = { loop->outputs->pdata[output], loop->inputs->pdata[input] };

  for (guint i = 0; i < points->len; i++)
    if (!weir_response_eval (response, omega[i], &values[i]))
      values[i] = (double) NAN;
  weir_linear_get_phases (picked, points->len, omega, values, phases);
  for (guint i = 0; i < points->len; i++)
    {
      double gain = cabs (values[i]);

      if (what == WEIR_LINEAR_BODE)
        weir_listing_add (rows, words, (const double[]) { omega[i], gain, phases[i] });
      else if (what == WEIR_LINEAR_NICHOLS)
        weir_listing_add (rows, words, (const double[]) { omega[i], phases[i], 20 * log10 (gain) });
      else
        weir_listing_add (rows, words,
                          (const double[]) { omega[i], creal (values[i]), cimag (values[i]) });
    }
}

static void
find_responses (WeirListing *rows, const WeirLoop *loop, const WeirLinearTask *task)
{
  for (guint o = 0; o < loop->outputs->len; o++)
    for (guint i = 0; i < loop->inputs->len; i++)
      add_response (rows, loop, o, i, task->frequencies, task->what);
  if (task->what == WEIR_LINEAR_NYQUIST && task->is_flipped && loop->outputs->len == 1
      && loop->inputs->len == 1)
    {
      g_autoptr (WeirMargins) m = weir_margins_new (loop->linear);

      if (m->is_counted)
        note (rows,
              "%d clockwise turns about -1, with %u unstable pole%s of the open loop: %u of "
              "the closed one",
              m->encirclements, m->n_unstable_open, m->n_unstable_open == 1 ? "" : "s",
              m->n_unstable_closed);
    }
}

/* --- Poles, loci, norms ---------------------------------------------------------------------- */

/* Frequency and damping, of a sampled system those of its continuous equal. */
static void
add_root (WeirListing *rows, const WeirLinear *linear, const char *kind, double complex root)
{
  double complex s = linear->period > 0 ? clog (root) / linear->period : root;
  double frequency = cabs (s);

  weir_listing_add (rows, &kind,
                    (const double[]) { creal (root), cimag (root), frequency,
                                       frequency > 0 ? -creal (s) / frequency : 0 });
}

static gboolean
find_poles (WeirListing *rows, const WeirLoop *loop)
{
  const WeirLinear *linear = loop->linear;
  guint n = weir_linear_get_n_states (linear);
  g_autofree double *re = g_new (double, n + 1);
  g_autofree double *im = g_new (double, n + 1);
  g_autoptr (GArray) zeros = NULL;

  if (!weir_linear_get_poles (linear, re, im))
    return FALSE;
  for (guint i = 0; i < n; i++)
    add_root (rows, linear, "pole", re[i] + WEIR_I * im[i]);
  if (linear->n_delays > 0)
    {
      note (rows, "there are delays: their poles, without number, are not listed, and zeros are of "
                  "the system without delays");
      return TRUE;
    }
  zeros = weir_linear_list_zeros (linear);
  for (guint i = 0; i < zeros->len; i++)
    add_root (rows, linear, "zero", g_array_index (zeros, double complex, i));
  return TRUE;
}

static gboolean
find_locus (WeirListing *rows, const WeirLinear *l)
{
  g_autoptr (WeirLocus) locus = weir_locus_new (l, 0);
  const char *root = "root", *meet = "break";

  if (locus == NULL)
    {
      weir_cli_complain (
          "--rlocus: there are delays or several rates in the loop, or no states: it "
          "has no locus of finitely many poles");
      return FALSE;
    }
  for (guint g = 0; g < locus->n_gains; g++)
    for (guint i = 0; i < locus->n_roots; i++)
      {
        double complex s = locus->roots[g * locus->n_roots + i];

        weir_listing_add (rows, &root,
                          (const double[]) { locus->gains[g], i + 1, creal (s), cimag (s) });
      }
  for (guint i = 0; i < locus->breaks->len; i++)
    {
      WeirLocusBreak at = g_array_index (locus->breaks, WeirLocusBreak, i);

      weir_listing_add (
          rows, &meet,
          (const double[]) { at.gain, (double) NAN, creal (at.root), cimag (at.root) });
    }
  return TRUE;
}

static void
find_norms (WeirListing *rows, const WeirLinear *linear)
{
  guint n = weir_linear_get_n_states (linear);
  g_autofree double *hankel = g_new0 (double, n + 1);
  double value, omega;
  const double none = (double) NAN;
  WeirNormOutcome outcome = weir_linear_get_peak_gain (linear, &value, &omega);

  if (outcome == WEIR_NORM_UNSTABLE)
    note (rows, "the system is unstable or on the stability limit: it has no norms");
  add_figure (rows, "hinf", omega, value);
  if (outcome == WEIR_NORM_UNSTABLE)
    return;
  outcome = weir_linear_get_h2 (linear, &value);
  add_figure (rows, "h2", none, outcome == WEIR_NORM_FOUND ? value : (double) INFINITY);
  if (weir_linear_get_hankel (linear, hankel) == WEIR_NORM_FOUND)
    for (guint i = 0; i < n; i++)
      add_figure (rows, "hankel", none, hankel[i]);
}

/* --- Time ------------------------------------------------------------------------------------- */

static void
add_step_figures (WeirListing *rows, const WeirLinearStepFigures *f)
{
  const double none = (double) NAN;

  if (!f->is_settling)
    {
      note (rows, "the response does not come to rest: there are no figures of it");
      return;
    }
  add_figure (rows, "final_value", none, f->final);
  add_figure (rows, "rise_time", none, f->rise);
  add_figure (rows, "settling_time", none, f->settling);
  add_figure (rows, "overshoot", f->overshoot > 0 ? f->peak_time : none, f->overshoot);
  add_figure (rows, "undershoot", f->undershoot_time, f->undershoot);
  add_figure (rows, "peak", f->peak_time, f->peak);
}

/* Figures, then the curve. Of an open loop that of the closed one. */
static gboolean
find_time (WeirListing *rows, const WeirLinear *linear, const WeirLinearTask *task)
{
  gboolean is_impulse = task->what == WEIR_LINEAR_IMPULSE;
  g_autoptr (WeirLinear) closed = task->is_loop ? weir_linear_close (linear)
                                                : weir_linear_dup (linear);
  g_autoptr (WeirTimeResponse) response = NULL;

  if (closed == NULL)
    {
      weir_cli_complain ("the closed loop is an algebraic loop without a solution: there is no %s",
                         is_impulse ? "impulse" : "step");
      return FALSE;
    }
  response = weir_time_response_new (closed, is_impulse, 0);
  if (response == NULL)
    {
      weir_cli_complain (
          "--impulse-response: it passes straight through the delays: there is no curve of "
          "it");
      return FALSE;
    }
  if (task->is_loop)
    note (rows, "of the closed loop L / (1 + L)");
  if (response->is_held)
    note (rows, "the response is held from row to row");
  if (!is_impulse)
    add_step_figures (rows, &response->figures);
  for (guint i = 0; i < response->n; i++)
    add_figure (rows, "response", response->times[i], response->values[i]);
  return TRUE;
}

static gboolean
find_transfer_function (WeirListing *rows, const WeirLinear *linear)
{
  g_autoptr (WeirTransferFunction) found = weir_transfer_function_new (linear);
  const char *numerator = "numerator", *denominator = "denominator";

  if (found == NULL)
    {
      weir_cli_complain ("--transfer-function: there are delays or several rates: a transfer "
                         "function of finite order does not say it all");
      return FALSE;
    }
  for (guint k = 0; k <= found->numerator_degree; k++)
    weir_listing_add (rows, &numerator,
                      (const double[]) { found->numerator_degree - k, found->numerator[k] });
  for (guint k = 0; k <= found->denominator_degree; k++)
    weir_listing_add (rows, &denominator,
                      (const double[]) { found->denominator_degree - k, found->denominator[k] });
  return TRUE;
}

/* --- Controllers ----------------------------------------------------------------------------- */

/* @text: a number or n numbers for the diagonal, or n by n. NULL after saying what is wrong. */
static WeirMatrix *
parse_weight (const char *option, const char *text, guint n)
{
  guint rows = 0, columns = 0;
  g_autofree double *values = weir_matrix_parse (text, &rows, &columns, NULL);
  WeirMatrix *weight = values != NULL ? weir_weight_new (values, rows * columns, n) : NULL;

  if (weight == NULL)
    weir_cli_complain ("%s %s: one number, %u, or %u by %u are expected", option, text, n, n, n);
  return weight;
}

static void
add_matrix (WeirListing *rows, const char *name, const WeirMatrix *m, GPtrArray *row_names,
            GPtrArray *column_names)
{
  for (guint i = 0; i < m->rows; i++)
    for (guint j = 0; j < m->columns; j++)
      {
        const double value = weir_matrix_get (m, i, j);

        weir_listing_add (
            rows, (const char *const[]) { name, row_names->pdata[i], column_names->pdata[j] },
            &value);
      }
}

/* Inputs or outputs, of several rates once for each slot; with delays, those that they are for. */
static GPtrArray *
list_signals (const WeirLoop *loop, gboolean as_inputs)
{
  const WeirLinear *linear = loop->linear;
  const GPtrArray *own = as_inputs ? loop->inputs : loop->outputs;
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (guint slot = 0; slot < linear->n_slots; slot++)
    for (guint i = 0; i < own->len; i++)
      g_ptr_array_add (names,
                       linear->n_slots == 1
                           ? g_strdup (own->pdata[i])
                           : g_strdup_printf ("%s at tick %u", (char *) own->pdata[i], slot + 1));
  for (guint i = 0; i < linear->n_delays; i++)
    g_ptr_array_add (
        names, g_strdup_printf (as_inputs ? "after %.10g s" : "before %.10g s", linear->delays[i]));
  return names;
}

static void
find_matrices (WeirListing *rows, const WeirLoop *loop)
{
  const WeirLinear *linear = loop->linear;
  g_autoptr (GPtrArray) inputs = list_signals (loop, TRUE);
  g_autoptr (GPtrArray) outputs = list_signals (loop, FALSE);

  add_matrix (rows, "A", linear->a, loop->states, loop->states);
  add_matrix (rows, "B", linear->b, loop->states, inputs);
  add_matrix (rows, "C", linear->c, outputs, loop->states);
  add_matrix (rows, "D", linear->d, outputs, inputs);
  if (linear->n_delays > 0)
    note (rows, "the last rows of C and D go into delays, and what comes out of them are the last "
                "columns of B and D");
}

static gboolean
design (WeirListing *rows, const WeirLoop *loop, const WeirLinearTask *task)
{
  const WeirLinear *linear = loop->linear;
  gboolean in_steps = linear->period > 0, is_kalman = task->what == WEIR_LINEAR_KALMAN;
  guint n = weir_linear_get_n_states (linear);
  guint other = is_kalman ? linear->n_outputs : linear->n_inputs;
  g_autoptr (WeirMatrix) states = NULL;
  g_autoptr (WeirMatrix) signals = NULL;
  g_autoptr (WeirMatrix) solution = NULL;
  g_autoptr (WeirMatrix) gain = NULL;
  const char *why = NULL;

  if (linear->n_delays > 0 || linear->n_slots > 1 || loop->states->len != n)
    {
      weir_cli_complain ("there are delays or several rates: replace them first, by a few states");
      return FALSE;
    }
  states = parse_weight (is_kalman ? "--kalman" : "--lqr", task->weights[0], n);
  signals = states == NULL ? NULL : parse_weight ("--weight", task->weights[1], other);
  if (signals == NULL)
    return FALSE;
  gain = is_kalman ? weir_design_estimator (linear->a, linear->c, states, signals, in_steps,
                                            &solution, &why)
                   : weir_design_regulator (linear->a, linear->b, states, signals, in_steps,
                                            &solution, &why);
  if (gain == NULL)
    {
      weir_cli_complain ("%s: %s", is_kalman ? "--kalman" : "--lqr", why);
      return FALSE;
    }
  if (is_kalman)
    add_matrix (rows, "L", gain, loop->states, loop->outputs);
  else
    add_matrix (rows, "K", gain, loop->inputs, loop->states);
  add_matrix (rows, is_kalman ? "P" : "X", solution, loop->states, loop->states);
  return TRUE;
}

static gboolean
place (WeirListing *rows, const WeirLoop *loop, const WeirLinearTask *task)
{
  guint n = weir_linear_get_n_states (loop->linear), rows_typed = 0, columns = 0;
  g_autofree double *values = weir_matrix_parse (task->weights[0], &rows_typed, &columns, NULL);
  g_autofree double complex *poles = values != NULL
                                         ? weir_poles_new (values, rows_typed * columns, n)
                                         : NULL;
  g_autoptr (WeirMatrix) gain = NULL;
  const char *why = NULL;

  if (poles == NULL || loop->states->len != n)
    {
      weir_cli_complain ("--place %s: %u poles are expected, or as many pairs of real and "
                         "imaginary parts",
                         task->weights[0], n);
      return FALSE;
    }
  gain = weir_design_place (loop->linear->a, loop->linear->b, poles, &why);
  if (gain == NULL)
    {
      weir_cli_complain ("--place: %s", why);
      return FALSE;
    }
  add_matrix (rows, "K", gain, loop->inputs, loop->states);
  return TRUE;
}

/* What a PI, and what a PID controller is asked for by its margin, beside the rules. */
static const char *const by_margin[] = { "margin-pi", "margin-pid" };

static void
complain_of_rule (const char *typed)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < WEIR_N_TUNES; i++)
    g_string_append_printf (names, "%s, ", weir_tune_get_name ((WeirTune) i));
  for (guint i = 0; i < G_N_ELEMENTS (by_margin); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", by_margin[i]);
  weir_cli_complain ("--tune %s: the rules are %s", typed, names->str);
  g_string_free (names, TRUE);
}

static void
add_pid (WeirListing *rows, const WeirPid *pid)
{
  add_figure (rows, "kp", (double) NAN, pid->kp);
  add_figure (rows, "ti", (double) NAN, pid->ti);
  add_figure (rows, "td", (double) NAN, pid->td);
  add_figure (rows, "series", (double) NAN, pid->is_series);
}

static void
add_process (WeirListing *rows, const WeirProcess *process)
{
  add_figure (rows, process->is_integrating ? "process_slope" : "process_gain", (double) NAN,
              process->gain);
  add_figure (rows, "process_lag", (double) NAN,
              process->is_integrating ? (double) INFINITY : process->lag);
  add_figure (rows, "process_second", (double) NAN, process->second);
  add_figure (rows, "process_delay", (double) NAN, process->delay);
}

/* Not by a rule: the controller with which the loop has what was asked for. */
static gboolean
tune_for_margin (WeirListing *rows, const WeirLinear *plant, const WeirLinearTask *task,
                 gboolean with_derivative)
{
  WeirPid pid;
  const char
      *why = "say what the loop is to have: --crossover W (rad/s) and --phase-margin DEGREES";

  if (isnan (task->crossover) || isnan (task->phase_margin)
      || !weir_tune_margin (plant, task->crossover, task->phase_margin, with_derivative,
                            task->filter, &pid, &why))
    {
      weir_cli_complain ("--tune %s: %s", task->weights[0], why);
      return FALSE;
    }
  add_pid (rows, &pid);
  if (with_derivative)
    add_figure (rows, "n", (double) NAN, fmax (task->filter, weir_tune_get_filter (pid.td)));
  return TRUE;
}

static gboolean
tune (WeirListing *rows, const WeirLinear *plant, const WeirLinearTask *task)
{
  g_autoptr (WeirMargins) m = NULL;
  WeirTune rule;
  WeirPid pid;
  WeirProcess process = { 0 };
  const char *why = NULL;
  gboolean is_ok;

  for (guint i = 0; i < G_N_ELEMENTS (by_margin); i++)
    if (g_str_equal (task->weights[0], by_margin[i]))
      return tune_for_margin (rows, plant, task, i > 0);
  if (!weir_tune_find (task->weights[0], &rule))
    {
      complain_of_rule (task->weights[0]);
      return FALSE;
    }
  if (weir_tune_is_ultimate (rule))
    {
      m = weir_margins_new (plant);
      is_ok = m->phase_crossings->len > 0 && m->gain.omega > 0;
      why = "L crosses the negative real axis nowhere: no gain makes the loop oscillate";
      if (is_ok)
        weir_tune_ultimate (rule, m->gain.gain_margin, 2 * G_PI / m->gain.omega, &pid);
    }
  else
    {
      is_ok = weir_process_find (plant, rule == WEIR_TUNE_SIMC && !task->is_pi, &process, &why);
      if (is_ok && !weir_tune (rule, &process, task->closed, &pid))
        {
          is_ok = FALSE;
          why = "the rule needs a delay, or a time constant of the closed loop (--closed)";
        }
    }
  if (!is_ok)
    {
      weir_cli_complain ("--tune %s: %s", task->weights[0], why);
      return FALSE;
    }
  if (!weir_tune_is_ultimate (rule))
    add_process (rows, &process);
  add_pid (rows, &pid);
  return TRUE;
}

/* --- All of it ------------------------------------------------------------------------------- */

static gboolean
is_single (const WeirLoop *loop, const char *what)
{
  if (loop->inputs->len == 1 && loop->outputs->len == 1)
    return TRUE;
  weir_cli_complain ("%s is of one input and one output, and there are %u and %u", what,
                     loop->inputs->len, loop->outputs->len);
  return FALSE;
}

static const WeirListingShape *
get_shape (WeirLinearWhat what)
{
  switch (what)
    {
    case WEIR_LINEAR_MARGINS:
      return &margins_shape;
    case WEIR_LINEAR_BODE:
      return &bode_shape;
    case WEIR_LINEAR_NYQUIST:
      return &nyquist_shape;
    case WEIR_LINEAR_NICHOLS:
      return &nichols_shape;
    case WEIR_LINEAR_LOCUS:
      return &locus_shape;
    case WEIR_LINEAR_POLES:
      return &poles_shape;
    case WEIR_LINEAR_STEP:
      return &step_shape;
    case WEIR_LINEAR_IMPULSE:
      return &impulse_shape;
    case WEIR_LINEAR_TRANSFER_FUNCTION:
      return &transfer_shape;
    case WEIR_LINEAR_NORMS:
    case WEIR_LINEAR_TUNE:
      return &norms_shape;
    case WEIR_LINEAR_MATRICES:
      return &matrices_shape;
    case WEIR_LINEAR_LQR:
    case WEIR_LINEAR_KALMAN:
    case WEIR_LINEAR_PLACE:
    default:
      return &design_shape;
    }
}

static gboolean
find (WeirListing *rows, WeirLoop *loop, const WeirLinearTask *task)
{
  switch (task->what)
    {
    case WEIR_LINEAR_MARGINS:
      if (!is_single (loop, "--margins"))
        return FALSE;
      find_margins (rows, loop->linear);
      return TRUE;
    case WEIR_LINEAR_BODE:
    case WEIR_LINEAR_NYQUIST:
    case WEIR_LINEAR_NICHOLS:
      find_responses (rows, loop, task);
      return TRUE;
    case WEIR_LINEAR_LOCUS:
      return is_single (loop, "--rlocus") && find_locus (rows, loop->linear);
    case WEIR_LINEAR_POLES:
      return find_poles (rows, loop);
    case WEIR_LINEAR_STEP:
      return is_single (loop, "--step-response") && find_time (rows, loop->linear, task);
    case WEIR_LINEAR_IMPULSE:
      return is_single (loop, "--impulse-response") && find_time (rows, loop->linear, task);
    case WEIR_LINEAR_TRANSFER_FUNCTION:
      return is_single (loop, "--transfer-function") && find_transfer_function (rows, loop->linear);
    case WEIR_LINEAR_NORMS:
      find_norms (rows, loop->linear);
      return TRUE;
    case WEIR_LINEAR_MATRICES:
      find_matrices (rows, loop);
      return TRUE;
    case WEIR_LINEAR_LQR:
    case WEIR_LINEAR_KALMAN:
      return design (rows, loop, task);
    case WEIR_LINEAR_PLACE:
      return place (rows, loop, task);
    case WEIR_LINEAR_TUNE:
    default:
      return is_single (loop, "--tune") && tune (rows, loop->linear, task);
    }
}

/* --- Pictures -------------------------------------------------------------------------------- */

/* What the page Analysis calls it; NULL: there is no picture of it. */
static const char *
get_picture (WeirLinearWhat what, guint *wanted)
{
  switch (what)
    {
    case WEIR_LINEAR_BODE:
      return "bode";
    case WEIR_LINEAR_NYQUIST:
      return "nyquist";
    case WEIR_LINEAR_NICHOLS:
      return "nichols";
    case WEIR_LINEAR_POLES:
      return "poles";
    case WEIR_LINEAR_LOCUS:
      *wanted = 1u << WEIR_STAGE_LOCUS;
      return "locus";
    case WEIR_LINEAR_STEP:
      *wanted = 1u << WEIR_STAGE_STEP;
      return "step";
    case WEIR_LINEAR_IMPULSE:
      *wanted = 1u << WEIR_STAGE_IMPULSE;
      return "impulse";
    case WEIR_LINEAR_MARGINS:
    case WEIR_LINEAR_NORMS:
    case WEIR_LINEAR_TRANSFER_FUNCTION:
    case WEIR_LINEAR_MATRICES:
    case WEIR_LINEAR_LQR:
    case WEIR_LINEAR_KALMAN:
    case WEIR_LINEAR_PLACE:
    case WEIR_LINEAR_TUNE:
    default:
      return NULL;
    }
}

gboolean
weir_linear_analysis_draws (WeirLinearWhat what)
{
  guint wanted = 0;

  return get_picture (what, &wanted) != NULL;
}

/* @loop: its sign is as it is to be. */
static WeirExit
draw (const char *file, const WeirLoop *loop, const WeirLinearTask *task)
{
  WeirLinearQuestion question = { .is_loop = task->is_loop, .gain = 1 };
  const char *picture = get_picture (task->what, &question.wanted);
  g_autoptr (WeirLinearAnswer) answer = NULL;
  g_autoptr (GError) error = NULL;

  if (!is_single (loop, "a picture"))
    return WEIR_EXIT_RUN;
  answer = weir_linear_answer_new (loop, &question, &error);
  if (answer != NULL
      && weir_cli_get_painter ()->write_analysis (answer, picture, task->picture, task->is_dark,
                                                  &error))
    return WEIR_EXIT_OK;
  weir_cli_complain ("%s: %s", file, error->message);
  return WEIR_EXIT_RUN;
}

WeirExit
weir_linear_write_mat (const WeirLinear *linear, const char *path)
{
  g_autoptr (GBytes) bytes = weir_linear_to_mat (linear);
  g_autoptr (GError) error = NULL;

  if (weir_file_write (path, bytes, 0666, &error))
    return WEIR_EXIT_OK;
  weir_cli_complain ("%s", error->message);
  return WEIR_EXIT_RUN;
}

/* --- What is looked at ----------------------------------------------------------------------- */

/* @linear: taken over. */
static void
replace (WeirLoop *loop, WeirLinear *linear)
{
  weir_linear_free (loop->linear);
  loop->linear = linear;
}

static gboolean
sample (WeirLoop *loop, const WeirLinearTask *task)
{
  WeirLinear *sampled;

  if (loop->linear->period > 0)
    {
      weir_cli_complain (
          "--sampled: the model is sampled between these points, in steps of %.10g s",
          loop->linear->period);
      return FALSE;
    }
  sampled = weir_linear_sample (loop->linear, task->sampling, task->period, task->prewarp);
  if (sampled == NULL)
    {
      weir_cli_complain (loop->linear->n_delays > 0
                             ? "--sampled: there are delays: put a ZeroOrderHold before them, and "
                               "its samples are exact"
                             : "--sampled: Tustin's rule has no value for a pole of this system");
      return FALSE;
    }
  replace (loop, sampled);
  return TRUE;
}

/* Nothing that is added reaches what is measured. */
static gboolean
is_constant (const WeirLinear *linear)
{
  g_autoptr (WeirLinear) pruned = weir_linear_prune (linear);

  return weir_linear_get_n_states (pruned) == 0 && pruned->n_delays == 0
         && weir_matrix_get_max (pruned->d) == 0;
}

WeirExit
weir_linear_analysis_print (const char *file, WeirLoop *loop, const WeirLinearTask *task)
{
  g_auto (WeirListing) rows = { 0 };

  if (task->is_flipped)
    replace (loop, weir_linear_scale (loop->linear, -1));
  if (task->period > 0 && !sample (loop, task))
    return WEIR_EXIT_RUN;
  weir_listing_init (&rows, file, get_shape (task->what));
  for (guint i = 0; i < loop->notes->len; i++)
    g_ptr_array_add (rows.notes, g_strdup (loop->notes->pdata[i]));
  if (is_constant (loop->linear))
    note (&rows, "what is added there does not reach what is measured: the signal is constant");
  if (task->is_flipped)
    note (&rows, "the sign is flipped: what is shown decides as 1 + L, 1 / (1 + L) or "
                 "L / (1 + L), of a loop with negative feedback");
  if (task->period > 0)
    note (&rows, "sampled in steps of %.10g s", task->period);
  else if (loop->linear->period > 0)
    note (&rows, "sampled: %u tick%s in %.10g s; perturbations are held from tick to tick",
          loop->linear->n_slots, loop->linear->n_slots == 1 ? "" : "s", loop->linear->period);
  if (task->picture != NULL || task->mat != NULL)
    {
      weir_listing_tell (&rows);
      return task->mat != NULL ? weir_linear_write_mat (loop->linear, task->mat)
                               : draw (file, loop, task);
    }
  if (!find (&rows, loop, task))
    return WEIR_EXIT_RUN;
  weir_listing_print (&rows, task->as_json, task->as_csv);
  return WEIR_EXIT_OK;
}

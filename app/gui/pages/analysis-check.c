/* Linear answers beside runs of the model itself. See analysis-page-private.h.
 *
 * Something small is added to the signal at the point, while the model runs as it is, no loop
 * opened: of a run with it and one without, the difference is what it makes. What is measured right
 * before and after the place where it is added says all of L, S and T: -before / after, after /
 * added, -before / added. Of a sine the part at its frequency is taken over whole periods, once
 * what began with it has faded.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "gui/pages/analysis-page-private.h"
#include "gui/pages/analysis-wiring.h"
#include "library/run-settings.h"
#include "model/completion/completion.h"
#include "model/tree/analysis-points.h"
#include "sim/recorder.h"
#include "system/evaluation/eval.h"

#define SMALL 0.01 /* of the signal that it is added to */
#define N_FREQUENCIES 7
#define PER_PERIOD 64 /* samples; PER_STEP a step */
#define N_PERIODS 2   /* that are looked at */
#define STEPS 100.    /* of a solver in a period, at least */
#define N_STEP 400
#define N_FADING 12.    /* time constants until what began has faded */
#define MOST_FADING 1e4 /* of the longest period that is looked at */
#define RELATIVE 1e-9   /* tolerances, of what is added */

struct _WeirCheckQuestion {
  WeirModel *model;
  WeirLinear *linear;   /* the pair, its sign flipped if asked, without the gain */
  char *input, *output; /* ports; @output NULL: the signal that is added to */
  gboolean is_after;    /* that is measured with what is added */
  gboolean is_cut;      /* the linear system is of what is after the addition */
  double sign;
  double input_at, output_at; /* of a sampled model, as in WeirLoop */
  GArray *times, *steps;      /* double: what is expected of a step; NULL: sines are asked for */
  double at, fading;          /* s */
  double from, to;            /* rad/s */
};

/* --- What is compared ------------------------------------------------------------------------- */

void
weir_check_question_free (WeirCheckQuestion *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->model, weir_model_unref);
  g_clear_pointer (&self->linear, weir_linear_free);
  g_clear_pointer (&self->times, g_array_unref);
  g_clear_pointer (&self->steps, g_array_unref);
  g_free (self->input);
  g_free (self->output);
  g_free (self);
}

/* The time constant that is longest. FALSE: it does not fade. */
static gboolean
find_fading (const GArray *poles, double period, double *fading)
{
  for (guint i = 0; i < poles->len; i++)
    {
      double complex pole = g_array_index (poles, double complex, i);
      double rate = period > 0 ? -log (fmax (cabs (pole), 1e-300)) / period : -creal (pole);

      if (!(rate > 0))
        return FALSE;
      *fading = fmax (*fading, N_FADING / rate);
    }
  return TRUE;
}

/* How long what begins takes to fade while the model runs as it is. */
static gboolean
choose_fading (WeirCheckQuestion *self, const WeirLinearAnswer *answer)
{
  double stop = 0;
  WeirSimulatorOptions options;
  gboolean is_stable = TRUE;

  weir_model_get_run_settings (self->model, &options, &stop);
  if (answer->margins != NULL && answer->margins->is_counted)
    is_stable = answer->gain != 1 || answer->margins->n_unstable_closed == 0;
  if (answer->is_loop && answer->gain == 1 && answer->closed_poles != NULL)
    is_stable = is_stable
                && find_fading (answer->closed_poles, self->linear->period, &self->fading);
  else if (!self->is_cut)
    is_stable = find_fading (answer->poles, self->linear->period, &self->fading);
  else
    self->fading = stop;
  if (answer->step != NULL && answer->step->figures.is_settling && !self->is_cut)
    self->fading = fmax (self->fading, 2 * answer->step->figures.settling);
  return is_stable;
}

static void
choose_range (WeirCheckQuestion *self, const WeirLinearAnswer *answer)
{
  const GArray *list = answer->frequencies;
  double first = g_array_index (list, double, 0);
  double last = g_array_index (list, double, list->len - 1);
  double middle = sqrt (first * last);

  if (answer->margins != NULL && answer->margins->phase.omega > 0)
    middle = answer->margins->phase.omega;
  else if (answer->margins != NULL && answer->margins->gain.omega > 0)
    middle = answer->margins->gain.omega;
  if (self->linear->period > 0)
    last = fmin (last, 0.9 * G_PI * self->linear->n_slots / self->linear->period);
  self->from = fmax (first, middle / 5);
  self->to = fmin (last, middle * 5);
  self->from = fmin (fmax (self->from, G_PI / (2 * self->fading + 1e-9)), self->to);
}

/* The signal of a pair between points: FALSE and @why where it is not checked so. */
static gboolean
choose_between (WeirCheckQuestion *self, const WeirLinearQuestion *asked,
                const WeirLinearAnswer *answer, const char **why)
{
  const WeirLoop *loop = answer->loop;
  const char *input = loop->inputs->pdata[MIN (asked->input, loop->inputs->len - 1)];
  const char *output = loop->outputs->pdata[MIN (asked->output, loop->outputs->len - 1)];

  *why = _ ("Only between points that are opened where something is added, or nowhere, does the "
            "model as it runs say what is asked.");
  for (guint i = 0; i < asked->n_points; i++)
    {
      const WeirAnalysisPoint *point = &asked->points[i];
      gboolean is_own = g_str_equal (point->path, input);

      if ((point->kinds & WEIR_POINT_BREAK) != 0 && !is_own)
        return FALSE;
      if (is_own)
        self->is_cut = (point->kinds & WEIR_POINT_BREAK) != 0;
      if (is_own && g_str_has_prefix (output, input))
        self->is_after = (point->kinds & WEIR_POINT_OUTPUT) == 0
                         || g_str_has_suffix (output, " after");
    }
  self->input = g_strdup (input);
  if (!g_str_equal (output, input) && !g_str_has_suffix (output, " after"))
    self->output = g_strdup (output);
  return TRUE;
}

WeirCheckQuestion *
weir_check_question_new (WeirModel *model, const WeirLinearQuestion *asked, gboolean is_of_loop,
                         const WeirLinearAnswer *answer, gboolean is_step, const char **why)
{
  WeirCheckQuestion *self = g_new0 (WeirCheckQuestion, 1);
  const WeirLoop *loop = answer->loop;

  self->model = weir_model_ref (model);
  self->linear = weir_linear_dup (answer->linear);
  self->sign = asked->is_flipped ? -1 : 1;
  self->at = asked->at;
  if (is_of_loop)
    {
      self->input = g_strdup (asked->points[0].path);
      self->is_cut = asked->is_loop && !is_step;
      self->is_after = !asked->is_flipped;
      *why = NULL;
    }
  else if (!choose_between (self, asked, answer, why))
    goto refused;
  if (loop->input_at != NULL)
    {
      self->input_at = loop->input_at[MIN (asked->input, loop->inputs->len - 1)];
      self->output_at = loop->output_at[MIN (asked->output, loop->outputs->len - 1)];
    }
  *why = _ ("Only signals of one element are checked by simulation.");
  if (strchr (self->input, '[') != NULL
      || (self->output != NULL && strchr (self->output, '[') != NULL))
    goto refused;
  *why = _ ("A step is checked of a loop that is closed, with a gain of 1, and without samples: "
            "choose Bode for sines.");
  if (is_step
      && (answer->step == NULL || self->is_cut || answer->gain != 1 || self->linear->period > 0))
    goto refused;
  *why = _ ("The model runs with its loop closed, and that is unstable: there is nothing to "
            "measure.");
  if (!choose_fading (self, answer))
    goto refused;
  if (is_step)
    {
      self->times = g_array_new (FALSE, FALSE, sizeof (double));
      self->steps = g_array_new (FALSE, FALSE, sizeof (double));
      g_array_append_vals (self->times, answer->step->times, answer->step->n);
      g_array_append_vals (self->steps, answer->step->values, answer->step->n);
    }
  choose_range (self, answer);
  *why = NULL;
  return self;

refused:
  weir_check_question_free (self);
  return NULL;
}

/* --- The model with something added ----------------------------------------------------------- */

typedef struct {
  WeirModel *model;
  char *ports[4]; /* before, added, after; and what else is measured, or NULL */
} Rig;

static void
rig_clear (Rig *self)
{
  g_clear_pointer (&self->model, weir_model_unref);
  for (guint i = 0; i < G_N_ELEMENTS (self->ports); i++)
    g_free (self->ports[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rig, rig_clear)

static char *
dup_number (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_dtostr (text, sizeof text, value));
}

/* A source, in a sampled model held from when the signal changes on; @size 0: the model as it is,
 * for the same steps. */
static guint32
add_source (const WeirCheckQuestion *self, WeirWiring *wiring, double size, double frequency)
{
  const WeirPoint at = { 0, 0 };
  g_autofree char *amplitude = dup_number (size), *turns = dup_number (frequency);
  g_autofree char *time = dup_number (self->at);
  const char *const sine[] = { "amplitude", amplitude, "frequency", turns, NULL };
  const char *const step[] = { "time", time, "after", amplitude, NULL };
  gboolean is_step = self->times != NULL;
  guint32 source = weir_wiring_add (wiring, is_step ? "Step" : "Sine", "Added", at, FALSE,
                                    is_step ? step : sine);

  if (self->linear->period > 0 && self->input_at >= 0)
    {
      g_autofree char *period = dup_number (self->linear->period / self->linear->n_slots);
      g_autofree char *offset = dup_number (self->input_at);
      const char *const hold[] = { "period", period, "offset", offset, NULL };
      guint32 held = weir_wiring_add (wiring, "ZeroOrderHold", "Held", at, FALSE, hold);

      weir_wiring_connect (wiring, source, "y", held, "u");
      return held;
    }
  return source;
}

static gboolean
make_rig (const WeirCheckQuestion *self, double size, double frequency, Rig *rig, GError **error)
{
  g_auto (WeirWiring) wiring = { 0 };
  g_autoptr (WeirPatch) patch = NULL;
  g_autofree char *inside = NULL;
  guint32 sum;

  if (!weir_wiring_init (&wiring, self->model, self->input))
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_NOT_FOUND, _ ("%s: there is no block to add to"),
                   self->input);
      return FALSE;
    }
  sum = weir_wiring_add (&wiring, "Sum", "Perturbed", (WeirPoint) { 0, 0 }, FALSE,
                         (const char *const[]) { NULL });
  weir_wiring_connect_end (&wiring, weir_wiring_divert (&wiring, self->input, sum), sum, "in1");
  weir_wiring_connect (&wiring, add_source (self, &wiring, size, frequency), "y", sum, "in2");
  patch = weir_wiring_finish (&wiring);
  rig->model = weir_model_apply (self->model, patch, NULL, error);
  if (rig->model == NULL)
    return FALSE;
  inside = weir_model_dup_block_path (rig->model, sum);
  rig->ports[0] = g_strconcat (inside, ".in1", NULL);
  rig->ports[1] = g_strconcat (inside, ".in2", NULL);
  rig->ports[2] = g_strconcat (inside, ".y", NULL);
  rig->ports[3] = g_strdup (self->output);
  return TRUE;
}

/* --- Runs ------------------------------------------------------------------------------------- */

/* Runs to @until, a row each @every. (transfer full) */
static WeirRecorder *
run_rig (const Rig *rig, double size, double every, double longest, double until,
         const gint *cancel, GError **error)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirSystem) system = weir_model_complete (rig->model, diagnostics);
  g_autoptr (WeirContext) context = system != NULL ? weir_system_create_context (system) : NULL;
  const char *const ports[] = { rig->ports[0], rig->ports[1], rig->ports[2], rig->ports[3], NULL };
  g_autoptr (WeirRecorder) recorder = NULL;
  g_autoptr (WeirSimulator) simulator = NULL;
  WeirSimulatorOptions options;

  if (system == NULL)
    {
      g_set_error_literal (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                           _ ("With something added to that signal the model has errors."));
      return NULL;
    }
  weir_model_get_run_settings (rig->model, &options, NULL);
  options.relative_tolerance = fmin (options.relative_tolerance, RELATIVE);
  options.absolute_tolerance = fmin (options.absolute_tolerance, RELATIVE * size);
  options.max_step = options.max_step > 0 ? fmin (options.max_step, longest) : longest;
  options.record_interval = every;
  recorder = weir_recorder_new (system, ports, FALSE, error);
  simulator = recorder != NULL ? weir_simulator_new (system, context, &options, error) : NULL;
  if (simulator == NULL)
    return NULL;
  weir_simulator_set_cancel (simulator, cancel);
  weir_simulator_set_monitor (simulator, weir_recorder_monitor, recorder);
  if (!weir_simulator_initialize (simulator, error)
      || !weir_simulator_advance_to (simulator, until, error))
    return NULL;
  return g_steal_pointer (&recorder);
}

/* What an addition of @size makes of the model: two runs, to be taken one from the other. */
typedef struct {
  WeirRecorder *with, *without;
} Pair;

static void
pair_clear (Pair *self)
{
  g_clear_pointer (&self->with, weir_recorder_unref);
  g_clear_pointer (&self->without, weir_recorder_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pair, pair_clear)

static gboolean
run_pair (const WeirCheckQuestion *self, double size, double frequency, double every,
          double longest, double until, const gint *cancel, Pair *pair, GError **error)
{
  g_auto (Rig) rig = { 0 };
  g_auto (Rig) still = { 0 };

  if (!make_rig (self, size, frequency, &rig, error)
      || !make_rig (self, 0, frequency, &still, error))
    return FALSE;
  pair->with = run_rig (&rig, size, every, longest, until, cancel, error);
  pair->without = pair->with != NULL ? run_rig (&still, size, every, longest, until, cancel, error)
                                     : NULL;
  return pair->without != NULL;
}

static double
get_difference (const Pair *pair, guint signal, gsize row)
{
  return weir_recorder_get_value (pair->with, signal, row)
         - weir_recorder_get_value (pair->without, signal, row);
}

static guint
get_measured (const WeirCheckQuestion *self)
{
  return self->output != NULL ? 3 : self->is_after ? 2 : 0;
}

/* A hundredth of what the signal comes to in a run of the model. */
static gboolean
find_size (const WeirCheckQuestion *self, const gint *cancel, double *size, GError **error)
{
  g_auto (Rig) rig = { 0 };
  g_autoptr (WeirRecorder) recorder = NULL;
  WeirSimulatorOptions options;
  double stop, largest = 0;

  weir_model_get_run_settings (self->model, &options, &stop);
  stop = fmax (stop > 0 ? stop : 10, self->at);
  if (!make_rig (self, 0, 1, &rig, error))
    return FALSE;
  recorder = run_rig (&rig, 1, stop / N_STEP, stop / 50, stop, cancel, error);
  if (recorder == NULL)
    return FALSE;
  for (gsize i = 0; i < weir_recorder_get_n_rows (recorder); i++)
    largest = fmax (largest, fabs (weir_recorder_get_value (recorder, 0, i)));
  *size = largest > 0 && isfinite (largest) ? SMALL * largest : SMALL;
  return TRUE;
}

/* --- Sines ------------------------------------------------------------------------------------ */

static double complex
find_part (const Pair *pair, guint signal, gsize n_rows, guint n, double omega, double every)
{
  double complex sum = 0;

  for (gsize i = n_rows - 1 - (gsize) n * N_PERIODS; i < n_rows - 1; i++)
    sum += get_difference (pair, signal, i) * cexp (-WEIR_I * omega * every * (double) i);
  return sum;
}

/* One frequency; @omega: (inout) in a sampled model one whose period is so many ticks. */
static gboolean
measure (const WeirCheckQuestion *self, double size, double *omega, double complex *value,
         const gint *cancel, GError **error)
{
  double tick = self->linear->period / self->linear->n_slots, period = 2 * G_PI / *omega, every;
  guint n = PER_PERIOD;
  gsize n_rows;
  double until;
  g_auto (Pair) pair = { 0 };

  if (tick > 0)
    {
      n = self->linear->n_slots * (guint) fmax (3, rint (period / tick / self->linear->n_slots));
      period = n * tick;
      *omega = 2 * G_PI / period;
    }
  every = period / n;
  until = (ceil ((self->at + self->fading) / period) + N_PERIODS) * period;
  if (!run_pair (self, size, 1 / period, every, period / STEPS, until, cancel, &pair, error))
    return FALSE;
  n_rows = MIN (weir_recorder_get_n_rows (pair.with), weir_recorder_get_n_rows (pair.without));
  if (n_rows <= (gsize) n * N_PERIODS)
    {
      g_set_error_literal (error, WEIR_ERROR, WEIR_ERROR_FAILED,
                           _ ("The run ended before there was enough of it to measure."));
      return FALSE;
    }
  *value = self->sign * find_part (&pair, get_measured (self), n_rows, n, *omega, every)
           / find_part (&pair, self->is_cut ? 2 : 1, n_rows, n, *omega, every);
  /* A row is what was there right before its tick: what is held is the last sample there. */
  if (tick > 0 && (self->input_at >= 0) != (self->output_at >= 0))
    *value *= cexp ((self->output_at >= 0 ? 1 : -1) * WEIR_I * *omega * tick);
  return TRUE;
}

static void
add_value (WeirCheck *check, double x, double complex value, double complex expected, double off)
{
  g_array_append_val (check->x, x);
  g_array_append_val (check->values, value);
  g_array_append_val (check->expected, expected);
  if (off > check->worst || check->x->len == 1)
    {
      check->worst = off;
      check->worst_at = x;
    }
}

static gboolean
check_sines (const WeirCheckQuestion *self, WeirCheck *check, const gint *cancel, GError **error)
{
  g_autoptr (WeirResponse) response = weir_response_new (self->linear);

  for (guint i = 0; i < N_FREQUENCIES; i++)
    {
      double omega = self->from * pow (self->to / self->from, i / (N_FREQUENCIES - 1.));
      double complex value, expected;

      if (!measure (self, check->size, &omega, &value, cancel, error))
        return FALSE;
      if (weir_response_eval (response, omega, &expected) && isfinite (cabs (value))
          && (check->x->len == 0 || omega != g_array_index (check->x, double, check->x->len - 1)))
        add_value (check, omega, value, expected, cabs (value - expected) / cabs (expected));
    }
  return TRUE;
}

/* --- A step ----------------------------------------------------------------------------------- */

/* Between two points of a response, by a line. */
static double
interpolate (const WeirCheckQuestion *self, double t, guint *at)
{
  const double *times = (const double *) (gconstpointer) self->times->data;
  const double *values = (const double *) (gconstpointer) self->steps->data;

  while (*at + 2 < self->times->len && times[*at + 1] < t)
    ++*at;
  return values[*at]
         + (values[*at + 1] - values[*at]) * (t - times[*at]) / (times[*at + 1] - times[*at]);
}

static gboolean
check_step (const WeirCheckQuestion *self, WeirCheck *check, const gint *cancel, GError **error)
{
  double length = g_array_index (self->times, double, self->times->len - 1);
  double every = length / N_STEP, largest = 0;
  g_auto (Pair) pair = { 0 };
  guint place = 0;
  gsize n_rows;

  for (guint i = 0; i < self->steps->len; i++)
    largest = fmax (largest, fabs (g_array_index (self->steps, double, i)));
  if (!run_pair (self, check->size, 1, every, every, self->at + length, cancel, &pair, error))
    return FALSE;
  n_rows = MIN (weir_recorder_get_n_rows (pair.with), weir_recorder_get_n_rows (pair.without));
  for (gsize i = 0; i < n_rows; i++)
    {
      double t = weir_recorder_get_time (pair.with, i) - self->at, value, expected;

      if (!(t > 0) || t > length)
        continue;
      value = self->sign * get_difference (&pair, get_measured (self), i) / check->size;
      expected = interpolate (self, t, &place);
      add_value (check, t, value, expected, fabs (value - expected) / largest);
    }
  return TRUE;
}

/* --- The whole -------------------------------------------------------------------------------- */

WeirCheck *
weir_check_new (const WeirCheckQuestion *question, const gint *cancel, GError **error)
{
  g_autoptr (WeirCheck) check = g_new0 (WeirCheck, 1);

  check->is_step = question->times != NULL;
  check->x = g_array_new (FALSE, FALSE, sizeof (double));
  check->values = g_array_new (FALSE, FALSE, sizeof (double complex));
  check->expected = g_array_new (FALSE, FALSE, sizeof (double complex));
  if (!find_size (question, cancel, &check->size, error)
      || !(check->is_step ? check_step : check_sines) (question, check, cancel, error))
    return NULL;
  return g_steal_pointer (&check);
}

void
weir_check_free (WeirCheck *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->x);
  g_array_unref (self->values);
  g_array_unref (self->expected);
  g_free (self);
}

/* WeirAnalyst. See analyst.h.
 *
 * Of each stage a few results are kept, by the bytes of their prerequisites: what stands before is
 * named by its own result, which is never given up while something made from it is kept. The
 * numbers of a loop are such bytes too, so that what is computed from them survives a new operating
 * point that gives the same numbers.
 */
#include "analysis/analyst.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "system/evaluation/eval.h"

#define N_KEPT 4 /* of a stage: as many as there are ways to look at one loop */
#define N_FREQUENCIES 400

/* One result; atomically counted. */
typedef struct {
  GBytes *key;
  gpointer before; /* Result that its key names, or NULL */
  gpointer value;
  GDestroyNotify free_value;
} Result;

struct _WeirAnalyst {
  Result *kept[WEIR_N_STAGES][N_KEPT]; /* the last one used first */
  gboolean is_keeping;
};

/* --- Results ---------------------------------------------------------------------------------- */

static void
result_clear (gpointer data)
{
  Result *self = data;

  g_bytes_unref (self->key);
  if (self->value != NULL)
    self->free_value (self->value);
  if (self->before != NULL)
    g_atomic_rc_box_release_full (self->before, result_clear);
}

static void
result_unref (Result *self)
{
  g_atomic_rc_box_release_full (self, result_clear);
}

WeirAnalyst *
weir_analyst_new (void)
{
  WeirAnalyst *self = g_new0 (WeirAnalyst, 1);

  self->is_keeping = TRUE;
  return self;
}

void
weir_analyst_free (WeirAnalyst *self)
{
  for (guint stage = 0; stage < WEIR_N_STAGES; stage++)
    for (guint i = 0; i < N_KEPT; i++)
      if (self->kept[stage][i] != NULL)
        result_unref (self->kept[stage][i]);
  g_free (self);
}

void
weir_analyst_set_keeping (WeirAnalyst *self, gboolean is_keeping)
{
  self->is_keeping = is_keeping;
}

/* Moves the result at @i to the front. */
static void
use (Result **kept, guint i)
{
  Result *result = kept[i];

  memmove (kept + 1, kept, i * sizeof *kept);
  kept[0] = result;
}

static Result *
find_kept (WeirAnalyst *self, WeirAnalystStage stage, GBytes *key)
{
  Result **kept = self->kept[stage];

  for (guint i = 0; i < N_KEPT && self->is_keeping; i++)
    if (kept[i] != NULL && g_bytes_equal (kept[i]->key, key))
      {
        use (kept, i);
        return kept[0];
      }
  return NULL;
}

/* --- One question under way ------------------------------------------------------------------ */

typedef struct {
  WeirAnalyst *analyst;
  const WeirLinearQuestion *question;
  WeirLinearAnswer *answer;
  WeirLinear *linear; /* the pair, its sign flipped if asked */
  WeirLinear *scaled; /* with the gain */
  WeirLinear *whole;  /* all pairs, with the gain */
  GError **error;
} Asking;

typedef gpointer (*ComputeFunc) (
    Asking *self); /* NULL: there is no such thing; or an error is set */

/* The value of a stage, as it was found or computed now. @before: (nullable) what @key names. */
static gpointer
get_stage (Asking *self, WeirAnalystStage stage, GByteArray *key, Result *before,
           ComputeFunc compute, GDestroyNotify free_value)
{
  g_autoptr (GBytes) bytes = g_byte_array_free_to_bytes (key);
  Result **kept = self->analyst->kept[stage], *result = find_kept (self->analyst, stage, bytes);
  gpointer value;

  if (result != NULL)
    self->answer->n_hits++;
  else
    {
      value = compute (self);
      if (*self->error != NULL)
        return NULL;
      result = g_atomic_rc_box_new0 (Result);
      *result = (Result) { g_bytes_ref (bytes),
                           before != NULL ? g_atomic_rc_box_acquire (before) : NULL, value,
                           free_value };
      self->answer->n_misses++;
      self->answer->computed |= 1u << stage;
      if (kept[N_KEPT - 1] != NULL)
        result_unref (kept[N_KEPT - 1]);
      kept[N_KEPT - 1] = result;
      use (kept, N_KEPT - 1);
    }
  self->answer->stages[stage] = g_atomic_rc_box_acquire (result);
  return result->value;
}

static void
add_bytes (GByteArray *key, gconstpointer bytes, gsize size)
{
  g_byte_array_append (key, bytes, (guint) size);
}

static void
add_number (GByteArray *key, double number)
{
  add_bytes (key, &number, sizeof number);
}

static void
add_pointer (GByteArray *key, gconstpointer pointer)
{
  add_bytes (key, &pointer, sizeof pointer);
}

static void
add_matrix (GByteArray *key, const WeirMatrix *m)
{
  add_bytes (key, &m->rows, sizeof m->rows);
  add_bytes (key, &m->columns, sizeof m->columns);
  add_bytes (key, m->v, sizeof (double) * m->rows * m->columns);
}

/* --- The operating point ---------------------------------------------------------------------- */

typedef struct {
  WeirSystem *system; /* so that no other gets its address */
  WeirContext *context;
  GPtrArray *notes;
} Point;

static void
point_free (gpointer data)
{
  Point *self = data;

  g_clear_pointer (&self->context, weir_context_free);
  g_clear_pointer (&self->system, weir_system_unref);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_free (self);
}

static gpointer
compute_point (Asking *self)
{
  const WeirLinearQuestion *question = self->question;
  Point *point = g_new0 (Point, 1);
  g_autoptr (WeirSimulator) simulator = NULL;

  point->system = weir_system_ref (question->system);
  point->context = weir_system_create_context (point->system);
  point->notes = g_ptr_array_new_with_free_func (g_free);
  simulator = weir_simulator_new (point->system, point->context, &question->options, self->error);
  if (simulator != NULL && weir_simulator_initialize (simulator, self->error)
      && (question->at <= 0 || weir_simulator_advance_to (simulator, question->at, self->error))
      && (!question->trims
          || weir_trim_context (point->system, point->context, NULL, question->wishes,
                                question->n_wishes, point->notes, self->error)))
    return point;
  point_free (point);
  return NULL;
}

static Result *
find_point (Asking *self)
{
  const WeirLinearQuestion *question = self->question;
  GByteArray *key = g_byte_array_new ();

  add_pointer (key, question->system);
  add_bytes (key, &question->options, sizeof question->options);
  add_number (key, question->at);
  add_number (key, question->trims);
  for (guint i = 0; i < question->n_wishes; i++)
    {
      add_bytes (key, question->wishes[i].path, strlen (question->wishes[i].path) + 1);
      add_number (key, question->wishes[i].kind);
      add_number (key, question->wishes[i].value);
    }
  get_stage (self, WEIR_STAGE_POINT, key, NULL, compute_point, point_free);
  return self->answer->stages[WEIR_STAGE_POINT];
}

/* --- The loop --------------------------------------------------------------------------------- */

static gpointer
compute_loop (Asking *self)
{
  const Point *point = ((Result *) self->answer->stages[WEIR_STAGE_POINT])->value;

  return weir_loop_new (point->system, point->context, self->question->points,
                        self->question->n_points, self->error);
}

static gboolean
find_loop (Asking *self, Result *point)
{
  const WeirLinearQuestion *question = self->question;
  GByteArray *key = g_byte_array_new ();
  const WeirLoop *loop;

  add_pointer (key, point);
  for (guint i = 0; i < question->n_points; i++)
    {
      add_bytes (key, question->points[i].path, strlen (question->points[i].path) + 1);
      add_number (key, question->points[i].kinds);
    }
  loop = get_stage (self, WEIR_STAGE_LOOP, key, point, compute_loop,
                    (GDestroyNotify) weir_loop_free);
  if (loop == NULL)
    return FALSE;
  self->answer->loop = loop;
  if (loop->inputs->len == 0 || loop->outputs->len == 0)
    {
      weir_error_set (
          self->error, WEIR_ERROR_INVALID,
          loop->inputs->len == 0
              ? N_ ("nothing is perturbed: an analysis needs a point where something is added")
              : N_ ("nothing is measured: an analysis needs a point where a signal is read"));
      return FALSE;
    }
  return TRUE;
}

/* @linear: taken over. The same where it is to be as it is. NULL and an error: it has no samples.
 */
static WeirLinear *
take_samples (Asking *self, WeirLinear *linear)
{
  const WeirLinearQuestion *question = self->question;
  WeirLinear *sampled = NULL;

  if (question->period <= 0)
    return linear;
  if (linear->period > 0)
    weir_error_set (self->error, WEIR_ERROR_INVALID,
                    N_ ("the model is sampled between these points: it has no other samples"));
  else if (linear->n_delays > 0)
    weir_error_set (
        self->error, WEIR_ERROR_INVALID,
        N_ ("there are delays: put a ZeroOrderHold before them, and samples are exact"));
  else
    {
      sampled = weir_linear_sample (linear, question->sampling, question->period,
                                    question->prewarp);
      if (sampled == NULL)
        weir_error_set (self->error, WEIR_ERROR_INVALID,
                        N_ ("Tustin's rule has no value for a pole of this system"));
    }
  weir_linear_free (linear);
  return sampled;
}

/* FALSE and an error: it has no samples. */
static gboolean
pick (Asking *self)
{
  const WeirLinearQuestion *question = self->question;
  const WeirLoop *loop = self->answer->loop;
  g_autoptr (WeirLinear)
      picked = weir_linear_pick (loop->linear, MIN (question->output, loop->outputs->len - 1),
                                 MIN (question->input, loop->inputs->len - 1));
  g_autoptr (WeirLinear) pruned = weir_linear_prune (picked);

  self->linear = take_samples (self, weir_linear_scale (pruned, question->is_flipped ? -1 : 1));
  if (self->linear == NULL)
    return FALSE;
  self->scaled = weir_linear_scale (self->linear, question->gain);
  if (loop->inputs->len == 1 && loop->outputs->len == 1)
    self->whole = weir_linear_dup (self->scaled);
  else
    {
      g_autoptr (WeirLinear) all = weir_linear_prune (loop->linear);

      self->whole = take_samples (self, weir_linear_scale (all, question->gain));
    }
  return self->whole != NULL;
}

/* Its numbers. */
static GByteArray *
key_of (const WeirLinear *linear)
{
  GByteArray *key = g_byte_array_new ();

  add_matrix (key, linear->a);
  add_matrix (key, linear->b);
  add_matrix (key, linear->c);
  add_matrix (key, linear->d);
  add_bytes (key, linear->delays, linear->n_delays * sizeof (double));
  add_number (key, linear->period);
  add_number (key, linear->n_slots);
  return key;
}

/* --- From its numbers ------------------------------------------------------------------------- */

typedef struct {
  WeirLinear *linear;
  GArray *poles, *zeros;
} Roots;

static void
roots_free (gpointer data)
{
  Roots *self = data;

  g_clear_pointer (&self->linear, weir_linear_free);
  g_clear_pointer (&self->poles, g_array_unref);
  g_clear_pointer (&self->zeros, g_array_unref);
  g_free (self);
}

static gpointer
compute_roots (Asking *self)
{
  Roots *roots = g_new0 (Roots, 1);

  roots->linear = weir_linear_dup (self->linear);
  roots->poles = weir_linear_list_poles (self->linear);
  if (self->linear->n_delays == 0)
    roots->zeros = weir_linear_list_zeros (self->linear);
  return roots;
}

typedef struct {
  GArray *frequencies;
  double complex *values;
  double *phases;
} Curve;

static void
curve_free (gpointer data)
{
  Curve *self = data;

  g_array_unref (self->frequencies);
  g_free (self->values);
  g_free (self->phases);
  g_free (self);
}

static gpointer
compute_response (Asking *self)
{
  Curve *curve = g_new0 (Curve, 1);
  g_autoptr (WeirResponse) response = weir_response_new (self->linear);
  guint n;

  curve->frequencies = weir_linear_list_frequencies (self->linear, N_FREQUENCIES);
  n = curve->frequencies->len;
  curve->values = g_new (double complex, n + 1);
  curve->phases = g_new (double, n + 1);
  for (guint i = 0; i < n; i++)
    if (!weir_response_eval (response, g_array_index (curve->frequencies, double, i),
                             &curve->values[i]))
      curve->values[i] = (double) NAN;
  weir_linear_get_phases (self->linear, n, (const double *) (gpointer) curve->frequencies->data,
                          curve->values, curve->phases);
  return curve;
}

static gpointer
compute_locus (Asking *self)
{
  return weir_locus_new (self->linear, 0);
}

static gpointer
compute_margins (Asking *self)
{
  return weir_margins_new (self->scaled);
}

typedef struct {
  WeirLinear *linear; /* NULL: it has no solution */
  GArray *poles;
  double dc_gain;
} Closed;

static void
closed_free (gpointer data)
{
  Closed *self = data;

  g_clear_pointer (&self->linear, weir_linear_free);
  g_clear_pointer (&self->poles, g_array_unref);
  g_free (self);
}

/* Of what is no loop: itself. */
static gpointer
compute_closed (Asking *self)
{
  Closed *closed = g_new0 (Closed, 1);

  closed->linear = self->question->is_loop ? weir_linear_close (self->scaled)
                                           : weir_linear_dup (self->scaled);
  if (closed->linear == NULL)
    return closed;
  closed->poles = weir_linear_list_poles (closed->linear);
  closed->dc_gain = weir_linear_get_dc_gain (closed->linear);
  return closed;
}

static const WeirLinear *
get_closed (Asking *self)
{
  return ((Closed *) ((Result *) self->answer->stages[WEIR_STAGE_CLOSED])->value)->linear;
}

static gpointer
compute_step (Asking *self)
{
  const WeirLinear *closed = get_closed (self);

  return closed != NULL ? weir_time_response_new (closed, FALSE, 0) : NULL;
}

static gpointer
compute_impulse (Asking *self)
{
  const WeirLinear *closed = get_closed (self);

  return closed != NULL ? weir_time_response_new (closed, TRUE, 0) : NULL;
}

static void
norms_free (gpointer data)
{
  WeirLinearNorms *self = data;

  g_clear_pointer (&self->hankel, g_array_unref);
  g_clear_pointer (&self->zeros, g_array_unref);
  g_free (self);
}

static gpointer
compute_norms (Asking *self)
{
  const WeirLinear *of = self->whole;
  WeirLinearNorms *norms = g_new0 (WeirLinearNorms, 1);
  guint n = weir_linear_get_n_states (of);

  norms->is_whole = of->n_inputs > 1 || of->n_outputs > 1;
  norms->hinf = norms->h2 = (double) INFINITY;
  norms->hinf_omega = (double) NAN;
  norms->hankel = g_array_new (FALSE, TRUE, sizeof (double));
  if (of->n_delays == 0)
    norms->zeros = weir_linear_list_zeros (of);
  switch (weir_linear_get_peak_gain (of, &norms->hinf, &norms->hinf_omega))
    {
    case WEIR_NORM_UNSTABLE:
      norms->hinf = (double) INFINITY;
      norms->hinf_omega = (double) NAN;
      return norms;
    case WEIR_NORM_NOT_FOUND:
      norms->hinf = (double) NAN;
      break;
    case WEIR_NORM_FOUND:
    default:
      break;
    }
  if (weir_linear_get_h2 (of, &norms->h2) != WEIR_NORM_FOUND)
    norms->h2 = (double) INFINITY;
  g_array_set_size (norms->hankel, n);
  if (weir_linear_get_hankel (of, (double *) (gpointer) norms->hankel->data) != WEIR_NORM_FOUND)
    g_array_set_size (norms->hankel, 0);
  return norms;
}

/* --- All of it -------------------------------------------------------------------------------- */

static gboolean
is_cancelled (Asking *self)
{
  const gint *cancel = self->question->cancel;

  if (cancel != NULL && g_atomic_int_get (cancel))
    g_set_error_literal (self->error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "nobody waits any more");
  return *self->error != NULL;
}

static gboolean
wants (const Asking *self, WeirAnalystStage stage)
{
  return (self->question->wanted & 1u << stage) != 0;
}

static void
find_from_numbers (Asking *self)
{
  WeirLinearAnswer *answer = self->answer;
  const Roots *roots = get_stage (self, WEIR_STAGE_ROOTS, key_of (self->linear), NULL,
                                  compute_roots, roots_free);
  const Curve *curve;

  answer->linear = roots->linear;
  answer->poles = roots->poles;
  answer->zeros = roots->zeros;
  if (is_cancelled (self))
    return;
  curve = get_stage (self, WEIR_STAGE_RESPONSE, key_of (self->linear), NULL, compute_response,
                     curve_free);
  answer->frequencies = curve->frequencies;
  answer->values = curve->values;
  answer->phases = curve->phases;
  if (wants (self, WEIR_STAGE_LOCUS) && self->question->is_loop && !is_cancelled (self))
    answer->locus = get_stage (self, WEIR_STAGE_LOCUS, key_of (self->linear), NULL, compute_locus,
                               (GDestroyNotify) weir_locus_free);
}

static GByteArray *
key_of_closed (const Asking *self)
{
  GByteArray *key = key_of (self->scaled);

  add_number (key, self->question->is_loop);
  return key;
}

static void
find_with_gain (Asking *self)
{
  WeirLinearAnswer *answer = self->answer;
  const Closed *closed;

  if (self->question->is_loop)
    answer->margins = get_stage (self, WEIR_STAGE_MARGINS, key_of (self->scaled), NULL,
                                 compute_margins, (GDestroyNotify) weir_margins_free);
  if (is_cancelled (self))
    return;
  closed = get_stage (self, WEIR_STAGE_CLOSED, key_of_closed (self), NULL, compute_closed,
                      closed_free);
  answer->closed_poles = self->question->is_loop ? closed->poles : NULL;
  answer->dc_gain = closed->dc_gain;
  if (wants (self, WEIR_STAGE_STEP) && !is_cancelled (self))
    answer->step = get_stage (self, WEIR_STAGE_STEP, key_of_closed (self), NULL, compute_step,
                              (GDestroyNotify) weir_time_response_free);
  if (wants (self, WEIR_STAGE_IMPULSE) && !is_cancelled (self))
    answer->impulse = get_stage (self, WEIR_STAGE_IMPULSE, key_of_closed (self), NULL,
                                 compute_impulse, (GDestroyNotify) weir_time_response_free);
  if (wants (self, WEIR_STAGE_NORMS) && !self->question->is_loop && !is_cancelled (self))
    answer->norms = get_stage (self, WEIR_STAGE_NORMS, key_of (self->whole), NULL, compute_norms,
                               norms_free);
}

/* With nothing in it. */
static WeirLinearAnswer *
answer_new (const WeirLinearQuestion *question)
{
  WeirLinearAnswer *answer = g_new0 (WeirLinearAnswer, 1);

  answer->notes = g_ptr_array_new_with_free_func (g_free);
  answer->gain = question->gain;
  answer->is_loop = question->is_loop;
  answer->is_resampled = question->period > 0;
  return answer;
}

static void
collect_notes (WeirLinearAnswer *answer, const GPtrArray *notes)
{
  for (guint i = 0; i < notes->len; i++)
    g_ptr_array_add (answer->notes, g_strdup (notes->pdata[i]));
}

/* Of the loop that the answer has. */
static void
find_all (Asking *self)
{
  collect_notes (self->answer, self->answer->loop->notes);
  if (pick (self))
    {
      find_from_numbers (self);
      if (*self->error == NULL && !is_cancelled (self))
        find_with_gain (self);
    }
  weir_linear_free (self->linear);
  weir_linear_free (self->scaled);
  weir_linear_free (self->whole);
}

WeirLinearAnswer *
weir_analyst_ask (WeirAnalyst *self, const WeirLinearQuestion *question, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (WeirLinearAnswer) answer = answer_new (question);
  Asking asking = { .analyst = self, .question = question, .answer = answer, .error = &problem };
  Result *point = find_point (&asking);

  if (point != NULL && !is_cancelled (&asking) && find_loop (&asking, point)
      && !is_cancelled (&asking))
    {
      collect_notes (answer, ((const Point *) point->value)->notes);
      answer->context = ((const Point *) point->value)->context;
      find_all (&asking);
    }
  if (problem == NULL)
    return g_steal_pointer (&answer);
  g_propagate_error (error, g_steal_pointer (&problem));
  return NULL;
}

WeirLinearAnswer *
weir_linear_answer_new (const WeirLoop *loop, const WeirLinearQuestion *question, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (WeirAnalyst) analyst = weir_analyst_new ();
  g_autoptr (WeirLinearAnswer) answer = answer_new (question);
  Asking asking = { .analyst = analyst, .question = question, .answer = answer, .error = &problem };

  answer->loop = loop;
  find_all (&asking);
  if (problem == NULL)
    return g_steal_pointer (&answer);
  g_propagate_error (error, g_steal_pointer (&problem));
  return NULL;
}

void
weir_linear_answer_free (WeirLinearAnswer *self)
{
  for (guint stage = 0; stage < WEIR_N_STAGES; stage++)
    if (self->stages[stage] != NULL)
      result_unref (self->stages[stage]);
  g_ptr_array_unref (self->notes);
  g_free (self);
}

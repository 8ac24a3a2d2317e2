/* The plan of a large right-hand side spread over several threads. See evaluator-private.h.
 *
 * Calls that read nothing of each other are a phase, cut into pieces of about as many entries; each
 * piece is some calls, or parts of them. Kernels compute element by element, so any cut gives the
 * same bits.
 */
#include "base/finite.h"
#include "system/evaluation/evaluator-private.h"

#define LEAST 16000      /* entries of a plan that is worth it: some ten thousand blocks */
#define LEAST_PIECE 2048 /* entries */
#define MOST_PIECES 16   /* of a phase */
#define AT_ONCE 128      /* entries whose operands are gathered */
#define N_TESTS 4        /* pieces in which derivatives are looked at */

typedef struct {
  guint32 call; /* of direct_calls */
  guint32 first, n;
} Slice;

struct _WeirSpread {
  GArray *slices;      /* Slice */
  GArray *piece_first; /* guint32: of slices; one more at the end */
  GArray *phase_first; /* guint32: of pieces */
  GArray *n_pieces;    /* guint: by phase, and of the tests behind them */
};

/* --- Making ---------------------------------------------------------------------------------- */

typedef struct {
  const WeirEvaluator *evaluator;
  WeirSpread *spread;
  guint64 *written; /* words of the arena, in the phase under way */
  guint first_call; /* of it */
  guint32 n;        /* entries of it */
} Maker;

static const WeirPlanCall *
get_call (const Maker *m, guint i)
{
  return &g_array_index (m->evaluator->direct_calls, WeirPlanCall, i);
}

static gboolean
reads_phase (const Maker *m, const WeirPlanCall *call)
{
  const guint32 *gathered = (const guint32 *) (gconstpointer) m->evaluator->gathered->data;

  for (guint k = 0; k < call->n_operands; k++)
    {
      const WeirStepOperand *operand = &m->evaluator->operands[call->operand + k];

      for (guint32 i = 0; i < call->n && operand->space == WEIR_SPACE_ARENA; i++)
        {
          guint32 at = operand->stride == WEIR_GATHERED
                           ? gathered[operand->gathered + i]
                           : operand->offset + i * (guint32) operand->stride;

          if (weir_bit (m->written, at))
            return TRUE;
        }
    }
  return FALSE;
}

static void
mark_written (const Maker *m, const WeirPlanCall *call, gboolean on)
{
  for (guint32 i = 0; i < call->n && !call->is_derivative; i++)
    if (on)
      weir_bit_set (m->written, call->out + i * (guint32) call->out_stride);
    else
      weir_bit_clear (m->written, call->out + i * (guint32) call->out_stride);
}

/* Where part @part of @n of a call begins; results of two parts share no line of the caches. */
static guint32
find_cut (const WeirPlanCall *call, guint part, guint n)
{
  return part == n ? call->n : (guint32) ((guint64) call->n * part / n) & ~7u;
}

/* Cuts the calls [first_call, end) into pieces: each has its part of every call, so that who
 * computes a block's values has those that they follow from at hand. */
static void
end_phase (Maker *m, guint end)
{
  WeirSpread *self = m->spread;
  guint n = CLAMP (m->n / LEAST_PIECE, 1, MOST_PIECES);

  for (guint i = m->first_call; i < end; i++)
    mark_written (m, get_call (m, i), FALSE);
  g_array_append_val (self->phase_first, self->piece_first->len);
  g_array_append_val (self->n_pieces, n);
  for (guint p = 0; p < n; p++)
    {
      g_array_append_val (self->piece_first, self->slices->len);
      for (guint i = m->first_call; i < end; i++)
        {
          guint32 first = find_cut (get_call (m, i), p, n);
          Slice slice = { i, first, find_cut (get_call (m, i), p + 1, n) - first };

          if (slice.n > 0)
            g_array_append_val (self->slices, slice);
        }
    }
}

WeirSpread *
weir_spread_new (const WeirEvaluator *evaluator)
{
  const GArray *calls = evaluator->direct_calls;
  guint32 n_words = evaluator->layout->arena.end_of_values / 64 + 1, n = 0;
  const guint n_tests = N_TESTS;
  Maker m = { .evaluator = evaluator };
  g_autofree guint64 *written = NULL;

  for (guint i = 0; calls != NULL && i < calls->len; i++)
    n += get_call (&m, i)->n;
  if (n < LEAST)
    return NULL;
  m.written = written = g_new0 (guint64, n_words);
  m.spread = g_new0 (WeirSpread, 1);
  m.spread->slices = g_array_new (FALSE, FALSE, sizeof (Slice));
  m.spread->piece_first = g_array_new (FALSE, FALSE, sizeof (guint32));
  m.spread->phase_first = g_array_new (FALSE, FALSE, sizeof (guint32));
  m.spread->n_pieces = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < calls->len; i++)
    {
      const WeirPlanCall *call = get_call (&m, i);

      if (reads_phase (&m, call))
        {
          end_phase (&m, i);
          m.first_call = i;
          m.n = 0;
        }
      mark_written (&m, call, TRUE);
      m.n += call->n;
    }
  end_phase (&m, calls->len);
  g_array_append_val (m.spread->n_pieces, n_tests);
  g_array_append_val (m.spread->piece_first, m.spread->slices->len);
  return m.spread;
}

void
weir_spread_free (WeirSpread *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->slices);
  g_array_unref (self->piece_first);
  g_array_unref (self->phase_first);
  g_array_unref (self->n_pieces);
  g_free (self);
}

/* --- Running --------------------------------------------------------------------------------- */

typedef struct {
  const WeirEvaluator *evaluator;
  const WeirSpread *spread;
  const WeirContext *context;
  double *bases[2];   /* of results: the arena, and where derivatives go */
  guint n_not_finite; /* atomic: pieces of them */
} Job;

/* At most AT_ONCE entries. */
static void
run_gathered (const Job *job, const WeirPlanCall *call, guint32 first, guint32 n, double *out)
{
  const WeirEvaluator *self = job->evaluator;
  const guint32 *offsets = (const guint32 *) (gconstpointer) self->gathered->data;
  double values[WEIR_MAX_GATHERED][AT_ONCE];
  WeirStream streams[WEIR_MAX_GATHERED];

  for (guint k = 0; k < call->n_operands; k++)
    {
      const WeirStepOperand *operand = &self->operands[call->operand + k];
      const WeirStream *stream = &job->context->streams[call->operand + k];

      if (operand->stride == WEIR_GATHERED)
        {
          const double *base = operand->space == WEIR_SPACE_STATE ? job->context->x
                                                                  : job->context->arena;

          weir_gather (values[k], base, offsets + operand->gathered + first, n);
          streams[k] = (WeirStream) { values[k], 1 };
        }
      else
        streams[k] = (WeirStream) { stream->base + (gssize) first * stream->stride,
                                    stream->stride };
    }
  call->kernel (streams, call->n_operands, call->variant, out, call->out_stride, n);
}

static void
run_slice (const Job *job, const Slice *slice)
{
  const WeirPlanCall *call = &g_array_index (job->evaluator->direct_calls, WeirPlanCall,
                                             slice->call);
  double *out = job->bases[call->is_derivative] + call->out
                + (gssize) slice->first * call->out_stride;
  WeirStream streams[WEIR_MAX_OPERANDS_ON_STACK];

  if (weir_plan_is_gathered (job->evaluator, call))
    {
      for (guint32 i = 0; i < slice->n; i += AT_ONCE)
        run_gathered (job, call, slice->first + i, MIN (AT_ONCE, slice->n - i),
                      out + (gssize) i * call->out_stride);
      return;
    }
  for (guint k = 0; k < call->n_operands; k++)
    {
      streams[k] = job->context->streams[call->operand + k];
      streams[k].base += (gssize) slice->first * streams[k].stride;
    }
  call->kernel (streams, call->n_operands, call->variant, out, call->out_stride, slice->n);
}

static void
run_calls (const Job *job, guint phase, guint piece)
{
  guint32 p = g_array_index (job->spread->phase_first, guint32, phase) + piece;
  const guint32 *first = &g_array_index (job->spread->piece_first, guint32, p);

  for (guint32 i = first[0]; i < first[1]; i++)
    run_slice (job, &g_array_index (job->spread->slices, Slice, i));
}

/* The phase after the last of the calls. */
static void
test_piece (Job *job, guint piece)
{
  guint32 n = job->evaluator->layout->n_states, size = (n + N_TESTS - 1) / N_TESTS;
  guint32 first = MIN (piece * size, n);

  if (!weir_all_finite (MIN (size, n - first), job->bases[TRUE] + first))
    __atomic_add_fetch (&job->n_not_finite, 1, __ATOMIC_RELAXED);
}

static void
run_piece (gpointer data, guint phase, guint piece)
{
  Job *job = data;

  if (phase == job->spread->phase_first->len)
    test_piece (job, piece);
  else
    run_calls (job, phase, piece);
}

gboolean
weir_spread_make_calls (const WeirSpread *self, const WeirEvaluator *evaluator,
                        WeirContext *context)
{
  guint n_threads = weir_crew_get_n_threads ();
  gboolean is_direct = context->xdot != NULL;
  Job job = { evaluator, self, context, { context->arena, context->xdot }, 0 };

  if (!is_direct || n_threads == 1)
    return FALSE;
  if (context->crew == NULL)
    context->crew = weir_crew_new (n_threads);
  if (weir_crew_begin (context->crew))
    {
      context->xdot = NULL;
      weir_plan_get_streams (evaluator, context);
      weir_crew_run (context->crew, run_piece, &job, self->n_pieces->len,
                     (const guint *) (gconstpointer) self->n_pieces->data);
      context->is_finite = job.n_not_finite == 0;
    }
  else
    weir_plan_run (evaluator, context);
  weir_crew_end (context->crew);
  return TRUE;
}

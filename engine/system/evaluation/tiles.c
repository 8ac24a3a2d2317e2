/* A long plan in tiles: some results of each call at a time, of those that follow no more than are
 * there, so that what calls leave to each other is read from the first-level cache.
 *
 * Tiles are found from the last call to the first: as each part of a call begins where the one
 * before it ended, what it reads is there if whoever computes it has come that far. All is computed
 * once and stored where it always is.
 */
#include "system/evaluation/evaluator-private.h"

/* Measured, with 32 KB of first-level cache: values that the calls of a tile read and write, each
 * counted anew. */
#define TILE 8192
#define LEAST_PART 64 /* results of a call, on average: calls are not free */
#define FEW 8         /* results of a call whose operands lie here and there */
#define LINE 8        /* values in a line of the caches */

typedef struct {
  guint32 call; /* WEIR_NO_INDEX: none computes it */
  guint32 i;    /* of its results */
} Writer;

typedef struct {
  const WeirEvaluator *evaluator;
  const WeirPlanCall *calls;
  guint n_calls;
  Writer *writers;        /* by place in the arena */
  guint32 *done, *wanted; /* by call: results of the tiles before, and with the one under way */
  gboolean *is_read;      /* by call: by others */
  GArray *parts;          /* WeirPlanCall */
  GArray *operands;       /* WeirStepOperand: of the parts, behind those of the evaluator */
} Tiler;

static const WeirStepOperand *
get_operands (const Tiler *t, const WeirPlanCall *call)
{
  return t->evaluator->operands + call->operand;
}

/* Who computes what @operand of @call reads for its result @i; NULL: nobody. */
static const Writer *
find_writer (const Tiler *t, const WeirStepOperand *operand, guint32 i)
{
  const Writer *writer;

  if (operand->space != WEIR_SPACE_ARENA)
    return NULL;
  writer = &t->writers[operand->offset + (guint32) ((gint32) i * operand->stride)];
  return writer->call == WEIR_NO_INDEX ? NULL : writer;
}

static void
find_writers (Tiler *t)
{
  for (guint32 w = 0; w < (guint32) t->evaluator->layout->arena.end_of_values; w++)
    t->writers[w].call = WEIR_NO_INDEX;
  for (guint c = 0; c < t->n_calls; c++)
    {
      const WeirPlanCall *call = &t->calls[c];

      for (guint32 i = 0; i < call->n && !call->is_derivative; i++)
        t->writers[call->out + (guint32) ((gint32) i * call->out_stride)] = (Writer) { c, i };
    }
  for (guint c = 0; c < t->n_calls; c++)
    for (guint k = 0; k < t->calls[c].n_operands; k++)
      for (guint32 i = 0; i < t->calls[c].n; i++)
        {
          const Writer *writer = find_writer (t, &get_operands (t, &t->calls[c])[k], i);

          if (writer != NULL)
            t->is_read[writer->call] = TRUE;
        }
}

/* Lines of the caches are not shared between parts of a call. */
static guint32
round_up (const WeirPlanCall *call, guint32 n)
{
  guint32 at = call->is_derivative || call->out_stride != 1 ? 0 : call->out % LINE;

  return n == 0 ? 0 : MIN ((at + n + LINE - 1) / LINE * LINE - at, call->n);
}

static void
find_tile (Tiler *t, guint tile, guint n_tiles)
{
  for (guint c = 0; c < t->n_calls; c++)
    if (!t->is_read[c] || tile + 1 == n_tiles)
      t->wanted[c] = (guint32) ((guint64) t->calls[c].n * (tile + 1) / n_tiles);
  for (guint c = t->n_calls; c-- > 0;)
    {
      const WeirPlanCall *call = &t->calls[c];

      t->wanted[c] = round_up (call, t->wanted[c]);
      for (guint k = 0; k < call->n_operands; k++)
        for (guint32 i = t->done[c]; i < t->wanted[c]; i++)
          {
            const Writer *writer = find_writer (t, &get_operands (t, call)[k], i);

            if (writer != NULL)
              t->wanted[writer->call] = MAX (t->wanted[writer->call], writer->i + 1);
          }
    }
}

static void
add_part (Tiler *t, guint c)
{
  WeirPlanCall part = t->calls[c];
  gint32 skip = (gint32) t->done[c];

  part.first += t->done[c];
  part.n = t->wanted[c] - t->done[c];
  part.out += (guint32) (skip * part.out_stride);
  part.operand = t->evaluator->n_operands + t->operands->len;
  for (guint k = 0; k < part.n_operands; k++)
    {
      WeirStepOperand operand = get_operands (t, &t->calls[c])[k];

      operand.offset += (guint32) (skip * operand.stride);
      g_array_append_val (t->operands, operand);
    }
  g_array_append_val (t->parts, part);
  t->done[c] = t->wanted[c];
}

/* The direct calls are the parts from here on. */
static void
take_parts (WeirEvaluator *self, Tiler *t)
{
  WeirStage all = { .end = t->parts->len };

  weir_plan_append_operands (self, (const WeirStepOperand *) (gconstpointer) t->operands->data,
                             t->operands->len);
  g_array_set_size (self->direct_stages, 0);
  g_array_append_val (self->direct_stages, all);
  g_array_unref (self->direct_calls);
  self->direct_calls = g_steal_pointer (&t->parts);
}

static void
make_tiles (WeirEvaluator *self, const GArray *calls, guint n_tiles, guint64 n)
{
  guint n_calls = calls->len;
  Tiler t = { self, (const WeirPlanCall *) (gconstpointer) calls->data, n_calls };

  t.writers = g_new (Writer, self->layout->arena.end_of_values);
  t.done = g_new0 (guint32, n_calls);
  t.wanted = g_new0 (guint32, n_calls);
  t.is_read = g_new0 (gboolean, n_calls);
  t.parts = g_array_new (FALSE, FALSE, sizeof (WeirPlanCall));
  t.operands = g_array_new (FALSE, FALSE, sizeof (WeirStepOperand));
  find_writers (&t);
  for (guint i = 0; i < n_tiles; i++)
    {
      find_tile (&t, i, n_tiles);
      for (guint c = 0; c < n_calls; c++)
        if (t.done[c] < t.wanted[c])
          add_part (&t, c);
    }
  if (n >= (guint64) LEAST_PART * t.parts->len)
    take_parts (self, &t);
  g_free (t.writers);
  g_free (t.done);
  g_free (t.wanted);
  g_free (t.is_read);
  g_clear_pointer (&t.parts, g_array_unref);
  g_array_unref (t.operands);
}

/* A call for each result of @call, which need not gather what one reads. */
static void
add_singles (WeirEvaluator *self, GArray *calls, const WeirPlanCall *call)
{
  for (guint32 i = 0; i < call->n; i++)
    {
      WeirStepOperand operands[WEIR_MAX_OPERANDS_ON_STACK];
      WeirPlanCall single = *call;

      for (guint k = 0; k < call->n_operands; k++)
        {
          operands[k] = self->operands[call->operand + k];
          operands[k].offset = operands[k].stride == WEIR_GATHERED
                                   ? g_array_index (self->gathered, guint32,
                                                    operands[k].gathered + i)
                                   : operands[k].offset
                                         + (guint32) ((gint32) i * operands[k].stride);
          operands[k].stride = 0;
          operands[k].place = WEIR_NO_INDEX;
        }
      single.operand = weir_plan_append_operands (self, operands, call->n_operands);
      single.first += i;
      single.out += (guint32) ((gint32) i * call->out_stride);
      single.n = 1;
      g_array_append_val (calls, single);
    }
}

void
weir_plan_tile (WeirEvaluator *self)
{
  g_autoptr (GArray) calls = NULL;
  guint64 n = 0, n_touched = 0;
  guint n_tiles;

  for (guint c = 0; c < self->direct_calls->len; c++)
    {
      const WeirPlanCall *call = &g_array_index (self->direct_calls, WeirPlanCall, c);

      if (call->n > FEW && weir_plan_is_gathered (self, call))
        return;
      n += call->n;
      n_touched += (guint64) call->n * (call->n_operands + 1u);
    }
  n_tiles = (guint) ((n_touched + TILE / 2) / TILE);
  if (n_tiles < 2)
    return;
  calls = g_array_new (FALSE, FALSE, sizeof (WeirPlanCall));
  for (guint c = 0; c < self->direct_calls->len; c++)
    {
      const WeirPlanCall *call = &g_array_index (self->direct_calls, WeirPlanCall, c);

      if (weir_plan_is_gathered (self, call))
        add_singles (self, calls, call);
      else
        g_array_append_val (calls, *call);
    }
  make_tiles (self, calls, n_tiles, n);
}

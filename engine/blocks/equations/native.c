/* The programs of an Equations block as code made at run time.
 *
 * The code of a part reads its operands where they lie, so that nothing is gathered: what it is
 * called with are the places of the state, of each input, parameter, and so on. What is solved has
 * its operands gathered, as it runs again and again: it is called with them and the place of its
 * residuals and slopes. Code is made when the part first runs and kept with the leaf.
 */
#include "blocks/equations/equations-private.h"

#include "base/sync.h"
#include "equations/programs/program-native.h"
#include "system/evaluation/calc-native.h"

#include <string.h>

#define BASE_OWN 0      /* the computation's results; sources follow */
#define BASE_GATHERED 0 /* of what is solved ... */
#define BASE_OUT 1      /* ... with what its program gives */
#define MOST_SOURCES 64 /* of a part */

typedef struct {
  guint32 kind, index; /* as those of an operand */
  guint32 n_operands;
} Source;

typedef struct {
  WeirNativeCode *code; /* NULL: it runs as a program */
  WeirNativeFunc func;
  Source sources[MOST_SOURCES];
  guint n_sources;
} NativePart;

typedef struct {
  GMutex mutex;    /* making parts */
  gpointer *parts; /* NativePart; by its offset in the data, in sizes of a WeirPart */
  gsize n_parts;
} Native;

static void
native_part_free (NativePart *self)
{
  weir_native_code_free (self->code);
  g_free (self);
}

static gpointer
native_new (G_GNUC_UNUSED gconstpointer data, gsize size)
{
  Native *self = g_new0 (Native, 1);

  g_mutex_init (&self->mutex);
  self->n_parts = size / sizeof (WeirPart) + 1;
  self->parts = g_new0 (gpointer, self->n_parts);
  return self;
}

static void
native_free (gpointer data)
{
  Native *self = data;

  for (gsize i = 0; i < self->n_parts; i++)
    if (self->parts[i] != NULL)
      native_part_free (self->parts[i]);
  g_free (self->parts);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

/* --- Making ---------------------------------------------------------------------------------- */

static int
compare_sources (gconstpointer a, gconstpointer b)
{
  guint32 x = ((const Source *) a)->n_operands, y = ((const Source *) b)->n_operands;

  return x > y ? -1 : x < y;
}

/* The place of an operand's source; where there are too many, MOST_SOURCES. */
static guint
find_source (const NativePart *self, const WeirOperand *operand)
{
  for (guint i = 0; i < self->n_sources; i++)
    if (self->sources[i].kind == operand->kind && self->sources[i].index == operand->index)
      return i;
  return self->n_sources;
}

/* Those that are read most get the bases that lie in registers. */
static gboolean
list_sources (NativePart *self, const WeirOperand *operands, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      guint at = 0;

      if (operands[i].kind == WEIR_OPERAND_OWN)
        continue;
      at = find_source (self, &operands[i]);
      if (at == MOST_SOURCES)
        return FALSE;
      if (at == self->n_sources)
        self->sources[self->n_sources++] = (Source) { operands[i].kind, operands[i].index, 0 };
      self->sources[at].n_operands++;
    }
  qsort (self->sources, self->n_sources, sizeof (Source), compare_sources);
  return TRUE;
}

typedef struct {
  WeirNativeBuilder *builder;
  guint base, first;
} Results;

static void
store_result (gpointer data, guint output, WeirNativeValue value)
{
  const Results *results = data;

  weir_native_store (results->builder, results->base, results->first + output, value);
}

/* The residuals and slopes of what is solved. */
static gboolean
build_solved (const WeirEquationsData *data, const WeirPart *part, WeirNativeBuilder *builder)
{
  const WeirProgram *program = weir_equations_at (data, part->program);
  guint n = weir_program_get_n_inputs (program);
  g_autofree WeirNativeValue *inputs = g_new (WeirNativeValue, n + 1);
  Results results = { builder, BASE_OUT, 0 };

  for (guint i = 0; i < n; i++)
    inputs[i] = weir_native_load (builder, BASE_GATHERED, i);
  return weir_program_build (program, builder, inputs, store_result, &results);
}

static gboolean
build_direct (const NativePart *self, const WeirEquationsData *data, const WeirPart *part,
              WeirNativeBuilder *builder)
{
  const WeirOperand *operands = weir_equations_at (data, part->operands);
  g_autofree WeirNativeValue *inputs = g_new (WeirNativeValue, part->n_operands + 1);
  Results results = { builder, BASE_OWN, part->first };

  for (guint i = 0; i < part->n_operands; i++)
    inputs[i] = weir_native_load (builder,
                                  operands[i].kind == WEIR_OPERAND_OWN
                                      ? BASE_OWN
                                      : BASE_OWN + 1 + find_source (self, &operands[i]),
                                  operands[i].element);
  return weir_program_build (weir_equations_at (data, part->program), builder, inputs, store_result,
                             &results);
}

static gboolean
build_part (NativePart *self, const WeirEquationsData *data, const WeirPart *part,
            WeirNativeBuilder *builder)
{
  if (part->kind == WEIR_PART_SOLVED)
    return build_solved (data, part, builder);
  return (part->kind == WEIR_PART_EXPLICIT || part->kind == WEIR_PART_SLOPES)
         && list_sources (self, weir_equations_at (data, part->operands), part->n_operands)
         && build_direct (self, data, part, builder);
}

static NativePart *
native_part_new (const WeirEquationsData *data, const WeirPart *part)
{
  NativePart *self = g_new0 (NativePart, 1);
  WeirNativeBuilder *builder = weir_native_builder_new ();

  if (!weir_native_is_refused () && build_part (self, data, part, builder))
    self->code = weir_native_builder_end (builder);
  if (self->code != NULL)
    self->func = weir_native_code_get_func (self->code);
  weir_native_builder_free (builder);
  return self;
}

/* --- Running --------------------------------------------------------------------------------- */

static const NativePart *
find_part (Native *self, const WeirEquationsData *data, const WeirPart *part)
{
  gsize place = (gsize) ((const char *) part - (const char *) data) / sizeof *part;
  gpointer found = g_atomic_pointer_get (&self->parts[place]);

  if (G_LIKELY (found != NULL))
    return found;
  weir_sync_lock (&self->mutex);
  found = self->parts[place];
  if (found == NULL)
    {
      found = native_part_new (data, part);
      g_atomic_pointer_set (&self->parts[place], found);
    }
  weir_sync_unlock (&self->mutex);
  return found;
}

static const double *
find_base (const WeirCalc *c, const Source *source, double *number)
{
  switch ((WeirOperandKind) source->kind)
    {
    case WEIR_OPERAND_TIME:
      *number = weir_calc_time (c);
      return number;
    case WEIR_OPERAND_ACCURACY:
      *number = weir_calc_accuracy (c);
      return number;
    case WEIR_OPERAND_STATE:
      return weir_calc_z (c);
    case WEIR_OPERAND_INPUT:
      return weir_calc_input (c, (WeirInput) { (guint16) source->index });
    case WEIR_OPERAND_PARAMETER:
      return weir_calc_parameter (c, (WeirParameter) { (guint16) source->index });
    case WEIR_OPERAND_DISCRETE:
      return weir_calc_discrete (c, (WeirGroup) { (guint16) source->index });
    case WEIR_OPERAND_CACHED:
      return weir_calc_cached (c, (WeirCached) { (guint16) source->index });
    case WEIR_OPERAND_OWN:
    default:
      g_assert_not_reached ();
    }
}

WeirEquationsSolved
weir_equations_find_native (const WeirCalc *c, const WeirEquationsData *data, const WeirPart *part)
{
  Native *native = weir_calc_get_native (c, native_new, native_free);

  return native != NULL ? find_part (native, data, part)->func : NULL;
}

gboolean
weir_equations_run_native (const WeirCalc *c, const WeirEquationsData *data, const WeirPart *part,
                           double *own)
{
  Native *native = weir_calc_get_native (c, native_new, native_free);
  const double *bases[1 + MOST_SOURCES + WEIR_NATIVE_BASES];
  double numbers[2];
  const NativePart *found;

  if (native == NULL)
    return FALSE;
  found = find_part (native, data, part);
  if (found->func == NULL)
    return FALSE;
  bases[BASE_OWN] = own;
  for (guint i = 0; i < found->n_sources; i++)
    bases[BASE_OWN + 1 + i] = find_base (c, &found->sources[i],
                                         &numbers[found->sources[i].kind == WEIR_OPERAND_TIME]);
  for (guint i = found->n_sources + 1; i < WEIR_NATIVE_BASES; i++)
    bases[i] = NULL;
  found->func (bases[0], bases[1], bases[2], bases[3], bases + WEIR_NATIVE_BASES);
  return TRUE;
}

/* The programs of an Equations block as code made at run time.
 *
 * The code of a part reads its operands where they lie, so that nothing is gathered: what it is
 * called with are the places of the state, of each input, parameter, and so on. Where those are
 * very many, its operands are gathered. So are those of what is solved, as it runs again and again:
 * it is called with them and the place of its residuals and slopes. Code is made when the part
 * first runs and kept with the leaf. A leaf may have thousands of parts of a few instructions, one
 * for each value that depends on something of its own: those are made many at once, so that their
 * code lies together.
 */
#include "blocks/equations/equations.h"

#include "base/finite.h"
#include "base/sync.h"
#include "equations/programs/program-native.h"
#include "system/evaluation/calc-native.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BASE_OWN 0      /* the computation's results; sources follow */
#define BASE_MANY 1     /* in place of too many sources: what is gathered of them */
#define BASE_GATHERED 0 /* of what is solved ... */
#define BASE_OUT 1      /* ... with what its program gives */
#define MOST_SOURCES 64 /* of a part */
#define SMALL 32        /* instructions of a part that is made with others */
#define AT_ONCE 256     /* parts */

typedef struct {
  guint32 kind, index; /* as those of an operand */
  guint32 n_operands;
} Source;

typedef struct {
  WeirNativeFunc func; /* NULL: it runs as a program */
  gboolean is_direct;  /* its values are the results */
  gboolean is_gathered;
  guint32 first, n; /* of those, where they must be finite */
  guint n_sources;
  Source sources[];
} NativePart;

typedef struct {
  GMutex mutex;    /* making parts */
  GPtrArray *code; /* of WeirNativeCode, owned */
  gpointer *parts; /* NativePart; by its offset in the data, in sizes of a WeirPart */
  gsize n_parts;
  guint32 *small; /* offsets in the data of the parts that are made together, ascending */
  guint n_small;
} Native;

static gboolean
is_possible (const WeirPart *part)
{
  return part->kind == WEIR_PART_EXPLICIT || part->kind == WEIR_PART_SLOPES
         || part->kind == WEIR_PART_SOLVED;
}

static gboolean
is_small (const WeirEquationsData *data, const WeirPart *part)
{
  return is_possible (part)
         && weir_program_get_n_instructions (weir_equations_at (data, part->program)) <= SMALL;
}

static int
compare_offsets (gconstpointer a, gconstpointer b)
{
  guint32 left = *(const guint32 *) a, right = *(const guint32 *) b;

  return left < right ? -1 : left > right;
}

/* Of the leaf's entries. Fills @offsets unless that is NULL. Returns how many. */
static guint
list_small (const WeirEquationsData *data, guint32 *offsets)
{
  const WeirComputation *computations = weir_equations_at (data, data->entries);
  guint n = 0;

  for (guint32 i = 0; i < data->n_entries; i++)
    for (guint32 k = 0; k < computations[i].n_parts; k++)
      {
        guint32 offset = computations[i].parts + k * (guint32) sizeof (WeirPart);

        if (!is_small (data, weir_equations_at (data, offset)))
          continue;
        if (offsets != NULL)
          offsets[n] = offset;
        n++;
      }
  return n;
}

static gpointer
native_new (gconstpointer data, gsize size)
{
  Native *self = g_new0 (Native, 1);

  g_mutex_init (&self->mutex);
  self->code = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_native_code_free);
  self->n_parts = size / sizeof (WeirPart) + 1;
  self->parts = g_new0 (gpointer, self->n_parts);
  self->n_small = list_small (data, NULL);
  self->small = g_new (guint32, MAX (self->n_small, 1));
  list_small (data, self->small);
  qsort (self->small, self->n_small, sizeof *self->small, compare_offsets);
  return self;
}

static void
native_free (gpointer data)
{
  Native *self = data;

  for (gsize i = 0; i < self->n_parts; i++)
    g_free (self->parts[i]);
  g_free (self->parts);
  g_free (self->small);
  g_ptr_array_unref (self->code);
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

/* The place of an operand's source; where there is none, that of the next. */
static guint
find_source (const NativePart *self, const WeirOperand *operand)
{
  for (guint i = 0; i < self->n_sources; i++)
    if (self->sources[i].kind == operand->kind && self->sources[i].index == operand->index)
      return i;
  return self->n_sources;
}

/* Those that are read most get the bases that lie in registers. */
static void
list_sources (NativePart *self, const WeirOperand *operands, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      guint at = 0;

      if (operands[i].kind == WEIR_OPERAND_OWN)
        continue;
      at = find_source (self, &operands[i]);
      if (at == MOST_SOURCES)
        {
          self->is_gathered = TRUE;
          self->n_sources = 0;
          return;
        }
      if (at == self->n_sources)
        self->sources[self->n_sources++] = (Source) { operands[i].kind, operands[i].index, 0 };
      self->sources[at].n_operands++;
    }
  qsort (self->sources, self->n_sources, sizeof (Source), compare_sources);
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
    inputs[i] = self->is_gathered
                    ? weir_native_load (builder, BASE_MANY, i)
                    : weir_native_load (builder,
                                        operands[i].kind == WEIR_OPERAND_OWN
                                            ? BASE_OWN
                                            : BASE_OWN + 1 + find_source (self, &operands[i]),
                                        operands[i].element);
  return weir_program_build (weir_equations_at (data, part->program), builder, inputs, store_result,
                             &results);
}

/* --- Within the code of a right-hand side ---------------------------------------------------- */

typedef struct {
  WeirListing *listing;
  guint first;
  gboolean is_finite;   /* is to be */
  WeirNativeValue *own; /* the computation's results so far */
} Listed;

static void
list_result (gpointer data, guint output, WeirNativeValue value)
{
  const Listed *listed = data;

  listed->own[listed->first + output] = value;
  if (listed->is_finite)
    weir_listing_store_finite (listed->listing, listed->first + output, value);
  else
    weir_listing_store (listed->listing, listed->first + output, value);
}

/* Infinite where the assertion does not hold. */
static void
list_asserted (gpointer data, G_GNUC_UNUSED guint output, WeirNativeValue holds)
{
  const Listed *listed = data;
  WeirNativeBuilder *b = weir_listing_get_builder (listed->listing);
  WeirNativeValue zero = weir_native_number (b, 0.0), infinite = weir_native_number (b, INFINITY);
  WeirNativeValue fails = weir_native_binary (b, WEIR_NATIVE_EQ, holds, zero);

  weir_listing_insist_on_finite (listed->listing, weir_native_select (b, fails, infinite, zero));
}

static WeirNativeValue
list_operand (const Listed *listed, const WeirOperand *operand)
{
  const WeirListing *l = listed->listing;
  guint16 index = (guint16) operand->index;

  switch ((WeirOperandKind) operand->kind)
    {
    case WEIR_OPERAND_TIME:
      return weir_listing_load_time (l);
    case WEIR_OPERAND_ACCURACY:
      return weir_listing_load_accuracy (l);
    case WEIR_OPERAND_STATE:
      return weir_listing_load_z (l, operand->element);
    case WEIR_OPERAND_INPUT:
      return weir_listing_load_input (l, (WeirInput) { index }, operand->element);
    case WEIR_OPERAND_PARAMETER:
      return weir_listing_load_parameter (l, (WeirParameter) { index }, operand->element);
    case WEIR_OPERAND_DISCRETE:
      return weir_listing_load_discrete (l, (WeirGroup) { index }, operand->element);
    case WEIR_OPERAND_CACHED:
      return weir_listing_load_cached (l, (WeirCached) { index }, operand->element);
    case WEIR_OPERAND_OWN:
      return listed->own[operand->element];
    default:
      g_assert_not_reached ();
    }
}

static gboolean
list_part (Listed *listed, const WeirEquationsData *data, const WeirPart *part)
{
  const WeirProgram *program = weir_equations_at (data, part->program);
  const WeirOperand *operands = weir_equations_at (data, part->operands);
  gboolean is_asserted = part->kind == WEIR_PART_ASSERTED;
  g_autofree WeirNativeValue *inputs = g_new (WeirNativeValue, part->n_operands + 1);

  if (part->kind != WEIR_PART_EXPLICIT && part->kind != WEIR_PART_SLOPES && !is_asserted)
    return FALSE;
  for (guint i = 0; i < part->n_operands; i++)
    inputs[i] = list_operand (listed, &operands[i]);
  listed->first = part->first;
  listed->is_finite = part->kind == WEIR_PART_EXPLICIT;
  return weir_program_build (program, weir_listing_get_builder (listed->listing), inputs,
                             is_asserted ? list_asserted : list_result, listed);
}

gboolean
weir_equations_list (WeirListing *listing)
{
  const WeirEquationsData *data = weir_listing_get_data (listing);
  const WeirComputation *computation = (const WeirComputation *) weir_equations_at (data,
                                                                                    data->entries)
                                       + weir_listing_get_index (listing);
  const WeirPart *parts = weir_equations_at (data, computation->parts);
  Listed listed = { .listing = listing };
  guint n = 0;
  gboolean is_possible = weir_listing_get_calc (listing) == weir_equations_calc;

  for (guint i = 0; i < computation->n_parts; i++)
    n = MAX (n, parts[i].first + parts[i].n);
  listed.own = g_new (WeirNativeValue, n + 1);
  for (guint i = 0; is_possible && i < computation->n_parts; i++)
    is_possible = list_part (&listed, data, &parts[i]);
  g_free (listed.own);
  return is_possible;
}

/* --- Making code of parts -------------------------------------------------------------------- */

/* The place in @bytes of its code, or WEIR_NATIVE_NO_CODE. */
static gsize
build_part (NativePart *self, const WeirEquationsData *data, const WeirPart *part,
            GByteArray *bytes)
{
  WeirNativeBuilder *builder = weir_native_builder_new ();
  gsize at = WEIR_NATIVE_NO_CODE;

  if (part->kind != WEIR_PART_SOLVED)
    list_sources (self, weir_equations_at (data, part->operands), part->n_operands);
  if (part->kind == WEIR_PART_SOLVED ? build_solved (data, part, builder)
                                     : build_direct (self, data, part, builder))
    at = weir_native_builder_end_in (builder, bytes);
  weir_native_builder_free (builder);
  return at;
}

/* Adds the code of @part to @bytes, at *@at. (transfer full) */
static NativePart *
native_part_new (const WeirEquationsData *data, const WeirPart *part, GByteArray *bytes, gsize *at)
{
  NativePart *self = g_malloc0 (sizeof (NativePart) + MOST_SOURCES * sizeof (Source));

  /* What runs looks here alone: the part's own words lie elsewhere. */
  self->is_direct = part->kind != WEIR_PART_SOLVED;
  self->first = part->first;
  self->n = part->kind == WEIR_PART_SLOPES ? 0 : part->n;
  *at = is_possible (part) && !weir_native_is_refused () ? build_part (self, data, part, bytes)
                                                         : WEIR_NATIVE_NO_CODE;
  return g_realloc (self, sizeof (NativePart) + self->n_sources * sizeof (Source));
}

static gsize
get_place (guint32 offset)
{
  return offset / sizeof (WeirPart);
}

/* Makes the parts at @offsets, of which none is made yet. Behind the lock. */
static void
make_parts (Native *self, const WeirEquationsData *data, const guint32 *offsets, guint n)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree NativePart **made = g_new (NativePart *, n);
  g_autofree gsize *at = g_new (gsize, n);
  WeirNativeCode *code;

  for (guint i = 0; i < n; i++)
    made[i] = native_part_new (data, weir_equations_at (data, offsets[i]), bytes, &at[i]);
  code = bytes->len > 0 ? weir_native_code_new (bytes->data, bytes->len) : NULL;
  if (code != NULL)
    g_ptr_array_add (self->code, code);
  for (guint i = 0; i < n; i++)
    {
      if (code != NULL && at[i] != WEIR_NATIVE_NO_CODE)
        made[i]->func = weir_native_code_get_func_at (code, at[i]);
      g_atomic_pointer_set (&self->parts[get_place (offsets[i])], made[i]);
    }
}

/* The part, and if it is small, its neighbours that are. */
static void
make_with_others (Native *self, const WeirEquationsData *data, guint32 offset)
{
  const guint32 *found = bsearch (&offset, self->small, self->n_small, sizeof offset,
                                  compare_offsets);
  guint first = found != NULL ? (guint) (found - self->small) / AT_ONCE * AT_ONCE : 0;

  if (found == NULL)
    make_parts (self, data, &offset, 1);
  else
    make_parts (self, data, self->small + first, MIN (AT_ONCE, self->n_small - first));
}

/* --- Running --------------------------------------------------------------------------------- */

static const NativePart *
find_part (Native *self, const WeirEquationsData *data, const WeirPart *part)
{
  guint32 offset = (guint32) ((const char *) part - (const char *) data);
  gpointer *place = &self->parts[get_place (offset)], found = g_atomic_pointer_get (place);

  if (G_LIKELY (found != NULL))
    return found;
  weir_sync_lock (&self->mutex);
  if (*place == NULL)
    make_with_others (self, data, offset);
  found = *place;
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
  if (found->func == NULL || !found->is_direct)
    return FALSE;
  bases[BASE_OWN] = own;
  if (found->is_gathered)
    {
      double *in = weir_equations_get_scratch (c, part->n_operands);

      weir_equations_gather (c, weir_equations_at (data, part->operands), part->n_operands, own,
                             in);
      found->func (own, in, NULL, NULL, NULL);
      return weir_all_finite (found->n, own + found->first);
    }
  for (guint i = 0; i < found->n_sources; i++)
    bases[BASE_OWN + 1 + i] = find_base (c, &found->sources[i],
                                         &numbers[found->sources[i].kind == WEIR_OPERAND_TIME]);
  for (guint i = found->n_sources + 1; i < WEIR_NATIVE_BASES; i++)
    bases[i] = NULL;
  found->func (bases[0], bases[1], bases[2], bases[3], bases + WEIR_NATIVE_BASES);
  return weir_all_finite (found->n, own + found->first);
}

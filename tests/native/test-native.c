/* Code made at run time does what its list says: random lists are compared with an interpreter of
 * this file, bit for bit, in both forms of instructions; and what stands at the limits: values that
 * do not fit the registers, places far off, many bases, jumps, a system that refuses.
 *
 * WEIR_FUZZ=N tries N lists.
 */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../seeds.h"
#include "base/simd.h"
#include "native/native-private.h"

#define N_BASES 7
#define N_INPUTS 12 /* at each base but the last */
#define OUTPUT_BASE 3

/* --- Numbers --------------------------------------------------------------------------------- */

static const guint64 special_bits[] = {
  0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
  0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000001, 0xfff8000000000002,
  0x7ff0000000000003, 0xfff0000000000004, 0x0000000000000001, 0x800fffffffffffff,
  0x0010000000000000, 0x7fefffffffffffff, 0xffefffffffffffff, 0x3ca0000000000000,
};

static double
of_bits (guint64 bits)
{
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

static guint64
bits_of (double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static double
random_number (void)
{
  return g_rand_int_range (test_rand, 0, 2) == 0
             ? g_rand_double_range (test_rand, -4, 4)
             : of_bits (special_bits[g_rand_int_range (test_rand, 0, G_N_ELEMENTS (special_bits))]);
}

/* The first operand that is no number, made quiet, as the processor has it. */
static gboolean
take_no_number (double a, double b, double *result)
{
  if (!isnan (a) && !isnan (b))
    return FALSE;
  *result = of_bits (bits_of (isnan (a) ? a : b) | G_GUINT64_CONSTANT (0x0008000000000000));
  return TRUE;
}

static double
calc_binary (WeirNativeBinary op, double a, double b)
{
  double result;

  if (op <= WEIR_NATIVE_DIV && take_no_number (a, b, &result))
    return result;
  switch (op)
    {
    case WEIR_NATIVE_ADD:
      return a + b;
    case WEIR_NATIVE_SUB:
      return a - b;
    case WEIR_NATIVE_MUL:
      return a * b;
    case WEIR_NATIVE_DIV:
      return a / b;
    case WEIR_NATIVE_MIN:
      return a < b ? a : b;
    case WEIR_NATIVE_MAX:
      return a > b ? a : b;
    case WEIR_NATIVE_LT:
      return of_bits (a < b ? G_MAXUINT64 : 0);
    case WEIR_NATIVE_LE:
      return of_bits (a <= b ? G_MAXUINT64 : 0);
    case WEIR_NATIVE_EQ:
      return of_bits (a == b ? G_MAXUINT64 : 0);
    case WEIR_NATIVE_NE:
      return of_bits (a != b ? G_MAXUINT64 : 0);
    case WEIR_NATIVE_AND:
      return of_bits (bits_of (a) & bits_of (b));
    case WEIR_NATIVE_OR:
      return of_bits (bits_of (a) | bits_of (b));
    case WEIR_NATIVE_XOR:
      return of_bits (bits_of (a) ^ bits_of (b));
    case WEIR_NATIVE_N_BINARY:
    default:
      g_assert_not_reached ();
    }
}

/* --- Functions that are called --------------------------------------------------------------- */

/* They leave no register as it was. */
static void
disturb (void)
{
#ifdef __x86_64__
  __asm__ volatile("xorl %%eax, %%eax; xorl %%ecx, %%ecx; xorl %%edx, %%edx; xorl %%esi, %%esi;"
                   "xorl %%edi, %%edi; xorl %%r8d, %%r8d; xorl %%r9d, %%r9d;"
                   "pxor %%xmm1, %%xmm1; pxor %%xmm2, %%xmm2; pxor %%xmm3, %%xmm3;"
                   "pxor %%xmm9, %%xmm9; pxor %%xmm15, %%xmm15"
                   :
                   :
                   : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "xmm1", "xmm2", "xmm3", "xmm9",
                     "xmm15");
#endif
}

static double
shift (double a)
{
  double aligned[2] __attribute__ ((aligned (16))) = { a, a };

  disturb ();
  /* A stack that is not aligned would end this here. */
  g_assert_true (((guintptr) aligned & 15) == 0);
  return of_bits (bits_of (aligned[0]) ^ 1);
}

static double
mingle (double a, double b)
{
  disturb ();
  return of_bits (bits_of (a) ^ bits_of (b) << 1);
}

/* --- Random lists ---------------------------------------------------------------------------- */

typedef struct {
  WeirNativeBuilder *builder;
  GArray *values;   /* WeirNativeValue */
  GArray *expected; /* double */
  double in[N_BASES][N_INPUTS];
  double *out, *expected_out;
  guint n_out;
  guint n_bases; /* that are read from */
  guint
      first_known; /* among the values: those before are defined only where a jump was not taken */
} List;

static void
add (List *self, WeirNativeValue value, double expected)
{
  g_array_append_val (self->values, value);
  g_array_append_val (self->expected, expected);
}

/* Mostly of the last few, or any. */
static guint
choose (const List *self)
{
  guint n = self->values->len, near = MIN (n, 6);

  return g_rand_boolean (test_rand) ? n - 1 - (guint) g_rand_int_range (test_rand, 0, (gint) near)
                                    : (guint) g_rand_int_range (test_rand, 0, (gint) n);
}

#define VALUE(i) g_array_index (self->values, WeirNativeValue, i)
#define EXPECTED(i) g_array_index (self->expected, double, i)

static void
add_leaf (List *self)
{
  guint base = (guint) g_rand_int_range (test_rand, 0, (gint) self->n_bases);
  guint place = (guint) g_rand_int_range (test_rand, 0, N_INPUTS);
  double number = random_number ();

  if (base == OUTPUT_BASE)
    add (self, weir_native_number (self->builder, number), number);
  else
    add (self, weir_native_load (self->builder, base, place), self->in[base][place]);
}

static void
add_operation (List *self)
{
  WeirNativeBuilder *b = self->builder;
  guint i = choose (self), j = choose (self), k = choose (self);
  WeirNativeBinary op = (WeirNativeBinary) g_rand_int_range (test_rand, 0, WEIR_NATIVE_N_BINARY);
  double x = EXPECTED (i), y = EXPECTED (j), result;

  switch (g_rand_int_range (test_rand, 0, 12))
    {
    case 0:
      add (self, weir_native_negate (b, VALUE (i)), of_bits (bits_of (x) ^ 1ull << 63));
      break;
    case 1:
      add (self, weir_native_magnitude (b, VALUE (i)), of_bits (bits_of (x) & G_MAXUINT64 >> 1));
      break;
    case 2:
      if (!take_no_number (x, x, &result))
        result = sqrt (x);
      add (self, weir_native_root (b, VALUE (i)), result);
      break;
    case 3:
      {
        WeirNativeValue mask = weir_native_binary (b, WEIR_NATIVE_LT, VALUE (i), VALUE (j));

        /* Choices that are a minimum or maximum too. */
        if (g_rand_int_range (test_rand, 0, 3) == 0)
          k = i;
        add (self, weir_native_select (b, mask, VALUE (k), VALUE (j)), x < y ? EXPECTED (k) : y);
        add (self, weir_native_select (b, mask, VALUE (j), VALUE (i)), x < y ? y : x);
      }
      break;
    case 4:
      if (g_rand_int_range (test_rand, 0, 4) == 0)
        add (self, weir_native_call_1 (b, shift, VALUE (i)), shift (x));
      break;
    case 5:
      if (g_rand_int_range (test_rand, 0, 4) == 0)
        add (self, weir_native_call_2 (b, mingle, VALUE (i), VALUE (j)), mingle (x, y));
      break;
    default:
      add (self, weir_native_binary (b, op, VALUE (i), VALUE (j)), calc_binary (op, x, y));
    }
}

static void
add_store (List *self)
{
  guint i = choose (self);

  weir_native_store (self->builder, OUTPUT_BASE, self->n_out, VALUE (i));
  self->expected_out[self->n_out++] = EXPECTED (i);
  if (g_rand_boolean (test_rand))
    add (self, weir_native_load (self->builder, OUTPUT_BASE, self->n_out - 1), EXPECTED (i));
}

/* What is left out by a jump is not used behind it; what is not, is. */
static void
add_branch (List *self)
{
  guint i = choose (self), before = self->values->len;
  gboolean if_zero = g_rand_boolean (test_rand);
  gboolean is_skipped = (EXPECTED (i) == 0.0) == if_zero;
  guint32 label = weir_native_skip (self->builder, VALUE (i), if_zero);
  guint32 n_out = self->n_out;

  for (guint n = (guint) g_rand_int_range (test_rand, 0, 6); n > 0; n--)
    add_operation (self);
  weir_native_place_label (self->builder, label);
  g_assert_cmpuint (self->n_out, ==, n_out);
  if (is_skipped || g_rand_boolean (test_rand))
    {
      g_array_set_size (self->values, before);
      g_array_set_size (self->expected, before);
    }
}

/* @n_room: of what is stored and may lie behind it. */
static void
list_init (List *self, WeirNativeBuilder *builder, guint n_bases, guint n_room)
{
  *self = (List) { .builder = builder, .n_bases = n_bases };
  self->values = g_array_new (FALSE, FALSE, sizeof (WeirNativeValue));
  self->expected = g_array_new (FALSE, FALSE, sizeof (double));
  self->out = g_new0 (double, n_room);
  self->expected_out = g_new0 (double, n_room);
  for (guint b = 0; b < N_BASES; b++)
    for (guint i = 0; i < N_INPUTS; i++)
      self->in[b][i] = random_number ();
}

static void
list_clear (List *self)
{
  weir_native_builder_free (self->builder);
  g_array_unref (self->values);
  g_array_unref (self->expected);
  g_free (self->out);
  g_free (self->expected_out);
}

static void
fill (List *self, guint n_leaves, guint n_operations, gboolean has_branches)
{
  for (guint i = 0; i < n_leaves; i++)
    add_leaf (self);
  for (guint i = 0; i < n_operations; i++)
    {
      gint kind = g_rand_int_range (test_rand, 0, 12);

      if (kind == 0)
        add_leaf (self);
      else if (kind < 3)
        add_store (self);
      else if (kind == 3 && has_branches)
        add_branch (self);
      else
        add_operation (self);
    }
  add_store (self);
}

static void
try_list (guint n_leaves, guint n_operations, gboolean has_branches)
{
  List list, *self = &list;
  const double *more[N_BASES - WEIR_NATIVE_BASES];
  WeirNativeCode *code;

  list_init (self, weir_native_builder_new (), N_BASES, n_operations + n_leaves + 1);
  fill (self, n_leaves, n_operations, has_branches);
  code = weir_native_builder_end (self->builder);
  g_assert_nonnull (code);
  for (guint b = WEIR_NATIVE_BASES; b < N_BASES; b++)
    more[b - WEIR_NATIVE_BASES] = self->in[b];
  weir_native_code_get_func (code) (self->in[0], self->in[1], self->in[2], self->out, more);
  g_assert_cmpmem (self->out, self->n_out * sizeof (double), self->expected_out,
                   self->n_out * sizeof (double));
  weir_native_code_free (code);
  list_clear (self);
}

static guint64
get_n_tries (void)
{
  const char *asked = g_getenv ("WEIR_FUZZ");

  return asked != NULL ? g_ascii_strtoull (asked, NULL, 10) : 3000;
}

static void
test_lists (void)
{
  guint64 n = get_n_tries ();

  get_test_seed (5);
  for (guint64 i = 0; i < n; i++)
    {
      weir_simd = i % 2 == 0 ? weir_simd_get_best () : WEIR_SIMD_SSE2;
      try_list ((guint) g_rand_int_range (test_rand, 1, 30),
                (guint) g_rand_int_range (test_rand, 1, 60), i % 3 == 0);
    }
  weir_simd = weir_simd_get_best ();
}

/* --- Standing in for others ------------------------------------------------------------------ */

#define N_WORDS 20
#define WENT_ON 7

/* What the function that code stands in for was called with, and what another is to answer. */
static struct {
  guint n_calls;
  gpointer owner, self;
  double number;
  const double *from;
  double *to;
} went_on;
static gboolean is_usual;
static guint n_asked;

static int
go_on (gpointer owner, gpointer self, double number, const double *from, double *to)
{
  double aligned[2] __attribute__ ((aligned (16))) = { number, number };

  disturb ();
  g_assert_true (((guintptr) aligned & 15) == 0);
  went_on.n_calls++;
  went_on.owner = owner;
  went_on.self = self;
  went_on.number = aligned[1];
  went_on.from = from;
  went_on.to = to;
  return WENT_ON;
}

static gboolean
answer (gsize n, const double *values)
{
  disturb ();
  g_assert_cmpuint (n, ==, 300);
  g_assert_true (values == went_on.from);
  n_asked++;
  return is_usual;
}

static double
get_expected (const List *self, WeirNativeValue value)
{
  guint i = 0;

  while (VALUE (i).i != value.i)
    i++;
  return EXPECTED (i);
}

/* Some of the values must be finite: what is left of them tells whether all are, or their sum does.
 * Returns whether the code finds them so. */
static gboolean
add_look (List *self)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (WeirNativeValue));
  gboolean are_finite = TRUE, are_found_finite = TRUE, adds = g_rand_boolean (test_rand);
  WeirNativeValue sum = VALUE (0);
  double expected = 0;

  for (gint n = g_rand_int_range (test_rand, 1, 5); n > 0; n--)
    {
      guint i = choose (self);

      g_array_append_val (values, VALUE (i));
      are_finite &= isfinite (EXPECTED (i)) != 0;
    }
  weir_native_keep_telling (self->builder, values);
  g_assert_cmpuint (values->len, >, 0);
  for (guint k = 0; k < values->len; k++)
    {
      WeirNativeValue next = g_array_index (values, WeirNativeValue, k);
      double of_next = get_expected (self, next);

      if (!adds)
        {
          weir_native_look_at (self->builder, next);
          are_found_finite &= isfinite (of_next) != 0;
          continue;
        }
      sum = k == 0 ? next : weir_native_binary (self->builder, WEIR_NATIVE_ADD, sum, next);
      expected = k == 0 ? of_next : calc_binary (WEIR_NATIVE_ADD, expected, of_next);
    }
  if (adds)
    {
      weir_native_look_at (self->builder, sum);
      are_found_finite = isfinite (expected) != 0;
    }
  if (!adds)
    g_assert_cmpint (are_found_finite, ==, are_finite);
  else if (!are_finite)
    g_assert_false (are_found_finite);
  return are_found_finite;
}

static guint64
random_bits (void)
{
  guint64 bits = (guint64) g_rand_int (test_rand) << 32 | g_rand_int (test_rand);

  return g_rand_boolean (test_rand) ? bits : bits >> 57;
}

static void
add_words (List *self, guint first, guint64 *words)
{
  for (guint w = 0; w < N_WORDS; w++)
    {
      gint32 value = g_rand_boolean (test_rand) ? g_rand_int_range (test_rand, -128, 128)
                                                : (gint32) g_rand_int (test_rand);
      guint64 bits = random_bits ();
      guint from = (guint) g_rand_int_range (test_rand, 0, N_WORDS);

      switch (g_rand_int_range (test_rand, 0, 3))
        {
        case 0:
          weir_native_add_to_word (self->builder, OUTPUT_BASE, first + w, value);
          words[w] += (guint64) (gint64) value;
          break;
        case 1:
          weir_native_set_bits (self->builder, OUTPUT_BASE, first + w, bits);
          words[w] |= bits;
          break;
        default:
          weir_native_copy_word (self->builder, OUTPUT_BASE, first + from, first + w);
          words[w] = words[from];
        }
    }
}

/* The list's room: what is stored, the words, and where the first base is. */
static void
try_usual (guint n_leaves, guint n_operations, gboolean has_branches)
{
  guint n_room = n_operations + n_leaves + 1, owner = 0;
  guint32 first_at = (guint32) ((n_room + N_WORDS) * sizeof (double));
  gboolean has_argument = g_rand_boolean (test_rand), asks = g_rand_boolean (test_rand);
  guint64 before[N_WORDS], after[N_WORDS];
  double number = random_number ();
  List list, *self = &list;
  const double *first = list.in[0];
  WeirNativeValue argument;
  WeirNativeCode *code;
  gboolean goes_on, is_finite, is_clear = TRUE;
  int result;

  list_init (self, weir_native_builder_new_usual (go_on, first_at), WEIR_NATIVE_BASES,
             n_room + N_WORDS + 1);
  memcpy ((char *) self->out + first_at, &first, sizeof first);
  for (guint w = 0; w < N_WORDS; w++)
    before[w] = after[w] = random_bits ();
  memcpy (self->out + n_room, before, sizeof before);
  if (has_argument)
    {
      argument = weir_native_argument (self->builder);
      add (self, argument, number);
    }
  else
    {
      argument = weir_native_load (self->builder, 1, 5);
      number = self->in[1][5];
      add (self, argument, number);
    }
  if (g_rand_boolean (test_rand))
    {
      guint w = (guint) g_rand_int_range (test_rand, 0, N_WORDS);
      guint64 bits = random_bits () & (g_rand_boolean (test_rand) ? G_MAXUINT64 : ~before[w]);

      is_clear = (before[w] & bits) == 0;
      weir_native_insist_on_clear (self->builder, OUTPUT_BASE, n_room + w, bits, argument);
    }
  fill (self, n_leaves, n_operations, has_branches);
  is_finite = add_look (self);
  is_usual = g_rand_boolean (test_rand);
  weir_native_insist_on_finite (self->builder, argument);
  if (asks)
    weir_native_insist_on (self->builder, answer, 300, 1, argument);
  add_words (self, n_room, after);
  goes_on = !is_clear || !is_finite || (asks && !is_usual);
  code = weir_native_builder_end (self->builder);
  g_assert_nonnull (code);

  n_asked = went_on.n_calls = 0;
  went_on.from = self->in[1];
  result = weir_native_code_get_usual (code) (&owner, self->out, number, self->in[1], self->in[2]);
  g_assert_cmpint (result, ==, goes_on ? WENT_ON : 0);
  g_assert_cmpuint (went_on.n_calls, ==, goes_on);
  g_assert_cmpuint (n_asked, ==, asks && is_clear && is_finite);
  if (!is_clear) /* nothing was stored */
    memset (self->expected_out, 0, n_room * sizeof (double));
  g_assert_cmpmem (self->out, n_room * sizeof (double), self->expected_out,
                   n_room * sizeof (double));
  g_assert_cmpmem (self->out + n_room, sizeof after, goes_on ? before : after, sizeof after);
  if (goes_on)
    {
      g_assert_true (went_on.owner == &owner && went_on.self == self->out);
      g_assert_true (went_on.from == self->in[1] && went_on.to == self->in[2]);
      g_assert_cmpuint (bits_of (went_on.number), ==, bits_of (number));
    }
  weir_native_code_free (code);
  list_clear (self);
}

static void
test_usual (void)
{
  guint64 n = get_n_tries ();

  get_test_seed (6);
  for (guint64 i = 0; i < n; i++)
    {
      weir_simd = i % 2 == 0 ? weir_simd_get_best () : WEIR_SIMD_SSE2;
      try_usual ((guint) g_rand_int_range (test_rand, 1, 30),
                 (guint) g_rand_int_range (test_rand, 1, 60), i % 3 == 0);
    }
  weir_simd = weir_simd_get_best ();
}

/* Which of some values tell of the others, by what they are. */
static void
test_telling (void)
{
  WeirNativeBuilder *b = weir_native_builder_new ();
  WeirNativeValue x = weir_native_load (b, 0, 0), y = weir_native_load (b, 0, 1);
  WeirNativeValue sum = weir_native_binary (b, WEIR_NATIVE_ADD, x, y);
  WeirNativeValue product = weir_native_binary (b, WEIR_NATIVE_MUL, sum, weir_native_number (b, 0));
  const struct {
    WeirNativeValue of;
    gboolean tells_of_x, tells_of_y;
  } cases[] = {
    { x, TRUE, FALSE },
    { sum, TRUE, TRUE },
    { product, TRUE, TRUE },
    { weir_native_binary (b, WEIR_NATIVE_SUB, x, y), TRUE, TRUE },
    { weir_native_binary (b, WEIR_NATIVE_DIV, x, y), TRUE, FALSE },
    { weir_native_binary (b, WEIR_NATIVE_MIN, x, y), FALSE, FALSE },
    { weir_native_binary (b, WEIR_NATIVE_MAX, x, y), FALSE, FALSE },
    { weir_native_binary (b, WEIR_NATIVE_AND, x, y), FALSE, FALSE },
    { weir_native_binary (b, WEIR_NATIVE_AND, x, weir_native_number (b, 1)), FALSE, FALSE },
    { weir_native_binary (b, WEIR_NATIVE_LT, x, y), FALSE, FALSE },
    { weir_native_root (b, x), TRUE, FALSE },
    { weir_native_negate (b, y), FALSE, TRUE },
    { weir_native_magnitude (b, weir_native_negate (b, y)), FALSE, TRUE },
    { weir_native_select (b, weir_native_binary (b, WEIR_NATIVE_LE, x, y), x, y), FALSE, FALSE },
    { weir_native_call_1 (b, shift, x), FALSE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (WeirNativeValue));
      const WeirNativeValue asked[] = { cases[i].of, y, x, cases[i].of };
      guint32 left = 0;

      g_array_append_vals (values, asked, G_N_ELEMENTS (asked));
      weir_native_keep_telling (b, values);
      for (guint k = 0; k < values->len; k++)
        {
          WeirNativeValue value = g_array_index (values, WeirNativeValue, k);

          left |= value.i == cases[i].of.i ? 4u : value.i == x.i ? 1u : 2u;
        }
      g_assert_cmpuint (left, ==,
                        4u | (cases[i].tells_of_x ? 0u : 1u) | (cases[i].tells_of_y ? 0u : 2u));
      g_assert_cmpuint (values->len, ==, (guint) __builtin_popcount (left));
    }
  weir_native_builder_free (b);
}

/* --- Four at once ---------------------------------------------------------------------------- */

/* The same list, scalar and wide, where each place of the one is four of the other. */
typedef struct {
  WeirNativeBuilder *builders[2];
  GArray *values[2]; /* WeirNativeValue */
  guint n_out;
} Twins;

static void
add_to_twins (Twins *self, guint op, guint i, guint j, guint k)
{
  for (guint w = 0; w < 2; w++)
    {
      WeirNativeBuilder *b = self->builders[w];
      const WeirNativeValue *values = (const WeirNativeValue *) (gconstpointer) self->values[w]
                                          ->data;
      WeirNativeValue mask, value;

      if (op < WEIR_NATIVE_N_BINARY)
        value = weir_native_binary (b, op, values[i], values[j]);
      else if (op == WEIR_NATIVE_N_BINARY)
        value = weir_native_root (b, values[i]);
      else if (op == WEIR_NATIVE_N_BINARY + 1)
        value = weir_native_negate (b, values[i]);
      else if (op == WEIR_NATIVE_N_BINARY + 2)
        value = weir_native_magnitude (b, values[i]);
      else
        {
          mask = weir_native_binary (b, WEIR_NATIVE_LT, values[i], values[j]);
          value = weir_native_select (b, mask, values[k], values[j]);
        }
      g_array_append_val (self->values[w], value);
    }
}

static void
store_twins (Twins *self, guint i)
{
  for (guint w = 0; w < 2; w++)
    weir_native_store (self->builders[w], OUTPUT_BASE,
                       self->n_out * (w == 0 ? 1 : WEIR_NATIVE_WIDTH),
                       g_array_index (self->values[w], WeirNativeValue, i));
  self->n_out++;
}

static void
add_leaf_to_twins (Twins *self)
{
  guint base = (guint) g_rand_int_range (test_rand, 0, WEIR_NATIVE_BASES);
  guint place = (guint) g_rand_int_range (test_rand, 0, N_INPUTS);
  double number = random_number ();

  for (guint w = 0; w < 2; w++)
    {
      WeirNativeValue value = base == OUTPUT_BASE
                                  ? weir_native_number (self->builders[w], number)
                                  : weir_native_load (self->builders[w], base,
                                                      place * (w == 0 ? 1 : WEIR_NATIVE_WIDTH));

      g_array_append_val (self->values[w], value);
    }
}

static guint
choose_twin (const Twins *self)
{
  gint n = (gint) self->values[0]->len;

  return (guint) (g_rand_boolean (test_rand) ? n - 1 - g_rand_int_range (test_rand, 0, MIN (n, 6))
                                             : g_rand_int_range (test_rand, 0, n));
}

static void
compare_twins (Twins *self)
{
  WeirNativeCode *code[2];
  double in[WEIR_NATIVE_BASES - 1][N_INPUTS * WEIR_NATIVE_WIDTH];
  double one[WEIR_NATIVE_BASES - 1][N_INPUTS];
  g_autofree double *out = g_new0 (double, self->n_out);
  g_autofree double *wide = g_new0 (double, self->n_out *WEIR_NATIVE_WIDTH);

  for (guint w = 0; w < 2; w++)
    {
      code[w] = weir_native_builder_end (self->builders[w]);
      g_assert_nonnull (code[w]);
    }
  for (guint b = 0; b < G_N_ELEMENTS (in); b++)
    for (guint i = 0; i < G_N_ELEMENTS (in[0]); i++)
      in[b][i] = random_number ();
  weir_native_code_get_func (code[1]) (in[0], in[1], in[2], wide, NULL);
  for (guint lane = 0; lane < WEIR_NATIVE_WIDTH; lane++)
    {
      for (guint b = 0; b < G_N_ELEMENTS (in); b++)
        for (guint i = 0; i < N_INPUTS; i++)
          one[b][i] = in[b][i * WEIR_NATIVE_WIDTH + lane];
      weir_native_code_get_func (code[0]) (one[0], one[1], one[2], out, NULL);
      for (guint i = 0; i < self->n_out; i++)
        g_assert_cmphex (bits_of (wide[i * WEIR_NATIVE_WIDTH + lane]), ==, bits_of (out[i]));
    }
  for (guint w = 0; w < 2; w++)
    weir_native_code_free (code[w]);
}

static void
try_twins (guint n_leaves, guint n_operations)
{
  Twins twins = { { weir_native_builder_new (), weir_native_builder_new_wide () } };

  for (guint w = 0; w < 2; w++)
    twins.values[w] = g_array_new (FALSE, FALSE, sizeof (WeirNativeValue));
  for (guint i = 0; i < n_leaves; i++)
    add_leaf_to_twins (&twins);
  for (guint i = 0; i < n_operations; i++)
    if (g_rand_int_range (test_rand, 0, 6) == 0)
      store_twins (&twins, choose_twin (&twins));
    else
      add_to_twins (&twins, (guint) g_rand_int_range (test_rand, 0, WEIR_NATIVE_N_BINARY + 5),
                    choose_twin (&twins), choose_twin (&twins), choose_twin (&twins));
  store_twins (&twins, twins.values[0]->len - 1);
  compare_twins (&twins);
  for (guint w = 0; w < 2; w++)
    {
      weir_native_builder_free (twins.builders[w]);
      g_array_unref (twins.values[w]);
    }
}

static void
test_wide (void)
{
  const char *asked = g_getenv ("WEIR_FUZZ");
  guint64 n = asked != NULL ? g_ascii_strtoull (asked, NULL, 10) : 3000;
  WeirNativeBuilder *builder = weir_native_builder_new_wide ();

  get_test_seed (7);
  weir_simd = WEIR_SIMD_SSE2;
  g_assert_null (weir_native_builder_new_wide ());
  weir_simd = weir_simd_get_best ();
  if (builder == NULL)
    {
      g_test_skip ("this machine has no such instructions");
      return;
    }
  /* A function for one value is none for four. */
  weir_native_store (builder, OUTPUT_BASE, 0,
                     weir_native_call_1 (builder, shift, weir_native_number (builder, 1.0)));
  g_assert_null (weir_native_builder_end (builder));
  weir_native_builder_free (builder);
  for (guint64 i = 0; i < n; i++)
    try_twins ((guint) g_rand_int_range (test_rand, 1, 30),
               (guint) g_rand_int_range (test_rand, 1, 60));
}

/* --- Alike side by side ---------------------------------------------------------------------- */

#define N_IN_ROW 40 /* at most */
#define N_SIDE (N_IN_ROW + 8)

/* What is done for each of a row's places: from values of its own, its neighbours', the row's
 * number or all rows', with now and then a place that is unlike the others. */
typedef struct {
  WeirNativeBuilder *builder;
  double in[WEIR_NATIVE_BASES - 1][N_SIDE];
  guint n;
  GArray *values[N_IN_ROW];   /* WeirNativeValue */
  GArray *expected[N_IN_ROW]; /* double */
  double *out, *expected_out;
  guint n_out;
} Field;

static void
add_to_field (Field *self, guint lane, WeirNativeValue value, double expected)
{
  g_array_append_val (self->values[lane], value);
  g_array_append_val (self->expected[lane], expected);
}

#define LANE_VALUE(lane, i) g_array_index (self->values[lane], WeirNativeValue, i)
#define LANE_EXPECTED(lane, i) g_array_index (self->expected[lane], double, i)

static void
add_leaf_to_field (Field *self)
{
  guint base = (guint) g_rand_int_range (test_rand, 0, WEIR_NATIVE_BASES - 1);
  guint place = (guint) g_rand_int_range (test_rand, 0, 8), kind = g_rand_int (test_rand) % 4;
  double number = random_number ();

  for (guint lane = 0; lane < self->n; lane++)
    {
      guint at = kind == 0 ? place : place + lane;

      if (kind == 1)
        add_to_field (self, lane, weir_native_number (self->builder, number), number);
      else
        add_to_field (self, lane, weir_native_load (self->builder, base, at), self->in[base][at]);
    }
}

static void
add_operation_to_field (Field *self)
{
  WeirNativeBuilder *b = self->builder;
  guint n = self->values[0]->len, kind = g_rand_int (test_rand) % (WEIR_NATIVE_N_BINARY + 3);
  guint i = g_rand_int (test_rand) % n, j = g_rand_int (test_rand) % n;
  guint unlike = g_rand_int (test_rand) % 6 == 0 ? g_rand_int (test_rand) % self->n : G_MAXUINT;

  for (guint lane = 0; lane < self->n; lane++)
    {
      WeirNativeValue first = LANE_VALUE (lane, i), second = LANE_VALUE (lane, j);
      double x = LANE_EXPECTED (lane, i), y = LANE_EXPECTED (lane, j), result;

      if (lane == unlike)
        add_to_field (self, lane, weir_native_negate (b, first),
                      of_bits (bits_of (x) ^ 1ull << 63));
      else if (kind < WEIR_NATIVE_N_BINARY)
        add_to_field (self, lane, weir_native_binary (b, kind, first, second),
                      calc_binary (kind, x, y));
      else if (kind == WEIR_NATIVE_N_BINARY)
        add_to_field (self, lane, weir_native_root (b, first),
                      take_no_number (x, x, &result) ? result : sqrt (x));
      else
        add_to_field (self, lane,
                      weir_native_select (b, weir_native_binary (b, WEIR_NATIVE_LE, first, second),
                                          LANE_VALUE (lane, 0), second),
                      x <= y ? LANE_EXPECTED (lane, 0) : y);
    }
}

static void
store_field (Field *self)
{
  guint i = g_rand_int (test_rand) % self->values[0]->len;
  gboolean is_backward = g_rand_boolean (test_rand);

  for (guint k = 0; k < self->n; k++)
    {
      guint lane = is_backward ? self->n - 1 - k : k;

      weir_native_store (self->builder, OUTPUT_BASE, self->n_out + lane, LANE_VALUE (lane, i));
      self->expected_out[self->n_out + lane] = LANE_EXPECTED (lane, i);
    }
  self->n_out += self->n;
}

static void
try_field (guint n, guint n_operations)
{
  Field field = { .builder = weir_native_builder_new (), .n = n }, *self = &field;
  WeirNativeCode *code;

  for (guint lane = 0; lane < n; lane++)
    {
      self->values[lane] = g_array_new (FALSE, FALSE, sizeof (WeirNativeValue));
      self->expected[lane] = g_array_new (FALSE, FALSE, sizeof (double));
    }
  for (guint b = 0; b < WEIR_NATIVE_BASES - 1; b++)
    for (guint i = 0; i < N_SIDE; i++)
      self->in[b][i] = random_number ();
  self->out = g_new0 (double, n *(n_operations + 1) + 1);
  self->expected_out = g_new0 (double, n *(n_operations + 1) + 1);
  add_leaf_to_field (self);
  for (guint i = 0; i < n_operations; i++)
    switch (g_rand_int_range (test_rand, 0, 6))
      {
      case 0:
        store_field (self);
        break;
      case 1:
      case 2:
        add_leaf_to_field (self);
        break;
      default:
        add_operation_to_field (self);
      }
  store_field (self);
  /* A value of one place alone. */
  weir_native_store (self->builder, OUTPUT_BASE, self->n_out,
                     LANE_VALUE (n / 2, self->values[0]->len - 1));
  self->expected_out[self->n_out++] = LANE_EXPECTED (n / 2, self->values[0]->len - 1);
  code = weir_native_builder_end (self->builder);
  g_assert_nonnull (code);
  weir_native_code_get_func (code) (self->in[0], self->in[1], self->in[2], self->out, NULL);
  for (guint i = 0; i < self->n_out; i++)
    g_assert_cmphex (bits_of (self->out[i]), ==, bits_of (self->expected_out[i]));
  weir_native_code_free (code);
  weir_native_builder_free (self->builder);
  for (guint lane = 0; lane < n; lane++)
    {
      g_array_unref (self->values[lane]);
      g_array_unref (self->expected[lane]);
    }
  g_free (self->out);
  g_free (self->expected_out);
}

static void
test_rows (void)
{
  const char *asked = g_getenv ("WEIR_FUZZ");
  guint64 n = asked != NULL ? g_ascii_strtoull (asked, NULL, 10) : 3000;

  get_test_seed (11);
  for (guint64 i = 0; i < n; i++)
    {
      weir_simd = i % 4 == 0 ? WEIR_SIMD_SSE2 : weir_simd_get_best ();
      try_field ((guint) g_rand_int_range (test_rand, 1, N_IN_ROW),
                 (guint) g_rand_int_range (test_rand, 1, 40));
    }
  weir_simd = weir_simd_get_best ();
}

/* A rod's right-hand side: x[i - 1] - 2 x[i] + x[i + 1], for each of @n places. */
static WeirNativeCode *
make_rod (guint n)
{
  WeirNativeBuilder *b = weir_native_builder_new ();
  WeirNativeCode *code;

  for (guint i = 0; i < n; i++)
    {
      WeirNativeValue own = weir_native_binary (b, WEIR_NATIVE_MUL, weir_native_number (b, 2.0),
                                                weir_native_load (b, 0, i + 1));
      WeirNativeValue left = weir_native_binary (b, WEIR_NATIVE_SUB, weir_native_load (b, 0, i),
                                                 own);

      weir_native_store (
          b, OUTPUT_BASE, i,
          weir_native_binary (b, WEIR_NATIVE_ADD, left, weir_native_load (b, 0, i + 2)));
    }
  code = weir_native_builder_end (b);
  weir_native_builder_free (b);
  return code;
}

/* Four are said by as much code as one is. */
static void
test_size (void)
{
  WeirNativeCode *code[2];

  if (weir_simd_get_best () != WEIR_SIMD_AVX2)
    {
      g_test_skip ("this machine has no such instructions");
      return;
    }
  code[0] = make_rod (400);
  weir_simd = WEIR_SIMD_SSE2;
  code[1] = make_rod (400);
  weir_simd = weir_simd_get_best ();
  g_assert_cmpuint (weir_native_code_get_size (code[0]) * 3, <,
                    weir_native_code_get_size (code[1]));
  weir_native_code_free (code[0]);
  weir_native_code_free (code[1]);
}

/* --- Limits ---------------------------------------------------------------------------------- */

/* Some thousand values that all are needed again at the end: the stack is far larger than a small
 * displacement says, and so is the code for the jumps around it. */
static void
test_large (void)
{
  enum { N = 20000 };
  g_autofree double *in = g_new (double, N), *out = g_new0 (double, N + 1);

  for (guint way = 0; way < 4; way++)
    {
      WeirNativeBuilder *b = weir_native_builder_new ();
      g_autofree WeirNativeValue *values = g_new (WeirNativeValue, N);
      WeirNativeCode *code;
      WeirNativeValue sum;
      guint32 label;
      double expected = 0;

      weir_simd = way % 2 == 0 ? weir_simd_get_best () : WEIR_SIMD_SSE2;
      for (guint i = 0; i < N; i++)
        {
          in[i] = i * 0.25 - 7;
          values[i] = weir_native_binary (b, WEIR_NATIVE_MUL, weir_native_load (b, 0, i),
                                          weir_native_load (b, 0, i));
          expected += in[i] * in[i];
        }
      in[3] = way < 2 ? 0.0 : 1.0;
      expected += in[3] * in[3] - (3 * 0.25 - 7) * (3 * 0.25 - 7);
      label = weir_native_skip (b, weir_native_load (b, 0, 3), TRUE);
      for (guint i = 0; i < N; i++)
        weir_native_store (b, 3, i, weir_native_call_1 (b, shift, values[i]));
      weir_native_place_label (b, label);
      sum = weir_native_number (b, 0.0);
      for (guint i = 0; i < N; i++)
        sum = weir_native_binary (b, WEIR_NATIVE_ADD, sum, values[i]);
      weir_native_store (b, 3, N, sum);
      code = weir_native_builder_end (b);
      g_assert_nonnull (code);
      memset (out, 0, N * sizeof *out);
      weir_native_code_get_func (code) (in, NULL, NULL, out, NULL);
      g_assert_cmpfloat_with_epsilon (out[N], expected, 1e-6 * expected);
      for (guint i = 0; i < N; i++)
        g_assert_cmpuint (bits_of (out[i]), ==, way < 2 ? 0 : bits_of (shift (in[i] * in[i])));
      weir_native_code_free (code);
      weir_native_builder_free (b);
    }
  weir_simd = weir_simd_get_best ();
}

/* More than code is made of, and places that an instruction cannot name: there is none. */
static void
test_too_large (void)
{
  WeirNativeBuilder *b = weir_native_builder_new ();
  WeirNativeValue sum = weir_native_load (b, 0, 0);

  for (guint i = 0; i < 500000; i++)
    sum = weir_native_binary (b, WEIR_NATIVE_ADD, sum, weir_native_load (b, 0, i));
  weir_native_store (b, 3, 0, sum);
  g_assert_null (weir_native_builder_end (b));
  weir_native_builder_free (b);

  b = weir_native_builder_new ();
  weir_native_store (b, 3, 0, weir_native_load (b, 0, G_MAXINT32));
  g_assert_null (weir_native_builder_end (b));
  weir_native_builder_free (b);
}

/* An expression as deep as a chain of brackets: each value waits for the one within. */
static void
test_deep (void)
{
  WeirNativeBuilder *b = weir_native_builder_new ();
  double in[200], out[1], expected;
  WeirNativeValue value;
  WeirNativeCode *code;

  for (guint i = 0; i < G_N_ELEMENTS (in); i++)
    in[i] = 1 + i * 0.01;
  value = weir_native_load (b, 0, G_N_ELEMENTS (in) - 1);
  expected = in[G_N_ELEMENTS (in) - 1];
  for (guint i = G_N_ELEMENTS (in) - 1; i-- > 0;)
    {
      value = weir_native_binary (b, i % 2 == 0 ? WEIR_NATIVE_SUB : WEIR_NATIVE_DIV,
                                  weir_native_load (b, 0, i), value);
      expected = i % 2 == 0 ? in[i] - expected : in[i] / expected;
    }
  weir_native_store (b, 3, 0, value);
  code = weir_native_builder_end (b);
  g_assert_nonnull (code);
  weir_native_code_get_func (code) (in, NULL, NULL, out, NULL);
  g_assert_cmpfloat (out[0], ==, expected);
  weir_native_code_free (code);
  weir_native_builder_free (b);
}

/* --- Memory ---------------------------------------------------------------------------------- */

static WeirNativeCode *
make_sum (void)
{
  WeirNativeBuilder *b = weir_native_builder_new ();
  WeirNativeCode *code;

  weir_native_store (b, 3, 0,
                     weir_native_binary (b, WEIR_NATIVE_ADD, weir_native_load (b, 0, 0),
                                         weir_native_load (b, 1, 0)));
  code = weir_native_builder_end (b);
  weir_native_builder_free (b);
  return code;
}

static void
check_sum (const WeirNativeCode *code)
{
  double a = 1.5, b = -4, sum = 0;

  weir_native_code_get_func (code) (&a, &b, NULL, &sum, NULL);
  g_assert_cmpfloat (sum, ==, -2.5);
}

/* The code's own pages are not writable. */
static gboolean
has_open_page (const WeirNativeCode *code)
{
  WeirNativeFunc func = weir_native_code_get_func (code);
  g_autofree char *maps = NULL;
  g_auto (GStrv) lines = NULL;
  guint64 at;
  gboolean is_found = FALSE;

  memcpy (&at, &func, sizeof at);
  g_assert_true (g_file_get_contents ("/proc/self/maps", &maps, NULL, NULL));
  lines = g_strsplit (maps, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *end;
      guint64 first = g_ascii_strtoull (lines[i], &end, 16);
      guint64 last = *end == '-' ? g_ascii_strtoull (end + 1, &end, 16) : 0;

      if (at < first || at >= last)
        continue;
      is_found = TRUE;
      if (strncmp (end + 1, "r-x", 3) != 0)
        return TRUE;
    }
  g_assert_true (is_found);
  return FALSE;
}

static void
test_pages (void)
{
  WeirNativeCode *code = make_sum ();

  g_assert_nonnull (code);
  g_assert_false (has_open_page (code));
  check_sum (code);
  weir_native_code_free (code);
}

/* From here on @call fails where its third argument asks for pages that can be executed, as on a
 * hardened system; mmap too if @both. */
static gboolean
refuse_executable (gboolean both)
{
#ifdef __x86_64__
#define FIELD(what) BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, what))
#define UNLESS(value, skip) BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip)
  struct sock_filter filter[] = {
    FIELD (nr),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 1, 0),
    UNLESS (both ? SYS_mmap : SYS_mprotect, 3),
    FIELD (args[2]),
    BPF_JUMP (BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = { G_N_ELEMENTS (filter), filter };

  return prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
         && prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
#else
  return FALSE;
#endif
}

static void
test_refused_mprotect (void)
{
  if (g_test_subprocess ())
    {
      if (!refuse_executable (FALSE))
        return;
      /* By a second mapping. */
      WeirNativeCode *code = make_sum ();

      g_assert_nonnull (code);
      g_assert_false (weir_native_is_refused ());
      check_sum (code);
      weir_native_code_free (code);
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

static void
test_refused_all (void)
{
  if (g_test_subprocess ())
    {
      if (!refuse_executable (TRUE))
        return;
      g_assert_null (make_sum ());
      g_assert_true (weir_native_is_refused ());
      g_assert_null (make_sum ());
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!WEIR_NATIVE_POSSIBLE)
    {
      g_test_message ("there is no code here");
      return g_test_run ();
    }
  g_test_add_func ("/native/native/lists", test_lists);
  g_test_add_func ("/native/native/usual", test_usual);
  g_test_add_func ("/native/native/telling", test_telling);
  g_test_add_func ("/native/native/wide", test_wide);
  g_test_add_func ("/native/native/rows", test_rows);
  g_test_add_func ("/native/native/rows/size", test_size);
  g_test_add_func ("/native/native/large", test_large);
  g_test_add_func ("/native/native/too-large", test_too_large);
  g_test_add_func ("/native/native/deep", test_deep);
  g_test_add_func ("/native/native/pages", test_pages);
  g_test_add_func ("/native/native/refused/mprotect", test_refused_mprotect);
  g_test_add_func ("/native/native/refused/all", test_refused_all);
  return g_test_run ();
}

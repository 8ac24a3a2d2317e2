/* Reading kernels' texts, and trying what comes of them. See template.h. */
#include "system/evaluation/template.h"

#include <math.h>
#include <string.h>

#include "base/sync.h"

/* --- Texts ----------------------------------------------------------------------------------- */

typedef enum {
  TOKEN_OPERAND, /* index: of the kernel; in a text that takes one after the other 0: y, 1: u */
  TOKEN_NUMBER,
  TOKEN_BINARY,   /* WeirNativeBinary */
  TOKEN_GREATER,  /* a > b is b < a */
  TOKEN_NOT_LESS, /* a >= b is b <= a */
  TOKEN_NEGATE,
  TOKEN_MAGNITUDE,
  TOKEN_ROOT,
  TOKEN_SELECT,
  TOKEN_BOTH,
  TOKEN_EITHER,
  TOKEN_CALL_1,
  TOKEN_CALL_2,
} TokenKind;

typedef struct {
  TokenKind kind;
  guint index;         /* of an operand; WeirNativeBinary */
  gboolean is_swapped; /* a sum or product whose second operand comes first */
  double number;
  double (*call_1) (double);
  double (*call_2) (double, double);
} Token;

enum { TEXT_WHOLE, TEXT_FIRST, TEXT_NEXT = TEXT_FIRST + 2, N_TEXTS = TEXT_NEXT + 2 };

struct _WeirTemplate {
  const WeirKernelText *text;
  guint n_in;
  guint64 variant;
  guint64
      swapped; /* of operands taken in one after the other: by which their sum or product begins */
  GArray *tokens[N_TEXTS]; /* Token, in the order of computation */
};

/* --- Reading --------------------------------------------------------------------------------- */

typedef struct {
  const char *at;
  const char *operands;
  double (*function) (double); /* what the text calls f */
  GArray *tokens;
  guint depth;
  gboolean has_failed;
} Reader;

#define MAX_DEPTH 32

static void read_choice (Reader *self);

static void
add (Reader *self, Token token)
{
  g_array_append_val (self->tokens, token);
}

static void
add_kind (Reader *self, TokenKind kind)
{
  add (self, (Token) { .kind = kind });
}

static void
skip_space (Reader *self)
{
  while (g_ascii_isspace (*self->at))
    self->at++;
}

static gboolean
take (Reader *self, const char *mark)
{
  gsize n = strlen (mark);

  skip_space (self);
  if (strncmp (self->at, mark, n) != 0)
    return FALSE;
  self->at += n;
  return TRUE;
}

static void
expect (Reader *self, const char *mark)
{
  self->has_failed |= !take (self, mark);
}

/* The place of a name among the operands, or -1. */
static int
find_operand (const char *operands, const char *name, gsize n)
{
  int place = 0;

  for (const char *at = operands; *at != '\0'; place++)
    {
      gsize length = strcspn (at, ",");

      if (length == n && strncmp (at, name, n) == 0)
        return place;
      at += length;
      at += strspn (at, ", ");
    }
  return -1;
}

#define CALL_1(name)                                                                               \
  {                                                                                                \
#name, name, NULL                                                                              \
  }
#define CALL_2(name)                                                                               \
  {                                                                                                \
#name, NULL, name                                                                              \
  }
static const struct {
  const char *name;
  double (*call_1) (double);
  double (*call_2) (double, double);
} calls[] = {
  CALL_1 (sin),   CALL_1 (cos),  CALL_1 (tan),  CALL_1 (asin),  CALL_1 (acos), CALL_1 (atan),
  CALL_1 (sinh),  CALL_1 (cosh), CALL_1 (tanh), CALL_1 (exp),   CALL_1 (log),  CALL_1 (log10),
  CALL_1 (floor), CALL_1 (ceil), CALL_2 (pow),  CALL_2 (atan2), CALL_2 (fmod), CALL_2 (hypot),
};

/* What a name is called with, which has been read. */
static void
add_call (Reader *self, const char *name, gsize n, guint n_arguments)
{
  Token token = { .kind = n_arguments == 1 ? TOKEN_CALL_1 : TOKEN_CALL_2 };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    if (strlen (calls[i].name) == n && strncmp (calls[i].name, name, n) == 0)
      {
        token.call_1 = calls[i].call_1;
        token.call_2 = calls[i].call_2;
      }
  if (n == 1 && *name == 'f')
    token.call_1 = self->function;
  if ((n == 4 && strncmp (name, "fabs", n) == 0)
      || (n == 14 && strncmp (name, "__builtin_fabs", n) == 0))
    token.kind = TOKEN_MAGNITUDE;
  else if (n == 4 && strncmp (name, "sqrt", n) == 0)
    token.kind = TOKEN_ROOT;
  else if (n_arguments == 1 ? token.call_1 == NULL : token.call_2 == NULL)
    self->has_failed = TRUE;
  self->has_failed |= n_arguments != (token.kind == TOKEN_CALL_2 ? 2 : 1);
  if (token.kind == TOKEN_CALL_1 && token.call_1 == sqrt)
    token.kind = TOKEN_ROOT;
  add (self, token);
}

static void
read_name (Reader *self)
{
  const char *name = self->at;
  gsize n = 0;
  int place;

  while (g_ascii_isalnum (name[n]) || name[n] == '_')
    n++;
  self->at += n;
  if (take (self, "("))
    {
      guint n_arguments = 0;

      do
        {
          read_choice (self);
          n_arguments++;
        }
      while (!self->has_failed && take (self, ","));
      expect (self, ")");
      add_call (self, name, n, n_arguments);
      return;
    }
  place = find_operand (self->operands, name, n);
  if (n == 4 && strncmp (name, "G_PI", n) == 0)
    add (self, (Token) { .kind = TOKEN_NUMBER, .number = G_PI });
  else if (place < 0)
    self->has_failed = TRUE;
  else
    add (self, (Token) { .kind = TOKEN_OPERAND, .index = (guint) place });
}

static void
read_unary (Reader *self)
{
  skip_space (self);
  if (++self->depth > MAX_DEPTH || self->has_failed)
    self->has_failed = TRUE;
  else if (take (self, "-"))
    {
      read_unary (self);
      if (self->tokens->len > 0
          && g_array_index (self->tokens, Token, self->tokens->len - 1).kind == TOKEN_NUMBER)
        g_array_index (self->tokens, Token, self->tokens->len - 1).number *= -1;
      else
        add_kind (self, TOKEN_NEGATE);
    }
  else if (take (self, "("))
    {
      read_choice (self);
      expect (self, ")");
    }
  else if (g_ascii_isdigit (*self->at) || *self->at == '.')
    {
      char *end;

      add (self, (Token) { .kind = TOKEN_NUMBER, .number = g_ascii_strtod (self->at, &end) });
      self->at = end;
    }
  else if (g_ascii_isalpha (*self->at) || *self->at == '_')
    read_name (self);
  else
    self->has_failed = TRUE;
  self->depth--;
}

/* Operators from those that bind least to those that bind most; the longer of two that begin alike
 * first. */
static const struct {
  const char *mark;
  guint level;
  TokenKind kind;
  guint index;
} operators[] = {
  { "||", 0, TOKEN_EITHER, 0 },
  { "&&", 1, TOKEN_BOTH, 0 },
  { "==", 2, TOKEN_BINARY, WEIR_NATIVE_EQ },
  { "!=", 2, TOKEN_BINARY, WEIR_NATIVE_NE },
  { "<=", 3, TOKEN_BINARY, WEIR_NATIVE_LE },
  { ">=", 3, TOKEN_NOT_LESS, 0 },
  { "<", 3, TOKEN_BINARY, WEIR_NATIVE_LT },
  { ">", 3, TOKEN_GREATER, 0 },
  { "+", 4, TOKEN_BINARY, WEIR_NATIVE_ADD },
  { "-", 4, TOKEN_BINARY, WEIR_NATIVE_SUB },
  { "*", 5, TOKEN_BINARY, WEIR_NATIVE_MUL },
  { "/", 5, TOKEN_BINARY, WEIR_NATIVE_DIV },
};
#define N_LEVELS 6

static void
read_level (Reader *self, guint level)
{
  gboolean is_found = TRUE;

  if (level == N_LEVELS)
    {
      read_unary (self);
      return;
    }
  read_level (self, level + 1);
  while (is_found && !self->has_failed)
    {
      is_found = FALSE;
      for (guint i = 0; i < G_N_ELEMENTS (operators) && !is_found; i++)
        if (operators[i].level == level && take (self, operators[i].mark))
          {
            read_level (self, level + 1);
            add (self, (Token) { .kind = operators[i].kind, .index = operators[i].index });
            is_found = TRUE;
          }
    }
}

static void
read_choice (Reader *self)
{
  read_level (self, 0);
  if (self->has_failed || !take (self, "?"))
    return;
  read_choice (self);
  expect (self, ":");
  read_choice (self);
  add_kind (self, TOKEN_SELECT);
}

/* NULL: the text says something else than numbers. (transfer full) */
static GArray *
read_text (const WeirKernelText *text, const char *what, const char *operands, guint64 variant)
{
  Reader reader = { .at = what, .operands = operands };

  if (text->functions != NULL)
    reader.function = text->functions[variant];
  reader.tokens = g_array_new (FALSE, FALSE, sizeof (Token));
  read_choice (&reader);
  skip_space (&reader);
  if (!reader.has_failed && *reader.at == '\0')
    return reader.tokens;
  g_array_unref (reader.tokens);
  return NULL;
}

/* --- Building -------------------------------------------------------------------------------- */

typedef struct {
  WeirNativeValue value;
  gboolean is_mask;
} Operand;

static WeirNativeValue
as_number (WeirNativeBuilder *builder, Operand operand)
{
  return operand.is_mask ? weir_native_binary (builder, WEIR_NATIVE_AND, operand.value,
                                               weir_native_number (builder, 1.0))
                         : operand.value;
}

static WeirNativeValue
as_mask (WeirNativeBuilder *builder, Operand operand)
{
  return operand.is_mask ? operand.value
                         : weir_native_binary (builder, WEIR_NATIVE_NE, operand.value,
                                               weir_native_number (builder, 0.0));
}

/* Does it not mind the order of its operands, unless both are no numbers? */
static gboolean
is_either (const Token *token)
{
  return token->kind == TOKEN_BINARY
         && (token->index == WEIR_NATIVE_ADD || token->index == WEIR_NATIVE_MUL);
}

static Operand
build_binary (WeirNativeBuilder *b, const Token *token, gboolean swaps, Operand left, Operand right)
{
  WeirNativeValue l = as_number (b, left), r = as_number (b, right);

  if (token->kind == TOKEN_GREATER)
    return (Operand) { weir_native_binary (b, WEIR_NATIVE_LT, r, l), TRUE };
  if (token->kind == TOKEN_NOT_LESS)
    return (Operand) { weir_native_binary (b, WEIR_NATIVE_LE, r, l), TRUE };
  /* What is taken away is added with a factor of -1. */
  if (swaps && token->kind == TOKEN_BINARY && token->index == WEIR_NATIVE_SUB)
    return (Operand) { weir_native_binary (
                           b, WEIR_NATIVE_ADD,
                           weir_native_binary (b, WEIR_NATIVE_MUL, weir_native_number (b, -1.0), r),
                           l),
                       FALSE };
  swaps = (swaps && is_either (token)) || token->is_swapped;
  return (Operand) { swaps ? weir_native_binary (b, token->index, r, l)
                           : weir_native_binary (b, token->index, l, r),
                     token->index >= WEIR_NATIVE_LT };
}

/* @swaps: the last sum or product. */
static WeirNativeValue
build_text (const GArray *tokens, WeirNativeBuilder *b, const WeirNativeValue *operands,
            gboolean swaps)
{
  Operand stack[2 * MAX_DEPTH * N_LEVELS];
  guint n = 0;

  for (guint i = 0; i < tokens->len; i++)
    {
      const Token *token = &g_array_index (tokens, Token, i);
      Operand *top = &stack[n > 0 ? n - 1 : 0], *before = &stack[n > 1 ? n - 2 : 0];

      switch (token->kind)
        {
        case TOKEN_OPERAND:
          stack[n++] = (Operand) { operands[token->index], FALSE };
          break;
        case TOKEN_NUMBER:
          stack[n++] = (Operand) { weir_native_number (b, token->number), FALSE };
          break;
        case TOKEN_NEGATE:
          *top = (Operand) { weir_native_negate (b, as_number (b, *top)), FALSE };
          break;
        case TOKEN_MAGNITUDE:
          *top = (Operand) { weir_native_magnitude (b, as_number (b, *top)), FALSE };
          break;
        case TOKEN_ROOT:
          *top = (Operand) { weir_native_root (b, as_number (b, *top)), FALSE };
          break;
        case TOKEN_CALL_1:
          *top = (Operand) { weir_native_call_1 (b, token->call_1, as_number (b, *top)), FALSE };
          break;
        case TOKEN_CALL_2:
          *before = (Operand) { weir_native_call_2 (b, token->call_2, as_number (b, *before),
                                                    as_number (b, *top)),
                                FALSE };
          n--;
          break;
        case TOKEN_BOTH:
        case TOKEN_EITHER:
          *before = (Operand) { weir_native_binary (
                                    b, token->kind == TOKEN_BOTH ? WEIR_NATIVE_AND : WEIR_NATIVE_OR,
                                    as_mask (b, *before), as_mask (b, *top)),
                                TRUE };
          n--;
          break;
        case TOKEN_SELECT:
          stack[n - 3] = (Operand) { weir_native_select (b, as_mask (b, stack[n - 3]),
                                                         as_number (b, *before),
                                                         as_number (b, *top)),
                                     FALSE };
          n -= 2;
          break;
        case TOKEN_BINARY:
        case TOKEN_GREATER:
        case TOKEN_NOT_LESS:
        default:
          *before = build_binary (b, token, swaps && i + 1 == tokens->len, *before, *top);
          n--;
        }
    }
  return as_number (b, stack[0]);
}

WeirNativeValue
weir_template_build (const WeirTemplate *self, WeirNativeBuilder *builder,
                     const WeirNativeValue *operands)
{
  WeirNativeValue y = operands[0];

  if (self->text->text != NULL)
    return build_text (self->tokens[TEXT_WHOLE], builder, operands, FALSE);
  for (guint k = 0; k < self->n_in; k++)
    {
      WeirNativeValue of_next[] = { y, operands[k] };
      guint other = self->text->is_whole ? self->variant != 0 : self->variant >> k & 1;

      y = build_text (self->tokens[(k == 0 ? TEXT_FIRST : TEXT_NEXT) + other], builder, of_next,
                      self->swapped >> k & 1);
    }
  /* One alone is multiplied by a sign of 1, or 1 by it, which quiets what is no number. */
  if (self->n_in == 1 && !self->text->is_whole)
    y = weir_native_binary (builder, WEIR_NATIVE_MUL, weir_native_number (builder, 1.0), y);
  return y;
}

/* --- Trying ---------------------------------------------------------------------------------- */

/* Quiet and signalling, of both signs, told apart by what they carry. */
static const guint64 no_numbers[] = {
  G_GUINT64_CONSTANT (0x7ff8000000000001),
  G_GUINT64_CONSTANT (0xfff8000000000002),
  G_GUINT64_CONSTANT (0x7ff0000000000003),
  G_GUINT64_CONSTANT (0xfff8000000000000),
};
static const double numbers[] = {
  0.0,      -0.0,      1.0,   -1.0,   0.5,       -0.125,     2.0,         3.7,
  -4.25e-7, 0x1p-52,   1e300, -1e300, 0x1p-1074, -0x1p-1074, 0x1.8p-1023, 1.7976931348623157e308,
  INFINITY, -INFINITY,
};
#define N_SPECIAL (G_N_ELEMENTS (numbers) + G_N_ELEMENTS (no_numbers))
#define N_TRIES 500 /* of more operands than two */

static double
special (guint which)
{
  double value;

  if (which < G_N_ELEMENTS (numbers))
    return numbers[which];
  memcpy (&value, &no_numbers[which - G_N_ELEMENTS (numbers)], sizeof value);
  return value;
}

/* Operands of try @i; FALSE: there are no more. Every pair, and of more operands some of all, every
 * other time most of them no numbers. */
static gboolean
choose_operands (guint n_in, guint i, guint64 *random, double *operands)
{
  if (i >= (n_in <= 2 ? N_SPECIAL * (n_in == 2 ? N_SPECIAL : 1) : N_TRIES))
    return FALSE;
  for (guint k = 0; k < n_in; k++)
    {
      *random = *random * G_GUINT64_CONSTANT (6364136223846793005) + 1442695040888963407;
      if (n_in <= 2)
        operands[k] = special (k == 0 ? i % N_SPECIAL : i / N_SPECIAL);
      else
        operands[k] = special (i % 2 == 0 ? (guint) (*random >> 33) % N_SPECIAL
                                          : N_SPECIAL - 1 - (guint) (*random >> 33) % 6);
    }
  return TRUE;
}

static gboolean
gives_same_bits (const WeirTemplate *self, WeirNativeFunc func)
{
  double operands[WEIR_TEMPLATE_MAX_OPERANDS + 1], expected, found;
  WeirStream streams[WEIR_TEMPLATE_MAX_OPERANDS + 1];
  guint64 random = 1;

  for (guint k = 0; k <= self->n_in; k++)
    streams[k] = (WeirStream) { &operands[k], 1 };
  for (guint i = 0; choose_operands (self->n_in, i, &random, operands); i++)
    {
      expected = found = 0;
      self->text->kernel (streams, self->n_in, self->variant, &expected, 1, 1);
      func (operands, &found, NULL, NULL, NULL);
      if (memcmp (&expected, &found, sizeof found) != 0)
        return FALSE;
    }
  return TRUE;
}

static gboolean
try_out (const WeirTemplate *self)
{
  WeirNativeBuilder *builder = weir_native_builder_new ();
  WeirNativeValue operands[WEIR_TEMPLATE_MAX_OPERANDS + 1];
  WeirNativeCode *code;
  gboolean same;

  for (guint k = 0; k < self->n_in; k++)
    operands[k] = weir_native_load (builder, 0, k);
  weir_native_store (builder, 1, 0, weir_template_build (self, builder, operands));
  code = weir_native_builder_end (builder);
  same = code != NULL && gives_same_bits (self, weir_native_code_get_func (code));
  weir_native_code_free (code);
  weir_native_builder_free (builder);
  return same;
}

/* Of operands that are taken in one after the other: which of what was so far and the next the
 * kernel hands on where both are no numbers. */
static void
find_swapped (WeirTemplate *self)
{
  double operands[WEIR_TEMPLATE_MAX_OPERANDS + 1], result;
  WeirStream streams[WEIR_TEMPLATE_MAX_OPERANDS + 1];
  guint64 bits;

  for (guint k = 0; k <= self->n_in; k++)
    streams[k] = (WeirStream) { &operands[k], 1 };
  for (guint k = 1; k < self->n_in; k++)
    {
      for (guint i = 0; i <= self->n_in; i++)
        operands[i] = 1.0;
      memcpy (&operands[0], &no_numbers[0], sizeof result);
      memcpy (&operands[k], &no_numbers[1], sizeof result);
      self->text->kernel (streams, self->n_in, self->variant, &result, 1, 1);
      memcpy (&bits, &result, sizeof bits);
      if (bits == no_numbers[1])
        self->swapped |= G_GUINT64_CONSTANT (1) << k;
    }
}

#define MAX_ORDERS 6 /* sums and products whose order is tried */

/* That of the others is found by trying each. */
static gboolean
find_order (WeirTemplate *self)
{
  g_autoptr (GPtrArray) either = g_ptr_array_new ();
  GArray *tokens = self->tokens[TEXT_WHOLE];
  gboolean found = FALSE;

  if (tokens == NULL)
    {
      find_swapped (self);
      return try_out (self);
    }
  for (guint i = 0; i < tokens->len; i++)
    if (is_either (&g_array_index (tokens, Token, i)))
      g_ptr_array_add (either, &g_array_index (tokens, Token, i));
  for (guint order = 0; !found && order < 1u << MIN (either->len, MAX_ORDERS); order++)
    {
      for (guint i = 0; i < either->len; i++)
        ((Token *) either->pdata[i])->is_swapped = order >> MIN (i, MAX_ORDERS) & 1;
      found = try_out (self);
    }
  return found;
}

/* --- All there are --------------------------------------------------------------------------- */

#if defined __ELF__ && defined __GNUC__
extern const WeirKernelText *const texts_begin[] __asm__("__start_weir_kernels")
    __attribute__ ((visibility ("hidden")));
extern const WeirKernelText *const texts_end[] __asm__("__stop_weir_kernels")
    __attribute__ ((visibility ("hidden")));
#else
static const WeirKernelText *const texts_begin[1], *const *texts_end = texts_begin;
#endif

void
weir_template_foreach_text (void (*visit) (const WeirKernelText *text, gpointer data),
                            gpointer data)
{
  for (const WeirKernelText *const *at = texts_begin; at < texts_end; at++)
    visit (*at, data);
}

typedef struct {
  WeirKernel kernel;
  const WeirKernelText *found;
} Search;

static void
compare_kernel (const WeirKernelText *text, gpointer data)
{
  Search *search = data;

  if (text->kernel == search->kernel)
    search->found = text;
}

static void
template_free (WeirTemplate *self)
{
  for (guint t = 0; t < N_TEXTS; t++)
    g_clear_pointer (&self->tokens[t], g_array_unref);
  g_free (self);
}

static gboolean
read_texts (WeirTemplate *self)
{
  const WeirKernelText *text = self->text;

  if (text->text != NULL)
    {
      self->tokens[TEXT_WHOLE] = read_text (text, text->text, text->operands, self->variant);
      return self->tokens[TEXT_WHOLE] != NULL;
    }
  for (guint k = 0; k < 4; k++)
    {
      GArray *tokens = read_text (text, k < 2 ? text->first[k] : text->next[k - 2], "y, u",
                                  self->variant);

      if (tokens == NULL)
        return FALSE;
      self->tokens[TEXT_FIRST + k] = tokens;
    }
  return TRUE;
}

/* NULL: there is none. (transfer full) */
static WeirTemplate *
template_new (WeirKernel kernel, guint n_in, guint64 variant)
{
  Search search = { kernel, NULL };
  WeirTemplate *self;

  weir_template_foreach_text (compare_kernel, &search);
  if (search.found == NULL || n_in == 0 || n_in > WEIR_TEMPLATE_MAX_OPERANDS)
    return NULL;
  self = g_new0 (WeirTemplate, 1);
  *self = (WeirTemplate) { .text = search.found, .n_in = n_in, .variant = variant };
  if (read_texts (self) && find_order (self))
    return self;
  template_free (self);
  return NULL;
}

/* --- For others ------------------------------------------------------------------------------ */

/* NULL: it is none that has a name. */
static const char *
name_token (const Token *token)
{
  static const char *const binary[] = {
    [WEIR_NATIVE_ADD] = "+", [WEIR_NATIVE_SUB] = "-", [WEIR_NATIVE_MUL] = "*",
    [WEIR_NATIVE_DIV] = "/", [WEIR_NATIVE_LT] = "<",  [WEIR_NATIVE_LE] = "<=",
    [WEIR_NATIVE_EQ] = "==", [WEIR_NATIVE_NE] = "!=",
  };
  static const char *const others[] = {
    [TOKEN_GREATER] = ">",     [TOKEN_NOT_LESS] = ">=", [TOKEN_NEGATE] = "negative",
    [TOKEN_MAGNITUDE] = "abs", [TOKEN_ROOT] = "sqrt",   [TOKEN_SELECT] = "?",
    [TOKEN_BOTH] = "&&",       [TOKEN_EITHER] = "||",
  };

  if (token->kind == TOKEN_BINARY)
    return binary[token->index];
  if (token->kind != TOKEN_CALL_1 && token->kind != TOKEN_CALL_2)
    return others[token->kind];
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    if (token->kind == TOKEN_CALL_1 ? calls[i].call_1 == token->call_1
                                    : calls[i].call_2 == token->call_2)
      return calls[i].name;
  return NULL;
}

static guint
count_arguments (const Token *token)
{
  return token->kind == TOKEN_SELECT ? 3
         : token->kind == TOKEN_NEGATE || token->kind == TOKEN_MAGNITUDE
                 || token->kind == TOKEN_ROOT || token->kind == TOKEN_CALL_1
             ? 1
             : 2;
}

static gboolean
tell_text (const GArray *tokens, const guint *operands, const WeirKernelReader *reader,
           guint *result)
{
  guint stack[2 * MAX_DEPTH * N_LEVELS], n = 0;

  for (guint i = 0; i < tokens->len; i++)
    {
      const Token *token = &g_array_index (tokens, Token, i);

      if (token->kind == TOKEN_OPERAND)
        stack[n++] = operands[token->index];
      else if (token->kind == TOKEN_NUMBER)
        stack[n++] = reader->number (reader->data, token->number);
      else if (name_token (token) == NULL)
        return FALSE;
      else
        {
          guint n_arguments = count_arguments (token);

          n -= n_arguments;
          stack[n] = reader->operation (reader->data, name_token (token), stack + n, n_arguments);
          n++;
        }
    }
  *result = stack[0];
  return TRUE;
}

gboolean
weir_kernel_text_read (WeirKernel kernel, guint n_in, guint64 variant, const guint *operands,
                       const WeirKernelReader *reader, guint *result)
{
  Search search = { kernel, NULL };
  WeirTemplate *template = NULL;
  gboolean ok;

  weir_template_foreach_text (compare_kernel, &search);
  if (search.found == NULL || n_in == 0 || n_in > WEIR_TEMPLATE_MAX_OPERANDS)
    return FALSE;
  template = g_new0 (WeirTemplate, 1);
  *template = (WeirTemplate) { .text = search.found, .n_in = n_in, .variant = variant };
  ok = read_texts (template);
  *result = operands[0];
  if (ok && search.found->text != NULL)
    ok = tell_text (template->tokens[TEXT_WHOLE], operands, reader, result);
  for (guint k = 0; ok && search.found->text == NULL && k < n_in; k++)
    {
      guint other = search.found->is_whole ? variant != 0 : variant >> k & 1;

      ok = tell_text (template->tokens[(k == 0 ? TEXT_FIRST : TEXT_NEXT) + other],
                      (const guint[]) { *result, operands[k] }, reader, result);
    }
  template_free (template);
  return ok;
}

typedef struct {
  WeirKernel kernel;
  guint64 n_in, variant;
} Key;

static guint
hash_key (gconstpointer data)
{
  const Key *key = data;
  guint64 hash = (guint64) (guintptr) key->kernel ^ key->n_in << 56 ^ key->variant << 3;

  return (guint) ((hash * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 32);
}

static gboolean
equal_keys (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (Key)) == 0;
}

const WeirTemplate *
weir_template_get (WeirKernel kernel, guint n_in, guint64 variant)
{
  static GMutex mutex;
  static GHashTable *known; /* Key to WeirTemplate, or NULL where there is none */
  Key key = { kernel, n_in, variant };
  gpointer template = NULL;

  weir_sync_lock (&mutex);
  if (known == NULL)
    known = g_hash_table_new (hash_key, equal_keys);
  if (!g_hash_table_lookup_extended (known, &key, NULL, &template))
    {
      template = template_new (kernel, n_in, variant);
      g_hash_table_insert (known, g_memdup2 (&key, sizeof key), template);
    }
  weir_sync_unlock (&mutex);
  return template;
}

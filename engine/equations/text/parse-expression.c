/* The parser of expressions: precedence climbing. See syntax.h for the language. */
#include "equations/text/parser.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* --- Calls ----------------------------------------------------------------------------------- */

/* k, k-1 or k+1 between brackets: a tick of a discrete variable. */
static gboolean
read_shift (WeirParser *self, double *shift)
{
  const WeirToken *tokens = weir_parser_token (self);
  guint n_left = self->tokens->len - self->at;

  if (n_left < 3 || !weir_token_is (&tokens[0], "k"))
    return FALSE;
  if (weir_token_is (&tokens[1], ")"))
    {
      *shift = 0.0;
      self->at += 2;
      return TRUE;
    }
  if (n_left < 5 || !(weir_token_is (&tokens[1], "-") || weir_token_is (&tokens[1], "+"))
      || tokens[2].kind != WEIR_TOKEN_NUMBER || tokens[2].number != floor (tokens[2].number)
      || tokens[2].number > 1000.0 || !weir_token_is (&tokens[3], ")"))
    return FALSE;
  *shift = weir_token_is (&tokens[1], "-") ? -tokens[2].number : tokens[2].number;
  self->at += 4;
  return TRUE;
}

/* Values separated by ",", up to the closing bracket, which is taken. */
static void
read_arguments (WeirParser *self, const char *closing, GArray *args)
{
  if (weir_parser_accept (self, closing))
    return;
  do
    {
      WeirExpr arg;

      /* Only unit names and messages are in quotes. */
      if (weir_parser_token (self)->kind == WEIR_TOKEN_TEXT)
        {
          const WeirToken *token = weir_parser_token (self);
          g_autofree char *text = g_strndup (token->start + 1, token->length - 2);

          arg = weir_expr_text (self->pool, text);
          self->at++;
        }
      else
        arg = weir_parser_read_expression (self);
      if (self->has_failed)
        return;
      g_array_append_val (args, arg);
    }
  while (weir_parser_accept (self, ","));
  if (!weir_parser_accept (self, closing))
    {
      weir_parser_fail_expected (self, *closing == ')' ? N_ ("an operator, ',' or ')'")
                                                       : N_ ("an operator, ',' or ']'"));
    }
}

/* min (a, b, c) is min (min (a, b), c). */
static WeirExpr
fold (WeirExprPool *pool, WeirOp op, const WeirExpr *args, guint n)
{
  WeirExpr result = args[0];

  for (guint i = 1; i < n; i++)
    result = weir_expr_make_2 (pool, op, result, args[i]);
  return result;
}

static WeirExpr
make_call (WeirParser *self, const WeirToken *name_token, WeirOp op, const WeirExpr *args, guint n)
{
  for (guint i = 0; i < n; i++)
    if ((weir_expr_get_op (self->pool, args[i]) == WEIR_OP_TEXT)
        != (op == WEIR_OP_CONVERT && i == 1))
      {
        if (op == WEIR_OP_CONVERT && i == 1)
          weir_parser_fail (self, name_token,
                            N_ ("convert needs a unit in quotes, such as convert(v, \"km/h\")."));
        else
          weir_parser_fail (
              self, name_token,
              N_ ("an argument of %s is a text in quotes, where a value is expected."),
              weir_op_get_name (op));
        return WEIR_NO_EXPR;
      }
  if (op == WEIR_OP_MIN || op == WEIR_OP_MAX)
    return fold (self->pool, op, args, n);
  return weir_expr_make (self->pool, op, args, n);
}

/* A number alone between brackets. */
static gboolean
is_fixed_time (const WeirParser *self)
{
  const WeirToken *tokens = weir_parser_token (self);

  return tokens[0].kind == WEIR_TOKEN_NUMBER && weir_token_is (&tokens[1], ")");
}

/* How many arguments a function takes. (transfer full) */
static WeirMessage *
describe_number (guint least, guint most)
{
  if (least == 1 && most == 1)
    return weir_message_new (N_ ("1 argument"));
  if (least == most)
    return weir_message_new (N_ ("%u arguments"), least);
  return most == 255 ? weir_message_new (N_ ("%u or more arguments"), least)
                     : weir_message_new (N_ ("%u to %u arguments"), least, most);
}

/* A name has been read and "(" follows. */
static WeirExpr
read_call (WeirParser *self, const WeirToken *name_token, const char *name)
{
  g_autoptr (GArray) args = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  guint min_args, max_args;
  WeirOp op;
  double shift;

  self->at++;
  if (!weir_op_find_function (name, &op, &min_args, &max_args))
    {
      const char *nearest = weir_op_find_nearest_function (name);
      WeirExpr both[2];

      if (read_shift (self, &shift))
        {
          both[0] = weir_expr_symbol (self->pool, name);
          both[1] = weir_expr_number (self->pool, shift);
          return weir_expr_make (self->pool, WEIR_OP_SHIFT, both, 2);
        }
      if (is_fixed_time (self))
        weir_parser_refuse (
            self, name_token,
            N_ ("%s(%.*s) is a value at a fixed time: this is a boundary-value problem, "
                "which Weir does not solve. Conditions at the start are written initial "
                "%s = ..."),
            name, (int) weir_parser_token (self)->length, weir_parser_token (self)->start, name);
      else if (nearest != NULL)
        weir_parser_fail (self, name_token, N_ ("there is no function '%s'; did you mean '%s'?"),
                          name, nearest);
      else
        weir_parser_fail (self, name_token,
                          N_ ("there is no function '%s'; write * for a product, and %s(k) for a "
                              "discrete variable."),
                          name, name);
      return WEIR_NO_EXPR;
    }
  self->n_open++;
  read_arguments (self, ")", args);
  self->n_open--;
  if (self->has_failed)
    return WEIR_NO_EXPR;
  if (args->len < min_args || args->len > max_args)
    {
      g_autoptr (WeirMessage) wanted = describe_number (min_args, max_args);

      weir_parser_fail (self, name_token,
                        args->len == 1 ? N_ ("%s takes %s, but %u is given.")
                                       : N_ ("%s takes %s, but %u are given."),
                        name, weir_message_get_text (wanted), args->len);
      return WEIR_NO_EXPR;
    }
  return make_call (self, name_token, op, (WeirExpr *) args->data, args->len);
}

/* --- Primaries and postfix ------------------------------------------------------------------- */

/* "[" has been taken. */
static WeirExpr
read_array (WeirParser *self)
{
  g_autoptr (GArray) row = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  self->n_open++;
  do
    {
      WeirExpr whole;

      g_array_set_size (row, 0);
      do
        {
          WeirExpr element = weir_parser_read_expression (self);

          g_array_append_val (row, element);
        }
      while (weir_parser_accept (self, ","));
      if (self->has_failed)
        break;
      whole = weir_expr_make (self->pool, WEIR_OP_ROW, (WeirExpr *) row->data, row->len);
      g_array_append_val (rows, whole);
    }
  while (weir_parser_accept (self, ";"));
  if (!self->has_failed)
    weir_parser_expect (self, "]", N_ ("an operator, ',', ';' or ']'"));
  self->n_open--;
  if (self->has_failed)
    return WEIR_NO_EXPR;
  if (rows->len == 1)
    return g_array_index (rows, WeirExpr, 0);
  return weir_expr_make (self->pool, WEIR_OP_ROWS, (WeirExpr *) rows->data, rows->len);
}

static WeirExpr
read_quantity (WeirParser *self, double value)
{
  const WeirToken *token = weir_parser_token (self);
  WeirExpr number = weir_expr_number (self->pool, value);
  g_autofree char *text = NULL;

  if (weir_parser_at_end (self) || token->kind != WEIR_TOKEN_TEXT)
    return number;
  self->at++;
  text = g_strndup (token->start + 1, token->length - 2);
  return weir_expr_make_2 (self->pool, WEIR_OP_QUANTITY, number, weir_expr_text (self->pool, text));
}

static gboolean
find_constant (const WeirToken *token, double *value)
{
  static const struct {
    const char *name;
    double value;
  } constants[] = {
    { "pi", G_PI }, { "inf", INFINITY }, { "nan", NAN }, { "true", 1.0 }, { "false", 0.0 }
  };

  for (guint i = 0; i < G_N_ELEMENTS (constants); i++)
    if (weir_token_is (token, constants[i].name))
      {
        *value = constants[i].value;
        return TRUE;
      }
  return FALSE;
}

static WeirExpr
read_primary (WeirParser *self)
{
  const WeirToken *token = weir_parser_token (self);
  double value;
  WeirExpr e;

  if (self->has_failed)
    return WEIR_NO_EXPR;
  if (weir_parser_at_end (self))
    {
      weir_parser_fail_expected (self, N_ ("a value"));
      return WEIR_NO_EXPR;
    }
  if (token->kind == WEIR_TOKEN_NUMBER)
    {
      self->at++;
      return read_quantity (self, token->number);
    }
  if (weir_parser_accept (self, "("))
    {
      self->n_open++;
      e = weir_parser_read_expression (self);
      if (!self->has_failed)
        weir_parser_expect (self, ")", N_ ("an operator or ')'"));
      self->n_open--;
      return self->has_failed ? WEIR_NO_EXPR : e;
    }
  if (weir_parser_accept (self, "["))
    return read_array (self);
  if (find_constant (token, &value))
    {
      self->at++;
      return read_quantity (self, value);
    }
  if (weir_token_is (token, "t"))
    {
      self->at++;
      return weir_expr_symbol (self->pool, "t");
    }
  if (token->kind == WEIR_TOKEN_NAME)
    {
      g_autofree char *name = g_strndup (token->start, token->length);

      if (weir_word_is_reserved (name))
        {
          weir_parser_fail_expected (self, N_ ("a value"));
          return WEIR_NO_EXPR;
        }
      self->at++;
      if (weir_parser_sees (self, "("))
        return read_call (self, token, name);
      return weir_expr_symbol (self->pool, name);
    }
  weir_parser_fail_expected (self, N_ ("a value"));
  return WEIR_NO_EXPR;
}

static WeirExpr
read_index (WeirParser *self)
{
  WeirExpr from = weir_parser_read_expression (self);

  if (!weir_parser_accept (self, ":"))
    return from;
  return weir_expr_make_2 (self->pool, WEIR_OP_RANGE, from, weir_parser_read_expression (self));
}

static WeirExpr
read_postfix (WeirParser *self)
{
  WeirExpr e = read_primary (self);

  while (!self->has_failed)
    {
      if (weir_parser_accept (self, "'"))
        e = weir_expr_make_1 (self->pool, WEIR_OP_TRANSPOSE, e);
      else if (weir_parser_accept (self, "["))
        {
          WeirExpr args[3] = { e };
          guint n = 1;

          self->n_open++;
          do
            args[n++] = read_index (self);
          while (n < 3 && weir_parser_accept (self, ","));
          if (!self->has_failed)
            weir_parser_expect (self, "]", n < 3 ? N_ ("an operator, ',', ':' or ']'") : "']'");
          self->n_open--;
          if (!self->has_failed)
            e = weir_expr_make (self->pool, WEIR_OP_INDEX, args, n);
        }
      else
        break;
    }
  return e;
}

/* --- Operators ------------------------------------------------------------------------------- */

static WeirExpr read_unary (WeirParser *self);

static WeirExpr
read_power (WeirParser *self)
{
  WeirExpr base = read_postfix (self);
  WeirOp op;

  if (weir_parser_accept (self, "^"))
    op = WEIR_OP_POW;
  else if (weir_parser_accept (self, ".^"))
    op = WEIR_OP_ELEMENT_POW;
  else
    return base;
  /* To the right: a^b^c is a^(b^c), and 2^-3 needs no brackets. */
  return weir_expr_make_2 (self->pool, op, base, read_unary (self));
}

/* Does this, behind an operand, bind tighter than a sign before it? */
static gboolean
binds_tighter (const WeirToken *token)
{
  return weir_token_is (token, "^") || weir_token_is (token, ".^") || weir_token_is (token, "'")
         || weir_token_is (token, "[");
}

/* One level down, left by self->depth--; FALSE after reporting that it is one too many. */
static gboolean
go_deeper (WeirParser *self)
{
  if (++self->depth <= WEIR_PARSER_MAX_DEPTH)
    return TRUE;
  weir_parser_fail (self, weir_parser_token (self),
                    N_ ("expressions may be nested %d deep; give a part a name of its own."),
                    WEIR_PARSER_MAX_DEPTH);
  self->depth--;
  return FALSE;
}

static WeirExpr
read_unary (WeirParser *self)
{
  WeirExpr e;

  if (self->has_failed)
    return WEIR_NO_EXPR;
  if (!go_deeper (self))
    return WEIR_NO_EXPR;
  if (weir_parser_accept (self, "-"))
    {
      const WeirToken *tokens = weir_parser_token (self);

      gboolean is_infinity = !weir_parser_at_end (self) && weir_token_is (&tokens[0], "inf");

      /* "-5" is a number; in "-5^2" the power comes first. */
      if (!weir_parser_at_end (self) && (tokens[0].kind == WEIR_TOKEN_NUMBER || is_infinity)
          && !binds_tighter (tokens[1].kind == WEIR_TOKEN_TEXT ? &tokens[2] : &tokens[1]))
        {
          self->at++;
          e = read_quantity (self, is_infinity ? -HUGE_VAL : -tokens[0].number);
        }
      else
        {
          e = read_unary (self);
          e = self->has_failed ? WEIR_NO_EXPR : weir_expr_make_1 (self->pool, WEIR_OP_NEG, e);
        }
    }
  else
    e = read_power (self);
  self->depth--;
  return self->has_failed ? WEIR_NO_EXPR : e;
}

typedef struct {
  const char *symbol;
  WeirOp op;
  int level; /* higher binds tighter */
} Infix;

enum { LEVEL_OR = 1, LEVEL_AND, LEVEL_NOT, LEVEL_COMPARE, LEVEL_ADD, LEVEL_MULTIPLY };

static const Infix infixes[] = {
  { "or", WEIR_OP_OR, LEVEL_OR },
  { "and", WEIR_OP_AND, LEVEL_AND },
  { "<", WEIR_OP_LT, LEVEL_COMPARE },
  { "<=", WEIR_OP_LE, LEVEL_COMPARE },
  { ">", WEIR_OP_GT, LEVEL_COMPARE },
  { ">=", WEIR_OP_GE, LEVEL_COMPARE },
  { "==", WEIR_OP_EQ, LEVEL_COMPARE },
  { "!=", WEIR_OP_NE, LEVEL_COMPARE },
  { "+", WEIR_OP_ADD, LEVEL_ADD },
  { "-", WEIR_OP_SUB, LEVEL_ADD },
  { "*", WEIR_OP_MUL, LEVEL_MULTIPLY },
  { "/", WEIR_OP_DIV, LEVEL_MULTIPLY },
  { ".*", WEIR_OP_ELEMENT_MUL, LEVEL_MULTIPLY },
  { "./", WEIR_OP_ELEMENT_DIV, LEVEL_MULTIPLY },
};

static const Infix *
find_infix (const WeirParser *self)
{
  const WeirToken *token = weir_parser_token (self);

  if (self->has_failed || weir_parser_at_end (self))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (infixes); i++)
    if (weir_token_is (token, infixes[i].symbol))
      return &infixes[i];
  return NULL;
}

static WeirExpr
read_binary (WeirParser *self, int level)
{
  const Infix *infix;
  WeirExpr left;

  if (level == LEVEL_NOT && weir_parser_sees (self, "not"))
    {
      guint depth = self->depth;

      while (weir_parser_accept (self, "not"))
        self->depth++;
      left = read_binary (self, LEVEL_COMPARE);
      for (; self->depth > depth; self->depth--)
        left = self->has_failed ? WEIR_NO_EXPR : weir_expr_make_1 (self->pool, WEIR_OP_NOT, left);
    }
  else if (level > LEVEL_MULTIPLY)
    return read_unary (self);
  else
    left = read_binary (self, level + 1);

  while ((infix = find_infix (self)) != NULL && infix->level == level)
    {
      WeirExpr right;

      self->at++;
      right = read_binary (self, level + 1);
      if (self->has_failed)
        return WEIR_NO_EXPR;
      left = weir_expr_make_2 (self->pool, infix->op, left, right);
      infix = find_infix (self);
      if (level == LEVEL_COMPARE && infix != NULL && infix->level == LEVEL_COMPARE)
        {
          weir_parser_fail (self, weir_parser_token (self),
                            N_ ("comparisons do not chain; write a < b and b < c."));
          return WEIR_NO_EXPR;
        }
    }
  return self->has_failed ? WEIR_NO_EXPR : left;
}

WeirExpr
weir_parser_read_expression (WeirParser *self)
{
  WeirExpr condition, then_value, else_value;

  if (!weir_parser_accept (self, "if"))
    return read_binary (self, LEVEL_OR);
  if (!go_deeper (self))
    return WEIR_NO_EXPR;
  condition = weir_parser_read_expression (self);
  weir_parser_expect (self, "then", N_ ("an operator or 'then'"));
  then_value = weir_parser_read_expression (self);
  weir_parser_expect (self, "else", N_ ("an operator or 'else' (an if has a value either way)"));
  else_value = weir_parser_read_expression (self);
  self->depth--;
  if (self->has_failed)
    return WEIR_NO_EXPR;
  return weir_expr_make_3 (self->pool, WEIR_OP_IF, condition, then_value, else_value);
}

WeirExpr
weir_expr_parse (WeirExprPool *pool, const char *text, const WeirReport *report)
{
  WeirParser self = { .pool = pool, .report = report };
  WeirExpr e = WEIR_NO_EXPR;

  if (!g_utf8_validate (text, -1, NULL))
    {
      weir_report_add (report, WEIR_SEVERITY_ERROR, "EQ01", 1, N_ ("The text is not valid UTF-8."));
      return WEIR_NO_EXPR;
    }
  self.tokens = weir_tokens_new (text);
  self.n_open = 1; /* lines do not matter here */
  e = weir_parser_read_expression (&self);
  if (!self.has_failed && weir_parser_token (&self)->kind != WEIR_TOKEN_END)
    weir_parser_fail_expected (&self, N_ ("an operator or the end"));
  g_array_unref (self.tokens);
  return self.has_failed ? WEIR_NO_EXPR : e;
}

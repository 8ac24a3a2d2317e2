/* Printing expressions and statements as text that parses to the same.
 *
 * A part gets brackets where the parser would otherwise read another structure: when it binds
 * weaker than its place demands. The work is a stack of texts and parts, so that depth costs no
 * recursion.
 */
#include "equations/text/syntax.h"

#include "numerics/number.h"

#include <math.h>

/* How tightly a form binds; a place demands at least its level. */
enum { IF = 1, OR, AND, NOT, COMPARE, ADD, MULTIPLY, UNARY, POWER, POSTFIX };

static int
get_level (const WeirExprPool *pool, WeirExpr e)
{
  switch ((int) weir_expr_get_op (pool, e))
    {
    case WEIR_OP_IF:
      return IF;
    case WEIR_OP_OR:
      return OR;
    case WEIR_OP_AND:
      return AND;
    case WEIR_OP_NOT:
      return NOT;
    case WEIR_OP_LT:
    case WEIR_OP_LE:
    case WEIR_OP_GT:
    case WEIR_OP_GE:
    case WEIR_OP_EQ:
    case WEIR_OP_NE:
      return COMPARE;
    case WEIR_OP_ADD:
    case WEIR_OP_SUB:
      return ADD;
    case WEIR_OP_MUL:
    case WEIR_OP_DIV:
    case WEIR_OP_ELEMENT_MUL:
    case WEIR_OP_ELEMENT_DIV:
      return MULTIPLY;
    case WEIR_OP_NEG:
      return UNARY;
    case WEIR_OP_POW:
    case WEIR_OP_ELEMENT_POW:
      return POWER;
    case WEIR_OP_NUMBER:
      return signbit (weir_expr_get_number (pool, e)) ? UNARY : POSTFIX;
    case WEIR_OP_QUANTITY:
      return get_level (pool, weir_expr_get_arg (pool, e, 0));
    default:
      return POSTFIX;
    }
}

typedef struct {
  const char *text; /* or NULL and: */
  WeirExpr e;
  int level; /* demanded */
} Item;

static void
push_text (GArray *stack, const char *text)
{
  Item item = { .text = text };

  g_array_append_val (stack, item);
}

static void
push (GArray *stack, WeirExpr e, int level)
{
  Item item = { .e = e, .level = level };

  g_array_append_val (stack, item);
}

static void
push_infix (GArray *stack, const WeirExprPool *pool, WeirExpr e, const char *symbol, int left,
            int right)
{
  push (stack, weir_expr_get_arg (pool, e, 1), right);
  push_text (stack, symbol);
  push (stack, weir_expr_get_arg (pool, e, 0), left);
}

static void
push_list (GArray *stack, const WeirExprPool *pool, WeirExpr e, guint from, guint to,
           const char *separator)
{
  for (guint i = to; i > from; i--)
    {
      push (stack, weir_expr_get_arg (pool, e, i - 1), IF);
      if (i - 1 > from)
        push_text (stack, separator);
    }
}

static void
append_number (GString *text, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, weir_number_to_text (value, buffer));
}

/* The inner text of a row, without brackets, so that rows can be joined. */
static void
push_rows (GArray *stack, const WeirExprPool *pool, WeirExpr e)
{
  guint n = weir_expr_get_n_args (pool, e);

  push_text (stack, "]");
  for (guint i = n; i > 0; i--)
    {
      WeirExpr row = weir_expr_get_arg (pool, e, i - 1);

      push_list (stack, pool, row, 0, weir_expr_get_n_args (pool, row), ", ");
      push_text (stack, i > 1 ? "; " : "[");
    }
}

/* Operators between two operands, each with the level that it demands of them. */
static const struct {
  const char *symbol;
  int left, right;
} infixes[WEIR_N_OPS] = {
  [WEIR_OP_ADD] = { " + ", ADD, MULTIPLY },
  [WEIR_OP_SUB] = { " - ", ADD, MULTIPLY },
  [WEIR_OP_MUL] = { "*", MULTIPLY, UNARY },
  [WEIR_OP_DIV] = { "/", MULTIPLY, UNARY },
  [WEIR_OP_ELEMENT_MUL] = { " .* ", MULTIPLY, UNARY },
  [WEIR_OP_ELEMENT_DIV] = { " ./ ", MULTIPLY, UNARY },
  [WEIR_OP_POW] = { "^", POSTFIX, UNARY },
  [WEIR_OP_ELEMENT_POW] = { " .^ ", POSTFIX, UNARY },
  [WEIR_OP_LT] = { " < ", ADD, ADD },
  [WEIR_OP_LE] = { " <= ", ADD, ADD },
  [WEIR_OP_GT] = { " > ", ADD, ADD },
  [WEIR_OP_GE] = { " >= ", ADD, ADD },
  [WEIR_OP_EQ] = { " == ", ADD, ADD },
  [WEIR_OP_NE] = { " != ", ADD, ADD },
  [WEIR_OP_AND] = { " and ", AND, NOT },
  [WEIR_OP_OR] = { " or ", OR, AND },
  [WEIR_OP_RANGE] = { ":", IF, IF },
};

/* x(k-1) */
static void
append_shift (GString *text, const WeirExprPool *pool, WeirExpr e)
{
  double shift = weir_expr_get_number (pool, weir_expr_get_arg (pool, e, 1));

  g_string_append_printf (text, "%s(k", weir_expr_get_name (pool, weir_expr_get_arg (pool, e, 0)));
  if (shift != 0.0)
    g_string_append_printf (text, "%c%.0f", shift < 0.0 ? '-' : '+', fabs (shift));
  g_string_append_c (text, ')');
}

/* table(u, [x, ...], [y, ...]) */
static void
push_table (GArray *stack, const WeirExprPool *pool, WeirExpr e)
{
  guint n = weir_expr_get_n_args (pool, e), n_points = (n - 1) / 2;

  push_text (stack, "])");
  push_list (stack, pool, e, 1 + n_points, n, ", ");
  push_text (stack, "], [");
  push_list (stack, pool, e, 1, 1 + n_points, ", ");
  push_text (stack, ", [");
  push (stack, weir_expr_get_arg (pool, e, 0), IF);
  push_text (stack, "(");
  push_text (stack, weir_op_get_name (weir_expr_get_op (pool, e)));
}

/* What stands in brackets: [a, b], x[i], f(x). */
static void
push_bracketed (GArray *stack, const WeirExprPool *pool, WeirExpr e)
{
  WeirOp op = weir_expr_get_op (pool, e);
  guint n = weir_expr_get_n_args (pool, e), first = op == WEIR_OP_INDEX ? 1 : 0;
  gboolean is_call = op != WEIR_OP_ROW && op != WEIR_OP_INDEX;

  push_text (stack, is_call ? ")" : "]");
  push_list (stack, pool, e, first, n, ", ");
  push_text (stack, is_call ? "(" : "[");
  if (op == WEIR_OP_INDEX)
    push (stack, weir_expr_get_arg (pool, e, 0), POSTFIX);
  else if (is_call)
    push_text (stack, weir_op_get_name (op));
}

static void
expand (GString *text, GArray *stack, const WeirExprPool *pool, WeirExpr e)
{
  WeirOp op = weir_expr_get_op (pool, e);
  guint n = weir_expr_get_n_args (pool, e);
  WeirExpr a = n > 0 ? weir_expr_get_arg (pool, e, 0) : WEIR_NO_EXPR;

  if (infixes[op].symbol != NULL)
    {
      push_infix (stack, pool, e, infixes[op].symbol, infixes[op].left, infixes[op].right);
      return;
    }
  switch ((int) op)
    {
    case WEIR_OP_NUMBER:
      append_number (text, weir_expr_get_number (pool, e));
      return;
    case WEIR_OP_SYMBOL:
      g_string_append (text, weir_expr_get_name (pool, e));
      return;
    case WEIR_OP_TEXT:
      g_string_append_printf (text, "\"%s\"", weir_expr_get_name (pool, e));
      return;
    case WEIR_OP_QUANTITY:
      append_number (text, weir_expr_get_number (pool, a));
      g_string_append_printf (text, " \"%s\"",
                              weir_expr_get_name (pool, weir_expr_get_arg (pool, e, 1)));
      return;
    case WEIR_OP_NEG:
      g_string_append_c (text, '-');
      /* "-5" would be read as a number. */
      push (stack, a,
            weir_expr_get_op (pool, a) == WEIR_OP_NUMBER
                    || weir_expr_get_op (pool, a) == WEIR_OP_QUANTITY
                ? POSTFIX + 1
                : UNARY);
      return;
    case WEIR_OP_NOT:
      g_string_append (text, "not ");
      push (stack, a, NOT);
      return;
    case WEIR_OP_IF:
      push (stack, weir_expr_get_arg (pool, e, 2), IF);
      push_text (stack, " else ");
      push (stack, weir_expr_get_arg (pool, e, 1), IF);
      push_text (stack, " then ");
      push (stack, a, IF);
      push_text (stack, "if ");
      return;
    case WEIR_OP_SHIFT:
      append_shift (text, pool, e);
      return;
    case WEIR_OP_TABLE:
    case WEIR_OP_SLOPE:
      push_table (stack, pool, e);
      return;
    case WEIR_OP_ROWS:
      push_rows (stack, pool, e);
      return;
    case WEIR_OP_TRANSPOSE:
      push_text (stack, "'");
      push (stack, a, POSTFIX);
      return;
    default:
      push_bracketed (stack, pool, e);
    }
}

/* The text ends after @n_max characters or somewhat more. */
static void
append_at_most (GString *text, const WeirExprPool *pool, WeirExpr root, gsize n_max)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Item));

  push (stack, root, IF);
  while (stack->len > 0)
    {
      Item item = g_array_index (stack, Item, stack->len - 1);

      if (text->len > n_max)
        {
          g_string_append (text, " ...");
          return;
        }
      g_array_set_size (stack, stack->len - 1);
      if (item.text != NULL)
        g_string_append (text, item.text);
      else if (get_level (pool, item.e) < item.level)
        {
          push_text (stack, ")");
          push (stack, item.e, IF);
          push_text (stack, "(");
        }
      else
        expand (text, stack, pool, item.e);
    }
}

static void
append_expression (GString *text, const WeirExprPool *pool, WeirExpr root)
{
  append_at_most (text, pool, root, G_MAXSIZE);
}

char *
weir_expr_to_string (const WeirExprPool *pool, WeirExpr e)
{
  GString *text = g_string_new (NULL);

  append_expression (text, pool, e);
  return g_string_free (text, FALSE);
}

char *
weir_expr_describe (const WeirExprPool *pool, WeirExpr e)
{
  GString *text = g_string_new (NULL);

  append_at_most (text, pool, e, WEIR_EXPR_MAX_DESCRIPTION);
  return g_string_free (text, FALSE);
}

/* --- Statements ------------------------------------------------------------------------------ */

static void
append_two (GString *text, const WeirExprPool *pool, const WeirStatement *s, const char *start,
            const char *between)
{
  g_string_append (text, start);
  append_expression (text, pool, s->left);
  if (s->right.i == WEIR_NO_EXPR.i)
    return;
  g_string_append (text, between);
  append_expression (text, pool, s->right);
}

static void
append_declaration (GString *text, const WeirExprPool *pool, const WeirStatement *s,
                    const char *start)
{
  g_string_append (text, start);
  append_expression (text, pool, s->left);
  for (guint i = 0; i < s->n_sizes; i++)
    {
      g_string_append (text, i == 0 ? "[" : ", ");
      append_expression (text, pool, s->sizes[i]);
    }
  if (s->n_sizes > 0)
    g_string_append_c (text, ']');
  if (s->unit.i != WEIR_NO_EXPR.i)
    {
      g_string_append_c (text, ' ');
      append_expression (text, pool, s->unit);
    }
  if (s->right.i != WEIR_NO_EXPR.i)
    {
      g_string_append (text, " = ");
      append_expression (text, pool, s->right);
    }
}

static void
append_statement (GString *text, const WeirExprPool *pool, const WeirStatement *s)
{
  switch (s->kind)
    {
    case WEIR_STATEMENT_EQUATION:
      append_two (text, pool, s, "", " ~ ");
      break;
    case WEIR_STATEMENT_ASSIGN:
      append_two (text, pool, s, "", " := ");
      break;
    case WEIR_STATEMENT_INITIAL:
      append_two (text, pool, s, s->is_override ? "override initial " : "initial ", " = ");
      break;
    case WEIR_STATEMENT_GUESS:
      append_two (text, pool, s, s->is_override ? "override guess " : "guess ", " = ");
      break;
    case WEIR_STATEMENT_HISTORY:
      append_two (text, pool, s, "history ", " = ");
      break;
    case WEIR_STATEMENT_PARAMETER:
      append_declaration (text, pool, s, "parameter ");
      break;
    case WEIR_STATEMENT_CONSTANT:
      append_declaration (text, pool, s, "constant ");
      break;
    case WEIR_STATEMENT_INPUT:
      append_declaration (text, pool, s, "input ");
      break;
    case WEIR_STATEMENT_OUTPUT:
      append_declaration (text, pool, s, "output ");
      break;
    case WEIR_STATEMENT_VARIABLE:
      append_declaration (text, pool, s, "variable ");
      break;
    case WEIR_STATEMENT_SOLVE:
      append_declaration (text, pool, s, "solve ");
      break;
    case WEIR_STATEMENT_EXTENDS:
      append_declaration (text, pool, s, "extends ");
      break;
    case WEIR_STATEMENT_BROWNIAN:
      append_declaration (text, pool, s, "brownian ");
      break;
    case WEIR_STATEMENT_SAMPLE:
      append_two (text, pool, s, "sample ", ", ");
      break;
    case WEIR_STATEMENT_NOISE:
      append_two (text, pool, s, "noise ", ", ");
      break;
    case WEIR_STATEMENT_ASSERT:
      append_two (text, pool, s, "assert ", ", ");
      break;
    case WEIR_STATEMENT_WHEN:
      g_string_append (text, "when ");
      append_expression (text, pool, s->left);
      g_string_append (text, ":\n");
      break;
    case WEIR_STATEMENT_FOR:
      append_two (text, pool, s, "for ", " in ");
      g_string_append (text, ":\n");
      break;
    }
  if (s->body == NULL)
    return;
  for (guint i = 0; i < s->body->len; i++)
    {
      append_statement (text, pool, g_ptr_array_index (s->body, i));
      g_string_append_c (text, '\n');
    }
  g_string_append (text, "end");
}

char *
weir_statement_to_string (const WeirExprPool *pool, const WeirStatement *statement)
{
  GString *text = g_string_new (NULL);

  append_statement (text, pool, statement);
  return g_string_free (text, FALSE);
}

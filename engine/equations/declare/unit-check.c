/* Units in equations: what follows from the units that are written, and where they contradict.
 *
 * A value's unit is known, open, or that of a bare number, which fits anything it is added to or
 * compared with. Nothing is converted by itself: km/h beside m/s is reported, and convert(v,
 * "m/s") answers it. After a contradiction the value's unit is open, so that one mistake is told
 * once. A text without any unit is not checked.
 */
#include "equations/declare/declare.h"
#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "equations/expressions/unit.h"

#include <math.h>
#include <string.h>

typedef enum {
  OPEN,
  NUMBER,
  KNOWN,
} Knowledge;

typedef struct {
  Knowledge knowledge;
  WeirUnit unit;
} Value;

typedef struct {
  WeirEquationsBuilder *builder;
  int line;
  gboolean is_silent; /* while units are still being found */
} Check;

static const Value open_value = { .knowledge = OPEN };

static Value
known (WeirUnit unit)
{
  return (Value) { KNOWN, unit };
}

static void G_GNUC_PRINTF (2, 3) warn (const Check *self, const char *format, ...)
{
  WeirMessage *message;
  va_list args;

  if (self->is_silent)
    return;
  va_start (args, format);
  message = weir_message_new_valist (format, args);
  va_end (args);
  weir_report_add_message (
      self->builder->report, WEIR_SEVERITY_WARNING, "EQ06", self->line,
      weir_message_join (weir_message_new (N_ ("Model: line %d"), self->line), ": ", message));
}

/* --- One operation --------------------------------------------------------------------------- */

/* The unit that two values share. @what: how they meet, for the message. */
static Value
join (const Check *self, Value a, Value b, const char *what)
{
  g_autofree char *left = NULL;
  g_autofree char *right = NULL;
  double factor, offset;

  if (a.knowledge != KNOWN || b.knowledge != KNOWN)
    return a.knowledge == KNOWN ? a : b.knowledge == KNOWN ? b : a.knowledge == OPEN ? a : b;
  if (weir_unit_equal (&a.unit, &b.unit))
    return a;
  left = weir_unit_to_string (&a.unit);
  right = weir_unit_to_string (&b.unit);
  if (weir_unit_convert (&b.unit, &a.unit, &factor, &offset))
    warn (self, N_ ("%s %s and %s, which differ by a factor of %g; write convert(..., \"%s\")."),
          weir_phrase (what), left, right, factor, left);
  else
    warn (self, N_ ("%s %s and %s, which are of different kinds."), weir_phrase (what), left,
          right);
  return open_value;
}

static Value
join_all (const Check *self, const Value *args, guint from, guint n, const char *what)
{
  Value value = args[from];

  for (guint i = from + 1; i < n; i++)
    value = join (self, value, args[i], what);
  return value;
}

static Value
multiply (Value a, Value b, gboolean is_quotient)
{
  WeirUnit one = weir_unit_one ();

  if (a.knowledge == OPEN || b.knowledge == OPEN)
    return open_value;
  if (a.knowledge == NUMBER && b.knowledge == NUMBER)
    return a;
  if (a.knowledge == NUMBER)
    a = known (one);
  if (b.knowledge == NUMBER)
    return a; /* keeps an offset: 2*T is no temperature, but 1*T is */
  return known (is_quotient ? weir_unit_divide (&a.unit, &b.unit)
                            : weir_unit_multiply (&a.unit, &b.unit));
}

/* What only takes numbers: angles in radians, exponents. */
static void
expect_number (const Check *self, Value a, const char *name)
{
  WeirUnit one = weir_unit_one ();
  g_autofree char *unit = NULL;

  if (a.knowledge != KNOWN || weir_unit_equal (&a.unit, &one))
    return;
  unit = weir_unit_to_string (&a.unit);
  if (weir_unit_is_dimensionless (&a.unit))
    warn (self, N_ ("%s takes a plain number, but is given %s; write convert(..., \"rad\")."), name,
          unit);
  else
    warn (self, N_ ("%s takes a plain number, but is given %s."), name, unit);
}

static Value
raise_to (const Check *self, Value base, double exponent)
{
  double sixtieths = exponent * 60.0;
  WeirUnit unit;

  if (base.knowledge != KNOWN)
    return base;
  if (sixtieths == floor (sixtieths) && fabs (sixtieths) < 3600.0
      && weir_unit_raise (&base.unit, (int) sixtieths, 60, &unit))
    return known (unit);
  if (!weir_unit_is_dimensionless (&base.unit))
    warn (self, N_ ("the power %g of a value with a unit has no unit."), exponent);
  return open_value;
}

static Value
value_of_symbol (const Check *self, const char *name)
{
  const WeirUnit *unit = g_hash_table_lookup (self->builder->units, name);
  WeirUnit second;

  if (strcmp (name, "t") == 0 && weir_unit_parse ("s", &second, NULL))
    return known (second);
  return unit != NULL ? known (*unit) : open_value;
}

static Value
value_of_text (const Check *self, WeirExpr text)
{
  WeirUnit unit;

  return weir_unit_parse (weir_expr_get_name (self->builder->pool, text), &unit, NULL)
             ? known (unit)
             : open_value; /* reported where it is read first */
}

/* Functions of numbers, whose values are numbers. */
static gboolean
is_of_numbers (WeirOp op)
{
  switch ((int) op)
    {
    case WEIR_OP_SIN:
    case WEIR_OP_COS:
    case WEIR_OP_TAN:
    case WEIR_OP_EXP:
    case WEIR_OP_LOG:
    case WEIR_OP_LOG10:
    case WEIR_OP_ASIN:
    case WEIR_OP_ACOS:
    case WEIR_OP_ATAN:
    case WEIR_OP_SINH:
    case WEIR_OP_COSH:
    case WEIR_OP_TANH:
    case WEIR_OP_ASINH:
    case WEIR_OP_ACOSH:
    case WEIR_OP_ATANH:
    case WEIR_OP_ERF:
      return TRUE;
    default:
      return FALSE;
    }
}

/* a^b: of a unit where the exponent is written as a number. */
static Value
check_power (const Check *self, WeirExpr e, const Value *args)
{
  WeirExprPool *pool = self->builder->pool;
  WeirExpr exponent = weir_expr_get_arg (pool, e, 1);

  expect_number (self, args[1], weir_phrase (N_ ("an exponent")));
  if (weir_expr_get_op (pool, exponent) == WEIR_OP_NUMBER)
    return raise_to (self, args[0], weir_expr_get_number (pool, exponent));
  return args[0].knowledge == KNOWN && !weir_unit_is_dimensionless (&args[0].unit) ? open_value
                                                                                   : args[0];
}

/* What is done with two operands that must be of one unit; NULL of other operations. */
static const char *
get_agreement (WeirOp op)
{
  switch ((int) op)
    {
    case WEIR_OP_ADD:
      return N_ ("here are added");
    case WEIR_OP_SUB:
      return N_ ("here are subtracted");
    case WEIR_OP_LT:
    case WEIR_OP_LE:
    case WEIR_OP_GT:
    case WEIR_OP_GE:
    case WEIR_OP_EQ:
    case WEIR_OP_NE:
    case WEIR_OP_MIN:
    case WEIR_OP_MAX:
    case WEIR_OP_HYPOT:
    case WEIR_OP_MOD:
    case WEIR_OP_ATAN2:
      return N_ ("here are compared");
    default:
      return NULL;
    }
}

static Value
check_agreeing (const Check *self, WeirOp op, const Value *args)
{
  Value joined = join (self, args[0], args[1], get_agreement (op));

  switch ((int) op)
    {
    case WEIR_OP_ADD:
    case WEIR_OP_MIN:
    case WEIR_OP_MAX:
    case WEIR_OP_HYPOT:
    case WEIR_OP_MOD:
      return joined;
    case WEIR_OP_SUB:
      joined.unit.offset = 0.0; /* a difference of temperatures */
      return joined;
    case WEIR_OP_ATAN2:
      return known (weir_unit_one ());
    default:
      return (Value) { .knowledge = NUMBER };
    }
}

static Value
check_part (const Check *self, WeirExpr e, const Value *args, guint n)
{
  WeirExprPool *pool = self->builder->pool;
  WeirOp op = weir_expr_get_op (pool, e);

  if (get_agreement (op) != NULL)
    return check_agreeing (self, op, args);
  if (is_of_numbers (op))
    {
      expect_number (self, args[0], weir_op_get_name (op));
      return known (weir_unit_one ());
    }
  switch ((int) op)
    {
    case WEIR_OP_NUMBER:
      return (Value) { .knowledge = NUMBER };
    case WEIR_OP_SYMBOL:
      return value_of_symbol (self, weir_expr_get_name (pool, e));
    case WEIR_OP_TEXT:
      return open_value;
    case WEIR_OP_QUANTITY:
    case WEIR_OP_CONVERT:
      return value_of_text (self, weir_expr_get_arg (pool, e, 1));
    case WEIR_OP_RANDOM:
      return known (weir_unit_one ());
    case WEIR_OP_IF:
      return join (self, args[1], args[2], N_ ("the branches are in"));
    case WEIR_OP_MUL:
    case WEIR_OP_ELEMENT_MUL:
    case WEIR_OP_DOT:
    case WEIR_OP_CROSS:
      return multiply (args[0], args[1], FALSE);
    case WEIR_OP_DIV:
    case WEIR_OP_ELEMENT_DIV:
      return multiply (args[0], args[1], TRUE);
    case WEIR_OP_POW:
    case WEIR_OP_ELEMENT_POW:
      return check_power (self, e, args);
    case WEIR_OP_SQRT:
      return raise_to (self, args[0], 0.5);
    case WEIR_OP_CBRT:
      return args[0].knowledge == KNOWN ? open_value : args[0];
    case WEIR_OP_SIGN:
    case WEIR_OP_NOT:
    case WEIR_OP_AND:
    case WEIR_OP_OR:
      return (Value) { .knowledge = NUMBER };
    case WEIR_OP_DER:
    case WEIR_OP_KEEP:
      return multiply (args[0], value_of_symbol (self, "t"), TRUE);
    case WEIR_OP_DELAY:
      for (guint i = 1; i < n; i++)
        join (self, args[i], value_of_symbol (self, "t"), N_ ("the time of a delay is in"));
      return args[0];
    case WEIR_OP_ROW:
    case WEIR_OP_ROWS:
      return join_all (self, args, 0, n, N_ ("the elements are in"));
    case WEIR_OP_INTERPOLATE:
      join (self, args[0], args[1], N_ ("a table is read at"));
      return args[2];
    case WEIR_OP_INTERPOLATE_SLOPE:
      return multiply (args[2], args[1], TRUE);
    case WEIR_OP_PRODUCT:
      return args[0].knowledge == KNOWN ? open_value : args[0];
    case WEIR_OP_ZEROS:
    case WEIR_OP_ONES:
    case WEIR_OP_IDENTITY:
      return (Value) { .knowledge = NUMBER };
    default: /* of the unit of the first operand: -, abs, floor, sum, norm, x[i], x', pre, ... */
      return n > 0 ? args[0] : open_value;
    }
}

static Value
check_expression (const Check *self, WeirExpr e)
{
  WeirExprPool *pool = self->builder->pool;
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GHashTable) position = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) args = g_array_new (FALSE, FALSE, sizeof (Value));
  g_autofree Value *values = NULL;

  weir_expr_collect (pool, &e, 1, FALSE, order);
  values = g_new0 (Value, order->len);
  for (guint i = 0; i < order->len; i++)
    {
      WeirExpr part = g_array_index (order, WeirExpr, i);
      guint n = weir_expr_get_n_args (pool, part);

      g_array_set_size (args, 0);
      for (guint j = 0; j < n; j++)
        {
          WeirExpr arg = weir_expr_get_arg (pool, part, j);
          guint at = GPOINTER_TO_UINT (
              g_hash_table_lookup (position, GUINT_TO_POINTER (arg.i + 1)));

          g_array_append_val (args, values[at]);
        }
      values[i] = check_part (self, part, (const Value *) args->data, n);
      g_hash_table_insert (position, GUINT_TO_POINTER (part.i + 1), GUINT_TO_POINTER (i));
    }
  return values[order->len - 1];
}

/* --- Statements ------------------------------------------------------------------------------ */

/* The unit of what stands alone on a side, x or D(x) or x[i], gives that of x. */
static gboolean
take_unit (const Check *self, WeirExpr side, Value value)
{
  WeirExprPool *pool = self->builder->pool;
  Value second = value_of_symbol (self, "t");

  if (value.knowledge != KNOWN)
    return FALSE;
  for (;;)
    switch ((int) weir_expr_get_op (pool, side))
      {
      case WEIR_OP_DER:
        value = multiply (value, second, FALSE);
        side = weir_expr_get_arg (pool, side, 0);
        continue;
      case WEIR_OP_INDEX:
      case WEIR_OP_SHIFT:
        side = weir_expr_get_arg (pool, side, 0);
        continue;
      case WEIR_OP_SYMBOL:
        {
          const char *name = weir_expr_get_name (pool, side);

          if (strcmp (name, "t") == 0 || g_hash_table_contains (self->builder->units, name))
            return FALSE;
          g_hash_table_insert (self->builder->units, g_strdup (name),
                               g_memdup2 (&value.unit, sizeof value.unit));
          return TRUE;
        }
      default:
        return FALSE;
      }
}

/* TRUE if a unit was found. */
static gboolean
check_statement (Check *self, const WeirStatement *s)
{
  gboolean has_found = FALSE;
  Value left, right;

  self->line = s->line;
  switch (s->kind)
    {
    case WEIR_STATEMENT_EQUATION:
    case WEIR_STATEMENT_INITIAL:
    case WEIR_STATEMENT_GUESS:
    case WEIR_STATEMENT_HISTORY:
    case WEIR_STATEMENT_ASSIGN:
    case WEIR_STATEMENT_PARAMETER:
    case WEIR_STATEMENT_CONSTANT:
    case WEIR_STATEMENT_INPUT:
      if (s->right.i == WEIR_NO_EXPR.i)
        break;
      left = check_expression (self, s->left);
      right = check_expression (self, s->right);
      if (left.knowledge == OPEN)
        has_found = take_unit (self, s->left, right);
      else if (right.knowledge == OPEN)
        has_found = take_unit (self, s->right, left);
      else
        join (self, left, right, N_ ("the sides are in"));
      break;
    case WEIR_STATEMENT_WHEN:
    case WEIR_STATEMENT_ASSERT:
      check_expression (self, s->left);
      break;
    case WEIR_STATEMENT_OUTPUT:
    case WEIR_STATEMENT_VARIABLE:
    case WEIR_STATEMENT_SOLVE:
    case WEIR_STATEMENT_EXTENDS:
    case WEIR_STATEMENT_BROWNIAN:
    case WEIR_STATEMENT_SAMPLE:
    case WEIR_STATEMENT_NOISE:
    case WEIR_STATEMENT_FOR:
    default:
      break;
    }
  for (guint i = 0; s->body != NULL && i < s->body->len; i++)
    has_found = check_statement (self, g_ptr_array_index (s->body, i)) || has_found;
  return has_found;
}

/* Reads every unit that is written. TRUE if there are any. */
static gboolean
read_units (WeirEquationsBuilder *self, const GPtrArray *statements)
{
  gboolean has_units = FALSE;

  for (guint i = 0; i < statements->len; i++)
    {
      const WeirStatement *s = g_ptr_array_index (statements, i);
      WeirExpr sides[3] = { s->left, s->right, s->unit };
      g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

      if (s->kind == WEIR_STATEMENT_ASSERT)
        sides[1] = WEIR_NO_EXPR; /* its message */
      for (guint j = 0; j < 3; j++)
        if (sides[j].i != WEIR_NO_EXPR.i)
          weir_expr_collect (self->pool, &sides[j], 1, FALSE, order);
      for (guint j = 0; j < order->len; j++)
        {
          WeirExpr part = g_array_index (order, WeirExpr, j);
          g_autoptr (GError) error = NULL;
          WeirUnit unit;

          if (weir_expr_get_op (self->pool, part) != WEIR_OP_TEXT)
            continue;
          has_units = TRUE;
          if (!weir_unit_parse (weir_expr_get_name (self->pool, part), &unit, &error))
            weir_builder_fail (self, "EQ06", s->line, N_ ("Model: line %d: %s"), s->line,
                               weir_error_get_text (error));
          else if (weir_expr_equal (part, s->unit)
                   && weir_expr_get_op (self->pool, s->left) == WEIR_OP_SYMBOL)
            g_hash_table_replace (self->units, g_strdup (weir_expr_get_name (self->pool, s->left)),
                                  g_memdup2 (&unit, sizeof unit));
        }
      if (s->body != NULL)
        has_units = read_units (self, s->body) || has_units;
    }
  return has_units;
}

void
weir_builder_check_units (WeirEquationsBuilder *self)
{
  Check check = { self, 0, TRUE };
  gboolean has_found = TRUE;

  self->units = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (!read_units (self, self->statements) || self->has_failed)
    return;
  while (has_found)
    {
      has_found = FALSE;
      for (guint i = 0; i < self->statements->len; i++)
        has_found = check_statement (&check, g_ptr_array_index (self->statements, i)) || has_found;
    }
  check.is_silent = FALSE;
  for (guint i = 0; i < self->statements->len; i++)
    check_statement (&check, g_ptr_array_index (self->statements, i));
}

gboolean
weir_builder_convert (gpointer builder, WeirExpr e, const char *text, int line, double *factor,
                      double *offset)
{
  WeirEquationsBuilder *self = builder;
  Check check = { self, line, TRUE };
  Value from = check_expression (&check, e);
  g_autofree char *what = weir_expr_describe (self->pool, e);
  g_autofree char *unit = NULL;
  WeirUnit to;

  if (!weir_unit_parse (text, &to, NULL))
    return FALSE; /* reported before */
  if (from.knowledge != KNOWN)
    {
      weir_builder_fail (
          self, "EQ06", line,
          N_ ("Model: line %d: the unit of %s is not known, so that it cannot be converted to "
              "%s."),
          line, what, text);
      return FALSE;
    }
  if (weir_unit_convert (&from.unit, &to, factor, offset))
    return TRUE;
  unit = weir_unit_to_string (&from.unit);
  weir_builder_fail (self, "EQ06", line,
                     N_ ("Model: line %d: %s is in %s and cannot be converted to %s."), line, what,
                     unit, text);
  return FALSE;
}

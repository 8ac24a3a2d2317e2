/* Statements to equations of scalars; sizes must fit on both sides of each. */
#include "equations/declare/declare.h"
#include "base/text.h"
#include "base/phrase.h"

#include <math.h>
/* Does @e hold x(k) or the like? */
static gboolean
has_shift (const WeirEquationsBuilder *self, WeirExpr e)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect (self->pool, &e, 1, FALSE, order);
  for (guint i = 0; i < order->len; i++)
    if (weir_expr_get_op (self->pool, g_array_index (order, WeirExpr, i)) == WEIR_OP_SHIFT)
      return TRUE;
  return FALSE;
}

/* The value of @part cannot be finite, whatever changes: 1/0, x/0, sqrt(-1). Who means infinity
 * writes inf. */
static gboolean
is_never_finite (const WeirExprPool *pool, WeirExpr part)
{
  WeirOp op = weir_expr_get_op (pool, part);
  guint n = weir_expr_get_n_args (pool, part);
  double values[3] = { 0.0 };

  if (op < WEIR_OP_NEG || op > WEIR_OP_IF || n > G_N_ELEMENTS (values))
    return FALSE;
  if (op == WEIR_OP_DIV && weir_expr_is_number (pool, weir_expr_get_arg (pool, part, 1), 0.0))
    return TRUE;
  for (guint i = 0; i < n; i++)
    {
      WeirExpr arg = weir_expr_get_arg (pool, part, i);

      if (weir_expr_get_op (pool, arg) != WEIR_OP_NUMBER)
        return FALSE;
      values[i] = weir_expr_get_number (pool, arg);
      if (!isfinite (values[i]))
        return FALSE;
    }
  return n > 0 && !isfinite (weir_op_calc (op, values[0], values[1], values[2]));
}

/* @parts: of an expression, each after its arguments. */
static void
check_finite (WeirEquationsBuilder *self, const GArray *parts, int line)
{
  for (guint i = 0; i < parts->len; i++)
    {
      WeirExpr part = g_array_index (parts, WeirExpr, i);
      g_autofree char *text = NULL;

      if (!is_never_finite (self->pool, part))
        continue;
      text = weir_expr_describe (self->pool, part);
      weir_builder_fail (self, "EQ11", line, N_ ("Model: line %d: %s has no finite value."), line,
                         text);
      return;
    }
}

/* Every step to come walks each equation: a sum over an array in each equation of that array is a
 * full matrix, which a few characters ask for. */
static gboolean
check_parts (WeirEquationsBuilder *self, WeirExpr e, GArray *parts, int line)
{
  if (self->n_parts > WEIR_MAX_PARTS)
    return FALSE; /* which is reported */
  g_array_set_size (parts, 0);
  weir_expr_collect (self->pool, &e, 1, TRUE, parts);
  self->n_parts += parts->len;
  if (self->n_parts <= WEIR_MAX_PARTS)
    {
      check_finite (self, parts, line);
      return TRUE;
    }
  weir_builder_fail (
      self, "EQ07", line,
      N_ ("Model: line %d: the equations have more than %d operands in all; give what many of "
          "them share a name, as in s ~ sum(x), or use several blocks."),
      line, WEIR_MAX_PARTS);
  return FALSE;
}

void
weir_builder_add_equations (WeirEquationsBuilder *self, const WeirStatement *s, GArray *equations)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  WeirArray left = { 0 }, right = { 0 };

  if (!weir_expander_expand (&self->expander, s->left, s->line, &left)
      || !weir_expander_expand (&self->expander, s->right, s->line, &right))
    {
      self->has_failed = TRUE;
      weir_array_clear (&left);
      return;
    }
  if (left.shape.n_dims > 0 && right.shape.n_dims > 0
      && !weir_shape_equal (left.shape, right.shape))
    {
      g_autoptr (WeirMessage) a = weir_shape_describe (left.shape);
      g_autoptr (WeirMessage) b = weir_shape_describe (right.shape);

      weir_builder_fail (self, "EQ07", s->line,
                         N_ ("Model: line %d: the left side has %s, but the right side has %s."),
                         s->line, weir_message_get_text (a), weir_message_get_text (b));
    }
  else if (left.shape.n_dims == 0 && right.shape.n_dims > 0
           && weir_expr_get_op (self->pool, left.elements[0]) != WEIR_OP_NUMBER)
    {
      g_autofree char *a = weir_expr_describe (self->pool, s->left);
      g_autoptr (WeirMessage) b = weir_shape_describe (right.shape);

      weir_builder_fail (self, "EQ07", s->line,
                         N_ ("Model: line %d: %s is a scalar, but the right side has %s."), s->line,
                         a, weir_message_get_text (b));
    }
  else
    {
      guint n = MAX (weir_shape_size (left.shape), weir_shape_size (right.shape));

      if (equations->len + n > WEIR_MAX_STATEMENTS)
        {
          weir_builder_fail (
              self, "EQ07", s->line,
              N_ ("Model: line %d: this makes more than %d equations; use several blocks."),
              s->line, WEIR_MAX_STATEMENTS);
          n = 0;
        }
      for (guint i = 0; i < n; i++)
        {
          WeirScalarEquation equation = { .left = left.elements[left.shape.n_dims == 0 ? 0 : i],
                                          .right = right.elements[right.shape.n_dims == 0 ? 0 : i],
                                          .line = s->line };

          if (!check_parts (self, equation.left, parts, s->line)
              || !check_parts (self, equation.right, parts, s->line))
            break;
          g_array_append_val (equations, equation);
        }
    }
  weir_array_clear (&left);
  weir_array_clear (&right);
}

void
weir_builder_check_finite (WeirEquationsBuilder *self, WeirExpr e, int line)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect (self->pool, &e, 1, TRUE, parts);
  check_finite (self, parts, line);
}

gboolean
weir_builder_expand_scalar (WeirEquationsBuilder *self, WeirExpr e, int line, const char *what,
                            WeirExpr *result)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  WeirArray value;

  if (!weir_expander_expand (&self->expander, e, line, &value))
    {
      self->has_failed = TRUE;
      return FALSE;
    }
  *result = value.elements[0];
  if (value.shape.n_dims > 0)
    weir_builder_fail (self, "EQ07", line, N_ ("Model: line %d: %s must be a scalar."), line, what);
  else
    check_parts (self, *result, parts, line);
  weir_array_clear (&value);
  return !self->has_failed;
}

/* A time that is known now. */
gboolean
weir_builder_find_time (WeirEquationsBuilder *self, WeirExpr e, int line, const char *what,
                        gboolean can_be_zero, double *result)
{
  WeirExpr value;

  if (!weir_builder_expand_scalar (self, e, line, what, &value))
    return FALSE;
  if (weir_expr_get_op (self->pool, value) == WEIR_OP_NUMBER)
    {
      *result = weir_expr_get_number (self->pool, value);
      if (isfinite (*result) && (*result > 0.0 || (can_be_zero && *result == 0.0)))
        return TRUE;
    }
  weir_builder_fail (
      self, "EQ08", line,
      N_ ("Model: line %d: %s must be a time in seconds, %s 0, made of numbers and constants."),
      line, what, weir_phrase (can_be_zero ? N_ ("at least") : N_ ("more than")));
  return FALSE;
}

static void
add_sample (WeirEquationsBuilder *self, const WeirStatement *s)
{
  WeirEquations *result = self->result;

  if (result->period > 0.0)
    {
      weir_builder_fail (self, "EQ04", s->line,
                         N_ ("Model: line %d: there is another sample before."), s->line);
      return;
    }
  if (weir_builder_find_time (self, s->left, s->line, weir_phrase (N_ ("the period")), FALSE,
                              &result->period)
      && s->right.i != WEIR_NO_EXPR.i)
    weir_builder_find_time (self, s->right, s->line, weir_phrase (N_ ("the offset")), TRUE,
                            &result->offset);
}

static void
add_assertion (WeirEquationsBuilder *self, const WeirStatement *s)
{
  WeirAssertion *assertion = g_new0 (WeirAssertion, 1);

  assertion->line = s->line;
  assertion->message = g_strdup (weir_expr_get_name (self->pool, s->right));
  g_ptr_array_add (self->result->assertions, assertion);
  if (!weir_builder_expand_scalar (self, s->left, s->line, weir_phrase (N_ ("the condition")),
                                   &assertion->condition))
    assertion->condition = weir_expr_number (self->pool, 1.0);
}

static void
add_noise (WeirEquationsBuilder *self, const WeirStatement *s)
{
  gint64 seed;

  if (self->noise_step > 0.0)
    {
      weir_builder_fail (self, "EQ04", s->line,
                         N_ ("Model: line %d: there is another noise before."), s->line);
      return;
    }
  if (!weir_builder_find_time (self, s->left, s->line, weir_phrase (N_ ("the step")), FALSE,
                               &self->noise_step)
      || s->right.i == WEIR_NO_EXPR.i)
    return;
  if (weir_expander_find_integer (&self->expander, s->right, s->line, weir_phrase (N_ ("the seed")),
                                  0, &seed))
    self->seed = (guint64) seed;
  else
    self->has_failed = TRUE;
}

/* A parameter that the conditions at the start determine; its own value is the guess. */
static void
add_solved (WeirEquationsBuilder *self, const WeirStatement *s)
{
  const char *name = weir_expr_get_name (self->pool, s->left);
  WeirVariable *variable = g_hash_table_lookup (self->by_name, name);

  if (variable != NULL && variable->role == WEIR_ROLE_PARAMETER && !variable->is_bound)
    variable->is_solved = TRUE;
  else
    weir_builder_fail (
        self, "INI03", s->line,
        variable != NULL && variable->is_bound
            ? N_ ("Initialization: line %d: solve %s needs a parameter with a value to start "
                  "from, as in parameter %s = 1; this one is computed from others.")
            : N_ ("Initialization: line %d: solve %s needs a parameter with a value to start "
                  "from, as in parameter %s = 1."),
        s->line, name, name);
}

/* Each takes the place of what it is about, also that of an override before it. */
static void
apply_overrides (GArray *equations)
{
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL); /* left side + 1 to place + 1 */
  g_autoptr (GArray) all = g_array_copy (equations);

  g_array_set_size (equations, 0);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < all->len; i++)
      {
        WeirScalarEquation equation = g_array_index (all, WeirScalarEquation, i);
        gpointer key = GUINT_TO_POINTER (equation.left.i + 1);
        guint found = GPOINTER_TO_UINT (g_hash_table_lookup (places, key));
        WeirScalarEquation *place;

        if (equation.is_override != (pass == 1))
          continue;
        if (found == 0 || pass == 0)
          {
            g_array_append_val (equations, equation);
            if (found == 0)
              g_hash_table_insert (places, key, GUINT_TO_POINTER (equations->len));
            continue;
          }
        place = &g_array_index (equations, WeirScalarEquation, found - 1);
        equation.has_own = place->has_own || !place->is_override;
        equation.own = place->has_own ? place->own : place->right;
        if (equation.has_own)
          equation.line = place->line;
        *place = equation;
      }
}

void
weir_builder_apply_overrides (WeirEquationsBuilder *self)
{
  apply_overrides (self->initials);
  apply_overrides (self->guesses);
}

void
weir_builder_expand_statement (WeirEquationsBuilder *self, const WeirStatement *s)
{
  guint n_before;

  switch (s->kind)
    {
    case WEIR_STATEMENT_EQUATION:
      weir_builder_add_equations (self, s,
                                  has_shift (self, s->left) || has_shift (self, s->right)
                                      ? self->tick_equations
                                      : self->equations);
      break;
    case WEIR_STATEMENT_INITIAL:
      n_before = self->initials->len;
      weir_builder_add_equations (self, s, self->initials);
      for (guint i = n_before; i < self->initials->len; i++)
        {
          g_array_index (self->initials, WeirScalarEquation, i).is_initial = TRUE;
          g_array_index (self->initials, WeirScalarEquation, i).is_override = s->is_override;
        }
      break;
    case WEIR_STATEMENT_GUESS:
      n_before = self->guesses->len;
      weir_builder_add_equations (self, s, self->guesses);
      for (guint i = n_before; i < self->guesses->len; i++)
        g_array_index (self->guesses, WeirScalarEquation, i).is_override = s->is_override;
      break;
    case WEIR_STATEMENT_HISTORY:
      weir_builder_add_equations (self, s, self->histories);
      break;
    case WEIR_STATEMENT_SAMPLE:
      add_sample (self, s);
      break;
    case WEIR_STATEMENT_ASSERT:
      add_assertion (self, s);
      break;
    case WEIR_STATEMENT_SOLVE:
      add_solved (self, s);
      break;
    case WEIR_STATEMENT_NOISE:
      add_noise (self, s);
      break;
    case WEIR_STATEMENT_PARAMETER: /* declarations */
    case WEIR_STATEMENT_CONSTANT:
    case WEIR_STATEMENT_INPUT:
    case WEIR_STATEMENT_OUTPUT:
    case WEIR_STATEMENT_VARIABLE:
    case WEIR_STATEMENT_EXTENDS:
    case WEIR_STATEMENT_BROWNIAN:
    case WEIR_STATEMENT_WHEN:   /* declare-events.c */
    case WEIR_STATEMENT_ASSIGN: /* of an event's body */
    case WEIR_STATEMENT_FOR:
    default:
      break;
    }
}

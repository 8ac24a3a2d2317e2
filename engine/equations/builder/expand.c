/* Expansion of arrays, part by part from the leaves up. See array.h and builder.h. */
#include "equations/builder/builder.h"

#include "base/text.h"

#include "equations/expressions/simplify.h"

#include <math.h>
#include <string.h>

static void
array_init_copy (WeirArray *self, const WeirArray *other)
{
  weir_array_init (self, other->shape);
  memcpy (self->elements, other->elements, weir_shape_size (other->shape) * sizeof (WeirExpr));
}

/* --- Leaves ---------------------------------------------------------------------------------- */

static void
expand_symbol (const WeirExpansion *self, WeirExpr e, WeirArray *result)
{
  const char *name = weir_expr_get_name (self->pool, e);
  const WeirArray *value = g_hash_table_lookup (self->expander->values, name);
  const WeirShape *shape = g_hash_table_lookup (self->expander->shapes, name);
  WeirArray *array;

  if (value == NULL)
    value = g_hash_table_lookup (self->expander->arrays, name);
  if (value != NULL && (shape == NULL || weir_shape_equal (*shape, value->shape)))
    {
      weir_array_borrow (result, value);
      return;
    }
  array = g_new0 (WeirArray, 1);
  weir_array_init (array, shape != NULL ? *shape : WEIR_SCALAR);
  for (guint i = 0; i < weir_shape_size (array->shape); i++)
    {
      g_autofree char *element = weir_shape_name_element (array->shape, name, i);

      array->elements[i] = weir_expr_symbol (self->pool, element);
    }
  weir_array_borrow (result, array);
  g_hash_table_replace (self->expander->arrays, g_strdup (name), array);
}

/* D, pre, Initial and delay apply to each element, and to names only (delay: to anything). */
static gboolean
expand_atoms (const WeirExpansion *self, WeirOp op, const WeirArray *args, guint n_args,
              WeirArray *result)
{
  for (guint i = 0; i < weir_shape_size (args[0].shape); i++)
    {
      WeirOp inner = weir_expr_get_op (self->pool, args[0].elements[i]);

      if (op != WEIR_OP_DELAY && inner != WEIR_OP_SYMBOL
          && !(inner == WEIR_OP_DER
               && (op == WEIR_OP_DER || op == WEIR_OP_INITIAL || op == WEIR_OP_PRE)))
        return weir_expansion_fail (
            self, N_ ("%s is of a variable; give the expression a name of its own first."),
            weir_op_get_name (op));
    }
  for (guint j = 1; j < n_args; j++)
    if (args[j].shape.n_dims > 0 && !weir_shape_equal (args[j].shape, args[0].shape))
      return weir_expansion_fail (self,
                                  N_ ("the times of %s must be one, or one for each element."),
                                  weir_op_get_name (op));
  if (!weir_expansion_admit (self, weir_shape_size (args[0].shape), 1, 1))
    return FALSE;
  weir_array_init (result, args[0].shape);
  for (guint i = 0; i < weir_shape_size (args[0].shape); i++)
    {
      WeirExpr operands[3];

      for (guint j = 0; j < n_args; j++)
        operands[j] = args[j].elements[args[j].shape.n_dims == 0 ? 0 : i];
      result->elements[i] = weir_expr_make (self->pool, op, operands, n_args);
    }
  return TRUE;
}

static gboolean
expand_conversion (const WeirExpansion *self, WeirExpr e, const WeirArray *a, WeirArray *result)
{
  const char *unit = weir_expr_get_name (self->pool, weir_expr_get_arg (self->pool, e, 1));
  double factor = 1.0, offset = 0.0;

  if (!self->expander->convert (self->expander->data, weir_expr_get_arg (self->pool, e, 0), unit,
                                self->line, &factor, &offset))
    return FALSE;
  weir_array_init (result, a->shape);
  for (guint i = 0; i < weir_shape_size (a->shape); i++)
    result->elements[i] = weir_simplify_make_2 (
        self->pool, WEIR_OP_ADD,
        weir_simplify_make_2 (self->pool, WEIR_OP_MUL, weir_expr_number (self->pool, factor),
                              a->elements[i]),
        weir_expr_number (self->pool, offset));
  return TRUE;
}

/* Whoever writes x' of a number means its derivative. */
static gboolean
fail_transpose (const WeirExpansion *self, WeirExpr of)
{
  g_autofree char *text = weir_expr_describe (self->pool, of);

  return weir_expansion_fail (
      self,
      N_ ("the ' behind %s transposes an array, and that is none; a derivative is "
          "written D(%s)."),
      text, text);
}

/* --- All of them ----------------------------------------------------------------------------- */

static gboolean
expand_part (const WeirExpansion *self, WeirExpr e, const WeirArray *args, guint n_args,
             WeirArray *result)
{
  WeirOp op = weir_expr_get_op (self->pool, e);

  switch ((int) op)
    {
    case WEIR_OP_NUMBER:
    case WEIR_OP_TEXT:
      weir_array_init_scalar (result, e);
      return TRUE;
    case WEIR_OP_SYMBOL:
      expand_symbol (self, e, result);
      return TRUE;
    case WEIR_OP_QUANTITY:
      weir_array_borrow (result, &args[0]);
      return TRUE;
    case WEIR_OP_CONVERT:
      return expand_conversion (self, e, &args[0], result);
    case WEIR_OP_DER:
    case WEIR_OP_PRE:
    case WEIR_OP_INITIAL:
    case WEIR_OP_SHIFT:
    case WEIR_OP_DELAY:
      return expand_atoms (self, op, args, n_args, result);
    case WEIR_OP_ROW:
      return weir_expand_row (self, args, n_args, result);
    case WEIR_OP_ROWS:
      return weir_expand_rows (self, args, n_args, result);
    case WEIR_OP_RANGE:
      return weir_expand_range (self, args, result);
    case WEIR_OP_INDEX:
      return weir_expand_index (self, e, args, n_args, result);
    case WEIR_OP_TRANSPOSE:
      if (args[0].shape.n_dims == 0)
        return fail_transpose (self, weir_expr_get_arg (self->pool, e, 0));
      weir_expand_transpose (&args[0], result);
      return TRUE;
    case WEIR_OP_MUL:
      return weir_expand_product (self, &args[0], &args[1], result);
    case WEIR_OP_ELEMENT_MUL:
      return weir_expand_elements (self, WEIR_OP_MUL, args, n_args, result);
    case WEIR_OP_ELEMENT_DIV:
      return weir_expand_elements (self, WEIR_OP_DIV, args, n_args, result);
    case WEIR_OP_ELEMENT_POW:
      return weir_expand_elements (self, WEIR_OP_POW, args, n_args, result);
    case WEIR_OP_DIV:
      if (args[1].shape.n_dims > 0)
        return weir_expansion_fail (self,
                                    N_ ("'/' divides by scalars; './' works element by element."));
      return weir_expand_elements (self, op, args, n_args, result);
    case WEIR_OP_POW:
      if (args[0].shape.n_dims + args[1].shape.n_dims > 0)
        return weir_expansion_fail (self, N_ ("'^' is of scalars; '.^' works element by element."));
      return weir_expand_elements (self, op, args, n_args, result);
    case WEIR_OP_SUM:
    case WEIR_OP_PRODUCT:
    case WEIR_OP_NORM:
      return weir_expand_reduction (self, op, &args[0], result);
    case WEIR_OP_DOT:
    case WEIR_OP_CROSS:
      return weir_expand_vectors (self, op, &args[0], &args[1], result);
    case WEIR_OP_ZEROS:
    case WEIR_OP_ONES:
    case WEIR_OP_IDENTITY:
      return weir_expand_filled (self, op, args, n_args, result);
    case WEIR_OP_INTERPOLATE:
    case WEIR_OP_INTERPOLATE_SLOPE:
      return weir_expand_table (self, op, args, result);
    case WEIR_OP_RISING:
    case WEIR_OP_FALLING:
    case WEIR_OP_EVERY:
    case WEIR_OP_JUMP:
      return weir_expansion_fail (self, N_ ("%s is a condition of when."), weir_op_get_name (op));
    default:
      return weir_expand_elements (self, op, args, n_args, result);
    }
}

gboolean
weir_expander_expand (WeirExpander *expander, WeirExpr e, int line, WeirArray *result)
{
  WeirExpansion self = { expander, expander->pool, line };
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GHashTable) position = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) args = g_array_new (FALSE, FALSE, sizeof (WeirArray));
  g_autofree WeirArray *parts = NULL;
  gboolean is_fine = TRUE;

  weir_expr_collect (self.pool, &e, 1, FALSE, order);
  parts = g_new0 (WeirArray, order->len);
  for (guint i = 0; is_fine && i < order->len; i++)
    {
      WeirExpr part = g_array_index (order, WeirExpr, i);
      guint n = weir_expr_get_n_args (self.pool, part);

      g_array_set_size (args, 0);
      for (guint j = 0; j < n; j++)
        {
          WeirExpr arg = weir_expr_get_arg (self.pool, part, j);
          guint at = GPOINTER_TO_UINT (
              g_hash_table_lookup (position, GUINT_TO_POINTER (arg.i + 1)));

          g_array_append_val (args, parts[at]);
        }
      is_fine = expand_part (&self, part, (WeirArray *) args->data, n, &parts[i]);
      g_hash_table_insert (position, GUINT_TO_POINTER (part.i + 1), GUINT_TO_POINTER (i));
    }
  if (is_fine)
    {
      WeirArray *last = &parts[order->len - 1];

      if (last->is_borrowed)
        array_init_copy (result, last);
      else
        {
          *result = *last;
          last->elements = NULL;
        }
    }
  for (guint i = 0; i < order->len; i++)
    weir_array_clear (&parts[i]);
  return is_fine;
}

gboolean
weir_expander_find_integer (WeirExpander *expander, WeirExpr e, int line, const char *what,
                            gint64 minimum, gint64 *result)
{
  WeirExpansion self = { expander, expander->pool, line };
  WeirArray value;
  gboolean is_fine;

  if (!weir_expander_expand (expander, e, line, &value))
    return FALSE;
  is_fine = value.shape.n_dims == 0 && weir_expansion_get_integer (&self, value.elements[0], result)
            && *result >= minimum;
  if (!is_fine && minimum == G_MININT32)
    weir_expansion_fail (&self, N_ ("%s must be a whole number made of numbers and constants."),
                         what);
  else if (!is_fine)
    weir_expansion_fail (&self,
                         N_ ("%s must be a whole number of at least %ld, made of numbers and "
                             "constants."),
                         what, (long) minimum);
  weir_array_clear (&value);
  return is_fine;
}

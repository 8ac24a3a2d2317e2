/* Products, sums and tables of arrays. See builder.h. */
#include "equations/builder/builder.h"
#include "base/text.h"
#include "base/phrase.h"
#include "equations/expressions/simplify.h"

static WeirExpr
sum_of_products (const WeirExpansion *self, const WeirExpr *a, guint step_a, const WeirExpr *b,
                 guint step_b, guint n)
{
  WeirExpr sum = weir_simplify_make_2 (self->pool, WEIR_OP_MUL, a[0], b[0]);

  for (guint i = 1; i < n; i++)
    sum = weir_simplify_make_2 (
        self->pool, WEIR_OP_ADD, sum,
        weir_simplify_make_2 (self->pool, WEIR_OP_MUL, a[i * step_a], b[i * step_b]));
  return sum;
}

gboolean
weir_expand_product (const WeirExpansion *self, const WeirArray *a, const WeirArray *b,
                     WeirArray *result)
{
  guint rows, inner, other_inner, columns;
  gboolean is_vector;

  if (a->shape.n_dims == 0 || b->shape.n_dims == 0)
    return weir_expand_elements (self, WEIR_OP_MUL, (WeirArray[]) { *a, *b }, 2, result);
  if (a->shape.n_dims == 1 && b->shape.n_dims == 1)
    return weir_expansion_fail (
        self, N_ ("the product of two vectors is dot(a, b), or a .* b element by element."));
  rows = a->shape.dims[0];
  inner = a->shape.n_dims == 2 ? a->shape.dims[1] : 1;
  other_inner = b->shape.dims[0];
  columns = b->shape.n_dims == 2 ? b->shape.dims[1] : 1;
  is_vector = b->shape.n_dims == 1;
  if (inner != other_inner)
    {
      g_autoptr (WeirMessage) left = weir_shape_describe (a->shape);
      g_autoptr (WeirMessage) right = weir_shape_describe (b->shape);

      return weir_expansion_fail (self, N_ ("a matrix product of %s and %s does not exist."),
                                  weir_message_get_text (left), weir_message_get_text (right));
    }
  if (!weir_expansion_admit (self, rows, columns, inner))
    return FALSE;
  if (is_vector && rows == 1) /* a row times a column */
    weir_array_init (result, WEIR_SCALAR);
  else
    weir_array_init (result, is_vector ? (WeirShape) { 1, { rows, 1 } }
                                       : (WeirShape) { 2, { rows, columns } });
  for (guint i = 0; i < rows; i++)
    for (guint j = 0; j < columns; j++)
      result->elements[i * columns + j] = sum_of_products (self, a->elements + i * inner, 1,
                                                           b->elements + j, columns, inner);
  return TRUE;
}

gboolean
weir_expand_reduction (const WeirExpansion *self, WeirOp op, const WeirArray *a, WeirArray *result)
{
  guint n = weir_shape_size (a->shape);
  WeirExpr total = a->elements[0];

  if (op == WEIR_OP_NORM)
    {
      total = sum_of_products (self, a->elements, 1, a->elements, 1, n);
      total = weir_simplify_make_1 (self->pool, WEIR_OP_SQRT, total);
    }
  else
    for (guint i = 1; i < n; i++)
      total = weir_simplify_make_2 (self->pool, op == WEIR_OP_SUM ? WEIR_OP_ADD : WEIR_OP_MUL,
                                    total, a->elements[i]);
  weir_array_init_scalar (result, total);
  return TRUE;
}

gboolean
weir_expand_vectors (const WeirExpansion *self, WeirOp op, const WeirArray *a, const WeirArray *b,
                     WeirArray *result)
{
  guint n = a->shape.dims[0];
  gboolean is_cross = op == WEIR_OP_CROSS;

  if (a->shape.n_dims != 1 || !weir_shape_equal (a->shape, b->shape) || (is_cross && n != 3))
    return weir_expansion_fail (self, N_ ("%s takes two vectors of %s."), weir_op_get_name (op),
                                weir_phrase (is_cross ? N_ ("size 3") : N_ ("equal size")));
  if (!is_cross)
    {
      weir_array_init_scalar (result, sum_of_products (self, a->elements, 1, b->elements, 1, n));
      return TRUE;
    }
  weir_array_init (result, a->shape);
  for (guint i = 0; i < 3; i++)
    {
      guint j = (i + 1) % 3, k = (i + 2) % 3;

      result->elements[i] = weir_simplify_make_2 (
          self->pool, WEIR_OP_SUB,
          weir_simplify_make_2 (self->pool, WEIR_OP_MUL, a->elements[j], b->elements[k]),
          weir_simplify_make_2 (self->pool, WEIR_OP_MUL, a->elements[k], b->elements[j]));
    }
  return TRUE;
}

gboolean
weir_expand_filled (const WeirExpansion *self, WeirOp op, const WeirArray *args, guint n_args,
                    WeirArray *result)
{
  WeirShape shape = { op == WEIR_OP_IDENTITY ? 2 : n_args, { 1, 1 } };
  gint64 sizes[2];

  for (guint i = 0; i < n_args; i++)
    {
      if (!weir_expansion_get_integer (self, args[i].elements[0], &sizes[i]) || sizes[i] < 1
          || sizes[i] > WEIR_ARRAY_MAX_SIZE)
        return weir_expansion_fail (
            self, N_ ("the size given to %s must be a whole number from 1 to %d."),
            weir_op_get_name (op), WEIR_ARRAY_MAX_SIZE);
      shape.dims[i] = (guint) sizes[i];
    }
  if (op == WEIR_OP_IDENTITY)
    shape.dims[1] = shape.dims[0];
  if ((guint64) shape.dims[0] * shape.dims[1] > WEIR_ARRAY_MAX_SIZE)
    return weir_expansion_fail (self, N_ ("an array has at most %d elements."),
                                WEIR_ARRAY_MAX_SIZE);
  weir_array_init (result, shape);
  for (guint i = 0; i < weir_shape_size (shape); i++)
    {
      gboolean is_one = op == WEIR_OP_ONES
                        || (op == WEIR_OP_IDENTITY && i / shape.dims[1] == i % shape.dims[1]);

      result->elements[i] = weir_expr_number (self->pool, is_one ? 1.0 : 0.0);
    }
  return TRUE;
}

gboolean
weir_expand_table (const WeirExpansion *self, WeirOp op, const WeirArray *args, WeirArray *result)
{
  guint n = weir_shape_size (args[1].shape);
  g_autofree WeirExpr *operands = g_new (WeirExpr, 2 * n + 1);

  if (args[1].shape.n_dims != 1 || !weir_shape_equal (args[1].shape, args[2].shape))
    return weir_expansion_fail (self, N_ ("table(u, xs, ys) takes two vectors of equal size."));
  for (guint i = 1; i < n; i++)
    {
      WeirExpr left = args[1].elements[i - 1], right = args[1].elements[i];

      if (weir_expr_get_op (self->pool, left) == WEIR_OP_NUMBER
          && weir_expr_get_op (self->pool, right) == WEIR_OP_NUMBER
          && !(weir_expr_get_number (self->pool, left) < weir_expr_get_number (self->pool, right)))
        return weir_expansion_fail (
            self, N_ ("the points of a table must ascend, but %g is followed by %g."),
            weir_expr_get_number (self->pool, left), weir_expr_get_number (self->pool, right));
    }
  if (!weir_expansion_admit (self, weir_shape_size (args[0].shape), 1, 2 * n + 1))
    return FALSE;
  memcpy (operands + 1, args[1].elements, n * sizeof (WeirExpr));
  memcpy (operands + 1 + n, args[2].elements, n * sizeof (WeirExpr));
  weir_array_init (result, args[0].shape);
  for (guint i = 0; i < weir_shape_size (args[0].shape); i++)
    {
      operands[0] = args[0].elements[i];
      result->elements[i] = weir_expr_make (
          self->pool, op == WEIR_OP_INTERPOLATE ? WEIR_OP_TABLE : WEIR_OP_SLOPE, operands,
          2 * n + 1);
    }
  return TRUE;
}

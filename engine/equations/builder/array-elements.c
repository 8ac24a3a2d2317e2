/* Making arrays of their elements, and taking elements out. See builder.h. */
#include "equations/builder/builder.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

#include "equations/expressions/simplify.h"

/* Elements side by side make a vector; rows of equal length a matrix. */
gboolean
weir_expand_row (const WeirExpansion *self, const WeirArray *args, guint n_args, WeirArray *result)
{
  guint n = 0, size = weir_shape_size (args[0].shape);
  gboolean is_flat = TRUE, is_nested = TRUE;

  for (guint i = 0; i < n_args; i++)
    {
      is_flat = is_flat && args[i].shape.n_dims == 0;
      is_nested = is_nested && args[i].shape.n_dims == 1 && args[i].shape.dims[0] == size;
    }
  if (!weir_expansion_admit (self, n_args, size, 1))
    return FALSE;
  if (is_nested) /* [[a, b], [c, d]] */
    weir_array_init (result, (WeirShape) { 2, { n_args, size } });
  else if (is_flat)
    weir_array_init (result, (WeirShape) { 1, { n_args, 1 } });
  else
    return weir_expansion_fail (
        self, N_ ("the elements of an array must be scalars, or vectors of equal size."));
  for (guint i = 0; i < n_args; i++)
    for (guint j = 0; j < weir_shape_size (args[i].shape); j++)
      result->elements[n++] = args[i].elements[j];
  return TRUE;
}

gboolean
weir_expand_rows (const WeirExpansion *self, const WeirArray *args, guint n_args, WeirArray *result)
{
  guint size = weir_shape_size (args[0].shape);

  for (guint i = 0; i < n_args; i++)
    if (args[i].shape.n_dims != 1 || args[i].shape.dims[0] != size)
      return weir_expansion_fail (self,
                                  N_ ("row %u of the matrix has %u elements, but row 1 has %u."),
                                  i + 1, weir_shape_size (args[i].shape), size);
  if (!weir_expansion_admit (self, n_args, size, 1))
    return FALSE;
  weir_array_init (result, size == 1 ? (WeirShape) { 1, { n_args, 1 } }
                                     : (WeirShape) { 2, { n_args, size } });
  for (guint i = 0; i < n_args; i++)
    memcpy (result->elements + i * size, args[i].elements, size * sizeof (WeirExpr));
  return TRUE;
}

gboolean
weir_expansion_get_integer (const WeirExpansion *self, WeirExpr e, gint64 *value)
{
  double number;

  if (weir_expr_get_op (self->pool, e) != WEIR_OP_NUMBER)
    return FALSE;
  number = weir_expr_get_number (self->pool, e);
  if (number != floor (number) || fabs (number) > 1e9)
    return FALSE;
  *value = (gint64) number;
  return TRUE;
}

gboolean
weir_expand_range (const WeirExpansion *self, const WeirArray *args, WeirArray *result)
{
  gint64 from, to;

  if (args[0].shape.n_dims > 0 || args[1].shape.n_dims > 0
      || !weir_expansion_get_integer (self, args[0].elements[0], &from)
      || !weir_expansion_get_integer (self, args[1].elements[0], &to))
    return weir_expansion_fail (self,
                                N_ ("a range needs whole numbers that are known, such as 2:5."));
  if (to < from || to - from >= WEIR_ARRAY_MAX_SIZE)
    return weir_expansion_fail (self,
                                to < from ? N_ ("the range %ld:%ld is empty.")
                                          : N_ ("the range %ld:%ld is too long."),
                                (long) from, (long) to);
  weir_array_init (result, (WeirShape) { 1, { (guint) (to - from + 1), 1 } });
  for (gint64 i = from; i <= to; i++)
    result->elements[i - from] = weir_expr_number (self->pool, (double) i);
  return TRUE;
}

static char *
dup_indexed (const WeirExpansion *self, WeirExpr e)
{
  return weir_expr_describe (self->pool, weir_expr_get_arg (self->pool, e, 0));
}

gboolean
weir_expand_index (const WeirExpansion *self, WeirExpr e, const WeirArray *args, guint n_args,
                   WeirArray *result)
{
  const WeirArray *array = &args[0];
  g_autofree char *name = NULL;
  guint n_indices = n_args - 1, n_result_dims = 0, n = 0;
  guint counts[2] = { 1, 1 };
  WeirShape shape = WEIR_SCALAR;

  if (array->shape.n_dims != n_indices)
    {
      g_autoptr (WeirMessage) size = weir_shape_describe (array->shape);

      name = dup_indexed (self, e);
      return weir_expansion_fail (self,
                                  n_indices == 1 ? N_ ("%s has %s, but is given %u index.")
                                                 : N_ ("%s has %s, but is given %u indices."),
                                  name, weir_message_get_text (size), n_indices);
    }
  for (guint d = 0; d < n_indices; d++)
    {
      const WeirArray *index = &args[d + 1];

      counts[d] = weir_shape_size (index->shape);
      if (index->shape.n_dims > 0)
        shape.dims[n_result_dims++] = counts[d];
      for (guint i = 0; i < counts[d]; i++)
        {
          gint64 value;

          if (weir_expansion_get_integer (self, index->elements[i], &value) && value >= 1
              && value <= array->shape.dims[d])
            continue;
          name = dup_indexed (self, e);
          if (!weir_expansion_get_integer (self, index->elements[i], &value))
            return weir_expansion_fail (
                self, N_ ("the index of %s must be a whole number that is known."), name);
          return weir_expansion_fail (self, N_ ("index %ld of %s is not from 1 to %u."),
                                      (long) value, name, array->shape.dims[d]);
        }
    }
  shape.n_dims = n_result_dims;
  if (!weir_expansion_admit (self, counts[0], counts[1], 1))
    return FALSE;
  weir_array_init (result, shape);
  for (guint i = 0; i < counts[0]; i++)
    for (guint j = 0; j < counts[1]; j++)
      {
        gint64 row = 1, column = 1;

        weir_expansion_get_integer (self, args[1].elements[i], &row);
        if (n_indices > 1)
          weir_expansion_get_integer (self, args[2].elements[j], &column);
        result->elements[n++] =
            array->elements[n_indices > 1
                                ? (guint) (row - 1) * array->shape.dims[1] + (guint) (column - 1)
                                : (guint) (row - 1)];
      }
  return TRUE;
}

void
weir_expand_transpose (const WeirArray *a, WeirArray *result)
{
  guint rows = a->shape.n_dims == 2 ? a->shape.dims[0] : weir_shape_size (a->shape);
  guint columns = a->shape.n_dims == 2 ? a->shape.dims[1] : 1;

  if (a->shape.n_dims == 0)
    {
      weir_array_borrow (result, a);
      return;
    }
  weir_array_init (result, (WeirShape) { 2, { columns, rows } });
  for (guint i = 0; i < rows; i++)
    for (guint j = 0; j < columns; j++)
      result->elements[j * rows + i] = a->elements[i * columns + j];
}

/* --- Element by element ----------------------------------------------------------------------- */

gboolean
weir_expand_elements (const WeirExpansion *self, WeirOp op, const WeirArray *args, guint n_args,
                      WeirArray *result)
{
  WeirShape shape = WEIR_SCALAR;

  for (guint i = 0; i < n_args; i++)
    {
      if (args[i].shape.n_dims == 0)
        continue;
      if (shape.n_dims > 0 && !weir_shape_equal (shape, args[i].shape))
        {
          g_autoptr (WeirMessage) a = weir_shape_describe (shape);
          g_autoptr (WeirMessage) b = weir_shape_describe (args[i].shape);

          return weir_expansion_fail (self, N_ ("the operands of '%s' have %s and %s."),
                                      weir_op_get_name (op), weir_message_get_text (a),
                                      weir_message_get_text (b));
        }
      shape = args[i].shape;
    }
  if (!weir_expansion_admit (self, shape.dims[0], shape.dims[1], 1))
    return FALSE;
  weir_array_init (result, shape);
  for (guint i = 0; i < weir_shape_size (shape); i++)
    {
      WeirExpr operands[3];

      for (guint j = 0; j < n_args; j++)
        operands[j] = args[j].elements[args[j].shape.n_dims == 0 ? 0 : i];
      result->elements[i] = weir_simplify_make (self->pool, op, operands, n_args);
    }
  return TRUE;
}

/* Expansion of arrays, part by part from the leaves up. See array.h. */
#include "equations/array.h"

#include "equations/simplify.h"

#include <math.h>
#include <string.h>

static const WeirShape scalar = { 0, { 1, 1 } };

char *
weir_shape_describe (WeirShape shape)
{
  if (shape.n_dims == 0)
    return g_strdup ("a scalar");
  if (shape.n_dims == 1)
    return g_strdup_printf ("size %u", shape.dims[0]);
  return g_strdup_printf ("size %u x %u", shape.dims[0], shape.dims[1]);
}

char *
weir_shape_name_element (WeirShape shape, const char *name, guint i)
{
  if (shape.n_dims == 0)
    return g_strdup (name);
  if (shape.n_dims == 1)
    return g_strdup_printf ("%s[%u]", name, i + 1);
  return g_strdup_printf ("%s[%u,%u]", name, i / shape.dims[1] + 1, i % shape.dims[1] + 1);
}

void
weir_array_clear (WeirArray *self)
{
  if (!self->is_borrowed)
    g_free (self->elements);
  self->elements = NULL;
}

void
weir_array_free (gpointer array)
{
  weir_array_clear (array);
  g_free (array);
}

static void
array_init (WeirArray *self, WeirShape shape)
{
  self->shape = shape;
  self->is_borrowed = FALSE;
  self->elements = g_new (WeirExpr, weir_shape_size (shape) + 1);
}

static void
array_init_copy (WeirArray *self, const WeirArray *other)
{
  array_init (self, other->shape);
  memcpy (self->elements, other->elements, weir_shape_size (other->shape) * sizeof (WeirExpr));
}

/* One expansion. */
typedef struct {
  WeirExpander *expander;
  WeirExprPool *pool;
  int line;
} Expansion;

static gboolean G_GNUC_PRINTF (2, 3) fail (const Expansion *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  weir_report_add (self->expander->report, WEIR_SEVERITY_ERROR, "EQ07", self->line, "Line %d: %s",
                   self->line, text);
  return FALSE;
}

/* May an array be made whose elements take @n_each operations each? */
static gboolean
admit (const Expansion *self, guint64 rows, guint64 columns, guint64 n_each)
{
  guint64 n = rows * columns;

  if (n > WEIR_ARRAY_MAX_SIZE)
    return fail (self, "an array has at most %d elements.", WEIR_ARRAY_MAX_SIZE);
  if (n * n_each > WEIR_ARRAY_MAX_OPERATIONS - self->expander->n_operations)
    return fail (self, "the arrays take more than %d operations on elements; use several blocks.",
                 WEIR_ARRAY_MAX_OPERATIONS);
  if (n * n_each > 1) /* what is scalar takes as many lines */
    self->expander->n_operations += (guint) (n * n_each);
  return TRUE;
}

/* --- Leaves ---------------------------------------------------------------------------------- */

static void
borrow (WeirArray *self, const WeirArray *other)
{
  *self = *other;
  self->is_borrowed = TRUE;
}

static void
expand_symbol (const Expansion *self, WeirExpr e, WeirArray *result)
{
  const char *name = weir_expr_get_name (self->pool, e);
  const WeirArray *value = g_hash_table_lookup (self->expander->values, name);
  const WeirShape *shape = g_hash_table_lookup (self->expander->shapes, name);
  WeirArray *array;

  if (value == NULL)
    value = g_hash_table_lookup (self->expander->arrays, name);
  if (value != NULL && (shape == NULL || weir_shape_equal (*shape, value->shape)))
    {
      borrow (result, value);
      return;
    }
  array = g_new0 (WeirArray, 1);
  array_init (array, shape != NULL ? *shape : scalar);
  for (guint i = 0; i < weir_shape_size (array->shape); i++)
    {
      g_autofree char *element = weir_shape_name_element (array->shape, name, i);

      array->elements[i] = weir_expr_symbol (self->pool, element);
    }
  borrow (result, array);
  g_hash_table_replace (self->expander->arrays, g_strdup (name), array);
}

static void
set_scalar (WeirArray *result, WeirExpr e)
{
  array_init (result, scalar);
  result->elements[0] = e;
}

/* --- Element-wise ---------------------------------------------------------------------------- */

static gboolean
expand_elements (const Expansion *self, WeirOp op, const WeirArray *args, guint n_args,
                 WeirArray *result)
{
  WeirShape shape = scalar;

  for (guint i = 0; i < n_args; i++)
    {
      if (args[i].shape.n_dims == 0)
        continue;
      if (shape.n_dims > 0 && !weir_shape_equal (shape, args[i].shape))
        {
          g_autofree char *a = weir_shape_describe (shape);
          g_autofree char *b = weir_shape_describe (args[i].shape);

          return fail (self, "the operands of '%s' have %s and %s.", weir_op_get_name (op), a, b);
        }
      shape = args[i].shape;
    }
  if (!admit (self, shape.dims[0], shape.dims[1], 1))
    return FALSE;
  array_init (result, shape);
  for (guint i = 0; i < weir_shape_size (shape); i++)
    {
      WeirExpr operands[3];

      for (guint j = 0; j < n_args; j++)
        operands[j] = args[j].elements[args[j].shape.n_dims == 0 ? 0 : i];
      result->elements[i] = weir_simplify_make (self->pool, op, operands, n_args);
    }
  return TRUE;
}

/* D, pre, Initial and delay apply to each element, and to names only (delay: to anything). */
static gboolean
expand_atoms (const Expansion *self, WeirOp op, const WeirArray *args, guint n_args,
              WeirArray *result)
{
  for (guint i = 0; i < weir_shape_size (args[0].shape); i++)
    {
      WeirOp inner = weir_expr_get_op (self->pool, args[0].elements[i]);

      if (op != WEIR_OP_DELAY && inner != WEIR_OP_SYMBOL
          && !(inner == WEIR_OP_DER
               && (op == WEIR_OP_DER || op == WEIR_OP_INITIAL || op == WEIR_OP_PRE)))
        return fail (self, "%s is of a variable; give the expression a name of its own first.",
                     weir_op_get_name (op));
    }
  for (guint j = 1; j < n_args; j++)
    if (args[j].shape.n_dims > 0 && !weir_shape_equal (args[j].shape, args[0].shape))
      return fail (self, "the times of %s must be one, or one for each element.",
                   weir_op_get_name (op));
  if (!admit (self, weir_shape_size (args[0].shape), 1, 1))
    return FALSE;
  array_init (result, args[0].shape);
  for (guint i = 0; i < weir_shape_size (args[0].shape); i++)
    {
      WeirExpr operands[3];

      for (guint j = 0; j < n_args; j++)
        operands[j] = args[j].elements[args[j].shape.n_dims == 0 ? 0 : i];
      result->elements[i] = weir_expr_make (self->pool, op, operands, n_args);
    }
  return TRUE;
}

/* --- Making and taking apart ----------------------------------------------------------------- */

/* Elements side by side make a vector; rows of equal length a matrix. */
static gboolean
expand_row (const Expansion *self, const WeirArray *args, guint n_args, WeirArray *result)
{
  guint n = 0, size = weir_shape_size (args[0].shape);
  gboolean is_flat = TRUE, is_nested = TRUE;

  for (guint i = 0; i < n_args; i++)
    {
      is_flat = is_flat && args[i].shape.n_dims == 0;
      is_nested = is_nested && args[i].shape.n_dims == 1 && args[i].shape.dims[0] == size;
    }
  if (!admit (self, n_args, size, 1))
    return FALSE;
  if (is_nested) /* [[a, b], [c, d]] */
    array_init (result, (WeirShape) { 2, { n_args, size } });
  else if (is_flat)
    array_init (result, (WeirShape) { 1, { n_args, 1 } });
  else
    return fail (self, "the elements of an array must be scalars, or vectors of equal size.");
  for (guint i = 0; i < n_args; i++)
    for (guint j = 0; j < weir_shape_size (args[i].shape); j++)
      result->elements[n++] = args[i].elements[j];
  return TRUE;
}

static gboolean
expand_rows (const Expansion *self, const WeirArray *args, guint n_args, WeirArray *result)
{
  guint size = weir_shape_size (args[0].shape);

  for (guint i = 0; i < n_args; i++)
    if (args[i].shape.n_dims != 1 || args[i].shape.dims[0] != size)
      return fail (self, "row %u of the matrix has %u elements, but row 1 has %u.", i + 1,
                   weir_shape_size (args[i].shape), size);
  if (!admit (self, n_args, size, 1))
    return FALSE;
  array_init (result,
              size == 1 ? (WeirShape) { 1, { n_args, 1 } } : (WeirShape) { 2, { n_args, size } });
  for (guint i = 0; i < n_args; i++)
    memcpy (result->elements + i * size, args[i].elements, size * sizeof (WeirExpr));
  return TRUE;
}

static gboolean
get_integer (const Expansion *self, WeirExpr e, gint64 *value)
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

static gboolean
expand_range (const Expansion *self, const WeirArray *args, WeirArray *result)
{
  gint64 from, to;

  if (args[0].shape.n_dims > 0 || args[1].shape.n_dims > 0
      || !get_integer (self, args[0].elements[0], &from)
      || !get_integer (self, args[1].elements[0], &to))
    return fail (self, "a range needs whole numbers that are known, such as 2:5.");
  if (to < from || to - from >= WEIR_ARRAY_MAX_SIZE)
    return fail (self, "the range %" G_GINT64_FORMAT ":%" G_GINT64_FORMAT " %s.", from, to,
                 to < from ? "is empty" : "is too long");
  array_init (result, (WeirShape) { 1, { (guint) (to - from + 1), 1 } });
  for (gint64 i = from; i <= to; i++)
    result->elements[i - from] = weir_expr_number (self->pool, (double) i);
  return TRUE;
}

static char *
dup_indexed (const Expansion *self, WeirExpr e)
{
  return weir_expr_describe (self->pool, weir_expr_get_arg (self->pool, e, 0));
}

static gboolean
expand_index (const Expansion *self, WeirExpr e, const WeirArray *args, guint n_args,
              WeirArray *result)
{
  const WeirArray *array = &args[0];
  g_autofree char *name = NULL;
  guint n_indices = n_args - 1, n_result_dims = 0, n = 0;
  guint counts[2] = { 1, 1 };
  WeirShape shape = scalar;

  if (array->shape.n_dims != n_indices)
    {
      g_autofree char *size = weir_shape_describe (array->shape);

      name = dup_indexed (self, e);
      return fail (self, "%s has %s, but is given %u ind%s.", name, size, n_indices,
                   n_indices == 1 ? "ex" : "ices");
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

          if (get_integer (self, index->elements[i], &value) && value >= 1
              && value <= array->shape.dims[d])
            continue;
          name = dup_indexed (self, e);
          if (!get_integer (self, index->elements[i], &value))
            return fail (self, "the index of %s must be a whole number that is known.", name);
          return fail (self, "index %" G_GINT64_FORMAT " of %s is not from 1 to %u.", value, name,
                       array->shape.dims[d]);
        }
    }
  shape.n_dims = n_result_dims;
  if (!admit (self, counts[0], counts[1], 1))
    return FALSE;
  array_init (result, shape);
  for (guint i = 0; i < counts[0]; i++)
    for (guint j = 0; j < counts[1]; j++)
      {
        gint64 row = 1, column = 1;

        get_integer (self, args[1].elements[i], &row);
        if (n_indices > 1)
          get_integer (self, args[2].elements[j], &column);
        result->elements[n++] =
            array->elements[n_indices > 1
                                ? (guint) (row - 1) * array->shape.dims[1] + (guint) (column - 1)
                                : (guint) (row - 1)];
      }
  return TRUE;
}

static void
expand_transpose (const WeirArray *a, WeirArray *result)
{
  guint rows = a->shape.n_dims == 2 ? a->shape.dims[0] : weir_shape_size (a->shape);
  guint columns = a->shape.n_dims == 2 ? a->shape.dims[1] : 1;

  if (a->shape.n_dims == 0)
    {
      borrow (result, a);
      return;
    }
  array_init (result, (WeirShape) { 2, { columns, rows } });
  for (guint i = 0; i < rows; i++)
    for (guint j = 0; j < columns; j++)
      result->elements[j * rows + i] = a->elements[i * columns + j];
}

/* --- Products and sums ----------------------------------------------------------------------- */

static WeirExpr
sum_of_products (const Expansion *self, const WeirExpr *a, guint step_a, const WeirExpr *b,
                 guint step_b, guint n)
{
  WeirExpr sum = weir_simplify_make_2 (self->pool, WEIR_OP_MUL, a[0], b[0]);

  for (guint i = 1; i < n; i++)
    sum = weir_simplify_make_2 (
        self->pool, WEIR_OP_ADD, sum,
        weir_simplify_make_2 (self->pool, WEIR_OP_MUL, a[i * step_a], b[i * step_b]));
  return sum;
}

static gboolean
expand_product (const Expansion *self, const WeirArray *a, const WeirArray *b, WeirArray *result)
{
  guint rows, inner, other_inner, columns;
  gboolean is_vector;

  if (a->shape.n_dims == 0 || b->shape.n_dims == 0)
    return expand_elements (self, WEIR_OP_MUL, (WeirArray[]) { *a, *b }, 2, result);
  if (a->shape.n_dims == 1 && b->shape.n_dims == 1)
    return fail (self, "the product of two vectors is dot(a, b), or a .* b element by element.");
  rows = a->shape.dims[0];
  inner = a->shape.n_dims == 2 ? a->shape.dims[1] : 1;
  other_inner = b->shape.dims[0];
  columns = b->shape.n_dims == 2 ? b->shape.dims[1] : 1;
  is_vector = b->shape.n_dims == 1;
  if (inner != other_inner)
    {
      g_autofree char *left = weir_shape_describe (a->shape);
      g_autofree char *right = weir_shape_describe (b->shape);

      return fail (self, "a matrix product of %s and %s does not exist.", left, right);
    }
  if (!admit (self, rows, columns, inner))
    return FALSE;
  if (is_vector && rows == 1) /* a row times a column */
    array_init (result, scalar);
  else
    array_init (result,
                is_vector ? (WeirShape) { 1, { rows, 1 } } : (WeirShape) { 2, { rows, columns } });
  for (guint i = 0; i < rows; i++)
    for (guint j = 0; j < columns; j++)
      result->elements[i * columns + j] = sum_of_products (self, a->elements + i * inner, 1,
                                                           b->elements + j, columns, inner);
  return TRUE;
}

static gboolean
expand_reduction (const Expansion *self, WeirOp op, const WeirArray *a, WeirArray *result)
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
  set_scalar (result, total);
  return TRUE;
}

static gboolean
expand_vectors (const Expansion *self, WeirOp op, const WeirArray *a, const WeirArray *b,
                WeirArray *result)
{
  guint n = a->shape.dims[0];
  gboolean is_cross = op == WEIR_OP_CROSS;

  if (a->shape.n_dims != 1 || !weir_shape_equal (a->shape, b->shape) || (is_cross && n != 3))
    return fail (self, "%s takes two vectors of %s.", weir_op_get_name (op),
                 is_cross ? "size 3" : "equal size");
  if (!is_cross)
    {
      set_scalar (result, sum_of_products (self, a->elements, 1, b->elements, 1, n));
      return TRUE;
    }
  array_init (result, a->shape);
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

static gboolean
expand_filled (const Expansion *self, WeirOp op, const WeirArray *args, guint n_args,
               WeirArray *result)
{
  WeirShape shape = { op == WEIR_OP_IDENTITY ? 2 : n_args, { 1, 1 } };
  gint64 sizes[2];

  for (guint i = 0; i < n_args; i++)
    {
      if (!get_integer (self, args[i].elements[0], &sizes[i]) || sizes[i] < 1
          || sizes[i] > WEIR_ARRAY_MAX_SIZE)
        return fail (self, "the size given to %s must be a whole number from 1 to %d.",
                     weir_op_get_name (op), WEIR_ARRAY_MAX_SIZE);
      shape.dims[i] = (guint) sizes[i];
    }
  if (op == WEIR_OP_IDENTITY)
    shape.dims[1] = shape.dims[0];
  if ((guint64) shape.dims[0] * shape.dims[1] > WEIR_ARRAY_MAX_SIZE)
    return fail (self, "an array has at most %d elements.", WEIR_ARRAY_MAX_SIZE);
  array_init (result, shape);
  for (guint i = 0; i < weir_shape_size (shape); i++)
    {
      gboolean is_one = op == WEIR_OP_ONES
                        || (op == WEIR_OP_IDENTITY && i / shape.dims[1] == i % shape.dims[1]);

      result->elements[i] = weir_expr_number (self->pool, is_one ? 1.0 : 0.0);
    }
  return TRUE;
}

static gboolean
expand_table (const Expansion *self, WeirOp op, const WeirArray *args, WeirArray *result)
{
  guint n = weir_shape_size (args[1].shape);
  g_autofree WeirExpr *operands = g_new (WeirExpr, 2 * n + 1);

  if (args[1].shape.n_dims != 1 || !weir_shape_equal (args[1].shape, args[2].shape))
    return fail (self, "table(u, xs, ys) takes two vectors of equal size.");
  for (guint i = 1; i < n; i++)
    {
      WeirExpr left = args[1].elements[i - 1], right = args[1].elements[i];

      if (weir_expr_get_op (self->pool, left) == WEIR_OP_NUMBER
          && weir_expr_get_op (self->pool, right) == WEIR_OP_NUMBER
          && !(weir_expr_get_number (self->pool, left) < weir_expr_get_number (self->pool, right)))
        return fail (self, "the points of a table must ascend, but %g is followed by %g.",
                     weir_expr_get_number (self->pool, left),
                     weir_expr_get_number (self->pool, right));
    }
  if (!admit (self, weir_shape_size (args[0].shape), 1, 2 * n + 1))
    return FALSE;
  memcpy (operands + 1, args[1].elements, n * sizeof (WeirExpr));
  memcpy (operands + 1 + n, args[2].elements, n * sizeof (WeirExpr));
  array_init (result, args[0].shape);
  for (guint i = 0; i < weir_shape_size (args[0].shape); i++)
    {
      operands[0] = args[0].elements[i];
      result->elements[i] = weir_expr_make (
          self->pool, op == WEIR_OP_INTERPOLATE ? WEIR_OP_TABLE : WEIR_OP_SLOPE, operands,
          2 * n + 1);
    }
  return TRUE;
}

static gboolean
expand_conversion (const Expansion *self, WeirExpr e, const WeirArray *a, WeirArray *result)
{
  const char *unit = weir_expr_get_name (self->pool, weir_expr_get_arg (self->pool, e, 1));
  double factor = 1.0, offset = 0.0;

  if (!self->expander->convert (self->expander->data, weir_expr_get_arg (self->pool, e, 0), unit,
                                self->line, &factor, &offset))
    return FALSE;
  array_init (result, a->shape);
  for (guint i = 0; i < weir_shape_size (a->shape); i++)
    result->elements[i] = weir_simplify_make_2 (
        self->pool, WEIR_OP_ADD,
        weir_simplify_make_2 (self->pool, WEIR_OP_MUL, weir_expr_number (self->pool, factor),
                              a->elements[i]),
        weir_expr_number (self->pool, offset));
  return TRUE;
}

/* --- All of them ----------------------------------------------------------------------------- */

static gboolean
expand_part (const Expansion *self, WeirExpr e, const WeirArray *args, guint n_args,
             WeirArray *result)
{
  WeirOp op = weir_expr_get_op (self->pool, e);

  switch (op)
    {
    case WEIR_OP_NUMBER:
    case WEIR_OP_TEXT:
      set_scalar (result, e);
      return TRUE;
    case WEIR_OP_SYMBOL:
      expand_symbol (self, e, result);
      return TRUE;
    case WEIR_OP_QUANTITY:
      borrow (result, &args[0]);
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
      return expand_row (self, args, n_args, result);
    case WEIR_OP_ROWS:
      return expand_rows (self, args, n_args, result);
    case WEIR_OP_RANGE:
      return expand_range (self, args, result);
    case WEIR_OP_INDEX:
      return expand_index (self, e, args, n_args, result);
    case WEIR_OP_TRANSPOSE:
      expand_transpose (&args[0], result);
      return TRUE;
    case WEIR_OP_MUL:
      return expand_product (self, &args[0], &args[1], result);
    case WEIR_OP_ELEMENT_MUL:
      return expand_elements (self, WEIR_OP_MUL, args, n_args, result);
    case WEIR_OP_ELEMENT_DIV:
      return expand_elements (self, WEIR_OP_DIV, args, n_args, result);
    case WEIR_OP_ELEMENT_POW:
      return expand_elements (self, WEIR_OP_POW, args, n_args, result);
    case WEIR_OP_DIV:
      if (args[1].shape.n_dims > 0)
        return fail (self, "'/' divides by scalars; './' works element by element.");
      return expand_elements (self, op, args, n_args, result);
    case WEIR_OP_POW:
      if (args[0].shape.n_dims + args[1].shape.n_dims > 0)
        return fail (self, "'^' is of scalars; '.^' works element by element.");
      return expand_elements (self, op, args, n_args, result);
    case WEIR_OP_SUM:
    case WEIR_OP_PRODUCT:
    case WEIR_OP_NORM:
      return expand_reduction (self, op, &args[0], result);
    case WEIR_OP_DOT:
    case WEIR_OP_CROSS:
      return expand_vectors (self, op, &args[0], &args[1], result);
    case WEIR_OP_ZEROS:
    case WEIR_OP_ONES:
    case WEIR_OP_IDENTITY:
      return expand_filled (self, op, args, n_args, result);
    case WEIR_OP_INTERPOLATE:
    case WEIR_OP_INTERPOLATE_SLOPE:
      return expand_table (self, op, args, result);
    case WEIR_OP_RISING:
    case WEIR_OP_FALLING:
    case WEIR_OP_EVERY:
    case WEIR_OP_JUMP:
      return fail (self, "%s is a condition of when.", weir_op_get_name (op));
    default:
      return expand_elements (self, op, args, n_args, result);
    }
}

gboolean
weir_expander_expand (WeirExpander *expander, WeirExpr e, int line, WeirArray *result)
{
  Expansion self = { expander, expander->pool, line };
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
  Expansion self = { expander, expander->pool, line };
  WeirArray value;
  gboolean is_fine;

  if (!weir_expander_expand (expander, e, line, &value))
    return FALSE;
  is_fine = value.shape.n_dims == 0 && get_integer (&self, value.elements[0], result)
            && *result >= minimum;
  if (!is_fine && minimum == G_MININT32)
    fail (&self, "%s must be a whole number made of numbers and constants.", what);
  else if (!is_fine)
    fail (&self,
          "%s must be a whole number of at least %" G_GINT64_FORMAT
          ", made of numbers and constants.",
          what, minimum);
  weir_array_clear (&value);
  return is_fine;
}

/* Arrays, their shapes, and what may be made of them. See array.h and builder.h. */
#include "equations/builder/builder.h"

#include "base/text.h"
#include "equations/expressions/simplify.h"

#include <math.h>
#include <string.h>

WeirMessage *
weir_shape_describe (WeirShape shape)
{
  if (shape.n_dims == 0)
    return weir_message_new (N_ ("a scalar"));
  if (shape.n_dims == 1)
    return weir_message_new (N_ ("size %u"), shape.dims[0]);
  return weir_message_new (N_ ("size %u x %u"), shape.dims[0], shape.dims[1]);
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

void
weir_array_init (WeirArray *self, WeirShape shape)
{
  self->shape = shape;
  self->is_borrowed = FALSE;
  self->elements = g_new (WeirExpr, weir_shape_size (shape) + 1);
}

gboolean
weir_expansion_fail (const WeirExpansion *self, const char *format, ...)
{
  WeirMessage *message;
  va_list args;

  va_start (args, format);
  message = weir_message_new_valist (format, args);
  va_end (args);
  if (self->line > 0)
    message = weir_message_join (weir_message_new (N_ ("Model: line %d"), self->line), ": ",
                                 message);
  weir_report_add_message (self->expander->report, WEIR_SEVERITY_ERROR, "EQ07", self->line,
                           message);
  return FALSE;
}

gboolean
weir_expansion_admit (const WeirExpansion *self, guint64 rows, guint64 columns, guint64 n_each)
{
  guint64 n = rows * columns;

  if (n > WEIR_ARRAY_MAX_SIZE)
    return weir_expansion_fail (self, N_ ("an array has at most %d elements."),
                                WEIR_ARRAY_MAX_SIZE);
  if (n * n_each > WEIR_ARRAY_MAX_OPERATIONS - self->expander->n_operations)
    return weir_expansion_fail (
        self, N_ ("the arrays take more than %d operations on elements; use several blocks."),
        WEIR_ARRAY_MAX_OPERATIONS);
  if (n * n_each > 1) /* what is scalar takes as many lines */
    self->expander->n_operations += (guint) (n * n_each);
  return TRUE;
}

void
weir_array_borrow (WeirArray *self, const WeirArray *other)
{
  *self = *other;
  self->is_borrowed = TRUE;
}

void
weir_array_init_scalar (WeirArray *result, WeirExpr e)
{
  weir_array_init (result, WEIR_SCALAR);
  result->elements[0] = e;
}

/* Arrays: expansion of array expressions into scalars.
 *
 * A value is a scalar, a vector of n or a matrix of r x c; its elements are kept row by row. The
 * element x[2] of an array variable becomes the symbol named "x[2]", A[1, 2] the one named
 * "A[1,2]". What is made is simplified (simplify.h), and holds scalar operations and atoms only.
 * Thread: *owner* of the pool.
 */
#pragma once

#include "equations/text/syntax.h"

G_BEGIN_DECLS

typedef struct {
  guint n_dims;  /* 0, 1 or 2 */
  guint dims[2]; /* elements; rows and columns */
} WeirShape;

static inline guint
weir_shape_size (WeirShape shape)
{
  return shape.n_dims == 0 ? 1 : shape.n_dims == 1 ? shape.dims[0] : shape.dims[0] * shape.dims[1];
}

static inline gboolean
weir_shape_equal (WeirShape a, WeirShape b)
{
  return a.n_dims == b.n_dims && (a.n_dims < 1 || a.dims[0] == b.dims[0])
         && (a.n_dims < 2 || a.dims[1] == b.dims[1]);
}

/* "a scalar", "size 3", "size 2 x 3". (transfer full) */
WeirMessage *weir_shape_describe (WeirShape shape);

/* "x", "x[2]", "A[1,2]": the name of element @i, from 0. (transfer full) */
char *weir_shape_name_element (WeirShape shape, const char *name, guint i);

typedef struct {
  WeirShape shape;
  WeirExpr *elements;   /* owned, but: */
  gboolean is_borrowed; /* within an expansion only */
} WeirArray;

void weir_array_clear (WeirArray *self);
/* @array: a WeirArray of g_new(); for tables that own theirs. */
void weir_array_free (gpointer array);

/* What names mean while expanding. */
typedef struct {
  WeirExprPool *pool;
  const WeirReport *report;
  GHashTable *shapes; /* name to WeirShape *; a name that is not there is a scalar */
  GHashTable *values; /* name to WeirArray *: constants and the variables of loops */
  GHashTable *arrays; /* name to WeirArray *: kept between expansions, while shapes do not change */
  /* The factor and offset of convert(e, unit): value = factor * e + offset. FALSE after reporting a
   * problem. */
  gboolean (*convert) (gpointer data, WeirExpr e, const char *unit, int line, double *factor,
                       double *offset);
  gpointer data;
  guint n_operations; /* on elements, by all expansions so far: at most WEIR_ARRAY_MAX_OPERATIONS */
} WeirExpander;

/* FALSE after reporting a problem (EQ07 for sizes that do not fit or are too large). */
gboolean weir_expander_expand (WeirExpander *self, WeirExpr e, int line, WeirArray *result);
/* The same for what must be a whole number known now, such as a size. @what: for the message. */
gboolean weir_expander_find_integer (WeirExpander *self, WeirExpr e, int line, const char *what,
                                     gint64 minimum, gint64 *result);

/* Every element becomes equations of its own: a grid of 100 x 100 is an ordinary model; what is
 * much larger is for blocks that keep their arrays whole. A few characters can ask for any size,
 * so that the work is bounded before it is done. Beside these bounds, which keep a text to some ten
 * megabytes, the budget for memory (base/budget.h) would come too late to matter. */
#define WEIR_ARRAY_MAX_SIZE 10000
#define WEIR_ARRAY_MAX_OPERATIONS 200000 /* on elements of arrays, in one text */

G_END_DECLS

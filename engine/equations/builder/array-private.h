/* Expanding one expression of arrays into its elements, among the files that do: expand.c goes over
 * the parts, array-elements.c makes arrays, takes them apart and works element by element,
 * array-products.c multiplies, adds and looks up. Every weir_expand_…() sets its result or reports
 * why there is none and returns FALSE.
 */
#pragma once

#include "equations/builder/array.h"

G_BEGIN_DECLS

#define WEIR_SCALAR ((WeirShape) { 0, { 1, 1 } })

typedef struct {
  WeirExpander *expander;
  WeirExprPool *pool;
  int line;
} WeirExpansion;

/* Reports EQ07; FALSE. */
gboolean weir_expansion_fail (const WeirExpansion *self, const char *format, ...)
    G_GNUC_PRINTF (2, 3);
/* May an array be made whose elements take @n_each operations each? If not, reports it. */
gboolean weir_expansion_admit (const WeirExpansion *self, guint64 rows, guint64 columns,
                               guint64 n_each);
/* The value of @e, where that is a whole number known now; reports nothing. */
gboolean weir_expansion_get_integer (const WeirExpansion *self, WeirExpr e, gint64 *value);

/* Room for the elements of @shape. */
void weir_array_init (WeirArray *self, WeirShape shape);
void weir_array_init_scalar (WeirArray *self, WeirExpr e);
/* The elements of @other, which must stay as long. */
void weir_array_borrow (WeirArray *self, const WeirArray *other);

/* @op on each element; scalars go with all of them. */
gboolean weir_expand_elements (const WeirExpansion *self, WeirOp op, const WeirArray *args,
                               guint n_args, WeirArray *result);

gboolean weir_expand_row (const WeirExpansion *self, const WeirArray *args, guint n_args,
                          WeirArray *result);
gboolean weir_expand_rows (const WeirExpansion *self, const WeirArray *args, guint n_args,
                           WeirArray *result);
gboolean weir_expand_range (const WeirExpansion *self, const WeirArray *args, WeirArray *result);
gboolean weir_expand_index (const WeirExpansion *self, WeirExpr e, const WeirArray *args,
                            guint n_args, WeirArray *result);
void weir_expand_transpose (const WeirArray *a, WeirArray *result);

gboolean weir_expand_product (const WeirExpansion *self, const WeirArray *a, const WeirArray *b,
                              WeirArray *result);
gboolean weir_expand_reduction (const WeirExpansion *self, WeirOp op, const WeirArray *a,
                                WeirArray *result);
gboolean weir_expand_vectors (const WeirExpansion *self, WeirOp op, const WeirArray *a,
                              const WeirArray *b, WeirArray *result);
gboolean weir_expand_filled (const WeirExpansion *self, WeirOp op, const WeirArray *args,
                             guint n_args, WeirArray *result);
gboolean weir_expand_table (const WeirExpansion *self, WeirOp op, const WeirArray *args,
                            WeirArray *result);

G_END_DECLS

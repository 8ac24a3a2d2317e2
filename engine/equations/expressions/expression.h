/* Expressions: an immutable tree whose equal parts exist once.
 *
 * A pool holds the nodes; an expression is an index into it. Making a node that exists gives the
 * node that exists, so that equal structure is equal index, sharing is free and every pass over
 * an expression visits each distinct part once. Arguments have lower indices than the node that
 * holds them, so that no expression contains itself and no pass needs recursion.
 *
 * Making a node changes nothing about its operands: `weir_expr_make()` keeps what was written.
 * Rules of algebra are applied by simplify.h.
 *
 * Thread: a pool belongs to one thread (*owner*) while nodes are made; after that *immutable*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint32 i;
} WeirExpr; /* a node of one pool */

#define WEIR_NO_EXPR ((WeirExpr) { G_MAXUINT32 })

typedef enum {
  /* Leaves. */
  WEIR_OP_NUMBER,
  WEIR_OP_SYMBOL, /* a name: variable, parameter or time ("t") */
  WEIR_OP_TEXT,   /* a unit or a message in quotes; only as an argument */

  /* Element-wise, one operand. */
  WEIR_OP_NEG,
  WEIR_OP_NOT,
  WEIR_OP_ABS,
  WEIR_OP_SIGN, /* -1, 0 or 1 */
  WEIR_OP_SQRT,
  WEIR_OP_CBRT,
  WEIR_OP_EXP,
  WEIR_OP_LOG, /* natural */
  WEIR_OP_LOG10,
  WEIR_OP_SIN,
  WEIR_OP_COS,
  WEIR_OP_TAN,
  WEIR_OP_ASIN,
  WEIR_OP_ACOS,
  WEIR_OP_ATAN,
  WEIR_OP_SINH,
  WEIR_OP_COSH,
  WEIR_OP_TANH,
  WEIR_OP_ASINH,
  WEIR_OP_ACOSH,
  WEIR_OP_ATANH,
  WEIR_OP_ERF,
  WEIR_OP_FLOOR,
  WEIR_OP_CEIL,
  WEIR_OP_ROUND, /* halves away from zero */
  WEIR_OP_KEEP,  /* WEIR_KEEP_RATE times the operand, which restarts may make vanish: restart.c */
  WEIR_OP_NO_EVENT, /* the operand, whose relations and bends no step must end at */

  /* Element-wise, two operands. Comparisons and logic give 1 or 0. */
  WEIR_OP_ADD,
  WEIR_OP_SUB,
  WEIR_OP_MUL, /* of scalars; of arrays the matrix product, before expansion only */
  WEIR_OP_DIV,
  WEIR_OP_POW,
  WEIR_OP_LT,
  WEIR_OP_LE,
  WEIR_OP_GT,
  WEIR_OP_GE,
  WEIR_OP_EQ,
  WEIR_OP_NE,
  WEIR_OP_AND,
  WEIR_OP_OR,
  WEIR_OP_MIN,
  WEIR_OP_MAX,
  WEIR_OP_ATAN2,
  WEIR_OP_HYPOT,
  WEIR_OP_MOD,    /* a - b floor (a / b) */
  WEIR_OP_RANDOM, /* seed, n: number n, between 0 and 1; the same for the same operands */

  WEIR_OP_IF,    /* condition, value where it is not 0, value where it is 0 */
  WEIR_OP_TABLE, /* u, x1 ... xn, y1 ... yn: linear between points, level outside; x ascend */
  WEIR_OP_SLOPE, /* the same operands: the derivative of the table by u */

  /* Of a variable; these stand for values that something else supplies. */
  WEIR_OP_DER,     /* time derivative */
  WEIR_OP_PRE,     /* value just before the event */
  WEIR_OP_INITIAL, /* value at the start */
  WEIR_OP_SHIFT,   /* variable, number: its value that many ticks on (negative: back) */
  WEIR_OP_DELAY,   /* expression, time, longest time: its value that long ago */

  /* Events. */
  WEIR_OP_RISING,
  WEIR_OP_FALLING,
  WEIR_OP_EVERY, /* period, offset: at offset + n period */
  WEIR_OP_JUMP,  /* rate (1/s): at random */

  /* Units. */
  WEIR_OP_QUANTITY, /* number, text */
  WEIR_OP_CONVERT,  /* expression, text */

  /* Arrays; expansion (array.h) turns these into scalars. */
  WEIR_OP_ROW,   /* elements side by side: [a, b, c] */
  WEIR_OP_ROWS,  /* rows one under the other: [a, b; c, d] */
  WEIR_OP_INDEX, /* array, index, index: from 1 */
  WEIR_OP_RANGE, /* from, to; only as an index */
  WEIR_OP_TRANSPOSE,
  WEIR_OP_ELEMENT_MUL,
  WEIR_OP_ELEMENT_DIV,
  WEIR_OP_ELEMENT_POW,
  WEIR_OP_SUM,
  WEIR_OP_PRODUCT,
  WEIR_OP_DOT,
  WEIR_OP_CROSS,
  WEIR_OP_NORM,
  WEIR_OP_ZEROS, /* rows, columns */
  WEIR_OP_ONES,
  WEIR_OP_IDENTITY,
  WEIR_OP_INTERPOLATE, /* u, xs, ys: what TABLE is made of */
  WEIR_OP_INTERPOLATE_SLOPE,
  WEIR_OP_INVALID, /* what could not be read; never evaluated */

  WEIR_N_OPS,
} WeirOp;

/* How fast D(w) + keep(w) ~ 0 makes w fade, 1/s. */
#define WEIR_KEEP_RATE 100.0

typedef struct _WeirExprPool WeirExprPool;

WeirExprPool *weir_expr_pool_new (void);
void weir_expr_pool_free (WeirExprPool *pool);
/* Is @op in any expression that was ever made here? */
gboolean weir_expr_pool_has_op (const WeirExprPool *pool, WeirOp op);

WeirExpr weir_expr_number (WeirExprPool *pool, double value);
WeirExpr weir_expr_symbol (WeirExprPool *pool, const char *name);
WeirExpr weir_expr_text (WeirExprPool *pool, const char *text);
WeirExpr weir_expr_make (WeirExprPool *pool, WeirOp op, const WeirExpr *args, guint n_args);
WeirExpr weir_expr_make_1 (WeirExprPool *pool, WeirOp op, WeirExpr a);
WeirExpr weir_expr_make_2 (WeirExprPool *pool, WeirOp op, WeirExpr a, WeirExpr b);
WeirExpr weir_expr_make_3 (WeirExprPool *pool, WeirOp op, WeirExpr a, WeirExpr b, WeirExpr c);

WeirOp weir_expr_get_op (const WeirExprPool *pool, WeirExpr e);
guint weir_expr_get_n_args (const WeirExprPool *pool, WeirExpr e);
WeirExpr weir_expr_get_arg (const WeirExprPool *pool, WeirExpr e, guint i);
double weir_expr_get_number (const WeirExprPool *pool, WeirExpr e);    /* of a NUMBER */
const char *weir_expr_get_name (const WeirExprPool *pool, WeirExpr e); /* of a SYMBOL or TEXT */
gboolean weir_expr_is_number (const WeirExprPool *pool, WeirExpr e, double value);
/* A SYMBOL, or what stands for a value that something else supplies: DER, PRE, INITIAL, SHIFT,
 * DELAY. Programs read these; derivatives are taken with respect to them. */
gboolean weir_expr_is_atom (const WeirExprPool *pool, WeirExpr e);

static inline gboolean
weir_expr_equal (WeirExpr a, WeirExpr b)
{
  return a.i == b.i;
}

/* All distinct parts of @roots, each after its arguments, in an order that follows from structure
 * alone (not from the order in which nodes were made). With @stop_at_atoms the arguments of atoms
 * are left out. Elements of @order: WeirExpr. */
void weir_expr_collect (WeirExprPool *pool, const WeirExpr *roots, guint n_roots,
                        gboolean stop_at_atoms, GArray *order);
/* The distinct atoms of @roots, in the order of weir_expr_collect(). */
void weir_expr_collect_atoms (WeirExprPool *pool, const WeirExpr *roots, guint n_roots,
                              GArray *atoms);

/* Replaces parts: what @replace returns stands for the part (WEIR_NO_EXPR: keep it, with its
 * arguments replaced). Parts below a replaced one are not asked for. Nodes are made with
 * @make, or as they are where NULL. */
typedef WeirExpr (*WeirExprReplaceFunc) (WeirExprPool *pool, WeirExpr part, gpointer data);
typedef WeirExpr (*WeirExprMakeFunc) (WeirExprPool *pool, WeirOp op, const WeirExpr *args,
                                      guint n_args);
WeirExpr weir_expr_replace (WeirExprPool *pool, WeirExpr e, WeirExprReplaceFunc replace,
                            gpointer data, WeirExprMakeFunc make);
/* Such a function. @table: a GHashTable of part + 1 to what stands for it, + 1. Other atoms stay as
 * they are. */
WeirExpr weir_expr_look_up (WeirExprPool *pool, WeirExpr part, gpointer table);

/* The same for @n_roots expressions; what they share is replaced once. */
void weir_expr_replace_all (WeirExprPool *pool, const WeirExpr *roots, guint n_roots,
                            WeirExpr *replaced, WeirExprReplaceFunc replace, gpointer data,
                            WeirExprMakeFunc make);

/* --- Operations ------------------------------------------------------------------------------ */

const char *weir_op_get_name (WeirOp op); /* as written: "sin", "+", "D" */
/* The function of that name and how many arguments it takes; FALSE if there is none. */
gboolean weir_op_find_function (const char *name, WeirOp *op, guint *min_args, guint *max_args);
/* The function whose name is nearest to a misspelled one, or NULL. */
const char *weir_op_find_nearest_function (const char *name);
/* Of the element-wise operations: takes scalars to a scalar. */
gboolean weir_op_is_scalar (WeirOp op);

/* How many letters differ (inserted, left out, exchanged, swapped with a neighbour). */
guint weir_text_distance (const char *a, const char *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirExprPool, weir_expr_pool_free)

G_END_DECLS

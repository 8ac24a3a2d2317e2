/* Making a system of equations, in steps: names and scalar equations (declare), their order
 * (order), values at the start (compile). Everything here lives during one weir_equations_new().
 */
#pragma once

#include "base/random.h"
#include "equations/builder/result.h"
#include "equations/builder/surroundings.h"
#include "equations/text/syntax.h"

G_BEGIN_DECLS

/* A scalar equation. */
typedef struct {
  WeirExpr left, right;
  int line;
  gboolean is_binding; /* of a parameter */
  gboolean is_default; /* added for a state that has no initial value */
  gboolean is_initial; /* a condition at the start */
  gboolean is_override, has_own;
  WeirExpr own; /* of an override that has: the right side that it won over */
} WeirScalarEquation;

/* A scalar unknown of a system to be ordered. */
typedef struct {
  WeirExpr atom;
  guint variable;
} WeirUnknown;

typedef struct {
  WeirExprPool *pool;
  const WeirReport *report;
  WeirEquations *result;
  const WeirSurroundings *around; /* or NULL */
  GPtrArray *statements;          /* of WeirStatement, owned */
  GHashTable *by_name;            /* name to WeirVariable */
  GHashTable *by_atom;            /* symbol + 1 to index of its variable + 1 */
  GHashTable *derived;            /* set of symbols + 1 that stand for delays and relations */
  GHashTable *units;              /* name to WeirUnit, owned; NULL before units are checked */
  WeirExpander expander;

  GArray *equations;      /* of WeirScalarEquation: continuous */
  GArray *tick_equations; /* in k */
  GArray *initials;       /* at the start */
  GArray *guesses;
  GArray *histories; /* before the start */
  GHashTable
      *guessed; /* set of atoms + 1 that have a guess, parameters to be solved for included */
  GArray
      *reduced; /* of WeirScalarEquation: derivatives of constraints, which hold at the start too */
  double noise_step; /* s; 0 = none was given */
  guint64 seed;
  guint64 n_parts;          /* of the scalar equations' right sides */
  GHashTable *declarations; /* name and kind to WeirStatement, borrowed */
  gboolean has_failed;
  gboolean has_paths; /* names may have dots */
} WeirEquationsBuilder;

/* Records an error. */
void weir_builder_fail (WeirEquationsBuilder *self, const char *code, int line, const char *format,
                        ...) G_GNUC_PRINTF (4, 5);

/* The variable of an atom: of x, D(x), pre(x), x(k-1). NULL: time, or unknown. */
WeirVariable *weir_builder_find_atom (const WeirEquationsBuilder *self, WeirExpr atom);
/* The symbol of something written as @text. Texts that were cut short may be alike: one that is
 * taken gets @number, which no other has, behind it. */
WeirExpr weir_builder_add_symbol (WeirEquationsBuilder *self, const char *text, guint number);
/* "x[2]", "D(x)" for messages. (transfer full) */
char *weir_builder_dup_name (const WeirEquationsBuilder *self, WeirExpr atom);

/* @own with what it extends in front. Takes @own. (transfer full) */
GPtrArray *weir_builder_extend (WeirEquationsBuilder *self, GPtrArray *own);
/* Adds declarations of what is taken from the surroundings. */
void weir_builder_take_surroundings (WeirEquationsBuilder *self);
/* Notes of names where they were found. */
void weir_builder_note_origins (WeirEquationsBuilder *self);

/* Orders equations and unknowns so that the result does not depend on how they were written. */
void weir_builder_sort_equations (const WeirEquationsBuilder *self, GArray *equations);
void weir_builder_sort_unknowns (const WeirEquationsBuilder *self, GArray *unknowns);
/* Names that are equal but for numbers come in the order of the numbers. */
int weir_name_compare (const char *a, const char *b);

/* "lines 1 and 3"; "x, y and 7 more". (transfer full) */
WeirMessage *weir_builder_enumerate_lines (const int *lines, guint n);
WeirMessage *weir_builder_enumerate_atoms (const WeirEquationsBuilder *self, const WeirExpr *atoms,
                                           guint n);

WeirVariable *weir_builder_find_or_add (WeirEquationsBuilder *self, const char *name, WeirRole role,
                                        int line);
void weir_builder_set_shape (WeirEquationsBuilder *self, const char *name, WeirShape shape);
/* The names that an expression reads, in the order of their parts. (transfer container) */
GPtrArray *weir_builder_dup_names (const WeirEquationsBuilder *self, WeirExpr e);

/* --- Expanding arrays ------------------------------------------------------------------------- */

/* Expanding one expression of arrays into its elements, among the files that do: expand.c goes over
 * the parts, array-elements.c makes arrays, takes them apart and works element by element,
 * array-products.c multiplies, adds and looks up. Every weir_expand_…() sets its result or reports
 * why there is none and returns FALSE. */

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

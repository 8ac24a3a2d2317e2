/* The tree of a formula, which its parser makes (formula-parse.c, formula-symbols.c) and its setter
 * walks (formula-set.c), and the ink of both, which formula-draw.c draws. */
#pragma once

#include "paint/text/formula.h"
#include "paint/ground/pen.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_FORMULA_ROW,      /* children side by side */
  WEIR_FORMULA_SYMBOL,   /* a text */
  WEIR_FORMULA_FRACTION, /* above, below */
  WEIR_FORMULA_ROOT,     /* of what, index or NULL */
  WEIR_FORMULA_SCRIPTS,  /* base, below or NULL, above or NULL */
  WEIR_FORMULA_ACCENT,   /* of what; text: its name */
  WEIR_FORMULA_FENCE,    /* what is between; text and right: the fences, "" = none */
  WEIR_FORMULA_MATRIX,   /* cells, row by row, n_columns a row */
  WEIR_FORMULA_SPACE,    /* width in ems */
} WeirFormulaKind;

/* What a thing is to its neighbours: decides the space between them. */
typedef enum {
  WEIR_CLASS_ORDINARY,
  WEIR_CLASS_LARGE, /* a sum, an integral */
  WEIR_CLASS_FUNCTION,
  WEIR_CLASS_BINARY,
  WEIR_CLASS_RELATION,
  WEIR_CLASS_OPEN,
  WEIR_CLASS_CLOSE,
  WEIR_CLASS_COMMA,
} WeirFormulaClass;

struct _WeirFormula {
  WeirFormulaKind kind;
  WeirFormulaClass class;
  WeirFace face;
  char *text, *right;
  GPtrArray *children; /* WeirFormula, nullable elements; NULL = none */
  guint n_columns;
  double width;
  gboolean limits; /* what is below and above goes there, not beside */
};

typedef struct {
  const char *name; /* as it is written: "alpha" after a backslash, or "<=" */
  const char *text; /* as it is shown */
  WeirFormulaClass class;
  WeirFace face;
} WeirFormulaSymbol;

/* formula-symbols.c: of a command's name; the sign that @text begins with. NULL: there is none. */
const WeirFormulaSymbol *weir_formula_find_symbol (const char *name, gsize length);
const WeirFormulaSymbol *weir_formula_find_sign (const char *text);

/* Whoever measures and whoever draws choose fonts alike. */
void weir_ink_set_font (PangoLayout *layout, WeirFace face, double size);
void weir_ink_draw (WeirPen *pen, const WeirInk *ink);

G_END_DECLS

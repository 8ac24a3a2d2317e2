/* Formulas: a small notation, as text, and how it is set.
 *
 * The notation is what people know from TeX: "\dot x = -\frac{x}{\tau}", "\sum_{i=1}^{n} x_i^2",
 * "\sqrt[3]{1 + x}", "\left( \frac{a}{b} \right)", "\matrix{a & b \\ c & d}", Greek letters and
 * signs by name or as they are. weir_formula_parse() makes a tree of it, weir_formula_set() boxes
 * with the metrics of the fonts that are there. A tree is immutable; thread: *any*.
 */
#pragma once

#include <pango/pango.h>

G_BEGIN_DECLS

typedef struct _WeirFormula WeirFormula;

/* NULL and @error, one sentence, if @text makes no sense. (transfer full) */
WeirFormula *weir_formula_parse (const char *text, GError **error);
void weir_formula_free (WeirFormula *self);

typedef enum {
  WEIR_FACE_TEXT,   /* as names of blocks */
  WEIR_FACE_ROMAN,  /* digits, signs, names of functions */
  WEIR_FACE_ITALIC, /* variables */
  WEIR_FACE_BOLD,   /* vectors */
} WeirFace;

typedef enum {
  WEIR_INK_TEXT, /* at the baseline's left end; no height */
  WEIR_INK_RULE, /* a filled rectangle */
  WEIR_INK_DOT,  /* a filled circle in the rectangle */
  WEIR_INK_ROOT, /* the sign; its bar lies above what is right of it */
  WEIR_INK_HAT,
  WEIR_INK_TILDE,
  WEIR_INK_ARROW,
  WEIR_INK_FENCE, /* @text: one of ( ) [ ] { } | ‖ ⟨ ⟩ ⌊ ⌋ ⌈ ⌉, as tall as the rectangle */
} WeirInkKind;

/* A piece of ink. y grows downwards. */
typedef struct {
  WeirInkKind kind;
  WeirFace face;
  double x, y, width, height, size; /* @size: of the font */
  char *text;
} WeirInk;

typedef struct {
  double width, ascent, descent; /* of the box, from the baseline; both positive */
} WeirExtent;

/* Sets the formula at @size with its baseline's left end at the origin: appends to @inks (WeirInk,
 * which owns its texts). @measure: a layout to measure with. */
WeirExtent weir_formula_set (const WeirFormula *self, double size, PangoLayout *measure,
                             GArray *inks);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirFormula, weir_formula_free)

G_END_DECLS

/* Text with formulas in it, as notes have it: lines, in each of which what stands between dollar
 * signs is a formula ("$\dot x = -\frac{x}{\tau}$"; "\$" is the sign itself). A formula that makes
 * no sense is shown as it was typed, so that nothing is lost while one types.
 *
 * Immutable once made. Thread: *any*, with fonts of the thread's own.
 */
#pragma once

#include "paint/ground/pen.h"

G_BEGIN_DECLS

typedef struct _WeirTypeset WeirTypeset;

/* (transfer full) */
WeirTypeset *weir_typeset_new (const char *text, double size);
void weir_typeset_free (WeirTypeset *self);
/* From what the thread keeps of late: (transfer none), until the thread's next call of it. */
const WeirTypeset *weir_typeset_get (const char *text, double size);

double weir_typeset_get_width (const WeirTypeset *self);
double weir_typeset_get_height (const WeirTypeset *self);
guint weir_typeset_get_n_lines (const WeirTypeset *self);
/* Top and baseline of a line, from the top of all. */
void weir_typeset_get_line (const WeirTypeset *self, guint line, double *top, double *baseline);

/* In the current colour, with the top left corner at (@x, @y). */
void weir_typeset_draw (const WeirTypeset *self, WeirPen *pen, double x, double y);

/* What is wrong with the first formula that makes no sense: one sentence; NULL if all do. (transfer
 * full) */
char *weir_typeset_check (const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirTypeset, weir_typeset_free)

G_END_DECLS

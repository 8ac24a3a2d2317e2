/* The inside of the page Analysis: analysis-page.c asks and shows, analysis-charts.c makes pictures
 * of answers, analysis-figures.c tables and sentences. Thread: *main*. */
#pragma once

#include "analysis/analyst.h"
#include "paint/plots/chart.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_PICTURE_BODE,
  WEIR_PICTURE_NYQUIST,
  WEIR_PICTURE_NICHOLS,
  WEIR_PICTURE_ROOTS,
  WEIR_PICTURE_LOCUS,
  WEIR_PICTURE_STEP,
  WEIR_PICTURE_IMPULSE,
  WEIR_N_PICTURES,
} WeirPicture;

/* "bode": as it is kept with a model. */
const char *weir_picture_get_name (WeirPicture picture);
const char *weir_picture_get_title (WeirPicture picture); /* translated */
/* What of an answer it takes besides: 1 << WEIR_STAGE_.... */
guint weir_picture_get_wanted (WeirPicture picture);

/* Points that a simulation gave: at each frequency (rad/s) a value. */
typedef struct {
  guint n;
  const double *frequencies;
  const double complex *values;
} WeirChecked;

/* Fills @chart anew. @former: (nullable) what is drawn paler beneath; @checked: nullable. FALSE:
 * there is no such picture of it; @why: (out) a sentence, translated, static. */
gboolean weir_picture_fill (WeirPicture picture, WeirChart *chart, const WeirLinearAnswer *answer,
                            const WeirLinearAnswer *former, const WeirChecked *checked,
                            const char **why);
/* What stands beside the cursor on curve @curve of that chart. (transfer full) */
char *weir_picture_dup_text (WeirPicture picture, const WeirLinearAnswer *answer, guint curve,
                             guint i, double x, double y);
/* The gain at which the closed loop has a pole as near as can be to @x + i @y. */
double weir_locus_find_gain (const WeirLocus *locus, double x, double y);

/* One row of the table: its cells as people read them, and the number in full. */
typedef struct {
  char *name, *value, *at; /* owned; @at: nullable */
  char *full;              /* the numbers with all their digits; nullable */
  gboolean is_head;        /* only a name, over the rows that follow */
} WeirFigure;

/* (element-type WeirFigure) (transfer full) */
GArray *weir_answer_list_figures (const WeirLinearAnswer *answer);
/* What was held or cut, what is odd, what has no value: sentences. (element-type utf8) (transfer
 * full) */
GPtrArray *weir_answer_list_notes (const WeirLinearAnswer *answer, gboolean is_flipped);
/* The table as lines of cells parted by tabs, for the clipboard. (transfer full) */
char *weir_figures_dup_text (const GArray *figures);
/* A, B, C and D as lines of numbers, each under its name. (transfer full) */
char *weir_linear_dup_csv (const WeirLinear *linear);
/* "(s + 1)/(s^2 + 2 s)": the polynomials of its zeros and poles, with its gain; NULL: there are
 * delays. (transfer full) */
char *weir_answer_dup_transfer_function (const WeirLinearAnswer *answer);

G_END_DECLS

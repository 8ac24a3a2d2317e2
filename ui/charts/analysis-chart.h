/* Answers of linear analysis as charts: Bode, Nyquist, Nichols, poles and zeros, root locus, step
 * and impulse; what the page Analysis shows and `weir linearize --out` writes.
 *
 * Thread: *owner* of the chart.
 */
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

/* What simulation gave, without the gain of an answer. */
typedef struct {
  gboolean is_step;          /* of a step; else of sines */
  double size;               /* of what was added */
  GArray *x;                 /* double: s, or rad/s */
  GArray *values, *expected; /* double complex: simulated, linear */
  double worst, worst_at; /* the largest deviation: of a sine's value as a part of it, of a step's
                             as a part of the largest */
} WeirCheck;

/* What a picture shows besides an answer. */
typedef struct {
  const WeirLinearAnswer *former; /* paler beneath; nullable */
  const WeirCheck *check;         /* nullable */
} WeirBeside;

/* Fills @chart anew. FALSE: there is no such picture of it; @why: (out) a sentence, translated,
 * static. */
gboolean weir_picture_fill (WeirPicture picture, WeirChart *chart, const WeirLinearAnswer *answer,
                            WeirBeside beside, const char **why);
/* What stands beside the cursor on curve @curve of that chart. (transfer full) */
char *weir_picture_dup_text (WeirPicture picture, const WeirLinearAnswer *answer, guint curve,
                             guint i, double x, double y);
/* The gain at which the closed loop has a pole as near as can be to @x + i @y. */
double weir_locus_find_gain (const WeirLocus *locus, double x, double y);

/* Writes the picture of that name to a file, in the format that its suffix says. FALSE and @error:
 * there is no such picture of it, or the file cannot be written. */
gboolean weir_answer_write (const WeirLinearAnswer *answer, const char *picture, const char *path,
                            gboolean dark, GError **error);

G_END_DECLS
